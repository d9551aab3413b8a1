//! Reports about verdicts on C programs: the steps of a violation on the source, witnesses and harnesses.

use std::collections::BTreeSet;
use std::rc::Rc;

use indexmap::IndexMap;
use thetis_base::{Diagnostics, FileId, SourceMap, Span, Stop, counted};
use thetis_bounded::inductive_part;
use thetis_c::evidence::Translated;
use thetis_c::evidence::goals::{describe, goals, reached, search};
use thetis_c::evidence::harness::{Harness, NoHarness, harness, input_values, test};
use thetis_c::evidence::labels::labels;
use thetis_c::evidence::story::story;
use thetis_c::evidence::witness::correctness::invariants;
use thetis_c::evidence::witness::format::{
    self, CORRECTNESS, Entry, Invariant, Item, Metadata, Producer, TaskData, VIOLATION,
};
use thetis_c::evidence::witness::violation::segments;
use thetis_c::hir::Program;
use thetis_c::lower::{LowerOptions, Lowered, Property, ViolationKind, lower};
use thetis_c::property;
use thetis_expr::Store;
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace, with_plain_inputs};
use thetis_model::{Evidence, Pass, Reason, Task, Verdict};
use thetis_portfolio::PassesConfig;
use thetis_report::{Fact, Shown, TraceStep, fingerprint, is_shown};
use thetis_solver::SolverFactory;

use crate::facts::place::{Places, places};
use crate::input::language::{
    Harnesses, Language, PartialWitnesses, TestSubject, Tests, Translate, Witness, Witnesses,
};
use crate::input::project::Unit;
use crate::input::standard::name_of;
use crate::session::Session;

/// A program with a translation.
pub(super) struct CProgram {
    pub(super) subject: Rc<Subject>,
    pub(super) lowered: Lowered,
    /// How it is translated to bit-vectors instead, unless it is already or somebody has asked for this translation.
    pub(super) bit_vectors: Option<LowerOptions>,
}

/// A program and its property, however it is translated.
pub(super) struct Subject {
    pub(super) program: Program,
    pub(super) property: Property,
    pub(super) units: Vec<Unit>,
    /// The fingerprints of the files.
    pub(super) hashes: Vec<String>,
    /// The files of the program.
    pub(super) files: Vec<FileId>,
    /// What a proof covers, if no particular check was requested.
    pub(super) scope: String,
}

impl CProgram {
    fn translated<'a>(&'a self, sources: &'a SourceMap) -> Translated<'a> {
        Translated { program: &self.subject.program, lowered: &self.lowered, sources }
    }

    /// Why there can be no witness for the program, if so.
    fn can_have_witnesses(&self) -> Result<(), String> {
        if self.subject.program.entry.is_some() {
            return Err("witnesses are about programs that start with `main`".to_owned());
        }
        if self.lowered.origin.has_threads() {
            return Err("witnesses about programs with threads are not written yet".to_owned());
        }
        Ok(())
    }

    /// The names of the files.
    fn names(&self) -> Vec<String> {
        self.subject.units.iter().map(|unit| name_of(&unit.path).into_owned()).collect()
    }
}

impl Language<Cfa> for CProgram {
    fn witnesses(&self) -> Option<&dyn Witnesses<Cfa>> {
        Some(self)
    }

    fn partial_witnesses(&self) -> Option<&dyn PartialWitnesses<Cfa>> {
        Some(self)
    }

    fn harnesses(&self) -> Option<&dyn Harnesses<Cfa>> {
        Some(self)
    }

    fn tests(&self) -> Option<&dyn Tests<Cfa>> {
        // A test cannot reproduce the interleaving of threads in a run.
        if self.lowered.origin.has_threads() { None } else { Some(self) }
    }

    fn story(&self, trace: &CfaTrace, sources: &SourceMap) -> Option<Vec<TraceStep>> {
        Some(steps(self.translated(sources), trace))
    }

    fn labels(&self, sources: &SourceMap) -> Option<Vec<String>> {
        Some(labels(self.translated(sources)))
    }

    fn plainer(&self, task: &Task<Cfa>, trace: &CfaTrace) -> Option<CfaTrace> {
        with_plain_inputs(task, trace)
    }

    /// The invariants that a witness can express; others mention variables that the program does not name.
    fn facts(&self, task: &Task<Cfa>, proof: &CfaProof, sources: &SourceMap) -> Option<Vec<Fact>> {
        let files = self.subject.files.iter().flat_map(|file| {
            let written = invariants(self.translated(sources), &task.store, proof, *file);
            written
                .items
                .into_iter()
                .filter_map(|item| item.invariant)
                .map(|invariant| fact(sources, *file, &invariant))
        });
        Some(files.collect())
    }

    fn places(&self, sources: &SourceMap) -> Places {
        places(&self.lowered, sources)
    }

    fn scope(&self) -> Option<String> {
        Some(self.subject.scope.clone())
    }

    fn units(&self) -> &[Unit] {
        &self.subject.units
    }

    fn files(&self) -> &[FileId] {
        &self.subject.files
    }

    /// The first translation has reported what there is to report.
    fn in_bit_vectors(&self, sources: &SourceMap) -> Option<Translate<Cfa>> {
        let options = self.bit_vectors.clone()?;
        let (subject, sources) = (Rc::clone(&self.subject), sources.clone());
        Some(Box::new(move || {
            let whole = Span { file: subject.files[0], start: 0, end: 0 };
            let lowered = lower(&subject.program, &options, whole, &mut Diagnostics::new()).ok()?;
            let lowered = lowered.with_places(&sources);
            let task = lowered.task.clone();
            Some((task, Box::new(CProgram { subject: Rc::clone(&subject), lowered, bit_vectors: None })))
        }))
    }

    /// The rule about memory that a run violates.
    fn violated(&self, trace: &CfaTrace) -> Option<String> {
        match self.lowered.violation_of(trace)?.kind {
            ViolationKind::Memory(rule) => Some(rule.name().to_owned()),
            _ => None,
        }
    }
}

/// An invariant as something to show at its line.
fn fact(sources: &SourceMap, file: FileId, invariant: &Invariant) -> Fact {
    let subject = match invariant.kind.as_str() {
        "loop_invariant" => "loop invariant",
        _ => "invariant",
    };
    let text = sources.file(file);
    let line = invariant.location.line;
    let is_there = (1..=text.num_lines()).contains(&line);
    let span = is_there.then(|| text.lines(line, line)).and_then(|lines| {
        let (start, end) = (u32::try_from(lines.start).ok()?, u32::try_from(lines.end).ok()?);
        Some(Span { file, start, end })
    });
    Fact { subject: subject.to_owned(), formula: invariant.value.clone(), span }
}

impl Harnesses<Cfa> for CProgram {
    fn harness(&self, trace: &CfaTrace, sources: &SourceMap) -> Result<Harness, NoHarness> {
        if self.subject.program.entry.is_some() {
            return Err(NoHarness::FunctionAlone);
        }
        if self.lowered.origin.has_threads() {
            return Err(NoHarness::Threads);
        }
        harness(self.translated(sources), trace, &self.subject.property, &self.names().join(" "))
    }
}

impl Tests<Cfa> for CProgram {
    fn goals(&self, sources: &SourceMap) -> Vec<String> {
        let translated = self.translated(sources);
        goals(&self.subject.program, &self.lowered).iter().map(|goal| describe(translated, goal)).collect()
    }

    fn search(&self, left: &BTreeSet<usize>) -> Task<Cfa> {
        search(&self.lowered, &goals(&self.subject.program, &self.lowered), left).task
    }

    fn found(&self, left: &BTreeSet<usize>, trace: CfaTrace) -> (CfaTrace, BTreeSet<usize>) {
        let goals = goals(&self.subject.program, &self.lowered);
        let trace = search(&self.lowered, &goals, left).run_of_program(trace);
        let reached = reached(&self.lowered, &goals, &trace);
        (trace, reached)
    }

    fn driver(&self, trace: &CfaTrace, goal: &str, sources: &SourceMap) -> String {
        test(self.translated(sources), trace, &self.subject.property, &self.names().join(" "), goal)
    }

    fn inputs(&self, trace: &CfaTrace, sources: &SourceMap) -> Vec<String> {
        input_values(self.translated(sources), trace)
    }

    fn subject(&self) -> TestSubject {
        TestSubject {
            program: self.names().join(" "),
            sha256: self.subject.hashes.first().cloned().unwrap_or_default(),
            specification: property::specification(&self.subject.property),
            bits: 8 * self.subject.program.types.model().pointer_size(),
        }
    }
}

impl Witnesses<Cfa> for CProgram {
    fn witness(
        &self,
        task: &Task<Cfa>,
        verdict: &Verdict<Cfa>,
        sources: &SourceMap,
    ) -> Result<Option<Witness>, String> {
        self.can_have_witnesses()?;
        witness(self, &task.store, verdict, sources)
    }
}

impl PartialWitnesses<Cfa> for CProgram {
    fn partial(
        &self,
        task: &Task<Cfa>,
        facts: &[thetis_base::Fact],
        passes: &PassesConfig,
        sources: &SourceMap,
        session: &Session,
    ) -> Result<Witness, String> {
        self.can_have_witnesses()?;
        // Facts are about the automaton after the passes: ranges have simplified it, and edges are merged.
        let proof = || -> Result<Evidence<CfaProof>, Stop> {
            let passed = passes.chain().apply(task.clone(), &session.run)?;
            let solvers: &dyn SolverFactory = &*session.solvers;
            let invariants = inductive_part(&passed.task, facts, solvers, &session.run)?;
            Ok(passed.lift.proof(task, &passed.task.store, CfaProof::invariants(invariants)))
        };
        let proof = proof()
            .map_err(|stop| format!("the invariants were not proved again ({})", Reason::from(stop)))?;
        let witness = witness(self, &task.store, &Verdict::Safe(proof), sources)?;
        witness.ok_or_else(|| "the invariants do not carry over to the program".to_owned())
    }
}

/// The evidence of a verdict as an entry of a witness.
fn witness(
    program: &CProgram,
    store: &Store,
    verdict: &Verdict<Cfa>,
    sources: &SourceMap,
) -> Result<Option<Witness>, String> {
    let translated = program.translated(sources);
    let mut remark = None;
    let (entry_type, content) = match verdict {
        Verdict::Unsafe(Evidence::Given(trace)) if trace.deep.is_some() => {
            return Err("the calls of the run are deeper than `c.recursion-bound`".to_owned());
        }
        Verdict::Unsafe(Evidence::Given(trace)) => {
            let segments = segments(translated, trace, &program.subject.files);
            (VIOLATION, segments.ok_or("the violation is not in a file of the program")?)
        }
        Verdict::Safe(Evidence::Given(_)) if program.subject.files.len() > 1 => {
            return Err(
                "the invariants of several files may be about names that only one of them knows".to_owned()
            );
        }
        Verdict::Safe(Evidence::Given(proof)) => {
            let written = invariants(translated, store, proof, program.subject.files[0]);
            remark = Some(format!(
                "{} written; {} of the proof cannot be said in C",
                counted(written.items.len(), "invariant"),
                counted(written.num_omitted, "part")
            ));
            (CORRECTNESS, written.items)
        }
        Verdict::Safe(Evidence::Missing(_)) | Verdict::Unsafe(Evidence::Missing(_)) | Verdict::Unknown(_) => {
            return Ok(None);
        }
    };
    let entry = Entry { entry_type: entry_type.to_owned(), metadata: metadata(program, &content), content };
    let text = format::write(&[entry]).map_err(|error| error.to_string())?;
    Ok(Some(Witness { text, remark }))
}

fn metadata(program: &CProgram, content: &[Item]) -> Metadata {
    let creation_time = thetis_bench::Header::now();
    let task = TaskData {
        input_files: program.names(),
        input_file_hashes: program.names().into_iter().zip(program.subject.hashes.iter().cloned()).collect(),
        specification: property::specification(&program.subject.property),
        data_model: program.subject.program.types.model().name().to_owned(),
        language: "C".to_owned(),
    };
    Metadata {
        format_version: "2.0".to_owned(),
        uuid: uuid(&fingerprint(format!("{creation_time} {task:?} {content:?}").as_bytes())),
        creation_time,
        producer: Producer { name: "Thetis".to_owned(), version: env!("CARGO_PKG_VERSION").to_owned() },
        task,
    }
}

/// A name in the form of RFC 9562, version 8, from the first digits of a fingerprint.
fn uuid(digits: &str) -> String {
    format!(
        "{}-{}-8{}-8{}-{}",
        &digits[0..8],
        &digits[8..12],
        &digits[13..16],
        &digits[17..20],
        &digits[20..32]
    )
}

/// How many values a step of a violation keeps; of large arrays, the oldest writes are dropped.
const MAX_KNOWN: usize = 500;

/// The run as steps on the source. Each step knows the values shown before it.
pub(crate) fn steps(translated: Translated<'_>, trace: &CfaTrace) -> Vec<TraceStep> {
    let cfa = &translated.lowered.task.model;
    let mut known: IndexMap<String, String> = IndexMap::new();
    let steps = story(translated, trace, is_shown).into_iter().map(|event| {
        let edge = trace.steps[event.after - 1].edge;
        known.extend(event.values.iter().cloned());
        while known.len() > MAX_KNOWN {
            known.shift_remove_index(0);
        }
        let is_changed = |name: &str| event.values.iter().any(|(changed, _)| changed == name);
        let values = known.iter().map(|(name, value)| Shown {
            name: name.clone(),
            value: value.clone(),
            changed: is_changed(name),
        });
        TraceStep {
            number: event.number,
            matters: event.matters,
            values: values.collect(),
            title: event.text,
            span: Some(event.span),
            depth: event.depth,
            edge: Some(edge.index()),
            nodes: vec![cfa.edges[edge].target.index()],
        }
    });
    steps.collect()
}
