//! An independent check of placed probes: random walks through methods of the JDK.
//!
//! A walk goes from instruction to instruction, takes jumps and throws at random, and notes
//! the probes it passes by where the plan says they stand. What the plan then derives from the
//! hits must be what was walked on, and all of it unless something threw.

use std::collections::{BTreeMap, BTreeSet};

use classfile::{ClassFile, Code, Instruction, flags, opcode};

use crate::coverage::Summary;
use crate::flow::Flow;
use crate::lines::lines_of;
use crate::throwing::Throwing;
use crate::{Options, Plan, ProbeKind, Site, place};

#[path = "../../classfile/tests/jdk/mod.rs"]
mod jdk;
#[path = "../../classfile/tests/numbers/mod.rs"]
mod numbers;
#[path = "../../classfile/tests/sources/mod.rs"]
mod sources;

use numbers::Numbers;

/// A method that is walked through.
struct Ground<'c> {
    code: &'c Code,
    flow: Flow<'c>,
    lines: Vec<Option<u16>>,
    can_throw: Vec<bool>,
    sites: BTreeMap<Site, usize>,
}

/// What a walk saw: lines, and the ways that decisions went.
#[derive(Default)]
struct Seen {
    lines: BTreeSet<u16>,
    threw: bool,
    branches: BTreeSet<(usize, Option<usize>)>,
}

impl Ground<'_> {
    /// Walks from the entry to an end; `None` if that is not reached in time.
    fn walk(&self, numbers: &mut Numbers, hits: &mut [u8]) -> Option<Seen> {
        let mut seen = Seen::default();
        let mut pass = |site: Site| {
            if let Some(probe) = self.sites.get(&site) {
                hits[*probe] = 1;
            }
        };
        pass(Site::Entry);
        let mut at = 0;
        for _ in 0..2_000 {
            pass(Site::Before(at as u32));
            seen.lines.extend(self.lines[at]);
            let instruction = self.flow.instructions[at];
            let throws = instruction.opcode() == opcode::ATHROW
                || self.can_throw[at] && numbers.below(12) == 0;
            if throws {
                seen.threw = true;
                let handlers = self.code.handlers.iter().filter(|handler| {
                    (self.flow.at(handler.start)..self.flow.at(handler.end)).contains(&at)
                });
                let targets: Vec<usize> = handlers.map(|h| self.flow.at(h.target)).collect();
                match targets.get(numbers.below(targets.len() + 1)) {
                    Some(target) => at = *target,
                    None => return Some(seen),
                }
            } else if instruction.is_conditional() && numbers.below(2) == 0 {
                seen.branches.insert((at, None));
                pass(Site::After(at as u32));
                at += 1;
            } else if instruction.targets().next().is_some() {
                let targets = self.flow.targets(at);
                let to = targets[numbers.below(targets.len())];
                if instruction.opcode() != opcode::GOTO && instruction.opcode() != opcode::GOTO_W {
                    seen.branches.insert((at, Some(to)));
                    pass(Site::Jump { from: at as u32, to: to as u32 });
                }
                at = to;
            } else if opcode::is_return(instruction.opcode()) {
                return Some(seen);
            } else {
                pass(Site::After(at as u32));
                at += 1;
            }
        }
        None
    }
}

/// Walks through every method of a class; how many walks were compared.
fn check(name: &str, bytes: &[u8], numbers: &mut Numbers) -> u32 {
    let class = ClassFile::parse(bytes).expect("JDK classes parse");
    let throwing = Throwing::of(&class);
    let whole = place(&class, &Options { coverage: true, steps: false, comparisons: true })
        .expect("JDK classes");
    let mut walks = 0;
    for (number, method) in whole.methods.iter().enumerate() {
        let member = &class.methods[usize::from(method.index)];
        let code = Code::decode(&class, member).expect("JDK classes").expect("it has code");
        let flow = Flow::of(&code);
        let this_is_fixed = !member.has_flag(flags::STATIC);
        let can_throw = (0..flow.instructions.len())
            .map(|at| {
                let receiver =
                    at > 0 && *flow.instructions[at - 1] == Instruction::Plain(opcode::ALOAD_0);
                throwing.can_throw(flow.instructions[at], this_is_fixed && receiver)
            })
            .collect();
        let ids = method.probes.start as usize..method.probes.end as usize;
        let sites = ids.map(|id| (whole.probes[id].site, id)).collect();
        let lines = lines_of(&code, &flow);
        let ground = Ground { code: &code, flow, lines, can_throw, sites };
        for _ in 0..4 {
            let mut hits = vec![0; whole.probes.len()];
            let Some(seen) = ground.walk(numbers, &mut hits) else { continue };
            compare(&whole, number, &hits, &seen, name);
            walks += 1;
        }
    }
    walks
}

fn compare(plan: &Plan, method: usize, hits: &[u8], seen: &Seen, name: &str) {
    let what = format!("{name} {}{}", plan.methods[method].name, plan.methods[method].descriptor);
    let summary = Summary::new(plan, hits).expect("a hit for each probe");
    let ids = plan.methods[method].probes.clone();
    let is_branch = |id: &u32| {
        hits[*id as usize] != 0
            && matches!(plan.probes[*id as usize].kind, ProbeKind::Branch { .. })
    };
    assert_eq!(ids.filter(is_branch).count(), seen.branches.len(), "branches of {what}");
    let own = || plan.segments.iter().filter(|segment| segment.method as usize == method);
    if !plan.methods[method].counted || own().any(|segment| segment.copy_of.is_some()) {
        return;
    }
    let counted: BTreeSet<u16> = own()
        .filter(|segment| segment.instructions > 0)
        .filter_map(|segment| segment.line)
        .collect();
    let covered = summary.methods[method].lines.covered as usize;
    let walked = seen.lines.intersection(&counted).count();
    assert!(covered <= walked, "lines of {what}: {covered} of {walked}");
    // A line may be walked on by code that does not count.
    if !seen.threw && own().all(|segment| segment.instructions > 0) {
        assert_eq!(covered, walked, "lines of {what}");
    }
    assert!(summary.methods[method].entered, "entry of {what}");
}

#[test]
fn probes_prove_the_lines_and_branches_that_were_walked() {
    let home = jdk::jdk_homes().pop().expect("these tests need a JDK: set JAVA_HOME");
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let base = jdk::java_base(&home, scratch.path());
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    let (mut walks, mut seen) = (0, 0_u32);
    sources::for_each_class(&base, &mut |name, bytes| {
        seen += 1;
        if seen.is_multiple_of(3) {
            walks += check(name, bytes, &mut numbers);
        }
    })
    .expect("java.base can be read");
    assert!(walks > 10_000, "only {walks} walks came to an end");
}
