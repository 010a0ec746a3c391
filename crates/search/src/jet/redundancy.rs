//! Which objects and test cases are equivalent (requirement J11; section III-D of the paper).
//!
//! Primitives are compared by `==`, arrays by their lengths and elements, objects by `equals` where
//! their class overrides it, else by the calls that made them, whose arguments are compared likewise.
//! Each equivalence class has a number, so that comparing is looking up: objects with the same calls
//! have the same number at once, and `equals` is asked only of calls that were never seen
//! ([`Identification`](super::identify::Identification)).
//!
//! `NaN` is taken for equal to itself, or every test case with one would be new. Where one object is
//! passed more than once, test cases are the same only if all their calls are: that two arguments
//! are one object is what such a test case is about.

use std::sync::Arc;

use model::{ClassName, ClassSource, Hierarchy, Literal, Slot, TestCase};
use rustc_hash::{FxHashMap, FxHashSet};

use super::object::{History, Key, Object};
use crate::api::{Api, OpId, TypeId};

/// The number of an equivalence class.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(super) struct Number(u32);

/// What values of one number have in common.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Structure {
    Literal(Literal),
    Itself,
    Elements(TypeId, Vec<Number>),
    Steps(Vec<(OpId, Vec<Number>)>),
    Calls(TestCase, Option<Slot>),
    Test(OpId, Vec<Number>),
}

/// What is known of a test case that was run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Known {
    Meaningful,
    Meaningless,
}

/// Objects that differ, each with its number.
type Different = Vec<(Number, Arc<Object>)>;

/// All values and test cases that were compared so far.
#[derive(Default, Debug)]
pub(super) struct Redundancy {
    numbers: FxHashMap<Structure, Number>,
    /// By the serial numbers of objects, those of their calls.
    of_objects: FxHashMap<u32, Number>,
    /// For calls whose result has an `equals` of its own, the number of the first equal object.
    equal: FxHashMap<Number, Number>,
    /// The first of equal objects, by class and hash code.
    first: FxHashMap<(ClassName, Option<i32>), Different>,
    overrides: FxHashMap<ClassName, Overrides>,
    seen: FxHashMap<Number, Known>,
    pooled: FxHashSet<Number>,
}

/// What a class has of its own of the methods that compare objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Overrides {
    pub(super) equals: bool,
    pub(super) hash_code: bool,
}

impl Overrides {
    fn of(classes: &dyn ClassSource, class: &ClassName) -> Self {
        // Those of `Object` and `Enum` compare by identity.
        let by_identity = ["java/lang/Object", "java/lang/Enum"];
        let all = classes.supertypes(class);
        let own = all.iter().filter(|c| !by_identity.contains(&c.name.as_internal()));
        let has = |name: &str, descriptor: &str| {
            own.clone().any(|c| c.method(name, descriptor).is_some_and(|m| !m.access.is_abstract()))
        };
        Self { equals: has("equals", "(Ljava/lang/Object;)Z"), hash_code: has("hashCode", "()I") }
    }
}

impl Redundancy {
    /// The number of an argument; the object to be identified first, if there is one.
    pub(super) fn number(
        &mut self,
        (api, classes): (&Api, &dyn ClassSource),
        key: &Key,
    ) -> Result<Number, Arc<Object>> {
        match key {
            Key::Itself => Ok(self.intern(Structure::Itself)),
            Key::Literal(literal) => Ok(self.intern(Structure::Literal(comparable(literal)))),
            Key::Object(object) => {
                let number = self.number_of_calls((api, classes), object)?;
                match api.ty(object.ty).as_class() {
                    Some(class) if self.overrides(classes, class).equals => {
                        self.equal.get(&number).copied().ok_or_else(|| object.clone())
                    }
                    _ => Ok(number),
                }
            }
        }
    }

    /// The number of the calls that made an object.
    fn number_of_calls(
        &mut self,
        of: (&Api, &dyn ClassSource),
        object: &Arc<Object>,
    ) -> Result<Number, Arc<Object>> {
        if let Some(number) = self.of_objects.get(&object.serial) {
            return Ok(*number);
        }
        let structure = match &object.history {
            History::Shared => Structure::Calls((*object.case).clone(), Some(object.slot)),
            History::Elements(keys) => Structure::Elements(object.ty, self.numbers_of(of, keys)?),
            History::Steps(steps) => {
                let mut all = Vec::with_capacity(steps.len());
                for step in steps {
                    all.push((step.op, self.numbers_of(of, &step.args)?));
                }
                Structure::Steps(all)
            }
        };
        let number = self.intern(structure);
        self.of_objects.insert(object.serial, number);
        Ok(number)
    }

    fn numbers_of(
        &mut self,
        of: (&Api, &dyn ClassSource),
        keys: &[Key],
    ) -> Result<Vec<Number>, Arc<Object>> {
        keys.iter().map(|key| self.number(of, key)).collect()
    }

    /// The number of a test case that calls a method with these arguments; of one in which an object
    /// is passed twice, all the calls are given.
    pub(super) fn number_of_test(
        &mut self,
        of: (&Api, &dyn ClassSource),
        (op, keys): (OpId, &[Key]),
        shared: Option<TestCase>,
    ) -> Result<Number, Arc<Object>> {
        let structure = match shared {
            Some(case) => Structure::Calls(case, None),
            None => Structure::Test(op, self.numbers_of(of, keys)?),
        };
        Ok(self.intern(structure))
    }

    fn intern(&mut self, structure: Structure) -> Number {
        let next = Number(self.numbers.len() as u32);
        *self.numbers.entry(structure).or_insert(next)
    }

    pub(super) fn overrides(&mut self, classes: &dyn ClassSource, class: &ClassName) -> Overrides {
        if let Some(known) = self.overrides.get(class) {
            return *known;
        }
        let overrides = Overrides::of(classes, class);
        self.overrides.insert(class.clone(), overrides);
        overrides
    }

    /// Objects that one of this class and hash code may be equal to.
    pub(super) fn candidates(
        &self,
        class: &ClassName,
        hash: Option<i32>,
    ) -> Vec<(Number, Arc<Object>)> {
        self.first.get(&(class.clone(), hash)).cloned().unwrap_or_default()
    }

    /// An object is equal to the one of that number, or to none of those there were.
    pub(super) fn identify(
        &mut self,
        of: (&Api, &dyn ClassSource),
        object: &Arc<Object>,
        hash: Option<i32>,
        equal_to: Option<Number>,
    ) {
        let Some(class) = of.0.ty(object.ty).as_class() else { return };
        let Ok(number) = self.number_of_calls(of, object) else { return };
        if equal_to.is_none() {
            let first = self.first.entry((class.clone(), hash)).or_default();
            first.push((number, object.clone()));
        }
        self.equal.insert(number, equal_to.unwrap_or(number));
    }

    /// What is known of a test case.
    pub(super) fn known(&self, test: Number) -> Option<Known> {
        self.seen.get(&test).copied()
    }

    pub(super) fn remember(&mut self, test: Number, known: Known) {
        self.seen.insert(test, known);
    }

    /// Whether an object is the first of its number to be put into the pool.
    pub(super) fn is_new_in_pool(&mut self, object: Number) -> bool {
        self.pooled.insert(object)
    }
}

/// The literal that stands for all that are equal to it by `==`.
fn comparable(literal: &Literal) -> Literal {
    match literal {
        Literal::Float(zero) if *zero == 0.0 => Literal::Float(0.0),
        Literal::Double(zero) if *zero == 0.0 => Literal::Double(0.0),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use model::Type;

    use super::*;
    use crate::jet::object::Step;
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};
    use crate::testing::{api, case};

    fn world() -> World {
        let takes = class("a/Taker").method("take([I[La/Taker;D)V", |_, _| Ok(Value::Null));
        let equal = class("a/Equal")
            .method("equals(Ljava/lang/Object;)Z", |_, _| Ok(Value::boolean(true)))
            .method("meets(La/Taker;)V", |_, _| Ok(Value::Null));
        World::of([takes, equal])
    }

    fn object(world: &World, api: &Api, serial: u32, history: History, ty: &Type) -> Key {
        let ty = api.type_id(ty).expect("a type of the api");
        let case = Arc::new(case(world, "a/Taker", &[]));
        Key::Object(Arc::new(Object { case, slot: Slot(0), ty, history, serial }))
    }

    fn int(value: i32) -> Key {
        Key::Literal(Literal::Int(value))
    }

    /// Whether two keys have one number.
    fn check(one: &Key, other: &Key, expected: bool) {
        let world = world();
        let api = api(&world, "a/Taker");
        let mut redundancy = Redundancy::default();
        let of: (&Api, &dyn ClassSource) = (&api, &world);
        let numbers = [one, other].map(|key| redundancy.number(of, key).expect("no equals"));
        assert_eq!(numbers[0] == numbers[1], expected, "{one:?} and {other:?}");
    }

    #[test]
    fn primitives_are_told_by_their_values() {
        check(&int(1), &int(1), true);
        check(&int(1), &Key::Literal(Literal::Long(1)), false);
        let double = |value| Key::Literal(Literal::Double(value));
        check(&double(0.0), &double(-0.0), true);
        check(&double(f64::NAN), &double(f64::NAN), true);
    }

    #[test]
    fn redundant_arrays_are_told_by_their_elements() {
        let world = world();
        let api = api(&world, "a/Taker");
        let array = |serial, elements: &[i32]| {
            let elements = elements.iter().copied().map(int).collect();
            object(&world, &api, serial, History::Elements(elements), &Type::INT.array_of())
        };
        check(&array(1, &[1, 2]), &array(2, &[1, 2]), true);
        check(&array(1, &[1, 2]), &array(2, &[2, 1]), false);
        check(&array(1, &[1, 2]), &array(2, &[1, 2, 0]), false);
        let objects = object(
            &world,
            &api,
            3,
            History::Elements(Vec::new()),
            &Type::class("a/Taker").array_of(),
        );
        check(&array(1, &[]), &objects, false);
    }

    #[test]
    fn objects_are_told_by_their_calls_and_these_by_their_arguments() {
        let world = world();
        let api = api(&world, "a/Taker");
        let taker = |serial, steps: &[(u32, Key)]| {
            let step = |(op, arg): &(u32, Key)| Step { op: OpId(*op), args: vec![arg.clone()] };
            let steps = History::Steps(steps.iter().map(step).collect());
            object(&world, &api, serial, steps, &Type::class("a/Taker"))
        };
        let (one, two) = (taker(1, &[(0, int(1))]), taker(2, &[(0, int(2))]));
        check(&one, &taker(3, &[(0, int(1))]), true);
        check(&one, &two, false);
        check(&one, &taker(3, &[(0, int(1)), (1, Key::Itself)]), false);
        check(&taker(3, &[(1, one.clone())]), &taker(4, &[(1, taker(5, &[(0, int(1))]))]), true);
        check(&taker(3, &[(1, one)]), &taker(4, &[(1, two)]), false);
    }

    #[test]
    fn an_object_with_an_equals_of_its_own_is_to_be_compared() {
        let world = world();
        let api = api(&world, "a/Equal");
        let of: (&Api, &dyn ClassSource) = (&api, &world);
        let mut redundancy = Redundancy::default();
        let made = |serial, op| {
            let steps = History::Steps(vec![Step { op: OpId(op), args: Vec::new() }]);
            let key = object(&world, &api, serial, steps, &Type::class("a/Equal"));
            let Key::Object(made) = &key else { unreachable!("it is one") };
            (made.clone(), key)
        };
        let (first, first_key) = made(1, 0);
        let unknown = redundancy.number(of, &first_key).expect_err("it was never compared");
        assert_eq!(unknown.serial, first.serial);
        redundancy.identify(of, &first, Some(3), None);
        let number = redundancy.number(of, &first_key).expect("it is known now");
        let class = ClassName::internal("a/Equal");
        assert_eq!(redundancy.candidates(&class, Some(3)).len(), 1);
        assert!(redundancy.candidates(&class, Some(4)).is_empty());
        let (second, second_key) = made(2, 1);
        assert!(redundancy.number(of, &second_key).is_err());
        redundancy.identify(of, &second, Some(3), Some(number));
        assert_eq!(redundancy.number(of, &second_key).ok(), Some(number));
        // The same calls need no comparison.
        assert_eq!(redundancy.number(of, &made(3, 1).1).ok(), Some(number));
    }
}
