//! Violations as stories: which events matter, and the values that they show.

use thetis_base::{Diagnostics, SourceMap, Span};
use thetis_c::evidence::Translated;
use thetis_c::evidence::story::{StoryStep, story};
use thetis_c::lower::{LowerOptions, Property, lower};
use thetis_c::property;
use thetis_c::{SourceOptions, check_with_library};

use crate::run::violation;

/// The story of the violation of a program whose inputs are given.
fn told(text: &str, asked: &str, inputs: &[i128]) -> Vec<StoryStep> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text);
    let mut diagnostics = Diagnostics::new();
    let (program, _) =
        check_with_library(&mut sources, file, &SourceOptions::default(), &[], &mut diagnostics).unwrap();
    let property = match asked {
        "" => Property::Assertion,
        asked => property::parse(asked, &program).unwrap(),
    };
    let options = LowerOptions { property, ..LowerOptions::default() };
    let lowered = lower(&program, &options, Span { file, start: 0, end: 0 }, &mut diagnostics).unwrap();
    let trace = violation(&lowered, inputs);
    story(Translated { program: &program, lowered: &lowered, sources: &sources }, &trace, |_, _| true)
}

/// Checks which events of the violation of a program matter, in order.
fn check(text: &str, inputs: &[i128], expected: &[&str]) {
    let told = told(text, "", inputs);
    let words: Vec<&str> = told.iter().filter(|told| told.matters).map(|told| told.text.as_str()).collect();
    assert_eq!(words, expected);
}

const HEAD: &str = "extern int input(void); extern void assert(int); int main(void) {";

#[test]
fn data_that_does_not_matter_is_left_out() {
    let text =
        format!("{HEAD} int a = input(); int b = input(); int c = b + 1; a = a + 2; assert(c != 8); }}");
    let expected =
        ["`input` returns 7", "`int b = input()`", "`int c = b + 1`", "`assert(c != 8)` fails: c = 8"];
    check(&text, &[3, 7], &expected);
}

#[test]
fn decisions_matter_for_what_they_guard() {
    let text = format!(
        "{HEAD} int a = input(); int b = 0; int c = 0; if (a > 5) b = 1; if (a > 6) c = 1; assert(b == 0); return c; }}"
    );
    let expected = [
        "`input` returns 9",
        "`int a = input()`",
        "`a > 5` is true",
        "`b = 1`",
        "`assert(b == 0)` fails: b = 1",
    ];
    check(&text, &[9], &expected);
}

/// In a loop without an end, conditions with several parts lead to the violation and to nothing else.
#[test]
fn parts_of_conditions_are_part_of_the_violation() {
    let text = "extern int input(void); extern void reach_error(void);
        int main(void) { int level = 0; for (;;) { int other = input(); if (input() < 18) level = level + 1;
        if (!(0 <= level && level <= 1)) { reach_error(); } } }";
    let round = ["`input` returns 0", "`input() < 18` is true", "`level = level + 1`"];
    let expected = [
        &["`int level = 0`"][..],
        &round,
        &round,
        &["`!(0 <= level && level <= 1)` is true", "`reach_error()` is reached"],
    ];
    let told = told(text, "unreach-call", &[5, 0, 6, 0]);
    let words: Vec<&str> = told.iter().filter(|told| told.matters).map(|told| told.text.as_str()).collect();
    assert_eq!(words, expected.concat());
}

#[test]
fn what_was_not_done_matters() {
    let text = format!("{HEAD} int a = input(); int b = 0; if (a > 5) b = 1; assert(b == 1); return 0; }}");
    let expected = [
        "`input` returns 2",
        "`int a = input()`",
        "`int b = 0`",
        "`a > 5` is false",
        "`assert(b == 1)` fails: b = 0",
    ];
    check(&text, &[2], &expected);
}

#[test]
fn cells_of_arrays_are_told_apart() {
    let text = format!(
        "{HEAD} int a[4]; int i = input(); a[0] = 5; a[1] = 6; a[2] = i; assert(a[1] != 6); return a[2]; }}"
    );
    check(&text, &[9], &["`a[1] = 6`", "`assert(a[1] != 6)` fails: a[1] = 6"]);
}

/// The index could have been that of the cell that matters, which only the replay finds.
#[test]
fn inputs_that_could_have_avoided_the_violation_matter() {
    let text = format!(
        "{HEAD} int a[2]; unsigned i = input(); a[0] = 5; a[i & 1] = 6; assert(a[0] != 5); return 0; }}"
    );
    check(&text, &[1], &["`input` returns 1", "`a[0] = 5`", "`assert(a[0] != 5)` fails: a[0] = 5"]);
}

#[test]
fn calls_around_what_matters_are_told() {
    let text = "extern int input(void); extern void assert(int); static int last;
        static void note(int x) { last = x; } static int twice(int x) { return 2 * x; }
        int main(void) { for (int i = 0; i < 3; i++) { int x = input(); twice(x); note(x); } assert(last != 4); }";
    let expected = [
        "`int i = 0`",
        "`i < 3` is true",
        "`i++`",
        "`i < 3` is true",
        "`i++`",
        "`i < 3` is true",
        "`input` returns 4",
        "`int x = input()`",
        "calls `note`",
        "`last = x`",
        "`i++`",
        "`i < 3` is false",
        "`assert(last != 4)` fails: last = 4",
    ];
    check(text, &[1, 2, 4], &expected);
}

/// The values of the event that quotes `text`.
fn values(told: &[StoryStep], text: &str) -> String {
    let event =
        told.iter().find(|told| told.text.contains(text)).unwrap_or_else(|| panic!("{text}: {told:#?}"));
    let values: Vec<String> = event.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    values.join(", ")
}

#[test]
fn values_behind_pointers_are_shown() {
    let text = "extern void assert(int); extern void *malloc(unsigned long);
        struct list { int n; struct list *next; int items[3]; } global;
        void set(struct list *p) { p->n = 0; p->items[p->n] = 7; p->next = p; p->n++; }
        int main(void) { struct list *heap = malloc(sizeof *heap); set(heap); set(&global); assert(heap->n != 1); return global.n; }";
    let told = told(text, "", &[]);
    for (event, expected) in
        [("`p->n = 0`", "p->n = 0"), ("`p->items[p->n] = 7`", "p->items[p->n] = 7"), ("`p->n++`", "p->n = 1")]
    {
        assert_eq!(values(&told, event), expected);
    }
    let second: Vec<StoryStep> =
        told.iter().skip_while(|told| !told.text.contains("p->n++")).skip(1).cloned().collect();
    for (event, expected) in [
        ("`p->n = 0`", "global.n = 0"),
        ("`p->items[p->n] = 7`", "global.items[0] = 7"),
        ("`p->next = p`", "global.next = &global"),
    ] {
        assert_eq!(values(&second, event), expected);
    }
    assert_eq!(told.last().unwrap().text, "`assert(heap->n != 1)` fails: heap->n = 1");
}

#[test]
fn the_values_that_go_wrong_are_named() {
    for (text, asked, inputs, expected) in [
        (
            "struct s { int a[2]; int d; } s; int div(struct s *p) { return p->a[1] / p->d; }
             int main(void) { s.a[1] = 6; return div(&s); }",
            "no-division-by-zero",
            &[][..],
            "`p->a[1] / p->d` divides by zero: p->a[1] = 6, p->d = 0",
        ),
        (
            "extern int input(void); int main(void) { int a[3]; int i = input(); a[i] = 2147483647; return a[i] + i; }",
            "no-overflow",
            &[2],
            "`a[i] + i` overflows: a[i] = 2147483647, i = 2",
        ),
    ] {
        assert_eq!(told(text, asked, inputs).last().unwrap().text, expected);
    }
}

/// What goes wrong inside a library function goes wrong at its call.
#[test]
fn violations_in_library_functions_are_told_at_the_call() {
    let text = "extern char *strcpy(char *, const char *);
        int main(void) { char to[4]; strcpy(to, \"four\"); return to[0]; }";
    let told = told(text, "valid-deref", &[]);
    let last = told.last().unwrap();
    assert!(last.text.starts_with("`strcpy(to, \"four\")` violates valid-deref: "), "{}", last.text);
    assert_eq!(&text[last.span.start as usize..last.span.end as usize], "strcpy(to, \"four\")");
}

/// Which function a pointer points to, or whether a block can be had, is decided, but by no condition that anybody wrote.
#[test]
fn choices_that_are_no_conditions_are_left_out() {
    let calls = "extern int input(void); extern void assert(int);
        static int up(int x) { return x + 1; } static int down(int x) { return x - 1; }
        int main(void) { int (*f)(int) = input() ? up : down; int r = f(3); assert(r != 2); return 0; }";
    let blocks = "void *malloc(unsigned long); extern int input(void);
        int main(void) { int n = input(); char *p = malloc(n); p[n] = 1; return 0; }";
    for (text, asked, inputs) in [(calls, "", &[0][..]), (blocks, "valid-memsafety", &[5])] {
        let told = told(text, asked, inputs);
        let is_branch =
            |step: &&StoryStep| step.text.ends_with(" is true") || step.text.ends_with(" is false");
        let branches: Vec<&str> = told.iter().filter(is_branch).map(|step| step.text.as_str()).collect();
        assert_eq!(branches, [""; 0], "{text}");
        assert!(told.len() > 2, "{text}");
    }
}
