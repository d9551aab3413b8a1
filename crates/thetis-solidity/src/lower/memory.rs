//! Memory: references into a heap, one array for each field and for the elements of each type.
//!
//! A text (`bytes` or `string`) is a number, its *code*, wherever it lives: two texts with the same code are equal. The lengths
//! and bytes of codes are unknown maps; the facts about literals are assumed. The bytes of a text in memory cannot be assigned
//! one by one (that is not supported), so texts need no references.

use thetis_base::Span;
use thetis_expr::{ExprId, Sort};

use crate::fault::{Res, unsupported};
use crate::types::{Region, StructId, Ty};

use super::Lower;
use super::global::Global;

/// In arrays of references, at most this many elements are created or copied one by one.
const MAX_ELEMENTS: u64 = 16;
/// The bytes of longer literals are not known.
const MAX_BYTES: usize = 32;

impl Lower<'_, '_> {
    /// The sort of a value in memory.
    pub(crate) fn memory_sort(&self, ty: &Ty) -> Sort {
        self.sort(ty)
    }

    pub(crate) fn field_map(&mut self, of: StructId, field: usize) -> (Global, Sort) {
        let element = self.memory_sort(&self.decls.structs[of].fields[field].1);
        (Global::Field(of, field), self.store.array_sort(Sort::Int, element))
    }

    pub(crate) fn length_map(&mut self, element: &Ty) -> (Global, Sort) {
        let sort = self.store.array_sort(Sort::Int, self.sort(&Ty::UINT));
        (Global::Length(element.in_region(Region::Memory)), sort)
    }

    pub(crate) fn element_map(&mut self, element: &Ty) -> (Global, Sort) {
        let row = self.store.array_sort(self.sort(&Ty::UINT), self.memory_sort(element));
        (Global::Elements(element.in_region(Region::Memory)), self.store.array_sort(Sort::Int, row))
    }

    /// Reads a map of the heap at a reference.
    pub(crate) fn heap(&mut self, (global, sort): (Global, Sort), reference: ExprId) -> ExprId {
        let map = self.global(&global, sort);
        self.store.select(map, reference)
    }

    /// Writes a map of the heap at a reference.
    pub(crate) fn set_heap(&mut self, (global, sort): (Global, Sort), reference: ExprId, value: ExprId) {
        let var = self.global_var(&global, sort);
        let map = self.store.store(self.store.var_expr(var), reference, value);
        self.graph.assign(var, map);
    }

    /// A new reference.
    pub(crate) fn allocate(&mut self) -> ExprId {
        let var = self.global_var(&Global::NextReference, Sort::Int);
        let reference = self.settle(self.store.var_expr(var));
        self.graph.assign(var, self.store.add(reference, self.store.int(1)));
        reference
    }

    /// A reference from somewhere else points to something that was allocated before.
    pub(crate) fn reference_fact(&mut self, reference: ExprId) {
        let next = self.global(&Global::NextReference, Sort::Int);
        let store = &self.store;
        let fact = store.and(store.le(store.int(0), reference), store.lt(reference, next));
        self.fact(fact);
    }

    /// Whether a value of the type is a reference.
    pub(crate) fn is_reference(ty: &Ty) -> bool {
        matches!(
            ty,
            Ty::Struct(_, Region::Memory | Region::Calldata)
                | Ty::Array(_, _, Region::Memory | Region::Calldata)
        )
    }

    /// What is known about a value of a type that comes from outside or from the heap.
    pub(crate) fn value_fact(&mut self, ty: &Ty, term: ExprId) {
        if Self::is_reference(ty) {
            self.reference_fact(term);
        } else {
            self.type_fact(ty, term);
        }
    }

    /// The length of an array in memory.
    pub(crate) fn memory_length(&mut self, ty: &Ty, reference: ExprId) -> ExprId {
        match ty {
            Ty::Array(_, Some(length), _) => self.number(&Ty::UINT, *length),
            Ty::Array(element, None, _) => {
                let map = self.length_map(element);
                let length = self.heap(map, reference);
                self.length_fact(length);
                length
            }
            _ => {
                let sort = self.store.array_sort(Sort::Int, self.sort(&Ty::UINT));
                let length = self.heap((Global::TextLength, sort), reference);
                self.length_fact(length);
                // What was deleted has the code of the empty text.
                let empty = self.heap((Global::TextLength, sort), self.store.int(0));
                self.fact(self.store.eq(empty, self.number(&Ty::UINT, 0)));
                length
            }
        }
    }

    /// Lengths are not negative, and so small that counting them does not overflow.
    pub(crate) fn length_fact(&mut self, length: ExprId) {
        let high = self.number(&Ty::UINT, num_bigint::BigInt::from(1) << 64);
        let zero = self.number(&Ty::UINT, 0);
        let arith = self.arith();
        let small = arith.compare(super::arith::CmpOp::Le, &Ty::UINT, length, high);
        let fact = self.store.and(arith.compare(super::arith::CmpOp::Le, &Ty::UINT, zero, length), small);
        self.fact(fact);
    }

    /// A new value in memory with default contents.
    pub(crate) fn new_default(&mut self, ty: &Ty, span: Span) -> Res<ExprId> {
        match ty {
            Ty::Struct(id, _) => {
                let fields: Vec<Ty> = self.decls.structs[*id]
                    .fields
                    .iter()
                    .map(|(_, ty)| ty.in_region(Region::Memory))
                    .collect();
                let mut values = Vec::new();
                for field in &fields {
                    values.push(self.new_default(field, span)?);
                }
                self.new_struct(*id, &values, span)
            }
            Ty::Array(element, length, _) => {
                let length = self.number(&Ty::UINT, length.unwrap_or(0));
                self.new_array(element, length, span)
            }
            Ty::Mapping(..) => unsupported(span, "mappings in memory are not supported"),
            Ty::Bytes(_) | Ty::String(_) => self.text(b""),
            other => Ok(self.default_term(other)),
        }
    }

    pub(crate) fn new_struct(&mut self, id: StructId, values: &[ExprId], span: Span) -> Res<ExprId> {
        if self.decls.structs[id].fields.iter().any(|(_, ty)| matches!(ty, Ty::Mapping(..))) {
            return unsupported(span, "structures with mappings in memory are not supported");
        }
        let reference = self.allocate();
        for (field, value) in values.iter().enumerate() {
            let map = self.field_map(id, field);
            self.set_heap(map, reference, *value);
        }
        Ok(reference)
    }

    /// A new array. Elements that are references are only known for a small constant length: new values for any number of them cannot be
    /// expressed.
    pub(crate) fn new_array(&mut self, element: &Ty, length: ExprId, span: Span) -> Res<ExprId> {
        let element = element.in_region(Region::Memory);
        let index = self.sort(&Ty::UINT);
        let elements = if Self::is_reference(&element) {
            let start = self.anything(self.store.array_sort(index, Sort::Int));
            let mut values = Vec::new();
            for _ in 0..self.small(length).unwrap_or(0) {
                values.push(self.new_default(&element, span)?);
            }
            self.row(start, &values)
        } else {
            let default = if element.is_text() { self.text(b"")? } else { self.default_term(&element) };
            self.store.const_array(index, default)
        };
        Ok(self.new_row(&element, length, elements))
    }

    /// A length that is known, if it is small.
    fn small(&self, length: ExprId) -> Option<u64> {
        let length = self.arith().constant(&Ty::UINT, length)?;
        u64::try_from(&length).ok().filter(|length| *length <= MAX_ELEMENTS)
    }

    /// `row` with the first elements `values`.
    fn row(&self, row: ExprId, values: &[ExprId]) -> ExprId {
        let indices = (0..values.len()).map(|at| self.number(&Ty::UINT, at));
        indices.zip(values).fold(row, |row, (index, value)| self.store.store(row, index, *value))
    }

    /// An array with these elements.
    pub(crate) fn new_row(&mut self, element: &Ty, length: ExprId, elements: ExprId) -> ExprId {
        let reference = self.allocate();
        let lengths = self.length_map(element);
        self.set_heap(lengths, reference, length);
        let map = self.element_map(element);
        self.set_heap(map, reference, elements);
        reference
    }

    /// Copies a value of storage, given by its leaves, to memory.
    pub(crate) fn copy_to_memory(&mut self, ty: &Ty, leaves: &[ExprId], span: Span) -> Res<ExprId> {
        match ty {
            Ty::Struct(id, _) => {
                let fields: Vec<Ty> =
                    self.decls.structs[*id].fields.iter().map(|(_, ty)| ty.clone()).collect();
                let mut values = Vec::new();
                for (number, field) in fields.iter().enumerate() {
                    let part = self.project(ty, leaves, &[super::item::Sel::Field(number)]);
                    values.push(self.copy_to_memory(field, &part, span)?);
                }
                self.new_struct(*id, &values, span)
            }
            Ty::Array(element, length, _) if element.is_value() || element.is_text() => {
                let first = usize::from(length.is_none());
                let count = length.map_or(leaves[0], |length| self.number(&Ty::UINT, length));
                Ok(self.new_row(element, count, leaves[first]))
            }
            Ty::Array(element, Some(length), _) if *length <= MAX_ELEMENTS => {
                let mut values = Vec::new();
                for at in 0..*length {
                    let index = super::item::Sel::Index(self.number(&Ty::UINT, at));
                    let part = self.project(ty, leaves, &[index]);
                    values.push(self.copy_to_memory(element, &part, span)?);
                }
                let start = self.store.const_array(self.sort(&Ty::UINT), self.store.int(0));
                let row = self.row(start, &values);
                Ok(self.new_row(element, self.number(&Ty::UINT, *length), row))
            }
            // Copies of any number of elements cannot be expressed: nothing is known about them.
            Ty::Array(element, length, _) => {
                let row = self.store.array_sort(self.sort(&Ty::UINT), Sort::Int);
                let elements = self.anything(row);
                let count = length.map_or(leaves[0], |length| self.number(&Ty::UINT, length));
                Ok(self.new_row(element, count, elements))
            }
            Ty::Mapping(..) => unsupported(span, "mappings in memory are not supported"),
            _ => Ok(leaves[0]),
        }
    }

    /// The leaves of a copy in storage of a value of memory.
    pub(crate) fn copy_to_storage(&mut self, ty: &Ty, reference: ExprId, span: Span) -> Res<Vec<ExprId>> {
        match ty {
            Ty::Struct(id, _) => {
                let fields: Vec<Ty> =
                    self.decls.structs[*id].fields.iter().map(|(_, ty)| ty.clone()).collect();
                let mut leaves = Vec::new();
                for (number, field) in fields.iter().enumerate() {
                    let map = self.field_map(*id, number);
                    let value = self.heap(map, reference);
                    leaves.extend(self.copy_to_storage(field, value, span)?);
                }
                Ok(leaves)
            }
            Ty::Array(element, length, _) if element.is_value() || element.is_text() => {
                let count =
                    length.is_none().then(|| self.memory_length(&ty.in_region(Region::Memory), reference));
                let map = self.element_map(element);
                let elements = self.heap(map, reference);
                Ok(count.into_iter().chain([elements]).collect())
            }
            Ty::Array(element, Some(length), _) if *length <= MAX_ELEMENTS => {
                let map = self.element_map(element);
                let row = self.heap(map, reference);
                let mut leaves = self.default_leaves(ty);
                for at in 0..*length {
                    let index = self.number(&Ty::UINT, at);
                    let part = self.copy_to_storage(element, self.store.select(row, index), span)?;
                    leaves = self.update(ty, &leaves, &[super::item::Sel::Index(index)], &part);
                }
                Ok(leaves)
            }
            Ty::Array(..) => unsupported(
                span,
                "copying arrays of reference types between storage and memory is not supported",
            ),
            Ty::Mapping(..) => unsupported(span, "mappings in memory are not supported"),
            _ => Ok(vec![reference]),
        }
    }

    /// The code of a literal text. Different texts have different codes; the empty text has code 0.
    pub(crate) fn text(&mut self, bytes: &[u8]) -> Res<ExprId> {
        let code = match self.texts.get(bytes) {
            Some(code) => *code,
            None if bytes.is_empty() => self.store.int(0),
            None => self.store.int(-1 - self.texts.len() as i64),
        };
        self.texts.insert(bytes.to_vec(), code);
        self.text_fact(code);
        self.byte_facts(bytes, code);
        Ok(code)
    }

    /// What is known about the length of a literal text.
    pub(crate) fn text_fact(&mut self, code: ExprId) {
        let known = self.texts.iter().find(|(_, other)| **other == code).map(|(bytes, _)| bytes.len());
        if let Some(length) = known {
            let sort = self.store.array_sort(Sort::Int, self.sort(&Ty::UINT));
            let found = self.heap((Global::TextLength, sort), code);
            let fact = self.store.eq(found, self.number(&Ty::UINT, length));
            self.fact(fact);
        }
    }

    /// What is known about the bytes of a literal text, if the program looks at bytes of texts.
    fn byte_facts(&mut self, bytes: &[u8], code: ExprId) {
        if !self.program.reads_bytes || bytes.len() > MAX_BYTES {
            return;
        }
        let byte = Ty::FixedBytes(1);
        let row = self.store.array_sort(self.sort(&Ty::UINT), self.sort(&byte));
        let sort = self.store.array_sort(Sort::Int, row);
        let row = self.heap((Global::TextBytes, sort), code);
        for (at, value) in bytes.iter().enumerate() {
            let found = self.store.select(row, self.number(&Ty::UINT, at));
            let fact = self.store.eq(found, self.number(&byte, *value));
            self.fact(fact);
        }
    }
}
