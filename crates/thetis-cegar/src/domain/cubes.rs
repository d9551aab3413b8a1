//! Predicate abstraction: Cartesian, Boolean and split.
//!
//! A state is a set of cubes, read as a disjunction. The Cartesian and the split domain have one cube in a state; the
//! Boolean domain any number. All three share one solver in which each edge's condition is asserted once, behind a
//! truth value that switches it on.
//!
//! # Cheap posts
//! A query costs more than everything else here, so most work is to avoid queries ([`Shortcuts`]):
//!
//! * **folding**: whether a predicate holds after an edge is whether its formula, with the edge's terms put in for the
//!   variables, follows from the source state and the condition. The formula may fold to a literal, or stand in the source
//!   state or the condition already;
//! * **models**: one model of state and condition rules out one value of every open predicate; a query for the other
//!   value either proves the predicate or brings a further model, which is used for all predicates still open;
//! * **memory**: results are remembered for each state, edge and precision;
//! * **switches**: the condition of an edge is told to the solver once.
//!
//! `cargo bench -p thetis-cegar` shows how many queries each one saves.

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

/// The measures that save queries; all of them unless a benchmark wants to see what one is worth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shortcuts {
    /// Decide predicates without the solver where their formulas fold or are given.
    pub folding: bool,
    /// Let each model decide as much as it can.
    pub models: bool,
    /// Remember results.
    pub memory: bool,
    /// Tell the solver the condition of an edge once, instead of with each query.
    pub switches: bool,
}

impl Default for Shortcuts {
    fn default() -> Self {
        Shortcuts { folding: true, models: true, memory: true, switches: true }
    }
}

/// A disjunction of cubes; never empty.
pub type CubesState = Vec<Cube>;

/// The domain. See the [module](self).
pub struct Cubes<'s> {
    store: &'s Store,
    combination: Combination,
    shortcuts: Shortcuts,
    table: Rc<RefCell<PredicateTable>>,
    solver: Box<dyn CoreSolver>,
    inventor: Inventor,
    switches: FxHashMap<EdgeId, ExprId>,
    /// The formulas of predicates before edges.
    before: FxHashMap<(EdgeId, PredId), ExprId>,
    memory: FxHashMap<(EdgeId, ExprId, CubesState), (Predicates, Vec<CubesState>)>,
    stats: CubesStats,
}

/// What the domain has counted.
#[derive(Clone, Copy, Default, Debug)]
struct CubesStats {
    posts: u64,
    remembered: u64,
    folded: u64,
    queries: u64,
}

/// What is known of a predicate after an edge.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Known {
    /// Nothing.
    Open,
    /// No model has the other value yet.
    Likely(bool),
    /// It has this value.
    Certain(bool),
    /// It can have both.
    Varies,
}

/// A post to be computed: what holds before the edge, and the predicates with their formulas before the edge.
struct Post {
    context: [ExprId; 2],
    predicates: Vec<(PredId, ExprId)>,
    known: Vec<Known>,
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
            shortcuts: Shortcuts::default(),
            table,
            solver: solvers.start(run)?,
            inventor: Inventor::default(),
            switches: FxHashMap::default(),
            before: FxHashMap::default(),
            memory: FxHashMap::default(),
            stats: CubesStats::default(),
        })
    }

    /// The same domain with only some measures.
    #[must_use]
    pub fn with_shortcuts(mut self, shortcuts: Shortcuts) -> Cubes<'s> {
        self.shortcuts = shortcuts;
        self
    }

    /// As [`Domain::successors`], where besides `context` holds before the edge.
    pub fn successors_under(
        &mut self,
        from: &CubesState,
        context: ExprId,
        action: &Action,
        precision: &Predicates,
        run: &Run,
    ) -> Result<Vec<CubesState>, Stop> {
        self.stats.posts += 1;
        let key = (action.edge, context, from.clone());
        if let Some((old, known)) = self.memory.get(&key)
            && old == precision
        {
            self.stats.remembered += 1;
            return Ok(known.clone());
        }
        let mut post = self.prepare(from, context, action, precision)?;
        let successors = match self.combination {
            Combination::Cartesian => {
                self.strongest_cube(&mut post)?.map(|cube| vec![cube]).into_iter().collect()
            }
            Combination::Boolean => {
                let cubes = self.all_cubes(&post, run)?;
                if cubes.is_empty() { Vec::new() } else { vec![cubes] }
            }
            Combination::Split => {
                let cubes = self.all_cubes(&post, run)?;
                cubes.into_iter().map(|cube| vec![cube]).collect()
            }
        };
        run.checkpoint()?;
        if self.shortcuts.memory {
            self.memory.insert(key, (precision.clone(), successors.clone()));
        }
        Ok(successors)
    }

    fn prepare(
        &mut self,
        from: &CubesState,
        context: ExprId,
        action: &Action,
        precision: &Predicates,
    ) -> Result<Post, Stop> {
        let source = self.store.and(self.formula(from), context);
        let predicates = self.predicates_before(action, precision);
        let known = if self.shortcuts.folding {
            let given = self.store.conjuncts(source).into_iter().chain(action.step.conjuncts.iter().copied());
            let given: FxHashSet<ExprId> = given.collect();
            predicates.iter().map(|(_, formula)| self.without_query(*formula, &given)).collect()
        } else {
            vec![Known::Open; predicates.len()]
        };
        self.stats.folded += known.iter().filter(|known| **known != Known::Open).count() as u64;
        let condition = if self.shortcuts.switches { self.switch(action)? } else { action.condition };
        Ok(Post { context: [condition, source], predicates, known })
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
    fn predicates_before(&mut self, action: &Action, precision: &Predicates) -> Vec<(PredId, ExprId)> {
        let (store, table, before) = (self.store, self.table.borrow(), &mut self.before);
        let formula = |id: &PredId| {
            let substituted = before
                .entry((action.edge, *id))
                .or_insert_with(|| action.next.substitute(store, table.formula(*id)));
            (*id, *substituted)
        };
        precision.iter().map(formula).collect()
    }

    /// What is known of a formula without asking the solver.
    fn without_query(&self, formula: ExprId, given: &FxHashSet<ExprId>) -> Known {
        if formula == self.store.tru() || given.contains(&formula) {
            Known::Certain(true)
        } else if formula == self.store.fals() || given.contains(&self.store.not(formula)) {
            Known::Certain(false)
        } else {
            Known::Open
        }
    }

    fn with_value(&self, formula: ExprId, value: bool) -> ExprId {
        if value { formula } else { self.store.not(formula) }
    }

    /// The strongest conjunction of predicates and negated predicates after the edge; `None` if it cannot be taken.
    fn strongest_cube(&mut self, post: &mut Post) -> Result<Option<Cube>, Stop> {
        if !self.ask(post, None)? {
            return Ok(None);
        }
        for number in 0..post.predicates.len() {
            if !self.shortcuts.models && matches!(post.known[number], Known::Open) {
                self.ask_both(post, number)?;
            }
            if let Known::Likely(value) = post.known[number] {
                if !self.ask(post, Some((number, !value)))? {
                    post.known[number] = Known::Certain(value);
                }
            }
        }
        let mut cube = Cube::new();
        for ((id, _), known) in post.predicates.iter().zip(&post.known) {
            if let Known::Certain(value) = known {
                cube.insert(*id, *value);
            }
        }
        Ok(Some(cube))
    }

    /// Decides one predicate by itself.
    fn ask_both(&mut self, post: &mut Post, number: usize) -> Result<(), Stop> {
        let [can_hold, can_fail] = [true, false].map(|value| self.ask(post, Some((number, value))));
        post.known[number] = match (can_hold?, can_fail?) {
            (true, true) => Known::Varies,
            (value, _) => Known::Certain(value),
        };
        Ok(())
    }

    /// Asks for a model after the edge, with the value of one predicate given if so, and learns from it what predicates
    /// can be. Returns whether there is one; where the solver cannot tell there may be, and nothing follows.
    fn ask(&mut self, post: &mut Post, wanted: Option<(usize, bool)>) -> Result<bool, Stop> {
        self.stats.queries += 1;
        let extra = wanted.map(|(number, value)| self.with_value(post.predicates[number].1, value));
        let assumptions: Vec<ExprId> = post.context.iter().copied().chain(extra).collect();
        match self.solver.check(self.store, &assumptions)? {
            Answer::Unsat => return Ok(false),
            Answer::Sat(valuation) if self.shortcuts.models => {
                for ((_, formula), known) in post.predicates.iter().zip(&mut post.known) {
                    let seen = match known {
                        Known::Open | Known::Likely(_) => holds(self.store, &valuation, *formula)?,
                        Known::Certain(_) | Known::Varies => continue,
                    };
                    *known = match *known {
                        Known::Likely(value) if value != seen => Known::Varies,
                        _ => Known::Likely(seen),
                    };
                }
            }
            Answer::Sat(_) => {}
            Answer::Unknown(_) => match wanted {
                Some((number, _)) => post.known[number] = Known::Varies,
                None => post.known.fill(Known::Varies),
            },
        }
        Ok(true)
    }

    /// All combinations of predicate values after the edge.
    fn all_cubes(&mut self, post: &Post, run: &Run) -> Result<Vec<Cube>, Stop> {
        let mut certain = Cube::new();
        let mut open = Vec::new();
        for ((id, formula), known) in post.predicates.iter().zip(&post.known) {
            match known {
                Known::Certain(value) => certain.insert(*id, *value),
                _ => open.push((*id, *formula)),
            }
        }
        self.solver.push()?;
        let cubes = self.models(post, &certain, &open, run);
        self.solver.pop()?;
        let mut cubes = cubes?;
        cubes.sort();
        Ok(cubes)
    }

    fn models(
        &mut self,
        post: &Post,
        certain: &Cube,
        open: &[(PredId, ExprId)],
        run: &Run,
    ) -> Result<Vec<Cube>, Stop> {
        let mut cubes = Vec::new();
        loop {
            run.checkpoint()?;
            self.stats.queries += 1;
            let (cube, seen) = match self.solver.check(self.store, &post.context)? {
                Answer::Unsat => return Ok(cubes),
                // Everything is possible.
                Answer::Unknown(_) => return Ok(vec![Cube::new()]),
                Answer::Sat(valuation) => read_cube(self.store, &valuation, certain, open)?,
            };
            cubes.push(cube);
            if open.is_empty() {
                return Ok(cubes);
            }
            self.solver.assert(self.store, self.store.not(seen))?;
        }
    }
}

fn holds(store: &Store, valuation: &Valuation<'_>, formula: ExprId) -> Result<bool, Stop> {
    Ok(valuation.evaluate(store, formula)? == Value::Bool(true))
}

/// The values of all open predicates, as a cube with the certain ones and as a formula before the edge.
fn read_cube(
    store: &Store,
    valuation: &Valuation<'_>,
    certain: &Cube,
    open: &[(PredId, ExprId)],
) -> Result<(Cube, ExprId), Stop> {
    let mut cube = certain.clone();
    let mut literals = Vec::new();
    for (id, formula) in open {
        let value = holds(store, valuation, *formula)?;
        cube.insert(*id, value);
        literals.push(if value { *formula } else { store.not(*formula) });
    }
    Ok((cube, store.and_all(literals)))
}

impl Domain<Action> for Cubes<'_> {
    type State = CubesState;
    type Precision = Predicates;

    fn top(&self) -> CubesState {
        vec![Cube::new()]
    }

    fn successors(
        &mut self,
        from: &CubesState,
        action: &Action,
        precision: &Predicates,
        run: &Run,
    ) -> Result<Vec<CubesState>, Stop> {
        self.successors_under(from, self.store.tru(), action, precision, run)
    }

    /// Each special cube has a general one with fewer literals: sufficient, and never wrong.
    fn covers(&mut self, general: &CubesState, special: &CubesState) -> Result<bool, Stop> {
        Ok(special.iter().all(|cube| general.iter().any(|other| other.covers(cube))))
    }

    fn formula(&self, state: &CubesState) -> ExprId {
        let table = self.table.borrow();
        self.store.or_all(state.iter().map(|cube| cube.formula(self.store, &table)))
    }

    fn num_queries(&self) -> u64 {
        self.stats.queries
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("predicates")
            .count("predicates", self.table.borrow().len() as u64)
            .count("posts", self.stats.posts)
            .count("remembered", self.stats.remembered)
            .count("folded", self.stats.folded)
            .count("queries", self.stats.queries)
    }
}
