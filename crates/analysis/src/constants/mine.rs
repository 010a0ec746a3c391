//! Interprets methods with constants as values, and notes where they are used.
//!
//! `<clinit>` comes first: what it assigns once to the class's own `static final` fields is a
//! constant in the other methods.

mod concat;
mod uses;

use std::collections::BTreeMap;
use std::sync::Arc;

use classfile::opcode::*;
use classfile::{ClassFile, ClassFileError, Code, Constant, Instruction, Member as Method, flags};
use model::{ClassName, JavaString, Literal, Primitive, Type};
use rustc_hash::FxHashMap;

use super::value::{Known, Values, primitive};
use super::{Mined, Passed, Signature, Tally, Use, constant_literal, fold};
use crate::AnalysisError;
use crate::machine::{Change, Domain, Step, UNKNOWN, Value, interpret};
use crate::refs::{Member, References, width};

/// What is mined of the code of a class.
#[derive(Default)]
pub(super) struct Mine {
    /// The constants of each method that has any.
    pub(super) uses: BTreeMap<Signature, Vec<Use>>,
    pub(super) passed: Vec<Passed>,
}

/// What the methods of a class use.
pub(super) fn methods(class: &ClassFile) -> Result<Mine, AnalysisError> {
    let mut refs = References::new(class);
    let own = class.name()?.into_owned();
    let mut finals = constant_fields(class)?;
    let mut found = Mine::default();
    let is_first = |method: &&Method| method.name(&class.pool).is_ok_and(|name| name == "<clinit>");
    let (first, rest): (Vec<&Method>, Vec<&Method>) = class.methods.iter().partition(is_first);
    for method in first.into_iter().chain(rest) {
        let Some(code) = Code::decode(class, method)? else { continue };
        let name: Arc<str> = (*method.name(&class.pool)?).into();
        let descriptor: Arc<str> = (*method.descriptor(&class.pool)?).into();
        let mut miner = Miner::new(&own, &finals, &descriptor);
        let params = miner.params(method.has_flag(flags::STATIC), &descriptor)?;
        interpret(&code, &mut refs, &mut miner, &params)?;
        for passed in std::mem::take(&mut miner.passed) {
            if !found.passed.contains(&passed) {
                found.passed.push(passed);
            }
        }
        if &*name == "<clinit>" {
            let assigned = std::mem::take(&mut miner.assigned);
            let uses = std::mem::take(&mut miner.tally.uses);
            drop(miner);
            let once = assigned.into_iter().filter_map(|(name, value)| Some((name, value?)));
            finals.extend(once.filter(|(name, _)| is_final(class, name)));
            if !uses.is_empty() {
                found.uses.insert((name, descriptor), uses);
            }
        } else if !miner.tally.uses.is_empty() {
            found.uses.insert((name, descriptor), miner.tally.uses);
        }
    }
    Ok(found)
}

fn is_final(class: &ClassFile, name: &str) -> bool {
    let found = class.fields.iter().find(|f| f.name(&class.pool).is_ok_and(|n| n == name));
    found.is_some_and(|field| field.has_flag(flags::FINAL))
}

/// The class's own fields with constant values.
fn constant_fields(class: &ClassFile) -> Result<FxHashMap<String, Literal>, AnalysisError> {
    let mut fields = FxHashMap::default();
    for field in &class.fields {
        if let Ok(Some(value)) = field.attributes.constant_value(&class.pool) {
            fields.insert(field.name(&class.pool)?.into_owned(), constant_literal(&value));
        }
    }
    Ok(fields)
}

struct Miner<'m> {
    own: &'m str,
    finals: &'m FxHashMap<String, Literal>,
    /// The first character of the descriptor of the method's result.
    result: u8,
    values: Values,
    tally: Tally,
    passed: Vec<Passed>,
    /// The class's own static fields that are assigned; `None` if more than once or no constant.
    assigned: BTreeMap<String, Option<Literal>>,
}

impl<'m> Miner<'m> {
    fn new(own: &'m str, finals: &'m FxHashMap<String, Literal>, descriptor: &str) -> Self {
        let result = descriptor.rfind(')').and_then(|at| descriptor.as_bytes().get(at + 1));
        Self {
            own,
            finals,
            result: result.map_or(b'V', |byte| *byte),
            values: Values::new(),
            tally: Tally::default(),
            passed: Vec::new(),
            assigned: BTreeMap::new(),
        }
    }

    fn params(
        &mut self,
        is_static: bool,
        descriptor: &str,
    ) -> Result<Vec<(Value, u8)>, ClassFileError> {
        let parsed = classfile::MethodDescriptor::parse(descriptor)?;
        let receiver = if is_static { None } else { Some((UNKNOWN, 1)) };
        let params = parsed.parameters.iter().map(|param| {
            let first = param.as_bytes()[0];
            (self.of(first), width(first))
        });
        Ok(receiver.into_iter().chain(params).collect())
    }

    /// An unknown value of the type that the descriptor begins with.
    fn of(&mut self, descriptor: u8) -> Value {
        primitive(descriptor).map_or(UNKNOWN, |p| self.values.number(Known::Of(p)))
    }

    fn constant(&mut self, literal: Literal) -> Value {
        self.values.number(Known::Constant(literal))
    }

    fn string(&mut self, units: &[u16]) -> Value {
        self.constant(Literal::String(JavaString::from_units(units)))
    }

    /// The value of an instruction that pushes a constant.
    fn pushed(&mut self, op: u8) -> Option<Literal> {
        Some(match op {
            ACONST_NULL => Literal::Null,
            ICONST_M1..=ICONST_5 => Literal::Int(i32::from(op) - i32::from(ICONST_0)),
            LCONST_0 | LCONST_1 => Literal::Long(i64::from(op - LCONST_0)),
            FCONST_0..=FCONST_2 => Literal::Float(f32::from(op - FCONST_0)),
            DCONST_0 | DCONST_1 => Literal::Double(f64::from(op - DCONST_0)),
            _ => return None,
        })
    }

    fn loaded(&mut self, index: u16, refs: &References<'_>) -> Result<Value, AnalysisError> {
        let pool = &refs.class.pool;
        let literal = match *pool.get(index)? {
            Constant::Integer(value) => Literal::Int(value),
            Constant::Float(bits) => Literal::Float(f32::from_bits(bits)),
            Constant::Long(value) => Literal::Long(value),
            Constant::Double(bits) => Literal::Double(f64::from_bits(bits)),
            Constant::String(text) => Literal::String(JavaString::from_units(&pool.utf16(text)?)),
            Constant::Class(_) => {
                let name = pool.class_name(index)?;
                let ty = if name.starts_with('[') {
                    Type::parse(&name).ok()
                } else {
                    Some(Type::class(&name))
                };
                match ty {
                    Some(ty) => Literal::Class(Some(ty)),
                    None => return Ok(UNKNOWN),
                }
            }
            _ => return Ok(UNKNOWN),
        };
        Ok(self.constant(literal))
    }

    /// Arithmetic: folded, or of the type it results in.
    fn computed(&mut self, op: u8, args: &[Value]) -> Value {
        let literals: Option<Vec<&Literal>> =
            args.iter().map(|value| self.values.literal(*value)).collect();
        if let Some(folded) = literals.and_then(|literals| fold::fold(op, &literals)) {
            return self.constant(folded);
        }
        let known = match op {
            LCMP..=DCMPG => Known::Token,
            INSTANCEOF => Known::Of(Primitive::Boolean),
            I2B => Known::Of(Primitive::Byte),
            I2C | CALOAD => Known::Of(Primitive::Char),
            I2S | SALOAD => Known::Of(Primitive::Short),
            IAND | IOR | IXOR
                if args.iter().any(|v| *self.values.get(*v) == Known::Of(Primitive::Boolean)) =>
            {
                Known::Of(Primitive::Boolean)
            }
            IALOAD if *self.values.get(args[0]) == Known::Token => Known::Token,
            IALOAD | ARRAYLENGTH | IADD | ISUB | IMUL | IDIV | IREM | INEG | ISHL | ISHR
            | IUSHR | IAND | IOR | IXOR | L2I | F2I | D2I => Known::Of(Primitive::Int),
            LALOAD | LADD | LSUB | LMUL | LDIV | LREM | LNEG | LSHL | LSHR | LUSHR | LAND | LOR
            | LXOR | I2L | F2L | D2L => Known::Of(Primitive::Long),
            FALOAD | FADD | FSUB | FMUL | FDIV | FREM | FNEG | I2F | L2F | D2F => {
                Known::Of(Primitive::Float)
            }
            DALOAD | DADD | DSUB | DMUL | DDIV | DREM | DNEG | I2D | L2D | F2D => {
                Known::Of(Primitive::Double)
            }
            _ => Known::Nothing,
        };
        self.values.number(known)
    }

    fn field(&mut self, member: &Member) -> Value {
        if member.class == self.own
            && let Some(literal) = self.finals.get(&member.name)
        {
            return self.constant(literal.clone());
        }
        let of_own_class = member
            .descriptor
            .strip_prefix('L')
            .and_then(|rest| rest.strip_suffix(';'))
            .is_some_and(|class| class == member.class);
        if of_own_class {
            let class = ClassName::internal(&member.class);
            return self.values.number(Known::Static(class, member.name.as_str().into()));
        }
        if member.name.starts_with("$SwitchMap$") {
            return self.values.number(Known::Token);
        }
        self.of(member.result)
    }

    fn call(&mut self, step: &Step<'_>, member: &Member) -> Change {
        if let Some(change) = self.builder_call(step, member) {
            return change;
        }
        let folded = match (&*member.class, &*member.name, step.args) {
            ("java/lang/String", "toString" | "intern", &[text]) => {
                self.values.literal(text).is_some().then_some(text)
            }
            ("java/lang/String", "concat", &[first, second]) => {
                self.joined(&[(first, b'L'), (second, b'L')])
            }
            ("java/lang/String", "valueOf", &[value])
            | (
                "java/lang/Integer" | "java/lang/Long" | "java/lang/Character",
                "toString",
                &[value],
            ) if member.params.len() == 1 => self.joined(&[(value, member.params[0])]),
            _ => None,
        };
        let result = folded.unwrap_or_else(|| match &*member.name {
            "hashCode" | "ordinal" | "compareTo" | "compare" | "compareToIgnoreCase" => {
                self.values.number(Known::Token)
            }
            _ => self.of(member.result),
        });
        // A builder that goes elsewhere may be changed there.
        let escaped = step.args.iter().find(|v| matches!(self.values.get(**v), Known::Builder(..)));
        Change { result, replace: escaped.map(|value| (*value, UNKNOWN)) }
    }
}

impl Domain for Miner<'_> {
    fn join(&mut self, a: Value, b: Value) -> Value {
        self.values.join(a, b)
    }

    fn caught(&mut self, _at: usize) -> Value {
        UNKNOWN
    }

    fn run(&mut self, step: &Step<'_>, refs: &mut References<'_>) -> Result<Change, AnalysisError> {
        let op = step.instruction.opcode();
        let result = match (step.instruction, step.member) {
            (Instruction::PushByte(value), _) => self.constant(Literal::Int((*value).into())),
            (Instruction::PushShort(value), _) => self.constant(Literal::Int((*value).into())),
            (Instruction::Ldc { index, .. }, _) => self.loaded(*index, refs)?,
            (Instruction::Increment { amount, .. }, _) => {
                let amount = self.constant(Literal::Int((*amount).into()));
                self.computed(IADD, &[step.args[0], amount])
            }
            (_, Some(member)) => match op {
                GETSTATIC => self.field(member),
                GETFIELD => self.of(member.result),
                PUTSTATIC | PUTFIELD => UNKNOWN,
                INVOKEDYNAMIC => match self.concatenated(step, member, refs)?.0 {
                    Some(whole) => whole,
                    None => self.of(member.result),
                },
                _ => return Ok(self.call(step, member)),
            },
            (Instruction::Constant { op: NEW, index }, _) => {
                match &*refs.class.pool.class_name(*index)? {
                    "java/lang/StringBuilder" | "java/lang/StringBuffer" => {
                        self.values.number(Known::NewBuilder(step.at))
                    }
                    _ => UNKNOWN,
                }
            }
            (Instruction::Constant { op: CHECKCAST, .. }, _) => step.args[0],
            (Instruction::Plain(op), _) => match self.pushed(*op) {
                Some(literal) => self.constant(literal),
                None => self.computed(*op, step.args),
            },
            (Instruction::Constant { .. }, _) => self.computed(op, step.args),
            _ => UNKNOWN,
        };
        Ok(Change { result, replace: None })
    }

    fn visit(
        &mut self,
        step: &Step<'_>,
        _facts: &[u32],
        refs: &mut References<'_>,
    ) -> Result<(), AnalysisError> {
        let op = step.instruction.opcode();
        match (step.instruction, step.member) {
            (_, Some(member)) if matches!(op, GETSTATIC..=PUTFIELD) => {
                if matches!(op, PUTSTATIC | PUTFIELD) {
                    let value = step.args[step.args.len() - 1];
                    self.note(value, primitive(member.result), false);
                    if op == PUTSTATIC && member.class == self.own {
                        let literal = self.values.literal(value).cloned();
                        let entry = self.assigned.entry(member.name.clone());
                        entry.and_modify(|known| *known = None).or_insert(literal);
                    }
                }
            }
            (_, Some(member)) => self.visit_call(step, member, refs)?,
            (Instruction::Jump { .. }, _) => match (op, step.args) {
                (IF_ICMPEQ..=IF_ACMPNE, &[a, b]) => {
                    let (of_a, of_b) = (self.values.get(a), self.values.get(b));
                    let tokens = *of_a == Known::Token || *of_b == Known::Token;
                    let types = (self.values.primitive(a), self.values.primitive(b));
                    if !tokens {
                        self.note(a, types.1, true);
                        self.note(b, types.0, true);
                    }
                }
                (IFLT..=IFLE, &[value]) => self.note_compared(0, value),
                (IFEQ | IFNE, &[value]) if self.values.primitive(value).is_some() => {
                    self.note_compared(0, value);
                }
                _ => {}
            },
            (Instruction::TableSwitch(switch), _) => {
                // Gaps of the table lead where the default leads.
                for (number, target) in (switch.low..).zip(&switch.targets) {
                    if *target != switch.default {
                        self.note_compared(number, step.args[0]);
                    }
                }
            }
            (Instruction::LookupSwitch(switch), _) => {
                for (number, _) in &switch.pairs {
                    self.note_compared(*number, step.args[0]);
                }
            }
            (Instruction::Increment { amount, .. }, _) => {
                if self.values.literal(step.args[0]).is_none() && !matches!(amount, -1..=1) {
                    self.tally.add(Mined::Literal(Literal::Int((*amount).into())), false);
                }
            }
            (Instruction::Constant { op: CHECKCAST, .. }, _) => {}
            _ => self.visit_operands(step, op),
        }
        Ok(())
    }
}
