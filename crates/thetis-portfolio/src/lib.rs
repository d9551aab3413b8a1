//! The catalog of engines, by name.
