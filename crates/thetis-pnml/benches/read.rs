//! How long it takes to read a large net: `cargo bench -p thetis-pnml`.

use thetis_base::{Diagnostics, SourceMap};
use thetis_pnml::{net, pnml};
use thetis_testkit::petri::ring;

fn main() {
    divan::main();
}

/// 100,000 places, 100,000 transitions and 200,000 arcs as PNML.
#[divan::bench(sample_count = 3)]
fn pnml_with_100_000_places(bencher: divan::Bencher) {
    let mut sources = SourceMap::new();
    let file = sources.add("ring.pnml", pnml::print(&ring(100_000, 1)));
    bencher.bench_local(|| pnml::parse(&sources, file, &mut Diagnostics::new()));
}

/// The same in the `.net` language.
#[divan::bench(sample_count = 3)]
fn net_with_100_000_places(bencher: divan::Bencher) {
    let mut sources = SourceMap::new();
    let file = sources.add("ring.net", net::print(&ring(100_000, 1), &[]));
    bencher.bench_local(|| net::parse(&sources, file, &mut Diagnostics::new()));
}
