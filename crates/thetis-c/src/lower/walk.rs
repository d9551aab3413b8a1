//! Visits all parts of a statement or expression, outer ones first, in the order of the text.

use crate::hir::{Callee, Expr, ExprKind, GlobalId, Initializer, LocalId, Place, PlaceKind, Stmt, StmtKind};

/// A part of a function body.
#[derive(Clone, Copy)]
pub(crate) enum Part<'h> {
    Stmt(&'h Stmt),
    Expr(&'h Expr),
    Place(&'h Place),
    Initializer(&'h Initializer),
}

/// This part and all inside it.
pub(super) fn walk<'h>(roots: impl IntoIterator<Item = Part<'h>>) -> impl Iterator<Item = Part<'h>> {
    let mut stack: Vec<Part<'h>> = roots.into_iter().collect();
    stack.reverse();
    std::iter::from_fn(move || {
        let part = stack.pop()?;
        let start = stack.len();
        push_inside(part, &mut stack);
        stack[start..].reverse();
        Some(part)
    })
}

/// The parts that a part is directly made of.
pub(super) fn parts_inside(part: Part<'_>) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    push_inside(part, &mut parts);
    parts
}

fn push_inside<'h>(part: Part<'h>, parts: &mut Vec<Part<'h>>) {
    match part {
        Part::Stmt(stmt) => push_stmt(stmt, parts),
        Part::Expr(expr) => push_expr(expr, parts),
        Part::Place(place) => push_place(place, parts),
        Part::Initializer(Initializer::Value(value)) => parts.push(Part::Expr(value)),
        Part::Initializer(Initializer::Parts(values)) => {
            parts.extend(values.iter().map(|part| Part::Expr(&part.value)));
        }
    }
}

/// All statements of a body.
pub(crate) fn walk_body(body: &[Stmt]) -> impl Iterator<Item = Part<'_>> {
    walk(body.iter().map(Part::Stmt))
}

/// All initial values.
pub(crate) fn walk_initializers<'h>(
    initializers: impl IntoIterator<Item = &'h Initializer>,
) -> impl Iterator<Item = Part<'h>> {
    walk(initializers.into_iter().map(Part::Initializer))
}

/// The global variable whose address an expression takes, or that of a part of it.
pub(crate) fn addressed_global(part: Part<'_>) -> Option<GlobalId> {
    let Part::Expr(Expr { kind: ExprKind::AddressOf(place) | ExprKind::Decay(place), .. }) = part else {
        return None;
    };
    let mut place = place;
    loop {
        match &place.kind {
            PlaceKind::Global(global) => return Some(*global),
            PlaceKind::Field(whole, _) | PlaceKind::Index(whole, _) => place = whole,
            _ => return None,
        }
    }
}

/// Whether the initialiser of a variable mentions the variable, which has no value yet.
pub(super) fn mentions(initializer: &Initializer, local: LocalId) -> bool {
    walk_initializers([initializer]).any(
        |part| matches!(part, Part::Place(Place { kind: PlaceKind::Local(found), .. }) if *found == local),
    )
}

/// Whether a part may write anything or call a function.
pub(crate) fn has_effects(part: Part<'_>) -> bool {
    walk([part]).any(|part| match part {
        Part::Expr(expr) => matches!(
            expr.kind,
            ExprKind::Assign(..)
                | ExprKind::Update { .. }
                | ExprKind::Advance { .. }
                | ExprKind::Step { .. }
                | ExprKind::Call(..)
                | ExprKind::Block(..)
        ),
        Part::Stmt(Stmt { kind: StmtKind::Declare(_, Some(Initializer::Value(_))), .. }) => true,
        _ => false,
    })
}

fn push_stmt<'h>(stmt: &'h Stmt, parts: &mut Vec<Part<'h>>) {
    match &stmt.kind {
        StmtKind::Expr(expr) | StmtKind::AcslAssert(expr) | StmtKind::Claim(_, expr) => {
            parts.push(Part::Expr(expr))
        }
        StmtKind::Declare(_, initializer) => parts.extend(initializer.iter().map(Part::Initializer)),
        StmtKind::Block(stmts) => parts.extend(stmts.iter().map(Part::Stmt)),
        StmtKind::If { condition, then, otherwise } => {
            parts.push(Part::Expr(condition));
            parts.push(Part::Stmt(then));
            parts.extend(otherwise.iter().map(|otherwise| Part::Stmt(otherwise)));
        }
        StmtKind::While { condition, body } => {
            parts.extend([Part::Expr(condition), Part::Stmt(body)]);
        }
        StmtKind::DoWhile { body, condition } => {
            parts.extend([Part::Stmt(body), Part::Expr(condition)]);
        }
        StmtKind::For { init, condition, step, body } => {
            parts.extend(init.iter().map(Part::Stmt));
            parts.extend(condition.iter().map(Part::Expr));
            parts.push(Part::Stmt(body));
            parts.extend(step.iter().map(Part::Expr));
        }
        StmtKind::Switch { value, body } => parts.extend([Part::Expr(value), Part::Stmt(body)]),
        StmtKind::Case { body, .. } | StmtKind::Default(body) | StmtKind::Label(_, body) => {
            parts.push(Part::Stmt(body));
        }
        StmtKind::Return(value) => parts.extend(value.iter().map(Part::Expr)),
        StmtKind::Goto(_) | StmtKind::Break | StmtKind::Continue | StmtKind::Unsupported(_) => {}
    }
}

fn push_expr<'h>(expr: &'h Expr, parts: &mut Vec<Part<'h>>) {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::FunctionAddress(_) | ExprKind::Unsupported(_) => {}
        ExprKind::Load(place) | ExprKind::AddressOf(place) | ExprKind::Decay(place) => {
            parts.push(Part::Place(place));
        }
        ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
            parts.push(Part::Expr(operand));
        }
        ExprKind::Binary(_, left, right)
        | ExprKind::Compare(_, left, right)
        | ExprKind::Offset { pointer: left, index: right, .. }
        | ExprKind::Difference(left, right)
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right)
        | ExprKind::Comma(left, right) => parts.extend([Part::Expr(left), Part::Expr(right)]),
        ExprKind::Conditional(condition, then, otherwise) => {
            parts.extend([Part::Expr(condition), Part::Expr(then), Part::Expr(otherwise)]);
        }
        ExprKind::Assign(place, value)
        | ExprKind::Update { place, value, .. }
        | ExprKind::Advance { place, index: value, .. } => {
            parts.extend([Part::Place(place), Part::Expr(value)]);
        }
        ExprKind::Step { place, .. } => parts.push(Part::Place(place)),
        ExprKind::Call(callee, args) => {
            if let Callee::Pointer(pointer) = callee {
                parts.push(Part::Expr(pointer));
            }
            parts.extend(args.iter().map(Part::Expr));
        }
        ExprKind::Block(stmts, value) => {
            parts.extend(stmts.iter().map(Part::Stmt));
            parts.extend(value.iter().map(|value| Part::Expr(value)));
        }
    }
}

fn push_place<'h>(place: &'h Place, parts: &mut Vec<Part<'h>>) {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => {}
        PlaceKind::Deref(pointer) => parts.push(Part::Expr(pointer)),
        PlaceKind::Field(base, _) => parts.push(Part::Place(base)),
        PlaceKind::Index(base, index) => parts.extend([Part::Place(base), Part::Expr(index)]),
        PlaceKind::Literal(_, initializer) => parts.push(Part::Initializer(initializer)),
        PlaceKind::Temporary(value) => parts.push(Part::Expr(value)),
    }
}

/// What `*pointer` is if the pointer was made on the spot.
pub(super) enum Direct<'h> {
    /// `*&place`
    Place(&'h Place),
    /// `*(array + index)` and `*array`
    Element { array: &'h Place, index: Option<&'h Expr> },
}

/// The target of a pointer that is formed and dereferenced at once, so that its address need not be known.
pub(super) fn direct(pointer: &Expr) -> Option<Direct<'_>> {
    match &pointer.kind {
        ExprKind::AddressOf(place) => Some(Direct::Place(place)),
        ExprKind::Decay(array) => Some(Direct::Element { array, index: None }),
        ExprKind::Offset { pointer, index, is_negated: false } => match &pointer.kind {
            ExprKind::Decay(array) => Some(Direct::Element { array, index: Some(index) }),
            _ => None,
        },
        _ => None,
    }
}

/// What stands for an expression in tables while the program is borrowed.
pub(super) fn site_of(expr: &Expr) -> Site {
    Site(std::ptr::from_ref(expr) as usize)
}

/// What stands for a place in tables while the program is borrowed.
pub(super) fn site_of_place(place: &Place) -> Site {
    Site(std::ptr::from_ref(place) as usize)
}

/// What stands for a statement in tables while the program is borrowed.
pub(super) fn site_of_stmt(stmt: &Stmt) -> Site {
    Site(std::ptr::from_ref(stmt) as usize)
}

/// An identity of a part of the program. Only for lookup, since the order has no meaning.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Site(usize);
