//! The answers to several questions: as lines, and as one JSON object, SARIF log or JUnit document.

use std::collections::BTreeSet;
use std::time::Duration;

use indexmap::IndexMap;
use serde_json::{Value, json};
use thetis_model::Reason;
use thetis_report::{CaseOutcome, CheckRow, Detail, StoryLine, TestCase, render_lines};

use crate::exit::Exit;

/// The answer to a question.
pub(super) struct Answer {
    /// The name of the question.
    pub(super) name: String,
    pub(super) exit: Exit,
    /// Whether it was run at all.
    pub(super) is_asked: bool,
    /// The JSON report of the process.
    pub(super) report: Value,
    /// Its SARIF log, if that is requested and the process lived to write it.
    pub(super) log: Option<Value>,
}

impl Answer {
    /// In a word.
    fn outcome(&self) -> &'static str {
        match (self.exit, self.is_asked) {
            (Exit::Safe, _) => "holds",
            (Exit::Unsafe, _) => "fails",
            (_, true) => "unknown",
            (_, false) => "not checked",
        }
    }

    /// Why the question is undecided.
    fn reason(&self) -> &str {
        self.report["reason"]["text"].as_str().unwrap_or("no reason is known")
    }

    /// Whether more time might help.
    pub(super) fn is_out_of_time(&self) -> bool {
        self.exit == Exit::Unknown && self.report["reason"]["code"] == "out-of-time"
    }

    /// Why there is no answer, as far as advice depends on it.
    pub(super) fn obstacle(&self) -> Option<Reason> {
        let reason = Some(&self.report["reason"]).filter(|_| self.exit == Exit::Unknown)?;
        match reason["code"].as_str()? {
            "out-of-time" => Some(Reason::OutOfTime),
            "out-of-memory" => Some(Reason::OutOfMemory),
            "incomplete" => Some(Reason::Incomplete(reason["text"].as_str()?.to_owned())),
            _ => None,
        }
    }

    /// Why there is no answer.
    pub(super) fn why(&self) -> Reason {
        self.obstacle().unwrap_or_else(|| Reason::Incomplete(self.reason().to_owned()))
    }

    /// The assumptions that the verdict line names.
    fn named_assumptions(&self) -> Vec<&str> {
        self.report["under"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    /// Whether execution has confirmed a violation, as a line; for `--confirm`.
    pub(super) fn confirmation(&self) -> String {
        match self.report["confirmation"].as_str() {
            Some(text) => format!("The violation is {text}.\n"),
            None => String::new(),
        }
    }

    /// What fails, in a sentence.
    fn message(&self) -> &str {
        self.report["message"].as_str().unwrap_or("the property is violated")
    }
}

/// The line about one question.
pub(super) fn line(answer: &Answer) -> String {
    let Answer { name, exit, report, .. } = answer;
    match exit {
        Exit::Safe => {
            let scope = report["scope"].as_str().and_then(|scope| scope.split(';').next());
            let scope = scope.map(|scope| format!(" ({scope})")).unwrap_or_default();
            format!("{name}: holds{}{scope}", under(&answer.named_assumptions()))
        }
        Exit::Unsafe => format!("{name}: fails{}: {}", place_of_violation(report), answer.message()),
        _ => format!("{name}: {} ({})", answer.outcome(), answer.reason()),
    }
}

/// The assumptions of an answer as a part of its line.
fn under(assumptions: &[&str]) -> String {
    match assumptions {
        [] => String::new(),
        assumptions => format!(" under: {}", assumptions.join(", ")),
    }
}

/// Where a run ends that violates the property.
fn place_of_violation(report: &Value) -> String {
    let last = report["steps"].as_array().and_then(|steps| steps.last());
    last.and_then(place).map(|place| format!(" at {place}")).unwrap_or_default()
}

/// The place of a step.
fn place(step: &Value) -> Option<String> {
    let (file, line, column) = (step["file"].as_str()?, step["line"].as_u64()?, step["column"].as_u64()?);
    Some(format!("{file}:{line}:{column}"))
}

/// The summary line about all questions, with the worst verdict.
pub(super) fn summary(answers: &[Answer], exit: Exit) -> String {
    let count = |wanted: &str| answers.iter().filter(|answer| answer.outcome() == wanted).count();
    let kinds = [
        (count("fails"), ["fails", "fail"]),
        (count("unknown"), ["is unknown", "are unknown"]),
        (count("not checked"), ["is not checked", "are not checked"]),
        (count("holds"), ["holds", "hold"]),
    ];
    let total = answers.len();
    let checks = if total == 1 { "check" } else { "checks" };
    let mut parts: Vec<String> = Vec::new();
    for (number, [one, many]) in kinds.into_iter().filter(|(number, _)| *number > 0) {
        let verb = if number == 1 { one } else { many };
        parts.push(match (number == total, parts.is_empty()) {
            (true, _) if total == 1 => format!("the check {verb}"),
            (true, _) if total == 2 => format!("both checks {verb}"),
            (true, _) => format!("all {total} {checks} {verb}"),
            (false, true) => format!("{number} of {total} {checks} {verb}"),
            (false, false) => format!("{number} {verb}"),
        });
    }
    let named: BTreeSet<&str> = answers.iter().flat_map(Answer::named_assumptions).collect();
    let parts = parts.join(", ");
    match exit {
        Exit::Safe if !named.is_empty() => {
            format!("safe{}; {parts}", under(&named.into_iter().collect::<Vec<&str>>()))
        }
        _ => format!("{}: {parts}", verdict(exit)),
    }
}

fn verdict(exit: Exit) -> &'static str {
    match exit {
        Exit::Safe => "safe",
        Exit::Unsafe => "unsafe",
        _ => "unknown",
    }
}

/// A violation is worse than an undecided question, which is worse than a proof.
pub(super) fn worst(answers: &[Answer]) -> Exit {
    let has = |exit: Exit| answers.iter().any(|answer| answer.exit == exit);
    match (has(Exit::Unsafe), has(Exit::Unknown)) {
        (true, _) => Exit::Unsafe,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Safe,
    }
}

/// The reports of all questions about a file as one object.
pub(super) fn json(file: &str, answers: &[Answer], exit: Exit) -> Value {
    let reports: Vec<Value> =
        answers.iter().map(|answer| json!({ "check": answer.name, "report": answer.report })).collect();
    json!({
        "format": "thetis-reports",
        "version": 1,
        "thetis": env!("CARGO_PKG_VERSION"),
        "file": file,
        "verdict": verdict(exit),
        "checks": reports,
    })
}

/// All questions about a file as tests.
pub(super) fn junit(file: &str, answers: &[Answer]) -> String {
    let cases: Vec<TestCase> = answers.iter().map(test_case).collect();
    thetis_report::junit(file, &cases)
}

fn test_case(answer: &Answer) -> TestCase {
    let outcome = match answer.exit {
        Exit::Safe => CaseOutcome::Passed,
        Exit::Unsafe => {
            let message = format!("{}{}", answer.message(), place_of_violation(&answer.report));
            CaseOutcome::Failed { message, details: violation(&answer.report, Detail::Relevant) }
        }
        _ => CaseOutcome::Unknown(answer.reason().to_owned()),
    };
    let seconds = answer.report["wall-seconds"].as_f64().unwrap_or(0.0);
    let elapsed = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    TestCase { name: answer.name.clone(), outcome, elapsed }
}

/// A check as a row of the page about all of them.
pub(super) fn row(answer: &Answer) -> CheckRow {
    let report = &answer.report;
    let message = match answer.exit {
        // Other checks cover what this one leaves out.
        Exit::Safe => report["scope"]
            .as_str()
            .map_or(answer.message(), |scope| scope.split(';').next().unwrap_or(scope)),
        Exit::Unsafe => answer.message(),
        _ => answer.reason(),
    };
    CheckRow {
        name: answer.name.clone(),
        outcome: answer.outcome(),
        message: message.to_owned(),
        place: place_of_violation(report).trim_start_matches(" at ").to_owned(),
        run: violation(report, Detail::Relevant),
        source: Vec::new(),
        seconds: report["wall-seconds"].as_f64().filter(|_| answer.is_asked),
    }
}

/// The unchecked assumptions of all answers, each once. Those that differ only in a name or a place share lines.
pub(super) fn assumptions(answers: &[Answer]) -> String {
    let mut groups: IndexMap<(&str, String), Vec<(String, &str)>> = IndexMap::new();
    for answer in answers {
        for assumption in answer.report["assumptions"].as_array().into_iter().flatten() {
            let text = |key: &str| assumption[key].as_str().unwrap_or_default();
            let one = (place(assumption).unwrap_or_default(), text("text"));
            let group = groups.entry((text("code"), without_name(text("text")))).or_default();
            if !group.contains(&one) {
                group.push(one);
            }
        }
    }
    let mut lines = String::new();
    for ((code, _), group) in &groups {
        let num_shown = if group.len() > 2 { 1 } else { group.len() };
        for (place, text) in &group[..num_shown] {
            lines += &format!("assumption: {place}: {text} [{code}]\n");
        }
        if let [first, rest @ ..] = &group[num_shown - 1..]
            && !rest.is_empty()
        {
            lines += &format!("assumption: the same holds {} [{code}]\n", others(first.1, rest));
        }
    }
    lines
}

/// Which names or places an assumption is about as well.
fn others(first: &str, rest: &[(String, &str)]) -> String {
    const MOST: usize = 6;
    let is_named = rest.iter().all(|(_, text)| *text != first);
    let mut words: Vec<String> = Vec::new();
    for (place, text) in rest {
        let word = if is_named { format!("`{}`", name_in(text)) } else { place.clone() };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let more = words.len().saturating_sub(MOST);
    words.truncate(MOST);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    format!("{} {}{more}", if is_named { "for" } else { "at" }, words.join(", "))
}

/// The first name in a sentence.
fn name_in(text: &str) -> &str {
    text.split('`').nth(1).unwrap_or_default()
}

/// A sentence without its first name.
fn without_name(text: &str) -> String {
    text.replacen(&format!("`{}`", name_in(text)), "", 1)
}

/// The steps of a violation, one per line, indented by call depth.
pub(super) fn violation(report: &Value, detail: Detail) -> String {
    let steps = report["steps"].as_array().into_iter().flatten().enumerate();
    let is_shown = |(_, step): &(usize, &Value)| detail == Detail::Full || step["matters"] != json!(false);
    let lines: Vec<StoryLine> =
        steps.filter(is_shown).map(|(number, step)| story_line(number, step)).collect();
    render_lines(&lines, detail)
}

fn story_line(number: usize, step: &Value) -> StoryLine {
    let values = step["values"].as_object().into_iter().flatten();
    StoryLine {
        number,
        is_after_gap: false,
        place: place(step),
        depth: step["depth"].as_u64().and_then(|depth| u32::try_from(depth.min(50)).ok()).unwrap_or(0),
        title: step["text"].as_str().unwrap_or_default().to_owned(),
        values: values
            .map(|(name, value)| format!("{name} = {}", value.as_str().unwrap_or_default()))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(name: &str, exit: Exit, report: Value) -> Answer {
        Answer { name: name.to_owned(), exit, is_asked: true, report, log: None }
    }

    fn answers() -> [Answer; 3] {
        let step = json!({ "file": "a.c", "line": 3, "column": 5, "text": "`x + 1` overflows", "values": { "x": "1" } });
        let overflow = json!({ "message": "`x + 1` overflows: x = 1", "steps": [step], "wall-seconds": 0.5 });
        [
            answer("assertions", Exit::Safe, json!({ "scope": "3 assertions; not checked: overflow" })),
            answer("no-overflow", Exit::Unsafe, overflow),
            answer("valid-memsafety", Exit::Unknown, json!({ "reason": { "text": "out of time" } })),
        ]
    }

    #[test]
    fn each_question_has_a_line_and_the_worst_counts() {
        let answers = answers();
        let lines: Vec<String> = answers.iter().map(line).collect();
        assert_eq!(
            lines,
            [
                "assertions: holds (3 assertions)",
                "no-overflow: fails at a.c:3:5: `x + 1` overflows: x = 1",
                "valid-memsafety: unknown (out of time)"
            ]
        );
        assert_eq!(worst(&answers), Exit::Unsafe);
        assert_eq!(worst(&answers[..1]), Exit::Safe);
        assert_eq!(summary(&answers[..1], Exit::Safe), "safe: the check holds");
        assert_eq!(summary(&answers, Exit::Unsafe), "unsafe: 1 of 3 checks fails, 1 is unknown, 1 holds");
        let [_, failure, open] = answers;
        let left_out = Answer { is_asked: false, ..open };
        assert_eq!(line(&left_out), "valid-memsafety: not checked (out of time)");
        let summary = summary(&[failure, left_out], Exit::Unsafe);
        assert_eq!(summary, "unsafe: 1 of 2 checks fails, 1 is not checked");
    }

    #[test]
    fn assumptions_about_many_functions_share_lines() {
        let about = |name: &str, line: u32| {
            let called = json!({ "code": "entry", "text": format!("one call of `{name}`"), "file": "a.c", "line": line, "column": 1 });
            let wide = json!({ "code": "block-size", "text": "blocks are small", "file": "a.c", "line": line, "column": 2 });
            answer(name, Exit::Safe, json!({ "assumptions": [called, wide] }))
        };
        let some = |count: u32| {
            let answers: Vec<Answer> = (1..=count).map(|line| about(&format!("f{line}"), line)).collect();
            assumptions(&answers)
        };
        assert_eq!(
            some(1),
            "assumption: a.c:1:1: one call of `f1` [entry]\nassumption: a.c:1:2: blocks are small [block-size]\n"
        );
        assert_eq!(some(2).lines().count(), 4);
        let lines = "assumption: a.c:1:1: one call of `f1` [entry]\nassumption: the same holds for `f2`, `f3` [entry]\n\
                     assumption: a.c:1:2: blocks are small [block-size]\nassumption: the same holds at a.c:2:2, a.c:3:2 [block-size]\n";
        assert_eq!(some(3), lines);
        assert!(some(9).contains("`f6`, `f7` and 2 more [entry]"), "{}", some(9));
    }

    #[test]
    fn questions_are_tests() {
        let document = junit("a.c", &answers());
        for part in [
            "tests=\"3\" failures=\"1\" errors=\"0\" skipped=\"1\" time=\"0.500\"",
            "<failure message=\"`x + 1` overflows: x = 1 at a.c:3:5\" type=\"no-overflow\">  a.c:3:5: `x + 1` overflows: x = 1\n</failure>",
            "<skipped message=\"out of time\"/>",
        ] {
            assert!(document.contains(part), "{part}: {document}");
        }
    }
}
