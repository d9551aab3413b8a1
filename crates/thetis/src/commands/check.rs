//! `thetis check`.

use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, PoisonError};

use rustix::process::{Signal, set_parent_process_death_signal};
use thetis_base::{Run, Share, printable};
use thetis_checker::{Certified, certify};
use thetis_engine::Engine;
use thetis_model::{Evidence, Model, Verdict};
use thetis_portfolio::portfolio::{BitVectors, Crew};
use thetis_portfolio::{Config, Cooperation, Parts};
use thetis_report::{
    Abstractions, CaseOutcome, Certificate, Patience, Report, Reportable, TestCase, arg_to_dot, junit,
    read_certificate, render_statistics, render_story,
};

use crate::advice::advice;
use crate::args::{CheckArgs, Format};
use crate::commands::{several, test_cases, worker};
use crate::confirm::confirm;
use crate::exit::Exit;
use crate::facts::{self, Keeper};
use crate::failure::Failure;
use crate::input::Input;
use crate::input::language::{ClauseDetail, Witness};
use crate::input::standard::hold;
use crate::loaded::Supported;
use crate::progress::Progress;
use crate::session::{Drawing, Session, show_event, start_run};
use crate::silence::Silence;
use crate::translation::Translation;
use crate::{ending, input, judges, outputs, protect, terminal};
use input::prepared;

pub(crate) fn run(mut args: CheckArgs) -> Result<Exit, Failure> {
    if args.end_with_parent {
        set_parent_process_death_signal(Some(Signal::KILL)).map_err(Failure::internal)?;
    }
    let run = start_run((&args.budget).into());
    let progress = Progress::start(&run, !args.verbose && !terminal::is_quiet());
    ending::report_with(Silence::new(&args, &run, &progress).reporter());
    let _held = hold(&mut args.question, &run)?;
    let _prepared = prepared::share(&mut args.question)?;
    answer(&args, run, progress)
}

/// Answers the questions about files.
fn answer(args: &CheckArgs, run: Run, progress: Progress) -> Result<Exit, Failure> {
    let silence = Silence::new(args, &run, &progress);
    ending::report_with(silence.clone().reporter());
    if args.assertion.is_some() && !args.question.is_c_program() {
        return Err(Failure::usage("`--assertion` is for C programs"));
    }
    if several::asks_several(&args.question) {
        return several::run(args, &run, &progress);
    }
    check_outputs(args)?;
    args.tests.as_deref().map_or(Ok(()), outputs::check_folder)?;
    let mut session = Session::of(run, &args.solver, &args.judge)?;
    session.run.checkpoint().map_err(Failure::stopped)?;
    let config = configuration(args)?;
    let loaded = input::read(&args.question, &config, &session.run)
        .map_err(|failure| in_format(failure, args.format))?;
    ending::report_with(silence.about(&*loaded).reporter());
    session = session.with_events(match args.verbose {
        true => {
            let sink = progress.sink();
            Arc::new(move |event| {
                show_event(event);
                sink(event);
            })
        }
        false => progress.sink(),
    });
    let drawing = session.keep_drawing();
    let watched = Watched { progress, drawing };
    let exit = loaded.check(&Checking { args, config: &config, session: &session, watched: &watched })?;
    if let Some(path) = &args.arg {
        write_drawing(path, &watched);
    }
    if let Some(path) = &args.solution_space {
        write_solution_space(path, &watched);
    }
    Ok(exit)
}

/// Rejects output files that cannot be written, or are inputs.
fn check_outputs(args: &CheckArgs) -> Result<(), Failure> {
    let evidence = [&args.certificate, &args.witness, &args.harness];
    let drawings = [&args.arg, &args.solution_space];
    let outputs = evidence.into_iter().chain(drawings).chain([&args.report, &args.facts_out]).flatten();
    let others = args.write_annotations.iter().filter(|path| !is_program(args, path));
    outputs::check(outputs.chain(others))?;
    args.spared.iter().try_for_each(|path| protect::announce(path))?;
    args.write_annotations.as_deref().map_or(Ok(()), outputs::check_writable)
}

/// Whether annotations replace the program, which they repeat.
fn is_program(args: &CheckArgs, annotated: &Path) -> bool {
    args.question.files.first().is_some_and(|program| protect::is_same_file(program, annotated))
}

/// A rejected input ends the program with the exit code of the requested format.
fn in_format(failure: Failure, format: Format) -> Failure {
    match (format, failure.exit) {
        (Format::SolcVerify, Exit::Input) => Failure { exit: Exit::SolcVerifyInput, ..failure },
        _ => failure,
    }
}

/// What a decision depends on, apart from the task.
pub(crate) struct Checking<'a> {
    args: &'a CheckArgs,
    config: &'a Config,
    session: &'a Session,
    watched: &'a Watched,
}

impl Checking<'_> {
    /// The configuration of the engine.
    pub(crate) fn config(&self) -> &Config {
        self.config
    }

    /// The arguments of the command and its session.
    pub(crate) fn parts(&self) -> (&CheckArgs, &Session) {
        (self.args, self.session)
    }

    /// Ends the display of progress.
    pub(crate) fn end_progress(&self) {
        self.watched.progress.end();
    }
}

/// How many stages of a portfolio may run side by side. If CPU time is limited, parallel stages gain nothing.
fn jobs(args: &CheckArgs) -> usize {
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let usual = if args.budget.cpu_time.0.is_some() { 1 } else { cores };
    args.jobs.map_or(usual, std::num::NonZero::get)
}

/// What is known about a run apart from its verdict.
struct Watched {
    progress: Progress,
    drawing: Drawing,
}

impl Watched {
    /// What engines have drawn last.
    fn abstractions(&self) -> Abstractions {
        self.drawing.lock().unwrap_or_else(PoisonError::into_inner).abstractions.clone()
    }

    /// The solution space that was drawn last.
    fn solution_space(&self) -> Option<String> {
        self.drawing.lock().unwrap_or_else(PoisonError::into_inner).solution_space.clone()
    }
}

fn write_drawing(path: &Path, watched: &Watched) {
    match watched.abstractions().graph {
        Some(graph) => outputs::write(path, &arg_to_dot(&graph)),
        None => {
            terminal::show("thetis: no graph was drawn, because the engine `cegar` did not build one\n");
        }
    }
}

fn write_solution_space(path: &Path, watched: &Watched) {
    match watched.solution_space() {
        Some(text) => outputs::write(path, &text),
        None => terminal::show(
            "thetis: no solution space was drawn, because the engine `state-equation` did not search one\n",
        ),
    }
}

/// This program as a portfolio worker on `input`.
fn crew<M: Supported>(
    args: &CheckArgs,
    input: &Input<M>,
    bit_vectors: Option<BitVectors<M>>,
) -> Result<Crew<M>, Failure> {
    let program = std::env::current_exe()
        .map_err(|error| Failure::internal(format!("the program cannot find itself: {error}")))?;
    let arguments = worker::arguments(args);
    let sha256 = input.sha256.clone();
    Ok(Crew {
        command: Box::new(move || {
            let mut command = Command::new(&program);
            command.args(&arguments);
            command
        }),
        read: Box::new(move |task, certificate| {
            read_certificate(task, &sha256, certificate).map_err(|error| error.to_string())
        }),
        bit_vectors,
    })
}

/// The part of the run for the engine. Tests need time too.
fn engine_run(args: &CheckArgs, session: &Session) -> Run {
    match args.tests {
        Some(_) => session.engine_run().slice(Share::percent(50)),
        None => session.engine_run(),
    }
}

/// The verdict of an engine, within its limits.
fn ask<M: Supported>(
    engine: &mut dyn Engine<M>,
    input: &Input<M>,
    run: &Run,
    session: &Session,
) -> Result<Verdict<M>, Failure> {
    let verdict = run.enclose(|| engine.check(&input.task, run)).flatten();
    verdict.or_else(|stop| session.give_up(stop).map(Verdict::Unknown))
}

/// The verdict after the check of its evidence, which is about `input`.
fn checked<M: Supported>(
    input: &Input<M>,
    verdict: Verdict<M>,
    session: &Session,
) -> Result<Certified<M>, Failure> {
    let verdict = plainer(input, verdict, &session.run);
    let check = || certify(&input.task, verdict, &*session.judges, &session.run);
    session.run.enclose(check).flatten().or_else(|stop| session.give_up(stop).map(Certified::unknown))
}

/// The verdict with a violation that is easier to read, if there is time to find one.
fn plainer<M: Supported>(input: &Input<M>, verdict: Verdict<M>, run: &Run) -> Verdict<M> {
    let Verdict::Unsafe(Evidence::Given(trace)) = &verdict else { return verdict };
    let found = run.enclose(|| input.language.plainer(&input.task, trace));
    match found {
        Ok(Some(trace)) => Verdict::Unsafe(Evidence::Given(trace)),
        Ok(None) | Err(_) => verdict,
    }
}

/// Runs the engine, checks its evidence, and reports.
pub(crate) fn decide<M: Supported>(input: &Input<M>, checking: &Checking<'_>) -> Result<Exit, Failure> {
    let Checking { args, config, session, watched } = checking;
    reject_unavailable(args, input)?;
    let cooperation = facts::cooperation(args, input, config, session)?;
    let keeper = keeper(args, input, &cooperation);
    let parts = Parts { jobs: jobs(args), ..session.parts(cooperation) };
    let translation = Translation::of(input);
    let crew = crew(args, input, translation.bit_vectors.clone())?;
    let mut engine = thetis_portfolio::engine(config, &parts, Some(crew)).map_err(Failure::usage)?;
    let run = engine_run(args, session);
    let run = keeper.as_ref().map_or_else(|| run.clone(), |keeper| keeper.listen(&run));
    let verdict = ask(&mut *engine, input, &run, session);
    let other = verdict.as_ref().ok().and_then(|verdict| translation.answered(input, verdict));
    let (asked, input) = (input, other.as_ref().unwrap_or(input));
    let certified = verdict.and_then(|verdict| checked(input, verdict, session));
    let known = watched.progress.end();
    let (certified, answer_about_clauses) = on_clauses(args, input, certified?, session)?;
    if let Verdict::Unknown(reason) = &certified.verdict {
        terminal::show(&known);
        for sentence in advice(args, reason, watched.progress.known()) {
            terminal::show(&format!("hint: {sentence}\n"));
        }
    }
    let statistics = engine.statistics().part(session.statistics());
    let report = Report {
        task: &input.task,
        file: &input.name,
        sha256: &input.sha256,
        engine: &statistics.name,
        certified: &certified,
        grounds: session.judges.grounds(),
        statistics: &statistics,
        elapsed: session.run.elapsed(),
        story: match &certified.verdict {
            Verdict::Unsafe(Evidence::Given(trace)) => input.language.story(trace, &input.sources),
            _ => None,
        },
        violated: match &certified.verdict {
            Verdict::Unsafe(Evidence::Given(trace)) => input.language.violated(trace),
            _ => None,
        },
        facts: match &certified.verdict {
            Verdict::Safe(Evidence::Given(proof)) => input.language.facts(&input.task, proof, &input.sources),
            _ => None,
        },
        labels: args.report.as_ref().and_then(|_| input.language.labels(&input.sources)),
        invariants: invariants(input, &certified.verdict),
        scope: input.language.scope(),
        confirmation: if args.confirm { confirm(input, &certified.verdict, &session.run) } else { None },
    };
    explain(args, input, &report);
    // The verdict comes first, so that no failure to write a file can suppress it.
    let exit = conclude(args, input, &report, answer_about_clauses, &session.run)?;
    write_files(input, checking, &report, keeper.as_ref());
    if let Some(folder) = &args.tests {
        test_cases::write(folder, args.tests_format, asked, checking)?;
    }
    Ok(exit)
}

/// Writes the requested files.
fn write_files<M: Supported>(
    input: &Input<M>,
    checking: &Checking<'_>,
    report: &Report<'_, M>,
    keeper: Option<&Keeper>,
) {
    let Checking { args, config, session, watched } = checking;
    let verdict = &report.certified.verdict;
    write_certificate(args.certificate.as_deref(), input, report, &session.run);
    if let Some(keeper) = keeper {
        write_facts(input, checking, verdict, keeper);
    }
    write_witness(args.witness.as_deref(), input, verdict);
    write_harness(args.harness.as_deref(), input, verdict);
    write_annotations(args, input, verdict);
    if let Some(path) = &args.sarif_log {
        let log = report.sarif(&input.sources, Exit::of(verdict) as u8, args.unknowns());
        outputs::write(path, &format!("{log}\n"));
    }
    if let Some(path) = &args.report {
        let page = report.html(&input.sources, input.files(), &config.to_toml(), &watched.abstractions());
        outputs::write(path, &page);
    }
}

/// Writes the facts of the run, as a witness if the file name ends in `.yml`.
fn write_facts<M: Supported>(
    input: &Input<M>,
    checking: &Checking<'_>,
    verdict: &Verdict<M>,
    keeper: &Keeper,
) {
    let Checking { args, config, session, .. } = checking;
    let Some(path) = args.facts_out.as_deref().filter(|path| facts::is_witness(path)) else {
        return keeper.write(&input.task, verdict);
    };
    if let Verdict::Safe(_) = verdict {
        return write_witness(Some(path), input, verdict);
    }
    let Some(writer) = input.language.partial_witnesses() else { return };
    match writer.partial(&input.task, &keeper.known(), &config.passes, &input.sources, session) {
        Ok(witness) => show_witness(path, &witness),
        Err(reason) => terminal::show(&format!("thetis: no witness was written: {reason}\n")),
    }
}

/// Collects the facts of the run if `--facts-out` asks for it, even if the run has to end at once.
fn keeper<M: Supported>(args: &CheckArgs, input: &Input<M>, cooperation: &Cooperation) -> Option<Keeper> {
    let path = args.facts_out.clone()?;
    let places = input.language.places(&input.sources);
    let keeper = Keeper::new(path, &input.sha256, places, &cooperation.facts);
    let last = keeper.clone();
    ending::leave(move || last.write_collected());
    Some(keeper)
}

/// Prints the verdict in the requested format.
fn conclude<M: Supported>(
    args: &CheckArgs,
    input: &Input<M>,
    report: &Report<'_, M>,
    about_clauses: Option<String>,
    run: &Run,
) -> Result<Exit, Failure> {
    let exit = Exit::of(&report.certified.verdict);
    let text = match args.format {
        Format::Text => format!("{}\n", printable(&report.line_with_violation(&input.sources))),
        Format::Json => {
            let write = |out: &mut dyn Write| report.write_json(&input.sources, args.extent(), run, out);
            return terminal::conclude_with(exit, write);
        }
        Format::Sarif => format!("{:#}\n", report.sarif(&input.sources, exit as u8, args.unknowns())),
        Format::Junit => junit(&input.name, &[test_case(args, input, report)]),
        Format::SolcVerify => return Err(Failure::usage("`--format solc-verify` is for Solidity contracts")),
        Format::Chc => about_clauses.unwrap_or_else(|| "unknown\n".into()),
    };
    terminal::conclude(&text, exit)
}

/// The check as a test, with the run that violates the property.
fn test_case<M: Supported>(args: &CheckArgs, input: &Input<M>, report: &Report<'_, M>) -> TestCase {
    let outcome = match &report.certified.verdict {
        Verdict::Safe(_) => CaseOutcome::Passed,
        Verdict::Unsafe(_) => CaseOutcome::Failed {
            message: report.message(),
            details: violation(args, input, report).unwrap_or_default(),
        },
        Verdict::Unknown(reason) => CaseOutcome::Unknown(reason.to_string()),
    };
    TestCase { name: input.task.property.to_string(), outcome, elapsed: report.elapsed }
}

/// The run that violates the property, as text.
fn violation<M: Reportable>(args: &CheckArgs, input: &Input<M>, report: &Report<'_, M>) -> Option<String> {
    let Verdict::Unsafe(Evidence::Given(trace)) = &report.certified.verdict else { return None };
    Some(match &report.story {
        Some(story) => render_story(story, &input.sources, args.detail()),
        None => M::render_trace(&input.task, trace, &input.sources),
    })
}

/// If the model comes from Horn clauses: the verdict after its evidence was checked on the clauses, and the answer
/// about them.
fn on_clauses<M: Supported>(
    args: &CheckArgs,
    input: &Input<M>,
    certified: Certified<M>,
    session: &Session,
) -> Result<(Certified<M>, Option<String>), Failure> {
    let Some(clauses) = input.language.clauses() else { return Ok((certified, None)) };
    let detail = if args.format == Format::Chc { ClauseDetail::Model } else { ClauseDetail::Verdict };
    Ok(match clauses.answer(&input.task, &certified.verdict, detail, &input.sources, session)? {
        Ok(answer) => (certified, Some(answer)),
        Err(reason) => (Certified::unknown(reason), None),
    })
}

/// Rejects options that the language of the model does not support.
fn reject_unavailable<M: Model>(args: &CheckArgs, input: &Input<M>) -> Result<(), Failure> {
    if args.witness.is_some() && input.language.witnesses().is_none() {
        return Err(Failure::usage("`--witness` is for circuits, C programs and timed automata"));
    }
    let wants_partial = args.facts_out.as_deref().is_some_and(facts::is_witness);
    if wants_partial && input.language.partial_witnesses().is_none() {
        return Err(Failure::usage("`--facts-out` writes a witness (`.yml`) about C programs only"));
    }
    if args.harness.is_some() && input.language.harnesses().is_none() {
        return Err(Failure::usage("`--harness` is for C programs"));
    }
    if args.tests.is_some() && input.language.tests().is_none() {
        return Err(Failure::usage("`--tests` is for C programs"));
    }
    if args.write_annotations.is_some() && !input.language.has_annotations() {
        return Err(Failure::usage(
            "`--write-annotations` is for Solidity contracts, with `--property contract`",
        ));
    }
    if args.format == Format::Chc && input.language.clauses().is_none() {
        return Err(Failure::usage("`--format chc` is for Horn clauses"));
    }
    if args.confirm && input.language.harnesses().is_none() {
        return Err(Failure::usage("`--confirm` is for C programs"));
    }
    Ok(())
}

/// Writes the evidence in the witness format of the language.
fn write_witness<M: Model>(path: Option<&Path>, input: &Input<M>, verdict: &Verdict<M>) {
    let (Some(path), Some(writer)) = (path, input.language.witnesses()) else { return };
    match writer.witness(&input.task, verdict, &input.sources) {
        Ok(None) => {}
        Ok(Some(witness)) => show_witness(path, &witness),
        Err(reason) => terminal::show(&format!("thetis: no witness was written: {reason}\n")),
    }
}

/// Writes a witness, and reports what it leaves out.
fn show_witness(path: &Path, witness: &Witness) {
    if let Some(remark) = &witness.remark {
        terminal::show(&format!("thetis: {remark}\n"));
    }
    outputs::write(path, &witness.text);
}

/// Writes a file that makes the compiled program violate its property.
fn write_harness<M: Model>(path: Option<&Path>, input: &Input<M>, verdict: &Verdict<M>) {
    let (Some(path), Some(writer)) = (path, input.language.harnesses()) else { return };
    let Verdict::Unsafe(Evidence::Given(trace)) = verdict else { return };
    match writer.harness(trace, &input.sources) {
        Ok(harness) => outputs::write(path, &harness.text),
        Err(reason) => terminal::show(&format!("thetis: no harness was written: {reason}\n")),
    }
}

/// Writes the model with the invariants of a proof.
fn write_annotations<M: Model>(args: &CheckArgs, input: &Input<M>, verdict: &Verdict<M>) {
    let Verdict::Safe(Evidence::Given(proof)) = verdict else { return };
    let Some(path) = &args.write_annotations else { return };
    match input.language.annotated(&input.task, proof, &input.sources) {
        Some(text) if is_program(args, path) => outputs::replace(path, &text),
        Some(text) => outputs::write(path, &text),
        None => {}
    }
}

/// The configuration in a file, or the default.
pub(crate) fn read_configuration(path: Option<&Path>) -> Result<Config, Failure> {
    let Some(path) = path else { return Ok(Config::default()) };
    let text = input::read_text(path)?;
    Config::from_toml(&text).map_err(|error| Failure::usage(format!("{}: {error}", input::shown(path))))
}

fn configuration(args: &CheckArgs) -> Result<Config, Failure> {
    let config = read_configuration(args.config.as_deref())?;
    let engine = args.engine.iter().map(|name| format!("engine=\"{name}\""));
    // A witness cannot express a proof that follows many runs.
    let explaining = args.witness.iter().map(|_| "exhaust.single-run=true".to_owned());
    let assertion = args.assertion.iter().map(|number| format!("c.assertion={number}"));
    let graph = args.arg.iter().chain(&args.report).map(|_| "cegar.draw-arg=true".to_owned());
    let space = args.solution_space.iter().map(|_| "state-equation.draw-solution-space=true".to_owned());
    let drawing = graph.chain(space);
    let settings: Vec<String> = engine
        .chain(explaining)
        .chain(assertion)
        .chain(drawing)
        .chain(args.settings.iter().cloned())
        .collect();
    config.with_settings(&settings).map_err(Failure::usage)
}

fn write_certificate<M: Reportable>(
    path: Option<&Path>,
    input: &Input<M>,
    report: &Report<'_, M>,
    run: &Run,
) {
    let Some(path) = path else { return };
    let verdict = &report.certified.verdict;
    match Certificate::new(&input.task, &input.sha256, verdict) {
        Some(certificate) => {
            let certificate = certificate.checked(&report.grounds).within(Patience::of(run));
            outputs::write_with(path, |out| certificate.write(out));
        }
        None => {
            terminal::show("thetis: no certificate was written, because there is none that could be kept\n");
        }
    }
}

/// The invariants of a proof in the language of the model.
fn invariants<M: Model>(input: &Input<M>, verdict: &Verdict<M>) -> Vec<String> {
    match verdict {
        Verdict::Safe(Evidence::Given(proof)) => input.language.invariants(&input.task, proof),
        _ => Vec::new(),
    }
}

/// Prints everything beyond the verdict on standard error.
fn explain<M: Reportable>(args: &CheckArgs, input: &Input<M>, report: &Report<'_, M>) {
    if let Some(violation) = violation(args, input, report) {
        terminal::show(&violation);
    }
    for invariant in &report.invariants {
        terminal::show(&format!("between transactions always {}\n", printable(invariant)));
    }
    if let Some(time) = report.certified.time {
        let outcome = outcome_of_check(&report.certified.verdict);
        terminal::show(&format!("{outcome} in {:.3} s.\n", time.as_secs_f64()));
    }
    let has_second = args.judge.second_opinion.is_some() || args.solver.solver.is_some();
    if (args.verbose || args.judge.strict || has_second)
        && matches!(report.certified.verdict, Verdict::Safe(_))
    {
        terminal::show(&format!("{}\n", judges::sentence(&report.grounds)));
    }
    if let Some(confirmation) = &report.confirmation {
        terminal::show(&format!("The violation is {confirmation}.\n"));
    }
    if args.verbose {
        terminal::show(&render_statistics(report.statistics));
    }
}

fn outcome_of_check<M: Reportable>(verdict: &Verdict<M>) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "The proof was checked",
        Verdict::Unsafe(_) => "The run was replayed",
        Verdict::Unknown(_) => "The evidence was not accepted, after a check",
    }
}
