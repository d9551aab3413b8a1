//! Which passes change an automaton before engines see it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_model::cfa::{BlockEncoding, Blocks, Cfa, Prune, Ranges, Scalars, Slice, Unfold};
use thetis_model::{Chain, SamePass};

/// Options of the passes on automata and transition systems. The pass `prune` is always used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct PassesConfig {
    /// Whether terms and edges are simplified by the ranges of variables.
    pub ranges: bool,
    /// Whether arrays that are only used at known indices become variables.
    pub scalars: bool,
    /// Whether values that cannot influence the reachability of an error location are dropped.
    pub slice: bool,
    /// Which edges are merged.
    pub encoding: Encoding,
    /// The greatest number of statements on a merged edge.
    pub max_block: usize,
    /// Up to how many locations the values of control variables become part of locations; 0: they do not. Only for
    /// `cegar` and `horn`: proofs of other engines could not be lifted. Facts that are found this way are of no use to
    /// other stages.
    pub unfold: usize,
    /// Whether transition systems are reduced to the cone of influence of the property.
    pub cone: bool,
    /// How the location of control is represented. Only for `bmc`, `kind`, `imc` and `ic3`.
    pub control: Control,
}

/// How an engine knows where control is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// By the locations of the automaton.
    Locations,
    /// By a variable of a transition system that has a step for each edge.
    Variable,
}

/// The encoding of blocks: which edges are merged.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// None: single-block encoding.
    Sbe,
    /// Those that follow each other.
    LbeSeq,
    /// Also those between the same locations.
    LbeFull,
}

/// The options of [`PassesConfig::simplifying`].
pub(crate) const SIMPLIFYING: &[&str] = &["passes.ranges", "passes.scalars", "passes.slice"];

/// The options of [`PassesConfig::merging`].
pub(crate) const MERGING: &[&str] = &["passes.encoding", "passes.max-block"];

impl Default for PassesConfig {
    fn default() -> Self {
        PassesConfig {
            ranges: true,
            scalars: true,
            slice: true,
            encoding: Encoding::LbeSeq,
            max_block: 200,
            unfold: 0,
            cone: true,
            control: Control::Locations,
        }
    }
}

impl PassesConfig {
    /// All passes in the order in which they are applied.
    pub fn chain(&self) -> Chain<Cfa> {
        let mut passes = self.simplifying();
        passes.extend(self.merging().map(|pass| -> SamePass<Cfa> { Box::new(pass) }));
        Chain::new(passes)
    }

    /// The passes that make the statements of edges simpler.
    pub fn simplifying(&self) -> Vec<SamePass<Cfa>> {
        let mut passes: Vec<SamePass<Cfa>> = vec![Box::new(Prune)];
        if self.ranges {
            // What ranges block can leave more to prune.
            passes.push(Box::new(Ranges));
            passes.push(Box::new(Prune));
        }
        if self.scalars {
            passes.push(Box::new(Scalars));
        }
        if self.slice {
            passes.push(Box::new(Slice));
        }
        passes
    }

    /// The pass that makes locations of values of control variables, if that is wanted.
    pub fn unfolding(&self) -> Option<Unfold> {
        (self.unfold > 0).then_some(Unfold { max_locations: self.unfold })
    }

    /// The pass that merges edges, if any is to.
    pub fn merging(&self) -> Option<Blocks> {
        let encoding = match self.encoding {
            Encoding::Sbe => return None,
            Encoding::LbeSeq => BlockEncoding::Seq,
            Encoding::LbeFull => BlockEncoding::Full,
        };
        Some(Blocks { encoding, max_size: self.max_block })
    }
}
