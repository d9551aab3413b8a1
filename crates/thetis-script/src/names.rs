//! The symbols of a script and their meanings.

use std::cell::RefCell;

use rustc_hash::FxHashMap;
use thetis_expr::smtlib::{Scope, is_reserved};
use thetis_expr::{ExprId, Replacer, Sort, Store, Value, VarId};

use crate::horn::{Atom, Predicate};

/// The number of terms beyond which definitions are no longer expanded: a chain of definitions can double the size of a
/// term with each line.
const MAX_TERMS: usize = 1 << 23;

/// The names of sorts that scripts cannot define.
const THEORY_SORTS: &[&str] = &[
    "Array",
    "BitVec",
    "Bool",
    "Float128",
    "Float16",
    "Float32",
    "Float64",
    "FloatingPoint",
    "Int",
    "Real",
    "RegLan",
    "RoundingMode",
    "String",
];

/// The declarations and definitions of a script.
#[derive(Default)]
pub(crate) struct Names {
    constants: FxHashMap<String, VarId>,
    definitions: FxHashMap<String, Definition>,
    predicates: FxHashMap<String, usize>,
    sorts: FxHashMap<String, Sort>,
    pub(crate) signatures: Vec<Predicate>,
    /// The variables of the quantifiers around a formula, by name.
    pub(crate) bound: FxHashMap<String, VarId>,
    /// A Boolean variable for each atom that was read, and the atom.
    atoms: RefCell<Atoms>,
}

#[derive(Default)]
struct Atoms {
    markers: FxHashMap<Atom, VarId>,
    atoms: FxHashMap<VarId, Atom>,
}

/// A function definition; its body is over the parameters.
pub(crate) struct Definition {
    pub(crate) parameters: Vec<VarId>,
    pub(crate) body: ExprId,
}

impl Names {
    /// Whether `name` can be declared; otherwise why not.
    pub(crate) fn check_new(&self, name: &str) -> Result<(), String> {
        if is_reserved(name) {
            return Err(format!("`{name}` is a symbol of SMT-LIB"));
        }
        let known = self.constants.contains_key(name)
            || self.definitions.contains_key(name)
            || self.predicates.contains_key(name);
        if known { Err(format!("`{name}` is declared twice")) } else { Ok(()) }
    }

    pub(crate) fn declare(&mut self, name: &str, var: VarId) {
        self.constants.insert(name.to_owned(), var);
    }

    pub(crate) fn define(&mut self, name: &str, definition: Definition) {
        self.definitions.insert(name.to_owned(), definition);
    }

    /// Defines `name` as a sort, unless it is one already.
    pub(crate) fn define_sort(&mut self, name: &str, sort: Sort) -> Result<(), String> {
        if is_reserved(name) || THEORY_SORTS.contains(&name) {
            return Err(format!("`{name}` is a symbol of SMT-LIB"));
        }
        match self.sorts.insert(name.to_owned(), sort) {
            None => Ok(()),
            Some(_) => Err(format!("the sort `{name}` is defined twice")),
        }
    }

    pub(crate) fn declare_predicate(&mut self, predicate: Predicate) {
        self.predicates.insert(predicate.name.clone(), self.signatures.len());
        self.signatures.push(predicate);
    }

    /// The atom that a Boolean variable stands for.
    pub(crate) fn atom(&self, marker: VarId) -> Option<Atom> {
        self.atoms.borrow().atoms.get(&marker).cloned()
    }

    /// The Boolean variable that stands for a predicate applied to `args`.
    fn marker(&self, store: &Store, predicate: usize, args: &[ExprId]) -> Result<ExprId, String> {
        let signature = &self.signatures[predicate];
        if args.len() != signature.sorts.len() {
            let expected = signature.sorts.len();
            return Err(format!("`{}` takes {expected} arguments, not {}", signature.name, args.len()));
        }
        let mut converted = Vec::with_capacity(args.len());
        for (arg, sort) in args.iter().zip(&signature.sorts) {
            converted.push(match store.sort(*arg) {
                found if found == *sort => *arg,
                Sort::Int if *sort == Sort::Real => store.to_real(*arg),
                _ => return Err(format!("an argument of `{}` has another sort", signature.name)),
            });
        }
        Ok(self.mark(store, Atom { predicate, args: converted }))
    }

    /// The Boolean variable that stands for `atom`.
    fn mark(&self, store: &Store, atom: Atom) -> ExprId {
        let mut atoms = self.atoms.borrow_mut();
        if let Some(marker) = atoms.markers.get(&atom) {
            return store.var_expr(*marker);
        }
        let marker = store.declare_fresh(&self.signatures[atom.predicate].name, Sort::Bool);
        atoms.markers.insert(atom.clone(), marker);
        atoms.atoms.insert(marker, atom);
        store.var_expr(marker)
    }

    /// The body of `definition`, called `name`, applied to `args`. Atoms in the body are instantiated too.
    fn expand(
        &self,
        store: &Store,
        name: &str,
        definition: &Definition,
        args: &[ExprId],
    ) -> Result<ExprId, String> {
        let values = definition.values(store, name, args)?;
        let value = |var: VarId| values.get(&var).copied();
        let atom = |var: VarId| {
            let Atom { predicate, args } = self.atom(var)?;
            let mut replacer = Replacer::new(|_: &Store, var| value(var));
            let args = args.into_iter().map(|arg| replacer.apply(store, arg)).collect();
            Some(self.mark(store, Atom { predicate, args }))
        };
        Ok(Replacer::new(|_: &Store, var| value(var).or_else(|| atom(var))).apply(store, definition.body))
    }
}

impl Scope for Names {
    fn resolve(&self, store: &Store, symbol: &str) -> Option<ExprId> {
        if let Some(var) = self.bound.get(symbol).or_else(|| self.constants.get(symbol)) {
            return Some(store.var_expr(*var));
        }
        if let Some(definition) = self.definitions.get(symbol) {
            return definition.parameters.is_empty().then_some(definition.body);
        }
        self.marker(store, *self.predicates.get(symbol)?, &[]).ok()
    }

    fn apply(&self, store: &Store, function: &str, args: &[ExprId]) -> Option<Result<ExprId, String>> {
        if let Some(predicate) = self.predicates.get(function) {
            return Some(self.marker(store, *predicate, args));
        }
        if let Some(definition) = self.definitions.get(function) {
            return Some(self.expand(store, function, definition, args));
        }
        leaves_result_open(store, function, args).map(Err)
    }

    fn sort(&self, name: &str) -> Option<Sort> {
        self.sorts.get(name).copied()
    }
}

impl Definition {
    /// The values of the parameters in an application to `args`.
    fn values(&self, store: &Store, name: &str, args: &[ExprId]) -> Result<FxHashMap<VarId, ExprId>, String> {
        if args.len() != self.parameters.len() || args.is_empty() {
            return Err(format!("`{name}` takes {} arguments, not {}", self.parameters.len(), args.len()));
        }
        if store.num_terms() > MAX_TERMS {
            return Err(format!("expanding `{name}` makes the script too large"));
        }
        let mut values = FxHashMap::default();
        for (parameter, arg) in self.parameters.iter().zip(args) {
            let value = match (store.sort(*arg), store.var_sort(*parameter)) {
                (found, expected) if found == expected => *arg,
                (Sort::Int, Sort::Real) => store.to_real(*arg),
                _ => return Err(format!("an argument of `{name}` has another sort")),
            };
            values.insert(*parameter, value);
        }
        Ok(values)
    }
}

/// Why an application of a theory function is not supported: SMT-LIB does not determine its value for all arguments.
fn leaves_result_open(store: &Store, function: &str, args: &[ExprId]) -> Option<String> {
    let is_zero = |value: Value| match value {
        Value::Int(number) => number == 0.into(),
        Value::Real(number) => *number.numer() == 0.into(),
        _ => true,
    };
    match function {
        "div" | "mod" | "/" => {
            let may_be_zero = |arg: &ExprId| store.value(*arg).is_none_or(is_zero);
            let divisor = args.iter().skip(1).find(|arg| may_be_zero(arg));
            divisor.map(|_| format!("`{function}` by a term that may be zero is not supported"))
        }
        "fp.min" | "fp.max" | "fp.to_ubv" | "fp.to_sbv" | "fp.to_real" => {
            Some(format!("`{function}` is not supported: SMT-LIB leaves some of its values open"))
        }
        _ => None,
    }
}
