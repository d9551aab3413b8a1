//! Programs that once took too long or had no answer. The limits are generous for a build with checks of all answers of solvers, and
//! what made these programs slow would exceed them.

use super::{folder, thetis, write};

/// Sorts five integers, with neighbours swapped.
const SORT: &str = "extern void assert(int);\nextern int input(void);
int main(void) {
  int a[5];
  for (int i = 0; i < 5; i++) a[i] = input();
  for (int i = 0; i < 5; i++)
    for (int j = 0; j + 1 < 5 - i; j++)
      if (a[j] > a[j + 1]) { int t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; }
  for (int i = 0; i + 1 < 5; i++) assert(a[i] <= a[i + 1]);
  return 0;
}
";

/// Adds the numbers in a list.
const LIST: &str = "extern void assert(int);\nvoid *malloc(unsigned long);
struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 5; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node) return 0;
    node->value = i; node->next = head; head = node;
  }
  int sum = 0;
  for (struct node *node = head; node; node = node->next) sum += node->value;
  assert(sum == SUM);
  return 0;
}
";

/// Fills an array inside of a structure.
const FRAME: &str = "extern int input(void);
struct frame { unsigned char length, data[8]; int checksum; };
static struct frame received;
int main(void) {
  int length = input();
  if (length < 0 || length > MOST) return 0;
  for (int i = 0; i < length; i++) received.data[i] = (unsigned char) input();
  return 0;
}
";

#[test]
fn everyday_programs_are_decided_in_seconds() {
    let folder = folder();
    for (text, options, verdict) in [
        (SORT.to_owned(), &[][..], "safe"),
        (SORT.replace("a[i] <= a[i + 1]", "a[i] < a[i + 1]"), &[], "unsafe"),
        (LIST.replace("SUM", "10"), &[], "safe"),
        (LIST.replace("SUM", "11"), &[], "unsafe"),
        (FRAME.replace("MOST", "9"), &["--property", "valid-bounds"], "unsafe"),
        (FRAME.replace("MOST", "9"), &["--property", "valid-memory"], "unsafe"),
        (FRAME.replace("MOST", "8"), &["--property", "valid-bounds"], "safe"),
    ] {
        let file = write(&folder, "p.c", &text);
        let outcome = thetis(&[&["check", &file, "--cpu-time", "20s"], options].concat());
        assert_eq!(outcome.word().trim_end(), verdict, "{options:?} of {text}: {}", outcome.err);
    }
}
