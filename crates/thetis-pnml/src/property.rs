//! Properties as they are written on the command line.
//!
//! ```text
//! property ::= EF e | AG e | deadlock | one-safe | state-space | explore
//! ```
//!
//! with expressions `e` over the names of places and transitions; names that are not plain identifiers stand in double
//! quotes. `CTL` formulas are rejected.

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_model::petri::{Net, NetNames, PetriProperty, Predicate, Question};

use crate::code;
use crate::expr::{Cursor, Scope, condition};
use crate::lexer::{TokenKind, tokens};

/// Parses the text of `file` as a property of `net`. Its text is kept as it stands.
pub fn parse(
    sources: &SourceMap,
    file: FileId,
    net: &Net,
    diags: &mut Diagnostics,
) -> Result<PetriProperty, Reported> {
    let question =
        read_all(sources, file, diags, |cursor, diags| question(cursor, &NetNames::new(net), diags))?;
    Ok(PetriProperty::with_text(sources.file(file).text().trim(), question))
}

/// Parses the text of `file` as a target: an expression that a reachable marking should satisfy, without `EF`.
pub fn parse_target(
    sources: &SourceMap,
    file: FileId,
    net: &Net,
    diags: &mut Diagnostics,
) -> Result<PetriProperty, Reported> {
    let target =
        read_all(sources, file, diags, |cursor, diags| condition(cursor, &NetNames::new(net), diags))?;
    let text = sources.file(file).text().trim();
    Ok(PetriProperty::with_text(format!("EF {text}"), Question::Exists(target)))
}

/// The result of `read` on the whole text of `file`.
fn read_all<T>(
    sources: &SourceMap,
    file: FileId,
    diags: &mut Diagnostics,
    read: impl FnOnce(&mut Cursor<'_>, &mut Diagnostics) -> Result<T, Reported>,
) -> Result<T, Reported> {
    let tokens = tokens(sources.file(file).text(), file, diags)?;
    let mut cursor = Cursor::new(&tokens);
    let result = read(&mut cursor, diags)?;
    expect_end(&cursor, diags)?;
    Ok(result)
}

fn expect_end(cursor: &Cursor<'_>, diags: &mut Diagnostics) -> Result<(), Reported> {
    if cursor.peek().kind == TokenKind::End {
        return Ok(());
    }
    Err(cursor.expected("the end of the property", diags))
}

/// The keywords with a hyphen, which the lexer reads as differences.
const HYPHENATED: [(&str, &str, Question); 2] =
    [("one", "safe", Question::OneSafe), ("state", "space", Question::StateSpace)];

/// Whether the cursor stands at the first word of a question.
pub(crate) fn is_question(cursor: &Cursor<'_>) -> bool {
    let is_hyphenated = HYPHENATED.iter().any(|(first, second, _)| is_hyphenated(cursor, first, second));
    is_hyphenated || ["EF", "AG", "CTL", "explore"].iter().any(|word| cursor.is_word(word))
}

/// The question at the cursor.
pub(crate) fn question(
    cursor: &mut Cursor<'_>,
    scope: &dyn Scope,
    diags: &mut Diagnostics,
) -> Result<Question, Reported> {
    for (first, second, question) in HYPHENATED {
        if is_hyphenated(cursor, first, second) {
            (0..3).for_each(|_| {
                cursor.bump();
            });
            return Ok(question);
        }
    }
    let start = cursor.peek();
    let TokenKind::Word(word) = &start.kind else { return Err(expected_property(cursor, diags)) };
    match word.as_str() {
        "EF" => {
            cursor.bump();
            Ok(Question::Exists(condition(cursor, scope, diags)?))
        }
        "AG" => {
            cursor.bump();
            Ok(Question::Always(condition(cursor, scope, diags)?))
        }
        "deadlock" => match condition(cursor, scope, diags)? {
            Predicate::Deadlock => Ok(Question::Deadlock),
            _ => Err(diags.error(start.span, code::SYNTAX, "expected `EF` or `AG` before a condition")),
        },
        "explore" => {
            cursor.bump();
            Ok(Question::Explore)
        }
        "CTL" => Err(diags.error(start.span, code::UNSUPPORTED, "CTL formulas are not supported")),
        _ => Err(expected_property(cursor, diags)),
    }
}

fn is_hyphenated(cursor: &Cursor<'_>, first: &str, second: &str) -> bool {
    let is_word = |kind: &TokenKind, word: &str| matches!(kind, TokenKind::Word(found) if found == word);
    is_word(&cursor.peek().kind, first)
        && cursor.peek_at(1).kind == TokenKind::Sign("-")
        && is_word(&cursor.peek_at(2).kind, second)
}

fn expected_property(cursor: &Cursor<'_>, diags: &mut Diagnostics) -> Reported {
    let what = "`EF`, `AG`, `deadlock`, `one-safe`, `state-space` or `explore`";
    cursor.expected(what, diags)
}

#[cfg(test)]
mod tests {
    use thetis_model::petri::NetBuilder;

    use super::*;

    fn net() -> Net {
        let mut builder = NetBuilder::new("n");
        builder.place("p", 3);
        builder.place("a-b", 1);
        let t = builder.transition("t");
        builder.transition("u.1");
        builder.input(t, thetis_model::petri::PlaceId::from(0usize), 1);
        builder.build().unwrap()
    }

    fn parsed(text: &str) -> Result<PetriProperty, String> {
        let mut sources = SourceMap::new();
        let file = sources.add("property", text);
        let mut diags = Diagnostics::new();
        parse(&sources, file, &net(), &mut diags).map_err(|_| {
            let first = diags.iter().next().expect("an error should be reported");
            format!("{}: {}", first.span.start, first.message)
        })
    }

    #[test]
    fn properties_are_parsed_as_they_stand_in_task_lists() {
        let check = |text: &str, expected: &str| {
            let property = parsed(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(property.to_string(), text.trim());
            assert_eq!(PetriProperty::new(&net(), property.question().clone()).to_string(), expected);
        };
        check("deadlock", "deadlock");
        check("one-safe", "one-safe");
        check(" state-space ", "state-space");
        check("explore", "explore");
        check("EF p >= 1", "EF p >= 1");
        check("EF 2 <= p", "EF -p >= -2".replace("-p >= -2", "-p <= -2").as_str());
        check("EF p == 1 and \"a-b\" != 2 or true", "EF ((p = 1) and (\"a-b\" != 2)) or (true)");
        check("AG not (not (fireable(t, \"u.1\")))", "AG not (not (fireable(t, \"u.1\")))");
        check("AG not p < 1 and deadlock", "AG (not (p < 1)) and (deadlock)");
        check("EF ((2 * p) - (p + 1)) * 3 - -2 > -(p) * 2", "EF 5 * p > 1");
        check("EF p = p", "EF 0 = 0");
    }

    #[test]
    fn wrong_properties_are_rejected_with_their_place() {
        let check = |text: &str, expected: &str| assert_eq!(parsed(text).unwrap_err(), expected, "{text}");
        check("EF q >= 1", "3: there is no place `q`");
        check("EF fireable(p)", "12: there is no transition `p`");
        check("EF p * p > 1", "3: a product of token counts, expected a constant factor");
        check("EF p + 1", "3: a number, expected a condition");
        check("EF (p > 1) + 1 > 2", "3: a condition, expected a number");
        check("EF p > 99999999999999999999", "7: a number is larger than 9223372036854775807");
        check("EF p >", "6: expected an expression, found the end");
        check("EF p > 1)", "8: expected the end of the property, found `)`");
        check("CTL EX p", "0: CTL formulas are not supported");
        check(
            "p > 1",
            "0: expected `EF`, `AG`, `deadlock`, `one-safe`, `state-space` or `explore`, found `p`",
        );
        check("EF p ? 1", "5: unexpected character `?`");
        check("EF \"p", "3: the name in double quotes does not end on its line");
        check("deadlock and true", "0: expected `EF` or `AG` before a condition");
    }

    #[test]
    fn deep_nesting_is_rejected_and_long_chains_are_not() {
        let deep = format!("EF {}true{}", "(".repeat(100_000), ")".repeat(100_000));
        assert!(parsed(&deep).unwrap_err().ends_with("the expression nests too deeply"));
        let long = format!("EF true{}", " and true".repeat(100_000));
        assert!(parsed(&long).is_ok());
    }
}
