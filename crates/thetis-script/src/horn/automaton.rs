//! Linear clauses as an automaton.
//!
//! Every predicate is a location, and a state at that location is an element of the predicate: its arguments are the values
//! of variables. A clause is an edge from the predicate of its body to that of its head; clauses without atoms in the body
//! start at the initial location, and clauses without head lead to the error location. So the states that a run can reach are the
//! least solution of the clauses, and the error location is reachable iff the clauses are unsatisfiable.
//!
//! Predicates share variables: the n-th argument of a sort is the same variable for all of them, so most edges change
//! few variables. An edge sets all variables that are not arguments of its target predicate to a fixed value; so a
//! formula about a location is a formula about the arguments alone.
//!
//! The variables of a clause are eliminated where the body determines them: as arguments of the atom, or by equations that can be
//! solved. The others become inputs of the edge.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Replacer, Sort, Store, VarId, default_value, smtlib};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaBuilder, CfaProperty, LocId, Stmt, StmtKind};

use super::assign::in_sequence;
use super::solve::solve;
use super::{Atom, Clause, Clauses};

/// Maps the parts of an automaton back to its clauses. Edges have the numbers of their clauses.
pub struct Encoding {
    /// The location of each predicate.
    pub locations: Vec<LocId>,
    /// For each predicate the variables that are its arguments.
    pub arguments: Vec<Vec<VarId>>,
    /// For each clause what its variables are, as terms over the variables of the automaton after the inputs of the edge
    /// are read and before anything else changes.
    pub(super) values: Vec<Vec<(VarId, ExprId)>>,
    /// For each clause the inputs that its edge reads, in order.
    pub(super) inputs: Vec<Vec<VarId>>,
}

/// The automaton of `clauses`, whose store extends theirs; `None` if a clause is not linear.
pub fn encode(clauses: &Clauses) -> Option<(Task<Cfa>, Encoding)> {
    if clauses.clauses.iter().any(|clause| clause.body.len() > 1) {
        return None;
    }
    let store = clauses.store.clone();
    let mut pools = Pools::default();
    let arguments =
        clauses.predicates.iter().map(|predicate| pools.arguments(&store, &predicate.sorts)).collect();
    let mut builder = CfaBuilder::new("clauses");
    let initial = builder.location(unused_name(clauses, "start"), None);
    let error = builder.location(unused_name(clauses, "error"), None);
    builder.initial(initial);
    builder.error(error);
    let locations: Vec<LocId> =
        clauses.predicates.iter().map(|predicate| builder.location(predicate.name.clone(), None)).collect();
    let mut encoder = Encoder { store: &store, arguments, pools, values: Vec::new(), inputs: Vec::new() };
    let location = |atom: Option<&Atom>, otherwise| atom.map_or(otherwise, |atom| locations[atom.predicate]);
    let mut edges = Vec::new();
    for clause in &clauses.clauses {
        let ends = (location(clause.body.first(), initial), location(clause.head.as_ref(), error));
        edges.push((ends, encoder.steps(clause), clause.span));
    }
    // The set of variables is known only now, and each edge resets those that have no meaning after it.
    let all = encoder.pools.all();
    for (((source, target), mut steps, span), clause) in edges.into_iter().zip(&clauses.clauses) {
        steps.extend(encoder.resets(clause.head.as_ref(), &all));
        builder.edge(source, target, Stmt::at(StmtKind::Seq(steps), span), Some(span));
    }
    all.iter().for_each(|var| builder.var(*var));
    let Encoder { arguments, values, inputs, .. } = encoder;
    let model = builder.build(&store).expect("the automaton of clauses should be well-formed");
    let task = Task { store, model, property: CfaProperty::ErrorLocation };
    Some((task, Encoding { locations, arguments, values, inputs }))
}

/// `name`, made distinct from all predicates.
fn unused_name(clauses: &Clauses, name: &str) -> String {
    let mut name = name.to_owned();
    while clauses.predicates.iter().any(|predicate| predicate.name == name) {
        name.push('_');
    }
    name
}

struct Encoder<'s> {
    store: &'s Store,
    arguments: Vec<Vec<VarId>>,
    pools: Pools,
    values: Vec<Vec<(VarId, ExprId)>>,
    inputs: Vec<Vec<VarId>>,
}

impl Encoder<'_> {
    /// The statements of the edge of `clause`, before variables are reset.
    fn steps(&mut self, clause: &Clause) -> Vec<Stmt> {
        let store = self.store;
        let (mut values, guard) = self.eliminate(clause);
        let inputs = self.inputs(clause, &values);
        let of_var: FxHashMap<VarId, ExprId> =
            inputs.iter().map(|(var, input)| (*var, store.var_expr(*input))).collect();
        let mut replacer = Replacer::new(|_: &Store, var| of_var.get(&var).copied());
        let guard = replacer.apply(store, guard);
        for value in values.values_mut() {
            *value = replacer.apply(store, *value);
        }
        values.extend(inputs.iter().map(|(var, input)| (*var, store.var_expr(*input))));
        let mut steps: Vec<Stmt> = inputs.iter().map(|(_, input)| Stmt::havoc(*input)).collect();
        if guard != store.tru() {
            steps.push(Stmt::assume(guard));
        }
        if let Some(head) = &clause.head {
            steps.extend(self.assignments(head, &values));
        }
        self.values.push(values.into_iter().collect());
        self.inputs.push(inputs.into_iter().map(|(_, input)| input).collect());
        steps
    }

    /// The variables of `clause` that are not among `values`, each with an input of the edge.
    fn inputs(&mut self, clause: &Clause, values: &BTreeMap<VarId, ExprId>) -> Vec<(VarId, VarId)> {
        let mut numbers: FxHashMap<Sort, usize> = FxHashMap::default();
        let undetermined = clause.vars.iter().filter(|var| !values.contains_key(var));
        let input = |var: &VarId| {
            let sort = self.store.var_sort(*var);
            let number = numbers.entry(sort).or_default();
            *number += 1;
            (*var, self.pools.var(self.store, Role::Input, sort, *number - 1))
        };
        undetermined.map(input).collect()
    }

    /// The variables of the clause that the body determines, with their values, and the remaining condition. Values and
    /// condition are over arguments and undetermined variables.
    fn eliminate(&self, clause: &Clause) -> (BTreeMap<VarId, ExprId>, ExprId) {
        let store = self.store;
        let mut known: BTreeMap<VarId, ExprId> = BTreeMap::new();
        let mut conjuncts = store.conjuncts(clause.constraint);
        for atom in &clause.body {
            for (term, argument) in atom.args.iter().zip(&self.arguments[atom.predicate]) {
                let argument = store.var_expr(*argument);
                match store.as_var(*term) {
                    Some(var) if !known.contains_key(&var) => {
                        known.insert(var, argument);
                    }
                    _ => conjuncts.push(store.eq(*term, argument)),
                }
            }
        }
        loop {
            let mut replacer = Replacer::new(|_: &Store, var| known.get(&var).copied());
            for conjunct in &mut conjuncts {
                *conjunct = replacer.apply(store, *conjunct);
            }
            conjuncts = store.conjuncts(store.and_all(conjuncts));
            let is_free = |var: VarId| clause.vars.contains(&var) && !known.contains_key(&var);
            let solved = conjuncts.iter().find_map(|conjunct| solve(store, *conjunct, is_free));
            let Some((var, term)) = solved else { break };
            let mut replacer = Replacer::new(|_: &Store, other| (other == var).then_some(term));
            for value in known.values_mut() {
                *value = replacer.apply(store, *value);
            }
            known.insert(var, term);
        }
        (known, store.and_all(conjuncts))
    }

    /// Gives the arguments of the head their values.
    fn assignments(&mut self, head: &Atom, values: &BTreeMap<VarId, ExprId>) -> Vec<Stmt> {
        let store = self.store;
        let mut replacer = Replacer::new(|_: &Store, var| values.get(&var).copied());
        let terms = head.args.iter().map(|term| replacer.apply(store, *term));
        let assignments = self.arguments[head.predicate].iter().copied().zip(terms).collect();
        let pools = &mut self.pools;
        let spare = |store: &Store, var, number| pools.var(store, Role::Kept, store.var_sort(var), number);
        let sequence = in_sequence(store, assignments, spare);
        sequence.into_iter().map(|(var, value)| Stmt::assign(var, value)).collect()
    }

    /// Gives a fixed value to all variables that are not arguments of the head.
    fn resets(&self, head: Option<&Atom>, all: &[VarId]) -> Vec<Stmt> {
        let Some(head) = head else { return Vec::new() };
        let arguments = &self.arguments[head.predicate];
        let reset = |var: &&VarId| !arguments.contains(var);
        let value = |var: VarId| self.store.literal(default_value(self.store, self.store.var_sort(var)));
        all.iter().filter(reset).map(|var| Stmt::assign(*var, value(*var))).collect()
    }
}

/// What a variable of the automaton is for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Role {
    Argument,
    Input,
    Kept,
}

/// The variables of the automaton, by role, sort and number.
#[derive(Default)]
struct Pools {
    vars: FxHashMap<(Role, Sort, usize), VarId>,
    order: Vec<VarId>,
}

impl Pools {
    fn var(&mut self, store: &Store, role: Role, sort: Sort, number: usize) -> VarId {
        *self.vars.entry((role, sort, number)).or_insert_with(|| {
            let role = match role {
                Role::Argument => "arg",
                Role::Input => "input",
                Role::Kept => "kept",
            };
            let sort_name: String =
                smtlib::print_sort(store, sort).chars().filter(char::is_ascii_alphanumeric).collect();
            let var = store.declare_fresh(&format!("{role}_{sort_name}"), sort);
            self.order.push(var);
            var
        })
    }

    fn arguments(&mut self, store: &Store, sorts: &[Sort]) -> Vec<VarId> {
        let mut numbers: FxHashMap<Sort, usize> = FxHashMap::default();
        let mut argument = |sort: &Sort| {
            let number = numbers.entry(*sort).or_default();
            *number += 1;
            self.var(store, Role::Argument, *sort, *number - 1)
        };
        sorts.iter().map(&mut argument).collect()
    }

    fn all(&self) -> Vec<VarId> {
        self.order.clone()
    }
}
