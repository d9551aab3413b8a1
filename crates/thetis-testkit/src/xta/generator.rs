//! Random networks of timed automata, as data for the oracle and as text for the front end.

use std::fmt::Write;

use fastrand::Rng;

/// The largest constant.
pub const MAX: i32 = 3;

/// Two or three processes with three locations each, a variable `v`, and three channels.
pub struct RandomNetwork {
    /// Clocks `x0`, `x1`, ..., which all processes see.
    pub num_clocks: usize,
    /// Processes `P0`, `P1`, ...
    pub processes: Vec<RandomProcess>,
    /// Locations of the first two processes.
    pub goal: (usize, usize),
    /// A constraint that the goal has too.
    pub goal_clock: Option<Comparison>,
    /// Whether channels and processes have priorities; see [`RandomNetwork::rank`].
    pub has_priorities: bool,
}

/// A process with locations `l0`, `l1`, `l2`, which starts in the first.
#[derive(Clone)]
pub struct RandomProcess {
    /// Its locations, three of them.
    pub locations: Vec<RandomLocation>,
    /// Its edges, in the order of the text.
    pub edges: Vec<RandomEdge>,
}

/// Whether time may pass in a location.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// It may.
    None,
    /// It may not.
    Urgent,
    /// It may not, and the next move leaves a committed location.
    Committed,
}

/// A location of a process.
#[derive(Clone)]
pub struct RandomLocation {
    /// An upper bound of a clock.
    pub invariant: Option<Comparison>,
    /// Whether time may pass.
    pub urgency: Urgency,
}

/// A clock compared with a constant.
#[derive(Clone, Copy)]
pub struct Comparison {
    /// Which clock.
    pub clock: usize,
    /// One of `<`, `<=`, `==`, `>=`, `>`.
    pub sign: &'static str,
    /// At most [`MAX`].
    pub constant: i32,
}

/// An edge of a process.
#[derive(Clone)]
pub struct RandomEdge {
    /// The location that it leaves.
    pub source: usize,
    /// The location that it enters.
    pub target: usize,
    /// What must hold of the clocks.
    pub guard: Vec<Comparison>,
    /// The variable must have this value.
    pub value: Option<i32>,
    /// The channel, and whether the edge sends.
    pub sync: Option<(Channel, bool)>,
    /// Clocks and what they are set to.
    pub sets: Vec<(usize, i32)>,
    /// What the variable is set to.
    pub assign: Option<i32>,
}

/// How processes synchronise.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    /// One sender and one receiver.
    Binary,
    /// One sender, and every process that can receive.
    Broadcast,
    /// Like `Binary`; no time passes while it is possible.
    Urgent,
}

impl RandomNetwork {
    /// Processes that have nothing in common.
    pub fn new(seed: u64) -> RandomNetwork {
        let mut rng = Rng::with_seed(seed);
        let num_clocks = rng.usize(1..=3);
        let processes = (0..rng.usize(2..=3)).map(|_| process(&mut rng, num_clocks)).collect();
        let goal = (rng.usize(0..3), rng.usize(0..3));
        let goal_clock = rng.bool().then(|| comparison(&mut rng, num_clocks));
        RandomNetwork { num_clocks, processes, goal, goal_clock, has_priorities: seed % 5 == 1 }
    }

    /// Three equal processes, or two and another one. Each has a clock and a value of the variable of its own.
    pub fn with_equal_processes(seed: u64) -> RandomNetwork {
        let mut rng = Rng::with_seed(seed);
        let mut processes: Vec<RandomProcess> = Vec::new();
        let model = process(&mut rng, 1);
        for number in 0..3 {
            let is_other = number == 2 && seed % 3 == 2;
            let own = if is_other { process(&mut rng, 1) } else { model.clone() };
            processes.push(own.owned_by(number));
        }
        let goal = (rng.usize(0..3), rng.usize(0..3));
        let goal_clock = rng.bool().then(|| comparison(&mut rng, 2));
        RandomNetwork { num_clocks: 3, processes, goal, goal_clock, has_priorities: seed % 9 == 1 }
    }

    /// The priority of a move, as the text declares it: that of the channel, then the highest of the processes.
    pub fn rank(&self, channel: Option<Channel>, processes: impl Iterator<Item = usize>) -> (u32, u32) {
        if !self.has_priorities {
            return (0, 0);
        }
        let level = match channel {
            Some(Channel::Binary) => 0,
            None | Some(Channel::Urgent) => 1,
            Some(Channel::Broadcast) => 2,
        };
        (level, processes.map(|process| u32::from(process > 0)).max().unwrap_or(0))
    }

    /// A query, and whether it asks for a deadlock.
    pub fn query(&self, seed: u64) -> (String, bool) {
        if seed.is_multiple_of(4) {
            return ("A[] not deadlock".into(), true);
        }
        let mut goal = format!("P0.l{} and P1.l{}", self.goal.0, self.goal.1);
        if let Some(comparison) = &self.goal_clock {
            let _ = write!(goal, " and {}", comparison.text());
        }
        (if seed.is_multiple_of(2) { format!("E<> {goal}") } else { format!("A[] not ({goal})") }, false)
    }

    /// The network in the language of `.xta` files.
    pub fn text(&self) -> String {
        let clocks: Vec<String> = (0..self.num_clocks).map(|clock| format!("x{clock}")).collect();
        let mut text =
            format!("clock {};\nint[0,3] v;\nchan b; broadcast chan c; urgent chan u;\n", clocks.join(", "));
        if self.has_priorities {
            text.push_str("chan priority b < default, u < c;\n");
        }
        for (number, process) in self.processes.iter().enumerate() {
            process.write(number, &mut text);
        }
        let names: Vec<String> = (1..self.processes.len()).map(|number| format!("P{number}")).collect();
        let sign = if self.has_priorities { " <" } else { "," };
        let _ = writeln!(text, "system P0{sign} {};", names.join(", "));
        text
    }
}

fn process(rng: &mut Rng, num_clocks: usize) -> RandomProcess {
    let locations = (0..3).map(|number| RandomLocation {
        // Nothing forbids the start.
        invariant: rng.bool().then(|| Comparison {
            clock: rng.usize(0..num_clocks),
            sign: if number > 0 && rng.bool() { "<" } else { "<=" },
            constant: rng.i32(0..=MAX),
        }),
        urgency: match rng.u32(0..8) {
            0 => Urgency::Urgent,
            1 => Urgency::Committed,
            _ => Urgency::None,
        },
    });
    let locations = locations.collect();
    let edges = (0..rng.usize(3..=6)).map(|_| edge(rng, num_clocks)).collect();
    RandomProcess { locations, edges }
}

fn edge(rng: &mut Rng, num_clocks: usize) -> RandomEdge {
    let sync = match rng.u32(0..6) {
        0 => Some(Channel::Binary),
        1 | 2 => Some(Channel::Broadcast),
        3 => Some(Channel::Urgent),
        _ => None,
    };
    let num_guards = if sync == Some(Channel::Urgent) { 0 } else { rng.usize(0..=2) };
    RandomEdge {
        source: rng.usize(0..3),
        target: rng.usize(0..3),
        guard: (0..num_guards).map(|_| comparison(rng, num_clocks)).collect(),
        value: (rng.u32(0..4) == 0).then(|| rng.i32(0..=2)),
        sync: sync.map(|channel| (channel, rng.bool())),
        sets: (0..rng.usize(0..=2))
            .map(|_| (rng.usize(0..num_clocks), rng.i32(0..=1) * rng.i32(0..=2)))
            .collect(),
        assign: (rng.u32(0..3) == 0).then(|| rng.i32(0..=2)),
    }
}

/// Compares a random clock with a random constant.
pub fn comparison(rng: &mut Rng, num_clocks: usize) -> Comparison {
    let sign = ["<", "<=", "==", ">=", ">"][rng.usize(0..5)];
    Comparison { clock: rng.usize(0..num_clocks), sign, constant: rng.i32(0..=MAX) }
}

impl Comparison {
    /// The comparison as it stands in guards and queries.
    pub fn text(&self) -> String {
        format!("x{} {} {}", self.clock, self.sign, self.constant)
    }
}

impl RandomProcess {
    /// The same with the clock and the value of a process.
    fn owned_by(mut self, number: usize) -> RandomProcess {
        let value = |value: i32| if value == 1 { number as i32 + 1 } else { 0 };
        let invariants = self.locations.iter_mut().filter_map(|location| location.invariant.as_mut());
        invariants.for_each(|invariant| invariant.clock = number);
        for edge in &mut self.edges {
            edge.guard.iter_mut().for_each(|comparison| comparison.clock = number);
            edge.sets.iter_mut().for_each(|(clock, _)| *clock = number);
            edge.value = edge.value.map(value);
            edge.assign = edge.assign.map(value);
        }
        self
    }

    fn write(&self, number: usize, text: &mut String) {
        let state = |(index, location): (usize, &RandomLocation)| match &location.invariant {
            Some(comparison) => format!("l{index} {{ {} }}", comparison.text()),
            None => format!("l{index}"),
        };
        let states: Vec<String> = self.locations.iter().enumerate().map(state).collect();
        let _ = writeln!(text, "process P{number}() {{\n  state {};", states.join(", "));
        for (word, urgency) in [("commit", Urgency::Committed), ("urgent", Urgency::Urgent)] {
            let such = (0..3).filter(|index| self.locations[*index].urgency == urgency);
            let names: Vec<String> = such.map(|index| format!("l{index}")).collect();
            if !names.is_empty() {
                let _ = writeln!(text, "  {word} {};", names.join(", "));
            }
        }
        let edges: Vec<String> = self.edges.iter().map(RandomEdge::text).collect();
        let _ = writeln!(text, "  init l0;\n  trans\n    {};\n}}", edges.join(",\n    "));
    }
}

impl RandomEdge {
    fn text(&self) -> String {
        let mut text = format!("l{} -> l{} {{ ", self.source, self.target);
        let mut guard: Vec<String> = self.guard.iter().map(Comparison::text).collect();
        guard.extend(self.value.map(|value| format!("v == {value}")));
        if !guard.is_empty() {
            let _ = write!(text, "guard {}; ", guard.join(" && "));
        }
        if let Some((channel, sends)) = &self.sync {
            let name = match channel {
                Channel::Binary => "b",
                Channel::Broadcast => "c",
                Channel::Urgent => "u",
            };
            let _ = write!(text, "sync {name}{}; ", if *sends { "!" } else { "?" });
        }
        let mut assign: Vec<String> =
            self.sets.iter().map(|(clock, value)| format!("x{clock} = {value}")).collect();
        assign.extend(self.assign.map(|value| format!("v = {value}")));
        if !assign.is_empty() {
            let _ = write!(text, "assign {}; ", assign.join(", "));
        }
        text + "}"
    }
}
