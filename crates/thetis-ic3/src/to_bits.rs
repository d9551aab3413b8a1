//! From integers in small ranges to bits, as a pass between transition systems.
//!
//! A system with integers that its constraint keeps in small ranges becomes one with Boolean variables only, gate by gate
//! from the netlist that IC3 works on, so that engines for terms can use a SAT solver too. Boolean variables and the inputs
//! keep their names. Systems that are Boolean already, or that have no netlist, stay as they are.
//!
//! To lift an invariant, each bit is replaced by the values of its variable for which the bit is set. It is stated for
//! values in the ranges only: a step may lead out of them, but no run goes on from there.

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Sort, Store, Substitution, Value, VarId};
use thetis_model::sts::{Sts, StsProof, StsStep, StsTrace};
use thetis_model::{Evidence, Lift, Pass, Passed, Task};

use crate::groups::Groups;
use crate::lower::{Lowered, ValueKinds};
use crate::netlist::{Edge, Graph, Netlist, Node};

/// The pass. See the [module](self).
pub struct ToBits;

impl Pass<Sts> for ToBits {
    type Target = Sts;

    fn name(&self) -> &'static str {
        "to-bits"
    }

    fn apply(&self, task: Task<Sts>, run: &Run) -> Result<Passed<Sts, Sts>, Stop> {
        run.checkpoint()?;
        let is_boolean = task.model.vars.iter().all(|var| task.store.var_sort(*var) == Sort::Bool);
        if is_boolean {
            return Ok(Passed { task, lift: Box::new(Unchanged) });
        }
        let Ok(lowered) = Lowered::new(&task, ValueKinds::Small) else {
            return Ok(Passed { task, lift: Box::new(Unchanged) });
        };
        let Lowered { netlist, groups, .. } = lowered;
        let bits = groups.bits(&task.store);
        let model = bit_system(&task.store, &task.model, &netlist, &bits);
        let task = Task { store: task.store, model, property: task.property };
        Ok(Passed { task, lift: Box::new(FromBits { groups, bits }) })
    }
}

/// The system of a netlist, with these variables for its latches.
fn bit_system(store: &Store, sts: &Sts, netlist: &Netlist, bits: &[VarId]) -> Sts {
    let mut inputs = sts.inputs.clone();
    let num_new = netlist.graph.num_inputs() - inputs.len();
    inputs.extend((0..num_new).map(|_| store.declare_fresh("new", Sort::Bool)));
    let terms = terms(store, &netlist.graph, bits, &inputs);
    let term = |edge: Edge| {
        let term = terms[edge.node()];
        if edge.is_negated() { store.not(term) } else { term }
    };
    let fixed = bits.iter().zip(&netlist.initial).filter_map(|(bit, value)| {
        let bit = store.var_expr(*bit);
        value.map(|value| if value { bit } else { store.not(bit) })
    });
    Sts {
        name: sts.name.clone(),
        vars: bits.to_vec(),
        inputs,
        init: store.and(store.and_all(fixed), term(netlist.initial_rest)),
        next: bits.iter().copied().zip(netlist.next.iter().map(|edge| term(*edge))).collect(),
        trans: term(netlist.transition),
        constraint: term(netlist.constraint),
        bad: term(netlist.bad),
    }
}

/// The term of each node.
fn terms(store: &Store, graph: &Graph, bits: &[VarId], inputs: &[VarId]) -> Vec<ExprId> {
    let mut terms: Vec<ExprId> = Vec::with_capacity(graph.nodes().len());
    for node in graph.nodes() {
        let term = |edge: Edge| {
            let term = terms[edge.node()];
            if edge.is_negated() { store.not(term) } else { term }
        };
        terms.push(match node {
            Node::False => store.fals(),
            Node::Input(number) => store.var_expr(inputs[*number as usize]),
            Node::Latch(number) => store.var_expr(bits[*number as usize]),
            Node::And(left, right) => store.and(term(*left), term(*right)),
        });
    }
    terms
}

struct FromBits {
    groups: Groups,
    bits: Vec<VarId>,
}

impl Lift<Sts, Sts> for FromBits {
    fn trace(&self, trace: StsTrace) -> StsTrace {
        let truths =
            |values: &[Value]| values.iter().map(|value| *value == Value::Bool(true)).collect::<Vec<_>>();
        let step = |step: &StsStep| self.groups.step(&truths(&step.state), &truths(&step.inputs));
        StsTrace { steps: trace.steps.iter().map(step).collect() }
    }

    fn proof(&self, task: &Task<Sts>, inner: &Store, proof: StsProof) -> Evidence<StsProof> {
        let StsProof::Invariant(invariant) = proof else {
            return Evidence::Missing("an induction over bits is not one over the variables");
        };
        let mut meaning = Substitution::new();
        for (bit, is_set) in self.bits.iter().zip(self.groups.meanings(inner)) {
            meaning.insert(inner, *bit, is_set);
        }
        let invariant = inner.implies(self.groups.in_range(inner), meaning.apply(inner, invariant));
        Evidence::Given(StsProof::Invariant(task.store.import(inner, invariant)))
    }
}

/// The way back if nothing was changed.
struct Unchanged;

impl Lift<Sts, Sts> for Unchanged {
    fn trace(&self, trace: StsTrace) -> StsTrace {
        trace
    }

    fn proof(&self, task: &Task<Sts>, inner: &Store, proof: StsProof) -> Evidence<StsProof> {
        let home = |formula| task.store.import(inner, formula);
        Evidence::Given(match proof {
            StsProof::Invariant(formula) => StsProof::Invariant(home(formula)),
            StsProof::KInductive { k, lemma, paths } => StsProof::KInductive { k, lemma: home(lemma), paths },
        })
    }
}
