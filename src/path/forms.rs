//! The spellings of one path that rules and protected lists are tried on.

use super::{Lexical, Root};

/// The directories that paths are seen from; empty or absent ones are unknown.
#[derive(Clone, Copy, Debug, Default)]
pub struct Places<'t> {
    /// The working directory.
    pub cwd: Option<&'t str>,
    /// The home directory of the user.
    pub home: Option<&'t str>,
}

impl<'t> Places<'t> {
    /// The working directory, read, where it is known.
    pub fn cwd(&self) -> Option<Lexical<'t>> {
        let cwd = self.cwd.filter(|cwd| !cwd.is_empty()).map(Lexical::read)?;
        Some(match self.home() {
            Some(home) => cwd.at_home(&home),
            None => cwd,
        })
    }

    /// The home directory, read, where it is known.
    pub fn home(&self) -> Option<Lexical<'t>> {
        self.home.filter(|home| !home.is_empty()).map(Lexical::read)
    }
}

/// One reading of a path, seen from the known places (`rules.md` section 8.2).
#[derive(Clone, Debug)]
pub struct Forms<'t> {
    /// The path itself; of a drive or share with slashes and an upper-case letter.
    pub normal: Lexical<'t>,
    /// From the root, where the places that it depends on are known.
    pub absolute: Option<Lexical<'t>>,
    /// As `~/…`, where it lies at or under the home directory.
    pub home: Option<Lexical<'t>>,
    /// Relative to the working directory.
    pub relative: Option<String>,
}

impl<'t> Forms<'t> {
    /// The readings of `text`: as written, and where a backslash could be part of a name also with slashes.
    pub fn of(text: &'t str, places: &Places<'t>) -> Vec<Self> {
        let written = Lexical::read(text);
        let both = text.contains(['\\']) && !written.is_windows();
        let mut forms = vec![Self::seen(written, places)];
        if both {
            forms.push(Self::seen(Lexical::read_slashed(text), places));
        }
        forms
    }

    fn seen(normal: Lexical<'t>, places: &Places<'t>) -> Self {
        let (cwd, home) = (places.cwd(), places.home());
        let absolute = match normal.root() {
            Root::Relative => cwd.as_ref().map(|cwd| normal.from(cwd)),
            Root::Home => home.as_ref().map(|home| normal.at_home(home)),
            _ => Some(normal.clone()),
        }
        .filter(|path| !matches!(path.root(), Root::Relative | Root::Home));
        let from_home = absolute.as_ref().zip(home.as_ref()).and_then(|(path, home)| path.rest_under(home));
        let home = from_home.map(|rest| Lexical::read("~").below(rest));
        let relative = absolute.as_ref().zip(cwd.as_ref()).and_then(|(path, cwd)| path.relative_to(cwd));
        Self { normal, absolute, home, relative }
    }

    /// Whether a path written relatively leads out of the working directory.
    pub fn climbs_out(&self) -> bool {
        let outside = |path: &str| path == ".." || path.starts_with("../");
        self.normal.root() == Root::Relative
            && outside(self.relative.as_deref().unwrap_or(&self.normal.text()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[[&str; 4]]) {
        let places = Places { cwd: Some("/repo"), home: Some("/home/u") };
        let forms: Vec<[String; 4]> = Forms::of(text, &places)
            .into_iter()
            .map(|forms| {
                let text = |path: Option<Lexical<'_>>| path.map(|path| path.text()).unwrap_or_default();
                [
                    forms.normal.text(),
                    text(forms.absolute),
                    text(forms.home),
                    forms.relative.unwrap_or_default(),
                ]
            })
            .collect();
        assert_eq!(forms, expected, "{text:?}");
    }

    #[test]
    fn gives_all_forms() {
        check("a/../b", &[["b", "/repo/b", "", "b"]]);
        check("~/x", &[["~/x", "/home/u/x", "~/x", "../home/u/x"]]);
        check("/home/u", &[["/home/u", "/home/u", "~", "../home/u"]]);
        check("~/../v/x", &[["~/../v/x", "/home/v/x", "", "../home/v/x"]]);
        check("~bob/x", &[["~bob/x", "", "", ""]]);
        check("c:\\x", &[["C:/x", "C:/x", "", ""]]);
        check(
            "a\\..\\..\\b",
            &[["a\\..\\..\\b", "/repo/a\\..\\..\\b", "", "a\\..\\..\\b"], ["../b", "/b", "", "../b"]],
        );
    }
}
