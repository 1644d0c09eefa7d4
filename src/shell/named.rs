//! Closed words of a reading: each is an enum with one spelling. They are found by their place and never read from a text,
//! which is all that parts them from those of `vocabulary`.

/// Declares such an enum: `ALL` in order, `as_str`, `index`.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $name:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $type {
            $($(#[$variant_doc])* $name,)*
        }

        impl $type {
            /// Every value.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// The text that stands for it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$name => $text,)*
                }
            }

            /// Its place in [`Self::ALL`].
            pub const fn index(self) -> usize {
                self as usize
            }
        }
    };
}

pub(super) use named;
