//! Random well-typed models: accepted, and the same after printing.

use proptest::prelude::*;

use crate::common::{assert_same, parse};
use thetis_text::cfa::print;

/// A generator of random texts with all operators of the language.
struct Source {
    state: u64,
}

#[derive(Clone, Copy)]
enum Type {
    Bool,
    Int,
    Rat,
    Bits(u32),
    Float,
    Array,
}

impl Source {
    fn below(&mut self, bound: u32) -> u32 {
        self.state =
            self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.state >> 33) as u32) % bound
    }

    fn pick<'t>(&mut self, list: &[&'t str]) -> &'t str {
        list[self.below(list.len() as u32) as usize]
    }

    /// An expression in parentheses, so that it can stand anywhere.
    fn expr(&mut self, ty: Type, depth: u32) -> String {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf(ty);
        }
        let depth = depth - 1;
        if self.below(8) == 0 {
            let condition = self.expr(Type::Bool, depth);
            let (then, otherwise) = (self.expr(ty, depth), self.expr(ty, depth));
            return format!("(if {condition} then {then} else {otherwise})");
        }
        match ty {
            Type::Bool => self.formula(depth),
            Type::Int => self.number(depth),
            Type::Rat => self.rational(depth),
            Type::Bits(width) => self.bits(width, depth),
            Type::Float => self.float(depth),
            Type::Array => self.array(depth),
        }
    }

    fn leaf(&mut self, ty: Type) -> String {
        let number = self.below(12);
        match ty {
            Type::Bool => self.pick(&["p", "o", "true", "false"]).to_owned(),
            Type::Int => match self.below(3) {
                0 => number.to_string(),
                1 => format!("(-{number})"),
                _ => self.pick(&["i", "j"]).to_owned(),
            },
            Type::Rat => match self.below(3) {
                0 => format!("{number}%{}", self.below(4) + 1),
                1 => format!("(-{number}%3)"),
                _ => self.pick(&["r", "q"]).to_owned(),
            },
            Type::Bits(4) => self.pick(&["n", "4'b0101", "4'd-3", "4'xf"]).to_owned(),
            Type::Bits(8) => self.pick(&["b", "c", "8'd200", "8'x0f"]).to_owned(),
            Type::Bits(width) => format!("{width}'d{}", self.below(2)),
            Type::Float => self.pick(&["f", "g", "3'b011.4'b0101", "-3'd7.4'd0", "+3'd0.4'd1"]).to_owned(),
            Type::Array => match self.below(3) {
                0 => format!("[<int> default <- {number}]"),
                1 => format!("[{number} <- i, 3 <- {number}, default <- 7]"),
                _ => "a".to_owned(),
            },
        }
    }

    fn formula(&mut self, depth: u32) -> String {
        let ty = [Type::Bool, Type::Int, Type::Rat, Type::Bits(8), Type::Float, Type::Array]
            [self.below(6) as usize];
        match self.below(8) {
            6 => self.infix(&["<", "<=", ">", ">="], Type::Float, depth),
            7 => format!("(fpisnan {})", self.expr(Type::Float, depth)),
            0 => format!("(not {})", self.expr(Type::Bool, depth)),
            1 => {
                let op = self.pick(&["and", "or"]);
                let parts: Vec<String> =
                    (0..self.below(3) + 2).map(|_| self.expr(Type::Bool, depth)).collect();
                format!("({})", parts.join(&format!(" {op} ")))
            }
            2 => self.infix(&["xor", "iff", "imply"], Type::Bool, depth),
            3 => self.infix(&["=", "/="], ty, depth),
            4 => {
                let (left, right) = (self.expr(Type::Int, depth), self.expr(Type::Rat, depth));
                format!("({left} {} {right})", self.pick(&["<", "<=", ">", ">=", "="]))
            }
            _ => {
                let ops = ["bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge"];
                self.infix(&ops, Type::Bits(8), depth)
            }
        }
    }

    fn infix(&mut self, ops: &[&str], ty: Type, depth: u32) -> String {
        format!("({} {} {})", self.expr(ty, depth), self.pick(ops), self.expr(ty, depth))
    }

    fn number(&mut self, depth: u32) -> String {
        match self.below(5) {
            0 => format!("(-{})", self.expr(Type::Int, depth)),
            1 => format!("{}[{}]", self.expr(Type::Array, depth), self.expr(Type::Int, depth)),
            2 => {
                let op = self.pick(&["+", "*"]);
                let parts: Vec<String> =
                    (0..self.below(3) + 2).map(|_| self.expr(Type::Int, depth)).collect();
                format!("({})", parts.join(&format!(" {op} ")))
            }
            3 => self.infix(&["-", "/", "mod", "rem"], Type::Int, depth),
            _ => {
                let divisor = self.expr(Type::Int, depth);
                let other = self.leaf(Type::Int);
                format!("(if {divisor} = 0 then {other} else i / {divisor})")
            }
        }
    }

    fn rational(&mut self, depth: u32) -> String {
        match self.below(3) {
            0 => {
                let (left, right) = (self.expr(Type::Int, depth), self.expr(Type::Rat, depth));
                format!("({left} {} {right})", self.pick(&["+", "-", "*", "/"]))
            }
            _ => self.infix(&["+", "-", "*", "/"], Type::Rat, depth),
        }
    }

    fn bits(&mut self, width: u32, depth: u32) -> String {
        let ty = Type::Bits(width);
        match self.below(6) {
            0 => format!("({} {})", self.pick(&["-", "bvneg", "bvnot", "bvpos", "+"]), self.expr(ty, depth)),
            1 if width == 8 => {
                format!("({} ++ {})", self.expr(Type::Bits(4), depth), self.expr(Type::Bits(4), depth))
            }
            2 if width == 8 => {
                let op = self.pick(&["bv_zero_extend", "bv_sign_extend"]);
                format!("({} {op} bv[8])", self.expr(Type::Bits(4), depth))
            }
            2 if width == 4 => {
                let from = self.below(5);
                format!("({})[{}:{from}]", self.expr(Type::Bits(8), depth), from + 4)
            }
            5 if self.below(3) == 0 => {
                let sign = self.pick(&["u", "s"]);
                format!("(fptobv[{width}'{sign}][RTZ] {})", self.expr(Type::Float, depth))
            }
            3 => self.infix(&["bvshl", "bvashr", "bvlshr", "bvrol", "bvror"], ty, depth),
            4 => self.infix(&["bvudiv", "bvsdiv", "bvsmod", "bvurem", "bvsrem"], ty, depth),
            _ => {
                let ops = ["bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "+", "-", "*"];
                self.infix(&ops, ty, depth)
            }
        }
    }

    fn float(&mut self, depth: u32) -> String {
        match self.below(5) {
            0 => {
                let ops =
                    ["-", "fpabs", "fpneg", "fppos", "fpsqrt[RTP]", "fproundtoint[RNA]", "fptofp[3,5][RTZ]"];
                format!("({} {})", self.pick(&ops), self.expr(Type::Float, depth))
            }
            1 => {
                let op = self.pick(&["fpfrombv[3,5][u][RTN]", "fpfrombv[3,5][s]"]);
                format!("({op} {})", self.expr(Type::Bits(8), depth))
            }
            2 => format!("(fptofp[3,5] fptofp[5,11][RTZ] {})", self.expr(Type::Float, depth)),
            _ => {
                let ops = [
                    "fpadd[RTZ]",
                    "fpsub",
                    "fpmul[RNA]",
                    "fpdiv",
                    "fprem",
                    "fpmax",
                    "fpmin",
                    "+",
                    "-",
                    "*",
                    "/",
                ];
                self.infix(&ops, Type::Float, depth)
            }
        }
    }

    fn array(&mut self, depth: u32) -> String {
        let (array, index) = (self.expr(Type::Array, depth), self.expr(Type::Int, depth));
        let element = self.expr(Type::Int, depth);
        match self.below(2) {
            0 => format!("{array}[{index} <- {element}][{element} <- i]"),
            _ => format!("[{index} <- {element}, 2 <- {element}, <int> default <- {index}]"),
        }
    }

    fn model(&mut self) -> String {
        let mut text = String::from(
            "main process p { var p : bool var o : bool var i : int var j : int var r : rat var q : rat
            var b : bv[8] var c : bv[8] var n : bv[4] var a : [int] -> int
            var f : fp[3,5] var g : fp[3,5]
            init loc A loc B final loc F error loc E error loc G\n",
        );
        for _ in 0..self.below(5) + 1 {
            text +=
                &format!("{} -> {} {{", self.pick(&["A", "B", "E"]), self.pick(&["A", "B", "F", "E", "G"]));
            for _ in 0..self.below(4) {
                text += &self.stmt();
            }
            text += "}\n";
        }
        text + "}"
    }

    fn stmt(&mut self) -> String {
        match self.below(8) {
            6 => format!(" f := {}", self.expr(Type::Float, 4)),
            0 => format!(" havoc {}", self.pick(&["p", "i", "r", "b", "a"])),
            1 => format!(" assume {}", self.expr(Type::Bool, 4)),
            2 => format!(" p := {}", self.expr(Type::Bool, 4)),
            3 => format!(" i := {}", self.expr(Type::Int, 4)),
            4 => format!(" r := {}", self.expr(Type::Rat, 4)),
            5 => format!(" b := {}", self.expr(Type::Bits(8), 4)),
            _ => format!(" a := {}", self.expr(Type::Array, 3)),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn random_models_survive_printing(seed in any::<u64>()) {
        let text = Source { state: seed }.model();
        let outcome = parse("random.cfa", &text);
        let task = outcome.task.unwrap_or_else(|| panic!("{text}\n{}", outcome.messages));
        let printed = print(&task).expect("a model of the language should be printable");
        let again = parse("printed.cfa", &printed);
        let again = again.task.unwrap_or_else(|| panic!("{printed}\n{}", again.messages));
        assert_same(&task, &again);
    }
}
