//! Machines: the implementation-defined properties of C.
//!
//! Each machine is as gcc targets it under Linux: the System V interface for x86, AAPCS for arm (hard or soft floats,
//! little-endian), AAPCS64 for aarch64, the psABI for riscv64. All have bytes of 8 bits, two's complement and
//! little-endian order, and differ in the sizes of `long` and pointers, in the sign of `char`, in alignments, in
//! `wchar_t`, `long double` and `va_list`.

use super::{DataModel, IntKind};

/// A machine that a program is compiled for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Machine {
    #[default]
    X86_64,
    I386,
    Arm,
    /// Without an operating system: enumerations are as short as they can be.
    ArmNoneEabi,
    Aarch64,
    Riscv32,
    Riscv64,
}

/// What `long double` is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LongDouble {
    /// The 80-bit format of x86.
    Extended,
    /// The same as `double`.
    Double,
    /// The format with 128 bits, which is not modelled.
    Quad,
}

/// What a list of variable arguments looks like from outside.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VaList {
    pub(crate) size: u64,
    pub(crate) align: u64,
    /// Whether it is an array, so that functions get a pointer to it.
    pub(crate) is_array: bool,
}

impl Machine {
    /// All of them.
    pub const ALL: [Machine; 7] = [
        Machine::X86_64,
        Machine::I386,
        Machine::Arm,
        Machine::ArmNoneEabi,
        Machine::Aarch64,
        Machine::Riscv32,
        Machine::Riscv64,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Machine::X86_64 => "x86_64",
            Machine::I386 => "i386",
            Machine::Arm => "arm",
            Machine::ArmNoneEabi => "arm-none-eabi",
            Machine::Aarch64 => "aarch64",
            Machine::Riscv32 => "riscv32",
            Machine::Riscv64 => "riscv64",
        }
    }

    /// What certificates call it: the two of x86 by their data models, as the competition on software verification does.
    pub fn described(self) -> &'static str {
        match self {
            Machine::X86_64 | Machine::I386 => self.model().name(),
            other => other.name(),
        }
    }

    /// The machine with a name, or the one that a data model stands for.
    pub fn of_name(name: &str) -> Option<Machine> {
        Machine::ALL.into_iter().find(|machine| [machine.name(), machine.described()].contains(&name))
    }

    /// The sizes of integers and pointers.
    pub fn model(self) -> DataModel {
        match self {
            Machine::I386 | Machine::Arm | Machine::ArmNoneEabi | Machine::Riscv32 => DataModel::Ilp32,
            Machine::X86_64 | Machine::Aarch64 | Machine::Riscv64 => DataModel::Lp64,
        }
    }

    /// What `char` is.
    pub fn char_kind(self) -> IntKind {
        match self {
            Machine::X86_64 | Machine::I386 => IntKind::Char,
            Machine::Arm | Machine::ArmNoneEabi | Machine::Aarch64 | Machine::Riscv32 | Machine::Riscv64 => {
                IntKind::PlainUnsignedChar
            }
        }
    }

    /// What `wchar_t` is.
    pub(crate) fn wide_kind(self) -> IntKind {
        match self {
            Machine::I386 => IntKind::Long,
            Machine::X86_64 | Machine::Riscv32 | Machine::Riscv64 => IntKind::Int,
            Machine::Arm | Machine::ArmNoneEabi | Machine::Aarch64 => IntKind::UnsignedInt,
        }
    }

    pub(crate) fn long_double(self) -> LongDouble {
        match self {
            Machine::X86_64 | Machine::I386 => LongDouble::Extended,
            Machine::Arm | Machine::ArmNoneEabi => LongDouble::Double,
            Machine::Aarch64 | Machine::Riscv32 | Machine::Riscv64 => LongDouble::Quad,
        }
    }

    /// The greatest alignment of a scalar inside a structure, in bytes.
    pub(crate) fn widest_scalar(self) -> u64 {
        match self {
            Machine::I386 => 4,
            Machine::Arm | Machine::ArmNoneEabi => 8,
            Machine::X86_64 | Machine::Aarch64 | Machine::Riscv32 | Machine::Riscv64 => 16,
        }
    }

    /// The alignment that `__attribute__((aligned))` asks for, in bytes.
    pub(crate) fn largest_alignment(self) -> u64 {
        match self {
            Machine::Arm | Machine::ArmNoneEabi => 8,
            Machine::X86_64 | Machine::I386 | Machine::Aarch64 | Machine::Riscv32 | Machine::Riscv64 => 16,
        }
    }

    /// Whether nameless bit-fields give their alignment to the structure that they are in.
    pub(crate) fn aligns_nameless_bit_fields(self) -> bool {
        matches!(self, Machine::Arm | Machine::ArmNoneEabi | Machine::Aarch64)
    }

    /// Whether enumerations are as short as their values allow.
    pub(crate) fn has_short_enumerations(self) -> bool {
        self == Machine::ArmNoneEabi
    }

    /// Whether compilers may multiply and add at once, with one rounding.
    pub(crate) fn may_fuse(self) -> bool {
        !matches!(self, Machine::X86_64 | Machine::I386)
    }

    /// Whether compilers compute with more digits than `float` and `double` have: the registers of the x87 have 80 bits.
    pub(crate) fn has_excess_precision(self) -> bool {
        self == Machine::I386
    }

    pub(crate) fn va_list(self) -> VaList {
        match self {
            Machine::X86_64 => VaList { size: 24, align: 8, is_array: true },
            Machine::I386 | Machine::Arm | Machine::ArmNoneEabi | Machine::Riscv32 => {
                VaList { size: 4, align: 4, is_array: false }
            }
            Machine::Aarch64 => VaList { size: 32, align: 8, is_array: false },
            Machine::Riscv64 => VaList { size: 8, align: 8, is_array: false },
        }
    }
}

impl From<DataModel> for Machine {
    fn from(model: DataModel) -> Machine {
        match model {
            DataModel::Ilp32 => Machine::I386,
            DataModel::Lp64 => Machine::X86_64,
        }
    }
}
