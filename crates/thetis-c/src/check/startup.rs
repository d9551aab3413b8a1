//! What runs before and after `main`: constructors and destructors.
//!
//! A program that has them gets a function that calls all constructors, `main`, and all destructors. Constructors run
//! in the order of their priorities, those without one last; destructors the other way round. With equal priorities the
//! order is that of the text, as linkers order a single file. A call of `exit` runs the destructors first.

use thetis_base::{IndexVec, Span};

use super::Checker;
use super::literal::unsupported;
use crate::hir::{
    Callee, Expr, ExprKind, Function, FunctionId, Local, LocalId, Place, PlaceKind, Stmt, StmtKind, TypeId,
};
use crate::lower::fits;

impl Checker<'_, '_> {
    /// The function that runs everything, if that is more than `main`.
    pub(super) fn start_function(&mut self) -> Option<FunctionId> {
        if self.symbols.constructors.is_empty() && self.symbols.destructors.is_empty() {
            return None;
        }
        let main = self.functions.position(|function| function.name == "main" && function.body.is_some())?;
        self.note_equal_priorities();
        let mut locals = IndexVec::new();
        let params: Vec<LocalId> = self.functions[main]
            .params
            .iter()
            .map(|param| locals.push(self.functions[main].locals[*param].clone()))
            .collect();
        let body = self.start_body(main, &params, &mut locals);
        let Function { name, ty, span, .. } = self.functions[main].clone();
        let start = Function { params, locals, body: Some(body), ..Function::declared(name, ty, span) };
        Some(self.functions.push(start))
    }

    fn note_equal_priorities(&mut self) {
        let lists = [&self.symbols.constructors, &self.symbols.destructors];
        self.has_open_startup = lists.iter().any(|list| {
            let mut priorities: Vec<u64> = list.iter().map(|(priority, _)| *priority).collect();
            priorities.sort_unstable();
            priorities.windows(2).any(|pair| pair[0] == pair[1])
        });
    }

    fn start_body(
        &mut self,
        main: FunctionId,
        params: &[LocalId],
        locals: &mut IndexVec<LocalId, Local>,
    ) -> Vec<Stmt> {
        let (result, span) = (self.functions[main].ty.result, self.functions[main].span);
        let read = |local: LocalId, ty: TypeId| {
            let place = Place { kind: PlaceKind::Local(local), ty, span };
            Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
        };
        let args: Vec<Expr> = params.iter().map(|param| read(*param, locals[*param].ty)).collect();
        let call = Expr { kind: ExprKind::Call(Callee::Function(main), args), ty: result, span };
        let mut body = self.constructor_calls();
        let mut value = None;
        match self.is_void(result) {
            true => body.push(Stmt { kind: StmtKind::Expr(call), span }),
            false => {
                let status =
                    locals.push(Local { name: "#status".to_owned(), ty: result, is_const: false, span });
                let initializer = Some(crate::hir::Initializer::Value(call));
                body.push(Stmt { kind: StmtKind::Declare(status, initializer), span });
                value = Some(read(status, result));
            }
        }
        body.extend(self.destructor_calls());
        body.push(Stmt { kind: StmtKind::Return(value), span });
        body
    }

    fn constructor_calls(&mut self) -> Vec<Stmt> {
        let mut constructors = self.symbols.constructors.clone();
        constructors.sort_by_key(|(priority, _)| *priority);
        constructors.into_iter().map(|(_, function)| self.call_without_arguments(function)).collect()
    }

    fn destructor_calls(&mut self) -> Vec<Stmt> {
        let mut destructors = self.symbols.destructors.clone();
        destructors.sort_by_key(|(priority, _)| *priority);
        destructors.into_iter().rev().map(|(_, function)| self.call_without_arguments(function)).collect()
    }

    fn call_without_arguments(&mut self, function: FunctionId) -> Stmt {
        let (ty, span): (_, Span) = (self.functions[function].ty.clone(), self.functions[function].span);
        let reason = "an argument of a constructor";
        let args = ty.params.iter().map(|param| unsupported(reason, *param, span)).collect();
        let kind = ExprKind::Call(Callee::Function(function), args);
        Stmt { kind: StmtKind::Expr(Expr { kind, ty: ty.result, span }), span }
    }

    /// A call of `exit`, with what runs before the program ends.
    pub(super) fn after_destructors(&mut self, mut call: Expr) -> Expr {
        let ExprKind::Call(Callee::Function(function), args) = &mut call.kind else { return call };
        let callee = &self.functions[*function];
        let exits = callee.name == "exit" && callee.body.is_none() && fits(&self.types, callee);
        if !exits || self.symbols.destructors.is_empty() || self.function.is_none() {
            return call;
        }
        let mut stmts = Vec::new();
        if let Some(status) = args.pop() {
            let (declaration, kept) = self.kept(status);
            stmts.push(declaration);
            args.push(kept);
        }
        stmts.extend(self.destructor_calls());
        let (ty, span) = (call.ty, call.span);
        Expr { kind: ExprKind::Block(stmts, Some(Box::new(call))), ty, span }
    }
}
