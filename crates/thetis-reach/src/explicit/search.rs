//! The search with a full visited set.

use thetis_base::{Run, Stop};
use thetis_model::Task;
use thetis_model::petri::{Marking, Net, PetriTrace, Predicate, TransitionId};

use super::stubborn::Stubborn;
use super::visited::{Inserted, MarkingId, Visited};
use super::{ExplicitStats, SearchEnd, SearchOrder};

/// How many markings are expanded between two looks at the run.
const MARKINGS_PER_CHECKPOINT: u64 = 512;

pub(super) struct MarkingSearch<'t> {
    net: &'t Net,
    target: Predicate,
    order: SearchOrder,
    reduces: bool,
    visited: Visited,
    /// For depth-first search: what is still to be expanded.
    stack: Vec<MarkingId>,
    /// For breadth-first search: the next to be expanded, since numbers are in the order of discovery.
    next: MarkingId,
    /// The marking that is being expanded, its packed form, and that of its successor.
    marking: Marking,
    words: Vec<u64>,
    successor: Vec<u64>,
    stats: ExplicitStats,
}

/// What a firing led to.
enum Fired {
    Nothing,
    Target(MarkingId),
    Overflow,
}

impl<'t> MarkingSearch<'t> {
    pub(super) fn new(task: &'t Task<Net>, order: SearchOrder, reduces: bool) -> MarkingSearch<'t> {
        let net = &task.model;
        let visited = Visited::new(net);
        let num_words = visited.layout().num_words();
        MarkingSearch {
            net,
            target: task.property.target(net),
            order,
            reduces,
            visited,
            stack: vec![0],
            next: 0,
            marking: net.initial_marking(),
            words: vec![0; num_words],
            successor: vec![0; num_words],
            stats: ExplicitStats::default(),
        }
    }

    pub(super) fn stats(&self) -> ExplicitStats {
        let bytes = self.visited.bytes() + self.stack.capacity() * size_of::<MarkingId>();
        ExplicitStats { markings: self.visited.len() as u64, bytes: bytes as u64, ..self.stats.clone() }
    }

    pub(super) fn run(&mut self, run: &Run) -> Result<SearchEnd, Stop> {
        run.checkpoint()?;
        if self.target.holds(self.net, &self.marking) {
            return Ok(SearchEnd::Found(PetriTrace::default()));
        }
        let target = self.target.clone();
        let mut stubborn = self.reduces.then(|| Stubborn::new(self.net, &target));
        let mut num_expanded = 0u64;
        while let Some(id) = self.pop() {
            num_expanded += 1;
            if num_expanded.is_multiple_of(MARKINGS_PER_CHECKPOINT) {
                run.checkpoint()?;
            }
            self.load(id);
            let fired = match &mut stubborn {
                Some(stubborn) => self.expand_reduced(id, stubborn),
                None => self.expand_all(id),
            };
            match fired {
                Fired::Nothing => {}
                Fired::Target(found) => return Ok(SearchEnd::Found(self.trace(found))),
                Fired::Overflow => return Ok(SearchEnd::Overflow),
            }
        }
        Ok(SearchEnd::Exhausted)
    }

    fn pop(&mut self) -> Option<MarkingId> {
        match self.order {
            SearchOrder::Dfs => self.stack.pop(),
            SearchOrder::Bfs => {
                let id = ((self.next as usize) < self.visited.len()).then_some(self.next)?;
                self.next += 1;
                Some(id)
            }
        }
    }

    fn load(&mut self, id: MarkingId) {
        self.words.copy_from_slice(self.visited.words(id));
        let marking = &mut self.marking;
        self.visited.layout().unpack(&self.words, |place, count| marking.set(place, count));
    }

    fn expand_all(&mut self, id: MarkingId) -> Fired {
        self.count_tokens();
        for transition in self.net.transition_ids() {
            if !self.net.is_enabled(&self.marking, transition) {
                continue;
            }
            let fired = self.fire(id, transition);
            if !matches!(fired, Fired::Nothing) {
                return fired;
            }
        }
        Fired::Nothing
    }

    fn expand_reduced(&mut self, id: MarkingId, stubborn: &mut Stubborn<'_>) -> Fired {
        let chosen = stubborn.choose(&self.marking);
        if !self.stats.is_reduced && !chosen.is_everything {
            let num_enabled =
                self.net.transition_ids().filter(|one| self.net.is_enabled(&self.marking, *one)).count();
            self.stats.is_reduced = num_enabled > chosen.transitions.len();
        }
        if !self.stats.is_reduced {
            self.count_tokens();
        }
        for transition in chosen.transitions {
            let fired = self.fire(id, transition);
            if !matches!(fired, Fired::Nothing) {
                return fired;
            }
        }
        Fired::Nothing
    }

    fn count_tokens(&mut self) {
        let tokens = self.marking.tokens();
        let most = tokens.iter().copied().max().unwrap_or(0);
        let sum = tokens.iter().map(|count| u128::from(*count)).sum();
        self.stats.max_tokens_in_place = self.stats.max_tokens_in_place.max(most);
        self.stats.max_tokens = self.stats.max_tokens.max(sum);
    }

    /// Fires an enabled transition in the loaded marking.
    fn fire(&mut self, id: MarkingId, transition: TransitionId) -> Fired {
        self.stats.firings += 1;
        let net = self.net;
        self.successor.copy_from_slice(&self.words);
        for change in net.effect(transition) {
            let Some(count) = self.marking[change.place].checked_add_signed(change.delta) else {
                return Fired::Overflow;
            };
            if !self.visited.layout().fits(change.place, count) {
                self.visited.widen(change.place, count);
                return self.fire_again(id, transition);
            }
            self.visited.layout().set(&mut self.successor, change.place, count);
        }
        match self.visited.insert(&self.successor, id) {
            Inserted::Known => Fired::Nothing,
            Inserted::Full => Fired::Overflow,
            Inserted::New(new) => {
                if self.order == SearchOrder::Dfs {
                    self.stack.push(new);
                }
                if self.successor_has_target(transition) { Fired::Target(new) } else { Fired::Nothing }
            }
        }
    }

    /// Fires once more after the layout has changed.
    fn fire_again(&mut self, id: MarkingId, transition: TransitionId) -> Fired {
        let num_words = self.visited.layout().num_words();
        self.words.resize(num_words, 0);
        self.successor.resize(num_words, 0);
        self.words.copy_from_slice(self.visited.words(id));
        self.stats.firings -= 1;
        self.fire(id, transition)
    }

    /// Looks at the marking after `transition` without copying it.
    fn successor_has_target(&mut self, transition: TransitionId) -> bool {
        let net = self.net;
        for change in net.effect(transition) {
            self.marking.set(change.place, self.marking[change.place].wrapping_add_signed(change.delta));
        }
        let holds = self.target.holds(net, &self.marking);
        for change in net.effect(transition) {
            self.marking.set(change.place, self.marking[change.place].wrapping_sub_signed(change.delta));
        }
        holds
    }

    /// The firing sequence to a marking: predecessors are stored, and the transitions between them are
    /// reconstructed.
    fn trace(&self, found: MarkingId) -> PetriTrace {
        let mut path = vec![found];
        let mut id = found;
        while id != 0 {
            id = self.visited.parent(id);
            path.push(id);
        }
        path.reverse();
        let step = |pair: &[MarkingId]| self.transition_between(pair[0], pair[1]);
        PetriTrace::of(path.windows(2).map(step))
    }

    fn transition_between(&self, from: MarkingId, to: MarkingId) -> TransitionId {
        let (from, to) = (self.marking_of(from), self.marking_of(to));
        let leads = |transition: &TransitionId| {
            let mut marking = from.clone();
            marking.fire(self.net, *transition).is_ok() && marking == to
        };
        self.net.transition_ids().find(leads).expect("a marking should be a successor of its parent")
    }

    fn marking_of(&self, id: MarkingId) -> Marking {
        let mut tokens = Vec::with_capacity(self.net.places().len());
        self.visited.layout().unpack(self.visited.words(id), |_, count| tokens.push(count));
        Marking::new(tokens)
    }
}
