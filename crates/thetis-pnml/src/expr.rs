//! The expressions of properties, by precedence climbing.
//!
//! ```text
//! e ::= e or e | e and e | not e | a < a | a <= a | a = a | a != a | a >= a | a > a
//!     | fireable(t, ...) | deadlock | true | false | (e)
//! a ::= a + a | a - a | a * a | - a | number | place | (a)
//! ```
//!
//! Conditions and numbers share parentheses, so both are parsed as one kind of expression, whose [`Value`] says which it
//! is. Products must have a constant factor.

use thetis_base::{Diagnostics, Reported, Span};
use thetis_model::petri::{Comparison, Net, NetNames, PlaceId, Predicate, Relation, Sum, TransitionId};

use crate::code;
use crate::lexer::{Token, TokenKind};

/// Deeper nesting is rejected, so that the stack suffices.
const MAX_DEPTH: usize = 400;

/// A position in a list of tokens that ends in [`TokenKind::End`].
#[derive(Clone)]
pub(crate) struct Cursor<'t> {
    tokens: &'t [Token],
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(tokens: &'t [Token]) -> Cursor<'t> {
        assert_eq!(tokens.last().map(|token| &token.kind), Some(&TokenKind::End), "tokens should end");
        Cursor { tokens, at: 0 }
    }

    pub(crate) fn peek(&self) -> &'t Token {
        self.peek_at(0)
    }

    /// The token this many places ahead; the end if that is beyond.
    pub(crate) fn peek_at(&self, ahead: usize) -> &'t Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn bump(&mut self) -> &'t Token {
        let token = self.peek();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    /// Where the token before the cursor ends.
    pub(crate) fn previous_end(&self) -> u32 {
        self.tokens[self.at.saturating_sub(1)].span.end
    }

    pub(crate) fn is_word(&self, word: &str) -> bool {
        matches!(&self.peek().kind, TokenKind::Word(found) if found == word)
    }

    pub(crate) fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    pub(crate) fn eat_sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek().kind, TokenKind::Sign(found) if found == sign);
        if found {
            self.bump();
        }
        found
    }

    /// Reports that something else was expected here.
    pub(crate) fn expected(&self, what: &str, diags: &mut Diagnostics) -> Reported {
        let token = self.peek();
        diags.error(token.span, code::SYNTAX, format!("expected {what}, found {}", token.kind.describe()))
    }
}

/// The names that expressions may use.
pub(crate) trait Scope {
    fn place(&self, name: &str) -> Option<PlaceId>;
    fn transition(&self, name: &str) -> Option<TransitionId>;
}

impl Scope for NetNames<'_> {
    fn place(&self, name: &str) -> Option<PlaceId> {
        NetNames::place(self, name)
    }

    fn transition(&self, name: &str) -> Option<TransitionId> {
        NetNames::transition(self, name)
    }
}

/// The condition at the cursor.
pub(crate) fn condition(
    cursor: &mut Cursor<'_>,
    scope: &dyn Scope,
    diags: &mut Diagnostics,
) -> Result<Predicate, Reported> {
    let mut parser = Parser { cursor, scope, diags, depth: 0 };
    let value = parser.binary(0)?;
    parser.predicate(value)
}

/// A linear expression.
#[derive(Clone, Default)]
pub(crate) struct Linear {
    terms: Vec<(PlaceId, i64)>,
    constant: i64,
}

enum Content {
    Condition(Predicate),
    Number(Linear),
}

struct Value {
    content: Content,
    span: Span,
}

/// Binary operators from weak to strong.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    Compare(Relation),
    Add,
    Subtract,
    Multiply,
}

impl Operator {
    fn at(token: &Token) -> Option<Operator> {
        Some(match &token.kind {
            TokenKind::Word(word) if word == "or" => Operator::Or,
            TokenKind::Word(word) if word == "and" => Operator::And,
            TokenKind::Sign("<") => Operator::Compare(Relation::Less),
            TokenKind::Sign("<=") => Operator::Compare(Relation::AtMost),
            TokenKind::Sign("=" | "==") => Operator::Compare(Relation::Equal),
            TokenKind::Sign("!=") => Operator::Compare(Relation::NotEqual),
            TokenKind::Sign(">=") => Operator::Compare(Relation::AtLeast),
            TokenKind::Sign(">") => Operator::Compare(Relation::Greater),
            TokenKind::Sign("+") => Operator::Add,
            TokenKind::Sign("-") => Operator::Subtract,
            TokenKind::Sign("*") => Operator::Multiply,
            _ => return None,
        })
    }

    fn strength(self) -> u8 {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::Compare(_) => 4,
            Operator::Add | Operator::Subtract => 5,
            Operator::Multiply => 6,
        }
    }
}

/// `not` is weaker than comparisons, and stronger than `and`.
const NOT_STRENGTH: u8 = 3;
const MINUS_STRENGTH: u8 = 6;

struct Parser<'c, 't> {
    cursor: &'c mut Cursor<'t>,
    scope: &'c dyn Scope,
    diags: &'c mut Diagnostics,
    depth: usize,
}

impl Parser<'_, '_> {
    /// An expression whose operators bind at least this strongly.
    fn binary(&mut self, least: u8) -> Result<Value, Reported> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.cursor.peek().span;
            return Err(self.diags.error(span, code::TOO_DEEP, "the expression nests too deeply"));
        }
        let mut left = self.unary()?;
        while let Some(operator) = Operator::at(self.cursor.peek()) {
            if operator.strength() < least {
                break;
            }
            self.cursor.bump();
            let right = self.binary(operator.strength() + 1)?;
            left = self.combine(operator, left, right)?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary(&mut self) -> Result<Value, Reported> {
        let token = self.cursor.peek();
        match &token.kind {
            TokenKind::Word(word) if word == "not" => {
                self.cursor.bump();
                let inner = self.binary(NOT_STRENGTH)?;
                let span = token.span.to(inner.span);
                let predicate = self.predicate(inner)?;
                Ok(Value { content: Content::Condition(Predicate::Not(Box::new(predicate))), span })
            }
            TokenKind::Sign("-") => {
                self.cursor.bump();
                let inner = self.binary(MINUS_STRENGTH)?;
                let span = token.span.to(inner.span);
                let negative = self.number(inner)?.times(-1);
                self.fit(span, negative)
            }
            _ => self.primary(),
        }
    }

    fn primary(&mut self) -> Result<Value, Reported> {
        let token = self.cursor.peek();
        let condition = |predicate| Value { content: Content::Condition(predicate), span: token.span };
        match &token.kind {
            TokenKind::Sign("(") => {
                self.cursor.bump();
                let inner = self.binary(0)?;
                let end = self.cursor.peek().span;
                self.expect_sign(")")?;
                Ok(Value { span: token.span.to(end), ..inner })
            }
            TokenKind::Number(digits) => {
                self.cursor.bump();
                let constant = digits.parse().ok().map(|constant| Linear { terms: Vec::new(), constant });
                self.fit(token.span, constant)
            }
            TokenKind::Word(word) => match word.as_str() {
                "true" | "false" | "deadlock" => {
                    self.cursor.bump();
                    Ok(condition(match word.as_str() {
                        "deadlock" => Predicate::Deadlock,
                        word => Predicate::Constant(word == "true"),
                    }))
                }
                "fireable" => self.fireable(),
                name => self.place(name, token.span),
            },
            TokenKind::Quoted(name) => self.place(name, token.span),
            _ => Err(self.cursor.expected("an expression", self.diags)),
        }
    }

    fn place(&mut self, name: &str, span: Span) -> Result<Value, Reported> {
        self.cursor.bump();
        match self.scope.place(name) {
            Some(place) => {
                Ok(Value { content: Content::Number(Linear { terms: vec![(place, 1)], constant: 0 }), span })
            }
            None => Err(self.diags.error(span, code::UNKNOWN_NAME, format!("there is no place `{name}`"))),
        }
    }

    fn fireable(&mut self) -> Result<Value, Reported> {
        let start = self.cursor.bump().span;
        self.expect_sign("(")?;
        let mut list = Vec::new();
        loop {
            let token = self.cursor.peek();
            let (TokenKind::Word(name) | TokenKind::Quoted(name)) = &token.kind else {
                return Err(self.cursor.expected("a transition", self.diags));
            };
            self.cursor.bump();
            match self.scope.transition(name) {
                Some(transition) => list.push(transition),
                None => {
                    let message = format!("there is no transition `{name}`");
                    return Err(self.diags.error(token.span, code::UNKNOWN_NAME, message));
                }
            }
            if !self.cursor.eat_sign(",") {
                break;
            }
        }
        let end = self.cursor.peek().span;
        self.expect_sign(")")?;
        Ok(Value { content: Content::Condition(Predicate::Fireable(list)), span: start.to(end) })
    }

    fn expect_sign(&mut self, sign: &str) -> Result<(), Reported> {
        if self.cursor.eat_sign(sign) {
            return Ok(());
        }
        Err(self.cursor.expected(&format!("`{sign}`"), self.diags))
    }

    fn combine(&mut self, operator: Operator, left: Value, right: Value) -> Result<Value, Reported> {
        let span = left.span.to(right.span);
        if let Operator::And | Operator::Or = operator {
            let (left, right) = (self.predicate(left)?, self.predicate(right)?);
            let content = Content::Condition(joined(operator, left, right));
            return Ok(Value { content, span });
        }
        let (left, right) = (self.number(left)?, self.number(right)?);
        let result = match operator {
            Operator::Compare(relation) => return self.compare(left, relation, right, span),
            Operator::Add => left.plus(right),
            Operator::Subtract => right.times(-1).and_then(|right| left.plus(right)),
            _ if left.terms.is_empty() => right.times(left.constant),
            _ if right.terms.is_empty() => left.times(right.constant),
            _ => {
                let message = "a product of token counts, expected a constant factor";
                return Err(self.diags.error(span, code::NOT_LINEAR, message));
            }
        };
        self.fit(span, result)
    }

    fn compare(
        &mut self,
        left: Linear,
        relation: Relation,
        right: Linear,
        span: Span,
    ) -> Result<Value, Reported> {
        match comparison(left, relation, right) {
            Some(comparison) => {
                Ok(Value { content: Content::Condition(Predicate::Compare(comparison)), span })
            }
            None => Err(self.too_large(span)),
        }
    }

    fn predicate(&mut self, value: Value) -> Result<Predicate, Reported> {
        match value.content {
            Content::Condition(predicate) => Ok(predicate),
            Content::Number(_) => {
                Err(self.diags.error(value.span, code::TYPE_MISMATCH, "a number, expected a condition"))
            }
        }
    }

    fn number(&mut self, value: Value) -> Result<Linear, Reported> {
        match value.content {
            Content::Number(linear) => Ok(linear),
            Content::Condition(_) => {
                Err(self.diags.error(value.span, code::TYPE_MISMATCH, "a condition, expected a number"))
            }
        }
    }

    fn fit(&mut self, span: Span, linear: Option<Linear>) -> Result<Value, Reported> {
        match linear {
            Some(linear) => Ok(Value { content: Content::Number(linear), span }),
            None => Err(self.too_large(span)),
        }
    }

    fn too_large(&mut self, span: Span) -> Reported {
        self.diags.error(span, code::NUMBER, format!("a number is larger than {}", Net::MAX_NUMBER))
    }
}

/// Chains become one list, so that they do not nest.
fn joined(operator: Operator, left: Predicate, right: Predicate) -> Predicate {
    match (operator, left) {
        (Operator::And, Predicate::And(mut parts)) => {
            parts.push(right);
            Predicate::And(parts)
        }
        (Operator::Or, Predicate::Or(mut parts)) => {
            parts.push(right);
            Predicate::Or(parts)
        }
        (Operator::And, left) => Predicate::And(vec![left, right]),
        (_, left) => Predicate::Or(vec![left, right]),
    }
}

/// `left relation right`, or `None` if a number does not fit.
pub(crate) fn comparison(left: Linear, relation: Relation, right: Linear) -> Option<Comparison> {
    let bound = right.constant.checked_sub(left.constant)?;
    let terms = left.terms.into_iter().chain(right.times(-1)?.terms);
    Some(Comparison { sum: Sum::new(terms).ok()?, relation, bound })
}

impl Linear {
    pub(crate) fn constant(constant: i64) -> Linear {
        Linear { terms: Vec::new(), constant }
    }

    pub(crate) fn place(place: PlaceId) -> Linear {
        Linear { terms: vec![(place, 1)], constant: 0 }
    }

    pub(crate) fn plus(mut self, mut other: Linear) -> Option<Linear> {
        if self.terms.len() < other.terms.len() {
            std::mem::swap(&mut self, &mut other);
        }
        self.constant = self.constant.checked_add(other.constant)?;
        self.terms.extend(other.terms);
        Some(self)
    }

    pub(crate) fn times(mut self, factor: i64) -> Option<Linear> {
        self.constant = self.constant.checked_mul(factor)?;
        for term in &mut self.terms {
            term.1 = term.1.checked_mul(factor)?;
        }
        Some(self)
    }

    /// The product, if one of the factors is constant.
    pub(crate) fn product(self, other: Linear) -> Option<Linear> {
        match (self.terms.is_empty(), other.terms.is_empty()) {
            (true, _) => other.times(self.constant),
            (false, true) => self.times(other.constant),
            (false, false) => None,
        }
    }
}
