//! Colours for source text: words, numbers, literals and comments. Lines are processed one after the other, so a comment may span
//! several.

use super::escape;

/// The words of C that stand out.
const C: &[&str] = &[
    "assert", "auto", "bool", "break", "case", "char", "const", "continue", "default", "do", "double",
    "else", "enum", "extern", "float", "for", "goto", "if", "inline", "int", "long", "register", "return",
    "short", "signed", "sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void",
    "volatile", "while",
];

/// Those of Solidity.
const SOLIDITY: &[&str] = &[
    "abstract",
    "address",
    "assert",
    "bool",
    "break",
    "bytes",
    "calldata",
    "constant",
    "constructor",
    "continue",
    "contract",
    "do",
    "else",
    "emit",
    "enum",
    "error",
    "event",
    "external",
    "fallback",
    "false",
    "for",
    "function",
    "if",
    "immutable",
    "import",
    "int",
    "interface",
    "internal",
    "is",
    "library",
    "mapping",
    "memory",
    "modifier",
    "new",
    "override",
    "payable",
    "pragma",
    "private",
    "public",
    "pure",
    "receive",
    "require",
    "return",
    "returns",
    "revert",
    "storage",
    "string",
    "struct",
    "this",
    "true",
    "uint",
    "unchecked",
    "view",
    "virtual",
    "while",
];

/// Those of the languages of models, which are names in programs.
const MODELS: &[&str] = &[
    "assume",
    "bool",
    "broadcast",
    "bv",
    "chan",
    "clock",
    "commit",
    "const",
    "else",
    "error",
    "false",
    "final",
    "for",
    "function",
    "havoc",
    "if",
    "init",
    "int",
    "loc",
    "main",
    "place",
    "process",
    "rational",
    "return",
    "state",
    "system",
    "target",
    "trans",
    "transition",
    "true",
    "urgent",
    "var",
    "void",
    "while",
];

/// How comments look.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    /// `//` and `/* */`.
    Slashes,
    /// Comments that start with `--` or `;` cannot be distinguished from operators, so nothing is coloured.
    None,
}

/// Colours one file.
pub(super) struct Highlighter {
    comments: Comments,
    /// The words of the language that stand out, sorted.
    words: &'static [&'static str],
    is_in_comment: bool,
}

impl Highlighter {
    /// For a file with this name.
    pub(super) fn of(name: &str) -> Highlighter {
        let extension = name.rsplit('.').next().unwrap_or_default();
        let has_slashes = ["c", "h", "i", "cfa", "sts", "sol", "xta", "ta", "net"].contains(&extension);
        let comments = if has_slashes { Comments::Slashes } else { Comments::None };
        let words = match extension {
            "c" | "h" | "i" => C,
            "sol" => SOLIDITY,
            _ => MODELS,
        };
        Highlighter { comments, words, is_in_comment: false }
    }

    /// The next line in HTML.
    pub(super) fn line(&mut self, line: &str) -> String {
        if self.comments == Comments::None {
            return escape(line);
        }
        let mut html = String::new();
        let mut rest = line;
        while !rest.is_empty() {
            let (class, length) = self.token(rest, rest.len() == line.len());
            let (token, after) = rest.split_at(length);
            match class {
                Some(class) => html.push_str(&format!("<i class=\"{class}\">{}</i>", escape(token))),
                None => html.push_str(&escape(token)),
            }
            rest = after;
        }
        html
    }

    /// The class and length of the first token of a text, which is not empty.
    fn token(&mut self, text: &str, is_start: bool) -> (Option<&'static str>, usize) {
        let first = text.chars().next().unwrap_or(' ');
        if self.is_in_comment || text.starts_with("/*") {
            let from = if self.is_in_comment { 0 } else { 2 };
            let end = text[from..].find("*/").map(|end| from + end + 2);
            self.is_in_comment = end.is_none();
            (Some("comment"), end.unwrap_or(text.len()))
        } else if text.starts_with("//") {
            (Some("comment"), text.len())
        } else if is_start && text.trim_start().starts_with('#') {
            let comment = text.find("/*").or_else(|| text.find("//"));
            (Some("directive"), comment.unwrap_or(text.len()))
        } else if first == '"' || first == '\'' {
            (Some("literal"), literal_length(text, first))
        } else if first.is_alphanumeric() || first == '_' {
            let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
            let length = text.find(|letter: char| !is_letter(letter)).unwrap_or(text.len());
            let class = match first.is_ascii_digit() {
                true => Some("number"),
                false => self.words.binary_search(&&text[..length]).ok().map(|_| "keyword"),
            };
            (class, length)
        } else {
            (None, first.len_utf8())
        }
    }
}

/// The length of a literal that ends with the character that it starts with, or with the line.
fn literal_length(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if letter == quote => return at + letter.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_get_classes() {
        assert!([C, SOLIDITY, MODELS].iter().all(|words| words.is_sorted()), "they are found by halving");
        for (lines, expected) in [
            (&["int x1 = 0x1f;"][..], "<i class=\"keyword\">int</i> x1 = <i class=\"number\">0x1f</i>;"),
            (&["a /* b", "c */ d"], "<i class=\"comment\">c */</i> d"),
            (
                &["\"a\\\"<\" // x"],
                "<i class=\"literal\">&quot;a\\&quot;&lt;&quot;</i> <i class=\"comment\">// x</i>",
            ),
            (
                &["  #define X 1 /* one */"],
                "<i class=\"directive\">  #define X 1 </i><i class=\"comment\">/* one */</i>",
            ),
            (&["'ä' ü"], "<i class=\"literal\">'ä'</i> ü"),
        ] {
            let mut highlighter = Highlighter::of("a.c");
            let html: Vec<String> = lines.iter().map(|line| highlighter.line(line)).collect();
            assert_eq!(html.last().map(String::as_str), Some(expected));
        }
        let keyword = "<i class=\"keyword\">place</i> p";
        assert_eq!(Highlighter::of("a.net").line("place p"), keyword);
        assert_eq!(Highlighter::of("a.c").line("place p"), "place p");
        assert_eq!(Highlighter::of("a.pnml").line("<int>"), "&lt;int&gt;");
    }
}
