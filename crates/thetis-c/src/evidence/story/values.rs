//! The values that an event of a story shows.

use num_bigint::BigUint;
use thetis_base::Span;
use thetis_expr::{ArrayValue, BitVec, Value, VarId};
use thetis_model::cfa::State;

use super::StoryWriter;
use super::paths::is_number;
use crate::evidence::quote::{assigned, quote};
use crate::evidence::relevance::Cell;
use crate::evidence::value::{has_no_name, part_at, show_scalar};
use crate::library::{is_model, modelled};
use crate::lower::{Owner, Scalar, VarOrigin, Variable, split_pointer};

/// How many values one event shows.
const MAX_VALUES: usize = 8;

impl StoryWriter<'_> {
    /// The variables and parts of objects that were written and differ, or all that were written by an assignment. `span` is what the
    /// event quotes.
    pub(super) fn changed(&self, now: &State, span: Span, is_assignment: bool) -> Vec<(String, String)> {
        let mut shown: Vec<(String, String)> = Vec::new();
        for cell in &self.written {
            let Some(new) = now.values.get(&cell.var) else { continue };
            let is_new = is_assignment || self.before.get(&cell.var) != Some(new);
            let value = match self.translated.lowered.origin.vars.get(&cell.var) {
                Some(VarOrigin::Scalar(variable)) if is_new && self.is_known(variable) => {
                    Some((self.name(variable), self.show(variable.ty, new)))
                }
                Some(VarOrigin::Elements(variable)) if self.is_known(variable) => {
                    self.element(variable, cell, new)
                }
                Some(VarOrigin::Memory(scalar)) => self.part(*scalar, cell, new, span),
                Some(VarOrigin::Result(_)) if is_assignment => self.result(cell.var, new),
                _ => None,
            };
            shown.extend(value.filter(|(name, _)| !shown.iter().any(|(other, _)| other == name)));
        }
        shown.truncate(MAX_VALUES);
        shown
    }

    /// Whether a variable is shown: it has a name, and its function is active and not a library model.
    fn is_known(&self, variable: &Variable) -> bool {
        match variable.owner {
            Owner::Local(frame, _) => self.stack().contains(&frame) && !self.is_model(frame),
            Owner::Global(_) => !has_no_name(&variable.text) && !is_model(&variable.text),
        }
    }

    /// The name of a variable here: with the name of its function if that is not the current one.
    fn name(&self, variable: &Variable) -> String {
        match variable.owner {
            Owner::Local(frame, _) if self.stack().last() != Some(&frame) => {
                format!("{} of `{}`", variable.text, self.translated.lowered.origin.frames[frame].name)
            }
            Owner::Local(..) | Owner::Global(_) => variable.text.clone(),
        }
    }

    /// What a function of the program returns.
    fn result(&self, var: VarId, new: &Value) -> Option<(String, String)> {
        let origin = &self.translated.lowered.origin;
        let Some(VarOrigin::Result(frame)) = origin.vars.get(&var) else { return None };
        let ty = self.translated.program.functions[origin.frames[*frame].function].ty.result;
        let is_shown = !self.is_model(*frame) && Scalar::of(&self.translated.program.types, ty).is_some();
        is_shown.then(|| ("result".to_owned(), self.show(ty, new)))
    }

    /// The number that a function of the library has returned just now.
    pub(super) fn library_result(&self, now: &State) -> Option<(String, String)> {
        let origin = &self.translated.lowered.origin;
        let (var, frame) = self.written.iter().rev().find_map(|cell| match origin.vars.get(&cell.var) {
            Some(VarOrigin::Result(frame)) if self.is_model(*frame) => Some((cell.var, *frame)),
            _ => None,
        })?;
        let called = self.steps.get(self.library_call?)?;
        let function = &self.translated.program.functions[origin.frames[frame].function];
        let is_called = called.text.ends_with(&format!("calls `{}`", modelled(&function.name)));
        let is_shown = is_called && is_number(&self.translated.program.types, function.ty.result);
        is_shown.then(|| Some(("result".to_owned(), self.show(function.ty.result, now.values.get(&var)?))))?
    }

    fn element(&self, variable: &Variable, cell: &Cell, new: &Value) -> Option<(String, String)> {
        let (Value::Array(new), Some(index)) = (new, &cell.index) else { return None };
        let number = match index {
            Value::BitVec(bits) => bits.unsigned().to_string(),
            other => other.to_string(),
        };
        Some((format!("{}[{number}]", self.name(variable)), self.show(variable.ty, new.read(index))))
    }

    /// A scalar in memory. In a block without a name it is called as the assignment calls it.
    fn part(&self, scalar: Scalar, cell: &Cell, new: &Value, span: Span) -> Option<(String, String)> {
        let (Value::Array(new), Some(address)) = (new, &cell.index) else { return None };
        let (number, offset) = split_pointer(address)?;
        let Some(object) = self.translated.lowered.origin.objects.get(&number) else {
            let quoted = quote(self.translated.sources, span);
            let name = assigned(&quoted).filter(|_| self.num_parts() == 1)?;
            return Some((name.to_owned(), show_scalar(self.translated, scalar, new.read(address))?));
        };
        if has_no_name(&object.name) {
            return None;
        }
        let types = &self.translated.program.types;
        let (path, ty) = part_at(types, object.ty?, u64::from(offset), None)?;
        let size = types.size_of(ty)?;
        let value = match new.read(address) {
            Value::BitVec(bits) if u64::from(bits.width()) < 8 * size => join_bytes(new, address, size)?,
            element => element.clone(),
        };
        Some((format!("{}{path}", object.name), self.show(ty, &value)))
    }

    /// How many places of memory were written.
    fn num_parts(&self) -> usize {
        let vars = &self.translated.lowered.origin.vars;
        let is_part = |cell: &&Cell| matches!(vars.get(&cell.var), Some(VarOrigin::Memory(_)));
        self.written.iter().filter(is_part).count()
    }
}

/// The value that begins at a byte of memory, lowest byte first.
pub(in crate::evidence) fn join_bytes(memory: &ArrayValue, address: &Value, size: u64) -> Option<Value> {
    let Value::BitVec(first) = address else { return None };
    let mut joined = BigUint::default();
    for number in (0..size).rev() {
        let next = BitVec::new(first.width(), first.unsigned() + number);
        let Value::BitVec(byte) = memory.read(&Value::BitVec(next)) else { return None };
        joined = (joined << 8u32) + byte.unsigned();
    }
    Some(Value::BitVec(BitVec::new(u32::try_from(8 * size).ok()?, joined)))
}
