//! Solidity contracts: one verdict for each function.
//!
//! A contract is not a single task, so it does not go through [`crate::commands::check::decide`]. Its functions are
//! verified one by one ([`verify`]), each certified like any other task, and reported together ([`render`]).

mod certificates;
mod junit;
mod page;
mod render;
mod run;
mod values;
mod verify;
mod whole;

use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::Duration;

use thetis_base::{Diagnostics, FileId, Run, SourceMap};
use thetis_portfolio::{Config, Parts};
use thetis_report::render_diagnostics;
use thetis_solidity::{Arithmetic, Callees, FunctionTask, Options};
use thetis_solver::{GuessFactory, SolverFactory};

use crate::args::{CertifyArgs, CheckArgs, ConvertArgs, Format};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::input::standard::name_of;
use crate::input::{read_text, shown};
use crate::loaded::Loaded;
use crate::session::Session;
use crate::{outputs, terminal};

use verify::{FunctionReport, Status, Verifier};
pub(crate) use whole::read_whole;

/// The time for each function, unless there is less for all of them.
const FUNCTION_TIME: Duration = Duration::from_secs(10);

/// The contracts of a file and of what it imports.
pub(crate) struct Contracts {
    sources: SourceMap,
    files: Vec<FileId>,
    arithmetic: Arithmetic,
    /// The options of the command line.
    callees: Option<Callees>,
}

/// The results for all functions.
struct ContractReport<'a> {
    sources: &'a SourceMap,
    files: &'a [FileId],
    file: String,
    options: &'a Options,
    functions: Vec<FunctionReport>,
    elapsed: Duration,
}

impl Contracts {
    /// Reads a file, what it imports, and checks both.
    pub(crate) fn read(
        path: &Path,
        arithmetic: Arithmetic,
        callees: Option<Callees>,
    ) -> Result<Contracts, Failure> {
        let (sources, files) = read_all(path)?;
        let contracts = Contracts { sources, files, arithmetic, callees };
        contracts.functions(&contracts.options(Format::Text))?;
        Ok(contracts)
    }

    /// The tasks of all functions. They are built twice, once to validate the input, because terms cannot be shared.
    fn functions(&self, options: &Options) -> Result<Vec<FunctionTask>, Failure> {
        let mut diagnostics = Diagnostics::new();
        let functions = thetis_solidity::read(&self.sources, &self.files, options, &mut diagnostics);
        terminal::show(&render_diagnostics(&diagnostics, &self.sources, terminal::style()));
        functions.map_err(|_reported| Failure::reported())
    }

    /// How contracts are translated. The report of solc-verify implies its conventions.
    fn options(&self, format: Format) -> Options {
        let convention = match format {
            Format::SolcVerify => Callees::SolcVerify,
            _ => Callees::Sound,
        };
        let callees = self.callees.unwrap_or(convention);
        Options { arithmetic: self.arithmetic, callees, ..Options::default() }
    }

    fn verifier<'a>(&'a self, options: &'a Options, session: &Session) -> Verifier<'a> {
        let solvers = Rc::clone(&session.solvers) as Rc<dyn SolverFactory>;
        Verifier {
            sources: &self.sources,
            files: &self.files,
            options,
            finders: Rc::new(GuessFactory::new(Rc::clone(&solvers))),
            solvers,
            judges: Rc::clone(&session.judges) as Rc<dyn SolverFactory>,
            timeout: Some(FUNCTION_TIME),
        }
    }

    fn name(&self) -> String {
        self.sources.file(self.files[0]).name().to_owned()
    }
}

/// The texts of a file and of what it imports.
fn read_all(path: &Path) -> Result<(SourceMap, Vec<FileId>), Failure> {
    let mut sources = SourceMap::new();
    let mut files = Vec::new();
    let mut open = vec![path.to_owned()];
    let mut known: Vec<PathBuf> = Vec::new();
    let belonging = Importable::to(path);
    while let Some(path) = open.pop() {
        if !files.is_empty() && !belonging.has(&path) {
            return Err(Failure::input(format!(
                "{} is imported, but is not called like a Solidity file or not below the folder of the contract",
                shown(&path)
            )));
        }
        let same = path.canonicalize().unwrap_or_else(|_| path.clone());
        if known.contains(&same) {
            continue;
        }
        known.push(same);
        let text = read_text(&path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        open.extend(thetis_solidity::imports(&text).into_iter().map(|import| folder.join(import)));
        files.push(sources.add(name_of(&path).into_owned(), text));
    }
    Ok((sources, files))
}

/// Which files a contract may import: Solidity files, after following symbolic links, in or below its own folder, or
/// the working directory if it contains the contract. The restriction matters because messages quote imported files.
struct Importable {
    roots: Vec<PathBuf>,
}

impl Importable {
    fn to(contract: &Path) -> Importable {
        let own = contract.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let own = own.canonicalize().ok();
        let current = std::env::current_dir().and_then(|folder| folder.canonicalize()).ok();
        let is_around = |current: &PathBuf| own.as_ref().is_some_and(|own| own.starts_with(current));
        Importable {
            roots: own.iter().chain(current.as_ref().filter(|current| is_around(current))).cloned().collect(),
        }
    }

    /// Whether the file belongs to the contract. A missing file does; it is reported when it is read.
    fn has(&self, path: &Path) -> bool {
        let Ok(real) = path.canonicalize() else { return true };
        let is_solidity = real.extension().is_some_and(|extension| extension == "sol");
        is_solidity && self.roots.iter().any(|root| real.starts_with(root))
    }
}

impl Loaded for Contracts {
    fn property(&self) -> String {
        "annotations".to_owned()
    }

    fn check(&self, checking: &crate::commands::check::Checking<'_>) -> Result<Exit, Failure> {
        let (args, session) = checking.parts();
        reject_unavailable(args)?;
        let options = self.options(args.format);
        let verifier = self.verifier(&options, session);
        let mut functions = Vec::new();
        for function in self.functions(&options)? {
            functions.push(verifier.verify(function, &session.run).map_err(Failure::stopped)?);
        }
        checking.end_progress();
        let report = ContractReport {
            sources: &self.sources,
            files: &self.files,
            file: self.name(),
            options: &options,
            functions,
            elapsed: session.run.elapsed(),
        };
        terminal::show(&report.explanation());
        let exit = report.exit(args.format);
        let answer = match args.format {
            Format::Text => report.text(),
            Format::Json => format!("{:#}\n", report.json()),
            Format::Sarif => format!("{:#}\n", report.sarif()),
            Format::Junit => report.junit(),
            Format::SolcVerify => {
                terminal::show(&report.assumptions());
                report.solc_verify()
            }
            Format::Chc => return Err(Failure::usage("`--format chc` is for Horn clauses")),
        };
        terminal::conclude(&answer, exit)?;
        if let Some(path) = &args.report {
            outputs::write(path, &report.page());
        }
        if let Some(path) = &args.certificate {
            outputs::write(path, &format!("{:#}\n", report.certificates()));
        }
        Ok(exit)
    }

    fn certify(&self, args: &CertifyArgs, certificates: &str, session: &Session) -> Result<Exit, Failure> {
        let in_certificate = |failure: Failure| match failure.message.is_empty() {
            true => failure,
            false => {
                let message = format!("{}: {}", shown(&args.certificate), failure.message);
                Failure { message, ..failure }
            }
        };
        let (text, exit) = self.examine(certificates, session).map_err(in_certificate)?;
        terminal::conclude(&text, exit)
    }

    fn work(&self, _: &Config, _: &Parts, _: &Session) -> Result<Exit, Failure> {
        Err(Failure::usage("contracts are not given to workers"))
    }

    fn convert(self: Box<Self>, _: &ConvertArgs, _: &Run) -> Result<String, Failure> {
        Err(Failure::usage("contracts cannot be converted: they are one automaton for each function"))
    }
}

fn reject_unavailable(args: &CheckArgs) -> Result<(), Failure> {
    let given = [
        ("--witness", args.witness.is_some()),
        ("--harness", args.harness.is_some()),
        ("--write-annotations", args.write_annotations.is_some()),
        ("--confirm", args.confirm),
        ("--arg", args.arg.is_some()),
        ("--solution-space", args.solution_space.is_some()),
    ];
    match given.iter().find(|(_, is_given)| *is_given) {
        Some((name, _)) => Err(Failure::usage(format!("`{name}` is not available for Solidity"))),
        None => Ok(()),
    }
}

impl ContractReport<'_> {
    fn num_violations(&self) -> usize {
        self.functions.iter().map(|function| function.violations.len()).sum()
    }

    fn is_partial(&self) -> bool {
        self.functions.iter().any(|function| !matches!(function.status, Status::Ok | Status::Error))
    }

    fn exit(&self, format: Format) -> Exit {
        match (format, self.num_violations(), self.is_partial()) {
            (Format::SolcVerify, 0, false) => Exit::Safe,
            (Format::SolcVerify, 0, true) => Exit::SolcVerifyPartial,
            (Format::SolcVerify, _, _) => Exit::SolcVerifyErrors,
            (_, 0, false) => Exit::Safe,
            (_, 0, true) => Exit::Unknown,
            (_, _, _) => Exit::Unsafe,
        }
    }
}
