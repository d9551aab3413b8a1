//! Translation of our terms to Z3's, remembered for the life of a solver.

use num_traits::ToPrimitive;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::rc::Rc;
use thetis_expr::{ArrayValue, ExprId, Op, Sort, Store, Value, VarId};
use thetis_solver::SolverError;

use crate::ffi::{Binary, Context, Term};

type Args = SmallVec<[Term; 4]>;

/// The terms translated so far. Formulas come from one store or its clones.
pub(crate) struct Translator {
    context: Rc<Context>,
    terms: FxHashMap<ExprId, Term>,
    vars: FxHashMap<VarId, Term>,
    sorts: FxHashMap<Sort, Term>,
}

impl Translator {
    pub(crate) fn new(context: &Rc<Context>) -> Translator {
        let context = context.clone();
        Translator {
            context,
            terms: FxHashMap::default(),
            vars: FxHashMap::default(),
            sorts: FxHashMap::default(),
        }
    }

    /// The constant of a variable, if a term with it was translated.
    pub(crate) fn var(&self, var: VarId) -> Option<&Term> {
        self.vars.get(&var)
    }

    /// The translation of `root`.
    pub(crate) fn term(&mut self, store: &Store, root: ExprId) -> Result<Term, SolverError> {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if self.terms.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let args = store.args(expr);
            let waiting = stack.len();
            stack.extend(args.iter().filter(|arg| !self.terms.contains_key(arg)));
            if stack.len() == waiting {
                let args: Args = args.iter().map(|arg| self.terms[arg].clone()).collect();
                let term = self.node(store, expr, &args)?;
                self.terms.insert(expr, term);
                stack.pop();
            }
        }
        Ok(self.terms[&root].clone())
    }

    /// The translation of one operator on translated arguments.
    fn node(&mut self, store: &Store, expr: ExprId, args: &[Term]) -> Result<Term, SolverError> {
        use Op::*;
        let context = self.context.clone();
        let (cx, api, sort) = (&context, context.api(), store.sort(expr));
        let width = || sort.width().expect("the result should be a bit-vector");
        let extra = || {
            let inner = store.sort(store.arg(expr, 0)).width().expect("the argument should be a bit-vector");
            width() - inner
        };
        match store.op(expr) {
            Const(_) => self.value(store, &store.value(expr).expect("a constant should have a value")),
            Var(var) => self.declare(store, var),
            Not => cx.unary(api.mk_not, &args[0]),
            And => cx.nary(api.mk_and, args),
            Or => cx.nary(api.mk_or, args),
            Xor => cx.binary(api.mk_xor, &args[0], &args[1]),
            Ite => cx.ternary(api.mk_ite, [&args[0], &args[1], &args[2]]),
            Eq => cx.binary(api.mk_eq, &args[0], &args[1]),
            Neg => cx.unary(api.mk_unary_minus, &args[0]),
            Add => cx.nary(api.mk_add, args),
            Sub => cx.nary(api.mk_sub, args),
            Mul => cx.nary(api.mk_mul, args),
            IntDiv | RealDiv => self.division(store, expr, api.mk_div, args),
            Mod => self.division(store, expr, api.mk_mod, args),
            Le => cx.binary(api.mk_le, &args[0], &args[1]),
            Lt => cx.binary(api.mk_lt, &args[0], &args[1]),
            ToReal => cx.unary(api.mk_int2real, &args[0]),
            ToInt => cx.unary(api.mk_real2int, &args[0]),
            BvNot => cx.unary(api.mk_bvnot, &args[0]),
            BvNeg => cx.unary(api.mk_bvneg, &args[0]),
            BvAnd => cx.binary(api.mk_bvand, &args[0], &args[1]),
            BvOr => cx.binary(api.mk_bvor, &args[0], &args[1]),
            BvXor => cx.binary(api.mk_bvxor, &args[0], &args[1]),
            BvAdd => cx.binary(api.mk_bvadd, &args[0], &args[1]),
            BvSub => cx.binary(api.mk_bvsub, &args[0], &args[1]),
            BvMul => cx.binary(api.mk_bvmul, &args[0], &args[1]),
            BvUdiv => cx.binary(api.mk_bvudiv, &args[0], &args[1]),
            BvUrem => cx.binary(api.mk_bvurem, &args[0], &args[1]),
            BvSdiv => cx.binary(api.mk_bvsdiv, &args[0], &args[1]),
            BvSrem => cx.binary(api.mk_bvsrem, &args[0], &args[1]),
            BvSmod => cx.binary(api.mk_bvsmod, &args[0], &args[1]),
            BvShl => cx.binary(api.mk_bvshl, &args[0], &args[1]),
            BvLshr => cx.binary(api.mk_bvlshr, &args[0], &args[1]),
            BvAshr => cx.binary(api.mk_bvashr, &args[0], &args[1]),
            BvUlt => cx.binary(api.mk_bvult, &args[0], &args[1]),
            BvUle => cx.binary(api.mk_bvule, &args[0], &args[1]),
            BvSlt => cx.binary(api.mk_bvslt, &args[0], &args[1]),
            BvSle => cx.binary(api.mk_bvsle, &args[0], &args[1]),
            Concat => cx.binary(api.mk_concat, &args[0], &args[1]),
            Extract(lowest) => cx.extract(lowest + width() - 1, lowest, &args[0]),
            ZeroExtend => cx.indexed(api.mk_zero_ext, extra(), &args[0]),
            SignExtend => cx.indexed(api.mk_sign_ext, extra(), &args[0]),
            BvToInt => cx.bits_to_int(&args[0]),
            IntToBv => cx.indexed(api.mk_int2bv, width(), &args[0]),
            Select => cx.binary(api.mk_select, &args[0], &args[1]),
            Store => cx.ternary(api.mk_store, [&args[0], &args[1], &args[2]]),
            ConstArray => {
                let index = self.index_sort(store, sort)?;
                cx.binary(api.mk_const_array, &index, &args[0])
            }
        }
    }

    /// A division with our value for divisor zero, guarded unless the divisor is a literal other than zero.
    fn division(
        &mut self,
        store: &Store,
        expr: ExprId,
        make: Binary,
        args: &[Term],
    ) -> Result<Term, SolverError> {
        let context = self.context.clone();
        let quotient = context.binary(make, &args[0], &args[1])?;
        let sort = self.sort(store, store.sort(expr))?;
        let zero = context.small_numeral(0, &sort)?;
        if store.is_literal(store.arg(expr, 1)) && args[1] != zero {
            return Ok(quotient);
        }
        let is_zero = context.binary(context.api().mk_eq, &args[1], &zero)?;
        let otherwise = if store.op(expr) == Op::Mod { &args[0] } else { &zero };
        context.ternary(context.api().mk_ite, [&is_zero, otherwise, &quotient])
    }

    /// The constant of a variable. Its name ends with the index of the variable, so that no two are equal.
    fn declare(&mut self, store: &Store, var: VarId) -> Result<Term, SolverError> {
        if let Some(term) = self.vars.get(&var) {
            return Ok(term.clone());
        }
        let sort = self.sort(store, store.var_sort(var))?;
        let term = self.context.constant(&format!("{}#{}", store.var_name(var), var.index()), &sort)?;
        self.vars.insert(var, term.clone());
        Ok(term)
    }

    fn sort(&mut self, store: &Store, sort: Sort) -> Result<Term, SolverError> {
        if let Some(term) = self.sorts.get(&sort) {
            return Ok(term.clone());
        }
        let term = match sort {
            Sort::Bool => self.context.bool_sort()?,
            Sort::Int => self.context.int_sort()?,
            Sort::Real => self.context.real_sort()?,
            Sort::BitVec(width) => self.context.bitvec_sort(width.get())?,
            Sort::Array(array) => {
                let (index, element) = store.array_parts(array);
                let (index, element) = (self.sort(store, index)?, self.sort(store, element)?);
                self.context.binary(self.context.api().mk_array_sort, &index, &element)?
            }
        };
        self.sorts.insert(sort, term.clone());
        Ok(term)
    }

    fn index_sort(&mut self, store: &Store, sort: Sort) -> Result<Term, SolverError> {
        let Sort::Array(array) = sort else { panic!("the result should be an array") };
        self.sort(store, store.array_parts(array).0)
    }

    fn value(&mut self, store: &Store, value: &Value) -> Result<Term, SolverError> {
        let sort = self.sort(store, store.sort_of_value(value))?;
        match value {
            Value::Bool(value) => self.context.boolean(*value),
            Value::Int(number) => match number.to_i64() {
                Some(small) => self.context.small_numeral(small, &sort),
                None => self.context.numeral(&number.to_string(), &sort),
            },
            Value::Real(number) => self.context.numeral(&number.to_string(), &sort),
            Value::BitVec(bits) => match bits.unsigned().to_i64() {
                Some(small) => self.context.small_numeral(small, &sort),
                None => self.context.numeral(&bits.unsigned().to_string(), &sort),
            },
            Value::Array(array) => self.array(store, array),
        }
    }

    fn array(&mut self, store: &Store, array: &ArrayValue) -> Result<Term, SolverError> {
        let context = self.context.clone();
        let index_sort = self.sort(store, array.index_sort())?;
        let default = self.value(store, array.default())?;
        let mut term = context.binary(context.api().mk_const_array, &index_sort, &default)?;
        for (index, element) in array.entries() {
            let (index, element) = (self.value(store, index)?, self.value(store, element)?);
            term = context.ternary(context.api().mk_store, [&term, &index, &element])?;
        }
        Ok(term)
    }
}
