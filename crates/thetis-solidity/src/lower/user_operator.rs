//! Operators of user-defined value types: `using {add as +} for T global`.

use solang_parser::pt;
use thetis_base::Span;

use crate::fault::{Res, invalid, unsupported};
use crate::types::{FuncId, Ty};

use super::Lower;
use super::item::{Callee, Dispatch, Item};

impl Lower<'_, '_> {
    /// The result of an operator whose operands are of a user-defined type; `None` for all other types. Annotations compare such values by
    /// their numbers, unless the program says otherwise.
    pub(crate) fn user_operator(
        &mut self,
        operator: pt::UserDefinedOperator,
        operands: &[&Item],
        span: Span,
    ) -> Res<Option<Item>> {
        let Some(ty @ Ty::User(_)) = operands.iter().find_map(|item| item.ty()) else { return Ok(None) };
        let candidates = self.operator_functions(operator, &ty, operands.len());
        match (candidates.is_empty(), self.annotation) {
            (true, Some(_)) => Ok(None),
            (true, None) => {
                invalid(span, format!("this operator is not defined for `{}`", self.decls.show(&ty)))
            }
            (false, Some(_)) => unsupported(span, "user-defined operators are not supported in annotations"),
            (false, None) => {
                let callee = Callee::Internal { candidates, dispatch: Dispatch::Exact, this_arg: None };
                let operands = operands.iter().map(|item| (*item).clone()).collect();
                self.call(callee, operands, span).map(Some)
            }
        }
    }

    /// The functions that define an operator. The sign `-` denotes two operators.
    fn operator_functions(&self, operator: pt::UserDefinedOperator, ty: &Ty, count: usize) -> Vec<FuncId> {
        let usings = self.decls.file_usings.iter().filter(|using| using.ty.as_ref() == Some(ty));
        let names: Vec<&str> = usings
            .filter_map(|using| match using.list {
                pt::UsingList::Functions(list) => Some(list),
                _ => None,
            })
            .flatten()
            .filter(|function| function.oper == Some(operator))
            .filter_map(|function| function.path.identifiers.last())
            .map(|name| name.name.as_str())
            .collect();
        let is_meant = |id: &FuncId| {
            let func = &self.decls.funcs[*id];
            names.contains(&func.name.as_str())
                && func.params.len() == count
                && func.params.iter().all(|param| param.ty == *ty)
        };
        self.decls.funcs.indices().filter(is_meant).collect()
    }
}
