//! The hash-consing store of terms.
//!
//! # Layout
//! A node is its operator, its sort and the start of its arguments in one shared argument pool; the arguments end
//! where those of the next node start. Equal nodes are found through a hash table that holds node indices only.
//! A binary node costs 20 bytes, 8 bytes of arguments and about 8 bytes of table.
//!
//! # Invariants
//! * Arguments have smaller indices than the node that uses them: the term graph is acyclic and index order is
//!   a topological order.
//! * Every node was built by a smart constructor, so it is well-sorted and no operator has only literal arguments.
//! * Ids made before a `clone` mean the same in the clone.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};
use thetis_base::tick;

use crate::op::ValueId;
use crate::{ArraySort, Op, Sort, Symbol, Value, VarId, Version};

/// A term of a [`Store`]. Within one store, equal ids mean equal terms.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct ExprId(pub(crate) u32);

impl ExprId {
    /// The dense index of this term in its store, for tables. Arguments have smaller indices.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What constructors need to know about an argument, read once because every access to the store has a cost.
#[derive(Clone, Copy)]
pub(crate) struct Head {
    pub(crate) op: Op,
    pub(crate) sort: Sort,
}

impl Head {
    pub(crate) fn is_literal(self) -> bool {
        matches!(self.op, Op::Const(_))
    }
}

pub(crate) type Heads = SmallVec<[Head; 4]>;

/// The arguments of a term, copied out of the store.
pub type Args = SmallVec<[ExprId; 4]>;

/// Owner of terms, literals and variables. Building takes `&self`, so constructor calls nest.
#[derive(Clone)]
pub struct Store {
    inner: RefCell<Inner>,
}

#[derive(Clone)]
struct Inner {
    nodes: Vec<Node>,
    args: Vec<ExprId>,
    table: HashTable<u32>,
    values: IndexSet<Value, FxBuildHasher>,
    array_sorts: IndexSet<(Sort, Sort), FxBuildHasher>,
    symbols: Vec<Symbol>,
    by_name: FxHashMap<Arc<str>, VarId>,
    by_version: FxHashMap<(VarId, Version), VarId>,
}

#[derive(Clone, Copy)]
struct Node {
    op: Op,
    sort: Sort,
    args_start: u32,
}

impl Default for Store {
    fn default() -> Self {
        Store::new()
    }
}

impl Store {
    /// A store that contains only `true` and `false`.
    pub fn new() -> Store {
        let store = Store {
            inner: RefCell::new(Inner {
                nodes: Vec::new(),
                args: Vec::new(),
                table: HashTable::new(),
                values: IndexSet::default(),
                array_sorts: IndexSet::default(),
                symbols: Vec::new(),
                by_name: FxHashMap::default(),
                by_version: FxHashMap::default(),
            }),
        };
        assert_eq!(store.literal(Value::Bool(false)), FALSE);
        assert_eq!(store.literal(Value::Bool(true)), TRUE);
        store
    }

    /// The number of distinct terms.
    pub fn num_terms(&self) -> usize {
        self.inner.borrow().nodes.len()
    }

    /// Bytes held for terms: nodes, argument pool and hash table, by capacity in use.
    pub fn bytes_of_terms(&self) -> usize {
        let inner = self.inner.borrow();
        inner.nodes.len() * size_of::<Node>()
            + inner.args.len() * size_of::<ExprId>()
            + inner.table.allocation_size()
    }

    /// The operator at the root of `expr`.
    pub fn op(&self, expr: ExprId) -> Op {
        self.inner.borrow().nodes[expr.index()].op
    }

    /// The sort of `expr`.
    pub fn sort(&self, expr: ExprId) -> Sort {
        self.inner.borrow().nodes[expr.index()].sort
    }

    /// The arguments of `expr`.
    pub fn args(&self, expr: ExprId) -> Args {
        Args::from_slice(self.inner.borrow().args_of(expr))
    }

    pub(crate) fn heads(&self, args: &[ExprId]) -> Heads {
        let inner = self.inner.borrow();
        let head = |arg: &ExprId| {
            let node = inner.nodes[arg.index()];
            Head { op: node.op, sort: node.sort }
        };
        match args {
            [only] => smallvec![head(only)],
            [left, right] => smallvec![head(left), head(right)],
            _ => args.iter().map(head).collect(),
        }
    }

    /// Whether `expr` is a literal whose value satisfies `test`. Unlike [`Store::value`] this copies nothing; `test`
    /// must not build terms.
    pub(crate) fn is_value(&self, expr: ExprId, test: impl FnOnce(&Value) -> bool) -> bool {
        let inner = self.inner.borrow();
        match inner.nodes[expr.index()].op {
            Op::Const(value) => test(&inner.values[value.0 as usize]),
            _ => false,
        }
    }

    /// The number of arguments of `expr`.
    pub fn num_args(&self, expr: ExprId) -> usize {
        self.inner.borrow().args_of(expr).len()
    }

    /// The argument of `expr` at `position`.
    pub fn arg(&self, expr: ExprId, position: usize) -> ExprId {
        self.inner.borrow().args_of(expr)[position]
    }

    /// The literal that `expr` is, if it is one.
    pub fn value(&self, expr: ExprId) -> Option<Value> {
        let inner = self.inner.borrow();
        match inner.nodes[expr.index()].op {
            Op::Const(value) => Some(inner.values[value.0 as usize].clone()),
            _ => None,
        }
    }

    /// The variable that `expr` is, if it is one.
    pub fn as_var(&self, expr: ExprId) -> Option<VarId> {
        match self.op(expr) {
            Op::Var(var) => Some(var),
            _ => None,
        }
    }

    /// Whether `expr` is a variable or the negation of one.
    pub fn is_var_or_negation(&self, expr: ExprId) -> bool {
        match self.op(expr) {
            Op::Var(_) => true,
            Op::Not => self.as_var(self.arg(expr, 0)).is_some(),
            _ => false,
        }
    }

    /// Whether `expr` is a literal.
    pub fn is_literal(&self, expr: ExprId) -> bool {
        matches!(self.op(expr), Op::Const(_))
    }

    /// The term of a literal.
    pub fn literal(&self, value: Value) -> ExprId {
        let sort = self.sort_of_value(&value);
        let mut inner = self.inner.borrow_mut();
        let (index, _) = inner.values.insert_full(value);
        inner.intern(Op::Const(ValueId(index as u32)), sort, &[])
    }

    /// The sort of arrays from `index` to `element`.
    pub fn array_sort(&self, index: Sort, element: Sort) -> Sort {
        let (position, _) = self.inner.borrow_mut().array_sorts.insert_full((index, element));
        Sort::Array(ArraySort(position as u32))
    }

    /// The index and element sorts of an array sort.
    pub fn array_parts(&self, array: ArraySort) -> (Sort, Sort) {
        self.inner.borrow().array_sorts[array.0 as usize]
    }

    /// The sort of a value.
    pub fn sort_of_value(&self, value: &Value) -> Sort {
        match value {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::BitVec(bits) => Sort::bitvec(bits.width()),
            Value::Float(float) => Sort::Float(float.sort()),
            Value::Array(array) => {
                let index = array.index_sort();
                let element = self.sort_of_value(array.default());
                self.array_sort(index, element)
            }
        }
    }

    /// Declares `name`, or finds it if it was declared before with the same sort.
    ///
    /// # Panics
    /// If `name` was declared with another sort; front ends check names before they build.
    pub fn declare(&self, name: &str, sort: Sort) -> VarId {
        let mut inner = self.inner.borrow_mut();
        if let Some(&var) = inner.by_name.get(name) {
            let declared = inner.symbols[var.index()].sort;
            assert_eq!(declared, sort, "variable `{name}` should keep its sort");
            return var;
        }
        let name: Arc<str> = name.into();
        let var = VarId(inner.symbols.len() as u32);
        inner.symbols.push(Symbol { name: name.clone(), sort, base: var, version: Version::Current });
        inner.by_name.insert(name, var);
        var
    }

    /// Declares a variable whose name starts with `prefix` and is not taken yet.
    pub fn declare_fresh(&self, prefix: &str, sort: Sort) -> VarId {
        let taken = |name: &str| self.inner.borrow().by_name.contains_key(name);
        let mut number = self.inner.borrow().symbols.len();
        loop {
            let name = format!("{prefix}!{number}");
            if !taken(&name) {
                return self.declare(&name, sort);
            }
            number += 1;
        }
    }

    /// The variable declared under `name`, if any.
    pub fn find_var(&self, name: &str) -> Option<VarId> {
        self.inner.borrow().by_name.get(name).copied()
    }

    /// The given version of the variable that `var` is a version of.
    pub fn at_version(&self, var: VarId, version: Version) -> VarId {
        let mut inner = self.inner.borrow_mut();
        let base = inner.symbols[var.index()].base;
        if version == Version::Current {
            return base;
        }
        if let Some(&known) = inner.by_version.get(&(base, version)) {
            return known;
        }
        let fresh = VarId(inner.symbols.len() as u32);
        let symbol = Symbol { version, ..inner.symbols[base.index()].clone() };
        inner.symbols.push(symbol);
        inner.by_version.insert((base, version), fresh);
        fresh
    }

    /// What is known about `var`.
    pub fn symbol(&self, var: VarId) -> Symbol {
        self.inner.borrow().symbols[var.index()].clone()
    }

    /// The sort of `var`.
    pub fn var_sort(&self, var: VarId) -> Sort {
        self.inner.borrow().symbols[var.index()].sort
    }

    /// The name of `var` with its version.
    pub fn var_name(&self, var: VarId) -> String {
        self.inner.borrow().symbols[var.index()].full_name()
    }

    /// The number of variables and versions; their indices are below it.
    pub fn num_vars(&self) -> usize {
        self.inner.borrow().symbols.len()
    }

    /// The term of a variable.
    pub fn var_expr(&self, var: VarId) -> ExprId {
        let mut inner = self.inner.borrow_mut();
        let sort = inner.symbols[var.index()].sort;
        inner.intern(Op::Var(var), sort, &[])
    }

    /// The term of the variable `name`, declared if needed. See [`Store::declare`].
    pub fn var(&self, name: &str, sort: Sort) -> ExprId {
        self.var_expr(self.declare(name, sort))
    }

    /// Interns a node. Only smart constructors call this, after checking sorts.
    pub(crate) fn intern(&self, op: Op, sort: Sort, args: &[ExprId]) -> ExprId {
        tick();
        self.inner.borrow_mut().intern(op, sort, args)
    }
}

/// The literal `false` of every store.
pub(crate) const FALSE: ExprId = ExprId(0);
/// The literal `true` of every store.
pub(crate) const TRUE: ExprId = ExprId(1);

impl Inner {
    fn args_of(&self, expr: ExprId) -> &[ExprId] {
        let start = self.nodes[expr.index()].args_start as usize;
        let end = self.nodes.get(expr.index() + 1).map_or(self.args.len(), |next| next.args_start as usize);
        &self.args[start..end]
    }

    fn intern(&mut self, op: Op, sort: Sort, args: &[ExprId]) -> ExprId {
        let hash = hash_node(op, sort, args);
        let found = self.table.find(hash, |&index| {
            let node = &self.nodes[index as usize];
            node.op == op && node.sort == sort && self.args_of(ExprId(index)) == args
        });
        if let Some(&index) = found {
            return ExprId(index);
        }
        let index = u32::try_from(self.nodes.len()).expect("a store should hold fewer than 2^32 terms");
        let args_start =
            u32::try_from(self.args.len()).expect("a store should hold fewer than 2^32 arguments");
        self.args.extend_from_slice(args);
        self.nodes.push(Node { op, sort, args_start });
        let Inner { nodes, args: pool, table, .. } = self;
        table.insert_unique(hash, index, |&other| {
            let node = &nodes[other as usize];
            let end = nodes.get(other as usize + 1).map_or(pool.len(), |next| next.args_start as usize);
            hash_node(node.op, node.sort, &pool[node.args_start as usize..end])
        });
        ExprId(index)
    }
}

fn hash_node(op: Op, sort: Sort, args: &[ExprId]) -> u64 {
    let mut hasher = FxBuildHasher.build_hasher();
    op.hash(&mut hasher);
    sort.hash(&mut hasher);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn node_size_is_pinned() {
        assert_eq!(size_of::<Node>(), 20);
        assert_eq!(size_of::<ExprId>(), 4);
    }

    #[test]
    fn clones_agree_on_old_ids() {
        let store = Store::new();
        let x = store.var("x", Sort::Int);
        let sum = store.add(x, store.int(1));
        let clone = store.clone();
        assert_eq!(clone.add(clone.var("x", Sort::Int), clone.int(1)), sum);
        assert_eq!(clone.var_name(clone.as_var(x).unwrap()), "x");
    }

    #[test]
    fn versions_share_sort_and_base() {
        let store = Store::new();
        let x = store.declare("x", Sort::bitvec(8));
        let next = store.at_version(x, Version::Next);
        let third = store.at_version(next, Version::Step(3));
        assert_eq!(store.var_name(next), "x'");
        assert_eq!(store.var_name(third), "x⟨3⟩");
        assert_eq!(store.at_version(third, Version::Current), x);
        assert_eq!(store.var_sort(third), Sort::bitvec(8));
    }

    #[test]
    fn a_fresh_variable_is_new() {
        let store = Store::new();
        store.declare("aux!1", Sort::Bool);
        let fresh = store.declare_fresh("aux", Sort::Bool);
        assert_ne!(store.var_name(fresh), "aux!1");
    }
}
