//! Statistics as a tree of named parts.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// What one part of a run has counted, and its sub-parts.
#[derive(Clone, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// The name of the part, the same word as in options and manual.
    pub name: String,
    /// Named figures in a fixed order.
    pub entries: Vec<(String, Statistic)>,
    /// Sub-parts.
    pub parts: Vec<Statistics>,
}

/// One figure.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Statistic {
    /// How many.
    Count(u64),
    /// How long, written in seconds.
    Seconds(f64),
    /// Anything else.
    Text(String),
}

impl Statistics {
    /// An empty part.
    pub fn new(name: impl Into<String>) -> Statistics {
        Statistics { name: name.into(), ..Statistics::default() }
    }

    /// With a count.
    #[must_use]
    pub fn count(mut self, name: &str, count: u64) -> Statistics {
        self.entries.push((name.into(), Statistic::Count(count)));
        self
    }

    /// With a time.
    #[must_use]
    pub fn time(mut self, name: &str, time: Duration) -> Statistics {
        self.entries.push((name.into(), Statistic::Seconds(time.as_secs_f64())));
        self
    }

    /// With a text.
    #[must_use]
    pub fn text(mut self, name: &str, text: impl Into<String>) -> Statistics {
        self.entries.push((name.into(), Statistic::Text(text.into())));
        self
    }

    /// With a sub-part.
    #[must_use]
    pub fn part(mut self, part: Statistics) -> Statistics {
        self.parts.push(part);
        self
    }
}

/// The summed time of a repeated activity.
#[derive(Clone, Copy, Default, Debug)]
pub struct Stopwatch {
    total: Duration,
}

impl Stopwatch {
    /// Does `work` and adds the time it takes.
    pub fn time<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.total += start.elapsed();
        result
    }

    /// The time so far.
    pub fn total(&self) -> Duration {
        self.total
    }
}
