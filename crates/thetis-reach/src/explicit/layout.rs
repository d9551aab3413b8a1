//! The position of each place's count in a packed marking.

use thetis_model::petri::PlaceId;

/// Fields whose widths are powers of two, wide ones first, so that none crosses a word boundary.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Layout {
    fields: Vec<Field>,
    num_words: usize,
    num_widenings: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Field {
    word: u32,
    shift: u8,
    width: u8,
}

/// After this many widenings of single fields, all fields of that width or less are widened together, so that a net with many
/// growing places is not repacked for each of them.
const SINGLE_WIDENINGS: usize = 24;

impl Layout {
    /// Room for these counts.
    pub(super) fn new(counts: impl IntoIterator<Item = u64>) -> Layout {
        Layout::of_widths(counts.into_iter().map(width_for).collect(), 0)
    }

    fn of_widths(widths: Vec<u8>, num_widenings: usize) -> Layout {
        let mut order: Vec<usize> = (0..widths.len()).collect();
        order.sort_by_key(|place| std::cmp::Reverse(widths[*place]));
        let mut fields = vec![Field { word: 0, shift: 0, width: 1 }; widths.len()];
        let mut bit = 0usize;
        for place in order {
            let width = widths[place];
            fields[place] = Field { word: (bit / 64) as u32, shift: (bit % 64) as u8, width };
            bit += usize::from(width);
        }
        Layout { fields, num_words: bit.div_ceil(64).max(1), num_widenings }
    }

    /// How many words a packed marking has.
    pub(super) fn num_words(&self) -> usize {
        self.num_words
    }

    /// Whether `count` has room in the field of `place`.
    pub(super) fn fits(&self, place: PlaceId, count: u64) -> bool {
        count <= self.fields[place.index()].mask()
    }

    /// The layout with room for `count` tokens in `place`.
    pub(super) fn widened(&self, place: PlaceId, count: u64) -> Layout {
        let mut widths: Vec<u8> = self.fields.iter().map(|field| field.width).collect();
        let width = width_for(count);
        if self.num_widenings < SINGLE_WIDENINGS {
            widths[place.index()] = width;
        } else {
            widths.iter_mut().for_each(|old| *old = (*old).max(width));
        }
        Layout::of_widths(widths, self.num_widenings + 1)
    }

    /// Writes a count that fits.
    pub(super) fn set(&self, words: &mut [u64], place: PlaceId, count: u64) {
        let field = self.fields[place.index()];
        debug_assert!(count <= field.mask(), "the count should fit");
        let word = &mut words[field.word as usize];
        *word = (*word & !(field.mask() << field.shift)) | (count << field.shift);
    }

    /// All counts of a packed marking.
    pub(super) fn unpack(&self, words: &[u64], mut take: impl FnMut(PlaceId, u64)) {
        for (index, field) in self.fields.iter().enumerate() {
            take(PlaceId::from(index), (words[field.word as usize] >> field.shift) & field.mask());
        }
    }

    /// The packed form of counts that fit, in the order of the places.
    pub(super) fn pack(&self, counts: impl IntoIterator<Item = u64>, words: &mut [u64]) {
        words.fill(0);
        for (field, count) in self.fields.iter().zip(counts) {
            words[field.word as usize] |= count << field.shift;
        }
    }
}

impl Field {
    fn mask(self) -> u64 {
        u64::MAX >> (64 - u32::from(self.width))
    }
}

/// The least power of two bits that can hold `count`.
fn width_for(count: u64) -> u8 {
    let bits = (u64::BITS - count.leading_zeros()).max(1);
    bits.next_power_of_two() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_hold_their_counts_and_nothing_else_changes() {
        let counts = [0, 1, 2, 3, 15, 16, 255, 256, 70_000, u64::MAX, 1];
        let layout = Layout::new(counts);
        let mut words = vec![0; layout.num_words()];
        layout.pack(counts, &mut words);
        let unpacked = |words: &[u64]| {
            let mut found = Vec::new();
            layout.unpack(words, |_, count| found.push(count));
            found
        };
        assert_eq!(unpacked(&words), counts);
        layout.set(&mut words, PlaceId::from(5usize), 9);
        assert_eq!(unpacked(&words), [0, 1, 2, 3, 15, 9, 255, 256, 70_000, u64::MAX, 1]);
        assert!(!layout.fits(PlaceId::from(0usize), 2));
    }

    #[test]
    fn widening_goes_from_single_fields_to_all() {
        let mut layout = Layout::new(vec![0; 40]);
        assert_eq!(layout.num_words(), 1);
        for index in 0..SINGLE_WIDENINGS {
            layout = layout.widened(PlaceId::from(index), 2);
        }
        assert_eq!(layout.num_words(), 1);
        layout = layout.widened(PlaceId::from(39usize), 2);
        assert!((0..40usize).all(|index| layout.fits(PlaceId::from(index), 3)));
    }
}
