//! Arrays.

use crate::store::Args;
use crate::{ExprId, Op, Sort, Store};

impl Store {
    /// The element of `array` at `index`.
    pub fn select(&self, array: ExprId, index: ExprId) -> ExprId {
        self.apply(Op::Select, &[array, index])
    }

    /// `array` with `element` at `index`.
    pub fn store(&self, array: ExprId, index: ExprId, element: ExprId) -> ExprId {
        self.apply(Op::Store, &[array, index, element])
    }

    /// The array over `index` that holds `element` everywhere.
    pub fn const_array(&self, index: Sort, element: ExprId) -> ExprId {
        let sort = self.array_sort(index, self.sort(element));
        self.apply_to(Op::ConstArray, Some(sort), &[element])
    }

    pub(super) fn array_identity(&self, op: Op, args: &Args) -> Option<ExprId> {
        match (op, &args[..]) {
            (Op::Select, &[array, index]) => self.read_over_write(array, index),
            (Op::Store, &[array, index, element]) => self.write_over_write(array, index, element),
            _ => None,
        }
    }

    /// Reads through writes at indices that are surely different, down to the write that surely hits.
    fn read_over_write(&self, mut array: ExprId, index: ExprId) -> Option<ExprId> {
        let original = array;
        loop {
            match self.op(array) {
                Op::Store if self.arg(array, 1) == index => return Some(self.arg(array, 2)),
                Op::Store if self.is_literal(index) && self.is_literal(self.arg(array, 1)) => {
                    array = self.arg(array, 0);
                }
                Op::ConstArray => return Some(self.arg(array, 0)),
                _ if array == original => return None,
                _ => return Some(self.select(array, index)),
            }
        }
    }

    fn write_over_write(&self, array: ExprId, index: ExprId, element: ExprId) -> Option<ExprId> {
        if self.op(element) == Op::Select && self.arg(element, 0) == array && self.arg(element, 1) == index {
            return Some(array);
        }
        let overwrites = self.op(array) == Op::Store && self.arg(array, 1) == index;
        overwrites.then(|| self.store(self.arg(array, 0), index, element))
    }
}
