//! The engine around the search.

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_model::sts::{Sts, StsProof, StsTrace};
use thetis_model::{Evidence, Reason, Task, Verdict};

use crate::config::Ic3Config;
use crate::lower::{Lowered, NotBits, ValueKinds};
use crate::search::{Found, FrameSearch};
use crate::sweep::Swept;

/// IC3 for transition systems over Booleans and integers that the constraint keeps in ranges.
pub struct Ic3 {
    config: Ic3Config,
    kinds: ValueKinds,
    stats: Ic3Stats,
}

#[derive(Default)]
pub(crate) struct Ic3Stats {
    pub(crate) gates: u64,
    pub(crate) copies: u64,
    pub(crate) frames: u64,
    pub(crate) obligations: u64,
    pub(crate) clauses: u64,
    pub(crate) ctgs: u64,
    pub(crate) queries: u64,
}

impl Ic3 {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "ic3",
        summary: "learns clauses that exclude the states that lead to an error",
        answers: "safe and unsafe",
    };

    /// An engine for Booleans and integers in small ranges.
    pub fn new(config: Ic3Config) -> Ic3 {
        Ic3 { config, kinds: ValueKinds::Small, stats: Ic3Stats::default() }
    }

    /// An engine for values of machines too: integers in ranges, bit-vectors, and inputs of these sorts.
    pub fn for_machines(config: Ic3Config) -> Ic3 {
        Ic3 { kinds: ValueKinds::Machine, ..Ic3::new(config) }
    }

    /// Whether the variables of `task` are bits, or integers in small ranges. For others the engine gives up.
    pub fn suits(task: &Task<Sts>) -> bool {
        Lowered::new(task, ValueKinds::Small).is_ok()
    }
}

impl Engine<Sts> for Ic3 {
    fn check(&mut self, task: &Task<Sts>, run: &Run) -> Result<Verdict<Sts>, Stop> {
        self.stats = Ic3Stats::default();
        let lowered = match Lowered::new(task, self.kinds) {
            Ok(lowered) => lowered,
            Err(NotBits(term)) => {
                let term = thetis_expr::infix::print_limited(&task.store, term, 10);
                let words = format!("`{term}` is not calculated with bits");
                return Ok(Verdict::Unknown(Reason::Incomplete(words)));
            }
        };
        self.stats.gates = lowered.netlist.graph.nodes().len() as u64;
        let swept = Swept::new(&lowered.netlist, run)?;
        self.stats.copies = swept.num_copies() as u64;
        let search = FrameSearch::new(&swept.netlist, &self.config, &mut self.stats, run);
        Ok(match search.find()? {
            Found::Invariant(cubes) => {
                let cubes = [swept.cubes(), cubes].concat();
                let clauses = cubes.iter().map(|cube| lowered.clause(cube));
                Verdict::Safe(Evidence::Given(StsProof::Invariant(task.store.and_all(clauses))))
            }
            Found::Run(steps) => {
                let steps = steps.iter().map(|(latches, inputs)| lowered.step(latches, inputs)).collect();
                Verdict::Unsafe(Evidence::Given(StsTrace { steps }))
            }
        })
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("ic3")
            .count("gates", self.stats.gates)
            .count("merged-latches", self.stats.copies)
            .count("frames", self.stats.frames)
            .count("obligations", self.stats.obligations)
            .count("clauses", self.stats.clauses)
            .count("counterexamples-to-generalisation", self.stats.ctgs)
            .count("queries", self.stats.queries)
    }
}
