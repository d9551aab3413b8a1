//! Whether claimed extreme values are right.
//!
//! No covered state may exceed the value. Also, the value is a bound of the zone that the given moves lead to. All states of that zone
//! are reached by these moves, so a bound in its closed matrix is attained or approached, and a missing bound means that there is
//! none.

use thetis_base::Run;
use thetis_model::Task;
use thetis_model::xta::{
    Difference, Discrete, Extrema, Extreme, ExtremeValue, Extremum, Formula, Measure, MeasureKind, Moves,
    Network, Participants, XtaProof,
};

use super::super::CheckError;
use super::stated::settled;
use super::zone::{Limit, Zone};
use super::{check_edges, cover, failed, rejected};

/// The most zones that one sequence of moves may lead to.
const MAX_ZONES: usize = 1_000;

/// Accepts `proof` iff its values are what `question` asks for.
pub(super) fn check(
    task: &Task<Network>,
    question: &Extrema,
    proof: &XtaProof,
    run: &Run,
) -> Result<(), CheckError> {
    if question.claims().count() != proof.extrema.len() {
        return Err(rejected("not every value is claimed".into()));
    }
    let claims = || question.claims().zip(&proof.extrema);
    let exceeding = claims().map(|((measure, side), claim)| claim.exceeding(&question.within, measure, side));
    cover::check(task, &Formula::Or(exceeding.collect()), proof, run)?;
    for ((measure, side), claim) in claims() {
        run.checkpoint()?;
        if !is_met(&task.model, &question.within, measure, side, claim)? {
            return Err(rejected(format!("the moves do not lead to the claimed value of {}", measure.text)));
        }
    }
    Ok(())
}

/// Whether the zone after the moves of `claim` has the claimed value.
fn is_met(
    network: &Network,
    within: &Formula,
    measure: &Measure,
    side: Extreme,
    claim: &Extremum,
) -> Result<bool, CheckError> {
    if claim.value == ExtremeValue::Never {
        return Ok(true);
    }
    let mut moves = Moves::new(network);
    let (state, zones) = zones_after(network, &mut moves, &claim.path)?;
    let machine = moves.machine_at(&state);
    let cases = within.cases(machine).map_err(|error| failed(&error))?;
    if cases.iter().any(|case| case.deadlock.is_some()) {
        return Err(CheckError::Undecided("a question for a value speaks of deadlocks".into()));
    }
    let (row, expected) = match &measure.kind {
        MeasureKind::Clock(clock) => {
            let clock = machine.clock(clock).map_err(|error| failed(&error))?;
            (clock.index() + 1, limit(claim.value, side))
        }
        MeasureKind::Data(expr) => {
            let value = machine.value(expr).map_err(|error| failed(&error))?;
            if claim.value != ExtremeValue::Attained(value) {
                return Ok(false);
            }
            (0, Limit::new(0, false))
        }
    };
    let (left, right) = if side == Extreme::Supremum { (row, 0) } else { (0, row) };
    let parts = zones.iter().flat_map(|zone| {
        cases.iter().filter_map(|case| {
            let mut part = zone.clone();
            part.keep_all(&case.differences).then_some(part)
        })
    });
    Ok(parts.into_iter().any(|part| part.limit(left, right) == expected))
}

fn limit(value: ExtremeValue, side: Extreme) -> Limit {
    let signed = |value: i32| i64::from(if side == Extreme::Supremum { value } else { -value });
    match value {
        ExtremeValue::Attained(value) => Limit::new(signed(value), false),
        ExtremeValue::Approached(value) => Limit::new(signed(value), true),
        ExtremeValue::Never | ExtremeValue::Unbounded => Limit::NONE,
    }
}

/// The states that the moves of `path` lead to, with all delays.
fn zones_after(
    network: &Network,
    moves: &mut Moves<'_>,
    path: &[Participants],
) -> Result<(Discrete, Vec<Zone>), CheckError> {
    let mut state = network.initial();
    let origin = Zone::origin(network.clocks.indices().collect());
    let mut zones: Vec<Zone> = arrived(moves, &state, origin)?.into_iter().collect();
    for (index, participants) in path.iter().enumerate() {
        check_edges(network, index, participants)?;
        let situation = moves.situation(&state).map_err(|error| failed(&error))?;
        let guards = situation.moves.iter().filter(|step| step.participants == *participants);
        let guards: Vec<&Vec<Difference>> = guards.map(|step| &step.guard).collect();
        if guards.is_empty() {
            return Err(rejected(format!("step {index} is not possible")));
        }
        let (next, effects) = moves.fire(&state, participants).map_err(|error| failed(&error))?;
        let mut after = Vec::new();
        for (zone, guard) in zones.iter().flat_map(|zone| guards.iter().map(move |guard| (zone, guard))) {
            let mut zone = zone.clone();
            if zone.keep_all(guard.iter()) {
                after.extend(arrived(moves, &next, zone.after(&effects))?);
            }
        }
        after.truncate(MAX_ZONES);
        (state, zones) = (next, after);
    }
    Ok((state, zones))
}

/// A zone on arrival in `state`, then with all delays.
fn arrived(moves: &mut Moves<'_>, state: &Discrete, zone: Zone) -> Result<Option<Zone>, CheckError> {
    let invariant = moves.invariant(state).map_err(|error| failed(&error))?;
    let is_frozen = moves.is_frozen(state).map_err(|error| failed(&error))?;
    Ok(invariant.and_then(|invariant| settled(zone, &invariant, is_frozen)))
}
