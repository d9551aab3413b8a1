//! Interpolants of chains as solutions of Horn clauses, by Z3's engine Spacer.
//!
//! Each point of the chain becomes a relation over the variables that matter there, each step a clause from one relation
//! to the next. A solution of the clauses is a sequence of interpolants, and Spacer looks for general ones. Its
//! simplifications `xform.slice`, `xform.inline_linear` and `xform.inline_eager` are switched off: with them the
//! relations come back with quantifiers.
//!
//! Follows Komuravelli, Gurfinkel and Chaki, *SMT-Based Model Checking for Recursive Programs* (2014), for the engine.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::smtlib::sexpr::{Sexpr, Sexprs};
use thetis_expr::smtlib::{Dialect, print_name, print_sort, print_term, term_of};
use thetis_expr::{ExprId, Store, VarId};
use thetis_solver::{Chain, Interpolator};

use crate::ffi::Context;

/// The interpolator `horn`.
#[derive(Clone, Copy, Debug)]
pub struct Z3Horn {
    max_time: Duration,
}

impl Default for Z3Horn {
    fn default() -> Self {
        Z3Horn { max_time: Duration::from_secs(3) }
    }
}

impl Z3Horn {
    /// Gives up on a chain after `max_time`.
    pub fn new(max_time: Duration) -> Z3Horn {
        Z3Horn { max_time }
    }
}

impl Interpolator for Z3Horn {
    fn name(&self) -> &'static str {
        "horn"
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        run.checkpoint()?;
        let relations = Relations::new(store, chain);
        let time = run.time_left().map_or(self.max_time, |left| left.min(self.max_time));
        let context = Context::current()?;
        // What Z3 cannot read or solve is an error or another word; both mean that there is no answer.
        let is_solved = context
            .evaluate_script(&relations.script(store, chain, time))
            .is_ok_and(|answer| answer.trim() == "sat");
        let model = is_solved.then(|| context.evaluate_script("(get-model)\n").ok()).flatten();
        context.evaluate_script(FOOTER)?;
        Ok(model.and_then(|model| relations.read(store, &model)))
    }
}

/// For each point of a chain the variables that its relation is over: those that something behind reads.
struct Relations {
    vars: Vec<Vec<VarId>>,
}

impl Relations {
    fn new(store: &Store, chain: &Chain) -> Relations {
        let mut read: BTreeSet<VarId> = store.vars_of([chain.end]).into_iter().collect();
        let mut vars = vec![read.iter().copied().collect()];
        for step in chain.steps.iter().rev() {
            let used = step.next.iter().filter(|(var, _)| read.contains(var)).map(|(_, term)| *term);
            let before = store.vars_of(used.chain(step.conjuncts.iter().copied()));
            read.retain(|var| step.next.iter().all(|(changed, _)| changed != var));
            read.extend(before.into_iter().filter(|var| !step.inputs.contains(var)));
            vars.push(read.iter().copied().collect());
        }
        vars.reverse();
        Relations { vars }
    }

    fn script(&self, store: &Store, chain: &Chain, time: Duration) -> String {
        let mut script = format!("{HEADER}(set-option :timeout {})\n", time.as_millis().max(1));
        for (point, vars) in self.vars.iter().enumerate() {
            let sorts: Vec<String> = vars.iter().map(|var| print_sort(store, store.var_sort(*var))).collect();
            // Writing to a string cannot fail.
            let _ = writeln!(script, "(declare-fun {} ({}) Bool)", relation(point), sorts.join(" "));
        }
        let unchanged = |var: VarId| store.var_expr(var);
        script += &clause(store, &[], &[chain.start], &self.application(store, 0, unchanged));
        for (point, step) in chain.steps.iter().enumerate() {
            let next: FxHashMap<VarId, ExprId> = step.next.iter().copied().collect();
            let head = self.application(store, point + 1, |var| {
                next.get(&var).copied().unwrap_or_else(|| store.var_expr(var))
            });
            let body = [self.application(store, point, unchanged)];
            script += &clause(store, &body, &step.conjuncts, &head);
        }
        let last = [self.application(store, chain.steps.len(), unchanged)];
        let contradiction = Application { text: "false".into(), vars: BTreeSet::new() };
        script += &clause(store, &last, &[store.not(chain.end)], &contradiction);
        script + "(check-sat)\n"
    }

    /// The relation of `point`, applied to the given terms of its variables.
    fn application(&self, store: &Store, point: usize, term: impl Fn(VarId) -> ExprId) -> Application {
        let terms: Vec<ExprId> = self.vars[point].iter().map(|var| term(*var)).collect();
        let vars = store.vars_of(terms.iter().copied()).into_iter().collect();
        let texts: Vec<String> =
            terms.iter().map(|term| print_term(store, *term, Dialect::Standard)).collect();
        let name = relation(point);
        let text = if texts.is_empty() { name } else { format!("({name} {})", texts.join(" ")) };
        Application { text, vars }
    }

    /// The formulas of `((define-fun point!0 ((x!0 Int)...) Bool formula)...)`; `None` for anything else.
    fn read(&self, store: &Store, answer: &str) -> Option<Vec<ExprId>> {
        let answers = Sexprs::read(answer).ok()?;
        let mut bodies: FxHashMap<&str, Sexpr<'_>> = FxHashMap::default();
        let definitions: Vec<Sexpr<'_>> = answers.only().ok()?.children().collect();
        for definition in definitions {
            if let Some(name) = definition.children().nth(1).and_then(Sexpr::symbol) {
                bodies.insert(name, definition);
            }
        }
        let formula = |(point, vars): (usize, &Vec<VarId>)| {
            let mut parts = bodies.get(relation(point).as_str())?.children().skip(2);
            let formals = parts.next()?.children().map(|formal| formal.children().next()?.symbol());
            let formals: Option<Vec<&str>> = formals.collect();
            let names: FxHashMap<&str, VarId> = formals?.into_iter().zip(vars.iter().copied()).collect();
            let scope = |store: &Store, symbol: &str| names.get(symbol).map(|var| store.var_expr(*var));
            term_of(store, parts.nth(1)?, &scope).ok()
        };
        self.vars.iter().enumerate().map(formula).collect()
    }
}

/// A relation applied to terms, as text, with the variables in it.
struct Application {
    text: String,
    vars: BTreeSet<VarId>,
}

const HEADER: &str = "(reset)\n(set-option :fp.engine spacer)\n(set-option :fp.xform.slice false)\n\
    (set-option :fp.xform.inline_linear false)\n(set-option :fp.xform.inline_eager false)\n(set-logic HORN)\n";

/// The limit of time is Z3's own: an interruption from outside would stay pending for other users of the context.
const FOOTER: &str = "(set-option :timeout 4294967295)\n(reset)\n";

fn relation(point: usize) -> String {
    format!("point!{point}")
}

/// `(assert (forall (variables) (=> (and body conjuncts) head)))`
fn clause(store: &Store, body: &[Application], conjuncts: &[ExprId], head: &Application) -> String {
    let mut vars: BTreeSet<VarId> = store.vars_of(conjuncts.iter().copied()).into_iter().collect();
    let mut premises = String::from("true");
    for part in body {
        vars.extend(&part.vars);
        premises = format!("{premises} {}", part.text);
    }
    vars.extend(&head.vars);
    for conjunct in conjuncts {
        premises = format!("{premises} {}", print_term(store, *conjunct, Dialect::Standard));
    }
    let mut bound = String::new();
    for var in &vars {
        // Writing to a string cannot fail.
        let _ = write!(bound, "({} {})", print_name(store, *var), print_sort(store, store.var_sort(*var)));
    }
    let implication = format!("(=> (and {premises}) {})", head.text);
    if vars.is_empty() {
        format!("(assert {implication})\n")
    } else {
        format!("(assert (forall ({bound}) {implication}))\n")
    }
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use thetis_expr::Sort;
    use thetis_solver::{Answer, Solver, SolverFactory, Step};

    use super::*;
    use crate::Z3Factory;

    /// `x := 0; (x := x + 1)^rounds; [x < 0]`.
    fn counting(store: &Store, rounds: usize) -> Chain {
        let x = store.declare("x", Sort::Int);
        let term = store.var_expr(x);
        let step = |conjuncts, next| Rc::new(Step { conjuncts, next, inputs: Vec::new() });
        let mut steps = vec![step(vec![], vec![(x, store.int(0))])];
        steps.extend((0..rounds).map(|_| step(vec![], vec![(x, store.add(term, store.int(1)))])));
        steps.push(step(vec![store.lt(term, store.int(0))], vec![]));
        Chain::infeasible(store, steps)
    }

    #[test]
    fn a_counter_gets_one_formula_a_point() {
        let store = Store::new();
        let chain = counting(&store, 3);
        let formulas = Z3Horn::default().interpolate(&store, &chain, &Run::unlimited()).unwrap().unwrap();
        assert_eq!(formulas.len(), chain.steps.len() + 1);
        assert_eq!(formulas[0], store.tru());
        assert_eq!(formulas[formulas.len() - 1], store.fals());
        let x = store.find_var("x").unwrap();
        assert_eq!(store.vars_of([formulas[2]]), [x]);
    }

    #[test]
    fn a_chain_without_contradiction_has_no_interpolants() {
        let store = Store::new();
        let mut chain = counting(&store, 1);
        chain.steps.pop();
        assert_eq!(Z3Horn::default().interpolate(&store, &chain, &Run::unlimited()).unwrap(), None);
    }

    #[test]
    fn time_over_is_no_answer_and_leaves_the_solver_usable() {
        let store = Store::new();
        let mut horn = Z3Horn::new(Duration::from_millis(1));
        let run = Run::unlimited();
        let mut solver = Z3Factory::default().start(&run).unwrap();
        assert_eq!(horn.interpolate(&store, &counting(&store, 60), &run).unwrap(), None);
        solver.push().unwrap();
        assert!(matches!(solver.check(&store, &[]).unwrap(), Answer::Sat(_)));
        let chain = counting(&store, 2);
        assert!(Z3Horn::default().interpolate(&store, &chain, &Run::unlimited()).unwrap().is_some());
    }
}
