//! Contracts of procedures: programs that need them, programs that are wrong, and random automata against brute force.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use thetis_base::Run;
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_expr::{Sort, Store, Value, VarId};
use thetis_horn::Summaries;
use thetis_model::cfa::{
    Cfa, CfaBuilder, CfaProof, CfaProperty, DeepEnd, DeepRun, LocId, Procedural, Procedure, ProcedureCall,
    ProcedureId, Stmt,
};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{CheckedFactory, SolverFactory};
use thetis_testkit::cfa::{explore, process};
use thetis_z3::{Z3Factory, Z3Horn};

fn solvers() -> Rc<dyn SolverFactory> {
    let z3 = || Rc::new(Z3Factory::default());
    Rc::new(CheckedFactory::new(z3(), z3()))
}

fn certified(task: &Task<Cfa>) -> Verdict<Cfa> {
    let run = Run::unlimited();
    let horn = Z3Horn::new(Duration::from_secs(3600));
    let verdict = Summaries::new(Box::new(horn)).check(task, &run).unwrap();
    certify(task, verdict, &*solvers(), &run).unwrap().verdict
}

/// A procedure by name, entry and exit, and a call by location, callee and target.
struct Parts<'a> {
    procedures: &'a [[&'a str; 3]],
    calls: &'a [[&'a str; 3]],
    locals: &'a [&'a str],
}

fn parse(body: &str, parts: &Parts<'_>) -> Task<Cfa> {
    let mut task = process(body);
    let at = |name: &str| task.model.location(name).unwrap();
    let number = |name: &str| parts.procedures.iter().position(|[known, ..]| *known == name).unwrap();
    let procedure = |[name, entry, exit]: &[&str; 3]| Procedure {
        name: (*name).into(),
        entry: at(entry),
        exit: at(exit),
    };
    let call = |[location, callee, target]: &[&str; 3]| {
        let callee = ProcedureId::new(number(callee));
        (at(location), ProcedureCall { callee, target: at(target) })
    };
    let procedural = Procedural {
        procedures: parts.procedures.iter().map(procedure).collect(),
        calls: parts.calls.iter().map(call).collect(),
        locals: parts.locals.iter().map(|name| task.store.find_var(name).unwrap()).collect(),
        cfa: task.model.clone(),
    };
    task.model.procedural = Some(Arc::new(procedural));
    task
}

/// `result := id(n)` with `n >= 0`, and then the claim.
fn identity(claim: &str) -> Task<Cfa> {
    let body = format!(
        "var passed : int var result : int var n : int var m : int
         init loc start limit loc call \"id\" loc back error loc bad
         loc entry loc body limit loc inner \"id\" loc after loc exit
         start -> call {{ assume n >= 0 passed := n }}
         back -> bad {{ assume not ({claim}) }}
         entry -> body {{ m := passed }}
         body -> exit {{ assume m = 0 result := 0 }}
         body -> inner {{ assume m /= 0 passed := m - 1 }}
         after -> exit {{ result := result + 1 }}"
    );
    parse(
        &body,
        &Parts {
            procedures: &[["id", "entry", "exit"]],
            calls: &[["call", "id", "back"], ["inner", "id", "after"]],
            locals: &["n", "m"],
        },
    )
}

/// `even(n)` and `odd(n)` call each other; the claim is about `n` and the result of `even(n)`.
fn parity(claim: &str) -> Task<Cfa> {
    let body = format!(
        "var passed : int var result : int var n : int var m : int
         init loc start limit loc call \"even\" loc back error loc bad
         loc e0 loc e1 limit loc e2 \"odd\" loc e3 loc o0 loc o1 limit loc o2 \"even\" loc o3
         start -> call {{ assume n >= 0 passed := n }}
         back -> bad {{ assume not ({claim}) }}
         e0 -> e1 {{ m := passed }} e1 -> e3 {{ assume m = 0 result := 1 }}
         e1 -> e2 {{ assume m /= 0 passed := m - 1 }}
         o0 -> o1 {{ m := passed }} o1 -> o3 {{ assume m = 0 result := 0 }}
         o1 -> o2 {{ assume m /= 0 passed := m - 1 }}"
    );
    parse(
        &body,
        &Parts {
            procedures: &[["even", "e0", "e3"], ["odd", "o0", "o3"]],
            calls: &[["call", "even", "back"], ["e2", "odd", "e3"], ["o2", "even", "o3"]],
            locals: &["n", "m"],
        },
    )
}

/// `result := f(n)` where `f` doubles, with what is assumed of `n`; and then the claim.
fn doubling(assumed: &str, claim: &str) -> Task<Cfa> {
    let body = format!(
        "var passed : int var result : int var n : int var m : int
         init loc start limit loc call \"f\" loc back error loc bad
         loc entry loc body limit loc inner \"f\" loc after loc exit
         start -> call {{ {assumed} passed := n }}
         back -> bad {{ assume not ({claim}) }}
         entry -> body {{ m := passed }}
         body -> exit {{ assume m = 0 result := 1 }}
         body -> inner {{ assume m /= 0 passed := m - 1 }}
         after -> exit {{ result := 2 * result }}"
    );
    parse(
        &body,
        &Parts {
            procedures: &[["f", "entry", "exit"]],
            calls: &[["call", "f", "back"], ["inner", "f", "after"]],
            locals: &["n", "m"],
        },
    )
}

#[test]
fn programs_with_few_inputs_have_tables() {
    let verdict = certified(&doubling("assume 0 <= n and n <= 20", "result <= 1048576"));
    assert!(matches!(verdict, Verdict::Safe(Evidence::Given(CfaProof::Contracts(_)))), "{verdict:?}");
    let verdict = certified(&doubling("assume 0 <= n and n <= 3", "result < 8"));
    assert!(matches!(verdict, Verdict::Unknown(_)), "{verdict:?}");
}

#[test]
fn no_contracts_are_looked_for_if_the_only_run_is_a_violation() {
    match certified(&doubling("n := 10", "result /= 1024")) {
        Verdict::Unknown(Reason::Incomplete(why)) => assert_eq!(why, "the only run is a violation"),
        other => panic!("{other:?}"),
    }
    let verdict = certified(&doubling("n := 10", "result = 1024"));
    assert!(matches!(verdict, Verdict::Safe(Evidence::Given(CfaProof::Contracts(_)))), "{verdict:?}");
}

#[test]
fn contracts_are_found() {
    for task in [identity("result = n"), identity("result >= 0"), parity("result = 0 or result = 1")] {
        match certified(&task) {
            Verdict::Safe(Evidence::Given(CfaProof::Contracts(_))) => {}
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_is_wrong_is_not_proved() {
    for task in [identity("result < n"), identity("result /= 2"), parity("result = 1")] {
        let verdict = certified(&task);
        assert!(matches!(verdict, Verdict::Unknown(Reason::Incomplete(_))), "{verdict:?}");
    }
}

#[test]
fn an_automaton_without_procedures_has_no_contracts() {
    let mut task = identity("result = n");
    task.model.procedural = None;
    assert!(matches!(certified(&task), Verdict::Unknown(_)));
}

/// How many variables are shared; the others are local.
const NUM_SHARED: usize = 2;
const NUM_VARS: usize = 4;

/// What a random edge does to Boolean variables.
#[derive(Clone, Copy)]
enum Action {
    Set(usize, bool),
    Copy(usize, usize),
    Test(usize, bool),
    Choose(usize),
}

/// A random automaton: location 0 is where runs start, 1 the error location; each of two procedures has an entry and an exit.
struct RandomProgram {
    num_locations: usize,
    edges: Vec<(usize, usize, Action)>,
    /// Entries and exits.
    procedures: [[usize; 2]; 2],
    /// Location, callee, target.
    calls: Vec<(usize, usize, usize)>,
}

/// Numbers below a bound, one after the other (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

impl RandomProgram {
    /// Three parts of four locations after the error location: `main` and the two procedures, with the first and last of each
    /// as entry and exit, and one call each.
    fn new(seed: u64) -> RandomProgram {
        let mut numbers = Numbers(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let parts = [[0, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11, 12]];
        let mut program = RandomProgram {
            num_locations: 13,
            edges: Vec::new(),
            procedures: [[5, 8], [9, 12]],
            calls: Vec::new(),
        };
        for part in parts {
            // The third location of a part is a call, which goes on at one of the others.
            program.calls.push((part[2], numbers.below(2), part[[1, 3][numbers.below(2)]]));
            for source in [part[0], part[1], part[3]] {
                for _ in 0..1 + numbers.below(2) {
                    let target = if numbers.below(6) == 0 { 1 } else { part[1 + numbers.below(3)] };
                    let (var, value) = (numbers.below(NUM_VARS), numbers.below(2) == 0);
                    let action = match numbers.below(4) {
                        0 => Action::Set(var, value),
                        1 => Action::Copy(var, numbers.below(NUM_VARS)),
                        2 => Action::Choose(var),
                        _ => Action::Test(var, value),
                    };
                    program.edges.push((source, target, action));
                }
            }
        }
        program
    }

    fn task(&self) -> Task<Cfa> {
        let store = Store::new();
        let vars: Vec<VarId> =
            (0..NUM_VARS).map(|var| store.declare(&format!("v{var}"), Sort::Bool)).collect();
        let mut builder = CfaBuilder::new("random");
        vars.iter().for_each(|var| builder.var(*var));
        let locations: Vec<LocId> =
            (0..self.num_locations).map(|at| builder.location(format!("L{at}"), None)).collect();
        builder.initial(locations[0]);
        builder.error(locations[1]);
        self.calls.iter().for_each(|(at, ..)| builder.limit(locations[*at], "call"));
        for (source, target, action) in &self.edges {
            let term = |var: usize| store.var_expr(vars[var]);
            let stmt = match *action {
                Action::Set(var, value) => Stmt::assign(vars[var], store.boolean(value)),
                Action::Copy(var, from) => Stmt::assign(vars[var], term(from)),
                Action::Test(var, true) => Stmt::assume(term(var)),
                Action::Test(var, false) => Stmt::assume(store.not(term(var))),
                Action::Choose(var) => Stmt::havoc(vars[var]),
            };
            builder.edge(locations[*source], locations[*target], stmt, None);
        }
        let cfa = builder.build(&store).unwrap();
        let procedure = |(number, [entry, exit]): (usize, &[usize; 2])| Procedure {
            name: format!("p{number}"),
            entry: locations[*entry],
            exit: locations[*exit],
        };
        let call = |(at, callee, target): &(usize, usize, usize)| {
            let callee = ProcedureId::new(*callee);
            (locations[*at], ProcedureCall { callee, target: locations[*target] })
        };
        let procedural = Procedural {
            procedures: self.procedures.iter().enumerate().map(procedure).collect(),
            calls: self.calls.iter().map(call).collect(),
            locals: vars[NUM_SHARED..].iter().copied().collect(),
            cfa: cfa.clone(),
        };
        let model = Cfa { procedural: Some(Arc::new(procedural)), ..cfa };
        Task { store, model, property: CfaProperty::ErrorLocation }
    }

    /// Whether an activation can arrive at the error location: all states of all activations, by saturation.
    fn is_unsafe(&self) -> bool {
        // The procedure (2 for `main`), the shared variables at its entry, the location and all variables now.
        let mut seen: BTreeSet<(usize, usize, usize, usize)> = BTreeSet::new();
        let mut pending: Vec<_> = (0..1 << NUM_VARS).map(|now| (2, 0, 0, now)).collect();
        let shared = |now: usize| now & ((1 << NUM_SHARED) - 1);
        loop {
            while let Some(state @ (context, entry, at, now)) = pending.pop() {
                if !seen.insert(state) {
                    continue;
                }
                for (_, target, action) in self.edges.iter().filter(|(source, ..)| *source == at) {
                    pending
                        .extend(after(*action, now).into_iter().map(|next| (context, entry, *target, next)));
                }
                for (_, callee, _) in self.calls.iter().filter(|(location, ..)| *location == at) {
                    let locals = (0..1 << (NUM_VARS - NUM_SHARED)).map(|locals| locals << NUM_SHARED);
                    let [start, _] = self.procedures[*callee];
                    pending.extend(locals.map(|local| (*callee, shared(now), start, shared(now) | local)));
                }
            }
            for (context, entry, at, now) in &seen {
                for (_, callee, target) in self.calls.iter().filter(|(location, ..)| location == at) {
                    let [_, exit] = self.procedures[*callee];
                    let ends = seen.iter().filter(|(procedure, before, place, _)| {
                        (*procedure, *before, *place) == (*callee, shared(*now), exit)
                    });
                    let back = ends.map(|end| {
                        (*context, *entry, *target, (now & !((1 << NUM_SHARED) - 1)) | shared(end.3))
                    });
                    pending.extend(back.filter(|state| !seen.contains(state)));
                }
            }
            if pending.is_empty() {
                return seen.iter().any(|(_, _, at, _)| *at == 1);
            }
        }
    }
}

/// The states after an action.
fn after(action: Action, now: usize) -> Vec<usize> {
    let has = |var: usize| now & (1 << var) != 0;
    let set = |var: usize, value: bool| if value { now | (1 << var) } else { now & !(1 << var) };
    match action {
        Action::Set(var, value) => vec![set(var, value)],
        Action::Copy(var, from) => vec![set(var, has(from))],
        Action::Test(var, value) if has(var) == value => vec![now],
        Action::Test(..) => Vec::new(),
        Action::Choose(var) => vec![set(var, false), set(var, true)],
    }
}

/// The number of random programs; more of them if the environment says so.
fn num_programs() -> u64 {
    std::env::var("THETIS_PROCEDURES").ok().and_then(|text| text.parse().ok()).unwrap_or(60)
}

#[test]
fn random_programs_are_safe_iff_brute_force_says_so() {
    let (mut num_safe, mut num_unsafe) = (0, 0);
    for seed in 1..=num_programs() {
        let program = RandomProgram::new(seed);
        let task = program.task();
        match (certified(&task), program.is_unsafe()) {
            (Verdict::Safe(Evidence::Given(CfaProof::Contracts(_))), false) => num_safe += 1,
            (Verdict::Unknown(Reason::Incomplete(_)), true) => num_unsafe += 1,
            (verdict, is_unsafe) => panic!("seed {seed}, unsafe: {is_unsafe}, {verdict:?}"),
        }
    }
    assert!(num_safe >= 5 && num_unsafe >= 5, "{num_safe} safe, {num_unsafe} unsafe");
}

/// What a run of the automaton with copies does, a run of the automaton with procedures does, and the other way round if no
/// call is too deep.
#[test]
fn copies_do_what_procedures_do() {
    for seed in 1..=num_programs() / 4 {
        let program = RandomProgram::new(seed);
        let task = program.task();
        let procedural = task.model.procedural.as_ref().unwrap();
        let model = procedural.copies(&task.store, 2, 200).unwrap().cfa;
        let copies = Task { store: task.store.clone(), model, property: CfaProperty::ErrorLocation };
        let mut with_limits = copies.clone();
        with_limits.model.errors = with_limits.model.forbidden();
        with_limits.model.limits.clear();
        let (finds_error, finds_any) =
            (explore(&copies).least_bound.is_some(), explore(&with_limits).least_bound.is_some());
        let is_unsafe = program.is_unsafe();
        assert!(!finds_error || is_unsafe, "seed {seed}");
        assert!(finds_any || !is_unsafe, "seed {seed}");
    }
}

/// What is followed with a stack to an error location is a violation.
#[test]
fn deep_runs_are_runs() {
    let mut num_found = 0;
    for seed in 1..=num_programs() {
        let program = RandomProgram::new(seed);
        let task = program.task();
        let procedural = task.model.procedural.as_ref().unwrap();
        let mut numbers = Numbers(seed);
        for _ in 0..20 {
            let inputs = (0..12).map(|_| Value::Bool(numbers.below(2) == 0)).collect();
            if procedural.end(&task.store, &DeepRun { inputs, max_steps: 500 }) == DeepEnd::Error {
                assert!(program.is_unsafe(), "seed {seed}");
                num_found += 1;
                break;
            }
        }
    }
    assert!(num_found >= 5, "{num_found} found");
}
