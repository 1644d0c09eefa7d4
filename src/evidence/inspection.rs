//! How a file becomes evidence: whatever the host says, it is checked here (evidence.md section 12).

use super::reply::Fault;
use super::secret::contains_secret;
use super::words::{ClassifierError, EvidenceLimit};
use crate::json::Json;
use crate::limits;
use crate::machine::Settlement;

const UNUSABLE: Fault = Fault::evidence(ClassifierError::EvidenceUnavailable);

/// What `fstat` said of a file.
#[derive(PartialEq, Eq)]
struct Stat<'j> {
    /// Device and node, times: as they came, types included.
    marks: [&'j Json; 4],
    size: u64,
    nlink: u64,
}

/// The text of a file, out of what the host's callback gave.
pub(super) fn content(inspection: Settlement) -> Result<String, Fault> {
    let Settlement::WithBytes(answer, bytes) = inspection else { return Err(UNUSABLE) };
    if answer.member("status").and_then(Json::as_str) != Some("file") {
        return Err(UNUSABLE);
    }
    let stat = |name| answer.member(name).and_then(Stat::read).ok_or(UNUSABLE);
    let (before, after) = (stat("before")?, stat("after")?);
    let is_over = |bytes: usize| bytes > limits::EVIDENCE_FILE_BYTES;
    let size = usize::try_from(before.size).unwrap_or(usize::MAX);
    if is_over(size) {
        return Err(Fault::limit(EvidenceLimit::FileStatBytes));
    }
    if is_over(bytes.len()) {
        return Err(Fault::limit(EvidenceLimit::FileReadBytes));
    }
    if before != after || before.nlink != 1 || bytes.len() != size {
        return Err(UNUSABLE);
    }
    let text = String::from_utf8(bytes).map_err(|_| UNUSABLE)?;
    if text.contains(['\0']) {
        return Err(UNUSABLE);
    }
    if contains_secret(&text) {
        return Err(Fault::evidence(ClassifierError::RedactedContext));
    }
    Ok(text)
}

impl<'j> Stat<'j> {
    fn read(value: &'j Json) -> Option<Self> {
        let is_number = |value: &Json| matches!(value, Json::Number(_));
        let marks = [
            value.member("dev")?,
            value.member("ino")?,
            value.member("mtimeMs").filter(|time| is_number(time))?,
            value.member("ctimeMs").filter(|time| is_number(time))?,
        ];
        let are_marks = marks.iter().all(|mark| is_number(mark) || mark.as_str().is_some());
        let (size, nlink) =
            (value.member("size")?.as_safe_integer()?, value.member("nlink")?.as_safe_integer()?);
        are_marks.then_some(Self { marks, size, nlink })
    }
}
