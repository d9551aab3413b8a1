//! Claims of witnesses in programs: formulas at places of the text.
//!
//! The scope of a formula is that of its place, and only the parser and the checker know scopes. So claims become
//! tokens, like assertions in comments: a claim about a statement is inserted before it; a claim about a loop is
//! evaluated whenever the condition is, so the condition `c` becomes `({ claim; c; })`. Positions of all other tokens
//! are unchanged.

use std::collections::BTreeMap;

use thetis_base::{FileId, Sink, SourceMap, Span};

use super::lexer;
use super::token::{Token, TokenKind};

/// A formula at a place of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimAt {
    /// The text of the formula.
    pub formula: FileId,
    /// The file of the place.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1; the leftmost place of the line that fits if missing.
    pub column: Option<u32>,
    /// What is there.
    pub place: ClaimPlace,
}

/// What a claim is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClaimPlace {
    /// The state before a statement or declaration.
    Statement,
    /// The state before the condition of a loop is evaluated.
    Loop,
}

/// Puts claims into the tokens of a program, numbered in their order. Also returns the numbers of those that match no
/// position.
pub(super) fn inject<'t>(
    sources: &'t SourceMap,
    tokens: Vec<Token<'t>>,
    claims: &[ClaimAt],
    sink: &mut Sink<'_>,
) -> (Vec<Token<'t>>, Vec<u32>) {
    let begins = statement_starts(&tokens);
    let mut before: BTreeMap<usize, Vec<Token<'t>>> = BTreeMap::new();
    let mut conditions: BTreeMap<(usize, usize), Vec<Token<'t>>> = BTreeMap::new();
    let mut unplaced = Vec::new();
    for (number, claim) in (0u32..).zip(claims) {
        let at = position(sources, &tokens, &begins, claim);
        match (claim.place, at) {
            (ClaimPlace::Statement, Some(at)) => {
                let formula = formula_tokens(sources, claim, number, tokens[at].span, sink);
                before.entry(at).or_default().extend(formula);
            }
            (ClaimPlace::Loop, Some(at)) => match condition(&tokens, at) {
                Some(range) => {
                    let formula = formula_tokens(sources, claim, number, tokens[range.0].span, sink);
                    conditions.entry(range).or_default().extend(formula);
                }
                None => unplaced.push(number),
            },
            (_, None) => unplaced.push(number),
        }
    }
    (rewrite(&tokens, before, conditions), unplaced)
}

fn rewrite<'t>(
    tokens: &[Token<'t>],
    mut before: BTreeMap<usize, Vec<Token<'t>>>,
    conditions: BTreeMap<(usize, usize), Vec<Token<'t>>>,
) -> Vec<Token<'t>> {
    let mut after: BTreeMap<usize, Vec<Token<'t>>> = BTreeMap::new();
    for ((start, end), claims) in conditions {
        let word = |text: &'static str, at: usize| Token {
            kind: if text == "1" { TokenKind::Number } else { TokenKind::Punctuation },
            text,
            span: empty(tokens[at].span),
        };
        let mut opening = vec![word("(", start), word("{", start)];
        opening.extend(claims);
        if start == end {
            opening.push(word("1", start));
        }
        before.entry(start).or_default().extend(opening);
        after.entry(end).or_default().extend([word(";", end), word("}", end), word(")", end)]);
    }
    let mut rewritten = Vec::with_capacity(tokens.len());
    for (number, token) in tokens.iter().enumerate() {
        rewritten.extend(before.remove(&number).unwrap_or_default());
        rewritten.extend(after.remove(&number).unwrap_or_default());
        rewritten.push(*token);
    }
    rewritten
}

/// The tokens of a claim, all of them at the place that it is about.
fn formula_tokens<'t>(
    sources: &'t SourceMap,
    claim: &ClaimAt,
    number: u32,
    place: Span,
    sink: &mut Sink<'_>,
) -> Vec<Token<'t>> {
    let span = empty(place);
    let lexed = lexer::lex(sources.file(claim.formula).text(), claim.formula, sink);
    let mut tokens = vec![Token { kind: TokenKind::Claim(number), text: "claim", span }];
    tokens.extend(
        lexed
            .tokens
            .into_iter()
            .filter(|token| token.kind != TokenKind::End)
            .map(|token| Token { span, ..token }),
    );
    tokens.push(Token { kind: TokenKind::Punctuation, text: ";", span });
    tokens
}

fn empty(span: Span) -> Span {
    Span { end: span.start, ..span }
}

/// Which tokens may begin a statement: those directly inside braces, after a token that can end or introduce a
/// statement.
fn statement_starts(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut open: Vec<&str> = Vec::new();
    let mut begins = Vec::with_capacity(tokens.len());
    for (number, token) in tokens.iter().enumerate() {
        let is_behind = number.checked_sub(1).is_some_and(|previous| {
            let previous = &tokens[previous];
            [";", "{", "}", ")", ":", "else", "do"].iter().any(|word| previous.is(word))
        });
        let is_inside = open.last() == Some(&"{");
        begins.push(is_inside && is_behind && !token.is("}") && !token.is("else"));
        match token.text {
            "(" | "[" | "{" if token.kind == TokenKind::Punctuation => open.push(token.text),
            ")" | "]" | "}" if token.kind == TokenKind::Punctuation => drop(open.pop()),
            _ => {}
        }
    }
    begins
}

/// The token at which a claim's statement or loop begins.
fn position(sources: &SourceMap, tokens: &[Token<'_>], begins: &[bool], claim: &ClaimAt) -> Option<usize> {
    let file = sources.file(claim.file);
    if claim.line == 0 || claim.line > file.num_lines() {
        return None;
    }
    let line = file.lines(claim.line, claim.line);
    let wanted = match claim.column {
        None => None,
        Some(column) => {
            let skipped = usize::try_from(column.checked_sub(1)?).ok()?;
            let (offset, _) = file.line(claim.line).char_indices().nth(skipped)?;
            Some((line.start + offset) as u32)
        }
    };
    let is_there = |span: Span| match wanted {
        Some(start) => span.start == start,
        None => line.contains(&(span.start as usize)),
    };
    let is_loop = |token: &Token<'_>| ["while", "for", "do"].iter().any(|word| token.is(word));
    tokens.iter().enumerate().position(|(number, token)| {
        let fits = claim.place == ClaimPlace::Statement || is_loop(token);
        token.span.file == claim.file && begins[number] && fits && is_there(token.span)
    })
}

/// The tokens of the condition of the loop that begins at a token, from the first to the one after the last.
fn condition(tokens: &[Token<'_>], at: usize) -> Option<(usize, usize)> {
    let keyword = match tokens[at].text {
        "do" => {
            let body = tokens.get(at + 1).filter(|token| token.is("{")).map(|_| at + 1)?;
            closing(tokens, body)? + 1
        }
        _ => at,
    };
    let open = tokens.get(keyword + 1).filter(|token| token.is("(")).map(|_| keyword + 1)?;
    let close = closing(tokens, open)?;
    if tokens[keyword].text != "for" {
        return Some((open + 1, close));
    }
    let mut depth = 0usize;
    let mut semicolons = Vec::new();
    for (number, token) in tokens.iter().enumerate().take(close).skip(open + 1) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            ";" if depth == 0 => semicolons.push(number),
            _ => {}
        }
    }
    let [first, second] = semicolons[..] else { return None };
    Some((first + 1, second))
}

/// The bracket that closes the one at a token.
fn closing(tokens: &[Token<'_>], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (number, token) in tokens.iter().enumerate().skip(open) {
        if token.kind != TokenKind::Punctuation {
            continue;
        }
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth -= 1;
                if depth == 0 {
                    return Some(number);
                }
            }
            _ => {}
        }
    }
    None
}
