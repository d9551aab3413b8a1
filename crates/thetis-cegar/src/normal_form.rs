//! The conjunctive normal form of a formula, if it is small.
//!
//! Hajdu and Micskei (2019) split predicates without normalising them and name the normal form as a direction to try. An
//! equisatisfiable form would introduce auxiliary variables, which mean nothing in an abstract state, so this form is
//! equivalent: disjunctions are distributed over conjunctions. That may take exponential space, so it is given up at a
//! limit.

use thetis_expr::{ExprId, Op, Sort, Store};

/// The greatest number of clauses.
const MAX_CLAUSES: usize = 64;

/// A clause that is being made: literals, and what is still to be taken apart (with `false`: its negation).
#[derive(Clone, Default)]
struct Draft {
    literals: Vec<ExprId>,
    open: Vec<(ExprId, bool)>,
}

impl Draft {
    fn and_open(&self, parts: impl IntoIterator<Item = (ExprId, bool)>) -> Draft {
        let mut draft = self.clone();
        draft.open.extend(parts);
        draft
    }
}

/// The clauses of `formula`, without those that always hold; `None` if there are too many.
pub(crate) fn clauses(store: &Store, formula: ExprId) -> Option<Vec<ExprId>> {
    let mut drafts = vec![Draft::default().and_open([(formula, true)])];
    let mut clauses: Vec<ExprId> = Vec::new();
    while let Some(mut draft) = drafts.pop() {
        match draft.open.pop() {
            Some((part, holds)) => take_apart(store, &draft, part, holds, &mut drafts),
            None => {
                let clause = store.or_all(draft.literals);
                if clause != store.tru() && !clauses.contains(&clause) {
                    clauses.push(clause);
                }
            }
        }
        if drafts.len() + clauses.len() > MAX_CLAUSES {
            return None;
        }
    }
    clauses.sort_unstable();
    Some(clauses)
}

/// Puts the clauses that `draft` becomes with one more part in it onto `drafts`.
fn take_apart(store: &Store, draft: &Draft, part: ExprId, holds: bool, drafts: &mut Vec<Draft>) {
    let args = store.args(part);
    let is_connective = args.iter().all(|arg| store.sort(*arg) == Sort::Bool);
    // Two clauses for a connective with two sides: both sides as given, and both the other way round.
    let mut two = |[a, b]: [(ExprId, bool); 2], [c, d]: [(ExprId, bool); 2]| {
        drafts.extend([draft.and_open([a, b]), draft.and_open([c, d])]);
    };
    match (store.op(part), holds) {
        (Op::Not, _) => drafts.push(draft.and_open([(args[0], !holds)])),
        (Op::And, true) | (Op::Or, false) => {
            drafts.extend(args.iter().map(|arg| draft.and_open([(*arg, holds)])));
        }
        (Op::Or, true) | (Op::And, false) => {
            drafts.push(draft.and_open(args.iter().map(|arg| (*arg, holds))))
        }
        (Op::Xor | Op::Eq, _) if is_connective && args.len() == 2 => {
            let is_different = (store.op(part) == Op::Xor) == holds;
            let [left, right] = [args[0], args[1]];
            two([(left, true), (right, is_different)], [(left, false), (right, !is_different)]);
        }
        (Op::Ite, _) if is_connective => {
            let [condition, then, otherwise] = [args[0], args[1], args[2]];
            two([(condition, false), (then, holds)], [(condition, true), (otherwise, holds)]);
        }
        _ => {
            let mut draft = draft.clone();
            draft.literals.push(if holds { part } else { store.not(part) });
            drafts.push(draft);
        }
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Replacer;

    use super::*;

    fn variables(store: &Store) -> [ExprId; 4] {
        ["p", "q", "r", "s"].map(|name| store.var(name, Sort::Bool))
    }

    #[test]
    fn clauses_are_disjunctions_of_literals() {
        let store = Store::new();
        let [p, q, r, _] = variables(&store);
        let formula = store.or(store.and(p, q), r);
        let mut expected = vec![store.or(p, r), store.or(q, r)];
        expected.sort_unstable();
        assert_eq!(clauses(&store, formula), Some(expected));
        assert_eq!(clauses(&store, store.tru()), Some(Vec::new()));
        assert_eq!(clauses(&store, store.fals()), Some(vec![store.fals()]));
    }

    #[test]
    fn clauses_mean_what_the_formula_means() {
        let store = Store::new();
        let [p, q, r, s] = variables(&store);
        let formulas = [
            store.xor(p, store.and(q, r)),
            store.eq(store.or(p, q), store.not(s)),
            store.ite(p, store.xor(q, r), store.eq(r, s)),
            store.not(store.ite(store.and(p, q), r, store.or(s, store.not(q)))),
            store.not(store.and(store.or(p, q), store.or(r, store.xor(s, p)))),
        ];
        for formula in formulas {
            let all = clauses(&store, formula).expect("the form should be small");
            assert!(all.iter().all(|clause| is_clause(&store, *clause)), "{all:?}");
            let same = store.xor(store.and_all(all), formula);
            for case in 0..16u32 {
                let value =
                    |var: ExprId| case >> [p, q, r, s].iter().position(|one| *one == var).unwrap() & 1 == 1;
                let bound =
                    Replacer::new(|store: &Store, var| Some(store.boolean(value(store.var_expr(var)))))
                        .apply(&store, same);
                assert_eq!(bound, store.fals(), "case {case}");
            }
        }
    }

    fn is_clause(store: &Store, formula: ExprId) -> bool {
        match store.op(formula) {
            Op::Or => store.args(formula).iter().all(|part| is_clause(store, *part)),
            _ => store.is_var_or_negation(formula),
        }
    }

    #[test]
    fn large_forms_are_given_up() {
        let store = Store::new();
        let pairs = (0..8).map(|number| {
            let side = |name: &str| store.var(&format!("{name}{number}"), Sort::Bool);
            store.and(side("a"), side("b"))
        });
        assert_eq!(clauses(&store, store.or_all(pairs.collect::<Vec<_>>())), None, "256 clauses");
    }
}
