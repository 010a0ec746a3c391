//! What of a method's code its compiler added, for others who rewrite classes.
//!
//! The same knowledge that keeps reports free of it ([`filters`](crate::filters)), as plain data.

use classfile::{ClassFile, ClassFileError, Code, Member};

use crate::filters::Filters;
use crate::flow::Flow;
use crate::lines::lines_of;

/// What of a method is not in its source, or stands there once and in the code several times.
/// Numbers are those of instructions.
#[derive(Clone, Debug, Default)]
pub struct Artefacts {
    /// Nothing of the method is in the source.
    pub whole_method: bool,
    /// By instruction: whether a compiler added it.
    pub added: Vec<bool>,
    /// Instructions that are copies of others (a `finally` block stands at every way out of what it
    /// guards), each with its original; the originals are no copies. Ascending.
    pub copies: Vec<(usize, usize)>,
    /// By instruction: its source line.
    pub lines: Vec<Option<u16>>,
}

impl Artefacts {
    /// Finds what a compiler added to a method.
    pub fn of(class: &ClassFile, method: &Member, code: &Code) -> Result<Self, ClassFileError> {
        let name = method.name(&class.pool)?;
        let descriptor = method.descriptor(&class.pool)?;
        let flow = Flow::of(code);
        let filters = Filters::of_method(class, method, &name, &descriptor, code, &flow);
        let mut added = filters.ignored;
        for (finding, switch) in &filters.text_switches {
            // From the number that says "not found yet" (before the text, which is asked for its hash
            // code) to the one the second switch goes by.
            added[finding.start.saturating_sub(3)..*switch].fill(true);
        }
        let mut copies: Vec<_> = filters.copies.into_iter().collect();
        copies.sort_unstable();
        let lines = lines_of(code, &flow);
        Ok(Self { whole_method: filters.whole_method, added, copies, lines })
    }
}
