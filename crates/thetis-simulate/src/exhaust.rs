//! The engine `exhaust`: follows all runs to their ends, if they are few.
//!
//! A program without inputs has one run. Nothing is known about initial values and inputs; a value computed from known values is known. Where
//! the known values do not decide a condition, the run is followed as if it held, and there is one more run to follow. If all of them end, that
//! is a proof, [`CfaProof::Exhaustion`]; the checker repeats it in its own way. Otherwise a run with zero for everything that is not known may
//! be a violation; if it is not, there is no answer. A run that returns to an earlier state loops forever and need not be followed; to detect
//! this, the state is remembered whenever the number of edges is a power of two. A long run is usually in a loop, whose rounds are taken at
//! once where they can be predicted ([`Leap`](thetis_model::cfa::Leap)).
//!
//! Inputs with few values can be tried value by value (`by-value`): where the statements of an edge limit an open number to a small range, there is one
//! run for each value in it. How many runs that will be shows early: a run that is over has done its part of the whole, one part in
//! 256 for a byte. If what is done so far took more than its part of the steps by far, the engine gives up (Knuth, 1975, estimates the size of search trees in the same way).
//!
//! The engine is for automata as front ends make them, because edges are counted.

use std::collections::BTreeSet;
use std::rc::Rc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;
use thetis_base::{Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_expr::{Op, SmallRange, Sort, VarId, default_value};
use thetis_model::cfa::{Cfa, CfaProof, LocId, StmtKind};
use thetis_model::{Evidence, Reason, Task, Verdict};

use crate::leaps::{Leaps, RoundInputs};
use crate::machine::{Learned, Operation, Program, Register, Word, compute, written};
use crate::path::Path;

/// The greatest number of waiting runs: with more of them, the engine gives up.
const MAX_PENDING: usize = 200;
/// The greatest number of edges once there is more than one run.
const MAX_STEPS_OF_MANY: u64 = 200_000;
/// After this many edges, the number of edges in all runs is predicted if values are tried.
const STEPS_BEFORE_PREDICTION: u64 = 2_000;
/// By how much a prediction may exceed the limit: the first runs may be longer than most.
const PREDICTION_SLACK: f64 = 4.0;
/// After this many edges, the run is examined for a loop whose rounds can be predicted.
const STEPS_BETWEEN_LEAPS: u64 = 4096;
/// How many edges are taken between two looks at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 1024;

/// Options of [`Exhaust`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct ExhaustConfig {
    /// The greatest number of edges in all runs together, which the checker takes again.
    pub max_steps: u64,
    /// The greatest number of runs.
    pub max_runs: u64,
    /// Whether to give up as soon as there are several runs.
    pub single_run: bool,
    /// Whether the values of inputs and remainders with small ranges are tried one by one. Then `max-steps` applies to several runs, too.
    pub by_value: bool,
}

impl Default for ExhaustConfig {
    fn default() -> ExhaustConfig {
        ExhaustConfig { max_steps: 5_000_000, max_runs: 1000, single_run: false, by_value: false }
    }
}

/// The engine. See the [module](self).
pub struct Exhaust {
    config: ExhaustConfig,
    num_steps: u64,
    num_runs: u64,
    num_leaps: u64,
}

impl Exhaust {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "exhaust",
        summary: "follows all runs to their ends if there are few, without a solver",
        answers: "safe and unsafe",
    };

    /// An engine with the given options.
    pub fn new(config: ExhaustConfig) -> Exhaust {
        Exhaust { config, num_steps: 0, num_runs: 0, num_leaps: 0 }
    }
}

impl Engine<Cfa> for Exhaust {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let by_value = if self.config.by_value { limited(task) } else { BTreeSet::new() };
        if self.config.by_value && by_value.is_empty() {
            return Ok(Verdict::Unknown(Reason::Incomplete("no number has few values".into())));
        }
        let program = Program::with_limits(task, &by_value);
        let mut walk = Walk::new(&program, self.config);
        let end = walk.follow(run);
        self.num_steps = walk.num_steps;
        self.num_runs = walk.num_runs;
        self.num_leaps = walk.num_leaps;
        let max_steps = match end? {
            End::All => {
                // The checker looks for rounds on its own, perhaps not at the same places.
                let slack = walk.num_leaps * 2 * STEPS_BETWEEN_LEAPS;
                let proof = CfaProof::Exhaustion { max_steps: self.num_steps + slack, by_value };
                return Ok(Verdict::Safe(Evidence::Given(proof)));
            }
            End::Error => self.num_steps.max(MAX_STEPS_OF_MANY),
            End::TooMany if self.config.by_value => STEPS_BEFORE_PREDICTION,
            End::TooMany => MAX_STEPS_OF_MANY,
        };
        // An open value decides; zero may do.
        let mut walk = Walk::with_zeros(&program, self.config, max_steps);
        let end = walk.follow_one(run)?;
        self.num_steps += walk.num_steps;
        self.num_leaps += walk.num_leaps;
        Ok(match end {
            Some(End::Error) => Verdict::Unsafe(Evidence::Given(walk.path.trace(task))),
            _ => Verdict::Unknown(Reason::Incomplete("the program has too many runs".into())),
        })
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("exhaust")
            .count("steps", self.num_steps)
            .count("runs", self.num_runs)
            .count("leaps", self.num_leaps)
    }
}

/// The variables with small ranges whose values are worth trying. What is at once stored in an array is mostly the initial value of a cell, which nothing depends
/// on; there are many of these.
fn limited(task: &Task<Cfa>) -> BTreeSet<VarId> {
    let store = &task.store;
    let mut limited = BTreeSet::new();
    for edge in &task.model.edges {
        let mut stored: BTreeSet<VarId> = BTreeSet::new();
        let mut ranges: Vec<VarId> = Vec::new();
        let mut pending = vec![&edge.stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(var, term) => {
                    ranges.extend(SmallRange::of_term(store, *term).map(|_| *var));
                    if store.op(*term) == Op::Store {
                        stored.extend(store.vars_of([store.args(*term)[2]]));
                    }
                }
                StmtKind::Havoc(var) => {
                    ranges.extend(SmallRange::of_sort(store.var_sort(*var)).map(|_| *var))
                }
                StmtKind::Assume(formula) => {
                    ranges.extend(SmallRange::implied(store, *formula).into_iter().map(|(var, _)| var));
                }
                StmtKind::Seq(stmts) | StmtKind::Choice(stmts) => pending.extend(stmts.iter().rev()),
            }
        }
        limited.extend(ranges.into_iter().filter(|var| !stored.contains(var)));
    }
    limited
}

/// What following all runs comes to.
enum End {
    /// All of them end.
    All,
    /// One may end at an error location.
    Error,
    /// There are too many, or they are too long.
    TooMany,
}

/// A run that waits to be followed.
struct Pending<'p> {
    location: LocId,
    values: Rc<[Word]>,
    rest: Vec<&'p [Operation]>,
    path: Path,
    past: Past,
    /// A variable that has one of these values before anything else is done.
    limit: Option<(Register, SmallRange)>,
    /// Which part of the whole this is.
    part: f64,
}

/// What a run remembers: how many edges it took, and a state that it had.
#[derive(Clone, Default)]
struct Past {
    num_steps: u64,
    state: Option<(LocId, Rc<[Word]>)>,
}

/// The run that is being followed, and those that wait.
struct Walk<'p> {
    program: &'p Program<'p>,
    registers: Vec<Word>,
    /// What each variable is at the start and as an input.
    unknown: Vec<Word>,
    /// Where the run is once `rest` is done.
    location: LocId,
    /// What is left to do; the last comes first.
    rest: Vec<&'p [Operation]>,
    /// How the run came there.
    path: Path,
    past: Past,
    leaps: Leaps<'p>,
    num_leaps: u64,
    pending: Vec<Pending<'p>>,
    /// Which part of the whole the run that is being followed is, and which part the runs that are over were.
    part: f64,
    done: f64,
    /// The sorts of the variables.
    sorts: Vec<Sort>,
    config: ExhaustConfig,
    num_steps: u64,
    num_runs: u64,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program<'p>, config: ExhaustConfig) -> Walk<'p> {
        Walk::from(program, vec![Word::OPEN; program.num_variables()], RoundInputs::Open, config)
    }

    /// All is known: what would be open is zero.
    fn with_zeros(program: &'p Program<'p>, config: ExhaustConfig, max_steps: u64) -> Walk<'p> {
        let zeros = program.sorts().map(|sort| Word::of(&default_value(program.store(), sort)));
        let config = ExhaustConfig { max_steps: config.max_steps.min(max_steps), ..config };
        Walk::from(program, zeros.collect(), RoundInputs::Zero, config)
    }

    fn from(
        program: &'p Program<'p>,
        unknown: Vec<Word>,
        inputs: RoundInputs,
        config: ExhaustConfig,
    ) -> Walk<'p> {
        let mut registers = program.registers();
        registers[..unknown.len()].clone_from_slice(&unknown);
        Walk {
            program,
            registers,
            unknown,
            location: program.initial(),
            rest: Vec::new(),
            path: Path::default(),
            past: Past::default(),
            leaps: Leaps::new(program, inputs),
            num_leaps: 0,
            pending: Vec::new(),
            part: 1.0,
            done: 0.0,
            sorts: program.sorts().collect(),
            config,
            num_steps: 0,
            num_runs: 1,
        }
    }

    fn follow(&mut self, run: &Run) -> Result<End, Stop> {
        loop {
            if let Some(end) = self.follow_one(run)? {
                return Ok(end);
            }
            self.done += self.part;
            let Some(pending) = self.pending.pop() else { return Ok(End::All) };
            self.resume(pending);
            self.num_runs += 1;
            if self.config.single_run || self.num_runs > self.config.max_runs {
                return Ok(End::TooMany);
            }
        }
    }

    fn resume(&mut self, pending: Pending<'p>) {
        self.registers[..pending.values.len()].clone_from_slice(&pending.values);
        self.location = pending.location;
        self.rest = pending.rest;
        self.path = pending.path;
        self.past = pending.past;
        self.part = pending.part;
        if let Some((variable, range)) = pending.limit {
            self.num_steps += 1;
            self.choose_first(variable, range);
        }
    }

    /// Follows the current run to its end; `None` if it ends without an error.
    fn follow_one(&mut self, run: &Run) -> Result<Option<End>, Stop> {
        let mut next_look = self.num_steps;
        loop {
            if self.num_steps >= next_look {
                run.checkpoint()?;
                next_look = self.num_steps + STEPS_BETWEEN_LOOKS;
            }
            if !self.execute() {
                return Ok(None);
            }
            if self.program.is_error(self.location) {
                return Ok(Some(End::Error));
            }
            if self.is_back() {
                return Ok(None);
            }
            if self.past.num_steps.is_multiple_of(STEPS_BETWEEN_LEAPS) {
                self.leap();
            }
            if !self.leave() {
                return Ok(None);
            }
            let is_alone = self.num_runs == 1 && self.pending.is_empty();
            if self.num_steps > self.max_steps(is_alone) || self.pending.len() > MAX_PENDING {
                return Ok(Some(End::TooMany));
            }
        }
    }

    /// How many edges may be taken in all.
    fn max_steps(&self, is_alone: bool) -> u64 {
        let max_steps = self.config.max_steps;
        if is_alone {
            max_steps
        } else if !self.config.by_value {
            max_steps.min(MAX_STEPS_OF_MANY)
        } else if self.num_steps < STEPS_BEFORE_PREDICTION {
            max_steps
        } else {
            max_steps.min((max_steps as f64 * self.done * PREDICTION_SLACK) as u64)
        }
    }

    /// Whether the run is where it was before.
    fn is_back(&mut self) -> bool {
        let values = &self.registers[..self.program.num_variables()];
        if let Some((location, before)) = &self.past.state
            && *location == self.location
            && are_same(before, values)
        {
            return true;
        }
        if self.past.num_steps.is_power_of_two() {
            self.past.state = Some((self.location, values.into()));
        }
        self.past.num_steps += 1;
        false
    }

    /// Takes many rounds at once if the run is in a loop.
    fn leap(&mut self) {
        let values = &self.registers[..self.program.num_variables()];
        let Some(taken) = self.leaps.after(self.path.edges(), values) else { return };
        self.path.repeat(&taken.round, taken.times);
        self.num_steps += taken.round.len() as u64;
        self.num_leaps += 1;
        for (variable, word) in taken.values {
            self.registers[variable] = word;
        }
    }

    /// Does what is left to do. Returns whether nothing was blocked.
    fn execute(&mut self) -> bool {
        while let Some(code) = self.rest.pop() {
            for (number, part) in code.iter().enumerate() {
                match part {
                    Operation::Compute(instruction) => {
                        self.registers[instruction.result as usize] =
                            compute(self.program.store(), instruction, &self.registers);
                    }
                    Operation::Assign(variable, from) => {
                        self.registers[*variable as usize] = self.registers[*from as usize].clone();
                    }
                    Operation::Write(variable, cells) => {
                        cells.iter().for_each(|(index, element)| self.write(*variable, *index, *element));
                    }
                    Operation::Assume(condition, learned) => match self.registers[*condition as usize] {
                        Word::Small(0) => return false,
                        Word::Open(_) => self.learn(*learned),
                        _ => {}
                    },
                    Operation::Havoc(variable) => {
                        self.registers[*variable as usize] = self.unknown[*variable as usize].clone();
                    }
                    Operation::Limit(variable, range) => {
                        if self.registers[*variable as usize].is_open() {
                            self.rest.push(&code[number + 1..]);
                            self.choose_first(*variable, *range);
                            break;
                        }
                    }
                    Operation::Choice(branches) => {
                        self.rest.push(&code[number + 1..]);
                        if !self.choose(branches) {
                            return false;
                        }
                        break;
                    }
                }
            }
        }
        true
    }

    /// Continues with the first value of a range, and makes the others wait.
    fn choose_first(&mut self, variable: Register, range: SmallRange) {
        let (value, others) = range.split_first(self.sorts[variable as usize]);
        if let Some(others) = others {
            let part = self.part / range.num_values() as f64;
            let pending = Pending {
                location: self.location,
                values: self.values(),
                rest: self.rest.clone(),
                path: self.path.fork(),
                past: self.past.clone(),
                limit: Some((variable, others)),
                part: self.part - part,
            };
            self.pending.push(pending);
            self.part = part;
        }
        self.registers[variable as usize] = Word::of(&value);
    }

    fn write(&mut self, variable: Register, index: Register, element: Register) {
        let [index, element] = [index, element].map(|register| self.registers[register as usize].clone());
        let array = &mut self.registers[variable as usize];
        match array {
            Word::Cells(cells) if !index.is_open() => drop(cells.write(index, element)),
            _ => *array = written(array, &index, &element),
        }
    }

    /// Goes on as if an undecided condition held.
    fn learn(&mut self, learned: Learned) {
        if let Some((variable, constant)) = learned.value {
            self.registers[variable as usize] = self.registers[constant as usize].clone();
        }
        if let Some((variable, signs)) = learned.signs {
            let register = &mut self.registers[variable as usize];
            *register = register.with_signs(signs);
        }
    }

    /// Continues with the branches of a choice. Returns whether one is possible.
    fn choose(&mut self, branches: &'p [Vec<Operation>]) -> bool {
        let location = self.location;
        let ways = branches.iter().enumerate().map(|(branch, code)| (branch, location, code.as_slice()));
        self.spread(ways, Path::choose)
    }

    /// Continues along the edges that may be taken. Returns whether there is one.
    fn leave(&mut self) -> bool {
        let program = self.program;
        let edges = program.outgoing(self.location).iter();
        let before = self.pending.len();
        let ways = edges.map(|edge| (*edge, program.target(*edge), program.code(*edge)));
        let is_open = self.spread(ways, Path::take);
        self.num_steps += (self.pending.len() - before) as u64 + u64::from(is_open);
        is_open
    }

    /// Continues with the first alternative that is possible, and makes the others wait. Returns whether there is one. `note`
    /// adds an alternative to a path.
    fn spread<W>(
        &mut self,
        ways: impl Iterator<Item = (W, LocId, &'p [Operation])>,
        note: fn(&mut Path, W),
    ) -> bool {
        let open = ways.filter_map(|(way, target, code)| Some((way, target, self.entered(code)?)));
        let mut open: SmallVec<[(W, LocId, &'p [Operation]); 2]> = open.collect();
        if open.len() > 1 {
            let values = self.values();
            self.part /= open.len() as f64;
            for (way, location, code) in open.drain(1..).rev() {
                let mut rest = self.rest.clone();
                rest.push(code);
                let mut path = self.path.fork();
                note(&mut path, way);
                self.pending.push(Pending {
                    location,
                    values: values.clone(),
                    rest,
                    path,
                    past: self.past.clone(),
                    limit: None,
                    part: self.part,
                });
            }
        }
        let Some((way, location, code)) = open.pop() else { return false };
        note(&mut self.path, way);
        self.location = location;
        self.rest.push(code);
        true
    }

    /// The values of all variables.
    fn values(&self) -> Rc<[Word]> {
        self.registers[..self.program.num_variables()].into()
    }

    /// What is left of `code` after conditions that hold; `None` if one does not.
    fn entered(&mut self, code: &'p [Operation]) -> Option<&'p [Operation]> {
        let mut begin = 0;
        for (number, part) in code.iter().enumerate() {
            match part {
                Operation::Compute(instruction) => {
                    self.registers[instruction.result as usize] =
                        compute(self.program.store(), instruction, &self.registers);
                }
                Operation::Assume(condition, _) => match self.registers[*condition as usize] {
                    Word::Small(0) => return None,
                    Word::Open(_) => break,
                    _ => begin = number + 1,
                },
                _ => break,
            }
        }
        Some(&code[begin..])
    }
}

/// Whether two states have the same values. Numbers are compared first: a loop over an array changes a counter in each round.
fn are_same(left: &[Word], right: &[Word]) -> bool {
    let is_array = |word: &Word| matches!(word, Word::Cells(_));
    let mut pairs = left.iter().zip(right);
    let numbers_differ = pairs.clone().any(|(left, right)| !is_array(left) && left != right);
    !numbers_differ && pairs.all(|(left, right)| left == right)
}
