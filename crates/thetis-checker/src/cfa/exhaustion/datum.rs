//! Partially known values.

use std::sync::Arc;

use imbl::OrdMap;
use smallvec::SmallVec;
use thetis_expr::{ArrayValue, ExprId, Op, Signs, Sort, Store, Value, apply};

/// What is known of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::cfa) enum Datum {
    /// Any value of its sort; a number has one of these signs.
    Unknown(Signs),
    /// It is this one, which is no array.
    Known(Value),
    /// It is an array with these cells.
    Array(Cells),
}

/// An array: what is known of some cells, and of each of the others. Copies share what they have in common, and one that shares
/// nothing is changed in place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::cfa) struct Cells {
    others: Arc<Datum>,
    written: OrdMap<Value, Datum>,
}

impl Cells {
    fn new(others: Datum) -> Cells {
        Cells { others: Arc::new(others), written: OrdMap::new() }
    }

    /// A cell that equals the default is not stored, so that equal arrays usually compare equal.
    fn write(&mut self, index: &Value, element: Datum) {
        if element == *self.others {
            self.written.remove(index);
        } else {
            self.written.insert(index.clone(), element);
        }
    }

    fn join(&mut self, other: &Cells) {
        if self == other {
            return;
        }
        let written: Vec<Value> = self.written.keys().chain(other.written.keys()).cloned().collect();
        let mut others = (*self.others).clone();
        others.join(&other.others);
        let mut joined = Cells::new(others);
        for index in written {
            let mut datum = self.read(&index).clone();
            datum.join(other.read(&index));
            joined.write(&index, datum);
        }
        *self = joined;
    }

    fn read(&self, index: &Value) -> &Datum {
        self.written.get(index).unwrap_or(&self.others)
    }
}

impl Datum {
    /// Nothing at all.
    pub(in crate::cfa) const UNKNOWN: Datum = Datum::Unknown(Signs::ALL);

    /// The signs that it may have.
    fn signs(&self) -> Signs {
        match self {
            Datum::Unknown(signs) => *signs,
            Datum::Known(value) => Signs::of(value),
            Datum::Array(_) => Signs::ALL,
        }
    }

    /// What is known of a value that has one of these signs as well.
    pub(in crate::cfa) fn with_signs(&self, signs: Signs) -> Datum {
        match self {
            Datum::Unknown(own) => Datum::Unknown(own.and(signs)),
            datum => datum.clone(),
        }
    }

    /// What is known of a value that is one or the other.
    fn or(&self, other: &Datum) -> Datum {
        if self == other { self.clone() } else { Datum::Unknown(self.signs().or(other.signs())) }
    }

    /// Keeps what is known of a value that is this or the other one, cell by cell.
    pub(in crate::cfa) fn join(&mut self, other: &Datum) {
        match (&mut *self, other) {
            (Datum::Array(cells), Datum::Array(others)) => cells.join(others),
            (known, other) if *known != *other => *known = known.or(other),
            _ => {}
        }
    }

    /// A known value.
    pub(in crate::cfa) fn of(value: &Value) -> Datum {
        let Value::Array(array) = value else { return Datum::Known(value.clone()) };
        let written = array.entries().map(|(index, element)| (index.clone(), Datum::of(element)));
        Datum::Array(Cells { others: Arc::new(Datum::of(array.default())), written: written.collect() })
    }

    /// The value, if it is known and not an array.
    pub(in crate::cfa) fn scalar(&self) -> Option<&Value> {
        match self {
            Datum::Known(value) => Some(value),
            _ => None,
        }
    }

    /// The truth value, if it is known.
    pub(in crate::cfa) fn truth(&self) -> Option<bool> {
        match self {
            Datum::Known(value) => value.as_bool(),
            _ => None,
        }
    }

    /// Writes a cell. After a write at an unknown index nothing is known.
    pub(in crate::cfa) fn write(&mut self, index: &Datum, element: Datum) {
        let Datum::Known(index) = index else {
            *self = Datum::UNKNOWN;
            return;
        };
        if matches!(self, Datum::Unknown(_)) {
            *self = Datum::Array(Cells::new(Datum::UNKNOWN));
        }
        if let Datum::Array(cells) = self {
            cells.write(index, element);
        }
    }

    fn read(&self, index: &Datum) -> Datum {
        match (self, index) {
            (Datum::Array(cells), Datum::Known(index)) => cells.read(index).clone(),
            _ => Datum::UNKNOWN,
        }
    }

    /// The value of the sort of `term`, if all of it is known.
    fn value(&self, store: &Store, term: ExprId) -> Option<Value> {
        match self {
            Datum::Unknown(_) => None,
            Datum::Known(value) => Some(value.clone()),
            Datum::Array(cells) => cells.value(store, term),
        }
    }
}

impl Cells {
    /// The array of the sort of `term`, if all cells are known. Arrays of arrays count as unknown.
    fn value(&self, store: &Store, term: ExprId) -> Option<Value> {
        let Datum::Known(others) = &*self.others else { return None };
        let element = |datum: &Datum| match datum {
            Datum::Known(value) => Some(value.clone()),
            _ => None,
        };
        let entries = self.written.iter().map(|(index, datum)| Some((index.clone(), element(datum)?)));
        let entries: Option<Vec<(Value, Value)>> = entries.collect();
        let Sort::Array(sort) = store.sort(term) else { return None };
        let (index_sort, _) = store.array_parts(sort);
        Some(Value::Array(Arc::new(ArrayValue::new(index_sort, others.clone()).write_all(entries?))))
    }
}

/// What is known of `term` if `arguments` are known of its arguments.
pub(in crate::cfa) fn meaning(store: &Store, term: ExprId, arguments: &[&Datum]) -> Datum {
    match store.op(term) {
        Op::And if arguments.iter().any(|argument| argument.truth() == Some(false)) => {
            Datum::Known(Value::Bool(false))
        }
        Op::Or if arguments.iter().any(|argument| argument.truth() == Some(true)) => {
            Datum::Known(Value::Bool(true))
        }
        Op::Ite => match arguments[0].truth() {
            Some(is_true) => arguments[if is_true { 1 } else { 2 }].clone(),
            None => either(store, term, arguments),
        },
        Op::Select => arguments[0].read(arguments[1]),
        Op::Store => {
            let mut array = arguments[0].clone();
            array.write(arguments[1], arguments[2].clone());
            array
        }
        Op::ConstArray => Datum::Array(Cells::new(arguments[0].clone())),
        _ => applied(store, term, arguments),
    }
}

/// The meaning of an operator that needs to know all of its arguments.
fn applied(store: &Store, term: ExprId, arguments: &[&Datum]) -> Datum {
    let scalars: Option<SmallVec<[&Value; 4]>> = arguments
        .iter()
        .map(|argument| match argument {
            Datum::Known(value) => Some(value),
            _ => None,
        })
        .collect();
    if let Some(values) = scalars {
        return Datum::of(&apply(store, term, &values));
    }
    let terms = store.args(term);
    let values = arguments.iter().zip(terms.iter()).map(|(argument, term)| argument.value(store, *term));
    match values.collect::<Option<Vec<Value>>>() {
        Some(values) => Datum::of(&apply(store, term, &values.iter().collect::<Vec<_>>())),
        None => by_signs(store, term, arguments),
    }
}

/// What the signs of arguments say.
fn by_signs(store: &Store, term: ExprId, arguments: &[&Datum]) -> Datum {
    match (store.op(term), arguments) {
        (Op::SignExtend, [argument]) => Datum::Unknown(argument.signs()),
        (op, [left, right]) => match Signs::compare(op, left.signs(), right.signs()) {
            Some(truth) => Datum::Known(Value::Bool(truth)),
            None => Datum::UNKNOWN,
        },
        _ => Datum::UNKNOWN,
    }
}

/// What is known of an undecided `if`: what holds of both branches, each restricted to the states where the
/// condition selects it.
fn either(store: &Store, term: ExprId, arguments: &[&Datum]) -> Datum {
    let terms = store.args(term);
    let branch = |number: usize, truth: bool| match Signs::implied(store, terms[0], truth) {
        Some((var, signs)) if store.as_var(terms[number]) == Some(var) => arguments[number].with_signs(signs),
        _ => arguments[number].clone(),
    };
    branch(1, true).or(&branch(2, false))
}
