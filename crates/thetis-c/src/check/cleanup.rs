//! `__attribute__((cleanup(f)))`: calls of functions when scopes end.
//!
//! Every way out of a scope gets its own calls: the end of the block, `break`, `continue`, `return`, whose value is
//! computed before. Jumps by `goto` out of the scope of such a variable are not supported, because their target scope
//! is not known here.

use thetis_base::Span;

use super::Checker;
use crate::hir::{
    Callee, Expr, ExprKind, FunctionId, Initializer, LocalId, Place, PlaceKind, Stmt, StmtKind, TypeId,
};

impl Checker<'_, '_> {
    /// Opens the scope of a block.
    pub(super) fn enter_block(&mut self) {
        self.scopes.enter();
        self.context().cleanups.push(Vec::new());
    }

    /// Closes the scope of a block, and appends its cleanups.
    pub(super) fn leave_block(&mut self, span: Span, stmts: &mut Vec<Stmt>) {
        let innermost = self.context().cleanups.len() - 1;
        self.clean_up_since(innermost, span, stmts);
        self.context().cleanups.pop();
        self.scopes.leave();
    }

    /// Appends the calls of all scopes from the one with the number `first` on, inner ones first.
    pub(super) fn clean_up_since(&mut self, first: usize, span: Span, stmts: &mut Vec<Stmt>) {
        let scopes = self.context().cleanups[first..].iter().rev();
        let pending: Vec<(LocalId, FunctionId)> =
            scopes.flat_map(|scope| scope.iter().rev().copied()).collect();
        for (local, function) in pending {
            let call = self.cleanup(local, function, span);
            stmts.push(Stmt { kind: StmtKind::Expr(call), span });
        }
    }

    fn cleanup(&mut self, local: LocalId, function: FunctionId, span: Span) -> Expr {
        let place = Place { kind: PlaceKind::Local(local), ty: self.local_type(local), span };
        let ty = self.pointer_to(place.ty);
        let mut address = Expr { kind: ExprKind::AddressOf(Box::new(place)), ty, span };
        let function_type = self.functions[function].ty.clone();
        if let Some(param) = function_type.params.first() {
            address = self.convert(address, *param);
        }
        let kind = ExprKind::Call(Callee::Function(function), vec![address]);
        Expr { kind, ty: function_type.result, span }
    }

    /// A jump out of the scopes from the one with the number `first` on.
    pub(super) fn cleaned_up(&mut self, first: usize, jump: StmtKind, span: Span) -> StmtKind {
        let mut stmts = Vec::new();
        self.clean_up_since(first, span, &mut stmts);
        if stmts.is_empty() {
            return jump;
        }
        stmts.push(Stmt { kind: jump, span });
        StmtKind::Block(stmts)
    }

    /// `return` with a value that is computed before anything is cleaned up.
    pub(super) fn return_cleaned_up(&mut self, value: Expr, span: Span) -> StmtKind {
        if self.context().cleanups.iter().all(Vec::is_empty) {
            return StmtKind::Return(Some(value));
        }
        let (declaration, kept) = self.kept(value);
        let mut stmts = vec![declaration];
        self.clean_up_since(0, span, &mut stmts);
        stmts.push(Stmt { kind: StmtKind::Return(Some(kept)), span });
        StmtKind::Block(stmts)
    }

    /// The value of an expression that is computed before some statements run.
    pub(super) fn value_before(&mut self, value: Expr, then: Vec<Stmt>) -> Expr {
        let (ty, span) = (value.ty, value.span);
        if self.is_void(ty) {
            let effect = Stmt { kind: StmtKind::Expr(value), span };
            let stmts = [effect].into_iter().chain(then).collect();
            return Expr { kind: ExprKind::Block(stmts, None), ty, span };
        }
        let (declaration, kept) = self.kept(value);
        let stmts = [declaration].into_iter().chain(then).collect();
        Expr { kind: ExprKind::Block(stmts, Some(Box::new(kept))), ty, span }
    }

    /// A variable for a value: its declaration and what reads it.
    pub(super) fn kept(&mut self, value: Expr) -> (Stmt, Expr) {
        let (ty, span): (TypeId, Span) = (value.ty, value.span);
        let local = self.nameless_local("value", ty, span);
        let kind = StmtKind::Declare(local, Some(Initializer::Value(value)));
        let place = Place { kind: PlaceKind::Local(local), ty, span };
        (Stmt { kind, span }, Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
    }

    /// A `goto` that may leave the scope of a variable with a cleanup: a limit.
    pub(super) fn jump_from_cleanups(&mut self) -> Option<StmtKind> {
        let is_clean = self.context().cleanups.iter().all(Vec::is_empty);
        (!is_clean).then(|| StmtKind::Unsupported("a jump while variables have to be cleaned up".to_owned()))
    }
}
