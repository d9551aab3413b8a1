//! Values of Z3's models as ours.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use thetis_expr::{ArrayValue, BitVec, Float, FloatSort, Sort, Store, Value, VarId, default_value};
use thetis_solver::{SolverError, ValuationSource};

use crate::ffi::{Context, Model, RawSolver, Shape, Term};
use crate::translate::Translator;

/// Reads values from the model of the last query, which is fetched when the first is asked for.
pub(crate) struct ModelSource<'s> {
    solver: &'s RawSolver,
    translator: &'s Translator,
    model: OnceCell<Model>,
}

impl<'s> ModelSource<'s> {
    pub(crate) fn new(solver: &'s RawSolver, translator: &'s Translator) -> ModelSource<'s> {
        ModelSource { solver, translator, model: OnceCell::new() }
    }

    fn model(&self) -> Result<&Model, SolverError> {
        match self.model.get() {
            Some(model) => Ok(model),
            None => {
                let model = self.solver.model()?;
                Ok(self.model.get_or_init(|| model))
            }
        }
    }
}

impl ValuationSource for ModelSource<'_> {
    fn value(&self, store: &Store, var: VarId) -> Result<Value, SolverError> {
        let sort = store.var_sort(var);
        match self.translator.var(var) {
            Some(term) => {
                let model = self.model()?;
                Reader { store, model, context: self.solver.context() }.value(&model.evaluate(term)?, sort)
            }
            None => Ok(default_value(store, sort)),
        }
    }
}

struct Reader<'a> {
    store: &'a Store,
    model: &'a Model,
    context: &'a Rc<Context>,
}

/// Index sorts with at most this many bits are read index by index where Z3 describes an array by a lambda.
const MAX_ENUMERATED_BITS: u32 = 10;

impl Reader<'_> {
    /// Recursion follows the nesting of array sorts, not the depth of the term.
    fn value(&self, term: &Term, sort: Sort) -> Result<Value, SolverError> {
        match (sort, term.shape()?) {
            (Sort::Bool, Shape::Bool(value)) => Ok(Value::Bool(value)),
            (Sort::Int, Shape::Numeral(text)) => parse::<BigInt>(&text).map(Value::Int),
            (Sort::Real, Shape::Numeral(text)) => parse(&text).map(Value::Real),
            (Sort::BitVec(width), Shape::Numeral(text)) => {
                Ok(Value::BitVec(BitVec::new(width.get(), parse::<BigUint>(&text)?)))
            }
            (Sort::Float(format), _) => self.float(term, format),
            (Sort::Array(array), _) => {
                let (index, element) = self.store.array_parts(array);
                let array = match self.small_indices(index, term)? {
                    Some(indices) => self.enumerated(term, &indices, index, element),
                    None => self.array(term.clone(), index, element),
                };
                array.map(|array| Value::Array(Arc::new(array)))
            }
            (Sort::Real, _) => Err(SolverError::Unsupported(format!("the irrational value `{term}`"))),
            _ => Err(SolverError::Protocol(format!("`{term}` is not a value of its sort"))),
        }
    }

    /// NaN has many bit patterns, of which Z3 chooses any; ours is one.
    fn float(&self, term: &Term, format: FloatSort) -> Result<Value, SolverError> {
        let (context, api) = (self.context, self.context.api());
        let is_nan = self.model.evaluate(&context.unary(api.mk_fpa_is_nan, term)?)?;
        if self.value(&is_nan, Sort::Bool)? == Value::Bool(true) {
            return Ok(Value::Float(Float::nan(format)));
        }
        let bits = self.model.evaluate(&context.unary(api.mk_fpa_to_ieee_bv, term)?)?;
        match self.value(&bits, Sort::bitvec(format.width()))? {
            Value::BitVec(bits) => Ok(Value::Float(Float::from_bits(format, &bits))),
            other => Err(SolverError::Protocol(format!("`{other}` is not the bits of a float"))),
        }
    }

    /// All indices of an array that is a lambda over a small index sort: its body can be anything.
    fn small_indices(&self, index: Sort, term: &Term) -> Result<Option<Vec<Term>>, SolverError> {
        if !matches!(term.shape()?, Shape::Lambda(_)) {
            return Ok(None);
        }
        let indices: Result<Vec<Term>, SolverError> = match index {
            Sort::Bool => [false, true].into_iter().map(|value| self.context.boolean(value)).collect(),
            Sort::BitVec(width) if width.get() <= MAX_ENUMERATED_BITS => {
                let sort = self.context.bitvec_sort(width.get())?;
                (0..1i64 << width.get()).map(|number| self.context.small_numeral(number, &sort)).collect()
            }
            _ => return Ok(None),
        };
        indices.map(Some)
    }

    fn enumerated(
        &self,
        term: &Term,
        indices: &[Term],
        index: Sort,
        element: Sort,
    ) -> Result<ArrayValue, SolverError> {
        let mut array = ArrayValue::new(index, default_value(self.store, element));
        for position in indices {
            let read = self.context.binary(self.context.api().mk_select, term, position)?;
            let value = self.value(&self.model.evaluate(&read)?, element)?;
            array = array.write(self.value(position, index)?, value);
        }
        Ok(array)
    }

    /// An array as Z3 writes it: writes and case distinctions around a constant array, a function or a lambda.
    fn array(&self, mut term: Term, index: Sort, element: Sort) -> Result<ArrayValue, SolverError> {
        let mut entries = Vec::new();
        let default = loop {
            match term.shape()? {
                Shape::Store(array, position, value) => {
                    entries.push((position, value));
                    term = array;
                }
                Shape::ConstArray(value) => break value,
                Shape::AsArray(function) => {
                    let (graph, otherwise) = self.model.graph(&function)?;
                    entries.extend(graph);
                    break otherwise;
                }
                Shape::Lambda(body) => break self.lambda(body, &mut entries)?,
                _ => return Err(SolverError::Protocol(format!("`{term}` is not an array value"))),
            }
        };
        let mut array = ArrayValue::new(index, self.value(&default, element)?);
        // The first of several entries for one index is the one that holds, so it is written last.
        for (position, value) in entries.iter().rev() {
            array = array.write(self.value(position, index)?, self.value(value, element)?);
        }
        Ok(array)
    }

    /// Splits `index = a ? x : index = b ? y : z` into entries and the remaining `z`.
    fn lambda(&self, mut body: Term, entries: &mut Vec<(Term, Term)>) -> Result<Term, SolverError> {
        while let Shape::Ite(condition, then, otherwise) = body.shape()? {
            let Shape::Eq(left, right) = condition.shape()? else {
                return Err(SolverError::Unsupported(format!("the array value with case `{condition}`")));
            };
            let position = if matches!(left.shape()?, Shape::Bound) { right } else { left };
            entries.push((position, then));
            body = otherwise;
        }
        Ok(body)
    }
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T, SolverError> {
    text.parse().map_err(|_| match text.contains('?') {
        true => SolverError::Unsupported(format!("the irrational value `{text}`")),
        false => SolverError::Protocol(format!("`{text}` is not a number")),
    })
}
