//! The property of a model on the command line.

use std::path::Path;

use thetis_base::{SourceMap, printable};
use thetis_circuit::aiger::Circuit;
use thetis_model::Task;
use thetis_model::cfa::Cfa;
use thetis_model::petri::{Net, PetriProperty, Question};
use thetis_model::sts::Sts;
use thetis_model::xta::{XtaProperty, XtaQuestion};
use thetis_text::sts::Named;
use thetis_xta::XtaFile;

use super::{read_text, reporting, shown};
use crate::failure::Failure;

/// The question, as the user put it.
pub(crate) enum Asked<'a> {
    /// Nothing: the model is converted.
    Nothing,
    /// The model's own property.
    Default,
    /// `--property`.
    Property(&'a str),
    /// `--target`.
    Target(&'a str),
}

/// Rejects properties that automata do not support.
pub(crate) fn check_cfa(asked: &Asked<'_>, task: &Task<Cfa>, name: &str) -> Result<(), Failure> {
    let expected = task.property.to_string();
    match asked {
        Asked::Nothing => return Ok(()),
        Asked::Property(text) if *text != expected => {
            return Err(Failure::input(printable(&format!(
                "property `{text}` is not supported for {name}, expected `{expected}`"
            ))));
        }
        Asked::Target(_) => return Err(Failure::usage("`--target` is for Petri nets")),
        Asked::Default | Asked::Property(_) => {}
    }
    if task.model.forbidden().is_empty() {
        return Err(Failure::input(printable(&format!(
            "{name}: the model has no error location, expected a location marked `error`"
        ))));
    }
    Ok(())
}

/// The task of a specification: the named property, or its only one. `G` matches any property.
pub(crate) fn of_sts(asked: &Asked<'_>, mut tasks: Vec<Named>, name: &str) -> Result<Task<Sts>, Failure> {
    match asked {
        Asked::Target(_) => return Err(Failure::usage("`--target` is for Petri nets")),
        Asked::Property(property) if *property != "G" => {
            tasks.retain(|named| named.name == *property);
            if tasks.is_empty() {
                return Err(Failure::input(printable(&format!("{name}: there is no property `{property}`"))));
            }
        }
        Asked::Nothing | Asked::Default | Asked::Property(_) => {}
    }
    match tasks.len() {
        1 => Ok(tasks.remove(0).task),
        0 => Err(Failure::input(printable(&format!("{name}: the specification has no property")))),
        _ => {
            let names: Vec<&str> = tasks.iter().map(|named| named.name.as_str()).collect();
            let names = names.join(", ");
            Err(Failure::usage(format!("choose a property with --property: {}", printable(&names))))
        }
    }
}

/// The task of a circuit: all its bad states or outputs, or the requested one, such as `b0` or `o1`.
pub(crate) fn of_circuit(asked: &Asked<'_>, circuit: &Circuit, name: &str) -> Result<Task<Sts>, Failure> {
    match asked {
        Asked::Nothing => return Ok(circuit.task.clone()),
        Asked::Target(_) => return Err(Failure::usage("`--target` is for Petri nets")),
        Asked::Property(property) if !matches!(*property, "G" | "bad" | "output") => {
            let task = circuit.select(property);
            return task.ok_or_else(|| {
                Failure::input(printable(&format!("{name}: there is no property `{property}`")))
            });
        }
        Asked::Default | Asked::Property(_) => {}
    }
    if circuit.properties.is_empty() {
        return Err(Failure::input(printable(&format!(
            "{name}: the circuit has neither bad states nor outputs"
        ))));
    }
    Ok(circuit.task.clone())
}

/// The property of a net: the requested one, or the only target of its file.
pub(crate) fn of_net(
    asked: &Asked<'_>,
    net: &Net,
    targets: Vec<PetriProperty>,
    sources: &mut SourceMap,
) -> Result<PetriProperty, Failure> {
    match asked {
        Asked::Nothing => Ok(PetriProperty::new(net, Question::Explore)),
        Asked::Default => only_target(targets),
        Asked::Property(text) => match contest_property(text) {
            Some((path, name)) => from_contest(path, name, net, sources),
            None => {
                let file = sources.add("--property", *text);
                reporting(sources, |diagnostics| {
                    thetis_pnml::property::parse(sources, file, net, diagnostics)
                })
            }
        },
        Asked::Target(text) => {
            let file = sources.add("--target", *text);
            reporting(sources, |diagnostics| {
                thetis_pnml::property::parse_target(sources, file, net, diagnostics)
            })
        }
    }
}

/// The question about a network: a query, a file with one query, or a query of the model's own file such as `#2`.
pub(crate) fn of_network(
    asked: &Asked<'_>,
    model: &XtaFile,
    sources: &mut SourceMap,
) -> Result<XtaProperty, Failure> {
    let file = match asked {
        Asked::Nothing => return Ok(XtaProperty::new("explore", XtaQuestion::Explore)),
        Asked::Default => return own_query(only_own_query(model)?, model, sources),
        Asked::Target(_) => return Err(Failure::usage("`--target` is for Petri nets")),
        Asked::Property(text) if text.starts_with('#') => {
            return own_query(text[1..].trim().parse().unwrap_or(0), model, sources);
        }
        Asked::Property(path) if path.ends_with(".q") => {
            let query = only_query(&read_text(Path::new(path))?, Path::new(path))?;
            sources.add(*path, query)
        }
        Asked::Property(text) => sources.add("--property", *text),
    };
    reporting(sources, |diagnostics| thetis_xta::query::parse(sources, file, model, diagnostics))
}

/// The number of the only query in the file of `model`.
fn only_own_query(model: &XtaFile) -> Result<usize, Failure> {
    match model.num_queries() {
        0 => Err(Failure::usage("the network has no query; use --property")),
        1 => Ok(1),
        many => Err(Failure::usage(format!("the file has {many} queries; choose one with --property '#1'"))),
    }
}

/// A query of the file of `model`; the first has the number 1.
fn own_query(number: usize, model: &XtaFile, sources: &SourceMap) -> Result<XtaProperty, Failure> {
    let missing =
        || Failure::usage(format!("the file has {} queries, numbered from #1", model.num_queries()));
    let index = number.checked_sub(1).filter(|index| *index < model.num_queries()).ok_or_else(missing)?;
    reporting(sources, |diagnostics| thetis_xta::query::parse_own(model, index, diagnostics))
}

fn only_query(text: &str, path: &Path) -> Result<String, Failure> {
    let mut queries = thetis_xta::query::split(text);
    match queries.len() {
        1 => Ok(queries.remove(0)),
        0 => Err(Failure::input(format!("{}: there is no query", shown(path)))),
        _ => Err(Failure::usage(format!("{} has several queries; choose one with --property", shown(path)))),
    }
}

fn only_target(mut targets: Vec<PetriProperty>) -> Result<PetriProperty, Failure> {
    match targets.len() {
        1 => Ok(targets.remove(0)),
        0 => Err(Failure::usage("the net has no target; use --property or --target")),
        _ => Err(Failure::usage("the file has several targets; choose one with --property")),
    }
}

/// `FILE.xml#NAME`, or `FILE.xml` for a file with one property.
fn contest_property(text: &str) -> Option<(&Path, Option<&str>)> {
    match text.split_once(".xml") {
        Some((stem, rest)) if rest.is_empty() || rest.starts_with('#') => {
            Some((Path::new(&text[..stem.len() + 4]), rest.strip_prefix('#')))
        }
        _ => None,
    }
}

fn from_contest(
    path: &Path,
    name: Option<&str>,
    net: &Net,
    sources: &mut SourceMap,
) -> Result<PetriProperty, Failure> {
    let file = sources.add(path.display().to_string(), read_text(path)?);
    let mut all = reporting(sources, |diagnostics| thetis_pnml::mcc::parse(sources, file, net, diagnostics))?;
    if let Some(name) = name {
        all.retain(|named| named.name == name);
        if all.is_empty() {
            let message = format!("{}: there is no property `{}`", shown(path), printable(name));
            return Err(Failure::input(message));
        }
    }
    match all.len() {
        1 => Ok(all.remove(0).property),
        0 => Err(Failure::input(format!("{}: there is no property", shown(path)))),
        _ => Err(Failure::usage(format!("choose a property of the file with {}#NAME", shown(path)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contest_properties_are_told_from_expressions() {
        assert_eq!(contest_property("EF p >= 1"), None);
        assert_eq!(contest_property("a/R.xml"), Some((Path::new("a/R.xml"), None)));
        assert_eq!(contest_property("R.xml#N-01"), Some((Path::new("R.xml"), Some("N-01"))));
    }
}
