//! The engine against regions, on random small networks.
//!
//! The oracle knows neither the front end nor the model: it explores the region graph of the generator's own data. Every verdict
//! must agree with it for every abstraction and search order, and every proof and run must be accepted by the checker.

#[path = "../common/mod.rs"]
mod common;
mod network;
mod regions;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::Verdict;
use thetis_z3::{Z3Config, Z3Factory};
use thetis_zones::{ExtrapolationKind, SearchOrder, Zones, ZonesConfig};

use network::RandomNetwork;

const NUM_NETWORKS: u64 = 2_000;

#[test]
fn verdicts_agree_with_the_region_graph() {
    let mut num_unsafe = 0;
    for seed in 0..NUM_NETWORKS {
        let network = RandomNetwork::new(seed);
        let (query, is_deadlock) = network.query(seed);
        let is_reachable = regions::reaches(&network, is_deadlock);
        num_unsafe += u64::from(is_reachable);
        let task = common::task(&network.text(), &query);
        for config in configs(seed) {
            let (run, solvers) = (Run::unlimited(), Z3Factory::new(Z3Config::default()));
            let verdict = Zones::new(config).check(&task, &run).unwrap();
            let certified = certify(&task, verdict, &solvers, &run).unwrap();
            let agrees = match &certified.verdict {
                Verdict::Safe(_) => !is_reachable,
                Verdict::Unsafe(_) => is_reachable,
                Verdict::Unknown(reason) => {
                    panic!("seed {seed}, {config:?}: {reason}\n{}\n{query}", network.text())
                }
            };
            assert!(
                agrees,
                "seed {seed}, {config:?}: the target is reachable: {is_reachable}\n{}\n{query}",
                network.text()
            );
        }
    }
    assert!((NUM_NETWORKS / 10..NUM_NETWORKS * 9 / 10).contains(&num_unsafe), "{num_unsafe} are reachable");
}

/// All configurations for some seeds, two for the others.
fn configs(seed: u64) -> Vec<ZonesConfig> {
    let kinds = [ExtrapolationKind::LuPlus, ExtrapolationKind::Lu, ExtrapolationKind::M];
    let all = kinds.into_iter().flat_map(|extrapolation| {
        [SearchOrder::Priority, SearchOrder::Bfs, SearchOrder::Dfs]
            .map(|search| ZonesConfig { search, extrapolation })
    });
    if seed.is_multiple_of(8) { all.collect() } else { all.skip(seed as usize % 8).take(2).collect() }
}
