//! Counterexample-guided abstraction refinement: ARG, abstractor, refiners and domains.
//!
//! The loop, the abstract reachability graph, the abstractor and the waiting list know neither the domain nor the
//! formalism; they are written against [`analysis::Analysis`]. Domains are written against [`analysis::Domain`] and know
//! no locations. Follows Hajdu and Micskei 2019 (docs/references.md).

pub mod abstractor;
pub mod analysis;
pub mod arg;
mod bounds;
mod cegar;
mod config;
pub mod domain;
mod draw;
mod engine;
mod facts;
pub mod located;
mod normal_form;
mod precision;
pub mod program;
mod refine;
pub mod waitlist;

pub use config::{
    CegarConfig, DomainKind, FactFilter, Granularity, InitialPrecision, MaxEnum, PredSplit, Prune, Refinement,
};
pub use engine::Cegar;
pub use facts::{Facts, Tracked, TrackedAt};
pub use thetis_interpolate::{InterpolatorKind, Tools as CegarTools};
pub use waitlist::SearchOrder;
