//! What unknown code may do while a contract waits for it.
//!
//! The called code may do nothing, or call back: run any number of transactions of the contract, nested in the waiting one. An
//! automaton has no stack, so three cases are distinguished by what follows the call until the transaction ends.
//!
//! * **Nothing follows** that changes state or is checked, as in functions that make their calls last. Then it makes no difference
//!   whether transactions are nested or follow each other: control goes to the end of the transaction. This is exact
//!   at every depth, up to conditions after the call, which are not evaluated; if there are any, a failing check is a limit.
//! * **Something follows**, and no transaction waits yet. Then the variables that the rest of the function reads are
//!   saved, control goes to the head one level deeper, and from there it may return at any time to the place after
//!   the call, where the saved values are restored. This is exact.
//! * Something follows, and a transaction waits already. Then all state becomes arbitrary. That is an
//!   over-approximation, so a check that fails afterwards is a limit. In a contract with a lock against re-entrancy,
//!   this case is unreachable.
//!
//! So contracts that are protected against re-entrancy in the usual ways can be proved safe, and attacks that call back once are
//! found as runs.

use thetis_base::Span;
use thetis_expr::{ExprId, Sort, VarId};

use crate::decls::Mutability;
use crate::fault::{Res, unsupported};
use crate::types::{FuncId, Region, Ty};

use super::Lower;
use super::call::{CalleeCode, Context, Memory};
use super::graph::{Extent, Node, Step};
use super::item::{CallOptions, Item};
use super::whole::Whole;

/// How many transactions can wait.
const LEVELS: usize = 1;

/// A place where unknown code runs.
pub(crate) struct Site {
    pub(crate) before: Node,
    after: Node,
    /// That the callee is the contract itself.
    is_self: ExprId,
    /// Whether the call succeeded, if the caller can see it.
    success: Option<ExprId>,
    pub(crate) span: Span,
}

impl Lower<'_, '_> {
    /// Unknown code at an address runs.
    pub(crate) fn run_unknown(&mut self, target: ExprId, success: Option<ExprId>, span: Span) {
        let Some(before) = self.graph.here() else { return };
        let after = self.graph.node();
        let is_self = self.store.eq(target, self.whole().this);
        self.graph.jump(after);
        self.graph.resume(Some(after));
        if let Some(whole) = &mut self.whole {
            whole.sites.push(Site { before, after, is_self, success, span });
        }
    }

    /// A call of a function of a contract type, while a whole contract is translated.
    pub(crate) fn call_contract(
        &mut self,
        target: ExprId,
        id: FuncId,
        options: &CallOptions,
        args: Vec<Item>,
        span: Span,
    ) -> Res<Item> {
        let this = self.whole().this;
        if target == this {
            return self.call_itself(id, options, args, span);
        }
        let target = self.settle(target);
        for arg in args {
            self.settled(arg, span)?;
        }
        if let Some(value) = options.value {
            self.move_ether(this, target, value);
        }
        if !self.is_constant(id) {
            self.run_unknown(target, None, span);
        }
        let mut results = Vec::new();
        for result in self.decls.funcs[id].returns.clone() {
            let ty =
                if result.ty.region().is_some() { result.ty.in_region(Region::Memory) } else { result.ty };
            if Self::is_reference(&ty) {
                return unsupported(span, "calls that return arrays or structures are not supported here");
            }
            results.push(Some(self.any_value(ty)?));
        }
        Ok(match results.len() {
            1 => results.pop().flatten().unwrap_or(Item::Tuple(Vec::new())),
            _ => Item::Tuple(results),
        })
    }

    /// `this.f(args)`.
    fn call_itself(&mut self, id: FuncId, options: &CallOptions, args: Vec<Item>, span: Span) -> Res<Item> {
        let this = self.whole().this;
        let func = &self.decls.funcs[id];
        if func.params.iter().chain(&func.returns).any(|param| Self::is_reference(&param.ty)) {
            return unsupported(span, "arguments of reference types are not supported here");
        }
        let zero = self.number(&Ty::UINT, 0);
        let value = options.value.unwrap_or(zero);
        if func.mutability != Mutability::Payable {
            self.graph.assume(self.store.eq(value, zero));
        }
        self.move_ether(this, this, value);
        let id = self.root_contract().map_or(id, |contract| self.overriding(id, contract));
        let (memory, code) = (Memory::Separate, CalleeCode::Declared);
        self.call_func(id, args, Context { this, sender: this, value, memory, code }, span)
    }

    /// Connects each place where unknown code runs to the places it may lead to, after everything else has
    /// been translated.
    pub(crate) fn connect_sites(&mut self) {
        let Some(mut whole) = self.whole.take() else { return };
        for number in 0..whole.sites.len() {
            let site = &whole.sites[number];
            let free = site.success.map(|success| self.store.vars_of([success])).unwrap_or_default();
            let rest = self.graph.continuation(&self.store, site.after, whole.finish, free);
            if rest.has_effects {
                self.connect_nested(&whole, number, rest.reads.into_iter().collect());
            } else {
                let mut steps = vec![Step::Assign(whole.calls_itself, site.is_self)];
                if rest.may_block {
                    steps.push(Step::Assign(whole.coarse, self.store.tru()));
                }
                self.graph.connect(site.before, whole.finish, steps, site.span);
            }
        }
        whole.sites.sort_by_key(|site| site.before);
        self.whole = Some(whole);
    }

    fn connect_nested(&mut self, whole: &Whole, number: usize, reads: Vec<VarId>) {
        let site = &whole.sites[number];
        let level = self.store.var_expr(whole.level);
        let shared: Vec<VarId> =
            self.graph.globals().filter(|(global, _)| global.is_lasting()).map(|(_, var)| var).collect();
        let fixed = [whole.level, whole.calls_itself, whole.coarse];
        let this = self.store.vars_of([whole.this]);
        let is_local = |var: &VarId| !shared.contains(var) && !fixed.contains(var) && !this.contains(var);
        let locals: Vec<VarId> = reads.into_iter().filter(is_local).collect();
        for depth in 0..LEVELS {
            let waiting = self.waiting(depth);
            let at = |level_now: usize| self.store.eq(level, self.store.int(level_now as u64));
            let saved: Vec<VarId> = locals
                .iter()
                .map(|var| self.graph.fresh(&self.store, "saved", self.store.var_sort(*var)))
                .collect();
            let mut call = vec![Step::Assume(at(depth).into())];
            let mut back = vec![
                Step::Assume(at(depth + 1).into()),
                Step::Assume(self.store.eq(waiting.1, self.store.int(number as u64)).into()),
            ];
            for (local, saved) in locals.iter().zip(&saved) {
                call.push(Step::Assign(*saved, self.store.var_expr(*local)));
                back.push(Step::Assign(*local, self.store.var_expr(*saved)));
            }
            call.push(Step::Assign(waiting.0, self.store.int(number as u64)));
            call.push(Step::Assign(whole.level, self.store.int(depth as u64 + 1)));
            call.push(Step::Assign(whole.calls_itself, site.is_self));
            back.push(Step::Assign(whole.level, self.store.int(depth as u64)));
            back.push(Step::Assign(whole.calls_itself, self.store.fals()));
            self.graph.connect(site.before, whole.head, call, site.span);
            self.graph.connect(whole.head, site.after, back, site.span);
        }
        let deepest = self.store.eq(level, self.store.int(LEVELS as u64));
        let lost = vec![
            Step::Assume(deepest.into()),
            Step::Assign(whole.coarse, self.store.tru()),
            Step::HavocAll(Extent::State),
        ];
        self.graph.connect(site.before, site.after, lost, site.span);
    }

    /// The variable that says which call the transaction at a level waits for.
    fn waiting(&mut self, depth: usize) -> (VarId, ExprId) {
        let var = self.global_var(&super::global::Global::Waiting(depth), Sort::Int);
        (var, self.store.var_expr(var))
    }
}
