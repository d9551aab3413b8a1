//! A witness as it is validated: segments of waypoints, or invariants, with numbered claims.
//!
//! The C expressions of a witness are claims; the program is read together with them, and they are known by their
//! numbers from then on. Unsupported parts of the format are errors, so that nothing in a witness is ignored.

use num_bigint::BigInt;

use super::WitnessError;
use super::format::{CORRECTNESS, Entry, Location, Waypoint};
use crate::hir::CompareOp;
use crate::syntax::ClaimPlace;

/// What a witness claims.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Plan {
    /// A run along segments violates the property.
    Violation(Vec<Segment>),
    /// All claims are invariants, and the property holds.
    Correctness,
}

/// A C expression at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClaimText {
    /// The expression.
    pub formula: String,
    /// The place.
    pub location: Location,
    /// What is there.
    pub place: ClaimPlace,
}

/// A part of a run: it passes nothing that is avoided, and ends by passing what is followed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// What must not be passed.
    pub(super) avoid: Vec<Pass>,
    /// What ends the segment.
    pub(super) follow: Pass,
}

/// What can be passed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    /// The claim with this number holds.
    Claim(u32),
    /// A statement chooses a way.
    Branch(Location, Way),
    /// A function is entered.
    Enter(Location),
    /// A call has returned a value that compares to a number.
    Return(Location, CompareOp, BigInt),
    /// The property is violated.
    Target(Location),
}

/// A way of a branch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Way {
    Condition(bool),
    Case(BigInt),
    Default,
}

/// What a witness claims, with its C expressions in the order of their numbers.
pub fn plan(entries: &[Entry]) -> Result<(Plan, Vec<ClaimText>), WitnessError> {
    let mut claims = Vec::new();
    if entries.iter().all(|entry| entry.entry_type == CORRECTNESS) {
        for item in entries.iter().flat_map(|entry| &entry.content) {
            let invariant =
                item.invariant.as_ref().ok_or(WitnessError::IllFormed("only invariants are supported"))?;
            let place = match invariant.kind.as_str() {
                "loop_invariant" => ClaimPlace::Loop,
                "location_invariant" => ClaimPlace::Statement,
                other => return Err(unsupported(format!("`{other}` is not supported"))),
            };
            c_expression(Some(&invariant.format))?;
            let (formula, location) = (invariant.value.clone(), invariant.location.clone());
            claims.push(ClaimText { formula, location, place });
        }
        return Ok((Plan::Correctness, claims));
    }
    let [entry] = entries else {
        return Err(WitnessError::IllFormed("several entries of which one is a violation"));
    };
    let mut segments = Vec::new();
    for item in &entry.content {
        let segment = item
            .segment
            .as_ref()
            .ok_or(WitnessError::IllFormed("only segments are supported in a violation"))?;
        let (mut avoid, mut follow) = (Vec::new(), None);
        for item in segment {
            let passed = pass(&item.waypoint, &mut claims)?;
            match item.waypoint.action.as_str() {
                "avoid" => avoid.push(passed),
                "follow" if follow.is_none() => follow = Some(passed),
                "follow" => return Err(WitnessError::IllFormed("a segment follows two waypoints")),
                other => return Err(unsupported(format!("the action `{other}` is not supported"))),
            }
        }
        let follow = follow.ok_or(WitnessError::IllFormed("a segment follows no waypoint"))?;
        segments.push(Segment { avoid, follow });
    }
    let is_target = |segment: &Segment| matches!(segment.follow, Pass::Target(_));
    match segments.iter().position(is_target) {
        Some(first) if first + 1 == segments.len() => Ok((Plan::Violation(segments), claims)),
        _ => Err(WitnessError::IllFormed("the last segment, and no other, must have a target")),
    }
}

fn unsupported(words: String) -> WitnessError {
    WitnessError::Unsupported(words)
}

fn pass(waypoint: &Waypoint, claims: &mut Vec<ClaimText>) -> Result<Pass, WitnessError> {
    let location = waypoint.location.clone();
    let constraint = waypoint.constraint.as_ref();
    let value = || {
        let value = constraint.map(|constraint| constraint.value.trim());
        value.ok_or_else(|| unsupported(format!("a waypoint of type `{}` has no constraint", waypoint.kind)))
    };
    match waypoint.kind.as_str() {
        "assumption" => {
            c_expression(constraint.and_then(|constraint| constraint.format.as_ref()))?;
            let formula = value()?.to_owned();
            claims.push(ClaimText { formula, location, place: ClaimPlace::Statement });
            Ok(Pass::Claim(claims.len() as u32 - 1))
        }
        "branching" => Ok(Pass::Branch(location, way(value()?)?)),
        "function_enter" => Ok(Pass::Enter(location)),
        "function_return" => {
            let (op, number) = result(value()?)?;
            Ok(Pass::Return(location, op, number))
        }
        "target" => Ok(Pass::Target(location)),
        other => Err(unsupported(format!("waypoints of type `{other}` are not supported"))),
    }
}

fn c_expression(format: Option<&String>) -> Result<(), WitnessError> {
    match format.map(String::as_str) {
        None | Some("" | "c_expression" | "C") => Ok(()),
        Some(other) => Err(unsupported(format!("expressions in the format `{other}` are not supported"))),
    }
}

fn way(value: &str) -> Result<Way, WitnessError> {
    match value {
        "true" => Ok(Way::Condition(true)),
        "false" => Ok(Way::Condition(false)),
        "default" => Ok(Way::Default),
        number => Ok(Way::Case(constant(number)?)),
    }
}

/// `\result == 7` and the like.
fn result(value: &str) -> Result<(CompareOp, BigInt), WitnessError> {
    let unsupported = || unsupported(format!("the constraint `{value}` is not supported"));
    let rest = value.strip_prefix("\\result").ok_or_else(unsupported)?.trim_start();
    let ops = [
        ("==", CompareOp::Eq),
        ("!=", CompareOp::Ne),
        ("<=", CompareOp::Le),
        (">=", CompareOp::Ge),
        ("<", CompareOp::Lt),
        (">", CompareOp::Gt),
    ];
    let found = ops.iter().find_map(|(text, op)| Some((*op, rest.strip_prefix(text)?)));
    let (op, number) = found.ok_or_else(unsupported)?;
    Ok((op, constant(number)?))
}

/// An integer constant, with a suffix, in parentheses, or as `-a - b`, the way of C to write the least number.
fn constant(text: &str) -> Result<BigInt, WitnessError> {
    let unsupported = || unsupported(format!("the constant `{text}` is not supported"));
    let compact: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let inner = compact.trim_start_matches('(').trim_end_matches(')');
    let (sign, inner) = match inner.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, inner),
    };
    let mut total = BigInt::from(0);
    for (position, part) in inner.split('-').enumerate() {
        let digits = part.trim_end_matches(['u', 'U', 'l', 'L']);
        let number = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(digits) => BigInt::parse_bytes(digits.as_bytes(), 16),
            None => BigInt::parse_bytes(digits.as_bytes(), 10),
        };
        let number = number.ok_or_else(unsupported)?;
        // All further parts are subtracted, and the first one has the sign.
        total += if position == 0 { BigInt::from(sign) * number } else { -number };
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_those_of_c() {
        for (text, expected) in [
            ("7", "7"),
            (" -7", "-7"),
            ("0x10u", "16"),
            ("18446744073709551615ULL", "18446744073709551615"),
            ("(-9223372036854775807LL - 1)", "-9223372036854775808"),
            ("0 - 5", "-5"),
        ] {
            assert_eq!(constant(text).map(|number| number.to_string()), Ok(expected.to_owned()), "{text}");
        }
        assert!(constant("x").is_err() && constant("").is_err());
    }

    #[test]
    fn results_are_compared_with_constants() {
        assert_eq!(result("\\result <= 3"), Ok((CompareOp::Le, BigInt::from(3))));
        assert_eq!(result("\\result<-3"), Ok((CompareOp::Lt, BigInt::from(-3))));
        assert!(result("x == 3").is_err() && result("\\result + 1 == 3").is_err());
    }
}
