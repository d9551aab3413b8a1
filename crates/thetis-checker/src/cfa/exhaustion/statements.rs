//! What is known after statements.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use thetis_base::IndexVec;
use thetis_expr::{Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId};

use super::code::{Code, Numbers, write};
use super::datum::Datum;

/// The statements of an automaton, prepared when they are first needed.
pub(in crate::cfa) struct Statements<'t> {
    task: &'t Task<Cfa>,
    numbers: Numbers,
    code: IndexVec<EdgeId, OnceCell<Vec<Code>>>,
}

impl<'t> Statements<'t> {
    pub(in crate::cfa) fn new(task: &'t Task<Cfa>) -> Statements<'t> {
        let cfa = &task.model;
        let numbers = cfa.vars.iter().enumerate().map(|(number, var)| (*var, number)).collect();
        Statements { task, numbers, code: cfa.edges.iter().map(|_| OnceCell::new()).collect() }
    }

    /// Nothing is known of any variable.
    pub(in crate::cfa) fn nothing_known(&self) -> Vec<Datum> {
        vec![Datum::UNKNOWN; self.task.model.vars.len()]
    }

    /// The variables with known values, arrays aside.
    pub(in crate::cfa) fn scalars(&self, values: &[Datum]) -> Vec<(VarId, Value)> {
        let pairs = self.task.model.vars.iter().zip(values);
        pairs.filter_map(|(var, datum)| Some((*var, datum.scalar()?.clone()))).collect()
    }

    /// What is known of the variables after `edge` if `values` is known before; `None` if no run takes it then.
    pub(in crate::cfa) fn after(&self, edge: EdgeId, values: &[Datum]) -> Option<Vec<Datum>> {
        let stmt = &self.task.model.edges[edge].stmt;
        let code =
            self.code[edge].get_or_init(|| Code::of(&self.task.store, &self.numbers, stmt, &BTreeSet::new()));
        self.execute(code, values.to_vec())
    }

    /// What is known after `code`. After a choice, only what its branches agree on is known.
    fn execute(&self, code: &[Code], mut values: Vec<Datum>) -> Option<Vec<Datum>> {
        let store = &self.task.store;
        for part in code {
            match part {
                Code::Assign(variable, term) => values[*variable] = term.datum(store, &values),
                Code::Write(variable, cells) => write(store, &mut values, *variable, cells),
                Code::Assume(condition) => match condition.holds(store, &values) {
                    Some(false) => return None,
                    Some(true) => {}
                    None => condition.learn(&mut values),
                },
                Code::Havoc(variable) => values[*variable] = Datum::UNKNOWN,
                Code::Limit(..) => {}
                Code::Choice(branches) => {
                    let ends = branches.iter().filter_map(|branch| self.execute(branch, values.clone()));
                    values = ends.reduce(|mut known, other| {
                        known.iter_mut().zip(&other).for_each(|(known, other)| known.join(other));
                        known
                    })?;
                }
            }
        }
        Some(values)
    }
}
