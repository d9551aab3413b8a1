//! From a proof to a correctness witness.
//!
//! A proof has formulas at locations of the automaton. Those at the heads of loops become loop invariants; where a loop
//! of the automaton has another head (the body of `do … while`, a label that is jumped back to), its formula is written
//! before the first statement there. If a function was copied, a source position corresponds to several locations, and
//! its invariant is the disjunction of their formulas. Of each formula, the conjuncts that C can express are written;
//! the others are left out, which is still an invariant, and counted.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::{FileId, Span};
use thetis_expr::{ExprId, Store, Value, VarId};
use thetis_model::cfa::{CfaProof, Graph, LocId};

use super::express::{self, Formula, Names, express};
use super::format::{Invariant, Item};
use super::location;
use super::scope::{Named, names_at};
use crate::evidence::Translated;
use crate::evidence::value::part_at;
use crate::lower::{FrameId, Owner, Point, PointKind, Scalar, VarOrigin, split_pointer};

/// The invariants of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenInvariants {
    /// The invariants that C can express.
    pub items: Vec<Item>,
    /// How many parts of formulas C cannot express.
    pub num_omitted: usize,
}

/// The invariants of a proof, whose formulas are in `store`, as far as C can express them; only positions in `file` can
/// be named.
pub fn invariants(
    translated: Translated<'_>,
    store: &Store,
    proof: &CfaProof,
    file: FileId,
) -> WrittenInvariants {
    let none = BTreeMap::new();
    let formulas = match proof {
        CfaProof::Invariants(invariants) => &invariants.formulas,
        CfaProof::Unwinding(unwinding) => &unwinding.lemmas.formulas,
        CfaProof::Exhaustion { .. } | CfaProof::Contracts(_) => &none,
    };
    let mut writer = InvariantWriter { translated, store, formulas, num_omitted: 0 };
    let cycles = heads_of_cycles(translated);
    let places = places(translated, file);
    let mut items: Vec<Item> = Vec::new();
    for place in &places {
        let is_loop = place.kind == PointKind::LoopHead;
        if is_loop || place.points.iter().any(|point| cycles.contains(&point.location)) {
            items.extend(writer.place(place));
        }
    }
    if items.is_empty() {
        items.extend(places.iter().filter_map(|place| writer.place(place)));
    }
    WrittenInvariants { items, num_omitted: writer.num_omitted }
}

/// A source position, with all its locations in the automaton.
struct PlaceOfSource<'a> {
    span: Span,
    kind: PointKind,
    points: Vec<&'a Point>,
}

/// The positions that can be named. Where a location is a loop head, or several statements begin, the innermost is
/// used.
fn places(translated: Translated<'_>, file: FileId) -> Vec<PlaceOfSource<'_>> {
    let points = &translated.lowered.origin.points;
    let heads: BTreeSet<LocId> =
        points.iter().filter(|point| point.kind == PointKind::LoopHead).map(|point| point.location).collect();
    let mut innermost: BTreeMap<(FrameId, LocId), &Point> = BTreeMap::new();
    for point in points.iter().filter(|point| point.kind == PointKind::Start) {
        innermost.insert((point.frame, point.location), point);
    }
    let mut places: BTreeMap<(u32, bool), PlaceOfSource<'_>> = BTreeMap::new();
    for point in points.iter().filter(|point| point.span.file == file) {
        let is_loop = point.kind == PointKind::LoopHead;
        let is_innermost = innermost.get(&(point.frame, point.location)).is_some_and(|last| *last == point);
        if is_loop || (is_innermost && !heads.contains(&point.location)) {
            let place = places.entry((point.span.start, is_loop)).or_insert_with(|| PlaceOfSource {
                span: point.span,
                kind: point.kind,
                points: Vec::new(),
            });
            place.points.push(point);
        }
    }
    // A statement is used only if it is the innermost one at all its locations.
    let num_copies = |place: &PlaceOfSource<'_>| {
        points.iter().filter(|point| point.span == place.span && point.kind == place.kind).count()
    };
    places.into_values().filter(|place| num_copies(place) == place.points.len()).collect()
}

/// The locations to which back edges lead.
fn heads_of_cycles(translated: Translated<'_>) -> BTreeSet<LocId> {
    let cfa = &translated.lowered.task.model;
    Graph::new(cfa).back_edges().map(|edge| cfa.edges[edge].target).collect()
}

struct InvariantWriter<'a> {
    translated: Translated<'a>,
    store: &'a Store,
    formulas: &'a BTreeMap<LocId, ExprId>,
    num_omitted: usize,
}

impl InvariantWriter<'_> {
    fn place(&mut self, place: &PlaceOfSource<'_>) -> Option<Item> {
        let mut copies: BTreeSet<String> = BTreeSet::new();
        for point in &place.points {
            // A copy without a formula makes the disjunction true.
            let formula = self.formulas.get(&point.location)?;
            match self.copy(*formula, point)? {
                Formula::Constant(true) => return None,
                Formula::Constant(false) => {}
                Formula::Text(text) => drop(copies.insert(text)),
            }
        }
        let value = match copies.len() {
            0 => "0".to_owned(),
            1 => copies.into_iter().next()?,
            _ => copies.into_iter().map(|copy| format!("({copy})")).collect::<Vec<_>>().join(" || "),
        };
        let function = &self.translated.lowered.origin.frames[place.points.first()?.frame].name;
        let kind = match place.kind {
            PointKind::LoopHead => "loop_invariant",
            PointKind::Start => "location_invariant",
        };
        let invariant = Invariant {
            kind: kind.to_owned(),
            location: location(self.translated.sources, place.span, function),
            value,
            format: "c_expression".to_owned(),
        };
        Some(Item { invariant: Some(invariant), ..Item::default() })
    }

    /// The conjuncts of a formula that C can express.
    fn copy(&mut self, formula: ExprId, point: &Point) -> Option<Formula> {
        let store = self.store;
        let frame = point.frame;
        let function = self.translated.lowered.origin.frames[frame].function;
        let names = names_at(self.translated.program, function, point.span, point.kind);
        let names = Here { translated: self.translated, frame, names };
        let mut texts: Vec<String> = Vec::new();
        let mut num_omitted = 0;
        for conjunct in store.conjuncts(formula) {
            match express(store, conjunct, &names) {
                Some(Formula::Constant(true)) => {}
                Some(Formula::Constant(false)) => return Some(Formula::Constant(false)),
                Some(Formula::Text(text)) => texts.push(text),
                None => num_omitted += 1,
            }
        }
        self.num_omitted += num_omitted;
        Some(match texts.len() {
            0 => Formula::Constant(true),
            1 => Formula::Text(texts.remove(0)),
            _ => Formula::Text(texts.iter().map(|text| format!("({text})")).collect::<Vec<_>>().join(" && ")),
        })
    }
}

/// What names mean at a place of the source, in one copy of its function.
struct Here<'a> {
    translated: Translated<'a>,
    frame: FrameId,
    names: BTreeMap<String, Named>,
}

impl Here<'_> {
    /// Whether the name that a path begins with means its owner here.
    fn is_meant(&self, path: &str, owner: Owner) -> bool {
        let root = path.split(['.', '[']).next().and_then(|root| self.names.get(root));
        match (owner, root) {
            (Owner::Local(owner, local), Some(Named::Local(named))) => owner == self.frame && local == *named,
            (Owner::Global(global), Some(Named::Global(named))) => global == *named,
            _ => false,
        }
    }
}

impl Names for Here<'_> {
    fn variable(&self, var: VarId) -> Option<express::Named> {
        let VarOrigin::Scalar(variable) = self.translated.lowered.origin.vars.get(&var)? else { return None };
        let integer = Scalar::of(&self.translated.program.types, variable.ty)?.integer()?;
        self.is_meant(&variable.text, variable.owner)
            .then(|| express::Named { text: variable.text.clone(), integer })
    }

    fn cell(&self, memory: VarId, address: &Value) -> Option<express::Named> {
        let Translated { program, lowered, .. } = self.translated;
        let VarOrigin::Memory(kept) = lowered.origin.vars.get(&memory)? else { return None };
        let (object, offset) = split_pointer(address)?;
        let object = lowered.origin.objects.get(&object)?;
        let (path, ty) = part_at(&program.types, object.ty?, u64::from(offset), None)?;
        let scalar = Scalar::of(&program.types, ty).filter(|scalar| scalar == kept)?;
        let (text, integer) = (format!("{}{path}", object.name), scalar.integer()?);
        self.is_meant(&text, object.owner?).then_some(express::Named { text, integer })
    }
}
