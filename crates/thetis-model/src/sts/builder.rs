//! Step-by-step construction of a transition system.

use std::collections::BTreeMap;

use thetis_expr::{ExprId, Store, VarId};

use super::solve::solve_for_next;
use super::{Sts, ValidationError};

/// Collects the parts of an [`Sts`].
#[derive(Clone, Debug)]
pub struct StsBuilder {
    name: String,
    vars: Vec<VarId>,
    inputs: Vec<VarId>,
    next: BTreeMap<VarId, ExprId>,
    init: Vec<ExprId>,
    trans: Vec<ExprId>,
    constraint: Vec<ExprId>,
    bad: Vec<ExprId>,
}

impl StsBuilder {
    /// A system with only a name.
    pub fn new(name: impl Into<String>) -> StsBuilder {
        StsBuilder {
            name: name.into(),
            vars: Vec::new(),
            inputs: Vec::new(),
            next: BTreeMap::new(),
            init: Vec::new(),
            trans: Vec::new(),
            constraint: Vec::new(),
            bad: Vec::new(),
        }
    }

    /// Adds a variable.
    pub fn var(&mut self, var: VarId) {
        self.vars.push(var);
    }

    /// Adds an input.
    pub fn input(&mut self, input: VarId) {
        self.inputs.push(input);
    }

    /// Demands `formula` of first states.
    pub fn init(&mut self, formula: ExprId) {
        self.init.push(formula);
    }

    /// Gives `var` the value of `term` in the next state. A second function for a variable becomes a demand.
    pub fn next(&mut self, store: &Store, var: VarId, term: ExprId) {
        if self.next.contains_key(&var) {
            let next = store.primed(store.var_expr(var));
            return self.trans.push(store.eq(next, term));
        }
        self.next.insert(var, term);
    }

    /// Demands `formula` of a step and the next state. Conjuncts that fix the next value of a variable become its
    /// function.
    pub fn trans(&mut self, store: &Store, formula: ExprId) {
        for conjunct in store.conjuncts(formula) {
            match solve_for_next(store, conjunct) {
                Some((var, term)) if !self.next.contains_key(&var) => {
                    self.next.insert(var, term);
                }
                _ => self.trans.push(conjunct),
            }
        }
    }

    /// Demands `formula` of every step.
    pub fn constraint(&mut self, formula: ExprId) {
        self.constraint.push(formula);
    }

    /// Calls steps with `formula` bad.
    pub fn bad(&mut self, formula: ExprId) {
        self.bad.push(formula);
    }

    /// The system, if it is well-formed over `store`.
    pub fn build(self, store: &Store) -> Result<Sts, ValidationError> {
        let sts = Sts {
            name: self.name,
            vars: self.vars,
            inputs: self.inputs,
            init: store.and_all(self.init),
            next: self.next,
            trans: store.and_all(self.trans),
            constraint: store.and_all(self.constraint),
            bad: store.or_all(self.bad),
        };
        sts.validate(store)?;
        Ok(sts)
    }
}
