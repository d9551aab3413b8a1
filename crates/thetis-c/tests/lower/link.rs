//! Programs of several translation units. The table `link.c` holds them, separated by lines
//!
//! ```text
//! //== NAME: fits|violation|limit|error
//! //-- file
//! ```
//!
//! Programs that fit were compiled, linked and run by gcc, which agrees; of those that are errors gcc links some, since linkers do not
//! look at types.

use thetis_base::{Diagnostics, SourceMap, Span};
use thetis_c::hir::DataModel;
use thetis_c::lower::{LowerOptions, Lowered, lower};
use thetis_c::{LineMarkers, UnitText, check_units};

use super::run::{Outcome, run};

/// What every file starts with, on a line of its own.
const START: &str = "void reach_error(void); static void check(int holds) { if (!holds) reach_error(); }\n";

/// The automaton of several files, or the message with the number of its places.
fn link(texts: &[&str]) -> Result<Lowered, (String, usize)> {
    let mut sources = SourceMap::new();
    let mut units = Vec::new();
    for (number, text) in texts.iter().enumerate() {
        let file = sources.add(format!("{number}.c"), format!("{START}{text}"));
        units.push(UnitText { file, line_markers: LineMarkers::Ignore });
    }
    let mut diagnostics = Diagnostics::new();
    let checked = check_units(&mut sources, &units, DataModel::Lp64.into(), &[], &mut diagnostics);
    let error = |diagnostics: &Diagnostics| {
        let error =
            diagnostics.iter().find(|message| message.severity == thetis_base::Severity::Error).unwrap();
        (error.message.clone(), 1 + error.labels.len())
    };
    let (program, _) = checked.map_err(|_| error(&diagnostics))?;
    let whole = Span { file: units[0].file, start: 0, end: 0 };
    lower(&program, &LowerOptions::default(), whole, &mut diagnostics).map_err(|_| error(&diagnostics))
}

#[test]
fn files_are_linked_as_a_linker_does() {
    for case in include_str!("link.c").split("//== ").skip(1) {
        let (head, body) = case.split_once('\n').unwrap();
        let (name, expected) = head.split_once(": ").unwrap();
        let texts: Vec<&str> = body.split("//-- file\n").collect();
        let found = match link(&texts) {
            Ok(lowered) => match run(&lowered, &[]) {
                Outcome::Exit(_) => "fits",
                Outcome::Violation => "violation",
                Outcome::Limit(_) => "limit",
                other => panic!("{name}: {other:?}"),
            },
            Err((message, num_places)) => {
                assert_eq!(num_places, 2, "{name}: {message}");
                "error"
            }
        };
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn claims_about_files_do_not_depend_on_their_order() {
    for case in include_str!("link.c").split("//== ").skip(1) {
        let (head, body) = case.split_once('\n').unwrap();
        let is_error = head.ends_with("error");
        let mut texts: Vec<&str> = body.split("//-- file\n").collect();
        texts.reverse();
        assert_eq!(link(&texts).is_err(), is_error, "{head}");
    }
}
