//! The names by which rewritten code calls back.
//!
//! The class must be visible from every class there is, so it lives in `java/lang`, defined
//! into the boot loader; who defines it takes the names from here.

/// Names of the runtime class and of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RuntimeNames {
    /// Internal name of the public class.
    pub class: &'static str,
    /// `public static final byte[]`: one byte per probe, set to 1 when it is passed.
    pub map: &'static str,
    /// `public static void step()`: called at backward jumps and method entries.
    pub step: &'static str,
    /// Internal name of the public class that is told of comparisons; see `emit` for its methods.
    pub compare: &'static str,
    /// `public static void effect(int)`: called at the entry of hooked methods.
    pub effect: &'static str,
    /// `public static void exit(int)`: called with the status at the entry of exiting methods.
    pub exit: &'static str,
}

impl RuntimeNames {
    /// Descriptor of the map.
    pub const MAP_DESCRIPTOR: &'static str = "[B";
    /// Descriptor of `step`.
    pub const STEP_DESCRIPTOR: &'static str = "()V";
    /// Descriptor of `effect` and `exit`.
    pub const INT_DESCRIPTOR: &'static str = "(I)V";
}

/// The names in use.
pub const RUNTIME: RuntimeNames = RuntimeNames {
    class: "java/lang/Testhound",
    map: "MAP",
    step: "step",
    compare: "java/lang/TesthoundCompare",
    effect: "effect",
    exit: "exit",
};
