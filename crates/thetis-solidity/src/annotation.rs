//! Annotations: comments in front of contracts, functions, events and loops.
//!
//! An annotation is a documentation comment with the tag `@notice` whose text starts with one of the keywords of
//! [`Keyword`]. Anything else after the tag is ordinary documentation. The expressions are those of Solidity with
//! quantifiers in front of them; they are parsed with the parser of Solidity inside a small frame.

use solang_parser::pt::{Comment, Expression, Loc, SourceUnitPart, Statement};
use thetis_base::Span;

use crate::fault::{Res, invalid, span};

/// What an annotation says.
#[derive(Clone, Debug)]
pub(crate) enum Annotation {
    Invariant(Formula),
    Precondition(Formula),
    Postcondition(Formula),
    Specification(Vec<(Formula, Formula)>),
    Modifies {
        target: Target,
        condition: Option<Formula>,
    },
    Emits(String),
    TracksChangesIn(Formula),
    AllowNoChangeEmit,
    /// The contract's invariants are assumed and checked, as for public functions.
    ContractInvariants,
}

/// What a function may modify.
#[derive(Clone, Debug)]
pub(crate) enum Target {
    Everything,
    Place(Expression),
}

/// An annotation.
#[derive(Clone, Debug)]
pub(crate) struct Annotated {
    pub(crate) what: Annotation,
}

/// A formula with its text, for messages.
#[derive(Clone, Debug)]
pub(crate) struct Formula {
    pub(crate) text: String,
    pub(crate) span: Span,
    pub(crate) prefix: Vec<Quantifier>,
    pub(crate) body: Expression,
}

/// A quantifier in front of a formula.
#[derive(Clone, Debug)]
pub(crate) enum Quantifier {
    Forall(Vec<(Expression, String)>),
    Exists(Vec<(Expression, String)>),
    /// For all indices of an array.
    Property(Expression, Vec<String>),
}

/// The comments of a file and its text.
pub(crate) struct Comments<'a> {
    text: &'a str,
    docs: Vec<(usize, usize)>,
    all: Vec<(usize, usize)>,
}

impl<'a> Comments<'a> {
    pub(crate) fn new(text: &'a str, comments: &[Comment]) -> Comments<'a> {
        let range = |comment: &Comment| match comment {
            Comment::Line(loc, _)
            | Comment::Block(loc, _)
            | Comment::DocLine(loc, _)
            | Comment::DocBlock(loc, _) => (loc.start(), loc.end()),
        };
        let docs = comments.iter().filter(|comment| comment.is_doc()).map(range).collect();
        Comments { text, docs, all: comments.iter().map(range).collect() }
    }

    /// The documentation comments directly in front of `start`, in the order of the text.
    fn before(&self, start: usize) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut until = start;
        let earlier = self.all.partition_point(|(first, _)| *first < start);
        for (first, end) in self.all[..earlier].iter().rev() {
            if *end > until || !self.text[*end..until].trim().is_empty() {
                break;
            }
            if self.docs.binary_search(&(*first, *end)).is_ok() {
                found.push((*first, *end));
            }
            until = *first;
        }
        found.reverse();
        found
    }

    /// The annotations in front of what starts at `loc`.
    pub(crate) fn annotations(&self, loc: &Loc) -> Res<Vec<Annotated>> {
        let place = span(loc);
        let mut notes = Vec::new();
        for (start, end) in self.before(place.start as usize) {
            self.notices(start, end, place, &mut notes);
        }
        notes.into_iter().filter_map(|(text, place)| annotation(&text, place).transpose()).collect()
    }

    /// The texts after `@notice` in a comment; a text continues until the next tag or an empty line.
    fn notices(&self, start: usize, end: usize, place: Span, notes: &mut Vec<(String, Span)>) {
        let mut open = false;
        let mut offset = start;
        for line in self.text[start..end].split_inclusive('\n') {
            let at = offset;
            offset += line.len();
            let bare = line.trim_end().trim_end_matches("*/").trim();
            let bare = bare.trim_start_matches("/**").trim_start_matches("///").trim_start_matches('*');
            let bare = bare.strip_prefix(' ').unwrap_or(bare);
            if let Some(note) = bare.trim_start().strip_prefix("@notice") {
                let first = at + line.find("@notice").unwrap_or(0);
                notes.push((
                    note.trim_start().to_owned(),
                    Span { start: first as u32, end: (at + line.trim_end().len()) as u32, ..place },
                ));
                open = true;
            } else if bare.trim_start().starts_with('@') || bare.trim().is_empty() {
                open = false;
            } else if let Some((text, _)) = notes.last_mut().filter(|_| open) {
                text.push(' ');
                text.push_str(bare.trim());
            }
        }
    }
}

/// The annotation in `text`; `None` if it is ordinary documentation.
fn annotation(text: &str, place: Span) -> Res<Option<Annotated>> {
    let (keyword, rest) = text.split_once(|c: char| c.is_whitespace() || c == '[').unwrap_or((text, ""));
    let what = match keyword {
        "invariant" => Annotation::Invariant(formula(rest, place)?),
        "precondition" => Annotation::Precondition(formula(rest, place)?),
        "postcondition" => Annotation::Postcondition(formula(rest, place)?),
        "specification" => Annotation::Specification(cases(text, place)?),
        "modifies" => modifies(rest, place)?,
        "emits" => Annotation::Emits(rest.trim().to_owned()),
        "tracks-changes-in" => Annotation::TracksChangesIn(formula(rest, place)?),
        "allow-no-change-emit" => Annotation::AllowNoChangeEmit,
        "{contractInvariants}" => Annotation::ContractInvariants,
        _ => return Ok(None),
    };
    Ok(Some(Annotated { what }))
}

fn modifies(rest: &str, place: Span) -> Res<Annotation> {
    let (target, condition) = match rest.split_once(" if ") {
        Some((target, condition)) => (target, Some(formula(condition, place)?)),
        None => (rest, None),
    };
    let target = match target.trim() {
        "*" => Target::Everything,
        target => Target::Place(expression(target, place)?),
    };
    Ok(Annotation::Modifies { target, condition })
}

/// `specification [ case P: Q; case R: S; ]`
fn cases(text: &str, place: Span) -> Res<Vec<(Formula, Formula)>> {
    let inner = text.find('[').zip(text.rfind(']')).map(|(open, close)| &text[open + 1..close.max(open + 1)]);
    let Some(inner) = inner else { return invalid(place, "a specification needs cases in brackets") };
    let mut cases = Vec::new();
    for case in inner.split(';').map(str::trim).filter(|case| !case.is_empty()) {
        let parts = case.strip_prefix("case ").and_then(|case| case.split_once(':'));
        let Some((premise, conclusion)) = parts else { return invalid(place, "expected `case P: Q;`") };
        cases.push((formula(premise, place)?, formula(conclusion, place)?));
    }
    Ok(cases)
}

/// A formula with quantifiers in front.
pub(crate) fn formula(text: &str, place: Span) -> Res<Formula> {
    let mut rest = text.trim_start();
    let mut prefix = Vec::new();
    while let Some((quantifier, after)) = quantifier(rest, place)? {
        prefix.push(quantifier);
        rest = after.trim_start();
    }
    Ok(Formula { text: text.to_owned(), span: place, prefix, body: expression(rest, place)? })
}

fn quantifier(text: &str, place: Span) -> Res<Option<(Quantifier, &str)>> {
    for (word, make) in
        [("forall", Quantifier::Forall as fn(_) -> _), ("exists", Quantifier::Exists as fn(_) -> _)]
    {
        if let Some(after) = keyword(text, word) {
            let (list, rest) = parenthesized(after, place)?;
            return Ok(Some((make(bindings(list, place)?), rest)));
        }
    }
    let Some(after) = keyword(text, "property") else { return Ok(None) };
    let (array, rest) = parenthesized(after, place)?;
    let (names, rest) = parenthesized(rest.trim_start(), place)?;
    let names = names.split(',').map(|name| name.trim().to_owned()).collect();
    Ok(Some((Quantifier::Property(expression(array, place)?, names), rest)))
}

/// What follows `word`, if `text` starts with it and a parenthesis.
fn keyword<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    text.strip_prefix(word).map(str::trim_start).filter(|rest| rest.starts_with('('))
}

/// The text inside the parentheses that `text` starts with, and what follows them.
fn parenthesized(text: &str, place: Span) -> Res<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth <= 1 => return Ok((&text[1.min(at)..at], &text[at + 1..])),
            ')' => depth -= 1,
            _ if depth == 0 => break,
            _ => {}
        }
    }
    invalid(place, "expected something in parentheses in this annotation")
}

/// `uint i, address a`
fn bindings(list: &str, place: Span) -> Res<Vec<(Expression, String)>> {
    list.split(',')
        .map(|binding| match binding.trim().rsplit_once(char::is_whitespace) {
            Some((ty, name)) => Ok((expression(ty, place)?, name.trim().to_owned())),
            None => invalid(place, "a quantified variable needs a type and a name"),
        })
        .collect()
}

/// Parses one expression with the parser of Solidity.
fn expression(text: &str, place: Span) -> Res<Expression> {
    const FRAME: &str = "function f() { (";
    // A line comment or brackets of its own must not end the frame.
    if text.contains("//") || text.contains("/*") || text.contains([';', '{', '}']) {
        return invalid(place, "an annotation is one expression");
    }
    if text.trim().is_empty() {
        return invalid(place, "an expression is missing in this annotation");
    }
    if crate::nesting::too_deep(text).is_some() {
        return invalid(place, "this annotation is nested too deeply");
    }
    let framed = format!("{FRAME}{text}); }}");
    let parsed = solang_parser::parse(&framed, place.file.index());
    let unit = match parsed {
        Ok((unit, _)) => unit,
        Err(errors) => {
            let message = errors.first().map_or_else(String::new, |error| error.message.clone());
            return invalid(place, format!("`{}` is not an expression: {message}", text.trim()));
        }
    };
    let statement = unit.0.into_iter().find_map(|part| match part {
        SourceUnitPart::FunctionDefinition(function) => function.body,
        _ => None,
    });
    if let Some(Statement::Block { mut statements, .. }) = statement
        && let Some(Statement::Expression(_, expr)) = statements.pop()
        && statements.is_empty()
    {
        return Ok(match expr {
            Expression::Parenthesis(_, inner) => *inner,
            expr => expr,
        });
    }
    invalid(place, "an annotation is one expression")
}
