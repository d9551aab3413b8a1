//! Automata compiled for execution.
//!
//! Statements are compiled once. A [`Machine`] holds one state in its registers and moves it along edges; between the points
//! where an input, a branch or an edge has to be chosen, it proceeds on its own.

mod code;
mod compute;
mod program;
mod word;

use thetis_model::cfa::{EdgeId, LocId};

pub(crate) use code::{Learned, Operation, Register};
pub(crate) use compute::{compute, written};
pub(crate) use program::{Move, Program};
pub(crate) use word::{Cells, Word, hash_of};

/// The values of all variables.
pub(crate) type Values = Box<[Word]>;

/// Who chooses what an edge leaves open.
pub(crate) trait Chooser {
    /// A value for the variable with this number.
    fn input(&mut self, variable: usize) -> Word;
    /// One of this many branches, at least one.
    fn branch(&mut self, num_branches: usize) -> usize;
}

/// Where a machine that goes on alone came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Halt {
    /// An error location.
    Error,
    /// Something has to be chosen here.
    Choice(LocId),
    /// No edge can be taken.
    Stuck,
    /// It went as far as it might.
    Far(LocId),
}

/// One state of a program that moves.
pub(crate) struct Machine<'p> {
    program: &'p Program<'p>,
    registers: Vec<Word>,
    /// What the current edge has changed.
    changed: Vec<Change>,
}

/// A change of a variable, with what was there before.
enum Change {
    /// Of its value.
    Value(Register, Word),
    /// Of one of its cells.
    Cell(Register, Word, Word),
}

impl Change {
    fn variable(&self) -> Register {
        match self {
            Change::Value(variable, _) | Change::Cell(variable, ..) => *variable,
        }
    }
}

impl<'p> Machine<'p> {
    pub(crate) fn new(program: &'p Program<'p>) -> Machine<'p> {
        Machine { program, registers: program.registers(), changed: Vec::new() }
    }

    /// Continues from a state with these values. Values that are not shared are changed in place.
    pub(crate) fn load(&mut self, values: impl IntoIterator<Item = Word>) {
        self.registers.iter_mut().zip(values).for_each(|(register, word)| *register = word);
    }

    pub(crate) fn values(&self) -> &[Word] {
        &self.registers[..self.program.num_variables()]
    }

    /// Gives a variable another value.
    pub(crate) fn set(&mut self, variable: usize, word: Word) {
        self.registers[variable] = word;
    }

    /// Takes `edge` if that is possible with the choices of `chooser`. Returns these choices.
    pub(crate) fn take(&mut self, edge: EdgeId, chooser: &mut impl Chooser) -> Option<Move> {
        let mut taken = Move { edge, inputs: Vec::new(), choices: Vec::new() };
        self.changed.clear();
        if self.execute(self.program.code(edge), chooser, &mut taken) {
            return Some(taken);
        }
        self.undo();
        None
    }

    fn undo(&mut self) {
        while let Some(change) = self.changed.pop() {
            match change {
                Change::Value(variable, before) => self.registers[variable as usize] = before,
                Change::Cell(variable, index, before) => drop(self.cells(variable).write(index, before)),
            }
        }
    }

    /// Whether nothing blocked.
    fn execute(&mut self, code: &[Operation], chooser: &mut impl Chooser, taken: &mut Move) -> bool {
        for part in code {
            match part {
                Operation::Compute(instruction) => {
                    self.registers[instruction.result as usize] =
                        compute(self.program.store(), instruction, &self.registers);
                }
                Operation::Assign(variable, from) => {
                    let word = self.registers[*from as usize].clone();
                    self.change(*variable, word);
                }
                Operation::Write(variable, cells) => {
                    for (index, element) in cells {
                        self.write(*variable, *index, *element);
                    }
                }
                Operation::Assume(condition, _) => {
                    if self.registers[*condition as usize] == Word::Small(0) {
                        return false;
                    }
                }
                Operation::Havoc(variable) => {
                    let word = chooser.input(*variable as usize);
                    taken.inputs.push((*variable, word.clone()));
                    self.change(*variable, word);
                }
                Operation::Limit(..) => {}
                Operation::Choice(branches) if branches.is_empty() => return false,
                Operation::Choice(branches) => {
                    let branch = chooser.branch(branches.len());
                    taken.choices.push(branch);
                    if !self.execute(&branches[branch], chooser, taken) {
                        return false;
                    }
                }
            }
        }
        true
    }

    fn change(&mut self, variable: Register, word: Word) {
        let before = std::mem::replace(&mut self.registers[variable as usize], word);
        self.changed.push(Change::Value(variable, before));
    }

    fn write(&mut self, variable: Register, index: Register, element: Register) {
        let [index, element] = [index, element].map(|register| self.registers[register as usize].clone());
        let before = self.cells(variable).write(index.clone(), element);
        self.changed.push(Change::Cell(variable, index, before));
    }

    fn cells(&mut self, variable: Register) -> &mut Cells {
        match &mut self.registers[variable as usize] {
            Word::Cells(cells) => cells,
            other => panic!("an array should have cells, not {other:?}"),
        }
    }

    /// Continues from `location` until something has to be chosen, over at most `max_steps` edges; reports
    /// each.
    pub(crate) fn go_on(
        &mut self,
        mut location: LocId,
        max_steps: usize,
        mut tell: impl FnMut(EdgeId),
    ) -> Halt {
        for _ in 0..max_steps {
            if self.program.is_error(location) {
                return Halt::Error;
            }
            match self.only_edge(location) {
                Ok(edge) => {
                    tell(edge);
                    location = self.program.target(edge);
                }
                Err(halt) => return halt,
            }
        }
        if self.program.is_error(location) { Halt::Error } else { Halt::Far(location) }
    }

    /// Takes the only edge that can be taken at `location`.
    fn only_edge(&mut self, location: LocId) -> Result<EdgeId, Halt> {
        let program = self.program;
        if program.has_inputs(location) {
            return Err(Halt::Choice(location));
        }
        let mut edges = program.outgoing(location).iter().copied();
        let Some(edge) = edges.find(|edge| self.take(*edge, &mut Nothing).is_some()) else {
            return Err(Halt::Stuck);
        };
        if program.is_exclusive(location) {
            return Ok(edge);
        }
        let after: Vec<(Register, Word)> = self
            .changed
            .iter()
            .map(|change| (change.variable(), self.registers[change.variable() as usize].clone()))
            .collect();
        self.undo();
        if edges.any(|other| self.is_open(other)) {
            return Err(Halt::Choice(location));
        }
        for (register, word) in after {
            self.registers[register as usize] = word;
        }
        Ok(edge)
    }

    /// Whether `edge`, on which there is nothing to choose, can be taken.
    fn is_open(&mut self, edge: EdgeId) -> bool {
        let is_open = self.take(edge, &mut Nothing).is_some();
        self.undo();
        is_open
    }
}

/// For edges on which there is nothing to choose.
struct Nothing;

impl Chooser for Nothing {
    fn input(&mut self, _: usize) -> Word {
        panic!("an edge without inputs should not ask for one")
    }

    fn branch(&mut self, _: usize) -> usize {
        panic!("an edge without choices should not ask for one")
    }
}
