//! Explicit values: a state knows the values of some tracked variables.
//!
//! The post follows Algorithm 4 of Hajdu and Micskei 2019: known values are substituted into the condition and the terms of an edge. Terms
//! that fold to a literal need no solver. Otherwise the solver enumerates the tracked values after the edge, up to a limit; beyond the limit
//! the values that are not literals become unknown. A variable about which nothing is known, and which nothing constrains, stays unknown
//! until an expression uses it, even if there is no limit (Hajdu 2020, RQ1). An assumption that a variable equals a literal makes its value
//! known even then; where the solver must not be asked (`1*`), this is all that is done.
//!
//! The limit may be part of the precision (`auto`): it then starts at one and grows where more variables do not help, which the
//! authors name as a direction to try.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Op, PartialTruth, Replacer, Sort, Store, Value, VarId};
use thetis_solver::{Answer, CoreSolver, SolverFactory};

use super::bounds::{Bounds, NumValues};
use super::union::Union;
use crate::analysis::Domain;
use crate::config::MaxEnum;
use crate::program::Action;

/// The known values.
pub type Values = BTreeMap<VarId, Value>;

/// What is tracked at a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackedValues {
    /// The variables.
    pub variables: BTreeSet<VarId>,
    /// How many successors are enumerated, if that is chosen automatically.
    pub limit: u32,
}

impl Default for TrackedValues {
    fn default() -> TrackedValues {
        TrackedValues { variables: BTreeSet::new(), limit: 1 }
    }
}

/// The domain. See the [module](self).
pub struct Explicit<'s> {
    store: &'s Store,
    max_enum: MaxEnum,
    solver: Box<dyn CoreSolver>,
    /// The values of terms under conditions, as far as they were enumerated.
    memory: FxHashMap<(ExprId, Terms, usize), Option<Vec<Values>>>,
    /// The state that was used last, and the truth values of conditions there.
    last: (Values, PartialTruth),
    queries: u64,
    posts: u64,
    remembered: u64,
}

/// Variables with the terms whose values they get.
type Terms = Vec<(VarId, ExprId)>;

impl<'s> Explicit<'s> {
    /// The domain that enumerates as many successors as `max_enum` says.
    pub fn new(
        store: &'s Store,
        max_enum: MaxEnum,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Explicit<'s>, Stop> {
        let (solver, memory) = (solvers.start(run)?, FxHashMap::default());
        let last = (Values::new(), PartialTruth::default());
        Ok(Explicit { store, max_enum, solver, memory, last, queries: 0, posts: 0, remembered: 0 })
    }

    /// As [`Domain::successors`], where `context` also holds before the edge.
    pub fn successors_under(
        &mut self,
        from: &Values,
        context: ExprId,
        action: &Action,
        precision: &TrackedValues,
        run: &Run,
    ) -> Result<Vec<Values>, Stop> {
        self.posts += 1;
        let limit = self.limit(precision);
        let store = self.store;
        if self.contradicts(from, action.condition) {
            return Ok(Vec::new());
        }
        let mut known = from.clone();
        if assume(store, store.and(context, action.condition), &mut known).is_none() {
            return Ok(Vec::new());
        }
        let mut replacer = replacer(&known);
        let (mut values, mut open) = (Values::new(), Terms::new());
        for var in &precision.variables {
            let term = replacer.apply(store, action.next.get(*var));
            match store.value(term) {
                Some(value) => drop(values.insert(*var, value)),
                None => open.push((*var, term)),
            }
        }
        if self.max_enum == MaxEnum::OneWithoutSolver {
            return Ok(vec![values]);
        }
        let [condition, context] =
            [action.condition, context].map(|part| store.conjuncts(replacer.apply(store, part)));
        forget_free(store, &condition, &context, &mut open);
        let Slices { about_open, others } = slices(store, &condition, &context, &open);
        for other in others {
            if self.enumerate(other, &Terms::new(), limit, run)?.is_some_and(|found| found.is_empty()) {
                return Ok(Vec::new());
            }
        }
        if open.is_empty() {
            return Ok(vec![values]);
        }
        let Some(found) = self.enumerate(about_open, &open, limit, run)? else { return Ok(vec![values]) };
        let merged = found.into_iter().map(|mut found| {
            found.extend(values.clone());
            found
        });
        Ok(merged.collect())
    }

    /// How many successors may be enumerated.
    fn limit(&self, precision: &TrackedValues) -> usize {
        match self.max_enum {
            MaxEnum::Unlimited => usize::MAX,
            MaxEnum::AtMost(limit) => limit as usize,
            MaxEnum::OneWithoutSolver => 1,
            MaxEnum::Auto => precision.limit as usize,
        }
    }

    /// Whether known values make a condition false. This excludes most edges out of a state.
    fn contradicts(&mut self, from: &Values, condition: ExprId) -> bool {
        let (last, truths) = &mut self.last;
        if last != from {
            from.clone_into(last);
            truths.clear();
        }
        truths.of(self.store, condition, &|var| from.get(&var)) == Some(false)
    }

    /// The values of the terms in models of the condition, as far as the solver can enumerate them; `None` beyond the
    /// limit. Without terms, one empty assignment stands for any model.
    fn enumerate(
        &mut self,
        condition: ExprId,
        open: &Terms,
        limit: usize,
        run: &Run,
    ) -> Result<Option<Vec<Values>>, Stop> {
        let key = (condition, open.clone(), limit);
        if let Some(found) = self.memory.get(&key) {
            self.remembered += 1;
            return Ok(found.clone());
        }
        if let Some(found) = self.by_bounds(condition, open, limit) {
            return Ok(found);
        }
        self.solver.push()?;
        let found = self.models(condition, open, limit, run);
        self.solver.pop()?;
        let found = found?;
        run.checkpoint()?;
        self.memory.insert(key, found.clone());
        Ok(found)
    }

    /// The same without the solver, if the condition consists of bounds.
    fn by_bounds(&self, condition: ExprId, open: &Terms, limit: usize) -> Option<Option<Vec<Values>>> {
        if limit != 1 && !open.is_empty() {
            return None;
        }
        let store = self.store;
        let bounds = Bounds::of(store, [condition])?;
        if !bounds.is_possible() {
            return Some(Some(Vec::new()));
        }
        let mut values = Values::new();
        for (var, term) in open {
            match bounds.num_values(store, store.as_var(*term)?) {
                NumValues::One(value) => drop(values.insert(*var, value)),
                NumValues::Several => return Some(None),
            }
        }
        Some(Some(vec![values]))
    }

    fn models(
        &mut self,
        condition: ExprId,
        open: &[(VarId, ExprId)],
        limit: usize,
        run: &Run,
    ) -> Result<Option<Vec<Values>>, Stop> {
        self.solver.assert(self.store, condition)?;
        let mut found = Vec::new();
        loop {
            run.checkpoint()?;
            self.queries += 1;
            let values: Values = match self.solver.check(self.store, &[])? {
                Answer::Unsat => return Ok(Some(found)),
                Answer::Unknown(_) => return Ok(None),
                Answer::Sat(valuation) => open
                    .iter()
                    .map(|(var, term)| Ok((*var, valuation.evaluate(self.store, *term)?)))
                    .collect::<Result<_, Stop>>()?,
            };
            if found.len() >= limit {
                return Ok(None);
            }
            let equal =
                open.iter().map(|(var, term)| self.store.eq(*term, self.store.literal(values[var].clone())));
            let same = self.store.and_all(equal);
            found.push(values);
            if open.is_empty() {
                return Ok(Some(found));
            }
            self.solver.assert(self.store, self.store.not(same))?;
        }
    }
}

fn replacer(known: &Values) -> Replacer<impl FnMut(&Store, VarId) -> Option<ExprId>> {
    Replacer::new(|store: &Store, var| known.get(&var).map(|value| store.literal(value.clone())))
}

/// Puts known values into `condition` and learns the value of each variable that it says equals a literal, until there
/// are no more. `None` if the condition is false.
fn assume(store: &Store, condition: ExprId, known: &mut Values) -> Option<ExprId> {
    let mut condition = condition;
    loop {
        condition = replacer(known).apply(store, condition);
        if condition == store.fals() {
            return None;
        }
        let before = known.len();
        for conjunct in store.conjuncts(condition) {
            if let Some((var, value)) = equation(store, conjunct) {
                known.entry(var).or_insert(value);
            }
        }
        if known.len() == before {
            return Some(condition);
        }
    }
}

/// The variable and the value of a conjunct such as `x = 1`, `b` or `not b`.
fn equation(store: &Store, conjunct: ExprId) -> Option<(VarId, Value)> {
    match store.op(conjunct) {
        Op::Var(var) => Some((var, Value::Bool(true))),
        Op::Not => Some((store.as_var(store.arg(conjunct, 0))?, Value::Bool(false))),
        Op::Eq => {
            let (left, right) = (store.arg(conjunct, 0), store.arg(conjunct, 1));
            let sides = |var: ExprId, value: ExprId| Some((store.as_var(var)?, store.value(value)?));
            sides(left, right).or_else(|| sides(right, left))
        }
        _ => None,
    }
}

/// Leaves out variables that just keep an unknown value: they have more values than can be enumerated, and enumerating
/// them would only make the others unknown as well.
fn forget_free(store: &Store, condition: &[ExprId], context: &[ExprId], open: &mut Terms) {
    let constrained: FxHashSet<VarId> =
        store.vars_of(condition.iter().chain(context).copied()).into_iter().collect();
    let mut uses: FxHashMap<VarId, u32> = FxHashMap::default();
    for (_, term) in open.iter() {
        store.vars_of([*term]).into_iter().for_each(|var| *uses.entry(var).or_default() += 1);
    }
    let is_free = |term: ExprId| {
        store.as_var(term).is_some_and(|var| {
            uses[&var] == 1 && !constrained.contains(&var) && store.var_sort(var) != Sort::Bool
        })
    };
    open.retain(|(_, term)| !is_free(*term));
}

/// The conjuncts that matter after known values were put in.
struct Slices {
    /// What shares variables with the terms whose values are looked for.
    about_open: ExprId,
    /// The remaining conditions and what is connected with them, grouped by shared variables.
    others: Vec<ExprId>,
}

/// Splits conditions and context by the variables they share. A context is satisfiable by itself, so its parts that
/// are unrelated to conditions and terms are left out.
fn slices(store: &Store, conditions: &[ExprId], context: &[ExprId], open: &Terms) -> Slices {
    let mut union = Union::default();
    let of_formula = |formula: &ExprId| (*formula, store.vars_of([*formula]));
    let conditions: Vec<(ExprId, Vec<VarId>)> = conditions.iter().map(of_formula).collect();
    let context: Vec<(ExprId, Vec<VarId>)> = context.iter().map(of_formula).collect();
    for (_, vars) in conditions.iter().chain(&context) {
        union.join(vars);
    }
    let open_vars = store.vars_of(open.iter().map(|(_, term)| *term));
    let open_root = union.join(&open_vars);
    let mut groups: BTreeMap<Option<usize>, Vec<ExprId>> = BTreeMap::new();
    for (formula, vars) in conditions {
        groups.entry(union.join(&vars)).or_default().push(formula);
    }
    if open_root.is_some() {
        groups.entry(open_root).or_default();
    }
    for (formula, vars) in context {
        if let Some(group) = groups.get_mut(&union.join(&vars)) {
            group.push(formula);
        }
    }
    let about_open = open_root.and_then(|root| groups.remove(&Some(root))).unwrap_or_default();
    let others = groups.into_values().map(|group| store.and_all(group)).filter(|group| *group != store.tru());
    Slices { about_open: store.and_all(about_open), others: others.collect() }
}

impl Domain<Action> for Explicit<'_> {
    type State = Values;
    type Precision = TrackedValues;

    fn top(&self) -> Values {
        Values::new()
    }

    fn successors(
        &mut self,
        from: &Values,
        action: &Action,
        precision: &TrackedValues,
        run: &Run,
    ) -> Result<Vec<Values>, Stop> {
        self.successors_under(from, self.store.tru(), action, precision, run)
    }

    fn covers(&mut self, general: &Values, special: &Values) -> Result<bool, Stop> {
        Ok(general.iter().all(|(var, value)| special.get(var) == Some(value)))
    }

    fn formula(&self, state: &Values) -> ExprId {
        let store = self.store;
        let equal =
            |(var, value): (&VarId, &Value)| store.eq(store.var_expr(*var), store.literal(value.clone()));
        store.and_all(state.iter().map(equal))
    }

    fn num_queries(&self) -> u64 {
        self.queries
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("explicit")
            .count("posts", self.posts)
            .count("remembered", self.remembered)
            .count("queries", self.queries)
    }
}
