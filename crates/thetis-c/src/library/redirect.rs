//! Replaces calls of functions with a format by calls of the models that are made for them.

use std::collections::BTreeMap;

use num_traits::ToPrimitive;

use super::formatted::{Family, Formatted, ResultUse, Task, family};
use crate::hir::{
    Callee, Expr, ExprKind, FloatKind, FunctionId, Initializer, IntKind, Place, PlaceKind, Program, Stmt,
    StmtKind, Type, TypeId,
};
use crate::lower::fits;

/// What the models that are made for calls are called, with a number after it.
const PREFIX: &str = "__thetis_formatted_";

/// What the names of those begin with that read from a stream.
pub(crate) const SCAN_PREFIX: &str = "__thetis_formatted_scan_";

/// All calls with formats in a program, each once, with the names of their models.
pub(super) fn formatted_calls(program: &mut Program) -> BTreeMap<Formatted, String> {
    let mut calls = BTreeMap::new();
    visit_program(program, &mut |call| {
        calls.insert(call, String::new());
        None
    });
    for (number, (call, name)) in calls.iter_mut().enumerate() {
        let reads = matches!(call.family.task, Task::Scan | Task::ScanStream);
        let prefix = if reads { SCAN_PREFIX } else { PREFIX };
        *name = format!("{prefix}{number}");
    }
    calls
}

/// Lets these calls go to their models, which are in the program by now.
pub(super) fn redirect(program: &mut Program, calls: &BTreeMap<Formatted, String>) {
    let by_name: BTreeMap<String, FunctionId> = program
        .functions
        .iter_enumerated()
        .filter(|(_, function)| function.name.starts_with(PREFIX) && function.body.is_some())
        .map(|(id, function)| (function.name.clone(), id))
        .collect();
    visit_program(program, &mut |call| by_name.get(calls.get(&call)?).copied());
}

/// Decides about a call: the function to call instead.
type Decide<'d> = dyn FnMut(Formatted) -> Option<FunctionId> + 'd;

fn visit_program(program: &mut Program, decide: &mut Decide<'_>) {
    let families: BTreeMap<FunctionId, Family> = program
        .functions
        .iter_enumerated()
        .filter(|(_, function)| function.body.is_none() && fits(&program.types, function))
        .filter_map(|(id, function)| Some((id, family(&function.name)?)))
        .collect();
    if families.is_empty() {
        return;
    }
    for id in program.functions.indices() {
        let Some(mut body) = program.functions[id].body.take() else { continue };
        let mut visitor = Visitor { program, families: &families, decide };
        body.iter_mut().for_each(|stmt| visitor.stmt(stmt));
        program.functions[id].body = Some(body);
    }
}

struct Visitor<'v, 'd> {
    program: &'v Program,
    families: &'v BTreeMap<FunctionId, Family>,
    decide: &'v mut Decide<'d>,
}

impl Visitor<'_, '_> {
    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Expr(expr) => self.effect(expr),
            StmtKind::AcslAssert(expr) | StmtKind::Claim(_, expr) => self.expr(expr),
            StmtKind::Declare(_, Some(initializer)) => self.initializer(initializer),
            StmtKind::Block(stmts) => stmts.iter_mut().for_each(|stmt| self.stmt(stmt)),
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.stmt(then);
                otherwise.iter_mut().for_each(|stmt| self.stmt(stmt));
            }
            StmtKind::While { condition, body } | StmtKind::DoWhile { body, condition } => {
                self.expr(condition);
                self.stmt(body);
            }
            StmtKind::For { init, condition, step, body } => {
                init.iter_mut().for_each(|stmt| self.stmt(stmt));
                condition.iter_mut().for_each(|condition| self.expr(condition));
                step.iter_mut().for_each(|step| self.effect(step));
                self.stmt(body);
            }
            StmtKind::Switch { value, body } => {
                self.expr(value);
                self.stmt(body);
            }
            StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
                self.stmt(body);
            }
            StmtKind::Return(Some(value)) => self.expr(value),
            _ => {}
        }
    }

    fn initializer(&mut self, initializer: &mut Initializer) {
        match initializer {
            Initializer::Value(value) => self.expr(value),
            Initializer::Parts(parts) => parts.iter_mut().for_each(|part| self.expr(&mut part.value)),
        }
    }

    /// An expression whose value does not matter.
    fn effect(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Call(..) => self.call(expr, ResultUse::Ignored),
            ExprKind::Convert(inner) => self.effect(inner),
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.effect(right);
            }
            _ => self.expr(expr),
        }
    }

    fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Call(..) => self.call(expr, ResultUse::Used),
            ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.place(place),
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
                self.expr(operand);
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::Difference(left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Offset { pointer: left, index: right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Comma(left, right) => {
                self.effect(left);
                self.expr(right);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                [condition, then, otherwise].into_iter().for_each(|part| self.expr(part));
            }
            ExprKind::Assign(place, value)
            | ExprKind::Update { place, value, .. }
            | ExprKind::Advance { place, index: value, .. } => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::Step { place, .. } => self.place(place),
            ExprKind::Block(stmts, value) => {
                stmts.iter_mut().for_each(|stmt| self.stmt(stmt));
                value.iter_mut().for_each(|value| self.expr(value));
            }
            _ => {}
        }
    }

    fn place(&mut self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Deref(pointer) => self.expr(pointer),
            PlaceKind::Field(place, _) => self.place(place),
            PlaceKind::Index(place, index) => {
                self.place(place);
                self.expr(index);
            }
            PlaceKind::Literal(_, initializer) => self.initializer(initializer),
            PlaceKind::Temporary(value) => self.expr(value),
            _ => {}
        }
    }

    fn call(&mut self, expr: &mut Expr, result: ResultUse) {
        let ExprKind::Call(callee, args) = &mut expr.kind else { return };
        args.iter_mut().for_each(|arg| self.expr(arg));
        match callee {
            Callee::Pointer(pointer) => self.expr(pointer),
            Callee::Function(function) => {
                let Some(family) = self.families.get(function) else { return };
                let Some(call) = self.formatted(*family, args, result) else { return };
                if let Some(model) = (self.decide)(call) {
                    *function = model;
                }
            }
        }
    }

    fn formatted(&self, family: Family, args: &[Expr], result: ResultUse) -> Option<Formatted> {
        let params = args.iter().map(|arg| self.param(arg.ty)).collect::<Option<_>>()?;
        let format = self.constant_text(args.get(family.format)?);
        Some(Formatted { family, format, params, result })
    }

    /// The type of an argument in C.
    fn param(&self, ty: TypeId) -> Option<&'static str> {
        Some(match self.program.types.get(ty) {
            Type::Pointer(_) => "void *",
            Type::Float(FloatKind::LongDouble) => "long double",
            Type::Float(_) => "double",
            Type::Int(kind) => match kind {
                IntKind::UnsignedInt => "unsigned",
                IntKind::Long => "long",
                IntKind::UnsignedLong => "unsigned long",
                IntKind::LongLong => "long long",
                IntKind::UnsignedLongLong => "unsigned long long",
                IntKind::Int128 | IntKind::UnsignedInt128 => return None,
                _ => "int",
            },
            _ => return None,
        })
    }

    /// The characters of a string literal.
    fn constant_text(&self, expr: &Expr) -> Option<Vec<u8>> {
        match &expr.kind {
            ExprKind::Convert(inner) => self.constant_text(inner),
            ExprKind::Decay(place) => {
                let PlaceKind::Global(global) = place.kind else { return None };
                let global = &self.program.globals[global];
                let Some(Initializer::Parts(parts)) = &global.initializer else { return None };
                if !global.name.starts_with('#') {
                    return None;
                }
                let byte = |expr: &Expr| match &expr.kind {
                    ExprKind::Int(value) => value.to_i16().and_then(|value| u8::try_from(value & 0xff).ok()),
                    _ => None,
                };
                let bytes = parts.iter().map(|part| byte(&part.value)).collect::<Option<Vec<u8>>>()?;
                bytes.split(|byte| *byte == 0).next().map(<[u8]>::to_vec)
            }
            _ => None,
        }
    }
}
