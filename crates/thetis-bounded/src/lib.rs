//! Bounded engines: bounded model checking on control-flow automata.
