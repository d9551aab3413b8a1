//! The order of the bases of contracts.

use std::collections::BTreeMap;

use crate::collect::Collector;
use crate::fault::{Res, invalid};
use crate::types::ContractId;

impl Collector<'_, '_> {
    /// C3 linearisation of all contracts.
    pub(crate) fn linearise(&mut self) {
        let mut done: BTreeMap<ContractId, Vec<ContractId>> = BTreeMap::new();
        for id in self.decls.contracts.indices() {
            let mut open = Vec::new();
            let linear = self.linearisation(id, &mut done, &mut open);
            let linear = self.note(linear).unwrap_or_else(|| vec![id]);
            self.decls.contracts[id].linear = linear;
        }
    }

    fn linearisation(
        &self,
        id: ContractId,
        done: &mut BTreeMap<ContractId, Vec<ContractId>>,
        open: &mut Vec<ContractId>,
    ) -> Res<Vec<ContractId>> {
        if let Some(linear) = done.get(&id) {
            return Ok(linear.clone());
        }
        let place = self.decls.contracts[id].span;
        if open.contains(&id) || open.len() > 200 {
            return invalid(place, "this contract is one of its own bases");
        }
        open.push(id);
        // Solidity lists bases from the most basic to the most derived one.
        let bases: Vec<ContractId> =
            self.decls.contracts[id].bases.iter().rev().map(|(base, _)| *base).collect();
        let mut lists: Vec<Vec<ContractId>> = Vec::new();
        for base in &bases {
            lists.push(self.linearisation(*base, done, open)?);
        }
        lists.push(bases);
        open.pop();
        let Some(rest) = merge(lists) else {
            return invalid(place, "the bases of this contract cannot be ordered");
        };
        let linear: Vec<ContractId> = std::iter::once(id).chain(rest).collect();
        done.insert(id, linear.clone());
        Ok(linear)
    }
}

/// The merge of the C3 linearisation (Barrett et al., "A monotonic superclass linearization for Dylan", 1996).
fn merge(mut lists: Vec<Vec<ContractId>>) -> Option<Vec<ContractId>> {
    let mut merged = Vec::new();
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() {
            return Some(merged);
        }
        let in_tail = |id: ContractId| lists.iter().any(|list| list[1..].contains(&id));
        let next = lists.iter().map(|list| list[0]).find(|head| !in_tail(*head))?;
        merged.push(next);
        for list in &mut lists {
            list.retain(|id| *id != next);
        }
    }
}
