//! Statements and blocks.

use thetis_base::Span;

use super::super::ast::{BlockItem, Declaration, Derived, Expr, InitDeclarator, Stmt, StmtKind, Storage};
use super::super::token::TokenKind;
use super::{NameKind, Parsed, Parser};

impl Parser<'_, '_, '_> {
    /// `{ … }`; the scope is the caller's, so that parameters can be in it.
    pub(super) fn block(&mut self) -> Parsed<Vec<BlockItem>> {
        self.nested(|parser| {
            parser.expect("{")?;
            parser.local_labels()?;
            let mut items = Vec::new();
            while !parser.accept("}") {
                if parser.peek().kind == TokenKind::End {
                    return Err(parser.unexpected("`}`"));
                }
                items.push(parser.block_item()?);
            }
            Ok(items)
        })
    }

    /// `__label__ a, b;` makes labels local to a block, which matters only if a name is used twice.
    fn local_labels(&mut self) -> Parsed<()> {
        while self.accept("__label__") {
            self.identifier()?;
            while self.accept(",") {
                self.identifier()?;
            }
            self.expect(";")?;
        }
        Ok(())
    }

    fn block_item(&mut self) -> Parsed<BlockItem> {
        if self.peek().is("_Static_assert") {
            return self.static_assert().map(BlockItem::StaticAssert);
        }
        let is_label = self.is_identifier(self.peek()) && self.peek_second().is(":");
        if is_label || !self.starts_declaration() {
            return self.statement().map(BlockItem::Stmt);
        }
        let start = self.peek().span;
        let specifiers = self.specifiers()?;
        if self.accept(";") {
            // Only attributes, such as `fallthrough`, or the declaration of a tag.
            return Ok(BlockItem::Declaration(Declaration { specifiers, declarators: Vec::new() }));
        }
        let declarator = self.named_declarator()?;
        let is_function = matches!(declarator.derived.first(), Some(Derived::Function(_)));
        if is_function && self.peek().is("{") && specifiers.storage != Some(Storage::Typedef) {
            if let Some(name) = &declarator.name {
                self.declare(name, NameKind::Other);
            }
            self.scoped(|parser| {
                parser.declare_parameters(&declarator.derived);
                parser.block()
            })?;
            let declarators = vec![InitDeclarator { declarator, initializer: None }];
            return Ok(BlockItem::NestedFunction(
                Declaration { specifiers, declarators },
                self.span_from(start),
            ));
        }
        self.declaration_after(specifiers, declarator).map(BlockItem::Declaration)
    }

    pub(super) fn statement(&mut self) -> Parsed<Stmt> {
        self.nested(|parser| {
            let start = parser.peek().span;
            let kind = parser.statement_kind()?;
            Ok(Stmt { kind, span: parser.span_from(start) })
        })
    }

    fn statement_kind(&mut self) -> Parsed<StmtKind> {
        let token = self.peek();
        match token.kind {
            TokenKind::Name => {}
            TokenKind::Punctuation if token.text == ";" => {
                self.next();
                return Ok(StmtKind::Empty);
            }
            TokenKind::Punctuation if token.text == "{" => {
                return self.scoped(Self::block).map(StmtKind::Block);
            }
            TokenKind::AcslAssert | TokenKind::AcslUnknown => return self.acsl(),
            TokenKind::Claim(number) => return self.claim(number),
            _ => return self.expression_statement(),
        }
        match token.text {
            "if" => self.scoped(Self::if_statement),
            "while" => self.scoped(|parser| {
                parser.next();
                Ok(StmtKind::While(parser.condition()?, parser.body()?))
            }),
            "do" => self.scoped(Self::do_while),
            "for" => self.scoped(Self::for_statement),
            "switch" => self.scoped(|parser| {
                parser.next();
                Ok(StmtKind::Switch(parser.condition()?, parser.body()?))
            }),
            "case" => self.case(),
            "default" => {
                self.next();
                self.expect(":")?;
                Ok(StmtKind::Default(self.labeled()?))
            }
            "goto" => self.goto(),
            "break" => self.jump(StmtKind::Break),
            "continue" => self.jump(StmtKind::Continue),
            "return" => {
                self.next();
                let value = if self.peek().is(";") { None } else { Some(self.expression()?) };
                self.expect(";")?;
                Ok(StmtKind::Return(value))
            }
            "asm" | "__asm" | "__asm__" => self.asm(),
            _ if self.is_identifier(token) && self.peek_second().is(":") => {
                let name = self.identifier()?.node;
                self.next();
                self.harmless_attributes()?;
                Ok(StmtKind::Label(name, self.labeled()?))
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Parsed<StmtKind> {
        let expr = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::Expr(expr))
    }

    /// An assertion of ACSL, with the statement that follows it if a single one is wanted here.
    fn acsl(&mut self) -> Parsed<StmtKind> {
        let token = self.next();
        if token.kind == TokenKind::AcslUnknown {
            return Ok(StmtKind::AcslUnknown);
        }
        if self.is_identifier(self.peek()) && self.peek_second().is(":") {
            self.next();
            self.next();
        }
        let formula = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::AcslAssert(formula))
    }

    /// A claim of a witness, which stands before a statement as an assertion does.
    fn claim(&mut self, number: u32) -> Parsed<StmtKind> {
        self.next();
        let formula = self.expression()?;
        self.expect(";")?;
        Ok(StmtKind::Claim(number, formula))
    }

    /// The statement after a condition or label. An assertion before it does not take its place.
    fn body(&mut self) -> Parsed<Box<Stmt>> {
        let kind = self.peek().kind;
        if !matches!(kind, TokenKind::AcslAssert | TokenKind::AcslUnknown | TokenKind::Claim(_)) {
            return self.statement().map(Box::new);
        }
        let start = self.peek().span;
        let assertion = BlockItem::Stmt(self.statement()?);
        let statement = BlockItem::Stmt(*self.body()?);
        let kind = StmtKind::Block(vec![assertion, statement]);
        Ok(Box::new(Stmt { kind, span: self.span_from(start) }))
    }

    /// What follows a label: a statement, or nothing before a declaration or the end of the block.
    fn labeled(&mut self) -> Parsed<Box<Stmt>> {
        let is_label = self.is_identifier(self.peek()) && self.peek_second().is(":");
        if self.peek().is("}") || (self.starts_declaration() && !is_label) {
            let span = Span { end: self.peek().span.start, ..self.peek().span };
            return Ok(Box::new(Stmt { kind: StmtKind::Empty, span }));
        }
        self.body()
    }

    fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(")?;
        let condition = self.expression()?;
        self.expect(")")?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        let condition = self.condition()?;
        let then = self.body()?;
        let otherwise = if self.accept("else") { Some(self.body()?) } else { None };
        Ok(StmtKind::If(condition, then, otherwise))
    }

    fn do_while(&mut self) -> Parsed<StmtKind> {
        self.next();
        let body = self.body()?;
        self.expect("while")?;
        let condition = self.condition()?;
        self.expect(";")?;
        Ok(StmtKind::DoWhile(body, condition))
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.next();
        self.expect("(")?;
        let mut init = Vec::new();
        if self.starts_declaration() {
            init.push(BlockItem::Declaration(self.declaration()?));
        } else if !self.accept(";") {
            let start = self.peek().span;
            let kind = self.expression_statement()?;
            init.push(BlockItem::Stmt(Stmt { kind, span: self.span_from(start) }));
        }
        let condition = if self.peek().is(";") { None } else { Some(self.expression()?) };
        self.expect(";")?;
        let step = if self.peek().is(")") { None } else { Some(self.expression()?) };
        self.expect(")")?;
        let body = self.body()?;
        Ok(StmtKind::For { init, condition, step, body })
    }

    fn case(&mut self) -> Parsed<StmtKind> {
        self.next();
        let low = self.conditional()?;
        let high = if self.accept("...") { Some(self.conditional()?) } else { None };
        self.expect(":")?;
        Ok(StmtKind::Case { low, high, body: self.labeled()? })
    }

    fn goto(&mut self) -> Parsed<StmtKind> {
        self.next();
        let kind = if self.accept("*") {
            StmtKind::ComputedGoto(self.expression()?)
        } else {
            StmtKind::Goto(self.identifier()?)
        };
        self.expect(";")?;
        Ok(kind)
    }

    fn jump(&mut self, kind: StmtKind) -> Parsed<StmtKind> {
        self.next();
        self.expect(";")?;
        Ok(kind)
    }
}
