// What a session keeps: its last state and the end of its log, in the SQLite of its Durable Object.

/** So many entries of the log stay. */
const LOG_ENTRIES = 10_000;

export class Store {
  #sql;

  constructor(storage) {
    this.#sql = storage.sql;
    this.#sql.exec("CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL)");
    this.#sql.exec("CREATE TABLE IF NOT EXISTS log (at INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT NOT NULL, data TEXT NOT NULL)");
  }

  /** A value that was put, or undefined. */
  get(name) {
    const [row] = this.#sql.exec("SELECT value FROM state WHERE name = ?", name).toArray();
    return row && JSON.parse(row.value);
  }

  put(name, value) {
    this.#sql.exec("INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)", name, JSON.stringify(value));
  }

  /** Adds an event to the log, and lets the oldest go; a switch of the mode stays, whatever its age. */
  append(type, data) {
    this.#sql.exec("INSERT INTO log (type, data) VALUES (?, ?)", type, JSON.stringify(data));
    this.#sql.exec("DELETE FROM log WHERE at <= (SELECT max(at) FROM log) - ? AND type <> 'permission/mode'", LOG_ENTRIES);
  }

  /** The events of the log, in order; those of one type, or all. */
  events(type) {
    const rows = type === undefined ? this.#sql.exec("SELECT type, data FROM log ORDER BY at") : this.#sql.exec("SELECT type, data FROM log WHERE type = ? ORDER BY at", type);
    return rows.toArray().map(({ type, data }) => ({ type, data: JSON.parse(data) }));
  }
}
