//! Times for a sequence of moves.
//!
//! The moves of a run are fixed; it remains to determine when they happen. With a variable for the time of each move, the value of a
//! clock is the time since it was set plus the number it was set to, so guards, invariants and the target are bounds on differences
//! of two times. Such a system is solved by shortest paths (Bellman and Ford). A strict bound `< c` becomes `<= c - 1/n` with more
//! parts than there are times, which loses no solution: a cycle of bounds whose sum is at least one whole unit can spare one part for
//! each of its strict bounds.

use thetis_model::xta::{
    ClockId, Difference, Discrete, Formula, Moves, Network, Participants, RuntimeError, TimedStep, XtaTrace,
};

/// `later - earlier <= limit` or `<`, for two numbers of times.
struct TimeBound {
    later: usize,
    earlier: usize,
    limit: i64,
    is_strict: bool,
}

/// When a clock was set, and to what.
#[derive(Clone, Copy)]
struct Setting {
    time: usize,
    value: i64,
}

struct Schedule<'n> {
    moves: Moves<'n>,
    clocks: Vec<Setting>,
    bounds: Vec<TimeBound>,
}

/// What has to happen in a run, one after the other.
pub(crate) struct Plan<'p> {
    /// The numbers of the moves.
    pub(crate) path: &'p [u32],
    /// What the last state satisfies.
    pub(crate) last: &'p [Difference],
    /// What holds in a part of the run.
    pub(crate) part: Option<RunPart<'p>>,
}

/// A part of a run with a condition, from some state to the end.
pub(crate) struct RunPart<'p> {
    /// The number of moves before it.
    pub(crate) moves: usize,
    /// What its first state satisfies; `None` if there is no delay before it.
    pub(crate) start: Option<&'p [Difference]>,
    /// What all of its states satisfy: in each discrete state one zone.
    pub(crate) along: &'p Formula,
}

/// A run with times, and when its part begins.
pub(crate) struct Scheduled {
    pub(crate) trace: XtaTrace,
    /// How many moves before, and how many ticks after the last of them.
    pub(crate) since: (usize, u64),
}

/// A run as planned, or `None` if there is none.
pub(crate) fn schedule(network: &Network, plan: &Plan<'_>) -> Result<Option<Scheduled>, RuntimeError> {
    let clocks = vec![Setting { time: 0, value: 0 }; network.clocks.len()];
    let mut schedule = Schedule { moves: Moves::new(network), clocks, bounds: Vec::new() };
    let mut state = network.initial();
    let mut taken = Vec::with_capacity(plan.path.len());
    // Time 0 is the start; a part has a time of its own.
    let mut time = 0;
    for index in 0..=plan.path.len() {
        if let Some(part) = plan.part.as_ref().filter(|part| part.moves == index) {
            time += 1;
            if !schedule.begin(&state, part, time)? {
                return Ok(None);
            }
        }
        let condition = plan.condition(index);
        time += 1;
        if !schedule.stay(&state, condition, time)? {
            return Ok(None);
        }
        let Some(number) = plan.path.get(index) else { break };
        let situation = schedule.moves.situation(&state)?;
        let Some(step) = situation.moves.get(*number as usize) else { return Ok(None) };
        schedule.require(&step.guard, time);
        let (next, effects) = schedule.moves.fire(&state, &step.participants)?;
        taken.push(step.participants.clone());
        for effect in effects {
            schedule.clocks[effect.clock.index()] = Setting { time, value: i64::from(effect.value) };
        }
        if !schedule.is_at(&next, condition, time)? {
            return Ok(None);
        }
        state = next;
    }
    schedule.require(plan.last, time);
    Ok(schedule.solve(taken, plan.part.as_ref().map(|part| part.moves)))
}

impl<'p> Plan<'p> {
    /// What holds after `moves` moves.
    fn condition(&self, moves: usize) -> Option<&'p Formula> {
        self.part.as_ref().filter(|part| part.moves <= moves).map(|part| part.along)
    }
}

impl Schedule<'_> {
    /// A delay up to `time` within the invariant and the condition.
    fn stay(
        &mut self,
        state: &Discrete,
        condition: Option<&Formula>,
        time: usize,
    ) -> Result<bool, RuntimeError> {
        let is_frozen = self.moves.is_frozen(state)?;
        self.delay(time, is_frozen);
        self.is_at(state, condition, time)
    }

    /// The part begins at `time`.
    fn begin(&mut self, state: &Discrete, part: &RunPart<'_>, time: usize) -> Result<bool, RuntimeError> {
        let is_frozen = part.start.is_none() || self.moves.is_frozen(state)?;
        self.delay(time, is_frozen);
        self.require(part.start.unwrap_or_default(), time);
        self.is_at(state, Some(part.along), time)
    }

    /// The invariant and the condition hold at `time`; `false` if they cannot.
    fn is_at(
        &mut self,
        state: &Discrete,
        condition: Option<&Formula>,
        time: usize,
    ) -> Result<bool, RuntimeError> {
        let Some(invariant) = self.moves.invariant(state)? else { return Ok(false) };
        self.require(&invariant, time);
        let Some(condition) = condition else { return Ok(true) };
        let cases = condition.cases(self.moves.machine_at(state))?;
        let [case] = cases.as_slice() else { return Ok(false) };
        self.require(&case.differences, time);
        Ok(case.deadlock.is_none())
    }

    fn delay(&mut self, time: usize, is_frozen: bool) {
        self.bounds.push(TimeBound { later: time - 1, earlier: time, limit: 0, is_strict: false });
        if is_frozen {
            self.bounds.push(TimeBound { later: time, earlier: time - 1, limit: 0, is_strict: false });
        }
    }

    /// The constraints hold at `time`.
    fn require(&mut self, constraints: &[Difference], time: usize) {
        for constraint in constraints {
            let setting = |clock: Option<ClockId>| match clock {
                Some(clock) => self.clocks[clock.index()],
                None => Setting { time, value: 0 },
            };
            // A clock is `time - set + value`; the missing clock counts as set now.
            let (left, right) = (setting(constraint.left), setting(constraint.right));
            let limit = i64::from(constraint.limit) - left.value + right.value;
            let is_strict = constraint.is_strict;
            self.bounds.push(TimeBound { later: right.time, earlier: left.time, limit, is_strict });
        }
    }

    /// Times for moves, between which a part without moves of its own may lie.
    fn solve(&self, path: Vec<Participants>, part: Option<usize>) -> Option<Scheduled> {
        let num_times = path.len() + 2 + usize::from(part.is_some());
        let unit = num_times as i64 + 1;
        let times = self.shortest_paths(num_times, unit)?;
        let ticks = |from: usize, to: usize| u64::try_from(times[to] - times[from]).ok();
        // The time of the start, of all moves, and of the end.
        let begin = part.map(|moves| moves + 1);
        let marks: Vec<usize> = (0..num_times).filter(|time| Some(*time) != begin).collect();
        let delay = |index: usize| ticks(marks[index], marks[index + 1]);
        let last_delay = delay(path.len())?;
        let step = |(index, participants)| Some(TimedStep { delay: delay(index)?, participants });
        let steps = path.into_iter().enumerate().map(step).collect::<Option<Vec<TimedStep>>>()?;
        let since = match begin {
            Some(begin) => (begin - 1, ticks(begin - 1, begin)?),
            None => (0, 0),
        };
        let trace = XtaTrace { ticks_per_unit: unit as u64, steps, last_delay, forever: None };
        Some(Scheduled { trace, since })
    }

    /// Values for all times (Bellman and Ford); `None` if there are none.
    fn shortest_paths(&self, num_times: usize, unit: i64) -> Option<Vec<i64>> {
        let mut times = vec![0_i64; num_times];
        for _ in 0..=num_times {
            let mut is_stable = true;
            for bound in self.bounds.iter().chain(self.bounds.iter().rev()) {
                let limit = times[bound.earlier] + bound.limit * unit - i64::from(bound.is_strict);
                if limit < times[bound.later] {
                    times[bound.later] = limit;
                    is_stable = false;
                }
            }
            if is_stable {
                return Some(times);
            }
        }
        None
    }
}
