//! The files of UPPAAL's editor (`.xml`).
//!
//! The XML holds the structure: templates, locations and edges. Everything inside is text in the same language as `.xta`
//! and read by the same parser, so that both formats mean the same. Positions point into the XML.
//!
//! A location without a name is called by its identifier with an underscore before it. Positions on the canvas, colours, comments and
//! code for test cases are ignored, and so are the options and results that the editor stores with queries; other elements and labels are errors.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_xml::{self as xml, Node};

use crate::ast::{File, LocationDecl, Name, Template, TopLevel, Transition};
use crate::code;
use crate::compile;
use crate::parser::{Parser, read};
use crate::text::Text;
use crate::{XtaFile, XtaTree};

/// Reads the model in `file`, with its queries.
pub fn parse(sources: &SourceMap, file: FileId, diags: &mut Diagnostics) -> Result<XtaFile, Reported> {
    let document = xml::parse(sources, file, diags)?;
    let mut reader = NtaReader { items: Vec::new(), file: None, queries: Vec::new(), diags };
    reader.model(document.root())?;
    let NtaReader { file, queries, .. } = reader;
    let Some(tree) = file else {
        return Err(diags.error(document.root().span(), code::SYNTAX, "the model has no element `system`"));
    };
    let (network, names) = compile::compile(&tree, diags)?;
    Ok(XtaFile { network, names, queries, tree: XtaTree(Rc::new(tree)) })
}

struct NtaReader<'d> {
    items: Vec<TopLevel>,
    file: Option<File>,
    queries: Vec<Text>,
    diags: &'d mut Diagnostics,
}

/// The names of locations by their identifiers.
type LocationNames = FxHashMap<String, Name>;

impl NtaReader<'_> {
    fn model(&mut self, root: Node<'_, '_>) -> Result<(), Reported> {
        if root.name() != "nta" && root.name() != "project" {
            let message = format!("expected the element `nta`, found `{}`", root.name());
            return Err(self.diags.error(root.span(), code::SYNTAX, message));
        }
        for child in root.children() {
            match child.name() {
                "declaration" | "instantiation" => {
                    let items = read(&Text::of(child), self.diags, |parser| parser.all(Parser::top_level))?;
                    self.items.extend(items);
                }
                "template" => {
                    let template = self.template(child)?;
                    self.items.push(TopLevel::Template(template));
                }
                "system" => self.system(child)?,
                "queries" => self.queries(child)?,
                _ => return self.unsupported(child),
            }
        }
        Ok(())
    }

    fn system(&mut self, node: Node<'_, '_>) -> Result<(), Reported> {
        if self.file.is_some() {
            return Err(self.diags.error(node.span(), code::SYNTAX, "a second element `system`"));
        }
        let items = std::mem::take(&mut self.items);
        self.file = Some(read(&Text::of(node), self.diags, |parser| parser.file(items))?);
        Ok(())
    }

    fn queries(&mut self, node: Node<'_, '_>) -> Result<(), Reported> {
        for query in node.children() {
            match query.name() {
                "query" => {}
                "option" => continue,
                _ => return self.unsupported(query),
            }
            let formulas = query.children().filter(|child| child.name() == "formula");
            self.queries.extend(formulas.filter(|formula| !formula.text().is_empty()).map(Text::of));
        }
        Ok(())
    }

    fn template(&mut self, node: Node<'_, '_>) -> Result<Template, Reported> {
        let name = match node.children().find(|child| child.name() == "name") {
            Some(name) => read(&Text::of(name), self.diags, |parser| parser.name())?,
            None => return Err(self.diags.error(node.span(), code::SYNTAX, "a template without a name")),
        };
        let mut template = Template::new(name, Vec::new());
        let mut names = LocationNames::default();
        for child in node.children() {
            match child.name() {
                "name" | "comment" => {}
                "parameter" => {
                    let parameter = |parser: &mut Parser<'_, '_>| parser.all_between(",", Parser::parameter);
                    template.parameters = read(&Text::of(child), self.diags, parameter)?;
                }
                "declaration" => {
                    template.items = read(&Text::of(child), self.diags, |parser| parser.all(Parser::item))?;
                }
                "location" => self.location(child, &mut template, &mut names)?,
                "init" => template.initial = Some(self.location_at(child, &names)?),
                "transition" => {
                    let transition = self.transition(child, &names)?;
                    template.transitions.push(transition);
                }
                _ => return self.unsupported(child),
            }
        }
        Ok(template)
    }

    fn location(
        &mut self,
        node: Node<'_, '_>,
        template: &mut Template,
        names: &mut LocationNames,
    ) -> Result<(), Reported> {
        let Some(id) = node.attribute("id") else {
            return Err(self.diags.error(node.span(), code::SYNTAX, "a location without `id`"));
        };
        let mut name = Name { text: format!("_{id}"), span: node.span() };
        let mut invariant = Vec::new();
        for child in node.children() {
            match (child.name(), child.attribute("kind").unwrap_or("")) {
                ("name", _) if child.text().is_empty() => {}
                ("name", _) => name = read(&Text::of(child), self.diags, |parser| parser.name())?,
                ("urgent" | "committed" | "comment", _) => {}
                ("label", "invariant") => {
                    let exprs = |parser: &mut Parser<'_, '_>| parser.all_between(",", Parser::expr);
                    invariant = read(&Text::of(child), self.diags, exprs)?;
                }
                ("label", kind) if is_remark(kind) => {}
                _ => return self.unsupported(child),
            }
        }
        for child in node.children() {
            match child.name() {
                "urgent" => template.urgent.push(name.clone()),
                "committed" => template.committed.push(name.clone()),
                _ => {}
            }
        }
        if names.insert(id.to_owned(), name.clone()).is_some() {
            let message = format!("the identifier `{id}` is used twice");
            return Err(self.diags.error(node.span(), code::DUPLICATE_NAME, message));
        }
        template.locations.push(LocationDecl { name, invariant });
        Ok(())
    }

    fn transition(&mut self, node: Node<'_, '_>, names: &LocationNames) -> Result<Transition, Reported> {
        if node.attribute("controllable") == Some("false") {
            let message = "transitions of games are not supported";
            return Err(self.diags.error(node.span(), code::UNSUPPORTED, message));
        }
        let (source, target) = (self.end_of(node, "source", names)?, self.end_of(node, "target", names)?);
        let mut transition = Transition::new(source, target, node.span());
        for child in node.children() {
            match child.name() {
                "source" | "target" | "nail" | "comment" => {}
                "label" => self.label(child, &mut transition)?,
                _ => return self.unsupported(child),
            }
        }
        Ok(transition)
    }

    /// The location at one end of a transition.
    fn end_of(&mut self, node: Node<'_, '_>, end: &str, names: &LocationNames) -> Result<Name, Reported> {
        match node.children().find(|child| child.name() == end) {
            Some(child) => self.location_at(child, names),
            None => {
                Err(self.diags.error(node.span(), code::SYNTAX, format!("a transition without a `{end}`")))
            }
        }
    }

    /// The location that the attribute `ref` names.
    fn location_at(&mut self, node: Node<'_, '_>, names: &LocationNames) -> Result<Name, Reported> {
        let id = node.attribute("ref").unwrap_or("");
        match names.get(id) {
            Some(name) => Ok(Name { text: name.text.clone(), span: node.span() }),
            None => {
                let message = format!("there is no location with the identifier `{id}`");
                Err(self.diags.error(node.span(), code::UNKNOWN_NAME, message))
            }
        }
    }

    fn label(&mut self, node: Node<'_, '_>, transition: &mut Transition) -> Result<(), Reported> {
        let kind = node.attribute("kind").unwrap_or("");
        if node.text().is_empty() || is_remark(kind) {
            return Ok(());
        }
        let exprs = |parser: &mut Parser<'_, '_>| parser.all_between(",", Parser::expr);
        match kind {
            "select" => {
                let selections = |parser: &mut Parser<'_, '_>| parser.all_between(",", Parser::selection);
                transition.select = read(&Text::of(node), self.diags, selections)?;
            }
            "guard" => transition.guard = read(&Text::of(node), self.diags, exprs)?,
            "synchronisation" => {
                transition.sync = Some(read(&Text::of(node), self.diags, |parser| parser.synchronisation())?);
            }
            "assignment" => transition.assign = read(&Text::of(node), self.diags, exprs)?,
            _ => return self.unsupported(node),
        }
        Ok(())
    }

    fn unsupported<T>(&mut self, node: Node<'_, '_>) -> Result<T, Reported> {
        let message = match node.attribute("kind") {
            Some(kind) => format!("the label `{kind}` is not supported"),
            None => format!("the element `{}` is not supported", node.name()),
        };
        Err(self.diags.error(node.span(), code::UNSUPPORTED, message))
    }
}

/// Whether labels of this kind say nothing about behaviour.
fn is_remark(kind: &str) -> bool {
    matches!(kind, "comments" | "testcode" | "testcodeEnter" | "testcodeExit")
}
