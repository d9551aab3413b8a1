//! Abstraction refinement against explicit exploration, with every domain, refinement and search.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Budget, Diagnostics, Run, SourceMap};
use thetis_cegar::{
    Cegar, CegarConfig, CegarTools, DomainKind, Granularity, InitialPrecision, MaxEnum, PredSplit, Prune,
    Refinement, Search,
};
use thetis_engine::{Engine, certify};
use thetis_model::cfa::Cfa;
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{CheckedFactory, Interpolator, SolverFactory};
use thetis_testkit::cfa::{Shape, explore, random_cfa, shrink};
use thetis_z3::{Z3Eliminator, Z3Factory, Z3Horn};

/// Z3 with every answer checked.
fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

fn tools() -> CegarTools {
    let horn = || -> Box<dyn Interpolator> { Box::new(Z3Horn::new(Duration::from_millis(500))) };
    CegarTools { solvers: solvers(), eliminator: Rc::new(Z3Eliminator), horn: Rc::new(horn) }
}

fn answer(task: &Task<Cfa>, config: &CegarConfig) -> Verdict<Cfa> {
    let run = Run::new(Budget { wall: Some(Duration::from_secs(5)), ..Budget::default() });
    let mut engine = Cegar::new(config.clone(), tools());
    let verdict = engine.check(task, &run).unwrap_or_else(|stop| Verdict::Unknown(stop.into()));
    certify(task, verdict, &*solvers(), &Run::unlimited()).unwrap().verdict
}

const DOMAINS: [DomainKind; 5] = [
    DomainKind::Expl,
    DomainKind::PredCart,
    DomainKind::PredBool,
    DomainKind::PredSplit,
    DomainKind::ExplPred,
];

/// Every combination that makes sense, as far as the dimensions are tried one or two at a time.
fn matrix() -> Vec<CegarConfig> {
    let mut all = Vec::new();
    for domain in DOMAINS {
        for refinement in [
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
        ] {
            let base =
                CegarConfig { domain, refinement, max_enum: MaxEnum::AtMost(10), ..CegarConfig::default() };
            all.push(base.clone());
            all.push(CegarConfig { precision: Granularity::Local, ..base.clone() });
            all.push(CegarConfig { prune: Prune::Full, search: Search::Bfs, ..base });
        }
        let base = CegarConfig { domain, max_enum: MaxEnum::AtMost(1), ..CegarConfig::default() };
        for search in [Search::Dfs, Search::ErrDfs, Search::DfsErr, Search::Weights { distance: 3, depth: 1 }]
        {
            all.push(CegarConfig { search, ..base.clone() });
        }
        for pred_split in [PredSplit::Conjuncts, PredSplit::Atoms] {
            all.push(CegarConfig { pred_split, ..base.clone() });
        }
        for initial_precision in [InitialPrecision::AllVars, InitialPrecision::AllAssumes] {
            all.push(CegarConfig { initial_precision, max_enum: MaxEnum::Unlimited, ..base.clone() });
        }
    }
    all.retain(|config| config.conflict().is_none());
    all
}

/// What is wrong with the answer for `task`, if anything.
fn problem(task: &Task<Cfa>, config: &CegarConfig) -> Option<String> {
    let is_unsafe = explore(task).least_bound.is_some();
    let verdict = answer(task, config);
    let is_wrong = match &verdict {
        Verdict::Safe(Evidence::Given(_)) => is_unsafe,
        Verdict::Unsafe(Evidence::Given(_)) => !is_unsafe,
        Verdict::Unknown(Reason::CertificateRejected(_)) => true,
        Verdict::Unknown(_) => false,
        _ => true,
    };
    is_wrong.then(|| format!("answered {verdict:?}; unsafe: {is_unsafe}; {config:?}"))
}

#[test]
fn no_configuration_is_ever_wrong_on_random_automata() {
    let configs = matrix();
    assert!(configs.len() > 80, "{}", configs.len());
    let mut num_known = 0;
    for seed in 0..300 {
        let task = random_cfa(seed, Shape::default());
        let config = &configs[seed as usize % configs.len()];
        if let Some(problem) = problem(&task, config) {
            let small = shrink(&task, |task| self::problem(task, config).is_some());
            panic!("seed {seed}: {problem}\n{}", thetis_text::cfa::print(&small).unwrap());
        }
        num_known += u32::from(!matches!(answer(&task, config), Verdict::Unknown(_)));
    }
    assert!(num_known > 150, "{num_known} of 300 have an answer");
}

#[test]
fn the_default_answers_most_random_automata() {
    let config = CegarConfig::default();
    let num_known = (0..200)
        .filter(|seed| !matches!(answer(&random_cfa(*seed, Shape::default()), &config), Verdict::Unknown(_)))
        .count();
    assert!(num_known >= 190, "{num_known} of 200 have an answer");
}

fn parse(text: &str) -> Task<Cfa> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.cfa", text);
    let mut diagnostics = Diagnostics::new();
    thetis_text::cfa::parse(&sources, file, &mut diagnostics)
        .unwrap_or_else(|_| panic!("the model should parse: {diagnostics:?}"))
}

fn word(task: &Task<Cfa>, config: &CegarConfig) -> &'static str {
    match answer(task, config) {
        Verdict::Safe(_) => "safe",
        Verdict::Unsafe(_) => "unsafe",
        Verdict::Unknown(_) => "unknown",
    }
}

/// The program of Figure 1 of document 001: a flag that is flipped a hundred times stays below two.
const FLIP: &str = "main process flip {
    var x : int var i : int
    init loc l1 loc l2 loc l3 loc l4 loc l6 loc l7 loc done error loc bad
    l1 -> l2 { x := 0 } l2 -> l3 { i := 0 }
    l3 -> l4 { assume i < 100 } l3 -> l7 { assume not (i < 100) }
    l4 -> l6 { assume x = 0 x := 1 } l4 -> l6 { assume not (x = 0) x := 0 }
    l6 -> l3 { i := i + 1 }
    l7 -> done { assume x <= 1 } l7 -> bad { assume not (x <= 1) }
}";

/// The left program of Figure 4: four values of `x` have to be told apart.
const FOUR: &str = "main process four {
    var x : int
    init loc a loc b loc c error loc bad
    a -> b { havoc x } b -> c { assume 0 < x and x < 5 } c -> bad { assume x = 0 }
}";

#[test]
fn the_flag_of_figure_one_is_proved_by_values_and_by_predicates() {
    let task = parse(FLIP);
    for domain in DOMAINS {
        assert_eq!(word(&task, &CegarConfig { domain, ..CegarConfig::default() }), "safe", "{domain:?}");
    }
}

#[test]
fn figure_four_needs_four_values() {
    let task = parse(FOUR);
    let with = |max_enum| CegarConfig {
        domain: DomainKind::Expl,
        max_enum: MaxEnum::AtMost(max_enum),
        ..CegarConfig::default()
    };
    assert_eq!(word(&task, &with(1)), "unknown");
    assert_eq!(word(&task, &with(3)), "unknown");
    assert_eq!(word(&task, &with(4)), "safe");
}
