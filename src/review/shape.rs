//! From JSON to records, strictly: exactly the members that a record has, each of its type (review.md section 2).
//!
//! A record is declared once, by `record!`: its fields are the members, in the order of the canonical form. Reading goes on
//! behind a breach, with empty values, and the breach is what comes out in the end; so there is one way out.

use std::rc::Rc;

use super::refusal::{Checked, Refusal};
use super::words::{Field, Reason};
use crate::diagnostic::Step;
use crate::json::{self, Canonical, Json, take_member};

/// Integers that JavaScript tells apart.
const SAFE: i64 = 9_007_199_254_740_991;

/// Declares a record, its reader and its canonical writer. `field as "name": type` where the name is a word of Rust;
/// `Name in Field` where a list of them has a name of its own in refusals.
macro_rules! record {
    ($(#[$doc:meta])* $vis:vis $name:ident $(in $own:path)? { $($(#[$field_doc:meta])* $field:ident $(as $spelled:literal)?: $kind:ty,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, Eq)]
        $vis struct $name { $($(#[$field_doc])* $vis $field: $kind,)+ }

        impl $crate::review::shape::Part for $name {
            $(const OWN: Option<$crate::review::Field> = Some($own);)?
            const MEMBERS: &'static [&'static str] =
                &[$($crate::review::shape::spelling!($field $($spelled)?),)+];

            fn take(from: &mut $crate::review::shape::Taker, value: Option<$crate::json::Json>) -> Self {
                let mut members = from.object(value);
                let record = Self {
                    $($field: $crate::review::shape::Part::take_member(
                        from,
                        &mut members,
                        $crate::review::shape::spelling!($field $($spelled)?),
                    ),)+
                };
                from.end(&members);
                record
            }

            fn write(&self, to: &mut $crate::json::Canonical) {
                to.open('{');
                $($crate::review::shape::Part::write_member(
                    &self.$field,
                    $crate::review::shape::spelling!($field $($spelled)?),
                    to,
                );)+
                to.close('}');
            }
        }
    };
}

/// The name of a member.
macro_rules! spelling {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $spelled:literal) => {
        $spelled
    };
}

pub(super) use {record, spelling};

/// What can be read from JSON, and written canonically.
pub trait Part: Sized {
    /// What refusals name that are about an item of a list of these.
    const OWN: Option<Field> = None;
    /// The members of a record.
    const MEMBERS: &'static [&'static str] = &[];

    /// Reads it; an absent value is a breach.
    fn take(from: &mut Taker, value: Option<Json>) -> Self;

    /// Writes it.
    fn write(&self, to: &mut Canonical);

    /// Reads the member of that name.
    #[inline(never)]
    fn take_member(from: &mut Taker, members: &mut Vec<(String, Json)>, name: &str) -> Self {
        let member = take_member(members, name);
        Self::take(from, member)
    }

    /// Writes it as the member of that name.
    #[inline(never)]
    fn write_member(&self, name: &str, to: &mut Canonical) {
        to.name(name);
        self.write(to);
    }
}

/// Reads records, and notes the first breach of their shape.
#[derive(Clone, Debug)]
pub struct Taker {
    /// What is being read.
    field: Field,
    breach: Option<Field>,
}

impl Taker {
    /// A reader of something with that name.
    pub fn of(field: Field) -> Self {
        Self { field, breach: None }
    }

    /// A reader of the value of a JSON text, and the value; what is wrong with the text is the first breach.
    #[inline(never)]
    fn of_text(text: &str, field: Field) -> (Self, Option<Json>) {
        match json::read(text) {
            Ok(value) => (Self::of(field), Some(value)),
            Err(error) => (Self { field, breach: Some(field_at(&error.path, field)) }, None),
        }
    }

    /// The first breach, if there was one.
    pub fn finish(self) -> Checked<()> {
        match self.breach {
            None => Ok(()),
            Some(field) => Err(Refusal::new(field, Reason::Invalid)),
        }
    }

    /// A value of the wrong shape.
    pub fn breach(&mut self) {
        self.breach.get_or_insert(self.field);
    }

    /// The members of an object.
    pub fn object(&mut self, value: Option<Json>) -> Vec<(String, Json)> {
        match value {
            Some(Json::Object(members)) => members,
            _ => {
                self.breach();
                vec![]
            }
        }
    }

    /// Reads the items of a list; `own` names those that refusals call otherwise than the list.
    fn each(&mut self, value: Option<Json>, own: Option<Field>, read: &mut dyn FnMut(&mut Self, Json)) {
        let Some(Json::List(items)) = value else { return self.breach() };
        let outer = self.field;
        self.field = own.unwrap_or(outer);
        for item in items {
            read(self, item);
        }
        self.field = outer;
    }

    /// Refuses members that nothing took.
    pub fn end(&mut self, members: &[(String, Json)]) {
        if !members.is_empty() {
            self.breach();
        }
    }
}

/// A part that is named `field` where its shape is wrong.
pub(super) fn part<T: Part>(value: Option<Json>, field: Field) -> Checked<T> {
    taken(Taker::of(field), value)
}

#[inline(never)]
fn taken<T: Part>(mut from: Taker, value: Option<Json>) -> Checked<T> {
    let part = T::take(&mut from, value);
    from.finish().map(|()| part)
}

/// The same from JSON text. Half of a surrogate pair, or a member that is named twice, is a breach where it stands.
pub fn parse<T: Part>(text: &str, field: Field) -> Checked<T> {
    let (from, value) = Taker::of_text(text, field);
    taken(from, value)
}

/// A part whose absent members are those of `defaults`, which is JSON text; `None` is an object without members. Objects in it
/// are taken whole.
pub(super) fn with_defaults<T: Part>(defaults: &str, text: Option<&str>, field: Field) -> Checked<T> {
    let given = text.map_or(Ok(Json::Object(vec![])), |text| read(text, field))?;
    part(Some(overlaid(read(defaults, field)?, given)), field)
}

/// The members of `given` over those of `under`; what is no object comes as it is.
pub(super) fn overlaid(mut under: Json, given: Json) -> Json {
    let Json::Object(members) = given else { return given };
    for (name, value) in members {
        under.set(&name, value);
    }
    under
}

/// The value of a JSON text, or the refusal of what holds the first thing that is wrong with it.
pub(super) fn read(text: &str, field: Field) -> Checked<Json> {
    json::read(text).map_err(|error| Refusal::new(field_at(&error.path, field), Reason::Invalid))
}

/// The name of what stands at `path` in `field`: of a subject its part, of a context the entry.
fn field_at(path: &[Step], field: Field) -> Field {
    let step = match path.first() {
        Some(Step::Key(key)) => key.as_ref(),
        _ => "",
    };
    let rest = path.get(1..).unwrap_or_default();
    match (field, step) {
        (Field::Subject, "basis") => Field::Basis,
        (Field::Subject, "request") => Field::Request,
        (Field::Subject, "context") => field_at(rest, Field::Context),
        (Field::Context, "entries") if !rest.is_empty() => Field::ContextEntry,
        (field, _) => field,
    }
}

impl Part for String {
    fn take(from: &mut Taker, value: Option<Json>) -> Self {
        match value {
            Some(Json::Text(text)) => text,
            _ => {
                from.breach();
                Self::new()
            }
        }
    }

    fn write(&self, to: &mut Canonical) {
        to.string(self);
    }
}

impl Part for i64 {
    fn take(from: &mut Taker, value: Option<Json>) -> Self {
        match value.and_then(|value| safe_integer(&value)) {
            Some(number) => number,
            None => {
                from.breach();
                0
            }
        }
    }

    fn write(&self, to: &mut Canonical) {
        to.number(*self);
    }
}

/// The integer that a number is, if JavaScript tells it from its neighbours.
pub(super) fn safe_integer(value: &Json) -> Option<i64> {
    let Json::Number(text) = value else { return None };
    text.parse::<i64>().ok().filter(|number| (-SAFE..=SAFE).contains(number))
}

impl Part for bool {
    fn take(from: &mut Taker, value: Option<Json>) -> Self {
        if let Some(Json::Bool(flag)) = value {
            return flag;
        }
        from.breach();
        false
    }

    fn write(&self, to: &mut Canonical) {
        to.flag(*self);
    }
}

impl<T: Part> Part for Rc<T> {
    fn take(from: &mut Taker, value: Option<Json>) -> Self {
        Self::new(T::take(from, value))
    }

    fn write(&self, to: &mut Canonical) {
        T::write(self, to);
    }
}

impl<T: Part> Part for Vec<T> {
    fn take(from: &mut Taker, value: Option<Json>) -> Self {
        let mut items = vec![];
        from.each(value, T::OWN, &mut |from, item| items.push(T::take(from, Some(item))));
        items
    }

    fn write(&self, to: &mut Canonical) {
        to.open('[');
        for item in self {
            item.write(to);
        }
        to.close(']');
    }
}
