//! From a net to text.

use std::fmt::{self, Write};

use thetis_model::petri::{Arc, Net, PetriProperty, TransitionId, quoted};

/// The net and its targets in the `.net` language.
pub fn print(net: &Net, targets: &[PetriProperty]) -> String {
    let mut text = String::new();
    write_file(&mut text, net, targets).expect("writing to a string should succeed");
    text
}

fn write_file(text: &mut String, net: &Net, targets: &[PetriProperty]) -> fmt::Result {
    writeln!(text, "net {}\n", quoted(net.name()))?;
    for place in net.places() {
        write!(text, "place {}", quoted(&place.name))?;
        if place.initial > 0 {
            write!(text, " = {}", place.initial)?;
        }
        write_label(text, place.label.as_deref())?;
        writeln!(text)?;
    }
    writeln!(text)?;
    net.transition_ids().try_for_each(|transition| write_transition(text, net, transition))?;
    for target in targets {
        let plain = PetriProperty::new(net, target.question().clone());
        writeln!(text, "\ntarget {plain}")?;
    }
    Ok(())
}

fn write_transition(text: &mut String, net: &Net, transition: TransitionId) -> fmt::Result {
    let info = &net.transitions()[transition];
    write!(text, "transition {}", quoted(&info.name))?;
    write_label(text, info.label.as_deref())?;
    write_arcs(text, "in", net, net.inputs(transition))?;
    write_arcs(text, "out", net, net.outputs(transition))?;
    write_arcs(text, "inhibit", net, net.inhibitors(transition))?;
    writeln!(text)
}

fn write_label(text: &mut String, label: Option<&str>) -> fmt::Result {
    let Some(label) = label else { return Ok(()) };
    let escaped = label.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    write!(text, " label \"{escaped}\"")
}

fn write_arcs(text: &mut String, word: &str, net: &Net, arcs: &[Arc]) -> fmt::Result {
    for (index, arc) in arcs.iter().enumerate() {
        match index {
            0 => write!(text, "  {word} ")?,
            _ => write!(text, ", ")?,
        }
        if arc.weight > 1 {
            write!(text, "{}*", arc.weight)?;
        }
        write!(text, "{}", quoted(&net.places()[arc.place].name))?;
    }
    Ok(())
}
