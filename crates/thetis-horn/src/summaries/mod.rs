//! The engine `summaries`: contracts of procedures as solutions of Horn clauses.
//!
//! A program that calls itself has no finite automaton of copies, but it has an [automaton with
//! procedures](thetis_model::cfa::Procedural). [`encode`](self::encode) expresses contracts of the procedures and invariants
//! of their locations as clauses, some of them with two premises. A solver of clauses finds them, and the checker examines
//! each procedure separately. The solver is first asked under the assumption that arithmetic does not wrap around
//! ([`WithoutWraps`]), which makes the task easier; the proof has to show that the assumption holds.
//!
//! Preconditions are first [guessed](self::ranges) and then left to the solver.
//!
//! A program with few inputs is run first: a [table](self::table) of all calls and their results is a contract, and with
//! contracts given only invariants of an automaton without procedures are left to be found. If its only run is a violation, there is
//! nothing to look for.

mod encode;
mod ranges;
mod table;

use std::collections::BTreeSet;

use thetis_base::{Run, Share, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::cfa::{Cfa, CfaInvariants, CfaProof, CfaProperty, ContractProof, Procedural, WithoutWraps};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::{HornAnswer, HornSolver};

use crate::merge::Merged;
use crate::solving::Solving;
use encode::Encoding;
use table::Shown;

/// The part of the time for the only run of a program.
const RUNNING_SHARE: u32 = 60;

/// The part of the rest for preconditions that are guessed.
const GUESSING_SHARE: u32 = 60;

/// The share of the time for the attempt that assumes that arithmetic does not wrap around.
const HOPEFUL_SHARE: u32 = 50;

/// Where preconditions come from.
#[derive(Clone, Copy)]
enum Preconditions {
    /// They are ranges of variables.
    Guessed,
    /// From the solver of clauses.
    Unknown,
}

/// The engine. See the [module](self).
pub struct Summaries {
    solving: Solving,
}

impl Summaries {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "summaries",
        summary: "infers contracts of recursive functions by solving Horn clauses",
        answers: "safe",
    };

    /// An engine that solves clauses with `solver`.
    pub fn new(solver: Box<dyn HornSolver>) -> Summaries {
        Summaries { solving: Solving::new(solver) }
    }

    /// A proof about `procedural`, by any of the methods, or why there is none.
    fn find(
        &mut self,
        edges: &Task<Cfa>,
        procedural: &Procedural,
        run: &Run,
    ) -> Result<Result<ContractProof, String>, Stop> {
        let quick = run.slice(Share::percent(RUNNING_SHARE));
        match in_part(self.prove_by_running(edges, procedural, &quick).map(Some))? {
            Some(Shown::Table(proof)) => return Ok(Ok(proof)),
            Some(Shown::Violation) => return Ok(Err("the only run is a violation".to_owned())),
            Some(Shown::Nothing) | None => {}
        }
        let mut found = Err(String::new());
        for (share, preconditions) in
            [(GUESSING_SHARE, Preconditions::Guessed), (100, Preconditions::Unknown)]
        {
            let part = run.slice(Share::percent(share));
            let hopeful = part.slice(Share::percent(HOPEFUL_SHARE));
            if let Some(proof) =
                in_part(self.prove_without_wraps(edges, procedural, preconditions, &hopeful))?
            {
                return Ok(Ok(proof));
            }
            found = match self.prove(edges, procedural, preconditions, &part) {
                Err(Stop::OutOfTime) => Err("out of time".to_owned()),
                other => other?,
            };
            if found.is_ok() {
                break;
            }
        }
        Ok(found)
    }

    /// A proof about `procedural`, whose edges are those of `edges`, by solving clauses, or why there is none.
    fn prove(
        &mut self,
        edges: &Task<Cfa>,
        procedural: &Procedural,
        preconditions: Preconditions,
        run: &Run,
    ) -> Result<Result<ContractProof, String>, Stop> {
        let guesses = match preconditions {
            Preconditions::Guessed => Some(ranges::guesses(edges, procedural, run)?),
            Preconditions::Unknown => None,
        };
        let encoding = match Encoding::new(edges, procedural, guesses) {
            Ok(encoding) => encoding,
            Err(error) => return Ok(Err(error.to_string())),
        };
        Ok(match self.solving.solve(&edges.store, &encoding.merged.system, run)? {
            HornAnswer::Solved(solution) => Ok(encoding.proof(edges, &solution)),
            HornAnswer::Contradictory => Err("no contracts exclude all errors".to_owned()),
            HornAnswer::Unknown(reason) => Err(reason),
        })
    }

    /// A proof with the contracts that runs show, if the program has few.
    fn prove_by_running(
        &mut self,
        edges: &Task<Cfa>,
        procedural: &Procedural,
        run: &Run,
    ) -> Result<Shown<ContractProof>, Stop> {
        let (Ok(encoding), Ok(snapshots)) =
            (Encoding::new(edges, procedural, None), procedural.snapshots(&edges.store))
        else {
            return Ok(Shown::Nothing);
        };
        let ranges = ranges::with_any_results(edges, procedural, run)?;
        let contracts = match table::contracts(edges, procedural, &snapshots, &encoding.read, &ranges, run)? {
            Shown::Table(contracts) => contracts,
            Shown::Violation => return Ok(Shown::Violation),
            Shown::Nothing => return Ok(Shown::Nothing),
        };
        let Ok(model) = procedural.with_contracts(&edges.store, &contracts) else {
            return Ok(Shown::Nothing);
        };
        let plain = Task { store: edges.store.clone(), model, property: CfaProperty::ErrorLocation };
        let linear = crate::encode(&plain);
        let merged = Merged::new(&plain.store, linear.system, &BTreeSet::new());
        let HornAnswer::Solved(solution) = self.solving.solve(&plain.store, &merged.system, run)? else {
            return Ok(Shown::Nothing);
        };
        let mut invariants =
            CfaInvariants { derived: linear.locations.iter().copied().collect(), ..CfaInvariants::default() };
        for (relation, formula) in merged.kept.iter().zip(solution) {
            invariants.derived.remove(&linear.locations[*relation]);
            invariants.formulas.insert(linear.locations[*relation], formula);
        }
        invariants
            .formulas
            .extend(encoding.unreachable.iter().map(|location| (*location, plain.store.fals())));
        Ok(Shown::Table(ContractProof { contracts, invariants }.at_home(&edges.store, &plain.store)))
    }

    /// The same as if arithmetic did not wrap around; `None` if nothing can, or there is no proof.
    fn prove_without_wraps(
        &mut self,
        edges: &Task<Cfa>,
        procedural: &Procedural,
        preconditions: Preconditions,
        run: &Run,
    ) -> Result<Option<ContractProof>, Stop> {
        let Some(without) = WithoutWraps::new(edges) else { return Ok(None) };
        let changed = Procedural { cfa: without.task.model.clone(), ..procedural.clone() };
        let Ok(mut proof) = self.prove(&without.task, &changed, preconditions, run)? else {
            return Ok(None);
        };
        // What only the changed automaton has comes after all that both have.
        proof.invariants.formulas.retain(|location, _| procedural.cfa.locations.get(*location).is_some());
        Ok(Some(proof.at_home(&edges.store, &without.task.store)))
    }
}

/// Running out of the time for one part is no error: the rest of the time is left.
fn in_part<T>(found: Result<Option<T>, Stop>) -> Result<Option<T>, Stop> {
    match found {
        Err(Stop::OutOfTime) => Ok(None),
        other => other,
    }
}

impl Engine<Cfa> for Summaries {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let unknown = |reason: String| Ok(Verdict::Unknown(Reason::Incomplete(reason)));
        let Some(procedural) = task.model.procedural.as_deref() else {
            return unknown("there are no procedures".to_owned());
        };
        let (store, model) = (task.store.clone(), procedural.cfa.clone());
        let edges = Task { store, model, property: CfaProperty::ErrorLocation };
        match self.find(&edges, procedural, run)? {
            Ok(proof) => {
                let proof = proof.at_home(&task.store, &edges.store);
                Ok(Verdict::Safe(Evidence::Given(CfaProof::Contracts(proof))))
            }
            Err(reason) => {
                run.checkpoint()?;
                unknown(reason)
            }
        }
    }

    fn statistics(&self) -> Statistics {
        self.solving.statistics(Summaries::INFO.name)
    }
}
