//! TChecker's format: any text gives a network or errors with positions, never a panic.

use thetis_base::{Diagnostics, SourceMap};

use super::{Effect, effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz", &*text_of(bytes));
    let mut diags = Diagnostics::new();
    if thetis_xta::tchecker::parse(&sources, file, &mut diags).is_err() {
        assert!(diags.num_errors() > 0);
    }
    effect(&sources, &diags)
}
