//! Frames of IC3 as engines report them: for each location the clauses of each level, as text that others can show.

use std::fmt::{self, Display, Formatter};

use serde::{Deserialize, Serialize};

/// The frames of a search.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct FrameTable {
    /// The last level.
    pub last: usize,
    /// The locations that have clauses.
    pub rows: Vec<FrameRow>,
}

/// The clauses of a location.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FrameRow {
    /// The name of the location.
    pub location: String,
    /// The clauses, each with the last level where it is known to hold, in the order of levels.
    pub clauses: Vec<(usize, String)>,
}

impl FrameRow {
    /// The clauses whose last level is `level`.
    pub fn at(&self, level: usize) -> impl Iterator<Item = &str> {
        self.clauses.iter().filter(move |(last, _)| *last == level).map(|(_, clause)| clause.as_str())
    }
}

/// A column for each location and a block of lines for each level; a clause stands at the last level where it is known to hold, and
/// holds at all levels before.
impl Display for FrameTable {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let width = |row: &FrameRow| {
            let texts = row.clauses.iter().map(|(_, clause)| clause.as_str()).chain([row.location.as_str()]);
            texts.map(|text| text.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = self.rows.iter().map(width).collect();
        let line = |f: &mut Formatter<'_>, head: &str, cells: &[&str]| -> fmt::Result {
            let mut text = format!("{head:>5}");
            for (cell, width) in cells.iter().zip(&widths) {
                text.push_str(&format!(" | {cell:<width$}"));
            }
            writeln!(f, "{}", text.trim_end())
        };
        let names: Vec<&str> = self.rows.iter().map(|row| row.location.as_str()).collect();
        line(f, "level", &names)?;
        for level in 1..=self.last {
            let columns: Vec<Vec<&str>> = self.rows.iter().map(|row| row.at(level).collect()).collect();
            let height = columns.iter().map(Vec::len).max().unwrap_or_default().max(1);
            for number in 0..height {
                let cells: Vec<&str> =
                    columns.iter().map(|column| column.get(number).copied().unwrap_or_default()).collect();
                line(f, &if number == 0 { level.to_string() } else { String::new() }, &cells)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_rows_and_locations_columns() {
        let row = |location: &str, clauses: &[(usize, &str)]| FrameRow {
            location: location.into(),
            clauses: clauses.iter().map(|(level, clause)| (*level, (*clause).to_owned())).collect(),
        };
        let table = FrameTable {
            last: 3,
            rows: vec![
                row("l1", &[(1, "x = 0"), (3, "x <= y"), (3, "b")]),
                row("long name", &[(1, "false")]),
            ],
        };
        let expected = "\
level | l1     | long name
    1 | x = 0  | false
    2 |        |
    3 | x <= y |
      | b      |
";
        assert_eq!(table.to_string(), expected);
    }
}
