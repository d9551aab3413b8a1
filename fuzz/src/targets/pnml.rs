//! PNML and property files: any text gives a net, properties or errors with positions, never a panic; what is printed is read back.

use thetis_base::{Diagnostics, SourceMap};
use thetis_pnml::{mcc, net, pnml};

use super::{Effect, effect, text_of};

const NET: &str = "place p = 2 place q transition t in p out q transition u in q out p";

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.pnml", &*text_of(bytes));
    let own = sources.add("m.net", NET);
    let mut diags = Diagnostics::new();
    let model = net::parse(&sources, own, &mut diags).expect("the net should be one").net;
    let properties = mcc::parse(&sources, file, &model, &mut diags);
    assert_eq!(properties.is_err(), diags.num_errors() > 0);
    let mut effects = effect(&sources, &diags);
    let mut diags = Diagnostics::new();
    let parsed = pnml::parse(&sources, file, &mut diags);
    assert_eq!(parsed.is_err(), diags.num_errors() > 0);
    effects += &effect(&sources, &diags);
    if let Ok(net) = parsed {
        let printed = sources.add("printed.pnml", pnml::print(&net));
        assert!(pnml::parse(&sources, printed, &mut diags).is_ok(), "{diags:?}");
    }
    effects
}
