//! Witnesses about C programs: any YAML text is refused or is written again as it was read, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use thetis_c::evidence::witness::format;
use thetis_c::evidence::witness::plan::plan;

fuzz_target!(|text: &str| {
    let Ok(entries) = format::read(text) else { return };
    let _ = plan(&entries);
    let written = format::write(&entries).expect("what was read should be writable");
    let again = format::read(&written).expect("what was written should be readable");
    assert_eq!(format::write(&again).expect("the same again"), written);
});
