//! A function does one thing, and so is short. Tests may be long tables.

use super::findings::Findings;
use super::policy::Policy;
use super::source::{behind_closing, line_of, words};
use super::tree::Tree;

const WARN_ABOVE: usize = 60;
const FAIL_ABOVE: usize = 150;

pub(super) fn check(tree: &Tree, _policy: &Policy, findings: &mut Findings) {
    for file in tree.rust_files().filter(|file| !file.is_test) {
        for function in functions(&file.source.product) {
            let Function { name, line, num_lines } = function;
            if num_lines > FAIL_ABOVE {
                findings.error(
                    &file.path,
                    line,
                    format!("`{name}` has {num_lines} lines, more than {FAIL_ABOVE}"),
                );
            } else if num_lines > WARN_ABOVE {
                let message = format!("`{name}` has {num_lines} lines, more than {WARN_ABOVE}");
                findings.warning(&file.path, line, message);
            }
        }
    }
}

struct Function<'c> {
    name: &'c str,
    line: usize,
    num_lines: usize,
}

/// The functions with a body, nested ones as well.
fn functions(code: &str) -> impl Iterator<Item = Function<'_>> {
    words(code, "fn").filter_map(move |offset| {
        let signature = code[offset + 2..].trim_start();
        let name = signature.split(['(', '<']).next().filter(|name| !name.is_empty())?;
        let open = body(code, offset)?;
        let lines = code[offset..behind_closing(code, open)].lines();
        Some(Function { name, line: line_of(code, offset), num_lines: lines.count() })
    })
}

/// Where the body of the function at `offset` opens; none for a declaration without body.
fn body(code: &str, mut offset: usize) -> Option<usize> {
    loop {
        let found = offset + code[offset..].find(['{', ';', '(', '[', '}', ')', ','])?;
        match code.as_bytes()[found] {
            b'{' => return Some(found),
            b'(' | b'[' => offset = behind_closing(code, found),
            b',' => offset = found + 1, // Between generic parameters, or bounds of a where clause.
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::tidy::findings::found;

    fn on(text: &str) -> Vec<String> {
        found(check, "", &[("crates/a/src/lib.rs", text)])
    }

    fn function(num_lines: usize) -> String {
        format!(
            "\npub fn long<A, B>(x: [u8; 2])\nwhere A: Fn(u8) -> u8, B: Eq {{\n{}}}\n",
            "a();\n".repeat(num_lines - 3)
        )
    }

    #[test]
    fn long_functions_are_found() {
        assert_eq!(on(&function(60)), [""; 0]);
        assert_eq!(on(&function(61)), ["crates/a/src/lib.rs:2: warning: `long` has 61 lines, more than 60"]);
        assert_eq!(on(&function(151)), ["crates/a/src/lib.rs:2: error: `long` has 151 lines, more than 150"]);
    }

    #[test]
    fn tests_and_declarations_do_not_count() {
        assert_eq!(on(&format!("#[cfg(test)]\nmod tests {{{}}}", function(200))), [""; 0]);
        assert_eq!(
            on(&format!("trait T {{ fn short(&self);{}const X: fn(u8) = f; }}", "\n".repeat(200))),
            [""; 0]
        );
    }
}
