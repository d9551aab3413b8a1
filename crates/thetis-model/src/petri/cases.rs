//! A predicate as cases of linear constraints.
//!
//! Engines that know only conjunctions of linear constraints need the disjunctive normal form of a target, and that
//! can be exponentially large: `deadlock` alone has as many disjuncts as the product of the arcs into each transition. A
//! [`Case`] is therefore only *partly* expanded: constraints that must all hold, and choices that are still open. It
//! can be refuted early, for all its disjuncts at once, or [split](Case::split) at one of its choices. Splitting is
//! deterministic, so a proof can follow it.
//!
//! Constraints over sums of token counts are simplified using only the fact that counts are not negative.

use std::sync::Arc as Shared;

use super::{Arc, Comparison, Net, PlaceId, Predicate, Relation, Sum, TransitionId};

/// Constraints that hold together, and choices that are still open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    constraints: Vec<Constraint>,
    choices: Vec<Shared<[Formula]>>,
}

/// A linear constraint on markings: `sum >= bound`, or `sum = bound`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Constraint {
    /// The weighted token counts.
    pub terms: Vec<(PlaceId, i64)>,
    /// At least, or equal?
    pub kind: ConstraintKind,
    /// The right-hand side.
    pub bound: i128,
}

/// The relation of a [`Constraint`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ConstraintKind {
    /// `>=`
    AtLeast,
    /// `=`
    Equal,
}

/// The disjunctive normal form is larger than allowed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooManyCases;

/// Negation normal form over constraints.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Formula {
    Constraint(Constraint),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Case {
    /// `predicate` before any choice. A case that cannot hold has the constraint `0 >= 1`.
    pub fn new(net: &Net, predicate: &Predicate) -> Case {
        let mut case = Case { constraints: Vec::new(), choices: Vec::new() };
        case.add(&formula(net, predicate, true));
        case
    }

    /// What must hold.
    pub fn constraints(&self) -> &[Constraint] {
        &self.constraints
    }

    /// How many alternatives each open choice has; two at least.
    pub fn choices(&self) -> impl ExactSizeIterator<Item = usize> {
        self.choices.iter().map(|alternatives| alternatives.len())
    }

    /// The case of each alternative of the given choice; together they are equivalent to this case. The constraints of
    /// this case come first in each. `None` if there is no such choice.
    pub fn split(&self, choice: usize) -> Option<Vec<Case>> {
        let alternatives = self.choices.get(choice)?;
        let with = |alternative: &Formula| {
            let mut case = self.clone();
            case.choices.remove(choice);
            case.add(alternative);
            case
        };
        Some(alternatives.iter().map(with).collect())
    }

    /// All disjuncts, in the order that results from always splitting the first choice; contradictory ones
    /// are left out.
    pub fn disjuncts(self, limit: usize) -> Result<Vec<Vec<Constraint>>, TooManyCases> {
        let mut disjuncts = Vec::new();
        let mut pending = vec![self];
        while let Some(case) = pending.pop() {
            if case.is_contradictory() {
                continue;
            }
            match case.split(0) {
                Some(parts) => pending.extend(parts.into_iter().rev()),
                None => disjuncts.push(case.constraints),
            }
            if disjuncts.len() + pending.len() > limit {
                return Err(TooManyCases);
            }
        }
        Ok(disjuncts)
    }

    /// Whether one of the constraints is `0 >= 1`.
    pub fn is_contradictory(&self) -> bool {
        self.constraints.iter().any(Constraint::is_contradiction)
    }

    fn add(&mut self, formula: &Formula) {
        match formula {
            Formula::Constraint(constraint) if self.constraints.contains(constraint) => {}
            Formula::Constraint(constraint) => self.constraints.push(constraint.clone()),
            Formula::And(parts) => parts.iter().for_each(|part| self.add(part)),
            Formula::Or(parts) => match parts.as_slice() {
                [] => self.constraints.push(Constraint::contradiction()),
                [only] => self.add(only),
                _ => self.choices.push(parts.clone().into()),
            },
        }
    }
}

impl Constraint {
    /// `0 >= 1`.
    fn contradiction() -> Constraint {
        Constraint { terms: Vec::new(), kind: ConstraintKind::AtLeast, bound: 1 }
    }

    fn is_contradiction(&self) -> bool {
        self.terms.is_empty() && self.bound > 0
    }

    /// Whether it holds in all markings or in none, as far as the signs of its coefficients show.
    fn decide(&self) -> Option<bool> {
        let (grows, falls) =
            (self.terms.iter().any(|term| term.1 > 0), self.terms.iter().any(|term| term.1 < 0));
        match self.kind {
            ConstraintKind::AtLeast if !falls && self.bound <= 0 => Some(true),
            ConstraintKind::AtLeast if !grows && self.bound > 0 => Some(false),
            ConstraintKind::Equal if !grows && !falls => Some(self.bound == 0),
            ConstraintKind::Equal if !grows && self.bound > 0 || !falls && self.bound < 0 => Some(false),
            _ => None,
        }
    }
}

impl Formula {
    fn constant(value: bool) -> Formula {
        if value { Formula::And(Vec::new()) } else { Formula::Or(Vec::new()) }
    }

    fn constraint(terms: Vec<(PlaceId, i64)>, kind: ConstraintKind, bound: i128) -> Formula {
        let constraint = Constraint { terms, kind, bound };
        match constraint.decide() {
            Some(value) => Formula::constant(value),
            None => Formula::Constraint(constraint),
        }
    }

    fn at_least(sum: &Sum, bound: i128) -> Formula {
        Formula::constraint(sum.terms().to_vec(), ConstraintKind::AtLeast, bound)
    }

    fn at_most(sum: &Sum, bound: i128) -> Formula {
        let terms = sum.terms().iter().map(|(place, factor)| (*place, -factor)).collect();
        Formula::constraint(terms, ConstraintKind::AtLeast, -bound)
    }

    fn is_constant(&self, value: bool) -> bool {
        match self {
            Formula::And(parts) => value && parts.is_empty(),
            Formula::Or(parts) => !value && parts.is_empty(),
            Formula::Constraint(_) => false,
        }
    }

    fn all(parts: impl Iterator<Item = Formula>) -> Formula {
        let parts: Vec<Formula> = parts.filter(|part| !part.is_constant(true)).collect();
        let is_false = parts.iter().any(|part| part.is_constant(false));
        if is_false { Formula::constant(false) } else { Formula::And(parts) }
    }

    fn any(parts: impl Iterator<Item = Formula>) -> Formula {
        let mut flat = Vec::new();
        for part in parts {
            match part {
                Formula::Or(inner) => flat.extend(inner),
                other if other.is_constant(true) => return other,
                other => flat.push(other),
            }
        }
        Formula::Or(flat)
    }
}

/// `predicate` (or its negation, if not `positive`) with negations pushed into the constraints.
fn formula(net: &Net, predicate: &Predicate, positive: bool) -> Formula {
    match predicate {
        Predicate::Constant(value) => Formula::constant(*value == positive),
        Predicate::Compare(comparison) => compare(comparison, positive),
        Predicate::Fireable(list) => fireable(net, list.iter().copied(), positive),
        Predicate::Deadlock => fireable(net, net.transition_ids(), !positive),
        Predicate::Not(inner) => formula(net, inner, !positive),
        Predicate::And(parts) | Predicate::Or(parts) => {
            let formulas = parts.iter().map(|part| formula(net, part, positive));
            let is_and = matches!(predicate, Predicate::And(_));
            if is_and == positive { Formula::all(formulas) } else { Formula::any(formulas) }
        }
    }
}

fn compare(comparison: &Comparison, positive: bool) -> Formula {
    let (sum, bound) = (&comparison.sum, i128::from(comparison.bound));
    match if positive { comparison.relation } else { comparison.relation.negated() } {
        Relation::Less => Formula::at_most(sum, bound - 1),
        Relation::AtMost => Formula::at_most(sum, bound),
        Relation::Equal => Formula::constraint(sum.terms().to_vec(), ConstraintKind::Equal, bound),
        Relation::AtLeast => Formula::at_least(sum, bound),
        Relation::Greater => Formula::at_least(sum, bound + 1),
        Relation::NotEqual => {
            let parts = [Formula::at_most(sum, bound - 1), Formula::at_least(sum, bound + 1)];
            Formula::any(parts.into_iter())
        }
    }
}

/// That some of the transitions is enabled, or that none is.
fn fireable(net: &Net, list: impl Iterator<Item = TransitionId>, positive: bool) -> Formula {
    let enough =
        |arc: &Arc| Formula::constraint(vec![(arc.place, 1)], ConstraintKind::AtLeast, arc.weight.into());
    let fewer = |arc: &Arc| {
        Formula::constraint(vec![(arc.place, -1)], ConstraintKind::AtLeast, 1 - i128::from(arc.weight))
    };
    if positive {
        let enabled = |transition| {
            let inputs = net.inputs(transition).iter().map(enough);
            Formula::all(inputs.chain(net.inhibitors(transition).iter().map(fewer)))
        };
        Formula::any(list.map(enabled))
    } else {
        let disabled = |transition| {
            let inputs = net.inputs(transition).iter().map(fewer);
            Formula::any(inputs.chain(net.inhibitors(transition).iter().map(enough)))
        };
        Formula::all(list.map(disabled))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::petri::NetBuilder;

    fn net() -> Net {
        let mut builder = NetBuilder::new("n");
        let (p, q) = (builder.place("p", 0), builder.place("q", 0));
        let (t, u) = (builder.transition("t"), builder.transition("u"));
        builder.input(t, p, 2);
        builder.input(t, q, 1);
        builder.input(u, q, 1);
        builder.inhibitor(u, p, 3);
        builder.build().unwrap()
    }

    fn holds(constraints: &[Constraint], tokens: &[u64]) -> bool {
        constraints.iter().all(|constraint| {
            let value: i128 = constraint
                .terms
                .iter()
                .map(|term| i128::from(term.1) * i128::from(tokens[term.0.index()]))
                .sum();
            match constraint.kind {
                ConstraintKind::AtLeast => value >= constraint.bound,
                ConstraintKind::Equal => value == constraint.bound,
            }
        })
    }

    fn check(predicate: &Predicate, num_disjuncts: usize) {
        let net = net();
        let disjuncts = Case::new(&net, predicate).disjuncts(100).unwrap();
        assert_eq!(disjuncts.len(), num_disjuncts, "{}", predicate.display(&net));
        for (p, q) in (0..5).flat_map(|p| (0..5).map(move |q| (p, q))) {
            let marking = super::super::Marking::new(vec![p, q]);
            let expected = predicate.holds(&net, &marking);
            let found = disjuncts.iter().any(|disjunct| holds(disjunct, marking.tokens()));
            assert_eq!(found, expected, "{} at {p}, {q}", predicate.display(&net));
        }
    }

    #[test]
    fn the_disjuncts_are_equivalent_to_the_predicate() {
        let (p, q) = (PlaceId::from(0usize), PlaceId::from(1usize));
        let (t, u) = (TransitionId::from(0usize), TransitionId::from(1usize));
        let not = Predicate::negated;
        check(&Predicate::Constant(true), 1);
        check(&Predicate::Constant(false), 0);
        check(&Predicate::Deadlock, 4);
        check(&not(Predicate::Deadlock), 2);
        check(&Predicate::Fireable(vec![t]), 1);
        check(&not(Predicate::Fireable(vec![t])), 2);
        check(&not(Predicate::Fireable(vec![u])), 2);
        let sum = Sum::new([(p, 2), (q, -3)]).unwrap();
        for relation in
            [Relation::Less, Relation::AtMost, Relation::Equal, Relation::AtLeast, Relation::Greater]
        {
            for bound in [-2, 0, 1] {
                let compare = Predicate::Compare(Comparison { sum: sum.clone(), relation, bound });
                check(&compare, 1);
                check(&not(compare), if relation == Relation::Equal { 2 } else { 1 });
            }
        }
        check(&Predicate::place(p, Relation::AtLeast, 0), 1);
        check(&Predicate::place(p, Relation::Less, 0), 0);
        check(&Predicate::place(p, Relation::NotEqual, 0), 1);
        let either = |place| {
            Predicate::Or(vec![
                Predicate::place(place, Relation::Equal, 1),
                Predicate::place(place, Relation::Equal, 2),
            ])
        };
        check(&Predicate::And(vec![either(p), either(q)]), 4);
        check(&not(Predicate::And(vec![either(p), either(q)])), 8);
    }

    #[test]
    fn the_size_is_limited() {
        let net = net();
        assert_eq!(Case::new(&net, &Predicate::Deadlock).disjuncts(2), Err(TooManyCases));
    }

    #[test]
    fn a_split_keeps_the_constraints_in_front() {
        let net = net();
        let p = PlaceId::from(0usize);
        let target = Predicate::And(vec![Predicate::Deadlock, Predicate::place(p, Relation::AtLeast, 1)]);
        let case = Case::new(&net, &target);
        assert_eq!(case.choices().collect::<Vec<_>>(), [2, 2]);
        for part in case.split(1).unwrap() {
            assert_eq!(part.constraints()[0], case.constraints()[0]);
            assert_eq!(part.choices().len(), 1);
        }
        assert_eq!(case.split(2), None);
    }
}
