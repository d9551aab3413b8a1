//! Proofs by contracts: right ones, and mistakes in contracts, invariants and models.

use std::sync::Arc;

use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, Contract, ContractProof, Procedural, Procedure, ProcedureCall, ProcedureId,
};

use super::proofs::{at, formula};
use crate::{check, is_rejected, parse};

/// `n >= 0` is passed to a procedure that calls itself with one less, down to zero, and gives back what it was called with.
const IDENTITY: &str = "main process identity {
    var passed : int var result : int var n : int var m : int
    init loc start limit loc call \"outer\" loc back error loc bad
    loc entry loc body limit loc inner \"inner\" loc after loc exit
    start -> call { assume n >= 0 passed := n }
    back -> bad { assume result /= n }
    entry -> body { m := passed }
    body -> exit { assume m = 0 result := 0 }
    body -> inner { assume m /= 0 passed := m - 1 }
    after -> exit { result := m }
}";

const LOCALS: &[&str] = &["n", "m"];

/// The locations of calls and where they go on.
const CALLS: &[(&str, &str)] = &[("call", "back"), ("inner", "after")];

/// The automaton with one procedure.
pub(crate) fn model(text: &str, locals: &[&str], calls: &[(&str, &str)]) -> Task<Cfa> {
    let mut task = parse(text);
    let procedure = Procedure { name: "p".into(), entry: at(&task, "entry"), exit: at(&task, "exit") };
    let call = |(location, target): &(&str, &str)| {
        (at(&task, location), ProcedureCall { callee: ProcedureId::new(0), target: at(&task, target) })
    };
    let procedural = Procedural {
        calls: calls.iter().map(call).collect(),
        procedures: [procedure].into_iter().collect(),
        locals: locals.iter().map(|name| task.store.find_var(name).unwrap()).collect(),
        cfa: task.model.clone(),
    };
    procedural.snapshots(&task.store).unwrap();
    task.model.procedural = Some(Arc::new(procedural));
    task
}

fn identity() -> Task<Cfa> {
    model(IDENTITY, LOCALS, CALLS)
}

/// A proof with everything derived but what has a formula.
fn proof(task: &Task<Cfa>, [pre, post]: [&str; 2], formulas: &[(&str, &str)]) -> CfaProof {
    let contract = Contract { precondition: formula(task, pre), postcondition: formula(task, post) };
    let inner = ["start", "call", "back", "entry", "body", "inner", "after", "exit"];
    CfaProof::Contracts(ContractProof {
        contracts: [contract].into_iter().collect(),
        invariants: CfaInvariants {
            formulas: formulas.iter().map(|(name, text)| (at(task, name), formula(task, text))).collect(),
            derived: inner.iter().map(|name| at(task, name)).collect(),
            ..CfaInvariants::default()
        },
    })
}

const RIGHT: [&str; 2] = ["(>= passed 0)", "(= result entry!passed)"];

/// Right contracts for the identity.
const RIGHT_CONTRACTS: &[[&str; 2]] = &[
    RIGHT,
    ["true", "(= result entry!passed)"],
    ["(>= passed 0)", "(and (= result entry!passed) (>= result 0))"],
    ["(>= passed 0)", "(or (= result entry!passed) (< entry!passed 0))"],
];

const WRONG_CONTRACTS: &[(&str, [&str; 2])] = &[
    ("the precondition excludes a call from outside", ["(> passed 0)", "(= result entry!passed)"]),
    ("the precondition excludes a call from inside", ["(>= passed 5)", "(= result entry!passed)"]),
    ("the precondition excludes everything", ["false", "(= result entry!passed)"]),
    ("the precondition is about a local variable", ["(>= n 0)", "(= result entry!passed)"]),
    ("the precondition is about an entry", ["(>= entry!passed 0)", "(= result entry!passed)"]),
    ("the precondition is about a call", ["(>= before!passed 0)", "(= result entry!passed)"]),
    ("the precondition is a number", ["passed", "(= result entry!passed)"]),
    ("the postcondition says too little", ["(>= passed 0)", "(>= result 0)"]),
    ("the postcondition says nothing", ["(>= passed 0)", "true"]),
    ("the postcondition says too much", ["(>= passed 0)", "(and (= result entry!passed) (> result 0))"]),
    ("the postcondition says what is not so", ["(>= passed 0)", "(= result (+ entry!passed 1))"]),
    ("the postcondition cannot hold", ["(>= passed 0)", "false"]),
    ("the postcondition takes an argument for kept", ["(>= passed 0)", "(= result passed)"]),
    ("the postcondition is about the old result", ["(>= passed 0)", "(= result entry!result)"]),
    ("the postcondition is about a local variable", ["(>= passed 0)", "(= result m)"]),
    ("the postcondition is about a call", ["(>= passed 0)", "(= result before!passed)"]),
    ("the postcondition is a number", ["(>= passed 0)", "result"]),
];

#[test]
fn right_contracts_are_accepted() {
    let task = identity();
    for contract in RIGHT_CONTRACTS {
        let result = check(&task, &proof(&task, *contract, &[]));
        assert!(result.is_ok(), "{contract:?}: {result:?}");
    }
}

#[test]
fn every_wrong_contract_is_rejected() {
    let task = identity();
    for (name, contract) in WRONG_CONTRACTS {
        let result = check(&task, &proof(&task, *contract, &[]));
        assert!(is_rejected(&result), "{name}: {result:?}");
    }
}

#[test]
fn wrong_invariants_are_rejected() {
    let task = identity();
    for wrong in
        [("after", "(= m 0)"), ("entry", "(= result 0)"), ("exit", "false"), ("back", "(= result 0)")]
    {
        let result = check(&task, &proof(&task, RIGHT, &[wrong]));
        assert!(is_rejected(&result), "{wrong:?}: {result:?}");
    }
    let change = |change: fn(&mut ContractProof)| {
        let CfaProof::Contracts(mut proof) = proof(&task, RIGHT, &[]) else { panic!() };
        change(&mut proof);
        check(&task, &CfaProof::Contracts(proof))
    };
    assert!(change(|_| {}).is_ok());
    assert!(is_rejected(&change(|proof| proof.invariants.derived.clear())));
    assert!(is_rejected(&change(|proof| proof.contracts = Default::default())));
    let repeated = change(|proof| {
        proof.contracts.push(proof.contracts[ProcedureId::new(0)]);
    });
    assert!(is_rejected(&repeated));
}

#[test]
fn proofs_by_contracts_need_procedures() {
    let task = identity();
    let proof = proof(&task, RIGHT, &[]);
    let mut without = task.clone();
    without.model.procedural = None;
    assert!(is_rejected(&check(&without, &proof)));
}

/// What is right for one model is not for others.
#[test]
fn every_wrong_model_is_rejected() {
    let replaced = |from: &str, to: &str| {
        let text = IDENTITY.replace(from, to);
        assert_ne!(text, IDENTITY, "{from}");
        text
    };
    let with_limit =
        replaced("loc after", "limit loc after \"asm\"").replace("after -> exit", "entry -> exit");
    for (name, text, locals, calls) in [
        ("another base case", replaced("result := 0", "result := 1"), LOCALS, CALLS),
        ("another step", replaced("result := m", "result := m + 1"), LOCALS, CALLS),
        ("a smaller argument", replaced("passed := m - 1", "passed := 0 - m"), LOCALS, CALLS),
        ("a call outside the precondition", replaced("n >= 0", "n >= 0 - 1"), LOCALS, CALLS),
        ("another claim", replaced("result /= n", "result = n"), LOCALS, CALLS),
        ("an error in the procedure", replaced("body -> inner", "body -> bad"), LOCALS, CALLS),
        ("a limit in the procedure", with_limit, LOCALS, CALLS),
        ("a result that is not set", replaced("assume m = 0 result := 0", "assume m = 0"), LOCALS, CALLS),
        ("a variable that calls change", IDENTITY.into(), &["n"][..], CALLS),
        ("a variable that is not the caller's", IDENTITY.into(), &["m"][..], CALLS),
        (
            "a call that goes on elsewhere",
            IDENTITY.into(),
            LOCALS,
            &[("call", "bad"), ("inner", "after")][..],
        ),
        ("a call that is none", IDENTITY.into(), LOCALS, &[("call", "back")][..]),
        ("a call that is no limit", IDENTITY.into(), LOCALS, &[("call", "back"), ("body", "after")][..]),
    ] {
        let task = model(&text, locals, calls);
        let result = check(&task, &proof(&task, RIGHT, &[]));
        // A variable of `main` that no procedure changes may be shared.
        let is_harmless = name == "a variable that is not the caller's";
        assert_eq!(is_rejected(&result), !is_harmless, "{name}: {result:?}");
    }
}
