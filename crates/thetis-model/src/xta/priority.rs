//! Priorities of channels and processes.
//!
//! A move is possible only where no move of a higher priority is. The priority of a move is that of its channel, then the highest of its
//! processes; an internal edge has the priority of channels without an explicit one. Whether a move is possible depends on clocks: on
//! its guard, and on the invariants of the locations that it leads to. So a move with a lower priority is split into one move for each
//! way in which all moves of higher priority can be impossible, just as a broadcast is split for receivers that stay out.

use super::{ChannelId, Difference, Discrete, Move, Moves, Participants, ProcessId, RuntimeError, Sync};

/// The most moves that one is split into.
const MAX_PARTS: usize = 10_000;

/// Which moves come before others; larger numbers come first.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Priorities {
    /// For each channel.
    pub channels: Vec<u32>,
    /// For internal edges.
    pub internal: u32,
    /// For each process.
    pub processes: Vec<u32>,
}

/// The priority of a move; the channel counts first.
type Rank = (u32, u32);

impl Priorities {
    fn rank(&self, channel: Option<ChannelId>, processes: impl Iterator<Item = ProcessId>) -> Rank {
        let level = channel.map_or(self.internal, |channel| self.channels[channel.index()]);
        (level, processes.map(|process| self.processes[process.index()]).max().unwrap_or(0))
    }
}

impl Moves<'_> {
    /// The moves where no move of a higher priority is possible.
    pub(super) fn highest(
        &mut self,
        state: &Discrete,
        moves: Vec<Move>,
        priorities: &Priorities,
    ) -> Result<Vec<Move>, RuntimeError> {
        let mut ranked = Vec::with_capacity(moves.len());
        for step in moves {
            let channel = self.channel_of(state, &step.participants)?;
            let processes = step.participants.iter().map(|(process, _)| *process);
            let rank = priorities.rank(channel, processes);
            ranked.push((rank, self.conditions(state, &step)?, step));
        }
        let mut list = Vec::new();
        for (rank, _, step) in &ranked {
            let mut parts = vec![step.clone()];
            let above = ranked.iter().filter(|(other, ..)| other > rank);
            for conditions in above.filter_map(|(_, conditions, _)| conditions.as_deref()) {
                parts = parts.iter().flat_map(|part| violating(part, conditions)).collect();
                if parts.len() > MAX_PARTS {
                    return Err(RuntimeError::TooLong);
                }
            }
            list.extend(parts);
        }
        Ok(list)
    }

    fn channel_of(
        &mut self,
        state: &Discrete,
        participants: &Participants,
    ) -> Result<Option<ChannelId>, RuntimeError> {
        let Some((process, edge)) = participants.first() else { return Ok(None) };
        match &self.network.processes[*process].edges[*edge].sync {
            Sync::Send(channel) | Sync::Receive(channel) | Sync::Join(channel) => {
                self.machine_at(state).channel(channel).map(Some)
            }
            Sync::Internal | Sync::Blocked => Ok(None),
        }
    }

    /// What must hold of the clocks so that the move is possible; `None` if it never is. A move that fails is possible where its
    /// guard holds.
    fn conditions(&mut self, state: &Discrete, step: &Move) -> Result<Option<Vec<Difference>>, RuntimeError> {
        let mut conditions = step.guard.clone();
        let arrival = self.fire(state, &step.participants);
        let arrival = arrival.and_then(|(target, effects)| Ok((self.invariant(&target)?, effects)));
        match arrival {
            Ok((Some(invariant), effects)) => {
                conditions.extend(invariant.into_iter().map(|one| one.before(&effects)));
            }
            Ok((None, _)) => return Ok(None),
            Err(error @ RuntimeError::Unknown(_)) => return Err(error),
            Err(_) => {}
        }
        let is_known = |one: &Difference| one.left.is_none() && one.right.is_none();
        if conditions.iter().any(|one| is_known(one) && !one.holds(&[], 1)) {
            return Ok(None);
        }
        conditions.retain(|one| !is_known(one));
        Ok(Some(conditions))
    }
}

/// `step` where one of `conditions` is false, in all ways that its guard leaves possible.
fn violating(step: &Move, conditions: &[Difference]) -> Vec<Move> {
    let violations: Vec<Difference> = conditions.iter().map(|condition| condition.negated()).collect();
    let is_certain = |violation: &Difference| step.guard.iter().any(|known| implies(*known, *violation));
    if violations.iter().any(is_certain) {
        return vec![step.clone()];
    }
    let is_possible = |violation: &&Difference| {
        !is_below_zero(**violation) && !step.guard.iter().any(|known| excludes(*known, **violation))
    };
    let part = |violation: &Difference| {
        let mut part = step.clone();
        part.guard.push(*violation);
        part
    };
    violations.iter().filter(is_possible).map(part).collect()
}

/// Whether all values within `one` are within `other`, both being bounds of the same difference.
fn implies(one: Difference, other: Difference) -> bool {
    let is_tighter =
        one.limit < other.limit || (one.limit == other.limit && (one.is_strict || !other.is_strict));
    one.left == other.left && one.right == other.right && is_tighter
}

/// Whether no value is within both, being bounds of opposite differences.
fn excludes(one: Difference, other: Difference) -> bool {
    let sum = i64::from(one.limit) + i64::from(other.limit);
    let is_empty = sum < 0 || (sum == 0 && (one.is_strict || other.is_strict));
    one.left == other.right && one.right == other.left && is_empty
}

/// Whether a clock would have to be negative.
fn is_below_zero(one: Difference) -> bool {
    one.right.is_none() && (one.limit < 0 || (one.limit == 0 && one.is_strict))
}
