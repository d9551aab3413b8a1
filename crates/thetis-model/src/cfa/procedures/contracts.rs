//! Contracts of procedures, and the plain automaton whose safety they reduce a procedural one to.
//!
//! A contract has a *precondition* over the shared variables, and a *postcondition* that relates their values at the exit to
//! those at the entry. The automaton *with contracts* has no procedures:
//!
//! * it starts either where the procedural automaton does, or at the entry of any procedure in any state that satisfies the
//!   precondition, with the shared variables copied to *snapshots*;
//! * a call is an error if the precondition of the callee does not hold; otherwise the variables that the callee may change
//!   get arbitrary values that satisfy its postcondition;
//! * the exit of a procedure is an error if its postcondition does not hold.
//!
//! If it is safe, so is the procedural automaton. Take a run of that with as few steps as possible in which an activation
//! arrives at an error location or a limit, calls a procedure outside its precondition, or ends outside its postcondition.
//! All earlier calls and ends of activations respect the contracts, so what the activation in question has done, with
//! each call that came back as one step, is a run of the automaton with contracts, and its last step leads to an error there.
//! This is the rule of Hoare for recursive procedures (*Procedures and Parameters: An Axiomatic Approach*, 1971), for
//! automata.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use thetis_base::IndexVec;
use thetis_expr::{ExprId, Sort, Store, Substitution, VarId};

use super::{Procedural, ProcedureCall, ProcedureId};
use crate::cfa::{Cfa, CfaInvariants, Edge, EdgeId, LocId, Location, Stmt};

/// What a procedure needs and what it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Contract {
    /// What holds whenever it is called, over the shared variables.
    pub precondition: ExprId,
    /// What holds when it ends, over the shared variables and the [snapshots](Snapshots::entry) of those that it may change.
    pub postcondition: ExprId,
}

/// A proof that a procedural automaton is safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContractProof {
    /// The contracts.
    pub contracts: IndexVec<ProcedureId, Contract>,
    /// Why the automaton with these contracts is safe. Its first locations and edges are those of the procedural one.
    pub invariants: CfaInvariants,
}

/// Why there is no automaton with such contracts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ContractsError {
    /// There are more or fewer contracts than procedures.
    WrongNumber,
    /// A part of the contract of this procedure is not a formula over what it may be about.
    BadFormula(String),
    /// The name of this snapshot is taken.
    NameTaken(String),
    /// The procedural automaton itself is not well-formed.
    NotWellFormed(String),
}

impl fmt::Display for ContractsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ContractsError::WrongNumber => write!(f, "there is not one contract for each procedure"),
            ContractsError::BadFormula(name) => {
                write!(f, "the contract of `{name}` is not about the variables that its procedure shares")
            }
            ContractsError::NameTaken(name) => write!(f, "the name `{name}` is taken"),
            ContractsError::NotWellFormed(reason) => f.write_str(reason),
        }
    }
}

/// The variables that hold values which shared variables had earlier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Snapshots {
    /// For each shared variable that procedures may change, its value at the entry of the procedure that is running.
    pub entry: BTreeMap<VarId, VarId>,
    /// The same for its value before the last call.
    pub before: BTreeMap<VarId, VarId>,
}

impl Snapshots {
    pub(super) fn new(procedural: &Procedural, store: &Store) -> Result<Snapshots, ContractsError> {
        let all: BTreeSet<VarId> = procedural.modified().into_iter().flatten().collect();
        let snapshot = |kind: &str, var: VarId| {
            let name = format!("{kind}!{}", store.var_name(var));
            let is_taken = |known: VarId| {
                store.var_sort(known) != store.var_sort(var) || procedural.cfa.vars.contains(&known)
            };
            match store.find_var(&name).is_some_and(is_taken) {
                true => Err(ContractsError::NameTaken(name)),
                false => Ok((var, store.declare(&name, store.var_sort(var)))),
            }
        };
        let snapshots = |kind| all.iter().map(|var| snapshot(kind, *var)).collect();
        let entry: Result<BTreeMap<VarId, VarId>, ContractsError> = snapshots("entry");
        Ok(Snapshots { entry: entry?, before: snapshots("before")? })
    }
}

impl ContractProof {
    /// The same proof with terms of `store`; now they belong to `inner`.
    #[must_use]
    pub fn at_home(self, store: &Store, inner: &Store) -> ContractProof {
        let home = |formula: ExprId| store.import(inner, formula);
        let contracts = self.contracts.into_iter().map(|contract| Contract {
            precondition: home(contract.precondition),
            postcondition: home(contract.postcondition),
        });
        let cells = self.invariants.cells_in(store, inner);
        let formulas = self.invariants.formulas.iter().map(|(at, formula)| (*at, home(*formula))).collect();
        ContractProof {
            contracts: contracts.collect(),
            invariants: CfaInvariants { formulas, cells, ..self.invariants },
        }
    }
}

impl Procedural {
    /// The automaton with `contracts`. See the [module](self).
    pub fn with_contracts(
        &self,
        store: &Store,
        contracts: &IndexVec<ProcedureId, Contract>,
    ) -> Result<Cfa, ContractsError> {
        self.validate(store)?;
        if contracts.len() != self.procedures.len() {
            return Err(ContractsError::WrongNumber);
        }
        let construction = Construction {
            procedural: self,
            store,
            contracts,
            modified: self.modified(),
            snapshots: self.snapshots(store)?,
        };
        construction.check_formulas()?;
        let cfa = construction.build();
        let is_valid = cfa.validate(store);
        is_valid.map_err(|error| ContractsError::NotWellFormed(error.to_string()))?;
        Ok(cfa)
    }
}

/// An automaton with contracts under construction.
struct Construction<'a> {
    procedural: &'a Procedural,
    store: &'a Store,
    contracts: &'a IndexVec<ProcedureId, Contract>,
    modified: IndexVec<ProcedureId, BTreeSet<VarId>>,
    snapshots: Snapshots,
}

impl Construction<'_> {
    fn check_formulas(&self) -> Result<(), ContractsError> {
        let is_shared = |var: &VarId| !self.procedural.locals.contains(var);
        let shared: BTreeSet<VarId> = self.procedural.cfa.vars.iter().copied().filter(is_shared).collect();
        for (id, contract) in self.contracts.iter_enumerated() {
            let snapshots: BTreeSet<VarId> =
                self.modified[id].iter().map(|var| self.snapshots.entry[var]).collect();
            let is_about = |formula: ExprId, is_allowed: &dyn Fn(&VarId) -> bool| {
                self.store.sort(formula) == Sort::Bool && self.store.vars_of([formula]).iter().all(is_allowed)
            };
            let is_good = is_about(contract.precondition, &|var| shared.contains(var))
                && is_about(contract.postcondition, &|var| shared.contains(var) || snapshots.contains(var));
            if !is_good {
                return Err(ContractsError::BadFormula(self.procedural.procedures[id].name.clone()));
            }
        }
        Ok(())
    }

    fn build(&self) -> Cfa {
        let mut cfa = self.procedural.cfa.clone();
        cfa.procedural = None;
        cfa.vars.extend(self.snapshots.entry.values().chain(self.snapshots.before.values()));
        cfa.limits.retain(|limit, _| !self.procedural.calls.contains_key(limit));
        let start = add_location(&mut cfa, "start!".into());
        let main = std::mem::replace(&mut cfa.initial, start);
        add_edge(&mut cfa, start, main, Stmt::skip());
        for (id, procedure) in self.procedural.procedures.iter_enumerated() {
            add_edge(&mut cfa, start, procedure.entry, self.enter(id));
            let broken = add_location(&mut cfa, format!("postcondition!{}", procedure.name));
            cfa.errors.push(broken);
            let breach = Stmt::assume(self.store.not(self.contracts[id].postcondition));
            add_edge(&mut cfa, procedure.exit, broken, breach);
        }
        for (location, call) in &self.procedural.calls {
            let name = format!("precondition!{}", cfa.locations[*location].name);
            let broken = add_location(&mut cfa, name);
            cfa.errors.push(broken);
            let breach = Stmt::assume(self.store.not(self.contracts[call.callee].precondition));
            add_edge(&mut cfa, *location, broken, breach);
            add_edge(&mut cfa, *location, call.target, self.call(*call));
        }
        cfa
    }

    /// What happens where a procedure starts by itself.
    fn enter(&self, procedure: ProcedureId) -> Stmt {
        let mut stmts = vec![Stmt::assume(self.contracts[procedure].precondition)];
        stmts.extend(self.copies(procedure, &self.snapshots.entry));
        Stmt::seq(stmts)
    }

    /// What a call does, as far as the contract of its callee says it.
    fn call(&self, call: ProcedureCall) -> Stmt {
        let modified = &self.modified[call.callee];
        let mut stmts: Vec<Stmt> = self.copies(call.callee, &self.snapshots.before).collect();
        stmts.extend(modified.iter().map(|var| Stmt::havoc(*var)));
        let mut earlier = Substitution::new();
        for var in modified {
            let before = self.store.var_expr(self.snapshots.before[var]);
            earlier.insert(self.store, self.snapshots.entry[var], before);
        }
        stmts.push(Stmt::assume(earlier.apply(self.store, self.contracts[call.callee].postcondition)));
        Stmt::seq(stmts)
    }

    fn copies<'s>(
        &'s self,
        procedure: ProcedureId,
        snapshots: &'s BTreeMap<VarId, VarId>,
    ) -> impl Iterator<Item = Stmt> + 's {
        let copy = |var: &VarId| Stmt::assign(snapshots[var], self.store.var_expr(*var));
        self.modified[procedure].iter().map(copy)
    }
}

fn add_location(cfa: &mut Cfa, name: String) -> LocId {
    cfa.locations.push(Location { name, span: None })
}

fn add_edge(cfa: &mut Cfa, source: LocId, target: LocId, stmt: Stmt) -> EdgeId {
    cfa.edges.push(Edge { source, target, stmt, span: None })
}
