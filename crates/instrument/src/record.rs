//! Has test classes tell every call they make to other code: the record that canonical forms are made
//! from (requirement E2).
//!
//! Each call, `new` and access of a field of another class goes through a static method added to the
//! test class ([`tap`]), which tells the call, makes it, and tells what came of it. So nothing of the
//! test's own code grows but by a few bytes, and no frame is computed: those of the added methods are
//! their parameters. Arithmetic becomes a call that does the same and tells it. Assertions tell that
//! they held.
//!
//! Not told is what only computes values that source can spell, such as the methods of `String`: values
//! are recorded where they are used.
//!
//! Invariant: the rewritten class does what the class did.

mod arithmetic;
mod known;
mod tap;

use classfile::opcode::{
    DUP, GETFIELD, GETSTATIC, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL, NEW, PUTFIELD, PUTSTATIC,
};
use classfile::{
    ClassFile, ClassFileError, Code, Constant, FrameKind, Instruction, Label, Node,
    VerificationType,
};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use crate::InstrumentError;
use tap::Taps;

/// How something is done to other code.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum SiteKind {
    /// A static method is called.
    Static,
    /// A method of an object is called.
    Instance,
    /// An object is made.
    New,
    /// A static field is read.
    GetStatic,
    /// A field of an object is read.
    GetField,
    /// A static field is set.
    PutStatic,
    /// A field of an object is set.
    PutField,
}

/// What is done to other code, as the class file has it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct RecordSite {
    /// How.
    pub kind: SiteKind,
    /// The class, by internal name.
    pub owner: String,
    /// The method or field.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// All that recorded classes do to other code, by number.
#[derive(Clone, Default, Debug)]
pub struct RecordSites {
    sites: Vec<RecordSite>,
    numbers: FxHashMap<RecordSite, u32>,
}

impl RecordSites {
    /// What has this number.
    pub fn get(&self, number: usize) -> Option<&RecordSite> {
        self.sites.get(number)
    }

    fn number(&mut self, site: RecordSite) -> u32 {
        let next = self.sites.len() as u32;
        *self.numbers.entry(site).or_insert_with_key(|site| {
            self.sites.push(site.clone());
            next
        })
    }
}

/// Rewrites a class of a test so that it tells what it calls. `is_own` says which classes are the test
/// itself: what is called there is told there.
pub fn record_calls(
    class: &ClassFile,
    is_own: &dyn Fn(&str) -> bool,
    sites: &mut RecordSites,
) -> Result<Vec<u8>, InstrumentError> {
    let mut class = class.clone();
    let name = class.name().map_or_else(|_| "a class".to_owned(), |name| name.into_owned());
    let bad_class = |source| InstrumentError::ClassFile { class: name.clone(), source };
    let mut recorder = Recorder { is_own, sites, taps: Taps::of(name.clone()) };
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        let Some(code) = Code::decode(&class, method).map_err(bad_class)? else { continue };
        let bytes = recorder.rewrite(&mut class, code).map_err(bad_class)?;
        class.methods[index].attributes.replace(&class.pool, "Code", bytes);
    }
    recorder.taps.write(&mut class).map_err(bad_class)?;
    Ok(class.to_bytes())
}

struct Recorder<'r> {
    is_own: &'r dyn Fn(&str) -> bool,
    sites: &'r mut RecordSites,
    taps: Taps,
}

/// The objects that are made through taps: their `new` and `dup` go.
#[derive(Default)]
struct Made {
    /// Nodes that go.
    dropped: FxHashSet<usize>,
    /// Nodes of the constructor calls.
    constructors: FxHashSet<usize>,
    /// Where the `new`s were.
    labels: FxHashSet<Label>,
}

impl Recorder<'_> {
    fn rewrite(
        &mut self,
        class: &mut ClassFile,
        mut code: Code,
    ) -> Result<Vec<u8>, ClassFileError> {
        let made = self.made(class, &code)?;
        let mut nodes = Vec::with_capacity(code.nodes.len());
        for (at, node) in std::mem::take(&mut code.nodes).into_iter().enumerate() {
            if made.dropped.contains(&at) {
                continue;
            }
            let Node::Instruction(instruction) = &node else {
                nodes.push(node);
                continue;
            };
            if let Some(site) = self.site(class, instruction, made.constructors.contains(&at))? {
                let number = self.sites.number(site.clone());
                let tap = self.taps.tap(class, number, &site, instruction)?;
                nodes.push(Node::Instruction(Instruction::Constant {
                    op: INVOKESTATIC,
                    index: tap,
                }));
            } else if !arithmetic::tell(class, instruction, &mut nodes)? {
                let asserts = is_assertion(class, instruction);
                nodes.push(node);
                if asserts {
                    let told = tap::told(class, "asserted", "()V")?;
                    nodes.push(Node::Instruction(told));
                }
            }
        }
        code.nodes = nodes;
        code.max_stack = code.max_stack.saturating_add(arithmetic::STACK);
        if let Some(frames) = code.frames_mut() {
            for frame in frames {
                leave_out(&made.labels, &mut frame.kind);
            }
        }
        code.encode()
    }

    /// Which objects can be made through taps: those of a `new` followed by `dup` whose constructor
    /// call is found behind it, as nested expressions have them.
    fn made(&self, class: &ClassFile, code: &Code) -> Result<Made, ClassFileError> {
        let mut made = Made::default();
        let mut open: Vec<(String, usize, Option<usize>, Vec<Label>)> = Vec::new();
        let mut labels = Vec::new();
        for (at, node) in code.nodes.iter().enumerate() {
            let instruction = match node {
                Node::Label(label) => {
                    labels.push(*label);
                    continue;
                }
                Node::Instruction(instruction) => instruction,
            };
            match *instruction {
                Instruction::Constant { op: NEW, index } => {
                    let name = class.pool.class_name(index)?.into_owned();
                    let next = (at + 1..code.nodes.len())
                        .find(|next| matches!(code.nodes[*next], Node::Instruction(_)));
                    let dup = next.filter(|next| {
                        code.nodes[*next] == Node::Instruction(Instruction::Plain(DUP))
                    });
                    open.push((name, at, dup, labels.clone()));
                }
                Instruction::Constant { op: INVOKESPECIAL, index } => {
                    let member = class.pool.member_ref(index)?;
                    if member.name == "<init>"
                        && open.last().is_some_and(|(name, ..)| *name == member.class)
                        && let Some((name, new, Some(dup), at_new)) = open.pop()
                        && !(self.is_own)(&name)
                        && !known::is_assertion(&name)
                        && !known::is_value(&name)
                    {
                        made.dropped.extend([new, dup]);
                        made.constructors.insert(at);
                        made.labels.extend(at_new);
                    }
                }
                _ => {}
            }
            labels.clear();
        }
        Ok(made)
    }

    /// What an instruction does to other code, if that is recorded.
    fn site(
        &self,
        class: &ClassFile,
        instruction: &Instruction,
        makes: bool,
    ) -> Result<Option<RecordSite>, ClassFileError> {
        let (kind, index) = match *instruction {
            Instruction::Constant { op: INVOKESPECIAL, index } if makes => (SiteKind::New, index),
            Instruction::Constant { op: INVOKESTATIC, index } => (SiteKind::Static, index),
            Instruction::Constant { op: INVOKEVIRTUAL, index }
            | Instruction::InvokeInterface { index, .. } => (SiteKind::Instance, index),
            Instruction::Constant { op: GETSTATIC, index } => (SiteKind::GetStatic, index),
            Instruction::Constant { op: GETFIELD, index } => (SiteKind::GetField, index),
            Instruction::Constant { op: PUTSTATIC, index } => (SiteKind::PutStatic, index),
            Instruction::Constant { op: PUTFIELD, index } => (SiteKind::PutField, index),
            _ => return Ok(None),
        };
        let member = class.pool.member_ref(index)?;
        let site = RecordSite {
            kind,
            owner: member.class.into_owned(),
            name: member.name.into_owned(),
            descriptor: member.descriptor.into_owned(),
        };
        let is_recorded = !site.owner.starts_with('[')
            && !(self.is_own)(&site.owner)
            && !known::is_assertion(&site.owner)
            && !known::computes_a_value(&site);
        Ok(is_recorded.then_some(site))
    }
}

/// Whether an instruction calls an assertion.
fn is_assertion(class: &ClassFile, instruction: &Instruction) -> bool {
    let Instruction::Constant { op: INVOKESTATIC, index } = instruction else { return false };
    class.pool.member_ref(*index).is_ok_and(|member| {
        known::is_assertion(&member.class)
            && (member.name.starts_with("assert") || member.name == "fail")
    })
}

/// Takes objects without constructor call off the stack of a frame.
fn leave_out(labels: &FxHashSet<Label>, kind: &mut FrameKind) {
    let is_out = |ty: &VerificationType| matches!(ty, VerificationType::Uninitialized(label) if labels.contains(label));
    match kind {
        FrameKind::Full { stack, .. } => stack.retain(|ty| !is_out(ty)),
        FrameKind::SameLocals1(ty) if is_out(ty) => *kind = FrameKind::Same,
        FrameKind::SameLocals1Extended(ty) if is_out(ty) => *kind = FrameKind::SameExtended,
        _ => {}
    }
}

/// Whether a constant is of a method of an interface.
fn is_of_interface(class: &ClassFile, index: u16) -> bool {
    matches!(class.pool.get(index), Ok(Constant::InterfaceMethodRef { .. }))
}
