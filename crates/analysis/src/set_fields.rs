//! Which fields code sets at will: those whose value is what somebody asked for, not what code keeps
//! for itself.
//!
//! A setter assigns what it is given, or assigns without a look at what was there. Code that fills a
//! cache, makes something on first use or counts reads first what it writes. So a write sets its field
//! if its value is a parameter of the method, or if the method can be called from elsewhere and reads
//! none of the fields that it writes. Constructors make what they assign, so there only what they
//! store of their parameters in static fields counts.
//!
//! Invariant: the answer depends on the bytes of the classes given only, not on their order.

use std::collections::{BTreeMap, BTreeSet};

use classfile::opcode::{
    ALOAD, ALOAD_3, CHECKCAST, GETFIELD, GETSTATIC, ILOAD, ILOAD_0, INVOKESTATIC, PUTFIELD,
    PUTSTATIC,
};
use classfile::{ClassFile, ClassFileError, Code, Instruction, Member, MethodDescriptor, flags};

/// A field: the internal name of the class that declares it, and its own.
pub type FieldKey = (String, String);

/// The fields of these classes that their code sets at will.
pub fn set_fields(classes: &[ClassFile]) -> Result<BTreeSet<FieldKey>, ClassFileError> {
    let mut named = BTreeSet::new();
    for class in classes {
        for method in &class.methods {
            named.extend(set_by(class, method)?);
        }
    }
    let hierarchy = Hierarchy::of(classes)?;
    Ok(named.iter().filter_map(|field| hierarchy.declared(field)).collect())
}

/// Which class declares what: code may name a field by a subclass.
struct Hierarchy {
    fields: BTreeSet<FieldKey>,
    superclasses: BTreeMap<String, String>,
}

impl Hierarchy {
    fn of(classes: &[ClassFile]) -> Result<Self, ClassFileError> {
        let mut found = Self { fields: BTreeSet::new(), superclasses: BTreeMap::new() };
        for class in classes {
            let name = class.name()?;
            for field in &class.fields {
                found.fields.insert((name.to_string(), field.name(&class.pool)?.into_owned()));
            }
            if let Some(superclass) = class.super_name()? {
                found.superclasses.insert(name.into_owned(), superclass.into_owned());
            }
        }
        Ok(found)
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

/// A write to a field, and whether what is written is a parameter.
struct Write {
    field: FieldKey,
    is_static: bool,
    of_parameter: bool,
}

fn set_by(class: &ClassFile, method: &Member) -> Result<Vec<FieldKey>, ClassFileError> {
    let name = method.name(&class.pool)?;
    if name == "<clinit>" || method.access & flags::SYNTHETIC != 0 {
        return Ok(Vec::new());
    }
    let Some(code) = Code::decode(class, method)? else { return Ok(Vec::new()) };
    let descriptor = method.descriptor(&class.pool)?;
    let receiver = usize::from(method.access & flags::STATIC == 0);
    let slots = receiver..receiver + MethodDescriptor::parse(&descriptor)?.parameter_slots();
    let (mut writes, mut reads) = (Vec::new(), BTreeSet::new());
    let mut last_load = None;
    for instruction in code.instructions() {
        if let Instruction::Constant { op, index } = instruction {
            let is_read = matches!(*op, GETFIELD | GETSTATIC);
            if is_read || matches!(*op, PUTFIELD | PUTSTATIC) {
                let member = class.pool.member_ref(*index)?;
                let field = (member.class.into_owned(), member.name.into_owned());
                if is_read {
                    reads.insert(field);
                } else {
                    let of_parameter = last_load.is_some_and(|slot| slots.contains(&slot));
                    writes.push(Write { field, is_static: *op == PUTSTATIC, of_parameter });
                }
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
    let is_constructor = name == "<init>";
    let looks_first = writes.iter().any(|write| reads.contains(&write.field));
    let is_hidden = is_constructor || method.access & flags::PRIVATE != 0;
    let sets = |write: &Write| {
        (write.is_static || !is_constructor) && (write.of_parameter || (!looks_first && !is_hidden))
    };
    Ok(writes.into_iter().filter(sets).map(|write| write.field).collect())
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
