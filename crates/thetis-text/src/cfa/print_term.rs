//! The printer of statements and their terms.
//!
//! Terms are printed by [`infix`](thetis_expr::infix). Before that they are rewritten, in a store of their own, to
//! terms whose infix text means in the language what the term means:
//! * variables get their printable names;
//! * a division `a / b` whose divisor may be zero is total as a term but not in the language, so it is written
//!   `if b = 0 then 0 else a / b`, unless it already is the last part of an `if b = 0`; the parser understands both;
//!   so are conversions of floats to bit-vectors that may not fit;
//! * the conversion of an integer to a rational, which the language does only implicitly, becomes `x + 0%1`. Since no
//!   term has this text, a variable whose name is the text takes its place.

use std::collections::HashMap;

use thetis_expr::infix;
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, VarId};
use thetis_model::cfa::{EdgeId, StmtKind};

use super::print::Unprintable;
use crate::syntax::check_float::fits;
use crate::syntax::division::{total_value, zero};

/// How many operators, literals and variables the text of one term may have.
const MAX_TREE_SIZE: u64 = 1 << 22;

/// Prints the terms of one automaton.
pub(super) struct TermPrinter<'t> {
    original: &'t Store,
    /// Where terms are rewritten.
    store: Store,
    names: HashMap<VarId, String>,
    /// What original terms are rewritten to.
    done: HashMap<ExprId, ExprId>,
    sizes: HashMap<ExprId, u64>,
}

impl<'t> TermPrinter<'t> {
    pub(super) fn new(store: &'t Store, names: impl Iterator<Item = (VarId, String)>) -> TermPrinter<'t> {
        TermPrinter {
            original: store,
            store: Store::new(),
            names: names.collect(),
            done: HashMap::new(),
            sizes: HashMap::new(),
        }
    }

    /// The text of an assignment, assumption or havoc on `edge`.
    ///
    /// # Panics
    /// If it is a sequence or choice, which have no text of their own.
    pub(super) fn stmt(&mut self, edge: EdgeId, stmt: &StmtKind) -> Result<String, Unprintable> {
        Ok(match stmt {
            StmtKind::Assign(var, term) => {
                let term = self.term(edge, *term)?;
                format!("{} := {term}", self.name(*var))
            }
            StmtKind::Assume(formula) => format!("assume {}", self.term(edge, *formula)?),
            StmtKind::Havoc(var) => format!("havoc {}", self.name(*var)),
            StmtKind::Seq(_) | StmtKind::Choice(_) => panic!("only simple statements should be printed"),
        })
    }

    fn name(&self, var: VarId) -> &str {
        self.names.get(&var).expect("a validated automaton should use declared variables only")
    }

    fn term(&mut self, edge: EdgeId, term: ExprId) -> Result<String, Unprintable> {
        for part in Postorder::new(self.original, [term]) {
            if !self.done.contains_key(&part) {
                let rewritten = self.rewrite(edge, part)?;
                self.done.insert(part, rewritten);
            }
        }
        self.check_size(edge, self.done[&term])?;
        Ok(infix::print(&self.store, self.done[&term]))
    }

    /// A term whose parts are rewritten already.
    fn rewrite(&mut self, edge: EdgeId, term: ExprId) -> Result<ExprId, Unprintable> {
        let args = self.rewritten_args(term);
        Ok(match self.original.op(term) {
            Op::Const(_) => self.store.import(self.original, term),
            Op::Var(var) => {
                let sort = self.store.import_sort(self.original, self.original.sort(term));
                self.store.var(self.name(var), sort)
            }
            Op::ToReal => {
                self.check_size(edge, args[0])?;
                let text = infix::print(&self.store, args[0]);
                self.store.var(&format!("(({text}) + 0%1)"), Sort::Real)
            }
            Op::IntDiv | Op::Mod | Op::RealDiv => self.division(term, &args),
            Op::FpToSigned(_) | Op::FpToUnsigned(_) => self.conversion(term, &args),
            Op::Ite => self.conditional(term, &args),
            op if !self.has_text(op, term) => return Err(Unprintable::Operator { edge, op }),
            _ => self.rebuild(term, &args),
        })
    }

    fn rewritten_args(&self, term: ExprId) -> Args {
        self.original.args(term).iter().map(|arg| self.done[arg]).collect()
    }

    /// The operator of an original term on rewritten arguments.
    fn rebuild(&self, term: ExprId, args: &Args) -> ExprId {
        let sort = self.store.import_sort(self.original, self.original.sort(term));
        let op = self.original.op(term);
        self.store.app(op, Some(sort), args).expect("a rewritten term should stay well-sorted")
    }

    /// Whether the language has the operator. Its equality of floats is another one than that of terms.
    fn has_text(&self, op: Op, term: ExprId) -> bool {
        use Op::*;
        match op {
            Eq => self.original.sort(self.original.arg(term, 0)).float_format().is_none(),
            ToInt | BvToInt | IntToBv => false,
            FpFma(_) | FpFromReal(_) | FpFromBits | FpToReal | FpIsInfinite | FpIsZero | FpIsNormal
            | FpIsSubnormal | FpIsNegative | FpIsPositive => false,
            _ => true,
        }
    }

    fn division(&self, term: ExprId, args: &Args) -> ExprId {
        let store = &self.store;
        let plain = self.rebuild(term, args);
        if store.is_literal(args[1]) && args[1] != zero(store, store.sort(args[1])) {
            return plain;
        }
        store.ite(self.divisor_is_zero(args), total_value(store, plain).unwrap_or(plain), plain)
    }

    fn divisor_is_zero(&self, args: &Args) -> ExprId {
        self.store.eq(args[1], zero(&self.store, self.store.sort(args[1])))
    }

    fn conversion(&self, term: ExprId, args: &Args) -> ExprId {
        let plain = self.rebuild(term, args);
        let value = total_value(&self.store, plain).unwrap_or(plain);
        self.store.ite(fits(&self.store, plain, args[0]), plain, value)
    }

    /// An `if`; operations that it guards need no further guard.
    fn conditional(&self, term: ExprId, args: &Args) -> ExprId {
        let (condition, mut then, mut otherwise) = (args[0], args[1], args[2]);
        let part = |position| {
            let part = self.original.arg(term, position);
            (self.original.op(part), part, self.rewritten_args(part))
        };
        if let (Op::FpToSigned(_) | Op::FpToUnsigned(_), part, parts) = part(1) {
            let plain = self.rebuild(part, &parts);
            then = if condition == fits(&self.store, plain, parts[0]) { plain } else { then };
        }
        if let (Op::IntDiv | Op::Mod | Op::RealDiv, part, parts) = part(2) {
            let is_guarded = condition == self.divisor_is_zero(&parts);
            otherwise = if is_guarded { self.rebuild(part, &parts) } else { otherwise };
        }
        self.store.ite(condition, then, otherwise)
    }

    /// Refuses terms whose text would be enormous because shared parts are repeated.
    fn check_size(&mut self, edge: EdgeId, term: ExprId) -> Result<(), Unprintable> {
        for part in Postorder::new(&self.store, [term]) {
            if !self.sizes.contains_key(&part) {
                let parts = self.store.args(part);
                let size = match self.store.as_var(part) {
                    // Stand-ins for conversions are as long as their texts.
                    Some(var) => 1 + self.store.var_name(var).len() as u64 / 8,
                    None => parts.iter().fold(1u64, |sum, arg| sum.saturating_add(self.sizes[arg])),
                };
                self.sizes.insert(part, size);
            }
        }
        if self.sizes[&term] > MAX_TREE_SIZE { Err(Unprintable::TooLarge { edge }) } else { Ok(()) }
    }
}
