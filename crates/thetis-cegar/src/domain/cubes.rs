//! Predicate abstraction: Cartesian, Boolean and split.
//!
//! A state is a set of cubes, read as a disjunction. The Cartesian and the split domain have one cube in a state; the
//! Boolean domain any number. All three share one solver in which each edge's condition is asserted once, behind a
//! truth value that switches it on.
//!
//! # Cartesian post, cheaply
//! Whether a predicate holds after an edge is whether its formula, with the edge's terms put in for the variables, follows
//! from the source state and the condition. Before any query, the formula may fold to a literal or stand in the
//! source state already. One model of state and condition then rules out one value of every other predicate; a query
//! for the other value either proves the predicate or brings a further model, which is used for all predicates still
//! open. Results are remembered for each state, edge and precision.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_base::{Run, Statistics, Stop};
use thetis_expr::{ExprId, Store, Value};
use thetis_model::cfa::{EdgeId, Inventor};
use thetis_solver::{Answer, CoreSolver, SolverFactory, Valuation};

use super::predicates::{Cube, PredId, PredicateTable, Predicates};
use crate::analysis::Domain;
use crate::program::Action;

/// Which combinations of predicates are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combination {
    /// The strongest conjunction.
    Cartesian,
    /// All cubes in one state.
    Boolean,
    /// Each cube in a state of its own.
    Split,
}

/// The domain. See the [module](self).
pub struct Cubes<'s> {
    store: &'s Store,
    combination: Combination,
    table: Rc<RefCell<PredicateTable>>,
    solver: Box<dyn CoreSolver>,
    inventor: Inventor,
    switches: FxHashMap<EdgeId, ExprId>,
    memory: FxHashMap<(EdgeId, Vec<Cube>, Predicates), Vec<Vec<Cube>>>,
    stats: CubesStats,
}

/// What the domain has counted.
#[derive(Clone, Copy, Default, Debug)]
struct CubesStats {
    posts: u64,
    remembered: u64,
    queries: u64,
}

/// What is known of a predicate after an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    Open,
    Holds(bool),
    Varies,
}

impl<'s> Cubes<'s> {
    /// The domain over the predicates of `table`.
    pub fn new(
        store: &'s Store,
        combination: Combination,
        table: Rc<RefCell<PredicateTable>>,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<Cubes<'s>, Stop> {
        Ok(Cubes {
            store,
            combination,
            table,
            solver: solvers.start(run)?,
            inventor: Inventor::default(),
            switches: FxHashMap::default(),
            memory: FxHashMap::default(),
            stats: CubesStats::default(),
        })
    }

    /// The truth value that switches on the condition of `action`.
    fn switch(&mut self, action: &Action) -> Result<ExprId, Stop> {
        if let Some(switch) = self.switches.get(&action.edge) {
            return Ok(*switch);
        }
        let switch = self.inventor.truth(self.store, "edge");
        self.solver.assert(self.store, self.store.implies(switch, action.condition))?;
        self.switches.insert(action.edge, switch);
        Ok(switch)
    }

    /// The predicates with their formulas before the edge.
    fn before(&self, action: &Action, precision: &Predicates) -> Vec<(PredId, ExprId)> {
        let table = self.table.borrow();
        let before = |id: &PredId| (*id, action.next.substitute(self.store, table.formula(*id)));
        precision.iter().map(before).collect()
    }

    fn state_formula(&self, state: &[Cube]) -> ExprId {
        let table = self.table.borrow();
        self.store.or_all(state.iter().map(|cube| cube.formula(self.store, &table)))
    }

    fn cartesian(
        &mut self,
        from: &[Cube],
        action: &Action,
        predicates: &[(PredId, ExprId)],
    ) -> Result<Vec<Vec<Cube>>, Stop> {
        let source = self.state_formula(from);
        let context = [self.switch(action)?, source];
        let given: FxHashSet<ExprId> = self.store.conjuncts(source).into_iter().collect();
        let mut known: Vec<Known> =
            predicates.iter().map(|(_, formula)| self.known(*formula, &given)).collect();
        if !self.learn(&context, predicates, &mut known, None)? {
            return Ok(Vec::new());
        }
        for position in 0..predicates.len() {
            if let Known::Holds(value) = known[position]
                && !self.is_given(predicates[position].1, value, &given)
            {
                let other = self.with_value(predicates[position].1, !value);
                self.learn(&context, predicates, &mut known, Some(other))?;
            }
        }
        let mut cube = Cube::new();
        for ((id, _), known) in predicates.iter().zip(&known) {
            if let Known::Holds(value) = known {
                cube.insert(*id, *value);
            }
        }
        Ok(vec![vec![cube]])
    }

    /// What needs no query.
    fn known(&self, formula: ExprId, given: &FxHashSet<ExprId>) -> Known {
        match [true, false].into_iter().find(|value| self.is_given(formula, *value, given)) {
            Some(value) => Known::Holds(value),
            None => Known::Open,
        }
    }

    fn is_given(&self, formula: ExprId, value: bool, given: &FxHashSet<ExprId>) -> bool {
        let literal = self.with_value(formula, value);
        literal == self.store.tru() || given.contains(&literal)
    }

    fn with_value(&self, formula: ExprId, value: bool) -> ExprId {
        if value { formula } else { self.store.not(formula) }
    }

    /// Asks for a model of the context and `extra`. A model closes what it contradicts; `false` if there is none.
    fn learn(
        &mut self,
        context: &[ExprId],
        predicates: &[(PredId, ExprId)],
        known: &mut [Known],
        extra: Option<ExprId>,
    ) -> Result<bool, Stop> {
        self.stats.queries += 1;
        let assumptions: Vec<ExprId> = context.iter().copied().chain(extra).collect();
        match self.solver.check(self.store, &assumptions)? {
            Answer::Unsat => Ok(false),
            Answer::Sat(valuation) => {
                for ((_, formula), known) in predicates.iter().zip(known) {
                    if *known != Known::Varies {
                        let seen = holds(self.store, &valuation, *formula)?;
                        *known = match *known {
                            Known::Holds(value) if value != seen => Known::Varies,
                            _ => Known::Holds(seen),
                        };
                    }
                }
                Ok(true)
            }
            // Nothing is known: the edge may be possible, and no predicate follows.
            Answer::Unknown(_) => {
                match extra {
                    None => known.fill(Known::Varies),
                    Some(formula) => {
                        for ((_, other), known) in predicates.iter().zip(known) {
                            if [*other, self.store.not(*other)].contains(&formula) {
                                *known = Known::Varies;
                            }
                        }
                    }
                }
                Ok(true)
            }
        }
    }

    /// All combinations of predicate values after the edge.
    fn all_cubes(
        &mut self,
        from: &[Cube],
        action: &Action,
        predicates: &[(PredId, ExprId)],
        run: &Run,
    ) -> Result<Vec<Cube>, Stop> {
        let context = [self.switch(action)?, self.state_formula(from)];
        self.solver.push()?;
        let mut cubes = Vec::new();
        loop {
            run.checkpoint()?;
            self.stats.queries += 1;
            let (cube, seen) = match self.solver.check(self.store, &context)? {
                Answer::Unsat => break,
                Answer::Unknown(_) => {
                    // Everything is possible.
                    cubes = vec![Cube::new()];
                    break;
                }
                Answer::Sat(valuation) => read_cube(self.store, &valuation, predicates)?,
            };
            cubes.push(cube);
            if predicates.is_empty() {
                break;
            }
            self.solver.assert(self.store, self.store.not(seen))?;
        }
        self.solver.pop()?;
        cubes.sort();
        Ok(cubes)
    }
}

fn holds(store: &Store, valuation: &Valuation<'_>, formula: ExprId) -> Result<bool, Stop> {
    Ok(valuation.evaluate(store, formula)? == Value::Bool(true))
}

/// The values of all predicates, as a cube and as a formula before the edge.
fn read_cube(
    store: &Store,
    valuation: &Valuation<'_>,
    predicates: &[(PredId, ExprId)],
) -> Result<(Cube, ExprId), Stop> {
    let mut cube = Cube::new();
    let mut literals = Vec::new();
    for (id, formula) in predicates {
        let value = holds(store, valuation, *formula)?;
        cube.insert(*id, value);
        literals.push(if value { *formula } else { store.not(*formula) });
    }
    Ok((cube, store.and_all(literals)))
}

impl Domain<Action> for Cubes<'_> {
    type State = Vec<Cube>;
    type Precision = Predicates;

    fn top(&self) -> Vec<Cube> {
        vec![Cube::new()]
    }

    fn successors(
        &mut self,
        from: &Vec<Cube>,
        action: &Action,
        precision: &Predicates,
        run: &Run,
    ) -> Result<Vec<Vec<Cube>>, Stop> {
        self.stats.posts += 1;
        let key = (action.edge, from.clone(), precision.clone());
        if let Some(known) = self.memory.get(&key) {
            self.stats.remembered += 1;
            return Ok(known.clone());
        }
        let predicates = self.before(action, precision);
        let successors = match self.combination {
            Combination::Cartesian => self.cartesian(from, action, &predicates)?,
            Combination::Boolean => {
                let cubes = self.all_cubes(from, action, &predicates, run)?;
                if cubes.is_empty() { Vec::new() } else { vec![cubes] }
            }
            Combination::Split => {
                let cubes = self.all_cubes(from, action, &predicates, run)?;
                cubes.into_iter().map(|cube| vec![cube]).collect()
            }
        };
        run.checkpoint()?;
        self.memory.insert(key, successors.clone());
        Ok(successors)
    }

    /// Each special cube has a general one with fewer literals: sufficient, and never wrong.
    fn covers(&mut self, general: &Vec<Cube>, special: &Vec<Cube>) -> Result<bool, Stop> {
        Ok(special.iter().all(|cube| general.iter().any(|other| other.covers(cube))))
    }

    fn formula(&self, state: &Vec<Cube>) -> ExprId {
        self.state_formula(state)
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("predicates")
            .count("predicates", self.table.borrow().len() as u64)
            .count("posts", self.stats.posts)
            .count("remembered", self.stats.remembered)
            .count("queries", self.stats.queries)
    }
}
