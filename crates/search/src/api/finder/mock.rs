//! Mocks (requirement G21): objects of interfaces, and then of classes, that nothing else has an
//! object of, and of what a container would put into the fields of the class under test.
//!
//! A mock answers every method as Mockito's do that were told nothing, except for the methods that
//! the class under test calls: of those it answers values chosen by the search, which are ordinary
//! parameters of the operation like those that a lambda captures. Which methods that are is told by
//! the code of the class ([`Called`]), so no run is needed to find out.
//!
//! Invariant: what is added here can be written with Mockito by a test in the package of the class
//! under test, and behaves there as it does here.

use std::sync::Arc;

use model::{
    Annotation, Answer, Class, ClassKind, ClassName, ClassSource, Field, Hierarchy,
    Implementations, Operation, OperationKind, Origin, Primitive, Sketch, Type, Unimplemented,
    mockable, type_accessible,
};

use super::Finder;
use super::implement::MAX_METHODS_BESIDE_MOCKS;
use crate::api::TypeId;
use crate::api::typed::Typed;
use crate::api::typing::{Bindings, Shape, Typing, bind};

/// How often mocks are looked for: what they answer may itself need a mock, and so may what is left
/// once interfaces have some.
const MAX_ROUNDS: u32 = 4;
/// Methods of one mock that answer chosen values.
const MAX_ANSWERS: usize = 6;
/// Operations that make mocks.
const MAX_MOCKS: usize = 100;

/// Packages of the JDK whose objects need no service, with those below them.
const BASE: [&str; 9] = [
    "java/io",
    "java/lang",
    "java/math",
    "java/net",
    "java/nio",
    "java/security",
    "java/text",
    "java/time",
    "java/util",
];

/// What marks a field as one that a container sets, whatever the package it is of.
const INJECTED: [&str; 5] = ["Autowired", "Inject", "Resource", "PersistenceContext", "EJB"];

/// A method that the code of the class under test calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Called {
    /// The class named in the call.
    pub owner: ClassName,
    /// The method's name.
    pub name: String,
    /// Its descriptor.
    pub descriptor: String,
    /// What the result is cast to at once: what a generic method is expected to return.
    pub cast: Option<Type>,
}

/// What tests may do with mocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mocking {
    /// What the class under test calls.
    pub called: Vec<Called>,
    /// Whether mocks may be put into the fields of the object under test.
    pub injects: bool,
}

/// Whether an interface is mocked where nothing makes an object of it: one that is long to write, of
/// the project, a dependency or a service of the JDK.
pub fn is_mocked_if_missing(world: &dyn ClassSource, class: &Class) -> bool {
    let package = class.name.package();
    let methods = mockable(world, class, package);
    let is_long = methods.is_some_and(|all| {
        all.iter().filter(|m| m.method().access.is_abstract()).count() > MAX_METHODS_BESIDE_MOCKS
    });
    class.is_interface() && (class.origin != Origin::Jdk || is_of_service(class)) && is_long
}

/// Whether objects of an interface of the JDK are made by services only: a database, a directory.
fn is_of_service(class: &Class) -> bool {
    let package = class.name.package();
    let is_of_base = BASE.iter().any(|base| {
        package.strip_prefix(base).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    });
    class.is_interface() && class.origin == Origin::Jdk && !is_of_base
}

impl Finder<'_> {
    /// Adds what tests may do with mocks.
    pub(in crate::api) fn add_mocking(&mut self, class: &Class, mocking: &Mocking) {
        if mocking.injects {
            self.add_injected(class, &mocking.called);
        }
        self.add_mocks(&mocking.called);
    }

    /// Adds mocks of what operations take and nothing makes, and what their answers need.
    fn add_mocks(&mut self, called: &[Called]) {
        for depth in 1..=MAX_ROUNDS {
            let is_buildable = self.buildable();
            let mut wanted: Vec<TypeId> = self.wanted.iter().map(|(ty, _)| *ty).collect();
            wanted.sort_unstable();
            wanted.dedup();
            let missing = wanted
                .into_iter()
                .filter(|id| !is_buildable[id.0 as usize] || self.is_doubtful(*id));
            let missing = missing.map(|id| self.api.types[id.0 as usize].clone());
            let (interfaces, classes): (Vec<Typed>, Vec<Typed>) =
                missing.partition(|ty| self.is_interface(ty));
            let known = self.api.operations.len();
            // A class may have real objects once its constructors are given mocks.
            for missing in [interfaces, classes] {
                if self.api.operations.len() == known {
                    missing.iter().for_each(|ty| self.mock(ty, called, depth));
                }
            }
            if self.api.operations.len() == known {
                break;
            }
            self.add_makers();
        }
    }

    /// Adds the object that a container would make of the class, if it sets fields of it and Mockito
    /// does too: it sets fields where there is a constructor without parameters and no other. Fields that
    /// it has nothing for stay `null`, and so do those with setters, which are called like any others.
    fn add_injected(&mut self, class: &Class, called: &[Called]) {
        let plain = class.constructors().all(|c| c.params.is_empty());
        if class.kind != ClassKind::Class || class.access.is_abstract() || !plain {
            return;
        }
        if class.outer_instance().is_some() || !Typing::params(class).is_empty() {
            return;
        }
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut fields: Vec<Typed> = Vec::new();
        let mut others: Vec<Type> = Vec::new();
        for declaring in self.world.supertypes(&class.name) {
            for field in declaring.fields.iter().filter(|field| is_injected(field)) {
                let ty = self.typing.field(field, &self.typing.around(&declaring));
                if self.stays_unset(&ty) {
                    continue;
                }
                if names.contains(&field.name) {
                    return;
                }
                // Mockito would call the setter, which may do more than set the field.
                if self.has_setter(class, &field.name) || !self.is_mockable(&ty) {
                    others.push(ty.erased());
                    continue;
                }
                names.push(field.name.clone());
                fields.push(ty);
            }
        }
        // Mockito might set another field to one of these mocks.
        let fits =
            |other: &Type| fields.iter().any(|ty| self.world.is_subtype(&ty.erased(), other));
        if fields.is_empty() || others.iter().any(fits) {
            return;
        }
        for ty in &fields {
            self.mock(ty, called, 1);
        }
        let op = Operation {
            kind: OperationKind::Inject,
            owner: class.name.clone(),
            name: names.join(",").into(),
            params: fields.iter().map(Typed::erased).collect(),
            result: Some(Type::Class(class.name.clone())),
            implementation: None,
        };
        let result = Some(Typed::class(class.name.as_internal()));
        self.add(op, &Shape { params: fields, result }, 0);
        self.add_makers();
    }

    /// Whether no mock can be of the type, nor of a subtype: Mockito leaves such a field as it is.
    fn stays_unset(&self, ty: &Typed) -> bool {
        match ty.erased() {
            Type::Class(name) => self.world.class(&name).is_some_and(|class| {
                class.access.is_final() || matches!(class.kind, ClassKind::Enum | ClassKind::Record)
            }),
            _ => true,
        }
    }

    fn has_setter(&self, class: &Class, field: &str) -> bool {
        let is_setter = |name: &str| {
            name.strip_prefix("set").is_some_and(|rest| rest.eq_ignore_ascii_case(field))
        };
        let all = self.world.supertypes(&class.name);
        all.iter().any(|class| class.methods.iter().any(|m| is_setter(&m.name)))
    }

    fn is_interface(&self, ty: &Typed) -> bool {
        let class = ty.erased().as_class().and_then(|name| self.world.class(name));
        class.is_some_and(|class| class.is_interface())
    }

    /// Whether only services make objects of a type, which are not there when tests run: a database,
    /// a directory. What makes them is a method of the JDK that throws then.
    fn is_doubtful(&self, ty: TypeId) -> bool {
        let typed = &self.api.types[ty.0 as usize];
        let Typed::Class { name, .. } = typed else { return false };
        let Some(class) = self.world.class(name) else { return false };
        let is_made = |result: &TypeId| {
            let made = self.api.erased[result.0 as usize].clone();
            self.world.is_subtype(&made, &typed.erased())
        };
        let mut made = self.api.operations.iter().zip(&self.api.results);
        is_of_service(&class)
            && !made.any(|(op, result)| {
                op.kind == OperationKind::Constructor && result.as_ref().is_some_and(is_made)
            })
    }

    fn is_mockable(&self, ty: &Typed) -> bool {
        let Typed::Class { name, .. } = ty else { return false };
        let class = self.world.class(name);
        // Mocks of the JDK's classes are refused here and there.
        let class = class.filter(|class| class.is_interface() || class.origin != Origin::Jdk);
        let methods = class.and_then(|class| mockable(self.world, &class, &self.package));
        let comparable = ClassName::internal("java/lang/Comparable");
        // A mock's `compareTo` is neither zero nor the same in every version.
        methods.is_some() && !self.world.is_subclass(name, &comparable)
    }

    /// Adds the mocks of a type: one that answers, one that throws if that must be reckoned with, and
    /// one that was told nothing.
    fn mock(&mut self, ty: &Typed, called: &[Called], depth: u32) {
        let Typed::Class { name, args } = ty else { return };
        if *name == self.api.class {
            return;
        }
        let Some(class) = self.world.class(name).filter(|_| self.is_mockable(ty)) else { return };
        let mocked = self.api.operations.iter().filter(|op| op.as_mock().is_some());
        if mocked.count() >= MAX_MOCKS {
            return;
        }
        let Some(methods) = mockable(self.world, &class, &self.package) else { return };
        let params = Typing::params(&class);
        let bindings = if params.len() == args.len() { bind(params, args) } else { Vec::new() };
        let mut telling = blank(&class);
        let mut answers: Vec<Typed> = Vec::new();
        let mut silent = blank(&class);
        // One that fails in the first way that the class under test must reckon with.
        let fails = |method: &Unimplemented| {
            let is_told = self.is_told(&class, method, called).is_some();
            self.thrown_by(method).filter(|_| is_told)
        };
        let failing = methods.iter().find_map(|m| Some((m.method().name.clone(), fails(m)?)));
        let mut throwing = blank(&class);
        for method in &methods {
            let thrown = failing.as_ref().filter(|(name, _)| *name == method.method().name);
            let thrown = thrown.filter(|(_, thrown)| fails(method).as_ref() == Some(thrown));
            let thrown = thrown.map_or(Answer::Default, |(_, class)| Answer::Throws(class.clone()));
            throwing.add(method, &thrown);
            let answer = self.answer(&class, method, &bindings, called);
            let answer = answer.filter(|_| answers.len() < MAX_ANSWERS);
            let captured = match answer {
                Some(ty) => {
                    let captured = telling.capture(ty.erased());
                    answers.push(ty);
                    match captured {
                        Answer::Captured(place) if tells_of_more(method) => Answer::First(place),
                        captured => captured,
                    }
                }
                None => Answer::Default,
            };
            telling.add(method, &captured);
            silent.add(method, &Answer::Default);
        }
        let throwing = failing.map(|_| (throwing, Vec::new()));
        for (sketch, params) in
            [Some((telling, answers)), throwing, Some((silent, Vec::new()))].into_iter().flatten()
        {
            let op = sketch.operation(&self.package);
            self.add(op, &Shape { params, result: Some(ty.clone()) }, depth);
        }
    }

    /// The call that the class under test makes of a method, if it does and a test can tell a mock how
    /// to answer it.
    fn is_told<'c>(
        &self,
        class: &Class,
        method: &Unimplemented,
        called: &'c [Called],
    ) -> Option<&'c Called> {
        let declared = method.method();
        let call = called.iter().find(|call| {
            call.name == *declared.name
                && method.erasures.iter().any(|e| e.to_string() == call.descriptor)
                && (self.world.is_subclass(&class.name, &call.owner)
                    || self.world.is_subclass(&call.owner, &class.name))
        })?;
        Some(call).filter(|_| method.takes_matchers(self.world, &self.package))
    }

    /// The type of the values that a method answers, if a mock is told any.
    fn answer(
        &self,
        class: &Class,
        method: &Unimplemented,
        bindings: &Bindings,
        called: &[Called],
    ) -> Option<Typed> {
        let call = self.is_told(class, method, called)?;
        let nameable = |ty: &Type| type_accessible(self.world, ty, &self.package);
        let results: Vec<&Type> =
            method.erasures.iter().filter_map(|e| e.result.as_ref()).collect();
        let first = *results.first()?;
        let fits = |ty: &Typed| {
            let erased = ty.erased();
            nameable(&erased) && results.iter().all(|r| self.world.is_subtype(&erased, r))
        };
        // What a method's own variable stands for is up to its caller, within its bound.
        let mut bindings = bindings.clone();
        for param in &method.type_params {
            let bound = param.bounds.first().map(|bound| self.typing.close(bound, &bindings));
            let bound = bound.unwrap_or_else(|| Typed::class("java/lang/Object"));
            bindings.push((param.name.clone(), bound));
        }
        let told = method.result.as_ref().map(|ty| self.typing.close(ty, &bindings));
        let cast = call.cast.as_ref().map(Typed::raw);
        let is_told = |ty: &Typed| fits(ty) && ty.erased() != Type::object();
        [told, cast, Some(Typed::raw(first))]
            .into_iter()
            .flatten()
            .find(|ty| is_told(ty))
            .or_else(|| Some(Typed::raw(first)).filter(fits))
    }
}

/// Whether a method says that there is one more, by its name: with the same answer each time, who
/// asks it would never come to an end.
fn tells_of_more(method: &Unimplemented) -> bool {
    let declared = method.method();
    let name = &*declared.name;
    declared.params.is_empty()
        && declared.result == Some(Type::Primitive(Primitive::Boolean))
        && (matches!(name, "next" | "hasNext" | "advance" | "read")
            || name.starts_with("hasMore")
            || name.starts_with("moveTo")
            || name.starts_with("moveNext"))
}

/// Whether a container sets fields of the class.
pub(super) fn is_wired(world: &dyn Implementations, class: &Class) -> bool {
    world.supertypes(&class.name).iter().any(|class| class.fields.iter().any(is_injected))
}

fn is_injected(field: &Field) -> bool {
    let simple = |name: &ClassName| name.local().rsplit('$').next().map(str::to_owned);
    let marks = |annotation: &Annotation| {
        simple(&annotation.ty).is_some_and(|name| INJECTED.contains(&&*name))
    };
    let can_be_set = !field.access.is_static() && !field.access.is_final();
    can_be_set && field.annotations.iter().any(marks)
}

fn blank(class: &Class) -> Sketch {
    Sketch::mock(class.name.clone(), class.is_interface())
}
