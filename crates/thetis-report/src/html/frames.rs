//! The frames of IC3 as a table: a row for each location, a column for each level.

use std::fmt::Write;

use thetis_base::FrameTable;

use super::escape;

/// Later levels are not shown.
const MAX_LEVELS: usize = 100;

/// The table as a view of the page; none if there are no clauses.
pub(super) fn table(frames: &FrameTable) -> Option<String> {
    if frames.rows.is_empty() {
        return None;
    }
    // Levels at which no clause ends say nothing.
    let has_clauses = |level: &usize| frames.rows.iter().any(|row| row.at(*level).next().is_some());
    let levels: Vec<usize> = (1..=frames.last).filter(has_clauses).take(MAX_LEVELS).collect();
    let mut text = String::from(
        "<section id=\"view-frames\" class=\"view\">\n<p>The clauses that IC3 has learned, at the last level where each is known to hold: \
         whenever a run is at the location within that number of edges.</p>\n<table id=\"frames\"><thead><tr><th>location</th>",
    );
    for level in &levels {
        // Writing to a string cannot fail.
        let _ = write!(text, "<th>{level}</th>");
    }
    text.push_str("</tr></thead><tbody>\n");
    for row in &frames.rows {
        let _ = write!(text, "<tr><th>{}</th>", escape(&row.location));
        for level in &levels {
            let clauses: Vec<String> =
                row.at(*level).map(|clause| format!("<code>{}</code>", escape(clause))).collect();
            let _ = write!(text, "<td>{}</td>", clauses.join("<br>"));
        }
        text.push_str("</tr>\n");
    }
    text.push_str("</tbody></table>\n</section>\n");
    Some(text)
}

#[cfg(test)]
mod tests {
    use thetis_base::FrameRow;

    use super::*;

    #[test]
    fn clauses_stand_at_their_levels() {
        let clauses = vec![(1, "x < 3".to_owned()), (3, "a".to_owned()), (3, "b".to_owned())];
        let rows = vec![FrameRow { location: "l<1>".into(), clauses }];
        let page = table(&FrameTable { last: 4, rows }).unwrap();
        assert!(page.contains("<th>location</th><th>1</th><th>3</th></tr>"), "{page}");
        let row = "<tr><th>l&lt;1&gt;</th><td><code>x &lt; 3</code></td><td><code>a</code><br><code>b</code></td></tr>";
        assert!(page.contains(row), "{page}");
        assert_eq!(table(&FrameTable { last: 4, rows: Vec::new() }), None);
    }
}
