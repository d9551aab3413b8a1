//! Statements as code for registers.
//!
//! Registers hold the variables first, then the constants, then intermediate results. The code of a term computes each
//! subterm once, arguments before the terms that use them. An array that is assigned to itself with some cells written is
//! changed in place: programs do that in every round of a loop.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use thetis_expr::{ExprId, Op, Postorder, Signs, SmallRange, Sort, Store, VarId};
use thetis_model::cfa::{Stmt, StmtKind};

use super::word::Word;

/// The number of a register.
pub(crate) type Register = u32;

/// One operation: its operator, arguments and destination.
#[derive(Clone, Debug)]
pub(crate) struct Instruction {
    pub(crate) op: Op,
    /// The sort of the result.
    pub(crate) sort: Sort,
    /// The sort of the first argument.
    pub(crate) argument_sort: Sort,
    pub(crate) arguments: SmallVec<[Register; 3]>,
    pub(crate) result: Register,
    /// The term, for whoever needs to know more.
    pub(crate) term: ExprId,
}

/// A part of a statement.
#[derive(Clone, Debug)]
pub(crate) enum Operation {
    Compute(Instruction),
    /// Copies a register into a variable.
    Assign(Register, Register),
    /// Writes cells of a variable: at which index, which element.
    Write(Register, SmallVec<[(Register, Register); 1]>),
    /// Blocks unless the register is true.
    Assume(Register, Learned),
    /// Takes an input.
    Havoc(Register),
    /// The variable is in a range with few values.
    Limit(Register, SmallRange),
    /// Takes a choice.
    Choice(Vec<Vec<Operation>>),
}

/// What an assumption says about variables.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Learned {
    /// A variable that has the value of a constant.
    pub(crate) value: Option<(Register, Register)>,
    /// The signs of a variable.
    pub(crate) signs: Option<(Register, Signs)>,
}

/// Makes code, and collects the constants that it uses.
pub(crate) struct Compiler<'t> {
    store: &'t Store,
    variables: FxHashMap<VarId, Register>,
    /// The variables whose limits are part of the code.
    by_value: &'t BTreeSet<VarId>,
    /// The constants, in the order of their registers after the variables.
    pub(crate) constants: Vec<Word>,
    known: FxHashMap<ExprId, Register>,
    num_temporaries: u32,
}

/// Computed registers are numbered from here on until all constants are known.
const TEMPORARY: Register = 1 << 31;

impl<'t> Compiler<'t> {
    /// The code says where one of the variables `by_value` is limited to a small range.
    pub(crate) fn new(
        store: &'t Store,
        vars: impl IntoIterator<Item = VarId>,
        by_value: &'t BTreeSet<VarId>,
    ) -> Compiler<'t> {
        let variables = vars.into_iter().enumerate().map(|(number, var)| (var, number as Register));
        Compiler {
            store,
            variables: variables.collect(),
            by_value,
            constants: Vec::new(),
            known: FxHashMap::default(),
            num_temporaries: 0,
        }
    }

    /// How many registers the code needs.
    pub(crate) fn num_registers(&self) -> usize {
        self.first_temporary() as usize + self.num_temporaries as usize
    }

    /// The code of `stmt`; pass it to [`Compiler::finish`] once all statements are compiled.
    pub(crate) fn stmt(&mut self, stmt: &Stmt) -> Vec<Operation> {
        let mut code = Vec::new();
        self.add(stmt, &mut code);
        code
    }

    fn add(&mut self, stmt: &Stmt, code: &mut Vec<Operation>) {
        match &stmt.kind {
            StmtKind::Assign(var, term) => {
                let part = self.assignment(*var, *term, code);
                code.push(part);
                let range = SmallRange::of_term(self.store, *term);
                self.limit(range.map(|range| (*var, range)), code);
            }
            StmtKind::Assume(formula) => {
                for conjunct in self.store.conjuncts(*formula) {
                    let condition = self.term(conjunct, code);
                    let signs = Signs::implied(self.store, conjunct, true);
                    let signs = signs.map(|(var, signs)| (self.variables[&var], signs));
                    let learned = Learned { value: self.learned_value(conjunct), signs };
                    code.push(Operation::Assume(condition, learned));
                }
                self.limit(SmallRange::implied(self.store, *formula), code);
            }
            StmtKind::Havoc(var) => {
                code.push(Operation::Havoc(self.variables[var]));
                let range = SmallRange::of_sort(self.store.var_sort(*var));
                self.limit(range.map(|range| (*var, range)), code);
            }
            StmtKind::Seq(stmts) => stmts.iter().for_each(|stmt| self.add(stmt, code)),
            StmtKind::Choice(stmts) => {
                code.push(Operation::Choice(stmts.iter().map(|stmt| self.stmt(stmt)).collect()));
            }
        }
    }

    fn limit(&self, ranges: impl IntoIterator<Item = (VarId, SmallRange)>, code: &mut Vec<Operation>) {
        let ranges = ranges.into_iter().filter(|(var, _)| self.by_value.contains(var));
        code.extend(ranges.map(|(var, range)| Operation::Limit(self.variables[&var], range)));
    }

    /// The variable that has the value of a constant wherever `formula` holds, if it is as simple as that.
    fn learned_value(&mut self, formula: ExprId) -> Option<(Register, Register)> {
        let store = self.store;
        let arguments = store.args(formula);
        let (var, constant) = match store.op(formula) {
            Op::Var(var) => (var, store.tru()),
            Op::Not => (store.as_var(arguments[0])?, store.fals()),
            Op::Eq => {
                let pair =
                    |var, constant| Some((store.as_var(var)?, store.value(constant).map(|_| constant)?));
                let (left, right) = (arguments[0], arguments[1]);
                pair(left, right).or_else(|| pair(right, left))?
            }
            _ => return None,
        };
        Some((self.variables[&var], self.constant(constant)))
    }

    /// Adds code for the subterms of `term`. Returns the operation that assigns it to `var`.
    fn assignment(&mut self, var: VarId, term: ExprId, code: &mut Vec<Operation>) -> Operation {
        let variable = self.variables[&var];
        match self.cells_written(var, term) {
            Some(cells) => {
                let registers = self.terms(&cells, code);
                Operation::Write(variable, registers.chunks(2).map(|cell| (cell[0], cell[1])).collect())
            }
            None => Operation::Assign(variable, self.term(term, code)),
        }
    }

    /// If `term` is the array `var` with some cells written, their indices and elements alternately, in the order of the writes.
    fn cells_written(&self, var: VarId, mut term: ExprId) -> Option<Vec<ExprId>> {
        let mut cells = Vec::new();
        while self.store.op(term) == Op::Store {
            let arguments = self.store.args(term);
            cells.extend([arguments[2], arguments[1]]);
            term = arguments[0];
        }
        cells.reverse();
        (self.store.as_var(term) == Some(var) && !cells.is_empty()).then_some(cells)
    }

    /// Adds code for `term`. Returns the register with its value.
    fn term(&mut self, term: ExprId, code: &mut Vec<Operation>) -> Register {
        self.terms(&[term], code)[0]
    }

    /// Adds code for `terms`. Returns the registers with their values.
    fn terms(&mut self, terms: &[ExprId], code: &mut Vec<Operation>) -> Vec<Register> {
        let store = self.store;
        let mut computed: FxHashMap<ExprId, Register> = FxHashMap::default();
        for part in Postorder::new(store, terms.iter().copied()) {
            let register = match store.op(part) {
                Op::Var(var) => self.variables[&var],
                Op::Const(_) => self.constant(part),
                op => {
                    let result = TEMPORARY + computed.len() as Register;
                    let arguments = store.args(part);
                    code.push(Operation::Compute(Instruction {
                        op,
                        sort: store.sort(part),
                        argument_sort: store.sort(arguments[0]),
                        arguments: arguments.iter().map(|argument| computed[argument]).collect(),
                        result,
                        term: part,
                    }));
                    result
                }
            };
            computed.insert(part, register);
        }
        self.num_temporaries = self.num_temporaries.max(computed.len() as u32);
        terms.iter().map(|term| computed[term]).collect()
    }

    fn constant(&mut self, term: ExprId) -> Register {
        let (store, num_variables) = (self.store, self.variables.len());
        let constants = &mut self.constants;
        *self.known.entry(term).or_insert_with(|| {
            let value = store.value(term).expect("a constant should have a value");
            constants.push(Word::of(&value));
            (num_variables + constants.len() - 1) as Register
        })
    }

    fn first_temporary(&self) -> Register {
        (self.variables.len() + self.constants.len()) as Register
    }

    /// Puts the computed registers after the constants.
    pub(crate) fn finish(&self, code: &mut [Operation]) {
        let place = |register: &mut Register| {
            if *register >= TEMPORARY {
                *register = *register - TEMPORARY + self.first_temporary();
            }
        };
        for part in code {
            match part {
                Operation::Compute(instruction) => {
                    instruction.arguments.iter_mut().for_each(place);
                    place(&mut instruction.result);
                }
                Operation::Assign(_, from) | Operation::Assume(from, _) => place(from),
                Operation::Write(_, cells) => cells.iter_mut().for_each(|(index, element)| {
                    place(index);
                    place(element);
                }),
                Operation::Havoc(_) | Operation::Limit(..) => {}
                Operation::Choice(branches) => branches.iter_mut().for_each(|branch| self.finish(branch)),
            }
        }
    }
}
