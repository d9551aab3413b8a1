//! Plots as SVG, drawn without a browser, and as PNG.
//!
//! All plots use one font: PNG files are drawn with it, and the lengths of texts are estimated for it; a browser without it
//! uses a similar one.

mod axis;
mod confusion;
mod course;
mod heat_map;
mod png;
mod quantile;
mod scatter;
mod svg;

use crate::Overview;
use crate::overview::Confusion;

pub use course::prediction_plots;
pub use png::to_png;

/// A drawing.
#[derive(Clone, Debug)]
pub struct Plot {
    /// The name of its file, without an ending.
    pub name: String,
    /// What it shows, as a heading.
    pub title: String,
    /// How to read it.
    pub caption: String,
    /// The drawing.
    pub svg: String,
    /// Whether several fit side by side.
    pub is_small: bool,
}

/// With more configurations than this, only the best one is compared with each other one.
const MAX_ALL_PAIRS: usize = 4;

/// All plots that the results can fill.
pub fn plots(overview: &Overview) -> Vec<Plot> {
    let mut plots = vec![heat_map::plot(overview), quantile::plot(overview)];
    plots.extend(pairs(overview).into_iter().map(|(x, y)| scatter::plot(overview, x, y)));
    plots.extend(Confusion::all(overview).iter().map(confusion::plot));
    plots
}

/// Which configurations are compared in scatter plots.
fn pairs(overview: &Overview) -> Vec<(usize, usize)> {
    let count = overview.columns.len();
    if count <= MAX_ALL_PAIRS {
        return (0..count).flat_map(|x| (x + 1..count).map(move |y| (x, y))).collect();
    }
    let best = (0..count).max_by_key(|column| {
        let summary = overview.summary(*column, None);
        // Of equals the quickest; the last of the maxima is taken, so the order of columns decides last.
        (
            summary.num_solved(),
            std::cmp::Reverse((summary.cpu_seconds * 1000.0) as u64),
            std::cmp::Reverse(*column),
        )
    });
    let best = best.unwrap_or(0);
    (0..count).filter(|column| *column != best).map(|column| (best, column)).collect()
}

/// A label as a part of a file name.
fn file_part(label: &str) -> String {
    label
        .chars()
        .map(|char| if char.is_ascii_alphanumeric() || "-_.".contains(char) { char } else { '-' })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::result_file;

    #[test]
    fn every_plot_is_well_formed_and_becomes_a_picture() {
        let overview = Overview::new(&[result_file()]);
        let plots = plots(&overview);
        let names: Vec<&str> = plots.iter().map(|plot| plot.name.as_str()).collect();
        assert_eq!(names[..3], ["heat-map", "quantile", "scatter-expl_bfs-expl_dfs"]);
        assert_eq!(names.len(), 2 + 6);
        for plot in &plots {
            let png =
                to_png(&plot.svg).unwrap_or_else(|error| panic!("{}: {error}\n{}", plot.name, plot.svg));
            assert!(png.starts_with(b"\x89PNG") && png.len() > 5000, "{}: {} bytes", plot.name, png.len());
        }
    }

    #[test]
    fn labels_become_file_names() {
        assert_eq!(file_part("default @ old/1"), "default---old-1");
    }
}
