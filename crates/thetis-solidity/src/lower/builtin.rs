//! Built-in functions of the language.

use solang_parser::pt;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::check::CheckKind;
use crate::fault::{Res, invalid, unsupported};
use crate::types::{Region, Ty};

use super::Lower;
use super::global::{Global, HashKind};
use super::item::{Builtin, Item};

impl Lower<'_, '_> {
    pub(crate) fn hash(&mut self, kind: HashKind, args: Vec<Item>, span: Span) -> Res<Item> {
        let ty = if kind == HashKind::Ripemd160 { Ty::FixedBytes(20) } else { Ty::FixedBytes(32) };
        let [arg] = args.as_slice() else { return self.any_value(ty) };
        let code = self
            .coerce_term(arg.clone(), &Ty::Bytes(Region::Memory), span)
            .or_else(|_| self.coerce_term(arg.clone(), &Ty::String(Region::Memory), span));
        let Ok(code) = code else { return self.any_value(ty) };
        let sort = self.store.array_sort(Sort::Int, self.sort(&ty));
        let map = self.global_var(&Global::Hash(kind), sort);
        let term = self.store.select(self.store.var_expr(map), code);
        self.type_fact(&ty, term);
        Ok(self.value(ty, term))
    }

    pub(crate) fn builtin(&mut self, builtin: Builtin, args: &[pt::Expression], span: Span) -> Res<Item> {
        let unit = Ok(Item::Tuple(Vec::new()));
        match (builtin, args) {
            (Builtin::Old, [arg]) => self.at_moment(self.old, arg, span),
            (Builtin::Before, [arg]) => self.at_moment(self.before, arg, span),
            (Builtin::Equal, [left, right]) => self.deep_equality(left, right, span),
            (Builtin::Sum, [arg]) => self.sum(arg, span),
            (Builtin::TypeOf, _) => unsupported(span, "`type(…)` is only supported with `min` and `max`"),
            _ if self.annotation.is_some() => invalid(span, "annotations can only call getters"),
            (Builtin::Assert, [condition]) => {
                let condition = self.condition(condition)?;
                self.check(condition, CheckKind::Assertion, span);
                unit
            }
            (Builtin::Require, [condition, message @ ..]) if message.len() <= 1 => {
                let condition = self.condition(condition)?;
                let condition = self.settle(condition);
                self.arguments(message)?;
                self.graph.assume(condition);
                unit
            }
            (Builtin::Revert, _) => {
                self.revert();
                unit
            }
            (Builtin::SelfDestruct, _) => unsupported(span, "`selfdestruct` is not supported"),
            (Builtin::Encode(encoding), _) => self.encode(encoding, args, span),
            (Builtin::EncodeCall, _) => self.encode_call(args, span),
            (Builtin::Decode, _) => self.decode(args, span),
            (Builtin::AddMod | Builtin::MulMod, [_, _, _]) => self.modular_number(builtin, args, span),
            (Builtin::GasLeft, _) => self.any_value(Ty::UINT),
            (Builtin::BlockHash, _) => {
                self.arguments(args)?;
                self.any_value(Ty::FixedBytes(32))
            }
            (Builtin::EcRecover, _) => {
                self.arguments(args)?;
                self.any_value(Ty::ADDRESS)
            }
            _ => invalid(span, "the number of arguments is wrong"),
        }
    }

    /// `addmod` and `mulmod`, which calculate without overflow.
    fn modular_number(&mut self, builtin: Builtin, args: &[pt::Expression], span: Span) -> Res<Item> {
        let mut terms = Vec::new();
        for item in self.arguments(args)? {
            let term = self.coerce_term(item, &Ty::UINT, span)?;
            terms.push(self.settle(term));
        }
        // A modulus of zero ends the transaction.
        let zero = self.number(&Ty::UINT, 0);
        self.graph.assume(self.store.ne(terms[2], zero));
        let store = &self.store;
        let wide = |term: ExprId| store.sort(term).width().map(|width| store.zero_extend(term, 2 * width));
        let term = match (builtin, wide(terms[0]).zip(wide(terms[1])).zip(wide(terms[2]))) {
            (Builtin::AddMod, None) => store.modulo(store.add(terms[0], terms[1]), terms[2]),
            (_, None) => store.modulo(store.mul(terms[0], terms[1]), terms[2]),
            (_, Some(((left, right), modulus))) => {
                let exact = match builtin {
                    Builtin::AddMod => store.bv_add(left, right),
                    _ => store.bv_mul(left, right),
                };
                store.extract(store.bv_urem(exact, modulus), 0, 256)
            }
        };
        Ok(self.value(Ty::UINT, term))
    }
}
