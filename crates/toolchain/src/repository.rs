//! The local Maven repository, searched without Maven.

use std::fs;
use std::path::{Path, PathBuf};

use crate::version;
use crate::xml::Element;

/// The user's local repository: as the user's settings say, else `~/.m2/repository`.
pub fn local_repository() -> Option<PathBuf> {
    let home = std::env::home_dir()?.join(".m2");
    let settings = fs::read_to_string(home.join("settings.xml")).ok();
    let configured = settings.and_then(|text| configured_in(&text));
    Some(configured.unwrap_or_else(|| home.join("repository"))).filter(|path| path.is_dir())
}

/// `localRepository` of a settings file, with `${user.home}` and `${env.NAME}` replaced.
fn configured_in(settings: &str) -> Option<PathBuf> {
    let settings = Element::parse(settings).ok()?;
    let path = settings.text_at(&["localRepository"])?;
    let mut resolved = String::new();
    let mut rest = path;
    while let Some((before, after)) = rest.split_once("${") {
        let (name, after) = after.split_once('}')?;
        let value = match name.strip_prefix("env.") {
            Some(variable) => std::env::var(variable).ok()?,
            None if name == "user.home" => std::env::home_dir()?.to_str()?.to_owned(),
            None => return None,
        };
        resolved = resolved + before + &value;
        rest = after;
    }
    Some(PathBuf::from(resolved + rest))
}

/// A repository directory, laid out as Maven does.
#[derive(Debug, Clone)]
pub(crate) struct Repository {
    root: PathBuf,
}

impl Repository {
    pub(crate) fn at(root: &Path) -> Self {
        Self { root: root.to_owned() }
    }

    /// The jar of a module in one version, if it is there.
    pub(crate) fn jar(&self, group: &str, artifact: &str, version: &str) -> Option<PathBuf> {
        let directory = self.artifact(group, artifact).join(version);
        Some(directory.join(format!("{artifact}-{version}.jar"))).filter(|jar| jar.is_file())
    }

    /// The released versions whose jar is there, newest first.
    pub(crate) fn versions(&self, group: &str, artifact: &str) -> Vec<String> {
        let entries = fs::read_dir(self.artifact(group, artifact)).into_iter().flatten();
        let mut versions: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|version| version::is_release(version))
            .filter(|version| self.jar(group, artifact, version).is_some())
            .collect();
        versions.sort_by(|one, other| version::compare(other, one));
        versions
    }

    /// The newest released jar.
    pub(crate) fn newest(&self, group: &str, artifact: &str) -> Option<PathBuf> {
        self.jar(group, artifact, self.versions(group, artifact).first()?)
    }

    fn artifact(&self, group: &str, artifact: &str) -> PathBuf {
        self.root.join(group.replace('.', "/")).join(artifact)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(setting: &str, expected: Option<&Path>) {
        let text = format!("<settings><localRepository>{setting}</localRepository></settings>");
        assert_eq!(configured_in(&text).as_deref(), expected, "{setting}");
    }

    #[test]
    fn settings_may_refer_to_the_home_directory() {
        let home = std::env::home_dir().expect("a home directory");
        check("/var/repository", Some(Path::new("/var/repository")));
        check("${user.home}/maven", Some(&home.join("maven")));
        check("${what.else}/maven", None);
        assert_eq!(configured_in("<settings/>"), None);
    }
}
