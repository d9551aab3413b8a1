//! Collects the facts of a run and writes them when it ends, whatever ends it.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use thetis_base::{Event, Fact, Run};
use thetis_expr::smtlib::{Declared, Dialect, parse_term, print_term};
use thetis_expr::{Sort, Store};
use thetis_model::{Task, Verdict};
use thetis_report::{Certificate, Reportable};

use super::file::{self, FactKind, KeptFact};
use super::place::Places;
use super::{is_witness, of_certificate};
use crate::outputs;

/// What a run has found out so far. Clones collect for the same run.
#[derive(Clone)]
pub(crate) struct Keeper {
    path: PathBuf,
    sha256: String,
    places: Places,
    facts: Arc<Mutex<BTreeSet<Fact>>>,
}

impl Keeper {
    /// Collects new facts about a text, and those known `before`, for the file at `path`.
    pub(crate) fn new(path: PathBuf, sha256: &str, places: Places, before: &[Fact]) -> Keeper {
        let facts = Arc::new(Mutex::new(before.iter().cloned().collect()));
        Keeper { path, sha256: sha256.to_owned(), places, facts }
    }

    /// `run` with its facts collected.
    pub(crate) fn listen(&self, run: &Run) -> Run {
        let (outer, facts) = (run.clone(), self.facts.clone());
        run.clone().with_events(Arc::new(move |event| {
            if let Event::Fact(fact) = event {
                facts.lock().unwrap_or_else(PoisonError::into_inner).insert(fact.clone());
            }
            outer.emit(event.clone());
        }))
    }

    /// What is known so far.
    pub(crate) fn known(&self) -> Vec<Fact> {
        self.facts.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }

    /// Writes the facts. A proof contains everything that a later run needs, so with a proof nothing else is kept.
    pub(crate) fn write<M: Reportable>(&self, task: &Task<M>, verdict: &Verdict<M>) {
        let proof = match verdict {
            Verdict::Safe(_) => Certificate::new(task, &self.sha256, verdict),
            Verdict::Unsafe(_) | Verdict::Unknown(_) => None,
        };
        let facts =
            proof.map(|certificate| of_certificate(&certificate.json())).filter(|facts| !facts.is_empty());
        let facts = facts.unwrap_or_else(|| self.known());
        self.write_all(facts.into_iter().flat_map(|fact| conjuncts(&task.store, fact)));
    }

    /// The same if only the collected facts are available, which is not enough for a witness.
    pub(crate) fn write_collected(&self) {
        if is_witness(&self.path) {
            return;
        }
        self.write_all(self.known().into_iter());
    }

    fn write_all(&self, facts: impl Iterator<Item = Fact>) {
        let kept: BTreeSet<KeptFact> = facts.filter_map(|fact| self.kept(fact)).collect();
        outputs::write(&self.path, &file::write(&self.sha256, kept.into_iter().collect()));
    }

    /// The form of `fact` in a file. What an engine wanted to know is of no use to later runs.
    fn kept(&self, fact: Fact) -> Option<KeptFact> {
        let (kind, location, formula) = match fact {
            Fact::Invariant { location, formula } => (FactKind::Invariant, Some(location), formula),
            Fact::Predicate { location, formula } => (FactKind::Predicate, location, formula),
            Fact::Wanted { .. } => return None,
        };
        let place = location.as_ref().and_then(|location| self.places.get(location)).cloned();
        Some(KeptFact { kind, formula, location, place })
    }
}

/// Splits a fact, so that a later version without one of its variables loses only the parts that mention that variable.
fn conjuncts(store: &Store, fact: Fact) -> Vec<Fact> {
    let Fact::Invariant { location, formula } = &fact else { return vec![fact] };
    let parsed = parse_term(store, formula, &Declared).ok().filter(|term| store.sort(*term) == Sort::Bool);
    let Some(parsed) = parsed else { return vec![fact] };
    let part = |conjunct| Fact::Invariant {
        location: location.clone(),
        formula: print_term(store, conjunct, Dialect::Thetis),
    };
    store.conjuncts(parsed).into_iter().map(part).collect()
}
