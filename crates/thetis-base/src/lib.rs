//! Ground layer: runs, budgets, cancellation, events, statistics, sources and diagnostics.
//!
//! Everything above this crate is a function of its arguments and of one [`Run`], which carries the budget, the
//! cancellation flag and the event sink. This crate is the only one that reads the clock, the CPU time and the
//! memory use of the process.
//!
//! ```
//! use std::time::Duration;
//! use thetis_base::{Budget, Run, Stop};
//! let run = Run::new(Budget { wall: Some(Duration::from_secs(60)), ..Budget::default() });
//! assert!(run.checkpoint().is_ok());
//! run.cancel().request();
//! assert!(matches!(run.checkpoint(), Err(Stop::Cancelled)));
//! ```

mod abstract_graph;
mod budget;
mod cancel;
mod counting;
mod diagnostic;
mod enclosed;
mod event;
mod frame_table;
mod names;
mod processes;
mod run;
mod sink;
mod source;
mod statistics;
mod stop;
mod usage;
mod watchdog;

pub use abstract_graph::{AbstractGraph, AbstractKind, AbstractState, AbstractStep};
pub use budget::{Budget, Share};
pub use cancel::Cancel;
pub use counting::counted;
pub use diagnostic::{Code, Diagnostic, Diagnostics, Label, Reported, Severity};
pub use enclosed::{heed, stop_of, tick};
pub use event::{Event, EventSink, Fact, Iteration};
pub use frame_table::{FrameRow, FrameTable};
pub use names::printable;
pub use processes::ProcessTree;
pub use run::{OnCancel, Resource, Run};
pub use sink::Sink;
pub use source::{FileId, LineColumn, SourceFile, SourceMap, Span};
pub use statistics::{Statistic, Statistics, Stopwatch};
pub use stop::Stop;
pub use usage::{CountedChild, charge_cpu_time, cpu_time, memory_in_use};

pub use index_vec::{IndexVec, define_index_type, index_vec};
