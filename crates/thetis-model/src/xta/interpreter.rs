//! Concrete runs with exact times.

use std::fmt;

use super::{Difference, Discrete, EdgeId, Formula, Moves, Network, ProcessId, RuntimeError, Situation};

/// A state with the values of all clocks, in ticks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimedState {
    /// The variables and locations.
    pub discrete: Discrete,
    /// The clocks.
    pub clocks: Vec<i128>,
}

/// Why a run cannot go on as it should.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// A computation fails.
    Runtime(RuntimeError),
    /// A delay where time stands still.
    Frozen,
    /// An invariant does not hold.
    Invariant,
    /// The edges make no move, or their guards do not hold.
    NotEnabled,
    /// No ticks make a time unit.
    NoTicks,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Runtime(error) => write!(f, "{error}"),
            ReplayError::Frozen => write!(f, "time cannot pass"),
            ReplayError::Invariant => write!(f, "an invariant does not hold"),
            ReplayError::NotEnabled => write!(f, "the move is not enabled"),
            ReplayError::NoTicks => write!(f, "a time unit has no ticks"),
        }
    }
}

impl From<RuntimeError> for ReplayError {
    fn from(error: RuntimeError) -> ReplayError {
        ReplayError::Runtime(error)
    }
}

/// Follows a run.
pub struct Replay<'n> {
    moves: Moves<'n>,
    state: TimedState,
    unit: i128,
}

impl<'n> Replay<'n> {
    /// At the start, with this many ticks in a time unit.
    pub fn new(network: &'n Network, ticks_per_unit: u64) -> Result<Replay<'n>, ReplayError> {
        if ticks_per_unit == 0 {
            return Err(ReplayError::NoTicks);
        }
        let state = TimedState { discrete: network.initial(), clocks: vec![0; network.clocks.len()] };
        let mut replay = Replay { moves: Moves::new(network), state, unit: i128::from(ticks_per_unit) };
        replay.check_invariant()?;
        Ok(replay)
    }

    /// Where the run is.
    pub fn state(&self) -> &TimedState {
        &self.state
    }

    /// Lets time pass.
    pub fn delay(&mut self, ticks: u64) -> Result<(), ReplayError> {
        if ticks == 0 {
            return Ok(());
        }
        if self.situation()?.is_frozen {
            return Err(ReplayError::Frozen);
        }
        self.state.clocks.iter_mut().for_each(|clock| *clock += i128::from(ticks));
        self.check_invariant()
    }

    /// Takes a move. The edges must be exactly those of a move that is enabled now.
    pub fn fire(&mut self, participants: &[(ProcessId, EdgeId)]) -> Result<(), ReplayError> {
        let situation = self.situation()?;
        let is_enabled =
            |guard: &[Difference]| guard.iter().all(|one| one.holds(&self.state.clocks, self.unit));
        let mut moves = situation.moves.iter();
        if !moves.any(|step| step.participants == participants && is_enabled(&step.guard)) {
            return Err(ReplayError::NotEnabled);
        }
        let (discrete, effects) = self.moves.fire(&self.state.discrete, participants)?;
        self.state.discrete = discrete;
        for effect in effects {
            self.state.clocks[effect.clock.index()] = i128::from(effect.value) * self.unit;
        }
        self.check_invariant()
    }

    /// Whether the state satisfies `formula`.
    pub fn satisfies(&mut self, formula: &Formula) -> Result<bool, ReplayError> {
        let cases = formula.cases(self.moves.machine_at(&self.state.discrete))?;
        for case in cases {
            let clocks_agree = case.differences.iter().all(|one| one.holds(&self.state.clocks, self.unit));
            let deadlock_agrees = match case.deadlock {
                Some(wanted) if clocks_agree => self.is_deadlocked()? == wanted,
                _ => true,
            };
            if clocks_agree && deadlock_agrees {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether `formula` holds now and for the next `ticks`. Only one case of the formula is used for all of them, so that a `false` may
    /// be wrong if it has several.
    pub fn satisfies_for(&mut self, formula: &Formula, ticks: u64) -> Result<bool, ReplayError> {
        let cases = formula.cases(self.moves.machine_at(&self.state.discrete))?;
        let later: Vec<i128> = self.state.clocks.iter().map(|clock| clock + i128::from(ticks)).collect();
        // What holds at both ends of a straight line and is convex holds everywhere on it.
        Ok(cases.iter().any(|case| {
            let holds = |clocks: &[i128]| case.differences.iter().all(|one| one.holds(clocks, self.unit));
            case.deadlock.is_none() && holds(&self.state.clocks) && holds(&later)
        }))
    }

    /// Whether the run may stay here for ever with `formula`: the formula holds for all delays that the invariant allows, and these
    /// are unbounded or the state is a deadlock. Uses one case of the formula.
    pub fn may_stay(&mut self, formula: &Formula) -> Result<bool, ReplayError> {
        let is_frozen = self.situation()?.is_frozen;
        let invariant = self.moves.invariant(&self.state.discrete)?.ok_or(ReplayError::Invariant)?;
        let delays = self.delays(is_frozen, &invariant);
        if delays.high.is_some() && !self.is_deadlocked()? {
            return Ok(false);
        }
        let cases = formula.cases(self.moves.machine_at(&self.state.discrete))?;
        Ok(cases.iter().any(|case| {
            let within = self.delays(false, &case.differences);
            let ends_later = match (delays.high, within.high) {
                (_, None) => true,
                (None, Some(_)) => false,
                (Some(last), Some(limit)) => last <= limit,
            };
            case.deadlock.is_none() && within.low == 0 && !within.is_empty() && ends_later
        }))
    }

    fn delays(&self, is_frozen: bool, constraints: &[Difference]) -> Delays {
        let mut delays = Delays::new(is_frozen);
        constraints.iter().for_each(|one| delays.restrict(*one, &self.state.clocks, self.unit));
        delays
    }

    /// Whether no move is possible now or after a delay.
    pub fn is_deadlocked(&mut self) -> Result<bool, ReplayError> {
        let situation = self.situation()?;
        let source = self.moves.invariant(&self.state.discrete)?.unwrap_or_default();
        for step in &situation.moves {
            let (target, effects) = self.moves.fire(&self.state.discrete, &step.participants)?;
            let Some(invariant) = self.moves.invariant(&target)? else { continue };
            let after = invariant.into_iter().map(|one| one.before(&effects));
            let mut delays = Delays::new(situation.is_frozen);
            let needed = step.guard.iter().chain(&source).copied().chain(after);
            needed.for_each(|one| delays.restrict(one, &self.state.clocks, self.unit));
            if !delays.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn situation(&mut self) -> Result<Situation, ReplayError> {
        Ok(self.moves.situation(&self.state.discrete)?)
    }

    fn check_invariant(&mut self) -> Result<(), ReplayError> {
        let invariant = self.moves.invariant(&self.state.discrete)?.ok_or(ReplayError::Invariant)?;
        if invariant.iter().all(|one| one.holds(&self.state.clocks, self.unit)) {
            return Ok(());
        }
        Err(ReplayError::Invariant)
    }
}

/// An interval of delays. Bounds are in half ticks, so that an open end is half a tick inside.
struct Delays {
    low: i128,
    high: Option<i128>,
}

impl Delays {
    fn new(is_frozen: bool) -> Delays {
        Delays { low: 0, high: is_frozen.then_some(0) }
    }

    /// Keeps the delays after which `one` holds. Delays between two ticks count: an open interval of one tick is not empty.
    fn restrict(&mut self, one: Difference, clocks: &[i128], unit: i128) {
        let value = |clock: Option<super::ClockId>| clock.map_or(0, |clock| clocks[clock.index()]);
        let slack = 2 * (i128::from(one.limit) * unit - value(one.left) + value(one.right))
            - i128::from(one.is_strict);
        match (one.left, one.right) {
            (Some(_), None) => self.high = Some(self.high.map_or(slack, |high| high.min(slack))),
            (None, Some(_)) => self.low = self.low.max(-slack),
            _ if slack < 0 => self.high = Some(-1),
            _ => {}
        }
    }

    fn is_empty(&self) -> bool {
        self.high.is_some_and(|high| high < self.low)
    }
}
