//! Places, transitions and references to them.

use rustc_hash::FxHashMap;
use thetis_base::{Diagnostic, Diagnostics, Reported, Span};
use thetis_model::petri::{Net, NetBuilder, Place, PlaceId, Transition, TransitionId};
use thetis_xml::Node;

use super::{MAX_ERRORS, label_text, number, pdn_part, required};
use crate::code;

/// What an id stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Place(PlaceId),
    Transition(TransitionId),
}

/// The nodes that have been read, by id.
pub(super) struct Nodes<'d> {
    pub(super) builder: NetBuilder,
    ids: FxHashMap<&'d str, (Target, Span)>,
    references: Vec<Reference<'d>>,
    reference_ids: FxHashMap<&'d str, usize>,
    /// The priorities of transitions that state one.
    priorities: FxHashMap<TransitionId, u64>,
}

struct Reference<'d> {
    id: &'d str,
    target: &'d str,
    is_place: bool,
    span: Span,
}

/// Children of nets and pages that carry no behaviour.
const DECORATION: [&str; 8] =
    ["name", "graphics", "toolspecific", "declaration", "page", "labels", "token", "tokenclass"];

/// Children that belong to high-level nets.
const HIGH_LEVEL: [&str; 4] = ["hlinitialMarking", "hlinscription", "type", "condition"];

impl<'d> Nodes<'d> {
    pub(super) fn new(name: String) -> Nodes<'d> {
        Nodes {
            builder: NetBuilder::new(name),
            ids: FxHashMap::default(),
            references: Vec::new(),
            reference_ids: FxHashMap::default(),
            priorities: FxHashMap::default(),
        }
    }

    /// Reads one part of a net or page; arcs are left for later. Errors are reported and the part is skipped.
    pub(super) fn add(&mut self, node: Node<'d, '_>, diags: &mut Diagnostics) {
        let _ = match node.name() {
            "place" => self.add_place(node, diags),
            "transition" => self.add_transition(node, diags),
            "referencePlace" | "referenceTransition" => self.add_reference(node, diags),
            "arc" | "inhibitorArc" => Ok(()),
            name if DECORATION.contains(&name) => Ok(()),
            name => {
                let message = format!("element `{name}` is not supported");
                Err(diags.error(node.span(), code::UNSUPPORTED, message))
            }
        };
    }

    /// What `id` stands for, through references.
    pub(super) fn find(&self, id: &str) -> Option<Target> {
        self.ids.get(id).map(|(target, _)| *target)
    }

    /// The priority of each transition of `net`, if they differ. A transition without one is an error then.
    pub(super) fn priorities(
        &self,
        net: &Net,
        diags: &mut Diagnostics,
    ) -> Result<Option<Vec<u64>>, Reported> {
        let stated: Vec<Option<u64>> =
            net.transition_ids().map(|t| self.priorities.get(&t).copied()).collect();
        let mut different = stated.iter().flatten().collect::<Vec<_>>();
        different.sort_unstable();
        different.dedup();
        if different.len() < 2 {
            return Ok(None);
        }
        let of = |(transition, priority): (&Transition, Option<u64>)| {
            let span = transition.span.expect("a transition that was read should have a place");
            priority.ok_or_else(|| diags.error(span, code::MISSING, "the transition has no priority"))
        };
        net.transitions().iter().zip(stated).map(of).collect::<Result<_, _>>().map(Some)
    }

    /// Makes each reference stand for what it refers to, through chains of references.
    pub(super) fn resolve_references(&mut self, diags: &mut Diagnostics) {
        for index in 0..self.references.len() {
            if diags.num_errors() >= MAX_ERRORS {
                return;
            }
            let (chain, found) = self.follow(index);
            let start = &self.references[index];
            let fits = found.filter(|target| matches!(target, Target::Place(_)) == start.is_place);
            let Some(target) = fits else {
                let what = if start.is_place { "place" } else { "transition" };
                let message = format!("the reference `{}` leads to no {what}", start.id);
                diags.error(start.span, code::UNKNOWN_NAME, message);
                continue;
            };
            let is_place = start.is_place;
            for reference in chain.into_iter().map(|index| &self.references[index]) {
                if reference.is_place == is_place {
                    self.ids.entry(reference.id).or_insert((target, reference.span));
                }
            }
        }
    }

    /// The references from `index` on, and what the last one leads to, if that is a node.
    fn follow(&self, index: usize) -> (Vec<usize>, Option<Target>) {
        let mut chain = vec![index];
        let mut reference = &self.references[index];
        loop {
            if let Some((target, _)) = self.ids.get(reference.target) {
                return (chain, Some(*target));
            }
            match self.reference_ids.get(reference.target) {
                Some(next) if chain.len() <= self.references.len() => {
                    chain.push(*next);
                    reference = &self.references[*next];
                }
                _ => return (chain, None),
            }
        }
    }

    fn add_place(&mut self, node: Node<'d, '_>, diags: &mut Diagnostics) -> Result<(), Reported> {
        let id = self.new_id(node, diags)?;
        reject_high_level(node, diags)?;
        reject_capacity(node, diags)?;
        let initial = match node.child("initialMarking").and_then(|marking| label_text(marking)) {
            Some((text, span)) => number(text, span, "the initial marking", diags)?,
            None => 0,
        };
        let place = Place { name: id.into(), label: label(node, id), initial, span: Some(node.span()) };
        let place = self.builder.add_place(place);
        self.ids.insert(id, (Target::Place(place), node.span()));
        Ok(())
    }

    fn add_transition(&mut self, node: Node<'d, '_>, diags: &mut Diagnostics) -> Result<(), Reported> {
        let id = self.new_id(node, diags)?;
        reject_high_level(node, diags)?;
        if let Some(guard) = pdn_part(node, "condition").filter(|guard| !guard.text().is_empty()) {
            return Err(diags.error(guard.text_span(), code::UNSUPPORTED, "guards are not supported"));
        }
        let stated = pdn_part(node, "priority").filter(|priority| !priority.text().is_empty());
        let priority = stated
            .map(|priority| number(priority.text(), priority.text_span(), "the priority", diags))
            .transpose()?;
        let transition = Transition { name: id.into(), label: label(node, id), span: Some(node.span()) };
        let transition = self.builder.add_transition(transition);
        self.priorities.extend(priority.map(|priority| (transition, priority)));
        self.ids.insert(id, (Target::Transition(transition), node.span()));
        Ok(())
    }

    fn add_reference(&mut self, node: Node<'d, '_>, diags: &mut Diagnostics) -> Result<(), Reported> {
        let id = self.new_id(node, diags)?;
        let target = required(node, "ref", diags)?;
        self.reference_ids.insert(id, self.references.len());
        let is_place = node.name() == "referencePlace";
        self.references.push(Reference { id, target, is_place, span: node.span() });
        Ok(())
    }

    fn new_id(&self, node: Node<'d, '_>, diags: &mut Diagnostics) -> Result<&'d str, Reported> {
        let id = required(node, "id", diags)?;
        let reference = self.reference_ids.get(id).map(|index| self.references[*index].span);
        match self.ids.get(id).map(|(_, span)| *span).or(reference) {
            Some(earlier) => {
                let message = format!("the id `{id}` is already in use");
                let error = Diagnostic::error(node.span(), code::DUPLICATE_NAME, message);
                Err(diags.report(error.label(earlier, "first used here")))
            }
            None => Ok(id),
        }
    }
}

fn label(node: Node<'_, '_>, id: &str) -> Option<String> {
    let name = node.child("name").and_then(|name| label_text(name)).map(|(text, _)| text)?;
    (name != id && !name.is_empty()).then(|| name.to_owned())
}

fn reject_high_level(node: Node<'_, '_>, diags: &mut Diagnostics) -> Result<(), Reported> {
    match node.children().find(|child| HIGH_LEVEL.contains(&child.name())) {
        Some(child) => {
            let message = format!("`{}` belongs to high-level nets, which are not supported", child.name());
            Err(diags.error(child.span(), code::UNSUPPORTED, message))
        }
        None => Ok(()),
    }
}

/// Capacities may be stated as unlimited.
fn reject_capacity(node: Node<'_, '_>, diags: &mut Diagnostics) -> Result<(), Reported> {
    let own = pdn_part(node, "capacity").map(|capacity| (capacity.text(), capacity.text_span()));
    let other = node.child("capacity").and_then(|capacity| label_text(capacity));
    match own.or(other) {
        Some((text, span)) if !["unlimited", "0", ""].contains(&text.to_ascii_lowercase().as_str()) => {
            Err(diags.error(span, code::UNSUPPORTED, "capacities of places are not supported"))
        }
        _ => Ok(()),
    }
}
