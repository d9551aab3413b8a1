//! What the tests share: parsing, and messages as text.

use std::collections::HashMap;
use std::path::PathBuf;

use thetis_base::{Diagnostics, Severity, SourceMap, Span};
use thetis_expr::{ExprId, Op, Postorder, Store, VarId};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, LocId, Stmt, StmtKind};

/// A parsed text: the task if it is correct, and the messages one per line.
pub(crate) struct Outcome {
    pub(crate) task: Option<Task<Cfa>>,
    pub(crate) messages: String,
    pub(crate) spans: Vec<Span>,
}

/// Parses `text` under the name of a file.
pub(crate) fn parse(name: &str, text: &str) -> Outcome {
    let mut sources = SourceMap::new();
    let file = sources.add(name, text);
    let mut diags = Diagnostics::new();
    let task = thetis_text::cfa::parse(&sources, file, &mut diags).ok();
    assert_eq!(task.is_none(), diags.num_errors() > 0, "a model should be rejected iff there are errors");
    let messages = render(&sources, &diags);
    let spans = diags.iter().flat_map(|d| d.labels.iter().map(|l| l.span).chain([d.span])).collect();
    Outcome { task, messages, spans }
}

/// `file:line:column: error[code]: message`, with labels and help below.
fn render(sources: &SourceMap, diags: &Diagnostics) -> String {
    let place = |span: Span| {
        let start = sources.start(span);
        format!("{}:{}:{}", sources.file(span.file).name(), start.line, start.column)
    };
    let mut text = String::new();
    for diagnostic in diags.iter() {
        let severity = match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let (code, message) = (diagnostic.code, &diagnostic.message);
        text += &format!("{}: {severity}[{code}]: {message}\n", place(diagnostic.span));
        for label in &diagnostic.labels {
            text += &format!("    {}: {}\n", place(label.span), label.text);
        }
        text.extend(diagnostic.help.iter().map(|help| format!("    help: {help}\n")));
    }
    text
}

/// The folder of this crate.
pub(crate) fn crate_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Asserts that two automata are the same up to spans, ids and the names of variables.
pub(crate) fn assert_same(left: &Task<Cfa>, right: &Task<Cfa>) {
    let (a, b) = (&left.model, &right.model);
    let loc_name = |cfa: &Cfa, id: LocId| cfa.locations[id].name.clone();
    let names = |cfa: &Cfa, ids: &[LocId]| ids.iter().map(|id| loc_name(cfa, *id)).collect::<Vec<_>>();
    let all = |cfa: &Cfa| cfa.locations.iter().map(|location| location.name.clone()).collect::<Vec<_>>();
    assert_eq!(a.name, b.name);
    assert_eq!(all(a), all(b));
    assert_eq!(a.initial, b.initial);
    assert_eq!(names(a, &a.errors), names(b, &b.errors));
    assert_eq!(a.limits, b.limits);
    assert_eq!(names(a, &a.finals), names(b, &b.finals));
    assert_eq!(a.vars.len(), b.vars.len());
    let vars: HashMap<VarId, VarId> = b.vars.iter().copied().zip(a.vars.iter().copied()).collect();
    let mover = Mover { from: &right.store, to: &left.store, vars };
    for (theirs, ours) in b.vars.iter().zip(&a.vars) {
        let sort = mover.to.import_sort(mover.from, mover.from.var_sort(*theirs));
        assert_eq!(sort, mover.to.var_sort(*ours));
    }
    assert_eq!(a.edges.len(), b.edges.len());
    for (ours, theirs) in a.edges.iter().zip(&b.edges) {
        assert_eq!((ours.source, ours.target), (theirs.source, theirs.target));
        assert_eq!(mover.stmt(&theirs.stmt), plain(&ours.stmt));
    }
}

/// A statement without spans.
fn plain(stmt: &Stmt) -> Stmt {
    Stmt::new(match &stmt.kind {
        StmtKind::Seq(parts) => StmtKind::Seq(parts.iter().map(plain).collect()),
        StmtKind::Choice(parts) => StmtKind::Choice(parts.iter().map(plain).collect()),
        simple => simple.clone(),
    })
}

/// Moves terms to another store with other variables.
struct Mover<'s> {
    from: &'s Store,
    to: &'s Store,
    vars: HashMap<VarId, VarId>,
}

impl Mover<'_> {
    fn stmt(&self, stmt: &Stmt) -> Stmt {
        Stmt::new(match &stmt.kind {
            StmtKind::Assign(var, term) => StmtKind::Assign(self.vars[var], self.term(*term)),
            StmtKind::Assume(formula) => StmtKind::Assume(self.term(*formula)),
            StmtKind::Havoc(var) => StmtKind::Havoc(self.vars[var]),
            StmtKind::Seq(parts) => StmtKind::Seq(parts.iter().map(|part| self.stmt(part)).collect()),
            StmtKind::Choice(parts) => StmtKind::Choice(parts.iter().map(|part| self.stmt(part)).collect()),
        })
    }

    fn term(&self, term: ExprId) -> ExprId {
        let mut moved: HashMap<ExprId, ExprId> = HashMap::new();
        for part in Postorder::new(self.from, [term]) {
            let args: Vec<ExprId> = self.from.args(part).iter().map(|arg| moved[arg]).collect();
            let sort = self.to.import_sort(self.from, self.from.sort(part));
            let here = match self.from.op(part) {
                Op::Const(_) => self.to.import(self.from, part),
                Op::Var(var) => self.to.var_expr(self.vars[&var]),
                op => self.to.app(op, Some(sort), &args).expect("a moved term should stay well-sorted"),
            };
            moved.insert(part, here);
        }
        moved[&term]
    }
}
