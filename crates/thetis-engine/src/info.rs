//! How an engine is described to users.

/// An engine as the catalogue and the command line describe it. Each engine states its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EngineInfo {
    /// Its name on the command line, in configurations and in statistics.
    pub name: &'static str,
    /// What it does, in a few words.
    pub summary: &'static str,
    /// What it can answer.
    pub answers: &'static str,
}
