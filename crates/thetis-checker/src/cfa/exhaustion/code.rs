//! Statements prepared for running: each subterm is computed once, arguments before the terms that use them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thetis_expr::{ExprId, Op, Postorder, Signs, SmallRange, Store, Value, VarId};
use thetis_model::cfa::{Stmt, StmtKind};

use super::datum::{Datum, meaning};

/// The numbers of the variables of an automaton in its states.
pub(super) type Numbers = FxHashMap<VarId, usize>;

/// A statement.
pub(super) enum Code {
    Assign(usize, Term),
    /// Writes cells of an array, in the order of the original writes.
    Write(usize, Vec<(Term, Term)>),
    Assume(Condition),
    Havoc(usize),
    /// The variable is in this range.
    Limit(usize, SmallRange),
    Choice(Vec<Vec<Code>>),
}

/// What has to hold for a run to go on.
pub(super) struct Condition {
    formula: Term,
    /// The value that a variable has if the formula holds.
    learned: Option<(usize, Value)>,
    /// The signs that a variable has if the formula holds.
    signs: Option<(usize, Signs)>,
}

/// A term: its parts, the last of which is the term itself.
pub(super) struct Term {
    parts: Vec<TermNode>,
}

enum TermNode {
    Constant(Datum),
    Variable(usize),
    /// An operator on earlier parts.
    Operator(ExprId, Vec<usize>),
}

impl Code {
    /// What `stmt` does, as a sequence. Says where one of the variables `by_value` is limited to a small range.
    pub(super) fn of(store: &Store, numbers: &Numbers, stmt: &Stmt, by_value: &BTreeSet<VarId>) -> Vec<Code> {
        let mut code = Vec::new();
        let mut pending = vec![stmt];
        while let Some(stmt) = pending.pop() {
            match &stmt.kind {
                StmtKind::Assign(var, term) => code.push(assignment(store, numbers, *var, *term)),
                StmtKind::Assume(formula) => {
                    let conjuncts = store.conjuncts(*formula).into_iter();
                    code.extend(conjuncts.map(|part| Code::Assume(Condition::new(store, numbers, part))));
                }
                StmtKind::Havoc(var) => code.push(Code::Havoc(numbers[var])),
                StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev()),
                StmtKind::Choice(stmts) => {
                    let branches = stmts.iter().map(|stmt| Code::of(store, numbers, stmt, by_value));
                    code.push(Code::Choice(branches.collect()));
                }
            }
            let limits = limits(store, stmt).into_iter().filter(|(var, _)| by_value.contains(var));
            code.extend(limits.map(|(var, range)| Code::Limit(numbers[&var], range)));
        }
        code
    }
}

/// The variables that are in small ranges after `stmt`, because of what it is.
fn limits(store: &Store, stmt: &Stmt) -> Vec<(VarId, SmallRange)> {
    let limit = |var: VarId, range: Option<SmallRange>| range.map(|range| (var, range)).into_iter().collect();
    match &stmt.kind {
        StmtKind::Assign(var, term) => limit(*var, SmallRange::of_term(store, *term)),
        StmtKind::Havoc(var) => limit(*var, SmallRange::of_sort(store.var_sort(*var))),
        StmtKind::Assume(formula) => SmallRange::implied(store, *formula),
        StmtKind::Seq(_) | StmtKind::Choice(_) => Vec::new(),
    }
}

/// An array that is assigned to itself with some cells written is changed in place.
fn assignment(store: &Store, numbers: &Numbers, var: VarId, term: ExprId) -> Code {
    let mut cells = Vec::new();
    let mut array = term;
    while store.op(array) == Op::Store {
        let arguments = store.args(array);
        cells.push((arguments[1], arguments[2]));
        array = arguments[0];
    }
    if cells.is_empty() || store.as_var(array) != Some(var) {
        return Code::Assign(numbers[&var], Term::new(store, numbers, term));
    }
    let prepared = |part| Term::new(store, numbers, part);
    let cells = cells.into_iter().rev().map(|(index, element)| (prepared(index), prepared(element)));
    Code::Write(numbers[&var], cells.collect())
}

/// Writes cells of an array. Indices and elements are evaluated in the state before the write.
pub(super) fn write(store: &Store, values: &mut [Datum], variable: usize, cells: &[(Term, Term)]) {
    let data =
        cells.iter().map(|(index, element)| (index.datum(store, values), element.datum(store, values)));
    let data: Vec<(Datum, Datum)> = data.collect();
    for (index, element) in data {
        values[variable].write(&index, element);
    }
}

impl Condition {
    fn new(store: &Store, numbers: &Numbers, formula: ExprId) -> Condition {
        let learned = learned(store, formula).map(|(var, value)| (numbers[&var], value));
        let signs = Signs::implied(store, formula, true).map(|(var, signs)| (numbers[&var], signs));
        Condition { formula: Term::new(store, numbers, formula), learned, signs }
    }

    /// Whether the condition holds, if that is known.
    pub(super) fn holds(&self, store: &Store, values: &[Datum]) -> Option<bool> {
        self.formula.datum(store, values).truth()
    }

    /// Notes what follows from the condition.
    pub(super) fn learn(&self, values: &mut [Datum]) {
        if let Some((variable, value)) = &self.learned {
            values[*variable] = Datum::of(value);
        }
        if let Some((variable, signs)) = &self.signs {
            values[*variable] = values[*variable].with_signs(*signs);
        }
    }
}

/// The variable that has a certain value wherever `formula` holds, if it is as simple as that.
fn learned(store: &Store, formula: ExprId) -> Option<(VarId, Value)> {
    let arguments = store.args(formula);
    match store.op(formula) {
        Op::Var(var) => Some((var, Value::Bool(true))),
        Op::Not => store.as_var(arguments[0]).map(|var| (var, Value::Bool(false))),
        Op::Eq => {
            let (left, right) = (arguments[0], arguments[1]);
            let pair = |var: ExprId, value: ExprId| Some((store.as_var(var)?, store.value(value)?));
            pair(left, right).or_else(|| pair(right, left))
        }
        _ => None,
    }
}

impl Term {
    fn new(store: &Store, numbers: &Numbers, term: ExprId) -> Term {
        let mut places: FxHashMap<ExprId, usize> = FxHashMap::default();
        let mut parts = Vec::new();
        for part in Postorder::new(store, [term]) {
            places.insert(part, parts.len());
            parts.push(match store.op(part) {
                Op::Var(var) => TermNode::Variable(numbers[&var]),
                Op::Const(_) => {
                    TermNode::Constant(Datum::of(&store.value(part).expect("a constant should have a value")))
                }
                _ => TermNode::Operator(
                    part,
                    store.args(part).iter().map(|argument| places[argument]).collect(),
                ),
            });
        }
        Term { parts }
    }

    /// What is known of the term if `values` are known of the variables.
    pub(super) fn datum(&self, store: &Store, values: &[Datum]) -> Datum {
        let mut data: SmallVec<[Cow<'_, Datum>; 8]> = SmallVec::new();
        for part in &self.parts {
            let datum = match part {
                TermNode::Constant(datum) => Cow::Borrowed(datum),
                TermNode::Variable(number) => Cow::Borrowed(&values[*number]),
                TermNode::Operator(term, arguments) => {
                    let arguments: SmallVec<[&Datum; 4]> =
                        arguments.iter().map(|place| data[*place].as_ref()).collect();
                    Cow::Owned(meaning(store, *term, &arguments))
                }
            };
            data.push(datum);
        }
        data.pop().expect("a term should have parts").into_owned()
    }
}
