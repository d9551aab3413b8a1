//! Variables whose values do not matter any more.
//!
//! A variable is *dead* in a state if it is not read again before it is written. States that differ only in dead variables behave alike, so their
//! values are [left open](Discrete::UNKNOWN) and the states become one.
//!
//! A [`LiveView`] says for each location of each process which variables this process may still read; a variable is live in a state if it is live for
//! some process. There may be several views, which count the reads of a synchronisation for different partners; a variable that is dead in one of
//! them is dead. They need not be trusted: reading a value that is left open is a [`RuntimeError::Unknown`](super::RuntimeError::Unknown).

use smallvec::SmallVec;

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

/// The same as sets of bits, to be applied to many states.
pub struct LiveMasks {
    num_cells: usize,
    views: Vec<MaskView>,
}

/// A view as sets of bits.
struct MaskView {
    always: Vec<u64>,
    processes: Vec<Vec<Vec<u64>>>,
}

impl LiveMasks {
    /// The masks of `live` for a network.
    pub fn new(network: &Network, live: &LiveVariables) -> LiveMasks {
        let num_cells = network.variables.len();
        let mask = |cells: &Vec<u32>| {
            let mut mask = vec![0; num_cells.div_ceil(64)];
            for cell in cells.iter().map(|cell| *cell as usize).filter(|cell| *cell < num_cells) {
                mask[cell / 64] |= 1 << (cell % 64);
            }
            mask
        };
        let view = |view: &LiveView| MaskView {
            always: mask(&view.always),
            processes: view.processes.iter().map(|process| process.iter().map(mask).collect()).collect(),
        };
        LiveMasks { num_cells, views: live.views.iter().map(view).collect() }
    }

    /// `state` without the values of variables that are dead.
    pub fn without_dead(&self, mut state: Discrete) -> Discrete {
        let mut kept: SmallVec<[u64; 4]> = SmallVec::from_elem(u64::MAX, self.num_cells.div_ceil(64));
        for view in &self.views {
            let mut live: SmallVec<[u64; 4]> = view.always.as_slice().into();
            for (locations, at) in view.processes.iter().zip(&state.0[self.num_cells..]) {
                let mask = locations.get(*at as usize).into_iter().flatten();
                live.iter_mut().zip(mask).for_each(|(all, own)| *all |= own);
            }
            kept.iter_mut().zip(live).for_each(|(kept, live)| *kept &= live);
        }
        for (cells, kept) in state.0[..self.num_cells].chunks_mut(64).zip(kept) {
            let all = u64::MAX >> (64 - cells.len());
            let mut dead = !kept & all;
            while dead != 0 {
                cells[dead.trailing_zeros() as usize] = Discrete::UNKNOWN;
                dead &= dead - 1;
            }
        }
        state
    }
}
