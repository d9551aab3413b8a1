//! Solidity: any text gives tasks or errors with positions, never a panic.

use thetis_base::{Diagnostics, SourceMap};
use thetis_solidity::{Options, FunctionOutcome};

use super::{Effect, effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.sol", &*text_of(bytes));
    let mut diags = Diagnostics::new();
    let result = thetis_solidity::read(&sources, &[file], &Options::default(), &mut diags);
    assert_eq!(result.is_err(), diags.num_errors() > 0);
    let mut effects = effect(&sources, &diags);
    for function in result.into_iter().flatten() {
        match function.outcome {
            FunctionOutcome::Translated(translated) => {
                let model = &translated.task.model;
                model.validate(&translated.task.store).expect("a function should be a valid automaton");
            }
            FunctionOutcome::Skipped(skipped) => effects += &skipped.reason,
        }
    }
    let mut diags = Diagnostics::new();
    let whole = thetis_solidity::read_contract(&sources, &[file], None, &Options::default(), &mut diags);
    assert_eq!(whole.is_err(), diags.num_errors() > 0);
    if let Ok(contract) = whole {
        contract.task.model.validate(&contract.task.store).expect("a contract should be a valid automaton");
    }
    effects + &effect(&sources, &diags)
}
