//! Turns refusals into seccomp filters and installs them.
//!
//! One filter per error number, because a filter has one answer, and one more that refuses every
//! call newer than the list in `refusals` was made for. The kernel runs all of them and takes the
//! strictest answer.

use std::collections::BTreeMap;

use nix::libc;
use seccompiler::{
    BackendError, BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition,
    SeccompFilter, SeccompRule, TargetArch, sock_filter,
};

use crate::refusals::{Refusal, Test};
use crate::{Mechanism, SandboxError};

/// The highest system call number that `refusals` was written with knowledge of
/// (`file_setattr`, Linux 6.17).
const LAST_REVIEWED: u32 = 469;

/// Installs `refusals` for this thread and its descendants; returns how many calls they concern.
pub(crate) fn restrict(refusals: &[Refusal]) -> Result<usize, SandboxError> {
    if refusals.is_empty() {
        return Ok(0);
    }
    let machine = TargetArch::try_from(std::env::consts::ARCH).map_err(|error| {
        SandboxError::Unsupported { mechanism: Mechanism::Seccomp, reason: error.to_string() }
    })?;
    let merged = merge(refusals);
    let programs =
        compile(&merged, machine).map_err(SandboxError::step("compile a seccomp filter"))?;
    for program in &programs {
        seccompiler::apply_filter(program).map_err(|error| match error {
            seccompiler::Error::Seccomp(source) => SandboxError::Unsupported {
                mechanism: Mechanism::Seccomp,
                reason: source.to_string(),
            },
            other => {
                SandboxError::Step { step: "install a seccomp filter", source: Box::new(other) }
            }
        })?;
    }
    Ok(merged.len())
}

/// One refusal per call. A call refused always stays so, whatever else says about its arguments.
fn merge(refusals: &[Refusal]) -> BTreeMap<i64, Refusal> {
    let mut merged: BTreeMap<i64, Refusal> = BTreeMap::new();
    for refusal in refusals {
        merged
            .entry(refusal.call)
            .and_modify(|known| {
                if refusal.alternatives.is_empty() {
                    known.clone_from(refusal);
                } else if !known.alternatives.is_empty() {
                    known.alternatives.extend(refusal.alternatives.iter().cloned());
                }
            })
            .or_insert_with(|| refusal.clone());
    }
    merged
}

fn compile(
    refusals: &BTreeMap<i64, Refusal>,
    machine: TargetArch,
) -> Result<Vec<BpfProgram>, BackendError> {
    let mut by_errno: BTreeMap<i32, BTreeMap<i64, Vec<SeccompRule>>> = BTreeMap::new();
    for (&call, refusal) in refusals {
        let rules = refusal.alternatives.iter().map(|tests| rule(tests)).collect::<Result<_, _>>();
        by_errno.entry(refusal.errno).or_default().insert(call, rules?);
    }
    let mut programs = vec![newer_calls()];
    for (errno, rules) in by_errno {
        let refused = SeccompAction::Errno(errno.unsigned_abs());
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, machine)?;
        programs.push(filter.try_into()?);
    }
    Ok(programs)
}

fn rule(tests: &[Test]) -> Result<SeccompRule, BackendError> {
    let conditions = tests
        .iter()
        .map(|&test| {
            let (argument, operator, value) = match test {
                Test::Is(argument, value) => (argument, SeccompCmpOp::Eq, value),
                Test::IsNot(argument, value) => (argument, SeccompCmpOp::Ne, value),
                Test::Bits(argument, mask, value) => {
                    (argument, SeccompCmpOp::MaskedEq(mask.into()), value)
                }
            };
            SeccompCondition::new(argument, SeccompCmpArgLen::Dword, operator, value.into())
        })
        .collect::<Result<_, _>>()?;
    SeccompRule::new(conditions)
}

/// Answers "no such call" to every number past [`LAST_REVIEWED`], as an older kernel would. That
/// includes the x32 calls of x86-64, whose numbers have bit 30 set.
fn newer_calls() -> BpfProgram {
    let instruction = |code: u32, jt, jf, k| sock_filter { code: code as u16, jt, jf, k };
    let refuse = libc::SECCOMP_RET_ERRNO | libc::ENOSYS.unsigned_abs();
    let number = 0; // offset of `nr` in `struct seccomp_data`
    vec![
        instruction(libc::BPF_LD | libc::BPF_W | libc::BPF_ABS, 0, 0, number),
        instruction(libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K, 0, 1, LAST_REVIEWED),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, refuse),
        instruction(libc::BPF_RET | libc::BPF_K, 0, 0, libc::SECCOMP_RET_ALLOW),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::refusals::of;
    use crate::simulated_kernel::answer;
    use crate::{NetworkInForce, Permission, Policy, Processes};

    const MACHINES: [(TargetArch, u32); 2] =
        [(TargetArch::x86_64, 0xc000_003e), (TargetArch::aarch64, 0xc000_00b7)];
    const NO_NETWORK: NetworkInForce = NetworkInForce::None { reason: None };

    /// What becomes of a call by `policy`: an error number, or `None` for "allowed".
    fn check(
        policy: &Policy,
        network: &NetworkInForce,
        call: i64,
        arguments: &[u64],
        expected: Option<i32>,
    ) {
        let refusals = merge(&of(policy, network));
        for (machine, number) in MACHINES {
            let programs = compile(&refusals, machine).expect("filters compile");
            let length: usize = programs.iter().map(Vec::len).sum();
            assert!(length < 4096, "{length} instructions are more than the kernel takes");
            let errno = answer(&programs, number, call, arguments);
            let expected = expected.map(i32::unsigned_abs);
            assert_eq!(errno, expected, "call {call} {arguments:x?} on {machine:?}");
        }
    }

    fn code_under_test() -> Policy {
        Policy::code_under_test("/scratch")
    }

    fn refused(call: i64, arguments: &[u64]) {
        check(&code_under_test(), &NO_NETWORK, call, arguments, Some(libc::EPERM));
    }

    fn allowed(call: i64, arguments: &[u64]) {
        check(&code_under_test(), &NO_NETWORK, call, arguments, None);
    }

    #[test]
    fn threads_start_and_processes_do_not() {
        let thread = libc::CLONE_THREAD | libc::CLONE_VM | libc::CLONE_SIGHAND;
        allowed(libc::SYS_clone, &[thread.unsigned_abs().into()]);
        refused(libc::SYS_clone, &[libc::SIGCHLD.unsigned_abs().into()]);
        refused(libc::SYS_clone, &[(libc::CLONE_VM | libc::CLONE_VFORK).unsigned_abs().into()]);
        check(&code_under_test(), &NO_NETWORK, libc::SYS_clone3, &[], Some(libc::ENOSYS));
        refused(libc::SYS_execve, &[]);
        refused(libc::SYS_execveat, &[]);
    }

    #[test]
    fn a_replaceable_process_becomes_another_program_but_does_not_fork() {
        let policy = code_under_test().processes(Processes::Replace);
        check(&policy, &NO_NETWORK, libc::SYS_execve, &[], None);
        check(&policy, &NO_NETWORK, libc::SYS_clone, &[17], Some(libc::EPERM));
    }

    #[test]
    fn signals_reach_the_own_process_only() {
        let own = u64::from(std::process::id());
        let elsewhere = [1, own + 1, 0, u64::from(u32::MAX)];
        for call in [libc::SYS_kill, libc::SYS_tgkill, libc::SYS_rt_sigqueueinfo] {
            allowed(call, &[own, 9]);
            // The kernel looks at the low half only, and so does the filter.
            allowed(call, &[own | 1 << 40, 9]);
            elsewhere.iter().for_each(|&other| refused(call, &[other, 9]));
        }
        refused(libc::SYS_tkill, &[own]);
        refused(libc::SYS_pidfd_send_signal, &[3, 9]);
        refused(libc::SYS_prlimit64, &[1, 0]);
        allowed(libc::SYS_prlimit64, &[0, 0]);
        refused(libc::SYS_fcntl, &[3, libc::F_SETOWN.unsigned_abs().into(), 1]);
        allowed(libc::SYS_fcntl, &[3, libc::F_SETFL.unsigned_abs().into(), 1]);
    }

    #[test]
    fn sockets_are_refused_but_for_a_private_loopback_and_stream_pairs() {
        let [unix, inet, inet6, packet] =
            [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_PACKET].map(|f| f as u64);
        let [stream, datagram] = [libc::SOCK_STREAM, libc::SOCK_DGRAM].map(|kind| kind as u64);
        let private = |family, expected| {
            let network = NetworkInForce::PrivateLoopback;
            check(&code_under_test(), &network, libc::SYS_socket, &[family, stream], expected);
        };
        for family in [inet, inet6] {
            private(family, None);
            refused(libc::SYS_socket, &[family, stream]);
        }
        private(unix, Some(libc::EPERM));
        private(packet, Some(libc::EPERM));
        allowed(libc::SYS_socketpair, &[unix, stream | libc::SOCK_CLOEXEC as u64]);
        refused(libc::SYS_socketpair, &[unix, datagram | libc::SOCK_CLOEXEC as u64]);
        refused(libc::SYS_socketpair, &[libc::AF_TIPC as u64, stream]);
    }

    #[test]
    fn metadata_is_refused_unless_allowed() {
        let generous = code_under_test().metadata(Permission::Allow);
        let set_flags = [3, 0x4008_6602];
        for call in [libc::SYS_fsetxattr, libc::SYS_setxattr, libc::SYS_removexattr, 463, 469] {
            refused(call, &[]);
            check(&generous, &NO_NETWORK, call, &[], None);
        }
        refused(libc::SYS_ioctl, &set_flags);
        check(&generous, &NO_NETWORK, libc::SYS_ioctl, &set_flags, None);
    }

    #[test]
    fn the_terminal_of_the_user_cannot_be_typed_into() {
        refused(libc::SYS_ioctl, &[0, libc::TIOCSTI]);
        allowed(libc::SYS_ioctl, &[0, libc::TCGETS]);
    }

    #[test]
    fn calls_newer_than_the_list_do_not_exist() {
        let enosys = Some(libc::ENOSYS);
        check(&code_under_test(), &NO_NETWORK, 470, &[], enosys);
        check(&code_under_test(), &NO_NETWORK, libc::SYS_getpid | 0x4000_0000, &[], enosys);
        check(&code_under_test(), &NO_NETWORK, libc::SYS_io_uring_setup, &[], enosys);
        allowed(libc::SYS_openat, &[]);
        allowed(libc::SYS_futex, &[]);
    }

    #[test]
    fn a_call_refused_always_stays_refused_whatever_its_arguments() {
        let always = Refusal { call: 1, errno: libc::EPERM, alternatives: vec![] };
        let sometimes = Refusal { alternatives: vec![vec![Test::Is(0, 7)]], ..always.clone() };
        for order in [[always.clone(), sometimes.clone()], [sometimes, always]] {
            assert!(merge(&order)[&1].alternatives.is_empty(), "{order:?}");
        }
    }

    #[test]
    fn tools_have_no_filter() {
        let refusals = of(&Policy::files_only(["/scratch"]), &NetworkInForce::Unrestricted);
        assert_eq!(refusals, []);
    }
}
