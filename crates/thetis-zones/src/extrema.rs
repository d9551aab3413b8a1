//! The largest and smallest values of clocks and integers: `sup`, `inf` and `bounds`.
//!
//! # Method
//! All reachable zones are explored, and the bounds of each that counts are compared. Abstraction forgets how large a clock is beyond the
//! constants that it is compared with, so every clock that is asked for gets a *threshold* as one more constant: up to it, bounds are
//! exact. If some zone goes beyond the threshold, the exploration is repeated with a larger one, unless the moves to such a zone let the
//! clock grow for ever, in which case the clock is unbounded.
//!
//! # Incompleteness
//! If a clock grows without bound, but only through more and more moves, there is no such zone, and the number of zones grows with the
//! threshold. If it grows too fast, the answer is `Unknown`.

use thetis_base::{Run, Stop};
use thetis_model::xta::{
    Extrema, Extreme, ExtremeValue, Extremum, Formula, Machine, Measure, MeasureKind, Moves, Network,
    Participants, Relation, RuntimeError, XtaProof,
};
use thetis_model::{Evidence, Reason, Verdict};

use crate::dbm::{Dbm, UNBOUNDED};
use crate::graph::{Abstraction, Graph, Group};
use crate::search::{Explored, Found, Purpose, ZoneSearch};
use crate::witness::follow;
use crate::{Zones, runtime_error, too_large};

/// The first threshold.
const FIRST_THRESHOLD: i32 = 64;

/// The factor from one threshold to the next.
const THRESHOLD_FACTOR: i32 = 16;

/// Beyond this, clocks are given up.
const LAST_THRESHOLD: i32 = 1 << 22;

/// If a larger threshold leads to this many times as many zones, the search gives up.
const MAX_GROWTH: u64 = 4;

/// How many zones beyond the threshold are tried for one that lets a clock grow for ever.
const MAX_CANDIDATES: usize = 50;

/// The most extreme value of a measure among zones, as a number that grows with the extremity of the value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Rank {
    /// Twice the limit, and one more if it is attained; of the negated value if the infimum is asked for.
    Limit(i64),
    /// Beyond the threshold, for a supremum.
    Beyond,
}

/// What is known about a claim so far.
#[derive(Default)]
struct Best {
    rank: Option<Rank>,
    /// The nodes with it: one, or several beyond the threshold.
    nodes: Vec<u32>,
}

impl Zones {
    /// Computes the values that `question` asks for.
    pub(crate) fn measure(
        &mut self,
        network: &Network,
        question: &Extrema,
        run: &Run,
    ) -> Result<Verdict<Network>, Stop> {
        let mut threshold = FIRST_THRESHOLD;
        let mut most = u64::MAX;
        loop {
            let formula = with_threshold(question, threshold);
            let abstraction = self.abstraction(network, &formula);
            let mut graph = Graph::new(network, &question.within, abstraction);
            let mut search =
                ZoneSearch::new(&mut graph, self.config.search, self.config.passed, Purpose::Explore);
            let found = search.run(run);
            self.stats = search.stats();
            match found? {
                Found::Error(error, _) => return Ok(runtime_error(&error)),
                Found::TooLarge => return Ok(too_large()),
                Found::Nothing | Found::Target(_) => {}
            }
            let explored = search.into_explored();
            let claims = match claims(network, question, &explored, &mut graph, threshold) {
                Ok(claims) => claims,
                Err(error) => return Ok(runtime_error(&error)),
            };
            if let Some(extrema) = claims {
                let groups = explored.into_groups(&graph);
                let proof = XtaProof { groups, extrema, ..XtaProof::default() };
                return Ok(Verdict::Safe(Evidence::Given(proof)));
            }
            if threshold >= LAST_THRESHOLD || self.stats.stored > most {
                let reason = format!("a clock grows beyond {threshold} by ever more moves");
                return Ok(Verdict::Unknown(Reason::Incomplete(reason)));
            }
            threshold *= THRESHOLD_FACTOR;
            most = MAX_GROWTH * self.stats.stored;
        }
    }
}

/// A formula that makes the threshold a constant of each clock that is asked for.
fn with_threshold(question: &Extrema, threshold: i32) -> Formula {
    let clocks = question.measures.iter().filter(|measure| measure.is_clock());
    let compared = clocks.map(|measure| measure.kind.compared(Relation::LessEqual, threshold));
    Formula::And(std::iter::once(question.within.clone()).chain(compared).collect())
}

/// The values; `None` if the threshold is too small.
fn claims(
    network: &Network,
    question: &Extrema,
    explored: &Explored,
    graph: &mut Graph<'_>,
    threshold: i32,
) -> Result<Option<Vec<Extremum>>, RuntimeError> {
    let mut best: Vec<Best> = question.claims().map(|_| Best::default()).collect();
    let mut machine = Machine::new(network);
    for (group, zone, node) in explored.states(graph) {
        for part in graph.bad_parts(group, &zone) {
            let group = &graph.groups[group as usize];
            for (best, (measure, side)) in best.iter_mut().zip(question.claims()) {
                best.add(rank(group, &part, measure, side, &mut machine)?, node);
            }
        }
    }
    let mut list = Vec::new();
    for (best, (measure, side)) in best.iter().zip(question.claims()) {
        let paths = best.nodes.iter().map(|node| explored.path(graph, *node)).collect::<Vec<_>>();
        let extremum = extremum(network, &question.within, measure, side, best.rank, &paths)?;
        let is_vague = |extremum: &Extremum| side == Extreme::Infimum && extremum.value.is_from(threshold);
        match extremum {
            Some(extremum) if !(measure.is_clock() && is_vague(&extremum)) => list.push(extremum),
            _ => return Ok(None),
        }
    }
    Ok(Some(list))
}

impl Best {
    fn add(&mut self, rank: Rank, node: u32) {
        if self.rank < Some(rank) {
            self.rank = Some(rank);
            self.nodes.clear();
        }
        let most = if rank == Rank::Beyond { MAX_CANDIDATES } else { 1 };
        if self.rank == Some(rank) && self.nodes.len() < most {
            self.nodes.push(node);
        }
    }
}

fn rank(
    group: &Group,
    zone: &Dbm,
    measure: &Measure,
    side: Extreme,
    machine: &mut Machine<'_>,
) -> Result<Rank, RuntimeError> {
    machine.load(&group.state);
    let row = match &measure.kind {
        MeasureKind::Clock(clock) => usize::from(group.row(Some(machine.clock(clock)?))),
        MeasureKind::Data(expr) => {
            let value = i64::from(machine.value(expr)?);
            let value = if side == Extreme::Supremum { value } else { -value };
            return Ok(Rank::Limit(2 * value + 1));
        }
    };
    Ok(match (side, zone.get(row, 0)) {
        (Extreme::Infimum, _) => Rank::Limit(i64::from(zone.get(0, row))),
        (Extreme::Supremum, UNBOUNDED) => Rank::Beyond,
        (Extreme::Supremum, bound) => Rank::Limit(i64::from(bound)),
    })
}

/// The claim about a measure, with the moves to a zone that has it; `None` if the threshold is too small.
fn extremum(
    network: &Network,
    within: &Formula,
    measure: &Measure,
    side: Extreme,
    rank: Option<Rank>,
    paths: &[Vec<u32>],
) -> Result<Option<Extremum>, RuntimeError> {
    let value = match rank {
        None => return Ok(Some(Extremum { value: ExtremeValue::Never, path: Vec::new() })),
        Some(Rank::Limit(bound)) => {
            let limit = (bound >> 1) as i32;
            let limit = if side == Extreme::Supremum { limit } else { -limit };
            match bound & 1 {
                1 => ExtremeValue::Attained(limit),
                _ => ExtremeValue::Approached(limit),
            }
        }
        Some(Rank::Beyond) => {
            let path = paths.iter().find(|path| grows_for_ever(network, within, measure, path));
            let Some(path) = path else { return Ok(None) };
            let path = participants(network, path)?;
            return Ok(Some(Extremum { value: ExtremeValue::Unbounded, path }));
        }
    };
    let path = paths.first().map_or(&[][..], Vec::as_slice);
    Ok(Some(Extremum { value, path: participants(network, path)? }))
}

/// Whether a clock has no upper bound in the exact zone after the moves of `path`.
fn grows_for_ever(network: &Network, within: &Formula, measure: &Measure, path: &[u32]) -> bool {
    let mut graph = Graph::new(network, within, Abstraction::Exact);
    let Some(exact) = follow(&mut graph, path) else { return false };
    let parts = graph.bad_parts(exact.group, &exact.zone);
    let group = &graph.groups[exact.group as usize];
    let MeasureKind::Clock(clock) = &measure.kind else { return false };
    let mut machine = Machine::new(network);
    machine.load(&group.state);
    let Ok(clock) = machine.clock(clock) else { return false };
    let row = usize::from(group.row(Some(clock)));
    parts.iter().any(|part| part.get(row, 0) == UNBOUNDED)
}

fn participants(network: &Network, path: &[u32]) -> Result<Vec<Participants>, RuntimeError> {
    let mut moves = Moves::new(network);
    let mut state = network.initial();
    let mut list = Vec::with_capacity(path.len());
    for number in path {
        let mut situation = moves.situation(&state)?;
        let taken = situation.moves.swap_remove(*number as usize).participants;
        state = moves.fire(&state, &taken)?.0;
        list.push(taken);
    }
    Ok(list)
}
