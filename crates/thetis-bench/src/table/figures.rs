//! Figures for people, and text inside XML.

/// A time with three significant digits: `0.31 s`, `12.4 s`, `7420 s`.
pub(crate) fn seconds(seconds: f64) -> String {
    format!("{} s", significant(seconds))
}

/// A size with three significant digits and a unit of a power of 1000: `57.3 MB`.
pub(crate) fn bytes(bytes: u64) -> String {
    let bytes = bytes as f64;
    match bytes {
        ..1e6 => format!("{} kB", significant(bytes / 1e3)),
        ..1e9 => format!("{} MB", significant(bytes / 1e6)),
        _ => format!("{} GB", significant(bytes / 1e9)),
    }
}

/// Three significant digits, but no more than two after the point, and no exponent.
fn significant(value: f64) -> String {
    if value >= 100.0 {
        let magnitude = 10f64.powi(value.log10().floor() as i32 - 2);
        format!("{:.0}", (value / magnitude).round() * magnitude)
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// Text inside XML or HTML, also in attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            // Not allowed in XML at all.
            char if char.is_control() && !"\n\t".contains(char) => escaped.push('\u{fffd}'),
            char => escaped.push(char),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        for (value, expected) in [
            (0.0, "0.00"),
            (0.314, "0.31"),
            (9.87, "9.87"),
            (12.44, "12.4"),
            (7423.4, "7420"),
            (123456.0, "123000"),
        ] {
            assert_eq!(significant(value), expected);
        }
        assert_eq!(bytes(57_257_984), "57.3 MB");
        assert_eq!(bytes(4 << 30), "4.29 GB");
        assert_eq!(escape("a<b & \"c\"\u{7}"), "a&lt;b &amp; &quot;c&quot;\u{fffd}");
    }
}
