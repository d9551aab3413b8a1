//! Proofs by k-induction: right ones, and mistakes.

use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaUnwinding, EdgeId, LongRuns};

use super::proofs::{at, formula};
use crate::{check, is_rejected, parse, with_error_and_limit};

/// Three values take turns, which three rounds show; and `d` is never zero, which no number of rounds shows.
const TURNS: &str = "
    main process turns {
        var a : int
        var b : int
        var c : int
        var d : int
        var old : int
        init loc start
        loc head
        loc body
        error loc bad
        start -> head { a := 0 b := 0 c := 0 d := 1 }
        head -> bad { assume a > 7 or d = 0 }
        head -> body { assume not (a > 7 or d = 0) }
        body -> head { old := a a := b b := c c := old d := d + 1 }
    }";

const BACK_EDGE: usize = 3;

/// What a proof by k-induction claims.
#[derive(Clone, Copy)]
struct Claim {
    k: u32,
    cuts: &'static [usize],
    lemmas: &'static [(&'static str, &'static str)],
    derived: &'static [&'static str],
    blocked: &'static [usize],
}

const RIGHT: Claim = Claim {
    k: 3,
    cuts: &[BACK_EDGE],
    lemmas: &[("head", "(>= d 1)"), ("body", "(>= d 1)")],
    derived: &[],
    blocked: &[],
};

impl Claim {
    fn proof(self, task: &Task<Cfa>) -> CfaProof {
        let edges = |numbers: &[usize]| numbers.iter().map(|number| EdgeId::new(*number)).collect();
        CfaProof::Unwinding(CfaUnwinding {
            bound: self.k,
            cuts: edges(self.cuts),
            long_runs: LongRuns::Inductive,
            lemmas: CfaInvariants {
                formulas: self
                    .lemmas
                    .iter()
                    .map(|(name, text)| (at(task, name), formula(task, text)))
                    .collect(),
                derived: self.derived.iter().map(|name| at(task, name)).collect(),
                blocked: edges(self.blocked),
                ..CfaInvariants::default()
            },
        })
    }
}

#[test]
fn right_proofs_are_accepted() {
    let task = parse(TURNS);
    let right = [
        RIGHT,
        Claim { k: 4, ..RIGHT },
        Claim { k: 9, ..RIGHT },
        Claim { cuts: &[2], ..RIGHT },
        Claim { cuts: &[2, BACK_EDGE], k: 7, ..RIGHT },
        Claim { lemmas: &[("head", "(>= d 1)")], derived: &["body"], ..RIGHT },
        Claim {
            lemmas: &[("head", "(and (>= d 1) (<= b 7) (<= c 7) (<= a 7))")],
            derived: &["body"],
            k: 0,
            ..RIGHT
        },
    ];
    for (number, claim) in right.iter().enumerate() {
        let result = check(&task, &claim.proof(&task));
        assert!(result.is_ok(), "{number}: {result:?}");
    }
}

const WRONG: &[(&str, Claim)] = &[
    ("k is one too small", Claim { k: 2, ..RIGHT }),
    ("k is zero", Claim { k: 0, ..RIGHT }),
    ("there are no lemmas", Claim { lemmas: &[], ..RIGHT }),
    ("no k makes up for a missing lemma", Claim { lemmas: &[], k: 12, ..RIGHT }),
    ("a lemma is missing", Claim { lemmas: &[("head", "(>= d 1)")], ..RIGHT }),
    ("the other lemma is missing", Claim { lemmas: &[("body", "(>= d 1)")], ..RIGHT }),
    (
        "a lemma does not hold initially",
        Claim { lemmas: &[("head", "(>= d 2)")], derived: &["body"], ..RIGHT },
    ),
    ("a lemma does not hold later", Claim { lemmas: &[("head", "(= d 1)")], derived: &["body"], ..RIGHT }),
    ("a lemma is false", Claim { lemmas: &[("head", "false")], derived: &["body"], ..RIGHT }),
    ("the start has a lemma", Claim { lemmas: &[("start", "(= d 1)")], ..RIGHT }),
    ("only the error location has a lemma", Claim { lemmas: &[("bad", "false")], ..RIGHT }),
    ("a lemma is not a formula", Claim { lemmas: &[("head", "d")], ..RIGHT }),
    ("a derived lemma depends on itself", Claim { lemmas: &[], derived: &["head", "body"], ..RIGHT }),
    ("the error location is derived", Claim { derived: &["bad"], ..RIGHT }),
    ("the way to the error location is called blocked", Claim { blocked: &[1], ..RIGHT }),
    ("the back edge is called blocked", Claim { blocked: &[BACK_EDGE], ..RIGHT }),
    ("nothing is cut", Claim { cuts: &[], ..RIGHT }),
    ("the cut is not in the loop", Claim { cuts: &[0, 1], ..RIGHT }),
    ("a cut does not exist", Claim { cuts: &[BACK_EDGE, 99], ..RIGHT }),
    ("two cuts in each round need a greater k", Claim { cuts: &[2, BACK_EDGE], ..RIGHT }),
];

#[test]
fn wrong_proofs_are_rejected() {
    for task in with_error_and_limit(TURNS) {
        for (name, claim) in WRONG {
            let result = check(&task, &claim.proof(&task));
            assert!(is_rejected(&result), "{name}: {result:?}");
        }
    }
}

#[test]
fn an_inductive_unwinding_is_not_a_complete_one() {
    let task = parse(TURNS);
    let CfaProof::Unwinding(inductive) = RIGHT.proof(&task) else { panic!("it should be an unwinding") };
    let complete = CfaProof::Unwinding(CfaUnwinding { long_runs: LongRuns::None, ..inductive });
    assert!(is_rejected(&check(&task, &complete)));
}

#[test]
fn the_base_is_looked_at() {
    for (right, wrong) in
        [("a := 0", "a := 8"), ("b := 0", "b := 8"), ("c := 0", "havoc c"), ("d := 1", "d := 0 - 2")]
    {
        let task = parse(&TURNS.replace(right, wrong));
        let claim = Claim { lemmas: &[], ..RIGHT };
        let with_lemma = check(&task, &RIGHT.proof(&task));
        let without = check(&task, &claim.proof(&task));
        assert!(is_rejected(&with_lemma) && is_rejected(&without), "{wrong}: {with_lemma:?}, {without:?}");
    }
}
