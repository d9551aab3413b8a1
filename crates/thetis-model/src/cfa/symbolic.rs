//! Symbolic execution of statements: the one encoding that engines share.
//!
//! A [`SymbolicState`] gives every variable a term over whatever the engine started from. Executing a statement
//! replaces terms (an assignment costs no new variable and no equality), collects the conjunction of assumptions as a
//! condition, and invents variables only for inputs: one for each havoc and one selector for each branch of a choice.
//! The record of these inputs is enough to read a concrete step from a solver's valuation.
//!
//! Statements nest as deep as the block encoding allows, terms as deep as they like; only the former is recursed over.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_expr::{ExprId, Replacer, Sort, Store, Value, VarId, Version};

use super::{Stmt, StmtKind};

/// A term for each variable of an automaton. Cheap to clone.
#[derive(Clone)]
pub struct SymbolicState {
    positions: Rc<FxHashMap<VarId, usize>>,
    values: Rc<Vec<ExprId>>,
}

/// What happened during the execution of a statement.
pub struct Executed {
    /// Under which condition on terms and inputs it can be executed.
    pub condition: ExprId,
    /// The inputs, in the order of execution.
    pub inputs: Vec<Input>,
    /// Selectors of branches of which a condition holds in one and fails in the other, as in `if` and `else`, with what it
    /// says about them: a system that wants few inputs can put the condition in their place.
    pub decided: Vec<(ExprId, ExprId)>,
}

/// A record of an input that was invented.
pub enum Input {
    /// The term that stands for the value of a havoc.
    Havoc(ExprId),
    /// For each branch of a choice its selector and its own inputs.
    Choice(Vec<(ExprId, Vec<Input>)>),
}

/// Invents variables that are not in use yet: versions with ever new numbers.
#[derive(Clone, Default)]
pub struct Inventor {
    next: u32,
}

impl Inventor {
    /// A new version of `var`, as a term.
    pub fn version_of(&mut self, store: &Store, var: VarId) -> ExprId {
        store.var_expr(self.version_var(store, var))
    }

    /// A new version of `var`.
    pub fn version_var(&mut self, store: &Store, var: VarId) -> VarId {
        let version = Version::Step(self.next);
        self.next += 1;
        store.at_version(var, version)
    }

    /// A new value for a cell of the array `var`.
    pub fn cell_of(&mut self, store: &Store, var: VarId, sort: Sort) -> ExprId {
        self.version_of(store, store.declare(&format!("{}!cell", store.var_name(var)), sort))
    }

    /// A new truth value. The name contains a character that no front end accepts in identifiers.
    pub fn truth(&mut self, store: &Store, name: &str) -> ExprId {
        self.version_of(store, store.declare(&format!("{name}!"), Sort::Bool))
    }
}

impl SymbolicState {
    /// The state that maps each of `vars` to the term given by `term`.
    pub fn new(vars: &[VarId], term: impl FnMut(VarId) -> ExprId) -> SymbolicState {
        let positions = vars.iter().enumerate().map(|(position, var)| (*var, position)).collect();
        SymbolicState {
            positions: Rc::new(positions),
            values: Rc::new(vars.iter().copied().map(term).collect()),
        }
    }

    /// The terms, in the order of the variables.
    pub fn terms(&self) -> &[ExprId] {
        &self.values
    }

    /// The term of `var`.
    pub fn get(&self, var: VarId) -> ExprId {
        self.values[self.positions[&var]]
    }

    /// Gives `var` another term.
    pub fn set(&mut self, var: VarId, term: ExprId) {
        let position = self.positions[&var];
        if self.values[position] != term {
            Rc::make_mut(&mut self.values)[position] = term;
        }
    }

    /// The variables whose terms are not those of `before`, in the order of `vars`.
    pub fn changes(&self, vars: &[VarId], before: &SymbolicState) -> Vec<(VarId, ExprId)> {
        let now = vars.iter().map(|var| (*var, self.get(*var)));
        now.filter(|(var, term)| *term != before.get(*var)).collect()
    }

    /// `expr` with each variable of the model replaced by its term.
    pub fn substitute(&self, store: &Store, expr: ExprId) -> ExprId {
        Replacer::new(|_: &Store, var| self.positions.get(&var).map(|position| self.values[*position]))
            .apply(store, expr)
    }

    /// Executes `stmt`, changing this state.
    pub fn execute(&mut self, store: &Store, stmt: &Stmt, inventor: &mut Inventor) -> Executed {
        let (mut conditions, mut inputs, mut decided) = (Vec::new(), Vec::new(), Vec::new());
        let mut pending = vec![stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(var, expr) => self.set(*var, self.substitute(store, *expr)),
                StmtKind::Assume(formula) => conditions.push(self.substitute(store, *formula)),
                StmtKind::Havoc(var) => {
                    let value = inventor.version_of(store, *var);
                    self.set(*var, value);
                    inputs.push(Input::Havoc(value));
                }
                StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                StmtKind::Choice(branches) => {
                    let executed = self.execute_choice(store, branches, inventor);
                    conditions.push(executed.condition);
                    inputs.extend(executed.inputs);
                    decided.extend(executed.decided);
                }
            }
        }
        Executed { condition: store.and_all(conditions), inputs, decided }
    }

    /// Executes all branches on copies and joins them under their selectors.
    fn execute_choice(&mut self, store: &Store, branches: &[Stmt], inventor: &mut Inventor) -> Executed {
        let mut guards = Vec::new();
        let mut records = Vec::new();
        let (mut conditions, mut decided) = (Vec::new(), Vec::new());
        let mut ends: Vec<(ExprId, SymbolicState)> = Vec::new();
        for branch in branches {
            let mut end = self.clone();
            let executed = end.execute(store, branch, inventor);
            let selector = inventor.truth(store, "branch");
            guards.push(store.and(selector, executed.condition));
            records.push((selector, executed.inputs));
            conditions.push(executed.condition);
            decided.extend(executed.decided);
            ends.push((selector, end));
        }
        self.join(store, &ends);
        if let (&[one, other], [(first, _), (second, _)]) = (&conditions[..], &records[..])
            && let Some(condition) = deciding(store, one, other)
        {
            decided.extend([(*first, condition), (*second, store.not(condition))]);
        }
        // A valuation may set two selectors; the branch that counts is the first one whose selector is set, so the
        // condition asks for the guard of the first.
        let mut condition = store.fals();
        for (guard, (selector, _)) in guards.iter().zip(&records).rev() {
            condition = store.ite(*selector, *guard, condition);
        }
        Executed { condition, inputs: vec![Input::Choice(records)], decided }
    }

    /// Becomes the state of the first end whose selector holds.
    fn join(&mut self, store: &Store, ends: &[(ExprId, SymbolicState)]) {
        let Some((_, last)) = ends.last() else { return };
        let mut joined = last.clone();
        for (selector, end) in ends.iter().rev().skip(1) {
            let terms = end.terms().iter().zip(joined.terms());
            let values = terms.map(|(then, otherwise)| store.ite(*selector, *then, *otherwise)).collect();
            joined.values = Rc::new(values);
        }
        *self = joined;
    }
}

/// A conjunct of `one` whose negation is one of `other`.
fn deciding(store: &Store, one: ExprId, other: ExprId) -> Option<ExprId> {
    let negated: FxHashSet<ExprId> =
        store.conjuncts(other).into_iter().map(|conjunct| store.not(conjunct)).collect();
    store.conjuncts(one).into_iter().find(|conjunct| negated.contains(conjunct))
}

impl Executed {
    /// The inputs and branches of the concrete step that `value` describes; `value` gives the value of a term.
    pub fn concrete<E>(
        &self,
        mut value: impl FnMut(ExprId) -> Result<Value, E>,
    ) -> Result<(Vec<Value>, Vec<usize>), E> {
        let (mut values, mut branches) = (Vec::new(), Vec::new());
        let mut pending: Vec<&Input> = self.inputs.iter().rev().collect();
        while let Some(input) = pending.pop() {
            match input {
                Input::Havoc(term) => values.push(value(*term)?),
                Input::Choice(records) => {
                    for (number, (selector, inputs)) in records.iter().enumerate() {
                        if value(*selector)? == Value::Bool(true) {
                            branches.push(number);
                            pending.extend(inputs.iter().rev());
                            break;
                        }
                    }
                }
            }
        }
        Ok((values, branches))
    }
}
