//! The protocol between a worker process and the portfolio: a request on standard input, then messages on standard
//! output, one JSON value per line.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
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
    /// Whether to report what is found.
    pub reports_facts: bool,
    /// The wall time, in milliseconds.
    pub time: Option<u64>,
    /// The CPU time, in milliseconds.
    pub cpu_time: Option<u64>,
    /// The memory, in bytes.
    pub memory: Option<u64>,
}

/// What a worker reports. The last message is one of the last three.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// Something happens.
    Event(Event),
    /// What it has counted.
    Statistics(Statistics),
    /// It has an answer: the text of the certificate, which is parsed where the task is known. The text is not encoded as a JSON string but
    /// included as it is.
    #[serde(skip)]
    Certificate(String),
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

const BEFORE_CERTIFICATE: &str = "{\"certificate\":";
const AFTER_CERTIFICATE: &str = "}";

impl Message {
    /// Writes the message with a certificate, which can be long, and the end of its line.
    pub fn write_certificate(certificate: &impl Serialize, mut out: impl Write) -> io::Result<()> {
        out.write_all(BEFORE_CERTIFICATE.as_bytes())?;
        serde_json::to_writer(&mut out, certificate)?;
        writeln!(out, "{AFTER_CERTIFICATE}")
    }

    /// The message as one line, without its end.
    pub fn line(&self) -> String {
        if let Message::Certificate(text) = self {
            return format!("{BEFORE_CERTIFICATE}{text}{AFTER_CERTIFICATE}");
        }
        serde_json::to_string(self).expect("a message should be representable as JSON")
    }

    /// Reads a line.
    pub fn read(line: &str) -> Result<Message, serde_json::Error> {
        let inner = line.strip_prefix(BEFORE_CERTIFICATE);
        if let Some(text) = inner.and_then(|rest| rest.strip_suffix(AFTER_CERTIFICATE)) {
            return Ok(Message::Certificate(text.to_owned()));
        }
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
            Message::Certificate("{\"a\":[1,\"b\"]}".into()),
            Message::Unknown("no progress".into()),
            Message::Exhausted(Exhausted::Memory),
        ] {
            let line = message.line();
            assert!(!line.contains('\n'));
            assert_eq!(Message::read(&line).unwrap(), message);
        }
        let mut written = Vec::new();
        Message::write_certificate(&[1, 2], &mut written).unwrap();
        let line = String::from_utf8(written).unwrap();
        assert_eq!(Message::read(line.trim_end()).unwrap(), Message::Certificate("[1,2]".into()));
        for garbage in ["", "safe", "{\"certificate\":", "{\"magic\":1}"] {
            assert!(Message::read(garbage).is_err(), "{garbage}");
        }
    }
}
