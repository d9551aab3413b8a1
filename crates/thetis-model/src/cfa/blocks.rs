//! The pass `blocks`: large-block encoding.
//!
//! # Problem and method
//! An automaton as front ends make it has a location between any two statements. Engines ask a question for each edge, so
//! they are quicker if an edge does more. Two rules merge edges (Beyer, Cimatti, Griggio, Keremoglu, Sebastiani:
//! Software Model Checking via Large-Block Encoding, 2009):
//! * *sequence*: a location with one incoming edge goes away; the edge is merged with each of the outgoing ones;
//! * *choice* (only `full`): edges with the same source and target become one, which does what any of them does.
//!
//! They are applied until neither can be. Initial and error locations stay, and so does at least one location of every
//! cycle: merging turns a cycle into ever shorter ones and finally into an edge from a location to itself, which
//! counts as incoming.
//!
//! # Where we differ
//! The sequence rule copies the incoming edge if there are several outgoing ones. So it is applied first where
//! there is only one, which leaves fewer such cases, and then only as long as no merged edge has more than `max_size`
//! statements; the choice rule obeys the same limit. Without it a chain of branches would become quadratically large. The
//! nesting of choices is limited too, because statements are recursed over.
//!
//! # The way back
//! Every merged edge remembers which original edges it consists of: a [`Body`]. A step over it is read along the body and
//! becomes one step for each original edge. In a proof the locations that went away are derived: they have
//! whatever their outgoing edges need. An unwinding that cuts a merged edge cuts the last of its original edges.
//! Each original edge is last in at most one merged edge, and comes nowhere else in others: when a location goes
//! away, the edge that is merged into several others stops being last of any.

use std::collections::{BTreeSet, VecDeque};

use thetis_base::{IndexVec, Run, Stop, define_index_type};
use thetis_expr::Store;

use super::evidence::OTHER_RUNS;
use super::inputs::{Demand, StepReader};
use super::{Cfa, CfaInvariants, CfaProof, CfaStep, CfaTrace, CfaUnwinding, Edge, EdgeId, LocId, Stmt};
use crate::{Evidence, Lift, Pass, Passed, Task};

/// Which edges are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockEncoding {
    /// Those that follow each other.
    Seq,
    /// Also those between the same locations.
    Full,
}

/// The pass. See the [module](self).
#[derive(Clone, Copy, Debug)]
pub struct Blocks {
    /// Which edges are merged.
    pub encoding: BlockEncoding,
    /// The greatest number of statements on a merged edge.
    pub max_size: usize,
}

/// Why some proofs cannot be lifted.
const BLOCKED_BLOCKS: &str = "blocked edges between blocks of blocks are not those inside of them";

/// The greatest nesting of choices in a merged edge.
const MAX_DEPTH: usize = 64;

impl Pass<Cfa> for Blocks {
    type Target = Cfa;

    fn name(&self) -> &'static str {
        "blocks"
    }

    fn apply(&self, task: Task<Cfa>, run: &Run) -> Result<Passed<Cfa, Cfa>, Stop> {
        let mut merging = Merging::new(*self, &task.model);
        merging.merge(run)?;
        let (model, lift) = merging.finish();
        Ok(Passed { task: Task { store: task.store, model, property: task.property }, lift: Box::new(lift) })
    }
}

define_index_type! {
    /// An edge that exists now or existed before it was merged.
    struct BlockId = u32;
}

#[derive(Clone)]
struct Block {
    source: LocId,
    target: LocId,
    body: Body,
    /// The number of statements, and the nesting of choices.
    size: usize,
    depth: usize,
}

/// The original edges of a merged one.
#[derive(Clone)]
enum Body {
    Edge(EdgeId),
    /// One after the other. Both ends grow, so that merging costs the length of the shorter part.
    Seq(VecDeque<Body>),
    /// The branches of a choice, in order.
    Choice(Vec<Body>),
}

impl Body {
    fn into_parts(self) -> VecDeque<Body> {
        match self {
            Body::Seq(parts) => parts,
            other => VecDeque::from([other]),
        }
    }

    fn into_branches(self) -> Vec<Body> {
        match self {
            Body::Choice(branches) => branches,
            other => vec![other],
        }
    }

    fn then(self, next: Body) -> Body {
        let (mut first, mut second) = (self.into_parts(), next.into_parts());
        if first.len() >= second.len() {
            first.append(&mut second);
            return Body::Seq(first);
        }
        while let Some(part) = first.pop_back() {
            second.push_front(part);
        }
        Body::Seq(second)
    }

    fn or(self, other: Body) -> Body {
        let mut branches = self.into_branches();
        branches.extend(other.into_branches());
        Body::Choice(branches)
    }

    fn stmt(&self, cfa: &Cfa) -> Stmt {
        match self {
            Body::Edge(edge) => cfa.edges[*edge].stmt.clone(),
            Body::Seq(parts) => Stmt::seq(parts.iter().map(|part| part.stmt(cfa)).collect()),
            Body::Choice(branches) => Stmt::choice(branches.iter().map(|branch| branch.stmt(cfa)).collect()),
        }
    }

    fn first_edge(&self) -> Option<EdgeId> {
        match self {
            Body::Edge(edge) => Some(*edge),
            Body::Seq(parts) => parts.front().and_then(Body::first_edge),
            Body::Choice(branches) => branches.first().and_then(Body::first_edge),
        }
    }

    /// The edges by which the merged edge arrives.
    fn last_edges(&self) -> Vec<EdgeId> {
        match self {
            Body::Edge(edge) => vec![*edge],
            Body::Seq(parts) => parts.back().map_or_else(Vec::new, Body::last_edges),
            Body::Choice(branches) => branches.iter().flat_map(Body::last_edges).collect(),
        }
    }
}

struct Merging<'c> {
    pass: Blocks,
    cfa: &'c Cfa,
    blocks: IndexVec<BlockId, Option<Block>>,
    /// Sets, because the head of a loop can have thousands of edges that are removed one by one.
    incoming: IndexVec<LocId, BTreeSet<BlockId>>,
    outgoing: IndexVec<LocId, BTreeSet<BlockId>>,
    is_merged: IndexVec<LocId, bool>,
    /// Locations that the sequence rule should look at: first those with one outgoing edge.
    simple: BTreeSet<LocId>,
    branching: BTreeSet<LocId>,
}

impl<'c> Merging<'c> {
    fn new(pass: Blocks, cfa: &'c Cfa) -> Merging<'c> {
        let none = || cfa.locations.iter().map(|_| BTreeSet::new()).collect();
        let mut merging = Merging {
            pass,
            cfa,
            blocks: IndexVec::new(),
            incoming: none(),
            outgoing: none(),
            is_merged: cfa.locations.iter().map(|_| false).collect(),
            simple: BTreeSet::new(),
            branching: BTreeSet::new(),
        };
        for (id, edge) in cfa.edges.iter_enumerated() {
            let size = edge.stmt.walk().count();
            merging.add(Block {
                source: edge.source,
                target: edge.target,
                body: Body::Edge(id),
                size,
                depth: 0,
            });
        }
        merging
    }

    fn merge(&mut self, run: &Run) -> Result<(), Stop> {
        loop {
            run.checkpoint()?;
            let Some(location) = self.simple.pop_first().or_else(|| self.branching.pop_first()) else {
                return Ok(());
            };
            if let Some(only) = self.can_merge(location) {
                self.merge_through(location, only);
            }
        }
    }

    /// Notes that the sequence rule may apply to `location`.
    fn look_at(&mut self, location: LocId) {
        match (self.incoming[location].len(), self.outgoing[location].len()) {
            (1, 1) => self.simple.insert(location),
            (1, 2..) => self.branching.insert(location),
            _ => false,
        };
    }

    /// The one incoming edge, if the sequence rule applies to `location`.
    fn can_merge(&self, location: LocId) -> Option<BlockId> {
        let outgoing = &self.outgoing[location];
        let only = *self.incoming[location].first().filter(|_| self.incoming[location].len() == 1)?;
        let entry = self.blocks[only].as_ref()?;
        let must_stay =
            location == self.cfa.initial || self.cfa.is_forbidden(location) || entry.source == location;
        let fits = |exit: &BlockId| {
            let exit = self.blocks[*exit].as_ref();
            exit.is_some_and(|exit| outgoing.len() == 1 || entry.size + exit.size <= self.pass.max_size)
        };
        (!must_stay && !outgoing.is_empty() && outgoing.iter().all(fits)).then_some(only)
    }

    /// Applies the sequence rule.
    fn merge_through(&mut self, location: LocId, only: BlockId) {
        let entry = self.remove(only);
        self.is_merged[location] = true;
        let mut exits = self.outgoing[location].clone();
        let last = exits.pop_last().expect("the sequence rule should apply to locations with outgoing edges");
        for exit in exits {
            let exit = self.remove(exit);
            self.add(sequence(entry.clone(), exit));
        }
        let exit = self.remove(last);
        self.add(sequence(entry, exit));
    }

    /// Adds an edge, and applies the choice rule to it if that is wanted.
    fn add(&mut self, block: Block) {
        let (source, target) = (block.source, block.target);
        let twin = if self.pass.encoding == BlockEncoding::Full { self.twin(&block) } else { None };
        let block = match twin {
            Some(twin) => choice(self.remove(twin), block),
            None => block,
        };
        let id = self.blocks.push(Some(block));
        self.outgoing[source].insert(id);
        self.incoming[target].insert(id);
        self.look_at(source);
        self.look_at(target);
    }

    /// An edge with the same ends with which `block` may be merged.
    fn twin(&self, block: &Block) -> Option<BlockId> {
        let (leaving, entering) = (&self.outgoing[block.source], &self.incoming[block.target]);
        let candidates = if leaving.len() <= entering.len() { leaving } else { entering };
        let fits = |id: &&BlockId| {
            self.blocks[**id].as_ref().is_some_and(|other| {
                let same_ends = other.source == block.source && other.target == block.target;
                let depth = 1 + other.depth.max(block.depth);
                same_ends && other.size + block.size <= self.pass.max_size && depth <= MAX_DEPTH
            })
        };
        candidates.iter().find(fits).copied()
    }

    fn remove(&mut self, id: BlockId) -> Block {
        let block = self.blocks[id].take().expect("an edge should be merged once");
        self.outgoing[block.source].remove(&id);
        self.incoming[block.target].remove(&id);
        block
    }

    fn finish(self) -> (Cfa, BlocksLift) {
        let cfa = self.cfa;
        let old_locations: IndexVec<LocId, LocId> =
            cfa.locations.indices().filter(|location| !self.is_merged[*location]).collect();
        let mut new_locations: IndexVec<LocId, Option<LocId>> = cfa.locations.iter().map(|_| None).collect();
        for (new, old) in old_locations.iter_enumerated() {
            new_locations[*old] = Some(new);
        }
        let renamed = |location: LocId| new_locations[location].expect("an edge should join what is left");
        let blocks: Vec<Block> = self.blocks.into_iter().flatten().collect();
        let edge = |block: &Block| Edge {
            source: renamed(block.source),
            target: renamed(block.target),
            stmt: block.body.stmt(cfa),
            span: block.body.first_edge().and_then(|edge| cfa.edges[edge].span),
        };
        let model = Cfa {
            name: cfa.name.clone(),
            vars: cfa.vars.clone(),
            locations: old_locations.iter().map(|old| cfa.locations[*old].clone()).collect(),
            edges: blocks.iter().map(edge).collect(),
            initial: renamed(cfa.initial),
            errors: cfa.errors.iter().map(|error| renamed(*error)).collect(),
            limits: cfa.renamed_limits(|limit| new_locations[*limit]),
            finals: cfa.finals.iter().filter_map(|location| new_locations[*location]).collect(),
            procedural: cfa.procedural.clone(),
        };
        let merged = self.is_merged.iter_enumerated().filter(|(_, is_merged)| **is_merged);
        let lift = BlocksLift {
            merged: merged.map(|(location, _)| location).collect(),
            old_locations,
            demands: cfa.edges.iter().map(|edge| Demand::of(&edge.stmt)).collect(),
            bodies: blocks.into_iter().map(|block| block.body).collect(),
        };
        (model, lift)
    }
}

fn sequence(entry: Block, exit: Block) -> Block {
    Block {
        source: entry.source,
        target: exit.target,
        body: entry.body.then(exit.body),
        size: entry.size + exit.size,
        depth: entry.depth.max(exit.depth),
    }
}

fn choice(first: Block, second: Block) -> Block {
    Block {
        size: first.size + second.size,
        depth: 1 + first.depth.max(second.depth),
        body: first.body.or(second.body),
        ..second
    }
}

struct BlocksLift {
    old_locations: IndexVec<LocId, LocId>,
    merged: Vec<LocId>,
    demands: IndexVec<EdgeId, Demand>,
    bodies: IndexVec<EdgeId, Body>,
}

impl Lift<Cfa, Cfa> for BlocksLift {
    fn trace(&self, trace: CfaTrace) -> CfaTrace {
        trace.replace_steps(|step| self.steps(step))
    }

    fn proof(&self, task: &Task<Cfa>, inner: &Store, proof: CfaProof) -> Evidence<CfaProof> {
        match proof {
            CfaProof::Invariants(invariants) => match self.invariants(task, inner, &invariants) {
                Some(invariants) => Evidence::Given(CfaProof::Invariants(invariants)),
                None => Evidence::Missing(BLOCKED_BLOCKS),
            },
            CfaProof::Unwinding(unwinding) => self.unwinding(task, inner, unwinding),
            CfaProof::Exhaustion { .. } => Evidence::Missing(OTHER_RUNS),
            CfaProof::Contracts(proof) => {
                Evidence::Given(CfaProof::Contracts(proof.at_home(&task.store, inner)))
            }
        }
    }
}

impl BlocksLift {
    /// The steps over the original edges of a merged one.
    fn steps(&self, step: CfaStep) -> Vec<CfaStep> {
        let body = &self.bodies[step.edge];
        let mut reader = StepReader::new(step);
        let mut steps = Vec::new();
        let mut pending = vec![body];
        while let Some(body) = pending.pop() {
            match body {
                Body::Edge(edge) => steps.push(reader.step(*edge, &self.demands[*edge])),
                Body::Seq(parts) => pending.extend(parts.iter().rev()),
                Body::Choice(branches) => {
                    pending.extend(reader.choice().and_then(|branch| branches.get(branch)));
                }
            }
        }
        steps
    }

    /// Lemmas are lifted as invariants. Without lemmas, nothing needs to be derived. Edges that are blocked would no
    /// longer be, and could be on cycles.
    fn unwinding(&self, task: &Task<Cfa>, inner: &Store, unwinding: CfaUnwinding) -> Evidence<CfaProof> {
        if !unwinding.lemmas.blocked.is_empty() {
            return Evidence::Missing(
                "an unwinding that blocks edges between blocks blocks none inside of them",
            );
        }
        let cuts = unwinding.cuts.iter().flat_map(|edge| self.bodies[*edge].last_edges()).collect();
        let lemmas = match unwinding.lemmas.is_empty() {
            true => Some(CfaInvariants::default()),
            false => self.invariants(task, inner, &unwinding.lemmas),
        };
        match lemmas {
            Some(lemmas) => Evidence::Given(CfaProof::Unwinding(CfaUnwinding { cuts, lemmas, ..unwinding })),
            None => Evidence::Missing(BLOCKED_BLOCKS),
        }
    }

    /// A blocked edge needs no mention: that it cannot be taken follows from what is derived inside of it. But if
    /// it broke a cycle of derived locations, the cycle would be back; then there is nothing to give.
    fn invariants(
        &self,
        task: &Task<Cfa>,
        inner: &Store,
        invariants: &CfaInvariants,
    ) -> Option<CfaInvariants> {
        if !invariants.blocked.is_empty() && !invariants.derived.is_empty() {
            return None;
        }
        let old = |location: &LocId| self.old_locations[*location];
        let home = |formula| task.store.import(inner, formula);
        let formulas = invariants.formulas.iter().map(|(at, formula)| (old(at), home(*formula)));
        let derived = invariants.derived.iter().map(old).chain(self.merged.iter().copied());
        Some(CfaInvariants {
            formulas: formulas.collect(),
            derived: derived.collect(),
            blocked: BTreeSet::new(),
            cells: invariants.cells_in(&task.store, inner),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CfaBuilder, CfaProperty};
    use super::*;
    use thetis_expr::Store;

    /// Locations are numbered, 0 is initial and the last is the error location; edges do nothing.
    fn merged(num_locations: usize, edges: &[(usize, usize)], pass: Blocks) -> Vec<(String, String)> {
        let mut builder = CfaBuilder::new("p");
        for number in 0..num_locations {
            builder.location(number.to_string(), None);
        }
        builder.initial(LocId::new(0));
        builder.error(LocId::new(num_locations - 1));
        for (source, target) in edges {
            builder.edge(LocId::new(*source), LocId::new(*target), Stmt::skip(), None);
        }
        let store = Store::new();
        let model = builder.build(&store).unwrap();
        let task = Task { store, model, property: CfaProperty::ErrorLocation };
        let passed = pass.apply(task, &Run::unlimited()).unwrap();
        let cfa = &passed.task.model;
        cfa.validate(&passed.task.store).unwrap();
        let name = |location: LocId| cfa.locations[location].name.clone();
        cfa.edges.iter().map(|edge| (name(edge.source), name(edge.target))).collect()
    }

    fn check(
        num_locations: usize,
        edges: &[(usize, usize)],
        encoding: BlockEncoding,
        expected: &[(&str, &str)],
    ) {
        let found = merged(num_locations, edges, Blocks { encoding, max_size: 100 });
        let found: Vec<(&str, &str)> = found.iter().map(|(source, target)| (&**source, &**target)).collect();
        assert_eq!(found, expected, "{edges:?}");
    }

    #[test]
    fn chains_become_one_edge() {
        check(4, &[(2, 3), (0, 1), (1, 2)], BlockEncoding::Seq, &[("0", "3")]);
        check(3, &[(0, 1), (0, 1), (1, 2)], BlockEncoding::Seq, &[("0", "1"), ("0", "1"), ("1", "2")]);
    }

    #[test]
    fn parallel_edges_become_one_only_if_wanted() {
        let diamond = [(0, 1), (0, 2), (1, 3), (2, 3), (3, 4)];
        check(5, &diamond, BlockEncoding::Full, &[("0", "4")]);
        check(5, &diamond, BlockEncoding::Seq, &[("3", "4"), ("0", "3"), ("0", "3")]);
    }

    #[test]
    fn loops_keep_a_location() {
        let full = BlockEncoding::Full;
        check(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], full, &[("0", "1"), ("1", "3"), ("1", "1")]);
        check(3, &[(0, 1), (1, 0), (1, 2)], full, &[("0", "0"), ("0", "2")]);
        check(3, &[(0, 2), (2, 1), (1, 2)], full, &[("0", "2"), ("2", "2")]);
        check(4, &[(0, 3), (1, 2), (2, 1)], full, &[("0", "3"), ("2", "2")]);
    }

    #[test]
    fn the_limit_holds_where_edges_are_copied() {
        let edges = [(0, 1), (1, 2), (1, 3), (2, 4), (3, 4), (2, 5)];
        let small = Blocks { encoding: BlockEncoding::Full, max_size: 1 };
        assert_eq!(merged(6, &edges, small).len(), 5);
        let large = Blocks { encoding: BlockEncoding::Full, max_size: 100 };
        assert_eq!(merged(6, &edges, large).len(), 2);
    }

    #[test]
    fn long_chains_are_merged_in_both_directions() {
        const LENGTH: usize = 20_000;
        let forwards: Vec<(usize, usize)> = (0..LENGTH).map(|number| (number, number + 1)).collect();
        let backwards: Vec<(usize, usize)> = forwards.iter().rev().copied().collect();
        for edges in [forwards, backwards] {
            let pass = Blocks { encoding: BlockEncoding::Full, max_size: 100 };
            assert_eq!(merged(LENGTH + 1, &edges, pass).len(), 1);
        }
    }
}
