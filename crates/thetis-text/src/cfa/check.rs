//! The checker: from the syntax tree to an automaton.
//!
//! Names are resolved and checked here, expressions in `check_expr`. What was found wrong is reported and left out;
//! everything else is still checked, and the automaton is built only if nothing was wrong.
//!
//! Choices of this language that differ from Theta, where it is silent, vague or defective:
//! * several error and several final locations are accepted;
//! * parameters of the main process are arbitrary variables (Theta ignores them), with a warning;
//! * processes beside the main one are checked for syntax only and ignored, with a warning, as in Theta;
//! * a local variable must not have the name of a global one; variables and locations may share names.

use std::collections::{HashMap, HashSet};

use thetis_base::{Diagnostic, FileId, Reported, Sink, Span};
use thetis_expr::infix::print_sort;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaBuilder, CfaProperty, LocId, Stmt, StmtKind};

use super::ast::{self, Edge, File, LocKind, Process};
use crate::syntax::ast::{Ast, Decl, Name, Root};
use crate::syntax::check_expr::{Lowering, Variable};
use crate::syntax::check_type::Sorts;
use crate::syntax::code;

/// The automaton of a file, if it is correct.
pub(super) fn check(
    ast: &Ast,
    items: &File<'_>,
    text: &str,
    file: FileId,
    sink: &mut Sink<'_>,
) -> Result<Task<Cfa>, Reported> {
    let store = Store::new();
    let sorts = Sorts::check(ast, text, &store, sink);
    let main = main_process(items, Span { file, start: 0, end: 0 }, sink)?;
    let mut checker = Checker {
        ast,
        items,
        text,
        store: &store,
        sorts,
        sink,
        vars: HashMap::new(),
        locs: HashMap::new(),
        limits: HashMap::new(),
        unknown: HashSet::new(),
        builder: CfaBuilder::new(main.name.text),
        num_divisions: 0,
    };
    checker.process(main);
    let builder = checker.builder;
    sink.check()?;
    let model = builder.build(&store).expect("a checked model should be valid");
    Ok(Task { store, model, property: CfaProperty::ErrorLocation })
}

/// The one main process. `start` is where to complain in a file without processes.
fn main_process<'a, 's>(
    items: &'a File<'s>,
    start: Span,
    sink: &mut Sink<'_>,
) -> Result<&'a Process<'s>, Reported> {
    let mut main: Option<&Process<'s>> = None;
    for process in &items.processes {
        match main {
            _ if !process.is_main => {}
            None => main = Some(process),
            Some(first) => {
                let message = format!("`{}` is a second main process", process.name.text);
                let diagnostic = Diagnostic::error(process.name.span, code::MAIN_PROCESS, message);
                sink.report(diagnostic.label(first.name.span, "the first main process is here"));
            }
        }
    }
    let Some(main) = main else { return Err(no_main_process(items, start, sink)) };
    for process in items.processes.iter().filter(|process| !process.is_main) {
        let message = format!("process `{}` is ignored: only the main process is checked", process.name.text);
        sink.warning(process.name.span, code::IGNORED, message);
    }
    Ok(main)
}

fn no_main_process(items: &File<'_>, start: Span, sink: &mut Sink<'_>) -> Reported {
    let span = items.processes.first().map_or(start, |process| process.name.span);
    let diagnostic =
        Diagnostic::error(span, code::MAIN_PROCESS, "expected `main process`, the file has none");
    sink.report(diagnostic.help("start a process with `main process NAME {`"))
}

struct Checker<'a, 's, 'd> {
    ast: &'a Ast,
    items: &'a File<'s>,
    text: &'s str,
    store: &'a Store,
    sorts: Sorts,
    sink: &'a mut Sink<'d>,
    vars: HashMap<&'s str, Variable>,
    locs: HashMap<&'s str, (LocId, Span)>,
    /// Where the limits are declared.
    limits: HashMap<LocId, Span>,
    /// Unknown names that were reported; each is reported once.
    unknown: HashSet<&'s str>,
    builder: CfaBuilder,
    num_divisions: u32,
}

impl<'s> Checker<'_, 's, '_> {
    fn process(&mut self, process: &Process<'s>) {
        self.items.globals.iter().for_each(|decl| self.variable(decl));
        if let Some(first) = process.params.first() {
            let message = "parameters of the main process get no values: they are arbitrary variables";
            self.sink.warning(first.name.span, code::IGNORED, message);
        }
        process.params.iter().for_each(|decl| self.variable(decl));
        process.vars.iter().for_each(|decl| self.variable(decl));
        self.locations(process);
        for edge in &process.edges {
            if self.sink.is_full() {
                return;
            }
            self.edge(edge);
        }
    }

    fn variable(&mut self, decl: &Decl<'s>) {
        if let Some(first) = self.vars.get(decl.name.text) {
            let first = first.span;
            return self.duplicate("variable", decl.name, first);
        }
        let sort = self.sorts.of(decl.ty);
        let id = sort.map(|sort| (self.store.declare(decl.name.text, sort), sort));
        if let Some((var, _)) = id {
            self.builder.var(var);
        }
        self.vars.insert(decl.name.text, Variable { id, span: decl.name.span });
    }

    fn duplicate(&mut self, what: &str, name: Name<'s>, first: Span) {
        let message = format!("{what} `{}` is declared twice", name.text);
        let diagnostic = Diagnostic::error(name.span, code::DUPLICATE_NAME, message);
        self.sink.report(diagnostic.label(first, "the first declaration is here"));
    }

    fn locations(&mut self, process: &Process<'s>) {
        let mut initial = None;
        for loc in &process.locs {
            if let Some(&(_, first)) = self.locs.get(loc.name.text) {
                self.duplicate("location", loc.name, first);
                continue;
            }
            let id = self.builder.location(loc.name.text, Some(loc.name.span));
            self.locs.insert(loc.name.text, (id, loc.name.span));
            match loc.kind {
                LocKind::Plain => {}
                LocKind::Final => self.builder.final_location(id),
                LocKind::Error => self.builder.error(id),
                LocKind::Limit(reason) => {
                    self.limits.insert(id, loc.name.span);
                    self.builder.limit(id, unquote(reason));
                }
                LocKind::Init => match initial {
                    None => {
                        initial = Some(loc.name);
                        self.builder.initial(id);
                    }
                    Some(first) => self.second_initial(loc.name, first),
                },
            }
        }
        if initial.is_none() {
            let message = format!("process `{}` has no initial location", process.name.text);
            let diagnostic = Diagnostic::error(process.name.span, code::INITIAL_LOCATION, message);
            self.sink.report(diagnostic.help("declare one with `init loc NAME`"));
        }
    }

    fn second_initial(&mut self, name: Name<'s>, first: Name<'s>) {
        let message = format!("`{}` is a second initial location", name.text);
        let diagnostic = Diagnostic::error(name.span, code::INITIAL_LOCATION, message);
        self.sink.report(diagnostic.label(first.span, "the first initial location is here"));
    }

    fn edge(&mut self, edge: &Edge<'s>) {
        let (source, target) = (self.location(edge.source), self.location(edge.target));
        let stmts = edge.stmts.of(&self.items.stmts);
        let mut lowered = Vec::with_capacity(stmts.len());
        for stmt in stmts {
            self.stmt(stmt, &mut lowered);
        }
        let stmt = match lowered.pop() {
            Some(only) if lowered.is_empty() => only,
            Some(last) => {
                lowered.push(last);
                Stmt::seq(lowered)
            }
            None => Stmt::skip(),
        };
        if let Some(limit) = source.and_then(|source| self.limits.get(&source).copied()) {
            return self.leaves_limit(edge, limit);
        }
        if let (Some(source), Some(target)) = (source, target) {
            self.builder.edge(source, target, stmt, Some(edge.span));
        }
    }

    fn leaves_limit(&mut self, edge: &Edge<'s>, limit: Span) {
        let message = format!("an edge leaves the limit `{}`, but runs end there", edge.source.text);
        let diagnostic = Diagnostic::error(edge.source.span, code::LIMIT, message);
        self.sink.report(diagnostic.label(limit, "the limit is declared here"));
    }

    fn location(&mut self, name: Name<'s>) -> Option<LocId> {
        match self.locs.get(name.text) {
            Some((id, _)) => Some(*id),
            None => {
                self.unknown("location", name);
                None
            }
        }
    }

    fn unknown(&mut self, what: &str, name: Name<'s>) {
        if self.unknown.insert(name.text) {
            let message = format!("unknown {what} `{}`", name.text);
            self.sink.error(name.span, code::UNKNOWN_NAME, message);
        }
    }

    /// Adds what `stmt` means to `lowered`: itself, and before it an arbitrary value for each division by zero.
    fn stmt(&mut self, stmt: &ast::Stmt<'s>, lowered: &mut Vec<Stmt>) {
        let kind = match stmt.kind {
            ast::StmtKind::Havoc(name) => self.assigned(name).map(|(var, _)| StmtKind::Havoc(var)),
            ast::StmtKind::Assume(root) => self.formula(root, lowered),
            ast::StmtKind::Assign(name, root) => self.assignment(name, root, lowered),
        };
        lowered.extend(kind.map(|kind| Stmt::at(kind, stmt.span)));
    }

    fn formula(&mut self, root: Root, lowered: &mut Vec<Stmt>) -> Option<StmtKind> {
        let formula = self.lower(root, lowered)?;
        let sort = self.store.sort(formula);
        if sort == Sort::Bool {
            return Some(StmtKind::Assume(formula));
        }
        let message = format!("`assume` needs a `bool`, but this is `{}`", print_sort(self.store, sort));
        self.sink.error(self.ast.exprs[root.root.0 as usize].span, code::TYPE_MISMATCH, message);
        None
    }

    fn assignment(&mut self, name: Name<'s>, root: Root, lowered: &mut Vec<Stmt>) -> Option<StmtKind> {
        let variable = self.assigned(name);
        let term = self.lower(root, lowered)?;
        let (var, sort) = variable?;
        let found = self.store.sort(term);
        if found == sort {
            return Some(StmtKind::Assign(var, term));
        }
        let (expected, found_text) = (print_sort(self.store, sort), print_sort(self.store, found));
        let message = format!("cannot assign `{found_text}` to `{}` of type `{expected}`", name.text);
        let span = self.ast.exprs[root.root.0 as usize].span;
        let mut diagnostic = Diagnostic::error(span, code::TYPE_MISMATCH, message);
        if let Some(variable) = self.vars.get(name.text) {
            diagnostic =
                diagnostic.label(variable.span, format!("`{}` is declared `{expected}` here", name.text));
        }
        if (sort, found) == (Sort::Real, Sort::Int) {
            diagnostic = diagnostic.help("an integer becomes rational by arithmetic: add `0%1`");
        }
        self.sink.report(diagnostic);
        None
    }

    fn assigned(&mut self, name: Name<'s>) -> Option<(VarId, Sort)> {
        let Some(variable) = self.vars.get(name.text) else {
            self.unknown("variable", name);
            return None;
        };
        variable.id
    }

    fn lower(&mut self, root: Root, lowered: &mut Vec<Stmt>) -> Option<ExprId> {
        let mut lowering = Lowering {
            ast: self.ast,
            text: self.text,
            store: self.store,
            sorts: &self.sorts,
            vars: &self.vars,
            sink: &mut *self.sink,
            unknown: &mut self.unknown,
            first: root.first,
            terms: Vec::new(),
            divisions: Vec::new(),
            num_divisions: &mut self.num_divisions,
        };
        let term = lowering.lower(root);
        for (var, span) in lowering.divisions {
            self.builder.var(var);
            lowered.push(Stmt::at(StmtKind::Havoc(var), span));
        }
        term
    }
}

/// What a text in quotes says.
fn unquote(quoted: &str) -> String {
    let mut text = String::new();
    let mut chars = quoted[1..quoted.len() - 1].chars();
    while let Some(char) = chars.next() {
        text.extend(if char == '\\' { chars.next() } else { Some(char) });
    }
    text
}
