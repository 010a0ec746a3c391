//! Runs in the confined process: tries everything, prints what came of each attempt.
//!
//! The same attempts run unconfined as a control: there every one of them succeeds, which is what
//! makes a refusal in the sandbox mean something.

use std::fs::{self, File, FileTimes, OpenOptions, Permissions};
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream, UdpSocket};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt, chown, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, SystemTime};

use nix::libc;
use nix::mount::{MntFlags, MsFlags, mount, umount2};
use nix::sys::resource::{Resource, getrlimit};
use nix::sys::signal::{Signal, kill, raise};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, socket, socketpair};
use nix::sys::stat::{Mode, SFlag, UtimensatFlags, mknod, utimensat};
use nix::sys::{ptrace, time::TimeSpec, wait::waitpid};
use nix::unistd::{Pid, getpid, getuid, mkfifo, setuid, truncate};

use crate::world::Addresses;

type Outcome = io::Result<()>;
type Attempt = fn(&Path, &Addresses) -> Outcome;

/// Attempts on files, made in a directory laid out by `world::lay_out`.
pub const ON_FILES: &[(&str, Attempt)] = &[
    ("overwrite", |dir, _| fs::write(dir.join("overwritten"), "changed")),
    ("append", |dir, _| {
        OpenOptions::new().append(true).open(dir.join("appended"))?.write_all(b"more")
    }),
    ("create", |dir, _| File::create(dir.join("created")).map(drop)),
    ("delete", |dir, _| fs::remove_file(dir.join("deleted"))),
    ("rename", |dir, _| fs::rename(dir.join("renamed"), dir.join("renamed-to"))),
    ("rename_between_directories", |dir, _| {
        fs::rename(dir.join("moved"), dir.join("directory/moved"))
    }),
    ("hard_link", |dir, _| fs::hard_link(dir.join("linked"), dir.join("link"))),
    ("symbolic_link", |dir, _| symlink("linked", dir.join("symlink"))),
    ("truncate_by_path", |dir, _| Ok(truncate(&dir.join("truncated"), 1)?)),
    // Opening for reading with this flag empties the file all the same.
    ("truncate_by_open", |dir, _| {
        let mut options = OpenOptions::new();
        options.read(true).custom_flags(libc::O_TRUNC).open(dir.join("emptied")).map(drop)
    }),
    ("make_directory", |dir, _| fs::create_dir(dir.join("made"))),
    ("remove_directory", |dir, _| fs::remove_dir(dir.join("removed"))),
    ("make_pipe", |dir, _| Ok(mkfifo(&dir.join("pipe"), Mode::S_IRWXU)?)),
    ("write_through_symbolic_link", |dir, _| fs::write(dir.join("pointer"), "changed")),
];

/// Attempts to carry a right from the scratch directory to files outside.
pub const ESCAPING: &[(&str, Attempt)] = &[
    ("write_through_link_to_outside", |dir, _| fs::write(dir.join("way-out"), "changed")),
    ("link_outside_file_into_scratch", |dir, to| {
        fs::hard_link(to.outside.join("linked"), dir.join("stolen"))
    }),
    ("move_outside_file_into_scratch", |dir, to| {
        fs::rename(to.outside.join("target"), dir.join("taken"))
    }),
    ("move_scratch_file_outside", |dir, to| {
        fs::rename(dir.join("linked"), to.outside.join("given"))
    }),
    ("rename_scratch", |dir, _| {
        let elsewhere = dir.with_extension("renamed");
        fs::rename(dir, &elsewhere)?;
        fs::rename(elsewhere, dir)
    }),
];

/// Attempts on file metadata, which no kernel mechanism judges by path.
pub const ON_METADATA: &[(&str, Attempt)] = &[
    ("change_mode", |dir, _| {
        fs::set_permissions(dir.join("appended"), Permissions::from_mode(0o600))
    }),
    ("change_mode_of_open_file", |dir, _| {
        File::open(dir.join("appended"))?.set_permissions(Permissions::from_mode(0o640))
    }),
    ("change_owner", |dir, _| chown(dir.join("appended"), Some(getuid().as_raw()), None)),
    ("change_times", |dir, _| {
        let epoch = TimeSpec::new(0, 0);
        let path = dir.join("appended");
        Ok(utimensat(nix::fcntl::AT_FDCWD, &path, &epoch, &epoch, UtimensatFlags::FollowSymlink)?)
    }),
    ("change_times_of_open_file", |dir, _| {
        File::open(dir.join("appended"))?
            .set_times(FileTimes::new().set_modified(SystemTime::UNIX_EPOCH))
    }),
];

/// Attempts to open a new thing of the process's own; made in the scratch directory.
pub const LOOPBACK: &[(&str, Attempt)] = &[
    ("tcp_with_itself", |_, _| talk(TcpListener::bind(("127.0.0.1", 0))?)),
    ("tcp_with_itself_v6", |_, _| talk(TcpListener::bind(("::1", 0))?)),
    ("udp_with_itself", |_, _| {
        let server = UdpSocket::bind(("127.0.0.1", 0))?;
        UdpSocket::bind(("127.0.0.1", 0))?.send_to(b"x", server.local_addr()?)?;
        server.recv(&mut [0]).map(drop)
    }),
];

/// Attempts to reach somebody outside.
pub const REACHING_OUT: &[(&str, Attempt)] = &[
    ("tcp_to_outside", |_, to| TcpStream::connect(("127.0.0.1", to.tcp)).map(drop)),
    // Where nobody listens, the second datagram reports what became of the first.
    ("udp_to_outside", |_, to| {
        let client = UdpSocket::bind(("127.0.0.1", 0))?;
        client.connect(("127.0.0.1", to.udp))?;
        client.send(b"x")?;
        std::thread::sleep(Duration::from_millis(20));
        client.send(b"x").map(drop)
    }),
    ("unix_socket_to_outside", |_, to| UnixStream::connect(&to.unix).map(drop)),
    ("unix_datagrams", |_, _| {
        let kind = SockType::Datagram;
        Ok(socketpair(AddressFamily::Unix, kind, None, SockFlag::empty()).map(drop)?)
    }),
    ("named_unix_socket", |dir, _| UnixListener::bind(dir.join("own-socket")).map(drop)),
    ("routing_socket", |_, _| {
        Ok(socket(AddressFamily::Netlink, SockType::Raw, SockFlag::empty(), None).map(drop)?)
    }),
];

/// Attempts to start something.
pub const STARTING: &[(&str, Attempt)] =
    &[("start_process", |_, _| Command::new("/bin/true").status().map(drop))];

/// Becoming another program; that the program is missing shows that it was looked for.
pub const BECOMING: &[(&str, Attempt)] = &[("become_program", |dir, _| {
    use std::os::unix::process::CommandExt;
    let error = Command::new(dir.join("no-such-program")).exec();
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
})];

/// Attempts on the process `to.victim`, the deadly one last.
pub const SIGNALLING: &[(&str, Attempt)] = &[
    ("signal_process_group", |_, _| Ok(kill(Pid::from_raw(0), Signal::SIGCONT)?)),
    ("signal_victim", |_, to| Ok(kill(Pid::from_raw(to.victim), Signal::SIGKILL)?)),
];

/// Attempts that change the process's standing or the machine, open to every user.
pub const PRIVILEGED: &[(&str, Attempt)] = &[
    ("trace_victim", |_, to| {
        let victim = Pid::from_raw(to.victim);
        ptrace::attach(victim)?;
        waitpid(victim, None)?;
        Ok(ptrace::detach(victim, None)?)
    }),
    ("set_user", |_, _| Ok(setuid(getuid())?)),
    ("leave_shared_state", |_, _| Ok(nix::sched::unshare(nix::sched::CloneFlags::CLONE_FS)?)),
];

/// Attempts that only root can make even without a sandbox.
pub const ROOT_ONLY: &[(&str, Attempt)] = &[
    ("mount", |dir, _| {
        let none: Option<&str> = None;
        let target = dir.join("directory");
        mount(Some("none"), &target, Some("tmpfs"), MsFlags::empty(), none)?;
        Ok(umount2(&target, MntFlags::empty())?)
    }),
    ("make_device", |dir, _| {
        let null = nix::sys::stat::makedev(1, 3);
        Ok(mknod(&dir.join("device"), SFlag::S_IFCHR, Mode::S_IRWXU, null)?)
    }),
];

/// What must go on working in every sandbox.
pub const ALWAYS_ALLOWED: &[(&str, Attempt)] = &[
    ("read_file", |_, to| fs::read(to.outside.join("overwritten")).map(drop)),
    ("list_directory", |_, to| fs::read_dir(&to.outside).map(drop)),
    ("start_threads", |_, _| {
        let threads: Vec<_> = (0..8).map(|n| std::thread::spawn(move || n)).collect();
        let sum: i32 = threads.into_iter().map(|thread| thread.join().expect("no panic")).sum();
        if sum == 28 { Ok(()) } else { Err(io::Error::other(format!("sum {sum}"))) }
    }),
    ("confined_threads_read", |_, to| {
        let path = to.outside.join("overwritten");
        std::thread::spawn(move || fs::read(path)).join().expect("no panic").map(drop)
    }),
    ("write_null_device", |_, _| fs::write("/dev/null", "x")),
    ("signal_itself", |_, _| {
        kill(getpid(), Signal::SIGCONT)?;
        Ok(raise(Signal::SIGCONT)?)
    }),
    ("stream_pair", |_, _| {
        let (mut one, mut other) = UnixStream::pair()?;
        one.write_all(b"x")?;
        other.read_exact(&mut [0])
    }),
];

/// What the limits of `Policy::code_under_test` look like from inside.
pub const LIMITED: &[(&str, Attempt)] = &[
    ("core_dumps_on", |_, _| above(Resource::RLIMIT_CORE, 0)),
    ("file_size_unlimited", |_, _| above(Resource::RLIMIT_FSIZE, 1 << 30)),
];

/// Threads started after entering are confined too.
pub const FROM_A_THREAD: &[(&str, Attempt)] = &[("create_from_a_thread", |dir, _| {
    let path = dir.join("created-by-thread");
    std::thread::spawn(move || File::create(path)).join().expect("no panic").map(drop)
})];

/// Makes the attempts in a directory and prints one line for each.
pub fn report(prefix: &str, attempts: &[(&str, Attempt)], directory: &Path, to: &Addresses) {
    for (name, attempt) in attempts {
        match attempt(directory, to) {
            Ok(()) => println!("{prefix}{name} ok"),
            Err(error) => println!("{prefix}{name} {error}"),
        }
    }
}

fn talk(server: TcpListener) -> Outcome {
    let mut client = TcpStream::connect(server.local_addr()?)?;
    server.accept()?.0.write_all(b"x")?;
    client.read_exact(&mut [0])
}

fn above(resource: Resource, limit: u64) -> Outcome {
    let (soft, hard) = getrlimit(resource)?;
    if soft.max(hard) > limit { Ok(()) } else { Err(io::Error::other(format!("{soft} {hard}"))) }
}
