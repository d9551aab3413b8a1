//! Horn clauses as SMT-LIB text, and solutions read from it.

use std::collections::BTreeSet;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use thetis_expr::smtlib::sexpr::{Sexpr, Sexprs};
use thetis_expr::smtlib::{Dialect, print_name, print_sort, print_term, term_of};
use thetis_expr::{ExprId, Store, VarId};

use super::{HornClause, HornSystem};

/// Clauses as text, with the variables of each relation.
pub struct HornScript {
    vars: Vec<Vec<VarId>>,
}

impl HornScript {
    /// For `system`.
    pub fn new(store: &Store, system: &HornSystem) -> HornScript {
        HornScript { vars: system.needed_vars(store) }
    }

    /// The logic, declarations, clauses and the question whether there is a solution.
    pub fn text(&self, store: &Store, system: &HornSystem) -> String {
        let mut script = String::from("(set-logic HORN)\n");
        for (relation, vars) in self.vars.iter().enumerate() {
            let sorts: Vec<String> = vars.iter().map(|var| print_sort(store, store.var_sort(*var))).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(script, "(declare-fun {} ({}) Bool)", name(relation), sorts.join(" "));
        }
        for clause in &system.clauses {
            script += &self.clause(store, clause);
        }
        script + "(check-sat)\n"
    }

    /// `(assert (forall (variables) (=> (and body conjuncts) head)))`
    fn clause(&self, store: &Store, clause: &HornClause) -> String {
        let mut vars = BTreeSet::new();
        let mut premises = String::from("true");
        if let Some(body) = clause.body {
            premises = format!("{premises} {}", self.application(store, body, |_| None, &mut vars));
        }
        for neighbour in &clause.neighbours {
            let Some(relation) = neighbour.relation.or(clause.body) else { continue };
            let term = |var| neighbour.term(store, var);
            premises = format!("{premises} {}", self.application(store, relation, term, &mut vars));
        }
        for conjunct in &clause.step.conjuncts {
            vars.extend(store.vars_of([*conjunct]));
            premises = format!("{premises} {}", print_term(store, *conjunct, Dialect::Standard));
        }
        let next: FxHashMap<VarId, ExprId> = clause.step.next.iter().copied().collect();
        let conclusion = match clause.head {
            Some(head) => self.application(store, head, |var| next.get(&var).copied(), &mut vars),
            None => "false".into(),
        };
        let implication = format!("(=> (and {premises}) {conclusion})");
        if vars.is_empty() {
            return format!("(assert {implication})\n");
        }
        let mut bound = String::new();
        for var in vars {
            let sort = print_sort(store, store.var_sort(var));
            // Writing to a string cannot fail.
            let _ = write!(bound, "({} {sort})", print_name(store, var));
        }
        format!("(assert (forall ({bound}) {implication}))\n")
    }

    /// The relation, applied to its variables or to the terms that replace them; the variables that occur in these
    /// are added to `vars`.
    fn application(
        &self,
        store: &Store,
        relation: usize,
        replacement: impl Fn(VarId) -> Option<ExprId>,
        vars: &mut BTreeSet<VarId>,
    ) -> String {
        let term = |var: &VarId| replacement(*var).unwrap_or_else(|| store.var_expr(*var));
        let terms: Vec<ExprId> = self.vars[relation].iter().map(term).collect();
        vars.extend(store.vars_of(terms.iter().copied()));
        let texts: Vec<String> =
            terms.iter().map(|term| print_term(store, *term, Dialect::Standard)).collect();
        let name = name(relation);
        if texts.is_empty() { name } else { format!("({name} {})", texts.join(" ")) }
    }

    /// The formulas of `((define-fun relation!0 ((x!0 Int)...) Bool formula)...)`; `None` for anything else.
    pub fn read(&self, store: &Store, answer: &str) -> Option<Vec<ExprId>> {
        let answers = Sexprs::read(answer).ok()?;
        let mut definitions: FxHashMap<&str, Sexpr<'_>> = FxHashMap::default();
        for definition in answers.only().ok()?.children() {
            if let Some(name) = definition.children().nth(1).and_then(Sexpr::symbol) {
                definitions.insert(name, definition);
            }
        }
        let formula = |(relation, vars): (usize, &Vec<VarId>)| {
            let mut parts = definitions.get(name(relation).as_str())?.children().skip(2);
            let formals = parts.next()?.children().map(|formal| formal.children().next()?.symbol());
            let formals: Option<Vec<&str>> = formals.collect();
            let names: FxHashMap<&str, VarId> = formals?.into_iter().zip(vars.iter().copied()).collect();
            let scope = |store: &Store, symbol: &str| names.get(symbol).map(|var| store.var_expr(*var));
            term_of(store, parts.nth(1)?, &scope).ok()
        };
        self.vars.iter().enumerate().map(formula).collect()
    }
}

fn name(relation: usize) -> String {
    format!("relation!{relation}")
}
