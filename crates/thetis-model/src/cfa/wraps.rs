//! Automata whose arithmetic does not wrap around, and one more error location for where it would have.
//!
//! The arithmetic of a program is that of its machine: `x + 1` is a sum and a remainder modulo a power of two. Remainders
//! make formulas hard, and most of them never do anything. [`WithoutWraps`] leaves them out: an edge that wraps a value
//! becomes an edge that can be taken if the value is in range and does not wrap it, and an edge to a new error location,
//! the *overflow*, that can be taken if it is not. What a term needs to be in range for is looked at from the
//! outside in: an operand that does not matter (the other branch of a choice, what follows a false conjunct) need not be.
//!
//! If neither an error nor the overflow is reachable, then no value is ever out of range, the two automata have the same
//! runs, and the location invariants of the new one are location invariants of the old one: where a value is wrapped, they
//! say that it is in range. A run to an old error location is a run of the old automaton. A run to the overflow says
//! nothing but that the assumption was wrong.

use std::collections::BTreeSet;

use num_bigint::BigInt;
use num_traits::One;
use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Postorder, Store};

use super::evidence::OTHER_RUNS;
use super::{
    Cfa, CfaInvariants, CfaProof, CfaTrace, CfaUnwinding, Edge, EdgeId, Graph, LocId, Location, LongRuns,
    Stmt, StmtKind,
};
use crate::{Evidence, Task};

/// The widths of the integers of machines: remainders modulo other powers are not taken for wrapping.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// An automaton without wraps. See the [module](self).
pub struct WithoutWraps {
    /// The new automaton with the same property.
    pub task: Task<Cfa>,
    /// Edges from this one on are those to the overflow.
    first_new: EdgeId,
    overflow: LocId,
}

impl WithoutWraps {
    /// The automaton of `task` without wraps; `None` if nothing in it wraps.
    pub fn new(task: &Task<Cfa>) -> Option<WithoutWraps> {
        let store = &task.store;
        let mut model = task.model.clone();
        let mut unwrapper = Unwrapper { store, done: FxHashMap::default() };
        let first_new = model.edges.next_idx();
        let overflow = model.locations.next_idx();
        let mut edges_to_overflow = Vec::new();
        for edge in model.edges.iter_mut() {
            let Some((stmt, need)) = unwrapper.stmt(&edge.stmt) else { continue };
            let outside = Stmt::assume(store.not(need));
            edges_to_overflow.push(Edge { target: overflow, stmt: outside, ..edge.clone() });
            edge.stmt = stmt;
        }
        if edges_to_overflow.is_empty() {
            return None;
        }
        model.edges.extend(edges_to_overflow);
        // No front end accepts this character in names.
        model.locations.push(Location { name: "overflow!".into(), span: None });
        model.errors.push(overflow);
        let task = Task { store: store.clone(), model, property: task.property.clone() };
        Some(WithoutWraps { task, first_new, overflow })
    }

    /// Whether `trace` goes to the overflow; else it is a run of the old automaton.
    pub fn overflows(&self, trace: &CfaTrace) -> bool {
        trace.steps.last().is_some_and(|step| step.edge >= self.first_new)
    }

    /// The same as invariants, if an induction needs no history: lemmas at the heads of loops, from where neither an error nor the overflow
    /// can be reached without going round. Lemmas elsewhere follow from these, but perhaps only because nothing wraps.
    fn without_rounds(&self, unwinding: CfaUnwinding) -> Option<CfaInvariants> {
        let CfaUnwinding { bound: 0, cuts, long_runs: LongRuns::Inductive, lemmas } = unwinding else {
            return None;
        };
        let model = &self.task.model;
        let heads: BTreeSet<LocId> = cuts.iter().map(|cut| model.edges[*cut].target).collect();
        if !lemmas.blocked.is_empty() || !heads.is_disjoint(&lemmas.derived) {
            return None;
        }
        let formulas = lemmas.formulas.into_iter().filter(|(location, _)| heads.contains(location));
        let is_between = |location: &LocId| !heads.contains(location) && !model.is_forbidden(*location);
        let graph = Graph::towards_errors(model);
        let derived = graph.topological_order().iter().copied().filter(is_between);
        Some(CfaInvariants {
            formulas: formulas.collect(),
            derived: derived.collect(),
            blocked: BTreeSet::new(),
            cells: lemmas.cells,
        })
    }

    /// The proof of the old automaton, that of `task`, that a proof of the new one gives.
    pub fn proof(&self, task: &Task<Cfa>, proof: CfaProof) -> Evidence<CfaProof> {
        let keep =
            |edges: BTreeSet<EdgeId>| edges.into_iter().filter(|edge| *edge < self.first_new).collect();
        match proof {
            CfaProof::Invariants(invariants) => {
                let cells = invariants.cells_in(&task.store, &self.task.store);
                let CfaInvariants { formulas, mut derived, blocked, .. } = invariants;
                let formulas = formulas.into_iter().filter(|(location, _)| *location != self.overflow);
                let home = |formula| task.store.import(&self.task.store, formula);
                let formulas = formulas.map(|(location, formula)| (location, home(formula))).collect();
                derived.remove(&self.overflow);
                Evidence::Given(CfaProof::Invariants(CfaInvariants {
                    formulas,
                    derived,
                    blocked: keep(blocked),
                    cells,
                }))
            }
            CfaProof::Unwinding(mut unwinding) if is_about_runs(&unwinding) => {
                unwinding.cuts = keep(unwinding.cuts);
                Evidence::Given(CfaProof::Unwinding(unwinding))
            }
            CfaProof::Unwinding(unwinding) => match self.without_rounds(unwinding) {
                Some(invariants) => self.proof(task, CfaProof::Invariants(invariants)),
                None => Evidence::Missing("what is said about states without wraps need not hold with them"),
            },
            CfaProof::Exhaustion { .. } => Evidence::Missing(OTHER_RUNS),
            CfaProof::Contracts(proof) => {
                Evidence::Given(CfaProof::Contracts(proof.at_home(&task.store, &self.task.store)))
            }
        }
    }
}

/// Whether nothing is said about states that cannot be reached.
fn is_about_runs(unwinding: &CfaUnwinding) -> bool {
    unwinding.lemmas.is_empty() && unwinding.long_runs != LongRuns::Inductive
}

/// Takes the wraps out of terms.
struct Unwrapper<'s> {
    store: &'s Store,
    done: FxHashMap<ExprId, Unwrapped>,
}

/// A term without wraps, and when it has the same value.
#[derive(Clone, Copy)]
struct Unwrapped {
    term: ExprId,
    need: ExprId,
}

impl Unwrapper<'_> {
    /// The statement without wraps, which can be executed if nothing is out of range, and the condition for that; `None` if
    /// there is nothing to take out, or where to do so is not plain.
    fn stmt(&mut self, stmt: &Stmt) -> Option<(Stmt, ExprId)> {
        let (expr, rebuild): (ExprId, &dyn Fn(ExprId) -> Stmt) = match &stmt.kind {
            StmtKind::Assign(var, expr) => (*expr, &|term| Stmt::assign(*var, term)),
            StmtKind::Assume(formula) => (*formula, &Stmt::assume),
            StmtKind::Havoc(_) | StmtKind::Seq(_) | StmtKind::Choice(_) => return None,
        };
        let Unwrapped { term, need } = self.term(expr);
        if term == expr {
            return None;
        }
        let plain = Stmt { span: stmt.span, ..rebuild(term) };
        let stmts = vec![Stmt { span: stmt.span, ..Stmt::assume(need) }, plain];
        Some((Stmt { kind: StmtKind::Seq(stmts), span: stmt.span }, need))
    }

    fn term(&mut self, root: ExprId) -> Unwrapped {
        for expr in Postorder::new(self.store, [root]) {
            if !self.done.contains_key(&expr) {
                let unwrapped = self.unwrapped(expr);
                self.done.insert(expr, unwrapped);
            }
        }
        self.done[&root]
    }

    /// Without the wraps in the term, whose arguments are done.
    fn unwrapped(&self, expr: ExprId) -> Unwrapped {
        if let Some((inner, least, bound)) = self.wrapped(expr) {
            let Unwrapped { term, need } = self.done[&inner];
            let store = self.store;
            let is_inside = store.and(store.le(store.int(least), term), store.lt(term, store.int(bound)));
            return Unwrapped { term, need: store.and(need, is_inside) };
        }
        let args = self.store.args(expr);
        let parts: Vec<Unwrapped> = args.iter().map(|arg| self.done[arg]).collect();
        let terms: Vec<ExprId> = parts.iter().map(|part| part.term).collect();
        let term = if terms[..] == args[..] { expr } else { self.store.rebuild(expr, &terms) };
        Unwrapped { term, need: self.need(self.store.op(expr), &parts) }
    }

    /// When an operation on `parts` has the same value: if all that matters of them is in range.
    fn need(&self, op: Op, parts: &[Unwrapped]) -> ExprId {
        let store = self.store;
        match (op, parts) {
            (Op::Ite, [condition, then, otherwise]) => {
                store.and(condition.need, store.ite(condition.term, then.need, otherwise.need))
            }
            (Op::And | Op::Or, parts) => parts.iter().rev().fold(store.tru(), |rest, part| {
                let decides = if op == Op::And { store.not(part.term) } else { part.term };
                store.and(part.need, store.or(decides, rest))
            }),
            (_, parts) => store.and_all(parts.iter().map(|part| part.need)),
        }
    }

    /// If the term is a value wrapped into a range: the value, the least number of the range, and the first one above it.
    fn wrapped(&self, expr: ExprId) -> Option<(ExprId, BigInt, BigInt)> {
        let store = self.store;
        let number = |expr| store.value(expr)?.as_int().cloned();
        match store.op(expr) {
            Op::Mod => {
                let modulus = modulus(&number(store.arg(expr, 1))?)?;
                Some((store.arg(expr, 0), BigInt::ZERO, modulus))
            }
            // ((value + half) mod modulus) + -half, as differences are written.
            Op::Add => {
                let [remainder, offset] = store.args(expr)[..] else { return None };
                let (sum, _, modulus) = self.wrapped(remainder).filter(|_| store.op(remainder) == Op::Mod)?;
                let half = -number(offset)?;
                let [value, added] = store.args(sum)[..] else { return None };
                let is_signed = store.op(sum) == Op::Add && number(added)? == half && &half * 2 == modulus;
                is_signed.then(|| (value, -&half, half))
            }
            _ => None,
        }
    }
}

fn modulus(number: &BigInt) -> Option<BigInt> {
    WIDTHS.iter().map(|width| BigInt::one() << *width).find(|power| power == number)
}
