//! The state of several questions at any time, so that no answer is lost when the command has to end early.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;
use thetis_base::{Budget, printable};
use thetis_model::Reason;
use thetis_report::{CheckRow, Unanswered, Unknowns, merge_sarif, overview};

use super::answers::{Answer, assumptions, json, junit, line, row, summary, worst};
use super::excerpts::Excerpts;
use crate::args::{CheckArgs, Format};
use crate::exit::Exit;
use crate::input::standard::name_of;
use crate::outputs;

/// The questions of a command and the answers so far, in the same order.
pub(super) struct Tally {
    format: Format,
    unknowns: Unknowns,
    file: String,
    engine: String,
    page: Option<PathBuf>,
    questions: Vec<Asked>,
    answers: Mutex<Vec<Answer>>,
    /// The indices of provisional answers, which have no lines yet, and the limits they were run with.
    postponed: Mutex<Vec<(usize, Budget)>>,
}

/// The name of a question in answers and reports.
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) property: String,
}

impl Tally {
    pub(super) fn new(args: &CheckArgs, questions: Vec<Asked>) -> Tally {
        Tally {
            format: args.format,
            unknowns: args.unknowns(),
            file: name_of(&args.question.first()).into_owned(),
            engine: args.engine.clone().unwrap_or_else(|| "auto".to_owned()),
            page: args.report.clone(),
            questions,
            answers: Mutex::default(),
            postponed: Mutex::default(),
        }
    }

    /// Adds the answer to the next question. Returns its line if lines are printed.
    pub(super) fn add(&self, answer: Answer) -> String {
        let line = self.line(&answer);
        self.answers().push(answer);
        line
    }

    /// Adds an answer that may be replaced later, and the limits that it was found within.
    pub(super) fn postpone(&self, answer: Answer, budget: Budget) {
        let mut answers = self.answers();
        self.unsettled().push((answers.len(), budget));
        answers.push(answer);
    }

    /// The indices of provisional answers.
    pub(super) fn postponed(&self) -> Vec<(usize, Budget)> {
        self.unsettled().clone()
    }

    /// Makes the answer at an index final, possibly replaced by a better one. Returns its line if lines are printed.
    pub(super) fn settle(&self, place: usize, better: Option<Answer>) -> String {
        self.unsettled().retain(|(other, _)| *other != place);
        let mut answers = self.answers();
        if let Some(better) = better {
            answers[place] = better;
        }
        self.line(&answers[place])
    }

    /// Why questions have no answer, each reason once.
    pub(super) fn reasons(&self) -> Vec<Reason> {
        let mut reasons = Vec::new();
        for reason in self.answers().iter().filter_map(Answer::obstacle) {
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        reasons
    }

    /// Ends the command because of `reason`: the current question is undecided, the remaining ones are not run. Returns
    /// the text that is still missing on standard output, and the exit code.
    pub(super) fn end(&self, reason: &Reason) -> (String, Exit) {
        let num_known = self.answers().len();
        let being_asked = self
            .questions
            .get(num_known)
            .map(|question| Answer { is_asked: true, ..self.unasked(question, reason) });
        let lines: String = being_asked.into_iter().map(|answer| self.add(answer)).collect();
        let (rest, exit) = self.leave_out(reason);
        (lines + &rest, exit)
    }

    /// Skips the remaining questions because of `reason`. Returns the text that is still missing on standard output,
    /// and the exit code.
    pub(super) fn leave_out(&self, reason: &Reason) -> (String, Exit) {
        let settled: String =
            self.postponed().into_iter().map(|(place, _)| self.settle(place, None)).collect();
        let num_known = self.answers().len();
        let rest = self.questions.iter().skip(num_known);
        let rest: String = rest.map(|question| self.add(self.unasked(question, reason))).collect();
        let lines = settled + &rest;
        let answers = self.answers();
        let exit = worst(&answers);
        let text = match self.format {
            Format::Json => format!("{:#}\n", json(&self.file, &answers, exit)),
            Format::Sarif => format!("{:#}\n", merge_sarif(&self.logs(&answers), exit as u8)),
            Format::Junit => junit(&self.file, &answers),
            _ => format!("{lines}{}\n", printable(&summary(&answers, exit))),
        };
        (text, exit)
    }

    /// The assumptions of the answers.
    pub(super) fn assumptions(&self) -> String {
        assumptions(&self.answers())
    }

    /// Writes the page about all questions, if one is wanted.
    pub(super) fn write_page(&self) {
        let Some(path) = &self.page else { return };
        let answers = self.answers();
        let mut excerpts = Excerpts::default();
        let rows = answers.iter().map(|answer| {
            let source = Some(answer).filter(|answer| answer.exit == Exit::Unsafe);
            let source = source.and_then(|answer| excerpts.of(&answer.report));
            CheckRow { source: source.into_iter().collect(), ..row(answer) }
        });
        let rows: Vec<CheckRow> = rows.collect();
        let verdict = summary(&answers, worst(&answers));
        let page = overview(&self.file, &verdict, &rows, &assumptions(&answers), &excerpts.sources);
        outputs::write(path, &page);
    }

    fn answers(&self) -> MutexGuard<'_, Vec<Answer>> {
        self.answers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unsettled(&self) -> MutexGuard<'_, Vec<(usize, Budget)>> {
        self.postponed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn line(&self, answer: &Answer) -> String {
        match self.format {
            Format::Text => format!("{}\n", printable(&line(answer))),
            _ => String::new(),
        }
    }

    fn unasked(&self, question: &Asked, reason: &Reason) -> Answer {
        let report = self.unanswered(question, reason).json();
        Answer { name: question.name.clone(), exit: Exit::Unknown, is_asked: false, report, log: None }
    }

    /// The answer to a question whose process was killed.
    pub(super) fn lost(&self, place: usize) -> Answer {
        let reason = Reason::Incomplete("its process was killed".to_owned());
        Answer { is_asked: true, ..self.unasked(&self.questions[place], &reason) }
    }

    fn unanswered<'a>(&'a self, question: &'a Asked, reason: &'a Reason) -> Unanswered<'a> {
        Unanswered {
            file: &self.file,
            property: &question.property,
            engine: &self.engine,
            reason,
            elapsed: Duration::ZERO,
        }
    }

    /// The SARIF logs of all answers. Processes that had to end wrote none.
    fn logs(&self, answers: &[Answer]) -> Vec<Value> {
        let logs = answers.iter().zip(&self.questions).map(|(answer, question)| {
            let missing =
                || self.unanswered(question, &answer.why()).sarif(Exit::Unknown as u8, self.unknowns);
            answer.log.clone().unwrap_or_else(missing)
        });
        logs.collect()
    }
}
