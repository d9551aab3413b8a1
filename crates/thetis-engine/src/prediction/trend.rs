//! A predictor that asks whether iterations become longer and longer.
//!
//! Two observations on recorded runs. First, verification times have a long tail: a run without an answer after a third of its time
//! usually has none at the end either. Second, among the runs that take a while there are two kinds. In runs that end well, the
//! iterations take about the same time or become slowly longer, because each adds a few predicates to a graph of the same kind. In
//! runs that diverge, the same loop is unrolled once more in every iteration, and the later iterations take all the time.
//!
//! So the predictor compares the time of the later half of the iterations with that of the earlier half. If their ratio is at least
//! [`Trend::GROWTH`], the run is *growing* and gets a small share of its time; otherwise it is *steady* and gets a larger one. When
//! that share is used up, during an iteration or after one, a timeout is predicted. After very few iterations the ratio means
//! nothing: such a run counts as steady.
//!
//! The constants were chosen from a grid of 504 combinations, as those that save the most time with an F1 score of at least 0.95 on every
//! second task of the documented evaluation; they do equally well on the remaining tasks. They are ratios and shares, so that they mean
//! the same for any limit of time.

use std::time::Duration;

use thetis_base::Iteration;

use super::{Patience, Predictor};

/// The predictor. See the [module](self).
#[derive(Clone, Default, Debug)]
pub struct Trend {
    /// The time of the first `n` iterations together, for each `n` from 1.
    sums: Vec<Duration>,
}

impl Trend {
    /// How many times as long as the earlier half the later half of the iterations takes in a growing run.
    pub const GROWTH: f64 = 8.0;
    /// The share of the time that a growing run gets.
    pub const GROWING: f64 = 0.05;
    /// The share of the time that a steady run gets.
    pub const STEADY: f64 = 0.4;
    /// After fewer iterations a run is steady.
    const FEWEST: usize = 4;
    /// Added to both halves, so that iterations that take no time have a ratio.
    const LEAST: Duration = Duration::from_millis(1);

    /// A predictor that has seen nothing.
    pub fn new() -> Trend {
        Trend::default()
    }

    fn is_growing(&self) -> bool {
        let num_iterations = self.sums.len();
        if num_iterations < Self::FEWEST {
            return false;
        }
        let (earlier, all) = (self.sums[num_iterations / 2 - 1], self.sums[num_iterations - 1]);
        let later = all - earlier + Self::LEAST;
        later >= (earlier + Self::LEAST).mul_f64(Self::GROWTH)
    }

    /// What is left of the share after `elapsed`.
    fn time_left(&self, elapsed: Duration, left: Duration) -> Duration {
        let share = if self.is_growing() { Self::GROWING } else { Self::STEADY };
        (elapsed + left).mul_f64(share).saturating_sub(elapsed)
    }
}

impl Predictor for Trend {
    fn observe(&mut self, iteration: &Iteration) {
        let before = self.sums.last().copied().unwrap_or_default();
        self.sums.push(before + iteration.time);
    }

    fn is_hopeless(&self, elapsed: Duration, left: Duration) -> bool {
        self.time_left(elapsed, left).is_zero()
    }

    fn patience(&self, elapsed: Duration, left: Duration) -> Option<Patience> {
        Some(Patience::with_all(self.time_left(elapsed, left)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a run of 1000 s that has used one of them may spend on the next iteration, in seconds.
    fn patience(milliseconds: &[u64]) -> u64 {
        let mut trend = Trend::new();
        for time in milliseconds {
            trend.observe(&Iteration { time: Duration::from_millis(*time), ..Iteration::default() });
        }
        let (elapsed, left) = (Duration::from_secs(1), Duration::from_secs(999));
        trend.time_left(elapsed, left).as_secs()
    }

    #[test]
    fn growing_runs_get_less() {
        assert_eq!(patience(&[100, 100, 100, 100, 100, 100]), 399, "constant");
        assert_eq!(patience(&[100, 200, 400, 800, 1600, 6400]), 49, "exponential: 700 ms and 8800 ms");
        assert_eq!(patience(&[100, 120, 140, 160, 180, 200]), 399, "slow growth");
        assert_eq!(patience(&[100, 100, 100, 5000, 100, 100, 100, 100]), 399, "an early spike");
    }

    #[test]
    fn a_few_iterations_say_nothing() {
        assert_eq!(patience(&[]), 399);
        assert_eq!(patience(&[1, 1, 5000]), 399);
        assert_eq!(patience(&[1, 1, 1, 5000]), 49);
        assert_eq!(patience(&[0, 0, 0, 0]), 399, "no time at all");
    }

    #[test]
    fn the_share_of_the_time_decides() {
        let hopeless = |elapsed| {
            Trend::new().is_hopeless(Duration::from_secs(elapsed), Duration::from_secs(100 - elapsed))
        };
        assert!(!hopeless(39));
        assert!(hopeless(41));
    }
}
