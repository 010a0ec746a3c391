//! Where probes go in a class, and what each of them means.
//!
//! A plan is made from class bytes alone and names instructions by their index, so that it can
//! be stored with results and read when the class is long gone.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// What is to be inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Coverage probes.
    pub coverage: bool,
    /// Calls that count down the step budget.
    pub steps: bool,
    /// Calls that tell the operands of comparisons.
    pub comparisons: bool,
}

/// Where probes go in a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The internal name of the class.
    pub class: String,
    /// What was asked for.
    pub options: Options,
    /// The methods that are instrumented.
    pub methods: Vec<MethodPlan>,
    /// The probes, by id.
    pub probes: Vec<Probe>,
    /// The branches that count, in order of methods and instructions.
    pub branches: Vec<Branch>,
    /// The code of the methods, in order of methods and instructions.
    pub segments: Vec<Segment>,
    /// The comparisons whose operands are told, by number.
    pub comparisons: Vec<Comparison>,
    /// The methods with code that are left as they are.
    pub skipped: Vec<Skipped>,
}

/// What is inserted into a method.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MethodPlan {
    /// Its index in the class file.
    pub index: u16,
    /// Its name; of a body that checks were woven around, that of the method whose body it is.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Its access flags: synthetic and bridge methods can be told.
    pub access: u16,
    /// Whether its branches and lines count in totals: those of methods that are in the
    /// source, and of lambda bodies.
    pub counted: bool,
    /// The ids of its probes.
    pub probes: Range<u32>,
    /// Where the step budget is counted down.
    pub steps: Vec<StepSite>,
    /// The numbers of its comparisons.
    pub comparisons: Range<u32>,
}

/// A probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// Position in [`Plan::methods`] of its method.
    pub method: u32,
    /// What a hit means.
    pub kind: ProbeKind,
    /// Where it is.
    pub site: Site,
}

/// What it means that a probe was hit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProbeKind {
    /// The method was entered.
    Entry,
    /// A jump went one of its ways.
    Branch {
        /// Index of the conditional jump or switch.
        instruction: u32,
        /// The source line of the jump.
        line: Option<u16>,
        /// Which way.
        edge: Edge,
    },
    /// Control came to a place of interest, though something before it might have thrown.
    Place,
    /// Two numbers were equal that a jump compares by their order: it went one of its ways, but
    /// would go the other if it compared by `<=` instead of `<`. Counts as no coverage.
    Boundary {
        /// Index of the conditional jump.
        instruction: u32,
    },
    /// A call answered what nobody asked for: `set.add(x);` says whether it changed the set, and so
    /// whether it did anything. Counts as no coverage.
    Dropped {
        /// Index of the instruction that drops the answer.
        instruction: u32,
        /// Whether it was `true` or an object; else `false` or `null`.
        is_some: bool,
    },
}

/// A way out of a conditional jump or switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Edge {
    /// A conditional jump was not taken.
    FallThrough,
    /// A conditional jump was taken.
    Taken,
    /// A switch went to the target of this number among its distinct targets, default first.
    Target(u32),
    /// No way of its own: a conditional jump went by two numbers that were equal.
    Equal,
}

/// Where a probe is written. Numbers are instruction indices of the original code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Site {
    /// Before everything.
    Entry,
    /// Before an instruction, whoever comes there.
    Before(u32),
    /// Behind a conditional jump that was not taken; who jumps to the next instruction
    /// does not pass it.
    After(u32),
    /// On the way from a jump to its target.
    Jump {
        /// The jump.
        from: u32,
        /// The instruction it leads to.
        to: u32,
    },
    /// At a conditional jump, passed only if what it compares is equal.
    Equal {
        /// The jump.
        at: u32,
        /// Whether it compares two numbers; else one with zero.
        two: bool,
    },
    /// Where an answer is dropped, passed only if it is such a one.
    Dropped {
        /// What drops it.
        at: u32,
        /// Whether it is a reference; else a truth.
        is_object: bool,
        /// Whether it is to be `true` or an object; else `false` or `null`.
        is_some: bool,
    },
}

/// Where the step budget is counted down. Numbers are instruction indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StepSite {
    /// At the start of the method.
    Entry,
    /// Before an instruction.
    Before(u32),
    /// On the way from a jump back to its target.
    Jump {
        /// The jump.
        from: u32,
        /// The instruction it leads to.
        to: u32,
    },
}

/// One way out of a conditional jump or switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// Position in [`Plan::methods`] of its method.
    pub method: u32,
    /// The source line of the jump.
    pub line: Option<u16>,
    /// The probe that is hit when it goes this way.
    pub probe: u32,
    /// Position in [`Plan::segments`] of the code that this way leads to, if nothing else does: the
    /// branch counts as covered once that is.
    pub to: Option<u32>,
    /// Position in [`Plan::branches`] of the branch it is a copy of: they count as one.
    pub copy_of: Option<u32>,
}

/// Instructions of one line that are run one after the other, or not at all as far as coverage tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Position in [`Plan::methods`] of the method.
    pub method: u32,
    /// The line number.
    pub line: Option<u16>,
    /// How many instructions count: 0 if the compiler made them and the source has nothing of them.
    pub instructions: u32,
    /// It was covered if one of these was hit, or a segment that it leads to was covered.
    pub probes: Vec<u32>,
    /// Position in [`Plan::segments`] of the only one that leads to this.
    pub before: Option<u32>,
    /// Position in [`Plan::segments`] of the segment it is a copy of: they count as one.
    pub copy_of: Option<u32>,
}

/// A comparison that tells its operands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparison {
    /// Position in [`Plan::methods`] of its method.
    pub method: u32,
    /// Index of the comparing instruction.
    pub instruction: u32,
    /// What is compared.
    pub kind: ComparisonKind,
    /// The probes of the ways that the jump or switch takes which goes by the result; none if it
    /// is used in another way.
    pub outcomes: Vec<(u32, Edge)>,
    /// Whether an operand seems to be how many things an object has.
    pub counts: bool,
    /// Of a comparison in a precondition: the probe that is hit when the method is entered whose it is.
    /// The comparison is of interest until then, and counts as no coverage.
    pub until: Option<u32>,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ComparisonKind {
    /// Two `int`s, by a jump.
    Int,
    /// An `int` with zero, by a jump.
    Zero,
    /// Two `long`s.
    Long,
    /// Two `float`s.
    Float,
    /// Two `double`s.
    Double,
    /// A `boolean`, by a jump.
    Truth,
    /// Two references, by a jump.
    Reference,
    /// A reference with `null`, by a jump.
    Null,
    /// The class of an object with this type.
    Instance(String),
    /// An `int` with the keys of a switch: each with the number of its target.
    Key(Vec<(i32, u32)>),
    /// A text, by its hash code, with the keys of a switch that follows.
    Hash,
    /// A text that a method of the JDK reads, which throws unless it can; or `valueOf` of an enum.
    Read(ReadBy),
    /// Two objects, by the method of this name.
    Object(String),
    /// Two texts, by the method of this name that takes a place besides.
    Placed(String),
    /// A constant of this enum, by a switch.
    Constant(String),
    /// Two `int`s, by a call.
    Order,
    /// A character that is looked for in a text.
    Character {
        /// Whether a place stands above it.
        beneath: bool,
    },
    /// What a container holds with an object.
    Held,
    /// Two arrays of whole numbers.
    Elements,
}

/// The method that a text is read by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadBy {
    /// The internal name of its class.
    pub class: String,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
}

/// A method with code that is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Skipped {
    /// Its index in the class file.
    pub index: u16,
    /// Its name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// Why.
    pub reason: SkipReason,
}

/// Why a method is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SkipReason {
    /// Rewritten it would pass a limit of the class file format.
    TooLarge(String),
    /// The constant pool has no room for its probes.
    PoolFull,
    /// A jump target has no stack map frame where one is required.
    MissingFrame,
    /// An empty `finalize`: HotSpot takes a class for finalizable by whether that has any code.
    EmptyFinalizer,
    /// Its code cannot be decoded.
    Undecodable(String),
}

impl Plan {
    /// Whether rewriting would change nothing.
    pub fn is_empty(&self) -> bool {
        self.probes.is_empty()
            && self.comparisons.is_empty()
            && self.methods.iter().all(|method| method.steps.is_empty())
    }
}
