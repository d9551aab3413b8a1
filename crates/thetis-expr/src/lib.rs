//! Sorts, values, hash-consed terms, evaluator, simplifier and text forms.
