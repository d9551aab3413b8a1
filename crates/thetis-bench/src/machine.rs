//! A description of the machine, so that figures can be judged.

use serde::{Deserialize, Serialize};

/// The machine on which a campaign runs.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Machine {
    /// The model of the processor.
    pub processor: String,
    /// How many cores this process may use.
    pub num_cores: usize,
    /// The size of the memory.
    pub memory_bytes: u64,
    /// The operating system with its version and the kind of machine.
    pub system: String,
}

impl Machine {
    /// This machine.
    pub fn this() -> Machine {
        let uname = rustix::system::uname();
        let words = [uname.sysname(), uname.release(), uname.machine()];
        Machine {
            processor: field("/proc/cpuinfo", "model name").unwrap_or_else(|| "unknown".to_owned()),
            num_cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: memory_bytes().unwrap_or(0),
            system: words.map(|word| word.to_string_lossy().into_owned()).join(" "),
        }
    }

    /// One line for people.
    pub fn describe(&self) -> String {
        let gib = self.memory_bytes as f64 / f64::from(1 << 30);
        format!("{}, {} cores, {gib:.0} GiB, {}", self.processor, self.num_cores, self.system)
    }
}

fn memory_bytes() -> Option<u64> {
    let total = field("/proc/meminfo", "MemTotal")?;
    let kibibytes: u64 = total.strip_suffix(" kB")?.parse().ok()?;
    Some(kibibytes * 1024)
}

/// The first value of `name` in a file of lines `name : value`.
fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_described() {
        let machine = Machine::this();
        assert!(machine.num_cores >= 1 && machine.memory_bytes > 1 << 20, "{machine:?}");
        assert!(machine.describe().contains("Linux"), "{}", machine.describe());
    }
}
