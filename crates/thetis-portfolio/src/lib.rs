//! The catalog of engines, by name, and their configuration.

mod catalog;
mod config;

pub use catalog::{EngineInfo, EngineKind, create, engines};
pub use config::{Config, ConfigError};
