//! Detective (requirement G7): objects of types that no method under test produces are made on demand.
//!
//! What belongs to the component is what goes beyond the wanted class itself:
//!
//! - makers elsewhere: methods of neighbours in the package (`makers`), of any other class of the
//!   project and its dependencies (`anywhere`), and what is known of the JDK's types (`jdk`);
//! - subtypes found by search, for interfaces and abstract classes (`makers`);
//! - classes written on the spot: lambdas and anonymous classes (`implement`), those that complete an
//!   abstract class of a library (`skeleton`);
//! - what the code asks objects for, though signatures do not say it (`asked`).
//!
//! The search is recursive: what a maker takes is wanted in turn, as far away as [`MAX_DEPTH`]. With
//! the component off a wanted class has its own constructors, static factories and constants, which
//! plain feedback-directed random testing needs to have any inputs. Files and mocks are components of
//! their own.
//!
//! Off with `--without detective`; its subjects are the classes `detective.*` and `abroad.Traveller` of the
//! end-to-end tests.
//!
//! Invariant: the parts ask [`Detective`] whether they are on, and their parameters stand here.

/// How far from the class under test makers of arguments are looked for.
pub(super) const MAX_DEPTH: u32 = 4;
/// Subtypes tried for an interface or abstract class, and how many of them may be the JDK's.
pub(super) const MAX_SUBTYPES: usize = 6;
pub(super) const MAX_JDK_SUBTYPES: usize = 3;
/// The same for what only arguments of arguments need.
pub(super) const MAX_FAR_SUBTYPES: usize = 2;
/// Methods of neighbours tried for a type that cannot be made otherwise.
pub(super) const MAX_NEARBY: usize = 4;
/// Methods of other classes, of whichever package, tried for one type.
pub(super) const MAX_FOUND: usize = 4;
/// Types that are looked for in all classes.
pub(super) const MAX_LOOKED_FOR: usize = 40;
/// How often what is found there may itself need something found.
pub(super) const MAX_ROUNDS: usize = 3;
/// Classes whose methods are looked at for one type, and subtypes that those may result in.
pub(super) const MAX_HOLDERS: usize = 48;
pub(super) const MAX_RESULTS: usize = 24;
/// Arguments that a method found there may take.
pub(super) const MAX_ARGUMENTS: usize = 3;
/// Types that are made because code asks for them.
pub(super) const MAX_ASKED: usize = 8;

/// How much of the component is on.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Detective {
    /// Nothing: a class makes what is wanted of it.
    Off,
    /// What other classes make is found, nothing is written.
    #[default]
    Finds,
    /// All of it.
    Writes,
}

impl Detective {
    /// Whether makers beyond the wanted class itself are found.
    pub(super) fn finds(self) -> bool {
        self != Self::Off
    }

    /// Whether classes are written on the spot.
    pub(super) fn writes(self) -> bool {
        self == Self::Writes
    }
}
