//! The markings that have been seen, numbered in the order of discovery.

use hashbrown::HashTable;
use thetis_model::petri::{Net, PlaceId};

use super::hash::hash;
use super::layout::Layout;

/// A marking by its number.
pub(super) type MarkingId = u32;

/// What [`Visited::insert`] did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Inserted {
    /// The marking is new and has this number.
    New(MarkingId),
    /// It was known.
    Known,
    /// There are no more numbers.
    Full,
}

pub(super) struct Visited {
    layout: Layout,
    rows: Rows,
    parents: Blocks<MarkingId>,
    table: HashTable<MarkingId>,
}

impl Visited {
    /// Only the initial marking, number zero.
    pub(super) fn new(net: &Net) -> Visited {
        let initial = || net.places().iter().map(|place| place.initial);
        let layout = Layout::new(initial());
        let rows = Rows::new(layout.num_words());
        let mut visited = Visited { layout, rows, parents: Blocks::new(1), table: HashTable::new() };
        let mut words = vec![0; visited.layout.num_words()];
        visited.layout.pack(initial(), &mut words);
        visited.insert(&words, 0);
        visited
    }

    pub(super) fn len(&self) -> usize {
        self.rows.len
    }

    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The packed marking.
    pub(super) fn words(&self, id: MarkingId) -> &[u64] {
        self.rows.get(id)
    }

    /// From which marking this one was first reached.
    pub(super) fn parent(&self, id: MarkingId) -> MarkingId {
        self.parents.row(id as usize)[0]
    }

    /// Adds a packed marking unless it is known.
    pub(super) fn insert(&mut self, words: &[u64], parent: MarkingId) -> Inserted {
        let Ok(id) = MarkingId::try_from(self.rows.len) else { return Inserted::Full };
        let rows = &self.rows;
        let key = hash(words.iter().copied());
        // Rows are short: comparing word by word beats a call.
        let is_same = |other: &MarkingId| rows.get(*other).iter().eq(words);
        let entry = self.table.entry(key, is_same, |other| rows.hash(*other));
        match entry {
            hashbrown::hash_table::Entry::Occupied(_) => Inserted::Known,
            hashbrown::hash_table::Entry::Vacant(slot) => {
                slot.insert(id);
                self.rows.push(words);
                self.parents.push(&[parent]);
                Inserted::New(id)
            }
        }
    }

    /// Makes room for `count` tokens in `place`. All packed markings change; their numbers stay.
    pub(super) fn widen(&mut self, place: PlaceId, count: u64) {
        let layout = self.layout.widened(place, count);
        let mut rows = Rows::new(layout.num_words());
        let mut table = HashTable::with_capacity(self.rows.len);
        let mut counts = Vec::new();
        let mut words = vec![0; layout.num_words()];
        for id in 0..self.rows.len as MarkingId {
            counts.clear();
            self.layout.unpack(self.rows.get(id), |_, count| counts.push(count));
            layout.pack(counts.iter().copied(), &mut words);
            rows.push(&words);
            table.insert_unique(rows.hash(id), id, |other| rows.hash(*other));
        }
        (self.layout, self.rows, self.table) = (layout, rows, table);
    }

    /// The memory in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.rows.blocks.bytes() + self.parents.bytes() + self.table.allocation_size()
    }
}

/// Packed markings.
struct Rows {
    blocks: Blocks<u64>,
    len: usize,
}

impl Rows {
    fn new(num_words: usize) -> Rows {
        Rows { blocks: Blocks::new(num_words), len: 0 }
    }

    fn get(&self, id: MarkingId) -> &[u64] {
        self.blocks.row(id as usize)
    }

    fn hash(&self, id: MarkingId) -> u64 {
        hash(self.get(id).iter().copied())
    }

    fn push(&mut self, words: &[u64]) {
        self.blocks.push(words);
        self.len += 1;
    }
}

/// Rows of equal length in blocks that are never moved, so that growth costs neither copies nor spare memory.
struct Blocks<T> {
    stride: usize,
    blocks: Vec<Vec<T>>,
}

const ROWS_PER_BLOCK: usize = 1 << 12;

impl<T: Copy> Blocks<T> {
    fn new(stride: usize) -> Blocks<T> {
        Blocks { stride, blocks: Vec::new() }
    }

    fn row(&self, index: usize) -> &[T] {
        let start = index % ROWS_PER_BLOCK * self.stride;
        &self.blocks[index / ROWS_PER_BLOCK][start..start + self.stride]
    }

    fn push(&mut self, row: &[T]) {
        let is_full = |block: &Vec<T>| block.len() == ROWS_PER_BLOCK * self.stride;
        if self.blocks.last().is_none_or(is_full) {
            // The first block grows, so that small searches stay small.
            let capacity = if self.blocks.is_empty() { 0 } else { ROWS_PER_BLOCK * self.stride };
            self.blocks.push(Vec::with_capacity(capacity));
        }
        if let Some(block) = self.blocks.last_mut() {
            block.extend_from_slice(row);
        }
    }

    fn bytes(&self) -> usize {
        self.blocks.iter().map(|block| block.capacity() * size_of::<T>()).sum()
    }
}
