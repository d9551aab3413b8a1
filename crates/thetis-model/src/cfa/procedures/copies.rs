//! A plain automaton with copies of procedures, up to a depth.
//!
//! Every call gets a copy of its callee. A call in a copy that is as deep as allowed is a limit: what happens there is not
//! known. Activations of one depth are never on the stack together, so they share their local variables, which get arbitrary
//! values when an activation starts.

use thetis_base::IndexVec;
use thetis_expr::{Replacer, Store, VarId};

use super::{Procedural, ProcedureId};
use crate::cfa::{Cfa, CfaBuilder, EdgeId, LocId, Stmt, StmtKind, ValidationError};

/// An automaton with copies.
pub struct Copies {
    /// The automaton. Its runs are those runs of the procedural automaton whose stacks are not higher than the depth.
    pub cfa: Cfa,
    /// What the edges are.
    pub edges: IndexVec<EdgeId, CopiedEdge>,
    /// The local variables of activations, by depth: the variable of the procedural automaton and that of the copies.
    pub locals: Vec<Vec<(VarId, VarId)>>,
}

/// An edge of an automaton with copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CopiedEdge {
    /// A copy of this edge, in an activation of this depth.
    Edge(EdgeId, usize),
    /// A procedure is called.
    Call(ProcedureId),
    /// A procedure ends.
    Return(ProcedureId),
}

impl Procedural {
    /// The automaton with copies up to the greatest depth, at most `max_depth`, at which it has at most `max_edges`; the
    /// variables of copies are declared in `store`.
    pub fn copies(
        &self,
        store: &Store,
        max_depth: usize,
        max_edges: usize,
    ) -> Result<Copies, ValidationError> {
        let fits = |depth: &usize| self.num_copied_edges(*depth).is_some_and(|number| number <= max_edges);
        let depth = (1..=max_depth).take_while(fits).last().unwrap_or(0);
        let mut copying = Copying::new(self, store, depth);
        let initial = copying.copy(self.cfa.initial, 0, None);
        copying.builder.initial(initial);
        Ok(Copies { cfa: copying.builder.build(store)?, edges: copying.edges, locals: copying.locals })
    }

    /// How many edges the automaton with copies up to a depth has; `None` if very many.
    fn num_copied_edges(&self, depth: usize) -> Option<usize> {
        let body = |start: LocId| {
            let locations = self.locations_from(start);
            let edges = self.cfa.edges.iter().filter(|edge| locations.contains(&edge.source)).count();
            let calls = self.calls.iter().filter(|(at, _)| locations.contains(*at));
            (edges, calls.map(|(_, call)| call.callee).collect::<Vec<ProcedureId>>())
        };
        let bodies: IndexVec<ProcedureId, (usize, Vec<ProcedureId>)> =
            self.procedures.iter().map(|procedure| body(procedure.entry)).collect();
        let mut sizes: IndexVec<ProcedureId, usize> = self.procedures.iter().map(|_| 0).collect();
        let with_calls = |body: &(usize, Vec<ProcedureId>), sizes: &IndexVec<ProcedureId, usize>| {
            body.1.iter().try_fold(body.0, |sum, callee| sum.checked_add(sizes[*callee])?.checked_add(2))
        };
        for _ in 0..depth {
            let next = bodies.iter().map(|body| with_calls(body, &sizes));
            sizes = next.collect::<Option<_>>()?;
        }
        with_calls(&body(self.cfa.initial), &sizes)
    }
}

struct Copying<'a> {
    procedural: &'a Procedural,
    store: &'a Store,
    builder: CfaBuilder,
    edges: IndexVec<EdgeId, CopiedEdge>,
    locals: Vec<Vec<(VarId, VarId)>>,
    num_copies: usize,
}

impl<'a> Copying<'a> {
    fn new(procedural: &'a Procedural, store: &'a Store, depth: usize) -> Copying<'a> {
        let mut builder = CfaBuilder::new(procedural.cfa.name.clone());
        let is_shared = |var: &&VarId| !procedural.locals.contains(var);
        procedural.cfa.vars.iter().filter(is_shared).for_each(|var| builder.var(*var));
        let of_depth = |depth: usize| {
            let copy = |local: &VarId| {
                let name = format!("{}@{depth}", store.var_name(*local));
                (*local, store.declare(&name, store.var_sort(*local)))
            };
            procedural.locals.iter().map(copy).collect::<Vec<(VarId, VarId)>>()
        };
        let locals: Vec<Vec<(VarId, VarId)>> = (0..=depth).map(of_depth).collect();
        locals.iter().flatten().for_each(|(_, copy)| builder.var(*copy));
        Copying { procedural, store, builder, edges: IndexVec::new(), locals, num_copies: 0 }
    }

    /// Copies what an activation does that starts at `start`; its last location goes on at the given place.
    fn copy(&mut self, start: LocId, depth: usize, back: Option<(ProcedureId, LocId)>) -> LocId {
        let cfa = &self.procedural.cfa;
        let number = self.num_copies;
        self.num_copies += 1;
        let found = self.procedural.locations_from(start);
        let mut copies: IndexVec<LocId, Option<LocId>> = cfa.locations.iter().map(|_| None).collect();
        for location in found {
            let original = &cfa.locations[location];
            let copy = self.builder.location(format!("{}@{number}", original.name), original.span);
            copies[location] = Some(copy);
            if cfa.is_error(location) {
                self.builder.error(copy);
            }
            if cfa.finals.contains(&location) {
                self.builder.final_location(copy);
            }
            if !self.procedural.calls.contains_key(&location)
                && let Some(reason) = cfa.limits.get(&location)
            {
                self.builder.limit(copy, reason.clone());
            }
        }
        for (id, edge) in cfa.edges.iter_enumerated() {
            let (Some(source), Some(target)) = (copies[edge.source], copies[edge.target]) else { continue };
            let stmt = self.renamed(&edge.stmt, depth);
            self.builder.edge(source, target, stmt, edge.span);
            self.edges.push(CopiedEdge::Edge(id, depth));
        }
        if let Some((procedure, target)) = back
            && let Some(exit) = copies[self.procedural.procedures[procedure].exit]
        {
            self.builder.edge(exit, target, Stmt::skip(), None);
            self.edges.push(CopiedEdge::Return(procedure));
        }
        for (location, call) in &self.procedural.calls {
            let (Some(at), Some(target)) = (copies[*location], copies[call.target]) else { continue };
            if depth + 1 == self.locals.len() {
                let name = &self.procedural.procedures[call.callee].name;
                self.builder
                    .limit(at, format!("more than {depth} calls are pending when `{name}` is called"));
                continue;
            }
            let entry = self.procedural.procedures[call.callee].entry;
            let entry = self.copy(entry, depth + 1, Some((call.callee, target)));
            let anew = self.locals[depth + 1].iter().map(|(_, copy)| Stmt::havoc(*copy)).collect();
            self.builder.edge(at, entry, Stmt::seq(anew), None);
            self.edges.push(CopiedEdge::Call(call.callee));
        }
        copies[start].expect("the first location should be among those that are reached")
    }

    fn renamed(&self, stmt: &Stmt, depth: usize) -> Stmt {
        let copy_of = |var: VarId| {
            let locals = &self.locals[depth];
            locals.iter().find(|(local, _)| *local == var).map(|(_, copy)| *copy)
        };
        let mut terms = Replacer::new(|store: &Store, var| copy_of(var).map(|copy| store.var_expr(copy)));
        let kind = match &stmt.kind {
            StmtKind::Assign(var, term) => {
                StmtKind::Assign(copy_of(*var).unwrap_or(*var), terms.apply(self.store, *term))
            }
            StmtKind::Assume(formula) => StmtKind::Assume(terms.apply(self.store, *formula)),
            StmtKind::Havoc(var) => StmtKind::Havoc(copy_of(*var).unwrap_or(*var)),
            StmtKind::Seq(parts) => {
                StmtKind::Seq(parts.iter().map(|part| self.renamed(part, depth)).collect())
            }
            StmtKind::Choice(parts) => {
                StmtKind::Choice(parts.iter().map(|part| self.renamed(part, depth)).collect())
            }
        };
        Stmt { kind, span: stmt.span }
    }
}
