//! `thetis check --tests`: tests that reach every branch and every failing check of a program, as far as there is time.
//!
//! All goals are searched at once: any run to one of them is a test, and reaches others on its way. When there are no
//! more runs, the remaining goals are unreachable. If the engine gives up before that, each goal is searched
//! separately.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use thetis_base::{Run, Share, counted, printable};
use thetis_checker::{Certified, certify};
use thetis_engine::Engine;
use thetis_model::{Evidence, Task, Verdict};
use thetis_portfolio::Cooperation;

use crate::args::TestsFormat;
use crate::commands::check::Checking;
use crate::failure::Failure;
use crate::input::language::{TestSubject, Tests};
use crate::input::{Input, shown};
use crate::loaded::Supported;
use crate::{outputs, terminal};

/// The share of the remaining time for finding tests; the rest is for writing them.
const SEARCH_SHARE: u32 = 85;

/// Finds tests in the remaining time and writes them.
pub(crate) fn write<M: Supported>(
    folder: &Path,
    format: TestsFormat,
    input: &Input<M>,
    checking: &Checking<'_>,
) -> Result<(), Failure> {
    let Some(tests) = input.language.tests() else { return Ok(()) };
    let goals = tests.goals(&input.sources);
    let run = checking.parts().1.run.slice(Share::percent(SEARCH_SHARE));
    let mut finder = Finder { tests, checking, run, left: (0..goals.len()).collect(), found: Vec::new() };
    let num_unreachable = finder.find()?;
    let (num_unknown, num_tests) = (finder.left.len(), finder.found.len());
    let writer = Writer { folder, format, input, tests, goals: &goals };
    if let Err(error) = writer.write(&finder.found) {
        outputs::warn(folder, &error);
        return Ok(());
    }
    let num_reached = goals.len() - num_unreachable - num_unknown;
    let others = [(num_unreachable, "cannot be reached"), (num_unknown, "without an answer")];
    let others = others.iter().filter(|(number, _)| *number > 0);
    let others: String = others.map(|(number, words)| format!(", {number} {words}")).collect();
    terminal::show(&format!(
        "{} in {} for {num_reached} of {}{others}\n",
        counted(num_tests, "test"),
        shown(folder),
        counted(goals.len(), "goal")
    ));
    Ok(())
}

/// A run with the goals that it was the first to reach.
struct Found<T> {
    trace: T,
    goals: BTreeSet<usize>,
}

struct Finder<'a, M: Supported> {
    tests: &'a dyn Tests<M>,
    checking: &'a Checking<'a>,
    /// The whole search.
    run: Run,
    /// The goals that are neither reached nor known to be unreachable.
    left: BTreeSet<usize>,
    found: Vec<Found<M::Trace>>,
}

/// The outcome of a search.
enum Searched {
    Reached,
    Unreachable,
    Unknown,
}

impl<M: Supported> Finder<'_, M> {
    /// Searches for tests until no goal is left or no further test is found. Returns the number of unreachable goals.
    fn find(&mut self) -> Result<usize, Failure> {
        loop {
            if self.left.is_empty() {
                return Ok(0);
            }
            match self.search(&self.left.clone(), &self.run.slice(Share::percent(50)))? {
                Searched::Reached => {}
                Searched::Unreachable => return Ok(std::mem::take(&mut self.left).len()),
                Searched::Unknown => break,
            }
        }
        let mut num_unreachable = 0;
        for goal in self.left.clone() {
            if self.left.contains(&goal) {
                let share = Share::percent(100 / u32::try_from(self.left.len().min(100)).unwrap_or(100));
                if let Searched::Unreachable = self.search(&[goal].into(), &self.run.slice(share))? {
                    self.left.remove(&goal);
                    num_unreachable += 1;
                }
            }
        }
        Ok(num_unreachable)
    }

    /// Searches for a run to one of some goals.
    fn search(&mut self, goals: &BTreeSet<usize>, run: &Run) -> Result<Searched, Failure> {
        let verdict = self.answer(&self.tests.search(goals), run)?;
        let trace = match verdict {
            Verdict::Unsafe(Evidence::Given(trace)) => trace,
            Verdict::Safe(_) => return Ok(Searched::Unreachable),
            Verdict::Unsafe(Evidence::Missing(_)) | Verdict::Unknown(_) => return Ok(Searched::Unknown),
        };
        let (trace, reached) = self.tests.found(goals, trace);
        let new: BTreeSet<usize> = self.left.intersection(&reached).copied().collect();
        if new.is_empty() {
            return Ok(Searched::Unknown);
        }
        self.left.retain(|goal| !new.contains(goal));
        self.found.push(Found { trace, goals: new });
        Ok(Searched::Reached)
    }

    /// The verdict on a task, after its evidence was checked.
    fn answer(&self, task: &Task<M>, run: &Run) -> Result<Verdict<M>, Failure> {
        let (_, session) = self.checking.parts();
        let parts = session.parts(Cooperation::default());
        let mut engine =
            thetis_portfolio::engine(self.checking.config(), &parts, None).map_err(Failure::usage)?;
        let verdict = run
            .enclose(|| engine.check(task, run))
            .flatten()
            .or_else(|stop| session.give_up(stop).map(Verdict::Unknown))?;
        let check = || certify(task, verdict, &*session.judges, &self.run);
        let certified = self
            .run
            .enclose(check)
            .flatten()
            .or_else(|stop| session.give_up(stop).map(Certified::unknown))?;
        Ok(certified.verdict)
    }
}

/// Writes tests.
struct Writer<'a, M: Supported> {
    folder: &'a Path,
    format: TestsFormat,
    input: &'a Input<M>,
    tests: &'a dyn Tests<M>,
    goals: &'a [String],
}

impl<M: Supported> Writer<'_, M> {
    fn write(&self, found: &[Found<M::Trace>]) -> std::io::Result<()> {
        std::fs::create_dir_all(self.folder)?;
        let mut list = String::new();
        for (number, Found { trace, goals }) in found.iter().enumerate() {
            let name = self.name(number + 1);
            for goal in goals {
                list.push_str(&format!("{name}: {}\n", printable(&self.goals[*goal])));
            }
            let text = match self.format {
                TestsFormat::C => {
                    let goal = goals.first().map_or("", |goal| self.goals[*goal].as_str());
                    self.tests.driver(trace, goal, &self.input.sources)
                }
                TestsFormat::Testcomp => test_case(&self.tests.inputs(trace, &self.input.sources)),
            };
            outputs::try_write(&self.path(&name), &text)?;
        }
        if self.format == TestsFormat::Testcomp {
            outputs::try_write(&self.path("metadata.xml"), metadata(&self.tests.subject()))?;
        }
        outputs::try_write(&self.path("tests.txt"), &list)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn name(&self, number: usize) -> String {
        match self.format {
            TestsFormat::C => format!("test-{number:03}.c"),
            TestsFormat::Testcomp => format!("testcase-{number}.xml"),
        }
    }
}

const XML: &str = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n";

/// A document of the exchange format.
fn document(kind: &str, elements: &str) -> String {
    let (public, system) = ("+//IDN sosy-lab.org//DTD test-format", "https://sosy-lab.org/test-format");
    format!(
        "{XML}<!DOCTYPE {kind} PUBLIC \"{public} {kind} 1.1//EN\" \"{system}/{kind}-1.1.dtd\">\n<{kind}>\n{elements}</{kind}>\n"
    )
}

fn test_case(inputs: &[String]) -> String {
    let inputs: String =
        inputs.iter().map(|input| format!("  <input>{}</input>\n", escaped(input))).collect();
    document("testcase", &inputs)
}

fn metadata(subject: &TestSubject) -> String {
    let version = env!("CARGO_PKG_VERSION");
    let elements = [
        ("sourcecodelang", "C".to_owned()),
        ("producer", format!("Thetis {version}")),
        ("specification", subject.specification.clone()),
        ("programfile", subject.program.clone()),
        ("programhash", subject.sha256.clone()),
        ("entryfunction", "main".to_owned()),
        ("architecture", format!("{}bit", subject.bits)),
        ("creationtime", thetis_bench::Header::now()),
    ];
    let elements: String =
        elements.iter().map(|(name, text)| format!("  <{name}>{}</{name}>\n", escaped(text))).collect();
    document("test-metadata", &elements)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
