//! Models, properties, verdicts, evidence, passes and their lifts.
