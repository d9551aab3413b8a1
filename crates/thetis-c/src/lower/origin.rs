//! Maps each part of an automaton back to the program.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigInt;
use thetis_base::{IndexVec, Span, define_index_type};
use thetis_expr::{ExprId, VarId};
use thetis_model::cfa::{Cfa, EdgeId, LocId};

use super::assumption::AssumptionKind;
use super::options::MemoryRule;
use super::scalar::Scalar;
use crate::hir::{FunctionId, GlobalId, LocalId, TypeId};

define_index_type! {
    /// A copy of a function at a place of the call tree.
    pub struct FrameId = u32;
}

/// What the parts of an automaton are in the program.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The copies of functions; the first one is `main`.
    pub frames: IndexVec<FrameId, Frame>,
    /// The variables.
    pub vars: BTreeMap<VarId, VarOrigin>,
    /// For each location, the copy of the function that control is in.
    pub locations: IndexVec<LocId, FrameId>,
    /// What happens on each edge.
    pub edges: IndexVec<EdgeId, Event>,
    /// The thread that takes each edge, if the program has threads.
    pub turns: Option<Turns>,
    /// The source positions that evidence can mention, in the order of the translation.
    pub points: Vec<Point>,
    /// The edges on which a statement takes a branch.
    pub decisions: BTreeMap<EdgeId, Decision>,
    /// The objects whose addresses are known, by their numbers.
    pub objects: BTreeMap<u64, Object>,
    /// The sizes of live objects by address, one more than the number of bytes, if they are tracked.
    pub extents: Option<VarId>,
    /// The claims of a witness, where the program was read with one.
    pub claims: Vec<Claim>,
    /// The limits: where the automaton no longer models the program.
    pub limits: Vec<Limit>,
    /// What is violated at each error location.
    pub violations: Vec<Violation>,
    /// The assumptions.
    pub assumptions: Vec<Assumption>,
    /// The places that the property is about.
    pub asked: Asked,
}

/// The threads of a program.
#[derive(Clone, Debug)]
pub struct Turns {
    /// The functions that they run; the first is `main`.
    pub threads: Vec<String>,
    /// Who takes each edge.
    pub edges: IndexVec<EdgeId, Turn>,
}

/// A step of a thread.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// The number of the thread.
    pub thread: usize,
    /// The copies of functions that it is in before and after the step.
    pub frames: [FrameId; 2],
}

/// A copy of a function.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function.
    pub function: FunctionId,
    /// Its name.
    pub name: String,
    /// How it was reached: the names of the functions from `main` on, numbered where one calls another repeatedly.
    pub path: String,
    /// Who called it, and where; `None` for `main`.
    pub caller: Option<(FrameId, Span)>,
    /// The number of callers.
    pub depth: u32,
}

/// What a variable of the automaton is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VarOrigin {
    /// A scalar (part of a) variable of the program.
    Scalar(Variable),
    /// A part of an array of the program, indexed by (flattened) element numbers.
    Elements(Variable),
    /// What a function returned.
    Result(FrameId),
    /// The result of an input function, or a value that the program leaves open.
    Input(Scalar),
    /// Whether the operation at this place was undefined when it was last executed.
    Undefined(Span),
    /// An intermediate value.
    Temporary,
    /// A part of memory with such scalars, indexed by addresses.
    Memory(Scalar),
    /// The bookkeeping of memory: blocks, sizes and lifetimes.
    Heap,
}

/// A (part of a) variable of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Whose variable it is.
    pub owner: Owner,
    /// How C writes it: `x`, `s.f`, `a` for all `a[i]`.
    pub text: String,
    /// The type of the scalar.
    pub ty: TypeId,
}

/// Whose variable it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Owner {
    /// It has static storage.
    Global(GlobalId),
    /// It is a parameter or local variable of a copy of a function.
    Local(FrameId, LocalId),
}

/// What happens on an edge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// Nothing that the source shows.
    Silent,
    /// The initial values of variables with static storage.
    Start,
    /// A condition is decided.
    Branch {
        /// How.
        taken: bool,
    },
    /// A `switch` chooses.
    Switch,
    /// A declaration or an assignment.
    Assign,
    /// A function is entered: parameters get their values.
    Call(FrameId),
    /// A function is left.
    Return(FrameId),
    /// A function without a body delivers a value.
    Input {
        /// Its name.
        function: String,
        /// What holds the value afterwards.
        var: VarId,
        /// The type of the value.
        ty: TypeId,
    },
    /// Something is assumed by the program: `__VERIFIER_assume`.
    Assume,
    /// The property is decided.
    Check {
        /// Whether it is violated here.
        is_violated: bool,
    },
    /// The program ends: `abort`, `exit`, the end of `main`.
    End,
}

/// A place of the source in a copy of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Point {
    /// Where control is there.
    pub location: LocId,
    /// The copy of the function.
    pub frame: FrameId,
    /// The statement.
    pub span: Span,
    /// Which place of the statement it is.
    pub kind: PointKind,
}

/// Which place of a statement is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PointKind {
    /// Before the statement.
    Start,
    /// Before the condition of a loop is evaluated, every time.
    LoopHead,
}

/// A claim of a witness in a copy of a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim {
    /// Its number.
    pub number: u32,
    /// Where control is when it is meant to hold.
    pub location: LocId,
    /// The copy of the function.
    pub frame: FrameId,
    /// What it says; none if that is not a formula over the state.
    pub formula: Option<ExprId>,
}

/// A statement chooses its way.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The statement.
    pub span: Span,
    /// What it chooses.
    pub choice: Choice,
}

/// The ways that statements can choose.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The condition is true or false.
    Condition(bool),
    /// A `switch` goes to a case: the least and the greatest value of it.
    Case(BigInt, BigInt),
    /// A `switch` goes to `default`, or past its end.
    Default,
}

/// An object with an address.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// How C calls it.
    pub name: String,
    /// Its type; none for functions.
    pub ty: Option<TypeId>,
    /// Whose it is; none for functions.
    pub owner: Option<Owner>,
}

/// A limit: beyond this location the automaton no longer models the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limit {
    /// The location; runs end there.
    pub location: LocId,
    /// What is there.
    pub span: Span,
    /// Why.
    pub reason: String,
}

/// An error location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// The location.
    pub location: LocId,
    /// What violates the property.
    pub span: Span,
    /// In which way.
    pub kind: ViolationKind,
    /// The bytes that must not be accessed or freed, or the block that is left, if it is a rule about memory.
    pub access: Option<Access>,
}

/// The ways to violate a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ViolationKind {
    /// The error function is called.
    Call,
    /// The label is arrived at.
    Label,
    /// An assertion fails.
    Assertion,
    /// The result of an operation is not representable.
    Overflow,
    /// A value does not fit into the type that it is converted to.
    Conversion,
    /// An operation has no value.
    Undefined,
    /// A divisor is zero.
    DivisionByZero,
    /// The right operand of a shift is out of range.
    Shift,
    /// What is read has no value yet.
    Uninitialised,
    /// A rule about memory is violated.
    Memory(MemoryRule),
}

/// The places of a program that a property is about, whether or not it could be violated there.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// Blocks are freed there.
    pub frees: BTreeSet<Span>,
    /// Whatever else the property is about: assertions, operations, accesses.
    pub others: BTreeSet<Span>,
}

impl Asked {
    /// Adds the place of a check. Checks for lost blocks are not counted, because they apply wherever blocks can be
    /// lost.
    pub(super) fn add(&mut self, span: Span, kind: ViolationKind) {
        match kind {
            ViolationKind::Memory(MemoryRule::Free) => self.frees.insert(span),
            ViolationKind::Memory(MemoryRule::Track | MemoryRule::Cleanup) => false,
            _ => self.others.insert(span),
        };
    }
}

/// An access to memory, as terms over the state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Access {
    /// The variable that it counts from.
    pub variable: Option<String>,
    /// The pointer that it counts from.
    pub pointer: Option<ExprId>,
    /// The number of bytes of the variable.
    pub extent: Option<ExprId>,
    /// How many bytes after that it begins.
    pub offset: ExprId,
    /// How many bytes are accessed.
    pub length: ExprId,
}

/// An assumption.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Assumption {
    /// Its kind.
    pub kind: AssumptionKind,
    /// What.
    pub text: String,
    /// The first place that needs it.
    pub span: Span,
}

impl Origin {
    /// Whether the program starts threads.
    pub fn has_threads(&self) -> bool {
        self.turns.as_ref().is_some_and(|turns| turns.threads.len() > 1)
    }

    /// The copies of functions that control is in before and after an edge.
    pub fn frames_at(&self, edge: EdgeId, cfa: &Cfa) -> [FrameId; 2] {
        match &self.turns {
            Some(turns) => turns.edges[edge].frames,
            None => [cfa.edges[edge].source, cfa.edges[edge].target].map(|at| self.locations[at]),
        }
    }

    /// The functions that are active at a location, `main` first.
    pub fn stack(&self, location: LocId) -> Vec<FrameId> {
        let mut frame = self.locations[location];
        let mut stack = vec![frame];
        while let Some((caller, _)) = self.frames[frame].caller {
            stack.push(caller);
            frame = caller;
        }
        stack.reverse();
        stack
    }
}
