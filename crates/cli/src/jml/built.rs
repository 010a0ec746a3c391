//! Whether classes that were compiled here have all that those of the build have.
//!
//! A build may compile with more than the sources: processors that add members, say. A class that lacks
//! what others call is no class to search with, so its file is left as the build made it.
//!
//! Deliberately not compared: what compilers add, and classes without a name, which are numbered by how
//! many there are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use classfile::{ClassFile, ClassFileError, Member, flags};
use classpath::World;
use contracts::Source;
use model::ClassName;

use super::world::type_name;

/// The sources whose classes in `folder` lack something, with what it is.
pub(super) fn unlike_those_of_the_build(
    parsed: &[Source],
    world: &World,
    folder: &Path,
) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut source_of: BTreeMap<String, &str> = BTreeMap::new();
    for source in parsed {
        for ty in &source.types {
            source_of.insert(type_name(source, ty).replace('.', "/"), source.name());
        }
    }
    for name in world.project_classes().iter().filter(|name| has_a_name(name)) {
        let outermost = name.as_internal().split('$').next().unwrap_or_default();
        let Some(source) = source_of.get(outermost) else { continue };
        let made = std::fs::read(folder.join(format!("{}.class", name.as_internal())));
        let (Ok(made), Some(built)) = (made, world.class_bytes(name)) else { continue };
        let lacking = match (members(&built), members(&made)) {
            (Ok(built), Ok(made)) => built.difference(&made).next().cloned(),
            // What cannot be read is not what javac has just written.
            _ => None,
        };
        if let Some((member, _)) = lacking {
            let reason = format!("the build adds `{member}`, which is not in its source");
            files.entry((*source).to_owned()).or_insert(reason);
        }
    }
    files
}

/// Neither local nor anonymous.
fn has_a_name(class: &ClassName) -> bool {
    let mut inner = class.as_internal().split('$').skip(1);
    !inner.any(|part| part.starts_with(|c: char| c.is_ascii_digit()))
}

/// Names and descriptors of fields and methods, but for those that compilers add.
fn members(bytes: &[u8]) -> Result<BTreeSet<(String, String)>, ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    let is_written = |member: &&Member| !member.has_flag(flags::SYNTHETIC);
    let told = class.fields.iter().chain(&class.methods).filter(is_written).map(|member| {
        let (name, descriptor) = (member.name(&class.pool)?, member.descriptor(&class.pool)?);
        Ok((name.into_owned(), descriptor.into_owned()))
    });
    told.collect()
}
