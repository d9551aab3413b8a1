//! Which variables may still be read, by location.
//!
//! # Method
//! For each process the variables that it may read before it writes them are propagated against its edges, as in compilers. Writes of other
//! processes are ignored, which is safe. A variable is live in a state if it is live for some process.
//!
//! # Views
//! A process such as a controller that executes a part of itself in every cycle would keep everything live for ever, because its guards could be
//! evaluated in any state. But they are evaluated only where the partner of the synchronisation is ready too, so their reads may be attributed
//! to the partner instead. Each way to attribute reads is a view that is correct on its own.

use thetis_model::xta::{
    Argument, Base, ChannelKind, ChannelRef, ClockRef, Copied, DataExpr, DataStmt, Edge, Formula, FunctionId,
    Guard, Index, LiveVariables, LiveView, Network, Place, Process, ProcessId, Sync, Update, Yields,
};

/// A set of variables.
#[derive(Clone, PartialEq, Eq)]
struct Cells(Vec<u64>);

impl Cells {
    fn none(network: &Network) -> Cells {
        Cells(vec![0; network.variables.len().div_ceil(64)])
    }

    fn insert(&mut self, cell: usize) {
        self.0[cell / 64] |= 1 << (cell % 64);
    }

    fn contains(&self, cell: usize) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 == 1
    }

    fn add(&mut self, other: &Cells) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, more)| *own |= more);
    }

    fn without(&self, other: &Cells) -> Cells {
        Cells(self.0.iter().zip(&other.0).map(|(own, less)| own & !less).collect())
    }

    fn list(&self) -> Vec<u32> {
        let all = 0..self.0.len() * 64;
        all.filter(|cell| self.contains(*cell)).map(|cell| cell as u32).collect()
    }
}

/// For whom the reads of a synchronisation count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CountedFor {
    /// For whoever reads.
    Reader,
    /// For the receiver of a binary channel.
    Receiver,
    /// For the sender.
    Sender,
}

/// What an edge reads and writes.
struct EdgeUse {
    /// Read before it is written.
    read: Cells,
    /// Written for sure.
    written: Cells,
}

/// The live variables of `network` for a question about `target`; `None` if all of them are live everywhere.
pub(crate) fn live_variables(network: &Network, target: &Formula) -> Option<LiveVariables> {
    let mut reads = Reads::new(network);
    reads.formula(target);
    reads.statements(&network.before_update);
    reads.statements(&network.after_update);
    let always = reads.read;
    let uses = network.processes.iter().map(|process| {
        let edges = process.edges.iter().map(|edge| edge_use(network, edge));
        edges.collect::<Vec<EdgeUse>>()
    });
    let uses: Vec<Vec<EdgeUse>> = uses.collect();
    let views = [CountedFor::Reader, CountedFor::Receiver, CountedFor::Sender];
    let views = views.map(|counted| view(network, &always, &uses, counted));
    let may_die = views.iter().any(|view| {
        let is_live_for = |cell: u32, process: &Vec<Vec<u32>>| process.iter().all(|at| at.contains(&cell));
        (0..network.variables.len() as u32).any(|cell| {
            !view.always.contains(&cell) && !view.processes.iter().any(|process| is_live_for(cell, process))
        })
    });
    may_die.then(|| {
        let mut list: Vec<LiveView> = Vec::new();
        for view in views {
            if !list.contains(&view) {
                list.push(view);
            }
        }
        LiveVariables { views: list }
    })
}

fn edge_use(network: &Network, edge: &Edge) -> EdgeUse {
    let mut reads = Reads::new(network);
    reads.guard(&edge.guard);
    if let Sync::Send(channel) | Sync::Receive(channel) | Sync::Join(channel) = &edge.sync {
        reads.indices(&channel.indices);
    }
    reads.statements(&edge.update);
    EdgeUse { read: reads.read, written: reads.written }
}

fn view(network: &Network, always: &Cells, uses: &[Vec<EdgeUse>], counted: CountedFor) -> LiveView {
    let processes = network.processes.iter_enumerated().map(|(id, process)| {
        let reads = process.edges.iter().zip(&uses[id.index()]).map(|(edge, own)| {
            let mut read = match gives_away(network, &edge.sync, counted) {
                true => Cells::none(network),
                false => own.read.clone(),
            };
            taken_over(network, id, &edge.sync, counted, uses, &mut read);
            read
        });
        let reads: Vec<Cells> = reads.collect();
        propagated(network, process, &reads, &uses[id.index()])
    });
    let lists = |process: Vec<Cells>| process.iter().map(Cells::list).collect();
    LiveView { always: always.list(), processes: processes.map(lists).collect() }
}

/// Whether the reads of an edge count for its partners.
fn gives_away(network: &Network, sync: &Sync, counted: CountedFor) -> bool {
    let is_binary = |channel: &ChannelRef| network.channels[channel.base].kind == ChannelKind::Binary;
    match (sync, counted) {
        (Sync::Send(channel), CountedFor::Receiver) => is_binary(channel),
        // Whether somebody receives a broadcast matters only when it is sent.
        (Sync::Receive(_), CountedFor::Sender) => true,
        _ => false,
    }
}

/// Adds what the partners of an edge give away.
fn taken_over(
    network: &Network,
    process: ProcessId,
    sync: &Sync,
    counted: CountedFor,
    uses: &[Vec<EdgeUse>],
    read: &mut Cells,
) {
    let own = match (sync, counted) {
        (Sync::Receive(channel), CountedFor::Receiver) | (Sync::Send(channel), CountedFor::Sender) => channel,
        _ => return,
    };
    for (other, partner) in network.processes.iter_enumerated().filter(|(other, _)| *other != process) {
        for (edge, used) in partner.edges.iter().zip(&uses[other.index()]) {
            let channel = match (&edge.sync, counted) {
                (Sync::Send(channel), CountedFor::Receiver)
                | (Sync::Receive(channel), CountedFor::Sender) => channel,
                _ => continue,
            };
            let (one, other) =
                (reach(own.base.index(), &own.indices), reach(channel.base.index(), &channel.indices));
            if one.start < other.end && other.start < one.end && gives_away(network, &edge.sync, counted) {
                read.add(&used.read);
            }
        }
    }
}

/// The live variables of each location, propagated until nothing changes.
fn propagated(network: &Network, process: &Process, reads: &[Cells], uses: &[EdgeUse]) -> Vec<Cells> {
    let mut live: Vec<Cells> = Vec::with_capacity(process.locations.len());
    for location in &process.locations {
        let mut reads = Reads::new(network);
        reads.guard(&location.invariant);
        live.push(reads.read);
    }
    for (edge, read) in process.edges.iter().zip(reads) {
        live[edge.source.index()].add(read);
    }
    loop {
        let before = live.clone();
        for (edge, used) in process.edges.iter().zip(uses) {
            let further = live[edge.target.index()].without(&used.written);
            live[edge.source.index()].add(&further);
        }
        if live == before {
            return live;
        }
    }
}

/// The cells that indices may lead to.
fn reach(base: usize, indices: &[Index]) -> std::ops::Range<usize> {
    let known: usize = indices.iter().filter_map(Index::known_offset).sum();
    let open = indices.iter().filter(|index| index.known_offset().is_none());
    let span: usize = open.map(|index| index.size.saturating_sub(1) as usize * index.stride as usize).sum();
    base + known..base + known + span + 1
}

/// Collects what is read and written, in the order of evaluation.
struct Reads<'n> {
    network: &'n Network,
    read: Cells,
    written: Cells,
    /// The functions that were looked into.
    functions: Vec<FunctionId>,
}

impl<'n> Reads<'n> {
    fn new(network: &'n Network) -> Reads<'n> {
        Reads { network, read: Cells::none(network), written: Cells::none(network), functions: Vec::new() }
    }

    fn formula(&mut self, formula: &Formula) {
        match formula {
            Formula::Data(condition) => self.expr(condition),
            Formula::Clock(atom) => {
                self.guard(&Guard { data: Vec::new(), clocks: vec![atom.clone()], span: None });
            }
            Formula::Deadlock => {}
            Formula::Not(inner) => self.formula(inner),
            Formula::And(parts) | Formula::Or(parts) => parts.iter().for_each(|part| self.formula(part)),
        }
    }

    fn guard(&mut self, guard: &Guard) {
        guard.data.iter().for_each(|condition| self.expr(condition));
        for atom in &guard.clocks {
            atom.when.iter().for_each(|condition| self.expr(condition));
            self.expr(&atom.bound);
            self.clock(&atom.left);
            atom.minus.iter().for_each(|clock| self.clock(clock));
        }
    }

    fn clock(&mut self, clock: &ClockRef) {
        self.indices(&clock.indices);
    }

    fn indices(&mut self, indices: &[Index]) {
        indices.iter().for_each(|index| self.expr(&index.at));
    }

    /// Statements that are all executed. What a single assignment writes is written for sure.
    fn statements(&mut self, statements: &[DataStmt]) {
        for statement in statements {
            self.statement(statement);
            match statement {
                DataStmt::Expr(DataExpr::Assign(assign)) => self.write(&assign.place, 1),
                DataStmt::Copy(to, Copied::Place(_, size)) => self.write(to, *size as usize),
                DataStmt::Copy(to, Copied::Values(values)) => self.write(to, values.len()),
                _ => {}
            }
        }
    }

    fn write(&mut self, place: &Place, size: usize) {
        let offset: Option<usize> = place.indices.iter().map(Index::known_offset).sum();
        if let (Base::Variable(cell), Some(offset)) = (place.base, offset) {
            let first = cell as usize + offset;
            (first..first + size).for_each(|cell| self.written.insert(cell));
        }
    }

    fn statement(&mut self, statement: &DataStmt) {
        match statement {
            DataStmt::Expr(expr) => self.expr(expr),
            DataStmt::Copy(to, from) => {
                if let Copied::Place(place, size) = from {
                    self.place(place, *size as usize);
                }
                self.indices(&to.indices);
            }
            DataStmt::SetClock(clock, value) => {
                self.clock(clock);
                self.expr(value);
            }
            DataStmt::Block(statements) => statements.iter().for_each(|one| self.statement(one)),
            DataStmt::If(condition, then, otherwise) => {
                self.expr(condition);
                self.statement(then);
                self.statement(otherwise);
            }
            DataStmt::While(condition, body) | DataStmt::DoWhile(body, condition) => {
                self.expr(condition);
                self.statement(body);
            }
            DataStmt::Return(value) => value.iter().for_each(|value| self.expr(value)),
        }
    }

    fn expr(&mut self, expr: &DataExpr) {
        match expr {
            DataExpr::Const(_) | DataExpr::At(..) => {}
            DataExpr::Read(place) => self.place(place, 1),
            DataExpr::Unary(_, operand) => self.expr(operand),
            DataExpr::Binary(_, operands) => {
                self.expr(&operands.0);
                self.expr(&operands.1);
            }
            DataExpr::If(parts) => {
                [&parts.0, &parts.1, &parts.2].into_iter().for_each(|one| self.expr(one));
            }
            DataExpr::Assign(assign) => {
                self.expr(&assign.value);
                match (assign.update, assign.yields) {
                    (Update::Set, Yields::New) => self.indices(&assign.place.indices),
                    _ => self.place(&assign.place, 1),
                }
            }
            DataExpr::Call(function, arguments) => {
                arguments.iter().for_each(|argument| self.argument(argument));
                if !self.functions.contains(function) {
                    self.functions.push(*function);
                    self.statement(&self.network.functions[*function].body);
                }
            }
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match argument {
            Argument::Value(expr, _) => self.expr(expr),
            Argument::Cells(place, size) => self.place(place, *size as usize),
            // How many cells a function reads there is not known.
            Argument::Reference(place) => {
                let rest = match place.base {
                    Base::Variable(cell) => self.network.variables.len() - cell as usize,
                    _ => 0,
                };
                self.place(place, rest);
            }
        }
    }

    fn place(&mut self, place: &Place, size: usize) {
        self.indices(&place.indices);
        if let Base::Variable(cell) = place.base {
            let cells = reach(cell as usize, &place.indices);
            let end = (cells.end + size).saturating_sub(1).min(self.network.variables.len());
            for cell in cells.start..end {
                if !self.written.contains(cell) {
                    self.read.insert(cell);
                }
            }
        }
    }
}
