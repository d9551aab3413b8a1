use thetis_bench::{Comparison, ResultFile};

use super::args::CompareArgs;
use super::failure;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;

pub(super) fn run(args: &CompareArgs) -> Result<Exit, Failure> {
    let old = ResultFile::read(&args.old).map_err(failure)?;
    let new = ResultFile::read(&args.new).map_err(failure)?;
    let comparison = Comparison::new(&old, &new);
    if comparison.num_common == 0 {
        return Err(Failure::input("the two files have no run in common"));
    }
    terminal::answer(&comparison.text())?;
    Ok(if comparison.has_regression() { Exit::Unsafe } else { Exit::Safe })
}
