//! Files of UPPAAL's editor.

use thetis_base::{Diagnostics, SourceMap};
use thetis_model::xta::{Network, XtaProperty};

/// The network and its queries, or the first message.
fn read(text: &str) -> Result<(Network, Vec<XtaProperty>), String> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("model.xml", text);
    let result = thetis_xta::uppaal::parse(&sources, file, &mut diags).and_then(|model| {
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
