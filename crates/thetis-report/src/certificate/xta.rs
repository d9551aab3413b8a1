//! Evidence about timed automata: processes, locations and clocks go by name, edges and values by number.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};
use thetis_model::Task;
use thetis_model::xta::{
    ClockBounds, ClockId, Course, EdgeId, ExtremeValue, Extremum, Forever, LiveVariables, LiveView, Network,
    Participants, ProcessId, RankedGroup, RepeatedMove, Symmetry, TimedStep, Unit, XtaProof, XtaTrace,
    ZoneGroup,
};

use super::{CertificateError, Keepable, Program, error};
use crate::streamed::{Patience, Streamed};

/// A run. All times are in ticks.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct TraceText {
    /// How many ticks make one time unit.
    ticks_per_unit: u64,
    /// The delays and moves.
    steps: Vec<TimedStepText>,
    /// The delay after the last move.
    last_delay: u64,
    /// How the run goes on for ever, if it has to.
    #[serde(default)]
    forever: Option<ForeverText>,
}

/// How a run goes on for ever.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ForeverText {
    /// After how many moves, and how many ticks later, the part that counts begins.
    since: (usize, u64),
    /// The moves that are repeated; without them the run stays where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    repeat: Option<Vec<RepeatedText>>,
}

/// A move of a cycle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RepeatedText {
    /// The zone from which the move leads into the next one.
    from: GroupText,
    /// The edges that are taken.
    edges: Vec<(String, u32)>,
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

/// A proof: a set of symbolic states that the network never leaves.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofText {
    /// The symbolic states by their discrete states.
    zones: Vec<GroupText>,
    /// Symbolic states with ranks, for questions about liveness.
    #[serde(default)]
    descent: Vec<RankedText>,
    /// The extreme values, in the order of the question.
    #[serde(default)]
    extrema: Vec<ExtremumText>,
    /// For the symbolic states of each discrete state, the lower and upper bounds of the clocks up to which they are compared.
    #[serde(default)]
    bounds: Vec<Vec<(Option<i32>, Option<i32>)>>,
    /// The variables whose values the discrete states always give; without this field, they give all values. A value that is not given is written as
    /// the least 32-bit number.
    #[serde(default)]
    tracked: Option<Vec<String>>,
    /// The variables whose values the discrete states give; without this field, they give all values.
    #[serde(default)]
    live: Vec<LiveText>,
    /// What may be permuted.
    #[serde(default)]
    symmetries: Vec<SymmetryText>,
}

/// The variables that may still be read. A variable that one of several such lists omits in a state is not given there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LiveText {
    /// In all states.
    always: Vec<String>,
    /// By each process, in each of its locations.
    processes: Vec<Vec<Vec<String>>>,
}

/// Units that may be permuted at will.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SymmetryText {
    /// The units.
    units: Vec<UnitText>,
    /// The variables that may hold the value of a unit.
    pointers: Vec<String>,
}

/// A process with everything that belongs to it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitText {
    /// The processes.
    processes: Vec<String>,
    /// Their variables.
    variables: Vec<String>,
    /// Their clocks.
    clocks: Vec<String>,
    /// Their channels.
    channels: Vec<String>,
    /// The value by which pointers refer to the unit.
    value: Option<i32>,
}

/// Symbolic states with ranks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RankedText {
    /// The symbolic states.
    zones: GroupText,
    /// The rank of each.
    ranks: Vec<u32>,
}

/// An extreme value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExtremumText {
    /// The value.
    value: ValueText,
    /// The edges of each move to a zone with the value.
    path: Vec<Vec<(String, u32)>>,
}

/// A least upper or greatest lower bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueText {
    /// No state counts.
    Never,
    /// It is the value in some state.
    Attained(i32),
    /// Values come arbitrarily close.
    Approached(i32),
    /// Values grow without bound.
    Unbounded,
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

    fn write_proof<S: Serializer>(
        task: &Task<Network>,
        proof: &XtaProof,
        patience: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let network = &task.model;
        let ranked = |ranked: &RankedGroup| RankedText {
            zones: write_group(network, &ranked.group),
            ranks: ranked.ranks.clone(),
        };
        let extremum = |claim: &Extremum| ExtremumText {
            value: claim.value.into(),
            path: claim.path.iter().map(|edges| write_edges(network, edges)).collect(),
        };
        let groups = || proof.groups.iter().map(|group| write_group(network, group));
        let mut fields = serializer.serialize_struct("Proof", 7)?;
        fields.serialize_field("zones", &Streamed::new(patience, groups))?;
        if !proof.descent.is_empty() {
            let descent = || proof.descent.iter().map(ranked);
            fields.serialize_field("descent", &Streamed::new(patience, descent))?;
        }
        if !proof.extrema.is_empty() {
            fields.serialize_field("extrema", &proof.extrema.iter().map(extremum).collect::<Vec<_>>())?;
        }
        if !proof.simulation.is_empty() {
            let bounds = || proof.simulation.iter().map(|group| write_bounds(group));
            fields.serialize_field("bounds", &Streamed::new(patience, bounds))?;
        }
        if let Some(cells) = &proof.tracked {
            fields.serialize_field("tracked", &write_cells(network, cells))?;
        }
        if let Some(live) = &proof.live {
            let views: Vec<LiveText> = live.views.iter().map(|view| write_view(network, view)).collect();
            fields.serialize_field("live", &views)?;
        }
        if !proof.symmetries.is_empty() {
            let symmetries = proof.symmetries.iter().map(|symmetry| write_symmetry(network, symmetry));
            fields.serialize_field("symmetries", &symmetries.collect::<Vec<_>>())?;
        }
        fields.end()
    }

    fn write_trace<S: Serializer>(
        task: &Task<Network>,
        trace: &XtaTrace,
        patience: &Patience<'_>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let network = &task.model;
        let step = |step: &TimedStep| TimedStepText {
            delay: step.delay,
            edges: write_edges(network, &step.participants),
        };
        let mut fields = serializer.serialize_struct("Trace", 4)?;
        fields.serialize_field("ticks-per-unit", &trace.ticks_per_unit)?;
        fields.serialize_field("steps", &Streamed::new(patience, || trace.steps.iter().map(step)))?;
        fields.serialize_field("last-delay", &trace.last_delay)?;
        if let Some(forever) = &trace.forever {
            fields.serialize_field("forever", &write_forever(network, forever))?;
        }
        fields.end()
    }

    fn read_proof(task: &Task<Network>, proof: &ProofText) -> Result<XtaProof, CertificateError> {
        let network = &task.model;
        let groups = proof.zones.iter().map(|group| read_group(network, group));
        let descent = proof.descent.iter().map(|ranked| {
            let group = read_group(network, &ranked.zones)?;
            Ok(RankedGroup { group, ranks: ranked.ranks.clone() })
        });
        let extrema = proof.extrema.iter().map(|claim| {
            let path = claim.path.iter().map(|edges| read_edges(network, edges));
            Ok(Extremum { value: claim.value.into(), path: path.collect::<Result<_, _>>()? })
        });
        Ok(XtaProof {
            groups: groups.collect::<Result<_, _>>()?,
            descent: descent.collect::<Result<_, _>>()?,
            extrema: extrema.collect::<Result<_, _>>()?,
            simulation: proof.bounds.iter().map(|group| read_bounds(group)).collect(),
            tracked: proof.tracked.as_ref().map(|names| read_cells(network, names)).transpose()?,
            live: match proof.live.as_slice() {
                [] => None,
                views => {
                    let views = views.iter().map(|view| read_view(network, view));
                    Some(LiveVariables { views: views.collect::<Result<_, _>>()? })
                }
            },
            symmetries: proof
                .symmetries
                .iter()
                .map(|symmetry| read_symmetry(network, symmetry))
                .collect::<Result<_, _>>()?,
        })
    }

    fn read_trace(task: &Task<Network>, trace: &TraceText) -> Result<XtaTrace, CertificateError> {
        let network = &task.model;
        let steps = trace
            .steps
            .iter()
            .map(|step| Ok(TimedStep { delay: step.delay, participants: read_edges(network, &step.edges)? }));
        Ok(XtaTrace {
            ticks_per_unit: trace.ticks_per_unit,
            steps: steps.collect::<Result<_, _>>()?,
            last_delay: trace.last_delay,
            forever: trace.forever.as_ref().map(|forever| read_forever(network, forever)).transpose()?,
        })
    }
}

fn write_bounds(bounds: &[ClockBounds]) -> Vec<(Option<i32>, Option<i32>)> {
    bounds.iter().map(|one| (one.lower, one.upper)).collect()
}

fn read_bounds(bounds: &[(Option<i32>, Option<i32>)]) -> Vec<ClockBounds> {
    bounds.iter().map(|(lower, upper)| ClockBounds { lower: *lower, upper: *upper }).collect()
}

fn write_cells(network: &Network, cells: &[u32]) -> Vec<String> {
    cells.iter().map(|cell| network.variables[*cell as usize].name.clone()).collect()
}

fn read_cells(network: &Network, names: &[String]) -> Result<Vec<u32>, CertificateError> {
    let number = |name: &String| match network.variables.iter().position(|variable| variable.name == *name) {
        Some(cell) => Ok(cell as u32),
        None => error(format!("there is no variable `{name}`")),
    };
    names.iter().map(number).collect()
}

fn write_view(network: &Network, view: &LiveView) -> LiveText {
    let cells = |cells: &Vec<u32>| write_cells(network, cells);
    let locations = |process: &Vec<Vec<u32>>| process.iter().map(cells).collect();
    LiveText { always: cells(&view.always), processes: view.processes.iter().map(locations).collect() }
}

fn read_view(network: &Network, view: &LiveText) -> Result<LiveView, CertificateError> {
    let mut processes = Vec::with_capacity(view.processes.len());
    for process in &view.processes {
        let locations = process.iter().map(|names| read_cells(network, names));
        processes.push(locations.collect::<Result<Vec<Vec<u32>>, _>>()?);
    }
    Ok(LiveView { always: read_cells(network, &view.always)?, processes })
}

fn write_symmetry(network: &Network, symmetry: &Symmetry) -> SymmetryText {
    let unit = |unit: &Unit| UnitText {
        processes: unit.processes.iter().map(|id| network.processes[*id].name.clone()).collect(),
        variables: write_cells(network, &unit.cells),
        clocks: unit.clocks.iter().map(|id| network.clocks[*id].name.clone()).collect(),
        channels: unit.channels.iter().map(|id| network.channels[*id].name.clone()).collect(),
        value: unit.value,
    };
    SymmetryText {
        units: symmetry.units.iter().map(unit).collect(),
        pointers: write_cells(network, &symmetry.pointers),
    }
}

fn read_symmetry(network: &Network, symmetry: &SymmetryText) -> Result<Symmetry, CertificateError> {
    let unit = |unit: &UnitText| {
        Ok(Unit {
            processes: read_names(&unit.processes, "process", |name| {
                network.processes.iter().position(|process| process.name == name)
            })?,
            cells: read_cells(network, &unit.variables)?,
            clocks: read_names(&unit.clocks, "clock", |name| {
                network.clocks.iter().position(|clock| clock.name == name)
            })?,
            channels: read_names(&unit.channels, "channel", |name| {
                network.channels.iter().position(|channel| channel.name == name)
            })?,
            value: unit.value,
        })
    };
    Ok(Symmetry {
        units: symmetry.units.iter().map(unit).collect::<Result<_, _>>()?,
        pointers: read_cells(network, &symmetry.pointers)?,
    })
}

fn read_names<T: From<usize>>(
    names: &[String],
    what: &str,
    position: impl Fn(&str) -> Option<usize>,
) -> Result<Vec<T>, CertificateError> {
    let number = |name: &String| match position(name) {
        Some(number) => Ok(T::from(number)),
        None => error(format!("there is no {what} `{name}`")),
    };
    names.iter().map(number).collect()
}

impl From<ExtremeValue> for ValueText {
    fn from(value: ExtremeValue) -> ValueText {
        match value {
            ExtremeValue::Never => ValueText::Never,
            ExtremeValue::Attained(number) => ValueText::Attained(number),
            ExtremeValue::Approached(number) => ValueText::Approached(number),
            ExtremeValue::Unbounded => ValueText::Unbounded,
        }
    }
}

impl From<ValueText> for ExtremeValue {
    fn from(value: ValueText) -> ExtremeValue {
        match value {
            ValueText::Never => ExtremeValue::Never,
            ValueText::Attained(number) => ExtremeValue::Attained(number),
            ValueText::Approached(number) => ExtremeValue::Approached(number),
            ValueText::Unbounded => ExtremeValue::Unbounded,
        }
    }
}

fn write_edges(network: &Network, edges: &[(ProcessId, EdgeId)]) -> Vec<(String, u32)> {
    let name = |(process, edge): &(ProcessId, EdgeId)| {
        (network.processes[*process].name.clone(), edge.index() as u32)
    };
    edges.iter().map(name).collect()
}

fn read_edges(network: &Network, edges: &[(String, u32)]) -> Result<Participants, CertificateError> {
    let edges = edges.iter().map(|(name, edge)| {
        let process = network.processes.iter().position(|process| process.name == *name);
        match process {
            Some(process) => Ok((ProcessId::from(process), EdgeId::from(*edge as usize))),
            None => error(format!("there is no process `{name}`")),
        }
    });
    edges.collect()
}

fn write_forever(network: &Network, forever: &Forever) -> ForeverText {
    let repeated = |step: &RepeatedMove| RepeatedText {
        from: write_group(network, &step.from),
        edges: write_edges(network, &step.participants),
    };
    let repeat = match &forever.course {
        Course::Stay => None,
        Course::Repeat(cycle) => Some(cycle.iter().map(repeated).collect()),
    };
    ForeverText { since: forever.since, repeat }
}

fn read_forever(network: &Network, forever: &ForeverText) -> Result<Forever, CertificateError> {
    let repeated = |step: &RepeatedText| {
        Ok(RepeatedMove {
            from: read_group(network, &step.from)?,
            participants: read_edges(network, &step.edges)?,
        })
    };
    let course = match &forever.repeat {
        None => Course::Stay,
        Some(cycle) => Course::Repeat(cycle.iter().map(repeated).collect::<Result<_, _>>()?),
    };
    Ok(Forever { since: forever.since, course })
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
