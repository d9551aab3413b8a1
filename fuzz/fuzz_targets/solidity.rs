//! Solidity: any text gives tasks or errors with positions, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thetis_base::{Diagnostics, SourceMap};
use thetis_solidity::{Options, Outcome};

fuzz_target!(|text: &str| {
    let mut sources = SourceMap::new();
    let file = sources.add("fuzz.sol", text);
    let mut diags = Diagnostics::new();
    let result = thetis_solidity::read(&sources, &[file], &Options::default(), &mut diags);
    assert_eq!(result.is_err(), diags.num_errors() > 0);
    for diagnostic in diags.iter() {
        assert!(diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end as usize <= text.len());
    }
    for function in result.into_iter().flatten() {
        if let Outcome::Translated(translated) = function.outcome {
            translated.task.model.validate(&translated.task.store).expect("a function should be a valid automaton");
        }
    }
    let mut diags = Diagnostics::new();
    let whole = thetis_solidity::read_contract(&sources, &[file], None, &Options::default(), &mut diags);
    assert_eq!(whole.is_err(), diags.num_errors() > 0);
    if let Ok(contract) = whole {
        contract.task.model.validate(&contract.task.store).expect("a contract should be a valid automaton");
    }
});
