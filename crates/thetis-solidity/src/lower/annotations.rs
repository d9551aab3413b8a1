//! The formulas of annotations.

use solang_parser::pt;
use thetis_base::Span;
use thetis_expr::ExprId;

use crate::annotation::{Formula, Quantifier};
use crate::check::{Check, CheckKind, Moment, OverflowAt};
use crate::decls::NamedType;
use crate::fault::{Res, invalid, unsupported};
use crate::types::{ContractId, Region, SlotId, Ty};

use super::arith::CmpOp;
use super::global::Global;
use super::graph::Snapshot;
use super::item::{Item, Val};
use super::quantifier::Condition;
use super::{Local, Lower, View, kind_of};

impl Lower<'_, '_> {
    /// A formula as a condition, and the condition that all its arithmetic is exact.
    fn formula(&mut self, formula: &Formula) -> Res<(Condition, ExprId)> {
        let outer = self.annotation.replace(formula.span);
        let outer_exact = self.exact.replace(Vec::new());
        let condition = match (&self.whole, formula.prefix.is_empty()) {
            (Some(_), false) => unsupported(formula.span, "quantifiers are not supported here"),
            _ => self.quantified(&formula.prefix, &formula.body),
        };
        let exact = std::mem::replace(&mut self.exact, outer_exact).unwrap_or_default();
        self.annotation = outer;
        let is_ground = formula.prefix.is_empty();
        let exact = if is_ground { self.store.and_all(exact) } else { self.store.tru() };
        Ok((condition?, exact))
    }

    fn quantified(&mut self, prefix: &[Quantifier], body: &pt::Expression) -> Res<Condition> {
        let Some((first, rest)) = prefix.split_first() else {
            return Ok(Condition::Ground(self.body_condition(body)?));
        };
        self.frame_mut().scopes.push(std::collections::BTreeMap::new());
        let outer = self.facts.replace(Vec::new());
        let condition = self.quantifier(first, rest, body);
        let facts = std::mem::replace(&mut self.facts, outer).unwrap_or_default();
        self.frame_mut().scopes.pop();
        let (universal, vars, body) = condition?;
        Ok(Condition::Quantified { universal, vars, facts, body: Box::new(body) })
    }

    #[allow(clippy::type_complexity, reason = "the parts of a quantified condition")]
    fn quantifier(
        &mut self,
        first: &Quantifier,
        rest: &[Quantifier],
        body: &pt::Expression,
    ) -> Res<(bool, Vec<(thetis_expr::VarId, super::quantifier::QuantifiedKind)>, Condition)> {
        match first {
            Quantifier::Forall(bindings) | Quantifier::Exists(bindings) => {
                let universal = matches!(first, Quantifier::Forall(_));
                let mut vars = Vec::new();
                let mut ranges = Vec::new();
                for (ty, name) in bindings {
                    let ty = self.decls.ty(self.frame().contract, ty, Region::Memory)?;
                    let (var, range) = self.bound(name, &ty);
                    vars.push((var, kind_of(&ty)));
                    ranges.push(range);
                }
                let inner = self.quantified(rest, body)?;
                let range = self.store.and_all(ranges);
                let inner = if universal {
                    inner.under(&self.store, range)
                } else {
                    inner.negated(&self.store).under(&self.store, range).negated(&self.store)
                };
                Ok((universal, vars, inner))
            }
            Quantifier::Property(array, names) => {
                let mut vars = Vec::new();
                let mut inside = Vec::new();
                let span = self.annotation.unwrap_or(crate::fault::span(&pt::Loc::Builtin));
                for name in names {
                    let (var, _) = self.bound(name, &Ty::UINT);
                    vars.push((var, kind_of(&Ty::UINT)));
                    let length = self.member(array, "length", span)?;
                    let (_, length) = self.term(length, span)?;
                    let zero = self.number(&Ty::UINT, 0);
                    let index = self.store.var_expr(var);
                    inside.push(self.arith().compare(CmpOp::Le, &Ty::UINT, zero, index));
                    inside.push(self.arith().compare(CmpOp::Lt, &Ty::UINT, index, length));
                }
                let inner = self.quantified(rest, body)?;
                let inside = self.store.and_all(inside);
                Ok((true, vars, inner.under(&self.store, inside)))
            }
        }
    }

    /// A quantified variable, and the condition that its value belongs to its type.
    fn bound(&mut self, name: &str, ty: &Ty) -> (thetis_expr::VarId, ExprId) {
        let var = self.store.declare_fresh(name, self.sort(ty));
        self.declare(name, Local::Bound(ty.clone(), var));
        let term = self.store.var_expr(var);
        let range = match ty {
            Ty::Int { .. } if self.program.arithmetic.wraps() => self.arith().in_range(ty, term),
            _ => self.store.tru(),
        };
        (var, range)
    }

    pub(crate) fn body_condition(&mut self, body: &pt::Expression) -> Res<ExprId> {
        self.condition(body)
    }

    /// Relies on a formula.
    pub(crate) fn assume_formula(&mut self, formula: &Formula) -> Res<()> {
        let (condition, exact) = self.formula(formula)?;
        self.graph.assume(condition);
        if self.program.arithmetic == super::Arithmetic::ModOverflow {
            self.graph.assume(exact);
        }
        Ok(())
    }

    /// Checks a formula.
    pub(crate) fn check_formula(
        &mut self,
        formula: &Formula,
        what: &'static str,
        moment: Moment,
        kind: CheckKind,
        span: Span,
    ) -> Res<()> {
        let (condition, exact) = self.formula(formula)?;
        if self.program.arithmetic == super::Arithmetic::ModOverflow {
            let overflow = CheckKind::Overflow(OverflowAt::Annotation(what, formula.text.clone(), moment));
            self.check(exact, overflow, span);
        }
        self.graph.check(&self.store, condition, Check { kind, span });
        Ok(())
    }

    /// A formula as a term of the state at a moment; only for formulas without quantifiers.
    pub(crate) fn ground_formula(&mut self, formula: &Formula, view: View) -> Res<ExprId> {
        let outer = std::mem::replace(&mut self.view, view);
        let found = self.formula(formula);
        self.view = outer;
        match found? {
            (Condition::Ground(term), _) => Ok(term),
            _ => unsupported(formula.span, "quantifiers are not supported here"),
        }
    }

    /// Runs `part` with the names that are visible in a contract at the address `this`.
    pub(crate) fn in_contract<T>(
        &mut self,
        contract: ContractId,
        this: ExprId,
        part: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let frame = self.frame_mut();
        let outer = frame.contract.replace(contract);
        let outer_this = std::mem::replace(&mut frame.this, this);
        let scopes = std::mem::take(&mut frame.scopes);
        let result = part(self);
        let frame = self.frame_mut();
        frame.contract = outer;
        frame.this = outer_this;
        frame.scopes = scopes;
        result
    }

    /// The invariants of a contract. Those of its bases are not inherited: a derived contract may need weaker ones.
    pub(crate) fn invariants(&self, contract: ContractId) -> Vec<Formula> {
        self.decls.contracts[contract].invariants.clone()
    }

    pub(crate) fn assume_invariants(&mut self, contract: ContractId, this: ExprId) -> Res<()> {
        for invariant in self.invariants(contract) {
            self.in_contract(contract, this, |lower| {
                lower.with_scope(|lower| lower.assume_formula(&invariant))
            })?;
        }
        Ok(())
    }

    pub(crate) fn check_invariants(
        &mut self,
        contract: ContractId,
        this: ExprId,
        moment: Moment,
        span: Span,
    ) -> Res<()> {
        for invariant in self.invariants(contract) {
            let kind = CheckKind::Invariant(invariant.text.clone(), moment);
            self.in_contract(contract, this, |lower| {
                lower.with_scope(|lower| lower.check_formula(&invariant, "invariant", moment, kind, span))
            })?;
        }
        Ok(())
    }

    pub(crate) fn with_scope<T>(&mut self, part: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        self.frame_mut().scopes.push(std::collections::BTreeMap::new());
        let result = part(self);
        self.frame_mut().scopes.pop();
        result
    }

    /// `__verifier_old_…(arg)` and `__verifier_before_…(arg)`.
    pub(crate) fn at_moment(
        &mut self,
        moment: Option<Snapshot>,
        arg: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let Some(moment) = moment else { return invalid(span, "there is no earlier state here") };
        let outer = std::mem::replace(&mut self.view, View::At(moment));
        let typed = self.expr(arg).and_then(|item| self.typed(item, span));
        // Values in storage have to be read while the earlier state is in effect.
        let typed = typed.and_then(|mut typed| {
            if let Val::Place(place) = &typed.val {
                typed.val = Val::Leaves(self.read_place(&place.clone(), span)?);
            }
            Ok(typed)
        });
        self.view = outer;
        Ok(Item::Value(typed?))
    }

    /// `__verifier_eq(left, right)`: contents in storage, references in memory.
    pub(crate) fn deep_equality(
        &mut self,
        left: &pt::Expression,
        right: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        let (left, right) = (self.typed(left, span)?, self.typed(right, span)?);
        if !left.ty.same_shape(&right.ty) {
            return invalid(span, "the two values have different types");
        }
        let in_storage =
            left.ty.region() == Some(Region::Storage) || right.ty.region() == Some(Region::Storage);
        if left.ty.is_text() && !in_storage {
            return unsupported(span, "texts in memory cannot be compared by reference");
        }
        if !in_storage && let (Val::Term(left), Val::Term(right)) = (&left.val, &right.val) {
            return Ok(self.boolean(self.store.eq(*left, *right)));
        }
        let (left, right) = (self.leaves_of(&left, span)?, self.leaves_of(&right, span)?);
        let equal: Vec<ExprId> =
            left.iter().zip(&right).map(|(left, right)| self.store.eq(*left, *right)).collect();
        Ok(self.boolean(self.store.and_all(equal)))
    }

    /// `__verifier_sum_…(path)`.
    pub(crate) fn sum(&mut self, path: &pt::Expression, span: Span) -> Res<Item> {
        let (slot, fields) = self.sum_path(path, span)?;
        let Some((leaf, element)) = self.leaf_of(slot, &fields) else {
            return unsupported(span, "only numbers in a mapping or an array with one index can be added up");
        };
        let sort = self.per_contract(self.sum_sort());
        let sums = self.global(&Global::Sum(slot, leaf), sort);
        let ty = if element.is_signed() { Ty::INT } else { Ty::UINT };
        let sum = self.of_contract(sums, self.frame().this);
        if !element.is_signed() && self.program.arithmetic.wraps() {
            self.fact(self.store.le(self.store.int(0), sum));
        }
        Ok(self.value(ty, sum))
    }

    /// A state variable and the fields on the way to what is added up; indices do not matter.
    fn sum_path(&mut self, path: &pt::Expression, span: Span) -> Res<(SlotId, Vec<String>)> {
        let contract = self.frame().contract;
        match path {
            pt::Expression::Parenthesis(_, inner) | pt::Expression::ArraySubscript(_, inner, _) => {
                self.sum_path(inner, span)
            }
            pt::Expression::Variable(name) => match self.decls.find_slot(contract, &name.name) {
                Some(slot) => Ok((slot, Vec::new())),
                None => invalid(span, format!("`{}` is not a state variable", name.name)),
            },
            pt::Expression::MemberAccess(_, base, name) => {
                if let pt::Expression::Variable(base) = &**base
                    && let Some(NamedType::Contract(id)) = self.decls.find_type(contract, &base.name)
                    && let Some(slot) = self.decls.find_slot(Some(id), &name.name)
                {
                    return Ok((slot, Vec::new()));
                }
                let (slot, mut fields) = self.sum_path(base, span)?;
                fields.push(name.name.clone());
                Ok((slot, fields))
            }
            _ => invalid(span, "this cannot be added up"),
        }
    }

    fn leaf_of(&self, slot: SlotId, fields: &[String]) -> Option<(usize, Ty)> {
        let mut ty = self.decls.slots[slot].ty.clone();
        let mut leaf = 0;
        let mut fields = fields.iter();
        loop {
            ty = match ty {
                Ty::Mapping(_, value) => *value,
                Ty::Array(element, length, _) => {
                    leaf += usize::from(length.is_none());
                    *element
                }
                Ty::Struct(id, _) => {
                    let name = fields.next()?;
                    let all = &self.decls.structs[id].fields;
                    let field = all.iter().position(|(field, _)| field == name)?;
                    leaf += all[..field].iter().map(|(_, ty)| self.default_leaves(ty).len()).sum::<usize>();
                    all[field].1.clone()
                }
                other => {
                    return self.summand(slot, leaf).filter(|summand| *summand == other).map(|ty| (leaf, ty));
                }
            };
        }
    }
}
