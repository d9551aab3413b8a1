//! A function of a program by itself: it is called once, with arbitrary arguments, in an arbitrary state of the variables.
//!
//! The program gets a function that makes the arguments and calls the one that is asked about; it takes the place of `main`. Numbers
//! are arbitrary. What pointers are is a choice of the user ([`Pointers`]), since a function alone does not say how many elements a
//! pointer points to. Variables with static storage that can change are arbitrary, those of the C library too: an earlier call may have
//! changed them. (They become variables that the program declares and does not define.) What was decided is part of the assumptions of every verdict, and a proof
//! that covers only some of the pointers that a caller could pass says so in its verdict line.

use thetis_base::{SourceMap, Span};

use self::caller::{Call, Caller};
use crate::hir::{Function, FunctionId, FunctionType, GlobalId, Program, Type};
use crate::library::is_model;
use crate::lower::AssumptionKind;
use crate::lower::walk::{addressed_global, walk_initializers};

mod caller;

/// The variable of the models that says whether the program has set a locale.
const LOCALE: &str = "__thetis_has_locale";

/// What the pointers are that a function gets.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Pointers {
    /// Null pointers.
    Null,
    /// Each points to an object of its own, with arbitrary contents.
    #[default]
    Fresh,
    /// Each points to an object with arbitrary contents: its own, that of another argument of the same type, or a global variable of
    /// that type.
    Aliasing,
    /// Each points to the first of this many objects.
    Array(u64),
    /// Nothing is known about them: they may be null, dangling, or point into any object that the outside knows.
    Any,
}

impl Pointers {
    /// What a proof takes for granted about the callers of the function.
    fn assumption(self) -> Option<EntryAssumption> {
        let (kind, text) = match self {
            Pointers::Null => (AssumptionKind::NullPointers, "its pointers are null".to_owned()),
            Pointers::Fresh => (
                AssumptionKind::SeparatePointers,
                "each of its pointers points to a single object, not to an array, and nothing else points to it"
                    .to_owned(),
            ),
            Pointers::Aliasing => (
                AssumptionKind::WholeObjects,
                "each of its pointers points to one whole object, which pointers to the same type may share"
                    .to_owned(),
            ),
            Pointers::Array(length) => (
                AssumptionKind::SeparatePointers,
                format!("each of its pointers points to {length} objects that nothing else points to"),
            ),
            Pointers::Any => return None,
        };
        Some(EntryAssumption { kind, text })
    }
}

/// Something that a verdict about a function takes for granted.
#[derive(Clone, Debug)]
pub struct EntryAssumption {
    /// What kind it is.
    pub kind: AssumptionKind,
    /// What is taken for granted.
    pub text: String,
}

/// The name of what a pointer of a function by itself points to, or of a part of it, as C writes it: the object behind `a` is called
/// `(*a)`, and `(a[])` if there are several. Other names stay as they are.
pub(crate) fn target_name(name: &str) -> String {
    let named = |text: &str| -> Option<String> {
        let (inner, path) = text.strip_prefix('(')?.rsplit_once(')')?;
        match inner.strip_prefix('*') {
            Some(pointer) if path.is_empty() => Some(format!("*{pointer}")),
            Some(pointer) => path.strip_prefix('.').map(|field| format!("{pointer}->{field}")),
            None => inner.strip_suffix("[]").map(|array| match path.is_empty() {
                true => array.to_owned(),
                false => format!("{array}{path}"),
            }),
        }
    };
    match name.strip_prefix('&') {
        Some(object) => match named(object) {
            Some(object) => format!("pointer to {object}"),
            None => name.to_owned(),
        },
        None => named(name).unwrap_or_else(|| name.to_owned()),
    }
}

/// The function that a program starts with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name; if several files define such a function, with its file before a colon.
    pub function: String,
    /// What its pointers are.
    pub pointers: Pointers,
    /// What the variables of the program are.
    pub state: EntryState,
    /// What pointers are inside of the objects that it gets.
    pub inside: Inside,
}

/// What pointers are inside of the objects that a function gets.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Inside {
    /// Nothing is known about them.
    #[default]
    Anything,
    /// Null, or pointers to further objects with arbitrary contents, for [`MAX_LEVELS`] levels; nothing is known about those inside the last.
    Objects,
}

/// How many levels of objects there are behind an argument, at most.
const MAX_LEVELS: usize = 3;

/// The state in which a program starts with a function.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum EntryState {
    /// Any: an earlier call may have changed the variables.
    #[default]
    Arbitrary,
    /// That of a program which has just been started: the function takes the place of `main`.
    Initial,
}

impl Entry {
    /// What every verdict takes for granted.
    fn assumption(&self) -> EntryAssumption {
        let function = &self.function;
        let text = match self.state {
            EntryState::Arbitrary => {
                format!(
                    "the program is one call of `{function}` with arbitrary arguments and global variables, in the \"C\" locale; no other thread runs beside it, and no handlers are installed"
                )
            }
            EntryState::Initial => format!("the program starts with `{function}` instead of `main`"),
        };
        EntryAssumption { kind: AssumptionKind::Entry, text }
    }
}

/// The names of all functions with a body, in the order of the text. Those that several files define come with their file, as in
/// `lib/a.c:init`.
pub fn functions(program: &Program, sources: &SourceMap) -> Vec<String> {
    let own: Vec<&Function> = program
        .functions
        .iter()
        .filter(|function| is_entry(function) && !is_model(&function.name) && !function.name.contains('#'))
        .collect();
    let mut names: Vec<String> = Vec::new();
    for function in &own {
        let is_other =
            |other: &&Function| other.name == function.name && other.span.file != function.span.file;
        let name = match own.iter().any(is_other) {
            true => qualified(function, sources),
            false => function.name.clone(),
        };
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether a program can start with a function.
fn is_entry(function: &Function) -> bool {
    function.body.is_some() && function.num_extra == 0
}

/// The name of a function with its file.
fn qualified(function: &Function, sources: &SourceMap) -> String {
    format!("{}:{}", sources.file(function.span.file).name(), function.name)
}

/// The function that is called `asked`, perhaps with its file or the end of its path. A function in a header is one for each file that
/// includes it; the first counts.
fn find(program: &Program, asked: &str, sources: &SourceMap) -> Result<FunctionId, String> {
    let (file, name) = asked.rsplit_once(':').map_or((None, asked), |(file, name)| (Some(file), name));
    let is_in = |path: &str| {
        file.is_none_or(|file| {
            path == file || path.strip_suffix(file).is_some_and(|rest| rest.ends_with('/'))
        })
    };
    let named: Vec<(FunctionId, &Function)> = program
        .functions
        .iter_enumerated()
        .filter(|(_, function)| {
            function.name == name && is_entry(function) && is_in(sources.file(function.span.file).name())
        })
        .collect();
    let Some((first, function)) = named.first() else {
        return Err(format!("the program defines no function `{asked}`"));
    };
    if named.iter().all(|(_, other)| other.span.file == function.span.file) {
        return Ok(*first);
    }
    let mut choices: Vec<String> =
        named.iter().map(|(_, function)| format!("`{}`", qualified(function, sources))).collect();
    choices.dedup();
    Err(format!("several files define a function `{name}`; choose one of {}", choices.join(", ")))
}

/// Lets a program start with a function. An error is in words.
pub fn enter(program: &mut Program, entry: &Entry, sources: &SourceMap) -> Result<(), String> {
    let function = find(program, &entry.function, sources)?;
    let span = program.functions[function].span;
    if entry.state == EntryState::Initial {
        return start(program, entry, function);
    }
    let Call { locals, stmts, has_pointers, is_nested } =
        Caller::new(program, entry.pointers, entry.inside, span).call(function)?;
    let result = program.types.intern(Type::Void);
    let ty = FunctionType { result, params: Vec::new(), is_variadic: false };
    let name = program.functions[function].name.clone();
    let start = Function { locals, body: Some(stmts), ..Function::declared(name, ty, span) };
    program.start = Some(program.functions.push(start));
    program.has_open_startup = false;
    let about_pointers = has_pointers.then(|| entry.pointers.assumption()).flatten();
    let about_inside = is_nested.then(|| EntryAssumption {
        kind: AssumptionKind::SeparatePointers,
        text: format!(
            "pointers inside of these objects are null or point to one object that nothing else points to, {MAX_LEVELS} levels deep; nothing is known of deeper ones"
        ),
    });
    let assumptions = [entry.assumption()].into_iter().chain(about_pointers).chain(about_inside).collect();
    program.entry = Some(EntryPoint { assumptions, span, is_called: true });
    // Their initial values go, but pointers to what they point to may still be anywhere.
    let initializers = program.globals.iter().filter_map(|global| global.initializer.as_ref());
    let pointed: Vec<GlobalId> = walk_initializers(initializers).filter_map(addressed_global).collect();
    for global in pointed {
        program.globals[global].has_external_linkage = true;
    }
    for global in &mut program.globals {
        let is_changing = !global.is_const && global.name != LOCALE;
        if is_changing {
            global.is_defined = false;
            global.initializer = None;
        }
    }
    Ok(())
}

/// Lets a function take the place of `main`. The function `main` does so already.
fn start(program: &mut Program, entry: &Entry, function: FunctionId) -> Result<(), String> {
    if program.functions[function].name == "main" {
        return Ok(());
    }
    let Function { params, span, .. } = &program.functions[function];
    if !params.is_empty() {
        return Err(format!(
            "a program cannot start with `{}`, which has parameters; `--function` calls it with arbitrary arguments",
            entry.function
        ));
    }
    let span = *span;
    program.start = Some(function);
    program.entry = Some(EntryPoint { assumptions: vec![entry.assumption()], span, is_called: false });
    Ok(())
}

/// A function that a program starts with instead of `main`.
#[derive(Clone, Debug)]
pub struct EntryPoint {
    /// What is taken for granted about the call.
    pub assumptions: Vec<EntryAssumption>,
    /// Where the function is defined.
    pub span: Span,
    /// Whether a function that was made for the purpose makes its arguments and calls it.
    pub is_called: bool,
}
