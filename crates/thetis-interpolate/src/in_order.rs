//! Several interpolators, one after the other.

use thetis_base::{Run, Statistics, Stop, Stopwatch};
use thetis_expr::{ExprId, Store};
use thetis_solver::{Chain, CoreSolver, Interpolator};

use crate::verify;

/// Interpolators in the order in which they are tried. Each result is verified before it is used; if it is wrong or
/// missing, the next interpolator is tried.
pub struct InOrder {
    interpolators: Vec<Asked>,
    solver: Box<dyn CoreSolver>,
}

struct Asked {
    interpolator: Box<dyn Interpolator>,
    sees: Sees,
    stats: InterpolatorStats,
}

/// Which part of a chain an interpolator sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// All of it.
    Whole,
    /// Only the conditions of a minimal core; see [`slice`](crate::slice).
    Core,
}

/// Statistics of one interpolator.
#[derive(Clone, Copy, Default, Debug)]
pub struct InterpolatorStats {
    /// How many chains it saw.
    pub asked: u64,
    /// For how many its formulas were correct.
    pub solved: u64,
    /// For how many its formulas were rejected.
    pub rejected: u64,
    /// How long it took, without verification.
    pub time: Stopwatch,
}

impl InOrder {
    /// The interpolators in order; `solver` verifies and has no assertions.
    pub fn new(interpolators: Vec<(Box<dyn Interpolator>, Sees)>, solver: Box<dyn CoreSolver>) -> InOrder {
        let interpolators = interpolators.into_iter().map(|(interpolator, sees)| Asked {
            interpolator,
            sees,
            stats: InterpolatorStats::default(),
        });
        InOrder { interpolators: interpolators.collect(), solver }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.interpolators.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.interpolators.is_empty()
    }

    /// The verified formulas of the first interpolator that finds any, from number `first` on, cyclically. `reduce`
    /// removes from the chain what its contradiction does not need; it is called at most once.
    pub fn interpolate_from(
        &mut self,
        first: usize,
        store: &Store,
        chain: &Chain,
        mut reduce: impl FnMut() -> Result<Chain, Stop>,
        run: &Run,
    ) -> Result<Option<Vec<ExprId>>, Stop> {
        let mut core = None;
        for number in 0..self.len() {
            run.checkpoint()?;
            let position = (first + number) % self.len();
            let Asked { interpolator, sees, stats } = &mut self.interpolators[position];
            let chain = match (*sees, &core) {
                (Sees::Whole, _) => chain,
                (Sees::Core, Some(core)) => core,
                (Sees::Core, None) => core.insert(reduce()?),
            };
            stats.asked += 1;
            let mut time = stats.time;
            let found = time.time(|| interpolator.interpolate(store, chain, run));
            stats.time = time;
            let Some(formulas) = found? else { continue };
            if verify(store, chain, &formulas, &mut *self.solver, run)? {
                stats.solved += 1;
                return Ok(Some(formulas));
            }
            stats.rejected += 1;
        }
        Ok(None)
    }

    /// Each interpolator with what it has counted.
    pub fn stats(&self) -> impl Iterator<Item = (&'static str, InterpolatorStats)> {
        self.interpolators.iter().map(|asked| (asked.interpolator.name(), asked.stats))
    }

    /// The statistics of all that were tried.
    pub fn statistics(&self) -> Statistics {
        let asked = self.stats().filter(|(_, stats)| stats.asked > 0);
        asked.fold(Statistics::new("interpolators"), |all, (name, stats)| {
            all.part(
                Statistics::new(name)
                    .count("asked", stats.asked)
                    .count("solved", stats.solved)
                    .count("rejected", stats.rejected)
                    .time("time", stats.time.total()),
            )
        })
    }
}

/// All interpolators see the chain as it is given.
impl Interpolator for InOrder {
    fn name(&self) -> &'static str {
        "in-order"
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        self.interpolate_from(0, store, chain, || Ok(chain.clone()), run)
    }
}
