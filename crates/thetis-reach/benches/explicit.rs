//! Speed and memory of the explicit search.
//!
//! `cargo bench -p thetis-reach` prints the markings per second of nets with 20 places, and the bytes per marking.

use divan::counter::ItemsCount;
use thetis_base::Run;
use thetis_engine::Engine;
use thetis_expr::Store;
use thetis_model::Task;
use thetis_model::petri::{Net, PetriProperty, Question};
use thetis_reach::{Explicit, ExplicitConfig};
use thetis_testkit::petri::{bits, philosophers, ring};

#[expect(clippy::print_stdout, reason = "the figures are what a benchmark is for")]
fn main() {
    for (name, net) in
        [("ring of 20 places", ring(20, 7)), ("20 bits", bits(20)), ("5 philosophers", philosophers(5))]
    {
        let explicit = explore(net);
        let stats = explicit.stats();
        let per_marking = stats.bytes as f64 / stats.markings as f64;
        println!("{name}: {} markings, {per_marking:.1} bytes per marking", stats.markings);
    }
    divan::main();
}

fn explore(net: Net) -> Explicit {
    let property = PetriProperty::new(&net, Question::StateSpace);
    let task = Task { store: Store::new(), model: net, property };
    let mut explicit = Explicit::new(ExplicitConfig::default());
    explicit.check(&task, &Run::unlimited()).expect("the search should end");
    explicit
}

/// 657,800 markings of 20 places.
#[divan::bench(sample_count = 5)]
fn ring_of_20_places(bencher: divan::Bencher) {
    bencher.counter(ItemsCount::new(657_800usize)).bench(|| explore(ring(20, 7)));
}

/// 1,048,576 markings of 40 places with many firings.
#[divan::bench(sample_count = 3)]
fn twenty_bits(bencher: divan::Bencher) {
    bencher.counter(ItemsCount::new(1usize << 20)).bench(|| explore(bits(20)));
}
