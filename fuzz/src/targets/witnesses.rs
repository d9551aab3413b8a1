//! Witnesses about C programs: any YAML text is rejected or is written again as it was read, never a panic.

use thetis_c::evidence::witness::format;
use thetis_c::evidence::witness::plan::plan;

use super::{Effect, text_of};

pub fn check(bytes: &[u8]) -> Effect {
    let entries = match format::read(&text_of(bytes)) {
        Ok(entries) => entries,
        Err(error) => return error.to_string(),
    };
    let planned = plan(&entries);
    let written = format::write(&entries).expect("what was read should be writable");
    let again = format::read(&written).expect("what was written should be readable");
    assert_eq!(format::write(&again).expect("the same again"), written);
    match planned {
        Ok(_) => "accepted".into(),
        Err(error) => error.to_string(),
    }
}
