//! Layouts of random structures and unions, with bit-fields, packed and aligned members, compared bit by bit with gcc: a
//! member is set to all ones, and the bytes that gcc writes to the object file are those that the layout says.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use fastrand::Rng;
use thetis_base::{Diagnostics, SourceMap};
use thetis_c::hir::{DataModel, Field, IntKind, Program, Record, Type};
use thetis_c::{LineMarkers, SourceOptions};

const NUM_RECORDS: usize = 150;

/// Names of types with less or more alignment than the types have.
const TYPEDEFS: &str = "typedef int low_int __attribute__((aligned(2)));
typedef short high_short __attribute__((aligned(8)));
";

/// A structure or union as text, with the names of its members.
struct Written {
    text: String,
    members: Vec<String>,
}

fn write_record(number: usize, rng: &mut Rng) -> Written {
    const TYPES: [&str; 12] = [
        "low_int",
        "high_short",
        "char",
        "unsigned char",
        "short",
        "unsigned short",
        "int",
        "unsigned",
        "long",
        "unsigned long",
        "long long",
        "unsigned long long",
    ];
    let keyword = if rng.u8(..5) == 0 { "union" } else { "struct" };
    let pack = if rng.u8(..4) == 0 { 1 << rng.u8(..4) } else { 0 };
    let mut text = format!("#pragma pack(push, {pack})\n{keyword} r{number} {{");
    let mut members = Vec::new();
    for index in 0..rng.usize(1..7) {
        let ty = TYPES[rng.usize(..TYPES.len())];
        let name = format!("m{index}");
        let most = match ty.split(' ').next_back().unwrap() {
            "char" => 8,
            "short" | "high_short" => 16,
            "long" if ty.contains("long long") => 64,
            _ => 32,
        };
        let kind = if ty.contains('_') { 9 + rng.u8(..3) } else { rng.u8(..12) };
        let member = match kind {
            0 => format!("{ty} : {};", rng.u8(0..=most)),
            1 => format!("_Bool {name} : 1;"),
            2..=6 => format!("{ty} {name} : {};", rng.u8(1..=most)),
            7 => format!("{ty} {name} __attribute__((packed));"),
            8 => format!("{ty} {name} : {} __attribute__((packed));", rng.u8(1..=most)),
            9 => format!("{ty} {name} __attribute__((aligned({})));", 1 << rng.u8(..5)),
            _ => format!("{ty} {name};"),
        };
        if member.contains(&name) {
            members.push(name);
        }
        write!(text, " {member}").unwrap();
    }
    let attribute = match rng.u8(..6) {
        0 => " __attribute__((packed))",
        1 => " __attribute__((packed, aligned(2)))",
        2 => " __attribute__((aligned(8)))",
        _ => "",
    };
    writeln!(text, " }}{attribute};\n#pragma pack(pop)").unwrap();
    Written { text, members }
}

fn check(text: &str, data_model: DataModel) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("layout.c", text);
    let mut diagnostics = Diagnostics::new();
    let options = SourceOptions { machine: data_model.into(), line_markers: LineMarkers::Ignore };
    let program = thetis_c::check(&sources, file, &options, &mut diagnostics);
    program.unwrap_or_else(|_| panic!("{:?}", diagnostics.iter().next()))
}

/// The bytes of an object of this layout whose member is all ones.
fn bytes_of(program: &Program, record: &Record, field: &Field) -> Vec<u8> {
    let mut bytes = vec![0; record.size as usize];
    let Type::Int(kind) = program.types.get(field.ty) else { panic!("members should be integers") };
    let (first, width) = match field.bits {
        Some(bits) => (bits.offset, bits.width),
        None => (0, if *kind == IntKind::Bool { 1 } else { kind.width(program.types.model()) }),
    };
    for bit in first..first + width {
        bytes[field.offset as usize + (bit / 8) as usize] |= 1 << (bit % 8);
    }
    bytes
}

/// What gcc puts into the object file for each object of the text; `None` if gcc or its tools are missing.
fn bytes_of_gcc(text: &str, option: &str, folder: &Path) -> Option<BTreeMap<String, (usize, Vec<u8>)>> {
    let run = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    std::fs::write(folder.join("empty.c"), "").unwrap();
    run("gcc", &[option, "-c", "empty.c"])?;
    std::fs::write(folder.join("layout.c"), text).unwrap();
    run("gcc", &[option, "-w", "-c", "layout.c"]).expect("gcc should accept the structures");
    let symbols = run("nm", &["-S", "layout.o"])?;
    run("objcopy", &["-O", "binary", "--only-section=.thetis", "layout.o", "layout.bin"])?;
    let bytes = std::fs::read(folder.join("layout.bin")).unwrap();
    let objects = symbols.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [start, size, _, name] = words.as_slice() else { return None };
        let start = usize::from_str_radix(start, 16).unwrap();
        let size = usize::from_str_radix(size, 16).unwrap();
        Some(((*name).to_owned(), (size, bytes[start..start + size].to_vec())))
    });
    Some(objects.collect())
}

fn compare(option: &str, model: DataModel, seed: u64) {
    let mut rng = Rng::with_seed(seed);
    let records: Vec<Written> = (0..NUM_RECORDS).map(|number| write_record(number, &mut rng)).collect();
    let mut text = TYPEDEFS.to_owned();
    for (number, record) in records.iter().enumerate() {
        text += &record.text;
        let keyword = if record.text.contains("union") { "union" } else { "struct" };
        for member in &record.members {
            writeln!(
                text,
                "{keyword} r{number} o{number}_{member} __attribute__((section(\".thetis\"))) = {{ .{member} = -1 }};"
            )
            .unwrap();
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(objects) = bytes_of_gcc(&text, option, folder.path()) else {
        println!("skipped: no gcc {option} with nm and objcopy");
        return;
    };
    let program = check(&text, model);
    let mut num_compared = 0;
    for global in &program.globals {
        let Type::Record(record) = program.types.get(global.ty) else { panic!("only records are declared") };
        let record = program.types.record(*record);
        let (number, member) = global.name[1..].split_once('_').unwrap();
        let fields = record.fields.as_ref().unwrap();
        let field = fields.iter().find(|field| field.name.as_deref() == Some(member)).unwrap();
        let ours = bytes_of(&program, record, field);
        let source = &records[number.parse::<usize>().unwrap()].text;
        assert_eq!((ours.len(), ours), objects[&global.name].clone(), "{option}: `{member}` of {source}");
        num_compared += 1;
    }
    assert!(num_compared > NUM_RECORDS, "most records should have members");
}

#[test]
fn random_layouts_are_those_of_gcc() {
    compare("-m64", DataModel::Lp64, 1);
    compare("-m32", DataModel::Ilp32, 2);
}
