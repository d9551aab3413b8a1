//! What waits for expansion.

use std::collections::VecDeque;

use crate::SearchOrder;

/// Things that wait, in some order.
pub(crate) struct Agenda<T> {
    order: SearchOrder,
    waiting: VecDeque<T>,
    /// For random choices, always the same ones.
    random: u64,
}

impl<T> Agenda<T> {
    pub(crate) fn new(order: SearchOrder) -> Agenda<T> {
        Agenda { order, waiting: VecDeque::new(), random: 0x9e37_79b9_7f4a_7c15 }
    }

    pub(crate) fn push(&mut self, one: T) {
        self.waiting.push_back(one);
    }

    /// Adds something that makes others obsolete, so that it should come before them.
    pub(crate) fn push_urgent(&mut self, one: T) {
        match self.order {
            SearchOrder::Priority => self.waiting.push_front(one),
            SearchOrder::Bfs | SearchOrder::Dfs | SearchOrder::Random => self.waiting.push_back(one),
        }
    }

    pub(crate) fn pop(&mut self) -> Option<T> {
        match self.order {
            SearchOrder::Priority | SearchOrder::Bfs => self.waiting.pop_front(),
            SearchOrder::Dfs => self.waiting.pop_back(),
            SearchOrder::Random if self.waiting.is_empty() => None,
            SearchOrder::Random => {
                // Marsaglia's xorshift.
                self.random ^= self.random << 13;
                self.random ^= self.random >> 7;
                self.random ^= self.random << 17;
                self.waiting.swap_remove_back((self.random % self.waiting.len() as u64) as usize)
            }
        }
    }
}
