//! Evidence about timed automata: processes, locations and clocks go by name, edges and values by number.

use serde::{Deserialize, Serialize};
use thetis_model::Task;
use thetis_model::xta::{ClockId, EdgeId, Network, ProcessId, TimedStep, XtaProof, XtaTrace, ZoneGroup};

use super::{CertificateError, Keepable, Program, error};

/// A run. All times are in ticks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraceText {
    /// How many ticks make one time unit.
    ticks_per_unit: u64,
    /// The delays and moves.
    steps: Vec<TimedStepText>,
    /// The delay after the last move.
    last_delay: u64,
}

/// A delay and the move after it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimedStepText {
    /// The delay in ticks.
    delay: u64,
    /// The edges that are taken, each by its process and its number there; the sender first.
    edges: Vec<(String, u32)>,
}

/// A proof: symbolic states that the network does not leave.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofText {
    /// The symbolic states by their discrete states.
    zones: Vec<GroupText>,
}

/// Symbolic states with the same discrete state.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GroupText {
    /// The location of each process.
    locations: Vec<String>,
    /// The values of the variables.
    values: Vec<i32>,
    /// The clocks that the matrices are about.
    clocks: Vec<String>,
    /// The matrices: `2b` means `< b`, `2b + 1` means `<= b`, and the largest number of 32 bits nothing.
    matrices: Vec<Vec<i32>>,
}

impl Keepable for Network {
    type ProofText = ProofText;
    type TraceText = TraceText;

    fn program(_: &Task<Network>) -> Option<Program> {
        None
    }

    fn write_proof(task: &Task<Network>, proof: &XtaProof) -> ProofText {
        ProofText { zones: proof.groups.iter().map(|group| write_group(&task.model, group)).collect() }
    }

    fn write_trace(task: &Task<Network>, trace: &XtaTrace) -> TraceText {
        let edge = |(process, edge): &(ProcessId, EdgeId)| {
            (task.model.processes[*process].name.clone(), edge.index() as u32)
        };
        let step = |step: &TimedStep| TimedStepText {
            delay: step.delay,
            edges: step.participants.iter().map(edge).collect(),
        };
        TraceText {
            ticks_per_unit: trace.ticks_per_unit,
            steps: trace.steps.iter().map(step).collect(),
            last_delay: trace.last_delay,
        }
    }

    fn read_proof(task: &Task<Network>, proof: &ProofText) -> Result<XtaProof, CertificateError> {
        let groups = proof.zones.iter().map(|group| read_group(&task.model, group));
        Ok(XtaProof { groups: groups.collect::<Result<_, _>>()? })
    }

    fn read_trace(task: &Task<Network>, trace: &TraceText) -> Result<XtaTrace, CertificateError> {
        let steps = trace.steps.iter().map(|step| {
            let edges = step.edges.iter().map(|(name, edge)| {
                let process = task.model.processes.iter().position(|process| process.name == *name);
                match process {
                    Some(process) => Ok((ProcessId::from(process), EdgeId::from(*edge as usize))),
                    None => error(format!("there is no process `{name}`")),
                }
            });
            Ok(TimedStep { delay: step.delay, participants: edges.collect::<Result<_, _>>()? })
        });
        Ok(XtaTrace {
            ticks_per_unit: trace.ticks_per_unit,
            steps: steps.collect::<Result<_, _>>()?,
            last_delay: trace.last_delay,
        })
    }
}

fn write_group(network: &Network, group: &ZoneGroup) -> GroupText {
    let locations = network.locations(&group.state);
    let names =
        locations.map(|(process, location)| network.processes[process].locations[location].name.clone());
    GroupText {
        locations: names.collect(),
        values: network.cells(&group.state).to_vec(),
        clocks: group.clocks.iter().map(|clock| network.clocks[*clock].name.clone()).collect(),
        matrices: group.zones.chunks_exact(group.zone_len()).map(<[i32]>::to_vec).collect(),
    }
}

fn read_group(network: &Network, group: &GroupText) -> Result<ZoneGroup, CertificateError> {
    let mut numbers = Vec::with_capacity(group.locations.len());
    for (process, name) in network.processes.iter().zip(&group.locations) {
        match process.locations.iter().position(|location| location.name == *name) {
            Some(number) => numbers.push(number as u32),
            None => return error(format!("`{}` has no location `{name}`", process.name)),
        }
    }
    if group.locations.len() != numbers.len() {
        return error("a symbolic state has too many locations");
    }
    let Some(state) = network.state(&group.values, &numbers) else {
        return error("a symbolic state does not have the shape of the network");
    };
    let clocks =
        group.clocks.iter().map(|name| match network.clocks.iter().position(|clock| clock.name == *name) {
            Some(clock) => Ok(ClockId::from(clock)),
            None => error(format!("there is no clock `{name}`")),
        });
    let clocks = clocks.collect::<Result<Vec<ClockId>, CertificateError>>()?;
    let zone_len = (clocks.len() + 1) * (clocks.len() + 1);
    if group.matrices.iter().any(|matrix| matrix.len() != zone_len) {
        return error("a matrix does not have the size that its clocks need");
    }
    Ok(ZoneGroup { state, clocks, zones: group.matrices.concat() })
}
