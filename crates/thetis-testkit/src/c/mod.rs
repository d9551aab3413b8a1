//! Random C programs without undefined behaviour, to be run by a compiler and by a model.
//!
//! A program computes a checksum over everything it does. All its names start with a prefix, so that many programs fit
//! into one file; `PREFIX_main` returns the checksum. They never divide by zero, shift too far, leave an array, follow a
//! wild pointer, recurse or loop without end, and no expression changes a variable that another part of it uses. Signed
//! overflow does occur: it is meant to wrap, as with `-fwrapv`.

mod expr;
mod stmt;
mod wide;

use fastrand::Rng;

/// A random program; the functions it calls come before it.
#[derive(Clone, Debug)]
pub struct RandomProgram {
    /// Declarations and functions, without `main`.
    pub text: String,
    /// The function that returns the checksum, an `unsigned`.
    pub entry: String,
}

impl RandomProgram {
    /// The program as one that can be translated alone: `main` returns the checksum.
    pub fn alone(&self) -> String {
        format!("{}int main(void) {{ return (int){}(); }}\n", self.text, self.entry)
    }
}

/// How much of the language programs use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Arithmetic, control flow, structures, arrays and pointers.
    Core,
    /// Also what stands at the edges: see the module `wide`.
    Wide,
}

/// The program of the core language that belongs to `seed`.
pub fn random_program(seed: u64) -> RandomProgram {
    random_program_in(Language::Core, seed)
}

/// The program of a language that belongs to `seed`.
pub fn random_program_in(language: Language, seed: u64) -> RandomProgram {
    let prefix = format!("p{seed}_");
    let mut generator = Generator {
        language,
        rng: Rng::with_seed(seed),
        prefix: prefix.clone(),
        scope: Scope::default(),
        functions: Vec::new(),
        num_names: 0,
        depth: 0,
    };
    let text = generator.program();
    RandomProgram { text, entry: format!("{prefix}main") }
}

/// The integer types.
const TYPES: [&str; 10] = [
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "_Bool",
    "char",
];

/// How many elements arrays have: a power of two, so that an index can be masked.
const LENGTH: u32 = 4;

/// What can be named.
#[derive(Clone, Default)]
struct Scope {
    /// Integer variables and members that may be read and written.
    scalars: Vec<String>,
    /// Arrays of integers.
    arrays: Vec<String>,
    /// Arrays of arrays.
    matrices: Vec<String>,
    /// Structures of the one structure type.
    records: Vec<String>,
    /// Pointers to `int` that point somewhere.
    pointers: Vec<String>,
    /// Pointers to the structure type that point somewhere.
    record_pointers: Vec<String>,
    /// Variables of type `double`, small whole numbers.
    doubles: Vec<String>,
    /// What pointers to `int` can point to.
    ints: Vec<String>,
    /// Loop counters, which may only be read.
    counters: Vec<String>,
}

/// A function that can be called: its name and what it takes.
#[derive(Clone)]
struct Callable {
    name: String,
    num_integers: usize,
    takes_pointer: bool,
    takes_record: bool,
}

struct Generator {
    language: Language,
    rng: Rng,
    prefix: String,
    scope: Scope,
    functions: Vec<Callable>,
    num_names: u32,
    /// How many loops are around.
    depth: u32,
}

impl Generator {
    fn program(&mut self) -> String {
        let prefix = self.prefix.clone();
        let mut text = format!(
            "static unsigned {prefix}sum;\n\
             struct {prefix}s {{ {} a; {} b; struct {{ {} c; short d; }} in; int v[{LENGTH}]; unsigned e : 5; int f : 7; }};\n\
             union {prefix}u {{ unsigned w; unsigned char b[4]; short h[2]; }};\n",
            self.ty(),
            self.ty(),
            self.ty(),
        );
        if self.language == Language::Wide {
            text += &self.wide_declarations();
        }
        for _ in 0..3 {
            text += &self.global();
        }
        for _ in 0..self.rng.usize(0..3) {
            text += &self.function();
        }
        text + &self.entry()
    }

    fn global(&mut self) -> String {
        let (name, ty) = (self.name("g"), self.ty());
        match self.rng.u32(0..4) {
            0 => {
                self.scope.arrays.push(name.clone());
                format!("static {ty} {name}[{LENGTH}] = {{ {}, {} }};\n", self.constant(), self.constant())
            }
            1 => {
                self.scope.records.push(name.clone());
                let (prefix, first) = (self.prefix.clone(), self.constant());
                format!("static struct {prefix}s {name} = {{ {first}, .v = {{ 1, 2 }} }};\n")
            }
            2 => {
                self.scope.ints.push(name.clone());
                format!("static int {name} = {};\n", self.constant())
            }
            _ => {
                self.scope.scalars.push(name.clone());
                format!("static {ty} {name} = {};\n", self.constant())
            }
        }
    }

    fn function(&mut self) -> String {
        let callable = Callable {
            name: self.name("f"),
            num_integers: self.rng.usize(0..3),
            takes_pointer: self.rng.bool(),
            takes_record: self.rng.u32(0..3) == 0,
        };
        let outer = self.scope.clone();
        let mut params = Vec::new();
        for _ in 0..callable.num_integers {
            let (name, ty) = (self.name("a"), self.ty());
            params.push(format!("{ty} {name}"));
            self.scope.scalars.push(name);
        }
        if callable.takes_pointer {
            let name = self.name("p");
            params.push(format!("int *{name}"));
            self.scope.pointers.push(name);
        }
        if callable.takes_record {
            let name = self.name("r");
            params.push(format!("struct {}s {name}", self.prefix));
            self.scope.records.push(name);
        }
        let params = if params.is_empty() { "void".to_string() } else { params.join(", ") };
        let (ty, body) = (self.ty(), self.block(3));
        let result = self.expr(2);
        self.scope = outer;
        let text = format!("static {ty} {}({params}) {{\n{body}return {result};\n}}\n", callable.name);
        self.functions.push(callable);
        text
    }

    fn entry(&mut self) -> String {
        let outer = self.scope.clone();
        let body = self.block(6);
        let sums: String = (0..4).map(|_| self.checksum()).collect();
        self.scope = outer;
        let prefix = &self.prefix;
        format!("unsigned {prefix}main(void) {{\n{body}{sums}return {prefix}sum;\n}}\n")
    }

    fn name(&mut self, kind: &str) -> String {
        self.num_names += 1;
        format!("{}{kind}{}", self.prefix, self.num_names)
    }

    fn ty(&mut self) -> &'static str {
        TYPES[self.rng.usize(0..TYPES.len())]
    }

    fn pick(&mut self, names: &[String]) -> Option<String> {
        (!names.is_empty()).then(|| names[self.rng.usize(0..names.len())].clone())
    }
}
