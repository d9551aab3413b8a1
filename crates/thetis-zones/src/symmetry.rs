//! Finds processes that can be exchanged, and turns runs of representatives into runs.
//!
//! # Finding symmetries
//! Two processes of one template have the same edges except for their own variables, clocks, channels and identifiers. So the edges of two processes
//! are compared: the parts that differ are paired, and belong to the units. A variable that is compared with or set to the differing identifiers is a
//! pointer, and so is one that is compared with or set to a pointer. Elements of arrays with a pointer as index belong to the unit that the pointer
//! refers to. All of this is a guess; [`Network::has_symmetry`] decides.
//!
//! # Runs
//! The search knows the moves of representatives, and how each state was arranged afterwards. A run starts in an arrangement of the
//! initial state (all are the same state), and takes the same moves, with the units permuted as they are in the run.

use std::collections::{BTreeMap, BTreeSet};

use thetis_model::xta::symmetry::{self, Arrangement};
use thetis_model::xta::{
    Base, BinaryOp, ChannelId, ChannelRef, ClockAtom, ClockEffect, ClockId, ClockRef, DataExpr, DataStmt,
    Difference, Formula, Guard, Index, Move, Moves, Network, Place, Process, ProcessId, Symmetry, Sync, Unit,
};

use crate::search::Trail;

/// The most formulas that permutations of the target may produce.
const MAX_TARGETS: usize = 600;

/// What may be permuted, and what the target then becomes.
pub(crate) struct Exchangeable {
    pub(crate) symmetries: Vec<Symmetry>,
    /// The target in all permutations.
    pub(crate) target: Formula,
    /// For each of them, the permutation.
    arrangements: Vec<Arrangement>,
}

impl Exchangeable {
    /// The symmetries of `network` that can be used for a question about `target`; `None` if there are none.
    pub(crate) fn new(network: &Network, target: &Formula) -> Option<Exchangeable> {
        let symmetries = find(network);
        if symmetries.is_empty() {
            return None;
        }
        let orbit = network.orbit(&symmetries, target, MAX_TARGETS)?;
        let (targets, arrangements): (Vec<Formula>, Vec<Arrangement>) = orbit.into_iter().unzip();
        Some(Exchangeable { symmetries, target: Formula::Or(targets), arrangements })
    }

    /// The moves of runs along `trail`, one of which leads to the target of the original question.
    pub(crate) fn paths(&self, network: &Network, trail: &Trail) -> impl Iterator<Item = Vec<u32>> {
        let nothing = symmetry::identity(&self.symmetries);
        let whole = trail.turns.iter().fold(nothing, |all, turn| symmetry::composed(&all, turn));
        let back = symmetry::inverse(&whole);
        let starts = self.arrangements.iter().map(move |wanted| symmetry::composed(wanted, &back));
        starts.filter_map(move |start| self.path(network, trail, start))
    }

    /// The moves of the run along `trail` that starts in an arrangement.
    fn path(&self, network: &Network, trail: &Trail, start: Arrangement) -> Option<Vec<u32>> {
        let mut moves = Moves::new(network);
        let (mut shown, mut actual) = (network.initial(), network.initial());
        let mut places = start;
        let mut path = Vec::with_capacity(trail.moves.len());
        for (number, turn) in trail.moves.iter().zip(&trail.turns) {
            let step = moves.situation(&shown).ok()?.moves.into_iter().nth(*number as usize)?;
            let (after, effects) = moves.fire(&shown, &step.participants).ok()?;
            let next = network.arranged(&self.symmetries, &symmetry::inverse(&places), &after);
            let wanted = Wanted::new(&self.symmetries, &places, &step, &effects);
            let candidates = moves.situation(&actual).ok()?.moves;
            let number = candidates.iter().position(|candidate| {
                let fired = moves.fire(&actual, &candidate.participants);
                fired.is_ok_and(|(state, effects)| state == next && wanted.is_met(candidate, &effects))
            })?;
            path.push(number as u32);
            shown = network.arranged(&self.symmetries, turn, &after);
            places = symmetry::composed(&places, turn);
            actual = next;
        }
        Some(path)
    }
}

/// What a move of a run has to do.
struct Wanted {
    guard: Vec<Difference>,
    effects: Vec<ClockEffect>,
}

impl Wanted {
    fn new(symmetries: &[Symmetry], places: &Arrangement, step: &Move, effects: &[ClockEffect]) -> Wanted {
        let clock = |clock: ClockId| symmetry::source_of(symmetries, places, clock);
        let difference =
            |one: &Difference| Difference { left: one.left.map(clock), right: one.right.map(clock), ..*one };
        let effect = |one: &ClockEffect| ClockEffect { clock: clock(one.clock), ..*one };
        Wanted {
            guard: step.guard.iter().map(difference).collect(),
            effects: effects.iter().map(effect).collect(),
        }
    }

    fn is_met(&self, step: &Move, effects: &[ClockEffect]) -> bool {
        step.guard.len() == self.guard.len()
            && effects.len() == self.effects.len()
            && self.guard.iter().all(|one| step.guard.contains(one))
            && step.guard.iter().all(|one| self.guard.contains(one))
            && self.effects.iter().all(|one| effects.contains(one))
    }
}

/// Symmetries of `network` that exchange different things.
fn find(network: &Network) -> Vec<Symmetry> {
    let mut list: Vec<Symmetry> = Vec::new();
    let mut is_used = vec![false; network.processes.len()];
    for first in network.processes.indices() {
        if is_used[first.index()] {
            continue;
        }
        let others = network.processes.indices().skip(first.index() + 1).filter(|id| !is_used[id.index()]);
        let pairings = others.filter_map(|other| Some((other, Pairing::new(network, first, other)?)));
        let Some((members, symmetry)) = proposal(network, first, pairings.collect()) else { continue };
        members.iter().for_each(|member| is_used[member.index()] = true);
        list.push(symmetry);
        let is_possible = list.last().is_some_and(|symmetry| network.has_symmetry(symmetry));
        if !is_possible || !Network::are_independent(&list) {
            list.pop();
        }
    }
    list
}

/// The units of `first` and those that it is paired with.
fn proposal(
    network: &Network,
    first: ProcessId,
    mut pairings: Vec<(ProcessId, Pairing)>,
) -> Option<(Vec<ProcessId>, Symmetry)> {
    let (_, model) = pairings.first()?;
    let (cells, clocks) = (keys(&model.cells), keys(&model.clocks));
    let (channels, value) = (keys(&model.channels), model.value.map(|(own, _)| own));
    pairings.retain(|(_, pairing)| {
        keys(&pairing.cells) == cells
            && keys(&pairing.clocks) == clocks
            && keys(&pairing.channels) == channels
            && pairing.value.map(|(own, _)| own) == value
    });
    let mut pointers: BTreeSet<usize> = BTreeSet::new();
    let mut units = vec![unit(first, &cells, &clocks, &channels, value)];
    for (process, pairing) in &pairings {
        let other = |map: &BTreeMap<usize, usize>| map.values().copied().collect::<Vec<usize>>();
        let value = pairing.value.map(|(_, other)| other);
        let parts = (other(&pairing.cells), other(&pairing.clocks), other(&pairing.channels));
        units.push(unit(*process, &parts.0, &parts.1, &parts.2, value));
        pointers.extend(&pairing.pointers);
    }
    let members = std::iter::once(first).chain(pairings.iter().map(|(process, _)| *process)).collect();
    let mut symmetry = Symmetry { units, pointers: Vec::new() };
    complete(network, &mut symmetry, pointers);
    Some((members, symmetry))
}

fn keys(map: &BTreeMap<usize, usize>) -> Vec<usize> {
    map.keys().copied().collect()
}

fn unit(
    process: ProcessId,
    cells: &[usize],
    clocks: &[usize],
    channels: &[usize],
    value: Option<i32>,
) -> Unit {
    Unit {
        processes: vec![process],
        cells: cells.iter().map(|cell| *cell as u32).collect(),
        clocks: clocks.iter().map(|clock| ClockId::from(*clock)).collect(),
        channels: channels.iter().map(|channel| ChannelId::from(*channel)).collect(),
        value,
    }
}

/// What two processes have in the same places of their edges.
#[derive(Default)]
struct Pairing {
    cells: BTreeMap<usize, usize>,
    clocks: BTreeMap<usize, usize>,
    channels: BTreeMap<usize, usize>,
    value: Option<(i32, i32)>,
    pointers: BTreeSet<usize>,
}

impl Pairing {
    fn new(network: &Network, one: ProcessId, other: ProcessId) -> Option<Pairing> {
        let (left, right) = (&network.processes[one], &network.processes[other]);
        let is_alike = left.locations.len() == right.locations.len()
            && left.edges.len() == right.edges.len()
            && left.initial == right.initial
            && left.locations.iter().zip(&right.locations).all(|(one, other)| one.name == other.name);
        let mut pairing = Pairing::default();
        (is_alike && pairing.processes(left, right)).then_some(pairing)
    }

    fn processes(&mut self, left: &Process, right: &Process) -> bool {
        let mut locations = left.locations.iter().zip(&right.locations);
        let mut edges = left.edges.iter().zip(&right.edges);
        locations.all(|(one, other)| self.guards(&one.invariant, &other.invariant))
            && edges.all(|(one, other)| {
                one.source == other.source
                    && one.target == other.target
                    && self.guards(&one.guard, &other.guard)
                    && self.syncs(&one.sync, &other.sync)
                    && self.statements(&one.update, &other.update)
            })
    }

    fn guards(&mut self, left: &Guard, right: &Guard) -> bool {
        left.data.len() == right.data.len()
            && left.clocks.len() == right.clocks.len()
            && left.data.iter().zip(&right.data).all(|(one, other)| self.exprs(one, other))
            && left.clocks.iter().zip(&right.clocks).all(|(one, other)| self.atoms(one, other))
    }

    fn atoms(&mut self, left: &ClockAtom, right: &ClockAtom) -> bool {
        let when = match (&left.when, &right.when) {
            (None, None) => true,
            (Some(one), Some(other)) => self.exprs(one, other),
            _ => false,
        };
        let minus = match (&left.minus, &right.minus) {
            (None, None) => true,
            (Some(one), Some(other)) => self.clock_refs(one, other),
            _ => false,
        };
        when && minus
            && left.relation == right.relation
            && self.clock_refs(&left.left, &right.left)
            && self.exprs(&left.bound, &right.bound)
    }

    fn syncs(&mut self, left: &Sync, right: &Sync) -> bool {
        match (left, right) {
            (Sync::Internal, Sync::Internal) | (Sync::Blocked, Sync::Blocked) => true,
            (Sync::Send(one), Sync::Send(other))
            | (Sync::Receive(one), Sync::Receive(other))
            | (Sync::Join(one), Sync::Join(other)) => self.channel_refs(one, other),
            _ => false,
        }
    }

    fn statements(&mut self, left: &[DataStmt], right: &[DataStmt]) -> bool {
        left.len() == right.len()
            && left.iter().zip(right).all(|(one, other)| match (one, other) {
                (DataStmt::Expr(one), DataStmt::Expr(other)) => self.exprs(one, other),
                (DataStmt::SetClock(clock, one), DataStmt::SetClock(further, other)) => {
                    self.clock_refs(clock, further) && self.exprs(one, other)
                }
                (DataStmt::Block(one), DataStmt::Block(other)) => self.statements(one, other),
                (one, other) => one == other,
            })
    }

    fn exprs(&mut self, left: &DataExpr, right: &DataExpr) -> bool {
        match (left, right) {
            (DataExpr::Const(one), DataExpr::Const(other)) => one == other || self.values(*one, *other),
            (DataExpr::Read(one), DataExpr::Read(other)) => self.places(one, other),
            (DataExpr::Unary(op, one), DataExpr::Unary(same, other)) => op == same && self.exprs(one, other),
            (DataExpr::Binary(op, one), DataExpr::Binary(same, other)) => {
                if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
                    self.compared(&one.0, &other.0, &one.1, &other.1);
                    self.compared(&one.1, &other.1, &one.0, &other.0);
                }
                op == same && self.exprs(&one.0, &other.0) && self.exprs(&one.1, &other.1)
            }
            (DataExpr::If(one), DataExpr::If(other)) => {
                self.exprs(&one.0, &other.0) && self.exprs(&one.1, &other.1) && self.exprs(&one.2, &other.2)
            }
            (DataExpr::Assign(one), DataExpr::Assign(other)) => {
                let (place, further) = (
                    DataExpr::Read(Box::new(one.place.clone())),
                    DataExpr::Read(Box::new(other.place.clone())),
                );
                self.compared(&place, &further, &one.value, &other.value);
                one.update == other.update
                    && one.range == other.range
                    && one.yields == other.yields
                    && self.places(&one.place, &other.place)
                    && self.exprs(&one.value, &other.value)
            }
            // Which of the two processes is meant does not matter here.
            (DataExpr::At(_, one), DataExpr::At(_, other)) => one == other,
            (one, other) => one == other,
        }
    }

    /// Places that are compared with different numbers are pointers.
    fn compared(&mut self, left: &DataExpr, right: &DataExpr, one: &DataExpr, other: &DataExpr) {
        let differ = matches!((one, other), (DataExpr::Const(one), DataExpr::Const(other)) if one != other);
        for place in [left, right] {
            if differ && let DataExpr::Read(place) = place {
                self.pointers.extend(cells_of(place));
            }
        }
    }

    fn values(&mut self, one: i32, other: i32) -> bool {
        *self.value.get_or_insert((one, other)) == (one, other)
    }

    fn indices(&mut self, left: &[Index], right: &[Index]) -> bool {
        let open = |index: &&Index| index.known_offset().is_none();
        let (left, right) = (left.iter().filter(open), right.iter().filter(open));
        let pairs: Vec<(&Index, &Index)> = left.clone().zip(right.clone()).collect();
        left.count() == right.count()
            && pairs.into_iter().all(|(one, other)| {
                one.low == other.low
                    && one.size == other.size
                    && one.stride == other.stride
                    && self.exprs(&one.at, &other.at)
            })
    }

    fn places(&mut self, left: &Place, right: &Place) -> bool {
        let (Base::Variable(one), Base::Variable(other)) = (left.base, right.base) else {
            return left == right;
        };
        let (one, other) = (reach(one as usize, &left.indices), reach(other as usize, &right.indices));
        pair(&mut self.cells, one, other) && self.indices(&left.indices, &right.indices)
    }

    fn clock_refs(&mut self, left: &ClockRef, right: &ClockRef) -> bool {
        let (one, other) =
            (reach(left.base.index(), &left.indices), reach(right.base.index(), &right.indices));
        pair(&mut self.clocks, one, other) && self.indices(&left.indices, &right.indices)
    }

    fn channel_refs(&mut self, left: &ChannelRef, right: &ChannelRef) -> bool {
        let (one, other) =
            (reach(left.base.index(), &left.indices), reach(right.base.index(), &right.indices));
        pair(&mut self.channels, one, other) && self.indices(&left.indices, &right.indices)
    }
}

/// Pairs what differs; `false` if it is paired with something else.
fn pair(
    map: &mut BTreeMap<usize, usize>,
    left: std::ops::Range<usize>,
    right: std::ops::Range<usize>,
) -> bool {
    left.len() == right.len()
        && left.zip(right).all(|(one, other)| one == other || *map.entry(one).or_insert(other) == other)
}

/// The cells that indices may lead to.
fn reach(base: usize, indices: &[Index]) -> std::ops::Range<usize> {
    let known: usize = indices.iter().filter_map(Index::known_offset).sum();
    let open = indices.iter().filter(|index| index.known_offset().is_none());
    let span: usize = open.map(|index| index.size.saturating_sub(1) as usize * index.stride as usize).sum();
    base + known..base + known + span + 1
}

fn cells_of(place: &Place) -> std::ops::Range<usize> {
    match place.base {
        Base::Variable(cell) => reach(cell as usize, &place.indices),
        _ => 0..0,
    }
}

/// Adds the pointers that follow from `pointers`, and the elements of arrays that they are indices of.
fn complete(network: &Network, symmetry: &mut Symmetry, mut pointers: BTreeSet<usize>) {
    if symmetry.units[0].value.is_none() {
        return;
    }
    let mut links = Links::default();
    for process in &network.processes {
        process.locations.iter().for_each(|location| links.guard(&location.invariant));
        for edge in &process.edges {
            links.guard(&edge.guard);
            if let Sync::Send(channel) | Sync::Receive(channel) | Sync::Join(channel) = &edge.sync {
                links.elements.extend(element(ArrayKind::Channel, channel.base.index(), &channel.indices));
            }
            edge.update.iter().for_each(|statement| links.statement(statement));
        }
    }
    loop {
        let before = (pointers.len(), symmetry.units[0].cells.len());
        for (one, other) in &links.equal {
            if one.iter().chain(other).any(|cell| pointers.contains(cell)) {
                pointers.extend(one.iter().chain(other));
            }
        }
        for element in &links.elements {
            if element.index.iter().any(|cell| pointers.contains(cell)) {
                element.join(symmetry);
            }
        }
        for position in 0..symmetry.units[0].cells.len() {
            let column = || symmetry.units.iter().map(|unit| unit.cells[position] as usize);
            if column().any(|cell| pointers.contains(&cell)) {
                pointers.extend(column().collect::<Vec<_>>());
            }
        }
        if before == (pointers.len(), symmetry.units[0].cells.len()) {
            break;
        }
    }
    symmetry.pointers = pointers.into_iter().map(|cell| cell as u32).collect();
}

/// What an array consists of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ArrayKind {
    Cell,
    Clock,
    Channel,
}

/// An element of an array with a variable as index.
struct Element {
    kind: ArrayKind,
    /// The cells that the index may be.
    index: Vec<usize>,
    base: usize,
    low: i32,
    size: u32,
    stride: u32,
}

impl Element {
    /// Adds the elements to the units by whose values they are found.
    fn join(&self, symmetry: &mut Symmetry) {
        let at = |unit: &Unit| {
            let offset = u32::try_from(i64::from(unit.value?) - i64::from(self.low)).ok()?;
            (offset < self.size).then(|| self.base + offset as usize * self.stride as usize)
        };
        let Some(items) = symmetry.units.iter().map(at).collect::<Option<Vec<usize>>>() else { return };
        for (unit, item) in symmetry.units.iter_mut().zip(items) {
            match self.kind {
                ArrayKind::Cell if !unit.cells.contains(&(item as u32)) => unit.cells.push(item as u32),
                ArrayKind::Clock if !unit.clocks.contains(&ClockId::from(item)) => {
                    unit.clocks.push(ClockId::from(item));
                }
                ArrayKind::Channel if !unit.channels.contains(&ChannelId::from(item)) => {
                    unit.channels.push(ChannelId::from(item));
                }
                _ => {}
            }
        }
    }
}

/// The element of an array, if one index is a variable and the others are known.
fn element(kind: ArrayKind, base: usize, indices: &[Index]) -> Option<Element> {
    let known: usize = indices.iter().filter_map(Index::known_offset).sum();
    let mut open = indices.iter().filter(|index| index.known_offset().is_none());
    let (index, None) = (open.next()?, open.next()) else { return None };
    let DataExpr::Read(place) = &index.at else { return None };
    Some(Element {
        kind,
        index: cells_of(place).collect(),
        base: base + known,
        low: index.low,
        size: index.size,
        stride: index.stride,
    })
}

/// Which variables may get values from each other, and which are indices.
#[derive(Default)]
struct Links {
    equal: Vec<(Vec<usize>, Vec<usize>)>,
    elements: Vec<Element>,
}

impl Links {
    fn guard(&mut self, guard: &Guard) {
        guard.data.iter().for_each(|condition| self.expr(condition));
        for atom in &guard.clocks {
            self.clock(&atom.left);
            atom.minus.iter().for_each(|clock| self.clock(clock));
            atom.when.iter().for_each(|condition| self.expr(condition));
            self.expr(&atom.bound);
        }
    }

    fn clock(&mut self, clock: &ClockRef) {
        self.elements.extend(element(ArrayKind::Clock, clock.base.index(), &clock.indices));
        clock.indices.iter().for_each(|index| self.expr(&index.at));
    }

    fn statement(&mut self, statement: &DataStmt) {
        match statement {
            DataStmt::Expr(expr) => self.expr(expr),
            DataStmt::SetClock(clock, value) => {
                self.clock(clock);
                self.expr(value);
            }
            DataStmt::Block(statements) => statements.iter().for_each(|one| self.statement(one)),
            // Symmetries with pointers in such statements are not found.
            DataStmt::Copy(..)
            | DataStmt::If(..)
            | DataStmt::While(..)
            | DataStmt::DoWhile(..)
            | DataStmt::Return(_) => {}
        }
    }

    fn expr(&mut self, expr: &DataExpr) {
        match expr {
            DataExpr::Const(_) | DataExpr::At(..) | DataExpr::Call(..) => {}
            DataExpr::Read(place) => self.place(place),
            DataExpr::Unary(_, operand) => self.expr(operand),
            DataExpr::Binary(op, operands) => {
                if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
                    self.link(&operands.0, &operands.1);
                }
                self.expr(&operands.0);
                self.expr(&operands.1);
            }
            DataExpr::If(parts) => {
                [&parts.0, &parts.1, &parts.2].into_iter().for_each(|one| self.expr(one));
            }
            DataExpr::Assign(assign) => {
                self.link(&DataExpr::Read(Box::new(assign.place.clone())), &assign.value);
                self.place(&assign.place);
                self.expr(&assign.value);
            }
        }
    }

    fn place(&mut self, place: &Place) {
        if let Base::Variable(cell) = place.base {
            self.elements.extend(element(ArrayKind::Cell, cell as usize, &place.indices));
        }
        place.indices.iter().for_each(|index| self.expr(&index.at));
    }

    fn link(&mut self, one: &DataExpr, other: &DataExpr) {
        if let (DataExpr::Read(one), DataExpr::Read(other)) = (one, other) {
            self.equal.push((cells_of(one).collect(), cells_of(other).collect()));
        }
    }
}
