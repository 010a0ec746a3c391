//! Mutation scores by PIT, run through Maven in the project of a suite.
//!
//! PIT mutates classes of the project's output folder only, so all classes of the library are put
//! there; the jar stays on the class path behind them for its resources. Mutated code can do what
//! the original never does, hence it runs confined as the suite does, and each process of it has a
//! bounded heap. PIT measures no coverage of some packages (`javax`, `com.sun`), whatever runs: where
//! it says that no mutant at all was reached, and JaCoCo saw the same tests reach the classes, there
//! is no score. Tests that fail without any mutation are skipped: red tests are told elsewhere.

use std::collections::BTreeMap;
use std::path::Path;

use model::ClassName;
use quick_xml::events::Event;
use toolchain::Maven;
use toolchain::xml::{attribute, go_over};

use crate::bench::{Bench, Subject, made, unpack};
use crate::error::last_lines;
use crate::project::Project;
use crate::{Count, StudyError};

const PIT: &str = "1.20.2";
const PIT_JUNIT5: &str = "1.2.3";
const GOAL: &str = "org.pitest:pitest-maven:mutationCoverage";
const POM: &str = "mutation-pom.xml";
/// What a test may take longer under mutation before it counts as caught in a loop.
const PATIENCE_MILLISECONDS: u32 = 2000;

/// Lines of PIT's log that are told.
const TOLD_LINES: usize = 20;

/// Mutants detected of all, by binary class name; or why PIT had no answer.
pub(crate) type Scores = Result<BTreeMap<String, Count>, String>;

/// Has Maven fetch what a run of PIT needs, in a project with the trivial test.
pub(crate) fn fetch(maven: &Maven, project: &Project) -> Result<(), StudyError> {
    project.add_pom(POM, &plugin(&["Trivial".to_owned()], &["TrivialTest".to_owned()], 1, ""))?;
    maven.run(project.root(), &["-f", POM, GOAL], &[])?;
    Ok(())
}

/// Runs PIT on these classes with the tests of a project that were compiled before; `is_reached`
/// says whether these tests run code of the classes.
pub(super) fn score(
    bench: &Bench,
    subject: &Subject,
    project: &Project,
    mutated: &[ClassName],
    (tests, is_reached): (&[String], bool),
    temporary: &Path,
) -> Result<Scores, StudyError> {
    let all = subject.world.project_classes();
    unpack(&subject.world, all, &made(project.target().join("classes"))?)?;
    // PIT leaves a project alone that has no folder for sources of its own.
    made(project.root().join("src/main/java"))?;
    let names: Vec<String> = mutated.iter().map(ClassName::to_binary).collect();
    project.add_pom(POM, &plugin(&names, tests, bench.jobs, project.agent()))?;
    let run = bench.confined().run(project, temporary, &["-f", POM, GOAL])?;
    if let Some(failure) = run.failure {
        return Ok(Err(failure));
    }
    let file = project.target().join("pit-reports/mutations.xml");
    if !file.is_file() {
        return Ok(Err(format!("PIT wrote no report\n{}", last_lines(&run.log, TOLD_LINES))));
    }
    let text = std::fs::read_to_string(&file).map_err(StudyError::io("read", &file))?;
    let report = parse(&text).map_err(StudyError::bad_output(file.display().to_string()))?;
    if is_reached && report.reached == 0 {
        return Ok(Err("PIT saw none of the classes run, though JaCoCo did".to_owned()));
    }
    Ok(Ok(report.scores))
}

fn plugin(mutated: &[String], tests: &[String], threads: usize, agent: &str) -> String {
    let list = |names: &[String]| -> String {
        names.iter().map(|name| format!("            <param>{name}</param>\n")).collect()
    };
    let (mutated, tests) = (list(mutated), list(tests));
    let agent = match agent {
        "" => String::new(),
        option => format!("            <value>{option}</value>\n"),
    };
    let base = "${project.basedir}";
    format!(
        "      <plugin>
        <groupId>org.pitest</groupId>
        <artifactId>pitest-maven</artifactId>
        <version>{PIT}</version>
        <dependencies>
          <dependency>
            <groupId>org.pitest</groupId>
            <artifactId>pitest-junit5-plugin</artifactId>
            <version>{PIT_JUNIT5}</version>
          </dependency>
        </dependencies>
        <configuration>
          <targetClasses>
{mutated}          </targetClasses>
          <targetTests>
{tests}          </targetTests>
          <outputFormats>
            <param>XML</param>
          </outputFormats>
          <timestampedReports>false</timestampedReports>
          <failWhenNoMutations>false</failWhenNoMutations>
          <skipFailingTests>true</skipFailingTests>
          <parseSurefireConfig>false</parseSurefireConfig>
          <parseSurefireArgLine>false</parseSurefireArgLine>
          <threads>{threads}</threads>
          <timeoutConstant>{PATIENCE_MILLISECONDS}</timeoutConstant>
          <jvmArgs>
            <value>-Xmx768m</value>
            <value>-Djava.io.tmpdir={base}/tmp</value>
            <value>-Duser.home={base}/home</value>
{agent}          </jvmArgs>
        </configuration>
      </plugin>
"
    )
}

/// What PIT reports.
#[derive(PartialEq, Eq, Default, Debug)]
struct Report {
    scores: BTreeMap<String, Count>,
    /// Mutants that some test reached.
    reached: u32,
}

/// Reads PIT's report.
fn parse(text: &str) -> Result<Report, String> {
    let mut report = Report::default();
    let mut detected: Option<bool> = None;
    let mut in_class = false;
    go_over(text, |event| {
        match event {
            Event::Start(tag) => match tag.local_name().as_ref() {
                "mutation" => {
                    detected = Some(attribute(tag, "detected")? == "true");
                    report.reached += u32::from(attribute(tag, "status")? != "NO_COVERAGE");
                }
                "mutatedClass" => in_class = true,
                _ => {}
            },
            Event::Text(text) if in_class => {
                let name = text.xml10_content();
                let detected = detected.ok_or("a class outside of a mutation")?;
                let count = report.scores.entry(name.trim().to_owned()).or_default();
                *count += Count { covered: u32::from(detected), total: 1 };
            }
            Event::End(tag) => match tag.local_name().as_ref() {
                "mutation" => detected = None,
                "mutatedClass" => in_class = false,
                _ => {}
            },
            _ => {}
        }
        Ok(())
    })?;
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutants_are_counted_by_class_whether_or_not_a_test_reaches_them() {
        let report = "<?xml version='1.0' encoding='UTF-8'?><mutations partial='true'>\
            <mutation detected='true' status='KILLED' numberOfTestsRun='1'><sourceFile>B.java\
            </sourceFile><mutatedClass>a.B</mutatedClass><mutatedMethod>m</mutatedMethod>\
            </mutation><mutation detected='false' status='NO_COVERAGE' numberOfTestsRun='0'>\
            <mutatedClass>a.B</mutatedClass></mutation><mutation detected='true' \
            status='TIMED_OUT'><mutatedClass>a.B$C</mutatedClass></mutation></mutations>";
        testkit::check_damaged(report, parse);
        let report = parse(report).expect("well-formed");
        let expected = [
            ("a.B".to_owned(), Count { covered: 1, total: 2 }),
            ("a.B$C".to_owned(), Count { covered: 1, total: 1 }),
        ];
        assert_eq!(report, Report { scores: BTreeMap::from(expected), reached: 2 });
    }

    #[test]
    fn a_report_that_is_cut_off_is_an_error() {
        let report =
            "<mutations><mutation detected='true' status='KILLED'><mutatedClass>a.B</mutatedClass>";
        assert!(parse(report).is_err());
        assert!(parse("<mutations><mutation><mutatedClass/></mutation></mutations>").is_err());
    }
}
