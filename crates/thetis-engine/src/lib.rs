//! The engine interface, the pass adapter, and the checker of proofs and traces.
