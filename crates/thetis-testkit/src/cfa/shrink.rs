//! Shrinking: from a failing automaton to a small one that still fails.

use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, Stmt, StmtKind};

/// A smaller automaton for which `fails` still holds, such that no single simplification keeps it failing: removal of an
/// edge, of a statement, or replacement of a formula or term by one of its parts or a literal.
pub fn shrink(task: &Task<Cfa>, fails: impl Fn(&Task<Cfa>) -> bool) -> Task<Cfa> {
    let mut best = task.clone();
    loop {
        let smaller = candidates(&best).find(|candidate| fails(candidate));
        match smaller {
            Some(smaller) => best = smaller,
            None => return best,
        }
    }
}

fn candidates(task: &Task<Cfa>) -> impl Iterator<Item = Task<Cfa>> {
    let edges: Vec<EdgeId> = task.model.edges.indices().collect();
    let without_edge = edges.clone().into_iter().map(|edge| {
        let mut smaller = task.clone();
        smaller.model.edges.remove(edge);
        smaller
    });
    let with_smaller_stmt = edges.into_iter().flat_map(move |edge| {
        simpler(task, &task.model.edges[edge].stmt).into_iter().map(move |stmt| {
            let mut smaller = task.clone();
            smaller.model.edges[edge].stmt = stmt;
            smaller
        })
    });
    without_edge.chain(with_smaller_stmt)
}

/// All statements that are one simplification away.
fn simpler(task: &Task<Cfa>, stmt: &Stmt) -> Vec<Stmt> {
    let store = &task.store;
    match &stmt.kind {
        StmtKind::Assign(var, expr) => {
            let parts = store.args(*expr).into_iter().filter(|part| store.sort(*part) == store.sort(*expr));
            parts.map(|part| Stmt::assign(*var, part)).collect()
        }
        StmtKind::Assume(formula) => {
            let parts = store.args(*formula).into_iter();
            let parts = parts.filter(|part| store.sort(*part) == store.sort(*formula));
            parts.map(Stmt::assume).collect()
        }
        StmtKind::Havoc(_) => Vec::new(),
        StmtKind::Seq(stmts) => simpler_list(task, stmts, Stmt::seq),
        StmtKind::Choice(stmts) => {
            stmts.iter().cloned().chain(simpler_list(task, stmts, Stmt::choice)).collect()
        }
    }
}

fn simpler_list(task: &Task<Cfa>, stmts: &[Stmt], wrap: fn(Vec<Stmt>) -> Stmt) -> Vec<Stmt> {
    let mut all = Vec::new();
    for (position, stmt) in stmts.iter().enumerate() {
        let with = |replacement: Option<Stmt>| {
            let mut list = stmts.to_vec();
            list.splice(position..=position, replacement);
            wrap(list)
        };
        all.push(with(None));
        all.extend(simpler(task, stmt).into_iter().map(|smaller| with(Some(smaller))));
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::{Shape, explore, random_cfa};
    use super::*;

    #[test]
    fn an_unsafe_automaton_shrinks_to_a_bare_path() {
        let is_unsafe = |task: &Task<Cfa>| explore(task).least_bound.is_some();
        let found = (0..).map(|seed| random_cfa(seed, Shape::default())).find(|task| is_unsafe(task));
        let small = shrink(&found.expect("some automaton should be unsafe"), is_unsafe);
        assert!(is_unsafe(&small));
        assert!(small.model.edges.len() <= 3, "{:?}", small.model.edges);
    }

    #[test]
    fn random_automata_are_neither_all_safe_nor_all_unsafe() {
        let truths: Vec<_> = (0..200).map(|seed| explore(&random_cfa(seed, Shape::default()))).collect();
        let num_unsafe = truths.iter().filter(|truth| truth.least_bound.is_some()).count();
        let num_deep = truths.iter().filter(|truth| truth.least_bound.is_some_and(|bound| bound > 0)).count();
        assert!((40..160).contains(&num_unsafe), "{num_unsafe} of 200 are unsafe");
        assert!(num_deep >= 5, "{num_deep} of 200 need a loop");
    }
}
