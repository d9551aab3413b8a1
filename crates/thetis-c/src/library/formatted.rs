//! Calls of `printf`, `scanf` and their relatives.
//!
//! What such a call does depends on its format, which is nearly always a constant. So every call with a constant format gets a
//! model of its own, made here: a C function with the types of the arguments that does one step after the other. Nothing has to be
//! interpreted when the program is verified, and no variable arguments are necessary.

use super::format::{Amount, Conversion, Length, Piece, printf_format, scanf_format};
use super::scan::scan_text;

/// A function with a format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Family {
    pub(super) task: Task,
    /// Which argument the format is.
    pub(super) format: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Task {
    /// Output to a stream.
    Print,
    /// Output to a buffer of unknown size.
    Store,
    /// Output to a buffer whose size is an argument.
    StoreUpTo,
    /// As the two before, with the size that the compiler knows in the argument before the format.
    StoreChecked,
    StoreUpToChecked,
    /// Input from a stream.
    Scan,
    /// Input from a stream that is an argument.
    ScanStream,
    /// Input from a string.
    ScanText,
}

/// The family that a function belongs to.
pub(super) fn family(name: &str) -> Option<Family> {
    let plain =
        ["__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    let (task, format) = match plain {
        "printf" => (Task::Print, 0),
        "fprintf" | "dprintf" | "__printf_chk" => (Task::Print, 1),
        "__fprintf_chk" => (Task::Print, 2),
        "sprintf" => (Task::Store, 1),
        "snprintf" => (Task::StoreUpTo, 2),
        "__sprintf_chk" => (Task::StoreChecked, 3),
        "__snprintf_chk" => (Task::StoreUpToChecked, 4),
        "scanf" => (Task::Scan, 0),
        "fscanf" => (Task::ScanStream, 1),
        "sscanf" => (Task::ScanText, 1),
        _ => return None,
    };
    Some(Family { task, format })
}

/// A call, as far as its model depends on it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Formatted {
    pub(super) family: Family,
    pub(super) format: Option<Vec<u8>>,
    /// The types of all arguments, as they are written in C; pointers are `void *`.
    pub(super) params: Vec<&'static str>,
    pub(super) result: ResultUse,
}

/// Whether the result of a call is looked at.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum ResultUse {
    Used,
    Ignored,
}

impl Formatted {
    /// The model, a function of this name.
    pub(super) fn model(&self, name: &str) -> String {
        let params: Vec<String> =
            self.params.iter().enumerate().map(|(number, ty)| format!("{ty} a{number}")).collect();
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        let body =
            self.body().unwrap_or_else(|reason| format!("  __thetis_limit(\"{reason}\");\n  return 0;\n"));
        format!("int {name}({params}) {{\n{body}}}\n")
    }

    fn body(&self) -> Result<String, &'static str> {
        let is_scan = matches!(self.family.task, Task::Scan | Task::ScanStream | Task::ScanText);
        let Some(format) = &self.format else {
            return self.body_of_unknown_format(is_scan);
        };
        let pieces = if is_scan { scanf_format(format) } else { printf_format(format) };
        let pieces = pieces.ok_or("a format is not understood")?;
        if self.family.task == Task::ScanText
            && let Some(body) = scan_text(&pieces, &self.params, self.family.format + 1)
        {
            return Ok(body);
        }
        let writer = Writer::new(self, &pieces);
        if is_scan { writer.scan(&pieces) } else { writer.print(&pieces) }
    }

    /// Whether it is output to a stream that is an argument.
    fn has_stream(&self) -> bool {
        self.family.task == Task::Print && self.family.format > 0 && self.params.first() == Some(&"void *")
    }

    /// Output of numbers has no effect, whatever the format is.
    fn body_of_unknown_format(&self, is_scan: bool) -> Result<String, &'static str> {
        let rest = self.params.get(self.family.format + 1..).unwrap_or_default();
        let is_harmless = self.family.task == Task::Print && !rest.contains(&"void *");
        if is_scan || !is_harmless {
            return Err("a format is not a constant");
        }
        let mut text = format!("  __thetis_see_text(a{});\n", self.family.format);
        if self.has_stream() {
            text = format!("  {USE_STREAM}\n{text}");
        }
        Ok(match self.result {
            ResultUse::Ignored => text + "  return __thetis_unseen_output();\n",
            ResultUse::Used => text + "  __thetis_approximate();\n  return __thetis_any_int();\n",
        })
    }
}

/// What output does to the stream that is its first argument.
const USE_STREAM: &str = "__thetis_see_output(a0);";

/// Writes a model.
struct Writer<'f> {
    call: &'f Formatted,
    text: String,
    /// The next argument.
    next: usize,
    /// Whether it matters how many characters there are.
    is_counted: bool,
    to: &'static str,
    size: &'static str,
}

type Written = Result<(), &'static str>;

impl<'f> Writer<'f> {
    fn new(call: &'f Formatted, pieces: &[Piece]) -> Writer<'f> {
        let writes_count =
            pieces.iter().any(|piece| matches!(piece, Piece::Conversion(c) if c.letter == b'n'));
        let (to, size) = match call.family.task {
            Task::Store => ("a0", "(unsigned long)-1"),
            Task::StoreUpTo | Task::StoreUpToChecked => ("a0", "a1"),
            Task::StoreChecked => ("a0", "a2"),
            Task::Print | Task::Scan | Task::ScanStream | Task::ScanText => ("0", "0"),
        };
        let is_counted = to != "0" || writes_count || call.result == ResultUse::Used;
        Writer { call, text: String::new(), next: call.family.format + 1, is_counted, to, size }
    }

    fn line(&mut self, line: &str) {
        self.text += &format!("  {line}\n");
    }

    /// The next argument, as an expression; those of other kinds than expected are undefined behaviour.
    fn argument(&mut self, is_pointer: bool) -> Result<String, &'static str> {
        let ty = self.call.params.get(self.next).ok_or("a format has more conversions than arguments")?;
        if (*ty == "void *") != is_pointer {
            return Err("an argument does not fit its format");
        }
        self.next += 1;
        Ok(format!("a{}", self.next - 1))
    }

    fn print(mut self, pieces: &[Piece]) -> Result<String, &'static str> {
        match self.call.family.task {
            Task::StoreUpToChecked => self.line("if (a1 > a3) __builtin_abort();"),
            Task::Print if !self.is_counted => {}
            _ => {}
        }
        self.line("unsigned long n = 0;");
        if self.call.has_stream() {
            self.line(USE_STREAM);
        }
        for piece in pieces {
            match piece {
                Piece::Character(byte) => self.put(&format!("character({{}}, {})", byte.cast_signed())),
                Piece::Conversion(conversion) => self.print_conversion(conversion)?,
            }
        }
        let (to, size) = (self.to, self.size);
        if to != "0" {
            self.line(&format!("__thetis_put_end({to}, n, {size});"));
        }
        if self.call.family.task == Task::StoreChecked {
            self.line("if (n >= a2) __builtin_abort();");
        }
        match (self.call.family.task, self.call.result) {
            (Task::Print, ResultUse::Ignored) => self.line("return __thetis_unseen_output();"),
            (Task::Print, ResultUse::Used) => {
                self.line("__thetis_see_standard_files();");
                self.line("return __thetis_any_int() ? (int)n : __thetis_rare_failure();")
            }
            _ => self.line("return n;"),
        }
        Ok(self.text)
    }

    /// Puts a part: `name(arguments)` of one of the functions `__thetis_put_…`, with `{}` for the place.
    fn put(&mut self, call: &str) {
        if self.is_counted {
            let place = format!("{}, n, {}", self.to, self.size);
            self.line(&format!("n += __thetis_put_{};", call.replace("{}", &place)));
        }
    }

    fn print_conversion(&mut self, conversion: &Conversion) -> Written {
        if conversion.has(b'\'') {
            return Err("a format is not supported");
        }
        let width = self.amount(conversion.width)?;
        let precision = self.amount(conversion.precision)?;
        match conversion.letter {
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' => self.print_number(conversion, width, precision),
            b'c' => self.print_character(conversion, width),
            b's' => self.print_text(conversion, width, precision),
            b'n' => {
                let target = self.argument(true)?;
                self.line(&format!("*({} *){target} = n;", signed_type(conversion.length)));
                Ok(())
            }
            letter => {
                self.argument(letter == b'p')?;
                let least = width.unwrap_or_else(|| "0".to_owned());
                let precision = precision.unwrap_or_else(|| "0".to_owned());
                self.put(&format!("something({{}}, {least} < 0 ? -(long)({least}) : {least}, {precision})"));
                Ok(())
            }
        }
    }

    /// A width or precision as an expression of type `int`.
    fn amount(&mut self, amount: Option<Amount>) -> Result<Option<String>, &'static str> {
        Ok(match amount {
            None => None,
            Some(Amount::Constant(number)) => Some(number.to_string()),
            Some(Amount::Argument) => Some(self.argument(false)?),
        })
    }

    fn print_number(
        &mut self,
        conversion: &Conversion,
        width: Option<String>,
        precision: Option<String>,
    ) -> Written {
        let argument = self.argument(false)?;
        let is_signed = matches!(conversion.letter, b'd' | b'i');
        let (base, ten) = match conversion.letter {
            b'x' => (16, 'a'),
            b'X' => (16, 'A'),
            b'o' => (8, 'a'),
            _ => (10, 'a'),
        };
        let ty = if is_signed { signed_type(conversion.length) } else { unsigned_type(conversion.length) };
        if self.is_counted {
            // Numbers of other sizes than expected are undefined behaviour; registers of 64 bits only cut off what is too long.
            let is_shorter = format!("sizeof {argument} < sizeof({ty})");
            let is_longer = format!("sizeof {argument} > sizeof(int) && sizeof {argument} > sizeof({ty})");
            let is_other = format!("{is_shorter} || sizeof(long) == 4 && {is_longer}");
            self.line(&format!("if ({is_other}) __thetis_limit(\"an argument does not fit its format\");"));
        }
        let value = format!("({ty}){argument}");
        if width.is_none() && precision.is_none() && conversion.flags.is_empty() {
            match is_signed {
                true => self.put(&format!("signed({{}}, {value})")),
                false => self.put(&format!("unsigned({{}}, {value}, {base}, '{ten}')")),
            }
            return Ok(());
        }
        let sign = match (conversion.has(b'+'), conversion.has(b' ')) {
            (true, _) => "'+'",
            (false, true) => "' '",
            (false, false) => "0",
        };
        let (size, prefix) = match (is_signed, conversion.has(b'#') && base == 16) {
            (true, _) => (
                format!("{value} < 0 ? 0 - (unsigned long long){value} : {value}"),
                format!("{value} < 0 ? '-' : {sign}, 0"),
            ),
            (false, true) => {
                let letter = char::from(conversion.letter);
                (value.clone(), format!("{value} == 0 ? 0 : '0', {value} == 0 ? 0 : '{letter}'"))
            }
            (false, false) => (value.clone(), "0, 0".to_owned()),
        };
        let padding = padding(conversion, precision.as_deref());
        let width = width.unwrap_or_else(|| "0".to_owned());
        let mut precision = precision.map_or_else(|| "1".to_owned(), |p| format!("{p} < 0 ? 1 : {p}"));
        if conversion.letter == b'o' && conversion.has(b'#') {
            precision = format!("__thetis_octal_precision({value}, {precision})");
        }
        let width_and_padding =
            format!("{width} < 0 ? -(long)({width}) : {width}, {width} < 0 ? '-' : {padding}");
        self.put(&format!(
            "number({{}}, {size}, {base}, '{ten}', {prefix}, {precision}, {width_and_padding})"
        ));
        Ok(())
    }

    fn print_character(&mut self, conversion: &Conversion, width: Option<String>) -> Written {
        if conversion.length != Length::Plain {
            return Err("wide characters are not supported");
        }
        let character = self.argument(false)?;
        let width = width.unwrap_or_else(|| "1".to_owned());
        let is_left = if conversion.has(b'-') { "1".to_owned() } else { format!("{width} < 0") };
        let spaces = format!("({width} < 0 ? -(long)({width}) : {width}) > 1");
        let count = format!("({width} < 0 ? -(long)({width}) : {width}) - 1");
        let pad = width != "1";
        if pad {
            self.put(&format!("repeated({{}}, ' ', {spaces} && !({is_left}) ? {count} : 0)"));
        }
        self.put(&format!("character({{}}, (unsigned char){character})"));
        if pad {
            self.put(&format!("repeated({{}}, ' ', {spaces} && ({is_left}) ? {count} : 0)"));
        }
        Ok(())
    }

    fn print_text(
        &mut self,
        conversion: &Conversion,
        width: Option<String>,
        precision: Option<String>,
    ) -> Written {
        if conversion.length != Length::Plain {
            return Err("wide characters are not supported");
        }
        let text = self.argument(true)?;
        let max = precision.map_or_else(
            || "(unsigned long)-1".to_owned(),
            |precision| format!("{precision} < 0 ? (unsigned long)-1 : {precision}"),
        );
        if !self.is_counted {
            self.line(&format!("if (__thetis_checks_reads()) __thetis_strnlen({text}, {max});"));
            return Ok(());
        }
        match width {
            None => self.put(&format!("text({{}}, {text}, {max})")),
            Some(width) => {
                let is_left = u8::from(conversion.has(b'-'));
                let width = format!("{width} < 0 ? -(long)({width}) : {width}, {is_left} || {width} < 0");
                self.put(&format!("padded_text({{}}, {text}, {max}, {width})"));
            }
        }
        Ok(())
    }

    fn scan(mut self, pieces: &[Piece]) -> Result<String, &'static str> {
        let conversions = pieces.iter().filter_map(|piece| match piece {
            Piece::Conversion(conversion) => Some(conversion),
            Piece::Character(_) => None,
        });
        let is_assigned = |conversion: &&Conversion| conversion.letter != b'n' && !conversion.has(b'*');
        let total = conversions.clone().filter(is_assigned).count();
        match self.call.family.task {
            Task::ScanText => {
                self.line("__thetis_approximate();");
                self.line("__thetis_see_text(a0);");
            }
            Task::ScanStream => {
                self.line("__thetis_see_stream(a0);");
                self.line("__thetis_use(a0);");
            }
            _ => self.line("__thetis_use_standard_input();"),
        }
        // White space always fits, and a format of nothing else has no input to fail for.
        match needs_input(pieces) {
            true => self.line(&format!("int n = __thetis_int_between(-1, {total});")),
            false => self.line("int n = __thetis_int_between(0, 0);"),
        }
        if always_fits(pieces) {
            self.line("if (n == 0) n = -1;");
        }
        let reads_stream = matches!(self.call.family.task, Task::Scan | Task::ScanStream) && reads(pieces);
        if reads_stream {
            self.scan_end(pieces, total);
        }
        if reads_stream && !skips_space(pieces) {
            self.line("if (__thetis_after != 0) __thetis_approximate();");
        }
        let (mut done, mut before) = (0, None);
        for piece in pieces {
            // A conversion that reads nothing changes nothing about what comes next.
            let reads = !matches!(piece, Piece::Conversion(conversion) if conversion.letter == b'n');
            let before = if reads { before.replace(piece) } else { before };
            let Piece::Conversion(conversion) = piece else { continue };
            if conversion.has(b'm') || (conversion.letter == b'c' && conversion.length == Length::Long) {
                return Err("a format is not supported");
            }
            if conversion.has(b'*') {
                continue;
            }
            let target = self.argument(true)?;
            self.scan_conversion(conversion, &target, done)?;
            if let (b'c', Some(before)) = (conversion.letter, before) {
                self.scan_after(before, &target, done);
            }
            done += usize::from(conversion.letter != b'n');
        }
        if reads_stream {
            let is_known = self.call.family.task == Task::Scan;
            let after = if is_known { what_follows(pieces) } else { 3 };
            self.line(&format!("__thetis_after = n == {total} ? {after} : 3;"));
        }
        // A number may be too large.
        let is_number = |conversion: &Conversion| !b"cs[np".contains(&conversion.letter);
        if conversions.clone().any(is_number) {
            self.line("if (n >= 0) __thetis_may_set_errno();");
        }
        self.line("return n;");
        Ok(self.text)
    }

    /// What the number of values says about the end of the stream.
    fn scan_end(&mut self, pieces: &[Piece], total: usize) {
        let stream = match self.call.family.task {
            Task::ScanStream => "a0",
            _ => "__thetis_stream_at(4)",
        };
        self.line(&format!("if (n < 0) __thetis_see_end({stream});"));
        if needs_input(pieces) {
            self.line(&format!("if (n >= 0) __thetis_see_input({stream});"));
        }
        // A number or a word may be the last of the stream, and a character may be missing that has to follow; after a single
        // character that was read, it is not known yet. That a character was skipped is known only if there is nothing else.
        let is_single =
            |last: &Conversion| last.letter == b'c' && last.constant_width().is_none_or(|width| width <= 1);
        let is_complete = match pieces.last() {
            Some(Piece::Conversion(last)) => is_single(last) && (!last.has(b'*') || pieces.len() == 1),
            _ => false,
        };
        let may_end = if is_complete { format!("n < {total}") } else { "1".to_owned() };
        self.line(&format!("if (n >= 0 && {may_end}) __thetis_end_stream({stream});"));
    }

    /// What is known about characters at `target` that are read right after `before`, after `done` other values.
    fn scan_after(&mut self, before: &Piece, target: &str, done: usize) {
        let first = format!("*(char *){target}");
        let is_possible = match before {
            Piece::Character(letter) if is_white(*letter) => {
                format!("!__thetis_is_space({first})")
            }
            Piece::Character(_) => return,
            Piece::Conversion(before) => match before.letter {
                b'c' | b'n' => return,
                b'd' | b'u' if before.width.is_none() => format!("{first} < '0' || {first} > '9'"),
                b's' if before.width.is_none() => format!("__thetis_is_space({first})"),
                _ => return self.line("__thetis_approximate();"),
            },
        };
        self.line(&format!("if (n > {done}) __thetis_assume({is_possible});"));
    }

    /// A conversion after `done` others that give values.
    fn scan_conversion(&mut self, conversion: &Conversion, target: &str, done: usize) -> Written {
        let width = conversion.constant_width();
        let max = width.map_or_else(|| "(unsigned long)-1".to_owned(), |width| width.to_string());
        let is_done = format!("if (n > {done})");
        match conversion.letter {
            b's' if conversion.length == Length::Plain => {
                self.line(&format!("{is_done} __thetis_scan_word({target}, {max});"));
            }
            b'[' if conversion.length == Length::Plain => {
                self.line("__thetis_approximate();");
                self.line(&format!("{is_done} __thetis_scan_line({target}, {max});"));
            }
            b'c' => {
                let count = width.unwrap_or(1);
                self.line(&format!("{is_done} __thetis_scan_characters({target}, {count});"));
            }
            b's' | b'[' => return Err("wide characters are not supported"),
            b'n' => {
                let ty = signed_type(conversion.length);
                let count = "__thetis_int_between(0, 2147483647)";
                self.line(&format!("if (n >= {done} && __thetis_any_int()) *({ty} *){target} = {count};"));
                // How many characters what was read had is not modelled.
                self.line("__thetis_approximate();");
            }
            letter => {
                // Fewer digits make fewer numbers, which is not modelled.
                if width.is_some() {
                    self.line("__thetis_approximate();");
                }
                let (ty, value) = scanned(letter, conversion.length);
                self.line(&format!("{is_done} *({ty} *){target} = {value};"));
            }
        }
        Ok(())
    }
}

/// Whether a format begins with a conversion that all characters fit: a character, or a word.
fn always_fits(pieces: &[Piece]) -> bool {
    let is_space = |piece: &&Piece| matches!(piece, Piece::Character(letter) if is_white(*letter));
    let first = pieces.iter().find(|piece| !is_space(piece));
    matches!(first, Some(Piece::Conversion(first)) if matches!(first.letter, b'c' | b's') && !first.has(b'*'))
}

/// Whether a format has something that fails at the end of the input.
fn needs_input(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| match piece {
        Piece::Character(letter) => !is_white(*letter),
        Piece::Conversion(conversion) => conversion.letter != b'n',
    })
}

/// Whether a format reads anything.
fn reads(pieces: &[Piece]) -> bool {
    pieces.iter().any(|piece| !matches!(piece, Piece::Conversion(Conversion { letter: b'n', .. })))
}

fn is_white(letter: u8) -> bool {
    letter.is_ascii_whitespace() || letter == 0x0b
}

/// Whether a format begins with something that reads white space first.
fn skips_space(pieces: &[Piece]) -> bool {
    match pieces.first() {
        Some(Piece::Conversion(conversion)) => !matches!(conversion.letter, b'c' | b'[' | b'n'),
        Some(Piece::Character(letter)) => is_white(*letter),
        None => true,
    }
}

/// What is known about the character after what a format has read, as models say it: nothing (0), it is no digit (1), it is white space (2), or
/// something that is not modelled (3).
fn what_follows(pieces: &[Piece]) -> u8 {
    match pieces.last() {
        // Whether something before it did not fit is not known.
        Some(Piece::Conversion(last)) if last.has(b'*') && last.letter != b'c' => 3,
        Some(Piece::Conversion(last)) if last.width.is_none() => match last.letter {
            b'd' | b'u' => 1,
            b's' => 2,
            b'c' => 0,
            _ => 3,
        },
        Some(Piece::Conversion(last)) if last.letter == b'c' => 0,
        Some(Piece::Character(letter)) if !is_white(*letter) => 0,
        None => 0,
        _ => 3,
    }
}

/// Where the padding of a number is, as a character constant.
fn padding(conversion: &Conversion, precision: Option<&str>) -> String {
    match (conversion.has(b'-'), conversion.has(b'0'), precision) {
        (true, _, _) => "'-'".to_owned(),
        (false, true, None) => "'0'".to_owned(),
        (false, true, Some(precision)) => format!("({precision} < 0 ? '0' : ' ')"),
        (false, false, _) => "' '".to_owned(),
    }
}

/// The type of what is written, and an arbitrary value of it.
fn scanned(letter: u8, length: Length) -> (&'static str, String) {
    let is_signed = matches!(letter, b'd' | b'i');
    let ty = match (letter, length) {
        (b'p', _) => return ("void *", "__thetis_outside_pointer()".to_owned()),
        (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _) if is_signed => signed_type(length),
        (b'd' | b'i' | b'u' | b'x' | b'X' | b'o', _) => unsigned_type(length),
        (_, Length::Long) => return ("double", "__thetis_any_double()".to_owned()),
        (_, Length::LongDouble) => return ("long double", "__thetis_any_longdouble()".to_owned()),
        _ => return ("float", "__thetis_any_float()".to_owned()),
    };
    let value = match length {
        Length::Long => "__thetis_any_long()",
        Length::LongLong | Length::LongDouble => "__thetis_any_longlong()",
        Length::Char | Length::Short | Length::Plain => "__thetis_any_int()",
    };
    (ty, format!("({ty}){value}"))
}

pub(super) fn signed_type(length: Length) -> &'static str {
    match length {
        Length::Char => "signed char",
        Length::Short => "short",
        Length::Plain => "int",
        Length::Long => "long",
        Length::LongLong | Length::LongDouble => "long long",
    }
}

pub(super) fn unsigned_type(length: Length) -> &'static str {
    match length {
        Length::Char => "unsigned char",
        Length::Short => "unsigned short",
        Length::Plain => "unsigned",
        Length::Long => "unsigned long",
        Length::LongLong | Length::LongDouble => "unsigned long long",
    }
}
