//! Attributes of GNU C.
//!
//! Every attribute is in one of three lists. *Harmless* ones say nothing about what a program does (warnings, hints for
//! optimisers, places in object files) and are dropped here. *Meaningful* ones are kept, and the checker gives them
//! their meaning. All others are rejected, since ignoring an unknown attribute could change the verdict.

use super::super::ast::{Attribute, ExprKind};
use super::super::pragma::are_harmless_options;
use super::super::token::TokenKind;
use super::{Parsed, Parser};
use crate::code;

/// Attributes that the checker handles.
const MEANINGFUL: &[&str] = &[
    "alias",
    "aligned",
    "cleanup",
    "const",
    "constructor",
    "destructor",
    "may_alias",
    "mode",
    "naked",
    "noreturn",
    "packed",
    "pure",
    "returns_nonnull",
    "returns_twice",
    "scalar_storage_order",
    "section",
    "transparent_union",
    "vector_size",
    "weak",
    "weakref",
];

/// Attributes that change nothing that a program can observe.
const HARMLESS: &[&str] = &[
    "access",
    "alloc_align",
    "alloc_size",
    "always_inline",
    "annotate",
    "artificial",
    "assume_aligned",
    "bitwise",
    "cdecl",
    "cf_check",
    "cold",
    "common",
    "context",
    "counted_by",
    "deprecated",
    "designated_init",
    "disable_tail_calls",
    "enum_extensibility",
    "error",
    "externally_visible",
    "fallthrough",
    "fastcall",
    "fd_arg",
    "fd_arg_read",
    "fd_arg_write",
    "flag_enum",
    "flatten",
    "force",
    "force_align_arg_pointer",
    "format",
    "format_arg",
    "gcc_struct",
    "gnu_inline",
    "hot",
    "leaf",
    "lockable",
    "malloc",
    "ms_abi",
    "musttail",
    "no_address_safety_analysis",
    "no_builtin",
    "no_caller_saved_registers",
    "no_icf",
    "no_instrument_function",
    "no_profile_instrument_function",
    "no_reorder",
    "no_sanitize",
    "no_sanitize_address",
    "no_sanitize_coverage",
    "no_sanitize_memory",
    "no_sanitize_thread",
    "no_sanitize_undefined",
    "no_split_stack",
    "no_stack_limit",
    "no_stack_protector",
    "no_thread_safety_analysis",
    "nocast",
    "nocf_check",
    "noclone",
    "nocommon",
    "noderef",
    "nodiscard",
    "noinline",
    "noipa",
    "nonnull",
    "nonstring",
    "noplt",
    "not_tail_called",
    "nothrow",
    "null_terminated_string_arg",
    "objc_root_class",
    "optnone",
    "patchable_function_entry",
    "regparm",
    "retain",
    "safe",
    "sentinel",
    "simd",
    "stack_protect",
    "stdcall",
    "strict_flex_array",
    "symver",
    "sysv_abi",
    "tainted_args",
    "target",
    "target_clones",
    "thiscall",
    "tls_model",
    "unavailable",
    "uninitialized",
    "unused",
    "used",
    "vectorcall",
    "visibility",
    "warn_if_not_aligned",
    "warn_unused",
    "warn_unused_result",
    "warning",
    "zero_call_used_regs",
];

impl<'t> Parser<'_, 't, '_> {
    /// Any number of `__attribute__((…))`: those that the checker has to know.
    pub(super) fn attributes(&mut self) -> Parsed<Vec<Attribute>> {
        let mut attributes = Vec::new();
        while self.accept_any(&["__attribute__", "__attribute"]) {
            self.expect("(")?;
            self.expect("(")?;
            while !self.peek().is(")") {
                if !self.accept(",") {
                    attributes.extend(self.attribute()?);
                }
            }
            self.expect(")")?;
            self.expect(")")?;
        }
        Ok(attributes)
    }

    /// Attributes where only harmless ones are allowed.
    pub(super) fn harmless_attributes(&mut self) -> Parsed<()> {
        match self.attributes()?.first() {
            Some(attribute) => {
                let message = format!("the attribute `{}` is not supported here", attribute.name);
                Err(self.sink.error(attribute.span, code::UNSUPPORTED, message))
            }
            None => Ok(()),
        }
    }

    fn attribute(&mut self) -> Parsed<Option<Attribute>> {
        let token = self.peek();
        if token.kind != TokenKind::Name {
            return Err(self.unexpected("the name of an attribute"));
        }
        self.next();
        let bare = token.text.strip_prefix("__").and_then(|name| name.strip_suffix("__"));
        let name = bare.unwrap_or(token.text);
        let mut arguments = Vec::new();
        if self.accept("(") {
            while !self.peek().is(")") {
                arguments.push(self.assignment()?);
                if !self.accept(",") {
                    break;
                }
            }
            self.expect(")")?;
        }
        let span = self.span_from(token.span);
        let attribute = Attribute { name: self.intern(name), arguments, span };
        if let Some(section) = section_of_calls(&attribute) {
            let message = format!("the section `{section}` is not supported: the functions in it are called");
            return Err(self.sink.error(span, code::UNSUPPORTED, message));
        }
        if MEANINGFUL.contains(&name) {
            return Ok(Some(attribute));
        }
        if HARMLESS.contains(&name) || is_harmless_optimization(&attribute) {
            return Ok(None);
        }
        Err(self.sink.error(span, code::UNSUPPORTED, format!("the attribute `{name}` is not supported")))
    }
}

/// The section of an attribute, if it is one whose functions run before or after `main`.
fn section_of_calls(attribute: &Attribute) -> Option<String> {
    const SECTIONS: [&str; 5] = [".init_array", ".preinit_array", ".fini_array", ".ctors", ".dtors"];
    let Some(ExprKind::Text(pieces)) = attribute.arguments.first().map(|argument| &argument.kind) else {
        return None;
    };
    let section: String = pieces.iter().map(|piece| piece.node.trim_matches('"')).collect();
    let is_part =
        |name: &str| section.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let runs = [".init", ".fini"].contains(&section.as_str()) || SECTIONS.iter().any(|name| is_part(name));
    (&*attribute.name == "section" && runs).then_some(section)
}

/// `optimize("O2")` and the like.
fn is_harmless_optimization(attribute: &Attribute) -> bool {
    &*attribute.name == "optimize"
        && attribute.arguments.iter().all(|argument| match &argument.kind {
            ExprKind::Number(_) => true,
            ExprKind::Text(pieces) => pieces.iter().all(|piece| are_harmless_options(&piece.node)),
            _ => false,
        })
}
