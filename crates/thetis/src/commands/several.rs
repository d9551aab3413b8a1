//! `thetis check` with several properties, or for each function of a C program: one run of this program for each question.
//!
//! A question has a process of its own, as if it were asked alone, so one that needs all of the memory or crashes does not take the
//! answers to the others with it. The time is for all of them: each may use its share of what is left. The answers come as lines,
//! or as one JSON object or SARIF log with the reports of all questions. The exit code is that of the worst answer.

use std::ffi::OsString;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use thetis_base::{Run, printable};
use thetis_model::Reason;

use crate::args::{CheckArgs, Format, QuestionArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{input, terminal};

/// The word for all properties.
const ALL: &str = "all";

/// The word for all functions.
const EVERY: &str = "*";

/// The properties besides assertions that `all` means for a program.
const OF_PROGRAMS: [&str; 4] = ["no-overflow", "no-division-by-zero", "valid-shift", "valid-memsafety"];

/// Those that it means for a function by itself: whether it loses memory depends on its callers.
const OF_FUNCTIONS: [&str; 5] =
    ["no-overflow", "no-division-by-zero", "valid-shift", "valid-deref", "valid-free"];

/// A question has at least this much time.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// One question.
struct Question {
    function: Option<String>,
    /// None is the usual one: error functions or assertions.
    property: Option<String>,
}

impl Question {
    /// What it is called in the answers.
    fn name(&self) -> String {
        let property = self.property.as_deref().unwrap_or("assertions");
        match &self.function {
            Some(function) => format!("{function}: {property}"),
            None => property.to_owned(),
        }
    }
}

/// The answer to a question.
struct Answer {
    name: String,
    exit: Exit,
    report: Value,
}

impl Answer {
    /// There was no time for the question.
    fn out_of_time(question: &Question) -> Answer {
        let reason = Reason::OutOfTime;
        let report =
            json!({ "verdict": "unknown", "reason": { "code": reason.code(), "text": reason.to_string() } });
        Answer { name: question.name(), exit: Exit::Unknown, report }
    }
}

/// Whether several questions are asked at once.
pub(crate) fn asks_several(question: &QuestionArgs) -> bool {
    let is_all = question.properties.iter().any(|property| property == ALL);
    question.properties.len() > 1 || is_all || question.function.as_deref() == Some(EVERY)
}

pub(crate) fn run(args: &CheckArgs) -> Result<Exit, Failure> {
    reject_outputs(args)?;
    let run = Run::new((&args.budget).into());
    let questions = questions(args, &run)?;
    let mut answers = Vec::new();
    for (number, question) in questions.iter().enumerate() {
        let num_left = u32::try_from(questions.len() - number).unwrap_or(u32::MAX);
        let left = args.budget.time.0.map(|time| time.saturating_sub(run.elapsed()));
        let answer = match left {
            Some(Duration::ZERO) => Answer::out_of_time(question),
            left => ask(args, question, left.map(|left| (left / num_left).max(LEAST_TIME)))?,
        };
        if args.format == Format::Text {
            terminal::answer(&format!("{}\n", printable(&line(&answer))))?;
        }
        answers.push(answer);
    }
    let exit = worst(&answers);
    let text = match args.format {
        Format::Json => format!("{:#}\n", json(args, &answers, exit)),
        Format::Sarif => format!("{:#}\n", sarif(&answers)),
        _ => format!("{}\n", printable(&summary(&answers, exit))),
    };
    terminal::conclude(&text, exit)
}

/// Files are about one answer.
fn reject_outputs(args: &CheckArgs) -> Result<(), Failure> {
    let files = [
        ("--certificate", &args.certificate),
        ("--arg", &args.arg),
        ("--report", &args.report),
        ("--witness", &args.witness),
        ("--harness", &args.harness),
    ];
    if let Some((option, _)) = files.iter().find(|(_, file)| file.is_some()) {
        return Err(Failure::usage(format!("`{option}` is for one property of a program or function")));
    }
    if !args.question.is_c_program() {
        return Err(Failure::usage("several properties can be asked of C programs only"));
    }
    match args.format {
        Format::Text | Format::Json | Format::Sarif => Ok(()),
        Format::SolcVerify | Format::Chc => Err(Failure::usage("this format is not for C programs")),
    }
}

fn questions(args: &CheckArgs, run: &Run) -> Result<Vec<Question>, Failure> {
    let functions = match args.question.function.as_deref() {
        Some(EVERY) => input::functions(&args.question, run)?.into_iter().map(Some).collect(),
        function => vec![function.map(str::to_owned)],
    };
    let mut questions = Vec::new();
    for function in functions {
        let others = if function.is_some() { &OF_FUNCTIONS[..] } else { &OF_PROGRAMS[..] };
        for property in properties(&args.question, others) {
            questions.push(Question { function: function.clone(), property });
        }
    }
    match questions.is_empty() {
        true => Err(Failure::input("the program defines no function")),
        false => Ok(questions),
    }
}

/// The properties that are asked, each once; `all` means assertions and `others`.
fn properties(question: &QuestionArgs, others: &[&str]) -> Vec<Option<String>> {
    let mut properties: Vec<Option<String>> = Vec::new();
    let mut add = |property: Option<&str>| {
        let property = property.map(str::to_owned);
        if !properties.contains(&property) {
            properties.push(property);
        }
    };
    if question.properties.is_empty() {
        add(None);
    }
    for property in &question.properties {
        match property == ALL {
            true => {
                add(None);
                others.iter().for_each(|other| add(Some(other)));
            }
            false => add(Some(property)),
        }
    }
    properties
}

/// Asks one question of another process of this program.
fn ask(args: &CheckArgs, question: &Question, time: Option<Duration>) -> Result<Answer, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::internal(format!("the program cannot find itself: {error}")))?;
    let output = Command::new(program)
        .args(arguments(args, question, time))
        .stdin(Stdio::null())
        .output()
        .map_err(Failure::internal)?;
    let messages = String::from_utf8_lossy(&output.stderr);
    let exit = match output.status.code() {
        Some(0) => Exit::Safe,
        Some(10) => Exit::Unsafe,
        Some(5) => Exit::Unknown,
        code => {
            terminal::show(&messages);
            return Err(Failure { exit: failed(code), ..Failure::reported() });
        }
    };
    // What a proof assumes is said once for all questions in the reports; a run is worth to be seen.
    if args.verbose || exit == Exit::Unsafe {
        terminal::show(&format!("{}:\n{messages}", printable(&question.name())));
    }
    let report = serde_json::from_slice(&output.stdout).map_err(Failure::internal)?;
    Ok(Answer { name: question.name(), exit, report })
}

fn failed(code: Option<i32>) -> Exit {
    match code {
        Some(1) => Exit::Usage,
        Some(2) => Exit::Input,
        _ => Exit::Internal,
    }
}

/// The arguments that ask one question.
fn arguments(args: &CheckArgs, question: &Question, time: Option<Duration>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["check".into(), "--end-with-parent".into()];
    arguments.extend(args.question.arguments());
    let mut option = |name: &str, value: Option<OsString>| {
        arguments.extend(value.into_iter().flat_map(|value| [name.into(), value]));
    };
    let limit =
        |time: Option<Duration>| time.map_or("none".to_owned(), |time| format!("{}ms", time.as_millis()));
    let memory = args.budget.memory.0.map_or("none".to_owned(), |bytes| bytes.to_string());
    let format = if args.format == Format::Sarif { "sarif" } else { "json" };
    option("--property", question.property.clone().map(Into::into));
    option("--function", question.function.clone().map(Into::into));
    option("--engine", args.engine.clone().map(Into::into));
    option("--config", args.config.clone().map(Into::into));
    args.settings.iter().for_each(|setting| option("--set", Some(setting.into())));
    option("--jobs", args.jobs.map(|jobs| jobs.to_string().into()));
    option("--time", Some(limit(time).into()));
    option("--cpu-time", Some(limit(args.budget.cpu_time.0).into()));
    option("--memory", Some(memory.into()));
    option("--solver", args.solver.solver.clone().map(Into::into));
    option("--smt-log", args.solver.smt_log.clone().map(Into::into));
    option("--second-opinion", args.judge.second_opinion.clone().map(Into::into));
    option("--format", Some(format.into()));
    arguments.extend(args.judge.strict.then(|| "--strict".into()));
    arguments.extend(args.confirm.then(|| "--confirm".into()));
    arguments.extend(args.verbose.then(|| "--verbose".into()));
    arguments
}

/// The line about one question.
fn line(answer: &Answer) -> String {
    let Answer { name, exit, report } = answer;
    match exit {
        Exit::Safe => {
            let scope = report["scope"].as_str().and_then(|scope| scope.split(';').next());
            let scope = scope.map(|scope| format!(" ({scope})")).unwrap_or_default();
            format!("{name}: holds{}{scope}", under(&assumptions(report)))
        }
        Exit::Unsafe => format!("{name}: fails{}", place_of_violation(report)),
        _ => {
            format!("{name}: unknown ({})", report["reason"]["text"].as_str().unwrap_or("no reason is known"))
        }
    }
}

/// The assumptions that an answer names.
fn assumptions(report: &Value) -> Vec<&str> {
    report["under"].as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

fn under(assumptions: &[&str]) -> String {
    match assumptions {
        [] => String::new(),
        assumptions => format!(" under: {}", assumptions.join(", ")),
    }
}

/// Where a run ends that violates the property.
fn place_of_violation(report: &Value) -> String {
    let last = report["steps"].as_array().and_then(|steps| steps.last());
    let place = last.and_then(|step| {
        Some(format!(
            " at {}:{}:{}",
            step["file"].as_str()?,
            step["line"].as_u64()?,
            step["column"].as_u64()?
        ))
    });
    place.unwrap_or_default()
}

fn word(exit: Exit) -> &'static str {
    match exit {
        Exit::Safe => "safe",
        Exit::Unsafe => "unsafe",
        _ => "unknown",
    }
}

/// The line about all questions, with the verdict that counts.
fn summary(answers: &[Answer], exit: Exit) -> String {
    let count = |wanted: Exit| answers.iter().filter(|answer| answer.exit == wanted).count();
    let verdict = word(exit);
    let parts = [
        (count(Exit::Safe), ["holds", "hold"]),
        (count(Exit::Unsafe), ["fails", "fail"]),
        (count(Exit::Unknown), ["is unknown", "are unknown"]),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts
        .map(|(number, [one, many])| format!("{number} {}", if number == 1 { one } else { many }))
        .collect();
    let mut assumptions: Vec<&str> = answers.iter().flat_map(|answer| assumptions(&answer.report)).collect();
    assumptions.sort_unstable();
    assumptions.dedup();
    let under = if exit == Exit::Safe { under(&assumptions) } else { String::new() };
    format!("{verdict}{under}: of {} checks {}", answers.len(), parts.join(", "))
}

/// A violation counts more than a question without an answer, and that more than a proof.
fn worst(answers: &[Answer]) -> Exit {
    let has = |exit: Exit| answers.iter().any(|answer| answer.exit == exit);
    match (has(Exit::Unsafe), has(Exit::Unknown)) {
        (true, _) => Exit::Unsafe,
        (false, true) => Exit::Unknown,
        (false, false) => Exit::Safe,
    }
}

fn json(args: &CheckArgs, answers: &[Answer], exit: Exit) -> Value {
    let verdict = word(exit);
    let reports: Vec<Value> =
        answers.iter().map(|answer| json!({ "check": answer.name, "report": answer.report })).collect();
    json!({
        "format": "thetis-reports",
        "version": 1,
        "thetis": env!("CARGO_PKG_VERSION"),
        "file": args.question.first().display().to_string(),
        "verdict": verdict,
        "checks": reports,
    })
}

/// The logs of all questions as one log with several runs.
fn sarif(answers: &[Answer]) -> Value {
    let mut log = answers.first().map(|answer| answer.report.clone()).unwrap_or_default();
    let runs =
        answers.iter().flat_map(|answer| answer.report["runs"].as_array().cloned().unwrap_or_default());
    log["runs"] = runs.collect();
    log
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(name: &str, exit: Exit, report: Value) -> Answer {
        Answer { name: name.to_owned(), exit, report }
    }

    #[test]
    fn each_question_has_a_line_and_the_worst_counts() {
        let step = json!({ "file": "a.c", "line": 3, "column": 5 });
        let answers = [
            answer("assertions", Exit::Safe, json!({ "scope": "3 assertions; not checked: overflow" })),
            answer("no-overflow", Exit::Unsafe, json!({ "steps": [step] })),
            answer("valid-memsafety", Exit::Unknown, json!({ "reason": { "text": "out of time" } })),
        ];
        let lines: Vec<String> = answers.iter().map(line).collect();
        assert_eq!(
            lines,
            [
                "assertions: holds (3 assertions)",
                "no-overflow: fails at a.c:3:5",
                "valid-memsafety: unknown (out of time)"
            ]
        );
        assert_eq!(worst(&answers), Exit::Unsafe);
        assert_eq!(worst(&answers[..1]), Exit::Safe);
        assert_eq!(summary(&answers, Exit::Unsafe), "unsafe: of 3 checks 1 holds, 1 fails, 1 is unknown");
    }
}
