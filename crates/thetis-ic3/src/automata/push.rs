//! Pushing: a cube that is excluded at one location may be excluded at others.
//!
//! A cube that is excluded at a location up to a level is tried at the successors of the location one level higher
//! (Mertens 2016, Algorithms 17 and 18, whose captions are exchanged). Most such pushes of all cubes succeed, but each
//! costs queries, so filters skip those that are less likely to succeed. If all edges into the successor come from the
//! location and leave the variables of the cube unchanged, the push succeeds without a query. (Lemma 8 of Mertens 2016
//! requires that of one edge; with parallel edges all of them must satisfy it.)
//!
//! Propagation is the same to the location itself, as in IC3 on transition systems.

use thetis_model::cfa::LocId;

use super::cube::Cube;
use super::questions::End;
use super::search::{Entry, LocalFrameSearch};
use crate::config::Push;

/// A cube that is excluded up to a level at a predecessor of a location; in the order in which they are treated.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct PushRequest {
    level: usize,
    location: LocId,
    size: usize,
    cube: Cube,
    needs_query: bool,
}

impl LocalFrameSearch<'_> {
    /// Notes to which successors of `location` the cube should be pushed.
    pub(super) fn request_pushes(&mut self, level: usize, location: LocId, cube: &Cube) {
        if self.config.push == Push::Off {
            return;
        }
        let cfa = &self.task.model;
        let mut successors: Vec<LocId> =
            self.graph.outgoing(location).iter().map(|edge| cfa.edges[*edge].target).collect();
        successors.sort();
        successors.dedup();
        for successor in successors.into_iter().filter(|to| *to != cfa.initial && !cfa.is_error(*to)) {
            let has_one_source =
                self.graph.incoming(successor).iter().all(|edge| self.source(*edge) == location);
            let is_kept = self.is_kept(location, successor, cube);
            let is_wanted = match self.config.push {
                Push::Off => false,
                Push::None => true,
                Push::Predecessor => has_one_source,
                Push::Assign => is_kept,
                Push::Restrictive => has_one_source && is_kept,
            };
            if is_wanted {
                let needs_query = self.config.push_query || !(has_one_source && is_kept);
                let (size, cube) = (cube.len(), cube.clone());
                self.push_requests.insert(PushRequest {
                    level,
                    location: successor,
                    size,
                    cube,
                    needs_query,
                });
            }
        }
    }

    /// Whether all edges from `location` to `successor` leave the variables of `cube` unchanged.
    fn is_kept(&self, location: LocId, successor: LocId, cube: &Cube) -> bool {
        let vars = cube.vars(&self.task.store);
        let edges = self.graph.incoming(successor).iter().filter(|edge| self.source(**edge) == location);
        edges.into_iter().all(|edge| self.questions.transitions[*edge].keeps(&vars))
    }

    /// Performs the requested pushes. Pushed cubes are pushed further.
    pub(super) fn push(&mut self) -> Result<(), End> {
        let limit = self.frames.last() + 1;
        while let Some(request) = self.push_requests.pop_first() {
            self.run.checkpoint()?;
            let PushRequest { level, location, cube, needs_query, .. } = request;
            let level = level + 1;
            if level > limit || self.frames.excludes(level, location, &cube) {
                continue;
            }
            self.frames.open(level);
            self.questions.stats.pushes += 1;
            let cube = match needs_query {
                false => cube,
                true => match self.entry(level, location, &cube)? {
                    Entry::Unreached(core) => core,
                    Entry::Reached(..) | Entry::Undecided => continue,
                },
            };
            self.questions.stats.pushed += 1;
            if self.config.prune {
                // The obligations are opened one level higher in the next iteration.
                self.questions.stats.pruned += self.obligations.prune(level - 1, location, &cube);
            }
            self.exclude(level, location, cube)?;
        }
        Ok(())
    }

    /// Moves cubes of each level up to `last` to the next one where no edge leads into them from their own level.
    pub(super) fn propagate(&mut self, last: usize) -> Result<(), End> {
        if !self.config.propagate {
            return Ok(());
        }
        self.frames.open(last + 1);
        for level in 1..=last {
            for location in self.task.model.locations.indices() {
                for cube in self.frames.delta(level, location).to_vec() {
                    if !self.frames.delta(level, location).contains(&cube) {
                        continue;
                    }
                    self.questions.stats.propagations += 1;
                    if let Entry::Unreached(core) = self.entry_above(level + 1, location, &cube)? {
                        self.questions.stats.propagated += 1;
                        self.exclude(level + 1, location, core)?;
                    }
                }
            }
        }
        // Propagated cubes need not be pushed before the next iteration.
        Ok(())
    }
}
