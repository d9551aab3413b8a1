//! A whole contract as one automaton: its constructor, and then any number of transactions.
//!
//! The automaton has a location between transactions, the *head*. From there anybody calls a public function with any arguments and any
//! ether, or ether arrives without a call, and control comes back to the head when the transaction ends. A transaction that reverts has
//! no effect, so its path just ends. Loops are cycles and all functions that the contract has itself are translated in place, so nothing
//! is assumed except what the code says; annotations of functions and loops are not used. An `assert` is checked where it occurs, and the
//! invariants of the contract are checked between transactions. What unknown code may do while it is called is the subject of
//! [`reentrancy`](super::reentrancy).
//!
//! There is only one contract, so its state needs no map over addresses: a leaf of a state variable is a variable. Only
//! the balance of the contract is known; all other balances are arbitrary. Time does not run backwards.
//!
//! A function that uses something that is not modelled leads to a limit: the contract has no verdict unless the function
//! cannot be called at all.

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::Assumption;

use crate::check::Moment;
use crate::decls::{ContractKind, Decls, FuncKind};
use crate::fault::{FaultKind, Res};
use crate::types::{ContractId, FuncId, Ty};

use super::arith::{CmpOp, NumOp};
use super::call::{CalleeCode, Context, Memory};
use super::global::Global;
use super::graph::{Built, Extent, Limit, Mark, Node, Step as GraphStep};
use super::reentrancy::Site;
use super::shown::{Meaning, Variable};
use super::units::{Body, Unit};
use super::{Frame, FxIndexMap, Lower, Program};

/// What the translation of a whole contract knows.
pub(crate) struct Whole {
    pub(crate) this: ExprId,
    /// Between transactions.
    pub(crate) head: Node,
    /// Where transactions end.
    pub(crate) finish: Node,
    /// How deeply transactions are nested.
    pub(crate) level: VarId,
    /// Whether the contract has called itself through an address, so that it may be the sender.
    pub(crate) calls_itself: VarId,
    /// Whether the state may be one that the contract does not reach.
    pub(crate) coarse: VarId,
    pub(crate) sites: Vec<Site>,
    steps: FxIndexMap<Node, Step>,
}

/// A step of a run of a contract that is worth showing.
#[derive(Clone, Debug)]
pub enum Step {
    /// A transaction starts.
    Start {
        /// The function, or what happens instead.
        name: String,
        /// Where it stands.
        span: Span,
        /// Sender, ether and arguments: names, terms, and whether to write them as addresses.
        inputs: Vec<Variable>,
    },
    /// Unknown code is called, and calls back.
    Call(Span),
    /// The transaction ends.
    End,
}

/// A translated contract.
pub(crate) struct LoweredContract {
    pub(crate) store: Store,
    pub(crate) built: Built,
    pub(crate) head: Node,
    /// Places where the state is one between transactions, if none waits.
    pub(crate) between: Vec<Node>,
    pub(crate) steps: FxIndexMap<Node, Step>,
    /// The state.
    pub(crate) state: Vec<Variable>,
    /// What invariants are not about: variables with the values that they have between transactions.
    pub(crate) idle: Vec<(VarId, ExprId)>,
    pub(crate) assumptions: Vec<Assumption>,
    pub(crate) notes: Vec<(Span, String)>,
}

impl Decls<'_> {
    /// Whether a contract can be deployed.
    pub(crate) fn is_deployable(&self, id: ContractId) -> bool {
        let contract = &self.contracts[id];
        let implemented = |func: &FuncId| self.funcs[*func].body.is_some();
        let named = contract.linear.iter().flat_map(|base| &self.contracts[*base].scope.funcs);
        contract.kind == ContractKind::Contract
            && named.into_iter().all(|func| {
                let all = self.find_funcs(&contract.linear, &self.funcs[*func].name);
                all.iter().filter(|other| self.same_signature(**other, *func)).any(implemented)
            })
    }

    /// The functions that can be called from outside, the overridden ones left out.
    pub(crate) fn entries(&self, id: ContractId) -> Vec<FuncId> {
        let linear = &self.contracts[id].linear;
        let mut entries: Vec<FuncId> = Vec::new();
        for func in linear.iter().flat_map(|base| self.own_functions(*base)) {
            let decl = &self.funcs[func];
            let is_overridden = entries.iter().any(|other| {
                let other_decl = &self.funcs[*other];
                other_decl.kind == decl.kind
                    && other_decl.name == decl.name
                    && self.same_signature(*other, func)
            });
            let is_entry = matches!(decl.kind, FuncKind::Function | FuncKind::Fallback | FuncKind::Receive);
            if is_entry && decl.is_public() && decl.body.is_some() && !is_overridden {
                entries.push(func);
            }
        }
        entries
    }

    fn own_functions(&self, id: ContractId) -> impl Iterator<Item = FuncId> {
        self.funcs.indices().filter(move |func| self.funcs[*func].contract == Some(id))
    }
}

/// Translates a contract.
pub(crate) fn lower_contract(program: &Program<'_, '_>, contract: ContractId) -> Res<LoweredContract> {
    let decls = program.decls;
    let mut lower = Lower::new(program, Some(contract), &[]);
    let span = decls.contracts[contract].span;
    lower.assumptions.extend(program.arithmetic.assumption(span));
    lower.graph.at(span);
    lower.begin();
    lower.deploy(contract)?;
    let ready = lower.graph.node();
    for func in decls.entries(contract) {
        let unit = Unit { contract: Some(contract), body: Body::Func(func) };
        lower.transaction(ready, |lower| lower.function(&unit, func, decls.funcs[func].span))?;
    }
    let unit = Unit { contract: Some(contract), body: Body::ReceiveEther };
    lower.transaction(ready, |lower| lower.gift(&unit, span))?;
    lower.end_transactions(contract, span)?;
    lower.start_transactions(ready, span);
    lower.connect_sites();
    lower.finished_contract(contract, ready)
}

impl Lower<'_, '_> {
    /// A sort for each contract; a whole contract has only its own state.
    pub(crate) fn per_contract(&self, sort: Sort) -> Sort {
        if self.whole.is_some() { sort } else { self.store.array_sort(Sort::Int, sort) }
    }

    /// What `map` has for the contract at an address.
    pub(crate) fn of_contract(&self, map: ExprId, this: ExprId) -> ExprId {
        if self.whole.is_some() { map } else { self.store.select(map, this) }
    }

    /// `map` with another value for the contract at an address.
    pub(crate) fn with_contract(&self, map: ExprId, this: ExprId, new: ExprId) -> ExprId {
        if self.whole.is_some() { new } else { self.store.store(map, this, new) }
    }

    fn begin(&mut self) {
        let this = self.graph.fresh(&self.store, "this", Sort::Int);
        let level = self.graph.fresh(&self.store, "level", Sort::Int);
        let calls_itself = self.graph.fresh(&self.store, "calls itself", Sort::Bool);
        let coarse = self.graph.fresh(&self.store, "coarse", Sort::Bool);
        self.graph.assign(level, self.store.int(0));
        self.graph.assign(calls_itself, self.store.fals());
        self.graph.assign(coarse, self.store.fals());
        self.graph.trust_unless(coarse);
        let (head, finish) = (self.graph.node(), self.graph.node());
        let this = self.store.var_expr(this);
        self.whole = Some(Whole {
            this,
            head,
            finish,
            level,
            calls_itself,
            coarse,
            sites: Vec::new(),
            steps: FxIndexMap::default(),
        });
        self.type_fact(&Ty::ADDRESS, this);
        self.fact(self.store.ne(this, self.store.int(0)));
    }

    /// The automaton of a whole contract.
    pub(crate) fn whole(&self) -> &Whole {
        self.whole.as_ref().expect("a whole contract should be translated")
    }

    fn whole_mut(&mut self) -> &mut Whole {
        self.whole.as_mut().expect("a whole contract should be translated")
    }

    fn deploy(&mut self, contract: ContractId) -> Res<()> {
        let constructor = self.decls.contracts[contract].constructor;
        let body = constructor.map_or(Body::ImplicitConstructor, Body::Func);
        let unit = Unit { contract: Some(contract), body };
        let span = unit.span(self.decls);
        let mark = self.graph.mark();
        let result = self.constructor(&unit, constructor, span);
        self.is_constructor = false;
        // The contract has no code yet, so it cannot be called back.
        self.whole_mut().sites.clear();
        self.finish_transaction(result, 0, &mark)
    }

    /// Translates something that happens between transactions.
    fn transaction(&mut self, ready: Node, part: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        self.graph.resume(Some(ready));
        let (mark, sites) = (self.graph.mark(), self.whole().sites.len());
        let result = part(self);
        self.finish_transaction(result, sites, &mark)
    }

    fn finish_transaction(&mut self, result: Res<()>, sites: usize, mark: &Mark) -> Res<()> {
        if let Err(fault) = result {
            if fault.kind == FaultKind::Invalid {
                return Err(fault);
            }
            self.graph.rewind(mark);
            self.whole_mut().sites.truncate(sites);
            let limit = Limit { span: fault.span, reason: fault.message };
            self.graph.limit(&self.store, self.store.fals(), limit);
        }
        self.graph.jump(self.whole().finish);
        self.frames.clear();
        self.inlined.clear();
        self.constants.clear();
        self.inputs.clear();
        (self.old, self.before, self.annotation) = (None, None, None);
        Ok(())
    }

    /// Shows that a transaction starts here.
    pub(crate) fn show_start(&mut self, name: String, span: Span) {
        let Some(here) = self.graph.here() else { return };
        let frame = self.frame();
        let variable = |name: &str, term, meaning| Variable { name: name.to_owned(), term, meaning };
        let mut inputs = vec![
            variable("msg.sender", frame.sender, Meaning::Address),
            variable("msg.value", frame.value, Meaning::Plain),
        ];
        let types: BTreeMap<String, Ty> = match frame.func {
            Some(id) => {
                let params = self.decls.funcs[id].params.iter();
                params.filter_map(|param| Some((param.name.clone()?, param.ty.clone()))).collect()
            }
            None => BTreeMap::new(),
        };
        for (name, term) in std::mem::take(&mut self.inputs) {
            let meaning = types.get(&name).map_or(Meaning::Plain, |ty| self.meaning(ty));
            inputs.push(Variable { name, term, meaning });
        }
        self.whole_mut().steps.insert(here, Step::Start { name, span, inputs });
    }

    /// Ether arrives without a call.
    fn gift(&mut self, unit: &Unit, span: Span) -> Res<()> {
        let context = self.start(unit, None);
        self.show_start("ether arrives without a call".to_owned(), span);
        self.change_balance(NumOp::Add, context.this, context.value);
        Ok(())
    }

    /// The invariants hold when no function of the contract is active.
    fn end_transactions(&mut self, contract: ContractId, span: Span) -> Res<()> {
        let Whole { this, head, finish, level, .. } = *self.whole();
        self.whole_mut().steps.insert(finish, Step::End);
        let level = self.store.var_expr(level);
        let is_outermost = self.store.eq(level, self.store.int(0));
        let nested = self.store.not(is_outermost);
        self.graph.connect(finish, head, vec![GraphStep::Assume(nested.into())], span);
        self.graph.resume(Some(finish));
        self.graph.assume(is_outermost);
        let value = self.number(&Ty::UINT, 0);
        let (memory, code) = (Memory::Shared, CalleeCode::Declared);
        let context = Context { this, sender: this, value, memory, code };
        self.frames.push(Frame::new(Some(contract), None, head, context));
        let mark = self.graph.mark();
        if let Err(fault) = self.check_invariants(contract, this, Moment::Between, span) {
            if fault.kind == FaultKind::Invalid {
                return Err(fault);
            }
            self.graph.rewind(&mark);
            let limit = Limit { span: fault.span, reason: fault.message };
            self.graph.limit(&self.store, self.store.fals(), limit);
        }
        self.graph.jump(head);
        self.frames.clear();
        Ok(())
    }

    /// From the head to where transactions start: a new block, unless this is a nested call.
    fn start_transactions(&mut self, ready: Node, span: Span) {
        let Whole { head, level, .. } = *self.whole();
        let is_outermost = self.store.eq(self.store.var_expr(level), self.store.int(0));
        let memory = GraphStep::HavocAll(Extent::Memory);
        let mut steps = vec![GraphStep::Assume(is_outermost.into()), memory.clone()];
        let environment: Vec<VarId> = self.graph.all(Extent::Environment).collect();
        let clocks: Vec<VarId> = self.clocks();
        for var in environment {
            if !clocks.contains(&var) {
                steps.push(GraphStep::Havoc(var));
                continue;
            }
            let before = self.graph.fresh(&self.store, "before", self.store.var_sort(var));
            let (old, new) = (self.store.var_expr(before), self.store.var_expr(var));
            let later = self.arith().compare(CmpOp::Le, &Ty::UINT, old, new);
            steps.push(GraphStep::Assign(before, new));
            steps.push(GraphStep::Havoc(var));
            steps.push(GraphStep::Assume(later.into()));
        }
        self.graph.connect(head, ready, steps, span);
        let nested = self.store.not(is_outermost);
        self.graph.connect(head, ready, vec![GraphStep::Assume(nested.into()), memory], span);
    }

    /// What never decreases.
    fn clocks(&self) -> Vec<VarId> {
        let is_clock = |global: &Global| {
            matches!(global, Global::Environment("block.timestamp") | Global::Environment("block.number"))
        };
        self.graph.globals().filter(|(global, _)| is_clock(global)).map(|(_, var)| var).collect()
    }

    fn finished_contract(mut self, contract: ContractId, ready: Node) -> Res<LoweredContract> {
        let state = self.state_variables(contract, self.whole().this);
        let Some(whole) = self.whole.take() else {
            return crate::fault::invalid(self.decls.contracts[contract].span, "nothing was translated");
        };
        let idle = vec![
            (whole.level, self.store.int(0)),
            (whole.calls_itself, self.store.fals()),
            (whole.coarse, self.store.fals()),
        ];
        let mut steps = whole.steps;
        steps.extend(whole.sites.iter().map(|site| (site.before, Step::Call(site.span))));
        let name = self.decls.contracts[contract].name.clone();
        let built = self.graph.build(&self.store, &name);
        Ok(LoweredContract {
            store: self.store,
            built,
            head: whole.head,
            between: vec![whole.head, ready, whole.finish],
            steps,
            state,
            idle,
            assumptions: self.assumptions,
            notes: self.notes,
        })
    }
}
