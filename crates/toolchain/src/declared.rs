//! What the POM of a library declares that it depends on, optional and provided dependencies included.
//!
//! Who compiles a library has these, who depends on it gets neither: Maven hands on only what is needed
//! at run time and not optional. Asked is the effective POM, in which parents and managed versions
//! are resolved; the library itself is not built.

use std::fs;

use crate::project::{EFFECTIVE_POM, read_answer};
use crate::xml::Element;
use crate::{Maven, ToolchainError, Transitive, resolve};

/// The dependencies that the POM of `group:artifact:version` declares, as such coordinates, in its order:
/// the jars of all scopes but `test` and `system`. Whether they are in any repository is not asked.
pub fn declared(maven: &Maven, coordinates: &str) -> Result<Vec<String>, ToolchainError> {
    let jars = resolve(maven, &[coordinates], Transitive::No)?;
    let Some(jar) = jars.first() else { return Ok(Vec::new()) };
    let folder = tempfile::Builder::new()
        .prefix("testhound-declared-")
        .tempdir()
        .map_err(ToolchainError::io("create a directory in", std::env::temp_dir()))?;
    // In a repository it lies beside the jar.
    let (pom, copy) = (jar.with_extension("pom"), folder.path().join("pom.xml"));
    fs::copy(&pom, &copy).map_err(ToolchainError::io("copy", &pom))?;
    let answer = folder.path().join("effective-pom.xml");
    let properties = [("output", &*answer.to_string_lossy())];
    maven.run(folder.path(), &[EFFECTIVE_POM], &properties)?;
    read_answer(&answer, parse)
}

fn parse(text: &str) -> Result<Vec<String>, String> {
    let project = Element::parse(text)?;
    if project.name != "project" {
        return Err(format!("the root element is <{}>", project.name));
    }
    let dependencies = project.child("dependencies").map_or(&[][..], |all| &all.children[..]);
    let is_meant = |dependency: &&Element| {
        let is_jar = dependency.text_at(&["type"]).is_none_or(|kind| kind == "jar");
        let scope = dependency.text_at(&["scope"]).unwrap_or("compile");
        let is_plain = dependency.text_at(&["classifier"]).is_none();
        is_jar && is_plain && !["test", "system", "import"].contains(&scope)
    };
    let coordinates = |dependency: &Element| {
        let part = |name: &str| {
            let missing = || format!("a dependency has no <{name}>");
            dependency.text_at(&[name]).map(str::to_owned).ok_or_else(missing)
        };
        Ok(format!("{}:{}:{}", part("groupId")?, part("artifactId")?, part("version")?))
    };
    dependencies.iter().filter(is_meant).map(coordinates).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dependencies: &str, expected: Result<&[&str], &str>) {
        let pom = format!("<project><dependencies>{dependencies}</dependencies></project>");
        let expected = expected.map(|all| all.iter().map(|one| (*one).to_owned()).collect());
        assert_eq!(parse(&pom), expected.map_err(str::to_owned));
    }

    fn dependency(artifact: &str, more: &str) -> String {
        let of = "<groupId>g</groupId><version>1</version>";
        format!("<dependency>{of}<artifactId>{artifact}</artifactId>{more}</dependency>")
    }

    #[test]
    fn all_scopes_count_but_those_of_tests_and_of_one_machine() {
        let of = |artifact, scope: &str| dependency(artifact, &format!("<scope>{scope}</scope>"));
        let all = [
            dependency("plain", "<type>jar</type>"),
            of("provided", "provided"),
            of("runtime", "runtime"),
            of("test", "test"),
            of("system", "system"),
            dependency("optional", "<scope>compile</scope><optional>true</optional>"),
            dependency("folder", "<type>zip</type>"),
            dependency("tests", "<classifier>tests</classifier>"),
        ];
        check(&all.concat(), Ok(&["g:plain:1", "g:provided:1", "g:runtime:1", "g:optional:1"]));
        check("", Ok(&[]));
        assert_eq!(parse("<project/>"), Ok(Vec::new()));
    }

    #[test]
    fn what_is_no_project_or_has_no_version_is_an_error() {
        let bare = "<dependency><groupId>g</groupId><artifactId>a</artifactId></dependency>";
        check(bare, Err("a dependency has no <version>"));
        assert_eq!(parse("<html/>"), Err("the root element is <html>".to_owned()));
    }

    #[test]
    fn optional_and_provided_dependencies_of_a_library_are_told() {
        let maven = Maven::find(None).expect("tests need Maven");
        let found = declared(&maven, "commons-logging:commons-logging:1.2").expect("declared");
        for expected in ["log4j:log4j:1.2.17", "javax.servlet:servlet-api:2.3"] {
            assert!(found.iter().any(|one| one == expected), "{found:?}");
        }
        assert!(!found.iter().any(|one| one.starts_with("junit:")), "{found:?}");
    }
}
