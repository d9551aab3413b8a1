//! PNML (ISO 15909-2): place/transition nets with pages, reference nodes, weights and inhibitor arcs.
//!
//! The standard has no inhibitor arcs, so tools write them in their own ways; all ways that we know of are supported: `<arc type="inhibitor">`, `<type value="inhibitor"/>`,
//! `<type><text>inhibitor</text></type>`, `<arctype><text>inhibitor</text></arctype>` and `<inhibitorArc>`. Weights are in `inscription`, in an attribute, or in the
//! `toolspecific` part of PetriDotNet, as are priorities: of the enabled transitions, only those with the greatest number may fire. An arc of another type, a finite capacity,
//! a guard and everything of high-level nets is an error: without it, the net would be a different one. Positions, colours, unit structures and declarations of sorts are
//! skipped.
//!
//! Places and transitions are known by their ids, as in the formulas of the Model Checking Contest; their names
//! become labels.

mod arcs;
mod nodes;
mod print;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};
use thetis_model::petri::{Net, NetBuilder};
use thetis_xml::{self as xml, Node};

use crate::code;
use crate::priorities::TooManyCopies;

pub use print::print;

/// Reading stops after this many errors.
const MAX_ERRORS: usize = 50;

/// Reads the net in `file`.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<Net, Reported> {
    let document = xml::parse(sources, file, diags)?;
    let net = find_net(document.root(), diags)?;
    check_type(net, diags)?;
    let parts = net.children_through("page");
    let mut reader = nodes::Nodes::new(net_name(net));
    for part in &parts {
        reader.add(*part, diags);
        limit(diags)?;
    }
    reader.resolve_references(diags);
    for part in &parts {
        arcs::add(&mut reader, *part, diags);
        limit(diags)?;
    }
    diags.check()?;
    let span = net.span();
    let builder = std::mem::replace(&mut reader.builder, NetBuilder::new(""));
    let built = builder.build();
    let net = built.map_err(|error| diags.error(span, code::NUMBER, error.to_string()))?;
    let Some(priorities) = reader.priorities(&net, diags)? else { return Ok(net) };
    crate::priorities::compile(&net, &priorities).map_err(|TooManyCopies(transition)| {
        let span = net.transitions()[transition].span.unwrap_or(span);
        diags.error(span, code::UNSUPPORTED, "too many transitions of higher priority could block this one")
    })
}

fn limit(diags: &Diagnostics) -> Result<(), Reported> {
    if diags.num_errors() >= MAX_ERRORS { diags.check() } else { Ok(()) }
}

fn find_net<'d, 't>(root: Node<'d, 't>, diags: &mut Diagnostics) -> Result<Node<'d, 't>, Reported> {
    if root.name() != "pnml" {
        let message = format!("expected the element `pnml`, found `{}`", root.name());
        return Err(diags.error(root.span(), code::SYNTAX, message));
    }
    let mut nets = root.children().filter(|child| child.name() == "net");
    let Some(net) = nets.next() else {
        return Err(diags.error(root.span(), code::MISSING, "the document has no `net`"));
    };
    match nets.next() {
        Some(second) => Err(diags.error(second.span(), code::UNSUPPORTED, "a second net, expected only one")),
        None => Ok(net),
    }
}

fn check_type(net: Node<'_, '_>, diags: &mut Diagnostics) -> Result<(), Reported> {
    let Some(kind) = net.attribute("type") else { return Ok(()) };
    let lower = kind.to_ascii_lowercase();
    if ["ptnet", "epnml", "p/t net"].iter().any(|known| lower.contains(known)) {
        return Ok(());
    }
    let message = format!("nets of type `{kind}` are not supported, only place/transition nets");
    Err(diags.error(net.span(), code::UNSUPPORTED, message))
}

fn net_name(net: Node<'_, '_>) -> String {
    let name = net.child("name").and_then(|name| label_text(name)).map(|(text, _)| text.to_owned());
    name.or_else(|| net.attribute("id").map(Into::into)).unwrap_or_else(|| "net".into())
}

/// The text of a label: in `text`, or in the `value` of older files.
fn label_text<'d>(label: Node<'d, '_>) -> Option<(&'d str, Span)> {
    let inner = label.child("text").or_else(|| label.child("value"))?;
    Some((inner.text(), inner.text_span()))
}

/// The part that PetriDotNet adds to nodes and arcs.
fn pdn_part<'d, 't>(node: Node<'d, 't>, name: &str) -> Option<Node<'d, 't>> {
    let mut tools = node.children().filter(|child| child.name() == "toolspecific");
    tools.find(|tool| tool.attribute("tool") == Some("Petri.NET"))?.child(name)
}

/// A natural number within the limits of nets. Some tools write the class of tokens in front, as in `Default,3`.
fn number(text: &str, span: Span, what: &str, diags: &mut Diagnostics) -> Result<u64, Reported> {
    let digits = text.strip_prefix("Default,").unwrap_or(text).trim();
    let is_natural = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_natural {
        let message = format!("{what} is `{text}`, expected a natural number");
        return Err(diags.error(span, code::NUMBER, message));
    }
    match digits.parse() {
        Ok(number) if number <= Net::MAX_NUMBER => Ok(number),
        _ => {
            let message = format!("{what} is larger than {}", Net::MAX_NUMBER);
            Err(diags.error(span, code::NUMBER, message))
        }
    }
}

/// A required attribute.
fn required<'d>(node: Node<'d, '_>, name: &str, diags: &mut Diagnostics) -> Result<&'d str, Reported> {
    node.attribute(name).ok_or_else(|| {
        let message = format!("`{}` has no attribute `{name}`", node.name());
        diags.error(node.span(), code::MISSING, message)
    })
}
