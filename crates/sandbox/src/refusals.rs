//! Which system calls a policy refuses, and for which arguments.
//!
//! A list of what is refused, because what a JVM, its libraries and the C library need changes
//! from version to version; calls newer than the list are refused as a whole (`filter`), so the
//! list cannot fall behind the kernel.
//!
//! Invariant: a refusal looks at argument values only, never through a pointer, since the pointed
//! memory can change after it was looked at.

use nix::libc::{self, c_long};

use crate::{Network, NetworkInForce, Permission, Policy, Processes};

/// A system call refused: always, or when all tests of one of the alternatives hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) call: c_long,
    pub(crate) errno: i32,
    /// Empty: always.
    pub(crate) alternatives: Vec<Vec<Test>>,
}

/// A test of the low 32 bits of one argument, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Test {
    Is(u8, u32),
    IsNot(u8, u32),
    /// The bits in the mask have this value.
    Bits(u8, u32, u32),
}

use Test::{Bits, Is, IsNot};

/// The refusals of `policy`, given what became of the network.
pub(crate) fn of(policy: &Policy, network: &NetworkInForce) -> Vec<Refusal> {
    let mut refusals = Vec::new();
    processes(policy.processes, &mut refusals);
    // With several processes the own id is no constant; there the Landlock scope holds alone.
    if policy.signals == Permission::Deny && policy.processes != Processes::Allow {
        signals(std::process::id(), &mut refusals);
    }
    if policy.network != Network::Allow {
        sockets(network, &mut refusals);
    }
    if policy.metadata == Permission::Deny {
        always(libc::EPERM, METADATA, &mut refusals);
        always(libc::EPERM, METADATA_BY_PATH, &mut refusals);
        refusals.push(when(libc::SYS_ioctl, any_of(1, METADATA_IOCTLS)));
    }
    if policy.privileges == Permission::Deny {
        always(libc::EPERM, PRIVILEGED, &mut refusals);
        always(libc::EPERM, PRIVILEGED_BY_MACHINE, &mut refusals);
        refusals.push(when(libc::SYS_ioctl, any_of(1, TERMINAL_IOCTLS)));
    }
    if !refusals.is_empty() {
        // These submit other system calls past any filter.
        always(libc::ENOSYS, IO_URING, &mut refusals);
    }
    refusals
}

fn processes(processes: Processes, refusals: &mut Vec<Refusal>) {
    if processes == Processes::Allow {
        return;
    }
    // The flags of `clone3` lie behind a pointer; without it the C library calls `clone`.
    always(libc::ENOSYS, &[libc::SYS_clone3], refusals);
    refusals.push(when(libc::SYS_clone, vec![vec![Bits(0, bits(libc::CLONE_THREAD), 0)]]));
    always(libc::EPERM, FORKS, refusals);
    if processes == Processes::Deny {
        always(libc::EPERM, &[libc::SYS_execve, libc::SYS_execveat], refusals);
    }
}

fn signals(own: u32, refusals: &mut Vec<Refusal>) {
    for call in
        [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
    {
        refusals.push(when(call, vec![vec![IsNot(0, own)]]));
    }
    always(libc::EPERM, &[libc::SYS_tkill, libc::SYS_pidfd_send_signal], refusals);
    // A descriptor can be told to signal somebody once it is ready.
    let owners = [bits(libc::F_SETOWN), F_SETOWN_EX];
    refusals.push(when(libc::SYS_fcntl, any_of(1, &owners)));
    refusals.push(when(libc::SYS_ioctl, any_of(1, &[FIOSETOWN, SIOCSPGRP])));
    // A lowered limit kills as surely as a signal. 0 is the caller.
    refusals.push(when(libc::SYS_prlimit64, vec![vec![IsNot(0, own), IsNot(0, 0)]]));
}

fn sockets(network: &NetworkInForce, refusals: &mut Vec<Refusal>) {
    let [unix, inet, inet6] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6].map(bits);
    refusals.push(match network {
        NetworkInForce::PrivateLoopback => {
            when(libc::SYS_socket, vec![vec![IsNot(0, inet), IsNot(0, inet6)]])
        }
        _ => when(libc::SYS_socket, vec![]),
    });
    // A connected pair stays within the process, except that datagrams can be addressed anew
    // (and a raw Unix socket is a datagram socket).
    let kind = |kind: i32| Bits(1, 0xf, bits(kind));
    refusals.push(when(
        libc::SYS_socketpair,
        vec![vec![IsNot(0, unix)], vec![kind(libc::SOCK_DGRAM)], vec![kind(libc::SOCK_RAW)]],
    ));
}

fn always(errno: i32, calls: &[c_long], refusals: &mut Vec<Refusal>) {
    refusals.extend(calls.iter().map(|&call| Refusal { call, errno, alternatives: vec![] }));
}

fn when(call: c_long, alternatives: Vec<Vec<Test>>) -> Refusal {
    Refusal { call, errno: libc::EPERM, alternatives }
}

fn any_of(argument: u8, values: &[u32]) -> Vec<Vec<Test>> {
    values.iter().map(|&value| vec![Is(argument, value)]).collect()
}

fn bits(flags: i32) -> u32 {
    flags.cast_unsigned()
}

const F_SETOWN_EX: u32 = 15;
const FIOSETOWN: u32 = 0x8901;
const SIOCSPGRP: u32 = 0x8902;

/// Attribute flags, versions and extended flags of a file: they need no writable descriptor.
const METADATA_IOCTLS: &[u32] = &[
    0x4008_6602, // FS_IOC_SETFLAGS
    0x4004_6602, // FS_IOC32_SETFLAGS
    0x4008_7602, // FS_IOC_SETVERSION
    0x401c_5820, // FS_IOC_FSSETXATTR
    0x4008_6604, // EXT4_IOC_SETVERSION
];

/// Typing into the terminal of the user, taking it over, and freezing a file system.
const TERMINAL_IOCTLS: &[u32] = &[
    0x5412,      // TIOCSTI
    0x541c,      // TIOCLINUX
    0x541d,      // TIOCCONS
    0x540e,      // TIOCSCTTY
    0x5410,      // TIOCSPGRP
    0xc004_5877, // FIFREEZE
    0xc004_5878, // FITHAW
    0xc018_5879, // FITRIM
];

const IO_URING: &[c_long] =
    &[libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];

/// Numbers the C bindings do not name for every machine; all machines share them.
const FCHMODAT2: c_long = 452;
const SETXATTRAT: c_long = 463;
const REMOVEXATTRAT: c_long = 466;
const OPEN_TREE_ATTR: c_long = 467;
const FILE_SETATTR: c_long = 469;

const METADATA: &[c_long] = &[
    libc::SYS_fchmod,
    libc::SYS_fchmodat,
    FCHMODAT2,
    libc::SYS_fchown,
    libc::SYS_fchownat,
    libc::SYS_utimensat,
    libc::SYS_setxattr,
    libc::SYS_lsetxattr,
    libc::SYS_fsetxattr,
    SETXATTRAT,
    libc::SYS_removexattr,
    libc::SYS_lremovexattr,
    libc::SYS_fremovexattr,
    REMOVEXATTRAT,
    FILE_SETATTR,
];

const PRIVILEGED: &[c_long] = &[
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_process_madvise,
    libc::SYS_process_mrelease,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_move_pages,
    libc::SYS_migrate_pages,
    libc::SYS_setpriority,
    libc::SYS_ioprio_set,
    libc::SYS_sched_setparam,
    libc::SYS_sched_setscheduler,
    libc::SYS_sched_setattr,
    libc::SYS_sched_setaffinity,
    // Objects shared by name or number instead of by path.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_semget,
    libc::SYS_semctl,
    libc::SYS_msgget,
    libc::SYS_msgctl,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Mounts and namespaces.
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_move_mount,
    libc::SYS_open_tree,
    OPEN_TREE_ATTR,
    libc::SYS_fsopen,
    libc::SYS_fsconfig,
    libc::SYS_fsmount,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    libc::SYS_open_by_handle_at,
    libc::SYS_unshare,
    libc::SYS_setns,
    // Identity.
    libc::SYS_setuid,
    libc::SYS_setgid,
    libc::SYS_setreuid,
    libc::SYS_setregid,
    libc::SYS_setresuid,
    libc::SYS_setresgid,
    libc::SYS_setfsuid,
    libc::SYS_setfsgid,
    libc::SYS_setgroups,
    libc::SYS_capset,
    // The machine.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_fanotify_init,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_kexec_file_load,
    libc::SYS_reboot,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_settimeofday,
    libc::SYS_clock_settime,
    libc::SYS_clock_adjtime,
    libc::SYS_adjtimex,
    libc::SYS_sethostname,
    libc::SYS_setdomainname,
    libc::SYS_syslog,
    libc::SYS_acct,
    libc::SYS_quotactl,
    libc::SYS_quotactl_fd,
    libc::SYS_vhangup,
    libc::SYS_personality,
];

#[cfg(target_arch = "x86_64")]
mod machine {
    //! Calls that only the older machine has; the newer one offers their `…at` forms alone.
    use super::{c_long, libc};

    pub(super) const FORKS: &[c_long] = &[libc::SYS_fork, libc::SYS_vfork];
    pub(super) const METADATA_BY_PATH: &[c_long] = &[
        libc::SYS_chmod,
        libc::SYS_chown,
        libc::SYS_lchown,
        libc::SYS_utime,
        libc::SYS_utimes,
        libc::SYS_futimesat,
    ];
    pub(super) const PRIVILEGED_BY_MACHINE: &[c_long] = &[libc::SYS_iopl, libc::SYS_ioperm];
}

#[cfg(not(target_arch = "x86_64"))]
mod machine {
    //! Machines whose system calls are the generic list have no calls of their own to refuse.
    use super::c_long;

    pub(super) const FORKS: &[c_long] = &[];
    pub(super) const METADATA_BY_PATH: &[c_long] = &[];
    pub(super) const PRIVILEGED_BY_MACHINE: &[c_long] = &[];
}

use machine::{FORKS, METADATA_BY_PATH, PRIVILEGED_BY_MACHINE};
