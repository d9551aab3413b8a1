//! The engine against regions, on random small networks.
//!
//! The oracle knows neither the front end nor the model: it explores the region graph of the generator's own data. Every verdict
//! must agree with it for every abstraction and search order, and every proof and run must be accepted by the checker.

#[path = "../common/mod.rs"]
mod common;
mod live;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::xta::{ExtremeValue, Network};
use thetis_model::{Evidence, Task, Verdict};
use thetis_testkit::xta::{RandomNetwork, reaches};
use thetis_z3::{Z3Config, Z3Factory};
use thetis_zones::{
    AbstractionKind, DataKind, ExtrapolationKind, PassedKind, SearchOrder, SymmetryKind, Zones, ZonesConfig,
};

use live::{LiveQuery, ValueQuery};

const NUM_NETWORKS: u64 = 2_000;

/// Networks for questions about liveness and values; more with `THETIS_RANDOM_NETWORKS`.
fn num_live_networks() -> u64 {
    let wanted = std::env::var("THETIS_RANDOM_NETWORKS").ok();
    wanted.and_then(|number| number.parse().ok()).unwrap_or(300)
}

/// The verdict of the engine after its evidence was checked.
fn certified(task: &Task<Network>, config: ZonesConfig) -> Verdict<Network> {
    let (run, solvers) = (Run::unlimited(), Z3Factory::new(Z3Config::default()));
    let verdict = Zones::new(config).check(task, &run).expect("nothing should stop the engine");
    certify(task, verdict, &solvers, &run).expect("nothing should stop the checker").verdict
}

#[test]
fn liveness_agrees_with_the_region_graph() {
    let mut num_runs = 0;
    for seed in 0..num_live_networks() {
        let network = RandomNetwork::new(seed);
        let query = LiveQuery::new(&network, seed);
        let has_run = query.has_run(&network);
        num_runs += u64::from(has_run);
        let task = common::task(&network.text(), &query.text());
        let context =
            || format!("seed {seed}: {}, a run exists: {has_run}\n{}", query.text(), network.text());
        for config in configs(seed).into_iter().take(2) {
            match certified(&task, config) {
                Verdict::Safe(_) => assert!(!has_run, "{config:?}, {}", context()),
                Verdict::Unsafe(_) => assert!(has_run, "{config:?}, {}", context()),
                Verdict::Unknown(reason) => panic!("{config:?}, {reason}, {}", context()),
            }
        }
    }
    let all = num_live_networks();
    assert!((all / 10..all * 9 / 10).contains(&num_runs), "{num_runs} have a run");
}

#[test]
fn extreme_values_agree_with_the_region_graph() {
    for seed in 0..num_live_networks() / 2 {
        let network = RandomNetwork::new(seed);
        let query = ValueQuery::new(&network, seed);
        let task = common::task(&network.text(), &query.text());
        match certified(&task, ZonesConfig::default()) {
            Verdict::Safe(Evidence::Given(proof)) => {
                let values: Vec<ExtremeValue> = proof.extrema.iter().map(|claim| claim.value).collect();
                let context = || format!("seed {seed}: {} {values:?}\n{}", query.text(), network.text());
                assert!(query.agrees(&network, &values), "{}", context());
            }
            Verdict::Unknown(reason) => assert!(reason.to_string().contains("ever more moves"), "{reason}"),
            _ => panic!("seed {seed}"),
        }
    }
}

#[test]
fn verdicts_agree_with_the_region_graph() {
    let mut num_unsafe = 0;
    for seed in 0..NUM_NETWORKS {
        num_unsafe += u64::from(agrees(&RandomNetwork::new(seed), seed, &configs(seed)).is_reachable);
    }
    assert!((NUM_NETWORKS / 10..NUM_NETWORKS * 9 / 10).contains(&num_unsafe), "{num_unsafe} are reachable");
}

#[test]
fn verdicts_about_equal_processes_agree_with_the_region_graph() {
    let (mut num_unsafe, mut num_permuted) = (0, 0);
    for seed in 0..num_equal_networks() {
        let network = RandomNetwork::with_equal_processes(seed);
        let agreed = agrees(&network, seed, &configs_for_equal_processes(seed));
        num_unsafe += u64::from(agreed.is_reachable);
        num_permuted += u64::from(agreed.is_permuted);
    }
    let all = num_equal_networks();
    assert!((all / 10..all * 9 / 10).contains(&num_unsafe), "{num_unsafe} are reachable");
    assert!(num_permuted > all / 10, "in {num_permuted} proofs processes are permuted");
}

/// Networks with equal processes; more with `THETIS_RANDOM_NETWORKS`.
fn num_equal_networks() -> u64 {
    4 * num_live_networks()
}

/// What all configurations agree on.
struct Agreed {
    is_reachable: bool,
    /// Whether processes are permuted in a proof.
    is_permuted: bool,
}

/// Panics if a verdict differs from that of the oracle.
fn agrees(network: &RandomNetwork, seed: u64, configs: &[ZonesConfig]) -> Agreed {
    let (query, is_deadlock) = network.query(seed);
    let mut agreed = Agreed { is_reachable: reaches(network, is_deadlock), is_permuted: false };
    let task = common::task(&network.text(), &query);
    for config in configs {
        let context = || format!("seed {seed}, {config:?}\n{}\n{query}", network.text());
        match certified(&task, *config) {
            Verdict::Safe(Evidence::Given(proof)) => {
                assert!(!agreed.is_reachable, "{}", context());
                agreed.is_permuted |= !proof.symmetries.is_empty();
            }
            Verdict::Unsafe(_) => assert!(agreed.is_reachable, "{}", context()),
            Verdict::Safe(Evidence::Missing(reason)) => panic!("{reason}, {}", context()),
            Verdict::Unknown(reason) => panic!("{reason}, {}", context()),
        }
    }
    agreed
}

/// Two orders with permutations, and with other settings.
fn configs_for_equal_processes(seed: u64) -> Vec<ZonesConfig> {
    let orders = [SearchOrder::Priority, SearchOrder::Bfs, SearchOrder::Dfs, SearchOrder::Random];
    let kinds = [ExtrapolationKind::LuPlus, ExtrapolationKind::Lu, ExtrapolationKind::M];
    let turn = seed as usize;
    let config = |turn: usize| ZonesConfig {
        search: orders[turn % 4],
        extrapolation: kinds[turn % 3],
        passed: if turn.is_multiple_of(2) { PassedKind::Full } else { PassedKind::Minimal },
        data: if (turn / 2).is_multiple_of(2) { DataKind::Live } else { DataKind::All },
        ..ZonesConfig::default()
    };
    vec![config(turn), config(turn / 4), config(turn / 3)]
}

/// All configurations for some seeds, two for the others; all for every seed with `THETIS_RANDOM_NETWORKS`.
fn configs(seed: u64) -> Vec<ZonesConfig> {
    let kinds = [
        (AbstractionKind::Eager, ExtrapolationKind::LuPlus),
        (AbstractionKind::Eager, ExtrapolationKind::Lu),
        (AbstractionKind::LazyItp, ExtrapolationKind::LuPlus),
        (AbstractionKind::LazyLu, ExtrapolationKind::LuPlus),
        (AbstractionKind::Eager, ExtrapolationKind::M),
        (AbstractionKind::Eager, ExtrapolationKind::Alu),
    ];
    let orders = [SearchOrder::Priority, SearchOrder::Bfs, SearchOrder::Dfs, SearchOrder::Random];
    let all = kinds.into_iter().zip(seed..).flat_map(|((abstraction, extrapolation), turn)| {
        orders.into_iter().zip(turn..).map(move |(search, turn)| ZonesConfig {
            search,
            abstraction,
            extrapolation,
            passed: if turn % 2 == 0 { PassedKind::Full } else { PassedKind::Minimal },
            data: [DataKind::All, DataKind::Lazy, DataKind::Live][(turn / 2 % 3) as usize],
            symmetry: if turn % 3 == 0 { SymmetryKind::Off } else { SymmetryKind::Processes },
        })
    });
    let num_configs = 24;
    if seed.is_multiple_of(8) || std::env::var_os("THETIS_RANDOM_NETWORKS").is_some() {
        all.collect()
    } else {
        all.skip(seed as usize % (num_configs - 1)).take(2).collect()
    }
}
