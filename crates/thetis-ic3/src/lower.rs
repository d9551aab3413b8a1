//! From a transition system to a netlist, and back from its states.
//!
//! A Boolean variable is one latch, a bit-vector one latch for each bit. An integer variable that the constraint keeps in a range is a
//! group of latches, the distance from the least value of the range; terms over integers are calculated without wrapping (`word`). No
//! run has a step to a value outside the range, since the constraint would not hold there; the transition condition of the
//! netlist forbids it.

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, Value, VarId, Version};
use thetis_model::Task;
use thetis_model::sts::{Sts, StsStep};

use crate::cube::Cube;
use crate::groups::{BitGroupKind, Group, Groups};
use crate::netlist::{Edge, Graph, Netlist};
use crate::range::{Range, ranges};
use crate::vector::Vector;
use crate::word::Word;

/// A system and its netlist. The inputs of the system come first among those of the netlist; further ones stand for the
/// next values of variables without a function.
pub(crate) struct Lowered<'t> {
    pub(crate) netlist: Netlist,
    task: &'t Task<Sts>,
    pub(crate) groups: Groups,
}

/// Which values become bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ValueKinds {
    /// Truth values, and integer variables in small ranges.
    Small,
    /// Also inputs that are integers, integers of the size of machine words, and bit-vectors.
    Machine,
}

/// Why a system has no netlist: a term whose sort or operator is not calculated with bits, or that is too large for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotBits(pub(crate) ExprId);

/// Systems with more nodes are left to other engines.
const MAX_NODES: usize = 2_000_000;

impl<'t> Lowered<'t> {
    pub(crate) fn new(task: &'t Task<Sts>, kinds: ValueKinds) -> Result<Lowered<'t>, NotBits> {
        let mut lowering = Lowering::new(task, kinds);
        let groups = lowering.declare()?;
        let next = lowering.next_values(&groups.latches)?;
        let (initial, fixing) = lowering.initial_values(&groups.latches);
        let initial_rest = lowering.initial_rest(&fixing)?;
        let sts = &task.model;
        let constraint = lowering.formula(sts.constraint)?;
        let relation = lowering.formula(sts.trans)?;
        let bad = lowering.formula(sts.bad)?;
        let Lowering { mut graph, latches, in_range, .. } = lowering;
        let transition = graph.and_all(in_range.into_iter().chain([relation]).collect());
        let netlist = Netlist { graph, latches, next, initial, initial_rest, constraint, transition, bad };
        Ok(Lowered { netlist, task, groups })
    }

    /// The step of the system with these values of latches and inputs.
    pub(crate) fn step(&self, latches: &[bool], inputs: &[bool]) -> StsStep {
        self.groups.step(latches, inputs)
    }

    /// The formula that excludes the states of a cube.
    pub(crate) fn clause(&self, cube: &Cube) -> ExprId {
        self.groups.clause(&self.task.store, cube)
    }
}

/// The representation of a term in the netlist.
#[derive(Clone)]
enum Lowest {
    Bit(Edge),
    Number(Word),
    Vector(Vector),
}

struct Lowering<'t> {
    store: &'t Store,
    sts: &'t Sts,
    kinds: ValueKinds,
    graph: Graph,
    latches: Vec<Edge>,
    terms: FxHashMap<ExprId, Lowest>,
    /// That the next values of integers are in their ranges.
    in_range: Vec<Edge>,
}

impl<'t> Lowering<'t> {
    fn new(task: &'t Task<Sts>, kinds: ValueKinds) -> Lowering<'t> {
        Lowering {
            store: &task.store,
            sts: &task.model,
            kinds,
            graph: Graph::new(),
            latches: Vec::new(),
            terms: FxHashMap::default(),
            in_range: Vec::new(),
        }
    }

    /// Latches for variables and inputs for inputs.
    fn declare(&mut self) -> Result<Groups, NotBits> {
        let ranges = ranges(self.store, self.sts);
        let mut groups = Groups { latches: Vec::new(), inputs: Vec::new() };
        for var in &self.sts.vars {
            let kind = self.kind_of(*var, &ranges)?;
            let group = Group { var: *var, first: self.latches.len(), kind };
            let bits: Vec<Edge> = (0..group.width()).map(|_| self.graph.latch()).collect();
            self.latches.extend(&bits);
            self.define(group, &bits)?;
            groups.latches.push(group);
        }
        for input in &self.sts.inputs {
            let kind = self.kind_of(*input, &ranges)?;
            if !matches!((kind, self.kinds), (BitGroupKind::Bool, _) | (_, ValueKinds::Machine)) {
                return Err(NotBits(self.store.var_expr(*input)));
            }
            let group = Group { var: *input, first: self.graph.num_inputs(), kind };
            let bits: Vec<Edge> = (0..group.width()).map(|_| self.graph.input()).collect();
            self.define(group, &bits)?;
            groups.inputs.push(group);
        }
        Ok(groups)
    }

    fn kind_of(&self, var: VarId, ranges: &FxHashMap<VarId, Range>) -> Result<BitGroupKind, NotBits> {
        let is_wanted = |range: &&Range| self.kinds == ValueKinds::Machine || range.is_small();
        match (self.store.var_sort(var), ranges.get(&var).filter(is_wanted)) {
            (Sort::Bool, _) => Ok(BitGroupKind::Bool),
            (Sort::Int, Some(range)) => Ok(BitGroupKind::Int(*range)),
            (Sort::BitVec(width), _) if self.kinds == ValueKinds::Machine => {
                Ok(BitGroupKind::Vector(width.get()))
            }
            _ => Err(NotBits(self.store.var_expr(var))),
        }
    }

    /// Gives the variable of a group its meaning.
    fn define(&mut self, group: Group, bits: &[Edge]) -> Result<(), NotBits> {
        let term = self.store.var_expr(group.var);
        let lowest = self.value_of(group.kind, bits).ok_or(NotBits(term))?;
        self.terms.insert(term, lowest);
        Ok(())
    }

    /// What the bits of a group stand for.
    fn value_of(&mut self, kind: BitGroupKind, bits: &[Edge]) -> Option<Lowest> {
        Some(match kind {
            BitGroupKind::Bool => Lowest::Bit(bits[0]),
            BitGroupKind::Int(range) => {
                let low = Word::constant(range.low);
                Lowest::Number(Word::unsigned(bits).add(&mut self.graph, &low)?)
            }
            BitGroupKind::Vector(_) => Lowest::Vector(Vector::new(bits.to_vec())),
        })
    }

    /// The next value of each latch; primed variables get their meaning.
    fn next_values(&mut self, groups: &[Group]) -> Result<Vec<Edge>, NotBits> {
        let mut next = Vec::new();
        for group in groups {
            let primed = self.store.var_expr(self.store.at_version(group.var, Version::Next));
            let value = match self.sts.next.get(&group.var) {
                Some(term) => self.lower(*term)?,
                None => {
                    let bits: Vec<Edge> = (0..group.width()).map(|_| self.graph.input()).collect();
                    self.value_of(group.kind, &bits).ok_or(NotBits(primed))?
                }
            };
            let bits = self.bits_of(*group, &value).ok_or(NotBits(primed))?;
            next.extend(bits);
            self.terms.insert(primed, value);
        }
        Ok(next)
    }

    /// The bits of a value for the latches of a group. The transition condition gets the requirement that it fits, except
    /// for [`ValueKinds::Machine`]: there the ranges are those of an analysis, and the checker sees them again.
    fn bits_of(&mut self, group: Group, value: &Lowest) -> Option<Vec<Edge>> {
        match (group.kind, value) {
            (BitGroupKind::Bool, Lowest::Bit(edge)) => Some(vec![*edge]),
            (BitGroupKind::Vector(_), Lowest::Vector(vector)) => Some(vector.bits().to_vec()),
            (BitGroupKind::Int(range), Lowest::Number(word)) => {
                let low = Word::constant(range.low);
                if self.kinds == ValueKinds::Small {
                    let (too_low, too_high) = (
                        word.less(&mut self.graph, &low)?,
                        Word::constant(range.high).less(&mut self.graph, word)?,
                    );
                    self.in_range.extend([!too_low, !too_high]);
                }
                let distance = word.sub(&mut self.graph, &low)?;
                Some((0..range.num_bits()).map(|at| distance.bit(at)).collect())
            }
            _ => None,
        }
    }

    /// The initial value of each latch, where a single conjunct gives it, and these conjuncts.
    fn initial_values(&self, groups: &[Group]) -> (Vec<Option<bool>>, FxHashSet<ExprId>) {
        let values = self.sts.initial_values(self.store);
        let (mut initial, mut fixing) = (Vec::new(), FxHashSet::default());
        for group in groups {
            // A value outside of the range is left to the rest of the condition.
            match values.get(&group.var).and_then(|value| Some((value, group.bits_of(value)?))) {
                Some((value, bits)) => {
                    let term = self.store.var_expr(group.var);
                    fixing.insert(self.store.eq(term, self.store.literal(value.clone())));
                    initial.extend(bits.into_iter().map(Some));
                }
                None => initial.extend(vec![None; group.width()]),
            }
        }
        (initial, fixing)
    }

    /// The initial condition without the conjuncts that fix the values of latches.
    fn initial_rest(&mut self, fixing: &FxHashSet<ExprId>) -> Result<Edge, NotBits> {
        let conjuncts = self.store.conjuncts(self.sts.init);
        let rest = conjuncts.into_iter().filter(|conjunct| !fixing.contains(conjunct));
        let rest = rest.map(|conjunct| self.formula(conjunct)).collect::<Result<Vec<_>, _>>()?;
        Ok(self.graph.and_all(rest))
    }

    fn formula(&mut self, formula: ExprId) -> Result<Edge, NotBits> {
        match self.lower(formula)? {
            Lowest::Bit(edge) => Ok(edge),
            Lowest::Number(_) | Lowest::Vector(_) => Err(NotBits(formula)),
        }
    }

    fn lower(&mut self, term: ExprId) -> Result<Lowest, NotBits> {
        let store = self.store;
        if !self.terms.contains_key(&term) {
            for part in Postorder::new(store, [term]) {
                if !self.terms.contains_key(&part) {
                    let lowest = self.build(part, &store.args(part)).ok_or(NotBits(part))?;
                    if self.graph.nodes().len() > MAX_NODES {
                        return Err(NotBits(part));
                    }
                    self.terms.insert(part, lowest);
                }
            }
        }
        Ok(self.terms[&term].clone())
    }

    /// The representation of a term whose arguments are known.
    fn build(&mut self, term: ExprId, args: &Args) -> Option<Lowest> {
        let args: Vec<Lowest> = args.iter().map(|arg| self.terms[arg].clone()).collect();
        let op = self.store.op(term);
        if let Op::Const(_) = op {
            return self.constant(&self.store.value(term)?);
        }
        let graph = &mut self.graph;
        match &args[..] {
            [Lowest::Bit(condition), Lowest::Number(then), Lowest::Number(otherwise)] if op == Op::Ite => {
                Some(Lowest::Number(Word::ite(graph, *condition, then, otherwise)))
            }
            [Lowest::Bit(condition), Lowest::Vector(then), Lowest::Vector(otherwise)] if op == Op::Ite => {
                Some(Lowest::Vector(Vector::ite(graph, *condition, then, otherwise)))
            }
            [Lowest::Number(number)] if op == Op::IntToBv => {
                let Sort::BitVec(width) = self.store.sort(term) else { return None };
                Some(Lowest::Vector(Vector::new(
                    (0..width.get()).map(|at| number.bit(at as usize)).collect(),
                )))
            }
            [Lowest::Number(first), rest @ ..] => arithmetic(graph, op, first, &numbers(rest)?),
            [Lowest::Vector(vector)] if op == Op::BvToInt => {
                Some(Lowest::Number(Word::unsigned(vector.bits())))
            }
            [Lowest::Vector(first), rest @ ..] => {
                let rest = vectors(rest)?;
                match (self.store.sort(term), &rest[..]) {
                    (Sort::BitVec(width), rest) => {
                        first.operation(graph, op, rest, width.get() as usize).map(Lowest::Vector)
                    }
                    (Sort::Bool, [other]) => first.comparison(graph, op, other).map(Lowest::Bit),
                    _ => None,
                }
            }
            _ => logic(graph, op, &bits(&args)?).map(Lowest::Bit),
        }
    }

    fn constant(&self, value: &Value) -> Option<Lowest> {
        match value {
            Value::Bool(value) => Some(Lowest::Bit(Edge::FALSE.negated_if(*value))),
            Value::Int(value) => Some(Lowest::Number(Word::constant(i64::try_from(value).ok()?))),
            Value::BitVec(value) if self.kinds == ValueKinds::Machine => {
                let bit = |at: u32| Edge::FALSE.negated_if(value.unsigned().bit(u64::from(at)));
                Some(Lowest::Vector(Vector::new((0..value.width()).map(bit).collect())))
            }
            _ => None,
        }
    }
}

fn bits(args: &[Lowest]) -> Option<Vec<Edge>> {
    let bit = |arg: &Lowest| if let Lowest::Bit(edge) = arg { Some(*edge) } else { None };
    args.iter().map(bit).collect()
}

fn numbers(args: &[Lowest]) -> Option<Vec<&Word>> {
    args.iter().map(|arg| if let Lowest::Number(word) = arg { Some(word) } else { None }).collect()
}

fn vectors(args: &[Lowest]) -> Option<Vec<&Vector>> {
    args.iter().map(|arg| if let Lowest::Vector(vector) = arg { Some(vector) } else { None }).collect()
}

fn logic(graph: &mut Graph, op: Op, args: &[Edge]) -> Option<Edge> {
    Some(match (op, args) {
        (Op::Not, &[arg]) => !arg,
        (Op::And, _) => graph.and_all(args.to_vec()),
        (Op::Or, _) => !graph.and_all(args.iter().map(|arg| !*arg).collect()),
        (Op::Xor, &[left, right]) => graph.xor(left, right),
        (Op::Eq, &[left, right]) => !graph.xor(left, right),
        (Op::Ite, &[condition, then, otherwise]) => graph.ite(condition, then, otherwise),
        _ => return None,
    })
}

fn arithmetic(graph: &mut Graph, op: Op, first: &Word, rest: &[&Word]) -> Option<Lowest> {
    Some(match (op, rest) {
        (Op::Add, rest) => {
            Lowest::Number(rest.iter().try_fold(first.clone(), |sum, word| sum.add(graph, word))?)
        }
        (Op::Mul, rest) => {
            Lowest::Number(rest.iter().try_fold(first.clone(), |product, word| product.mul(graph, word))?)
        }
        (Op::Sub, [other]) => Lowest::Number(first.sub(graph, other)?),
        (Op::Neg, []) => Lowest::Number(Word::constant(0).sub(graph, first)?),
        (Op::IntDiv, [other]) => Lowest::Number(first.divide(graph, other.positive()?)?.0),
        (Op::Mod, [other]) => Lowest::Number(first.divide(graph, other.positive()?)?.1),
        (Op::Eq, [other]) => Lowest::Bit(first.equals(graph, other)),
        (Op::Lt, [other]) => Lowest::Bit(first.less(graph, other)?),
        (Op::Le, [other]) => Lowest::Bit(!other.less(graph, first)?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
