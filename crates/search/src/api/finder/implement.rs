//! Detective (requirement G7), the part for what nobody has written yet: objects of functional
//! interfaces, and of interfaces and abstract classes that nothing makes, are written on the spot.
//!
//! A lambda comes in a few variants: answering a value, one of its arguments, or with an exception
//! that it may throw. The values it answers are ordinary parameters of the operation, so that the
//! search fills and varies them like any others, and so that the frontier can aim at them. Their
//! type is what the generic signature says where it says something: a `Supplier<String>` answers
//! with a `String`.
//!
//! Invariant: what is added here can be written by a test in the package of the class under test:
//! no sealed or hidden type, no method out of reach.

use std::sync::Arc;

use model::{
    Answer, Class, ClassName, GenericType, Hierarchy, Operation, Origin, Sketch, Type,
    Unimplemented, implementable, is_identifier, type_accessible,
};

use super::Finder;
use crate::api::TypeId;
use crate::api::literals::literal_types;
use crate::api::typed::Typed;
use crate::api::typing::{Shape, Typing, bind};

/// How often what is written on the spot may itself need something written.
const MAX_ROUNDS: u32 = 3;
/// Methods of an interface or abstract class that is written out.
const MAX_METHODS: usize = 8;
/// The same of an interface, where there are mocks.
pub(super) const MAX_METHODS_BESIDE_MOCKS: usize = 3;
/// Constructors of an abstract class that are called.
const MAX_CONSTRUCTORS: usize = 3;
/// The same of the class under test.
const MAX_CONSTRUCTORS_TESTED: usize = 8;
/// Operations that write something on the spot.
const MAX_IMPLEMENTED: usize = 120;

/// What the type parameters of a class stand for, where that is known.
type Bindings = Vec<(Arc<str>, GenericType)>;

impl Finder<'_> {
    /// Adds what can be written on the spot for all that operations take, and what that needs.
    pub(in crate::api) fn add_implementations(&mut self) {
        if !self.extras.detective.writes() {
            return;
        }
        let mut seen: Vec<TypeId> = Vec::new();
        let mut looked_at = 0;
        for depth in 1..=MAX_ROUNDS {
            let known = self.api.operations.len();
            let buildable = self.buildable();
            let wanted: Vec<TypeId> = self.wanted[looked_at..].iter().map(|(ty, _)| *ty).collect();
            looked_at = self.wanted.len();
            for id in wanted {
                let ty = self.api.types[id.0 as usize].clone();
                let Typed::Class { name, args } = &ty else { continue };
                let Some(class) = self.world.class(name) else { continue };
                if !seen.contains(&id) {
                    seen.push(id);
                    let bindings = self.bindings(&class, args);
                    let erased = ty.erased();
                    let mut same = self.api.of_class.get(&erased).into_iter().flatten();
                    // What was added since may be made of anything.
                    let can_be = |ty: &TypeId| buildable.get(ty.0 as usize).is_none_or(|is| *is);
                    let is_had = same.any(can_be) && self.is_had(&erased);
                    self.implement((&class, is_had), &ty, &bindings, depth);
                }
            }
            if self.api.operations.len() == known {
                break;
            }
            self.add_makers();
        }
    }

    /// Whether lambdas are the way to have an object of the class, whatever else there is.
    pub(super) fn takes_lambda(&self, class: &Class) -> bool {
        let annotated = || {
            class.annotations.iter().any(|a| a.ty.as_internal() == "java/lang/FunctionalInterface")
        };
        self.extras.detective.writes()
            && class.is_interface()
            && (class.origin != Origin::Jdk || annotated())
            && implementable(self.world, class, &self.package).is_some_and(|m| is_function(&m))
    }

    /// What the type parameters of a class stand for where it is wanted with these arguments.
    fn bindings(&self, class: &Class, args: &[Typed]) -> Bindings {
        let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
        let bound = params.iter().zip(args).filter_map(|(param, arg)| {
            let ty = arg.erased();
            let within = param
                .bounds
                .iter()
                .all(|b| self.world.is_subtype(&ty, &b.erasure(params)) && self.is_nameable(&ty));
            let told = ty != Type::object() && ty.is_reference() && within;
            told.then(|| (param.name.clone(), GenericType::from(&ty)))
        });
        bound.collect()
    }

    fn is_nameable(&self, ty: &Type) -> bool {
        type_accessible(self.world, ty, &self.package)
    }

    fn implement(
        &mut self,
        (class, is_had): (&Arc<Class>, bool),
        wanted: &Typed,
        bindings: &Bindings,
        depth: u32,
    ) {
        let Some(methods) = implementable(self.world, class, &self.package) else { return };
        if !methods.iter().all(|m| is_identifier(&m.method().name)) {
            return;
        }
        // A mock runs none of the code that is under test.
        let may_be_mocked =
            self.extras.mocks.is_some() && class.is_interface() && class.name != self.api.class;
        // Subclasses override what is under test, and call some of its constructors only.
        let is_subject = class.name == self.api.class;
        let max_methods = if may_be_mocked { MAX_METHODS_BESIDE_MOCKS } else { MAX_METHODS };
        let written: Vec<Sketch> = if self.takes_lambda(class) {
            self.functions(class, &methods[0], bindings)
        } else if (!is_subject && is_had) || methods.len() > max_methods {
            Vec::new()
        } else if class.is_interface() && is_function(&methods) {
            self.functions(class, &methods[0], bindings)
        } else {
            let mut given = self.constructors(class);
            given.truncate(if is_subject { MAX_CONSTRUCTORS_TESTED } else { MAX_CONSTRUCTORS });
            given.into_iter().map(|given| self.whole(class, given, &methods, bindings)).collect()
        };
        for sketch in written {
            let count = self.api.operations.iter().filter(|op| op.implementation.is_some()).count();
            if count < MAX_IMPLEMENTED {
                let op = sketch.operation(&self.package);
                let params = self.typed_params(&op, class, wanted, &methods);
                self.add(op, &Shape { params, result: Some(wanted.clone()) }, depth);
            }
        }
    }

    /// What is given and captured, with type arguments: what a method answers has those that its
    /// signature says.
    fn typed_params(
        &self,
        op: &Operation,
        class: &Class,
        wanted: &Typed,
        methods: &[Unimplemented],
    ) -> Vec<Typed> {
        let mut params: Vec<Typed> = op.params.iter().map(Typed::raw).collect();
        let declared = Typing::params(class);
        let bindings = match wanted {
            Typed::Class { args, .. } if args.len() == declared.len() => bind(declared, args),
            _ => Vec::new(),
        };
        for written in op.implementation.iter().flat_map(|i| &i.methods) {
            let Answer::Captured(place) = written.answer else { continue };
            let place = usize::from(place);
            let is_it = |method: &&Unimplemented| {
                method.method().name == written.name
                    && method.erasures.iter().any(|erasure| erasure.params == written.params)
            };
            let method = methods.iter().find(is_it).filter(|method| !method.is_generic());
            let told = method.and_then(|method| method.result.as_ref());
            let told = told.map(|result| self.typing.close(result, &bindings));
            if let Some(told) = told.filter(|told| told.erased() == op.params[place]) {
                params[place] = told;
            }
        }
        params
    }

    /// Whether there are objects of a type that need nothing written.
    fn is_had(&self, ty: &Type) -> bool {
        let literal = literal_types().any(|literal| self.world.is_subtype(&literal, ty));
        literal
            || self.api.operations.iter().any(|op| {
                op.implementation.is_none()
                    && !op.params.contains(ty)
                    && op.result.as_ref().is_some_and(|r| self.world.is_subtype(r, ty))
                    && !self.gives_back(op, ty)
            })
    }

    /// What the constructors of a class take, the simplest first; of an interface, nothing.
    pub(super) fn constructors(&self, class: &Class) -> Vec<Vec<Type>> {
        if class.is_interface() {
            return vec![Vec::new()];
        }
        let mut found: Vec<Vec<Type>> = class
            .constructors()
            .filter(|c| {
                let near = class.name.package() == self.package;
                let access = c.access;
                !access.is_synthetic()
                    && !access.is_private()
                    && (access.is_public() || access.is_protected() || near)
            })
            .map(|c| c.params.iter().map(|p| p.ty.clone()).collect())
            .collect();
        found.sort_by_key(Vec::len);
        found
    }

    /// The variants of a lambda.
    fn functions(&self, class: &Class, method: &Unimplemented, bindings: &Bindings) -> Vec<Sketch> {
        let mut sketches = Vec::new();
        let mut push = |mut sketch: Sketch, answer: Answer| {
            sketch.add(method, &answer);
            sketches.push(sketch);
        };
        match self.answer_type(class, method, bindings) {
            None => push(blank(class), Answer::Nothing),
            Some(ty) => {
                let identity = self.fitting_argument(class, method, bindings, &ty);
                let mut constant = blank(class);
                let answer = constant.capture(ty);
                push(constant, answer);
                if let Some(place) = identity {
                    push(blank(class), Answer::Argument(place));
                }
            }
        }
        if let Some(exception) = self.thrown_by(method) {
            push(blank(class), Answer::Throws(exception));
        }
        sketches
    }

    /// A class with all its methods, each of which answers a value of its own.
    fn whole(
        &self,
        class: &Class,
        given: Vec<Type>,
        methods: &[Unimplemented],
        bindings: &Bindings,
    ) -> Sketch {
        let mut sketch = Sketch { given, ..blank(class) };
        for method in methods {
            let answer = match self.answer_type(class, method, bindings) {
                None => Answer::Nothing,
                Some(ty) => sketch.capture(ty),
            };
            sketch.add(method, &answer);
        }
        sketch
    }

    /// The type of a method's result: as the signature says, if that fits all its erasures.
    fn answer_type(
        &self,
        class: &Class,
        method: &Unimplemented,
        bindings: &Bindings,
    ) -> Option<Type> {
        let results: Vec<&Type> =
            method.erasures.iter().filter_map(|e| e.result.as_ref()).collect();
        let first = *results.first()?;
        let fits = |ty: &Type| {
            self.is_nameable(ty) && results.iter().all(|r| self.world.is_subtype(ty, r))
        };
        let told = method.result.as_ref().filter(|_| !method.is_generic());
        let told = told.map(|r| erased(class, r, bindings)).filter(fits);
        // Of several erasures, one is the narrowest.
        told.or_else(|| results.iter().copied().find(|ty| fits(ty)).cloned())
            .or_else(|| Some(first.clone()))
    }

    /// The first argument of a method that can be its answer.
    fn fitting_argument(
        &self,
        class: &Class,
        method: &Unimplemented,
        bindings: &Bindings,
        answer: &Type,
    ) -> Option<u16> {
        let fits = |(place, param): (usize, &GenericType)| {
            let as_told = self.world.is_subtype(&erased(class, param, bindings), answer);
            let as_run = method.erasures.iter().all(|e| {
                let param = e.params.get(place);
                param.zip(e.result.as_ref()).is_some_and(|(p, r)| self.world.is_subtype(p, r))
            });
            (as_told && as_run).then_some(place as u16)
        };
        method.params.iter().enumerate().find_map(fits)
    }

    /// A checked exception the method declares and that a test can make.
    pub(super) fn thrown_by(&self, method: &Unimplemented) -> Option<ClassName> {
        let declared = method.method().exceptions.iter();
        declared.filter(|e| self.world.is_checked_exception(e)).find_map(|name| {
            let class = self.world.class(name)?;
            let makable = class.is_instantiable()
                && self.is_nameable(&Type::Class(name.clone()))
                && class.outer_instance().is_none()
                && class.constructors().any(|c| {
                    let near = name.package() == self.package && !c.access.is_private();
                    c.params.is_empty() && (c.access.is_public() || near)
                });
            makable.then(|| name.clone())
        })
    }
}

/// Whether a lambda can be written for an interface that leaves these methods.
fn is_function(methods: &[Unimplemented]) -> bool {
    matches!(methods, [only] if !only.is_generic())
}

fn erased(class: &Class, ty: &GenericType, bindings: &Bindings) -> Type {
    let params = class.signature.as_ref().map_or(&[][..], |s| &s.params);
    ty.substituted(bindings).erasure(params)
}

fn blank(class: &Class) -> Sketch {
    Sketch::new(class.name.clone(), class.is_interface())
}
