//! Which function a call means.

use thetis_base::Span;

use crate::fault::{Res, invalid};
use crate::types::{FuncId, Ty};

use super::Lower;
use super::arith::includes;
use super::item::Item;

impl Lower<'_, '_> {
    /// Whether an item can be passed for a parameter.
    pub(crate) fn accepts(&self, item: &Item, ty: &Ty) -> bool {
        let from = match item {
            // What is passed there is not looked at: the function is skipped.
            _ if matches!(ty, Ty::Opaque(_)) => return true,
            Item::Number(number) => {
                let (low, high) = super::arith::limits(ty);
                let number = number.to_integer();
                return match ty {
                    Ty::Int { .. } => low <= number && number <= high,
                    Ty::Address { .. } | Ty::FixedBytes(_) => true,
                    _ => false,
                };
            }
            Item::Text(_) => return ty.is_text() || matches!(ty, Ty::FixedBytes(_)),
            Item::Value(typed) => typed.ty.clone(),
            Item::Place(place) => super::assign::place_type(place),
            _ => return false,
        };
        match (&from, ty) {
            (Ty::Int { signed: true, .. }, Ty::Int { signed: false, .. }) => false,
            (Ty::Int { .. }, Ty::Int { .. }) => includes(ty, &from),
            (Ty::FixedBytes(small), Ty::FixedBytes(large)) => small <= large,
            (Ty::Address { payable }, Ty::Address { payable: wanted }) => *payable || !*wanted,
            (Ty::Contract(from), Ty::Contract(to)) => self.decls.contracts[*from].linear.contains(to),
            (Ty::Contract(_), Ty::Address { .. }) => self.decls.version < crate::version::Version(5, 0),
            (from, to) => from.same_shape(to),
        }
    }

    /// The function that is meant among several with the same name.
    pub(crate) fn overload(&self, candidates: &[FuncId], args: &[Item], span: Span) -> Res<FuncId> {
        let fits = |id: &&FuncId| {
            let params = &self.decls.funcs[**id].params;
            params.len() == args.len()
                && args.iter().zip(params).all(|(arg, param)| self.accepts(arg, &param.ty))
        };
        let fitting: Vec<FuncId> = candidates.iter().filter(fits).copied().collect();
        match fitting.as_slice() {
            [] => {
                let name = candidates.first().map_or("", |id| self.decls.funcs[*id].name.as_str());
                invalid(span, format!("no function `{name}` takes these arguments"))
            }
            [one] => Ok(*one),
            several if args.iter().all(|arg| matches!(arg, Item::Value(_) | Item::Place(_))) => {
                let name = &self.decls.funcs[several[0]].name;
                invalid(span, format!("several functions `{name}` take these arguments"))
            }
            // An exact match is preferred.
            several => {
                let exact = several.iter().find(|id| {
                    args.iter().zip(&self.decls.funcs[**id].params).all(|(arg, param)| match arg {
                        Item::Value(typed) => typed.ty.same_shape(&param.ty),
                        Item::Place(place) => super::assign::place_type(place).same_shape(&param.ty),
                        _ => true,
                    })
                });
                Ok(*exact.unwrap_or(&several[0]))
            }
        }
    }

    /// Whether a function belongs to the contract that is verified or one of its bases.
    pub(crate) fn is_inherited(&self, func: FuncId) -> bool {
        let owner = self.decls.funcs[func].contract;
        owner
            .zip(self.contract)
            .is_some_and(|(owner, contract)| self.decls.contracts[contract].linear.contains(&owner))
    }

    pub(crate) fn overriding(&self, func: FuncId, contract: crate::types::ContractId) -> FuncId {
        let linear = &self.decls.contracts[contract].linear;
        let all = self.decls.find_funcs(linear, &self.decls.funcs[func].name);
        all.into_iter().find(|other| self.decls.same_signature(func, *other)).unwrap_or(func)
    }
}
