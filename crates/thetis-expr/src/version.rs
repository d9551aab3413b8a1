//! Priming and indexing of terms: `x`, `x'`, `x⟨i⟩`.

use crate::{ExprId, Replacer, Store, Version};

impl Store {
    /// The term with every variable replaced by its primed version.
    pub fn primed(&self, expr: ExprId) -> ExprId {
        self.map_versions(expr, |_| Version::Next)
    }

    /// The term at step `step` of a path: `x` becomes `x⟨step⟩` and `x'` becomes `x⟨step + 1⟩`; what is indexed
    /// already stays.
    pub fn at_step(&self, expr: ExprId, step: u32) -> ExprId {
        self.map_versions(expr, |version| match version {
            Version::Current => Version::Step(step),
            Version::Next => Version::Step(step + 1),
            Version::Step(_) => version,
        })
    }

    /// The term over current variables, whatever versions it was over.
    pub fn unversioned(&self, expr: ExprId) -> ExprId {
        self.map_versions(expr, |_| Version::Current)
    }

    fn map_versions(&self, expr: ExprId, change: impl Fn(Version) -> Version) -> ExprId {
        Replacer::new(|store: &Store, var| {
            let version = change(store.symbol(var).version);
            Some(store.var_expr(store.at_version(var, version)))
        })
        .apply(self, expr)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Sort, Store};

    #[test]
    fn a_transition_formula_moves_along_a_path() {
        let store = Store::new();
        let x = store.var("x", Sort::Int);
        let step = store.eq(store.primed(x), store.add(x, store.int(1)));
        let third = store.at_step(step, 3);
        let names: Vec<_> = store.vars_of([third]).into_iter().map(|var| store.var_name(var)).collect();
        assert!(names.contains(&"x⟨3⟩".into()) && names.contains(&"x⟨4⟩".into()), "{names:?}");
        assert_eq!(store.at_step(third, 9), third);
        assert_eq!(store.unversioned(store.primed(x)), x);
    }
}
