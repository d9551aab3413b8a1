//! The items that a search still has to process, in the order of its strategy.
//!
//! Breadth first means that solution vectors with fewer firings come first, and older ones first among equals. Then the solution space above a
//! base solution is searched in layers of growing cost, which makes the first answer a cheap one. The source says that its breadth-first
//! search finds the cheapest answer; layers of equal *depth* do not achieve that, because one invariant may cost more than two others.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::SearchOrder;
use super::space::{PartialId, SolutionId};

/// Something to process.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Item {
    /// A solution vector, to be realised.
    Solution(SolutionId),
    /// A partial solution, to be refined.
    Partial(PartialId),
}

/// The items that wait.
pub(super) struct Agenda {
    order: SearchOrder,
    /// Depth first: the last one is next.
    stack: Vec<Item>,
    /// Breadth first: by cost and age.
    heap: BinaryHeap<Reverse<(u128, u64, Item)>>,
    num_added: u64,
}

impl Agenda {
    pub(super) fn new(order: SearchOrder) -> Agenda {
        Agenda { order, stack: Vec::new(), heap: BinaryHeap::new(), num_added: 0 }
    }

    /// Adds items, each with the number of firings of its solution vector, so that those of equal rank are taken in the given order.
    pub(super) fn add(&mut self, items: impl DoubleEndedIterator<Item = (u128, Item)>) {
        match self.order {
            SearchOrder::Dfs | SearchOrder::Hybrid => self.stack.extend(items.rev().map(|(_, item)| item)),
            SearchOrder::Bfs => {
                for (cost, item) in items {
                    self.heap.push(Reverse((cost, self.num_added, item)));
                    self.num_added += 1;
                }
            }
        }
    }

    /// Takes the next item.
    pub(super) fn next(&mut self) -> Option<Item> {
        match self.order {
            SearchOrder::Dfs | SearchOrder::Hybrid => self.stack.pop(),
            SearchOrder::Bfs => self.heap.pop().map(|Reverse((_, _, item))| item),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(search: SearchOrder) -> Vec<usize> {
        let item = |number: usize| Item::Solution(SolutionId::from(number));
        let mut agenda = Agenda::new(search);
        agenda.add([(5, item(0)), (7, item(1))].into_iter());
        agenda.add([(6, item(2)), (5, item(3))].into_iter());
        std::iter::from_fn(|| agenda.next())
            .map(|item| match item {
                Item::Solution(solution) => solution.index(),
                Item::Partial(partial) => partial.index(),
            })
            .collect()
    }

    #[test]
    fn breadth_is_cost_and_depth_is_youth() {
        assert_eq!(order(SearchOrder::Bfs), [0, 3, 2, 1]);
        assert_eq!(order(SearchOrder::Dfs), [2, 3, 0, 1]);
    }
}
