//! Stack map frames (JVMS 4.7.4): what the verifier is told about locals and operand stack.
//!
//! Frames keep the kind they came in. A short form is lengthened when its position no longer
//! fits; none is shortened.

use super::Label;
use super::decode::Labels;
use crate::reader::Reader;
use crate::{ClassFile, ClassFileError, Member, MethodDescriptor, flags};

/// A frame, as a difference to the frame before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    /// Where it holds.
    pub at: Label,
    /// What it says.
    pub kind: FrameKind,
}

/// The forms of frames.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameKind {
    /// The locals of the frame before, empty stack.
    Same,
    /// The same, in the long form.
    SameExtended,
    /// The locals of the frame before, one value on the stack.
    SameLocals1(VerificationType),
    /// The same, in the long form.
    SameLocals1Extended(VerificationType),
    /// Without the last one to three locals, empty stack.
    Chop(u8),
    /// With one to three more locals, empty stack.
    Append(Vec<VerificationType>),
    /// Everything.
    Full {
        /// The locals.
        locals: Vec<VerificationType>,
        /// The stack, bottom first.
        stack: Vec<VerificationType>,
    },
}

/// The type of a local or of a value on the stack. Long and double are one, though they take
/// two slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VerificationType {
    /// Nothing usable.
    Top,
    /// `int` and what is handled as such.
    Integer,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `long`.
    Long,
    /// `null`.
    Null,
    /// `this` before the superclass constructor was called.
    UninitializedThis,
    /// An object of the class with this index.
    Object(u16),
    /// An object made by the `new` at this label, no constructor called yet.
    Uninitialized(Label),
}

/// Locals and stack at one position, in full.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrameState {
    /// The locals.
    pub locals: Vec<VerificationType>,
    /// The stack, bottom first.
    pub stack: Vec<VerificationType>,
}

impl FrameState {
    /// The state at the start of a method (JVMS 4.10.1.6). Classes of parameters that the pool
    /// does not know yet are added.
    pub fn initial(class: &mut ClassFile, method: &Member) -> Result<Self, ClassFileError> {
        let mut locals = Vec::new();
        if !method.has_flag(flags::STATIC) {
            let constructor = class.pool.utf8_bytes(method.name)? == b"<init>";
            // Object has no superclass constructor to wait for.
            locals.push(if constructor && class.super_class != 0 {
                VerificationType::UninitializedThis
            } else {
                VerificationType::Object(class.this_class)
            });
        }
        let descriptor = method.descriptor(&class.pool)?.into_owned();
        for parameter in MethodDescriptor::parse(&descriptor)?.parameters {
            locals.push(match parameter.as_bytes()[0] {
                b'J' => VerificationType::Long,
                b'D' => VerificationType::Double,
                b'F' => VerificationType::Float,
                b'L' => {
                    let name = &parameter[1..parameter.len() - 1];
                    VerificationType::Object(class.pool.add_class(name)?)
                }
                b'[' => VerificationType::Object(class.pool.add_class(parameter)?),
                _ => VerificationType::Integer,
            });
        }
        Ok(Self { locals, stack: Vec::new() })
    }

    /// Goes on to the next frame; `false` if it removes more locals than there are.
    #[must_use]
    pub fn apply(&mut self, kind: &FrameKind) -> bool {
        self.stack.clear();
        match kind {
            FrameKind::Same | FrameKind::SameExtended => {}
            FrameKind::SameLocals1(value) | FrameKind::SameLocals1Extended(value) => {
                self.stack.push(*value);
            }
            FrameKind::Chop(count) => {
                let Some(left) = self.locals.len().checked_sub(usize::from(*count)) else {
                    return false;
                };
                self.locals.truncate(left);
            }
            FrameKind::Append(more) => self.locals.extend(more),
            FrameKind::Full { locals, stack } => {
                self.locals.clone_from(locals);
                self.stack.clone_from(stack);
            }
        }
        true
    }

    /// The state as a frame that does not depend on the one before.
    pub fn to_kind(&self) -> FrameKind {
        FrameKind::Full { locals: self.locals.clone(), stack: self.stack.clone() }
    }
}

const WHAT: &str = "a stack map frame";

/// Reads the contents of a `StackMapTable`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    labels: &mut Labels,
) -> Result<Vec<Frame>, ClassFileError> {
    let mut next = 0;
    reader.table(WHAT, 1, |reader| {
        let start = reader.position();
        let tag = reader.u1(WHAT)?;
        let (delta, kind) = match tag {
            0..=63 => (u16::from(tag), FrameKind::Same),
            64..=127 => (u16::from(tag - 64), FrameKind::SameLocals1(read_type(reader, labels)?)),
            247 => {
                let delta = reader.u2(WHAT)?;
                (delta, FrameKind::SameLocals1Extended(read_type(reader, labels)?))
            }
            248..=250 => (reader.u2(WHAT)?, FrameKind::Chop(251 - tag)),
            251 => (reader.u2(WHAT)?, FrameKind::SameExtended),
            252..=254 => {
                let delta = reader.u2(WHAT)?;
                let more =
                    (251..tag).map(|_| read_type(reader, labels)).collect::<Result<_, _>>()?;
                (delta, FrameKind::Append(more))
            }
            255 => {
                let delta = reader.u2(WHAT)?;
                let locals = reader.table(WHAT, 1, |r| read_type(r, labels))?;
                let stack = reader.table(WHAT, 1, |r| read_type(r, labels))?;
                (delta, FrameKind::Full { locals, stack })
            }
            _ => return Err(reader.corrupt_at(start, "unknown kind of stack map frame")),
        };
        let offset = next + usize::from(delta);
        next = offset + 1;
        Ok(Frame { at: labels.at(offset), kind })
    })
}

fn read_type(
    reader: &mut Reader<'_>,
    labels: &mut Labels,
) -> Result<VerificationType, ClassFileError> {
    let start = reader.position();
    Ok(match reader.u1(WHAT)? {
        0 => VerificationType::Top,
        1 => VerificationType::Integer,
        2 => VerificationType::Float,
        3 => VerificationType::Double,
        4 => VerificationType::Long,
        5 => VerificationType::Null,
        6 => VerificationType::UninitializedThis,
        7 => VerificationType::Object(reader.u2(WHAT)?),
        8 => VerificationType::Uninitialized(labels.anchor(reader.u2(WHAT)?.into())),
        _ => return Err(reader.corrupt_at(start, "unknown verification type")),
    })
}

/// Writes the contents of a `StackMapTable`; `offset_of` gives the offsets of labels.
pub(super) fn write(
    frames: &[Frame],
    out: &mut Vec<u8>,
    offset_of: &impl Fn(Label) -> Result<u16, ClassFileError>,
) -> Result<(), ClassFileError> {
    let count = u16::try_from(frames.len())
        .map_err(|_| ClassFileError::CodeTooLarge { reason: "more than 65535 frames" })?;
    out.extend(count.to_be_bytes());
    let mut next = 0;
    for frame in frames {
        let offset = offset_of(frame.at)?;
        let delta = offset.checked_sub(next).ok_or(ClassFileError::FrameOrder { offset })?;
        next = offset.checked_add(1).ok_or(ClassFileError::FrameOrder { offset })?;
        let long = |out: &mut Vec<u8>, tag: u8| {
            out.push(tag);
            out.extend(delta.to_be_bytes());
        };
        match &frame.kind {
            FrameKind::Same if delta <= 63 => out.push(delta as u8),
            FrameKind::Same | FrameKind::SameExtended => long(out, 251),
            FrameKind::SameLocals1(value) if delta <= 63 => {
                out.push(64 + delta as u8);
                write_type(*value, out, offset_of)?;
            }
            FrameKind::SameLocals1(value) | FrameKind::SameLocals1Extended(value) => {
                long(out, 247);
                write_type(*value, out, offset_of)?;
            }
            FrameKind::Chop(locals) => long(out, 251 - locals),
            FrameKind::Append(more) => {
                long(out, 251 + more.len() as u8);
                write_types(more, out, offset_of)?;
            }
            FrameKind::Full { locals, stack } => {
                long(out, 255);
                for types in [locals, stack] {
                    let count = u16::try_from(types.len()).map_err(|_| {
                        ClassFileError::CodeTooLarge { reason: "a frame of more than 65535 values" }
                    })?;
                    out.extend(count.to_be_bytes());
                    write_types(types, out, offset_of)?;
                }
            }
        }
    }
    Ok(())
}

fn write_types(
    types: &[VerificationType],
    out: &mut Vec<u8>,
    offset_of: &impl Fn(Label) -> Result<u16, ClassFileError>,
) -> Result<(), ClassFileError> {
    types.iter().try_for_each(|value| write_type(*value, out, offset_of))
}

fn write_type(
    value: VerificationType,
    out: &mut Vec<u8>,
    offset_of: &impl Fn(Label) -> Result<u16, ClassFileError>,
) -> Result<(), ClassFileError> {
    match value {
        VerificationType::Top => out.push(0),
        VerificationType::Integer => out.push(1),
        VerificationType::Float => out.push(2),
        VerificationType::Double => out.push(3),
        VerificationType::Long => out.push(4),
        VerificationType::Null => out.push(5),
        VerificationType::UninitializedThis => out.push(6),
        VerificationType::Object(index) => {
            out.push(7);
            out.extend(index.to_be_bytes());
        }
        VerificationType::Uninitialized(label) => {
            out.push(8);
            out.extend(offset_of(label)?.to_be_bytes());
        }
    }
    Ok(())
}
