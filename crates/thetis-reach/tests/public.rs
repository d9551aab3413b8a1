//! The explicit engine on the public nets, when they are there.
//!
//! A sample by default; all rows with `THETIS_ROWS=all`, seconds per row in `THETIS_SECONDS`. A wrong answer fails the test, a
//! missing one does not.

use std::path::{Path, PathBuf};
use std::time::Duration;

use thetis_base::{Budget, Diagnostics, Run, SourceMap};
use thetis_checker::certify;
use thetis_engine::Engine;
use thetis_model::petri::{Net, PetriProof};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_reach::{Explicit, ExplicitConfig};
use thetis_solver::{CoreSolver, SolverError, SolverFactory};

/// Evidence of nets is checked without solvers.
struct NoSolver;

impl SolverFactory for NoSolver {
    fn name(&self) -> &str {
        "none"
    }

    fn start(&self, _run: &Run) -> Result<Box<dyn CoreSolver>, SolverError> {
        panic!("the checker of nets should not start a solver")
    }
}

struct Row {
    path: String,
    expected: String,
    property: String,
}

/// The fields of a line with the usual double-quote escaping.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                fields.last_mut().expect("there is a field").push('"');
            }
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(String::new()),
            c => fields.last_mut().expect("there is a field").push(c),
        }
    }
    fields
}

fn rows(folder: &Path) -> Option<Vec<Row>> {
    let manifest = std::fs::read_to_string(folder.join("manifest.csv")).ok()?;
    let rows = manifest.lines().map(fields).filter(|fields| fields.len() > 4 && fields[1] == "petri");
    Some(rows.map(|f| Row { path: f[0].clone(), expected: f[3].clone(), property: f[4].clone() }).collect())
}

/// The task of a row, or why it is rejected.
fn task(folder: &Path, row: &Row) -> Result<Task<Net>, String> {
    let text = std::fs::read_to_string(folder.join(&row.path)).map_err(|error| error.to_string())?;
    let mut sources = SourceMap::new();
    let file = sources.add(row.path.clone(), text);
    let property = sources.add("property", row.property.clone());
    let mut diags = Diagnostics::new();
    let parsed = thetis_pnml::pnml::parse(&sources, file, &mut diags).and_then(|net| {
        let property = thetis_pnml::property::parse(&sources, property, &net, &mut diags)?;
        Ok(thetis_pnml::task(net, property))
    });
    parsed.map_err(|_| diags.iter().map(|one| one.message.clone()).collect::<Vec<_>>().join("; "))
}

fn answer(verdict: &Verdict<Net>) -> String {
    match verdict {
        Verdict::Safe(Evidence::Given(PetriProof::StateSpace { num_markings })) => {
            format!("states:{num_markings}")
        }
        Verdict::Safe(_) => "safe".into(),
        Verdict::Unsafe(_) => "unsafe".into(),
        Verdict::Unknown(reason) => format!("unknown ({reason})"),
    }
}

fn agrees(row: &Row, verdict: &Verdict<Net>) -> bool {
    match (row.expected.as_str(), verdict) {
        ("unknown", _) | (_, Verdict::Unknown(_)) => true,
        ("reachable" | "unsafe" | "fails", Verdict::Unsafe(_)) => true,
        ("unreachable" | "safe" | "holds", Verdict::Safe(_)) => true,
        (states, verdict) => states == answer(verdict),
    }
}

#[derive(Default)]
struct Tally {
    answered: usize,
    unknown: usize,
    rejected: usize,
    unstated: usize,
    wrong: Vec<String>,
}

#[test]
fn public_nets_are_answered_rightly() {
    let folder: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/benchmarks");
    let Some(rows) = rows(&folder) else {
        println!("skipped: the public nets are not there");
        return;
    };
    let all = std::env::var("THETIS_ROWS").is_ok_and(|value| value == "all");
    let seconds = std::env::var("THETIS_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    let budget =
        Budget { wall: Some(Duration::from_secs(seconds)), memory: Some(4 << 30), ..Budget::default() };
    let mut tally = Tally::default();
    for row in rows.iter().step_by(if all { 1 } else { 29 }) {
        let task = match task(&folder, row) {
            Ok(task) => task,
            Err(words) => {
                println!("rejected {} [{}]: {words}", row.path, row.property);
                tally.rejected += 1;
                continue;
            }
        };
        let mut engine = Explicit::new(ExplicitConfig::default());
        let verdict = match engine.check(&task, &Run::new(budget)) {
            Ok(verdict) => verdict,
            Err(stop) => Verdict::Unknown(stop.into()),
        };
        let was_unknown = matches!(verdict, Verdict::Unknown(_));
        let certified = certify(&task, verdict, &NoSolver, &Run::new(budget))
            .map_or_else(|stop| Verdict::Unknown(stop.into()), |certified| certified.verdict);
        let is_rejected = matches!(certified, Verdict::Unknown(Reason::CertificateRejected(_)));
        println!(
            "{} {} [{:.60}] {} {}",
            row.expected,
            row.path,
            row.property,
            answer(&certified),
            if was_unknown { "" } else { "(answered)" }
        );
        if !agrees(row, &certified) || is_rejected {
            tally.wrong.push(format!("{} [{}]: {}", row.path, row.property, answer(&certified)));
        } else if row.expected == "unknown" {
            tally.unstated += 1;
        } else if matches!(certified, Verdict::Unknown(_)) {
            tally.unknown += 1;
        } else {
            tally.answered += 1;
        }
    }
    println!(
        "{} answered, {} unknown, {} rejected, {} without stated verdict, {} wrong",
        tally.answered,
        tally.unknown,
        tally.rejected,
        tally.unstated,
        tally.wrong.len()
    );
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
}
