//! Invariants about all cells of arrays: programs that need them, programs that are wrong, and random automata.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::rc::Rc;
use std::time::Duration;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::{Engine, Through};
use thetis_horn::{CellHorn, encode_cells};
use thetis_model::cfa::{BlockEncoding, Blocks, Cfa, CfaProof, Prune, Ranges, Slice};
use thetis_model::{Chain, Evidence, Reason, Task, Verdict};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::cfa::{Shape, explore, process, random_cfa};
use thetis_z3::{Z3Factory, Z3Horn};

fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

fn cells(max_time: Duration) -> CellHorn {
    CellHorn::new(Box::new(Z3Horn::new(max_time).guided()), solvers())
}

fn certified(task: &Task<Cfa>, mut engine: impl Engine<Cfa>) -> Verdict<Cfa> {
    let run = Run::unlimited();
    let verdict = engine.check(task, &run).unwrap();
    certify(task, verdict, &*solvers(), &run).unwrap().verdict
}

/// An hour: whatever is solved at all is solved within a second.
const LONG: Duration = Duration::from_secs(3600);

#[track_caller]
fn check_safe(body: &str) -> Task<Cfa> {
    let task = process(body);
    match certified(&task, cells(LONG)) {
        Verdict::Safe(Evidence::Given(CfaProof::Invariants(proof))) => assert!(!proof.cells.is_empty()),
        other => panic!("{other:?}"),
    }
    task
}

#[track_caller]
fn check_no_answer(body: &str) {
    let verdict = certified(&process(body), cells(LONG));
    assert!(matches!(verdict, Verdict::Unknown(Reason::Incomplete(_))), "{verdict:?}");
}

/// Fills `a` up to `n` and looks at an element.
fn filled(written: i32, expected: i32, bound: &str) -> String {
    format!(
        "var a : [int] -> int var i : int var j : int var n : int
         init loc A loc L loc M error loc E
         A -> L {{ i := 0 havoc j }}
         L -> L {{ assume i < n a := a[i <- {written}] i := i + 1 }}
         L -> M {{ assume i >= n assume 0 <= j and j {bound} n }}
         M -> E {{ assume a[j] /= {expected} }}"
    )
}

#[test]
fn filled_arrays_have_their_value_everywhere() {
    check_safe(&filled(42, 42, "<"));
    check_no_answer(&filled(42, 43, "<"));
    check_no_answer(&filled(42, 42, "<="));
}

const COPY: &str = "var a : [int] -> int var b : [int] -> int var i : int var n : int
    init loc A loc L loc M loc N error loc E
    A -> L { i := 0 }
    L -> L { assume i < n b := b[i <- a[i]] i := i + 1 }
    L -> M { assume i >= n i := 0 }
    M -> N { assume i < n }
    N -> E { assume a[i] /= b[i] }
    N -> M { i := i + 1 }";

#[test]
fn copies_are_equal_to_their_originals() {
    check_safe(COPY);
    check_no_answer(&COPY.replace("b[i <- a[i]]", "b[i <- a[i + 1]]"));
}

#[test]
fn proofs_come_home_through_all_passes() {
    for body in [COPY.to_owned(), filled(42, 42, "<")] {
        let task = process(&body);
        let blocks = Blocks { encoding: BlockEncoding::Seq, max_size: 100 };
        let passes = Chain::new(vec![Box::new(Prune), Box::new(Ranges), Box::new(Slice), Box::new(blocks)]);
        let verdict = certified(&task, Through::new(passes, cells(LONG)));
        assert!(matches!(verdict, Verdict::Safe(Evidence::Given(_))), "{verdict:?}");
    }
}

#[test]
fn conditional_writes_and_searches_are_understood() {
    // `b` says where `a` is negative.
    let signs = |wrong: &str| {
        format!(
            "var a : [int] -> int var b : [int] -> bool var i : int var n : int
             init loc A loc L loc M error loc E
             A -> L {{ i := 0 }}
             L -> L {{ assume i < n assume a[i] < 0 b := b[i <- true] i := i + 1 }}
             L -> L {{ assume i < n assume a[i] >= {wrong} b := b[i <- false] i := i + 1 }}
             L -> M {{ assume i >= n havoc i assume 0 <= i and i < n }}
             M -> E {{ assume b[i] and a[i] >= 0 }}
             M -> E {{ assume (not b[i]) and a[i] < 0 }}"
        )
    };
    check_safe(&signs("0"));
    check_no_answer(&signs("-1"));
    // The greatest element.
    let greatest = |relation: &str| {
        format!(
            "var a : [int] -> int var i : int var m : int var n : int
             init loc A loc L loc M error loc E
             A -> L {{ i := 1 m := a[0] }}
             L -> L {{ assume i < n m := if m < a[i] then a[i] else m i := i + 1 }}
             L -> M {{ assume i >= n havoc i assume 0 <= i and i < n }}
             M -> E {{ assume m {relation} a[i] }}"
        )
    };
    check_safe(&greatest("<"));
    check_no_answer(&greatest("<="));
}

#[test]
fn reads_at_what_was_read_are_understood() {
    let indirect = |value: i32| {
        format!(
            "var a : [int] -> int var b : [int] -> int var i : int var n : int
             init loc A loc L error loc E
             A -> L {{ a := [<int> default <- 3] i := 0 }}
             L -> L {{ assume i < n a := a[i <- b[i]] b := b[a[i] <- {value}] i := i + 1
                       assume a[i] = 3 }}
             L -> E {{ assume i >= 1 and b[a[i]] = 7 and a[i] /= 3 }}"
        )
    };
    check_safe(&indirect(5));
}

#[test]
fn bits_as_indices_and_several_sorts_of_indices_are_understood() {
    check_safe(
        "var a : [bv[8]] -> int var b : [int] -> bool var i : int var x : bv[8]
         init loc A loc L error loc E
         A -> L { a := [<bv[8]> default <- 0] b := [<int> default <- true] }
         L -> L { havoc x havoc i a := a[x <- 1] b := b[i <- a[x] = 1] }
         L -> E { assume a[x] < 0 or a[x] > 1 }
         L -> E { assume not b[i] }",
    );
}

#[test]
fn whole_arrays_are_inputs_and_compared_with_any_outcome() {
    check_safe(
        "var a : [int] -> int var b : [int] -> int var i : int
         init loc A loc L error loc E
         A -> L { havoc a b := a }
         L -> L { havoc i assume a /= b a := a[i <- 1] b := b[i <- 1] }
         L -> E { assume a[i] /= b[i] }",
    );
}

#[test]
fn large_numbers_do_not_matter() {
    let up_to = |bound: &str| {
        format!(
            "var a : [int] -> int var i : int
             init loc A loc L loc M error loc E error loc F
             A -> L {{ i := 0 }}
             L -> L {{ assume i < 100000 a := a[i <- 42] i := i + 1 }}
             L -> F {{ assume i < 100000 and i + 1 > 2147483647 }}
             L -> M {{ assume i >= 100000 i := 0 }}
             M -> M {{ assume i < {bound} i := i + 1 }}
             M -> E {{ assume i < {bound} and a[i] /= 42 }}"
        )
    };
    check_safe(&up_to("100000"));
}

/// Makes a list whose nodes have a number and the next node, which is 0 at the end, and walks along it.
fn listed(last: i32) -> String {
    format!(
        "var number : [int] -> int var link : [int] -> int var p : int var t : int var a : int var next : int
         init loc A loc L loc M error loc E
         A -> L {{ next := 1000 a := next next := next + 1000 p := a }}
         L -> L {{ number := number[p <- 1] t := next next := next + 1000 link := link[p + 4 <- t] p := t }}
         L -> M {{ number := number[p <- {last}] link := link[p + 4 <- 0] p := a }}
         M -> M {{ assume p /= 0 assume number[p] = 1 p := link[p + 4] }}
         M -> E {{ assume p /= 0 assume number[p] /= 1 }}"
    )
}

/// A list of ones or of twos, as `flag` says, that ends with a three.
fn ended(found: i32) -> String {
    format!(
        "var number : [int] -> int var link : [int] -> int var p : int var t : int var a : int var next : int
         var flag : int init loc A loc L loc M error loc E
         A -> L {{ next := 1000 a := next next := next + 1000 p := a }}
         L -> L {{ number := number[p <- if flag = 0 then 2 else 1] t := next next := next + 1000
                   link := link[p + 4 <- t] p := t }}
         L -> M {{ number := number[p <- 3] p := a assume flag /= 0 }}
         M -> M {{ assume number[p] = {found} p := link[p + 4] }}
         M -> E {{ assume number[p] /= {found} and number[p] /= 3 }}"
    )
}

#[test]
fn lists_are_cells_below_a_frontier() {
    for body in [listed(1), ended(1)] {
        check_safe(&body);
    }
    for body in [listed(2), ended(2)] {
        let verdict = certified(&process(&body), cells(Duration::from_secs(1)));
        assert!(matches!(verdict, Verdict::Unknown(Reason::Incomplete(_))), "{verdict:?}");
    }
}

#[test]
fn many_copies_in_a_row_are_guessed() {
    let (mut vars, mut locations, mut edges) = (String::new(), String::new(), String::new());
    for number in 0..8 {
        let next = number + 1;
        vars += &format!("var a{number} : [int] -> int ");
        locations += &format!("loc L{number} ");
        edges += &format!(
            "L{number} -> L{number} {{ assume i < n a{next} := a{next}[i <- a{number}[i]] i := i + 1 }}
             L{number} -> L{next} {{ assume i >= n i := 0 }} "
        );
    }
    check_safe(&format!(
        "{vars} var a8 : [int] -> int var i : int var n : int init loc A {locations} loc L8 error loc E
         A -> L0 {{ i := 0 }} {edges} L8 -> L8 {{ assume i < n i := i + 1 }}
         L8 -> E {{ assume i < n and a0[i] /= a8[i] }}"
    ));
}

#[test]
fn what_has_no_cells_has_no_answer() {
    let none = process("var x : int init loc A error loc E A -> E { assume x < x }");
    assert_eq!(encode_cells(&none).err(), Some("there are no arrays"));
    let nested =
        process("var a : [int] -> [int] -> int init loc A error loc E A -> E { assume a[0][0] < a[0][0] }");
    assert_eq!(encode_cells(&nested).err(), Some("there are arrays of arrays"));
    check_no_answer("var x : int init loc A error loc E A -> E { assume x < x }");
}

#[test]
fn no_random_automaton_gets_a_wrong_answer() {
    let mut num_safe = 0;
    for seed in 0..400 {
        let task = random_cfa(seed, Shape::default());
        if encode_cells(&task).is_err() {
            continue;
        }
        match certified(&task, Through::new(Prune, cells(Duration::from_secs(1)))) {
            Verdict::Safe(Evidence::Given(_)) => {
                assert!(explore(&task).least_bound.is_none(), "seed {seed}");
                num_safe += 1;
            }
            Verdict::Unknown(Reason::Incomplete(_)) => {}
            other => panic!("seed {seed}: {other:?}"),
        }
    }
    assert!(num_safe > 20, "only {num_safe} were proved");
}
