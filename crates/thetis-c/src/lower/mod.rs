//! From a checked program to a control-flow automaton, and the way back.
//!
//! ```text
//! hir::Program ──calls──> call tree ──points_to──> classes of objects ──storage, regions──> variables and memory
//!                                                                             └──stmt, expr, call──> graph ──> Task<Cfa>
//! ```
//!
//! Every call of a function with a body becomes a copy of the body ([`calls`]); programs with functions that call themselves
//! are translated a second time, with procedures instead of endless copies ([`procedures`]). A points-to analysis over all copies says
//! which objects need to be in memory, and which memory can be the same ([`points_to`]); all others are variables
//! ([`storage`]). Numbers become terms in one of three encodings ([`arith`]). Effects of expressions become statements on
//! edges in the order of the text, values become terms, and branches in expressions with effects become branches of the
//! automaton.
//!
//! What is undefined in C and not asked about does not stop a run: a division by zero gives any value (`undefined.rs`). What is *not
//! modelled* does: the run ends at a [limit](Cfa::limits) of the automaton. A proof of safety has to show that no limit can be
//! reached; [`Origin::limits`] says where they are in the program.

mod address_bytes;
mod approximation;
mod arith;
mod assign;
mod assumption;
mod blocks;
mod builtin;
mod call;
mod calls;
mod choice;
mod condition;
mod early;
mod emission;
mod excess;
mod expr;
mod externals;
mod graph;
mod init;
mod initialised;
mod layout;
mod library;
mod literals;
mod lowering;
mod main_arguments;
mod math;
mod memory;
mod numbers;
mod objects;
mod operator;
mod options;
mod order;
mod origin;
mod overlay;
mod padding;
mod points_to;
mod procedures;
mod purity;
mod regions;
mod reuse;
mod safety;
mod scalar;
mod spot;
mod stmt;
mod storage;
mod threads;
mod undefined;
mod variadic;
mod volatile;
pub(crate) mod walk;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use thetis_base::{Diagnostics, Reported, SourceMap, Span};
use thetis_expr::{Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProperty, CfaTrace, LocId, Procedural, ProgramQuestion};

use crate::hir::{FunctionId, Machine, Program};
use crate::{code, property};
use approximation::Approximations;
use calls::{CallTree, Shape, TooLarge};
use emission::Emission;
use graph::{Finished, Graph, Marks};
use initialised::Shadows;
use layout::UnionUse;
use lowering::{Lowering, Scope};
use objects::Objects;
use points_to::PointsTo;
use procedures::Procedures;
use reuse::Reuse;
use safety::Safety;
use storage::Singles;
use threads::{Threads, TooManyStates};

pub(crate) use arith::{Arith, Encoding, split_pointer};
pub use assumption::AssumptionKind;
pub(crate) use builtin::{fits, is_input, may_be_text};
pub(crate) use library::string_literal;
pub use options::{Arithmetic, Externals, LowerOptions, MemoryRule, Property, Undefined};
pub use origin::{
    Access, Asked, Assumption, Choice, Claim, Decision, Event, Frame, FrameId, Limit, Object, Origin, Owner,
    Point, PointKind, Turn, Turns, VarOrigin, Variable, Violation, ViolationKind,
};
pub(crate) use safety::describe_registers;
pub use safety::{Registers, parse_registers};
pub use scalar::{Integer, Scalar};
pub(crate) use walk::{Part, has_effects, walk_body, walk_initializers};

/// An automaton with the way back to the program.
#[derive(Clone)]
pub struct Lowered {
    /// The automaton. Its error locations are the violations of the property, its limits are what is not modelled.
    pub task: Task<Cfa>,
    /// What its parts are in the program.
    pub origin: Origin,
    /// The arithmetic that was chosen, never `Auto`.
    pub arithmetic: Arithmetic,
}

impl Lowered {
    /// The same with limits that name their places.
    #[must_use]
    pub fn with_places(mut self, sources: &SourceMap) -> Lowered {
        for limit in &self.origin.limits {
            let (name, place) = (sources.file(limit.span.file).name(), sources.start(limit.span));
            let reason = format!("{name}:{}:{}: {}", place.line, place.column, limit.reason);
            self.task.model.limits.insert(limit.location, reason);
        }
        self
    }

    /// Integers that never wrap are not what a machine has.
    fn assume_encoding(&mut self, whole: Span) {
        if self.arithmetic == Arithmetic::Int {
            let kind = AssumptionKind::MathematicalIntegers;
            let text = "integers are mathematical ones, which never wrap around".to_owned();
            self.origin.assumptions.push(Assumption { kind, text, span: whole });
        }
    }

    /// Asks about one place only. A run that violates the property elsewhere ends there, as it does in the program.
    fn restrict_to(&mut self, assertion: NonZeroU32) -> Result<Span, String> {
        let spans: BTreeSet<Span> = self.origin.violations.iter().map(|violation| violation.span).collect();
        let Some(asked) = spans.iter().nth(assertion.get() as usize - 1) else {
            let places = if spans.len() == 1 { "1 place" } else { &format!("{} places", spans.len()) };
            return Err(format!("there is no place {assertion}: the property could be violated at {places}"));
        };
        let asked = *asked;
        self.origin.violations.retain(|violation| violation.span == asked);
        let violations = &self.origin.violations;
        self.task
            .model
            .errors
            .retain(|error| violations.iter().any(|violation| violation.location == *error));
        Ok(asked)
    }

    /// Adds the automaton with procedures, which asks about the same place.
    fn add_procedures(&mut self, mut second: WithProcedures, asked: Option<Span>) {
        if let Some(asked) = asked {
            let is_asked = |error: &LocId| second.violations.contains(&(*error, asked));
            second.procedural.cfa.errors.retain(is_asked);
        }
        self.task.model.procedural = Some(Arc::new(second.procedural));
        for assumption in second.assumptions {
            let is_same =
                |known: &Assumption| (known.kind, &known.text) == (assumption.kind, &assumption.text);
            if !self.origin.assumptions.iter().any(is_same) {
                self.origin.assumptions.push(assumption);
            }
        }
    }

    /// What a verdict on the automaton is about.
    fn question(&self, options: &LowerOptions, calls: &CallTree, machine: Machine) -> ProgramQuestion {
        let [sentence, violation] = property::sentences(&options.property);
        let assumptions = self.origin.assumptions.iter().map(|assumption| thetis_model::Assumption {
            code: assumption.kind.code(),
            text: assumption.text.clone(),
            span: assumption.span,
            weight: assumption.kind.weight(),
        });
        ProgramQuestion {
            name: property::name(&options.property),
            specification: property::specification(&options.property),
            sentence,
            violation,
            data_model: machine.described().to_owned(),
            settings: [
                ("arithmetic", self.arithmetic.name().to_owned()),
                ("c.externals", options.externals.name().to_owned()),
                ("c.recursion-bound", calls.recursion_bound.to_string()),
                ("c.undefined", options.undefined.name().to_owned()),
            ]
            .into_iter()
            .chain(
                (!options.registers.is_empty())
                    .then(|| ("c.registers", describe_registers(&options.registers))),
            )
            .chain(options.assertion.map(|assertion| ("c.assertion", assertion.to_string())))
            .chain(calls.has_threads.then(|| ("c.thread-bound", calls.thread_bound.to_string())))
            .collect(),
            assumptions: assumptions.collect(),
        }
    }

    /// What is violated where a run ends.
    pub fn violation_of(&self, trace: &CfaTrace) -> Option<&Violation> {
        let last = self.task.model.edges[trace.steps.last()?.edge].target;
        self.origin.violations.iter().find(|violation| violation.location == last)
    }
}

/// Translates a program. `whole` is the place of the program as a whole, for messages about it.
pub fn lower(
    program: &Program,
    options: &LowerOptions,
    whole: Span,
    diagnostics: &mut Diagnostics,
) -> Result<Lowered, Reported> {
    let main = find_main(program, whole, diagnostics)?;
    let thread_bound = options.thread_bound.clamp(1, MAX_THREAD_BOUND);
    let mut options = LowerOptions { thread_bound, ..options.clone() };
    loop {
        match lower_with(program, main, &options, whole, diagnostics) {
            Err(Failure::TooManyStates) if options.thread_bound > 1 => options.thread_bound -= 1,
            Err(Failure::TooManyStates) => {
                let message = format!("the threads have more than {MAX_PRODUCT} steps in all their orders");
                return Err(diagnostics.error(whole, code::TOO_LARGE, message));
            }
            Err(Failure::Reported(reported)) => return Err(reported),
            Ok(lowered) => return Ok(lowered),
        }
    }
}

/// The model of `pthread_create` has this many places for threads.
const MAX_THREAD_BOUND: u32 = 8;

/// The greatest number of edges of the automaton of all threads together.
const MAX_PRODUCT: usize = 300_000;

/// Why there is no automaton.
enum Failure {
    Reported(Reported),
    TooManyStates,
}

impl From<Reported> for Failure {
    fn from(reported: Reported) -> Failure {
        Failure::Reported(reported)
    }
}

/// Translates a program, with this number of threads for each place in a loop that starts some.
fn lower_with(
    program: &Program,
    main: FunctionId,
    options: &LowerOptions,
    whole: Span,
    diagnostics: &mut Diagnostics,
) -> Result<Lowered, Failure> {
    let (calls, points) =
        resolve_calls(program, main, options).map_err(|_| too_large(options, whole, diagnostics))?;
    let functions: BTreeSet<FunctionId> = calls.frames.iter().map(|frame| frame.function).collect();
    let unions = UnionUse::of(program, functions.into_iter());
    let singles = Singles::of(&program.types, &unions, &points);
    let encoding = choice::encoding(program, &calls, &points, options.arithmetic);
    let store = Store::new();
    let arith = Arith { store: &store, encoding, model: program.types.model() };
    let known =
        Known { program, options, arith, calls: &calls, points: &points, unions: &unions, singles: &singles };
    let translated = known.translate(main, whole, "");
    if let Some(message) = threads::unsupported(program, &calls, &options.property) {
        return Err(diagnostics.error(whole, code::UNSUPPORTED, message).into());
    }
    if translated.out.graph.num_edges() > options.max_edges {
        return Err(too_large(options, whole, diagnostics).into());
    }
    let procedural = with_procedures(program, main, options, arith, whole);
    let name = &program.functions[main].name;
    let finished = finish(translated, store.clone(), name);
    let mut lowered = finished.map_err(|error| match error {
        TooManyStates::Edges => Failure::TooManyStates,
        TooManyStates::Unsplit(span) => {
            let message = "several objects that threads share are accessed at once";
            diagnostics.error(span.unwrap_or(whole), code::UNSUPPORTED, message).into()
        }
    })?;
    let asked = options.assertion.map(|assertion| lowered.restrict_to(assertion)).transpose();
    let asked = asked.map_err(|message| diagnostics.error(whole, code::NO_ASSERTION, message))?;
    if let Some(procedural) = procedural {
        lowered.add_procedures(procedural, asked);
    }
    lowered.assume_encoding(whole);
    let question = lowered.question(options, &calls, program.types.machine());
    lowered.task.property = CfaProperty::Program(Arc::new(question));
    Ok(lowered)
}

/// The automaton with procedures.
struct WithProcedures {
    procedural: Procedural,
    /// Its error locations and the places that they stand for.
    violations: BTreeSet<(LocId, Span)>,
    /// What was taken for granted for it.
    assumptions: Vec<Assumption>,
}

/// The automaton with procedures, if the program has some that can be translated.
fn with_procedures(
    program: &Program,
    main: FunctionId,
    options: &LowerOptions,
    arith: Arith<'_>,
    whole: Span,
) -> Option<WithProcedures> {
    let callbacks = BTreeSet::new();
    let calls = CallTree::with_procedures(program, main, &shape(options, &callbacks, 1))?;
    if calls.has_threads {
        return None;
    }
    let points = PointsTo::new(program, &calls, options.externals);
    let calls_back =
        options.externals != Externals::Svcomp && calls.has_externals && !points.callbacks().is_empty();
    let encoding = choice::encoding(program, &calls, &points, options.arithmetic);
    let has_other_numbers = encoding != arith.encoding;
    if calls_back || has_other_numbers || !procedures::are_possible(program, options, &calls, &points) {
        return None;
    }
    let functions: BTreeSet<FunctionId> = calls.frames.iter().map(|frame| frame.function).collect();
    let unions = UnionUse::of(program, functions.into_iter());
    let singles = Singles::of(&program.types, &unions, &points);
    let known =
        Known { program, options, arith, calls: &calls, points: &points, unions: &unions, singles: &singles };
    let mut translated = known.translate(main, whole, procedures::PREFIX);
    let is_fit = !translated.threads.are_used()
        && translated.out.graph.num_edges() <= options.max_edges
        && translated.objects.has_private_locals();
    if !is_fit {
        return None;
    }
    let procedures = std::mem::take(&mut translated.procedures);
    let locals = std::mem::take(&mut translated.objects.locals);
    let assumptions = stated(std::mem::take(&mut translated.out.assumptions));
    let starts = procedures.starts();
    let finished = finish_graph(&mut translated, arith.store, &program.functions[main].name, &starts);
    let places = translated.out.violations.iter();
    let violations = places
        .filter_map(|violation| Some((finished.renumbered[violation.location]?, violation.span)))
        .collect();
    Some(WithProcedures { procedural: procedures.finish(&calls, locals, finished), violations, assumptions })
}

/// The copies of functions and what their pointers point to. Functions outside the program call back those whose addresses
/// they may know, which depends on the copies that there are.
fn resolve_calls(
    program: &Program,
    main: FunctionId,
    options: &LowerOptions,
) -> Result<(CallTree, PointsTo), TooLarge> {
    let mut callbacks = BTreeSet::new();
    loop {
        let calls = CallTree::new(program, main, &shape(options, &callbacks, options.thread_bound))?;
        let points = PointsTo::new(program, &calls, options.externals);
        let known = points.callbacks();
        if options.externals == Externals::Svcomp || !calls.has_externals || known.is_subset(&callbacks) {
            return Ok((calls, points));
        }
        callbacks.extend(known);
    }
}

fn shape<'a>(options: &'a LowerOptions, callbacks: &'a BTreeSet<FunctionId>, thread_bound: u32) -> Shape<'a> {
    let target = match &options.property {
        Property::UnreachCall(name) => Some(&**name),
        _ => None,
    };
    let (recursion_bound, max_size) = (options.recursion_bound, options.max_edges);
    Shape { recursion_bound, thread_bound, max_size, target, callbacks, externals: options.externals }
}

fn find_main(program: &Program, whole: Span, diagnostics: &mut Diagnostics) -> Result<FunctionId, Reported> {
    let is_main = |function: &&FunctionId| {
        let function = &program.functions[**function];
        function.name == "main" && function.body.is_some()
    };
    let functions: Vec<FunctionId> = program.functions.indices().collect();
    match program.start.as_ref().or_else(|| functions.iter().find(is_main)) {
        Some(main) => Ok(*main),
        None => Err(diagnostics.error(whole, code::NO_MAIN, "the program has no function `main`; `--function NAME` checks one function by itself, and `--function '*'` each")),
    }
}

fn too_large(options: &LowerOptions, whole: Span, diagnostics: &mut Diagnostics) -> Reported {
    let message = format!("the program becomes an automaton of more than {} edges", options.max_edges);
    diagnostics.error(whole, code::TOO_LARGE, message)
}

/// All that is known before the translation.
#[derive(Clone, Copy)]
struct Known<'h> {
    program: &'h Program,
    options: &'h LowerOptions,
    arith: Arith<'h>,
    calls: &'h CallTree,
    points: &'h PointsTo,
    unions: &'h UnionUse,
    singles: &'h Singles,
}

impl<'h> Known<'h> {
    /// The translation, with names that begin with `prefix`.
    fn translate(self, main: FunctionId, whole: Span, prefix: &'static str) -> Lowering<'h> {
        let frame = FrameId::new(0);
        let (out, entry) = Emission::new(self.arith.store, frame, self.program.functions[main].span);
        let mut lowering = Lowering {
            program: self.program,
            options: self.options,
            arith: self.arith,
            calls: self.calls,
            points: self.points,
            unions: self.unions,
            singles: self.singles,
            out,
            objects: Objects::new(self, prefix),
            scope: Scope::default(),
            approximations: Approximations::default(),
            purity: FxHashMap::default(),
            ignored: None,
            guards: Vec::new(),
            summaries: FxHashMap::default(),
            num_open_orders: 0,
            safety: Safety::default(),
            shadows: Shadows::of(self.program, &self.options.property),
            reuse: Reuse::default(),
            procedures: Procedures::default(),
            threads: Threads::default(),
        };
        lowering.start_main(lowering.out.initial, whole);
        lowering.summarize_procedures();
        lowering.enter_main(frame);
        lowering.translate_procedures();
        lowering.out.frame = frame;
        lowering.start(entry, whole);
        lowering.guard_violations();
        lowering
    }
}

/// The automaton of a translation, whose graph is taken.
fn finish_graph(lowering: &mut Lowering<'_>, store: &Store, name: &str, starts: &[LocId]) -> Finished {
    let graph = std::mem::replace(&mut lowering.out.graph, Graph::new(FrameId::new(0)));
    let errors: Vec<LocId> = lowering.out.violations.iter().map(|violation| violation.location).collect();
    let mentioned = graph.mentioned_vars(store).into_iter().collect();
    let limits = lowering.out.limits.iter();
    let limits: Vec<(LocId, String)> = limits.map(|(at, _, reason)| (*at, reason.clone())).collect();
    let (initial, finals) = (lowering.out.initial, [lowering.out.end]);
    let marks = Marks { initial, starts, errors: &errors, limits: &limits, finals: &finals };
    graph
        .finish(store, name, mentioned, marks)
        .unwrap_or_else(|error| panic!("a translated program should be well-formed: {error}"))
}

fn stated(assumptions: BTreeMap<(AssumptionKind, String), Span>) -> Vec<Assumption> {
    let stated = assumptions.into_iter();
    stated.map(|((kind, text), span)| Assumption { kind, text, span }).collect()
}

fn finish(mut lowering: Lowering<'_>, store: Store, name: &str) -> Result<Lowered, TooManyStates> {
    let (calls, options, encoding) = (lowering.calls, lowering.options, lowering.arith.encoding);
    let objects = lowering.objects.named_objects();
    let extents = lowering.extents_if_tracked();
    let threads = std::mem::take(&mut lowering.threads);
    let starts = if threads.are_used() { threads.starts() } else { Vec::new() };
    let finished = finish_graph(&mut lowering, &store, name, &starts);
    let (finished, turns) = match threads.are_used() {
        true => {
            let origins = &lowering.objects.storages.origins;
            let product = threads::multiply(finished, &threads, origins, &store, options)?;
            (product.finished, Some(threads.turns(product.turns)))
        }
        false => (finished, None),
    };
    let Lowering { out, objects: Objects { storages, .. }, .. } = lowering;
    let Emission { noted, claims, limits, violations, assumptions, asked, .. } = out;
    let limits = limits.into_iter().filter_map(|(location, span, reason)| {
        Some(Limit { location: finished.renumbered[location]?, span, reason })
    });
    let violations = violations.into_iter().filter_map(|violation| {
        Some(Violation { location: finished.renumbered[violation.location]?, ..violation })
    });
    let points = noted
        .into_iter()
        .filter_map(|point| Some(Point { location: finished.renumbered[point.location]?, ..point }));
    let claims = claims
        .into_iter()
        .filter_map(|claim| Some(Claim { location: finished.renumbered[claim.location]?, ..claim }));
    let mentioned: BTreeSet<VarId> = finished.cfa.vars.iter().copied().collect();
    let vars = storages.origins.into_iter().filter(|(var, _)| mentioned.contains(var)).collect();
    let origin = Origin {
        frames: calls.frames.clone(),
        vars,
        locations: finished.frames,
        edges: finished.events,
        turns,
        points: points.collect(),
        decisions: finished.decisions,
        objects,
        extents,
        claims: claims.collect(),
        limits: limits.collect(),
        violations: violations.collect(),
        assumptions: stated(assumptions),
        asked,
    };
    let arithmetic = match encoding {
        Encoding::Int => Arithmetic::Int,
        Encoding::Mod => Arithmetic::Mod,
        Encoding::Bv => Arithmetic::Bv,
    };
    let task = Task { store, model: finished.cfa, property: CfaProperty::ErrorLocation };
    Ok(Lowered { task, origin, arithmetic })
}
