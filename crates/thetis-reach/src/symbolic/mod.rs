//! Nets as transition systems, so that bounded model checking, k-induction and IC3 serve nets too.
//!
//! # The system
//! A place is a variable. If a place invariant shows that a place never holds more than one token, the variable is
//! Boolean; otherwise it is an integer, in a range if a bound is known ([`bounds`]). A transition is a Boolean input: the
//! step fires it. The relation between a step and the next is spread over constraints on the inputs and a function for each
//! variable ([`encode`]), in size proportional to the arcs.
//!
//! # Several firings in a step
//! A step may fire any *set* of transitions that can fire one after the other in every order: together they take no more
//! tokens than there are, and none adds to what inhibits another. The empty set is allowed too. So a run of the system
//! becomes a run of the net if the firings of each step are written one after another, and independent firings need no
//! order, which makes runs to the target much shorter (Heljanko 2001, *Bounded reachability checking with process
//! semantics*).
//!
//! Single firings are such sets. So whatever every step preserves, every firing preserves, and an induction over `k`
//! steps is an induction over `k` firings. Proofs therefore carry over directly, in terms of token counts ([`lift`]).
//!
//! # Place invariants
//! The bounds follow from weighted sums of token counts that no firing increases. These sums become constraints of the
//! system if they are cheap to express, and they are part of every proof that is lifted, because the rest of it holds only
//! relative to them. A Boolean variable loses a token where the place would hold two; no marking that satisfies the sums has
//! such a firing, so this makes neither runs nor proofs wrong. The checker relies on none of this: it checks the proof on
//! the net.

mod bounds;
mod counting;
mod encode;
mod lift;

use thetis_base::{Run, Stop};
use thetis_expr::Store;
use thetis_model::petri::{Net, Question};
use thetis_model::sts::{Sts, StsProperty};
use thetis_model::{Pass, Passed, Task};

use bounds::Bounds;
use encode::Encoding;
use lift::ToStsLift;

/// The pass. See the [module](self).
///
/// Questions without a target have no transition system: counting markings is not its strength.
pub struct ToSts;

impl Pass<Net> for ToSts {
    type Target = Sts;

    fn name(&self) -> &'static str {
        "net-to-sts"
    }

    fn apply(&self, task: Task<Net>, run: &Run) -> Result<Passed<Net, Sts>, Stop> {
        if matches!(task.property.question(), Question::StateSpace | Question::Explore) {
            return Err(Stop::failed("a transition system needs a target, and this question has none"));
        }
        let net = task.model;
        let bounds = Bounds::find(&net, run)?;
        let store = Store::new();
        let encoding = Encoding::new(&store, &net, &bounds);
        let model = encoding.system(&task.property.target(&net), &bounds, run)?;
        let lift = ToStsLift::new(encoding.place_of_var(), bounds.into_predicates());
        let task = Task { store, model, property: StsProperty::Globally };
        Ok(Passed { task, lift: Box::new(lift) })
    }
}
