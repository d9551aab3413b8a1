//! Conditions on clocks: guards, invariants and formulas.
//!
//! A guard is a conjunction. A disjunction or implication is allowed if at most one side mentions clocks: the other
//! side then says when the constraint applies.

use thetis_base::{Reported, Span};
use thetis_model::xta::{BinaryOp, ClockAtom, ClockRef, DataExpr, Formula, Guard, Relation, UnaryOp};

use super::Compiler;
use crate::ast::{Expr, ExprKind};
use crate::types::{Operand, Symbol, Type};

const COMPARISONS: [&str; 6] = ["<", "<=", "==", "!=", ">=", ">"];

impl Compiler<'_> {
    /// A conjunction of conditions.
    pub(super) fn guard(&mut self, conjuncts: &[Expr]) -> Result<Guard, Reported> {
        let mut guard = Guard { span: conjuncts.first().map(|first| first.span), ..Guard::default() };
        conjuncts.iter().try_for_each(|conjunct| self.conjunct(conjunct, None, &mut guard))?;
        Ok(guard)
    }

    fn conjunct(&mut self, expr: &Expr, when: Option<DataExpr>, guard: &mut Guard) -> Result<(), Reported> {
        if !self.mentions_clock(expr)? {
            let condition = self.value(expr)?;
            self.check_pure(&condition, expr.span)?;
            let condition = self.unless(when, condition, expr.span)?;
            guard.data.push(condition);
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Binary("&&", left, right) => {
                self.conjunct(left, when.clone(), guard)?;
                // A part that is never true decides the rest.
                if guard.data.last() == Some(&DataExpr::Const(0)) {
                    Ok(())
                } else {
                    self.conjunct(right, when, guard)
                }
            }
            ExprKind::Binary("imply", left, right) if !self.mentions_clock(left)? => {
                let condition = self.value(left)?;
                self.conjunct_when(right, condition, when, guard)
            }
            ExprKind::Binary("||", left, right) => {
                let (data, clocks) = match (self.mentions_clock(left)?, self.mentions_clock(right)?) {
                    (false, true) => (left, right),
                    (true, false) => (right, left),
                    _ => {
                        return self.unsupported(
                            expr.span,
                            "a disjunction of constraints on clocks is not supported",
                        );
                    }
                };
                let condition = self.value(data)?;
                let condition = self.fold_unary(UnaryOp::Not, condition, data.span)?;
                self.conjunct_when(clocks, condition, when, guard)
            }
            ExprKind::Quantified("forall", name, ty, body) => {
                for value in self.values_of(ty)? {
                    self.with_binding(name, value, |compiler| compiler.conjunct(body, when.clone(), guard))?;
                }
                Ok(())
            }
            ExprKind::Binary(op, left, right) if COMPARISONS.contains(op) => {
                let mut atom = self.comparison(op, left, right, expr.span)?;
                atom.when = when;
                guard.clocks.push(atom);
                Ok(())
            }
            ExprKind::Rate(_) => self.unsupported(expr.span, "rates of clocks are not supported"),
            _ => self.unsupported(expr.span, "clocks are not supported in this condition"),
        }
    }

    fn conjunct_when(
        &mut self,
        expr: &Expr,
        condition: DataExpr,
        when: Option<DataExpr>,
        guard: &mut Guard,
    ) -> Result<(), Reported> {
        self.check_pure(&condition, expr.span)?;
        if condition == DataExpr::Const(0) {
            return Ok(());
        }
        let when = match when {
            Some(outer) => self.fold(BinaryOp::And, outer, condition, expr.span)?,
            None => condition,
        };
        let when = if when.as_const().is_some_and(|number| number != 0) { None } else { Some(when) };
        self.conjunct(expr, when, guard)
    }

    fn unless(
        &mut self,
        when: Option<DataExpr>,
        condition: DataExpr,
        span: Span,
    ) -> Result<DataExpr, Reported> {
        let Some(when) = when else { return Ok(condition) };
        let not_when = self.fold_unary(UnaryOp::Not, when, span)?;
        self.fold(BinaryOp::Or, not_when, condition, span)
    }

    /// A comparison of sums of clocks and numbers.
    fn comparison(&mut self, op: &str, left: &Expr, right: &Expr, span: Span) -> Result<ClockAtom, Reported> {
        let mut sum = Linear { plus: Vec::new(), minus: Vec::new(), rest: DataExpr::Const(0) };
        self.linear(left, Sign::Plus, &mut sum)?;
        self.linear(right, Sign::Minus, &mut sum)?;
        let relation = match op {
            "<" => Relation::Less,
            "<=" => Relation::LessEqual,
            "==" => Relation::Equal,
            ">=" => Relation::GreaterEqual,
            ">" => Relation::Greater,
            _ => {
                return self
                    .unsupported(span, "a clock can only be compared by `<`, `<=`, `==`, `>=` and `>`");
            }
        };
        self.check_pure(&sum.rest, span)?;
        let (left, minus, relation, bound) = match (sum.plus.as_slice(), sum.minus.as_slice()) {
            // x + rest ~ 0
            ([x], minus @ ([] | [_])) => {
                let bound = self.fold_unary(UnaryOp::Minus, sum.rest, span)?;
                (x.clone(), minus.first().cloned(), relation, bound)
            }
            // rest - x ~ 0
            ([], [x]) => (x.clone(), None, mirrored(relation), sum.rest),
            _ => return self.unsupported(span, "only clocks and differences of two clocks can be compared"),
        };
        Ok(ClockAtom { when: None, left, minus, relation, bound })
    }

    /// Adds `expr` to `sum`, or subtracts it.
    fn linear(&mut self, expr: &Expr, sign: Sign, sum: &mut Linear) -> Result<(), Reported> {
        if !self.mentions_clock(expr)? {
            let value = self.value(expr)?;
            let op = if sign == Sign::Plus { BinaryOp::Add } else { BinaryOp::Subtract };
            let rest = std::mem::replace(&mut sum.rest, DataExpr::Const(0));
            sum.rest = match (rest, op) {
                (DataExpr::Const(0), BinaryOp::Add) => value,
                (rest, op) => self.fold(op, rest, value, expr.span)?,
            };
            return Ok(());
        }
        match &expr.kind {
            ExprKind::Binary("+", left, right) => {
                self.linear(left, sign, sum)?;
                self.linear(right, sign, sum)
            }
            ExprKind::Binary("-", left, right) => {
                self.linear(left, sign, sum)?;
                self.linear(right, sign.flipped(), sum)
            }
            ExprKind::Unary("-", operand) => self.linear(operand, sign.flipped(), sum),
            ExprKind::Unary("+", operand) => self.linear(operand, sign, sum),
            ExprKind::Name(_) | ExprKind::Index(..) | ExprKind::Field(..) => match self.operand(expr)? {
                Operand::Clock(clock, Type::Clock) => {
                    for index in &clock.indices {
                        self.check_pure(&index.at, expr.span)?;
                    }
                    if sign == Sign::Plus {
                        sum.plus.push(clock)
                    } else {
                        sum.minus.push(clock)
                    }
                    Ok(())
                }
                other => self.mismatch(expr.span, format!("{} cannot be compared", other.ty().describe())),
            },
            ExprKind::Rate(_) => self.unsupported(expr.span, "rates of clocks are not supported"),
            _ => self.unsupported(expr.span, "clocks are not supported in this expression"),
        }
    }

    /// The clock that `expr` denotes; `None` if it mentions no clock.
    pub(crate) fn clock_of(&mut self, expr: &Expr) -> Result<Option<ClockRef>, Reported> {
        if !self.mentions_clock(expr)? {
            return Ok(None);
        }
        let mut sum = Linear { plus: Vec::new(), minus: Vec::new(), rest: DataExpr::Const(0) };
        self.linear(expr, Sign::Plus, &mut sum)?;
        match (sum.plus.as_slice(), sum.minus.as_slice(), &sum.rest) {
            ([clock], [], DataExpr::Const(0)) => Ok(Some(clock.clone())),
            _ => self.unsupported(expr.span, "only single clocks and integers have extreme values here"),
        }
    }

    /// An integer expression without side effects.
    pub(crate) fn pure_value(&mut self, expr: &Expr) -> Result<DataExpr, Reported> {
        let value = self.value(expr)?;
        self.check_pure(&value, expr.span)?;
        Ok(value)
    }

    /// A formula of a query.
    pub(crate) fn formula(&mut self, expr: &Expr) -> Result<Formula, Reported> {
        if matches!(&expr.kind, ExprKind::Name(name) if name == "deadlock") {
            return Ok(Formula::Deadlock);
        }
        if !mentions_deadlock(expr) && !self.mentions_clock(expr)? {
            let value = self.value(expr)?;
            self.check_pure(&value, expr.span)?;
            return Ok(Formula::Data(value));
        }
        match &expr.kind {
            ExprKind::Unary("!", operand) => Ok(Formula::Not(Box::new(self.formula(operand)?))),
            ExprKind::Binary("&&", left, right) => {
                Ok(Formula::And(vec![self.formula(left)?, self.formula(right)?]))
            }
            ExprKind::Binary("||", left, right) => {
                Ok(Formula::Or(vec![self.formula(left)?, self.formula(right)?]))
            }
            ExprKind::Binary("imply", left, right) => {
                let left = Formula::Not(Box::new(self.formula(left)?));
                Ok(Formula::Or(vec![left, self.formula(right)?]))
            }
            ExprKind::Binary("!=", left, right) => {
                let equal = self.comparison("==", left, right, expr.span)?;
                Ok(Formula::Not(Box::new(Formula::Clock(equal))))
            }
            ExprKind::Binary(op, left, right) if COMPARISONS.contains(op) => {
                Ok(Formula::Clock(self.comparison(op, left, right, expr.span)?))
            }
            ExprKind::Quantified(word @ ("forall" | "exists"), name, ty, body) => {
                let values = self.values_of(ty)?;
                let parts =
                    values.map(|value| self.with_binding(name, value, |compiler| compiler.formula(body)));
                let parts: Vec<Formula> = parts.collect::<Result<_, _>>()?;
                Ok(if *word == "forall" { Formula::And(parts) } else { Formula::Or(parts) })
            }
            _ => self.unsupported(expr.span, "clocks and `deadlock` are not supported in this expression"),
        }
    }

    /// Whether `expr` mentions clocks. Undeclared names do not count; they are reported later.
    pub(super) fn mentions_clock(&mut self, expr: &Expr) -> Result<bool, Reported> {
        Ok(match &expr.kind {
            ExprKind::Number(_) => false,
            ExprKind::Name(name) => {
                matches!(self.lookup(name), Some(Symbol::Operand(Operand::Clock(..))))
            }
            ExprKind::Field(whole, _) => {
                let is_call = matches!(whole.kind, ExprKind::Call(..));
                let is_process = matches!(&whole.kind, ExprKind::Name(name) if self.lookup(name).is_none());
                (is_call || is_process) && matches!(self.operand(expr)?, Operand::Clock(..))
            }
            ExprKind::Index(array, _) => self.mentions_clock(array)?,
            ExprKind::Rate(_) => true,
            ExprKind::Unary(_, operand) | ExprKind::Step(_, _, operand) => self.mentions_clock(operand)?,
            ExprKind::Binary(_, left, right) | ExprKind::Assign(_, left, right) => {
                self.mentions_clock(left)? || self.mentions_clock(right)?
            }
            ExprKind::If(condition, then, otherwise) => {
                self.mentions_clock(condition)?
                    || self.mentions_clock(then)?
                    || self.mentions_clock(otherwise)?
            }
            ExprKind::Call(_, arguments) => self.any_mentions_clock(arguments)?,
            ExprKind::List(elements) => self.any_mentions_clock(elements)?,
            ExprKind::Quantified(_, name, ty, body) => {
                let first = *self.values_of(ty)?.start();
                self.with_binding(name, first, |compiler| compiler.mentions_clock(body))?
            }
        })
    }

    fn any_mentions_clock(&mut self, list: &[Expr]) -> Result<bool, Reported> {
        for expr in list {
            if self.mentions_clock(expr)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// A sum of clocks and a number.
struct Linear {
    plus: Vec<ClockRef>,
    minus: Vec<ClockRef>,
    rest: DataExpr,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plus,
    Minus,
}

impl Sign {
    fn flipped(self) -> Sign {
        match self {
            Sign::Plus => Sign::Minus,
            Sign::Minus => Sign::Plus,
        }
    }
}

fn mirrored(relation: Relation) -> Relation {
    match relation {
        Relation::Less => Relation::Greater,
        Relation::LessEqual => Relation::GreaterEqual,
        Relation::Equal => Relation::Equal,
        Relation::GreaterEqual => Relation::LessEqual,
        Relation::Greater => Relation::Less,
    }
}

fn mentions_deadlock(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(name) => name == "deadlock",
        ExprKind::Unary(_, operand) => mentions_deadlock(operand),
        ExprKind::Binary(_, left, right) => mentions_deadlock(left) || mentions_deadlock(right),
        ExprKind::Quantified(_, _, _, body) => mentions_deadlock(body),
        _ => false,
    }
}
