//! The kinds of assumptions of a translation.

use thetis_model::Weight;

/// A kind of assumption. A verdict is about the program only as far as all of its assumptions hold.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AssumptionKind {
    /// What a function without a body returns and changes.
    Externals,
    /// A function without a body makes only valid memory accesses.
    ExternalAccesses,
    /// A function without a body initialises the memory that it can access.
    ExternalWrites,
    /// Blocks of memory have values when they are allocated.
    AllocatedValues,
    /// Each floating-point operation is rounded by itself.
    SeparateRounding,
    /// There is always enough memory.
    AllocationNeverFails,
    /// No block of memory is extremely large.
    BlockSize,
    /// Pointers stay near their objects.
    PointerDistance,
    /// Addresses are those of the model.
    PointerNumbers,
    /// Where device registers are.
    Registers,
    /// No pointer to a dead variable is used when the variable is live again.
    RevivedVariables,
    /// Constructors and destructors of equal priority run in the order of the text.
    StartupOrder,
    /// What a shift by too much gives.
    UndefinedShifts,
    /// The program gets its name as the first argument.
    ProgramName,
    /// The program is one call of a function, whose arguments are of a certain kind.
    Entry,
    /// The pointers that the function gets are null.
    NullPointers,
    /// Each pointer that the function gets points to memory of its own.
    SeparatePointers,
    /// Each pointer that the function gets points to a whole object, not into one.
    WholeObjects,
    /// Runs that never end lose no memory.
    EndlessRuns,
    /// Threads take turns at single accesses of memory.
    SequentialConsistency,
    /// Threads can always be started.
    ThreadsStart,
    /// Integers do not wrap around, and signed ones do not overflow.
    MathematicalIntegers,
}

impl AssumptionKind {
    /// Its effect on verdicts.
    pub fn weight(self) -> Weight {
        match self {
            AssumptionKind::MathematicalIntegers => Weight::Named,
            AssumptionKind::AllocatedValues
            | AssumptionKind::ExternalWrites
            | AssumptionKind::NullPointers
            | AssumptionKind::SeparatePointers
            | AssumptionKind::WholeObjects => Weight::NamedInProofs,
            _ => Weight::Listed,
        }
    }

    /// Its stable name in reports.
    pub fn code(self) -> &'static str {
        match self {
            AssumptionKind::Externals => "externals",
            AssumptionKind::ExternalAccesses => "external-accesses",
            AssumptionKind::ExternalWrites => "external-writes",
            AssumptionKind::AllocatedValues => "allocated-values",
            AssumptionKind::SeparateRounding => "separate-rounding",
            AssumptionKind::AllocationNeverFails => "allocation-never-fails",
            AssumptionKind::BlockSize => "block-size",
            AssumptionKind::PointerDistance => "pointer-distance",
            AssumptionKind::PointerNumbers => "pointer-numbers",
            AssumptionKind::Registers => "registers",
            AssumptionKind::RevivedVariables => "revived-variables",
            AssumptionKind::StartupOrder => "startup-order",
            AssumptionKind::UndefinedShifts => "undefined-shifts",
            AssumptionKind::ProgramName => "program-name",
            AssumptionKind::Entry => "entry",
            AssumptionKind::NullPointers => "null-pointers",
            AssumptionKind::SeparatePointers => "separate-pointers",
            AssumptionKind::WholeObjects => "pointers-to-whole-objects",
            AssumptionKind::EndlessRuns => "endless-runs",
            AssumptionKind::SequentialConsistency => "sequential-consistency",
            AssumptionKind::ThreadsStart => "threads-start",
            AssumptionKind::MathematicalIntegers => "mathematical-integers",
        }
    }
}
