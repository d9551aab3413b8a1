//! The SMT-LIB front end: no text makes it panic, every place of a message lies in the text, and linear Horn clauses become a
//! well-formed automaton.

use thetis_base::{Diagnostics, SourceMap};
use thetis_script::{Input, horn, parse};

use super::{Effect, effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.smt2", &*text_of(bytes));
    let mut diags = Diagnostics::new();
    let input = parse(&sources, file, &mut diags);
    assert_eq!(input.is_err(), diags.num_errors() > 0);
    if let Ok(Input::Clauses(clauses)) = input {
        let _ = horn::encode(&clauses);
    }
    effect(&sources, &diags)
}
