//! One contract as a whole: its constructor, and any sequence of transactions (`--property contract`).
//!
//! The contract is one task over an automaton, so everything else works as for other models. Only the presentation of
//! results is special: a violation as a sequence of transactions ([`Language::story`]), and a proof as invariants of
//! the contract.

use std::path::Path;

use thetis_base::{FileId, SourceMap};
use thetis_expr::{Value, evaluate};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaProof, CfaTrace, Interpreter, State};
use thetis_report::{Shown, TraceStep, fingerprint};
use thetis_solidity::{Arithmetic, ContractStep, ContractTask, Options, Variable};

use crate::failure::Failure;
use crate::input::Input;
use crate::input::language::Language;
use crate::input::reporting;
use crate::input::standard::name_of;
use crate::loaded::Loaded;

use super::read_all;
use super::values::{differences, written};

/// The language of a contract that is checked as a whole.
struct WholeContract {
    contract: ContractTask,
    files: Vec<FileId>,
}

/// Reads the contract called `name`, or the only one.
pub(crate) fn read_whole(
    path: &Path,
    name: Option<&str>,
    arithmetic: Option<Arithmetic>,
) -> Result<Box<dyn Loaded>, Failure> {
    let (sources, files) = read_all(path)?;
    // A verdict should be about the machine's numbers.
    let options = Options { arithmetic: arithmetic.unwrap_or(Arithmetic::Mod), ..Options::default() };
    let contract = reporting(&sources, |diagnostics| {
        thetis_solidity::read_contract(&sources, &files, name, &options, diagnostics)
    })?;
    let text: String = files.iter().map(|file| sources.file(*file).text()).collect();
    Ok(Box::new(Input {
        task: contract.task.clone(),
        name: name_of(path).into_owned(),
        sha256: fingerprint(text.as_bytes()),
        file: files[0],
        sources,
        language: Box::new(WholeContract { contract, files }),
    }))
}

impl Language<Cfa> for WholeContract {
    fn story(&self, trace: &CfaTrace, _: &SourceMap) -> Option<Vec<TraceStep>> {
        let mut story = Story { contract: &self.contract, steps: Vec::new(), shown: Vec::new() };
        let interpreter = Interpreter::new(&self.contract.task);
        let states = interpreter.run(&self.shortened(trace, &interpreter)).ok()?;
        for (number, state) in states.iter().enumerate() {
            story.visit(number, state, states.get(number + 1));
        }
        Some(story.steps)
    }

    fn files(&self) -> &[FileId] {
        &self.files
    }

    fn violated(&self, trace: &CfaTrace) -> Option<String> {
        let last = trace.steps.last()?;
        let check = self.contract.checks.get(&self.contract.task.model.edges[last.edge].target)?;
        Some(check.kind.to_string())
    }

    fn invariants(&self, task: &Task<Cfa>, proof: &CfaProof) -> Vec<String> {
        self.contract.invariants(task, proof)
    }

    fn has_annotations(&self) -> bool {
        true
    }

    fn annotated(&self, task: &Task<Cfa>, proof: &CfaProof, sources: &SourceMap) -> Option<String> {
        let invariants = self.contract.invariants(task, proof);
        Some(self.contract.annotated(&invariants, sources))
    }
}

impl WholeContract {
    /// The run without transactions that make no difference.
    fn shortened(&self, trace: &CfaTrace, interpreter: &Interpreter<'_>) -> CfaTrace {
        let mut trace = trace.clone();
        let Ok(end) = interpreter.end(&trace) else { return trace };
        let edges = &self.contract.task.model.edges;
        let mut at = 0;
        while at < trace.steps.len() {
            let starts = edges[trace.steps[at].edge].source == self.contract.head;
            let length = trace.steps[at..]
                .iter()
                .position(|step| edges[step.edge].target == self.contract.head)
                .map(|last| last + 1);
            if let (true, Some(length)) = (starts, length) {
                let mut shorter = trace.clone();
                shorter.steps.drain(at..at + length);
                if interpreter.end(&shorter).is_ok_and(|state| state.location == end.location) {
                    trace = shorter;
                    continue;
                }
            }
            at += 1;
        }
        trace
    }
}

/// A run, as it is reported.
struct Story<'a> {
    contract: &'a ContractTask,
    steps: Vec<TraceStep>,
    /// The state that was shown last.
    shown: Vec<Value>,
}

impl Story<'_> {
    fn visit(&mut self, number: usize, state: &State, next: Option<&State>) {
        let calls_back = next.is_some_and(|next| next.location == self.contract.head);
        match self.contract.steps.get(&state.location) {
            Some(ContractStep::Start { name, span, inputs }) => {
                let inputs = inputs.iter().flat_map(|input| self.value(input, state)).collect();
                self.tell(number, name.clone(), Some(*span), state, inputs);
            }
            Some(ContractStep::Call(span)) if calls_back => {
                let values = self.changes(state);
                self.tell(
                    number,
                    "calls unknown code, which calls back".to_owned(),
                    Some(*span),
                    state,
                    values,
                );
            }
            Some(ContractStep::End) => {
                let values = self.changes(state);
                self.tell(number, "ends".to_owned(), None, state, values);
            }
            _ => {}
        }
        if let Some(check) = self.contract.checks.get(&state.location) {
            let values = self.changes(state);
            self.tell(number, check.kind.to_string(), Some(check.span), state, values);
        }
    }

    fn tell(
        &mut self,
        number: usize,
        title: String,
        span: Option<thetis_base::Span>,
        state: &State,
        values: Vec<Shown>,
    ) {
        let depth = u32::from(!self.is_outermost(state));
        self.steps.push(TraceStep {
            number,
            title,
            span,
            depth,
            edge: None,
            nodes: Vec::new(),
            values,
            matters: true,
        });
    }

    /// Whether no other transaction is pending.
    fn is_outermost(&self, state: &State) -> bool {
        let store = &self.contract.task.store;
        self.contract.idle.first().is_none_or(|(level, idle)| {
            let value = evaluate(store, store.var_expr(*level), state).ok();
            value == evaluate(store, *idle, state).ok()
        })
    }

    fn value(&self, variable: &Variable, state: &State) -> Option<Shown> {
        let value = evaluate(&self.contract.task.store, variable.term, state).ok()?;
        let value = written(&value, &variable.meaning);
        Some(Shown { name: variable.name.clone(), value, changed: true })
    }

    /// What changed since the state was shown last.
    fn changes(&mut self, state: &State) -> Vec<Shown> {
        let store = &self.contract.task.store;
        let values: Vec<Value> = self
            .contract
            .state
            .iter()
            .filter_map(|variable| evaluate(store, variable.term, state).ok())
            .collect();
        let mut changes = Vec::new();
        for (number, (variable, new)) in self.contract.state.iter().zip(&values).enumerate() {
            changes.extend(differences(variable, self.shown.get(number), new));
        }
        self.shown = values;
        changes
    }
}
