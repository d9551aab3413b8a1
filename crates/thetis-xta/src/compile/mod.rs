//! From the syntax tree to a [`Network`].
//!
//! Names are resolved, types checked, constants folded, templates instantiated and `select` labels and quantifiers expanded, all
//! in one pass over each instance. Everything that is not supported is an error with its position.

mod clocks;
mod declarations;
mod expressions;
mod functions;
mod instances;
mod joined;
mod known;
mod priorities;
mod processes;
mod reach;

use rustc_hash::FxHashMap;
use thetis_base::{Code, Diagnostics, Reported, Span, tick};
use thetis_model::xta::{Network, ProcessId};

use crate::ast::{Direction, File, TopLevel};
use crate::code;
use crate::types::{MAX_CELLS, MAX_TYPE_DEPTH, Scope, Symbol};
use functions::Frame;
use instances::Definition;
use reach::Functions;

/// How often quantifiers, `select` labels and loops over types may be expanded in a model.
const MAX_EXPANSIONS: u32 = 1_000_000;

/// The most variables, constants, clocks and channels of a model, and values in its functions.
const MAX_ALL_CELLS: u64 = 4 * MAX_CELLS as u64;

/// What queries need to know of a model besides its network.
#[derive(Clone, Default, Debug)]
pub(crate) struct Names {
    pub(crate) global: Scope,
    pub(crate) processes: FxHashMap<String, (ProcessId, Scope)>,
    functions: Functions,
}

/// Compiles `file`.
pub(crate) fn compile(file: &File, diags: &mut Diagnostics) -> Result<(Network, Names), Reported> {
    let mut compiler = Compiler::new(Network::default(), Names::default(), diags);
    compiler.uses_joint_channels = uses_joint_channels(file, compiler.diags)?;
    let mut definitions: FxHashMap<&str, Definition<'_>> = FxHashMap::default();
    for item in &file.items {
        let (name, definition) = match item {
            TopLevel::Item(item) => {
                compiler.item(item)?;
                continue;
            }
            TopLevel::Template(template) => {
                compiler.check_parameters(&template.parameters)?;
                (&template.name, Definition::Template(template))
            }
            TopLevel::Instance(instance) => (&instance.name, compiler.instance(instance, &definitions)?),
        };
        if definitions.insert(&name.text, definition).is_some() {
            return Err(compiler.error(
                name.span,
                code::DUPLICATE_NAME,
                format!("`{}` is declared twice", name.text),
            ));
        }
    }
    compiler.system(file, &definitions)?;
    compiler.finish_priorities();
    file.progress.iter().try_for_each(|measure| compiler.pure_value(measure).map(|_| ()))?;
    let global = compiler.scopes.remove(0);
    Ok((compiler.network, Names { global, ..compiler.names }))
}

/// Whether processes synchronise in the style of CSP. The two styles cannot be mixed.
fn uses_joint_channels(file: &File, diags: &mut Diagnostics) -> Result<bool, Reported> {
    let mut first = None;
    for item in &file.items {
        let TopLevel::Template(template) = item else { continue };
        for (channel, direction) in template.transitions.iter().filter_map(|edge| edge.sync.as_ref()) {
            let is_joint = *direction == Direction::Join;
            if *first.get_or_insert(is_joint) != is_joint {
                let message = "synchronisations with and without `!` or `?` cannot be mixed";
                return Err(diags.error(channel.span, code::DECLARATION, message));
            }
        }
    }
    Ok(first == Some(true))
}

pub(crate) struct Compiler<'d> {
    pub(crate) network: Network,
    pub(crate) names: Names,
    pub(crate) scopes: Vec<Scope>,
    /// The process of which local names are declared.
    prefix: String,
    /// The function that is compiled.
    frame: Option<Frame>,
    expansions: u32,
    /// How many variables, constants, clocks and channels there are.
    cells: u64,
    uses_joint_channels: bool,
    /// The priorities of the processes.
    levels: Vec<u32>,
    diags: &'d mut Diagnostics,
}

impl<'d> Compiler<'d> {
    pub(crate) fn new(network: Network, names: Names, diags: &'d mut Diagnostics) -> Compiler<'d> {
        let scopes = vec![names.global.clone()];
        Compiler {
            network,
            names,
            scopes,
            prefix: String::new(),
            frame: None,
            expansions: 0,
            cells: 0,
            uses_joint_channels: false,
            levels: Vec::new(),
            diags,
        }
    }

    pub(crate) fn error(&mut self, span: Span, code: Code, message: impl Into<String>) -> Reported {
        self.diags.error(span, code, message)
    }

    fn unsupported<T>(&mut self, span: Span, message: impl Into<String>) -> Result<T, Reported> {
        Err(self.error(span, code::UNSUPPORTED, message))
    }

    fn mismatch<T>(&mut self, span: Span, message: impl Into<String>) -> Result<T, Reported> {
        Err(self.error(span, code::TYPE_MISMATCH, message))
    }

    fn lookup(&self, name: &str) -> Option<&Symbol> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn declare(&mut self, name: &crate::ast::Name, symbol: Symbol) -> Result<(), Reported> {
        let scope = self.scopes.last_mut().expect("there should be a scope");
        if scope.insert(name.text.clone(), symbol).is_some() {
            let message = format!("`{}` is declared twice", name.text);
            return Err(self.error(name.span, code::DUPLICATE_NAME, message));
        }
        Ok(())
    }

    /// Runs `inner` in a scope of its own.
    fn scoped<T>(&mut self, inner: impl FnOnce(&mut Self) -> Result<T, Reported>) -> Result<T, Reported> {
        self.scopes.push(Scope::default());
        let result = inner(self);
        self.scopes.pop();
        result
    }

    /// Counts one more copy of something.
    fn count_expansion(&mut self, span: Span) -> Result<(), Reported> {
        tick();
        self.expansions += 1;
        self.check_expansions(u64::from(self.expansions), span)
    }

    /// Counts cells that are kept.
    fn count_cells(&mut self, cells: u32, span: Span) -> Result<(), Reported> {
        self.cells += u64::from(cells);
        if self.cells > MAX_ALL_CELLS {
            let message = format!("models of more than {MAX_ALL_CELLS} cells are not supported");
            return self.unsupported(span, message);
        }
        Ok(())
    }

    /// A type, or all variables of a function, with too many cells.
    fn too_large<T>(&mut self, span: Span) -> Result<T, Reported> {
        let message = format!(
            "more than {MAX_CELLS} cells, or {MAX_TYPE_DEPTH} nested arrays and structures, are not supported here"
        );
        self.unsupported(span, message)
    }

    /// Whether there may be this number of copies.
    fn check_expansions(&mut self, number: u64, span: Span) -> Result<(), Reported> {
        if number > u64::from(MAX_EXPANSIONS) {
            return self.unsupported(span, "this expands to too many cases");
        }
        Ok(())
    }
}
