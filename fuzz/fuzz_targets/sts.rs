//! The `.sts` language: any text gives systems or errors with positions, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thetis_base::{Diagnostics, SourceMap};
use thetis_text::sts;

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.sts", text);
    let mut diags = Diagnostics::new();
    let result = sts::parse(&sources, file, &mut diags);
    assert_eq!(result.is_err(), diags.num_errors() > 0);
    for diagnostic in diags.iter() {
        assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end as usize <= text.len());
    }
    for named in result.into_iter().flatten() {
        named.task.model.validate(&named.task.store).expect("a system should be valid");
    }
});
