//! Equal processes are permuted, and unequal ones are not.

mod common;

use thetis_base::Run;
use thetis_checker::{CheckError, Checkable};
use thetis_engine::Engine;
use thetis_model::xta::{Network, Symmetry, Unit, XtaProof};
use thetis_model::{Evidence, Task, Verdict};
use thetis_z3::{Z3Config, Z3Factory};
use thetis_zones::{SymmetryKind, Zones, ZonesConfig};

fn proof(task: &Task<Network>, config: ZonesConfig) -> XtaProof {
    match Zones::new(config).check(task, &Run::unlimited()) {
        Ok(Verdict::Safe(Evidence::Given(proof))) => proof,
        _ => panic!("there should be a proof"),
    }
}

fn check(task: &Task<Network>, proof: &XtaProof) -> Result<(), CheckError> {
    Network::check_proof(task, proof, &Z3Factory::new(Z3Config::default()), &Run::unlimited())
}

/// A model with three processes `P(1)`, `P(2)`, `P(3)` of one template.
fn model(globals: &str, locals: &str, trans: &str) -> String {
    format!(
        "typedef int[1,3] id_t; {globals}
         process P(const id_t pid) {{ clock x; {locals} state a, b {{ x <= 3 }}, c; init a; trans {trans}; }}
         system P;"
    )
}

/// The processes, with everything whose name has their value in it.
fn claim(network: &Network, pointers: &[&str]) -> Symmetry {
    let is_of =
        |name: &str, value: i32| name.contains(&format!("({value})")) || name.contains(&format!("[{value}]"));
    let cell = |name: &str| network.variables.iter().position(|variable| variable.name == name);
    let unit = |value: i32| Unit {
        processes: network
            .processes
            .indices()
            .filter(|id| is_of(&network.processes[*id].name, value))
            .collect(),
        cells: (0..network.variables.len() as u32)
            .filter(|cell| is_of(&network.variables[*cell as usize].name, value))
            .collect(),
        clocks: network.clocks.indices().filter(|id| is_of(&network.clocks[*id].name, value)).collect(),
        channels: network.channels.indices().filter(|id| is_of(&network.channels[*id].name, value)).collect(),
        value: Some(value),
    };
    Symmetry {
        units: (1..=3).map(unit).collect(),
        pointers: pointers.iter().map(|name| cell(name).expect("the variable should exist") as u32).collect(),
    }
}

fn network(text: &str) -> Network {
    common::task(text, "explore").model
}

/// What processes may do without being told apart.
#[test]
fn equal_processes_are_recognised() {
    let cases = [
        ("", "", "a -> b { assign x = 0; }, b -> a { guard x > 1; }", &[][..]),
        (
            "int[0,3] id;",
            "",
            "a -> b { guard id == 0; assign id = pid; }, b -> a { guard id == pid; assign id = 0; }",
            &["id"],
        ),
        ("int[0,3] id, old;", "", "a -> b { guard id == old; assign old = id, id = pid; }", &["id", "old"]),
        ("bool want[id_t];", "", "a -> b { guard !want[pid]; assign want[pid] = true; }", &[]),
        ("id_t turn = 1; bool want[id_t];", "", "a -> b { guard true; assign want[pid] = true; }", &[]),
        (
            "int[0,3] n;",
            "int[0,2] own;",
            "a -> b { guard n < 3; assign n++, own = 1; }, b -> a { assign n--; }",
            &[],
        ),
        (
            "chan go[id_t]; broadcast chan all;",
            "",
            "a -> b { sync all!; }, b -> c { sync all?; assign x = 0; }, c -> a { sync go[pid]!; }",
            &[],
        ),
        (
            "bool want[id_t];",
            "",
            "a -> b { guard forall (i : id_t) !want[i]; assign want[pid] = true; }, b -> a { guard exists (i : id_t) want[i]; }, c -> a { guard sum (i : id_t) want[i] > 1; }",
            &[],
        ),
    ];
    for (globals, locals, trans, pointers) in cases {
        let text = model(globals, locals, trans);
        let network = network(&text);
        assert!(network.has_symmetry(&claim(&network, pointers)), "{text}");
    }
}

/// What tells processes apart.
#[test]
fn unequal_processes_are_not_permuted() {
    let cases: [(&str, &str, &str, &[&str]); 19] = [
        ("int[0,3] id;", "", "a -> b { guard id < pid; assign id = pid; }", &["id"]),
        ("int[0,4] id;", "", "a -> b { guard id == pid; assign id = id + 1; }", &["id"]),
        ("int[0,4] id;", "", "a -> b { guard id == 0; assign id = pid; }", &[]),
        ("int[0,3] id = 1;", "", "a -> b { guard id == pid; assign id = 0; }", &["id"]),
        ("int[0,2] id;", "", "a -> b { guard id == 0; assign id = pid; }", &["id"]),
        ("int[0,3] id, n;", "", "a -> b { guard id == 0; assign id = pid, n = id; }", &["id"]),
        ("", "", "a -> b { guard x > pid; }", &[]),
        ("", "", "a -> b { assign x = pid; }", &[]),
        (
            "bool want[id_t] = {true, false, false};",
            "",
            "a -> b { guard !want[pid]; assign want[pid] = true; }",
            &[],
        ),
        ("const int delay[4] = {0, 1, 2, 2};", "", "a -> b { guard x > delay[pid]; }", &[]),
        (
            "int[0,3] n; bool want[id_t];",
            "",
            "a -> b { guard want[n == 0 ? 1 : n]; assign want[pid] = true; }",
            &[],
        ),
        ("int[0,3] id; int[0,9] n;", "", "a -> b { assign n = pid; }, b -> c { guard n == 2; }", &["id"]),
        (
            "broadcast chan all; int[0,9] n;",
            "",
            "a -> b { sync all!; }, a -> c { sync all?; assign n = pid; }",
            &["n"],
        ),
        (
            "broadcast chan all; int[0,9] n;",
            "",
            "a -> b { sync all!; }, a -> c { guard n < 5; sync all?; assign n = n * 2 % 7; }",
            &[],
        ),
        (
            "broadcast chan all; int[0,9] n; bool late[id_t];",
            "",
            "a -> b { sync all!; }, a -> c { sync all?; assign late[pid] = n > 0, n = 1; }",
            &[],
        ),
        ("bool want[id_t];", "", "a -> b { guard !want[1]; assign want[pid] = true; }", &[]),
        ("int[0,3] id; void f() { id = 1; }", "", "a -> b { assign f(); }", &["id"]),
        (
            "bool want[id_t]; bool first() { return want[1]; }",
            "",
            "a -> b { guard !first(); assign want[pid] = true; }",
            &[],
        ),
        ("chan go[id_t];", "", "a -> b { sync go[1]!; }, b -> c { sync go[pid]?; }", &[]),
    ];
    for (globals, locals, trans, pointers) in cases {
        let text = model(globals, locals, trans);
        let network = network(&text);
        assert!(!network.has_symmetry(&claim(&network, pointers)), "{text}");
    }
    let priorities = "process P(const int[1,3] pid) { state a; init a; } P1 = P(1); P2 = P(2); P3 = P(3); system P1 < P2 < P3;";
    let network = network(priorities);
    let unit = |id: usize| Unit { processes: vec![id.into()], ..Unit::default() };
    let symmetry = Symmetry { units: (0..3).map(unit).collect(), pointers: Vec::new() };
    assert!(!network.has_symmetry(&symmetry));
}

/// Fischer's protocol with three processes, and a room with an observer.
fn fischer() -> String {
    model(
        "int[0,3] id; bool inside[id_t];",
        "",
        "a -> b { guard id == 0; assign x = 0; },
         b -> c { assign x = 0, id = pid; },
         c -> b { guard id == 0; assign x = 0, inside[pid] = false; },
         c -> a { guard x > 3 && id == pid; assign id = 0, inside[pid] = !inside[pid]; }",
    )
}

const QUESTION: &str = "A[] not (P(1).b and id == 1)";

#[test]
fn changed_symmetries_are_rejected() {
    let task = common::task(&fischer(), QUESTION);
    let proof = proof(&task, ZonesConfig::default());
    check(&task, &proof).unwrap();
    let plain = self::proof(&task, ZonesConfig { symmetry: SymmetryKind::Off, ..ZonesConfig::default() });
    assert!(plain.num_zones() > 3 * proof.num_zones(), "{} {}", plain.num_zones(), proof.num_zones());
    assert_eq!(proof.symmetries[0].units.len(), 3);
    type Change = fn(&mut XtaProof);
    let changes: [(&str, Change); 14] = [
        ("nothing is permuted", |proof| proof.symmetries.clear()),
        ("there are no units", |proof| proof.symmetries[0].units.clear()),
        ("a unit is missing", |proof| drop(proof.symmetries[0].units.pop())),
        ("a unit occurs twice", |proof| {
            let unit = proof.symmetries[0].units[0].clone();
            proof.symmetries[0].units.push(unit);
        }),
        ("the symmetry occurs twice", |proof| {
            let symmetry = proof.symmetries[0].clone();
            proof.symmetries.push(symmetry);
        }),
        ("nothing is a pointer", |proof| proof.symmetries[0].pointers.clear()),
        ("everything is a pointer", |proof| proof.symmetries[0].pointers = vec![0, 1, 2, 3]),
        ("a pointer does not exist", |proof| proof.symmetries[0].pointers.push(99)),
        ("a value is wrong", |proof| proof.symmetries[0].units[0].value = Some(0)),
        ("values are exchanged", |proof| {
            let units = &mut proof.symmetries[0].units;
            (units[0].value, units[1].value) = (units[1].value, units[0].value);
        }),
        ("a unit has no value", |proof| proof.symmetries[0].units[1].value = None),
        ("clocks are exchanged", |proof| {
            let units = &mut proof.symmetries[0].units;
            (units[0].clocks, units[1].clocks) = (units[1].clocks.clone(), units[0].clocks.clone());
        }),
        ("variables are missing", |proof| {
            proof.symmetries[0].units.iter_mut().for_each(|unit| unit.cells.clear());
        }),
        ("a process does not exist", |proof| {
            proof.symmetries[0].units[2].processes = vec![99_usize.into()];
        }),
    ];
    for (name, change) in changes {
        let mut changed = proof.clone();
        change(&mut changed);
        assert!(matches!(check(&task, &changed), Err(CheckError::Rejected(_))), "{name}");
    }
    for number in 0..proof.groups.len() {
        let mut changed = proof.clone();
        changed.groups.remove(number);
        assert!(check(&task, &changed).is_err(), "every state is needed, also number {number}");
    }
    // What is true of no permutation need not be true of this one, and the other way round.
    let other = common::task(&fischer(), "A[] not (P(3).c and id == 3)");
    assert!(check(&other, &proof).is_err(), "the states should not prove something else");
    let values = common::task(&fischer(), "sup: id");
    assert!(check(&values, &proof).is_err(), "extreme values need all states");
}

/// Every way to name processes in a question gives runs of the processes that are named.
#[test]
fn runs_lead_the_named_processes_to_the_target() {
    let text = fischer();
    for (one, other) in [(1, 2), (2, 1), (2, 3), (3, 1)] {
        for query in [
            format!("E<> P({one}).c and P({other}).b and P({one}).x > P({other}).x"),
            format!("E<> inside[{one}] and inside[{other}] and id == {one} and P({other}).b"),
            format!("E<> P({one}).c and P({other}).c and P({one}).x - P({other}).x > 1 and id == {one}"),
        ] {
            let task = common::task(&text, &query);
            match Zones::default().check(&task, &Run::unlimited()) {
                Ok(Verdict::Unsafe(Evidence::Given(trace))) => Network::check_trace(&task, &trace).unwrap(),
                Ok(Verdict::Safe(Evidence::Given(proof))) => {
                    check(&task, &proof).unwrap();
                    let off = ZonesConfig { symmetry: SymmetryKind::Off, ..ZonesConfig::default() };
                    check(&task, &self::proof(&task, off)).unwrap();
                }
                _ => panic!("{query} should be decided"),
            }
        }
    }
}
