//! The strongest bounds of terms that are inductive together.
//!
//! Before anything is learned, each relation gets a conjunction of bounds `c <= term <= d`, where the terms are the
//! features of [decision trees](crate::DecisionTree) and `c` and `d` are numbers that occur in the formulas. It starts
//! with the tightest bounds around the positive points and is widened to the next numbers as long as a clause leads out
//! of it. The result contains all derivable points, so the teacher considers only points inside it, and hypotheses need
//! not repeat the bounds.
//!
//! These are the least fixed points of template polyhedra with thresholds (Sankaranarayanan, Sipma, Manna 2005); we
//! compute them from models of failed implications instead of by linear programs.

use thetis_base::{Run, Stop};
use thetis_expr::{ExprId, Store, VarId};
use thetis_solver::HornSystem;

use crate::models::{End, Examples, terms_of};
use crate::tree::Template;
use crate::{Data, Hints, Label};

/// How many queries may fail before there are no bounds.
const MAX_FAILURES: usize = 3000;

/// How many points a failed query gives.
const PER_QUERY: usize = 3;

/// The bounds of one relation; without a point nothing satisfies them.
struct Region {
    templates: Vec<Template>,
    /// The least and the greatest value of each template.
    ranges: Option<Vec<(i128, i128)>>,
}

impl Region {
    fn formula(&self, store: &Store) -> ExprId {
        let Some(ranges) = &self.ranges else { return store.fals() };
        let bounds = self.templates.iter().zip(ranges);
        store.and_all(
            bounds.flat_map(|(template, (least, greatest))| template.bounds(store, *least, *greatest)),
        )
    }

    /// Widens the bounds so that they hold at a point, if all templates have values there.
    fn include(&mut self, values: &[i128]) {
        let ranges = self.ranges.get_or_insert_with(|| values.iter().map(|value| (*value, *value)).collect());
        for ((least, greatest), value) in ranges.iter_mut().zip(values) {
            *least = (*least).min(*value);
            *greatest = (*greatest).max(*value);
        }
    }
}

/// A formula for each relation that contains all points that can be derived; `None` if it is not found.
pub(crate) fn strongest(
    store: &Store,
    system: &HornSystem,
    data: &Data,
    hints: &Hints,
    examples: &mut Examples,
    run: &Run,
) -> Result<Option<Vec<ExprId>>, Stop> {
    let regions = (0..data.num_spaces()).map(|space| region(store, data, hints, space)).collect();
    let mut search = BoundSearch { store, system, data, regions, num_failures: 0 };
    loop {
        let num_failures = search.num_failures;
        for clause in 0..system.clauses.len() {
            if search.widen(clause, examples, run)? == AttemptEnd::GivenUp {
                return Ok(None);
            }
        }
        if search.num_failures == num_failures {
            return Ok(Some(search.regions.iter().map(|region| region.formula(store)).collect()));
        }
    }
}

fn region(store: &Store, data: &Data, hints: &Hints, space: usize) -> Region {
    let ids = data.of_space(space).into_iter();
    let positive: Vec<usize> = ids.filter(|id| data.labels().get(*id) == Some(Label::Positive)).collect();
    let mut region = Region { templates: Template::all(store, data, hints, space, &positive), ranges: None };
    for id in positive {
        let values = values(store, data, space, &region.templates, &data.points()[id].values);
        if let Some(values) = values {
            region.include(&values);
        }
    }
    region
}

/// The values of all templates at a point.
fn values(
    store: &Store,
    data: &Data,
    space: usize,
    templates: &[Template],
    point: &[i64],
) -> Option<Vec<i128>> {
    templates.iter().map(|template| template.value(store, data, space, point)).collect()
}

#[derive(PartialEq, Eq)]
enum AttemptEnd {
    Closed,
    GivenUp,
}

struct BoundSearch<'a> {
    store: &'a Store,
    system: &'a HornSystem,
    data: &'a Data,
    regions: Vec<Region>,
    num_failures: usize,
}

impl BoundSearch<'_> {
    /// Widens the bounds of the head of a clause until it does not lead out of them.
    fn widen(&mut self, clause: usize, examples: &mut Examples, run: &Run) -> Result<AttemptEnd, Stop> {
        let (store, clause) = (self.store, &self.system.clauses[clause]);
        let Some(head) = clause.head else { return Ok(AttemptEnd::Closed) };
        let before = clause.body.map_or(store.tru(), |body| self.regions[body].formula(store));
        // The caller checks a clause from a relation to itself again, with the new bounds before it.
        loop {
            run.checkpoint()?;
            let after = clause.step.before(store, self.regions[head].formula(store));
            let violation = store.and_all([before, clause.step.condition(store), store.not(after)]);
            if violation == store.fals() {
                return Ok(AttemptEnd::Closed);
            }
            let vars: &[VarId] = self.data.vars(head);
            let terms: Vec<ExprId> =
                terms_of(store, vars).into_iter().map(|term| clause.step.before(store, term)).collect();
            let found = examples.find(store, violation, &terms, PER_QUERY, run)?;
            if found.points.is_empty() {
                return Ok(if found.end == End::All { AttemptEnd::Closed } else { AttemptEnd::GivenUp });
            }
            self.num_failures += found.points.len();
            if self.num_failures > MAX_FAILURES {
                return Ok(AttemptEnd::GivenUp);
            }
            for point in &found.points {
                let values = values(store, self.data, head, &self.regions[head].templates, point);
                let Some(values) = values else { return Ok(AttemptEnd::GivenUp) };
                self.regions[head].include(&values);
            }
        }
    }
}
