//! Which moves a discrete state has, and what they do.
//!
//! Conditions on data are decided here; those on clocks are left as constraints. A broadcast may split: a process takes part
//! with an edge where the clocks allow that edge, and stays out where they allow none of its edges, so each
//! combination is a move of its own. Their constraints may overlap, but together they are exact.

use super::{
    ChannelId, ChannelKind, ClockEffect, Difference, Discrete, EdgeId, Machine, Network, ProcessId,
    RuntimeError, Sync, Urgency,
};

/// The edges of a move: the sender first, the others in the order of the processes.
pub type Participants = Vec<(ProcessId, EdgeId)>;

/// A move that the data of a state allows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// The edges that are taken.
    pub participants: Participants,
    /// What must hold of the clocks before.
    pub guard: Vec<Difference>,
}

/// What can happen in a discrete state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Situation {
    /// The moves, always in the same order.
    pub moves: Vec<Move>,
    /// Whether time stands still.
    pub is_frozen: bool,
}

/// Computes the moves of a network.
pub struct Moves<'n> {
    pub(super) network: &'n Network,
    machine: Machine<'n>,
    has_urgent_channels: bool,
}

/// An edge whose conditions on data hold.
struct Ready {
    process: ProcessId,
    edge: EdgeId,
    role: Role,
    guard: Vec<Difference>,
    /// A variable that decides whether the edge is ready, and whose value is not known. That matters only together with a partner.
    open: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Internal,
    Send(ChannelId),
    Receive(ChannelId),
    Join(ChannelId),
}

impl<'n> Moves<'n> {
    /// For this network.
    pub fn new(network: &'n Network) -> Moves<'n> {
        let has_urgent_channels = network.channels.iter().any(|channel| channel.is_urgent);
        Moves { network, machine: Machine::new(network), has_urgent_channels }
    }

    /// What can happen in `state`.
    pub fn situation(&mut self, state: &Discrete) -> Result<Situation, RuntimeError> {
        let ready = self.ready(state)?;
        let mut situation = Situation { moves: Vec::new(), is_frozen: self.is_at(Urgency::Urgent) };
        for edge in &ready {
            match edge.role {
                Role::Internal => situation.moves.push(edge.alone()),
                Role::Send(channel) => self.send(edge, channel, &ready, &mut situation)?,
                Role::Join(channel) => self.join(edge, channel, &ready, &mut situation),
                Role::Receive(_) => {}
            }
        }
        if self.is_at(Urgency::Committed) {
            situation.is_frozen = true;
            situation.moves.retain(|step| self.leaves_committed(&step.participants));
        }
        if let Some(priorities) = &self.network.priorities {
            situation.moves = self.highest(state, situation.moves, priorities)?;
        }
        Ok(situation)
    }

    /// Whether time stands still in `state`. Without urgent channels, the locations decide that.
    pub fn is_frozen(&mut self, state: &Discrete) -> Result<bool, RuntimeError> {
        if self.has_urgent_channels {
            return Ok(self.situation(state)?.is_frozen);
        }
        self.machine.load(state);
        Ok(self.is_at(Urgency::Urgent) || self.is_at(Urgency::Committed))
    }

    /// The state after `participants` have updated one after the other, and what they did to clocks.
    pub fn fire(
        &mut self,
        state: &Discrete,
        participants: &[(ProcessId, EdgeId)],
    ) -> Result<(Discrete, Vec<ClockEffect>), RuntimeError> {
        self.machine.load(state);
        self.machine.execute_all(&self.network.before_update)?;
        for (process, edge) in participants {
            let edge = &self.network.processes[*process].edges[*edge];
            self.machine.execute_all(&edge.update)?;
            self.machine.enter(*process, edge.target);
        }
        self.machine.execute_all(&self.network.after_update)?;
        let effects = self.machine.take_effects();
        Ok((self.machine.state(), effects))
    }

    /// The constraints on clocks in `state`; `None` if some invariant is false whatever the clocks are.
    pub fn invariant(&mut self, state: &Discrete) -> Result<Option<Vec<Difference>>, RuntimeError> {
        self.machine.load(state);
        let mut list = Vec::new();
        for (process, automaton) in self.network.processes.iter_enumerated() {
            let location = &automaton.locations[self.machine.location(process)];
            if !location.invariant.data_holds(&mut self.machine)? {
                return Ok(None);
            }
            location.invariant.differences(&mut self.machine, &mut list)?;
        }
        Ok(Some(list))
    }

    /// The machine, standing in `state`.
    pub fn machine_at(&mut self, state: &Discrete) -> &mut Machine<'n> {
        self.machine.load(state);
        &mut self.machine
    }

    fn ready(&mut self, state: &Discrete) -> Result<Vec<Ready>, RuntimeError> {
        self.machine.load(state);
        let mut list = Vec::new();
        for (process, automaton) in self.network.processes.iter_enumerated() {
            for edge in &automaton.outgoing[self.machine.location(process)] {
                list.extend(self.ready_edge(process, *edge)?);
            }
        }
        Ok(list)
    }

    fn ready_edge(&mut self, process: ProcessId, id: EdgeId) -> Result<Option<Ready>, RuntimeError> {
        let edge = &self.network.processes[process].edges[id];
        let has_partner = matches!(&edge.sync, Sync::Send(_) | Sync::Receive(_));
        let mut open = None;
        match edge.guard.data_holds(&mut self.machine) {
            Ok(true) => {}
            Ok(false) => return Ok(None),
            Err(RuntimeError::Unknown(cell)) if has_partner => open = Some(cell),
            Err(error) => return Err(error),
        }
        let role = match &edge.sync {
            Sync::Internal => Role::Internal,
            Sync::Send(channel) => Role::Send(self.machine.channel(channel)?),
            Sync::Receive(channel) => Role::Receive(self.machine.channel(channel)?),
            Sync::Join(channel) => Role::Join(self.machine.channel(channel)?),
            Sync::Blocked => return Ok(None),
        };
        let mut guard = Vec::new();
        if open.is_none() {
            match edge.guard.differences(&mut self.machine, &mut guard) {
                Ok(()) => {}
                Err(RuntimeError::Unknown(cell)) if has_partner => open = Some(cell),
                Err(error) => return Err(error),
            }
        }
        Ok(Some(Ready { process, edge: id, role, guard, open }))
    }

    fn send(
        &self,
        sender: &Ready,
        channel: ChannelId,
        ready: &[Ready],
        situation: &mut Situation,
    ) -> Result<(), RuntimeError> {
        let receivers = || {
            let receives =
                move |other: &&Ready| other.role == Role::Receive(channel) && other.process != sender.process;
            ready.iter().filter(receives)
        };
        let is_alone = receivers().next().is_none();
        let kind = &self.network.channels[channel].kind;
        if is_alone && *kind != ChannelKind::Broadcast {
            return Ok(());
        }
        if let Some(cell) = std::iter::once(sender).chain(receivers()).find_map(|edge| edge.open) {
            return Err(RuntimeError::Unknown(cell));
        }
        let before = situation.moves.len();
        match kind {
            ChannelKind::Broadcast => {
                let groups = by_process(receivers());
                situation.moves.extend(combinations(sender.alone(), &groups, Absence::IfDisabled));
            }
            _ => situation.moves.extend(receivers().map(|other| sender.together_with(other))),
        }
        situation.is_frozen |= self.network.channels[channel].is_urgent && situation.moves.len() > before;
        Ok(())
    }

    /// Joint moves are found at the first member.
    fn join(&self, first: &Ready, channel: ChannelId, ready: &[Ready], situation: &mut Situation) {
        let ChannelKind::Joint(members) = &self.network.channels[channel].kind else {
            return situation.moves.push(first.alone());
        };
        if !members.contains(&first.process) {
            return situation.moves.push(first.alone());
        }
        if members.first() != Some(&first.process) {
            return;
        }
        let others = ready.iter().filter(|other| {
            other.role == Role::Join(channel)
                && other.process != first.process
                && members.contains(&other.process)
        });
        let groups = by_process(others);
        if groups.len() + 1 == members.len() {
            let before = situation.moves.len();
            situation.moves.extend(combinations(first.alone(), &groups, Absence::Never));
            situation.is_frozen |= self.network.channels[channel].is_urgent && situation.moves.len() > before;
        }
    }

    fn is_at(&self, urgency: Urgency) -> bool {
        let mut processes = self.network.processes.iter_enumerated();
        processes.any(|(process, automaton)| {
            automaton.locations[self.machine.location(process)].urgency == urgency
        })
    }

    fn leaves_committed(&self, participants: &[(ProcessId, EdgeId)]) -> bool {
        participants.iter().any(|(process, _)| {
            let location = self.machine.location(*process);
            self.network.processes[*process].locations[location].urgency == Urgency::Committed
        })
    }
}

/// Whether a process may stay out of a synchronisation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Absence {
    /// It may not.
    Never,
    /// Where the clocks allow none of its edges.
    IfDisabled,
}

impl Ready {
    fn alone(&self) -> Move {
        Move { participants: vec![(self.process, self.edge)], guard: self.guard.clone() }
    }

    fn together_with(&self, other: &Ready) -> Move {
        let guard = [self.guard.as_slice(), other.guard.as_slice()].concat();
        Move { participants: vec![(self.process, self.edge), (other.process, other.edge)], guard }
    }
}

impl Move {
    fn with(mut self, other: &Ready) -> Move {
        self.participants.push((other.process, other.edge));
        self.guard.extend(&other.guard);
        self
    }
}

/// The edges of each process, in the order of the processes.
fn by_process<'r>(edges: impl Iterator<Item = &'r Ready>) -> Vec<Vec<&'r Ready>> {
    let mut groups: Vec<Vec<&Ready>> = Vec::new();
    for edge in edges {
        match groups.last_mut() {
            Some(group) if group[0].process == edge.process => group.push(edge),
            _ => groups.push(vec![edge]),
        }
    }
    groups
}

/// All ways to choose one edge of each group, or none where that is possible.
fn combinations(start: Move, groups: &[Vec<&Ready>], absence: Absence) -> Vec<Move> {
    let mut list = vec![start];
    for group in groups {
        let mut longer = Vec::new();
        for partial in &list {
            longer.extend(group.iter().map(|edge| partial.clone().with(edge)));
            if absence == Absence::IfDisabled {
                longer.extend(without(partial, group));
            }
        }
        list = longer;
    }
    list
}

/// `partial` where the clocks disable all edges of `group`: each violates one of its constraints.
fn without(partial: &Move, group: &[&Ready]) -> Vec<Move> {
    let mut list = vec![partial.clone()];
    for edge in group {
        let violated = |step: &Move| -> Vec<Move> {
            let one = |constraint: &Difference| {
                let mut step = step.clone();
                step.guard.push(constraint.negated());
                step
            };
            edge.guard.iter().map(one).collect()
        };
        list = list.iter().flat_map(violated).collect();
    }
    list
}
