//! Whether exchanging units maps a network to itself.
//!
//! An exchange `g` is an automorphism if it maps the initial state to itself and every move from `s` to `s'` to a move from `g(s)` to
//! `g(s')` with the same constraints on the exchanged clocks. For that, the locations and edges of each process, after the exchange, must be those of the
//! process that takes its place. Receivers of a broadcast update in the order of the processes, which an exchange changes; so the updates of
//! exchanged receivers must not depend on what other receivers do.

use rustc_hash::FxHashSet;

use super::exchange::Exchange;
use super::{Arrangement, Symmetry, normal};
use crate::xta::{
    Argument, Base, ChannelKind, ChannelRef, Copied, DataExpr, DataStmt, Edge, Formula, Index, Network,
    Place, ProcessId, Sync, Update,
};

/// Whether the units have corresponding parts that exist and differ from each other.
pub(super) fn has_shape(network: &Network, symmetry: &Symmetry) -> bool {
    let Some(first) = symmetry.units.first() else { return false };
    let fits = symmetry.units.iter().all(|unit| {
        unit.processes.len() == first.processes.len()
            && unit.cells.len() == first.cells.len()
            && unit.clocks.len() == first.clocks.len()
            && unit.channels.len() == first.channels.len()
            && unit.value.is_some() == first.value.is_some()
            && unit.processes.iter().all(|process| process.index() < network.processes.len())
            && unit.cells.iter().all(|cell| (*cell as usize) < network.variables.len())
            && unit.clocks.iter().all(|clock| clock.index() < network.clocks.len())
            && unit.channels.iter().all(|channel| channel.index() < network.channels.len())
    });
    let pointers_exist = symmetry.pointers.iter().all(|cell| (*cell as usize) < network.variables.len());
    let have_values = symmetry.pointers.is_empty() || first.value.is_some();
    // Whether pointers in units are the same in all of them.
    let pointers_fit = symmetry.units.iter().all(|unit| {
        let mut pairs = unit.cells.iter().zip(&first.cells);
        pairs.all(|(one, other)| symmetry.is_pointer(*one) == symmetry.is_pointer(*other))
    });
    let values: Vec<i32> = symmetry.units.iter().filter_map(|unit| unit.value).collect();
    fits && pointers_exist
        && have_values
        && pointers_fit
        && symmetry.units.len() <= usize::from(u16::MAX)
        && are_different(values)
        && are_independent(std::slice::from_ref(symmetry))
}

/// Whether nothing belongs to two units.
pub(super) fn are_independent(symmetries: &[Symmetry]) -> bool {
    let units = || symmetries.iter().flat_map(|symmetry| &symmetry.units);
    are_different(units().flat_map(|unit| unit.processes.clone()))
        && are_different(units().flat_map(|unit| unit.cells.clone()))
        && are_different(units().flat_map(|unit| unit.clocks.clone()))
        && are_different(units().flat_map(|unit| unit.channels.clone()))
        && are_different(symmetries.iter().flat_map(|symmetry| symmetry.pointers.clone()))
}

fn are_different<T: std::hash::Hash + Eq>(items: impl IntoIterator<Item = T>) -> bool {
    let mut seen = FxHashSet::default();
    items.into_iter().all(|item| seen.insert(item))
}

/// Normal forms of the parts of a network.
pub(super) struct Forms {
    /// The locations of each process, then its edges, sorted.
    processes: Vec<(Vec<String>, Vec<String>)>,
    updates: String,
}

impl Forms {
    pub(super) fn new(network: &Network) -> Option<Forms> {
        Forms::after(network, &Exchange::none(network))
    }

    /// The forms after an exchange; `None` if something cannot be exchanged.
    fn after(network: &Network, exchange: &Exchange<'_>) -> Option<Forms> {
        let mut processes = vec![(Vec::new(), Vec::new()); network.processes.len()];
        for (id, process) in network.processes.iter_enumerated() {
            let mut locations = Vec::with_capacity(process.locations.len() + 1);
            for location in &process.locations {
                let invariant = normal::guard(network, &exchange.guard(&location.invariant)?);
                locations.push(format!("{:?} {invariant}", location.urgency));
            }
            locations.push(format!("{:?}", process.initial));
            let edges = process.edges.iter().map(|edge| edge_form(network, exchange, edge));
            let mut edges = edges.collect::<Option<Vec<String>>>()?;
            edges.sort_unstable();
            processes[exchange.process(id).index()] = (locations, edges);
        }
        let updates =
            (exchange.statements(&network.before_update)?, exchange.statements(&network.after_update)?);
        Some(Forms { processes, updates: format!("{updates:?}") })
    }

    /// Whether an exchange of two units maps the network to itself.
    pub(super) fn are_kept(&self, network: &Network, symmetry: &Symmetry, units: (usize, usize)) -> bool {
        let exchange = Exchange::new(network, symmetry, units);
        keeps_variables(network, &exchange)
            && keeps_channels(network, &exchange)
            && Forms::after(network, &exchange)
                .is_some_and(|forms| forms.processes == self.processes && forms.updates == self.updates)
    }
}

fn edge_form(network: &Network, exchange: &Exchange<'_>, edge: &Edge) -> Option<String> {
    let guard = normal::guard(network, &exchange.guard(&edge.guard)?);
    let (sync, update) = (exchange.sync(&edge.sync)?, exchange.statements(&edge.update)?);
    Some(format!("{:?} {:?} {guard} {sync:?} {update:?}", edge.source, edge.target))
}

fn keeps_variables(network: &Network, exchange: &Exchange<'_>) -> bool {
    network.variables.iter().enumerate().all(|(cell, variable)| {
        let (other, carries) = (&network.variables[exchange.cell(cell)], exchange.carried(cell));
        variable.range == other.range
            && exchange.keeps_range(variable.range, carries)
            && exchange.value(variable.initial, carries) == other.initial
            && exchange.carried(exchange.cell(cell)) == carries
    })
}

fn keeps_channels(network: &Network, exchange: &Exchange<'_>) -> bool {
    let are_equal = network.channels.iter_enumerated().all(|(id, channel)| {
        let other = &network.channels[exchange.channel_id(id)];
        let kind = match &channel.kind {
            ChannelKind::Joint(members) => {
                let mut members: Vec<ProcessId> =
                    members.iter().map(|process| exchange.process(*process)).collect();
                members.sort_unstable();
                ChannelKind::Joint(members)
            }
            other => other.clone(),
        };
        kind == other.kind && channel.is_urgent == other.is_urgent
    });
    let have_priorities = network.priorities.as_ref().is_none_or(|priorities| {
        let channels = network.channels.indices();
        let mut channels = channels.map(|id| (id, exchange.channel_id(id)));
        let mut processes = network.processes.indices().map(|id| (id, exchange.process(id)));
        channels.all(|(one, other)| {
            priorities.channels.get(one.index()) == priorities.channels.get(other.index())
        }) && processes.all(|(one, other)| {
            priorities.processes.get(one.index()) == priorities.processes.get(other.index())
        })
    });
    are_equal && have_priorities
}

/// Whether receivers among the units update independently of other receivers of the same broadcast.
pub(super) fn updates_commute(network: &Network, symmetry: &Symmetry) -> bool {
    let mut receivers = Vec::new();
    for (id, process) in network.processes.iter_enumerated() {
        for edge in &process.edges {
            if let Some(channels) = shared_channels(network, &edge.sync) {
                receivers.push((id, channels, Use::of(network, &edge.update)));
            }
        }
    }
    let is_moved = |process: ProcessId| symmetry.units.iter().any(|unit| unit.processes.contains(&process));
    let moved = receivers.iter().filter(|(process, ..)| is_moved(*process));
    moved.clone().all(|(process, channels, used)| {
        let others = receivers.iter().filter(|(other, further, _)| {
            other != process && channels.start < further.end && further.start < channels.end
        });
        let mut others = others.map(|(_, _, other)| other);
        others.all(|other| used.is_independent(other) && other.is_independent(used))
    })
}

/// The channels over which an edge may be taken as one of several that are ordered by their processes.
fn shared_channels(network: &Network, sync: &Sync) -> Option<std::ops::Range<usize>> {
    let (Sync::Receive(channel) | Sync::Join(channel)) = sync else { return None };
    let is_shared = !matches!(network.channels[channel.base].kind, ChannelKind::Binary);
    is_shared.then(|| reach_of_channel(channel))
}

fn reach_of_channel(channel: &ChannelRef) -> std::ops::Range<usize> {
    let (offset, span) = reach(&channel.indices);
    channel.base.index() + offset..channel.base.index() + offset + span
}

/// Where indices may lead: the least offset, and how many cells there are.
fn reach(indices: &[Index]) -> (usize, usize) {
    let known: usize = indices.iter().filter_map(Index::known_offset).sum();
    let open = indices.iter().filter(|index| index.known_offset().is_none());
    let span: usize = open.map(|index| index.size.saturating_sub(1) as usize * index.stride as usize).sum();
    (known, span + 1)
}

/// What an update reads and writes.
#[derive(Default)]
struct Use {
    read: FxHashSet<usize>,
    written: FxHashSet<usize>,
    clocks: FxHashSet<usize>,
    /// Whether that is not known.
    is_open: bool,
}

impl Use {
    fn of(network: &Network, update: &[DataStmt]) -> Use {
        let mut used = Use::default();
        update.iter().for_each(|statement| used.statement(statement));
        // What happens at the end of every move sees all of them.
        used.is_open |= !network.before_update.is_empty() || !network.after_update.is_empty();
        used
    }

    /// Whether this does not change what `other` does, and sets nothing that `other` sets.
    fn is_independent(&self, other: &Use) -> bool {
        let is_alone = |cell: &usize| !other.read.contains(cell) && !other.written.contains(cell);
        let changes_nothing = self.written.is_empty() && self.clocks.is_empty() && !self.is_open;
        changes_nothing
            || !self.is_open
                && !other.is_open
                && self.written.iter().all(is_alone)
                && self.clocks.is_disjoint(&other.clocks)
    }

    fn statement(&mut self, statement: &DataStmt) {
        match statement {
            DataStmt::Expr(expr) => self.expr(expr),
            DataStmt::SetClock(clock, value) => {
                let (offset, span) = reach(&clock.indices);
                let first = clock.base.index() + offset;
                self.clocks.extend(first..first + span);
                clock.indices.iter().for_each(|index| self.expr(&index.at));
                self.expr(value);
            }
            DataStmt::Copy(to, from) => {
                let size = match from {
                    Copied::Place(place, size) => {
                        self.place(place, *size as usize, Access::Read);
                        *size as usize
                    }
                    Copied::Values(values) => values.len(),
                };
                self.place(to, size, Access::Write);
            }
            DataStmt::Block(_)
            | DataStmt::If(..)
            | DataStmt::While(..)
            | DataStmt::DoWhile(..)
            | DataStmt::Return(_) => self.is_open = true,
        }
    }

    fn expr(&mut self, expr: &DataExpr) {
        match expr {
            DataExpr::Const(_) => {}
            DataExpr::Read(place) => self.place(place, 1, Access::Read),
            DataExpr::Unary(_, operand) => self.expr(operand),
            DataExpr::Binary(_, operands) => {
                [&operands.0, &operands.1].into_iter().for_each(|one| self.expr(one))
            }
            DataExpr::If(parts) => {
                [&parts.0, &parts.1, &parts.2].into_iter().for_each(|one| self.expr(one));
            }
            DataExpr::Assign(assign) => {
                self.expr(&assign.value);
                self.place(&assign.place, 1, Access::Write);
                if assign.update != Update::Set {
                    self.place(&assign.place, 1, Access::Read);
                }
            }
            DataExpr::Call(_, arguments) => {
                self.is_open = true;
                for argument in arguments {
                    if let Argument::Value(expr, _) = argument {
                        self.expr(expr);
                    }
                }
            }
            // Receivers change their locations while others update.
            DataExpr::At(..) => self.is_open = true,
        }
    }

    fn place(&mut self, place: &Place, size: usize, access: Access) {
        place.indices.iter().for_each(|index| self.expr(&index.at));
        let (offset, span) = reach(&place.indices);
        match place.base {
            Base::Constant(_) => {}
            Base::Local(_) | Base::Reference(..) => self.is_open = true,
            Base::Variable(cell) => {
                let first = cell as usize + offset;
                let cells = first..first + span + size - 1;
                match access {
                    Access::Read => self.read.extend(cells),
                    Access::Write => self.written.extend(cells),
                }
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Access {
    Read,
    Write,
}

/// See [`Network::orbit`].
pub(super) fn orbit(
    network: &Network,
    symmetries: &[Symmetry],
    formula: &Formula,
    limit: usize,
) -> Option<Vec<(Formula, Arrangement)>> {
    let first = Exchange::none(network).formula(formula)?;
    let mut seen = FxHashSet::from_iter([normal::formula(network, &first)]);
    let mut list = vec![(first, super::identity(symmetries))];
    let mut next = 0;
    while next < list.len() {
        for (number, symmetry) in symmetries.iter().enumerate() {
            for unit in 1..symmetry.units.len() {
                let (formula, arrangement) = &list[next];
                let exchanged = Exchange::new(network, symmetry, (unit - 1, unit)).formula(formula)?;
                if seen.insert(normal::formula(network, &exchanged)) {
                    let mut exchange = super::identity(symmetries);
                    exchange[number].swap(unit - 1, unit);
                    let arrangement = super::composed(arrangement, &exchange);
                    list.push((exchanged, arrangement));
                }
                if list.len() > limit {
                    return None;
                }
            }
        }
        next += 1;
    }
    Some(list)
}
