//! The stage's memory as plain data, and back (auto-stage.md section 9).
//!
//! ```text
//! {"v":1,"failures":{route:n},"open":[route],"seeded":[session],"breakerAudited":[session],"unarmedAudited":[session],
//!  "warned":{"breaker":bool,"unarmed":bool},"slice":text,"cache":[[key,"allow"|"ask",reason],…oldest first]}
//! ```

use super::BREAKER_THRESHOLD;
use super::memory::{Mark, Memory};
use crate::diagnostic::{Path, Step};
use crate::json::{Json, Writer, is_hex};
use crate::verdict::{Verdict, word};

const LISTS: [(&str, Mark); 3] = [
    ("seeded", Mark::Seeded),
    ("breakerAudited", Mark::BreakerAudited),
    ("unarmedAudited", Mark::UnarmedAudited),
];

/// Members of a snapshot, in order.
const MEMBERS: [&str; 9] =
    ["v", "failures", "open", "seeded", "breakerAudited", "unarmedAudited", "warned", "slice", "cache"];

impl Memory {
    /// The snapshot as JSON text; `with_verdicts` also what was cached.
    pub fn snapshot(&self, with_verdicts: bool) -> String {
        let mut to = Writer::default();
        to.open("{");
        to.name("v");
        to.number(1);
        to.name("failures");
        to.open("{");
        for route in &self.routes {
            to.string(&route.key);
            to.text.push(':');
            to.number(route.failures);
        }
        to.close("}");
        to.name("open");
        to.open("[");
        for route in self.routes.iter().filter(|route| route.is_open) {
            to.string(&route.key);
        }
        to.close("]");
        for (name, mark) in LISTS {
            to.name(name);
            to.open("[");
            for (session, _) in self.sessions.iter().filter(|(_, marks)| marks & mark as usize != 0) {
                to.string(session);
            }
            to.close("]");
        }
        to.name("warned");
        to.open("{");
        to.name("breaker");
        to.flag(self.has_warned_of_breaker);
        to.name("unarmed");
        to.flag(self.has_warned_of_missing_model);
        to.close("}");
        to.member("slice", &self.cache.slice);
        to.name("cache");
        to.open("[");
        for (key, verdict) in self.cache.entries.iter().filter(|_| with_verdicts) {
            to.open("[");
            to.string(key);
            to.string(word(verdict.allows));
            to.string(&verdict.reason);
            to.close("]");
        }
        to.close("]");
        to.close("}");
        to.text
    }

    /// The memory that a snapshot was made of, or the place where it is none. Every member must be there, and no other.
    pub fn restore(snapshot: &Json) -> Result<Self, Path> {
        let at = |name: &str| vec![Step::named(name)];
        if !snapshot.is_object() {
            return Err(vec![]);
        }
        if let Some((name, _)) = snapshot.members().iter().find(|(name, _)| !MEMBERS.contains(&name.as_str()))
        {
            return Err(vec![Step::named(name)]);
        }
        if snapshot.get("v") != Some(&Json::Number("1".into())) {
            return Err(at("v"));
        }
        let mut memory = Self::default();
        memory.restore_routes(snapshot)?;
        for (name, mark) in LISTS {
            for session in texts(snapshot, name)? {
                memory.restore_mark(session, mark);
            }
        }
        let warned = snapshot.get("warned").filter(|warned| warned.members().len() == 2);
        let flag = |name| match warned.and_then(|warned| warned.get(name)) {
            Some(Json::Bool(flag)) => Ok(*flag),
            _ => Err(at("warned")),
        };
        memory.has_warned_of_breaker = flag("breaker")?;
        memory.has_warned_of_missing_model = flag("unarmed")?;
        memory.cache.slice = snapshot.get("slice").and_then(Json::as_str).ok_or_else(|| at("slice"))?.into();
        let entries = snapshot.get("cache").and_then(Json::as_list).ok_or_else(|| at("cache"))?;
        for (index, entry) in entries.iter().enumerate() {
            let entry = cached(entry).ok_or_else(|| vec![Step::from("cache"), Step::from(index)])?;
            memory.cache.entries.push(entry);
        }
        Ok(memory)
    }

    fn restore_routes(&mut self, snapshot: &Json) -> Result<(), Path> {
        let failures = snapshot.get("failures").filter(|failures| failures.is_object());
        for (key, count) in failures.ok_or_else(|| vec![Step::from("failures")])?.members() {
            let count = (0..=BREAKER_THRESHOLD).find(|n| *count == number(*n));
            match count.ok_or_else(|| vec![Step::from("failures"), Step::named(key)])? {
                0 => {}
                // At the threshold it opens, whatever the list says.
                count => drop(self.count(key, count)),
            }
        }
        for key in texts(snapshot, "open")? {
            self.count(key, BREAKER_THRESHOLD);
        }
        self.take_change();
        Ok(())
    }
}

fn number(n: usize) -> Json {
    let mut to = Writer::default();
    to.number(n);
    Json::Number(to.text)
}

fn texts<'j>(snapshot: &'j Json, name: &str) -> Result<Vec<&'j str>, Path> {
    let items = snapshot.get(name).and_then(Json::as_list).ok_or_else(|| vec![Step::named(name)])?;
    let mut texts = vec![];
    for (index, item) in items.iter().enumerate() {
        texts.push(item.as_str().ok_or_else(|| vec![Step::named(name), Step::from(index)])?);
    }
    Ok(texts)
}

/// `[key, word, reason]`
fn cached(entry: &Json) -> Option<(String, Verdict)> {
    let [Json::Text(key), Json::Text(said), Json::Text(reason)] = entry.as_list()? else { return None };
    let allows = said == word(true);
    if !is_hex(key, 64) || (!allows && said != word(false)) {
        return None;
    }
    Some((key.clone(), Verdict { allows, reason: reason.clone() }))
}
