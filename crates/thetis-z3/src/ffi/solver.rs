//! Solvers and models of Z3 as owning handles.

use std::ffi::c_uint;
use std::rc::Rc;

use thetis_solver::SolverError;

use super::api::{RawModel, RawParams, RawSolverPointer};
use super::context::{Context, c_string};
use super::term::{Term, raws};

/// A solver of Z3, with one reference to it.
pub(crate) struct RawSolver {
    context: Rc<Context>,
    raw: RawSolverPointer,
}

/// Which of Z3's solvers to make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SolverKind {
    /// The incremental core.
    Simple,
    /// A strategy for the first query, the incremental core afterwards.
    Combined,
    /// The strategy for a logic of SMT-LIB.
    Logic(String),
}

/// What a query gave.
pub(crate) enum Satisfiable {
    Yes,
    No,
    /// Z3's reason.
    Unknown(String),
}

impl Drop for RawSolver {
    fn drop(&mut self) {
        // SAFETY: the handle owns the reference that it gives back.
        unsafe { (self.context.api().solver_dec_ref)(self.context.raw(), self.raw) };
    }
}

impl RawSolver {
    pub(crate) fn new(context: &Rc<Context>, kind: &SolverKind) -> Result<RawSolver, SolverError> {
        let api = context.api();
        // SAFETY: the context is valid; Z3 keeps the solver alive until its next call.
        let raw = unsafe {
            let raw = match kind {
                SolverKind::Simple => (api.mk_simple_solver)(context.raw()),
                SolverKind::Combined => (api.mk_solver)(context.raw()),
                SolverKind::Logic(logic) => (api.mk_solver_for_logic)(context.raw(), context.symbol(logic)),
            };
            context.check()?;
            (api.solver_inc_ref)(context.raw(), raw);
            raw
        };
        let mut solver = RawSolver { context: context.clone(), raw };
        solver.ignore_ctrl_c()?;
        Ok(solver)
    }

    pub(crate) fn context(&self) -> &Rc<Context> {
        &self.context
    }

    /// Forgets an interruption that came after the end of the query it was for: it would make the next call of the
    /// context fail, whichever it is, unless that is a query.
    pub(crate) fn settle(context: &Rc<Context>) -> Result<(), SolverError> {
        RawSolver::new(context, &SolverKind::Simple)?.check(&[]).map(|_| ())
    }

    pub(crate) fn push(&mut self) -> Result<(), SolverError> {
        // SAFETY: the handle keeps the solver alive.
        unsafe { (self.context.api().solver_push)(self.context.raw(), self.raw) };
        self.context.check()
    }

    pub(crate) fn pop(&mut self) -> Result<(), SolverError> {
        // SAFETY: the handle keeps the solver alive; Z3 checks the number of scopes.
        unsafe { (self.context.api().solver_pop)(self.context.raw(), self.raw, 1) };
        self.context.check()
    }

    pub(crate) fn assert(&mut self, formula: &Term) -> Result<(), SolverError> {
        // SAFETY: the handles keep solver and formula alive; Z3 checks that it is a formula.
        unsafe { (self.context.api().solver_assert)(self.context.raw(), self.raw, formula.raw()) };
        self.context.check()
    }

    /// Asserts what an SMT-LIB script asserts.
    pub(crate) fn assert_script(&mut self, script: &str) -> Result<(), SolverError> {
        let script = c_string(script);
        // SAFETY: Z3 reads the string during the call.
        unsafe {
            (self.context.api().solver_from_string)(self.context.raw(), self.raw, script.as_ptr());
        }
        self.context.check()
    }

    pub(crate) fn check(&mut self, assumptions: &[Term]) -> Result<Satisfiable, SolverError> {
        let (context, api) = (&self.context, self.context.api());
        let list = raws(assumptions);
        // SAFETY: the handles keep solver and assumptions alive during the call.
        let answer = unsafe {
            (api.solver_check_assumptions)(context.raw(), self.raw, list.len() as c_uint, list.as_ptr())
        };
        match answer {
            1 => Ok(Satisfiable::Yes),
            -1 => Ok(Satisfiable::No),
            _ => Ok(Satisfiable::Unknown(self.reason())),
        }
    }

    /// Why the last query was not answered. An interruption can surface as an error as well as a reason.
    fn reason(&self) -> String {
        let error = self.context.check().err().map(|error| error.to_string());
        error.unwrap_or_else(|| {
            // SAFETY: the handle keeps the solver alive, and the string is valid until the next call.
            unsafe {
                let reason = (self.context.api().solver_get_reason_unknown)(self.context.raw(), self.raw);
                self.context.text(reason)
            }
        })
    }

    /// The assumptions that the last query, which had no model, needed.
    pub(crate) fn core(&self) -> Result<Vec<Term>, SolverError> {
        let (context, api) = (&self.context, self.context.api());
        // SAFETY: the handle keeps the solver alive.
        let vector = unsafe { (api.solver_get_unsat_core)(context.raw(), self.raw) };
        context.check()?;
        // SAFETY: the vector is alive until the next call, which takes a reference; it is given back below.
        unsafe { (api.ast_vector_inc_ref)(context.raw(), vector) };
        // SAFETY: the vector is alive.
        let size = unsafe { (api.ast_vector_size)(context.raw(), vector) };
        let core = (0..size)
            // SAFETY: the vector is alive and the position is below its size.
            .map(|position| context.own(unsafe { (api.ast_vector_get)(context.raw(), vector, position) }))
            .collect();
        // SAFETY: this gives back the reference taken above.
        unsafe { (api.ast_vector_dec_ref)(context.raw(), vector) };
        core
    }

    /// The model that the last query found.
    pub(crate) fn model(&self) -> Result<Model, SolverError> {
        // SAFETY: the handle keeps the solver alive.
        let raw = unsafe { (self.context.api().solver_get_model)(self.context.raw(), self.raw) };
        self.context.check()?;
        if raw.0.is_null() {
            return Err(SolverError::Died("Z3 has no model".into()));
        }
        // SAFETY: Z3 keeps the model alive until its next call, which takes a reference.
        unsafe { (self.context.api().model_inc_ref)(self.context.raw(), raw) };
        Ok(Model { context: self.context.clone(), raw })
    }

    /// Limits each following query to this many of Z3's steps; 0 is no limit.
    pub(crate) fn limit_steps(&mut self, steps: u32) -> Result<(), SolverError> {
        let (context, api) = (self.context.clone(), self.context.api());
        // SAFETY: `set` gives valid parameters.
        self.set(|params| unsafe {
            (api.params_set_uint)(context.raw(), params, context.symbol("rlimit"), steps);
        })
    }

    /// Leaves the signal of Ctrl-C to the program: Z3 would take it for itself while it computes.
    fn ignore_ctrl_c(&mut self) -> Result<(), SolverError> {
        let (context, api) = (self.context.clone(), self.context.api());
        // SAFETY: `set` gives valid parameters.
        self.set(|params| unsafe {
            (api.params_set_bool)(context.raw(), params, context.symbol("ctrl_c"), false);
        })
    }

    /// Adds to the parameters of the solver what `change` puts into them.
    fn set(&mut self, change: impl FnOnce(RawParams)) -> Result<(), SolverError> {
        let (context, api) = (&self.context, self.context.api());
        // SAFETY: the parameters are made here, with a reference that is given back at the end.
        unsafe {
            let params = (api.mk_params)(context.raw());
            context.check()?;
            (api.params_inc_ref)(context.raw(), params);
            change(params);
            (api.solver_set_params)(context.raw(), self.raw, params);
            (api.params_dec_ref)(context.raw(), params);
        }
        context.check()
    }
}

/// A model, with one reference to it.
pub(crate) struct Model {
    context: Rc<Context>,
    raw: RawModel,
}

impl Drop for Model {
    fn drop(&mut self) {
        // SAFETY: the handle owns the reference that it gives back.
        unsafe { (self.context.api().model_dec_ref)(self.context.raw(), self.raw) };
    }
}

impl Model {
    /// The value of a term; some value of its sort for what the model leaves open.
    pub(crate) fn evaluate(&self, term: &Term) -> Result<Term, SolverError> {
        let mut value = term.raw();
        // SAFETY: the handles keep model and term alive; Z3 writes the value.
        let found = unsafe {
            (self.context.api().model_eval)(self.context.raw(), self.raw, term.raw(), true, &mut value)
        };
        self.context.check()?;
        if !found {
            return Err(SolverError::Protocol(format!("Z3 has no value for `{term}`")));
        }
        self.context.own(value)
    }

    /// The graph of a unary function of this model: its entries, and its value elsewhere.
    pub(crate) fn graph(&self, decl: &Term) -> Result<(Vec<(Term, Term)>, Term), SolverError> {
        let (context, api) = (&self.context, self.context.api());
        // SAFETY: the handles keep model and declaration alive.
        let raw = unsafe { (api.model_get_func_interp)(context.raw(), self.raw, decl.raw()) };
        context.check()?;
        if raw.0.is_null() {
            return Err(SolverError::Protocol(format!("Z3 has no interpretation of `{decl}`")));
        }
        // SAFETY: Z3 keeps the interpretation alive until its next call, which takes a reference; it is given back
        // below, and the entries belong to the interpretation.
        unsafe {
            (api.func_interp_inc_ref)(context.raw(), raw);
            let size = (api.func_interp_get_num_entries)(context.raw(), raw);
            let entries = (0..size).map(|position| {
                let entry = (api.func_interp_get_entry)(context.raw(), raw, position);
                context.check()?;
                (api.func_entry_inc_ref)(context.raw(), entry);
                let pair = context.own((api.func_entry_get_arg)(context.raw(), entry, 0)).and_then(|index| {
                    Ok((index, context.own((api.func_entry_get_value)(context.raw(), entry))?))
                });
                (api.func_entry_dec_ref)(context.raw(), entry);
                pair
            });
            let entries: Result<Vec<_>, _> = entries.collect();
            let otherwise = context.own((api.func_interp_get_else)(context.raw(), raw));
            (api.func_interp_dec_ref)(context.raw(), raw);
            Ok((entries?, otherwise?))
        }
    }
}

/// The model as Z3 writes it, for messages.
impl std::fmt::Display for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // SAFETY: the handle keeps the model alive, and the string is valid until the next call.
        let text = unsafe {
            let text = (self.context.api().model_to_string)(self.context.raw(), self.raw);
            self.context.text(text)
        };
        f.write_str(&text)
    }
}
