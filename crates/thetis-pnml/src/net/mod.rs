//! The `.net` language, in which people can write and read nets.
//!
//! ```text
//! net mutex                       # comments start with # or //
//! place free = 1
//! place idle = 2, busy
//! transition enter  in idle, free  out busy
//! transition leave  in busy        out idle, free   inhibit 3*free
//! target EF busy >= 2
//! ```
//!
//! Line breaks mean nothing. A place starts without tokens, an arc has the weight 1 and an inhibitor arc `k*p` disables its
//! transition while `p` holds `k` tokens or more. Names that are not plain identifiers stand in double quotes. Names may
//! be used before they are declared. The manual has the grammar.

mod parse;
mod print;

use thetis_model::petri::{Net, PetriProperty};

pub use parse::parse;
pub use print::print;

/// The content of a file.
#[derive(Clone, Debug)]
pub struct NetFile {
    /// The net.
    pub net: Net,
    /// What the file asks, in order.
    pub targets: Vec<PetriProperty>,
}
