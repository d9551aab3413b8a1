//! The call tree: which copies of functions there are.
//!
//! Every call of a function with a body gets its own copy, so that facts about one call are not mixed with facts about
//! another. A call through a pointer gets a copy of every function whose address is taken and whose type fits. A
//! recursive function is copied as long as at most `recursion_bound` copies are on the path from `main`; programs that
//! would become too large get a smaller bound.
//!
//! Programs with directly or indirectly recursive functions have a second tree. It has one shared copy of each such
//! function, a *procedure*, to which all its calls lead.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use thetis_base::{IndexVec, Span};

use super::builtin::{builtin, is_of_library, is_variable_of_library};
use super::options::Externals;
use super::origin::{Frame, FrameId};
use super::threads;
use super::walk::{Part, Site, site_of, walk, walk_body};
use crate::hir::{
    Callee, Expr, ExprKind, FunctionId, FunctionType, Global, GlobalId, PlaceKind, Program, Stmt, StmtKind,
    Type, TypeId,
};
use crate::library::{is_model, model_of};

/// The greatest number of copies due to recursion.
const MAX_RECURSIVE_FRAMES: usize = 4096;

/// The copies of functions.
pub(super) struct CallTree {
    /// The copies; the first is `main`.
    pub(super) frames: IndexVec<FrameId, Frame>,
    /// For each copy, whether its body may run more than once.
    pub(super) repeats: IndexVec<FrameId, bool>,
    /// The copy that a call at a place of a copy enters.
    pub(super) callees: FxHashMap<(FrameId, Site, FunctionId), FrameId>,
    /// How many copies of one function may be on a path.
    pub(super) recursion_bound: u32,
    /// The functions that are procedures, with their only copies.
    pub(super) procedures: BTreeMap<FunctionId, FrameId>,
    /// The functions that pointers can point to.
    pub(super) address_taken: BTreeSet<FunctionId>,
    /// The variables with static storage that are used.
    pub(super) globals: BTreeSet<GlobalId>,
    /// The functions that are called back by functions outside the program.
    pub(super) callbacks: BTreeSet<FunctionId>,
    /// Whether the program starts threads.
    pub(super) has_threads: bool,
    /// How many threads started by one copy of a call may run at once.
    pub(super) thread_bound: u32,
    /// Whether unknown functions are called.
    pub(super) has_externals: bool,
    /// Whether other parts of the program run, or have run before, and may know the variables that they can name.
    pub(super) has_other_parts: bool,
    /// The functions of which nothing is known: without a body, a model, or a meaning of their own.
    externals: BTreeSet<FunctionId>,
    /// The models of functions without a body.
    models: BTreeMap<FunctionId, FunctionId>,
}

/// What decides the shape of a call tree.
pub(super) struct Shape<'a> {
    /// How many calls of one function may be pending.
    pub(super) recursion_bound: u32,
    /// How many threads started by one copy of a call may run at once.
    pub(super) thread_bound: u32,
    /// How large the copies may become together.
    pub(super) max_size: usize,
    /// The function that must not be called; its body does not matter.
    pub(super) target: Option<&'a str>,
    /// The functions that functions outside the program may call.
    pub(super) callbacks: &'a BTreeSet<FunctionId>,
    /// What unknown functions may do.
    pub(super) externals: Externals,
}

/// A program that has too many calls.
pub(super) struct TooLarge;

/// What one function mentions.
struct Mentions<'h> {
    calls: Vec<CallSite<'h>>,
    addresses: Vec<FunctionId>,
    globals: Vec<GlobalId>,
    size: usize,
}

struct CallSite<'h> {
    call: &'h Expr,
    callee: &'h Callee,
    args: &'h [Expr],
    is_in_loop: bool,
}

impl CallTree {
    /// The tree of a program from `main` on.
    pub(super) fn new(program: &Program, main: FunctionId, shape: &Shape<'_>) -> Result<CallTree, TooLarge> {
        let reached = Reached::new(program, main, shape);
        let mut bound = shape.recursion_bound.max(1);
        loop {
            let limit = if bound > 1 { MAX_RECURSIVE_FRAMES } else { usize::MAX };
            match reached.tree(main, bound, limit, shape, &BTreeSet::new()) {
                Ok(tree) => return Ok(tree),
                Err(TooLarge) if bound > 1 => bound -= 1,
                Err(TooLarge) => return Err(TooLarge),
            }
        }
    }

    /// The tree in which recursive functions are procedures, unless there are none or `main` is one.
    pub(super) fn with_procedures(
        program: &Program,
        main: FunctionId,
        shape: &Shape<'_>,
    ) -> Option<CallTree> {
        let reached = Reached::new(program, main, shape);
        let procedures = reached.recursive();
        if procedures.is_empty() || procedures.contains(&main) {
            return None;
        }
        reached.tree(main, 1, usize::MAX, shape, &procedures).ok()
    }

    /// Whether a copy is that of a procedure.
    pub(super) fn is_procedure(&self, frame: FrameId) -> bool {
        self.procedures.get(&self.frames[frame].function) == Some(&frame)
    }

    /// Whether a copy belongs to a procedure, so that every activation has its own variables.
    pub(super) fn is_private(&self, mut frame: FrameId) -> bool {
        while let Some((caller, _)) = self.frames[frame].caller {
            frame = caller;
        }
        self.is_procedure(frame)
    }
}

/// The functions that can be called at all.
struct Reached<'h> {
    program: &'h Program,
    mentions: BTreeMap<FunctionId, Mentions<'h>>,
    address_taken: BTreeSet<FunctionId>,
    globals: BTreeSet<GlobalId>,
    models: BTreeMap<FunctionId, FunctionId>,
    externals: BTreeSet<FunctionId>,
    target: Option<&'h str>,
}

impl<'h> Reached<'h> {
    fn new(program: &'h Program, main: FunctionId, shape: &Shape<'h>) -> Reached<'h> {
        let target = shape.target;
        let (mentions, address_taken, globals) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let ids = program.functions.indices();
        let models: BTreeMap<FunctionId, FunctionId> =
            ids.clone().filter_map(|function| Some((function, model_of(program, function)?))).collect();
        let is_external = |function: &FunctionId| {
            let info = &program.functions[*function];
            let is_known = info.body.is_some()
                || models.contains_key(function)
                || builtin(&program.types, info).is_some();
            !is_known && target != Some(&*info.name)
        };
        let externals = ids.filter(is_external).collect();
        let mut reached = Reached { program, mentions, address_taken, globals, models, externals, target };
        reached.enter(vec![main]);
        if shape.externals == Externals::Sound && reached.has_outside() {
            let taken = reached.use_named();
            reached.address_taken.extend(taken.iter().copied());
            reached.enter(taken);
        }
        reached
    }

    /// Notes functions, and those that they mention.
    fn enter(&mut self, mut pending: Vec<FunctionId>) {
        while let Some(function) = pending.pop() {
            if self.mentions.contains_key(&function) || !self.is_entered(function) {
                continue;
            }
            let Some(body) = &self.program.functions[function].body else { continue };
            let mentions = Mentions::of(body);
            pending.extend(mentions.calls.iter().filter_map(|site| match site.callee {
                Callee::Function(callee) => Some(resolve(&self.models, *callee)),
                Callee::Pointer(_) => None,
            }));
            let mut taken = mentions.addresses.clone();
            for global in &mentions.globals {
                self.use_global(*global, &mut taken);
            }
            pending.extend(taken.iter().copied());
            self.address_taken.extend(taken);
            self.mentions.insert(function, mentions);
        }
    }

    /// Whether code runs that knows variables of the program by name, or has run before it.
    fn has_outside(&self) -> bool {
        self.has_other_parts()
            || self.globals.iter().any(|global| is_elsewhere(&self.program.globals[*global]))
    }

    /// Records the variables that outside code knows by name, and from which it gets addresses of functions and other
    /// variables. The program itself need not mention them.
    fn use_named(&mut self) -> Vec<FunctionId> {
        let has_address = |initializer| {
            walk([Part::Initializer(initializer)]).any(|part| match part {
                Part::Expr(expr) => matches!(expr.kind, ExprKind::FunctionAddress(_)),
                Part::Place(place) => matches!(place.kind, PlaceKind::Global(_)),
                Part::Stmt(_) | Part::Initializer(_) => false,
            })
        };
        let mut taken = Vec::new();
        for (global, info) in self.program.globals.iter_enumerated() {
            if info.has_external_linkage && info.initializer.as_ref().is_some_and(has_address) {
                self.use_global(global, &mut taken);
            }
        }
        taken
    }

    /// Notes a variable, and what its initial value mentions.
    fn use_global(&mut self, global: GlobalId, taken: &mut Vec<FunctionId>) {
        let mut pending = vec![global];
        while let Some(global) = pending.pop() {
            if !self.globals.insert(global) {
                continue;
            }
            let initializer = self.program.globals[global].initializer.iter();
            for part in walk(initializer.map(Part::Initializer)) {
                match part {
                    Part::Expr(Expr { kind: ExprKind::FunctionAddress(function), .. }) => {
                        taken.push(*function);
                    }
                    Part::Place(place) => {
                        if let PlaceKind::Global(global) = place.kind {
                            pending.push(global);
                        }
                    }
                    Part::Expr(_) | Part::Stmt(_) | Part::Initializer(_) => {}
                }
            }
        }
    }

    /// The directly or indirectly recursive functions.
    fn recursive(&self) -> BTreeSet<FunctionId> {
        let callees: BTreeMap<FunctionId, BTreeSet<FunctionId>> = self
            .mentions
            .iter()
            .map(|(function, mentions)| {
                let called = mentions.calls.iter().flat_map(|site| self.candidates(site));
                (*function, called.filter(|callee| self.is_entered(*callee)).collect())
            })
            .collect();
        let calls_itself = |function: &FunctionId| {
            let mut found = BTreeSet::new();
            let mut pending = vec![*function];
            while let Some(caller) = pending.pop() {
                pending.extend(
                    callees.get(&caller).into_iter().flatten().filter(|callee| found.insert(**callee)),
                );
            }
            found.contains(function)
        };
        self.mentions.keys().copied().filter(calls_itself).collect()
    }

    fn tree(
        &self,
        main: FunctionId,
        recursion_bound: u32,
        max_recursive: usize,
        shape: &Shape<'_>,
        procedures: &BTreeSet<FunctionId>,
    ) -> Result<CallTree, TooLarge> {
        let mut tree = CallTree {
            frames: IndexVec::new(),
            repeats: IndexVec::new(),
            callees: FxHashMap::default(),
            recursion_bound,
            procedures: BTreeMap::new(),
            address_taken: self.address_taken.clone(),
            globals: self.globals.clone(),
            callbacks: shape.callbacks.clone(),
            has_threads: false,
            thread_bound: shape.thread_bound,
            has_externals: self.has_externals(),
            has_other_parts: self.has_outside(),
            externals: self.externals.clone(),
            models: self.models.clone(),
        };
        let main = tree.add_root(self.program, main);
        let mut arguments: BTreeMap<FrameId, &[Expr]> = BTreeMap::new();
        for function in procedures {
            let frame = tree.add_root(self.program, *function);
            tree.repeats[frame] = true;
            tree.procedures.insert(*function, frame);
        }
        let (mut size, mut num_recursive) = (0, 0);
        let mut pending: Vec<FrameId> = tree.procedures.values().rev().copied().chain([main]).collect();
        while let Some(frame) = pending.pop() {
            let Some(mentions) = self.mentions.get(&tree.frames[frame].function) else { continue };
            size += mentions.size;
            num_recursive += usize::from(tree.num_pending(frame, tree.frames[frame].function) > 1);
            if size > shape.max_size || num_recursive > max_recursive {
                return Err(TooLarge);
            }
            let start = pending.len();
            let mut numbers: BTreeMap<FunctionId, u32> = BTreeMap::new();
            let starts_threads = self.program.functions[tree.frames[frame].function].name == threads::STARTER;
            tree.has_threads |= starts_threads;
            let sites = match (starts_threads, tree.repeats[frame]) {
                (false, _) => usize::MAX,
                (true, false) => 1,
                (true, true) => shape.thread_bound as usize,
            };
            for site in mentions.calls.iter().filter(|site| !starts_threads || !is_direct(site)).take(sites) {
                let (callees, bound) = match self.is_external(site) {
                    true => (shape.callbacks.iter().copied().collect(), 1),
                    false => (self.candidates(site), recursion_bound),
                };
                let callees = match arguments.get(&frame).filter(|_| starts_threads) {
                    Some(arguments) => threads::started(arguments).map_or(callees, |known| vec![known]),
                    None => callees,
                };
                for callee in callees {
                    if let Some(procedure) = tree.procedures.get(&callee) {
                        tree.callees.insert((frame, site_of(site.call), callee), *procedure);
                        continue;
                    }
                    if !self.is_entered(callee) || tree.num_pending(frame, callee) >= bound {
                        continue;
                    }
                    let number = numbers.entry(callee).or_default();
                    *number += 1;
                    let entered = tree.add(self.program, frame, site, callee, *number);
                    arguments.insert(entered, site.args);
                    pending.push(entered);
                }
            }
            pending[start..].reverse();
        }
        Ok(tree)
    }

    /// Whether calls of a function become copies of it.
    fn is_entered(&self, function: FunctionId) -> bool {
        let info = &self.program.functions[function];
        info.body.is_some() && self.target != Some(&*info.name)
    }

    fn has_externals(&self) -> bool {
        self.mentions.values().flat_map(|mentions| &mentions.calls).any(|site| self.is_external(site))
    }

    /// Whether functions are called that may be other parts of the program.
    fn has_other_parts(&self) -> bool {
        self.mentions.values().flat_map(|mentions| &mentions.calls).any(|site| match site.callee {
            Callee::Function(callee) => {
                self.is_external(site) && !is_of_library(&self.program.functions[*callee])
            }
            Callee::Pointer(_) => false,
        })
    }

    fn is_external(&self, site: &CallSite<'_>) -> bool {
        match site.callee {
            Callee::Function(callee) => self.externals.contains(callee),
            Callee::Pointer(_) => false,
        }
    }

    fn candidates(&self, site: &CallSite<'_>) -> Vec<FunctionId> {
        match site.callee {
            Callee::Function(callee) => vec![resolve(&self.models, *callee)],
            Callee::Pointer(_) => candidates(self.program, &self.address_taken, site.args, site.call.ty),
        }
    }
}

/// Whether a call names the function.
fn is_direct(site: &CallSite<'_>) -> bool {
    matches!(site.callee, Callee::Function(_))
}

/// Whether a variable is defined in another part of the program.
fn is_elsewhere(global: &Global) -> bool {
    !global.is_defined && !is_variable_of_library(&global.name) && !is_model(&global.name)
}

/// The function that is called instead of one that has no body.
fn resolve(models: &BTreeMap<FunctionId, FunctionId>, function: FunctionId) -> FunctionId {
    models.get(&function).copied().unwrap_or(function)
}

impl CallTree {
    /// Whether a function is unknown: it has neither a body, nor a model, nor a built-in meaning.
    pub(super) fn is_external(&self, function: FunctionId) -> bool {
        self.externals.contains(&function)
    }

    /// Whether the program reads `errno`.
    pub(super) fn sees_errno(&self) -> bool {
        let is_location = |name: &str| ["__errno_location", "__error"].iter().any(|end| name.ends_with(end));
        self.frames.iter().any(|frame| is_location(&frame.name))
    }

    /// The function that is called: the model of one that has no body.
    pub(super) fn resolve(&self, function: FunctionId) -> FunctionId {
        resolve(&self.models, function)
    }

    /// Adds a copy that no other copy calls.
    fn add_root(&mut self, program: &Program, function: FunctionId) -> FrameId {
        let name = program.functions[function].name.clone();
        self.repeats.push(false);
        self.frames.push(Frame { function, path: name.clone(), name, caller: None, depth: 0 })
    }

    fn add(
        &mut self,
        program: &Program,
        caller: FrameId,
        site: &CallSite<'_>,
        function: FunctionId,
        number: u32,
    ) -> FrameId {
        let name = program.functions[function].name.clone();
        let path = match number {
            1 => format!("{}.{name}", self.frames[caller].path),
            _ => format!("{}.{name}#{number}", self.frames[caller].path),
        };
        let depth = self.frames[caller].depth + 1;
        let caller_and_place: (FrameId, Span) = (caller, site.call.span);
        let frame = self.frames.push(Frame { function, name, path, caller: Some(caller_and_place), depth });
        let is_callback = matches!(site.callee, Callee::Function(callee) if self.is_external(*callee));
        self.repeats.push(self.repeats[caller] || site.is_in_loop || is_callback);
        self.callees.insert((caller, site_of(site.call), function), frame);
        frame
    }

    /// How many copies of `function` are on the path to `frame`.
    fn num_pending(&self, frame: FrameId, function: FunctionId) -> u32 {
        let (mut count, mut at) = (0, Some(frame));
        while let Some(frame) = at {
            count += u32::from(self.frames[frame].function == function);
            at = self.frames[frame].caller.map(|(caller, _)| caller);
        }
        count
    }
}

/// The functions that a pointer of the right type can point to.
pub(super) fn candidates(
    program: &Program,
    address_taken: &BTreeSet<FunctionId>,
    args: &[Expr],
    result: TypeId,
) -> Vec<FunctionId> {
    let fits = |function: &&FunctionId| accepts(program, &program.functions[**function].ty, args, result);
    address_taken.iter().filter(fits).copied().collect()
}

/// Whether a function can be called with such arguments: types may differ in pointer targets and in signedness.
fn accepts(program: &Program, ty: &FunctionType, args: &[Expr], result: TypeId) -> bool {
    let types = &program.types;
    let similar = |left: TypeId, right: TypeId| match (types.get(left), types.get(right)) {
        (Type::Void, _) | (_, Type::Void) => true,
        (Type::Int(left), Type::Int(right)) => left.size(types.model()) == right.size(types.model()),
        (Type::Pointer(_), Type::Pointer(_)) => true,
        (left, right) => left == right,
    };
    let counts = if ty.is_variadic { ty.params.len() <= args.len() } else { ty.params.len() == args.len() };
    counts
        && similar(ty.result, result)
        && ty.params.iter().zip(args).all(|(param, arg)| similar(*param, arg.ty))
}

impl<'h> Mentions<'h> {
    fn of(body: &'h [Stmt]) -> Mentions<'h> {
        let mut mentions =
            Mentions { calls: Vec::new(), addresses: Vec::new(), globals: Vec::new(), size: 0 };
        let loops = Loops::of(body);
        for part in walk_body(body) {
            mentions.size += 1;
            match part {
                Part::Expr(Expr { kind: ExprKind::FunctionAddress(function), .. }) => {
                    mentions.addresses.push(*function);
                }
                Part::Expr(call @ Expr { kind: ExprKind::Call(callee, args), .. }) => {
                    let is_in_loop = loops.contain(call);
                    mentions.calls.push(CallSite { call, callee, args, is_in_loop });
                }
                Part::Place(place) => {
                    if let PlaceKind::Global(global) = place.kind {
                        mentions.globals.push(global);
                    }
                }
                Part::Expr(_) | Part::Stmt(_) | Part::Initializer(_) => {}
            }
        }
        mentions
    }
}

/// The calls that may happen again before the function returns.
struct Loops {
    all: bool,
    calls: rustc_hash::FxHashSet<Site>,
}

impl Loops {
    /// A function with labels may jump back to anywhere.
    fn of(body: &[Stmt]) -> Loops {
        let mut loops = Loops { all: false, calls: rustc_hash::FxHashSet::default() };
        for part in walk_body(body) {
            let Part::Stmt(stmt) = part else { continue };
            match &stmt.kind {
                StmtKind::Goto(_) => loops.all = true,
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => {
                    let inside = walk([Part::Stmt(stmt)]);
                    loops.calls.extend(inside.filter_map(|part| match part {
                        Part::Expr(call @ Expr { kind: ExprKind::Call(..), .. }) => Some(site_of(call)),
                        _ => None,
                    }));
                }
                _ => {}
            }
        }
        loops
    }

    fn contain(&self, call: &Expr) -> bool {
        self.all || self.calls.contains(&site_of(call))
    }
}
