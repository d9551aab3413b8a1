//! Which tasks of a list are run.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::BenchTask;

/// Filters and a sample. Each filter passes a task if it is empty or one of its words fits.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Selection {
    /// Families, exactly.
    pub families: Vec<String>,
    /// Sets, exactly, or a whole family of sets by its first part: `svcomp15` passes `svcomp15/loops`.
    pub sets: Vec<String>,
    /// Stated verdicts: `safe`, `unsafe`, `states:N`, `accepted`, `rejected`, `unknown`; `states` passes every `states:N`.
    pub verdicts: Vec<String>,
    /// Parts of the model's path or of the question.
    pub names: Vec<String>,
    /// The first task of each set that passes, and every N-th after it, in the order of the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub every: Option<NonZeroUsize>,
    /// This many of the remaining tasks, the same ones every time.
    pub sample: Option<usize>,
    /// One of several parts of the remaining tasks, for campaigns on several machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part: Option<Share>,
}

/// One of several parts of a list: every `count`-th task, beginning with the one of this number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Share {
    /// The number of the part, from 1.
    pub number: NonZeroUsize,
    /// How many parts there are.
    pub count: NonZeroUsize,
}

impl FromStr for Share {
    type Err = String;

    /// `3/8`: the third of eight.
    fn from_str(text: &str) -> Result<Share, String> {
        let parts = text.split_once('/').and_then(|(number, count)| {
            Some(Share { number: number.parse().ok()?, count: count.parse().ok()? })
        });
        parts
            .filter(|share| share.number <= share.count)
            .ok_or_else(|| "expected a part such as 3/8, the third of eight".to_owned())
    }
}

impl Selection {
    /// The tasks that are selected, in the order of the list.
    pub fn apply(&self, tasks: Vec<BenchTask>) -> Vec<BenchTask> {
        let mut passed: Vec<BenchTask> = tasks.into_iter().filter(|task| self.passes(task)).collect();
        if let Some(step) = self.every {
            stride(&mut passed, step);
        }
        if let Some(size) = self.sample {
            thin(&mut passed, size);
        }
        if let Some(Share { number, count }) = self.part {
            let tasks = passed.into_iter().enumerate();
            passed = tasks.filter(|(at, _)| *at % count == number.get() - 1).map(|(_, task)| task).collect();
        }
        passed
    }

    fn passes(&self, task: &BenchTask) -> bool {
        let any = |words: &[String], fits: &dyn Fn(&str) -> bool| {
            words.is_empty() || words.iter().any(|word| fits(word))
        };
        let expected = task.expected.to_string();
        any(&self.families, &|word| task.family == word)
            && any(&self.sets, &|word| starts_with_part(&task.set, word, '/'))
            && any(&self.verdicts, &|word| starts_with_part(&expected, word, ':'))
            && any(&self.names, &|word| task.name.contains(word) || task.question.words.contains(word))
    }
}

fn starts_with_part(text: &str, part: &str, separator: char) -> bool {
    text.strip_prefix(part).is_some_and(|rest| rest.is_empty() || rest.starts_with(separator))
}

/// Keeps of each set the tasks number 1, 1 + `step`, 1 + 2 `step` and so on.
fn stride(tasks: &mut Vec<BenchTask>, step: NonZeroUsize) {
    let mut seen: HashMap<(String, String), usize> = HashMap::new();
    tasks.retain(|task| {
        let number = seen.entry((task.family.clone(), task.set.clone())).or_default();
        *number += 1;
        (*number - 1).is_multiple_of(step.get())
    });
}

/// Keeps the `size` tasks whose names have the least hashes. A task stays in the sample when others are added to the list,
/// unless one of them takes its place; the order of the list has no influence.
fn thin(tasks: &mut Vec<BenchTask>, size: usize) {
    let mut hashes: Vec<[u8; 32]> = tasks.iter().map(hash).collect();
    let Some(greatest) = size.checked_sub(1) else {
        tasks.clear();
        return;
    };
    if greatest >= hashes.len() {
        return;
    }
    let (_, limit, _) = hashes.select_nth_unstable(greatest);
    let limit = *limit;
    tasks.retain(|task| hash(task) <= limit);
}

fn hash(task: &BenchTask) -> [u8; 32] {
    Sha256::new()
        .chain_update(&task.name)
        .chain_update("\n")
        .chain_update(&task.question.words)
        .finalize()
        .into()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::{Expected, Question};

    fn task(number: usize) -> BenchTask {
        let (set, expected) = if number.is_multiple_of(2) {
            ("svcomp15/loops", Expected::Safe)
        } else {
            ("theta", Expected::States(4))
        };
        BenchTask {
            name: format!("a/{number}.c"),
            file: PathBuf::new(),
            further: Vec::new(),
            family: "c".to_owned(),
            set: set.to_owned(),
            question: Question::from_words("unreach-call ILP32", "c"),
            expected,
        }
    }

    fn select(selection: &Selection) -> Vec<String> {
        selection.apply((0..20).map(task).collect()).into_iter().map(|task| task.name).collect()
    }

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn filters_narrow() {
        let all = Selection::default();
        assert_eq!(select(&all).len(), 20);
        assert_eq!(select(&Selection { sets: words(&["svcomp15"]), ..all.clone() }).len(), 10);
        assert_eq!(select(&Selection { sets: words(&["svcomp"]), ..all.clone() }).len(), 0);
        assert_eq!(select(&Selection { verdicts: words(&["states", "unsafe"]), ..all.clone() }).len(), 10);
        assert_eq!(select(&Selection { families: words(&["cfa"]), ..all.clone() }).len(), 0);
        let both = Selection { names: words(&["a/1"]), sets: words(&["theta"]), ..all };
        assert_eq!(select(&both), ["a/1.c", "a/11.c", "a/13.c", "a/15.c", "a/17.c", "a/19.c"]);
    }

    #[test]
    fn a_stride_takes_from_every_set() {
        let every = |step| select(&Selection { every: NonZeroUsize::new(step), ..Selection::default() });
        assert_eq!(every(1).len(), 20);
        assert_eq!(every(4), ["a/0.c", "a/1.c", "a/8.c", "a/9.c", "a/16.c", "a/17.c"]);
        assert_eq!(every(100), ["a/0.c", "a/1.c"]);
        let both = Selection { every: NonZeroUsize::new(4), sample: Some(2), ..Selection::default() };
        assert_eq!(select(&both).len(), 2);
    }

    #[test]
    fn samples_are_repeatable_and_keep_the_order() {
        let sample = |sample| select(&Selection { sample: Some(sample), ..Selection::default() });
        assert_eq!((sample(0).len(), sample(7).len(), sample(20).len(), sample(99).len()), (0, 7, 20, 20));
        assert_eq!(sample(7), sample(7));
        let all = sample(20);
        let order: Vec<_> = sample(7).iter().map(|name| all.iter().position(|other| other == name)).collect();
        assert!(order.is_sorted(), "{order:?}");
        assert!(sample(3).iter().all(|name| sample(7).contains(name)), "a smaller sample should be a part");
    }

    #[test]
    fn parts_are_all_tasks_once() {
        let tasks: Vec<BenchTask> = (0..11).map(task).collect();
        let mut names: Vec<String> = Vec::new();
        for part in ["1/3", "2/3", "3/3"] {
            let selection = Selection { part: Some(part.parse().unwrap()), ..Selection::default() };
            names.extend(selection.apply(tasks.clone()).into_iter().map(|task| task.name));
        }
        names.sort();
        let mut all: Vec<String> = tasks.into_iter().map(|task| task.name).collect();
        all.sort();
        assert_eq!(names, all);
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b"] {
            assert!(wrong.parse::<Share>().is_err(), "{wrong}");
        }
    }
}
