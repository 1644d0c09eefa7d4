//! The directories that a session may write in.
//!
//! Paths are compared name by name, after `..` is resolved; a path of another root, an unknown home, and without a working
//! directory every path that could lead anywhere, lie outside.
//!
//! ```
//! use toolgate::path::Places;
//! use toolgate::risk::Scope;
//!
//! let scope = Scope::new(Places { cwd: Some("/repo"), home: None }, ["../lib"]);
//! assert!(!scope.leaves("/lib/x"));
//! assert!(scope.leaves("/reposition"));
//! assert!(scope.leaves("a\\..\\..\\x"));
//! ```

use crate::order::Gather as _;
use core::cell::OnceCell;

use crate::path::{Forms, Lexical, Places, Root};

/// Working directory, home and additional directories, read where a path is compared with them.
#[derive(Clone, Debug)]
pub struct Scope<'t> {
    places: Places<'t>,
    additional: Vec<&'t str>,
    read: OnceCell<Directories<'t>>,
}

#[derive(Clone, Debug)]
struct Directories<'t> {
    home: Option<Lexical<'t>>,
    cwd: Option<Lexical<'t>>,
    additional: Vec<Lexical<'t>>,
}

impl<'t> Scope<'t> {
    /// The scope of `places`, widened by `additional` directories; relative ones are seen from the working directory.
    pub fn new(places: Places<'t>, additional: impl IntoIterator<Item = &'t str>) -> Self {
        Self { places, additional: additional.into_iter().gather(), read: OnceCell::new() }
    }

    fn directories(&self) -> &Directories<'t> {
        self.read.get_or_init(|| {
            let mut read =
                Directories { home: self.places.home(), cwd: self.places.cwd(), additional: Vec::new() };
            let windows = read.cwd.as_ref().is_some_and(Lexical::is_windows);
            for directory in &self.additional {
                let path = if windows { Lexical::read_slashed(directory) } else { Lexical::read(directory) };
                let path = read.resolve(&path);
                read.additional.push(path);
            }
            read
        })
    }

    /// What the scope was made from.
    pub fn places(&self) -> &Places<'t> {
        &self.places
    }

    /// The additional directories as written.
    pub(super) fn additional_texts(&self) -> &[&'t str] {
        &self.additional
    }

    /// Whether a reading of `text` lies outside. A backslash is read both ways, and one reading outside is enough.
    pub fn leaves(&self, text: &str) -> bool {
        Forms::of(text, &Places::default()).iter().any(|forms| self.excludes(&forms.normal))
    }

    /// Whether the path lies outside.
    pub fn excludes(&self, path: &Lexical<'_>) -> bool {
        let written_at_home = path.root() == Root::Home;
        let directories = self.directories();
        let path = directories.resolve(path);
        let Some(cwd) = &directories.cwd else {
            return path.root() != Root::Relative || path.segments().first() == Some(&"..");
        };
        if written_at_home && path.root() == Root::Home {
            return true;
        }
        !path.is_under(cwd) && !directories.additional.iter().any(|base| path.is_under(base))
    }
}

impl<'t> Directories<'t> {
    /// The path from the working directory or the home, where they are known and matter.
    fn resolve<'p>(&self, path: &Lexical<'p>) -> Lexical<'p>
    where
        't: 'p,
    {
        let path = self.home.as_ref().map_or_else(|| path.clone(), |home| path.at_home(home));
        self.cwd.as_ref().map_or_else(|| path.clone(), |cwd| path.from(cwd))
    }
}
