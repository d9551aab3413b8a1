//! Values while a program runs: small ones in a machine word.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive;
use rustc_hash::{FxBuildHasher, FxHasher};
use thetis_expr::{ArrayValue, BitVec, Signs, Sort, Store, Value};

/// A value. Its sort, which is known wherever it is used, determines how to read it.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Word {
    /// A truth value, an integer of 64 bits, or a bit-vector of up to 64 bits read as unsigned.
    Small(i64),
    /// An array.
    Cells(Cells),
    /// Whatever else there is.
    Large(Arc<Value>),
    /// Any value; a number has one of these signs. Only [`exhaust`](crate::exhaust) runs programs on such words.
    Open(Signs),
}

/// An array: cells that were written, and what the others hold. Copies share what they have in common.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    default: Arc<Word>,
    written: imbl::GenericHashMap<Word, Word, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>,
    /// The sum of the hashes of all written cells, so that hashing a large array takes constant time.
    hash: u64,
}

impl PartialEq for Cells {
    fn eq(&self, other: &Cells) -> bool {
        self.hash == other.hash && self.default == other.default && self.written == other.written
    }
}

impl Eq for Cells {}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.default.hash(state);
        state.write_u64(self.hash);
    }
}

impl Cells {
    /// The array that holds `default` everywhere.
    pub(crate) fn new(default: Word) -> Cells {
        Cells { default: Arc::new(default), written: imbl::GenericHashMap::default(), hash: 0 }
    }

    pub(crate) fn read(&self, index: &Word) -> &Word {
        self.written.get(index).unwrap_or(&self.default)
    }

    /// Writes a cell; what it held before.
    pub(crate) fn write(&mut self, index: Word, element: Word) -> Word {
        let old = if element == *self.default {
            self.written.remove(&index)
        } else {
            self.hash = self.hash.wrapping_add(hash_of(&(&index, &element)));
            self.written.insert(index.clone(), element)
        };
        if let Some(old) = &old {
            self.hash = self.hash.wrapping_sub(hash_of(&(&index, old)));
        }
        old.unwrap_or_else(|| (*self.default).clone())
    }
}

/// The hash of anything.
pub(crate) fn hash_of(value: &impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Word {
    /// The word for a truth value.
    pub(crate) fn bool(value: bool) -> Word {
        Word::Small(i64::from(value))
    }

    /// The word for a value.
    pub(crate) fn of(value: &Value) -> Word {
        let small = match value {
            Value::Bool(value) => Some(i64::from(*value)),
            Value::Int(number) => number.to_i64(),
            Value::BitVec(bits) if bits.width() <= 64 => bits.unsigned().to_u64().map(u64::cast_signed),
            Value::Array(array) => {
                let mut cells = Cells::new(Word::of(array.default()));
                for (index, element) in array.entries() {
                    cells.write(Word::of(index), Word::of(element));
                }
                return Word::Cells(cells);
            }
            _ => None,
        };
        small.map_or_else(|| Word::Large(Arc::new(value.clone())), Word::Small)
    }

    /// Of which nothing is known.
    pub(crate) const OPEN: Word = Word::Open(Signs::ALL);

    pub(crate) fn is_open(&self) -> bool {
        matches!(self, Word::Open(_))
    }

    /// What is known of a value of `sort` that has one of these signs as well.
    pub(crate) fn with_signs(&self, signs: Signs) -> Word {
        match self {
            Word::Open(own) => Word::Open(own.and(signs)),
            word => word.clone(),
        }
    }

    /// The signs that it may have as a value of `sort`.
    pub(crate) fn signs(&self, store: &Store, sort: Sort) -> Signs {
        match self {
            Word::Open(signs) => *signs,
            Word::Cells(_) => Signs::ALL,
            word => Signs::of(&word.value(store, sort)),
        }
    }

    /// Whether nothing in it is open.
    pub(crate) fn is_known(&self) -> bool {
        match self {
            Word::Open(_) => false,
            Word::Cells(cells) => cells.default.is_known() && cells.written.values().all(Word::is_known),
            Word::Small(_) | Word::Large(_) => true,
        }
    }

    /// The value of `sort` that this word stands for.
    ///
    /// # Panics
    /// If something in it is open.
    pub(crate) fn value(&self, store: &Store, sort: Sort) -> Value {
        match (self, sort) {
            (Word::Large(value), _) => (**value).clone(),
            (Word::Small(number), Sort::Bool) => Value::Bool(*number != 0),
            (Word::Small(number), Sort::BitVec(width)) => {
                Value::BitVec(BitVec::new(width.get(), number.cast_unsigned()))
            }
            (Word::Small(number), _) => Value::Int(BigInt::from(*number)),
            (Word::Open(_), _) => panic!("an open word should not be asked for its value"),
            (Word::Cells(cells), sort) => Value::Array(Arc::new(array_of(store, cells, sort))),
        }
    }
}

fn array_of(store: &Store, cells: &Cells, sort: Sort) -> ArrayValue {
    let Sort::Array(array) = sort else { panic!("cells should be of array sort") };
    let (index_sort, element_sort) = store.array_parts(array);
    let entries = cells.written.iter();
    let entries =
        entries.map(|(index, element)| (index.value(store, index_sort), element.value(store, element_sort)));
    ArrayValue::new(index_sort, cells.default.value(store, element_sort)).write_all(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_survive_as_words() {
        let store = Store::new();
        let huge = Value::Int(BigInt::from(7) << 80);
        let wide = Value::BitVec(BitVec::new(64, u64::MAX));
        let array = ArrayValue::new(Sort::Int, Value::int(3)).write(Value::int(5), huge.clone());
        for value in [Value::Bool(true), Value::int(-9), huge, wide, Value::Array(Arc::new(array))] {
            assert_eq!(Word::of(&value).value(&store, store.sort_of_value(&value)), value);
        }
    }

    #[test]
    fn equal_arrays_have_equal_hashes() {
        let mut cells = Cells::new(Word::Small(0));
        let empty = cells.clone();
        cells.write(Word::Small(3), Word::Small(1));
        assert_ne!(cells, empty);
        let once = cells.clone();
        cells.write(Word::Small(3), Word::Small(2));
        cells.write(Word::Small(3), Word::Small(1));
        assert_eq!((hash_of(&cells), &cells), (hash_of(&once), &once));
        cells.write(Word::Small(3), Word::Small(0));
        assert_eq!((hash_of(&cells), &cells), (hash_of(&empty), &empty));
    }
}
