//! A real JVM in the sandbox, started by `sandbox::exec`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use nix::unistd::geteuid;

use crate::world::{OTHER_USER, World};

/// Tries the same as `attempts`, as Java code does. Prints the names of what succeeded.
const PROGRAM: &str = r#"
import java.io.*;
import java.net.*;
import java.nio.file.*;
import java.util.*;

public class Attempts {
    interface Attempt { boolean run() throws Exception; }

    static void attempt(String name, Attempt attempt) {
        String outcome;
        try {
            outcome = attempt.run() ? "ok" : "false";
        } catch (Throwable thrown) {
            outcome = thrown.toString();
        }
        System.out.println(name + " " + outcome.replace('\n', ' '));
    }

    public static void main(String[] arguments) throws Exception {
        Path outside = Path.of(arguments[0]), scratch = Path.of(arguments[1]);
        int port = Integer.parseInt(arguments[2]);
        long victim = Long.parseLong(arguments[3]);
        attempt("read", () -> Files.readString(outside.resolve("deleted")).equals("content"));
        attempt("delete", () -> outside.resolve("deleted").toFile().delete());
        attempt("write", () -> Files.writeString(outside.resolve("overwritten"), "x") != null);
        attempt("stream", () -> {
            new FileOutputStream(outside.resolve("appended").toFile(), true).close();
            return true;
        });
        attempt("scratch", () -> Files.exists(Files.createTempFile("made", ".txt")));
        attempt("threads", () -> {
            int[] sum = {0};
            for (int i = 0; i < 8; i++) {
                Thread thread = new Thread(() -> sum[0]++);
                thread.start();
                thread.join();
            }
            return sum[0] == 8;
        });
        attempt("compiled", () -> {
            long sum = 0;
            for (int i = 0; i < 50_000_000; i++) {
                sum += i ^ (sum >> 3);
            }
            return sum != 0;
        });
        attempt("times", () -> outside.resolve("linked").toFile().setLastModified(1000));
        attempt("process", () -> new ProcessBuilder("true").start().waitFor() == 0);
        attempt("socket", () -> { new Socket("127.0.0.1", port).close(); return true; });
        attempt("loopback", () -> {
            InetAddress here = InetAddress.getLoopbackAddress();
            try (ServerSocket server = new ServerSocket(0, 1, here);
                    Socket client = new Socket(here, server.getLocalPort());
                    Socket peer = server.accept()) {
                peer.getOutputStream().write(42);
                return client.getInputStream().read() == 42;
            }
        });
        attempt("signal", () -> ProcessHandle.of(victim).get().destroyForcibly());
    }
}
"#;

pub fn as_a_tool_deletes_nothing_outside() {
    // A tool may change metadata, start processes and use the network.
    let expected =
        ["compiled", "loopback", "process", "read", "scratch", "socket", "threads", "times"];
    check("files", None, &expected);
}

pub fn as_code_under_test_is_alone() {
    let mut expected = vec!["compiled", "read", "scratch", "threads"];
    if sandbox::support().network_namespace.is_available() {
        expected.push("loopback");
    }
    check("replace", None, &expected);
    if geteuid().is_root() {
        check("replace", Some(OTHER_USER), &expected);
    }
}

/// Runs the program on every JDK of the machine by policy `name`, as `user` if given.
fn check(name: &str, user: Option<u32>, expected: &[&str]) {
    let jdks = jdks();
    assert!(!jdks.is_empty(), "no JDK in JAVA_HOME, on PATH or in /usr/lib/jvm");
    for java in jdks {
        let mut world = World::new(user);
        let to = &world.addresses;
        let source = to.scratch.join("Attempts.java");
        fs::write(&source, PROGRAM).expect("a file");
        let (outside, scratch) = (path(&to.outside), path(&to.scratch));
        let temporary = format!("-Djava.io.tmpdir={scratch}");
        let (port, victim) = (to.tcp.to_string(), to.victim.to_string());
        let output = world.run(
            &["exec", name],
            &[
                path(&java),
                "-XX:-UsePerfData",
                &temporary,
                path(&source),
                outside,
                scratch,
                &port,
                &victim,
            ],
        );
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let succeeded: BTreeSet<&str> =
            text.lines().filter_map(|line| line.strip_suffix(" ok")).collect();
        assert_eq!(succeeded, expected.iter().copied().collect(), "{java:?}: {text}{output:?}");
        assert!(output.status.success(), "{output:?}");
        assert_eq!(text.lines().count(), 12, "all attempts were made: {text}");
        assert!(world.victim_lives(), "the process outside lives");
        assert!(world.addresses.outside.join("deleted").exists());
    }
}

fn path(path: &Path) -> &str {
    path.to_str().expect("a path in UTF-8")
}

/// `java` of JAVA_HOME, of PATH and of the usual directory, each JDK once.
fn jdks() -> BTreeSet<PathBuf> {
    let home = std::env::var_os("JAVA_HOME").map(|home| PathBuf::from(home).join("bin"));
    let search = std::env::var_os("PATH").unwrap_or_default();
    let installed = fs::read_dir("/usr/lib/jvm")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    home.into_iter()
        .chain(std::env::split_paths(&search))
        .chain(installed)
        .filter_map(|directory| directory.join("java").canonicalize().ok())
        .collect()
}
