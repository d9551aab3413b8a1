//! The main loop: from solution vectors to partial solutions and back (algorithm 1.7).
//!
//! # Where we differ
//! * Jumps are solved one at a time and only when there is nothing better to do, or at every [`JUMP_TURN`]th step:
//!   each costs an integer program, most runs need none, and an endless search above one base solution must not keep
//!   the others waiting.
//! * Of the partial solutions of a vector, those with the fewest remaining firings are processed first.
//! * A set of constraints is solved once, and a solution vector with the same increments is examined once.

use std::collections::VecDeque;
use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashSet, FxHasher};
use thetis_base::{Run, Stop};
use thetis_ilp::{IlpAnswer, IlpSolver};
use thetis_model::petri::{Net, PetriTrace, TransitionId};

use super::agenda::{Agenda, Item};
use super::constraints::{Constraints, Vector};
use super::equation::Equation;
use super::filters::{difference, fired_invariant, keep_extremes, unfired_invariant};
use super::increments::Increments;
use super::invariants::{involve_distant, places_of_chain};
use super::partial::{Firings, Partial, Wishes, trace};
use super::realise::{Realised, Realiser};
use super::space::{Examined, Fate, Origin, PartialId, Solution, SolutionId, SolutionSpace};
use super::stats::Counters;
use super::{BetterMarkings, SearchOrder, StateEquationConfig};

/// After this many steps, a jump is taken although there is other work.
const JUMP_TURN: u64 = 16;

/// How a search ended.
pub(super) enum Found {
    /// A firing sequence to the target.
    Sequence(PetriTrace),
    /// Nothing was found; the cuts that may be the reason.
    Nothing(Cuts),
}

/// What cut a search.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Cuts {
    pub(super) skipped_by_filter: bool,
    pub(super) estimated_increments: bool,
    pub(super) too_many_solutions: bool,
    pub(super) too_large_tree: bool,
    pub(super) too_long_sequence: bool,
    pub(super) open_program: bool,
}

/// A search in the solution space of one state equation.
pub(super) struct SolutionSearch<'a> {
    pub(super) net: &'a Net,
    pub(super) config: &'a StateEquationConfig,
    pub(super) equation: &'a Equation,
    pub(super) ilp: &'a mut IlpSolver,
    pub(super) counters: &'a mut Counters,
    pub(super) space: SolutionSpace,
    agenda: Agenda,
    /// Solution vectors with the next transition to jump at.
    jumps: VecDeque<(SolutionId, usize)>,
    /// Hashes of constraints that were solved, and of vectors that were examined.
    known: FxHashSet<u64>,
    cuts: Cuts,
}

impl<'a> SolutionSearch<'a> {
    pub(super) fn new(
        net: &'a Net,
        config: &'a StateEquationConfig,
        equation: &'a Equation,
        ilp: &'a mut IlpSolver,
        counters: &'a mut Counters,
    ) -> SolutionSearch<'a> {
        SolutionSearch {
            net,
            config,
            equation,
            ilp,
            counters,
            space: SolutionSpace::default(),
            agenda: Agenda::new(config.search),
            jumps: VecDeque::new(),
            known: FxHashSet::default(),
            cuts: Cuts::default(),
        }
    }

    /// Searches from `minimal`, a minimal solution of the equation, until there are this many solution vectors.
    pub(super) fn run(&mut self, minimal: Vector, max_solutions: u32, run: &Run) -> Result<Found, Stop> {
        let first = self.add_solution(minimal, Constraints::default(), Origin::Minimal);
        self.enqueue(vec![Item::Solution(first)]);
        for step in 1u64.. {
            run.checkpoint()?;
            if self.space.solutions.len() >= max_solutions as usize {
                self.cuts.too_many_solutions = true;
                break;
            }
            let is_turn_of_jumps = step.is_multiple_of(JUMP_TURN) && !self.jumps.is_empty();
            let item = if is_turn_of_jumps { None } else { self.agenda.next() };
            let found = match item {
                Some(Item::Solution(solution)) => self.examine(solution, run)?,
                Some(Item::Partial(partial)) => {
                    self.refine(partial, run)?;
                    None
                }
                None if self.jumps.is_empty() => break,
                None => {
                    self.jump(run)?;
                    None
                }
            };
            if let Some(sequence) = found {
                return Ok(Found::Sequence(sequence));
            }
        }
        Ok(Found::Nothing(self.cuts))
    }

    /// Queues items so that they are taken in the given order.
    fn enqueue(&mut self, items: Vec<Item>) {
        let space = &self.space;
        let cost = |item: &Item| {
            let solution = match item {
                Item::Solution(solution) => *solution,
                Item::Partial(partial) => space.partials[*partial].solution,
            };
            space.solutions[solution].vector.iter().map(|count| u128::from(*count)).sum()
        };
        let ranked: Vec<(u128, Item)> = items.into_iter().map(|item| (cost(&item), item)).collect();
        self.agenda.add(ranked.into_iter());
    }

    /// Builds the tree of partial solutions of a solution vector.
    fn examine(&mut self, id: SolutionId, run: &Run) -> Result<Option<PetriTrace>, Stop> {
        let solution = &self.space.solutions[id];
        if !self.known.insert(hash(&(&solution.vector, solution.constraints.increments()))) {
            return Ok(None);
        }
        self.counters.vectors += 1;
        let equation = self.equation;
        let is_goal = |counts: &Vector| equation.is_satisfied(counts);
        let (realised, steps) = Realiser::realise(self.net, self.config, &solution.vector, &is_goal, run)?;
        self.counters.steps += steps;
        match realised {
            Realised::Full(firings) => Ok(Some(self.finish(id, &firings))),
            Realised::Partials { leaves, is_cut } => {
                self.cuts.too_large_tree |= is_cut;
                self.queue_leaves(id, leaves);
                Ok(None)
            }
        }
    }

    /// The run, which is also kept in the solution space.
    fn finish(&mut self, solution: SolutionId, firings: &Firings) -> PetriTrace {
        let vector = self.space.solutions[solution].vector.clone();
        let mut fired = vec![0; vector.len()];
        firings.iter().for_each(|(transition, count)| fired[transition.index()] += count);
        let remainder = difference(&vector, &fired);
        let marking = super::realise::marking_after(self.net, &fired);
        let partial = Partial { firings: firings.clone(), fired, remainder, marking, chain: Vec::new() };
        let id = self.add_partial(solution, partial, false);
        self.space.partials[id].fate = Fate::Full;
        trace(firings)
    }

    fn queue_leaves(&mut self, solution: SolutionId, leaves: Vec<Partial>) {
        self.counters.partials += leaves.len() as u64;
        let total = leaves.len();
        let mut leaves = match self.config.search {
            SearchOrder::Hybrid => keep_extremes(leaves),
            SearchOrder::Dfs | SearchOrder::Bfs => leaves,
        };
        self.cuts.skipped_by_filter |= leaves.len() < total;
        leaves.sort_by_key(|leaf| leaf.remainder.iter().sum::<u64>());
        let items =
            leaves.into_iter().map(|leaf| Item::Partial(self.add_partial(solution, leaf, false))).collect();
        self.enqueue(items);
        self.jumps.push_back((solution, 0));
    }

    /// Filters a partial solution, or extends it by increment constraints.
    fn refine(&mut self, id: PartialId, run: &Run) -> Result<(), Stop> {
        if let Some(cause) = self.cause_to_skip(id) {
            self.counters.skipped += 1;
            self.cuts.skipped_by_filter = true;
            self.space.partials[id].fate = Fate::Skipped(cause);
            return self.skip(id, cause, run);
        }
        self.space.partials[id].fate = Fate::Extended;
        let partial = &self.space.partials[id].partial;
        let mut increments = Increments::for_inputs(self.net, partial);
        if self.config.inhibitor_constraints && self.net.has_inhibitors() {
            increments = increments.join(Increments::for_inhibitors(self.net, partial));
        }
        self.cuts.estimated_increments = true;
        if increments.is_hopeless || increments.constraints.is_empty() {
            return Ok(());
        }
        let solution = self.space.partials[id].solution;
        let mut constraints = self.transformed(solution);
        increments.constraints.into_iter().for_each(|increment| constraints.add(increment));
        let found = self.solve(constraints, Origin::Increment(id), run)?;
        self.enqueue(found.into_iter().collect());
        Ok(())
    }

    fn cause_to_skip(&self, id: PartialId) -> Option<PartialId> {
        let fired = self.config.t_invariant_filter.then(|| fired_invariant(&self.space, id)).flatten();
        let unfired = || {
            let is_invariant = |counts: &Vector| self.has_no_effect(counts);
            self.config.remainder_filter.then(|| unfired_invariant(&self.space, id, is_invariant)).flatten()
        };
        fired.or_else(unfired)
    }

    /// After a partial solution was skipped: its better intermediate markings, and distant invariants.
    fn skip(&mut self, id: PartialId, cause: PartialId, run: &Run) -> Result<(), Stop> {
        let Examined { partial, solution, .. } = &self.space.partials[id];
        let earlier = &self.space.partials[cause].partial;
        let wishes = self.wishes(partial, earlier);
        let (solution, better) = (*solution, partial.better_intermediates(self.net, &wishes));
        self.counters.better += better.len() as u64;
        let is_nearer = partial.comes_nearer_than(self.net, earlier, &wishes);
        let mut items: Vec<Item> = Vec::new();
        if self.config.distant_invariants {
            items.extend(self.involve_distant(id, cause, is_nearer, run)?);
        }
        for partial in better {
            if !self.is_known_partial(solution, &partial) {
                items.push(Item::Partial(self.add_partial(solution, partial, true)));
            }
        }
        self.enqueue(items);
        Ok(())
    }

    /// What makes a marking on the way of `partial`, which was skipped because of `earlier`, a better one.
    fn wishes(&self, partial: &Partial, earlier: &Partial) -> Wishes {
        let wishes = Wishes::of(self.net, partial);
        match self.config.better_markings {
            BetterMarkings::Remainder => wishes,
            BetterMarkings::Invariant => {
                let places = places_of_chain(self.net, &earlier.chain);
                wishes.and_more_than(self.net, earlier, &places)
            }
        }
    }

    fn involve_distant(
        &mut self,
        id: PartialId,
        cause: PartialId,
        is_nearer: bool,
        run: &Run,
    ) -> Result<Option<Item>, Stop> {
        let (solution, origin) = (self.space.partials[id].solution, self.space.partials[cause].solution);
        let invariant =
            difference(&self.space.solutions[solution].vector, &self.space.solutions[origin].vector);
        let cause = self.space.partials[cause].partial.clone();
        let skipped = &mut self.space.partials[id].partial;
        let increments = involve_distant(self.net, skipped, &cause, invariant, is_nearer);
        if increments.is_empty() {
            return Ok(None);
        }
        self.counters.distant += 1;
        let mut constraints = self.transformed(solution);
        increments.into_iter().for_each(|increment| constraints.add(increment));
        self.solve(constraints, Origin::Distant(id), run)
    }

    /// Algorithm 1.2, one transition at a time.
    fn jump(&mut self, run: &Run) -> Result<(), Stop> {
        let Some((solution, from)) = self.jumps.pop_front() else { return Ok(()) };
        let vector = &self.space.solutions[solution].vector;
        let Some(index) = (from..vector.len()).find(|index| vector[*index] > 0) else { return Ok(()) };
        let constraints =
            self.space.solutions[solution].constraints.with_jump(TransitionId::from(index), vector[index]);
        self.jumps.push_front((solution, index + 1));
        self.counters.jumps += 1;
        let found = self.solve(constraints, Origin::Jump(solution), run)?;
        self.enqueue(found.into_iter().collect());
        Ok(())
    }

    /// A new solution vector for `constraints`, if there is one.
    fn solve(&mut self, constraints: Constraints, origin: Origin, run: &Run) -> Result<Option<Item>, Stop> {
        if !self.known.insert(hash(&constraints)) {
            return Ok(None);
        }
        match self.ilp.minimise(&constraints.apply(&self.equation.problem), run)? {
            IlpAnswer::Feasible(vector) => {
                Ok(Some(Item::Solution(self.add_solution(vector, constraints, origin))))
            }
            IlpAnswer::Infeasible(_) => Ok(None),
            IlpAnswer::Unknown(_) => {
                self.cuts.open_program = true;
                Ok(None)
            }
        }
    }

    fn transformed(&self, solution: SolutionId) -> Constraints {
        let solution = &self.space.solutions[solution];
        solution.constraints.transform_jumps(&solution.vector)
    }

    fn has_no_effect(&self, counts: &Vector) -> bool {
        let mut effect = vec![0i128; self.net.places().len()];
        for t in self.net.transition_ids().filter(|t| counts[t.index()] > 0) {
            for change in self.net.effect(t) {
                effect[change.place.index()] += i128::from(change.delta) * i128::from(counts[t.index()]);
            }
        }
        effect.iter().all(|tokens| *tokens == 0)
    }

    fn is_known_partial(&self, solution: SolutionId, partial: &Partial) -> bool {
        let mut known = self.space.solutions[solution].partials.iter();
        known.any(|other| self.space.partials[*other].partial.fired == partial.fired)
    }

    fn add_solution(&mut self, vector: Vector, constraints: Constraints, origin: Origin) -> SolutionId {
        self.space.solutions.push(Solution { vector, constraints, origin, partials: Vec::new() })
    }

    fn add_partial(&mut self, solution: SolutionId, partial: Partial, is_intermediate: bool) -> PartialId {
        let id = self.space.partials.push(Examined { partial, solution, is_intermediate, fate: Fate::Open });
        self.space.solutions[solution].partials.push(id);
        id
    }
}

fn hash(item: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    item.hash(&mut hasher);
    hasher.finish()
}
