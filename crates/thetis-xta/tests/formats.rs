//! Files of UPPAAL's editor and of TChecker.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_model::xta::{Moves, Network, XtaProperty};
use thetis_xta::XtaFile;

type Reader = fn(&SourceMap, FileId, &mut Diagnostics) -> Result<XtaFile, Reported>;

/// The network and its queries, or the first message.
fn read(text: &str) -> Result<(Network, Vec<XtaProperty>), String> {
    read_with(thetis_xta::uppaal::parse, text, None)
}

fn read_with(reader: Reader, text: &str, query: Option<&str>) -> Result<(Network, Vec<XtaProperty>), String> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("model", text);
    let query = query.map(|query| sources.add("query", query));
    let result = reader(&sources, file, &mut diags).and_then(|model| {
        if let Some(query) = query {
            thetis_xta::query::parse(&sources, query, &model, &mut diags)?;
        }
        let queries = 0..model.num_queries();
        let queries = queries.map(|index| thetis_xta::query::parse_own(&model, index, &mut diags));
        let queries = queries.collect::<Result<Vec<_>, _>>()?;
        Ok((model.network, queries))
    });
    result.map_err(|_| {
        let first = diags.iter().next().expect("a failure should have a message");
        let start = sources.start(first.span);
        format!("{}:{}: {} `{}`", start.line, start.column, first.message, sources.text(first.span))
    })
}

/// A template with one location, one edge with these labels, and more elements at its end.
fn model(declaration: &str, labels: &str, more: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<nta><declaration>{declaration}</declaration>\n\
         <template><name x=\"1\">P</name><parameter>const int[1,2] i, clock &amp;c</parameter>\n\
         <location id=\"id0\" x=\"0\" y=\"0\"><name>A</name></location><location id=\"id1\"><urgent/></location>\n\
         <init ref=\"id0\"/>\n<transition><source ref=\"id0\"/><target ref=\"id1\"/>{labels}<nail x=\"1\" y=\"2\"/></transition>{more}</template>\n\
         <system>clock g; Q(const int[1,2] k) = P(k, g); system Q;</system>\n\
         <queries><query><formula>E&lt;&gt; Q(1)._id1 and g &gt;= 2</formula><comment/></query>\
         <query><formula></formula></query><query><formula>A[] not deadlock</formula></query></queries></nta>"
    )
}

#[test]
fn templates_instances_and_queries_are_read() {
    let labels = "<label kind=\"select\">e : int[0,3]</label><label kind=\"guard\">c &gt;= 2 &amp;&amp; n &lt; 3</label>\
                  <label kind=\"assignment\">n = e, c = 0</label><label kind=\"comments\">a remark</label>";
    let text = model("int[0,3] n; <![CDATA[bool f() { return n < 2 && n > 0; }]]>", labels, "");
    let (network, queries) = read(&text).unwrap();
    let names: Vec<&str> = network.processes.iter().map(|process| process.name.as_str()).collect();
    assert_eq!(names, ["Q(1)", "Q(2)"]);
    assert_eq!(network.processes.iter().map(|process| process.edges.len()).sum::<usize>(), 8);
    let queries: Vec<String> = queries.iter().map(ToString::to_string).collect();
    assert_eq!(queries, ["E<> Q(1)._id1 and g >= 2", "A[] not deadlock"]);
}

#[test]
fn mistakes_have_positions_in_the_xml() {
    for (text, expected) in [
        (model("int n", "", ""), "2:24: expected `;`, found the end ``"),
        (
            model("", "<label kind=\"guard\">1 &lt; 2 &amp;&amp; z &gt; 3</label>", ""),
            "6:91: `z` is not declared `z`",
        ),
        (
            model("", "<label kind=\"guard\">c &amp;&amp; 1</label>", ""),
            "6:71: clocks are not supported in this condition `c`",
        ),
        (
            model("", "<label kind=\"guard\">1 &lt;= &amp; 2</label>", ""),
            "6:79: expected an expression, found `&` `&amp;`",
        ),
        (
            model("", "<label kind=\"probability\">3</label>", ""),
            "6:51: the label `probability` is not supported",
        ),
        (model("", "<branch/>", ""), "6:51: the element `branch` is not supported"),
        (model("", "", "<branchpoint id=\"id7\"/>"), "6:83: the element `branchpoint` is not supported"),
        (
            model("", "", "<transition controllable=\"false\"/>"),
            "6:83: transitions of games are not supported",
        ),
        (
            model("", "", "<transition><source ref=\"id9\"/></transition>"),
            "6:95: there is no location with the identifier `id9`",
        ),
        (model("&unknown;", "", ""), "2:19: malformed XML: unknown entity"),
        ("<pnml/>".into(), "1:1: expected the element `nta`, found `pnml`"),
        ("<nta/>".into(), "1:1: the model has no element `system`"),
        ("<nta><template/></nta>".into(), "1:6: a template without a name"),
        ("<nta>".into(), "1:1: element `nta` is not closed"),
        ("<nta></template>".into(), "1:6: malformed XML"),
        ("".into(), "1:1: no XML element found"),
        ("<a>".repeat(100_000), "1:299998: element `a` is not closed"),
    ] {
        let message = read(&text).map(|_| ()).unwrap_err();
        assert!(message.starts_with(expected), "{text:.2000}\n{message:.300}\n{expected}");
    }
}

const HEAD: &str = "system:demo # a comment\nevent:go\nevent:step\nclock:1:x\nclock:2:y\nint:1:0:3:0:n\nint:2:-1:5:2:v\n\
                    process:P\nlocation:P:idle{initial:}\nlocation:P:busy{invariant:x<=5:labels:work,bad}\n\
                    process:Q\nlocation:Q:l{initial: : urgent:}\nlocation:Q:m{committed::labels:bad}\n";

/// The participants of the moves of the initial state of a model with these lines after [`HEAD`].
fn first_moves(lines: &str, query: &str) -> Result<Vec<usize>, String> {
    let (network, _) = read_with(thetis_xta::tchecker::parse, &format!("{HEAD}{lines}"), Some(query))?;
    let situation = Moves::new(&network).situation(&network.initial()).map_err(|error| error.to_string())?;
    Ok(situation.moves.iter().map(|one| one.participants.len()).collect())
}

#[test]
fn synchronisations_of_tchecker_are_read() {
    let edges = "edge:P:idle:busy:go{provided:x>=2&&n<3 : do: x=0;n=n+1;nop}\nedge:Q:l:m:go{do:v[1]=3}\nedge:P:idle:idle:step\n";
    for (lines, expected) in [
        ("", vec![1, 1, 1]),
        ("sync:P@go:Q@go\n", vec![2, 1]),
        ("sync:P@go:Q@go\nsync:P@step:Q@go\n", vec![2, 2]),
        ("sync:P@go:Q@step\n", vec![1, 1]),
        ("sync:P@go\n", vec![1, 1, 1]),
    ] {
        let mut moves = first_moves(&format!("{edges}{lines}"), "E<> bad and n == 1 and v[0] == 2").unwrap();
        moves.sort_unstable();
        moves.reverse();
        assert_eq!(moves, expected, "{lines}");
    }
}

#[test]
fn mistakes_in_tchecker_files_have_positions() {
    for (lines, expected) in [
        ("edge:P:idle:busy:go{provided:z>2}", "14:30: `z` is not declared `z`"),
        ("edge:P:idle:busy:go{provided: x>=", "14:20: expected `}`"),
        ("edge:P:idle:busy:go{weight:3}", "14:21: the attribute `weight` is not supported"),
        ("edge:P:idle:busy:go{do:if n==1 then x=0 end}", "14:24: `if` in updates is not supported"),
        ("edge:P:idle:nowhere:go", "14:13: there is no location `nowhere`"),
        ("edge:R:idle:busy:go", "14:6: there is no process `R`"),
        ("edge:P:idle:busy", "14:1: this is not the number of fields of `edge`"),
        ("location:P:other{initial:}", "14:18: several initial locations"),
        ("sync:P@go:Q@go?", "14:11: weak synchronisations are not supported"),
        ("sync:P@go:P@step", "14:11: the process `P` occurs twice"),
        ("sync:P", "14:6: expected `PROCESS@EVENT`"),
        ("clock:0:z", "14:7: expected a size between 1"),
        ("clock:1:a.b", "14:9: names with dots"),
        ("int:1:0:3:7:z", "14:11: the value 7 is outside of the range"),
        ("location:P:third{labels:n}", "14:25: the label `n` has the name of a variable"),
        ("system:again", "14:1: a model has one `system` line"),
        ("gate:P", "14:1: unknown keyword `gate`"),
    ] {
        let message = first_moves(lines, "explore").map(|_| ()).unwrap_err();
        assert!(message.starts_with(expected), "{lines}\n{message}\n{expected}");
    }
    let message = read_with(thetis_xta::tchecker::parse, "clock:1:x", None).map(|_| ()).unwrap_err();
    assert!(message.starts_with("1:1: a model starts with `system:NAME`"), "{message}");
}

/// Discrete states that moves reach if all constraints on clocks are ignored.
fn num_states(network: &Network) -> usize {
    let mut moves = Moves::new(network);
    let (mut seen, mut open) = (std::collections::BTreeSet::new(), vec![network.initial()]);
    while let Some(state) = open.pop() {
        if seen.insert(state.clone()) {
            for step in moves.situation(&state).unwrap().moves {
                open.push(moves.fire(&state, &step.participants).unwrap().0);
            }
        }
    }
    seen.len()
}

#[test]
fn what_is_written_for_tchecker_means_the_same() {
    let text = "const int K = 3; int[0,2] id; int[0,3] w[2] = {1, 2}; clock z; chan go[2], lost;
        process P(const int[1,2] i) {
            clock x; state A, B { x <= K && id < 3 }, C; commit C; init A;
            trans A -> B { guard id == 0 && x - z <= 2; assign x = 0, id = i; },
                  B -> C { guard !(id == 0); sync go[i - 1]!; assign w[i - 1] = (w[0] + 1) % 4; },
                  C -> A { assign id -= i; }, A -> C { sync lost!; };
        }
        process Q() { state L; init L; trans L -> L { select j : int[0,1]; sync go[j]?; }; }
        system P, Q;";
    let (network, _) = read_with(thetis_xta::parse, text, None).unwrap();
    let printed = thetis_xta::tchecker::print(&network).unwrap();
    let (again, _) = read_with(thetis_xta::tchecker::parse, &printed, None).unwrap();
    assert_eq!(num_states(&again), num_states(&network), "{printed}");
    let constraints = |network: &Network| -> usize {
        network.processes.iter().flat_map(|one| &one.edges).map(|edge| edge.guard.clocks.len()).sum()
    };
    assert_eq!(constraints(&again), constraints(&network), "{printed}");
    for (text, expected) in [
        ("urgent chan c; process P() { state A; init A; } system P;", "the channel `c` is urgent"),
        (
            "int n; void f() { n = 1; } process P() { state A; init A; trans A -> A { assign f(); }; } system P;",
            "an update that is not an assignment",
        ),
        (
            "int[0,1] n; clock x[2]; process P() { state A; init A; trans A -> A { guard x[n] > 1; }; } system P;",
            "an index that depends on data",
        ),
        (
            "int n; process P() { state A; init A; trans A -> A { guard n > 1 || n < 0; }; } system P;",
            "a disjunction",
        ),
    ] {
        let (network, _) = read_with(thetis_xta::parse, text, None).unwrap();
        let message = thetis_xta::tchecker::print(&network).unwrap_err();
        assert!(message.starts_with(expected), "{text}\n{message}");
    }
}

/// The text of a model in UPPAAL's language, and the network of the model.
fn written(reader: Reader, text: &str) -> (String, Network) {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("model", text);
    let model = reader(&sources, file, &mut diags).unwrap_or_else(|_| panic!("{diags:?}\n{text}"));
    (thetis_xta::print(&model.tree()), model.network)
}

#[test]
fn models_are_written_in_the_language_of_uppaal() {
    let xta = "const int N = 2; typedef int[0, N - 1] id_t; typedef struct { int[0,3] a; bool f[id_t]; } rec;
        rec r = { 1, { true, false } }; int k = -N + 3 * (2 - 1); clock g[2]; broadcast chan u[N]; urgent chan c;
        chan priority c < default < u; before_update { k = k } after_update { k = k }
        int f(int &x, const int y[2]) {
            int i; int s = 0;
            for (i = 0; i < 2; i++) { if (y[i] > x) s += y[i]; else s--; }
            for (j : id_t) s = s <? j;
            do { s++; } while (s < 0);
            while (s > 3) { s -= 1; }
            { ; }
            return (x == 1 || s > 2) && !(x != 2) ? s : -x;
        }
        process P(const id_t i, int &v) {
            clock x; state a { x <= 5 && (k == 1 imply g[i] < 3) }, b, d; commit d; urgent b; init a;
            trans a -> b { select e : int[0,1], w : id_t; guard x >= 2 && e != w, k < 1 + 2 << 1; sync u[i]!; assign x = 0, r.f[e] = true; },
                  b -> d { sync c?; }, -> a { guard forall (j : id_t) r.f[j] and (exists (j : id_t) j == i); sync c!; assign v++; };
        }
        Q(const id_t j) = P(j, k);
        A = P(0, k);
        system A < Q; progress { k; k > 1 : 3; }";
    let (text, network) = written(thetis_xta::parse, xta);
    let (again, same) = written(thetis_xta::parse, &text);
    assert_eq!(text, again);
    assert_eq!(thetis_model::xta::dot(&network), thetis_model::xta::dot(&same), "{text}");
    // Only braces are added to functions.
    let shape = |network: &Network| {
        let functions = network.functions.iter();
        functions.map(|one| (one.name.clone(), one.frame, one.range)).collect::<Vec<_>>()
    };
    assert_eq!(shape(&network), shape(&same), "{text}");
    assert_eq!(network.priorities, same.priorities);
    let uppaal = model("int[0,3] n;", "<label kind=\"guard\">c &gt;= 2</label>", "");
    let (text, network) = written(thetis_xta::uppaal::parse, &uppaal);
    let (_, same) = written(thetis_xta::parse, &text);
    assert_eq!(thetis_model::xta::dot(&network), thetis_model::xta::dot(&same), "{text}");
    let tchecker = "system:s\nevent:e\nclock:1:x\nprocess:P\nlocation:P:l{initial:}\nedge:P:l:l:e{provided:x>=2:do:x=0}\n\
                    process:Q\nlocation:Q:l{initial:}\nedge:Q:l:l:e\nsync:P@e:Q@e\n";
    let (text, network) = written(thetis_xta::tchecker::parse, tchecker);
    let (_, same) = written(thetis_xta::parse, &text);
    assert_eq!(network.processes.len(), same.processes.len(), "{text}");
    assert_eq!(
        format!("{:?}", network.channels.iter().map(|one| &one.kind).collect::<Vec<_>>()),
        format!("{:?}", same.channels.iter().map(|one| &one.kind).collect::<Vec<_>>()),
        "{text}"
    );
}

#[test]
fn long_sequences_of_operators_are_written_without_nesting() {
    let terms = vec!["n == 1"; 150].join(" || ");
    let text =
        format!("int n; process P() {{ state a; init a; trans a -> a {{ guard {terms}; }}; }} system P;");
    let (text, _) = written(thetis_xta::parse, &text);
    written(thetis_xta::parse, &text);
}
