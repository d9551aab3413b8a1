//! Times for a sequence of moves.
//!
//! The moves of a run are fixed; what is left is when they happen. With a variable for the time of each move, the value of a clock is
//! the time since it was set plus what it was set to, so that guards, invariants and the target are bounds on differences of
//! two times. Such a system is solved by shortest paths (Bellman and Ford). A strict bound `< c` becomes `<= c - 1/n` with
//! more parts than there are times, which loses no solution: a cycle of bounds whose sum is at least one whole unit can spare
//! one part for each of its strict bounds.

use thetis_model::xta::{
    ClockId, Difference, Moves, Network, Participants, RuntimeError, TimedStep, XtaTrace,
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

/// A run along `path`, which has the number of the move in each state, whose last state satisfies `last`, or `None` if there is none.
pub(crate) fn schedule(
    network: &Network,
    path: &[u32],
    last: &[Difference],
) -> Result<Option<XtaTrace>, RuntimeError> {
    let clocks = vec![Setting { time: 0, value: 0 }; network.clocks.len()];
    let mut schedule = Schedule { moves: Moves::new(network), clocks, bounds: Vec::new() };
    let mut state = network.initial();
    let mut taken = Vec::with_capacity(path.len());
    for (index, number) in path.iter().enumerate() {
        let time = index + 1;
        let situation = schedule.moves.situation(&state)?;
        schedule.delay(time, situation.is_frozen);
        let Some(invariant) = schedule.moves.invariant(&state)? else { return Ok(None) };
        schedule.require(&invariant, time);
        let Some(step) = situation.moves.get(*number as usize) else { return Ok(None) };
        schedule.require(&step.guard, time);
        let (next, effects) = schedule.moves.fire(&state, &step.participants)?;
        taken.push(step.participants.clone());
        for effect in effects {
            schedule.clocks[effect.clock.index()] = Setting { time, value: i64::from(effect.value) };
        }
        let Some(invariant) = schedule.moves.invariant(&next)? else { return Ok(None) };
        schedule.require(&invariant, time);
        state = next;
    }
    let end = path.len() + 1;
    let is_frozen = schedule.moves.situation(&state)?.is_frozen;
    schedule.delay(end, is_frozen);
    let Some(invariant) = schedule.moves.invariant(&state)? else { return Ok(None) };
    schedule.require(&invariant, end);
    schedule.require(last, end);
    Ok(schedule.solve(taken))
}

impl Schedule<'_> {
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

    fn solve(&self, path: Vec<Participants>) -> Option<XtaTrace> {
        let num_times = path.len() + 2;
        let unit = num_times as i64 + 1;
        let mut times = vec![0_i64; num_times];
        let mut rounds = 0;
        loop {
            let mut is_stable = true;
            for bound in self.bounds.iter().chain(self.bounds.iter().rev()) {
                let limit = times[bound.earlier] + bound.limit * unit - i64::from(bound.is_strict);
                if limit < times[bound.later] {
                    times[bound.later] = limit;
                    is_stable = false;
                }
            }
            if is_stable {
                break;
            }
            rounds += 1;
            if rounds > num_times {
                return None;
            }
        }
        let delay = |index: usize| u64::try_from(times[index + 1] - times[index]).ok();
        let last_delay = delay(path.len())?;
        let step = |(index, participants)| Some(TimedStep { delay: delay(index)?, participants });
        let steps = path.into_iter().enumerate().map(step).collect::<Option<Vec<TimedStep>>>()?;
        Some(XtaTrace { ticks_per_unit: unit as u64, steps, last_delay })
    }
}
