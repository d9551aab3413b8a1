//! Initialisers: which part of an object each value is for.
//!
//! An aggregate is walked with a *cursor*, a stack of open aggregates with the number of the next part in each. A value
//! without braces goes into the first scalar at or below the cursor; aggregates on the way are opened, that is, their braces
//! are left out. When an aggregate is full, the cursor moves on in the one around it. A designator moves the cursor. A list in
//! braces is a walk of its own, over the part at the cursor. (C11 6.7.9.)

use num_traits::ToPrimitive;
use thetis_base::Span;

use super::literal::{Text, unsupported};
use super::replace::{forbid_effects, replace};
use super::{Checked, Checker};
use crate::code;
use crate::hir::{ArrayLength, Initializer, IntKind, Part, RecordKind, Step, Type, TypeId};
use crate::syntax::ast::{self, Designator};

/// The most parts that ranges of designators may make.
const MAX_PARTS: u64 = 1 << 20;

/// An aggregate that the cursor is in.
pub(super) struct Open {
    pub(super) ty: TypeId,
    is_array: bool,
    /// The number of the next part.
    next: u64,
}

impl Open {
    fn step(&self) -> Step {
        if self.is_array { Step::Index(self.next) } else { Step::Field(self.next as usize) }
    }
}

/// Where the next value goes.
pub(super) struct Cursor {
    pub(super) open: Vec<Open>,
    /// The way to the outermost of them.
    pub(super) prefix: Vec<Step>,
    /// The last part, in object order, that has a value.
    pub(super) furthest: Vec<Step>,
    /// How many elements of the outermost array have been reached.
    num_elements: u64,
}

/// The elements that a designator with a range names.
struct Range {
    /// The path to the part of the first element that has a value.
    filled: Vec<Step>,
    /// Which of its steps is the number of the element.
    place: usize,
    /// How many elements there are.
    repeat: u64,
}

impl Checker<'_, '_> {
    /// The initial value of an object of type `ty`, and the type with the length that the value gives to an array.
    pub(super) fn initializer(
        &mut self,
        ty: TypeId,
        initializer: &ast::Initializer,
        span: Span,
    ) -> Checked<(Initializer, TypeId)> {
        match initializer {
            ast::Initializer::List(list) => self.initializer_list(ty, list),
            ast::Initializer::Value(value) => {
                if let Some(text) = self.text_for(ty, value)? {
                    let (parts, ty) = self.text_array(ty, &text, &[], value.span)?;
                    return Ok((Initializer::Parts(parts), ty));
                }
                // GNU C initialises arrays with compound literals.
                if let (Type::Array(..), ast::ExprKind::CompoundLiteral(_, list)) =
                    (self.types.get(ty), &value.kind)
                {
                    return self.initializer_list(ty, list);
                }
                if matches!(self.types.get(ty), Type::Array(..)) {
                    return Err(self.sink.error(span, code::INITIALIZER, "an array needs a list of values"));
                }
                let value = self.value(value)?;
                let value = self.assign_convert(value, ty, "initialisation")?;
                Ok((Initializer::Value(value), ty))
            }
        }
    }

    /// The initial value that a list in braces gives to an object.
    pub(super) fn initializer_list(
        &mut self,
        ty: TypeId,
        list: &ast::InitializerList,
    ) -> Checked<(Initializer, TypeId)> {
        let mut parts = Vec::new();
        let ty = self.list(ty, list, &[], &mut parts)?;
        if !self.is_scalar(ty) && self.opaque_reason(ty).is_none() {
            return Ok((Initializer::Parts(parts), ty));
        }
        let value = match parts.pop() {
            Some(part) => part.value,
            None => {
                let int = self.int();
                let zero = self.int_expr(0, int, list.span);
                self.convert(zero, ty)
            }
        };
        Ok((Initializer::Value(value), ty))
    }

    /// The parts that a list in braces gives values to. The object is at the end of `path`.
    fn list(
        &mut self,
        ty: TypeId,
        list: &ast::InitializerList,
        path: &[Step],
        parts: &mut Vec<Part>,
    ) -> Checked<TypeId> {
        self.deeper(|checker| {
            if let Some(reason) = checker.opaque_reason(ty) {
                let value = unsupported(format!("an initial value of {reason}"), ty, list.span);
                parts.push(Part { path: path.to_vec(), value });
                return Ok(ty);
            }
            if checker.is_scalar(ty) {
                checker.scalar_list(ty, list, path, parts)?;
                return Ok(ty);
            }
            if let [ast::InitializerItem { designators, value: ast::Initializer::Value(value), .. }] =
                list.items.as_slice()
                && let (true, Some(text)) = (designators.is_empty(), checker.text_for(ty, value)?)
            {
                let (mut text_parts, ty) = checker.text_array(ty, &text, path, value.span)?;
                parts.append(&mut text_parts);
                return Ok(ty);
            }
            if !matches!(checker.types.get(ty), Type::Array(..)) && !checker.is_complete(ty) {
                let message = format!("a value for the incomplete type `{}`", checker.show(ty));
                return Err(checker.sink.error(list.span, code::INCOMPLETE_TYPE, message));
            }
            checker.aggregate_list(ty, list, path, parts)
        })
    }

    fn scalar_list(
        &mut self,
        ty: TypeId,
        list: &ast::InitializerList,
        path: &[Step],
        parts: &mut Vec<Part>,
    ) -> Checked<()> {
        let Some(first) = list.items.first() else { return Ok(()) };
        if !first.designators.is_empty() {
            return Err(self.sink.error(
                first.span,
                code::INITIALIZER,
                "a designator for something without parts",
            ));
        }
        if list.items.len() > 1 {
            self.sink.warning(list.span, code::INITIALIZER, "more than one value for a scalar");
        }
        match &first.value {
            ast::Initializer::List(inner) => {
                self.list(ty, inner, path, parts)?;
            }
            ast::Initializer::Value(value) => {
                let value = self.value(value)?;
                let value = self.assign_convert(value, ty, "initialisation")?;
                parts.push(Part { path: path.to_vec(), value });
            }
        }
        Ok(())
    }

    fn aggregate_list(
        &mut self,
        ty: TypeId,
        list: &ast::InitializerList,
        path: &[Step],
        parts: &mut Vec<Part>,
    ) -> Checked<TypeId> {
        let (open, prefix) = (vec![self.opened(ty)], path.to_vec());
        let mut cursor = Cursor { open, prefix, furthest: Vec::new(), num_elements: 0 };
        for item in &list.items {
            self.item_of_list(item, &mut cursor, parts)?;
        }
        if let Type::Array(element, ArrayLength::Unknown) = *self.types.get(ty) {
            if path.is_empty() {
                let length = ArrayLength::Constant(cursor.num_elements);
                return Ok(self.types.intern(Type::Array(element, length)));
            }
            if cursor.num_elements > 0 {
                let message = "initial values for a flexible array member are not supported";
                return Err(self.sink.error(list.span, code::UNSUPPORTED, message));
            }
        }
        Ok(ty)
    }

    fn item_of_list(
        &mut self,
        item: &ast::InitializerItem,
        cursor: &mut Cursor,
        parts: &mut Vec<Part>,
    ) -> Checked<()> {
        let mut repeat = 1;
        if !item.designators.is_empty() {
            repeat = self.move_cursor(&item.designators, cursor)?;
        } else if self.is_full(cursor) {
            self.sink.warning(item.span, code::INITIALIZER, "more values than parts");
            return Ok(());
        }
        let place = cursor.path().len() - 1;
        let (first_part, filled) = self.fill(item, cursor, parts)?;
        if repeat > 1 {
            let mut pattern = parts.split_off(first_part);
            for part in &mut pattern {
                forbid_effects(part, "whether a value for several elements is computed once");
            }
            self.repeat_parts(&Range { filled, place, repeat }, &pattern, cursor, parts, item.span)?;
        }
        Ok(())
    }

    fn opened(&self, ty: TypeId) -> Open {
        Open { ty, is_array: matches!(self.types.get(ty), Type::Array(..)), next: 0 }
    }

    /// Closes inner aggregates that have no next part; whether the outermost one has none either.
    fn is_full(&self, cursor: &mut Cursor) -> bool {
        loop {
            let is_outermost = cursor.open.len() == 1;
            let top = cursor.top();
            if top.next < self.num_parts(top.ty, is_outermost) {
                return false;
            }
            if is_outermost {
                return true;
            }
            cursor.open.pop();
            cursor.top().next += 1;
        }
    }

    /// How many parts can be initialised in order. The outermost array without a length grows.
    fn num_parts(&self, ty: TypeId, is_outermost: bool) -> u64 {
        match self.types.get(ty) {
            Type::Array(_, ArrayLength::Constant(length)) => *length,
            Type::Array(_, _) if is_outermost => u64::MAX,
            Type::Record(record) => {
                let record = self.types.record(*record);
                let num_fields = record.fields.as_ref().map_or(0, Vec::len) as u64;
                if record.kind == RecordKind::Union { num_fields.min(1) } else { num_fields }
            }
            _ => 0,
        }
    }

    /// Puts the value of an item at the cursor and advances. Returns where its parts begin, and the part that has the
    /// value.
    fn fill(
        &mut self,
        item: &ast::InitializerItem,
        cursor: &mut Cursor,
        parts: &mut Vec<Part>,
    ) -> Checked<(usize, Vec<Step>)> {
        let first = match &item.value {
            ast::Initializer::List(list) => {
                let ty = self.part_type(cursor);
                let path = cursor.path();
                self.make_room(cursor, parts);
                let first = parts.len();
                self.list(ty, list, &path, parts)?;
                first
            }
            ast::Initializer::Value(value) => self.fill_value(value, cursor, parts)?,
        };
        let filled = cursor.path();
        cursor.advance();
        Ok((first, filled))
    }

    fn fill_value(&mut self, expr: &ast::Expr, cursor: &mut Cursor, parts: &mut Vec<Part>) -> Checked<usize> {
        let mut value = None;
        loop {
            let ty = self.part_type(cursor);
            if let Some(text) = self.text_for(ty, expr)? {
                let (mut text_parts, _) = self.text_array(ty, &text, &cursor.path(), expr.span)?;
                self.make_room(cursor, parts);
                let first = parts.len();
                parts.append(&mut text_parts);
                return Ok(first);
            }
            let is_aggregate = matches!(self.types.get(ty), Type::Array(..) | Type::Record(_))
                && self.opaque_reason(ty).is_none();
            // A string is never the value of an aggregate, but may be that of a part of it.
            let is_text = matches!(expr.kind, ast::ExprKind::Text(_));
            if !is_aggregate || !is_text {
                let checked = match value.take() {
                    Some(checked) => checked,
                    None => self.value(expr)?,
                };
                if !is_aggregate || checked.ty == self.types.plain(ty) {
                    let value = self.assign_convert(checked, ty, "initialisation")?;
                    self.make_room(cursor, parts);
                    parts.push(Part { path: cursor.path(), value });
                    return Ok(parts.len() - 1);
                }
                value = Some(checked);
            }
            if self.num_parts(ty, false) == 0 {
                return Err(self.sink.error(
                    expr.span,
                    code::INITIALIZER,
                    "a value for something without parts",
                ));
            }
            cursor.open.push(self.opened(ty));
        }
    }

    /// The type of the part at the cursor.
    fn part_type(&self, cursor: &Cursor) -> TypeId {
        let top = cursor.open.last().expect("the cursor should be in an aggregate");
        match self.types.get(top.ty) {
            Type::Array(element, _) => *element,
            Type::Record(record) => {
                let fields = self.types.record(*record).fields.as_ref();
                fields.and_then(|fields| fields.get(top.next as usize)).map_or(top.ty, |field| field.ty)
            }
            _ => top.ty,
        }
    }

    /// Moves the cursor to the designated part; returns how many elements the last range has.
    fn move_cursor(&mut self, designators: &[Designator], cursor: &mut Cursor) -> Checked<u64> {
        cursor.open.truncate(1);
        let mut repeat = 1;
        for (number, designator) in designators.iter().enumerate() {
            if number > 0 {
                let ty = self.part_type(cursor);
                cursor.open.push(self.opened(ty));
            }
            let is_last = number + 1 == designators.len();
            match designator {
                Designator::Field(name, span) => self.move_to_field(name, *span, cursor)?,
                Designator::Index(index) => {
                    let index = self.element_number(index, cursor)?;
                    cursor.set(index);
                }
                Designator::Range(first, last) => {
                    let (low, high) =
                        (self.element_number(first, cursor)?, self.element_number(last, cursor)?);
                    if high < low || !is_last {
                        return Err(self.sink.error(
                            first.span,
                            code::INITIALIZER,
                            "this range is not possible here",
                        ));
                    }
                    cursor.set(high);
                    cursor.set(low);
                    repeat = high - low + 1;
                }
            }
        }
        Ok(repeat)
    }

    fn move_to_field(&mut self, name: &str, span: Span, cursor: &mut Cursor) -> Checked<()> {
        let ty = cursor.top().ty;
        let path = self.record_of(ty).and_then(|record| self.find_field(record, name));
        let Some(path) = path else {
            let message = format!("`{}` has no member `{name}`", self.show(ty));
            return Err(self.sink.error(span, code::UNKNOWN_NAME, message));
        };
        for (number, index) in path.into_iter().enumerate() {
            if number > 0 {
                let ty = self.part_type(cursor);
                cursor.open.push(self.opened(ty));
            }
            cursor.set(index as u64);
        }
        Ok(())
    }

    fn element_number(&mut self, index: &ast::Expr, cursor: &Cursor) -> Checked<u64> {
        let number = self.integer_constant(index)?;
        let top = cursor.open.last().expect("the cursor should be in an aggregate");
        let is_array = matches!(self.types.get(top.ty), Type::Array(..));
        let num_elements = self.num_parts(top.ty, cursor.open.len() == 1);
        match number.to_u64() {
            Some(number) if is_array && number < num_elements.min(self.largest_object()) => Ok(number),
            _ => {
                let message = format!("`{}` has no element {number}", self.show(top.ty));
                Err(self.sink.error(index.span, code::INITIALIZER, message))
            }
        }
    }

    /// Gives all elements of a range the value of the first.
    fn repeat_parts(
        &mut self,
        range: &Range,
        pattern: &[Part],
        cursor: &mut Cursor,
        parts: &mut Vec<Part>,
        span: Span,
    ) -> Checked<()> {
        let Range { filled, place, repeat } = range;
        let num_parts = (pattern.len() as u64).saturating_mul(*repeat);
        if num_parts.saturating_add(parts.len() as u64) > MAX_PARTS {
            return Err(self.sink.error(span, code::INITIALIZER, "the range has too many elements"));
        }
        let Step::Index(start) = filled[*place] else { return Ok(()) };
        let end = start + repeat;
        replace(parts, |part| {
            let mut path = part.path.clone();
            let is_inside =
                matches!(path.get(*place), Some(Step::Index(index)) if (start..end).contains(index));
            is_inside && {
                path[*place] = filled[*place];
                path.starts_with(filled)
            }
        });
        for index in start..end {
            parts.extend(pattern.iter().cloned().map(|mut part| {
                part.path[*place] = Step::Index(index);
                part
            }));
        }
        let mut last = filled.clone();
        last[*place] = Step::Index(end - 1);
        cursor.furthest = cursor.furthest.clone().max(last);
        // The cursor continues after the last element of the range, on the level of the range.
        cursor.open.truncate(place + 1 - cursor.prefix.len());
        cursor.top().next = end;
        Ok(())
    }

    /// The string that initialises an array of characters.
    fn text_for(&mut self, ty: TypeId, value: &ast::Expr) -> Checked<Option<Text>> {
        let (Type::Array(element, _), ast::ExprKind::Text(pieces)) = (self.types.get(ty), &value.kind) else {
            return Ok(None);
        };
        let Some(element) = self.int_kind(*element) else { return Ok(None) };
        let mut text = self.text(pieces)?;
        let model = self.model();
        let is_character = |kind: IntKind| kind.size(model) == 1 && kind != IntKind::Bool;
        let fits = text.kind == element
            || (is_character(text.kind) && is_character(element))
            || text.kind.width(model) == element.width(model);
        if !fits {
            return Ok(None);
        }
        text.units =
            text.units.into_iter().map(|unit| super::convert::wrapped(element, unit, model)).collect();
        text.kind = element;
        Ok(Some(text))
    }

    /// The parts that a string gives to an array, whose length it may decide.
    fn text_array(
        &mut self,
        ty: TypeId,
        text: &Text,
        path: &[Step],
        span: Span,
    ) -> Checked<(Vec<Part>, TypeId)> {
        let length = text.units.len() as u64;
        let Type::Array(element, written) = *self.types.get(ty) else {
            return Err(self.sink.error(span, code::INITIALIZER, "a string for something that is no array"));
        };
        let (capacity, ty) = match written {
            ArrayLength::Constant(capacity) => (capacity, ty),
            _ => {
                let complete = Type::Array(element, ArrayLength::Constant(length + 1));
                (length + 1, self.types.intern(complete))
            }
        };
        if length > capacity {
            self.sink.warning(span, code::INITIALIZER, "the string is longer than the array");
        }
        Ok((self.text_parts(text, path, capacity, span), ty))
    }
}

impl Cursor {
    /// The way to the part at the cursor.
    pub(super) fn path(&self) -> Vec<Step> {
        let mut path = self.prefix.clone();
        path.extend(self.open.iter().map(Open::step));
        path
    }

    fn top(&mut self) -> &mut Open {
        self.open.last_mut().expect("the cursor should be in an aggregate")
    }

    fn set(&mut self, next: u64) {
        self.top().next = next;
        self.note_length();
    }

    fn advance(&mut self) {
        self.note_length();
        self.top().next += 1;
    }

    fn note_length(&mut self) {
        let outermost = self.open.first().expect("the cursor should be in an aggregate");
        self.num_elements = self.num_elements.max(outermost.next.saturating_add(1));
    }
}
