//! Horn clauses: which assertions are clauses, and how evidence about their automata is translated back.

use std::collections::BTreeMap;

use thetis_base::{Diagnostics, Run, SourceMap};
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_expr::{ExprId, Store, Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, Contract, ContractProof, EdgeId, ProcedureId,
};
use thetis_script::horn::{
    Clauses, Derived, Encoding, Model, ModelError, Refutation, encode, encode_trees, reduce,
};
use thetis_script::{Input, parse};
use thetis_solver::Eliminator;
use thetis_z3::{Z3Eliminator, Z3Factory};

const COUNTER: &str = "(set-logic HORN)
(declare-fun P (Int Int) Bool)
(assert (forall ((i Int) (n Int)) (=> (and (= i 0) (>= n 0)) (P i n))))
(assert (forall ((i Int) (j Int) (n Int)) (=> (and (P i n) (< i n) (= j (+ i 1))) (P j n))))
(assert (forall ((i Int) (n Int)) (=> (and (P i n) (>= i n) (not (= i n))) false)))
(check-sat)";

fn clauses(text: &str) -> Result<Clauses, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.smt2", text);
    let mut diags = Diagnostics::new();
    match parse(&sources, file, &mut diags) {
        Ok(Input::Clauses(clauses)) => Ok(clauses),
        Ok(Input::Script(_)) => Err("a script".into()),
        Err(_) => Err(diags.iter().next().expect("an error should be reported").message.clone()),
    }
}

fn encoding(text: &str) -> (Clauses, Task<Cfa>, Encoding) {
    let clauses = clauses(text).expect("the clauses should be read");
    let (task, encoding) = encode(&clauses).expect("the clauses should be linear");
    (clauses, task, encoding)
}

#[test]
fn assertions_become_clauses() {
    let declarations =
        "(set-logic HORN)(declare-fun P (Int) Bool)(declare-fun Q (Int Bool) Bool)(declare-fun R () Bool)";
    for (assertion, expected) in [
        ("(P 0)", Ok(vec![(0, true)])),
        ("(forall ((x Int)) (=> (P x) (Q x true)))", Ok(vec![(1, true)])),
        ("(forall ((x Int)) (=> (and (P x) (> x 0)) R))", Ok(vec![(1, true)])),
        ("(=> R false)", Ok(vec![(1, false)])),
        ("(not (exists ((x Int)) (and (P x) (< x 0))))", Ok(vec![(1, false)])),
        ("(forall ((x Int)) (or (not (P x)) (P (+ x 1)) (> x 9)))", Ok(vec![(1, true)])),
        ("(forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y))))", Ok(vec![(2, true)])),
        ("(forall ((x Int)) (=> (or (P x) R) (P 1)))", Ok(vec![(1, true), (1, true)])),
        ("(forall ((x Int)) (=> (P x) (and R (P 2))))", Ok(vec![(1, true), (1, true)])),
        ("(forall ((x Int)) (=> (ite (> x 0) (P x) R) (P 1)))", Ok(vec![(1, true), (1, true)])),
        ("(forall ((x Int)) (=> (P x) (< x 3)))", Ok(vec![(1, false)])),
        ("(forall ((x Int)) (or (P x) R))", Err("the clause has more than one head")),
        ("(forall ((x Int)) (= (P x) R))", Err("a predicate occurs where a Horn clause cannot have one")),
        ("(forall ((x Int)) (Q x R))", Err("a predicate occurs in an argument of a predicate")),
        ("(P true)", Err("an argument of `P` has another sort")),
        ("(exists ((x Int)) (P x))", Err("`exists` is not supported")),
    ] {
        let found = clauses(&format!("{declarations}(assert {assertion})"));
        let shapes = found.map(|found| {
            found.clauses.iter().map(|clause| (clause.body.len(), clause.head.is_some())).collect::<Vec<_>>()
        });
        assert_eq!(shapes, expected.map_err(str::to_owned), "{assertion}");
    }
}

#[test]
fn clauses_that_are_not_linear_are_found() {
    let text = "(set-logic HORN)(declare-fun P (Int) Bool)
        (assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))";
    assert!(encode(&clauses(text).unwrap()).is_none());
}

#[test]
fn determined_variables_are_no_inputs() {
    let (_, task, encoding) = encoding(COUNTER);
    let cfa = &task.model;
    assert_eq!((cfa.locations.len(), cfa.edges.len(), encoding.arguments[0].len()), (3, 3, 2));
    // Only the bound in the first clause can be chosen.
    assert_eq!(cfa.vars.len(), 3);
}

struct NoElimination;

impl Eliminator for NoElimination {
    fn exists(
        &self,
        _store: &Store,
        _vars: &[VarId],
        _formula: ExprId,
        _run: &Run,
    ) -> Result<Option<ExprId>, thetis_solver::SolverError> {
        Ok(None)
    }
}

#[test]
fn invariants_are_models_if_all_clauses_hold() {
    let (clauses, task, encoding) = encoding(COUNTER);
    let store = &task.store;
    let [i, n] = [0, 1].map(|position| store.var_expr(encoding.arguments[0][position]));
    for (invariant, holds) in [(store.le(i, n), true), (store.tru(), false), (store.lt(i, n), false)] {
        let proof = CfaProof::invariants(BTreeMap::from([(encoding.locations[0], invariant)]));
        let run = Run::unlimited();
        let model = Model::of_proof(&encoding, &task, &proof, &NoElimination, &run).unwrap();
        let checked = model.check(store, &clauses, &Z3Factory::default(), &run);
        assert_eq!(checked.is_ok(), holds, "{}", print_term(store, invariant, Dialect::Thetis));
        if holds {
            let text = model.print(store, &clauses);
            assert!(text.starts_with("(define-fun P (("), "{text}");
        } else {
            assert!(matches!(checked, Err(ModelError::NotChecked(_))));
        }
    }
}

#[test]
fn derived_formulas_are_written_out() {
    let (clauses, task, encoding) = encoding(
        "(set-logic HORN)(declare-fun P (Int) Bool)
         (assert (P 5))(assert (forall ((x Int)) (=> (and (P x) (< x 3)) false)))",
    );
    let invariants =
        thetis_model::cfa::CfaInvariants { derived: [encoding.locations[0]].into(), ..Default::default() };
    let run = Run::unlimited();
    let model =
        Model::of_proof(&encoding, &task, &CfaProof::Invariants(invariants), &NoElimination, &run).unwrap();
    model.check(&task.store, &clauses, &Z3Factory::default(), &run).unwrap();
}

#[test]
fn runs_are_refutations_only_if_every_step_follows() {
    let (clauses, task, encoding) = encoding(
        "(set-logic HORN)(declare-fun P (Int Int) Bool)
         (assert (forall ((n Int)) (P 0 n)))
         (assert (forall ((i Int) (j Int) (n Int)) (=> (and (P i n) (= i (- j 1))) (P n j))))
         (assert (forall ((i Int) (n Int)) (=> (and (P i n) (= i 7) (= n 1)) false)))",
    );
    let step = |edge: u32, inputs: Vec<Value>| CfaStep {
        edge: EdgeId::new(edge as usize),
        inputs,
        choices: Vec::new(),
    };
    let initial = task.model.vars.iter().map(|var| (*var, Value::int(3))).collect();
    let trace = CfaTrace::new(initial, vec![step(0, vec![Value::int(7)]), step(1, vec![]), step(2, vec![])]);
    let refutation = Refutation::of_trace(&encoding, &task, &clauses, &trace).unwrap();
    refutation.check(&clauses).unwrap();
    assert_eq!(
        refutation.print(&clauses, |_| 1),
        "; (P 0 7) by the clause of line 1\n; (P 7 1) by the clause of line 1\n; false by the clause of line 1\n"
    );
    let mut wrong = refutation.clone();
    wrong.steps[1].args[0] = Value::int(8);
    assert!(wrong.check(&clauses).is_err());
    let mut short = refutation.clone();
    short.steps.pop();
    assert!(short.check(&clauses).is_err());
    let mut skipping = refutation;
    skipping.steps.remove(1);
    assert!(skipping.check(&clauses).is_err());
}

/// One is in `P`, sums of two elements are, and `QUERY` must not be.
const SUMS: &str = "(set-logic HORN)(declare-fun P (Int) Bool)
(assert (P 1))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (P y)) (P (+ x y)))))
(assert (forall ((x Int)) (=> (and (P x) QUERY) false)))
(check-sat)";

#[test]
fn contracts_are_models_if_all_clauses_hold() {
    let clauses = clauses(&SUMS.replace("QUERY", "(< x 1)")).unwrap();
    let (task, encoding) = encode_trees(&clauses);
    let store = &task.store;
    let procedural = task.model.procedural.as_ref().expect("there should be procedures");
    let output = store.var_expr(procedural.modified()[ProcedureId::new(0)].iter().copied().next().unwrap());
    for (postcondition, holds) in [
        (store.le(store.int(1), output), true),
        (store.le(store.int(2), output), false),
        (store.le(store.int(0), output), false),
        (store.eq(store.int(1), output), false),
    ] {
        let contract = Contract { precondition: store.tru(), postcondition };
        let contracts = [contract].into_iter().collect();
        let proof = CfaProof::Contracts(ContractProof { contracts, invariants: CfaInvariants::default() });
        let model = Model::of_contracts(&encoding, &task, &proof).unwrap();
        let checked = model.check(store, &clauses, &Z3Factory::default(), &Run::unlimited());
        assert_eq!(checked.is_ok(), holds, "{}", print_term(store, postcondition, Dialect::Thetis));
    }
}

/// What a step derives: its clause, the values of the variables of the clause, and the steps before it that it uses.
type Step = (usize, &'static [i32], &'static [usize]);

#[test]
fn derivations_are_trees() {
    let clauses = clauses(&SUMS.replace("QUERY", "(> x 3)")).unwrap();
    let refutation = |steps: &[Step]| Refutation {
        steps: steps
            .iter()
            .map(|(clause, values, premises)| {
                let vars = clauses.clauses[*clause].vars.iter().copied();
                let arg = match clause {
                    0 => vec![Value::int(1)],
                    1 => vec![Value::int(values.iter().sum::<i32>())],
                    _ => Vec::new(),
                };
                Derived {
                    clause: *clause,
                    values: vars.zip(values.iter().map(|value| Value::int(*value))).collect(),
                    args: arg,
                    premises: premises.to_vec(),
                }
            })
            .collect(),
    };
    let right: &[Step] = &[(0, &[], &[]), (1, &[1, 1], &[0, 0]), (1, &[2, 2], &[1, 1]), (2, &[4], &[2])];
    assert_eq!(refutation(right).check(&clauses), Ok(()));
    let wrong: [(&str, &[Step]); 8] = [
        (
            "a premise is missing",
            &[(0, &[], &[]), (1, &[1, 1], &[0]), (1, &[2, 2], &[1, 1]), (2, &[4], &[2])],
        ),
        (
            "a premise is another atom",
            &[(0, &[], &[]), (1, &[1, 2], &[0, 0]), (1, &[3, 3], &[1, 1]), (2, &[6], &[2])],
        ),
        (
            "a premise comes later",
            &[(0, &[], &[]), (1, &[2, 2], &[2, 2]), (1, &[1, 1], &[0, 0]), (2, &[4], &[1])],
        ),
        ("a premise is the step itself", &[(0, &[], &[]), (1, &[2, 0], &[1, 1]), (2, &[4], &[1])]),
        ("the constraint does not hold", &[(0, &[], &[]), (1, &[1, 1], &[0, 0]), (2, &[2], &[1])]),
        ("falsehood is not derived", &[(0, &[], &[]), (1, &[1, 1], &[0, 0]), (1, &[2, 2], &[1, 1])]),
        ("there is nothing", &[]),
        (
            "something follows falsehood",
            &[(0, &[], &[]), (1, &[1, 1], &[0, 0]), (1, &[2, 2], &[1, 1]), (2, &[4], &[2]), (0, &[], &[])],
        ),
    ];
    for (name, steps) in wrong {
        assert!(refutation(steps).check(&clauses).is_err(), "{name}");
    }
}

/// `Step` is used beside `P`, and itself uses `Next` twice; the query is `BAD`.
const HELPERS: &str = "(set-logic HORN)
(declare-fun Next (Int Int) Bool)
(declare-fun Step (Int Int) Bool)
(declare-fun P (Int) Bool)
(assert (forall ((x Int)) (Next x (+ x 1))))
(assert (forall ((x Int)) (=> (> x 90) (Next x 0))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (Next x y) (Next y z)) (Step x z))))
(assert (P 0))
(assert (forall ((x Int) (y Int)) (=> (and (P x) (Step x y) (< x 6)) (P y))))
(assert (forall ((x Int)) (=> (and (P x) BAD) false)))";

#[test]
fn helpers_are_written_out() {
    let clauses = clauses(&HELPERS.replace("BAD", "(> x 7)")).unwrap();
    let reduced = reduce(&clauses);
    let bodies: Vec<usize> = reduced.clauses.clauses.iter().map(|clause| clause.body.len()).collect();
    // Four ways to take two steps, without other predicates.
    assert_eq!(bodies, [0, 1, 1, 1, 1, 1]);
    let (task, encoding) = encode(&reduced.clauses).expect("the clauses should be linear now");
    let store = &task.store;
    let p = store.var_expr(encoding.arguments[2][0]);
    let run = Run::unlimited();
    for (invariant, holds) in [
        (store.le(p, store.int(7)), true),
        (store.le(p, store.int(6)), false),
        (store.le(p, store.int(8)), false),
    ] {
        let proof = CfaProof::invariants(BTreeMap::from([(encoding.locations[2], invariant)]));
        let model = Model::of_proof(&encoding, &task, &proof, &Z3Eliminator, &run).unwrap();
        let model = model.with_helpers(&reduced, store, &Z3Eliminator, &run).unwrap();
        let checked = model.check(store, &clauses, &Z3Factory::default(), &run);
        assert_eq!(checked.is_ok(), holds, "{}", print_term(store, invariant, Dialect::Thetis));
    }
}

#[test]
fn refutations_name_what_helpers_derived() {
    let clauses = clauses(&HELPERS.replace("BAD", "(= x 4)")).unwrap();
    let reduced = reduce(&clauses);
    let (task, encoding) = encode(&reduced.clauses).expect("the clauses should be linear now");
    let start = reduced.clauses.clauses.iter().position(|clause| clause.body.is_empty()).unwrap();
    let end = reduced.clauses.clauses.iter().position(|clause| clause.head.is_none()).unwrap();
    let initial: BTreeMap<VarId, Value> = task.model.vars.iter().map(|var| (*var, Value::int(0))).collect();
    let mut num_found = 0;
    for rule in (0..reduced.clauses.clauses.len()).filter(|clause| ![start, end].contains(clause)) {
        let step = |clause| CfaStep { edge: EdgeId::new(clause), inputs: Vec::new(), choices: Vec::new() };
        let steps = [start, rule, rule, end].map(step).to_vec();
        let trace = CfaTrace::new(initial.clone(), steps);
        let Ok(found) = Refutation::of_trace(&encoding, &task, &reduced.clauses, &trace) else { continue };
        num_found += 1;
        let refutation = reduced.refutation(&clauses, &task.store, &found).unwrap();
        assert_eq!(refutation.check(&clauses), Ok(()));
        let text = refutation.print(&clauses, |_| 1);
        for atom in ["(P 0)", "(Next 0 1)", "(Next 1 2)", "(Step 0 2)", "(P 2)", "(Step 2 4)", "(P 4)"] {
            assert!(text.contains(&format!("; {atom} by")), "{atom}: {text}");
        }
        let mut wrong = refutation;
        wrong.steps[1].args[1] = Value::int(7);
        assert!(wrong.check(&clauses).is_err());
    }
    assert_eq!(num_found, 1);
}

#[test]
fn what_is_recursive_is_no_helper() {
    for text in [SUMS.replace("QUERY", "(< x 1)"), COUNTER.to_owned()] {
        let clauses = clauses(&text).unwrap();
        let reduced = reduce(&clauses);
        assert_eq!(reduced.clauses.clauses.len(), clauses.clauses.len());
    }
}

/// A predicate in a definition is applied to the arguments of the definition.
#[test]
fn atoms_in_definitions_are_instances() {
    let found = clauses(
        "(set-logic HORN)(declare-fun P (Int) Bool)
         (define-fun in ((x Int)) Bool (and (P x) (> x 0)))
         (define-fun later ((x Int) (y Int)) Bool (in (+ x y)))
         (assert (forall ((z Int)) (=> (later z 3) false)))",
    )
    .unwrap();
    let [clause] = &found.clauses[..] else { panic!("there should be one clause") };
    let printed = print_term(&found.store, clause.body[0].args[0], Dialect::Thetis);
    assert!(printed.contains("z") && printed.contains('3'), "{printed}");
    assert_eq!(found.store.vars_of([clause.constraint]), clause.vars);
}
