//! The `.net` language.

use thetis_base::{Diagnostics, SourceMap};
use thetis_pnml::net::{self, NetFile};

fn parse(text: &str) -> Result<NetFile, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.net", text);
    let mut diags = Diagnostics::new();
    net::parse(&sources, file, &mut diags).map_err(|_| {
        let place = |one: &thetis_base::Diagnostic| {
            let at = sources.start(one.span);
            format!("{}:{}: {}", at.line, at.column, one.message)
        };
        diags.iter().map(place).collect::<Vec<_>>().join("\n")
    })
}

#[test]
fn a_net_is_read_and_printed() {
    let text = "net mutex # a comment
        place free = 1 label \"the \\\"lock\\\"\"  place idle = 2, busy // another
        transition enter in idle, 1*free out busy inhibit 3*busy, \"odd place\"
        transition leave in busy out idle out free
        target busy >= 2   target AG busy <= 1
        place \"odd place\"
        target deadlock target one-safe target EF fireable(enter)";
    let file = parse(text).unwrap();
    let targets: Vec<String> = file.targets.iter().map(ToString::to_string).collect();
    assert_eq!(targets, ["EF busy >= 2", "AG busy <= 1", "deadlock", "one-safe", "EF fireable(enter)"]);
    let printed = net::print(&file.net, &file.targets);
    let expected = "net mutex

place free = 1 label \"the \\\"lock\\\"\"
place idle = 2
place busy
place \"odd place\"

transition enter  in free, idle  out busy  inhibit 3*busy, \"odd place\"
transition leave  in busy  out free, idle

target EF busy >= 2

target AG busy <= 1

target deadlock

target one-safe

target EF fireable(enter)
";
    assert_eq!(printed, expected);
    let again = parse(&printed).unwrap();
    assert_eq!(net::print(&again.net, &again.targets), printed);
}

#[test]
fn all_errors_are_reported_with_their_places() {
    let check = |text: &str, expected: &str| assert_eq!(parse(text).unwrap_err(), expected, "{text}");
    check("place p\nplace p", "2:7: there is already a place `p`");
    check("transition t in q\ntarget r > 1", "1:17: there is no place `q`\n2:8: there is no place `r`");
    check(
        "place = 2\ntransition\nplace p",
        "1:7: expected the name of a place, found `=`\n3:1: expected the name of a transition, found `place`",
    );
    check("place p = 99999999999999999999", "1:11: the initial marking is larger than 9223372036854775807");
    check("place p transition t in 0*p", "1:25: the weight is 0, expected a positive number");
    check("place p transition t in 2 p", "1:27: expected `*` between a weight and a place, found `p`");
    check(
        "place p transition t with p",
        "1:22: expected `in`, `out`, `inhibit` or a new statement, found `with`",
    );
    check("net a net b", "1:7: the net already has a name");
    check("x", "1:1: expected `net`, `place`, `transition` or `target`, found `x`");
    check("place p target p > 1 1", "1:22: expected a new statement, found `1`");
    check("target CTL x", "1:8: CTL formulas are not supported");
    check("place p label q", "1:15: expected a label in double quotes, found `q`");
    check("place p @", "1:9: unexpected character `@`");
}
