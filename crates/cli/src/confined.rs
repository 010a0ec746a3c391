//! `confined`: runs a tool, such as `mvn test` on an emitted suite, under the sandbox's file rules.

use std::path::PathBuf;

use anyhow::Context;

use crate::args::ConfinedOptions;
use crate::exit::Exit;

pub(crate) fn confined(options: &ConfinedOptions) -> anyhow::Result<Exit> {
    let writable = options
        .write
        .iter()
        .map(|path| {
            path.canonicalize().with_context(|| format!("cannot find `{}`", path.display()))
        })
        .collect::<anyhow::Result<Vec<PathBuf>>>()?;
    let policy = sandbox::Policy::files_only(writable);
    let (command, arguments) = options.command.split_first().context("no program given")?;
    // It returns only if it fails: else this process is the program now.
    Err(sandbox::exec(&policy, command, arguments).into())
}
