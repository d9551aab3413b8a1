//! Random nets survive both formats; damaged texts give errors with positions, never a panic.

use thetis_base::{Diagnostics, SourceMap};
use thetis_model::petri::{Marking, Net, PetriProperty};
use thetis_pnml::{net, pnml, property};
use thetis_testkit::petri::{NetShape, random_net};

fn parse_pnml(text: &str) -> Result<Net, Diagnostics> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.pnml", text);
    let mut diags = Diagnostics::new();
    pnml::parse(&sources, file, &mut diags).map_err(|_| diags)
}

fn parse_net(text: &str) -> Result<net::NetFile, Diagnostics> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.net", text);
    let mut diags = Diagnostics::new();
    net::parse(&sources, file, &mut diags).map_err(|_| diags)
}

/// Whether two properties of nets with the same places ask the same, as far as some markings tell.
fn same_target(net: &Net, left: &PetriProperty, right: &PetriProperty) -> bool {
    let mut rng = fastrand::Rng::with_seed(1);
    let marking =
        |rng: &mut fastrand::Rng| Marking::new(net.places().iter().map(|_| rng.u64(0..4)).collect());
    (0..50).all(|_| {
        let marking = marking(&mut rng);
        left.target(net).holds(net, &marking) == right.target(net).holds(net, &marking)
    })
}

#[test]
fn random_nets_survive_both_formats() {
    for seed in 0..500 {
        let task = random_net(seed, NetShape::default());
        let text = net::print(&task.model, std::slice::from_ref(&task.property));
        let again = parse_net(&text).unwrap_or_else(|diags| panic!("seed {seed}: {diags:?}\n{text}"));
        assert_eq!(net::print(&again.net, &[]), net::print(&task.model, &[]), "seed {seed}");
        assert!(same_target(&task.model, &task.property, &again.targets[0]), "seed {seed}: {text}");
        let from_pnml =
            parse_pnml(&pnml::print(&task.model)).unwrap_or_else(|diags| panic!("seed {seed}: {diags:?}"));
        assert_eq!(net::print(&from_pnml, &[]), net::print(&task.model, &[]), "seed {seed}");
        let mut sources = SourceMap::new();
        let file = sources.add("property", task.property.to_string());
        let mut diags = Diagnostics::new();
        let parsed = property::parse(&sources, file, &from_pnml, &mut diags)
            .unwrap_or_else(|_| panic!("seed {seed}: {} {diags:?}", task.property));
        assert!(same_target(&task.model, &task.property, &parsed), "seed {seed}");
    }
}

/// A text with a few bytes changed, removed or repeated; always valid UTF-8.
fn damaged(text: &str, rng: &mut fastrand::Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..rng.usize(1..4) {
        let at = rng.usize(0..bytes.len());
        let end = (at + rng.usize(1..20)).min(bytes.len());
        match rng.u32(0..4) {
            0 => bytes[at] = b"<>/=\"'& a0-*#\n"[rng.usize(0..14)],
            1 => drop(bytes.drain(at..end)),
            2 => {
                let part = bytes[at..end].to_vec();
                let to = rng.usize(0..bytes.len());
                bytes.splice(to..to, part);
            }
            _ => bytes.truncate(at.max(1)),
        }
        if bytes.is_empty() {
            bytes.push(b' ');
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn damaged_texts_do_no_harm() {
    let mut rng = fastrand::Rng::with_seed(7);
    let (mut num_accepted, mut num_rejected) = (0, 0);
    for seed in 0..3_000 {
        let task = random_net(seed % 50, NetShape::default());
        let text = damaged(&pnml::print(&task.model), &mut rng);
        match parse_pnml(&text) {
            Ok(found) => {
                num_accepted += 1;
                assert!(parse_pnml(&pnml::print(&found)).is_ok(), "{text}");
            }
            Err(diags) => {
                num_rejected += 1;
                assert!(diags.iter().all(|one| one.span.end as usize <= text.len()), "{diags:?}");
            }
        }
        let text = damaged(&net::print(&task.model, std::slice::from_ref(&task.property)), &mut rng);
        if let Ok(file) = parse_net(&text) {
            let printed = net::print(&file.net, &file.targets);
            let again = parse_net(&printed).unwrap_or_else(|diags| panic!("{diags:?}\n{printed}"));
            assert_eq!(net::print(&again.net, &again.targets), printed);
        }
    }
    assert!(num_accepted > 50 && num_rejected > 500, "{num_accepted} accepted, {num_rejected} rejected");
}
