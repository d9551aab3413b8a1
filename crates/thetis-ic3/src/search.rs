//! The search: frames, blocking and propagation.
//!
//! # Problem and method
//! IC3 (Bradley 2011), in the form of property directed reachability (Eén, Mishchenko, Brayton 2011). Frame `F(i)` is a
//! set of clauses that holds in all states that can be reached in at most `i` steps; `F(0)` are the initial states. Every
//! clause of `F(i + 1)` is one of `F(i)`, so a clause is kept at the last frame where it is known. Always
//! * `F(i)` and a step lead into `F(i + 1)`, and
//! * no step of `F(i)` is bad, for all `i` below the last.
//!
//! **Blocking.** If the last frame has a bad step, its state is lifted to a cube and becomes an obligation. For an
//! obligation in frame `i` the solver decides whether a step leads from `F(i - 1)` into its cube. If so, the source
//! states are a new obligation in frame `i - 1`; in frame 0, or if the cube has an initial state, they are the start of
//! a violating run. If not, the cube is generalised and excluded from the frames up to `i`, and further while that
//! stays true.
//!
//! **Propagation.** When the last frame has no bad step, a new one is opened, and every clause is pushed to the next frame
//! if it holds there. If that leaves a frame without clauses of its own, it equals the next one: an inductive invariant.
//!
//! # Where we differ
//! Frame solvers encode the circuit on demand (`frame`). Cubes are lifted by justification and ternary simulation (`lift`).
//! Generalisation blocks counterexamples to itself (`generalize`). Initial states may be given by any formula: cubes are
//! compared with it literal by literal, and by a solver if that does not decide.

use thetis_base::{Event, Run, Stop};
use thetis_sat::BatSat;

use crate::config::Ic3Config;
use crate::cube::{Cube, LatchLit};
use crate::engine::Ic3Stats;
use crate::frame::{FrameSolver, Role};
use crate::lift::Lifter;
use crate::netlist::{Edge, Netlist, Node};
use crate::obligation::{Obligation, ObligationId, Obligations};

/// What the search found.
pub(crate) enum Found {
    /// Cubes whose exclusion is an inductive invariant.
    Invariant(Vec<Cube>),
    /// A violating run.
    Run(BitRun),
}

/// The values of latches and inputs in each step of a run.
pub(crate) type BitRun = Vec<(Vec<bool>, Vec<bool>)>;

pub(crate) struct FrameSearch<'a> {
    pub(crate) netlist: &'a Netlist,
    pub(crate) config: &'a Ic3Config,
    pub(crate) stats: &'a mut Ic3Stats,
    run: &'a Run,
    /// Owns the registration by which all solvers are stopped.
    origin: BatSat,
    initial: FrameSolver,
    pub(crate) solvers: Vec<FrameSolver>,
    /// The cubes that are excluded up to each frame and no further.
    pub(crate) excluded: Vec<Vec<Cube>>,
    lifter: Lifter,
    /// How often and how recently each latch occurred in excluded cubes.
    pub(crate) activity: Vec<f64>,
    increment: f64,
}

/// How much more recent occurrences weigh.
const ACTIVITY_GROWTH: f64 = 1.02;
/// Beyond this all activities are scaled down.
const ACTIVITY_LIMIT: f64 = 1e100;

impl<'a> FrameSearch<'a> {
    pub(crate) fn new(
        netlist: &'a Netlist,
        config: &'a Ic3Config,
        stats: &'a mut Ic3Stats,
        run: &'a Run,
    ) -> FrameSearch<'a> {
        let origin = BatSat::new(run);
        FrameSearch {
            netlist,
            config,
            stats,
            run,
            initial: FrameSolver::new(netlist, Role::Initial, &origin),
            solvers: vec![FrameSolver::new(netlist, Role::First, &origin)],
            excluded: vec![Vec::new()],
            lifter: Lifter::new(netlist),
            activity: vec![0.0; netlist.latches.len()],
            increment: 1.0,
            origin,
        }
    }

    /// Runs to the end.
    pub(crate) fn find(mut self) -> Result<Found, Stop> {
        loop {
            while let Some(bad) = self.bad_step()? {
                if let Some(run) = self.block(bad)? {
                    return Ok(Found::Run(run));
                }
            }
            self.run.emit(Event::SafeUpTo(self.last() as u32));
            self.open_frame();
            if let Some(frame) = self.propagate()? {
                return Ok(Found::Invariant(self.excluded.split_off(frame + 1).concat()));
            }
        }
    }

    /// The number of the last frame.
    pub(crate) fn last(&self) -> usize {
        self.excluded.len() - 1
    }

    fn open_frame(&mut self) {
        self.solvers.push(FrameSolver::new(self.netlist, Role::Later, &self.origin));
        self.excluded.push(Vec::new());
        self.stats.frames = self.last() as u64;
    }

    /// A bad step of the last frame, as an obligation.
    fn bad_step(&mut self) -> Result<Option<Obligation>, Stop> {
        self.run.checkpoint()?;
        let last = self.last();
        self.stats.queries += 1;
        if !self.solvers[last].meets(self.netlist, self.netlist.bad, self.run)? {
            return Ok(None);
        }
        let targets = [self.netlist.bad, self.netlist.constraint];
        let (cube, inputs) = self.lift(last, &targets);
        Ok(Some(Obligation { cube, inputs, next: None }))
    }

    /// The lifted state and the inputs of the last model of a frame solver.
    pub(crate) fn lift(&mut self, frame: usize, targets: &[Edge]) -> (Cube, Vec<bool>) {
        let solver = &self.solvers[frame];
        let cube = self.lifter.lift(self.netlist, targets, |node| solver.value(node), &self.activity);
        let mut inputs = vec![false; self.netlist.graph.num_inputs()];
        for (number, node) in self.netlist.graph.nodes().iter().enumerate() {
            if let Node::Input(input) = node {
                inputs[*input as usize] = solver.value(number).unwrap_or(false);
            }
        }
        (cube, inputs)
    }

    /// The edges that have to be true for a step into `cube`.
    pub(crate) fn targets(&self, cube: &Cube) -> Vec<Edge> {
        let next = |lit: &LatchLit| self.netlist.next[lit.latch()].negated_if(!lit.value());
        let step = [self.netlist.constraint, self.netlist.transition];
        cube.lits().iter().map(next).chain(step).collect()
    }

    /// Excludes the bad cube and its predecessors, or returns a violating run.
    fn block(&mut self, bad: Obligation) -> Result<Option<BitRun>, Stop> {
        let mut obligations = Obligations::default();
        let is_start = self.last() == 0 || self.has_initial_state(&bad.cube)?;
        let first = obligations.add(bad);
        if is_start {
            return self.violating_run(&obligations, first).map(Some);
        }
        obligations.enqueue(self.last(), first);
        while let Some((frame, id)) = obligations.pop() {
            self.run.checkpoint()?;
            let cube = obligations.get(id).cube.clone();
            if self.is_excluded(&cube, frame) {
                self.postpone(&mut obligations, frame, id);
                continue;
            }
            if self.can_reach(frame, &cube)? {
                let targets = self.targets(&cube);
                let (cube, inputs) = self.lift(frame - 1, &targets);
                let is_start = frame == 1 || self.has_initial_state(&cube)?;
                let before = obligations.add(Obligation { cube, inputs, next: Some(id) });
                self.stats.obligations += 1;
                if is_start {
                    return self.violating_run(&obligations, before).map(Some);
                }
                obligations.enqueue(frame - 1, before);
                obligations.enqueue(frame, id);
                continue;
            }
            let small = self.core(frame, &cube)?;
            let small = self.generalize(small, frame)?;
            let frame = self.exclude_as_far_as_possible(small, frame)?;
            self.postpone(&mut obligations, frame, id);
        }
        Ok(None)
    }

    /// An obligation that is excluded from `frame` is processed again in the next one.
    fn postpone(&self, obligations: &mut Obligations, frame: usize, id: ObligationId) {
        if frame < self.last() {
            obligations.enqueue(frame + 1, id);
        }
    }

    /// Whether a step leads from the frame before `frame`, outside `cube`, into `cube`.
    pub(crate) fn can_reach(&mut self, frame: usize, cube: &Cube) -> Result<bool, Stop> {
        self.stats.queries += 1;
        self.solvers[frame - 1].reaches(self.netlist, cube, self.run)
    }

    /// A part of `cube` without initial states into which no step leads; to be called right after
    /// [`FrameSearch::can_reach`].
    pub(crate) fn core(&mut self, frame: usize, cube: &Cube) -> Result<Cube, Stop> {
        let core = self.solvers[frame - 1].core_of_next(self.netlist, cube);
        self.without_initial_states(core, cube)
    }

    /// The literals of `part`, and those of `whole` that it takes to exclude the initial states as `whole` does.
    fn without_initial_states(&mut self, mut part: Vec<LatchLit>, whole: &Cube) -> Result<Cube, Stop> {
        if part.len() == whole.len() {
            return Ok(whole.clone());
        }
        let small = Cube::new(part.clone());
        if !self.has_initial_state(&small)? {
            return Ok(small);
        }
        let contradicts = |lit: &&LatchLit| self.netlist.initial[lit.latch()] == Some(!lit.value());
        let key = |lit: &&LatchLit| self.activity[lit.latch()];
        let best =
            whole.lits().iter().filter(contradicts).max_by(|one, other| key(one).total_cmp(&key(other)));
        match best {
            Some(lit) => part.push(*lit),
            None => {
                let is_met = self.initial.meets_cube(self.netlist, whole, self.run)?;
                assert!(!is_met, "a cube to be excluded should have no initial state");
                let needed = self.initial.core_of_current(self.netlist, whole);
                part.extend(needed);
                part.sort_unstable();
                part.dedup();
            }
        }
        Ok(Cube::new(part))
    }

    pub(crate) fn has_initial_state(&mut self, cube: &Cube) -> Result<bool, Stop> {
        if cube.lits().iter().any(|lit| self.netlist.initial[lit.latch()] == Some(!lit.value())) {
            return Ok(false);
        }
        if self.netlist.initial_rest == Edge::TRUE {
            return Ok(true);
        }
        self.stats.queries += 1;
        self.initial.meets_cube(self.netlist, cube, self.run)
    }

    fn is_excluded(&self, cube: &Cube, frame: usize) -> bool {
        self.excluded[frame..].iter().flatten().any(|excluded| excluded.contains(cube))
    }

    /// Excludes `cube` from the frames up to `frame`, and from the next ones while no step leads there.
    pub(crate) fn exclude_as_far_as_possible(
        &mut self,
        mut cube: Cube,
        mut frame: usize,
    ) -> Result<usize, Stop> {
        while frame < self.last() && !self.can_reach(frame + 1, &cube)? {
            cube = self.core(frame + 1, &cube)?;
            frame += 1;
        }
        self.exclude(cube, 1, frame);
        Ok(frame)
    }

    /// Excludes `cube` from `frame`, and adds the clause to the solvers of frames `first` to `frame`.
    fn exclude(&mut self, cube: Cube, first: usize, frame: usize) {
        for excluded in &mut self.excluded[1..=frame] {
            excluded.retain(|other| !cube.contains(other));
        }
        for solver in &mut self.solvers[first..=frame] {
            solver.exclude(self.netlist, &cube);
        }
        self.stats.clauses += 1;
        self.increment *= ACTIVITY_GROWTH;
        for lit in cube.lits() {
            self.activity[lit.latch()] += self.increment;
        }
        if self.increment > ACTIVITY_LIMIT {
            self.activity.iter_mut().for_each(|activity| *activity /= ACTIVITY_LIMIT);
            self.increment /= ACTIVITY_LIMIT;
        }
        self.excluded[frame].push(cube);
    }

    /// Pushes clauses forward; returns a frame that equals the next one, if any.
    fn propagate(&mut self) -> Result<Option<usize>, Stop> {
        for frame in 1..self.last() {
            let mut cubes = self.excluded[frame].clone();
            cubes.sort_by_key(Cube::len);
            for cube in cubes {
                self.run.checkpoint()?;
                if !self.excluded[frame].contains(&cube) {
                    continue;
                }
                self.stats.queries += 1;
                if !self.solvers[frame].reaches_from_anywhere(self.netlist, &cube, self.run)? {
                    let core = self.core(frame + 1, &cube)?;
                    let first = if core == cube { frame + 1 } else { 1 };
                    self.exclude(core, first, frame + 1);
                }
            }
            if self.excluded[frame].is_empty() {
                return Ok(Some(frame));
            }
        }
        Ok(None)
    }

    /// The run along obligations whose first cube has an initial state.
    fn violating_run(&mut self, obligations: &Obligations, first: ObligationId) -> Result<BitRun, Stop> {
        let cube = &obligations.get(first).cube;
        let is_met = self.initial.meets_cube(self.netlist, cube, self.run)?;
        assert!(is_met, "the first cube of a run should have an initial state");
        let value = |latch: &Edge| self.initial.value(latch.node()).unwrap_or(false) ^ latch.is_negated();
        let mut state: Vec<bool> = self.netlist.latches.iter().map(value).collect();
        let mut steps = Vec::new();
        let mut at = Some(first);
        while let Some(id) = at {
            let obligation = obligations.get(id);
            let next = self.netlist.step(&state, &obligation.inputs);
            steps.push((state, obligation.inputs.clone()));
            state = next;
            at = obligation.next;
        }
        Ok(steps)
    }
}
