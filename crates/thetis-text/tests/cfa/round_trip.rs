//! Printing and reading again gives the same automaton.

use expect_test::{Expect, expect};
use thetis_expr::{Sort, Store};
use thetis_model::Task;
use thetis_model::cfa::{Cfa, CfaBuilder, CfaProperty, Stmt};
use thetis_text::cfa::{Unprintable, print};

use crate::common::{assert_same, parse};

/// Prints, reads, compares, and gives the text, which must not change any more.
pub(crate) fn round_trip(task: &Task<Cfa>) -> String {
    let text = print(task).expect("the automaton should be printable");
    let outcome = parse("printed.cfa", &text);
    let again = outcome.task.unwrap_or_else(|| panic!("{}\n{text}", outcome.messages));
    assert_same(task, &again);
    assert_eq!(print(&again).as_ref(), Ok(&text), "printing should reach a fixed point at once");
    text
}

/// The printed body of the only edge with the given statements.
fn check(stmts: &str, expected: &str) {
    let decls = "var x : int var y : int var r : rat var p : bool var b : bv[8] var w : bv[16]
        var a : [int] -> int var m : [bv[8]] -> [int] -> rat var f : fp[3,5] var g : fp[3,5]";
    let text = format!("main process p {{ {decls} init loc A error loc E A -> E {{ {stmts} }} }}");
    let outcome = parse("a.cfa", &text);
    let task = outcome.task.unwrap_or_else(|| panic!("{stmts}: {}", outcome.messages));
    let printed = round_trip(&task);
    let (_, body) = printed.split_once("A -> E").expect("there should be an edge");
    let body = body.trim_matches(|char: char| char.is_whitespace() || "{}".contains(char));
    let lines: Vec<&str> = body.lines().map(str::trim).collect();
    assert_eq!(lines.join("  "), expected, "for {stmts}");
}

#[test]
fn statements() {
    check("", "");
    check("x := 1", "x := 1");
    check("x := 1 havoc y assume x < y", "x := 1  havoc y  assume x < y");
}

#[test]
fn operators() {
    check("x := x + y + 1 - (x - 1)", "x := x + y + 1 - (x - 1)");
    check("x := (x + y) + 1", "x := (x + y) + 1");
    check("x := x * -3 mod 7", "x := x * -3 mod 7");
    check("x := -x * 2 * y", "x := -x * y * 2");
    check("assume p xor (x = y xor p)", "assume p xor p xor x = y");
    check("assume p imply not p iff x /= y", "assume (not p) = (x /= y)");
    check("assume not (p and x > 3 or y >= 2)", "assume not (p and 3 < x or 2 <= y)");
    check("b := (b bvor 8'xff) bvand bvnot (-b)", "b := (b bvor 8'd255) bvand bvnot (-b)");
    check("w := b ++ (b bvrol 8'd3)", "w := b ++ (b[5:0] ++ b[8:5])");
    check("w := -b bv_sign_extend bv[16]", "w := -b bv_sign_extend bv[16]");
    check("x := if p then if x < 0 then 1 else 2 else 3", "x := if p then if x < 0 then 1 else 2 else 3");
    check("a := [1 <- x, 2 <- 3, default <- -1]", "a := [<int> default <- -1][1 <- x][2 <- 3]");
    check("a := [7 <- 1, 2 <- 3, 7 <- 4, default <- -1]", "a := [2 <- 3, 7 <- 4, default <- -1]");
    check("m := m[b <- m[b][x <- -1%2]]", "m := m[b <- m[b][x <- -1%2]]");
    check(
        "assume m = [<bv[8]> default <- [<int> default <- 1%1]]",
        "assume m = [<bv[8]> default <- [<int> default <- 1%1]]",
    );
}

#[test]
fn rationals_from_integers() {
    check("r := r + x", "r := r + ((x) + 0%1)");
    check("r := x * 2 + 1%2", "r := ((x * 2) + 0%1) + 1%2");
    check("assume r < 3", "assume r < 3%1");
}

#[test]
fn divisions() {
    check("x := x / 2", "x := x / 2");
    check("x := x / y", "havoc div0_1  x := if y = 0 then div0_1 else x / y");
    check("x := if y = 0 then 7 else x / y", "x := if y = 0 then 7 else x / y");
    check("x := if y /= 0 then x / y else 7", "x := if y = 0 then 7 else x / y");
    check("r := r / x", "havoc div0_1  r := if ((x) + 0%1) = 0%1 then div0_1 else r / ((x) + 0%1)");
    check(
        "x := x rem y",
        "havoc div0_1  \
         x := if y < 0 then -(if y = 0 then div0_1 else x mod y) else if y = 0 then div0_1 else x mod y",
    );
    check("x := x rem -3", "x := -(x mod -3)");
    check("x := x / 0", "havoc div0_1  x := div0_1");
}

#[test]
fn floats() {
    check("f := f fpadd[RTZ] -g", "f := f fpadd[RTZ] fpneg g");
    check("assume f /= g and not fpisnan f", "assume f /= g and not fpisnan f");
    check(
        "b := fptobv[8'u] f",
        "havoc fptobv_1  b := if +3'b000.4'b0000 <= fproundtoint[RNE] f and fproundtoint[RNE] f < +3'b111.4'b0000 \
         then fptobv[8'u][RNE] f else fptobv_1",
    );
}

/// An automaton from `A` to `E` over `x : int`.
fn automaton(build: impl Fn(&Store, &mut CfaBuilder) -> Stmt) -> Task<Cfa> {
    let store = Store::new();
    let mut builder = CfaBuilder::new("p");
    builder.var(store.declare("x", Sort::Int));
    let (a, e) = (builder.location("A", None), builder.location("E", None));
    builder.initial(a);
    builder.error(e);
    let stmt = build(&store, &mut builder);
    builder.edge(a, e, stmt, None);
    let model = builder.build(&store).expect("the automaton should be valid");
    Task { store, model, property: CfaProperty::ErrorLocation }
}

#[test]
fn limits_are_written_with_their_reasons() {
    let task = automaton(|_, builder| {
        let limit = builder.location("asm", None);
        builder.limit(limit, "f.c:3:5: \"asm\\\" is\nnot modelled");
        builder.edge(thetis_model::cfa::LocId::new(0), limit, Stmt::skip(), None);
        Stmt::skip()
    });
    check_text(
        &task,
        expect![[r#"
            main process p {
                var x : int

                init loc A
                error loc E
                limit loc asm "f.c:3:5: \"asm\\\" is not modelled"

                A -> asm
                A -> E
            }
        "#]],
    );
    let printed = parse("printed.cfa", &print(&task).unwrap()).task.unwrap();
    let reasons: Vec<&String> = printed.model.limits.values().collect();
    assert_eq!(reasons, ["f.c:3:5: \"asm\\\" is not modelled"]);
    round_trip(&printed);
}

#[test]
fn limit_is_no_keyword() {
    let text = "main process p { var limit : int init loc a loc limit limit loc end \"why\" \
                a -> limit { limit := 1 } limit -> end }";
    let model = parse("limit.cfa", text).task.unwrap().model;
    assert_eq!(model.limits.len(), 1);
    assert_eq!(model.edges.len(), 2);
}

fn check_text(task: &Task<Cfa>, expected: Expect) {
    let text = print(task).expect("the automaton should be printable");
    expected.assert_eq(&text);
    let outcome = parse("printed.cfa", &text);
    assert!(outcome.task.is_some(), "{}", outcome.messages);
}

#[test]
fn total_divisions_read_back_as_such() {
    let task = automaton(|store, _| {
        let x = store.declare("x", Sort::Int);
        let term = store.var_expr(x);
        Stmt::assign(x, store.int_div(store.modulo(store.int(7), term), term))
    });
    round_trip(&task);
}

#[test]
fn total_conversions_read_back_as_such() {
    let task = automaton(|store, builder| {
        let (f, b) = (store.declare("f", Sort::float(5, 11)), store.declare("b", Sort::bitvec(8)));
        builder.var(f);
        builder.var(b);
        let mode = thetis_expr::RoundingMode::TowardZero;
        Stmt::assign(b, store.fp_to_signed(mode, store.var_expr(f), Sort::bitvec(8)))
    });
    round_trip(&task);
}

#[test]
fn choices_become_parallel_edges() {
    let task = automaton(|store, _| {
        let x = store.declare("x", Sort::Int);
        let step = |number| Stmt::assign(x, store.int(number));
        let choice = Stmt::choice(vec![step(1), Stmt::seq(vec![step(2), Stmt::choice(vec![])])]);
        Stmt::seq(vec![Stmt::havoc(x), choice, step(3)])
    });
    check_text(
        &task,
        expect![[r#"
            main process p {
                var x : int

                init loc A
                error loc E
                loc choice
                loc join
                loc choice_2

                A -> choice {
                    havoc x
                }
                choice -> join {
                    x := 1
                }
                choice -> choice_2 {
                    x := 2
                }
                join -> E {
                    x := 3
                }
            }
        "#]],
    );
}

#[test]
fn strange_names_are_changed() {
    let task = automaton(|store, builder| {
        for name in ["x!1", "x_1", "1st", "var", "größe"] {
            builder.var(store.declare(name, Sort::Bool));
        }
        for name in ["main.c:3", "loc"] {
            builder.location(name, None);
        }
        Stmt::assume(store.and(store.var("x!1", Sort::Bool), store.var("var", Sort::Bool)))
    });
    check_text(
        &task,
        expect![[r#"
            main process p {
                var x : int
                var x_1_2 : bool
                var x_1 : bool
                var _1st : bool
                var _var : bool
                var gr__e : bool

                init loc A
                error loc E
                loc main_c_3
                loc _loc

                A -> E {
                    assume x_1_2 and _var
                }
            }
        "#]],
    );
}

#[test]
fn an_initial_error_location_gets_a_predecessor() {
    let task = automaton(|_, builder| {
        builder.error(thetis_model::cfa::LocId::new(0));
        Stmt::skip()
    });
    check_text(
        &task,
        expect![[r#"
            main process p {
                var x : int

                init loc start
                error loc A
                error loc E

                A -> E
                start -> A
            }
        "#]],
    );
}

#[test]
fn what_the_language_lacks_is_named() {
    let task = automaton(|store, builder| {
        let b = store.declare("b", Sort::bitvec(8));
        builder.var(b);
        Stmt::assign(store.declare("x", Sort::Int), store.bv_to_int(store.var_expr(b)))
    });
    let error = print(&task).expect_err("there is no such conversion");
    assert!(matches!(error, Unprintable::Operator { .. }));
    assert_eq!(error.to_string(), "edge 0 uses BvToInt, which the language does not have");
}

#[test]
fn enormous_texts_are_rejected() {
    let task = automaton(|store, _| {
        let x = store.declare("x", Sort::Int);
        let mut term = store.var_expr(x);
        for _ in 0..100 {
            term = store.mul(term, store.add(term, store.int(1)));
        }
        Stmt::assign(x, term)
    });
    assert!(matches!(print(&task), Err(Unprintable::TooLarge { .. })));
}
