//! Networks as Graphviz text.

use std::fmt::{self, Write};

use super::{ChannelRef, Edge, Network, Process, Sync, Urgency};

/// The network as a Graphviz graph with a cluster for each process. Committed locations have a double border, urgent ones a
/// dashed one; edges are labelled with their synchronisation.
pub fn dot(network: &Network) -> String {
    let mut text = String::from("digraph network {\n  node [shape=ellipse, fontsize=10];\n");
    for (number, process) in network.processes.iter().enumerate() {
        write_process(&mut text, network, number, process).expect("writing to a string should succeed");
    }
    text + "}\n"
}

fn write_process(text: &mut String, network: &Network, number: usize, process: &Process) -> fmt::Result {
    writeln!(text, "  subgraph cluster_{number} {{\n    label={};", string(&process.name))?;
    for (id, location) in process.locations.iter_enumerated() {
        let border = match location.urgency {
            Urgency::None => "",
            Urgency::Urgent => ", style=dashed",
            Urgency::Committed => ", peripheries=2",
        };
        let start = if id == process.initial { ", penwidth=2" } else { "" };
        writeln!(text, "    p{number}_{} [label={}{border}{start}];", id.index(), string(&location.name))?;
    }
    for edge in &process.edges {
        let (source, target) = (edge.source.index(), edge.target.index());
        writeln!(
            text,
            "    p{number}_{source} -> p{number}_{target} [label={}];",
            string(&label(network, edge))
        )?;
    }
    writeln!(text, "  }}")
}

fn label(network: &Network, edge: &Edge) -> String {
    let channel = |channel: &ChannelRef| {
        let name = &network.channels[channel.base].name;
        let array = name.split('[').next().unwrap_or(name);
        if channel.indices.is_empty() { name.clone() } else { format!("{array}[..]") }
    };
    match &edge.sync {
        Sync::Internal => String::new(),
        Sync::Send(to) => format!("{}!", channel(to)),
        Sync::Receive(from) => format!("{}?", channel(from)),
        Sync::Join(with) => channel(with),
        Sync::Blocked => "never".into(),
    }
}

fn string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
