//! Which constants matter for each clock, by location.
//!
//! After a lower bound `x >= c` or an upper bound `x <= c` has been compared for the last time before `x` is set, the exact value of `x` beyond `c` is
//! without influence. For each location of each process the largest constant of lower bounds (`L`) and of upper bounds (`U`) that some path can still
//! meet is found by propagation against the edges (Behrmann, Bouyer, Fleury and Larsen 2003). The bounds of a state are the largest bounds of its
//! processes. A clock without bounds is *inactive*: its value does not matter at all.
//!
//! A clock set by a function or at an index that depends on data counts as not set. What depends on data is estimated by
//! intervals. The theory needs constraints on single clocks; a model with differences of clocks is explored with exact zones.

use thetis_model::xta::{
    Base, BinaryOp, ChannelKind, ClockAtom, ClockId, ClockRef, DataExpr, DataStmt, Discrete, Edge, Formula,
    Index, Network, Place, Process, Relation, Sync, UnaryOp,
};

/// The bounds of an inactive clock.
pub(crate) const NONE: i32 = -1;

/// Above every constant that a clock is compared with.
const MAX_BOUND: i64 = 1 << 27;

/// The bounds of one clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Bounds {
    /// The largest constant of a lower bound.
    pub(crate) lower: i32,
    /// The largest constant of an upper bound.
    pub(crate) upper: i32,
}

impl Bounds {
    pub(crate) const NOTHING: Bounds = Bounds { lower: NONE, upper: NONE };

    pub(crate) fn join(self, other: Bounds) -> Bounds {
        Bounds { lower: self.lower.max(other.lower), upper: self.upper.max(other.upper) }
    }

    fn symmetric(self) -> Bounds {
        let largest = self.lower.max(self.upper);
        Bounds { lower: largest, upper: largest }
    }

    /// Whether the value of the clock matters.
    pub(crate) fn is_active(self) -> bool {
        self != Bounds::NOTHING
    }
}

/// Which of the two bounds are told apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Distinction {
    /// Lower and upper bounds.
    LowerUpper,
    /// Both count as both.
    Maximum,
}

/// The bounds of all locations.
pub(crate) struct BoundTable {
    num_clocks: usize,
    /// For each process, for each location, for each clock.
    processes: Vec<Vec<Vec<Bounds>>>,
    /// In every state, because of the question.
    always: Vec<Bounds>,
}

impl BoundTable {
    /// The bounds of `network` for a question about `target`.
    pub(crate) fn new(network: &Network, target: &Formula, distinction: Distinction) -> BoundTable {
        let analysis = Analysis { network };
        let mut always = analysis.nothing();
        target.atoms().into_iter().for_each(|atom| analysis.add(atom, Sides::Both, &mut always));
        // With priorities it matters everywhere where guards and invariants are false.
        if network.priorities.is_some() {
            all_atoms(network).for_each(|atom| analysis.add(atom, Sides::Both, &mut always));
        }
        let processes = network.processes.iter().map(|process| analysis.process(process));
        let mut table =
            BoundTable { num_clocks: network.clocks.len(), processes: processes.collect(), always };
        if distinction == Distinction::Maximum {
            let locations = table.processes.iter_mut().flatten().flatten();
            locations.chain(&mut table.always).for_each(|bounds| *bounds = bounds.symmetric());
        }
        table
    }

    /// The bounds of every clock in `state`.
    pub(crate) fn of(&self, network: &Network, state: &Discrete) -> Vec<Bounds> {
        let mut bounds = self.always.clone();
        for (process, location) in network.locations(state) {
            let local = &self.processes[process.index()][location.index()];
            bounds.iter_mut().zip(local).for_each(|(all, one)| *all = all.join(*one));
        }
        debug_assert_eq!(bounds.len(), self.num_clocks);
        bounds
    }
}

/// Whether differences of clocks occur.
pub(crate) fn has_differences(network: &Network, target: &Formula) -> bool {
    let mut atoms = all_atoms(network);
    atoms.any(|atom| atom.minus.is_some()) || target.atoms().iter().any(|atom| atom.minus.is_some())
}

/// The constraints of all guards and invariants.
fn all_atoms(network: &Network) -> impl Iterator<Item = &ClockAtom> {
    let guards = network.processes.iter().flat_map(|process| {
        let edges = process.edges.iter().map(|edge| &edge.guard);
        edges.chain(process.locations.iter().map(|location| &location.invariant))
    });
    guards.flat_map(|guard| &guard.clocks)
}

/// As which kinds of bounds a constraint counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sides {
    /// As what it is.
    Own,
    /// As both: its negation matters too.
    Both,
}

struct Analysis<'n> {
    network: &'n Network,
}

impl Analysis<'_> {
    fn nothing(&self) -> Vec<Bounds> {
        vec![Bounds::NOTHING; self.network.clocks.len()]
    }

    /// The bounds of each location, propagated until nothing changes.
    fn process(&self, process: &Process) -> Vec<Vec<Bounds>> {
        let mut table: Vec<Vec<Bounds>> = process.locations.iter().map(|_| self.nothing()).collect();
        for (location, bounds) in process.locations.iter().zip(&mut table) {
            location.invariant.clocks.iter().for_each(|atom| self.add(atom, Sides::Own, bounds));
        }
        for edge in &process.edges {
            let sides = self.sides(edge);
            edge.guard.clocks.iter().for_each(|atom| self.add(atom, sides, &mut table[edge.source.index()]));
        }
        let set: Vec<Vec<ClockId>> = process.edges.iter().map(|edge| clocks_set(&edge.update)).collect();
        loop {
            let before = table.clone();
            for (edge, set) in process.edges.iter().zip(&set) {
                let target = table[edge.target.index()].clone();
                for (clock, bounds) in target.into_iter().enumerate() {
                    if !set.contains(&ClockId::from(clock)) {
                        let source = &mut table[edge.source.index()][clock];
                        *source = source.join(bounds);
                    }
                }
            }
            if table == before {
                return table;
            }
        }
    }

    /// A receiver of a broadcast also matters where its guard is false.
    fn sides(&self, edge: &Edge) -> Sides {
        match &edge.sync {
            Sync::Receive(channel) if self.network.channels[channel.base].kind == ChannelKind::Broadcast => {
                Sides::Both
            }
            _ => Sides::Own,
        }
    }

    fn add(&self, atom: &ClockAtom, sides: Sides, bounds: &mut [Bounds]) {
        let (low, high) = self.interval(&atom.bound);
        let largest = high.max(-low).clamp(0, MAX_BOUND) as i32;
        let (lower, upper) = match (sides, atom.relation) {
            (Sides::Both, _) | (_, Relation::Equal) => (largest, largest),
            (_, Relation::Less | Relation::LessEqual) => (NONE, largest),
            (_, Relation::Greater | Relation::GreaterEqual) => (largest, NONE),
        };
        let clocks = [Some(&atom.left), atom.minus.as_ref()];
        for cell in clocks.into_iter().flatten().flat_map(cells_of) {
            bounds[cell] = bounds[cell].join(Bounds { lower, upper });
        }
    }

    /// Between which numbers the value of `expr` is.
    fn interval(&self, expr: &DataExpr) -> (i64, i64) {
        const ALL: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);
        match expr {
            DataExpr::Const(number) => (i64::from(*number), i64::from(*number)),
            DataExpr::Read(place) => self.cells(place).unwrap_or(ALL),
            DataExpr::Unary(UnaryOp::Minus, operand) => {
                let (low, high) = self.interval(operand);
                (-high, -low)
            }
            DataExpr::Unary(UnaryOp::Not, _) | DataExpr::At(..) => (0, 1),
            DataExpr::Binary(op, operands) => {
                let (left, right) = (self.interval(&operands.0), self.interval(&operands.1));
                // Numbers outside of 32 bits are run-time errors.
                let (low, high) = binary(*op, left, right).unwrap_or(ALL);
                (low.clamp(ALL.0, ALL.1), high.clamp(ALL.0, ALL.1))
            }
            DataExpr::If(parts) => {
                let (then, otherwise) = (self.interval(&parts.1), self.interval(&parts.2));
                (then.0.min(otherwise.0), then.1.max(otherwise.1))
            }
            DataExpr::Call(function, _) => {
                let (low, high) = self.network.functions[*function].range;
                (i64::from(low), i64::from(high))
            }
            DataExpr::Unary(UnaryOp::Complement, _) | DataExpr::Assign(_) => ALL,
        }
    }

    /// The values of all cells that a place may stand for.
    fn cells(&self, place: &Place) -> Option<(i64, i64)> {
        let span: usize = place.indices.iter().map(reach).sum();
        let join = |ranges: &mut dyn Iterator<Item = (i32, i32)>| {
            ranges
                .map(|(low, high)| (i64::from(low), i64::from(high)))
                .reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
        };
        match place.base {
            Base::Variable(cell) => {
                let cells = self.network.variables.get(cell as usize..=cell as usize + span)?;
                join(&mut cells.iter().map(|variable| variable.range))
            }
            Base::Constant(cell) => {
                let cells = self.network.constants.get(cell as usize..=cell as usize + span)?;
                join(&mut cells.iter().map(|value| (*value, *value)))
            }
            Base::Local(_) | Base::Reference(..) => None,
        }
    }
}

/// How far an index leads at most.
fn reach(index: &Index) -> usize {
    index.size.saturating_sub(1) as usize * index.stride as usize
}

/// The clocks that a reference may stand for.
fn cells_of(clock: &ClockRef) -> std::ops::RangeInclusive<usize> {
    let span: usize = clock.indices.iter().map(reach).sum();
    clock.base.index()..=clock.base.index() + span
}

/// The clocks that an update sets for sure.
fn clocks_set(update: &[DataStmt]) -> Vec<ClockId> {
    let known = |statement: &DataStmt| match statement {
        DataStmt::SetClock(clock, _) => {
            let offset: Option<usize> = clock.indices.iter().map(Index::known_offset).sum();
            Some(ClockId::from(clock.base.index() + offset?))
        }
        _ => None,
    };
    update.iter().filter_map(known).collect()
}

fn binary(op: BinaryOp, left: (i64, i64), right: (i64, i64)) -> Option<(i64, i64)> {
    Some(match op {
        BinaryOp::Add => (left.0 + right.0, left.1 + right.1),
        BinaryOp::Subtract => (left.0 - right.1, left.1 - right.0),
        BinaryOp::Multiply => {
            let corners = [left.0 * right.0, left.0 * right.1, left.1 * right.0, left.1 * right.1];
            (corners.into_iter().min()?, corners.into_iter().max()?)
        }
        BinaryOp::Divide => {
            let largest = left.0.abs().max(left.1.abs());
            (-largest, largest)
        }
        BinaryOp::Modulo => {
            let largest = right.0.abs().max(right.1.abs());
            (-largest, largest)
        }
        BinaryOp::Minimum => (left.0.min(right.0), left.1.min(right.1)),
        BinaryOp::Maximum => (left.0.max(right.0), left.1.max(right.1)),
        BinaryOp::Less
        | BinaryOp::LessEqual
        | BinaryOp::Equal
        | BinaryOp::NotEqual
        | BinaryOp::And
        | BinaryOp::Or => (0, 1),
        BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => return None,
    })
}
