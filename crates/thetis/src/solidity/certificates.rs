//! Certificates of contracts: the evidence for all functions of a file, and its check.
//!
//! For each function, the file contains what was decided: sets of checks, each with a certificate. Checks are
//! identified by the numbers of their locations in the function's automaton, which is the same whenever the same text
//! is translated with the same options. To check the file, the contracts are translated again and nothing in the file
//! is trusted: a check holds only if the checker accepts its certificate, and a function is safe only if every one of
//! its checks holds.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thetis_base::counted;
use thetis_checker::certify;
use thetis_model::cfa::{Cfa, LocId};
use thetis_model::{Evidence, Task, Verdict};
use thetis_report::{Certificate, fingerprint, read_certificate};
use thetis_solidity::{Arithmetic, Callees, Check, CheckKind, FunctionOutcome, FunctionTask, Options};

use crate::exit::Exit;
use crate::failure::Failure;
use crate::session::Session;

use super::render::{named, under};
use super::verify::{FunctionReport, Verifier, assumptions};
use super::{ContractReport, Contracts};

const FORMAT: &str = "thetis-function-certificates";
const VERSION: u32 = 1;

/// The certificates of all functions of a file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct Certificates {
    format: String,
    version: u32,
    model_sha256: String,
    arithmetic: String,
    callees: String,
    functions: Vec<FunctionCertificate>,
}

/// What is known about one function.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct FunctionCertificate {
    name: String,
    /// Guesses about loops that were dropped.
    rejected: Vec<usize>,
    answers: Vec<AnswerCertificate>,
}

/// An answer about some checks.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct AnswerCertificate {
    /// The numbers of locations.
    checks: Vec<usize>,
    certificate: Value,
}

/// The result of checking the evidence for a function.
enum Examined {
    Safe,
    /// Checks that fail.
    Unsafe(Vec<Check>),
    /// Nothing, with the reason.
    Unknown(String),
}

impl ContractReport<'_> {
    /// The certificates of all functions that were decided.
    pub(super) fn certificates(&self) -> Value {
        let sha256 = self.fingerprint();
        let functions = self.functions.iter().map(|function| certificate_of(function, &sha256)).collect();
        let certificates = Certificates {
            format: FORMAT.to_owned(),
            version: VERSION,
            model_sha256: sha256,
            arithmetic: self.options.arithmetic.name().to_owned(),
            callees: self.options.callees.name().to_owned(),
            functions,
        };
        serde_json::to_value(certificates).expect("certificates should be representable as JSON")
    }

    fn fingerprint(&self) -> String {
        fingerprint_of(self.sources, self.files)
    }
}

/// The fingerprint of all texts of a program.
fn fingerprint_of(sources: &thetis_base::SourceMap, files: &[thetis_base::FileId]) -> String {
    let text: String = files.iter().map(|file| sources.file(*file).text()).collect();
    fingerprint(text.as_bytes())
}

fn certificate_of(function: &FunctionReport, sha256: &str) -> FunctionCertificate {
    let evidence = function.evidence.iter();
    let answers = evidence.clone().flat_map(|evidence| {
        evidence.answers.iter().filter_map(|answer| {
            let task = about(&evidence.task, &answer.checks);
            Some(AnswerCertificate {
                checks: answer.checks.iter().map(|check| check.index()).collect(),
                certificate: Certificate::new(&task, sha256, &answer.verdict)?.json(),
            })
        })
    });
    FunctionCertificate {
        name: function.name.clone(),
        rejected: evidence.clone().flat_map(|evidence| evidence.rejected.iter().copied()).collect(),
        answers: answers.collect(),
    }
}

/// The question whether one of some checks fails.
pub(super) fn about(task: &Task<Cfa>, checks: &BTreeSet<LocId>) -> Task<Cfa> {
    let mut task = task.clone();
    task.model.errors = checks.iter().copied().collect();
    task
}

impl Contracts {
    /// Checks certificates: a line for each function, and the overall verdict.
    pub(super) fn examine(&self, certificates: &str, session: &Session) -> Result<(String, Exit), Failure> {
        let certificates: Certificates =
            serde_json::from_str(certificates).map_err(|error| Failure::input(error.to_string()))?;
        if certificates.format != FORMAT || certificates.version != VERSION {
            return Err(Failure::input(format!("expected format `{FORMAT}` version {VERSION}")));
        }
        let sha256 = fingerprint_of(&self.sources, &self.files);
        if certificates.model_sha256 != sha256 {
            return Err(Failure::input("the certificates were made for another text"));
        }
        let (Some(arithmetic), Some(callees)) =
            (Arithmetic::by_name(&certificates.arithmetic), Callees::by_name(&certificates.callees))
        else {
            return Err(Failure::input("the certificates have unknown settings"));
        };
        let options = Options { arithmetic, callees, ..Options::default() };
        let verifier = self.verifier(&options, session);
        let functions = self.functions(&options)?;
        let mut stated = certificates.functions.iter();
        let (mut text, mut all, mut needed) = (String::new(), Vec::new(), Vec::new());
        for function in functions {
            let name = function.name.clone();
            if let FunctionOutcome::Translated(translated) = &function.outcome {
                needed.extend(assumptions(&translated.task));
            }
            let examined = match stated.next() {
                Some(stated) if stated.name == name => {
                    let examination = Examination { verifier: &verifier, sha256: &sha256, session };
                    examination.function(function, stated)?
                }
                _ => Examined::Unknown("there is no certificate".to_owned()),
            };
            text += &self.examined_line(&name, &examined);
            all.push(examined);
        }
        let exit = match () {
            () if all.iter().any(|examined| matches!(examined, Examined::Unsafe(_))) => Exit::Unsafe,
            () if all.iter().all(|examined| matches!(examined, Examined::Safe)) => Exit::Safe,
            () => Exit::Unknown,
        };
        let verdict = match exit {
            Exit::Safe => format!("safe{}", under(&named(&needed))),
            Exit::Unsafe => format!("unsafe{}", under(&named(&needed))),
            _ => "unknown:".to_owned(),
        };
        let functions = counted(all.len(), "function");
        text += &format!(
            "{verdict} the evidence about {functions} was examined (arithmetic {})\n",
            arithmetic.name()
        );
        Ok((text, exit))
    }

    fn examined_line(&self, name: &str, examined: &Examined) -> String {
        let name = thetis_base::printable(name);
        match examined {
            Examined::Safe => format!("{name}: safe\n"),
            Examined::Unknown(reason) => format!("{name}: unknown ({})\n", thetis_base::printable(reason)),
            Examined::Unsafe(checks) => {
                let lines = checks.iter().map(|check| {
                    let place = self.sources.start(check.span);
                    let file = self.sources.file(check.span.file).printable_name();
                    let kind = check.kind.to_string();
                    format!("  {file}:{}:{}: {}\n", place.line, place.column, thetis_base::printable(&kind))
                });
                format!("{name}: unsafe\n{}", lines.collect::<String>())
            }
        }
    }
}

/// What is needed to check the evidence for a function.
struct Examination<'a> {
    verifier: &'a Verifier<'a>,
    sha256: &'a str,
    session: &'a Session,
}

impl Examination<'_> {
    fn function(&self, function: FunctionTask, stated: &FunctionCertificate) -> Result<Examined, Failure> {
        let mut translated = match function.outcome {
            FunctionOutcome::Translated(translated) => *translated,
            FunctionOutcome::Skipped(skipped) => return Ok(Examined::Unknown(skipped.reason)),
        };
        if !stated.rejected.is_empty() {
            match self.verifier.without(function.id, &stated.rejected) {
                Some(again) => translated = again,
                None => return Ok(Examined::Unknown("the function cannot be translated again".to_owned())),
            }
        }
        let asked = translated.checks.iter().filter(|(_, check)| check.kind != CheckKind::Start);
        let mut open: BTreeSet<LocId> = asked.map(|(location, _)| *location).collect();
        let all = open.clone();
        let mut violations = Vec::new();
        for answer in &stated.answers {
            let checks: BTreeSet<LocId> =
                answer.checks.iter().map(|check| LocId::from_usize(*check)).collect();
            if !checks.is_subset(&all) {
                return Ok(Examined::Unknown("the certificate is about checks that do not exist".to_owned()));
            }
            let task = about(&translated.task, &checks);
            let claimed = match read_certificate(&task, self.sha256, &answer.certificate.to_string()) {
                Ok(claimed) => claimed,
                Err(error) => return Ok(Examined::Unknown(error.to_string())),
            };
            let certified = certify(&task, claimed, &*self.session.judges, &self.session.run)
                .map_err(Failure::stopped)?;
            match certified.verdict {
                Verdict::Safe(_) => open.retain(|check| !checks.contains(check)),
                Verdict::Unsafe(Evidence::Given(trace)) => {
                    let Some(last) = trace.steps.last() else { continue };
                    let target = task.model.edges[last.edge].target;
                    open.remove(&target);
                    violations.push(translated.checks[&target].clone());
                }
                Verdict::Unsafe(_) => {}
                Verdict::Unknown(reason) => return Ok(Examined::Unknown(format!("rejected ({reason})"))),
            }
        }
        // A failing guess is not used: the function is translated again without it.
        let has_wrong_guess = violations.iter().any(|check| matches!(check.kind, CheckKind::Guess(_)));
        Ok(match (open.is_empty(), violations.is_empty()) {
            _ if has_wrong_guess => Examined::Unknown("a guess about a loop is wrong".to_owned()),
            (true, true) => Examined::Safe,
            (_, false) => Examined::Unsafe(violations),
            (false, true) => Examined::Unknown("some checks are open".to_owned()),
        })
    }
}
