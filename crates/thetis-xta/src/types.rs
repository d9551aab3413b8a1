//! Types and what names stand for.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_model::xta::{
    Base, ChannelRef, ClockRef, DataExpr, FunctionId, Index, LocationId, Place, ProcessId,
};

/// The range of `int` without bounds.
pub(crate) const DEFAULT_RANGE: (i32, i32) = (-32768, 32767);

/// A type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Void,
    Bool,
    Int(i32, i32),
    Clock,
    Channel(ChannelType),
    /// Elements, the least index, and how many there are.
    Array(Rc<Type>, i32, u32, Extent),
    Struct(Rc<Vec<(String, Type)>>, Extent),
}

/// The size of an array or structure.
///
/// Types share the types that they are made of, so a few lines may describe a type whose cells cannot be counted. It is rejected
/// where it is written: walks over a type visit at most as many parts as it has cells, times its depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Extent {
    cells: u32,
    depth: u32,
}

impl Extent {
    fn of(cells: u64, depth: u32) -> Option<Extent> {
        let cells = u32::try_from(cells).ok().filter(|cells| *cells <= MAX_CELLS)?;
        (depth <= MAX_TYPE_DEPTH).then_some(Extent { cells, depth })
    }
}

/// What a channel is declared as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ChannelType {
    pub(crate) is_broadcast: bool,
    pub(crate) is_urgent: bool,
}

impl Type {
    /// `size` elements with indices from `low` on; `None` if it is too large.
    pub(crate) fn array(element: Type, low: i32, size: u32) -> Option<Type> {
        let extent = Extent::of(u64::from(element.cells()) * u64::from(size), element.depth() + 1)?;
        Some(Type::Array(Rc::new(element), low, size, extent))
    }

    /// A structure; `None` if it is too large.
    pub(crate) fn structure(fields: Vec<(String, Type)>) -> Option<Type> {
        let cells = fields.iter().map(|(_, ty)| u64::from(ty.cells())).sum();
        let depth = fields.iter().map(|(_, ty)| ty.depth()).max().unwrap_or(0);
        let extent = Extent::of(cells, depth + 1)?;
        Some(Type::Struct(Rc::new(fields), extent))
    }

    /// How many cells a value has.
    pub(crate) fn cells(&self) -> u32 {
        match self {
            Type::Void => 0,
            Type::Array(.., extent) | Type::Struct(_, extent) => extent.cells,
            _ => 1,
        }
    }

    /// How deeply arrays and structures nest.
    fn depth(&self) -> u32 {
        match self {
            Type::Array(.., extent) | Type::Struct(_, extent) => extent.depth,
            _ => 0,
        }
    }

    /// The range of a number.
    pub(crate) fn range(&self) -> Option<(i32, i32)> {
        match self {
            Type::Bool => Some((0, 1)),
            Type::Int(low, high) => Some((*low, *high)),
            _ => None,
        }
    }

    /// A known number as a value of this type: as a truth value, every number except 0 is true.
    pub(crate) fn converted(&self, number: i32) -> i32 {
        if *self == Type::Bool { i32::from(number != 0) } else { number }
    }

    /// The initial values of the cells by default: 0, or the least value if 0 is outside of the range.
    pub(crate) fn defaults(&self, cells: &mut Vec<i32>) {
        match self {
            Type::Array(element, _, size, _) => (0..*size).for_each(|_| element.defaults(cells)),
            Type::Struct(fields, _) => fields.iter().for_each(|(_, ty)| ty.defaults(cells)),
            _ => {
                let (low, high) = self.range().unwrap_or((0, 0));
                cells.push(if (low..=high).contains(&0) { 0 } else { low });
            }
        }
    }

    /// The ranges of the cells.
    pub(crate) fn ranges(&self, cells: &mut Vec<(i32, i32)>) {
        match self {
            Type::Array(element, _, size, _) => (0..*size).for_each(|_| element.ranges(cells)),
            Type::Struct(fields, _) => fields.iter().for_each(|(_, ty)| ty.ranges(cells)),
            _ => cells.push(self.range().unwrap_or((0, 0))),
        }
    }

    /// The names of the cells, after the name of the whole.
    pub(crate) fn cell_names(&self, name: &str, names: &mut Vec<String>) {
        match self {
            Type::Array(element, low, size, _) => {
                (0..*size)
                    .for_each(|cell| element.cell_names(&format!("{name}[{}]", low + cell as i32), names));
            }
            Type::Struct(fields, _) => {
                fields.iter().for_each(|(field, ty)| ty.cell_names(&format!("{name}.{field}"), names));
            }
            _ => names.push(name.to_owned()),
        }
    }

    /// The type of the innermost elements.
    pub(crate) fn innermost(&self) -> &Type {
        match self {
            Type::Array(element, ..) => element.innermost(),
            ty => ty,
        }
    }

    /// How messages call it.
    pub(crate) fn describe(&self) -> &'static str {
        match self {
            Type::Void => "nothing",
            Type::Bool => "a Boolean",
            Type::Int(..) => "a number",
            Type::Clock => "a clock",
            Type::Channel(_) => "a channel",
            Type::Array(..) => "an array",
            Type::Struct(..) => "a structure",
        }
    }
}

/// The most cells of an array or structure.
pub(crate) const MAX_CELLS: u32 = 1_000_000;

/// How deeply arrays and structures may nest.
pub(crate) const MAX_TYPE_DEPTH: u32 = 100;

/// What an expression that is no plain number stands for.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    /// A number.
    Value(DataExpr, Type),
    /// Cells.
    Data { place: Place, ty: Type, is_const: bool },
    /// A clock or an array of clocks.
    Clock(ClockRef, Type),
    /// A channel or an array of channels.
    Channel(ChannelRef, Type),
    /// A location of a process.
    Location(ProcessId, LocationId),
}

impl Operand {
    /// The type.
    pub(crate) fn ty(&self) -> &Type {
        match self {
            Operand::Value(_, ty) | Operand::Clock(_, ty) | Operand::Channel(_, ty) => ty,
            Operand::Data { ty, .. } => ty,
            Operand::Location(..) => &Type::Bool,
        }
    }

    /// The element at an index; the type must be an array.
    pub(crate) fn element(mut self, at: DataExpr) -> Operand {
        let Type::Array(element, low, size, _) = self.ty().clone() else { return self };
        let stride = element.cells();
        let element = element.as_ref().clone();
        let index = Index { at, low, size, stride };
        match &mut self {
            Operand::Data { place, ty, .. } => {
                place.indices.push(index);
                *ty = element;
            }
            Operand::Clock(clock, ty) => {
                clock.indices.push(index);
                *ty = element;
            }
            Operand::Channel(channel, ty) => {
                channel.indices.push(index);
                *ty = element;
            }
            Operand::Value(..) | Operand::Location(..) => {}
        }
        self
    }

    /// The field of a structure; `None` if there is no such field.
    pub(crate) fn field(&self, name: &str) -> Option<Operand> {
        let Operand::Data { place, ty: Type::Struct(fields, _), is_const } = self else { return None };
        let mut offset = 0;
        for (field, ty) in fields.iter() {
            if field == name {
                let base = place.base.plus(offset);
                let place = Place { base, indices: place.indices.clone() };
                return Some(Operand::Data { place, ty: ty.clone(), is_const: *is_const });
            }
            offset += ty.cells();
        }
        None
    }
}

/// Moving a base by some cells.
pub(crate) trait Plus {
    fn plus(self, cells: u32) -> Self;
}

impl Plus for Base {
    fn plus(self, cells: u32) -> Base {
        match self {
            Base::Variable(cell) => Base::Variable(cell + cells),
            Base::Constant(cell) => Base::Constant(cell + cells),
            Base::Local(cell) => Base::Local(cell + cells),
            Base::Reference(cell, further) => Base::Reference(cell, further + cells),
        }
    }
}

/// The type of a function.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub(crate) parameters: Vec<Formal>,
}

/// A parameter of a function.
#[derive(Clone, Debug)]
pub(crate) struct Formal {
    pub(crate) ty: Type,
    pub(crate) by_reference: bool,
}

/// What a name stands for.
#[derive(Clone, Debug)]
pub(crate) enum Symbol {
    Type(Type),
    Operand(Operand),
    Function(FunctionId, Rc<Signature>),
}

/// Names of one block.
pub(crate) type Scope = FxHashMap<String, Symbol>;
