//! From a transition system to a netlist, and back from its states.

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, Value, VarId, Version};
use thetis_model::Task;
use thetis_model::sts::{Sts, StsStep};

use crate::cube::Cube;
use crate::netlist::{Edge, Graph, Netlist};

/// A system and its netlist. Latch `n` is the variable `n` of the system; its inputs come first, and then one input
/// for each variable without a function, which stands for its next value.
pub(crate) struct Lowered<'t> {
    pub(crate) netlist: Netlist,
    task: &'t Task<Sts>,
}

/// Why a system has no netlist.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotBits(pub(crate) ExprId);

impl<'t> Lowered<'t> {
    pub(crate) fn new(task: &'t Task<Sts>) -> Result<Lowered<'t>, NotBits> {
        let (store, sts) = (&task.store, &task.model);
        let mut lowering = Lowering { store, graph: Graph::new(), edges: FxHashMap::default() };
        let latches: Vec<Edge> = sts.vars.iter().map(|var| lowering.declare(*var, Graph::latch)).collect();
        sts.inputs.iter().for_each(|input| {
            lowering.declare(*input, Graph::input);
        });
        let mut next = Vec::with_capacity(latches.len());
        for var in &sts.vars {
            let edge = match sts.next.get(var) {
                Some(term) => lowering.edge(*term)?,
                None => lowering.graph.input(),
            };
            let primed = store.var_expr(store.at_version(*var, Version::Next));
            lowering.edges.insert(primed, edge);
            next.push(edge);
        }
        let initial = sts.initial_values(store);
        let initial: Vec<Option<bool>> =
            sts.vars.iter().map(|var| initial.get(var).and_then(Value::as_bool)).collect();
        let initial_rest = lowering.initial_rest(sts, &latches, &initial)?;
        let constraint = lowering.edge(sts.constraint)?;
        let transition = lowering.edge(sts.trans)?;
        let bad = lowering.edge(sts.bad)?;
        let graph = lowering.graph;
        let netlist = Netlist { graph, latches, next, initial, initial_rest, constraint, transition, bad };
        Ok(Lowered { netlist, task })
    }

    /// The step of the system with these values of latches and inputs.
    pub(crate) fn step(&self, latches: &[bool], inputs: &[bool]) -> StsStep {
        let values = |bits: &[bool]| bits.iter().map(|bit| Value::Bool(*bit)).collect();
        StsStep { state: values(latches), inputs: values(&inputs[..self.task.model.inputs.len()]) }
    }

    /// The formula that excludes the states of a cube.
    pub(crate) fn clause(&self, cube: &Cube) -> ExprId {
        let store = &self.task.store;
        let literal = |latch: usize, value: bool| {
            let var = store.var_expr(self.task.model.vars[latch]);
            if value { store.not(var) } else { var }
        };
        store.or_all(cube.lits().iter().map(|lit| literal(lit.latch(), lit.value())))
    }
}

struct Lowering<'t> {
    store: &'t Store,
    graph: Graph,
    edges: FxHashMap<ExprId, Edge>,
}

impl Lowering<'_> {
    fn declare(&mut self, var: VarId, make: impl Fn(&mut Graph) -> Edge) -> Edge {
        let edge = make(&mut self.graph);
        self.edges.insert(self.store.var_expr(var), edge);
        edge
    }

    /// The initial condition without what fixes single latches.
    fn initial_rest(
        &mut self,
        sts: &Sts,
        latches: &[Edge],
        initial: &[Option<bool>],
    ) -> Result<Edge, NotBits> {
        let fixed = latches.iter().zip(initial).filter_map(|(latch, value)| Some((*latch, (*value)?)));
        let fixed: FxHashSet<Edge> = fixed.map(|(latch, value)| latch.negated_if(!value)).collect();
        let mut rest = Vec::new();
        for conjunct in self.store.conjuncts(sts.init) {
            let edge = self.edge(conjunct)?;
            if !fixed.contains(&edge) {
                rest.push(edge);
            }
        }
        Ok(self.graph.and_all(rest))
    }

    fn edge(&mut self, term: ExprId) -> Result<Edge, NotBits> {
        let store = self.store;
        if let Some(edge) = self.edges.get(&term) {
            return Ok(*edge);
        }
        for part in Postorder::new(store, [term]) {
            if !self.edges.contains_key(&part) {
                let edge = self.build(part, &store.args(part))?;
                self.edges.insert(part, edge);
            }
        }
        Ok(self.edges[&term])
    }

    /// The edge of a term whose arguments have edges.
    fn build(&mut self, term: ExprId, args: &Args) -> Result<Edge, NotBits> {
        if self.store.sort(term) != Sort::Bool {
            return Err(NotBits(term));
        }
        let args: Vec<Edge> = args.iter().map(|arg| self.edges[arg]).collect();
        Ok(match (self.store.op(term), &args[..]) {
            (Op::Const(_), _) => Edge::FALSE.negated_if(term == self.store.tru()),
            (Op::Not, &[arg]) => !arg,
            (Op::And, _) => self.graph.and_all(args),
            (Op::Or, _) => !self.graph.and_all(args.iter().map(|arg| !*arg).collect()),
            (Op::Xor, &[left, right]) => self.graph.xor(left, right),
            (Op::Eq, &[left, right]) => !self.graph.xor(left, right),
            (Op::Ite, &[condition, then, otherwise]) => self.graph.ite(condition, then, otherwise),
            _ => return Err(NotBits(term)),
        })
    }
}
