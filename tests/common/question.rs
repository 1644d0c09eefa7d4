//! Questions that own their texts, and the runtime that they are asked in.
#![allow(dead_code, unreachable_pub, reason = "no test needs all of this")]

use serde_json::Value;
use toolgate::dialect::DIALECTS;
use toolgate::host::Host;
use toolgate::json::{self, Json};
use toolgate::policy::{Call, CallState, Decision, Explanation, Policy};
use toolgate::rule::PermissionRule;
use toolgate::vocabulary::{Kind, PermissionMode, SandboxMode};

/// A runtime: the crate `url` in the place of its parser.
pub const HOST: Host = Host {
    url_hostname: |url| url::Url::parse(url).ok()?.host_str().map(Into::into),
    lower_case: str::to_lowercase,
};

/// The names of all dialects.
pub fn dialects() -> impl Iterator<Item = &'static str> {
    DIALECTS.iter().map(|dialect| dialect.name)
}

/// A call and the state that it is made in, as JSON has them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Question {
    /// `{"tool","subject","arguments"}`
    pub call: Value,
    /// `{"mode","cwd","planActive","sandbox","realPath"}`
    pub state: Value,
    /// Session grants.
    pub grants: Vec<String>,
}

impl Question {
    /// A call in a state; the grants are those of the state.
    pub fn new(call: Value, state: Value) -> Self {
        let grants = state["grants"].as_array().into_iter().flatten();
        let grants = grants.map(|grant| grant.as_str().unwrap().to_owned()).collect();
        Self { call, state, grants }
    }

    /// A shell line.
    pub fn line(command: &str) -> Self {
        Self::new(serde_json::json!({ "tool": "Bash", "arguments": { "command": command } }), Value::Null)
    }

    /// The same in another mode.
    pub fn in_mode(&self, mode: PermissionMode) -> Self {
        self.with("mode", Some(mode.as_str()))
    }

    /// The same with another member of the state.
    pub fn with(&self, member: &str, value: Option<&str>) -> Self {
        let mut other = self.clone();
        other.state[member] = value.into();
        other
    }

    /// The same with other grants.
    pub fn granted(&self, grants: &[String]) -> Self {
        Self { grants: grants.to_vec(), ..self.clone() }
    }

    /// Hands the call to `ask` as the core takes it.
    pub fn put<T>(
        &self,
        policy: &Policy,
        ask: impl FnOnce(&Call<'_>, &CallState<'_>, &[PermissionRule]) -> T,
    ) -> T {
        let Self { call, state, .. } = self;
        let argument = |name: &str| call["arguments"][name].as_str();
        let arguments: Option<Json> = call.get("arguments").map(|all| json::read(&all.to_string()).unwrap());
        let word = |name: &str| state[name].as_str();
        let call = Call {
            tool: call["tool"].as_str().unwrap(),
            subject: call["subject"].as_str(),
            command: argument("command"),
            file_path: argument("file_path"),
            notebook_path: argument("notebook_path"),
            path: argument("path"),
            url: argument("url"),
            arguments: arguments.as_ref().filter(|_| policy.config().dialect.looks_at_arguments),
        };
        let state = CallState {
            mode: word("mode").map(|mode| PermissionMode::parse(mode).unwrap()),
            cwd: word("cwd"),
            plan_active: state["planActive"] == true,
            sandbox: word("sandbox").map(|sandbox| SandboxMode::parse(sandbox).unwrap()),
            real_path: word("realPath"),
        };
        let grants: Vec<PermissionRule> =
            self.grants.iter().map(|text| policy.grant(text).unwrap()).collect();
        ask(&call, &state, &grants)
    }

    /// What the policy decides.
    pub fn decide(&self, policy: &Policy) -> Decision {
        self.put(policy, |call, state, grants| policy.decide(call, state, grants))
    }

    /// Hands the explanation to `view`.
    pub fn explain<T>(&self, policy: &Policy, view: impl FnOnce(&Explanation<'_>) -> T) -> T {
        let (mut view, mut viewed) = (Some(view), None);
        self.put(policy, |call, state, grants| {
            policy.explain(call, state, grants, |explanation| {
                viewed = view.take().map(|view| view(explanation))
            });
        });
        viewed.unwrap()
    }
}

/// The policy of a configuration that has no errors.
#[track_caller]
pub fn compile(config: &Value) -> Policy {
    Policy::new(&config.to_string(), HOST)
        .unwrap_or_else(|checked| panic!("{config}: {:?}", checked.diagnostics))
}

/// How strict a kind is: deny, ask, no match, allow.
pub fn strictness(kind: Kind) -> u8 {
    match kind {
        Kind::Deny => 3,
        Kind::Ask => 2,
        Kind::Passthrough => 1,
        Kind::Allow => 0,
    }
}
