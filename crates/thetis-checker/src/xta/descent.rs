//! Whether ranked symbolic states show that no endless run exists.
//!
//! A run that counts satisfies the condition from some start on. The accepted states contain every start with all delays within the condition,
//! and every successor within the condition has a lower rank, so a run takes only finitely many moves within the condition. It does not end
//! there either: from each state, a move becomes possible sooner or later, or waiting violates the condition.

use rustc_hash::FxHashMap;
use thetis_base::Run;
use thetis_model::Task;
use thetis_model::xta::{Difference, Discrete, Endless, Formula, Network, RankedGroup, XtaProof};

use super::super::CheckError;
use super::ground::{Ground, Grounds, Passage};
use super::stated::{check_shape, is_stated, stated_differences};
use super::zone::Zone;
use super::{cover, failed, rejected};

struct Descent<'p> {
    ranked: &'p [RankedGroup],
    by_state: FxHashMap<&'p Discrete, usize>,
    grounds: Grounds<'p>,
}

/// Accepts `proof` iff it shows that there is no run as `endless` describes it.
pub(super) fn check(
    task: &Task<Network>,
    endless: &Endless,
    proof: &XtaProof,
    run: &Run,
) -> Result<(), CheckError> {
    let network = &task.model;
    let mut by_state = FxHashMap::default();
    for (number, ranked) in proof.descent.iter().enumerate() {
        check_shape(network, &ranked.group)?;
        if ranked.ranks.len() != ranked.group.num_zones() {
            return Err(rejected("not every symbolic state has a rank".into()));
        }
        if by_state.insert(&ranked.group.state, number).is_some() {
            return Err(rejected("a discrete state has ranks twice".into()));
        }
    }
    let grounds = Grounds::new(network, &endless.along);
    let mut descent = Descent { ranked: &proof.descent, by_state, grounds };
    match &endless.start {
        None => descent.check_initial(network)?,
        Some(start) => {
            cover::check(task, &Formula::Or(Vec::new()), proof, run)?;
            descent.check_starts(start, proof, run)?;
        }
    }
    for ranked in &proof.descent {
        descent.check_group(ranked, run)?;
    }
    Ok(())
}

impl Descent<'_> {
    fn check_initial(&mut self, network: &Network) -> Result<(), CheckError> {
        let state = network.initial();
        let ground = self.grounds.at(&state)?;
        let ground = ground.ok_or_else(|| rejected("the initial state violates an invariant".into()))?;
        let origin = Zone::origin(self.grounds.clocks.clone());
        match ground.entered(origin) {
            Some(zone) if !self.is_covered(&state, &zone, None) => {
                Err(rejected("the initial state has no rank".into()))
            }
            _ => Ok(()),
        }
    }

    /// From every covered state that is a start, waiting within the condition must stay among states with ranks.
    fn check_starts(&mut self, start: &Formula, proof: &XtaProof, run: &Run) -> Result<(), CheckError> {
        for group in &proof.groups {
            let Some(ground) = self.grounds.at(&group.state)? else { continue };
            let cases = self.grounds.cases(start, &group.state)?;
            for stated in group.zones.chunks_exact(group.zone_len()) {
                run.checkpoint()?;
                let limits = stated_differences(group, stated);
                for case in &cases {
                    let mut zone = Zone::all(self.grounds.clocks.clone());
                    if !(zone.keep_all(&limits) && zone.keep_all(case)) {
                        continue;
                    }
                    let Some(zone) = ground.entered(zone) else { continue };
                    if !self.is_covered(&group.state, &zone, None) {
                        return Err(rejected("a start has no rank".into()));
                    }
                }
            }
        }
        Ok(())
    }

    fn check_group(&mut self, ranked: &RankedGroup, run: &Run) -> Result<(), CheckError> {
        let group = &ranked.group;
        let Some(ground) = self.grounds.at(&group.state)? else { return Ok(()) };
        let Some(within) = ground.within() else { return Ok(()) };
        let passages = self.grounds.passages(&group.state)?;
        for (stated, rank) in group.zones.chunks_exact(group.zone_len()).zip(&ranked.ranks) {
            run.checkpoint()?;
            let mut zone = Zone::all(self.grounds.clocks.clone());
            if !(zone.keep_all(&stated_differences(group, stated)) && zone.keep_all(&within)) {
                continue;
            }
            self.check_moves(&passages, &zone, *rank)?;
            self.check_end(&ground, &passages, &zone)?;
        }
        Ok(())
    }

    fn check_moves(&self, passages: &[Passage], zone: &Zone, rank: u32) -> Result<(), CheckError> {
        for passage in passages {
            let mut zone = zone.clone();
            if !zone.keep_all(&passage.guard) {
                continue;
            }
            let beyond = passage.beyond.as_ref().map_err(failed)?;
            let Some(zone) = beyond.ground.entered(zone.after(&beyond.effects)) else { continue };
            if !self.is_covered(&beyond.state, &zone, Some(rank)) {
                return Err(rejected("a move does not lead to a lower rank".into()));
            }
        }
        Ok(())
    }

    /// No maximal run may end in `zone`.
    fn check_end(&self, ground: &Ground, passages: &[Passage], zone: &Zone) -> Result<(), CheckError> {
        let along = ground.along.as_deref().unwrap_or_default();
        let limits = || along.iter().filter(|one| is_upper(one));
        if !ground.is_frozen && !ground.invariant.iter().any(is_upper) {
            return match limits().next() {
                Some(_) => Ok(()),
                None => Err(rejected("a run may wait for ever".into())),
            };
        }
        let moving = passages.iter().filter_map(|passage| {
            let arrival = &passage.beyond.as_ref().ok()?.ground.invariant;
            passage.before(ground, &ground.invariant, arrival, &self.grounds.clocks)
        });
        let mut others: Vec<Zone> = moving.collect();
        if !ground.is_frozen {
            others.extend(limits().filter_map(|limit| self.leaving(ground, *limit)));
        }
        if zone.is_covered(&others) {
            return Ok(());
        }
        Err(rejected("a run may end in a deadlock".into()))
    }

    /// The states from which the invariant allows a delay that violates `limit`.
    fn leaving(&self, ground: &Ground, limit: Difference) -> Option<Zone> {
        let mut zone = Zone::all(self.grounds.clocks.clone());
        let last = ground.invariant.iter().filter(|one| is_upper(one));
        let later: Vec<Difference> = last
            .map(|last| Difference {
                left: last.left,
                right: limit.left,
                limit: last.limit - limit.limit,
                is_strict: !limit.is_strict || last.is_strict,
            })
            .collect();
        zone.keep_all(&later).then_some(zone)
    }

    /// Whether one of the ranked zones of `state` contains `zone`, with a rank below the given one.
    fn is_covered(&self, state: &Discrete, zone: &Zone, below: Option<u32>) -> bool {
        let Some(number) = self.by_state.get(state) else { return false };
        let RankedGroup { group, ranks } = &self.ranked[*number];
        let positions = zone.positions(&group.clocks);
        let mut stated = group.zones.chunks_exact(group.zone_len()).zip(ranks);
        stated.any(|(stated, rank)| {
            below.is_none_or(|below| *rank < below) && is_stated(zone, &positions, stated)
        })
    }
}

/// Whether the passage of time eventually violates the constraint.
fn is_upper(one: &Difference) -> bool {
    one.left.is_some() && one.right.is_none()
}
