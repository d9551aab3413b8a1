//! The `.sts` language: any text gives systems or errors with positions, never a panic.

use thetis_base::{Diagnostics, SourceMap};
use thetis_text::sts;

use super::{Effect, effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.sts", &*text_of(bytes));
    let mut diags = Diagnostics::new();
    let result = sts::parse(&sources, file, &mut diags);
    assert_eq!(result.is_err(), diags.num_errors() > 0);
    for named in result.into_iter().flatten() {
        named.task.model.validate(&named.task.store).expect("a system should be valid");
    }
    effect(&sources, &diags)
}
