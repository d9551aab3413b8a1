//! One file for each command.

pub(crate) mod bench;
pub(crate) mod certify;
pub(crate) mod check;
pub(crate) mod convert;
pub(crate) mod engines;
pub(crate) mod generate;
pub(crate) mod interpolate;
pub(crate) mod launch;
pub(crate) mod several;
pub(crate) mod solver;
mod test_cases;
pub(crate) mod validate;
pub(crate) mod worker;
