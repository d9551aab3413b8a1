//! Shares of a limited text: small parts complete, large parts cut.

use rustc_hash::FxHashMap;

use super::shape::Piece;
use crate::{ExprId, Postorder, Store};

/// The sizes of terms as trees, saturating.
pub(super) struct TreeSizes {
    sizes: FxHashMap<ExprId, usize>,
}

impl TreeSizes {
    pub(super) fn of(store: &Store, root: ExprId) -> TreeSizes {
        let mut sizes: FxHashMap<ExprId, usize> = FxHashMap::default();
        for part in Postorder::new(store, [root]) {
            let size = store.args(part).iter().fold(1, |sum: usize, arg| sum.saturating_add(sizes[arg]));
            sizes.insert(part, size);
        }
        TreeSizes { sizes }
    }

    /// Gives each term its share of `budget`: what it needs, if that is at most an equal share of what the
    /// smaller terms leave over.
    pub(super) fn distribute(&self, budget: usize, pieces: Vec<Piece>) -> Vec<(Piece, usize)> {
        let mut by_size: Vec<_> = (0..pieces.len()).filter(|index| self.size(&pieces[*index]) > 0).collect();
        by_size.sort_by_key(|index| self.size(&pieces[*index]));
        let mut shares = vec![0; pieces.len()];
        let mut left = budget;
        for (done, index) in by_size.iter().enumerate() {
            shares[*index] = self.size(&pieces[*index]).min(left.div_ceil(by_size.len() - done));
            left -= shares[*index];
        }
        pieces.into_iter().zip(shares).collect()
    }

    fn size(&self, piece: &Piece) -> usize {
        match piece {
            Piece::Term(expr, _) => self.sizes.get(expr).copied().unwrap_or(1),
            _ => 0,
        }
    }
}
