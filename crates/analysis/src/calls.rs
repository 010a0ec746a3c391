//! Which methods the code of a class names in calls, by name alone: no dispatch is resolved.

use classfile::{ClassFile, ClassFileError, Code, Instruction};

/// A method by the internal name of its class, its name and its descriptor.
pub type MethodKey = (String, String, String);

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
            let index = match instruction {
                Instruction::Constant { index, .. } if instruction.is_invoke() => *index,
                Instruction::InvokeInterface { index, .. } => *index,
                _ => continue,
            };
            let member = class.pool.member_ref(index)?;
            let target = (
                member.class.into_owned(),
                member.name.into_owned(),
                member.descriptor.into_owned(),
            );
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
