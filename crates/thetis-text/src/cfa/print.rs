//! The printer: from an automaton to the `.cfa` language.
//!
//! What [`parse`](super::parse) gives is printed so that reading it again gives the same automaton, up to the names
//! of auxiliary variables. Other automata are printed with the same meaning:
//! * a choice, which the language lacks, becomes parallel edges between additional locations;
//! * names that cannot be written, or are keywords, are changed;
//! * an initial location that is also an error location or a limit gets an additional initial location before it; one that is
//!   final besides is printed without that, since it has no influence;
//! * total divisions and conversions to rationals are expressed by what the language has (see `print_term`).
//!
//! Conversions between integers and bit-vectors, and from rationals to integers, cannot be expressed at all.

use std::collections::HashSet;
use std::fmt::Write as _;

use thetis_expr::infix::print_sort;
use thetis_expr::{Op, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, EdgeId, LocId, Stmt, StmtKind};
use thiserror::Error;

use super::print_term::TermPrinter;
use crate::syntax::token::{Dialect, Tok};

/// Why an automaton cannot be written in the language.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Unprintable {
    /// The language has no such operator.
    #[error("edge {} uses {op:?}, which the language does not have", edge.index())]
    Operator {
        /// Where it is used.
        edge: EdgeId,
        /// What it is.
        op: Op,
    },
    /// Shared parts of a term would be written too often.
    #[error("edge {} has a term that is too large to be written out", edge.index())]
    TooLarge {
        /// Where it is.
        edge: EdgeId,
    },
}

/// The text of an automaton.
pub fn print(task: &Task<Cfa>) -> Result<String, Unprintable> {
    let (cfa, store) = (&task.model, &task.store);
    let mut names = Names::of(cfa.vars.iter().map(|var| store.var_name(*var)));
    let vars: Vec<String> = cfa.vars.iter().map(|var| names.printable(&store.var_name(*var))).collect();
    let mut locations = Names::of(cfa.locations.iter().map(|location| location.name.clone()));
    let ends = cfa.locations.iter().map(|location| locations.printable(&location.name)).collect();
    let mut printer = Printer { cfa, locations, ends, edges: String::new() };
    let mut terms = TermPrinter::new(store, cfa.vars.iter().copied().zip(vars.iter().cloned()));
    for (id, edge) in cfa.edges.iter_enumerated() {
        printer.edge(&mut terms, id, edge.source, edge.target, &edge.stmt)?;
    }
    Ok(printer.finish(store, &vars))
}

/// Names of one kind, each different from the others and acceptable to the parser.
struct Names {
    taken: HashSet<String>,
}

impl Names {
    /// Names that can be kept are taken from the start, so that changed ones avoid them.
    fn of(names: impl Iterator<Item = String>) -> Names {
        Names { taken: names.filter(|name| is_name(name)).collect() }
    }

    fn printable(&mut self, name: &str) -> String {
        if is_name(name) {
            return name.to_owned();
        }
        let mut changed: String =
            name.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' }).collect();
        if !is_name(&changed) {
            changed.insert(0, '_');
        }
        self.fresh(&changed)
    }

    fn fresh(&mut self, name: &str) -> String {
        let mut fresh = name.to_owned();
        let mut number = 1;
        while !self.taken.insert(fresh.clone()) {
            number += 1;
            fresh = format!("{name}_{number}");
        }
        fresh
    }
}

fn is_name(text: &str) -> bool {
    let starts_well = text.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_');
    let goes_on_well = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    starts_well && goes_on_well && Tok::keyword(text, Dialect::Cfa).is_none()
}

struct Printer<'t> {
    cfa: &'t Cfa,
    locations: Names,
    /// The printed names of the automaton's locations, then of additional ones.
    ends: Vec<String>,
    edges: String,
}

/// A part of an edge that is still to be printed: from one location to another by some statements, first one last.
struct EdgePiece<'t> {
    source: usize,
    target: usize,
    stmts: Vec<&'t Stmt>,
}

impl<'t> Printer<'t> {
    fn edge(
        &mut self,
        terms: &mut TermPrinter<'_>,
        id: EdgeId,
        source: LocId,
        target: LocId,
        stmt: &'t Stmt,
    ) -> Result<(), Unprintable> {
        let mut parts = vec![EdgePiece { source: source.index(), target: target.index(), stmts: vec![stmt] }];
        while let Some(part) = parts.pop() {
            self.part(terms, id, part, &mut parts)?;
        }
        Ok(())
    }

    /// Prints a part up to its first choice; the branches and what follows become further parts.
    fn part(
        &mut self,
        terms: &mut TermPrinter<'_>,
        id: EdgeId,
        mut part: EdgePiece<'t>,
        parts: &mut Vec<EdgePiece<'t>>,
    ) -> Result<(), Unprintable> {
        let mut body = String::new();
        while let Some(stmt) = part.stmts.pop() {
            match &stmt.kind {
                StmtKind::Seq(stmts) => part.stmts.extend(stmts.iter().rev()),
                StmtKind::Choice(branches) => {
                    self.choice(part, branches, &body, parts);
                    return Ok(());
                }
                simple => {
                    let text = terms.stmt(id, simple)?;
                    let _ = writeln!(body, "        {text}");
                }
            }
        }
        self.write_edge(part.source, part.target, &body);
        Ok(())
    }

    /// Prints the statements before a choice; its branches and what follows become parts.
    fn choice(
        &mut self,
        part: EdgePiece<'t>,
        branches: &'t [Stmt],
        body: &str,
        parts: &mut Vec<EdgePiece<'t>>,
    ) {
        let mut fork = part.source;
        if !body.is_empty() {
            fork = self.location("choice");
            self.write_edge(part.source, fork, body);
        }
        let mut join = part.target;
        if !part.stmts.is_empty() {
            join = self.location("join");
            parts.push(EdgePiece { source: join, ..part });
        }
        let branch = |stmt| EdgePiece { source: fork, target: join, stmts: vec![stmt] };
        parts.extend(branches.iter().rev().map(branch));
    }

    fn location(&mut self, name: &str) -> usize {
        self.ends.push(self.locations.fresh(name));
        self.ends.len() - 1
    }

    fn write_edge(&mut self, source: usize, target: usize, body: &str) {
        let (from, to) = (&self.ends[source], &self.ends[target]);
        let _ = match body {
            "" => writeln!(self.edges, "    {from} -> {to}"),
            _ => writeln!(self.edges, "    {from} -> {to} {{\n{body}    }}"),
        };
    }

    fn finish(mut self, store: &Store, vars: &[String]) -> String {
        let process = Names::of(std::iter::empty()).printable(&self.cfa.name);
        let mut text = format!("main process {process} {{\n");
        for (var, name) in self.cfa.vars.iter().zip(vars) {
            let _ = writeln!(text, "    var {name} : {}", print_sort(store, store.var_sort(*var)));
        }
        text += if vars.is_empty() { "" } else { "\n" };
        if self.cfa.is_forbidden(self.cfa.initial) {
            let start = self.locations.fresh("start");
            let _ = writeln!(text, "    init loc {start}");
            let _ = writeln!(self.edges, "    {start} -> {}", self.ends[self.cfa.initial.index()]);
        }
        for id in self.cfa.locations.indices() {
            let reason = self.cfa.limits.get(&id).map(|reason| format!(" {}", quoted(reason)));
            let _ = writeln!(
                text,
                "    {}loc {}{}",
                self.kind(id),
                self.ends[id.index()],
                reason.unwrap_or_default()
            );
        }
        for additional in &self.ends[self.cfa.locations.len()..] {
            let _ = writeln!(text, "    loc {additional}");
        }
        text += if self.edges.is_empty() { "" } else { "\n" };
        text + &self.edges + "}\n"
    }

    fn kind(&self, location: LocId) -> &'static str {
        if self.cfa.is_error(location) {
            "error "
        } else if self.cfa.limits.contains_key(&location) {
            "limit "
        } else if self.cfa.initial == location {
            "init "
        } else if self.cfa.finals.contains(&location) {
            "final "
        } else {
            ""
        }
    }
}

/// A text in quotes, in one line.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' | '\\' => quoted.extend(['\\', char]),
            char if char.is_control() => quoted.push(' '),
            char => quoted.push(char),
        }
    }
    quoted + "\""
}
