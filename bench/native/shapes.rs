//! Lines made to be slow: a beginning, what is repeated, and an end.

/// Name, beginning, middle, end.
pub(crate) type Shape = (&'static str, &'static str, &'static str, &'static str);

/// Every shape.
pub(crate) const SHAPES: &[Shape] = &[
    ("subshells", "", "(", ""),
    ("arithmetic", "", "((", ""),
    ("substitutions", "echo ", "$(", ""),
    ("arithmetic-substitutions", "echo ", "$((", ""),
    ("backquotes", "echo ", "`a` ", ""),
    ("escaped-backquotes", "echo `", "\\`", "`"),
    ("single-quotes", "echo ", "'x' ", ""),
    ("double-quotes", "echo \"", "${x:-\"", "\""),
    ("heredocs", "", "cat <<E\nx\nE\n", ""),
    ("heredoc-openings", "cat ", "<<E ", "\n"),
    ("groups", "", "{ ", ""),
    ("brace-lists", "echo ", "{a,b}", ""),
    ("brace-nesting", "echo ", "{a,", ""),
    ("tests", "", "[[ ", ""),
    ("operators", "", "a;", ""),
    ("lone-operators", "", ";", ""),
    ("pipes", "", "a|", "b"),
    ("wrappers", "", "sudo ", "a"),
    ("wrapper-options", "env ", "-u x ", "a"),
    ("shell-texts", "sh -c \"", "sh -c \\\"", "\""),
    ("evals", "", "eval ", "a"),
    ("exec-actions", "find . ", "-exec a \\; ", ""),
    ("assignments", "", "a[1]=2 ", ""),
    ("redirects", "", ">a ", ""),
    ("continuations", "", "\\\n", "a"),
    ("words", "echo ", "a ", ""),
    ("removals", "rm -rf ", "a/../", ""),
    ("downloads", "curl a ", "|tee b", "|sh"),
];

/// A line of that shape, at most `length` bytes long.
pub(crate) fn line((_, start, middle, end): &Shape, length: usize) -> String {
    let count = length.saturating_sub(start.len() + end.len()) / middle.len();
    [start, middle.repeat(count).as_str(), end].concat()
}
