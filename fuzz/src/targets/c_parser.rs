//! The C front end up to checked programs: no text makes it panic, every place of a message lies in the text, and a program
//! is given exactly if there is no error. Line markers of the text are followed back into the text itself.

use std::collections::BTreeMap;

use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::Machine;
use thetis_c::{LineMarkers, SourceOptions};

use super::{Effect, effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let file = sources.add("f", &*text_of(bytes));
    let follow = LineMarkers::Follow(BTreeMap::from([("f".to_owned(), file)]));
    let mut effects = Effect::new();
    for (machine, line_markers) in [(Machine::X86_64, LineMarkers::Ignore), (Machine::I386, follow)] {
        let mut diagnostics = Diagnostics::new();
        let options = SourceOptions { machine, line_markers };
        let program = thetis_c::check(&sources, file, &options, &mut diagnostics);
        assert_eq!(program.is_err(), diagnostics.num_errors() > 0);
        effects = effect(&sources, &diagnostics);
    }
    effects
}
