//! Programs with threads: verdicts, stories, certificates.

use crate::{folder, thetis, write};

const DECLARATIONS: &str = "void reach_error(void);
typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
";

/// Two threads increment a variable, each inside of what is around it.
fn counter(before: &str, after: &str) -> String {
    format!(
        "{DECLARATIONS}int x;
pthread_mutex_t m;
void *more(void *a) {{
  {before}
  x = x + 1;
  {after}
  return 0;
}}
int main(void) {{
  pthread_t a, b;
  pthread_create(&a, 0, more, 0);
  pthread_create(&b, 0, more, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  if (x != 2) reach_error();
  return 0;
}}
"
    )
}

#[test]
fn violations_say_which_thread_takes_a_step() {
    let folder = folder();
    let program = write(&folder, "p.c", counter("int step = 1;", ""));
    let outcome = thetis(&["check", &program, "--full"]);
    assert_eq!((outcome.code, outcome.word()), (10, "unsafe"), "{}", outcome.err);
    for step in ["thread 1 (more): `x = x + 1`", "thread 2 (more): `x = x + 1`", "thread 0 (main): `x != 2`"]
    {
        assert!(outcome.err.contains(step), "{step}: {}", outcome.err);
    }
    assert!(outcome.err.contains("[sequential-consistency]"), "{}", outcome.err);
    let outcome = thetis(&["check", &program, "--confirm"]);
    assert!(
        outcome.err.contains("there is no harness: a compiled program decides itself"),
        "{}",
        outcome.err
    );
}

#[test]
fn proofs_are_certified() {
    let folder = folder();
    let program = write(&folder, "p.c", counter("pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"));
    let certificate = folder.path().join("certificate.json").display().to_string();
    let outcome = thetis(&["check", &program, "--certificate", &certificate]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
    assert!(outcome.out.starts_with("safe"), "{}", outcome.out);
    let outcome = thetis(&["certify", &program, &certificate]);
    assert_eq!(outcome.code, 0, "{}{}", outcome.out, outcome.err);
}

#[test]
fn more_threads_than_the_bound_are_a_limit() {
    let folder = folder();
    let endless = format!(
        "{DECLARATIONS}int x; void *f(void *a) {{ x = 1; return 0; }}
         int main(void) {{ pthread_t t; while (1) pthread_create(&t, 0, f, 0); }}"
    );
    let program = write(&folder, "p.c", &endless);
    let outcome = thetis(&["check", &program, "--set", "c.thread-bound=2"]);
    assert_eq!(outcome.code, 5, "{}", outcome.err);
    assert!(outcome.out.contains("more than 2 threads started here run at once"), "{}", outcome.out);
}
