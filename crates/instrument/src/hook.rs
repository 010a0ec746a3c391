//! Calls at the entry of given methods, to watch what the JDK does to the world outside.

use classfile::opcode::ILOAD;
use classfile::{ClassFile, ClassFileError, Code, Instruction, Member, flags};

use crate::names::RUNTIME;
use crate::{InstrumentError, emit};

/// A method to watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hook {
    /// Its name.
    pub method: String,
    /// Its descriptor; none for all methods of that name.
    pub descriptor: Option<String>,
    /// What is called.
    pub call: HookCall,
}

/// What a hooked method calls at its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HookCall {
    /// `effect`, with this id.
    Effect(u32),
    /// `exit`, with the first argument of the method, which must be an `int`.
    Exit,
}

/// A class with hooks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hooked {
    /// The class bytes.
    pub bytes: Vec<u8>,
    /// Positions of the hooks that match no method with code: JDKs differ, so whether that is
    /// an error is for the caller to say.
    pub unmatched: Vec<usize>,
}

/// Inserts calls at the entry of methods.
pub fn hook_entries(class: &ClassFile, hooks: &[Hook]) -> Result<Hooked, InstrumentError> {
    let mut class = class.clone();
    let name = class.name().map_or_else(|_| "a class".to_owned(), |name| name.into_owned());
    let bad_class = |source| InstrumentError::ClassFile { class: name.clone(), source };
    let mut unmatched = Vec::new();
    for (number, hook) in hooks.iter().enumerate() {
        let mut matched = false;
        for index in 0..class.methods.len() {
            let method = &class.methods[index];
            if !matches(&class, method, hook).map_err(bad_class)? {
                continue;
            }
            let Some(code) = Code::decode(&class, method).map_err(bad_class)? else { continue };
            matched = true;
            let descriptor = method.descriptor(&class.pool).map_err(bad_class)?;
            if hook.call == HookCall::Exit && !descriptor.starts_with("(I") {
                return Err(InstrumentError::NoExitStatus {
                    class: name.clone(),
                    method: hook.method.clone(),
                    descriptor: descriptor.into_owned(),
                });
            }
            let bytes = insert_call(&mut class, index, code, hook.call).map_err(bad_class)?;
            class.methods[index].attributes.replace(&class.pool, "Code", bytes);
        }
        if !matched {
            unmatched.push(number);
        }
    }
    Ok(Hooked { bytes: class.to_bytes(), unmatched })
}

fn matches(class: &ClassFile, method: &Member, hook: &Hook) -> Result<bool, ClassFileError> {
    Ok(method.name(&class.pool)? == hook.method
        && match &hook.descriptor {
            Some(descriptor) => method.descriptor(&class.pool)? == *descriptor,
            None => true,
        })
}

fn insert_call(
    class: &mut ClassFile,
    index: usize,
    mut code: Code,
    call: HookCall,
) -> Result<Vec<u8>, ClassFileError> {
    let mut nodes = Vec::with_capacity(code.nodes.len() + 2);
    match call {
        HookCall::Effect(id) => {
            emit::number(&mut class.pool, id, &mut nodes)?; // id
            emit::call_with_int(&mut class.pool, RUNTIME.effect, &mut nodes)?; //
        }
        HookCall::Exit => {
            let slot = u16::from(!class.methods[index].has_flag(flags::STATIC));
            let load = Instruction::Local { op: ILOAD, index: slot, wide: false };
            emit::push(&mut nodes, load); // status
            emit::call_with_int(&mut class.pool, RUNTIME.exit, &mut nodes)?; //
        }
    }
    nodes.append(&mut code.nodes);
    code.nodes = nodes;
    code.max_stack = code.max_stack.max(1);
    code.encode()
}
