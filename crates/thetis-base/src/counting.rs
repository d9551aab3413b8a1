//! Numbers of things, as people write them.

use std::fmt::Display;

/// `1 step`, `2 steps`. For nouns whose plural has an `s` more.
pub fn counted<N: Display + PartialEq + From<u8>>(number: N, noun: &str) -> String {
    if number == N::from(1) { format!("1 {noun}") } else { format!("{number} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_thing_is_singular() {
        let texts = [0_usize, 1, 2].map(|number| counted(number, "step"));
        assert_eq!(texts, ["0 steps", "1 step", "2 steps"]);
    }
}
