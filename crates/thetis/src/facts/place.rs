//! Finds a location of one version of a program in another version.
//!
//! Location names are numbers that change with every edit, and so do lines. Most edits preserve the function, the text
//! of the statement, and its order among equal statements. A loop that is not found by its text may be any loop of its
//! function: facts are candidates, so trying one at too many locations only costs a few queries. For the same reason an
//! added loop gets the facts of all loops of its function: without them, the facts of the other loops would no longer
//! be inductive.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use thetis_base::{Fact, SourceMap, Span};
use thetis_c::lower::{Lowered, Point, PointKind};

use super::file::{FactKind, KeptFact};

/// The places of a program text, by the names of their locations in the automaton.
pub(crate) type Places = BTreeMap<String, Place>;

/// A place of the source in a copy of a function.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(crate) struct Place {
    /// The call stack from `main` on, with numbers where a function calls another one repeatedly.
    function: String,
    kind: PlaceKind,
    /// The beginning of the statement.
    text: String,
    /// Its number among the statements of the function that begin with this text, from 1.
    occurrence: u32,
    /// The line, for people.
    line: u32,
}

/// What is at a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum PlaceKind {
    /// The condition of a loop is about to be evaluated.
    Loop,
    /// A statement begins.
    Statement,
}

impl From<PointKind> for PlaceKind {
    fn from(kind: PointKind) -> PlaceKind {
        match kind {
            PointKind::LoopHead => PlaceKind::Loop,
            PointKind::Start => PlaceKind::Statement,
        }
    }
}

impl Place {
    /// A place for tests.
    #[cfg(test)]
    pub(super) fn example(function: &str, text: &str) -> Place {
        let (function, text) = (function.to_owned(), text.to_owned());
        Place { function, kind: PlaceKind::Loop, text, occurrence: 1, line: 7 }
    }

    fn is_in_function_of(&self, other: &Place) -> bool {
        self.function == other.function && self.kind == other.kind
    }

    fn begins_like(&self, other: &Place) -> bool {
        self.is_in_function_of(other) && self.text == other.text
    }
}

/// The places of a program. Where a location is the head of a loop, that is its place; otherwise it is the innermost
/// statement that begins there.
pub(crate) fn places(lowered: &Lowered, sources: &SourceMap) -> Places {
    let mut points: Vec<&Point> = lowered.origin.points.iter().collect();
    points.sort_by_key(|point| (point.frame, point.span.start));
    let mut counts: BTreeMap<(String, PlaceKind, String), BTreeSet<u32>> = BTreeMap::new();
    let mut places = Places::new();
    for point in points {
        let (kind, text) = (PlaceKind::from(point.kind), beginning(sources.text(point.span)));
        let function = lowered.origin.frames[point.frame].path.clone();
        let seen = counts.entry((function.clone(), kind, text.clone())).or_default();
        seen.insert(point.span.start);
        let occurrence = seen.len() as u32;
        let line = line(sources, point.span);
        let place = Place { function, kind, text, occurrence, line };
        let name = lowered.task.model.locations[point.location].name.clone();
        let is_loop = places.get(&name).is_some_and(|known| known.kind == PlaceKind::Loop);
        if kind == PlaceKind::Loop || !is_loop {
            places.insert(name, place);
        }
    }
    places
}

fn line(sources: &SourceMap, span: Span) -> u32 {
    sources.start(span).line
}

/// A statement without its body, in which spaces do not matter.
fn beginning(text: &str) -> String {
    const MAX_CHARS: usize = 120;
    let head = text.split('{').next().unwrap_or_default();
    let words: Vec<&str> = head.split_whitespace().collect();
    words.join(" ").chars().take(MAX_CHARS).collect()
}

/// The facts at the locations of their places in `places`. Facts without a place are matched by location name.
pub(super) fn put(kept: &[KeptFact], places: &Places) -> Vec<Fact> {
    let mut facts = BTreeSet::new();
    let new_loops = new_loops(kept, places);
    for fact in kept {
        let locations = match (&fact.place, &fact.location) {
            (Some(place), _) => {
                let added = new_loops.iter().filter(|(_, added)| added.is_in_function_of(place));
                found(place, places).into_iter().chain(added.map(|(name, _)| (*name).clone())).collect()
            }
            (None, Some(location)) => vec![location.clone()],
            (None, None) => {
                facts.extend((fact.kind == FactKind::Predicate).then(|| fact.at(None)));
                Vec::new()
            }
        };
        facts.extend(locations.into_iter().map(|location| fact.at(Some(location))));
    }
    facts.into_iter().collect()
}

/// The loops that no fact is about.
fn new_loops<'a>(kept: &[KeptFact], places: &'a Places) -> Vec<(&'a String, &'a Place)> {
    let is_known = |place: &Place| {
        let places = kept.iter().filter_map(|fact| fact.place.as_ref());
        places.into_iter().any(|known| place.begins_like(known))
    };
    places.iter().filter(|(_, place)| place.kind == PlaceKind::Loop && !is_known(place)).collect()
}

/// The candidate locations for `wanted`: those with the same text and order, else the same text, else all loops of the
/// function.
fn found(wanted: &Place, places: &Places) -> Vec<String> {
    let those = |fits: &dyn Fn(&Place) -> bool| -> Vec<String> {
        places.iter().filter(|(_, place)| fits(place)).map(|(name, _)| name.clone()).collect()
    };
    let exact = those(&|place| place.begins_like(wanted) && place.occurrence == wanted.occurrence);
    if !exact.is_empty() {
        return exact;
    }
    let alike = those(&|place| place.begins_like(wanted));
    if !alike.is_empty() || wanted.kind == PlaceKind::Statement {
        return alike;
    }
    those(&|place| place.is_in_function_of(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(texts: &[(&str, &str, &str, u32)]) -> Places {
        let place = |(name, function, text, occurrence): &(&str, &str, &str, u32)| {
            ((*name).to_owned(), Place { occurrence: *occurrence, ..Place::example(function, text) })
        };
        texts.iter().map(place).collect()
    }

    #[test]
    fn loops_are_found_by_text_then_by_function() {
        let places = places(&[
            ("L1", "main", "while (x)", 1),
            ("L2", "main", "while (x)", 2),
            ("L3", "main", "for (;;)", 1),
            ("L4", "main.f", "while (x)", 1),
        ]);
        let look = |function: &str, text: &str, occurrence| {
            found(&Place { occurrence, ..Place::example(function, text) }, &places)
        };
        assert_eq!(look("main", "while (x)", 2), ["L2"]);
        assert_eq!(look("main", "while (x)", 3), ["L1", "L2"]);
        assert_eq!(look("main", "do", 1), ["L1", "L2", "L3"]);
        assert_eq!(look("main.f", "while (y)", 1), ["L4"]);
        assert!(look("main.g", "while (x)", 1).is_empty());
    }

    #[test]
    fn new_loops_get_the_facts_of_their_functions() {
        let places = places(&[
            ("L1", "main", "while (x)", 1),
            ("L2", "main", "for (;;)", 1),
            ("L3", "main.f", "do", 1),
        ]);
        let place = Some(Place::example("main", "while (x)"));
        let kept = KeptFact { kind: FactKind::Invariant, formula: "b".into(), location: None, place };
        let at = |location: &str| Fact::Invariant { location: location.into(), formula: "b".into() };
        assert_eq!(put(&[kept], &places), [at("L1"), at("L2")]);
    }

    #[test]
    fn statements_are_found_by_text_only() {
        let mut places = places(&[("L1", "main", "x = 1;", 1), ("L2", "main", "y = 1;", 1)]);
        places.values_mut().for_each(|place| place.kind = PlaceKind::Statement);
        let wanted = |text: &str| Place { kind: PlaceKind::Statement, ..Place::example("main", text) };
        assert_eq!(found(&wanted("y = 1;"), &places), ["L2"]);
        assert!(found(&wanted("z = 1;"), &places).is_empty());
    }

    #[test]
    fn facts_without_places_keep_their_locations() {
        let fact = |kind, location: Option<&str>| KeptFact {
            kind,
            formula: "b".into(),
            location: location.map(str::to_owned),
            place: None,
        };
        let kept = [
            fact(FactKind::Invariant, Some("A")),
            fact(FactKind::Invariant, None),
            fact(FactKind::Predicate, None),
        ];
        let expected = [
            Fact::Invariant { location: "A".into(), formula: "b".into() },
            Fact::Predicate { location: None, formula: "b".into() },
        ];
        assert_eq!(put(&kept, &Places::new()), expected);
    }

    #[test]
    fn statements_begin_before_their_bodies() {
        assert_eq!(beginning("while (x\n   < 3) {\n x++; }"), "while (x < 3)");
        assert_eq!(beginning("x = 1;"), "x = 1;");
        assert_eq!(beginning(""), "");
    }
}
