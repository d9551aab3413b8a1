//! Templates and their instances.

use thetis_base::Reported;

use super::Parser;
use crate::ast::{Direction, Expr, Instance, LocationDecl, Name, Template, Transition, TypeExpr};
use crate::code;
use crate::lexer::TokenKind;

impl Parser<'_, '_> {
    pub(super) fn is_instance(&self) -> bool {
        matches!(self.peek().kind, TokenKind::Word(_))
            && matches!(self.peek_after(1), TokenKind::Sign("(" | "=" | ":="))
    }

    pub(super) fn instance(&mut self) -> Result<Instance, Reported> {
        let name = self.name()?;
        let parameters = if self.is_sign("(") { self.parameters()? } else { Vec::new() };
        if !self.eat("=") && !self.eat(":=") {
            return Err(self.expected("`=`"));
        }
        let template = self.name()?;
        self.expect("(")?;
        let arguments = self.comma_list(")", Parser::expr)?;
        self.expect(";")?;
        Ok(Instance { name, parameters, template, arguments })
    }

    pub(super) fn template(&mut self) -> Result<Template, Reported> {
        self.bump();
        let name = self.name()?;
        let parameters = if self.is_sign("(") { self.parameters()? } else { Vec::new() };
        self.expect("{")?;
        let mut template = Template::new(name, parameters);
        while !self.eat("}") {
            self.part(&mut template)?;
        }
        self.eat(";");
        Ok(template)
    }

    fn part(&mut self, template: &mut Template) -> Result<(), Reported> {
        if self.eat_word("state") {
            template.locations.extend(self.comma_list(";", Parser::location)?);
        } else if self.eat_word("commit") {
            template.committed.extend(self.comma_list(";", Parser::name)?);
        } else if self.is_word("urgent") && !self.is_urgent_channel() {
            self.bump();
            template.urgent.extend(self.comma_list(";", Parser::name)?);
        } else if self.eat_word("init") {
            template.initial = Some(self.name()?);
            self.expect(";")?;
        } else if self.eat_word("trans") {
            self.transitions(template)?;
        } else if self.is_word("branchpoint") {
            let message = "branch points are not supported";
            return Err(self.diags.error(self.peek().span, code::UNSUPPORTED, message));
        } else {
            template.items.push(self.item()?);
        }
        Ok(())
    }

    fn is_urgent_channel(&self) -> bool {
        matches!(self.peek_after(1), TokenKind::Word(word) if word == "chan" || word == "broadcast")
    }

    fn location(&mut self) -> Result<LocationDecl, Reported> {
        let name = self.name()?;
        let mut invariant = Vec::new();
        if self.eat("{") {
            invariant = self.comma_list("}", Parser::expr)?;
        }
        Ok(LocationDecl { name, invariant })
    }

    fn transitions(&mut self, template: &mut Template) -> Result<(), Reported> {
        let mut previous: Option<Name> = None;
        let list = self.comma_list(";", |parser| {
            let transition = parser.transition(previous.clone())?;
            previous = Some(transition.source.clone());
            Ok(transition)
        })?;
        template.transitions.extend(list);
        Ok(())
    }

    fn transition(&mut self, previous: Option<Name>) -> Result<Transition, Reported> {
        let start = self.peek().span;
        let source = match previous {
            Some(name) if self.is_sign("->") => name,
            _ => self.name()?,
        };
        if self.is_sign("-u->") {
            let message = "transitions of games are not supported";
            return Err(self.diags.error(self.peek().span, code::UNSUPPORTED, message));
        }
        self.expect("->")?;
        let target = self.name()?;
        self.expect("{")?;
        let span = start.to(target.span);
        let mut transition = Transition::new(source, target, span);
        while !self.eat("}") {
            self.label(&mut transition)?;
        }
        Ok(transition)
    }

    fn label(&mut self, transition: &mut Transition) -> Result<(), Reported> {
        if self.eat_word("select") {
            transition.select.extend(self.comma_list(";", Parser::selection)?);
        } else if self.eat_word("guard") {
            transition.guard.extend(self.comma_list(";", Parser::expr)?);
        } else if self.eat_word("sync") {
            transition.sync = Some(self.synchronisation()?);
            self.expect(";")?;
        } else if self.eat_word("assign") {
            transition.assign.extend(self.comma_list(";", Parser::expr)?);
        } else if self.is_word("probability") {
            let message = "probabilities are not supported";
            return Err(self.diags.error(self.peek().span, code::UNSUPPORTED, message));
        } else {
            return Err(self.expected("`select`, `guard`, `sync`, `assign` or `}`"));
        }
        Ok(())
    }

    pub(crate) fn selection(&mut self) -> Result<(Name, TypeExpr), Reported> {
        let name = self.name()?;
        self.expect(":")?;
        Ok((name, self.type_expr()?))
    }

    pub(crate) fn synchronisation(&mut self) -> Result<(Expr, Direction), Reported> {
        let channel = self.postfix()?;
        let direction = if self.eat("!") {
            Direction::Send
        } else if self.eat("?") {
            Direction::Receive
        } else {
            Direction::Join
        };
        Ok((channel, direction))
    }
}
