//! The variables and parts of objects that a piece of source names, with their values in a state.
//!
//! `queue->count <= LIMIT` names `queue->count`: the pointer is followed with the memory of the run. Names that cannot
//! be resolved with certainty (macros, calls, names of several objects) have no value here.

use std::collections::BTreeMap;

use num_bigint::BigInt;
use thetis_base::Span;
use thetis_expr::{Value, VarId};
use thetis_model::cfa::State;

use super::super::Translated;
use super::super::value::{number, part_at};
use super::scope::locals_at;
use crate::hir::{ArrayLength, Global, GlobalId, LocalId, Type, TypeId, Types};
use crate::lower::{FrameId, Owner, Scalar, VarOrigin, split_pointer};

/// Which variable of the automaton holds the scalar at a place of memory: by the number of the object and the offset.
pub(super) type Memory = BTreeMap<(u64, u32), VarId>;

/// A state in which names are resolved.
#[derive(Clone, Copy)]
pub(super) struct Scene<'a> {
    pub(super) translated: Translated<'a>,
    pub(super) state: &'a State,
    pub(super) memory: &'a Memory,
    /// The function whose names are known.
    pub(super) frame: FrameId,
    /// Where in the function the names are written.
    pub(super) at: Span,
}

/// Where a path leads.
enum Found {
    /// A place in memory.
    Place { object: u64, offset: u64, ty: TypeId },
    /// A scalar.
    Value { ty: TypeId, value: Value },
}

/// What a name means.
enum Meaning {
    Local(LocalId),
    Global(GlobalId),
}

/// One step from an object to a part of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Access<'t> {
    Field(&'t str),
    Arrow(&'t str),
    Index(&'t str),
}

/// The paths that a text names, in the order of the text and each once: `a`, `s.f`, `p->f[i]`; not the names of functions that are called.
pub(super) fn paths(text: &str) -> Vec<&str> {
    let mut paths: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(|letter: char| letter.is_alphanumeric() || letter == '_') {
        let (path, after) = rest[start..].split_at(path_length(&rest[start..]));
        let is_name = path.starts_with(|letter: char| !letter.is_numeric());
        if is_name && !after.trim_start().starts_with('(') {
            let indices = parts(path).1.into_iter().filter_map(|access| match access {
                Access::Index(text) => Some(self::paths(text)),
                _ => None,
            });
            for path in std::iter::once(path).chain(indices.flatten()) {
                if !paths.contains(&path) {
                    paths.push(path);
                }
            }
        }
        rest = after;
    }
    paths
}

fn word_length(text: &str) -> usize {
    text.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(text.len())
}

/// The length of the path that a text begins with, at least its first word.
fn path_length(text: &str) -> usize {
    let mut length = word_length(text);
    loop {
        let rest = &text[length..];
        let arrow = if rest.starts_with("->") { 2 } else { usize::from(rest.starts_with('.')) };
        let field = word_length(&rest[arrow..]);
        if arrow > 0 && field > 0 {
            length += arrow + field;
        } else if rest.starts_with('[')
            && let Some(end) = rest.find(']')
            && !rest[1..end].contains('[')
        {
            length += end + 1;
        } else {
            return length;
        }
    }
}

/// The first word of a path and the steps from there.
fn parts(path: &str) -> (&str, Vec<Access<'_>>) {
    let (base, mut rest) = path.split_at(word_length(path));
    let mut parts = Vec::new();
    while !rest.is_empty() {
        if let Some(index) = rest.strip_prefix('[') {
            let end = index.find(']').unwrap_or(index.len());
            parts.push(Access::Index(index[..end].trim()));
            rest = index.get(end + 1..).unwrap_or_default();
        } else {
            let (is_arrow, after) = match rest.strip_prefix("->") {
                Some(after) => (true, after),
                None => (false, rest.strip_prefix('.').unwrap_or(&rest[1..])),
            };
            let (field, after) = after.split_at(word_length(after));
            parts.push(if is_arrow { Access::Arrow(field) } else { Access::Field(field) });
            rest = after;
        }
    }
    (base, parts)
}

impl Scene<'_> {
    /// The scalar that a path leads to, with its type.
    pub(super) fn value(&self, path: &str) -> Option<(TypeId, Value)> {
        match self.variable(path).or_else(|| self.element(path)).or_else(|| self.follow(path))? {
            Found::Value { ty, value } => Some((ty, value)),
            Found::Place { object, offset, ty } => Some((ty, self.read(object, offset, ty)?)),
        }
    }

    /// The variable of the automaton that a path is.
    fn variable(&self, path: &str) -> Option<Found> {
        let root = &path[..word_length(path)];
        let mut vars = self.translated.lowered.origin.vars.iter();
        let (var, ty) = vars.find_map(|(var, origin)| match origin {
            VarOrigin::Scalar(variable) if variable.text == path && self.is_meant(root, variable.owner) => {
                Some((*var, variable.ty))
            }
            _ => None,
        })?;
        Some(Found::Value { ty, value: self.state.values.get(&var)?.clone() })
    }

    /// The element of an array of the program that a path with one index is.
    fn element(&self, path: &str) -> Option<Found> {
        let (start, end) = (path.find('[')?, path.find(']')?);
        let name = format!("{}{}", &path[..start], &path[end + 1..]);
        let root = &path[..word_length(path)];
        let index = self.index(&path[start + 1..end])?;
        let mut vars = self.translated.lowered.origin.vars.iter();
        let (var, ty) = vars.find_map(|(var, origin)| match origin {
            VarOrigin::Elements(variable) if variable.text == name && self.is_meant(root, variable.owner) => {
                Some((*var, variable.ty))
            }
            _ => None,
        })?;
        let Value::Array(elements) = self.state.values.get(&var)? else { return None };
        let index = elements.entries().map(|(at, _)| at).find(|at| position(at) == Some(index));
        let value = index.map_or_else(|| elements.default(), |at| elements.read(at));
        Some(Found::Value { ty, value: value.clone() })
    }

    /// Whether a name means the variable of an owner here.
    fn is_meant(&self, name: &str, owner: Owner) -> bool {
        match (self.named(name), owner) {
            (Some(Meaning::Local(local)), Owner::Local(frame, owned)) => {
                frame == self.frame && owned == local
            }
            (Some(Meaning::Global(global)), Owner::Global(owned)) => owned == global,
            _ => false,
        }
    }

    /// What a name means here: the innermost variable of the function, or one of the program. Of several with static storage, the one of
    /// the same file.
    fn named(&self, name: &str) -> Option<Meaning> {
        let Translated { program, lowered, .. } = self.translated;
        let function = lowered.origin.frames[self.frame].function;
        let locals = &program.functions[function].locals;
        let in_scope = locals_at(&program.functions[function], self.at);
        if let Some(local) = in_scope.into_iter().rfind(|local| locals[*local].name == name) {
            return Some(Meaning::Local(local));
        }
        let globals = program.globals.iter_enumerated().filter(|(_, global)| {
            global.name == name && global.function.is_none_or(|owner| owner == function)
        });
        let globals: Vec<(GlobalId, &Global)> = globals.collect();
        let of_file = globals.iter().filter(|(_, global)| global.span.file == self.at.file);
        let mut of_function = globals.iter().filter(|(_, global)| global.function.is_some());
        match (globals.as_slice(), of_file.collect::<Vec<_>>().as_slice()) {
            ([(global, _)], _) | (_, [(global, _)]) => Some(Meaning::Global(*global)),
            _ => of_function.next().map(|(global, _)| Meaning::Global(*global)),
        }
    }

    /// Follows a path from the object or pointer that it begins with.
    fn follow(&self, path: &str) -> Option<Found> {
        let (base, accesses) = parts(path);
        let mut found = match self.variable(base) {
            Some(pointer) => pointer,
            None => self.object(base)?,
        };
        for access in accesses {
            found = self.access(found, access)?;
        }
        Some(found)
    }

    /// The only object with a name.
    fn object(&self, name: &str) -> Option<Found> {
        let objects = self.translated.lowered.origin.objects.iter();
        let mut named = objects.filter(|(_, object)| object.name == name);
        let (number, object) = named.next()?;
        let place = Found::Place { object: *number, offset: 0, ty: object.ty? };
        named.next().is_none().then_some(place)
    }

    fn access(&self, found: Found, access: Access<'_>) -> Option<Found> {
        let types = &self.translated.program.types;
        match access {
            Access::Field(name) => {
                let Found::Place { object, offset, ty } = found else { return None };
                self.field(object, offset, ty, name)
            }
            Access::Arrow(name) => {
                let (object, offset, ty) = self.pointed(found)?;
                self.field(object, offset, ty, name)
            }
            Access::Index(text) => {
                let index = self.index(text)?;
                let (object, offset, element) = match found {
                    Found::Place { object, offset, ty } if matches!(types.get(ty), Type::Array(..)) => {
                        let Type::Array(element, _) = types.get(ty) else { return None };
                        (object, offset, *element)
                    }
                    pointer => self.pointed(pointer)?,
                };
                let offset = offset.checked_add(index.checked_mul(types.size_of(element)?)?)?;
                Some(Found::Place { object, offset, ty: element })
            }
        }
    }

    fn field(&self, object: u64, offset: u64, ty: TypeId, name: &str) -> Option<Found> {
        let types = &self.translated.program.types;
        let Type::Record(record) = types.get(ty) else { return None };
        let fields = types.record(*record).fields.as_deref()?;
        let field =
            fields.iter().find(|field| field.name.as_deref() == Some(name) && field.bits.is_none())?;
        Some(Found::Place { object, offset: offset + field.offset, ty: field.ty })
    }

    /// Where a pointer points to.
    fn pointed(&self, found: Found) -> Option<(u64, u64, TypeId)> {
        let (ty, value) = match found {
            Found::Value { ty, value } => (ty, value),
            Found::Place { object, offset, ty } => (ty, self.read(object, offset, ty)?),
        };
        let Type::Pointer(target) = self.translated.program.types.get(ty) else { return None };
        let (object, offset) = split_pointer(&value).filter(|(object, _)| *object != 0)?;
        Some((object, u64::from(offset), *target))
    }

    /// The scalar at a place. Where nothing was written, it is where others of its kind in the same object are.
    fn read(&self, object: u64, offset: u64, ty: TypeId) -> Option<Value> {
        let Translated { program, lowered, .. } = self.translated;
        let origin = VarOrigin::Memory(Scalar::of(&program.types, ty)?);
        let beside = || {
            let beside = self.memory.range((object, 0)..=(object, u32::MAX)).map(|(_, var)| var);
            beside.filter(|var| lowered.origin.vars.get(var) == Some(&origin)).last()
        };
        let written = self.memory.get(&(object, u32::try_from(offset).ok()?));
        let Some(var) = written.or_else(beside) else { return self.part(object, offset) };
        let Value::Array(cells) = self.state.values.get(var)? else { return None };
        let is_there = |at: &&Value| {
            split_pointer(at).is_some_and(|(number, at)| number == object && u64::from(at) == offset)
        };
        let at = cells.entries().map(|(at, _)| at).find(is_there);
        Some(at.map_or_else(|| cells.default(), |at| cells.read(at)).clone())
    }

    /// The part of an object that is a variable of the automaton, if only one has its name.
    fn part(&self, object: u64, offset: u64) -> Option<Value> {
        let Translated { program, lowered, .. } = self.translated;
        let object = lowered.origin.objects.get(&object)?;
        let (path, _) = part_at(&program.types, object.ty?, offset, None)?;
        let name = format!("{}{path}", object.name);
        let mut vars = lowered
            .origin
            .vars
            .iter()
            .filter(|(_, origin)| matches!(origin, VarOrigin::Scalar(variable) if variable.text == name));
        let (var, _) = vars.next().filter(|_| vars.next().is_none())?;
        self.state.values.get(var).cloned()
    }

    /// Says which index of a path is outside of the array that it is for, as far as indices are simple.
    pub(super) fn stray(&self, path: &str) -> Option<String> {
        let types = &self.translated.program.types;
        let (base, accesses) = parts(path);
        let mut ty = self.declared(base)?;
        let mut written = base.to_owned();
        for access in accesses {
            match access {
                Access::Field(name) => {
                    ty = field_type(types, ty, name)?;
                    written += &format!(".{name}");
                }
                Access::Arrow(name) => {
                    let Type::Pointer(target) = types.get(ty) else { return None };
                    ty = field_type(types, *target, name)?;
                    written += &format!("->{name}");
                }
                Access::Index(text) => {
                    let (element, length) = match types.get(ty) {
                        Type::Array(element, ArrayLength::Constant(length)) => (*element, Some(*length)),
                        Type::Array(element, _) | Type::Pointer(element) => (*element, None),
                        _ => return None,
                    };
                    let index = self.signed_index(text)?;
                    if let Some(length) =
                        length.filter(|length| !(BigInt::ZERO..(*length).into()).contains(&index))
                    {
                        let plural = if length == 1 { "" } else { "s" };
                        return Some(format!(
                            "index {index} is outside of `{written}`, which has {length} element{plural}"
                        ));
                    }
                    ty = element;
                    written += &format!("[{text}]");
                }
            }
        }
        None
    }

    /// The type with which the variable of a name is declared.
    fn declared(&self, name: &str) -> Option<TypeId> {
        let Translated { program, lowered, .. } = self.translated;
        let function = &program.functions[lowered.origin.frames[self.frame].function];
        Some(match self.named(name)? {
            Meaning::Local(local) => function.locals[local].ty,
            Meaning::Global(global) => program.globals[global].ty,
        })
    }

    /// The signed value of an index. An index that is incremented or decremented in place has changed already.
    fn signed_index(&self, text: &str) -> Option<BigInt> {
        if let Ok(literal) = text.parse() {
            return Some(literal);
        }
        let (path, change) = match (text.strip_suffix("++"), text.strip_suffix("--")) {
            (Some(path), _) => (path.trim_end(), -1),
            (None, Some(path)) => (path.trim_end(), 1),
            (None, None) => (text.trim_start_matches("++").trim_start_matches("--").trim_start(), 0),
        };
        let (ty, value) = self.value(path).filter(|_| path_length(path) == path.len())?;
        Some(number(&self.translated.program.types, ty, &value)? + change)
    }

    /// The number that an index is.
    fn index(&self, text: &str) -> Option<u64> {
        if let Ok(literal) = text.parse() {
            return Some(literal);
        }
        let (ty, value) = self.value(text).filter(|_| path_length(text) == text.len())?;
        u64::try_from(number(&self.translated.program.types, ty, &value)?).ok()
    }
}

fn field_type(types: &Types, ty: TypeId, name: &str) -> Option<TypeId> {
    let Type::Record(record) = types.get(ty) else { return None };
    let fields = types.record(*record).fields.as_deref()?;
    fields.iter().find(|field| field.name.as_deref() == Some(name)).map(|field| field.ty)
}

/// The number of an element.
fn position(index: &Value) -> Option<u64> {
    match index {
        Value::Int(number) => u64::try_from(number).ok(),
        Value::BitVec(bits) => u64::try_from(bits.unsigned()).ok(),
        _ => None,
    }
}

/// Whether a type is a scalar whose value is worth showing.
pub(super) fn is_number(types: &Types, ty: TypeId) -> bool {
    !matches!(types.get(ty), Type::Pointer(_) | Type::Array(..) | Type::Record(_))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_name_paths() {
        for (text, expected) in [
            ("assert(queue->count <= LIMIT)", &["queue->count", "LIMIT"][..]),
            ("a[i].x + a[2] * f(b) > 0x1f", &["a[i].x", "i", "a[2]", "b"]),
            ("p->items[p->n] = 0", &["p->items[p->n]", "p->n"]),
            ("x + x", &["x"]),
            ("", &[]),
        ] {
            assert_eq!(paths(text), expected, "{text}");
        }
    }

    #[test]
    fn paths_have_parts() {
        let expected = vec![Access::Arrow("a"), Access::Index("p->n"), Access::Field("x")];
        assert_eq!(parts("p->a[p->n].x"), ("p", expected));
    }
}
