//! Large, deep and damaged programs: a result or a message, never a crash.

use fastrand::Rng;
use thetis_c::hir::DataModel;

use crate::show;

/// Checks a text; how it ends does not matter.
fn survives(text: &str) -> bool {
    show::check(text, DataModel::Lp64).is_ok()
}

#[test]
fn moderate_nesting_is_accepted() {
    let deep =
        |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(900), close.repeat(900));
    let in_function = |body: String| format!("int f(int x, int *a) {{ {body}; return 0; }}");
    let texts = [
        format!("int x = {};", deep("(", "1", ")")),
        in_function(format!("x = {}", deep("(", "1", ")"))),
        in_function(format!("x = {}", deep("a[", "0", "]"))),
        in_function(format!("x = {}", deep("- ", "1", ""))),
        in_function(format!("x = {}", deep("1 + ", "1", ""))),
        in_function(deep("{", "", "}")),
        in_function(deep("if (x) ; else ", ";", "")),
        in_function(format!("x = {}", deep("x ? 1 : ", "2", ""))),
        in_function(format!("x = {}", deep("({", "1;", "});").trim_end_matches(';'))),
    ];
    for text in texts {
        if let Err(messages) = show::check(&text, DataModel::Lp64) {
            panic!("{}\n{messages}", &text[..60]);
        }
    }
}

#[test]
fn hopeless_nesting_is_refused() {
    for open in [
        "(", "[", "{", "-", "*", "(int)", "sizeof ", "a[", "({", "if (1) ", "else ", "x ? ", "x = ", "1 + ",
        "&",
    ] {
        for prefix in ["int x = ", "int f(int x) { ", "struct s { ", "int "] {
            assert!(!survives(&format!("{prefix}{}", open.repeat(50_000))), "{prefix}{open}");
        }
    }
    let deep = format!("int x = {}1{};", "(".repeat(50_000), ")".repeat(50_000));
    let messages = show::check(&deep, DataModel::Lp64).unwrap_err();
    assert!(messages.contains("too-deep"), "{messages}");
    assert!(!survives(&format!("int {}x;", "*".repeat(50_000))));
    assert!(!survives(&format!("int x = {}1;", "1 + ".repeat(50_000))));
}

#[test]
fn sizes_that_no_machine_has_are_refused() {
    for text in [
        "int a[0xffffffffffffffff];",
        "char a[0x7fffffffffffffff][4];",
        "struct s { char a[0x7fffffffffffffff]; char b[0x7fffffffffffffff]; };",
        "int a[] = { [0x7fffffffffffffff] = 1 };",
        "int a[1000000000] = { [0 ... 999999999] = 1 };",
        "struct s { int x : 4294967297; };",
        "int x __attribute__((vector_size(3)));",
        "typedef int t __attribute__((aligned(3))); struct s { t x; };",
    ] {
        assert!(!survives(text), "{text}");
    }
    // Numbers of any length have a value or a message.
    assert!(survives("double d = 1e999999999999999999999, e = 1e-999999999999999999999;"));
    assert!(!survives(&format!("int x = {};", "9".repeat(10_000))));
}

const SAMPLE: &str = r#"
typedef struct node { struct node *next; int value : 5; union { char c[4]; float f; }; } node;
enum color { RED, GREEN = 3 } __attribute__((packed));
static node nodes[] = { { .value = 1, .c = "ab" }, [3] = { &nodes[0], 2, { 'x' } } };
extern int printf(const char *format, ...);
int sum(node *list, int n, int table[n][n + 1]) {
    int total = 0, *p = &total;
    for (node *at = list; at; at = at->next) { total += at->value << 2; if (total > 0x7f) goto out; }
    switch (n) { case 1 ... 3: total++; case RED: break; default: total = -total; }
out:
    //@ assert total >= 0;
    return ({ int k = *p ?: 1; k; }) + sizeof(int[n]) + table[1][2] + (n ? 1.5f : 'a');
}
int main() { return sum((node[]){ { 0 } }, (char)300, 0) && printf("%d" "\n", 1u); }
"#;

#[test]
fn damaged_programs_do_no_harm() {
    assert!(survives(SAMPLE));
    let mut rng = Rng::with_seed(7);
    let pieces: Vec<&str> = SAMPLE.split_inclusive([' ', '(', ')', ';', ',', '\n']).collect();
    let mut num_accepted = 0;
    for _ in 0..1_500 {
        let mut text: Vec<&str> = pieces.clone();
        for _ in 0..rng.usize(1..4) {
            let at = rng.usize(..text.len());
            match rng.u8(..3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, pieces[rng.usize(..pieces.len())]),
                _ => text[at] = pieces[rng.usize(..pieces.len())],
            }
        }
        num_accepted += usize::from(survives(&text.concat()));
    }
    assert!(num_accepted > 5, "some changes should do no harm at all");
    for end in (0..SAMPLE.len()).filter(|end| SAMPLE.is_char_boundary(*end)).step_by(3) {
        survives(&SAMPLE[..end]);
    }
}
