//! Refinement: from a spurious counterexample to formulas at its points.
//!
//! | strategy | formulas at |
//! |---|---|
//! | `seq-itp`, `multi-seq`, `unsat-core` | every point |
//! | `fw-bin-itp` | the end of the longest feasible prefix |
//! | `bw-bin-itp` | the start of the longest feasible suffix |
//! | `min-prune`, `max-prune` | that of the two binary ones which is closer to the start, to the error |
//!
//! All are weakest preconditions of parts of the path. Other points have `true` before and `false` behind.

use std::cmp::Ordering;

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, EdgeId};

use crate::config::Refinement;
use crate::interpolate::{self, Tools};
use crate::path::{Conjunct, Feasibility, Path};

/// What became of a counterexample.
pub(crate) enum Refined {
    /// It is a run.
    Feasible(CfaTrace),
    /// It is none: a formula for each point of the path, before its first edge to behind its last.
    Spurious(Vec<ExprId>),
    /// It could not be decided or refined.
    Failed(String),
}

/// Decides about the path of `edges` and refines it if it is spurious.
pub(crate) fn refine(
    task: &Task<Cfa>,
    edges: &[EdgeId],
    strategy: Refinement,
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Refined, Stop> {
    let path = Path::new(task, tools.program, edges);
    let core = match path.check(tools.solver, run)? {
        Feasibility::Feasible(trace) => return Ok(Refined::Feasible(trace)),
        Feasibility::Unknown(words) => return Ok(Refined::Failed(words)),
        Feasibility::Infeasible(core) => core,
    };
    let formulas = match strategy {
        Refinement::SeqItp | Refinement::MultiSeq | Refinement::UnsatCore => {
            interpolate::sequence(&path, &core, tools, run)?
        }
        Refinement::FwBinItp => forward(task, edges, tools, run)?,
        Refinement::BwBinItp => backward(task, edges, tools, run)?,
        Refinement::MinPrune | Refinement::MaxPrune => {
            let forward = forward(task, edges, tools, run)?;
            let backward = backward(task, edges, tools, run)?;
            pick(tools.store, strategy, forward, backward)
        }
    };
    Ok(match formulas {
        Some(formulas) => Refined::Spurious(formulas),
        None => Refined::Failed("no interpolant was found for a spurious counterexample".into()),
    })
}

/// The first point whose formula says something.
pub(crate) fn first_refined(store: &Store, formulas: &[ExprId]) -> Option<usize> {
    formulas.iter().position(|formula| !store.is_literal(*formula))
}

/// The interpolant where the longest feasible prefix ends: what the next edge contradicts.
fn forward(
    task: &Task<Cfa>,
    edges: &[EdgeId],
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Option<Vec<ExprId>>, Stop> {
    let mut end = 0;
    while end + 1 < edges.len() && infeasible_core(task, &edges[..=end], tools, run)?.is_none() {
        end += 1;
    }
    let step = Path::new(task, tools.program, &edges[end..=end]);
    let num_conjuncts = tools.program.actions[edges[end]].conjuncts.len();
    let all: Vec<Conjunct> = (0..num_conjuncts).map(|number| Conjunct { step: 0, number }).collect();
    let formulas = interpolate::steps(&step, &all, tools, run)?;
    Ok(formulas.map(|formulas| binary(tools.store, edges.len(), end, formulas[0])))
}

/// The interpolant where the longest feasible suffix starts: what the edge before contradicts.
fn backward(
    task: &Task<Cfa>,
    edges: &[EdgeId],
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Option<Vec<ExprId>>, Stop> {
    for start in (0..edges.len()).rev() {
        if let Some(core) = infeasible_core(task, &edges[start..], tools, run)? {
            let suffix = Path::new(task, tools.program, &edges[start..]);
            let formulas = interpolate::steps(&suffix, &core, tools, run)?;
            return Ok(formulas.map(|formulas| binary(tools.store, edges.len(), start + 1, formulas[1])));
        }
    }
    Ok(None)
}

fn infeasible_core(
    task: &Task<Cfa>,
    edges: &[EdgeId],
    tools: &mut Tools<'_>,
    run: &Run,
) -> Result<Option<Vec<Conjunct>>, Stop> {
    match Path::new(task, tools.program, edges).check(tools.solver, run)? {
        Feasibility::Infeasible(core) => Ok(Some(core)),
        _ => Ok(None),
    }
}

/// `true` before `point`, `formula` there, `false` behind.
fn binary(store: &Store, num_edges: usize, point: usize, formula: ExprId) -> Vec<ExprId> {
    let at = |other: usize| match other.cmp(&point) {
        Ordering::Less => store.tru(),
        Ordering::Equal => formula,
        Ordering::Greater => store.fals(),
    };
    (0..=num_edges).map(at).collect()
}

fn pick(
    store: &Store,
    strategy: Refinement,
    forward: Option<Vec<ExprId>>,
    backward: Option<Vec<ExprId>>,
) -> Option<Vec<ExprId>> {
    let (Some(forward), Some(backward)) = (&forward, &backward) else { return forward.or(backward) };
    let point = |formulas: &[ExprId]| first_refined(store, formulas).unwrap_or(usize::MAX);
    let forward_is_first = point(forward) <= point(backward);
    let wants_first = strategy == Refinement::MinPrune;
    Some(if forward_is_first == wants_first { forward.clone() } else { backward.clone() })
}
