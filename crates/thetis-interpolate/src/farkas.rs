//! Interpolants as partial sums of a Farkas certificate.
//!
//! A contradictory conjunction of linear inequalities has multipliers that add it up to `1 ≤ 0`. If the inequalities of
//! a chain are added only up to some point, the sum is implied by the part before the point and contradicts the part
//! after it; and variables that are not live at the point have cancelled out. So the partial sums are interpolants
//! (McMillan, *An Interpolating Theorem Prover*, 2005). Integers are helped by dividing each inequality and each sum by
//! the common divisor of its coefficients and rounding.
//!
//! Everything that is not a conjunction is split into cases: disjunctions, disequalities, and fractional values of the
//! simplex method. A case split at a place of the chain joins the formulas of its cases by *or* after that place, by
//! *and* before it. Division by a number becomes inequalities for the quotient. Non-linear parts are left out, which is
//! sound if the rest is still contradictory.
//!
//! The certificate comes from the exact simplex method of `thetis-ilp`.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, ToPrimitive, Zero};
use rustc_hash::FxHashMap;
use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Op, Replacer, Sort, Store, VarId, Version};
use thetis_ilp::{Certificate, Exact, IlpConfig, Problem, Relation, Row, decide};
use thetis_solver::{Chain, Interpolator};

use crate::linear::Linear;

/// The greatest number of cases for one chain.
const MAX_CASES: usize = 64;

/// The interpolator. See the [module](self).
#[derive(Default)]
pub struct Farkas {
    config: IlpConfig,
}

/// A formula at a place: the start is at 0, step `n` at `n + 1`, the negated end after all steps. What is at a place up
/// to `p` is before point `p`.
#[derive(Clone, Copy)]
struct Placed {
    place: usize,
    formula: ExprId,
}

/// `form ≤ 0`, or `form = 0`, at a place.
struct Inequality {
    place: usize,
    form: Linear,
    is_equation: bool,
}

impl Interpolator for Farkas {
    fn name(&self) -> &'static str {
        "farkas"
    }

    fn interpolate(&mut self, store: &Store, chain: &Chain, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let encoding = Encoding::new(store, chain);
        let mut search = CertificateSearch { store, encoding: &encoding, config: &self.config, cases: 0 };
        let literals: Vec<Placed> = encoding.formulas.clone();
        search.solve(literals, run)
    }
}

/// The chain with a version of each variable for each of its assignments.
struct Encoding {
    formulas: Vec<Placed>,
    /// For each version its variable and the first and last point at which it is current.
    versions: FxHashMap<VarId, (VarId, usize, usize)>,
    num_points: usize,
}

impl Encoding {
    fn new(store: &Store, chain: &Chain) -> Encoding {
        let mut versions: FxHashMap<VarId, (VarId, usize, usize)> = FxHashMap::default();
        let num_points = chain.steps.len() + 1;
        let mut counter = 0;
        let mut fresh = |var: VarId| {
            counter += 1;
            store.at_version(var, Version::Step(counter))
        };
        let mut state: FxHashMap<VarId, VarId> = FxHashMap::default();
        for var in chain.vars(store) {
            let version = fresh(var);
            versions.insert(version, (var, 0, num_points - 1));
            state.insert(var, version);
        }
        let mut formulas = vec![Placed { place: 0, formula: renamed(store, &state, chain.start) }];
        for (number, step) in chain.steps.iter().enumerate() {
            let place = number + 1;
            let mut before = state.clone();
            before.extend(step.inputs.iter().map(|input| (*input, fresh(*input))));
            let conjuncts = step.conjuncts.iter().map(|conjunct| renamed(store, &before, *conjunct));
            formulas.extend(conjuncts.map(|formula| Placed { place, formula }));
            for (var, term) in &step.next {
                let version = fresh(*var);
                versions.insert(version, (*var, place, num_points - 1));
                if let Some(old) = state.insert(*var, version) {
                    versions.entry(old).and_modify(|(_, _, until)| *until = number);
                }
                let formula = store.eq(store.var_expr(version), renamed(store, &before, *term));
                formulas.push(Placed { place, formula });
            }
        }
        let end = store.not(renamed(store, &state, chain.end));
        formulas.push(Placed { place: num_points, formula: end });
        Encoding { formulas, versions, num_points }
    }

    /// A form over versions as one over the variables of `point`; `None` if it has others.
    fn at_point(&self, form: &Linear, point: usize) -> Option<Linear> {
        let mut result = Linear::number(form.constant.clone());
        for (version, coefficient) in &form.coefficients {
            let (var, since, until) = self.versions.get(version)?;
            if !(*since..=*until).contains(&point) {
                return None;
            }
            result.add(&Linear::var(*var), coefficient);
        }
        Some(result)
    }
}

fn renamed(store: &Store, state: &FxHashMap<VarId, VarId>, formula: ExprId) -> ExprId {
    Replacer::new(|store: &Store, var| state.get(&var).map(|version| store.var_expr(*version)))
        .apply(store, formula)
}

struct CertificateSearch<'s> {
    store: &'s Store,
    encoding: &'s Encoding,
    config: &'s IlpConfig,
    cases: usize,
}

/// The result for the linear part of a case.
enum Decision {
    Formulas(Vec<ExprId>),
    /// A solution that is not integral: split at this variable, which is live from the place on, and this value.
    Fraction {
        var: VarId,
        place: usize,
        floor: BigInt,
    },
    Open,
}

impl CertificateSearch<'_> {
    /// The formulas of all points for the conjunction of `literals`. Cases are a tree of at most [`MAX_CASES`] leaves.
    fn solve(&mut self, literals: Vec<Placed>, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        run.checkpoint()?;
        self.cases += 1;
        if self.cases > MAX_CASES {
            return Ok(None);
        }
        let literals = self.flattened(literals);
        // Most contradictions do not need the disjunctions, so these are split last.
        match self.decide(&literals, run)? {
            Decision::Formulas(formulas) => return Ok(Some(formulas)),
            Decision::Fraction { var, place, floor } => {
                let term = self.store.var_expr(var);
                let below = self.store.le(term, self.store.int(floor));
                return self.split(literals, place, vec![below, self.store.not(below)], run);
            }
            Decision::Open => {}
        }
        let split = literals.iter().enumerate().find_map(|(number, literal)| {
            alternatives(self.store, literal.formula).map(|cases| (number, cases))
        });
        let Some((number, cases)) = split else { return Ok(None) };
        let mut rest = literals;
        let place = rest.remove(number).place;
        self.split(rest, place, cases, run)
    }

    fn split(
        &mut self,
        rest: Vec<Placed>,
        place: usize,
        cases: Vec<ExprId>,
        run: &Run,
    ) -> Result<Option<Vec<ExprId>>, Stop> {
        let mut joined: Option<Vec<ExprId>> = None;
        for formula in cases {
            let mut literals = rest.clone();
            literals.push(Placed { place, formula });
            let Some(formulas) = self.solve(literals, run)? else { return Ok(None) };
            joined = Some(match joined {
                None => formulas,
                Some(others) => self.join(place, &others, &formulas),
            });
        }
        Ok(joined)
    }

    fn join(&self, place: usize, left: &[ExprId], right: &[ExprId]) -> Vec<ExprId> {
        let pairs = left.iter().zip(right).enumerate();
        let join = |(point, (left, right)): (usize, (&ExprId, &ExprId))| {
            if place <= point { self.store.or(*left, *right) } else { self.store.and(*left, *right) }
        };
        pairs.map(join).collect()
    }

    /// The conjuncts of all literals.
    fn flattened(&self, literals: Vec<Placed>) -> Vec<Placed> {
        let parts = |literal: Placed| {
            let conjuncts = self.store.conjuncts(literal.formula);
            conjuncts.into_iter().map(move |formula| Placed { formula, ..literal })
        };
        literals.into_iter().flat_map(parts).collect()
    }

    fn decide(&self, literals: &[Placed], run: &Run) -> Result<Decision, Stop> {
        if let Some(literal) = literals.iter().find(|literal| literal.formula == self.store.fals()) {
            return Ok(Decision::Formulas(self.step_function(literal.place)));
        }
        let Inequalities { all: inequalities, quotients, .. } = Inequalities::new(self.store, literals);
        if let Some(single) = inequalities.iter().find(|inequality| inequality.is_contradictory()) {
            return Ok(Decision::Formulas(self.step_function(single.place)));
        }
        let columns = columns(&inequalities);
        let Some(problem) = problem(&inequalities, &columns) else { return Ok(Decision::Open) };
        Ok(match decide(&problem, self.config, run)? {
            Exact::Infeasible(Certificate::Farkas { multipliers }) => {
                match self.partial_sums(&inequalities, &multipliers) {
                    Some(formulas) => Decision::Formulas(formulas),
                    None => Decision::Open,
                }
            }
            Exact::Vertex { numerators, denominator } => {
                self.fraction(&columns, &quotients, &numerators, &denominator)
            }
            Exact::Infeasible(_) | Exact::TooLarge => Decision::Open,
        })
    }

    /// `true` before the place, `false` after it.
    fn step_function(&self, place: usize) -> Vec<ExprId> {
        (0..self.encoding.num_points).map(|point| self.store.boolean(place > point)).collect()
    }

    fn partial_sums(&self, inequalities: &[Inequality], multipliers: &[BigInt]) -> Option<Vec<ExprId>> {
        let mut formulas = Vec::new();
        for point in 0..self.encoding.num_points {
            let mut sum = Linear::default();
            for (inequality, multiplier) in inequalities.iter().zip(multipliers) {
                if inequality.place <= point {
                    sum.add(&inequality.form, &-multiplier);
                }
            }
            let sum = self.encoding.at_point(&sum, point)?;
            formulas.push(sum.tightened().at_most_zero(self.store));
        }
        Some(formulas)
    }

    fn fraction(
        &self,
        columns: &BTreeMap<VarId, u32>,
        quotients: &FxHashMap<VarId, usize>,
        numerators: &[BigInt],
        denominator: &BigInt,
    ) -> Decision {
        for (var, column) in columns {
            let column = *column as usize;
            let numerator = &numerators[column] - &numerators[column + 1];
            let version = self.encoding.versions.get(var).map(|(_, since, _)| *since);
            let place = version.or_else(|| quotients.get(var).copied());
            if let Some(place) = place
                && !numerator.is_multiple_of(denominator)
            {
                return Decision::Fraction { var: *var, place, floor: numerator.div_floor(denominator) };
            }
        }
        Decision::Open
    }
}

/// The inequalities of literals.
struct Inequalities<'s> {
    store: &'s Store,
    all: Vec<Inequality>,
    /// The variables that stand for quotients, with their places.
    quotients: FxHashMap<VarId, usize>,
}

impl<'s> Inequalities<'s> {
    fn new(store: &'s Store, literals: &[Placed]) -> Inequalities<'s> {
        let mut inequalities = Inequalities { store, all: Vec::new(), quotients: FxHashMap::default() };
        for literal in literals {
            inequalities.add(*literal);
        }
        inequalities
    }

    /// Adds what a literal says, if it is linear; other literals are left out.
    fn add(&mut self, literal: Placed) {
        let store = self.store;
        let is_negated = store.op(literal.formula) == Op::Not;
        let atom = if is_negated { store.arg(literal.formula, 0) } else { literal.formula };
        let op = store.op(atom);
        if !matches!((op, is_negated), (Op::Le | Op::Lt, _) | (Op::Eq, false)) {
            return;
        }
        let (left, right) = (store.arg(atom, 0), store.arg(atom, 1));
        if store.sort(left) != Sort::Int {
            return;
        }
        let Some(mut form) = self.difference(left, right, literal.place) else { return };
        if is_negated {
            form.scale(&-BigInt::one());
        }
        // `a < b` is `a + 1 ≤ b`, and so is the negation of `b ≤ a`.
        if (op == Op::Lt) != is_negated {
            form.constant += 1;
        }
        self.push(literal.place, form, op == Op::Eq);
    }

    fn push(&mut self, place: usize, form: Linear, is_equation: bool) {
        let form = if is_equation { form } else { form.tightened() };
        self.all.push(Inequality { place, form, is_equation });
    }

    fn difference(&mut self, left: ExprId, right: ExprId, place: usize) -> Option<Linear> {
        let mut difference = self.form(left, place)?;
        difference.add(&self.form(right, place)?, &-BigInt::one());
        Some(difference)
    }

    /// The linear form of a term. A quotient `q` of `t` by `k` is a new variable with `k·q ≤ t ≤ k·q + k - 1`.
    fn form(&mut self, term: ExprId, place: usize) -> Option<Linear> {
        let store = self.store;
        Linear::of(store, term, |term, dividend, divisor| {
            if !divisor.is_positive() {
                return None;
            }
            let name = format!("quotient!{}!{divisor}!{place}", store.arg(term, 0).index());
            let var = store.declare(&name, Sort::Int);
            self.quotients.insert(var, place);
            let quotient = Linear::var(var);
            let mut remainder = dividend.clone();
            remainder.add(&quotient, &-divisor);
            let mut negative = remainder.clone();
            negative.scale(&-BigInt::one());
            self.push(place, negative, false);
            let mut too_large = remainder.clone();
            too_large.constant -= divisor - 1;
            self.push(place, too_large, false);
            Some(if store.op(term) == Op::Mod { remainder } else { quotient })
        })
    }
}

impl Inequality {
    /// Whether it has no integer solution by itself.
    fn is_contradictory(&self) -> bool {
        let divisor = self.form.divisor();
        if divisor.is_zero() {
            return if self.is_equation {
                !self.form.constant.is_zero()
            } else {
                self.form.constant.is_positive()
            };
        }
        self.is_equation && !self.form.constant.is_multiple_of(&divisor)
    }
}

/// Two columns for each variable: its positive part and, after it, its negative part.
fn columns(inequalities: &[Inequality]) -> BTreeMap<VarId, u32> {
    let vars = inequalities.iter().flat_map(|inequality| inequality.form.coefficients.keys().copied());
    let mut columns: BTreeMap<VarId, u32> = vars.map(|var| (var, 0)).collect();
    columns.values_mut().zip((0..).step_by(2)).for_each(|(column, number)| *column = number);
    columns
}

/// The inequalities over natural numbers; `None` if a number is too large.
fn problem(inequalities: &[Inequality], columns: &BTreeMap<VarId, u32>) -> Option<Problem> {
    let mut problem = Problem::new(2 * columns.len());
    for inequality in inequalities {
        let mut terms = Vec::new();
        for (var, coefficient) in &inequality.form.coefficients {
            let coefficient = coefficient.to_i64().filter(|number| *number != i64::MIN)?;
            terms.push((columns[var], coefficient));
            terms.push((columns[var] + 1, -coefficient));
        }
        let relation = if inequality.is_equation { Relation::Equal } else { Relation::AtMost };
        problem.add(Row::new(terms, relation, (-&inequality.form.constant).to_i64()?));
    }
    Some(problem)
}

/// The cases of a formula that is not a literal; `None` for literals.
fn alternatives(store: &Store, formula: ExprId) -> Option<Vec<ExprId>> {
    let args = |term: ExprId| store.args(term).to_vec();
    match store.op(formula) {
        Op::Or => Some(args(formula)),
        Op::Not => {
            let inner = store.arg(formula, 0);
            match store.op(inner) {
                Op::And => Some(args(inner).into_iter().map(|part| store.not(part)).collect()),
                Op::Eq if store.sort(store.arg(inner, 0)) == Sort::Int => {
                    let (left, right) = (store.arg(inner, 0), store.arg(inner, 1));
                    Some(vec![store.lt(left, right), store.lt(right, left)])
                }
                _ => None,
            }
        }
        Op::Ite => {
            let [condition, then, otherwise] = [0, 1, 2].map(|position| store.arg(formula, position));
            Some(vec![store.and(condition, then), store.and(store.not(condition), otherwise)])
        }
        _ => None,
    }
}
