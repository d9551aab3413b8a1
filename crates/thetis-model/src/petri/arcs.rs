//! Sparse rows in two flat arrays.

/// Rows of entries, one after the other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sparse<T> {
    /// Where each row starts, and where the last one ends.
    starts: Vec<usize>,
    entries: Vec<T>,
}

impl<T> Sparse<T> {
    /// The given rows.
    pub(super) fn new(rows: impl IntoIterator<Item = Vec<T>>) -> Sparse<T> {
        let mut sparse = Sparse { starts: vec![0], entries: Vec::new() };
        for row in rows {
            sparse.entries.extend(row);
            sparse.starts.push(sparse.entries.len());
        }
        sparse
    }

    /// Puts each of the `(row, entry)` into its row; within a row they keep their order.
    pub(super) fn group(num_rows: usize, entries: impl Iterator<Item = (usize, T)> + Clone) -> Sparse<T>
    where
        T: Copy,
    {
        let mut starts = vec![0; num_rows + 1];
        for (row, _) in entries.clone() {
            starts[row + 1] += 1;
        }
        for row in 0..num_rows {
            starts[row + 1] += starts[row];
        }
        let mut next = starts.clone();
        let mut slots = vec![None; starts[num_rows]];
        for (row, entry) in entries {
            slots[next[row]] = Some(entry);
            next[row] += 1;
        }
        Sparse { starts, entries: slots.into_iter().flatten().collect() }
    }

    pub(super) fn row(&self, row: usize) -> &[T] {
        &self.entries[self.starts[row]..self.starts[row + 1]]
    }

    pub(super) fn num_entries(&self) -> usize {
        self.entries.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grouping_sorts_entries_into_rows_and_keeps_their_order() {
        let sparse = Sparse::group(3, [(2, 'a'), (0, 'b'), (2, 'c')].into_iter());
        assert_eq!(sparse.row(0), ['b']);
        assert_eq!(sparse.row(1), []);
        assert_eq!(sparse.row(2), ['a', 'c']);
        assert_eq!(sparse, Sparse::new([vec!['b'], vec![], vec!['a', 'c']]));
    }
}
