//! Variables whose values do not matter any more.
//!
//! A variable is *dead* in a state if it is not read again before it is written. States that differ only in dead variables behave alike, so their
//! values are [left open](Discrete::UNKNOWN) and the states become one.
//!
//! A [`LiveView`] says for each location of each process which variables this process may still read; a variable is live in a state if it is live for
//! some process. There may be several views, which count the reads of a synchronisation for different partners; a variable that is dead in one
//! of them is dead. Nobody has to believe them: reading a value that is left open is a [`RuntimeError::Unknown`](super::RuntimeError::Unknown).

use super::{Discrete, Network};

/// Views of the variables that may still be read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LiveVariables {
    /// The views.
    pub views: Vec<LiveView>,
}

/// The variables that may still be read.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct LiveView {
    /// Those that are live in every state.
    pub always: Vec<u32>,
    /// For each process, for each location, those that the process may read.
    pub processes: Vec<Vec<Vec<u32>>>,
}

impl Network {
    /// `state` without the values of variables that are dead.
    pub fn without_dead(&self, live: &LiveVariables, state: &Discrete) -> Discrete {
        let num_cells = self.variables.len();
        let mut is_kept = vec![true; num_cells];
        for view in &live.views {
            let mut is_live = vec![false; num_cells];
            let mut keep = |cells: &[u32]| {
                let known = cells.iter().filter(|cell| (**cell as usize) < num_cells);
                known.for_each(|cell| is_live[*cell as usize] = true);
            };
            keep(&view.always);
            for (locations, at) in view.processes.iter().zip(&state.0[num_cells..]) {
                locations.get(*at as usize).into_iter().for_each(|cells| keep(cells));
            }
            is_kept.iter_mut().zip(is_live).for_each(|(kept, live)| *kept &= live);
        }
        self.forgetting(state, &is_kept)
    }
}
