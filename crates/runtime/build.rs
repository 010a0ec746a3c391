//! Compiles the Java sources in `runtime/` and lists the class bytes for the crate to embed.
//!
//! Done while building, so that a user's machine needs no compiler to start a worker and no jar
//! is kept in the repository. The classes target Java 17 whichever JDK compiles them.
//!
//! Invariant: each list is in an order in which its classes can be defined one after the other.

#[path = "build/definition_order.rs"]
mod definition_order;
#[path = "build/jdk.rs"]
mod jdk;

use std::env;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Shown by cargo as the message of a failed build script.
            println!("cargo::error={}", error.to_string().replace('\n', "\\n"));
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build");
    println!("cargo::rerun-if-env-changed=JAVA_HOME");
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../..").canonicalize()?;
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let java = root.join("runtime");
    let javac = jdk::javac()?;
    if let Some(home) = env::var_os("JAVA_HOME")
        && !Path::new(&home).join("bin/javac").is_file()
    {
        println!("cargo::warning=JAVA_HOME has no bin/javac, using {}", javac.display());
    }

    let boot = out.join("boot");
    compile(&javac, &java.join("boot"), &boot, Some(&java.join("boot")))?;
    let service = out.join("service");
    compile(&javac, &java.join("service"), &service, Some(&boot))?;
    let standin = out.join("standin");
    compile(&javac, &java.join("standin"), &standin, None)?;
    let contracts = out.join("contracts");
    compile(&javac, &java.join("contracts"), &contracts, None)?;

    let mut code = String::new();
    let lists =
        [("BOOT", &boot), ("SERVICE", &service), ("STANDIN", &standin), ("CONTRACTS", &contracts)];
    for (name, folder) in lists {
        writeln!(code, "static {name}: &[(&str, &[u8])] = &[")?;
        for (class, file) in definition_order::of_classes_below(folder)? {
            writeln!(code, "    ({class:?}, include_bytes!({file:?})),")?;
        }
        writeln!(code, "];")?;
    }
    write_demo(&root.join("demo"), &mut code)?;
    fs::write(out.join("embedded.rs"), code)?;
    Ok(())
}

/// Compiles every source below `sources` into `target`, which is emptied first.
fn compile(
    javac: &Path,
    sources: &Path,
    target: &Path,
    java_base: Option<&Path>,
) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed={}", sources.display());
    if target.exists() {
        fs::remove_dir_all(target)?;
    }
    fs::create_dir_all(target)?;
    let mut command = Command::new(javac);
    // Plain string concatenation: the boot classes must not drag in `invokedynamic`.
    command.args(["--release", "17", "-g", "-proc:none", "-encoding", "UTF-8"]);
    command.args(["-Xlint:none", "-nowarn", "-XDstringConcat=inline", "-implicit:none"]);
    if let Some(folder) = java_base {
        command.arg("--patch-module").arg(format!("java.base={}", folder.display()));
    }
    command.arg("-d").arg(target);
    command.args(files_below(sources, "java")?);
    let output = command.output().map_err(|e| format!("cannot run {}: {e}", javac.display()))?;
    if !output.status.success() {
        let text = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{} failed:\n{text}", javac.display()).into());
    }
    Ok(())
}

/// Lists the files of the demo project: its build file and what is below `src`, nothing that a
/// build of it may have left beside them.
fn write_demo(demo: &Path, code: &mut String) -> Result<(), Box<dyn Error>> {
    let mut files = vec![demo.join("pom.xml"), demo.join("README.md")];
    files.extend(files_below(&demo.join("src"), "java")?);
    writeln!(code, "static DEMO: &[(&str, &str)] = &[")?;
    for file in files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.strip_prefix(demo)?.to_str().ok_or("a demo file has a strange name")?;
        writeln!(code, "    ({:?}, include_str!({file:?})),", name.replace('\\', "/"))?;
    }
    println!("cargo::rerun-if-changed={}", demo.join("src").display());
    writeln!(code, "];")?;
    Ok(())
}

/// The files below a folder with this extension, sorted, so that builds are reproducible.
fn files_below(folder: &Path, extension: &str) -> Result<Vec<PathBuf>, Box<dyn Error>> {
    let mut files = Vec::new();
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path, extension)?);
        } else if path.extension().is_some_and(|e| e == extension) {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
