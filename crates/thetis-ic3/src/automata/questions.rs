//! Solver queries: can an edge lead from a frame into a cube?
//!
//! Every location has its own incremental context. It contains the clauses of the location's frames, each under the
//! activation literal of its level, and the conditions of the edges that leave the location, each under its own
//! literal; `level i` implies `level i + 1`. A query assumes one literal of either kind and the literals of the cube
//! after the edge, so that an unsatisfiable core is a part of the cube. A context with many redundant clauses is
//! restarted.
//!
//! Formulas that hold at a location at all levels are asserted in its context as they are.
//!
//! Frames only get stronger and contain those of lower levels. So if an edge does not lead into a cube from some level,
//! it never does from that level or a lower one, and the result can be cached together with its core. A cube that an
//! edge leads into from some level is reached from that level and higher ones until the frame of that level loses
//! states.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Sort, Store, Version};
use thetis_interpolate::Point;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, LocId};
use thetis_solver::{CoreAnswer, CoreSolver, QueryLimit, SolverError, SolverFactory, Valuation};

use super::cube::Cube;
use super::frames::Frames;
use super::stats::CfaIc3Stats;
use super::transition::{Transition, transitions};

/// Why the search ends undecided.
pub(super) enum End {
    /// The run must stop.
    Stop(Stop),
    /// The solver cannot decide a necessary query.
    Undecided(String),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        End::Stop(stop)
    }
}

impl From<SolverError> for End {
    fn from(error: SolverError) -> End {
        End::Stop(error.into())
    }
}

/// Whether an edge leads from a frame into a cube.
pub(super) enum Reply {
    /// It does, from a state with these values.
    Reached(Point),
    /// It does not, and these literals of the cube suffice for that.
    Unreached(Vec<ExprId>),
    /// The solver cannot decide; its message.
    Undecided(String),
}

/// How much effort an answer is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
    /// The search cannot continue without an answer.
    Needed,
    /// The answer would help.
    Helpful,
}

/// The purpose of a query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Purpose {
    /// To find or exclude what leads to an error.
    Blocking,
    /// To make an excluded cube larger.
    Generalisation,
    /// To move cubes to other levels and locations.
    Moving,
    /// To find an inductive frame.
    Termination,
}

/// The resource limit of the solver for queries that are only helpful, in its own unit.
const HELPFUL_STEPS: u64 = 2_000_000;

/// A context is restarted when it has this many clauses more than twice the active ones.
const STALE_CLAUSES: usize = 60;

pub(super) struct Questions<'t> {
    task: &'t Task<Cfa>,
    solvers: Rc<dyn SolverFactory>,
    run: &'t Run,
    pub(super) transitions: IndexVec<EdgeId, Transition>,
    contexts: IndexVec<LocId, Option<Context>>,
    /// Literals of cubes, translated to before an edge.
    before: FxHashMap<(EdgeId, ExprId), ExprId>,
    cache: Option<FxHashMap<(EdgeId, Cube), Remembered>>,
    /// The purpose of the current queries.
    pub(super) purpose: Purpose,
    /// What holds at locations at all levels.
    invariants: BTreeMap<LocId, ExprId>,
    pub(super) stats: CfaIc3Stats,
}

/// What is known about an edge and a cube.
#[derive(Default)]
struct Remembered {
    /// The highest level from which the edge does not lead into the cube, and the literals of the cube that suffice.
    unreached: Option<(usize, Vec<ExprId>)>,
    /// A level from which it does, how often its frame had changed by then, and the state where it starts.
    reached: Option<(usize, u32, Point)>,
}

struct Context {
    solver: Box<dyn CoreSolver>,
    num_levels: usize,
    num_clauses: usize,
    edges: Vec<EdgeId>,
    effort: Effort,
}

impl<'t> Questions<'t> {
    pub(super) fn new(
        task: &'t Task<Cfa>,
        solvers: Rc<dyn SolverFactory>,
        has_cache: bool,
        run: &'t Run,
    ) -> Questions<'t> {
        Questions {
            task,
            solvers,
            run,
            transitions: transitions(task),
            contexts: task.model.locations.iter().map(|_| None).collect(),
            before: FxHashMap::default(),
            cache: has_cache.then(FxHashMap::default),
            purpose: Purpose::Blocking,
            invariants: BTreeMap::new(),
            stats: CfaIc3Stats::default(),
        }
    }

    /// Assumes `invariants`, which must be inductive, in all queries from now on.
    pub(super) fn rely_on(&mut self, invariants: &BTreeMap<LocId, ExprId>) {
        self.contexts.iter_mut().for_each(|context| *context = None);
        self.invariants = invariants.clone();
        let num_lemmas = invariants.values().map(|formula| self.store().conjuncts(*formula).len());
        self.stats.lemmas += num_lemmas.sum::<usize>() as u64;
    }

    fn store(&self) -> &'t Store {
        &self.task.store
    }

    /// A literal of a cube, translated to before `edge`.
    pub(super) fn before(&mut self, edge: EdgeId, literal: ExprId) -> ExprId {
        let (store, transition) = (&self.task.store, &self.transitions[edge]);
        *self.before.entry((edge, literal)).or_insert_with(|| transition.before(store, literal))
    }

    /// Whether `edge` leads from `F(level, source)` into `cube`; if it ends where it starts, from a state outside of `cube`.
    pub(super) fn leads_into(
        &mut self,
        frames: &Frames,
        level: usize,
        edge: EdgeId,
        cube: &Cube,
        effort: Effort,
    ) -> Result<Reply, End> {
        self.run.checkpoint()?;
        let (source, target) = (self.transitions[edge].source, self.transitions[edge].target);
        if frames.is_empty_start(level, source) {
            return Ok(Reply::Unreached(Vec::new()));
        }
        if let Some(reply) = self.remembered(frames, level, edge, cube) {
            self.stats.cached += 1;
            return Ok(reply);
        }
        let outside = (source == target).then(|| cube.clause(self.store()));
        let reply = self.ask(frames, level, edge, cube, outside, effort)?;
        if let Some(cache) = &mut self.cache {
            let remembered = cache.entry((edge, cube.clone())).or_default();
            match &reply {
                Reply::Unreached(core) => remembered.unreached = Some((level, core.clone())),
                Reply::Reached(point) => {
                    remembered.reached = Some((level, frames.num_changes(level, source), point.clone()));
                }
                Reply::Undecided(_) => {}
            }
        }
        Ok(reply)
    }

    /// Whether `edge` can be taken from `F(level, source)` where `besides` also holds.
    pub(super) fn can_be_taken(
        &mut self,
        frames: &Frames,
        level: usize,
        edge: EdgeId,
        besides: Option<ExprId>,
    ) -> Result<Reply, End> {
        self.ask(frames, level, edge, &Cube::new([]), besides, Effort::Needed)
    }

    fn remembered(&self, frames: &Frames, level: usize, edge: EdgeId, cube: &Cube) -> Option<Reply> {
        let known = self.cache.as_ref()?.get(&(edge, cube.clone()))?;
        if let Some((_, core)) = known.unreached.as_ref().filter(|known| known.0 >= level) {
            return Some(Reply::Unreached(core.clone()));
        }
        let source = self.transitions[edge].source;
        let is_reached =
            |known: &&(usize, u32, Point)| known.0 <= level && frames.num_changes(known.0, source) == known.1;
        known.reached.as_ref().filter(is_reached).map(|(_, _, point)| Reply::Reached(point.clone()))
    }

    fn ask(
        &mut self,
        frames: &Frames,
        level: usize,
        edge: EdgeId,
        cube: &Cube,
        besides: Option<ExprId>,
        effort: Effort,
    ) -> Result<Reply, End> {
        let store = self.store();
        let mut literal_of: FxHashMap<ExprId, ExprId> = FxHashMap::default();
        let mut assumptions = Vec::new();
        for literal in cube.literals() {
            let before = self.before(edge, *literal);
            if before == store.fals() {
                return Ok(Reply::Unreached(vec![*literal]));
            }
            if before != store.tru() && literal_of.insert(before, *literal).is_none() {
                assumptions.push(before);
            }
        }
        let mut needed = assumptions.clone();
        needed.push(self.transitions[edge].condition);
        let source = self.transitions[edge].source;
        self.prepare(frames, source, edge)?;
        assumptions.extend(besides);
        assumptions.push(edge_literal(store, edge));
        assumptions.extend((level > 0).then(|| level_literal(store, level)));
        self.stats.count_query(self.purpose);
        let context = self.contexts[source].as_mut().expect("a prepared location should have a context");
        context.set_effort(effort);
        Ok(match context.solver.check_core(store, &assumptions)? {
            CoreAnswer::Unsat(core) => {
                Reply::Unreached(core.iter().filter_map(|term| literal_of.get(term).copied()).collect())
            }
            CoreAnswer::Sat(valuation) => {
                self.stats.satisfiable += u64::from(effort == Effort::Needed);
                Reply::Reached(point(store, &valuation, &needed)?)
            }
            CoreAnswer::Unknown(reason) => {
                self.run.checkpoint()?;
                self.stats.undecided += 1;
                Reply::Undecided(reason.to_string())
            }
        })
    }

    /// Asserts in the context of `location` that `cube` is excluded there up to `level`.
    pub(super) fn exclude(
        &mut self,
        frames: &Frames,
        level: usize,
        location: LocId,
        cube: &Cube,
    ) -> Result<(), End> {
        let store = self.store();
        if let Some(context) = &mut self.contexts[location] {
            context.open_levels(store, level)?;
            context.exclude(store, level, cube)?;
            if context.num_clauses > 2 * frames.excluded(1, location).count() + STALE_CLAUSES {
                self.contexts[location] = None;
            }
        }
        Ok(())
    }

    /// Ensures that the context of `location` contains its frames and `edge`.
    fn prepare(&mut self, frames: &Frames, location: LocId, edge: EdgeId) -> Result<(), End> {
        let store = self.store();
        if self.contexts[location].is_none() {
            let mut context = Context::new(&*self.solvers, self.run)?;
            context.open_levels(store, frames.last())?;
            if let Some(invariant) = self.invariants.get(&location) {
                context.solver.assert(store, *invariant)?;
            }
            for (level, cube) in frames.excluded(1, location) {
                context.exclude(store, level, cube)?;
            }
            self.contexts[location] = Some(context);
        }
        let context = self.contexts[location].as_mut().expect("the context was just made");
        context.open_levels(store, frames.last())?;
        if !context.edges.contains(&edge) {
            let guarded = store.implies(edge_literal(store, edge), self.transitions[edge].condition);
            context.solver.assert(store, guarded)?;
            context.edges.push(edge);
        }
        Ok(())
    }
}

impl Context {
    fn new(solvers: &dyn SolverFactory, run: &Run) -> Result<Context, End> {
        let solver = solvers.start(run)?;
        Ok(Context { solver, num_levels: 1, num_clauses: 0, edges: Vec::new(), effort: Effort::Needed })
    }

    fn open_levels(&mut self, store: &Store, last: usize) -> Result<(), End> {
        while self.num_levels <= last {
            let (this, next) = (self.num_levels, self.num_levels + 1);
            let implication = store.implies(level_literal(store, this), level_literal(store, next));
            self.solver.assert(store, implication)?;
            self.num_levels += 1;
        }
        Ok(())
    }

    fn exclude(&mut self, store: &Store, level: usize, cube: &Cube) -> Result<(), End> {
        self.solver.assert(store, store.implies(level_literal(store, level), cube.clause(store)))?;
        self.num_clauses += 1;
        Ok(())
    }

    fn set_effort(&mut self, effort: Effort) {
        if self.effort != effort {
            self.effort = effort;
            let resources = (effort == Effort::Helpful).then_some(HELPFUL_STEPS);
            self.solver.set_limit(QueryLimit { time: None, resources });
        }
    }
}

/// The literal that activates the clauses of `level`.
fn level_literal(store: &Store, level: usize) -> ExprId {
    numbered(store, "level!", level)
}

/// The literal that activates the condition of `edge`.
fn edge_literal(store: &Store, edge: EdgeId) -> ExprId {
    numbered(store, "edge!", edge.index())
}

/// A Boolean with a name that no front end accepts as an identifier.
fn numbered(store: &Store, name: &str, number: usize) -> ExprId {
    store.var_expr(store.at_version(store.declare(name, Sort::Bool), Version::Step(number as u32)))
}

/// The values of the variables of `terms`.
pub(super) fn point(
    store: &Store,
    valuation: &Valuation<'_>,
    terms: &[ExprId],
) -> Result<Point, SolverError> {
    let vars = store.vars_of(terms.iter().copied()).into_iter();
    vars.map(|var| Ok((var, valuation.value(store, var)?))).collect()
}

#[cfg(test)]
mod tests {
    use thetis_testkit::cfa::parse;
    use thetis_z3::Z3Factory;

    use super::*;

    const COUNTER: &str = "main process p { var x : int init loc start loc head error loc bad
        start -> head { x := 0 } head -> head { x := x + 1 } head -> bad { assume x < 0 } }";

    #[test]
    fn answers_are_remembered_until_frames_change() {
        let (task, run) = (parse(COUNTER), Run::unlimited());
        let mut frames = Frames::new(&task.model);
        frames.open(3);
        let mut questions = Questions::new(&task, Rc::new(Z3Factory::default()), true, &run);
        let round = EdgeId::new(1);
        let head = questions.transitions[round].source;
        let x = task.store.var_expr(task.model.vars[0]);
        let negative = Cube::new([task.store.lt(x, task.store.int(0))]);
        let mut ask = |frames: &Frames, level: usize, cube: &Cube| {
            let reply = questions.leads_into(frames, level, round, cube, Effort::Needed);
            let is_reached = matches!(reply.ok().unwrap(), Reply::Reached(_));
            (is_reached, questions.stats.queries, questions.stats.cached)
        };
        // Nothing is excluded, but a state outside the cube cannot get into it.
        assert_eq!(ask(&frames, 2, &negative), (false, 1, 0));
        assert_eq!(ask(&frames, 1, &negative), (false, 1, 1), "the frame of level 1 is smaller");
        assert_eq!(ask(&frames, 3, &negative), (false, 2, 1));
        let seven = Cube::new([task.store.eq(x, task.store.int(7))]);
        assert_eq!(ask(&frames, 2, &seven), (true, 3, 1));
        assert_eq!(ask(&frames, 3, &seven), (true, 3, 2), "the frame of level 3 is larger");
        assert_eq!(ask(&frames, 1, &seven), (true, 4, 2));
        frames.exclude(2, head, Cube::new([task.store.eq(x, task.store.int(6))]));
        let is_reached = ask(&frames, 2, &seven);
        assert_eq!((is_reached.1, is_reached.2), (5, 2), "the frame has changed");
    }
}
