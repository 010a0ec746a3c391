//! The methods through which recorded calls go.
//!
//! A tap takes what the call takes, receiver first, and gives what it gives:
//!
//! ```java
//! static R tap(O receiver, A argument) {
//!     int entered = TesthoundRecord.enter(new Object[] {receiver, argument}, site);
//!     R result;
//!     try {
//!         result = receiver.called(argument);
//!     } catch (Throwable thrown) {
//!         TesthoundRecord.threw(thrown, entered);
//!         throw thrown;
//!     }
//!     TesthoundRecord.returned(result, entered);
//!     return result;
//! }
//! ```
//!
//! It is a member of the test class, so it may do what that may.

use classfile::opcode::*;
use classfile::{
    ClassFile, ClassFileError, Code, CodeTable, Frame, FrameKind, Handler, Instruction,
    MethodDescriptor, Node, VerificationType, descriptor_slots, flags,
};
use rustc_hash::FxHashMap;

use super::{RecordSite, SiteKind, is_of_interface};
use crate::emit;

/// What is told.
const RECORD: &str = "java/lang/TesthoundRecord";
const OBJECT: &str = "Ljava/lang/Object;";
/// More parameters than this the JVM gives no method (JVMS 4.3.3).
const MAX_SLOTS: u16 = 255;

/// A call of a static method of the recorder.
pub(super) fn told(
    class: &mut ClassFile,
    method: &str,
    descriptor: &str,
) -> Result<Instruction, ClassFileError> {
    let index = class.pool.add_method_ref(RECORD, method, descriptor)?;
    Ok(Instruction::Constant { op: INVOKESTATIC, index })
}

/// The taps of a class.
pub(super) struct Taps {
    class: String,
    /// References to them, by number of the site and whether it is a method of an interface.
    known: FxHashMap<(u32, bool), u16>,
    methods: Vec<(String, String, Code)>,
}

impl Taps {
    pub(super) fn of(class: String) -> Self {
        Self { class, known: FxHashMap::default(), methods: Vec::new() }
    }

    /// The method through which an instruction goes.
    pub(super) fn tap(
        &mut self,
        class: &mut ClassFile,
        number: u32,
        site: &RecordSite,
        instruction: &Instruction,
    ) -> Result<u16, ClassFileError> {
        let of_interface = match instruction {
            Instruction::Constant { index, .. } => is_of_interface(class, *index),
            _ => true,
        };
        if let Some(known) = self.known.get(&(number, of_interface)) {
            return Ok(*known);
        }
        let signature = Signature::of(site)?;
        let name = format!("testhound${}", self.methods.len());
        let code = body(class, number, &signature, site, instruction)?;
        let descriptor = signature.descriptor();
        let tap = class.pool.add_method_ref(&self.class, &name, &descriptor)?;
        self.known.insert((number, of_interface), tap);
        self.methods.push((name, descriptor, code));
        Ok(tap)
    }

    /// Adds them to the class.
    pub(super) fn write(self, class: &mut ClassFile) -> Result<(), ClassFileError> {
        let access = flags::PRIVATE | flags::STATIC | flags::SYNTHETIC;
        for (name, descriptor, code) in self.methods {
            class.add_method(access, &name, &descriptor, &code)?;
        }
        Ok(())
    }
}

/// Descriptors of what a tap takes and gives.
struct Signature {
    params: Vec<String>,
    result: String,
}

impl Signature {
    fn of(site: &RecordSite) -> Result<Self, ClassFileError> {
        let owner = format!("L{};", site.owner);
        let own = || site.descriptor.clone();
        let (params, result) = match site.kind {
            SiteKind::GetStatic => (Vec::new(), own()),
            SiteKind::GetField => (vec![owner], own()),
            SiteKind::PutStatic => (vec![own()], "V".to_owned()),
            SiteKind::PutField => (vec![owner, own()], "V".to_owned()),
            SiteKind::Static | SiteKind::Instance | SiteKind::New => {
                let of = MethodDescriptor::parse(&site.descriptor)?;
                let mut params: Vec<String> =
                    of.parameters.iter().map(|p| (*p).to_owned()).collect();
                match site.kind {
                    SiteKind::New => (params, owner),
                    SiteKind::Static => (params, of.result.to_owned()),
                    _ => {
                        params.insert(0, owner);
                        (params, of.result.to_owned())
                    }
                }
            }
        };
        let slots: u16 = params.iter().map(|param| descriptor_slots(param)).sum();
        if slots > MAX_SLOTS {
            let reason = "a method with 255 parameters";
            return Err(ClassFileError::CodeTooLarge { reason });
        }
        Ok(Self { params, result })
    }

    fn descriptor(&self) -> String {
        format!("({}){}", self.params.concat(), self.result)
    }

    fn slots(&self) -> u16 {
        self.params.iter().map(|param| descriptor_slots(param)).sum()
    }
}

fn body(
    class: &mut ClassFile,
    number: u32,
    signature: &Signature,
    site: &RecordSite,
    instruction: &Instruction,
) -> Result<Code, ClassFileError> {
    let slots = signature.slots();
    let mut code = Code::straight(slots + 8, slots + 1, Vec::new());
    let (start, end, target) = (code.new_label(), code.new_label(), code.new_label());
    let mut out = Vec::new();
    arguments(class, &signature.params, &mut out)?; // arguments
    emit::number(&mut class.pool, number, &mut out)?; // arguments site
    emit::push(&mut out, told(class, "enter", "([Ljava/lang/Object;I)I")?); // entered
    emit::push(&mut out, local(ISTORE, slots)); //
    out.push(Node::Label(start));
    if site.kind == SiteKind::New {
        let made = class.pool.add_class(&site.owner)?;
        emit::push(&mut out, Instruction::Constant { op: NEW, index: made });
        emit::push(&mut out, Instruction::Plain(DUP)); // object object
    }
    let mut slot = 0;
    for param in &signature.params {
        emit::push(&mut out, local(by_type(param, LOADS), slot)); // object.. given..
        slot += descriptor_slots(param);
    }
    emit::push(&mut out, instruction.clone()); // result
    out.push(Node::Label(end));
    returned(class, &signature.result, slots, &mut out)?;
    out.push(Node::Label(target));
    emit::push(&mut out, Instruction::Plain(DUP)); // thrown thrown
    emit::push(&mut out, local(ILOAD, slots)); // thrown thrown entered
    emit::push(&mut out, told(class, "threw", "(Ljava/lang/Throwable;I)V")?); // thrown
    emit::push(&mut out, Instruction::Plain(ATHROW));
    code.nodes = out;
    code.handlers.push(Handler { start, end, target, catch_type: 0 });
    let frame = Frame { at: target, kind: handler_frame(class, signature)? };
    let name = class.pool.add_utf8("StackMapTable")?;
    code.tables.push(CodeTable::Frames { name, frames: vec![frame] });
    Ok(code)
}

/// Pushes an array of what is given.
fn arguments(
    class: &mut ClassFile,
    params: &[String],
    out: &mut Vec<Node>,
) -> Result<(), ClassFileError> {
    let object = class.pool.add_class("java/lang/Object")?;
    emit::number(&mut class.pool, params.len() as u32, out)?; // length
    emit::push(out, Instruction::Constant { op: ANEWARRAY, index: object }); // array
    let mut slot = 0;
    for (place, param) in (0..).zip(params) {
        emit::push(out, Instruction::Plain(DUP)); // array array
        emit::number(&mut class.pool, place, out)?; // array array place
        emit::push(out, local(by_type(param, LOADS), slot)); // array array place value
        if let Some(boxed) = boxed(param) {
            let descriptor = format!("({param})L{boxed};");
            let index = class.pool.add_method_ref(boxed, "valueOf", &descriptor)?;
            emit::push(out, Instruction::Constant { op: INVOKESTATIC, index });
        }
        emit::push(out, Instruction::Plain(AASTORE)); // array
        slot += descriptor_slots(param);
    }
    Ok(())
}

/// Tells what was returned, and returns it.
fn returned(
    class: &mut ClassFile,
    result: &str,
    entered: u16,
    out: &mut Vec<Node>,
) -> Result<(), ClassFileError> {
    let descriptor = match result {
        "V" => "(I)V".to_owned(),
        _ if boxed(result).is_some() => format!("({result}I){result}"),
        _ => {
            emit::push(out, Instruction::Plain(DUP)); // result result
            format!("({OBJECT}I)V")
        }
    };
    emit::push(out, local(ILOAD, entered)); // result.. entered
    emit::push(out, told(class, "returned", &descriptor)?); // result
    let op = if result == "V" { RETURN } else { by_type(result, RETURNS) };
    emit::push(out, Instruction::Plain(op));
    Ok(())
}

fn handler_frame(
    class: &mut ClassFile,
    signature: &Signature,
) -> Result<FrameKind, ClassFileError> {
    let mut locals = Vec::new();
    for param in &signature.params {
        locals.push(match param.as_bytes()[0] {
            b'J' => VerificationType::Long,
            b'D' => VerificationType::Double,
            b'F' => VerificationType::Float,
            b'[' => VerificationType::Object(class.pool.add_class(param)?),
            b'L' => VerificationType::Object(class.pool.add_class(&param[1..param.len() - 1])?),
            _ => VerificationType::Integer,
        });
    }
    locals.push(VerificationType::Integer);
    let thrown = class.pool.add_class("java/lang/Throwable")?;
    Ok(FrameKind::Full { locals, stack: vec![VerificationType::Object(thrown)] })
}

fn local(op: u8, index: u16) -> Instruction {
    Instruction::Local { op, index, wide: index > 255 }
}

const LOADS: [u8; 5] = [ILOAD, LLOAD, FLOAD, DLOAD, ALOAD];
const RETURNS: [u8; 5] = [IRETURN, LRETURN, FRETURN, DRETURN, ARETURN];

/// The instruction for a type, of those for `int`, `long`, `float`, `double` and references.
fn by_type(descriptor: &str, [int, long, float, double, reference]: [u8; 5]) -> u8 {
    match descriptor.as_bytes()[0] {
        b'J' => long,
        b'F' => float,
        b'D' => double,
        b'L' | b'[' => reference,
        _ => int,
    }
}

/// The class that boxes a primitive type.
fn boxed(descriptor: &str) -> Option<&'static str> {
    Some(match descriptor {
        "Z" => "java/lang/Boolean",
        "B" => "java/lang/Byte",
        "C" => "java/lang/Character",
        "S" => "java/lang/Short",
        "I" => "java/lang/Integer",
        "J" => "java/lang/Long",
        "F" => "java/lang/Float",
        "D" => "java/lang/Double",
        _ => return None,
    })
}
