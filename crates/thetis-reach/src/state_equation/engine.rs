//! The engine: decides the target case by case, and each case by its state equation.
//!
//! A target is a Boolean combination; its disjunctive normal form can be exponentially large. Cases are therefore
//! split only as needed. A case whose constraints already contradict the state equation is refuted with all its open
//! choices; otherwise the solution determines which choice to split and which alternative to try first. A case
//! without choices is a conjunction, as the algorithm of the source expects, and its solution space is searched.

use std::rc::Rc;

use thetis_base::{Event, Run, Statistics, Stop};
use thetis_engine::{Engine, EngineInfo};
use thetis_ilp::{Certificate, IlpAnswer, IlpSolver};
use thetis_model::petri::{
    Case, Constraint, ConstraintKind, Marking, Net, PetriProof, PetriTrace, Question, Refutation,
    StateEquationProof,
};
use thetis_model::{Evidence, Reason, Task, Verdict};
use thetis_solver::SolverFactory;

use super::StateEquationConfig;
use super::constraints::Vector;
use super::equation::{Equation, Facts};
use super::proof::refutation;
use super::realise::marking_after;
use super::search::{Cuts, Found, SolutionSearch};
use super::space::SolutionSpace;
use super::stats::Counters;
use super::structure::{empty_siphon, violated_trap};

/// The greatest number of open choices of a target: cases are split recursively.
const MAX_CHOICES: usize = 1_000;
/// This many solution vectors are tried for each disjunct before any disjunct gets more: one endless search must not
/// keep the others waiting.
const FIRST_EFFORT: u32 = 50;
/// The greatest number of traps that are added.
const MAX_TRAPS: usize = 200;

/// The engine. See the [module](super).
pub struct StateEquation {
    config: StateEquationConfig,
    arbiter: Option<Rc<dyn SolverFactory>>,
    counters: Counters,
    ilp: Statistics,
    space: SolutionSpace,
}

impl StateEquation {
    /// How the engine is described to users.
    pub const INFO: EngineInfo = EngineInfo {
        name: "state-equation",
        summary: "solves the state equation and refines it when a solution cannot be fired",
        answers: "reachable; unreachable if the state equation with traps and siphons has no solution",
    };

    /// An engine. The arbiter is asked about integer programs that nothing else decides.
    pub fn new(config: StateEquationConfig, arbiter: Option<Rc<dyn SolverFactory>>) -> StateEquation {
        StateEquation {
            config,
            arbiter,
            counters: Counters::default(),
            ilp: Statistics::new("ilp"),
            space: SolutionSpace::default(),
        }
    }

    /// The solution space that the last `check` explored, for the last disjunct of the target it looked at.
    pub fn solution_space(&self) -> &SolutionSpace {
        &self.space
    }
}

impl Engine<Net> for StateEquation {
    fn check(&mut self, task: &Task<Net>, run: &Run) -> Result<Verdict<Net>, Stop> {
        let net = &task.model;
        if matches!(task.property.question(), Question::StateSpace | Question::Explore) {
            return Ok(Verdict::Unknown(incomplete("the state equation does not count or explore markings")));
        }
        let mut cases = Cases::new(net, &self.config, self.arbiter.clone());
        let root = Case::new(net, &task.property.target(net));
        let answer = cases.decide_with_growing_effort(&root, run);
        self.counters = cases.counters;
        self.ilp = cases.ilp.stats().report();
        self.space = std::mem::take(&mut cases.space);
        if self.config.draw_solution_space && self.space.vectors().next().is_some() {
            run.emit(Event::SolutionSpace(self.space.to_dot(net)));
        }
        Ok(match answer? {
            Answer::Reached(trace) => Verdict::Unsafe(Evidence::Given(trace)),
            Answer::Refuted(Some(refutation)) => {
                let Facts { traps, siphons } = cases.facts;
                let proof = StateEquationProof { traps, siphons, refutation };
                Verdict::Safe(Evidence::Given(PetriProof::StateEquation(proof)))
            }
            // Nothing could be checked in such an answer.
            Answer::Refuted(None) => Verdict::Unknown(Reason::Incomplete(
                "only the arbiter refuted an integer program, which leaves nothing to check".into(),
            )),
            Answer::Open(reason) => Verdict::Unknown(reason),
        })
    }

    fn statistics(&self) -> Statistics {
        self.counters.report().part(self.ilp.clone())
    }
}

/// The answer about a case.
enum Answer {
    Reached(PetriTrace),
    /// The case has no solution; `None` if there is no certificate for it.
    Refuted(Option<Refutation>),
    Open(Reason),
}

/// What is known about the state equation of a case.
enum Solved {
    Vector(Equation, Vector),
    Refuted(Option<Refutation>),
    Open(Reason),
}

/// Decides cases, one after the other.
struct Cases<'a> {
    net: &'a Net,
    config: &'a StateEquationConfig,
    ilp: IlpSolver,
    facts: Facts,
    counters: Counters,
    space: SolutionSpace,
    /// The greatest number of solution vectors for each disjunct in this round.
    effort: u32,
    /// Whether a search of this round reached it.
    was_effort_reached: bool,
}

impl<'a> Cases<'a> {
    fn new(
        net: &'a Net,
        config: &'a StateEquationConfig,
        arbiter: Option<Rc<dyn SolverFactory>>,
    ) -> Cases<'a> {
        let siphons = if config.siphons { empty_siphon(net).into_iter().collect() } else { Vec::new() };
        Cases {
            net,
            config,
            ilp: IlpSolver::new(config.ilp.clone(), arbiter),
            facts: Facts { traps: Vec::new(), siphons },
            counters: Counters::default(),
            space: SolutionSpace::default(),
            effort: FIRST_EFFORT.min(config.max_solutions),
            was_effort_reached: false,
        }
    }

    /// Decides all cases with little effort, and again with all that is allowed if that might help.
    fn decide_with_growing_effort(&mut self, root: &Case, run: &Run) -> Result<Answer, Stop> {
        let answer = self.decide(root, None, run)?;
        let may_help = self.was_effort_reached && self.effort < self.config.max_solutions;
        if !may_help || !matches!(answer, Answer::Open(_)) {
            return Ok(answer);
        }
        self.effort = self.config.max_solutions;
        self.counters.cases = 0;
        self.decide(root, None, run)
    }

    /// Decides `case`; `hint` may be a solution of its state equation.
    fn decide(&mut self, case: &Case, hint: Option<&Vector>, run: &Run) -> Result<Answer, Stop> {
        run.checkpoint()?;
        self.counters.cases += 1;
        if self.counters.cases > u64::from(self.config.max_cases) || case.choices().len() > MAX_CHOICES {
            return Ok(Answer::Open(incomplete("the target has too many cases")));
        }
        let (equation, vector) = match self.solve(case, hint, run)? {
            Solved::Vector(equation, vector) => (equation, vector),
            Solved::Refuted(refutation) => return Ok(Answer::Refuted(refutation)),
            Solved::Open(reason) => return Ok(Answer::Open(reason)),
        };
        if case.choices().len() == 0 {
            self.search(&equation, vector, run)
        } else {
            self.split(case, &vector, run)
        }
    }

    /// A solution of the state equation of `case` that respects all traps.
    fn solve(&mut self, case: &Case, hint: Option<&Vector>, run: &Run) -> Result<Solved, Stop> {
        loop {
            let Ok(equation) = Equation::new(self.net, case, &self.facts) else {
                return Ok(Solved::Open(incomplete(
                    "the numbers of the state equation do not fit in 64 bits",
                )));
            };
            let vector = match hint.filter(|hint| equation.is_satisfied(hint)) {
                Some(hint) => hint.clone(),
                None => match self.ilp.minimise(&equation.problem, run)? {
                    IlpAnswer::Feasible(vector) => vector,
                    IlpAnswer::Infeasible(certificate) => {
                        return Ok(Solved::Refuted(self.translate(&certificate, &equation)));
                    }
                    IlpAnswer::Unknown(words) => return Ok(Solved::Open(Reason::Solver(words))),
                },
            };
            if !self.add_violated_trap(&marking_after(self.net, &vector)) {
                return Ok(Solved::Vector(equation, vector));
            }
        }
    }

    fn translate(&self, certificate: &Certificate, equation: &Equation) -> Option<Refutation> {
        refutation(certificate, &equation.problem, &equation.names)
    }

    fn add_violated_trap(&mut self, marking: &Marking) -> bool {
        if !self.config.traps || self.facts.traps.len() >= MAX_TRAPS {
            return false;
        }
        let trap = violated_trap(self.net, marking);
        self.counters.traps += u64::from(trap.is_some());
        let is_new = trap.is_some();
        self.facts.traps.extend(trap);
        is_new
    }

    fn search(&mut self, equation: &Equation, minimal: Vector, run: &Run) -> Result<Answer, Stop> {
        let mut search =
            SolutionSearch::new(self.net, self.config, equation, &mut self.ilp, &mut self.counters);
        let found = search.run(minimal, self.effort, run);
        self.space = search.space;
        Ok(match found? {
            Found::Sequence(trace) => Answer::Reached(trace),
            Found::Nothing(cuts) => {
                self.was_effort_reached |= cuts.too_many_solutions;
                Answer::Open(incomplete(&explain(cuts)))
            }
        })
    }

    /// Decides the alternatives of one choice, those first that the solution `vector` satisfies.
    fn split(&mut self, case: &Case, vector: &Vector, run: &Run) -> Result<Answer, Stop> {
        let marking = marking_after(self.net, vector);
        let holds =
            |part: &Case| part.constraints().iter().all(|constraint| is_satisfied(constraint, &marking));
        let choice = (0..case.choices().len())
            .find(|choice| !case.split(*choice).is_some_and(|parts| parts.iter().any(holds)))
            .unwrap_or(0);
        let parts = case.split(choice).expect("a case with choices should split");
        let mut order: Vec<usize> = (0..parts.len()).collect();
        order.sort_by_key(|index| !holds(&parts[*index]));
        let mut alternatives: Vec<Option<Refutation>> = vec![None; parts.len()];
        let mut open = None;
        for index in order {
            match self.decide(&parts[index], Some(vector), run)? {
                Answer::Reached(trace) => return Ok(Answer::Reached(trace)),
                Answer::Refuted(refutation) => alternatives[index] = refutation,
                Answer::Open(reason) => open = open.or(Some(reason)),
            }
        }
        if let Some(reason) = open {
            return Ok(Answer::Open(reason));
        }
        let alternatives: Option<Vec<Refutation>> = alternatives.into_iter().collect();
        Ok(Answer::Refuted(alternatives.map(|alternatives| Refutation::Cases { choice, alternatives })))
    }
}

fn is_satisfied(constraint: &Constraint, marking: &Marking) -> bool {
    let product = |(place, factor): &(_, i64)| i128::from(*factor) * i128::from(marking[*place]);
    let sum: i128 = constraint.terms.iter().map(product).fold(0, i128::saturating_add);
    match constraint.kind {
        ConstraintKind::AtLeast => sum >= constraint.bound,
        ConstraintKind::Equal => sum == constraint.bound,
    }
}

/// Why a search that found nothing proves nothing, the most helpful reason first.
fn explain(cuts: Cuts) -> String {
    let reasons = [
        (cuts.too_many_solutions, "the limit of solution vectors was reached"),
        (cuts.too_large_tree, "a tree of partial solutions was cut at its limit"),
        (cuts.open_program, "an integer program stayed open"),
        (cuts.skipped_by_filter, "partial solutions were filtered"),
        (cuts.estimated_increments, "increment constraints are estimates"),
    ];
    let reason = reasons.iter().find(|(applies, _)| *applies).map(|(_, words)| *words);
    let reason = reason.unwrap_or("an explored solution space is no certificate");
    format!("no solution of the state equation could be realised, but {reason}")
}

fn incomplete(words: &str) -> Reason {
    Reason::Incomplete(words.to_owned())
}
