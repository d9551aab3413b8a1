//! Certificates: any JSON text is refused or becomes evidence for the checker, which says yes or no, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use serde_json::Value;
use thetis_base::{Diagnostics, SourceMap};
use thetis_checker::Checkable;
use thetis_model::{Evidence, Task, Verdict};
use thetis_report::{Keepable, read_certificate};

const CFA: &str = "main process p { var x : int var b : bv[8] init loc a loc c error loc bad
    a -> c { x := 0 havoc b } c -> c { assume x < 9 x := x + 1 } c -> bad { assume x > 20 } }";
const STS: &str = "specification S { system s := { var n : int initial n = 0 transition n' = n + 1 }
    property p : s models G(n >= 0) }";
const NET: &str = "place p = 2 place q transition t in p out q transition u in q out p target p + q >= 3";

/// Runs are replayed without a solver; proofs are only read, since deciding them takes too long here.
fn read<M: Keepable + Checkable>(task: &Task<M>, certificate: &Value) {
    if let Ok(Verdict::Unsafe(Evidence::Given(trace))) = read_certificate(task, "", &certificate.to_string()) {
        let _ = M::check_trace(task, &trace);
    }
}

fuzz_target!(|text: &str| {
    let Ok(mut certificate) = serde_json::from_str::<Value>(text) else { return };
    // What stands around the evidence is right, so that the fuzzer need not guess it.
    if let Some(fields) = certificate.as_object_mut() {
        for (key, value) in [("format", Value::from("thetis-certificate")), ("version", 1.into()), ("model-sha256", "".into())] {
            fields.insert(key.into(), value);
        }
    }
    let mut claim = |property: String| {
        if let Some(fields) = certificate.as_object_mut() {
            fields.insert("property".into(), property.into());
        }
        certificate.clone()
    };
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("m.cfa", CFA);
    let task = thetis_text::cfa::parse(&sources, file, &mut diags).expect("the automaton should be one");
    read(&task, &claim(task.property.to_string()));
    let file = sources.add("m.sts", STS);
    for named in thetis_text::sts::parse(&sources, file, &mut diags).expect("the system should be one") {
        read(&named.task, &claim(named.task.property.to_string()));
    }
    let file = sources.add("m.net", NET);
    let parsed = thetis_pnml::net::parse(&sources, file, &mut diags).expect("the net should be one");
    for property in parsed.targets {
        let task = thetis_pnml::task(parsed.net.clone(), property);
        read(&task, &claim(task.property.to_string()));
    }
});
