//! How a process is killed with its descendants.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use thetis_base::ProcessTree;

/// Kills the process `root`, which must not have been waited for, with its group and all descendants. A descendant whose
/// parent has ended is found only if it stayed in the group.
pub(super) fn kill(root: Pid) {
    // A process that has ended already needs no signal; these calls fail for no other reason.
    let _ = kill_process(root, Signal::STOP);
    for member in ProcessTree::of(root).members {
        let _ = kill_process(member, Signal::KILL);
    }
    let _ = kill_process_group(root, Signal::KILL);
}
