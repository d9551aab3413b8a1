//! Targets over places alone.

use super::super::{Arc, Net, PlaceId, Predicate, Relation, Sum, TransitionId};

/// `predicate` with `fireable` and `deadlock` written as conditions on token counts.
pub(super) fn over_places(net: &Net, predicate: &Predicate) -> Predicate {
    let all = |parts: &[Predicate]| parts.iter().map(|part| over_places(net, part)).collect();
    match predicate {
        Predicate::Constant(_) | Predicate::Compare(_) => predicate.clone(),
        Predicate::Fireable(list) => {
            Predicate::Or(list.iter().map(|transition| enabled(net, *transition)).collect())
        }
        Predicate::Deadlock => {
            let disabled = |transition| Predicate::negated(enabled(net, transition));
            Predicate::And(net.transition_ids().map(disabled).collect())
        }
        Predicate::Not(inner) => Predicate::negated(over_places(net, inner)),
        Predicate::And(parts) => Predicate::And(all(parts)),
        Predicate::Or(parts) => Predicate::Or(all(parts)),
    }
}

/// Weights fit into 64 bits with sign, by the invariant of nets.
fn enabled(net: &Net, transition: TransitionId) -> Predicate {
    let enough = |arc: &Arc| Predicate::place(arc.place, Relation::AtLeast, arc.weight as i64);
    let fewer = |arc: &Arc| Predicate::place(arc.place, Relation::Less, arc.weight as i64);
    let inputs = net.inputs(transition).iter().map(enough);
    Predicate::And(inputs.chain(net.inhibitors(transition).iter().map(fewer)).collect())
}

/// Marks the places that a predicate over places mentions.
pub(super) fn mark_places(predicate: &Predicate, marks: &mut [bool]) {
    match predicate {
        Predicate::Compare(comparison) => {
            comparison.sum.terms().iter().for_each(|(place, _)| marks[place.index()] = true);
        }
        Predicate::Not(inner) => mark_places(inner, marks),
        Predicate::And(parts) | Predicate::Or(parts) => {
            parts.iter().for_each(|part| mark_places(part, marks))
        }
        Predicate::Constant(_) | Predicate::Fireable(_) | Predicate::Deadlock => {}
    }
}

/// What is to be written for a place: another place, if any, and a constant.
#[derive(Clone, Copy)]
pub(super) struct Substitute {
    pub(super) place: PlaceId,
    pub(super) by: Option<PlaceId>,
    pub(super) plus: u64,
}

/// The predicate after the substitution; `None` if a number does not fit.
pub(super) fn substituted(predicate: &Predicate, substitute: Substitute) -> Option<Predicate> {
    let all = |parts: &[Predicate]| {
        parts.iter().map(|part| substituted(part, substitute)).collect::<Option<Vec<_>>>()
    };
    Some(match predicate {
        Predicate::Not(inner) => Predicate::negated(substituted(inner, substitute)?),
        Predicate::And(parts) => Predicate::And(all(parts)?),
        Predicate::Or(parts) => Predicate::Or(all(parts)?),
        Predicate::Compare(comparison) => {
            let terms = comparison.sum.terms();
            let Some((_, factor)) = terms.iter().find(|(place, _)| *place == substitute.place) else {
                return Some(predicate.clone());
            };
            let rest = terms.iter().copied().filter(|(place, _)| *place != substitute.place);
            let sum = Sum::new(rest.chain(substitute.by.map(|by| (by, *factor)))).ok()?;
            let moved = i64::try_from(substitute.plus).ok()?.checked_mul(*factor)?;
            let bound = comparison.bound.checked_sub(moved)?;
            if sum.terms().is_empty() {
                return Some(Predicate::Constant(comparison.relation.holds(0.cmp(&bound))));
            }
            Predicate::Compare(super::super::Comparison { sum, relation: comparison.relation, bound })
        }
        other => other.clone(),
    })
}
