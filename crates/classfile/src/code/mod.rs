//! Method bodies: instructions and tables with labels instead of offsets (JVMS 4.7.3).
//!
//! [`CodeView`] looks at a body without decoding its instructions. [`Code`] is a list of nodes
//! that can be edited; encoding lays it out anew. Labels are nodes of that list: code inserted
//! before a label is not run by who jumps there, code inserted after it is.
//!
//! Invariant: decoding and encoding without a change gives the same bytes, with one exception:
//! padding of switches is written as zeros.

mod decode;
mod encode;
mod frame;
mod instruction;
pub mod opcode;
mod table;
mod type_annotation;
mod view;

pub use frame::{Frame, FrameKind, FrameState, VerificationType};
pub use instruction::{Instruction, LookupSwitch, TableSwitch};
pub use table::{CodeTable, LineEntry, LocalVariable, OffsetPatch, OffsetTarget};
pub use view::CodeView;

use crate::{ClassFile, ClassFileError, Member};

/// A position in code that stays with its neighbours when code is inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub(crate) u32);

impl Label {
    /// The number of the label: labels of one body are numbered from 0 without gaps.
    pub fn number(self) -> usize {
        self.0 as usize
    }
}

/// An element of code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// A position.
    Label(Label),
    /// An instruction.
    Instruction(Instruction),
}

/// Where exceptions of which class are caught (JVMS 4.7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The first instruction covered.
    pub start: Label,
    /// Behind the last instruction covered.
    pub end: Label,
    /// Where the exception is handled.
    pub target: Label,
    /// Index of the class caught; 0 for any.
    pub catch_type: u16,
}

/// A method body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Code {
    /// Operand stack slots.
    pub max_stack: u16,
    /// Local variable slots.
    pub max_locals: u16,
    /// Labels and instructions.
    ///
    /// Where a frame or a type annotation means the instruction itself rather than the
    /// position, there are two labels; the second belongs to the instruction, and code must
    /// not be inserted between it and the instruction. [`Code::is_anchor`] tells which.
    pub nodes: Vec<Node>,
    /// The exception table.
    pub handlers: Vec<Handler>,
    /// The attributes of the code.
    pub tables: Vec<CodeTable>,
    /// How many labels there are.
    pub(crate) labels: u32,
    /// Labels that belong to their instruction.
    pub(crate) anchors: Vec<Label>,
    /// Whether sizes have the widths of class files before 45.3.
    pub(crate) narrow: bool,
}

impl Code {
    /// A body that goes from its first instruction to its last, without jumps.
    pub fn straight(max_stack: u16, max_locals: u16, instructions: Vec<Instruction>) -> Self {
        Self {
            max_stack,
            max_locals,
            nodes: instructions.into_iter().map(Node::Instruction).collect(),
            handlers: Vec::new(),
            tables: Vec::new(),
            labels: 0,
            anchors: Vec::new(),
            narrow: false,
        }
    }

    /// Decodes the body of a method; `None` if it has none.
    pub fn decode(class: &ClassFile, method: &Member) -> Result<Option<Self>, ClassFileError> {
        match CodeView::read(class, method)? {
            Some(view) => decode::decode(&view, &class.pool).map(Some),
            None => Ok(None),
        }
    }

    /// Lays the code out: the contents of a `Code` attribute.
    pub fn encode(&self) -> Result<Vec<u8>, ClassFileError> {
        encode::encode(self)
    }

    /// A new label, to be placed as a node.
    pub fn new_label(&mut self) -> Label {
        let label = Label(self.labels);
        self.labels += 1;
        label
    }

    /// How many labels there are: one more than the highest number.
    pub fn label_count(&self) -> usize {
        self.labels as usize
    }

    /// The instructions in order, without the labels.
    pub fn instructions(&self) -> impl Iterator<Item = &Instruction> {
        self.nodes.iter().filter_map(|node| match node {
            Node::Instruction(instruction) => Some(instruction),
            Node::Label(_) => None,
        })
    }

    /// Whether this label belongs to its instruction, not to the position before it.
    pub fn is_anchor(&self, label: Label) -> bool {
        self.anchors.contains(&label)
    }

    /// For each label, the index (among instructions) of the instruction that follows it; the
    /// number of instructions for labels at the end.
    pub fn label_instructions(&self) -> Vec<usize> {
        let mut positions = vec![0; self.label_count()];
        let mut next = 0;
        for node in &self.nodes {
            match node {
                Node::Label(label) => positions[label.number()] = next,
                Node::Instruction(_) => next += 1,
            }
        }
        positions
    }

    /// The frames of the stack map, empty if there is none.
    pub fn frames(&self) -> &[Frame] {
        self.tables
            .iter()
            .find_map(|table| match table {
                CodeTable::Frames { frames, .. } => Some(&frames[..]),
                _ => None,
            })
            .unwrap_or_default()
    }

    /// The frames of the stack map, to be changed; `None` if there is none.
    pub fn frames_mut(&mut self) -> Option<&mut Vec<Frame>> {
        self.tables.iter_mut().find_map(|table| match table {
            CodeTable::Frames { frames, .. } => Some(frames),
            _ => None,
        })
    }

    /// The entries of all line number tables, in their order.
    pub fn lines(&self) -> impl Iterator<Item = &LineEntry> {
        self.tables.iter().flat_map(|table| match table {
            CodeTable::Lines { entries, .. } => &entries[..],
            _ => &[],
        })
    }
}
