//! The catalog of engines, by name, and their configuration.

mod catalog;
mod config;
mod cooperating;
mod front_end;
mod guarded;
mod logic;
mod optimist;
mod passes;
pub mod portfolio;
mod question;
mod sequential;

pub use catalog::{EngineInfo, EngineKind, Parts, engines, for_cfa, for_net, for_sts};
pub use config::{Config, ConfigError};
pub use cooperating::{Cooperating, Cooperation};
pub use front_end::{Arithmetic, CConfig};
pub use guarded::Guarded;
pub use logic::ByLogic;
pub use optimist::Optimist;
pub use passes::{Encoding, PassesConfig};
pub use question::ByQuestion;
pub use sequential::Sequential;
