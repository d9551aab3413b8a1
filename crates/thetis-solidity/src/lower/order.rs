//! Whether the order of evaluation matters.
//!
//! Solidity does not say in which order the operands of `+` and the like are evaluated: the usual code generator of solc starts with
//! the right one, and the newer one with the left. If one operand changes what the other reads, the result depends on the compiler.
//! This module determines which local variables an expression reads and changes, and whether it reads or changes anything else.

use std::collections::BTreeSet;

use solang_parser::pt;

use crate::decls::{Mutability, NamedType};
use crate::types::FuncId;

use super::Lower;

/// What evaluating an expression touches.
#[derive(Default)]
struct Accesses {
    reads: BTreeSet<String>,
    writes: BTreeSet<String>,
    /// State, memory or balances.
    reads_others: bool,
    writes_others: bool,
}

impl Accesses {
    fn is_empty(&self) -> bool {
        self.reads.is_empty() && self.writes.is_empty() && !self.reads_others && !self.writes_others
    }

    fn disturbs(&self, other: &Accesses) -> bool {
        !self.writes.is_disjoint(&other.reads)
            || !self.writes.is_disjoint(&other.writes)
            || (self.writes_others && (other.reads_others || other.writes_others))
    }
}

impl Lower<'_, '_> {
    /// Whether it makes a difference which of the two expressions is evaluated first.
    pub(crate) fn order_matters(&self, left: &pt::Expression, right: &pt::Expression) -> bool {
        let (mut first, mut second) = (Accesses::default(), Accesses::default());
        // Long sums have their many terms on the left.
        self.accesses(right, &mut second);
        if second.is_empty() {
            return false;
        }
        self.accesses(left, &mut first);
        first.disturbs(&second) || second.disturbs(&first)
    }

    fn accesses(&self, expr: &pt::Expression, found: &mut Accesses) {
        stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || self.accesses_here(expr, found));
    }

    fn accesses_here(&self, expr: &pt::Expression, found: &mut Accesses) {
        use pt::Expression as E;
        match expr {
            E::Variable(name) => self.name_accesses(&name.name, found),
            E::FunctionCall(_, callee, args) => {
                args.iter().for_each(|arg| self.accesses(arg, found));
                self.call_accesses(callee, found);
            }
            E::NamedFunctionCall(_, callee, args) => {
                args.iter().for_each(|arg| self.accesses(&arg.expr, found));
                self.call_accesses(callee, found);
            }
            E::Assign(_, target, value)
            | E::AssignAdd(_, target, value)
            | E::AssignSubtract(_, target, value)
            | E::AssignMultiply(_, target, value)
            | E::AssignDivide(_, target, value)
            | E::AssignModulo(_, target, value)
            | E::AssignShiftLeft(_, target, value)
            | E::AssignShiftRight(_, target, value)
            | E::AssignAnd(_, target, value)
            | E::AssignOr(_, target, value)
            | E::AssignXor(_, target, value) => {
                self.accesses(value, found);
                self.write_accesses(target, found);
            }
            E::PreIncrement(_, target)
            | E::PreDecrement(_, target)
            | E::PostIncrement(_, target)
            | E::PostDecrement(_, target)
            | E::Delete(_, target) => self.write_accesses(target, found),
            E::FunctionCallBlock(..) | E::New(..) => found.writes_others = true,
            E::MemberAccess(_, base, name) if name.name == "selector" && self.is_of_contract(base) => {}
            E::MemberAccess(_, base, _) => {
                found.reads_others = true;
                self.accesses(base, found);
            }
            E::ArraySubscript(_, base, index) => {
                found.reads_others = true;
                self.accesses(base, found);
                index.iter().for_each(|index| self.accesses(index, found));
            }
            E::ConditionalOperator(_, condition, yes, no) => {
                [condition, yes, no].into_iter().for_each(|part| self.accesses(part, found));
            }
            E::List(_, parts) => {
                parts.iter().flat_map(|(_, part)| part).for_each(|part| self.accesses(&part.ty, found));
            }
            E::ArrayLiteral(_, parts) => parts.iter().for_each(|part| self.accesses(part, found)),
            other => {
                let (left, right) = other.components();
                left.into_iter().chain(right).for_each(|part| self.accesses(part, found));
            }
        }
    }

    /// Whether this is `C.f` with a contract `C`.
    fn is_of_contract(&self, expr: &pt::Expression) -> bool {
        let pt::Expression::MemberAccess(_, base, _) = expr else { return false };
        let pt::Expression::Variable(name) = &**base else { return false };
        self.find_local(&name.name).is_none()
            && matches!(self.decls.find_type(self.frame().contract, &name.name), Some(NamedType::Contract(_)))
    }

    fn name_accesses(&self, name: &str, found: &mut Accesses) {
        if self.find_local(name).is_some() {
            found.reads.insert(name.to_owned());
            return;
        }
        let slot = self.decls.find_slot(self.frame().contract, name);
        found.reads_others |= slot.is_some_and(|slot| !self.decls.slots[slot].is_constant);
    }

    fn write_accesses(&self, target: &pt::Expression, found: &mut Accesses) {
        self.accesses(target, found);
        match target {
            pt::Expression::Variable(name) if self.find_local(&name.name).is_some() => {
                found.writes.insert(name.name.clone());
            }
            pt::Expression::Parenthesis(_, inner) => self.write_accesses(inner, found),
            _ => found.writes_others = true,
        }
    }

    /// What a call accesses besides its arguments. Functions are distinguished by their names only.
    fn call_accesses(&self, callee: &pt::Expression, found: &mut Accesses) {
        let name = match callee {
            pt::Expression::Variable(name) => &name.name,
            pt::Expression::MemberAccess(_, base, name) => {
                self.accesses(base, found);
                &name.name
            }
            pt::Expression::Type(..) => return,
            _ => {
                found.writes_others = true;
                return;
            }
        };
        let named = |id: &FuncId| self.decls.funcs[*id].name == *name;
        let functions: Vec<FuncId> = self.decls.funcs.indices().filter(named).collect();
        found.reads_others = true;
        found.writes_others |=
            matches!(name.as_str(), "push" | "pop" | "transfer" | "send" | "call" | "delegatecall")
                || functions.iter().any(|id| self.may_change(*id));
    }

    /// Whether a function may change something. A `pure` one can change what its arguments refer to.
    fn may_change(&self, id: FuncId) -> bool {
        let func = &self.decls.funcs[id];
        let is_constant = matches!(func.mutability, Mutability::View | Mutability::Pure);
        !is_constant || func.params.iter().any(|param| Self::is_reference(&param.ty))
    }
}
