//! Runs that never end.
//!
//! The finite part of the run is replayed, and from its start on the condition must hold. Then the run either stays where it is, or
//! repeats a cycle. A cycle is accepted iff the state is in its first zone, and from every state of each zone some delay within the
//! condition and the move lead into the next zone, and from the last one into the first.

use thetis_model::xta::{Course, Difference, Endless, Network, RepeatedMove, Replay, ReplayError, XtaTrace};

use super::super::CheckError;
use super::ground::{Ground, Grounds};
use super::stated::{check_shape, stated_differences};
use super::zone::Zone;
use super::{check_edges, rejected, start};

/// Accepts `trace` iff it is a maximal run as `endless` describes it.
pub(super) fn check(network: &Network, endless: &Endless, trace: &XtaTrace) -> Result<(), CheckError> {
    let Some(forever) = &trace.forever else {
        return Err(rejected("the run ends, but the query needs an endless one".into()));
    };
    let mut replay = start(network, trace)?;
    let delays = trace.steps.iter().map(|step| step.delay).chain([trace.last_delay]);
    for (index, delay) in delays.enumerate() {
        let at = |error: ReplayError| rejected(format!("step {index}: {error}"));
        if index < forever.since.0 {
            replay.delay(delay).map_err(at)?;
        } else {
            let wait = if index == forever.since.0 { forever.since.1 } else { 0 };
            let rest = delay.checked_sub(wait);
            let rest = rest.ok_or_else(|| rejected("the part that counts begins after a delay".into()))?;
            replay.delay(wait).map_err(at)?;
            if index == forever.since.0 {
                check_start(endless, forever.since, &mut replay)?;
            }
            if !replay.satisfies_for(&endless.along, rest).map_err(at)? {
                return Err(rejected(format!("step {index}: the condition of the query does not hold")));
            }
            replay.delay(rest).map_err(at)?;
        }
        if let Some(step) = trace.steps.get(index) {
            check_edges(network, index, &step.participants)?;
            replay.fire(&step.participants).map_err(at)?;
        }
    }
    if forever.since.0 > trace.steps.len() {
        return Err(rejected("no part of the run counts".into()));
    }
    match &forever.course {
        Course::Stay => check_stay(endless, &mut replay),
        Course::Repeat(cycle) => check_cycle(network, endless, &replay, trace.ticks_per_unit, cycle),
    }
}

fn check_start(endless: &Endless, since: (usize, u64), replay: &mut Replay<'_>) -> Result<(), CheckError> {
    let is_start = match &endless.start {
        None => since == (0, 0),
        Some(start) => replay.satisfies(start).map_err(|error| rejected(format!("at the start: {error}")))?,
    };
    if is_start {
        return Ok(());
    }
    Err(rejected("the part that counts begins in a wrong state".into()))
}

fn check_stay(endless: &Endless, replay: &mut Replay<'_>) -> Result<(), CheckError> {
    match replay.may_stay(&endless.along) {
        Ok(true) => Ok(()),
        Ok(false) => Err(rejected("the run need not end in its last state".into())),
        Err(error) => Err(rejected(format!("at the end: {error}"))),
    }
}

fn check_cycle(
    network: &Network,
    endless: &Endless,
    replay: &Replay<'_>,
    unit: u64,
    cycle: &[RepeatedMove],
) -> Result<(), CheckError> {
    let mut grounds = Grounds::new(network, &endless.along);
    let mut stages = Vec::with_capacity(cycle.len());
    for (index, step) in cycle.iter().enumerate() {
        check_shape(network, &step.from)?;
        check_edges(network, index, &step.participants)?;
        let ground = grounds.at(&step.from.state)?;
        let within = ground.as_ref().and_then(|ground| ground.within());
        let (Some(ground), Some(within), 1) = (ground, within, step.from.num_zones()) else {
            return Err(rejected("a zone of the cycle is empty".into()));
        };
        let limits = stated_differences(&step.from, &step.from.zones).into_iter().chain(within);
        stages.push((ground, limits.collect::<Vec<Difference>>()));
    }
    let (Some(first), Some((_, limits))) = (cycle.first(), stages.first()) else {
        return Err(rejected("the cycle has no moves".into()));
    };
    let state = replay.state();
    let is_inside = limits.iter().all(|one| one.holds(&state.clocks, i128::from(unit)));
    if state.discrete != first.from.state || !is_inside {
        return Err(rejected("the cycle starts elsewhere".into()));
    }
    for (index, step) in cycle.iter().enumerate() {
        let next = (index + 1) % cycle.len();
        let (ground, limits) = &stages[index];
        if !leads(&mut grounds, step, (ground, limits), (&cycle[next], &stages[next].1))? {
            return Err(rejected(format!("move {index} of the cycle does not lead to the next zone")));
        }
    }
    Ok(())
}

/// Whether from all states of one zone the move leads into the next one, after a delay within the condition.
fn leads(
    grounds: &mut Grounds<'_>,
    step: &RepeatedMove,
    (ground, limits): (&Ground, &[Difference]),
    (next, arrival): (&RepeatedMove, &[Difference]),
) -> Result<bool, CheckError> {
    let mut zone = Zone::all(grounds.clocks.clone());
    if !zone.keep_all(limits) {
        return Ok(false);
    }
    let within = ground.within().unwrap_or_default();
    let passages = grounds.passages(&step.from.state)?;
    Ok(passages.iter().any(|passage| {
        let is_next = passage.beyond.as_ref().is_ok_and(|beyond| beyond.state == next.from.state);
        let is_step = passage.participants == step.participants && is_next;
        let before = passage.before(ground, &within, arrival, &grounds.clocks);
        is_step && before.is_some_and(|before| zone.is_within(&before))
    }))
}
