//! Reports: verdicts as text, JSON, SARIF, JUnit XML and HTML, certificates out and in, diagnostics on the source.
//!
//! Everything here turns data into text or text into data; files and streams belong to the command line.

pub mod certificate;
mod diagnostics;
mod html;
mod junit;
mod report;
mod reportable;
mod sarif;
mod statistics;
mod story;
mod streamed;
mod trace;
mod unanswered;
mod visual;

pub use certificate::{
    Certificate, CertificateError, Claim, GroundsText, Keepable, Program, fingerprint, read_certificate,
};
pub use diagnostics::{Style, render_diagnostics};
pub use html::{Abstractions, CheckRow, Excerpt, overview};
pub use junit::{CaseOutcome, TestCase, junit};
pub use report::{Confirmation, Extent, Report, verdict_line};
pub use reportable::{Reportable, Stated};
pub use sarif::{Unknowns, merge_sarif};
pub use statistics::render_statistics;
pub use story::{StoryLine, render_lines};
pub use streamed::Patience;
pub use trace::{Detail, render_story};
pub use unanswered::Unanswered;
pub use visual::{
    Drawing, DrawnEdge, DrawnNode, EdgeKind, Fact, Instant, Lane, NodeKind, Rule, Shown, Stay, Timeline,
    TraceStep, Visual, arg_to_dot, is_shown,
};
