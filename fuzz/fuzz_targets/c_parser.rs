//! The C front end up to checked programs: no text makes it panic, every place of a message lies in the text, and a program
//! is given exactly if there is no error. Line markers of the text are followed back into the text itself.

#![no_main]

use std::collections::BTreeMap;

use libfuzzer_sys::fuzz_target;
use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::DataModel;
use thetis_c::{LineMarkers, SourceOptions};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let file = sources.add("f", text);
    let follow = LineMarkers::Follow(BTreeMap::from([("f".to_owned(), file)]));
    for (data_model, line_markers) in [(DataModel::Lp64, LineMarkers::Ignore), (DataModel::Ilp32, follow)] {
        let mut diagnostics = Diagnostics::new();
        let options = SourceOptions { data_model, line_markers };
        let program = thetis_c::check(&sources, file, &options, &mut diagnostics);
        assert_eq!(program.is_err(), diagnostics.num_errors() > 0);
        for message in diagnostics.iter() {
            for span in message.labels.iter().map(|label| label.span).chain([message.span]) {
                let _ = sources.text(span);
            }
        }
    }
});
