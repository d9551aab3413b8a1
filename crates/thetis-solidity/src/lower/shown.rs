//! What is shown of a state: variables by the names that users gave them.

use thetis_expr::{ExprId, VarId};

use crate::types::{ContractId, SlotId, Ty};

use super::Lower;
use super::global::Global;

/// Something with a name that has a value in every state.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name in the language of users.
    pub name: String,
    /// The value.
    pub term: ExprId,
    /// What values mean.
    pub meaning: Meaning,
}

/// How values are written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// As a number without a sign, or as it is.
    Plain,
    /// As a number that can be negative.
    Signed,
    /// As an address.
    Address,
    /// As the member of an enumeration.
    Member(Vec<String>),
    /// By keys.
    Keys(Box<Meaning>, Box<Meaning>),
}

impl Lower<'_, '_> {
    /// Remembers a local variable for displaying runs.
    pub(crate) fn show_local(&mut self, name: &str, ty: &Ty, var: VarId) {
        if !name.is_empty() && ty.is_value() && self.whole.is_none() {
            let (name, meaning) = (name.to_owned(), self.meaning(ty));
            self.locals.push(Variable { name, term: self.store.var_expr(var), meaning });
        }
    }

    /// The state of the contract, as users know it.
    pub(crate) fn state_variables(&self, contract: ContractId, this: ExprId) -> Vec<Variable> {
        let mut state = Vec::new();
        let known: Vec<(&Global, VarId)> = self.graph.globals().collect();
        for slot in self.decls.slots_of(contract) {
            let ty = self.decls.slots[slot].ty.clone();
            for (global, var) in &known {
                let name = match global {
                    Global::State(owner, leaf) if *owner == slot => self.leaf_name(slot, *leaf),
                    Global::Sum(owner, 0) if *owner == slot => {
                        Some(format!("__verifier_sum_uint({})", self.decls.slots[slot].name))
                    }
                    _ => None,
                };
                let Some(name) = name else { continue };
                let meaning = match global {
                    Global::State(..) => self.meaning(&ty),
                    _ => Meaning::Plain,
                };
                let term = self.of_contract(self.store.var_expr(*var), this);
                state.push(Variable { name, term, meaning });
            }
        }
        let balance = known.iter().find(|(global, _)| **global == Global::Balance);
        state.extend(balance.map(|(_, var)| Variable {
            name: "address(this).balance".to_owned(),
            term: self.of_contract(self.store.var_expr(*var), this),
            meaning: Meaning::Plain,
        }));
        state
    }

    /// The name of a leaf of a state variable, if it has one: values, and mappings of values.
    fn leaf_name(&self, slot: SlotId, leaf: usize) -> Option<String> {
        let decl = &self.decls.slots[slot];
        match &decl.ty {
            Ty::Array(_, None, _) if leaf == 0 => Some(format!("{}.length", decl.name)),
            Ty::Struct(id, _) => {
                let field = self.decls.structs[*id].fields.get(leaf)?;
                let all_simple =
                    self.decls.structs[*id].fields.iter().all(|(_, ty)| ty.is_value() || ty.is_text());
                all_simple.then(|| format!("{}.{}", decl.name, field.0))
            }
            _ if leaf == 0 => Some(decl.name.clone()),
            _ => None,
        }
    }

    pub(crate) fn meaning(&self, ty: &Ty) -> Meaning {
        match ty {
            Ty::Address { .. } | Ty::Contract(_) => Meaning::Address,
            Ty::Int { signed: true, .. } => Meaning::Signed,
            Ty::Enum(id) => Meaning::Member(self.decls.enums[*id].values.clone()),
            Ty::Mapping(key, value) => {
                Meaning::Keys(Box::new(self.meaning(key)), Box::new(self.meaning(value)))
            }
            _ => Meaning::Plain,
        }
    }
}
