//! Finds the positions inside the type annotations of code (JVMS 4.7.20).
//!
//! Only positions matter here: the annotations stay bytes, and the positions are patched when
//! the code is laid out anew.

use super::decode::Labels;
use super::{OffsetPatch, OffsetTarget};
use crate::ClassFileError;
use crate::annotation::skip_annotation;
use crate::reader::Reader;

/// Reads the whole attribute; positions count from its first byte.
pub(super) fn read(
    reader: &mut Reader<'_>,
    labels: &mut Labels,
) -> Result<Vec<OffsetPatch>, ClassFileError> {
    const WHAT: &str = "a type annotation";
    let mut patches = Vec::new();
    for _ in 0..reader.u2(WHAT)? {
        let start = reader.position();
        match reader.u1(WHAT)? {
            // Of a local variable or a resource.
            0x40 | 0x41 => {
                for _ in 0..reader.u2(WHAT)? {
                    let at = reader.position() as u32;
                    let from = usize::from(reader.u2(WHAT)?);
                    let to = from + usize::from(reader.u2(WHAT)?);
                    reader.u2(WHAT)?;
                    let target = OffsetTarget::Range(labels.at(from), labels.at(to));
                    patches.push(OffsetPatch { at, target });
                }
            }
            // Of an exception parameter, by its place in the exception table.
            0x42 => {
                reader.u2(WHAT)?;
            }
            // Of instanceof, new and method references; of casts and type arguments.
            kind @ 0x43..=0x4B => {
                let at = reader.position() as u32;
                let target = OffsetTarget::Instruction(labels.anchor(reader.u2(WHAT)?.into()));
                patches.push(OffsetPatch { at, target });
                if kind >= 0x47 {
                    reader.u1(WHAT)?;
                }
            }
            _ => return Err(reader.corrupt_at(start, "a type annotation that code cannot have")),
        }
        let path = reader.u1(WHAT)?;
        reader.take(2 * usize::from(path), WHAT)?;
        skip_annotation(reader, 0)?;
    }
    Ok(patches)
}
