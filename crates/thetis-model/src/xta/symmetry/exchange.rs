//! Expressions and statements after two units have been exchanged.
//!
//! An [`Exchange`] maps a state `s` to a state `g(s)`: cells, clocks and locations change places, and pointers to one unit become pointers to the other.
//! For an expression `e` it gives an expression `e'` whose value in `g(s)` is that of `e` in `s`; or, where a pointer is [expected](Carries::Unit), the
//! exchanged value. There is no such expression if `e` does more with a pointer than compare it for equality, assign it or use it as the index of an
//! array whose elements are exchanged in the same way.
//!
//! Places whose indices are known are given without indices, so that equal places look equal.

use std::cell::RefCell;

use super::Symmetry;
use crate::xta::{
    Argument, Assign, Base, BinaryOp, ChannelId, ChannelRef, ClockAtom, ClockId, ClockRef, Copied, DataExpr,
    DataStmt, Formula, FunctionId, Guard, Index, Network, Place, ProcessId, Sync, Update,
};

/// The most elements of an array that are treated one by one.
const MAX_ELEMENTS: usize = 10_000;

/// What the value of an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Carries {
    /// A number, which stays as it is.
    Number,
    /// The value of a unit, which is exchanged, or another number.
    Unit,
}

/// Two units that change places, or nothing at all.
pub(super) struct Exchange<'n> {
    network: &'n Network,
    processes: Vec<usize>,
    cells: Vec<usize>,
    clocks: Vec<usize>,
    channels: Vec<usize>,
    values: Option<(i32, i32)>,
    is_pointer: Vec<bool>,
    /// For each function, whether it stays as it is, if that is known or assumed.
    functions: RefCell<Vec<Option<bool>>>,
}

impl<'n> Exchange<'n> {
    /// Changes nothing.
    pub(super) fn none(network: &'n Network) -> Exchange<'n> {
        Exchange {
            network,
            processes: (0..network.processes.len()).collect(),
            cells: (0..network.variables.len()).collect(),
            clocks: (0..network.clocks.len()).collect(),
            channels: (0..network.channels.len()).collect(),
            values: None,
            is_pointer: vec![false; network.variables.len()],
            functions: RefCell::new(vec![None; network.functions.len()]),
        }
    }

    /// Exchanges two units.
    pub(super) fn new(network: &'n Network, symmetry: &Symmetry, units: (usize, usize)) -> Exchange<'n> {
        let mut exchange = Exchange::none(network);
        let (one, other) = (&symmetry.units[units.0], &symmetry.units[units.1]);
        let pairs = one.processes.iter().zip(&other.processes);
        pairs.for_each(|(one, other)| exchange.processes.swap(one.index(), other.index()));
        let pairs = one.cells.iter().zip(&other.cells);
        pairs.for_each(|(one, other)| exchange.cells.swap(*one as usize, *other as usize));
        let pairs = one.clocks.iter().zip(&other.clocks);
        pairs.for_each(|(one, other)| exchange.clocks.swap(one.index(), other.index()));
        let pairs = one.channels.iter().zip(&other.channels);
        pairs.for_each(|(one, other)| exchange.channels.swap(one.index(), other.index()));
        exchange.values = one.value.zip(other.value);
        symmetry.pointers.iter().for_each(|cell| exchange.is_pointer[*cell as usize] = true);
        exchange
    }

    pub(super) fn process(&self, process: ProcessId) -> ProcessId {
        ProcessId::from(self.processes[process.index()])
    }

    pub(super) fn cell(&self, cell: usize) -> usize {
        self.cells[cell]
    }

    pub(super) fn channel_id(&self, channel: ChannelId) -> ChannelId {
        ChannelId::from(self.channels[channel.index()])
    }

    /// What `cell` carries.
    pub(super) fn carried(&self, cell: usize) -> Carries {
        if self.is_pointer[cell] { Carries::Unit } else { Carries::Number }
    }

    pub(super) fn value(&self, value: i32, carries: Carries) -> i32 {
        match (carries, self.values) {
            (Carries::Unit, Some((one, other))) if value == one => other,
            (Carries::Unit, Some((one, other))) if value == other => one,
            _ => value,
        }
    }

    /// Whether a range stays as it is.
    pub(super) fn keeps_range(&self, (low, high): (i32, i32), carries: Carries) -> bool {
        let is_within = |value: i32| (low..=high).contains(&value);
        carries == Carries::Number
            || self.values.is_none_or(|(one, other)| is_within(one) == is_within(other))
    }

    pub(super) fn expr(&self, expr: &DataExpr, wanted: Carries) -> Option<DataExpr> {
        let is_number = wanted == Carries::Number;
        match expr {
            DataExpr::Const(number) => Some(DataExpr::Const(self.value(*number, wanted))),
            DataExpr::Read(place) => {
                let (place, carries) = self.place(place)?;
                (carries == wanted).then(|| DataExpr::Read(Box::new(place)))
            }
            DataExpr::Unary(op, operand) if is_number => {
                Some(DataExpr::Unary(*op, Box::new(self.expr(operand, Carries::Number)?)))
            }
            DataExpr::Binary(op, operands) if is_number => {
                let carries = match op {
                    BinaryOp::Equal | BinaryOp::NotEqual => {
                        self.carries(&operands.0).or_else(|| self.carries(&operands.1))
                    }
                    _ => None,
                };
                let carries = carries.unwrap_or(Carries::Number);
                let operands = (self.expr(&operands.0, carries)?, self.expr(&operands.1, carries)?);
                Some(DataExpr::Binary(*op, Box::new(operands)))
            }
            DataExpr::If(parts) => {
                let condition = self.expr(&parts.0, Carries::Number)?;
                let branches = (self.expr(&parts.1, wanted)?, self.expr(&parts.2, wanted)?);
                Some(DataExpr::If(Box::new((condition, branches.0, branches.1))))
            }
            DataExpr::Assign(assign) => {
                let (assign, carries) = self.assign(assign)?;
                (carries == wanted).then(|| DataExpr::Assign(Box::new(assign)))
            }
            DataExpr::Call(function, arguments) if is_number => self.call(*function, arguments),
            DataExpr::At(process, location) if is_number => {
                Some(DataExpr::At(self.process(*process), *location))
            }
            DataExpr::Unary(..) | DataExpr::Binary(..) | DataExpr::Call(..) | DataExpr::At(..) => None,
        }
    }

    /// What the value of an expression is; `None` if it may be either.
    fn carries(&self, expr: &DataExpr) -> Option<Carries> {
        match expr {
            DataExpr::Const(_) => None,
            DataExpr::Read(place) => self.place(place).map(|(_, carries)| carries),
            DataExpr::Assign(assign) => self.place(&assign.place).map(|(_, carries)| carries),
            DataExpr::If(parts) => self.carries(&parts.1).or_else(|| self.carries(&parts.2)),
            _ => Some(Carries::Number),
        }
    }

    fn assign(&self, assign: &Assign) -> Option<(Assign, Carries)> {
        let (place, carries) = self.place(&assign.place)?;
        let is_possible = match assign.update {
            Update::Set => self.keeps_range(assign.range, carries),
            Update::Apply(_) => carries == Carries::Number,
        };
        if !is_possible {
            return None;
        }
        let value = self.expr(&assign.value, carries)?;
        Some((Assign { place, value, ..assign.clone() }, carries))
    }

    fn call(&self, function: FunctionId, arguments: &[Argument]) -> Option<DataExpr> {
        let argument = |argument: &Argument| match argument {
            Argument::Value(expr, range) => Some(Argument::Value(self.expr(expr, Carries::Number)?, *range)),
            Argument::Cells(place, size) => Some(Argument::Cells(self.cells_at(place, *size)?, *size)),
            Argument::Reference(_) => None,
        };
        let arguments = arguments.iter().map(argument).collect::<Option<_>>()?;
        self.keeps_function(function).then_some(DataExpr::Call(function, arguments))
    }

    /// Whether a function is unchanged. Functions that are being examined are assumed to be.
    fn keeps_function(&self, function: FunctionId) -> bool {
        if let Some(known) = self.functions.borrow()[function.index()] {
            return known;
        }
        self.functions.borrow_mut()[function.index()] = Some(true);
        let body = &self.network.functions[function].body;
        let is_kept = match (self.statement(body), Exchange::none(self.network).statement(body)) {
            (Some(exchanged), Some(original)) => exchanged == original,
            _ => false,
        };
        self.functions.borrow_mut()[function.index()] = Some(is_kept);
        is_kept
    }

    /// A place, and what it carries.
    fn place(&self, place: &Place) -> Option<(Place, Carries)> {
        let cells = match place.base {
            Base::Variable(cell) => cell as usize,
            base => {
                let indices = place.indices.iter().map(|index| self.index(index, Carries::Number));
                return Some((Place { base, indices: indices.collect::<Option<_>>()? }, Carries::Number));
            }
        };
        let element = self.element(cells, &place.indices, &self.cells)?;
        let carries = self.carried(*element.all.first()?);
        if element.all.iter().any(|cell| self.carried(*cell) != carries) {
            return None;
        }
        Some((Place { base: Base::Variable(element.base as u32), indices: element.indices }, carries))
    }

    /// The first of several cells of numbers that stay next to each other.
    fn cells_at(&self, place: &Place, size: u32) -> Option<Place> {
        let (first, carries) = self.place(place)?;
        let Base::Variable(base) = place.base else { return Some(first) };
        for offset in 0..size {
            let next = Place { base: Base::Variable(base + offset), indices: place.indices.clone() };
            let (next, further) = self.place(&next)?;
            let expected = match first.base {
                Base::Variable(first) => Base::Variable(first + offset),
                other => other,
            };
            if next.base != expected || further != carries || carries != Carries::Number {
                return None;
            }
        }
        Some(first)
    }

    fn index(&self, index: &Index, carries: Carries) -> Option<Index> {
        Some(Index { at: self.expr(&index.at, carries)?, ..index.clone() })
    }

    /// An element of an array that starts at `base`, where `map` says with what each element changes places.
    fn element(&self, base: usize, indices: &[Index], map: &[usize]) -> Option<Element> {
        let known: usize = indices.iter().filter_map(Index::known_offset).sum();
        let base = base + known;
        let open: Vec<(Index, Carries)> = indices
            .iter()
            .filter(|index| index.known_offset().is_none())
            .map(|index| {
                let carries = self.carries(&index.at).unwrap_or(Carries::Number);
                Some((self.index(index, carries)?, carries))
            })
            .collect::<Option<_>>()?;
        let num_elements: usize = open.iter().map(|(index, _)| index.size as usize).product();
        if num_elements > MAX_ELEMENTS || num_elements == 0 {
            return None;
        }
        // The offsets of all elements, and those that the exchanged indices give.
        let mut offsets = vec![(0, 0)];
        for (index, carries) in &open {
            let mut further = Vec::with_capacity(offsets.len() * index.size as usize);
            for at in 0..index.size {
                let exchanged = self.value(index.low + at as i32, *carries) - index.low;
                let exchanged = u32::try_from(exchanged).ok().filter(|at| *at < index.size)?;
                let steps = (at as usize * index.stride as usize, exchanged as usize * index.stride as usize);
                further.extend(offsets.iter().map(|(one, other)| (one + steps.0, other + steps.1)));
            }
            offsets = further;
        }
        let all: Vec<usize> = offsets.iter().map(|(offset, _)| base + offset).collect();
        let first = map.get(all[0])?.checked_sub(offsets[0].1)?;
        let is_uniform =
            all.iter().zip(&offsets).all(|(from, (_, to))| map.get(*from) == Some(&(first + to)));
        is_uniform.then(|| Element {
            base: first,
            indices: open.into_iter().map(|(index, _)| index).collect(),
            all,
        })
    }

    fn clock(&self, clock: &ClockRef) -> Option<ClockRef> {
        let element = self.element(clock.base.index(), &clock.indices, &self.clocks)?;
        Some(ClockRef { base: ClockId::from(element.base), indices: element.indices })
    }

    fn channel(&self, channel: &ChannelRef) -> Option<ChannelRef> {
        let element = self.element(channel.base.index(), &channel.indices, &self.channels)?;
        Some(ChannelRef { base: ChannelId::from(element.base), indices: element.indices })
    }

    pub(super) fn statement(&self, statement: &DataStmt) -> Option<DataStmt> {
        let condition = |expr: &DataExpr| self.expr(expr, Carries::Number);
        Some(match statement {
            DataStmt::Expr(DataExpr::Assign(assign)) => {
                DataStmt::Expr(DataExpr::Assign(Box::new(self.assign(assign)?.0)))
            }
            DataStmt::Expr(expr) => DataStmt::Expr(condition(expr)?),
            DataStmt::Copy(to, Copied::Place(from, size)) => {
                let from = self.cells_at(from, *size)?;
                DataStmt::Copy(self.cells_at(to, *size)?, Copied::Place(from, *size))
            }
            DataStmt::Copy(to, Copied::Values(values)) => {
                DataStmt::Copy(self.cells_at(to, values.len() as u32)?, Copied::Values(values.clone()))
            }
            DataStmt::SetClock(clock, value) => DataStmt::SetClock(self.clock(clock)?, condition(value)?),
            DataStmt::Block(statements) => DataStmt::Block(self.statements(statements)?),
            DataStmt::If(test, then, otherwise) => {
                let (then, otherwise) = (self.statement(then)?, self.statement(otherwise)?);
                DataStmt::If(condition(test)?, Box::new(then), Box::new(otherwise))
            }
            DataStmt::While(test, body) => DataStmt::While(condition(test)?, Box::new(self.statement(body)?)),
            DataStmt::DoWhile(body, test) => {
                DataStmt::DoWhile(Box::new(self.statement(body)?), condition(test)?)
            }
            DataStmt::Return(Some(value)) => DataStmt::Return(Some(condition(value)?)),
            DataStmt::Return(None) => DataStmt::Return(None),
        })
    }

    pub(super) fn statements(&self, statements: &[DataStmt]) -> Option<Vec<DataStmt>> {
        statements.iter().map(|statement| self.statement(statement)).collect()
    }

    pub(super) fn guard(&self, guard: &Guard) -> Option<Guard> {
        let data = guard.data.iter().map(|condition| self.expr(condition, Carries::Number));
        let clocks = guard.clocks.iter().map(|atom| self.atom(atom));
        Some(Guard { data: data.collect::<Option<_>>()?, clocks: clocks.collect::<Option<_>>()?, span: None })
    }

    pub(super) fn atom(&self, atom: &ClockAtom) -> Option<ClockAtom> {
        let when = match &atom.when {
            Some(condition) => Some(self.expr(condition, Carries::Number)?),
            None => None,
        };
        let minus = match &atom.minus {
            Some(clock) => Some(self.clock(clock)?),
            None => None,
        };
        let bound = self.expr(&atom.bound, Carries::Number)?;
        Some(ClockAtom { when, left: self.clock(&atom.left)?, minus, relation: atom.relation, bound })
    }

    pub(super) fn sync(&self, sync: &Sync) -> Option<Sync> {
        Some(match sync {
            Sync::Internal => Sync::Internal,
            Sync::Blocked => Sync::Blocked,
            Sync::Send(channel) => Sync::Send(self.channel(channel)?),
            Sync::Receive(channel) => Sync::Receive(self.channel(channel)?),
            Sync::Join(channel) => Sync::Join(self.channel(channel)?),
        })
    }

    /// A formula that is true in `g(s)` iff `formula` is true in `s`.
    pub(super) fn formula(&self, formula: &Formula) -> Option<Formula> {
        let all = |parts: &[Formula]| parts.iter().map(|part| self.formula(part)).collect::<Option<_>>();
        Some(match formula {
            Formula::Data(condition) => Formula::Data(self.expr(condition, Carries::Number)?),
            Formula::Clock(atom) => Formula::Clock(self.atom(atom)?),
            Formula::Deadlock => Formula::Deadlock,
            Formula::Not(inner) => Formula::Not(Box::new(self.formula(inner)?)),
            Formula::And(parts) => Formula::And(all(parts)?),
            Formula::Or(parts) => Formula::Or(all(parts)?),
        })
    }
}

/// An element of an array.
struct Element {
    base: usize,
    indices: Vec<Index>,
    /// All elements that it may be, before the exchange.
    all: Vec<usize>,
}
