//! The models of the published tables, with the costs that are published for them.
//!
//! `cargo bench -p thetis-reach --bench published` prints the tables with times.

use thetis_base::Run;
use thetis_engine::Engine;
use thetis_model::{Evidence, Verdict};
use thetis_pnml::families::NetFamily;
use thetis_reach::state_equation::SearchOrder;
use thetis_reach::{StateEquation, StateEquationConfig};

/// The number of firings of the answer, which has to be `reachable`; the sequence is fired once more here.
fn cost(family: &str, size: &str, search: SearchOrder) -> u128 {
    let family = NetFamily::ALL.iter().find(|one| one.name == family).expect("there should be such a family");
    let task = family.task(size).expect("there should be such a net");
    let config = StateEquationConfig { search, ..StateEquationConfig::default() };
    let verdict = StateEquation::new(config, None).check(&task, &Run::unlimited());
    let Ok(Verdict::Unsafe(Evidence::Given(trace))) = verdict else {
        panic!("{} {size}: {verdict:?}", family.name)
    };
    let mut marking = task.model.initial_marking();
    for transition in trace.firings() {
        marking.fire(&task.model, transition).expect("a firing sequence should fire");
    }
    assert!(task.property.target(&task.model).holds(&task.model, &marking), "{} {size}", family.name);
    trace.num_firings()
}

#[test]
fn table_1_2_every_row_is_reachable() {
    let rows = [
        ("fms", "10 50 100 200 400 800 1600 3200 6400 12800"),
        ("kanban", "10 13 16 19 22 25"),
        ("dphil", "10 20 30 50 100 200"),
        ("distant", "1 2 3 4 5 6 7"),
    ];
    let mut num_rows = 0;
    for (family, sizes) in rows {
        for size in sizes.split_whitespace() {
            cost(family, size, SearchOrder::Dfs);
            num_rows += 1;
        }
    }
    assert_eq!(num_rows, 29);
}

#[test]
fn table_1_3_costs() {
    // Breadth first finds the least cost, also of the chain on which the published search did not end in time. What the others find depends
    // on the order of the net; ours, then the published ones.
    for (size, least, [dfs, hybrid], _published) in [
        ("1+2", 7, [7, 7], [7, 7]),
        ("1+3", 13, [13, 13], [13, 13]),
        ("1+4", 21, [21, 21], [21, 21]),
        ("1+4*", 21, [29, 29], [35, 29]),
        ("1+5", 31, [31, 31], [39, 39]),
        ("2+2", 11, [11, 11], [11, 11]),
        ("2+3", 19, [21, 21], [19, 23]),
        ("2+3*", 19, [31, 31], [29, 23]),
    ] {
        let searches = [SearchOrder::Bfs, SearchOrder::Dfs, SearchOrder::Hybrid];
        let found = searches.map(|search| cost("chain", size, search));
        assert_eq!(found, [least, dfs, hybrid], "{size}");
    }
}
