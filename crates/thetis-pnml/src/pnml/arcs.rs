//! Arcs and their weights.

use thetis_base::{Diagnostics, Reported};
use thetis_model::petri::{PlaceId, TransitionId};
use thetis_xml::Node;

use super::nodes::{Nodes, Target};
use super::{label_text, number, pdn_part, required};
use crate::code;

#[derive(Clone, Copy, PartialEq, Eq)]
enum ArcKind {
    Normal,
    Inhibitor,
}

enum Direction {
    Input(PlaceId, TransitionId),
    Output(TransitionId, PlaceId),
}

/// Reads `node` if it is an arc. Errors are reported and the arc is skipped.
pub(super) fn add(nodes: &mut Nodes<'_>, node: Node<'_, '_>, diags: &mut Diagnostics) {
    if ["arc", "inhibitorArc"].contains(&node.name()) {
        let _ = add_arc(nodes, node, diags);
    }
}

fn add_arc(nodes: &mut Nodes<'_>, node: Node<'_, '_>, diags: &mut Diagnostics) -> Result<(), Reported> {
    let (source, target) = (end(nodes, node, "source", diags)?, end(nodes, node, "target", diags)?);
    let kind = kind(node, diags)?;
    let weight = weight(node, diags)?;
    match (direction(node, source, target, diags)?, kind) {
        (Direction::Input(place, transition), ArcKind::Normal) => {
            nodes.builder.input(transition, place, weight);
        }
        (Direction::Input(place, transition), ArcKind::Inhibitor) => {
            nodes.builder.inhibitor(transition, place, weight);
        }
        (Direction::Output(transition, place), ArcKind::Normal) => {
            nodes.builder.output(transition, place, weight);
        }
        (Direction::Output(..), ArcKind::Inhibitor) => {
            let message = "an inhibitor arc leads from a transition, expected a place";
            return Err(diags.error(node.span(), code::SYNTAX, message));
        }
    }
    Ok(())
}

fn end(
    nodes: &Nodes<'_>,
    node: Node<'_, '_>,
    name: &str,
    diags: &mut Diagnostics,
) -> Result<Target, Reported> {
    let id = required(node, name, diags)?;
    nodes.find(id).ok_or_else(|| {
        let message = format!("the {name} `{id}` of the arc is no place or transition");
        diags.error(node.span(), code::UNKNOWN_NAME, message)
    })
}

fn direction(
    node: Node<'_, '_>,
    source: Target,
    target: Target,
    diags: &mut Diagnostics,
) -> Result<Direction, Reported> {
    match (source, target) {
        (Target::Place(place), Target::Transition(transition)) => Ok(Direction::Input(place, transition)),
        (Target::Transition(transition), Target::Place(place)) => Ok(Direction::Output(transition, place)),
        (Target::Place(_), Target::Place(_)) => {
            Err(diags.error(node.span(), code::SYNTAX, "an arc leads from a place to a place"))
        }
        (Target::Transition(_), Target::Transition(_)) => {
            Err(diags.error(node.span(), code::SYNTAX, "an arc leads from a transition to a transition"))
        }
    }
}

/// The type in any of the encodings; all that are present must be valid.
fn kind(node: Node<'_, '_>, diags: &mut Diagnostics) -> Result<ArcKind, Reported> {
    let mut kind = if node.name() == "inhibitorArc" { ArcKind::Inhibitor } else { ArcKind::Normal };
    let attribute = node.attribute("type").map(|text| (text, node.span()));
    let labels = node.children().filter(|child| ["type", "arctype"].contains(&child.name())).map(|child| {
        let value = child.attribute("value").map(|value| (value, child.span()));
        value.or_else(|| label_text(child)).unwrap_or((child.text(), child.text_span()))
    });
    for (text, span) in attribute.into_iter().chain(labels) {
        match text.trim().to_ascii_lowercase().as_str() {
            "normal" => {}
            "inhibitor" => kind = ArcKind::Inhibitor,
            _ => {
                let message = format!("arcs of type `{text}` are not supported");
                return Err(diags.error(span, code::UNSUPPORTED, message));
            }
        }
    }
    Ok(kind)
}

/// The weight in any of the encodings; where there are several they must agree.
fn weight(node: Node<'_, '_>, diags: &mut Diagnostics) -> Result<u64, Reported> {
    if let Some(label) = node.child("hlinscription") {
        let message = "`hlinscription` belongs to high-level nets, which are not supported";
        return Err(diags.error(label.span(), code::UNSUPPORTED, message));
    }
    let attributes = ["weight", "inscription"].into_iter().filter_map(|name| node.attribute(name));
    let label = node.child("inscription").and_then(|label| label_text(label));
    let own = pdn_part(node, "weight").map(|weight| (weight.text(), weight.text_span()));
    let mut found = None;
    for (text, span) in attributes.map(|text| (text, node.span())).chain(label).chain(own) {
        let weight = number(text, span, "the weight", diags)?;
        if weight == 0 {
            return Err(diags.error(span, code::NUMBER, "the weight is 0, expected a positive number"));
        }
        if found.is_some_and(|earlier| earlier != weight) {
            return Err(diags.error(span, code::NUMBER, "the arc has two different weights"));
        }
        found = Some(weight);
    }
    Ok(found.unwrap_or(1))
}
