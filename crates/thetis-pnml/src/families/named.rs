//! Nets written down by the names of their places.

use thetis_model::Task;
use thetis_model::petri::{Net, NetBuilder, PlaceId, TransitionId};

use super::reach_marking;

/// A net under construction whose places are known by name.
pub(super) struct Named {
    builder: NetBuilder,
    places: Vec<(String, PlaceId)>,
}

impl Named {
    pub(super) fn new(name: &str) -> Named {
        Named { builder: NetBuilder::new(name), places: Vec::new() }
    }

    pub(super) fn place(&mut self, name: &str, tokens: u64) -> PlaceId {
        if let Some((_, place)) = self.places.iter().find(|(known, _)| known == name) {
            return *place;
        }
        let place = self.builder.place(name, tokens);
        self.places.push((name.to_owned(), place));
        place
    }

    pub(super) fn transition(&mut self, name: &str, before: &str, after: &str) -> TransitionId {
        let transition = self.builder.transition(name);
        for name in before.split_whitespace() {
            let place = self.place(name, 0);
            self.builder.input(transition, place, 1);
        }
        for name in after.split_whitespace() {
            let place = self.place(name, 0);
            self.builder.output(transition, place, 1);
        }
        transition
    }

    /// Can these places hold exactly these tokens, and all others none?
    pub(super) fn ask(mut self, goal: &[(&str, u64)]) -> Task<Net> {
        let mut tokens = vec![0; self.places.len()];
        for (name, number) in goal {
            tokens[self.place(name, 0).index()] = *number;
        }
        reach_marking(self.builder.build().expect("the net should be valid"), &tokens)
    }
}
