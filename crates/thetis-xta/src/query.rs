//! Queries as UPPAAL writes them.
//!
//! ```text
//! query ::= E<> e | A[] e | explore | state-space-discrete
//! ```
//!
//! Liveness (`E[]`, `A<>`, `-->`), games, statistics and `sup` are not supported.

use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};
use thetis_model::xta::{XtaProperty, XtaQuestion};

use crate::XtaFile;
use crate::code;
use crate::compile::Compiler;
use crate::lexer::{Kind, Token, tokens};
use crate::parser::read_tokens;
use crate::text::Text;

/// Parses the text of `file` as a question about `model`. Its text is kept as it stands.
pub fn parse(
    sources: &SourceMap,
    file: FileId,
    model: &XtaFile,
    diags: &mut Diagnostics,
) -> Result<XtaProperty, Reported> {
    parse_text(&Text::of_file(sources, file), model, diags)
}

/// Parses a query that stands in the file of `model` itself; there are [`XtaFile::num_queries`], counted from 0.
pub fn parse_own(model: &XtaFile, index: usize, diags: &mut Diagnostics) -> Result<XtaProperty, Reported> {
    parse_text(&model.queries[index], model, diags)
}

fn parse_text(text: &Text, model: &XtaFile, diags: &mut Diagnostics) -> Result<XtaProperty, Reported> {
    let words = text.as_str().trim();
    match words {
        "explore" => return Ok(XtaProperty::new(words, XtaQuestion::Explore)),
        "state-space-discrete" => return Ok(XtaProperty::new(words, XtaQuestion::DiscreteStates)),
        _ => {}
    }
    let tokens = tokens(text, diags)?;
    let kind = kind(&tokens, diags)?;
    let expr = read_tokens(&tokens[3..], diags, |parser| parser.expr())?;
    let mut compiler = Compiler::new(model.network.clone(), model.names.clone(), diags);
    let formula = compiler.formula(&expr)?;
    let question = match kind {
        QueryKind::Exists => XtaQuestion::Exists(formula),
        QueryKind::Always => XtaQuestion::Always(formula),
    };
    Ok(XtaProperty::new(words, question))
}

/// The queries of a `.q` file, one for each line that is not empty; a backslash at the end of a line continues it.
pub fn split(text: &str) -> Vec<String> {
    let mut queries = Vec::new();
    let mut current = String::new();
    for line in without_comments(text).lines() {
        let line = line.trim();
        match line.strip_suffix('\\') {
            Some(part) => {
                current.push_str(part);
                current.push(' ');
            }
            None => {
                current.push_str(line);
                queries.push(std::mem::take(&mut current));
            }
        }
    }
    queries.push(current);
    queries.into_iter().map(|query| query.trim().to_owned()).filter(|query| !query.is_empty()).collect()
}

fn without_comments(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(start) = rest.find("/*") {
        result.push_str(&rest[..start]);
        rest = rest[start..].find("*/").map_or("", |end| &rest[start + end + 2..]);
    }
    result.push_str(rest);
    let lines = result.lines().map(|line| line.split("//").next().unwrap_or(""));
    lines.collect::<Vec<_>>().join("\n")
}

enum QueryKind {
    Exists,
    Always,
}

fn kind(tokens: &[Token], diags: &mut Diagnostics) -> Result<QueryKind, Reported> {
    let signs = |index: usize| match tokens.get(index).map(|token| &token.kind) {
        Some(Kind::Sign(sign)) => sign,
        _ => "",
    };
    let span = tokens[0].span;
    let is_leads_to =
        tokens.windows(2).any(|pair| pair[0].kind == Kind::Sign("--") && pair[1].kind == Kind::Sign(">"));
    let word = match &tokens[0].kind {
        Kind::Word(word) => word.as_str(),
        _ => "",
    };
    match (word, signs(1), signs(2)) {
        _ if is_leads_to => liveness("-->", span, diags),
        ("E", "<", ">") => Ok(QueryKind::Exists),
        ("A", "[", "]") => Ok(QueryKind::Always),
        ("E", "[", "]") => liveness("E[]", span, diags),
        ("A", "<", ">") => liveness("A<>", span, diags),
        ("sup" | "inf" | "bounds" | "Pr" | "simulate" | "control" | "strategy" | "E" | "A", _, _) => {
            Err(diags.error(span, code::UNSUPPORTED, format!("queries with `{word}` are not supported")))
        }
        _ => {
            Err(diags.error(span, code::SYNTAX, "expected `E<>`, `A[]`, `explore` or `state-space-discrete`"))
        }
    }
}

fn liveness(operator: &str, span: Span, diags: &mut Diagnostics) -> Result<QueryKind, Reported> {
    Err(diags.error(span, code::UNSUPPORTED, format!("liveness (`{operator}`) is not supported")))
}
