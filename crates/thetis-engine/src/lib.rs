//! The engine interface, and adapters that every engine can be put into.
//!
//! Every engine answers through [`Engine`]. [`Through`] runs a pass before an engine and lifts its answer. [`Limited`] asks an
//! engine about automata that do not describe all of a program. [`prediction`] tells whether an iterating engine will end in time.

mod engine;
mod info;
mod limited;
pub mod prediction;
mod through;

pub use engine::Engine;
pub use info::EngineInfo;
pub use limited::Limited;
pub use through::Through;
