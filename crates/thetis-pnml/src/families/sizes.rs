//! The families by name, as the command line knows them.

use thetis_model::Task;
use thetis_model::petri::Net;

use super::{ChainOrder, chain, counter, distant, dphil, fms, kanban, slotted_ring};

/// A family of nets with a question about each.
#[derive(Clone, Copy, Debug)]
pub struct NetFamily {
    /// The name on the command line.
    pub name: &'static str,
    /// What is asked.
    pub question: &'static str,
    /// What a size of this family looks like.
    pub sizes: &'static str,
    build: fn(&str) -> Option<Task<Net>>,
}

/// The greatest parameter: larger nets are of no use.
const MAX_PARAMETER: u64 = 100_000;
/// The greatest parameter of families with a transition for each pair of parts.
const MAX_QUADRATIC: u64 = 1_000;

impl NetFamily {
    /// All families.
    pub const ALL: [NetFamily; 7] = [
        NetFamily {
            name: "fms",
            question: "can all parts be done at once?",
            sizes: "the number of parts of each kind",
            build: |size| number(size, MAX_PARAMETER).map(fms),
        },
        NetFamily {
            name: "kanban",
            question: "can all cells be full of finished parts?",
            sizes: "the number of cards in each cell",
            build: |size| number(size, MAX_PARAMETER).map(kanban),
        },
        NetFamily {
            name: "dphil",
            question: "can every second philosopher eat?",
            sizes: "the number of philosophers, at least 2",
            build: |size| number(size, MAX_PARAMETER).filter(|n| *n >= 2).map(dphil),
        },
        NetFamily {
            name: "slotted-ring",
            question: "can all nodes have sent at once?",
            sizes: "the number of nodes",
            build: |size| number(size, MAX_PARAMETER).map(slotted_ring),
        },
        NetFamily {
            name: "counter",
            question: "can it count from zero to all ones?",
            sizes: "the number of bits",
            build: |size| number(size, MAX_QUADRATIC).map(counter),
        },
        NetFamily {
            name: "distant",
            question: "can a token be lent by an invariant that is not next to the place that lacks it?",
            sizes: "a number from 1 to 7",
            build: |size| number(size, 7).map(|n| distant(n as u32)),
        },
        NetFamily {
            name: "chain",
            question: "can all tokens be moved to the first place?",
            sizes: "`N+K`: N empty places and K tokens; `N+K*`: in the other order",
            build: |size| {
                let (size, order) = match size.strip_suffix('*') {
                    Some(size) => (size, ChainOrder::Backward),
                    None => (size, ChainOrder::Forward),
                };
                let (n, k) = size.split_once('+')?;
                let (n, k) = (number(n, MAX_QUADRATIC)?, number(k, MAX_QUADRATIC)?);
                Some(chain(n as usize, k as usize, order))
            },
        },
    ];

    /// The net of this size with its question, if there is one.
    pub fn task(&self, size: &str) -> Option<Task<Net>> {
        (self.build)(size)
    }

    /// The same in the `.net` language.
    pub fn model(&self, size: &str) -> Option<String> {
        let task = self.task(size)?;
        let text = crate::net::print(&task.model, &[task.property]);
        Some(format!("# {} {size}: {}\n{text}", self.name, self.question))
    }
}

/// A number from 1 to `most`.
fn number(text: &str, most: u64) -> Option<u64> {
    text.parse().ok().filter(|number| (1..=most).contains(number))
}

#[cfg(test)]
mod tests {
    use thetis_base::{Diagnostics, SourceMap};

    use super::NetFamily;

    #[test]
    fn models_are_read_back_as_they_were_written() {
        for (family, size) in NetFamily::ALL.iter().zip(["3", "3", "4", "3", "3", "7", "1+4*"]) {
            let text = family.model(size).expect("there should be such a net");
            let mut sources = SourceMap::new();
            let file = sources.add("model.net", text.clone());
            let read = crate::net::parse(&sources, file, &mut Diagnostics::new()).expect("it should be read");
            let task = family.task(size).expect("there should be such a net");
            assert_eq!(read.targets.len(), 1, "{text}");
            assert!(text.ends_with(&crate::net::print(&read.net, &read.targets)), "{text}");
            assert_eq!(read.net.num_arcs(), task.model.num_arcs(), "{text}");
        }
    }

    #[test]
    fn sizes_that_make_no_net() {
        for (name, size) in [
            ("fms", "0"),
            ("fms", "100001"),
            ("dphil", "1"),
            ("distant", "8"),
            ("chain", "5"),
            ("chain", "1+"),
            ("chain", "0+2"),
            ("counter", "ten"),
        ] {
            let family = NetFamily::ALL.iter().find(|family| family.name == name).unwrap();
            assert!(family.task(size).is_none(), "{name} {size}");
        }
    }
}
