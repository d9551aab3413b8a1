//! Instances of templates: parameters, arguments, and the `system` line.

use rustc_hash::FxHashMap;
use thetis_base::Reported;
use thetis_model::xta::{ChannelKind, DataExpr, ProcessId};

use super::Compiler;
use crate::ast::{BaseType, Expr, File, Instance, Name, Parameter, Template};
use crate::code;
use crate::types::{Operand, Symbol, Type};

/// What the `system` line may name.
#[derive(Clone, Copy)]
pub(super) enum Definition<'f> {
    Template(&'f Template),
    /// An instance, and through how many others it leads to a template.
    Instance(&'f Instance, u32),
}

/// Through how many instances a name may lead to a template, and how many parameters may be left free: both are followed by recursion.
const MAX_DEPTH: u32 = 100;

type Definitions<'d, 'f> = FxHashMap<&'d str, Definition<'f>>;

impl<'f> Definition<'f> {
    fn parameters(self) -> &'f [Parameter] {
        match self {
            Definition::Template(template) => &template.parameters,
            Definition::Instance(instance, _) => &instance.parameters,
        }
    }
}

impl Compiler<'_> {
    /// Clocks and channels are passed by reference.
    pub(super) fn check_parameters(&mut self, parameters: &[Parameter]) -> Result<(), Reported> {
        self.scoped(|compiler| {
            for parameter in parameters {
                let ty = compiler.full_type(&parameter.ty, &parameter.dimensions)?;
                if !parameter.by_reference && matches!(ty.innermost(), Type::Clock | Type::Channel(_)) {
                    let message = format!("{} must be passed by reference", ty.innermost().describe());
                    return Err(compiler.error(parameter.name.span, code::DECLARATION, message));
                }
                // Later parameters may depend on this one; any value of its type stands for it here.
                let operand = Operand::Value(DataExpr::Const(ty.range().map_or(0, |(low, _)| low)), ty);
                compiler.declare(&parameter.name, Symbol::Operand(operand))?;
            }
            Ok(())
        })
    }

    /// An instance that may be named from now on.
    pub(super) fn instance<'i>(
        &mut self,
        instance: &'i Instance,
        known: &Definitions<'_, '_>,
    ) -> Result<Definition<'i>, Reported> {
        self.check_parameters(&instance.parameters)?;
        let name = &instance.template;
        let Some(definition) = known.get(name.text.as_str()) else {
            return Err(self.error(
                name.span,
                code::UNKNOWN_NAME,
                format!("there is no template `{}`", name.text),
            ));
        };
        let expected = definition.parameters().len();
        if expected != instance.arguments.len() {
            return self.mismatch(name.span, format!("`{}` takes {expected} arguments", name.text));
        }
        let depth = match definition {
            Definition::Template(_) => 1,
            Definition::Instance(_, depth) => depth + 1,
        };
        if depth > MAX_DEPTH {
            let message = format!("this leads to a template through more than {MAX_DEPTH} instances");
            return Err(self.error(name.span, code::TOO_DEEP, message));
        }
        Ok(Definition::Instance(instance, depth))
    }

    /// All processes of the `system` line, with one instance for each value of parameters that are left free.
    pub(super) fn system(&mut self, file: &File, known: &Definitions<'_, '_>) -> Result<(), Reported> {
        for entry in &file.system {
            let name = &entry.name;
            let Some(definition) = known.get(name.text.as_str()) else {
                return Err(self.error(
                    name.span,
                    code::UNKNOWN_NAME,
                    format!("there is no template `{}`", name.text),
                ));
            };
            self.free_instances(name, *definition, known, Vec::new())?;
            self.levels.resize(self.network.processes.len(), entry.level);
        }
        if self.uses_joint_channels {
            self.join_channels(&file.channels)?;
        } else if let Some((process, _)) = file.channels.first() {
            return Err(self.error(
                process.span,
                code::DECLARATION,
                "`IO` needs synchronisations without `!` and `?`",
            ));
        }
        Ok(())
    }

    /// Chooses values for the free parameters from the left to the right.
    fn free_instances(
        &mut self,
        name: &Name,
        definition: Definition<'_>,
        known: &Definitions<'_, '_>,
        values: Vec<i32>,
    ) -> Result<(), Reported> {
        let Some(parameter) = definition.parameters().get(values.len()) else {
            let title = if values.is_empty() {
                name.text.clone()
            } else {
                format!("{}({})", name.text, list(&values))
            };
            if self.names.processes.contains_key(&title) {
                return Err(self.error(
                    name.span,
                    code::DUPLICATE_NAME,
                    format!("the process `{title}` exists already"),
                ));
            }
            let number = |value: &i32| Operand::Value(DataExpr::Const(*value), Type::Int(*value, *value));
            let arguments = values.iter().map(number).collect();
            return self.instantiate(&title, definition, arguments, known);
        };
        let is_unbounded = matches!(parameter.ty.base, BaseType::Int(None));
        if definition.parameters().len() > MAX_DEPTH as usize {
            let message = format!("more than {MAX_DEPTH} parameters without values are not supported");
            return self.unsupported(parameter.name.span, message);
        }
        if parameter.by_reference || is_unbounded || !parameter.dimensions.is_empty() {
            let message = format!("the parameter `{}` of `{}` has no value", parameter.name.text, name.text);
            return Err(self.error(parameter.name.span, code::DECLARATION, message));
        }
        let choices = self.scoped(|compiler| {
            compiler.bind_earlier(definition.parameters(), &values)?;
            compiler.values_for_copies(&parameter.ty)
        })?;
        for value in choices {
            self.count_expansion(name.span)?;
            let mut values = values.clone();
            values.push(value);
            self.free_instances(name, definition, known, values)?;
        }
        Ok(())
    }

    fn bind_earlier(&mut self, parameters: &[Parameter], values: &[i32]) -> Result<(), Reported> {
        for (parameter, value) in parameters.iter().zip(values) {
            let operand = Operand::Value(DataExpr::Const(*value), Type::Int(*value, *value));
            self.declare(&parameter.name, Symbol::Operand(operand))?;
        }
        Ok(())
    }

    fn instantiate(
        &mut self,
        title: &str,
        definition: Definition<'_>,
        arguments: Vec<Operand>,
        known: &Definitions<'_, '_>,
    ) -> Result<(), Reported> {
        match definition {
            Definition::Template(template) => self.process(title, template, arguments),
            Definition::Instance(instance, _) => {
                // `instance` has seen the definition, and definitions use earlier ones only.
                let Some(next) = known.get(instance.template.text.as_str()).copied() else { return Ok(()) };
                let further = self.scoped(|compiler| {
                    for (parameter, argument) in instance.parameters.iter().zip(arguments) {
                        compiler.declare(&parameter.name, Symbol::Operand(argument))?;
                    }
                    let pairs = next.parameters().iter().zip(&instance.arguments);
                    let pairs = pairs.map(|(parameter, argument)| compiler.actual(parameter, argument));
                    pairs.collect::<Result<Vec<Operand>, Reported>>()
                })?;
                self.instantiate(title, next, further, known)
            }
        }
    }

    /// The argument for a parameter of a template.
    fn actual(&mut self, parameter: &Parameter, argument: &Expr) -> Result<Operand, Reported> {
        let wanted = self.full_type(&parameter.ty, &parameter.dimensions)?;
        if !parameter.by_reference && wanted.range().is_some() {
            let value = wanted.converted(self.constant(argument)?);
            let (low, high) = wanted.range().unwrap_or((0, 0));
            if !(low..=high).contains(&value) {
                let message =
                    format!("the value {value} is outside of the range [{low},{high}] of the parameter");
                return Err(self.error(argument.span, code::NUMBER, message));
            }
            return Ok(Operand::Value(DataExpr::Const(value), wanted));
        }
        let operand = self.operand(argument)?;
        if *operand.ty() != wanted {
            return self.mismatch(argument.span, "the argument has another type than the parameter");
        }
        match (&operand, parameter.by_reference) {
            (Operand::Data { is_const: true, .. }, _) | (Operand::Clock(..) | Operand::Channel(..), true) => {
                Ok(operand)
            }
            (Operand::Data { is_const: false, .. }, true) => Ok(operand),
            _ => self.unsupported(argument.span, "this argument is not supported"),
        }
    }

    /// Who takes part in the synchronisations on each channel, and who never does.
    fn join_channels(&mut self, declared: &[(Name, Vec<Expr>)]) -> Result<(), Reported> {
        let mut declaring = Vec::new();
        for (name, channels) in declared {
            let Some((process, _)) = self.names.processes.get(&name.text) else {
                return Err(self.error(
                    name.span,
                    code::UNKNOWN_NAME,
                    format!("there is no process `{}`", name.text),
                ));
            };
            let process = *process;
            declaring.push(process);
            for channel in channels {
                self.join_channel(process, channel)?;
            }
        }
        self.block_undeclared(&declaring);
        Ok(())
    }

    fn join_channel(&mut self, process: ProcessId, channel: &Expr) -> Result<(), Reported> {
        let Operand::Channel(found, Type::Channel(_)) = self.operand(channel)? else {
            return self.mismatch(channel.span, "a channel must stand here");
        };
        let Some(cell) = found.cell() else {
            return self.mismatch(channel.span, "the index must be known and inside of the array");
        };
        if let ChannelKind::Joint(members) = &mut self.network.channels[cell].kind
            && let Err(position) = members.binary_search(&process)
        {
            members.insert(position, process);
        }
        Ok(())
    }
}

fn list(values: &[i32]) -> String {
    let words: Vec<String> = values.iter().map(i32::to_string).collect();
    words.join(",")
}
