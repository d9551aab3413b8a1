//! Families of nets with known numbers of markings.

use thetis_model::petri::{Net, NetBuilder, PlaceId};

/// So many philosophers who take the left fork first: all of them with one fork is the only deadlock.
pub fn philosophers(num: usize) -> Net {
    let mut builder = NetBuilder::new(format!("philosophers-{num}"));
    let mut places = |kind: &str, initial: u64| -> Vec<PlaceId> {
        (0..num).map(|index| builder.place(format!("{kind}{index}"), initial)).collect()
    };
    let (thinks, waits, eats, fork) =
        (places("think", 1), places("wait", 0), places("eat", 0), places("fork", 1));
    for index in 0..num {
        let (left, right) = (fork[index], fork[(index + 1) % num]);
        let take = builder.transition(format!("left{index}"));
        builder.input(take, thinks[index], 1);
        builder.input(take, left, 1);
        builder.output(take, waits[index], 1);
        let start = builder.transition(format!("right{index}"));
        builder.input(start, waits[index], 1);
        builder.input(start, right, 1);
        builder.output(start, eats[index], 1);
        let stop = builder.transition(format!("stop{index}"));
        builder.input(stop, eats[index], 1);
        [thinks[index], left, right].into_iter().for_each(|place| builder.output(stop, place, 1));
    }
    builder.build().expect("the family should be well-formed")
}

/// A ring of places on which tokens go round: `binomial(tokens + places - 1, tokens)` markings.
pub fn ring(num_places: usize, tokens: u64) -> Net {
    let mut builder = NetBuilder::new(format!("ring-{num_places}-{tokens}"));
    let places: Vec<PlaceId> = (0..num_places)
        .map(|index| builder.place(format!("p{index}"), if index == 0 { tokens } else { 0 }))
        .collect();
    for index in 0..num_places {
        let step = builder.transition(format!("t{index}"));
        builder.input(step, places[index], 1);
        builder.output(step, places[(index + 1) % num_places], 1);
    }
    builder.build().expect("the family should be well-formed")
}

/// Independent bits that can be set and cleared: `2^num` markings.
pub fn bits(num: usize) -> Net {
    let mut builder = NetBuilder::new(format!("bits-{num}"));
    for index in 0..num {
        let (zero, one) = (builder.place(format!("zero{index}"), 1), builder.place(format!("one{index}"), 0));
        let (set, clear) =
            (builder.transition(format!("set{index}")), builder.transition(format!("clear{index}")));
        builder.input(set, zero, 1);
        builder.output(set, one, 1);
        builder.input(clear, one, 1);
        builder.output(clear, zero, 1);
    }
    builder.build().expect("the family should be well-formed")
}
