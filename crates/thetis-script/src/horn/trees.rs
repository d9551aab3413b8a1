//! Clauses with several atoms in their bodies, as an automaton with procedures.
//!
//! Every predicate is a procedure that ends with any of its elements in shared variables, its *outputs*, and does not end
//! otherwise. It chooses a clause whose head is the predicate and gives the variables of the clause arbitrary values. For each atom of
//! the body it calls the procedure of the predicate and goes on if the outputs are the arguments of the atom; then it checks
//! the constraint and makes the arguments of the head its own outputs. What runs first does the same for a clause without head,
//! and ends in the error location. So a derivation of falsehood is a run, each activation of which derives one
//! atom, and a postcondition of a procedure is a formula for its predicate.
//!
//! Runs with few pending calls are those of the automaton with copies, which is the model that engines see: they find
//! refutations there. Proofs come from the automaton with procedures.

use std::collections::BTreeSet;
use std::sync::Arc;

use thetis_base::IndexVec;
use thetis_expr::smtlib::print_sort;
use thetis_expr::{Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{
    Cfa, CfaBuilder, CfaProperty, CopiedEdge, EdgeId, LocId, Procedural, Procedure, ProcedureCall,
    ProcedureId, Stmt,
};

use super::{Atom, Clause, Clauses};

/// The greatest depth of derivations that are looked for.
const MAX_DEPTH: usize = 40;

/// The greatest number of edges of the automaton with copies.
const MAX_EDGES: usize = 4000;

/// What the parts of the automata of a system of clauses mean there.
pub struct TreeEncoding {
    /// For each predicate the variables that are its outputs. Its procedure has its number.
    pub(super) outputs: Vec<Vec<VarId>>,
    /// The clause that is done when an edge of the automaton with procedures is taken.
    pub(super) done: Vec<(EdgeId, usize)>,
    /// What the edges of the automaton with copies are.
    pub(super) edges: IndexVec<EdgeId, CopiedEdge>,
    /// The variables of clauses in activations, by depth, and the variables of the automaton with copies.
    pub(super) locals: Vec<Vec<(VarId, VarId)>>,
}

/// The automaton of `clauses`, whose store extends theirs.
pub fn encode_trees(clauses: &Clauses) -> (Task<Cfa>, TreeEncoding) {
    let store = clauses.store.clone();
    let mut trees = TreeBuilder::new(clauses, &store);
    for (number, clause) in clauses.clauses.iter().enumerate() {
        trees.clause(number, clause);
    }
    if clauses.clauses.iter().all(|clause| clause.head.is_some()) {
        // Copies contain only what is reachable along edges, and there must be an error location.
        trees.builder.edge(trees.initial, trees.error, Stmt::assume(store.fals()), None);
    }
    let TreeBuilder { builder, outputs, entries, exits, calls, locals, done, .. } = trees;
    let cfa = builder.build(&store).expect("the automaton of clauses should be well-formed");
    let procedure = |(number, (entry, exit)): (usize, (LocId, LocId))| {
        let name = format!("{}#{number}", clauses.predicates[number].name);
        Procedure { name, entry, exit }
    };
    let procedures = entries.into_iter().zip(exits).enumerate().map(procedure).collect();
    let procedural = Procedural { cfa, procedures, calls: calls.into_iter().collect(), locals };
    let copies = procedural
        .copies(&store, MAX_DEPTH, MAX_EDGES)
        .expect("the automaton with copies should be well-formed");
    let model = Cfa { procedural: Some(Arc::new(procedural)), ..copies.cfa };
    let task = Task { store, model, property: CfaProperty::ErrorLocation };
    (task, TreeEncoding { outputs, done, edges: copies.edges, locals: copies.locals })
}

/// The automaton with procedures under construction.
struct TreeBuilder<'c> {
    store: &'c Store,
    builder: CfaBuilder,
    num_locations: usize,
    initial: LocId,
    error: LocId,
    outputs: Vec<Vec<VarId>>,
    entries: Vec<LocId>,
    exits: Vec<LocId>,
    calls: Vec<(LocId, ProcedureCall)>,
    locals: BTreeSet<VarId>,
    done: Vec<(EdgeId, usize)>,
}

impl<'c> TreeBuilder<'c> {
    fn new(clauses: &Clauses, store: &'c Store) -> TreeBuilder<'c> {
        let mut builder = CfaBuilder::new("clauses");
        let (initial, error) = (builder.location("start", None), builder.location("error", None));
        builder.initial(initial);
        builder.error(error);
        let (mut outputs, mut entries, mut exits) = (Vec::new(), Vec::new(), Vec::new());
        for (number, predicate) in clauses.predicates.iter().enumerate() {
            let output = |(position, sort): (usize, &thetis_expr::Sort)| {
                let sort_name: String =
                    print_sort(store, *sort).chars().filter(char::is_ascii_alphanumeric).collect();
                store.declare_fresh(&format!("out{number}_{position}_{sort_name}"), *sort)
            };
            let vars: Vec<VarId> = predicate.sorts.iter().enumerate().map(output).collect();
            vars.iter().for_each(|var| builder.var(*var));
            outputs.push(vars);
            entries.push(builder.location(format!("entry{number}"), None));
            exits.push(builder.location(format!("exit{number}"), None));
        }
        let locals: BTreeSet<VarId> =
            clauses.clauses.iter().flat_map(|clause| clause.vars.iter().copied()).collect();
        locals.iter().for_each(|var| builder.var(*var));
        let (calls, done) = (Vec::new(), Vec::new());
        TreeBuilder {
            store,
            builder,
            num_locations: 0,
            initial,
            error,
            outputs,
            entries,
            exits,
            calls,
            locals,
            done,
        }
    }

    /// Adds what derives an atom by `clause`.
    fn clause(&mut self, number: usize, clause: &Clause) {
        let start = clause.head.as_ref().map_or(self.initial, |head| self.entries[head.predicate]);
        let end = clause.head.as_ref().map_or(self.error, |head| self.exits[head.predicate]);
        let mut at = self.location();
        let arbitrary = clause.vars.iter().map(|var| Stmt::havoc(*var)).collect();
        self.builder.edge(start, at, Stmt::seq(arbitrary), Some(clause.span));
        let mut bound = BTreeSet::new();
        for atom in &clause.body {
            at = self.atom(atom, at, &mut bound);
        }
        let mut stmts = vec![Stmt::assume(clause.constraint)];
        if let Some(head) = &clause.head {
            let outputs = &self.outputs[head.predicate];
            stmts.extend(outputs.iter().zip(&head.args).map(|(output, term)| Stmt::assign(*output, *term)));
        }
        let edge = self.builder.edge(at, end, Stmt::seq(stmts), Some(clause.span));
        self.done.push((edge, number));
    }

    /// Adds a call for an atom of a body at a location; returns the location after it. Variables that are already
    /// `bound` must have the values that the call returns; others are assigned them.
    fn atom(&mut self, atom: &Atom, at: LocId, bound: &mut BTreeSet<VarId>) -> LocId {
        let (target, next) = (self.location(), self.location());
        self.builder.limit(at, "a predicate is derived");
        let callee = ProcedureId::new(atom.predicate);
        self.calls.push((at, ProcedureCall { callee, target }));
        let (mut taken, mut compared) = (Vec::new(), Vec::new());
        for (output, term) in self.outputs[atom.predicate].iter().zip(&atom.args) {
            let value = self.store.var_expr(*output);
            match self.store.as_var(*term).filter(|var| self.locals.contains(var)) {
                Some(var) if bound.insert(var) => taken.push(Stmt::assign(var, value)),
                _ => compared.push(Stmt::assume(self.store.eq(*term, value))),
            }
        }
        // What is compared may be over variables that are taken.
        bound.extend(self.store.vars_of(atom.args.iter().copied()));
        self.builder.edge(target, next, Stmt::seq(taken.into_iter().chain(compared).collect()), None);
        next
    }

    fn location(&mut self) -> LocId {
        self.num_locations += 1;
        self.builder.location(format!("at{}", self.num_locations), None)
    }
}
