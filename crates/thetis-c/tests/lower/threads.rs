//! Programs with threads: all runs of the automaton against what is known, and against all orders of accesses.

use std::collections::BTreeSet;

use crate::run::{Outcome, Setup, run_all, translate};

const DECLARATIONS: &str = "
    extern void reach_error(void);
    extern void __VERIFIER_assume(int);
    extern void __VERIFIER_atomic_begin(void);
    extern void __VERIFIER_atomic_end(void);
    extern void *malloc(unsigned long);
    typedef unsigned long pthread_t;
    typedef union { char bytes[40]; long align; } pthread_mutex_t;
    typedef union { char bytes[48]; long align; } pthread_cond_t;
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
    int pthread_join(pthread_t, void **);
    int pthread_detach(pthread_t);
    int pthread_mutex_lock(pthread_mutex_t *);
    int pthread_mutex_unlock(pthread_mutex_t *);
    int pthread_mutex_trylock(pthread_mutex_t *);
    int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
    int pthread_cond_signal(pthread_cond_t *);
    int pthread_barrier_wait(void *);
    void pthread_exit(void *);
    pthread_t pthread_self(void);
";

/// `main` starts `f` and `g` and waits for both.
const BOTH: &str = "
    int main() {
        pthread_t a, b;
        pthread_create(&a, 0, f, 0);
        pthread_create(&b, 0, g, 0);
        pthread_join(a, 0);
        pthread_join(b, 0);
        CHECK
        return 0;
    }
";

/// What the runs of a program come to.
fn ends(text: &str) -> BTreeSet<Outcome> {
    let lowered = translate(&format!("{DECLARATIONS}{text}"), &Setup::default()).unwrap();
    run_all(&lowered)
}

/// The program with threads `f` and `g` and a check at the end.
fn both(threads: &str, check: &str) -> String {
    format!("{threads}{}", BOTH.replace("CHECK", check))
}

fn check(text: &str, is_unsafe: bool) {
    let expected = if is_unsafe { BTreeSet::from([Outcome::Violation]) } else { BTreeSet::new() };
    assert_eq!(ends(text), expected, "{text}");
}

#[test]
fn an_update_is_a_read_and_a_write() {
    let increment = "int x; void *f(void *a) { x = x + 1; return 0; } void *g(void *a) { x++; return 0; }";
    check(&both(increment, "if (x != 2) reach_error();"), true);
    check(&both(increment, "if (x != 1 && x != 2) reach_error();"), false);
    check(&both(increment, "if (x == 0) reach_error();"), false);
}

#[test]
fn two_reads_are_two_steps() {
    let writer = "int x; void *f(void *a) { x = 1; return 0; }";
    let reader =
        |condition: &str| format!("void *g(void *a) {{ if ({condition}) reach_error(); return 0; }}");
    check(&both(&format!("{writer}{}", reader("x != x")), ""), true);
    check(&both(&format!("{writer}{}", reader("x == 0 && x == 1")), ""), true);
    check(&both(&format!("{writer}{}", reader("x == 1 && x == 0")), ""), false);
    check(&both(&format!("{writer}{}", reader("x + x == 1")), ""), true);
}

#[test]
fn mutexes_exclude() {
    let thread = |name: &str| {
        format!(
            "void *{name}(void *a) {{ pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }}"
        )
    };
    let program = format!("int x; pthread_mutex_t m; {}{}", thread("f"), thread("g"));
    check(&both(&program, "if (x != 2) reach_error();"), false);
    let other = program.replacen("&m", "&n", 2).replace("pthread_mutex_t m", "pthread_mutex_t m, n");
    check(&both(&other, "if (x != 2) reach_error();"), true);
    let trying = "int x; pthread_mutex_t m;
        void *f(void *a) { if (pthread_mutex_trylock(&m) == 0) { x = x + 1; pthread_mutex_unlock(&m); } return 0; }
        void *g(void *a) { pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m); return 0; }";
    check(&both(trying, "if (x != 1 && x != 2) reach_error();"), false);
    check(&both(trying, "if (x == 1) reach_error();"), true);
    check(&both(trying, "if (x == 2) reach_error();"), true);
}

#[test]
fn mutexes_may_be_behind_pointers() {
    let program = "int x; pthread_mutex_t *m;
        void lock(pthread_mutex_t *p) { pthread_mutex_lock(p); }
        void *f(void *a) { lock(m); x = x + 1; pthread_mutex_unlock(m); return 0; }
        int main() {
            pthread_t a, b;
            m = malloc(sizeof *m);
            pthread_create(&a, 0, f, 0);
            pthread_create(&b, 0, f, 0);
            pthread_join(a, 0);
            pthread_join(b, 0);
            if (x != 2) reach_error();
            return 0;
        }";
    check(program, false);
}

#[test]
fn misuse_of_mutexes_is_a_limit() {
    for (body, reason) in [
        ("pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "a mutex is locked"),
        ("pthread_mutex_unlock(&m);", "a mutex is unlocked"),
        ("pthread_barrier_wait(0);", "`pthread_barrier_wait` is not supported"),
    ] {
        let found = ends(&format!("pthread_mutex_t m; int main() {{ {body} return 0; }}"));
        let is_it = |end: &Outcome| matches!(end, Outcome::Limit(text) if text.starts_with(reason));
        assert!(found.len() == 1 && found.iter().all(is_it), "{body}: {found:?}");
    }
}

#[test]
fn deadlocks_end_runs() {
    let program = "pthread_mutex_t m, n;
        void *f(void *a) { pthread_mutex_lock(&m); pthread_mutex_lock(&n); return 0; }
        int main() {
            pthread_t a;
            pthread_mutex_lock(&n);
            pthread_create(&a, 0, f, 0);
            pthread_join(a, 0);
            reach_error();
        }";
    check(program, false);
}

#[test]
fn waiting_orders_threads() {
    let program = |first: &str, second: &str| {
        format!(
            "int x; void *f(void *a) {{ x = 1; return 0; }}
             int main() {{ pthread_t a; pthread_create(&a, 0, f, 0); {first} {second} return 0; }}"
        )
    };
    let (wait, look) = ("pthread_join(a, 0);", "if (x != 1) reach_error();");
    check(&program(wait, look), false);
    check(&program(look, wait), true);
}

#[test]
fn arguments_and_results_are_passed() {
    let program = "void *f(void *a) { int *p = a; *p = *p + 1; return a; }
        int main() {
            pthread_t t;
            int x = 4;
            void *r;
            pthread_create(&t, 0, f, &x);
            pthread_join(t, &r);
            if (x != 5 || *(int *)r != 5) reach_error();
            return 0;
        }";
    check(program, false);
    let exits = program.replace("return a; }", "pthread_exit(a); return 0; }");
    check(&exits, false);
}

#[test]
fn loops_start_several_threads() {
    let program = |number: u32| {
        format!(
            "int x; pthread_t t[9];
             void *f(void *a) {{ __VERIFIER_atomic_begin(); x++; __VERIFIER_atomic_end(); return 0; }}
             int main() {{
                 int i;
                 for (i = 0; i < {number}; i++) pthread_create(&t[i], 0, f, 0);
                 for (i = 0; i < {number}; i++) pthread_join(t[i], 0);
                 if (x != {number}) reach_error();
                 return 0;
             }}"
        )
    };
    check(&program(3), false);
    let found = ends(&program(5));
    assert!(
        found.iter().any(|end| matches!(end, Outcome::Limit(reason) if reason.starts_with("more than 4")))
    );
    assert!(!found.contains(&Outcome::Violation));
    let one_by_one = "int x; void *f(void *a) { x++; return 0; }
        int main() {
            pthread_t t;
            int i;
            for (i = 0; i < 9; i++) { pthread_create(&t, 0, f, 0); pthread_join(t, 0); }
            if (x != 9) reach_error();
            return 0;
        }";
    check(one_by_one, false);
}

#[test]
fn atomic_sections_are_one_step() {
    let sections =
        "int x; void *f(void *a) { __VERIFIER_atomic_begin(); x = x + 1; __VERIFIER_atomic_end(); return 0; }
        void __VERIFIER_atomic_more(void) { x = x + 1; }
        void *g(void *a) { __VERIFIER_atomic_more(); return 0; }";
    check(&both(sections, "if (x != 2) reach_error();"), false);
    let functions = "int x; void *f(void *a) { __sync_fetch_and_add(&x, 1); return 0; }
        void *g(void *a) { __atomic_add_fetch(&x, 1, 0); return 0; }";
    check(&both(functions, "if (x != 2) reach_error();"), false);
    let with_plain = sections.replace("__VERIFIER_atomic_more();", "x = x + 1;");
    check(&both(&with_plain, "if (x != 2) reach_error();"), true);
}

#[test]
fn conditions_wake_up_without_a_signal() {
    let program = |wait: &str| {
        format!(
            "int ready, x; pthread_mutex_t m; pthread_cond_t c;
             void *f(void *a) {{
                 pthread_mutex_lock(&m);
                 x = 7;
                 ready = 1;
                 pthread_cond_signal(&c);
                 pthread_mutex_unlock(&m);
                 return 0;
             }}
             int main() {{
                 pthread_t t;
                 pthread_create(&t, 0, f, 0);
                 pthread_mutex_lock(&m);
                 {wait} (!ready) pthread_cond_wait(&c, &m);
                 if (x != 7) reach_error();
                 pthread_mutex_unlock(&m);
                 return 0;
             }}"
        )
    };
    check(&program("while"), false);
    check(&program("if"), true);
}

#[test]
fn protocols_of_two_threads() {
    let peterson = |first: &str, second: &str| {
        let thread = |name: &str, own: &str, other: &str, number: u32| {
            let enter = |text: &str| text.replace("OWN", own).replace("NUMBER", &number.to_string());
            format!(
                "void *{name}(void *a) {{ {} {} while ({other} == 1 && turn == {number});
                 inside = {number}; if (inside != {number}) reach_error(); {own} = 0; return 0; }}",
                enter(first),
                enter(second)
            )
        };
        format!("int p, q, turn, inside; {}{}", thread("f", "p", "q", 1), thread("g", "q", "p", 0))
    };
    let (flag, turn) = ("OWN = 1;", "turn = NUMBER;");
    check(&both(&peterson(flag, turn), ""), false);
    check(&both(&peterson(turn, flag), ""), true);
    let dekker = "int p, q, r, s;
        void *f(void *a) { p = 1; r = q; return 0; } void *g(void *a) { q = 1; s = p; return 0; }";
    check(&both(dekker, "if (r == 0 && s == 0) reach_error();"), false);
}

/// Threads that never take a step again keep nobody from violations.
#[test]
fn others_go_on() {
    for stuck in ["__VERIFIER_assume(0);", "int i = 0; while (1) i = 1 - i;", "while (1);"] {
        let program = format!(
            "int x; void *f(void *a) {{ {stuck} return 0; }}
             void *g(void *a) {{ x = 1; return 0; }}
             int main() {{
                 pthread_t a, b;
                 pthread_create(&a, 0, f, 0);
                 pthread_create(&b, 0, g, 0);
                 pthread_join(b, 0);
                 if (x == 1) reach_error();
                 return 0;
             }}"
        );
        check(&program, true);
    }
    let main_ends = "int x; void *f(void *a) { x = 1; if (x == 1) reach_error(); return 0; }
        int main() { pthread_t a; pthread_create(&a, 0, f, 0); pthread_exit(0); }";
    check(main_ends, true);
    let program_ends = "void *f(void *a) { while (1); return 0; }
        int main() { pthread_t a; pthread_create(&a, 0, f, 0); return 0; }";
    check(program_ends, false);
}

#[test]
fn threads_start_threads() {
    let program = "int x; void *f(void *a) { x = 1; return 0; }
        void *g(void *a) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }
        int main() {
            pthread_t t;
            pthread_create(&t, 0, g, 0);
            pthread_join(t, 0);
            if (x != 1) reach_error();
            if (t == pthread_self()) reach_error();
            return 0;
        }";
    check(program, false);
}

#[test]
fn some_programs_are_rejected() {
    let threads = "void *f(void *a) { x = 1; return 0; } int main() { pthread_t t; pthread_create(&t, 0, f, 0); return x + g(); }";
    for (declaration, reason) in [
        ("_Atomic int x; int g(void) { return 0; }", "atomic types"),
        ("__thread int x; int g(void) { return 0; }", "thread-local variables"),
        ("int *__errno_location(void); int x; int g(void) { return *__errno_location(); }", "`errno`"),
    ] {
        let text = format!("{DECLARATIONS}{declaration}{threads}");
        let Err(message) = translate(&text, &Setup::default()) else {
            panic!("{declaration} should be rejected")
        };
        assert!(message.starts_with(reason), "{message}");
    }
}

/// A statement of a random thread.
#[derive(Clone, Copy, Debug)]
enum Action {
    /// A shared variable gets a number.
    Set(usize, i32),
    /// A shared variable gets the sum of another one and a number.
    Add(usize, usize, i32),
    /// The next statement is left out unless a shared variable has a value.
    Test(usize, i32),
}

fn random_thread(random: &mut fastrand::Rng) -> Vec<Action> {
    let var = |random: &mut fastrand::Rng| random.usize(0..3);
    (0..random.usize(1..4))
        .map(|_| match random.u8(0..4) {
            0 => Action::Set(var(random), random.i32(0..3)),
            1 => Action::Test(var(random), random.i32(0..2)),
            _ => Action::Add(var(random), var(random), random.i32(0..3)),
        })
        .collect()
}

fn text_of(name: &str, thread: &[Action]) -> String {
    let statements: String = thread
        .iter()
        .map(|action| match action {
            Action::Set(to, number) => format!("v{to} = {number}; "),
            Action::Add(to, from, number) => format!("v{to} = v{from} + {number}; "),
            Action::Test(var, number) => format!("if (v{var} == {number}) "),
        })
        .collect();
    format!("void *{name}(void *a) {{ {statements}; return 0; }}")
}

/// All values that shared variables may have when all threads have ended: every order of single accesses is followed.
fn possible(threads: &[Vec<Action>]) -> BTreeSet<[i32; 3]> {
    /// Where a thread is, and what it has read for the statement there.
    type Place = (usize, Option<i32>);
    let (mut ends, mut seen) = (BTreeSet::new(), BTreeSet::new());
    let first: (Vec<Place>, [i32; 3]) = (vec![(0, None); threads.len()], [0; 3]);
    let mut pending = vec![first];
    while let Some((places, values)) = pending.pop() {
        if !seen.insert((places.clone(), values)) {
            continue;
        }
        let mut has_ended = true;
        for (number, thread) in threads.iter().enumerate() {
            let (at, read) = places[number];
            let Some(action) = thread.get(at) else { continue };
            has_ended = false;
            let (mut places, mut values) = (places.clone(), values);
            places[number] = match (*action, read) {
                (Action::Set(to, value), _) => {
                    values[to] = value;
                    (at + 1, None)
                }
                (Action::Add(_, from, _), None) => (at, Some(values[from])),
                (Action::Add(to, _, more), Some(read)) => {
                    values[to] = read + more;
                    (at + 1, None)
                }
                (Action::Test(var, value), _) => (skipped(thread, at, values[var] == value), None),
            };
            pending.push((places, values));
        }
        if has_ended {
            ends.insert(values);
        }
    }
    ends
}

/// Where a thread goes after a test.
fn skipped(thread: &[Action], at: usize, holds: bool) -> usize {
    let mut next = at + 1;
    if !holds {
        while matches!(thread.get(next), Some(Action::Test(..))) {
            next += 1;
        }
        next += 1;
    }
    next.min(thread.len())
}

#[test]
fn random_threads_do_what_all_orders_do() {
    let mut random = fastrand::Rng::with_seed(22);
    for _ in 0..60 {
        let threads: Vec<Vec<Action>> = (0..random.usize(2..4)).map(|_| random_thread(&mut random)).collect();
        let possible = possible(&threads);
        let asked = match random.bool() {
            true => *possible.iter().nth(random.usize(0..possible.len())).unwrap(),
            false => [0; 3].map(|_: i32| random.i32(0..4)),
        };
        let bodies: String = threads
            .iter()
            .enumerate()
            .map(|(number, thread)| text_of(&format!("t{number}"), thread))
            .collect();
        let starts: String = (0..threads.len())
            .map(|number| format!("pthread_create(&h{number}, 0, t{number}, 0); "))
            .collect();
        let waits: String =
            (0..threads.len()).map(|number| format!("pthread_join(h{number}, 0); ")).collect();
        let handles: String = (0..threads.len()).map(|number| format!("pthread_t h{number}; ")).collect();
        let [a, b, c] = asked;
        let text = format!(
            "int v0, v1, v2; {bodies} int main() {{ {handles}{starts}{waits}
             if (v0 == {a} && v1 == {b} && v2 == {c}) reach_error(); return 0; }}"
        );
        check(&text, possible.contains(&asked));
    }
}
