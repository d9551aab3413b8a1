//! The `.cfa` front end: no text makes it panic, every place of a message lies in the text, and what it accepts it
//! prints so that it accepts it again, with as many variables, locations and edges.

use thetis_base::{Diagnostics, SourceMap};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, dot};
use thetis_text::cfa::{parse, print};

use super::{Effect, effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let task = match read(&text_of(bytes)) {
        Ok(task) => task,
        Err(messages) => return messages,
    };
    let _ = dot(&task);
    let Ok(printed) = print(&task) else { return "not printable".into() };
    let again = read(&printed).unwrap_or_else(|messages| panic!("{messages}\n{printed}"));
    assert_same(&task, &again);
    // Arguments of commutative operators may change places once, since terms are numbered anew.
    let reprinted = print(&again).expect("what was printed should be printable");
    let third = read(&reprinted).unwrap_or_else(|messages| panic!("{messages}\n{reprinted}"));
    assert_same(&again, &third);
    "accepted".into()
}

fn read(text: &str) -> Result<Task<Cfa>, Effect> {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.cfa", text);
    let mut diags = Diagnostics::new();
    let task = parse(&sources, file, &mut diags);
    assert_eq!(task.is_err(), diags.num_errors() > 0);
    let effect = effect(&sources, &diags);
    task.map_err(|_| effect)
}

/// Compares the shapes and, where variables keep their names, the terms.
fn assert_same(left: &Task<Cfa>, right: &Task<Cfa>) {
    let (a, b) = (&left.model, &right.model);
    assert_eq!(a.locations.len(), b.locations.len());
    assert_eq!((a.initial, &a.errors), (b.initial, &b.errors));
    assert_eq!(a.vars.len(), b.vars.len());
    assert_eq!(a.edges.len(), b.edges.len());
    let names = |task: &Task<Cfa>| -> Vec<String> {
        task.model.vars.iter().map(|var| task.store.var_name(*var)).collect()
    };
    let keeps_names = names(left) == names(right);
    for (ours, theirs) in a.edges.iter().zip(&b.edges) {
        assert_eq!((ours.source, ours.target), (theirs.source, theirs.target));
        let terms = |task: &Task<Cfa>, edge: &thetis_model::cfa::Edge| -> Vec<_> {
            let term = |stmt: &thetis_model::cfa::Stmt| match &stmt.kind {
                thetis_model::cfa::StmtKind::Assign(_, term) => Some(*term),
                thetis_model::cfa::StmtKind::Assume(term) => Some(*term),
                _ => None,
            };
            edge.stmt.walk().filter_map(term).map(|term| left.store.import(&task.store, term)).collect()
        };
        if keeps_names {
            assert_eq!(terms(left, ours), terms(right, theirs));
        }
    }
}
