//! `confined`: runs a tool, such as `mvn test` on an emitted suite, under the sandbox's file rules.

use std::path::PathBuf;

use anyhow::Context;
use sandbox::Availability;

use crate::args::ConfinedOptions;
use crate::exit::{Exit, Failure};

pub(crate) fn confined(options: &ConfinedOptions) -> anyhow::Result<Exit> {
    let support = sandbox::support();
    for availability in [&support.landlock, &support.signal_scope] {
        if let Availability::Missing(why) = availability {
            let message = format!("programs cannot be confined on this machine: {why}");
            return Err(Failure::missing_part(message).into());
        }
    }
    let writable = options.write.iter().map(|path| {
        path.canonicalize().map_err(|error| {
            Failure::bad_input(format!("--write `{}` cannot be found: {error}", path.display()))
        })
    });
    let policy = sandbox::Policy::files_only(writable.collect::<Result<Vec<PathBuf>, _>>()?);
    let (command, arguments) = options.command.split_first().context("no program given")?;
    // It returns only if it fails: else this process is the program now.
    Err(sandbox::exec(&policy, command, arguments).into())
}
