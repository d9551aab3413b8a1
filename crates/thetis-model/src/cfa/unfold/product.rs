//! The product of an automaton and the values of some of its variables.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::simplify::Simplifier;
use thetis_expr::{ExprId, Op, Store, Substitution, VarId};

use crate::Task;
use crate::cfa::liveness::Liveness;
use crate::cfa::{Cfa, EdgeId, Graph, LocId, Stmt, StmtKind};

/// What is known of each chosen variable: a literal, or nothing.
pub(super) type Known = Vec<Option<ExprId>>;

/// The part of the product that can be reached.
pub(super) struct Product {
    /// The variables that are looked at.
    pub vars: Vec<VarId>,
    /// The first is the initial one.
    pub nodes: Vec<Node>,
    pub steps: Vec<Step>,
}

/// A location and what is known there.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Node {
    pub location: LocId,
    pub known: Known,
}

/// An edge between two nodes.
pub(super) struct Step {
    pub source: usize,
    pub target: usize,
    pub edge: EdgeId,
    /// What the edge does if it is known what is known at its source.
    pub stmt: Stmt,
}

/// What is known of an automaton whichever variables are chosen.
pub(super) struct Explorer<'t> {
    task: &'t Task<Cfa>,
    graph: Graph,
    liveness: Liveness<'t>,
}

impl<'t> Explorer<'t> {
    pub(super) fn new(task: &'t Task<Cfa>, run: &Run) -> Result<Explorer<'t>, Stop> {
        let liveness = Liveness::new(&task.store, &task.model, run)?;
        Ok(Explorer { task, graph: Graph::new(&task.model), liveness })
    }

    /// The product with the values of `vars`, unless it has more than `max_nodes` nodes.
    pub(super) fn product(
        &self,
        vars: &[VarId],
        max_nodes: usize,
        run: &Run,
    ) -> Result<Option<Product>, Stop> {
        let Explorer { task, graph, liveness } = self;
        let cfa = &task.model;
        let mut transfer = Transfer::new(&task.store, vars);
        let first = Node { location: cfa.initial, known: vec![None; vars.len()] };
        let mut product = Product { vars: vars.to_vec(), nodes: vec![first.clone()], steps: Vec::new() };
        let mut numbers = FxHashMap::from_iter([(first, 0)]);
        let mut source = 0;
        while let Some(node) = product.nodes.get(source).cloned() {
            run.checkpoint()?;
            let outgoing = if cfa.is_forbidden(node.location) { &[] } else { graph.outgoing(node.location) };
            for id in outgoing {
                let edge = &cfa.edges[*id];
                let mut known = node.known.clone();
                let Some(stmt) = transfer.execute(&edge.stmt, &mut known) else { continue };
                for (var, value) in vars.iter().zip(&mut known) {
                    if cfa.is_forbidden(edge.target)
                        || !liveness.at(edge.target).contains(liveness.position(*var))
                    {
                        *value = None;
                    }
                }
                let next = Node { location: edge.target, known };
                let target = *numbers.entry(next).or_insert_with_key(|next| {
                    product.nodes.push(next.clone());
                    product.nodes.len() - 1
                });
                if product.nodes.len() > max_nodes {
                    return Ok(None);
                }
                product.steps.push(Step { source, target, edge: *id, stmt });
            }
            source += 1;
        }
        Ok(Some(product))
    }
}

/// Executes statements with what is known.
struct Transfer<'t> {
    store: &'t Store,
    positions: FxHashMap<VarId, usize>,
    simplifier: Simplifier,
    /// The chosen variables of a term.
    mentioned: FxHashMap<ExprId, Rc<[VarId]>>,
    /// Terms with what is known of the variables they mention.
    replaced: FxHashMap<(ExprId, Known), ExprId>,
}

impl<'t> Transfer<'t> {
    fn new(store: &'t Store, vars: &[VarId]) -> Transfer<'t> {
        Transfer {
            store,
            positions: vars.iter().enumerate().map(|(position, var)| (*var, position)).collect(),
            simplifier: Simplifier::new(),
            mentioned: FxHashMap::default(),
            replaced: FxHashMap::default(),
        }
    }

    /// What `stmt` does now, and what is known after it; none if it is blocked.
    fn execute(&mut self, stmt: &Stmt, known: &mut Known) -> Option<Stmt> {
        let kind = match &stmt.kind {
            StmtKind::Assign(var, expr) => {
                let value = self.replace(*expr, known);
                if let Some(position) = self.positions.get(var) {
                    known[*position] = self.store.is_literal(value).then_some(value);
                }
                StmtKind::Assign(*var, value)
            }
            StmtKind::Assume(formula) => {
                let formula = self.replace(*formula, known);
                if formula == self.store.fals() {
                    return None;
                }
                for conjunct in self.store.conjuncts(formula) {
                    self.learn(conjunct, known);
                }
                StmtKind::Assume(formula)
            }
            StmtKind::Havoc(var) => {
                if let Some(position) = self.positions.get(var) {
                    known[*position] = None;
                }
                StmtKind::Havoc(*var)
            }
            StmtKind::Seq(stmts) => {
                let stmts: Option<_> = stmts.iter().map(|stmt| self.execute(stmt, known)).collect();
                StmtKind::Seq(stmts?)
            }
            StmtKind::Choice(stmts) => StmtKind::Choice(self.choose(stmts, known)?),
        };
        Some(Stmt { kind, span: stmt.span })
    }

    /// The branches, of which those that are blocked keep their place; none if all are.
    fn choose(&mut self, stmts: &[Stmt], known: &mut Known) -> Option<Vec<Stmt>> {
        let mut joined: Option<Known> = None;
        let mut branches = Vec::new();
        for stmt in stmts {
            let mut own = known.clone();
            match self.execute(stmt, &mut own) {
                Some(branch) => {
                    branches.push(branch);
                    joined = Some(match joined {
                        None => own,
                        Some(joined) => {
                            joined.into_iter().zip(own).map(|(a, b)| a.filter(|_| a == b)).collect()
                        }
                    });
                }
                None => branches.push(Stmt::assume(self.store.fals())),
            }
        }
        *known = joined?;
        Some(branches)
    }

    /// `expr` with what is known of its variables.
    fn replace(&mut self, expr: ExprId, known: &Known) -> ExprId {
        let vars = self.vars_of(expr);
        let values: Known = vars.iter().map(|var| known[self.positions[var]]).collect();
        if values.iter().all(Option::is_none) {
            return expr;
        }
        let key = (expr, values);
        if let Some(replaced) = self.replaced.get(&key) {
            return *replaced;
        }
        let mut substitution = Substitution::new();
        for (var, value) in vars.iter().zip(&key.1) {
            if let Some(value) = value {
                substitution.insert(self.store, *var, *value);
            }
        }
        let replaced = self.simplifier.simplify(self.store, substitution.apply(self.store, expr));
        self.replaced.insert(key, replaced);
        replaced
    }

    fn vars_of(&mut self, expr: ExprId) -> Rc<[VarId]> {
        let (store, positions) = (self.store, &self.positions);
        let find = || store.vars_of([expr]).into_iter().filter(|var| positions.contains_key(var)).collect();
        self.mentioned.entry(expr).or_insert_with(find).clone()
    }

    /// Notes what an assumption says about the value of a chosen variable.
    fn learn(&self, conjunct: ExprId, known: &mut Known) {
        let store = self.store;
        let (var, value) = match store.op(conjunct) {
            Op::Var(var) => (var, store.tru()),
            Op::Not => match store.as_var(store.arg(conjunct, 0)) {
                Some(var) => (var, store.fals()),
                None => return,
            },
            Op::Eq => {
                let (left, right) = (store.arg(conjunct, 0), store.arg(conjunct, 1));
                match (store.as_var(left), store.as_var(right)) {
                    (Some(var), None) if store.is_literal(right) => (var, right),
                    (None, Some(var)) if store.is_literal(left) => (var, left),
                    _ => return,
                }
            }
            _ => return,
        };
        if let Some(position) = self.positions.get(&var) {
            known[*position] = Some(value);
        }
    }
}
