//! Invariants in a witness for a C program, by any tool and possibly for another version of the program.
//!
//! The C expressions are resolved in the scope of their positions, so the program is read again together with them. A
//! witness has only lines and columns. If it is for another text, a loop invariant is tried at every loop of its
//! function; an expression that is not valid at a position is left out.

use std::collections::BTreeSet;

use thetis_base::Run;
use thetis_c::ClaimPlace;
use thetis_c::evidence::witness::format::{self, CORRECTNESS, Location};
use thetis_c::evidence::witness::plan::{ClaimText, plan};
use thetis_c::lower::{Lowered, PointKind};
use thetis_expr::smtlib::{Dialect, print_term};
use thetis_portfolio::Config;

use super::file::{FactKind, KeptFact};
use super::place::{Places, places};
use crate::args::QuestionArgs;
use crate::failure::Failure;
use crate::input::c::Annotated;

/// How many times the program is read to find the valid ones among several expressions.
const MAX_ATTEMPTS: usize = 100;

/// The invariants of the witness `text` as facts about the program of `question`. The inner error is about the witness.
pub(crate) fn read(
    text: &str,
    question: &QuestionArgs,
    config: &Config,
    run: &Run,
) -> Result<Result<Vec<KeptFact>, String>, Failure> {
    let entries = match format::read(text) {
        Ok(entries) => entries,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let entries: Vec<_> = entries.into_iter().filter(|entry| entry.entry_type == CORRECTNESS).collect();
    let claims = match plan(&entries) {
        Ok((_, claims)) => claims,
        Err(error) => return Ok(Err(error.to_string())),
    };
    if question.function.is_some() {
        return Ok(Err("witnesses are about programs that start with `main`".to_owned()));
    }
    let mut program = Annotated::new(question, config, run)?;
    let hashes = entries.iter().flat_map(|entry| entry.metadata.task.input_file_hashes.values());
    let is_same_text = hashes.into_iter().any(|hash| program.has_hash(hash));
    let claims = match is_same_text {
        true => claims,
        false => match program.with(&[]) {
            Some(lowered) => moved(&claims, &Loops::new(&program, &lowered)),
            None => return Ok(Ok(Vec::new())),
        },
    };
    Ok(Ok(facts(&mut program, &claims)))
}

/// The claims that are valid in the program, as facts at places.
fn facts(program: &mut Annotated, claims: &[ClaimText]) -> Vec<KeptFact> {
    if let Some(lowered) = program.with(claims) {
        return formulas(&lowered, &places(&lowered, program.sources()));
    }
    let mut found = BTreeSet::new();
    for claim in claims.iter().take(MAX_ATTEMPTS) {
        if let Some(lowered) = program.with(std::slice::from_ref(claim)) {
            found.extend(formulas(&lowered, &places(&lowered, program.sources())));
        }
    }
    found.into_iter().collect()
}

/// The claims of a program that are formulas about its state.
fn formulas(lowered: &Lowered, places: &Places) -> Vec<KeptFact> {
    let task = &lowered.task;
    let kept = lowered.origin.claims.iter().filter_map(|claim| {
        let formula = print_term(&task.store, claim.formula?, Dialect::Thetis);
        let place = places.get(&task.model.locations[claim.location].name)?;
        Some(KeptFact { kind: FactKind::Invariant, formula, location: None, place: Some(place.clone()) })
    });
    let distinct: BTreeSet<KeptFact> = kept.collect();
    distinct.into_iter().collect()
}

/// The loops of a program: the names of their functions, lines and columns.
struct Loops(BTreeSet<(String, u32, u32)>);

impl Loops {
    fn new(program: &Annotated, lowered: &Lowered) -> Loops {
        let heads = lowered.origin.points.iter().filter(|point| point.kind == PointKind::LoopHead);
        Loops(
            heads
                .map(|point| {
                    let start = program.sources().start(point.span);
                    (lowered.origin.frames[point.frame].name.clone(), start.line, start.column)
                })
                .collect(),
        )
    }

    /// The loops of a function, or all if it has none of that name.
    fn of(&self, function: Option<&String>) -> Vec<(u32, u32)> {
        let at = |is_wanted: &dyn Fn(&String) -> bool| -> Vec<(u32, u32)> {
            self.0
                .iter()
                .filter(|(name, ..)| is_wanted(name))
                .map(|(_, line, column)| (*line, *column))
                .collect()
        };
        let own = at(&|name| Some(name) == function);
        if own.is_empty() { at(&|_| true) } else { own }
    }
}

/// The claims at all their candidate positions in a program other than that of the witness.
fn moved(claims: &[ClaimText], loops: &Loops) -> Vec<ClaimText> {
    let at_all_loops = |claim: &ClaimText| -> Vec<ClaimText> {
        if claim.place == ClaimPlace::Statement {
            return vec![claim.clone()];
        }
        let places = loops.of(claim.location.function.as_ref()).into_iter();
        places
            .map(|(line, column)| {
                let location = Location { line, column: Some(column), ..claim.location.clone() };
                ClaimText { location, ..claim.clone() }
            })
            .collect()
    };
    claims.iter().flat_map(at_all_loops).collect()
}
