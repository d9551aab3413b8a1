//! The models of the library, split into definitions, so that a program gets only what it needs.
//!
//! Every name that the models define starts with [`PREFIX`]. So the names that occur in the text of a definition say what
//! else it needs, and no parser is necessary: definitions end where braces are closed after a parameter list, or at a
//! semicolon.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// What the names of all definitions start with.
pub(crate) const PREFIX: &str = "__thetis_";

/// The texts, each of which may use what is defined in those before it.
pub(super) const TEXTS: [(&str, &str); 15] = [
    ("base", include_str!("base.c")),
    ("locale.h", include_str!("locale.c")),
    ("ctype.h", include_str!("ctype.c")),
    ("compiler", include_str!("bits.c")),
    ("string.h", include_str!("string.c")),
    ("stdlib.h", include_str!("stdlib.c")),
    (UNIX, include_str!("unistd.c")),
    (SYSTEM, include_str!("system.c")),
    ("stdio.h", include_str!("stdio.c")),
    ("signal.h", include_str!("signal.c")),
    ("pthread.h", include_str!("pthread.c")),
    ("time.h", include_str!("time.c")),
    ("math.h", include_str!("math.c")),
    ("fenv.h", include_str!("fenv.c")),
    ("stdio.h", include_str!("printf.c")),
];

/// Where the functions belong that programs may have themselves: a header has to declare them.
const SYSTEM: &str = "fcntl.h, sys/…";

/// Where the functions belong that are not part of C. Programs that declare them by hand do so as they are.
const UNIX: &str = "unistd.h";

/// How close a model is to the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Closeness {
    /// It does what the function does, for all choices that the standard leaves open.
    Exact,
    /// It delivers what the environment may deliver.
    Input,
    /// It does more than the function can do: violations after it may not be real.
    Approximation,
    /// A run ends there.
    Limit,
}

/// A declaration or definition.
pub(super) struct Item {
    /// The header that it belongs to.
    pub(super) header: &'static str,
    /// The name that it defines.
    pub(super) name: &'static str,
    pub(super) text: &'static str,
    /// The names of the library in it, itself included.
    names: BTreeSet<&'static str>,
    shape: Shape,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// The model of a function.
    Model,
    /// A function that only models use.
    Helper,
    /// A declaration, a type, a variable.
    Declaration,
}

/// All definitions in the order of the texts.
pub(super) struct Index {
    pub(super) items: Vec<Item>,
    by_name: BTreeMap<&'static str, usize>,
}

/// The index of [`TEXTS`].
pub(super) fn index() -> &'static Index {
    static INDEX: LazyLock<Index> = LazyLock::new(|| Index::of(&TEXTS));
    &INDEX
}

impl Index {
    fn of(texts: &[(&'static str, &'static str)]) -> Index {
        let items: Vec<Item> =
            texts.iter().flat_map(|(header, text)| split(text).map(|text| Item::new(header, text))).collect();
        let by_name = items.iter().enumerate().map(|(number, item)| (item.name, number)).collect();
        Index { items, by_name }
    }

    /// The full name of the model of a function. Functions with the prefixes of compilers and libraries are the plain ones.
    pub(super) fn model(&self, function: &str) -> Option<&'static str> {
        let plain = ["__builtin_", "__isoc99_", "__isoc23_"]
            .iter()
            .find_map(|prefix| function.strip_prefix(prefix))
            .unwrap_or(function);
        [function, plain].iter().find_map(|name| {
            let item = &self.items[*self.by_name.get(format!("{PREFIX}{name}").as_str())?];
            (item.shape == Shape::Model).then_some(item.name)
        })
    }

    /// Whether a model is that of a function of the system only if a header of the system declares it.
    pub(super) fn needs_header(&self, model: &str) -> bool {
        self.header(model) == Some(SYSTEM)
    }

    /// Whether a function that is declared without a result may be the one with this model.
    pub(super) fn may_lack_result(&self, model: &str) -> bool {
        self.header(model) != Some(UNIX)
    }

    fn header(&self, model: &str) -> Option<&'static str> {
        self.by_name.get(model).map(|number| self.items[*number].header)
    }

    /// The models that programs can call.
    pub(super) fn models(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|item| item.shape == Shape::Model)
    }

    /// The numbers of all items that some need, themselves included, in the order of the texts.
    pub(super) fn needed<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> BTreeSet<usize> {
        let mut needed = BTreeSet::new();
        let mut pending: Vec<usize> =
            names.into_iter().filter_map(|name| self.by_name.get(name).copied()).collect();
        while let Some(number) = pending.pop() {
            if needed.insert(number) {
                let names = &self.items[number].names;
                pending.extend(names.iter().filter_map(|name| self.by_name.get(name).copied()));
            }
        }
        needed
    }

    /// The text of all that some models need.
    pub(super) fn text<'a>(&self, names: impl IntoIterator<Item = &'a str>) -> String {
        self.needed(names).into_iter().map(|number| format!("{}\n", self.items[number].text)).collect()
    }

    /// Whether a model is a limit, or returns what another one does that is.
    fn starts_with_limit(&self, item: &Item) -> bool {
        let body = item.text.split_once('{').map_or("", |(_, body)| body.trim_start());
        let other = body.strip_prefix("return ").and_then(|call| self.by_name.get(call.split('(').next()?));
        body.starts_with("__thetis_limit(")
            || other.is_some_and(|number| self.starts_with_limit(&self.items[*number]))
    }

    /// How close a model is, by what it uses: other than a choice that is unspecified, a value from outside is an input.
    pub(super) fn closeness(&self, item: &Item) -> Closeness {
        let is_unspecified = |name: &str| name.starts_with("__thetis_unspecified_");
        if self.starts_with_limit(item) {
            return Closeness::Limit;
        }
        let mut closeness = Closeness::Exact;
        let (mut seen, mut pending) = (BTreeSet::new(), vec![item]);
        while let Some(item) = pending.pop() {
            for name in item.names.iter().filter(|name| !is_unspecified(name)) {
                let kind = match *name {
                    "__thetis_approximate" => Closeness::Approximation,
                    "__thetis_outside_pointer" => Closeness::Input,
                    name if name.starts_with("__thetis_any_") => Closeness::Input,
                    _ => Closeness::Exact,
                };
                closeness = closeness.max(kind);
                if seen.insert(*name) {
                    pending.extend(self.by_name.get(name).map(|number| &self.items[*number]));
                }
            }
        }
        closeness
    }
}

impl Item {
    fn new(header: &'static str, text: &'static str) -> Item {
        let head = text.split(['(', '{', '=', '[', ';']).next().unwrap_or_default();
        let name = names(head).last().unwrap_or_default();
        let is_function = text.ends_with('}');
        let shape = match (is_function, text.starts_with("static ")) {
            (true, false) => Shape::Model,
            (true, true) => Shape::Helper,
            (false, _) => Shape::Declaration,
        };
        Item { header, name, text, names: names(text).collect(), shape }
    }
}

/// The names in a text that start with [`PREFIX`].
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text.split(move |c| !is_in_name(c)).filter(|word| word.starts_with(PREFIX))
}

/// The definitions of a text, without the comments between them.
fn split(text: &'static str) -> impl Iterator<Item = &'static str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = without_leading_comments(rest);
        if rest.is_empty() {
            return None;
        }
        let (item, after) = rest.split_at(end_of_item(rest));
        rest = after;
        Some(item)
    })
}

fn without_leading_comments(text: &str) -> &str {
    let mut rest = text.trim_start();
    while let Some(comment) = rest.strip_prefix("/*") {
        rest = comment.split_once("*/").map_or("", |(_, after)| after).trim_start();
    }
    rest
}

/// Where the first definition of a text ends.
fn end_of_item(text: &str) -> usize {
    let (mut depth, mut is_function, mut last) = (0_usize, false, ' ');
    let mut characters = text.char_indices();
    while let Some((position, c)) = characters.next() {
        match c {
            '\'' | '"' => skip_literal(&mut characters, c),
            '{' => {
                is_function |= depth == 0 && last == ')';
                depth += 1;
            }
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 && is_function {
                    return position + 1;
                }
            }
            ';' if depth == 0 => return position + 1,
            _ => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
    }
    text.len()
}

/// Goes to the end of a character constant or a string.
fn skip_literal(characters: &mut std::str::CharIndices<'_>, quote: char) {
    while let Some((_, c)) = characters.next() {
        if c == '\\' {
            characters.next();
        } else if c == quote {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text without comments and white space.
    fn essence(text: &str) -> String {
        let parts = text.split("/*").enumerate();
        let code = parts.map(|(number, part)| match part.split_once("*/") {
            Some((_, after)) if number > 0 => after,
            _ => part,
        });
        code.collect::<String>().split_whitespace().collect()
    }

    #[test]
    fn the_items_are_all_of_the_text() {
        for (header, text) in TEXTS {
            let items: String = split(text).collect();
            assert_eq!(essence(&items), essence(text), "{header}");
        }
    }

    #[test]
    fn every_item_has_a_name_of_its_own() {
        let mut seen = BTreeSet::new();
        for item in &index().items {
            assert!(item.name.len() > PREFIX.len(), "{}", item.text);
            assert!(seen.insert(item.name), "`{}` is defined twice", item.name);
        }
    }

    #[test]
    fn all_names_are_defined_before_they_are_used() {
        for (number, item) in index().items.iter().enumerate() {
            for name in &item.names {
                let defined = index().by_name.get(name);
                assert!(defined.is_some_and(|defined| *defined <= number), "`{name}` in `{}`", item.name);
            }
        }
    }

    #[test]
    fn models_come_with_what_they_need() {
        let check = |function: &str, expected: &[&str]| {
            let model = index().model(function).unwrap_or_default();
            let names: Vec<_> =
                index().needed([model]).into_iter().map(|number| &index().items[number].name[9..]).collect();
            assert_eq!(names, expected);
        };
        check("strlen", &["strlen"]);
        check("__builtin_strlen", &["strlen"]);
        check("div", &["div_t", "div"]);
        check("strpbrk", &["is_one_of", "strcspn", "strpbrk"]);
        check("rand", &["any_int", "int_between", "has_number", "rand"]);
        check(
            "strtok",
            &["checks_memory", "is_one_of", "strspn", "strcspn", "strtok_r", "strtok_rest", "strtok"],
        );
        assert_eq!(index().model("is_one_of"), None);
        assert_eq!(index().model("errno"), None);
        assert_eq!(index().model("any_int"), None);
    }

    #[test]
    fn closeness_follows_from_what_models_use() {
        let check = |function: &str, expected: Closeness| {
            let name = format!("{PREFIX}{function}");
            let item = index().models().find(|item| item.name == name);
            assert_eq!(item.map(|item| index().closeness(item)), Some(expected), "{function}");
        };
        check("strlen", Closeness::Exact);
        check("lfind", Closeness::Exact);
        check("isdigit", Closeness::Exact);
        check("getentropy", Closeness::Input);
        check("qsort", Closeness::Approximation);
        check("fgets", Closeness::Approximation);
        check("fopen", Closeness::Approximation);
        check("strtod", Closeness::Approximation);
        check("atof", Closeness::Approximation);
        check("fork", Closeness::Limit);
        check("execv", Closeness::Limit);
    }
}
