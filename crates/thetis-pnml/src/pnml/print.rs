//! Nets as PNML.

use std::fmt::{self, Write};

use quick_xml::escape::escape;
use thetis_model::petri::{Arc, Net, TransitionId};

const NAMESPACE: &str = "http://www.pnml.org/version-2009/grammar/pnml";
const PTNET: &str = "http://www.pnml.org/version-2009/grammar/ptnet";
const INHIBITOR_PTNET: &str = "http://www.pnml.org/version-2009/extensions/inhibitorptnet";

/// The net as a PNML document with one page. Inhibitor arcs have the attribute `type="inhibitor"`.
pub fn print(net: &Net) -> String {
    let mut text = String::new();
    write_net(&mut text, net).expect("writing to a string should succeed");
    text
}

fn write_net(text: &mut String, net: &Net) -> fmt::Result {
    let kind = if net.has_inhibitors() { INHIBITOR_PTNET } else { PTNET };
    writeln!(text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(text, "<pnml xmlns=\"{NAMESPACE}\">")?;
    writeln!(text, "  <net id=\"net\" type=\"{kind}\">")?;
    writeln!(text, "    <name><text>{}</text></name>", escape(net.name()))?;
    writeln!(text, "    <page id=\"page\">")?;
    for place in net.places() {
        write_node(text, "place", &place.name, place.label.as_deref(), place.initial)?;
    }
    for transition in net.transitions() {
        write_node(text, "transition", &transition.name, transition.label.as_deref(), 0)?;
    }
    let mut ids = ArcIds::new(net);
    net.transition_ids().try_for_each(|transition| write_arcs(text, net, transition, &mut ids))?;
    writeln!(text, "    </page>\n  </net>\n</pnml>")
}

fn write_node(text: &mut String, kind: &str, id: &str, label: Option<&str>, initial: u64) -> fmt::Result {
    let name = escape(label.unwrap_or(id));
    write!(text, "      <{kind} id=\"{}\"><name><text>{name}</text></name>", escape(id))?;
    if initial > 0 {
        write!(text, "<initialMarking><text>{initial}</text></initialMarking>")?;
    }
    writeln!(text, "</{kind}>")
}

fn write_arcs(text: &mut String, net: &Net, transition: TransitionId, ids: &mut ArcIds) -> fmt::Result {
    let name = escape(net.transitions()[transition].name.as_str());
    let place = |arc: &Arc| escape(net.places()[arc.place].name.as_str());
    for arc in net.inputs(transition) {
        write_arc(text, &ids.fresh(), (&place(arc), &name), "", arc.weight)?;
    }
    for arc in net.outputs(transition) {
        write_arc(text, &ids.fresh(), (&name, &place(arc)), "", arc.weight)?;
    }
    for arc in net.inhibitors(transition) {
        write_arc(text, &ids.fresh(), (&place(arc), &name), " type=\"inhibitor\"", arc.weight)?;
    }
    Ok(())
}

fn write_arc(
    text: &mut String,
    id: &str,
    (source, target): (&str, &str),
    kind: &str,
    weight: u64,
) -> fmt::Result {
    write!(text, "      <arc id=\"{id}\" source=\"{source}\" target=\"{target}\"{kind}>")?;
    if weight > 1 {
        write!(text, "<inscription><text>{weight}</text></inscription>")?;
    }
    writeln!(text, "</arc>")
}

/// Ids of arcs that differ from all ids of nodes.
struct ArcIds {
    prefix: String,
    next: usize,
}

impl ArcIds {
    fn new(net: &Net) -> ArcIds {
        let is_used = |prefix: &str| {
            net.places().iter().any(|place| place.name.starts_with(prefix))
                || net.transitions().iter().any(|transition| transition.name.starts_with(prefix))
        };
        let mut prefix = String::from("arc");
        while is_used(&prefix) {
            prefix.push('_');
        }
        ArcIds { prefix, next: 0 }
    }

    fn fresh(&mut self) -> String {
        self.next += 1;
        format!("{}{}", self.prefix, self.next)
    }
}
