//! String literals that may share memory.
//!
//! Whether literals with the same contents are one object is unspecified (C11 6.4.5 p7), and compilers also let one be the end of
//! another. In the model they are different objects. So a run ends at a limit where pointers into two of them are compared.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::ExprId;

use super::lowering::Lowering;
use super::points_to::ObjectKey;
use super::walk::site_of;
use crate::hir::{Expr, ExprKind, GlobalId, Initializer};

/// More literals than this are not compared one by one: comparing pointers to them is a limit.
const MAX_LITERALS: usize = 32;

impl<'h> Lowering<'h> {
    /// Continues only if two pointers do not point into different literals that may share memory.
    pub(super) fn check_literals(
        &mut self,
        [left, right]: [&'h Expr; 2],
        [left_term, right_term]: [ExprId; 2],
        span: Span,
    ) {
        let [lefts, rights] = [left, right].map(|side| self.literals_behind(side));
        if lefts.is_empty() || rights.is_empty() {
            return;
        }
        const REASON: &str = "whether string literals with the same end are one object is unspecified";
        if lefts.len().max(rights.len()) > MAX_LITERALS {
            return self.out.limit(span, REASON);
        }
        let store = self.store();
        let [left_base, right_base] =
            [left_term, right_term].map(|term| self.arith.object_and_distance(term).0);
        let mut conditions = Vec::new();
        for (left, right) in lefts.iter().flat_map(|left| rights.iter().map(move |right| (*left, *right))) {
            if may_share(self, left, right) {
                let [left, right] = [left, right].map(|global| {
                    self.variable_address(ObjectKey::Global(global), self.program.globals[global].ty)
                });
                conditions.push(store.and(store.eq(left_base, left), store.eq(right_base, right)));
            }
        }
        self.limit_if(store.or_all(conditions), span, REASON);
    }

    /// The string literals that a pointer may point to.
    fn literals_behind(&self, pointer: &'h Expr) -> Vec<GlobalId> {
        let Some(class) = self.points.target(self.out.frame, site_of(pointer)) else { return Vec::new() };
        let objects = self.points.class(class).objects.iter();
        let literals = objects.filter_map(|object| match self.points.objects[*object].key {
            ObjectKey::Global(global) if self.program.globals[global].name.starts_with("#string") => {
                Some(global)
            }
            _ => None,
        });
        literals.collect()
    }
}

/// Whether one of two different literals has the contents of the end of the other.
fn may_share(lowering: &Lowering<'_>, left: GlobalId, right: GlobalId) -> bool {
    let [first, second] = [left, right].map(|global| units(lowering, global));
    left != right && (first.ends_with(&second) || second.ends_with(&first))
}

fn units<'h>(lowering: &Lowering<'h>, literal: GlobalId) -> Vec<&'h BigInt> {
    let Some(Initializer::Parts(parts)) = &lowering.program.globals[literal].initializer else {
        return Vec::new();
    };
    let values = parts.iter().filter_map(|part| match &part.value.kind {
        ExprKind::Int(number) => Some(number),
        _ => None,
    });
    values.collect()
}
