//! Pragmas: which of them matter.
//!
//! `#pragma pack` limits the alignment of members, with a stack of such limits. It applies to structures whose closing
//! brace comes after it, so its tokens are removed from the text and kept by position. Pragmas about warnings,
//! optimisation and object files change nothing. All others are rejected, because their meaning is unknown.

use super::token::{Token, TokenKind};

/// What a pragma is.
pub(super) enum Pragma {
    Harmless,
    Pack(Pack),
    Unknown,
}

/// What a `#pragma pack` does to the limit. Zero bytes mean that there is no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Pack {
    /// `pack(4)`, `pack()`
    Set(u64),
    /// `pack(push)`, `pack(push, 4)`
    Push(Option<u64>),
    /// `pack(pop)`
    Pop,
}

/// The first words of pragmas that do not change the meaning of a program.
const HARMLESS: &[&str] = &[
    "GCC diagnostic",
    "GCC error",
    "GCC ivdep",
    "GCC pop_options",
    "GCC push_options",
    "GCC system_header",
    "GCC target",
    "GCC unroll",
    "GCC visibility",
    "GCC warning",
    "GCC poison",
    "HLS",
    "STDC CX_LIMITED_RANGE",
    "STDC FENV_ACCESS",
    "STDC FP_CONTRACT",
    "clang diagnostic",
    "clang loop",
    "endregion",
    "ident",
    "mark",
    "merger",
    "message",
    "omp",
    "once",
    "pop_macro",
    "push_macro",
    "region",
    "unroll",
    "warning",
];

/// What kind of pragma these words are.
pub(super) fn classify(words: &str) -> Pragma {
    let plain = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let starts = |word: &str| {
        plain.strip_prefix(word).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    };
    if plain.is_empty() || HARMLESS.iter().any(|word| starts(word)) {
        return Pragma::Harmless;
    }
    if plain.strip_prefix("GCC optimize").is_some_and(are_harmless_options) {
        return Pragma::Harmless;
    }
    let arguments = plain.strip_prefix("pack").map(str::trim_start);
    let arguments = arguments.and_then(|rest| rest.strip_prefix('(')).and_then(|rest| rest.split(')').next());
    match arguments.and_then(pack) {
        Some(pack) => Pragma::Pack(pack),
        None => Pragma::Unknown,
    }
}

/// Whether options of the compiler, perhaps in quotes and parentheses, say only how much it optimises. Others may change what programs mean;
/// `Ofast` changes what comparisons of numbers do.
pub(super) fn are_harmless_options(options: &str) -> bool {
    options.split(',').all(|option| {
        let option = option.trim_matches([' ', '(', ')', '"']);
        let level = option.strip_prefix('-').unwrap_or(option).strip_prefix('O');
        level.is_some_and(|level| level != "fast") || option.starts_with("no-tree-")
    })
}

/// What the arguments of `pack` ask for. Names for entries of the stack are not supported.
fn pack(arguments: &str) -> Option<Pack> {
    let words: Vec<&str> = arguments.split(',').map(str::trim).collect();
    let limit = |word: &str| word.parse().ok().filter(|limit| [0, 1, 2, 4, 8, 16].contains(limit));
    Some(match words[..] {
        [""] => Pack::Set(0),
        ["push"] => Pack::Push(None),
        ["pop"] => Pack::Pop,
        ["push", word] => Pack::Push(Some(limit(word)?)),
        [word] => Pack::Set(limit(word)?),
        _ => return None,
    })
}

/// The tokens of a program without pragmas, and the limits on alignment that hold from each place on.
pub(super) struct Packs<'t> {
    pub(super) tokens: Vec<Token<'t>>,
    limits: Vec<(usize, Option<u64>)>,
}

impl<'t> Packs<'t> {
    /// Takes the pragmas out of the tokens.
    pub(super) fn take(all: Vec<Token<'t>>) -> Packs<'t> {
        let mut packs = Packs { tokens: Vec::with_capacity(all.len()), limits: Vec::new() };
        let mut stack: Vec<Option<u64>> = Vec::new();
        let mut limit = None;
        for token in all {
            let TokenKind::Pack(pack) = token.kind else {
                packs.tokens.push(token);
                continue;
            };
            let bytes = |bytes: u64| Some(bytes).filter(|bytes| *bytes > 0);
            match pack {
                Pack::Set(number) => limit = bytes(number),
                Pack::Push(number) => {
                    stack.push(limit);
                    limit = number.map_or(limit, bytes);
                }
                Pack::Pop => limit = stack.pop().flatten(),
            }
            packs.limits.push((packs.tokens.len(), limit));
        }
        packs
    }

    /// The limit before the token with this number.
    pub(super) fn at(&self, token: usize) -> Option<u64> {
        let next = self.limits.partition_point(|(start, _)| *start < token);
        self.limits[..next].last().and_then(|(_, limit)| *limit)
    }
}
