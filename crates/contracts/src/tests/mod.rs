//! What is read, as text: a test per row of the manual's table, positions, recovery, robustness.

mod expressions;
mod jml_files;
mod methods;
mod outline;
mod recovery;
mod robustness;
mod show;
mod statements;
mod types;

use crate::{Severity, Source, parse};

/// The source of `text` in `A.java`, and what is said about it.
fn read(text: &str) -> (Source, Vec<String>) {
    let (source, diagnostics) = parse("A.java", text);
    let said = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity > Severity::Note)
        .map(ToString::to_string)
        .collect();
    (source, said)
}
