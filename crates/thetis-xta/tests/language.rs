//! What the language accepts, what it rejects, and what it means.

use thetis_base::{Diagnostics, SourceMap};
use thetis_model::xta::{Moves, Network, XtaProperty};

fn read(text: &str, query: &str) -> Result<(Network, XtaProperty), String> {
    let (mut sources, mut diags) = (SourceMap::new(), Diagnostics::new());
    let file = sources.add("model.xta", text);
    let question = sources.add("query", query);
    let result = thetis_xta::parse(&sources, file, &mut diags).and_then(|model| {
        let property = thetis_xta::query::parse(&sources, question, &model, &mut diags)?;
        Ok((model.network, property))
    });
    result.map_err(|_| {
        let first = diags.iter().next().expect("a failure should have a message");
        let start = sources.start(first.span);
        format!("{}:{}: {}", start.line, start.column, first.message)
    })
}

/// One process with these declarations before it, in it, and on its only edge.
fn model(global: &str, local: &str, edge: &str) -> String {
    format!(
        "{global}\nprocess P() {{\n{local}\nstate A, B;\ninit A;\ntrans A -> B {{ {edge} }};\n}}\nsystem P;"
    )
}

/// The values after the only move of a model.
fn values_after(global: &str, local: &str, assign: &str) -> Result<Vec<i32>, String> {
    let (network, _) = read(&model(global, local, &format!("assign {assign};")), "explore")?;
    let mut moves = Moves::new(&network);
    let initial = network.initial();
    let situation = moves.situation(&initial).map_err(|error| error.to_string())?;
    let (state, _) =
        moves.fire(&initial, &situation.moves[0].participants).map_err(|error| error.to_string())?;
    Ok(network.cells(&state).to_vec())
}

#[test]
fn updates_compute_as_in_c() {
    for (global, local, assign, expected) in [
        ("int a, b;", "", "a = 2, b = a + 3", vec![2, 5]),
        ("int a, b;", "", "a := 7 / 2, b := -7 % 4", vec![3, -3]),
        ("int a, b;", "", "a = b = 4, a += 2", vec![6, 4]),
        ("int a, b = 5;", "", "a = b++, a -= --b", vec![0, 5]),
        ("int a;", "", "a = 3 <? 2 >? 1", vec![2]),
        ("int a;", "", "a = (1 << 4 | 3) & ~2 ^ 8", vec![25]),
        ("int a;", "", "a = 2 > 1 ? 10 : 20", vec![10]),
        ("bool a, b = true;", "", "a = !b || b && true", vec![1, 1]),
        // Words bind less tightly than assignments.
        ("bool a, b = true;", "", "a = not b or b and true", vec![0, 1]),
        ("int a[3] = {1, 2, 3};", "", "a[a[0]] = a[2]", vec![1, 3, 3]),
        ("typedef int[1,2] t; int a[t];", "", "a[2] = 5", vec![0, 5]),
        ("struct { int x; int y[2]; } s, r;", "", "s.y[1] = 4, r = s", vec![0, 0, 4, 0, 0, 4]),
        (
            "struct { int x; int y[2]; } s = {1, {2, 3}}, r; bool a, b;",
            "",
            "a = s == r, r = s, b = s == r, a = a || s.y != r.y",
            vec![1, 2, 3, 1, 2, 3, 0, 1],
        ),
        (
            "int f(int n) { int r = 1; while (n > 0) { r *= 2; n--; } return r; } const int K = f(4); int[0,K] a[f(1)];",
            "",
            "a[1] = K",
            vec![0, 16],
        ),
        ("const int c[2][2] = {{1, 2}, {3, 4}}; int i = 1, a;", "", "a = c[i][i - 1]", vec![1, 3]),
        ("int a;", "", "a = sum (i : int[1,4]) i * i", vec![30]),
        ("int a; bool b[3];", "", "a = forall (i : int[0,2]) not b[i]", vec![1, 0, 0, 0]),
        (
            "int a; int f(int n) { int r = 1; while (n > 1) { r *= n; n--; } return r; }",
            "",
            "a = f(5)",
            vec![120],
        ),
        (
            "int a, b; void swap(int &x, int &y) { int t = x; x = y; y = t; }",
            "",
            "a = 1, b = 2, swap(a, b)",
            vec![2, 1],
        ),
        (
            "int a; int f(int v[2]) { v[0] = 9; return v[0] + v[1]; } int w[2] = {1, 2};",
            "",
            "a = f(w)",
            vec![11, 1, 2],
        ),
        ("int a; void g() { int i; for (i = 0; i < 5; i++) if (i % 2 == 0) a += i; }", "", "g()", vec![6]),
        ("int a; void g() { for (i : int[1,3]) a += i; do { a++; } while (a < 10); }", "", "g()", vec![10]),
        ("", "int l = 3;", "l = l * l", vec![9]),
        ("int[2,5] a;", "", "a++", vec![3]),
    ] {
        assert_eq!(
            values_after(global, local, assign).as_deref(),
            Ok(expected.as_slice()),
            "{global} {assign}"
        );
    }
}

#[test]
fn run_time_errors_are_found() {
    for (global, assign, message) in [
        ("int[0,3] a;", "a = 4", "range [0,3]"),
        ("int a;", "a = 32767, a++", "range [-32768,32767]"),
        ("int a[2], i = 2;", "a[i] = 1", "index 2"),
        ("int a, b;", "a = 1 / b", "division by zero"),
        ("int a; void f() { while (true) a = 1; }", "f()", "too many steps"),
        ("clock x; int a = -1;", "x = a", "no value for a clock"),
    ] {
        let error = values_after(global, "", assign).unwrap_err();
        assert!(error.contains(message), "{global} {assign}: {error}");
    }
}

#[test]
fn mistakes_have_positions() {
    let cases = [
        (model("", "", "guard y > 1;"), "6:22: `y` is not declared"),
        (model("int y; int y;", "", ""), "1:12: `y` is declared twice"),
        (model("int y", "", ""), "2:1: expected `;`, found `process`"),
        (model("clock x;", "", "guard x != 2;"), "6:22: a clock can only be compared"),
        (model("clock x, y;", "", "guard x < 2 || y > 3;"), "6:22: a disjunction of constraints"),
        (model("clock x, y;", "", "assign x = y;"), "6:27: copying a clock"),
        (model("clock x;", "", "guard x' == 1;"), "6:22: rates of clocks"),
        (model("const int c = 1;", "", "assign c = 2;"), "6:23: a constant cannot be changed"),
        (model("int v;", "int w = v;", ""), "3:9: this value must be known"),
        (model("int v;", "", "guard v++ > 1;"), "6:22: a condition must not change"),
        (model("urgent chan u; clock x;", "", "guard x > 1; sync u!;"), "6:34: an edge with an urgent channel"),
        (model("int a[2];", "", "assign a = 1;"), "6:27: a variable must stand here"),
        (model("void f() { f(); }", "", ""), "1:12: there is no function `f`"),
        (model("int f() { return; }", "", ""), "1:11: this does not return"),
        (model("int[3,1] v;", "", ""), "1:1: the range [3,1] is empty"),
        (model("double d;", "", ""), "1:1: the type `double` is not supported"),
        (model("int a[1000000][1000];", "", ""), "1:1: more than 1000000 cells"),
        ("process P(int x) { state A; init A; } system P;".into(), "1:15: the parameter `x` of `P` has no value"),
        ("process P(clock c) { state A; init A; } system P;".into(), "1:17: a clock must be passed by reference"),
        ("process P() { state A; } system P;".into(), "1:9: `P` has no initial location"),
        ("process P() { state A; init B; } system P;".into(), "1:29: there is no location `B`"),
        ("process P() { state A; init A; } system P, Q;".into(), "1:44: there is no template `Q`"),
        ("process P() { state A; init A; } Q = P(1); system Q;".into(), "1:38: `P` takes 0 arguments"),
        ("chan c; process P() { state A; init A; trans A -> A { sync c!; }, A -> A { sync c; }; } system P;".into(), "1:81: synchronisations with and without"),
        ("clock x; process P() { state A { x' == 0 }; init A; } system P;".into(), "1:34: rates of clocks"),
        ("chan c; chan priority c; process P() { state A; init A; } system P;".into(), "1:23: priorities without `default`"),
        ("chan priority c < default; process P() { state A; init A; } system P;".into(), "1:15: `c` is not declared"),
        ("system".into(), "1:7: expected a name, found the end"),
        ("/* open".into(), "1:1: this comment has no end"),
        ("int x = 99999999999;".into(), "1:9: `99999999999` does not fit"),
    ];
    for (text, expected) in cases {
        let message = read(&text, "explore").map(|_| ()).unwrap_err();
        assert!(message.starts_with(expected), "{text}\n{message}");
    }
}

#[test]
fn hostile_texts_are_rejected() {
    for text in [
        format!("int x = {}1{};", "(".repeat(100_000), ")".repeat(100_000)),
        format!("int x = {}1;", "-".repeat(100_000)),
        format!("int x = {}1;", "not ".repeat(100_000)),
        format!("int x = {};", "{".repeat(100_000)),
        format!("void f() {}", "{".repeat(100_000)),
        format!("void f() {{ {} ; }}", "if (1) ".repeat(100_000)),
        format!("int x = a{};", "[1]".repeat(100_000)),
        format!("{} x;", "struct { ".repeat(100_000)),
        format!("int x = 1{};", " + 1".repeat(100_000)),
        format!("int x = 1{};", " and 1".repeat(100_000)),
        "int x[0]; process P() { state A; init A; } system P;".to_owned(),
        "int x[int[-2147483648,2147483647]]; process P() { state A; init A; } system P;".to_owned(),
    ] {
        assert!(read(&text, "explore").is_err());
    }
}

/// Copies of edges and processes are kept, so a range that has too many values is rejected at once: a million of them are a gigabyte.
#[test]
fn huge_ranges_are_not_copied() {
    for text in [
        "int n; process P() { state A; init A; trans A -> A { select i : int[0, 2147483647]; guard n + i != 3; }; } system P;",
        "process P(const int[0, 2147483647] i) { state A; init A; } system P;",
    ] {
        let message = read(text, "explore").map(|_| ()).unwrap_err();
        assert!(message.contains("too many cases"), "{message}");
    }
    let early = "process P() { state A; init A; trans A -> A { guard forall (i : int[0, 2147483647]) i < 5; }; } system P;";
    assert!(read(early, "explore").is_ok(), "a quantifier whose truth is known early needs no copies");
}

/// One line after the other, each of which refers to the one before.
fn chain(first: &str, count: usize, line: impl Fn(usize, usize) -> String) -> String {
    let lines = (1..count).map(|number| line(number, number - 1));
    std::iter::once(first.to_owned()).chain(lines).collect::<Vec<_>>().join("\n")
}

/// Names make short texts deep and large.
#[test]
fn what_is_deep_or_large_through_names_is_rejected() {
    let process = "process P() { state A; init A; trans A -> A { guard v > 0; }; } system P;";
    let too_large = "more than 1000000 cells, or 100 nested arrays and structures, are not supported here";
    let many = 20_000;
    for (text, expected) in [
        (
            chain("typedef int t0;", many, |to, from| format!("typedef t{from} t{to}[1];")),
            format!("102:9: {too_large}"),
        ),
        (
            chain("typedef int t0;", 100, |to, from| format!("typedef t{from} t{to}[10];")),
            format!("8:9: {too_large}"),
        ),
        (
            chain("typedef struct { int a; } s0;", 60, |to, from| {
                format!("typedef struct {{ s{from} a, b; }} s{to};")
            }),
            format!("21:9: {too_large}"),
        ),
        (
            chain("typedef struct { int a; } s0;", many, |to, from| {
                format!("typedef struct {{ s{from} a; }} s{to};")
            }),
            format!("101:9: {too_large}"),
        ),
        ("typedef struct { } s;".to_owned(), "1:9: a structure without fields".to_owned()),
        ("typedef void t[1000000][1000000];".to_owned(), "1:9: an array of nothing".to_owned()),
        (
            chain("int a0[1000000];", 10, |to, _| format!("int a{to}[1000000];")),
            "5:5: models of more than 4000000 cells are not supported".to_owned(),
        ),
        ("int f() { int a[600000]; int b[600000]; return 1; }".to_owned(), format!("1:30: {too_large}")),
        (
            chain("int f0() { int a[400000]; return 1; }", 3, |to, from| {
                format!("int f{to}() {{ int a[400000]; return f{from}(); }}")
            }),
            format!("3:5: {too_large}"),
        ),
        (
            chain("int f0() { return 1; }", many, |to, from| format!("int f{to}() {{ return f{from}(); }}")),
            "334:5: this function and those that it calls nest too deeply".to_owned(),
        ),
        (
            "clock c[1000000];".to_owned(),
            "1:7: models of more than 10000 clocks are not supported".to_owned(),
        ),
        (
            "process Q() { state A; init A; } Q0 = Q();\n".to_owned()
                + &chain("", many, |to, from| format!("Q{to} = Q{from}();")),
            "102:8: this leads to a template through more than 100 instances".to_owned(),
        ),
    ] {
        let message = read(&format!("{text}\nint v;\n{process}"), "explore").map(|_| ()).unwrap_err();
        assert_eq!(message, expected, "{text:.60}");
    }
    let parameters: Vec<String> = (0..many).map(|number| format!("const int[0,0] p{number}")).collect();
    let text = format!("process P({}) {{ state A; init A; }} system P;", parameters.join(", "));
    let message = read(&text, "explore").map(|_| ()).unwrap_err();
    assert_eq!(message, "1:26: more than 100 parameters without values are not supported");
}

/// Calls that double are not followed one by one.
#[test]
fn functions_that_double_are_read_at_once() {
    let functions = chain("int f0() { return v; }", 60, |to, from| {
        format!("int f{to}() {{ return f{from}() - f{from}(); }}")
    });
    let (network, _) =
        read(&model(&format!("int v;\n{functions}"), "", "guard f59() == 0;"), "explore").unwrap();
    assert_eq!(network.functions.len(), 60);
}

/// Walks over expressions recurse.
#[test]
fn quantifiers_and_comparisons_of_arrays_are_not_deep() {
    for guard in
        ["forall (i : int[0, 29999]) v != i", "exists (i : int[0, 29999]) v == i", "a == b", "a != b"]
    {
        let global = "int v; int a[30000], b[30000];";
        assert!(read(&model(global, "", &format!("guard {guard};")), "explore").is_ok(), "{guard}");
    }
    let sum = model("int v;", "", "guard sum (i : int[0, 29999]) (v + i) == 3;");
    let message = read(&sum, "explore").map(|_| ()).unwrap_err();
    assert_eq!(message, "6:47: sums of more than 1000 parts are not supported");
    let few = "forall (i : int[0, 2]) i < 2 or v == i, exists (i : int[0, 6]) v == i and i > 1, (sum (i : int[0, 4]) v * i) == 20";
    let (network, _) = read(&model("int v = 2;", "", &format!("guard {few};")), "explore").unwrap();
    assert_eq!(Moves::new(&network).situation(&network.initial()).unwrap().moves.len(), 1);
}

#[test]
fn queries_are_checked() {
    let text = "clock x; int n; process P(const int[1,2] i) { clock y; int m; state A, B; init A; trans A -> B { }; } system P;";
    for query in [
        "E<> P(1).A and P(2).B",
        "A[] forall (i : int[1,2]) P(i).A imply n >= 0",
        "E<> P(1).y > 3 or x - P(2).y <= 2 and P(1).m == 0",
        "A[] not deadlock",
        "E<> deadlock and x != 3",
        "explore",
        "state-space-discrete",
    ] {
        let (_, property) = read(text, query).unwrap();
        assert_eq!(property.to_string(), query);
    }
    for (query, expected) in [
        ("E<> P(3).A", "1:5: there is no process `P(3)`"),
        ("E<> P(1).C", "1:10: `P(1)` has no location or variable `C`"),
        ("A<> deadlock", "1:5: `deadlock` is supported in `E<>` and `A[]` only"),
        ("E[] not deadlock", "1:5: `deadlock` is supported"),
        ("n == 1 --> deadlock", "1:12: `deadlock` is supported"),
        ("n == 1 --> ", "1:12: expected an expression"),
        ("sup{deadlock}: x", "1:4: `deadlock` is supported"),
        ("sup: x + 1", "1:6: only single clocks and integers"),
        ("sup: x,", "1:8: expected an expression"),
        ("inf{n == 1} x", "1:13: expected `:`"),
        ("Pr[<=10](<> n == 1)", "1:1: queries with `Pr`"),
        ("E<> n = 1", "1:5: a condition must not change"),
        ("E<> n == 1 n", "1:12: expected the end"),
        ("what", "1:1: expected `E<>`"),
        ("", "1:1: expected `E<>`"),
    ] {
        let message = read(text, query).map(|_| ()).unwrap_err();
        assert!(message.starts_with(expected), "{query}: {message}");
    }
}

#[test]
fn query_files_have_comments_and_continuations() {
    let text = "// first\nE<> a \\\n and b\n/* a\n comment */\n\nA[] c // end\n";
    assert_eq!(thetis_xta::query::split(text), ["E<> a  and b", "A[] c"]);
}

#[test]
fn processes_are_named_by_their_arguments() {
    let text =
        "typedef int[0,1] t; process P(const t a, t b) { state A; init A; trans A -> A { assign b = 1; }; }
        Q(const t c) = P(1, c); system P, Q;";
    let (network, _) = read(text, "explore").unwrap();
    let names: Vec<&str> = network.processes.iter().map(|process| process.name.as_str()).collect();
    assert_eq!(names, ["P(0,0)", "P(0,1)", "P(1,0)", "P(1,1)", "Q(0)", "Q(1)"]);
    assert_eq!(network.variables.len(), 6, "a parameter that is assigned is a variable of its process");
}
