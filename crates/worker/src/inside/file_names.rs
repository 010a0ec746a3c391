//! Whether a class takes texts for names of files: its tests give it names of files in their temporary
//! folder then. No dispatch is resolved, and nobody looks where the text comes from: what is given too
//! many names does without.

use model::{ClassName, ClassSource, Origin};

use crate::inside::readings::Readings;

/// Constructors and methods of the JDK that take the name of a file, by class.
const NAMED: [(&str, &str); 12] = [
    ("java/io/File", "<init>"),
    ("java/io/FileInputStream", "<init>"),
    ("java/io/FileOutputStream", "<init>"),
    ("java/io/FileReader", "<init>"),
    ("java/io/FileWriter", "<init>"),
    ("java/io/PrintStream", "<init>"),
    ("java/io/PrintWriter", "<init>"),
    ("java/io/RandomAccessFile", "<init>"),
    ("java/nio/file/Path", "of"),
    ("java/nio/file/Paths", "get"),
    ("java/util/jar/JarFile", "<init>"),
    ("java/util/zip/ZipFile", "<init>"),
];

/// Whether the code of one of these classes, or of one that it hands a text to, names a file by a text.
pub(crate) fn are_taken(readings: &Readings<'_>, classes: &[ClassName]) -> bool {
    let mut handed: Vec<ClassName> = Vec::new();
    for class in classes {
        for ((owner, method, descriptor), _) in sites(readings, class) {
            if is_named(&owner, &method, &descriptor) {
                return true;
            }
            let owner = ClassName::internal(&owner);
            let is_other = !classes.contains(&owner) && !handed.contains(&owner);
            if is_other && takes_text(&descriptor) && is_ours(readings, &owner) {
                handed.push(owner);
            }
        }
    }
    let names = |class: &ClassName| {
        let mut sites = sites(readings, class).into_iter();
        sites.any(|((owner, method, descriptor), _)| is_named(&owner, &method, &descriptor))
    };
    handed.iter().any(names)
}

fn sites(readings: &Readings<'_>, class: &ClassName) -> Vec<analysis::CallSite> {
    readings.of(class, analysis::call_sites).unwrap_or_default()
}

fn is_ours(readings: &Readings<'_>, class: &ClassName) -> bool {
    readings.world.class(class).is_some_and(|class| class.origin == Origin::Project)
}

fn is_named(owner: &str, method: &str, descriptor: &str) -> bool {
    descriptor.starts_with("(Ljava/lang/String;") && NAMED.contains(&(owner, method))
}

fn takes_text(descriptor: &str) -> bool {
    descriptor.split(')').next().is_some_and(|params| params.contains("Ljava/lang/String;"))
}
