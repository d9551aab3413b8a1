//! Checked programs as text: every conversion, every read of an object and every address is visible.
//!
//! `x!` reads `x`, `<long>e` converts, `x&` is an address, `x[]` the address of the first element.

use std::fmt::Write;

use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::{
    ArrayLength, BinaryOp, Callee, CompareOp, DataModel, Expr, ExprKind, FloatKind, Function, Initializer,
    IntKind, Place, PlaceKind, Program, Step, Stmt, StmtKind, Type, TypeId, UnaryOp,
};
use thetis_c::{LineMarkers, SourceOptions};

/// The program, or the messages.
pub(crate) fn check(text: &str, data_model: DataModel) -> Result<Program, String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.c", text);
    let mut diagnostics = Diagnostics::new();
    let options = SourceOptions { machine: data_model.into(), line_markers: LineMarkers::Ignore };
    let program = thetis_c::check(&sources, file, &options, &mut diagnostics);
    assert_eq!(program.is_err(), diagnostics.num_errors() > 0, "errors and only errors reject a program");
    program.map_err(|_| messages(&sources, &diagnostics))
}

/// One line for each message.
pub(crate) fn messages(sources: &SourceMap, diagnostics: &Diagnostics) -> String {
    let mut text = String::new();
    for message in diagnostics.iter() {
        let place = sources.start(message.span);
        let severity = format!("{:?}", message.severity).to_lowercase();
        let name = sources.file(message.span.file).name();
        let (line, column) = (place.line, place.column);
        writeln!(text, "{name}:{line}:{column}: {severity}[{}]: {}", message.code, message.message).unwrap();
    }
    text
}

/// The globals with their values and the functions with their bodies.
pub(crate) fn show(program: &Program) -> String {
    let mut text = String::new();
    for global in &program.globals {
        let extern_word = if global.is_defined { "" } else { "extern " };
        write!(text, "{extern_word}{}: {}", global.name, show_type(program, global.ty)).unwrap();
        if let Some(initializer) = &global.initializer {
            // The initialisers of globals use no variables of functions.
            let shower = Shower { program, function: None };
            write!(text, " = {}", shower.initializer(initializer)).unwrap();
        }
        text.push('\n');
    }
    for function in &program.functions {
        let shower = Shower { program, function: Some(function) };
        let params: Vec<String> = function.params.iter().map(|param| shower.local(*param)).collect();
        write!(text, "{}({})", function.name, params.join(", ")).unwrap();
        match &function.body {
            Some(body) => writeln!(text, " {}", shower.block(body)).unwrap(),
            None => writeln!(text, ";").unwrap(),
        }
    }
    text
}

pub(crate) fn show_type(program: &Program, ty: TypeId) -> String {
    match program.types.get(ty) {
        Type::Void => "void".to_owned(),
        Type::Int(kind) => int_name(*kind).to_owned(),
        Type::Float(FloatKind::Float) => "float".to_owned(),
        Type::Float(FloatKind::Double) => "double".to_owned(),
        Type::Float(FloatKind::LongDouble) => "ldouble".to_owned(),
        Type::Pointer(target) => format!("{}*", show_type(program, *target)),
        Type::Array(element, ArrayLength::Constant(length)) => {
            format!("{}[{length}]", show_type(program, *element))
        }
        Type::Array(element, ArrayLength::Variable(local)) => {
            format!("{}[{}]", show_type(program, *element), local.index())
        }
        Type::Array(element, ArrayLength::Unknown) => format!("{}[]", show_type(program, *element)),
        Type::Record(record) => program.types.record(*record).tag.clone(),
        Type::Function(function) => {
            let mut params: Vec<String> =
                function.params.iter().map(|param| show_type(program, *param)).collect();
            if function.is_variadic {
                params.push("...".to_owned());
            }
            format!("{}({})", show_type(program, function.result), params.join(","))
        }
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "bool",
        IntKind::Char | IntKind::PlainUnsignedChar => "char",
        IntKind::SignedChar => "schar",
        IntKind::UnsignedChar => "uchar",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "ushort",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "uint",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "ulong",
        IntKind::LongLong => "llong",
        IntKind::UnsignedLongLong => "ullong",
        IntKind::Int128 => "int128",
        IntKind::UnsignedInt128 => "uint128",
    }
}

struct Shower<'p> {
    program: &'p Program,
    function: Option<&'p Function>,
}

impl Shower<'_> {
    fn local(&self, local: thetis_c::hir::LocalId) -> String {
        let variable = &self.function.unwrap().locals[local];
        format!("{}: {}", variable.name, show_type(self.program, variable.ty))
    }

    fn name(&self, local: thetis_c::hir::LocalId) -> String {
        self.function.unwrap().locals[local].name.clone()
    }

    fn block(&self, stmts: &[Stmt]) -> String {
        let stmts: Vec<String> = stmts.iter().map(|stmt| self.stmt(stmt)).collect();
        if stmts.is_empty() { "{ }".to_owned() } else { format!("{{ {} }}", stmts.join(" ")) }
    }

    fn stmt(&self, stmt: &Stmt) -> String {
        match &stmt.kind {
            StmtKind::Expr(expr) => format!("{};", self.expr(expr)),
            StmtKind::Declare(local, None) => format!("{};", self.local(*local)),
            StmtKind::Declare(local, Some(value)) => {
                format!("{} = {};", self.local(*local), self.initializer(value))
            }
            StmtKind::Block(stmts) => self.block(stmts),
            StmtKind::If { condition, then, otherwise: None } => {
                format!("if ({}) {}", self.expr(condition), self.stmt(then))
            }
            StmtKind::If { condition, then, otherwise: Some(otherwise) } => {
                format!("if ({}) {} else {}", self.expr(condition), self.stmt(then), self.stmt(otherwise))
            }
            StmtKind::While { condition, body } => {
                format!("while ({}) {}", self.expr(condition), self.stmt(body))
            }
            StmtKind::DoWhile { body, condition } => {
                format!("do {} while ({});", self.stmt(body), self.expr(condition))
            }
            StmtKind::For { init, condition, step, body } => {
                let part = |expr: &Option<Expr>| expr.as_ref().map_or(String::new(), |expr| self.expr(expr));
                let (condition, step) = (part(condition), part(step));
                format!("for ({} {condition}; {step}) {}", self.block(init), self.stmt(body))
            }
            StmtKind::Switch { value, body } => format!("switch ({}) {}", self.expr(value), self.stmt(body)),
            StmtKind::Case { low, high, body } if low == high => format!("case {low}: {}", self.stmt(body)),
            StmtKind::Case { low, high, body } => format!("case {low}...{high}: {}", self.stmt(body)),
            StmtKind::Default(body) => format!("default: {}", self.stmt(body)),
            StmtKind::Label(label, body) => {
                format!("{}: {}", self.function.unwrap().labels[*label], self.stmt(body))
            }
            StmtKind::Goto(label) => format!("goto {};", self.function.unwrap().labels[*label]),
            StmtKind::Break => "break;".to_owned(),
            StmtKind::Continue => "continue;".to_owned(),
            StmtKind::Return(None) => "return;".to_owned(),
            StmtKind::Return(Some(value)) => format!("return {};", self.expr(value)),
            StmtKind::AcslAssert(formula) => format!("@assert {};", self.expr(formula)),
            StmtKind::Claim(number, formula) => format!("@claim {number}: {};", self.expr(formula)),
            StmtKind::Unsupported(reason) => format!("?({reason});"),
        }
    }

    fn initializer(&self, initializer: &Initializer) -> String {
        match initializer {
            Initializer::Value(value) => self.expr(value),
            Initializer::Parts(parts) => {
                let parts: Vec<String> = parts
                    .iter()
                    .map(|part| {
                        let path: String = part
                            .path
                            .iter()
                            .map(|step| match step {
                                Step::Field(index) => format!(".{index}"),
                                Step::Index(index) => format!("[{index}]"),
                            })
                            .collect();
                        format!("{path}={}", self.expr(&part.value))
                    })
                    .collect();
                format!("{{{}}}", parts.join(", "))
            }
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int(value) => match self.program.types.get(expr.ty) {
                Type::Int(IntKind::Int) => value.to_string(),
                _ => format!("{value}:{}", show_type(self.program, expr.ty)),
            },
            ExprKind::Float(bits) => format!("{bits:#x}:{}", show_type(self.program, expr.ty)),
            ExprKind::Load(place) => format!("{}!", self.place(place)),
            ExprKind::AddressOf(place) => format!("{}&", self.place(place)),
            ExprKind::Decay(place) => format!("{}[]", self.place(place)),
            ExprKind::FunctionAddress(function) => format!("&{}", self.program.functions[*function].name),
            ExprKind::Unary(UnaryOp::Neg, operand) => format!("-{}", self.expr(operand)),
            ExprKind::Unary(UnaryOp::BitNot, operand) => format!("~{}", self.expr(operand)),
            ExprKind::Not(operand) => format!("!{}", self.expr(operand)),
            ExprKind::Binary(op, left, right) => {
                format!("({} {} {})", self.expr(left), op_name(*op), self.expr(right))
            }
            ExprKind::Compare(op, left, right) => {
                format!("({} {} {})", self.expr(left), compare_name(*op), self.expr(right))
            }
            ExprKind::Offset { pointer, index, is_negated } => {
                let sign = if *is_negated { "@-" } else { "@+" };
                format!("({} {sign} {})", self.expr(pointer), self.expr(index))
            }
            ExprKind::Difference(left, right) => format!("({} @@ {})", self.expr(left), self.expr(right)),
            ExprKind::Convert(operand) => {
                format!("<{}>{}", show_type(self.program, expr.ty), self.expr(operand))
            }
            ExprKind::And(left, right) => format!("({} && {})", self.expr(left), self.expr(right)),
            ExprKind::Or(left, right) => format!("({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Conditional(condition, then, otherwise) => {
                format!("({} ? {} : {})", self.expr(condition), self.expr(then), self.expr(otherwise))
            }
            ExprKind::Comma(left, right) => format!("({}, {})", self.expr(left), self.expr(right)),
            ExprKind::Assign(place, value) => format!("{} = {}", self.place(place), self.expr(value)),
            ExprKind::Update { place, op, value, computation } => {
                let ty = show_type(self.program, *computation);
                format!("{} {}=<{ty}> {}", self.place(place), op_name(*op), self.expr(value))
            }
            ExprKind::Advance { place, index, is_negated } => {
                let sign = if *is_negated { "@-=" } else { "@+=" };
                format!("{} {sign} {}", self.place(place), self.expr(index))
            }
            ExprKind::Step { place, is_increment, is_postfix } => {
                let sign = if *is_increment { "++" } else { "--" };
                if *is_postfix {
                    format!("{}{sign}", self.place(place))
                } else {
                    format!("{sign}{}", self.place(place))
                }
            }
            ExprKind::Call(callee, arguments) => {
                let callee = match callee {
                    Callee::Function(function) => self.program.functions[*function].name.clone(),
                    Callee::Pointer(pointer) => format!("(*{})", self.expr(pointer)),
                };
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("{callee}({})", arguments.join(", "))
            }
            ExprKind::Block(stmts, value) => {
                let value = value.as_ref().map_or(String::new(), |value| self.expr(value));
                format!("({} {value})", self.block(stmts))
            }
            ExprKind::Unsupported(reason) => format!("?({reason})"),
        }
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Local(local) => self.name(*local),
            PlaceKind::Global(global) => self.program.globals[*global].name.clone(),
            PlaceKind::Deref(pointer) => format!("(*{})", self.expr(pointer)),
            PlaceKind::Field(object, index) => format!("{}.{index}", self.place(object)),
            PlaceKind::Index(array, index) => format!("{}[{}]", self.place(array), self.expr(index)),
            PlaceKind::Literal(local, value) => {
                format!("({}){}", self.local(*local), self.initializer(value))
            }
            PlaceKind::Temporary(value) => format!("({})", self.expr(value)),
        }
    }
}

fn op_name(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

fn compare_name(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => "==",
        CompareOp::Ne => "!=",
        CompareOp::Lt => "<",
        CompareOp::Le => "<=",
        CompareOp::Gt => ">",
        CompareOp::Ge => ">=",
    }
}
