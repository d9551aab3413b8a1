//! Tells the installed and the built `thetis` where to find Z3, whatever RUSTFLAGS says.
//!
//! The same entries stand in `.cargo/config.toml`, which also reaches test binaries but gives way to a
//! RUSTFLAGS variable. The paths are relative to the executable, so a tree or an installation may be moved.

/// From `target/PROFILE`, from `target/TRIPLE/PROFILE`, and from the `bin` of an installation.
const LIBRARY_DIRS: [&str; 3] =
    ["$ORIGIN/../../third_party/z3/lib", "$ORIGIN/../../../third_party/z3/lib", "$ORIGIN/../lib/thetis"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        for dir in LIBRARY_DIRS {
            println!("cargo::rustc-link-arg-bins=-Wl,-rpath,{dir}");
        }
    }
}
