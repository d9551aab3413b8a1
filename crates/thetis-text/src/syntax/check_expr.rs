//! The checker of expressions: from syntax to well-sorted terms.
//!
//! Parts come before the whole in the syntax tree, so one loop over the nodes of an expression builds all its terms. A
//! node with an error has no term, and neither have those above it; the error was reported once, where it arose.
//!
//! Integers become rationals where the other operand is rational: in arithmetic, comparisons and the branches of
//! `if`. Nowhere else are sorts converted. `+`, `-` and `*` also work on bit-vectors, as in Theta; where the
//! interpretation as signed or unsigned matters, the operators of bit-vectors must be used. All operators on numbers
//! but `mod` and `rem` also work on floats, rounding to the nearest; `=` on floats is that of IEEE 754.
//!
//! Some operators have no counterpart among terms: rotations become shifts, `rem` becomes `mod` with the sign of the
//! divisor, and divisions get their meaning for a divisor of zero (see `division`).

use std::collections::{HashMap, HashSet};

use thetis_base::{Code, Diagnostic, Sink, Span};
use thetis_expr::infix::print_sort;
use thetis_expr::{ArrayValue, ExprId, Op, RoundingMode, Sort, Store, Value, VarId, Version};

use super::ast::{
    ArrayLiteral, Ast, BinaryOp, ChainOp, Expr, ExprIndex, ExprKind, Extension, Range, Root, TypeIndex,
    UnaryOp,
};
use super::check_type::{Sorts, is_nested_to_the_limit};
use super::code;
use super::literal;

/// A declared variable; without a sort if its type is wrong.
#[derive(Clone, Copy)]
pub(crate) struct Variable {
    pub(crate) id: Option<(VarId, Sort)>,
    pub(crate) span: Span,
}

/// Builds the terms of one expression.
pub(crate) struct Lowering<'a, 's, 'd> {
    pub(crate) ast: &'a Ast,
    pub(crate) text: &'s str,
    pub(crate) store: &'a Store,
    pub(crate) sorts: &'a Sorts,
    pub(crate) vars: &'a HashMap<&'s str, Variable>,
    pub(crate) sink: &'a mut Sink<'d>,
    pub(crate) unknown: &'a mut HashSet<&'s str>,
    /// The node of the first of `terms`.
    pub(crate) first: ExprIndex,
    /// The terms of the nodes so far.
    pub(crate) terms: Vec<Option<ExprId>>,
    /// The variables that stand for quotients by zero in this expression.
    pub(crate) divisions: Vec<(VarId, Span)>,
    /// How many such variables there are in the whole file.
    pub(crate) num_divisions: &'a mut u32,
}

impl<'s> Lowering<'_, 's, '_> {
    /// The term of an expression, or nothing if it has errors.
    pub(crate) fn lower(&mut self, root: Root) -> Option<ExprId> {
        for node in &self.ast.exprs[root.first.0 as usize..=root.root.0 as usize] {
            let term = self.node(node);
            self.terms.push(term);
        }
        self.term(root.root)
    }

    fn node(&mut self, node: &Expr) -> Option<ExprId> {
        match node.kind {
            ExprKind::Bool(value) => Some(self.store.boolean(value)),
            ExprKind::Nat => {
                let number = self.meant(node.span, literal::natural(self.text_of(node.span)))?;
                Some(self.store.int(number))
            }
            ExprKind::Rat(numerator, denominator) => {
                let value = literal::rational(self.text_of(numerator), self.text_of(denominator));
                Some(self.store.real(self.meant(node.span, value)?))
            }
            ExprKind::Bits => {
                let value = literal::bits(self.text_of(node.span));
                Some(self.store.literal(Value::BitVec(self.meant(node.span, value)?)))
            }
            ExprKind::Float(literal) => self.float_literal(literal, node.span),
            ExprKind::Var => self.variable(node.span),
            ExprKind::Unary(op, operand) => self.unary(op, operand, node.span),
            ExprKind::Binary(op, left, right) => self.binary(op, left, right, node.span),
            ExprKind::Chain(op, operands) => self.chain(op, operands),
            ExprKind::Ite(condition, then, otherwise) => self.ite(condition, then, otherwise),
            ExprKind::Read(array, index) => self.read(array, index),
            ExprKind::Write(array, entries) => self.write(array, entries),
            ExprKind::Extract(operand, until, from) => self.extract(operand, until, from),
            ExprKind::Extend(extension, operand, ty) => self.extend(extension, operand, ty),
            ExprKind::Array(literal) => self.array(literal, node.span),
            ExprKind::Poison => None,
        }
    }

    fn variable(&mut self, span: Span) -> Option<ExprId> {
        let name = self.text_of(span);
        match self.vars.get(name) {
            Some(variable) => variable.id.map(|(var, _)| self.store.var_expr(var)),
            None => {
                if self.unknown.insert(name) {
                    self.sink.error(span, code::UNKNOWN_NAME, format!("unknown variable `{name}`"));
                }
                None
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: ExprIndex, span: Span) -> Option<ExprId> {
        let term = self.term(operand)?;
        let sort = self.store.sort(term);
        match op {
            UnaryOp::Not => self.expect_bool("not", operand).map(|term| self.store.not(term)),
            UnaryOp::Plus | UnaryOp::Minus => match sort {
                Sort::Int | Sort::Real if op == UnaryOp::Minus => Some(self.store.neg(term)),
                Sort::BitVec(_) if op == UnaryOp::Minus => Some(self.store.bv_neg(term)),
                Sort::Float(_) if op == UnaryOp::Minus => Some(self.store.fp_neg(term)),
                Sort::Int | Sort::Real | Sort::BitVec(_) | Sort::Float(_) => Some(term),
                _ => self.wrong_operand(op.text(), "a number or a bit-vector", operand),
            },
            UnaryOp::BvNot | UnaryOp::BvPos | UnaryOp::BvNeg => {
                self.expect_bits(op.text(), operand)?;
                Some(match op {
                    UnaryOp::BvNot => self.store.bv_not(term),
                    UnaryOp::BvNeg => self.store.bv_neg(term),
                    _ => term,
                })
            }
            UnaryOp::Prime => self.prime(term, span),
            UnaryOp::Float(op) => self.float_unary(op, operand, span),
        }
    }

    /// The term with all variables primed, if none is yet and none stands for a quotient by zero.
    fn prime(&mut self, term: ExprId, span: Span) -> Option<ExprId> {
        let vars = self.store.vars_of([term]);
        let message = if vars.iter().any(|var| self.store.symbol(*var).version == Version::Next) {
            "only the next state can be spoken of, not the one after it"
        } else if vars.iter().any(|var| self.divisions.iter().any(|(division, _)| division == var)) {
            "a division by zero would be arbitrary here, which is not supported"
        } else {
            return Some(self.store.primed(term));
        };
        self.sink.error(span, code::UNSUPPORTED, message);
        None
    }

    fn binary(&mut self, op: BinaryOp, left: ExprIndex, right: ExprIndex, span: Span) -> Option<ExprId> {
        match op {
            BinaryOp::Iff | BinaryOp::Imply | BinaryOp::Xor => {
                let left = self.expect_bool(op.text(), left);
                let (left, right) = (left?, self.expect_bool(op.text(), right)?);
                Some(match op {
                    BinaryOp::Iff => self.store.eq(left, right),
                    BinaryOp::Imply => self.store.implies(left, right),
                    _ => self.store.xor(left, right),
                })
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                let (left, right) = self.same_sort(op.text(), left, right)?;
                let equal = match self.store.sort(left) {
                    Sort::Float(_) => self.store.fp_eq(left, right),
                    _ => self.store.eq(left, right),
                };
                Some(if op == BinaryOp::Eq { equal } else { self.store.not(equal) })
            }
            BinaryOp::Lt | BinaryOp::Le => self.order(op, left, right),
            BinaryOp::Gt | BinaryOp::Ge => self.order(op, left, right),
            BinaryOp::Sub => self.difference(left, right),
            BinaryOp::Div => self.quotient(left, right, span),
            BinaryOp::Mod | BinaryOp::Rem => {
                let left = self.expect_int(op.text(), left);
                let (left, right) = (left?, self.expect_int(op.text(), right)?);
                Some(match op {
                    BinaryOp::Mod => self.divide(Op::Mod, left, right, span),
                    _ => self.remainder(left, right, span),
                })
            }
            BinaryOp::Bits(op) => self.bits(op, left, right),
            BinaryOp::Float(op) => self.float_binary(op, left, right),
        }
    }

    fn order(&mut self, op: BinaryOp, left: ExprIndex, right: ExprIndex) -> Option<ExprId> {
        let (left, right) = self.numbers_or_floats(op.text(), left, right)?;
        let (less, is_strict) = match op {
            BinaryOp::Lt => ((left, right), true),
            BinaryOp::Le => ((left, right), false),
            BinaryOp::Gt => ((right, left), true),
            _ => ((right, left), false),
        };
        let is_float = self.store.sort(left).float_format().is_some();
        Some(match (is_float, is_strict) {
            (false, true) => self.store.lt(less.0, less.1),
            (false, false) => self.store.le(less.0, less.1),
            (true, true) => self.store.fp_lt(less.0, less.1),
            (true, false) => self.store.fp_le(less.0, less.1),
        })
    }

    fn difference(&mut self, left: ExprIndex, right: ExprIndex) -> Option<ExprId> {
        let (first, _) = (self.term(left)?, self.term(right)?);
        if self.store.sort(first).width().is_some() {
            let (left, right) = self.same_sort("-", left, right)?;
            return Some(self.store.bv_sub(left, right));
        }
        let (left, right) = self.numbers_or_floats("-", left, right)?;
        Some(match self.store.sort(left) {
            Sort::Float(_) => self.store.fp_sub(RoundingMode::NearestEven, left, right),
            _ => self.store.sub(left, right),
        })
    }

    fn quotient(&mut self, left: ExprIndex, right: ExprIndex, span: Span) -> Option<ExprId> {
        let (left, right) = self.numbers_or_floats("/", left, right)?;
        Some(match self.store.sort(left) {
            Sort::Float(_) => self.store.fp_div(RoundingMode::NearestEven, left, right),
            Sort::Int => self.divide(Op::IntDiv, left, right, span),
            _ => self.divide(Op::RealDiv, left, right, span),
        })
    }

    fn chain(&mut self, op: ChainOp, operands: Range) -> Option<ExprId> {
        let operands = operands.of(&self.ast.operands);
        match op {
            ChainOp::And | ChainOp::Or => {
                let formulas: Vec<_> =
                    operands.iter().map(|operand| self.expect_bool(op.text(), *operand)).collect();
                let formulas = formulas.into_iter().collect::<Option<Vec<_>>>()?;
                Some(match op {
                    ChainOp::And => self.store.and_all(formulas),
                    _ => self.store.or_all(formulas),
                })
            }
            ChainOp::Add | ChainOp::Mul => self.sum_or_product(op, operands),
        }
    }

    fn sum_or_product(&mut self, op: ChainOp, operands: &[ExprIndex]) -> Option<ExprId> {
        let mut terms = Vec::with_capacity(operands.len());
        for operand in operands {
            terms.push(self.term(*operand)?);
        }
        if matches!(self.store.sort(terms[0]), Sort::BitVec(_) | Sort::Float(_)) {
            return self.left_chain(op, operands, &terms);
        }
        let number = |sort: Sort| sort.is_numeric();
        if let Some(wrong) = terms.iter().position(|term| !number(self.store.sort(*term))) {
            let expected = if wrong == 0 { "a number or a bit-vector" } else { "a number" };
            return self.wrong_operand(op.text(), expected, operands[wrong]);
        }
        if terms.iter().any(|term| self.store.sort(*term) == Sort::Real) {
            terms.iter_mut().for_each(|term| *term = self.rational(*term));
        }
        let op = if op == ChainOp::Add { Op::Add } else { Op::Mul };
        Some(self.store.app(op, None, &terms).expect("numbers of one sort should have a sum and a product"))
    }

    /// A sum or product of bit-vectors or floats, from the left: that of floats is not associative.
    fn left_chain(&mut self, op: ChainOp, operands: &[ExprIndex], terms: &[ExprId]) -> Option<ExprId> {
        for other in &operands[1..] {
            self.same_sort(op.text(), operands[0], *other)?;
        }
        let nearest = RoundingMode::NearestEven;
        let is_float = self.store.sort(terms[0]).float_format().is_some();
        let join = |left, right| match (op, is_float) {
            (ChainOp::Add, false) => self.store.bv_add(left, right),
            (ChainOp::Add, true) => self.store.fp_add(nearest, left, right),
            (_, false) => self.store.bv_mul(left, right),
            (_, true) => self.store.fp_mul(nearest, left, right),
        };
        terms.iter().copied().reduce(join)
    }

    fn ite(&mut self, condition: ExprIndex, then: ExprIndex, otherwise: ExprIndex) -> Option<ExprId> {
        let formula = self.expect_bool("if", condition);
        let (then, otherwise) = self.same_sort("if", then, otherwise)?;
        Some(self.conditional(formula?, then, otherwise))
    }

    fn read(&mut self, array: ExprIndex, index: ExprIndex) -> Option<ExprId> {
        let (index_sort, _) = self.expect_array(array)?;
        let index = self.expect_sort("the index", index_sort, index)?;
        Some(self.store.select(self.term(array)?, index))
    }

    fn write(&mut self, array: ExprIndex, entries: Range) -> Option<ExprId> {
        let (index, element) = self.expect_array(array)?;
        let entries = self.entries(entries, index, element)?;
        Some(self.write_all(self.term(array)?, &entries))
    }

    /// Indices and elements of the given sorts.
    fn entries(&mut self, entries: Range, index: Sort, element: Sort) -> Option<Vec<(ExprId, ExprId)>> {
        let entries = entries.of(&self.ast.operands);
        let mut checked = Some(Vec::with_capacity(entries.len() / 2));
        for entry in entries.chunks_exact(2) {
            let index = self.expect_sort("the index", index, entry[0]);
            let element = self.expect_sort("the element", element, entry[1]);
            match (index.zip(element), &mut checked) {
                (Some(entry), Some(list)) => list.push(entry),
                _ => checked = None,
            }
        }
        checked
    }

    /// Writes entries one after the other. As long as all are literals they become one literal at once: step by step
    /// would take quadratic time.
    fn write_all(&self, array: ExprId, entries: &[(ExprId, ExprId)]) -> ExprId {
        let values = |entry: &(ExprId, ExprId)| self.store.value(entry.0).zip(self.store.value(entry.1));
        let mut written = (array, entries);
        if let Some(Value::Array(literal)) = self.store.value(array) {
            let literals: Vec<(Value, Value)> = entries.iter().map_while(values).collect();
            let rest = &entries[literals.len()..];
            let literal = ArrayValue::clone(&literal).write_all(literals);
            written = (self.store.literal(Value::Array(literal.into())), rest);
        }
        let (array, rest) = written;
        rest.iter().fold(array, |array, (index, element)| self.store.store(array, *index, *element))
    }

    fn expect_array(&mut self, array: ExprIndex) -> Option<(Sort, Sort)> {
        let term = self.term(array)?;
        match self.store.sort(term) {
            Sort::Array(sort) => Some(self.store.array_parts(sort)),
            sort => {
                let message = format!("`{}` has no elements: an array is needed", self.sort_text(sort));
                self.type_error(self.span(array), message)
            }
        }
    }

    /// The literal `[index <- element, …, default <- element]`, whose later entries win over earlier ones.
    fn array(&mut self, literal: ArrayLiteral, span: Span) -> Option<ExprId> {
        let index_sort = match literal.index {
            Some(ty) => self.sorts.of(ty)?,
            None => match literal.entries.of(&self.ast.operands).first() {
                Some(index) => self.store.sort(self.term(*index)?),
                None => {
                    let message = "an array literal without entries needs the type of its indices";
                    let diagnostic = Diagnostic::error(span, code::TYPE_MISMATCH, message);
                    self.sink.report(diagnostic.help("write it like `[<int> default <- 0]`"));
                    return None;
                }
            },
        };
        let default = self.term(literal.default)?;
        self.allow_array(index_sort, self.store.sort(default), span)?;
        let entries = self.entries(literal.entries, index_sort, self.store.sort(default))?;
        Some(self.write_all(self.store.const_array(index_sort, default), &entries))
    }

    fn allow_array(&mut self, index: Sort, element: Sort, span: Span) -> Option<()> {
        let message = if matches!(index, Sort::Array(_)) {
            "arrays indexed by arrays are not supported"
        } else if is_nested_to_the_limit(self.store, element) {
            "arrays nested so deeply are not supported"
        } else {
            return Some(());
        };
        self.error(span, code::UNSUPPORTED, message)
    }

    fn extract(&mut self, operand: ExprIndex, until: Span, from: Span) -> Option<ExprId> {
        let width = self.expect_bits("extraction", operand)?;
        let until_bit = self.meant(until, literal::position(self.text_of(until)))?;
        let from_bit = self.meant(from, literal::position(self.text_of(from)))?;
        if until_bit > width {
            let message = format!("bit {until_bit} is beyond the {width} bits of the operand");
            return self.error(until, code::WIDTH, message);
        }
        if from_bit >= until_bit {
            let message = format!("`[{until_bit}:{from_bit}]` has no bits: it is `[until:from]`");
            return self.error(until.to(from), code::WIDTH, message);
        }
        Some(self.store.extract(self.term(operand)?, from_bit, until_bit - from_bit))
    }

    fn extend(&mut self, extension: Extension, operand: ExprIndex, ty: TypeIndex) -> Option<ExprId> {
        let width = self.expect_bits(extension.text(), operand);
        let target = self.sorts.of(ty)?.width()?;
        let width = width?;
        if target < width {
            let message = format!("cannot extend `bv[{width}]` to `bv[{target}]`");
            return self.error(self.ast.types[ty.0 as usize].span, code::WIDTH, message);
        }
        let term = self.term(operand)?;
        Some(match extension {
            Extension::Zero => self.store.zero_extend(term, target),
            Extension::Sign => self.store.sign_extend(term, target),
        })
    }
}

/// Operands and their sorts.
impl<'s> Lowering<'_, 's, '_> {
    /// The term of a node before the current one.
    pub(crate) fn term(&self, node: ExprIndex) -> Option<ExprId> {
        self.terms[(node.0 - self.first.0) as usize]
    }

    pub(crate) fn span(&self, node: ExprIndex) -> Span {
        self.ast.exprs[node.0 as usize].span
    }

    pub(crate) fn text_of(&self, span: Span) -> &'s str {
        &self.text[span.start as usize..span.end as usize]
    }

    pub(crate) fn sort_text(&self, sort: Sort) -> String {
        print_sort(self.store, sort)
    }

    fn expect_bool(&mut self, op: &str, operand: ExprIndex) -> Option<ExprId> {
        let term = self.term(operand)?;
        if self.store.sort(term) == Sort::Bool {
            return Some(term);
        }
        self.wrong_operand(op, "`bool`", operand)
    }

    fn expect_int(&mut self, op: &str, operand: ExprIndex) -> Option<ExprId> {
        let term = self.term(operand)?;
        if self.store.sort(term) == Sort::Int {
            return Some(term);
        }
        self.wrong_operand(op, "`int`", operand)
    }

    /// The width of a bit-vector operand.
    pub(crate) fn expect_bits(&mut self, op: &str, operand: ExprIndex) -> Option<u32> {
        let term = self.term(operand)?;
        let width = self.store.sort(term).width();
        if width.is_none() {
            self.wrong_operand::<()>(op, "a bit-vector", operand);
        }
        width
    }

    fn expect_sort(&mut self, what: &str, sort: Sort, operand: ExprIndex) -> Option<ExprId> {
        let term = self.term(operand)?;
        let found = self.store.sort(term);
        if found == sort {
            return Some(term);
        }
        let (expected, found) = (self.sort_text(sort), self.sort_text(found));
        self.type_error(self.span(operand), format!("{what} must be `{expected}`, but this is `{found}`"))
    }

    /// Two numbers, made rational if one is, or two floats of one format.
    fn numbers_or_floats(&mut self, op: &str, left: ExprIndex, right: ExprIndex) -> Option<(ExprId, ExprId)> {
        let (first, second) = (self.term(left)?, self.term(right)?);
        for (term, operand) in [(first, left), (second, right)] {
            let sort = self.store.sort(term);
            if !sort.is_numeric() && sort.float_format().is_none() {
                return self.wrong_operand(op, "a number", operand);
            }
        }
        self.same_sort(op, left, right)
    }

    /// Two terms of one sort, made rational if one is and the other is an integer.
    pub(crate) fn same_sort(
        &mut self,
        op: &str,
        left: ExprIndex,
        right: ExprIndex,
    ) -> Option<(ExprId, ExprId)> {
        let (first, second) = self.unify(self.term(left)?, self.term(right)?);
        let (first_sort, second_sort) = (self.store.sort(first), self.store.sort(second));
        if first_sort == second_sort {
            return Some((first, second));
        }
        let (first, second) = (self.sort_text(first_sort), self.sort_text(second_sort));
        let message = format!("`{op}` needs two operands of one type, but has `{first}` and `{second}`");
        let diagnostic = Diagnostic::error(self.span(right), code::TYPE_MISMATCH, message);
        let diagnostic = diagnostic
            .label(self.span(left), format!("this is `{first}`"))
            .label(self.span(right), format!("this is `{second}`"));
        self.sink.report(diagnostic);
        None
    }

    fn unify(&self, left: ExprId, right: ExprId) -> (ExprId, ExprId) {
        match (self.store.sort(left), self.store.sort(right)) {
            (Sort::Int, Sort::Real) => (self.store.to_real(left), right),
            (Sort::Real, Sort::Int) => (left, self.store.to_real(right)),
            _ => (left, right),
        }
    }

    fn rational(&self, number: ExprId) -> ExprId {
        if self.store.sort(number) == Sort::Int { self.store.to_real(number) } else { number }
    }

    pub(crate) fn wrong_operand<T>(&mut self, op: &str, expected: &str, operand: ExprIndex) -> Option<T> {
        let sort = self.term(operand).map(|term| self.store.sort(term))?;
        let message = format!("`{op}` needs {expected}, but this is `{}`", self.sort_text(sort));
        let mut diagnostic = Diagnostic::error(self.span(operand), code::TYPE_MISMATCH, message);
        if let Some(help) = bits_operators(op).filter(|_| sort.width().is_some()) {
            diagnostic = diagnostic.help(format!("for bit-vectors there are {help}"));
        }
        self.sink.report(diagnostic);
        None
    }

    fn type_error<T>(&mut self, span: Span, message: String) -> Option<T> {
        self.error(span, code::TYPE_MISMATCH, message)
    }

    pub(crate) fn error<T>(&mut self, span: Span, code: Code, message: impl Into<String>) -> Option<T> {
        self.sink.error(span, code, message);
        None
    }

    /// The value of a literal, or its error reported.
    pub(crate) fn meant<T>(&mut self, span: Span, value: literal::Meaning<T>) -> Option<T> {
        value.map_err(|message| self.sink.error(span, code::LITERAL, message)).ok()
    }
}

/// What to write instead of an operator on numbers.
fn bits_operators(op: &str) -> Option<&'static str> {
    Some(match op {
        "<" => "`bvult` and `bvslt`",
        "<=" => "`bvule` and `bvsle`",
        ">" => "`bvugt` and `bvsgt`",
        ">=" => "`bvuge` and `bvsge`",
        "/" => "`bvudiv` and `bvsdiv`",
        "mod" => "`bvsmod` and `bvurem`",
        "rem" => "`bvurem` and `bvsrem`",
        _ => return None,
    })
}
