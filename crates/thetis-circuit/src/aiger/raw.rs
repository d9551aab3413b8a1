//! The contents of a file: literals with their positions.

/// A literal of the format: twice the number of its variable, plus one if it is negated. 0 is false, 1 is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Lit(pub(super) u32);

impl Lit {
    pub(super) fn variable(self) -> u32 {
        self.0 >> 1
    }

    pub(super) fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

/// A literal and the byte where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) lit: Lit,
    pub(super) at: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Reset {
    Zero,
    One,
    Arbitrary,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Latch {
    pub(super) lit: Use,
    pub(super) next: Use,
    pub(super) reset: Reset,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    pub(super) lit: Use,
    pub(super) left: Use,
    pub(super) right: Use,
}

/// What a symbol names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Named {
    Input(u32),
    Latch(u32),
    /// An output, a bad state or a constraint.
    Other,
}

/// The contents of a file.
#[derive(Default, Debug)]
pub(super) struct Raw {
    pub(super) inputs: Vec<Use>,
    pub(super) latches: Vec<Latch>,
    pub(super) outputs: Vec<Use>,
    pub(super) bad: Vec<Use>,
    pub(super) constraints: Vec<Use>,
    pub(super) gates: Vec<Gate>,
    /// The symbols, in the order of the file.
    pub(super) symbols: Vec<(Named, String)>,
}
