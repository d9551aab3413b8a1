//! Where processes are over time.

/// The locations of processes during a run.
#[derive(Clone, PartialEq, Debug)]
pub struct Timeline {
    /// What happens, in the order of time; the first is the start and the last is the end.
    pub instants: Vec<Instant>,
    /// The processes.
    pub lanes: Vec<Lane>,
}

/// A point of time at which something happens.
#[derive(Clone, PartialEq, Debug)]
pub struct Instant {
    /// The time, for people.
    pub label: String,
    /// The time as a part of the whole, between 0 and 1.
    pub position: f64,
}

/// A process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// The locations, one after the other.
    pub stays: Vec<Stay>,
}

/// A stay in a location between two instants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stay {
    /// The location.
    pub location: String,
    /// The number of the first instant.
    pub from: usize,
    /// The number of the last one.
    pub to: usize,
    /// The values of clocks at the end of the stay, for people.
    pub clocks: String,
}
