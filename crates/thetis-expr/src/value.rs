//! Concrete values.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;

use imbl::OrdMap;
use imbl::ordmap::DiffItem;
use num_bigint::BigInt;
use num_rational::Ratio;
use rustc_hash::FxBuildHasher;

use crate::big::to_decimal;
use crate::{BitVec, Float, FloatSign, Sort, Store};

/// An exact rational number.
pub type Rational = Ratio<BigInt>;

/// A value of some sort. Equal values are equal as Rust values: arrays are kept in a normal form.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer of any size.
    Int(BigInt),
    /// An exact rational.
    Real(Rational),
    /// A bit-vector.
    BitVec(BitVec),
    /// A floating-point number.
    Float(Float),
    /// An array with finitely many exceptions from a default.
    Array(Arc<ArrayValue>),
}

/// An array value: a default element and finitely many entries that differ from it.
///
/// Invariant: no entry equals the default, and over a finite index sort the default is the most frequent element, so
/// that equal arrays are equal Rust values. (Arrays indexed by arrays are the one exception; front ends reject them.)
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ArrayValue {
    index_sort: Sort,
    default: Value,
    /// Copies of an array share what they have in common, so that a long run over a large one stays cheap.
    entries: OrdMap<Value, Value>,
    /// The sum of the hashes of the entries: what the hash of a large array that differs from another in one entry costs
    /// does not depend on its size.
    hash_of_entries: u64,
}

impl Hash for ArrayValue {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.index_sort, &self.default, self.hash_of_entries).hash(state);
    }
}

/// The hash of one entry, scattered so that sums of such hashes are equal by chance only.
fn hash_of_entry(index: &Value, element: &Value) -> u64 {
    // The finalizer of SplitMix64.
    let hash = FxBuildHasher.hash_one((index, element));
    let hash = (hash ^ hash >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ hash >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ hash >> 31
}

impl ArrayValue {
    /// The array over `index_sort` that holds `default` everywhere.
    pub fn new(index_sort: Sort, default: Value) -> ArrayValue {
        ArrayValue { index_sort, default, entries: OrdMap::new(), hash_of_entries: 0 }
    }

    /// The sort of indices.
    pub fn index_sort(&self) -> Sort {
        self.index_sort
    }

    /// The element at all indices without an entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The entries that differ from the default, in the order of indices.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// Entries of `newer` that this array does not have. Shared parts are skipped, so this is quick for a large array and
    /// a copy with few writes.
    pub fn changes<'v>(&'v self, newer: &'v ArrayValue) -> impl Iterator<Item = (&'v Value, &'v Value)> {
        self.entries.diff(&newer.entries).filter_map(|change| match change {
            DiffItem::Add(index, element) => Some((index, element)),
            DiffItem::Update { new, .. } => Some(new),
            DiffItem::Remove(..) => None,
        })
    }

    /// The element at `index`.
    pub fn read(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// The array with `element` at `index`.
    #[must_use]
    pub fn write(&self, index: Value, element: Value) -> ArrayValue {
        self.clone().write_all([(index, element)])
    }

    /// The array with many elements written one after the other, so that later ones win.
    #[must_use]
    pub fn write_all(mut self, entries: impl IntoIterator<Item = (Value, Value)>) -> ArrayValue {
        for (index, element) in entries {
            self.set(index, element);
        }
        self.normalise_if_crowded();
        self
    }

    fn set(&mut self, index: Value, element: Value) {
        let old = self.entries.get(&index);
        if old.unwrap_or(&self.default) == &element {
            return;
        }
        let hash = |element: &Value| hash_of_entry(&index, element);
        self.hash_of_entries = self.hash_of_entries.wrapping_sub(old.map_or(0, hash));
        if element == self.default {
            self.entries.remove(&index);
        } else {
            self.hash_of_entries = self.hash_of_entries.wrapping_add(hash(&element));
            self.entries.insert(index, element);
        }
    }

    /// Over a finite index sort two defaults can describe one array once half of the indices have entries. The
    /// normal form then takes the most frequent element as default, the smallest of them on a tie.
    fn normalise_if_crowded(&mut self) {
        let Some(size) = finite_size(self.index_sort) else { return };
        if 2 * self.entries.len() < size {
            return;
        }
        let mut counts = BTreeMap::from([(&self.default, size - self.entries.len())]);
        for element in self.entries.values() {
            *counts.entry(element).or_default() += 1;
        }
        let most = counts.values().copied().max().unwrap_or(0);
        let best = counts.iter().find(|(_, count)| **count == most).map(|(element, _)| (*element).clone());
        let Some(best) = best.filter(|best| *best != self.default) else { return };
        for index in all_values(self.index_sort, size) {
            self.entries.entry(index).or_insert_with(|| self.default.clone());
        }
        let entries = std::mem::take(&mut self.entries);
        self.entries = entries.into_iter().filter(|(_, element)| *element != best).collect();
        let hashes = self.entries.iter().map(|(index, element)| hash_of_entry(index, element));
        self.hash_of_entries = hashes.fold(0, u64::wrapping_add);
        self.default = best;
    }
}

/// The number of values of a sort, if it is finite and small enough that half of them can be written out.
fn finite_size(sort: Sort) -> Option<usize> {
    match sort {
        Sort::Bool => Some(2),
        Sort::BitVec(width) if width.get() < 40 => Some(1 << width.get()),
        // All bit patterns but those of the superfluous NaNs.
        Sort::Float(format) if format.width() < 40 => {
            Some((1 << format.width()) + 3 - (1 << format.significand_bits()))
        }
        _ => None,
    }
}

fn all_values(sort: Sort, size: usize) -> impl Iterator<Item = Value> {
    let patterns = sort.float_format().map_or(size, |format| 1 << format.width());
    (0..patterns).filter_map(move |number| match sort {
        Sort::BitVec(width) => Some(Value::BitVec(BitVec::new(width.get(), number as u64))),
        Sort::Float(format) => {
            let bits = BitVec::new(format.width(), number as u64);
            let float = Float::from_bits(format, &bits);
            (float.to_bits() == bits).then_some(Value::Float(float))
        }
        _ => Some(Value::Bool(number == 1)),
    })
}

impl Value {
    /// The integer `value`.
    pub fn int(value: impl Into<BigInt>) -> Value {
        Value::Int(value.into())
    }

    /// The truth value, if this is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(value) => Some(*value),
            _ => None,
        }
    }

    /// The integer, if this is one.
    pub fn as_int(&self) -> Option<&BigInt> {
        match self {
            Value::Int(value) => Some(value),
            _ => None,
        }
    }
}

/// An arbitrary value of `sort`: false, zero, or zero everywhere.
pub fn default_value(store: &Store, sort: Sort) -> Value {
    match sort {
        Sort::Bool => Value::Bool(false),
        Sort::Int => Value::int(0),
        Sort::Real => Value::Real(Rational::from_integer(0.into())),
        Sort::BitVec(width) => Value::BitVec(BitVec::new(width.get(), 0u32)),
        Sort::Float(format) => Value::Float(Float::zero(format, FloatSign::Positive)),
        Sort::Array(array) => {
            let (index, element) = store.array_parts(array);
            Value::Array(Arc::new(ArrayValue::new(index, default_value(store, element))))
        }
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}

/// Readable text: `true`, `-3`, `1/2`, `8'd255`, `+2'b01.2'b00`, `[0 <- 1, default <- 0]`.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(value) => write!(f, "{value}"),
            Value::Int(value) => f.write_str(&to_decimal(value)),
            Value::Real(value) => write!(f, "{value}"),
            Value::BitVec(bits) => write!(f, "{bits}"),
            Value::Float(float) => write!(f, "{float}"),
            Value::Array(array) => {
                write!(f, "[")?;
                for (index, element) in array.entries() {
                    write!(f, "{index} <- {element}, ")?;
                }
                write!(f, "default <- {}]", array.default())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_arrays_over_a_finite_index_are_equal_values() {
        let off = ArrayValue::new(Sort::Bool, Value::int(0)).write(Value::Bool(true), Value::int(1));
        let on = ArrayValue::new(Sort::Bool, Value::int(1)).write(Value::Bool(false), Value::int(0));
        assert_eq!(off, on);
        let bits = |number: u32| Value::BitVec(BitVec::new(2, number));
        let mut up = ArrayValue::new(Sort::bitvec(2), Value::int(9));
        let mut down = ArrayValue::new(Sort::bitvec(2), Value::int(7));
        for number in 0..4 {
            up = up.write(bits(number), Value::int(number / 2));
            down = down.write(bits(3 - number), Value::int((3 - number) / 2));
        }
        assert_eq!(up, down);
        assert_eq!(up.read(&bits(3)), &Value::int(1));
        let entries = (0..4).map(|number| (bits(number), Value::int(number / 2)));
        assert_eq!(ArrayValue::new(Sort::bitvec(2), Value::int(9)).write_all(entries), up);
    }

    #[test]
    fn changes_are_the_new_entries() {
        let numbers = |number: u32| (Value::int(number), Value::int(number + 1));
        let old = ArrayValue::new(Sort::Int, Value::int(0)).write_all((0..1000).map(numbers));
        let new = old.write(Value::int(500), Value::int(7)).write(Value::int(2000), Value::int(8));
        let new = new.write(Value::int(3), Value::int(0));
        let changes: Vec<String> =
            old.changes(&new).map(|(index, element)| format!("{index} <- {element}")).collect();
        assert_eq!(changes, ["500 <- 7", "2000 <- 8"]);
    }

    #[test]
    fn equal_arrays_have_equal_hashes_however_they_came_about() {
        let hash = |array: &ArrayValue| FxBuildHasher.hash_one(array);
        let empty = ArrayValue::new(Sort::Int, Value::int(0));
        let write = |array: &ArrayValue, index: i32, element: i32| {
            array.write(Value::int(index), Value::int(element))
        };
        let forwards = write(&write(&empty, 1, 5), 2, 6);
        let backwards = write(&write(&write(&write(&empty, 2, 7), 3, 1), 1, 5), 2, 6);
        assert_ne!(hash(&forwards), hash(&backwards));
        assert_eq!(hash(&forwards), hash(&write(&backwards, 3, 0)));
        assert_ne!(hash(&forwards), hash(&write(&write(&empty, 1, 6), 2, 5)), "elements swapped");
        let bits = |number: u32| Value::BitVec(BitVec::new(2, number));
        let crowded = |default: u32| {
            let entries = (0..4).map(|number| (bits(number), Value::int(number / 2)));
            ArrayValue::new(Sort::bitvec(2), Value::int(default)).write_all(entries)
        };
        assert_eq!(hash(&crowded(8)), hash(&crowded(9)));
    }

    #[test]
    fn writing_the_default_forgets_the_entry() {
        let array = ArrayValue::new(Sort::Int, Value::int(0));
        let there = array.write(Value::int(3), Value::int(1));
        assert_ne!(there, array);
        assert_eq!(there.write(Value::int(3), Value::int(0)), array);
    }
}
