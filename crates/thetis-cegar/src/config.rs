//! The options of abstraction refinement.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use thetis_engine::prediction::{Prediction, RlsConstants};
use thetis_interpolate::InterpolatorKind;

use crate::waitlist::SearchOrder;

/// Options of [`Cegar`](crate::Cegar).
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct CegarConfig {
    /// What abstract states are.
    pub domain: DomainKind,
    /// How many successors the explicit domain enumerates before a value becomes unknown: a number, 0 for no limit, `1*` for one
    /// without the solver, or `auto` for a limit that starts at 1 and is doubled, at the locations of a counterexample if the precision is
    /// local, when the same counterexample comes back.
    pub max_enum: MaxEnum,
    /// How a spurious counterexample is turned into precision.
    pub refinement: Refinement,
    /// How many counterexamples an iteration collects before it refines them; 0 for all. `multi-seq` collects all unless this is
    /// greater than 1.
    pub counterexamples: u32,
    /// The interpolators for spurious counterexamples, in the order in which they are tried. `auto` is clauses if all
    /// variables are Boolean, otherwise weakest preconditions and then Horn clauses. The refinements `newton-*` bring
    /// their own.
    pub interpolators: Vec<InterpolatorKind>,
    /// After how many spurious counterexamples along the same edges the first interpolator is skipped.
    pub patience: u32,
    /// Whether bounds of variables become predicates along counterexamples that return and on which values may wrap
    /// around.
    pub bounds: bool,
    /// Which node is expanded next.
    pub search: SearchOrder,
    /// How predicates are split before they are tracked.
    pub pred_split: PredSplit,
    /// Whether all locations share what is tracked.
    pub precision: Granularity,
    /// What is tracked from the start.
    pub initial_precision: InitialPrecision,
    /// How much of the graph a refinement removes.
    pub prune: Prune,
    /// Whether the engine gives up when it expects to run out of time.
    pub prediction: Prediction,
    /// The constants of the predictors `rls`, `rls-explosion` and `rls-coarse`.
    pub rls: RlsConstants,
    /// Whether the figures of all iterations are part of the statistics, to predict from them later.
    pub record_iterations: bool,
    /// Which invariants an undecided run passes on.
    pub facts: FactFilter,
    /// Whether the abstract reachability graph is drawn at the end; `--arg` sets it.
    pub draw_arg: bool,
}

impl Default for CegarConfig {
    fn default() -> Self {
        CegarConfig {
            domain: DomainKind::Auto,
            max_enum: MaxEnum::AtMost(1),
            refinement: Refinement::SeqItp,
            counterexamples: 1,
            interpolators: vec![InterpolatorKind::Auto],
            patience: 6,
            bounds: true,
            search: SearchOrder::Err,
            pred_split: PredSplit::Auto,
            precision: Granularity::Global,
            initial_precision: InitialPrecision::Empty,
            prune: Prune::Lazy,
            prediction: Prediction::Off,
            rls: RlsConstants::default(),
            record_iterations: false,
            facts: FactFilter::All,
            draw_arg: false,
        }
    }
}

/// Which invariants are passed on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FactFilter {
    /// Those of all locations.
    All,
    /// Those of loop heads.
    LoopHeads,
    /// Those of locations about which an earlier engine wanted to know more; those of all locations if there is none.
    Wanted,
}

/// The abstract domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum DomainKind {
    /// Conjunctions of formulas that hold if all variables are Boolean, the product otherwise.
    Auto,
    /// Explicit values of some variables.
    Expl,
    /// Conjunctions of predicates and negated predicates.
    PredCart,
    /// Boolean combinations of predicates, one state each.
    PredBool,
    /// Boolean combinations of predicates, one state for each disjunct.
    PredSplit,
    /// Conjunctions of predicates that hold, without negated ones.
    PredConj,
    /// The product of explicit values and conjunctions of predicates.
    ExplPred,
}

/// How many successors the explicit domain enumerates; written as a number, 0 for no limit, as `1*` or as `auto`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "MaxEnumText", into = "MaxEnumText")]
pub enum MaxEnum {
    /// All of them.
    Unlimited,
    /// So many, with the solver.
    AtMost(u32),
    /// One, and without the solver: what does not fold to a value is unknown.
    OneWithoutSolver,
    /// As many as the precision says, which learns more when more variables do not help.
    Auto,
}

/// [`MaxEnum`] as it is written.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
enum MaxEnumText {
    Number(u32),
    Word(String),
}

impl TryFrom<MaxEnumText> for MaxEnum {
    type Error = String;

    fn try_from(text: MaxEnumText) -> Result<MaxEnum, String> {
        match text {
            MaxEnumText::Number(0) => Ok(MaxEnum::Unlimited),
            MaxEnumText::Number(number) => Ok(MaxEnum::AtMost(number)),
            MaxEnumText::Word(word) if word == "1*" => Ok(MaxEnum::OneWithoutSolver),
            MaxEnumText::Word(word) if word == "auto" => Ok(MaxEnum::Auto),
            MaxEnumText::Word(word) => Err(format!("`{word}` is neither a number nor `1*` nor `auto`")),
        }
    }
}

impl From<MaxEnum> for MaxEnumText {
    fn from(max_enum: MaxEnum) -> MaxEnumText {
        match max_enum {
            MaxEnum::Unlimited => MaxEnumText::Number(0),
            MaxEnum::AtMost(number) => MaxEnumText::Number(number),
            MaxEnum::OneWithoutSolver => MaxEnumText::Word("1*".into()),
            MaxEnum::Auto => MaxEnumText::Word("auto".into()),
        }
    }
}

/// The refinement strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Refinement {
    /// An interpolant at every location of the counterexample.
    SeqItp,
    /// One interpolant, where the longest feasible prefix ends.
    FwBinItp,
    /// One interpolant, where the longest feasible suffix starts.
    BwBinItp,
    /// One interpolant, where the longest feasible suffix starts; for counterexamples that come back along the same edges, one at every
    /// location.
    BwSeqItp,
    /// Sequences for all counterexamples of a completely explored graph.
    MultiSeq,
    /// Of the two binary ones, that which prunes closer to the start.
    MinPrune,
    /// Of the two binary ones, that which prunes closer to the error.
    MaxPrune,
    /// The variables of an unsatisfiable core; for explicit values only.
    UnsatCore,
    /// Weakest preconditions of the core at every location.
    NewtonWp,
    /// The same over live variables.
    NewtonWpLv,
    /// Strongest postconditions of the core at every location.
    NewtonSp,
    /// The same over live variables.
    NewtonSpLv,
}

impl Refinement {
    /// The interpolator that the refinement is named after, if it is.
    pub fn own_interpolator(self) -> Option<InterpolatorKind> {
        match self {
            Refinement::NewtonWp => Some(InterpolatorKind::NewtonWp),
            Refinement::NewtonWpLv => Some(InterpolatorKind::NewtonWpLv),
            Refinement::NewtonSp => Some(InterpolatorKind::NewtonSp),
            Refinement::NewtonSpLv => Some(InterpolatorKind::NewtonSpLv),
            _ => None,
        }
    }
}

/// How a formula becomes predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PredSplit {
    /// Into conjuncts in the domain of conjunctions, otherwise not.
    Auto,
    /// As it is.
    Whole,
    /// Each conjunct is one.
    Conjuncts,
    /// Each clause of the conjunctive normal form is one, if that is small; otherwise each conjunct.
    Clauses,
    /// Each atom is one.
    Atoms,
}

/// Whether all locations share what is tracked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Granularity {
    /// Everything is tracked everywhere.
    Global,
    /// Each location has its own.
    Local,
}

/// What is tracked from the start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum InitialPrecision {
    /// Nothing.
    Empty,
    /// All variables; for explicit values.
    AllVars,
    /// The conditions of all edges; for predicates.
    AllAssumes,
}

/// How much of the graph a refinement removes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Prune {
    /// The subtree below the first state that is refined.
    Lazy,
    /// All.
    Full,
}

/// What the variables of a task are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// All are Boolean.
    Boolean,
    /// Some are not.
    Other,
}

impl CegarConfig {
    /// The options with every `auto` replaced by what suits a task.
    #[must_use]
    pub fn resolved(&self, logic: Logic) -> CegarConfig {
        let mut config = self.clone();
        if config.domain == DomainKind::Auto {
            config.domain = match logic {
                Logic::Boolean if self.fits_conjunctions() => DomainKind::PredConj,
                _ => DomainKind::ExplPred,
            };
        }
        if config.pred_split == PredSplit::Auto {
            config.pred_split = match config.domain {
                DomainKind::PredConj => PredSplit::Conjuncts,
                _ => PredSplit::Whole,
            };
        }
        let resolve = |kind: &InterpolatorKind| match (kind, logic) {
            (InterpolatorKind::Auto, Logic::Boolean) => vec![InterpolatorKind::Clauses],
            (InterpolatorKind::Auto, Logic::Other) => {
                vec![InterpolatorKind::NewtonWp, InterpolatorKind::Horn]
            }
            (other, _) => vec![*other],
        };
        config.interpolators = self.interpolators.iter().flat_map(resolve).collect();
        config
    }

    /// Whether no other option asks for more than conjunctions have.
    fn fits_conjunctions(&self) -> bool {
        self.initial_precision != InitialPrecision::AllVars
            && self
                .interpolators
                .iter()
                .all(|kind| matches!(kind, InterpolatorKind::Auto | InterpolatorKind::Clauses))
            && self.refinement.own_interpolator().is_none()
    }

    /// Why the options do not fit together, if they do not.
    pub fn conflict(&self) -> Option<&'static str> {
        let has_values = matches!(self.domain, DomainKind::Auto | DomainKind::Expl | DomainKind::ExplPred);
        let has_predicates = self.domain != DomainKind::Expl;
        if self.refinement == Refinement::UnsatCore && has_predicates {
            return Some(
                "`unsat-core` finds variables, and only the domain `expl` does with variables alone",
            );
        }
        if self.initial_precision == InitialPrecision::AllVars && !has_values {
            return Some("the initial precision `all-vars` is for the domains `expl` and `expl-pred`");
        }
        if self.initial_precision == InitialPrecision::AllAssumes && !has_predicates {
            return Some("the initial precision `all-assumes` is for domains with predicates");
        }
        if !matches!(self.pred_split, PredSplit::Auto | PredSplit::Whole) && !has_predicates {
            return Some("`pred-split` splits predicates, which the domain `expl` does not have");
        }
        if self.interpolators.is_empty() && self.needs_interpolators() {
            return Some("`interpolators` is empty, so nothing could explain a spurious counterexample");
        }
        self.rls.conflict()
    }

    fn needs_interpolators(&self) -> bool {
        self.refinement != Refinement::UnsatCore && self.refinement.own_interpolator().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_options_suit_the_variables_and_leave_the_others_alone() {
        let chosen = |config: &CegarConfig, logic| {
            let config = config.resolved(logic);
            (config.domain, config.pred_split, config.interpolators)
        };
        let default = CegarConfig::default();
        let clauses = vec![InterpolatorKind::Clauses];
        let newton = vec![InterpolatorKind::NewtonWp, InterpolatorKind::Horn];
        let for_bits = (DomainKind::PredConj, PredSplit::Conjuncts, clauses.clone());
        assert_eq!(chosen(&default, Logic::Boolean), for_bits);
        assert_eq!(chosen(&default, Logic::Other), (DomainKind::ExplPred, PredSplit::Whole, newton));
        let values = CegarConfig { domain: DomainKind::Expl, ..CegarConfig::default() };
        assert_eq!(chosen(&values, Logic::Boolean), (DomainKind::Expl, PredSplit::Whole, clauses));
        let farkas = CegarConfig { interpolators: vec![InterpolatorKind::Farkas], ..CegarConfig::default() };
        let kept = (DomainKind::ExplPred, PredSplit::Whole, vec![InterpolatorKind::Farkas]);
        assert_eq!(chosen(&farkas, Logic::Boolean), kept);
    }

    #[test]
    fn what_makes_no_sense_is_rejected_with_a_sentence() {
        let base = CegarConfig { domain: DomainKind::PredCart, ..CegarConfig::default() };
        let with = |change: fn(&mut CegarConfig)| {
            let mut config = base.clone();
            change(&mut config);
            config
        };
        let rejected = [
            with(|config| config.refinement = Refinement::UnsatCore),
            with(|config| config.initial_precision = InitialPrecision::AllVars),
            with(|config| config.interpolators.clear()),
            with(|config| (config.domain, config.pred_split) = (DomainKind::Expl, PredSplit::Atoms)),
            with(|config| {
                (config.domain, config.initial_precision) = (DomainKind::Expl, InitialPrecision::AllAssumes);
            }),
        ];
        assert!(rejected.iter().all(|config| config.conflict().is_some()));
        let newton = with(|config| {
            config.interpolators.clear();
            config.refinement = Refinement::NewtonSp;
        });
        assert_eq!((base.conflict(), newton.conflict()), (None, None));
    }
}
