//! When two calls are the same call (fallback.md section 12).

use crate::json::{Json, sha256_hex};
use crate::order::Gather as _;

/// The SHA-256, in lower-case hex, of the canonical JSON of `{cwd, params, tool}`. Names are taken as they are; any
/// difference makes another call. Numbers of `params` are written as ECMAScript does.
pub fn call_fingerprint(tool: &str, cwd: &str, params: Json) -> String {
    let text = |text: &str| Json::Text(text.into());
    let call = [("cwd", text(cwd)), ("params", params), ("tool", text(tool))];
    let call = Json::Object(call.into_iter().map(|(name, value)| (name.into(), value)).gather());
    sha256_hex(call.canonical().as_bytes())
}
