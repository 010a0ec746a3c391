//! Where tests are rewritten, run and compiled.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use ::canon::{Junit, Record, Refusal, Site};
use classfile::ClassFile;
use classpath::World;
use instrument::{RecordSites, record_calls};
use model::{ClassName, ClassSource, Nesting, Origin};
use worker::{Answer, Diagnostic, Recorder, Scratch, Services};

use super::Tests;
use crate::args::MachineOptions;
use crate::class_path::join;
use crate::target::launcher;

/// A test that a class has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Found {
    /// The method.
    pub(crate) name: String,
    /// What runs it.
    pub(crate) junit: Junit,
    /// Why it cannot be run alone, if so.
    pub(crate) refusal: Option<Refusal>,
}

/// See the module.
pub(crate) struct Bench<'t> {
    tests: &'t Tests,
    scratch: Arc<Scratch>,
    recorder: Recorder,
    services: Services,
    sites: RecordSites,
    class_path: String,
}

impl<'t> Bench<'t> {
    pub(crate) fn new(tests: &'t Tests, options: &MachineOptions) -> anyhow::Result<Self> {
        let scratch = Arc::new(Scratch::new()?);
        let launcher = launcher(options)?;
        let subject = &tests.subject;
        Ok(Self {
            tests,
            recorder: Recorder::new(launcher.clone(), subject.clone(), scratch.clone()),
            services: Services::new(launcher, subject.clone(), scratch.clone()),
            scratch,
            sites: RecordSites::default(),
            class_path: subject.class_path(),
        })
    }

    pub(crate) fn world(&self) -> &'t World {
        &self.tests.world
    }

    /// What a record means by a number.
    pub(crate) fn site(&self, number: usize) -> Option<Site> {
        self.sites.get(number).and_then(worker::site)
    }

    /// The tests of a class.
    pub(crate) fn tests_of(&mut self, class: &ClassName) -> anyhow::Result<Vec<Found>> {
        let lines = match self.recorder.tests_of(&self.class_path, &class.to_binary())? {
            Answer::Lines(lines) => lines,
            Answer::Died(how) => {
                let refusal = Some(Refusal::Died(how));
                return Ok(vec![Found { name: "(class)".to_owned(), junit: Junit::Five, refusal }]);
            }
        };
        let found = |line: &String| {
            let mut fields = line.split('\t');
            let name = fields.next().unwrap_or_default();
            let junit = match fields.next() {
                Some("3") => Junit::Three,
                Some("4") => Junit::Four,
                _ => Junit::Five,
            };
            let reason = fields.next().filter(|reason| !reason.is_empty());
            let refusal = reason.map(|reason| Refusal::Junit(reason.to_owned()));
            let name = if name.is_empty() { "(class)" } else { name };
            Found { name: name.to_owned(), junit, refusal }
        };
        Ok(lines.iter().map(found).collect())
    }

    /// The classes that are a test: its class with what of the tests it extends, and those around them.
    pub(crate) fn own_classes(&self, class: &ClassName) -> Vec<ClassName> {
        let world = self.world();
        let mut own = vec![class.clone()];
        let mut next = 0;
        while next < own.len() {
            let Some(found) = world.class(&own[next]) else { break };
            let outer = match &found.nesting {
                Nesting::Member { outer, .. } => Some(outer.clone()),
                _ => None,
            };
            for related in found.superclass.iter().cloned().chain(outer) {
                if world.origin(&related) == Some(Origin::Project) && !own.contains(&related) {
                    own.push(related);
                }
            }
            next += 1;
        }
        own
    }

    /// A folder of rewritten classes, which goes before all others.
    pub(crate) fn rewritten(
        &mut self,
        own: &[ClassName],
    ) -> anyhow::Result<Result<PathBuf, Refusal>> {
        let world = self.world();
        let all = own.iter().filter_map(|name| Some((name.clone(), world.class_bytes(name)?)));
        let all: Vec<_> = all.collect();
        let is_own = |name: &str| own.iter().any(|own| own.as_internal() == name);
        self.rewrite(&all, &is_own)
    }

    fn rewrite(
        &mut self,
        classes: &[(ClassName, Vec<u8>)],
        is_own: &dyn Fn(&str) -> bool,
    ) -> anyhow::Result<Result<PathBuf, Refusal>> {
        let folder = self.scratch.folder("recorded")?;
        for (name, bytes) in classes {
            let rewritten =
                ClassFile::parse(bytes).map_err(|error| error.to_string()).and_then(|class| {
                    record_calls(&class, is_own, &mut self.sites).map_err(|e| plainly(&e))
                });
            let rewritten = match rewritten {
                Ok(rewritten) => rewritten,
                Err(why) => return Ok(Err(Refusal::Unrecordable(why))),
            };
            let file = folder.join(format!("{}.class", name.as_internal()));
            std::fs::create_dir_all(file.parent().unwrap_or(&folder))?;
            std::fs::write(file, rewritten)?;
        }
        Ok(Ok(folder))
    }

    /// Runs a test whose rewritten classes are in a folder.
    pub(crate) fn record(
        &mut self,
        folder: &Path,
        (class, method): (&ClassName, &str),
        own: &[String],
    ) -> anyhow::Result<Result<Record, Refusal>> {
        let path = format!("{}:{}", folder.display(), self.class_path);
        Ok(match self.recorder.record(&path, (&class.to_binary(), method), own)? {
            Answer::Lines(lines) => Ok(Record::parse(&lines)?),
            Answer::Died(how) => Err(Refusal::Died(how)),
        })
    }

    /// Compiles a class that was written and rewrites it; what the compiler says if it does not compile.
    pub(crate) fn compiled(
        &mut self,
        class: &ClassName,
        text: &str,
    ) -> anyhow::Result<Result<PathBuf, Vec<Diagnostic>>> {
        let folder = self.scratch.folder("compiled")?;
        let sources = [(format!("{}.java", class.as_internal()), text.to_owned())];
        let path = join(
            &self
                .tests
                .subject
                .project
                .iter()
                .chain(&self.tests.subject.dependencies)
                .cloned()
                .collect::<Vec<_>>(),
        );
        let errors = self.services.compile_to(&sources, &path, &folder, None)?;
        if !errors.is_empty() {
            return Ok(Err(errors));
        }
        let package = folder.join(class.package());
        let mut classes = Vec::new();
        for entry in std::fs::read_dir(package)? {
            let path = entry?.path();
            let Some(name) = path.file_stem().and_then(|name| name.to_str()) else { continue };
            let name = match class.package() {
                "" => name.to_owned(),
                package => format!("{package}/{name}"),
            };
            classes.push((ClassName::internal(&name), std::fs::read(&path)?));
        }
        let nested = format!("{}$", class.as_internal());
        let is_own = |name: &str| name == class.as_internal() || name.starts_with(&nested);
        let rewritten = self.rewrite(&classes, &is_own)?;
        std::fs::remove_dir_all(&folder)?;
        Ok(rewritten.map_err(|why| {
            vec![Diagnostic { file: String::new(), line: 0, column: 0, message: why.to_string() }]
        }))
    }
}

/// An error with its causes.
fn plainly(error: &dyn std::error::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {}", plainly(source)),
        None => error.to_string(),
    }
}
