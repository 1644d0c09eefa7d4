//! Machines as the driver of the façade sees them: an event crosses as a word, a number and a text; effects come back
//! as rows of JSON.
//!
//! | event | number | text |
//! |---|---|---|
//! | `start` · `cancelled` (a start whose signal had fired before) | of the caller | what the machine's façade hands in |
//! | `cancel` | of the caller | |
//! | `fulfilled` · `rejected` | of the effect | JSON text |
//! | `unreadable` · `threw` · `timer` | of the effect | |
//!
//! | row | |
//! |---|---|
//! | `["ask", number, port, value]` · `["call", number, port, value]` · `["tell", 0, port, value]` | call the host through that port |
//! | `["abort", number]` · `["arm", number, ms]` · `["disarm", number]` | |
//! | `["return", caller, result]` · `["rethrow", caller]` | |
//! | `["keep", 0, text]` | |
//!
//! Bytes may cross beside the text: those that were taken off an answer, or of a long text that a start comes with. An event
//! that nobody waits for gives `null`.

use crate::json::{self, Json, Writer};
use crate::machine::{Effect, Event, Machine, Number, Settlement};

/// A machine whose values cross.
pub trait Crosses: Machine {
    /// Reads what its façade hands in. What cannot be read starts nothing, and the façade answers as if the core had
    /// stopped.
    fn read_start(text: &str) -> Option<Self::Start>;

    /// The same with one long text that crosses beside it as bytes, for machines that are handed one.
    fn read_start_with(text: &str, _beside: Vec<u8>) -> Option<Self::Start> {
        Self::read_start(text)
    }

    /// Writes the name of the port, then one value.
    fn write_ask(ask: &Self::Ask, to: &mut Writer);

    /// Writes one value.
    fn write_result(result: &Self::Result, to: &mut Writer);

    /// What it is made of anew, as JSON text; `null` for a machine that remembers nothing.
    fn snapshot(&self) -> String {
        "null".into()
    }
}

/// A machine of any kind, as `src/wasm` holds it.
pub trait Driven {
    /// Takes an event in, and gives the rows of what is to be done; see the module.
    fn handle(&mut self, event: &str, number: u32, text: &str, bytes: Option<Vec<u8>>, now_ms: f64)
    -> String;

    /// [`Crosses::snapshot`].
    fn snapshot(&self) -> String;
}

impl<M: Crosses> Driven for M {
    fn handle(
        &mut self,
        event: &str,
        number: u32,
        text: &str,
        bytes: Option<Vec<u8>>,
        now_ms: f64,
    ) -> String {
        let number = Number(number);
        let event = match event {
            "cancel" => Some(Event::Cancel { call: number }),
            "timer" => Some(Event::TimerFired { number }),
            "start" | "cancelled" => {
                let start = match bytes {
                    None => M::read_start(text),
                    Some(bytes) => M::read_start_with(text, bytes),
                };
                start.map(|start| Event::Start { call: number, start, is_cancelled: event == "cancelled" })
            }
            how => Some(Event::Settled { number, settlement: settlement(how, text, bytes) }),
        };
        let handled = event.is_some_and(|event| Machine::handle(self, event, now_ms).is_ok());
        let mut to = Writer::default();
        if !handled {
            to.plain("null");
            return to.text;
        }
        to.open("[");
        while let Some(effect) = self.poll() {
            to.open("[");
            write_effect::<M>(&effect, &mut to);
            to.close("]");
        }
        to.close("]");
        to.text
    }

    fn snapshot(&self) -> String {
        Crosses::snapshot(self)
    }
}

fn settlement(how: &str, text: &str, bytes: Option<Vec<u8>>) -> Settlement {
    if how == "threw" {
        return Settlement::Threw;
    }
    let value = if how == "unreadable" { None } else { json::read(text).ok() };
    match (how, value, bytes) {
        ("rejected", value, _) => Settlement::Rejected(value.unwrap_or(Json::Null)),
        (_, None, _) => Settlement::Unreadable,
        (_, Some(value), None) => Settlement::Fulfilled(value),
        (_, Some(value), Some(bytes)) => Settlement::WithBytes(value, bytes),
    }
}

fn write_effect<M: Crosses>(effect: &Effect<M::Ask, M::Result>, to: &mut Writer) {
    let (word, number) = match effect {
        Effect::Ask { number, .. } => ("ask", number.0),
        Effect::Call { number, .. } => ("call", number.0),
        Effect::Tell { .. } => ("tell", 0),
        Effect::Abort { number } => ("abort", number.0),
        Effect::Arm { number, .. } => ("arm", number.0),
        Effect::Disarm { number } => ("disarm", number.0),
        Effect::Return { call, .. } => ("return", call.0),
        Effect::Rethrow { call } => ("rethrow", call.0),
        Effect::Keep { .. } => ("keep", 0),
    };
    to.string(word);
    write_number(number, to);
    match effect {
        Effect::Ask { ask, .. } | Effect::Call { ask, .. } | Effect::Tell { ask } => M::write_ask(ask, to),
        Effect::Arm { after_ms, .. } => write_number(*after_ms, to),
        Effect::Return { result, .. } => M::write_result(result, to),
        Effect::Keep { snapshot } => to.string(snapshot),
        Effect::Abort { .. } | Effect::Disarm { .. } | Effect::Rethrow { .. } => {}
    }
}

/// A number of a caller or effect.
pub(super) fn write_number(number: u32, to: &mut Writer) {
    to.number(usize::try_from(number).unwrap_or(usize::MAX));
}
