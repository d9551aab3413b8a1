//! The catalog of engines, by name, and their configuration.

mod by_task;
mod catalog;
mod config;
mod cooperating;
mod front_end;
mod guarded;
mod informed;
mod options;
mod passes;
pub mod portfolio;
mod sequential;
mod without_wrapping;

pub use by_task::ByTask;
pub use catalog::{
    Built, EngineName, Entry, Formalism, Listed, Maker, Parts, default_portfolios, engine, engines,
};
pub use config::{Config, ConfigError};
pub use cooperating::{Cooperating, Cooperation};
pub use front_end::{Arithmetic, CConfig, Externals, Undefined};
pub use guarded::Guarded;
pub use informed::Informed;
pub use options::{OptionInfo, Values, closest, options};
pub use passes::{Control, Encoding, PassesConfig};
pub use sequential::Sequential;
pub use without_wrapping::{Hope, WithoutWrapping};
