//! Will this engine run out of time? A prediction made while it runs, from the iterations so far.
//!
//! An iterating engine reports every iteration to a [`Predictor`]. The predictor estimates how long the next one will
//! take and, given the time that is left, whether it makes sense to go on. An engine that is stopped early passes on
//! what it knows while another engine still has time to use it.
//!
//! Three predictors:
//!
//! * [`IterationTimes`] is that of Imeri 2025, section 3.6: iteration times grow like `next = last^w`; `w` is fitted in
//!   logarithms by [recursive least squares](Rls). It comes in several [variants](Variant).
//! * [`Features`] looks at the time, the nodes, the size of the precision and the queries of an iteration, and
//!   gives up after a certain share of the time.
//! * [`Trend`] also gives up after a share of the time, much earlier if iterations become longer and longer.
//!
//! All can say how long an iteration may take at most ([`Predictor::patience`]): if it takes a multiple of what was expected,
//! the state space has exploded and the estimate is worthless. A [`Record`] contains what is needed to try predictors without
//! an engine.

mod features;
mod iteration_times;
mod record;
mod rls;
mod trend;

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::Iteration;

pub use features::Features;
pub use iteration_times::{Clock, Explosions, IterationTimes, Regressor, RlsConstants, Times, Variant};
pub use record::Record;
pub use rls::Rls;
pub use trend::Trend;

/// The statistics key of an engine that predicts: 1 if it has predicted a timeout, 0 if not.
pub const PREDICTED_TIMEOUT: &str = "predicted-timeout";

/// Which predictor an engine uses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Prediction {
    /// None: the engine uses all the time it has.
    #[default]
    Off,
    /// By iteration times, evaluated after each iteration.
    Rls,
    /// By iteration times, also evaluated during iterations.
    RlsExplosion,
    /// By iteration times, with short ones rounded up, also evaluated during iterations.
    RlsCoarse,
    /// By several features, also evaluated during iterations.
    Features,
    /// By the growth of iteration times, also evaluated during iterations.
    Trend,
}

impl Prediction {
    /// A new predictor for an engine that has time `left`, if that is limited; `constants` are for those by iteration times.
    pub fn start(self, constants: &RlsConstants, left: Option<Duration>) -> Option<Box<dyn Predictor>> {
        let by_times = |variant: Variant| -> Option<Box<dyn Predictor>> {
            Some(Box::new(IterationTimes::new(variant, constants, left)))
        };
        match self {
            Prediction::Off => None,
            Prediction::Rls => by_times(Variant::WITHOUT_EXPLOSIONS),
            Prediction::RlsExplosion => by_times(Variant::DOCUMENT),
            Prediction::RlsCoarse => by_times(Variant::COARSE),
            Prediction::Features => Some(Box::new(Features::new())),
            Prediction::Trend => Some(Box::new(Trend::new())),
        }
    }
}

/// Predicts whether an iterating engine will finish in time.
pub trait Predictor {
    /// Learns of a finished iteration.
    fn observe(&mut self, iteration: &Iteration);

    /// Whether the engine should give up after `elapsed` with `left` to go.
    fn is_hopeless(&self, elapsed: Duration, left: Duration) -> bool;

    /// How long the iteration that starts after `elapsed` with `left` to go may take before the engine should give up, if the
    /// predictor looks at that.
    fn patience(&self, elapsed: Duration, left: Duration) -> Option<Patience>;
}

/// How long an iteration may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// So long.
    pub time: Duration,
    /// The part of the iteration that has to end by then.
    pub part: IterationPart,
}

/// A part of an iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IterationPart {
    /// The abstraction: the state space is explored.
    Abstraction,
    /// All of it, also the refinement.
    Whole,
}

impl Patience {
    /// With the whole iteration.
    pub fn with_all(time: Duration) -> Patience {
        Patience { time, part: IterationPart::Whole }
    }
}

/// The time that the first iteration is expected to take, in milliseconds.
const FIRST_TIME: f64 = 200.0;

/// The logarithm of a time in milliseconds; times below one millisecond count as one.
fn log_time(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).max(1.0).ln()
}

/// The inverse; at most a year.
fn from_log_time(log: f64) -> Duration {
    const YEAR: f64 = 365.0 * 24.0 * 3600.0;
    Duration::from_secs_f64((log.exp() / 1e3).min(YEAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Prediction; 5] = [
        Prediction::Rls,
        Prediction::RlsExplosion,
        Prediction::RlsCoarse,
        Prediction::Features,
        Prediction::Trend,
    ];

    /// A predictor after iterations that took this many milliseconds.
    fn after(prediction: Prediction, times: &[u64]) -> Box<dyn Predictor> {
        let mut predictor = prediction.start(&RlsConstants::default(), Some(seconds(100))).unwrap();
        for time in times {
            let time = Duration::from_millis(*time);
            predictor.observe(&Iteration { time, nodes: 10, queries: 10, ..Iteration::default() });
        }
        predictor
    }

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn growth_is_foreseen() {
        for prediction in ALL {
            let predictor = after(prediction, &[10, 20, 40, 80, 160, 320, 640, 1280, 2560]);
            assert!(predictor.is_hopeless(seconds(5), seconds(2)), "{prediction:?}");
        }
    }

    #[test]
    fn steady_iterations_may_go_on() {
        for prediction in ALL {
            let predictor = after(prediction, &[500; 20]);
            assert!(!predictor.is_hopeless(seconds(10), seconds(90)), "{prediction:?}");
        }
    }

    #[test]
    fn one_slow_iteration_is_forgiven() {
        for prediction in ALL {
            let predictor = after(prediction, &[100, 100, 100, 100, 100, 1500, 100, 100, 100, 100]);
            assert!(!predictor.is_hopeless(seconds(3), seconds(60)), "{prediction:?}");
        }
    }

    #[test]
    fn times_survive_the_way_to_logarithms_and_back() {
        for milliseconds in [1, 7, 200, 15_000, 900_000] {
            let time = Duration::from_millis(milliseconds);
            let back = from_log_time(log_time(time)).as_secs_f64() / time.as_secs_f64();
            assert!((back - 1.0).abs() < 1e-9, "{milliseconds} {back}");
        }
        assert_eq!(log_time(Duration::ZERO), 0.0);
        assert!(from_log_time(1e6) < Duration::from_secs(400 * 24 * 3600));
    }
}
