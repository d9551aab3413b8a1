//! From text to a net.

use rustc_hash::FxHashMap;
use thetis_base::{Diagnostic, Diagnostics, FileId, Reported, SourceMap, Span};
use thetis_model::petri::{
    Net, NetBuilder, PetriProperty, Place, PlaceId, Predicate, Question, Transition, TransitionId,
};

use super::NetFile;
use crate::code;
use crate::expr::{Cursor, Scope, condition};
use crate::lexer::{TokenKind, tokens};
use crate::property::{is_question, question};

/// Reads the net in `file`.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<NetFile, Reported> {
    let text = sources.file(file).text();
    let tokens = tokens(text, file, diags)?;
    let mut parser = Parser {
        cursor: Cursor::new(&tokens),
        names: Names::default(),
        builder: NetBuilder::new("net"),
        is_named: false,
        arcs: Vec::new(),
        targets: Vec::new(),
        diags,
    };
    while parser.cursor.peek().kind != TokenKind::End {
        if parser.statement().is_err() {
            parser.recover();
        }
    }
    parser.finish(sources)
}

const STATEMENTS: [&str; 4] = ["net", "place", "transition", "target"];

struct Parser<'t, 'd> {
    cursor: Cursor<'t>,
    names: Names<'t>,
    builder: NetBuilder,
    is_named: bool,
    arcs: Vec<PendingArc<'t>>,
    /// Where each target starts.
    targets: Vec<Cursor<'t>>,
    diags: &'d mut Diagnostics,
}

#[derive(Default)]
struct Names<'t> {
    places: FxHashMap<&'t str, (PlaceId, Span)>,
    transitions: FxHashMap<&'t str, (TransitionId, Span)>,
}

impl Scope for Names<'_> {
    fn place(&self, name: &str) -> Option<PlaceId> {
        self.places.get(name).map(|(id, _)| *id)
    }

    fn transition(&self, name: &str) -> Option<TransitionId> {
        self.transitions.get(name).map(|(id, _)| *id)
    }
}

/// An arc whose place may be declared later.
struct PendingArc<'t> {
    kind: ArcKind,
    transition: TransitionId,
    place: &'t str,
    span: Span,
    weight: u64,
}

#[derive(Clone, Copy)]
enum ArcKind {
    Input,
    Output,
    Inhibitor,
}

impl<'t> Parser<'t, '_> {
    fn statement(&mut self) -> Result<(), Reported> {
        let token = self.cursor.peek();
        match &token.kind {
            TokenKind::Word(word) if word == "net" => self.net_name(),
            TokenKind::Word(word) if word == "place" => self.places(),
            TokenKind::Word(word) if word == "transition" => self.transition(),
            TokenKind::Word(word) if word == "target" => self.target(),
            _ => Err(self.cursor.expected("`net`, `place`, `transition` or `target`", self.diags)),
        }
    }

    /// Goes on at the next statement.
    fn recover(&mut self) {
        self.cursor.bump();
        while !self.at_statement() {
            self.cursor.bump();
        }
    }

    fn at_statement(&self) -> bool {
        self.cursor.peek().kind == TokenKind::End || STATEMENTS.iter().any(|word| self.cursor.is_word(word))
    }

    fn net_name(&mut self) -> Result<(), Reported> {
        let span = self.cursor.bump().span;
        let (name, _) = self.name("the name of the net")?;
        if self.is_named {
            return Err(self.diags.error(span, code::DUPLICATE_NAME, "the net already has a name"));
        }
        self.is_named = true;
        self.builder.rename(name);
        Ok(())
    }

    fn places(&mut self) -> Result<(), Reported> {
        self.cursor.bump();
        loop {
            let (name, span) = self.name("the name of a place")?;
            let initial = if self.cursor.eat_sign("=") { self.number("the initial marking")? } else { 0 };
            let label = self.label()?;
            match self.names.places.get(name) {
                Some((_, earlier)) => self.duplicate("place", name, span, *earlier),
                None => {
                    let place = Place { name: name.into(), label, initial, span: Some(span) };
                    self.names.places.insert(name, (self.builder.add_place(place), span));
                }
            }
            if !self.cursor.eat_sign(",") {
                return Ok(());
            }
        }
    }

    fn duplicate(&mut self, what: &str, name: &str, span: Span, earlier: Span) {
        let message = format!("there is already a {what} `{name}`");
        let error = Diagnostic::error(span, code::DUPLICATE_NAME, message);
        self.diags.report(error.label(earlier, "first declared here"));
    }

    fn transition(&mut self) -> Result<(), Reported> {
        self.cursor.bump();
        let (name, span) = self.name("the name of a transition")?;
        let label = self.label()?;
        if let Some((_, earlier)) = self.names.transitions.get(name) {
            self.duplicate("transition", name, span, *earlier);
        }
        let transition = Transition { name: name.into(), label, span: Some(span) };
        let transition = self.builder.add_transition(transition);
        self.names.transitions.insert(name, (transition, span));
        loop {
            let kind = match &self.cursor.peek().kind {
                TokenKind::Word(word) if word == "in" => ArcKind::Input,
                TokenKind::Word(word) if word == "out" => ArcKind::Output,
                TokenKind::Word(word) if word == "inhibit" => ArcKind::Inhibitor,
                _ if self.at_statement() => return Ok(()),
                _ => {
                    return Err(self
                        .cursor
                        .expected("`in`, `out`, `inhibit` or a new statement", self.diags));
                }
            };
            self.cursor.bump();
            self.arcs(kind, transition)?;
        }
    }

    fn arcs(&mut self, kind: ArcKind, transition: TransitionId) -> Result<(), Reported> {
        loop {
            let weight = self.weight()?;
            let (place, span) = self.name("a place")?;
            self.arcs.push(PendingArc { kind, transition, place, span, weight });
            if !self.cursor.eat_sign(",") {
                return Ok(());
            }
        }
    }

    fn weight(&mut self) -> Result<u64, Reported> {
        let token = self.cursor.peek();
        if !matches!(token.kind, TokenKind::Number(_)) {
            return Ok(1);
        }
        let weight = self.number("the weight")?;
        if weight == 0 {
            let message = "the weight is 0, expected a positive number";
            return Err(self.diags.error(token.span, code::NUMBER, message));
        }
        if !self.cursor.eat_sign("*") {
            return Err(self.cursor.expected("`*` between a weight and a place", self.diags));
        }
        Ok(weight)
    }

    /// Targets are parsed at the end, when all names are known; here they are only skipped.
    fn target(&mut self) -> Result<(), Reported> {
        self.cursor.bump();
        self.targets.push(self.cursor.clone());
        while !self.at_statement() {
            self.cursor.bump();
        }
        Ok(())
    }

    fn label(&mut self) -> Result<Option<String>, Reported> {
        if !self.cursor.eat_word("label") {
            return Ok(None);
        }
        match &self.cursor.peek().kind {
            TokenKind::Quoted(label) => {
                self.cursor.bump();
                Ok(Some(label.clone()))
            }
            _ => Err(self.cursor.expected("a label in double quotes", self.diags)),
        }
    }

    fn name(&mut self, what: &str) -> Result<(&'t str, Span), Reported> {
        let token = self.cursor.peek();
        let is_free = match &token.kind {
            TokenKind::Word(_) => !self.at_statement(),
            TokenKind::Quoted(_) => true,
            _ => false,
        };
        match &token.kind {
            TokenKind::Word(name) | TokenKind::Quoted(name) if is_free => {
                self.cursor.bump();
                Ok((name, token.span))
            }
            _ => Err(self.cursor.expected(what, self.diags)),
        }
    }

    fn number(&mut self, what: &str) -> Result<u64, Reported> {
        let token = self.cursor.peek();
        let TokenKind::Number(digits) = &token.kind else {
            return Err(self.cursor.expected("a natural number", self.diags));
        };
        self.cursor.bump();
        match digits.parse() {
            Ok(number) if number <= Net::MAX_NUMBER => Ok(number),
            _ => {
                let message = format!("{what} is larger than {}", Net::MAX_NUMBER);
                Err(self.diags.error(token.span, code::NUMBER, message))
            }
        }
    }

    fn finish(mut self, sources: &SourceMap) -> Result<NetFile, Reported> {
        for arc in std::mem::take(&mut self.arcs) {
            self.resolve(&arc);
        }
        let mut targets = Vec::new();
        for mut cursor in std::mem::take(&mut self.targets) {
            if let Ok(target) = self.parse_target(&mut cursor, sources) {
                targets.push(target);
            }
        }
        self.diags.check()?;
        let end = self.cursor.peek().span;
        let net =
            self.builder.build().map_err(|error| self.diags.error(end, code::NUMBER, error.to_string()))?;
        Ok(NetFile { net, targets })
    }

    fn resolve(&mut self, arc: &PendingArc<'t>) {
        let Some((place, _)) = self.names.places.get(arc.place) else {
            let message = format!("there is no place `{}`", arc.place);
            self.diags.error(arc.span, code::UNKNOWN_NAME, message);
            return;
        };
        match arc.kind {
            ArcKind::Input => self.builder.input(arc.transition, *place, arc.weight),
            ArcKind::Output => self.builder.output(arc.transition, *place, arc.weight),
            ArcKind::Inhibitor => self.builder.inhibitor(arc.transition, *place, arc.weight),
        }
    }

    /// A property, or a bare expression that stands for `EF`.
    fn parse_target(
        &mut self,
        cursor: &mut Cursor<'t>,
        sources: &SourceMap,
    ) -> Result<PetriProperty, Reported> {
        let first = cursor.peek().span;
        let (question, is_bare) = if is_question(cursor) {
            (question(cursor, &self.names, self.diags)?, false)
        } else {
            match condition(cursor, &self.names, self.diags)? {
                Predicate::Deadlock => (Question::Deadlock, false),
                predicate => (Question::Exists(predicate), true),
            }
        };
        self.cursor = cursor.clone();
        if !self.at_statement() {
            return Err(cursor.expected("a new statement", self.diags));
        }
        let text = sources.text(Span { end: cursor.previous_end(), ..first });
        let text = if is_bare { format!("EF {text}") } else { text.to_owned() };
        Ok(PetriProperty::with_text(text, question))
    }
}
