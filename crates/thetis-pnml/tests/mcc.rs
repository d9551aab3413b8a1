//! Property files of the Model Checking Contest.

use thetis_base::{Diagnostics, SourceMap};
use thetis_pnml::{mcc, net};

fn read(formulas: &[&str]) -> Result<Vec<String>, String> {
    let property = |(index, formula): (usize, &&str)| {
        format!("<property><id>f{index}</id><description/><formula>{formula}</formula></property>\n")
    };
    let all: String = formulas.iter().enumerate().map(property).collect();
    let mut sources = SourceMap::new();
    let model = sources.add("m.net", "place p = 1 place q transition t in p out q");
    let file =
        sources.add("f.xml", format!("<property-set xmlns=\"http://mcc.lip6.fr/\">\n{all}</property-set>"));
    let mut diags = Diagnostics::new();
    let net = net::parse(&sources, model, &mut diags).expect("the net should parse").net;
    let found = mcc::parse(&sources, file, &net, &mut diags).map_err(|_| {
        let lines = diags.iter().map(|one| format!("{}: {}", sources.start(one.span).line, one.message));
        lines.collect::<Vec<_>>().join("\n")
    })?;
    Ok(found.iter().map(|one| format!("{}: {}", one.name, one.property)).collect())
}

fn exists(inner: &str) -> String {
    format!("<exists-path><finally>{inner}</finally></exists-path>")
}

#[test]
fn reachability_formulas_are_read() {
    let le = "<integer-le><integer-constant>2</integer-constant><tokens-count><place>p</place><place>q</place></tokens-count></integer-le>";
    let fire = "<is-fireable><transition>t</transition></is-fireable>";
    let formulas = [
        exists(le),
        format!(
            "<all-paths><globally><conjunction>{le}<negation>{fire}</negation></conjunction></globally></all-paths>"
        ),
        exists("<deadlock/>"),
        exists(&format!("<implication>{fire}<true/></implication>")),
        exists(&format!("<exclusive-disjunction>{fire}<false/></exclusive-disjunction>")),
        "<impossibility><deadlock/></impossibility>".into(),
        "<invariant><true/></invariant>".into(),
        exists(
            "<integer-eq><integer-difference><tokens-count><place>p</place></tokens-count><integer-constant>1</integer-constant></integer-difference><integer-product><integer-constant>2</integer-constant><tokens-count><place>q</place></tokens-count></integer-product></integer-eq>",
        ),
    ];
    let formulas: Vec<&str> = formulas.iter().map(String::as_str).collect();
    assert_eq!(
        read(&formulas).unwrap(),
        [
            "f0: EF -p - q <= -2",
            "f1: AG (-p - q <= -2) and (not (fireable(t)))",
            "f2: deadlock",
            "f3: EF (not (fireable(t))) or (true)",
            "f4: EF ((fireable(t)) and (true)) or ((not (fireable(t))) and (false))",
            "f5: AG not (deadlock)",
            "f6: AG true",
            "f7: EF p - 2 * q = 1",
        ]
    );
}

#[test]
fn other_formulas_are_rejected_with_their_line() {
    let check =
        |formula: &str, expected: &str| assert_eq!(read(&[formula]).unwrap_err(), expected, "{formula}");
    check("<all-paths><finally><true/></finally></all-paths>", "2: `finally` is not supported here");
    check("<place-bound><place>p</place></place-bound>", "2: `place-bound` is not supported here");
    check(&exists("<next><true/></next>"), "2: `next` is not supported here");
    check(&exists("<is-fireable><transition>x</transition></is-fireable>"), "2: there is no transition `x`");
    check(&exists("<negation><true/><true/></negation>"), "2: `negation` has the wrong number of operands");
    check(
        &exists(
            "<integer-le><integer-constant>x</integer-constant><integer-constant>1</integer-constant></integer-le>",
        ),
        "2: `x` is no integer of 64 bits",
    );
    let deep = format!("{}<true/>{}", "<negation>".repeat(10_000), "</negation>".repeat(10_000));
    check(&exists(&deep), "2: the formula nests too deeply");
    let doubled = format!("{}<true/>{}", "<equivalence><true/>".repeat(30), "</equivalence>".repeat(30));
    check(&exists(&doubled), "2: equivalences nest too deeply");
    let error = read(&["<until/>", "<next/>"]).unwrap_err();
    assert_eq!(error, "2: `until` is not supported here\n3: `next` is not supported here");
}
