//! Any SMT-LIB 2.6 solver as a child process.
