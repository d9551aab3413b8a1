//! The verdict on each function of a contract.
//!
//! The automaton of a function has no cycles, so bounded model checking decides it, as far as the solver can. Every
//! verdict is certified. Checks are decided together; one that fails is reported and removed, until the rest holds. A
//! guess about a loop that fails is not reported: the function is translated again without it.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Diagnostics, FileId, Run, SourceMap, Span, Stop};
use thetis_bounded::{Bmc, BmcConfig};
use thetis_checker::certify;
use thetis_engine::{Engine, Limited};
use thetis_expr::{Value, evaluate};
use thetis_model::cfa::{Cfa, CfaProperty, CfaTrace, LocId};
use thetis_model::{Assumption, Evidence, Reason, Task, Verdict};
use thetis_solidity::{
    Check, CheckKind, FunctionId, FunctionOutcome, FunctionTask, Options, Skipped, Translated,
};
use thetis_solver::SolverFactory;

use super::run::{RunStep, steps};

/// What is known about a function.
pub(crate) enum Status {
    /// All checks hold, and that was certified.
    Ok,
    /// Checks that may fail, with a run to each.
    Error,
    /// Some checks could not be decided, and none fails.
    Inconclusive,
    /// The time of the function is over, and no check fails.
    Timeout,
    /// Something in it is not modelled.
    Skipped(Skipped),
}

/// A check that may fail.
pub(crate) struct Violation {
    pub(crate) check: Check,
    /// How long a run to it is, which was certified by the interpreter.
    pub(crate) length: usize,
    /// Where the run starts: arguments, caller and state, by name.
    pub(crate) inputs: Vec<(String, Value)>,
    /// The run, statement by statement.
    pub(crate) steps: Vec<RunStep>,
}

/// The result for some checks of a function, with the evidence.
pub(crate) struct Answered {
    pub(crate) checks: BTreeSet<LocId>,
    pub(crate) verdict: Verdict<Cfa>,
}

/// The evidence about a function, for its certificate.
pub(crate) struct FunctionEvidence {
    pub(crate) task: Task<Cfa>,
    /// The guesses about loops that were dropped.
    pub(crate) rejected: Vec<usize>,
    pub(crate) answers: Vec<Answered>,
}

/// The report on a function.
pub(crate) struct FunctionReport {
    pub(crate) name: String,
    pub(crate) evidence: Option<FunctionEvidence>,
    pub(crate) span: Span,
    pub(crate) status: Status,
    pub(crate) violations: Vec<Violation>,
    /// Checks without a verdict, with the reason.
    pub(crate) undecided: Vec<(Check, String)>,
    pub(crate) notes: Vec<(Span, String)>,
    /// The unchecked assumptions of the verdict.
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) num_checks: usize,
    pub(crate) time: Duration,
}

/// What is needed to verify functions.
pub(crate) struct Verifier<'a> {
    pub(crate) sources: &'a SourceMap,
    pub(crate) files: &'a [FileId],
    pub(crate) options: &'a Options,
    pub(crate) solvers: Rc<dyn SolverFactory>,
    /// The same, but quicker to find violations.
    pub(crate) finders: Rc<dyn SolverFactory>,
    /// The solvers that check what the engine says.
    pub(crate) judges: Rc<dyn SolverFactory>,
    /// The time for each function.
    pub(crate) timeout: Option<Duration>,
}

/// The results of the checks of one translation.
#[derive(Default)]
struct Decided {
    violations: Vec<(LocId, CfaTrace)>,
    undecided: Vec<(LocId, String)>,
    answers: Vec<Answered>,
    timed_out: bool,
    /// Guesses that do not hold.
    wrong: Vec<usize>,
}

impl Decided {
    /// Keeps the evidence of an answer.
    fn keep(&mut self, checks: &BTreeSet<LocId>, verdict: &Verdict<Cfa>) {
        if !matches!(verdict, Verdict::Unknown(_)) {
            self.answers.push(Answered { checks: checks.clone(), verdict: verdict.clone() });
        }
    }
}

impl Verifier<'_> {
    /// Verifies one function.
    pub(crate) fn verify(&self, function: FunctionTask, run: &Run) -> Result<FunctionReport, Stop> {
        let started = run.elapsed();
        let mut report = FunctionReport {
            name: function.name,
            evidence: None,
            span: function.span,
            status: Status::Ok,
            violations: Vec::new(),
            undecided: Vec::new(),
            notes: Vec::new(),
            assumptions: Vec::new(),
            num_checks: 0,
            time: Duration::ZERO,
        };
        match function.outcome {
            FunctionOutcome::Skipped(skipped) => report.status = Status::Skipped(skipped),
            FunctionOutcome::Translated(translated) => {
                self.decide(function.id, *translated, &mut report, run)?
            }
        }
        report.time = run.elapsed().saturating_sub(started);
        Ok(report)
    }

    fn decide(
        &self,
        id: FunctionId,
        mut translated: Translated,
        report: &mut FunctionReport,
        run: &Run,
    ) -> Result<(), Stop> {
        let limited = self.timeout.map(|timeout| run.at_most(timeout));
        let run = limited.as_ref().unwrap_or(run);
        let mut rejected = Vec::new();
        let decided = loop {
            let decided = self.decide_checks(&translated, run)?;
            if decided.wrong.is_empty() {
                break decided;
            }
            rejected.extend(&decided.wrong);
            let Some(again) = self.without(id, &rejected) else {
                report.status = Status::Inconclusive;
                return Ok(());
            };
            translated = again;
        };
        let is_asked = |check: &&Check| !matches!(check.kind, CheckKind::Guess(_) | CheckKind::Start);
        report.num_checks = translated.checks.values().filter(is_asked).count();
        if decided.violations.is_empty() {
            report.notes.extend(self.vacuity(&translated, run)?);
        }
        report.violations = decided
            .violations
            .into_iter()
            .map(|(location, trace)| Violation {
                check: translated.checks[&location].clone(),
                inputs: inputs(&translated, &trace),
                steps: steps(&translated, &trace),
                length: trace.steps.len(),
            })
            .collect();
        report.undecided = decided
            .undecided
            .into_iter()
            .map(|(location, reason)| (translated.checks[&location].clone(), reason))
            .collect();
        report.notes.extend(translated.notes);
        report.assumptions = assumptions(&translated.task);
        report.evidence =
            Some(FunctionEvidence { task: translated.task, rejected, answers: decided.answers });
        report.status = match () {
            () if !report.violations.is_empty() => Status::Error,
            () if decided.timed_out => Status::Timeout,
            () if !report.undecided.is_empty() => Status::Inconclusive,
            () => Status::Ok,
        };
        Ok(())
    }

    /// A warning if the function can never start, so that every check holds vacuously.
    fn vacuity(&self, translated: &Translated, run: &Run) -> Result<Option<(Span, String)>, Stop> {
        let start = translated.checks.iter().find(|(_, check)| check.kind == CheckKind::Start);
        let Some((location, check)) = start else { return Ok(None) };
        let verdict = self.ask(&self.solvers, &translated.task, &BTreeSet::from([*location]), run)?;
        let text = "no state satisfies the invariants and preconditions, so all checks hold trivially";
        Ok(matches!(verdict, Verdict::Safe(_)).then(|| (check.span, text.to_owned())))
    }

    /// The function without some guesses.
    pub(crate) fn without(&self, id: FunctionId, rejected: &[usize]) -> Option<Translated> {
        let options = Options { again: Some((id, rejected.to_vec())), ..self.options.clone() };
        let functions =
            thetis_solidity::read(self.sources, self.files, &options, &mut Diagnostics::new()).ok()?;
        functions.into_iter().find_map(|function| match function.outcome {
            FunctionOutcome::Translated(translated) => Some(*translated),
            FunctionOutcome::Skipped(_) => None,
        })
    }

    fn decide_checks(&self, translated: &Translated, run: &Run) -> Result<Decided, Stop> {
        let mut decided = Decided::default();
        let expected_unreachable =
            translated.checks.iter().filter(|(_, check)| check.kind != CheckKind::Start);
        let mut open: BTreeSet<LocId> = expected_unreachable.map(|(location, _)| *location).collect();
        while !open.is_empty() {
            let verdict = self.ask(&self.finders, &translated.task, &open, run)?;
            decided.keep(&open, &verdict);
            match verdict {
                Verdict::Safe(_) => break,
                Verdict::Unsafe(Evidence::Given(trace)) => {
                    self.failed(translated, trace, &mut open, &mut decided)
                }
                verdict => {
                    self.one_by_one(translated, &open, verdict, &mut decided, run)?;
                    break;
                }
            }
        }
        decided.violations.sort_by_key(|(location, _)| *location);
        Ok(decided)
    }

    fn failed(
        &self,
        translated: &Translated,
        trace: CfaTrace,
        open: &mut BTreeSet<LocId>,
        decided: &mut Decided,
    ) {
        let Some(last) = trace.steps.last() else { return open.clear() };
        let location = translated.task.model.edges[last.edge].target;
        open.remove(&location);
        match translated.checks[&location].kind {
            CheckKind::Guess(number) => decided.wrong.push(number),
            _ => decided.violations.push((location, trace)),
        }
    }

    /// Decides each check separately, after deciding them together has failed.
    fn one_by_one(
        &self,
        translated: &Translated,
        open: &BTreeSet<LocId>,
        together: Verdict<Cfa>,
        decided: &mut Decided,
        run: &Run,
    ) -> Result<(), Stop> {
        for location in open {
            let alone = BTreeSet::from([*location]);
            let verdict = match open.len() {
                1 => together.clone(),
                _ => self.ask(&self.solvers, &translated.task, &alone, run)?,
            };
            decided.keep(&alone, &verdict);
            match verdict {
                Verdict::Safe(_) => {}
                Verdict::Unsafe(Evidence::Given(trace)) => {
                    self.failed(translated, trace, &mut alone.clone(), decided)
                }
                verdict => {
                    if let CheckKind::Guess(number) = translated.checks[location].kind {
                        decided.wrong.push(number);
                        continue;
                    }
                    decided.timed_out |= matches!(verdict, Verdict::Unknown(Reason::OutOfTime));
                    decided.undecided.push((*location, described(&verdict)));
                }
            }
        }
        Ok(())
    }

    /// Decides whether one of the error locations `open` is reachable; the verdict is certified.
    fn ask(
        &self,
        solvers: &Rc<dyn SolverFactory>,
        task: &Task<Cfa>,
        open: &BTreeSet<LocId>,
        run: &Run,
    ) -> Result<Verdict<Cfa>, Stop> {
        let mut task = task.clone();
        task.model.errors = open.iter().copied().collect();
        let mut engine = Limited::new(Bmc::new(BmcConfig::default(), Rc::clone(solvers)));
        let answer =
            || engine.check(&task, run).and_then(|verdict| certify(&task, verdict, &*self.judges, run));
        match run.enclose(answer).flatten() {
            Ok(certified) => Ok(certified.verdict),
            Err(Stop::OutOfTime) => Ok(Verdict::Unknown(Reason::OutOfTime)),
            Err(stop) => Err(stop),
        }
    }
}

pub(super) fn assumptions(task: &Task<Cfa>) -> Vec<Assumption> {
    match &task.property {
        CfaProperty::Program(question) => question.assumptions.clone(),
        _ => Vec::new(),
    }
}

/// The values with which a run starts.
fn inputs(translated: &Translated, trace: &CfaTrace) -> Vec<(String, Value)> {
    let value = |term| evaluate(&translated.task.store, term, &|var| trace.initial.get(&var).cloned()).ok();
    translated.inputs.iter().filter_map(|(name, term)| Some((name.clone(), value(*term)?))).collect()
}

fn described(verdict: &Verdict<Cfa>) -> String {
    match verdict {
        Verdict::Unknown(reason) => reason.to_string(),
        _ => "there is no evidence".to_owned(),
    }
}
