//! Reads the scripts given as arguments and prints for each what it is, or where it is rejected.

#![allow(clippy::print_stdout, reason = "a tool for developers that talks to its terminal")]

use thetis_base::{Diagnostics, SourceMap};
use thetis_script::{Input, horn, parse};

fn main() {
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let mut sources = SourceMap::new();
        let file = sources.add(&path, text);
        let mut diags = Diagnostics::new();
        match parse(&sources, file, &mut diags) {
            Ok(Input::Script(script)) => println!("{path}: {} assertions", script.assertions.len()),
            Ok(Input::Clauses(clauses)) => match horn::encode(&clauses) {
                Some((task, _)) => {
                    let cfa = &task.model;
                    println!(
                        "{path}: {} predicates, {} clauses, {} variables",
                        clauses.predicates.len(),
                        clauses.clauses.len(),
                        cfa.vars.len()
                    );
                }
                None => println!("{path}: {} clauses, not linear", clauses.clauses.len()),
            },
            Err(_) => {
                let first = diags.iter().next().map(|first| (sources.start(first.span), &first.message));
                if let Some((start, message)) = first {
                    println!("{path}:{}:{}: {message}", start.line, start.column);
                }
            }
        }
    }
}
