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

/// Texts in which a secret is looked for and not found.
pub(crate) const TEXTS: &[Shape] = &[
    ("secret-vendors", "", "sk-", ""),
    ("secret-web-tokens", "", "eyJ", ""),
    ("secret-web-token-parts", "", "eyJabcde.abc.", ""),
    ("secret-keys", "", "token ", ""),
    ("secret-empty-values", "", "token: ,", ""),
    ("secret-references", "", "token=$token ", ""),
    ("secret-long-references", "", "token=$t,x=${t:token=$t,", ""),
    ("secret-announced", "token: ", "Bearer ", "$x"),
    ("secret-types", "", "token: string ", ";"),
    ("secret-annotations", "", "token: string =>", ""),
    ("secret-quotes", "", "token=\"\"", ""),
    ("secret-private-keys", "", "-----BEGIN ", ""),
    ("secret-urls", "", "x://a:", ""),
    ("secret-user-information", "x://a:", "{{$x", "@"),
    ("secret-headers", "", "bearer ", ""),
    ("secret-base64", "basic ", "YTpi", "AAAA"),
    ("secret-words", "", "aToken-", ""),
    ("secret-blanks", "token:", " ", "$x"),
];

/// A line of that shape, at most `length` bytes long.
pub(crate) fn line((_, start, middle, end): &Shape, length: usize) -> String {
    let count = length.saturating_sub(start.len() + end.len()) / middle.len();
    [start, middle.repeat(count).as_str(), end].concat()
}
