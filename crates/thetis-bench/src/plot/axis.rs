//! Scales from values to places.

/// A logarithmic scale over whole decades.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogAxis {
    /// The exponents of ten at both ends.
    pub(super) decades: [i32; 2],
    /// The places of both ends.
    pub(super) places: [f64; 2],
}

impl LogAxis {
    /// A scale that holds all of `values`, but nothing below `least`; at least one decade.
    pub(super) fn around(values: impl Iterator<Item = f64>, least: f64, places: [f64; 2]) -> LogAxis {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for value in values {
            low = low.min(value.max(least));
            high = high.max(value.max(least));
        }
        if low > high {
            (low, high) = (least, least * 10.0);
        }
        // Rounding must not push an exact power of ten into the next decade.
        let first = (low.log10() + 1e-9).floor() as i32;
        let last = ((high.log10() - 1e-9).ceil() as i32).max(first + 1);
        LogAxis { decades: [first, last], places }
    }

    /// Where a value is; values outside are at the ends.
    pub(super) fn place(&self, value: f64) -> f64 {
        let [first, last] = self.decades.map(f64::from);
        let part = ((value.max(f64::MIN_POSITIVE).log10() - first) / (last - first)).clamp(0.0, 1.0);
        self.places[0] + part * (self.places[1] - self.places[0])
    }

    /// The powers of ten with their labels, for times in seconds.
    pub(super) fn ticks(&self) -> Vec<(f64, String)> {
        (self.decades[0]..=self.decades[1]).map(|decade| (10f64.powi(decade), seconds(decade))).collect()
    }
}

fn seconds(decade: i32) -> String {
    if decade >= 0 {
        format!("{} s", 10u64.pow(decade.unsigned_abs()))
    } else {
        format!("{} s", 10f64.powi(decade))
    }
}

/// Round numbers from zero to at least `high`: the step, and how many.
pub(super) fn steps(high: usize) -> (usize, usize) {
    let mut unit = 1;
    loop {
        for factor in [1, 2, 5] {
            let step = unit * factor;
            if high <= step * 8 {
                return (step, high.div_ceil(step).max(1));
            }
        }
        unit *= 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decades_hold_the_values() {
        let axis = LogAxis::around([0.03, 42.0].into_iter(), 0.01, [0.0, 100.0]);
        assert_eq!(axis.decades, [-2, 2]);
        assert_eq!((axis.place(0.01), axis.place(1.0), axis.place(1000.0)), (0.0, 50.0, 100.0));
        let words: Vec<String> = axis.ticks().into_iter().map(|(_, words)| words).collect();
        assert_eq!(words, ["0.01 s", "0.1 s", "1 s", "10 s", "100 s"]);
        assert_eq!(LogAxis::around(std::iter::empty(), 0.01, [0.0, 1.0]).decades, [-2, -1]);
        assert_eq!(LogAxis::around([1.0].into_iter(), 0.01, [0.0, 1.0]).decades, [0, 1]);
    }

    #[test]
    fn steps_are_round() {
        for (high, expected) in [(0, (1, 1)), (7, (1, 7)), (9, (2, 5)), (100, (20, 5)), (535, (100, 6))] {
            assert_eq!(steps(high), expected, "{high}");
        }
    }
}
