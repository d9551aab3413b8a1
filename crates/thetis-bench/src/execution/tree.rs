//! A process with its descendants, as `/proc` shows them.

use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

/// What a process and its descendants use together.
#[derive(Default, Debug)]
pub(super) struct Tree {
    members: Vec<Pid>,
    /// Resident memory in bytes. Memory that several of them share counts once for each.
    pub(super) memory: u64,
    /// CPU time, also of descendants that have ended.
    pub(super) cpu: Duration,
}

impl Tree {
    /// The tree below `root`. A process that ends meanwhile is left out.
    pub(super) fn of(root: Pid) -> Tree {
        let mut tree = Tree::default();
        let mut pending = vec![root];
        while let Some(pid) = pending.pop() {
            if let Some((memory, cpu)) = usage(pid) {
                tree.memory += memory;
                tree.cpu += cpu;
                tree.members.push(pid);
                pending.extend(children(pid));
            }
        }
        tree
    }
}

/// Kills the process `root`, which must not have been waited for, with its group and all descendants. A descendant whose
/// parent has ended is found only if it stayed in the group.
pub(super) fn kill(root: Pid) {
    // Who has ended already needs no signal; that is the only way in which these calls fail.
    let _ = kill_process(root, Signal::STOP);
    for member in Tree::of(root).members {
        let _ = kill_process(member, Signal::KILL);
    }
    let _ = kill_process_group(root, Signal::KILL);
}

/// Resident memory, and CPU time with that of children that were waited for.
fn usage(pid: Pid) -> Option<(u64, Duration)> {
    let stat = std::fs::read_to_string(folder(pid).join("stat")).ok()?;
    // The second field is the name in parentheses, which may contain anything; the third follows the last parenthesis.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    let ticks = number(14)? + number(15)? + number(16)? + number(17)?;
    let cpu = Duration::from_secs_f64(ticks as f64 / rustix::param::clock_ticks_per_second() as f64);
    Some((number(24)? * rustix::param::page_size() as u64, cpu))
}

/// The children of all threads of a process.
fn children(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir(folder(pid).join("task")) else { return Vec::new() };
    threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok())
        .flat_map(|text| text.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<i32>>())
        .filter_map(Pid::from_raw)
        .collect()
}

fn folder(pid: Pid) -> PathBuf {
    PathBuf::from(format!("/proc/{}", pid.as_raw_pid()))
}
