//! The solution space that a search explored: solution vectors and their partial solutions.

use std::fmt::{self, Write};

use thetis_base::{IndexVec, define_index_type};
use thetis_model::petri::{Net, TransitionId};

use super::constraints::{Constraints, Increment, Vector};
use super::partial::Partial;

define_index_type! {
    /// A solution vector of a [`SolutionSpace`].
    pub struct SolutionId = u32;
}

define_index_type! {
    /// A partial solution of a [`SolutionSpace`].
    pub struct PartialId = u32;
}

/// Solution vectors and partial solutions in the order in which they were found.
#[derive(Default, Debug)]
pub struct SolutionSpace {
    pub(super) solutions: IndexVec<SolutionId, Solution>,
    pub(super) partials: IndexVec<PartialId, Examined>,
}

/// A solution vector.
#[derive(Debug)]
pub(super) struct Solution {
    pub(super) vector: Vector,
    pub(super) constraints: Constraints,
    pub(super) origin: Origin,
    pub(super) partials: Vec<PartialId>,
}

/// Where a solution vector comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The state equation alone.
    Minimal,
    /// A jump from another one.
    Jump(SolutionId),
    /// Increment constraints of a partial solution.
    Increment(PartialId),
    /// A distant invariant for a partial solution that was skipped.
    Distant(PartialId),
}

/// A partial solution and what became of it.
#[derive(Debug)]
pub(super) struct Examined {
    pub(super) partial: Partial,
    pub(super) solution: SolutionId,
    /// Whether it stops at an intermediate marking of another one.
    pub(super) is_intermediate: bool,
    pub(super) fate: Fate,
}

/// What became of a partial solution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fate {
    /// It waits, or was left out.
    Open,
    /// A filter skipped it because of another one.
    Skipped(PartialId),
    /// Increment constraints were asked for.
    Extended,
    /// It reaches the target.
    Full,
}

impl SolutionSpace {
    /// The solution vectors in the order in which they were found.
    pub fn vectors(&self) -> impl Iterator<Item = &[u64]> {
        self.solutions.iter().map(|solution| solution.vector.as_slice())
    }

    /// The firing sequences of the partial solutions of the given solution vector, better intermediate ones last.
    pub fn sequences(&self, solution: SolutionId) -> impl Iterator<Item = Vec<TransitionId>> {
        let partials = self.solutions[solution].partials.iter();
        partials.map(|partial| self.partials[*partial].partial.sequence().collect())
    }

    /// The increment constraints under which the given solution vector was found.
    pub fn increments(&self, solution: SolutionId) -> &[Increment] {
        self.solutions[solution].constraints.increments()
    }

    /// How many partial solutions a filter skipped.
    pub fn num_skipped(&self) -> usize {
        self.partials.iter().filter(|examined| matches!(examined.fate, Fate::Skipped(_))).count()
    }

    /// The solution space as a Graphviz graph: solution vectors are rounded boxes, partial solutions boxes; jumps are
    /// dashed, and a dotted edge leads to the partial solution because of which another one was skipped.
    pub fn to_dot(&self, net: &Net) -> String {
        let mut text = String::new();
        self.write_dot(&mut text, net).expect("writing to a string should succeed");
        text
    }

    /// The solution vectors from which `solution` was reached, nearest first.
    pub(super) fn ancestors(&self, solution: SolutionId) -> impl Iterator<Item = SolutionId> {
        let parent = |solution: &SolutionId| match self.solutions[*solution].origin {
            Origin::Minimal => None,
            Origin::Jump(parent) => Some(parent),
            Origin::Increment(partial) | Origin::Distant(partial) => Some(self.partials[partial].solution),
        };
        std::iter::successors(parent(&solution), parent)
    }

    fn write_dot(&self, text: &mut String, net: &Net) -> fmt::Result {
        writeln!(text, "digraph \"solution space\" {{")?;
        writeln!(text, "  node [shape=box, fontsize=10];")?;
        for (id, solution) in self.solutions.iter_enumerated() {
            let label = vector(net, &solution.vector);
            writeln!(text, "  sv{} [style=rounded, label=\"sv{}: {label}\"];", id.index(), id.index())?;
            match solution.origin {
                Origin::Minimal => {}
                Origin::Jump(from) => {
                    writeln!(text, "  sv{} -> sv{} [style=dashed];", from.index(), id.index())?
                }
                Origin::Increment(from) => writeln!(text, "  ps{} -> sv{};", from.index(), id.index())?,
                Origin::Distant(from) => {
                    writeln!(text, "  ps{} -> sv{} [label=\"distant\"];", from.index(), id.index())?;
                }
            }
        }
        for (id, examined) in self.partials.iter_enumerated() {
            write_partial(text, net, id, examined)?;
        }
        writeln!(text, "}}")
    }
}

fn write_partial(text: &mut String, net: &Net, id: PartialId, examined: &Examined) -> fmt::Result {
    let (number, solution) = (id.index(), examined.solution.index());
    let kind = if examined.is_intermediate { "better" } else { "ps" };
    let fired: Vec<String> =
        examined.partial.firings.iter().map(|(t, count)| power(net, *t, *count)).collect();
    let remainder = vector(net, &examined.partial.remainder);
    writeln!(text, "  ps{number} [label=\"{kind}{number}: {}\\nremainder {remainder}\"];", fired.join(" "))?;
    writeln!(text, "  sv{solution} -> ps{number} [arrowhead=none];")?;
    if let Fate::Skipped(cause) = examined.fate {
        writeln!(text, "  ps{number} -> ps{} [style=dotted, constraint=false];", cause.index())?;
    }
    Ok(())
}

fn vector(net: &Net, counts: &Vector) -> String {
    let used = net.transition_ids().filter(|t| counts[t.index()] > 0);
    let names: Vec<String> = used.map(|t| power(net, t, counts[t.index()])).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" ") }
}

fn power(net: &Net, transition: TransitionId, count: u64) -> String {
    let name = net.transitions()[transition].name.replace('\\', "\\\\").replace('"', "\\\"");
    if count == 1 { name } else { format!("{name}^{count}") }
}
