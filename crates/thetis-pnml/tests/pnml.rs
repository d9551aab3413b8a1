//! PNML in all the forms that tools write, and what is rejected.

use thetis_base::{Diagnostics, SourceMap};
use thetis_model::petri::Net;
use thetis_pnml::{net, pnml};

/// The net in the `.net` language, or the errors with their lines.
fn read(text: &str) -> Result<String, String> {
    read_net(text).map(|found| net::print(&found, &[]))
}

fn read_net(text: &str) -> Result<Net, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.pnml", text);
    let mut diags = Diagnostics::new();
    pnml::parse(&sources, file, &mut diags).map_err(|_| {
        let lines = diags.iter().map(|one| format!("{}: {}", sources.start(one.span).line, one.message));
        lines.collect::<Vec<_>>().join("\n")
    })
}

/// A net with the given content, which starts on line 3.
fn document(content: &str) -> String {
    let net = "<net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/ptnet\">";
    format!("<?xml version=\"1.0\"?>\n<pnml>{net}\n{content}\n</net></pnml>\n")
}

const NODES: &str = "<place id='p'/><place id='q'/><transition id='t'/>";

fn check(content: &str, expected: &str) {
    let found = read(&document(content)).unwrap_or_else(|errors| panic!("{content}: {errors}"));
    assert_eq!(found, expected, "{content}");
}

fn reject(content: &str, expected: &str) {
    assert_eq!(read(&document(content)).expect_err("the net should be rejected"), expected, "{content}");
}

#[test]
fn pages_references_markings_and_weights_are_read() {
    check(
        "<page id='a'><place id='p'><name><text>fr&gt;ee</text></name>
           <initialMarking><graphics/><text> 2 </text></initialMarking></place>
           <page id='b'><transition id='t'/><referencePlace id='r' ref='s'/><referencePlace id='s' ref='p'/>
             <arc id='x' source='r' target='t'><inscription><text>3</text></inscription></arc></page></page>
         <place id='q.1'/><arc id='y' source='t' target='q.1'/><arc id='z' source='t' target='q.1'/>",
        "net n\n\nplace p = 2 label \"fr>ee\"\nplace \"q.1\"\n\ntransition t  in 3*p  out 2*\"q.1\"\n",
    );
    check(
        "<place id='p'><initialMarking><value>Default,4</value></initialMarking></place>",
        "net n\n\nplace p = 4\n\n",
    );
    check(
        "<place id='p'/><transition id='t'/><arc id='a' source='t' target='p'>
           <toolspecific tool='Petri.NET' version='1'><weight>5</weight></toolspecific></arc>",
        "net n\n\nplace p\n\ntransition t  out 5*p\n",
    );
}

#[test]
fn inhibitor_arcs_are_read_in_all_encodings() {
    let encodings = [
        "<arc id='a' source='p' target='t' type='inhibitor'/>",
        "<arc id='a' source='p' target='t'><type value='inhibitor'/></arc>",
        "<arc id='a' source='p' target='t'><type><text>inhibitor</text></type></arc>",
        "<arc id='a' source='p' target='t'><arctype><text>inhibitor</text></arctype></arc>",
        "<inhibitorArc source='p' target='t'/>",
    ];
    for encoding in encodings {
        check(&format!("{NODES}{encoding}"), "net n\n\nplace p\nplace q\n\ntransition t  inhibit p\n");
    }
    check(
        &format!("{NODES}<inhibitorArc source='p' target='t' inscription='3'/>"),
        "net n\n\nplace p\nplace q\n\ntransition t  inhibit 3*p\n",
    );
    check(
        &format!("{NODES}<arc id='a' source='p' target='t' type='normal'><type value='normal'/></arc>"),
        "net n\n\nplace p\nplace q\n\ntransition t  in p\n",
    );
}

#[test]
fn what_is_not_understood_is_rejected_with_its_line() {
    reject(
        &format!("{NODES}\n<arc id='a' source='p' target='t' type='reset'/>"),
        "4: arcs of type `reset` are not supported",
    );
    reject(
        &format!("{NODES}<arc id='a' source='p' target='t'><type value='test'/></arc>"),
        "3: arcs of type `test` are not supported",
    );
    reject(
        &format!("{NODES}<arc id='a' source='p' target='u'/>"),
        "3: the target `u` of the arc is no place or transition",
    );
    reject(&format!("{NODES}<arc id='a' source='p'/>"), "3: `arc` has no attribute `target`");
    reject(&format!("{NODES}<arc id='a' source='p' target='q'/>"), "3: an arc leads from a place to a place");
    reject(
        &format!("{NODES}<arc id='a' source='t' target='t'/>"),
        "3: an arc leads from a transition to a transition",
    );
    reject(
        &format!("{NODES}<inhibitorArc source='t' target='p'/>"),
        "3: an inhibitor arc leads from a transition, expected a place",
    );
    let weight = |weight: &str| {
        format!(
            "{NODES}<arc id='a' source='p' target='t'><inscription>\n<text>{weight}</text></inscription></arc>"
        )
    };
    reject(&weight("-1"), "4: the weight is `-1`, expected a natural number");
    reject(&weight("0"), "4: the weight is 0, expected a positive number");
    reject(&weight("x"), "4: the weight is `x`, expected a natural number");
    reject(&weight("99999999999999999999"), "4: the weight is larger than 9223372036854775807");
    reject(
        &format!(
            "{NODES}<arc id='a' source='p' target='t' weight='2'><inscription><text>3</text></inscription></arc>"
        ),
        "3: the arc has two different weights",
    );
    reject(
        "<place id='p'>\n<initialMarking><text>-3</text></initialMarking></place>",
        "4: the initial marking is `-3`, expected a natural number",
    );
    reject("<place id='p'/>\n<place id='p'/>", "4: the id `p` is already in use");
    reject("<place id='p'/>\n<transition id='p'/>", "4: the id `p` is already in use");
    reject("<place/>", "3: `place` has no attribute `id`");
    reject("<referencePlace id='r' ref='r'/>", "3: the reference `r` leads to no place");
    reject("<transition id='t'/><referencePlace id='r' ref='t'/>", "3: the reference `r` leads to no place");
    reject(
        "<place id='p'><hlinitialMarking/></place>",
        "3: `hlinitialMarking` belongs to high-level nets, which are not supported",
    );
    reject(
        "<transition id='t'><condition/></transition>",
        "3: `condition` belongs to high-level nets, which are not supported",
    );
    reject("<transportArc/>", "3: element `transportArc` is not supported");
    let tool = |kind: &str, id: &str, inner: &str| {
        format!("<{kind} id='{id}'><toolspecific tool='Petri.NET'>{inner}</toolspecific></{kind}>")
    };
    reject(&tool("place", "p", "<capacity>3</capacity>"), "3: capacities of places are not supported");
    reject(&tool("transition", "t", "<condition>x</condition>"), "3: guards are not supported");
    let two = ["1", "2"].map(|one| tool("transition", one, &format!("<priority>{one}</priority>"))).concat();
    reject(&format!("{two}\n<transition id='t'/>"), "4: the transition has no priority");
}

#[test]
fn priorities_become_arcs() {
    let transition = |id: &str, priority: &str| {
        format!(
            "<transition id='{id}'><toolspecific tool='Petri.NET'><priority>{priority}</priority></toolspecific></transition>"
        )
    };
    let content = format!(
        "<place id='p'><initialMarking><text>1</text></initialMarking></place><place id='q'/>{}{}{}{}",
        transition("t", "101"),
        transition("u", "100"),
        "<arc id='a' source='p' target='t'/><arc id='b' source='q' target='t'/>",
        "<arc id='c' source='u' target='q'/>"
    );
    // `u` may fire only if `t` may not, for one of two reasons.
    let copies = "transition \"u [p < 1]\"  out q  inhibit p\ntransition \"u [q < 1]\"  out q  inhibit q\n";
    check(&content, &format!("net n\n\nplace p = 1\nplace q\n\ntransition t  in p, q\n{copies}"));
}

#[test]
fn several_errors_are_reported_at_once() {
    reject(
        "<place id='p'/>\n<place id='p'/>\n<place/>\n<arc id='a' source='x' target='y'/>",
        "4: the id `p` is already in use\n5: `place` has no attribute `id`\n6: the source `x` of the arc is no place or transition",
    );
}

#[test]
fn malformed_documents_are_rejected_with_their_place() {
    let check = |text: &str, expected: &str| {
        let errors = read(text).unwrap_err();
        assert!(errors.starts_with(expected), "{text}: {errors}");
    };
    check("", "1: no XML element found");
    check("<a/>", "1: expected the element `pnml`, found `a`");
    check("<pnml/>", "1: the document has no `net`");
    check("<pnml><net/>\n<net/></pnml>", "2: a second net");
    check(
        "<pnml><net type='http://www.pnml.org/version-2009/grammar/symmetricnet'/></pnml>",
        "1: nets of type",
    );
    check("<pnml>\n<net>", "2: element `net` is not closed");
    check("<pnml>\n<net></pnml>", "2: malformed XML");
    check("<pnml/><pnml/>", "1: a second root element");
    check("<pnml>&unknown;</pnml>", "1: malformed XML: unknown entity `&unknown;`");
    check("<pnml a='1' a='2'/>", "1: malformed XML");
    check("x<pnml/>", "1: text outside of the root element");
    check("<", "1: malformed XML");
}

#[test]
fn the_printed_document_is_read_back() {
    let text = document(&format!(
        "{NODES}<place id='arc'><initialMarking><text>7</text></initialMarking></place>
         <transition id='a &amp; &quot;b&quot;'/>
         <arc id='a' source='p' target='t' weight='2'/><inhibitorArc source='q' target='t' inscription='4'/>
         <arc id='b' source='a &amp; &quot;b&quot;' target='arc'/>"
    ));
    let first = read_net(&text).unwrap();
    let second = read_net(&pnml::print(&first)).unwrap();
    assert_eq!(net::print(&first, &[]), net::print(&second, &[]));
}

#[test]
fn deep_and_wide_documents_are_read() {
    let deep = format!("{}<place id='p'/>{}", "<page id='x'>".repeat(200_000), "</page>".repeat(200_000));
    check(&deep, "net n\n\nplace p\n\n");
    let mut wide = String::new();
    for index in 0..20_000 {
        let next = (index + 1) % 20_000;
        wide.push_str(&format!(
            "<place id='p{index}'><name><text>place {index}</text></name></place><transition id='t{index}'/>
             <arc id='i{index}' source='p{index}' target='t{index}'/><arc id='o{index}' source='t{index}' target='p{next}'/>"
        ));
    }
    let net = read_net(&document(&wide)).unwrap();
    assert_eq!((net.places().len(), net.num_arcs()), (20_000, 40_000));
}
