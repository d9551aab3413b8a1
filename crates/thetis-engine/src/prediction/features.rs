//! A predictor with several features and limited patience.
//!
//! The logarithm of the next iteration's time is modelled as a linear function of the logarithms of the last iteration's time, of its
//! numbers of nodes and queries, and of the size of the precision. The function is fitted while the engine runs, by [recursive least
//! squares](Rls). At first, an iteration is expected to take as long as the one before.
//!
//! Verification times have a long tail: a run without an answer after a good part of its time usually has none at the end
//! either. So there are three reasons to give up: the next iteration is expected to take too long, the current one takes
//! much longer than expected, or a certain share of the time is gone.

use std::time::Duration;

use thetis_base::Iteration;

use super::{FIRST_TIME, Patience, Predictor, Rls, from_log_time, log_time};

/// The predictor. See the [module](self).
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
    /// How many times longer than expected an iteration may take.
    const EXPLOSION_FACTOR: f64 = 6.0;
    /// Short iterations vary too much to call one an explosion.
    const LEAST_EXPLOSION: Duration = Duration::from_secs(1);

    /// A predictor that has seen nothing.
    pub fn new() -> Features {
        let rls = Rls::new([0.0, 1.0, 0.0, 0.0], Self::UNCERTAINTY, Self::FORGETTING);
        Features { rls, last: [1.0, FIRST_TIME.ln(), 0.0, 0.0] }
    }

    /// How long the next iteration should take.
    fn next(&self) -> Duration {
        from_log_time(self.rls.predict(&self.last))
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

    fn is_hopeless(&self, elapsed: Duration, left: Duration) -> bool {
        self.next() > left || elapsed > (elapsed + left).mul_f64(Self::PATIENCE)
    }

    fn patience(&self, _elapsed: Duration, _left: Duration) -> Option<Patience> {
        Some(Patience::with_all(self.next().mul_f64(Self::EXPLOSION_FACTOR).max(Self::LEAST_EXPLOSION)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    fn after(iterations: &[Iteration]) -> Features {
        let mut predictor = Features::new();
        iterations.iter().for_each(|iteration| predictor.observe(iteration));
        predictor
    }

    fn iteration(milliseconds: u64, nodes: u64) -> Iteration {
        Iteration { time: Duration::from_millis(milliseconds), nodes, ..Iteration::default() }
    }

    #[test]
    fn patience_ends() {
        let predictor = after(&[iteration(10, 5)]);
        assert!(!predictor.is_hopeless(seconds(39), seconds(61)));
        assert!(predictor.is_hopeless(seconds(41), seconds(59)));
    }

    #[test]
    fn short_iterations_do_not_explode() {
        let predictor = after(&[iteration(2, 5); 10]);
        assert_eq!(predictor.patience(Duration::ZERO, seconds(1000)), Some(Patience::with_all(seconds(1))));
    }

    #[test]
    fn growing_graphs_are_a_sign() {
        // The time follows the nodes of the iteration before.
        let nodes = [10, 1000, 10, 1000, 10, 1000, 10, 1000];
        let times = [20, 20, 2000, 20, 2000, 20, 2000, 20];
        let grown: Vec<Iteration> =
            times.iter().zip(nodes).map(|(time, nodes)| iteration(*time, nodes)).collect();
        let after_many = after(&grown).next();
        let after_few = after(&grown[..7]).next();
        assert!(after_many > 3 * after_few, "{after_many:?} {after_few:?}");
    }
}
