//! The version of the language, from the pragma.

use solang_parser::pt::{PragmaDirective, SourceUnit, SourceUnitPart, VersionComparator, VersionOp};

/// A version of Solidity, without the leading zero: `0.7.6` is `(7, 6)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Version(pub(crate) u32, pub(crate) u32);

impl Version {
    /// The version that is assumed without a pragma.
    pub(crate) const DEFAULT: Version = Version(7, 6);

    /// Whether arithmetic reverts on overflow.
    pub(crate) fn checks_arithmetic(self) -> bool {
        self >= Version(8, 0)
    }
}

/// The lowest version that the pragmas of a file allow: what its author can rely on.
pub(crate) fn lowest(unit: &SourceUnit) -> Option<Version> {
    let comparators = unit.0.iter().filter_map(|part| match part {
        SourceUnitPart::PragmaDirective(pragma) => match &**pragma {
            PragmaDirective::Version(_, name, comparators) if name.name == "solidity" => Some(comparators),
            _ => None,
        },
        _ => None,
    });
    comparators.flatten().filter_map(lower_bound).max()
}

fn lower_bound(comparator: &VersionComparator) -> Option<Version> {
    match comparator {
        VersionComparator::Plain { version, .. } | VersionComparator::Range { from: version, .. } => {
            number(version)
        }
        VersionComparator::Operator { op: VersionOp::Less | VersionOp::LessEq, .. } => None,
        VersionComparator::Operator { version, .. } => number(version),
        VersionComparator::Or { left, right, .. } => lower_bound(left).min(lower_bound(right)),
    }
}

fn number(parts: &[String]) -> Option<Version> {
    let part = |at: usize| parts.get(at).map_or(Some(0), |part| part.parse().ok());
    Some(Version(part(1)?, part(2)?))
}
