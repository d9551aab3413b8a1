//! From bytes to [`Raw`]: the header, the literals, the gates and the symbols.

use super::code;
use super::raw::{Gate, Latch, Lit, Named, Raw, Reset, Use};
use super::reader::{Read, Reader};

/// Binary inputs take no bytes, so the header alone could ask for any number of them.
const MAX_BINARY_INPUTS: u32 = 1 << 20;

/// The two forms of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Ascii,
    Binary,
}

/// The numbers of the first line.
struct Header {
    form: Form,
    max_variable: u32,
    inputs: u32,
    latches: u32,
    outputs: u32,
    gates: u32,
    bad: u32,
    constraints: u32,
}

/// The contents of the file; `reader` has to be at its start.
pub(super) fn parse(reader: Reader<'_>) -> Read<Raw> {
    let mut parser = Parser { reader, max_literal: 0, raw: Raw::default() };
    let header = parser.header()?;
    parser.max_literal = header.max_variable * 2 + 1;
    parser.body(&header)?;
    parser.symbols()?;
    Ok(parser.raw)
}

struct Parser<'b> {
    reader: Reader<'b>,
    max_literal: u32,
    raw: Raw,
}

impl Parser<'_> {
    /// `("aag" | "aig") M I L O A [B [C [J [F]]]]`
    fn header(&mut self) -> Read<Header> {
        let form = match () {
            () if self.reader.accept_word(b"aag ") => Form::Ascii,
            () if self.reader.accept_word(b"aig ") => Form::Binary,
            () => return Err(self.reader.expected("a header that starts with `aag` or `aig`")),
        };
        let start = self.reader.offset();
        let names = ["variables", "inputs", "latches", "outputs", "gates"];
        let names = names.into_iter().chain(["bad states", "constraints", "justice", "fairness"]);
        let mut numbers = [0; 9];
        for (position, name) in names.enumerate() {
            if position > 0 && !(self.reader.peek() == Some(b' ') || position < 5) {
                break;
            }
            if position > 0 {
                self.reader.blank()?;
            }
            let place = self.reader.offset();
            numbers[position] = self.reader.number(&format!("the number of {name}"))?;
            if position >= 7 && numbers[position] > 0 {
                let message = format!("{name} is not supported, only safety properties are");
                return Err(self.reader.error(place, code::UNSUPPORTED, message));
            }
        }
        let [max_variable, inputs, latches, outputs, gates, bad, constraints, ..] = numbers;
        let header = Header { form, max_variable, inputs, latches, outputs, gates, bad, constraints };
        self.check_header(&header, start)?;
        self.reader.end_of_line()?;
        Ok(header)
    }

    fn check_header(&self, header: &Header, start: usize) -> Read<()> {
        let reject = |code, message: &str| Err(self.reader.error(start, code, message));
        let sum = u64::from(header.inputs) + u64::from(header.latches) + u64::from(header.gates);
        if header.max_variable > u32::MAX / 2 - 1 {
            return reject(code::UNSUPPORTED, "this number of variables is not supported");
        }
        if u64::from(header.max_variable) < sum {
            return reject(code::SYNTAX, "there are more inputs, latches and gates than variables");
        }
        if header.form == Form::Binary && u64::from(header.max_variable) != sum {
            return reject(
                code::SYNTAX,
                "inputs, latches and gates should add up to the number of variables",
            );
        }
        if header.form == Form::Binary && header.inputs > MAX_BINARY_INPUTS {
            return reject(code::UNSUPPORTED, "this number of inputs is not supported");
        }
        Ok(())
    }

    fn body(&mut self, header: &Header) -> Read<()> {
        for number in 0..header.inputs {
            let input = match header.form {
                Form::Ascii => self.definition("an input")?,
                Form::Binary => self.implied(number + 1),
            };
            self.raw.inputs.push(input);
        }
        for number in 0..header.latches {
            let lit = match header.form {
                Form::Ascii => {
                    let lit = self.defined("a latch")?;
                    self.reader.blank()?;
                    lit
                }
                Form::Binary => self.implied(header.inputs + number + 1),
            };
            self.latch(lit)?;
        }
        self.raw.outputs = self.uses(header.outputs, "an output")?;
        self.raw.bad = self.uses(header.bad, "a bad state")?;
        self.raw.constraints = self.uses(header.constraints, "a constraint")?;
        match header.form {
            Form::Ascii => (0..header.gates).try_for_each(|_| self.ascii_gate()),
            Form::Binary => {
                let first = header.inputs + header.latches + 1;
                (first..=header.max_variable).try_for_each(|variable| self.binary_gate(variable))
            }
        }
    }

    /// `next [reset]` and the end of the line.
    fn latch(&mut self, lit: Use) -> Read<()> {
        let next = self.literal("the next state of a latch")?;
        let mut reset = Reset::Zero;
        if self.reader.peek() == Some(b' ') {
            self.reader.blank()?;
            if self.reader.is_at_number() {
                let start = self.reader.offset();
                reset = match self.reader.number("a reset value")? {
                    0 => Reset::Zero,
                    1 => Reset::One,
                    own if own == lit.lit.0 => Reset::Arbitrary,
                    _ => {
                        let message = "a latch starts at 0, at 1 or at its own literal";
                        return Err(self.reader.error(start, code::SYNTAX, message));
                    }
                };
            }
        }
        self.reader.end_of_line()?;
        self.raw.latches.push(Latch { lit, next, reset });
        Ok(())
    }

    fn uses(&mut self, count: u32, what: &str) -> Read<Vec<Use>> {
        let mut uses = Vec::new();
        for _ in 0..count {
            uses.push(self.literal(what)?);
            self.reader.end_of_line()?;
        }
        Ok(uses)
    }

    /// `lit left right`
    fn ascii_gate(&mut self) -> Read<()> {
        let lit = self.defined("a gate")?;
        self.reader.blank()?;
        let left = self.literal("the first input of a gate")?;
        self.reader.blank()?;
        let right = self.literal("the second input of a gate")?;
        self.reader.end_of_line()?;
        self.raw.gates.push(Gate { lit, left, right });
        Ok(())
    }

    /// A gate, given by the differences from the gate to its first input and from there to its second input.
    fn binary_gate(&mut self, variable: u32) -> Read<()> {
        let lit = self.implied(variable);
        let start = self.reader.offset();
        let first = self.reader.delta()?;
        let Some(left) = lit.lit.0.checked_sub(first).filter(|left| *left < lit.lit.0) else {
            let message = "the first input of a gate should be smaller than the gate";
            return Err(self.reader.error(start, code::SYNTAX, message));
        };
        let start = self.reader.offset();
        let second = self.reader.delta()?;
        let Some(right) = left.checked_sub(second) else {
            let message = "the second input of a gate should not be larger than the first";
            return Err(self.reader.error(start, code::SYNTAX, message));
        };
        let at = lit.at;
        let (left, right) = (Use { lit: Lit(left), at }, Use { lit: Lit(right), at });
        self.raw.gates.push(Gate { lit, left, right });
        Ok(())
    }

    /// The literal of a variable that the binary form leaves out.
    fn implied(&self, variable: u32) -> Use {
        Use { lit: Lit(variable * 2), at: self.reader.offset() as u32 }
    }

    /// A literal that is defined, alone on its line.
    fn definition(&mut self, what: &str) -> Read<Use> {
        let lit = self.defined(what)?;
        self.reader.end_of_line()?;
        Ok(lit)
    }

    /// A literal that is defined: neither negated nor a constant.
    fn defined(&mut self, what: &str) -> Read<Use> {
        let lit = self.literal(what)?;
        if lit.lit.is_negated() || lit.lit.variable() == 0 {
            let message = format!("{what} should be an even number greater than 0");
            return Err(self.reader.error(lit.at as usize, code::SYNTAX, message));
        }
        Ok(lit)
    }

    fn literal(&mut self, what: &str) -> Read<Use> {
        let start = self.reader.offset();
        let number = self.reader.number(&format!("{what}, a literal"))?;
        if number > self.max_literal {
            let message =
                format!("literal {number} is larger than the greatest of the header, {}", self.max_literal);
            return Err(self.reader.error(start, code::SYNTAX, message));
        }
        Ok(Use { lit: Lit(number), at: start as u32 })
    }

    /// The symbol table, up to the comments or the end of the file.
    fn symbols(&mut self) -> Read<()> {
        while self.reader.rest() > 0 {
            let start = self.reader.offset();
            let Some(kind) = self.reader.peek().filter(u8::is_ascii_lowercase) else {
                return Err(self.reader.expected("a symbol, a comment or the end of the file"));
            };
            self.reader.accept(kind);
            if kind == b'c' && !self.reader.is_at_number() {
                // Only now is it certain that this is not a constraint: the rest of the file is a comment.
                return Ok(());
            }
            let number = self.reader.number("the number of a symbol")?;
            self.reader.blank()?;
            let name = String::from_utf8_lossy(self.reader.line()).trim_end().to_owned();
            let named = self.named(kind, number, start)?;
            self.reader.end_of_line()?;
            self.raw.symbols.push((named, name));
        }
        Ok(())
    }

    fn named(&self, kind: u8, number: u32, start: usize) -> Read<Named> {
        let (count, named) = match kind {
            b'i' => (self.raw.inputs.len(), Named::Input(number)),
            b'l' => (self.raw.latches.len(), Named::Latch(number)),
            b'o' => (self.raw.outputs.len(), Named::Other),
            b'b' => (self.raw.bad.len(), Named::Other),
            b'c' => (self.raw.constraints.len(), Named::Other),
            _ => return Err(self.reader.error(start, code::SYNTAX, "a symbol starts with i, l, o, b or c")),
        };
        if number as usize >= count {
            return Err(self.reader.error(start, code::SYNTAX, "this symbol names nothing of the circuit"));
        }
        Ok(named)
    }
}
