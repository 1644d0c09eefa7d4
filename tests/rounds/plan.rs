//! What a host will do, made of a seed or of bytes: every answer, and when it comes.

use toolgate::json::{Json, read};
use toolgate::machine::Settlement;

/// Random numbers of a seed (SplitMix64); before them those that bytes say.
pub(crate) struct Random<'b> {
    seed: u64,
    said: &'b [u8],
}

impl<'b> Random<'b> {
    pub(crate) fn of(seed: u64) -> Self {
        Self { seed, said: &[] }
    }

    /// What bytes say, one a number.
    #[allow(dead_code, reason = "the fuzz targets use it")]
    pub(crate) fn said(bytes: &'b [u8]) -> Self {
        Self { seed: 0, said: bytes }
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        if let Some((byte, rest)) = self.said.split_first() {
            self.said = rest;
            return u64::from(*byte) % n;
        }
        self.seed = self.seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.seed ^ self.seed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ mixed >> 31) % n
    }

    pub(crate) fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[usize::try_from(self.below(items.len() as u64)).unwrap()]
    }

    /// Mostly at once, sometimes late, sometimes never.
    fn delay(&mut self) -> Option<u64> {
        match self.below(40) {
            0 => None,
            1 => Some(30_000),
            2..=5 => Some(self.below(40)),
            _ => Some(0),
        }
    }
}

/// An answer, and after how many milliseconds it comes, if ever.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timed<T> {
    pub(crate) answer: T,
    pub(crate) after: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Size {
    Fits,
    Missing,
    TooLarge,
    Nonsense,
    Fails,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Identity {
    Yes,
    No,
    Nonsense,
    Fails,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Reply {
    Allow,
    Deny,
    Prose,
    NoObject,
    Ask(&'static str),
    AskTwo,
    AskOtherwise,
    TimesOut,
    Overflows,
    Fails,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum File {
    Text(&'static str),
    Secret,
    WithNonce,
    Missing,
    Changed,
    Linked,
    TooLarge,
    Grown,
    NotText,
    Fails,
}

#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) paths: Vec<&'static str>,
    pub(crate) has_files: bool,
    pub(crate) has_identity: bool,
    pub(crate) has_request: bool,
    pub(crate) writes_memory: bool,
    pub(crate) timeout_ms: u64,
    pub(crate) overall_ms: u64,
    /// Bytes beyond the mandatory parts.
    pub(crate) room: usize,
    pub(crate) cancelled_before: bool,
    pub(crate) cancel_at: Option<u64>,
    /// By path.
    pub(crate) sizes: Vec<Timed<Size>>,
    pub(crate) identities: Vec<Timed<Identity>>,
    pub(crate) replies: Vec<Timed<Reply>>,
    /// Tokens that each reply tells; none where it tells nothing.
    pub(crate) usages: Vec<Option<u64>>,
    pub(crate) files: Vec<Timed<File>>,
    /// What is done between events that nobody waits for.
    pub(crate) noise: u64,
}

pub(crate) const PATHS: [&str; 3] = ["a.mjs", "b.mjs", "c.mjs"];
/// The place of a path in what goes by path.
pub(crate) fn index(path: &str) -> usize {
    PATHS.iter().position(|known| *known == path).unwrap()
}

pub(crate) const NONCE: &str = "00112233445566778899aabbccddeeff";
const ACTION: &str = r#"{"arguments":{},"toolName":"mem_save"}"#;
const OTHER_ACTION: &str = r#"{"arguments":{},"toolName":"x"}"#;

impl Plan {
    pub(crate) fn of(random: &mut Random<'_>) -> Self {
        let offered = random.below(4);
        let identity = |random: &mut Random<'_>| match random.below(60) {
            0 => Identity::No,
            1 => Identity::Nonsense,
            2 => Identity::Fails,
            _ => Identity::Yes,
        };
        let size = |random: &mut Random<'_>| match random.below(12) {
            0 => Size::Missing,
            1 => Size::TooLarge,
            2 => Size::Nonsense,
            3 => Size::Fails,
            _ => Size::Fits,
        };
        let reply = |random: &mut Random<'_>, round: u64| match random.below(24) {
            0 => Reply::Prose,
            1 => Reply::NoObject,
            2 => Reply::AskTwo,
            3 => Reply::AskOtherwise,
            4 => Reply::TimesOut,
            5 => Reply::Overflows,
            6 => Reply::Fails,
            7..=9 => Reply::Allow,
            10 => Reply::Deny,
            11..=18 if round < 2 => Reply::Ask(random.pick(&PATHS)),
            11..=12 => Reply::Ask(random.pick(&PATHS)),
            _ => Reply::Allow,
        };
        let file = |random: &mut Random<'_>| match random.below(20) {
            0 => File::Secret,
            1 => File::WithNonce,
            2 => File::Missing,
            3 => File::Changed,
            4 => File::Linked,
            5 => File::TooLarge,
            6 => File::Grown,
            7 => File::NotText,
            8 => File::Fails,
            9 => File::Text(""),
            _ => File::Text("let x = 1;\n"),
        };
        let mut paths: Vec<&'static str> = (0..offered).map(|_| random.pick(&PATHS)).collect();
        if random.one_in(50) {
            paths = vec!["a.mjs"; 9];
        }
        Self {
            paths,
            has_files: !random.one_in(20),
            has_identity: !random.one_in(50),
            has_request: !random.one_in(8),
            writes_memory: random.one_in(4),
            timeout_ms: random.pick(&[20, 1_000, 20_000]),
            overall_ms: random.pick(&[1, 25, 60, 1_000, 60_000]),
            room: usize::try_from(random.pick(&[0, 10, 17, 18, 36, 1_000])).unwrap(),
            cancelled_before: random.one_in(60),
            cancel_at: if random.one_in(6) { Some(random.below(60)) } else { None },
            sizes: PATHS.map(|_| Timed { answer: size(random), after: random.delay() }).to_vec(),
            identities: (0..11).map(|_| Timed { answer: identity(random), after: random.delay() }).collect(),
            replies: (0..3)
                .map(|round| Timed { answer: reply(random, round), after: random.delay() })
                .collect(),
            usages: (0..3).map(|_| (!random.one_in(6)).then(|| random.below(100))).collect(),
            files: (0..2).map(|_| Timed { answer: file(random), after: random.delay() }).collect(),
            noise: random.below(u64::MAX),
        }
    }

    pub(crate) fn action(&self) -> &'static str {
        if self.writes_memory { ACTION } else { OTHER_ACTION }
    }

    fn requests(&self) -> &'static [&'static str] {
        if self.has_request { &["Do it."] } else { &[" \n"] }
    }

    /// The JSON text of the request.
    pub(crate) fn request(&self) -> String {
        let quoted = |texts: &[&str]| {
            format!("[{}]", texts.iter().map(|text| format!("{text:?}")).collect::<Vec<_>>().join(","))
        };
        let requests = self.requests();
        let mandatory = self.action().len() + 1 + requests.iter().map(|text| text.len() + 1).sum::<usize>();
        format!(
            r#"{{"action":{},"humanRequests":{},"evidencePaths":{},"timeoutMs":{},"overallTimeoutMs":{},"inputByteBudget":{}}}"#,
            self.action(),
            quoted(requests),
            quoted(&self.paths),
            self.timeout_ms,
            self.overall_ms,
            mandatory + self.room,
        )
    }
}

fn json(text: &str) -> Settlement {
    Settlement::Fulfilled(read(text).unwrap())
}

impl Size {
    pub(crate) fn settlement(self) -> Settlement {
        match self {
            Self::Fits => json(r#"{"size":8192}"#),
            Self::Missing => Settlement::Fulfilled(Json::Null),
            Self::TooLarge => json(r#"{"size":8193}"#),
            Self::Nonsense => json(r#"{"size":"1"}"#),
            Self::Fails => Settlement::Rejected(Json::Null),
        }
    }
}

impl Identity {
    pub(crate) fn settlement(self) -> Settlement {
        match self {
            Self::Yes => json("true"),
            Self::No => json("false"),
            Self::Nonsense => json("1"),
            Self::Fails => Settlement::Threw,
        }
    }
}

impl Reply {
    pub(crate) fn settlement(self, usage: Option<u64>) -> Settlement {
        let ask = |tool: &str, paths: &[&str]| {
            let calls: Vec<String> = paths
                .iter()
                .map(|path| format!(r#"{{"name":"{tool}","arguments":{{"path":"{path}"}}}}"#))
                .collect();
            format!(r#""toolCalls":[{}]"#, calls.join(","))
        };
        let said = |decision: &str| format!(r#""text":"{{\"decision\":\"{decision}\",\"reason\":\"r\"}}""#);
        let members = match self {
            Self::Allow => said("allow"),
            Self::Deny => said("deny"),
            Self::Prose => r#""text":"I would allow it.""#.to_owned(),
            Self::NoObject => return json("[]"),
            Self::Ask(path) => ask("inspect_permission_file", &[path]),
            Self::AskTwo => ask("inspect_permission_file", &["a.mjs", "b.mjs"]),
            Self::AskOtherwise => ask("read_file", &["a.mjs"]),
            Self::TimesOut => return Settlement::Rejected(read(r#"{"name":"TimeoutError"}"#).unwrap()),
            Self::Overflows => return Settlement::Rejected(read(r#"{"code":"context-overflow"}"#).unwrap()),
            Self::Fails => return Settlement::Threw,
        };
        let usage = usage.map(|tokens| format!(r#","usage":{{"inputTokens":{tokens},"outputTokens":1}}"#));
        json(&format!("{{{members}{}}}", usage.unwrap_or_default()))
    }
}

impl File {
    pub(crate) fn settlement(self) -> Settlement {
        let with_nonce = format!("// {NONCE}");
        let large = "a".repeat(8_193);
        let (bytes, size, before, after): (&[u8], usize, &str, &str) = match self {
            Self::Text(text) => (text.as_bytes(), text.len(), "", ""),
            Self::Secret => (b"password: hunter2", 17, "", ""),
            Self::WithNonce => (with_nonce.as_bytes(), with_nonce.len(), "", ""),
            Self::Missing => return json(r#"{"status":"missing"}"#),
            Self::Changed => (b"x", 1, "", "5"),
            Self::Linked => (b"x", 1, "2", "2"),
            Self::TooLarge => (large.as_bytes(), 9_000, "", ""),
            Self::Grown => (large.as_bytes(), 8_192, "", ""),
            Self::NotText => (b"\xC0\xAF", 2, "", ""),
            Self::Fails => return Settlement::Unreadable,
        };
        let stat = |nlink: &str| {
            let nlink = if nlink.is_empty() { "1" } else { nlink };
            format!(r#"{{"dev":1,"ino":"2","size":{size},"mtimeMs":1.5,"ctimeMs":1,"nlink":{nlink}}}"#)
        };
        let answer = format!(r#"{{"status":"file","before":{},"after":{}}}"#, stat(before), stat(after));
        Settlement::WithBytes(read(&answer).unwrap(), bytes.to_vec())
    }
}
