//! The words of the language.

/// Defines [`Tok`] with the text of each fixed token.
macro_rules! tokens {
    (keywords { $($keyword:ident = $word:literal,)* } symbols { $($symbol:ident = $mark:literal,)* }) => {
        /// The kind of a token.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub(crate) enum Tok {
            $($keyword,)*
            $($symbol,)*
            /// A name that is not a keyword.
            Ident,
            /// A natural number.
            Nat,
            /// A bit-vector literal, perhaps with wrong digits.
            Bits,
            /// A text in quotes.
            Text,
            /// Characters that do not belong to the language.
            Unknown,
            /// A comment that does not end.
            OpenComment,
            /// The end of the file.
            End,
        }

        impl Tok {
            /// The keyword that `word` is in some language.
            fn word(word: &str) -> Option<Tok> {
                match word {
                    $($word => Some(Tok::$keyword),)*
                    _ => None,
                }
            }

            /// How the token is written, or what it is called if there are many ways.
            pub(crate) fn describe(self) -> &'static str {
                match self {
                    $(Tok::$keyword => concat!("`", $word, "`"),)*
                    $(Tok::$symbol => concat!("`", $mark, "`"),)*
                    Tok::Ident => "a name",
                    Tok::Nat => "a number",
                    Tok::Bits => "a bit-vector literal",
                    Tok::Text => "a text in quotes",
                    Tok::Unknown => "an unknown character",
                    Tok::OpenComment => "an open comment",
                    Tok::End => "the end of the file",
                }
            }

            pub(crate) fn is_keyword(self) -> bool {
                matches!(self, $(Tok::$keyword)|*)
            }
        }

        /// All keywords, for tests and suggestions.
        #[cfg(test)]
        pub(crate) const KEYWORDS: &[&str] = &[$($word),*];
        /// All symbols, for tests.
        #[cfg(test)]
        pub(crate) const SYMBOLS: &[&str] = &[$($mark),*];
    };
}

/// The languages, where they differ in their words.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Dialect {
    /// Control-flow automata.
    Cfa,
    /// Transition systems: without the words for automata, with primes, `equal` for `iff`, and with the names that
    /// types had in Theta until 2016.
    Sts,
}

impl Tok {
    /// The keyword that `word` is.
    pub(crate) fn keyword(word: &str, dialect: Dialect) -> Option<Tok> {
        match (dialect, word) {
            (Dialect::Sts, "equal") => Some(Tok::Iff),
            (Dialect::Sts, "boolean") => Some(Tok::Bool),
            (Dialect::Sts, "integer") => Some(Tok::Int),
            (Dialect::Sts, "real") => Some(Tok::Rat),
            (Dialect::Sts, _) => Tok::word(word).filter(|tok| !tok.is_of_automata()),
            (Dialect::Cfa, _) => Tok::word(word),
        }
    }

    fn is_of_automata(self) -> bool {
        use Tok::*;
        matches!(self, Main | Process | Init | Final | Error | Loc | Havoc | Assume | Return)
    }
}

tokens! {
    keywords {
        Var = "var",
        Main = "main",
        Process = "process",
        Init = "init",
        Final = "final",
        Error = "error",
        Loc = "loc",
        Havoc = "havoc",
        Assume = "assume",
        Return = "return",
        Bool = "bool",
        Int = "int",
        Rat = "rat",
        Bv = "bv",
        Fp = "fp",
        True = "true",
        False = "false",
        If = "if",
        Then = "then",
        Else = "else",
        Iff = "iff",
        Imply = "imply",
        Forall = "forall",
        Exists = "exists",
        Or = "or",
        Xor = "xor",
        And = "and",
        Not = "not",
        Mod = "mod",
        Rem = "rem",
        Default = "default",
        BvUlt = "bvult",
        BvUle = "bvule",
        BvUgt = "bvugt",
        BvUge = "bvuge",
        BvSlt = "bvslt",
        BvSle = "bvsle",
        BvSgt = "bvsgt",
        BvSge = "bvsge",
        BvOr = "bvor",
        BvXor = "bvxor",
        BvAnd = "bvand",
        BvNot = "bvnot",
        BvShl = "bvshl",
        BvAshr = "bvashr",
        BvLshr = "bvlshr",
        BvRol = "bvrol",
        BvRor = "bvror",
        BvAdd = "bvadd",
        BvSub = "bvsub",
        BvMul = "bvmul",
        BvUdiv = "bvudiv",
        BvSdiv = "bvsdiv",
        BvSmod = "bvsmod",
        BvUrem = "bvurem",
        BvSrem = "bvsrem",
        BvPos = "bvpos",
        BvNeg = "bvneg",
        ZeroExtend = "bv_zero_extend",
        SignExtend = "bv_sign_extend",
        FpMax = "fpmax",
        FpMin = "fpmin",
        FpAdd = "fpadd",
        FpSub = "fpsub",
        FpMul = "fpmul",
        FpDiv = "fpdiv",
        FpRem = "fprem",
        FpAbs = "fpabs",
        FpIsNan = "fpisnan",
        FpRoundToInt = "fproundtoint",
        FpSqrt = "fpsqrt",
        FpToFp = "fptofp",
        FpToBv = "fptobv",
        FpFromBv = "fpfrombv",
        FpNeg = "fpneg",
        FpPos = "fppos",
    }
    symbols {
        LeftParen = "(",
        RightParen = ")",
        LeftBracket = "[",
        RightBracket = "]",
        LeftBrace = "{",
        RightBrace = "}",
        Comma = ",",
        Colon = ":",
        Becomes = ":=",
        Arrow = "->",
        LeftArrow = "<-",
        Eq = "=",
        Ne = "/=",
        Lt = "<",
        Le = "<=",
        Gt = ">",
        Ge = ">=",
        Plus = "+",
        Concat = "++",
        Minus = "-",
        Star = "*",
        Slash = "/",
        Percent = "%",
        Dot = ".",
        Prime = "'",
    }
}
