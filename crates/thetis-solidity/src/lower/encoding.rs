//! `abi.encode` and its kin, and `abi.decode`.
//!
//! An encoding is a text that depends only on the arguments: an unknown function of them, whose length is known if all arguments
//! have a fixed size. Decoded values depend only on the text and the types, and `abi.decode` undoes `abi.encode` for the same types.
//! Nothing is known about arguments and results that are arrays or structures.

use solang_parser::pt;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::fault::{Res, invalid, unsupported};
use crate::types::{FuncId, Region, Ty};
use crate::version::Version;

use super::Lower;
use super::arith::Arithmetic;
use super::global::{Global, HashKind};
use super::item::{Callee, Item, Val};

/// How values are encoded.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum Encoding {
    /// `abi.encode`: each value of a fixed size in 32 bytes.
    Standard,
    /// `abi.encodePacked`: each value in as many bytes as its type has.
    Packed,
    /// `abi.encodeWithSelector` and `abi.encodeCall`: four bytes, and then as `abi.encode`.
    Selector,
    /// `abi.encodeWithSignature`: the first four bytes of a hash, and then as `abi.encode`.
    Signature,
}

const ENCODED: Ty = Ty::Bytes(Region::Memory);

impl Lower<'_, '_> {
    /// `abi.encode(args)` and the like.
    pub(crate) fn encode(&mut self, encoding: Encoding, args: &[pt::Expression], span: Span) -> Res<Item> {
        let items = self.arguments(args)?;
        self.encoded(encoding, items, span)
    }

    /// `abi.encodeCall(f, (args))`.
    pub(crate) fn encode_call(&mut self, args: &[pt::Expression], span: Span) -> Res<Item> {
        let [function, args] = args else { return invalid(span, "this needs a function and its arguments") };
        let candidates = match self.expr(function)? {
            Item::Callee(Callee::External { candidates, .. } | Callee::Internal { candidates, .. }) => {
                candidates
            }
            _ => return unsupported(span, "this function is not supported here"),
        };
        let [id] = candidates.as_slice() else { return unsupported(span, "this function is overloaded") };
        let params = self.decls.funcs[*id].params.clone();
        let args = match self.expr(args)? {
            Item::Tuple(parts) => parts,
            item => vec![Some(item)],
        };
        if args.len() != params.len() {
            return invalid(span, "the number of arguments is wrong");
        }
        let mut items = vec![self.selector(*id, span)?];
        for (arg, param) in args.into_iter().zip(&params) {
            let Some(arg) = arg else { return invalid(span, "a value is missing here") };
            items.push(Item::Value(self.coerce(arg, &param.ty.in_region(Region::Memory), span)?));
        }
        self.encoded(Encoding::Selector, items, span)
    }

    fn encoded(&mut self, encoding: Encoding, items: Vec<Item>, span: Span) -> Res<Item> {
        let (mut types, mut terms) = (Vec::new(), Vec::new());
        for item in items {
            let typed = self.typed(item, span)?;
            let Val::Term(term) = typed.val else { return self.any_value(ENCODED) };
            if !typed.ty.is_value() && !typed.ty.is_text() {
                return self.any_value(ENCODED);
            }
            let ty = if encoding == Encoding::Packed { typed.ty.clone() } else { wide(&typed.ty) };
            terms.push(self.arith().convert(&typed.ty, &ty, term));
            types.push(ty);
        }
        let mut sort = Sort::Int;
        for term in terms.iter().rev() {
            sort = self.store.array_sort(self.store.sort(*term), sort);
        }
        let map = self.global_var(&Global::Encoding(encoding, types.clone()), sort);
        let map = self.store.var_expr(map);
        let code = terms.iter().fold(map, |map, term| self.store.select(map, *term));
        self.value_fact(&ENCODED, code);
        self.length_of_encoding(encoding, &types, &terms, code);
        if encoding == Encoding::Standard && self.program.decodes {
            for (at, term) in terms.iter().enumerate() {
                let decoded = self.decoded_term(&types, at, code);
                self.fact(self.store.eq(decoded, *term));
            }
        }
        Ok(self.value(ENCODED, code))
    }

    fn length_of_encoding(&mut self, encoding: Encoding, types: &[Ty], terms: &[ExprId], code: ExprId) {
        let skipped = usize::from(matches!(encoding, Encoding::Selector | Encoding::Signature));
        let mut length = self.number(&Ty::UINT, 4 * skipped);
        for (ty, term) in types.iter().zip(terms).skip(skipped) {
            let Some(more) = self.encoded_length(encoding, ty, *term) else { return };
            length = match self.program.arithmetic {
                Arithmetic::Bv => self.store.bv_add(length, more),
                _ => self.store.add(length, more),
            };
        }
        let known = self.memory_length(&ENCODED, code);
        self.fact(self.store.eq(known, length));
    }

    fn encoded_length(&mut self, encoding: Encoding, ty: &Ty, term: ExprId) -> Option<ExprId> {
        let size = match (encoding, ty) {
            (Encoding::Packed, Ty::User(id)) => {
                return self.encoded_length(encoding, &self.decls.users[*id].base, term);
            }
            (Encoding::Packed, Ty::Bytes(_) | Ty::String(_)) => {
                self.text_fact(term);
                return Some(self.memory_length(&ENCODED, term));
            }
            (Encoding::Packed, Ty::Bool) => 1,
            (Encoding::Packed, Ty::Int { bits, .. }) => bits / 8,
            (Encoding::Packed, Ty::FixedBytes(size)) => u16::from(*size),
            (Encoding::Packed, Ty::Address { .. } | Ty::Contract(_)) => 20,
            (Encoding::Packed, Ty::Enum(id)) if self.decls.enums[*id].values.len() <= 256 => 1,
            (Encoding::Packed, _) => return None,
            (_, ty) if ty.is_value() => 32,
            _ => return None,
        };
        Some(self.number(&Ty::UINT, size))
    }

    /// `abi.decode(data, (T, …))`. A value that does not fit its type ends the transaction.
    pub(crate) fn decode(&mut self, args: &[pt::Expression], span: Span) -> Res<Item> {
        let [data, types] = args else { return invalid(span, "this needs a text and types") };
        let data = self.expr(data)?;
        let code = self.coerce_term(data, &ENCODED, span)?;
        let code = self.settle(code);
        let contract = self.frame().contract;
        let types: Vec<Ty> = type_list(types, span)?
            .into_iter()
            .map(|ty| self.decls.ty(contract, ty, Region::Memory))
            .collect::<Res<_>>()?;
        let wide: Vec<Ty> = types.iter().map(wide).collect();
        let mut values = Vec::new();
        for (at, ty) in types.iter().enumerate() {
            values.push(Some(self.decoded(ty, &wide, at, code)?));
        }
        match values.len() {
            1 => Ok(values.pop().flatten().unwrap_or(Item::Tuple(Vec::new()))),
            _ => Ok(Item::Tuple(values)),
        }
    }

    fn decoded(&mut self, ty: &Ty, wide: &[Ty], at: usize, code: ExprId) -> Res<Item> {
        let is_checked = self.decls.version >= Version(8, 0) || *ty == wide[at];
        if !is_checked || !(ty.is_value() || ty.is_text()) {
            return self.any_value(ty.clone());
        }
        let term = self.decoded_term(wide, at, code);
        self.value_fact(&wide[at], term);
        let narrow = self.arith().convert(&wide[at], ty, term);
        let back = self.arith().convert(ty, &wide[at], narrow);
        self.graph.assume(self.store.eq(back, term));
        Ok(self.value(ty.clone(), narrow))
    }

    fn decoded_term(&mut self, types: &[Ty], at: usize, code: ExprId) -> ExprId {
        let sort = self.store.array_sort(Sort::Int, self.sort(&types[at]));
        let map = self.global_var(&Global::Decoding(types.to_vec(), at), sort);
        self.store.select(self.store.var_expr(map), code)
    }

    /// The first bytes of the hash of a function's name and types.
    pub(crate) fn selector(&mut self, func: FuncId, span: Span) -> Res<Item> {
        let func = &self.decls.funcs[func];
        let types: Option<Vec<String>> = func.params.iter().map(|param| self.abi_name(&param.ty)).collect();
        let Some(types) = types else { return unsupported(span, "this selector is not supported") };
        let signature = format!("{}({})", func.name, types.join(","));
        let hash = self.hash(HashKind::Keccak256, vec![Item::Text(signature.into_bytes())], span)?;
        Ok(Item::Value(self.cast(hash, &Ty::FixedBytes(4), span)?))
    }

    /// The name of a type in signatures.
    fn abi_name(&self, ty: &Ty) -> Option<String> {
        Some(match ty {
            Ty::Address { .. } => "address".to_owned(),
            Ty::User(id) => return self.abi_name(&self.decls.users[*id].base),
            Ty::Bool | Ty::Int { .. } | Ty::FixedBytes(_) | Ty::Bytes(_) | Ty::String(_) => {
                self.decls.show(ty)
            }
            Ty::Array(element, None, Region::Memory | Region::Calldata) => {
                format!("{}[]", self.abi_name(element)?)
            }
            Ty::Array(element, Some(length), Region::Memory | Region::Calldata) => {
                format!("{}[{length}]", self.abi_name(element)?)
            }
            _ => return None,
        })
    }
}

/// Without packing, numbers are encoded in 256 bits.
fn wide(ty: &Ty) -> Ty {
    match ty {
        Ty::Int { signed: true, .. } => Ty::INT,
        Ty::Int { signed: false, .. } => Ty::UINT,
        Ty::Bytes(_) => ENCODED,
        Ty::String(_) => Ty::String(Region::Memory),
        other => other.clone(),
    }
}

/// The types in `(T, …)`.
fn type_list(types: &pt::Expression, span: Span) -> Res<Vec<&pt::Expression>> {
    match types {
        pt::Expression::Parenthesis(_, ty) => Ok(vec![ty]),
        pt::Expression::List(_, parts) => parts
            .iter()
            .map(|(_, part)| match part {
                Some(part) => Ok(&part.ty),
                None => invalid(span, "a type is missing here"),
            })
            .collect(),
        _ => invalid(span, "types have to be in parentheses"),
    }
}
