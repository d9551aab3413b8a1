//! Removes what a contradiction does not need.
//!
//! [`slice`] keeps the conditions of a core. The rest may still have irrelevant assignments; to find them, the chain is
//! written with a new variable for each assignment, and the equations are assumed one by one, so that the solver's core
//! names those that are [`needed`]. An assignment outside the core may as well give any value: Dietsch, Heizmann, Musa,
//! Nutz and Podelski, *Craig vs. Newton in Software Model Checking* (2017), turn it into a havoc.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Op, Replacer, Store, VarId, Version};
use thetis_solver::{Chain, CoreAnswer, CoreSolver, Step};

use crate::Conjunct;

/// Which assignments of a contradictory chain are needed, and which variables matter at its points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Needed {
    /// The assignments in the core, as step and variable.
    pub assignments: BTreeSet<(usize, VarId)>,
    /// For each point the variables whose value there occurs in the core both before and after.
    pub live: Vec<BTreeSet<VarId>>,
}

/// The chain with only the conditions of `core`, and with havocs instead of assignments whose value is never read.
pub fn slice(store: &Store, chain: &Chain, core: &[Conjunct]) -> Chain {
    let mut kept: Vec<Vec<usize>> = vec![Vec::new(); chain.steps.len()];
    for conjunct in core {
        kept[conjunct.step].push(conjunct.number);
    }
    let steps = chain.steps.iter().zip(kept).map(|(step, kept)| {
        let conjuncts = kept.iter().map(|number| step.conjuncts[*number]).collect();
        Rc::new(Step { conjuncts, next: step.next.clone(), inputs: step.inputs.clone() })
    });
    let mut steps: Vec<Rc<Step>> = steps.collect();
    let mut read: FxHashSet<VarId> = store.vars_of([chain.end]).into_iter().collect();
    for step in steps.iter_mut().rev() {
        *step = with_havocs(store, step, |var| !read.contains(&var));
        let used = step.next.iter().filter(|(var, _)| read.contains(var)).map(|(_, term)| *term);
        let before = store.vars_of(used.chain(step.conjuncts.iter().copied()));
        for (var, _) in &step.next {
            read.remove(var);
        }
        read.extend(before);
    }
    Chain { steps, ..chain.clone() }
}

/// What the contradiction of `chain` needs; `None` if the solver does not find it.
pub fn needed(
    store: &Store,
    chain: &Chain,
    solver: &mut dyn CoreSolver,
    run: &Run,
) -> Result<Option<Needed>, Stop> {
    run.checkpoint()?;
    let encoding = Encoding::new(store, chain);
    let assumptions: Vec<ExprId> = encoding.parts.iter().map(|part| part.formula).collect();
    if assumptions.contains(&store.fals()) {
        return Ok(Some(encoding.needed(store, &[store.fals()], chain.steps.len())));
    }
    let assumed: Vec<ExprId> = assumptions.into_iter().filter(|formula| *formula != store.tru()).collect();
    let core = match solver.check_core(store, &assumed)? {
        CoreAnswer::Unsat(core) => core,
        CoreAnswer::Sat(_) | CoreAnswer::Unknown(_) => return Ok(None),
    };
    Ok(Some(encoding.needed(store, &core, chain.steps.len())))
}

/// The chain in single-assignment form.
struct Encoding {
    parts: Vec<EncodedFormula>,
    /// For each version its variable, and the first and last point at which it is current.
    versions: Vec<(VarId, VarId, usize, usize)>,
}

struct EncodedFormula {
    /// The point at which the part is: step `n` is at `n + 1/2`, the start before 0 and the end after the last point.
    step: Option<usize>,
    assigned: Option<VarId>,
    formula: ExprId,
}

impl Encoding {
    fn new(store: &Store, chain: &Chain) -> Encoding {
        let mut encoding = Encoding { parts: Vec::new(), versions: Vec::new() };
        let mut counter = 0;
        let mut fresh = |var: VarId| {
            counter += 1;
            store.at_version(var, Version::Step(counter))
        };
        let mut state: FxHashMap<VarId, (VarId, usize)> =
            chain.vars(store).into_iter().map(|var| (var, (fresh(var), 0))).collect();
        encoding.add(None, None, renamed(store, &state, chain.start));
        for (number, step) in chain.steps.iter().enumerate() {
            let mut before = state.clone();
            before.extend(step.inputs.iter().map(|input| (*input, (fresh(*input), number))));
            for conjunct in &step.conjuncts {
                encoding.add(Some(number), None, renamed(store, &before, *conjunct));
            }
            for (var, term) in &step.next {
                let value = renamed(store, &before, *term);
                let is_havoc = store.as_var(*term).is_some_and(|input| step.inputs.contains(&input));
                let version = match store.as_var(value) {
                    Some(input) if is_havoc => input,
                    _ => fresh(*var),
                };
                if let Some((old, since)) = state.insert(*var, (version, number + 1)) {
                    encoding.versions.push((*var, old, since, number));
                }
                if !is_havoc {
                    let equation = store.eq(store.var_expr(version), value);
                    encoding.add(Some(number), Some(*var), equation);
                }
            }
        }
        let end = store.not(renamed(store, &state, chain.end));
        encoding.add(Some(chain.steps.len()), None, end);
        let mut last: Vec<_> = state.into_iter().collect();
        last.sort();
        let last = last.into_iter().map(|(var, (version, since))| (var, version, since, chain.steps.len()));
        encoding.versions.extend(last);
        encoding
    }

    fn add(&mut self, step: Option<usize>, assigned: Option<VarId>, formula: ExprId) {
        self.parts.push(EncodedFormula { step, assigned, formula });
    }

    fn needed(&self, store: &Store, core: &[ExprId], num_steps: usize) -> Needed {
        let core: FxHashSet<ExprId> = core.iter().copied().collect();
        let mut assignments = BTreeSet::new();
        // The first and the last part in which a version occurs; the start counts as step -1.
        let mut spans: FxHashMap<VarId, (i64, i64)> = FxHashMap::default();
        for part in self.parts.iter().filter(|part| core.contains(&part.formula)) {
            let place = part.step.map_or(-1, |step| step as i64);
            if let (Some(step), Some(var)) = (part.step, part.assigned) {
                assignments.insert((step, var));
            }
            for var in store.vars_of([part.formula]) {
                let span = spans.entry(var).or_insert((place, place));
                *span = (span.0.min(place), span.1.max(place));
            }
        }
        let mut live = vec![BTreeSet::new(); num_steps + 1];
        for (var, version, since, until) in &self.versions {
            let Some((first, last)) = spans.get(version) else { continue };
            for (point, live) in live.iter_mut().enumerate().take(until + 1).skip(*since) {
                let point = point as i64;
                if *first < point && *last >= point {
                    live.insert(*var);
                }
            }
        }
        Needed { assignments, live }
    }
}

fn renamed(store: &Store, state: &FxHashMap<VarId, (VarId, usize)>, formula: ExprId) -> ExprId {
    Replacer::new(|store: &Store, var| state.get(&var).map(|(version, _)| store.var_expr(*version)))
        .apply(store, formula)
}

/// The step with some assignments turned into havocs; those that assign an input are havocs already.
pub(crate) fn with_havocs(store: &Store, step: &Rc<Step>, is_havoc: impl Fn(VarId) -> bool) -> Rc<Step> {
    let mut havocked = Step::clone(step);
    for (var, term) in &mut havocked.next {
        let is_input = matches!(store.op(*term), Op::Var(input) if step.inputs.contains(&input));
        if !is_input && is_havoc(*var) {
            let anything = anything(store, *var);
            havocked.inputs.push(anything);
            *term = store.var_expr(anything);
        }
    }
    if havocked.inputs.len() == step.inputs.len() { step.clone() } else { Rc::new(havocked) }
}

/// The input that stands for any value of `var`. No front end accepts the character in names.
fn anything(store: &Store, var: VarId) -> VarId {
    store.declare(&format!("{}!any", store.var_name(var)), store.var_sort(var))
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;
    use thetis_solver::SolverFactory;
    use thetis_z3::Z3Factory;

    use super::*;
    use crate::{Feasibility, Unrolled};

    #[test]
    fn only_what_contradicts_itself_is_needed() {
        let store = Store::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| store.declare(name, Sort::Int));
        let [tx, ty, tz] = [x, y, z].map(|var| store.var_expr(var));
        let step = |conjuncts, next| Rc::new(Step { conjuncts, next, inputs: Vec::new() });
        let positive = |term| store.lt(store.int(0), term);
        // x := 1, y := 7; x := x + 1, z := y; [x <= 0 and z > 0].
        let chain = Chain::infeasible(
            &store,
            vec![
                step(vec![positive(tz)], vec![(x, store.int(1)), (y, store.int(7))]),
                step(vec![], vec![(x, store.add(tx, store.int(1))), (z, ty)]),
                step(vec![store.not(positive(tx)), positive(tz)], vec![]),
            ],
        );
        let run = Run::unlimited();
        let mut solver = Z3Factory::default().start(&run).unwrap();
        let unrolled = Unrolled::new(&store, &chain);
        let Ok(Feasibility::Infeasible(core)) = unrolled.check(&store, &mut *solver, |_| Ok(()), &run) else {
            panic!("the chain should be infeasible");
        };
        assert_eq!(core, [Conjunct { step: 2, number: 0 }]);
        let chain = slice(&store, &chain, &core);
        let needed = needed(&store, &chain, &mut *solver, &run).unwrap().unwrap();
        assert_eq!(needed.assignments.iter().copied().collect::<Vec<_>>(), [(0, x), (1, x)]);
        let live: Vec<Vec<VarId>> = needed.live.iter().map(|vars| vars.iter().copied().collect()).collect();
        assert_eq!(live, [vec![], vec![x], vec![x], vec![]]);
        let havocked = with_havocs(&store, &chain.steps[1], |var| !needed.assignments.contains(&(1, var)));
        assert_eq!(havocked.inputs.len(), 1, "z gets any value");
        assert_eq!(havocked.next[0], chain.steps[1].next[0]);
    }
}
