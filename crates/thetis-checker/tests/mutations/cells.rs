//! Proofs about all cells of arrays: right ones, and mistakes.

use std::collections::BTreeSet;

use thetis_expr::{Sort, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaUnwinding, EdgeId, LongRuns};

use super::proofs::{at, formula};
use crate::{check, is_rejected, parse};

/// Fills `a` with 42 up to `n`, and looks at the elements one after the other.
const FILL: &str = "
    main process fill {
        var a : [int] -> int
        var i : int
        var n : int
        var k : int
        init loc start
        loc fill
        loc step
        loc look
        loc seen
        error loc bad
        start -> fill { i := 0 }
        fill -> step { assume i < n }
        step -> fill { a := a[i <- 42] i := i + 1 }
        fill -> look { assume i >= n i := 0 }
        look -> seen { assume i < n }
        seen -> bad { assume a[i] /= 42 }
        seen -> look { i := i + 1 }
    }";

const FILLED: &str = "(and (>= i 0) (or (< cell 0) (>= cell i) (= (select a cell) 42)))";
const ALL: &str = "(and (>= i 0) (or (< cell 0) (>= cell n) (= (select a cell) 42)))";

/// The formulas of a proof and its derived locations.
type Parts = (&'static [(&'static str, &'static str)], &'static [&'static str]);

const RIGHT: &[Parts] = &[
    (&[("fill", FILLED), ("look", ALL)], &["step", "seen"]),
    (&[("fill", FILLED), ("look", ALL)], &["start", "step", "seen"]),
    (&[("step", FILLED_AND_BELOW), ("fill", FILLED), ("look", ALL), ("seen", ALL_AND_BELOW)], &[]),
    // A lemma with a cell at a derived location.
    (&[("fill", FILLED), ("look", ALL), ("seen", ALL)], &["step", "seen"]),
    // Elements at fixed indices besides.
    (
        &[
            ("fill", FILLED),
            (
                "look",
                "(and (>= i 0) (or (<= n 0) (= (select a 0) 42)) (or (<= cell 0) (>= cell n) (= (select a cell) 42)))",
            ),
        ],
        &["step", "seen"],
    ),
];

const FILLED_AND_BELOW: &str = "(and (< i n) (>= i 0) (or (< cell 0) (>= cell i) (= (select a cell) 42)))";
const ALL_AND_BELOW: &str = "(and (< i n) (>= i 0) (or (< cell 0) (>= cell n) (= (select a cell) 42)))";

const WRONG: &[(&str, Parts)] = &[
    (
        "the bound is wrong",
        (
            &[("fill", "(and (>= i 0) (or (< cell 0) (>= cell n) (= (select a cell) 42)))"), ("look", ALL)],
            &["step", "seen"],
        ),
    ),
    (
        "the bound is one too large",
        (
            &[("fill", "(and (>= i 0) (or (< cell 0) (> cell i) (= (select a cell) 42)))"), ("look", ALL)],
            &["step", "seen"],
        ),
    ),
    (
        "the bound is one too small",
        (
            &[
                ("fill", FILLED),
                ("look", "(and (>= i 0) (or (< cell 0) (>= cell (- n 1)) (= (select a cell) 42)))"),
            ],
            &["step", "seen"],
        ),
    ),
    (
        "the lower bound is too small",
        (
            &[
                ("fill", "(and (>= i 0) (or (< cell (- 1)) (>= cell i) (= (select a cell) 42)))"),
                ("look", ALL),
            ],
            &["step", "seen"],
        ),
    ),
    (
        "the lower bound is too large",
        (
            &[
                ("fill", FILLED),
                ("look", "(and (>= i 0) (or (< cell 1) (>= cell n) (= (select a cell) 42)))"),
            ],
            &["step", "seen"],
        ),
    ),
    (
        "the value is wrong",
        (
            &[("fill", "(and (>= i 0) (or (< cell 0) (>= cell i) (= (select a cell) 43)))"), ("look", ALL)],
            &["step", "seen"],
        ),
    ),
    (
        "the value is wrong at the end",
        (
            &[
                ("fill", FILLED),
                ("look", "(and (>= i 0) (or (< cell 0) (>= cell n) (= (select a cell) 43)))"),
            ],
            &["step", "seen"],
        ),
    ),
    (
        "it is said of one cell only",
        (
            &[("fill", "(and (>= i 0) (or (< cell 0) (>= cell i) (= (select a 0) 42)))"), ("look", ALL)],
            &["step", "seen"],
        ),
    ),
    (
        "it holds for some cells only",
        (&[("fill", "(and (>= i 0) (= (select a cell) 42))"), ("look", ALL)], &["step", "seen"]),
    ),
    (
        "it holds for every second cell",
        (
            &[
                ("fill", FILLED),
                (
                    "look",
                    "(and (>= i 0) (or (= (mod cell 2) 0) (< cell 0) (>= cell n) (= (select a cell) 42)))",
                ),
            ],
            &["step", "seen"],
        ),
    ),
    ("a cell is a number", (&[("fill", FILLED), ("look", "(and (>= i 0) (= cell 0))")], &["step", "seen"])),
    (
        "a cell is a variable",
        (
            &[("fill", FILLED), ("look", "(and (>= i 0) (= cell i) (= (select a cell) 42))")],
            &["step", "seen"],
        ),
    ),
    (
        "the initial location knows a cell",
        (&[("start", "(= (select a cell) 42)"), ("fill", FILLED), ("look", ALL)], &["step", "seen"]),
    ),
    (
        "the initial location knows the cell",
        (&[("start", "(>= cell 0)"), ("fill", FILLED), ("look", ALL)], &["step", "seen"]),
    ),
    (
        "a lemma about cells is wrong",
        (&[("fill", FILLED), ("look", ALL), ("seen", "(= (select a cell) 42)")], &["step", "seen"]),
    ),
    (
        "a lemma about cells hides what is missing",
        (&[("fill", FILLED), ("look", "(>= i 0)"), ("seen", ALL)], &["step", "seen"]),
    ),
];

fn invariants(task: &Task<Cfa>, (formulas, derived): Parts) -> CfaInvariants {
    let cell = task.store.declare("cell", Sort::Int);
    CfaInvariants {
        formulas: formulas.iter().map(|(name, text)| (at(task, name), formula(task, text))).collect(),
        derived: derived.iter().map(|name| at(task, name)).collect(),
        cells: [cell].into(),
        ..CfaInvariants::default()
    }
}

#[test]
fn right_proofs_are_accepted() {
    for parts in RIGHT {
        let task = parse(FILL);
        let result = check(&task, &CfaProof::Invariants(invariants(&task, *parts)));
        assert!(result.is_ok(), "{parts:?}: {result:?}");
    }
}

#[test]
fn every_mistake_is_rejected() {
    for (name, parts) in WRONG {
        let task = parse(FILL);
        let result = check(&task, &CfaProof::Invariants(invariants(&task, *parts)));
        assert!(is_rejected(&result), "{name}: {result:?}");
    }
}

/// The right formulas, with other cells than `cell`.
fn check_with_cells(cells: impl Fn(&Task<Cfa>) -> BTreeSet<VarId>, rename: (&str, &str)) -> bool {
    let task = parse(FILL);
    task.store.declare("cell", Sort::Int);
    let renamed = |text: &str| formula(&task, &text.replace(rename.0, rename.1));
    let proof = CfaInvariants {
        formulas: [("fill", FILLED), ("look", ALL)]
            .map(|(name, text)| (at(&task, name), renamed(text)))
            .into(),
        derived: [at(&task, "step"), at(&task, "seen")].into(),
        cells: cells(&task),
        ..CfaInvariants::default()
    };
    !is_rejected(&check(&task, &CfaProof::Invariants(proof)))
}

#[test]
fn cells_are_declared_and_no_variables_of_the_model() {
    let named = |name: &'static str| move |task: &Task<Cfa>| [task.store.declare(name, Sort::Int)].into();
    assert!(check_with_cells(named("cell"), ("", "")));
    assert!(!check_with_cells(|_| BTreeSet::new(), ("", "")), "a cell that is not declared");
    assert!(!check_with_cells(named("k"), ("cell", "k")), "a variable of the model as a cell");
    assert!(
        !check_with_cells(named("i"), ("", "")),
        "a variable of the model that the formulas have besides"
    );
}

#[test]
fn a_variable_of_the_model_is_not_bound() {
    // As if `for all k` were written, but `k` is a variable with one value.
    let task = parse(FILL);
    let text = |text: &str| formula(&task, &text.replace("cell", "k"));
    task.store.declare("cell", Sort::Int);
    let formulas = [("fill", FILLED), ("look", ALL)].map(|(name, of)| (at(&task, name), text(of)));
    let proof = CfaInvariants {
        formulas: formulas.into(),
        derived: [at(&task, "step"), at(&task, "seen")].into(),
        cells: [task.store.find_var("cell").unwrap()].into(),
        ..CfaInvariants::default()
    };
    assert!(is_rejected(&check(&task, &CfaProof::Invariants(proof))));
}

#[test]
fn blocked_edges_and_lemmas_of_inductions_may_need_cells() {
    let bad = |task: &Task<Cfa>| {
        [task.model.edges.position(|edge| task.model.is_error(edge.target)).unwrap()].into()
    };
    let lemmas = |task: &Task<Cfa>, look: &'static str| {
        let formulas: Vec<(&str, &str)> =
            vec![("step", FILLED_AND_BELOW), ("fill", FILLED), ("look", look), ("seen", look)];
        let cell = task.store.declare("cell", Sort::Int);
        let formulas =
            formulas.into_iter().map(|(name, text)| (at(task, name), formula(task, text))).collect();
        CfaInvariants { formulas, cells: [cell].into(), ..CfaInvariants::default() }
    };
    // The error is not reached from `seen` in the next step: with the lemma, bound zero is enough.
    for (look, is_right) in [(ALL, true), ("(>= i 0)", false)] {
        let task = parse(FILL);
        let cuts: BTreeSet<EdgeId> = task
            .model
            .edges
            .iter_enumerated()
            .filter(|(_, edge)| ["fill", "look"].map(|name| at(&task, name)).contains(&edge.target))
            .map(|(id, _)| id)
            .collect();
        let induction = |lemmas| {
            CfaProof::Unwinding(CfaUnwinding {
                bound: 0,
                cuts: cuts.clone(),
                long_runs: LongRuns::Inductive,
                lemmas,
            })
        };
        assert_eq!(check(&task, &induction(lemmas(&task, look))).is_ok(), is_right, "{look}");
    }
    for (look, is_right) in [(ALL_AND_BELOW, true), ("(and (< i n) (>= i 0))", false)] {
        let task = parse(FILL);
        let mut lemmas = lemmas(&task, ALL);
        lemmas.formulas.insert(at(&task, "seen"), formula(&task, look));
        lemmas.blocked = bad(&task);
        assert_eq!(check(&task, &CfaProof::Invariants(lemmas)).is_ok(), is_right, "{look}");
    }
}
