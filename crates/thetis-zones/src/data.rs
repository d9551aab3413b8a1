//! Reachability that tracks only the variables that it needs.
//!
//! # Problem and method
//! Variables multiply the discrete states, but not all of them matter for a question. With `data=lazy` the search starts without any variable:
//! states that differ only in untracked variables are identified, and where something depends on such a variable, it may have any value of its
//! range ([`Moves::told_apart`]). If the target cannot be reached even then, it cannot be reached at all. If it can be reached, the moves to it
//! are replayed with the real values. Either they are possible and the run is found, or some value was a wrong guess; then that variable is
//! tracked from now on, and the search starts again. The same is done for run-time errors, which would otherwise be found in states that do not
//! exist.
//!
//! With `data=live`, states give the values of variables that may still be read ([`live`](crate::live)).
//!
//! # Termination
//! Each attempt tracks more variables than the one before. Variables with many values are tracked as soon as something depends on
//! them.

use thetis_base::{Run, Stop};
use thetis_model::xta::{Formula, LiveVariables, Moves, Network, RuntimeError, Symmetry, XtaProof, XtaTrace};
use thetis_model::{Evidence, Task, Verdict};

use crate::graph::{Abstraction, Extrapolation, Graph};
use crate::lazy::{LazySearch, Refinement};
use crate::live::live_variables;
use crate::search::{Found, Purpose, Trail, ZoneSearch};
use crate::symmetry::Exchangeable;
use crate::{
    AbstractionKind, DataKind, ExtrapolationKind, SymmetryKind, Zones, runtime_error, too_large, witness,
};

/// What a search tells apart.
struct Scope<'s> {
    target: &'s Formula,
    symmetries: &'s [Symmetry],
    live: Option<&'s LiveVariables>,
    tracked: Option<Vec<bool>>,
}

/// What one search has found.
struct Attempt {
    found: Found,
    proof: XtaProof,
    /// A variable whose value it needs.
    missing: Option<u32>,
}

impl Zones {
    pub(crate) fn reach(&mut self, task: &Task<Network>, run: &Run) -> Result<Verdict<Network>, Stop> {
        let (network, target) = (&task.model, task.property.target());
        let mut tracked = match self.config.data {
            DataKind::Lazy if !target.mentions_deadlock() => Some(vec![false; network.variables.len()]),
            DataKind::Lazy | DataKind::All | DataKind::Live => None,
        };
        let exchangeable = self.exchangeable(network, &target);
        let permuted = exchangeable.as_ref().map_or(&target, |exchangeable| &exchangeable.target);
        let mut live = match self.config.data {
            DataKind::Live => live_variables(network, permuted),
            DataKind::Lazy | DataKind::All => None,
        };
        let mut num_refinements = 0;
        loop {
            let scope = Scope {
                target: permuted,
                symmetries: exchangeable.as_ref().map_or(&[], |exchangeable| &exchangeable.symmetries),
                live: live.as_ref(),
                tracked: tracked.clone(),
            };
            let attempt = self.attempt(network, scope, run)?;
            if live.is_some() && matches!(attempt.found, Found::Error(RuntimeError::Unknown(_), _)) {
                live = None;
                continue;
            }
            if let Some(known) = &mut tracked
                && let Some(cell) = attempt.missing
                && !known[cell as usize]
            {
                num_refinements += 1;
                known[cell as usize] = true;
                continue;
            }
            self.stats.refinements += num_refinements;
            return Ok(match attempt.found {
                Found::Nothing => {
                    let tracked = tracked.map(|tracked| cells_of(&tracked));
                    Verdict::Safe(Evidence::Given(XtaProof { tracked, ..attempt.proof }))
                }
                Found::Target(trail) => match trace(network, &target, exchangeable.as_ref(), trail) {
                    Some(trace) => Verdict::Unsafe(Evidence::Given(trace)),
                    None => Verdict::Unsafe(Evidence::Missing("no times were found for the moves")),
                },
                Found::Error(error, _) => runtime_error(&error),
                Found::TooLarge => too_large(),
            });
        }
    }

    fn attempt(&mut self, network: &Network, scope: Scope<'_>, run: &Run) -> Result<Attempt, Stop> {
        let Scope { target, symmetries, live, tracked } = scope;
        let is_partial = tracked.is_some();
        let refinement = match self.config.abstraction {
            _ if target.mentions_deadlock() => None,
            AbstractionKind::Eager => None,
            AbstractionKind::LazyLu => Some(Refinement::Constants),
            AbstractionKind::LazyItp => Some(Refinement::Interpolants),
        };
        let abstraction = match refinement {
            Some(_) => Abstraction::active(network, target),
            None => self.eager_abstraction(network, target),
        };
        let graph = Graph::new(network, target, abstraction);
        let mut graph = graph.with_tracked(tracked).with_live(live).with_symmetries(symmetries);
        let (found, proof) = match refinement {
            Some(refinement) => {
                let mut search = LazySearch::new(&mut graph, self.config.search, refinement);
                let found = search.run(run);
                self.stats = search.stats();
                (found?, search.into_proof())
            }
            None => {
                let (order, passed) = (self.config.search, self.config.passed);
                let mut search = ZoneSearch::new(&mut graph, order, passed, Purpose::Find);
                let found = search.run(run);
                self.stats = search.stats();
                (found?, search.into_proof())
            }
        };
        let missing = if is_partial { missing(network, &graph, &found) } else { None };
        Ok(Attempt { found, proof, missing })
    }

    /// What may be permuted in a search about `target`, which must be an eager one with all variables.
    fn exchangeable(&self, network: &Network, target: &Formula) -> Option<Exchangeable> {
        let is_eager = self.config.abstraction == AbstractionKind::Eager || target.mentions_deadlock();
        let has_data = self.config.data != DataKind::Lazy || target.mentions_deadlock();
        let is_wanted = self.config.symmetry == SymmetryKind::Processes;
        let is_exact = self.config.extrapolation != ExtrapolationKind::Alu;
        (is_wanted && is_eager && is_exact && has_data).then(|| Exchangeable::new(network, target)).flatten()
    }

    /// How zones are made coarser by the eager search.
    fn eager_abstraction(&self, network: &Network, target: &Formula) -> Abstraction {
        match self.abstraction(network, target) {
            Abstraction::Bounds(table, _)
                if self.config.extrapolation == ExtrapolationKind::Alu && !target.mentions_deadlock() =>
            {
                Abstraction::Bounds(table, Extrapolation::Simulation)
            }
            other => other,
        }
    }
}

/// A run along `trail`.
fn trace(
    network: &Network,
    target: &Formula,
    exchangeable: Option<&Exchangeable>,
    trail: Trail,
) -> Option<XtaTrace> {
    match exchangeable {
        None => witness::reaching(network, target, &trail.moves),
        Some(exchangeable) => {
            let mut paths = exchangeable.paths(network, &trail);
            paths.find_map(|path| witness::reaching(network, target, &path))
        }
    }
}

fn cells_of(tracked: &[bool]) -> Vec<u32> {
    tracked.iter().zip(0..).filter(|(is_tracked, _)| **is_tracked).map(|(_, cell)| cell).collect()
}

/// A variable that has to be tracked because its value matters for what was found.
fn missing(network: &Network, graph: &Graph<'_>, found: &Found) -> Option<u32> {
    match found {
        Found::Error(RuntimeError::Unknown(cell), _) => Some(*cell),
        Found::Target(trail) | Found::Error(_, trail) => wrong_guess(network, graph, trail),
        Found::Nothing | Found::TooLarge => None,
    }
}

/// The first wrong guess on the way to a symbolic state; `None` if the real run goes the same way.
fn wrong_guess(network: &Network, graph: &Graph<'_>, trail: &Trail) -> Option<u32> {
    let mut moves = Moves::new(network);
    let mut state = network.initial();
    let mut numbers = trail.moves.iter();
    for group in &trail.groups {
        let wrong = network.wrong_cell(&graph.groups[*group as usize].state, &state);
        if wrong.is_some() {
            return wrong;
        }
        let Some(number) = numbers.next() else { break };
        let situation = moves.situation(&state).ok()?;
        let step = situation.moves.get(*number as usize)?;
        state = moves.fire(&state, &step.participants).ok()?.0;
    }
    None
}
