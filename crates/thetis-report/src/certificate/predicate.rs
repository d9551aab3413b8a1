//! Predicates over markings as JSON: places and transitions go by name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use thetis_model::petri::{Comparison, Net, Predicate, Relation, Sum};

use super::net::{Reader, Writer};
use super::{CertificateError, error};

/// A predicate.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum PredicateText {
    /// Always, or never, true.
    Constant(bool),
    /// A weighted sum of token counts compared with a number.
    Compare {
        /// The factors of the places.
        sum: BTreeMap<String, i64>,
        /// How it compares.
        relation: RelationText,
        /// With what.
        bound: i64,
    },
    /// One of the transitions is enabled.
    Fireable(Vec<String>),
    /// No transition is enabled.
    Deadlock,
    /// The opposite.
    Not(Box<PredicateText>),
    /// All of them.
    All(Vec<PredicateText>),
    /// At least one of them.
    Any(Vec<PredicateText>),
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum RelationText {
    /// Less.
    #[serde(rename = "<")]
    Less,
    /// Less or equal.
    #[serde(rename = "<=")]
    AtMost,
    /// Equal.
    #[serde(rename = "=")]
    Equal,
    /// Not equal.
    #[serde(rename = "!=")]
    NotEqual,
    /// Greater or equal.
    #[serde(rename = ">=")]
    AtLeast,
    /// Greater.
    #[serde(rename = ">")]
    Greater,
}

pub(super) fn write(net: &Net, predicate: &Predicate) -> PredicateText {
    let writer = Writer(net);
    let each = |parts: &[Predicate]| parts.iter().map(|part| write(net, part)).collect();
    match predicate {
        Predicate::Constant(value) => PredicateText::Constant(*value),
        Predicate::Compare(Comparison { sum, relation, bound }) => PredicateText::Compare {
            sum: sum.terms().iter().map(|(place, factor)| (writer.place(*place), *factor)).collect(),
            relation: RelationText::from(*relation),
            bound: *bound,
        },
        Predicate::Fireable(list) => {
            PredicateText::Fireable(list.iter().map(|transition| writer.transition(*transition)).collect())
        }
        Predicate::Deadlock => PredicateText::Deadlock,
        Predicate::Not(inner) => PredicateText::Not(Box::new(write(net, inner))),
        Predicate::And(parts) => PredicateText::All(each(parts)),
        Predicate::Or(parts) => PredicateText::Any(each(parts)),
    }
}

/// Recursion is as deep as the text; the JSON parser has rejected texts that are nested too deeply.
pub(super) fn read(reader: &Reader<'_>, text: &PredicateText) -> Result<Predicate, CertificateError> {
    let each = |parts: &[PredicateText]| -> Result<Vec<Predicate>, CertificateError> {
        parts.iter().map(|part| read(reader, part)).collect()
    };
    Ok(match text {
        PredicateText::Constant(value) => Predicate::Constant(*value),
        PredicateText::Compare { sum, relation, bound } => {
            let terms = sum.iter().map(|(name, factor)| Ok((reader.place(name)?, *factor)));
            let terms: Vec<_> = terms.collect::<Result<_, CertificateError>>()?;
            let Ok(sum) = Sum::new(terms) else {
                return error("a factor of a predicate is too large");
            };
            Predicate::Compare(Comparison { sum, relation: Relation::from(*relation), bound: *bound })
        }
        PredicateText::Fireable(names) => {
            let list = names.iter().map(|name| reader.transition(name)).collect::<Result<_, _>>()?;
            Predicate::Fireable(list)
        }
        PredicateText::Deadlock => Predicate::Deadlock,
        PredicateText::Not(inner) => Predicate::Not(Box::new(read(reader, inner)?)),
        PredicateText::All(parts) => Predicate::And(each(parts)?),
        PredicateText::Any(parts) => Predicate::Or(each(parts)?),
    })
}

impl From<Relation> for RelationText {
    fn from(relation: Relation) -> RelationText {
        match relation {
            Relation::Less => RelationText::Less,
            Relation::AtMost => RelationText::AtMost,
            Relation::Equal => RelationText::Equal,
            Relation::NotEqual => RelationText::NotEqual,
            Relation::AtLeast => RelationText::AtLeast,
            Relation::Greater => RelationText::Greater,
        }
    }
}

impl From<RelationText> for Relation {
    fn from(relation: RelationText) -> Relation {
        match relation {
            RelationText::Less => Relation::Less,
            RelationText::AtMost => Relation::AtMost,
            RelationText::Equal => Relation::Equal,
            RelationText::NotEqual => Relation::NotEqual,
            RelationText::AtLeast => Relation::AtLeast,
            RelationText::Greater => Relation::Greater,
        }
    }
}

#[cfg(test)]
mod tests {
    use thetis_model::petri::NetBuilder;

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut builder = NetBuilder::new("n");
        let (p, q) = (builder.place("p", 1), builder.place("a b", 0));
        let t = builder.transition("t");
        builder.input(t, p, 1);
        let net = builder.build().expect("the net should be right");
        let relations = [
            Relation::Less,
            Relation::AtMost,
            Relation::Equal,
            Relation::NotEqual,
            Relation::AtLeast,
            Relation::Greater,
        ];
        let sum = || Sum::new([(p, 2), (q, -3)]).expect("the sum is small");
        let compare = |relation| Predicate::Compare(Comparison { sum: sum(), relation, bound: -1 });
        let predicate = Predicate::And(vec![
            Predicate::Or(relations.map(compare).to_vec()),
            Predicate::negated(Predicate::Deadlock),
            Predicate::Fireable(vec![t]),
            Predicate::Constant(true),
        ]);
        let text = serde_json::to_string(&write(&net, &predicate)).expect("the predicate has a text");
        let again: PredicateText = serde_json::from_str(&text).expect("the text should be read");
        assert_eq!(read(&Reader::new(&net), &again).ok(), Some(predicate));
        let wrong = text.replace("a b", "nowhere");
        let wrong: PredicateText = serde_json::from_str(&wrong).expect("the text should be read");
        assert!(read(&Reader::new(&net), &wrong).is_err());
    }
}
