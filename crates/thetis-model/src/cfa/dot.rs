//! Drawings: an automaton as a graph in the DOT language of Graphviz.

use std::fmt::Write as _;

use thetis_expr::infix::print_limited;
use thetis_expr::{ExprId, Store};

use super::{Cfa, LocId, Stmt, StmtKind};
use crate::Task;

/// How many operators, literals and variables of one term are shown.
const MAX_NODES: usize = 40;

/// How many statements of one edge are shown.
const MAX_STMTS: usize = 12;

/// The graph of an automaton: the initial location has an arrow from nowhere, error locations are red octagons, final
/// ones have a double border. Long labels are cut with `…`. Equal automata give equal texts.
pub fn dot(task: &Task<Cfa>) -> String {
    let cfa = &task.model;
    let mut text = String::new();
    let _ = writeln!(text, "digraph {} {{", dot_quote(&cfa.name));
    text += "    node [shape=box, style=rounded, fontname=\"monospace\"];\n";
    text += "    edge [fontname=\"monospace\", fontsize=10];\n";
    text += "    start [shape=point, label=\"\"];\n";
    for (id, location) in cfa.locations.iter_enumerated() {
        let style = style(cfa, id);
        let _ = writeln!(text, "    l{} [label={}{style}];", id.index(), dot_quote(&location.name));
    }
    let _ = writeln!(text, "    start -> l{};", cfa.initial.index());
    for edge in &cfa.edges {
        let label = dot_quote(&dot_label(&task.store, &edge.stmt));
        let _ = writeln!(text, "    l{} -> l{} [label={label}];", edge.source.index(), edge.target.index());
    }
    text + "}\n"
}

fn style(cfa: &Cfa, location: LocId) -> &'static str {
    if cfa.is_error(location) {
        ", shape=octagon, style=filled, fillcolor=\"#f4cccc\", color=\"#cc0000\""
    } else if cfa.limits.contains_key(&location) {
        ", shape=octagon, style=dashed"
    } else if cfa.finals.contains(&location) {
        ", peripheries=2"
    } else {
        ""
    }
}

/// The statements of an edge, one per line, with the branches of choices between braces; long ones are cut with `…`.
pub fn dot_label(store: &Store, stmt: &Stmt) -> String {
    let mut lines = Vec::new();
    let mut pending = vec![Item::Stmt(stmt, 0)];
    while let Some(item) = pending.pop() {
        let (stmt, depth) = match item {
            Item::Stmt(stmt, depth) => (stmt, depth),
            Item::Line(line, depth) => {
                lines.push(indented(line, depth));
                continue;
            }
        };
        match &stmt.kind {
            StmtKind::Seq(stmts) => pending.extend(stmts.iter().rev().map(|stmt| Item::Stmt(stmt, depth))),
            StmtKind::Choice(branches) => pending.extend(choice(branches, depth).into_iter().rev()),
            simple => lines.push(indented(&simple_text(store, simple), depth)),
        }
        if lines.len() > MAX_STMTS {
            lines.truncate(MAX_STMTS);
            lines.push("…".to_owned());
            break;
        }
    }
    lines.join("\n")
}

enum Item<'t> {
    Stmt(&'t Stmt, usize),
    Line(&'static str, usize),
}

fn choice(branches: &[Stmt], depth: usize) -> Vec<Item<'_>> {
    let mut items = vec![Item::Line("choose {", depth)];
    for (number, branch) in branches.iter().enumerate() {
        if number > 0 {
            items.push(Item::Line("} or {", depth));
        }
        items.push(Item::Stmt(branch, depth + 1));
    }
    items.push(Item::Line("}", depth));
    items
}

fn indented(line: &str, depth: usize) -> String {
    format!("{}{line}", "  ".repeat(depth))
}

fn simple_text(store: &Store, stmt: &StmtKind) -> String {
    let term = |term: ExprId| print_limited(store, term, MAX_NODES);
    match stmt {
        StmtKind::Assign(var, value) => format!("{} := {}", store.var_name(*var), term(*value)),
        StmtKind::Assume(formula) => format!("[{}]", term(*formula)),
        StmtKind::Havoc(var) => format!("havoc {}", store.var_name(*var)),
        StmtKind::Seq(_) | StmtKind::Choice(_) => panic!("a simple statement should have no parts"),
    }
}

/// A DOT string: lines end at the left, quotes and backslashes are taken literally.
pub fn dot_quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            '\n' => quoted += "\\l",
            char if char.is_control() => quoted.push('\u{fffd}'),
            char => quoted.push(char),
        }
    }
    quoted += if text.contains('\n') { "\\l\"" } else { "\"" };
    quoted
}

#[cfg(test)]
mod tests {
    use thetis_expr::{Sort, Store};

    use super::super::{CfaBuilder, CfaProperty};
    use super::*;

    fn task() -> Task<Cfa> {
        let store = Store::new();
        let x = store.declare("x", Sort::Int);
        let mut builder = CfaBuilder::new("a \"b\" \\");
        builder.var(x);
        let [start, end, bad] = ["start", "end", "bad"].map(|name| builder.location(name, None));
        builder.initial(start);
        builder.final_location(end);
        builder.error(bad);
        let term = store.var_expr(x);
        let step = Stmt::assign(x, store.add(term, store.int(1)));
        let guard = Stmt::assume(store.lt(term, store.int(3)));
        builder.edge(start, start, Stmt::seq(vec![guard, step.clone()]), None);
        builder.edge(start, end, Stmt::choice(vec![Stmt::havoc(x), Stmt::skip()]), None);
        builder.edge(start, bad, Stmt::seq(vec![step; 20]), None);
        let model = builder.build(&store).unwrap();
        Task { store, model, property: CfaProperty::ErrorLocation }
    }

    #[test]
    fn graphs_are_complete_and_cut_where_long() {
        let text = dot(&task());
        let expected = r##"digraph "a \"b\" \\" {
    node [shape=box, style=rounded, fontname="monospace"];
    edge [fontname="monospace", fontsize=10];
    start [shape=point, label=""];
    l0 [label="start"];
    l1 [label="end", peripheries=2];
    l2 [label="bad", shape=octagon, style=filled, fillcolor="#f4cccc", color="#cc0000"];
    start -> l0;
    l0 -> l0 [label="[x < 3]\lx := x + 1\l"];
    l0 -> l1 [label="choose {\l  havoc x\l} or {\l}\l"];
"##;
        assert!(text.starts_with(expected), "{text}");
        assert!(text.ends_with("x := x + 1\\l…\\l\"];\n}\n"), "{text}");
        assert_eq!(text, dot(&task()), "drawings should be deterministic");
    }
}
