//! From networks to automata, so that engines for automata serve timed automata too.
//!
//! Every discrete state becomes a location, whatever the clocks are; clocks are rational variables. Time passes on arrival, so what
//! holds at a location holds for all delays there:
//!
//! ```text
//! start -> s0   { all clocks := 0            assume invariant  delay }
//! s     -> s'   { assume guard  set clocks   assume invariant  delay }      for every move
//! s     -> bad  { assume target }
//! delay         { havoc d  assume d >= 0  all clocks := clock + d  assume invariant  d := 0 }
//! ```
//!
//! Where time stands still there is no delay. A move that fails with a run-time error leads to a limit, as does a discrete state
//! beyond the largest number of them; questions about deadlocks and liveness are limits as a whole.
//!
//! A run is lifted to moves with delays. An invariant is lifted to zones if it consists of bounds on clocks and differences of
//! clocks by whole numbers ([`zones`](super::zones_of)); otherwise there is no proof. The zones are checked on the network itself,
//! so nothing here is trusted.

use std::collections::BTreeMap;

use num_integer::Integer;
use num_traits::{One, ToPrimitive};
use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, Run, Stop};
use thetis_expr::{ExprId, Rational, Sort, Store, Value, VarId};

use super::zones_of::{ClockVars, zones_of};
use super::{
    ClockEffect, ClockId, Difference, Discrete, Formula, Moves, Network, Participants, RuntimeError,
    TimedStep, XtaProof, XtaTrace, ZoneGroup,
};
use crate::cfa::{self, Cfa, CfaBuilder, CfaProof, CfaProperty, CfaTrace, LocId, Stmt};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// The most discrete states that are translated.
const MAX_STATES: usize = 20_000;

/// The pass. See the [module](self).
pub struct ToCfa;

impl Pass<Network> for ToCfa {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "xta-to-cfa"
    }

    fn apply(&self, task: Task<Network>, run: &Run) -> Result<Passed<Network, Cfa>, Stop> {
        let Task { store, model: network, property } = task;
        let target = property.target();
        let is_reachability = property.endless().is_none() && !target.mentions_deadlock();
        let (mut builder, lift) = {
            let mut translation = Translation::new(&store, &network);
            if is_reachability {
                translation.translate(&target, run)?;
            } else {
                translation.give_up("questions about deadlocks and liveness are not translated");
            }
            translation.finish()
        };
        lift.all_vars().for_each(|var| builder.var(var));
        let model = builder.build(&store).expect("the automaton of a network should be valid");
        let task = Task { store, model, property: CfaProperty::ErrorLocation };
        Ok(Passed { task, lift: Box::new(lift) })
    }
}

/// What an edge of the automaton stands for.
enum Meaning {
    /// The start, with the first delay.
    Start,
    /// A move, with the delay after it.
    Move(Participants),
    /// The last state is in the target, or beyond the translation.
    End,
}

struct Translation<'t> {
    store: &'t Store,
    network: &'t Network,
    moves: Moves<'t>,
    builder: CfaBuilder,
    clocks: Vec<VarId>,
    delay: VarId,
    /// The discrete states, in the order of their locations.
    states: Vec<(Discrete, LocId)>,
    numbers: FxHashMap<Discrete, usize>,
    meanings: IndexVec<cfa::EdgeId, Meaning>,
    start: LocId,
    bad: LocId,
}

impl<'t> Translation<'t> {
    fn new(store: &'t Store, network: &'t Network) -> Translation<'t> {
        let clocks = network.clocks.iter().map(|clock| store.declare(&clock.name, Sort::Real)).collect();
        let mut builder = CfaBuilder::new("network");
        let [start, bad] = ["start", "bad"].map(|name| builder.location(name, None));
        builder.initial(start);
        builder.error(bad);
        Translation {
            store,
            network,
            moves: Moves::new(network),
            builder,
            clocks,
            delay: store.declare_fresh("delay", Sort::Real),
            states: Vec::new(),
            numbers: FxHashMap::default(),
            meanings: IndexVec::new(),
            start,
            bad,
        }
    }

    fn translate(&mut self, target: &Formula, run: &Run) -> Result<(), Stop> {
        let zeros = self.network.clocks.indices().map(|clock| ClockEffect { clock, value: 0 }).collect();
        self.add_move(self.start, self.network.initial(), Vec::new(), zeros, Meaning::Start);
        let mut next = 0;
        while next < self.states.len() {
            if next.is_multiple_of(64) {
                run.checkpoint()?;
            }
            if let Err(error) = self.expand(next, target) {
                self.fail(self.states[next].1, Vec::new(), &error);
            }
            next += 1;
        }
        Ok(())
    }

    fn expand(&mut self, number: usize, target: &Formula) -> Result<(), RuntimeError> {
        let (state, location) = self.states[number].clone();
        let situation = self.moves.situation(&state)?;
        for case in target.cases(self.moves.machine_at(&state))? {
            let stmt = self.assume(&case.differences);
            self.add_edge(location, self.bad, stmt, Meaning::End);
        }
        for step in situation.moves {
            match self.moves.fire(&state, &step.participants) {
                Ok((next, effects)) => {
                    self.add_move(location, next, step.guard, effects, Meaning::Move(step.participants));
                }
                Err(error) => self.fail(location, step.guard, &error),
            }
        }
        Ok(())
    }

    /// An edge to a discrete state, with a delay after it.
    fn add_move(
        &mut self,
        from: LocId,
        state: Discrete,
        guard: Vec<Difference>,
        effects: Vec<ClockEffect>,
        meaning: Meaning,
    ) {
        let facts = self.moves.invariant(&state).and_then(|invariant| {
            let is_frozen = self.moves.is_frozen(&state)?;
            Ok(invariant.map(|invariant| (invariant, is_frozen)))
        });
        let (invariant, is_frozen) = match facts {
            Ok(Some(facts)) => facts,
            Ok(None) => return,
            Err(error) => return self.fail(from, guard, &error),
        };
        let mut stmts = vec![self.assume(&guard)];
        stmts.extend(effects.iter().map(|effect| {
            Stmt::assign(self.clocks[effect.clock.index()], self.number(i64::from(effect.value)))
        }));
        stmts.push(self.assume(&invariant));
        if !is_frozen {
            stmts.extend(self.wait(&invariant));
        }
        let Some(to) = self.location(state) else {
            return self.stop(from, stmts, "there are too many discrete states".into());
        };
        self.add_edge(from, to, Stmt::seq(stmts), meaning);
    }

    fn wait(&self, invariant: &[Difference]) -> Vec<Stmt> {
        let (delay, zero) = (self.store.var_expr(self.delay), self.number(0));
        let mut stmts = vec![Stmt::havoc(self.delay), Stmt::assume(self.store.le(zero, delay))];
        let later = |clock: &VarId| Stmt::assign(*clock, self.store.add(self.store.var_expr(*clock), delay));
        stmts.extend(self.clocks.iter().map(later));
        stmts.push(self.assume(invariant));
        stmts.push(Stmt::assign(self.delay, zero));
        stmts
    }

    /// The location of a discrete state; `None` if there are too many.
    fn location(&mut self, state: Discrete) -> Option<LocId> {
        if let Some(number) = self.numbers.get(&state) {
            return Some(self.states[*number].1);
        }
        let number = self.states.len();
        if number == MAX_STATES {
            return None;
        }
        let location = self.builder.location(format!("s{number}"), None);
        self.numbers.insert(state.clone(), number);
        self.states.push((state, location));
        Some(location)
    }

    fn fail(&mut self, from: LocId, guard: Vec<Difference>, error: &RuntimeError) {
        let stmt = self.assume(&guard);
        self.stop(from, vec![stmt], format!("a run-time error of the model is reachable: {error}"));
    }

    fn give_up(&mut self, reason: &str) {
        self.stop(self.start, Vec::new(), reason.to_owned());
    }

    /// An edge to a new limit.
    fn stop(&mut self, from: LocId, stmts: Vec<Stmt>, reason: String) {
        let limit = self.builder.location(format!("limit{}", self.meanings.len()), None);
        self.builder.limit(limit, reason);
        self.add_edge(from, limit, Stmt::seq(stmts), Meaning::End);
    }

    fn add_edge(&mut self, from: LocId, to: LocId, stmt: Stmt, meaning: Meaning) {
        self.builder.edge(from, to, stmt, None);
        self.meanings.push(meaning);
    }

    fn assume(&self, constraints: &[Difference]) -> Stmt {
        Stmt::assume(self.store.and_all(constraints.iter().map(|one| self.constraint(*one))))
    }

    fn constraint(&self, one: Difference) -> ExprId {
        let value = |clock: Option<ClockId>| match clock {
            Some(clock) => self.store.var_expr(self.clocks[clock.index()]),
            None => self.number(0),
        };
        let (left, limit) = (value(one.left), self.number(i64::from(one.limit)));
        let difference = match one.right {
            Some(_) => self.store.sub(left, value(one.right)),
            None => left,
        };
        match one.is_strict {
            true => self.store.lt(difference, limit),
            false => self.store.le(difference, limit),
        }
    }

    fn number(&self, number: i64) -> ExprId {
        self.store.real(Rational::from_integer(number.into()))
    }

    fn finish(self) -> (CfaBuilder, ToCfaLift) {
        let lift = ToCfaLift {
            clocks: self.clocks,
            delay: self.delay,
            states: self.states,
            meanings: self.meanings,
        };
        (self.builder, lift)
    }
}

struct ToCfaLift {
    clocks: Vec<VarId>,
    delay: VarId,
    states: Vec<(Discrete, LocId)>,
    meanings: IndexVec<cfa::EdgeId, Meaning>,
}

impl ToCfaLift {
    fn all_vars(&self) -> impl Iterator<Item = VarId> {
        self.clocks.iter().copied().chain([self.delay])
    }
}

impl Lift<Cfa, Network> for ToCfaLift {
    fn trace(&self, trace: CfaTrace) -> XtaTrace {
        let (mut delays, mut taken) = (Vec::new(), Vec::new());
        for step in &trace.steps {
            match &self.meanings[step.edge] {
                Meaning::End => continue,
                Meaning::Start => {}
                Meaning::Move(participants) => taken.push(participants.clone()),
            }
            delays.push(match step.inputs.first() {
                Some(Value::Real(delay)) => delay.clone(),
                _ => Rational::from_integer(0.into()),
            });
        }
        // Times that do not fit become a run that the checker rejects.
        timed(&delays, taken).unwrap_or(XtaTrace {
            ticks_per_unit: 0,
            steps: Vec::new(),
            last_delay: 0,
            forever: None,
        })
    }

    fn proof(&self, _: &Task<Network>, inner: &Store, proof: CfaProof) -> Evidence<XtaProof> {
        let CfaProof::Invariants(invariants) = proof else {
            return Evidence::Missing("only invariants of the automaton become zones");
        };
        if !invariants.cells.is_empty() {
            return Evidence::Missing("zones have no quantifiers");
        }
        let clocks: Vec<ClockId> = (0..self.clocks.len()).map(ClockId::from).collect();
        let numbers: BTreeMap<VarId, ClockId> = self.clocks.iter().copied().zip(clocks.clone()).collect();
        let vars = ClockVars { clocks: numbers, zero: self.delay };
        let mut groups = Vec::new();
        for (state, location) in &self.states {
            if invariants.derived.contains(location) {
                return Evidence::Missing("a derived location has no zones");
            }
            let formula = invariants.formulas.get(location).copied().unwrap_or(inner.tru());
            let Some(zones) = zones_of(inner, formula, &vars) else {
                return Evidence::Missing("an invariant of the automaton is no union of zones");
            };
            let mut group = ZoneGroup { state: state.clone(), clocks: clocks.clone(), zones: Vec::new() };
            zones.iter().for_each(|zone| group.push(zone));
            if !group.zones.is_empty() {
                groups.push(group);
            }
        }
        Evidence::Given(XtaProof { groups, ..XtaProof::default() })
    }
}

/// A run with these delays before its moves and at its end; `None` if its times are too large.
fn timed(delays: &[Rational], taken: Vec<Participants>) -> Option<XtaTrace> {
    let unit = delays.iter().fold(num_bigint::BigInt::one(), |unit, delay| unit.lcm(delay.denom()));
    let ticks = |delay: &Rational| (delay * Rational::from_integer(unit.clone())).to_integer().to_u64();
    let mut ticks = delays.iter().map(ticks).collect::<Option<Vec<u64>>>()?;
    let last_delay = ticks.pop()?;
    let steps = ticks.into_iter().zip(taken).map(|(delay, participants)| TimedStep { delay, participants });
    Some(XtaTrace { ticks_per_unit: unit.to_u64()?, steps: steps.collect(), last_delay, forever: None })
}
