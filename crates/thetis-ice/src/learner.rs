//! The interface of learners.

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, Value};

use crate::{Data, DecisionTree, IceConfig, Label, LearnerKind, SupportVectors};

/// Finds formulas that agree with points.
pub trait Learner {
    /// The name, as in configurations.
    fn name(&self) -> &'static str;

    /// A formula for each space that contains all positive points and no negative one, and as a whole all points that follow
    /// from contained ones; `None` if none was found.
    fn learn(&mut self, store: &Store, data: &Data, run: &Run) -> Result<Option<Vec<ExprId>>, Stop>;
}

/// Hints for learners from the formulas that the points come from: terms and numbers that are likely to matter.
#[derive(Clone, Default, Debug)]
pub struct Hints {
    /// For each space formulas over its variables.
    pub atoms: Vec<Vec<ExprId>>,
    /// Numbers that occur in the formulas.
    pub numbers: Vec<i64>,
    /// Whether variables are multiplied with each other.
    pub has_products: bool,
}

impl Hints {
    /// The comparisons and numbers of `formulas`; a comparison is a hint for each space that has all its variables.
    pub fn of(store: &Store, data: &Data, formulas: &[ExprId]) -> Hints {
        let mut hints = Hints { atoms: vec![Vec::new(); data.num_spaces()], ..Hints::default() };
        for term in Postorder::new(store, formulas.iter().copied()) {
            if let Some(Value::Int(number)) = store.value(term) {
                hints.numbers.extend(i64::try_from(number).ok());
            }
            let num_factors = || store.args(term).iter().filter(|arg| !store.is_literal(**arg)).count();
            hints.has_products |= store.op(term) == Op::Mul && num_factors() > 1;
            let is_comparison = matches!(store.op(term), Op::Le | Op::Lt | Op::Eq);
            if is_comparison && store.sort(store.arg(term, 0)) == Sort::Int {
                hints.add_atom(store, data, term);
            }
        }
        hints.numbers.sort_unstable_by_key(|number| (number.unsigned_abs(), *number));
        hints.numbers.dedup();
        hints
    }

    fn add_atom(&mut self, store: &Store, data: &Data, atom: ExprId) {
        let vars = store.vars_of([atom]);
        for space in 0..data.num_spaces() {
            let is_over = !vars.is_empty() && vars.iter().all(|var| data.vars(space).contains(var));
            if is_over && !self.atoms[space].contains(&atom) {
                self.atoms[space].push(atom);
            }
        }
    }
}

/// Whether `formulas` agree with all points and implications, by evaluating them.
pub fn is_consistent(store: &Store, data: &Data, formulas: &[ExprId]) -> bool {
    let contains = |id: usize| {
        let value = data.evaluate(store, id, formulas[data.points()[id].space]);
        value.and_then(|value| value.as_bool())
    };
    let contained: Option<Vec<bool>> = (0..data.points().len()).map(contains).collect();
    let Some(contained) = contained else { return false };
    let agrees = |id: usize| match data.labels().get(id) {
        Some(Label::Positive) => contained[id],
        Some(Label::Negative) => !contained[id],
        None => true,
    };
    (0..contained.len()).all(agrees)
        && data.implications().all(|(from, to)| !contained[from] || contained[to])
}

/// The learner that `config` names.
pub fn learner_of(config: &IceConfig, hints: Hints) -> Box<dyn Learner> {
    match config.learner {
        LearnerKind::Svm => Box::new(SupportVectors::default()),
        LearnerKind::Tree => Box::new(DecisionTree::new(hints)),
        LearnerKind::Auto => {
            Box::new(Auto { svm: SupportVectors::default(), tree: DecisionTree::new(hints) })
        }
    }
}

/// Support vectors as long as there are few points in few dimensions and no implications, then a decision tree.
struct Auto {
    svm: SupportVectors,
    tree: DecisionTree,
}

impl Auto {
    const MAX_POINTS: usize = 200;
    const MAX_DIMENSIONS: usize = 6;
}

impl Learner for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn learn(&mut self, store: &Store, data: &Data, run: &Run) -> Result<Option<Vec<ExprId>>, Stop> {
        let is_small = data.points().len() <= Auto::MAX_POINTS
            && (0..data.num_spaces()).all(|space| data.vars(space).len() <= Auto::MAX_DIMENSIONS)
            && data.implications().next().is_none();
        match is_small {
            true => self.svm.learn(store, data, run),
            false => self.tree.learn(store, data, run),
        }
    }
}
