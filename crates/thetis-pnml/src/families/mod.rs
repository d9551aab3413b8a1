//! Petri nets from the literature on state-equation methods, with a question about each.
//!
//! The families with a parameter are textbook models: a flexible manufacturing system, a kanban line, dining
//! philosophers, a slotted ring, a binary counter. `distant` and `chain` need invariants that lend tokens to one another.
//! Where only sizes and results are published, the net was rebuilt to fit them; the functions say so.

mod named;
mod sizes;

use thetis_model::Task;
use thetis_model::petri::{Net, NetBuilder, PetriProperty, PlaceId, Predicate, Question, Relation};

use named::Named;
pub use sizes::NetFamily;

/// A net from short text: places `p0, p1, …` with these tokens and transitions `t0, t1, …`, each as in
/// `"2p1 !p3 -> p0 2p1"`: takes two tokens from `p1` and gives them back, is inhibited by `p3`, and gives one to `p0`.
///
/// # Panics
/// If the text is not of this form.
pub fn small_net(tokens: &[u64], transitions: &[&str]) -> Net {
    let mut builder = NetBuilder::new("small");
    let places: Vec<PlaceId> = tokens
        .iter()
        .enumerate()
        .map(|(number, tokens)| builder.place(format!("p{number}"), *tokens))
        .collect();
    for (number, text) in transitions.iter().enumerate() {
        let transition = builder.transition(format!("t{number}"));
        let (before, after) = text.split_once("->").expect("a transition should have an arrow");
        for word in before.split_whitespace() {
            match word.strip_prefix('!') {
                Some(word) => {
                    let (weight, place) = arc(word);
                    builder.inhibitor(transition, places[place], weight);
                }
                None => {
                    let (weight, place) = arc(word);
                    builder.input(transition, places[place], weight);
                }
            }
        }
        for word in after.split_whitespace() {
            let (weight, place) = arc(word);
            builder.output(transition, places[place], weight);
        }
    }
    builder.build().expect("a small net should be valid")
}

/// Can exactly this marking be reached?
pub fn reach_marking(net: Net, tokens: &[u64]) -> Task<Net> {
    let equal = |(place, tokens): (PlaceId, &u64)| Predicate::place(place, Relation::Equal, *tokens as i64);
    let target = Predicate::And(net.place_ids().zip(tokens).map(equal).collect());
    reach(net, target)
}

/// Can a marking that satisfies `target` be reached?
pub fn reach(net: Net, target: Predicate) -> Task<Net> {
    let property = PetriProperty::new(&net, Question::Exists(target));
    crate::task(net, property)
}

/// A flexible manufacturing system with `n` parts of each of three kinds: can all parts be done at once?
pub fn fms(n: u64) -> Task<Net> {
    let mut named = Named::new("FMS");
    for (place, tokens) in [("P1", n), ("P2", n), ("P3", n), ("M1", 3), ("M2", 1), ("M3", 2)] {
        named.place(place, tokens);
    }
    for (name, before, after) in [
        ("tP1", "P1", "P1wM1"),
        ("tM1", "P1wM1 M1", "P1M1"),
        ("tP1M1", "P1M1", "P1d M1"),
        ("tP1e", "P1d", "P1s"),
        ("tP1j", "P1d", "P1wP2"),
        ("tP1s", "P1s", "P1"),
        ("tP2", "P2", "P2wM2"),
        ("tM2", "P2wM2 M2", "P2M2"),
        ("tP2M2", "P2M2", "P2d M2"),
        ("tP2e", "P2d", "P2s"),
        ("tP2j", "P2d", "P2wP1"),
        ("tP2s", "P2s", "P2"),
        ("tx", "P1wP2 P2wP1", "P12"),
        ("tP12", "P12", "P12wM3"),
        ("tM3", "P12wM3 M3", "P12M3"),
        ("tP12M3", "P12M3", "P12s M3"),
        ("tP12s", "P12s", "P1 P2"),
        ("tP3", "P3 M2", "P3M2"),
        ("tP3M2", "P3M2", "P3s M2"),
        ("tP3s", "P3s", "P3"),
    ] {
        named.transition(name, before, after);
    }
    named.ask(&[("P1s", n), ("P2s", n), ("P3s", n), ("M1", 3), ("M2", 1), ("M3", 2)])
}

/// A kanban line with `n` cards in each of four cells: can all cells be full of finished parts?
pub fn kanban(n: u64) -> Task<Net> {
    let mut named = Named::new("Kanban");
    for cell in 1..=4 {
        named.place(&format!("kan{cell}"), n);
        named.transition(&format!("redo{cell}"), &format!("m{cell}"), &format!("back{cell}"));
        named.transition(&format!("ok{cell}"), &format!("m{cell}"), &format!("out{cell}"));
        named.transition(&format!("again{cell}"), &format!("back{cell}"), &format!("m{cell}"));
    }
    named.transition("in1", "kan1", "m1");
    named.transition("split", "out1 kan2 kan3", "kan1 m2 m3");
    named.transition("join", "out2 out3 kan4", "kan2 kan3 m4");
    named.transition("out4", "out4", "kan4");
    named.ask(&[("out1", n), ("out2", n), ("out3", n), ("out4", n)])
}

/// `n` dining philosophers: can every second one eat?
pub fn dphil(n: u64) -> Task<Net> {
    let mut named = Named::new("Dphil");
    for i in 0..n {
        named.place(&format!("idle{i}"), 1);
        named.place(&format!("fork{i}"), 1);
    }
    for i in 0..n {
        let right = (i + 1) % n;
        named.transition(&format!("hungry{i}"), &format!("idle{i}"), &format!("wantl{i} wantr{i}"));
        named.transition(&format!("left{i}"), &format!("wantl{i} fork{i}"), &format!("hasl{i}"));
        named.transition(&format!("right{i}"), &format!("wantr{i} fork{right}"), &format!("hasr{i}"));
        named.transition(
            &format!("release{i}"),
            &format!("hasl{i} hasr{i}"),
            &format!("idle{i} fork{i} fork{right}"),
        );
    }
    let mut goal = Vec::new();
    for i in 0..n {
        let parts: &[&str] = if i % 2 == 0 && i + 1 < n { &["hasl", "hasr"] } else { &["idle"] };
        goal.extend(parts.iter().map(|part| (format!("{part}{i}"), 1)));
    }
    if n % 2 == 1 {
        goal.push((format!("fork{}", n - 1), 1));
    }
    let goal: Vec<(&str, u64)> = goal.iter().map(|(name, tokens)| (name.as_str(), *tokens)).collect();
    named.ask(&goal)
}

/// A slotted ring of `n` nodes, rebuilt to the published size: can all nodes have sent at once?
pub fn slotted_ring(n: u64) -> Task<Net> {
    let mut named = Named::new("SlottedRing");
    for i in 0..n {
        named.place(&format!("A{i}"), 1);
        named.place(&format!("E{i}"), 1);
    }
    for i in 0..n {
        let next = (i + 1) % n;
        for (name, before, after) in [
            ("getfree", format!("A{i}"), format!("C{i}")),
            ("getused", format!("B{i}"), format!("D{i}")),
            ("want", format!("E{i}"), format!("F{i}")),
            ("write", format!("C{i} F{i}"), format!("G{i} H{i}")),
            ("pass", format!("C{i} E{i}"), format!("E{i} A{next}")),
            ("put", format!("H{i}"), format!("B{next}")),
            ("other", format!("D{i} E{i}"), format!("E{i} H{i}")),
            ("owner", format!("D{i} G{i}"), format!("C{i} E{i}")),
        ] {
            named.transition(&format!("{name}{i}"), &before, &after);
        }
    }
    let goal: Vec<(String, u64)> =
        (0..n).flat_map(|i| [(format!("G{i}"), 1), (format!("B{i}"), 1)]).collect();
    let goal: Vec<(&str, u64)> = goal.iter().map(|(name, tokens)| (name.as_str(), *tokens)).collect();
    named.ask(&goal)
}

/// A binary counter of `n` bits with inhibitor arcs: can it count from zero to all ones?
pub fn counter(n: u64) -> Task<Net> {
    let mut builder = NetBuilder::new("Counter");
    let bits: Vec<PlaceId> = (0..n).map(|bit| builder.place(format!("bit{bit}"), 0)).collect();
    for (number, bit) in bits.iter().enumerate() {
        let t = builder.transition(format!("set{number}"));
        bits[..number].iter().for_each(|lower| builder.input(t, *lower, 1));
        builder.inhibitor(t, *bit, 1);
        builder.output(t, *bit, 1);
    }
    let reset = builder.transition("reset");
    bits.iter().for_each(|bit| builder.input(reset, *bit, 1));
    let net = builder.build().expect("the counter should be valid");
    let ones = vec![1; bits.len()];
    reach_marking(net, &ones)
}

/// Nets that need distant invariants, 1 to 7. Numbers 1 and 3 are published as drawings; the others are ours, each with
/// another difficulty: one more stage, a longer chain, two lenders, weights, and all of these together.
///
/// # Panics
/// If there is no such net.
pub fn distant(number: u32) -> Task<Net> {
    let (tokens, transitions): (&[u64], &[&str]) = match number {
        1 => (&[0, 1, 0], &["2p1 -> p0 2p1", "p2 -> p1", "p1 -> p2", "-> p2", "p2 ->"]),
        2 => (
            &[0, 1, 0, 0],
            &["2p1 -> p0 2p1", "p2 -> p1", "p1 -> p2", "p3 -> p2", "p2 -> p3", "-> p3", "p3 ->"],
        ),
        3 => (
            &[0, 1, 0, 0, 2],
            &["3p1 -> p0 3p1", "p2 -> p1", "p1 -> p2", "p3 -> p2", "p2 -> p3", "p4 -> p3", "p3 -> p4"],
        ),
        4 => (
            &[0, 1, 0, 0, 0, 1],
            &[
                "2p1 -> p0 2p1",
                "p2 -> p1",
                "p1 -> p2",
                "p3 -> p2",
                "p2 -> p3",
                "p4 -> p3",
                "p3 -> p4",
                "p5 -> p4",
                "p4 -> p5",
            ],
        ),
        5 => (
            &[0, 1, 0, 1, 1],
            &["3p1 -> p0 3p1", "p2 -> p1", "p1 -> p2", "p3 -> p2", "p2 -> p3", "p4 -> p2", "p2 -> p4"],
        ),
        6 => (
            &[0, 1, 0, 0],
            &["2p1 -> p0 2p1", "p2 -> p1", "p1 -> p2", "p3 -> 2p2", "2p2 -> p3", "-> p3", "p3 ->"],
        ),
        7 => (
            &[0, 1, 0, 0, 2, 0, 1],
            &[
                "4p1 -> p0 4p1",
                "p2 -> p1",
                "p1 -> p2",
                "p3 -> p2",
                "p2 -> p3",
                "p4 -> p3",
                "p3 -> p4",
                "p5 -> p2",
                "p2 -> p5",
                "p6 -> p5",
                "p5 -> p6",
            ],
        ),
        _ => panic!("there are seven such nets"),
    };
    let mut goal = tokens.to_vec();
    goal[0] = 1;
    reach_marking(small_net(tokens, transitions), &goal)
}

/// In which order the places and transitions of a chain are declared. Searches that stop at the first answer depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChainOrder {
    /// From the place that lacks tokens on.
    Forward,
    /// From the other end; the published tables mark such chains with an asterisk.
    Backward,
}

/// A chain of `n` empty places and `k` places with one token, along which tokens move both ways: can a transition that
/// needs `k` tokens on the first place fire? Rebuilt from the published costs of the smallest solutions.
pub fn chain(n: usize, k: usize, order: ChainOrder) -> Task<Net> {
    let links = n + k;
    let position = |link: usize| match order {
        ChainOrder::Forward => link,
        ChainOrder::Backward => links - link,
    };
    let place = |link: usize| format!("p{}", position(link));
    let mut tokens = vec![0; links + 1];
    (n + 1..=links).for_each(|link| tokens[position(link)] = 1);
    let first = place(1);
    let mut transitions = vec![format!("{k}{first} -> {} {k}{first}", place(0))];
    for link in 1..links {
        transitions.push(format!("{} -> {}", place(link + 1), place(link)));
        transitions.push(format!("{} -> {}", place(link), place(link + 1)));
    }
    if order == ChainOrder::Backward {
        transitions.reverse();
    }
    let transitions: Vec<&str> = transitions.iter().map(String::as_str).collect();
    let mut goal = tokens.clone();
    goal[position(0)] = 1;
    reach_marking(small_net(&tokens, &transitions), &goal)
}

fn arc(word: &str) -> (u64, usize) {
    let (weight, place) = word.split_once('p').expect("an arc should name a place");
    let weight = if weight.is_empty() { 1 } else { weight.parse().expect("a weight should be a number") };
    (weight, place.parse().expect("a place should be a number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Places, transitions and arcs as published.
    #[test]
    fn sizes() {
        for (task, expected) in [
            (fms(10), (22, 20, 50)),
            (kanban(10), (16, 16, 40)),
            (dphil(10), (60, 40, 140)),
            (slotted_ring(10), (80, 80, 240)),
            (counter(10), (10, 11, 75)),
            (distant(1), (3, 5, 9)),
        ] {
            let net = &task.model;
            let size = (net.places().len(), net.transitions().len(), net.num_arcs());
            assert_eq!(size, expected, "{}", net.name());
        }
    }
}
