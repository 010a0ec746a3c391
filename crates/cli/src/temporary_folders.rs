//! Whether tests can have files: JUnit has to give them temporary folders.
//!
//! Invariant: nothing is said to who has no class that takes files.

use std::path::PathBuf;
use std::sync::Arc;

use classpath::{JdkImage, World};
use model::{Class, ClassName, ClassSource, Type};
use writer::Junit;

use crate::target::Target;

/// Whether the target's JUnit has what tests with files need.
pub(crate) fn are_given(target: &Target) -> anyhow::Result<bool> {
    let entries: Vec<PathBuf> = target.test_class_path.split(':').map(PathBuf::from).collect();
    let image = JdkImage::open(&target.subject.jdk_home)?;
    let class = match target.junit {
        Junit::Four { .. } => "org/junit/rules/TemporaryFolder",
        Junit::Five => "org/junit/jupiter/api/io/TempDir",
    };
    let everything = World::new(&[], &entries, Arc::new(image));
    Ok(everything.class(&ClassName::internal(class)).is_some())
}

/// What to say to who has no temporary folders and classes that take files.
pub(crate) fn advice(world: &World, classes: &[ClassName]) -> Option<String> {
    let takes = |name: &&ClassName| world.class(name).is_some_and(|class| takes_files(&class));
    let mut concerned = classes.iter().filter(takes);
    let example = concerned.next()?;
    let others = match concerned.count() {
        0 => String::new(),
        others => format!(" and {others} more"),
    };
    Some(format!(
        "{example}{others}: what takes files is tested without any, because this JUnit has no \
         temporary folders; JUnit 4.7 and JUnit 5.4 and later have them"
    ))
}

fn takes_files(class: &Class) -> bool {
    let is_file = |ty: &Type| {
        let name = ty.as_class().map(ClassName::as_internal);
        name.is_some_and(|name| ["java/nio/file/Path", "java/io/File"].contains(&name))
    };
    class.methods.iter().flat_map(|method| &method.params).any(|param| is_file(&param.ty))
}
