//! The loop: abstract, look for a counterexample, refine (Algorithms 2, 3 and 5 of document 001).

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Event, Run, Statistics, Stop};
use thetis_expr::ExprId;
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace, EdgeId, LocId};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{CoreSolver, Eliminator};

use crate::abstractor::{ArgOf, StopAt, explore};
use crate::analysis::Domain;
use crate::arg::{Arg, NodeId};
use crate::config::{CegarConfig, Prune, Refinement};
use crate::interpolate::Tools;
use crate::located::{Located, Precisions};
use crate::precision::Learn;
use crate::program::{Action, Program};
use crate::refine::{Refined, first_refined, refine};

/// One run of the loop.
pub(crate) struct Loop<'t, D: Domain<Action>, L> {
    pub(crate) task: &'t Task<Cfa>,
    pub(crate) config: &'t CegarConfig,
    pub(crate) program: Rc<Program>,
    pub(crate) analysis: Located<'t, D>,
    pub(crate) learn: L,
    pub(crate) precision: Precisions<D::Precision>,
    pub(crate) solver: Box<dyn CoreSolver>,
    pub(crate) eliminator: Rc<dyn Eliminator>,
    pub(crate) stats: LoopStats,
}

/// What the loop has counted.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct LoopStats {
    iterations: u64,
    nodes: u64,
}

impl LoopStats {
    pub(crate) fn report(&self) -> Statistics {
        Statistics::new("cegar").count("iterations", self.iterations).count("nodes", self.nodes)
    }
}

/// A spurious counterexample: its nodes and the formulas at them.
struct Spurious {
    nodes: Vec<NodeId>,
    formulas: Vec<ExprId>,
    /// The first point that says something.
    point: usize,
}

/// Watches for counterexamples that come back although nothing more is tracked. The graph may still have been built
/// with less, so the first time it is built anew; the second time there is no progress.
#[derive(Default)]
struct Monitor {
    seen: FxHashMap<Vec<EdgeId>, u32>,
}

/// Whether the loop can go on.
enum Progress {
    Possible,
    Restart,
    None,
}

impl Monitor {
    fn see(&mut self, is_precision_old: bool, path: Vec<EdgeId>) -> Progress {
        if !is_precision_old {
            self.seen.clear();
        }
        let times = self.seen.entry(path).or_default();
        *times += 1;
        match times {
            1 => Progress::Possible,
            2 => Progress::Restart,
            _ => Progress::None,
        }
    }
}

fn edges_to<S>(arg: &Arg<S, EdgeId>, target: NodeId) -> Vec<EdgeId> {
    arg.path(target).iter().filter_map(|node| arg.node(*node).parent.map(|(_, edge)| edge)).collect()
}

/// What came of all counterexamples of one iteration.
enum Outcome {
    Run(CfaTrace),
    Spurious(Vec<Spurious>),
    Failed(String),
}

impl<D: Domain<Action>, L: Learn<D::Precision>> Loop<'_, D, L> {
    pub(crate) fn run(&mut self, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let mut arg: ArgOf<Located<'_, D>> = Arg::default();
        let stop_at =
            if self.config.refinement == Refinement::MultiSeq { StopAt::All } else { StopAt::First };
        let mut monitor = Monitor::default();
        loop {
            self.stats.iterations += 1;
            let targets =
                explore(&mut self.analysis, &mut arg, &self.precision, self.config.search, stop_at, run)?;
            self.stats.nodes = arg.len() as u64;
            run.emit(Event::Note(format!("iteration {}: {} nodes", self.stats.iterations, self.stats.nodes)));
            if targets.is_empty() {
                let invariants = CfaProof::invariants(self.analysis.invariants(&arg));
                return Ok(Verdict::Safe(Evidence::Given(invariants)));
            }
            let before = self.precision.clone();
            match self.look_at(&arg, &targets, run)? {
                Outcome::Run(trace) => return Ok(Verdict::Unsafe(Evidence::Given(trace))),
                Outcome::Failed(words) => return Ok(Verdict::Unknown(Reason::Incomplete(words))),
                Outcome::Spurious(all) => {
                    let first = edges_to(&arg, targets[0]);
                    self.apply(&mut arg, all);
                    match monitor.see(self.precision == before, first) {
                        Progress::Possible => {}
                        Progress::Restart => arg.clear(),
                        Progress::None => {
                            let words =
                                "no progress: a spurious counterexample comes back, whatever is tracked";
                            return Ok(Verdict::Unknown(Reason::Incomplete(words.into())));
                        }
                    }
                }
            }
        }
    }

    fn look_at(
        &mut self,
        arg: &ArgOf<Located<'_, D>>,
        targets: &[NodeId],
        run: &Run,
    ) -> Result<Outcome, Stop> {
        let mut spurious = Vec::new();
        for target in targets {
            let nodes = arg.path(*target);
            let edges = edges_to(arg, *target);
            let mut tools = Tools {
                store: &self.task.store,
                program: &self.program,
                solver: &mut *self.solver,
                eliminator: &*self.eliminator,
            };
            match refine(self.task, &edges, self.config.refinement, &mut tools, run)? {
                Refined::Feasible(trace) => return Ok(Outcome::Run(trace)),
                Refined::Failed(words) => return Ok(Outcome::Failed(words)),
                Refined::Spurious(formulas) => {
                    let Some(point) = first_refined(&self.task.store, &formulas) else {
                        return Ok(Outcome::Failed("an edge is impossible in itself but was taken".into()));
                    };
                    spurious.push(Spurious { nodes, formulas, point });
                }
            }
        }
        Ok(Outcome::Spurious(spurious))
    }

    /// Refines what no other counterexample refines earlier on the same path, and prunes.
    fn apply(&mut self, arg: &mut ArgOf<Located<'_, D>>, all: Vec<Spurious>) {
        let firsts: Vec<NodeId> = all.iter().map(|spurious| spurious.nodes[spurious.point]).collect();
        for spurious in &all {
            let ancestors = &spurious.nodes[..spurious.point];
            if ancestors.iter().any(|node| firsts.contains(node)) {
                continue;
            }
            for (node, formula) in spurious.nodes.iter().zip(&spurious.formulas) {
                if !self.task.store.is_literal(*formula) {
                    let location: LocId = arg.node(*node).state.location;
                    self.learn.learn(self.precision.at_mut(location), *formula);
                }
            }
        }
        for first in firsts {
            match self.config.prune {
                Prune::Lazy if !arg.is_empty() => drop(arg.prune(first)),
                _ => arg.clear(),
            }
        }
    }
}
