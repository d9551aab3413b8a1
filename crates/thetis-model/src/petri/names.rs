//! Names of places and transitions, and how to write them.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::{Net, PlaceId, TransitionId};

/// Finds places and transitions by name.
#[derive(Clone, Debug)]
pub struct NetNames<'n> {
    places: FxHashMap<&'n str, PlaceId>,
    transitions: FxHashMap<&'n str, TransitionId>,
}

impl<'n> NetNames<'n> {
    /// The names of `net`.
    pub fn new(net: &'n Net) -> NetNames<'n> {
        let places = net.places().iter_enumerated().map(|(id, place)| (place.name.as_str(), id)).collect();
        let transitions =
            net.transitions().iter_enumerated().map(|(id, one)| (one.name.as_str(), id)).collect();
        NetNames { places, transitions }
    }

    /// The place called `name`.
    pub fn place(&self, name: &str) -> Option<PlaceId> {
        self.places.get(name).copied()
    }

    /// The transition called `name`.
    pub fn transition(&self, name: &str) -> Option<TransitionId> {
        self.transitions.get(name).copied()
    }
}

/// The keywords of property expressions and net files, which must not be confused with names.
const WORDS: [&str; 19] = [
    "and",
    "or",
    "not",
    "true",
    "false",
    "deadlock",
    "fireable",
    "EF",
    "explore",
    "AG",
    "CTL",
    "net",
    "place",
    "transition",
    "in",
    "out",
    "inhibit",
    "target",
    "label",
];

/// A name as it stands in a property expression: in double quotes unless it is a plain identifier.
pub fn quoted(name: &str) -> Cow<'_, str> {
    let mut chars = name.chars();
    let starts_well = chars.next().is_some_and(|first| first.is_ascii_alphabetic() || first == '_');
    if starts_well && chars.all(|c| c.is_ascii_alphanumeric() || c == '_') && !WORDS.contains(&name) {
        return Cow::Borrowed(name);
    }
    Cow::Owned(format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_identifiers_stand_bare() {
        let check = |name: &str, expected: &str| assert_eq!(quoted(name), expected);
        check("p_1", "p_1");
        check("1p", "\"1p\"");
        check("and", "\"and\"");
        check("a-b", "\"a-b\"");
        check("", "\"\"");
        check("a\"\\", "\"a\\\"\\\\\"");
    }
}
