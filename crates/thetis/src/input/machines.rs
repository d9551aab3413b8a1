//! Preprocessing for machines other than the compiler's.
//!
//! If a cross compiler for the machine is installed, it is used: its macros and headers are right by definition.
//! Otherwise the compiler of this system preprocesses the program with the macros of the other machine instead of its
//! own. The headers of glibc depend on few of them; the header that detects 64 bits by the name of the machine
//! (`bits/wordsize.h`) is replaced.

use std::ffi::OsString;
use std::io;
use std::path::Path;

use thetis_c::hir::{DataModel, Machine};

/// Macros that identify x86 as the target.
const OF_X86: [&str; 24] = [
    "__x86_64__",
    "__x86_64",
    "__amd64__",
    "__amd64",
    "__i386__",
    "__i386",
    "i386",
    "__i686__",
    "__i686",
    "__pentiumpro__",
    "__pentiumpro",
    "__k8__",
    "__k8",
    "__MMX__",
    "__SSE__",
    "__SSE2__",
    "__SSE_MATH__",
    "__SSE2_MATH__",
    "__MMX_WITH_SSE__",
    "__FXSR__",
    "__SEG_FS",
    "__SEG_GS",
    "__SIZEOF_FLOAT80__",
    "__SIZEOF_FLOAT128__",
];

/// Macros of operating systems, which bare-metal machines do not have.
const OF_LINUX: [&str; 7] = ["__linux__", "__linux", "linux", "__gnu_linux__", "__unix__", "__unix", "unix"];

/// Macros of all supported machines but x86.
const NOT_OF_X86: [&str; 2] = ["__CHAR_UNSIGNED__=1", "__ELF__=1"];

/// A `long double` that is a `double`.
const SHORT_LONG_DOUBLE: [&str; 10] = [
    "__SIZEOF_LONG_DOUBLE__=8",
    "__LDBL_MANT_DIG__=53",
    "__LDBL_DIG__=15",
    "__LDBL_MIN_EXP__=(-1021)",
    "__LDBL_MAX_EXP__=1024",
    "__LDBL_MIN_10_EXP__=(-307)",
    "__LDBL_MAX_10_EXP__=308",
    "__LDBL_MAX__=((long double)__DBL_MAX__)",
    "__LDBL_MIN__=((long double)__DBL_MIN__)",
    "__LDBL_EPSILON__=((long double)__DBL_EPSILON__)",
];

/// A `long double` of 128 bits.
const LONG_LONG_DOUBLE: [&str; 7] = [
    "__SIZEOF_LONG_DOUBLE__=16",
    "__LDBL_MANT_DIG__=113",
    "__LDBL_DIG__=33",
    "__LDBL_MIN_EXP__=(-16381)",
    "__LDBL_MAX_EXP__=16384",
    "__LDBL_MIN_10_EXP__=(-4931)",
    "__LDBL_MAX_10_EXP__=4932",
];

/// `wchar_t` as an unsigned integer.
const UNSIGNED_WIDE: [&str; 3] =
    ["__WCHAR_TYPE__=unsigned int", "__WCHAR_MAX__=0xffffffffU", "__WCHAR_MIN__=0U"];

/// A compiler for a machine, by its name, if one is installed.
pub(super) fn cross_compiler(machine: Machine) -> Option<&'static str> {
    let names: &[&'static str] = match machine {
        Machine::X86_64 | Machine::I386 => &[],
        Machine::Arm => &["arm-linux-gnueabihf-gcc", "arm-linux-gnueabi-gcc"],
        Machine::ArmNoneEabi => &["arm-none-eabi-gcc"],
        Machine::Aarch64 => &["aarch64-linux-gnu-gcc"],
        Machine::Riscv32 => &["riscv32-unknown-elf-gcc"],
        Machine::Riscv64 => &["riscv64-linux-gnu-gcc"],
    };
    let folders: Vec<_> = std::env::var_os("PATH").iter().flat_map(std::env::split_paths).collect();
    names.iter().copied().find(|name| folders.iter().any(|folder| folder.join(name).is_file()))
}

/// The options that make the compiler of this system preprocess for another machine, with headers that are written to `folder`.
pub(super) fn options(machine: Machine, folder: &Path) -> io::Result<Vec<OsString>> {
    write_headers(machine, folder)?;
    let has_system = !matches!(machine, Machine::ArmNoneEabi | Machine::Riscv32);
    let foreign = OF_X86.iter().chain(OF_LINUX.iter().filter(|_| !has_system));
    let mut options: Vec<OsString> = foreign.map(|name| format!("-U{name}").into()).collect();
    let defined = NOT_OF_X86.iter().chain(macros(machine)).chain(number_macros(machine));
    options.extend(defined.map(|name| format!("-D{name}").into()));
    options.extend(["-isystem".into(), folder.into()]);
    if machine.model() == DataModel::Ilp32 {
        options.push("-m32".into());
    }
    Ok(options)
}

/// The names of a machine.
fn macros(machine: Machine) -> &'static [&'static str] {
    match machine {
        Machine::X86_64 | Machine::I386 => &[],
        Machine::Arm => {
            &["__arm__=1", "__ARMEL__=1", "__ARM_EABI__=1", "__ARM_ARCH=7", "__BIGGEST_ALIGNMENT__=8"]
        }
        Machine::ArmNoneEabi => &[
            "__arm__=1",
            "__ARMEL__=1",
            "__ARM_EABI__=1",
            "__ARM_ARCH=7",
            "__ARM_SIZEOF_MINIMAL_ENUM=1",
            "__BIGGEST_ALIGNMENT__=8",
        ],
        Machine::Aarch64 => &["__aarch64__=1", "__AARCH64EL__=1", "__ARM_ARCH=8", "__ARM_64BIT_STATE=1"],
        Machine::Riscv32 => &["__riscv=1", "__riscv_xlen=32"],
        Machine::Riscv64 => &["__riscv=1", "__riscv_xlen=64", "__riscv_flen=64"],
    }
}

/// What differs from x86 about `wchar_t` and `long double`.
fn number_macros(machine: Machine) -> impl Iterator<Item = &'static &'static str> {
    let (wide, numbers): (&[&str], &[&str]) = match machine {
        Machine::X86_64 | Machine::I386 => (&[], &[]),
        Machine::Arm | Machine::ArmNoneEabi => (&UNSIGNED_WIDE, &SHORT_LONG_DOUBLE),
        Machine::Aarch64 => (&UNSIGNED_WIDE, &LONG_LONG_DOUBLE),
        Machine::Riscv32 | Machine::Riscv64 => (&[], &LONG_LONG_DOUBLE),
    };
    wide.iter().chain(numbers)
}

/// Replacements for glibc headers that know only x86.
fn write_headers(machine: Machine, folder: &Path) -> io::Result<()> {
    for part in ["bits", "gnu"] {
        std::fs::create_dir_all(folder.join(part))?;
    }
    std::fs::write(folder.join("gnu/stubs-32.h"), "")?;
    let size = 8 * machine.model().pointer_size();
    let text = format!("#define __WORDSIZE {size}\n#define __WORDSIZE_TIME64_COMPAT32 0\n");
    std::fs::write(folder.join("bits/wordsize.h"), text)
}
