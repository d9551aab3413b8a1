//! Solutions of linear Horn clauses: the teacher and the loop.
//!
//! Each relation is a space, over the variables that can matter there. A clause without body gives positive points, one without head negative points, and any other clause
//! implications: a hypothesis fails on it for two points of which the first is contained and the second is not. Before the first hypothesis, positive points are
//! carried forward through the clauses and negative ones backward, so that the learner sees some of the runs.
//!
//! Between these two, the [strongest inductive bounds](crate::bounds) become lemmas: the teacher considers only points
//! that satisfy them, and they are part of the solution.
//!
//! If a point must be positive and negative, the clauses have no solution. Variables of unsupported sorts are left out
//! of the spaces; then such a point only means that there is no solution over the remaining variables.

use std::rc::Rc;

use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Replacer, Sort, Store, VarId};
use thetis_solver::{HornAnswer, HornClause, HornSolver, HornSystem, SolverFactory};

use crate::bounds::strongest;
use crate::data::is_learnable;
use crate::models::{Examples, terms_of};
use crate::{
    Contradiction, Data, Hints, IceConfig, IceStats, Label, Learner, LearnerKind, Point, is_consistent,
    learner_of,
};

/// How many points are carried on through a clause at once.
const FAN_OUT: usize = 2;

/// Learns solutions of linear Horn clauses.
pub struct IceHorn {
    config: IceConfig,
    solvers: Rc<dyn SolverFactory>,
    stats: IceStats,
}

impl IceHorn {
    /// A learner with solvers for its teacher.
    pub fn new(config: IceConfig, solvers: Rc<dyn SolverFactory>) -> IceHorn {
        IceHorn { config, solvers, stats: IceStats::default() }
    }

    /// What the last call did.
    pub fn stats(&self) -> IceStats {
        self.stats
    }

    /// The figures of the last call, for reports.
    pub fn statistics(&self) -> Statistics {
        self.stats.statistics()
    }

    /// With implications there are always many points, so the tree is the better choice.
    fn learner(&self, hints: Hints) -> Box<dyn Learner> {
        let learner = match self.config.learner {
            LearnerKind::Auto => LearnerKind::Tree,
            chosen => chosen,
        };
        learner_of(&IceConfig { learner, ..self.config.clone() }, hints)
    }
}

impl HornSolver for IceHorn {
    fn solve(&mut self, store: &Store, system: &HornSystem, run: &Run) -> Result<HornAnswer, Stop> {
        self.stats = IceStats::default();
        if system.clauses.iter().any(|clause| !clause.neighbours.is_empty()) {
            return Ok(HornAnswer::Unknown("clauses that are not linear are not learned from".into()));
        }
        let needed = system.needed_vars(store);
        let is_projected = needed.iter().flatten().any(|var| !is_learnable(store.var_sort(*var)));
        let learnable =
            |vars: Vec<VarId>| vars.into_iter().filter(|var| is_learnable(store.var_sort(*var))).collect();
        let data = Data::new(store, needed.into_iter().map(learnable).collect());
        let hints = Hints::of(store, &data, &formulas_of(store, system));
        let mut learner = self.learner(hints.clone());
        let lemmas = vec![store.tru(); system.num_relations];
        let examples = Examples::new(self.solvers.start(run)?, self.config.query_time);
        let mut teaching = Teaching { store, system, data, hints, lemmas, examples, config: &self.config };
        let (outcome, stats) = teaching.run(&mut *learner, run)?;
        self.stats = stats;
        Ok(match outcome {
            Solution::Solved(formulas) => HornAnswer::Solved(formulas),
            Solution::Contradiction if !is_projected => HornAnswer::Contradictory,
            Solution::Contradiction => {
                HornAnswer::Unknown("a variable that cannot be learned about matters".into())
            }
            Solution::Unknown(reason) => HornAnswer::Unknown(reason),
        })
    }
}

/// All conditions of the clauses; conditions after a step are translated to before it.
fn formulas_of(store: &Store, system: &HornSystem) -> Vec<ExprId> {
    let conditions: Vec<ExprId> =
        system.clauses.iter().flat_map(|clause| clause.step.conjuncts.iter().copied()).collect();
    let mut formulas = conditions.clone();
    for clause in &system.clauses {
        formulas.extend(
            clause.step.next.iter().filter(|(_, term)| store.sort(*term) == Sort::Int).map(|(_, term)| *term),
        );
    }
    formulas
}

enum Solution {
    Solved(Vec<ExprId>),
    Contradiction,
    Unknown(String),
}

struct Teaching<'a> {
    store: &'a Store,
    system: &'a HornSystem,
    data: Data,
    hints: Hints,
    /// What is known about the derivable points of each relation.
    lemmas: Vec<ExprId>,
    examples: Examples,
    config: &'a IceConfig,
}

impl Teaching<'_> {
    fn run(&mut self, learner: &mut dyn Learner, run: &Run) -> Result<(Solution, IceStats), Stop> {
        let mut stats = IceStats::default();
        let mut teaching = stats.teaching;
        let explored = teaching.time(|| self.explore(run))?;
        stats.teaching = teaching;
        if explored == Err(Contradiction) {
            return Ok((Solution::Contradiction, stats));
        }
        while stats.iterations < u64::from(self.config.max_iterations) {
            run.checkpoint()?;
            stats.iterations += 1;
            stats.points = self.data.points().len() as u64;
            if self.data.points().len() > self.config.max_points as usize {
                return Ok((Solution::Unknown("there are too many points".into()), stats));
            }
            let (store, data) = (self.store, &self.data);
            let learned = stats.learning.time(|| learner.learn(store, data, run))?;
            let Some(hypothesis) = learned.filter(|formulas| is_consistent(store, data, formulas)) else {
                return Ok((Solution::Unknown("the learner has no hypothesis".into()), stats));
            };
            let outcome = stats.teaching.time(|| self.validate(&hypothesis, run))?;
            if let Some(outcome) = outcome {
                return Ok((outcome, stats));
            }
        }
        Ok((Solution::Unknown("there were too many hypotheses".into()), stats))
    }

    /// The answer if `hypothesis` is right, or if learning must fail; otherwise there is more data.
    fn validate(&mut self, hypothesis: &[ExprId], run: &Run) -> Result<Option<Solution>, Stop> {
        let size = self.data.size();
        let system = self.system;
        for clause in &system.clauses {
            run.checkpoint()?;
            let before = clause.body.map_or(self.store.tru(), |body| hypothesis[body]);
            let after = clause.head.map_or(self.store.fals(), |head| hypothesis[head]);
            let violation = self.store.and(before, self.store.not(clause.step.before(self.store, after)));
            match self.ask(clause, violation, self.config.per_check.max(1) as usize, run)? {
                Asked::Nothing | Asked::Points => {}
                Asked::Contradiction => return Ok(Some(Solution::Contradiction)),
                Asked::Unknown(reason) => return Ok(Some(Solution::Unknown(reason))),
            }
        }
        let solution =
            || hypothesis.iter().zip(&self.lemmas).map(|(left, right)| self.store.and(*left, *right));
        Ok((self.data.size() == size).then(|| Solution::Solved(solution().collect())))
    }

    /// Adds the points of steps through `clause` that satisfy `formula`.
    fn ask(&mut self, clause: &HornClause, formula: ExprId, wanted: usize, run: &Run) -> Result<Asked, Stop> {
        let store = self.store;
        let lemma = clause.body.map_or(store.tru(), |body| self.lemmas[body]);
        let formula = store.and_all([lemma, formula, clause.step.condition(store)]);
        if formula == store.fals() {
            return Ok(Asked::Nothing);
        }
        let next: rustc_hash::FxHashMap<VarId, ExprId> = clause.step.next.iter().copied().collect();
        let before = clause.body.map(|body| terms_of(store, self.data.vars(body))).unwrap_or_default();
        let after = clause.head.map(|head| terms_of(store, self.data.vars(head))).unwrap_or_default();
        let mut replacer = Replacer::new(|_: &Store, var| next.get(&var).copied());
        let mut terms = before.clone();
        terms.extend(after.iter().map(|term| replacer.apply(store, *term)));
        let found = self.examples.find(store, formula, &terms, wanted, run)?;
        for values in &found.points {
            let (left, right) = values.split_at(before.len());
            if self.add(clause, left, right) == Err(Contradiction) {
                return Ok(Asked::Contradiction);
            }
        }
        Ok(match found.doubt() {
            Some(reason) => Asked::Unknown(reason),
            None if found.points.is_empty() => Asked::Nothing,
            None => Asked::Points,
        })
    }

    fn add(&mut self, clause: &HornClause, before: &[i64], after: &[i64]) -> Result<(), Contradiction> {
        let point = |space: usize, values: &[i64]| Point { space, values: values.to_vec() };
        match (clause.body, clause.head) {
            (None, None) => Err(Contradiction),
            (None, Some(head)) => self.data.add(point(head, after), Label::Positive).map(|_| ()),
            (Some(body), None) => self.data.add(point(body, before), Label::Negative).map(|_| ()),
            (Some(body), Some(head)) => self.data.add_implication(point(body, before), point(head, after)),
        }
    }

    /// Finds positive points, bounds, and points of both kinds.
    fn explore(&mut self, run: &Run) -> Result<Result<(), Contradiction>, Stop> {
        if self.config.bounds {
            if self.explore_from(&[Label::Positive], self.config.initial as usize / 2, run)?
                == Err(Contradiction)
            {
                return Ok(Err(Contradiction));
            }
            let Teaching { store, system, data, hints, examples, .. } = self;
            if let Some(lemmas) = strongest(store, system, data, hints, examples, run)? {
                self.lemmas = lemmas;
            }
        }
        self.explore_from(&[Label::Positive, Label::Negative], self.config.initial as usize, run)
    }

    /// Finds points of some kinds, first those that need no others, until there are as many as wanted.
    fn explore_from(
        &mut self,
        labels: &[Label],
        wanted: usize,
        run: &Run,
    ) -> Result<Result<(), Contradiction>, Stop> {
        let system = self.system;
        let any = self.store.tru();
        let is_start = |clause: &&HornClause| {
            clause.body.is_none() || clause.head.is_none() && labels.contains(&Label::Negative)
        };
        for clause in system.clauses.iter().filter(is_start) {
            if let Asked::Contradiction = self.ask(clause, any, 2 * FAN_OUT, run)? {
                return Ok(Err(Contradiction));
            }
        }
        let mut position = 0;
        while position < self.data.points().len() && self.data.points().len() < wanted {
            run.checkpoint()?;
            let point = self.data.points()[position].clone();
            let label = self.data.labels().get(position).filter(|label| labels.contains(label));
            position += 1;
            for clause in &system.clauses {
                let formula = match label {
                    Some(Label::Positive) if clause.body == Some(point.space) => self.is_at(&point),
                    Some(Label::Negative) if clause.head == Some(point.space) && clause.body.is_some() => {
                        clause.step.before(self.store, self.is_at(&point))
                    }
                    _ => continue,
                };
                if let Asked::Contradiction = self.ask(clause, formula, FAN_OUT, run)? {
                    return Ok(Err(Contradiction));
                }
            }
        }
        Ok(Ok(()))
    }

    /// The formula that the variables of a space have the values of a point.
    fn is_at(&self, point: &Point) -> ExprId {
        let store = self.store;
        let equals = |(var, value): (&VarId, &i64)| {
            let term = store.var_expr(*var);
            match store.var_sort(*var) {
                Sort::Bool if *value != 0 => term,
                Sort::Bool => store.not(term),
                _ => store.eq(term, store.int(*value)),
            }
        };
        store.and_all(self.data.vars(point.space).iter().zip(&point.values).map(equals))
    }
}

/// The result of a query about a clause.
enum Asked {
    Nothing,
    Points,
    Contradiction,
    Unknown(String),
}
