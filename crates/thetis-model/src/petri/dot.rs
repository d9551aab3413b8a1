//! Nets as Graphviz text.

use std::fmt::{self, Write};

use super::{Arc, Net, TransitionId};

/// The net as a Graphviz graph: places are circles with their tokens, transitions boxes, inhibitor arcs end in a circle.
pub fn to_dot(net: &Net) -> String {
    let mut text = String::new();
    write_net(&mut text, net).expect("writing to a string should succeed");
    text
}

fn write_net(text: &mut String, net: &Net) -> fmt::Result {
    writeln!(text, "digraph {} {{", string(net.name()))?;
    writeln!(text, "  node [fontsize=10];")?;
    for (id, place) in net.places().iter_enumerated() {
        let name = place.label.as_ref().unwrap_or(&place.name);
        let tokens = if place.initial == 0 { String::new() } else { place.initial.to_string() };
        let (label, caption) = (string(&tokens), string(name));
        writeln!(text, "  p{} [shape=circle, label={label}, xlabel={caption}];", id.index())?;
    }
    for (id, transition) in net.transitions().iter_enumerated() {
        let name = transition.label.as_ref().unwrap_or(&transition.name);
        writeln!(text, "  t{} [shape=box, label={}];", id.index(), string(name))?;
    }
    net.transition_ids().try_for_each(|transition| write_arcs(text, net, transition))?;
    writeln!(text, "}}")
}

fn write_arcs(text: &mut String, net: &Net, transition: TransitionId) -> fmt::Result {
    let t = transition.index();
    for arc in net.inputs(transition) {
        writeln!(text, "  p{} -> t{t}{};", arc.place.index(), attributes(arc, None))?;
    }
    for arc in net.outputs(transition) {
        writeln!(text, "  t{t} -> p{}{};", arc.place.index(), attributes(arc, None))?;
    }
    for arc in net.inhibitors(transition) {
        writeln!(text, "  p{} -> t{t}{};", arc.place.index(), attributes(arc, Some("arrowhead=odot")))?;
    }
    Ok(())
}

fn attributes(arc: &Arc, head: Option<&str>) -> String {
    let weight = (arc.weight > 1).then(|| format!("label={}", arc.weight));
    let all: Vec<String> = head.map(Into::into).into_iter().chain(weight).collect();
    if all.is_empty() { String::new() } else { format!(" [{}]", all.join(", ")) }
}

fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::petri::NetBuilder;

    #[test]
    fn a_net_is_drawn() {
        let mut builder = NetBuilder::new("a \"net\"");
        let (p, q) = (builder.place("p", 2), builder.place("q", 0));
        let t = builder.transition("t");
        builder.input(t, p, 1);
        builder.output(t, q, 3);
        builder.inhibitor(t, q, 4);
        let expected = "digraph \"a \\\"net\\\"\" {
  node [fontsize=10];
  p0 [shape=circle, label=\"2\", xlabel=\"p\"];
  p1 [shape=circle, label=\"\", xlabel=\"q\"];
  t0 [shape=box, label=\"t\"];
  p0 -> t0;
  t0 -> p1 [label=3];
  p1 -> t0 [arrowhead=odot, label=4];
}
";
        assert_eq!(to_dot(&builder.build().unwrap()), expected);
    }
}
