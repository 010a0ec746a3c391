//! Which types the code of a class asks objects for: by `instanceof`, by casts, in switches over
//! types, and by asking whether something is an array.
//!
//! What takes an `Object` and does something with lists and arrays only is reached by lists and
//! arrays; its signature does not say so, its code does.

use classfile::opcode::{CHECKCAST, INSTANCEOF};
use classfile::{ClassFile, ClassFileError, Code, Constant, Instruction};
use model::{ClassName, Type};

use crate::refs::References;

/// What stands for all arrays where code asks for any: of objects and of numbers.
const ANY_ARRAYS: [&str; 2] = ["[Ljava/lang/String;", "[I"];

/// The types that code asks for, each once, in the order of the code.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Asked {
    /// Those that it tests for.
    pub tested: Vec<Type>,
    /// Those that it only casts to.
    pub cast: Vec<Type>,
}

impl Asked {
    /// Adds what other code asks for.
    pub fn add(&mut self, other: Self) {
        for ty in other.tested {
            push_new(&mut self.tested, ty);
        }
        for ty in other.cast {
            push_new(&mut self.cast, ty);
        }
        let tested = &self.tested;
        self.cast.retain(|ty| !tested.contains(ty));
    }
}

/// The types that the class's code asks for.
pub fn asked_types(class: &ClassFile) -> Result<Asked, ClassFileError> {
    let mut tested = Vec::new();
    let mut cast = Vec::new();
    let mut references = References::new(class);
    for method in &class.methods {
        let code = Code::decode(class, method)?;
        for instruction in code.iter().flat_map(Code::instructions) {
            match instruction {
                Instruction::Constant { op: INSTANCEOF, index } => {
                    push(&mut tested, &class.pool.class_name(*index)?);
                }
                Instruction::Constant { op: CHECKCAST, index } => {
                    push(&mut cast, &class.pool.class_name(*index)?);
                }
                Instruction::Constant { index, .. } if instruction.is_invoke() => {
                    let member = class.pool.member_ref(*index)?;
                    if is_about_arrays(&member.class, &member.name) {
                        ANY_ARRAYS.into_iter().for_each(|array| push(&mut tested, array));
                    }
                }
                Instruction::InvokeDynamic { index } => {
                    switched_over(&mut references, *index, &mut tested)?;
                }
                _ => {}
            }
        }
    }
    cast.retain(|ty| !tested.contains(ty));
    Ok(Asked { tested, cast })
}

fn is_about_arrays(class: &str, method: &str) -> bool {
    class == "java/lang/reflect/Array" || (class == "java/lang/Class" && method == "isArray")
}

/// The types that a switch over types (`SwitchBootstraps.typeSwitch`) has as labels.
fn switched_over(
    references: &mut References<'_>,
    index: u16,
    tested: &mut Vec<Type>,
) -> Result<(), ClassFileError> {
    let Some(number) = references.member(index)?.bootstrap else { return Ok(()) };
    let bootstrap = references.bootstrap(number)?;
    let (_, method) = references.handle(bootstrap.method)?;
    if method.class != "java/lang/runtime/SwitchBootstraps" {
        return Ok(());
    }
    let pool = &references.class.pool;
    for label in bootstrap.arguments {
        if let Constant::Class(_) = pool.get(label)? {
            push(tested, &pool.class_name(label)?);
        }
    }
    Ok(())
}

/// Adds the type that a class constant names: a class, or an array by its descriptor (JVMS 4.4.1).
fn push(types: &mut Vec<Type>, name: &str) {
    let ty = if name.starts_with('[') {
        let Ok(array) = Type::parse(name) else { return };
        array
    } else {
        Type::Class(ClassName::internal(name))
    };
    push_new(types, ty);
}

fn push_new(types: &mut Vec<Type>, ty: Type) {
    if !types.contains(&ty) {
        types.push(ty);
    }
}
