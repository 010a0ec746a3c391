//! Has HotSpot verify every class of a library or of `java.base`, plain and instrumented.
//!
//! Classes are linked, never initialized. Some cannot be linked for want of optional
//! dependencies; so the outcome of the instrumented class must be that of the plain one.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use classfile::ClassFile;
use instrument::{Base, Options, RUNTIME, place, rewrite};

use crate::harness::java::{compile, compile_runtime, java};
use crate::harness::sources::for_each_class;

/// What came of it.
#[derive(Debug, Default)]
pub struct Report {
    pub classes: usize,
    pub linked: usize,
    pub probes: usize,
    pub methods: usize,
    pub bytes: usize,
    pub seconds: f64,
    pub skipped: Vec<String>,
    pub mismatches: Vec<String>,
}

/// Classes by name, plain or instrumented.
type Classes = BTreeMap<String, Vec<u8>>;

/// Verifies all classes of `path`, with `dependencies` on the class path; those of `java.base` replace the JVM's own.
pub fn verify(
    home: &Path,
    path: &Path,
    dependencies: &[PathBuf],
    options: &Options,
    is_java_base: bool,
) -> Report {
    let mut report = Report::default();
    let (mut plain, mut instrumented) = (Classes::new(), Classes::new());
    let mut base = 0;
    for_each_class(path, &mut |file, bytes| {
        let Ok(class) = ClassFile::parse(bytes) else { panic!("{file} cannot be parsed") };
        let file_name = file.strip_prefix("classes/").unwrap_or(file);
        if class.is_module() || file_name.starts_with("META-INF/") {
            return;
        }
        let start = std::time::Instant::now();
        let plan = place(&class, options).unwrap_or_else(|error| panic!("{file}: {error}"));
        let written = rewrite(&class, &plan, Base { probe: base, ..Base::default() })
            .unwrap_or_else(|error| panic!("{file}: {error:?}"));
        report.seconds += start.elapsed().as_secs_f64();
        report.bytes += bytes.len();
        base += plan.probes.len() as u32;
        report.probes += plan.probes.len();
        report.methods += plan.methods.len();
        for method in &plan.skipped {
            report.skipped.push(format!("{}.{}: {:?}", plan.class, method.name, method.reason));
        }
        plain.insert(plan.class.clone(), bytes.to_vec());
        instrumented.insert(plan.class, written);
    })
    .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    report.classes = plain.len();
    // All of java.base can be linked; a library may lack its optional dependencies.
    let expected = if is_java_base {
        plain.keys().map(|name| (name.replace('/', "."), "linked".to_owned())).collect()
    } else {
        link(home, &plain, dependencies, base as usize, is_java_base)
    };
    let found = link(home, &instrumented, dependencies, base as usize, is_java_base);
    assert_eq!(expected.len(), report.classes, "every plain class has an outcome");
    for (name, expected) in &expected {
        match found.get(name) {
            Some(found) if found == expected => report.linked += usize::from(expected == "linked"),
            found => report.mismatches.push(format!("{name}: {expected} became {found:?}")),
        }
    }
    report
}

/// Links every class and returns the outcomes by name.
fn link(
    home: &Path,
    classes: &Classes,
    dependencies: &[PathBuf],
    probes: usize,
    is_java_base: bool,
) -> BTreeMap<String, String> {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let [patch, harness] = ["patch", "harness"].map(|name| scratch.path().join(name));
    let [jar, names, outcomes] =
        ["classes.jar", "names", "outcomes"].map(|name| scratch.path().join(name));
    compile_runtime(home, probes + 1, &patch);
    compile(home, &[], "Link.java", include_str!("Link.java"), &harness);
    let mut list = String::new();
    let mut archive = zip::ZipWriter::new(fs::File::create(&jar).expect("scratch is writable"));
    for (name, bytes) in classes {
        list.push_str(&name.replace('/', "."));
        list.push('\n');
        let stored = zip::write::SimpleFileOptions::default()
            .compression_method(zip::CompressionMethod::Stored);
        archive.start_file(format!("{name}.class"), stored).expect("a new entry");
        archive.write_all(bytes).expect("scratch is writable");
    }
    archive.finish().expect("scratch is writable");
    fs::write(&names, list).expect("scratch is writable");
    let options = [
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+BytecodeVerificationLocal",
        "-XX:+BytecodeVerificationRemote",
        "-Xmx1g",
    ];
    let arguments = ["Link", path_text(&names), path_text(&outcomes)];
    let mut patches: Vec<&Path> = vec![&patch];
    let mut class_path: Vec<&Path> = vec![&harness];
    if is_java_base { &mut patches } else { &mut class_path }.push(&jar);
    class_path.extend(dependencies.iter().map(PathBuf::as_path));
    let output = java(home, &patches, &options, &class_path, &arguments);
    assert!(
        output.status.success(),
        "the JVM ends with {}: {}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
    let outcomes = fs::read_to_string(&outcomes).expect("the harness writes outcomes");
    outcomes
        .lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(name, outcome)| (name.to_owned(), without_chance(outcome).to_owned()))
        .collect()
}

/// An outcome without what differs from run to run of the same classes: which of several
/// missing classes a JVM comes across first.
fn without_chance(outcome: &str) -> &str {
    const MISSING: &str = "java.lang.NoClassDefFoundError";
    let ours = outcome.contains(RUNTIME.class);
    if outcome.starts_with(MISSING) && !ours { MISSING } else { outcome }
}

fn path_text(path: &Path) -> &str {
    path.to_str().expect("scratch paths are text")
}
