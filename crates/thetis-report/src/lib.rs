//! Reports: verdicts as text and JSON, certificates out and in, diagnostics on the source.
