//! Questions about liveness: `E[]`, `A<>` and `-->`.
//!
//! For `E[]` and `A<>` the whole run counts, and the search starts in the initial state. For `p --> q` the reachable states are
//! explored first; from each stored zone, the states with `p` and without `q` are starts.

use thetis_base::{Run, Stop};
use thetis_model::xta::{Formula, Network, XtaProof};
use thetis_model::{Evidence, Reason, Verdict};

use crate::bounds::Distinction;
use crate::dbm::Dbm;
use crate::descent::{Descent, Endless, Obstacle};
use crate::graph::Graph;
use crate::search::{Explored, Found, Purpose, ZoneSearch};
use crate::witness::EndlessRun;
use crate::{Zones, runtime_error, too_large};

impl Zones {
    /// Looks for a maximal run of the kind that `question` describes.
    pub(crate) fn live(
        &mut self,
        network: &Network,
        question: &thetis_model::xta::Endless,
        run: &Run,
    ) -> Result<Verdict<Network>, Stop> {
        let nothing = Formula::Or(Vec::new());
        let start = question.start.as_ref().unwrap_or(&nothing);
        let both = Formula::And(vec![start.clone(), question.along.clone()]);
        let abstraction = self.abstraction_by(network, &both, Distinction::Maximum);
        let mut graph = Graph::new(network, start, abstraction).with_along(&question.along);
        match &question.start {
            None => self.live_from_start(network, &question.along, &mut graph, run),
            Some(_) => self.live_from_everywhere(network, start, &question.along, &mut graph, run),
        }
    }

    fn live_from_start(
        &mut self,
        network: &Network,
        along: &Formula,
        graph: &mut Graph<'_>,
        run: &Run,
    ) -> Result<Verdict<Network>, Stop> {
        let (group, zone) = match graph.start() {
            Ok(Some(start)) => start,
            Ok(None) => return Ok(runtime_error(&thetis_model::xta::RuntimeError::BadStart)),
            Err(error) => return Ok(runtime_error(&error)),
        };
        let mut descent = Descent::default();
        descent.note_split(graph, group);
        if let Some(zone) = graph.settled_within(group, zone) {
            let found = descent.search(graph, group, zone, run);
            self.stats.visited = descent.num_entered;
            if let Some(endless) = found? {
                return found_run(&EndlessRun { network, start: None, along }, &endless, run);
            }
        }
        Ok(self.without_run(descent, Vec::new(), graph))
    }

    fn live_from_everywhere(
        &mut self,
        network: &Network,
        start: &Formula,
        along: &Formula,
        graph: &mut Graph<'_>,
        run: &Run,
    ) -> Result<Verdict<Network>, Stop> {
        let mut search = ZoneSearch::new(graph, self.config.search, self.config.passed, Purpose::Explore);
        let found = search.run(run);
        self.stats = search.stats();
        let mut obstacle = match found? {
            Found::Error(error, _) => Some(Obstacle::Error(error)),
            Found::TooLarge => return Ok(too_large()),
            Found::Nothing | Found::Target(_) => None,
        };
        let explored = search.into_explored();
        let mut descent = Descent::default();
        for (group, part, node) in starts(&explored, graph) {
            descent.note_split(graph, group);
            let Some(zone) = graph.settled_within(group, part) else { continue };
            let found = descent.search(graph, group, zone, run);
            self.stats.visited += std::mem::take(&mut descent.num_entered);
            if let Some(endless) = found? {
                let path = explored.path(graph, node);
                return found_run(&EndlessRun { network, start: Some((start, path)), along }, &endless, run);
            }
        }
        descent.obstacle = descent.obstacle.or_else(|| obstacle.take());
        Ok(self.without_run(descent, explored.into_groups(graph), graph))
    }

    /// The answer after a search without a result.
    fn without_run(
        &mut self,
        descent: Descent,
        groups: Vec<thetis_model::xta::ZoneGroup>,
        graph: &Graph<'_>,
    ) -> Verdict<Network> {
        match &descent.obstacle {
            Some(Obstacle::Error(error)) => return runtime_error(error),
            Some(Obstacle::TooLarge) => return too_large(),
            Some(Obstacle::Split) => {
                let reason = "in some discrete state, the condition of the query is not one zone";
                return Verdict::Unknown(Reason::Incomplete(reason.into()));
            }
            None => {}
        }
        let proof = XtaProof { groups, descent: descent.into_ranked(graph), ..XtaProof::default() };
        self.stats.stored += proof.descent.iter().map(|ranked| ranked.ranks.len() as u64).sum::<u64>();
        Verdict::Safe(Evidence::Given(proof))
    }
}

/// The parts of stored zones in which the part of a run that counts may begin.
fn starts(explored: &Explored, graph: &mut Graph<'_>) -> Vec<(u32, Dbm, u32)> {
    let mut list = Vec::new();
    for (group, zone, node) in explored.states(graph) {
        let parts = graph.bad_parts(group, &zone);
        list.extend(parts.into_iter().map(|part| (group, part, node)));
    }
    list
}

fn found_run(described: &EndlessRun<'_>, endless: &Endless, run: &Run) -> Result<Verdict<Network>, Stop> {
    Ok(Verdict::Unsafe(match described.concrete(endless, run)? {
        Some(trace) => Evidence::Given(trace),
        None => Evidence::Missing("no times were found for the endless run"),
    }))
}
