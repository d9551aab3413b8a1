//! The course of recorded runs under the document's predictor: what it expected, what happened, and when it would have stopped the
//! run.
//!
//! Imeri 2025 explains the predictor with five figures, each of a kind of run. [`courses`] finds a run of each kind among recorded ones.

use std::time::Duration;

use thetis_engine::prediction::{IterationTimes, Predictor, Record, RlsConstants, Variant};

use super::trial::{Sample, samples};
use crate::ResultFile;

/// One run, with times on a stopwatch that starts with the first iteration, in seconds.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Course {
    /// The figure of the document that it resembles.
    pub(crate) figure: &'static str,
    /// What happens in it.
    pub(crate) story: &'static str,
    pub(crate) configuration: String,
    pub(crate) task: String,
    pub(crate) multiplier: f64,
    /// The end of each iteration; the last one may have been cut by the limit.
    pub(crate) ends: Vec<f64>,
    /// What was expected for each of them.
    pub(crate) expected: Vec<f64>,
    /// The time of the run.
    pub(crate) limit: f64,
    /// When the predictor would have stopped it.
    pub(crate) stopped: Option<f64>,
    pub(crate) is_timeout: bool,
}

impl Course {
    /// The iteration during or before which the run is stopped; otherwise the last one.
    pub(crate) fn last(&self) -> usize {
        let stopped = self.stopped.unwrap_or(f64::INFINITY);
        self.ends.iter().position(|end| *end > stopped + ROUNDING).unwrap_or(self.ends.len() - 1)
    }

    /// Whether it is stopped while an iteration lasts.
    fn is_exploded(&self) -> bool {
        self.stopped.is_some_and(|stopped| self.ends.iter().all(|end| (end - stopped).abs() > ROUNDING))
    }
}

/// Times that differ by less are the same, in seconds.
const ROUNDING: f64 = 1e-9;

/// A kind of run: the figure, the multiplier, what it shows, and which runs show it.
type FigureKind = (&'static str, f64, &'static str, fn(&Course) -> bool);

const KINDS: [FigureKind; 5] = [
    ("3.9", 3.0, "expectations follow the measured times", |course| {
        course.stopped.is_none() && !course.is_timeout
    }),
    (
        "3.10",
        3.0,
        "the next iteration is expected to end too late, so the run is stopped before it",
        |course| course.stopped.is_some() && !course.is_exploded() && course.is_timeout,
    ),
    ("3.11", 2.0, "an iteration takes much longer than expected and is stopped", |course| {
        course.is_exploded() && course.is_timeout
    }),
    ("3.12", 2.0, "the time is over before the iteration has taken long enough to be stopped", |course| {
        course.stopped.is_none() && course.is_timeout
    }),
    ("3.13", 1.3, "a small multiplier stops a run that would have had an answer", |course| {
        course.is_exploded() && !course.is_timeout
    }),
];

/// For each figure the recorded run with the most iterations that still fits into a drawing, if there is one.
pub(crate) fn courses(files: &[ResultFile]) -> Vec<Course> {
    let samples = samples(files);
    let find = |(figure, multiplier, story, fits): &FigureKind| {
        let all = samples.iter().map(|sample| course(sample, figure, *multiplier, story)).filter(fits);
        let length = |course: &Course| course.last() + 1;
        all.filter(|course| length(course) <= MAX_ITERATIONS).max_by_key(length)
    };
    KINDS.iter().filter_map(find).collect()
}

/// The most iterations that a figure shows well.
const MAX_ITERATIONS: usize = 30;

fn course(sample: &Sample<'_>, figure: &'static str, multiplier: f64, story: &'static str) -> Course {
    let record = &sample.record;
    let constants = RlsConstants { multiplier, ..RlsConstants::default() };
    let predictor = || IterationTimes::new(Variant::DOCUMENT, &constants, Some(record.left));
    let (ends, expected) = measured(record, predictor());
    let stopped = record.replay(&mut predictor());
    Course {
        figure,
        story,
        configuration: sample.configuration.to_owned(),
        task: sample.task.to_owned(),
        multiplier,
        ends,
        expected,
        limit: record.left.as_secs_f64(),
        stopped: stopped.map(|time| time.saturating_sub(record.started).as_secs_f64()),
        is_timeout: sample.is_timeout,
    }
}

/// The ends of all iterations, and what was expected for them.
fn measured(record: &Record, mut predictor: IterationTimes) -> (Vec<f64>, Vec<f64>) {
    let mut now = Duration::ZERO;
    let (mut ends, mut expected) = (Vec::new(), Vec::new());
    for iteration in &record.iterations {
        expected.push(predictor.next().as_secs_f64());
        now += iteration.time;
        ends.push(now.as_secs_f64());
        predictor.observe(iteration);
    }
    (ends, expected)
}
