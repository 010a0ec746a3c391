//! Runs one of the Java parts with classes and tries on its standard input.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Classes by their names in Java, with their bytes.
pub type Classes = BTreeMap<String, Vec<u8>>;

/// A message to the Java part, as `DataInputStream` reads it.
#[derive(Default)]
pub struct Message(pub Vec<u8>);

impl Message {
    pub fn number(&mut self, value: usize) {
        self.0.extend(i32::try_from(value).expect("a small number").to_be_bytes());
    }

    pub fn text(&mut self, text: &str) {
        self.0.extend(u16::try_from(text.len()).expect("a short name").to_be_bytes());
        self.0.extend(text.as_bytes());
    }

    pub fn class(&mut self, name: &str, bytes: &[u8]) {
        self.text(name);
        self.number(bytes.len());
        self.0.extend(bytes);
    }

    pub fn classes(&mut self, classes: &Classes) {
        self.number(classes.len());
        for (name, bytes) in classes {
            self.class(name, bytes);
        }
    }
}

/// Runs a Java part of this name and source; the lines it prints.
pub fn run(
    home: &Path,
    (name, source): (&str, &str),
    dependencies: &[PathBuf],
    feed: impl FnOnce(&mut dyn Write) + Send,
) -> Vec<String> {
    let compiled = testkit::compile_text(home, &[], &format!("{name}.java"), source);
    let mut class_path = vec![compiled.path().to_owned()];
    class_path.extend(dependencies.iter().cloned());
    let class_path = std::env::join_paths(&class_path).expect("no separator in the paths");
    let mut child = Command::new(home.join("bin/java"))
        .args(["-Xmx1g", "-XX:TieredStopAtLevel=1", "-cp"])
        .arg(class_path)
        .arg(name)
        .current_dir(compiled.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a JDK has java");
    let mut input = child.stdin.take().expect("it was asked for");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            let mut buffered = std::io::BufWriter::with_capacity(1 << 16, &mut input);
            feed(&mut buffered);
        });
        child.wait_with_output().expect("java ends")
    });
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}
