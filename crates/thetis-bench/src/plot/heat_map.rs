//! The heat map of success rates, as in Hajdu and Micskei (2019), figures 9 to 15: a row for each configuration, a column for
//! each set and one for all; a cell has the number of solved tasks, their CPU time and the greatest memory, on a colour that
//! shows the share of solved tasks. The last row is the virtual best.

use super::Plot;
use super::svg::{Anchor, BLACK, GREY, Style, Svg, fitted, text_width};
use crate::table::{bytes, seconds};
use crate::{Overview, Summary};

const CELL_WIDTH: f64 = 92.0;
const CELL_HEIGHT: f64 = 40.0;
/// The space between groups of configurations, and before the last row and column.
const GAP: f64 = 8.0;
const SIZE: f64 = 12.0;
const SMALL: f64 = 9.0;
const MAX_LABEL: f64 = 200.0;
/// Up to this many options get a column of their own; more would leave no room.
const MAX_OPTIONS: usize = 4;

pub(super) fn plot(overview: &Overview) -> Plot {
    Plot {
        name: "heat-map".to_owned(),
        title: "Solved tasks by configuration and set".to_owned(),
        caption: "Each cell: solved tasks, their CPU time, their greatest memory. The colour is the part of the tasks \
                  that is solved. The virtual best takes the quickest configuration for each task."
            .to_owned(),
        svg: draw(overview),
        is_small: false,
    }
}

/// The labels on the left of the rows, in one or more columns.
struct Words {
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
    widths: Vec<f64>,
}

impl Words {
    /// The options where configurations differ in a few; otherwise the names.
    fn new(overview: &Overview) -> Words {
        let options = overview.varied.len();
        let tells_all = (1..=MAX_OPTIONS).contains(&options) && all_differ(overview);
        let (heads, rows): (Vec<String>, Vec<Vec<String>>) = if tells_all {
            let short = |key: &String| key.rsplit('.').next().unwrap_or(key).to_owned();
            let heads = overview.varied.iter().map(short).collect();
            (heads, overview.columns.iter().map(|column| column.options.clone()).collect())
        } else {
            let rows = overview.columns.iter().map(|column| vec![column.label.clone()]).collect();
            (vec!["configuration".to_owned()], rows)
        };
        let widths = (0..heads.len())
            .map(|number| {
                let words = rows.iter().map(|row| &row[number]).chain([&heads[number]]);
                words.map(|word| text_width(word, SIZE)).fold(40.0, f64::max).min(MAX_LABEL) + 14.0
            })
            .collect();
        Words { heads, rows, widths }
    }

    fn width(&self) -> f64 {
        self.widths.iter().sum::<f64>().max(text_width("virtual best", SIZE) + 14.0)
    }
}

fn all_differ(overview: &Overview) -> bool {
    let columns = &overview.columns;
    (0..columns.len())
        .all(|number| columns[..number].iter().all(|one| one.options != columns[number].options))
}

fn draw(overview: &Overview) -> String {
    let words = Words::new(overview);
    let heads: Vec<(String, usize)> =
        overview.sets.iter().cloned().chain([("all".to_owned(), overview.lines.len())]).collect();
    let left = 12.0 + words.width();
    let longest = heads.iter().map(|(name, _)| text_width(name, SIZE)).fold(60.0, f64::max).min(220.0);
    // Names of sets stand at an angle of 40 degrees.
    let top = 24.0 + longest * 0.65 + 22.0;
    let xs: Vec<f64> = (0..heads.len())
        .map(|number| left + number as f64 * CELL_WIDTH + if number + 1 == heads.len() { GAP } else { 0.0 })
        .collect();
    let ys = rows_at(overview, top);
    let width = xs[xs.len() - 1] + CELL_WIDTH + (longest * 0.8 - CELL_WIDTH / 2.0).max(0.0) + 16.0;
    let legend_y = ys[ys.len() - 1] + CELL_HEIGHT + 22.0;
    let mut svg = Svg::new(width.max(420.0), legend_y + 34.0);
    draw_heads(&mut svg, &words, &heads, &xs, top);
    for (row, y) in ys.iter().enumerate() {
        let is_best = row == overview.columns.len();
        draw_words(&mut svg, &words, row, *y);
        for (column, x) in xs.iter().enumerate() {
            let set = overview.sets.get(column).map(|(name, _)| name.as_str());
            let summary = if is_best { overview.virtual_best(set) } else { overview.summary(row, set) };
            draw_cell(&mut svg, [*x, *y], &summary);
        }
    }
    draw_legend(&mut svg, [12.0, legend_y]);
    svg.finish()
}

/// Where the rows begin: groups stand apart, and so does the virtual best.
fn rows_at(overview: &Overview, top: f64) -> Vec<f64> {
    let mut y = top;
    let mut rows = Vec::new();
    for (number, column) in overview.columns.iter().enumerate() {
        let is_new_group =
            number > 0 && column.options.first() != overview.columns[number - 1].options.first();
        if is_new_group && overview.varied.len() > 1 {
            y += GAP;
        }
        rows.push(y);
        y += CELL_HEIGHT;
    }
    rows.push(y + GAP);
    rows
}

fn draw_heads(svg: &mut Svg, words: &Words, heads: &[(String, usize)], xs: &[f64], top: f64) {
    let mut x = 12.0;
    for (head, width) in words.heads.iter().zip(&words.widths) {
        svg.text(
            [x, top - 8.0],
            &fitted(head, SMALL + 1.0, *width),
            Style::new(SMALL + 1.0, Anchor::Start).filled(GREY),
        );
        x += width;
    }
    for ((name, count), x) in heads.iter().zip(xs) {
        let middle = x + CELL_WIDTH / 2.0;
        svg.text(
            [middle, top - 8.0],
            &count.to_string(),
            Style::new(SMALL + 1.0, Anchor::Middle).filled(GREY),
        );
        let name = fitted(name, SIZE, 220.0);
        svg.text([middle, top - 24.0], &name, Style::new(SIZE, Anchor::Start).rotated(-40.0));
    }
}

fn draw_words(svg: &mut Svg, words: &Words, row: usize, y: f64) {
    let base = y + CELL_HEIGHT / 2.0 + 4.0;
    let style = Style::new(SIZE, Anchor::Start);
    let Some(texts) = words.rows.get(row) else {
        svg.text([12.0, base], "virtual best", style);
        return;
    };
    let mut x = 12.0;
    for (text, width) in texts.iter().zip(&words.widths) {
        let text = if text.is_empty() { "–" } else { text };
        svg.text([x, base], &fitted(text, SIZE, width - 8.0), style);
        x += width;
    }
}

fn draw_cell(svg: &mut Svg, [x, y]: [f64; 2], summary: &Summary) {
    let has_runs = summary.num_runs > 0;
    let fill = if has_runs { colour(summary.success_rate()) } else { "#f4f4f4".to_owned() };
    svg.rect([x + 1.0, y + 1.0, CELL_WIDTH - 2.0, CELL_HEIGHT - 2.0], &fill);
    if !has_runs {
        return;
    }
    let ink = if summary.success_rate() > 0.72 { "#ffffff" } else { BLACK };
    let middle = x + CELL_WIDTH / 2.0;
    let count = summary.num_solved().to_string();
    svg.text([middle, y + 18.0], &count, Style::new(14.0, Anchor::Middle).filled(ink));
    if summary.num_solved() > 0 {
        let detail = format!("{} · {}", seconds(summary.cpu_seconds), bytes(summary.peak_memory_bytes));
        svg.text([middle, y + 32.0], &detail, Style::new(SMALL, Anchor::Middle).filled(ink));
    }
}

fn draw_legend(svg: &mut Svg, [x, y]: [f64; 2]) {
    svg.text([x, y + 12.0], "solved", Style::new(SMALL + 1.0, Anchor::Start).filled(GREY));
    for percent in 0..=100u32 {
        svg.rect([x + 55.0 + f64::from(percent) * 2.0, y, 2.2, 14.0], &colour(f64::from(percent) / 100.0));
    }
    for percent in [0u32, 50, 100] {
        let at = [x + 56.0 + f64::from(percent) * 2.0, y + 26.0];
        svg.text(at, &format!("{percent} %"), Style::new(SMALL, Anchor::Middle).filled(GREY));
    }
}

/// From pale yellow through green to dark blue: lightness decreases with the rate, so that the map is readable without
/// colours.
fn colour(rate: f64) -> String {
    const STOPS: [[f64; 3]; 5] = [
        [255.0, 250.0, 214.0],
        [199.0, 228.0, 172.0],
        [111.0, 190.0, 158.0],
        [44.0, 132.0, 152.0],
        [20.0, 66.0, 118.0],
    ];
    let at = rate.clamp(0.0, 1.0) * (STOPS.len() - 1) as f64;
    let low = (at.floor() as usize).min(STOPS.len() - 2);
    let part = at - low as f64;
    let mix = |channel: usize| STOPS[low][channel] + part * (STOPS[low + 1][channel] - STOPS[low][channel]);
    format!("#{:02x}{:02x}{:02x}", mix(0).round() as u8, mix(1).round() as u8, mix(2).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::result_file;

    #[test]
    fn cells_show_solved_tasks_and_rows_options() {
        let svg = plot(&Overview::new(&[result_file()])).svg;
        for words in [
            ">domain<",
            ">search<",
            ">expl<",
            ">dfs<",
            ">cfa/large<",
            ">virtual best<",
            ">7<",
            "3.54 s · 52.4 MB",
        ] {
            assert!(svg.contains(words), "{words} in {svg}");
        }
    }

    #[test]
    fn colours_go_from_light_to_dark() {
        let lightness = |rate| {
            let text = colour(rate);
            (0..3).map(|at| u32::from_str_radix(&text[1 + 2 * at..3 + 2 * at], 16).unwrap()).sum::<u32>()
        };
        let all: Vec<u32> = (0..=20).map(|step| lightness(f64::from(step) / 20.0)).collect();
        assert!(all.is_sorted_by(|a, b| a > b), "{all:?}");
    }
}
