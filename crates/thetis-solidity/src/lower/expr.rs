//! Expressions.

use num_bigint::BigInt;
use num_traits::{Num, Pow};
use solang_parser::pt;
use solang_parser::pt::CodeLocation;
use thetis_base::{Span, tick};
use thetis_expr::ExprId;
use thetis_expr::Rational;

use crate::fault::{Res, invalid, unsupported};
use crate::types::{Region, Ty};
use crate::version::Version;

use super::Lower;
use super::arith::{CmpOp, NumOp};
use super::graph::Node;
use super::item::{Item, Place, Typed, Val};

/// The digits of an address.
const ADDRESS_DIGITS: usize = 40;

impl Lower<'_, '_> {
    /// What an expression stands for; its side effects are translated.
    pub(crate) fn expr(&mut self, expr: &pt::Expression) -> Res<Item> {
        tick();
        let item = stacker::maybe_grow(256 * 1024, 8 * 1024 * 1024, || self.expr_here(expr))?;
        match item.ty() {
            Some(Ty::Opaque(kind)) => unsupported(self.span(&expr.loc()), kind.reason()),
            _ => Ok(item),
        }
    }

    /// A hexadecimal number; one as long as an address is an address.
    fn hex_number(&mut self, digits: &str, span: Span) -> Res<Item> {
        let number = hex(digits, span)?;
        if digits.trim_start_matches("0x").len() != ADDRESS_DIGITS {
            return Ok(number);
        }
        let payable = self.decls.version < Version(8, 0);
        Ok(Item::Value(self.coerce(number, &Ty::Address { payable }, span)?))
    }

    fn expr_here(&mut self, expr: &pt::Expression) -> Res<Item> {
        use pt::Expression as E;
        let span = self.span(&expr.loc());
        match expr {
            E::Parenthesis(_, inner) => self.expr(inner),
            E::BoolLiteral(_, value) => Ok(self.boolean(self.store.boolean(*value))),
            E::NumberLiteral(_, digits, exponent, unit) => number(digits, "", exponent, unit.as_ref(), span),
            E::RationalNumberLiteral(_, digits, fraction, exponent, unit) => {
                number(digits, fraction, exponent, unit.as_ref(), span)
            }
            E::HexNumberLiteral(_, digits, None) => self.hex_number(digits, span),
            E::AddressLiteral(_, digits) => hex(digits, span),
            E::StringLiteral(parts) => {
                Ok(Item::Text(parts.iter().flat_map(|part| unescape(&part.string)).collect()))
            }
            E::HexLiteral(parts) => hex_text(parts, span),
            E::Variable(name) => self.name(&name.name, span),
            E::Type(..) => Ok(Item::Type(self.decls.ty(self.frame().contract, expr, Region::Memory)?)),
            E::MemberAccess(_, base, name) => self.member(base, &name.name, span),
            E::ArraySubscript(_, base, Some(index)) => self.subscript(base, index, span),
            E::ArraySubscript(_, _, None) => {
                Ok(Item::Type(self.decls.ty(self.frame().contract, expr, Region::Memory)?))
            }
            E::ArraySlice(_, base, start, end) => self.slice(base, start.as_deref(), end.as_deref(), span),
            E::FunctionCall(_, callee, args) => self.call_expr(callee, args, span),
            E::NamedFunctionCall(_, callee, args) => self.named_call(callee, args, span),
            E::FunctionCallBlock(_, callee, options) => self.call_options(callee, options, span),
            E::New(_, object) => self.new_expr(object, span),
            E::List(_, parts) => self.tuple(parts),
            E::ArrayLiteral(_, elements) => self.array_literal(elements, span),
            E::ConditionalOperator(_, condition, yes, no) => self.conditional(condition, yes, no, span),
            E::Not(_, inner) => {
                let inner = self.condition(inner)?;
                Ok(self.boolean(self.store.not(inner)))
            }
            E::And(_, left, right) => self.logical(left, right, Logic::And),
            E::Or(_, left, right) => self.logical(left, right, Logic::Or),
            E::Equal(_, left, right) => self.equality(pt::UserDefinedOperator::Equal, left, right, span),
            E::NotEqual(_, left, right) => {
                self.equality(pt::UserDefinedOperator::NotEqual, left, right, span)
            }
            E::Less(_, left, right) => self.comparison(CmpOp::Lt, left, right, span),
            E::LessEqual(_, left, right) => self.comparison(CmpOp::Le, left, right, span),
            E::More(_, left, right) => self.comparison(CmpOp::Gt, left, right, span),
            E::MoreEqual(_, left, right) => self.comparison(CmpOp::Ge, left, right, span),
            E::Add(_, left, right) => self.arithmetic(NumOp::Add, left, right, span),
            E::Subtract(_, left, right) => self.arithmetic(NumOp::Sub, left, right, span),
            E::Multiply(_, left, right) => self.arithmetic(NumOp::Mul, left, right, span),
            E::Divide(_, left, right) => self.arithmetic(NumOp::Div, left, right, span),
            E::Modulo(_, left, right) => self.arithmetic(NumOp::Rem, left, right, span),
            E::Power(_, left, right) => self.arithmetic(NumOp::Pow, left, right, span),
            E::ShiftLeft(_, left, right) => self.arithmetic(NumOp::Shl, left, right, span),
            E::ShiftRight(_, left, right) => self.arithmetic(NumOp::Shr, left, right, span),
            E::BitwiseAnd(_, left, right) => self.arithmetic(NumOp::And, left, right, span),
            E::BitwiseOr(_, left, right) => self.arithmetic(NumOp::Or, left, right, span),
            E::BitwiseXor(_, left, right) => self.arithmetic(NumOp::Xor, left, right, span),
            E::Negate(_, inner) => self.negation(inner, span),
            E::UnaryPlus(_, inner) if self.decls.version < Version(5, 0) => self.expr(inner),
            E::UnaryPlus(..) => invalid(span, "there is no operator `+` with one operand"),
            E::BitwiseNot(_, inner) => self.complement(inner, span),
            _ if self.annotation.is_some() => invalid(span, "annotations must not have side effects"),
            E::Assign(_, target, value) => self.assignment(target, value, span),
            E::AssignAdd(_, target, value) => self.update_expr(NumOp::Add, target, value, span),
            E::AssignSubtract(_, target, value) => self.update_expr(NumOp::Sub, target, value, span),
            E::AssignMultiply(_, target, value) => self.update_expr(NumOp::Mul, target, value, span),
            E::AssignDivide(_, target, value) => self.update_expr(NumOp::Div, target, value, span),
            E::AssignModulo(_, target, value) => self.update_expr(NumOp::Rem, target, value, span),
            E::AssignShiftLeft(_, target, value) => self.update_expr(NumOp::Shl, target, value, span),
            E::AssignShiftRight(_, target, value) => self.update_expr(NumOp::Shr, target, value, span),
            E::AssignAnd(_, target, value) => self.update_expr(NumOp::And, target, value, span),
            E::AssignOr(_, target, value) => self.update_expr(NumOp::Or, target, value, span),
            E::AssignXor(_, target, value) => self.update_expr(NumOp::Xor, target, value, span),
            E::PreIncrement(_, target) => self.count(NumOp::Add, target, Given::New, span),
            E::PreDecrement(_, target) => self.count(NumOp::Sub, target, Given::New, span),
            E::PostIncrement(_, target) => self.count(NumOp::Add, target, Given::Old, span),
            E::PostDecrement(_, target) => self.count(NumOp::Sub, target, Given::Old, span),
            E::Delete(_, target) => self.delete(target, span),
            E::HexNumberLiteral(_, _, Some(_)) => invalid(span, "hexadecimal numbers have no units"),
        }
    }

    pub(crate) fn boolean(&self, term: ExprId) -> Item {
        Item::Value(Typed { ty: Ty::Bool, val: Val::Term(term) })
    }

    pub(crate) fn value(&self, ty: Ty, term: ExprId) -> Item {
        Item::Value(Typed { ty, val: Val::Term(term) })
    }

    /// A Boolean expression as a term.
    pub(crate) fn condition(&mut self, expr: &pt::Expression) -> Res<ExprId> {
        let span = self.span(&expr.loc());
        let item = self.expr(expr)?;
        self.coerce_term(item, &Ty::Bool, span)
    }

    fn tuple(&mut self, parts: &pt::ParameterList) -> Res<Item> {
        let mut items = Vec::new();
        let exprs: Vec<Option<&pt::Expression>> =
            parts.iter().map(|(_, part)| part.as_ref().map(|part| &part.ty)).collect();
        for (at, part) in exprs.iter().enumerate() {
            let Some(part) = part else {
                items.push(None);
                continue;
            };
            let item = self.expr(part)?;
            let later = exprs[at + 1..].iter().flatten().any(|later| has_effects(later));
            items.push(Some(if later { self.settled(item, self.span(&part.loc()))? } else { item }));
        }
        if items.len() == 1
            && let Some(Some(item)) = items.pop()
        {
            return Ok(item);
        }
        Ok(Item::Tuple(items))
    }

    /// An item whose value no longer changes.
    pub(crate) fn settled(&mut self, item: Item, span: Span) -> Res<Item> {
        match item {
            Item::Place(place) => {
                let typed = self.load(&place, span)?;
                match typed.val {
                    Val::Term(term) => {
                        let term = self.settle(term);
                        Ok(self.value(typed.ty, term))
                    }
                    Val::Place(place) => Ok(Item::Place(Place::Storage(self.settled_place(place)))),
                    Val::Leaves(_) => Ok(Item::Place(place)),
                }
            }
            Item::Value(Typed { ty, val: Val::Term(term) }) => {
                let term = self.settle(term);
                Ok(self.value(ty, term))
            }
            Item::Value(Typed { ty, val: Val::Place(place) }) => {
                Ok(Item::Value(Typed { ty, val: Val::Place(self.settled_place(place)) }))
            }
            Item::Tuple(parts) => {
                let parts: Res<Vec<_>> = parts
                    .into_iter()
                    .map(|part| part.map(|part| self.settled(part, span)).transpose())
                    .collect();
                Ok(Item::Tuple(parts?))
            }
            other => Ok(other),
        }
    }

    fn array_literal(&mut self, elements: &[pt::Expression], span: Span) -> Res<Item> {
        let mut items = Vec::new();
        for element in elements {
            let item = self.expr(element)?;
            items.push(self.settled(item, span)?);
        }
        let Some(first) = items.first() else { return invalid(span, "an array literal needs elements") };
        // All elements are converted to a common type, starting with that of the first one.
        let mut ty = self.typed(first.clone(), span)?.ty;
        for item in &items {
            let other = self.typed(item.clone(), span)?.ty;
            if self.coerce(item.clone(), &ty, span).is_err() {
                ty = other;
            }
        }
        let length = items.len() as u64;
        let ty = if ty.region().is_some() { ty.in_region(Region::Memory) } else { ty };
        let mut elements = None;
        let reference = self.new_array(&ty, self.number(&Ty::UINT, length), span)?;
        let map = self.element_map(&ty);
        for (at, item) in items.into_iter().enumerate() {
            let term = self.coerce_term(item, &ty, span)?;
            let row = match elements {
                Some(row) => row,
                None => self.heap(map.clone(), reference),
            };
            elements = Some(self.store.store(row, self.number(&Ty::UINT, at), term));
        }
        if let Some(row) = elements {
            self.set_heap(map, reference, row);
        }
        Ok(self.value(Ty::Array(Box::new(ty), Some(length), Region::Memory), reference))
    }

    fn conditional(
        &mut self,
        condition: &pt::Expression,
        yes: &pt::Expression,
        no: &pt::Expression,
        span: Span,
    ) -> Res<Item> {
        let condition = self.condition(condition)?;
        if self.annotation.is_some() {
            let (yes, no) = (self.expr(yes)?, self.expr(no)?);
            let (ty, yes, no) = self.common(yes, no, span)?;
            return Ok(self.value(ty, self.store.ite(condition, yes, no)));
        }
        let condition = self.settle(condition);
        let Some(start) = self.graph.here() else { return unsupported(span, "code that is never reached") };
        let join = self.graph.node();
        let (left, right) = (self.graph.node(), self.graph.node());
        self.graph.assume(condition);
        self.graph.jump(left);
        self.graph.resume(Some(start));
        self.graph.assume(self.store.not(condition));
        self.graph.jump(right);
        self.graph.resume(Some(left));
        let yes_item = self.expr(yes)?;
        let end_of_yes = self.graph.here();
        self.graph.resume(Some(right));
        let no_item = self.expr(no)?;
        let ends = Ends { yes: end_of_yes, no: self.graph.here(), join };
        self.join_values(condition, (yes_item, no_item), ends, span)
    }

    fn join_values(
        &mut self,
        condition: ExprId,
        (yes, no): (Item, Item),
        ends: Ends,
        span: Span,
    ) -> Res<Item> {
        if let (Item::Tuple(left), Item::Tuple(right)) = (&yes, &no)
            && left.len() == right.len()
        {
            return self.join_tuples(left, right, ends, span);
        }
        let join = ends.join;
        // Both in storage: the result stays there.
        let in_storage = |item: &Item| {
            matches!(item, Item::Place(Place::Storage(place)) if !place.ty.is_value() && !place.ty.is_text())
                || matches!(item, Item::Place(Place::Pointer(..)))
        };
        if in_storage(&yes) && in_storage(&no) {
            self.graph.jump(join);
            self.graph.resume(ends.yes);
            self.graph.jump(join);
            self.graph.resume(Some(join));
            return self.join_places(condition, yes, no, span);
        }
        let ty = self.joined_type(&yes, &no, span)?;
        let var = self.graph.fresh(&self.store, "choice", self.sort(&ty));
        for (item, end) in [(yes, ends.yes), (no, ends.no)] {
            self.graph.resume(end);
            let term = self.coerce_term(item, &ty, span)?;
            self.graph.assign(var, term);
            self.graph.jump(join);
        }
        self.graph.resume(Some(join));
        Ok(self.value(ty, self.store.var_expr(var)))
    }

    fn join_tuples(
        &mut self,
        left: &[Option<Item>],
        right: &[Option<Item>],
        ends: Ends,
        span: Span,
    ) -> Res<Item> {
        let mut results = Vec::new();
        for (yes, no) in left.iter().zip(right) {
            let (Some(yes), Some(no)) = (yes, no) else { return invalid(span, "a value is missing here") };
            let ty = self.joined_type(yes, no, span)?;
            let var = self.graph.fresh(&self.store, "choice", self.sort(&ty));
            results.push((ty, var));
        }
        for (items, end) in [(left, ends.yes), (right, ends.no)] {
            self.graph.resume(end);
            for (item, (ty, var)) in items.iter().flatten().zip(&results) {
                let term = self.coerce_term(item.clone(), ty, span)?;
                self.graph.assign(*var, term);
            }
            self.graph.jump(ends.join);
        }
        self.graph.resume(Some(ends.join));
        let values = results.into_iter().map(|(ty, var)| Some(self.value(ty, self.store.var_expr(var))));
        Ok(Item::Tuple(values.collect()))
    }

    fn join_places(&mut self, condition: ExprId, yes: Item, no: Item, span: Span) -> Res<Item> {
        let (yes, no) = (self.typed(yes, span)?, self.typed(no, span)?);
        let (Val::Place(left), Val::Place(right)) = (&yes.val, &no.val) else {
            return unsupported(span, "this conditional expression is not supported");
        };
        if !yes.ty.same_shape(&no.ty) {
            return invalid(span, "the two values have different types");
        }
        let (left, right) = (self.pointer_to(left, span)?, self.pointer_to(right, span)?);
        let pointer = self.merge_pointers(condition, &left, &right);
        let root = super::item::Root::Pointer(pointer, self.frame().this);
        let place = super::item::StoragePlace { root, path: Vec::new(), ty: yes.ty.clone() };
        Ok(Item::Value(Typed { ty: yes.ty, val: Val::Place(place) }))
    }

    fn joined_type(&mut self, yes: &Item, no: &Item, span: Span) -> Res<Ty> {
        let (left, right) = (self.natural_type(yes, span)?, self.natural_type(no, span)?);
        if left.region().is_some() {
            return Ok(left.in_region(Region::Memory));
        }
        match (&left, &right) {
            (Ty::Int { .. }, Ty::Int { .. }) if super::arith::includes(&right, &left) => Ok(right),
            (Ty::Address { payable: true }, Ty::Address { .. }) => Ok(right),
            _ => Ok(left),
        }
    }

    /// The type that an item has by itself, without reading it.
    fn natural_type(&self, item: &Item, span: Span) -> Res<Ty> {
        match item {
            Item::Value(typed) => Ok(typed.ty.clone()),
            Item::Place(
                Place::Local(_, ty)
                | Place::Pointer(_, ty)
                | Place::Field { ty, .. }
                | Place::Element { ty, .. },
            ) => Ok(ty.clone()),
            Item::Place(Place::Storage(place)) => Ok(place.ty.clone()),
            Item::Number(number) => super::convert::mobile(number, span),
            Item::Text(_) => Ok(Ty::String(Region::Memory)),
            Item::Callee(_) => unsupported(span, "functions as values are not supported"),
            _ => invalid(span, "this is not a value"),
        }
    }

    fn logical(&mut self, left: &pt::Expression, right: &pt::Expression, logic: Logic) -> Res<Item> {
        let first = self.condition(left)?;
        if self.annotation.is_some() || is_harmless(right) {
            let second = self.condition(right)?;
            return Ok(self.boolean(match logic {
                Logic::And => self.store.and(first, second),
                Logic::Or => self.store.or(first, second),
            }));
        }
        let result = self.graph.fresh(&self.store, "logic", thetis_expr::Sort::Bool);
        self.graph.assign(result, first);
        let first = self.store.var_expr(result);
        let goes_on = if logic == Logic::And { first } else { self.store.not(first) };
        let Some(start) = self.graph.here() else { return Ok(self.boolean(first)) };
        let join = self.graph.node();
        self.graph.assume(self.store.not(goes_on));
        self.graph.jump(join);
        self.graph.resume(Some(start));
        self.graph.assume(goes_on);
        let second = self.condition(right)?;
        self.graph.assign(result, second);
        self.graph.jump(join);
        self.graph.resume(Some(join));
        Ok(self.boolean(first))
    }
}

/// Which value a counting expression gives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Given {
    Old,
    New,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Logic {
    And,
    Or,
}

/// Where the two sides of a conditional expression end, and where they meet.
#[derive(Clone, Copy)]
struct Ends {
    yes: Option<Node>,
    no: Option<Node>,
    join: Node,
}

/// Whether an expression can change something.
pub(crate) fn has_effects(expr: &pt::Expression) -> bool {
    stacker::maybe_grow(128 * 1024, 4 * 1024 * 1024, || has_effects_here(expr))
}

fn has_effects_here(expr: &pt::Expression) -> bool {
    use pt::Expression as E;
    match expr {
        E::Variable(_)
        | E::BoolLiteral(..)
        | E::NumberLiteral(..)
        | E::RationalNumberLiteral(..)
        | E::HexNumberLiteral(..)
        | E::AddressLiteral(..) => false,
        E::StringLiteral(_) | E::HexLiteral(_) | E::Type(..) => false,
        E::Parenthesis(_, inner)
        | E::Not(_, inner)
        | E::BitwiseNot(_, inner)
        | E::Negate(_, inner)
        | E::UnaryPlus(_, inner)
        | E::MemberAccess(_, inner, _) => has_effects(inner),
        E::ArraySubscript(_, base, index) => {
            has_effects(base) || index.as_ref().is_some_and(|index| has_effects(index))
        }
        E::Add(_, l, r)
        | E::Subtract(_, l, r)
        | E::Multiply(_, l, r)
        | E::Divide(_, l, r)
        | E::Modulo(_, l, r)
        | E::Power(_, l, r)
        | E::ShiftLeft(_, l, r)
        | E::ShiftRight(_, l, r)
        | E::BitwiseAnd(_, l, r)
        | E::BitwiseOr(_, l, r)
        | E::BitwiseXor(_, l, r)
        | E::Less(_, l, r)
        | E::LessEqual(_, l, r)
        | E::More(_, l, r)
        | E::MoreEqual(_, l, r)
        | E::Equal(_, l, r)
        | E::NotEqual(_, l, r)
        | E::And(_, l, r)
        | E::Or(_, l, r) => has_effects(l) || has_effects(r),
        _ => true,
    }
}

/// Whether evaluating an expression cannot end the run or change anything, so that it may be evaluated even where the program
/// would not.
fn is_harmless(expr: &pt::Expression) -> bool {
    use pt::Expression as E;
    match expr {
        E::Variable(_)
        | E::BoolLiteral(..)
        | E::NumberLiteral(..)
        | E::HexNumberLiteral(..)
        | E::AddressLiteral(..) => true,
        E::Parenthesis(_, inner) | E::Not(_, inner) | E::MemberAccess(_, inner, _) => is_harmless(inner),
        E::Less(_, l, r)
        | E::LessEqual(_, l, r)
        | E::More(_, l, r)
        | E::MoreEqual(_, l, r)
        | E::Equal(_, l, r)
        | E::NotEqual(_, l, r)
        | E::And(_, l, r)
        | E::Or(_, l, r) => is_harmless(l) && is_harmless(r),
        _ => false,
    }
}

fn digits_of(text: &str) -> String {
    text.chars().filter(|c| *c != '_').collect()
}

fn number(
    digits: &str,
    fraction: &str,
    exponent: &str,
    unit: Option<&pt::Identifier>,
    span: Span,
) -> Res<Item> {
    const MAX_DIGITS: usize = 10_000;
    let (digits, fraction) = (digits_of(digits), digits_of(fraction));
    if digits.len() + fraction.len() > MAX_DIGITS {
        return invalid(span, "this number is too large");
    }
    let Ok(mantissa) = format!("{digits}{fraction}").parse::<BigInt>() else {
        return invalid(span, "this is not a number");
    };
    let exponent: i64 = match exponent {
        "" => 0,
        text => match digits_of(text).parse() {
            Ok(exponent) if (-1000..=1000).contains(&exponent) => exponent,
            _ => return invalid(span, "the exponent of this number is too large"),
        },
    };
    let scale = exponent - fraction.len() as i64;
    let ten = Rational::from_integer(BigInt::from(10));
    let factor: Rational = ten.pow(scale as i32);
    let Some(unit) = unit_factor(unit.map(|unit| unit.name.as_str())) else {
        return invalid(span, "unknown unit");
    };
    Ok(Item::Number(Rational::from_integer(mantissa) * factor * Rational::from_integer(unit)))
}

fn unit_factor(unit: Option<&str>) -> Option<BigInt> {
    let ten = BigInt::from(10);
    Some(match unit {
        None | Some("wei" | "seconds") => BigInt::from(1),
        Some("gwei") => ten.pow(9u32),
        Some("szabo") => ten.pow(12u32),
        Some("finney") => ten.pow(15u32),
        Some("ether") => ten.pow(18u32),
        Some("minutes") => BigInt::from(60),
        Some("hours") => BigInt::from(3600),
        Some("days") => BigInt::from(86_400),
        Some("weeks") => BigInt::from(604_800),
        Some("years") => BigInt::from(31_536_000),
        Some(_) => return None,
    })
}

fn hex(digits: &str, span: Span) -> Res<Item> {
    let digits = digits_of(digits);
    match BigInt::from_str_radix(digits.trim_start_matches("0x"), 16) {
        Ok(number) => Ok(Item::Number(Rational::from_integer(number))),
        Err(_) => invalid(span, "this is not a hexadecimal number"),
    }
}

fn hex_text(parts: &[pt::HexLiteral], span: Span) -> Res<Item> {
    let mut bytes = Vec::new();
    for part in parts {
        let text = part.hex.trim_start_matches("hex").trim_matches(['"', '\'']);
        let digits: Vec<u32> = text.chars().filter_map(|c| c.to_digit(16)).collect();
        if digits.len() % 2 == 1 {
            return invalid(span, "a hexadecimal text needs an even number of digits");
        }
        bytes.extend(digits.chunks(2).map(|pair| (16 * pair[0] + pair[1]) as u8));
    }
    Ok(Item::Text(bytes))
}

/// The bytes of a text with the escapes of Solidity.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            bytes.extend(c.to_string().bytes());
            continue;
        }
        match chars.next() {
            Some('n') => bytes.push(b'\n'),
            Some('r') => bytes.push(b'\r'),
            Some('t') => bytes.push(b'\t'),
            Some('x') => {
                let digits: String = chars.by_ref().take(2).collect();
                bytes.extend(u8::from_str_radix(&digits, 16));
            }
            Some('u') => {
                let digits: String = chars.by_ref().take(4).collect();
                let c = u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32);
                bytes.extend(c.into_iter().flat_map(|c| c.to_string().into_bytes()));
            }
            Some(other) => bytes.extend(other.to_string().bytes()),
            None => {}
        }
    }
    bytes
}
