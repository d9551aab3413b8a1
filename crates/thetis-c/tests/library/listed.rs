//! The page of the documents that lists all models.

use std::collections::BTreeMap;
use std::fmt::Write;

use expect_test::expect_file;
use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::DataModel;
use thetis_c::{Closeness, LineMarkers, SourceOptions, check, model_texts, modelled_functions};

const INTRODUCTION: &str = "\
# Library functions

How calls of library functions that the program does not define are modelled. The models are C functions in
`crates/thetis-c/src/library`; this page is generated from them (`UPDATE_EXPECT=1 cargo test -p thetis-c --test library`).

* **exact**: the model does what the function does, with every choice that the standard leaves open (`isdigit` may return any number but zero
  for a digit).
* **input**: the environment decides; the model returns and writes anything that the function can return and write.
* **approximation**: the model may do more than the function, perhaps only in some cases (`isalpha` in another locale than \"C\", a second
  call of `getenv`). Proofs of safety hold; a violation that is found after such a case is reported as `unknown`.
* **limit**: a run that reaches such a call ends with `unknown`.

Models access the memory that the functions access, so a call with a bad pointer or a short buffer violates `valid-deref`.

Built into the translation, and exact: `malloc`, `calloc`, `realloc`, `free`, `alloca`, `memcpy`, `memmove`, `mempcpy`, `memset`, `abort`, `exit`,
`assert`; of `math.h` `fabs`, `floor`, `ceil`, `trunc`, `round`, `rint`, `nearbyint`, `fmin`, `fmax`, `isnan`, `isinf`, `isfinite`, `isnormal`,
`signbit`, `fpclassify`, each for all three types. Names with `__builtin_` mean the same as without.
";

/// The functions of each header and kind, in the order of the texts.
fn table() -> String {
    let mut rows: BTreeMap<(&str, Closeness), Vec<&str>> = BTreeMap::new();
    for (header, name, closeness) in modelled_functions() {
        rows.entry((header, closeness)).or_default().push(name);
    }
    let mut page = format!("{INTRODUCTION}\n| header | model | functions |\n| --- | --- | --- |\n");
    for ((header, closeness), names) in rows {
        let kind = match closeness {
            Closeness::Exact => "exact",
            Closeness::Input => "input",
            Closeness::Approximation => "approximation",
            Closeness::Limit => "limit",
        };
        writeln!(page, "| {header} | {kind} | `{}` |", names.join("`, `")).unwrap();
    }
    page
}

#[test]
fn the_page_about_library_functions_is_up_to_date() {
    expect_file!["../../../../docs/c-library.md"].assert_eq(&table());
}

#[test]
fn the_models_are_accepted_without_warnings() {
    let text: String = model_texts().map(|(_, text)| text).collect();
    for data_model in [DataModel::Ilp32, DataModel::Lp64] {
        let mut sources = SourceMap::new();
        let file = sources.add("models.c", text.clone());
        let mut diagnostics = Diagnostics::new();
        let options = SourceOptions { machine: data_model.into(), line_markers: LineMarkers::Ignore };
        let accepted = check(&sources, file, &options, &mut diagnostics).is_ok();
        let messages: Vec<_> = diagnostics.iter().map(|message| message.message.clone()).collect();
        assert!(accepted && messages.is_empty(), "{messages:?}");
    }
}
