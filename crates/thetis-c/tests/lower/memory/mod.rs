//! The rules about memory.

mod cases;
mod sanitizer;

use std::collections::BTreeSet;

use thetis_c::lower::{Arithmetic, MemoryRule, Property};
use thetis_testkit::c::random_program;

use super::run::{Outcome, Setup, run_watching, translate};
use cases::{CASES, PRELUDE};

const RULES: [MemoryRule; 4] = [MemoryRule::Deref, MemoryRule::Free, MemoryRule::Track, MemoryRule::Cleanup];

/// More blocks than any program here allocates.
const MAX_BLOCKS: usize = 6;

/// What happens if any one of the blocks, or none, is watched: `!` if there is a violation, else `?` if there is a limit.
fn sign(text: &str, inputs: &[i128], property: &Property, arithmetic: Arithmetic) -> char {
    let setup = Setup { arithmetic, property: property.clone(), ..Setup::default() };
    let lowered = translate(text, &setup).unwrap();
    let watches = property.asks(MemoryRule::Track) || property.asks(MemoryRule::Cleanup);
    let num_choices = if watches { MAX_BLOCKS } else { 1 };
    let outcomes: Vec<Outcome> =
        (0..num_choices).map(|watched| run_watching(&lowered, inputs, Some(watched))).collect();
    assert!(
        outcomes.iter().all(|outcome| !matches!(outcome, Outcome::Blocked | Outcome::Endless)),
        "{text}: {outcomes:?}"
    );
    let has = |test: &dyn Fn(&Outcome) -> bool| outcomes.iter().any(test);
    match () {
        () if has(&|outcome| *outcome == Outcome::Violation) => '!',
        () if has(&|outcome| matches!(outcome, Outcome::Limit(_))) => '?',
        () => '.',
    }
}

#[test]
fn the_rules_hold_or_are_violated() {
    let mut wrong = Vec::new();
    for case in CASES {
        let text = format!("{PRELUDE}{}", case.text);
        for (rule, expected) in RULES.into_iter().zip(case.expected.chars()) {
            if expected == '-' {
                continue;
            }
            let property = Property::Memory([rule].into());
            for arithmetic in [Arithmetic::Mod, Arithmetic::Bv] {
                let found = sign(&text, case.inputs, &property, arithmetic);
                if found != expected {
                    wrong.push(format!(
                        "{} is `{found}`, not `{expected}` ({arithmetic:?}): {}",
                        rule.name(),
                        case.text
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn all_rules_at_once_are_violated_if_one_is() {
    for case in CASES.iter().filter(|case| !case.expected.contains(['?', '-'])) {
        let text = format!("{PRELUDE}{}", case.text);
        let expected = if case.expected.contains('!') { '!' } else { '.' };
        let property = Property::Memory(BTreeSet::from(RULES));
        assert_eq!(sign(&text, case.inputs, &property, Arithmetic::Mod), expected, "{}", case.text);
    }
}

#[test]
fn random_programs_follow_the_rules() {
    for seed in 0..40 {
        let text = random_program(seed).alone();
        let signs = [Arithmetic::Mod, Arithmetic::Bv].map(|arithmetic| {
            let setup = Setup { arithmetic, property: Property::memory_safety(), ..Setup::default() };
            run_watching(&translate(&text, &setup).unwrap(), &[], None)
        });
        assert!(
            signs.iter().all(|outcome| matches!(outcome, Outcome::Exit(_))),
            "program {seed} has no violation and no limit: {signs:?}"
        );
    }
}

/// A program that reads one element behind the end of an array of a random program.
#[test]
fn random_programs_with_one_index_too_far_do_not() {
    for seed in 0..10 {
        let program = random_program(seed);
        let text = format!(
            "{}int main(void) {{ int a[5]; for (int i = 0; i < 5; i++) a[i] = (int){}(); return a[5 + (a[0] != a[4])]; }}\n",
            program.text, program.entry
        );
        assert_eq!(sign(&text, &[], &Property::memory_safety(), Arithmetic::Mod), '!', "{seed}");
    }
}

/// Other properties know nothing of sizes and lifetimes.
#[test]
fn automata_of_other_properties_do_not_grow() {
    for case in CASES {
        let text = format!("{PRELUDE}{}", case.text);
        let lowered = translate(&text, &Setup::default()).unwrap();
        let names: Vec<String> =
            lowered.task.model.vars.iter().map(|var| lowered.task.store.var_name(*var).to_string()).collect();
        let is_bookkeeping = |name: &String| name.starts_with("memory.") || name.ends_with(".lives");
        assert!(!names.iter().any(is_bookkeeping), "{names:?}");
        assert!(lowered.origin.violations.is_empty(), "{}", case.text);
    }
}

#[test]
fn what_is_certain_is_not_checked() {
    let num_violations = |body: &str| {
        let text = format!("{PRELUDE}struct node {{ int v[3]; int w; }}; int main(void) {{ {body} }}");
        let setup = Setup { property: Property::Memory([MemoryRule::Deref].into()), ..Setup::default() };
        translate(&text, &setup).unwrap().origin.violations.len()
    };
    assert_eq!(num_violations("int x = 1, a[3] = {1, 2, 3}; a[1] = x; return a[0] + a[2];"), 0);
    assert_eq!(num_violations("struct node n; n.v[2] = 1; n.w = n.v[2]; struct node m = n; return m.w;"), 0);
    assert_eq!(num_violations("int a[3]; int i = input(); a[i] = 1; return 0;"), 1);
    assert_eq!(num_violations("int a[3]; int i = input(); a[i]++; return 0;"), 1, "one check is enough");
}
