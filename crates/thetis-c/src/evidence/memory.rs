//! Describes an invalid access to memory: which object it concerns, how large that is, and where it was allocated or
//! freed.
//!
//! The terms of the violation are evaluated in the last state of the run. A block is known by its history: the steps at which its extent
//! changed are those that allocated and freed it.

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{BitVec, ExprId, Sort, Value, evaluate};
use thetis_model::cfa::{CfaTrace, Interpreter, State};

use super::Translated;
use super::arguments::makes_arguments;
use crate::entry::target_name;
use crate::hir::Type;
use crate::lower::{Access, MemoryRule, Violation, ViolationKind};

/// Objects are this far apart.
const DISTANCE: u64 = 1 << 32;

/// What is wrong in the state `last` of a run, which is about to violate a rule about memory.
pub(super) fn explain(translated: Translated<'_>, trace: &CfaTrace, last: &State) -> Option<String> {
    let violation = translated.lowered.violation_of(trace)?;
    Explainer { translated, trace, last }.violation(violation)
}

struct Explainer<'a> {
    translated: Translated<'a>,
    trace: &'a CfaTrace,
    last: &'a State,
}

/// Where a pointer points to.
struct Target {
    /// The number of the object, zero for none.
    object: u64,
    /// How many bytes after its start.
    distance: BigInt,
}

impl Explainer<'_> {
    fn violation(&self, violation: &Violation) -> Option<String> {
        let access = violation.access.as_ref()?;
        let is = |rule: MemoryRule| violation.kind == ViolationKind::Memory(rule);
        Some(match access.pointer {
            None => self.outside(access)?,
            Some(pointer) => {
                let target = self.target(pointer)?;
                match () {
                    () if is(MemoryRule::Free) => self.wrong_free(&target),
                    () if is(MemoryRule::Deref) => self.wrong_access(access, target)?,
                    () => {
                        let lost = if is(MemoryRule::Track) { "lost" } else { "not freed" };
                        format!("the block{} is {lost}", self.since(target.object, "allocated", true))
                    }
                }
            }
        })
    }

    /// The signed value of a term.
    fn number(&self, term: ExprId) -> Option<BigInt> {
        match evaluate(&self.translated.lowered.task.store, term, self.last).ok()? {
            Value::Int(number) => Some(number),
            Value::BitVec(bits) => Some(bits.signed()),
            _ => None,
        }
    }

    fn target(&self, pointer: ExprId) -> Option<Target> {
        let address = self.number(pointer)?;
        let object: BigInt = (&address + DISTANCE / 2) / DISTANCE;
        let distance = address - &object * DISTANCE;
        Some(Target { object: u64::try_from(object).unwrap_or(u64::MAX), distance })
    }

    /// An access that begins before or ends after a variable.
    fn outside(&self, access: &Access) -> Option<String> {
        let object = access
            .variable
            .as_ref()
            .map_or("the value".to_owned(), |name| format!("`{}`", target_name(name)));
        let (offset, length) = (self.number(access.offset)?, self.number(access.length)?);
        Some(outside(&object, &self.number(access.extent?)?, &offset, &length))
    }

    fn wrong_access(&self, access: &Access, target: Target) -> Option<String> {
        let zero = BigInt::from(0);
        if target.object == 0 {
            return Some(match target.distance == zero {
                true => "the pointer is null".to_owned(),
                false => format!("the pointer is the number {:#x}, and no object is there", target.distance),
            });
        }
        let offset = target.distance + self.number(access.offset)?;
        let length = self.number(access.length)?;
        if let Some(object) = self.translated.lowered.origin.objects.get(&target.object) {
            let size = object.ty.and_then(|ty| self.translated.program.types.size_of(ty));
            let size = self.extent(target.object).or_else(|| size.map(BigInt::from));
            return Some(match size {
                Some(size) if offset < zero || &offset + &length > size => {
                    let name = format!("`{}`", target_name(&object.name));
                    let types = &self.translated.program.types;
                    match object.ty.is_some_and(|ty| matches!(types.get(ty), Type::Record(_))) {
                        true => bytes_outside(&name, &size, &offset),
                        false => outside(&name, &size, &offset, &length),
                    }
                }
                Some(_) => format!("`{}` is no longer live", target_name(&object.name)),
                None => format!("`{}` is no object", target_name(&object.name)),
            });
        }
        Some(match self.extent(target.object) {
            Some(size) => {
                let allocated = self.history(target.object, true);
                let block = match allocated.is_some_and(|span| makes_arguments(self.translated, span)) {
                    true => "the argument of the program".to_owned(),
                    false => format!("the block{}", self.since(target.object, "allocated", true)),
                };
                outside(&block, &size, &offset, &length)
            }
            None => match self.history(target.object, false) {
                Some(freed) => format!("the block was freed{}", self.at(freed)),
                None => "the pointer points to no object".to_owned(),
            },
        })
    }

    fn wrong_free(&self, target: &Target) -> String {
        if let Some(object) = self.translated.lowered.origin.objects.get(&target.object) {
            return format!("`{}` was not allocated", target_name(&object.name));
        }
        if let Some(freed) = self.history(target.object, false) {
            return format!("the block was already freed{}", self.at(freed));
        }
        match self.extent(target.object) {
            Some(_) if target.distance != BigInt::from(0) => {
                format!("the pointer points {} bytes after the start of the block", target.distance)
            }
            Some(_) => "the block was not made by `malloc`".to_owned(),
            None => "the pointer points to no block".to_owned(),
        }
    }

    /// How many bytes the object with a number has, if its size is tracked and it is live.
    fn extent(&self, object: u64) -> Option<BigInt> {
        self.extent_in(self.last, object).filter(|extent| *extent > BigInt::from(0)).map(|extent| extent - 1)
    }

    fn extent_in(&self, state: &State, object: u64) -> Option<BigInt> {
        let Value::Array(extents) = state.values.get(&self.translated.lowered.origin.extents?)? else {
            return None;
        };
        let address = BigInt::from(object) * DISTANCE;
        let key = match extents.index_sort() {
            Sort::Int => Value::Int(address),
            _ => Value::BitVec(BitVec::from_int(64, &address)),
        };
        match extents.read(&key) {
            Value::Int(extent) => Some(extent.clone()),
            Value::BitVec(bits) => Some(bits.signed()),
            _ => None,
        }
    }

    /// Where the lifetime of an object began, or last ended. This follows the whole run.
    fn history(&self, object: u64, begins: bool) -> Option<Span> {
        let zero = BigInt::from(0);
        let lives = |state: &State| self.extent_in(state, object).is_some_and(|extent| extent > zero);
        let task = &self.translated.lowered.task;
        let (mut change, mut lived) = (None, None);
        let look = |number: usize, state: &State| {
            let lives = lives(state);
            if lived == Some(!begins) && lives == begins {
                change = Some(number - 1);
            }
            lived = Some(lives);
        };
        Interpreter::new(task).follow(self.trace, look).ok()?;
        task.model.edges[self.trace.steps[change?].edge].span
    }

    fn since(&self, object: u64, what: &str, begins: bool) -> String {
        match self.history(object, begins) {
            Some(span) => format!(" {what}{}", self.at(span)),
            None => String::new(),
        }
    }

    fn at(&self, span: Span) -> String {
        format!(" in line {}", self.translated.sources.start(span).line)
    }
}

/// An access of `length` bytes at an offset of an object that has `size` bytes.
fn outside(object: &str, size: &BigInt, offset: &BigInt, length: &BigInt) -> String {
    let zero = BigInt::from(0);
    let (outside, side) = first_outside(size, offset);
    let is_whole = *length > zero && outside % length == zero && size % length == zero;
    match is_whole && size > length {
        true => {
            format!(
                "element {} is {side} of {object}, which has {} elements",
                outside / length,
                size / length
            )
        }
        false => bytes_outside(object, size, offset),
    }
}

/// The same for an object that has no elements, such as a structure.
fn bytes_outside(object: &str, size: &BigInt, offset: &BigInt) -> String {
    let (outside, side) = first_outside(size, offset);
    let plural = if *size == BigInt::from(1) { "" } else { "s" };
    format!("byte {outside} is {side} of {object}, which has {size} byte{plural}")
}

/// The first byte outside of an object that an access has, and on which side.
fn first_outside<'a>(size: &'a BigInt, offset: &'a BigInt) -> (&'a BigInt, &'static str) {
    let zero = BigInt::from(0);
    let side = if *offset < zero { "before the start" } else { "after the end" };
    // An access that begins inside leaves the object at its end.
    (if *offset >= zero && offset < size { size } else { offset }, side)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_byte_outside_is_named() {
        let words = |size: i32, offset: i32, length: i32| {
            outside("`a`", &size.into(), &offset.into(), &length.into())
        };
        assert_eq!(words(12, 12, 4), "element 3 is after the end of `a`, which has 3 elements");
        assert_eq!(words(12, -4, 4), "element -1 is before the start of `a`, which has 3 elements");
        assert_eq!(words(4, 0, 5), "byte 4 is after the end of `a`, which has 4 bytes");
        assert_eq!(words(12, 2, 12), "byte 12 is after the end of `a`, which has 12 bytes");
        assert_eq!(words(1, 1, 1), "byte 1 is after the end of `a`, which has 1 byte");
    }
}
