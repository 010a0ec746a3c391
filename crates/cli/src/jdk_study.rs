//! What the methods of the JDK change: found out once per JDK and kept in the user's cache, or, where
//! that cannot be, for this run.
//!
//! Invariant: whether it can be kept makes no difference to what is searched for, only to how soon that
//! begins: the same seed gives the same tests.

use std::path::{Path, PathBuf};

use analysis::{Summaries, SummariesOrigin};
use anyhow::Context;
use classpath::JdkImage;
use worker::Subject;

/// The file that says what the JDK's methods change, and a warning if it could not be kept.
#[derive(Debug)]
pub(crate) struct JdkStudy {
    /// It is made if there is none. `None` if that JDK cannot be studied: the search goes by the
    /// project's own methods then.
    pub(crate) file: Option<PathBuf>,
    pub(crate) warning: Option<String>,
}

/// Looks into the cache, else studies the JDK; `scratch` is the folder of the run.
pub(crate) fn study(subject: &Subject, scratch: &Path) -> anyhow::Result<JdkStudy> {
    let home = subject.jdk_home.display();
    let name = format!("jdk-{}.summaries", subject.feature);
    let own = scratch.join(&name);
    let cached = cache_folder().map(|folder| folder.join(&name));
    let file = cached.as_ref().unwrap_or(&own);
    let image = JdkImage::open(&subject.jdk_home).map_err(|error| error.to_string());
    let studied =
        image.and_then(|image| Summaries::for_jdk(&image, file).map_err(|error| error.to_string()));
    let summaries = match studied {
        Ok(summaries) => summaries,
        Err(why) => {
            let warning = format!("what the methods of the JDK {home} change is not known: {why}");
            return Ok(JdkStudy { file: None, warning: Some(warning) });
        }
    };
    let not_kept = match summaries.origin() {
        SummariesOrigin::Loaded | SummariesOrigin::Computed(Ok(())) if cached.is_some() => None,
        SummariesOrigin::Loaded | SummariesOrigin::Computed(Ok(())) => {
            Some("neither XDG_CACHE_HOME nor HOME is set".to_owned())
        }
        SummariesOrigin::Computed(Err(error)) => Some(format!("{}: {error}", file.display())),
    };
    let Some(why) = not_kept else {
        return Ok(JdkStudy { file: Some(file.clone()), warning: None });
    };
    summaries.save(&own).with_context(|| format!("cannot write `{}`", own.display()))?;
    let warning = format!(
        "what the methods of the JDK {home} change is found out anew each time, for it cannot be \
         kept: {why}"
    );
    Ok(JdkStudy { file: Some(own), warning: Some(warning) })
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = set("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    Some(base.join("testhound"))
}
