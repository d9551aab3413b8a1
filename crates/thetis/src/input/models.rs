//! Readers of the languages of models.

use std::path::Path;

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_circuit::aiger::{self, Circuit};
use thetis_model::petri::{Net, PetriProperty};
use thetis_model::sts::Sts;
use thetis_model::xta::Network;
use thetis_model::{Evidence, Model, Task, Verdict};
use thetis_report::fingerprint;
use thetis_xta::{XtaFile, XtaTree};

use super::language::{Language, Plain, Witness, Witnesses};
use super::standard::name_of;
use super::text::{read_bytes, read_text};
use super::{Input, Source, property, reporting};
use crate::failure::Failure;
use crate::loaded::Loaded;

/// The text of a self-contained model.
pub(super) struct ModelText {
    pub(super) sources: SourceMap,
    pub(super) file: FileId,
    pub(super) name: String,
    sha256: String,
}

impl ModelText {
    fn new(path: &Path, bytes: &[u8]) -> ModelText {
        let mut sources = SourceMap::new();
        let name = name_of(path).into_owned();
        let file = sources.add(name.clone(), thetis_circuit::aiger::text_of(bytes));
        ModelText { sources, file, name, sha256: fingerprint(bytes) }
    }

    pub(super) fn read(path: &Path) -> Result<ModelText, Failure> {
        Ok(ModelText::new(path, read_text(path)?.as_bytes()))
    }

    pub(super) fn input<M: Model>(
        self,
        task: Task<M>,
        language: impl Language<M> + 'static,
    ) -> Box<Input<M>> {
        let ModelText { sources, file, name, sha256 } = self;
        Box::new(Input { task, sources, file, name, sha256, language: Box::new(language) })
    }
}

/// Reads an automaton.
pub(super) fn cfa(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let text = ModelText::read(source.path)?;
    let task = reporting(&text.sources, |diagnostics| {
        thetis_text::cfa::parse(&text.sources, text.file, diagnostics)
    })?;
    property::check_cfa(source.asked, &task, &text.name)?;
    Ok(text.input(task, Plain))
}

/// Reads a transition system.
pub(super) fn sts(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let text = ModelText::read(source.path)?;
    let tasks = reporting(&text.sources, |diagnostics| {
        thetis_text::sts::parse(&text.sources, text.file, diagnostics)
    })?;
    let task = property::of_sts(source.asked, tasks, &text.name)?;
    Ok(text.input(task, Plain))
}

/// Reads a circuit.
pub(super) fn aiger(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let bytes = read_bytes(source.path)?;
    let text = ModelText::new(source.path, &bytes);
    let circuit = reporting(&text.sources, |diagnostics| {
        thetis_circuit::aiger::parse(&bytes, &text.sources, text.file, diagnostics)
    })?;
    let task = property::of_circuit(source.asked, &circuit, &text.name)?;
    Ok(text.input(task, circuit))
}

impl Language<Sts> for Circuit {
    fn witnesses(&self) -> Option<&dyn Witnesses<Sts>> {
        Some(self)
    }
}

impl Witnesses<Sts> for Circuit {
    fn witness(
        &self,
        task: &Task<Sts>,
        verdict: &Verdict<Sts>,
        _: &SourceMap,
    ) -> Result<Option<Witness>, String> {
        let text = match verdict {
            Verdict::Unsafe(Evidence::Given(trace)) => {
                aiger::witness(self, trace).map_err(|error| error.to_string())?
            }
            Verdict::Safe(Evidence::Given(proof)) => {
                let mut asked = self.properties.iter().filter(|(_, bad)| *bad == task.model.bad);
                let property = asked.next().map_or("b0", |(name, _)| name);
                aiger::witness_circuit(task, property, proof).map_err(|error| error.to_string())?
            }
            _ => return Ok(None),
        };
        Ok(Some(Witness { text, remark: None }))
    }
}

/// Reads a net in our language.
pub(super) fn net(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let text = ModelText::read(source.path)?;
    let parsed = reporting(&text.sources, |diagnostics| {
        thetis_pnml::net::parse(&text.sources, text.file, diagnostics)
    })?;
    with_question(source, text, parsed.net, parsed.targets)
}

/// Reads a net in PNML.
pub(super) fn pnml(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    let text = ModelText::read(source.path)?;
    let net = reporting(&text.sources, |diagnostics| {
        thetis_pnml::pnml::parse(&text.sources, text.file, diagnostics)
    })?;
    with_question(source, text, net, Vec::new())
}

/// Reads a network of timed automata as text.
pub(super) fn xta(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    network(source, thetis_xta::parse)
}

/// Reads a network of timed automata from a file of UPPAAL's editor.
pub(super) fn uppaal(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    network(source, thetis_xta::uppaal::parse)
}

/// Reads a network of timed automata in TChecker's format.
pub(super) fn tchecker(source: &Source<'_>) -> Result<Box<dyn Loaded>, Failure> {
    network(source, thetis_xta::tchecker::parse)
}

type NetworkParser = fn(&SourceMap, FileId, &mut Diagnostics) -> Result<XtaFile, Reported>;

fn network(source: &Source<'_>, parse: NetworkParser) -> Result<Box<dyn Loaded>, Failure> {
    let mut text = ModelText::read(source.path)?;
    let model = reporting(&text.sources, |diagnostics| parse(&text.sources, text.file, diagnostics))?;
    let property = property::of_network(source.asked, &model, &mut text.sources)?;
    let tree = model.tree();
    Ok(text.input(thetis_xta::task(model.network, property), Timed { tree }))
}

/// The languages of timed automata.
struct Timed {
    tree: XtaTree,
}

impl Language<Network> for Timed {
    fn witnesses(&self) -> Option<&dyn Witnesses<Network>> {
        Some(self)
    }

    fn written(&self) -> Option<String> {
        Some(thetis_xta::print(&self.tree))
    }
}

impl Witnesses<Network> for Timed {
    fn witness(
        &self,
        task: &Task<Network>,
        verdict: &Verdict<Network>,
        _: &SourceMap,
    ) -> Result<Option<Witness>, String> {
        let Verdict::Unsafe(Evidence::Given(trace)) = verdict else { return Ok(None) };
        let text = thetis_xta::trace::print(&task.model, trace).map_err(|error| error.to_string())?;
        Ok(Some(Witness { text, remark: None }))
    }
}

fn with_question(
    source: &Source<'_>,
    mut text: ModelText,
    net: Net,
    targets: Vec<PetriProperty>,
) -> Result<Box<dyn Loaded>, Failure> {
    let property = property::of_net(source.asked, &net, targets, &mut text.sources)?;
    Ok(text.input(thetis_pnml::task(net, property), Plain))
}
