//! What to try next after `unknown`, chosen by the reason and by what the run has learned.

use std::time::Duration;

use thetis_model::Reason;

use crate::args::CheckArgs;
use crate::progress::Known;

/// Hints for the user, the most promising first; empty if nothing is likely to help.
pub(crate) fn advice(args: &CheckArgs, reason: &Reason, known: Known) -> Vec<String> {
    let mut advice = Vec::new();
    match reason {
        Reason::OutOfTime => advice.extend(more_time(args.budget.time.0)),
        Reason::OutOfMemory => advice.push("allow more memory with `--memory`".to_owned()),
        Reason::Bound(bound) => advice.push(format!(
            "look deeper with `--set bmc.max-bound={}`, or search for a proof with `--engine auto`",
            bound.saturating_mul(4).max(20)
        )),
        Reason::Incomplete(words) if words.contains("which is not defined") => advice.push(
            "define the function in a file of its own, or state with `--externals careful` that it frees nothing and writes only inside the objects that it is given"
                .to_owned(),
        ),
        Reason::Incomplete(words) if words.contains("a pointer is made from an integer") => advice
            .push("if this is a device register, declare its range: `--registers 0x40000000-0x5fffffff`".to_owned()),
        Reason::Solver(_) | Reason::CertificateUndecided(_) => {
            advice.push("try another arithmetic with `--set arithmetic=bv` or `int`, or `--engine auto`".to_owned());
        }
        _ => {}
    }
    let engine = args.engine.as_deref().unwrap_or("auto");
    if matches!(reason, Reason::OutOfTime | Reason::Incomplete(_)) {
        match (engine, known.bound) {
            ("auto", Some(bound)) if args.question.is_c_program() => advice.push(format!(
                "violations within {bound} loop iterations are excluded; `--engine bmc` uses all the time to find deeper ones"
            )),
            ("auto", _) => {}
            (engine, _) => advice.push(format!("only `{engine}` was run; `--engine auto` combines several engines")),
        }
    }
    if args.question.is_c_program() && args.question.function.is_none() && *reason == Reason::OutOfTime {
        advice.push(
            "check parts of the program with `--function NAME`, or each function with `--function '*'`"
                .to_owned(),
        );
    }
    advice
}

fn more_time(time: Option<Duration>) -> Option<String> {
    let seconds = time?.as_secs().max(1).saturating_mul(5);
    Some(match seconds {
        0..120 => format!("allow more time, for example `--time {seconds}s`"),
        _ => format!("allow more time, for example `--time {}m`", seconds / 60),
    })
}
