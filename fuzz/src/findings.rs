//! What is done with an input that fails: it is made small and kept.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use thetis_fuzz::targets::Target;

use crate::campaign::artifacts;

/// How long an input is made smaller.
const PATIENCE: Duration = Duration::from_secs(60);

/// An input that fails.
pub(crate) struct Finding {
    bytes: Vec<u8>,
}

impl Finding {
    /// The input that was tried when the process ended.
    pub(crate) fn read(current: &Path) -> Finding {
        let content = std::fs::read(current).unwrap_or_default();
        let (length, rest) = content.split_at(8.min(content.len()));
        let length = length.try_into().map_or(0, u64::from_le_bytes) as usize;
        Finding { bytes: rest[..length.min(rest.len())].to_vec() }
    }

    /// Whether the input still fails.
    fn fails(&self, target: &Target, path: &Path) -> bool {
        std::fs::write(path, &self.bytes).expect("a finding should be writable");
        let mut command = Command::new(std::env::current_exe().expect("this program should have a path"));
        command.args(["--once", target.name]).arg(path).stderr(Stdio::null());
        !command.status().expect("this program should start again").success()
    }

    /// Leaves out parts as long as the rest fails.
    fn shrink(&mut self, target: &Target, path: &Path) {
        let start = Instant::now();
        let mut size = self.bytes.len() / 2;
        while size > 0 && start.elapsed() < PATIENCE {
            let mut at = 0;
            while at < self.bytes.len() && start.elapsed() < PATIENCE {
                let mut smaller = self.bytes.clone();
                smaller.drain(at..(at + size).min(self.bytes.len()));
                let smaller = Finding { bytes: smaller };
                if smaller.fails(target, path) {
                    *self = smaller;
                } else {
                    at += size;
                }
            }
            size /= 2;
        }
    }
}

/// Makes a finding small and shows where it is.
pub(crate) fn keep(target: &Target, finding: &Finding) {
    let mut hasher = DefaultHasher::new();
    finding.bytes.hash(&mut hasher);
    let path = artifacts().join(format!("{}-{:016x}", target.name, hasher.finish()));
    let mut small = Finding { bytes: finding.bytes.clone() };
    if small.fails(target, &path) {
        small.shrink(target, &path);
    }
    std::fs::write(&path, &small.bytes).expect("a finding should be writable");
    println!("finding of {}: {}\n{}", target.name, path.display(), String::from_utf8_lossy(&small.bytes));
}
