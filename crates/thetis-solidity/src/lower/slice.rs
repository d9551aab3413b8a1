//! Texts and arrays that are built from others: slices and concatenations.
//!
//! Of the result only the length is known.

use solang_parser::pt;
use thetis_base::Span;
use thetis_expr::ExprId;

use crate::fault::{Res, invalid, unsupported};
use crate::types::{Region, Ty};

use super::Lower;
use super::arith::{Arithmetic, CmpOp};
use super::item::{Item, Val};

impl Lower<'_, '_> {
    /// `base[start:end]`. If the end is beyond the length or the start beyond the end, the transaction ends.
    pub(crate) fn slice(
        &mut self,
        base: &pt::Expression,
        start: Option<&pt::Expression>,
        end: Option<&pt::Expression>,
        span: Span,
    ) -> Res<Item> {
        let base = self.expr(base)?;
        let base = self.typed(base, span)?;
        let (Some(Region::Calldata), Val::Term(reference)) = (base.ty.region(), base.val) else {
            return invalid(span, "only what is in `calldata` has slices");
        };
        let length = self.memory_length(&base.ty.in_region(Region::Memory), reference);
        let start = self.bound_of_slice(start, self.number(&Ty::UINT, 0), span)?;
        let end = self.bound_of_slice(end, length, span)?;
        let arith = self.arith();
        let inside = [
            arith.compare(CmpOp::Le, &Ty::UINT, self.number(&Ty::UINT, 0), start),
            arith.compare(CmpOp::Le, &Ty::UINT, start, end),
            arith.compare(CmpOp::Le, &Ty::UINT, end, length),
        ];
        self.graph.assume(self.store.and_all(inside));
        let count = match self.program.arithmetic {
            Arithmetic::Bv => self.store.bv_sub(end, start),
            _ => self.store.sub(end, start),
        };
        match &base.ty {
            ty if ty.is_text() => self.text_of_length(ty.clone(), count),
            Ty::Array(element, ..) => {
                let row = self.store.array_sort(self.sort(&Ty::UINT), self.memory_sort(element));
                let elements = self.anything(row);
                let reference = self.new_row(element, count, elements);
                Ok(self.value(Ty::Array(element.clone(), None, Region::Calldata), reference))
            }
            _ => invalid(span, "this has no slices"),
        }
    }

    fn bound_of_slice(&mut self, given: Option<&pt::Expression>, default: ExprId, span: Span) -> Res<ExprId> {
        match given {
            Some(given) => {
                let item = self.expr(given)?;
                let term = self.coerce_term(item, &Ty::UINT, span)?;
                Ok(self.settle(term))
            }
            None => Ok(self.settle(default)),
        }
    }

    /// Any text of this length.
    fn text_of_length(&mut self, ty: Ty, length: ExprId) -> Res<Item> {
        let text = self.any_value(ty.clone())?;
        if let Item::Value(typed) = &text
            && let Val::Term(code) = typed.val
        {
            let known = self.memory_length(&ty.in_region(Region::Memory), code);
            self.graph.assume(self.store.eq(known, length));
        }
        Ok(text)
    }

    /// `bytes.concat(…)` and `string.concat(…)`.
    pub(crate) fn concat(&mut self, ty: Ty, args: &[pt::Expression], span: Span) -> Res<Item> {
        let mut length = self.number(&Ty::UINT, 0);
        for item in self.arguments(args)? {
            let more = match item {
                Item::Text(bytes) => self.number(&Ty::UINT, bytes.len()),
                item => {
                    let typed = self.typed(item, span)?;
                    match (&typed.ty, typed.val) {
                        (Ty::FixedBytes(size), _) => self.number(&Ty::UINT, *size),
                        (ty, Val::Term(code)) if ty.is_text() => {
                            self.text_fact(code);
                            self.memory_length(&ty.in_region(Region::Memory), code)
                        }
                        _ => return unsupported(span, "these texts cannot be concatenated"),
                    }
                }
            };
            length = match self.program.arithmetic {
                Arithmetic::Bv => self.store.bv_add(length, more),
                _ => self.store.add(length, more),
            };
        }
        self.text_of_length(ty.in_region(Region::Memory), length)
    }
}
