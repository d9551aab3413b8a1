//! A checker of clausal proofs.
//!
//! A SAT solver that learns clauses leaves a proof: the clauses in the order in which it learned them. Each follows from those before
//! it by *reverse unit propagation* (Goldberg and Novikov 2003; Van Gelder 2008): if all literals of the clause are assumed to be
//! false, repeated propagation of unit clauses leads to a clause whose literals are all false. That is all this file checks. It
//! shares no code with the solver, so that a mistake of the solver cannot become a proof.
//!
//! # Method
//! Clauses are watched at two literals that are not false (Moskewicz et al. 2001). Literals that follow from the clauses alone are kept
//! permanently, on the *fixed* part of the trail; those that follow from an assumption are undone. The solver may report which clauses it
//! has deleted, which saves time; the permanent conclusions from them stay, since they followed when they were drawn.
//!
//! # Differences from published checkers
//! Clauses are checked forwards, when they arrive, and not backwards from the end of the proof, which would skip those that are
//! not needed: the proof of an incremental solver has no end. Only reverse unit propagation is supported, not resolution
//! asymmetric tautologies, since the solver does not need them.

use rustc_hash::FxHashMap;

use crate::Lit;

/// A step of a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofStep {
    /// The clause follows from those that are there.
    Learned(Vec<Lit>),
    /// The clause is not needed any more.
    Deleted(Vec<Lit>),
}

/// The clauses that were given and those that were shown to follow from them.
#[derive(Default)]
pub struct ClausalChecker {
    /// Each clause with its watched literals in front. A deleted one is empty.
    clauses: Vec<Vec<Lit>>,
    /// For each literal the clauses that watch it, to be visited when it becomes false.
    watching: Vec<Vec<usize>>,
    /// The clauses that were learned and may be deleted, by their sorted literals.
    learned: FxHashMap<Vec<Lit>, Vec<usize>>,
    /// For each literal whether it is true.
    is_true: Vec<bool>,
    /// The literals that are true, in the order of their conclusion.
    trail: Vec<Lit>,
    /// How much of the trail follows from the clauses alone.
    num_fixed: usize,
    /// Whether the clauses have no model.
    is_contradictory: bool,
}

impl ClausalChecker {
    /// No clauses.
    pub fn new() -> ClausalChecker {
        ClausalChecker::default()
    }

    /// Adds a clause without checking that it follows.
    pub fn add_axiom(&mut self, clause: &[Lit]) {
        self.add(clause);
    }

    /// Follows a step of a proof; `false`, with nothing changed, if a learned clause does not follow by unit propagation.
    #[must_use]
    pub fn follow(&mut self, step: &ProofStep) -> bool {
        match step {
            ProofStep::Deleted(clause) => {
                self.delete(clause);
                true
            }
            ProofStep::Learned(clause) => {
                let negated: Vec<Lit> = clause.iter().map(|literal| !*literal).collect();
                let follows = self.refutes(&negated);
                if follows && let Some(number) = self.add(clause) {
                    self.learned.entry(sorted(clause)).or_default().push(number);
                }
                follows
            }
        }
    }

    /// Whether unit propagation shows that the literals cannot all be true.
    pub fn refutes(&mut self, literals: &[Lit]) -> bool {
        if self.is_contradictory {
            return true;
        }
        let has_conflict = literals.iter().any(|literal| !self.assume(*literal)) || !self.propagate();
        self.undo();
        has_conflict
    }

    /// Adds a clause that holds, and draws its permanent conclusions. Returns the number of the clause if it has to
    /// be kept.
    fn add(&mut self, clause: &[Lit]) -> Option<usize> {
        let mut literals = sorted(clause);
        literals.iter().for_each(|literal| self.make_room(*literal));
        let is_redundant = literals.windows(2).any(|pair| pair[0].var() == pair[1].var())
            || literals.iter().any(|literal| self.is_true(*literal));
        if self.is_contradictory || is_redundant {
            return None;
        }
        // A literal that is permanently false cannot be watched.
        literals.retain(|literal| !self.is_true(!*literal));
        match literals[..] {
            [] => self.is_contradictory = true,
            [literal] => {
                self.is_contradictory = !(self.assume(literal) && self.propagate());
                self.num_fixed = self.trail.len();
            }
            [first, second, ..] => {
                let number = self.clauses.len();
                self.watching[index(first)].push(number);
                self.watching[index(second)].push(number);
                self.clauses.push(literals);
                return Some(number);
            }
        }
        None
    }

    /// Forgets a learned clause. An unknown one, perhaps because it was shortened, is ignored.
    fn delete(&mut self, clause: &[Lit]) {
        let Some(number) = self.learned.get_mut(&sorted(clause)).and_then(Vec::pop) else { return };
        self.clauses[number].clear();
    }

    /// Makes `literal` true; `false` if it is false already.
    fn assume(&mut self, literal: Lit) -> bool {
        self.make_room(literal);
        if self.is_true(!literal) {
            return false;
        }
        if !self.is_true(literal) {
            self.is_true[index(literal)] = true;
            self.trail.push(literal);
        }
        true
    }

    /// Draws all conclusions; `false` if all literals of some clause are false.
    fn propagate(&mut self) -> bool {
        let mut next = self.num_fixed;
        while next < self.trail.len() {
            let falsified = !self.trail[next];
            next += 1;
            let numbers = std::mem::take(&mut self.watching[index(falsified)]);
            let mut kept = Vec::with_capacity(numbers.len());
            let mut has_conflict = false;
            for number in numbers {
                if has_conflict || !self.watch_another(number, falsified) {
                    kept.push(number);
                    has_conflict = has_conflict || !self.conclude(number);
                }
            }
            self.watching[index(falsified)].append(&mut kept);
            if has_conflict {
                return false;
            }
        }
        true
    }

    /// Makes a clause watch another literal instead of one that became false; `false` if there is none.
    fn watch_another(&mut self, number: usize, falsified: Lit) -> bool {
        let clause = &mut self.clauses[number];
        if clause.is_empty() {
            return true;
        }
        if clause[0] == falsified {
            clause.swap(0, 1);
        }
        if self.is_true[index(clause[0])] {
            return false;
        }
        let is_true = &self.is_true;
        let Some(found) = (2..clause.len()).find(|place| !is_true[index(!clause[*place])]) else {
            return false;
        };
        clause.swap(1, found);
        let watched = clause[1];
        self.watching[index(watched)].push(number);
        true
    }

    /// Makes the first literal of a clause true, all others being false, unless it is true already; `false` if it is
    /// false as well.
    fn conclude(&mut self, number: usize) -> bool {
        let first = self.clauses[number][0];
        self.assume(first)
    }

    fn undo(&mut self) {
        for literal in self.trail.drain(self.num_fixed..) {
            self.is_true[index(literal)] = false;
        }
    }

    fn is_true(&self, literal: Lit) -> bool {
        self.is_true[index(literal)]
    }

    fn make_room(&mut self, literal: Lit) {
        let needed = (literal.var().0 as usize + 1) * 2;
        if self.is_true.len() < needed {
            self.is_true.resize(needed, false);
            self.watching.resize_with(needed, Vec::new);
        }
    }
}

/// The place of a literal in tables.
fn index(literal: Lit) -> usize {
    literal.var().0 as usize * 2 + usize::from(!literal.is_positive())
}

/// The literals in order, each once.
fn sorted(clause: &[Lit]) -> Vec<Lit> {
    let mut literals = clause.to_vec();
    literals.sort_unstable();
    literals.dedup();
    literals
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Var;

    /// Literals as in DIMACS files.
    fn clause(numbers: &[i32]) -> Vec<Lit> {
        numbers.iter().map(|number| Var(number.unsigned_abs()).is(*number > 0)).collect()
    }

    fn checker(clauses: &[&[i32]]) -> ClausalChecker {
        let mut checker = ClausalChecker::new();
        clauses.iter().for_each(|numbers| checker.add_axiom(&clause(numbers)));
        checker
    }

    fn learn(checker: &mut ClausalChecker, numbers: &[i32]) -> bool {
        checker.follow(&ProofStep::Learned(clause(numbers)))
    }

    /// All clauses over two variables, and eight over four that have no model either.
    const TWO: [&[i32]; 4] = [&[1, 2], &[-1, 2], &[1, -2], &[-1, -2]];
    const FOUR: [&[i32]; 8] = [
        &[1, 2, -3],
        &[-1, -2, 3],
        &[2, 3, -4],
        &[-2, -3, 4],
        &[1, 3, 4],
        &[-1, -3, -4],
        &[-1, 2, 4],
        &[1, -2, -4],
    ];

    #[test]
    fn right_proofs_are_followed_to_the_end() {
        let mut two = checker(&TWO);
        assert!(!two.refutes(&[]));
        assert!(learn(&mut two, &[1]));
        assert!(two.refutes(&[]));
        let mut four = checker(&FOUR);
        assert!(!four.refutes(&[]));
        for step in [&[1, 2][..], &[1], &[2], &[]] {
            assert!(learn(&mut four, step), "{step:?}");
        }
        assert!(four.refutes(&[]));
    }

    #[test]
    fn clauses_that_do_not_follow_are_rejected() {
        let mut chain = checker(&[&[-1, 2], &[-2, 3], &[-3, -4, 5]]);
        for (numbers, follows) in [
            (&[-1, 3][..], true),
            (&[-1, -4, 5], true),
            (&[1], false),
            (&[-1, 5], false),
            (&[], false),
            (&[7, -7], true),
            (&[3, -1, 3], true),
            (&[99], false),
        ] {
            assert_eq!(learn(&mut chain, numbers), follows, "{numbers:?}");
        }
        assert!(!chain.refutes(&[]));
        assert!(chain.refutes(&clause(&[1, -3])));
        assert!(!chain.refutes(&clause(&[1, 3])));
    }

    #[test]
    fn a_proof_may_not_use_what_it_deleted() {
        let mut two = checker(&[&[1, 2, 3], &[-1, 2, 3], &[1, -2], &[-2, -1]]);
        assert!(learn(&mut two, &[2, 3]));
        assert!(two.refutes(&clause(&[-3])));
        assert!(two.follow(&ProofStep::Deleted(clause(&[3, 2]))));
        assert!(!two.refutes(&clause(&[-3])));
        assert!(learn(&mut two, &[3, 2]));
        // Axioms stay, whatever a proof says.
        assert!(two.follow(&ProofStep::Deleted(clause(&[1, -2]))));
        assert!(two.refutes(&clause(&[2, -1])));
    }

    #[test]
    fn conclusions_are_kept_and_assumptions_undone() {
        let mut checker = checker(&[&[-1, 2], &[-2, 3]]);
        assert!(!checker.refutes(&clause(&[1])));
        assert!(!checker.refutes(&clause(&[-3])));
        checker.add_axiom(&clause(&[1]));
        assert!(checker.refutes(&clause(&[-3])));
        checker.add_axiom(&clause(&[-3, -2]));
        assert!(checker.refutes(&[]));
        assert!(learn(&mut checker, &[]));
    }
}
