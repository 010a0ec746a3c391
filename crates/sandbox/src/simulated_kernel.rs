//! Runs seccomp programs as the kernel does, so that tests can ask what becomes of calls that
//! must not really be made, or that this machine does not have.

use nix::libc;
use seccompiler::sock_filter;

/// What the kernel would answer to a call, all programs asked: an error number, or `None`.
pub(crate) fn answer(
    programs: &[Vec<sock_filter>],
    machine: u32,
    call: i64,
    arguments: &[u64],
) -> Option<u32> {
    let data = seccomp_data(machine, call, arguments);
    let answers: Vec<u32> = programs.iter().map(|program| run(program, &data)).collect();
    let refused = answers.iter().find(|&&answer| answer != libc::SECCOMP_RET_ALLOW)?;
    assert_eq!(refused & libc::SECCOMP_RET_ACTION_FULL, libc::SECCOMP_RET_ERRNO, "only errors");
    Some(refused & libc::SECCOMP_RET_DATA)
}

/// `struct seccomp_data` in words: number, machine, instruction pointer, six arguments.
fn seccomp_data(machine: u32, call: i64, arguments: &[u64]) -> Vec<u32> {
    let mut words = vec![call as u32, machine, 0, 0];
    for index in 0..6 {
        let argument = arguments.get(index).copied().unwrap_or(0);
        words.extend([argument as u32, (argument >> 32) as u32]);
    }
    words
}

fn run(program: &[sock_filter], data: &[u32]) -> u32 {
    const LOAD: u32 = libc::BPF_LD | libc::BPF_W | libc::BPF_ABS;
    const AND: u32 = libc::BPF_ALU | libc::BPF_AND | libc::BPF_K;
    const JUMP: u32 = libc::BPF_JMP | libc::BPF_JA;
    const JUMP_EQUAL: u32 = libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K;
    const JUMP_GREATER: u32 = libc::BPF_JMP | libc::BPF_JGT | libc::BPF_K;
    const JUMP_NOT_LESS: u32 = libc::BPF_JMP | libc::BPF_JGE | libc::BPF_K;
    const RETURN: u32 = libc::BPF_RET | libc::BPF_K;

    let (mut accumulator, mut position) = (0u32, 0usize);
    loop {
        let step = &program[position];
        position += 1;
        let branch = |holds: bool| usize::from(if holds { step.jt } else { step.jf });
        match u32::from(step.code) {
            LOAD => accumulator = data[step.k as usize / 4],
            AND => accumulator &= step.k,
            JUMP => position += step.k as usize,
            JUMP_EQUAL => position += branch(accumulator == step.k),
            JUMP_GREATER => position += branch(accumulator > step.k),
            JUMP_NOT_LESS => position += branch(accumulator >= step.k),
            RETURN => return step.k,
            other => panic!("instruction {other:#x} is not used by these filters"),
        }
    }
}
