; The second of two contradictory formulas: y is not above x. The other one is above-a.smt2.
(set-logic QF_LIA)
(declare-const x Int)
(declare-const y Int)
(assert (>= x y))
(check-sat)
