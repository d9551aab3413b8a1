//! What is sent to a solver, as SMT-LIB commands: for solver processes and for the query log.
//!
//! Declarations are global (`:global-declarations`), so a variable is declared once, before its first use, and
//! survives `pop`. SMT-LIB takes literals as assumptions; other formulas get a proxy `p` with `p => f`, asserted in a
//! temporary scope that [`Script::end_query`] closes.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use thetis_expr::smtlib::{Dialect, print_name, print_sort, print_term};
use thetis_expr::{ExprId, Store, VarId};

/// A writer of commands. Commands gather in the script until they are taken out.
#[derive(Default)]
pub struct Script {
    text: String,
    declared: FxHashSet<VarId>,
    /// The declared variables in the order of their declarations.
    vars: Vec<VarId>,
    num_proxies: usize,
    is_query_open: bool,
}

/// How a query was put.
pub struct Query {
    /// The literals assumed, as SMT-LIB text, in the order of the assumptions.
    pub literals: Vec<String>,
}

impl Script {
    /// An empty script: no options, no logic.
    pub fn new() -> Script {
        Script::default()
    }

    /// The commands since the last call.
    pub fn take(&mut self) -> String {
        std::mem::take(&mut self.text)
    }

    /// The variables declared so far, in order.
    pub fn vars(&self) -> &[VarId] {
        &self.vars
    }

    /// Whether the variable was declared.
    pub fn is_declared(&self, var: VarId) -> bool {
        self.declared.contains(&var)
    }

    /// Any text, on a line of its own.
    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Declares the variables of `roots` that are not declared yet.
    pub fn declare(&mut self, store: &Store, roots: &[ExprId]) {
        for var in store.vars_of(roots.iter().copied()) {
            if self.declared.insert(var) {
                self.vars.push(var);
                let (name, sort) = (print_name(store, var), print_sort(store, store.var_sort(var)));
                self.line(&format!("(declare-const {name} {sort})"));
            }
        }
    }

    /// `(assert formula)`; its variables are declared already.
    pub fn assert(&mut self, store: &Store, formula: ExprId) {
        self.line(&format!("(assert {})", print_term(store, formula, Dialect::Standard)));
    }

    /// `(check-sat)` or `(check-sat-assuming ..)`; the variables are declared already.
    pub fn query(&mut self, store: &Store, assumptions: &[ExprId]) -> Query {
        self.is_query_open = !assumptions.iter().all(|formula| store.is_var_or_negation(*formula));
        if self.is_query_open {
            self.line("(push 1)");
        }
        let literals: Vec<String> = assumptions.iter().map(|formula| self.literal(store, *formula)).collect();
        if literals.is_empty() {
            self.line("(check-sat)");
        } else {
            self.line(&format!("(check-sat-assuming ({}))", literals.join(" ")));
        }
        Query { literals }
    }

    /// Closes the temporary scope of the last query, if it has one.
    pub fn end_query(&mut self) {
        if std::mem::take(&mut self.is_query_open) {
            self.line("(pop 1)");
        }
    }

    /// Forgets the temporary scope of the last query, because the solver that had it is gone.
    pub fn drop_query(&mut self) {
        self.is_query_open = false;
    }

    fn literal(&mut self, store: &Store, formula: ExprId) -> String {
        let text = print_term(store, formula, Dialect::Standard);
        if store.is_var_or_negation(formula) {
            return text;
        }
        // Symbols of variables contain `%` only before two hexadecimal digits, so this is not such a symbol.
        let proxy = format!("%proxy{}", self.num_proxies);
        self.num_proxies += 1;
        writeln!(self.text, "(declare-const {proxy} Bool)\n(assert (=> {proxy} {text}))")
            .expect("writing to a string should succeed");
        proxy
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;

    use super::*;

    #[test]
    fn variables_are_declared_once_and_formulas_assumed_by_proxy() {
        let store = Store::new();
        let (x, b) = (store.var("x", Sort::Int), store.var("b", Sort::Bool));
        let formula = store.lt(x, store.int(1));
        let mut script = Script::new();
        script.declare(&store, &[formula, b]);
        script.declare(&store, &[formula]);
        let query = script.query(&store, &[store.not(b), formula]);
        script.end_query();
        script.end_query();
        assert_eq!(query.literals, ["(not b)", "%proxy0"]);
        let expected = "\
(declare-const x Int)
(declare-const b Bool)
(push 1)
(declare-const %proxy0 Bool)
(assert (=> %proxy0 (< x 1)))
(check-sat-assuming ((not b) %proxy0))
(pop 1)
";
        assert_eq!(script.take(), expected);
    }
}
