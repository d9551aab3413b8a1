//! Which function a call means.

use thetis_base::Span;
use thetis_expr::Rational;

use crate::fault::{Res, invalid, unsupported};
use crate::types::{FuncId, Ty};
use crate::version::Version;

use super::Lower;
use super::arith::includes;
use super::item::Item;

impl Lower<'_, '_> {
    /// Whether an item can be passed for a parameter. For literals as bytes this is uncertain: it depends on how they are
    /// written.
    pub(crate) fn accepts(&self, item: &Item, ty: &Ty) -> bool {
        let from = match item {
            // The argument is not examined: the function is skipped.
            _ if matches!(ty, Ty::Opaque(_)) => return true,
            Item::Number(number) => return self.accepts_number(number, ty),
            Item::Text(text) => {
                return match ty {
                    Ty::String(_) => std::str::from_utf8(text).is_ok(),
                    Ty::FixedBytes(size) => text.len() <= usize::from(*size),
                    _ => ty.is_text(),
                };
            }
            Item::Value(typed) => typed.ty.clone(),
            Item::Place(place) => super::assign::place_type(place),
            _ => return false,
        };
        match (&from, ty) {
            (Ty::Int { .. }, Ty::Int { .. }) => self.widens(&from, ty),
            (Ty::FixedBytes(small), Ty::FixedBytes(large)) => small <= large,
            (Ty::Address { payable }, Ty::Address { payable: wanted }) => *payable || !*wanted,
            (Ty::Contract(from), Ty::Contract(to)) => self.decls.contracts[*from].linear.contains(to),
            (Ty::Contract(_), Ty::Address { .. }) => self.decls.version < Version(5, 0),
            (from, to) => from.same_shape(to),
        }
    }

    fn accepts_number(&self, number: &Rational, ty: &Ty) -> bool {
        let (low, high) = super::arith::limits(ty);
        let whole = number.to_integer();
        let fits = low <= whole && whole <= high;
        match ty {
            Ty::Int { .. } | Ty::FixedBytes(_) => number.is_integer() && fits,
            Ty::Address { .. } => self.decls.version < Version(5, 0) || self.annotation.is_some(),
            _ => false,
        }
    }

    /// Whether numbers of one type are implicitly converted to the other. Before 0.8, that included
    /// conversions to signed types.
    pub(crate) fn widens(&self, from: &Ty, to: &Ty) -> bool {
        let keeps_sign = from.is_signed() == to.is_signed();
        let may_get_sign = self.decls.version < Version(8, 0) || self.annotation.is_some();
        includes(to, from) && (keeps_sign || may_get_sign)
    }

    /// The function that is meant among several with the same name.
    pub(crate) fn overload(&self, candidates: &[FuncId], args: &[Item], span: Span) -> Res<FuncId> {
        let fits = |id: &&FuncId| {
            let params = &self.decls.funcs[**id].params;
            params.len() == args.len()
                && args.iter().zip(params).all(|(arg, param)| self.accepts(arg, &param.ty))
        };
        let fitting: Vec<FuncId> = candidates.iter().filter(fits).copied().collect();
        let name = candidates.first().map_or("", |id| self.decls.funcs[*id].name.as_str());
        match fitting.as_slice() {
            [] => invalid(span, format!("no function `{name}` takes these arguments")),
            [one] => Ok(*one),
            _ if args.iter().any(|arg| matches!(arg, Item::Number(_))) => {
                unsupported(span, format!("which function `{name}` takes a literal is not modelled here"))
            }
            _ => invalid(span, format!("several functions `{name}` take these arguments")),
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
