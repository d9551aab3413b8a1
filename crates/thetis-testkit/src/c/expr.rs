//! Random expressions: none of them changes anything, except through calls that are made alone.

use super::{Generator, LENGTH};

impl Generator {
    /// A constant.
    pub(super) fn constant(&mut self) -> String {
        match self.rng.u32(0..8) {
            0 => "0".to_string(),
            1 => format!("{}u", self.rng.u32(..)),
            2 => format!("(-{})", self.rng.u32(1..1000)),
            3 => format!("{}L", self.rng.u64(0..1 << 40)),
            4 => "2147483647".to_string(),
            // Not the least `int`: with `-fwrapv`, gcc makes `INT_MIN / -y` of `-(INT_MIN / y)`, which traps.
            5 => "(-2147483647)".to_string(),
            _ => self.rng.u32(0..20).to_string(),
        }
    }

    /// An integer expression.
    pub(super) fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.u32(0..6) == 0 {
            return self.leaf();
        }
        let (left, right) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.rng.u32(0..22) {
            0..=2 => format!("({left} + {right})"),
            3 | 4 => format!("({left} - {right})"),
            5 => format!("({left} * {right})"),
            6 => format!("({left} / (({right} & 7) + 1))"),
            7 => format!("({left} % (({right} & 15) + 1))"),
            8 => format!("({left} << ({right} & 7))"),
            9 => format!("({left} >> ({right} & 7))"),
            10 => format!("({left} {} {right})", ["&", "|", "^"][self.rng.usize(0..3)]),
            11 => format!("({left} {} {})", ["&", "|", "^"][self.rng.usize(0..3)], self.constant()),
            12 => format!("({left} {} {})", ["<<", ">>"][self.rng.usize(0..2)], self.rng.u32(0..31)),
            13 | 14 => {
                let op = ["<", "<=", ">", ">=", "==", "!="][self.rng.usize(0..6)];
                format!("({left} {op} {right})")
            }
            15 => format!("({left} && {right})"),
            16 => format!("({left} || {right})"),
            17 => format!("({left} ? {right} : {})", self.leaf()),
            18 => format!("(({}){left})", self.ty()),
            19 => format!("({}{left})", ["-", "~", "!"][self.rng.usize(0..3)]),
            20 => format!("({left} / {})", ["3", "-7", "16", "1000u"][self.rng.usize(0..4)]),
            _ => format!("({left} % {})", ["3", "-7", "16", "1000u"][self.rng.usize(0..4)]),
        }
    }

    fn leaf(&mut self) -> String {
        for _ in 0..3 {
            if let Some(place) = self.readable() {
                return place;
            }
        }
        self.constant()
    }

    /// Something that has an integer value.
    fn readable(&mut self) -> Option<String> {
        match self.rng.u32(0..9) {
            0 => Some(self.constant()),
            1 => {
                let counters = self.scope.counters.clone();
                self.pick(&counters)
            }
            2 => {
                let doubles = self.scope.doubles.clone();
                self.pick(&doubles).map(|name| format!("(int){name}"))
            }
            3 => {
                let pointers = self.scope.record_pointers.clone();
                self.pick(&pointers).map(|name| self.member(&format!("{name}->")))
            }
            _ => self.place(),
        }
    }

    /// Something of integer type that can be assigned.
    pub(super) fn place(&mut self) -> Option<String> {
        let scope = self.scope.clone();
        match self.rng.u32(0..8) {
            0 => self.pick(&scope.arrays).map(|name| format!("{name}[{}]", self.index())),
            1 => self.pick(&scope.matrices).map(|name| format!("{name}[{}][{}]", self.index(), self.index())),
            2 => self.pick(&scope.records).map(|name| self.member(&format!("{name}."))),
            3 => self.pick(&scope.pointers).map(|name| format!("(*{name})")),
            4 => self.pick(&scope.ints),
            5 => self.pick(&scope.record_pointers).map(|name| self.member(&format!("{name}->"))),
            _ => self.pick(&scope.scalars),
        }
    }

    fn member(&mut self, start: &str) -> String {
        match self.rng.u32(0..7) {
            0 => format!("{start}a"),
            1 => format!("{start}b"),
            2 => format!("{start}in.c"),
            3 => format!("{start}in.d"),
            4 => format!("{start}v[{}]", self.index()),
            5 => format!("{start}e"),
            _ => format!("{start}f"),
        }
    }

    /// An index that is in bounds.
    pub(super) fn index(&mut self) -> String {
        match self.rng.u32(0..3) {
            0 => self.rng.u32(0..LENGTH).to_string(),
            _ => format!("({} & {})", self.leaf(), LENGTH - 1),
        }
    }

    /// A call of a function that exists already.
    pub(super) fn call(&mut self) -> Option<String> {
        let functions = self.functions.clone();
        let callable = functions.get(self.rng.usize(0..functions.len().max(1)))?;
        let mut args: Vec<String> = (0..callable.num_integers).map(|_| self.expr(1)).collect();
        if callable.takes_pointer {
            args.push(self.pointer()?);
        }
        if callable.takes_record {
            let records = self.scope.records.clone();
            args.push(self.pick(&records)?);
        }
        Some(format!("{}({})", callable.name, args.join(", ")))
    }

    /// A pointer to an `int` that exists.
    pub(super) fn pointer(&mut self) -> Option<String> {
        let scope = self.scope.clone();
        match self.rng.u32(0..4) {
            0 => self.pick(&scope.pointers),
            1 => self.pick(&scope.records).map(|name| format!("&{name}.v[{}]", self.index())),
            _ => self.pick(&scope.ints).map(|name| format!("&{name}")),
        }
    }
}
