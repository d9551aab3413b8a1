//! Stubborn sets: which transitions suffice to reach the target from a marking.
//!
//! The set starts with a transition of every firing sequence to the target (the *goals*) and is closed under two rules: with a
//! disabled transition, it contains all transitions that can remove one of the reasons why it is disabled; with an enabled one, it
//! contains all transitions that its firing can disable. Then it is enough to fire the enabled transitions of the set; if there are
//! none, the target cannot be reached. The argument is in Kristensen, Schmidt and Valmari, *Question-guided stubborn set methods
//! for state properties* (2006). Deadlocks need no method of their own: to reach one, an enabled transition must be disabled.
//!
//! Where we differ: inhibitor arcs are treated like inputs with the opposite direction, and goals of conjunctions are chosen
//! in several ways, of which the one with the fewest enabled transitions is used.

use thetis_model::petri::{Comparison, Marking, Net, PlaceId, Predicate, Relation, TransitionId};

/// How many choices of goals are tried in a marking.
const MAX_TRIES: usize = 6;

/// Computes stubborn sets, and reuses its memory from one to the next.
pub(super) struct Stubborn<'t> {
    net: &'t Net,
    target: &'t Predicate,
    /// Which transitions are in the set: those with the number of the current set.
    marks: Vec<u32>,
    current: u32,
    pending: Vec<TransitionId>,
    enabled: Vec<TransitionId>,
    num_members: usize,
    /// Which of the possible choices is taken, and whether there was any.
    turn: usize,
    num_choices: usize,
}

/// The transitions to fire in a marking.
pub(super) struct Chosen {
    /// They are enabled.
    pub(super) transitions: Vec<TransitionId>,
    /// Whether the set contains all transitions of the net.
    pub(super) is_everything: bool,
}

impl<'t> Stubborn<'t> {
    pub(super) fn new(net: &'t Net, target: &'t Predicate) -> Stubborn<'t> {
        Stubborn {
            net,
            target,
            marks: vec![0; net.transitions().len()],
            current: 0,
            pending: Vec::new(),
            enabled: Vec::new(),
            num_members: 0,
            turn: 0,
            num_choices: 1,
        }
    }

    /// The transitions to fire in `marking`, which does not satisfy the target.
    pub(super) fn choose(&mut self, marking: &Marking) -> Chosen {
        let mut best: Option<Chosen> = None;
        for turn in 0..MAX_TRIES {
            self.turn = turn;
            self.close(marking);
            let is_better = best.as_ref().is_none_or(|best| self.enabled.len() < best.transitions.len());
            if is_better {
                let mut transitions = std::mem::take(&mut self.enabled);
                transitions.sort_unstable();
                let is_everything = self.num_members == self.net.transitions().len();
                best = Some(Chosen { transitions, is_everything });
            }
            let is_small = best.as_ref().is_some_and(|best| best.transitions.len() <= 1);
            if is_small || turn + 1 >= self.num_choices {
                break;
            }
        }
        best.unwrap_or(Chosen { transitions: Vec::new(), is_everything: true })
    }

    /// Builds the set of the current turn.
    fn close(&mut self, marking: &Marking) {
        self.start_set();
        self.num_choices = 1;
        let target = self.target;
        self.add_goals(target, true, marking);
        while let Some(transition) = self.pending.pop() {
            if self.net.is_enabled(marking, transition) {
                self.enabled.push(transition);
                self.add_disabled_by(transition);
            } else {
                self.add_enabling(transition, marking);
            }
        }
    }

    fn start_set(&mut self) {
        if self.current == u32::MAX {
            self.marks.fill(0);
            self.current = 0;
        }
        self.current += 1;
        self.num_members = 0;
        self.pending.clear();
        self.enabled.clear();
    }

    fn add(&mut self, transition: TransitionId) {
        let mark = &mut self.marks[transition.index()];
        if *mark != self.current {
            *mark = self.current;
            self.num_members += 1;
            self.pending.push(transition);
        }
    }

    fn add_changers(&mut self, place: PlaceId, sign: i64) {
        let net = self.net;
        for changer in net.changers(place) {
            if changer.delta.signum() == sign {
                self.add(changer.transition);
            }
        }
    }

    /// How many transitions would be new.
    fn num_new(&self, place: PlaceId, sign: i64) -> usize {
        let changers = self.net.changers(place).iter().filter(|changer| changer.delta.signum() == sign);
        changers.filter(|changer| self.marks[changer.transition.index()] != self.current).count()
    }

    /// Of the reasons why `transition` is disabled, uses the one that adds the fewest transitions.
    fn add_enabling(&mut self, transition: TransitionId, marking: &Marking) {
        let net = self.net;
        let few = net.inputs(transition).iter().filter(|arc| marking[arc.place] < arc.weight);
        let many = net.inhibitors(transition).iter().filter(|arc| marking[arc.place] >= arc.weight);
        let reasons = few.map(|arc| (arc.place, 1)).chain(many.map(|arc| (arc.place, -1)));
        if let Some((place, sign)) = reasons.min_by_key(|(place, sign)| self.num_new(*place, *sign)) {
            self.add_changers(place, sign);
        }
    }

    fn add_disabled_by(&mut self, transition: TransitionId) {
        let net = self.net;
        for change in net.effect(transition) {
            let links =
                if change.delta < 0 { net.consumers(change.place) } else { net.inhibited(change.place) };
            links.iter().for_each(|link| self.add(link.transition));
        }
    }

    /// Adds transitions of which one fires on every path to `predicate` (to its negation, if not `positive`), which does not hold
    /// now.
    fn add_goals(&mut self, predicate: &Predicate, positive: bool, marking: &Marking) {
        match predicate {
            Predicate::Constant(_) => {}
            Predicate::Compare(comparison) => self.add_compare_goals(comparison, positive, marking),
            Predicate::Fireable(list) if positive => {
                list.iter().for_each(|transition| self.add_enabling(*transition, marking));
            }
            Predicate::Fireable(list) => self.add_disabling_goals(list.iter().copied(), marking),
            Predicate::Deadlock if positive => self.add_disabling_goals(self.net.transition_ids(), marking),
            Predicate::Deadlock => self.net.transition_ids().for_each(|one| self.add_enabling(one, marking)),
            Predicate::Not(inner) => self.add_goals(inner, !positive, marking),
            Predicate::And(parts) if positive => self.add_part_goals(parts, true, marking),
            Predicate::Or(parts) if !positive => self.add_part_goals(parts, false, marking),
            Predicate::And(parts) | Predicate::Or(parts) => {
                parts.iter().for_each(|part| self.add_goals(part, positive, marking));
            }
        }
    }

    /// All parts must become true, so one that is false is enough; the turn says which.
    fn add_part_goals(&mut self, parts: &[Predicate], positive: bool, marking: &Marking) {
        let open: Vec<&Predicate> =
            parts.iter().filter(|part| part.holds(self.net, marking) != positive).take(MAX_TRIES).collect();
        if let Some(part) = self.pick(&open) {
            self.add_goals(part, positive, marking);
        }
    }

    /// All of `list` must become disabled, so one that is enabled is enough; the turn says which.
    fn add_disabling_goals(&mut self, list: impl Iterator<Item = TransitionId>, marking: &Marking) {
        let net = self.net;
        let enabled: Vec<TransitionId> =
            list.filter(|transition| net.is_enabled(marking, *transition)).take(MAX_TRIES).collect();
        let Some(transition) = self.pick(&enabled) else { return };
        net.inputs(*transition).iter().for_each(|arc| self.add_changers(arc.place, -1));
        net.inhibitors(*transition).iter().for_each(|arc| self.add_changers(arc.place, 1));
    }

    fn pick<'l, T>(&mut self, list: &'l [T]) -> Option<&'l T> {
        self.num_choices = self.num_choices.max(list.len());
        list.get(self.turn % list.len().max(1))
    }

    fn add_compare_goals(&mut self, comparison: &Comparison, positive: bool, marking: &Marking) {
        let relation = if positive { comparison.relation } else { comparison.relation.negated() };
        let (up, down) = match relation {
            Relation::AtLeast | Relation::Greater => (true, false),
            Relation::Less | Relation::AtMost => (false, true),
            Relation::NotEqual => (true, true),
            Relation::Equal => {
                let now = comparison.sum.compare(marking, comparison.bound);
                (now.is_lt(), now.is_gt())
            }
        };
        for (place, factor) in comparison.sum.terms() {
            if up {
                self.add_changers(*place, factor.signum());
            }
            if down {
                self.add_changers(*place, -factor.signum());
            }
        }
    }
}
