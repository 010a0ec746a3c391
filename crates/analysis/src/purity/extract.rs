//! Class files to [`Body`]s: which reference goes where.
//!
//! Values of the interpretation are sets of definitions. Tests of fields against null and zero
//! become facts, by which stores that fill a cache are told from others.

mod calls;
mod lazy;

use classfile::opcode::*;
use classfile::{
    ClassFile, Code, Constant, Instruction, Member as Method, MethodDescriptor, flags,
};
use rustc_hash::FxHashMap;

use super::body::{Body, Declared, Def, Laziness, Op, Set};
use super::doom::can_return;
use super::ids::{ELEMENT, class_id, field_id, signature_id};
use crate::AnalysisError;
use crate::machine::{Change, Domain, Step, UNKNOWN, Value, interpret};
use crate::refs::{References, is_changeable, is_constant_class, width};
use calls::is_lambda;
use lazy::{lookup_fact, static_fact};

/// More definitions than this are not told apart.
const MAX_DEFS: usize = 4000;
/// Sets of more definitions than this keep the first ones.
const MAX_SET: usize = 24;

/// A class with what its methods do.
#[derive(Debug)]
pub(crate) struct ClassCode {
    pub(crate) id: u64,
    pub(crate) access: u16,
    /// The superclass first.
    pub(crate) parents: Vec<u64>,
    pub(crate) fields: Vec<Box<str>>,
    pub(crate) methods: Vec<MethodCode>,
}

/// A method with what it does.
#[derive(Debug)]
pub(crate) struct MethodCode {
    pub(crate) signature: u64,
    pub(crate) access: u16,
    pub(crate) is_constructor: bool,
    /// The name, where it is native.
    pub(crate) native: Option<Box<str>>,
    /// Descriptors of the parameters (the receiver as `L`), and of the result.
    pub(crate) params: Vec<Box<str>>,
    pub(crate) result: u8,
    /// `None` for abstract and native methods, and where the code is damaged.
    pub(crate) body: Option<Body>,
    pub(crate) damage: Option<AnalysisError>,
}

/// Reads the code of a class. Damaged code is an entry of its method.
pub(crate) fn extract(class: &ClassFile) -> Result<ClassCode, AnalysisError> {
    let mut refs = References::new(class);
    let mut parents: Vec<u64> = class.super_name()?.iter().map(|name| class_id(name)).collect();
    parents.extend(class.interface_names()?.iter().map(|name| class_id(name)));
    let mut methods = Vec::with_capacity(class.methods.len());
    for method in &class.methods {
        methods.push(extract_method(class, method, &mut refs)?);
    }
    let fields = class
        .fields
        .iter()
        .map(|field| Ok(Box::from(&*field.name(&class.pool)?)))
        .collect::<Result<_, AnalysisError>>()?;
    Ok(ClassCode { id: class_id(&class.name()?), access: class.access, parents, fields, methods })
}

fn extract_method(
    class: &ClassFile,
    method: &Method,
    refs: &mut References<'_>,
) -> Result<MethodCode, AnalysisError> {
    let name = method.name(&class.pool)?;
    let descriptor = method.descriptor(&class.pool)?;
    let parsed = MethodDescriptor::parse(&descriptor)?;
    let receiver = if method.has_flag(flags::STATIC) { None } else { Some("L") };
    let params: Vec<&str> = receiver.into_iter().chain(parsed.parameters.iter().copied()).collect();
    let mut found = MethodCode {
        signature: signature_id(&name, &descriptor),
        access: method.access,
        is_constructor: name == "<init>",
        native: method.has_flag(flags::NATIVE).then(|| Box::from(&*name)),
        params: params.iter().map(|param| Box::from(*param)).collect(),
        result: parsed.result.as_bytes()[0],
        body: None,
        damage: None,
    };
    match body(class, method, refs, &params) {
        Ok(body) => found.body = body,
        Err(damage) => found.damage = Some(damage),
    }
    Ok(found)
}

fn body(
    class: &ClassFile,
    method: &Method,
    refs: &mut References<'_>,
    params: &[&str],
) -> Result<Option<Body>, AnalysisError> {
    let Some(code) = Code::decode(class, method)? else { return Ok(None) };
    let mut extractor = Extractor {
        is_static: method.has_flag(flags::STATIC),
        signature: signature_id(&method.name(&class.pool)?, &method.descriptor(&class.pool)?),
        body: Body { sets: vec![Box::default()], ..Body::default() },
        numbers: FxHashMap::default(),
        sites: FxHashMap::default(),
        full: None,
        can_return: can_return(&code),
    };
    let mut values = Vec::with_capacity(params.len());
    for (index, param) in params.iter().enumerate() {
        let first = param.as_bytes()[0];
        let declared = match *param {
            "Ljava/lang/Object;" => Declared::Opaque,
            other if is_changeable(other) => Declared::Typed,
            _ => Declared::Value,
        };
        let def = Def::Param(index.min(39) as u8, declared);
        values.push((extractor.defined(usize::MAX - index, def), width(first)));
    }
    interpret(&code, refs, &mut extractor, &values)?;
    Ok(Some(extractor.body))
}

struct Extractor {
    is_static: bool,
    /// Of the method itself.
    signature: u64,
    body: Body,
    numbers: FxHashMap<Box<[u16]>, Set>,
    /// Definitions by the instructions they are at.
    sites: FxHashMap<usize, u16>,
    /// The set that stands for all that are too large.
    full: Option<Set>,
    /// For each instruction, whether a return can be reached from it.
    can_return: Vec<bool>,
}

impl Extractor {
    fn set(&mut self, mut defs: Vec<u16>) -> Set {
        defs.truncate(MAX_SET);
        let defs: Box<[u16]> = defs.into();
        if let Some(number) = self.numbers.get(&defs) {
            return *number;
        }
        if defs.is_empty() {
            return UNKNOWN;
        }
        let number = self.body.sets.len() as Set;
        self.body.sets.push(defs.clone());
        self.numbers.insert(defs, number);
        number
    }

    /// The number of the definition at an instruction.
    fn def(&mut self, at: usize, def: Def) -> u16 {
        if let Some(number) = self.sites.get(&at) {
            return *number;
        }
        let number = self.body.defs.len();
        if number >= MAX_DEFS {
            return (MAX_DEFS - 1) as u16;
        }
        self.body.defs.push(def);
        self.sites.insert(at, number as u16);
        number as u16
    }

    /// The set of the definition at an instruction alone.
    fn defined(&mut self, at: usize, def: Def) -> Set {
        let def = self.def(at, def);
        self.set(vec![def])
    }

    fn defs(&self, set: Set) -> impl Iterator<Item = Def> {
        self.body.sets[set as usize].iter().map(|def| self.body.defs[usize::from(*def)])
    }

    /// Whether all that a value may be is this.
    fn is_all(&self, set: Set, expected: Def) -> bool {
        set != UNKNOWN && self.defs(set).all(|def| def == expected)
    }
}

impl Domain for Extractor {
    fn join(&mut self, a: Value, b: Value) -> Value {
        let mut defs: Vec<u16> = self.body.sets[a as usize].to_vec();
        defs.extend_from_slice(&self.body.sets[b as usize]);
        defs.sort_unstable();
        defs.dedup();
        // Going up must end: one set stands for all that are too large.
        if let Some(full) = self.full
            && (a == full || b == full || defs.len() > MAX_SET)
        {
            return full;
        }
        let too_large = defs.len() > MAX_SET;
        let set = self.set(defs);
        if too_large {
            self.full = Some(set);
        }
        set
    }

    fn caught(&mut self, _at: usize) -> Value {
        UNKNOWN
    }

    fn run(&mut self, step: &Step<'_>, refs: &mut References<'_>) -> Result<Change, AnalysisError> {
        let op = step.instruction.opcode();
        let at = step.at;
        let result = match (step.instruction, step.member) {
            (_, Some(member)) => match op {
                GETSTATIC => {
                    let field = signature_id(&member.class, &member.name);
                    self.defined(at, Def::Static(static_fact(&member.name), field))
                }
                GETFIELD => self.defined(at, Def::Loaded(field_id(&member.name))),
                PUTSTATIC | PUTFIELD => UNKNOWN,
                INVOKEDYNAMIC if is_lambda(member, refs)? => self.defined(at, Def::New(0)),
                INVOKEDYNAMIC => UNKNOWN,
                _ if member.changeable_result => {
                    let holder = if op == INVOKESTATIC { None } else { self.holder(step.args[0]) };
                    self.defined(at, holder.map_or(Def::Result, Def::LookedUp))
                }
                _ => UNKNOWN,
            },
            (Instruction::Constant { op: NEW, index }, _) => {
                self.defined(at, Def::New(class_id(&refs.class.pool.class_name(*index)?)))
            }
            (Instruction::NewArray(_), _) | (Instruction::Constant { op: ANEWARRAY, .. }, _) => {
                let is_empty = self.is_all(step.args[0], Def::Zero);
                self.defined(at, if is_empty { Def::Empty } else { Def::New(0) })
            }
            (Instruction::MultiNewArray { .. }, _) => self.defined(at, Def::New(0)),
            (Instruction::Constant { op: CHECKCAST, .. }, _) => step.args[0],
            (Instruction::PushByte(_) | Instruction::PushShort(_), _) => {
                self.defined(usize::MAX / 4, Def::Constant)
            }
            (Instruction::Ldc { index, .. }, _) => {
                // Strings and classes are shared, but nobody can write to them.
                let number = matches!(
                    refs.class.pool.get(*index)?,
                    Constant::Integer(_) | Constant::Long(_)
                );
                if number { self.defined(usize::MAX / 4, Def::Constant) } else { UNKNOWN }
            }
            (Instruction::Plain(ICONST_0), _) => self.defined(usize::MAX / 4 + 1, Def::Zero),
            (Instruction::Plain(ACONST_NULL..=DCONST_1), _) => {
                self.defined(usize::MAX / 4, Def::Constant)
            }
            (Instruction::Plain(AALOAD), _) => self.defined(at, Def::Loaded(ELEMENT)),
            _ => UNKNOWN,
        };
        Ok(Change { result, replace: None })
    }

    fn assume(&mut self, step: &Step<'_>, taken: bool) -> Option<u32> {
        let is_zero = match step.instruction.opcode() {
            IFEQ | IFNULL => taken,
            IFNE | IFNONNULL => !taken,
            _ => return None,
        };
        let mut fields = self.defs(step.args[0]).map(|def| match def {
            Def::Loaded(field) | Def::Static(field, _) if field != ELEMENT => Some(field),
            Def::LookedUp(field) => Some(lookup_fact(field)),
            _ => None,
        });
        let first = fields.next()??;
        let all = fields.all(|field| field == Some(first));
        (is_zero && all).then_some(first)
    }

    fn visit(
        &mut self,
        step: &Step<'_>,
        facts: &[u32],
        refs: &mut References<'_>,
    ) -> Result<(), AnalysisError> {
        if !self.can_return[step.at] {
            return Ok(());
        }
        let op = step.instruction.opcode();
        let op_of = match (op, step.member, step.args) {
            (GETFIELD, Some(member), &[base]) => {
                self.body.reads.push((member.class.as_str().into(), member.name.as_str().into()));
                if !member.changeable_result {
                    return Ok(());
                }
                let dst = self.def(step.at, Def::Result);
                Op::Load { dst, base, field: field_id(&member.name) }
            }
            (GETSTATIC, Some(member), _) => {
                self.body.reads.push((member.class.as_str().into(), member.name.as_str().into()));
                return Ok(());
            }
            (PUTFIELD, Some(member), &[base, value]) => {
                self.body.writes.push((member.class.as_str().into(), member.name.as_str().into()));
                let field = field_id(&member.name);
                let laziness = self.laziness(field, value, facts);
                let value = if member.changeable_result { value } else { UNKNOWN };
                Op::Store { base, field, value, laziness }
            }
            (PUTSTATIC, Some(member), &[value]) => {
                self.body.writes.push((member.class.as_str().into(), member.name.as_str().into()));
                let laziness = self.laziness(static_fact(&member.name), value, facts);
                if self.is_all(value, Def::Empty) {
                    self.body.empty.push(signature_id(&member.class, &member.name));
                }
                Op::StoreStatic { laziness }
            }
            (INVOKEDYNAMIC, Some(member), _) => return self.lambda(step, member, refs),
            (INVOKEVIRTUAL..=INVOKEINTERFACE, Some(member), args) => {
                let receiver = if op == INVOKESTATIC { None } else { args.first().copied() };
                let target = self.target(op, member, receiver);
                let dst = self.def(step.at, Def::Result);
                let skipped = usize::from(receiver.is_some());
                let fills_cache = receiver.is_some_and(|set| self.fills_cache(set, args, facts));
                let args = args.iter().enumerate().map(|(place, value)| {
                    let changeable = match place.checked_sub(skipped) {
                        Some(param) => member.changeable[param],
                        None => !is_constant_class(&member.class) && !fills_cache,
                    };
                    if changeable { *value } else { UNKNOWN }
                });
                let delegates = op != INVOKESPECIAL
                    && signature_id(&member.name, &member.descriptor) == self.signature;
                Op::Call { target, args: args.collect(), dst, delegates }
            }
            (AALOAD, _, &[base, _]) => {
                let dst = self.def(step.at, Def::Result);
                Op::Load { dst, base, field: ELEMENT }
            }
            (IASTORE..=SASTORE, _, &[base, _, value]) => {
                let value = if op == AASTORE { value } else { UNKNOWN };
                Op::Store { base, field: ELEMENT, value, laziness: Laziness::Eager }
            }
            (ARETURN, _, &[value]) => {
                self.body.returns = true;
                Op::Return { value }
            }
            _ => {
                self.body.returns |= is_return(op);
                return Ok(());
            }
        };
        self.body.ops.push(op_of);
        Ok(())
    }
}
