//! Property expressions: any text is rejected with a place in it or is a question about a net or about timed automata, never a panic.

use thetis_base::{Diagnostics, SourceMap};

use super::{Effect, effect, text_of};

const NET: &str = "place p = 2 place q transition t in p out q transition u in q out p";
const TIMED: &str =
    "clock x; int[0,3] n; process P() { state A, B; init A; trans A -> B { guard x > 1; }; } system P;";

pub fn check(bytes: &[u8]) -> Effect {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("m.net", NET);
    let net = thetis_pnml::net::parse(&sources, file, &mut diags).expect("the net should be one").net;
    let file = sources.add("m.xta", TIMED);
    let model = thetis_xta::parse(&sources, file, &mut diags).expect("the automaton should be one");
    let file = sources.add("property", &*text_of(bytes));
    let mut effects = Effect::new();
    for parse in [thetis_pnml::property::parse, thetis_pnml::property::parse_target] {
        let mut diags = Diagnostics::new();
        assert_eq!(parse(&sources, file, &net, &mut diags).is_err(), diags.num_errors() > 0);
        effects += &effect(&sources, &diags);
    }
    let mut diags = Diagnostics::new();
    let query = thetis_xta::query::parse(&sources, file, &model, &mut diags);
    assert_eq!(query.is_err(), diags.num_errors() > 0);
    effects + &effect(&sources, &diags)
}
