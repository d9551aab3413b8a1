//! Priorities of channels and processes.

use thetis_base::Reported;
use thetis_model::xta::Priorities;

use super::Compiler;
use crate::ast::{Expr, PriorityLevels};
use crate::code;
use crate::types::Operand;

impl Compiler<'_> {
    /// `chan priority`: the channels must be declared before.
    pub(super) fn priorities(&mut self, levels: &PriorityLevels) -> Result<(), Reported> {
        let Some(first) = levels.iter().flatten().flatten().next() else { return Ok(()) };
        if self.network.priorities.is_some() || !self.prefix.is_empty() {
            let message = "a model has one declaration of priorities, outside of templates";
            return Err(self.error(first.span, code::DECLARATION, message));
        }
        let Some(internal) = levels.iter().position(|level| level.iter().any(Option::is_none)) else {
            return self.unsupported(first.span, "priorities without `default` are not supported");
        };
        let (internal, processes) = (internal as u32, Vec::new());
        let channels = vec![internal; self.network.channels.len()];
        self.network.priorities = Some(Priorities { channels, internal, processes });
        for (level, elements) in levels.iter().enumerate() {
            elements.iter().flatten().try_for_each(|channel| self.prioritize(channel, level as u32))?;
        }
        Ok(())
    }

    /// Gives a channel, or all of an array of channels, a priority.
    fn prioritize(&mut self, channel: &Expr, level: u32) -> Result<(), Reported> {
        let Operand::Channel(found, ty) = self.operand(channel)? else {
            return self.mismatch(channel.span, "a channel must stand here");
        };
        let Some(first) = found.cell() else {
            return self.mismatch(channel.span, "the index must be known and inside of the array");
        };
        let last = first + ty.cells() as usize;
        let priorities = self.network.priorities.get_or_insert_with(Priorities::default);
        priorities.channels[first..last].fill(level);
        Ok(())
    }

    /// Channels without a priority have that of internal edges.
    pub(super) fn finish_priorities(&mut self) {
        let levels = std::mem::take(&mut self.levels);
        if self.network.priorities.is_none() && levels.iter().all(|level| *level == 0) {
            return;
        }
        let num_channels = self.network.channels.len();
        let priorities = self.network.priorities.get_or_insert_with(Priorities::default);
        priorities.channels.resize(num_channels, priorities.internal);
        priorities.processes = levels;
    }
}
