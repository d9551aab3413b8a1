//! What a model looks like, as far as the choice of an engine depends on it.

use serde::{Deserialize, Serialize};
use thetis_expr::{Op, Postorder, Sort, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, Graph, StmtKind};

/// Features of a model.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Features {
    /// It has loops.
    pub loops: bool,
    /// It has bit-vectors.
    pub bit_vectors: bool,
    /// It has arrays.
    pub arrays: bool,
    /// It has floating-point numbers.
    pub floats: bool,
    /// It multiplies variables with each other, or divides by them.
    pub nonlinear: bool,
    /// How many edges it has.
    pub edges: usize,
}

/// Which features a stage asks for. What is not mentioned does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct When {
    /// Loops.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loops: Option<bool>,
    /// Bit-vectors.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bit_vectors: Option<bool>,
    /// Arrays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arrays: Option<bool>,
    /// Floating-point numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floats: Option<bool>,
    /// Products and quotients of variables.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nonlinear: Option<bool>,
    /// At most so many edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_edges: Option<usize>,
    /// At least so many edges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_edges: Option<usize>,
}

impl When {
    /// Whether a model with `features` is meant.
    pub fn fits(&self, features: &Features) -> bool {
        let is = |wanted: Option<bool>, has: bool| wanted.is_none_or(|wanted| wanted == has);
        is(self.loops, features.loops)
            && is(self.bit_vectors, features.bit_vectors)
            && is(self.arrays, features.arrays)
            && is(self.floats, features.floats)
            && is(self.nonlinear, features.nonlinear)
            && self.max_edges.is_none_or(|max| features.edges <= max)
            && self.min_edges.is_none_or(|min| features.edges >= min)
    }
}

/// The features of an automaton.
pub fn of_cfa(task: &Task<Cfa>) -> Features {
    let (cfa, store) = (&task.model, &task.store);
    let mut features =
        Features { loops: Graph::new(cfa).has_loops(), edges: cfa.edges.len(), ..Features::default() };
    for var in &cfa.vars {
        features.note_sort(store, store.var_sort(*var));
    }
    let mut terms = Vec::new();
    for edge in &cfa.edges {
        let mut pending = vec![&edge.stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(_, term) | StmtKind::Assume(term) => terms.push(*term),
                StmtKind::Havoc(_) => {}
                StmtKind::Seq(parts) | StmtKind::Choice(parts) => pending.extend(parts),
            }
        }
    }
    for term in Postorder::new(store, terms) {
        let is_variable = |at: usize| !store.is_literal(store.arg(term, at));
        features.nonlinear |= match store.op(term) {
            Op::Mul | Op::BvMul => (0..store.num_args(term)).filter(|at| is_variable(*at)).count() > 1,
            Op::IntDiv | Op::Mod | Op::RealDiv => is_variable(1),
            Op::BvUdiv | Op::BvUrem | Op::BvSdiv | Op::BvSrem | Op::BvSmod => is_variable(1),
            _ => false,
        };
    }
    features
}

impl Features {
    fn note_sort(&mut self, store: &Store, sort: Sort) {
        match sort {
            Sort::BitVec(_) => self.bit_vectors = true,
            Sort::Float(_) => self.floats = true,
            Sort::Array(array) => {
                self.arrays = true;
                let (index, element) = store.array_parts(array);
                self.note_sort(store, index);
                self.note_sort(store, element);
            }
            Sort::Bool | Sort::Int | Sort::Real => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use thetis_expr::Sort;
    use thetis_model::cfa::{CfaBuilder, CfaProperty, Stmt};

    use super::*;

    #[test]
    fn features_are_seen() {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let a = store.declare("a", store.array_sort(Sort::Int, Sort::bitvec(8)));
        let mut builder = CfaBuilder::new("features");
        builder.var(x);
        builder.var(a);
        let start = builder.location("start", None);
        builder.initial(start);
        let square = store.mul(store.var_expr(x), store.var_expr(x));
        builder.edge(start, start, Stmt::assign(x, square), None);
        let model = builder.build(&store).unwrap();
        let task = Task { store, model, property: CfaProperty::ErrorLocation };
        let features = of_cfa(&task);
        let expected = Features {
            loops: true,
            bit_vectors: true,
            arrays: true,
            floats: false,
            nonlinear: true,
            edges: 1,
        };
        assert_eq!(features, expected);
        assert!(When { loops: Some(true), max_edges: Some(1), ..When::default() }.fits(&features));
        assert!(!When { nonlinear: Some(false), ..When::default() }.fits(&features));
        assert!(!When { min_edges: Some(2), ..When::default() }.fits(&features));
    }
}
