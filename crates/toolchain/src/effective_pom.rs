//! What Maven's effective POM says about each module of a build.

use std::path::{Path, PathBuf};

use crate::xml::Element;

/// The facts of one module that tests depend on. Paths are absolute in an effective POM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EffectivePom {
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) packaging: String,
    pub(crate) directory: PathBuf,
    pub(crate) output_directory: PathBuf,
    pub(crate) test_output_directory: PathBuf,
    pub(crate) source_directory: PathBuf,
    pub(crate) test_source_directory: PathBuf,
    pub(crate) surefire: Option<String>,
}

/// Reads `help:effective-pom`: one `project`, or several in `projects`.
pub(crate) fn parse(text: &str) -> Result<Vec<EffectivePom>, String> {
    let root = Element::parse(text)?;
    match root.name.as_str() {
        "project" => Ok(vec![module(&root)?]),
        "projects" => root.children.iter().map(module).collect(),
        other => Err(format!("the root element is <{other}>")),
    }
}

fn module(project: &Element) -> Result<EffectivePom, String> {
    let text = |path: &[&str]| {
        let missing = || format!("a project has no <{}>", path.join("><"));
        project.text_at(path).map(str::to_owned).ok_or_else(missing)
    };
    let path = |name: &str| text(&["build", name]).map(PathBuf::from);
    let packaging = project.text_at(&["packaging"]).unwrap_or("jar");
    Ok(EffectivePom {
        group: text(&["groupId"])?,
        artifact: text(&["artifactId"])?,
        packaging: packaging.to_owned(),
        directory: base(&path("scriptSourceDirectory")?, &path("directory")?),
        output_directory: path("outputDirectory")?,
        test_output_directory: path("testOutputDirectory")?,
        source_directory: path("sourceDirectory")?,
        test_source_directory: path("testSourceDirectory")?,
        surefire: plugin_version(project, "maven-surefire-plugin"),
    })
}

/// The directory of a module. It is not in the effective POM, but the script directory, which
/// nobody sets, lies at a fixed place below it; else the build directory usually does.
fn base(scripts: &Path, build: &Path) -> PathBuf {
    let base =
        if scripts.ends_with("src/main/scripts") { scripts.ancestors().nth(3) } else { None };
    base.or_else(|| build.parent()).unwrap_or(build).to_owned()
}

fn plugin_version(project: &Element, artifact: &str) -> Option<String> {
    let plugins = project.child("build")?.child("plugins")?;
    let plugin =
        plugins.children.iter().find(|plugin| plugin.text_at(&["artifactId"]) == Some(artifact))?;
    plugin.text_at(&["version"]).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pom(build: &str) -> String {
        format!("<project><groupId>g</groupId><artifactId>a</artifactId>{build}</project>")
    }

    const BUILD: &str = "<build>
        <sourceDirectory>/p/src/main/java</sourceDirectory>
        <scriptSourceDirectory>/p/src/main/scripts</scriptSourceDirectory>
        <testSourceDirectory>/p/src/test/java</testSourceDirectory>
        <outputDirectory>/elsewhere/classes</outputDirectory>
        <testOutputDirectory>/elsewhere/test-classes</testOutputDirectory>
        <directory>/elsewhere</directory>
        <plugins><plugin><artifactId>maven-surefire-plugin</artifactId>
        <version>3.2.5</version></plugin></plugins></build>";

    #[test]
    fn one_project_and_several_are_read_alike() {
        let one = parse(&pom(BUILD)).expect("a project");
        let two = parse(&format!("<projects>{0}{0}</projects>", pom(BUILD))).expect("projects");
        assert_eq!(two, [one.clone(), one.clone()].concat());
        assert_eq!(one[0].directory, Path::new("/p"));
        assert_eq!(one[0].surefire.as_deref(), Some("3.2.5"));
        assert_eq!(one[0].packaging, "jar");
    }

    #[test]
    fn what_is_missing_is_named() {
        let check = |text: &str, expected: &str| assert_eq!(parse(text), Err(expected.to_owned()));
        check(&pom(""), "a project has no <build><scriptSourceDirectory>");
        check("<html/>", "the root element is <html>");
    }
}
