//! Conjunctions of tracked formulas that hold.
//!
//! A state is the set of tracked formulas that are known to hold, and nothing else: not even the negation of one that is
//! known not to hold. That makes this the least precise of the predicate domains and the quickest to terminate. If the
//! formulas hold at the start of a loop, then every round of the loop can only lose some of them, and the graph ends after
//! at most as many rounds as there are formulas, whereas a state with negations may follow a counter through all its values.
//! The domain is meant for formulas that were constructed to hold, such as the clauses of the interpolator `clauses`: the
//! graph then finds the greatest set of clauses that is inductive, as Houdini does (Flanagan and Leino 2001).
//!
//! To compute a post, the solver is asked for a successor that violates one of the formulas that are still open. If
//! there is one, all formulas that it violates are dropped; if there is none, all remaining formulas hold.
//!
//! A formula that holds after an edge from a weaker state also holds from a stronger one, and a formula that does not hold
//! from a stronger state does not hold from a weaker one. So most answers follow from earlier ones.

use std::collections::{BTreeSet, VecDeque};

use rustc_hash::FxHashMap;
use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Store, Value};
use thetis_model::cfa::EdgeId;
use thetis_solver::{Answer, CoreSolver, SolverFactory};

use crate::analysis::Domain;
use crate::program::Action;

/// Formulas that all hold, or that are tracked.
pub type Formulas = BTreeSet<ExprId>;

/// How many posts of an edge are remembered: the last ones.
const MAX_REMEMBERED: usize = 64;

/// The domain. See the [module](self).
pub struct Conjunctions<'s> {
    store: &'s Store,
    solver: Box<dyn CoreSolver>,
    /// Tracked formulas before edges.
    before: FxHashMap<(EdgeId, ExprId), ExprId>,
    memory: FxHashMap<EdgeId, VecDeque<Post>>,
    posts: u64,
    queries: u64,
    answers: u64,
    remembered: u64,
}

/// What was found about the successors of a state.
#[derive(Clone)]
struct Post {
    from: Formulas,
    /// Whether there are any successors, if known; true if the solver could not decide.
    is_possible: Option<bool>,
    hold: Formulas,
    /// What does not hold, or what the solver could not decide.
    fail: Formulas,
}

impl<'s> Conjunctions<'s> {
    /// The domain.
    pub fn new(store: &'s Store, solvers: &dyn SolverFactory, run: &Run) -> Result<Conjunctions<'s>, Stop> {
        Ok(Conjunctions {
            store,
            solver: solvers.start(run)?,
            before: FxHashMap::default(),
            memory: FxHashMap::default(),
            posts: 0,
            queries: 0,
            answers: 0,
            remembered: 0,
        })
    }

    /// What earlier posts imply about the successors of `from`.
    fn recall(&mut self, from: &Formulas, edge: EdgeId, tracked: &Formulas) -> Post {
        let mut known =
            Post { from: from.clone(), is_possible: None, hold: Formulas::new(), fail: Formulas::new() };
        for post in self.memory.get(&edge).into_iter().flatten() {
            if post.from.is_subset(from) {
                known.hold.extend(post.hold.intersection(tracked));
                known.is_possible = known.is_possible.or(post.is_possible.filter(|possible| !possible));
            }
            if from.is_subset(&post.from) {
                known.fail.extend(post.fail.intersection(tracked));
                known.is_possible = known.is_possible.or(post.is_possible.filter(|possible| *possible));
            }
        }
        // The solver may have failed to decide then what it could decide when less was known.
        known.fail.retain(|formula| !known.hold.contains(formula));
        self.remembered += (known.hold.len() + known.fail.len()) as u64;
        known
    }

    fn post(
        &mut self,
        from: &Formulas,
        action: &Action,
        tracked: &Formulas,
        run: &Run,
    ) -> Result<Post, Stop> {
        let mut post = self.recall(from, action.edge, tracked);
        let is_complete = post.hold.len() + post.fail.len() == tracked.len();
        if post.is_possible == Some(false) || post.is_possible == Some(true) && is_complete {
            return Ok(post);
        }
        self.solver.push()?;
        let asked = self.ask(&mut post, action, tracked, run);
        self.solver.pop()?;
        asked?;
        let memory = self.memory.entry(action.edge).or_default();
        memory.retain(|old| old.from != *from);
        memory.push_back(post.clone());
        if memory.len() > MAX_REMEMBERED {
            memory.pop_front();
        }
        Ok(post)
    }

    /// Asks for what is not known yet.
    fn ask(&mut self, post: &mut Post, action: &Action, tracked: &Formulas, run: &Run) -> Result<(), Stop> {
        for formula in post.from.iter().chain(&action.step.conjuncts) {
            self.solver.assert(self.store, *formula)?;
        }
        if post.is_possible.is_none() {
            self.queries += 1;
            post.is_possible = Some(!matches!(self.solver.check(self.store, &[])?, Answer::Unsat));
        }
        if post.is_possible == Some(true) {
            let is_open = |formula: &&ExprId| !post.hold.contains(formula) && !post.fail.contains(formula);
            let open =
                tracked.iter().filter(is_open).map(|formula| (*formula, self.before(action, *formula)));
            let mut open: Vec<(ExprId, ExprId)> = open.collect();
            self.answers += open.len() as u64;
            self.drop_violated(&mut open, &mut post.fail, run)?;
            post.hold.extend(open.iter().map(|(formula, _)| *formula));
        }
        Ok(())
    }

    /// Moves what a successor can violate from `open` to `fail`.
    fn drop_violated(
        &mut self,
        open: &mut Vec<(ExprId, ExprId)>,
        fail: &mut Formulas,
        run: &Run,
    ) -> Result<(), Stop> {
        loop {
            run.checkpoint()?;
            let questions: Vec<ExprId> = open.iter().map(|(_, before)| *before).collect();
            let Some(holds) = self.violation(&questions)? else { return Ok(()) };
            let mut holds = holds.into_iter();
            open.retain(|(formula, _)| {
                let holds = holds.next() == Some(true);
                if !holds {
                    fail.insert(*formula);
                }
                holds
            });
        }
    }

    /// Which questions hold in a successor that violates at least one; `None` if there is no such successor. If the solver
    /// cannot decide, none counts as holding.
    fn violation(&mut self, questions: &[ExprId]) -> Result<Option<Vec<bool>>, Stop> {
        let store = self.store;
        let violation = store.or_all(questions.iter().map(|question| store.not(*question)));
        if violation == store.fals() {
            return Ok(None);
        }
        self.queries += 1;
        self.solver.push()?;
        self.solver.assert(store, violation)?;
        let holds = match self.solver.check(store, &[])? {
            Answer::Unsat => None,
            Answer::Unknown(_) => Some(vec![false; questions.len()]),
            Answer::Sat(valuation) => {
                let values = valuation.evaluate_all(store, questions)?;
                Some(values.iter().map(|value| *value == Value::Bool(true)).collect())
            }
        };
        self.solver.pop()?;
        Ok(holds)
    }

    fn before(&mut self, action: &Action, formula: ExprId) -> ExprId {
        let store = self.store;
        *self.before.entry((action.edge, formula)).or_insert_with(|| action.next.substitute(store, formula))
    }
}

impl Domain<Action> for Conjunctions<'_> {
    type State = Formulas;
    type Precision = Formulas;

    fn top(&self) -> Formulas {
        Formulas::new()
    }

    fn successors(
        &mut self,
        from: &Formulas,
        action: &Action,
        precision: &Formulas,
        run: &Run,
    ) -> Result<Vec<Formulas>, Stop> {
        self.posts += 1;
        let post = self.post(from, action, precision, run)?;
        Ok(if post.is_possible == Some(false) { Vec::new() } else { vec![post.hold] })
    }

    fn covers(&mut self, general: &Formulas, special: &Formulas) -> Result<bool, Stop> {
        Ok(general.is_subset(special))
    }

    fn formula(&self, state: &Formulas) -> ExprId {
        self.store.and_all(state.iter().copied())
    }

    fn num_queries(&self) -> u64 {
        self.queries
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("conjunctions")
            .count("posts", self.posts)
            .count("queries", self.queries)
            .count("answers", self.answers)
            .count("remembered-answers", self.remembered)
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, VarId};
    use thetis_model::Task;
    use thetis_model::cfa::{Cfa, CfaBuilder, CfaProperty, Stmt};
    use thetis_z3::Z3Factory;

    use super::*;
    use crate::program::Program;

    /// One edge `p := q` under the condition `r`.
    fn task() -> (Task<Cfa>, [ExprId; 3]) {
        let store = Store::new();
        let vars: [VarId; 3] = ["p", "q", "r"].map(|name| store.declare(name, Sort::Bool));
        let terms = vars.map(|var| store.var_expr(var));
        let mut builder = CfaBuilder::new("copy");
        vars.iter().for_each(|var| builder.var(*var));
        let [start, end] = ["start", "end"].map(|name| builder.location(name, None));
        builder.initial(start);
        builder.error(end);
        let stmts = vec![Stmt::assume(terms[2]), Stmt::assign(vars[0], terms[1])];
        builder.edge(start, end, Stmt::seq(stmts), None);
        let model = builder.build(&store).unwrap();
        (Task { store, model, property: CfaProperty::ErrorLocation }, terms)
    }

    #[test]
    fn what_holds_is_kept_and_negations_are_not() {
        let (task, [p, q, r]) = task();
        let (store, run) = (&task.store, Run::unlimited());
        let program = Program::new(&task);
        let action = program.actions.iter().next().unwrap();
        let mut domain = Conjunctions::new(store, &Z3Factory::default(), &run).unwrap();
        let tracked = Formulas::from([p, q, r, store.or(p, store.not(q))]);
        let mut post = |from: &[ExprId]| {
            let from: Formulas = from.iter().copied().collect();
            let states = domain.successors(&from, action, &tracked, &run).unwrap();
            (states, domain.num_queries())
        };
        let holds = |formulas: &[ExprId]| vec![formulas.iter().copied().collect::<Formulas>()];
        let (states, queries) = post(&[q]);
        assert_eq!(states, holds(&[p, q, r, store.or(p, store.not(q))]));
        // Knowing more before, nothing new is asked: all that is tracked holds.
        assert_eq!(post(&[q, store.not(p)]).0, states);
        let (same, more) = (post(&[q]).0, post(&[q]).1);
        assert_eq!(
            (same, more),
            (states, queries + 1),
            "one query whether the stronger state has a successor"
        );
        // `p` does not hold surely, nor does its negation where `q` is false.
        assert_eq!(post(&[]).0, holds(&[r, store.or(p, store.not(q))]));
        assert_eq!(post(&[store.not(q)]).0, holds(&[r, store.or(p, store.not(q))]));
        assert_eq!(post(&[store.not(r)]).0, Vec::<Formulas>::new());
    }
}
