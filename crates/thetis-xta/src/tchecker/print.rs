//! Networks in TChecker's format.
//!
//! A channel becomes two events, for senders and receivers, and a synchronisation for each pair of processes that can use them; in a
//! broadcast all receivers are weak partners. TChecker has neither functions nor urgent channels, its conditions are conjunctions, and
//! array indices must be constant: everything else is an error that names what cannot be expressed. An update that leaves the range of a
//! variable is an error in a network and only disables the edge in TChecker, so a verdict of TChecker is about networks without such
//! errors.

use std::fmt::Write;

use rustc_hash::FxHashSet;
use thetis_model::xta::{
    Assign, Base, BinaryOp, ChannelId, ChannelKind, ChannelRef, ClockAtom, ClockRef, DataExpr, DataStmt,
    Edge, Guard, Index, Location, Network, Place, Process, ProcessId, Relation, Sync, UnaryOp, Update,
    Urgency,
};

/// The text of `network`, or what cannot be written.
pub fn print(network: &Network) -> Result<String, String> {
    if network.priorities.is_some() {
        return Err("priorities".into());
    }
    if !network.before_update.is_empty() || !network.after_update.is_empty() {
        return Err("updates of every move".into());
    }
    let mut printer = Printer { network, names: Names::new(network), text: "system:network\n\n".to_owned() };
    printer.declarations()?;
    for (id, process) in network.processes.iter_enumerated() {
        printer.process(id, process)?;
    }
    printer.synchronisations();
    Ok(printer.text)
}

/// Names that TChecker accepts, each once.
struct Names {
    variables: Vec<String>,
    clocks: Vec<String>,
    channels: Vec<String>,
    processes: Vec<String>,
}

impl Names {
    fn new(network: &Network) -> Names {
        let mut known = FxHashSet::default();
        let mut own = |name: &str| unique(name, &mut known);
        Names {
            variables: network.variables.iter().map(|variable| own(&variable.name)).collect(),
            clocks: network.clocks.iter().map(|clock| own(&clock.name)).collect(),
            channels: network.channels.iter().map(|channel| own(&channel.name)).collect(),
            processes: network.processes.iter().map(|process| own(&process.name)).collect(),
        }
    }
}

/// `name` reduced to letters, digits and underscores, followed by a number if it is already used.
fn unique(name: &str, known: &mut FxHashSet<String>) -> String {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    let plain = plain.trim_matches('_');
    let plain = if plain.starts_with(|c: char| c.is_ascii_digit()) || plain.is_empty() {
        format!("n{plain}")
    } else {
        plain.to_owned()
    };
    let mut candidate = plain.clone();
    let mut number = 1;
    while !known.insert(candidate.clone()) {
        number += 1;
        candidate = format!("{plain}_{number}");
    }
    candidate
}

struct Printer<'n> {
    network: &'n Network,
    names: Names,
    text: String,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{line}").expect("writing to a string should succeed");
    }

    fn declarations(&mut self) -> Result<(), String> {
        for (variable, name) in self.network.variables.iter().zip(self.names.variables.clone()) {
            let (low, high) = variable.range;
            self.line(&format!("int:1:{low}:{high}:{}:{name}", variable.initial));
        }
        for name in self.names.clocks.clone() {
            self.line(&format!("clock:1:{name}"));
        }
        self.line("event:tau");
        for (channel, name) in self.network.channels.iter().zip(self.names.channels.clone()) {
            if channel.is_urgent {
                return Err(format!("the channel `{}` is urgent", channel.name));
            }
            match channel.kind {
                ChannelKind::Joint(_) => self.line(&format!("event:{name}")),
                ChannelKind::Binary | ChannelKind::Broadcast => {
                    self.line(&format!("event:{name}_send\nevent:{name}_receive"));
                }
            }
        }
        Ok(())
    }

    fn process(&mut self, id: ProcessId, process: &Process) -> Result<(), String> {
        let name = self.names.processes[id.index()].clone();
        self.line(&format!("\nprocess:{name}"));
        let locations = location_names(process);
        for (number, location) in process.locations.iter_enumerated() {
            let mut attributes = self.location(location)?;
            if number == process.initial {
                attributes.insert(0, "initial:".to_owned());
            }
            let place = &locations[number.index()];
            self.line(&format!("location:{name}:{place}{{{}}}", attributes.join(":")));
        }
        for edge in &process.edges {
            let (source, target) = (&locations[edge.source.index()], &locations[edge.target.index()]);
            if let Some(event) = self.event(id, edge)? {
                let attributes = self.edge(edge)?.join(":");
                self.line(&format!("edge:{name}:{source}:{target}:{event}{{{attributes}}}"));
            }
        }
        Ok(())
    }

    fn location(&self, location: &Location) -> Result<Vec<String>, String> {
        let mut attributes = match location.urgency {
            Urgency::None => Vec::new(),
            Urgency::Urgent => vec!["urgent:".to_owned()],
            Urgency::Committed => vec!["committed:".to_owned()],
        };
        let invariant = self.guard(&location.invariant)?;
        if !invariant.is_empty() {
            attributes.push(format!("invariant:{invariant}"));
        }
        Ok(attributes)
    }

    fn edge(&self, edge: &Edge) -> Result<Vec<String>, String> {
        let mut attributes = Vec::new();
        let guard = self.guard(&edge.guard)?;
        if !guard.is_empty() {
            attributes.push(format!("provided:{guard}"));
        }
        let mut updates = Vec::new();
        edge.update.iter().try_for_each(|statement| self.statement(statement, &mut updates))?;
        if !updates.is_empty() {
            attributes.push(format!("do:{}", updates.join(";")));
        }
        Ok(attributes)
    }

    /// The event of an edge; `None` if it is never taken. TChecker takes events without a synchronisation alone, so edges
    /// without a partner are left out.
    fn event(&self, process: ProcessId, edge: &Edge) -> Result<Option<String>, String> {
        let others = |users: Vec<ProcessId>| users.into_iter().any(|other| other != process);
        Ok(match &edge.sync {
            Sync::Internal => Some("tau".to_owned()),
            Sync::Blocked => None,
            Sync::Join(channel) => Some(self.names.channels[channel_number(channel)?].clone()),
            Sync::Send(channel) => {
                let number = channel_number(channel)?;
                let kind = &self.network.channels[ChannelId::from(number)].kind;
                let is_possible =
                    *kind == ChannelKind::Broadcast || others(self.users(number, Role::Receiver));
                is_possible.then(|| format!("{}_send", self.names.channels[number]))
            }
            Sync::Receive(channel) => {
                let number = channel_number(channel)?;
                others(self.users(number, Role::Sender))
                    .then(|| format!("{}_receive", self.names.channels[number]))
            }
        })
    }

    /// The processes with an edge that sends to a channel, or receives from it.
    fn users(&self, channel: usize, role: Role) -> Vec<ProcessId> {
        let is_use = |edge: &Edge| match (&edge.sync, role) {
            (Sync::Send(found), Role::Sender) | (Sync::Receive(found), Role::Receiver) => {
                channel_number(found) == Ok(channel)
            }
            _ => false,
        };
        let processes = self.network.processes.iter_enumerated();
        processes.filter(|(_, process)| process.edges.iter().any(is_use)).map(|(id, _)| id).collect()
    }

    fn clock(&self, clock: &ClockRef) -> Result<&str, String> {
        Ok(&self.names.clocks[clock.base.index() + constant_offset(&clock.indices)?])
    }

    /// One line for each way to synchronise.
    fn synchronisations(&mut self) {
        let channels = 0..self.network.channels.len();
        let lines: Vec<String> = channels.flat_map(|channel| self.vectors(channel)).collect();
        lines.iter().for_each(|line| self.line(line));
    }

    fn vectors(&self, channel: usize) -> Vec<String> {
        let (senders, receivers) = (self.users(channel, Role::Sender), self.users(channel, Role::Receiver));
        let (name, process) =
            (&self.names.channels[channel], |id: &ProcessId| &self.names.processes[id.index()]);
        let sent = |sender: &ProcessId| format!("sync:{}@{name}_send", process(sender));
        let received = |receiver: &ProcessId| format!(":{}@{name}_receive", process(receiver));
        let others = |sender: ProcessId| receivers.iter().filter(move |other| **other != sender);
        match &self.network.channels[ChannelId::from(channel)].kind {
            ChannelKind::Binary => {
                let with_others = |sender: &ProcessId| {
                    others(*sender).map(|other| sent(sender) + &received(other)).collect()
                };
                senders.iter().flat_map(|sender| -> Vec<String> { with_others(sender) }).collect()
            }
            ChannelKind::Broadcast => {
                let weak = |sender: &ProcessId| {
                    others(*sender).map(|other| received(other) + "?").collect::<String>()
                };
                senders.iter().map(|sender| sent(sender) + &weak(sender)).collect()
            }
            ChannelKind::Joint(members) => {
                let members = members.iter().map(|id| format!(":{}@{name}", process(id)));
                vec![format!("sync{}", members.collect::<String>())]
            }
        }
    }

    fn guard(&self, guard: &Guard) -> Result<String, String> {
        let data = guard.data.iter().map(|condition| self.condition(condition));
        let clocks = guard.clocks.iter().map(|atom| self.atom(atom));
        Ok(data.chain(clocks).collect::<Result<Vec<_>, _>>()?.join(" && "))
    }

    /// A conjunction without parentheses around it.
    fn condition(&self, condition: &DataExpr) -> Result<String, String> {
        match condition {
            DataExpr::Binary(BinaryOp::And, operands) => {
                Ok(format!("{} && {}", self.condition(&operands.0)?, self.condition(&operands.1)?))
            }
            DataExpr::Binary(op, operands) => {
                Ok(format!("{}{}{}", self.expr(&operands.0)?, sign(*op)?, self.expr(&operands.1)?))
            }
            other => self.expr(other),
        }
    }

    fn atom(&self, atom: &ClockAtom) -> Result<String, String> {
        if atom.when.is_some() {
            return Err("a bound of a clock that depends on a condition".into());
        }
        let left = match &atom.minus {
            None => self.clock(&atom.left)?.to_owned(),
            Some(minus) => format!("{}-{}", self.clock(&atom.left)?, self.clock(minus)?),
        };
        let relation = match atom.relation {
            Relation::Less => "<",
            Relation::LessEqual => "<=",
            Relation::Equal => "==",
            Relation::GreaterEqual => ">=",
            Relation::Greater => ">",
        };
        Ok(format!("{left}{relation}{}", self.expr(&atom.bound)?))
    }

    fn statement(&self, statement: &DataStmt, updates: &mut Vec<String>) -> Result<(), String> {
        match statement {
            DataStmt::Expr(DataExpr::Assign(assign)) => updates.push(self.assign(assign)?),
            DataStmt::SetClock(clock, value) => {
                updates.push(format!("{}={}", self.clock(clock)?, self.expr(value)?));
            }
            DataStmt::Block(list) => list.iter().try_for_each(|one| self.statement(one, updates))?,
            DataStmt::Expr(DataExpr::Const(_)) => {}
            _ => return Err("an update that is not an assignment of a number".into()),
        }
        Ok(())
    }

    fn assign(&self, assign: &Assign) -> Result<String, String> {
        let place = self.place(&assign.place)?;
        let value = self.expr(&assign.value)?;
        Ok(match assign.update {
            Update::Set => format!("{place}={value}"),
            Update::Apply(op) => format!("{place}={place}{}{value}", sign(op)?),
        })
    }

    fn place(&self, place: &Place) -> Result<&str, String> {
        match place.base {
            Base::Variable(cell) => {
                Ok(&self.names.variables[cell as usize + constant_offset(&place.indices)?])
            }
            _ => Err("a variable of a function".into()),
        }
    }

    fn expr(&self, expr: &DataExpr) -> Result<String, String> {
        Ok(match expr {
            DataExpr::Const(number) if *number < 0 => format!("(0-{})", -i64::from(*number)),
            DataExpr::Const(number) => number.to_string(),
            DataExpr::Read(place) => match place.base {
                Base::Constant(cell) => {
                    let at = cell as usize + constant_offset(&place.indices)?;
                    return self.expr(&DataExpr::Const(self.network.constants[at]));
                }
                _ => self.place(place)?.to_owned(),
            },
            DataExpr::Unary(UnaryOp::Minus, operand) => format!("(0-{})", self.expr(operand)?),
            DataExpr::Unary(UnaryOp::Not, operand) => match &**operand {
                DataExpr::Binary(..) => format!("!{}", self.expr(operand)?),
                other => format!("!({})", self.expr(other)?),
            },
            DataExpr::Binary(op, operands) => {
                format!("({}{}{})", self.expr(&operands.0)?, sign(*op)?, self.expr(&operands.1)?)
            }
            DataExpr::If(parts) => {
                let [condition, then, otherwise] = [&parts.0, &parts.1, &parts.2].map(|part| self.expr(part));
                format!("(if {} then {} else {})", condition?, then?, otherwise?)
            }
            DataExpr::Unary(UnaryOp::Complement, _) => return Err("the operator `~`".into()),
            DataExpr::Assign(_) => return Err("an assignment inside of an expression".into()),
            DataExpr::Call(function, _) => {
                return Err(format!("the function `{}`", self.network.functions[*function].name));
            }
            DataExpr::At(..) => return Err("a condition on the location of a process".into()),
        })
    }
}

/// What a process does on a channel.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Sender,
    Receiver,
}

fn channel_number(channel: &ChannelRef) -> Result<usize, String> {
    Ok(channel.base.index() + constant_offset(&channel.indices)?)
}

/// Where indices lead that are known.
fn constant_offset(indices: &[Index]) -> Result<usize, String> {
    let mut offset = 0;
    for index in indices {
        let cell = index.at.as_const().map(|at| i64::from(at) - i64::from(index.low));
        let cell = cell.filter(|cell| (0..i64::from(index.size)).contains(cell));
        let cell = cell.ok_or("an index that depends on data")?;
        offset += cell as usize * index.stride as usize;
    }
    Ok(offset)
}

fn location_names(process: &Process) -> Vec<String> {
    let mut known = FxHashSet::default();
    process.locations.iter().map(|location| unique(&location.name, &mut known)).collect()
}

fn sign(op: BinaryOp) -> Result<&'static str, String> {
    Ok(match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Modulo => "%",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::And => " && ",
        BinaryOp::Or => return Err("a disjunction".into()),
        BinaryOp::Minimum | BinaryOp::Maximum => return Err("the operators `<?` and `>?`".into()),
        BinaryOp::BitAnd
        | BinaryOp::BitOr
        | BinaryOp::BitXor
        | BinaryOp::ShiftLeft
        | BinaryOp::ShiftRight => return Err("operations on bits".into()),
    })
}
