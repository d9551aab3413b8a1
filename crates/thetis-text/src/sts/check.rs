//! The checker: from the syntax tree to transition systems.
//!
//! Each property is checked with its own store: its system is lowered again, so that a task has nothing of the others.
//! A constant with a value is replaced by it; one without is a variable that keeps its value. The arbitrary values of
//! divisions by zero are inputs, so they must not stand where no input may: in initial conditions, in values of
//! constants and under a prime.

use std::collections::{HashMap, HashSet};

use thetis_base::{Diagnostic, Reported, Sink, Span};
use thetis_expr::infix::print_sort;
use thetis_expr::{ExprId, Sort, Store, Substitution, VarId, Version};
use thetis_model::Task;
use thetis_model::sts::{StsBuilder, StsProperty};

use super::Named;
use super::ast::{Body, Clause, ClauseKind, Declaration, Declared, File, Property, SystemRef};
use super::parser::quoted;
use crate::syntax::ast::{Ast, Name, Root};
use crate::syntax::check_expr::{Lowering, Variable};
use crate::syntax::check_type::Sorts;
use crate::syntax::code;

/// The tasks of a file, if it is correct.
pub(super) fn check(
    ast: &Ast,
    file: &File<'_>,
    text: &str,
    sink: &mut Sink<'_>,
) -> Result<Vec<Named>, Reported> {
    reject_duplicates("property", file.properties.iter().map(|property| property.name), sink);
    reject_duplicates("system", file.systems.iter().map(|system| system.name), sink);
    let mut tasks = Vec::new();
    for property in &file.properties {
        if let Some(task) = check_property(ast, file, text, property, sink) {
            tasks.push(Named { name: property.name.text.to_owned(), task });
        }
        if sink.is_full() {
            break;
        }
    }
    sink.check()?;
    Ok(tasks)
}

fn reject_duplicates<'s>(what: &str, names: impl Iterator<Item = Name<'s>>, sink: &mut Sink<'_>) {
    let mut first: HashMap<&str, Span> = HashMap::new();
    for name in names {
        if let Some(place) = first.get(name.text) {
            report_duplicate(what, name, *place, sink);
        } else {
            first.insert(name.text, name.span);
        }
    }
}

fn report_duplicate(what: &str, name: Name<'_>, first: Span, sink: &mut Sink<'_>) {
    let message = format!("{what} {} is declared twice", quoted(name));
    let diagnostic = Diagnostic::error(name.span, code::DUPLICATE_NAME, message);
    sink.report(diagnostic.label(first, "the first declaration is here"));
}

fn check_property<'s>(
    ast: &Ast,
    file: &File<'s>,
    text: &'s str,
    property: &Property<'s>,
    sink: &mut Sink<'_>,
) -> Option<Task<thetis_model::sts::Sts>> {
    let body = system_of(file, property, sink)?;
    let store = Store::new();
    let sorts = Sorts::check(ast, text, &store, sink);
    let mut checker = Checker {
        ast,
        text,
        store: &store,
        sorts,
        sink,
        vars: HashMap::new(),
        unknown: HashSet::new(),
        constants: Substitution::new(),
        builder: StsBuilder::new(property.name.text),
        num_divisions: 0,
    };
    file.shared.iter().chain(&body.declarations).for_each(|declaration| checker.declaration(declaration));
    body.clauses.iter().for_each(|clause| checker.clause(clause));
    checker.property(property.formula);
    let builder = checker.builder;
    sink.check().ok()?;
    let model = builder.build(&store).expect("a checked system should be valid");
    Some(Task { store, model, property: StsProperty::Globally })
}

fn system_of<'a, 's>(
    file: &'a File<'s>,
    property: &'a Property<'s>,
    sink: &mut Sink<'_>,
) -> Option<&'a Body<'s>> {
    let name = match &property.system {
        SystemRef::Inline(body) => return Some(body),
        SystemRef::Named(name) => name,
    };
    let system = file.systems.iter().find(|system| system.name.text == name.text);
    if system.is_none() {
        sink.error(name.span, code::UNKNOWN_NAME, format!("unknown system {}", quoted(*name)));
    }
    system.map(|system| &system.body)
}

/// What an expression may speak of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scope {
    /// A state: neither inputs nor primes.
    State,
    /// A step: a state with inputs.
    Step,
    /// A step and the next state.
    Transition,
}

struct Checker<'a, 's, 'd> {
    ast: &'a Ast,
    text: &'s str,
    store: &'a Store,
    sorts: Sorts,
    sink: &'a mut Sink<'d>,
    vars: HashMap<&'s str, Variable>,
    /// Unknown names that were reported; each is reported once.
    unknown: HashSet<&'s str>,
    /// The values of constants.
    constants: Substitution,
    builder: StsBuilder,
    num_divisions: u32,
}

impl<'s> Checker<'_, 's, '_> {
    fn declaration(&mut self, declaration: &Declaration<'s>) {
        let decl = declaration.decl;
        if let Some(first) = self.vars.get(decl.name.text) {
            return report_duplicate("variable", decl.name, first.span, self.sink);
        }
        let id = self.sorts.of(decl.ty).map(|sort| (self.store.declare(decl.name.text, sort), sort));
        let value = declaration.value.and_then(|value| self.value(declaration, id, value));
        self.vars.insert(decl.name.text, Variable { id, span: decl.name.span });
        let Some((var, _)) = id else { return };
        match (declaration.kind, value) {
            (Declared::Const, Some(value)) => {
                self.constants.insert(self.store, var, value);
                self.constants.insert(self.store, self.store.at_version(var, Version::Next), value);
            }
            (Declared::Const, None) => {
                self.builder.var(var);
                self.builder.next(self.store, var, self.store.var_expr(var));
            }
            (Declared::Var, value) => {
                self.builder.var(var);
                if let Some(value) = value {
                    self.builder.init(self.store.eq(self.store.var_expr(var), value));
                }
            }
        }
    }

    /// The value in a declaration; that of a constant is over constants only.
    fn value(
        &mut self,
        declaration: &Declaration<'s>,
        id: Option<(VarId, Sort)>,
        value: Root,
    ) -> Option<ExprId> {
        let term = self.lower(value, Scope::State)?;
        let span = self.span_of(value);
        if declaration.kind == Declared::Const && !self.store.vars_of([term]).is_empty() {
            let message = "the value of a constant can only use constants with values";
            self.sink.error(span, code::UNSUPPORTED, message);
            return None;
        }
        let (_, sort) = id?;
        if self.store.sort(term) == sort {
            return Some(term);
        }
        let (expected, found) = (print_sort(self.store, sort), print_sort(self.store, self.store.sort(term)));
        let name = quoted(declaration.decl.name);
        let message = format!("{name} of type `{expected}` cannot have a value of type `{found}`");
        self.sink.error(span, code::TYPE_MISMATCH, message);
        None
    }

    fn clause(&mut self, clause: &Clause) {
        let scope = match clause.kind {
            ClauseKind::Initial => Scope::State,
            ClauseKind::Invariant => Scope::Step,
            ClauseKind::Transition => Scope::Transition,
        };
        let Some(formula) = self.formula(clause.kind.text(), clause.formula, scope) else { return };
        match clause.kind {
            ClauseKind::Initial => self.builder.init(formula),
            ClauseKind::Invariant => self.builder.constraint(formula),
            ClauseKind::Transition => self.builder.trans(self.store, formula),
        }
    }

    fn property(&mut self, formula: Root) {
        if let Some(formula) = self.formula("G", formula, Scope::Step) {
            self.builder.bad(self.store.not(formula));
        }
    }

    fn formula(&mut self, what: &str, root: Root, scope: Scope) -> Option<ExprId> {
        let formula = self.lower(root, scope)?;
        let sort = self.store.sort(formula);
        if sort == Sort::Bool {
            return Some(formula);
        }
        let message = format!("`{what}` needs a `bool`, but this is `{}`", print_sort(self.store, sort));
        self.sink.error(self.span_of(root), code::TYPE_MISMATCH, message);
        None
    }

    fn lower(&mut self, root: Root, scope: Scope) -> Option<ExprId> {
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
        let term = lowering.lower(root)?;
        for (input, span) in lowering.divisions {
            if scope == Scope::State {
                let message = "a division by zero would be arbitrary here, which is not supported";
                self.sink.error(span, code::UNSUPPORTED, message);
                return None;
            }
            self.builder.input(input);
        }
        let is_primed = |var: &VarId| self.store.symbol(*var).version == Version::Next;
        if scope != Scope::Transition && self.store.vars_of([term]).iter().any(is_primed) {
            let message = "primed variables can stand in transitions only";
            self.sink.error(self.span_of(root), code::SYNTAX, message);
            return None;
        }
        Some(self.constants.apply(self.store, term))
    }

    fn span_of(&self, root: Root) -> Span {
        self.ast.exprs[root.root.0 as usize].span
    }
}
