//! A status line on a terminal during a run, and what is known if the run ends undecided.

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use thetis_base::{Event, EventSink, Iteration, Run, memory_in_use};

/// How often the line is redrawn.
const TICK: Duration = Duration::from_millis(200);

/// Collects events, and shows them on a terminal. A clone collects for the same run.
#[derive(Clone)]
pub(crate) struct Progress {
    state: Arc<Mutex<State>>,
    bar: ProgressBar,
}

/// What engines have learned, even if the run ends undecided.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Known {
    /// There is no violation up to this bound.
    pub(crate) bound: Option<u32>,
}

/// What is known of the run.
#[derive(Default)]
struct State {
    stage: String,
    bound: Option<u32>,
    /// The last iteration of this stage, and of any.
    iteration: Option<Iteration>,
    last_iteration: Option<Iteration>,
    num_facts: u64,
}

impl Progress {
    /// Starts to watch `run`. The line is drawn only if `is_shown` and standard error is a terminal.
    pub(crate) fn start(run: &Run, is_shown: bool) -> Progress {
        let target = if is_shown { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let limits = run.clone();
        let left = move |_: &ProgressState, text: &mut dyn std::fmt::Write| {
            let _ = write!(text, "{}", resources(&limits));
        };
        let style =
            ProgressStyle::with_template("{spinner} {msg}{left}").expect("the template should be valid");
        bar.set_style(style.with_key("left", left));
        if !bar.is_hidden() {
            bar.enable_steady_tick(TICK);
        }
        Progress { state: Arc::default(), bar }
    }

    /// Where events go.
    pub(crate) fn sink(&self) -> EventSink {
        let (state, bar) = (self.state.clone(), self.bar.clone());
        Arc::new(move |event| {
            let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
            state.note(event);
            if !bar.is_hidden() {
                bar.set_message(state.line());
            }
        })
    }

    /// Shows what is done now.
    pub(crate) fn announce(&self, what: String) {
        if !self.bar.is_hidden() {
            self.bar.set_message(what);
        }
    }

    /// Does something that prints lines, without the line of the progress between them.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// What is known so far.
    pub(crate) fn known(&self) -> Known {
        Known { bound: self.state.lock().unwrap_or_else(PoisonError::into_inner).bound }
    }

    /// Removes the line, and describes what is known; empty if nothing is.
    pub(crate) fn end(&self) -> String {
        self.bar.finish_and_clear();
        self.state.lock().unwrap_or_else(PoisonError::into_inner).known()
    }
}

/// The memory in use and the time left.
fn resources(run: &Run) -> String {
    let mut text = String::new();
    if let Some(bytes) = memory_in_use() {
        // Writing to a string cannot fail.
        let _ = write!(text, " · {} MiB", bytes >> 20);
    }
    if let Some(left) = run.time_left() {
        let _ = write!(text, " · {} s left", left.as_secs());
    }
    text
}

impl State {
    fn note(&mut self, event: &Event) {
        match event {
            Event::Stage(name) => {
                let State { bound, last_iteration, .. } = *self;
                *self = State { stage: name.clone(), bound, last_iteration, ..State::default() }
            }
            Event::SafeUpTo(bound) => self.bound = Some(*bound),
            Event::Iteration(iteration) => {
                self.iteration = Some(*iteration);
                self.last_iteration = Some(*iteration);
            }
            Event::Fact(_) => self.num_facts += 1,
            Event::Note(_) | Event::Drawing(_) | Event::SolutionSpace(_) | Event::Frames(_) => {}
        }
    }

    fn line(&self) -> String {
        let mut parts = Vec::new();
        if !self.stage.is_empty() {
            parts.push(self.stage.clone());
        }
        if let Some(bound) = self.bound {
            parts.push(format!("safe up to {bound}"));
        }
        if let Some(Iteration { number, nodes, tracked, .. }) = self.iteration {
            parts.push(format!("iteration {number} · {nodes} nodes · {tracked} tracked"));
        }
        if self.num_facts > 0 {
            parts.push(format!("{} facts", self.num_facts));
        }
        parts.join(" · ")
    }

    fn known(&self) -> String {
        let mut text = String::new();
        if let Some(bound) = self.bound {
            let _ = writeln!(text, "There is no violation up to bound {bound}.");
        }
        if let Some(Iteration { number, tracked, .. }) = self.last_iteration {
            let _ = writeln!(
                text,
                "Abstraction refinement stopped in iteration {number} with {tracked} predicates or values."
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_follows_the_events() {
        let mut state = State::default();
        assert_eq!(state.line(), "");
        state.note(&Event::Stage("bmc".into()));
        state.note(&Event::SafeUpTo(3));
        assert_eq!(state.line(), "bmc · safe up to 3");
        state.note(&Event::Stage("cegar".into()));
        let iteration = Iteration { number: 2, nodes: 10, tracked: 4, ..Iteration::default() };
        state.note(&Event::Iteration(iteration));
        assert_eq!(state.line(), "cegar · safe up to 3 · iteration 2 · 10 nodes · 4 tracked");
        state.note(&Event::Stage("bmc".into()));
        assert_eq!(state.line(), "bmc · safe up to 3");
        assert!(state.known().contains("no violation up to bound 3"));
        assert!(state.known().contains("iteration 2 with 4 predicates"));
    }

    #[test]
    fn nothing_is_drawn_without_a_terminal() {
        let progress = Progress::start(&Run::unlimited(), false);
        progress.sink()(&Event::SafeUpTo(7));
        assert!(progress.bar.is_hidden());
        assert_eq!(progress.end(), "There is no violation up to bound 7.\n");
    }
}
