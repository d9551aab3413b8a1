//! New inputs from old ones.
//!
//! Inputs are sequences of tokens: words, numbers, strings, white space, single other characters. Most changes are made to tokens, so that what comes
//! out often gets past the lexer: ranges are deleted, copied, moved between inputs, brackets are emptied or get the content of others, a
//! token is replaced by one of its class. Some inputs have bytes changed at the end. There is no measuring of coverage: an input is kept for
//! further changes if its [effect](crate::targets::Effect) has words that no other input had.

use std::collections::HashMap;

use fastrand::Rng;

/// A token of the dictionary.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token(u32);

/// An input as tokens.
pub type Tokens = Vec<Token>;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Class {
    Word,
    Number,
    Text,
    Space,
    Other,
}

const CLASSES: usize = 5;

/// Numbers at which something may happen.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "7",
    "8",
    "31",
    "32",
    "33",
    "63",
    "64",
    "65",
    "255",
    "256",
    "65535",
    "65536",
    "2147483647",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "100000000000000000000000000000000000000000000",
    "00",
    "1e999",
    "0x8000000000000000",
    "1.5",
    "1.",
    "0.1e-9",
];

/// Changes inputs of one language.
pub struct Mutator {
    rng: Rng,
    texts: Vec<Vec<u8>>,
    known: HashMap<Vec<u8>, Token>,
    classes: [Vec<Token>; CLASSES],
    brackets: Vec<(Token, Token)>,
}

impl Mutator {
    /// A mutator whose changes are those of `seed`.
    pub fn new(seed: u64) -> Mutator {
        let mut mutator = Mutator {
            rng: Rng::with_seed(seed),
            texts: Vec::new(),
            known: HashMap::new(),
            classes: Default::default(),
            brackets: Vec::new(),
        };
        for number in NUMBERS {
            mutator.token(number.as_bytes());
        }
        let pairs = [(b"(", b")"), (b"[", b"]"), (b"{", b"}"), (b"<", b">")];
        mutator.brackets = pairs.map(|(open, close)| (mutator.token(open), mutator.token(close))).to_vec();
        mutator
    }

    /// Cuts bytes into tokens.
    pub fn tokens(&mut self, bytes: &[u8]) -> Tokens {
        let mut tokens = Tokens::new();
        let mut rest = bytes;
        while !rest.is_empty() {
            let (first, after) = rest.split_at(length_of_token(rest));
            tokens.push(self.token(first));
            rest = after;
        }
        tokens
    }

    /// The bytes of an input.
    pub fn bytes(&self, tokens: &[Token]) -> Vec<u8> {
        tokens.iter().flat_map(|token| &self.texts[token.0 as usize]).copied().collect()
    }

    /// A changed copy of one of `corpus`, as bytes, at most `max_length` of them.
    pub fn change(&mut self, corpus: &[Tokens], max_length: usize) -> Vec<u8> {
        let mut tokens = self.pick(corpus).clone();
        loop {
            self.change_tokens(&mut tokens, corpus);
            if self.rng.u8(..) < 96 {
                break;
            }
        }
        let mut bytes = self.bytes(&tokens);
        bytes.truncate(max_length);
        while self.rng.u8(..) < 24 && !bytes.is_empty() {
            self.change_bytes(&mut bytes);
        }
        bytes
    }

    /// Any input, short ones more often.
    fn pick<'c>(&mut self, corpus: &'c [Tokens]) -> &'c Tokens {
        let (one, other) = (&corpus[self.rng.usize(..corpus.len())], &corpus[self.rng.usize(..corpus.len())]);
        if one.len() <= other.len() { one } else { other }
    }

    fn token(&mut self, text: &[u8]) -> Token {
        if let Some(token) = self.known.get(text) {
            return *token;
        }
        let token = Token(self.texts.len() as u32);
        self.classes[class_of(text) as usize].push(token);
        self.texts.push(text.to_vec());
        self.known.insert(text.to_vec(), token);
        token
    }

    fn change_tokens(&mut self, tokens: &mut Tokens, corpus: &[Tokens]) {
        if tokens.is_empty() {
            tokens.push(self.any_token());
            return;
        }
        let at = self.rng.usize(..tokens.len());
        let other = self.rng.usize(..tokens.len());
        let end = (at + 1 + self.rng.usize(..8)).min(tokens.len());
        match self.rng.u8(..20) {
            0..2 => drop(tokens.drain(at..end)),
            2 => {
                let copied = tokens[at..end].to_vec();
                tokens.splice(other..other, copied);
            }
            3..9 => tokens[at] = self.like(tokens[at]),
            9..11 => tokens.insert(at, self.any_token()),
            11..13 => self.splice(tokens, at, end, corpus),
            13..17 => self.change_group(tokens, corpus),
            17 => tokens.swap(at, other),
            18 => {
                let repeated = vec![tokens[at]; 1 + self.rng.usize(..40)];
                tokens.splice(at..at, repeated);
            }
            _ => tokens.truncate(at),
        }
    }

    /// Puts a range of another input in the place of a range.
    fn splice(&mut self, tokens: &mut Tokens, at: usize, end: usize, corpus: &[Tokens]) {
        let source = self.pick(corpus);
        if source.is_empty() {
            return;
        }
        let from = self.rng.usize(..source.len());
        let to = (from + 1 + self.rng.usize(..30)).min(source.len());
        tokens.splice(at..end, source[from..to].iter().copied());
    }

    /// Deletes what stands in brackets, or replaces it by what stands in brackets elsewhere.
    fn change_group(&mut self, tokens: &mut Tokens, corpus: &[Tokens]) {
        let Some(group) = self.group(tokens) else { return };
        let source = if self.rng.bool() { self.pick(corpus).clone() } else { tokens.clone() };
        let content = match self.group(&source) {
            Some(range) if self.rng.u8(..) < 200 => source[range].to_vec(),
            _ => Tokens::new(),
        };
        tokens.splice(group, content);
    }

    /// The range between a bracket and its partner.
    fn group(&mut self, tokens: &[Token]) -> Option<std::ops::Range<usize>> {
        let (open, close) = self.brackets[self.rng.usize(..self.brackets.len())];
        let opens: Vec<usize> = (0..tokens.len()).filter(|index| tokens[*index] == open).collect();
        let start = *opens.get(self.rng.usize(..opens.len().max(1)))?;
        let mut depth = 0;
        for (index, token) in tokens.iter().enumerate().skip(start) {
            if *token == open {
                depth += 1;
            } else if *token == close {
                depth -= 1;
                if depth == 0 {
                    return Some(start + 1..index);
                }
            }
        }
        None
    }

    /// A token of the same class.
    fn like(&mut self, token: Token) -> Token {
        let class = class_of(&self.texts[token.0 as usize]) as usize;
        let all = &self.classes[class];
        all[self.rng.usize(..all.len())]
    }

    fn any_token(&mut self) -> Token {
        Token(self.rng.u32(..self.texts.len() as u32))
    }

    fn change_bytes(&mut self, bytes: &mut Vec<u8>) {
        let at = self.rng.usize(..bytes.len());
        match self.rng.u8(..4) {
            0 => bytes[at] ^= 1 << self.rng.u8(..8),
            1 => bytes[at] = self.rng.u8(..),
            2 => drop(bytes.remove(at)),
            _ => bytes.insert(at, self.rng.u8(..)),
        }
    }
}

fn length_of_token(bytes: &[u8]) -> usize {
    let run = |is_in: fn(&u8) -> bool| bytes.iter().take_while(|byte| is_in(byte)).count();
    match bytes[0] {
        byte if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 128 => {
            run(|byte| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte >= 128)
        }
        byte if byte.is_ascii_whitespace() => run(u8::is_ascii_whitespace),
        quote @ (b'"' | b'\'') => {
            let inside = bytes[1..].iter().take(40).position(|byte| *byte == quote);
            inside.map_or(1, |length| length + 2)
        }
        _ => 1,
    }
}

fn class_of(text: &[u8]) -> Class {
    match text[0] {
        byte if byte.is_ascii_digit() => Class::Number,
        byte if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 128 => Class::Word,
        byte if byte.is_ascii_whitespace() => Class::Space,
        b'"' | b'\'' if text.len() > 1 => Class::Text,
        _ => Class::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_the_text_and_changes_depend_on_the_seed_alone() {
        let text = b"int f(a) { return \"x y\" + 'c' + 0x1F; }\n";
        let changes = |seed| {
            let mut mutator = Mutator::new(seed);
            let corpus = vec![mutator.tokens(text)];
            assert_eq!(mutator.bytes(&corpus[0]), text);
            (0..50).map(|_| mutator.change(&corpus, 60)).collect::<Vec<_>>()
        };
        assert_eq!(changes(1), changes(1));
        assert_ne!(changes(1), changes(2));
        assert!(changes(3).iter().all(|bytes| bytes.len() <= 70));
        assert!(changes(3).iter().filter(|bytes| bytes[..] != text[..]).count() > 40);
    }
}
