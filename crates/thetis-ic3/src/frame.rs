//! One SAT solver for each frame.
//!
//! The solver of frame `i` has the clauses of the frame over the current state, the constraint, and the gates that its
//! queries have needed so far: the cone of a latch is encoded when a query first mentions its next value. So a query
//! about a few latches does not pay for the whole circuit. Clauses for one query only are guarded by an activation
//! literal; when many are used up, the solver is restarted.

use thetis_base::{Run, Stop};
use thetis_sat::{BatSat, Lit, Sat, SatAnswer};

use crate::cube::{Cube, LatchLit};
use crate::netlist::{Edge, Netlist, Node};

/// After this many queries with a clause of their own a solver is restarted.
const MAX_ACTIVATIONS: u32 = 1000;

/// The literals of nodes in one solver.
struct Encoded {
    lits: Vec<Option<Lit>>,
    stack: Vec<usize>,
}

impl Encoded {
    fn new(netlist: &Netlist) -> Encoded {
        Encoded { lits: vec![None; netlist.graph.nodes().len()], stack: Vec::new() }
    }

    /// The literal of an edge, with the clauses of its cone.
    fn lit(&mut self, netlist: &Netlist, edge: Edge, sat: &mut BatSat) -> Lit {
        let nodes = netlist.graph.nodes();
        self.stack.push(edge.node());
        while let Some(&node) = self.stack.last() {
            if self.lits[node].is_some() {
                self.stack.pop();
                continue;
            }
            if let Node::And(left, right) = nodes[node] {
                let pending = self.stack.len();
                let missing = [left, right].into_iter().map(Edge::node);
                self.stack.extend(missing.filter(|input| self.lits[*input].is_none()));
                if self.stack.len() > pending {
                    continue;
                }
            }
            self.stack.pop();
            self.encode(nodes[node], node, sat);
        }
        self.known(edge).expect("the cone should be encoded")
    }

    fn encode(&mut self, kind: Node, node: usize, sat: &mut BatSat) {
        let lit = sat.new_var().is(true);
        self.lits[node] = Some(lit);
        match kind {
            Node::False => sat.add_clause(&[!lit]),
            Node::Input(_) | Node::Latch(_) => {}
            Node::And(left, right) => {
                let left = self.known(left).expect("inputs should be encoded first");
                let right = self.known(right).expect("inputs should be encoded first");
                sat.add_clause(&[!lit, left]);
                sat.add_clause(&[!lit, right]);
                sat.add_clause(&[lit, !left, !right]);
            }
        }
    }

    fn known(&self, edge: Edge) -> Option<Lit> {
        let lit = self.lits[edge.node()]?;
        Some(if edge.is_negated() { !lit } else { lit })
    }
}

/// What the solver of a frame is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// The initial states alone.
    Initial,
    /// Steps from initial states.
    First,
    /// Steps from states that satisfy clauses.
    Later,
}

pub(crate) struct FrameSolver {
    role: Role,
    sat: BatSat,
    encoded: Encoded,
    /// The clauses of the frame, as the cubes they exclude.
    clauses: Vec<Cube>,
    activations: u32,
    /// Implies that the step is followed by another.
    follows: Lit,
}

impl FrameSolver {
    /// A solver that is stopped together with `origin`.
    pub(crate) fn new(netlist: &Netlist, role: Role, origin: &BatSat) -> FrameSolver {
        let mut sat = origin.sibling();
        let follows = sat.new_var().is(true);
        let mut solver = FrameSolver {
            role,
            sat,
            encoded: Encoded::new(netlist),
            clauses: Vec::new(),
            activations: 0,
            follows,
        };
        solver.assert_role(netlist);
        solver
    }

    fn assert_role(&mut self, netlist: &Netlist) {
        if self.role != Role::Later {
            for (latch, value) in netlist.initial.iter().enumerate() {
                if let Some(value) = value {
                    let lit = self.lit(netlist, netlist.latches[latch].negated_if(!*value));
                    self.sat.add_clause(&[lit]);
                }
            }
            let rest = self.lit(netlist, netlist.initial_rest);
            self.sat.add_clause(&[rest]);
        }
        if self.role != Role::Initial {
            let constraint = self.lit(netlist, netlist.constraint);
            self.sat.add_clause(&[constraint]);
            let transition = self.lit(netlist, netlist.transition);
            self.sat.add_clause(&[!self.follows, transition]);
        }
    }

    fn lit(&mut self, netlist: &Netlist, edge: Edge) -> Lit {
        self.encoded.lit(netlist, edge, &mut self.sat)
    }

    fn current(&mut self, netlist: &Netlist, lit: LatchLit) -> Lit {
        self.lit(netlist, netlist.latches[lit.latch()].negated_if(!lit.value()))
    }

    fn next(&mut self, netlist: &Netlist, lit: LatchLit) -> Lit {
        self.lit(netlist, netlist.next[lit.latch()].negated_if(!lit.value()))
    }

    /// Excludes the states of `cube` from the frame.
    pub(crate) fn exclude(&mut self, netlist: &Netlist, cube: &Cube) {
        let clause: Vec<Lit> = cube.lits().iter().map(|lit| !self.current(netlist, *lit)).collect();
        self.sat.add_clause(&clause);
        self.clauses.push(cube.clone());
    }

    /// Whether the frame has a step with the edge.
    pub(crate) fn meets(&mut self, netlist: &Netlist, edge: Edge, run: &Run) -> Result<bool, Stop> {
        let lit = self.lit(netlist, edge);
        decided(self.sat.solve(&[lit]), run)
    }

    /// Whether a state of the frame is in `cube`; if none is, `in_core` says which literals suffice for that.
    pub(crate) fn meets_cube(&mut self, netlist: &Netlist, cube: &Cube, run: &Run) -> Result<bool, Stop> {
        let assumptions: Vec<Lit> = cube.lits().iter().map(|lit| self.current(netlist, *lit)).collect();
        decided(self.sat.solve(&assumptions), run)
    }

    /// Whether a step leads from the frame, without the states of `cube` themselves, into `cube`.
    pub(crate) fn reaches(&mut self, netlist: &Netlist, cube: &Cube, run: &Run) -> Result<bool, Stop> {
        self.renew_if_worn(netlist);
        self.activations += 1;
        let active = self.sat.new_var().is(true);
        let mut clause: Vec<Lit> = cube.lits().iter().map(|lit| !self.current(netlist, *lit)).collect();
        clause.push(!active);
        self.sat.add_clause(&clause);
        let mut assumptions = vec![active, self.follows];
        for lit in cube.lits() {
            assumptions.push(self.next(netlist, *lit));
        }
        let outcome = decided(self.sat.solve(&assumptions), run);
        // The clause is never needed again; the model and the core stay readable.
        self.sat.add_clause(&[!active]);
        outcome
    }

    /// Whether a step leads from the frame into `cube`.
    pub(crate) fn reaches_from_anywhere(
        &mut self,
        netlist: &Netlist,
        cube: &Cube,
        run: &Run,
    ) -> Result<bool, Stop> {
        let mut assumptions = vec![self.follows];
        for lit in cube.lits() {
            assumptions.push(self.next(netlist, *lit));
        }
        decided(self.sat.solve(&assumptions), run)
    }

    /// The value of a node in the last model; `None` if the question did not depend on it.
    pub(crate) fn value(&self, node: usize) -> Option<bool> {
        self.encoded.lits[node].map(|lit| self.sat.value(lit))
    }

    /// The part of `cube` whose next values made the last query unsatisfiable.
    pub(crate) fn core_of_next(&mut self, netlist: &Netlist, cube: &Cube) -> Vec<LatchLit> {
        let is_needed = |lit: &LatchLit| {
            let next = self.next(netlist, *lit);
            self.sat.in_core(next)
        };
        cube.lits().iter().copied().filter(is_needed).collect()
    }

    /// The part of `cube` whose current values made the last query unsatisfiable.
    pub(crate) fn core_of_current(&mut self, netlist: &Netlist, cube: &Cube) -> Vec<LatchLit> {
        let is_needed = |lit: &LatchLit| {
            let current = self.current(netlist, *lit);
            self.sat.in_core(current)
        };
        cube.lits().iter().copied().filter(is_needed).collect()
    }

    fn renew_if_worn(&mut self, netlist: &Netlist) {
        if self.activations < MAX_ACTIVATIONS {
            return;
        }
        let clauses = std::mem::take(&mut self.clauses);
        *self = FrameSolver::new(netlist, self.role, &self.sat);
        for clause in live(clauses) {
            self.exclude(netlist, &clause);
        }
    }
}

/// The cubes that no other one contains.
fn live(mut cubes: Vec<Cube>) -> Vec<Cube> {
    cubes.sort_by_key(Cube::len);
    let mut live: Vec<Cube> = Vec::with_capacity(cubes.len());
    for cube in cubes {
        if !live.iter().any(|other| other.contains(&cube)) {
            live.push(cube);
        }
    }
    live
}

fn decided(outcome: SatAnswer, run: &Run) -> Result<bool, Stop> {
    match outcome {
        SatAnswer::Sat => Ok(true),
        SatAnswer::Unsat => Ok(false),
        SatAnswer::Interrupted | SatAnswer::Unproved => {
            run.checkpoint()?;
            Err(Stop::Cancelled)
        }
    }
}
