//! A process with its descendants, as `/proc` shows them.

use std::path::PathBuf;
use std::time::Duration;

use rustix::process::Pid;

/// What a process and its descendants use together.
#[derive(Default, Debug)]
pub struct ProcessTree {
    /// The processes, each after its parent.
    pub members: Vec<Pid>,
    /// Resident memory in bytes. Memory that several of them share counts once for each.
    pub memory: u64,
    /// CPU time, also of descendants that have ended and were waited for.
    pub cpu: Duration,
}

impl ProcessTree {
    /// The tree below `root`. A process that ends meanwhile is left out.
    pub fn of(root: Pid) -> ProcessTree {
        let mut tree = ProcessTree::default();
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

    /// This process with its descendants.
    pub fn of_this_process() -> ProcessTree {
        ProcessTree::of(rustix::process::getpid())
    }
}

/// Resident memory, and CPU time with that of children that were waited for.
fn usage(pid: Pid) -> Option<(u64, Duration)> {
    // tidy: allow(powers) the kernel reports what a process uses through this file only
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
    // tidy: allow(powers) the kernel reports the children of a process through these files only
    let Ok(threads) = std::fs::read_dir(folder(pid).join("task")) else { return Vec::new() };
    threads
        // tidy: allow(powers) as above
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok())
        .flat_map(|text| text.split_whitespace().filter_map(|word| word.parse().ok()).collect::<Vec<i32>>())
        .filter_map(Pid::from_raw)
        .collect()
}

fn folder(pid: Pid) -> PathBuf {
    PathBuf::from(format!("/proc/{}", pid.as_raw_pid()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn children_belong_to_the_tree() {
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let tree = ProcessTree::of_this_process();
        let pid = Pid::from_child(&child);
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(tree.members.contains(&pid) && tree.members[0] == rustix::process::getpid());
        assert!(tree.memory > 1 << 20);
    }
}
