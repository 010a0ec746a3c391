//! The Maven project that judges a suite: the library from its jar, JUnit 5, Surefire, JaCoCo.
//!
//! It is what a user has, but for three folders that stand for the user's working directory,
//! temporary directory and home, so that whatever a test leaves there is seen.

use std::path::{Path, PathBuf};

use crate::{Library, StudyError};

const JUNIT: &str = "5.13.4";
const COMPILER: &str = "3.14.1";
const RESOURCES: &str = "3.3.1";
const SUREFIRE: &str = "3.5.4";
/// The version of JaCoCo that measures and that writes the report.
pub(crate) const JACOCO: &str = "0.8.14";
/// A suite that runs so long hangs.
const LONGEST_RUN_SECONDS: u32 = 900;

/// A project folder.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    root: PathBuf,
}

impl Project {
    /// Makes a project for tests of these libraries, with the language level `release`.
    pub(crate) fn create(
        root: &Path,
        libraries: &[Library],
        release: u32,
    ) -> Result<Self, StudyError> {
        let project = Self { root: root.to_owned() };
        let folders = [&project.tests(), &root.join("work"), &root.join("tmp"), &root.join("home")];
        for folder in folders {
            std::fs::create_dir_all(folder).map_err(StudyError::io("create", folder))?;
        }
        let file = root.join("pom.xml");
        std::fs::write(&file, pom(libraries, release)).map_err(StudyError::io("write", &file))?;
        Ok(project)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where test sources go.
    pub(crate) fn tests(&self) -> PathBuf {
        self.root.join("src/test/java")
    }

    /// Where Maven puts what it makes.
    pub(crate) fn target(&self) -> PathBuf {
        self.root.join("target")
    }

    /// What JaCoCo's agent recorded.
    pub(crate) fn recorded(&self) -> PathBuf {
        self.target().join("jacoco.exec")
    }

    /// Surefire's reports.
    pub(crate) fn reports(&self) -> PathBuf {
        self.target().join("surefire-reports")
    }

    /// Adds a test that passes, for a run that only has Maven fetch all it needs.
    pub(crate) fn add_trivial_test(&self) -> Result<(), StudyError> {
        let file = self.tests().join("TrivialTest.java");
        let text = "import org.junit.jupiter.api.Test;\n\nclass TrivialTest {\n    @Test\n    \
                    void passes() {}\n}\n";
        std::fs::write(&file, text).map_err(StudyError::io("write", &file))
    }
}

fn pom(libraries: &[Library], release: u32) -> String {
    let dependency = |library: &Library| {
        let Library { group, artifact, version, .. } = library;
        format!(
            "    <dependency>\n      <groupId>{group}</groupId>\n      \
             <artifactId>{artifact}</artifactId>\n      <version>{version}</version>\n    \
             </dependency>\n"
        )
    };
    let dependencies: String = libraries.iter().map(dependency).collect();
    let base = "${project.basedir}";
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>testhound.study</groupId>
  <artifactId>suite</artifactId>
  <version>1</version>
  <properties>
    <maven.compiler.release>{release}</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <dependencies>
{dependencies}    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter</artifactId>
      <version>{JUNIT}</version>
      <scope>test</scope>
    </dependency>
  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>{RESOURCES}</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>{COMPILER}</version>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>{SUREFIRE}</version>
        <configuration>
          <argLine>@{{argLine}} -Djava.io.tmpdir={base}/tmp -Duser.home={base}/home</argLine>
          <workingDirectory>{base}/work</workingDirectory>
          <forkedProcessTimeoutInSeconds>{LONGEST_RUN_SECONDS}</forkedProcessTimeoutInSeconds>
        </configuration>
      </plugin>
      <plugin>
        <groupId>org.jacoco</groupId>
        <artifactId>jacoco-maven-plugin</artifactId>
        <version>{JACOCO}</version>
        <executions>
          <execution>
            <goals>
              <goal>prepare-agent</goal>
            </goals>
          </execution>
        </executions>
      </plugin>
    </plugins>
  </build>
</project>
"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::LIBRARIES;

    #[test]
    fn the_pom_names_every_library_and_is_well_formed() {
        let text = pom(&LIBRARIES, 17);
        let mut reader = quick_xml::Reader::from_str(&text);
        loop {
            match reader.read_event().expect("well-formed") {
                quick_xml::events::Event::Eof => break,
                _ => continue,
            }
        }
        for library in LIBRARIES {
            assert!(text.contains(&format!("<version>{}</version>", library.version)));
        }
        assert!(text.contains("<argLine>@{argLine} -Djava.io.tmpdir=${project.basedir}/tmp"));
    }
}
