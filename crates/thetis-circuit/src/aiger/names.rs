//! Names of inputs and latches: those of the symbol table as far as possible, all different.

use rustc_hash::FxHashSet;

use super::raw::{Named, Raw};

/// The names of all inputs and of all latches.
pub(super) fn names(raw: &Raw) -> (Vec<String>, Vec<String>) {
    let mut inputs: Vec<Option<&str>> = vec![None; raw.inputs.len()];
    let mut latches: Vec<Option<&str>> = vec![None; raw.latches.len()];
    for (named, name) in &raw.symbols {
        match named {
            Named::Input(number) => inputs[*number as usize] = Some(name),
            Named::Latch(number) => latches[*number as usize] = Some(name),
            Named::Other => {}
        }
    }
    let mut taken = FxHashSet::default();
    let mut choose = |letter: char, symbols: Vec<Option<&str>>| -> Vec<String> {
        let name = |(number, symbol): (usize, Option<&str>)| match symbol.map(plain) {
            Some(name) if !name.is_empty() => name,
            _ => format!("{letter}{number}"),
        };
        symbols.into_iter().enumerate().map(name).map(|name| unique(name, &mut taken)).collect()
    };
    (choose('i', inputs), choose('l', latches))
}

/// The name with characters that are special in other formats replaced.
fn plain(name: &str) -> String {
    let is_plain = |c: &char| c.is_alphanumeric() || "_.[]:$/-".contains(*c);
    name.chars().map(|c| if is_plain(&c) { c } else { '_' }).collect()
}

fn unique(name: String, taken: &mut FxHashSet<String>) -> String {
    let mut unique = name.clone();
    let mut number = 2;
    while !taken.insert(unique.clone()) {
        unique = format!("{name}_{number}");
        number += 1;
    }
    unique
}
