//! The engine interface, and adapters that can wrap any engine.
//!
//! Every engine answers through [`Engine`]. [`Through`] runs a pass before an engine and lifts its answer. [`Limited`] makes an
//! engine answer questions about automata that model only part of a program. [`prediction`] estimates whether an iterating engine
//! will finish in time.

mod engine;
mod info;
mod limited;
pub mod prediction;
mod through;

pub use engine::Engine;
pub use info::EngineInfo;
pub use limited::Limited;
pub use through::Through;
