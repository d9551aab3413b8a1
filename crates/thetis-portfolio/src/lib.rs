//! The catalog of engines, by name, and their configuration.

mod by_task;
mod catalog;
mod config;
mod cooperating;
mod front_end;
mod guarded;
mod optimist;
mod passes;
pub mod portfolio;
mod sequential;

pub use by_task::ByTask;
pub use catalog::{EngineInfo, EngineKind, Parts, engines, for_cfa, for_net, for_sts};
pub use config::{Config, ConfigError};
pub use cooperating::{Cooperating, Cooperation};
pub use front_end::{Arithmetic, CConfig, Externals};
pub use guarded::Guarded;
pub use optimist::Optimist;
pub use passes::{Control, Encoding, PassesConfig};
pub use sequential::Sequential;
