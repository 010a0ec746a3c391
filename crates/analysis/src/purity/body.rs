//! A method body reduced to what it does with references.
//!
//! Values are sets of definitions: where a reference may come from within the method. That is
//! found once; summaries of callees change what a definition stands for, never the sets.

/// A set of definitions, by its place in [`Body::sets`]. Number 0 is empty.
pub(crate) type Set = u32;

/// Where a reference comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Def {
    /// A parameter, the receiver being number 0.
    Param(u8, Declared),
    /// Made here, of exactly this class (0: not a class one can call methods of by name).
    New(u64),
    /// An array of no elements: nobody can write it.
    Empty,
    /// What an [`Op`] results in.
    Result,
    /// What a call on the object in a field results in: something looked up there, perhaps.
    LookedUp(u32),
    /// A static field: its number in facts, and that of class and name.
    Static(u32, u64),
    /// A field of an object; primitive ones too, for tests against zero.
    Loaded(u32),
    /// A constant number or null.
    Constant,
    /// The number 0.
    Zero,
}

/// What a parameter is declared as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Declared {
    /// A number, or an object that cannot change.
    Value,
    /// `Object`, as type variables are: fields of it cannot be accessed without a cast.
    Opaque,
    /// Any other type.
    Typed,
}

/// What is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Target {
    /// The method that the class has or inherits.
    Exact(u64, u64),
    /// That of the receiver's class, which is the class or a subclass.
    Virtual(u64, u64),
    /// Those of these very classes.
    Of(Box<[u64]>, u64),
    /// An access through a handle to a variable: whether it may write.
    Handle(bool),
    /// `clone` of an array.
    CloneArray,
    /// Nobody knows.
    Unknown,
}

/// A step with references. The order of steps does not matter.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Load { dst: u16, base: Set, field: u32 },
    Store { base: Set, field: u32, value: Set, laziness: Laziness },
    StoreStatic { laziness: Laziness },
    Call { target: Target, args: Box<[Set]>, dst: u16, delegates: bool },
    Return { value: Set },
}

/// Whether a store fills in what was missing, as caches do: nobody can tell by looking.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Laziness {
    /// An ordinary store.
    Eager,
    /// Of something computed, where the field is known to be null or zero.
    Value,
    /// Of a constant, where the field is known to be zero: part of a cache if there is one.
    Flag,
}

/// A field as code names it: class and name.
pub(crate) type FieldName = (Box<str>, Box<str>);

/// What a method does with references.
#[derive(Clone, Default, Debug)]
pub(crate) struct Body {
    pub(crate) defs: Vec<Def>,
    pub(crate) sets: Vec<Box<[u16]>>,
    pub(crate) ops: Vec<Op>,
    pub(crate) returns: bool,
    /// Whether some store fills a cache.
    pub(crate) caches: bool,
    /// Static fields that hold arrays of no elements: numbers of class and name.
    pub(crate) empty: Vec<u64>,
    /// Methods of interfaces that function objects are made for here: interface and signature.
    pub(crate) functions: Vec<(u64, u64)>,
    pub(crate) reads: Vec<FieldName>,
    pub(crate) writes: Vec<FieldName>,
}
