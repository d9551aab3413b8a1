//! Recursive least squares with a forgetting factor.
//!
//! A linear model `y ≈ w·x` is fitted to a stream of points so that at any time the weights minimise
//! `Σ λ^(t-i) (yᵢ - w·xᵢ)²`: a point counts less the older it is. The covariance `P` is the inverse of the weighted sum of
//! `x xᵀ` and is kept up to date by the formula of Sherman and Morrison, so that a point costs `O(N²)`:
//!
//! ```text
//! k = P x / (λ + xᵀ P x)      the gain
//! w = w + k (y - w·x)         corrected by the error of the prediction
//! P = (P - k xᵀ P) / λ
//! ```
//!
//! With one dimension these are the equations of Imeri 2025, section 2.6 (`k = P·x`; its Algorithm 6 has a misprint).

/// The model and what is known of its weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Rls<const N: usize> {
    weights: [f64; N],
    covariance: [[f64; N]; N],
    forgetting: f64,
}

impl<const N: usize> Rls<N> {
    /// A model with first guesses. With a large `uncertainty` the model trusts them little. `forgetting` is at most
    /// one; one means to forget nothing.
    pub fn new(weights: [f64; N], uncertainty: f64, forgetting: f64) -> Rls<N> {
        let mut covariance = [[0.0; N]; N];
        for (at, row) in covariance.iter_mut().enumerate() {
            row[at] = uncertainty;
        }
        Rls { weights, covariance, forgetting }
    }

    /// The weights.
    pub fn weights(&self) -> &[f64; N] {
        &self.weights
    }

    /// What the model expects for `x`.
    pub fn predict(&self, x: &[f64; N]) -> f64 {
        dot(&self.weights, x)
    }

    /// Learns that `x` gave `y`.
    pub fn update(&mut self, x: &[f64; N], y: f64) {
        let spread: [f64; N] = std::array::from_fn(|row| dot(&self.covariance[row], x));
        let scale = self.forgetting + dot(&spread, x);
        let error = y - self.predict(x);
        let gain = spread.map(|entry| entry / scale);
        for (weight, gain) in self.weights.iter_mut().zip(gain) {
            *weight += gain * error;
        }
        for (row, gain) in self.covariance.iter_mut().zip(gain) {
            for (entry, spread) in row.iter_mut().zip(spread) {
                *entry = (*entry - gain * spread) / self.forgetting;
            }
        }
    }
}

fn dot<const N: usize>(left: &[f64; N], right: &[f64; N]) -> f64 {
    left.iter().zip(right).map(|(left, right)| left * right).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_step_is_that_of_the_document() {
        let mut rls = Rls::new([1.7], 1000.0, 0.96);
        rls.update(&[5.0], 6.0);
        let gain = 1000.0 * 5.0 / (0.96 + 1000.0 * 25.0);
        let expected = 1.7 + gain * (6.0 - 1.7 * 5.0);
        assert!((rls.weights()[0] - expected).abs() < 1e-12);
        assert!((rls.covariance[0][0] - 1000.0 / (0.96 + 1000.0 * 25.0)).abs() < 1e-12);
    }

    #[test]
    fn it_equals_the_batch_solution() {
        let points = [(1.0, 2.1), (2.0, 3.9), (3.0, 6.2), (4.0, 7.8)];
        let mut rls = Rls::new([0.0], 1e9, 0.9);
        for (x, y) in points {
            rls.update(&[x], y);
        }
        let weight = |age: usize| 0.9f64.powi(age as i32);
        let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
            let aged = points.iter().rev().enumerate();
            aged.map(|(age, (x, y))| weight(age) * term(*x, *y)).sum()
        };
        let batch = sum(&|x, y| x * y) / sum(&|x, _| x * x);
        assert!((rls.weights()[0] - batch).abs() < 1e-6);
    }

    #[test]
    fn a_plane_is_found() {
        let mut rls = Rls::new([0.0; 3], 1e6, 1.0);
        for i in 0..20 {
            let x = [1.0, f64::from(i % 5), f64::from(i % 7)];
            rls.update(&x, 3.0 - 2.0 * x[1] + 0.5 * x[2]);
        }
        for (weight, expected) in rls.weights().iter().zip([3.0, -2.0, 0.5]) {
            assert!((weight - expected).abs() < 1e-3, "{:?}", rls.weights());
        }
    }
}
