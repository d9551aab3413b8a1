//! Several interpolators, one after the other.

use thetis_base::{Run, Statistics, Stop, Stopwatch};
use thetis_expr::{ExprId, Store};
use thetis_solver::{Chain, CoreSolver, Interpolator};

use crate::verify;

/// Interpolators in the order in which they are asked. What one gives is verified before it is used; what is not right,
/// or not there, is left to the next.
pub struct InOrder {
    interpolators: Vec<Asked>,
    solver: Box<dyn CoreSolver>,
}

struct Asked {
    interpolator: Box<dyn Interpolator>,
    sees: Sees,
    stats: InterpolatorStats,
}

/// What an interpolator is shown of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sees {
    /// All of it.
    Whole,
    /// Only the conditions of a minimal core; see [`slice`](crate::slice).
    Core,
}

/// What became of the questions to one interpolator.
#[derive(Clone, Copy, Default, Debug)]
pub struct InterpolatorStats {
    /// How many chains it saw.
    pub asked: u64,
    /// For how many it gave formulas that were right.
    pub solved: u64,
    /// For how many its formulas were not accepted.
    pub rejected: u64,
    /// How long it took, verification aside.
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

    /// The verified formulas of the first interpolator, from number `first` on and then around, that finds any. `reduce`
    /// leaves out of the chain what its contradiction does not need; it is called once if at all.
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

    /// The figures of all that were asked.
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
