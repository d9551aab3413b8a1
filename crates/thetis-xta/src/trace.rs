//! Runs as UPPAAL's verifier prints them.
//!
//! ```text
//! State:
//! ( P.idle Q.busy )
//! n=1 P.x=0 Q.y=5/2
//!
//! Delay: 5/2
//!
//! Transitions:
//!   P.idle->P.busy { go! }
//!   Q.busy->Q.idle { go? }
//! ```
//!
//! A state has the location of every process, then the variables and the clocks. Times are exact fractions. A transition is written with its
//! channel, or `tau`; its guard and updates are those of the model.

use std::fmt::Write;

use thetis_model::xta::{Course, EdgeId, Moves, Network, ProcessId, Replay, ReplayError, Sync, XtaTrace};

/// The text of a run, or why the network does not have it.
pub fn print(network: &Network, trace: &XtaTrace) -> Result<String, ReplayError> {
    let mut replay = Replay::new(network, trace.ticks_per_unit)?;
    let mut printer = Printer { network, unit: trace.ticks_per_unit, text: String::new() };
    printer.state(&replay);
    for step in &trace.steps {
        printer.delay(step.delay, &mut replay)?;
        printer.transitions(&replay, &step.participants)?;
        replay.fire(&step.participants)?;
        printer.state(&replay);
    }
    printer.delay(trace.last_delay, &mut replay)?;
    match trace.forever.as_ref().map(|forever| &forever.course) {
        None => {}
        Some(Course::Stay) => printer.line("The run stays in this state for ever."),
        Some(Course::Repeat(moves)) => {
            printer.line("These transitions are repeated for ever, after delays that need not be the same:");
            for repeated in moves {
                printer.edges(&repeated.from.state, &repeated.participants)?;
            }
        }
    }
    Ok(printer.text)
}

struct Printer<'n> {
    network: &'n Network,
    unit: u64,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    fn state(&mut self, replay: &Replay<'_>) {
        let state = replay.state();
        let locations = self.network.locations(&state.discrete).map(|(process, location)| {
            let process = &self.network.processes[process];
            format!("{}.{}", process.name, process.locations[location].name)
        });
        let locations: Vec<String> = locations.collect();
        let cells = self.network.variables.iter().zip(self.network.cells(&state.discrete));
        let cells = cells.map(|(variable, value)| format!("{}={value}", variable.name));
        let clocks = self.network.clocks.iter().zip(&state.clocks);
        let clocks = clocks
            .map(|(clock, ticks)| format!("{}={}", clock.name, fraction(*ticks, i128::from(self.unit))));
        let values: Vec<String> = cells.chain(clocks).collect();
        self.line("State:");
        self.line(&format!("( {} )", locations.join(" ")));
        self.line(&values.join(" "));
        self.line("");
    }

    /// A delay and the state after it, unless there is none.
    fn delay(&mut self, ticks: u64, replay: &mut Replay<'_>) -> Result<(), ReplayError> {
        replay.delay(ticks)?;
        if ticks > 0 {
            let time = fraction(i128::from(ticks), i128::from(self.unit));
            self.line(&format!("Delay: {time}\n"));
            self.state(replay);
        }
        Ok(())
    }

    fn transitions(
        &mut self,
        replay: &Replay<'_>,
        participants: &[(ProcessId, EdgeId)],
    ) -> Result<(), ReplayError> {
        self.line("Transitions:");
        self.edges(&replay.state().discrete, participants)?;
        self.line("");
        Ok(())
    }

    fn edges(
        &mut self,
        state: &thetis_model::xta::Discrete,
        participants: &[(ProcessId, EdgeId)],
    ) -> Result<(), ReplayError> {
        let mut moves = Moves::new(self.network);
        for (process, edge) in participants {
            let process = &self.network.processes[*process];
            let edge = &process.edges[*edge];
            let (channel, sign) = match &edge.sync {
                Sync::Send(channel) => (Some(channel), "!"),
                Sync::Receive(channel) => (Some(channel), "?"),
                Sync::Join(channel) => (Some(channel), ""),
                Sync::Internal | Sync::Blocked => (None, ""),
            };
            let label = match channel {
                Some(channel) => {
                    let channel = moves.machine_at(state).channel(channel)?;
                    format!("{}{sign}", self.network.channels[channel].name)
                }
                None => "tau".to_owned(),
            };
            let [source, target] = [edge.source, edge.target].map(|at| &process.locations[at].name);
            self.line(&format!("  {0}.{source}->{0}.{target} {{ {label} }}", process.name));
        }
        Ok(())
    }
}

/// A number of ticks in time units, as a fraction in lowest terms.
fn fraction(ticks: i128, unit: i128) -> String {
    let divisor = gcd(ticks, unit);
    match (ticks / divisor, unit / divisor) {
        (whole, 1) => whole.to_string(),
        (numerator, denominator) => format!("{numerator}/{denominator}"),
    }
}

fn gcd(mut one: i128, mut other: i128) -> i128 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one.max(1)
}
