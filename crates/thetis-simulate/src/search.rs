//! The search: from which states, with which inputs.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaStep, CfaTrace, EdgeId, LocId, Rounds, live_at_start};

use crate::engine::SimulateConfig;
use crate::frontier::{Frontier, Merit, Pending};
use crate::inputs::Inputs;
use crate::leaps::{Leaps, RoundInputs, Taken};
use crate::machine::{Chooser, Halt, Machine, Move, Program, Values, Word, hash_of};

/// How many edges a machine takes on its own before others have their turn.
const FAR: usize = 5_000;
/// How many initial values are tried.
const NUM_STARTS: usize = 8;
/// How often an edge is tried if the first choice on it is not an input.
const NUM_TRIES: usize = 4;

/// The state of a search.
pub(crate) struct RunSearch<'p> {
    program: &'p Program<'p>,
    inputs: &'p Inputs,
    config: &'p SimulateConfig,
    /// Whether the initial value of each variable can make a difference.
    is_open_at_start: Vec<bool>,
    machine: Machine<'p>,
    random: fastrand::Rng,
    frontier: Frontier,
    nodes: Vec<Node>,
    /// The hashes of the states that were seen. A collision only means that a state is not explored.
    seen: FxHashSet<u64>,
    is_covered: IndexVec<EdgeId, bool>,
    leaps: Leaps<'p>,
    pub(crate) num_leaps: u64,
    /// The edges that the machine has taken on its own since it was last started.
    alone: Vec<EdgeId>,
    /// How many edges were taken in total, and how many before the current state was loaded.
    pub(crate) num_steps: u64,
    num_before: u64,
}

/// A state in the tree of runs: the choice that led to it, after which the machine proceeded on its own.
struct Node {
    origin: Origin,
    /// The number of edges from the start.
    length: u64,
}

enum Origin {
    /// The state with these values at the initial location.
    Start(Values),
    /// What was chosen at a node, if anything had to be.
    Node(u32, Option<Move>),
    /// Rounds that were taken after a node.
    Leap(u32, Box<Taken>),
}

impl<'p> RunSearch<'p> {
    pub(crate) fn new(
        task: &Task<Cfa>,
        program: &'p Program<'p>,
        inputs: &'p Inputs,
        config: &'p SimulateConfig,
    ) -> RunSearch<'p> {
        RunSearch {
            program,
            inputs,
            config,
            is_open_at_start: Vec::new(),
            machine: Machine::new(program),
            random: fastrand::Rng::with_seed(config.seed),
            frontier: Frontier::new(config.max_states),
            nodes: Vec::new(),
            seen: FxHashSet::default(),
            is_covered: task.model.edges.iter().map(|_| false).collect(),
            leaps: Leaps::new(program, RoundInputs::Open),
            num_leaps: 0,
            alone: Vec::new(),
            num_steps: 0,
            num_before: 0,
        }
    }

    /// How many different states were seen where something had to be chosen.
    pub(crate) fn num_states(&self) -> usize {
        self.seen.len()
    }

    /// How many edges have been taken at least once.
    pub(crate) fn num_covered(&self) -> usize {
        self.is_covered.iter().filter(|is_covered| **is_covered).count()
    }

    /// Looks for a run to an error location; `None` if there is nothing left to try.
    pub(crate) fn run(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Option<CfaTrace>, Stop> {
        let open = live_at_start(task, run)?;
        self.is_open_at_start = task.model.vars.iter().map(|var| open.contains(var)).collect();
        for number in 0..NUM_STARTS {
            let start = self.start(number);
            if self.seen.insert(hash_of(&start)) {
                self.nodes.push(Node { origin: Origin::Start(start.clone()), length: 0 });
                let node = (self.nodes.len() - 1) as u32;
                let pending = Pending { location: self.program.initial(), values: start, node };
                self.frontier.push(pending, Merit::None, &mut self.random);
            }
        }
        while let Some(pending) = self.frontier.pop(&mut self.random) {
            run.checkpoint()?;
            if let Some(found) = self.expand(pending) {
                return Ok(Some(self.trace(task, found)));
            }
            if self.nodes.len() > self.config.max_nodes || self.num_steps > self.config.max_steps {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Initial values: first the first candidates, then random values for variables that matter.
    fn start(&mut self, number: usize) -> Values {
        let store = self.program.store();
        let value = |variable| match number {
            0 => self.inputs.candidate(variable, 0),
            _ if !self.is_open_at_start[variable] => self.inputs.candidate(variable, 0),
            _ => self.inputs.any(store, variable, &mut self.random),
        };
        (0..self.program.num_variables()).map(value).collect()
    }

    /// Continues from a state with all choices that are worth trying. Returns the node at an error location, if
    /// one is reached.
    fn expand(&mut self, Pending { location, values, node }: Pending) -> Option<u32> {
        self.load(values);
        let halt = self.go_on(location);
        if self.num_steps > self.num_before || !matches!(halt.0, Halt::Choice(_)) {
            return self.arrive(node, None, halt);
        }
        // The machine has not moved.
        let values = self.machine.values().to_vec();
        for edge in self.program.outgoing(location) {
            for number in 0..self.num_tries(*edge) {
                self.load(values.iter().cloned());
                let mut sampler = Sampler {
                    store: self.program.store(),
                    inputs: self.inputs,
                    random: &mut self.random,
                    first: Some(number),
                };
                let Some(taken) = self.machine.take(*edge, &mut sampler) else { continue };
                self.num_steps += 1;
                let is_novel = !std::mem::replace(&mut self.is_covered[*edge], true);
                let (halt, is_more_novel) = self.go_on(self.program.target(*edge));
                let found = self.arrive(node, Some(taken), (halt, is_novel || is_more_novel));
                if found.is_some() {
                    return found;
                }
            }
        }
        None
    }

    fn load(&mut self, values: impl IntoIterator<Item = Word>) {
        self.machine.load(values);
        self.num_before = self.num_steps;
    }

    fn num_tries(&self, edge: EdgeId) -> usize {
        match self.program.first_input(edge) {
            // One more: none of the candidates.
            Some(variable) => self.inputs.num_candidates(variable) + 1,
            None if self.program.is_input(edge) => NUM_TRIES,
            None => 1,
        }
    }

    /// Where the machine gets on its own, and whether it took an edge for the first time.
    fn go_on(&mut self, location: LocId) -> (Halt, bool) {
        let mut is_novel = false;
        let (is_covered, num_steps) = (&mut self.is_covered, &mut self.num_steps);
        let alone = &mut self.alone;
        alone.clear();
        let halt = self.machine.go_on(location, FAR, |edge| {
            alone.push(edge);
            *num_steps += 1;
            is_novel |= !std::mem::replace(&mut is_covered[edge], true);
        });
        (halt, is_novel)
    }

    /// Records where the machine is now. Returns its node, if that is an error location.
    fn arrive(&mut self, parent: u32, taken: Option<Move>, (halt, is_novel): (Halt, bool)) -> Option<u32> {
        let location = match halt {
            Halt::Stuck => return None,
            Halt::Choice(location) | Halt::Far(location) => Some(location),
            Halt::Error => None,
        };
        let length = self.nodes[parent as usize].length + (self.num_steps - self.num_before);
        let node = self.nodes.len() as u32;
        let Some(location) = location else {
            self.nodes.push(Node { origin: Origin::Node(parent, taken), length });
            return Some(node);
        };
        let taken_at_once = match halt {
            Halt::Far(_) => self.leaps.after(&self.alone, self.machine.values()),
            _ => None,
        };
        if let Some(rounds) = taken_at_once {
            self.nodes.push(Node { origin: Origin::Node(parent, taken), length });
            return self.leap(node, location, rounds);
        }
        let values: Values = self.machine.values().into();
        if length <= self.config.max_length && self.seen.insert(hash_of(&(location, &values))) {
            self.nodes.push(Node { origin: Origin::Node(parent, taken), length });
            let merit = match halt {
                Halt::Far(_) => Merit::OnTheWay(length),
                _ if is_novel => Merit::Novel,
                _ => Merit::None,
            };
            self.frontier.push(Pending { location, values, node }, merit, &mut self.random);
        }
        None
    }

    /// Takes rounds after a node at once; there is no error location in them.
    fn leap(&mut self, parent: u32, location: LocId, rounds: Taken) -> Option<u32> {
        let mut values: Values = self.machine.values().into();
        rounds.values.iter().for_each(|(variable, word)| values[*variable] = word.clone());
        if self.seen.insert(hash_of(&(location, &values))) {
            self.num_leaps += 1;
            let length = self.nodes[parent as usize].length + rounds.round.len() as u64;
            self.nodes.push(Node { origin: Origin::Leap(parent, Box::new(rounds)), length });
            let pending = Pending { location, values, node: parent + 1 };
            self.frontier.push(pending, Merit::OnTheWay(length), &mut self.random);
        }
        None
    }

    /// The run to a node, followed once more.
    fn trace(&mut self, task: &Task<Cfa>, node: u32) -> CfaTrace {
        let mut origins = Vec::new();
        let mut node = node;
        let start = loop {
            let origin = &self.nodes[node as usize].origin;
            match origin {
                Origin::Start(values) => break values,
                Origin::Node(parent, _) | Origin::Leap(parent, _) => node = *parent,
            }
            origins.push(origin);
        };
        let vars = task.model.vars.iter();
        let value = |(var, word): (&VarId, &Word)| (*var, word.value(&task.store, task.store.var_sort(*var)));
        let initial: BTreeMap<_, _> = vars.zip(start).map(value).collect();
        self.machine.load(start.iter().cloned());
        let mut trace = CfaTrace::new(initial, Vec::new());
        let alone = |edge: EdgeId| CfaStep { edge, inputs: Vec::new(), choices: Vec::new() };
        let mut location = self.program.initial();
        for origin in origins.into_iter().rev() {
            match origin {
                Origin::Leap(_, taken) => {
                    let (first, len) = (trace.steps.len(), taken.round.len());
                    trace.rounds.push(Rounds { first, len, times: taken.times });
                    trace.steps.extend(taken.round.iter().copied().map(alone));
                    taken
                        .values
                        .iter()
                        .for_each(|(variable, word)| self.machine.set(*variable, word.clone()));
                    continue;
                }
                Origin::Node(_, Some(taken)) => {
                    let replayed = self.machine.take(taken.edge, &mut Replay(taken.clone()));
                    assert!(replayed.is_some(), "a move that was made should be possible again");
                    trace.steps.push(self.program.step(taken));
                    location = self.program.target(taken.edge);
                }
                Origin::Node(_, None) | Origin::Start(_) => {}
            }
            let halt = self.machine.go_on(location, FAR, |edge| trace.steps.push(alone(edge)));
            if let Halt::Choice(next) | Halt::Far(next) = halt {
                location = next;
            }
        }
        trace
    }
}

/// Chooses a certain candidate first, then anything.
struct Sampler<'s> {
    store: &'s Store,
    inputs: &'s Inputs,
    random: &'s mut fastrand::Rng,
    first: Option<usize>,
}

impl Chooser for Sampler<'_> {
    fn input(&mut self, variable: usize) -> Word {
        match self.first.take().filter(|number| *number < self.inputs.num_candidates(variable)) {
            Some(number) => self.inputs.candidate(variable, number),
            None => self.inputs.any(self.store, variable, self.random),
        }
    }

    fn branch(&mut self, num_branches: usize) -> usize {
        match self.first.take() {
            Some(number) => number % num_branches,
            None => self.random.usize(..num_branches),
        }
    }
}

/// Chooses what was chosen before.
struct Replay(Move);

impl Chooser for Replay {
    fn input(&mut self, _: usize) -> Word {
        self.0.inputs.remove(0).1
    }

    fn branch(&mut self, _: usize) -> usize {
        self.0.choices.remove(0)
    }
}
