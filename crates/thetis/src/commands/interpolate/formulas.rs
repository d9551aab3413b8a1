//! The two formulas of `thetis interpolate`.

use std::path::Path;

use thetis_base::{SourceMap, Stopwatch};
use thetis_expr::{ExprId, Store, VarId};
use thetis_ice::{SplitStrategy, split};
use thetis_script::{Input, Script};
use thetis_solver::SolverFactory;

use super::shared;
use crate::args::{InterpolateArgs, SplitArg};
use crate::failure::Failure;
use crate::input::{read_text, reporting, shown};
use crate::session::Session;

/// Two formulas over one store.
pub(super) struct Pair {
    pub(super) store: Store,
    pub(super) a: ExprId,
    pub(super) b: ExprId,
    /// The variables of both.
    pub(super) shared: Vec<VarId>,
    /// How long it took to split one script.
    pub(super) splitting: Stopwatch,
}

/// Reads two scripts, or one that is split.
pub(super) fn read(args: &InterpolateArgs, session: &Session) -> Result<Pair, Failure> {
    let first = script(&args.file)?;
    let formulas: Vec<ExprId> = first.assertions.iter().map(|assertion| assertion.formula).collect();
    let store = first.store;
    let mut splitting = Stopwatch::default();
    let (a, b) = match (&args.other, strategy(args.split, first.first_part.is_some())) {
        (Some(other), _) => {
            let second = script(other)?;
            (store.and_all(formulas), imported(&store, &second, other)?)
        }
        (None, Some(strategy)) => {
            let mut solver = session.solvers.start(&session.run).map_err(Failure::internal)?;
            let found = splitting
                .time(|| split(&store, &formulas, strategy, &mut *solver, &session.run))
                .map_err(Failure::stopped)?;
            (found.a, found.b)
        }
        (None, None) => {
            let Some(part) = first.first_part else {
                return Err(Failure::input(format!("{}: `get-interpolants` is missing", shown(&args.file))));
            };
            let (of_a, of_b): (Vec<usize>, Vec<usize>) =
                (0..formulas.len()).partition(|position| part.contains(position));
            let all = |part: Vec<usize>| store.and_all(part.into_iter().map(|position| formulas[position]));
            (all(of_a), all(of_b))
        }
    };
    let shared = shared(&store, a, b);
    Ok(Pair { store, a, b, shared, splitting })
}

/// How a script is split; `None` if the script itself names its parts.
fn strategy(split: Option<SplitArg>, is_said: bool) -> Option<SplitStrategy> {
    match split {
        Some(SplitArg::Half) => Some(SplitStrategy::Half),
        Some(SplitArg::Core) => Some(SplitStrategy::Core),
        Some(SplitArg::Connected) => Some(SplitStrategy::Connected),
        Some(SplitArg::Named) => None,
        None => (!is_said).then_some(SplitStrategy::Core),
    }
}

fn script(path: &Path) -> Result<Script, Failure> {
    let text = read_text(path)?;
    let mut sources = SourceMap::new();
    let file = sources.add(path.display().to_string(), text);
    match reporting(&sources, |diagnostics| thetis_script::parse(&sources, file, diagnostics))? {
        Input::Script(script) => Ok(script),
        Input::Clauses(_) => {
            Err(Failure::input(format!("{}: `thetis check` is for Horn clauses", shown(path))))
        }
    }
}

/// The conjunction of all assertions of `script`, whose constants are those of `store` if they have the same names.
fn imported(store: &Store, script: &Script, path: &Path) -> Result<ExprId, Failure> {
    for constant in &script.constants {
        let name = script.store.var_name(*constant);
        let sort = store.import_sort(&script.store, script.store.var_sort(*constant));
        if store.find_var(&name).is_some_and(|known| store.var_sort(known) != sort) {
            return Err(Failure::input(format!(
                "{}: `{name}` has another sort in the other file",
                shown(path)
            )));
        }
    }
    let formulas = script.assertions.iter().map(|assertion| store.import(&script.store, assertion.formula));
    Ok(store.and_all(formulas))
}
