//! Processes: locations and edges of an instance.

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, Reported};
use thetis_model::xta::{
    ChannelRef, DataExpr, DataStmt, Edge, Guard, Location, LocationId, Process, ProcessId, Sync, Urgency,
};

use super::Compiler;
use crate::ast::{Direction, Expr, ExprKind, LocationDecl, Name, Template, Transition};
use crate::code;
use crate::types::{Operand, Scope, Symbol, Type};

type Locations = IndexVec<LocationId, Location>;

/// The locations of a template by their names.
type LocationNames<'t> = FxHashMap<&'t str, LocationId>;

impl Compiler<'_> {
    /// Adds a process.
    pub(super) fn process(
        &mut self,
        title: &str,
        template: &Template,
        arguments: Vec<Operand>,
    ) -> Result<(), Reported> {
        self.prefix = format!("{title}.");
        self.scopes.push(Scope::default());
        let process = self.process_body(title, template, arguments);
        let scope = self.scopes.pop().unwrap_or_default();
        self.prefix.clear();
        let process = process?;
        let id = ProcessId::from(self.network.processes.len());
        self.network.processes.push(process);
        self.names.processes.insert(title.to_owned(), (id, scope));
        Ok(())
    }

    fn process_body(
        &mut self,
        title: &str,
        template: &Template,
        arguments: Vec<Operand>,
    ) -> Result<Process, Reported> {
        for (parameter, argument) in template.parameters.iter().zip(arguments) {
            let argument = match argument {
                Operand::Value(DataExpr::Const(value), _)
                    if !parameter.ty.is_const && assigns(template, &parameter.name) =>
                {
                    let ty = self.full_type(&parameter.ty, &parameter.dimensions)?;
                    self.count_cells(ty.cells(), parameter.name.span)?;
                    self.allocate_cells(&format!("{title}.{}", parameter.name.text), ty, vec![value], false)
                }
                argument => argument,
            };
            self.declare(&parameter.name, Symbol::Operand(argument))?;
        }
        template.items.iter().try_for_each(|item| self.item(item))?;
        let (locations, names) = self.locations(template)?;
        let initial = match &template.initial {
            Some(name) => self.location_named(&names, name)?,
            None if template.locations.is_empty() => LocationId::from(0_usize),
            None => {
                let message = format!("`{}` has no initial location", template.name.text);
                return Err(self.error(template.name.span, code::DECLARATION, message));
            }
        };
        let mut edges = IndexVec::new();
        for transition in &template.transitions {
            let source = self.location_named(&names, &transition.source)?;
            let target = self.location_named(&names, &transition.target)?;
            self.edges(transition, 0, &mut |guard, sync, update| {
                let span = Some(transition.span);
                edges.push(Edge { source, target, guard, sync, update, span });
            })?;
        }
        Ok(Process::new(title.to_owned(), locations, initial, edges))
    }

    /// A template without locations gets a single anonymous one, in which it stays.
    fn locations<'t>(&mut self, template: &'t Template) -> Result<(Locations, LocationNames<'t>), Reported> {
        let (mut locations, mut names) = (Locations::new(), LocationNames::default());
        for declared in &template.locations {
            if names.insert(&declared.name.text, LocationId::from(locations.len())).is_some() {
                let message = format!("the location `{}` is declared twice", declared.name.text);
                return Err(self.error(declared.name.span, code::DUPLICATE_NAME, message));
            }
            locations.push(self.location(declared)?);
        }
        if locations.is_empty() {
            locations.push(Location {
                name: String::new(),
                invariant: Guard::default(),
                urgency: Urgency::None,
            });
        }
        let urgent = template.urgent.iter().map(|name| (name, Urgency::Urgent));
        let committed = template.committed.iter().map(|name| (name, Urgency::Committed));
        for (name, urgency) in urgent.chain(committed) {
            let id = self.location_named(&names, name)?;
            locations[id].urgency = urgency;
        }
        Ok((locations, names))
    }

    fn location(&mut self, declared: &LocationDecl) -> Result<Location, Reported> {
        let invariant = self.guard(&declared.invariant)?;
        Ok(Location { name: declared.name.text.clone(), invariant, urgency: Urgency::None })
    }

    fn location_named(&mut self, names: &LocationNames<'_>, name: &Name) -> Result<LocationId, Reported> {
        match names.get(name.text.as_str()) {
            Some(id) => Ok(*id),
            None => Err(self.error(
                name.span,
                code::UNKNOWN_NAME,
                format!("there is no location `{}`", name.text),
            )),
        }
    }

    /// One edge for each choice of the values that are selected.
    fn edges(
        &mut self,
        transition: &Transition,
        selected: usize,
        add: &mut dyn FnMut(Guard, Sync, Vec<DataStmt>),
    ) -> Result<(), Reported> {
        if let Some((name, ty)) = transition.select.get(selected) {
            for value in self.values_for_copies(ty)? {
                self.with_binding(name, value, |compiler| compiler.edges(transition, selected + 1, add))?;
            }
            return Ok(());
        }
        let guard = self.guard(&transition.guard)?;
        if guard.data.contains(&DataExpr::Const(0)) {
            return Ok(());
        }
        let sync = self.sync(transition, &guard)?;
        let update = self.effects(&transition.assign)?;
        add(guard, sync, update);
        Ok(())
    }

    fn sync(&mut self, transition: &Transition, guard: &Guard) -> Result<Sync, Reported> {
        let Some((channel, direction)) = &transition.sync else { return Ok(Sync::Internal) };
        let Operand::Channel(found, Type::Channel(ty)) = self.operand(channel)? else {
            return self.mismatch(channel.span, "a channel must stand here");
        };
        self.check_channel(&found, channel)?;
        let receives_broadcast = ty.is_broadcast && *direction == Direction::Receive;
        if ty.is_urgent && !guard.clocks.is_empty() && !receives_broadcast {
            return self
                .mismatch(channel.span, "an edge with an urgent channel cannot have a guard on clocks");
        }
        Ok(match direction {
            Direction::Send => Sync::Send(found),
            Direction::Receive => Sync::Receive(found),
            Direction::Join if ty.is_broadcast => {
                return self.mismatch(channel.span, "a broadcast channel needs `!` or `?`");
            }
            Direction::Join => Sync::Join(found),
        })
    }

    fn check_channel(&mut self, channel: &ChannelRef, expr: &Expr) -> Result<(), Reported> {
        channel.indices.iter().try_for_each(|index| self.check_pure(&index.at, expr.span))
    }

    /// Processes without an `IO` declaration never synchronise; others take edges on channels that they do not
    /// declare without a partner.
    pub(super) fn block_undeclared(&mut self, declaring: &[ProcessId]) {
        for (id, process) in self.network.processes.iter_mut_enumerated() {
            if declaring.contains(&id) {
                continue;
            }
            let joins = |edge: &&mut Edge| matches!(edge.sync, Sync::Join(_));
            process.edges.iter_mut().filter(joins).for_each(|edge| edge.sync = Sync::Blocked);
        }
    }
}

/// Whether a template changes its parameter `name`, or may do so by passing it on.
fn assigns(template: &Template, name: &Name) -> bool {
    let mut found = false;
    let mut look = |expr: &Expr| found |= changes(expr, &name.text);
    for transition in &template.transitions {
        transition.assign.iter().for_each(&mut look);
    }
    for item in &template.items {
        if let crate::ast::Item::Function(function) = item {
            function.body.iter().for_each(|statement| statement.for_each_expr(&mut look));
        }
    }
    found
}

fn changes(expr: &Expr, name: &str) -> bool {
    let is_target = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(found) if found == name);
    match &expr.kind {
        ExprKind::Assign(_, left, right) => is_target(left) || changes(left, name) || changes(right, name),
        ExprKind::Step(_, _, operand) => is_target(operand) || changes(operand, name),
        ExprKind::Call(_, arguments) => arguments.iter().any(|one| is_target(one) || changes(one, name)),
        ExprKind::Number(_) | ExprKind::Name(_) => false,
        ExprKind::Unary(_, operand) | ExprKind::Rate(operand) | ExprKind::Field(operand, _) => {
            changes(operand, name)
        }
        ExprKind::Index(left, right) | ExprKind::Binary(_, left, right) => {
            changes(left, name) || changes(right, name)
        }
        ExprKind::If(condition, then, otherwise) => {
            changes(condition, name) || changes(then, name) || changes(otherwise, name)
        }
        ExprKind::Quantified(_, _, _, body) => changes(body, name),
        ExprKind::List(elements) => elements.iter().any(|element| changes(element, name)),
    }
}
