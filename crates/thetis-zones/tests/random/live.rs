//! Random questions about liveness and extreme values.

use fastrand::Rng;
use thetis_model::xta::{Extreme, ExtremeValue};

use thetis_testkit::xta::{Comparison, MAX, RandomNetwork, State, comparison, endless, holds, reachable};

/// A condition on the locations of the first two processes and on a clock: `(P0 in first or P1 in second) and x ~ c`, or its negation.
pub(crate) struct Condition {
    first: usize,
    second: usize,
    clock: Option<Comparison>,
    is_negated: bool,
}

/// A question about liveness.
pub(crate) enum LiveQuery {
    PossiblyAlways(Condition),
    Eventually(Condition),
    LeadsTo(Condition, Condition),
}

impl Condition {
    fn new(rng: &mut Rng, num_clocks: usize) -> Condition {
        let mut clock = (rng.u32(0..3) > 0).then(|| comparison(rng, num_clocks));
        // Neither the condition nor its negation may be two zones.
        if let Some(clock) = clock.as_mut().filter(|clock| clock.sign == "==") {
            clock.sign = if rng.bool() { "<=" } else { ">" };
        }
        Condition { first: rng.usize(0..3), second: rng.usize(0..3), clock, is_negated: rng.bool() }
    }

    fn text(&self) -> String {
        let mut text = format!("(P0.l{} or P1.l{})", self.first, self.second);
        if let Some(clock) = &self.clock {
            text = format!("({text} and {})", clock.text());
        }
        if self.is_negated { format!("not {text}") } else { text }
    }

    fn holds(&self, state: &State) -> bool {
        let is_there = state.locations[0] == self.first || state.locations[1] == self.second;
        let clock_holds = self.clock.iter().all(|clock| holds(state, clock));
        (is_there && clock_holds) != self.is_negated
    }
}

impl LiveQuery {
    pub(crate) fn new(network: &RandomNetwork, seed: u64) -> LiveQuery {
        let mut rng = Rng::with_seed(seed ^ 0x11fe);
        let condition = Condition::new(&mut rng, network.num_clocks);
        match seed % 3 {
            0 => LiveQuery::PossiblyAlways(condition),
            1 => LiveQuery::Eventually(condition),
            _ => LiveQuery::LeadsTo(condition, Condition::new(&mut rng, network.num_clocks)),
        }
    }

    pub(crate) fn text(&self) -> String {
        match self {
            LiveQuery::PossiblyAlways(condition) => format!("E[] {}", condition.text()),
            LiveQuery::Eventually(condition) => format!("A<> {}", condition.text()),
            LiveQuery::LeadsTo(cause, effect) => format!("{} --> {}", cause.text(), effect.text()),
        }
    }

    /// Whether the region graph has a run that makes the verdict `Unsafe`.
    pub(crate) fn has_run(&self, network: &RandomNetwork) -> bool {
        match self {
            LiveQuery::PossiblyAlways(along) => endless(network, None, &|state| along.holds(state)),
            LiveQuery::Eventually(goal) => endless(network, None, &|state| !goal.holds(state)),
            LiveQuery::LeadsTo(cause, effect) => {
                let start = |state: &State| cause.holds(state) && !effect.holds(state);
                endless(network, Some(&start), &|state| !effect.holds(state))
            }
        }
    }
}

/// A question for the values of a clock and of the variable where a process is in a location.
pub(crate) struct ValueQuery {
    location: usize,
    clock: usize,
}

impl ValueQuery {
    pub(crate) fn new(network: &RandomNetwork, seed: u64) -> ValueQuery {
        let mut rng = Rng::with_seed(seed ^ 0x5b);
        ValueQuery { location: rng.usize(0..3), clock: rng.usize(0..network.num_clocks) }
    }

    pub(crate) fn text(&self) -> String {
        format!("bounds{{P0.l{}}}: x{}, v", self.location, self.clock)
    }

    /// Whether the four values are those of the region graph.
    pub(crate) fn agrees(&self, network: &RandomNetwork, values: &[ExtremeValue]) -> bool {
        let reached = reachable(network);
        let counted = || reached.iter().filter(|state| state.locations[0] == self.location);
        let clocks = || counted().map(|state| state.clocks[self.clock]);
        let [inf_clock, sup_clock, inf_value, sup_value] = values else { return false };
        let lowest = clocks().map(|(whole, rank)| 2 * whole + i32::from(rank > 0)).min();
        let number = |value: Option<i32>| value.map_or(ExtremeValue::Never, ExtremeValue::Attained);
        is_clock_value(*inf_clock, Extreme::Infimum, lowest)
            && is_clock_value(*sup_clock, Extreme::Supremum, clocks().map(upper).max())
            && *inf_value == number(counted().map(|state| state.value).min())
            && *sup_value == number(counted().map(|state| state.value).max())
    }
}

/// Twice the least upper bound of a clock in a region, minus one if it is attained.
fn upper((whole, rank): (i32, usize)) -> i32 {
    if rank > 0 || whole > MAX { 2 * whole + 2 } else { 2 * whole + 1 }
}

fn is_clock_value(value: ExtremeValue, side: Extreme, expected: Option<i32>) -> bool {
    let Some(expected) = expected else { return value == ExtremeValue::Never };
    let (limit, is_open) = match side {
        Extreme::Infimum => (expected / 2, expected % 2 == 1),
        Extreme::Supremum => (expected / 2, expected % 2 == 0),
    };
    if limit > MAX + 1 || (limit > MAX && side == Extreme::Infimum) {
        // The region graph only says that it is larger.
        value == ExtremeValue::Unbounded || value.is_from(MAX)
    } else if is_open {
        value == ExtremeValue::Approached(limit)
    } else {
        value == ExtremeValue::Attained(limit)
    }
}
