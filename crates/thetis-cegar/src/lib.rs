//! Counterexample-guided abstraction refinement: ARG, abstractor, refiners and domains.
