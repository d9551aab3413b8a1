//! Random statements.

use super::{Generator, LENGTH, Language};

impl Generator {
    /// A few statements; what they declare goes out of scope with them.
    pub(super) fn block(&mut self, size: usize) -> String {
        let mut text = self.declarations();
        for _ in 0..self.rng.usize(1..=size) {
            text += &self.stmt();
        }
        text
    }

    fn declarations(&mut self) -> String {
        let mut text = String::new();
        for _ in 0..self.rng.usize(1..4) {
            text += &self.declaration();
        }
        text
    }

    fn declaration(&mut self) -> String {
        let (name, ty, prefix) = (self.name("x"), self.ty(), self.prefix.clone());
        let (text, names) = match self.rng.u32(0..9) {
            0 => {
                let text = format!("{ty} {name}[{LENGTH}] = {{ {}, {} }};\n", self.expr(1), self.expr(1));
                (text, &mut self.scope.arrays)
            }
            1 => {
                let text = format!("{ty} {name}[{LENGTH}][{LENGTH}] = {{ {{ {} }} }};\n", self.expr(1));
                (text, &mut self.scope.matrices)
            }
            2 => {
                let text = format!("struct {prefix}s {name} = {{ {}, {} }};\n", self.expr(1), self.expr(1));
                (text, &mut self.scope.records)
            }
            3 => match self.pointer() {
                Some(target) => (format!("int *{name} = {target};\n"), &mut self.scope.pointers),
                None => (format!("int {name} = {};\n", self.expr(1)), &mut self.scope.ints),
            },
            4 => {
                let records = self.scope.records.clone();
                match self.pick(&records) {
                    Some(record) => {
                        let text = format!("struct {prefix}s *{name} = &{record};\n");
                        (text, &mut self.scope.record_pointers)
                    }
                    None => (format!("int {name} = {};\n", self.expr(1)), &mut self.scope.ints),
                }
            }
            5 => (format!("double {name} = {} % 1000;\n", self.expr(1)), &mut self.scope.doubles),
            6 => (format!("int {name} = {};\n", self.expr(1)), &mut self.scope.ints),
            _ => (format!("{ty} {name} = {};\n", self.expr(2)), &mut self.scope.scalars),
        };
        names.push(name);
        text
    }

    fn stmt(&mut self) -> String {
        if self.language == Language::Wide && self.rng.u32(0..3) == 0 {
            return self.wide_stmt();
        }
        match self.rng.u32(0..24) {
            0..=5 => self.assignment(),
            6 | 7 => self.update(),
            8 | 9 => self.step(),
            10 | 11 => self.checksum(),
            12 => self.branch(),
            13 => self.counted_loop(),
            14 => self.switch(),
            15 | 16 => self.call_stmt(),
            17 => self.copy(),
            18 => self.union(),
            19 => self.move_pointer(),
            20 => self.doubles(),
            21 => self.guarded_call(),
            22 => self.statement_expression(),
            _ => self.do_loop(),
        }
    }

    fn assignment(&mut self) -> String {
        match self.place() {
            Some(place) => format!("{place} = {};\n", self.expr(3)),
            None => self.checksum(),
        }
    }

    fn update(&mut self) -> String {
        let Some(place) = self.place() else { return self.checksum() };
        let op = ["+", "-", "*", "&", "|", "^"][self.rng.usize(0..6)];
        match self.rng.u32(0..4) {
            0 => format!("{place} <<= {};\n", self.rng.u32(0..8)),
            1 => format!("{place} /= ({} & 7) + 1;\n", self.expr(1)),
            _ => format!("{place} {op}= {};\n", self.expr(2)),
        }
    }

    /// `x = y++` and the like, with different variables.
    fn step(&mut self) -> String {
        let scalars = self.scope.scalars.clone();
        let (Some(target), Some(source)) = (self.pick(&scalars), self.pick(&scalars)) else {
            return self.checksum();
        };
        let op = ["++", "--"][self.rng.usize(0..2)];
        if target == source {
            return format!("{target}{op};\n");
        }
        match self.rng.bool() {
            true => format!("{target} = {source}{op};\n"),
            false => format!("{target} = {op}{source};\n"),
        }
    }

    /// Adds something to the checksum.
    pub(super) fn checksum(&mut self) -> String {
        let prefix = self.prefix.clone();
        format!("{prefix}sum = {prefix}sum * 33u + (unsigned){};\n", self.expr(2))
    }

    fn nested(&mut self, size: usize) -> String {
        let outer = self.scope.clone();
        let text = self.block(size);
        self.scope = outer;
        format!("{{\n{text}}}")
    }

    fn branch(&mut self) -> String {
        let (condition, then) = (self.expr(2), self.nested(2));
        match self.rng.bool() {
            true => format!("if ({condition}) {then}\n"),
            false => format!("if ({condition}) {then} else {}\n", self.nested(2)),
        }
    }

    fn counted_loop(&mut self) -> String {
        if self.depth > 1 {
            return self.checksum();
        }
        let (counter, bound) = (self.name("i"), self.rng.u32(1..4));
        let outer = self.scope.clone();
        self.scope.counters.push(counter.clone());
        self.depth += 1;
        let (leave, body) = (self.leave(), self.nested(2));
        self.depth -= 1;
        self.scope = outer;
        format!("for (int {counter} = 0; {counter} < {bound}; {counter}++) {{\n{leave}{body}\n}}\n")
    }

    fn leave(&mut self) -> String {
        match self.rng.u32(0..4) {
            0 => format!("if ({}) continue;\n", self.expr(1)),
            1 => format!("if ({}) break;\n", self.expr(1)),
            _ => String::new(),
        }
    }

    fn do_loop(&mut self) -> String {
        if self.depth > 1 {
            return self.checksum();
        }
        let counter = self.name("n");
        self.depth += 1;
        let body = self.nested(2);
        self.depth -= 1;
        format!("{{ int {counter} = {};\ndo {body} while ({counter}-- > 0);\n}}\n", self.rng.u32(0..3))
    }

    fn switch(&mut self) -> String {
        let mut text = format!("switch ({} & 3) {{\n", self.expr(1));
        for case in 0..self.rng.u32(1..4) {
            let end = if self.rng.bool() { "break;\n" } else { "" };
            text += &format!("case {case}: {}{end}", self.assignment());
        }
        text + &format!("default: {}}}\n", self.checksum())
    }

    fn call_stmt(&mut self) -> String {
        let Some(call) = self.call() else { return self.checksum() };
        let scalars = self.scope.scalars.clone();
        match self.pick(&scalars) {
            Some(target) => format!("{target} = {call};\n"),
            None => format!("{call};\n"),
        }
    }

    /// A call that happens only sometimes.
    fn guarded_call(&mut self) -> String {
        let (Some(call), prefix) = (self.call(), self.prefix.clone()) else { return self.checksum() };
        let (test, op) = (self.expr(1), ["&&", "||"][self.rng.usize(0..2)]);
        format!("if ({test} {op} {call}) {prefix}sum += 7;\n")
    }

    fn copy(&mut self) -> String {
        let scope = self.scope.clone();
        let (Some(target), Some(source)) = (self.pick(&scope.records), self.pick(&scope.records)) else {
            return self.checksum();
        };
        match self.pick(&scope.record_pointers) {
            Some(pointer) if self.rng.bool() => format!("*{pointer} = {source};\n"),
            _ => format!("{target} = {source};\n"),
        }
    }

    fn union(&mut self) -> String {
        let (name, prefix) = (self.name("u"), self.prefix.clone());
        let (value, byte) = (self.expr(1), self.expr(1));
        format!(
            "{{ union {prefix}u {name}; {name}.w = {value}; {name}.b[{}] = {byte}; {prefix}sum += {name}.w + (unsigned){name}.h[1]; }}\n",
            self.index(),
        )
    }

    /// Pointers are only moved to what lives for ever, so that they never outlive what they point to.
    fn move_pointer(&mut self) -> String {
        let pointers = self.scope.pointers.clone();
        let globals = format!("{}g", self.prefix);
        let ints: Vec<String> =
            self.scope.ints.iter().filter(|name| name.starts_with(&globals)).cloned().collect();
        match (self.pick(&pointers), self.pick(&ints)) {
            (Some(name), Some(target)) => format!("{name} = &{target};\n"),
            _ => self.checksum(),
        }
    }

    /// Whole numbers of moderate size, so that conversions back to integers are defined.
    fn doubles(&mut self) -> String {
        let doubles = self.scope.doubles.clone();
        let Some(name) = self.pick(&doubles) else { return self.checksum() };
        let op = ["+", "-", "*"][self.rng.usize(0..3)];
        let prefix = self.prefix.clone();
        format!(
            "{name} = {name} {op} (double)({} % 100) / 4;\nif ({name} > 1e6 || {name} < -1e6) {name} = 1;\n{prefix}sum += {name} < 3.5;\n",
            self.expr(1),
        )
    }

    fn statement_expression(&mut self) -> String {
        let (Some(target), name) = (self.place(), self.name("t")) else { return self.checksum() };
        format!(
            "{target} = ({{ long {name} = {}; {name} += 3; {name}; }}) + {};\n",
            self.expr(2),
            self.expr(1)
        )
    }
}
