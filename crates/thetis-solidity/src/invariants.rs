//! What a proof about a contract says between transactions, as formulas of Solidity.
//!
//! The proof has a formula for the location between transactions. With the variables that keep track of nested calls replaced by their
//! values there, it is a statement about the state. Each of its conjuncts is an invariant of the contract by itself; those that Solidity
//! can express are written as annotations. Sums are written without subtractions, which could wrap around in unsigned numbers.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_traits::{One, Signed, Zero};
use thetis_base::SourceMap;
use thetis_expr::{ExprId, Op, Store, Substitution, Value, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProof};

use crate::contract::ContractTask;
use crate::lower::{Meaning, Variable};

impl ContractTask {
    /// The invariants of a proof about `task`, which is this one, as far as Solidity can express them.
    pub fn invariants(&self, task: &Task<Cfa>, proof: &CfaProof) -> Vec<String> {
        let formulas = match proof {
            CfaProof::Invariants(invariants) => &invariants.formulas,
            CfaProof::Unwinding(unwinding) => &unwinding.lemmas.formulas,
            CfaProof::Exhaustion { .. } | CfaProof::Contracts(_) => return Vec::new(),
        };
        let store = &task.store;
        let mut idle = Substitution::new();
        for (var, value) in &self.idle {
            idle.insert(store, *var, *value);
        }
        let names = self.state.iter().filter_map(|state| Some((store.as_var(state.term)?, state)));
        let writer = Writer { store, names: names.collect() };
        let mut texts: Vec<String> = Vec::new();
        for formula in self.between.iter().filter_map(|location| formulas.get(location)) {
            for conjunct in conjuncts(store, idle.apply(store, *formula)) {
                let text = Some(conjunct).filter(|formula| !writer.is_obvious(*formula));
                let text = text.and_then(|formula| writer.formula(formula));
                texts.extend(text.filter(|text| !texts.contains(text)));
            }
        }
        texts
    }

    /// The text of the contract with invariants as annotations in front of it.
    pub fn annotated(&self, invariants: &[String], sources: &SourceMap) -> String {
        let text = sources.file(self.span.file).text();
        let start = self.span.start as usize;
        let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
        let indent: String = text[line..].chars().take_while(|c| *c == ' ' || *c == '\t').collect();
        let notes = invariants.iter().map(|invariant| format!("{indent}/// @notice invariant {invariant}\n"));
        format!("{}{}{}", &text[..line], notes.collect::<String>(), &text[line..])
    }
}

fn conjuncts(store: &Store, formula: ExprId) -> Vec<ExprId> {
    match store.op(formula) {
        Op::And => store.args(formula).iter().flat_map(|part| conjuncts(store, *part)).collect(),
        _ => vec![formula],
    }
}

struct Writer<'a> {
    store: &'a Store,
    names: BTreeMap<VarId, &'a Variable>,
}

/// A sum of variables with factors, and a number.
#[derive(Default)]
struct Linear {
    factors: BTreeMap<VarId, BigInt>,
    number: BigInt,
}

impl Writer<'_> {
    /// Whether a formula only restates the range of a variable's type.
    fn is_obvious(&self, formula: ExprId) -> bool {
        let inner = if self.store.op(formula) == Op::Not { self.store.args(formula)[0] } else { formula };
        if self.store.is_literal(formula) || !matches!(self.store.op(inner), Op::Le | Op::Lt) {
            return self.store.is_literal(formula);
        }
        let (args, mut sum) = (self.store.args(inner), Linear::default());
        let parts = [(args[0], BigInt::one()), (args[1], -BigInt::one())];
        if parts.iter().any(|(term, factor)| self.add(*term, factor, &mut sum).is_none()) {
            return false;
        }
        let mut vars = sum.factors.iter().filter(|(_, factor)| !factor.is_zero());
        let (Some((var, _)), None) = (vars.next(), vars.next()) else { return false };
        let is_small = sum.number.magnitude().bits() <= 1;
        let is_large = sum.number.magnitude().bits() >= 128;
        match self.names.get(var).map(|variable| &variable.meaning) {
            Some(Meaning::Member(_)) => true,
            Some(Meaning::Signed) => is_large,
            _ => is_large || (is_small && self.holds_at(formula, *var)),
        }
    }

    /// Whether a formula about one variable holds wherever the variable is not negative.
    fn holds_at(&self, formula: ExprId, var: VarId) -> bool {
        [0u64, 1, 2, 1 << 40].into_iter().all(|number| {
            let mut value = Substitution::new();
            value.insert(self.store, var, self.store.int(number));
            value.apply(self.store, formula) == self.store.tru()
        })
    }

    fn formula(&self, formula: ExprId) -> Option<String> {
        let args = self.store.args(formula);
        match self.store.op(formula) {
            Op::Var(var) => Some(self.names.get(&var)?.name.clone()),
            Op::Const(_) => Some(self.store.value(formula)?.to_string()),
            Op::Not => match self.store.op(args[0]) {
                Op::Le => self.comparison(args[0], ">"),
                Op::Lt => self.comparison(args[0], ">="),
                Op::Eq => self.comparison(args[0], "!="),
                _ => Some(format!("!({})", self.formula(args[0])?)),
            },
            Op::And => self.joined(&args, " && "),
            Op::Or => self.joined(&args, " || "),
            Op::Le => self.comparison(formula, "<="),
            Op::Lt => self.comparison(formula, "<"),
            Op::Eq => self.comparison(formula, "=="),
            _ => None,
        }
    }

    fn joined(&self, parts: &[ExprId], operator: &str) -> Option<String> {
        let parts: Option<Vec<String>> =
            parts.iter().map(|part| Some(format!("({})", self.formula(*part)?))).collect();
        Some(parts?.join(operator))
    }

    /// A comparison, with everything on the side where its factor is positive.
    fn comparison(&self, formula: ExprId, operator: &str) -> Option<String> {
        let args = self.store.args(formula);
        if self.store.sort(args[0]) == thetis_expr::Sort::Bool {
            return Some(format!("({}) {operator} ({})", self.formula(args[0])?, self.formula(args[1])?));
        }
        let mut sum = Linear::default();
        self.add(args[0], &BigInt::one(), &mut sum)?;
        self.add(args[1], &-BigInt::one(), &mut sum)?;
        let left = self.side(&sum, &BigInt::one())?;
        let right = self.side(&sum, &-BigInt::one())?;
        Some(format!("{left} {operator} {right}"))
    }

    /// The part of a sum whose factors have a sign.
    fn side(&self, sum: &Linear, sign: &BigInt) -> Option<String> {
        let mut parts = Vec::new();
        for (var, factor) in &sum.factors {
            let factor = factor * sign;
            if factor.is_positive() {
                let name = &self.names.get(var)?.name;
                parts.push(if factor.is_one() { name.clone() } else { format!("{factor} * {name}") });
            }
        }
        let number = &sum.number * sign;
        if number.is_positive() || parts.is_empty() {
            parts.push(number.max(BigInt::zero()).to_string());
        }
        Some(parts.join(" + "))
    }

    fn add(&self, term: ExprId, factor: &BigInt, sum: &mut Linear) -> Option<()> {
        let args = self.store.args(term);
        match self.store.op(term) {
            Op::Var(var) => {
                self.names.get(&var)?;
                *sum.factors.entry(var).or_default() += factor;
            }
            Op::Const(_) => match self.store.value(term)? {
                Value::Int(number) => sum.number += number * factor,
                _ => return None,
            },
            Op::Add => args.iter().try_for_each(|arg| self.add(*arg, factor, sum))?,
            Op::Sub => {
                self.add(args[0], factor, sum)?;
                self.add(args[1], &-factor, sum)?;
            }
            Op::Neg => self.add(args[0], &-factor, sum)?,
            Op::Mul => match (self.store.value(args[0]), args.len()) {
                (Some(Value::Int(number)), 2) => self.add(args[1], &(factor * number), sum)?,
                _ => return None,
            },
            _ => return None,
        }
        Some(())
    }
}
