//! Hand-made tests of the fixture classes.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use classpath::World;
use model::{
    Answer, Check, CheckKind, ClassName, ClassSource, Expectation, Failure, FailureKind, Hierarchy,
    JavaString, Literal, Observation, Operation, Sketch, Slot, TestCase, Type, Unimplemented,
    UnitTest,
};
use tempfile::TempDir;

use crate::toolchain::{javac, jdks};
use crate::written;

/// The fixture classes, compiled once.
pub struct Fixtures {
    pub world: World,
    pub classes: PathBuf,
    _directory: TempDir,
}

pub fn fixtures() -> &'static Fixtures {
    static FIXTURES: OnceLock<Fixtures> = OnceLock::new();
    FIXTURES.get_or_init(|| {
        let jdk = jdks().remove(0);
        let directory = tempfile::tempdir().unwrap();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
        let mut sources = Vec::new();
        for package in ["shop", "clash"] {
            for entry in std::fs::read_dir(root.join(package)).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&root).unwrap().display().to_string();
                sources.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
        let options = ["--release", "8", "-parameters", "-Xlint:-options"];
        javac(&jdk, &options, &[], &sources, directory.path()).unwrap();
        let classes = directory.path().to_owned();
        let world = World::new(std::slice::from_ref(&classes), &[], jdk);
        Fixtures { world, classes, _directory: directory }
    })
}

/// The member of a class, by name and, where that is not enough, the start of its descriptor.
pub fn op(class: &str, member: &str) -> Arc<Operation> {
    let world = &fixtures().world;
    let name = ClassName::internal(class);
    let owner = world.class(&name).unwrap_or_else(|| panic!("no class {class}"));
    let found = world.supertypes(&name).iter().find_map(|declaring| {
        let method = declaring.methods.iter().find(|m| {
            format!("{}{}", m.name, m.descriptor()).starts_with(member) && !m.access.is_synthetic()
        });
        let field = declaring.fields.iter().find(|f| &*f.name == member);
        method
            .map(|m| Operation::of_method(&owner, m))
            .or_else(|| field.map(|f| Operation::of_field(&owner, f)))
    });
    Arc::new(found.unwrap_or_else(|| panic!("no {member} in {class}")))
}

/// Builds a test call by call.
#[derive(Default)]
pub struct Script {
    pub case: TestCase,
    checks: Vec<Check>,
}

impl Script {
    pub fn int(&mut self, value: i32) -> Slot {
        self.case.literal(Type::INT, Literal::Int(value))
    }

    pub fn long(&mut self, value: i64) -> Slot {
        self.case.literal(Type::parse("J").unwrap(), Literal::Long(value))
    }

    pub fn text(&mut self, value: &str) -> Slot {
        self.case.literal(Type::string(), Literal::String(value.into()))
    }

    pub fn null(&mut self, descriptor: &str) -> Slot {
        self.literal(descriptor, Literal::Null)
    }

    pub fn literal(&mut self, descriptor: &str, value: Literal) -> Slot {
        self.case.literal(Type::parse(descriptor).unwrap(), value)
    }

    /// A call whose result, if any, goes into a new slot.
    pub fn call(&mut self, class: &str, member: &str, args: &[Slot]) -> Slot {
        self.case.call(&op(class, member), args).unwrap_or(Slot(u32::MAX))
    }

    /// The assignment of a field.
    pub fn set(&mut self, class: &str, field: &str, args: &[Slot]) {
        let owner = fixtures().world.class(&ClassName::internal(class)).unwrap();
        let set = Operation::of_setting(&owner, owner.field(field).unwrap());
        self.case.call(&Arc::new(set), args);
    }

    pub fn array(&mut self, element: &str, elements: &[Slot]) -> Slot {
        let element = Type::parse(element).unwrap();
        self.case.call(&Arc::new(Operation::array(&element)), elements).unwrap()
    }

    /// An object of a class written on the spot: its methods answer what they captured, `args`
    /// being what its constructor takes and then the captured values.
    pub fn answering(&mut self, of: &str, args: &[Slot]) -> Slot {
        let classes = &fixtures().world;
        self.written(of, args, |sketch, method| written::value(classes, sketch, method))
    }

    /// The same, with other answers.
    pub fn written(
        &mut self,
        of: &str,
        args: &[Slot],
        mut answer: impl FnMut(&mut Sketch, &Unimplemented) -> Answer,
    ) -> Slot {
        let classes = &fixtures().world;
        let name = ClassName::internal(of);
        let op = written::written(classes, &name, "shop", 0, |s, _, m| answer(s, m));
        let op = op.unwrap_or_else(|| panic!("{of} cannot be written"));
        self.case.call(&Arc::new(op), args).expect("it results in an object")
    }

    pub fn check(&mut self, kind: CheckKind) {
        let after = self.case.calls.len() - 1;
        self.checks.push(Check { after, kind });
    }

    pub fn holds(&mut self, slot: Slot, seen: Observation) {
        self.check(CheckKind::Holds(slot, seen));
    }

    /// A view of the slot.
    pub fn view(&mut self, slot: Slot, class: &str, member: &str, seen: Observation) {
        self.check(CheckKind::View(slot, op(class, member), seen));
    }

    pub fn returns(self) -> UnitTest {
        self.end(Expectation::Returns, None)
    }

    pub fn throws(self, class: &str) -> UnitTest {
        self.end(Expectation::Throws(ClassName::internal(class)), None)
    }

    pub fn fails(self, kind: FailureKind, explanation: &str) -> UnitTest {
        let failure =
            Failure { kind, explanation: explanation.to_owned(), cause: model::Cause::default() };
        self.end(Expectation::Returns, Some(failure))
    }

    fn end(self, expectation: Expectation, failure: Option<Failure>) -> UnitTest {
        let subject = self.case.calls.len() - 1;
        UnitTest { case: self.case, subject, expectation, checks: self.checks, failure }
    }
}

/// A test with one script.
pub fn test(build: impl FnOnce(&mut Script)) -> UnitTest {
    let mut script = Script::default();
    build(&mut script);
    script.returns()
}

/// A test whose last call throws.
pub fn throwing(class: &str, build: impl FnOnce(&mut Script)) -> UnitTest {
    let mut script = Script::default();
    build(&mut script);
    script.throws(class)
}

pub fn value(value: Literal) -> Observation {
    Observation::Value { value, boxed: false }
}

pub fn boxed(value: Literal) -> Observation {
    Observation::Value { value, boxed: true }
}

pub fn text(value: &str) -> Observation {
    self::value(Literal::String(JavaString::from(value)))
}
