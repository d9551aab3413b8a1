//! How well runs predict that they will not end in time.
//!
//! A run with a predictor has the figure [`PREDICTION_KEY`] in its statistics, in whatever part: 1 if it predicted a timeout, 0 if
//! it did not. It cannot show whether it was right, because it gives up at its prediction. So predictions are compared with another
//! configuration that does not predict, the *baseline*, as in the evaluation of timeout prediction for portfolios: a prediction is
//! right if the baseline has no answer in time. Tasks on which the baseline fails for another reason do not count.

use serde_json::Value;

use super::Overview;
use crate::{Row, RowOutcome};

/// The name of the figure: 1 for a predicted timeout, 0 for none.
pub const PREDICTION_KEY: &str = thetis_engine::prediction::PREDICTED_TIMEOUT;

/// Predictions against what happened.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Confusion {
    /// The configuration that predicts.
    pub predictor: String,
    /// The configuration that shows what happens.
    pub baseline: String,
    /// Predicted, and happened.
    pub true_positives: usize,
    /// Predicted, but did not happen.
    pub false_positives: usize,
    /// Not predicted, but happened.
    pub false_negatives: usize,
    /// Neither.
    pub true_negatives: usize,
}

impl Confusion {
    /// One for each configuration with predictions, compared with the first one without.
    pub fn all(overview: &Overview) -> Vec<Confusion> {
        let columns = 0..overview.columns.len();
        let predicts = |column: usize| {
            overview.lines.iter().flat_map(|line| &line.rows[column]).any(|row| prediction(row).is_some())
        };
        let Some(baseline) = columns.clone().find(|column| !predicts(*column)) else { return Vec::new() };
        columns
            .filter(|column| predicts(*column))
            .map(|column| Confusion::of(overview, column, baseline))
            .collect()
    }

    /// Nothing counted yet.
    pub(crate) fn new(predictor: String, baseline: String) -> Confusion {
        Confusion { predictor, baseline, ..Confusion::default() }
    }

    fn of(overview: &Overview, predictor: usize, baseline: usize) -> Confusion {
        let label = |column: usize| overview.columns[column].label.clone();
        let mut confusion = Confusion::new(label(predictor), label(baseline));
        for line in &overview.lines {
            let predicted = line.rows[predictor].as_ref().and_then(prediction);
            let happened = line.rows[baseline].as_ref().and_then(timeout);
            if let (Some(predicted), Some(happened)) = (predicted, happened) {
                confusion.add(predicted, happened);
            }
        }
        confusion
    }

    /// Counts one run.
    pub(crate) fn add(&mut self, predicted: bool, happened: bool) {
        let count = match (predicted, happened) {
            (true, true) => &mut self.true_positives,
            (true, false) => &mut self.false_positives,
            (false, true) => &mut self.false_negatives,
            (false, false) => &mut self.true_negatives,
        };
        *count += 1;
    }

    /// Named measures, each the ratio of two counts; none where the second is zero.
    pub fn measures(&self) -> [(&'static str, Option<f64>); 5] {
        let Confusion {
            true_positives: tp,
            false_positives: fp,
            false_negatives: fn_,
            true_negatives: tn,
            ..
        } = *self;
        let ratio = |part: usize, whole: usize| (whole > 0).then(|| part as f64 / whole as f64);
        [
            ("accuracy", ratio(tp + tn, tp + tn + fp + fn_)),
            ("precision", ratio(tp, tp + fp)),
            ("recall", ratio(tp, tp + fn_)),
            ("specificity", ratio(tn, tn + fp)),
            ("F1", ratio(2 * tp, 2 * tp + fp + fn_)),
        ]
    }
}

/// Whether the baseline was out of time; nothing if it failed otherwise.
pub(crate) fn timeout(row: &Row) -> Option<bool> {
    match row.outcome {
        RowOutcome::Timeout => Some(true),
        outcome if outcome.is_solved() => Some(false),
        _ => None,
    }
}

/// The prediction of a run: true if one of its parts has predicted a timeout.
fn prediction(row: &Row) -> Option<bool> {
    let mut found = None;
    let mut pending = vec![&row.statistics];
    while let Some(part) = pending.pop() {
        let entries = part["entries"].as_array().into_iter().flatten();
        for entry in entries.filter(|entry| entry[0] == PREDICTION_KEY) {
            let is_predicted = entry[1].as_u64().is_some_and(|count| count > 0);
            found = Some(found.unwrap_or(false) || is_predicted);
        }
        pending.extend(part["parts"].as_array().into_iter().flatten().collect::<Vec<&Value>>());
    }
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::samples::{header, row};
    use crate::{Configuration, ResultFile};

    #[test]
    fn predictions_are_counted_against_the_baseline() {
        let mut rows = Vec::new();
        let cases = [
            (1, RowOutcome::Timeout),
            (1, RowOutcome::Correct),
            (0, RowOutcome::Timeout),
            (0, RowOutcome::Correct),
            (1, RowOutcome::Timeout),
            (1, RowOutcome::Error),
        ];
        for (number, (predicted, outcome)) in cases.into_iter().enumerate() {
            let task = number.to_string();
            let inner = json!({"name": "cegar", "entries": [["rounds", 3], [PREDICTION_KEY, predicted]], "parts": []});
            let statistics = json!({"name": "portfolio", "entries": [], "parts": [inner]});
            rows.push(Row { statistics, ..row("predicting", &task) });
            rows.push(Row { outcome, ..row("plain", &task) });
        }
        let named = |name: &str| Configuration { name: name.to_owned(), ..Configuration::default_one() };
        let mut header = header();
        header.configurations = vec![named("predicting"), named("plain")];
        let overview = Overview::new(&[ResultFile { path: "r".into(), header, rows }]);
        let all = Confusion::all(&overview);
        assert_eq!(all.len(), 1);
        assert_eq!((all[0].predictor.as_str(), all[0].baseline.as_str()), ("predicting", "plain"));
        let counts =
            [all[0].true_positives, all[0].false_positives, all[0].false_negatives, all[0].true_negatives];
        assert_eq!(counts, [2, 1, 1, 1]);
        let measures = all[0].measures();
        assert_eq!(measures[0], ("accuracy", Some(0.6)));
        assert_eq!(measures[4], ("F1", Some(4.0 / 6.0)));
    }

    #[test]
    fn every_cell_is_counted_and_empty_ratios_are_none() {
        let mut confusion = Confusion::new("p".to_owned(), "b".to_owned());
        assert_eq!(confusion.measures().map(|(_, value)| value), [None; 5]);
        let runs = [(true, true), (true, true), (true, false), (false, true), (false, false), (false, false)];
        runs.iter().for_each(|(predicted, happened)| confusion.add(*predicted, *happened));
        let expected = Confusion {
            true_positives: 2,
            false_positives: 1,
            false_negatives: 1,
            true_negatives: 2,
            ..confusion.clone()
        };
        assert_eq!(confusion, expected);
        let two_thirds = Some(2.0 / 3.0);
        assert_eq!(confusion.measures().map(|(_, value)| value), [two_thirds; 5]);
    }

    #[test]
    fn the_figures_of_the_document_come_out() {
        let confusion = Confusion {
            predictor: String::new(),
            baseline: String::new(),
            true_positives: 290,
            false_positives: 26,
            false_negatives: 146,
            true_negatives: 575,
        };
        let measures: Vec<String> =
            confusion.measures().iter().map(|(_, value)| format!("{:.4}", value.unwrap())).collect();
        assert_eq!(measures, ["0.8341", "0.9177", "0.6651", "0.9567", "0.7713"]);
    }
}
