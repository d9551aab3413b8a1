//! Finding variables whose values an equation determines.

use thetis_expr::{ExprId, Op, Sort, Store, Value, VarId};

/// A variable that `conjunct` determines, of those that `is_free`, and the term that it has to equal.
///
/// The term does not contain the variable, and replacing the variable by the term makes the conjunct true.
pub(super) fn solve(
    store: &Store,
    conjunct: ExprId,
    is_free: impl Fn(VarId) -> bool,
) -> Option<(VarId, ExprId)> {
    let free_var = |term: ExprId| store.as_var(term).filter(|var| is_free(*var));
    if let Some(var) = free_var(conjunct) {
        return Some((var, store.tru()));
    }
    match store.op(conjunct) {
        Op::Not => free_var(store.arg(conjunct, 0)).map(|var| (var, store.fals())),
        Op::Eq => {
            let (left, right) = (store.arg(conjunct, 0), store.arg(conjunct, 1));
            let free: Vec<VarId> =
                store.vars_of([left, right]).into_iter().filter(|var| is_free(*var)).collect();
            let isolated = |var: &VarId| {
                let term = isolate(store, *var, left, right).or_else(|| isolate(store, *var, right, left))?;
                Some((*var, term))
            };
            free.iter().find_map(isolated)
        }
        _ => None,
    }
}

/// The term that `var` has to equal for `side = other` to hold, if `var` occurs once, in `side`, below sums and differences.
fn isolate(store: &Store, var: VarId, mut side: ExprId, mut other: ExprId) -> Option<ExprId> {
    let occurs = |term: ExprId| store.vars_of([term]).contains(&var);
    if occurs(other) {
        return None;
    }
    loop {
        if store.as_var(side) == Some(var) {
            return Some(other);
        }
        if !matches!(store.sort(side), Sort::Int | Sort::Real) {
            return None;
        }
        let args = store.args(side);
        let mut holders = (0..args.len()).filter(|index| occurs(args[*index]));
        let (index, None) = (holders.next()?, holders.next()) else { return None };
        let rest = args.iter().enumerate().filter(|(position, _)| *position != index).map(|(_, arg)| *arg);
        other = match store.op(side) {
            Op::Add => rest.fold(other, |left, arg| store.sub(left, arg)),
            Op::Sub if index == 0 => store.add(other, args[1]),
            Op::Sub => store.sub(args[0], other),
            Op::Neg => store.neg(other),
            Op::Mul if rest.clone().all(|arg| is_minus_one(store, arg)) => {
                rest.fold(other, |term, _| store.neg(term))
            }
            _ => return None,
        };
        side = args[index];
    }
}

fn is_minus_one(store: &Store, term: ExprId) -> bool {
    matches!(store.value(term), Some(Value::Int(number)) if number == (-1).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use thetis_expr::smtlib::{Declared, Dialect, parse_term, print_term};

    #[test]
    fn unit_coefficients_are_isolated() {
        let store = Store::new();
        for name in ["x", "y", "z"] {
            store.declare(name, Sort::Int);
        }
        store.declare("b", Sort::Bool);
        let is_free = |var: VarId| matches!(store.var_name(var).as_str(), "x" | "b");
        for (equation, expected) in [
            ("(= x y)", Some("y")),
            ("(= y (+ x 1))", Some("(- y 1)")),
            ("(= (- y x) z)", Some("(- y z)")),
            ("(= (* (- 1) x) z)", Some("(- z)")),
            ("(= (* 2 x) z)", None),
            ("(= x (+ x y))", None),
            ("(= (+ x (* 2 x)) y)", None),
            ("(< x y)", None),
            ("(not b)", Some("false")),
            ("(= b (< y z))", Some("(< y z)")),
        ] {
            let conjunct = parse_term(&store, equation, &Declared).unwrap();
            let found = solve(&store, conjunct, is_free);
            let printed = found.map(|(_, term)| print_term(&store, term, Dialect::Thetis));
            let expected = expected.map(|text| {
                print_term(&store, parse_term(&store, text, &Declared).unwrap(), Dialect::Thetis)
            });
            assert_eq!(printed, expected, "{equation}");
        }
    }
}
