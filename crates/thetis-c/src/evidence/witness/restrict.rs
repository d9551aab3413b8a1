//! The runs that a violation witness describes.
//!
//! The automaton is multiplied with the segments: a location of the product is a location of the program and the number
//! of the segment that is active. An edge that passes the waypoint of the segment leads into the next one; an edge that
//! passes what the segment avoids is missing. An assumption is an edge of its own, which stays at its location. Only
//! the target of the last segment is an error. So the product has a violation iff a run that the witness describes has
//! one, and each of its runs is a run of the program with some edges removed, which the checker can replay.
//!
//! A run may pass a waypoint without ending the segment there; the format only requires that *some* division of the run
//! into segments exists. Most witnesses mean the first opportunity, and taking it makes the product much easier to
//! search. So there are two products: [`Matching::First`] finds violations, and only [`Matching::Any`] shows that there
//! is none.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use thetis_base::Span;
use thetis_expr::{ExprId, Store};
use thetis_model::cfa::{Cfa, CfaBuilder, CfaProof, CfaStep, CfaTrace, EdgeId, Graph, LocId, Stmt, StmtKind};
use thetis_model::{Evidence, Lift, Passed, Task};

use super::WitnessError;
use super::format::Location;
use super::plan::{Pass, Segment, Way};
use super::violation::full_expression;
use crate::evidence::Translated;
use crate::hir::CompareOp;
use crate::lower::{Arith, Choice, Encoding, Event, Scalar, VarOrigin};
use num_bigint::BigInt;

/// When a waypoint ends its segment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Matching {
    /// The first time that it is passed.
    First,
    /// Any time.
    Any,
}

/// Why a proof about the product cannot be lifted.
const SOME_RUNS: &str = "a proof about the runs along a witness is not a proof about the program";

/// From the product of a program and a witness to the program.
struct RestrictLift {
    /// For each edge, the edge of the program that it is; none for assumptions.
    edges: Vec<Option<EdgeId>>,
}

impl Lift<Cfa, Cfa> for RestrictLift {
    fn trace(&self, trace: CfaTrace) -> CfaTrace {
        trace.replace_steps(|step| {
            let edge = self.edges[step.edge.index()];
            edge.map(|edge| CfaStep { edge, ..step })
        })
    }

    fn proof(&self, _: &Task<Cfa>, _: &Store, _: CfaProof) -> Evidence<CfaProof> {
        Evidence::Missing(SOME_RUNS)
    }
}

/// The product of a program, which was read with the claims of the witness, and segments. Its limits are those of the program.
pub fn restrict(
    translated: Translated<'_>,
    segments: &[Segment],
    matching: Matching,
    max_edges: usize,
) -> Result<Passed<Cfa, Cfa>, WitnessError> {
    let lowered = translated.lowered;
    let store = lowered.task.store.clone();
    let product = Product {
        translated,
        store: &store,
        graph: Graph::new(&lowered.task.model),
        segments,
        matching,
        claims: claims(translated)?,
        builder: CfaBuilder::new(lowered.task.model.name.clone()),
        numbers: FxHashMap::default(),
        pending: Vec::new(),
        edges: Vec::new(),
    };
    let (builder, edges) = product.build(max_edges)?;
    let model = builder.build(&store)?;
    let task = Task { store, model, property: lowered.task.property.clone() };
    Ok(Passed { task, lift: Box::new(RestrictLift { edges }) })
}

/// The formulas of claims, by number and location.
fn claims(translated: Translated<'_>) -> Result<BTreeMap<(u32, LocId), ExprId>, WitnessError> {
    let claims = translated.lowered.origin.claims.iter().map(|claim| match claim.formula {
        Some(formula) => Ok(((claim.number, claim.location), formula)),
        None => Err(WitnessError::Undetermined),
    });
    claims.collect()
}

struct Product<'a> {
    translated: Translated<'a>,
    store: &'a Store,
    graph: Graph,
    segments: &'a [Segment],
    matching: Matching,
    claims: BTreeMap<(u32, LocId), ExprId>,
    builder: CfaBuilder,
    numbers: FxHashMap<(LocId, usize), LocId>,
    pending: Vec<(LocId, usize)>,
    edges: Vec<Option<EdgeId>>,
}

/// What an edge does to the active segment.
enum Passing {
    No,
    /// It passes the waypoint, if this holds afterwards.
    Yes(Option<ExprId>),
}

type Built = (CfaBuilder, Vec<Option<EdgeId>>);

impl Product<'_> {
    fn build(mut self, max_edges: usize) -> Result<Built, WitnessError> {
        let cfa = &self.translated.lowered.task.model;
        cfa.vars.iter().for_each(|var| self.builder.var(*var));
        let initial = self.number((cfa.initial, 0));
        self.builder.initial(initial);
        while let Some((location, segment)) = self.pending.pop() {
            self.leave(location, segment);
            if self.edges.len() > max_edges {
                return Err(WitnessError::TooLarge(max_edges));
            }
        }
        Ok((self.builder, self.edges))
    }

    /// The location of the product.
    fn number(&mut self, place: (LocId, usize)) -> LocId {
        if let Some(known) = self.numbers.get(&place) {
            return *known;
        }
        let (location, segment) = place;
        let origin = &self.translated.lowered.origin;
        let info = &self.translated.lowered.task.model.locations[location];
        let number = self.builder.location(format!("{}.{segment}", info.name), info.span);
        self.numbers.insert(place, number);
        self.pending.push(place);
        if let Some(reason) = self.translated.lowered.task.model.limits.get(&location) {
            self.builder.limit(number, reason);
        }
        if let Some(violation) = origin.violations.iter().find(|violation| violation.location == location)
            && segment + 1 == self.segments.len()
            && let Pass::Target(target) = &self.segments[segment].follow
            && self.is_target(violation.span, target)
        {
            self.builder.error(number);
        }
        number
    }

    /// The edges that leave a location of the product.
    fn leave(&mut self, location: LocId, segment: usize) {
        let source = self.number((location, segment));
        let cfa = &self.translated.lowered.task.model;
        if cfa.is_forbidden(location) {
            return;
        }
        let Segment { avoid, follow } = &self.segments[segment];
        let mut guards = Vec::new();
        for passed in avoid {
            if let Pass::Claim(number) = passed
                && let Some(formula) = self.claims.get(&(*number, location))
            {
                guards.push(self.store.not(*formula));
            }
        }
        if let Pass::Claim(number) = follow
            && let Some(formula) = self.claims.get(&(*number, location)).copied()
        {
            let target = self.number((location, segment + 1));
            let span = cfa.locations[location].span;
            self.builder.edge(source, target, assume(formula), span);
            self.edges.push(None);
            if self.matching == Matching::First {
                guards.push(self.store.not(formula));
            }
        }
        for edge in self.graph.outgoing(location).to_vec() {
            if !avoid.iter().any(|passed| matches!(self.passing(edge, passed), Passing::Yes(None))) {
                self.follow(source, edge, segment, &guards);
            }
        }
    }

    fn follow(&mut self, source: LocId, edge: EdgeId, segment: usize, guards: &[ExprId]) {
        let follow = &self.segments[segment].follow;
        let passing = self.passing(edge, follow);
        let mut stay = guards.to_vec();
        let mut after = None;
        if let Passing::Yes(condition) = passing {
            self.copy(source, edge, segment + 1, guards, condition);
            match (self.matching, condition) {
                (Matching::Any, _) => {}
                (Matching::First, None) => return,
                (Matching::First, Some(condition)) => after = Some(self.store.not(condition)),
            }
        }
        // A waypoint to avoid after a call is checked after the call.
        for passed in &self.segments[segment].avoid {
            if let Passing::Yes(Some(condition)) = self.passing(edge, passed) {
                let kept = self.store.not(condition);
                after = Some(after.map_or(kept, |known| self.store.and(known, kept)));
            }
        }
        stay.dedup();
        self.copy(source, edge, segment, &stay, after);
    }

    /// A copy of an edge that leads into a segment.
    fn copy(
        &mut self,
        source: LocId,
        edge: EdgeId,
        segment: usize,
        before: &[ExprId],
        after: Option<ExprId>,
    ) {
        let original = &self.translated.lowered.task.model.edges[edge];
        let target = self.number((original.target, segment));
        let mut stmts: Vec<Stmt> = before.iter().map(|formula| assume(*formula)).collect();
        stmts.push(original.stmt.clone());
        stmts.extend(after.map(assume));
        let stmt = match stmts.len() {
            1 => stmts.remove(0),
            _ => Stmt { kind: StmtKind::Seq(stmts), span: original.span },
        };
        self.builder.edge(source, target, stmt, original.span);
        self.edges.push(Some(edge));
    }

    fn passing(&self, edge: EdgeId, passed: &Pass) -> Passing {
        let origin = &self.translated.lowered.origin;
        match passed {
            Pass::Claim(_) | Pass::Target(_) => Passing::No,
            Pass::Branch(location, way) => match origin.decisions.get(&edge) {
                Some(decision)
                    if self.is_at(decision.span, decision.span.start, location)
                        && is_way(&decision.choice, way) =>
                {
                    Passing::Yes(None)
                }
                _ => Passing::No,
            },
            Pass::Enter(location) => match &origin.edges[edge] {
                Event::Call(_) | Event::Input { .. } => {
                    let span = self.translated.lowered.task.model.edges[edge].span;
                    match span.is_some_and(|span| self.is_call(span, location)) {
                        true => Passing::Yes(None),
                        false => Passing::No,
                    }
                }
                _ => Passing::No,
            },
            Pass::Return(location, op, number) => self.returned(edge, location, *op, number),
        }
    }

    fn returned(&self, edge: EdgeId, location: &Location, op: CompareOp, number: &BigInt) -> Passing {
        let lowered = self.translated.lowered;
        let (span, var, ty) = match &lowered.origin.edges[edge] {
            Event::Input { var, ty, .. } => (lowered.task.model.edges[edge].span, Some(*var), *ty),
            Event::Return(frame) => {
                let info = &lowered.origin.frames[*frame];
                let result = VarOrigin::Result(*frame);
                let var = lowered.origin.vars.iter().find(|(_, origin)| **origin == result);
                let ty = self.translated.program.functions[info.function].ty.result;
                (info.caller.map(|(_, span)| span), var.map(|(var, _)| *var), ty)
            }
            _ => return Passing::No,
        };
        if !span.is_some_and(|span| self.is_call(span, location)) {
            return Passing::No;
        }
        let scalar = Scalar::of(&self.translated.program.types, ty);
        let (Some(var), Some(scalar)) = (var, scalar) else { return Passing::No };
        let Some(integer) = scalar.integer() else { return Passing::No };
        if integer.wrap(number) != *number {
            // A number that the type does not have is compared as a number.
            let holds = match op {
                CompareOp::Eq => false,
                CompareOp::Ne => true,
                CompareOp::Lt | CompareOp::Le => *number > integer.max(),
                CompareOp::Gt | CompareOp::Ge => *number < integer.min(),
            };
            return if holds { Passing::Yes(None) } else { Passing::No };
        }
        let encoding = Encoding::of(lowered.arithmetic);
        let arith = Arith { store: self.store, encoding, model: self.translated.program.types.model() };
        let literal = arith.integer(integer, number);
        Passing::Yes(Some(arith.compare(op, scalar, self.store.var_expr(var), literal)))
    }

    /// Whether a call ends at a place, which is its closing parenthesis.
    fn is_call(&self, call: Span, location: &Location) -> bool {
        self.is_at(call, call.end.saturating_sub(1), location)
    }

    fn is_target(&self, violation: Span, target: &Location) -> bool {
        let full = full_expression(self.translated.program, violation);
        [full, violation].iter().any(|span| self.is_at(*span, span.start, target))
    }

    /// Whether a byte of the file of a span is at a place.
    fn is_at(&self, span: Span, offset: u32, location: &Location) -> bool {
        let file = self.translated.sources.file(span.file);
        let place = file.position(offset);
        is_file(file.name(), &location.file_name)
            && place.line == location.line
            && location.column.is_none_or(|column| place.column == column)
    }
}

/// Whether two names may be those of one file: folders do not count.
pub fn is_file(left: &str, right: &str) -> bool {
    let base = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    base(left) == base(right)
}

fn is_way(choice: &Choice, way: &Way) -> bool {
    match (choice, way) {
        (Choice::Condition(taken), Way::Condition(wanted)) => taken == wanted,
        (Choice::Case(low, high), Way::Case(number)) => low <= number && number <= high,
        (Choice::Default, Way::Default) => true,
        _ => false,
    }
}

fn assume(formula: ExprId) -> Stmt {
    Stmt { kind: StmtKind::Assume(formula), span: None }
}
