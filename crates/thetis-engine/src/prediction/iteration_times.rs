//! The predictor of Imeri 2025 (sections 2.6 and 3.6, Algorithms 6 to 8).
//!
//! The number of reachable states grows exponentially with the precision, and the time of an iteration reflects all of its work. So
//! iteration times, in milliseconds, are assumed to grow like `next = last^w`, which is linear in logarithms. The exponent is fitted by
//! [recursive least squares](Rls) with the document's constants: `w = 1.7` at first, covariance 1000, forgetting factor 0.96, and 200 ms
//! as the time before the first iteration. A timeout is predicted if the next iteration is expected to take longer than the time that is
//! left or, with the check for explosions, if the current iteration takes three times as long as expected.
//!
//! Algorithm 8 reads a stopwatch that starts with the first iteration and is never reset. So its `y` is the total time of all iterations
//! so far, its prediction is the time at which the next one should end, and both are compared with the time of the whole run. The text
//! of the document, however, speaks of the times of single iterations. Both are implemented ([`Times`]); the stopwatch is right more
//! often.
//!
//! As in the document, the check for explosions looks at the abstraction only: its clock is read when a node is expanded.
//!
//! Where we differ: the document's text fits `w` to measured times, its Algorithm 8 fits `w` to its own predictions. Both are implemented
//! ([`Regressor`]); engines use the first. The model `last^w` depends on the unit of time, and the document's constants are for runs of 900
//! s. So time is scaled such that every run has 900 s ([`Clock`]); for a run of 900 s nothing changes. [`Variant::COARSE`] is ours: it
//! counts real milliseconds, and counts iterations shorter than 200 ms, which the document considers short, as 200 ms. Where an iteration
//! takes only a millisecond or two, taking three times as long as expected is no explosion.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_base::Iteration;

use super::{FIRST_TIME, IterationPart, Patience, Predictor, Rls, from_log_time, log_time};

/// What the time of an iteration is explained by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Regressor {
    /// The time of the iteration before, as the text of the document has it.
    Measured,
    /// The time that was predicted for the iteration itself, as its Algorithm 8 has it.
    Predicted,
}

/// Which times are predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Times {
    /// When an iteration ends, counted from the start of the first, as Algorithm 8 has it.
    Stopwatch,
    /// How long an iteration takes, as the text of the document has it.
    Iteration,
}

/// How time is counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Clock {
    /// As it is.
    Real,
    /// Scaled such that the run has as much time as the document's runs.
    Document,
}

impl Clock {
    /// The time of the document's runs.
    const DOCUMENTS_TIME: Duration = Duration::from_secs(900);

    /// How many seconds one second counts for in a run that has time `left`; one if there is no limit.
    fn scale(self, left: Option<Duration>) -> f64 {
        match (self, left) {
            (Clock::Document, Some(left)) if !left.is_zero() => Self::DOCUMENTS_TIME.div_duration_f64(left),
            _ => 1.0,
        }
    }
}

/// Whether it matters that an iteration takes much longer than expected.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Explosions {
    /// Only finished iterations count.
    Ignored,
    /// This part of an iteration may take the [multiplier](RlsConstants::multiplier) of the expected time.
    Watched(IterationPart),
}

/// What differs between variants of the predictor.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Variant {
    /// Which times they are.
    pub times: Times,
    /// What times are explained by.
    pub regressor: Regressor,
    /// Whether iterations are watched while they last.
    pub explosions: Explosions,
    /// How time is counted.
    pub clock: Clock,
    /// Shorter iterations count as this, in milliseconds of that clock.
    pub shortest: f64,
}

impl Variant {
    /// With the check for explosions, as in the document.
    pub const DOCUMENT: Variant = Variant {
        times: Times::Stopwatch,
        regressor: Regressor::Measured,
        explosions: Explosions::Watched(IterationPart::Abstraction),
        clock: Clock::Document,
        shortest: 1.0,
    };

    /// Without the check for explosions.
    pub const WITHOUT_EXPLOSIONS: Variant = Variant { explosions: Explosions::Ignored, ..Variant::DOCUMENT };

    /// Short iterations are all alike.
    pub const COARSE: Variant = Variant {
        times: Times::Iteration,
        explosions: Explosions::Watched(IterationPart::Whole),
        clock: Clock::Real,
        shortest: FIRST_TIME,
        ..Variant::DOCUMENT
    };
}

/// The constants of the predictors by iteration times.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RlsConstants {
    /// The exponent `w` before the first iteration.
    pub exponent: f64,
    /// Its uncertainty: how quickly the first iterations correct it.
    pub covariance: f64,
    /// The forgetting factor, at most 1: how much an iteration still counts after the next one.
    pub forgetting: f64,
    /// The time before the first iteration, in milliseconds.
    pub first_time: f64,
    /// How many times longer than expected an iteration may take before the state space counts as exploded.
    pub multiplier: f64,
}

impl Default for RlsConstants {
    fn default() -> RlsConstants {
        RlsConstants {
            exponent: 1.7,
            covariance: 1000.0,
            forgetting: 0.96,
            first_time: FIRST_TIME,
            multiplier: 3.0,
        }
    }
}

impl RlsConstants {
    /// What is wrong with the constants, if anything.
    pub fn conflict(&self) -> Option<&'static str> {
        let is_positive = |number: f64| number > 0.0 && number.is_finite();
        match () {
            () if !self.exponent.is_finite() => Some("`rls.exponent` has to be a number"),
            () if !is_positive(self.covariance) => Some("`rls.covariance` has to be positive"),
            () if !is_positive(self.forgetting) || self.forgetting > 1.0 => {
                Some("`rls.forgetting` has to be greater than 0 and at most 1")
            }
            () if !(self.first_time.is_finite() && self.first_time >= 1.0) => {
                Some("`rls.first-time` has to be at least one millisecond")
            }
            () if !is_positive(self.multiplier) => Some("`rls.multiplier` has to be positive"),
            () => None,
        }
    }
}

/// The predictor. See the [module](self).
#[derive(Clone, Debug)]
pub struct IterationTimes {
    variant: Variant,
    /// How many times longer than expected an iteration may take.
    multiplier: f64,
    /// How many seconds a second counts as.
    scale: f64,
    rls: Rls<1>,
    /// The logarithm of the last time.
    last: f64,
    /// What all iterations took together.
    elapsed: Duration,
}

impl IterationTimes {
    /// A predictor that has seen nothing of an engine with time `left`, if that is limited.
    pub fn new(variant: Variant, constants: &RlsConstants, left: Option<Duration>) -> IterationTimes {
        let RlsConstants { exponent, covariance, forgetting, first_time, multiplier } = *constants;
        let rls = Rls::new([exponent], covariance, forgetting);
        let scale = variant.clock.scale(left);
        IterationTimes { variant, multiplier, scale, rls, last: first_time.ln(), elapsed: Duration::ZERO }
    }

    /// How long the iterations so far took together.
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// The next time: how long the next iteration should take, or when it should end.
    pub fn next(&self) -> Duration {
        from_log_time(self.rls.predict(&[self.last])).div_f64(self.scale)
    }
}

impl Predictor for IterationTimes {
    fn observe(&mut self, iteration: &Iteration) {
        self.elapsed += iteration.time;
        let time = match self.variant.times {
            Times::Stopwatch => self.elapsed,
            Times::Iteration => iteration.time,
        };
        let time = log_time(time.mul_f64(self.scale)).max(self.variant.shortest.ln());
        let explained_by = match self.variant.regressor {
            Regressor::Measured => self.last,
            Regressor::Predicted => self.rls.predict(&[self.last]),
        };
        self.rls.update(&[explained_by], time);
        self.last = time;
    }

    fn is_hopeless(&self, _elapsed: Duration, left: Duration) -> bool {
        match self.variant.times {
            Times::Stopwatch => self.next() > self.elapsed + left,
            Times::Iteration => self.next() > left,
        }
    }

    fn patience(&self, _elapsed: Duration, _left: Duration) -> Option<Patience> {
        match self.variant.explosions {
            Explosions::Ignored => None,
            Explosions::Watched(part) => {
                let time = self.next().as_secs_f64() * self.multiplier;
                let time = Duration::try_from_secs_f64(time).unwrap_or(Duration::MAX);
                let time = match self.variant.times {
                    Times::Stopwatch => time.saturating_sub(self.elapsed),
                    Times::Iteration => time,
                };
                Some(Patience { time, part })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The time of the document's runs.
    const LEFT: Duration = Clock::DOCUMENTS_TIME;
    /// The document's predictor with the times of single iterations.
    const SINGLE: Variant = Variant { times: Times::Iteration, ..Variant::DOCUMENT };

    fn after_in(variant: Variant, left: Option<Duration>, times: &[u64]) -> IterationTimes {
        let mut predictor = IterationTimes::new(variant, &RlsConstants::default(), left);
        for time in times {
            predictor.observe(&Iteration { time: Duration::from_millis(*time), ..Iteration::default() });
        }
        predictor
    }

    fn after(variant: Variant, times: &[u64]) -> IterationTimes {
        after_in(variant, Some(LEFT), times)
    }

    fn explosion(variant: Variant, times: &[u64]) -> Option<f64> {
        after(variant, times).patience(Duration::ZERO, LEFT).map(|patience| patience.time.as_secs_f64())
    }

    #[test]
    fn the_first_guess_is_the_documents() {
        let expected = FIRST_TIME.powf(1.7) / 1e3;
        let next = after(Variant::DOCUMENT, &[]).next().as_secs_f64();
        assert!((next - expected).abs() < 1e-6 * expected, "{next}");
    }

    #[test]
    fn constants_change_what_is_expected() {
        let with = |constants: RlsConstants| {
            let predictor = IterationTimes::new(Variant::DOCUMENT, &constants, Some(LEFT));
            predictor.patience(Duration::ZERO, LEFT).unwrap().time.as_secs_f64()
        };
        let usual = with(RlsConstants::default());
        let cautious = with(RlsConstants { multiplier: 6.0, ..RlsConstants::default() });
        assert!((cautious / usual - 2.0).abs() < 1e-6, "{usual} {cautious}");
        assert!(with(RlsConstants { exponent: 1.0, ..RlsConstants::default() }) < usual);
        assert!(with(RlsConstants { multiplier: 1e300, ..RlsConstants::default() }) > 1e9);
        assert_eq!(RlsConstants::default().conflict(), None);
        for wrong in [
            RlsConstants { exponent: f64::NAN, ..RlsConstants::default() },
            RlsConstants { covariance: 0.0, ..RlsConstants::default() },
            RlsConstants { forgetting: 1.1, ..RlsConstants::default() },
            RlsConstants { first_time: 0.5, ..RlsConstants::default() },
            RlsConstants { multiplier: f64::INFINITY, ..RlsConstants::default() },
        ] {
            assert!(wrong.conflict().is_some(), "{wrong:?}");
        }
    }

    #[test]
    fn explosions_are_seen_while_they_happen() {
        let limit = explosion(SINGLE, &[1000; 10]).unwrap();
        assert!((2.0..4.0).contains(&limit), "{limit}");
        assert_eq!(explosion(Variant::WITHOUT_EXPLOSIONS, &[1000; 10]), None);
    }

    #[test]
    fn a_coarse_clock_does_not_see_short_explosions() {
        let short = [2; 20];
        assert!(explosion(SINGLE, &short).unwrap() < 0.05);
        let limit = explosion(Variant::COARSE, &short).unwrap();
        assert!((0.5..0.8).contains(&limit), "three times 200 ms: {limit}");
        let long = [2000; 20];
        let limits = [SINGLE, Variant::COARSE].map(|variant| explosion(variant, &long).unwrap());
        assert_eq!(limits[0], limits[1]);
    }

    /// The stopwatch of Algorithm 8 shows the sum of all iterations.
    #[test]
    fn the_stopwatch_is_never_reset() {
        let steady = after(Variant::DOCUMENT, &[1000; 30]);
        let next = steady.next().as_secs_f64();
        assert!((30.0..36.0).contains(&next), "the next one ends after about 31 s: {next}");
        assert!(!steady.is_hopeless(Duration::from_secs(30), LEFT - Duration::from_secs(30)));
        let patience = steady.patience(Duration::ZERO, LEFT).unwrap().time.as_secs_f64();
        assert!((patience - (3.0 * next - 30.0)).abs() < 1e-6, "{patience}");
        let growing = after(Variant::DOCUMENT, &[100, 300, 900, 2700, 8100, 24_300, 72_900, 218_700]);
        assert!(growing.is_hopeless(growing.elapsed(), LEFT - growing.elapsed()), "{:?}", growing.next());
    }

    #[test]
    fn growth_and_steadiness_are_foreseen() {
        let next = after(SINGLE, &[10, 20, 40, 80, 160, 320, 640, 1280, 2560]).next().as_secs_f64();
        assert!((2.5..12.0).contains(&next), "{next}");
        let next = after(SINGLE, &[50; 20]).next().as_secs_f64();
        assert!((0.02..0.15).contains(&next), "{next}");
    }

    #[test]
    fn what_counts_is_the_part_of_the_time() {
        let quarter = |variant| after_in(variant, Some(LEFT / 60), &[2, 3, 5, 8, 13]).next().as_secs_f64();
        let whole = |variant| after(variant, &[120, 180, 300, 480, 780]).next().as_secs_f64();
        let ratio = |variant| quarter(variant) * 60.0 / whole(variant);
        assert!((ratio(SINGLE) - 1.0).abs() < 1e-6);
        assert!((ratio(Variant { clock: Clock::Real, ..SINGLE }) - 1.0).abs() > 0.1);
        let [unlimited, documents] = [None, Some(LEFT)].map(|left| after_in(SINGLE, left, &[7, 9]).next());
        assert_eq!(unlimited, documents);
    }

    #[test]
    fn both_regressors_learn_the_weight_of_steady_growth() {
        // The logarithms grow by a fifth each time.
        let mut log = 4f64.ln();
        let mut times = Vec::new();
        while log < 12.0 {
            times.push(log.exp() as u64);
            log *= 1.2;
        }
        let expected = log.exp() / 1e3;
        for regressor in [Regressor::Measured, Regressor::Predicted] {
            let next = after(Variant { regressor, ..SINGLE }, &times).next().as_secs_f64();
            let ratio = next.ln() / expected.ln();
            assert!((0.7..1.4).contains(&ratio), "{regressor:?}: {next} and not {expected}");
        }
    }
}
