//! The commands of a script, one after the other.

use thetis_base::{Code, Diagnostics, FileId, Reported, Sink, SourceMap, Span};
use thetis_expr::smtlib::sexpr::{Sexpr, SexprKind, Sexprs};
use thetis_expr::smtlib::{ParseError, Scope, sort_in, term_of};
use thetis_expr::{ExprId, Sort, Store, VarId};

use crate::code::{DUPLICATE_NAME, IGNORED, NOT_HORN, SYNTAX, TERM, UNSUPPORTED};
use crate::horn::{self, Clause, Clauses, Predicate};
use crate::names::{Definition, Names};
use crate::{Assertion, Input, Script};

/// Reads the script in `file`. Errors and warnings go to `diags`; the script is given only if there are no errors.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<Input, Reported> {
    let text = sources.file(file).text();
    let mut reader = Reader::new(text, file, Sink::new(diags));
    match Sexprs::read(text) {
        Ok(commands) => reader.commands(&commands),
        Err(error) => reader.report(SYNTAX, error),
    }
    reader.finish()
}

struct Reader<'t, 'd> {
    text: &'t str,
    file: FileId,
    sink: Sink<'d>,
    store: Store,
    names: Names,
    logic: Option<String>,
    constants: Vec<VarId>,
    assertions: Vec<Assertion>,
    clauses: Vec<Clause>,
    first_part: Option<Vec<usize>>,
    progress: Progress,
}

/// The progress of a script.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    Asserting,
    Checked,
    Ended,
}

/// An error and its kind, before it is reported.
type Wrong = (Code, ParseError);

impl<'t, 'd> Reader<'t, 'd> {
    fn new(text: &'t str, file: FileId, sink: Sink<'d>) -> Reader<'t, 'd> {
        Reader {
            text,
            file,
            sink,
            store: Store::new(),
            names: Names::default(),
            logic: None,
            constants: Vec::new(),
            assertions: Vec::new(),
            clauses: Vec::new(),
            first_part: None,
            progress: Progress::Asserting,
        }
    }

    fn commands(&mut self, commands: &Sexprs<'_>) {
        for command in commands.roots() {
            if self.progress == Progress::Ended || self.sink.is_full() {
                return;
            }
            if let Err((code, error)) = self.command(command) {
                self.report(code, error);
            }
        }
    }

    fn finish(self) -> Result<Input, Reported> {
        self.sink.check()?;
        Ok(match self.logic.as_deref() {
            Some("HORN") => Input::Clauses(Clauses {
                store: self.store,
                predicates: self.names.signatures,
                clauses: self.clauses,
            }),
            _ => Input::Script(Script {
                store: self.store,
                logic: self.logic,
                constants: self.constants,
                assertions: self.assertions,
                first_part: self.first_part,
            }),
        })
    }

    fn report(&mut self, code: Code, error: ParseError) {
        let span = self.span(error.offset, error.offset + token_length(&self.text[error.offset..]));
        self.sink.error(span, code, shortened(error.message));
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span { file: self.file, start: start as u32, end: end as u32 }
    }

    fn span_of(&self, expr: Sexpr<'_>) -> Span {
        self.span(expr.offset(), expr.offset() + expr.text().len())
    }

    fn command(&mut self, command: Sexpr<'_>) -> Result<(), Wrong> {
        let name = command.children().next().filter(|name| name.kind() == SexprKind::Symbol);
        let Some(name) = name else { return Err((SYNTAX, command.error("expected a command"))) };
        match name.text() {
            "set-info" | "set-option" => Ok(()),
            "exit" => {
                self.progress = Progress::Ended;
                Ok(())
            }
            "check-sat" if self.progress == Progress::Checked => {
                Err((UNSUPPORTED, name.error("a second `check-sat` is not supported")))
            }
            "check-sat" => {
                self.progress = Progress::Checked;
                Ok(())
            }
            "get-model" | "get-value" | "get-info" | "get-unsat-core" | "get-proof" | "get-assignment"
                if self.progress == Progress::Checked =>
            {
                let span = self.span_of(name);
                self.sink.warning(span, IGNORED, format!("`{}` is ignored", name.text()));
                Ok(())
            }
            "get-interpolants" if self.progress == Progress::Checked && !self.is_horn() => {
                self.interpolants(command)
            }
            "set-logic" | "declare-fun" | "declare-const" | "define-fun" | "define-const" | "define-sort"
            | "assert"
                if self.progress == Progress::Checked =>
            {
                Err((
                    UNSUPPORTED,
                    name.error(format!("`{}` after `check-sat` is not supported", name.text())),
                ))
            }
            "set-logic" => self.set_logic(command),
            "declare-fun" | "declare-const" => self.declare(command),
            "define-fun" | "define-const" => self.define(command),
            "define-sort" => self.define_sort(command),
            "assert" => self.assert(command),
            other => Err((UNSUPPORTED, name.error(format!("the command `{other}` is not supported")))),
        }
    }

    fn set_logic(&mut self, command: Sexpr<'_>) -> Result<(), Wrong> {
        let [logic] = operands(command, "`set-logic` takes a logic")?;
        let name = logic.symbol().ok_or_else(|| (SYNTAX, logic.error("expected a logic")))?;
        if self.logic.is_some() || !self.assertions.is_empty() || !self.constants.is_empty() {
            return Err((SYNTAX, logic.error("the logic has to be set once, before all declarations")));
        }
        self.logic = Some(name.to_owned());
        Ok(())
    }

    fn is_horn(&self) -> bool {
        self.logic.as_deref() == Some("HORN")
    }

    /// `(declare-fun f (S…) S)` or `(declare-const c S)`.
    fn declare(&mut self, command: Sexpr<'_>) -> Result<(), Wrong> {
        let parts: Vec<_> = command.children().skip(1).take(4).collect();
        let (name, sorts, sort) = match parts[..] {
            [name, sort] if command.children().next().is_some_and(|head| head.is_word("declare-const")) => {
                (name, Vec::new(), sort)
            }
            [name, sorts, sort] if sorts.kind() == SexprKind::List => {
                (name, sorts.children().collect(), sort)
            }
            _ => return Err((SYNTAX, command.error("malformed declaration"))),
        };
        let symbol = self.new_symbol(name)?;
        let sorts: Vec<Sort> = sorts.into_iter().map(|sort| self.sort(sort)).collect::<Result<_, _>>()?;
        let result = self.sort(sort)?;
        if self.is_horn() {
            if result != Sort::Bool {
                return Err((
                    UNSUPPORTED,
                    sort.error("Horn clauses are about predicates, whose sort is Bool"),
                ));
            }
            self.names.declare_predicate(Predicate { name: symbol.to_owned(), sorts });
            return Ok(());
        }
        if !sorts.is_empty() {
            let message = "functions with arguments are supported only as predicates of Horn clauses";
            return Err((UNSUPPORTED, name.error(message)));
        }
        let var = self.store.declare(symbol, result);
        self.names.declare(symbol, var);
        self.constants.push(var);
        Ok(())
    }

    fn new_symbol<'s>(&self, name: Sexpr<'s>) -> Result<&'s str, Wrong> {
        let symbol = name.symbol().ok_or_else(|| (SYNTAX, name.error("expected a symbol")))?;
        self.names.check_new(symbol).map_err(|message| (DUPLICATE_NAME, name.error(message)))?;
        Ok(symbol)
    }

    fn sort(&self, sort: Sexpr<'_>) -> Result<Sort, Wrong> {
        sort_in(&self.store, sort, &|name| self.names.sort(name)).map_err(|error| (TERM, error))
    }

    /// `(define-sort S () T)`.
    fn define_sort(&mut self, command: Sexpr<'_>) -> Result<(), Wrong> {
        let [name, parameters, sort] = operands(command, "malformed definition of a sort")?;
        let symbol = name.symbol().ok_or_else(|| (SYNTAX, name.error("expected a symbol")))?;
        if parameters.kind() != SexprKind::List {
            return Err((SYNTAX, parameters.error("expected a list of parameters")));
        }
        if parameters.children().next().is_some() {
            return Err((UNSUPPORTED, parameters.error("sorts with parameters are not supported")));
        }
        let sort = self.sort(sort)?;
        self.names.define_sort(symbol, sort).map_err(|message| (DUPLICATE_NAME, name.error(message)))
    }

    /// `(define-fun f ((x S)…) S body)` or `(define-const c S body)`.
    fn define(&mut self, command: Sexpr<'_>) -> Result<(), Wrong> {
        let parts: Vec<_> = command.children().skip(1).take(5).collect();
        let (name, formals, sort, body) = match parts[..] {
            [name, sort, body] => (name, None, sort, body),
            [name, formals, sort, body] if formals.kind() == SexprKind::List => {
                (name, Some(formals), sort, body)
            }
            _ => return Err((SYNTAX, command.error("malformed definition"))),
        };
        let symbol = self.new_symbol(name)?;
        let sort = self.sort(sort)?;
        let parameters = match formals {
            Some(formals) => self.bind(formals)?,
            None => Vec::new(),
        };
        let term = self.term(body);
        self.names.bound.clear();
        let term = self.of_sort(term?, sort, body)?;
        self.names.define(symbol, Definition { parameters, body: term });
        Ok(())
    }

    /// Declares the variables of `((x S)…)` and binds their names.
    fn bind(&mut self, formals: Sexpr<'_>) -> Result<Vec<VarId>, Wrong> {
        let mut vars = Vec::new();
        for formal in formals.children() {
            let parts: Vec<_> = formal.children().take(3).collect();
            let [name, sort] = parts[..] else {
                return Err((SYNTAX, formal.error("expected a variable and its sort")));
            };
            let symbol = name.symbol().ok_or_else(|| (SYNTAX, name.error("expected a symbol")))?;
            let var = self.store.declare_fresh(symbol, self.sort(sort)?);
            self.names.bound.insert(symbol.to_owned(), var);
            vars.push(var);
        }
        Ok(vars)
    }

    fn term(&self, expr: Sexpr<'_>) -> Result<ExprId, Wrong> {
        term_of(&self.store, expr, &self.names).map_err(|error| (TERM, error))
    }

    fn of_sort(&self, term: ExprId, sort: Sort, place: Sexpr<'_>) -> Result<ExprId, Wrong> {
        match self.store.sort(term) {
            found if found == sort => Ok(term),
            Sort::Int if sort == Sort::Real => Ok(self.store.to_real(term)),
            _ => Err((TERM, place.error("the term has another sort"))),
        }
    }

    fn assert(&mut self, command: Sexpr<'_>) -> Result<(), Wrong> {
        let [formula] = operands(command, "`assert` takes a formula")?;
        if self.is_horn() {
            let read = self.read_clause(command, formula);
            self.names.bound.clear();
            return read;
        }
        let term = self.term(formula)?;
        let term = self.of_sort(term, Sort::Bool, formula)?;
        let name = self.name_of(formula, term)?;
        self.assertions.push(Assertion { formula: term, name, span: self.span_of(command) });
        Ok(())
    }

    /// The name that `(! F :named n)` gives to `term`; later assertions may use it.
    fn name_of(&mut self, formula: Sexpr<'_>, term: ExprId) -> Result<Option<String>, Wrong> {
        if !formula.children().next().is_some_and(|head| head.is_word("!")) {
            return Ok(None);
        }
        let mut attributes = formula.children().skip(2);
        while let Some(keyword) = attributes.next() {
            if keyword.kind() == SexprKind::Keyword && keyword.text() == ":named" {
                let Some(name) = attributes.next() else { break };
                let symbol = self.new_symbol(name)?;
                self.names.define(symbol, Definition { parameters: Vec::new(), body: term });
                return Ok(Some(symbol.to_owned()));
            }
        }
        Ok(None)
    }

    /// `(get-interpolants A B)`, where both are names of assertions or conjunctions of such names, and each assertion is in one of them.
    fn interpolants(&mut self, command: Sexpr<'_>) -> Result<(), Wrong> {
        let parts: [Sexpr<'_>; 2] = operands(command, "only interpolants of two parts are supported")?;
        let mut part_of: Vec<Option<usize>> = vec![None; self.assertions.len()];
        for (number, part) in parts.into_iter().enumerate() {
            for name in names_in(part)? {
                let is_meant = |assertion: &Assertion| {
                    name.symbol().is_some() && assertion.name.as_deref() == name.symbol()
                };
                let Some(position) = self.assertions.iter().position(is_meant) else {
                    return Err((SYNTAX, name.error("expected the name of an assertion")));
                };
                if part_of[position].replace(number).is_some() {
                    return Err((SYNTAX, name.error("the assertion has a part already")));
                }
            }
        }
        if part_of.contains(&None) {
            return Err((UNSUPPORTED, command.error("an assertion is in no part")));
        }
        let is_first = |position: &usize| part_of[*position] == Some(0);
        self.first_part = Some((0..part_of.len()).filter(is_first).collect());
        Ok(())
    }

    /// Takes the quantifiers off a clause, then reads and normalises what is below them.
    fn read_clause(&mut self, command: Sexpr<'_>, formula: Sexpr<'_>) -> Result<(), Wrong> {
        let mut matrix = formula;
        let mut is_negated = false;
        let mut vars = Vec::new();
        while let Some((head, rest)) = quantified(matrix) {
            match (head, &rest[..]) {
                ("!", [inner, ..]) => matrix = *inner,
                ("not", [inner]) => {
                    is_negated = !is_negated;
                    matrix = *inner;
                }
                ("forall", [formals, inner]) if !is_negated => {
                    vars.extend(self.bind(*formals)?);
                    matrix = *inner;
                }
                ("exists", [formals, inner]) if is_negated => {
                    vars.extend(self.bind(*formals)?);
                    matrix = *inner;
                }
                _ => break,
            }
        }
        let term = self.term(matrix)?;
        let term = self.of_sort(term, Sort::Bool, matrix)?;
        let term = if is_negated { self.store.not(term) } else { term };
        let span = self.span_of(command);
        let clauses = horn::normalize(&self.store, &self.names, &vars, term, span)
            .map_err(|message| (NOT_HORN, formula.error(message)))?;
        self.clauses.extend(clauses);
        Ok(())
    }
}

/// The exact number of operands of a command.
fn operands<'s, const N: usize>(command: Sexpr<'s>, message: &str) -> Result<[Sexpr<'s>; N], Wrong> {
    let operands: Vec<_> = command.children().skip(1).take(N + 1).collect();
    operands.try_into().map_err(|_| (SYNTAX, command.error(message)))
}

/// The names in `A` or `(and A B …)`.
fn names_in(part: Sexpr<'_>) -> Result<Vec<Sexpr<'_>>, Wrong> {
    if part.kind() != SexprKind::List {
        return Ok(vec![part]);
    }
    let mut children = part.children();
    match children.next() {
        Some(head) if head.is_word("and") => Ok(children.collect()),
        _ => Err((SYNTAX, part.error("expected names of assertions"))),
    }
}

/// The head and the operands of a formula that may have a quantifier on top.
fn quantified(formula: Sexpr<'_>) -> Option<(&str, Vec<Sexpr<'_>>)> {
    let head = formula.children().next().filter(|head| head.kind() == SexprKind::Symbol)?;
    let is_prefix = matches!(head.text(), "!" | "not" | "forall" | "exists");
    is_prefix.then(|| (head.text(), formula.children().skip(1).take(3).collect()))
}

/// The message with overlong names shortened.
fn shortened(message: String) -> String {
    const MAX_CHARS: usize = 300;
    match message.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => format!("{}…", &message[..end]),
        None => message,
    }
}

/// How many bytes of `text` belong to its first token.
fn token_length(text: &str) -> usize {
    let first = text.chars().next().map_or(0, char::len_utf8);
    let is_end = |character: char| character.is_whitespace() || matches!(character, '(' | ')' | ';');
    first.max(text.find(is_end).unwrap_or(text.len()))
}
