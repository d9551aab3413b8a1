//! `thetis interpolate`: an interpolant of two formulas, or of the parts of one.
//!
//! Whichever method finds the interpolant, fresh queries prove it before it is printed, and a model of a satisfiable
//! input is evaluated on both formulas.

mod answer;
mod external;
mod formulas;
mod plot;

use std::rc::Rc;

use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Store, Value, VarId, evaluate};
use thetis_ice::{Lesson, PairAnswer, Pairs};
use thetis_interpolate::{InterpolatorKind, Tools};
use thetis_model::Reason;
use thetis_solver::{Answer, Chain, CoreSolver, Interpolator, Step};
use thetis_z3::{Z3Eliminator, Z3Horn};

use crate::args::{InterpolateArgs, InterpolateFormat, InterpolationEngine, JudgeArgs};
use crate::commands::check::read_configuration;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;
use crate::{ending, outputs, protect, terminal};
use answer::Found;
use external::ExternalLearner;
use formulas::Pair;

pub(crate) fn run(args: &InterpolateArgs) -> Result<Exit, Failure> {
    outputs::check(args.data.iter().chain(&args.plot))?;
    args.learner.as_deref().map_or(Ok(()), protect::reading_at)?;
    let session = Session::start(&args.budget, &args.solver, &JudgeArgs::default())?;
    let (format, engine) = (args.format, args.engine.word());
    ending::report_with(move |reason| answer::unanswered(format, engine, reason));
    let config =
        read_configuration(args.config.as_deref())?.with_settings(&args.settings).map_err(Failure::usage)?;
    let pair = formulas::read(args, &session)?;
    let mut pairs = Pairs::new(config.ice, session.solvers.clone()).patient();
    if args.learner.is_some() && args.engine != InterpolationEngine::Ice {
        return Err(Failure::usage("`--learner` is for the engine `ice`"));
    }
    if let Some(program) = &args.learner {
        pairs = pairs.learning_with(Box::new(ExternalLearner::new(program)?));
    }
    let mut lesson = None;
    let found = interpolate(args, &mut pairs, &pair, &session, &mut lesson)
        .or_else(|stop| session.give_up(stop).map(Found::Unknown))?;
    let text = match args.format {
        InterpolateFormat::Text => found.text(&pair),
        InterpolateFormat::Json => {
            let statistics = statistics(args, &pairs, &pair, &session);
            format!("{:#}\n", found.json(&pair, args.engine.word(), &statistics))
        }
    };
    terminal::conclude(&text, found.exit())?;
    write_pictures(args, &pair, lesson.as_ref());
    Ok(found.exit())
}

/// What the parts of the command did.
fn statistics(args: &InterpolateArgs, pairs: &Pairs, pair: &Pair, session: &Session) -> Statistics {
    let own = Statistics::new("interpolate").time("splitting", pair.splitting.total());
    let own = own.part(session.statistics());
    match args.engine {
        InterpolationEngine::Ice => own.part(pairs.stats().statistics()),
        _ => own,
    }
}

/// Decides whether the formulas contradict each other, and if so, finds an interpolant.
fn interpolate(
    args: &InterpolateArgs,
    pairs: &mut Pairs,
    pair: &Pair,
    session: &Session,
    lesson: &mut Option<Lesson>,
) -> Result<Found, Stop> {
    let (store, run) = (&pair.store, &session.run);
    let mut solver = thetis_solver::SolverFactory::start(&*session.judges, run)?;
    if let Some(found) = common_model(pair, &mut *solver)? {
        return Ok(found);
    }
    let engine_run = session.engine_run();
    let formula = match args.engine.kind() {
        None => {
            let learned = lesson.insert(pairs.lesson(store, pair.a, pair.b, &engine_run)?);
            match &learned.answer {
                PairAnswer::Interpolant(formula) => Ok(*formula),
                PairAnswer::Unknown(reason) => Err(reason.clone()),
                PairAnswer::Satisfiable => Err("learning contradicts the solver".into()),
            }
        }
        Some(kind) => by_chain(pair, kind, session, &engine_run)?,
    };
    match formula {
        Ok(formula) if is_interpolant(pair, formula, &mut *solver)? => Ok(Found::Interpolant(formula)),
        Ok(_) => Ok(Found::Unknown(Reason::CertificateUndecided(
            "what was found could not be proved to be an interpolant".into(),
        ))),
        Err(reason) => Ok(Found::Unknown(Reason::Incomplete(reason))),
    }
}

/// A model of both formulas, or that the solver could not decide; `None` if they contradict each other.
fn common_model(pair: &Pair, solver: &mut dyn CoreSolver) -> Result<Option<Found>, Stop> {
    let store = &pair.store;
    let values: Vec<(VarId, Value)> = match solver.check(store, &[pair.a, pair.b])? {
        Answer::Unsat => return Ok(None),
        Answer::Unknown(reason) => return Ok(Some(Found::Unknown(Reason::Solver(reason.to_string())))),
        Answer::Sat(valuation) => {
            let vars = store.vars_of([pair.a, pair.b]);
            vars.into_iter()
                .map(|var| Ok((var, valuation.value(store, var)?)))
                .collect::<Result<_, Stop>>()?
        }
    };
    let lookup = |var: VarId| values.iter().find(|(known, _)| *known == var).map(|(_, value)| value.clone());
    let holds =
        |formula| evaluate(store, formula, &lookup).ok().and_then(|value| value.as_bool()) == Some(true);
    Ok(Some(match holds(pair.a) && holds(pair.b) {
        true => Found::Model(values),
        false => Found::Unknown(Reason::CertificateRejected("the model of the solver is none".into())),
    }))
}

/// The interpolant of a chain with two steps, whose inputs are the variables that are not shared.
fn by_chain(
    pair: &Pair,
    kind: InterpolatorKind,
    session: &Session,
    run: &Run,
) -> Result<Result<ExprId, String>, Stop> {
    let store = &pair.store;
    let step = |formula: ExprId| {
        let mut inputs = store.vars_of([formula]);
        inputs.retain(|var| !pair.shared.contains(var));
        Rc::new(Step { conjuncts: store.conjuncts(formula), next: Vec::new(), inputs })
    };
    let chain = Chain::infeasible(store, vec![step(pair.a), step(pair.b)]);
    let tools = Tools {
        solvers: session.solvers.clone(),
        eliminator: Rc::new(Z3Eliminator),
        horn: Rc::new(|| Box::new(Z3Horn::default())),
        ice: Default::default(),
    };
    let formulas = tools.in_order(&[kind], run)?.interpolate(store, &chain, run)?;
    Ok(formulas
        .and_then(|formulas| formulas.get(1).copied())
        .ok_or_else(|| "the interpolator found nothing".into()))
}

/// Whether `formula` follows from `A`, contradicts `B` and is over shared variables.
fn is_interpolant(pair: &Pair, formula: ExprId, solver: &mut dyn CoreSolver) -> Result<bool, Stop> {
    let store = &pair.store;
    let is_over_shared = store.vars_of([formula]).iter().all(|var| pair.shared.contains(var));
    let mut is_unsat = |formulas: [ExprId; 2]| -> Result<bool, Stop> {
        Ok(matches!(solver.check(store, &formulas)?, Answer::Unsat))
    };
    Ok(is_over_shared && is_unsat([pair.a, store.not(formula)])? && is_unsat([pair.b, formula])?)
}

fn write_pictures(args: &InterpolateArgs, pair: &Pair, lesson: Option<&Lesson>) {
    let (Some(lesson), true) = (lesson, args.data.is_some() || args.plot.is_some()) else {
        if args.data.is_some() || args.plot.is_some() {
            terminal::show("thetis: only the engine `ice` has points to write\n");
        }
        return;
    };
    if let Some(path) = &args.data {
        outputs::write(path, &answer::csv(&pair.store, &lesson.data));
    }
    let Some(path) = &args.plot else { return };
    match plot::svg(&pair.store, lesson) {
        Some(picture) => outputs::write(path, &picture),
        None => terminal::show("thetis: no picture was drawn, because that needs two shared variables\n"),
    }
}

impl InterpolationEngine {
    /// The interpolator of chains; `None` for learning, which works on pairs.
    fn kind(self) -> Option<InterpolatorKind> {
        Some(match self {
            InterpolationEngine::Ice => return None,
            InterpolationEngine::Farkas => InterpolatorKind::Farkas,
            InterpolationEngine::NewtonWp => InterpolatorKind::NewtonWp,
            InterpolationEngine::NewtonSp => InterpolatorKind::NewtonSp,
            InterpolationEngine::Horn => InterpolatorKind::Horn,
            InterpolationEngine::Clauses => InterpolatorKind::Clauses,
        })
    }
}

/// The variables that both formulas have.
fn shared(store: &Store, a: ExprId, b: ExprId) -> Vec<VarId> {
    let of_b = store.vars_of([b]);
    store.vars_of([a]).into_iter().filter(|var| of_b.contains(var)).collect()
}
