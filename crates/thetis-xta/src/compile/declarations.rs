//! Types and variables.

use rustc_hash::FxHashSet;
use thetis_base::{Reported, Span};
use thetis_model::xta::{
    Base, Channel, ChannelId, ChannelKind, ChannelRef, Clock, ClockId, ClockRef, Copied, DataExpr, DataStmt,
    Place, Variable,
};

use super::Compiler;
use crate::ast::{BaseType, Declaration, Declarator, Dimension, Expr, ExprKind, Item, TypeExpr};
use crate::code;
use crate::types::{ChannelType, DEFAULT_RANGE, Operand, Symbol, Type};

/// The most clocks of a model: a zone is a matrix with as many rows and columns.
const MAX_CLOCKS: usize = 10_000;

impl Compiler<'_> {
    pub(super) fn item(&mut self, item: &Item) -> Result<(), Reported> {
        match item {
            Item::Variables(declaration) => self.variables(declaration),
            Item::Typedef(declaration) => {
                for declarator in &declaration.names {
                    let ty = self.full_type(&declaration.ty, &declarator.dimensions)?;
                    self.declare(&declarator.name, Symbol::Type(ty))?;
                }
                Ok(())
            }
            Item::Function(function) => self.function(function),
            Item::Priorities(levels) => self.priorities(levels),
            Item::BeforeUpdate(updates) => {
                self.network.before_update = self.effects(updates)?;
                Ok(())
            }
            Item::AfterUpdate(updates) => {
                self.network.after_update = self.effects(updates)?;
                Ok(())
            }
        }
    }

    fn variables(&mut self, declaration: &Declaration) -> Result<(), Reported> {
        for declarator in &declaration.names {
            let ty = self.full_type(&declaration.ty, &declarator.dimensions)?;
            let operand = self.allocate(&declaration.ty, declarator, ty)?;
            self.declare(&declarator.name, Symbol::Operand(operand))?;
        }
        Ok(())
    }

    /// A variable outside of functions.
    fn allocate(
        &mut self,
        written: &TypeExpr,
        declarator: &Declarator,
        ty: Type,
    ) -> Result<Operand, Reported> {
        let name = format!("{}{}", self.prefix, declarator.name.text);
        self.count_cells(ty.cells(), declarator.name.span)?;
        match ty.innermost() {
            Type::Clock | Type::Channel(_) if declarator.initial.is_some() => self
                .unsupported(declarator.name.span, "initial values of clocks and channels are not supported"),
            Type::Clock => {
                if self.network.clocks.len() + ty.cells() as usize > MAX_CLOCKS {
                    let message = format!("models of more than {MAX_CLOCKS} clocks are not supported");
                    return self.unsupported(declarator.name.span, message);
                }
                let base = ClockId::from(self.network.clocks.len());
                let clock = |name| Clock { name };
                self.network.clocks.extend(names_of(&ty, &name).into_iter().map(clock));
                Ok(Operand::Clock(ClockRef { base, indices: Vec::new() }, ty))
            }
            Type::Channel(kind) => {
                let (kind, is_urgent) = (self.channel_kind(*kind), kind.is_urgent);
                let base = ChannelId::from(self.network.channels.len());
                let channel = |name| Channel { name, kind: kind.clone(), is_urgent };
                self.network.channels.extend(names_of(&ty, &name).into_iter().map(channel));
                Ok(Operand::Channel(ChannelRef { base, indices: Vec::new() }, ty))
            }
            Type::Void => self.mismatch(written.span, "a variable cannot be `void`"),
            _ => {
                let values = self.initial_values(declarator, &ty)?;
                if written.is_const && declarator.initial.is_none() {
                    let message = format!("the constant `{}` has no value", declarator.name.text);
                    return Err(self.error(declarator.name.span, code::DECLARATION, message));
                }
                Ok(self.allocate_cells(&name, ty, values, written.is_const))
            }
        }
    }

    fn channel_kind(&self, ty: ChannelType) -> ChannelKind {
        match ty.is_broadcast {
            true => ChannelKind::Broadcast,
            false if self.uses_joint_channels => ChannelKind::Joint(Vec::new()),
            false => ChannelKind::Binary,
        }
    }

    pub(super) fn allocate_cells(
        &mut self,
        name: &str,
        ty: Type,
        values: Vec<i32>,
        is_const: bool,
    ) -> Operand {
        if is_const && ty.range().is_some() {
            return Operand::Value(DataExpr::Const(values[0]), ty);
        }
        let base = if is_const {
            let base = Base::Constant(self.network.constants.len() as u32);
            self.network.constants.extend(values);
            base
        } else {
            let base = Base::Variable(self.network.variables.len() as u32);
            let mut ranges = Vec::new();
            ty.ranges(&mut ranges);
            let cells = names_of(&ty, name).into_iter().zip(values).zip(ranges);
            self.network.variables.extend(cells.map(|((name, initial), range)| Variable {
                name,
                initial,
                range,
            }));
            base
        };
        Operand::Data { place: Place { base, indices: Vec::new() }, ty, is_const }
    }

    fn initial_values(&mut self, declarator: &Declarator, ty: &Type) -> Result<Vec<i32>, Reported> {
        let mut values = Vec::new();
        match &declarator.initial {
            Some(initial) => self.flatten_values(initial, ty, &mut values)?,
            None => ty.defaults(&mut values),
        }
        Ok(values)
    }

    /// The values of an initialiser, which must be known.
    fn flatten_values(&mut self, initial: &Expr, ty: &Type, values: &mut Vec<i32>) -> Result<(), Reported> {
        match (&initial.kind, ty) {
            (ExprKind::List(elements), Type::Array(element, _, size, _))
                if elements.len() == *size as usize =>
            {
                elements.iter().try_for_each(|value| self.flatten_values(value, element, values))
            }
            (ExprKind::List(elements), Type::Struct(fields, _)) if elements.len() == fields.len() => {
                let mut pairs = elements.iter().zip(fields.iter());
                pairs.try_for_each(|(value, (_, field))| self.flatten_values(value, field, values))
            }
            (ExprKind::List(_), _) => self.mismatch(initial.span, "this list does not fit the type"),
            (_, Type::Array(..) | Type::Struct(..)) => self
                .unsupported(initial.span, "an array or structure is initialised by a list in braces only"),
            _ => {
                let value = ty.converted(self.constant(initial)?);
                let (low, high) = ty.range().unwrap_or((0, 0));
                if !(low..=high).contains(&value) {
                    let message = format!("the value {value} is outside of the range [{low},{high}]");
                    return Err(self.error(initial.span, code::NUMBER, message));
                }
                values.push(value);
                Ok(())
            }
        }
    }

    /// A variable of a function, with the statement that gives it its first value.
    pub(super) fn local_variables(&mut self, declaration: &Declaration) -> Result<Vec<DataStmt>, Reported> {
        let mut statements = Vec::new();
        for declarator in &declaration.names {
            let ty = self.full_type(&declaration.ty, &declarator.dimensions)?;
            let span = declarator.name.span;
            if ty.innermost() == &Type::Clock || matches!(ty.innermost(), Type::Channel(_) | Type::Void) {
                return self
                    .mismatch(span, format!("a function cannot declare {}", ty.innermost().describe()));
            }
            self.count_cells(ty.cells(), span)?;
            let base = self.allocate_local(ty.cells(), span)?;
            let place = Place { base, indices: Vec::new() };
            let operand =
                Operand::Data { place: place.clone(), ty: ty.clone(), is_const: declaration.ty.is_const };
            match &declarator.initial {
                Some(initial) if !matches!(initial.kind, ExprKind::List(_)) => {
                    statements.push(self.initialize(operand.clone(), initial)?);
                }
                _ => {
                    let values = self.initial_values(declarator, &ty)?;
                    statements.push(DataStmt::Copy(place, Copied::Values(values)));
                }
            }
            self.declare(&declarator.name, Symbol::Operand(operand))?;
        }
        Ok(statements)
    }

    /// The type of a name with dimensions.
    pub(super) fn full_type(
        &mut self,
        written: &TypeExpr,
        dimensions: &[Dimension],
    ) -> Result<Type, Reported> {
        let mut ty = self.resolve_type(written)?;
        if ty == Type::Void && !dimensions.is_empty() {
            return self.mismatch(written.span, "an array of nothing");
        }
        for dimension in dimensions.iter().rev() {
            let (low, size) = self.dimension(dimension)?;
            ty = match Type::array(ty, low, size) {
                Some(ty) => ty,
                None => return self.too_large(written.span),
            };
        }
        Ok(ty)
    }

    fn dimension(&mut self, dimension: &Dimension) -> Result<(i32, u32), Reported> {
        match dimension {
            Dimension::Type(written) => {
                let ty = self.resolve_type(written)?;
                self.index_range(&ty, written.span)
            }
            Dimension::Size(expr) => {
                if let ExprKind::Name(name) = &expr.kind
                    && let Some(Symbol::Type(ty)) = self.lookup(name)
                {
                    let ty = ty.clone();
                    return self.index_range(&ty, expr.span);
                }
                match self.constant(expr)? {
                    size @ 1.. => Ok((0, size as u32)),
                    size => Err(self.error(
                        expr.span,
                        code::NUMBER,
                        format!("an array cannot have {size} elements"),
                    )),
                }
            }
        }
    }

    fn index_range(&mut self, ty: &Type, span: Span) -> Result<(i32, u32), Reported> {
        match ty.range() {
            Some((low, high)) => match u32::try_from(i64::from(high) - i64::from(low) + 1) {
                Ok(size) => Ok((low, size)),
                Err(_) => self.too_large(span),
            },
            None => self.mismatch(span, "indices are numbers"),
        }
    }

    /// The type that is written.
    pub(crate) fn resolve_type(&mut self, written: &TypeExpr) -> Result<Type, Reported> {
        let channel = ChannelType { is_broadcast: written.is_broadcast, is_urgent: written.is_urgent };
        let ty = match &written.base {
            BaseType::Bool => Type::Bool,
            BaseType::Clock => Type::Clock,
            BaseType::Void => Type::Void,
            BaseType::Channel => return Ok(Type::Channel(channel)),
            // The default range is one of variables.
            BaseType::Int(None) if written.is_const => Type::Int(i32::MIN, i32::MAX),
            BaseType::Int(None) => Type::Int(DEFAULT_RANGE.0, DEFAULT_RANGE.1),
            BaseType::Int(Some(bounds)) => {
                let (low, high) = (self.constant(&bounds.0)?, self.constant(&bounds.1)?);
                if low > high {
                    return Err(self.error(
                        written.span,
                        code::NUMBER,
                        format!("the range [{low},{high}] is empty"),
                    ));
                }
                Type::Int(low, high)
            }
            BaseType::Scalar(size) => match self.constant(size)? {
                size @ 1.. => Type::Int(0, size - 1),
                _ => {
                    return Err(self.error(size.span, code::NUMBER, "a scalar set has at least one element"));
                }
            },
            BaseType::Struct(fields) => self.structure(fields, written.span)?,
            BaseType::Named(name) => match self.lookup(name) {
                Some(Symbol::Type(ty)) => ty.clone(),
                _ => {
                    let message = format!("`{name}` is not a type");
                    return Err(self.error(written.span, code::UNKNOWN_NAME, message));
                }
            },
        };
        match ty {
            Type::Channel(known) => Ok(Type::Channel(ChannelType {
                is_broadcast: known.is_broadcast || channel.is_broadcast,
                is_urgent: known.is_urgent || channel.is_urgent,
            })),
            ty if channel.is_broadcast || channel.is_urgent => self.mismatch(
                written.span,
                format!("only channels are urgent or broadcast, not {}", ty.describe()),
            ),
            ty => Ok(ty),
        }
    }

    fn structure(&mut self, fields: &[Declaration], span: Span) -> Result<Type, Reported> {
        let mut list: Vec<(String, Type)> = Vec::new();
        let mut names = FxHashSet::default();
        for declaration in fields {
            for declarator in &declaration.names {
                let ty = self.full_type(&declaration.ty, &declarator.dimensions)?;
                if ty.innermost().range().is_none() && !matches!(ty.innermost(), Type::Struct(..)) {
                    let message = format!("{} in a structure is not supported", ty.innermost().describe());
                    return self.unsupported(declarator.name.span, message);
                }
                if !names.insert(&declarator.name.text) {
                    let message = format!("`{}` is declared twice", declarator.name.text);
                    return Err(self.error(declarator.name.span, code::DUPLICATE_NAME, message));
                }
                list.push((declarator.name.text.clone(), ty));
            }
        }
        if list.is_empty() {
            return self.mismatch(span, "a structure without fields");
        }
        match Type::structure(list) {
            Some(ty) => Ok(ty),
            None => self.too_large(span),
        }
    }
}

fn names_of(ty: &Type, name: &str) -> Vec<String> {
    let mut names = Vec::new();
    ty.cell_names(name, &mut names);
    names
}
