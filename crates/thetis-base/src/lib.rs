//! Ground layer: runs, budgets, cancellation, events, statistics, sources and diagnostics.
