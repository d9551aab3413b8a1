//! The text that a run reads from standard input or from a file.
//!
//! The C library is not replaced in a compiled program, so the text must contain what its functions should read.
//! Characters are concatenated. Values read by `scanf` are written in the form that its format reads. A call that ends
//! early ends the text: the library finds the end of the input there. If a run opens one file, the text is that of the
//! file. Programs that open several files in a run, or open them in ways other than `fopen`, are not supported, because
//! it is not known what they read from where.

use std::vec::IntoIter;

use num_bigint::BigInt;
use thetis_expr::Value;
use thetis_model::cfa::{CfaTrace, EdgeId, Interpreter, State};

use super::Translated;
use super::inputs::{Delivered, result_variables};
use super::value::{float, number};
use crate::hir::{Callee, Expr, ExprKind, Type};
use crate::library::{Conversion, MODEL_PREFIX, Piece, SCAN_PREFIX, scanf_format};
use crate::lower::{Event, FrameId, Part, string_literal, walk_body};

/// Models that deliver one character of a stream, and that of standard input.
const CHARACTERS: [&str; 2] = ["__thetis_next_character", "__thetis_getchar"];

/// Functions that open other streams than the standard ones.
const OPENING: [&str; 7] = ["fopen", "fopen64", "fdopen", "freopen", "popen", "tmpfile", "open"];

/// The one whose streams are known.
const FOPEN: &str = "fopen";

/// Functions of the C library that take their values from standard input, if nothing else is open.
const READING: [&str; 15] = [
    "getchar",
    "getchar_unlocked",
    "getc",
    "_IO_getc",
    "fgetc",
    "getc_unlocked",
    "fgetc_unlocked",
    "scanf",
    "fscanf",
    "__isoc99_scanf",
    "__isoc99_fscanf",
    "fgets",
    "gets",
    "getline",
    "getdelim",
];

/// The most text, which a pipe can hold.
const MAX_TEXT: usize = 1 << 16;

/// What a run reads.
pub(super) enum Text {
    /// From standard input.
    Standard(Vec<u8>),
    /// From the file that it opens; also whether each call of `fopen` succeeds.
    File { text: Vec<u8>, opened: Vec<bool> },
}

/// Whether the text that a run reads determines the result of a function.
pub(super) fn reads_text(translated: Translated<'_>, name: &str) -> bool {
    READING.contains(&name) && opening(translated).iter().all(|name| *name == FOPEN)
}

/// The text that a run reads; `None` if it reads nothing, or from an unknown source.
pub(super) fn text(translated: Translated<'_>, trace: &CfaTrace) -> Option<Text> {
    let opening = opening(translated);
    if opening.iter().any(|name| *name != FOPEN) {
        return None;
    }
    if opening.is_empty() && !may_read(translated) {
        return None;
    }
    let mut reader = Reader {
        translated,
        scanned: Vec::new(),
        scanning: None,
        text: Vec::new(),
        reads: false,
        is_ended: false,
        opened: Vec::new(),
    };
    let results = result_variables(translated);
    let look = |taken: usize, state: &State| {
        let Some(last) = taken.checked_sub(1) else { return };
        let edge = trace.steps[last].edge;
        match &translated.lowered.origin.edges[edge] {
            Event::Input { var, ty, .. } => {
                if let Some(value) = state.values.get(var) {
                    reader.deliver(edge, (*ty, value.clone()));
                }
            }
            Event::Return(frame) => {
                let result = results.get(frame).and_then(|var| state.values.get(var));
                reader.leave(*frame, result);
            }
            _ => {}
        }
    };
    Interpreter::new(&translated.lowered.task).follow(trace, look).ok()?;
    reader.cut();
    let Reader { text, reads, opened, .. } = reader;
    let num_streams = opened.iter().filter(|is_open| **is_open).count();
    match text.len() <= MAX_TEXT {
        true if !opening.is_empty() && num_streams <= 1 => Some(Text::File { text, opened }),
        true if opening.is_empty() && reads => Some(Text::Standard(text)),
        _ => None,
    }
}

/// Whether the automaton has a copy of a function that reads. If not, the run need not be followed.
fn may_read(translated: Translated<'_>) -> bool {
    let mut names = translated.lowered.origin.frames.iter().map(|frame| frame.name.as_str());
    names.any(|name| CHARACTERS.contains(&name) || name.starts_with(SCAN_PREFIX))
}

/// The functions that open streams and that the program itself calls.
fn opening<'a>(translated: Translated<'a>) -> Vec<&'a str> {
    let program = translated.program;
    let opens = |expr: &Expr| match &expr.kind {
        ExprKind::Call(Callee::Function(callee), _) | ExprKind::FunctionAddress(callee) => {
            Some(program.functions[*callee].name.as_str()).filter(|name| OPENING.contains(name))
        }
        _ => None,
    };
    let bodies = program.functions.iter().filter_map(|function| function.body.as_deref());
    let parts = bodies.flat_map(walk_body);
    let calls = parts.filter_map(|part| match part {
        Part::Expr(expr) => opens(expr),
        _ => None,
    });
    calls.collect()
}

struct Reader<'a> {
    translated: Translated<'a>,
    /// What the call of `scanf` that is under way has delivered.
    scanned: Vec<Delivered>,
    /// This call.
    scanning: Option<FrameId>,
    text: Vec<u8>,
    /// Whether anything was read.
    reads: bool,
    is_ended: bool,
    /// Whether each call of `fopen` has succeeded.
    opened: Vec<bool>,
}

impl Reader<'_> {
    /// A value was delivered on an edge.
    fn deliver(&mut self, edge: EdgeId, delivered: Delivered) {
        let lowered = self.translated.lowered;
        let frame = lowered.origin.locations[lowered.task.model.edges[edge].source];
        if let Some(call) = self.scanning(frame) {
            self.scanning = Some(call);
            self.scanned.push(delivered);
        }
    }

    /// The run ends. If it ends in a call of `scanf`, because a text is too long for its buffer, this is what the call has read so far.
    fn cut(&mut self) {
        let scanned = std::mem::take(&mut self.scanned);
        if let Some(call) = self.scanning.filter(|_| !scanned.is_empty()) {
            self.reads = true;
            self.is_ended |= self.write_scanned(call, scanned).is_none();
        }
    }

    /// The call of `scanf` that a copy of a function belongs to.
    fn scanning(&self, frame: FrameId) -> Option<FrameId> {
        let frames = &self.translated.lowered.origin.frames;
        let mut at = Some(frame);
        while let Some(frame) = at {
            if frames[frame].name.starts_with(SCAN_PREFIX) {
                return Some(frame);
            }
            at = frames[frame].caller.map(|(caller, _)| caller);
        }
        None
    }

    /// A copy of a function returns.
    fn leave(&mut self, frame: FrameId, result: Option<&Value>) {
        let frames = &self.translated.lowered.origin.frames;
        let name = frames[frame].name.as_str();
        if name.strip_prefix(MODEL_PREFIX) == Some(FOPEN) {
            self.opened.push(result.and_then(plain_number).is_none_or(|number| number != BigInt::ZERO));
        } else if CHARACTERS.contains(&name) {
            self.reads = true;
            match result.and_then(plain_number).and_then(|number| u8::try_from(number).ok()) {
                Some(byte) if !self.is_ended => self.text.push(byte),
                _ => self.is_ended = true,
            }
        } else if name.starts_with(SCAN_PREFIX) {
            self.reads = true;
            let scanned = std::mem::take(&mut self.scanned);
            if self.write_scanned(frame, scanned).is_none() {
                self.is_ended = true;
            }
        }
    }

    /// Writes what a call of `scanf` has read; none if the text ends there.
    fn write_scanned(&mut self, frame: FrameId, scanned: Vec<Delivered>) -> Option<()> {
        let pieces = scanf_format(&self.format_of(frame)?)?;
        let mut values = scanned.into_iter();
        let mut left = self.integer(&values.next()?)?;
        for piece in pieces {
            match piece {
                Piece::Character(letter) if !letter.is_ascii_whitespace() => self.push(&[letter]),
                Piece::Character(_) => {}
                Piece::Conversion(conversion) if conversion.letter == b'n' => return None,
                Piece::Conversion(conversion) if conversion.has(b'*') => self.skip(&conversion),
                Piece::Conversion(conversion) => {
                    if left <= BigInt::from(0) {
                        return None;
                    }
                    left -= 1;
                    self.convert(&conversion, &mut values)?;
                }
            }
        }
        Some(())
    }

    /// Something that is read and not kept.
    fn skip(&mut self, conversion: &Conversion) {
        if conversion.letter != b'c' {
            self.separate();
        }
        self.push(b"1");
    }

    fn convert(&mut self, conversion: &Conversion, values: &mut IntoIter<Delivered>) -> Option<()> {
        match conversion.letter {
            b'c' => {
                let count = conversion.constant_width().unwrap_or(1);
                // Of several, fewer may come.
                if count > 1 && self.integer(&values.next()?)? != BigInt::ZERO {
                    return None;
                }
                for _ in 0..count {
                    let byte = self.byte(values)?;
                    self.push(&[byte]);
                }
            }
            b's' | b'[' => {
                let stated = self.integer(&values.next()?)?;
                let most = conversion.constant_width().map(BigInt::from);
                let is_count = stated > BigInt::from(0) && most.is_none_or(|most| stated <= most);
                // A run may end before the end of the text.
                let count = if is_count { usize::try_from(stated).unwrap_or(usize::MAX) } else { 1 };
                let count = count.min(values.len()).max(1);
                self.separate();
                for _ in 0..count {
                    let byte = self.byte(values)?;
                    let is_blank = conversion.letter == b's' && byte.is_ascii_whitespace() || byte == 0x0b;
                    self.push(&[if is_blank { b'x' } else { byte }]);
                }
            }
            letter => {
                let value = values.next()?;
                self.separate();
                let text = self.number_text(letter, &value)?;
                self.push(text.as_bytes());
            }
        }
        Some(())
    }

    /// A number as a conversion reads it.
    fn number_text(&self, letter: u8, value: &Delivered) -> Option<String> {
        if let Type::Float(kind) = self.translated.program.types.get(value.0) {
            let text = float(*kind, &value.1)?;
            return Some(text.trim_end_matches('f').to_owned()).filter(|text| !text.contains('_'));
        }
        let number = self.integer(value)?;
        let unsigned =
            if number < BigInt::from(0) { &number + (BigInt::from(1) << 64u32) } else { number.clone() };
        Some(match letter {
            b'x' | b'X' => format!("{unsigned:x}"),
            b'o' => format!("{unsigned:o}"),
            b'p' => return None,
            _ => number.to_string(),
        })
    }

    fn byte(&self, values: &mut IntoIter<Delivered>) -> Option<u8> {
        u8::try_from(self.integer(&values.next()?)?).ok()
    }

    fn integer(&self, value: &Delivered) -> Option<BigInt> {
        number(&self.translated.program.types, value.0, &value.1)
    }

    /// White space before a conversion that skips it.
    fn separate(&mut self) {
        if self.text.last().is_some_and(|last| !last.is_ascii_whitespace()) {
            self.push(b" ");
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        if !self.is_ended {
            self.text.extend_from_slice(bytes);
        }
    }

    /// The format of a call, which is its first argument that is a literal.
    fn format_of(&self, frame: FrameId) -> Option<Vec<u8>> {
        let frames = &self.translated.lowered.origin.frames;
        let (caller, span) = frames[frame].caller?;
        let program = self.translated.program;
        let body = program.functions[frames[caller].function].body.as_deref()?;
        walk_body(body).find_map(|part| match part {
            Part::Expr(Expr { kind: ExprKind::Call(_, args), span: at, .. }) if *at == span => {
                args.iter().find_map(|arg| string_literal(program, arg)).map(String::into_bytes)
            }
            _ => None,
        })
    }
}

fn plain_number(value: &Value) -> Option<BigInt> {
    match value {
        Value::Int(number) => Some(number.clone()),
        Value::BitVec(bits) => Some(bits.signed()),
        _ => None,
    }
}
