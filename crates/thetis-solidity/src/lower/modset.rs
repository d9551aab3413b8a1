//! What functions change.
//!
//! The body of a function is translated once just to find out which globals it changes. A function that cannot be
//! translated, or that calls itself, may change everything.

use std::cell::RefCell;
use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::Sort;

use crate::decls::Mutability;
use crate::fault::Res;
use crate::types::{ContractId, FuncId};
use crate::version::Version;

use super::Lower;
use super::function::lower_unit;
use super::global::Global;
use super::units::{Body, Unit};

/// What a function may change.
#[derive(Clone, Default, Debug)]
pub(crate) struct ModSet {
    pub(crate) globals: Vec<Global>,
    /// Code that nobody knows runs.
    pub(crate) all_state: bool,
    /// Memory may change everywhere.
    pub(crate) all_memory: bool,
    /// What `modifies` says.
    pub(crate) specified: bool,
}

/// What is known so far.
#[derive(Default)]
pub(crate) struct ModSets {
    known: RefCell<BTreeMap<(FuncId, Option<ContractId>), ModSet>>,
}

impl ModSet {
    /// Without changes of state.
    fn only_memory(mut self) -> ModSet {
        self.globals.retain(Global::is_memory);
        ModSet { all_state: false, ..self }
    }

    /// Without changes of memory.
    pub(crate) fn only_state(mut self) -> ModSet {
        self.globals.retain(|global| !global.is_memory());
        ModSet { all_memory: false, ..self }
    }
}

impl Lower<'_, '_> {
    /// Whether the function cannot change state. Before version 0.5 this is not enforced.
    pub(crate) fn is_constant(&self, id: FuncId) -> bool {
        let mutability = self.decls.funcs[id].mutability;
        matches!(mutability, Mutability::View | Mutability::Pure) && self.decls.version >= Version(5, 0)
    }

    pub(crate) fn mod_set(&self, id: FuncId) -> ModSet {
        let func = &self.decls.funcs[id];
        let owner = func.contract;
        let is_here = owner
            .zip(self.contract)
            .is_some_and(|(owner, here)| self.decls.contracts[here].linear.contains(&owner));
        let context = if is_here { self.contract } else { owner };
        let everything = ModSet { all_state: true, all_memory: true, ..ModSet::default() };
        let is_constant = self.is_constant(id);
        if func.body.is_none() {
            return if is_constant { ModSet::default() } else { everything };
        }
        let key = (id, context);
        if let Some(known) = self.program.mod_sets.known.borrow().get(&key) {
            return known.clone();
        }
        self.program.mod_sets.known.borrow_mut().insert(key, everything.clone());
        let unit = Unit { contract: context, body: Body::Func(id) };
        let found = match lower_unit(self.program, &unit, &[]) {
            Ok(lowered) => {
                let globals = lowered.changed.into_iter().filter(Global::is_shared).collect();
                ModSet {
                    globals,
                    all_state: lowered.unknown_code,
                    all_memory: lowered.unknown_memory,
                    specified: false,
                }
            }
            Err(_) => everything,
        };
        let found = if is_constant { found.only_memory() } else { found };
        self.program.mod_sets.known.borrow_mut().insert(key, found.clone());
        found
    }

    /// The sort of a global.
    pub(crate) fn global_sort(&mut self, global: &Global, span: Span) -> Res<Option<Sort>> {
        Ok(match global {
            Global::State(slot, leaf) => self.slot_globals(*slot)?.get(*leaf).map(|(_, sort)| *sort),
            Global::Sum(..) => Some(self.store.array_sort(Sort::Int, self.sum_sort())),
            Global::Elsewhere(ty, leaf) => self.leaves(ty, span)?.get(*leaf).copied(),
            Global::Balance => Some(self.balance_sort()),
            Global::NextReference => Some(Sort::Int),
            Global::Field(of, field) => Some(self.field_map(*of, *field).1),
            Global::Length(ty) => Some(self.length_map(ty).1),
            Global::Elements(ty) => Some(self.element_map(ty).1),
            _ => None,
        })
    }
}
