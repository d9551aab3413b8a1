//! Values as C writes them: numbers with the sign of their type, pointers as the objects they point to.

use num_bigint::BigInt;
use thetis_expr::{Float, Value};

use super::Translated;
use crate::hir::{ArrayLength, ExprKind, FloatKind, Initializer, IntKind, RecordKind, Type, TypeId, Types};
use crate::lower::{Scalar, split_pointer};

/// A value of type `ty` as text: `-1`, `97 'a'`, `&a[2]`, `"text"`, `NULL`.
pub(super) fn show(translated: Translated<'_>, ty: TypeId, value: &Value) -> String {
    let types = &translated.program.types;
    match (types.get(ty), Scalar::of(types, ty)) {
        (Type::Pointer(target), _) => show_pointer(translated, Some(*target), value),
        (Type::Int(IntKind::Char | IntKind::PlainUnsignedChar), _) => match number(types, ty, value) {
            Some(code) => show_character(&code),
            None => value.to_string(),
        },
        (_, Some(Scalar::Float(kind))) => float(kind, value).unwrap_or_else(|| value.to_string()),
        _ => number(types, ty, value).map_or_else(|| value.to_string(), |number| number.to_string()),
    }
}

/// A value of memory of unknown type, as text.
pub(super) fn show_scalar(translated: Translated<'_>, scalar: Scalar, value: &Value) -> Option<String> {
    match scalar {
        Scalar::Bool => Some(value.to_string()),
        Scalar::Int(integer) => match value {
            Value::Int(number) => Some(integer.wrap(number).to_string()),
            // Memory of bytes has no cells with whole numbers.
            Value::BitVec(bits) if bits.width() == integer.width => {
                Some(integer.wrap(&BigInt::from(bits.unsigned().clone())).to_string())
            }
            _ => None,
        },
        Scalar::Float(kind) => float(kind, value),
        Scalar::Pointer => Some(show_pointer(translated, None, value)),
    }
}

/// The number that a value of an integer type is.
pub(super) fn number(types: &Types, ty: TypeId, value: &Value) -> Option<BigInt> {
    let integer = Scalar::of(types, ty)?.integer()?;
    let number = match value {
        Value::Int(number) => number.clone(),
        Value::BitVec(bits) => BigInt::from(bits.unsigned().clone()),
        Value::Bool(truth) => BigInt::from(u8::from(*truth)),
        Value::Real(_) | Value::Float(_) | Value::Array(_) => return None,
    };
    Some(integer.wrap(&number))
}

fn show_character(code: &BigInt) -> String {
    match u8::try_from(code).ok().filter(|code| code.is_ascii_graphic() || *code == b' ') {
        Some(letter) => format!("{code} '{}'", char::from(letter).escape_default()),
        None => code.to_string(),
    }
}

/// A floating-point number as a constant of C that has exactly this value.
pub(super) fn float(kind: FloatKind, value: &Value) -> Option<String> {
    let Value::Float(float) = value else { return None };
    let suffix = match kind {
        FloatKind::Float => "f",
        FloatKind::Double => "",
        FloatKind::LongDouble => return None,
    };
    let text = match (float.is_nan(), to_f64(float)?) {
        (true, _) => format!("__builtin_nan{suffix}(\"\")"),
        (_, infinite) if infinite.is_infinite() => {
            format!("{}__builtin_inf{suffix}()", if float.is_negative() { "-" } else { "" })
        }
        // Rust prints as many digits as are needed to read the same number again.
        (_, number) => format!("{number:?}{suffix}"),
    };
    Some(text)
}

fn to_f64(float: &Float) -> Option<f64> {
    let bits = float.to_bits();
    match bits.width() {
        32 => Some(f64::from(f32::from_bits(u32::try_from(bits.unsigned()).ok()?))),
        64 => Some(f64::from_bits(u64::try_from(bits.unsigned()).ok()?)),
        _ => None,
    }
}

fn show_pointer(translated: Translated<'_>, target: Option<TypeId>, value: &Value) -> String {
    let Some((object, offset)) = split_pointer(value) else { return value.to_string() };
    if object == 0 && offset == 0 {
        return "NULL".to_owned();
    }
    match translated.lowered.origin.objects.get(&object) {
        Some(known) if has_no_name(&known.name) => match (literal(translated, &known.name), offset) {
            (Some(text), 0) => text,
            (Some(text), offset) => format!("{text} + {offset}"),
            (None, _) => "an object without a name".to_owned(),
        },
        Some(known) => match known.ty {
            None => known.name.clone(),
            Some(ty) => match part_at(&translated.program.types, ty, u64::from(offset), target) {
                Some((path, _)) => format!("&{}{path}", known.name),
                None => format!("(char *)&{} + {offset}", known.name),
            },
        },
        // The library has numbers for streams.
        None if target.is_some_and(|target| translated.program.types.is_file(target)) => {
            "a stream".to_owned()
        }
        None if object == 0 => format!("(void *){offset}"),
        None => block(translated, object, offset),
    }
}

/// An allocated block. Blocks are counted from the first one; the objects of the program have the numbers before it.
fn block(translated: Translated<'_>, object: u64, offset: u32) -> String {
    let last = translated.lowered.origin.objects.keys().next_back().copied().unwrap_or(0);
    match (object.checked_sub(last), offset) {
        (None | Some(0), _) => "an object without a name".to_owned(),
        (Some(number), 0) => format!("block {number}"),
        (Some(number), offset) => format!("block {number} + {offset}"),
    }
}

/// Whether an object is one that the program does not name: a literal.
pub(super) fn has_no_name(name: &str) -> bool {
    name.starts_with('#')
}

/// The text of the literal that an object without a name is: as it is written, or what it holds if a macro makes it.
fn literal(translated: Translated<'_>, name: &str) -> Option<String> {
    let global = translated.program.globals.iter().find(|global| global.name == name)?;
    let text = translated.sources.text(global.span);
    if text.starts_with('"') {
        return Some(text.to_owned());
    }
    let types = &translated.program.types;
    let Type::Array(element, _) = types.get(global.ty) else { return None };
    let Some(Initializer::Parts(parts)) = &global.initializer else { return None };
    let letters = parts.iter().map(|part| match &part.value.kind {
        ExprKind::Int(code) => u8::try_from(code).ok().filter(|code| *code < 128).map(char::from),
        _ => None,
    });
    let letters: String =
        letters.collect::<Option<String>>().filter(|_| types.size_of(*element) == Some(1))?;
    Some(format!("{:?}", letters.trim_end_matches('\0')))
}

/// The part of an object at an offset, as C writes the way to it, with its type: the first part of the type `wanted` on
/// the way down, a scalar otherwise.
pub(super) fn part_at(
    types: &Types,
    mut ty: TypeId,
    mut offset: u64,
    wanted: Option<TypeId>,
) -> Option<(String, TypeId)> {
    let mut path = String::new();
    loop {
        if offset == 0 && Some(ty) == wanted {
            return Some((path, ty));
        }
        match types.get(ty) {
            Type::Array(element, length) => {
                let size = types.size_of(*element).filter(|size| *size > 0)?;
                let index = offset / size;
                if matches!(length, ArrayLength::Constant(length) if index >= *length) {
                    return None;
                }
                path.push_str(&format!("[{index}]"));
                (ty, offset) = (*element, offset % size);
            }
            Type::Record(record) => {
                let fields = types.record(*record).fields.as_deref()?;
                let is_struct = types.record(*record).kind == RecordKind::Struct;
                let mut holding = fields.iter().filter(|field| {
                    let size = types.size_of(field.ty).unwrap_or(0);
                    field.offset <= offset && offset < field.offset + size && field.bits.is_none()
                });
                let field = if is_struct { holding.next_back()? } else { holding.next()? };
                if let Some(name) = &field.name {
                    path.push_str(&format!(".{name}"));
                }
                (ty, offset) = (field.ty, offset - field.offset);
            }
            _ => return (offset == 0).then_some((path, ty)),
        }
    }
}
