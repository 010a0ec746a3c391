//! What calls lead to, and what function objects hold and do.

use classfile::Constant;
use classfile::opcode::*;

use super::super::body::{Def, Laziness, Op, Set, Target};
use super::super::ids::{class_id, field_id, signature_id};
use super::Extractor;
use crate::AnalysisError;
use crate::machine::{Step, UNKNOWN};
use crate::refs::{Member, References};

impl Extractor {
    /// The target of a call, given what the receiver may be.
    pub(super) fn target(&self, op: u8, member: &Member, receiver: Option<Set>) -> Target {
        let signature = signature_id(&member.name, &member.descriptor);
        match &*member.class {
            "java/lang/invoke/VarHandle" if is_handle_access(&member.name) => {
                return Target::Handle(
                    !member.name.starts_with("get") || member.name.starts_with("getAnd"),
                );
            }
            "java/lang/invoke/MethodHandle" if member.name.starts_with("invoke") => {
                return Target::Unknown;
            }
            array if array.starts_with('[') && member.name == "clone" => return Target::CloneArray,
            _ => {}
        }
        let named = if member.class.starts_with('[') { "java/lang/Object" } else { &member.class };
        let class = class_id(named);
        match (op, receiver) {
            (INVOKEVIRTUAL | INVOKEINTERFACE, Some(receiver)) => {
                let mut exact: Vec<u64> = Vec::new();
                for def in self.defs(receiver) {
                    match def {
                        Def::New(class) if class != 0 => exact.push(class),
                        Def::Constant | Def::Zero => {}
                        _ => return Target::Virtual(class, signature),
                    }
                }
                exact.sort_unstable();
                exact.dedup();
                match exact[..] {
                    [] => Target::Virtual(class, signature),
                    [class] => Target::Exact(class, signature),
                    _ => Target::Of(exact.into(), signature),
                }
            }
            _ => Target::Exact(class, signature),
        }
    }

    /// A function object: it holds what it captures, and is taken to be run where it is made.
    pub(super) fn lambda(
        &mut self,
        step: &Step<'_>,
        member: &Member,
        refs: &mut References<'_>,
    ) -> Result<(), AnalysisError> {
        let Some(number) = member.bootstrap else { return Ok(()) };
        let bootstrap = refs.bootstrap(number)?;
        let (_, factory) = refs.handle(bootstrap.method)?;
        if factory.class != "java/lang/invoke/LambdaMetafactory" {
            return Ok(());
        }
        let Some(&index) = bootstrap.arguments.get(1) else { return Ok(()) };
        let (kind, called) = refs.handle(index)?;
        if let Some(&erased) = bootstrap.arguments.first()
            && let Constant::MethodType(erased) = *refs.class.pool.get(erased)?
            && let Some((_, made)) = member.descriptor.split_once(")L")
        {
            let descriptor = refs.class.pool.utf8(erased)?;
            let interface = class_id(made.trim_end_matches(';'));
            self.body.functions.push((interface, signature_id(&member.name, &descriptor)));
        }
        let object = self.defined(step.at, Def::New(0));
        for (place, value) in step.args.iter().enumerate() {
            if member.changeable[place] {
                let field = field_id(&format!("arg${place}"));
                let store =
                    Op::Store { base: object, field, value: *value, laziness: Laziness::Eager };
                self.body.ops.push(store);
            }
        }
        // REF_invokeStatic is 6, REF_newInvokeSpecial 8 (JVMS table 4.4.8-A); below 5 are fields.
        let takes_receiver = matches!(kind, 5 | 7 | 9);
        if kind < 5 || takes_receiver && step.args.is_empty() {
            return Ok(());
        }
        let mut args: Vec<Set> = if kind == 8 { vec![object] } else { Vec::new() };
        args.extend(step.args);
        args.resize(called.params.len() + usize::from(kind != 6), UNKNOWN);
        let op = match kind {
            5 => INVOKEVIRTUAL,
            9 => INVOKEINTERFACE,
            7 | 8 => INVOKESPECIAL,
            _ => INVOKESTATIC,
        };
        let target = self.target(op, &called, args.first().copied());
        // What it returns is nobody's concern here.
        let dst = self.def(usize::MAX / 2 + step.at, Def::Result);
        self.body.ops.push(Op::Call { target, args: args.into(), dst, delegates: false });
        Ok(())
    }
}

/// Whether a dynamic call site makes a function object.
pub(super) fn is_lambda(member: &Member, refs: &mut References<'_>) -> Result<bool, AnalysisError> {
    let Some(number) = member.bootstrap else { return Ok(false) };
    let bootstrap = refs.bootstrap(number)?;
    Ok(refs.handle(bootstrap.method)?.1.class == "java/lang/invoke/LambdaMetafactory")
}

pub(super) fn is_handle_access(name: &str) -> bool {
    ["get", "set", "compareAnd", "weakCompareAnd"].iter().any(|prefix| name.starts_with(prefix))
}
