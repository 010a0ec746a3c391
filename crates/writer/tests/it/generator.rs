//! Random well-typed tests over the API of a library.
//!
//! Nothing of it is ever run, so the tests need no sense: they need to be typed, and to contain
//! every shape the writer has to write.

use std::collections::HashMap;
use std::sync::Arc;

use classpath::World;
use model::{
    Args, Call, Check, CheckKind, Class, ClassName, ClassSource, Contract, Expectation, Failure,
    FailureKind, Hierarchy, JavaString, Literal, Observation, Operation, OperationKind, Primitive,
    Slot, TestCase, Type, UnitTest, type_accessible,
};

use crate::written;

/// SplitMix64: small, and the same everywhere.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn chance(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> Option<&'t T> {
        if from.is_empty() { None } else { Some(&from[self.below(from.len())]) }
    }
}

/// All operations source in one package can name, by what they result in.
pub struct Api<'w> {
    world: &'w World,
    package: String,
    /// Operations by the class of their result, and that class's supertypes.
    producers: HashMap<ClassName, Vec<Arc<Operation>>>,
}

/// Classes of the JDK that values come from.
const JDK: &[&str] = &[
    "java/lang/Object",
    "java/lang/StringBuilder",
    "java/lang/Integer",
    "java/lang/Thread",
    "java/util/ArrayList",
    "java/util/HashMap",
    "java/util/TreeSet",
    "java/util/LinkedList",
    "java/util/Collections",
    "java/util/Arrays",
    "java/util/Optional",
    "java/util/Date",
    "java/util/Locale",
    "java/util/TimeZone",
    "java/util/Calendar",
    "java/util/concurrent/TimeUnit",
    "java/util/function/Function",
    "java/util/stream/Stream",
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/lang/Exception",
    "java/io/StringWriter",
    "java/io/StringReader",
    "java/io/File",
    "java/net/URI",
    "java/nio/charset/StandardCharsets",
    "java/util/BitSet",
    "java/util/AbstractMap$SimpleEntry",
    "java/util/Comparator",
    "java/util/EnumSet",
    "java/util/concurrent/atomic/AtomicInteger",
    "java/util/Random",
    "java/time/Duration",
];

impl<'w> Api<'w> {
    /// What source in `package` can name, of the given classes and some of the JDK's.
    pub fn new(world: &'w World, package: &str, classes: &[ClassName]) -> Self {
        let mut api = Self { world, package: package.to_owned(), producers: HashMap::new() };
        let jdk: Vec<ClassName> = JDK.iter().map(|n| ClassName::internal(n)).collect();
        for name in classes.iter().chain(&jdk) {
            for op in api.operations(name) {
                let Some(Type::Class(result)) = &op.result else { continue };
                if !matches!(op.kind, OperationKind::InstanceField | OperationKind::InstanceMethod)
                {
                    for class in world.supertypes(result) {
                        let list = api.producers.entry(class.name.clone()).or_default();
                        if list.len() < 400 {
                            list.push(op.clone());
                        }
                    }
                }
            }
        }
        api
    }

    fn class(&self, name: &ClassName) -> Option<Arc<Class>> {
        self.world.class(name)
    }

    pub fn can_name(&self, ty: &Type) -> bool {
        type_accessible(self.world, ty, &self.package)
    }

    /// Operations on a class, inherited methods included.
    pub fn operations(&self, name: &ClassName) -> Vec<Arc<Operation>> {
        let mut all = Vec::new();
        if !self.can_name(&Type::Class(name.clone())) {
            return all;
        }
        let Some(class) = self.class(name) else { return all };
        let may_use = |declaring: &Class, access: model::Access| {
            access.is_public() || (!access.is_private() && declaring.name.package() == self.package)
        };
        for declaring in self.world.supertypes(name) {
            for method in &declaring.methods {
                let own = declaring.name == class.name;
                let fits = if method.is_constructor() {
                    own && class.is_instantiable()
                } else {
                    own || !(declaring.is_interface() && method.access.is_static())
                };
                if fits && may_use(&declaring, method.access) && !method.access.is_synthetic() {
                    all.push(Arc::new(Operation::of_method(&class, method)));
                }
            }
            for field in &declaring.fields {
                if may_use(&declaring, field.access)
                    && declaring.name == class.name
                    && !field.access.is_synthetic()
                {
                    all.push(Arc::new(Operation::of_field(&class, field)));
                    if !field.access.is_static() && !field.access.is_final() {
                        all.push(Arc::new(Operation::of_setting(&class, field)));
                    }
                }
            }
        }
        all
    }
}

/// Makes one test.
pub struct Maker<'a, 'w> {
    pub api: &'a Api<'w>,
    pub rng: &'a mut Rng,
    pub case: TestCase,
}

impl Maker<'_, '_> {
    /// A random test of one of the operations.
    pub fn test(mut self, operations: &[Arc<Operation>]) -> Option<UnitTest> {
        for _ in 0..=self.rng.below(3) {
            let op = self.rng.pick(operations)?.clone();
            self.invoke(&op, 0)?;
            if self.rng.chance(15) {
                self.case.calls.last_mut()?.guarded = true;
            }
        }
        let subject = self.case.calls.len() - 1;
        let (expectation, failure) = self.end();
        let checks = self.checks(subject, expectation == Expectation::Returns);
        Some(UnitTest { case: self.case, subject, expectation, checks, failure })
    }

    fn invoke(&mut self, op: &Arc<Operation>, depth: u32) -> Option<Option<Slot>> {
        let mut args = Vec::new();
        for (index, ty) in op.params.clone().iter().enumerate() {
            let receiver = index == 0 && op.has_receiver();
            args.push(self.value(ty, depth + 1, receiver)?);
        }
        if self.case.calls.len() > 12 {
            return None;
        }
        let result = op.result.clone().map(|ty| self.result_slot(&ty));
        self.case.calls.push(Call {
            op: op.clone(),
            args: Args::from_slice(&args),
            result,
            guarded: false,
        });
        Some(result)
    }

    /// A slot for a result: new, new and narrower, or one written before.
    fn result_slot(&mut self, ty: &Type) -> Slot {
        if self.rng.chance(10) {
            let fitting: Vec<Slot> = (0..self.case.slots.len() as u32)
                .map(Slot)
                .filter(|s| {
                    self.case.ty(*s) == ty && self.case.slots[s.index()].init != Some(Literal::Null)
                })
                .collect();
            if let Some(slot) = self.rng.pick(&fitting) {
                return *slot;
            }
        }
        if self.rng.chance(10)
            && let Type::Class(name) = ty
            && let Some(op) = self.api.producers.get(name).and_then(|ops| self.rng.pick(ops))
            && let Some(narrow) = op.result.clone()
            && self.api.can_name(&narrow)
        {
            return self.case.slot(narrow);
        }
        self.case.slot(ty.clone())
    }

    fn value(&mut self, ty: &Type, depth: u32, receiver: bool) -> Option<Slot> {
        if self.rng.chance(50) {
            let mut set: Vec<bool> = self.case.slots.iter().map(|s| s.init.is_some()).collect();
            self.case.calls.iter().filter_map(|c| c.result).for_each(|r| set[r.index()] = true);
            let fitting: Vec<Slot> = (0..self.case.slots.len() as u32)
                .map(Slot)
                .filter(|s| set[s.index()] && self.api.world.is_subtype(self.case.ty(*s), ty))
                .filter(|s| !receiver || self.case.slots[s.index()].init != Some(Literal::Null))
                .collect();
            if let Some(slot) = self.rng.pick(&fitting) {
                return Some(*slot);
            }
        }
        if let Some(literal) = self.literal(ty)
            && (!ty.is_reference() || self.rng.chance(60))
        {
            let own = match &literal {
                Literal::String(_) => Type::string(),
                Literal::Class(_) => Type::class("java/lang/Class"),
                other => match (ty, other.primitive()) {
                    (Type::Primitive(_), _) | (_, None) => ty.clone(),
                    (_, Some(p)) => Type::class(p.boxed()),
                },
            };
            return Some(self.case.literal(own, literal));
        }
        if let Type::Array(element) = ty
            && self.rng.chance(80)
            && depth < 4
            && self.api.can_name(ty)
        {
            let mut args = Vec::new();
            for _ in 0..self.rng.below(4) {
                args.push(self.value(element, depth + 1, false)?);
            }
            let slot = self.case.slot(ty.clone());
            self.case.calls.push(Call {
                op: Arc::new(Operation::array(element)),
                args: Args::from_slice(&args),
                result: Some(slot),
                guarded: false,
            });
            return Some(slot);
        }
        if let Type::Class(name) = ty
            && depth < 4
            && self.rng.chance(35)
            && let Some(op) = self.written(name)
        {
            return self.invoke(&Arc::new(op), depth)?;
        }
        if let Type::Class(name) = ty
            && depth < 4
            && self.rng.chance(85)
            && let Some(op) = self.api.producers.get(name).and_then(|ops| self.rng.pick(ops))
        {
            return self.invoke(&op.clone(), depth)?;
        }
        // A receiver may be null too: the call then throws.
        if receiver && self.rng.chance(90) {
            return None;
        }
        ty.is_reference().then(|| self.case.literal(ty.clone(), Literal::Null))
    }

    /// A class written on the spot, with any answers that fit.
    fn written(&mut self, name: &ClassName) -> Option<Operation> {
        let (world, package) = (self.api.world, self.api.package.clone());
        let constructor = self.rng.below(4);
        written::written(world, name, &package, constructor, |sketch, _, method| {
            let other = match self.rng.below(4) {
                0 => written::argument(world, method),
                1 => written::thrown(world, method),
                _ => None,
            };
            other.unwrap_or_else(|| written::value(world, sketch, method))
        })
    }

    fn literal(&mut self, ty: &Type) -> Option<Literal> {
        match ty {
            Type::Primitive(p) => Some(self.primitive(*p)),
            Type::Array(_) => None,
            Type::Class(name) => match name.as_internal() {
                "java/lang/String" | "java/lang/CharSequence" => Some(self.string()),
                "java/lang/Class" => Some(self.class_literal()),
                "java/lang/Comparable" if self.rng.chance(50) => Some(self.string()),
                "java/lang/Object" | "java/lang/Comparable" | "java/lang/Number" => {
                    Some(self.primitive(Primitive::Int))
                }
                other => Primitive::unboxed(other).map(|p| self.primitive(p)),
            },
        }
    }

    fn class_literal(&mut self) -> Literal {
        let types = [
            Type::string(),
            Type::INT,
            Type::class("java/util/concurrent/TimeUnit"),
            Type::class("java/util/List"),
            Type::object().array_of(),
            Type::class("java/lang/Override"),
        ];
        Literal::Class(self.rng.pick(&types).cloned())
    }

    fn string(&mut self) -> Literal {
        let long = "lorem ipsum \u{e9}\n\t".repeat(self.rng.below(20));
        let all = ["", "abc", " ", "\\u0041", "\"quoted\"", &long];
        let text = self.rng.pick(&all).copied().unwrap_or_default();
        let mut units: Vec<u16> = text.encode_utf16().collect();
        if self.rng.chance(5) {
            units.push(0xd800);
        }
        Literal::String(JavaString::from_units(&units))
    }

    fn primitive(&mut self, primitive: Primitive) -> Literal {
        let number = [0, 1, -1, 7, i64::MAX, i64::MIN][self.rng.below(6)];
        let float =
            [0.0, -0.0, 1.5, f64::NAN, f64::INFINITY, -3e300, f64::MIN_POSITIVE][self.rng.below(7)];
        match primitive {
            Primitive::Boolean => Literal::Boolean(number != 0),
            Primitive::Byte => Literal::Byte(number as i8),
            Primitive::Char => {
                Literal::Char([0, 10, 39, 92, 97, 0xd800, 0xffff][self.rng.below(7)])
            }
            Primitive::Short => Literal::Short(number as i16),
            Primitive::Int => Literal::Int(number as i32),
            Primitive::Long => Literal::Long(number),
            Primitive::Float => Literal::Float(float as f32),
            Primitive::Double => Literal::Double(float),
        }
    }

    fn end(&mut self) -> (Expectation, Option<Failure>) {
        let throws = ["java/lang/NullPointerException", "java/io/IOException", "java/lang/Error"];
        let class = ClassName::internal(throws[self.rng.below(3)]);
        let explanation = "expected \\u000a something else \u{e9}: ".repeat(4);
        match self.rng.below(10) {
            0..3 => (Expectation::Throws(class), None),
            3 => {
                let kind = FailureKind::UnexpectedException { class: class.clone(), place: None };
                (
                    Expectation::Throws(class),
                    Some(Failure { kind, explanation, cause: model::Cause::default() }),
                )
            }
            4 => {
                let objects: Vec<Slot> = self.set_slots(|t| t.is_reference());
                let comparable = Type::class("java/lang/Comparable");
                let world = self.api.world;
                let comparables = self.set_slots(|t| world.is_subtype(t, &comparable));
                let (contract, from) = match self.rng.below(8) {
                    0 => (Contract::EqualsReflexive, objects),
                    1 => (Contract::EqualsHashCode, objects),
                    2 => (Contract::EqualsNull, objects),
                    3 => (Contract::EqualsTransitive, objects),
                    4 => (Contract::CompareAntisymmetric, comparables),
                    5 => (Contract::EqualsReturns, objects),
                    6 => return (Expectation::Returns, self.comparator_failure(explanation)),
                    _ => (Contract::CompareConsistent, comparables),
                };
                let slots: Vec<Slot> =
                    (0..3).filter_map(|_| self.rng.pick(&from).copied()).collect();
                let kind = FailureKind::Contract { contract, slots: slots.clone() };
                let failure = (slots.len() == 3).then_some(Failure {
                    kind,
                    explanation,
                    cause: model::Cause::default(),
                });
                (Expectation::Returns, failure)
            }
            _ => (Expectation::Returns, None),
        }
    }

    /// A law of comparators, if there is a comparator, over whatever there is.
    fn comparator_failure(&mut self, explanation: String) -> Option<Failure> {
        let world = self.api.world;
        let comparator = Type::class("java/util/Comparator");
        let comparators = self.set_slots(|t| world.is_subtype(t, &comparator));
        let objects = self.set_slots(|t| t.is_reference());
        let mut slots = vec![*self.rng.pick(&comparators)?];
        for _ in 0..3 {
            slots.push(*self.rng.pick(&objects)?);
        }
        let contract = match self.rng.below(2) {
            0 => Contract::ComparatorAntisymmetric,
            _ => Contract::ComparatorConsistent,
        };
        Some(Failure {
            kind: FailureKind::Contract { contract, slots },
            explanation,
            cause: model::Cause::default(),
        })
    }

    fn set_slots(&self, fits: impl Fn(&Type) -> bool) -> Vec<Slot> {
        let mut set: Vec<bool> = self
            .case
            .slots
            .iter()
            .map(|s| s.init.as_ref().is_some_and(|i| *i != Literal::Null))
            .collect();
        self.case.calls.iter().filter_map(|c| c.result).for_each(|r| set[r.index()] = true);
        let slots = (0..self.case.slots.len() as u32).map(Slot);
        slots.filter(|s| set[s.index()] && fits(self.case.ty(*s))).collect()
    }

    fn checks(&mut self, last: usize, returns: bool) -> Vec<Check> {
        let mut checks = Vec::new();
        for after in 0..=last {
            if after == last && !returns {
                break;
            }
            let Some(slot) = self.case.calls[after].result else { continue };
            if self.case.calls[after].guarded && self.rng.chance(50) {
                continue;
            }
            let ty = self.case.ty(slot).clone();
            for _ in 0..self.rng.below(3) {
                let kind = match self.rng.below(5) {
                    0 if ty.is_reference() => CheckKind::NotNull(slot),
                    1 if ty.is_reference() => CheckKind::Same(slot, slot),
                    2 | 3 if ty.as_class().is_some() => match self.view(&ty) {
                        Some((view, seen)) => CheckKind::View(slot, view, seen),
                        None => continue,
                    },
                    _ => CheckKind::Holds(slot, self.observation(&ty, 0)),
                };
                checks.push(Check { after, kind });
            }
        }
        checks
    }

    fn view(&mut self, ty: &Type) -> Option<(Arc<Operation>, Observation)> {
        let views: Vec<_> = self
            .api
            .operations(ty.as_class()?)
            .into_iter()
            .filter(|op| {
                op.kind == OperationKind::InstanceMethod
                    && op.arguments().is_empty()
                    && op.result.is_some()
            })
            .collect();
        let view = self.rng.pick(&views)?.clone();
        let seen = self.observation(view.result.as_ref()?, 0);
        Some((view, seen))
    }

    fn observation(&mut self, ty: &Type, depth: u32) -> Observation {
        if ty.is_reference() && self.rng.chance(20) {
            return Observation::Null;
        }
        match ty {
            Type::Primitive(p) => Observation::Value { value: self.primitive(*p), boxed: false },
            Type::Array(element) => {
                let elements: Vec<_> =
                    (0..self.rng.below(3)).map(|_| self.observation(element, depth + 1)).collect();
                Observation::Array {
                    element: (**element).clone(),
                    length: elements.len() as u32,
                    elements: self.rng.chance(80).then_some(elements),
                }
            }
            Type::Class(name) => {
                if let Some(class) = self.api.class(name) {
                    let constants: Vec<_> = class.enum_constants().collect();
                    if let Some(constant) = self.rng.pick(&constants) {
                        let constant = constant.name.clone();
                        return Observation::Enum { class: name.clone(), constant };
                    }
                }
                if depth < 2 && name.as_internal() == "java/lang/Object" && self.rng.chance(30) {
                    let element =
                        self.rng.pick(&[Type::INT, Type::string(), Type::object()]).cloned();
                    return self.observation(&element.unwrap_or(Type::INT).array_of(), depth + 1);
                }
                match self.literal(ty) {
                    Some(value) => Observation::Value { boxed: value.primitive().is_some(), value },
                    None => Observation::Object { class: name.clone(), views: vec![] },
                }
            }
        }
    }
}
