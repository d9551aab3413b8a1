//! The thread that ends a command that does not end by itself.
//!
//! Computations check the limits of their run and stop; that is the soft end, with a full report. But a multiplication
//! of large numbers or a phase of a parser does not check limits. So this thread watches every command, from before the
//! first byte is read, and adds up the resources of all its processes. It ends a command in two ways. If only all
//! processes together exceed a limit, it stops the run. If the run has still not ended some time after a limit or a
//! signal, the thread itself reports `unknown`, kills all processes that the command has started, and ends the program.

use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process, kill_process_group};
use thetis_base::{ProcessTree, Resource, Run, Stop};

use crate::{ending, input, outputs};

/// How often limits are checked. Memory can grow by some hundred megabytes in that time.
const PERIOD: Duration = Duration::from_millis(20);

/// How long a computation may take to notice a limit.
const AFTER_LIMIT: Duration = Duration::from_secs(1);

/// How long it may take to notice a signal.
const AFTER_SIGNAL: Duration = Duration::from_millis(500);

/// How long the answer may take to be written once it is begun.
const PATIENCE: Duration = Duration::from_millis(500);

/// Starts to watch `run` until the program ends.
pub(crate) fn watch(run: Run) {
    std::thread::spawn(move || {
        let mut exceeded_at = None;
        loop {
            std::thread::sleep(PERIOD);
            let excess = look(&run);
            if excess.is_far {
                end(Stop::OutOfMemory);
            }
            let Err(stop) = run.checkpoint() else {
                exceeded_at = None;
                continue;
            };
            let since = *exceeded_at.get_or_insert_with(|| run.elapsed());
            let grace = if matches!(stop, Stop::Cancelled) { AFTER_SIGNAL } else { AFTER_LIMIT };
            if run.elapsed() >= since + grace {
                end(stop);
            }
        }
    });
}

/// What all processes use beyond the limits.
struct Excess {
    /// Memory usage at which waiting is dangerous.
    is_far: bool,
}

/// Checks all processes and stops the run if they exceed a limit.
fn look(run: &Run) -> Excess {
    if run.memory_limit().is_none() && run.cpu_left().is_none() {
        return Excess { is_far: false };
    }
    let tree = ProcessTree::of_this_process();
    if let Some(resource) = run.exhausted_by(&tree)
        && !(resource == Resource::Memory && tree.members.len() == 1)
    {
        run.exhaust(resource);
    }
    Excess { is_far: run.memory_limit().is_some_and(|limit| is_far_beyond(tree.memory, limit)) }
}

/// Whether memory is a quarter above the limit; small limits have room for what a program needs to end.
fn is_far_beyond(memory: u64, limit: u64) -> bool {
    const ROOM: u64 = 64 << 20;
    memory > limit.saturating_add((limit / 4).max(ROOM))
}

/// The hard end.
fn end(stop: Stop) -> ! {
    kill_descendants();
    let exit = ending::without_answer_for_good(&stop.into(), PATIENCE);
    outputs::remove_unfinished();
    input::standard::remove();
    input::prepared::remove();
    // Destructors of libraries must not run while other threads are inside them.
    signal_hook::low_level::exit(exit as i32)
}

/// Kills what this process has started. Each process is in a group together with what it has started itself.
fn kill_descendants() {
    for member in ProcessTree::of_this_process().members {
        if member != getpid() {
            // A process that has ended needs no signal.
            let _ = kill_process(member, Signal::KILL);
            let _ = kill_process_group(member, Signal::KILL);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_limits_have_room_to_end() {
        assert!(!is_far_beyond(50 << 20, 1 << 20));
        assert!(is_far_beyond(70 << 20, 1 << 20));
        assert!(!is_far_beyond(5 << 30, 4 << 30));
        assert!(is_far_beyond((5 << 30) + 1, 4 << 30));
        assert!(!is_far_beyond(u64::MAX, u64::MAX));
    }
}
