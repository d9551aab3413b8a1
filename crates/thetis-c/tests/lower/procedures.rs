//! Functions that call themselves as procedures: the automaton with procedures does what the automaton of copies does.

use std::collections::BTreeMap;

use thetis_base::Span;
use thetis_c::lower::{Event, FrameId, Limit, Lowered, Property, VarOrigin};

use super::run::{Outcome, Setup, run, translate};

/// A translation whose automaton has copies of the procedures up to a depth; none if there are no procedures.
fn with_procedures(lowered: &Lowered) -> Option<Lowered> {
    let mut changed = lowered.clone();
    let store = &changed.task.store;
    let copies = lowered.task.model.procedural.as_ref()?.copies(store, 25, 60_000).unwrap();
    let main = FrameId::new(0);
    let file = lowered.task.model.locations.iter().find_map(|location| location.span).unwrap().file;
    let span = Span { file, start: 0, end: 0 };
    let limits = copies.cfa.limits.iter();
    let limits = limits.map(|(location, reason)| Limit { location: *location, span, reason: reason.clone() });
    changed.origin.limits = limits.collect();
    changed.origin.edges = copies.edges.iter().map(|_| Event::Silent).collect();
    let result = store.find_var("proc:main.result");
    changed.origin.vars =
        result.map(|var| (var, VarOrigin::Result(main))).into_iter().collect::<BTreeMap<_, _>>();
    changed.task.model = copies.cfa;
    Some(changed)
}

/// What programs without inputs return.
const PROGRAMS: &[(&str, i32)] = &[
    ("int id(int n) { if (n == 0) return 0; return id(n - 1) + 1; } int main(void) { return id(5); }", 5),
    ("int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { return f(7); }", 13),
    ("int f(int n) { return n < 2 ? n : f(n - 2) - 2 * f(n - 1); } int main(void) { return f(6); }", -70),
    (
        "int odd(int); int even(int n) { return n == 0 ? 1 : odd(n - 1); } int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         int main(void) { return 10 * even(4) + odd(4); }",
        10,
    ),
    // Local variables are kept over calls, also in loops and in functions that are copied into the procedure.
    (
        "int twice(int x) { int y = x; return x + y; }
         int f(int n) { int sum = 0, i; for (i = 0; i < n; i++) { int keep = twice(i); sum += f(i) + keep; } return sum + 1; }
         int main(void) { return f(4); }",
        38,
    ),
    // Variables with static storage are shared.
    (
        "int g; int f(int n) { static int s; s++; g += n; if (n > 0) { f(n - 1); g += s; } return s; }
         int main(void) { return 100 * f(3) + g; }",
        418,
    ),
    ("int g = 1; void f(int n) { if (n == 0) return; g *= 2; f(n - 1); } int main(void) { f(4); return g; }", 16),
    (
        "int a[4]; void fill(int i) { if (i >= 4) return; a[i] = i * i; fill(i + 1); }
         int sum(int i) { return i >= 4 ? 0 : a[i] + sum(i + 1); } int main(void) { fill(0); return sum(0); }",
        14,
    ),
    // Variables of `main` are shared where a pointer to them is passed.
    ("void f(int *p, int n) { *p += n; if (n > 0) f(p, n - 1); } int main(void) { int x = 1; f(&x, 3); return x; }", 7),
    ("void f(int *p, int n) { if (n > 0) f(p, n - 1); p[n] = n; } int main(void) { int a[3]; f(a, 2); return a[1] + a[2]; }", 3),
    // Arguments are converted, results too.
    ("int f(unsigned char n) { return n < 250 ? n : f(n + 10); } int main(void) { return f(508); }", 6),
    ("signed char f(int n) { return n == 0 ? 127 : f(n - 1) + 1; } int main(void) { return f(1); }", -128),
    ("int f(int x, int y) { return y == 0 ? x : f(y, x % y); } int main(void) { return f(48, 36); }", 12),
    ("int a(int m, int n) { return m == 0 ? n + 1 : n == 0 ? a(m - 1, 1) : a(m - 1, a(m, n - 1)); }
      int main(void) { return a(2, 1); }", 5),
    // Through a pointer, with an array of its own, and with a switch.
    (
        "int f(int n); int (*p)(int) = f; int f(int n) { return n == 0 ? 3 : p(n - 1) + 1; } int main(void) { return p(2); }",
        5,
    ),
    (
        "int f(int n) { int a[3] = {n, n + 1, n + 2}; if (n > 2) return a[0]; int r = f(n + 1); return r * 10 + a[2]; }
         int main(void) { return f(1); }",
        343,
    ),
    (
        "int f(int n) { switch (n) { case 0: return 1; case 1: return f(0) + 1; default: return f(n - 1) + f(n - 2); } }
         int main(void) { return f(5) && f(0) ? f(3) : 0; }",
        5,
    ),
    // Heap.
    (
        "void *malloc(unsigned long); struct l { int v; struct l *n; };
         struct l *make(int n) { if (n == 0) return 0; struct l *l = malloc(sizeof *l); l->v = n; l->n = make(n - 1); return l; }
         int sum(struct l *l) { return l ? l->v + sum(l->n) : 0; } int main(void) { return sum(make(3)); }",
        6,
    ),
];

#[test]
fn procedures_do_what_copies_do() {
    for (text, expected) in PROGRAMS {
        let lowered = translate(text, &Setup::default()).unwrap();
        let with_procedures = with_procedures(&lowered).unwrap_or_else(|| panic!("{text} has no procedures"));
        for translation in [&lowered, &with_procedures] {
            assert_eq!(run(translation, &[]), Outcome::Exit(Some((*expected).into())), "{text}");
        }
    }
}

#[test]
fn violations_inside_procedures_are_violations() {
    let text =
        "void reach_error(void); int f(int n) { if (n == 3) reach_error(); return n > 5 ? n : f(n + 1); }
        int main(void) { return f(START); }";
    for (start, expected) in [("0", Outcome::Violation), ("4", Outcome::Exit(Some(6.into())))] {
        let lowered = translate(&text.replace("START", start), &Setup::default()).unwrap();
        assert_eq!(run(&with_procedures(&lowered).unwrap(), &[]), expected, "{start}");
    }
}

/// Where activations would not have their variables to themselves, or nothing is to be gained.
#[test]
fn other_programs_have_no_procedures() {
    for text in [
        "int main(void) { return 0; }",
        "int f(int n) { return n; } int main(void) { return f(1) + f(2); }",
        "int main(int c, char **v) { return c > 0 ? main(c - 1, v) : 0; }",
        "int f(int *p, int n) { int x = n; if (n == 0) return *p; return f(&x, n - 1); } int main(void) { return f(0, 3); }",
        "struct s { int a, b; }; struct s f(int n) { struct s s = {n, n}; return n ? f(n - 1) : s; }
         int main(void) { return f(2).a; }",
        "struct s { int a, b; }; int f(struct s s) { s.a--; return s.a ? f(s) : s.b; }
         int main(void) { struct s s = {3, 4}; return f(s); }",
        "int f(int n, ...) { return n ? f(n - 1, n) : 0; } int main(void) { return f(2); }",
        "int f(int n) { int a[3]; int *p = a; p[n] = n; return n ? f(n - 1) : p[n]; } int main(void) { return f(2); }",
    ] {
        let lowered = translate(text, &Setup::default()).unwrap();
        assert!(lowered.task.model.procedural.is_none(), "{text}");
    }
    let text = "int f(int n) { return n ? f(n - 1) : 0; } int main(void) { return f(2); }";
    let memory = Setup { property: Property::memory_safety(), ..Setup::default() };
    assert!(translate(text, &memory).unwrap().task.model.procedural.is_none());
    assert!(translate(text, &Setup::default()).unwrap().task.model.procedural.is_some());
}
