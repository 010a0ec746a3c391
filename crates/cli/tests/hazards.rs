//! What holds here and breaks in a user's own run never reaches an emitted test: standard
//! streams, members added by coverage agents, files.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

const LOGGED: &str = "package fixture;
public class Logged {
    private static final java.util.logging.Logger LOG =
            java.util.logging.Logger.getLogger(\"fixture\");
    public static int half(int number) {
        if (number % 2 != 0) {
            LOG.finest(\"odd\");
        }
        return number / 2;
    }
}";

const MUTE: &str = "package fixture;
import java.io.*;
public class Mute {
    public static int close(FileInputStream in) throws IOException {
        in.close();
        return 1;
    }
    public static int mute() throws IOException {
        new FileOutputStream(FileDescriptor.out).close();
        return 1;
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";

const MIRROR: &str = "package fixture;
public class Mirror {
    private static int unused;
    public static int fields() {
        return Mirror.class.getDeclaredFields().length;
    }
    public static int methods() {
        return Mirror.class.getDeclaredMethods().length;
    }
    public static int twice(int number) {
        return number > 100 ? number : 2 * number;
    }
}";

const MEMORY: &str = "package fixture;
import java.io.*;
public class Memory {
    public static boolean remember(String name) throws IOException {
        return new File(\"kept-\" + name + \".txt\").createNewFile();
    }
    public static boolean knows(String name) {
        return new File(\"kept-\" + name + \".txt\").isFile();
    }
}";

/// Compiles a class of package `fixture`, has tests written, returns its report and its tests.
fn generate(name: &str, source: &str) -> (Value, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let jdk = toolchain::select(None, 17).expect("a JDK");
    let file = folder.path().join(format!("{name}.java"));
    let classes = folder.path().join("classes");
    std::fs::write(&file, source).expect("a file");
    let compiled = Command::new(jdk.home.join("bin/javac"))
        .args([Path::new("-d"), &classes, &file])
        .status()
        .expect("javac runs");
    assert!(compiled.success());
    let out = folder.path().join("tests");
    let output = Command::new(env!("CARGO_BIN_EXE_testhound"))
        .args(["generate", "--json", "--steps", "3000", "--classpath"])
        .arg(&classes)
        .arg("--out")
        .arg(&out)
        .output()
        .expect("the program runs");
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{e}: {}", String::from_utf8_lossy(&output.stderr)));
    let tests = out.join(format!("fixture/{name}Test.java"));
    let text = std::fs::read_to_string(&tests).unwrap_or_else(|e| panic!("{e}: {report}"));
    (report["classes"][0].clone(), text)
}

#[test]
fn a_class_with_a_logger_gets_tests() {
    let (report, tests) = generate("Logged", LOGGED);
    assert_eq!(report["reasons"].as_array().map(Vec::len), Some(0), "{report}");
    assert_eq!(report["branches"]["covered"], report["branches"]["total"]);
    assert!(tests.contains("Logged.half("), "{tests}");
    assert_eq!(report["dropped"]["unsafe_effect"], 0, "{report}");
}

#[test]
fn the_descriptors_of_standard_streams_stay_open() {
    let (report, tests) = generate("Mute", MUTE);
    assert!(!tests.contains("FileDescriptor.") && !tests.contains("Mute.mute("), "{tests}");
    // The search sees it once only: the descriptor stays closed. A fresh JVM sees it again.
    assert_eq!(report["dropped"]["unsafe_effect"], 1, "{report}");
    assert!(tests.contains("Mute.twice("), "{tests}");
}

#[test]
fn what_depends_on_the_members_of_a_class_is_dropped() {
    let (report, tests) = generate("Mirror", MIRROR);
    assert!(!tests.contains("fields()") && !tests.contains("methods()"), "{tests}");
    assert_eq!(report["dropped"]["environment"], 2, "{report}");
    assert!(tests.contains("Mirror.twice("), "{tests}");
}

#[test]
fn a_method_that_is_not_measured_is_told() {
    let mut body = String::new();
    for number in 0..4200 {
        body.push_str(&format!("if (n == {number}) t += {number};\n"));
    }
    let source = format!(
        "package fixture; public class Huge {{
             public static int huge(int n) {{ int t = 0; {body} return t; }}
             public static int twice(int n) {{ return n > 100 ? n : 2 * n; }}
         }}"
    );
    let (report, tests) = generate("Huge", &source);
    assert!(tests.contains("Huge.twice("), "{tests}");
    let notes = report["notes"].as_array().expect("notes");
    let notes: Vec<&str> = notes.iter().filter_map(Value::as_str).collect();
    let told = "not in the coverage figures: fixture.Huge.huge(I)I (it is too large";
    assert!(notes.iter().any(|note| note.starts_with(told)), "{notes:?}");
}

#[test]
fn a_static_initializer_that_fills_a_large_table_is_run_to_its_end() {
    let source = "package fixture; public class Table {
        private static final int[] SQUARES = new int[2_000_000];
        static { for (int i = 0; i < SQUARES.length; i++) { SQUARES[i] = i * i; } }
        public static int square(int n) { return n < 0 ? -1 : SQUARES[n % SQUARES.length]; }
    }";
    let (report, tests) = generate("Table", source);
    assert!(tests.contains("Table.square("), "{tests}");
    assert_eq!(report["reasons"].as_array().map(Vec::len), Some(0), "{report}");
}

#[test]
fn a_large_static_initializer_of_another_class_is_run_to_its_end() {
    let source = "package fixture; public class User {
        private int state;
        public int next(int b) { state = UserTable.at(state ^ b); return state; }
        public static boolean isSmall(int n) { return UserTable.at(n) < 4711; }
    }
    final class UserTable {
        private static final int[] ROWS = new int[1 << 16];
        static {
            for (int i = 0; i < ROWS.length; i++) { ROWS[i] = row(i); }
        }
        private static int row(int i) {
            int sum = i;
            for (int k = 0; k < 99; k++) { sum += k & 1; }
            return sum;
        }
        static int at(int i) { return ROWS[i & 0xffff]; }
    }";
    let (report, tests) = generate("User", source);
    assert!(tests.contains(".next(") && tests.contains("User.isSmall("), "{tests}");
    assert_eq!(report["reasons"].as_array().map(Vec::len), Some(0), "{report}");
}

#[test]
fn tests_with_a_temporary_folder_do_not_ask_for_the_date() {
    let source = "package fixture; import java.nio.file.*;
    public class Shelf {
        public static boolean has(Path path) { return Files.isRegularFile(path); }
    }";
    let (report, tests) = generate("Shelf", source);
    assert!(tests.contains("@TempDir") && tests.contains("assertTrue(Shelf.has("), "{tests}");
    // Where a test asks for the date, all run at many.
    assert_eq!(report["seconds"]["fresh_runs"].as_f64(), Some(0.0), "{report}");
}

#[test]
fn what_depends_on_files_is_in_no_test() {
    let (report, tests) = generate("Memory", MEMORY);
    // A name that is only a part of the file's leads to no temporary folder.
    assert!(!tests.contains("Memory.knows(") && !tests.contains("Memory.remember("), "{tests}");
    let reasons = report["reasons"].as_array().expect("reasons");
    let details: Vec<_> = reasons.iter().filter_map(|reason| reason["detail"].as_str()).collect();
    assert_eq!(details.len(), 2, "{report}");
    assert!(details.contains(&"looked for a file"), "{report}");
    assert!(details.iter().any(|detail| detail.starts_with("wrote a file")), "{report}");
    assert_eq!(report["dropped"]["unsafe_effect"], 0, "the search knew: {report}");
}
