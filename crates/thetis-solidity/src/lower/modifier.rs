//! Modifiers around the bodies of functions.
//!
//! The modifiers of a function are layers around its body. `_` stands for the next layer, and may occur several times; `return` leaves
//! only the layer in which it stands.

use solang_parser::pt;
use thetis_base::Span;

use crate::decls::FuncKind;
use crate::fault::{Res, invalid};
use crate::types::FuncId;

use super::item::Val;
use super::{Layer, Lower};

impl Lower<'_, '_> {
    /// Translates the body of the function of the current frame, with its modifiers around it.
    pub(crate) fn body(&mut self, id: FuncId) -> Res<()> {
        self.layer(id, 0)
    }

    /// Translates a modifier of a function, or its body after the last one. `return` leaves only this.
    fn layer(&mut self, id: FuncId, number: usize) -> Res<()> {
        let func = &self.decls.funcs[id];
        let linear =
            self.contract.map(|contract| self.decls.contracts[contract].linear.clone()).unwrap_or_default();
        let mut next = number;
        while let Some(base) = func.modifiers.get(next) {
            next += 1;
            let name = base.name.identifiers.last().map_or("", |last| last.name.as_str());
            let own = func.contract.map_or(&[][..], |owner| self.decls.contracts[owner].linear.as_slice());
            let found = self.decls.find_modifier(&linear, name);
            if let Some(modifier) = found.or_else(|| self.decls.find_modifier(own, name)) {
                return self.modifier(id, modifier, base, next);
            }
            if func.kind != FuncKind::Constructor {
                return invalid(self.span(&base.loc), format!("unknown modifier `{name}`"));
            }
        }
        let Some(body) = func.body else { return Ok(()) };
        self.until_exit(|lower| lower.stmt(body))
    }

    /// Translates something that `return` leaves.
    fn until_exit(&mut self, part: impl FnOnce(&mut Self) -> Res<()>) -> Res<()> {
        let exit = self.graph.node();
        let outer = std::mem::replace(&mut self.frame_mut().exit, exit);
        let result = part(self);
        self.frame_mut().exit = outer;
        result?;
        self.graph.jump(exit);
        self.graph.resume(Some(exit));
        Ok(())
    }

    fn modifier(&mut self, _func: FuncId, modifier: FuncId, base: &pt::Base, next: usize) -> Res<()> {
        let span = self.span(&base.loc);
        let args = self.arguments(base.args.as_deref().unwrap_or_default())?;
        let params = self.decls.funcs[modifier].params.clone();
        if args.len() != params.len() {
            return invalid(span, "the number of arguments of this modifier is wrong");
        }
        let mut values = Vec::new();
        for (arg, param) in args.into_iter().zip(&params) {
            let typed = self.coerce(arg, &param.ty, span)?;
            let pointer = match &typed.val {
                Val::Place(place) => Some(self.pointer_to(&place.clone(), span)?),
                _ => None,
            };
            values.push((typed, pointer));
        }
        let Some(body) = self.decls.funcs[modifier].body else { return Ok(()) };
        let contract = self.decls.funcs[modifier].contract;
        let frame = self.frame_mut();
        let scopes = std::mem::replace(&mut frame.scopes, vec![std::collections::BTreeMap::new()]);
        let loops = std::mem::take(&mut frame.loops);
        let outer = std::mem::replace(&mut frame.contract, contract);
        frame.layers.push(Layer { next, scopes, loops, contract: outer });
        for ((value, pointer), param) in values.into_iter().zip(&params) {
            self.bind(param, value, pointer, span)?;
        }
        self.until_exit(|lower| lower.stmt(body))?;
        let frame = self.frame_mut();
        if let Some(layer) = frame.layers.pop() {
            frame.scopes = layer.scopes;
            frame.loops = layer.loops;
            frame.contract = layer.contract;
        }
        Ok(())
    }

    /// `_` in a modifier.
    pub(crate) fn placeholder(&mut self, span: Span) -> Res<()> {
        let Some(id) = self.frame().func else { return invalid(span, "`_` outside of a modifier") };
        let frame = self.frame_mut();
        let Some(layer) = frame.layers.pop() else { return invalid(span, "`_` outside of a modifier") };
        let scopes = std::mem::replace(&mut frame.scopes, layer.scopes);
        let loops = std::mem::replace(&mut frame.loops, layer.loops);
        let contract = std::mem::replace(&mut frame.contract, layer.contract);
        self.layer(id, layer.next)?;
        let frame = self.frame_mut();
        let scopes = std::mem::replace(&mut frame.scopes, scopes);
        let loops = std::mem::replace(&mut frame.loops, loops);
        let outer = std::mem::replace(&mut frame.contract, contract);
        frame.layers.push(Layer { next: layer.next, scopes, loops, contract: outer });
        Ok(())
    }
}
