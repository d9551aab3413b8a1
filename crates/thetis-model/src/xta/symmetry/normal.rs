//! Texts of expressions that are equal for expressions that differ only in the order of operands.
//!
//! A quantifier over identifiers is a chain of `and`, `or` or `+` in a network, and exchanging two units exchanges two of its operands. So operands
//! are sorted where their order cannot matter: where none of them fails or has an effect, and where sums stay small.

use crate::xta::{BinaryOp, ClockAtom, DataExpr, Formula, Guard, Network, Place};

/// The greatest operand, and the greatest number of operands, of a sum whose order does not matter.
const SMALL: i64 = 10_000;

/// The normal form of a condition or a number.
pub(super) fn expr(network: &Network, expr: &DataExpr) -> String {
    match expr {
        DataExpr::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Add), _) => {
            let mut operands = Vec::new();
            chain(expr, *op, &mut operands);
            let is_small = |one: &&DataExpr| is_small(network, one);
            let may_sort = operands.iter().all(|one| is_harmless(one))
                && (*op != BinaryOp::Add
                    || (operands.len() as i64 <= SMALL && operands.iter().all(is_small)));
            let texts = operands.into_iter().map(|one| self::expr(network, one)).collect();
            format!("{op:?}{}", list(texts, may_sort))
        }
        DataExpr::Binary(op, operands) => {
            format!("({} {op:?} {})", self::expr(network, &operands.0), self::expr(network, &operands.1))
        }
        DataExpr::Unary(op, operand) => format!("{op:?}({})", self::expr(network, operand)),
        other => format!("{other:?}"),
    }
}

/// The normal form of a guard or an invariant.
pub(super) fn guard(network: &Network, guard: &Guard) -> String {
    let mut operands = Vec::new();
    guard.data.iter().for_each(|condition| chain(condition, BinaryOp::And, &mut operands));
    let may_sort = operands.iter().all(|one| is_harmless(one));
    let data = operands.into_iter().map(|one| expr(network, one)).collect();
    // All constraints on clocks are evaluated, in whatever order.
    let clocks = guard.clocks.iter().map(|atom| format!("{atom:?}")).collect();
    format!("{} {}", list(data, may_sort), list(clocks, true))
}

/// The normal form of a formula.
pub(super) fn formula(network: &Network, whole: &Formula) -> String {
    let parts_of = |parts: &[Formula]| {
        let texts = parts.iter().map(|part| formula(network, part)).collect();
        list(texts, parts.iter().all(is_harmless_formula))
    };
    match whole {
        Formula::Data(condition) => expr(network, condition),
        Formula::Clock(atom) => format!("{atom:?}"),
        Formula::Deadlock => "deadlock".into(),
        Formula::Not(inner) => format!("not({})", formula(network, inner)),
        Formula::And(parts) => format!("and{}", parts_of(parts)),
        Formula::Or(parts) => format!("or{}", parts_of(parts)),
    }
}

fn list(mut texts: Vec<String>, may_sort: bool) -> String {
    if may_sort {
        texts.sort_unstable();
    }
    format!("[{}]", texts.join(", "))
}

/// The operands of nested applications of `op`.
fn chain<'e>(expr: &'e DataExpr, op: BinaryOp, operands: &mut Vec<&'e DataExpr>) {
    match expr {
        DataExpr::Binary(own, parts) if *own == op => {
            chain(&parts.0, op, operands);
            chain(&parts.1, op, operands);
        }
        _ => operands.push(expr),
    }
}

/// Whether evaluating an expression never fails and changes nothing.
fn is_harmless(expr: &DataExpr) -> bool {
    match expr {
        DataExpr::Const(_) | DataExpr::At(..) => true,
        DataExpr::Read(place) => is_static(place),
        DataExpr::Unary(op, operand) => *op == crate::xta::UnaryOp::Not && is_harmless(operand),
        DataExpr::Binary(op, operands) => {
            op.is_condition() && is_harmless(&operands.0) && is_harmless(&operands.1)
        }
        DataExpr::If(parts) => is_harmless(&parts.0) && is_harmless(&parts.1) && is_harmless(&parts.2),
        DataExpr::Assign(_) | DataExpr::Call(..) => false,
    }
}

fn is_harmless_formula(formula: &Formula) -> bool {
    let is_harmless_atom = |atom: &ClockAtom| {
        let clocks = [Some(&atom.left), atom.minus.as_ref()];
        atom.bound.as_const().is_some()
            && atom.when.as_ref().is_none_or(is_harmless)
            && clocks.into_iter().flatten().all(|clock| clock.indices.is_empty())
    };
    match formula {
        Formula::Data(condition) => is_harmless(condition),
        Formula::Clock(atom) => is_harmless_atom(atom),
        Formula::Deadlock => true,
        Formula::Not(inner) => is_harmless_formula(inner),
        Formula::And(parts) | Formula::Or(parts) => parts.iter().all(is_harmless_formula),
    }
}

fn is_static(place: &Place) -> bool {
    place.indices.iter().all(|index| index.known_offset().is_some())
}

/// Whether the value is between 0 and a small number, or its opposite.
fn is_small(network: &Network, expr: &DataExpr) -> bool {
    let is_within = |value: i32| (-SMALL..=SMALL).contains(&i64::from(value));
    match expr {
        DataExpr::Const(number) => is_within(*number),
        DataExpr::Read(place) => match (place.base, place.indices.is_empty()) {
            (crate::xta::Base::Variable(cell), true) => {
                let (low, high) = network.variables[cell as usize].range;
                is_within(low) && is_within(high)
            }
            _ => false,
        },
        DataExpr::At(..) | DataExpr::Unary(crate::xta::UnaryOp::Not, _) => true,
        DataExpr::Binary(op, _) => op.is_condition(),
        DataExpr::If(parts) => is_small(network, &parts.1) && is_small(network, &parts.2),
        DataExpr::Unary(..) | DataExpr::Assign(_) | DataExpr::Call(..) => false,
    }
}
