// What a session keeps: one value, in the SQLite of its Durable Object.

export class Store {
  #sql;

  constructor(storage) {
    this.#sql = storage.sql;
    this.#sql.exec("CREATE TABLE IF NOT EXISTS session (id INTEGER PRIMARY KEY CHECK (id = 1), value TEXT NOT NULL)");
  }

  /** What was put last, or undefined. */
  get() {
    const [row] = this.#sql.exec("SELECT value FROM session").toArray();
    return row && JSON.parse(row.value);
  }

  /** An answer that is given after this leaves only when it is on the disk. */
  put(value) {
    this.#sql.exec("INSERT OR REPLACE INTO session (id, value) VALUES (1, ?)", JSON.stringify(value));
  }
}
