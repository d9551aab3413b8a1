//! Types, variables and functions.

use thetis_base::Reported;

use super::Parser;
use crate::ast::{
    BaseType, Declaration, Declarator, Dimension, Expr, FunctionDecl, Item, Name, Parameter, PriorityLevels,
    TypeExpr,
};
use crate::code;
use crate::lexer::TokenKind;

const TYPE_WORDS: [&str; 12] = [
    "const",
    "urgent",
    "broadcast",
    "meta",
    "int",
    "bool",
    "clock",
    "chan",
    "void",
    "scalar",
    "struct",
    "hybrid",
];

impl Parser<'_, '_> {
    /// Whether a declaration starts here: with a word of types, or with two names.
    pub(super) fn is_declaration(&self) -> bool {
        let TokenKind::Word(word) = &self.peek().kind else { return false };
        TYPE_WORDS.contains(&word.as_str())
            || (!super::KEYWORDS.contains(&word.as_str()) && matches!(self.peek_after(1), TokenKind::Word(_)))
    }

    pub(crate) fn item(&mut self) -> Result<Item, Reported> {
        if self.eat_word("typedef") {
            return Ok(Item::Typedef(self.declaration()?));
        }
        if self.is_word("chan") && matches!(self.peek_after(1), TokenKind::Word(word) if word == "priority") {
            return Ok(Item::Priorities(self.priorities()?));
        }
        if self.is_update_block("before_update") {
            return Ok(Item::BeforeUpdate(self.update_block()?));
        }
        if self.is_update_block("after_update") {
            return Ok(Item::AfterUpdate(self.update_block()?));
        }
        if !self.is_declaration() {
            return Err(self.expected("a declaration"));
        }
        let ty = self.type_expr()?;
        let name = self.name()?;
        if self.is_sign("(") {
            return Ok(Item::Function(self.function(ty, name)?));
        }
        Ok(Item::Variables(self.declarators(ty, name)?))
    }

    /// `chan priority a, b < default < c;`.
    fn priorities(&mut self) -> Result<PriorityLevels, Reported> {
        self.bump();
        self.bump();
        let mut levels = vec![vec![self.prioritized()?]];
        loop {
            if self.eat("<") {
                levels.push(vec![self.prioritized()?]);
            } else if self.eat(",") {
                let element = self.prioritized()?;
                levels.last_mut().into_iter().for_each(|level| level.push(element.clone()));
            } else {
                self.expect(";")?;
                return Ok(levels);
            }
        }
    }

    /// A channel, or `None` for `default`.
    fn prioritized(&mut self) -> Result<Option<Expr>, Reported> {
        if self.eat_word("default") { Ok(None) } else { self.postfix().map(Some) }
    }

    fn is_update_block(&self, word: &str) -> bool {
        self.is_word(word) && *self.peek_after(1) == TokenKind::Sign("{")
    }

    /// Updates in braces after a word.
    fn update_block(&mut self) -> Result<Vec<Expr>, Reported> {
        self.bump();
        self.bump();
        let updates = self.comma_list("}", Parser::expr)?;
        self.eat(";");
        Ok(updates)
    }

    pub(super) fn declaration(&mut self) -> Result<Declaration, Reported> {
        let ty = self.type_expr()?;
        let name = self.name()?;
        self.declarators(ty, name)
    }

    fn declarators(&mut self, ty: TypeExpr, first: Name) -> Result<Declaration, Reported> {
        let mut names = vec![self.declarator(first)?];
        while self.eat(",") {
            let name = self.name()?;
            names.push(self.declarator(name)?);
        }
        self.expect(";")?;
        Ok(Declaration { ty, names })
    }

    fn declarator(&mut self, name: Name) -> Result<Declarator, Reported> {
        let dimensions = self.dimensions()?;
        let has_initial = self.eat("=") || self.eat(":=");
        let initial = if has_initial { Some(self.initializer()?) } else { None };
        Ok(Declarator { name, dimensions, initial })
    }

    fn dimensions(&mut self) -> Result<Vec<Dimension>, Reported> {
        let mut list = Vec::new();
        while self.eat("[") {
            let is_type = ["int", "scalar"].iter().any(|word| self.is_word(word));
            list.push(if is_type {
                Dimension::Type(self.type_expr()?)
            } else {
                Dimension::Size(self.expr()?)
            });
            self.expect("]")?;
        }
        Ok(list)
    }

    pub(super) fn type_expr(&mut self) -> Result<TypeExpr, Reported> {
        self.nested(|parser| {
            let span = parser.peek().span;
            let mut ty = TypeExpr {
                is_const: false,
                is_urgent: false,
                is_broadcast: false,
                base: BaseType::Void,
                span,
            };
            loop {
                if parser.eat_word("const") {
                    ty.is_const = true;
                } else if parser.eat_word("urgent") {
                    ty.is_urgent = true;
                } else if parser.eat_word("broadcast") {
                    ty.is_broadcast = true;
                } else if parser.is_word("hybrid") {
                    let message = "hybrid clocks are not supported";
                    return Err(parser.diags.error(parser.peek().span, code::UNSUPPORTED, message));
                } else if !parser.eat_word("meta") {
                    break;
                }
            }
            ty.base = parser.base_type()?;
            Ok(ty)
        })
    }

    fn base_type(&mut self) -> Result<BaseType, Reported> {
        let TokenKind::Word(word) = &self.peek().kind else { return Err(self.expected("a type")) };
        match word.as_str() {
            "int" => {
                self.bump();
                if !self.eat("[") {
                    return Ok(BaseType::Int(None));
                }
                let low = self.expr()?;
                self.expect(",")?;
                let high = self.expr()?;
                self.expect("]")?;
                Ok(BaseType::Int(Some(Box::new((low, high)))))
            }
            "bool" => self.plain(BaseType::Bool),
            "clock" => self.plain(BaseType::Clock),
            "chan" => self.plain(BaseType::Channel),
            "void" => self.plain(BaseType::Void),
            "double" | "string" => {
                let message = format!("the type `{word}` is not supported");
                Err(self.diags.error(self.peek().span, code::UNSUPPORTED, message))
            }
            "scalar" => {
                self.bump();
                self.expect("[")?;
                let size = self.expr()?;
                self.expect("]")?;
                Ok(BaseType::Scalar(Box::new(size)))
            }
            "struct" => {
                self.bump();
                self.expect("{")?;
                let mut fields = Vec::new();
                while !self.eat("}") {
                    fields.push(self.declaration()?);
                }
                Ok(BaseType::Struct(fields))
            }
            _ => Ok(BaseType::Named(self.name()?.text)),
        }
    }

    fn plain(&mut self, base: BaseType) -> Result<BaseType, Reported> {
        self.bump();
        Ok(base)
    }

    /// Parameters in parentheses.
    pub(super) fn parameters(&mut self) -> Result<Vec<Parameter>, Reported> {
        self.expect("(")?;
        self.comma_list(")", Parser::parameter)
    }

    pub(crate) fn parameter(&mut self) -> Result<Parameter, Reported> {
        let ty = self.type_expr()?;
        let by_reference = self.eat("&");
        let name = self.name()?;
        let dimensions = self.dimensions()?;
        Ok(Parameter { ty, by_reference, name, dimensions })
    }

    fn function(&mut self, result: TypeExpr, name: Name) -> Result<FunctionDecl, Reported> {
        let parameters = self.parameters()?;
        self.expect("{")?;
        let body = self.statements()?;
        self.eat(";");
        Ok(FunctionDecl { result, name, parameters, body })
    }
}
