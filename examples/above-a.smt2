; The first of two contradictory formulas: y is above z, and z is not below x. The other one is above-b.smt2.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(declare-const z Int)
(assert (> y z))
(assert (>= z x))
(check-sat)
