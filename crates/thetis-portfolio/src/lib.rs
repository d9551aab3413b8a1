//! The catalog of engines, by name, and their configuration.

mod catalog;
mod config;
mod passes;
mod sequential;

pub use catalog::{EngineInfo, EngineKind, Parts, engines, for_cfa, for_net};
pub use config::{Config, ConfigError};
pub use passes::{Encoding, PassesConfig};
pub use sequential::Sequential;
