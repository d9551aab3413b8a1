//! From moves that a search has found to runs with exact times.
//!
//! The zones along the moves are computed once more, without abstraction, to determine which part of the last one is wanted; then
//! times for the moves are computed ([`timing`](crate::timing)).
//!
//! # Cycles
//! A cycle of moves that can be repeated for ever has *recurrent zones*: the states from which it can be repeated `n` times, for larger
//! and larger `n`, until that changes nothing any more. Each set is a zone, because the states from which a delay and a move lead into
//! a zone form a zone; and if clocks are compared only with constants, there are finitely many of them. The last one is the set of all
//! states from which the cycle can be repeated for ever.

use thetis_base::{Run, Stop};
use thetis_model::xta::{
    ClockId, Course, Difference, Forever, Formula, Network, Participants, RepeatedMove, XtaTrace, ZoneGroup,
};

use crate::dbm::Dbm;
use crate::descent::Endless;
use crate::graph::{Abstraction, Destination, Graph, keep_all};
use crate::timing::{Plan, RunPart, schedule};

/// How often a cycle is repeated before the search for its recurrent zones is given up.
const MAX_ROUNDS: u32 = 20_000;

/// A symbolic state reached by given moves, exactly.
pub(crate) struct Exact {
    pub(crate) group: u32,
    pub(crate) zone: Dbm,
}

/// A run along `path` to the target.
pub(crate) fn reaching(network: &Network, target: &Formula, path: &[u32]) -> Option<XtaTrace> {
    let mut graph = Graph::new(network, target, Abstraction::Exact);
    let Exact { group, zone } = follow(&mut graph, path)?;
    let part = graph.bad_parts(group, &zone).into_iter().next()?;
    let last = differences(&graph.groups[group as usize].clocks, &part);
    let plan = Plan { path, last: &last, part: None };
    Some(schedule(network, &plan).ok()??.trace)
}

/// The exact symbolic state after the moves of `path`.
pub(crate) fn follow(graph: &mut Graph<'_>, path: &[u32]) -> Option<Exact> {
    let (mut group, mut zone) = graph.initial().ok()??;
    for number in path {
        let steps = graph.steps(group);
        let step = steps.iter().find(|step| step.number == *number)?;
        let Destination::Group(target, _) = &step.outcome else { return None };
        (group, zone) = (*target, graph.successor(&zone, step)?);
    }
    Some(Exact { group, zone })
}

/// An endless run: what it satisfies, and the moves to the part that counts.
pub(crate) struct EndlessRun<'n> {
    pub(crate) network: &'n Network,
    /// What the first state of the part satisfies, and the moves to it; `None` if all of the run counts.
    pub(crate) start: Option<(&'n Formula, Vec<u32>)>,
    pub(crate) along: &'n Formula,
}

impl EndlessRun<'_> {
    /// A run with exact times.
    pub(crate) fn concrete(&self, endless: &Endless, run: &Run) -> Result<Option<XtaTrace>, Stop> {
        let nothing = Formula::Or(Vec::new());
        let (target, path) = match &self.start {
            Some((formula, path)) => (*formula, path.as_slice()),
            None => (&nothing, [].as_slice()),
        };
        let mut graph = Graph::new(self.network, target, Abstraction::Exact).with_along(self.along);
        let Some(before) = self.before(&mut graph, path) else { return Ok(None) };
        let starts = match &self.start {
            Some(_) => graph.bad_parts(before.group, &before.zone),
            None => vec![before.zone.clone()],
        };
        for start in starts {
            let trace = self.from(&mut graph, before.group, &start, path, endless, run)?;
            if trace.is_some() {
                return Ok(trace);
            }
        }
        Ok(None)
    }

    /// The symbolic state in which the part begins.
    fn before(&self, graph: &mut Graph<'_>, path: &[u32]) -> Option<Exact> {
        match &self.start {
            Some(_) => follow(graph, path),
            None => graph.start().ok().flatten().map(|(group, zone)| Exact { group, zone }),
        }
    }

    /// A run whose part begins in `start`.
    fn from(
        &self,
        graph: &mut Graph<'_>,
        group: u32,
        start: &Dbm,
        path: &[u32],
        endless: &Endless,
        run: &Run,
    ) -> Result<Option<XtaTrace>, Stop> {
        let (Endless::Stay(moves) | Endless::Repeat(moves, _)) = endless;
        let first = differences(&graph.groups[group as usize].clocks, start);
        let Some(mut zone) = graph.settled_within(group, start.clone()) else { return Ok(None) };
        let mut last = group;
        for number in moves {
            let Some((target, next)) = step_within(graph, last, &zone, *number) else { return Ok(None) };
            (last, zone) = (target, next);
        }
        let (wanted, course) = match endless {
            Endless::Stay(_) => (graph.ends(last, &zone).into_iter().next(), Course::Stay),
            Endless::Repeat(_, cycle) => {
                let Some(course) = recurrent(graph, self.network, last, cycle, run)? else { return Ok(None) };
                let is_met = keep_all(&mut zone, &course.head.constraints());
                (is_met.then_some(zone), Course::Repeat(course.moves))
            }
        };
        let Some(wanted) = wanted else { return Ok(None) };
        let whole: Vec<u32> = path.iter().chain(moves).copied().collect();
        let clocks = &graph.groups[last as usize].clocks;
        let start = self.start.as_ref().map(|_| first.as_slice());
        let part = RunPart { moves: path.len(), start, along: self.along };
        let plan = Plan { path: &whole, last: &differences(clocks, &wanted), part: Some(part) };
        let scheduled = schedule(self.network, &plan).ok().flatten();
        Ok(scheduled.map(|scheduled| {
            let forever = Some(Forever { since: scheduled.since, course });
            XtaTrace { forever, ..scheduled.trace }
        }))
    }
}

/// A cycle of moves that can be repeated for ever.
struct Cycle {
    /// The states from which it can.
    head: Dbm,
    moves: Vec<RepeatedMove>,
}

fn step_within(graph: &mut Graph<'_>, group: u32, zone: &Dbm, number: u32) -> Option<(u32, Dbm)> {
    let steps = graph.steps(group);
    let step = steps.iter().find(|step| step.number == number)?;
    let Destination::Group(target, _) = &step.outcome else { return None };
    Some((*target, graph.successor_within(zone, step)?))
}

/// The recurrent zones of `cycle`, which starts in `start`.
fn recurrent(
    graph: &mut Graph<'_>,
    network: &Network,
    start: u32,
    cycle: &[u32],
    run: &Run,
) -> Result<Option<Cycle>, Stop> {
    let Some(groups) = groups_along(graph, start, cycle) else { return Ok(None) };
    let Some(mut head) = graph.all_within(start) else { return Ok(None) };
    for _ in 0..MAX_ROUNDS {
        run.checkpoint()?;
        let mut zones = vec![head.clone()];
        for (group, number) in groups.iter().zip(cycle).rev() {
            let steps = graph.steps(*group);
            let step = steps.iter().find(|step| step.number == *number);
            let target = zones.last().expect("there should be a zone after the move");
            let before = step.and_then(|step| graph.before_within(*group, step, target));
            let Some(before) = before else { return Ok(None) };
            zones.push(before);
        }
        zones.reverse();
        if zones[0] == head {
            return Ok(moves_of(graph, network, &groups, &zones, cycle).map(|moves| Cycle { head, moves }));
        }
        head = zones.swap_remove(0);
    }
    Ok(None)
}

/// The groups in which the moves of `cycle` start; `None` if it does not return.
fn groups_along(graph: &mut Graph<'_>, start: u32, cycle: &[u32]) -> Option<Vec<u32>> {
    let mut groups = Vec::with_capacity(cycle.len());
    let mut group = start;
    for number in cycle {
        groups.push(group);
        let steps = graph.steps(group);
        let step = steps.iter().find(|step| step.number == *number)?;
        let Destination::Group(target, _) = &step.outcome else { return None };
        group = *target;
    }
    (group == start && !cycle.is_empty()).then_some(groups)
}

fn moves_of(
    graph: &mut Graph<'_>,
    network: &Network,
    groups: &[u32],
    zones: &[Dbm],
    cycle: &[u32],
) -> Option<Vec<RepeatedMove>> {
    let states = groups.iter().map(|group| &graph.groups[*group as usize]);
    let mut list = Vec::with_capacity(cycle.len());
    for ((group, zone), number) in states.zip(zones).zip(cycle) {
        let from = ZoneGroup {
            state: group.state.clone(),
            clocks: group.clocks.clone(),
            zones: zone.cells().to_vec(),
        };
        list.push(RepeatedMove { participants: participants(network, &from, *number)?, from });
    }
    Some(list)
}

fn participants(network: &Network, from: &ZoneGroup, number: u32) -> Option<Participants> {
    let situation = thetis_model::xta::Moves::new(network).situation(&from.state).ok()?;
    Some(situation.moves.get(number as usize)?.participants.clone())
}

/// The bounds of a zone as constraints on clocks.
pub(crate) fn differences(clocks: &[ClockId], zone: &Dbm) -> Vec<Difference> {
    let clock = |row: u16| row.checked_sub(1).map(|row| clocks[usize::from(row)]);
    let difference = |(row, column, bound): (u16, u16, i32)| Difference {
        left: clock(row),
        right: clock(column),
        limit: bound >> 1,
        is_strict: bound & 1 == 0,
    };
    zone.constraints().into_iter().map(difference).collect()
}
