//! Many inputs for one target, each target in a process of its own, so that an overflow of the stack ends one of them only.

use std::collections::HashSet;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use thetis_fuzz::corpus;
use thetis_fuzz::mutator::{Mutator, Tokens};
use thetis_fuzz::targets::{Effect, Target};

use crate::findings::{Finding, keep};

/// How many inputs are kept for further changes.
const MAX_CORPUS: usize = 5000;
/// A target with this many findings is left.
const MAX_FINDINGS: usize = 5;
const MAX_MEMORY: u64 = 2 << 30;
const MAX_TIME: Duration = Duration::from_secs(20);

/// How many inputs, for how long, which ones.
#[derive(Clone)]
pub(crate) struct Campaign {
    count: u64,
    time: Duration,
    seed: u64,
    max_length: usize,
}

impl Campaign {
    pub(crate) fn read(count: &str, seconds: &str, seed: &str, max_length: &str) -> Result<Campaign, String> {
        let number = |text: &str| text.parse::<u64>().map_err(|_| format!("`{text}` is no number"));
        Ok(Campaign {
            count: number(count)?,
            time: Duration::from_secs(number(seconds)?),
            seed: number(seed)?,
            max_length: number(max_length)? as usize,
        })
    }

    /// Runs all targets; returns the number of findings.
    pub(crate) fn run(&self, targets: &[&Target]) -> usize {
        let findings: usize = targets.iter().map(|target| self.run_target(target)).sum();
        println!("{} targets, {findings} findings", targets.len());
        findings
    }

    fn run_target(&self, target: &Target) -> usize {
        let current = artifacts().join(format!("{}.current", target.name));
        for findings in 0..MAX_FINDINGS {
            let seed = self.seed + findings as u64;
            let numbers = [self.count, self.time.as_secs(), seed, self.max_length as u64]
                .map(|number| number.to_string());
            let mut command = Command::new(std::env::current_exe().expect("this program should have a path"));
            let status = command.args(["--here", target.name]).args(numbers).arg(&current).status();
            if status.expect("this program should start again").success() {
                let _ = std::fs::remove_file(&current);
                return findings;
            }
            keep(target, &Finding::read(&current));
        }
        MAX_FINDINGS
    }
}

/// Where findings are left.
pub(crate) fn artifacts() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts");
    std::fs::create_dir_all(&folder).expect("the folder for findings should be there");
    folder
}

/// One input; a panic ends the process.
pub(crate) fn run_once(target: &Target, file: &Path) -> usize {
    let bytes = std::fs::read(file).expect("the input should be readable");
    let watch = Watch::start();
    on_thread(target, move |target| watch.over(0, || (target.check)(&bytes)));
    0
}

/// The inputs of one target, each of which is in `current` while it is tried.
pub(crate) fn run_here(target: &Target, campaign: &Campaign, current: &Path) -> usize {
    let file = std::fs::File::create(current).expect("the current input should be writable");
    let campaign = campaign.clone();
    let watch = Watch::start();
    on_thread(target, move |target| try_all(target, &campaign, &file, watch));
    0
}

/// On a thread with the usual stack of a main thread.
fn on_thread<T: Send + 'static>(target: &Target, work: impl FnOnce(&Target) -> T + Send + 'static) {
    let target = Target { name: target.name, check: target.check, endings: target.endings };
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(move || work(&target));
    if thread.expect("a thread should start").join().is_err() {
        std::process::abort();
    }
}

fn try_all(target: &Target, campaign: &Campaign, file: &std::fs::File, watch: &'static Watch) {
    let mut mutator = Mutator::new(campaign.seed);
    let mut corpus: Vec<Tokens> = corpus::seeds(target).iter().map(|seed| mutator.tokens(seed)).collect();
    let mut effects = HashSet::new();
    let (start, mut slowest, mut tried) = (Instant::now(), Duration::ZERO, 0);
    while tried < campaign.count && (tried % 64 != 0 || start.elapsed() < campaign.time) {
        let bytes = mutator.change(&corpus, campaign.max_length);
        Finding::write(file, &bytes);
        let begin = Instant::now();
        let effect = watch.over(tried, || (target.check)(&bytes));
        slowest = slowest.max(begin.elapsed());
        if effects.insert(without_names(&effect)) && corpus.len() < MAX_CORPUS {
            let tokens = mutator.tokens(&bytes);
            corpus.push(tokens);
        }
        tried += 1;
    }
    println!(
        "{}: {tried} inputs in {:.0} s, {} kinds of effects, slowest {:.2} s",
        target.name,
        start.elapsed().as_secs_f64(),
        effects.len(),
        slowest.as_secs_f64()
    );
}

/// An effect without what inputs have put into it: names in backticks and numbers.
fn without_names(effect: &Effect) -> String {
    let outside = effect.split('`').step_by(2);
    outside.flat_map(|part| part.chars().filter(|character| !character.is_ascii_digit())).take(400).collect()
}

/// Ends the process if an input takes too long or too much memory.
struct Watch {
    /// The number of the input that is tried, plus one, and 0 between inputs.
    tried: AtomicU64,
}

impl Watch {
    fn start() -> &'static Watch {
        let watch: &'static Watch = Box::leak(Box::new(Watch { tried: AtomicU64::new(0) }));
        std::thread::spawn(|| watch.look());
        watch
    }

    fn over<T>(&self, number: u64, work: impl FnOnce() -> T) -> T {
        self.tried.store(number + 1, Ordering::Relaxed);
        let result = work();
        self.tried.store(0, Ordering::Relaxed);
        result
    }

    fn look(&self) {
        let (mut last, mut since) = (0, Instant::now());
        loop {
            std::thread::sleep(Duration::from_millis(100));
            let tried = self.tried.load(Ordering::Relaxed);
            if tried != last || tried == 0 {
                (last, since) = (tried, Instant::now());
            }
            if since.elapsed() > MAX_TIME {
                eprintln!("the input takes too long");
                std::process::abort();
            }
            if resident() > MAX_MEMORY {
                eprintln!("the input takes too much memory");
                std::process::abort();
            }
        }
    }
}

/// How many bytes of memory this process has.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok()).unwrap_or(0) * 4096
}

impl Finding {
    /// Puts an input where it survives the end of the process.
    fn write(file: &std::fs::File, bytes: &[u8]) {
        let mut content = (bytes.len() as u64).to_le_bytes().to_vec();
        content.extend_from_slice(bytes);
        file.write_all_at(&content, 0).expect("the current input should be writable");
    }
}
