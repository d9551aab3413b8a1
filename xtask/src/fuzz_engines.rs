//! `cargo xtask fuzz-engines`: all engines on random models for some minutes.

use std::path::Path;
use std::process::Command;

/// Runs the test `agreement` of the portfolio for this number of minutes, from `seed` on if that is given.
pub(crate) fn run(root: &Path, minutes: &str, seed: Option<&str>) -> Result<(), String> {
    let minutes: f64 = minutes.parse().map_err(|_| format!("`{minutes}` is no number of minutes"))?;
    let seconds = (minutes * 60.0) as u64;
    let seed = match seed {
        Some(seed) => seed.to_owned(),
        // New models each time; the seed is printed.
        None => std::time::UNIX_EPOCH.elapsed().map_err(|error| error.to_string())?.as_secs().to_string(),
    };
    println!("random models from seed {seed} for {seconds} s");
    let status = Command::new(env!("CARGO"))
        .current_dir(root)
        .args(["test", "-p", "thetis-portfolio", "--test", "agreement", "--", "--nocapture"])
        .env("THETIS_FUZZ_SECONDS", seconds.to_string())
        .env("THETIS_FUZZ_SEED", seed)
        .status()
        .map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err("the engines do not agree with exhaustive search".to_owned()) }
}
