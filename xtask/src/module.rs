//! The functions of a module: what `panics` and `arrange` both look at.

use std::collections::BTreeMap;

use anyhow::Result;
use wasmparser::{FunctionBody, KnownCustom, Name, NameSectionReader, Parser, Payload, TypeRef};

/// What stands in a module of functions. They are counted through, the imported ones first.
#[derive(Default)]
pub(crate) struct Functions<'m> {
    /// How many are imported, and so the number of the first body.
    pub(crate) imported: u32,
    pub(crate) bodies: Vec<FunctionBody<'m>>,
    /// Names by number, where the module has some.
    names: BTreeMap<u32, &'m str>,
}

impl<'m> Functions<'m> {
    pub(crate) fn of(module: &'m [u8]) -> Result<Self> {
        let mut found = Self::default();
        for payload in Parser::new(0).parse_all(module) {
            match payload? {
                Payload::ImportSection(imports) => {
                    for import in imports.into_imports() {
                        found.imported += u32::from(matches!(import?.ty, TypeRef::Func(_)));
                    }
                }
                Payload::CodeSectionEntry(body) => found.bodies.push(body),
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(sections) = section.as_known() {
                        found.named(sections)?;
                    }
                }
                _ => {}
            }
        }
        Ok(found)
    }

    fn named(&mut self, sections: NameSectionReader<'m>) -> Result<()> {
        for section in sections {
            if let Name::Function(map) = section? {
                for naming in map {
                    let naming = naming?;
                    self.names.insert(naming.index, naming.name);
                }
            }
        }
        Ok(())
    }

    /// The name of a function; empty where it has none.
    pub(crate) fn name(&self, number: u32) -> &'m str {
        self.names.get(&number).copied().unwrap_or_default()
    }

    /// The bodies with their numbers.
    pub(crate) fn numbered(&self) -> impl Iterator<Item = (u32, &FunctionBody<'m>)> {
        (self.imported..).zip(&self.bodies)
    }

    /// The body of a function; an import has none.
    pub(crate) fn body(&self, number: u32) -> Option<&FunctionBody<'m>> {
        self.bodies.get(usize::try_from(number.checked_sub(self.imported)?).ok()?)
    }
}
