//! What a worker process and the portfolio say to each other: a request on standard input, then messages, one JSON value
//! a line, on standard output.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thetis_base::{Event, Fact, Statistics};

use super::stage::UseOfFacts;

/// What a worker has to do.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Request {
    /// The configuration, as TOML.
    pub config: String,
    /// What the stages before have found.
    pub facts: Vec<Fact>,
    /// What to do with it.
    pub use_of_facts: UseOfFacts,
    /// Whether to tell what is found.
    pub tells: bool,
    /// The wall time, in milliseconds.
    pub time: Option<u64>,
    /// The CPU time, in milliseconds.
    pub cpu_time: Option<u64>,
    /// The memory, in bytes.
    pub memory: Option<u64>,
}

/// What a worker tells. The last message is one of the last three.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// Something happens.
    Event(Event),
    /// What it has counted.
    Statistics(Statistics),
    /// It has an answer: the certificate.
    Certificate(Value),
    /// It has none, and says why.
    Unknown(String),
    /// It ran out of time or memory and noticed.
    Exhausted(Exhausted),
}

/// What a worker has no more of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exhausted {
    /// Time.
    Time,
    /// Memory.
    Memory,
}

impl Message {
    /// The message as one line, without its end.
    pub fn line(&self) -> String {
        serde_json::to_string(self).expect("a message should be representable as JSON")
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Message, serde_json::Error> {
        serde_json::from_str(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_through() {
        let fact = Fact::Invariant { location: "l\n\"1\"".into(), formula: "(<= x 3)".into() };
        let statistics = Statistics::new("bmc").count("queries", 3).text("word", "a");
        for message in [
            Message::Event(Event::Fact(fact)),
            Message::Event(Event::SafeUpTo(3)),
            Message::Statistics(statistics),
            Message::Certificate(serde_json::json!({"a": [1, "b"]})),
            Message::Unknown("no progress".into()),
            Message::Exhausted(Exhausted::Memory),
        ] {
            let line = message.line();
            assert!(!line.contains('\n'));
            assert_eq!(Message::read(&line).unwrap(), message);
        }
        for garbage in ["", "safe", "{\"certificate\":", "{\"magic\":1}"] {
            assert!(Message::read(garbage).is_err(), "{garbage}");
        }
    }
}
