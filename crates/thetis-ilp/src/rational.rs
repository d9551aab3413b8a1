//! From floating-point vectors to integer ones in the same direction.

use num_integer::Integer;

const MAX_DENOMINATOR: i128 = 1_000_000;
const MAX_SCALE: i128 = 1_000_000_000_000;
const TOLERANCE: f64 = 1e-9;

/// An integer vector in the direction of `values`, if they are all near fractions with small denominators.
pub(crate) fn scale_to_integers(values: &[f64]) -> Option<Vec<i128>> {
    let fractions = values.iter().map(|value| near_fraction(*value)).collect::<Option<Vec<_>>>()?;
    let mut scale: i128 = 1;
    for (_, denominator) in &fractions {
        scale = scale.lcm(denominator);
        if scale > MAX_SCALE {
            return None;
        }
    }
    fractions.iter().map(|(numerator, denominator)| numerator.checked_mul(scale / denominator)).collect()
}

/// The fraction with the smallest denominator near `value`, by its continued fraction.
fn near_fraction(value: f64) -> Option<(i128, i128)> {
    if !value.is_finite() || value.abs() > 1e15 {
        return None;
    }
    let (mut numerator, mut last_numerator) = (1i128, 0i128);
    let (mut denominator, mut last_denominator) = (0i128, 1i128);
    let mut rest = value;
    loop {
        let whole = rest.floor();
        (numerator, last_numerator) = (whole as i128 * numerator + last_numerator, numerator);
        (denominator, last_denominator) = (whole as i128 * denominator + last_denominator, denominator);
        if denominator > MAX_DENOMINATOR {
            return None;
        }
        if (numerator as f64 / denominator as f64 - value).abs() <= TOLERANCE * value.abs().max(1.0) {
            return Some((numerator, denominator));
        }
        rest = (rest - whole).recip();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_found() {
        for (value, expected) in
            [(0.5, (1, 2)), (-1.0 / 3.0, (-1, 3)), (0.0, (0, 1)), (7.0, (7, 1)), (355.0 / 113.0, (355, 113))]
        {
            assert_eq!(near_fraction(value), Some(expected));
        }
        assert_eq!(near_fraction(f64::NAN), None);
        assert_eq!(near_fraction(1e-10), Some((0, 1)), "noise is zero");
    }

    #[test]
    fn vectors_keep_their_direction() {
        assert_eq!(scale_to_integers(&[0.5, 1.0 / 3.0, 0.0]), Some(vec![3, 2, 0]));
        assert_eq!(scale_to_integers(&[f64::INFINITY, 1.0]), None);
    }
}
