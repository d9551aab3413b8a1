; Horn clauses: x starts at 0 and grows in steps of 2 up to any n, so it is never 7. The clauses are satisfiable, and the model
; says that x is even.
(set-logic HORN)
(declare-fun Loop (Int Int) Bool)
(assert (forall ((n Int)) (Loop 0 n)))
(assert (forall ((x Int) (y Int) (n Int)) (=> (and (Loop x n) (< x n) (= y (+ x 2))) (Loop y n))))
(assert (forall ((x Int) (n Int)) (=> (and (Loop x n) (= x 7)) false)))
(check-sat)
