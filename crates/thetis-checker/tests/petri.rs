//! The checker of nets accepts right evidence and rejects wrong evidence.

use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_checker::{CheckError, Checkable};
use thetis_model::Task;
use thetis_model::petri::{
    Comparison, Net, PetriProof, PetriTrace, PlaceId, Predicate, Refutation, Relation, Round, Row,
    StateEquationProof, Step, Sum, TransitionId,
};
use thetis_model::sts::Paths;
use thetis_solver::{CoreSolver, SolverError, SolverFactory};
use thetis_testkit::petri::{NetShape, explore_net, random_net};
use thetis_z3::Z3Factory;

/// Most evidence of nets is checked without solvers.
struct NoSolver;

impl SolverFactory for NoSolver {
    fn name(&self) -> &str {
        "none"
    }

    fn start(&self, _run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        panic!("the checker of nets should not start a solver here")
    }
}

/// The task of the first target of a file in the `.net` language.
fn task(text: &str) -> Task<Net> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.net", text);
    let mut diags = Diagnostics::new();
    let file = thetis_pnml::net::parse(&sources, file, &mut diags)
        .unwrap_or_else(|_| panic!("the net should parse: {diags:?}"));
    thetis_pnml::task(file.net, file.targets[0].clone())
}

fn check_proof(task: &Task<Net>, proof: &PetriProof) -> Result<(), CheckError> {
    Net::check_proof(task, proof, &NoSolver, &Run::unlimited())
}

fn accept(task: &Task<Net>, proof: StateEquationProof) {
    check_proof(task, &PetriProof::StateEquation(proof)).expect("the proof should be accepted");
}

fn reject(task: &Task<Net>, proof: StateEquationProof, expected: &str) {
    match check_proof(task, &PetriProof::StateEquation(proof)) {
        Err(CheckError::Rejected(words)) => assert_eq!(words, expected),
        other => panic!("expected a rejection ({expected}), found {other:?}"),
    }
}

fn proof(refutation: Refutation) -> StateEquationProof {
    StateEquationProof { traps: Vec::new(), siphons: Vec::new(), refutation }
}

fn farkas(rows: &[(Row, i128)]) -> Refutation {
    Refutation::Cuts(vec![Step::sum(rows.to_vec())])
}

fn place(index: usize) -> PlaceId {
    PlaceId::from(index)
}

fn transition(index: usize) -> TransitionId {
    TransitionId::from(index)
}

const RING: &str = "place p = 1 place q transition t in p out q transition u in q out p target p + q >= 2";

#[test]
fn traces_are_replayed() {
    let task =
        task("place p = 2 place q transition t in p out q inhibit 2*q transition u in q target q >= 2");
    let check = |firings: &[usize]| {
        let trace = PetriTrace::of(firings.iter().map(|index| transition(*index)));
        match Net::check_trace(&task, &trace) {
            Ok(()) => "accepted".into(),
            Err(CheckError::Rejected(words)) => words,
            Err(other) => panic!("{other:?}"),
        }
    };
    assert_eq!(check(&[0, 0]), "accepted");
    assert_eq!(check(&[]), "the last marking does not satisfy the target");
    assert_eq!(check(&[0]), "the last marking does not satisfy the target");
    assert_eq!(check(&[0, 0, 0]), "firing 0: transition `t` is not enabled, 3 times");
    assert_eq!(check(&[1]), "firing 0: transition `u` is not enabled");
    assert_eq!(check(&[0, 0, 1]), "the last marking does not satisfy the target");
    assert_eq!(check(&[2]), "firing 0 is of a transition that does not exist");
}

#[test]
fn long_rounds_are_replayed_at_once() {
    let many = 1u64 << 40;
    let task = task(&format!(
        "place p = {many} place q transition t in p out q inhibit {many}*q target q >= {many}"
    ));
    let check = |counts: &[u64]| {
        let rounds = counts.iter().map(|count| Round { transition: transition(0), count: *count });
        Net::check_trace(&task, &PetriTrace { rounds: rounds.collect() }).is_ok()
    };
    assert!(check(&[many]) && check(&[many - 7, 0, 7]) && check(&[1, many - 1]));
    assert!(!check(&[many - 1]) && !check(&[many + 1]) && !check(&[many, 1]) && !check(&[u64::MAX]));
}

#[test]
fn counts_beyond_64_bits_are_undecided() {
    let task =
        task("place p = 9223372036854775807 place q transition t out 9223372036854775807*p target q >= 1");
    let trace = PetriTrace::of([transition(0); 3]);
    assert!(matches!(Net::check_trace(&task, &trace), Err(CheckError::Undecided(_))));
    let space = PetriProof::StateSpace { num_markings: 2 };
    assert!(check_proof(&task, &space).is_err());
}

#[test]
fn a_farkas_certificate_is_calculated_again() {
    let ring = task(RING);
    accept(&ring, proof(farkas(&[(Row::Target(0), 1)])));
    accept(&ring, proof(farkas(&[(Row::Target(0), 7)])));
    let wrong = |rows: &[(Row, i128)], words: &str| reject(&ring, proof(farkas(rows)), words);
    wrong(&[], "the last row has solutions");
    wrong(&[(Row::Target(0), 0)], "the last row has solutions");
    wrong(&[(Row::Target(0), -1)], "an inequality is multiplied by a negative number");
    wrong(&[(Row::Target(1), 1)], "there is no row Target(1)");
    wrong(&[(Row::Target(0), 1), (Row::Place(place(0)), 1)], "the last row has solutions");
    wrong(&[(Row::Place(place(9)), 1)], "there is no row Place(9)");
    wrong(&[(Row::Trap(0), 1)], "there is no row Trap(0)");
    wrong(&[(Row::Siphon(0), 1)], "there is no row Siphon(0)");
    wrong(&[(Row::Branch(0), 1)], "there is no row Branch(0)");
    wrong(&[(Row::Step(0), 1)], "there is no row Step(0)");
    reject(&ring, proof(Refutation::Cuts(Vec::new())), "a case ends without a row");
    let reachable =
        task("place p = 1 place q transition t in p out q transition u in q out p target p + q >= 1");
    reject(&reachable, proof(farkas(&[(Row::Target(0), 1)])), "the last row has solutions");
    let gains =
        task("place p = 1 place q transition t in p out 2*q transition u in q out p target p + q >= 2");
    reject(&gains, proof(farkas(&[(Row::Target(0), 1)])), "the last row has solutions");
}

#[test]
fn huge_multipliers_are_undecided() {
    let ring = task(RING);
    let huge =
        PetriProof::StateEquation(proof(farkas(&[(Row::Target(0), i128::MAX), (Row::Target(0), i128::MAX)])));
    assert!(matches!(check_proof(&ring, &huge), Err(CheckError::Undecided(_))));
}

#[test]
fn rounding_up_is_checked() {
    let even = task("place p transition t out 2*p target p = 3");
    let rounded = |divisor| Step { sum: vec![(Row::Target(0), 1)], divisor };
    let last = |factor| Step::sum(vec![(Row::Step(0), factor), (Row::Target(0), -1)]);
    accept(&even, proof(Refutation::Cuts(vec![rounded(2), last(2)])));
    reject(&even, proof(Refutation::Cuts(vec![rounded(3), last(2)])), "the last row has solutions");
    reject(&even, proof(Refutation::Cuts(vec![rounded(0), last(2)])), "a divisor is not positive");
    reject(&even, proof(Refutation::Cuts(vec![rounded(-2), last(2)])), "a divisor is not positive");
    reject(&even, proof(Refutation::Cuts(vec![rounded(2), last(3)])), "the last row has solutions");
    let odd = task("place p transition t out 2*p target p = 4");
    reject(&odd, proof(Refutation::Cuts(vec![rounded(2), last(2)])), "the last row has solutions");
}

#[test]
fn cases_must_all_be_refuted() {
    let either = task("place p = 1 place q transition t in p out q target p >= 2 or q >= 2");
    let first = farkas(&[(Row::Target(0), 1), (Row::Place(place(1)), 1)]);
    let second = farkas(&[(Row::Target(0), 1), (Row::Place(place(0)), 1)]);
    let cases = |choice, alternatives| proof(Refutation::Cases { choice, alternatives });
    accept(&either, cases(0, vec![first.clone(), second.clone()]));
    reject(&either, cases(0, vec![second.clone(), first.clone()]), "the last row has solutions");
    reject(&either, cases(0, vec![first.clone()]), "a choice has another number of alternatives");
    reject(&either, cases(1, vec![first.clone(), second.clone()]), "there is no such choice");
    reject(&either, proof(first.clone()), "there is no row Target(0)");
    reject(
        &either,
        cases(0, vec![first.clone(), cases(0, vec![first, second]).refutation]),
        "there is no such choice",
    );
}

#[test]
fn branches_must_cover_all_numbers() {
    let task = task("place p = 1 place q transition t in p out 3*q target q >= 1 and q <= 2");
    let branch = |transition, at, few, many| {
        proof(Refutation::Branch { transition, at, few: Box::new(few), many: Box::new(many) })
    };
    // The target is 3x >= 1 and -3x >= -2.
    let few = farkas(&[(Row::Target(0), 1), (Row::Branch(0), 3)]);
    let many = farkas(&[(Row::Target(1), 1), (Row::Branch(0), 3)]);
    accept(&task, branch(transition(0), 0, few.clone(), many.clone()));
    reject(&task, branch(transition(0), 1, few.clone(), many.clone()), "the last row has solutions");
    reject(&task, branch(transition(0), 0, many.clone(), few.clone()), "the last row has solutions");
    reject(
        &task,
        branch(transition(5), 0, few.clone(), many),
        "a branch is on a transition that does not exist",
    );
    reject(&task, branch(transition(0), 0, few.clone(), few), "the last row has solutions");
}

#[test]
fn traps_and_siphons_are_checked_on_the_net() {
    let with = |traps: &[&[usize]], siphons: &[&[usize]], rows: &[(Row, i128)]| StateEquationProof {
        traps: traps.iter().map(|trap| trap.iter().map(|index| place(*index)).collect()).collect(),
        siphons: siphons.iter().map(|siphon| siphon.iter().map(|index| place(*index)).collect()).collect(),
        refutation: farkas(rows),
    };
    // `t` takes two and gives one, so the state equation alone allows both places to be empty.
    let trap = task(
        "place p = 1 place q transition t in 2*p out p transition u in p out q transition v in q out p
        target p + q <= 0",
    );
    let rows = [(Row::Target(0), 1), (Row::Trap(0), 1)];
    accept(&trap, with(&[&[0, 1]], &[], &rows));
    reject(&trap, with(&[&[0]], &[], &rows), "a set of places is no trap");
    reject(&trap, with(&[&[0, 7]], &[], &rows), "a trap or siphon has a place that does not exist");
    reject(&trap, with(&[&[]], &[], &rows), "a trap is empty at the start");
    let siphon = task("place p place q transition t in p out 2*p, q target p + q >= 1");
    let rows = [(Row::Target(0), 1), (Row::Siphon(0), 1)];
    accept(&siphon, with(&[], &[&[0, 1]], &rows));
    reject(&siphon, with(&[], &[&[1]], &rows), "a set of places is no siphon");
    reject(&siphon, with(&[], &[&[9]], &rows), "a trap or siphon has a place that does not exist");
    let full = task("place p = 1 place q transition t in p out 2*p, q target p + q >= 5");
    reject(&full, with(&[], &[&[0, 1]], &rows), "a siphon has a token at the start");
}

#[test]
fn state_spaces_are_explored_again() {
    let ring = task(RING);
    assert!(check_proof(&ring, &PetriProof::StateSpace { num_markings: 2 }).is_ok());
    for wrong in [0, 1, 3, u64::MAX] {
        let result = check_proof(&ring, &PetriProof::StateSpace { num_markings: wrong });
        assert!(matches!(result, Err(CheckError::Rejected(_))), "{wrong}: {result:?}");
    }
    let cancelled = Run::unlimited();
    cancelled.cancel().request();
    let result = Net::check_proof(&ring, &PetriProof::StateSpace { num_markings: 2 }, &NoSolver, &cancelled);
    assert!(matches!(result, Err(CheckError::Stopped(_))));
}

#[test]
fn explorations_are_accepted_iff_the_target_is_not_reachable() {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 0..3_000 {
        let task = random_net(seed, NetShape::default());
        let Some(truth) = explore_net(&task, 2_000) else { continue };
        let full = check_proof(&task, &PetriProof::StateSpace { num_markings: truth.num_markings as u64 });
        let reduced = check_proof(&task, &PetriProof::ReducedStateSpace);
        let is_safe = truth.least_length.is_none();
        assert_eq!(full.is_ok(), is_safe, "seed {seed}: {} {full:?}", task.property);
        assert_eq!(reduced.is_ok(), is_safe, "seed {seed}: {} {reduced:?}", task.property);
        if is_safe {
            num_safe += 1;
            let more = PetriProof::StateSpace { num_markings: truth.num_markings as u64 + 1 };
            assert!(check_proof(&task, &more).is_err(), "seed {seed}");
        } else {
            num_unsafe += 1;
        }
    }
    assert!(num_safe > 500 && num_unsafe > 500, "{num_safe} safe, {num_unsafe} unsafe");
}

/// What the checker says of an induction.
fn by_induction(task: &Task<Net>, proof: &PetriProof) -> String {
    match Net::check_proof(task, proof, &Z3Factory::default(), &Run::unlimited()) {
        Ok(()) => "accepted".into(),
        Err(CheckError::Rejected(words)) => words,
        Err(other) => panic!("{other:?}"),
    }
}

fn at_most(index: usize, bound: i64) -> Predicate {
    Predicate::place(place(index), Relation::AtMost, bound)
}

fn both(relation: Relation, bound: i64) -> Predicate {
    let sum = Sum::new([(place(0), 1), (place(1), 1)]).expect("the sum is small");
    Predicate::Compare(Comparison { sum, relation, bound })
}

#[test]
fn invariants_hold_at_the_start_are_preserved_and_exclude_the_target() {
    let ring = task(RING);
    let check = |predicate: Predicate, expected: &str| {
        assert_eq!(by_induction(&ring, &PetriProof::Invariant(predicate)), expected);
    };
    check(both(Relation::Equal, 1), "accepted");
    check(both(Relation::AtMost, 1), "accepted");
    check(Predicate::And(vec![both(Relation::Equal, 1), at_most(0, 1)]), "accepted");
    check(both(Relation::Equal, 2), "the invariant does not hold at the start");
    check(both(Relation::AtMost, 0), "the invariant does not hold at the start");
    check(Predicate::Constant(false), "the invariant does not hold at the start");
    check(both(Relation::AtMost, 2), "a marking satisfies the invariant and the target");
    check(both(Relation::AtLeast, 1), "a marking satisfies the invariant and the target");
    check(Predicate::Constant(true), "a marking satisfies the invariant and the target");
    let apart = Predicate::And(vec![at_most(0, 1), at_most(1, 0)]);
    check(apart, "transition `t` leads out of the invariant");
    let empty = Predicate::And(vec![both(Relation::AtMost, 1), Predicate::Fireable(vec![transition(0)])]);
    check(empty, "transition `t` leads out of the invariant");
    check(Predicate::negated(Predicate::Deadlock), "a marking satisfies the invariant and the target");
    let unknown = "a predicate speaks of a place or transition that does not exist";
    check(at_most(9, 1), unknown);
    check(Predicate::negated(Predicate::Fireable(vec![transition(2)])), unknown);
}

#[test]
fn invariants_respect_weights_and_inhibitors() {
    let check = |net: &str, bound: i64, expected: &str| {
        let proof = PetriProof::Invariant(at_most(1, bound));
        assert_eq!(by_induction(&task(net), &proof), expected, "{net}");
    };
    let net = |inhibitor: &str| format!("place p place q transition t out 2*q {inhibitor} target q >= 9");
    check(&net("inhibit 3*q"), 4, "accepted");
    check(&net("inhibit 3*q"), 3, "transition `t` leads out of the invariant");
    check(&net("inhibit q"), 2, "accepted");
    check(&net("inhibit 9*q"), 4, "transition `t` leads out of the invariant");
    check(&net(""), 4, "transition `t` leads out of the invariant");
    check(&net("in p"), 4, "transition `t` leads out of the invariant");
}

#[test]
fn k_inductions_have_a_lemma_a_base_and_a_step() {
    // A token goes round; a second one would be needed for the target, and the places before it are empty by the lemma.
    let line = task(
        "place a = 1 place b place c place d \
         transition t in a out b transition u in b out c transition v in c out b transition w in d out d, b \
         target d >= 1 or b + c >= 2",
    );
    let check = |k: u32, lemma: Predicate, paths: Paths, expected: &str| {
        let proof = PetriProof::KInductive { k, lemma, paths };
        assert_eq!(by_induction(&line, &proof), expected);
    };
    let nothing = || Predicate::Constant(true);
    let one = || {
        let sum = Sum::new((0..3).map(|index| (place(index), 1))).expect("the sum is small");
        let all = Predicate::Compare(Comparison { sum, relation: Relation::Equal, bound: 1 });
        Predicate::And(vec![all, at_most(3, 0)])
    };
    check(0, one(), Paths::All, "accepted");
    check(1, one(), Paths::All, "accepted");
    check(3, one(), Paths::Simple, "accepted");
    check(0, nothing(), Paths::All, "markings that do not satisfy the target lead to one that does");
    check(2, nothing(), Paths::All, "markings that do not satisfy the target lead to one that does");
    check(1, Predicate::Constant(false), Paths::All, "the invariant does not hold at the start");
    check(1, at_most(1, 0), Paths::All, "transition `t` leads out of the invariant");
    // The third marking of the only run satisfies the target.
    let reached = task("place p = 2 place q transition t in p out q target q >= 2");
    let wrong = |k| PetriProof::KInductive { k, lemma: Predicate::Constant(true), paths: Paths::All };
    assert_eq!(by_induction(&reached, &wrong(3)), "marking 2 of a run satisfies the target");
    assert_ne!(by_induction(&reached, &wrong(2)), "accepted");
    assert_ne!(by_induction(&reached, &wrong(0)), "accepted");
}

#[test]
fn simple_paths_end_where_all_paths_do_not() {
    // From `q >= 1` the loop `u` can go on for ever before `v`, but it repeats a marking.
    let net = task(
        "place p = 1 place q place r transition u in q out q transition v in q out r transition w in p out p \
         target r >= 1",
    );
    let check = |k: u32, paths: Paths| {
        let lemma = Predicate::And(vec![at_most(0, 1), at_most(1, 1)]);
        by_induction(&net, &PetriProof::KInductive { k, lemma, paths })
    };
    assert_eq!(check(1, Paths::Simple), "markings that do not satisfy the target lead to one that does");
    assert_eq!(check(2, Paths::Simple), "accepted");
    assert_eq!(check(2, Paths::All), "markings that do not satisfy the target lead to one that does");
}
