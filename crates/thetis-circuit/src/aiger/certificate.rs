//! Proofs as witness circuits, the certificates of the hardware model checking competition (Yu, Biere and Heljanko: Progress in
//! Certifying Hardware Model Checking Results, 2021; Yu, Froleyks, Biere et al.: Stratified Certification for k-Induction, 2022).
//!
//! A witness circuit has the inputs and latches of the circuit first, with the same resets and next states, perhaps further latches,
//! and one bad state whose negation `P'` is inductive and implies the property. Tools such as Certifaiger check that.
//!
//! * An **invariant** `J` needs no further latches: `P'` says that `J` holds and that the step is not bad.
//! * A **k-induction** needs the last `k` steps. So there are latches for the values of all latches and inputs one to `k - 1` steps ago, called
//!   *frames* here, and for each frame a latch that says whether there was such a step. `P'` says that every existing frame satisfies the lemma and
//!   the constraints, is not bad and is followed by the next frame, and that the oldest one is initial unless there are `k` frames. Then `P'` is
//!   inductive: a step after fewer than `k` frames is covered by the base of the induction, one after `k` frames by its step.
//!
//! Published constructions for k-induction have one further input per copied input instead of a latch and keep no order of
//! frames; ours is longer, and simple enough to be read off the definition. Inductions over simple paths have no witness, since that
//! needs quantifiers.

use std::fmt::{self, Write};

use rustc_hash::FxHashMap;
use thetis_expr::{ExprId, Op, Store, VarId};
use thetis_model::Task;
use thetis_model::sts::{Paths, Sts, StsProof};

/// Why a proof has no witness circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CertificateError {
    /// It is an induction over paths without repeated states.
    SimplePaths,
    /// It has a term that is not Boolean, or the system is not that of a circuit.
    NotACircuit,
}

impl fmt::Display for CertificateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CertificateError::SimplePaths => "an induction over simple paths has no witness circuit",
            CertificateError::NotACircuit => "the proof is not about a circuit",
        })
    }
}

impl std::error::Error for CertificateError {}

/// The witness circuit of a proof about the circuit of `task`, in ASCII. Its comment says that it is about `property`.
pub fn witness_circuit(
    task: &Task<Sts>,
    property: &str,
    proof: &StsProof,
) -> Result<String, CertificateError> {
    let (lemma, num_frames) = match *proof {
        StsProof::Invariant(invariant) => (invariant, 1),
        StsProof::KInductive { paths: Paths::Simple, .. } => return Err(CertificateError::SimplePaths),
        StsProof::KInductive { k, lemma, paths: Paths::All } => (lemma, k.max(1) as usize),
    };
    let mut builder = Builder::new(task, num_frames)?;
    let good = builder.inductive(lemma)?;
    builder.print(property, good)
}

/// A literal of the format.
type Lit = u32;

const FALSE: Lit = 0;
const TRUE: Lit = 1;

/// A circuit that grows.
struct Builder<'t> {
    store: &'t Store,
    sts: &'t Sts,
    /// For each frame, the present one first, the literals of latches and inputs.
    frames: Vec<FxHashMap<VarId, Lit>>,
    /// For each frame but the present one, whether there was such a step.
    exists: Vec<Lit>,
    gates: Vec<[Lit; 3]>,
    known_gates: FxHashMap<(Lit, Lit), Lit>,
    /// The literals of terms in frames.
    terms: FxHashMap<(usize, ExprId), Lit>,
    next_variable: u32,
}

impl<'t> Builder<'t> {
    fn new(task: &'t Task<Sts>, num_frames: usize) -> Result<Builder<'t>, CertificateError> {
        let sts = &task.model;
        if sts.trans != task.store.tru() || sts.next.len() != sts.vars.len() {
            return Err(CertificateError::NotACircuit);
        }
        let mut builder = Builder {
            store: &task.store,
            sts,
            frames: vec![FxHashMap::default()],
            exists: Vec::new(),
            gates: Vec::new(),
            known_gates: FxHashMap::default(),
            terms: FxHashMap::default(),
            next_variable: 1,
        };
        // Inputs, then latches, without gaps: what the format asks for.
        for var in sts.inputs.iter().chain(&sts.vars) {
            let literal = builder.fresh();
            builder.frames[0].insert(*var, literal);
        }
        for _ in 1..num_frames {
            let frame = sts.inputs.iter().chain(&sts.vars).map(|var| (*var, builder.fresh())).collect();
            builder.frames.push(frame);
            let exists = builder.fresh();
            builder.exists.push(exists);
        }
        Ok(builder)
    }

    fn fresh(&mut self) -> Lit {
        self.next_variable += 1;
        (self.next_variable - 1) * 2
    }

    /// `P'`.
    fn inductive(&mut self, lemma: ExprId) -> Result<Lit, CertificateError> {
        let mut parts = vec![self.is_good(0, lemma)?];
        for frame in 1..self.frames.len() {
            let exists = self.exists[frame - 1];
            let (good, constraint) = (self.is_good(frame, lemma)?, self.term(frame, self.sts.constraint)?);
            let follows = self.follows(frame)?;
            let content = self.all(&[good, constraint, follows]);
            parts.push(self.implies(exists, content));
            let younger = if frame == 1 { TRUE } else { self.exists[frame - 2] };
            parts.push(self.implies(exists, younger));
            let is_oldest = self.and(younger, exists ^ 1);
            let initial = self.term(frame - 1, self.sts.init)?;
            parts.push(self.implies(is_oldest, initial));
        }
        Ok(self.all(&parts))
    }

    fn is_good(&mut self, frame: usize, lemma: ExprId) -> Result<Lit, CertificateError> {
        let (lemma, bad) = (self.term(frame, lemma)?, self.term(frame, self.sts.bad)?);
        Ok(self.and(lemma, bad ^ 1))
    }

    /// That the state after `frame` is that of the frame before it in the list.
    fn follows(&mut self, frame: usize) -> Result<Lit, CertificateError> {
        let mut equations = Vec::new();
        for (var, next) in &self.sts.next {
            let (after, computed) = (self.frames[frame - 1][var], self.term(frame, *next)?);
            equations.push(self.xor(after, computed) ^ 1);
        }
        Ok(self.all(&equations))
    }

    /// The literal of a term over latches and inputs.
    fn term(&mut self, frame: usize, root: ExprId) -> Result<Lit, CertificateError> {
        let mut stack = vec![root];
        while let Some(&top) = stack.last() {
            if self.terms.contains_key(&(frame, top)) {
                stack.pop();
                continue;
            }
            let args = self.store.args(top);
            let pending = stack.len();
            stack.extend(args.iter().filter(|arg| !self.terms.contains_key(&(frame, **arg))));
            if stack.len() > pending {
                continue;
            }
            let args: Vec<Lit> = args.iter().map(|arg| self.terms[&(frame, *arg)]).collect();
            let literal = self.operation(frame, top, &args).ok_or(CertificateError::NotACircuit)?;
            self.terms.insert((frame, top), literal);
        }
        Ok(self.terms[&(frame, root)])
    }

    fn operation(&mut self, frame: usize, term: ExprId, args: &[Lit]) -> Option<Lit> {
        Some(match (self.store.op(term), args) {
            (Op::Var(var), _) => *self.frames[frame].get(&var)?,
            (Op::Const(_), _) if term == self.store.tru() => TRUE,
            (Op::Const(_), _) if term == self.store.fals() => FALSE,
            (Op::Not, &[arg]) => arg ^ 1,
            (Op::And, args) => self.all(args),
            (Op::Or, args) => {
                let negated: Vec<Lit> = args.iter().map(|arg| arg ^ 1).collect();
                self.all(&negated) ^ 1
            }
            (Op::Xor, &[left, right]) => self.xor(left, right),
            (Op::Eq, &[left, right]) => self.xor(left, right) ^ 1,
            (Op::Ite, &[condition, then, otherwise]) => {
                let (then, otherwise) =
                    (self.implies(condition, then), self.implies(condition ^ 1, otherwise));
                self.and(then, otherwise)
            }
            _ => return None,
        })
    }

    fn and(&mut self, left: Lit, right: Lit) -> Lit {
        let (small, large) = (left.min(right), left.max(right));
        match (small, large) {
            (FALSE, _) => return FALSE,
            (TRUE, large) => return large,
            _ if small == large => return small,
            _ if small ^ 1 == large => return FALSE,
            _ => {}
        }
        if let Some(known) = self.known_gates.get(&(small, large)) {
            return *known;
        }
        let gate = self.fresh();
        self.gates.push([gate, large, small]);
        self.known_gates.insert((small, large), gate);
        gate
    }

    fn all(&mut self, literals: &[Lit]) -> Lit {
        literals.iter().fold(TRUE, |sum, literal| self.and(sum, *literal))
    }

    fn implies(&mut self, premise: Lit, conclusion: Lit) -> Lit {
        self.and(premise, conclusion ^ 1) ^ 1
    }

    fn xor(&mut self, left: Lit, right: Lit) -> Lit {
        let (both, none) = (self.and(left, right), self.and(left ^ 1, right ^ 1));
        self.and(both ^ 1, none ^ 1)
    }

    /// The circuit whose bad state is that `good` does not hold.
    fn print(mut self, property: &str, good: Lit) -> Result<String, CertificateError> {
        let latches = self.latches()?;
        let constraint = self.term(0, self.sts.constraint)?;
        let num_constraints = usize::from(constraint != TRUE);
        let counts =
            [self.next_variable as usize - 1, self.sts.inputs.len(), latches.len(), 0, self.gates.len(), 1];
        let counts: Vec<String> = counts.iter().map(ToString::to_string).collect();
        let mut text = format!("aag {} {num_constraints}\n", counts.join(" "));
        let mut line = |words: fmt::Arguments<'_>| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{words}");
        };
        self.sts.inputs.iter().for_each(|input| line(format_args!("{}", self.frames[0][input])));
        latches.iter().for_each(|Latch { lit, next, reset }| line(format_args!("{lit} {next} {reset}")));
        line(format_args!("{}", good ^ 1));
        if num_constraints > 0 {
            line(format_args!("{constraint}"));
        }
        self.gates.iter().for_each(|[gate, left, right]| line(format_args!("{gate} {left} {right}")));
        line(format_args!("c\nWITNESS {property}"));
        Ok(text)
    }

    /// All latches: those of the circuit, then frame by frame the older values.
    fn latches(&mut self) -> Result<Vec<Latch>, CertificateError> {
        let mut latches = Vec::new();
        let resets = self.resets()?;
        for (var, next) in &self.sts.next {
            let (lit, next) = (self.frames[0][var], self.term(0, *next)?);
            latches.push(Latch { lit, next, reset: resets.get(var).copied().unwrap_or(lit) });
        }
        latches.sort_by_key(|latch| latch.lit);
        for frame in 1..self.frames.len() {
            for var in self.sts.inputs.iter().chain(&self.sts.vars) {
                let (lit, next) = (self.frames[frame][var], self.frames[frame - 1][var]);
                latches.push(Latch { lit, next, reset: FALSE });
            }
            let next = if frame == 1 { TRUE } else { self.exists[frame - 2] };
            latches.push(Latch { lit: self.exists[frame - 1], next, reset: FALSE });
        }
        Ok(latches)
    }

    /// The latches that start at a known value.
    fn resets(&self) -> Result<FxHashMap<VarId, Lit>, CertificateError> {
        let reset = |literal: ExprId| {
            let (var, value) = match self.store.op(literal) {
                Op::Not => (self.store.as_var(self.store.arg(literal, 0)), FALSE),
                _ => (self.store.as_var(literal), TRUE),
            };
            Ok((var.ok_or(CertificateError::NotACircuit)?, value))
        };
        let conjuncts = self.store.conjuncts(self.sts.init).into_iter();
        conjuncts.filter(|conjunct| *conjunct != self.store.tru()).map(reset).collect()
    }
}

/// A latch as it is written. One that is reset to itself starts anywhere.
struct Latch {
    lit: Lit,
    next: Lit,
    reset: Lit,
}
