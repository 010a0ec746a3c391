//! Which methods the code of a class names in calls, by name alone: no dispatch is resolved.

use classfile::opcode::CHECKCAST;
use classfile::{ClassFile, ClassFileError, Code, Constant, Instruction};

/// A method by the internal name of its class, its name and its descriptor.
pub type MethodKey = (String, String, String);

/// A method that code calls, and the class that its result is cast to at once, if it is: what a
/// generic method is expected to return.
pub type CallSite = (MethodKey, Option<String>);

/// All calls that the code of a class makes, each once, in order; then the methods it refers to
/// without calling them (`Shop::open`).
pub fn call_sites(class: &ClassFile) -> Result<Vec<CallSite>, ClassFileError> {
    let mut found: Vec<CallSite> = Vec::new();
    for method in &class.methods {
        let Some(code) = Code::decode(class, method)? else { continue };
        let mut instructions = code.instructions().peekable();
        while let Some(instruction) = instructions.next() {
            let Some(index) = invoked(instruction) else { continue };
            let cast = match instructions.peek() {
                Some(Instruction::Constant { op: CHECKCAST, index }) => {
                    Some(class.pool.class_name(*index)?.into_owned())
                }
                _ => None,
            };
            let site = (key_at(class, index)?, cast);
            if !found.contains(&site) {
                found.push(site);
            }
        }
    }
    for (_, constant) in class.pool.iter() {
        // JVMS §4.4.8: kinds above 4 are methods.
        if let Constant::MethodHandle { kind: 5.., reference } = constant {
            let site = (key_at(class, *reference)?, None);
            if !found.contains(&site) {
                found.push(site);
            }
        }
    }
    Ok(found)
}

/// Where the constant pool names the method that an instruction calls.
fn invoked(instruction: &Instruction) -> Option<u16> {
    match instruction {
        Instruction::Constant { index, .. } if instruction.is_invoke() => Some(*index),
        Instruction::InvokeInterface { index, .. } => Some(*index),
        _ => None,
    }
}

fn key_at(class: &ClassFile, index: u16) -> Result<MethodKey, ClassFileError> {
    let member = class.pool.member_ref(index)?;
    Ok((member.class.into_owned(), member.name.into_owned(), member.descriptor.into_owned()))
}

/// For each method of the class those that its code calls, each once. The body of a lambda counts as
/// called by the method it stands in, which compilers write into its name.
pub fn calls(class: &ClassFile) -> Result<Vec<(MethodKey, Vec<MethodKey>)>, ClassFileError> {
    let owner = class.name()?;
    let key =
        |name: &str, descriptor: &str| (owner.to_string(), name.to_owned(), descriptor.to_owned());
    let mut all: Vec<(MethodKey, Vec<MethodKey>)> = Vec::new();
    for method in &class.methods {
        let (name, descriptor) = (method.name(&class.pool)?, method.descriptor(&class.pool)?);
        let mut called: Vec<MethodKey> = Vec::new();
        let code = Code::decode(class, method)?;
        for instruction in code.iter().flat_map(Code::instructions) {
            let Some(index) = invoked(instruction) else { continue };
            let target = key_at(class, index)?;
            if !called.contains(&target) {
                called.push(target);
            }
        }
        all.push((key(&name, &descriptor), called));
    }
    let lambdas: Vec<MethodKey> = all.iter().map(|(method, _)| method.clone()).collect();
    for lambda in lambdas {
        let Some((within, _)) =
            lambda.1.strip_prefix("lambda$").and_then(|rest| rest.rsplit_once('$'))
        else {
            continue;
        };
        let within = match within {
            "new" => "<init>",
            "static" => "<clinit>",
            name => name,
        };
        for (_, called) in all.iter_mut().filter(|((_, name, _), _)| name == within) {
            called.push(lambda.clone());
        }
    }
    Ok(all)
}
