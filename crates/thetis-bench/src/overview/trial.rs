//! Predictors of timeouts, tried on recorded runs.
//!
//! A run of abstraction refinement with `record-iterations` says how long each iteration took and how much it did. That is all a
//! predictor sees, so what it would have predicted, and when, can be computed without a new run ([`Record::replay`]). A run counts
//! as predicted if the predictor would have stopped it before its time was over. It counts as a timeout if it had no answer in
//! time; runs that failed for other reasons do not count, as in the evaluation of Imeri 2025.
//!
//! How often a predictor is right is not the only measure. A predictor that predicts nothing until the last moment is always right but
//! useless, so the time it saves is reported too: the time between the prediction and the time limit, over all runs that timed out.
//!
//! To see how much depends on the sample, the tasks, sorted by their names, are dealt alternately to two halves, each with its own count.

use std::collections::BTreeSet;
use std::time::Duration;

use thetis_base::{Iteration, Statistics};
use thetis_engine::prediction::{
    Clock, Explosions, Features, IterationPart, IterationTimes, Patience, Predictor, Record, Regressor,
    RlsConstants, Times, Trend, Variant,
};

use super::prediction::{Confusion, timeout};
use crate::{ResultFile, Row};

/// A predictor on the recorded runs of one configuration.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// The configuration, and all runs of it that count.
    pub confusion: Confusion,
    /// Those about the first half of the tasks.
    pub first_half: Confusion,
    /// Those about the second half.
    pub second_half: Confusion,
    /// The part of the time of all timeouts that the predictor would have saved.
    pub saved: f64,
}

/// Makes a predictor that has seen nothing, for a run with this much time.
type Start = fn(Duration) -> Box<dyn Predictor>;

/// What can be tried, with the name in tables.
const CANDIDATES: [(&str, Start); 17] = [
    ("never", |_| Box::new(AfterShare(1.0))),
    ("always", |_| Box::new(AfterShare(0.0))),
    ("after a tenth of the time", |_| Box::new(AfterShare(0.1))),
    ("after 30 % of the time", |_| Box::new(AfterShare(0.3))),
    ("after half of the time", |_| Box::new(AfterShare(0.5))),
    ("`rls`", |left| rls(Variant::WITHOUT_EXPLOSIONS, left)),
    ("`rls-explosion`", |left| rls(Variant::DOCUMENT, left)),
    ("`rls-explosion`, multiplier 6", |left| rls_with(6.0, left)),
    ("`rls-explosion`, multiplier 2", |left| rls_with(2.0, left)),
    ("`rls-explosion`, multiplier 1.3", |left| rls_with(1.3, left)),
    ("`rls-explosion`, single iterations", |left| {
        rls(Variant { times: Times::Iteration, ..Variant::DOCUMENT }, left)
    }),
    ("`rls-explosion`, fitted to predictions", |left| {
        rls(Variant { regressor: Regressor::Predicted, ..Variant::DOCUMENT }, left)
    }),
    ("`rls-explosion`, refinements too", |left| {
        rls(Variant { explosions: Explosions::Watched(IterationPart::Whole), ..Variant::DOCUMENT }, left)
    }),
    ("`rls-explosion`, in real time", |left| rls(Variant { clock: Clock::Real, ..Variant::DOCUMENT }, left)),
    ("`rls-coarse`", |left| rls(Variant::COARSE, left)),
    ("`features`", |_| Box::new(Features::new())),
    ("`trend`", |_| Box::new(Trend::new())),
];

fn rls(variant: Variant, left: Duration) -> Box<dyn Predictor> {
    Box::new(IterationTimes::new(variant, &RlsConstants::default(), Some(left)))
}

/// The document's predictor with another multiplier; it is a compromise between precision and recall.
fn rls_with(multiplier: f64, left: Duration) -> Box<dyn Predictor> {
    let constants = RlsConstants { multiplier, ..RlsConstants::default() };
    Box::new(IterationTimes::new(Variant::DOCUMENT, &constants, Some(left)))
}

/// Every predictor on the recorded runs of every configuration, and on all of them together if there are several. Nothing if no
/// run is recorded.
pub fn trials(files: &[ResultFile]) -> Vec<Trial> {
    let samples = samples(files);
    let mut names: Vec<&str> = Vec::new();
    for sample in &samples {
        if !names.contains(&sample.configuration) {
            names.push(sample.configuration);
        }
    }
    let mut trials = Vec::new();
    let mut try_all = |name: &str, samples: &[&Sample<'_>]| {
        let tried = CANDIDATES.iter().map(|(predictor, start)| trial(predictor, *start, name, samples));
        trials.extend(tried);
    };
    for name in &names {
        let own: Vec<&Sample<'_>> = samples.iter().filter(|sample| sample.configuration == *name).collect();
        try_all(name, &own);
    }
    if names.len() > 1 {
        try_all("all", &samples.iter().collect::<Vec<&Sample<'_>>>());
    }
    trials
}

/// A recorded run that counts.
pub(super) struct Sample<'f> {
    pub(super) configuration: &'f str,
    pub(super) task: &'f str,
    pub(super) record: Record,
    pub(super) is_timeout: bool,
    is_second_half: bool,
}

pub(super) fn samples(files: &[ResultFile]) -> Vec<Sample<'_>> {
    let rows = || files.iter().flat_map(|file| &file.rows);
    let tasks: BTreeSet<(&str, &str)> = rows().map(Row::task_key).collect();
    let second_half: BTreeSet<(&str, &str)> = tasks.into_iter().skip(1).step_by(2).collect();
    let sample = |row| {
        let row: &Row = row;
        let statistics: Statistics = serde_json::from_value(row.statistics.clone()).ok()?;
        Some(Sample {
            configuration: &row.configuration,
            task: &row.task,
            record: Record::find(&statistics)?,
            is_timeout: timeout(row)?,
            is_second_half: second_half.contains(&row.task_key()),
        })
    };
    rows().filter_map(sample).collect()
}

fn trial(predictor: &str, start: Start, configuration: &str, samples: &[&Sample<'_>]) -> Trial {
    let nothing = || Confusion::new(predictor.to_owned(), configuration.to_owned());
    let mut trial = Trial { confusion: nothing(), first_half: nothing(), second_half: nothing(), saved: 0.0 };
    let (mut saved, mut whole) = (Duration::ZERO, Duration::ZERO);
    for sample in samples {
        let predicted = sample.record.replay(&mut *start(sample.record.left));
        let half = if sample.is_second_half { &mut trial.second_half } else { &mut trial.first_half };
        for confusion in [&mut trial.confusion, half] {
            confusion.add(predicted.is_some(), sample.is_timeout);
        }
        if sample.is_timeout {
            let deadline = sample.record.deadline();
            whole += deadline;
            saved += predicted.map_or(Duration::ZERO, |predicted| deadline.saturating_sub(predicted));
        }
    }
    if !whole.is_zero() {
        trial.saved = saved.as_secs_f64() / whole.as_secs_f64();
    }
    trial
}

/// Predicts a timeout after a share of the time, whatever happens: a baseline for the others.
struct AfterShare(f64);

impl Predictor for AfterShare {
    fn observe(&mut self, _: &Iteration) {}

    fn is_hopeless(&self, elapsed: Duration, left: Duration) -> bool {
        elapsed > (elapsed + left).mul_f64(self.0)
    }

    fn patience(&self, elapsed: Duration, left: Duration) -> Option<Patience> {
        Some(Patience::with_all((elapsed + left).mul_f64(self.0).saturating_sub(elapsed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{header, recorded, row};
    use crate::{Configuration, RowOutcome};

    fn file(rows: Vec<Row>) -> ResultFile {
        let mut header = header();
        header.configurations =
            vec![Configuration { name: "plain".to_owned(), ..Configuration::default_one() }];
        ResultFile { path: "r".into(), header, rows }
    }

    fn counts(confusion: &Confusion) -> [usize; 4] {
        let Confusion { true_positives, false_positives, false_negatives, true_negatives, .. } = confusion;
        [*true_positives, *false_positives, *false_negatives, *true_negatives]
    }

    #[test]
    fn predictors_are_counted_on_both_halves() {
        let rows = vec![
            recorded("a", &[100, 100, 9_800]),
            recorded("b", &[100, 100]),
            recorded("c", &[100, 7_000]),
            recorded("d", &[5_000, 5_000]),
            Row { outcome: RowOutcome::Unknown, ..recorded("e", &[10]) },
            row("plain", "f"),
        ];
        let trials = trials(&[file(rows)]);
        assert_eq!(trials.len(), CANDIDATES.len());
        let named = |name: &str| trials.iter().find(|trial| trial.confusion.predictor == name).unwrap();
        let (never, always) = (named("never"), named("always"));
        assert_eq!((counts(&never.confusion), never.saved), ([0, 0, 2, 2], 0.0));
        assert_eq!((counts(&always.confusion), always.saved), ([2, 2, 0, 0], 1.0));
        assert_eq!((counts(&always.first_half), counts(&always.second_half)), ([1, 1, 0, 0], [1, 1, 0, 0]));
        let half = named("after half of the time");
        assert_eq!((counts(&half.confusion), half.saved), ([2, 1, 0, 1], 0.5));
        assert_eq!(counts(&named("`rls-explosion`").confusion)[0], 2);
    }

    #[test]
    fn without_records_there_are_no_trials() {
        assert_eq!(trials(&[file(vec![row("plain", "a")])]), []);
    }
}
