//! TChecker's text format.
//!
//! A file becomes the same syntax tree as UPPAAL's language, so that expressions are checked and compiled by the same code. An
//! event of a process that occurs in synchronisations becomes one edge for each of them, on a channel of its own that all its
//! processes join; other events have no partner. Labels of locations become names that queries may use: `E<> error`.
//!
//! Where we differ from TChecker: an update that leaves the range of a variable is a run-time error, as in UPPAAL, and not a disabled edge; a
//! verdict is then `unknown`. Not supported: weak synchronisations, `if`, `while` and `local` in updates, several initial
//! locations, names with dots.

mod line;
mod print;

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};
use thetis_model::xta::{BinaryOp, DataExpr, Network};

use crate::ast::{
    BaseType, Declaration, Declarator, Dimension, Direction, Expr, ExprKind, File, Item, LocationDecl, Name,
    SystemEntry, Template, TopLevel, Transition, TypeExpr,
};
use crate::code;
use crate::compile::{self, Names};
use crate::parser::{Parser, read};
use crate::types::{Operand, Symbol, Type};
use crate::{XtaFile, XtaTree};
use line::{Field, Line, lines};
pub use print::print;

/// The most elements of an array.
const MAX_ELEMENTS: i32 = 100_000;

/// Reads the model in `file`.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<XtaFile, Reported> {
    let mut reader = LineReader {
        items: Vec::new(),
        templates: Vec::new(),
        edges: Vec::new(),
        vectors: Vec::new(),
        labels: Vec::new(),
        diags,
    };
    let lines = lines(sources, file, reader.diags)?;
    match lines.first() {
        Some(first) if first.keyword.text == "system" => {}
        _ => {
            let span = Span { file, start: 0, end: 0 };
            return Err(reader.diags.error(span, code::SYNTAX, "a model starts with `system:NAME`"));
        }
    }
    for line in &lines[1..] {
        reader.line(line)?;
    }
    let labels = std::mem::take(&mut reader.labels);
    let tree = reader.file();
    let (network, mut names) = compile::compile(&tree, diags)?;
    for label in labels {
        label.declare(&network, &mut names, diags)?;
    }
    Ok(XtaFile { network, names, queries: Vec::new(), tree: XtaTree(Rc::new(tree)) })
}

struct LineReader<'d> {
    items: Vec<TopLevel>,
    templates: Vec<Template>,
    /// The edges with their events.
    edges: Vec<EventEdge>,
    /// The processes of each synchronisation, with their events.
    vectors: Vec<Vec<(Name, String)>>,
    labels: Vec<Label>,
    diags: &'d mut Diagnostics,
}

struct EventEdge {
    template: usize,
    event: String,
    transition: Transition,
}

/// A label of some locations.
struct Label {
    name: Name,
    /// Processes and locations.
    places: Vec<(String, String)>,
}

impl LineReader<'_> {
    fn line(&mut self, line: &Line<'_>) -> Result<(), Reported> {
        let fields = line.fields.as_slice();
        if !matches!(line.keyword.text, "location" | "edge")
            && let Some((name, _)) = line.attributes.first()
        {
            return self.unsupported(name.span, "attributes are not supported here");
        }
        match (line.keyword.text, fields) {
            ("event", [name]) => self.name(name).map(|_| ()),
            ("clock", [size, name]) => self.variable(name, size, BaseType::Clock, None),
            ("int", [size, low, high, initial, name]) => {
                let [low, high, initial] = [self.expr(low)?, self.expr(high)?, self.expr(initial)?];
                self.variable(name, size, BaseType::Int(Some(Box::new((low, high)))), Some(initial))
            }
            ("process", [name]) => {
                let name = self.name(name)?;
                self.templates.push(Template::new(name, Vec::new()));
                Ok(())
            }
            ("location", [process, name]) => self.location(line, process, name),
            ("edge", [process, source, target, event]) => self.edge(line, [process, source, target], event),
            ("sync", [_, ..]) => self.synchronisation(fields),
            ("system", _) => {
                Err(self.diags.error(line.keyword.span, code::SYNTAX, "a model has one `system` line"))
            }
            ("event" | "clock" | "int" | "process" | "location" | "edge" | "sync", _) => {
                let message = format!("this is not the number of fields of `{}`", line.keyword.text);
                Err(self.diags.error(line.keyword.span, code::SYNTAX, message))
            }
            (other, _) => {
                let message = format!("unknown keyword `{other}`");
                Err(self.diags.error(line.keyword.span, code::SYNTAX, message))
            }
        }
    }

    fn name(&mut self, field: &Field<'_>) -> Result<Name, Reported> {
        if field.text.contains('.') {
            return self.unsupported(field.span, "names with dots are not supported");
        }
        read(&field.as_text(), self.diags, |parser| parser.name())
    }

    fn expr(&mut self, field: &Field<'_>) -> Result<Expr, Reported> {
        read(&field.as_text(), self.diags, |parser| parser.expr())
    }

    fn variable(
        &mut self,
        name: &Field<'_>,
        size: &Field<'_>,
        base: BaseType,
        initial: Option<Expr>,
    ) -> Result<(), Reported> {
        let name = self.name(name)?;
        let count = size.text.parse().ok().filter(|count| (1..=MAX_ELEMENTS).contains(count));
        let Some(count) = count else {
            let message = format!("expected a size between 1 and {MAX_ELEMENTS}");
            return Err(self.diags.error(size.span, code::NUMBER, message));
        };
        let expr = |kind| Expr { kind, span: size.span, depth: 1 };
        let (dimensions, initial) = match (count, initial) {
            (1, initial) => (Vec::new(), initial),
            (count, initial) => {
                let list = |one: Expr| expr(ExprKind::List(vec![one; count as usize]));
                (vec![Dimension::Size(expr(ExprKind::Number(count)))], initial.map(list))
            }
        };
        let ty = TypeExpr { is_const: false, is_urgent: false, is_broadcast: false, base, span: name.span };
        let names = vec![Declarator { name, dimensions, initial }];
        self.items.push(TopLevel::Item(Item::Variables(Declaration { ty, names })));
        Ok(())
    }

    fn template(&mut self, process: &Field<'_>) -> Result<usize, Reported> {
        let found = self.templates.iter().position(|template| template.name.text == process.text);
        found.ok_or_else(|| {
            let message = format!("there is no process `{}`", process.text);
            self.diags.error(process.span, code::UNKNOWN_NAME, message)
        })
    }

    fn location(&mut self, line: &Line<'_>, process: &Field<'_>, name: &Field<'_>) -> Result<(), Reported> {
        let number = self.template(process)?;
        let name = self.name(name)?;
        let mut invariant = Vec::new();
        for (attribute, value) in &line.attributes {
            match attribute.text {
                "initial" if self.templates[number].initial.is_some() => {
                    return self.unsupported(attribute.span, "several initial locations are not supported");
                }
                "initial" => self.templates[number].initial = Some(name.clone()),
                "urgent" => self.templates[number].urgent.push(name.clone()),
                "committed" => self.templates[number].committed.push(name.clone()),
                "invariant" => invariant.push(self.expr(value)?),
                "labels" => self.label(value, process.text, &name.text)?,
                other => {
                    let message = format!("the attribute `{other}` is not supported");
                    return self.unsupported(attribute.span, message);
                }
            }
        }
        self.templates[number].locations.push(LocationDecl { name, invariant });
        Ok(())
    }

    fn label(&mut self, labels: &Field<'_>, process: &str, location: &str) -> Result<(), Reported> {
        let names = |parser: &mut Parser<'_, '_>| parser.all_between(",", |parser| parser.name());
        for name in read(&labels.as_text(), self.diags, names)? {
            let place = (process.to_owned(), location.to_owned());
            match self.labels.iter_mut().find(|label| label.name.text == name.text) {
                Some(label) => label.places.push(place),
                None => self.labels.push(Label { name, places: vec![place] }),
            }
        }
        Ok(())
    }

    fn edge(
        &mut self,
        line: &Line<'_>,
        [process, source, target]: [&Field<'_>; 3],
        event: &Field<'_>,
    ) -> Result<(), Reported> {
        let template = self.template(process)?;
        let (source, target) = (self.name(source)?, self.name(target)?);
        let mut transition = Transition::new(source, target, line.keyword.span.to(event.span));
        for (attribute, value) in &line.attributes {
            match attribute.text {
                "provided" => transition.guard.push(self.expr(value)?),
                "do" => transition.assign = self.updates(value)?,
                other => {
                    let message = format!("the attribute `{other}` is not supported");
                    return self.unsupported(attribute.span, message);
                }
            }
        }
        let event = self.name(event)?.text;
        self.edges.push(EventEdge { template, event, transition });
        Ok(())
    }

    fn updates(&mut self, value: &Field<'_>) -> Result<Vec<Expr>, Reported> {
        let starts = value.text.split(';').map(|part| part.trim().split([' ', '(']).next().unwrap_or(""));
        if let Some(word) = starts.into_iter().find(|word| matches!(*word, "if" | "while" | "local")) {
            return self.unsupported(value.span, format!("`{word}` in updates is not supported"));
        }
        let statements = |parser: &mut Parser<'_, '_>| parser.all_between(";", |parser| parser.expr());
        let mut updates = read(&value.as_text(), self.diags, statements)?;
        updates.retain(|update| !matches!(&update.kind, ExprKind::Name(name) if name == "nop"));
        Ok(updates)
    }

    fn synchronisation(&mut self, fields: &[Field<'_>]) -> Result<(), Reported> {
        let mut vector: Vec<(Name, String)> = Vec::new();
        for field in fields {
            if field.text.ends_with('?') {
                return self.unsupported(field.span, "weak synchronisations are not supported");
            }
            let Some((process, event)) = field.text.split_once('@') else {
                return Err(self.diags.error(field.span, code::SYNTAX, "expected `PROCESS@EVENT`"));
            };
            let process = Name { text: process.trim().to_owned(), span: field.span };
            self.template(&Field { text: &process.text, span: field.span })?;
            if vector.iter().any(|(other, _)| other.text == process.text) {
                let message = format!("the process `{}` occurs twice", process.text);
                return Err(self.diags.error(field.span, code::DUPLICATE_NAME, message));
            }
            vector.push((process, event.trim().to_owned()));
        }
        self.vectors.push(vector);
        Ok(())
    }

    /// The syntax tree, after all lines.
    fn file(mut self) -> File {
        for edge in std::mem::take(&mut self.edges) {
            let transitions = self.synchronised(&edge);
            self.templates[edge.template].transitions.extend(transitions);
        }
        let system = self.templates.iter().map(|template| template.name.clone());
        let system: Vec<SystemEntry> = system.map(|name| SystemEntry { name, level: 0 }).collect();
        let joined = |process: &Name| {
            let vectors = self.vectors.iter().enumerate();
            let own =
                vectors.filter(|(_, vector)| vector.iter().any(|(other, _)| other.text == process.text));
            own.map(|(number, _)| channel(number, process.span)).collect::<Vec<Expr>>()
        };
        let channels = system.iter().map(|entry| (entry.name.clone(), joined(&entry.name)));
        let is_used = self.templates.iter().flat_map(|template| &template.transitions);
        let is_used = is_used.into_iter().any(|transition| transition.sync.is_some());
        let channels = channels.filter(|(_, list)| is_used && !list.is_empty()).collect();
        let used: Vec<TopLevel> = self.vectors.iter().enumerate().map(channel_item).collect();
        let templates = self.templates.into_iter().map(TopLevel::Template);
        let items = self.items.into_iter().chain(used).chain(templates);
        File { items: items.collect(), system, channels, progress: Vec::new() }
    }

    /// One transition for each synchronisation of the edge, or one without a partner.
    fn synchronised(&self, edge: &EventEdge) -> Vec<Transition> {
        let process = &self.templates[edge.template].name.text;
        let vectors = self.vectors.iter().enumerate();
        let own = vectors.filter(|(_, vector)| {
            vector.iter().any(|(other, event)| other.text == *process && *event == edge.event)
        });
        let on = |number: usize| {
            let sync = Some((channel(number, edge.transition.span), Direction::Join));
            Transition { sync, ..edge.transition.clone() }
        };
        let transitions: Vec<Transition> = own.map(|(number, _)| on(number)).collect();
        if transitions.is_empty() { vec![edge.transition.clone()] } else { transitions }
    }

    fn unsupported<T>(&mut self, span: Span, message: impl Into<String>) -> Result<T, Reported> {
        Err(self.diags.error(span, code::UNSUPPORTED, message))
    }
}

/// The name of the channel of a synchronisation; no name in a file is like it.
fn channel_name(number: usize) -> String {
    format!("sync {}", number + 1)
}

fn channel(number: usize, span: Span) -> Expr {
    Expr { kind: ExprKind::Name(channel_name(number)), span, depth: 1 }
}

fn channel_item((number, vector): (usize, &Vec<(Name, String)>)) -> TopLevel {
    let span = vector[0].0.span;
    let ty =
        TypeExpr { is_const: false, is_urgent: false, is_broadcast: false, base: BaseType::Channel, span };
    let name = Name { text: channel_name(number), span };
    let names = vec![Declarator { name, dimensions: Vec::new(), initial: None }];
    TopLevel::Item(Item::Variables(Declaration { ty, names }))
}

impl Label {
    /// Makes the label a name of queries: some process is in one of its locations.
    fn declare(self, network: &Network, names: &mut Names, diags: &mut Diagnostics) -> Result<(), Reported> {
        let ids: FxHashMap<&str, _> =
            names.processes.iter().map(|(title, (id, _))| (title.as_str(), *id)).collect();
        let at = |(process, location): &(String, String)| {
            let id = ids.get(process.as_str())?;
            let mut locations = network.processes[*id].locations.iter_enumerated();
            let found = locations.find(|(_, candidate)| candidate.name == *location)?;
            Some(DataExpr::At(*id, found.0))
        };
        let places: Vec<DataExpr> = self.places.iter().filter_map(at).collect();
        let symbol = Symbol::Operand(Operand::Value(any(&places), Type::Bool));
        if names.global.insert(self.name.text.clone(), symbol).is_some() {
            let message = format!("the label `{}` has the name of a variable", self.name.text);
            return Err(diags.error(self.name.span, code::DUPLICATE_NAME, message));
        }
        Ok(())
    }
}

/// Whether one of `conditions` holds, as a balanced tree.
fn any(conditions: &[DataExpr]) -> DataExpr {
    match conditions {
        [] => DataExpr::Const(0),
        [one] => one.clone(),
        several => {
            let (left, right) = several.split_at(several.len() / 2);
            DataExpr::Binary(BinaryOp::Or, Box::new((any(left), any(right))))
        }
    }
}
