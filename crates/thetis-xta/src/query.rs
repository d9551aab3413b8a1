//! Queries as UPPAAL writes them.
//!
//! ```text
//! query ::= E<> e | A[] e | E[] e | A<> e | e --> e | extreme | explore | state-space-discrete
//! extreme ::= ("sup" | "inf" | "bounds") ["{" e "}"] ":" e {"," e}
//! ```
//!
//! Games and statistics are not supported, nor is `deadlock` in queries other than `E<>` and `A[]`.

use thetis_base::{Diagnostics, FileId, Reported, SourceMap, Span};
use thetis_model::xta::{Extrema, Extreme, Formula, Measure, MeasureKind, XtaProperty, XtaQuestion};

use crate::XtaFile;
use crate::code;
use crate::compile::Compiler;
use crate::lexer::{Token, TokenKind, tokens};
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
    let mut reader = Reader { model, diags };
    let question = match kind(&tokens, reader.diags)? {
        QueryKind::Exists => XtaQuestion::Exists(reader.formula(&tokens[3..])?),
        QueryKind::Always => XtaQuestion::Always(reader.formula(&tokens[3..])?),
        QueryKind::PossiblyAlways => XtaQuestion::PossiblyAlways(reader.condition(&tokens[3..])?),
        QueryKind::Eventually => XtaQuestion::Eventually(reader.condition(&tokens[3..])?),
        QueryKind::LeadsTo(arrow) => {
            let end = Token { kind: TokenKind::End, span: tokens[arrow].span };
            let cause: Vec<Token> = tokens[..arrow].iter().cloned().chain([end]).collect();
            XtaQuestion::LeadsTo(reader.condition(&cause)?, reader.condition(&tokens[arrow + 2..])?)
        }
        QueryKind::Extrema(sides) => XtaQuestion::Extrema(reader.extrema(words, sides, &tokens[1..])?),
    };
    Ok(XtaProperty::new(words, question))
}

struct Reader<'m, 'd> {
    model: &'m XtaFile,
    diags: &'d mut Diagnostics,
}

impl Reader<'_, '_> {
    fn formula(&mut self, tokens: &[Token]) -> Result<Formula, Reported> {
        let expr = read_tokens(tokens, self.diags, |parser| parser.expr())?;
        self.compiler().formula(&expr)
    }

    /// A formula without deadlocks.
    fn condition(&mut self, tokens: &[Token]) -> Result<Formula, Reported> {
        let formula = self.formula(tokens)?;
        self.check_deadlock(&formula, tokens[0].span)?;
        Ok(formula)
    }

    fn check_deadlock(&mut self, formula: &Formula, span: Span) -> Result<(), Reported> {
        if formula.mentions_deadlock() {
            let message = "`deadlock` is supported in `E<>` and `A[]` only";
            return Err(self.diags.error(span, code::UNSUPPORTED, message));
        }
        Ok(())
    }

    /// What stands after `sup`, `inf` or `bounds`.
    fn extrema(&mut self, words: &str, sides: Vec<Extreme>, tokens: &[Token]) -> Result<Extrema, Reported> {
        let (condition, exprs) = read_tokens(tokens, self.diags, |parser| parser.extreme())?;
        let within = match &condition {
            Some(condition) => self.compiler().formula(condition)?,
            None => Formula::And(Vec::new()),
        };
        self.check_deadlock(&within, tokens[0].span)?;
        let mut measures = Vec::new();
        for (expr, text) in exprs.iter().zip(measure_texts(words)) {
            let kind = match self.compiler().clock_of(expr)? {
                Some(clock) => MeasureKind::Clock(clock),
                None => MeasureKind::Data(self.compiler().pure_value(expr)?),
            };
            measures.push(Measure { text, kind });
        }
        Ok(Extrema { sides, within, measures })
    }

    fn compiler(&mut self) -> Compiler<'_> {
        Compiler::new(self.model.network.clone(), self.model.names.clone(), self.diags)
    }
}

/// The expressions of a query for extreme values as they are written: the parts after the colon, separated by commas outside
/// of brackets.
fn measure_texts(words: &str) -> Vec<String> {
    let (mut depth, mut texts) = (0_u32, None::<Vec<String>>);
    for letter in words.chars() {
        match (letter, &mut texts) {
            (':', None) if depth == 0 => texts = Some(vec![String::new()]),
            (',', Some(texts)) if depth == 0 => texts.push(String::new()),
            (_, Some(texts)) => texts.last_mut().into_iter().for_each(|text| text.push(letter)),
            _ => {}
        }
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    texts.unwrap_or_default().iter().map(|text| text.trim().to_owned()).collect()
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
    PossiblyAlways,
    Eventually,
    /// With the place of the arrow.
    LeadsTo(usize),
    Extrema(Vec<Extreme>),
}

fn kind(tokens: &[Token], diags: &mut Diagnostics) -> Result<QueryKind, Reported> {
    let signs = |index: usize| match tokens.get(index).map(|token| &token.kind) {
        Some(TokenKind::Sign(sign)) => sign,
        _ => "",
    };
    let span = tokens[0].span;
    let arrow = tokens
        .windows(2)
        .position(|pair| pair[0].kind == TokenKind::Sign("--") && pair[1].kind == TokenKind::Sign(">"));
    let word = match &tokens[0].kind {
        TokenKind::Word(word) => word.as_str(),
        _ => "",
    };
    match (word, signs(1), signs(2)) {
        ("E", "<", ">") => Ok(QueryKind::Exists),
        ("A", "[", "]") => Ok(QueryKind::Always),
        ("E", "[", "]") => Ok(QueryKind::PossiblyAlways),
        ("A", "<", ">") => Ok(QueryKind::Eventually),
        ("sup", "{" | ":", _) => Ok(QueryKind::Extrema(vec![Extreme::Supremum])),
        ("inf", "{" | ":", _) => Ok(QueryKind::Extrema(vec![Extreme::Infimum])),
        ("bounds", "{" | ":", _) => Ok(QueryKind::Extrema(vec![Extreme::Infimum, Extreme::Supremum])),
        ("Pr" | "simulate" | "control" | "strategy" | "E" | "A", _, _) => {
            Err(diags.error(span, code::UNSUPPORTED, format!("queries with `{word}` are not supported")))
        }
        _ => match arrow {
            Some(arrow) => Ok(QueryKind::LeadsTo(arrow)),
            None => Err(diags.error(
                span,
                code::SYNTAX,
                "expected `E<>`, `A[]`, `E[]`, `A<>`, `-->`, `sup`, `inf`, `bounds`, `explore` or `state-space-discrete`",
            )),
        },
    }
}
