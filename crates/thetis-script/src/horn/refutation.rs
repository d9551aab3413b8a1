//! Refutations: a sequence of ground atoms, each derived from earlier ones, that ends in falsehood.

use std::fmt::Write;

use rustc_hash::FxHashMap;
use thetis_base::Span;
use thetis_expr::smtlib::print_value;
use thetis_expr::{ExprId, Store, Value, VarId, evaluate};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaTrace, CopiedEdge, EdgeId, Interpreter};
use thiserror::Error;

use super::model::symbol;
use super::{Atom, Clauses, Encoding, TreeEncoding};

/// A derivation of falsehood.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// The derived atoms; the last one is falsehood.
    pub steps: Vec<Derived>,
}

/// An atom that follows from earlier ones.
#[derive(Clone, Debug)]
pub struct Derived {
    /// The clause that it follows by.
    pub clause: usize,
    /// The values of the variables of the clause.
    pub values: Vec<(VarId, Value)>,
    /// The arguments of the atom.
    pub args: Vec<Value>,
    /// For each atom in the body of the clause, the step that has derived it.
    pub premises: Vec<usize>,
}

/// Why a refutation is not valid.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RefutationError {
    /// The run of the automaton cannot be followed.
    #[error("the run of the automaton cannot be followed")]
    NoRun,
    /// The instance of a clause does not derive what it should.
    #[error("an instance of a clause does not hold")]
    WrongStep(Span),
    /// It does not end in falsehood.
    #[error("the derivation does not end in falsehood")]
    NoEnd,
}

impl Refutation {
    /// The refutation given by a run of the automaton. It must still be [checked](Refutation::check).
    pub fn of_trace(
        encoding: &Encoding,
        task: &Task<Cfa>,
        clauses: &Clauses,
        trace: &CfaTrace,
    ) -> Result<Refutation, RefutationError> {
        let states = Interpreter::new(task).run(trace).map_err(|_| RefutationError::NoRun)?;
        let store = &task.store;
        let mut steps: Vec<Derived> = Vec::new();
        for (state, step) in states.iter().zip(&trace.steps) {
            let clause = step.edge.index();
            let inputs: FxHashMap<VarId, &Value> =
                encoding.inputs[clause].iter().copied().zip(&step.inputs).collect();
            let lookup = |var: VarId| inputs.get(&var).copied().or_else(|| state.values.get(&var)).cloned();
            let value = |term: ExprId| evaluate(store, term, &lookup).map_err(|_| RefutationError::NoRun);
            let values: Vec<(VarId, Value)> = encoding.values[clause]
                .iter()
                .map(|(var, term)| Ok((*var, value(*term)?)))
                .collect::<Result<_, _>>()?;
            let premises = clauses.clauses[clause].body.iter().filter_map(|_| steps.len().checked_sub(1));
            let premises = premises.collect();
            steps.push(Derived::new(store, clauses, clause, values, premises)?);
        }
        Ok(Refutation { steps })
    }

    /// The refutation given by a run of the automaton with copies of procedures. It must still be
    /// [checked](Refutation::check).
    pub fn of_copied_trace(
        encoding: &TreeEncoding,
        task: &Task<Cfa>,
        clauses: &Clauses,
        trace: &CfaTrace,
    ) -> Result<Refutation, RefutationError> {
        let states = Interpreter::new(task).run(trace).map_err(|_| RefutationError::NoRun)?;
        let done: FxHashMap<EdgeId, usize> = encoding.done.iter().copied().collect();
        let mut steps = Vec::new();
        // What the calls of each pending activation have derived.
        let mut pending: Vec<Vec<usize>> = vec![Vec::new()];
        for (state, step) in states.iter().zip(&trace.steps) {
            match encoding.edges[step.edge] {
                CopiedEdge::Call(_) => pending.push(Vec::new()),
                CopiedEdge::Return(_) => {
                    pending.pop();
                    let derived = steps.len().checked_sub(1).ok_or(RefutationError::NoRun)?;
                    pending.last_mut().ok_or(RefutationError::NoRun)?.push(derived);
                }
                CopiedEdge::Edge(edge, depth) => {
                    let Some(clause) = done.get(&edge).copied() else { continue };
                    let value = |local: VarId| {
                        let (_, copy) = encoding.locals[depth].iter().find(|(known, _)| *known == local)?;
                        Some((local, state.values.get(copy)?.clone()))
                    };
                    let values = clauses.clauses[clause].vars.iter().map(|var| value(*var)).collect();
                    let values: Option<Vec<(VarId, Value)>> = values;
                    let premises = pending.last().cloned().unwrap_or_default();
                    let values = values.ok_or(RefutationError::NoRun)?;
                    steps.push(Derived::new(&task.store, clauses, clause, values, premises)?);
                }
            }
        }
        Ok(Refutation { steps })
    }

    /// Whether each step follows by its clause, by evaluating the clause.
    pub fn check(&self, clauses: &Clauses) -> Result<(), RefutationError> {
        for (number, step) in self.steps.iter().enumerate() {
            let clause = clauses.clauses.get(step.clause).ok_or(RefutationError::NoEnd)?;
            let wrong = RefutationError::WrongStep(clause.span);
            if !step.follows(clauses, &self.steps[..number]) {
                return Err(wrong);
            }
            let is_last = number + 1 == self.steps.len();
            match &clause.head {
                Some(_) if !is_last => {}
                None if is_last => return Ok(()),
                _ => return Err(wrong),
            }
        }
        Err(RefutationError::NoEnd)
    }

    /// The derivation, one atom per line, each with the line of its clause.
    pub fn print(&self, clauses: &Clauses, line: impl Fn(Span) -> u32) -> String {
        let mut text = String::new();
        for step in &self.steps {
            let clause = &clauses.clauses[step.clause];
            let atom = match &clause.head {
                Some(head) => print_atom(clauses, head.predicate, &step.args),
                None => "false".into(),
            };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "; {atom} by the clause of line {}", line(clause.span));
        }
        text
    }
}

impl Derived {
    pub(super) fn new(
        store: &Store,
        clauses: &Clauses,
        clause: usize,
        values: Vec<(VarId, Value)>,
        premises: Vec<usize>,
    ) -> Result<Derived, RefutationError> {
        let args = match &clauses.clauses[clause].head {
            Some(head) => ground(store, head, &values).ok_or(RefutationError::NoRun)?,
            None => Vec::new(),
        };
        Ok(Derived { clause, values, args, premises })
    }

    /// Whether it follows from `earlier` steps.
    fn follows(&self, clauses: &Clauses, earlier: &[Derived]) -> bool {
        let store = &clauses.store;
        let clause = &clauses.clauses[self.clause];
        let values: FxHashMap<VarId, &Value> = self.values.iter().map(|(var, value)| (*var, value)).collect();
        let lookup = |var: VarId| values.get(&var).copied().cloned();
        let has_sorts =
            self.values.iter().all(|(var, value)| store.sort_of_value(value) == store.var_sort(*var));
        let constraint = evaluate(store, clause.constraint, &lookup).ok().and_then(|value| value.as_bool());
        let is_derived = |(atom, premise): (&Atom, &usize)| {
            let Some(step) = earlier.get(*premise) else { return false };
            let head = clauses.clauses[step.clause].head.as_ref();
            head.is_some_and(|head| head.predicate == atom.predicate)
                && ground(store, atom, &self.values).as_ref() == Some(&step.args)
        };
        let has_body = clause.body.len() == self.premises.len()
            && clause.body.iter().zip(&self.premises).all(is_derived);
        let has_head =
            clause.head.iter().all(|head| ground(store, head, &self.values).as_ref() == Some(&self.args));
        has_sorts && constraint == Some(true) && has_body && has_head
    }
}

/// The arguments of `atom` if its variables have `values`.
fn ground(store: &Store, atom: &Atom, values: &[(VarId, Value)]) -> Option<Vec<Value>> {
    let values: FxHashMap<VarId, &Value> = values.iter().map(|(var, value)| (*var, value)).collect();
    let lookup = |var: VarId| values.get(&var).copied().cloned();
    atom.args.iter().map(|term| evaluate(store, *term, &lookup).ok()).collect()
}

fn print_atom(clauses: &Clauses, predicate: usize, args: &[Value]) -> String {
    let name = symbol(&clauses.predicates[predicate].name);
    if args.is_empty() {
        return name;
    }
    let values: Vec<String> = args.iter().map(|value| print_value(&clauses.store, value)).collect();
    format!("({name} {})", values.join(" "))
}
