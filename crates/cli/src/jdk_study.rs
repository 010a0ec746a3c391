//! What the methods of the JDK change: found out once per JDK and kept in the user's cache.

use std::path::PathBuf;

use analysis::{Summaries, SummariesOrigin};
use classpath::JdkImage;
use worker::Subject;

/// The file that says what the JDK's methods change; it is made if there is none. If it cannot be
/// kept, the error is a warning: the search goes by the project's own methods then.
pub(crate) fn summaries(subject: &Subject) -> Result<PathBuf, String> {
    study(subject).map_err(|why| {
        let home = subject.jdk_home.display();
        format!("what the methods of the JDK {home} change is not known: {why}")
    })
}

fn study(subject: &Subject) -> Result<PathBuf, String> {
    let folder = cache_folder().ok_or("neither XDG_CACHE_HOME nor HOME is set")?;
    std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let file = folder.join(format!("jdk-{}.summaries", subject.feature));
    let image = JdkImage::open(&subject.jdk_home).map_err(|e| e.to_string())?;
    let summaries = Summaries::for_jdk(&image, &file).map_err(|e| e.to_string())?;
    match summaries.origin() {
        SummariesOrigin::Loaded | SummariesOrigin::Computed(Ok(())) => Ok(file),
        SummariesOrigin::Computed(Err(error)) => Err(format!("{}: {error}", file.display())),
    }
}

fn cache_folder() -> Option<PathBuf> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let base = set("XDG_CACHE_HOME")
        .map(PathBuf::from)
        .or_else(|| set("HOME").map(|home| PathBuf::from(home).join(".cache")))?;
    Some(base.join("testhound"))
}
