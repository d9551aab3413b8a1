//! PNML and property files: any bytes give a net or errors with positions, never a panic; what is printed is read back.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thetis_base::{Diagnostics, SourceMap};
use thetis_pnml::{mcc, pnml};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.pnml", text);
    let mut diags = Diagnostics::new();
    let Ok(net) = pnml::parse(&sources, file, &mut diags) else {
        assert!(diags.num_errors() > 0);
        return;
    };
    let printed = sources.add("printed.pnml", pnml::print(&net));
    assert!(pnml::parse(&sources, printed, &mut diags).is_ok(), "{diags:?}");
    let _ = mcc::parse(&sources, file, &net, &mut diags);
});
