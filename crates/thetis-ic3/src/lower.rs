//! From a transition system to a netlist, and back from its states.
//!
//! A Boolean variable is one latch. An integer variable that the constraint keeps in a range is a group of latches, the
//! distance from the least value of the range; terms over integers are calculated without wrapping (`word`). No run has
//! a step to a value outside the range, since the constraint would not hold there; the transition condition of the
//! netlist forbids it.

use rustc_hash::{FxHashMap, FxHashSet};
use thetis_expr::{Args, ExprId, Op, Postorder, Sort, Store, Value, VarId, Version};
use thetis_model::Task;
use thetis_model::sts::{Sts, StsStep};

use crate::cube::{Cube, LatchLit};
use crate::netlist::{Edge, Graph, Netlist};
use crate::range::{Range, ranges};
use crate::word::Word;

/// A system and its netlist. The inputs of the system come first among those of the netlist; further ones stand for the
/// next values of variables without a function.
pub(crate) struct Lowered<'t> {
    pub(crate) netlist: Netlist,
    task: &'t Task<Sts>,
    pub(crate) groups: Groups,
}

/// Which latches stand for which variable.
pub(crate) struct Groups {
    /// The latches of each variable, in the order of the system.
    groups: Vec<Group>,
    num_inputs: usize,
}

/// Consecutive latches that stand for a variable.
#[derive(Clone, Copy)]
struct Group {
    var: VarId,
    first: usize,
    kind: BitGroupKind,
}

#[derive(Clone, Copy)]
enum BitGroupKind {
    Bool,
    Int(Range),
}

impl Group {
    fn width(self) -> usize {
        match self.kind {
            BitGroupKind::Bool => 1,
            BitGroupKind::Int(range) => range.num_bits(),
        }
    }
}

/// Why a system has no netlist: a term whose sort or operator is not calculated with bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotBits(pub(crate) ExprId);

impl<'t> Lowered<'t> {
    pub(crate) fn new(task: &'t Task<Sts>) -> Result<Lowered<'t>, NotBits> {
        let mut lowering = Lowering::new(task);
        let groups = lowering.declare()?;
        let next = lowering.next_values(&groups)?;
        let initial = lowering.initial_values(&groups);
        let initial_rest = lowering.initial_rest(&initial)?;
        let sts = &task.model;
        let constraint = lowering.formula(sts.constraint)?;
        let relation = lowering.formula(sts.trans)?;
        let bad = lowering.formula(sts.bad)?;
        let Lowering { mut graph, latches, in_range, .. } = lowering;
        let transition = graph.and_all(in_range.into_iter().chain([relation]).collect());
        let netlist = Netlist { graph, latches, next, initial, initial_rest, constraint, transition, bad };
        Ok(Lowered { netlist, task, groups: Groups { groups, num_inputs: sts.inputs.len() } })
    }

    /// The step of the system with these values of latches and inputs.
    pub(crate) fn step(&self, latches: &[bool], inputs: &[bool]) -> StsStep {
        self.groups.step(latches, inputs)
    }

    /// The formula that excludes the states of a cube.
    pub(crate) fn clause(&self, cube: &Cube) -> ExprId {
        let groups = &self.groups.groups;
        let mut by_group: Vec<(usize, Vec<LatchLit>)> = Vec::new();
        for lit in cube.lits() {
            let group = groups.partition_point(|group| group.first <= lit.latch()) - 1;
            match by_group.last_mut() {
                Some((last, lits)) if *last == group => lits.push(*lit),
                _ => by_group.push((group, vec![*lit])),
            }
        }
        let store = &self.task.store;
        store.or_all(by_group.into_iter().map(|(group, lits)| self.excluded(groups[group], &lits)))
    }

    /// The formula that no value of the group's variable matches the literals.
    fn excluded(&self, group: Group, lits: &[LatchLit]) -> ExprId {
        let store = &self.task.store;
        let term = store.var_expr(group.var);
        let range = match group.kind {
            BitGroupKind::Bool => return if lits[0].value() { store.not(term) } else { term },
            BitGroupKind::Int(range) => range,
        };
        let fits = |distance: i64| {
            lits.iter().all(|lit| (distance >> (lit.latch() - group.first) & 1 == 1) == lit.value())
        };
        let excluded = intervals(range, fits)
            .into_iter()
            .map(|(first, last)| store.or(store.lt(term, store.int(first)), store.lt(store.int(last), term)));
        store.and_all(excluded)
    }
}

impl Groups {
    /// The step of the system with these values of latches and inputs.
    pub(crate) fn step(&self, latches: &[bool], inputs: &[bool]) -> StsStep {
        let value = |group: &Group| {
            let bits = &latches[group.first..group.first + group.width()];
            match group.kind {
                BitGroupKind::Bool => Value::Bool(bits[0]),
                BitGroupKind::Int(range) => Value::int(range.low + number(bits)),
            }
        };
        let inputs = inputs[..self.num_inputs].iter().map(|bit| Value::Bool(*bit));
        StsStep { state: self.groups.iter().map(value).collect(), inputs: inputs.collect() }
    }

    /// A variable for each latch: a Boolean variable itself, new ones for integers.
    pub(crate) fn bits(&self, store: &Store) -> Vec<VarId> {
        let bits = |group: &Group| match group.kind {
            BitGroupKind::Bool => vec![group.var],
            BitGroupKind::Int(_) => {
                (0..group.width()).map(|_| store.declare_fresh("bit", Sort::Bool)).collect()
            }
        };
        self.groups.iter().flat_map(bits).collect()
    }

    /// For each latch the formula over the variables that says that it is set.
    pub(crate) fn meanings(&self, store: &Store) -> Vec<ExprId> {
        let meanings = |group: &Group| {
            let term = store.var_expr(group.var);
            let is_set = |bit: usize| match group.kind {
                BitGroupKind::Bool => term,
                BitGroupKind::Int(range) => {
                    let intervals = intervals(range, |distance| distance >> bit & 1 == 1);
                    store.or_all(intervals.into_iter().map(|interval| within(store, term, interval)))
                }
            };
            (0..group.width()).map(is_set).collect::<Vec<_>>()
        };
        self.groups.iter().flat_map(meanings).collect()
    }

    /// That all integers are in their ranges.
    pub(crate) fn in_range(&self, store: &Store) -> ExprId {
        store.and_all(self.groups.iter().filter_map(|group| match group.kind {
            BitGroupKind::Bool => None,
            BitGroupKind::Int(range) => {
                Some(within(store, store.var_expr(group.var), (range.low, range.high)))
            }
        }))
    }
}

fn within(store: &Store, term: ExprId, (first, last): (i64, i64)) -> ExprId {
    store.and(store.le(store.int(first), term), store.le(term, store.int(last)))
}

/// The values of a range whose distance from its least value fits, as intervals.
fn intervals(range: Range, fits: impl Fn(i64) -> bool) -> Vec<(i64, i64)> {
    let mut intervals: Vec<(i64, i64)> = Vec::new();
    for distance in (0..=range.high - range.low).filter(|distance| fits(*distance)) {
        let value = range.low + distance;
        match intervals.last_mut() {
            Some((_, last)) if *last == value - 1 => *last = value,
            _ => intervals.push((value, value)),
        }
    }
    intervals
}

/// The number with these bits, the lowest first.
fn number(bits: &[bool]) -> i64 {
    bits.iter().enumerate().fold(0, |number, (at, bit)| number | i64::from(*bit) << at)
}

/// The representation of a term in the netlist.
#[derive(Clone)]
enum Lowest {
    Bit(Edge),
    Number(Word),
}

struct Lowering<'t> {
    store: &'t Store,
    sts: &'t Sts,
    graph: Graph,
    latches: Vec<Edge>,
    terms: FxHashMap<ExprId, Lowest>,
    /// That the next values of integers are in their ranges.
    in_range: Vec<Edge>,
}

impl<'t> Lowering<'t> {
    fn new(task: &'t Task<Sts>) -> Lowering<'t> {
        Lowering {
            store: &task.store,
            sts: &task.model,
            graph: Graph::new(),
            latches: Vec::new(),
            terms: FxHashMap::default(),
            in_range: Vec::new(),
        }
    }

    /// Latches for variables and inputs for inputs.
    fn declare(&mut self) -> Result<Vec<Group>, NotBits> {
        let ranges = ranges(self.store, self.sts);
        let mut groups = Vec::new();
        for var in &self.sts.vars {
            let term = self.store.var_expr(*var);
            let kind = match (self.store.var_sort(*var), ranges.get(var)) {
                (Sort::Bool, _) => BitGroupKind::Bool,
                (Sort::Int, Some(range)) => BitGroupKind::Int(*range),
                _ => return Err(NotBits(term)),
            };
            let group = Group { var: *var, first: self.latches.len(), kind };
            let bits: Vec<Edge> = (0..group.width()).map(|_| self.graph.latch()).collect();
            self.latches.extend(&bits);
            let lowest = self.value_of(kind, &bits).ok_or(NotBits(term))?;
            self.terms.insert(term, lowest);
            groups.push(group);
        }
        for input in &self.sts.inputs {
            let term = self.store.var_expr(*input);
            if self.store.var_sort(*input) != Sort::Bool {
                return Err(NotBits(term));
            }
            let edge = self.graph.input();
            self.terms.insert(term, Lowest::Bit(edge));
        }
        Ok(groups)
    }

    /// What the bits of a group stand for.
    fn value_of(&mut self, kind: BitGroupKind, bits: &[Edge]) -> Option<Lowest> {
        Some(match kind {
            BitGroupKind::Bool => Lowest::Bit(bits[0]),
            BitGroupKind::Int(range) => {
                let low = Word::constant(range.low);
                Lowest::Number(Word::unsigned(bits).add(&mut self.graph, &low)?)
            }
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

    /// The bits of a value for the latches of a group; the transition condition gets the requirement that it fits.
    fn bits_of(&mut self, group: Group, value: &Lowest) -> Option<Vec<Edge>> {
        match (group.kind, value) {
            (BitGroupKind::Bool, Lowest::Bit(edge)) => Some(vec![*edge]),
            (BitGroupKind::Int(range), Lowest::Number(word)) => {
                let (low, high) = (Word::constant(range.low), Word::constant(range.high));
                let (too_low, too_high) =
                    (word.less(&mut self.graph, &low)?, high.less(&mut self.graph, word)?);
                self.in_range.extend([!too_low, !too_high]);
                let distance = word.sub(&mut self.graph, &low)?;
                Some((0..range.num_bits()).map(|at| distance.bit(at)).collect())
            }
            _ => None,
        }
    }

    /// The initial value of each latch, where a single conjunct gives it.
    fn initial_values(&self, groups: &[Group]) -> Vec<Option<bool>> {
        let values = self.sts.initial_values(self.store);
        let mut initial = Vec::new();
        for group in groups {
            let value = values.get(&group.var);
            match group.kind {
                BitGroupKind::Bool => initial.push(value.and_then(Value::as_bool)),
                // Integers are left to the rest of the condition, which knows about values outside of the range.
                BitGroupKind::Int(_) => initial.extend(vec![None; group.width()]),
            }
        }
        initial
    }

    /// The initial condition without the conjuncts that fix single latches.
    fn initial_rest(&mut self, initial: &[Option<bool>]) -> Result<Edge, NotBits> {
        let fixed = self.latches.iter().zip(initial).filter_map(|(latch, value)| Some((*latch, (*value)?)));
        let fixed: FxHashSet<Edge> = fixed.map(|(latch, value)| latch.negated_if(!value)).collect();
        let mut rest = Vec::new();
        for conjunct in self.store.conjuncts(self.sts.init) {
            let edge = self.formula(conjunct)?;
            if !fixed.contains(&edge) {
                rest.push(edge);
            }
        }
        Ok(self.graph.and_all(rest))
    }

    fn formula(&mut self, formula: ExprId) -> Result<Edge, NotBits> {
        match self.lower(formula)? {
            Lowest::Bit(edge) => Ok(edge),
            Lowest::Number(_) => Err(NotBits(formula)),
        }
    }

    fn lower(&mut self, term: ExprId) -> Result<Lowest, NotBits> {
        let store = self.store;
        if !self.terms.contains_key(&term) {
            for part in Postorder::new(store, [term]) {
                if !self.terms.contains_key(&part) {
                    let lowest = self.build(part, &store.args(part)).ok_or(NotBits(part))?;
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
            return match self.store.value(term)? {
                Value::Bool(value) => Some(Lowest::Bit(Edge::FALSE.negated_if(value))),
                Value::Int(value) => Some(Lowest::Number(Word::constant(i64::try_from(value).ok()?))),
                _ => None,
            };
        }
        let graph = &mut self.graph;
        match &args[..] {
            [Lowest::Bit(condition), Lowest::Number(then), Lowest::Number(otherwise)] if op == Op::Ite => {
                Some(Lowest::Number(Word::ite(graph, *condition, then, otherwise)))
            }
            [Lowest::Number(first), rest @ ..] => arithmetic(graph, op, first, rest),
            _ => {
                let bit = |arg: &Lowest| match arg {
                    Lowest::Bit(edge) => Some(*edge),
                    Lowest::Number(_) => None,
                };
                let bits: Option<Vec<Edge>> = args.iter().map(bit).collect();
                logic(graph, op, &bits?).map(Lowest::Bit)
            }
        }
    }
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

fn arithmetic(graph: &mut Graph, op: Op, first: &Word, rest: &[Lowest]) -> Option<Lowest> {
    let rest: Option<Vec<&Word>> = rest
        .iter()
        .map(|arg| match arg {
            Lowest::Number(word) => Some(word),
            Lowest::Bit(_) => None,
        })
        .collect();
    let rest = rest?;
    Some(match (op, &rest[..]) {
        (Op::Add, rest) => {
            let mut sum = first.clone();
            for word in rest {
                sum = sum.add(graph, word)?;
            }
            Lowest::Number(sum)
        }
        (Op::Sub, [other]) => Lowest::Number(first.sub(graph, other)?),
        (Op::Neg, []) => Lowest::Number(Word::constant(0).sub(graph, first)?),
        (Op::Eq, [other]) => Lowest::Bit(first.equals(graph, other)),
        (Op::Lt, [other]) => Lowest::Bit(first.less(graph, other)?),
        (Op::Le, [other]) => Lowest::Bit(!other.less(graph, first)?),
        _ => return None,
    })
}
