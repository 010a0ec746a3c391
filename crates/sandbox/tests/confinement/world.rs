//! What surrounds the confined process: directories, servers, and a process to attack.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::net::{TcpListener, UdpSocket};
use std::os::unix::fs::{MetadataExt, lchown, symlink};
use std::os::unix::net::UnixListener;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// The user that tests run as besides the one who started them.
pub const OTHER_USER: u32 = 65534;

/// Where the confined process finds what it attacks; travels in its arguments.
pub struct Addresses {
    pub outside: PathBuf,
    pub scratch: PathBuf,
    pub unix: PathBuf,
    pub tcp: u16,
    pub udp: u16,
    pub victim: i32,
}

impl Addresses {
    pub fn to_arguments(&self) -> Vec<String> {
        let root = self.outside.parent().expect("outside lies in a directory");
        let numbers = [self.tcp.to_string(), self.udp.to_string(), self.victim.to_string()];
        [vec![root.to_str().expect("a temporary path in UTF-8").to_owned()], numbers.to_vec()]
            .concat()
    }

    pub fn from_arguments(arguments: &[String]) -> Self {
        let root = PathBuf::from(&arguments[0]);
        Self {
            outside: root.join("outside"),
            scratch: root.join("scratch"),
            unix: root.join("outside/socket"),
            tcp: arguments[1].parse().expect("a port"),
            udp: arguments[2].parse().expect("a port"),
            victim: arguments[3].parse().expect("a process id"),
        }
    }
}

/// Directories, servers and a victim, for one confined process.
pub struct World {
    pub addresses: Addresses,
    before: String,
    directory: tempfile::TempDir,
    user: Option<u32>,
    tcp: TcpListener,
    udp: UdpSocket,
    unix: UnixListener,
    victim: Child,
}

impl World {
    /// A world owned by `user`, or by whoever runs the test.
    pub fn new(user: Option<u32>) -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let [outside, scratch] = ["outside", "scratch"].map(|name| directory.path().join(name));
        lay_out(&outside);
        lay_out(&scratch);
        symlink(outside.join("target"), scratch.join("way-out")).expect("a link");
        let unix_path = outside.join("socket");
        let unix = UnixListener::bind(&unix_path).expect("a socket");
        if let Some(user) = user {
            give(directory.path(), user);
        }
        let tcp = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let udp = UdpSocket::bind(("127.0.0.1", 0)).expect("a port");
        for nonblocking in [tcp.set_nonblocking(true), udp.set_nonblocking(true)] {
            nonblocking.expect("a socket that does not block");
        }
        unix.set_nonblocking(true).expect("a socket that does not block");
        let mut sleep = Command::new("sleep");
        sleep.arg("120").stdin(Stdio::null());
        if let Some(user) = user {
            sleep.uid(user).gid(user);
        }
        let victim = sleep.spawn().expect("a process to attack");
        let addresses = Addresses {
            outside,
            scratch,
            unix: unix_path,
            tcp: tcp.local_addr().expect("bound").port(),
            udp: udp.local_addr().expect("bound").port(),
            victim: victim.id().try_into().expect("a process id"),
        };
        let before = state(&addresses.outside);
        Self { addresses, before, directory, user, tcp, udp, unix, victim }
    }

    /// Runs this test program again as `mode`, in this world, in a process group of its own.
    pub fn run(&self, mode: &[&str], rest: &[&str]) -> Output {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(mode).args(self.addresses.to_arguments()).args(rest);
        command.current_dir(self.directory.path()).process_group(0);
        if let Some(user) = self.user {
            command.uid(user).gid(user);
        }
        command.output().expect("this program starts")
    }

    /// Whether the files outside are as they were when the world was made.
    pub fn outside_is_untouched(&self) -> bool {
        state(&self.addresses.outside) == self.before
    }

    /// Whether one of the servers heard anything.
    pub fn was_reached(&self) -> bool {
        self.tcp.accept().is_ok() || self.unix.accept().is_ok() || self.udp.recv(&mut [0]).is_ok()
    }

    /// Whether the process to attack still runs.
    pub fn victim_lives(&mut self) -> bool {
        self.victim.try_wait().expect("a child").is_none()
    }
}

impl Drop for World {
    fn drop(&mut self) {
        // Already gone where it was attacked with success; nothing to do about either failure.
        let _ = self.victim.kill();
        let _ = self.victim.wait();
    }
}

/// Fills a directory with what the attempts on files expect.
fn lay_out(directory: &Path) {
    for made in [directory, &directory.join("directory"), &directory.join("removed")] {
        fs::create_dir(made).expect("a directory");
    }
    for name in
        ["overwritten", "appended", "deleted", "renamed", "moved", "linked", "truncated", "emptied"]
    {
        fs::write(directory.join(name), "content").expect("a file");
    }
    fs::write(directory.join("target"), "content").expect("a file");
    symlink("target", directory.join("pointer")).expect("a link");
}

/// Everything about the files below `directory` that a process could have changed.
fn state(directory: &Path) -> String {
    let mut entries = BTreeMap::new();
    let mut pending = vec![directory.to_owned()];
    while let Some(path) = pending.pop() {
        let status = fs::symlink_metadata(&path).expect("status");
        if status.is_dir() {
            let children = fs::read_dir(&path).expect("a directory");
            pending.extend(children.map(|child| child.expect("an entry").path()));
        }
        entries.insert(path, status);
    }
    let mut state = String::new();
    for (path, status) in entries {
        let content = if status.is_file() { fs::read(&path).expect("content") } else { vec![] };
        let (mode, owner, links) = (status.mode(), status.uid(), status.nlink());
        let modified = (status.mtime(), status.mtime_nsec());
        writeln!(state, "{path:?} {mode:o} {owner} {links} {modified:?} {content:?}")
            .expect("a string takes everything");
    }
    state
}

fn give(path: &Path, user: u32) {
    if path.is_dir() && !path.is_symlink() {
        for child in fs::read_dir(path).expect("a directory") {
            give(&child.expect("an entry").path(), user);
        }
    }
    lchown(path, Some(user), Some(user)).expect("root gives files away");
}
