//! Task definitions: a YAML file that names a model and its properties.

use thetis_base::printable;
use thetis_bench::BenchTask;
use thetis_c::hir::Machine;

use super::project::Unit;
use super::property::Asked;
use super::{Source, shown};
use crate::failure::Failure;
use crate::loaded::Loaded;
use crate::protect;

/// Reads the model of a task definition, with the definition's only property or the requested one.
pub(super) fn read(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let in_definition = |what: &str| Failure::input(format!("{}: {what}", shown(source.path)));
    let mut tasks =
        thetis_bench::collect(source.path).map_err(|error| Failure::input(printable(&error.to_string())))?;
    // All files that the definition names, whichever property is asked.
    protect::reading_at(source.path)?;
    tasks.iter().flat_map(BenchTask::files).try_for_each(protect::reading_at)?;
    let names: Vec<&str> = tasks.iter().filter_map(|task| task.question.words.split(' ').next()).collect();
    let names = printable(&names.join(", ")).into_owned();
    if let Asked::Property(property) = source.asked {
        tasks.retain(|task| task.question.words.split(' ').next() == Some(property));
        if tasks.is_empty() {
            let message = format!("there is no property `{}`, expected {names}", printable(property));
            return Err(in_definition(&message));
        }
    }
    let task = match tasks.as_slice() {
        [task] => task,
        [] => return Err(in_definition("there is no property")),
        _ => return Err(Failure::usage(format!("choose a property with --property: {names}"))),
    };
    let stated = match task.question.data_model.as_deref() {
        Some(name) => match Machine::of_name(name) {
            Some(machine) => Some(machine),
            None => return Err(in_definition(&format!("unknown data model `{}`", printable(name)))),
        },
        None => None,
    };
    let options = source.units.first().map_or(&[][..], |unit| &unit.options);
    let files = std::iter::once(&task.file).chain(&task.further);
    let units: Vec<Unit> = files.map(|file| Unit::new(file.clone(), options.to_vec())).collect();
    let format = super::format_of_all(&units)?;
    if format.contents == super::Contents::Definition {
        return Err(in_definition("the input file is a task definition, expected a model"));
    }
    let mut config = source.config.clone();
    config.c.externals.get_or_insert(thetis_portfolio::Externals::Svcomp);
    (format.read)(&Source {
        path: &task.file,
        units: &units,
        asked: &task.question.property.as_deref().map_or(Asked::Default, Asked::Property),
        entry: source.entry,
        machine: source.machine.or(stated),
        arithmetic: source.arithmetic,
        callees: source.callees,
        config: &config,
        run: source.run,
    })
}
