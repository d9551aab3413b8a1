//! Predicates over markings.

use std::cmp::Ordering;
use std::fmt::{self, Write};

use num_bigint::BigInt;

use super::{Marking, Net, PlaceId, TransitionId, quoted};

/// A Boolean combination of statements about one marking.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Predicate {
    /// Always, or never, true.
    Constant(bool),
    /// A linear comparison of token counts.
    Compare(Comparison),
    /// At least one of the transitions is enabled.
    Fireable(Vec<TransitionId>),
    /// No transition is enabled.
    Deadlock,
    /// The opposite.
    Not(Box<Predicate>),
    /// All of them; none: true.
    And(Vec<Predicate>),
    /// At least one of them; none: false.
    Or(Vec<Predicate>),
}

/// `sum relation bound`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Comparison {
    /// The weighted token counts.
    pub sum: Sum,
    /// How they compare.
    pub relation: Relation,
    /// With what.
    pub bound: i64,
}

/// A weighted sum of token counts: places ascending, no coefficient zero or below `-i64::MAX`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Sum {
    terms: Vec<(PlaceId, i64)>,
}

/// How two numbers compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
}

/// A coefficient of a sum does not fit into 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinearError;

impl Predicate {
    /// `tokens(place) relation bound`.
    pub fn place(place: PlaceId, relation: Relation, bound: i64) -> Predicate {
        Predicate::Compare(Comparison { sum: Sum { terms: vec![(place, 1)] }, relation, bound })
    }

    /// The opposite of `predicate`.
    #[must_use]
    pub fn negated(predicate: Predicate) -> Predicate {
        match predicate {
            Predicate::Not(inner) => *inner,
            Predicate::Constant(value) => Predicate::Constant(!value),
            other => Predicate::Not(Box::new(other)),
        }
    }

    /// Whether it is true in `marking`.
    pub fn holds(&self, net: &Net, marking: &Marking) -> bool {
        match self {
            Predicate::Constant(value) => *value,
            Predicate::Compare(comparison) => comparison.holds(marking),
            Predicate::Fireable(list) => list.iter().any(|transition| net.is_enabled(marking, *transition)),
            Predicate::Deadlock => net.is_dead(marking),
            Predicate::Not(inner) => !inner.holds(net, marking),
            Predicate::And(parts) => parts.iter().all(|part| part.holds(net, marking)),
            Predicate::Or(parts) => parts.iter().any(|part| part.holds(net, marking)),
        }
    }

    /// The text of the predicate, in the language of properties.
    pub fn display(&self, net: &Net) -> String {
        let mut text = String::new();
        write_predicate(&mut text, self, net).expect("writing to a string should succeed");
        text
    }
}

impl Relation {
    /// Whether numbers that compare as `ordering` are in this relation.
    pub fn holds(self, ordering: Ordering) -> bool {
        match self {
            Relation::Less => ordering.is_lt(),
            Relation::AtMost => ordering.is_le(),
            Relation::Equal => ordering.is_eq(),
            Relation::NotEqual => ordering.is_ne(),
            Relation::AtLeast => ordering.is_ge(),
            Relation::Greater => ordering.is_gt(),
        }
    }

    /// The relation that holds iff this one does not.
    #[must_use]
    pub fn negated(self) -> Relation {
        match self {
            Relation::Less => Relation::AtLeast,
            Relation::AtMost => Relation::Greater,
            Relation::Equal => Relation::NotEqual,
            Relation::NotEqual => Relation::Equal,
            Relation::AtLeast => Relation::Less,
            Relation::Greater => Relation::AtMost,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Relation::Less => "<",
            Relation::AtMost => "<=",
            Relation::Equal => "=",
            Relation::NotEqual => "!=",
            Relation::AtLeast => ">=",
            Relation::Greater => ">",
        }
    }
}

impl Comparison {
    /// Whether it is true in `marking`.
    pub fn holds(&self, marking: &Marking) -> bool {
        self.relation.holds(self.sum.compare(marking, self.bound))
    }
}

impl Sum {
    /// The sum of `terms`, in any order and with repetitions.
    pub fn new(terms: impl IntoIterator<Item = (PlaceId, i64)>) -> Result<Sum, LinearError> {
        let mut all: Vec<(PlaceId, i128)> =
            terms.into_iter().map(|(place, factor)| (place, i128::from(factor))).collect();
        all.sort_by_key(|(place, _)| *place);
        all.dedup_by(|later, earlier| {
            let is_same = later.0 == earlier.0;
            if is_same {
                earlier.1 += later.1;
            }
            is_same
        });
        let fit = |(place, factor): (PlaceId, i128)| match i64::try_from(factor) {
            Ok(i64::MIN) | Err(_) => Err(LinearError),
            Ok(factor) => Ok((place, factor)),
        };
        let terms: Result<Vec<_>, _> = all.into_iter().filter(|(_, factor)| *factor != 0).map(fit).collect();
        Ok(Sum { terms: terms? })
    }

    /// The terms, places ascending.
    pub fn terms(&self) -> &[(PlaceId, i64)] {
        &self.terms
    }

    /// How the value of the sum in `marking` compares with `bound`. Exact whatever the size of the numbers.
    pub fn compare(&self, marking: &Marking, bound: i64) -> Ordering {
        // Most comparisons are about one place.
        if let [(place, 1)] = self.terms.as_slice() {
            return i128::from(marking[*place]).cmp(&i128::from(bound));
        }
        let add = |sum: i128, (place, factor): &(PlaceId, i64)| {
            sum.checked_add(i128::from(*factor).checked_mul(i128::from(marking[*place]))?)
        };
        match self.terms.iter().try_fold(0i128, add) {
            Some(value) => value.cmp(&i128::from(bound)),
            None => self.big_value(marking).cmp(&BigInt::from(bound)),
        }
    }

    fn big_value(&self, marking: &Marking) -> BigInt {
        self.terms.iter().map(|(place, factor)| BigInt::from(*factor) * BigInt::from(marking[*place])).sum()
    }
}

fn write_predicate(text: &mut String, predicate: &Predicate, net: &Net) -> fmt::Result {
    match predicate {
        Predicate::Constant(value) => write!(text, "{value}"),
        Predicate::Deadlock => write!(text, "deadlock"),
        Predicate::Compare(comparison) => write_comparison(text, comparison, net),
        Predicate::Fireable(list) if list.is_empty() => write!(text, "false"),
        Predicate::Fireable(list) => {
            let names: Vec<_> = list.iter().map(|id| quoted(&net.transitions()[*id].name)).collect();
            write!(text, "fireable({})", names.join(", "))
        }
        Predicate::Not(inner) => {
            write!(text, "not (")?;
            write_predicate(text, inner, net)?;
            write!(text, ")")
        }
        Predicate::And(parts) => write_parts(text, parts, (" and ", "true"), net),
        Predicate::Or(parts) => write_parts(text, parts, (" or ", "false"), net),
    }
}

fn write_parts(
    text: &mut String,
    parts: &[Predicate],
    (between, none): (&str, &str),
    net: &Net,
) -> fmt::Result {
    if parts.is_empty() {
        return write!(text, "{none}");
    }
    for (index, part) in parts.iter().enumerate() {
        text.write_str(if index > 0 { between } else { "" })?;
        write!(text, "(")?;
        write_predicate(text, part, net)?;
        write!(text, ")")?;
    }
    Ok(())
}

fn write_comparison(text: &mut String, comparison: &Comparison, net: &Net) -> fmt::Result {
    if comparison.sum.terms.is_empty() {
        write!(text, "0")?;
    }
    for (index, (place, factor)) in comparison.sum.terms.iter().enumerate() {
        let sign = match (index, *factor < 0) {
            (0, false) => "",
            (0, true) => "-",
            (_, false) => " + ",
            (_, true) => " - ",
        };
        let name = quoted(&net.places()[*place].name);
        match factor.unsigned_abs() {
            1 => write!(text, "{sign}{name}")?,
            size => write!(text, "{sign}{size} * {name}")?,
        }
    }
    write!(text, " {} {}", comparison.relation.sign(), comparison.bound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::petri::NetBuilder;

    #[test]
    fn sums_are_merged_and_checked() {
        let place = |index: usize| PlaceId::from(index);
        let sum = Sum::new([(place(1), 2), (place(0), 1), (place(1), -2)]).unwrap();
        assert_eq!(sum.terms(), [(place(0), 1)]);
        assert_eq!(Sum::new([(place(0), i64::MAX), (place(0), 1)]), Err(LinearError));
    }

    #[test]
    fn comparisons_are_exact_beyond_128_bits() {
        let mut builder = NetBuilder::new("n");
        let places: Vec<PlaceId> = (0..4).map(|index| builder.place(format!("p{index}"), 0)).collect();
        let net = builder.build().unwrap();
        let mut marking = net.initial_marking();
        places.iter().for_each(|place| marking.set(*place, u64::MAX));
        let sum = Sum::new(places.iter().map(|place| (*place, i64::MAX))).unwrap();
        assert_eq!(sum.compare(&marking, i64::MAX), Ordering::Greater);
        let sum = Sum::new(places.iter().map(|place| (*place, -i64::MAX))).unwrap();
        assert_eq!(sum.compare(&marking, i64::MIN), Ordering::Less);
    }

    #[test]
    fn predicates_are_evaluated_and_written() {
        let mut builder = NetBuilder::new("n");
        let (p, q) = (builder.place("p", 2), builder.place("1 q", 0));
        let t = builder.transition("t");
        builder.input(t, p, 3);
        let net = builder.build().unwrap();
        let sum = Sum::new([(p, 1), (q, -3)]).unwrap();
        let compare = Predicate::Compare(Comparison { sum, relation: Relation::AtLeast, bound: 2 });
        let all = Predicate::And(vec![
            compare,
            Predicate::Deadlock,
            Predicate::negated(Predicate::Fireable(vec![t])),
            Predicate::Or(vec![]),
        ]);
        assert_eq!(
            all.display(&net),
            "(p - 3 * \"1 q\" >= 2) and (deadlock) and (not (fireable(t))) and (false)"
        );
        let Predicate::And(parts) = &all else { panic!("a conjunction was built") };
        let holds: Vec<bool> = parts.iter().map(|part| part.holds(&net, &net.initial_marking())).collect();
        assert_eq!(holds, [true, true, true, false]);
    }
}
