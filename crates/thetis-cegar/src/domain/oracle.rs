//! Which formulas follow from a conjunction, with as few solver queries as possible.
//!
//! Predicate abstraction asks, for each edge of each abstract state, which of its predicates hold afterwards. A query
//! costs more than everything else, so most of the effort goes into avoiding queries ([`Shortcuts`]):
//!
//! * **folding**: a question may fold to a literal, be among the given formulas, or be decided by
//!   [bounds](super::bounds);
//! * **slicing**: only what is connected to a question by shared variables can decide it, if all that is given has a
//!   model. So the given formulas are grouped by their variables, each question is asked in its group, and answers are
//!   remembered for the group: states that differ elsewhere share them;
//! * **models**: one model rules out one value of every open question of its group; a query for the other value either
//!   decides a question or brings a further model, which is used for all questions still open;
//! * **switches**: the condition of an edge is asserted once, guarded by a truth value that switches it on. Predicates
//!   are not, because solvers keep reasoning about everything that was asserted, and one hard predicate would slow
//!   down all queries.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, Value, VarId, default_value, evaluate};
use thetis_model::cfa::Inventor;
use thetis_solver::{Answer, CoreSolver, Valuation};

use super::bounds::Bounds;
use super::union::Union;

/// The measures that save queries; all of them, unless a benchmark measures what one of them is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcuts {
    /// Answer without the solver where formulas fold, are given or are bounds of single variables.
    pub folding: bool,
    /// Ask only among what shares variables, and remember the answers for it.
    pub slicing: bool,
    /// Let each model decide as much as it can.
    pub models: bool,
    /// Remember the successors of whole states.
    pub memory: bool,
    /// Tell the solver conditions once, instead of with each query.
    pub switches: bool,
}

impl Default for Shortcuts {
    fn default() -> Self {
        Shortcuts { folding: true, slicing: true, models: true, memory: true, switches: true }
    }
}

/// The answer to a question: it follows, its negation follows, or neither as far as is known.
pub(super) type Decided = Option<bool>;

/// See the [module](self).
pub(super) struct Oracle<'s> {
    store: &'s Store,
    pub(super) shortcuts: Shortcuts,
    solver: Box<dyn CoreSolver>,
    inventor: Inventor,
    /// The formulas that may be switched on, with their switches where they have one.
    switches: FxHashMap<ExprId, Option<ExprId>>,
    vars: FxHashMap<ExprId, Rc<[VarId]>>,
    memory: FxHashMap<Rc<[ExprId]>, Group>,
    pub(super) num_queries: u64,
    pub(super) num_folded: u64,
    pub(super) num_remembered: u64,
}

/// What is known of a group of given formulas.
#[derive(Default)]
struct Group {
    /// Whether it has a model; `None` if that was not asked yet. If the solver cannot decide, it counts as
    /// possible.
    is_possible: Option<bool>,
    decided: FxHashMap<ExprId, Decided>,
}

/// What is given: what is known to have a model together, and what is new.
pub(super) struct Given<'g> {
    /// Has a model.
    pub(super) state: &'g [ExprId],
    /// May contradict the state, and itself.
    pub(super) conditions: &'g [ExprId],
}

/// What is known of a question while it is asked.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Open,
    /// No model has the other value yet.
    Likely(bool),
    Certain(bool),
    Varies,
}

impl Known {
    fn is_undecided(self) -> bool {
        matches!(self, Known::Open | Known::Likely(_))
    }

    /// Learns from a model in which the question has a value.
    fn see(&mut self, seen: bool) {
        *self = match *self {
            Known::Likely(value) if value != seen => Known::Varies,
            _ => Known::Likely(seen),
        };
    }
}

impl<'s> Oracle<'s> {
    pub(super) fn new(store: &'s Store, solver: Box<dyn CoreSolver>) -> Oracle<'s> {
        Oracle {
            store,
            shortcuts: Shortcuts::default(),
            solver,
            inventor: Inventor::default(),
            switches: FxHashMap::default(),
            vars: FxHashMap::default(),
            memory: FxHashMap::default(),
            num_queries: 0,
            num_folded: 0,
            num_remembered: 0,
        }
    }

    /// Says that formulas will be given often and are worth a switch.
    pub(super) fn keep(&mut self, formulas: &[ExprId]) {
        for formula in formulas {
            self.switches.entry(*formula).or_default();
        }
    }

    /// For each question whether it follows; `None` if what is given is contradictory.
    pub(super) fn decide(
        &mut self,
        given: &Given<'_>,
        questions: &[ExprId],
        run: &Run,
    ) -> Result<Option<Vec<Decided>>, Stop> {
        let Some(conditions) = self.new_conditions(given) else { return Ok(None) };
        let given = &Given { state: given.state, conditions: &conditions };
        let mut decided: Vec<Decided> = self.folded(given, questions);
        if conditions.is_empty() && decided.iter().all(Option::is_some) {
            return Ok(Some(decided));
        }
        let slices = Slices::new(self, given);
        for key in &slices.conditions {
            run.checkpoint()?;
            if !self.is_possible(key)? {
                return Ok(None);
            }
        }
        let mut by_group: Vec<(Rc<[ExprId]>, Vec<usize>)> = Vec::new();
        let mut groups: FxHashMap<Rc<[ExprId]>, usize> = FxHashMap::default();
        for (number, question) in questions.iter().enumerate() {
            if decided[number].is_none() {
                let key = slices.of(&self.vars_of(*question));
                let group = *groups.entry(key.clone()).or_insert_with(|| {
                    by_group.push((key, Vec::new()));
                    by_group.len() - 1
                });
                by_group[group].1.push(number);
            }
        }
        for (key, numbers) in by_group {
            run.checkpoint()?;
            let asked: Vec<ExprId> = numbers.iter().map(|number| questions[*number]).collect();
            let answers = self.in_group(&key, &asked)?;
            numbers.iter().zip(answers).for_each(|(number, answer)| decided[*number] = answer);
        }
        Ok(Some(decided))
    }

    /// All combinations of values that the questions have in models of what is given, at most one for each; a question
    /// that is decided without a query has its value. `None` means that the solver could not decide: all combinations
    /// may be possible.
    pub(super) fn combinations(
        &mut self,
        given: &Given<'_>,
        questions: &[ExprId],
        run: &Run,
    ) -> Result<Option<Vec<Vec<bool>>>, Stop> {
        let decided = self.folded(given, questions);
        let all = given.state.iter().chain(given.conditions).copied();
        let assumptions = self.assumptions(&all.collect::<Vec<_>>())?;
        self.solver.push()?;
        let found = self.models(&assumptions, questions, &decided, run);
        self.solver.pop()?;
        found
    }

    fn models(
        &mut self,
        assumptions: &[ExprId],
        questions: &[ExprId],
        decided: &[Decided],
        run: &Run,
    ) -> Result<Option<Vec<Vec<bool>>>, Stop> {
        let store = self.store;
        let mut found = Vec::new();
        loop {
            run.checkpoint()?;
            self.num_queries += 1;
            let values: Vec<bool> = match self.solver.check(store, assumptions)? {
                Answer::Unsat => return Ok(Some(found)),
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat(valuation) => {
                    let value = |(question, decided): (&ExprId, &Decided)| match decided {
                        Some(value) => Ok(*value),
                        None => holds(store, &valuation, *question),
                    };
                    questions.iter().zip(decided).map(value).collect::<Result<_, Stop>>()?
                }
            };
            let open =
                questions.iter().zip(decided).zip(&values).filter(|((_, decided), _)| decided.is_none());
            let seen = store.and_all(open.map(|((question, _), value)| with_value(store, *question, *value)));
            found.push(values);
            if seen == store.tru() {
                return Ok(Some(found));
            }
            self.solver.assert(store, store.not(seen))?;
        }
    }

    /// The conditions that the state does not have already; `None` if it has the negation of one.
    fn new_conditions(&self, given: &Given<'_>) -> Option<Vec<ExprId>> {
        let store = self.store;
        if given.conditions.contains(&store.fals()) {
            return None;
        }
        if !self.shortcuts.folding {
            return Some(given.conditions.to_vec());
        }
        let is_new = |condition: &&ExprId| **condition != store.tru() && !given.state.contains(condition);
        let new: Vec<ExprId> = given.conditions.iter().filter(is_new).copied().collect();
        let is_refuted = new.iter().any(|condition| given.state.contains(&store.not(*condition)));
        (!is_refuted).then_some(new)
    }

    /// What can be said without a query.
    fn folded(&mut self, given: &Given<'_>, questions: &[ExprId]) -> Vec<Decided> {
        if !self.shortcuts.folding {
            return vec![None; questions.len()];
        }
        let store = self.store;
        let known: FxHashSet<ExprId> = given.state.iter().chain(given.conditions).copied().collect();
        let fold = |question: &ExprId| {
            if *question == store.tru() || known.contains(question) {
                Some(true)
            } else if *question == store.fals() || known.contains(&store.not(*question)) {
                Some(false)
            } else {
                None
            }
        };
        let folded: Vec<Decided> = questions.iter().map(fold).collect();
        self.num_folded += folded.iter().filter(|decided| decided.is_some()).count() as u64;
        folded
    }

    fn is_possible(&mut self, key: &Rc<[ExprId]>) -> Result<bool, Stop> {
        if let Some(is_possible) = self.memory.get(key).and_then(|group| group.is_possible) {
            self.num_remembered += 1;
            return Ok(is_possible);
        }
        let is_possible = self.ask(key, None, &[], &mut [])?;
        if self.shortcuts.slicing {
            self.memory.entry(key.clone()).or_default().is_possible = Some(is_possible);
        }
        Ok(is_possible)
    }

    /// The answers to questions that share variables with the formulas of `key` only. The group has a model.
    fn in_group(&mut self, key: &Rc<[ExprId]>, questions: &[ExprId]) -> Result<Vec<Decided>, Stop> {
        let known = self.memory.get(key).map(|group| &group.decided);
        let old: Vec<Option<Decided>> =
            questions.iter().map(|question| known.and_then(|known| known.get(question)).copied()).collect();
        self.num_remembered += old.iter().flatten().count() as u64;
        let new: Vec<ExprId> = questions
            .iter()
            .zip(&old)
            .filter(|(_, old)| old.is_none())
            .map(|(question, _)| *question)
            .collect();
        let answers = if new.is_empty() { Vec::new() } else { self.ask_all(key, &new)? };
        if self.shortcuts.slicing {
            let group = self.memory.entry(key.clone()).or_default();
            group.decided.extend(new.iter().copied().zip(answers.iter().copied()));
        }
        let mut answers = answers.into_iter();
        Ok(old.into_iter().map(|old| old.unwrap_or_else(|| answers.next().flatten())).collect())
    }

    fn ask_all(&mut self, key: &[ExprId], questions: &[ExprId]) -> Result<Vec<Decided>, Stop> {
        let mut known = vec![Known::Open; questions.len()];
        if self.shortcuts.models && !self.ask(key, None, questions, &mut known)? {
            // The group was assumed to have a model because the solver could not decide; it has none after all, so
            // the answers do not matter.
            return Ok(vec![None; questions.len()]);
        }
        for number in 0..questions.len() {
            if known[number] == Known::Open {
                let can_hold = self.ask(key, Some((number, true)), questions, &mut known)?;
                let can_fail = self.ask(key, Some((number, false)), questions, &mut known)?;
                known[number] = if can_hold && can_fail { Known::Varies } else { Known::Certain(can_hold) };
            } else if let Known::Likely(value) = known[number]
                && !self.ask(key, Some((number, !value)), questions, &mut known)?
            {
                known[number] = Known::Certain(value);
            }
        }
        let decided = |known: Known| match known {
            Known::Certain(value) => Some(value),
            _ => None,
        };
        Ok(known.into_iter().map(decided).collect())
    }

    /// Asks for a model of the formulas of `key`, optionally with the value of one question fixed, and learns from it
    /// which values questions can have. Returns whether there is a model; if the solver cannot decide, it returns true
    /// and nothing is learned.
    fn ask(
        &mut self,
        key: &[ExprId],
        wanted: Option<(usize, bool)>,
        questions: &[ExprId],
        known: &mut [Known],
    ) -> Result<bool, Stop> {
        let store = self.store;
        let wanted_formula = wanted.map(|(number, value)| with_value(store, questions[number], value));
        if self.shortcuts.folding
            && let Some(bounds) = Bounds::of(store, key.iter().copied().chain(wanted_formula))
        {
            self.num_folded += 1;
            self.learn_from(&bounds, questions, known);
            return Ok(bounds.is_possible());
        }
        self.num_queries += 1;
        let mut assumptions = self.assumptions(key)?;
        assumptions.extend(wanted_formula);
        match self.solver.check(store, &assumptions)? {
            Answer::Unsat => return Ok(false),
            Answer::Sat(valuation) if self.shortcuts.models => {
                for (question, known) in questions.iter().zip(known) {
                    if known.is_undecided() {
                        known.see(holds(store, &valuation, *question)?);
                    }
                }
            }
            Answer::Sat(_) => {}
            Answer::Unknown(_) => match wanted {
                Some((number, _)) => known[number] = Known::Varies,
                None => known.fill(Known::Varies),
            },
        }
        Ok(true)
    }

    /// Learns from a model of bounds which values questions can have.
    fn learn_from(&self, bounds: &Bounds, questions: &[ExprId], known: &mut [Known]) {
        if !self.shortcuts.models || !bounds.is_possible() {
            return;
        }
        let store = self.store;
        let value =
            |var| bounds.in_a_model(store, var).or_else(|| Some(default_value(store, store.var_sort(var))));
        for (question, known) in questions.iter().zip(known) {
            if known.is_undecided()
                && let Ok(seen) = evaluate(store, *question, &value)
            {
                known.see(seen == Value::Bool(true));
            }
        }
    }

    /// What the solver assumes for given formulas.
    fn assumptions(&mut self, given: &[ExprId]) -> Result<Vec<ExprId>, Stop> {
        if !self.shortcuts.switches {
            return Ok(given.to_vec());
        }
        given.iter().map(|formula| self.switch(*formula)).collect()
    }

    /// The truth value that switches on a formula, or the formula itself if it has none.
    fn switch(&mut self, formula: ExprId) -> Result<ExprId, Stop> {
        let store = self.store;
        match self.switches.get(&formula) {
            None => Ok(formula),
            Some(Some(switch)) => Ok(*switch),
            Some(None) => {
                let switch = self.inventor.truth(store, "given");
                self.solver.assert(store, store.implies(switch, formula))?;
                self.switches.insert(formula, Some(switch));
                Ok(switch)
            }
        }
    }

    fn vars_of(&mut self, formula: ExprId) -> Rc<[VarId]> {
        let store = self.store;
        self.vars.entry(formula).or_insert_with(|| store.vars_of([formula]).into()).clone()
    }
}

/// Given formulas, grouped by the variables they share.
struct Slices {
    /// The number of the group of each variable.
    groups: FxHashMap<VarId, usize>,
    formulas: Vec<Vec<ExprId>>,
    /// The groups with conditions in them, which may be contradictory.
    conditions: Vec<Rc<[ExprId]>>,
    is_sliced: bool,
}

impl Slices {
    fn new(oracle: &mut Oracle<'_>, given: &Given<'_>) -> Slices {
        let is_sliced = oracle.shortcuts.slicing;
        let true_formula = oracle.store.tru();
        let all = given.state.iter().chain(given.conditions).copied();
        let all: Vec<(ExprId, Rc<[VarId]>)> = all
            .filter(|formula| *formula != true_formula)
            .map(|formula| (formula, oracle.vars_of(formula)))
            .collect();
        let mut union = Union::default();
        for (_, vars) in &all {
            union.join(vars);
        }
        let mut slices =
            Slices { groups: FxHashMap::default(), formulas: Vec::new(), conditions: Vec::new(), is_sliced };
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        for (formula, vars) in &all {
            let root = if is_sliced { vars.first().map_or(usize::MAX, |var| union.find(*var)) } else { 0 };
            let number = *numbers.entry(root).or_insert_with(|| {
                slices.formulas.push(Vec::new());
                slices.formulas.len() - 1
            });
            slices.formulas[number].push(*formula);
            for var in vars.iter() {
                slices.groups.insert(*var, number);
            }
        }
        let conditions: FxHashSet<ExprId> = given.conditions.iter().copied().collect();
        let with_conditions =
            slices.formulas.iter().filter(|group| group.iter().any(|formula| conditions.contains(formula)));
        slices.conditions = with_conditions.map(|group| key_of(group.clone())).collect();
        slices
    }

    /// The formulas that can say something about variables.
    fn of(&self, vars: &[VarId]) -> Rc<[ExprId]> {
        let mut numbers: Vec<usize> = if self.is_sliced {
            vars.iter().filter_map(|var| self.groups.get(var)).copied().collect()
        } else {
            (0..self.formulas.len()).collect()
        };
        numbers.sort_unstable();
        numbers.dedup();
        key_of(numbers.into_iter().flat_map(|number| self.formulas[number].iter().copied()).collect())
    }
}

fn key_of(mut formulas: Vec<ExprId>) -> Rc<[ExprId]> {
    formulas.sort_unstable();
    formulas.dedup();
    formulas.into()
}

fn with_value(store: &Store, formula: ExprId, value: bool) -> ExprId {
    if value { formula } else { store.not(formula) }
}

fn holds(store: &Store, valuation: &Valuation<'_>, formula: ExprId) -> Result<bool, Stop> {
    Ok(valuation.evaluate(store, formula)? == Value::Bool(true))
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;
    use thetis_solver::SolverFactory;
    use thetis_z3::Z3Factory;

    use super::*;

    fn oracle(store: &Store) -> Oracle<'_> {
        Oracle::new(store, Z3Factory::default().start(&Run::unlimited()).unwrap())
    }

    #[test]
    fn every_combination_of_shortcuts_gives_the_same_answers() {
        let store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::Int));
        let num = |number: i32| store.int(number);
        let state = [store.lt(num(3), x), store.eq(z, num(1))];
        let conditions = [store.lt(x, y)];
        let questions = [
            store.lt(num(2), x),
            store.lt(y, num(0)),
            store.lt(x, num(9)),
            store.eq(z, num(1)),
            store.lt(store.add(y, z), num(4)),
            store.tru(),
        ];
        let expected = [Some(true), Some(false), None, Some(true), Some(false), Some(true)];
        let run = Run::unlimited();
        let mut counts = Vec::new();
        for bits in 0..16 {
            let mut oracle = oracle(&store);
            let is_on = |bit: u32| bits >> bit & 1 == 1;
            oracle.shortcuts = Shortcuts {
                folding: is_on(0),
                slicing: is_on(1),
                models: is_on(2),
                switches: is_on(3),
                memory: true,
            };
            oracle.keep(&conditions);
            let given = Given { state: &state, conditions: &conditions };
            assert_eq!(oracle.decide(&given, &questions, &run).unwrap(), Some(expected.to_vec()), "{bits:b}");
            let impossible = Given { state: &state, conditions: &[store.lt(x, num(0))] };
            assert_eq!(oracle.decide(&impossible, &questions, &run).unwrap(), None, "{bits:b}");
            counts.push(oracle.num_queries);
        }
        assert!(counts[15] < counts[0], "{counts:?}");
    }

    #[test]
    fn answers_are_shared_by_states_that_differ_elsewhere() {
        let store = Store::new();
        let [x, y] = ["x", "y"].map(|name| store.var(name, Sort::Int));
        let (mut oracle, run) = (oracle(&store), Run::unlimited());
        oracle.shortcuts.folding = false;
        let question = [store.lt(store.int(0), x)];
        let condition = [store.eq(x, store.int(5))];
        for number in 0..3 {
            let state = [store.eq(y, store.int(number))];
            let given = Given { state: &state, conditions: &condition };
            assert_eq!(oracle.decide(&given, &question, &run).unwrap(), Some(vec![Some(true)]));
        }
        assert_eq!(oracle.num_queries, 3, "one for the condition, one for a model, one for the other value");
    }

    #[test]
    fn combinations_are_those_of_models() {
        let store = Store::new();
        let x = store.var("x", Sort::Int);
        let questions = [store.lt(x, store.int(1)), store.lt(x, store.int(2))];
        let (mut oracle, run) = (oracle(&store), Run::unlimited());
        let given = Given { state: &[], conditions: &[] };
        let mut found = oracle.combinations(&given, &questions, &run).unwrap().unwrap();
        found.sort();
        assert_eq!(found, [[false, false], [false, true], [true, true]]);
    }
}
