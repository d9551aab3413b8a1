//! Reading of times and sizes on the command line.

use std::time::Duration;

/// A time such as `60s`, `2m 30s` or `500ms`; `none` for no limit.
pub(crate) fn time(text: &str) -> Result<Limit<Duration>, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    let parsed = humantime::parse_duration(text);
    parsed
        .map(|time| Limit(Some(time)))
        .map_err(|error| format!("{error}; write for example 60s, 5m or none"))
}

/// A size such as `4G`, `512M` or a number of bytes; `none` for no limit.
pub(crate) fn size(text: &str) -> Result<Limit<u64>, String> {
    if text == "none" {
        return Ok(Limit(None));
    }
    let wrong = || format!("`{text}` is not a size; write for example 4G, 512M or none");
    let text = text.trim_end_matches("iB").trim_end_matches('B');
    let (digits, shift) = match text.char_indices().last() {
        Some((at, 'k' | 'K')) => (&text[..at], 10),
        Some((at, 'm' | 'M')) => (&text[..at], 20),
        Some((at, 'g' | 'G')) => (&text[..at], 30),
        Some((at, 't' | 'T')) => (&text[..at], 40),
        _ => (text, 0),
    };
    let number: u64 = digits.trim().parse().map_err(|_| wrong())?;
    number
        .checked_mul(1 << shift)
        .filter(|bytes| *bytes > 0)
        .map(|bytes| Limit(Some(bytes)))
        .ok_or_else(wrong)
}

/// A limit that may be absent; its own type because an `Option` means "not given" to the argument parser.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Limit<T>(pub(crate) Option<T>);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read() {
        assert_eq!(time("60s"), Ok(Limit(Some(Duration::from_secs(60)))));
        assert_eq!(time("1m 30s"), Ok(Limit(Some(Duration::from_secs(90)))));
        assert_eq!(time("none"), Ok(Limit(None)));
        assert_eq!(size("4G"), Ok(Limit(Some(4 << 30))));
        assert_eq!(size("512MiB"), Ok(Limit(Some(512 << 20))));
        assert_eq!(size("100"), Ok(Limit(Some(100))));
        for wrong in ["", "G", "-1", "4X", "0", "99999999999T"] {
            assert!(size(wrong).is_err(), "{wrong}");
        }
        assert!(time("soon").is_err());
    }
}
