//! From literals to a transition system.
//!
//! Every gate becomes one shared term. In a binary file gates come after their inputs; in an ASCII file they come in any
//! order, so a stack follows the inputs of a gate first and finds gates that depend on themselves.

use rustc_hash::FxHashMap;
use thetis_base::{Diagnostics, Reported};
use thetis_expr::{ExprId, Sort, Store};
use thetis_model::Task;
use thetis_model::sts::{StsBuilder, StsProperty};

use super::Circuit;
use super::code;
use super::names::names;
use super::raw::{Gate, Lit, Raw, Reset, Use};
use super::reader::{Places, ReadError};

/// How many errors are shown.
const MAX_ERRORS: usize = 50;

/// The system of a file, if all its literals are defined.
pub(super) fn lower(raw: &Raw, places: &Places<'_>, diags: &mut Diagnostics) -> Result<Circuit, Reported> {
    let store = Store::new();
    let mut terms = Terms::new(&store);
    let (input_names, latch_names) = names(raw);
    let mut builder = StsBuilder::new("circuit");
    for (input, name) in raw.inputs.iter().zip(&input_names) {
        let var = store.declare(name, Sort::Bool);
        builder.input(var);
        terms.define(*input, store.var_expr(var));
    }
    let mut latch_vars = Vec::with_capacity(raw.latches.len());
    for (latch, name) in raw.latches.iter().zip(&latch_names) {
        let var = store.declare(name, Sort::Bool);
        builder.var(var);
        latch_vars.push(var);
        terms.define(latch.lit, store.var_expr(var));
    }
    terms.gates(&raw.gates);
    for (latch, var) in raw.latches.iter().zip(&latch_vars) {
        builder.next(&store, *var, terms.used(latch.next));
        match latch.reset {
            Reset::Zero => builder.init(store.not(store.var_expr(*var))),
            Reset::One => builder.init(store.var_expr(*var)),
            Reset::Arbitrary => {}
        }
    }
    raw.constraints.iter().for_each(|constraint| builder.constraint(terms.used(*constraint)));
    let (letter, bad) = if raw.bad.is_empty() { ('o', &raw.outputs) } else { ('b', &raw.bad) };
    let name = |(number, bad): (usize, &Use)| (format!("{letter}{number}"), terms.used(*bad));
    let properties: Vec<(String, ExprId)> = bad.iter().enumerate().map(name).collect();
    if !bad.is_empty() {
        // In a file with bad states, outputs mean nothing, but their literals have to exist.
        raw.outputs.iter().for_each(|output| {
            terms.used(*output);
        });
    }
    if let Some(reported) = report(terms.errors, places, diags) {
        return Err(reported);
    }
    properties.iter().for_each(|(_, bad)| builder.bad(*bad));
    let model = builder.build(&store).expect("a circuit should be a valid system");
    Ok(Circuit { task: Task { store, model, property: StsProperty::Globally }, properties })
}

/// Shows the first errors, if there are any.
fn report(errors: Vec<ReadError>, places: &Places<'_>, diags: &mut Diagnostics) -> Option<Reported> {
    let mut reported = None;
    for (number, mut error) in errors.into_iter().enumerate() {
        if number == MAX_ERRORS {
            error.code = code::TOO_MANY_ERRORS;
            error.message = "there are more errors of this kind".into();
        }
        reported = Some(places.report(&error, diags));
        if number == MAX_ERRORS {
            break;
        }
    }
    reported
}

/// The terms of variables.
struct Terms<'s> {
    store: &'s Store,
    /// The term of each variable; none for a gate that waits for its inputs.
    terms: FxHashMap<u32, Option<ExprId>>,
    errors: Vec<ReadError>,
}

impl<'s> Terms<'s> {
    fn new(store: &'s Store) -> Terms<'s> {
        Terms { store, terms: FxHashMap::default(), errors: Vec::new() }
    }

    fn define(&mut self, lit: Use, term: ExprId) {
        if self.terms.insert(lit.lit.variable(), Some(term)).is_some() {
            self.error(lit, format!("literal {} is defined twice", lit.lit.0));
        }
    }

    fn error(&mut self, lit: Use, message: String) {
        let start = lit.at as usize;
        let length = lit.lit.0.to_string().len();
        self.errors.push(ReadError { start, end: start + length, code: code::DEFINITION, message });
    }

    /// The terms of all gates, inputs first.
    fn gates(&mut self, gates: &[Gate]) {
        let mut by_variable: FxHashMap<u32, &Gate> = FxHashMap::default();
        for gate in gates {
            let variable = gate.lit.lit.variable();
            if self.terms.contains_key(&variable) || by_variable.insert(variable, gate).is_some() {
                self.error(gate.lit, format!("literal {} is defined twice", gate.lit.lit.0));
            }
        }
        for gate in gates {
            self.gate(gate, &by_variable);
        }
    }

    fn gate(&mut self, gate: &Gate, by_variable: &FxHashMap<u32, &Gate>) {
        let mut stack = vec![*gate];
        while let Some(top) = stack.last().copied() {
            let variable = top.lit.lit.variable();
            if matches!(self.terms.get(&variable), Some(Some(_))) {
                stack.pop();
                continue;
            }
            self.terms.insert(variable, None);
            let waiting = [top.left, top.right].into_iter().find_map(|input| {
                let gate = by_variable.get(&input.lit.variable())?;
                match self.terms.get(&input.lit.variable()) {
                    Some(Some(_)) => None,
                    Some(None) => Some(Err(input)),
                    None => Some(Ok(**gate)),
                }
            });
            match waiting {
                Some(Ok(gate)) => {
                    stack.push(gate);
                    continue;
                }
                Some(Err(input)) => {
                    self.error(input, format!("gate {} depends on itself", top.lit.lit.0));
                    self.terms.insert(variable, Some(self.store.fals()));
                }
                None => {
                    let term = self.store.and(self.used(top.left), self.used(top.right));
                    self.terms.insert(variable, Some(term));
                }
            }
            stack.pop();
        }
    }

    /// The term of a literal; what is not defined is reported and stands for `false`.
    fn used(&mut self, used: Use) -> ExprId {
        let Some(term) = self.term(used.lit) else {
            self.error(used, format!("literal {} is not defined", used.lit.0));
            return self.store.fals();
        };
        term
    }

    fn term(&self, lit: Lit) -> Option<ExprId> {
        let term = match lit.variable() {
            0 => self.store.fals(),
            variable => self.terms.get(&variable).copied().flatten()?,
        };
        Some(if lit.is_negated() { self.store.not(term) } else { term })
    }
}
