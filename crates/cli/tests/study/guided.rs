//! The study of the guided search: two classes of a small program, with all it can measure; and a
//! study that is killed goes on where it was.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::{command, study};

/// Stands for a peer with the command line of EvoSuite: it writes a test for JUnit 4 that passes, and
/// one that does not compile. It runs nothing of the code under test.
const PEER: &str = r#"
import java.nio.file.Files;
import java.nio.file.Path;

public class Peer {
    public static void main(String[] args) throws Exception {
        String line = String.join(" ", args);
        if (!line.contains("-class org.hamcrest.") || !line.contains("-Dsearch_budget=1")) {
            System.exit(7);
        }
        String out = line.replaceAll(".*-Dtest_dir=(\\S+).*", "$1");
        Path folder = Files.createDirectories(Path.of(out, "peer"));
        Files.writeString(folder.resolve("Marker_ESTest.java"), "package peer;\n"
            + "public class Marker_ESTest {\n"
            + "    @org.junit.Test public void makes() {\n"
            + "        org.junit.Assert.assertTrue(\n"
            + "            org.hamcrest.core.IsNot.not(\"a\").matches(\"b\"));\n"
            + "    }\n}\n");
        Files.writeString(folder.resolve("Broken_ESTest.java"),
            "package peer;\npublic class Broken_ESTest { Missing missing; }\n");
    }
}
"#;

/// The stand-in as a jar.
fn peer(folder: &Path) -> PathBuf {
    let jdk = toolchain::select(None, 17).expect("tests need a JDK");
    std::fs::write(folder.join("Peer.java"), PEER).expect("written");
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(jdk.program(program));
        let output = command.current_dir(folder).args(arguments).output().expect("a JDK's program");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    run("javac", &["Peer.java"]);
    run("jar", &["--create", "--file", "peer.jar", "--main-class", "Peer", "Peer.class"]);
    folder.join("peer.jar")
}

fn number(value: &Value, path: &str) -> f64 {
    let found = value.pointer(path).and_then(Value::as_f64);
    found.unwrap_or_else(|| panic!("no {path} in {value}"))
}

#[test]
fn a_small_program_gets_every_figure() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("study");
    let jar = peer(folder.path());
    let mut arguments = vec!["guided", "--program", "hamcrest-core", "--classes", "2"];
    arguments.extend(["--budget", "1", "--mutation-budget", "1"]);
    arguments.extend(["--components", "--component-budget", "0.3"]);
    arguments.extend(["--peer-jar", jar.to_str().expect("a plain path")]);
    let (result, _) = study(&arguments, &out);

    let own = &result["pieces"][0];
    assert_eq!(own["kind"], "own");
    assert_eq!(
        (&own["role"], own["classes"].as_array().map(Vec::len)),
        (&"tuning".into(), Some(2))
    );
    assert!(number(own, "/tests") >= 5.0, "{own}");
    assert!(number(own, "/assertions") >= 5.0, "{own}");
    assert_eq!(number(own, "/green"), number(own, "/tests"));
    assert!(number(own, "/wall") > 1.0 && number(own, "/scheduled") >= 1.0, "{own}");
    assert_eq!(own["mutation_failure"], Value::Null);
    for class in own["classes"].as_array().expect("classes") {
        // By two ways of measuring, on the same tests.
        let covered =
            ["own", "jacoco"].map(|who| number(class, &format!("/{who}/branches/covered")));
        assert!(covered[0] > 0.0 && (covered[0] - covered[1]).abs() <= 2.0, "{class}");
        assert!(number(class, "/jacoco/instructions/covered") > 10.0, "{class}");
        let mutants = ["covered", "total"].map(|key| number(class, &format!("/mutants/{key}")));
        assert!(mutants[0] > 0.0 && mutants[0] <= mutants[1], "{class}");
    }
    let all = result["averages"].as_array().expect("averages");
    let all = all.iter().find(|a| a["role"].is_null() && a["kind"] == "own").expect("of all");
    for figure in ["branches", "own_branches", "instructions", "mutants"] {
        let percent = number(all, &format!("/by_program/{figure}"));
        assert!((20.0..=100.0).contains(&percent), "{figure}: {all}");
    }

    let peer = &result["pieces"][1];
    assert_eq!(peer["kind"], "peer");
    assert_eq!((number(peer, "/tests"), number(peer, "/green")), (1.0, 1.0), "{peer}");
    let troubles = peer["peer_troubles"].as_array().expect("a list");
    assert_eq!(troubles, &["Broken_ESTest.java does not compile"]);
    let covered = |piece: &Value| -> f64 {
        let classes = piece["classes"].as_array().expect("classes");
        classes.iter().map(|class| number(class, "/jacoco/instructions/covered")).sum()
    };
    assert!(covered(peer) > 0.0 && covered(peer) < covered(own), "{peer}");

    let rows = result["components"].as_array().expect("components");
    let variants: Vec<&str> = rows.iter().filter_map(|row| row["variant"].as_str()).collect();
    let count = search::Component::ALL.len();
    assert_eq!(variants.len(), 2 + 2 * count, "{variants:?}");
    assert_eq!(variants[..2], ["all", "none"]);
    for component in search::Component::ALL {
        for kind in ["without", "only"] {
            assert!(variants.contains(&&*format!("{kind}-{}", component.name())), "{variants:?}");
        }
    }
    for row in rows {
        let classes = row["classes"].as_object().expect("by class");
        let covered: f64 = classes.values().map(|count| number(count, "/covered")).sum();
        assert!(classes.len() == 2 && covered > 0.0, "{row}");
    }
}

#[test]
fn a_study_that_is_killed_goes_on_with_the_piece_it_was_at() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("study");
    let mut arguments = vec!["guided", "--program", "hamcrest-core", "--classes", "1"];
    arguments.extend(["--budget", "0.5", "--budget", "1", "--no-mutation"]);
    let first = out.join("hamcrest-core-0.5s.json");
    let mut killed = command(&arguments, &out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    let started = Instant::now();
    while !first.is_file() {
        assert!(started.elapsed() < Duration::from_secs(300), "no piece is finished");
        assert!(killed.try_wait().expect("a child").is_none(), "it ended without a piece");
        std::thread::sleep(Duration::from_millis(20));
    }
    killed.kill().expect("killed");
    killed.wait().expect("a child");
    assert!(!out.join("hamcrest-core-1s.json").exists(), "killed too late");
    let kept = std::fs::read_to_string(&first).expect("a result");

    let (result, said) = study(&arguments, &out);
    assert!(said.contains("1 piece to do") && said.contains("1 done before"), "{said}");
    assert!(!said.contains("at 0.5 s"), "{said}");
    assert_eq!(std::fs::read_to_string(&first).expect("a result"), kept);
    let pieces = result["pieces"].as_array().expect("pieces");
    let budgets: Vec<f64> = pieces.iter().map(|p| number(p, "/question/budget")).collect();
    assert_eq!(budgets, [0.5, 1.0]);
    assert_eq!(pieces[0], serde_json::from_str::<Value>(&kept).expect("JSON"));

    let (again, said) = study(&arguments, &out);
    assert_eq!(again, result);
    assert!(said.contains("0 pieces to do") && said.contains("2 done before"), "{said}");
}
