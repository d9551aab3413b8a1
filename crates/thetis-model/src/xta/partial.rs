//! States that do not give the values of all variables.
//!
//! Many variables do not matter for a question. A state in which they are unknown stands for all states with any values of their
//! ranges in their place, so fewer states have to be distinguished. An evaluation must not depend on them: reading an unknown variable
//! is a [`RuntimeError::Unknown`]. [`Moves::told_apart`] then splits the state by the values of that variable, until nothing that
//! happens in a state depends on a variable that is unknown there.

use super::{Discrete, Formula, Moves, Network, RuntimeError};

/// The most states that one is split into.
const MAX_PARTS: usize = 1_000;

impl Discrete {
    /// Stands for an arbitrary value of a variable. It is not a value of the language.
    pub const UNKNOWN: i32 = i32::MIN;

    /// Whether `state` has the same locations, and the same values of the variables that are known here.
    pub fn stands_for(&self, state: &Discrete) -> bool {
        let mut pairs = self.0.iter().zip(&state.0);
        self.0.len() == state.0.len() && pairs.all(|(own, other)| *own == Discrete::UNKNOWN || own == other)
    }

    fn with(&self, cell: u32, value: i32) -> Discrete {
        let mut cells = self.0.clone();
        cells[cell as usize] = value;
        Discrete(cells)
    }
}

impl Network {
    /// `state` without the values of variables that are not `tracked`.
    pub fn forgetting(&self, state: &Discrete, tracked: &[bool]) -> Discrete {
        let mut cells = state.0.clone();
        for (cell, _) in tracked.iter().enumerate().filter(|(_, is_tracked)| !**is_tracked) {
            cells[cell] = Discrete::UNKNOWN;
        }
        Discrete(cells)
    }

    /// The first variable that `guess` knows, but with another value than `state`.
    pub fn wrong_cell(&self, guess: &Discrete, state: &Discrete) -> Option<u32> {
        let mut pairs = self.cells(guess).iter().zip(self.cells(state)).zip(0..);
        let wrong = pairs.find(|((guess, value), _)| **guess != Discrete::UNKNOWN && guess != value);
        wrong.map(|(_, cell)| cell)
    }
}

impl Moves<'_> {
    /// States that together stand for the same as `state`. In none of them the invariant, the moves with their effects or `formula` depend
    /// on what is unknown. [`RuntimeError::Unknown`] with a variable that would need too many states.
    pub fn told_apart(&mut self, state: Discrete, formula: &Formula) -> Result<Vec<Discrete>, RuntimeError> {
        let mut waiting = vec![state];
        let mut list = Vec::new();
        while let Some(state) = waiting.pop() {
            let Some(cell) = self.missing(&state, formula) else {
                list.push(state);
                continue;
            };
            let (low, high) = self.network.variables[cell as usize].range;
            let num_values = i64::from(high) - i64::from(low) + 1;
            if list.len() + waiting.len() + num_values as usize > MAX_PARTS {
                return Err(RuntimeError::Unknown(cell));
            }
            waiting.extend((low..=high).map(|value| state.with(cell, value)));
        }
        Ok(list)
    }

    /// A variable that must be known in `state`, but is not.
    fn missing(&mut self, state: &Discrete, formula: &Formula) -> Option<u32> {
        match self.invariant(state) {
            Ok(None) => return None,
            other => {
                if let Some(cell) = unknown(&other) {
                    return Some(cell);
                }
            }
        }
        let situation = self.situation(state);
        let cases = formula.cases(self.machine_at(state));
        if let Some(cell) = unknown(&situation).or_else(|| unknown(&cases)) {
            return Some(cell);
        }
        let moves = situation.map(|situation| situation.moves).unwrap_or_default();
        moves.iter().find_map(|step| unknown(&self.fire(state, &step.participants)))
    }
}

fn unknown<T>(result: &Result<T, RuntimeError>) -> Option<u32> {
    match result {
        Err(RuntimeError::Unknown(cell)) => Some(*cell),
        _ => None,
    }
}
