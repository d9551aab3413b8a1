//! Runs and proofs of automata.

use std::collections::{BTreeMap, BTreeSet};

use thetis_expr::{ExprId, Store, Value, VarId};

use super::{ContractProof, DeepRun, EdgeId, Graph, LocId};

/// A concrete run from the initial location. It fixes every input, so the interpreter can follow it alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CfaTrace {
    /// The initial value of every variable.
    pub initial: BTreeMap<VarId, Value>,
    /// The edges taken.
    pub steps: Vec<CfaStep>,
    /// Which of the steps are rounds of a loop that are taken several times, from left to right.
    pub rounds: Vec<Rounds>,
    /// A run of the automaton with procedures, whose calls may be deeper than copies go. Then there is nothing else.
    pub deep: Option<DeepRun>,
}

/// Some steps of a run that are taken several times in a row, always with the same inputs. Loops of millions of rounds are no
/// longer than others in this way, and [`Interpreter`](super::Interpreter) follows many of their rounds at once.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rounds {
    /// The number of the first step.
    pub first: usize,
    /// The number of steps of a round.
    pub len: usize,
    /// How many times they are taken.
    pub times: u64,
}

/// One edge of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CfaStep {
    /// The edge.
    pub edge: EdgeId,
    /// The values of its havocs, in the order of execution.
    pub inputs: Vec<Value>,
    /// Which branch each of its choices takes, in the order of execution.
    pub choices: Vec<usize>,
}

impl CfaTrace {
    /// A run whose steps are all taken once.
    pub fn new(initial: BTreeMap<VarId, Value>, steps: Vec<CfaStep>) -> CfaTrace {
        CfaTrace { initial, steps, rounds: Vec::new(), deep: None }
    }

    /// A run of the automaton with procedures.
    pub fn deep(run: DeepRun) -> CfaTrace {
        CfaTrace { deep: Some(run), ..CfaTrace::new(BTreeMap::new(), Vec::new()) }
    }

    /// The run in which each step is replaced by some others, or none.
    pub fn replace_steps<S: IntoIterator<Item = CfaStep>>(
        self,
        mut others: impl FnMut(CfaStep) -> S,
    ) -> CfaTrace {
        let mut steps = Vec::with_capacity(self.steps.len());
        // Where each step begins among the new ones, and where the last ends.
        let mut begins = Vec::with_capacity(if self.rounds.is_empty() { 0 } else { self.steps.len() + 1 });
        for step in self.steps {
            begins.extend((!self.rounds.is_empty()).then_some(steps.len()));
            steps.extend(others(step));
        }
        begins.push(steps.len());
        let moved = |Rounds { first, len, times }: Rounds| {
            let (begin, end) = (begins[first], begins[first + len]);
            Rounds { first: begin, len: end - begin, times }
        };
        let rounds = self.rounds.into_iter().map(moved).collect();
        CfaTrace { initial: self.initial, steps, rounds, deep: self.deep }
    }
}

/// A certificate that no run reaches an error location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CfaProof {
    /// What holds whenever a run is at a location.
    Invariants(CfaInvariants),
    /// Short runs do not reach an error location, and long ones do not either.
    Unwinding(CfaUnwinding),
    /// All runs end, and none at an error location. To see it, follow them: what is computed from known values is known, and
    /// where an input or an initial value decides, both ways are followed.
    Exhaustion {
        /// How many edges are taken in all runs together. Each value that is tried after the first counts as one, too.
        max_steps: u64,
        /// Where statements limit one of these variables to a small range, all its values are tried.
        by_value: BTreeSet<VarId>,
    },
    /// The automaton with procedures keeps these contracts, and so is safe.
    Contracts(ContractProof),
}

/// Why a pass that changes edges does not bring an exhaustion home.
pub(super) const OTHER_RUNS: &str = "the runs that were followed are those of a changed automaton";

/// No run with at most `bound` of the edges `cuts` reaches an error location, and `long_runs` says why no other does.
/// Without loops there is nothing to cut, and bound zero is the whole truth.
///
/// The cuts leave no cycle among the edges that can lead to an error location, the blocked ones left out. The lemmas
/// are invariants that need not exclude errors: they hold as long as a run has not arrived at an error location, whose own formula
/// does not count.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CfaUnwinding {
    /// The greatest number of cut edges on a short run.
    pub bound: u32,
    /// The edges that are counted.
    pub cuts: BTreeSet<EdgeId>,
    /// Why runs with more cut edges do not reach an error location.
    pub long_runs: LongRuns,
    /// What holds at locations, and the edges that no run takes for that reason.
    pub lemmas: CfaInvariants,
}

/// Why runs that take more cut edges than the bound of an unwinding do not reach an error location.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum LongRuns {
    /// There are no such runs towards an error location.
    #[default]
    None,
    /// k-induction: from wherever a cut edge leads to and the lemmas hold, no run takes exactly `bound` cut edges and
    /// ends at an error location. So the end of a long run, after all but its last `bound` cut edges, is none to an error location.
    Inductive,
    /// There are none, loop by loop: after a run has entered a loop, it starts the loop again at most `bound` times on its way to an error
    /// location. The bound is about each loop by itself, not about the cut edges of a run; cuts have no meaning.
    LoopByLoop,
}

/// Formulas at locations that hold initially and that every edge preserves.
///
/// A location has the formula that `formulas` gives it, `true` if there is none. Error locations have `false`. A
/// location that is `derived` has in addition whatever its outgoing edges need: the weakest precondition of
/// what their targets have. So a pass that removes locations can give a proof without finding formulas for them. Derived
/// locations form no cycle among themselves.
///
/// The formula that a derived location has in `formulas` must follow from the formulas in `formulas` alone, without what
/// is derived: it is a lemma that makes the rest easier to see. Edges that cannot be taken because of these formulas alone
/// can be called `blocked`; nothing else is then asked of them.
///
/// Formulas may also be over `cells`, which are no variables of the model: a formula holds whatever their values. So
/// `cell < n imply a[cell] = 42` speaks of all elements of `a` up to `n`.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CfaInvariants {
    /// The formulas.
    pub formulas: BTreeMap<LocId, ExprId>,
    /// The locations that also have what their outgoing edges need.
    pub derived: BTreeSet<LocId>,
    /// The edges that no run takes.
    pub blocked: BTreeSet<EdgeId>,
    /// The variables over which every formula is quantified universally.
    pub cells: BTreeSet<VarId>,
}

impl CfaInvariants {
    /// The cells in `store`, if the formulas of this proof belong to `inner`.
    pub(super) fn cells_in(&self, store: &Store, inner: &Store) -> BTreeSet<VarId> {
        self.cells.iter().map(|cell| store.import_var(inner, *cell)).collect()
    }

    /// Whether nothing is claimed.
    pub fn is_empty(&self) -> bool {
        self.formulas.is_empty() && self.derived.is_empty() && self.blocked.is_empty()
    }
}

impl CfaProof {
    /// The proof that has `formulas` and derives nothing.
    pub fn invariants(formulas: BTreeMap<LocId, ExprId>) -> CfaProof {
        CfaProof::Invariants(CfaInvariants { formulas, ..CfaInvariants::default() })
    }

    /// The proof that no run takes more than `bound` back edges of `graph`, which should be the graph towards errors.
    pub fn unwinding(graph: &Graph, bound: u32) -> CfaProof {
        CfaProof::Unwinding(CfaUnwinding::new(graph, bound))
    }
}

impl CfaUnwinding {
    /// That no run takes more than `bound` back edges of `graph`, without lemmas.
    pub fn new(graph: &Graph, bound: u32) -> CfaUnwinding {
        CfaUnwinding { bound, cuts: graph.back_edges().collect(), ..CfaUnwinding::default() }
    }

    /// That no loop starts again more than `bound` times on the way to an error location, without lemmas.
    pub fn loop_by_loop(bound: u32) -> CfaUnwinding {
        CfaUnwinding { bound, long_runs: LongRuns::LoopByLoop, ..CfaUnwinding::default() }
    }
}
