//! Whether anything in a program can make an array in storage shorter.
//!
//! Only then can a storage pointer dangle. Arrays get shorter by `pop`, by `delete`, by an assignment to `length` before version 0.6, and by an
//! assignment of another array, or of a structure that has one. Only those assignments matter whose target may have a part to which pointers exist:
//! an array of structures, arrays or mappings. They are recognised by the name in front of `=`, or in front of what may be a part of a tuple.

use solang_parser::lexer::{Lexer, Token};
use thetis_base::{FileId, SourceMap};

use crate::decls::Decls;
use crate::types::{MAX_DEPTH, Ty};
use crate::version::Version;

/// Whether something may shorten an array in storage to whose elements pointers can exist.
pub(crate) fn shrinks_arrays(decls: &Decls<'_>, sources: &SourceMap) -> bool {
    let slots = decls.slots.iter().map(|slot| (slot.name.as_str(), &slot.ty));
    let fields = decls.structs.iter().flat_map(|of| of.fields.iter().map(|(name, ty)| (name.as_str(), ty)));
    let names: Vec<&str> =
        slots.chain(fields).filter(|(_, ty)| has_elements(decls, ty, 0)).map(|(name, _)| name).collect();
    if names.is_empty() {
        return false;
    }
    (0..decls.comments.len()).any(|file| {
        let text = sources.file(FileId::from_usize(file)).text();
        let (mut comments, mut errors) = (Vec::new(), Vec::new());
        let tokens: Vec<Token<'_>> =
            Lexer::new(text, file, &mut comments, &mut errors).map(|(_, token, _)| token).collect();
        (0..tokens.len()).any(|at| may_shrink(decls, &names, &tokens[at..]))
    })
}

/// Whether a type has a dynamic array of something that pointers can point to.
fn has_elements(decls: &Decls<'_>, ty: &Ty, depth: usize) -> bool {
    // Types that are nested more deeply are not supported anyway.
    if depth > MAX_DEPTH {
        return true;
    }
    match ty {
        Ty::Array(element, None, _) if !element.is_value() && !element.is_text() => true,
        Ty::Array(element, ..) => has_elements(decls, element, depth + 1),
        Ty::Mapping(_, value) => has_elements(decls, value, depth + 1),
        Ty::Struct(id, _) => {
            decls.structs[*id].fields.iter().any(|(_, field)| has_elements(decls, field, depth + 1))
        }
        _ => false,
    }
}

/// Whether an array may get shorter by what starts with these tokens.
fn may_shrink(decls: &Decls<'_>, names: &[&str], tokens: &[Token<'_>]) -> bool {
    match tokens {
        [Token::Delete, ..] | [Token::Identifier("pop"), ..] => true,
        [Token::Identifier("length"), ..] if decls.version < Version(6, 0) => true,
        [Token::Identifier(name), rest @ ..] if names.contains(name) => {
            matches!(after_indices(rest), Some(Token::Assign | Token::Comma | Token::CloseParenthesis))
        }
        _ => false,
    }
}

/// The first token after any number of indices in brackets.
fn after_indices<'t, 'a>(tokens: &'t [Token<'a>]) -> Option<&'t Token<'a>> {
    let mut depth = 0usize;
    tokens.iter().find(|token| match token {
        Token::OpenBracket => {
            depth += 1;
            false
        }
        Token::CloseBracket => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    })
}
