//! The discrete part of the symbolic state space.
//!
//! Symbolic states with the same discrete state share everything that does not depend on clocks: the active clocks and their
//! bounds, the invariant, whether time may pass, what the question asks, and the steps to other discrete states. All of this
//! is computed once for a discrete state and kept in its [`Group`], in terms of the rows of its matrices. So the work for a
//! symbolic state is arithmetic on matrices only.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thetis_model::xta::symmetry::{self, Arrangement, Entry, Ties};
use thetis_model::xta::{
    ClockBounds, ClockEffect, ClockId, Difference, Discrete, Formula, LiveMasks, LiveVariables, Move, Moves,
    Network, RuntimeError, Symmetry, TargetCase,
};

use crate::bounds::{BoundTable, Bounds, Distinction, NONE};
use crate::dbm::{Dbm, Emptiness, UNBOUNDED, bound};

/// A constraint on the rows of a group: row, column, bound.
pub(crate) type RowConstraint = (u16, u16, i32);

/// How zones are made coarser.
pub(crate) enum Abstraction {
    /// Not at all, over all clocks.
    Exact,
    /// By bounds, over the active clocks, with the rules of `Extra-LU` or `Extra-LU+`.
    Bounds(BoundTable, Extrapolation),
}

impl Abstraction {
    /// Exact zones over the active clocks.
    pub(crate) fn active(network: &Network, formula: &Formula) -> Abstraction {
        let table = BoundTable::new(network, formula, Distinction::LowerUpper);
        Abstraction::Bounds(table, Extrapolation::Nothing)
    }
}

/// Which rules relax a matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Extrapolation {
    /// None: only inactive clocks are forgotten.
    Nothing,
    /// None: zones are compared up to the bounds instead.
    Simulation,
    /// `Extra-LU`: entries beyond the bounds.
    Plain,
    /// `Extra-LU+`: also entries of clocks that are beyond their bounds.
    Plus,
}

/// A discrete state.
pub(crate) struct Group {
    pub(crate) state: Discrete,
    /// The clocks of rows 1 and up.
    pub(crate) clocks: Vec<ClockId>,
    pub(crate) bounds: Vec<Bounds>,
    pub(crate) invariant: Vec<RowConstraint>,
    /// Whether time stands still.
    pub(crate) is_frozen: bool,
    pub(crate) targets: Vec<Target>,
    /// Where the condition of endless runs holds.
    pub(crate) along: Along,
    /// What cannot be computed here.
    pub(crate) error: Option<RuntimeError>,
    /// The processes that are equal except for their clocks, if equal processes may be permuted.
    pub(crate) ties: Ties,
    /// The moves, until their steps are computed.
    moves: Vec<Move>,
    steps: Option<Rc<[Step]>>,
    /// For each step, the states from which it is possible now or later.
    moving: Option<Rc<[Dbm]>>,
}

/// Where the condition of endless runs holds in a group.
pub(crate) enum Along {
    /// Nowhere.
    Nowhere,
    /// Where these constraints hold.
    Within(Vec<RowConstraint>),
    /// In several zones, or depending on deadlocks.
    Split,
}

/// One way to satisfy the target.
pub(crate) struct Target {
    pub(crate) constraints: Vec<RowConstraint>,
    pub(crate) deadlock: Option<bool>,
}

/// A move of a group.
pub(crate) struct Step {
    /// Which of the moves of the discrete state it is.
    pub(crate) number: u32,
    pub(crate) guard: SmallVec<[RowConstraint; 2]>,
    pub(crate) outcome: Destination,
    /// How equal processes are arranged afterwards, if they are.
    pub(crate) turn: Option<Box<Arrangement>>,
}

/// Where a step leads.
pub(crate) enum Destination {
    /// To a group, with the rows from which its rows come.
    Group(u32, Vec<(u16, i32)>),
    /// To an error.
    Error(RuntimeError),
}

/// All discrete states seen so far.
pub(crate) struct Graph<'n> {
    network: &'n Network,
    target: &'n Formula,
    along: Option<&'n Formula>,
    /// For each variable, whether states give its value; `None` if they give all.
    tracked: Option<Vec<bool>>,
    /// Which variables states give the values of, by location; `None` if they give all.
    pub(crate) live: Option<&'n LiveVariables>,
    masks: Option<LiveMasks>,
    /// What may be permuted.
    pub(crate) symmetries: &'n [Symmetry],
    abstraction: Abstraction,
    moves: Moves<'n>,
    numbers: FxHashMap<Discrete, u32>,
    /// A matrix whose memory is reused.
    scratch: RefCell<Dbm>,
    /// Matrices that nobody needs any more.
    spare: RefCell<Vec<Dbm>>,
    pub(crate) groups: Vec<Group>,
}

impl<'n> Graph<'n> {
    pub(crate) fn new(network: &'n Network, target: &'n Formula, abstraction: Abstraction) -> Graph<'n> {
        Graph {
            network,
            target,
            along: None,
            tracked: None,
            live: None,
            masks: None,
            symmetries: &[],
            abstraction,
            moves: Moves::new(network),
            numbers: FxHashMap::default(),
            scratch: RefCell::new(Dbm::zero(1)),
            spare: RefCell::new(Vec::new()),
            groups: Vec::new(),
        }
    }

    /// The same with a condition for endless runs.
    pub(crate) fn with_along(self, along: &'n Formula) -> Graph<'n> {
        Graph { along: Some(along), ..self }
    }

    /// The same with states that only give the values of these variables, and those on which something depends.
    pub(crate) fn with_tracked(self, tracked: Option<Vec<bool>>) -> Graph<'n> {
        Graph { tracked, ..self }
    }

    /// The same with states that do not give the values of dead variables.
    pub(crate) fn with_live(self, live: Option<&'n LiveVariables>) -> Graph<'n> {
        Graph { live, masks: live.map(|live| LiveMasks::new(self.network, live)), ..self }
    }

    /// The same with one state for all permutations of the units of `symmetries`, which the target must not
    /// distinguish.
    pub(crate) fn with_symmetries(self, symmetries: &'n [Symmetry]) -> Graph<'n> {
        Graph { symmetries, ..self }
    }

    /// Whether zones are compared up to the bounds of their groups.
    pub(crate) fn simulates(&self) -> bool {
        matches!(self.abstraction, Abstraction::Bounds(_, Extrapolation::Simulation))
    }

    /// The initial symbolic state; `None` if its invariant is false.
    pub(crate) fn initial(&mut self) -> Result<Option<(u32, Dbm)>, RuntimeError> {
        let Some((number, zone)) = self.start()? else { return Ok(None) };
        Ok(self.groups[number as usize].settle(zone).map(|zone| (number, zone)))
    }

    /// The initial state before any delay.
    pub(crate) fn start(&mut self) -> Result<Option<(u32, Dbm)>, RuntimeError> {
        let initial = self.network.initial();
        let shown = match &self.masks {
            Some(masks) => masks.without_dead(initial.clone()),
            None => initial.clone(),
        };
        let numbers = self.numbers_of(shown)?;
        let mut numbers = numbers.into_iter();
        let number = numbers.find(|number| self.groups[*number as usize].state.stands_for(&initial));
        Ok(number.map(|number| (number, Dbm::zero(self.groups[number as usize].clocks.len() + 1))))
    }

    /// The moves of a group.
    pub(crate) fn steps(&mut self, number: u32) -> Rc<[Step]> {
        if let Some(steps) = &self.groups[number as usize].steps {
            return steps.clone();
        }
        let steps: Rc<[Step]> = self.compute_steps(number).into();
        self.groups[number as usize].steps = Some(steps.clone());
        steps
    }

    fn compute_steps(&mut self, number: u32) -> Vec<Step> {
        let group = &mut self.groups[number as usize];
        let (state, moves) = (group.state.clone(), std::mem::take(&mut group.moves));
        let mut steps = Vec::new();
        for (step, number_of_move) in moves.iter().zip(0..) {
            let guard = SmallVec::from_slice(&self.groups[number as usize].rows(&step.guard));
            let mut turn = None;
            let fired = self.moves.fire(&state, &step.participants);
            let fired = fired.and_then(|(mut next, effects)| {
                if let Some(masks) = &self.masks {
                    next = masks.without_dead(next);
                }
                turn = self.network.arrangement(self.symmetries, &next).map(Box::new);
                if let Some(turn) = &turn {
                    next = self.network.arranged(self.symmetries, turn, &next);
                }
                Ok((self.numbers_of(next)?, effects))
            });
            let add =
                |outcome| Step { number: number_of_move, guard: guard.clone(), outcome, turn: turn.clone() };
            match fired {
                Ok((targets, effects)) => {
                    let rows = |target| self.row_map(number, target, &effects, turn.as_deref());
                    steps.extend(
                        targets.into_iter().map(|target| add(Destination::Group(target, rows(target)))),
                    );
                }
                Err(error) => steps.push(add(Destination::Error(error))),
            }
        }
        steps
    }

    /// The groups that `state` belongs to: one, or several if it leaves values open on which something depends. None if its invariant
    /// is false whatever the clocks are.
    fn numbers_of(&mut self, state: Discrete) -> Result<SmallVec<[u32; 1]>, RuntimeError> {
        let parts = match &self.tracked {
            None => return Ok(self.number(state)?.into_iter().collect()),
            Some(tracked) => self.moves.told_apart(self.network.forgetting(&state, tracked), self.target)?,
        };
        let mut list = SmallVec::new();
        for part in parts {
            list.extend(self.number(part)?);
        }
        Ok(list)
    }

    fn row_map(
        &self,
        source: u32,
        target: u32,
        effects: &[ClockEffect],
        turn: Option<&Arrangement>,
    ) -> Vec<(u16, i32)> {
        let source = &self.groups[source as usize];
        let row = |clock: &ClockId| {
            let clock = match turn {
                Some(turn) => symmetry::source_of(self.symmetries, turn, *clock),
                None => *clock,
            };
            match effects.iter().find(|effect| effect.clock == clock) {
                Some(effect) => (0, effect.value),
                None => (source.row(Some(clock)), 0),
            }
        };
        let clocks = &self.groups[target as usize].clocks;
        std::iter::once((0, 0)).chain(clocks.iter().map(row)).collect()
    }

    /// The number of the group of `state`; `None` if its invariant is false whatever the clocks are.
    fn number(&mut self, state: Discrete) -> Result<Option<u32>, RuntimeError> {
        if let Some(number) = self.numbers.get(&state) {
            return Ok(Some(*number));
        }
        let Some(invariant) = self.moves.invariant(&state)? else { return Ok(None) };
        let number = self.groups.len() as u32;
        let group = self.group(state.clone(), &invariant);
        self.groups.push(group);
        self.numbers.insert(state, number);
        Ok(Some(number))
    }

    fn group(&mut self, state: Discrete, invariant: &[Difference]) -> Group {
        let all = || self.network.clocks.indices();
        let (clocks, bounds): (Vec<ClockId>, Vec<Bounds>) = match &self.abstraction {
            Abstraction::Exact => (all().collect(), Vec::new()),
            Abstraction::Bounds(table, _) => {
                let pairs = all().zip(table.of(self.network, &state));
                pairs.filter(|(_, bounds)| bounds.is_active()).unzip()
            }
        };
        let situation = self.moves.situation(&state);
        let cases = self.target.cases(self.moves.machine_at(&state));
        let along = match self.along {
            Some(along) => along.cases(self.moves.machine_at(&state)),
            None => Ok(vec![TargetCase::default()]),
        };
        let ties = self.network.ties(self.symmetries, &state, &clocks);
        let errors = [situation.as_ref().err(), cases.as_ref().err(), along.as_ref().err()];
        let error = errors.into_iter().flatten().next().cloned();
        let (moves, is_frozen) =
            situation.map_or((Vec::new(), false), |situation| (situation.moves, situation.is_frozen));
        let mut group = Group {
            state,
            clocks,
            bounds,
            invariant: Vec::new(),
            is_frozen,
            targets: Vec::new(),
            along: Along::Nowhere,
            error,
            ties,
            moves,
            steps: None,
            moving: None,
        };
        group.invariant = group.rows(invariant);
        group.targets = cases.unwrap_or_default().iter().map(|case| group.target(case)).collect();
        group.along = match along.unwrap_or_default().as_slice() {
            [] => Along::Nowhere,
            [case] if case.deadlock.is_none() => Along::Within(group.rows(&case.differences)),
            _ => Along::Split,
        };
        group
    }

    /// The zone after `step`, which leads to another group, and after a delay there; `None` if the step is not possible.
    pub(crate) fn successor(&self, zone: &Dbm, step: &Step) -> Option<Dbm> {
        self.arranged_successor(zone, step).map(|(zone, _)| zone)
    }

    /// The same, with the rows from which the rows come after equal processes have been sorted by their clocks, if something changed.
    pub(crate) fn arranged_successor(&self, zone: &Dbm, step: &Step) -> Option<(Dbm, Option<Vec<usize>>)> {
        let Destination::Group(target, rows) = &step.outcome else { return None };
        if !zone.meets_each(&step.guard) {
            return None;
        }
        let group = &self.groups[*target as usize];
        let mut mapped = self.spare.borrow_mut().pop().unwrap_or_else(|| Dbm::zero(1));
        if step.guard.is_empty() {
            zone.map_into(rows, &mut mapped);
        } else {
            let mut scratch = self.scratch.borrow_mut();
            scratch.copy_from(zone);
            if scratch.constrain_all(&step.guard) == Emptiness::Empty {
                self.recycle(mapped);
                return None;
            }
            scratch.map_into(rows, &mut mapped);
        }
        let mut zone = group.settle(mapped)?;
        let rows = group.sorted_rows(&zone);
        if let Some(rows) = &rows {
            zone = zone.with_rows(rows);
        }
        self.extrapolate(group, &mut zone);
        Some((zone, rows))
    }

    /// The values of a zone of a group that satisfy the invariant; extrapolation may have forgotten it.
    pub(crate) fn within_invariant(&self, group: u32, zone: &Dbm) -> Dbm {
        let mut zone = zone.clone();
        zone.constrain_all(&self.groups[group as usize].invariant);
        zone
    }

    /// Keeps the memory of a matrix for another one.
    pub(crate) fn recycle(&self, zone: Dbm) {
        self.spare.borrow_mut().push(zone);
    }

    /// How equal processes were arranged by a step to `group` and a new order of rows.
    pub(crate) fn turn(&self, step: &Step, group: u32, rows: Option<&[usize]>) -> Arrangement {
        let nothing = || symmetry::identity(self.symmetries);
        let turn = step.turn.as_deref().cloned().unwrap_or_else(nothing);
        match rows {
            None => turn,
            Some(rows) => {
                let sorted = self.groups[group as usize].ties.arrangement(self.symmetries, rows);
                symmetry::composed(&turn, &sorted)
            }
        }
    }

    /// Makes a zone of `group` coarser.
    pub(crate) fn extrapolate(&self, group: &Group, zone: &mut Dbm) {
        match &self.abstraction {
            Abstraction::Exact
            | Abstraction::Bounds(_, Extrapolation::Nothing | Extrapolation::Simulation) => {}
            Abstraction::Bounds(_, extrapolation) => extrapolate(zone, &group.bounds, *extrapolation),
        }
    }

    /// The states of a group from which each step is possible, now or after a delay.
    pub(crate) fn moving(&mut self, number: u32) -> Rc<[Dbm]> {
        if let Some(moving) = &self.groups[number as usize].moving {
            return moving.clone();
        }
        let steps = self.steps(number);
        let moving: Rc<[Dbm]> = steps.iter().filter_map(|step| self.before(number, step)).collect();
        self.groups[number as usize].moving = Some(moving.clone());
        moving
    }

    /// The states of a group from which `step` is possible, now or after a delay. A step that fails counts as possible.
    fn before(&self, number: u32, step: &Step) -> Option<Dbm> {
        let constraints = match &step.outcome {
            Destination::Group(target, rows) => pulled_back(&self.groups[*target as usize].invariant, rows),
            Destination::Error(_) => Vec::new(),
        };
        let group = &self.groups[number as usize];
        let mut zone = group.everything();
        let needed = step.guard.iter().chain(&group.invariant).chain(&constraints);
        if !keep_all(&mut zone, needed) {
            return None;
        }
        if !group.is_frozen {
            zone.down();
        }
        Some(zone)
    }

    /// The parts of `zone` that satisfy the target.
    pub(crate) fn bad_parts(&mut self, number: u32, zone: &Dbm) -> Vec<Dbm> {
        let mut parts = Vec::new();
        let mut candidates = Vec::new();
        for target in &self.groups[number as usize].targets {
            let mut part = zone.clone();
            if part.constrain_all(&target.constraints) == Emptiness::NotEmpty {
                candidates.push((part, target.deadlock));
            }
        }
        for (part, deadlock) in candidates {
            let Some(wanted) = deadlock else {
                parts.push(part);
                continue;
            };
            let stuck = without_all(part.clone(), &self.moving(number));
            parts.extend(if wanted {
                stuck
            } else {
                stuck.iter().fold(vec![part], |rest, piece| outside(&rest, piece))
            });
        }
        parts
    }
}

/// What constraints on the rows of a step's target mean before the step.
pub(crate) fn pulled_back(constraints: &[RowConstraint], rows: &[(u16, i32)]) -> Vec<RowConstraint> {
    let before = |(row, column, bound): &RowConstraint| {
        let ((row, up), (column, down)) = (rows[usize::from(*row)], rows[usize::from(*column)]);
        (row, column, bound - 2 * (up - down))
    };
    constraints.iter().map(before).collect()
}

/// Keeps the values that satisfy the constraints, which may compare a row with itself; `false` if there are none.
pub(crate) fn keep_all<'c>(zone: &mut Dbm, constraints: impl IntoIterator<Item = &'c RowConstraint>) -> bool {
    constraints.into_iter().all(|(row, column, bound)| match row == column {
        true => *bound >= crate::dbm::ZERO,
        false => zone.constrain(usize::from(*row), usize::from(*column), *bound) == Emptiness::NotEmpty,
    })
}

/// The parts of `zone` outside of all of `others`.
pub(crate) fn without_all(zone: Dbm, others: &[Dbm]) -> Vec<Dbm> {
    others.iter().fold(vec![zone], |rest, other| outside(&rest, other))
}

fn outside(zones: &[Dbm], other: &Dbm) -> Vec<Dbm> {
    zones.iter().flat_map(|zone| zone.minus(other)).collect()
}

impl Group {
    /// The row of a clock, which must be active.
    pub(crate) fn row(&self, clock: Option<ClockId>) -> u16 {
        let Some(clock) = clock else { return 0 };
        let row = self.clocks.binary_search(&clock).expect("a constrained clock should be active");
        row as u16 + 1
    }

    fn rows(&self, differences: &[Difference]) -> Vec<RowConstraint> {
        let row =
            |one: &Difference| (self.row(one.left), self.row(one.right), bound(one.limit, one.is_strict));
        differences.iter().map(row).collect()
    }

    fn target(&self, case: &TargetCase) -> Target {
        Target { constraints: self.rows(&case.differences), deadlock: case.deadlock }
    }

    /// From which rows the rows of a zone should come, if equal processes are to be sorted by their clocks.
    fn sorted_rows(&self, zone: &Dbm) -> Option<Vec<usize>> {
        if self.ties.is_empty() {
            return None;
        }
        self.ties.rows(zone.dim(), |row, column| Entry::from(zone.get(row, column)))
    }

    /// All values of the clocks.
    pub(crate) fn everything(&self) -> Dbm {
        Dbm::everything(self.clocks.len() + 1)
    }

    /// The bounds as a proof has them.
    pub(crate) fn stated_bounds(&self) -> Vec<ClockBounds> {
        let stated = |bound: i32| (bound != NONE).then_some(bound);
        let bounds = self.bounds.iter();
        bounds.map(|one| ClockBounds { lower: stated(one.lower), upper: stated(one.upper) }).collect()
    }

    /// The zone on arrival, then after a delay; `None` if the invariant is violated on arrival.
    fn settle(&self, mut zone: Dbm) -> Option<Dbm> {
        if zone.constrain_all(&self.invariant) == Emptiness::Empty {
            return None;
        }
        if !self.is_frozen {
            zone.up();
            zone.constrain_all(&self.invariant);
        }
        Some(zone)
    }
}

/// Drops what does not matter according to the bounds (Behrmann, Bouyer, Larsen and Pelánek 2006).
pub(crate) fn extrapolate(zone: &mut Dbm, bounds: &[Bounds], extrapolation: Extrapolation) {
    let lower = |row: usize| if row == 0 { 0 } else { bounds[row - 1].lower };
    let upper = |row: usize| if row == 0 { 0 } else { bounds[row - 1].upper };
    // The least value that each clock has in the zone.
    let least: SmallVec<[i32; 32]> = zone.row(0).iter().map(|entry| -(entry >> 1)).collect();
    zone.relax(|row, column, entry| {
        if entry == UNBOUNDED {
            return UNBOUNDED;
        }
        let is_beyond = entry >> 1 > lower(row)
            || (extrapolation == Extrapolation::Plus && row != 0 && least[row] > lower(row))
            || (extrapolation == Extrapolation::Plus && row != 0 && least[column] > upper(column));
        let is_below = -(entry >> 1) > upper(column);
        match row {
            _ if row != 0 && is_beyond => UNBOUNDED,
            0 if is_below => bound(-upper(column), true).min(crate::dbm::ZERO),
            _ if is_below && upper(column) == NONE => UNBOUNDED,
            _ if is_below => bound(-upper(column), true),
            _ => entry,
        }
    });
}
