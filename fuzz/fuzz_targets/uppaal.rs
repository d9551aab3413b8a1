//! Files of UPPAAL's editor: any text gives a network or errors with positions, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thetis_base::{Diagnostics, SourceMap};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz", text);
    let mut diags = Diagnostics::new();
    if thetis_xta::uppaal::parse(&sources, file, &mut diags).is_err() {
        assert!(diags.num_errors() > 0);
    }
});
