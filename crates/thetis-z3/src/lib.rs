//! Z3 in process, loaded at run time.
