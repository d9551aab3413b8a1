//! Sweeping: latches that are always equal, or always opposite, become one.
//!
//! # Problem and method Circuits are full of latches that carry the same value: registers that were duplicated for
//! timing, two halves of a design that are compared with each other, bits that never leave their initial value. IC3
//! would have to learn each such equality as two clauses, and would need all of them at once before any of them is
//! inductive. Here they are found together, as the greatest set of equalities that is inductive by itself (van Eijk
//! 1998).
//!
//! **Guess.** Latches with an initial value are simulated from there, 64 runs at a time, with random inputs. Those that
//! agree in all steps are a class; so are those that never change. A latch may agree in the opposite phase. By their
//! initial values the members of a class agree in all initial states.
//!
//! **Prove.** All classes are assumed: the netlist is built anew with one latch for each class. Then every member
//! should have the same next value as the first of its class. Structural hashing decides most pairs, a SAT solver the
//! others. A counterexample splits all classes that it distinguishes. Everything else is proved again in the next round
//! with the weaker assumption, until a round passes without a split.
//!
//! The equalities are inductive, so they join the invariant that is found for the smaller netlist. Runs of the smaller
//! netlist are runs of the given one, because merged latches keep their next values.

use rustc_hash::FxHashMap;
use thetis_base::{Run, Share, Stop};
use thetis_sat::BatSat;

use crate::cube::{Cube, LatchLit};
use crate::frame::{FrameSolver, Role};
use crate::netlist::{Edge, Graph, Netlist, Node};

/// How many steps are simulated, 64 runs at a time.
const SIMULATED_STEPS: usize = 64;
/// The share of the time that sweeping may take. Equalities that are not proved by then are not used.
const SHARE: u32 = 15;

/// A netlist without the latches that are copies of others.
pub(crate) struct Swept {
    pub(crate) netlist: Netlist,
    copies: Vec<CopiedLatch>,
}

/// A latch that equals another edge.
struct CopiedLatch {
    latch: usize,
    original: Original,
    is_negated: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Original {
    /// The constant false.
    False,
    Latch(usize),
}

impl Swept {
    /// Merges the latches of `netlist` that are always equal, as far as that is proved in time.
    pub(crate) fn new(netlist: &Netlist, run: &Run) -> Result<Swept, Stop> {
        let mut classes = Classes::by_simulation(netlist);
        match classes.prove(netlist, &run.slice(Share::percent(SHARE))) {
            Ok(()) => {}
            Err(Stop::OutOfTime) => {
                run.checkpoint()?;
                classes = Classes::trivial(netlist);
            }
            Err(stop) => return Err(stop),
        }
        Ok(Swept { netlist: classes.merged(netlist), copies: classes.copies(netlist) })
    }

    pub(crate) fn num_copies(&self) -> usize {
        self.copies.len()
    }

    /// Unreachable cubes: those in which two latches that are always equal differ.
    pub(crate) fn cubes(&self) -> Vec<Cube> {
        let mut cubes = Vec::new();
        for CopiedLatch { latch, original, is_negated } in &self.copies {
            match original {
                Original::False => cubes.push(Cube::new(vec![LatchLit::new(*latch, !is_negated)])),
                Original::Latch(original) => cubes.extend([true, false].map(|value| {
                    Cube::new(vec![
                        LatchLit::new(*latch, value),
                        LatchLit::new(*original, value == *is_negated),
                    ])
                })),
            }
        }
        cubes
    }
}

/// Which latches are taken to be equal. The constant false counts as one more latch after all others.
struct Classes {
    class: Vec<u32>,
    /// Whether each latch is the negation of the common value of its class.
    is_negated: Vec<bool>,
}

impl Classes {
    /// Every latch for itself.
    fn trivial(netlist: &Netlist) -> Classes {
        let num = netlist.latches.len() + 1;
        Classes { class: (0..num as u32).collect(), is_negated: vec![false; num] }
    }

    /// Latches that agree in simulated runs.
    fn by_simulation(netlist: &Netlist) -> Classes {
        let mut classes = Classes::trivial(netlist);
        for (is_negated, initial) in classes.is_negated.iter_mut().zip(&netlist.initial) {
            *is_negated = initial.unwrap_or(false);
        }
        // Latches without an initial value stay alone.
        for (latch, initial) in netlist.initial.iter().enumerate() {
            classes.class[latch] = if initial.is_some() { 0 } else { latch as u32 + 1 };
        }
        classes.class[netlist.latches.len()] = 0;
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let mut state: Vec<u64> =
            netlist.initial.iter().map(|value| value.map_or_else(|| random.next(), words)).collect();
        for _ in 0..SIMULATED_STEPS {
            state = simulated(netlist, &state, &mut random);
            classes.split(&state, 0);
        }
        classes
    }

    /// Splits classes whose members differ; the constant has the value `constant`.
    fn split(&mut self, values: &[u64], constant: u64) {
        let mut numbers: FxHashMap<(u32, u64), u32> = FxHashMap::default();
        let all = values.iter().chain([&constant]);
        for ((class, is_negated), value) in self.class.iter_mut().zip(&self.is_negated).zip(all) {
            let next = numbers.len() as u32;
            *class = *numbers.entry((*class, value ^ words(*is_negated))).or_insert(next);
        }
    }

    /// Splits classes until the equalities are inductive.
    fn prove(&mut self, netlist: &Netlist, run: &Run) -> Result<(), Stop> {
        let origin = BatSat::new(run);
        loop {
            let copies = self.copies(netlist);
            if copies.is_empty() || !self.refute(netlist, &copies, &origin, run)? {
                return Ok(());
            }
        }
    }

    /// Looks for steps after which copies differ from their originals, and splits their classes.
    fn refute(
        &mut self,
        netlist: &Netlist,
        copies: &[CopiedLatch],
        origin: &BatSat,
        run: &Run,
    ) -> Result<bool, Stop> {
        let mut merged = self.merged(netlist);
        let differences: Vec<Edge> = copies.iter().map(|copy| difference(&mut merged, copy)).collect();
        let mut solver = FrameSolver::new(&merged, Role::Later, origin);
        let mut is_refuted = false;
        for (copy, difference) in copies.iter().zip(differences) {
            run.checkpoint()?;
            if difference == Edge::FALSE || !self.are_together(copy) {
                continue;
            }
            if solver.meets(&merged, difference, run)? {
                let values = next_values(&merged, &solver);
                self.split(&values.into_iter().map(words).collect::<Vec<_>>(), 0);
                is_refuted = true;
            }
        }
        Ok(is_refuted)
    }

    fn are_together(&self, copy: &CopiedLatch) -> bool {
        let original = match copy.original {
            Original::False => self.class.len() - 1,
            Original::Latch(latch) => latch,
        };
        self.class[copy.latch] == self.class[original]
    }

    /// The latches that are not the first of their class. The constant is the first of its class, otherwise the latch whose
    /// node comes first.
    fn copies(&self, netlist: &Netlist) -> Vec<CopiedLatch> {
        let constant = netlist.latches.len();
        let mut order: Vec<usize> = (0..constant).collect();
        order.sort_by_key(|latch| netlist.latches[*latch].node());
        let mut firsts: FxHashMap<u32, usize> = FxHashMap::default();
        firsts.insert(self.class[constant], constant);
        let mut copies = Vec::new();
        for latch in order {
            let first = *firsts.entry(self.class[latch]).or_insert(latch);
            if first != latch {
                let original = if first == constant { Original::False } else { Original::Latch(first) };
                let is_negated = self.is_negated[latch] != self.is_negated[first];
                copies.push(CopiedLatch { latch, original, is_negated });
            }
        }
        copies
    }

    /// The netlist in which copies are replaced by their originals. Latches keep their numbers.
    fn merged(&self, netlist: &Netlist) -> Netlist {
        let mut originals: FxHashMap<usize, (Original, bool)> = FxHashMap::default();
        for copy in self.copies(netlist) {
            originals.insert(copy.latch, (copy.original, copy.is_negated));
        }
        let mut graph = Graph::new();
        let mut latches = vec![Edge::FALSE; netlist.latches.len()];
        let mut edges: Vec<Edge> = Vec::with_capacity(netlist.graph.nodes().len());
        for node in netlist.graph.nodes() {
            let edge = |edge: Edge, edges: &[Edge]| edges[edge.node()].negated_if(edge.is_negated());
            edges.push(match *node {
                Node::False => Edge::FALSE,
                Node::Input(_) => graph.input(),
                Node::Latch(number) => {
                    let latch = number as usize;
                    latches[latch] = match originals.get(&latch) {
                        None => graph.latch_with_number(number),
                        Some((Original::False, is_negated)) => Edge::FALSE.negated_if(*is_negated),
                        Some((Original::Latch(first), is_negated)) => latches[*first].negated_if(*is_negated),
                    };
                    latches[latch]
                }
                Node::And(left, right) => graph.and(edge(left, &edges), edge(right, &edges)),
            });
        }
        let edge = |edge: &Edge| edges[edge.node()].negated_if(edge.is_negated());
        Netlist {
            latches: netlist.latches.iter().map(edge).collect(),
            next: netlist.next.iter().map(edge).collect(),
            initial: netlist.initial.clone(),
            initial_rest: edge(&netlist.initial_rest),
            constraint: edge(&netlist.constraint),
            transition: edge(&netlist.transition),
            bad: edge(&netlist.bad),
            graph,
        }
    }
}

/// An edge that holds in the steps after which a copy differs from its original.
fn difference(merged: &mut Netlist, copy: &CopiedLatch) -> Edge {
    let original = match copy.original {
        Original::False => Edge::FALSE,
        Original::Latch(latch) => merged.next[latch],
    };
    let copied = merged.next[copy.latch].negated_if(copy.is_negated);
    let differs = merged.graph.xor(original, copied);
    merged.graph.and(differs, merged.transition)
}

/// The next values of all latches in the model of a solver.
fn next_values(netlist: &Netlist, solver: &FrameSolver) -> Vec<bool> {
    let mut latches = vec![false; netlist.latches.len()];
    let mut inputs = vec![false; netlist.graph.num_inputs()];
    for (number, node) in netlist.graph.nodes().iter().enumerate() {
        let value = || solver.value(number).unwrap_or(false);
        match node {
            Node::Input(input) => inputs[*input as usize] = value(),
            Node::Latch(latch) => latches[*latch as usize] = value(),
            Node::False | Node::And(..) => {}
        }
    }
    netlist.step(&latches, &inputs)
}

/// One value in 64 runs.
fn words(value: bool) -> u64 {
    if value { u64::MAX } else { 0 }
}

/// The next state of 64 runs with random inputs.
fn simulated(netlist: &Netlist, state: &[u64], random: &mut Random) -> Vec<u64> {
    let value = |edge: Edge, values: &[u64]| values[edge.node()] ^ words(edge.is_negated());
    let mut values: Vec<u64> = Vec::with_capacity(netlist.graph.nodes().len());
    for node in netlist.graph.nodes() {
        let word = match *node {
            Node::False => 0,
            Node::Input(_) => random.next(),
            Node::Latch(number) => state[number as usize],
            Node::And(left, right) => value(left, &values) & value(right, &values),
        };
        values.push(word);
    }
    netlist.next.iter().map(|edge| value(*edge, &values)).collect()
}

/// Marsaglia's generator: the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Latches that follow an input: one as it is, one negated, one a step later; one is never set, one only once.
    fn followers() -> Netlist {
        let mut graph = Graph::new();
        let latches: Vec<Edge> = (0..6).map(|_| graph.latch()).collect();
        let input = graph.input();
        let stuck = graph.and(latches[4], input);
        Netlist {
            next: vec![input, !input, input, latches[0], stuck, Edge::TRUE],
            initial: vec![Some(false), Some(true), Some(false), Some(false), Some(false), Some(false)],
            initial_rest: Edge::TRUE,
            constraint: Edge::TRUE,
            transition: Edge::TRUE,
            bad: Edge::FALSE,
            latches,
            graph,
        }
    }

    #[test]
    fn copies_are_merged() {
        let swept = Swept::new(&followers(), &Run::unlimited()).expect("an unlimited run should end");
        assert_eq!(swept.num_copies(), 3);
        let merged = |latch: usize| swept.netlist.latches[latch];
        assert_eq!(merged(1), !merged(0));
        assert_eq!(merged(2), merged(0));
        assert_ne!(merged(3).node(), merged(0).node());
        assert_eq!(merged(4), Edge::FALSE);
        assert_ne!(merged(5), Edge::FALSE);
        let cube =
            |lits: &[(usize, bool)]| Cube::new(lits.iter().map(|lit| LatchLit::new(lit.0, lit.1)).collect());
        let cubes = swept.cubes();
        assert_eq!(cubes.len(), 5);
        for expected in [cube(&[(0, true), (1, true)]), cube(&[(0, true), (2, false)]), cube(&[(4, true)])] {
            assert!(cubes.contains(&expected), "{expected:?} is missing in {cubes:?}");
        }
    }

    #[test]
    fn an_equality_that_is_not_inductive_is_not_used() {
        // Two counters with the same start, of which one stops at a value that random runs do not reach.
        let mut graph = Graph::new();
        let latches: Vec<Edge> = (0..40).map(|_| graph.latch()).collect();
        let inputs: Vec<Edge> = (0..20).map(|_| graph.input()).collect();
        let rare = graph.and_all(inputs.clone());
        let mut next: Vec<Edge> = inputs.clone();
        next.extend(inputs.iter().map(|input| graph.and(*input, !rare)));
        let netlist = Netlist {
            next,
            initial: vec![Some(false); 40],
            initial_rest: Edge::TRUE,
            constraint: Edge::TRUE,
            transition: Edge::TRUE,
            bad: Edge::FALSE,
            latches,
            graph,
        };
        let swept = Swept::new(&netlist, &Run::unlimited()).expect("an unlimited run should end");
        assert_eq!(swept.num_copies(), 0);
    }
}
