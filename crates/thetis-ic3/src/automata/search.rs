//! The search: iterations and obligations. See the [module](super) for the method.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Event, Run, Stop};
use thetis_expr::simplify::simplify;
use thetis_expr::{ExprId, VarId};
use thetis_interpolate::{Point, implicant, project};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, EdgeId, Graph, LocId};
use thetis_solver::SolverFactory;

use super::comparison::{fixes_values, tidied};
use super::cube::Cube;
use super::drift::Drifts;
use super::family::Families;
use super::frames::Frames;
use super::obligations::{ObligationId, Obligations};
use super::push::PushRequest;
use super::questions::{Effort, End, Purpose, Questions, Reply};
use super::trace::{Leg, concrete_run};
use crate::config::Ic3Config;

/// Larger frames are not reported.
const MAX_SHOWN_LOCATIONS: usize = 12;
const MAX_SHOWN_CUBES: usize = 50;
const MAX_REPORTED_CUBES: usize = 400;

/// What the search found.
pub(super) enum Found {
    /// The frame of this level is an invariant.
    Invariant(usize),
    /// A violating run.
    Run(CfaTrace),
}

pub(super) struct LocalFrameSearch<'t> {
    pub(super) task: &'t Task<Cfa>,
    pub(super) config: &'t Ic3Config,
    pub(super) run: &'t Run,
    solvers: Rc<dyn SolverFactory>,
    pub(super) graph: Graph,
    pub(super) frames: Frames,
    pub(super) questions: Questions<'t>,
    pub(super) obligations: Obligations,
    entries: Vec<ErrorEdge>,
    is_variable: FxHashSet<VarId>,
    pub(super) push_requests: BTreeSet<PushRequest>,
    /// How often each literal occurred in excluded cubes.
    pub(super) activity: FxHashMap<ExprId, u32>,
    pub(super) families: Families,
    pub(super) drifts: Drifts,
    /// How many iterations in a row had no new obligation.
    pub(super) num_stable: u64,
}

/// An edge to an error location, with the cubes that are known to lead over it: the counterexamples to induction.
struct ErrorEdge {
    edge: EdgeId,
    cubes: Vec<Cube>,
    /// How many cubes there were when their completeness was last checked.
    num_asked: usize,
    /// Whether every state from which the edge can be taken is in one of the cubes.
    is_complete: bool,
}

/// The result of processing an obligation.
enum Looked {
    /// Its cube is excluded, or another obligation must be processed first.
    GoOn,
    /// The edge leads from the initial location into its cube.
    Start(EdgeId),
}

/// Whether an edge leads into a cube at a location.
pub(super) enum Entry {
    /// None leads into it, and these literals suffice for that.
    Unreached(Cube),
    /// This one does.
    Reached(EdgeId, Point),
    /// The solver cannot decide.
    Undecided,
}

impl<'t> LocalFrameSearch<'t> {
    pub(super) fn new(
        task: &'t Task<Cfa>,
        config: &'t Ic3Config,
        solvers: Rc<dyn SolverFactory>,
        run: &'t Run,
    ) -> LocalFrameSearch<'t> {
        let graph = Graph::towards_errors(&task.model);
        let entry = |edge| ErrorEdge { edge, cubes: Vec::new(), num_asked: 0, is_complete: false };
        let error_edges = task.model.errors.iter().flat_map(|error| graph.incoming(*error));
        LocalFrameSearch {
            task,
            config,
            run,
            entries: error_edges.copied().map(entry).collect(),
            is_variable: task.model.vars.iter().copied().collect(),
            questions: Questions::new(task, solvers.clone(), config.cache, run),
            solvers,
            frames: Frames::new(&task.model),
            graph,
            obligations: Obligations::new(config.queue),
            push_requests: BTreeSet::new(),
            activity: FxHashMap::default(),
            families: Families::default(),
            drifts: Drifts::default(),
            num_stable: 0,
        }
    }

    /// Runs to the end.
    pub(super) fn find(&mut self) -> Result<Found, End> {
        if let Some(trace) = self.short_run()? {
            return Ok(Found::Run(trace));
        }
        for level in 1.. {
            if let Some(trace) = self.iterate(level)? {
                return Ok(Found::Run(trace));
            }
            self.run.emit(Event::SafeUpTo(level as u32));
            if let Some(level) = self.invariant_level(level)? {
                return Ok(Found::Invariant(level));
            }
        }
        unreachable!("the levels do not end")
    }

    /// A violation of at most one edge.
    fn short_run(&mut self) -> Result<Option<CfaTrace>, End> {
        let initial = self.task.model.initial;
        if self.task.model.is_error(initial) {
            return self.trace(Vec::new()).map(Some);
        }
        let edges: Vec<EdgeId> = self.entries.iter().map(|entry| entry.edge).collect();
        for edge in edges {
            if self.source(edge) != initial {
                continue;
            }
            match self.questions.can_be_taken(&self.frames, 0, edge, None)? {
                Reply::Reached(_) => return self.trace(vec![Leg { edge, into: Cube::new([]) }]).map(Some),
                Reply::Unreached(_) => {}
                Reply::Undecided(words) => return Err(End::Undecided(words)),
            }
        }
        self.entries.retain(|entry| self.task.model.edges[entry.edge].source != initial);
        Ok(None)
    }

    /// Excludes at `level` all states that lead to an error location, or finds a run; then propagates cubes to the next
    /// level.
    fn iterate(&mut self, level: usize) -> Result<Option<CfaTrace>, End> {
        self.run.checkpoint()?;
        self.questions.stats.iterations = level as u64;
        self.frames.open(level);
        if self.config.reuse {
            self.obligations.raise();
            self.questions.stats.reused += self.obligations.len() as u64;
            self.skip_unchanged()?;
        } else {
            self.obligations = Obligations::new(self.config.queue);
        }
        self.questions.purpose = Purpose::Blocking;
        if let Some(trace) = self.strengthen(level)? {
            return Ok(Some(trace));
        }
        let is_stable = self.obligations.take_num_new() == 0;
        self.num_stable = if is_stable { self.num_stable + 1 } else { 0 };
        self.questions.stats.stable_iterations += u64::from(is_stable);
        self.questions.purpose = Purpose::Moving;
        self.push()?;
        self.propagate(level)?;
        self.show_frames(level);
        Ok(None)
    }

    /// Reports small frames as a table.
    fn show_frames(&self, level: usize) {
        if self.task.model.locations.len() <= MAX_SHOWN_LOCATIONS && self.frames.len() <= MAX_SHOWN_CUBES {
            let num_obligations = self.obligations.len();
            let table = self.frames.table(self.task);
            let head =
                format!("ic3: iteration {level}, {num_obligations} obligations, clauses of the frames:");
            self.run.emit(Event::Note(format!("{head}\n{table}")));
        }
    }

    /// Reports the frames at the end of the search, unless there are too many clauses to display.
    pub(super) fn report_frames(&self) {
        if self.frames.len() <= MAX_REPORTED_CUBES {
            self.run.emit(Event::Frames(self.frames.table(self.task)));
        }
    }

    /// Skipping before the inner loop (Algorithm 12): if no frame before the location has changed, the cubes that hold one
    /// level lower hold here for the same reasons.
    fn skip_unchanged(&mut self) -> Result<(), End> {
        if !self.config.skip {
            return Ok(());
        }
        for id in self.obligations.ids() {
            let obligation = self.obligations.get(id);
            let (level, location) = (obligation.level, obligation.location);
            if obligation.excluded_before().is_some() && self.all_unchanged(level, location) {
                for cube in self.frames.delta(level - 1, location).to_vec() {
                    self.exclude(level, location, cube)?;
                }
                self.obligations.skip(id);
                self.questions.stats.skipped += 1;
            }
        }
        Ok(())
    }

    /// Whether the frames before `location` are the same at `level - 1` as one level lower.
    fn all_unchanged(&self, level: usize, location: LocId) -> bool {
        self.graph.incoming(location).iter().all(|edge| self.is_unchanged(level, *edge))
    }

    fn strengthen(&mut self, level: usize) -> Result<Option<CfaTrace>, End> {
        loop {
            while let Some(id) = self.obligations.pop() {
                self.run.checkpoint()?;
                if let Looked::Start(edge) = self.look_at(id)? {
                    let legs = self.legs(edge, id);
                    return self.trace(legs).map(Some);
                }
            }
            if !self.add_counterexample_to_induction(level)? {
                return Ok(None);
            }
        }
    }

    /// Finds a state of the last level from which an edge leads to an error location, and makes it an obligation.
    fn add_counterexample_to_induction(&mut self, level: usize) -> Result<bool, End> {
        for number in 0..self.entries.len() {
            let edge = self.entries[number].edge;
            let source = self.source(edge);
            let entry = &self.entries[number];
            let is_excluded = |cube: &Cube| self.frames.excludes(level, source, cube);
            if entry.is_complete && entry.cubes.iter().all(is_excluded) {
                continue;
            }
            match self.questions.can_be_taken(&self.frames, level, edge, None)? {
                Reply::Reached(point) => {
                    let cube = self.predecessor(edge, &Cube::new([]), &point)?;
                    self.entries[number].cubes.push(cube.clone());
                    self.add_obligation(level, source, cube, edge, None);
                    return Ok(true);
                }
                Reply::Unreached(_) => self.look_for_more(number)?,
                Reply::Undecided(words) => return Err(End::Undecided(words)),
            }
        }
        Ok(false)
    }

    /// Checks whether the cubes of an edge to an error location are complete. Then the edge needs no further queries:
    /// with reuse its obligations return in every iteration.
    fn look_for_more(&mut self, number: usize) -> Result<(), End> {
        let entry = &mut self.entries[number];
        if !self.config.reuse
            || entry.is_complete
            || (entry.num_asked == entry.cubes.len() && entry.num_asked > 0)
        {
            return Ok(());
        }
        entry.num_asked = entry.cubes.len();
        let store = &self.task.store;
        let outside = store.and_all(entry.cubes.iter().map(|cube| cube.clause(store)));
        let reply = self.questions.can_be_taken(&self.frames, 0, entry.edge, Some(outside))?;
        entry.is_complete = matches!(reply, Reply::Unreached(_));
        Ok(())
    }

    pub(super) fn add_obligation(
        &mut self,
        level: usize,
        location: LocId,
        cube: Cube,
        edge: EdgeId,
        next: Option<ObligationId>,
    ) {
        self.questions.stats.obligations += 1;
        self.obligations.add(level, location, cube, edge, next);
    }

    /// Excludes the cube of an obligation, or finds a predecessor (Algorithm 13).
    fn look_at(&mut self, id: ObligationId) -> Result<Looked, End> {
        let obligation = self.obligations.get(id);
        let (level, location, cube) = (obligation.level, obligation.location, obligation.cube.clone());
        if let Some(by) = obligation.covering(&self.frames, level) {
            let by = by.clone();
            self.obligations.close(id, by);
            self.questions.stats.covered += 1;
            return Ok(Looked::GoOn);
        }
        if self.exclude_again(id)? {
            return Ok(Looked::GoOn);
        }
        let mut needed: BTreeSet<ExprId> = BTreeSet::new();
        for edge in self.graph.incoming(location).to_vec() {
            match self.look_along(id, edge)? {
                Reply::Unreached(core) => needed.extend(core),
                Reply::Undecided(words) => return Err(End::Undecided(words)),
                Reply::Reached(_) if self.source(edge) == self.task.model.initial => {
                    return Ok(Looked::Start(edge));
                }
                Reply::Reached(point) => {
                    self.descend(id, edge, &point)?;
                    return Ok(Looked::GoOn);
                }
            }
        }
        self.questions.purpose = Purpose::Generalisation;
        let larger = self.generalize(level, location, Cube::new(needed), &cube)?;
        self.questions.purpose = Purpose::Blocking;
        self.questions.stats.point_cubes += u64::from(fixes_values(&self.task.store, larger.literals()));
        self.exclude(level, location, larger.clone())?;
        self.obligations.close(id, larger);
        Ok(Looked::GoOn)
    }

    /// Excludes an obligation by the cube that excluded it at a lower level, if no edge leads into that one.
    /// Generalising again is pointless then: a cube that was too general for the frames of the lower level is too
    /// general for the larger frames of this level.
    fn exclude_again(&mut self, id: ObligationId) -> Result<bool, End> {
        let obligation = self.obligations.get(id);
        let (level, location) = (obligation.level, obligation.location);
        let excluded = obligation.excluded.as_ref().filter(|_| self.config.reuse);
        let Some(by) = excluded.map(|excluded| excluded.by.clone()) else { return Ok(false) };
        let entry = match obligation.excluded_before() {
            Some(_) => self.entry_above(level, location, &by)?,
            None => self.entry(level, location, &by)?,
        };
        let Entry::Unreached(cube) = entry else { return Ok(false) };
        self.questions.stats.excluded_again += 1;
        self.exclude(level, location, cube.clone())?;
        self.obligations.close(id, cube);
        Ok(true)
    }

    /// Whether an edge leads into `cube` at `location` from the frames before `level`, if it is excluded one level lower: then only
    /// edges whose sources have changed can.
    pub(super) fn entry_above(&mut self, level: usize, location: LocId, cube: &Cube) -> Result<Entry, End> {
        let mut needed: BTreeSet<ExprId> = BTreeSet::new();
        for edge in self.graph.incoming(location).to_vec() {
            if self.is_unchanged(level, edge) {
                self.questions.stats.skipped_edges += 1;
                needed.extend(cube.literals());
                continue;
            }
            match self.questions.leads_into(&self.frames, level - 1, edge, cube, Effort::Helpful)? {
                Reply::Unreached(core) => needed.extend(core),
                Reply::Reached(point) => return Ok(Entry::Reached(edge, point)),
                Reply::Undecided(_) => return Ok(Entry::Undecided),
            }
        }
        Ok(Entry::Unreached(Cube::new(needed)))
    }

    /// Whether, with skipping, `edge` leads to `level` only where it leads one level lower, because the frames where it starts are the same.
    fn is_unchanged(&self, level: usize, edge: EdgeId) -> bool {
        self.config.skip && level >= 2 && self.frames.is_unchanged(level - 2, self.source(edge))
    }

    /// Whether `edge` leads into the cube of an obligation from the level before. An obligation that was excluded one
    /// level lower needs no query if the source of the edge has not changed.
    fn look_along(&mut self, id: ObligationId, edge: EdgeId) -> Result<Reply, End> {
        let obligation = self.obligations.get(id);
        let is_unchanged = self.is_unchanged(obligation.level, edge);
        if let (true, Some(excluded)) = (is_unchanged, obligation.excluded_before()) {
            self.questions.stats.skipped_edges += 1;
            return Ok(Reply::Unreached(excluded.by.literals().to_vec()));
        }
        let level = obligation.level - 1;
        self.questions.leads_into(&self.frames, level, edge, &obligation.cube, Effort::Needed)
    }

    /// Adds an obligation for the states around `point` from which `edge` leads into the cube of another obligation.
    fn descend(&mut self, id: ObligationId, edge: EdgeId, point: &Point) -> Result<(), End> {
        let store = &self.task.store;
        let obligation = self.obligations.get(id);
        let (level, location, cube) = (obligation.level, obligation.location, obligation.cube.clone());
        let source = self.source(edge);
        let mut before = self.predecessor(edge, &cube, point)?;
        if let (true, [literal]) = (source == location, cube.literals()) {
            // The query was about states outside the cube.
            let outside = simplify(store, store.not(*literal));
            before = Cube::new(before.literals().iter().copied().chain([outside]));
        }
        self.obligations.put_back(id);
        self.add_obligation(level - 1, source, before, edge, Some(id));
        Ok(())
    }

    /// Whether an edge leads into `cube` at `location` from the frames before `level`.
    pub(super) fn entry(&mut self, level: usize, location: LocId, cube: &Cube) -> Result<Entry, End> {
        let mut needed: BTreeSet<ExprId> = BTreeSet::new();
        for edge in self.graph.incoming(location).to_vec() {
            match self.questions.leads_into(&self.frames, level - 1, edge, cube, Effort::Helpful)? {
                Reply::Unreached(core) => needed.extend(core),
                Reply::Reached(point) => return Ok(Entry::Reached(edge, point)),
                Reply::Undecided(_) => return Ok(Entry::Undecided),
            }
        }
        Ok(Entry::Unreached(Cube::new(needed)))
    }

    /// A cube around `point` from all states of which `edge` leads into `cube`: a part of its weakest existential
    /// precondition.
    pub(super) fn predecessor(&mut self, edge: EdgeId, cube: &Cube, point: &Point) -> Result<Cube, End> {
        let store = &self.task.store;
        let mut formulas = vec![self.questions.transitions[edge].condition];
        formulas.extend(cube.literals().iter().map(|literal| self.questions.before(edge, *literal)));
        let literals = implicant(store, &formulas, point).map_err(Stop::failed)?;
        let mut inputs = store.vars_of(literals.iter().copied());
        inputs.retain(|var| !self.is_variable.contains(var));
        let projected = project(store, &inputs, &literals, point).map_err(Stop::failed)?;
        self.questions.stats.fixed_inputs += projected.num_fixed as u64;
        Ok(Cube::new(tidied(store, &projected.literals)))
    }

    /// Excludes `cube` at `location` up to `level`.
    pub(super) fn exclude(&mut self, level: usize, location: LocId, cube: Cube) -> Result<(), End> {
        if self.frames.excludes(level, location, &cube) {
            return Ok(());
        }
        for literal in cube.literals() {
            *self.activity.entry(*literal).or_default() += 1;
        }
        self.questions.stats.cubes += 1;
        self.request_pushes(level, location, &cube);
        self.frames.exclude(level, location, cube.clone());
        self.questions.exclude(&self.frames, level, location, &cube)
    }

    pub(super) fn source(&self, edge: EdgeId) -> LocId {
        self.task.model.edges[edge].source
    }

    /// The path over `edge` into the cube of obligation `id` and on to an error location.
    fn legs(&self, edge: EdgeId, id: ObligationId) -> Vec<Leg> {
        let mut legs = Vec::new();
        let (mut edge, mut next) = (edge, Some(id));
        while let Some(id) = next {
            let obligation = self.obligations.get(id);
            legs.push(Leg { edge, into: obligation.cube.clone() });
            (edge, next) = (obligation.edge, obligation.next);
        }
        legs.push(Leg { edge, into: Cube::new([]) });
        legs
    }

    fn trace(&mut self, legs: Vec<Leg>) -> Result<CfaTrace, End> {
        concrete_run(self.task, &self.questions.transitions, &legs, &*self.solvers, self.run)
    }
}
