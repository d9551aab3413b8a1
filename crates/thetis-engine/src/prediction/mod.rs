//! Will this engine run out of time? An answer while it runs, from the iterations that it has behind it.
//!
//! An iterating engine tells a [`Predictor`] about every iteration. The predictor says how long it expects the next one
//! to take and, with the time that is left, whether to go on makes sense. An engine that is stopped early hands over
//! what it knows while there is still time for somebody else to use it.
//!
//! Two predictors:
//!
//! * [`IterationTimes`] is that of document 000, section 3.6: iteration times grow like `next = last^w`; `w` is fitted in
//!   logarithms by [recursive least squares](Rls).
//! * [`Features`] looks at the time, the nodes, the size of the precision and the queries of an iteration, and it
//!   loses patience: how long verification takes has a long tail, so an engine that used a good part of its
//!   time without an answer mostly has none at the end either.
//!
//! Both say how long an iteration may take at most ([`Predictor::explosion_after`]): if it takes a multiple of what was expected,
//! the state space has exploded and the estimate is worth nothing.

mod rls;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use thetis_base::Iteration;

pub use rls::Rls;

/// Which predictor an engine uses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Prediction {
    /// None: the engine uses all the time it has.
    #[default]
    Off,
    /// By iteration times, looked at after each iteration.
    Rls,
    /// By iteration times, also looked at during iterations.
    RlsExplosion,
    /// By several features, also looked at during iterations.
    Features,
}

impl Prediction {
    /// A new predictor.
    pub fn start(self) -> Option<Box<dyn Predictor>> {
        match self {
            Prediction::Off => None,
            Prediction::Rls => Some(Box::new(IterationTimes::new(None))),
            Prediction::RlsExplosion => Some(Box::new(IterationTimes::new(Some(EXPLOSION_FACTOR)))),
            Prediction::Features => Some(Box::new(Features::new())),
        }
    }
}

/// Foresees whether an iterating engine will end in time.
pub trait Predictor {
    /// Learns of a finished iteration.
    fn observe(&mut self, iteration: &Iteration);

    /// How long the next iteration will take.
    fn next(&self) -> Duration;

    /// Whether the engine should give up after `elapsed` with `left` to go.
    fn is_hopeless(&self, elapsed: Duration, left: Duration) -> bool;

    /// The time after which the iteration at hand is out of all proportion, if the predictor looks at that.
    fn explosion_after(&self) -> Option<Duration>;
}

/// How many times longer than expected an iteration may take.
const EXPLOSION_FACTOR: f64 = 3.0;

/// The time that the first iteration is expected to take, in milliseconds.
const FIRST_TIME: f64 = 200.0;

/// The predictor of document 000: `next = last^w`, in milliseconds.
#[derive(Clone, Debug)]
pub struct IterationTimes {
    rls: Rls<1>,
    /// The logarithm of the last iteration's time.
    last: f64,
    explosion_factor: Option<f64>,
}

impl IterationTimes {
    const WEIGHT: f64 = 1.7;
    const UNCERTAINTY: f64 = 1000.0;
    const FORGETTING: f64 = 0.96;

    /// With the document's constants. Without a factor, explosions are not looked for.
    pub fn new(explosion_factor: Option<f64>) -> IterationTimes {
        let rls = Rls::new([Self::WEIGHT], Self::UNCERTAINTY, Self::FORGETTING);
        IterationTimes { rls, last: FIRST_TIME.ln(), explosion_factor }
    }
}

impl Predictor for IterationTimes {
    fn observe(&mut self, iteration: &Iteration) {
        let time = log_time(iteration.time);
        self.rls.update(&[self.last], time);
        self.last = time;
    }

    fn next(&self) -> Duration {
        from_log_time(self.rls.predict(&[self.last]))
    }

    fn is_hopeless(&self, _elapsed: Duration, left: Duration) -> bool {
        self.next() > left
    }

    fn explosion_after(&self) -> Option<Duration> {
        self.explosion_factor.map(|factor| self.next().mul_f64(factor))
    }
}

/// A predictor with several features and little patience.
#[derive(Clone, Debug)]
pub struct Features {
    rls: Rls<4>,
    last: [f64; 4],
}

impl Features {
    const UNCERTAINTY: f64 = 1.0;
    const FORGETTING: f64 = 0.9;
    /// The share of the time after which an engine without an answer is given up.
    const PATIENCE: f64 = 0.4;
    /// Short iterations vary too much to call one an explosion.
    const LEAST_EXPLOSION: Duration = Duration::from_secs(1);

    /// A predictor that first expects an iteration to take as long as the last one.
    pub fn new() -> Features {
        let rls = Rls::new([0.0, 1.0, 0.0, 0.0], Self::UNCERTAINTY, Self::FORGETTING);
        Features { rls, last: [1.0, FIRST_TIME.ln(), 0.0, 0.0] }
    }
}

impl Default for Features {
    fn default() -> Features {
        Features::new()
    }
}

impl Predictor for Features {
    fn observe(&mut self, iteration: &Iteration) {
        let time = log_time(iteration.time);
        self.rls.update(&self.last, time);
        let log = |count: u64| (count as f64 + 1.0).ln();
        let effort = log(iteration.nodes) + log(iteration.queries);
        self.last = [1.0, time, effort, log(iteration.tracked)];
    }

    fn next(&self) -> Duration {
        from_log_time(self.rls.predict(&self.last))
    }

    fn is_hopeless(&self, elapsed: Duration, left: Duration) -> bool {
        self.next() > left || elapsed > (elapsed + left).mul_f64(Self::PATIENCE)
    }

    fn explosion_after(&self) -> Option<Duration> {
        Some(self.next().mul_f64(2.0 * EXPLOSION_FACTOR).max(Self::LEAST_EXPLOSION))
    }
}

/// The logarithm of a time in milliseconds; times below one millisecond count as one.
fn log_time(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).max(1.0).ln()
}

/// The way back, at most a year.
fn from_log_time(log: f64) -> Duration {
    const YEAR: f64 = 365.0 * 24.0 * 3600.0;
    Duration::from_secs_f64((log.exp() / 1e3).min(YEAR))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn iteration(milliseconds: u64) -> Iteration {
        Iteration { time: Duration::from_millis(milliseconds), ..Iteration::default() }
    }

    #[test]
    fn the_first_guess_is_the_documents() {
        let expected = FIRST_TIME.powf(1.7) / 1e3;
        let next = IterationTimes::new(None).next().as_secs_f64();
        assert!((next - expected).abs() < 1e-6 * expected, "{next}");
    }

    #[test]
    fn growth_is_foreseen() {
        let mut all: Vec<Box<dyn Predictor>> =
            [Prediction::Rls, Prediction::RlsExplosion, Prediction::Features]
                .map(|p| p.start().unwrap())
                .into();
        for predictor in &mut all {
            for time in [10, 20, 40, 80, 160, 320, 640, 1280, 2560] {
                predictor.observe(&iteration(time));
            }
            let next = predictor.next().as_secs_f64();
            assert!((2.5..12.0).contains(&next), "{next}");
            assert!(predictor.is_hopeless(Duration::from_secs(5), Duration::from_secs(2)));
        }
    }

    #[test]
    fn steady_iterations_may_go_on() {
        for prediction in [Prediction::Rls, Prediction::RlsExplosion, Prediction::Features] {
            let mut predictor = prediction.start().unwrap();
            for _ in 0..20 {
                predictor.observe(&iteration(50));
            }
            assert!(
                !predictor.is_hopeless(Duration::from_secs(1), Duration::from_secs(14)),
                "{prediction:?}"
            );
            let next = predictor.next();
            assert!(
                next > Duration::from_millis(20) && next < Duration::from_millis(150),
                "{prediction:?} {next:?}"
            );
        }
    }

    #[test]
    fn explosions_are_seen_while_they_happen() {
        let mut predictor = IterationTimes::new(Some(3.0));
        for _ in 0..10 {
            predictor.observe(&iteration(1000));
        }
        let limit = predictor.explosion_after().unwrap().as_secs_f64();
        assert!((2.0..4.0).contains(&limit), "{limit}");
        assert_eq!(IterationTimes::new(None).explosion_after(), None);
    }

    #[test]
    fn patience_ends() {
        let mut predictor = Features::new();
        predictor.observe(&iteration(10));
        assert!(!predictor.is_hopeless(Duration::from_secs(5), Duration::from_secs(10)));
        assert!(predictor.is_hopeless(Duration::from_secs(7), Duration::from_secs(8)));
    }
}
