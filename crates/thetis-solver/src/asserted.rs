//! What was asserted in a solver, for wrappers that assert the same in another one.

use thetis_expr::ExprId;

/// The assertions in force, by scope.
pub(crate) struct Asserted {
    scopes: Vec<Vec<ExprId>>,
}

impl Default for Asserted {
    fn default() -> Self {
        Asserted { scopes: vec![Vec::new()] }
    }
}

impl Asserted {
    pub(crate) fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    pub(crate) fn pop(&mut self) {
        self.scopes.pop();
    }

    pub(crate) fn add(&mut self, formula: ExprId) {
        self.scopes.last_mut().expect("the outermost scope should be open").push(formula);
    }

    pub(crate) fn formulas(&self) -> impl Iterator<Item = ExprId> {
        self.scopes.iter().flatten().copied()
    }
}
