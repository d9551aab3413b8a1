//! The property files of the Model Checking Contest.
//!
//! The reachability examinations are supported: `exists-path/finally` (`EF`) and `all-paths/globally` (`AG`) over state
//! formulas, the older `possibility`, `impossibility` and `invariant`, and `k-safe` with bound 1 for every place. Other temporal
//! formulas and upper bounds are rejected with their position.

use thetis_base::{Diagnostics, FileId, Reported, SourceMap};
use thetis_model::petri::{Net, NetNames, PetriProperty, Predicate, Question, Relation};
use thetis_xml::{self as xml, Node};

use crate::code;
use crate::expr::{Linear, comparison};

/// Deeper nesting is rejected, so that the stack suffices.
const MAX_DEPTH: usize = 400;

/// Equivalences double their operands, so only a few may nest.
const MAX_DOUBLINGS: usize = 8;

const CONNECTIVES: [&str; 6] =
    ["negation", "conjunction", "disjunction", "exclusive-disjunction", "implication", "equivalence"];

/// A property with its id.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedProperty {
    /// The id.
    pub name: String,
    /// The property.
    pub property: PetriProperty,
}

/// Reads all properties of `file`, which ask about `net`.
pub fn parse(
    sources: &SourceMap,
    file: FileId,
    net: &Net,
    diags: &mut Diagnostics,
) -> Result<Vec<NamedProperty>, Reported> {
    let document = xml::parse(sources, file, diags)?;
    let root = document.root();
    if root.name() != "property-set" {
        let message = format!("expected the element `property-set`, found `{}`", root.name());
        return Err(diags.error(root.span(), code::SYNTAX, message));
    }
    let mut reader = Reader { net, names: NetNames::new(net), doublings: 0, diags };
    let nodes = root.children().filter(|child| child.name() == "property");
    let properties: Vec<NamedProperty> = nodes.filter_map(|node| reader.property(node).ok()).collect();
    diags.check()?;
    Ok(properties)
}

struct Reader<'n, 'd> {
    net: &'n Net,
    names: NetNames<'n>,
    /// How many equivalences are open.
    doublings: usize,
    diags: &'d mut Diagnostics,
}

impl Reader<'_, '_> {
    fn property(&mut self, node: Node<'_, '_>) -> Result<NamedProperty, Reported> {
        self.doublings = 0;
        let name = self.child(node, "id")?.text().to_owned();
        let formula = self.child(node, "formula")?;
        let formula = self.only_child(formula)?;
        let question = self.question(formula)?;
        Ok(NamedProperty { name, property: PetriProperty::new(self.net, question) })
    }

    fn question(&mut self, node: Node<'_, '_>) -> Result<Question, Reported> {
        match node.name() {
            "exists-path" => self.path(node, "finally").map(exists),
            "all-paths" => self.path(node, "globally").map(Question::Always),
            "possibility" => self.inner(node).map(exists),
            "impossibility" => self.inner(node).map(|inner| Question::Always(Predicate::negated(inner))),
            "invariant" => self.inner(node).map(Question::Always),
            "k-safe" => match node.child("bound").map_or(node.text(), |bound| bound.text()) {
                "1" => Ok(Question::OneSafe),
                _ => Err(self.unsupported(node)),
            },
            _ => Err(self.unsupported(node)),
        }
    }

    fn path(&mut self, node: Node<'_, '_>, operator: &str) -> Result<Predicate, Reported> {
        let inner = self.only_child(node)?;
        if inner.name() != operator {
            return Err(self.unsupported(inner));
        }
        self.inner(inner)
    }

    fn inner(&mut self, node: Node<'_, '_>) -> Result<Predicate, Reported> {
        let inner = self.only_child(node)?;
        self.condition(inner, 0)
    }

    fn condition(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Predicate, Reported> {
        if depth > MAX_DEPTH {
            return Err(self.diags.error(node.span(), code::TOO_DEEP, "the formula nests too deeply"));
        }
        let relation = match node.name() {
            "true" => return Ok(Predicate::Constant(true)),
            "false" => return Ok(Predicate::Constant(false)),
            "deadlock" => return Ok(Predicate::Deadlock),
            "is-fireable" => return self.fireable(node),
            "integer-le" => Relation::AtMost,
            "integer-lt" => Relation::Less,
            "integer-ge" => Relation::AtLeast,
            "integer-gt" => Relation::Greater,
            "integer-eq" => Relation::Equal,
            "integer-ne" => Relation::NotEqual,
            _ => return self.connective(node, depth),
        };
        let (left, right) = self.two_children(node)?;
        let (left, right) = (self.number(left, depth)?, self.number(right, depth)?);
        match comparison(left, relation, right) {
            Some(comparison) => Ok(Predicate::Compare(comparison)),
            None => Err(self.too_large(node)),
        }
    }

    fn connective(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Predicate, Reported> {
        if !CONNECTIVES.contains(&node.name()) {
            return Err(self.unsupported(node));
        }
        let doubles = usize::from(["equivalence", "exclusive-disjunction"].contains(&node.name()));
        self.doublings += doubles;
        if self.doublings > MAX_DOUBLINGS {
            return Err(self.diags.error(node.span(), code::TOO_DEEP, "equivalences nest too deeply"));
        }
        let mut parts = Vec::new();
        for child in node.children() {
            parts.push(self.condition(child, depth + 1)?);
        }
        self.doublings -= doubles;
        let not = |predicate: &Predicate| Predicate::negated(predicate.clone());
        match (node.name(), parts.as_slice()) {
            ("negation", [inner]) => Ok(not(inner)),
            ("conjunction", _) => Ok(Predicate::And(parts)),
            ("disjunction", _) => Ok(Predicate::Or(parts)),
            ("implication", [left, right]) => Ok(Predicate::Or(vec![not(left), right.clone()])),
            ("equivalence", [left, right]) => Ok(same(left, right)),
            ("exclusive-disjunction", [left, right]) => Ok(same(left, &not(right))),
            (name, _) => {
                let message = format!("`{name}` has the wrong number of operands");
                Err(self.diags.error(node.span(), code::SYNTAX, message))
            }
        }
    }

    fn fireable(&mut self, node: Node<'_, '_>) -> Result<Predicate, Reported> {
        let mut list = Vec::new();
        for child in node.children().filter(|child| child.name() == "transition") {
            match self.names.transition(child.text()) {
                Some(transition) => list.push(transition),
                None => return Err(self.unknown("transition", child)),
            }
        }
        Ok(Predicate::Fireable(list))
    }

    fn number(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Linear, Reported> {
        if depth > MAX_DEPTH {
            return Err(self.diags.error(node.span(), code::TOO_DEEP, "the formula nests too deeply"));
        }
        match node.name() {
            "integer-constant" => match node.text().parse() {
                Ok(constant) => Ok(Linear::constant(constant)),
                Err(_) => {
                    let message = format!("`{}` is no integer of 64 bits", node.text());
                    Err(self.diags.error(node.text_span(), code::NUMBER, message))
                }
            },
            "tokens-count" => self.tokens_count(node),
            "integer-sum" | "integer-product" | "integer-difference" => self.arithmetic(node, depth),
            _ => Err(self.unsupported(node)),
        }
    }

    fn tokens_count(&mut self, node: Node<'_, '_>) -> Result<Linear, Reported> {
        let mut sum = Linear::default();
        for child in node.children().filter(|child| child.name() == "place") {
            let Some(place) = self.names.place(child.text()) else {
                return Err(self.unknown("place", child));
            };
            sum = sum.plus(Linear::place(place)).ok_or_else(|| self.too_large(node))?;
        }
        Ok(sum)
    }

    fn arithmetic(&mut self, node: Node<'_, '_>, depth: usize) -> Result<Linear, Reported> {
        let mut result = None;
        for child in node.children() {
            let operand = self.number(child, depth + 1)?;
            let Some(left) = result.take() else {
                result = Some(operand);
                continue;
            };
            let combined = match node.name() {
                "integer-sum" => Linear::plus(left, operand),
                "integer-difference" => operand.times(-1).and_then(|operand| left.plus(operand)),
                _ => left.product(operand),
            };
            result = Some(combined.ok_or_else(|| {
                let message = "a product of token counts, or a number that is too large";
                self.diags.error(node.span(), code::NOT_LINEAR, message)
            })?);
        }
        result.ok_or_else(|| {
            let message = format!("`{}` has no operands", node.name());
            self.diags.error(node.span(), code::SYNTAX, message)
        })
    }

    fn child<'d, 't>(&mut self, node: Node<'d, 't>, name: &str) -> Result<Node<'d, 't>, Reported> {
        node.child(name).ok_or_else(|| {
            let message = format!("`{}` has no `{name}`", node.name());
            self.diags.error(node.span(), code::MISSING, message)
        })
    }

    fn only_child<'d, 't>(&mut self, node: Node<'d, 't>) -> Result<Node<'d, 't>, Reported> {
        let mut children = node.children();
        match (children.next(), children.next()) {
            (Some(only), None) => Ok(only),
            _ => {
                let message = format!("`{}` should have one operand", node.name());
                Err(self.diags.error(node.span(), code::SYNTAX, message))
            }
        }
    }

    fn two_children<'d, 't>(&mut self, node: Node<'d, 't>) -> Result<(Node<'d, 't>, Node<'d, 't>), Reported> {
        let mut children = node.children();
        match (children.next(), children.next(), children.next()) {
            (Some(left), Some(right), None) => Ok((left, right)),
            _ => {
                let message = format!("`{}` should have two operands", node.name());
                Err(self.diags.error(node.span(), code::SYNTAX, message))
            }
        }
    }

    fn unsupported(&mut self, node: Node<'_, '_>) -> Reported {
        let message = format!("`{}` is not supported here", node.name());
        self.diags.error(node.span(), code::UNSUPPORTED, message)
    }

    fn unknown(&mut self, what: &str, node: Node<'_, '_>) -> Reported {
        let message = format!("there is no {what} `{}`", node.text());
        self.diags.error(node.text_span(), code::UNKNOWN_NAME, message)
    }

    fn too_large(&mut self, node: Node<'_, '_>) -> Reported {
        self.diags.error(node.span(), code::NUMBER, "a number is too large")
    }
}

/// A reachable deadlock has a question of its own.
fn exists(predicate: Predicate) -> Question {
    match predicate {
        Predicate::Deadlock => Question::Deadlock,
        other => Question::Exists(other),
    }
}

fn same(left: &Predicate, right: &Predicate) -> Predicate {
    let not = |predicate: &Predicate| Predicate::negated(predicate.clone());
    let both = Predicate::And(vec![left.clone(), right.clone()]);
    Predicate::Or(vec![both, Predicate::And(vec![not(left), not(right)])])
}
