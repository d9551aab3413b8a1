//! The SMT-LIB front end: no text makes it panic, every place of a message lies in the text, and linear Horn clauses become a
//! well-formed automaton.

#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use thetis_base::{Diagnostics, SourceMap};
use thetis_script::{Input, horn, parse};

fuzz_target!(|text: &str| -> Corpus {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.smt2", text);
    let mut diags = Diagnostics::new();
    let input = parse(&sources, file, &mut diags);
    assert_eq!(input.is_err(), diags.num_errors() > 0);
    for diagnostic in diags.iter() {
        let _ = (sources.start(diagnostic.span), sources.text(diagnostic.span));
    }
    if let Ok(Input::Clauses(clauses)) = input {
        let _ = horn::encode(&clauses);
    }
    Corpus::Keep
});
