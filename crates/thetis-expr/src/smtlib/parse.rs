//! Parsing of terms: a machine with a stack of tasks and a stack of finished terms.
//!
//! `(f a b)` pushes the task of applying `f` and, above it, the tasks of reading `a` and `b`; when the application
//! comes up again, its arguments are the topmost finished terms. A `let` pushes in the same way the binding of its
//! variables and, below the body, their removal.

use num_bigint::{BigInt, BigUint};
use num_traits::Num;
use rustc_hash::FxHashMap;

use super::ParseError;
use super::floats::{constant, format_of};
use super::functions::{Call, Head};
use super::names::read_name;
use super::sexpr::{Sexpr, SexprKind, Sexprs};
use super::sorts::{index_of, sort_in, sort_of, width_of};
use crate::big::{from_decimal, power_of_ten, reduced};
use crate::{ExprId, Rational, RoundingMode, Sort, Store, Value};

/// What free symbols of a text mean.
pub trait Scope {
    /// The term that `symbol` stands for, if it is known; quoted symbols come without their bars.
    fn resolve(&self, store: &Store, symbol: &str) -> Option<ExprId>;

    /// The application of a function that the text may use in addition to those of the theories, or why this
    /// application of a theory function is not allowed. `None` leaves the application to the theories.
    fn apply(&self, _store: &Store, _function: &str, _args: &[ExprId]) -> Option<Result<ExprId, String>> {
        None
    }

    /// The sort that the text may call `name` beside those of the theories.
    fn sort(&self, _name: &str) -> Option<Sort> {
        None
    }
}

/// The scope of all declared variables of the store, under the symbols that
/// [`print_name`](super::print_name) gives them.
#[derive(Clone, Copy, Default, Debug)]
pub struct Declared;

impl Scope for Declared {
    fn resolve(&self, store: &Store, symbol: &str) -> Option<ExprId> {
        let (name, version) = read_name(symbol);
        let var = store.find_var(&name)?;
        Some(store.var_expr(store.at_version(var, version)))
    }
}

impl<F: Fn(&Store, &str) -> Option<ExprId>> Scope for F {
    fn resolve(&self, store: &Store, symbol: &str) -> Option<ExprId> {
        self(store, symbol)
    }
}

/// The term that `text` is.
pub fn parse_term(store: &Store, text: &str, scope: &impl Scope) -> Result<ExprId, ParseError> {
    term_of(store, Sexprs::read(text)?.only()?, scope)
}

/// The value of sort `sort` that `text` is, as solvers write them: `(- 3)`, `(/ 1.0 2.0)`, `#xff`,
/// `(store ((as const (Array Int Int)) 0) 1 2)`.
pub fn parse_value(store: &Store, text: &str, sort: Sort) -> Result<Value, ParseError> {
    value_of(store, Sexprs::read(text)?.only()?, sort)
}

/// The sort that `text` is.
pub fn parse_sort(store: &Store, text: &str) -> Result<Sort, ParseError> {
    sort_of(store, Sexprs::read(text)?.only()?)
}

/// The value of sort `sort` that an s-expression is; see [`parse_value`].
pub fn value_of(store: &Store, expr: Sexpr<'_>, sort: Sort) -> Result<Value, ParseError> {
    let term = term_of(store, expr, &|_: &Store, _: &str| None)?;
    let converts = sort == Sort::Real && store.sort(term) == Sort::Int;
    let term = if converts { store.to_real(term) } else { term };
    let value = store.value(term).ok_or_else(|| expr.error("expected a value"))?;
    if store.sort(term) == sort { Ok(value) } else { Err(expr.error("the value has another sort")) }
}

/// The term that an s-expression is.
pub fn term_of(store: &Store, expr: Sexpr<'_>, scope: &impl Scope) -> Result<ExprId, ParseError> {
    let mut machine = Machine {
        store,
        scope,
        tasks: vec![Task::Read(expr)],
        finished: Vec::new(),
        bound: FxHashMap::default(),
        named: FxHashMap::default(),
    };
    while let Some(task) = machine.tasks.pop() {
        machine.step(task)?;
    }
    machine.finished.pop().ok_or_else(|| expr.error("expected a term"))
}

struct Machine<'a, S> {
    store: &'a Store,
    scope: &'a S,
    tasks: Vec<Task<'a>>,
    finished: Vec<ExprId>,
    /// The terms bound to each `let` variable, innermost last.
    bound: FxHashMap<&'a str, Vec<ExprId>>,
    /// The terms named by annotations.
    named: FxHashMap<&'a str, ExprId>,
}

/// `base` is the number of finished terms below the arguments.
enum Task<'a> {
    Read(Sexpr<'a>),
    Apply { expr: Sexpr<'a>, base: usize },
    Bind { bindings: Sexpr<'a>, base: usize },
    Unbind { bindings: Sexpr<'a> },
    Name { expr: Sexpr<'a> },
}

impl<'a, S: Scope> Machine<'a, S> {
    fn step(&mut self, task: Task<'a>) -> Result<(), ParseError> {
        match task {
            Task::Read(expr) => self.read(expr),
            Task::Apply { expr, base } => self.apply(expr, base),
            Task::Bind { bindings, base } => self.bind(bindings, base),
            Task::Unbind { bindings } => self.unbind(bindings),
            Task::Name { expr } => self.name(expr),
        }
    }

    fn read(&mut self, expr: Sexpr<'a>) -> Result<(), ParseError> {
        if expr.kind() != SexprKind::List {
            let term = self.atom(expr)?;
            self.finished.push(term);
            return Ok(());
        }
        let Some(head) = expr.children().next() else {
            return Err(expr.error("expected a term"));
        };
        match head.kind() == SexprKind::Symbol {
            true => match head.text() {
                "let" => self.read_let(expr),
                "!" => self.read_annotated(expr),
                "_" => self.read_indexed(expr),
                "as" => self.read_qualified(expr),
                "forall" | "exists" | "lambda" | "match" => {
                    Err(head.error(format!("`{}` is not supported", head.text())))
                }
                _ => self.read_application(expr),
            },
            false => self.read_application(expr),
        }
    }

    /// `(as x S)`: a symbol whose sort is stated.
    fn read_qualified(&mut self, expr: Sexpr<'a>) -> Result<(), ParseError> {
        let parts: Vec<_> = expr.children().take(4).collect();
        let [_, name, sort] = parts[..] else {
            return Err(expr.error("`as` takes a symbol and a sort"));
        };
        if name.symbol().is_none() {
            return Err(name.error("expected a symbol"));
        }
        let term = self.symbol(name)?;
        if self.store.sort(term) != self.sort_of(sort)? {
            return Err(sort.error("the symbol has another sort"));
        }
        self.finished.push(term);
        Ok(())
    }

    fn sort_of(&self, expr: Sexpr<'a>) -> Result<Sort, ParseError> {
        sort_in(self.store, expr, &|name| self.scope.sort(name))
    }

    fn read_application(&mut self, expr: Sexpr<'a>) -> Result<(), ParseError> {
        self.tasks.push(Task::Apply { expr, base: self.finished.len() });
        let args = expr.children().skip(1 + usize::from(mode_of(expr).is_some()));
        self.read_all(args);
        Ok(())
    }

    /// Pushes the tasks of reading terms, so that the first is read first.
    fn read_all(&mut self, terms: impl Iterator<Item = Sexpr<'a>>) {
        let first = self.tasks.len();
        self.tasks.extend(terms.map(Task::Read));
        self.tasks[first..].reverse();
    }

    fn read_let(&mut self, expr: Sexpr<'a>) -> Result<(), ParseError> {
        let parts: Vec<_> = expr.children().take(4).collect();
        let [_, bindings, body] = parts[..] else {
            return Err(expr.error("`let` takes a list of bindings and a term"));
        };
        let mut terms = Vec::new();
        for binding in bindings.children() {
            let parts: Vec<_> = binding.children().take(3).collect();
            match parts[..] {
                [name, term] if name.symbol().is_some() => terms.push(term),
                _ => return Err(binding.error("expected a variable and a term")),
            }
        }
        self.tasks.push(Task::Unbind { bindings });
        self.tasks.push(Task::Read(body));
        self.tasks.push(Task::Bind { bindings, base: self.finished.len() });
        self.read_all(terms.into_iter());
        Ok(())
    }

    fn bind(&mut self, bindings: Sexpr<'a>, base: usize) -> Result<(), ParseError> {
        for (name, term) in bound_names(bindings).zip(self.finished.drain(base..)) {
            self.bound.entry(name).or_default().push(term);
        }
        Ok(())
    }

    fn unbind(&mut self, bindings: Sexpr<'a>) -> Result<(), ParseError> {
        for name in bound_names(bindings) {
            self.bound.get_mut(name).and_then(Vec::pop);
        }
        Ok(())
    }

    fn read_annotated(&mut self, expr: Sexpr<'a>) -> Result<(), ParseError> {
        let Some(term) = expr.children().nth(1) else {
            return Err(expr.error("`!` takes a term and its annotations"));
        };
        self.tasks.push(Task::Name { expr });
        self.tasks.push(Task::Read(term));
        Ok(())
    }

    /// Remembers the finished term under its `:named` annotation; other annotations mean nothing.
    fn name(&mut self, expr: Sexpr<'a>) -> Result<(), ParseError> {
        let mut annotations = expr.children().skip(2);
        while let Some(annotation) = annotations.next() {
            if annotation.kind() == SexprKind::Keyword && annotation.text() == ":named" {
                let symbol = annotations.next().and_then(Sexpr::symbol);
                let name = symbol.ok_or_else(|| annotation.error("`:named` takes a symbol"))?;
                self.named.extend(self.finished.last().map(|term| (name, *term)));
            }
        }
        Ok(())
    }

    fn atom(&self, expr: Sexpr<'a>) -> Result<ExprId, ParseError> {
        let text = expr.text();
        match expr.kind() {
            SexprKind::Symbol | SexprKind::Quoted => self.symbol(expr),
            SexprKind::Numeral => Ok(self.store.int(whole_number(expr, text)?)),
            SexprKind::Decimal => Ok(self.store.real(decimal(expr, text)?)),
            SexprKind::Hexadecimal => self.bits(expr, 4 * (text.len() - 2), digits(expr, &text[2..], 16)?),
            SexprKind::Binary => self.bits(expr, text.len() - 2, digits(expr, &text[2..], 2)?),
            SexprKind::Keyword | SexprKind::String | SexprKind::List => Err(expr.error("expected a term")),
        }
    }

    fn bits(&self, expr: Sexpr<'a>, width: usize, number: BigUint) -> Result<ExprId, ParseError> {
        match u32::try_from(width) {
            Ok(width) if width <= super::sorts::MAX_WIDTH => Ok(self.store.bits(width, number)),
            _ => Err(expr.error("the bit-vector is too wide")),
        }
    }

    fn symbol(&self, expr: Sexpr<'a>) -> Result<ExprId, ParseError> {
        let name = expr.symbol().unwrap_or_default();
        if let Some(term) = self.bound.get(name).and_then(|terms| terms.last()) {
            return Ok(*term);
        }
        if let Some(term) = self.named.get(name) {
            return Ok(*term);
        }
        match name {
            "true" => Ok(self.store.tru()),
            "false" => Ok(self.store.fals()),
            _ => self
                .scope
                .resolve(self.store, name)
                .ok_or_else(|| expr.error(format!("unknown symbol `{name}`"))),
        }
    }

    /// `(_ bv5 8)`, `(_ NaN 8 24)`.
    fn read_indexed(&mut self, expr: Sexpr<'a>) -> Result<(), ParseError> {
        let parts: Vec<_> = expr.children().take(5).collect();
        if let [_, name, exponent, significand] = parts[..] {
            let format = format_of(exponent, significand)?;
            let float = name.symbol().and_then(|name| constant(name, format));
            self.finished.push(self.store.float(float.ok_or_else(|| expr.error("unknown constant"))?));
            return Ok(());
        }
        let number = match parts[..] {
            [_, name, width] => {
                name.symbol().and_then(|name| name.strip_prefix("bv")).map(|number| (number, width))
            }
            _ => None,
        };
        let Some((number, width)) = number.filter(|(number, _)| is_digits(number)) else {
            return Err(expr.error("unknown constant"));
        };
        let number = whole_number(expr, number)?.magnitude().clone();
        self.finished.push(self.store.bits(width_of(width)?, number));
        Ok(())
    }

    fn apply(&mut self, expr: Sexpr<'a>, base: usize) -> Result<(), ParseError> {
        let Some(head) = expr.children().next() else { return Err(expr.error("expected a term")) };
        let head = Head { mode: mode_of(expr), ..self.head_of(head)? };
        let args = &self.finished[base..];
        let applied = self.scope.apply(self.store, head.name, args);
        let applied = applied.unwrap_or_else(|| Call { store: self.store, head, args }.apply());
        let term = applied.map_err(|message| expr.error(message))?;
        self.finished.truncate(base);
        self.finished.push(term);
        Ok(())
    }

    /// The function symbol at the head of an application: `f`, `(_ f 1 2)` or `(as const S)`.
    fn head_of(&self, expr: Sexpr<'a>) -> Result<Head<'a>, ParseError> {
        if let Some(name) = expr.symbol() {
            return Ok(Head { name, indices: Vec::new(), sort: None, mode: None });
        }
        let mut parts = expr.children();
        let (keyword, name) = (parts.next(), parts.next());
        let symbol = name.and_then(Sexpr::symbol);
        match (keyword, symbol) {
            (Some(keyword), Some(name)) if keyword.is_word("_") => {
                let indices = parts.map(index_of).collect::<Result<_, _>>()?;
                Ok(Head { name, indices, sort: None, mode: None })
            }
            (Some(keyword), Some(name)) if keyword.is_word("as") => {
                let sort = parts.next().ok_or_else(|| expr.error("`as` takes a symbol and a sort"))?;
                Ok(Head { name, indices: Vec::new(), sort: Some(self.sort_of(sort)?), mode: None })
            }
            _ => Err(expr.error("expected a function symbol")),
        }
    }
}

fn bound_names<'a>(bindings: Sexpr<'a>) -> impl Iterator<Item = &'a str> {
    bindings.children().filter_map(|binding| binding.children().next()?.symbol())
}

/// The rounding mode that is the first argument of an application.
fn mode_of(expr: Sexpr<'_>) -> Option<RoundingMode> {
    let first = expr.children().nth(1).filter(|first| first.kind() == SexprKind::Symbol)?;
    RoundingMode::from_name(first.text())
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn digits<T: Num>(expr: Sexpr<'_>, text: &str, radix: u32) -> Result<T, ParseError> {
    T::from_str_radix(text, radix).map_err(|_| expr.error("malformed number"))
}

fn whole_number(expr: Sexpr<'_>, text: &str) -> Result<BigInt, ParseError> {
    from_decimal(text).ok_or_else(|| expr.error("malformed number"))
}

fn decimal(expr: Sexpr<'_>, text: &str) -> Result<Rational, ParseError> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let numerator = whole_number(expr, &format!("{whole}{fraction}"))?;
    Ok(reduced(numerator, power_of_ten(fraction.len()).into()))
}
