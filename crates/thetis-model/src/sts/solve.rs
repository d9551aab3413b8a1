//! Finds the function in a formula that fixes the next value of one variable.
//!
//! The formulas are those that people write: `x' = t`, `x'`, `not x'`, and `if c then F else G` whose branches are such
//! formulas for the same variable, where neither `t` nor `c` has a primed variable.

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Postorder, Store, VarId, Version};

/// The variable `x` and the term `t` such that `formula` says `x' = t`, if it is easily seen.
pub(super) fn solve_for_next(store: &Store, formula: ExprId) -> Option<(VarId, ExprId)> {
    let is_next = |var: &VarId| store.symbol(*var).version == Version::Next;
    let mut next_vars = store.vars_of([formula]).into_iter().filter(is_next);
    let (next, None) = (next_vars.next()?, next_vars.next()) else { return None };
    let solver = Solver { store, next: store.var_expr(next) };
    let solution = solver.solve(formula)?;
    Some((store.symbol(next).base, solution))
}

struct Solver<'s> {
    store: &'s Store,
    next: ExprId,
}

/// What is known of a part of the formula.
#[derive(Clone, Copy)]
enum Definition {
    /// It does not contain the primed variable.
    Plain,
    /// It is a formula that fixes the primed variable to this term.
    Fixes(ExprId),
    /// Anything else, such as the primed variable of a sort that is not Boolean.
    Other,
}

impl Solver<'_> {
    fn solve(&self, formula: ExprId) -> Option<ExprId> {
        let mut parts: FxHashMap<ExprId, Definition> = FxHashMap::default();
        for expr in Postorder::new(self.store, [formula]) {
            let part = self.part(expr, &parts);
            parts.insert(expr, part);
        }
        match parts[&formula] {
            Definition::Fixes(term) => Some(term),
            Definition::Plain | Definition::Other => None,
        }
    }

    fn part(&self, expr: ExprId, parts: &FxHashMap<ExprId, Definition>) -> Definition {
        let store = self.store;
        let args = store.args(expr);
        let part_of = |position: usize| parts[&args[position]];
        if expr == self.next {
            let is_bool = store.sort(expr) == thetis_expr::Sort::Bool;
            return if is_bool { Definition::Fixes(store.tru()) } else { Definition::Other };
        }
        if args.iter().all(|arg| matches!(parts[arg], Definition::Plain)) {
            return Definition::Plain;
        }
        match store.op(expr) {
            Op::Not if args[0] == self.next => Definition::Fixes(store.fals()),
            Op::Eq if args[0] == self.next && matches!(part_of(1), Definition::Plain) => {
                Definition::Fixes(args[1])
            }
            Op::Eq if args[1] == self.next && matches!(part_of(0), Definition::Plain) => {
                Definition::Fixes(args[0])
            }
            Op::Ite => match (part_of(0), part_of(1), part_of(2)) {
                (Definition::Plain, Definition::Fixes(then), Definition::Fixes(otherwise)) => {
                    Definition::Fixes(store.ite(args[0], then, otherwise))
                }
                _ => Definition::Other,
            },
            _ => Definition::Other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use thetis_expr::Sort;

    /// The text of the function for `x` in the formula that `build` makes of `x`, `x'`, a condition and a flag `p'`.
    fn solved(build: impl Fn(&Store, ExprId, ExprId, ExprId, ExprId) -> ExprId) -> Option<String> {
        let store = Store::new();
        let x = store.var("x", Sort::Int);
        let condition = store.var("c", Sort::Bool);
        let flag = store.primed(store.var("p", Sort::Bool));
        let formula = build(&store, x, store.primed(x), condition, flag);
        let (var, term) = solve_for_next(&store, formula)?;
        Some(format!("{} := {}", store.var_name(var), thetis_expr::infix::print(&store, term)))
    }

    #[test]
    fn functions_are_found() {
        assert_eq!(solved(|s, x, next, _, _| s.eq(next, s.add(x, s.int(1)))).as_deref(), Some("x := x + 1"));
        assert_eq!(solved(|_, _, _, _, flag| flag).as_deref(), Some("p := true"));
        assert_eq!(solved(|s, _, _, _, flag| s.not(flag)).as_deref(), Some("p := false"));
        let branches = solved(|s, x, next, c, _| s.ite(c, s.eq(next, s.int(0)), s.eq(next, x)));
        assert_eq!(branches.as_deref(), Some("x := if c then 0 else x"));
    }

    #[test]
    fn relations_stay_relations() {
        assert_eq!(solved(|s, x, next, _, _| s.le(next, x)), None);
        assert_eq!(solved(|s, x, next, _, _| s.eq(next, s.add(next, x))), None);
        assert_eq!(solved(|s, x, next, _, _| s.or(s.eq(next, x), s.eq(next, s.int(0)))), None);
        assert_eq!(solved(|s, x, next, _, flag| s.ite(flag, s.eq(next, s.int(0)), s.eq(next, x))), None);
        assert_eq!(solved(|s, x, next, c, _| s.ite(c, s.eq(next, s.int(0)), s.le(next, x))), None);
    }
}
