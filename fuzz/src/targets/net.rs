//! The `.net` language: any text gives a net or errors with positions, never a panic; what is printed is read back.

use thetis_base::{Diagnostics, SourceMap};
use thetis_pnml::net;

use super::{Effect, effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.net", &*text_of(bytes));
    let mut diags = Diagnostics::new();
    let Ok(first) = net::parse(&sources, file, &mut diags) else {
        assert!(diags.num_errors() > 0);
        return effect(&sources, &diags);
    };
    let printed = net::print(&first.net, &first.targets);
    let again = sources.add("printed.net", printed.clone());
    let second = net::parse(&sources, again, &mut diags).expect("printed nets should parse");
    assert_eq!(net::print(&second.net, &second.targets), printed);
    "accepted".into()
}
