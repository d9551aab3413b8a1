//! From a function to an automaton.
//!
//! `docs/solidity-model.md` describes the model. One [`Lower`] translates one function of one contract: the
//! function's preconditions and the contract's invariants are assumed, the body is translated, and postconditions
//! and invariants are checked at the end. Functions without annotations that cannot be called from outside are translated
//! in place; calls of others are replaced by what their annotations say. Loops are cut at their invariants, so the
//! automaton has no cycles.

mod annotations;
mod arith;
mod array;
mod assign;
mod builtin;
mod call;
mod call_modular;
mod construct;
mod convert;
mod encoding;
mod event;
mod expr;
mod external;
mod function;
mod global;
mod graph;
mod item;
mod looping;
mod member;
mod memory;
mod modifier;
mod modifies;
mod modset;
mod names;
mod operator;
mod order;
mod overload;
mod permission;
mod quantifier;
mod reentrancy;
mod shown;
mod slice;
mod stmt;
mod storage;
mod trying;
mod units;
mod user_operator;
mod whole;

use std::cell::RefCell;
use std::collections::BTreeMap;

use num_bigint::BigInt;
use solang_parser::pt;
use thetis_base::Span;
use thetis_expr::{ExprId, Sort, Store, VarId};
use thetis_model::Assumption;

use crate::check::{Check, CheckKind, OverflowAt};
use crate::decls::Decls;
use crate::fault::span;
use crate::types::{ContractId, EventId, FuncId, SlotId, Ty};

use arith::Arith;
use call::Context;
use global::Global;
use graph::{Graph, Node, Snapshot};
use quantifier::QuantifiedKind;
use whole::Whole;

pub use arith::Arithmetic;
pub(crate) use function::{Lowered, lower_unit};
pub(crate) use graph::Limit;
pub(crate) use modset::ModSets;
pub use shown::{Meaning, Variable};
pub(crate) use units::{Body, Unit, is_covered, units};
pub use whole::Step as ContractStep;
pub(crate) use whole::{LoweredContract, lower_contract};

/// Sets and maps that remember the order of insertion. Their keys are our own, so an attacker cannot make them
/// collide.
pub(crate) type FxIndexSet<T> = indexmap::IndexSet<T, rustc_hash::FxBuildHasher>;
pub(crate) type FxIndexMap<K, V> = indexmap::IndexMap<K, V, rustc_hash::FxBuildHasher>;

/// Which code may run when a contract type is called.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Callees {
    /// Any code, also that of an attacker: a type says nothing about what is deployed at an address.
    #[default]
    Sound,
    /// The code of that contract, as solc-verify assumes. Verdicts list this as an assumption.
    SolcVerify,
}

impl Callees {
    /// The choice with a name of the command line.
    pub fn by_name(name: &str) -> Option<Callees> {
        [Callees::Sound, Callees::SolcVerify].into_iter().find(|callees| callees.name() == name)
    }

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Callees::Sound => "sound",
            Callees::SolcVerify => "solc-verify",
        }
    }
}

/// What the translation of all functions depends on.
pub(crate) struct Program<'d, 'a> {
    pub(crate) decls: &'d Decls<'a>,
    pub(crate) arithmetic: Arithmetic,
    pub(crate) uses_sums: bool,
    pub(crate) uses_quantifiers: bool,
    pub(crate) checks_modifies: bool,
    pub(crate) checks_events: bool,
    pub(crate) callees: Callees,
    /// Whether something may read single bytes of texts.
    pub(crate) reads_bytes: bool,
    /// Whether something may decode texts.
    pub(crate) decodes: bool,
    /// Whether something makes arrays in storage shorter.
    pub(crate) shrinks_arrays: bool,
    pub(crate) mod_sets: ModSets,
    /// The contracts whose constructors are being translated, each for the one before it.
    pub(crate) created: RefCell<Vec<ContractId>>,
}

/// Which state expressions are about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum View {
    Now,
    At(Snapshot),
}

/// A name of a function's scope.
#[derive(Clone, Debug)]
pub(crate) enum Local {
    /// A variable; `old` is the parameter that annotations see, which assignments do not change.
    Var { ty: Ty, var: VarId, old: Option<VarId> },
    /// A storage pointer.
    Pointer { ty: Ty, kind: VarId, indices: BTreeMap<(usize, Sort), VarId> },
    /// What a storage parameter of a library points to.
    Elsewhere(Ty),
    /// A quantified variable.
    Bound(Ty, VarId),
}

/// A modifier around a function.
pub(crate) struct Layer {
    /// Which of the function's modifiers comes next.
    pub(crate) next: usize,
    /// The scopes of the function.
    pub(crate) scopes: Vec<BTreeMap<String, Local>>,
    pub(crate) loops: Vec<(Node, Node)>,
    pub(crate) contract: Option<ContractId>,
}

/// An activation of a function, in place or on its own.
pub(crate) struct Frame {
    /// The contract whose names are visible.
    pub(crate) contract: Option<ContractId>,
    pub(crate) func: Option<FuncId>,
    pub(crate) scopes: Vec<BTreeMap<String, Local>>,
    pub(crate) returns: Vec<Local>,
    pub(crate) exit: Node,
    pub(crate) this: ExprId,
    pub(crate) sender: ExprId,
    pub(crate) value: ExprId,
    /// Where `break` and `continue` go.
    pub(crate) loops: Vec<(Node, Node)>,
    pub(crate) unchecked: bool,
    /// The modifiers around what is translated now, and what `_` stands for in them.
    pub(crate) layers: Vec<Layer>,
}

impl Frame {
    /// An activation without parameters and results.
    pub(crate) fn new(
        contract: Option<ContractId>,
        func: Option<FuncId>,
        exit: Node,
        context: Context,
    ) -> Frame {
        Frame {
            contract,
            func,
            scopes: vec![BTreeMap::new()],
            returns: Vec::new(),
            exit,
            this: context.this,
            sender: context.sender,
            value: context.value,
            loops: Vec::new(),
            unchecked: false,
            layers: Vec::new(),
        }
    }
}

/// The translation of one function.
pub(crate) struct Lower<'d, 'a> {
    pub(crate) program: &'d Program<'d, 'a>,
    pub(crate) decls: &'d Decls<'a>,
    /// The contract that is verified; names of functions are looked up in it.
    pub(crate) contract: Option<ContractId>,
    /// The same, also while annotations of other contracts are translated.
    pub(crate) root: Option<ContractId>,
    pub(crate) store: Store,
    pub(crate) graph: Graph,
    pub(crate) frames: Vec<Frame>,
    pub(crate) view: View,
    /// The annotation that is translated.
    pub(crate) annotation: Option<Span>,
    /// Facts about terms with quantified variables.
    pub(crate) facts: Option<Vec<ExprId>>,
    /// Whether all arithmetic in the annotation is exact.
    pub(crate) exact: Option<Vec<ExprId>>,
    /// What `__verifier_before` is about.
    pub(crate) before: Option<Snapshot>,
    pub(crate) old: Option<Snapshot>,
    /// Guesses about loops that turned out to be wrong.
    pub(crate) rejected: Vec<usize>,
    pub(crate) guesses: usize,
    pub(crate) texts: BTreeMap<Vec<u8>, ExprId>,
    pub(crate) inlined: Vec<FuncId>,
    pub(crate) constants: Vec<SlotId>,
    /// Events that this function can emit, with the reason.
    pub(crate) emitted: Vec<(EventId, String)>,
    /// The state variables that this function changes.
    pub(crate) touched: Vec<(SlotId, Span)>,
    pub(crate) is_constructor: bool,
    pub(crate) notes: Vec<(Span, String)>,
    /// The functions of this contract whose calls were replaced by what is known about them: they have to be verified, too.
    pub(crate) relied_on: Vec<FuncId>,
    /// The unchecked assumptions of the verdict.
    pub(crate) assumptions: Vec<Assumption>,
    /// What a run depends on, by the names of users.
    pub(crate) inputs: Vec<(String, ExprId)>,
    /// Local variables, for people who follow a run.
    pub(crate) locals: Vec<Variable>,
    /// What is known about the whole contract, if a whole contract is translated.
    pub(crate) whole: Option<Whole>,
}

impl<'d, 'a> Lower<'d, 'a> {
    pub(crate) fn new(
        program: &'d Program<'d, 'a>,
        contract: Option<ContractId>,
        rejected: &[usize],
    ) -> Lower<'d, 'a> {
        Lower {
            program,
            decls: program.decls,
            contract,
            root: contract,
            store: Store::new(),
            graph: Graph::new(),
            frames: Vec::new(),
            view: View::Now,
            annotation: None,
            facts: None,
            exact: None,
            before: None,
            old: None,
            rejected: rejected.to_vec(),
            guesses: 0,
            texts: BTreeMap::new(),
            inlined: Vec::new(),
            constants: Vec::new(),
            emitted: Vec::new(),
            touched: Vec::new(),
            is_constructor: false,
            notes: Vec::new(),
            relied_on: Vec::new(),
            assumptions: Vec::new(),
            inputs: Vec::new(),
            locals: Vec::new(),
            whole: None,
        }
    }

    pub(crate) fn arith(&self) -> Arith<'_> {
        Arith { store: &self.store, mode: self.program.arithmetic }
    }

    pub(crate) fn sort(&self, ty: &Ty) -> Sort {
        match ty {
            Ty::User(id) => self.sort(&self.decls.users[*id].base),
            other => self.arith().sort(other),
        }
    }

    pub(crate) fn number(&self, ty: &Ty, number: impl Into<BigInt>) -> ExprId {
        self.arith().literal(ty, &number.into())
    }

    /// The position of something in the text; everything in an annotation has the position of the annotation.
    pub(crate) fn span(&self, loc: &pt::Loc) -> Span {
        self.annotation.unwrap_or_else(|| span(loc))
    }

    pub(crate) fn frame(&self) -> &Frame {
        self.frames.last().expect("a function should be translated inside a frame")
    }

    pub(crate) fn frame_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a function should be translated inside a frame")
    }

    /// The variable of a global now.
    pub(crate) fn global_var(&mut self, global: &Global, sort: Sort) -> VarId {
        let decls = self.decls;
        self.graph.global(&self.store, global, sort, || global_name(decls, global))
    }

    /// A global in the state that is looked at.
    pub(crate) fn global(&mut self, global: &Global, sort: Sort) -> ExprId {
        let decls = self.decls;
        let name = || global_name(decls, global);
        let var = match self.view {
            View::Now => self.graph.global(&self.store, global, sort, name),
            View::At(moment) => self.graph.remembered(&self.store, moment, global, sort, name),
        };
        self.store.var_expr(var)
    }

    /// Relies on something that always holds.
    pub(crate) fn fact(&mut self, fact: ExprId) {
        if fact == self.store.tru() {
            return;
        }
        match &mut self.facts {
            Some(facts) => facts.push(fact),
            None => self.graph.assume(fact),
        }
    }

    /// Relies on a value being one of its type.
    pub(crate) fn type_fact(&mut self, ty: &Ty, term: ExprId) {
        let fact = match ty {
            Ty::Int { .. } if self.program.arithmetic.wraps() => self.arith().in_range(ty, term),
            Ty::FixedBytes(_) => self.arith().in_range(ty, term),
            Ty::Enum(id) => {
                let last = self.decls.enums[*id].values.len();
                self.store
                    .and(self.store.le(self.store.int(0), term), self.store.lt(term, self.store.int(last)))
            }
            Ty::Address { .. } | Ty::Contract(_) if self.program.arithmetic != Arithmetic::Int => {
                self.arith_address(term)
            }
            Ty::User(id) => return self.type_fact(&self.decls.users[*id].base.clone(), term),
            _ => return,
        };
        self.fact(fact);
    }

    fn arith_address(&self, term: ExprId) -> ExprId {
        let end = BigInt::from(1) << 160;
        self.store.and(self.store.le(self.store.int(0), term), self.store.lt(term, self.store.int(end)))
    }

    /// A term whose value does not change any more.
    pub(crate) fn settle(&mut self, term: ExprId) -> ExprId {
        if self.store.is_literal(term) || self.annotation.is_some() {
            return term;
        }
        let var = self.graph.fresh(&self.store, "t", self.store.sort(term));
        self.graph.assign(var, term);
        self.store.var_expr(var)
    }

    /// Any value of a sort.
    pub(crate) fn anything(&mut self, sort: Sort) -> ExprId {
        let var = self.graph.fresh(&self.store, "any", sort);
        self.graph.havoc(var);
        self.store.var_expr(var)
    }

    /// Offers a term to instantiate quantified assumptions with.
    pub(crate) fn offer(&mut self, ty: &Ty, term: ExprId) {
        let kind = kind_of(ty);
        if !self.program.uses_quantifiers || self.facts.is_some() || !self.graph.instances.wants(kind) {
            return;
        }
        if self.store.is_literal(term) {
            return self.graph.instances.offer(kind, term);
        }
        let ghost = self.graph.fresh(&self.store, "index", self.store.sort(term));
        let ghost = self.store.var_expr(ghost);
        self.graph.assume(self.store.eq(ghost, term));
        self.graph.instances.offer(kind, ghost);
    }

    pub(crate) fn check(&mut self, condition: ExprId, kind: CheckKind, span: Span) {
        self.graph.check(&self.store, condition, Check { kind, span });
    }

    /// Remembers whether an operation was exact.
    pub(crate) fn note_exactness(&mut self, exact: Option<ExprId>) {
        let Some(exact) = exact else { return };
        if let Some(all) = &mut self.exact {
            return all.push(exact);
        }
        if self.annotation.is_some() || exact == self.store.tru() {
            return;
        }
        if self.stops_at_overflow() {
            return self.graph.assume(exact);
        }
        if self.program.arithmetic == Arithmetic::ModOverflow {
            let var = self.global_var(&Global::Overflow, Sort::Bool);
            let flag = self.store.or(self.store.var_expr(var), self.store.not(exact));
            self.graph.assign(var, flag);
        }
    }

    /// Whether an overflow here ends the transaction.
    pub(crate) fn stops_at_overflow(&self) -> bool {
        self.annotation.is_none() && self.decls.version.checks_arithmetic() && !self.frame().unchecked
    }

    /// Checks that nothing has overflowed so far.
    pub(crate) fn check_overflow(&mut self, at: OverflowAt, span: Span) {
        if self.program.arithmetic == Arithmetic::ModOverflow {
            let var = self.global_var(&Global::Overflow, Sort::Bool);
            let fine = self.store.not(self.store.var_expr(var));
            self.check(fine, CheckKind::Overflow(at), span);
        }
    }
}

/// What people call a global.
fn global_name(decls: &Decls<'_>, global: &Global) -> String {
    match global {
        Global::State(slot, leaf) => format!("{}.{leaf}", decls.slots[*slot].name),
        Global::Sum(slot, leaf) => format!("sum({}.{leaf})", decls.slots[*slot].name),
        Global::Elsewhere(ty, leaf) => format!("storage {}.{leaf}", decls.show(ty)),
        Global::Balance => "balance".to_owned(),
        Global::NextReference => "next reference".to_owned(),
        Global::Field(of, field) => {
            let of = &decls.structs[*of];
            format!("memory {}.{}", of.name, of.fields[*field].0)
        }
        Global::Length(ty) => format!("memory {}[].length", decls.show(ty)),
        Global::Elements(ty) => format!("memory {}[]", decls.show(ty)),
        Global::TextLength => "text length".to_owned(),
        Global::TextBytes => "text bytes".to_owned(),
        Global::Hash(kind) => format!("{kind:?}").to_lowercase(),
        Global::Encoding(encoding, _) => format!("encoding {encoding:?}").to_lowercase(),
        Global::Decoding(_, at) => format!("decoding {at}"),
        Global::Interface(id) => format!("interface {}", decls.contracts[*id].name),
        Global::Environment(name) => (*name).to_owned(),
        Global::Changed(slot) => format!("changed {}", decls.slots[*slot].name),
        Global::Overflow => "overflow".to_owned(),
        Global::Waiting(level) => format!("waiting {level}"),
    }
}

/// What a quantified variable of a type ranges over.
pub(crate) fn kind_of(ty: &Ty) -> QuantifiedKind {
    match ty {
        Ty::Int { .. } => QuantifiedKind::Number,
        Ty::Address { .. } | Ty::Contract(_) => QuantifiedKind::Address,
        _ => QuantifiedKind::Other,
    }
}
