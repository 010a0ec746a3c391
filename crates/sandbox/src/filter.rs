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
