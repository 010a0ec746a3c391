//! The attributes of code whose contents are positions in it.

use super::decode::Labels;
use super::frame::{self, Frame};
use super::{Label, type_annotation};
use crate::{Attribute, ClassFileError, ConstantPool, Span};

/// An attribute of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CodeTable {
    /// `LineNumberTable`.
    Lines {
        /// Index of the attribute's name.
        name: u16,
        /// The entries.
        entries: Vec<LineEntry>,
    },
    /// `LocalVariableTable` or `LocalVariableTypeTable`.
    Locals {
        /// Index of the attribute's name.
        name: u16,
        /// The entries.
        variables: Vec<LocalVariable>,
    },
    /// `StackMapTable`.
    Frames {
        /// Index of the attribute's name.
        name: u16,
        /// The frames in order of their positions.
        frames: Vec<Frame>,
    },
    /// Type annotations of code: bytes with positions in them.
    Patched {
        /// Index of the attribute's name.
        name: u16,
        /// The contents as read.
        bytes: Span,
        /// Where positions stand in the contents.
        patches: Vec<OffsetPatch>,
    },
    /// Any other attribute. If it holds positions, they are not kept up to date.
    Raw(Attribute),
}

/// From here on, the code belongs to a source line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEntry {
    /// The first instruction.
    pub at: Label,
    /// The source line.
    pub line: u16,
}

/// Where a slot holds which variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalVariable {
    /// From here on.
    pub start: Label,
    /// To before here.
    pub end: Label,
    /// Index of the name.
    pub name: u16,
    /// Index of the descriptor or, in a `LocalVariableTypeTable`, of the signature.
    pub descriptor: u16,
    /// The slot.
    pub index: u16,
}

/// A position that stands inside the bytes of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OffsetPatch {
    /// At which byte of the contents.
    pub at: u32,
    /// What stands there.
    pub target: OffsetTarget,
}

/// What stands at an [`OffsetPatch`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OffsetTarget {
    /// Two bytes: the offset of an instruction.
    Instruction(Label),
    /// Four bytes: the first offset of a range, and its length.
    Range(Label, Label),
}

/// Decodes an attribute of code.
pub(super) fn decode(
    attribute: &Attribute,
    pool: &ConstantPool,
    labels: &mut Labels,
) -> Result<CodeTable, ClassFileError> {
    let name = attribute.name;
    Ok(match pool.utf8_bytes(name)? {
        b"LineNumberTable" => CodeTable::Lines {
            name,
            entries: attribute.decode(|reader| {
                reader.table("a line number", 4, |r| {
                    let at = labels.at(r.u2("a line number")?.into());
                    Ok(LineEntry { at, line: r.u2("a line number")? })
                })
            })?,
        },
        b"LocalVariableTable" | b"LocalVariableTypeTable" => {
            const WHAT: &str = "a local variable";
            let variables = attribute.decode(|reader| {
                reader.table(WHAT, 10, |r| {
                    let start = usize::from(r.u2(WHAT)?);
                    let end = start + usize::from(r.u2(WHAT)?);
                    Ok(LocalVariable {
                        start: labels.at(start),
                        end: labels.at(end),
                        name: r.u2(WHAT)?,
                        descriptor: r.u2(WHAT)?,
                        index: r.u2(WHAT)?,
                    })
                })
            })?;
            CodeTable::Locals { name, variables }
        }
        b"StackMapTable" => {
            CodeTable::Frames { name, frames: attribute.decode(|r| frame::read(r, labels))? }
        }
        b"RuntimeVisibleTypeAnnotations" | b"RuntimeInvisibleTypeAnnotations" => {
            let patches = attribute.decode(|r| type_annotation::read(r, labels))?;
            CodeTable::Patched { name, bytes: attribute.bytes.clone(), patches }
        }
        _ => CodeTable::Raw(attribute.clone()),
    })
}
