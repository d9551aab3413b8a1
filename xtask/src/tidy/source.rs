//! Rust text taken apart into code and comments, without a parser.
//!
//! Both parts have the length of the text, with blanks for what is not in them, so that an offset means
//! the same place everywhere. String and character literals are blank in both. Code inside `#[cfg(test)]`
//! items is told apart by counting brackets.

use std::ops::Range;

/// The views of one file.
#[derive(Debug, Default)]
pub(super) struct Source {
    /// The code, without comments and literals.
    pub(super) code: String,
    /// The code without test items as well.
    pub(super) product: String,
    /// The comments alone.
    pub(super) comments: String,
    /// Names of modules that are declared for tests only and live in another file.
    pub(super) test_modules: Vec<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TextKind {
    Code,
    Comment,
    Literal,
}

impl Source {
    pub(super) fn new(text: &str) -> Source {
        let (mut code, mut comments) = (blank(text), blank(text));
        for (part, range) in parts(text.as_bytes()) {
            match part {
                TextKind::Code => code[range.clone()].copy_from_slice(&text.as_bytes()[range]),
                TextKind::Comment => comments[range.clone()].copy_from_slice(&text.as_bytes()[range]),
                TextKind::Literal => {}
            }
        }
        let code = into_string(code);
        let mut product = code.clone().into_bytes();
        let mut test_modules = Vec::new();
        for range in test_items(&code) {
            test_modules.extend(module_elsewhere(&code[range.clone()]));
            blank_out(&mut product[range]);
        }
        Source { product: into_string(product), code, comments: into_string(comments), test_modules }
    }
}

/// The line, from 1, of an offset.
pub(super) fn line_of(text: &str, offset: usize) -> usize {
    text.as_bytes()[..offset].iter().filter(|&&byte| byte == b'\n').count() + 1
}

/// The offset after the bracket that closes the one at `open`; the end of the code if none does.
pub(super) fn behind_closing(code: &str, open: usize) -> usize {
    let mut depth = 0;
    for (offset, byte) in code.bytes().enumerate().skip(open) {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            _ => continue,
        }
        if depth == 0 {
            return offset + 1;
        }
    }
    code.len()
}

/// Offsets at which `word` stands in the code as a word of its own.
pub(super) fn words<'c>(code: &'c str, word: &'c str) -> impl Iterator<Item = usize> + 'c {
    code.match_indices(word).map(|(offset, _)| offset).filter(move |&offset| {
        let before = code[..offset].chars().next_back();
        let after = code[offset + word.len()..].chars().next();
        !before.is_some_and(is_word_char) && !after.is_some_and(is_word_char)
    })
}

pub(super) fn is_word_char(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

fn blank(text: &str) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    blank_out(&mut bytes);
    bytes
}

fn blank_out(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| **byte != b'\n') {
        *byte = b' ';
    }
}

fn into_string(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("parts should be cut between characters")
}

/// Cuts a text into its parts.
fn parts(text: &[u8]) -> Vec<(TextKind, Range<usize>)> {
    let mut parts = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < text.len() {
        let Some((part, end)) = part_at(text, at) else {
            at += 1;
            continue;
        };
        parts.push((TextKind::Code, start..at));
        parts.push((part, at..end));
        (start, at) = (end, end);
    }
    parts.push((TextKind::Code, start..text.len()));
    parts
}

/// The comment or literal that begins at `at`, with its end.
fn part_at(text: &[u8], at: usize) -> Option<(TextKind, usize)> {
    let rest = &text[at..];
    if rest.starts_with(b"//") {
        let length = rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        return Some((TextKind::Comment, at + length));
    }
    if rest.starts_with(b"/*") {
        return Some((TextKind::Comment, at + block_comment_length(rest)));
    }
    let length = match rest[0] {
        b'"' => quoted_length(rest),
        b'\'' => char_length(rest)?,
        b'r' if !follows_word(text, at) => raw_string_length(rest)?,
        _ => return None,
    };
    Some((TextKind::Literal, at + length))
}

/// Whether a word other than a string prefix (`b`, `c`) goes on at `at`.
fn follows_word(text: &[u8], at: usize) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    match text[..at] {
        [.., before, b'b' | b'c'] => is_word(before),
        [b'b' | b'c'] => false,
        [.., before] => is_word(before),
        [] => false,
    }
}

fn block_comment_length(rest: &[u8]) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < rest.len() {
        if rest[at..].starts_with(b"/*") {
            depth += 1;
            at += 2;
        } else if rest[at..].starts_with(b"*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    rest.len()
}

fn quoted_length(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() {
        match rest[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    rest.len()
}

/// The length of a character literal; none for a lifetime.
fn char_length(rest: &[u8]) -> Option<usize> {
    if rest.get(1) == Some(&b'\\') {
        let closing = rest.iter().skip(3).position(|&byte| byte == b'\'')?;
        return Some(closing + 4);
    }
    let character = std::str::from_utf8(rest.get(1..rest.len().min(5))?)
        .or_else(|error| std::str::from_utf8(&rest[1..1 + error.valid_up_to()]))
        .ok()?
        .chars()
        .next()?;
    let closing = 1 + character.len_utf8();
    (rest.get(closing) == Some(&b'\'')).then_some(closing + 1)
}

/// The length of `r"..."` or `r#"..."#`; none for a raw identifier or a plain word.
fn raw_string_length(rest: &[u8]) -> Option<usize> {
    let hashes = rest[1..].iter().take_while(|&&byte| byte == b'#').count();
    let open = 1 + hashes;
    if rest.get(open) != Some(&b'"') {
        return None;
    }
    let closing = [&b"\""[..], &b"#".repeat(hashes)].concat();
    let length = rest[open + 1..].windows(closing.len()).position(|window| window == closing);
    Some(length.map_or(rest.len(), |length| open + 1 + length + closing.len()))
}

/// The ranges of items under a `#[cfg(test)]`, attribute included.
fn test_items(code: &str) -> Vec<Range<usize>> {
    let mut items: Vec<Range<usize>> = Vec::new();
    for (start, _) in code.match_indices("#[cfg(") {
        if items.last().is_some_and(|last| last.contains(&start)) {
            continue;
        }
        let attribute_end = behind_closing(code, start + 1);
        let attribute = &code[start..attribute_end];
        if words(attribute, "test").next().is_some() && words(attribute, "not").next().is_none() {
            items.push(start..item_end(code, attribute_end));
        }
    }
    items
}

/// The end of the item that begins at `at`: after its `;` or after its braces.
fn item_end(code: &str, mut at: usize) -> usize {
    while let Some(offset) = code[at..].find([';', '{', '(', '[']) {
        let found = at + offset;
        match code.as_bytes()[found] {
            b';' => return found + 1,
            b'{' => return behind_closing(code, found),
            _ => at = behind_closing(code, found),
        }
    }
    code.len()
}

/// The name in `mod name;`.
fn module_elsewhere(item: &str) -> Option<String> {
    let offset = words(item, "mod").next()?;
    let name = item[offset + 3..].trim().strip_suffix(';')?.trim();
    name.chars().all(is_word_char).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::Source;

    fn check(text: &str, code: &str) {
        let source = Source::new(text);
        assert_eq!(source.code.split_whitespace().collect::<Vec<_>>().join(" "), code, "{text}");
        assert_eq!(source.code.len(), text.len());
    }

    #[test]
    fn comments_and_literals_are_not_code() {
        check("a // b \" c\nd", "a d");
        check("a /* b /* c */ d */ e", "a e");
        check(r#"a "b \" // c" d"#, "a d");
        check("a r#\"b \" c\"# d", "a d");
        check("a br\"b\\\" c", "a b c");
        check("bar\"x\" r#fn", "bar r#fn");
        check("f('\"', '\\'', '\\u{1F}', 'é') g", "f( , , , ) g");
        check("fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}");
    }

    #[test]
    fn comments_keep_their_place() {
        let source = Source::new("let x = 1; // why\n/* so */ y");
        assert_eq!(source.comments, "           // why\n/* so */  ");
    }

    #[test]
    fn test_items_are_not_product_code() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests { fn b() { c() } }\nfn d() {}\n#[cfg(test)] mod laws;\n\
                    #[cfg(not(test))] fn e() {}\n#[cfg(test)] pub(super) fn f(x: [u8; 2]) -> u8 { 1 }";
        let source = Source::new(text);
        let product: String = source.product.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(product, "fn a() {} fn d() {} #[cfg(not(test))] fn e() {}");
        assert_eq!(source.test_modules, ["laws"]);
    }
}
