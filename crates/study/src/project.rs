//! The Maven project that judges a suite: the library from its jar, JUnit 5, Mockito, Surefire,
//! JaCoCo.
//!
//! It is what a user has, but for three folders that stand for the user's working directory,
//! temporary directory and home, so that whatever a test leaves there is seen.

use std::path::{Path, PathBuf};

use crate::StudyError;

const JUNIT: &str = "5.13.4";
const COMPILER: &str = "3.14.1";
const RESOURCES: &str = "3.3.1";
const SUREFIRE: &str = "3.5.4";
/// The version of JaCoCo that measures and that writes the report.
pub(crate) const JACOCO: &str = "0.8.14";
/// The engine that runs tests for JUnit 4 beside those for JUnit 5; of the version of `JUNIT`.
const JUNIT4: &str = "    <dependency>
      <groupId>org.junit.vintage</groupId>
      <artifactId>junit-vintage-engine</artifactId>
      <version>5.13.4</version>
      <scope>test</scope>
    </dependency>
";
/// Mockito, of the version that tests are written for.
const MOCKITO: &str = "    <dependency>
      <groupId>org.mockito</groupId>
      <artifactId>mockito-junit-jupiter</artifactId>
      <version>5.14.2</version>
      <scope>test</scope>
    </dependency>
";
/// Where the list of plugins ends.
const LAST_PLUGIN: &str = "    </plugins>\n";
/// A test that runs so long hangs: it fails then, and the others go on.
const LONGEST_TEST: &str = "junit.jupiter.execution.timeout.testable.method.default = 60s
junit.jupiter.execution.timeout.thread.mode.default = SEPARATE_THREAD
";
/// A suite that runs so long hangs.
const LONGEST_RUN_SECONDS: u32 = 900;

/// A project folder.
#[derive(Clone, Debug)]
pub(crate) struct Project {
    root: PathBuf,
    /// What the JVM of the tests is told of Mockito's agent.
    agent: Option<String>,
}

impl Project {
    /// Makes a project for tests of what these coordinates name, with the language level `release`; tests for
    /// JUnit 4 run too if that is asked for. Mockito's own jar is loaded as an agent: what it does
    /// else, attaching one to its own JVM, writes outside the project.
    pub(crate) fn create(
        root: &Path,
        dependencies: &[String],
        release: u32,
        with_junit4: bool,
        mockito: Option<&Path>,
    ) -> Result<Self, StudyError> {
        let agent = mockito.map(|jar| format!("-javaagent:{}", jar.display()));
        let project = Self { root: root.to_owned(), agent };
        let folders = [&project.tests(), &root.join("work"), &root.join("tmp"), &root.join("home")];
        for folder in folders {
            std::fs::create_dir_all(folder).map_err(StudyError::io("create", folder))?;
        }
        let file = root.join("pom.xml");
        std::fs::write(&file, pom(dependencies, release, with_junit4, project.agent()))
            .map_err(StudyError::io("write", &file))?;
        Ok(project)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// The option that loads Mockito's agent; empty without Mockito.
    pub(crate) fn agent(&self) -> &str {
        self.agent.as_deref().unwrap_or_default()
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

    /// Has tests that do not end fail one by one. Each has a thread of its own then, which a plain run
    /// does not give it: only where tests run on other classes than they were made for.
    pub(crate) fn limit_tests(&self) -> Result<(), StudyError> {
        let folder = self.root.join("src/test/resources");
        std::fs::create_dir_all(&folder).map_err(StudyError::io("make", &folder))?;
        let file = folder.join("junit-platform.properties");
        std::fs::write(&file, LONGEST_TEST).map_err(StudyError::io("write", &file))
    }

    /// Writes a further POM: that of the project, and one more plugin.
    pub(crate) fn add_pom(&self, name: &str, plugin: &str) -> Result<(), StudyError> {
        let file = self.root.join("pom.xml");
        let text = std::fs::read_to_string(&file).map_err(StudyError::io("read", &file))?;
        let text = text.replace(LAST_PLUGIN, &format!("{plugin}{LAST_PLUGIN}"));
        let file = self.root.join(name);
        std::fs::write(&file, text).map_err(StudyError::io("write", &file))
    }

    /// Adds a test that passes, for a run that only has Maven fetch all it needs.
    pub(crate) fn add_trivial_test(&self) -> Result<(), StudyError> {
        let main = self.root.join("src/main/java");
        std::fs::create_dir_all(&main).map_err(StudyError::io("create", &main))?;
        let subject = "class Trivial {\n    static int one() {\n        return 1;\n    }\n}\n";
        let test = "import static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport \
                    org.junit.jupiter.api.Test;\n\nclass TrivialTest {\n    @Test\n    void \
                    passes() {\n        assertEquals(1, Trivial.one());\n    }\n}\n";
        for (file, text) in
            [(main.join("Trivial.java"), subject), (self.tests().join("TrivialTest.java"), test)]
        {
            std::fs::write(&file, text).map_err(StudyError::io("write", &file))?;
        }
        Ok(())
    }
}

fn pom(dependencies: &[String], release: u32, with_junit4: bool, agent: &str) -> String {
    let dependency = |coordinates: &String| {
        let mut parts = coordinates.splitn(3, ':');
        let [group, artifact, version] = [(); 3].map(|()| parts.next().unwrap_or_default());
        format!(
            "    <dependency>\n      <groupId>{group}</groupId>\n      \
             <artifactId>{artifact}</artifactId>\n      <version>{version}</version>\n    \
             </dependency>\n"
        )
    };
    let dependencies: String = dependencies.iter().map(dependency).collect();
    let junit4 = if with_junit4 { JUNIT4 } else { "" };
    let mockito = if agent.is_empty() { "" } else { MOCKITO };
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
{mockito}{junit4}  </dependencies>
  <build>
    <plugins>
      <plugin>
        <artifactId>maven-resources-plugin</artifactId>
        <version>{RESOURCES}</version>
      </plugin>
      <plugin>
        <artifactId>maven-compiler-plugin</artifactId>
        <version>{COMPILER}</version>
        <configuration>
          <compilerArgs>
            <arg>-Xmaxerrs</arg>
            <arg>100000</arg>
          </compilerArgs>
        </configuration>
      </plugin>
      <plugin>
        <artifactId>maven-surefire-plugin</artifactId>
        <version>{SUREFIRE}</version>
        <configuration>
          <argLine>@{{argLine}} {agent} -Djava.io.tmpdir={base}/tmp -Duser.home={base}/home</argLine>
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
    use crate::{LIBRARIES, Library};

    #[test]
    fn the_pom_names_every_library_and_is_well_formed() {
        let all = LIBRARIES.map(|library| Library::coordinates(&library));
        let text = pom(&all, 17, true, "-javaagent:m.jar");
        toolchain::xml::go_over(&text, |_| Ok(())).expect("well-formed");
        for library in LIBRARIES {
            assert!(text.contains(&format!("<version>{}</version>", library.version)));
        }
        let plain = pom(&[], 17, false, "");
        assert!(text.contains("junit-vintage-engine") && !plain.contains("vintage"));
        assert!(text.contains("mockito-junit-jupiter") && !plain.contains("mockito"));
        assert!(JUNIT4.contains(&format!("<version>{JUNIT}</version>")));
        assert!(text.contains("<argLine>@{argLine} -javaagent:m.jar -Djava.io.tmpdir="));
    }
}
