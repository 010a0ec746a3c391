//! Which fields code sets at will: those whose value is what somebody asked for, not what code keeps
//! for itself.
//!
//! A setter assigns what it is given, or assigns without a look at what was there. Code that fills a
//! cache, makes something on first use or counts reads first what it writes. So a write sets its field
//! if its value is a parameter of the method, if it turns a switch over (`on = !on`), or if the method
//! can be called from elsewhere and reads none of the fields that it writes. A private method can be
//! called from elsewhere if such a method hands on to it without a look at those fields. Constructors
//! make what they assign, so there only what they store of their parameters in static fields counts.
//! Code that only ever drops what was made (`instance = null`) sets its field to nothing else: what
//! is then made on next use is kept, not set.
//!
//! Invariant: the answer depends on the bytes of the classes given only, not on their order.

use std::collections::{BTreeMap, BTreeSet};

use classfile::opcode::{
    ACONST_NULL, ALOAD, ALOAD_3, CHECKCAST, GETFIELD, GETSTATIC, GOTO, ICONST_0, ICONST_1, IFEQ,
    IFNE, ILOAD, ILOAD_0, INVOKESPECIAL, INVOKESTATIC, INVOKEVIRTUAL, IXOR, PUTFIELD, PUTSTATIC,
};
use classfile::{ClassFile, ClassFileError, Code, Instruction, Member, MethodDescriptor, flags};

/// A field: the internal name of the class that declares it, and its own.
pub type FieldKey = (String, String);

/// What a field is set to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SetTo {
    /// `null`, and nothing else.
    Null,
    /// Whatever somebody asked for.
    Anything,
}

/// The fields of these classes that the code of any of them sets at will. A class that cannot be read,
/// as one with code that no verifier has seen, has none and sets none.
pub fn set_fields(classes: &[ClassFile]) -> BTreeMap<FieldKey, SetTo> {
    let mut named: Vec<(FieldKey, SetTo)> = Vec::new();
    let mut hierarchy = Hierarchy::default();
    for class in classes {
        if let (Ok(sets), Ok(declared)) = (sets(class), Hierarchy::of(class)) {
            named.extend(sets);
            hierarchy.add(declared);
        }
    }
    let mut found = BTreeMap::new();
    for (field, to) in named {
        if let Some(field) = hierarchy.declared(&field) {
            let known = found.entry(field).or_insert(to);
            *known = to.max(*known);
        }
    }
    found
}

/// The fields that the code of a class sets at will, as it names them.
fn sets(class: &ClassFile) -> Result<Vec<(FieldKey, SetTo)>, ClassFileError> {
    let methods = class.methods.iter().filter_map(|method| Method::of(class, method).transpose());
    let methods: Vec<Method> = methods.collect::<Result<_, _>>()?;
    let open = open(&methods);
    Ok(methods.iter().zip(open).flat_map(|(method, is_open)| method.sets(is_open)).collect())
}

/// Which class declares what: code may name a field by a subclass.
#[derive(Default)]
struct Hierarchy {
    fields: BTreeSet<FieldKey>,
    superclasses: BTreeMap<String, String>,
}

impl Hierarchy {
    fn of(class: &ClassFile) -> Result<Self, ClassFileError> {
        let mut found = Self::default();
        let name = class.name()?;
        for field in &class.fields {
            found.fields.insert((name.to_string(), field.name(&class.pool)?.into_owned()));
        }
        if let Some(superclass) = class.super_name()? {
            found.superclasses.insert(name.into_owned(), superclass.into_owned());
        }
        Ok(found)
    }

    fn add(&mut self, other: Self) {
        self.fields.extend(other.fields);
        self.superclasses.extend(other.superclasses);
    }

    fn declared(&self, (class, name): &FieldKey) -> Option<FieldKey> {
        let mut class = class;
        // No chain is longer, even if damaged classes extend each other.
        for _ in 0..=self.superclasses.len() {
            let field = (class.clone(), name.clone());
            if self.fields.contains(&field) {
                return Some(field);
            }
            class = self.superclasses.get(class)?;
        }
        None
    }
}

/// A method of the same class: its name and descriptor.
type MethodKey = (String, String);

/// A write to a field.
struct Write {
    field: FieldKey,
    is_static: bool,
    /// Whether what is written is a parameter, or the field's own value turned over.
    is_setting: bool,
    to: SetTo,
}

/// What a method does with fields.
struct Method {
    key: MethodKey,
    access: u16,
    writes: Vec<Write>,
    reads: BTreeSet<FieldKey>,
    /// Methods of the class that it calls, each with the fields it has read and the methods of the
    /// class it has called before.
    calls: Vec<(MethodKey, BTreeSet<FieldKey>, BTreeSet<MethodKey>)>,
}

impl Method {
    /// `None` for what has no code, or none that a programmer wrote to be called.
    fn of(class: &ClassFile, method: &Member) -> Result<Option<Self>, ClassFileError> {
        let name = method.name(&class.pool)?;
        if name == "<clinit>" || method.access & flags::SYNTHETIC != 0 {
            return Ok(None);
        }
        let Some(code) = Code::decode(class, method)? else { return Ok(None) };
        let descriptor = method.descriptor(&class.pool)?;
        let receiver = usize::from(method.access & flags::STATIC == 0);
        let slots = receiver..receiver + MethodDescriptor::parse(&descriptor)?.parameter_slots();
        let own = class.name()?;
        let (mut writes, mut reads, mut calls) = (Vec::new(), BTreeSet::new(), Vec::new());
        let mut called = BTreeSet::new();
        let mut last_load = None;
        let instructions: Vec<&Instruction> = code.instructions().collect();
        let labelled: BTreeSet<usize> = code.label_instructions().into_iter().collect();
        for (at, instruction) in instructions.iter().enumerate() {
            if let Instruction::Constant { op, index } = instruction {
                match *op {
                    GETFIELD | GETSTATIC => {
                        reads.insert(field(class, *index)?);
                    }
                    PUTFIELD | PUTSTATIC => {
                        let of_parameter = last_load.is_some_and(|slot| slots.contains(&slot));
                        let field = field(class, *index)?;
                        let is_setting =
                            of_parameter || turns_over(class, &instructions[..at], &field)?;
                        let to = match instructions[..at].last() {
                            // Who jumps to the write brings another value.
                            Some(Instruction::Plain(ACONST_NULL)) if !labelled.contains(&at) => {
                                SetTo::Null
                            }
                            _ => SetTo::Anything,
                        };
                        writes.push(Write { field, is_static: *op == PUTSTATIC, is_setting, to });
                    }
                    INVOKESTATIC | INVOKEVIRTUAL | INVOKESPECIAL => {
                        let member = class.pool.member_ref(*index)?;
                        if member.class == own {
                            let key = (member.name.into_owned(), member.descriptor.into_owned());
                            calls.push((key.clone(), reads.clone(), called.clone()));
                            called.insert(key);
                        }
                    }
                    _ => {}
                }
            }
            last_load = match instruction {
                // `requireNonNull` and casts hand on what they are given.
                Instruction::Constant { op: CHECKCAST, .. } => last_load,
                Instruction::Constant { op: INVOKESTATIC, index }
                    if class.pool.member_ref(*index)?.name == "requireNonNull" =>
                {
                    last_load
                }
                other => loaded(other),
            };
        }
        let key = (name.into_owned(), descriptor.into_owned());
        Ok(Some(Self { key, access: method.access, writes, reads, calls }))
    }

    fn is_constructor(&self) -> bool {
        self.key.0 == "<init>"
    }

    fn writes_any(&self, fields: &BTreeSet<FieldKey>) -> bool {
        self.writes.iter().any(|write| fields.contains(&write.field))
    }

    /// The fields that it sets at will, if it can be called from elsewhere or not.
    fn sets(&self, is_open: bool) -> impl Iterator<Item = (FieldKey, SetTo)> {
        let looks_first = self.writes_any(&self.reads);
        let sets = move |write: &&Write| {
            (write.is_static || !self.is_constructor())
                && (write.is_setting || (!looks_first && is_open))
        };
        self.writes.iter().filter(sets).map(|write| (write.field.clone(), write.to))
    }
}

/// Which of the methods of a class can be called from elsewhere, if only through another one.
fn open(methods: &[Method]) -> Vec<bool> {
    let by_key: BTreeMap<&MethodKey, usize> = methods.iter().map(|m| &m.key).zip(0..).collect();
    let is_open = |m: &Method| !m.is_constructor() && m.access & flags::PRIVATE == 0;
    let mut open: Vec<bool> = methods.iter().map(is_open).collect();
    let mut callers: Vec<usize> = (0..methods.len()).filter(|at| open[*at]).collect();
    while let Some(caller) = callers.pop() {
        for (callee, read, called) in &methods[caller].calls {
            let Some(&callee) = by_key.get(callee) else { continue };
            // It may look by a method of its own, such as `isLoaded()`.
            let looks = |key: &MethodKey| {
                by_key.get(key).is_some_and(|at| methods[callee].writes_any(&methods[*at].reads))
            };
            let looks_first = methods[callee].writes_any(read) || called.iter().any(looks);
            if !open[callee] && !methods[callee].is_constructor() && !looks_first {
                open[callee] = true;
                callers.push(callee);
            }
        }
    }
    open
}

fn field(class: &ClassFile, index: u16) -> Result<FieldKey, ClassFileError> {
    let member = class.pool.member_ref(index)?;
    Ok((member.class.into_owned(), member.name.into_owned()))
}

/// Whether what these instructions leave to be written to the field is its own value negated: `!on` as
/// compilers write it, or `on ^ true`.
fn turns_over(
    class: &ClassFile,
    before: &[&Instruction],
    written: &FieldKey,
) -> Result<bool, ClassFileError> {
    let read = match before {
        [
            ..,
            read,
            Instruction::Jump { op: IFEQ | IFNE, .. },
            Instruction::Plain(ICONST_0 | ICONST_1),
            Instruction::Jump { op: GOTO, .. },
            Instruction::Plain(ICONST_0 | ICONST_1),
        ]
        | [.., read, Instruction::Plain(ICONST_1), Instruction::Plain(IXOR)] => read,
        _ => return Ok(false),
    };
    match read {
        Instruction::Constant { op: GETFIELD | GETSTATIC, index } => {
            Ok(field(class, *index)? == *written)
        }
        _ => Ok(false),
    }
}

/// The slot that an instruction loads.
fn loaded(instruction: &Instruction) -> Option<usize> {
    match instruction {
        Instruction::Local { op: ILOAD..=ALOAD, index, .. } => Some(usize::from(*index)),
        // Four short forms for each of the five types (JVMS 6.5).
        Instruction::Plain(op @ ILOAD_0..=ALOAD_3) => Some(usize::from((op - ILOAD_0) % 4)),
        _ => None,
    }
}
