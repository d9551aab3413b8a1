//! Witness circuits are checked as the competition on hardware model checking does, but by trying all values: with a reader of its own
//! and without terms or solvers.

use thetis_expr::{ExprId, Store};
use thetis_model::sts::{Paths, StsProof};

use super::read;
use thetis_circuit::aiger::{CertificateError, witness_circuit};

/// An ASCII file as numbers.
struct Plain {
    inputs: Vec<usize>,
    latches: Vec<[usize; 3]>,
    bad: usize,
    constraints: Vec<usize>,
    gates: Vec<[usize; 3]>,
}

impl Plain {
    fn new(text: &str) -> Plain {
        let body = text.split("\nc\n").next().unwrap();
        let mut lines = body
            .lines()
            .map(|line| line.split(' ').filter_map(|word| word.parse().ok()).collect::<Vec<usize>>());
        let header = lines.next().unwrap();
        let mut take = |count: usize| (0..count).map(|_| lines.next().unwrap()).collect::<Vec<_>>();
        let inputs = take(header[1]).iter().map(|line| line[0]).collect();
        let latches =
            take(header[2]).iter().map(|line| [line[0], line[1], *line.get(2).unwrap_or(&0)]).collect();
        let bad = take(header[3] + header.get(5).unwrap_or(&0))[0][0];
        let constraints = take(*header.get(6).unwrap_or(&0)).iter().map(|line| line[0]).collect();
        let gates = take(header[4]).iter().map(|line| [line[0], line[1], line[2]]).collect();
        Plain { inputs, latches, bad, constraints, gates }
    }

    fn num_bits(&self) -> usize {
        self.inputs.len() + self.latches.len()
    }

    /// What happens in a step whose inputs and latches are the bits of `values`.
    fn step(&self, values: usize) -> Step {
        let mut truth = vec![false; 2 * (self.num_bits() + self.gates.len() + 1)];
        let set = |truth: &mut Vec<bool>, literal: usize, value: bool| {
            (truth[literal], truth[literal ^ 1]) = (value, !value);
        };
        set(&mut truth, 0, false);
        let variables = self.inputs.iter().copied().chain(self.latches.iter().map(|latch| latch[0]));
        variables.enumerate().for_each(|(bit, literal)| set(&mut truth, literal, values >> bit & 1 == 1));
        for [gate, left, right] in &self.gates {
            let value = truth[*left] && truth[*right];
            set(&mut truth, *gate, value);
        }
        let is_reset = |[latch, _, reset]: &[usize; 3]| latch == reset || truth[*latch] == (*reset == 1);
        Step {
            resets: self.latches.iter().map(is_reset).collect(),
            next: self.latches.iter().map(|latch| truth[latch[1]]).collect(),
            is_allowed: self.constraints.iter().all(|constraint| truth[*constraint]),
            is_good: !truth[self.bad],
        }
    }

    /// The values of a step with these latches and inputs.
    fn values(&self, latches: &[bool], inputs: usize) -> usize {
        let bits = latches.iter().enumerate().map(|(number, value)| usize::from(*value) << number);
        inputs | bits.sum::<usize>() << self.inputs.len()
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        0..1 << self.num_bits()
    }
}

struct Step {
    resets: Vec<bool>,
    next: Vec<bool>,
    is_allowed: bool,
    is_good: bool,
}

/// The first check of the competition that fails.
fn check(model: &str, witness: &str) -> Result<(), &'static str> {
    let (model, witness) = (Plain::new(model), Plain::new(witness));
    let (num_inputs, num_latches) = (model.inputs.len(), model.latches.len());
    assert_eq!(num_inputs, witness.inputs.len());
    let shared = |values: usize| values & ((1 << model.num_bits()) - 1);
    for values in witness.all() {
        let (of_model, of_witness) = (model.step(shared(values)), witness.step(values));
        let is_reset = |step: &Step| step.resets[..num_latches].iter().all(|reset| *reset);
        if is_reset(&of_model) && of_model.is_allowed && !(is_reset(&of_witness) && of_witness.is_allowed) {
            return Err("reset");
        }
        if of_model.next != of_witness.next[..num_latches] || of_model.is_allowed != of_witness.is_allowed {
            return Err("transition");
        }
        if of_model.is_allowed && of_witness.is_allowed && of_witness.is_good && !of_model.is_good {
            return Err("property");
        }
        if of_witness.resets.iter().all(|reset| *reset) && of_witness.is_allowed && !of_witness.is_good {
            return Err("base");
        }
        if of_witness.is_good && of_witness.is_allowed {
            for inputs in 0..1 << num_inputs {
                let after = witness.step(witness.values(&of_witness.next, inputs));
                if after.is_allowed && !after.is_good {
                    return Err("step");
                }
            }
        }
    }
    Ok(())
}

/// A circuit with one input, three latches, four gates and perhaps a constraint.
fn random_circuit(rng: &mut fastrand::Rng) -> String {
    let mut literal = |bound: usize| rng.usize(0..2 * bound);
    let gates: Vec<String> = (0..4)
        .map(|gate| format!("{} {} {}\n", 10 + 2 * gate, literal(5 + gate), literal(5 + gate)))
        .collect();
    let latches: Vec<String> = (0..3)
        .map(|latch| {
            let lit = 4 + 2 * latch;
            let next = literal(9);
            format!("{lit} {next} {}\n", [0, 1, lit][literal(3) / 2])
        })
        .collect();
    let bad = 10 + literal(4);
    let constraint = literal(9);
    let num_constraints = literal(1);
    let constraint = if num_constraints == 0 { String::new() } else { format!("{constraint}\n") };
    format!("aag 8 1 3 0 4 1 {num_constraints}\n2\n{}{bad}\n{constraint}{}", latches.concat(), gates.concat())
}

/// The states that runs have, as bits.
fn reachable(model: &Plain) -> Vec<usize> {
    let latches = |values: usize| values >> model.inputs.len();
    let allowed = |values: &usize| model.step(*values).is_allowed;
    let is_initial = |values: &usize| model.step(*values).resets.iter().all(|reset| *reset);
    let mut known: Vec<usize> = model.all().filter(allowed).filter(is_initial).map(latches).collect();
    loop {
        let from_known = model.all().filter(allowed).filter(|values| known.contains(&latches(*values)));
        let steps = from_known.flat_map(|values| {
            (0..1 << model.inputs.len()).map(move |inputs| model.values(&model.step(values).next, inputs))
        });
        let new: Vec<usize> =
            steps.filter(allowed).map(latches).filter(|state| !known.contains(state)).collect();
        if new.is_empty() {
            return known;
        }
        known.extend(new);
    }
}

fn is_safe(model: &Plain) -> bool {
    let reachable = reachable(model);
    model.all().all(|values| {
        let step = model.step(values);
        step.is_good || !step.is_allowed || !reachable.contains(&(values >> model.inputs.len()))
    })
}

/// The formula of a set of states.
fn formula(store: &Store, vars: &[ExprId], states: &[usize]) -> ExprId {
    store.or_all(states.iter().map(|state| {
        let literals = vars.iter().enumerate();
        let literal =
            |(bit, var): (usize, &ExprId)| if state >> bit & 1 == 1 { *var } else { store.not(*var) };
        store.and_all(literals.map(literal).collect::<Vec<_>>())
    }))
}

#[test]
fn invariants_become_witness_circuits() {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut num_safe = 0;
    for _ in 0..300 {
        let text = random_circuit(&mut rng);
        let circuit = read(text.as_bytes()).unwrap();
        let model = Plain::new(&text);
        let store = &circuit.task.store;
        let vars: Vec<ExprId> = circuit.task.model.vars.iter().map(|var| store.var_expr(*var)).collect();
        let invariant = formula(store, &vars, &reachable(&model));
        let witness = witness_circuit(&circuit.task, "b0", &StsProof::Invariant(invariant)).unwrap();
        assert_eq!(check(&text, &witness).is_ok(), is_safe(&model), "{text}{witness}");
        assert!(witness.ends_with("\nc\nWITNESS b0\n") && read(witness.as_bytes()).is_ok());
        num_safe += usize::from(is_safe(&model));
    }
    assert!((30..270).contains(&num_safe), "{num_safe}");
}

#[test]
fn inductions_become_witness_circuits() {
    let mut rng = fastrand::Rng::with_seed(4);
    let mut num_inductive = [0; 3];
    for _ in 0..150 {
        let text = random_circuit(&mut rng);
        let circuit = read(text.as_bytes()).unwrap();
        let lemma = circuit.task.store.tru();
        for k in 1..=2 {
            let proof = StsProof::KInductive { k, lemma, paths: Paths::All };
            let witness = witness_circuit(&circuit.task, "b0", &proof).unwrap();
            // Wrong proofs become circuits that are wrong; right ones for one step are right for two.
            if check(&text, &witness).is_ok() {
                assert!(is_safe(&Plain::new(&text)), "{text}{witness}");
                num_inductive[k as usize] += 1;
            }
        }
    }
    assert!(num_inductive[1] > 10 && num_inductive[2] > num_inductive[1], "{num_inductive:?}");
}

/// A latch that is set after two steps at the earliest and never: needs two frames.
const TWO_STEPS: &str = "aag 3 0 3 1 0\n2 4\n4 6\n6 6\n2\n";

#[test]
fn a_witness_needs_as_many_frames_as_the_induction() {
    let circuit = read(TWO_STEPS.as_bytes()).unwrap();
    let lemma = circuit.task.store.tru();
    let judge = |k| {
        let proof = StsProof::KInductive { k, lemma, paths: Paths::All };
        check(TWO_STEPS, &witness_circuit(&circuit.task, "o0", &proof).unwrap())
    };
    assert_eq!([judge(1), judge(2), judge(3)], [Err("step"), Err("step"), Ok(())]);
    let simple = StsProof::KInductive { k: 3, lemma, paths: Paths::Simple };
    assert_eq!(witness_circuit(&circuit.task, "o0", &simple), Err(CertificateError::SimplePaths));
}
