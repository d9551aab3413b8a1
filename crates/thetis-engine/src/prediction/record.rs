//! The record of a run of an iterating engine, on which predictors can be tried later.
//!
//! A record is a part of the statistics: when the first iteration started, how much time was left then, and for each figure of
//! iterations a text of numbers, one for each iteration. The last iteration ended the run, with an answer or because a limit was
//! reached.
//!
//! [`Record::replay`] does what an engine does with a predictor, step for step: it asks how long the current iteration may
//! take, reports the figures of the iteration when it is over, and asks whether to go on. Until it is stopped, an engine
//! takes the same steps with a predictor as without one, so the outcome is that of a run with the predictor.

use std::time::Duration;

use thetis_base::{Iteration, Statistic, Statistics};

use super::{IterationPart, Patience, Predictor};

/// The iterations of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// What the run had [spent](thetis_base::Run::spent) when the first iteration started.
    pub started: Duration,
    /// How much was left then.
    pub left: Duration,
    /// All iterations. The last one may be incomplete.
    pub iterations: Vec<Iteration>,
}

impl Record {
    /// The name of the part of the statistics.
    pub const NAME: &str = "record";

    /// The record as a part of statistics. Times are rounded to tenths of milliseconds.
    pub fn to_statistics(&self) -> Statistics {
        let column = |figure: &dyn Fn(&Iteration) -> String| {
            self.iterations.iter().map(figure).collect::<Vec<String>>().join(" ")
        };
        Statistics::new(Self::NAME)
            .time("started", self.started)
            .time("left", self.left)
            .text("milliseconds", column(&|iteration| milliseconds(iteration.time)))
            .text("refinement-milliseconds", column(&|iteration| milliseconds(iteration.refinement)))
            .text("nodes", column(&|iteration| iteration.nodes.to_string()))
            .text("tracked", column(&|iteration| iteration.tracked.to_string()))
            .text("queries", column(&|iteration| iteration.queries.to_string()))
    }

    /// The first record in `statistics` or its parts.
    pub fn find(statistics: &Statistics) -> Option<Record> {
        if statistics.name == Self::NAME {
            return Record::read(statistics);
        }
        statistics.parts.iter().find_map(Record::find)
    }

    fn read(part: &Statistics) -> Option<Record> {
        let times = column::<f64>(part, "milliseconds")?;
        let refinements = column::<f64>(part, "refinement-milliseconds")?;
        let nodes = column::<u64>(part, "nodes")?;
        let tracked = column::<u64>(part, "tracked")?;
        let queries = column::<u64>(part, "queries")?;
        let iterations = (0..times.len()).map(|at| {
            Some(Iteration {
                number: at as u64 + 1,
                time: from_milliseconds(times[at])?,
                refinement: from_milliseconds(*refinements.get(at)?)?,
                nodes: *nodes.get(at)?,
                tracked: *tracked.get(at)?,
                queries: *queries.get(at)?,
            })
        });
        Some(Record {
            started: seconds(part, "started")?,
            left: seconds(part, "left")?,
            iterations: iterations.collect::<Option<Vec<Iteration>>>()?,
        })
    }

    /// When the time of the run was over.
    pub fn deadline(&self) -> Duration {
        self.started + self.left
    }

    /// When `predictor`, which has seen nothing yet, would have stopped the run, if at all.
    pub fn replay(&self, predictor: &mut dyn Predictor) -> Option<Duration> {
        let deadline = self.deadline();
        let mut now = self.started;
        let (last, complete) = self.iterations.split_last()?;
        for iteration in complete {
            if let Some(stopped) = exploded(&*predictor, now, deadline, iteration) {
                return Some(stopped);
            }
            now += iteration.time;
            predictor.observe(iteration);
            if predictor.is_hopeless(now, deadline.saturating_sub(now)) {
                return Some(now);
            }
        }
        exploded(&*predictor, now, deadline, last)
    }
}

/// When `iteration`, which started at `now`, would have been stopped, if at all.
fn exploded(
    predictor: &dyn Predictor,
    now: Duration,
    deadline: Duration,
    iteration: &Iteration,
) -> Option<Duration> {
    let Patience { time, part } = predictor.patience(now, deadline.saturating_sub(now))?;
    let taken = match part {
        IterationPart::Abstraction => iteration.time.saturating_sub(iteration.refinement),
        IterationPart::Whole => iteration.time,
    };
    let stopped = now.saturating_add(time);
    (time <= taken && stopped < deadline).then_some(stopped)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.1}", time.as_secs_f64() * 1e3)
}

fn from_milliseconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number / 1e3).ok()
}

fn entry<'s>(part: &'s Statistics, name: &str) -> Option<&'s Statistic> {
    part.entries.iter().find(|(entry, _)| entry == name).map(|(_, figure)| figure)
}

fn seconds(part: &Statistics, name: &str) -> Option<Duration> {
    match entry(part, name)? {
        Statistic::Seconds(seconds) => Duration::try_from_secs_f64(*seconds).ok(),
        Statistic::Count(count) => Some(Duration::from_secs(*count)),
        Statistic::Text(_) => None,
    }
}

fn column<T: std::str::FromStr>(part: &Statistics, name: &str) -> Option<Vec<T>> {
    match entry(part, name)? {
        Statistic::Text(text) => text.split_whitespace().map(|number| number.parse().ok()).collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stops after an iteration of at least one second, and during one of more than four.
    struct Strict {
        last: Duration,
        part: IterationPart,
    }

    impl Predictor for Strict {
        fn observe(&mut self, iteration: &Iteration) {
            self.last = iteration.time;
        }

        fn is_hopeless(&self, _: Duration, _: Duration) -> bool {
            self.last >= Duration::from_secs(1)
        }

        fn patience(&self, _: Duration, _: Duration) -> Option<Patience> {
            Some(Patience { time: Duration::from_secs(4), part: self.part })
        }
    }

    fn record(milliseconds: &[u64]) -> Record {
        let iteration = |time: &u64| Iteration {
            time: Duration::from_millis(*time),
            nodes: *time + 1,
            tracked: 7,
            queries: 2 * *time,
            ..Iteration::default()
        };
        let mut iterations: Vec<Iteration> = milliseconds.iter().map(iteration).collect();
        (1..).zip(&mut iterations).for_each(|(number, iteration)| iteration.number = number);
        Record { started: Duration::from_millis(500), left: Duration::from_secs(10), iterations }
    }

    fn stopped(milliseconds: &[u64]) -> Option<u128> {
        record(milliseconds)
            .replay(&mut Strict { last: Duration::ZERO, part: IterationPart::Whole })
            .map(|time| time.as_millis())
    }

    #[test]
    fn a_record_comes_back() {
        let record = record(&[3, 20, 0]);
        let whole = Statistics::new("check").part(Statistics::new("cegar").part(record.to_statistics()));
        assert_eq!(Record::find(&whole), Some(record));
        assert_eq!(Record::find(&Statistics::new("cegar")), None);
    }

    #[test]
    fn a_long_refinement_is_no_explosion() {
        let mut record = record(&[5000]);
        record.iterations[0].refinement = Duration::from_millis(1001);
        let stopped = |part| record.replay(&mut Strict { last: Duration::ZERO, part });
        assert_eq!(stopped(IterationPart::Abstraction), None);
        assert_eq!(stopped(IterationPart::Whole), Some(Duration::from_millis(4500)));
        record.iterations[0].refinement = Duration::from_millis(999);
        let mut strict = Strict { last: Duration::ZERO, part: IterationPart::Abstraction };
        assert_eq!(record.replay(&mut strict), Some(Duration::from_millis(4500)));
    }

    #[test]
    fn a_replay_does_what_an_engine_does() {
        assert_eq!(stopped(&[]), None);
        assert_eq!(stopped(&[10, 20, 999]), None);
        // Hopeless after the second iteration, which is not the last.
        assert_eq!(stopped(&[10, 1000, 20]), Some(1510));
        // The last iteration ends the run by itself.
        assert_eq!(stopped(&[10, 1000]), None);
        // Stopped four seconds after its start, 0.51 s.
        assert_eq!(stopped(&[10, 5000]), Some(4510));
        // The end at 10.5 s comes first.
        assert_eq!(stopped(&[900; 8]), None);
        assert_eq!(stopped(&[900, 900, 900, 900, 900, 900, 900, 5000]), None);
    }
}
