//! How much slower instrumented code is, and how fast classes are instrumented.
//!
//! `cargo bench -p instrument`: plain and instrumented workloads take turns in one JVM, so that
//! a busy machine slows both; on a loaded one single ratios still scatter. One table per JDK.

#[path = "../tests/it/harness"]
mod harness {
    pub mod java;
    #[path = "../../../../classfile/tests/jdk/mod.rs"]
    pub mod jdk;
    #[path = "../../../../classfile/tests/sources/mod.rs"]
    pub mod sources;
}

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use classfile::ClassFile;
use harness::java::{compile, compile_runtime, java, javac};
use harness::jdk::{java_base, jdk_homes};
use harness::sources::for_each_class;
use instrument::{Base, Options, place, rewrite};

const MODES: [(&str, Options); 4] = [
    ("coverage", Options { coverage: true, steps: false, comparisons: false }),
    ("steps", Options { coverage: false, steps: true, comparisons: false }),
    ("both", Options { coverage: true, steps: true, comparisons: false }),
    // As in a search: comparisons tell their operands once somebody watches them.
    ("all", Options { coverage: true, steps: true, comparisons: true }),
];

fn main() {
    for home in jdk_homes() {
        slow_down(&home);
        speed(&home);
    }
}

/// Prints time with instrumentation over time without.
#[expect(clippy::print_stdout, reason = "a benchmark prints its result")]
fn slow_down(home: &Path) {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let path = |name: &str| scratch.path().join(name);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/java");
    javac(home, &["-g"], &[sources.join("Workloads.java")], &path("plain"));
    compile(home, &[], "Bench.java", include_str!("java/Bench.java"), &path("bench"));
    let (mut base, mut comparison) = (0, 0);
    for (mode, options) in MODES {
        fs::create_dir_all(path(mode)).expect("scratch is writable");
        for_each_class(&path("plain"), &mut |_, bytes| {
            let class = ClassFile::parse(bytes).expect("javac writes good classes");
            let plan = place(&class, &options).expect("javac writes good classes");
            let written = rewrite(&class, &plan, Base { probe: base, comparison })
                .expect("the plan is of this class");
            base += plan.probes.len() as u32;
            comparison += plan.comparisons.len() as u32;
            let file = path(mode).join(format!("{}.class", plan.class));
            fs::write(file, written).expect("scratch is writable");
        })
        .expect("scratch is readable");
    }
    compile_runtime(home, 65_536, &path("patch"));
    let folders: Vec<PathBuf> = ["plain"].into_iter().chain(MODES.map(|m| m.0)).map(path).collect();
    let mut arguments = vec!["Bench"];
    arguments.extend(folders.iter().map(|folder| folder.to_str().expect("scratch is text")));
    let output = java(home, &[&path("patch")], &[], &[&path("bench")], &arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut times: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let fields: Vec<&str> = line.split(' ').collect();
        let [name, _, time] = fields[..] else { panic!("unexpected output: {line}") };
        let time = time.parse().expect("the harness prints numbers");
        times.entry(name.to_owned()).or_default().push(time);
    }
    println!("{}: time over plain time", home.display());
    let row = |name: &str, plain: &str, columns: [String; MODES.len()]| {
        let columns: String = columns.iter().map(|column| format!(" {column:>9}")).collect();
        println!("{name:16} {plain:>10}{columns}");
    };
    row("workload", "plain ns", MODES.map(|mode| mode.0.to_owned()));
    let mut products = [1.0; MODES.len()];
    for (name, times) in &times {
        let ratios: [f64; MODES.len()] = std::array::from_fn(|at| times[at + 1] / times[0]);
        row(name, &format!("{:.0}", times[0]), ratios.map(|ratio| format!("{ratio:.2}")));
        products.iter_mut().zip(ratios).for_each(|(product, ratio)| *product *= ratio);
    }
    let means = products.map(|product: f64| product.powf(1.0 / times.len() as f64));
    row("geometric mean", "", means.map(|mean| format!("{mean:.2}")));
}

/// Prints how fast `java.base` is parsed, planned and rewritten.
#[expect(clippy::print_stdout, reason = "a benchmark prints its result")]
fn speed(home: &Path) {
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let mut classes = Vec::new();
    for_each_class(&java_base(home, scratch.path()), &mut |_, bytes| classes.push(bytes.to_vec()))
        .expect("java.base can be read");
    let bytes: usize = classes.iter().map(Vec::len).sum();
    let mut spent = [Duration::ZERO; 3];
    for bytes in &classes {
        let start = Instant::now();
        let class = ClassFile::parse(bytes).expect("JDK classes parse");
        let parsed = Instant::now();
        let plan = place(&class, &MODES[2].1).expect("JDK classes can be instrumented");
        let placed = Instant::now();
        let written = rewrite(&class, &plan, Base { probe: 0, ..Base::default() })
            .expect("the plan is of this class");
        let end = Instant::now();
        std::hint::black_box(written);
        spent[0] += parsed - start;
        spent[1] += placed - parsed;
        spent[2] += end - placed;
    }
    let rate = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
    println!(
        "java.base, {} classes: parse {:.0} MB/s ({:.0} ms per 2000), place {:.0} MB/s, rewrite {:.0} MB/s, all {:.0} MB/s",
        classes.len(),
        rate(spent[0]),
        spent[0].as_secs_f64() * 2e6 / classes.len() as f64,
        rate(spent[1]),
        rate(spent[2]),
        rate(spent.iter().sum()),
    );
}
