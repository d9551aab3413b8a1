//! What every automaton must satisfy.

use std::collections::HashSet;
use std::fmt;

use rustc_hash::FxHashSet;
use thetis_expr::{ExprId, Sort, Store, VarId};

use super::{Cfa, EdgeId, LocId, Stmt, StmtKind};

/// Why an automaton is not well-formed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValidationError {
    /// No location is initial.
    NoInitialLocation,
    /// A location is mentioned that does not exist.
    UnknownLocation(LocId),
    /// Two locations have one name.
    DuplicateLocation(String),
    /// A limit with this name is an error location, or an edge leaves it.
    BadLimit(String),
    /// A variable is declared twice, or is not a current version.
    BadVariable(String),
    /// An edge uses a variable that is not declared.
    UndeclaredVariable(EdgeId, String),
    /// An edge assigns or assumes a term of the wrong sort.
    WrongSort(EdgeId),
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValidationError::NoInitialLocation => write!(f, "there is no initial location"),
            ValidationError::UnknownLocation(location) => {
                write!(f, "location {} does not exist", location.index())
            }
            ValidationError::DuplicateLocation(name) => write!(f, "two locations are called `{name}`"),
            ValidationError::BadLimit(name) => {
                write!(f, "the limit `{name}` is an error location, or an edge leaves it")
            }
            ValidationError::BadVariable(name) => write!(f, "`{name}` is declared twice or is not plain"),
            ValidationError::UndeclaredVariable(edge, name) => {
                write!(f, "edge {} uses `{name}`, which is not declared", edge.index())
            }
            ValidationError::WrongSort(edge) => write!(f, "edge {} has a term of a wrong sort", edge.index()),
        }
    }
}

impl std::error::Error for ValidationError {}

impl Cfa {
    /// Succeeds iff names are unique, everything mentioned exists, and all statements are well-sorted over declared
    /// variables.
    pub fn validate(&self, store: &Store) -> Result<(), ValidationError> {
        self.validate_locations()?;
        let declared = self.declared(store)?;
        for (id, edge) in self.edges.iter_enumerated() {
            self.validate_location(edge.source)?;
            self.validate_location(edge.target)?;
            if self.limits.contains_key(&edge.source) {
                return Err(self.bad_limit(edge.source));
            }
            for stmt in edge.stmt.walk() {
                validate_stmt(store, &declared, id, stmt)?;
            }
        }
        self.validate_terms(store, &declared)
    }

    /// All variables of all terms must be declared. Edges share terms, so these are looked at together first.
    fn validate_terms(&self, store: &Store, declared: &FxHashSet<VarId>) -> Result<(), ValidationError> {
        let terms = self.edges.iter().flat_map(|edge| edge.stmt.walk().filter_map(term));
        if store.vars_of(terms).iter().all(|var| declared.contains(var)) {
            return Ok(());
        }
        for (id, edge) in self.edges.iter_enumerated() {
            let used = store.vars_of(edge.stmt.walk().filter_map(term));
            used.into_iter().try_for_each(|var| known(store, declared, id, var))?;
        }
        Ok(())
    }

    fn validate_locations(&self) -> Result<(), ValidationError> {
        let mut names = HashSet::new();
        for location in &self.locations {
            if !names.insert(location.name.as_str()) {
                return Err(ValidationError::DuplicateLocation(location.name.clone()));
            }
        }
        let marked = self.errors.iter().chain(self.limits.keys()).chain(&self.finals).chain([&self.initial]);
        marked.copied().try_for_each(|location| self.validate_location(location))?;
        match self.limits.keys().find(|limit| self.is_error(**limit)) {
            Some(limit) => Err(self.bad_limit(*limit)),
            None => Ok(()),
        }
    }

    fn bad_limit(&self, limit: LocId) -> ValidationError {
        ValidationError::BadLimit(self.locations[limit].name.clone())
    }

    fn validate_location(&self, location: LocId) -> Result<(), ValidationError> {
        match self.locations.get(location) {
            Some(_) => Ok(()),
            None => Err(ValidationError::UnknownLocation(location)),
        }
    }

    fn declared(&self, store: &Store) -> Result<FxHashSet<VarId>, ValidationError> {
        let mut declared = FxHashSet::default();
        for var in &self.vars {
            if store.symbol(*var).base != *var || !declared.insert(*var) {
                return Err(ValidationError::BadVariable(store.var_name(*var)));
            }
        }
        Ok(declared)
    }
}

fn validate_stmt(
    store: &Store,
    declared: &FxHashSet<VarId>,
    edge: EdgeId,
    stmt: &Stmt,
) -> Result<(), ValidationError> {
    let sorted = |is_right: bool| if is_right { Ok(()) } else { Err(ValidationError::WrongSort(edge)) };
    match &stmt.kind {
        StmtKind::Assign(var, expr) => {
            known(store, declared, edge, *var)?;
            sorted(store.var_sort(*var) == store.sort(*expr))
        }
        StmtKind::Assume(formula) => sorted(store.sort(*formula) == Sort::Bool),
        StmtKind::Havoc(var) => known(store, declared, edge, *var),
        StmtKind::Seq(_) | StmtKind::Choice(_) => Ok(()),
    }
}

fn known(
    store: &Store,
    declared: &FxHashSet<VarId>,
    edge: EdgeId,
    var: VarId,
) -> Result<(), ValidationError> {
    match declared.contains(&var) {
        true => Ok(()),
        false => Err(ValidationError::UndeclaredVariable(edge, store.var_name(var))),
    }
}

fn term(stmt: &Stmt) -> Option<ExprId> {
    match &stmt.kind {
        StmtKind::Assign(_, term) | StmtKind::Assume(term) => Some(*term),
        StmtKind::Havoc(_) | StmtKind::Seq(_) | StmtKind::Choice(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::CfaBuilder;
    use super::*;

    fn build(stmt: impl Fn(&Store, VarId) -> Stmt) -> Result<Cfa, ValidationError> {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let mut builder = CfaBuilder::new("p");
        builder.var(x);
        let (a, b) = (builder.location("a", None), builder.location("b", None));
        builder.initial(a);
        builder.error(b);
        builder.edge(a, b, stmt(&store, x), None);
        builder.build(&store)
    }

    #[test]
    fn good_statements_pass() {
        assert!(build(|store, x| Stmt::assign(x, store.int(1))).is_ok());
        assert!(build(|_, x| Stmt::choice(vec![Stmt::havoc(x), Stmt::skip()])).is_ok());
    }

    #[test]
    fn bad_statements_are_named() {
        let undeclared = |store: &Store| store.declare("y", Sort::Int);
        assert!(matches!(
            build(|store, x| Stmt::assign(x, store.var_expr(undeclared(store)))),
            Err(ValidationError::UndeclaredVariable(_, name)) if name == "y"
        ));
        assert!(matches!(
            build(|store, _| Stmt::seq(vec![Stmt::havoc(undeclared(store))])),
            Err(ValidationError::UndeclaredVariable(..))
        ));
        assert!(matches!(build(|store, x| Stmt::assign(x, store.tru())), Err(ValidationError::WrongSort(_))));
        assert!(matches!(build(|store, _| Stmt::assume(store.int(0))), Err(ValidationError::WrongSort(_))));
    }

    #[test]
    fn bad_structure_is_named() {
        let store = Store::new();
        assert!(matches!(CfaBuilder::new("p").build(&store), Err(ValidationError::NoInitialLocation)));
        let mut twice = CfaBuilder::new("p");
        let first = twice.location("a", None);
        twice.location("a", None);
        twice.initial(first);
        assert!(matches!(twice.build(&store), Err(ValidationError::DuplicateLocation(_))));
        let mut stray = CfaBuilder::new("p");
        stray.location("a", None);
        stray.initial(LocId::new(7));
        assert!(matches!(stray.build(&store), Err(ValidationError::UnknownLocation(_))));
    }

    #[test]
    fn runs_end_at_limits_and_violate_nothing_there() {
        let store = Store::new();
        let build = |mark: fn(&mut CfaBuilder, LocId, LocId)| {
            let mut builder = CfaBuilder::new("p");
            let (start, limit) = (builder.location("start", None), builder.location("limit", None));
            builder.initial(start);
            builder.limit(limit, "line 3: asm");
            mark(&mut builder, start, limit);
            builder.build(&store)
        };
        assert!(
            build(|builder, start, limit| {
                builder.edge(start, limit, Stmt::skip(), None);
            })
            .is_ok()
        );
        for bad in [
            build(|builder, start, limit| {
                builder.edge(limit, start, Stmt::skip(), None);
            }),
            build(|builder, _, limit| builder.error(limit)),
        ] {
            assert!(matches!(bad, Err(ValidationError::BadLimit(name)) if name == "limit"));
        }
    }
}
