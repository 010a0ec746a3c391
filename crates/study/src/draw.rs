//! Which classes of a library are tried.
//!
//! The rule: of the public top-level classes with at least one branch, those whose names hash
//! lowest. A hash is as good as chance, needs no seed, and adding a class to a library changes
//! the draw by at most one.

use classfile::ClassFile;
use classpath::World;
use instrument::Options;
use model::{ClassName, ClassSource, Nesting};

/// The classes drawn from a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Draw {
    /// How many the rule allows.
    pub(crate) candidates: usize,
    /// Those drawn, sorted.
    pub(crate) classes: Vec<ClassName>,
}

/// Draws at most `wanted` classes.
pub(crate) fn draw(world: &World, wanted: usize) -> Draw {
    let fits = |name: &&ClassName| is_public_top_level(world, name) && has_branch(world, name);
    let candidates: Vec<ClassName> = world.project_classes().iter().filter(fits).cloned().collect();
    Draw { candidates: candidates.len(), classes: lowest(candidates, wanted) }
}

/// The names that hash lowest, sorted by name.
pub(crate) fn lowest(mut names: Vec<ClassName>, wanted: usize) -> Vec<ClassName> {
    names.sort_by_cached_key(|name| (hash(name.as_internal()), name.clone()));
    names.truncate(wanted);
    names.sort_unstable();
    names
}

fn is_public_top_level(world: &World, name: &ClassName) -> bool {
    world.class(name).is_some_and(|class| {
        class.access.is_public() && !class.access.is_synthetic() && class.nesting == Nesting::Top
    })
}

fn has_branch(world: &World, name: &ClassName) -> bool {
    let options = Options { coverage: true, steps: false, comparisons: false };
    let plan = world
        .class_bytes(name)
        .and_then(|bytes| ClassFile::parse(&bytes).ok())
        .and_then(|class| instrument::place(&class, &options).ok());
    plan.is_some_and(|plan| {
        plan.branches.iter().any(|branch| plan.methods[branch.method as usize].counted)
    })
}

/// FNV-1a from a constant of the study's own, then mixed: FNV's high bits hardly change with the
/// last letters of a name.
fn hash(name: &str) -> u64 {
    let mut hash = 0x7e57_0000_d06f_00d5_u64;
    for byte in name.bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(count: usize) -> Vec<ClassName> {
        (0..count).map(|n| ClassName::internal(&format!("p/Class{n}"))).collect()
    }

    #[test]
    fn a_draw_is_part_of_every_larger_draw() {
        let small = lowest(names(100), 10);
        let large = lowest(names(100), 20);
        assert_eq!(small.len(), 10);
        assert!(small.iter().all(|name| large.contains(name)));
        assert!(small.is_sorted());
    }

    #[test]
    fn neighbours_in_name_are_not_neighbours_in_the_draw() {
        let drawn = lowest(names(100), 50);
        let first_half = names(100).into_iter().take(50);
        let both = first_half.filter(|name| drawn.contains(name)).count();
        assert!((15..=35).contains(&both), "{both} of the first 50 were drawn");
    }

    #[test]
    fn small_libraries_are_taken_whole() {
        assert_eq!(lowest(names(5), 12).len(), 5);
    }
}
