//! A method body as it stands: sizes, bytes and attributes, no instruction decoded.

use crate::reader::Reader;
use crate::{Attributes, ClassFile, ClassFileError, Member, Span};

/// The undecoded body of a method.
#[derive(Clone, Debug)]
pub struct CodeView {
    /// Operand stack slots.
    pub max_stack: u16,
    /// Local variable slots.
    pub max_locals: u16,
    /// The instructions.
    pub bytes: Span,
    /// The attributes of the code.
    pub attributes: Attributes,
    /// Start, end, target and caught class of each handler.
    pub(crate) handlers: Vec<[u16; 4]>,
    pub(crate) narrow: bool,
}

impl CodeView {
    /// Looks at the body of a method; `None` if it has none.
    pub fn read(class: &ClassFile, method: &Member) -> Result<Option<Self>, ClassFileError> {
        // Before version 45.3 the sizes were half as wide.
        let narrow = class.major_version == 45 && class.minor_version < 3;
        let Some(attribute) = method.attributes.find(&class.pool, "Code") else { return Ok(None) };
        attribute.decode(|reader| Self::decode(reader, &attribute.bytes, narrow)).map(Some)
    }

    fn decode(reader: &mut Reader<'_>, whole: &Span, narrow: bool) -> Result<Self, ClassFileError> {
        const WHAT: &str = "the code of a method";
        let start = reader.position();
        let (max_stack, max_locals, length) = if narrow {
            let stack = u16::from(reader.u1(WHAT)?);
            (stack, u16::from(reader.u1(WHAT)?), usize::from(reader.u2(WHAT)?))
        } else {
            (reader.u2(WHAT)?, reader.u2(WHAT)?, reader.u4(WHAT)? as usize)
        };
        if length == 0 || length > usize::from(u16::MAX) {
            return Err(reader.corrupt_at(start, "code must have 1 to 65535 bytes"));
        }
        let from = reader.offset();
        reader.take(length, WHAT)?;
        let bytes = Span::new(whole.source(), from, from + length);
        let handlers = reader.table("the exception table", 8, |r| {
            Ok([r.u2(WHAT)?, r.u2(WHAT)?, r.u2(WHAT)?, r.u2(WHAT)?])
        })?;
        let attributes = Attributes::read(reader, whole.source())?;
        Ok(Self { max_stack, max_locals, bytes, attributes, handlers, narrow })
    }
}
