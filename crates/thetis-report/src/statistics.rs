//! Statistics as indented text.

use std::fmt::Write;

use thetis_base::{Statistic, Statistics};

/// One line for each figure, parts indented below the part they belong to.
pub fn render_statistics(statistics: &Statistics) -> String {
    let mut text = String::new();
    let mut pending = vec![(statistics, 0)];
    while let Some((part, depth)) = pending.pop() {
        let indent = "  ".repeat(depth);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{indent}{}:", part.name);
        for (name, value) in &part.entries {
            let _ = match value {
                Statistic::Count(count) => writeln!(text, "{indent}  {name}: {count}"),
                Statistic::Seconds(seconds) => writeln!(text, "{indent}  {name}: {seconds:.3} s"),
                Statistic::Text(words) => writeln!(text, "{indent}  {name}: {words}"),
            };
        }
        pending.extend(part.parts.iter().rev().map(|inner| (inner, depth + 1)));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_indented() {
        let tree = Statistics::new("bmc").count("rounds", 3).part(Statistics::new("z3").text("version", "5"));
        assert_eq!(render_statistics(&tree), "bmc:\n  rounds: 3\n  z3:\n    version: 5\n");
    }
}
