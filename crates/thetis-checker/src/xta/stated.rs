//! Zones as evidence states them.

use thetis_model::xta::{Difference, Network, ZoneGroup};

use super::super::CheckError;
use super::rejected;
use super::zone::{Limit, Zone};

/// Accepts a group whose matrices fit its clocks and whose discrete state fits the network.
pub(super) fn check_shape(network: &Network, group: &ZoneGroup) -> Result<(), CheckError> {
    let is_ascending = group.clocks.is_sorted_by(|one, next| one < next);
    let exist = group.clocks.iter().all(|clock| clock.index() < network.clocks.len());
    let is_whole = group.zones.len().is_multiple_of(group.zone_len());
    if network.has_state(&group.state) && is_ascending && exist && is_whole {
        return Ok(());
    }
    Err(rejected("a symbolic state does not have the shape of the network".into()))
}

/// The limits that a stated zone has, by row and column.
pub(super) fn entries<'z>(
    group: &'z ZoneGroup,
    stated: &'z [i32],
) -> impl Iterator<Item = (usize, usize, Limit)> + use<'z> {
    let size = group.clocks.len() + 1;
    let bounded = stated.iter().enumerate().filter(|(_, entry)| **entry != ZoneGroup::UNBOUNDED);
    bounded
        .filter(move |(at, _)| at / size != at % size)
        .map(move |(at, entry)| (at / size, at % size, Limit::stated(*entry)))
}

/// Whether `zone` is within a stated zone, whose clocks have these positions.
pub(super) fn is_stated(zone: &Zone, positions: &[usize], stated: &[i32]) -> bool {
    let mut rows = stated.chunks_exact(positions.len()).zip(positions);
    rows.all(|(row, left)| {
        let mut entries = row.iter().zip(positions);
        entries.all(|(entry, right)| left == right || zone.limit(*left, *right) <= Limit::stated(*entry))
    })
}

/// Whether every value of `zone` is in some stated zone of `group`.
pub(super) fn is_in_union(group: &ZoneGroup, zone: &Zone) -> bool {
    if group.num_zones() < 2 {
        return false;
    }
    let clock = |row: usize| row.checked_sub(1).map(|index| group.clocks[index]);
    let parts = group.zones.chunks_exact(group.zone_len()).filter_map(|stated| {
        let limits = entries(group, stated).map(|(left, right, limit)| (clock(left), clock(right), limit));
        zone.met_by(limits)
    });
    zone.is_covered(&parts.collect::<Vec<Zone>>())
}

/// The limits of a stated zone as constraints.
pub(super) fn stated_differences(group: &ZoneGroup, stated: &[i32]) -> Vec<Difference> {
    let size = group.clocks.len() + 1;
    let clock = |row: usize| row.checked_sub(1).map(|index| group.clocks[index]);
    let bounded = stated.iter().enumerate().filter(|(_, entry)| **entry != ZoneGroup::UNBOUNDED);
    let difference = |(at, entry): (usize, &i32)| Difference {
        left: clock(at / size),
        right: clock(at % size),
        limit: entry.div_euclid(2),
        is_strict: entry.rem_euclid(2) == 0,
    };
    bounded.filter(|(at, _)| at / size != at % size).map(difference).collect()
}

/// A zone on arrival, then with all delays; `None` if the invariant is violated on arrival.
pub(super) fn settled(mut zone: Zone, invariant: &[Difference], is_frozen: bool) -> Option<Zone> {
    if !zone.keep_all(invariant) {
        return None;
    }
    if !is_frozen {
        zone.wait();
        if !zone.keep_all(invariant) {
            return None;
        }
    }
    Some(zone)
}
