//! What `view` and `pure` functions may do.

use thetis_base::Span;

use crate::decls::{ContractKind, FuncKind, Mutability};
use crate::fault::{Res, invalid};
use crate::types::FuncId;
use crate::version::Version;

use super::Lower;

/// What is done with the state of contracts and of the chain.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

impl Lower<'_, '_> {
    /// Rejects an access that an enclosing function does not permit. Before version 0.5 that is only bad
    /// style.
    pub(crate) fn permit(&self, access: Access, span: Span) -> Res<()> {
        if self.annotation.is_some() || self.decls.version < Version(5, 0) {
            return Ok(());
        }
        for id in self.frames.iter().filter_map(|frame| frame.func) {
            let func = &self.decls.funcs[id];
            match (func.mutability, access) {
                (Mutability::Pure, Access::Read) => {
                    return invalid(span, format!("`{}` is pure and reads state", func.name));
                }
                (Mutability::Pure | Mutability::View, Access::Write) => {
                    return invalid(span, format!("`{}` is view or pure and changes state", func.name));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Rejects a call of a function that may do more than its caller.
    pub(crate) fn permit_call(&self, id: FuncId, span: Span) -> Res<()> {
        match self.decls.funcs[id].mutability {
            Mutability::Pure => Ok(()),
            Mutability::View => self.permit(Access::Read, span),
            Mutability::Payable | Mutability::Other => self.permit(Access::Write, span),
        }
    }

    /// `msg.value` is allowed only where ether can arrive.
    pub(crate) fn permit_value(&self, span: Span) -> Res<()> {
        let frame = self.frame();
        let Some(func) = frame.func.map(|id| &self.decls.funcs[id]) else { return Ok(()) };
        let in_library =
            func.contract.is_some_and(|owner| self.decls.contracts[owner].kind == ContractKind::Library);
        let is_entry = match func.kind {
            FuncKind::Function => func.is_public() && !in_library,
            FuncKind::Constructor => self.decls.version >= Version(7, 0),
            _ => false,
        };
        let may_be_asked = self.annotation.is_some() || !frame.layers.is_empty() || !is_entry;
        if may_be_asked || func.mutability == Mutability::Payable || self.decls.version < Version(5, 0) {
            return Ok(());
        }
        invalid(span, format!("`{}` is not payable, so there is no `msg.value`", func.name))
    }
}
