//! `thetis check` with several properties, or for each function of a C program: one run of this program for each check.
//!
//! Each question runs in its own process, as if it were the only one, so a run that uses up the memory or crashes does
//! not affect the others. The processes share the output of the preprocessor (`input/prepared.rs`) and, for the same
//! function or program, the facts that engines have found; these are candidates, which each check proves for itself.
//! The time limit is for all questions: each may use its share of the remaining time, and a question that ran out of
//! time runs again if the others leave enough. The answers are printed as lines, or as one document with the reports of
//! all questions ([`answers`]), even if the command has to end early ([`tally`]). The exit code is that of the worst
//! answer.

mod answers;
mod excerpts;
mod tally;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use thetis_base::{Budget, ProcessTree, Run, Stop};
use thetis_model::Reason;

use crate::advice::advice;
use crate::args::{BudgetArgs, CheckArgs, Format, QuestionArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::progress::{Known, Progress};
use crate::{ending, input, outputs, terminal};

use answers::{Answer, violation};
use tally::{Asked, Tally};

/// The word for all properties.
const ALL: &str = "all";

/// The word for all functions.
const EVERY: &str = "*";

/// The properties besides assertions that `all` includes for a whole program.
const OF_PROGRAMS: [&str; 5] =
    ["no-overflow", "no-division-by-zero", "valid-shift", "valid-init", "valid-memory"];

/// Those that `all` includes for a single function: whether it leaks memory depends on its callers.
const OF_FUNCTIONS: [&str; 6] =
    ["no-overflow", "no-division-by-zero", "valid-shift", "valid-init", "valid-bounds", "valid-free"];

/// The minimal time for a question.
const LEAST_TIME: Duration = Duration::from_secs(1);

/// One question.
struct Question {
    function: Option<String>,
    /// `None` is the default: error functions or assertions.
    property: Option<String>,
}

impl Question {
    /// Its name in the answers.
    fn name(&self) -> String {
        let property = self.property.as_deref().unwrap_or("assertions");
        match &self.function {
            Some(function) => format!("{function}: {property}"),
            None => property.to_owned(),
        }
    }

    fn asked(&self) -> Asked {
        Asked { name: self.name(), property: self.property.clone().unwrap_or_default() }
    }
}

/// Whether the command line has several questions.
pub(crate) fn asks_several(question: &QuestionArgs) -> bool {
    let is_all = question.properties.iter().any(|property| property == ALL);
    question.properties.len() > 1 || is_all || question.function.as_deref() == Some(EVERY)
}

pub(crate) fn run(args: &CheckArgs, run: &Run, progress: &Progress) -> Result<Exit, Failure> {
    reject_outputs(args)?;
    outputs::check(&args.report)?;
    let questions = questions(args, run)?;
    let tally = Arc::new(Tally::new(args, questions.iter().map(Question::asked).collect()));
    let (ended, left) = (tally.clone(), tally.clone());
    let status = progress.clone();
    ending::conclude_with(move |reason| {
        status.end();
        ended.end(reason)
    });
    ending::leave(move || left.write_page());
    let shared = tempfile::Builder::new().prefix("thetis-").tempdir().map_err(Failure::internal)?;
    let asking = Asking { args, questions: &questions, shared: shared.path(), run, progress };
    let rest = asking.ask_all(&tally)?;
    progress.end();
    if !args.verbose {
        terminal::show(&tally.assumptions());
    }
    terminal::show(&hints(args, &tally.reasons()));
    let (text, exit) = tally.leave_out(&rest);
    let exit = terminal::conclude(&text, exit)?;
    tally.write_page();
    Ok(exit)
}

/// What to try next, each sentence once.
fn hints(args: &CheckArgs, reasons: &[Reason]) -> String {
    let mut hints: Vec<String> = Vec::new();
    for sentence in reasons.iter().flat_map(|reason| advice(args, reason, Known::default())) {
        let hint = format!("hint: {sentence}\n");
        if !hints.contains(&hint) {
            hints.push(hint);
        }
    }
    hints.concat()
}

/// Questions that are asked one after the other.
struct Asking<'a> {
    args: &'a CheckArgs,
    questions: &'a [Question],
    /// The folder for what the processes share.
    shared: &'a Path,
    run: &'a Run,
    progress: &'a Progress,
}

impl Asking<'_> {
    /// Runs one question after the other. Returns the reason why the remaining ones, if any, were not run.
    fn ask_all(&self, tally: &Tally) -> Result<Reason, Failure> {
        for place in 0..self.questions.len() {
            if self.run.cancel().is_requested() {
                return Err(Failure::stopped(Stop::Cancelled));
            }
            let num_left = u32::try_from(self.questions.len() - place).unwrap_or(u32::MAX);
            let Some(budget) = share(&self.args.budget, num_left, self.run) else {
                return Ok(Reason::OutOfTime);
            };
            let answer = self.ask(place, &budget, tally)?;
            let is_failure = answer.exit == Exit::Unsafe;
            match answer.is_out_of_time() && num_left > 1 {
                true => tally.postpone(answer, budget),
                false => self.print(&tally.add(answer))?,
            }
            if self.args.stop_at_first && is_failure {
                return Ok(Reason::Incomplete("an earlier check fails".to_owned()));
            }
        }
        self.ask_again(tally)?;
        Ok(Reason::OutOfTime)
    }

    /// Runs the questions again that ran out of time, if the others have left much more time than they had.
    fn ask_again(&self, tally: &Tally) -> Result<(), Failure> {
        let postponed = tally.postponed();
        for (number, (place, first)) in postponed.iter().enumerate() {
            if self.run.cancel().is_requested() {
                return Err(Failure::stopped(Stop::Cancelled));
            }
            let num_left = u32::try_from(postponed.len() - number).unwrap_or(u32::MAX);
            // If there is too little for all of them, some get more rather than none.
            let shares = (1..=num_left).rev().map_while(|parts| share(&self.args.budget, parts, self.run));
            let more = shares.into_iter().find(|more| is_much_more(more, first));
            let answer = more.map(|budget| self.ask(*place, &budget, tally)).transpose()?;
            self.print(&tally.settle(*place, answer))?;
        }
        Ok(())
    }

    /// Prints the line of an answer.
    fn print(&self, line: &str) -> Result<(), Failure> {
        self.progress.aside(|| terminal::answer(line))
    }

    /// Runs one question in another process of this program.
    fn ask(&self, place: usize, budget: &Budget, tally: &Tally) -> Result<Answer, Failure> {
        let Asking { args, questions, .. } = self;
        let question = &questions[place];
        self.progress.announce(format!("{} ({} of {})", question.name(), place + 1, questions.len()));
        let program = std::env::current_exe()
            .map_err(|error| Failure::internal(format!("the program cannot find itself: {error}")))?;
        let shared = Shared::of(question, self.shared);
        let output = Command::new(program)
            .args(arguments(args, question, budget, &shared))
            .stdin(Stdio::null())
            .output()
            .map_err(Failure::internal)?;
        let messages = String::from_utf8_lossy(&output.stderr);
        let show = |text: &str| self.progress.aside(|| terminal::show(text));
        let exit = match output.status.code() {
            Some(0) => Exit::Safe,
            Some(10) => Exit::Unsafe,
            Some(5) => Exit::Unknown,
            // It crashed, or the system needed its memory.
            None => {
                show(&messages);
                return Ok(tally.lost(place));
            }
            code => {
                show(&messages);
                return Err(Failure { exit: failed(code), ..Failure::reported() });
            }
        };
        let report = serde_json::from_slice(&output.stdout).map_err(Failure::internal)?;
        let answer = Answer { name: question.name(), exit, is_asked: true, report, log: shared.take_log() };
        if args.verbose {
            show(&format!("{}:\n{messages}", answer.name));
        } else if exit == Exit::Unsafe {
            let run = violation(&answer.report, args.detail());
            show(&format!("{}:\n{run}{}", answer.name, answer.confirmation()));
        }
        Ok(answer)
    }
}

/// Whether a second attempt with these limits is worth it.
fn is_much_more(more: &Budget, first: &Budget) -> bool {
    let is_more = |more: Option<Duration>, first: Option<Duration>| match (more, first) {
        (Some(more), Some(first)) => more >= first.saturating_mul(3) / 2,
        _ => true,
    };
    is_more(more.wall, first.wall) && is_more(more.cpu, first.cpu)
}

/// The limits of the next of `num_left` questions: its share of the remaining time. `None` if no time is left.
fn share(whole: &BudgetArgs, num_left: u32, run: &Run) -> Option<Budget> {
    let part = |limit: Option<Duration>, used: Duration| match limit.map(|limit| limit.saturating_sub(used)) {
        None => Some(None),
        Some(Duration::ZERO) => None,
        Some(left) => Some(Some((left / num_left).max(LEAST_TIME))),
    };
    let cpu = whole.cpu_time.0.map_or(Duration::ZERO, |_| ProcessTree::of_this_process().cpu);
    Some(Budget {
        wall: part(whole.time.0, run.elapsed())?,
        cpu: part(whole.cpu_time.0, cpu)?,
        memory: whole.memory.0,
    })
}

/// Files that the process of a check shares with others.
struct Shared {
    /// In which the checks of one function, or of the whole program, share facts.
    facts: PathBuf,
    /// In which a check writes its SARIF log for this process.
    log: PathBuf,
}

impl Shared {
    fn of(question: &Question, folder: &Path) -> Shared {
        let name = question.function.as_deref().unwrap_or("program");
        // Names of functions may begin with the path of a file.
        let facts = folder.join(format!("{}.json", name.replace('/', "+")));
        Shared { facts, log: folder.join("log.sarif") }
    }

    /// The log of the process that has just ended, if it wrote one.
    fn take_log(&self) -> Option<Value> {
        let text = std::fs::read(&self.log).ok()?;
        // The next process may end before it writes one.
        std::fs::remove_file(&self.log).ok()?;
        serde_json::from_slice(&text).ok()
    }
}

/// Output files hold one answer only.
fn reject_outputs(args: &CheckArgs) -> Result<(), Failure> {
    let files = [
        ("--certificate", &args.certificate),
        ("--arg", &args.arg),
        ("--solution-space", &args.solution_space),
        ("--witness", &args.witness),
        ("--harness", &args.harness),
        ("--facts", &args.facts),
        ("--facts-out", &args.facts_out),
        ("--tests", &args.tests),
    ];
    if let Some((option, _)) = files.iter().find(|(_, file)| file.is_some()) {
        return Err(Failure::usage(format!("`{option}` is for one property of a program or function")));
    }
    if !args.question.is_c_program() {
        return Err(Failure::usage("several properties can be asked of C programs only"));
    }
    match args.format {
        Format::Text | Format::Json | Format::Sarif | Format::Junit => Ok(()),
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

/// The requested properties, each once; `all` stands for assertions and `others`.
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

fn failed(code: Option<i32>) -> Exit {
    match code {
        Some(1) => Exit::Usage,
        Some(2) => Exit::Input,
        _ => Exit::Internal,
    }
}

/// The command-line arguments for one question.
fn arguments(args: &CheckArgs, question: &Question, budget: &Budget, shared: &Shared) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec!["check".into(), "--end-with-parent".into()];
    arguments.extend(args.question.arguments());
    let mut option = |name: &str, value: Option<OsString>| {
        arguments.extend(value.into_iter().flat_map(|value| [name.into(), value]));
    };
    let limit =
        |time: Option<Duration>| time.map_or("none".to_owned(), |time| format!("{}ms", time.as_millis()));
    let memory = budget.memory.map_or("none".to_owned(), |bytes| bytes.to_string());
    option("--property", question.property.clone().map(Into::into));
    option("--function", question.function.clone().map(Into::into));
    option("--engine", args.engine.clone().map(Into::into));
    option("--config", args.config.clone().map(Into::into));
    option("--assertion", args.assertion.map(|number| number.to_string().into()));
    args.settings.iter().for_each(|setting| option("--set", Some(setting.into())));
    option("--jobs", args.jobs.map(|jobs| jobs.to_string().into()));
    option("--time", Some(limit(budget.wall).into()));
    option("--cpu-time", Some(limit(budget.cpu).into()));
    option("--memory", Some(memory.into()));
    option("--solver", args.solver.solver.clone().map(Into::into));
    option("--smt-log", args.solver.smt_log.clone().map(Into::into));
    option("--second-opinion", args.judge.second_opinion.clone().map(Into::into));
    option("--format", Some("json".into()));
    option("--sarif-log", (args.format == Format::Sarif).then(|| shared.log.clone().into()));
    option("--facts", shared.facts.exists().then(|| shared.facts.clone().into()));
    option("--facts-out", Some(shared.facts.clone().into()));
    // The processes read what the page must not overwrite.
    option("--spared", args.report.clone().map(Into::into));
    arguments.extend(args.judge.strict.then(|| "--strict".into()));
    arguments.extend(args.sarif_unknowns.then(|| "--sarif-unknowns".into()));
    arguments.extend(args.confirm.then(|| "--confirm".into()));
    arguments.extend(args.verbose.then(|| "--verbose".into()));
    arguments
}
