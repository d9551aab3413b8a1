//! Values that are known before the model runs.
//!
//! Operators are folded to numbers. Functions are executed if neither they nor their arguments use variables of the model.

use thetis_model::xta::{DataExpr, Machine, Network, RuntimeError};

use super::reach::{Facts, Functions};

/// The value of an expression, or why it has none; `None` if that depends on the state.
pub(super) fn known_value(
    network: &Network,
    functions: &Functions,
    expr: &DataExpr,
) -> Option<Result<i32, RuntimeError>> {
    match expr {
        DataExpr::Const(number) => Some(Ok(*number)),
        _ => Facts::of_expr(expr, functions).is_closed.then(|| Machine::new(network).value(expr)),
    }
}
