//! The engine `exhaust`: follows all runs to their ends, if they are few.
//!
//! A program without inputs has one run. Nothing is known of initial values and inputs; what is computed from known values is
//! known. Where that does not decide a condition the run is followed as if it held, and there is one run more to follow. If all of
//! them end, that is a proof, [`CfaProof::Exhaustion`]; the checker repeats it in its own way. If a run that no unknown value has decided
//! arrives at an error location, it is a violation, whatever the inputs are.
//!
//! The engine is for automata as front ends make them, because edges are counted.

use std::sync::Arc;

use thetis_base::{Run, Statistics, Stop};
use thetis_engine::Engine;
use thetis_expr::default_value;
use thetis_model::cfa::{Cfa, CfaProof, CfaStep, CfaTrace, EdgeId, LocId, Stmt, StmtKind};
use thetis_model::{Evidence, Reason, Task, Verdict};

use crate::machine::{Part, Program, Register, Word, compute, written};

/// The greatest number of runs that wait: with more of them the program is not worth it.
const MAX_PENDING: usize = 200;
/// The greatest number of edges, so that the checker does not take too long either.
const MAX_STEPS: u64 = 10_000_000;
/// The greatest number of edges once there is more than one run.
const MAX_STEPS_OF_MANY: u64 = 1_000_000;
/// After so many edges it is time to look at the clock.
const STEPS_BETWEEN_LOOKS: u64 = 1024;

/// The engine. See the [module](self).
#[derive(Default)]
pub struct Exhaust {
    num_steps: u64,
    num_runs: u64,
}

impl Engine<Cfa> for Exhaust {
    fn check(&mut self, task: &Task<Cfa>, run: &Run) -> Result<Verdict<Cfa>, Stop> {
        let program = Program::new(task);
        let mut walk = Walk::new(&program);
        let end = walk.follow(run);
        self.num_steps = walk.num_steps;
        self.num_runs = walk.num_runs;
        Ok(match end? {
            End::All => {
                Verdict::Safe(Evidence::Given(CfaProof::Exhaustion { max_steps: walk.num_steps }))
            }
            End::Violation(path) => Verdict::Unsafe(Evidence::Given(path.trace(task))),
            End::Unclear => Verdict::Unknown(Reason::Incomplete("the program has too many runs".into())),
        })
    }

    fn statistics(&self) -> Statistics {
        Statistics::new("exhaust").count("steps", self.num_steps).count("runs", self.num_runs)
    }
}

/// What following all runs comes to.
enum End {
    /// All of them end.
    All,
    /// One ends at an error location, whatever the inputs are.
    Violation(Path),
    /// One may end at an error location, or there are too many.
    Unclear,
}

/// The edges that a run took, and the branches of their choices.
#[derive(Clone, Default)]
struct Path {
    edges: Vec<EdgeId>,
    branches: Vec<usize>,
}

/// A run that waits to be followed.
struct Pending<'p> {
    location: LocId,
    values: Arc<[Word]>,
    rest: Vec<&'p [Part]>,
}

/// The run that is being followed, and those that wait.
struct Walk<'p> {
    program: &'p Program<'p>,
    registers: Vec<Word>,
    /// Where the run is once `rest` is done.
    location: LocId,
    /// What is left to do; the last comes first.
    rest: Vec<&'p [Part]>,
    /// How the run came there, as long as it is the only one and nothing unknown has decided.
    path: Option<Path>,
    pending: Vec<Pending<'p>>,
    num_steps: u64,
    num_runs: u64,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program<'p>) -> Walk<'p> {
        let mut registers = program.registers();
        registers[..program.num_variables()].fill(Word::Open);
        Walk {
            program,
            registers,
            location: program.initial(),
            rest: Vec::new(),
            path: Some(Path::default()),
            pending: Vec::new(),
            num_steps: 0,
            num_runs: 1,
        }
    }

    fn follow(&mut self, run: &Run) -> Result<End, Stop> {
        loop {
            if let Some(end) = self.follow_one(run)? {
                return Ok(end);
            }
            let Some(pending) = self.pending.pop() else { return Ok(End::All) };
            self.registers[..pending.values.len()].clone_from_slice(&pending.values);
            self.location = pending.location;
            self.rest = pending.rest;
            self.num_runs += 1;
        }
    }

    /// Follows the current run to its end; `None` if nothing bad comes of it.
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
                return Ok(Some(self.path.take().map_or(End::Unclear, End::Violation)));
            }
            if !self.leave() {
                return Ok(None);
            }
            let max_steps = if self.num_runs + self.pending.len() as u64 > 1 { MAX_STEPS_OF_MANY } else { MAX_STEPS };
            if self.num_steps > max_steps || self.pending.len() > MAX_PENDING {
                return Ok(Some(End::Unclear));
            }
        }
    }

    /// Does what is left to do; whether nothing blocked.
    fn execute(&mut self) -> bool {
        while let Some(code) = self.rest.pop() {
            for (number, part) in code.iter().enumerate() {
                match part {
                    Part::Compute(instruction) => {
                        self.registers[instruction.result as usize] =
                            compute(self.program.store(), instruction, &self.registers);
                    }
                    Part::Assign(variable, from) => {
                        self.registers[*variable as usize] = self.registers[*from as usize].clone();
                    }
                    Part::Write(variable, cells) => {
                        cells.iter().for_each(|(index, element)| self.write(*variable, *index, *element));
                    }
                    Part::Assume(condition, learned) => match self.registers[*condition as usize] {
                        Word::Small(0) => return false,
                        Word::Open => self.learn(*learned),
                        _ => {}
                    },
                    Part::Havoc(variable) => self.registers[*variable as usize] = Word::Open,
                    Part::Choice(branches) => {
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

    fn write(&mut self, variable: Register, index: Register, element: Register) {
        let [index, element] = [index, element].map(|register| self.registers[register as usize].clone());
        let array = &mut self.registers[variable as usize];
        match array {
            Word::Cells(cells) if index != Word::Open => drop(cells.write(index, element)),
            _ => *array = written(array, &index, &element),
        }
    }

    /// Goes on as if an undecided condition held.
    fn learn(&mut self, learned: Option<(Register, Register)>) {
        self.path = None;
        if let Some((variable, constant)) = learned {
            self.registers[variable as usize] = self.registers[constant as usize].clone();
        }
    }

    /// Goes on with the branches of a choice; whether there is one.
    fn choose(&mut self, branches: &'p [Vec<Part>]) -> bool {
        let location = self.location;
        let ways = branches.iter().enumerate().map(|(branch, code)| (branch, location, code.as_slice()));
        let Some(branch) = self.spread(ways) else { return false };
        self.path.iter_mut().for_each(|path| path.branches.push(branch));
        true
    }

    /// Goes on along the edges that may be taken; whether there is one.
    fn leave(&mut self) -> bool {
        let program = self.program;
        let edges = program.outgoing(self.location).iter();
        let before = self.pending.len();
        let ways = edges.map(|edge| (*edge, program.target(*edge), program.code(*edge)));
        let Some(edge) = self.spread(ways) else { return false };
        self.num_steps += (self.pending.len() - before) as u64 + 1;
        self.path.iter_mut().for_each(|path| path.edges.push(edge));
        true
    }

    /// Goes on with the last way that may be gone, and makes the others wait; which one it is.
    fn spread<W>(&mut self, ways: impl Iterator<Item = (W, LocId, &'p [Part])>) -> Option<W> {
        let mut last: Option<(W, LocId, &'p [Part])> = None;
        let mut values: Option<Arc<[Word]>> = None;
        for (way, target, code) in ways {
            let Some(code) = self.entered(code) else { continue };
            if let Some((_, location, code)) = last.replace((way, target, code)) {
                let values = values.get_or_insert_with(|| self.registers[..self.program.num_variables()].into());
                let mut rest = self.rest.clone();
                rest.push(code);
                self.pending.push(Pending { location, values: values.clone(), rest });
                self.path = None;
            }
        }
        let (way, location, code) = last?;
        self.location = location;
        self.rest.push(code);
        Some(way)
    }

    /// What is left of `code` behind conditions that hold; `None` if one does not.
    fn entered(&mut self, code: &'p [Part]) -> Option<&'p [Part]> {
        let mut begin = 0;
        for (number, part) in code.iter().enumerate() {
            match part {
                Part::Compute(instruction) => {
                    self.registers[instruction.result as usize] =
                        compute(self.program.store(), instruction, &self.registers);
                }
                Part::Assume(condition, _) => match self.registers[*condition as usize] {
                    Word::Small(0) => return None,
                    Word::Open => break,
                    _ => begin = number + 1,
                },
                _ => break,
            }
        }
        Some(&code[begin..])
    }
}

impl Path {
    /// The run along this path. Inputs do not matter.
    fn trace(&self, task: &Task<Cfa>) -> CfaTrace {
        let value = |var| default_value(&task.store, task.store.var_sort(var));
        let mut branches = self.branches.iter().copied();
        let mut step = |edge: &EdgeId| {
            let mut step = CfaStep { edge: *edge, inputs: Vec::new(), choices: Vec::new() };
            let mut pending: Vec<&Stmt> = vec![&task.model.edges[*edge].stmt];
            while let Some(stmt) = pending.pop() {
                match &stmt.kind {
                    StmtKind::Havoc(var) => step.inputs.push(value(*var)),
                    StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                    StmtKind::Choice(stmts) => {
                        let branch = branches.next().expect("a choice that was made should be known");
                        step.choices.push(branch);
                        pending.push(&stmts[branch]);
                    }
                    StmtKind::Assign(..) | StmtKind::Assume(_) => {}
                }
            }
            step
        };
        CfaTrace {
            initial: task.model.vars.iter().map(|var| (*var, value(*var))).collect(),
            steps: self.edges.iter().map(&mut step).collect(),
        }
    }
}
