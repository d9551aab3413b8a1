//! The engine interface, the pass adapter, and the checker of proofs and traces.
//!
//! Every engine answers through [`Engine`]. [`Through`] runs a pass before an engine and lifts its answer. [`certify`]
//! asks the [`checker`] about the evidence of an answer before anybody may report it. The checker shares nothing
//! with the engines but terms and models.

mod certify;
pub mod checker;
mod engine;
mod limited;
pub mod prediction;
mod through;

pub use certify::{Certified, certify};
pub use engine::Engine;
pub use limited::Limited;
pub use through::Through;
