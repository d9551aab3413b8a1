//! From Boolean terms to clauses.
//!
//! Every sub-term gets a literal that is equivalent to it (Tseitin 1968); shared sub-terms are encoded once, and negation
//! costs nothing. A term is encoded when it is first needed, so a solver contains only the cones that its questions need.

use rustc_hash::FxHashMap;
use thetis_expr::{Args, ExprId, Op, Sort, Store, VarId};

use crate::{Lit, Sat};

/// A term that is not built from Boolean variables by Boolean operators.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotBoolean(pub ExprId);

/// Whether everything in the roots is Boolean.
pub fn is_boolean(store: &Store, roots: impl IntoIterator<Item = ExprId>) -> bool {
    thetis_expr::Postorder::new(store, roots).all(|term| store.sort(term) == Sort::Bool)
}

/// The literals of terms in one solver.
#[derive(Clone, Default)]
pub struct Encoder {
    literals: FxHashMap<ExprId, Lit>,
    vars: FxHashMap<VarId, Lit>,
    truth: Option<Lit>,
}

impl Encoder {
    /// Nothing encoded yet.
    pub fn new() -> Encoder {
        Encoder::default()
    }

    /// The literal that is always true.
    pub fn truth(&mut self, sat: &mut dyn Sat) -> Lit {
        *self.truth.get_or_insert_with(|| {
            let truth = sat.new_var().is(true);
            sat.add_clause(&[truth]);
            truth
        })
    }

    /// The literal of a variable, if it occurred.
    pub fn known_var(&self, var: VarId) -> Option<Lit> {
        self.vars.get(&var).copied()
    }

    /// The literal equivalent to `term`.
    pub fn literal(&mut self, store: &Store, term: ExprId, sat: &mut dyn Sat) -> Result<Lit, NotBoolean> {
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.literals.contains_key(&top) {
                stack.pop();
                continue;
            }
            if store.sort(top) != Sort::Bool {
                return Err(NotBoolean(top));
            }
            let args = store.args(top);
            let pending = stack.len();
            stack.extend(args.iter().filter(|arg| !self.literals.contains_key(arg)));
            if stack.len() > pending {
                continue;
            }
            stack.pop();
            let literal = self.encode(store, top, &args, sat)?;
            self.literals.insert(top, literal);
        }
        Ok(self.literals[&term])
    }

    /// The literal of a term whose arguments are encoded.
    fn encode(
        &mut self,
        store: &Store,
        term: ExprId,
        args: &Args,
        sat: &mut dyn Sat,
    ) -> Result<Lit, NotBoolean> {
        let args: Vec<Lit> = args.iter().map(|arg| self.literals[arg]).collect();
        Ok(match (store.op(term), &args[..]) {
            (Op::Const(_), _) => {
                let truth = self.truth(sat);
                if term == store.tru() { truth } else { !truth }
            }
            (Op::Var(var), _) => *self.vars.entry(var).or_insert_with(|| sat.new_var().is(true)),
            (Op::Not, &[arg]) => !arg,
            (Op::And, args) => and(sat, args),
            (Op::Or, args) => {
                let negated: Vec<Lit> = args.iter().map(|arg| !*arg).collect();
                !and(sat, &negated)
            }
            (Op::Xor, &[left, right]) => xor(sat, left, right),
            (Op::Eq, &[left, right]) => !xor(sat, left, right),
            (Op::Ite, &[condition, then, otherwise]) => ite(sat, condition, then, otherwise),
            _ => return Err(NotBoolean(term)),
        })
    }
}

fn and(sat: &mut dyn Sat, args: &[Lit]) -> Lit {
    let result = sat.new_var().is(true);
    let mut all = vec![result];
    for arg in args {
        sat.add_clause(&[!result, *arg]);
        all.push(!*arg);
    }
    sat.add_clause(&all);
    result
}

fn xor(sat: &mut dyn Sat, left: Lit, right: Lit) -> Lit {
    let result = sat.new_var().is(true);
    sat.add_clause(&[!result, left, right]);
    sat.add_clause(&[!result, !left, !right]);
    sat.add_clause(&[result, !left, right]);
    sat.add_clause(&[result, left, !right]);
    result
}

fn ite(sat: &mut dyn Sat, condition: Lit, then: Lit, otherwise: Lit) -> Lit {
    let result = sat.new_var().is(true);
    sat.add_clause(&[!result, !condition, then]);
    sat.add_clause(&[!result, condition, otherwise]);
    sat.add_clause(&[result, !condition, !then]);
    sat.add_clause(&[result, condition, !otherwise]);
    // Not needed, but they let the result follow from equal branches.
    sat.add_clause(&[!result, then, otherwise]);
    sat.add_clause(&[result, !then, !otherwise]);
    result
}
