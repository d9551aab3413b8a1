//! What the tests share: solvers that check themselves, models, answers.

use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Budget, Run};
use thetis_cegar::{Cegar, CegarConfig, CegarTools, DomainKind, Refinement};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{CheckedFactory, Interpolator, SolverFactory};
use thetis_testkit::cfa::parse;
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

/// All refinements of the matrix.
pub(crate) const REFINEMENTS: [Refinement; 11] = [
    Refinement::SeqItp,
    Refinement::FwBinItp,
    Refinement::BwBinItp,
    Refinement::MultiSeq,
    Refinement::MinPrune,
    Refinement::MaxPrune,
    Refinement::UnsatCore,
    Refinement::NewtonWp,
    Refinement::NewtonWpLv,
    Refinement::NewtonSp,
    Refinement::NewtonSpLv,
];

/// All domains.
pub(crate) const DOMAINS: [DomainKind; 6] = [
    DomainKind::Expl,
    DomainKind::PredCart,
    DomainKind::PredBool,
    DomainKind::PredSplit,
    DomainKind::PredConj,
    DomainKind::ExplPred,
];

/// Z3 with every answer checked.
pub(crate) fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

pub(crate) fn tools() -> CegarTools {
    let horn = || -> Box<dyn Interpolator> { Box::new(Z3Horn::new(Duration::from_millis(500))) };
    CegarTools {
        solvers: solvers(),
        eliminator: Rc::new(Z3Eliminator),
        horn: Rc::new(horn),
        ice: Default::default(),
    }
}

pub(crate) fn within(time: Duration) -> Run {
    Run::new(Budget { wall: Some(time), ..Budget::default() })
}

/// The certified answer, found within `time`.
pub(crate) fn answer(task: &Task<Cfa>, config: &CegarConfig, time: Duration) -> Verdict<Cfa> {
    let mut engine = Cegar::new(config.clone(), tools());
    let verdict = engine.check(task, &within(time)).unwrap_or_else(|stop| Verdict::Unknown(stop.into()));
    certify(task, verdict, &*solvers(), &Run::unlimited()).unwrap().verdict
}

/// What is wrong with an answer, if anything.
pub(crate) fn problem(verdict: &Verdict<Cfa>, is_unsafe: bool) -> Option<String> {
    let is_wrong = match verdict {
        Verdict::Safe(Evidence::Given(_)) => is_unsafe,
        Verdict::Unsafe(Evidence::Given(_)) => !is_unsafe,
        Verdict::Unknown(Reason::CertificateRejected(_)) => true,
        Verdict::Unknown(_) => false,
        Verdict::Safe(Evidence::Missing(_)) | Verdict::Unsafe(Evidence::Missing(_)) => true,
    };
    is_wrong.then(|| format!("answered {verdict:?}; unsafe: {is_unsafe}"))
}

pub(crate) fn word(verdict: &Verdict<Cfa>) -> &'static str {
    match verdict {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}

/// A model of the folder `models` by its name.
pub(crate) fn model(name: &str) -> Task<Cfa> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models");
    parse(&std::fs::read_to_string(format!("{folder}/{name}.cfa")).unwrap())
}

/// The names of all models of the folder `models`, in order; a name ends with the verdict.
pub(crate) fn models() -> Vec<String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/models");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> =
        files.filter_map(|file| file.to_str()?.strip_suffix(".cfa").map(String::from)).collect();
    names.sort();
    names
}
