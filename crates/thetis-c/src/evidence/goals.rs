//! The goals of tests: each branch that a statement of the program can take, and each place where the property can be
//! violated.
//!
//! To reach goals, the remaining goals become error locations of an automaton: an edge that takes a branch gets a twin
//! with the same statement, which ends at a new location. Replacing the last edge of a run by the original gives a run
//! of the program, which may reach other goals on the way. If the automaton is safe, the remaining goals are
//! unreachable.

use std::collections::{BTreeMap, BTreeSet};

use thetis_base::Span;
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProperty, CfaTrace, Edge, EdgeId, LocId, Location};

use super::Translated;
use super::quote::quote;
use crate::hir::Program;
use crate::library::is_model;
use crate::lower::{Choice, FrameId, Lowered};

/// Something that a test should reach.
#[derive(Clone, Debug)]
pub struct Goal {
    /// Where it is.
    pub span: Span,
    kind: GoalKind,
}

#[derive(Clone, Debug)]
enum GoalKind {
    /// One of these edges, on which a statement takes the same branch.
    Branch(Choice, Vec<EdgeId>),
    /// One of these locations, where the property is violated.
    Violation(Vec<LocId>),
}

/// An automaton whose error locations are goals.
#[derive(Clone)]
pub struct GoalSearch {
    /// The automaton.
    pub task: Task<Cfa>,
    /// The edges whose twins were added, in their order.
    twins: Vec<EdgeId>,
    num_edges: usize,
}

/// The goals of a program, in the order of its text. Those of library functions, and of the code that makes the arguments of `main`,
/// are not among them: nobody wrote them.
pub fn goals(program: &Program, lowered: &Lowered) -> Vec<Goal> {
    let mut branches: BTreeMap<(Span, String), (Choice, Vec<EdgeId>)> = BTreeMap::new();
    let model = &lowered.task.model;
    let main = &program.functions[lowered.origin.frames[FrameId::new(0)].function];
    let is_written = |span| program.arguments.is_none_or(|arguments| !arguments.are_made_at(main, span));
    for (edge, decision) in &lowered.origin.decisions {
        let frame = lowered.origin.locations[model.edges[*edge].source];
        if !is_model(&lowered.origin.frames[frame].name) && is_written(decision.span) {
            let key = (decision.span, format!("{:?}", decision.choice));
            branches.entry(key).or_insert_with(|| (decision.choice.clone(), Vec::new())).1.push(*edge);
        }
    }
    let mut violations: BTreeMap<Span, Vec<LocId>> = BTreeMap::new();
    for violation in &lowered.origin.violations {
        violations.entry(violation.span).or_default().push(violation.location);
    }
    let branches = branches.into_iter().map(|((span, _), (choice, edges))| {
        let kind = GoalKind::Branch(choice, edges);
        Goal { span, kind }
    });
    let violations = violations.into_iter().map(|(span, locations)| {
        let kind = GoalKind::Violation(locations);
        Goal { span, kind }
    });
    let mut goals: Vec<Goal> = branches.chain(violations).collect();
    goals.sort_by_key(|goal| goal.span);
    goals
}

/// The automaton that reaches an error location where the program reaches one of the goals that are `left`, by their numbers.
pub fn search(lowered: &Lowered, goals: &[Goal], left: &BTreeSet<usize>) -> GoalSearch {
    let mut task = lowered.task.clone();
    let num_edges = task.model.edges.len();
    let (mut errors, mut twins) = (BTreeSet::new(), Vec::new());
    for number in left {
        match &goals[*number].kind {
            GoalKind::Branch(_, edges) => {
                let (name, span) = (format!("goal {number}"), Some(goals[*number].span));
                let target = task.model.locations.push(Location { name, span });
                errors.insert(target);
                for edge in edges {
                    let original = &task.model.edges[*edge];
                    let twin = Edge { target, ..original.clone() };
                    task.model.edges.push(twin);
                    twins.push(*edge);
                }
            }
            GoalKind::Violation(locations) => errors.extend(locations.iter().copied()),
        }
    }
    task.model.errors = errors.into_iter().collect();
    task.model.procedural = None;
    task.property = CfaProperty::ErrorLocation;
    GoalSearch { task, twins, num_edges }
}

impl GoalSearch {
    /// The run of the program that corresponds to a run of the automaton.
    pub fn run_of_program(&self, mut trace: CfaTrace) -> CfaTrace {
        for step in &mut trace.steps {
            if let Some(twin) = step.edge.index().checked_sub(self.num_edges) {
                step.edge = self.twins[twin];
            }
        }
        trace
    }
}

/// The numbers of the goals that a run of the program reaches.
pub fn reached(lowered: &Lowered, goals: &[Goal], trace: &CfaTrace) -> BTreeSet<usize> {
    let edges: BTreeSet<EdgeId> = trace.steps.iter().map(|step| step.edge).collect();
    let last = trace.steps.last().map(|step| lowered.task.model.edges[step.edge].target);
    let is_reached = |goal: &Goal| match &goal.kind {
        GoalKind::Branch(_, ways) => ways.iter().any(|edge| edges.contains(edge)),
        GoalKind::Violation(locations) => last.is_some_and(|last| locations.contains(&last)),
    };
    goals.iter().enumerate().filter(|(_, goal)| is_reached(goal)).map(|(number, _)| number).collect()
}

/// A description of a goal, with its position.
pub fn describe(translated: Translated<'_>, goal: &Goal) -> String {
    let sources = translated.sources;
    let (name, place) = (sources.file(goal.span.file).name(), sources.start(goal.span));
    let quoted = quote(sources, goal.span);
    let first = match &goal.kind {
        GoalKind::Branch(..) => head(&quoted),
        GoalKind::Violation(_) => &quoted,
    };
    let what = match &goal.kind {
        GoalKind::Branch(Choice::Condition(is_true), _) => format!("`{first}` is {is_true}"),
        GoalKind::Branch(Choice::Case(low, high), _) if low == high => format!("`{first}` goes to {low}"),
        GoalKind::Branch(Choice::Case(low, high), _) => format!("`{first}` goes to {low} ... {high}"),
        GoalKind::Branch(Choice::Default, _) => format!("`{first}` goes to no case"),
        GoalKind::Violation(_) => format!("`{first}` violates the property"),
    };
    format!("{name}:{}:{}: {what}", place.line, place.column)
}

/// The head of a statement: up to the end of its first parentheses.
fn head(statement: &str) -> &str {
    if statement.starts_with("do") {
        return statement;
    }
    let mut depth = 0;
    for (at, letter) in statement.char_indices() {
        match letter {
            '(' => depth += 1,
            ')' if depth == 1 => return &statement[..=at],
            ')' => depth -= 1,
            '{' if depth == 0 => return statement[..at].trim_end(),
            _ => {}
        }
    }
    statement
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_known_by_their_heads() {
        for (statement, expected) in [
            ("if (f(x) > 1) return 2", "if (f(x) > 1)"),
            ("do { x++; } while (x < 3)", "do { x++; } while (x < 3)"),
            ("for (;;)", "for (;;)"),
        ] {
            assert_eq!(head(statement), expected);
        }
    }
}
