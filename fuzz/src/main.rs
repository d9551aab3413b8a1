//! Changed examples for every parser: see the README of this folder.

mod campaign;
mod findings;

use std::path::PathBuf;
use std::process::ExitCode;

use campaign::{Campaign, run_here, run_once};
use thetis_fuzz::targets::{TARGETS, Target};

const USAGE: &str = "\
usage: mutate [--count N] [--seconds S] [--seed N] [--max-length N] [TARGET...]

Changed examples for the targets, all of them if none is named: N inputs each, or as many as can be tried in S seconds.
A finding is a panic, an abort, more than 2 GB of memory, or more than 20 s for one input. It is made small and left in `artifacts`.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // Inside a campaign: one input, or the inputs of one target.
        ["--once", target, file] => named(target).map(|target| run_once(target, &PathBuf::from(file))),
        ["--here", target, count, seconds, seed, max_length, current] => {
            Campaign::read(count, seconds, seed, max_length)
                .and_then(|campaign| Ok(run_here(named(target)?, &campaign, &PathBuf::from(current))))
        }
        _ => options(&arguments).map(|(campaign, targets)| campaign.run(&targets)),
    };
    match outcome {
        Ok(0) => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn named(name: &str) -> Result<&'static Target, String> {
    TARGETS.iter().find(|target| target.name == name).ok_or_else(|| {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        format!("there is no target `{name}`, only {}", names.join(", "))
    })
}

fn options(arguments: &[String]) -> Result<(Campaign, Vec<&'static Target>), String> {
    let mut values = ["1000000", "1000000", "1", "1500"].map(str::to_owned);
    let mut targets = Vec::new();
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let options = ["--count", "--seconds", "--seed", "--max-length"];
        match options.iter().position(|option| option == argument) {
            Some(index) => values[index] = arguments.next().ok_or(USAGE)?.clone(),
            None if argument.starts_with('-') => return Err(USAGE.to_owned()),
            None => targets.push(named(argument)?),
        }
    }
    if targets.is_empty() {
        targets = TARGETS.iter().collect();
    }
    let [count, seconds, seed, max_length] = values;
    Ok((Campaign::read(&count, &seconds, &seed, &max_length)?, targets))
}
