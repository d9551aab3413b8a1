//! Certificates: any JSON text is rejected or becomes evidence for the checker, which says yes or no, never a panic.

use serde_json::Value;
use thetis_base::{Diagnostics, SourceMap};
use thetis_checker::Checkable;
use thetis_model::cfa::Cfa;
use thetis_model::petri::Net;
use thetis_model::sts::Sts;
use thetis_model::{Evidence, Task, Verdict};
use thetis_report::{Keepable, read_certificate};

use super::{Effect, text_of};

const CFA: &str = "main process p { var x : int var b : bv[8] init loc a loc c error loc bad
    a -> c { x := 0 havoc b } c -> c { assume x < 9 x := x + 1 } c -> bad { assume x > 20 } }";
const STS: &str = "specification S { system s := { var n : int initial n = 0 transition n' = n + 1 }
    property p : s models G(n >= 0) }";
const NET: &str = "place p = 2 place q transition t in p out q transition u in q out p target p + q >= 3";

/// The models that certificates are about.
struct Models {
    cfa: Task<Cfa>,
    sts: Vec<Task<Sts>>,
    nets: Vec<Task<Net>>,
}

thread_local! {
    static MODELS: Models = Models::read();
}

impl Models {
    fn read() -> Models {
        let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
        let file = sources.add("m.cfa", CFA);
        let cfa = thetis_text::cfa::parse(&sources, file, &mut diags).expect("the automaton should be one");
        let file = sources.add("m.sts", STS);
        let systems = thetis_text::sts::parse(&sources, file, &mut diags).expect("the system should be one");
        let file = sources.add("m.net", NET);
        let parsed = thetis_pnml::net::parse(&sources, file, &mut diags).expect("the net should be one");
        let nets = parsed.targets.into_iter().map(|target| thetis_pnml::task(parsed.net.clone(), target));
        Models { cfa, sts: systems.into_iter().map(|named| named.task).collect(), nets: nets.collect() }
    }
}

/// Runs are replayed without a solver; proofs are only read, since deciding them takes too long here.
fn read<M: Keepable + Checkable>(task: &Task<M>, certificate: &mut Value) -> Effect {
    // What stands around the evidence is right, so that nobody has to guess it.
    if let Some(fields) = certificate.as_object_mut() {
        let property = Value::from(task.property.to_string());
        let format = Value::from("thetis-certificate");
        for (key, value) in
            [("format", format), ("version", 1.into()), ("model-sha256", "".into()), ("property", property)]
        {
            fields.insert(key.into(), value);
        }
    }
    match read_certificate(task, "", &certificate.to_string()) {
        Ok(Verdict::Unsafe(Evidence::Given(trace))) => match M::check_trace(task, &trace) {
            Ok(_) => "a run".into(),
            Err(error) => format!("{error:?}"),
        },
        Ok(_) => "read".into(),
        Err(error) => error.to_string(),
    }
}

pub fn check(bytes: &[u8]) -> Effect {
    let Ok(mut certificate) = serde_json::from_str::<Value>(&text_of(bytes)) else { return Effect::new() };
    MODELS.with(|models| {
        let mut effects = read(&models.cfa, &mut certificate);
        models.sts.iter().for_each(|task| effects += &read(task, &mut certificate));
        models.nets.iter().for_each(|task| effects += &read(task, &mut certificate));
        effects
    })
}
