//! Q4, Q17: code under test does nothing to the machine, whatever it tries, and what tried
//! something is in no test.

use std::fs;
use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, Command};

use crate::fixture::Fixture;
use crate::run::{Generate, Generated};

/// What code under test would like to harm.
struct Victim {
    folder: tempfile::TempDir,
    tcp: TcpListener,
    udp: UdpSocket,
    neighbour: Child,
    before: String,
}

impl Victim {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::write(folder.path().join("precious.txt"), "precious").expect("a file");
        fs::write(folder.path().join("other.txt"), "other").expect("a file");
        let tcp = TcpListener::bind("127.0.0.1:0").expect("a listener");
        tcp.set_nonblocking(true).expect("a listener that does not wait");
        let udp = UdpSocket::bind("127.0.0.1:0").expect("a socket");
        udp.set_nonblocking(true).expect("a socket that does not wait");
        let neighbour = Command::new("sleep").arg("600").spawn().expect("a process");
        let before = look(folder.path());
        Self { folder, tcp, udp, neighbour, before }
    }

    fn fixture(&self) -> Fixture {
        let port = |address: std::io::Result<std::net::SocketAddr>| {
            address.expect("an address").port().to_string()
        };
        Fixture::filled_in(
            "effects",
            &[
                ("@FOLDER@", &self.folder.path().display().to_string()),
                ("@TCP@", &port(self.tcp.local_addr())),
                ("@UDP@", &port(self.udp.local_addr())),
                ("@NEIGHBOUR@", &self.neighbour.id().to_string()),
            ],
        )
    }

    fn assert_unharmed(&mut self) {
        assert_eq!(look(self.folder.path()), self.before);
        let refused = |error: std::io::Error| assert_eq!(error.kind(), ErrorKind::WouldBlock);
        refused(self.tcp.accept().map(|(_, from)| panic!("a connection from {from}")).unwrap_err());
        let mut bytes = [0; 8];
        refused(self.udp.recv(&mut bytes).map(|_| panic!("a packet came")).unwrap_err());
        let ended = self.neighbour.try_wait().expect("a child to ask for");
        assert!(ended.is_none(), "the process next door is gone");
    }
}

impl Drop for Victim {
    fn drop(&mut self) {
        let _ = self.neighbour.kill();
        let _ = self.neighbour.wait();
    }
}

/// All there is to see of a folder: names, kinds, modes, links, times, contents.
fn look(folder: &Path) -> String {
    let mut seen: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| {
            let path = entry.expect("a folder entry").path();
            let data = path.symlink_metadata().expect("a file");
            let text = fs::read_to_string(&path).unwrap_or_default();
            let time = (data.mtime(), data.mtime_nsec());
            format!("{} {:o} {} {time:?} {text}\n", path.display(), data.mode(), data.nlink())
        })
        .collect();
    seen.sort();
    seen.concat()
}

fn generated(fixture: &Fixture, class: &str) -> Generated {
    Generate::on(fixture).with(["--class", &format!("effects.{class}")]).run()
}

#[test]
fn effects_do_not_happen_are_told_and_are_in_no_test() {
    let mut victim = Victim::new();
    let generated = generated(&victim.fixture(), "Effects");
    victim.assert_unharmed();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let source = generated.sources();
    assert!(source.contains(".doubled()"), "the good method has no test:\n{source}");
    for (effect, members) in [
        ("deleted a file", &["deleteFile", "deleteAll"][..]),
        ("wrote a file", &["overwrite", "append", "truncate", "create", "makeFolder"]),
        ("wrote a file", &["forbid", "permit", "touch"]),
        ("moved or linked a file", &["rename", "move", "link", "linkSymbolically"]),
        ("used the network", &["connect", "send", "listen"]),
        ("started or ended a process", &["start", "killParent", "killNeighbour", "signal"]),
    ] {
        for member in members {
            assert!(!source.contains(&format!(".{member}(")), "{member} is in a test:\n{source}");
            let reasons = generated.reasons("effects.Effects", member);
            let [reason] = &reasons[..] else { panic!("{member}: {reasons:?}") };
            assert!(reason.starts_with("unsafe-effect: ") && reason.contains(effect), "{reason}");
        }
    }
}

#[test]
fn only_the_harmless_use_of_a_method_is_in_a_test() {
    let mut victim = Victim::new();
    let generated = generated(&victim.fixture(), "Effects");
    victim.assert_unharmed();
    let source = generated.sources();
    assert!(source.contains(".deleteIf(false)"), "{source}");
    assert!(!source.contains(".deleteIf(true)"), "{source}");
}

#[test]
fn a_static_initializer_with_an_effect_rules_its_class_out() {
    let mut victim = Victim::new();
    let generated = generated(&victim.fixture(), "DeletesWhenLoaded");
    victim.assert_unharmed();
    assert_eq!(generated.said.code(), 0);
    assert!(generated.files.is_empty());
    let reasons = generated.reasons("effects.DeletesWhenLoaded", "");
    let [reason] = &reasons[..] else { panic!("one reason is enough: {reasons:?}") };
    assert!(reason.starts_with("unsafe-effect: its initializer deleted a file"), "{reason}");
    assert!(reason.contains("precious.txt"), "{reason}");
}

#[test]
fn effects_of_equals_and_to_string_do_not_happen_either() {
    let mut victim = Victim::new();
    let generated = generated(&victim.fixture(), "DeletesWhenCompared");
    victim.assert_unharmed();
    let source = generated.sources();
    assert!(source.contains(".doubled()"), "the good method has no test:\n{source}");
    for member in ["equals", "hashCode", "toString"] {
        assert!(!source.contains(&format!(".{member}(")), "{member} is in a test:\n{source}");
        let reasons = generated.reasons("effects.DeletesWhenCompared", member);
        let [reason] = &reasons[..] else { panic!("{member}: {reasons:?}") };
        assert_eq!(reason, "unsafe-effect: deleted a file");
    }
}

#[test]
fn code_that_looks_before_it_acts_is_in_no_test() {
    let mut victim = Victim::new();
    let generated = generated(&victim.fixture(), "LooksFirst");
    victim.assert_unharmed();
    let source = generated.sources();
    assert!(source.contains(".doubled()"), "the good method has no test:\n{source}");
    assert!(source.contains(".lookIf(false)"), "{source}");
    assert!(!source.contains(".lookIf(true)"), "{source}");
    for member in [
        "deleteIfExists",
        "delete",
        "deleteIfLong",
        "clearHome",
        "cleanTemp",
        "touch",
        "copy",
        "move",
        "read",
    ] {
        assert!(!source.contains(&format!(".{member}(")), "{member} is in a test:\n{source}");
        let reasons = generated.reasons("effects.LooksFirst", member);
        let [reason] = &reasons[..] else { panic!("{member}: {reasons:?}") };
        assert!(reason.starts_with("unsafe-effect: "), "{member}: {reason}");
        assert!(reason.contains("looked for a file"), "{member}: {reason}");
    }
    // The folders of a run are not empty, so what deletes all it finds is seen to.
    let [reason] = &generated.reasons("effects.LooksFirst", "cleanTemp")[..] else { panic!() };
    assert!(reason.contains("deleted a file"), "{reason}");
}

#[test]
fn a_static_initializer_that_looks_for_a_file_rules_its_class_out() {
    let mut victim = Victim::new();
    let generated = generated(&victim.fixture(), "LooksWhenLoaded");
    victim.assert_unharmed();
    assert!(generated.files.is_empty());
    let reasons = generated.reasons("effects.LooksWhenLoaded", "");
    assert_eq!(reasons, ["unsafe-effect: its initializer looked for a file (settings)"]);
}

#[test]
fn resources_and_the_files_of_the_jdk_may_be_read() {
    let victim = Victim::new();
    let generated = generated(&victim.fixture(), "ReadsResources");
    let source = generated.sources();
    for member in ["firstByte", "hasMissing", "services", "month", "lazily"] {
        assert!(source.contains(&format!(".{member}(")), "{member} has no test:\n{source}");
    }
}

#[test]
fn what_finalizers_and_cleaners_do_counts() {
    let mut victim = Victim::new();
    let generated = generated(&victim.fixture(), "ActsWhenGarbage");
    victim.assert_unharmed();
    assert_eq!(generated.said.code(), 0, "{}", generated.said.err);
    let source = generated.sources();
    assert!(source.contains(".doubled()"), "the good method has no test:\n{source}");
    for member in ["finalized", "cleaned"] {
        assert!(!source.contains(&format!(".{member}(")), "{member} is in a test:\n{source}");
    }
    let class = generated.class("effects.ActsWhenGarbage");
    assert!(class["dropped"]["unsafe_effect"].as_u64() >= Some(2), "{class:#}");
}
