//! Front end for C: GNU C11 as it occurs in practice, from source text to control-flow automata and back.
//!
//! ```text
//! text ──syntax──> tokens and tree (lang-c) ──check──> hir ──lower──> Task<Cfa> and the way back to the source
//! ```
//!
//! [`hir`] is the seam: a program whose names are resolved and whose every conversion is written out, so what comes after
//! it needs to know no rule about promotions, scopes or declarators.

pub mod hir;
