//! Random networks, as data and as text.

use std::fmt::Write;

use fastrand::Rng;

/// The largest constant.
pub(crate) const MAX: i32 = 3;

pub(crate) struct RandomNetwork {
    pub(crate) num_clocks: usize,
    pub(crate) processes: Vec<RandomProcess>,
    /// Locations of the first two processes.
    pub(crate) goal: (usize, usize),
    /// A constraint that the goal has too.
    pub(crate) goal_clock: Option<Comparison>,
    /// Whether channels and processes have priorities; see [`RandomNetwork::rank`].
    pub(crate) has_priorities: bool,
}

#[derive(Clone)]
pub(crate) struct RandomProcess {
    pub(crate) locations: Vec<RandomLocation>,
    pub(crate) edges: Vec<RandomEdge>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Urgency {
    None,
    Urgent,
    Committed,
}

#[derive(Clone)]
pub(crate) struct RandomLocation {
    pub(crate) invariant: Option<Comparison>,
    pub(crate) urgency: Urgency,
}

/// A clock compared with a constant.
#[derive(Clone, Copy)]
pub(crate) struct Comparison {
    pub(crate) clock: usize,
    pub(crate) sign: &'static str,
    pub(crate) constant: i32,
}

#[derive(Clone)]
pub(crate) struct RandomEdge {
    pub(crate) source: usize,
    pub(crate) target: usize,
    pub(crate) guard: Vec<Comparison>,
    /// The variable must have this value.
    pub(crate) value: Option<i32>,
    pub(crate) sync: Option<(Channel, bool)>,
    /// Clocks and what they are set to.
    pub(crate) sets: Vec<(usize, i32)>,
    pub(crate) assign: Option<i32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Channel {
    Binary,
    Broadcast,
    Urgent,
}

impl RandomNetwork {
    pub(crate) fn new(seed: u64) -> RandomNetwork {
        let mut rng = Rng::with_seed(seed);
        let num_clocks = rng.usize(1..=3);
        let processes = (0..rng.usize(2..=3)).map(|_| process(&mut rng, num_clocks)).collect();
        let goal = (rng.usize(0..3), rng.usize(0..3));
        let goal_clock = rng.bool().then(|| comparison(&mut rng, num_clocks));
        RandomNetwork { num_clocks, processes, goal, goal_clock, has_priorities: seed % 5 == 1 }
    }

    /// Three equal processes, or two and another one. Each has a clock and a value of the variable of its own.
    pub(crate) fn with_equal_processes(seed: u64) -> RandomNetwork {
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
    pub(crate) fn rank(
        &self,
        channel: Option<Channel>,
        processes: impl Iterator<Item = usize>,
    ) -> (u32, u32) {
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
    pub(crate) fn query(&self, seed: u64) -> (String, bool) {
        if seed.is_multiple_of(4) {
            return ("A[] not deadlock".into(), true);
        }
        let mut goal = format!("P0.l{} and P1.l{}", self.goal.0, self.goal.1);
        if let Some(comparison) = &self.goal_clock {
            let _ = write!(goal, " and {}", comparison.text());
        }
        (if seed.is_multiple_of(2) { format!("E<> {goal}") } else { format!("A[] not ({goal})") }, false)
    }

    pub(crate) fn text(&self) -> String {
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

pub(crate) fn comparison(rng: &mut Rng, num_clocks: usize) -> Comparison {
    let sign = ["<", "<=", "==", ">=", ">"][rng.usize(0..5)];
    Comparison { clock: rng.usize(0..num_clocks), sign, constant: rng.i32(0..=MAX) }
}

impl Comparison {
    pub(crate) fn text(&self) -> String {
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
