//! Solver traits, answers, and the wrappers that check and record any solver.
