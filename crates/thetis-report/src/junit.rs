//! Outcomes as JUnit XML, which continuous-integration systems show as tests.
//!
//! A check is a test case. One that fails has the run as its text. One without an answer is neither passed nor failed: it is `skipped`, with
//! the reason, and the exit code of the program says that something is open.

use std::fmt::Write;
use std::time::Duration;

/// A check as a test case.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TestCase {
    /// What was checked.
    pub name: String,
    /// What came of it.
    pub outcome: CaseOutcome,
    /// How long it took.
    pub elapsed: Duration,
}

/// What came of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CaseOutcome {
    /// The property holds.
    Passed,
    /// It does not.
    Failed {
        /// What fails, in a sentence.
        message: String,
        /// The run that leads there.
        details: String,
    },
    /// There is no answer, for this reason.
    Unknown(String),
}

/// The checks of a model as a document. `file` is the name of the model.
pub fn junit(file: &str, cases: &[TestCase]) -> String {
    let count =
        |is_wanted: fn(&CaseOutcome) -> bool| cases.iter().filter(|case| is_wanted(&case.outcome)).count();
    let failures = count(|outcome| matches!(outcome, CaseOutcome::Failed { .. }));
    let skipped = count(|outcome| matches!(outcome, CaseOutcome::Unknown(_)));
    let time: Duration = cases.iter().map(|case| case.elapsed).sum();
    let figures = format!(
        "tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"{skipped}\" time=\"{:.3}\"",
        cases.len(),
        time.as_secs_f64()
    );
    let file = escape(file);
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"Thetis\" {figures}>\n\
         \x20 <testsuite name=\"{file}\" {figures}>\n"
    );
    for case in cases {
        write_case(&mut text, &file, case);
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

fn write_case(text: &mut String, class: &str, case: &TestCase) {
    let TestCase { name, outcome, elapsed } = case;
    // Writing to a string cannot fail.
    let _ = write!(
        text,
        "    <testcase classname=\"{class}\" name=\"{}\" time=\"{:.3}\"",
        escape(name),
        elapsed.as_secs_f64()
    );
    let _ = match outcome {
        CaseOutcome::Passed => writeln!(text, "/>"),
        CaseOutcome::Failed { message, details } => writeln!(
            text,
            ">\n      <failure message=\"{}\" type=\"{}\">{}</failure>\n    </testcase>",
            escape(message),
            escape(name),
            escape(details)
        ),
        CaseOutcome::Unknown(reason) => {
            writeln!(text, ">\n      <skipped message=\"{}\"/>\n    </testcase>", escape(reason))
        }
    };
}

/// Text inside XML, also in attributes. Characters that XML cannot have are replaced.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push(letter),
            '\u{fffe}' | '\u{ffff}' => escaped.push(char::REPLACEMENT_CHARACTER),
            _ if letter.is_control() => escaped.push(char::REPLACEMENT_CHARACTER),
            _ => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_outcome_has_its_element() {
        let case = |name: &str, outcome| TestCase {
            name: name.to_owned(),
            outcome,
            elapsed: Duration::from_millis(1500),
        };
        let failed =
            CaseOutcome::Failed { message: "`a < b` fails".to_owned(), details: "a\u{1b} = 1\n".to_owned() };
        let cases = [
            case("p", CaseOutcome::Passed),
            case("q", failed),
            case("r", CaseOutcome::Unknown("bound".to_owned())),
        ];
        let text = junit("a&b.c", &cases);
        for part in [
            "<testsuite name=\"a&amp;b.c\" tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"4.500\">",
            "<testcase classname=\"a&amp;b.c\" name=\"p\" time=\"1.500\"/>",
            "<failure message=\"`a &lt; b` fails\" type=\"q\">a\u{fffd} = 1\n</failure>",
            "<skipped message=\"bound\"/>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
}
