//! Statements at the edges of the language: unions of different kinds, bit-fields as bytes, function pointers, library
//! functions on parts of objects, floating-point numbers, variable arguments, `goto`, compound literals.
//!
//! Each is a block of its own that adds what it computes to the checksum. Like all statements here they have one meaning:
//! no bytes are read that were not written, and conversions of floating-point numbers fit.

use super::Generator;

/// How many bytes the arrays have that library functions work on.
const BYTES: u32 = 16;

impl Generator {
    /// What the statements need: prototypes, a union, functions of one type, and one with variable arguments.
    pub(super) fn wide_declarations(&self) -> String {
        let prefix = &self.prefix;
        format!(
            "void *memset(void *, int, unsigned long); void *memcpy(void *, const void *, unsigned long);\n\
             void *memmove(void *, const void *, unsigned long); int memcmp(const void *, const void *, unsigned long);\n\
             unsigned long strlen(const char *); char *strncpy(char *, const char *, unsigned long);\n\
             union {prefix}w {{ float f; unsigned u; struct {{ unsigned a : 3, b : 13; int c : 16; }} s; unsigned char c[4]; }};\n\
             struct {prefix}t {{ short k; union {{ long l; int i[2]; unsigned char c[8]; }} u; }};\n\
             static int {prefix}h0(int x) {{ return x * 3 + 1; }}\n\
             static int {prefix}h1(int x) {{ return x ^ 85; }}\n\
             static int {prefix}h2(int x) {{ {prefix}sum += 5; return {prefix}h0(x) - 2; }}\n\
             static int (*{prefix}ops[4])(int) = {{ {prefix}h0, {prefix}h1, {prefix}h2, {prefix}h1 }};\n\
             static long {prefix}va(int n, ...) {{\n\
             __builtin_va_list l; __builtin_va_start(l, n); long s = n;\n\
             for (int i = 0; i < n; i++) s = s * 7 + (i & 1 ? __builtin_va_arg(l, long) : __builtin_va_arg(l, int));\n\
             __builtin_va_end(l); return s; }}\n"
        )
    }

    pub(super) fn wide_stmt(&mut self) -> String {
        let block = match self.rng.u32(0..15) {
            0 => self.union_of_kinds(),
            1 => self.union_in_a_struct(),
            2 => self.union_literal(),
            3 => self.promotion(),
            4 => self.indirect_call(),
            5 => self.move_bytes(),
            6 => self.fill_bytes(),
            7 => self.copy_part(),
            8 => self.strings(),
            9 => self.floats(),
            10 => self.jump(),
            11 => self.variable_arguments(),
            12 => self.array_literal(),
            13 => self.pointer_in_memory(),
            _ => self.bits(),
        };
        format!("{{\n{block}}}\n")
    }

    /// Adds a value of an integer type to the checksum.
    fn add(&self, value: &str) -> String {
        let prefix = &self.prefix;
        format!("{prefix}sum = {prefix}sum * 31u + (unsigned)({value});\n")
    }

    fn union_of_kinds(&mut self) -> String {
        let (name, prefix) = (self.name("w"), self.prefix.clone());
        let writes = [
            format!("{name}.s.a = {};\n", self.expr(1)),
            format!("{name}.s.b = {};\n", self.expr(1)),
            format!("{name}.s.c = {};\n", self.expr(1)),
            format!("{name}.c[{}] = {};\n", self.index(), self.expr(1)),
            format!("{name}.f = (float)({} % 1000) / 8;\n", self.expr(1)),
        ];
        let mut text = format!("union {prefix}w {name}; {name}.u = {};\n", self.expr(2));
        for _ in 0..3 {
            text += &writes[self.rng.usize(0..writes.len())];
        }
        let read = ["u", "s.a", "s.b", "s.c", "c[2]", "f < 1.5f"][self.rng.usize(0..6)];
        text + &self.add(&format!("{name}.{read}")) + &self.add(&format!("{name}.u"))
    }

    fn union_in_a_struct(&mut self) -> String {
        let (name, copy, prefix) = (self.name("t"), self.name("t"), self.prefix.clone());
        let first = match self.rng.bool() {
            true => format!("struct {prefix}t {name} = {{ {}, {{ {} }} }};\n", self.expr(1), self.expr(1)),
            false => format!(
                "struct {prefix}t {name}; {name} = (struct {prefix}t){{ .u.l = {}, .k = {} }};\n",
                self.expr(1),
                self.expr(1)
            ),
        };
        let write = format!("{name}.u.c[{}] = {};\n", self.rng.u32(0..8), self.expr(1));
        let read = format!("{copy}.u.i[{} & 1] + {copy}.k", self.expr(1));
        format!("{first}{write}struct {prefix}t {copy} = {name};\n") + &self.add(&read)
    }

    fn union_literal(&mut self) -> String {
        let (prefix, value) = (self.prefix.clone(), self.expr(1));
        let literal = match self.rng.u32(0..3) {
            0 => format!("((union {prefix}w){{ (float)({value} % 100) }}).u"),
            1 => format!("((union {prefix}w){{ .u = {value} }}).c[{}]", self.index()),
            _ => format!("((struct {prefix}t){{ 1, {{ {value} }} }}).u.i[{}]", self.rng.u32(0..2)),
        };
        self.add(&literal)
    }

    /// Bit-fields in expressions, where they have the type `int` if their values fit.
    fn promotion(&mut self) -> String {
        let (name, prefix) = (self.name("r"), self.prefix.clone());
        let field = ["e", "f"][self.rng.usize(0..2)];
        let value = match self.rng.u32(0..5) {
            0 => format!("(0, {name}.{field})"),
            1 => format!("({} ? {name}.{field} : {name}.e)", self.expr(1)),
            2 => format!("({name}.{field} ?: {name}.e)"),
            3 => format!("({{ {name}.{field}; }})"),
            _ => format!("({name}.{field} = {})", self.expr(1)),
        };
        let read = format!("({value} - 40 < 0) + ({value} << 2)");
        format!("struct {prefix}s {name} = {{ .e = {}, .f = {} }};\n", self.expr(1), self.expr(1))
            + &self.add(&read)
    }

    fn indirect_call(&mut self) -> String {
        let (name, prefix) = (self.name("fp"), self.prefix.clone());
        let (index, argument) = (self.expr(1), self.expr(1));
        let other = self.rng.u32(0..3);
        format!(
            "int (*{name})(int) = {prefix}ops[({index}) & 3];\nif ({}) {name} = {prefix}h{other};\n",
            self.expr(1)
        ) + &self.add(&format!("{name}((int){argument})"))
    }

    /// An array of 16 bytes as elements of some type, with a name.
    fn some_bytes(&mut self) -> (String, String) {
        let name = self.name("m");
        let (ty, length) =
            [("int", 4), ("short", 8), ("long", 2), ("unsigned char", 16)][self.rng.usize(0..4)];
        let values: Vec<String> = (0..length).map(|_| self.expr(1)).collect();
        (format!("{ty} {name}[{length}] = {{ {} }};\n", values.join(", ")), name)
    }

    fn sum_of_bytes(&mut self, name: &str) -> String {
        let (index, element) = (self.name("j"), self.rng.u32(0..2));
        let sum = self.add(&format!("{name}[{element}]"));
        let byte = self.add(&format!("((unsigned char *){name})[{index}]"));
        format!("{sum}for (int {index} = 0; {index} < {BYTES}; {index} += 3) {byte}")
    }

    /// Copies within an array, with an overlap, of any number of bytes.
    fn move_bytes(&mut self) -> String {
        let (declaration, name) = self.some_bytes();
        let (from, to) = (self.rng.u32(0..8), self.rng.u32(0..8));
        let number = self.rng.u32(0..=BYTES - from.max(to));
        let call = format!("memmove((char *){name} + {to}, (char *){name} + {from}, {number});\n");
        declaration + &call + &self.sum_of_bytes(&name)
    }

    fn fill_bytes(&mut self) -> String {
        let (declaration, name) = self.some_bytes();
        let start = self.rng.u32(0..8);
        let number = self.rng.u32(0..=BYTES - start);
        let call = format!("memset((char *){name} + {start}, {}, {number});\n", self.expr(1));
        declaration + &call + &self.sum_of_bytes(&name)
    }

    /// Copies the first bytes of one object to another.
    fn copy_part(&mut self) -> String {
        let ((first, source), (second, target)) = (self.some_bytes(), self.some_bytes());
        let number = self.rng.u32(0..=BYTES);
        let call = format!("memcpy({target}, {source}, {number});\n");
        let order = self.add(&format!("memcmp({target}, {source}, {number}) == 0"));
        first + &second + &call + &order + &self.sum_of_bytes(&target)
    }

    fn strings(&mut self) -> String {
        let name = self.name("z");
        let (length, index) = (self.rng.u32(1..7), self.index());
        let declaration = format!("char {name}[8] = \"abcdefg\";\n");
        let call = format!("strncpy({name}, \"xy\", {length});\n{name}[{}] = 0;\n", self.rng.u32(1..8));
        declaration + &call + &self.add(&format!("strlen({name}) + {name}[{index}]"))
    }

    /// Whole numbers and quarters of moderate size, whose conversions to integers are defined.
    fn floats(&mut self) -> String {
        let (single, double) = (self.name("sf"), self.name("sd"));
        let text = format!(
            "float {single} = (float)({} % 1000) / 4; double {double} = {single} * 1.25 - ({} % 512);\n\
             if ({} & 1) {single} = (float)({double} / 3);\n",
            self.expr(1),
            self.expr(1),
            self.expr(1)
        );
        let value = format!("(int)({double} * 2) + (short){single} + ({single} < {double}) + !{single}");
        text + &self.add(&value)
    }

    fn jump(&mut self) -> String {
        let (label, counter) = (self.name("l"), self.name("k"));
        let (sum, skipped) = (self.checksum(), self.checksum());
        format!(
            "int {counter} = 0;\n{label}: {sum}if ({}) goto {label}_end;\n{skipped}if ({counter}++ < {}) goto {label};\n{label}_end: ;\n",
            self.expr(1),
            self.rng.u32(0..3)
        )
    }

    fn variable_arguments(&mut self) -> String {
        let (number, prefix) = (self.rng.usize(0..4), self.prefix.clone());
        let arguments: String = (0..number)
            .map(|index| format!(", ({}){}", if index & 1 == 1 { "long" } else { "int" }, self.expr(1)))
            .collect();
        self.add(&format!("{prefix}va({number}{arguments})"))
    }

    fn array_literal(&mut self) -> String {
        let name = self.name("q");
        let text = format!(
            "int *{name} = (int[]){{ {}, [2] = {}, {} }};\n{name}[{}] += {};\n",
            self.expr(1),
            self.expr(1),
            self.expr(1),
            self.index(),
            self.expr(1)
        );
        let read = format!("{name}[{}] + (short[]){{ 1, {} }}[1]", self.index(), self.expr(1));
        text + &self.add(&read)
    }

    /// A pointer that travels through memory that is not of its type.
    fn pointer_in_memory(&mut self) -> String {
        let (object, first, second) = (self.name("o"), self.name("p"), self.name("p"));
        let travel = match self.rng.u32(0..3) {
            0 => format!("memcpy(&{second}, &{first}, sizeof {first});\n"),
            1 => format!("{second} = (int *)(unsigned long){first};\n"),
            _ => format!("void *{second}v = {first}; {second} = {second}v;\n"),
        };
        let text = format!(
            "int {object} = {}, *{first} = &{object}, *{second};\n{travel}*{second} = {};\n",
            self.expr(1),
            self.expr(1)
        );
        text + &self.add(&object)
    }

    fn bits(&mut self) -> String {
        let value = self.expr(2);
        let read = match self.rng.u32(0..5) {
            0 => format!("__builtin_popcount((unsigned){value})"),
            1 => format!("__builtin_clz((unsigned){value} | 1)"),
            2 => format!("__builtin_ctz((unsigned){value} | 64)"),
            3 => format!("__builtin_bswap32((unsigned){value})"),
            _ => {
                let name = self.name("ov");
                let call = format!("__builtin_add_overflow((int){value}, (int){}, &{name})", self.expr(1));
                let declaration = format!("int {name} = 0;\n");
                return declaration + &self.add(&call) + &self.add(&name);
            }
        };
        self.add(&read)
    }
}
