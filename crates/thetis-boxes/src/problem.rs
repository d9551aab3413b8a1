//! A conjunction of formulas, and what ranges of its variables say about it.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thetis_expr::{ExprId, Op, Postorder, Sort, Store, Value, VarId, default_value, evaluate_all};

use crate::floats::FloatRange;
use crate::meaning::{Range, meaning};

/// The greatest number of passes over the formula to narrow a box: most boxes need two.
const MAX_PASSES: usize = 16;

/// A range for each variable of a [`Problem`].
pub(crate) type Ranges = Vec<Range>;

/// What ranges say about the conjunction.
pub(crate) enum State {
    /// It has no model in them.
    Contradiction,
    /// It may have one.
    Open,
}

/// The conjunction as a list of terms, arguments before what uses them.
pub(crate) struct Problem<'s> {
    store: &'s Store,
    conjuncts: Vec<ExprId>,
    nodes: Vec<Node>,
    roots: Vec<usize>,
    vars: Vec<VarId>,
    /// Whether a variable is compared with a term by `=`, so that it is more likely a name for it than an input.
    is_defined: Vec<bool>,
}

struct Node {
    term: ExprId,
    arguments: SmallVec<[usize; 4]>,
    /// The number of the variable that it is.
    var: Option<usize>,
}

impl<'s> Problem<'s> {
    pub(crate) fn new(store: &'s Store, formulas: &[ExprId]) -> Problem<'s> {
        let conjuncts: Vec<ExprId> = formulas.iter().flat_map(|formula| store.conjuncts(*formula)).collect();
        let mut places: FxHashMap<ExprId, usize> = FxHashMap::default();
        let (mut nodes, mut vars) = (Vec::new(), Vec::new());
        for term in Postorder::new(store, conjuncts.iter().copied()) {
            places.insert(term, nodes.len());
            let arguments = store.args(term).iter().map(|argument| places[argument]).collect();
            let var = store.as_var(term).map(|var| {
                vars.push(var);
                vars.len() - 1
            });
            nodes.push(Node { term, arguments, var });
        }
        let roots = conjuncts.iter().map(|conjunct| places[conjunct]).collect();
        let mut is_defined = vec![false; vars.len()];
        for node in nodes.iter().filter(|node| store.op(node.term) == Op::Eq) {
            node.arguments
                .iter()
                .filter_map(|place| nodes[*place].var)
                .for_each(|var| is_defined[var] = true);
        }
        Problem { store, conjuncts, nodes, roots, vars, is_defined }
    }

    /// How many terms there are.
    pub(crate) fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Nothing is known of any variable.
    pub(crate) fn anything(&self) -> Ranges {
        self.vars.iter().map(|var| Range::all(self.store.var_sort(*var))).collect()
    }

    /// Makes `ranges` narrower, without losing a model. `work` counts the visited terms.
    pub(crate) fn narrow(&self, ranges: &mut Ranges, work: &mut u64) -> State {
        for _ in 0..MAX_PASSES {
            *work += self.nodes.len() as u64;
            let known = self.evaluate(ranges);
            let mut pass = Pass { problem: self, known: &known, ranges, is_changed: false };
            for root in &self.roots {
                if known[*root].truth() == Some(false) || !pass.assume(*root) {
                    return State::Contradiction;
                }
            }
            if !pass.is_changed {
                break;
            }
        }
        State::Open
    }

    /// The numbers of variables that could be split: a truth value if there is one, else the float that is least known. Variables occur in
    /// conjuncts that are not decided.
    pub(crate) fn undecided(&self, ranges: &Ranges) -> Option<usize> {
        let known = self.evaluate(ranges);
        let is_open = |place: &usize| known[*place].truth().is_none();
        let mut seen = vec![false; self.nodes.len()];
        let mut stack: Vec<usize> = self.roots.iter().rev().copied().filter(is_open).collect();
        let mut best: Option<(bool, num_bigint::BigInt, usize)> = None;
        while let Some(place) = stack.pop() {
            if std::mem::replace(&mut seen[place], true) || matches!(known[place], Range::Known(_)) {
                continue;
            }
            let node = &self.nodes[place];
            stack.extend(node.arguments.iter().rev());
            let Some(var) = node.var else { continue };
            match &ranges[var] {
                Range::Any if self.store.var_sort(self.vars[var]) == Sort::Bool => return Some(var),
                Range::Floats(floats) => {
                    let candidate = (!self.is_defined[var], floats.width(), var);
                    if best.as_ref().is_none_or(|best| (candidate.0, &candidate.1) > (best.0, &best.1)) {
                        best = Some(candidate);
                    }
                }
                _ => {}
            }
        }
        best.map(|(_, _, var)| var)
    }

    /// The ranges with the two halves of what is known of a variable.
    pub(crate) fn halves(&self, ranges: &Ranges, var: usize) -> Option<(Ranges, Ranges)> {
        let (first, second) = match &ranges[var] {
            Range::Floats(floats) => {
                let (low, high) = floats.split()?;
                (Range::of(low), Range::of(high))
            }
            _ => (Range::Known(Value::Bool(true)), Range::Known(Value::Bool(false))),
        };
        let with = |range| {
            let mut half = ranges.clone();
            half[var] = range;
            half
        };
        Some((with(first), with(second)))
    }

    /// A model in the middle of the ranges, if there is one.
    pub(crate) fn model_within(&self, ranges: &Ranges, work: &mut u64) -> Option<FxHashMap<VarId, Value>> {
        let mut point = ranges.clone();
        for (range, is_defined) in point.iter_mut().zip(&self.is_defined) {
            if let (Range::Floats(floats), false) = (&*range, is_defined) {
                *range = Range::Known(Value::Float(floats.middle()?));
            }
        }
        if matches!(self.narrow(&mut point, work), State::Contradiction) {
            return None;
        }
        while let Some(var) = self.undecided(&point) {
            let (first, second) = self.halves(&point, var)?;
            point = [first, second].into_iter().find_map(|mut half| {
                let state = self.narrow(&mut half, work);
                matches!(state, State::Open).then_some(half)
            })?;
        }
        self.verified(&point)
    }

    /// The values of a box, if they satisfy everything.
    fn verified(&self, ranges: &Ranges) -> Option<FxHashMap<VarId, Value>> {
        let value = |(var, range): (&VarId, &Range)| {
            let value = match range {
                Range::Known(value) => value.clone(),
                Range::Floats(floats) => Value::Float(floats.middle()?),
                Range::Any => default_value(self.store, self.store.var_sort(*var)),
            };
            Some((*var, value))
        };
        let values: FxHashMap<VarId, Value> =
            self.vars.iter().zip(ranges).map(value).collect::<Option<_>>()?;
        let lookup = |var: VarId| values.get(&var).cloned();
        let truths = evaluate_all(self.store, &self.conjuncts, &lookup).ok()?;
        truths.iter().all(|truth| *truth == Value::Bool(true)).then_some(values)
    }

    /// What is known of each term.
    fn evaluate(&self, ranges: &Ranges) -> Vec<Range> {
        let mut known: Vec<Range> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let range = match (node.var, self.store.op(node.term)) {
                (Some(var), _) => ranges[var].clone(),
                (None, Op::Const(_)) => {
                    Range::Known(self.store.value(node.term).expect("a constant should have a value"))
                }
                (None, _) => {
                    let arguments: SmallVec<[&Range; 4]> =
                        node.arguments.iter().map(|place| &known[*place]).collect();
                    meaning(self.store, node.term, &arguments)
                }
            };
            known.push(range);
        }
        known
    }
}

/// One pass over the conjuncts.
struct Pass<'p, 's> {
    problem: &'p Problem<'s>,
    known: &'p [Range],
    ranges: &'p mut Ranges,
    is_changed: bool,
}

impl Pass<'_, '_> {
    /// Narrows ranges such that a formula can still be true; whether it can.
    fn assume(&mut self, root: usize) -> bool {
        let mut stack = vec![(root, true)];
        while let Some((place, truth)) = stack.pop() {
            match self.known[place].truth() {
                Some(known) if known == truth => continue,
                Some(_) => return false,
                None => {}
            }
            let node = &self.problem.nodes[place];
            let arguments = &node.arguments;
            match self.problem.store.op(node.term) {
                Op::Not => stack.push((arguments[0], !truth)),
                Op::And if truth => stack.extend(arguments.iter().map(|argument| (*argument, true))),
                Op::Or if !truth => stack.extend(arguments.iter().map(|argument| (*argument, false))),
                Op::And | Op::Or => {
                    let mut open =
                        arguments.iter().filter(|argument| self.known[**argument].truth().is_none());
                    if let (Some(argument), None) = (open.next(), open.next()) {
                        stack.push((*argument, truth));
                    }
                }
                Op::Ite => {
                    if let Some(condition) = self.known[arguments[0]].truth() {
                        stack.push((arguments[if condition { 1 } else { 2 }], truth));
                    }
                }
                Op::Var(_) => self.learn(place, Range::Known(Value::Bool(truth))),
                Op::Eq if truth => {
                    if !self.unite(arguments[0], arguments[1]) {
                        return false;
                    }
                }
                op => {
                    if !self.compare(op, arguments, truth) {
                        return false;
                    }
                }
            }
        }
        true
    }

    /// Both have the same value; whether they can.
    fn unite(&mut self, left: usize, right: usize) -> bool {
        let (known_left, known_right) = (self.known[left].clone(), self.known[right].clone());
        match (known_left.floats(), known_right.floats()) {
            (Some(floats), Some(others)) => {
                let common = floats.and(&others);
                self.restrict(left, &common) && self.restrict(right, &common)
            }
            _ => {
                self.learn_if_open(left, known_right);
                self.learn_if_open(right, known_left);
                true
            }
        }
    }

    fn learn_if_open(&mut self, place: usize, range: Range) {
        if matches!((&self.known[place], &range), (Range::Any, Range::Known(_))) {
            self.learn(place, range);
        }
    }

    /// Narrows variables that are compared; whether the comparison can have this outcome.
    fn compare(&mut self, op: Op, arguments: &[usize], truth: bool) -> bool {
        let Some(first) = arguments.first().and_then(|place| self.known[*place].floats()) else {
            return true;
        };
        match op {
            Op::FpIsNan if !truth => return self.restrict(arguments[0], &first.without_nan()),
            Op::FpIsInfinite if !truth => {
                return self.restrict(arguments[0], &FloatRange::finite(first.format()));
            }
            _ => {}
        }
        let Some(second) = arguments.get(1).and_then(|place| self.known[*place].floats()) else {
            return true;
        };
        let is_ordered = !first.has_nan() && !second.has_nan();
        let (lesser, greater) = match (op, truth) {
            (Op::FpLt | Op::FpLe, true) => (0, 1),
            // What is not less is greater or equal, unless it is NaN.
            (Op::FpLt | Op::FpLe, false) if is_ordered => (1, 0),
            (Op::FpEq, true) => {
                return self.restrict(arguments[0], &second.equals())
                    && self.restrict(arguments[1], &first.equals());
            }
            _ => return true,
        };
        let ranges = [first, second];
        self.restrict(arguments[lesser], &ranges[greater].up_to())
            && self.restrict(arguments[greater], &ranges[lesser].from_here())
    }

    /// A term has one of these values; whether it can. Only variables are narrowed.
    fn restrict(&mut self, place: usize, floats: &FloatRange) -> bool {
        let Some(known) = self.known[place].floats() else { return true };
        let common = known.and(floats);
        if common.is_empty() {
            return false;
        }
        self.learn(place, Range::of(common));
        true
    }

    fn learn(&mut self, place: usize, range: Range) {
        if let Some(var) = self.problem.nodes[place].var {
            // Another conjunct may have narrowed the range in the same pass; that is kept.
            let range = match (self.ranges[var].floats(), range.floats()) {
                (Some(known), Some(new)) => Range::of(known.and(&new)),
                _ => range,
            };
            self.is_changed |= self.ranges[var] != range;
            self.ranges[var] = range;
        }
    }
}
