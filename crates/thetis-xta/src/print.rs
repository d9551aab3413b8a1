//! Models as text in UPPAAL's language (`.xta`).
//!
//! The syntax tree is printed, not the network that is compiled from it: names, templates, parameters and functions stay as their author
//! wrote them. All operands except single names and numbers get parentheses, so that parsing the text gives the same tree, whatever
//! format it came from.
//!
//! TChecker's models synchronise in the style of CSP. Their text has `IO` lines, which Thetis reads and UPPAAL does not.

use std::fmt::Write;

use crate::XtaTree;
use crate::ast::{
    BaseType, Declaration, Declarator, Dimension, Direction, Expr, ExprKind, File, FunctionDecl, Instance,
    Item, LocationDecl, Name, Parameter, Position, PriorityLevels, Stmt, SystemEntry, Template, TopLevel,
    Transition, TypeExpr,
};

/// The model as text.
pub fn print(model: &XtaTree) -> String {
    let mut printer = Printer { text: String::new(), depth: 0 };
    printer.file(&model.0);
    printer.text
}

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, line: &str) {
        let indent = "    ".repeat(self.depth);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{indent}{line}");
    }

    fn file(&mut self, file: &File) {
        for item in &file.items {
            match item {
                TopLevel::Item(item) => self.item(item),
                TopLevel::Template(template) => self.template(template),
                TopLevel::Instance(one) => self.line(&instance(one)),
            }
        }
        self.line(&format!("system {};", system(&file.system)));
        for (process, channels) in &file.channels {
            self.line(&format!("IO {} {{ {} }}", process.text, exprs(channels)));
        }
        if !file.progress.is_empty() {
            let measures: Vec<String> = file.progress.iter().map(|one| format!("{};", expr(one))).collect();
            self.line(&format!("progress {{ {} }}", measures.join(" ")));
        }
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Variables(one) => self.line(&format!("{};", declaration(one))),
            Item::Typedef(one) => self.line(&format!("typedef {};", declaration(one))),
            Item::Function(one) => self.function(one),
            Item::Priorities(levels) => self.line(&format!("chan priority {};", priorities(levels))),
            Item::BeforeUpdate(list) => self.line(&format!("before_update {{ {} }}", exprs(list))),
            Item::AfterUpdate(list) => self.line(&format!("after_update {{ {} }}", exprs(list))),
        }
    }

    fn function(&mut self, one: &FunctionDecl) {
        self.line(&format!(
            "{} {}({}) {{",
            type_text(&one.result),
            one.name.text,
            parameters(&one.parameters)
        ));
        self.block(&one.body);
        self.line("}");
    }

    fn block(&mut self, statements: &[Stmt]) {
        self.depth += 1;
        statements.iter().for_each(|statement| self.statement(statement));
        self.depth -= 1;
    }

    /// A statement with braces around it, after `head`.
    fn braced(&mut self, head: &str, body: &Stmt) {
        self.line(&format!("{head} {{"));
        match body {
            Stmt::Block(list) => self.block(list),
            one => self.block(std::slice::from_ref(one)),
        }
        self.line("}");
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Declaration(one) => self.line(&format!("{};", declaration(one))),
            Stmt::Expr(one) => self.line(&format!("{};", expr(one))),
            Stmt::Block(list) => {
                self.line("{");
                self.block(list);
                self.line("}");
            }
            Stmt::If(condition, then, otherwise) => {
                self.braced(&format!("if ({})", expr(condition)), then);
                if !matches!(&**otherwise, Stmt::Block(list) if list.is_empty()) {
                    self.braced("else", otherwise);
                }
            }
            Stmt::While(condition, body) => self.braced(&format!("while ({})", expr(condition)), body),
            Stmt::DoWhile(body, condition) => {
                self.braced("do", body);
                self.line(&format!("while ({});", expr(condition)));
            }
            Stmt::For(parts, body) => {
                let head = format!("for ({}; {}; {})", expr(&parts.0), expr(&parts.1), expr(&parts.2));
                self.braced(&head, body);
            }
            Stmt::Iterate(name, ty, body) => {
                self.braced(&format!("for ({} : {})", name.text, type_text(ty)), body);
            }
            Stmt::Return(Some(value), _) => self.line(&format!("return {};", expr(value))),
            Stmt::Return(None, _) => self.line("return;"),
        }
    }

    fn template(&mut self, template: &Template) {
        self.line(&format!("process {}({}) {{", template.name.text, parameters(&template.parameters)));
        self.depth += 1;
        template.items.iter().for_each(|item| self.item(item));
        if !template.locations.is_empty() {
            let locations: Vec<String> = template.locations.iter().map(location).collect();
            self.line(&format!("state {};", locations.join(", ")));
        }
        for (word, list) in [("commit", &template.committed), ("urgent", &template.urgent)] {
            if !list.is_empty() {
                self.line(&format!("{word} {};", names(list)));
            }
        }
        if let Some(initial) = &template.initial {
            self.line(&format!("init {};", initial.text));
        }
        if let Some((last, others)) = template.transitions.split_last() {
            self.line("trans");
            self.depth += 1;
            others.iter().for_each(|one| self.line(&format!("{},", transition(one))));
            self.line(&format!("{};", transition(last)));
            self.depth -= 1;
        }
        self.depth -= 1;
        self.line("}");
    }
}

/// Channels of TChecker's synchronisations have names with a blank.
fn plain(name: &str) -> String {
    name.replace(' ', "_")
}

fn names(list: &[Name]) -> String {
    let words: Vec<&str> = list.iter().map(|name| name.text.as_str()).collect();
    words.join(", ")
}

fn exprs(list: &[Expr]) -> String {
    let texts: Vec<String> = list.iter().map(expr).collect();
    texts.join(", ")
}

fn system(entries: &[SystemEntry]) -> String {
    let mut text = String::new();
    let mut previous: Option<&SystemEntry> = None;
    for entry in entries {
        if let Some(previous) = previous {
            text += if previous.level < entry.level { " < " } else { ", " };
        }
        text += &entry.name.text;
        previous = Some(entry);
    }
    text
}

fn priorities(levels: &PriorityLevels) -> String {
    let channel = |channel: &Option<Expr>| channel.as_ref().map_or_else(|| "default".to_owned(), expr);
    let level = |list: &Vec<Option<Expr>>| list.iter().map(channel).collect::<Vec<String>>().join(", ");
    levels.iter().map(level).collect::<Vec<String>>().join(" < ")
}

fn instance(one: &Instance) -> String {
    let parameters = match one.parameters.as_slice() {
        [] => String::new(),
        list => format!("({})", parameters(list)),
    };
    format!("{}{parameters} = {}({});", one.name.text, one.template.text, exprs(&one.arguments))
}

fn parameters(list: &[Parameter]) -> String {
    let parameter = |one: &Parameter| {
        let sign = if one.by_reference { "&" } else { "" };
        format!("{} {sign}{}{}", type_text(&one.ty), one.name.text, dimensions(&one.dimensions))
    };
    list.iter().map(parameter).collect::<Vec<String>>().join(", ")
}

fn declaration(one: &Declaration) -> String {
    let declarators: Vec<String> = one.names.iter().map(declarator).collect();
    format!("{} {}", type_text(&one.ty), declarators.join(", "))
}

fn declarator(one: &Declarator) -> String {
    let initial = one.initial.as_ref().map(|initial| format!(" = {}", expr(initial)));
    format!("{}{}{}", plain(&one.name.text), dimensions(&one.dimensions), initial.unwrap_or_default())
}

fn dimensions(list: &[Dimension]) -> String {
    let dimension = |one: &Dimension| match one {
        Dimension::Size(size) => format!("[{}]", expr(size)),
        Dimension::Type(ty) => format!("[{}]", type_text(ty)),
    };
    list.iter().map(dimension).collect()
}

fn type_text(ty: &TypeExpr) -> String {
    let prefixes = [(ty.is_const, "const "), (ty.is_urgent, "urgent "), (ty.is_broadcast, "broadcast ")];
    let prefix: String = prefixes.iter().filter(|(is_there, _)| *is_there).map(|(_, word)| *word).collect();
    let base = match &ty.base {
        BaseType::Int(None) => "int".to_owned(),
        BaseType::Int(Some(bounds)) => format!("int[{}, {}]", expr(&bounds.0), expr(&bounds.1)),
        BaseType::Bool => "bool".to_owned(),
        BaseType::Clock => "clock".to_owned(),
        BaseType::Channel => "chan".to_owned(),
        BaseType::Void => "void".to_owned(),
        BaseType::Scalar(size) => format!("scalar[{}]", expr(size)),
        BaseType::Struct(fields) => {
            let fields: Vec<String> = fields.iter().map(|field| format!("{};", declaration(field))).collect();
            format!("struct {{ {} }}", fields.join(" "))
        }
        BaseType::Named(name) => name.clone(),
    };
    prefix + &base
}

fn location(one: &LocationDecl) -> String {
    match one.invariant.as_slice() {
        [] => one.name.text.clone(),
        invariant => format!("{} {{ {} }}", one.name.text, exprs(invariant)),
    }
}

fn transition(one: &Transition) -> String {
    let mut labels = String::new();
    let mut label = |word: &str, text: String| {
        // Writing to a string cannot fail.
        let _ = write!(labels, " {word} {text};");
    };
    if !one.select.is_empty() {
        let selection = |(name, ty): &(Name, TypeExpr)| format!("{} : {}", name.text, type_text(ty));
        label("select", one.select.iter().map(selection).collect::<Vec<String>>().join(", "));
    }
    if !one.guard.is_empty() {
        label("guard", exprs(&one.guard));
    }
    if let Some((channel, direction)) = &one.sync {
        let sign = match direction {
            Direction::Send => "!",
            Direction::Receive => "?",
            Direction::Join => "",
        };
        label("sync", expr(channel) + sign);
    }
    if !one.assign.is_empty() {
        label("assign", exprs(&one.assign));
    }
    format!("{} -> {} {{{labels} }}", one.source.text, one.target.text)
}

/// An expression with parentheses around all subexpressions that are not names, numbers or elements.
fn expr(whole: &Expr) -> String {
    match &whole.kind {
        ExprKind::Number(number) => number.to_string(),
        ExprKind::Name(name) => plain(name),
        ExprKind::Index(array, index) => format!("{}[{}]", operand(array), expr(index)),
        ExprKind::Field(record, field) => format!("{}.{}", operand(record), field.text),
        ExprKind::Call(function, arguments) => format!("{}({})", operand(function), exprs(arguments)),
        ExprKind::Unary(sign, inner) => format!("{sign}{}", operand(inner)),
        ExprKind::Binary(sign, left, right) => {
            // All binary operators group to the left; long sequences must not nest.
            let is_same = matches!(&left.kind, ExprKind::Binary(other, ..) if other == sign);
            let left = if is_same { expr(left) } else { operand(left) };
            format!("{left} {sign} {}", operand(right))
        }
        ExprKind::If(condition, then, otherwise) => {
            format!("{} ? {} : {}", operand(condition), operand(then), operand(otherwise))
        }
        ExprKind::Assign("=", left, right) => format!("{} = {}", operand(left), operand(right)),
        ExprKind::Assign(sign, left, right) => format!("{} {sign}= {}", operand(left), operand(right)),
        ExprKind::Step(sign, Position::Before, inner) => format!("{sign}{}", operand(inner)),
        ExprKind::Step(sign, Position::After, inner) => format!("{}{sign}", operand(inner)),
        ExprKind::Quantified(word, name, ty, body) => {
            format!("{word} ({} : {}) {}", name.text, type_text(ty), operand(body))
        }
        ExprKind::Rate(clock) => format!("{}'", operand(clock)),
        ExprKind::List(elements) => format!("{{ {} }}", exprs(elements)),
    }
}

fn operand(inner: &Expr) -> String {
    let is_simple = matches!(
        inner.kind,
        ExprKind::Number(_)
            | ExprKind::Name(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..)
            | ExprKind::Call(..)
    );
    if is_simple { expr(inner) } else { format!("({})", expr(inner)) }
}
