//! The exports. The only place that names `wasm_bindgen`; everything else is in [`crate::wire`].
//!
//! Every function takes plain strings or JSON text, and throws JSON text; the façade in the package makes the API of
//! these. No `&mut self` is exported, so that host code that calls back in can never find a borrow held.

use std::cell::{Cell, RefCell};

use wasm_bindgen::prelude::*;

use crate::evidence::Classifier;
use crate::host::Host;
use crate::policy::Policy;
use crate::row::Row;
use crate::wire;
use crate::wire::machine::Driven;

#[wasm_bindgen]
extern "C" {
    /// The runtime's own URL parser.
    type URL;

    #[wasm_bindgen(constructor, catch)]
    fn new(url: &str) -> Result<URL, JsValue>;

    // Not caught: a getter that throws ends the call, which the façade then denies.
    #[wasm_bindgen(method, getter)]
    fn hostname(this: &URL) -> String;

    /// A text of the runtime.
    type Text;

    #[wasm_bindgen(js_name = String)]
    fn text(text: &str) -> Text;

    #[wasm_bindgen(method, js_name = toLowerCase)]
    fn to_lower_case(this: &Text) -> String;
}

/// What this runtime knows about names.
const HOST: Host = Host {
    url_hostname: |url| URL::new(url).ok().map(|url| url.hostname()),
    lower_case: |text| self::text(text).to_lower_case(),
};

/// `evaluatePermission`
#[wasm_bindgen(js_name = evaluatePermission)]
pub fn evaluate_permission(input: &str) -> Result<String, String> {
    wire::evaluate_permission(input, HOST)
}

thread_local! {
    /// The row of the last call that gave one.
    static ROW: Cell<Row> = const { Cell::new(Row::EMPTY) };
}

/// Writes the row, and gives its place in memory; the façade reads it before it calls again. It begins with a flag, 1
/// where what follows is no answer but the JSON text of a failure, and with the place and the bytes of its text.
///
/// The row is taken out meanwhile: host code that calls back in writes one of its own.
fn row(write: impl FnOnce(&mut Row) -> wire::Written) -> *const u32 {
    let mut row = ROW.take();
    row.restart();
    if let Err(failure) = write(&mut row) {
        row.restart();
        row.set(0, 1);
        row.push_text(Some(&failure));
    }
    row.set(1, row.text().as_ptr().addr());
    row.set(2, row.text().len());
    let place = row.numbers().as_ptr();
    ROW.set(row);
    place
}

/// What the façade asks with: numbers, and the bytes of texts.
///
/// The numbers begin with a head, which says where the bytes are to be written and how many of them fit.
#[derive(Default)]
struct Inbox {
    numbers: Vec<u32>,
    texts: Vec<u8>,
}

impl Inbox {
    const HEAD: usize = 2;
    /// Bytes that are kept for the next time.
    const KEPT: usize = 1 << 20;
    const EMPTY: Self = Self { numbers: vec![], texts: vec![] };

    /// So many numbers, and so many bytes of texts.
    fn parts(&self, numbers: usize, bytes: usize) -> Option<(&[u32], &[u8])> {
        Some((self.numbers.get(Self::HEAD..)?.get(..numbers)?, self.texts.get(..bytes)?))
    }
}

thread_local! {
    static INBOX: Cell<Inbox> = const { Cell::new(Inbox::EMPTY) };
}

/// Makes place for numbers and for bytes of texts; gives that of the head. What was written before stays.
#[wasm_bindgen]
pub fn inbox(numbers: usize, bytes: usize) -> *const u32 {
    let Inbox { numbers: mut row, mut texts } = INBOX.take();
    let least = numbers.saturating_add(Inbox::HEAD);
    if row.len() < least {
        row.resize(least, 0);
    }
    if texts.len() < bytes {
        texts.resize(bytes, 0);
    }
    for (number, says) in row.iter_mut().zip([texts.as_ptr().addr(), texts.len()]) {
        *number = says as u32;
    }
    let place = row.as_ptr();
    INBOX.set(Inbox { numbers: row, texts });
    place
}

/// `readShellCommand`, as a row.
#[wasm_bindgen(js_name = readShellCommand)]
pub fn read_shell_command(command: &str) -> *const u32 {
    row(|row| wire::read_shell_command(command, row))
}

/// The function of that name, over texts; see [`wire::call`].
#[wasm_bindgen]
pub fn call(
    function: &str,
    first: Option<String>,
    second: Option<String>,
    third: Option<String>,
    fourth: Option<String>,
) -> Result<String, String> {
    let texts = [first.as_deref(), second.as_deref(), third.as_deref(), fourth.as_deref()];
    wire::call(function, &texts, HOST)
}

/// The functions about reviews; see [`wire::review`]. Their texts can be long, and cross as bytes.
#[wasm_bindgen]
pub fn review(
    function: &str,
    first: Option<Vec<u8>>,
    second: Option<Vec<u8>>,
    third: Option<Vec<u8>>,
) -> Result<String, String> {
    wire::review(function, first.as_deref(), second.as_deref(), third.as_deref())
}

/// A compiled policy.
#[wasm_bindgen]
pub struct CompiledPolicy {
    policy: Policy,
}

#[wasm_bindgen]
impl CompiledPolicy {
    /// Compiles the JSON text of a configuration.
    #[wasm_bindgen(constructor)]
    pub fn new(config: &str) -> Result<CompiledPolicy, String> {
        wire::compile_policy(config, HOST).map(|policy| Self { policy })
    }

    /// The dialect's name.
    #[wasm_bindgen(getter)]
    pub fn dialect(&self) -> String {
        self.policy.config().dialect.name.into()
    }

    /// The default mode, as the index of its closed word.
    #[wasm_bindgen(getter, js_name = defaultMode)]
    pub fn default_mode(&self) -> usize {
        self.policy.config().default_mode.index()
    }

    /// Whether `decide` wants the JSON text of all arguments.
    #[wasm_bindgen(getter, js_name = looksAtArguments)]
    pub fn looks_at_arguments(&self) -> bool {
        self.policy.config().dialect.looks_at_arguments
    }

    /// How many rules it has.
    #[wasm_bindgen(getter, js_name = ruleCount)]
    pub fn rule_count(&self) -> usize {
        self.policy.config().entries.len()
    }

    /// Hex SHA-256 over the canonical form.
    #[wasm_bindgen(getter)]
    pub fn fingerprint(&self) -> String {
        self.policy.fingerprint()
    }

    /// The rule of that rank, as JSON text.
    pub fn rule(&self, rank: usize) -> String {
        wire::policy_rule(&self.policy, rank)
    }

    /// What is wrong with the rules, as JSON text.
    pub fn lint(&self) -> String {
        wire::lint(&self.policy)
    }

    /// Parses session grants; gives the rules that they are, as JSON text.
    pub fn grants(&self, texts: &str) -> Result<String, String> {
        wire::grants(&self.policy, texts)
    }

    /// What a decision says of a rule, by its rank and by the index of what is said.
    pub fn reason(&self, rank: usize, saying: usize) -> String {
        wire::rule_reason(&self.policy, rank, saying)
    }

    /// What is asked of calls, as a row; see [`wire::ask_all`]. So many numbers and bytes of the inbox ask it.
    ///
    /// The inbox is taken out meanwhile: host code that calls back in writes into one of its own.
    pub fn ask(&self, numbers: usize, bytes: usize) -> *const u32 {
        let inbox = INBOX.take();
        let (asked, texts) = inbox.parts(numbers, bytes).unwrap_or_default();
        let place = row(|row| wire::ask_all(&self.policy, texts, asked, HOST, row));
        if inbox.texts.len() <= Inbox::KEPT {
            INBOX.set(inbox);
        }
        place
    }
}

/// A machine, whatever it waits for; see [`wire::machine`].
#[wasm_bindgen]
pub struct Machine {
    driven: RefCell<Box<dyn Driven>>,
}

#[wasm_bindgen]
impl Machine {
    /// The stage of auto mode, made of the JSON text of a snapshot. Its numbers begin at `first`.
    pub fn stage(snapshot: Option<String>, first: u32) -> Result<Machine, String> {
        wire::stage(snapshot.as_deref(), first).map(|driven| Self { driven: RefCell::new(driven) })
    }

    /// The evidence classifier. Its numbers begin at `first`.
    pub fn evidence(first: u32) -> Machine {
        Self { driven: RefCell::new(Box::new(Classifier::starting_at(first))) }
    }

    /// A session of review gates, made of the JSON text of its setup and of what it kept. Its numbers begin at `first`.
    pub fn review(setup: &str, kept: Option<String>, first: u32) -> Result<Machine, String> {
        wire::review_session(setup, kept.as_deref(), first)
            .map(|session| Self { driven: RefCell::new(Box::new(session)) })
    }

    /// Takes an event in, and gives the rows of what is to be done. No host code runs meanwhile.
    pub fn handle(
        &self,
        event: &str,
        number: u32,
        text: &str,
        bytes: Option<Vec<u8>>,
        now_ms: f64,
    ) -> String {
        match self.driven.try_borrow_mut() {
            Ok(mut driven) => driven.handle(event, number, text, bytes, now_ms),
            Err(_) => "null".into(),
        }
    }

    /// What it is made of anew.
    pub fn snapshot(&self) -> String {
        self.driven.try_borrow().map_or_else(|_| "null".into(), |driven| driven.snapshot())
    }
}
