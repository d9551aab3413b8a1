//! Solutions of clauses: a formula for each predicate.

use std::collections::BTreeMap;
use std::fmt::Write;

use rustc_hash::FxHashMap;
use thetis_base::{Run, Span, Stop};
use thetis_expr::smtlib::{Dialect, print_name, print_sort, print_term};
use thetis_expr::{ExprId, Replacer, Sort, Store, VarId, default_value};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, Contract, EdgeId, Inventor, LocId, SymbolicState};
use thetis_solver::{Answer, Eliminator, SolverFactory};
use thiserror::Error;

use super::{Atom, Clause, Clauses, Encoding, Reduced, TreeEncoding};

/// A formula for each predicate, over parameters that stand for its arguments. Terms belong to the store of the automaton.
#[derive(Clone, Debug)]
pub struct Model {
    relations: Vec<Relation>,
}

#[derive(Clone, Debug)]
struct Relation {
    parameters: Vec<VarId>,
    formula: ExprId,
}

/// Why there is no checked model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// The proof of the automaton does not give a formula for each location.
    #[error("{0}")]
    NotExpressible(&'static str),
    /// A clause does not hold, or the solver could not decide it.
    #[error("the model could not be checked on a clause")]
    NotChecked(Span),
    /// The run ended.
    #[error("the check was stopped")]
    Stopped(#[from] Stop),
}

impl Model {
    /// The model given by a proof about the automaton. It must still be [checked](Model::check).
    pub fn of_proof(
        encoding: &Encoding,
        task: &Task<Cfa>,
        proof: &CfaProof,
        eliminator: &dyn Eliminator,
        run: &Run,
    ) -> Result<Model, ModelError> {
        let CfaProof::Invariants(invariants) = proof else {
            return Err(ModelError::NotExpressible("the proof does not consist of invariants"));
        };
        if !invariants.cells.is_empty() {
            return Err(ModelError::NotExpressible("the proof has quantifiers"));
        }
        let formulas = Formulas { task, invariants, eliminator, run }.all()?;
        let relation = |(arguments, location): (&Vec<VarId>, &LocId)| {
            Relation::new(&task.store, arguments, formulas[location])
        };
        Ok(Model { relations: encoding.arguments.iter().zip(&encoding.locations).map(relation).collect() })
    }

    /// The model given by the contracts of the predicates' procedures. It must still be [checked](Model::check).
    pub fn of_contracts(
        encoding: &TreeEncoding,
        task: &Task<Cfa>,
        proof: &CfaProof,
    ) -> Result<Model, ModelError> {
        let CfaProof::Contracts(proof) = proof else {
            return Err(ModelError::NotExpressible("the proof does not consist of contracts"));
        };
        let relation = |(outputs, contract): (&Vec<VarId>, &Contract)| {
            Relation::new(&task.store, outputs, contract.postcondition)
        };
        Ok(Model { relations: encoding.outputs.iter().zip(&proof.contracts).map(relation).collect() })
    }

    /// The same, but drops the parts of postconditions about variables other than the outputs, instead of substituting
    /// their fixed values.
    pub fn of_projected_contracts(
        encoding: &TreeEncoding,
        task: &Task<Cfa>,
        proof: &CfaProof,
        eliminator: &dyn Eliminator,
        run: &Run,
    ) -> Result<Model, ModelError> {
        let CfaProof::Contracts(proof) = proof else {
            return Err(ModelError::NotExpressible("the proof does not consist of contracts"));
        };
        let relation = |(outputs, contract): (&Vec<VarId>, &Contract)| {
            let mut others = task.store.vars_of([contract.postcondition]);
            others.retain(|var| !outputs.contains(var));
            let formula = project(&task.store, eliminator, &others, contract.postcondition, run)?;
            Ok(Relation::new(&task.store, outputs, formula))
        };
        let relations = encoding.outputs.iter().zip(&proof.contracts).map(relation);
        Ok(Model { relations: relations.collect::<Result<_, ModelError>>()? })
    }

    /// The model in which every predicate is true everywhere. It is a model if the queries are trivial.
    pub fn universal(store: &Store, clauses: &Clauses) -> Model {
        let parameters = |sorts: &[Sort]| sorts.iter().map(|sort| store.declare_fresh("x", *sort)).collect();
        let relations = clauses
            .predicates
            .iter()
            .map(|predicate| Relation { parameters: parameters(&predicate.sorts), formula: store.tru() });
        Model { relations: relations.collect() }
    }

    /// The model extended to the inlined predicates, by the strongest relations: those that their clauses define.
    pub fn with_helpers(
        mut self,
        reduced: &Reduced,
        store: &Store,
        eliminator: &dyn Eliminator,
        run: &Run,
    ) -> Result<Model, ModelError> {
        // The clauses of a helper can mention helpers that were inlined after it.
        for (helper, definition) in reduced.helpers.iter().rev() {
            let sorts = &reduced.clauses.predicates[*helper].sorts;
            let parameters: Vec<VarId> = sorts.iter().map(|sort| store.declare_fresh("x", *sort)).collect();
            let mut formulas = Vec::new();
            for clause in definition {
                formulas.push(self.defined(store, clause, &parameters, eliminator, run)?);
            }
            self.relations[*helper] = Relation { parameters, formula: store.or_all(formulas) };
        }
        Ok(self)
    }

    /// What `clause` derives about its head, whose arguments are `parameters`.
    fn defined(
        &self,
        store: &Store,
        clause: &Clause,
        parameters: &[VarId],
        eliminator: &dyn Eliminator,
        run: &Run,
    ) -> Result<ExprId, ModelError> {
        let args = clause.head.iter().flat_map(|head| head.args.iter().copied());
        let equations = parameters.iter().zip(args).map(|(var, term)| store.eq(store.var_expr(*var), term));
        let body = clause.body.iter().map(|atom| self.instance(store, atom));
        let derived = store.and_all(body.chain([clause.constraint]).chain(equations));
        project(store, eliminator, &clause.vars, derived, run)
    }

    /// Whether every clause holds, with a fresh solver.
    pub fn check(
        &self,
        store: &Store,
        clauses: &Clauses,
        solvers: &dyn SolverFactory,
        run: &Run,
    ) -> Result<(), ModelError> {
        let mut solver = solvers.start(run).map_err(Stop::from)?;
        for clause in &clauses.clauses {
            run.checkpoint()?;
            let violation = self.violation(store, clause);
            let holds = violation == store.fals()
                || matches!(solver.check(store, &[violation]).map_err(Stop::from)?, Answer::Unsat);
            if !holds {
                return Err(ModelError::NotChecked(clause.span));
            }
        }
        Ok(())
    }

    /// What holds for values that violate `clause`.
    fn violation(&self, store: &Store, clause: &Clause) -> ExprId {
        let body = clause.body.iter().map(|atom| self.instance(store, atom));
        let head = clause.head.iter().map(|atom| store.not(self.instance(store, atom)));
        store.and_all(body.chain([clause.constraint]).chain(head))
    }

    fn instance(&self, store: &Store, atom: &Atom) -> ExprId {
        let Relation { parameters, formula } = &self.relations[atom.predicate];
        let values: FxHashMap<VarId, ExprId> =
            parameters.iter().copied().zip(atom.args.iter().copied()).collect();
        Replacer::new(|_: &Store, var| values.get(&var).copied()).apply(store, *formula)
    }

    /// The definitions of all predicates as SMT-LIB, one per line.
    pub fn print(&self, store: &Store, clauses: &Clauses) -> String {
        let mut text = String::new();
        for (predicate, relation) in clauses.predicates.iter().zip(&self.relations) {
            let formal = |var: &VarId| {
                format!("({} {})", print_name(store, *var), print_sort(store, store.var_sort(*var)))
            };
            let formals: Vec<String> = relation.parameters.iter().map(formal).collect();
            let body = print_term(store, relation.formula, Dialect::Standard);
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "(define-fun {} ({}) Bool {body})",
                symbol(&predicate.name),
                formals.join(" ")
            );
        }
        text
    }
}

/// The name of a predicate as a symbol of SMT-LIB.
pub(super) fn symbol(name: &str) -> String {
    let is_simple =
        |character: char| character.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(character);
    let starts_well = !name.starts_with(|character: char| character.is_ascii_digit());
    let is_plain = !name.is_empty() && starts_well && name.chars().all(is_simple);
    if is_plain { name.to_owned() } else { format!("|{name}|") }
}

impl Relation {
    /// The relation of the states at a location in which `formula` holds. Variables that are not arguments have their
    /// fixed values.
    fn new(store: &Store, arguments: &[VarId], formula: ExprId) -> Relation {
        let parameters: Vec<VarId> =
            arguments.iter().map(|var| store.declare_fresh("x", store.var_sort(*var))).collect();
        let names: FxHashMap<VarId, VarId> =
            arguments.iter().copied().zip(parameters.iter().copied()).collect();
        let replace = |store: &Store, var: VarId| match names.get(&var) {
            Some(parameter) => Some(store.var_expr(*parameter)),
            None => Some(store.literal(default_value(store, store.var_sort(var)))),
        };
        let formula = Replacer::new(replace).apply(store, formula);
        Relation { parameters, formula }
    }
}

/// Computes the formulas that a proof leaves to be derived.
struct Formulas<'a> {
    task: &'a Task<Cfa>,
    invariants: &'a CfaInvariants,
    eliminator: &'a dyn Eliminator,
    run: &'a Run,
}

impl Formulas<'_> {
    fn all(&self) -> Result<BTreeMap<LocId, ExprId>, ModelError> {
        let (store, cfa) = (&self.task.store, &self.task.model);
        let mut formulas = BTreeMap::new();
        let mut pending = Vec::new();
        for location in cfa.locations.indices() {
            if cfa.is_error(location) {
                formulas.insert(location, store.fals());
            } else if self.invariants.derived.contains(&location) {
                pending.push(location);
            } else {
                formulas.insert(location, self.given(location));
            }
        }
        while !pending.is_empty() {
            let num_pending = pending.len();
            for location in std::mem::take(&mut pending) {
                match self.derived(location, &formulas)? {
                    Some(formula) => drop(formulas.insert(location, formula)),
                    None => pending.push(location),
                }
            }
            if pending.len() == num_pending {
                return Err(ModelError::NotExpressible("formulas are derived in a circle"));
            }
        }
        Ok(formulas)
    }

    fn given(&self, location: LocId) -> ExprId {
        let formula = self.invariants.formulas.get(&location).copied();
        formula.unwrap_or_else(|| self.task.store.tru())
    }

    /// The formula of `location` together with the weakest preconditions of its edges, if the formulas of their targets
    /// are known.
    fn derived(
        &self,
        location: LocId,
        formulas: &BTreeMap<LocId, ExprId>,
    ) -> Result<Option<ExprId>, ModelError> {
        let cfa = &self.task.model;
        let mut needed = vec![self.given(location)];
        for (edge, content) in cfa.edges.iter_enumerated() {
            if content.source != location || self.invariants.blocked.contains(&edge) {
                continue;
            }
            let Some(target) = formulas.get(&content.target) else { return Ok(None) };
            needed.push(self.before(edge, *target)?);
        }
        Ok(Some(self.task.store.and_all(needed)))
    }

    /// The weakest formula before `edge` that makes `target` hold after it.
    fn before(&self, edge: EdgeId, target: ExprId) -> Result<ExprId, ModelError> {
        let (store, cfa) = (&self.task.store, &self.task.model);
        let mut state = SymbolicState::new(&cfa.vars, |var| store.var_expr(var));
        let condition = state.execute(store, &cfa.edges[edge].stmt, &mut Inventor::default()).condition;
        let violated = store.and(condition, store.not(state.substitute(store, target)));
        let mut inputs = store.vars_of([violated]);
        inputs.retain(|var| !cfa.vars.contains(var));
        if inputs.is_empty() {
            return Ok(store.not(violated));
        }
        Ok(store.not(project(store, self.eliminator, &inputs, violated, self.run)?))
    }
}

/// `formula` for some values of `vars`, without a quantifier.
fn project(
    store: &Store,
    eliminator: &dyn Eliminator,
    vars: &[VarId],
    formula: ExprId,
    run: &Run,
) -> Result<ExprId, ModelError> {
    let mut vars = vars.to_vec();
    let occurring = store.vars_of([formula]);
    vars.retain(|var| occurring.contains(var));
    if vars.is_empty() {
        return Ok(formula);
    }
    let projected = eliminator.exists(store, &vars, formula, run).map_err(Stop::from)?;
    projected.ok_or(ModelError::NotExpressible("quantifiers of a derived formula could not be eliminated"))
}
