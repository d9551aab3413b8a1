#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    thetis_fuzz::targets::aiger::check(bytes);
});
