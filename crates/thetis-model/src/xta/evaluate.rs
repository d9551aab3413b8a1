//! The values of expressions and the effects of statements.
//!
//! A [`Machine`] holds one discrete state and executes on it. Numbers have 32 bits. A value outside of them, or outside of
//! the range of its variable, is a [`RuntimeError`], as is everything else that aborts UPPAAL's verification. Loops that run
//! too long end with an error as well, so that every evaluation terminates.

use std::fmt;

use super::{
    Argument, Assign, Base, BinaryOp, ChannelId, ChannelRef, ClockId, ClockRef, Copied, DataExpr, DataStmt,
    Discrete, FunctionId, Index, Network, Place, UnaryOp, Update, Yields,
};

/// How many calls and loop iterations one evaluation may take.
const MAX_STEPS: u32 = 1_000_000;

/// What ends a verification while a state is computed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RuntimeError {
    /// A value does not fit its variable.
    OutOfRange(i64, (i32, i32)),
    /// An index does not fit its array.
    BadIndex(i64, (i64, i64)),
    /// A division by zero.
    DivisionByZero,
    /// A number of more than 32 bits.
    Overflow,
    /// A shift by a negative or too large number.
    BadShift,
    /// A clock is set to a negative number, or compared with one that is too large.
    BadClockValue(i32),
    /// A function without end, or a very long one.
    TooLong,
    /// The invariants do not hold at the start.
    BadStart,
    /// The value of this variable is needed, and the state does not give it.
    Unknown(u32),
}

impl fmt::Display for RuntimeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuntimeError::OutOfRange(value, (low, high)) => {
                write!(f, "the value {value} is outside of the range [{low},{high}] of its variable")
            }
            RuntimeError::BadIndex(index, (low, high)) => {
                write!(f, "the index {index} is outside of the range [{low},{high}] of its array")
            }
            RuntimeError::DivisionByZero => write!(f, "division by zero"),
            RuntimeError::Overflow => write!(f, "a number does not fit into 32 bits"),
            RuntimeError::BadShift => write!(f, "a shift by a negative number or by more than 31"),
            RuntimeError::BadClockValue(value) => write!(f, "{value} is no value for a clock"),
            RuntimeError::TooLong => write!(f, "a function takes too many steps"),
            RuntimeError::BadStart => write!(f, "the initial state violates an invariant"),
            RuntimeError::Unknown(cell) => write!(f, "the value of variable {cell} is not known"),
        }
    }
}

/// A change of a clock by an update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockEffect {
    /// The clock.
    pub clock: ClockId,
    /// Its new value.
    pub value: i32,
}

/// A discrete state on which expressions are evaluated and statements executed.
pub struct Machine<'n> {
    network: &'n Network,
    cells: Vec<i32>,
    stack: Vec<i32>,
    frame: usize,
    steps: u32,
    effects: Vec<ClockEffect>,
}

/// What a statement says about the next one.
enum Flow {
    Next,
    Return(i32),
}

/// Where a cell is.
#[derive(Clone, Copy)]
enum Address {
    Variable(usize),
    Constant(usize),
    Stack(usize),
}

impl<'n> Machine<'n> {
    /// A machine in the initial state.
    pub fn new(network: &'n Network) -> Machine<'n> {
        Machine {
            network,
            cells: network.initial().0.into_vec(),
            stack: Vec::new(),
            frame: 0,
            steps: 0,
            effects: Vec::new(),
        }
    }

    /// Continues in `state`.
    pub fn load(&mut self, state: &Discrete) {
        self.cells.copy_from_slice(&state.0);
        self.steps = 0;
        self.effects.clear();
    }

    /// The state as it is now.
    pub fn state(&self) -> Discrete {
        Discrete(self.cells.as_slice().into())
    }

    /// Moves `process` to `location`.
    pub(super) fn enter(&mut self, process: super::ProcessId, location: super::LocationId) {
        self.cells[self.network.variables.len() + process.index()] = location.index() as i32;
    }

    /// Where `process` is now.
    pub(super) fn location(&self, process: super::ProcessId) -> super::LocationId {
        super::LocationId::from(self.cells[self.network.variables.len() + process.index()] as usize)
    }

    /// The changes of clocks since the state was loaded, one for each clock that was set.
    pub(super) fn take_effects(&mut self) -> Vec<ClockEffect> {
        std::mem::take(&mut self.effects)
    }

    /// Whether a condition is true.
    pub fn holds(&mut self, condition: &DataExpr) -> Result<bool, RuntimeError> {
        Ok(self.value(condition)? != 0)
    }

    /// The value of `expr`.
    pub fn value(&mut self, expr: &DataExpr) -> Result<i32, RuntimeError> {
        match expr {
            DataExpr::Const(number) => Ok(*number),
            DataExpr::Read(place) => {
                let address = self.address(place)?;
                self.read(address)
            }
            DataExpr::Unary(op, operand) => unary(*op, self.value(operand)?),
            DataExpr::Binary(op, operands) => self.binary(*op, operands),
            DataExpr::If(parts) => {
                let chosen = if self.holds(&parts.0)? { &parts.1 } else { &parts.2 };
                self.value(chosen)
            }
            DataExpr::Assign(assign) => self.assign(assign),
            DataExpr::Call(function, arguments) => self.call(*function, arguments),
            DataExpr::At(process, location) => Ok(i32::from(self.location(*process) == *location)),
        }
    }

    fn binary(&mut self, op: BinaryOp, operands: &(DataExpr, DataExpr)) -> Result<i32, RuntimeError> {
        let left = self.value(&operands.0)?;
        match op {
            BinaryOp::And if left == 0 => Ok(0),
            BinaryOp::Or if left != 0 => Ok(1),
            _ => apply(op, left, self.value(&operands.1)?),
        }
    }

    fn assign(&mut self, assign: &Assign) -> Result<i32, RuntimeError> {
        let value = self.value(&assign.value)?;
        let address = self.address(&assign.place)?;
        // A value that is replaced need not be known.
        let (old, new) = match (assign.update, assign.yields) {
            (Update::Set, Yields::New) => (value, value),
            (Update::Set, Yields::Old) => (self.read(address)?, value),
            (Update::Apply(op), _) => {
                let old = self.read(address)?;
                (old, apply(op, old, value)?)
            }
        };
        self.write(address, in_range(new, assign.range)?);
        Ok(match assign.yields {
            Yields::Old => old,
            Yields::New => new,
        })
    }

    fn call(&mut self, id: FunctionId, arguments: &[Argument]) -> Result<i32, RuntimeError> {
        self.step()?;
        let network = self.network;
        let function = &network.functions[id];
        let mut cells = Vec::with_capacity(function.frame as usize);
        for argument in arguments {
            self.push_argument(argument, &mut cells)?;
        }
        cells.resize(function.frame as usize, 0);
        let (base, caller) = (self.stack.len(), self.frame);
        self.stack.extend(cells);
        self.frame = base;
        let flow = self.execute(&function.body);
        self.stack.truncate(base);
        self.frame = caller;
        match flow? {
            Flow::Next => Ok(0),
            Flow::Return(value) => in_range(value, function.range),
        }
    }

    fn push_argument(&mut self, argument: &Argument, cells: &mut Vec<i32>) -> Result<(), RuntimeError> {
        match argument {
            Argument::Value(expr, range) => cells.push(in_range(self.value(expr)?, *range)?),
            Argument::Cells(place, size) => {
                let first = self.address(place)?;
                for offset in 0..*size {
                    cells.push(self.read(first.plus(offset as usize))?);
                }
            }
            Argument::Reference(place) => cells.push(self.address(place)?.encode()),
        }
        Ok(())
    }

    /// Executes `statements` in the order in which they stand.
    pub fn execute_all(&mut self, statements: &[DataStmt]) -> Result<(), RuntimeError> {
        statements.iter().try_for_each(|statement| self.execute(statement).map(|_| ()))
    }

    fn execute(&mut self, statement: &DataStmt) -> Result<Flow, RuntimeError> {
        match statement {
            DataStmt::Expr(expr) => {
                self.value(expr)?;
            }
            DataStmt::Copy(to, from) => self.copy(to, from)?,
            DataStmt::SetClock(clock, value) => self.set_clock(clock, value)?,
            DataStmt::Block(statements) => {
                for statement in statements {
                    if let Flow::Return(value) = self.execute(statement)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            DataStmt::If(condition, then, otherwise) => {
                let chosen = if self.holds(condition)? { then } else { otherwise };
                return self.execute(chosen);
            }
            DataStmt::While(condition, body) => {
                while self.holds(condition)? {
                    self.step()?;
                    if let Flow::Return(value) = self.execute(body)? {
                        return Ok(Flow::Return(value));
                    }
                }
            }
            DataStmt::DoWhile(body, condition) => loop {
                self.step()?;
                if let Flow::Return(value) = self.execute(body)? {
                    return Ok(Flow::Return(value));
                }
                if !self.holds(condition)? {
                    break;
                }
            },
            DataStmt::Return(Some(value)) => return Ok(Flow::Return(self.value(value)?)),
            DataStmt::Return(None) => return Ok(Flow::Return(0)),
        }
        Ok(Flow::Next)
    }

    fn copy(&mut self, to: &Place, from: &Copied) -> Result<(), RuntimeError> {
        let values = match from {
            Copied::Values(values) => values.clone(),
            Copied::Place(place, size) => {
                let first = self.address(place)?;
                let cells = (0..*size).map(|offset| self.read(first.plus(offset as usize)));
                cells.collect::<Result<_, _>>()?
            }
        };
        let first = self.address(to)?;
        for (offset, value) in values.into_iter().enumerate() {
            self.write(first.plus(offset), value);
        }
        Ok(())
    }

    fn set_clock(&mut self, clock: &ClockRef, value: &DataExpr) -> Result<(), RuntimeError> {
        let value = self.value(value)?;
        let clock = self.clock(clock)?;
        if !(0..=super::constraint::MAX_BOUND).contains(&value) {
            return Err(RuntimeError::BadClockValue(value));
        }
        self.effects.retain(|effect| effect.clock != clock);
        self.effects.push(ClockEffect { clock, value });
        Ok(())
    }

    /// The clock that `clock` stands for now.
    pub fn clock(&mut self, clock: &ClockRef) -> Result<ClockId, RuntimeError> {
        Ok(ClockId::from(clock.base.index() + self.offset(&clock.indices)?))
    }

    /// The channel that `channel` stands for now.
    pub fn channel(&mut self, channel: &ChannelRef) -> Result<ChannelId, RuntimeError> {
        Ok(ChannelId::from(channel.base.index() + self.offset(&channel.indices)?))
    }

    fn offset(&mut self, indices: &[Index]) -> Result<usize, RuntimeError> {
        let mut offset = 0;
        for index in indices {
            let at = i64::from(self.value(&index.at)?);
            let cell = at - i64::from(index.low);
            if cell < 0 || cell >= i64::from(index.size) {
                let low = i64::from(index.low);
                return Err(RuntimeError::BadIndex(at, (low, low + i64::from(index.size) - 1)));
            }
            offset += cell as usize * index.stride as usize;
        }
        Ok(offset)
    }

    fn address(&mut self, place: &Place) -> Result<Address, RuntimeError> {
        let offset = self.offset(&place.indices)?;
        Ok(match place.base {
            Base::Variable(cell) => Address::Variable(cell as usize + offset),
            Base::Constant(cell) => Address::Constant(cell as usize + offset),
            Base::Local(cell) => Address::Stack(self.frame + cell as usize + offset),
            Base::Reference(cell, further) => {
                Address::decode(self.stack[self.frame + cell as usize]).plus(further as usize + offset)
            }
        })
    }

    fn read(&self, address: Address) -> Result<i32, RuntimeError> {
        match address {
            Address::Variable(cell) => match self.cells[cell] {
                Discrete::UNKNOWN => Err(RuntimeError::Unknown(cell as u32)),
                value => Ok(value),
            },
            Address::Constant(cell) => Ok(self.network.constants[cell]),
            Address::Stack(cell) => Ok(self.stack[cell]),
        }
    }

    fn write(&mut self, address: Address, value: i32) {
        match address {
            Address::Variable(cell) => self.cells[cell] = value,
            Address::Stack(cell) => self.stack[cell] = value,
            Address::Constant(_) => unreachable!("front ends let nobody write to constants"),
        }
    }

    fn step(&mut self) -> Result<(), RuntimeError> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(RuntimeError::TooLong) } else { Ok(()) }
    }
}

impl Address {
    fn plus(self, offset: usize) -> Address {
        match self {
            Address::Variable(cell) => Address::Variable(cell + offset),
            Address::Constant(cell) => Address::Constant(cell + offset),
            Address::Stack(cell) => Address::Stack(cell + offset),
        }
    }

    /// As the content of a cell. Constants are not passed by reference.
    fn encode(self) -> i32 {
        match self {
            Address::Variable(cell) => cell as i32,
            Address::Stack(cell) => -1 - cell as i32,
            Address::Constant(_) => unreachable!("front ends pass constants by value"),
        }
    }

    fn decode(cell: i32) -> Address {
        if cell >= 0 { Address::Variable(cell as usize) } else { Address::Stack((-1 - cell) as usize) }
    }
}

fn in_range(value: i32, (low, high): (i32, i32)) -> Result<i32, RuntimeError> {
    if (low..=high).contains(&value) {
        return Ok(value);
    }
    Err(RuntimeError::OutOfRange(i64::from(value), (low, high)))
}

impl UnaryOp {
    /// The value of the operator applied to a number.
    pub fn apply(self, operand: i32) -> Result<i32, RuntimeError> {
        unary(self, operand)
    }
}

impl BinaryOp {
    /// The value of the operator applied to two numbers.
    pub fn apply(self, left: i32, right: i32) -> Result<i32, RuntimeError> {
        apply(self, left, right)
    }
}

fn unary(op: UnaryOp, operand: i32) -> Result<i32, RuntimeError> {
    match op {
        UnaryOp::Minus => operand.checked_neg().ok_or(RuntimeError::Overflow),
        UnaryOp::Not => Ok(i32::from(operand == 0)),
        UnaryOp::Complement => Ok(!operand),
    }
}

fn apply(op: BinaryOp, left: i32, right: i32) -> Result<i32, RuntimeError> {
    let exact = |result: Option<i32>| result.ok_or(RuntimeError::Overflow);
    match op {
        BinaryOp::Add => exact(left.checked_add(right)),
        BinaryOp::Subtract => exact(left.checked_sub(right)),
        BinaryOp::Multiply => exact(left.checked_mul(right)),
        BinaryOp::Divide | BinaryOp::Modulo if right == 0 => Err(RuntimeError::DivisionByZero),
        BinaryOp::Divide => exact(left.checked_div(right)),
        BinaryOp::Modulo => exact(left.checked_rem(right)),
        BinaryOp::Minimum => Ok(left.min(right)),
        BinaryOp::Maximum => Ok(left.max(right)),
        BinaryOp::BitAnd => Ok(left & right),
        BinaryOp::BitOr => Ok(left | right),
        BinaryOp::BitXor => Ok(left ^ right),
        BinaryOp::ShiftLeft | BinaryOp::ShiftRight if !(0..32).contains(&right) => {
            Err(RuntimeError::BadShift)
        }
        BinaryOp::ShiftLeft => exact(i32::try_from(i64::from(left) << right).ok()),
        BinaryOp::ShiftRight => Ok(left >> right),
        BinaryOp::Less => Ok(i32::from(left < right)),
        BinaryOp::LessEqual => Ok(i32::from(left <= right)),
        BinaryOp::Equal => Ok(i32::from(left == right)),
        BinaryOp::NotEqual => Ok(i32::from(left != right)),
        BinaryOp::And => Ok(i32::from(left != 0 && right != 0)),
        BinaryOp::Or => Ok(i32::from(left != 0 || right != 0)),
    }
}
