//! The JDK's summaries: computed once for each JDK, then read from a file.

use std::io::Write as _;
use std::path::Path;
use std::{fs, io, thread};

use classfile::ClassFile;
use classpath::{JdkImage, JimageError};
use model::ClassName;
use thiserror::Error;

use super::extract::{ClassCode, extract};
use super::fixpoint;
use super::ids::{hash, method_id, mix};
use super::program::{Known, Nothing, Program};
use super::store::{Contents, FORMAT, Store};
use super::summary::Summary;
use crate::AnalysisError;

/// What the JDK does to its static state, or through natives, more calls than this below a method
/// is its own bookkeeping: loading classes and charsets, caches, properties, security.
const MAX_DEPTH: u8 = 3;

/// Why the JDK's summaries cannot be had.
#[derive(Debug, Error)]
pub enum SummariesError {
    /// The JDK's classes cannot be read.
    #[error("cannot read the classes of the JDK")]
    Jdk(#[from] JimageError),
    /// A class of the JDK cannot be analysed.
    #[error("cannot analyse {class} of the JDK")]
    Class {
        /// The class.
        class: ClassName,
        /// Why.
        #[source]
        source: AnalysisError,
    },
}

/// What the methods of a JDK do.
pub struct Summaries {
    pub(super) store: Store,
    origin: Origin,
}

/// Where summaries come from.
#[derive(Debug)]
pub enum Origin {
    /// From the file.
    Loaded,
    /// Computed, because the file was missing, damaged, or of another JDK or version; and whether
    /// they could be stored for the next time.
    Computed(io::Result<()>),
}

impl Summaries {
    /// The summaries of a JDK, from the file if it has them; otherwise computed and stored there.
    pub fn for_jdk(jdk: &JdkImage, file: &Path) -> Result<Self, SummariesError> {
        let identity = identity(jdk);
        let stored = fs::read(file).ok().and_then(|bytes| Store::open(bytes, identity));
        if let Some(store) = stored {
            return Ok(Self { store, origin: Origin::Loaded });
        }
        let store = compute(jdk, identity)?;
        let origin = Origin::Computed(write(file, store.bytes()));
        Ok(Self { store, origin })
    }

    /// Stores them in another file, whole or not at all.
    pub fn save(&self, file: &Path) -> io::Result<()> {
        write(file, self.store.bytes())
    }

    /// Where they come from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Of how many methods there are summaries.
    pub fn methods(&self) -> usize {
        self.store.methods()
    }
}

/// Whole or not at all.
fn write(file: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let mut fresh = tempfile::NamedTempFile::new_in(folder)?;
    fresh.write_all(bytes)?;
    fresh.persist(file)?;
    Ok(())
}

/// What tells this JDK from others: what its `release` file says, and the size of its modules.
fn identity(jdk: &JdkImage) -> u64 {
    let release = fs::read(jdk.home().join("release")).unwrap_or_default();
    let size = fs::metadata(jdk.home().join("lib/modules")).map_or(0, |data| data.len());
    mix(hash(&release) ^ size.rotate_left(32) ^ u64::from(FORMAT))
}

fn compute(jdk: &JdkImage, identity: u64) -> Result<Store, SummariesError> {
    let mut packages: Vec<&str> =
        jdk.packages().filter(|package| is_wanted(jdk, package)).collect();
    packages.sort_unstable();
    let mut names = Vec::new();
    for package in packages {
        names.extend(jdk.package_classes(package)?);
    }
    let read = |name: &ClassName| -> Result<Option<ClassCode>, SummariesError> {
        let Some(bytes) = jdk.read(name.as_internal())? else { return Ok(None) };
        let class = ClassFile::parse(&bytes).map_err(AnalysisError::from);
        let code = class.and_then(|class| extract(&class));
        code.map(Some).map_err(|source| SummariesError::Class { class: name.clone(), source })
    };
    let classes = on_all_cores(&names, read).into_iter().collect::<Result<Vec<_>, _>>()?;
    let mut program = Program::new(classes.into_iter().flatten().collect(), &Nothing);
    program.surroundings.max_depth = MAX_DEPTH;
    program.link();
    // Virtual calls of everything that can be overridden, for the classes of projects.
    let overridable = overridable(&program);
    let virtuals: Vec<(u64, u64, u32)> = overridable
        .into_iter()
        .filter_map(|(class, signature)| {
            Some((class, signature, program.dispatch(class, signature)?))
        })
        .collect();
    fixpoint::solve(&mut program);
    let mut contents = Contents::default();
    for class in &program.classes {
        contents.classes.push((class.id, class.parents.clone()));
        for method in &class.methods {
            if let Some(Known::Inside { unit, .. }) = program.known(class.id, method.signature) {
                let is_static = method.access & classfile::flags::STATIC != 0;
                let summary = program.summaries[unit as usize].clone();
                let summary = Summary { is_static, ..summary };
                contents.methods.push((method_id(class.id, method.signature), summary));
            }
        }
    }
    for (class, signature, unit) in virtuals {
        let summary = program.summaries[unit as usize].clone();
        let weight = program.weight(unit);
        contents.virtuals.push((method_id(class, signature), summary, weight));
    }
    Ok(Store::new(contents, identity))
}

/// The packages that programs use, or that those rest on.
fn is_wanted(jdk: &JdkImage, package: &str) -> bool {
    jdk.module_of_package(package).is_some_and(|module| module == "java.base")
}

fn overridable(program: &Program<'_>) -> Vec<(u64, u64)> {
    use classfile::flags::{FINAL, PRIVATE, STATIC};
    let of_class = |class: &ClassCode| -> Vec<(u64, u64)> {
        if class.access & FINAL != 0 {
            return Vec::new();
        }
        let can_be = class.methods.iter().filter(|method| {
            method.access & (FINAL | PRIVATE | STATIC) == 0 && !method.is_constructor
        });
        can_be.map(|method| (class.id, method.signature)).collect()
    };
    program.classes.iter().flat_map(of_class).collect()
}

/// Applies a function to all names, in order.
pub(super) fn on_all_cores<T: Send>(
    names: &[ClassName],
    read: impl Fn(&ClassName) -> T + Sync,
) -> Vec<T> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let portion = names.len().div_ceil(threads * 8).max(16);
    let next = std::sync::atomic::AtomicUsize::new(0);
    let portions: Vec<&[ClassName]> = names.chunks(portion).collect();
    let mut done: Vec<(usize, Vec<T>)> = thread::scope(|scope| {
        let work = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                let Some(names) = portions.get(number) else { return done };
                done.push((number, names.iter().map(&read).collect()));
            }
        };
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let join = |thread: thread::ScopedJoinHandle<'_, _>| {
            thread.join().expect("analysing a class does not panic")
        };
        running.into_iter().flat_map(join).collect()
    });
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, results)| results).collect()
}
