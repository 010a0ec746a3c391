//! Types with their arguments, over classes declared in Rust.

use model::{Literal, TestCase, Type};

use super::{Api, OpId, TypeId};
use crate::strategy::{Move, Report, Strategy, Values};
use crate::testing::machine::{Machine, Value};
use crate::testing::world::{Declaration, PROTECTED, PUBLIC, STATIC, World, bare_class, class};
use crate::testing::{api, settings};
use crate::{Driver, FeedbackDirected, Rng};

const OF_ONE: &str = "<E:Ljava/lang/Object;>Ljava/lang/Object;";

/// `interface List<E>`, `class ArrayList<E> implements List<E>`, `interface Map<K, V>` and its
/// `HashMap`.
fn collections() -> Vec<Declaration> {
    let list = bare_class("a/List").interface().signature(OF_ONE);
    let array_list = class("a/ArrayList")
        .implements("a/List")
        .signature("<E:Ljava/lang/Object;>Ljava/lang/Object;La/List<TE;>;")
        .method("add(Ljava/lang/Object;)V", |_, _| Ok(Value::Null))
        .typed("(TE;)V");
    let map = bare_class("a/Map")
        .interface()
        .signature("<K:Ljava/lang/Object;V:Ljava/lang/Object;>Ljava/lang/Object;");
    let hash_map = class("a/HashMap")
        .implements("a/Map")
        .signature("<K:Ljava/lang/Object;V:Ljava/lang/Object;>Ljava/lang/Object;La/Map<TK;TV;>;")
        .method("put(Ljava/lang/Object;Ljava/lang/Object;)V", |_, _| Ok(Value::Null))
        .typed("(TK;TV;)V");
    vec![list, array_list, map, hash_map]
}

/// A class with one method, by descriptor and signature.
fn using(descriptor: &str, signature: &str) -> Declaration {
    class("a/Use")
        .member(PUBLIC | STATIC, &format!("use{descriptor}"), |_, _| Ok(Value::Null))
        .typed(signature)
}

fn api_of(declared: Declaration) -> Api {
    let name = declared.class.name.as_internal().to_owned();
    let mut classes = collections();
    classes.push(declared);
    api(&World::of(classes), &name)
}

fn short(name: &str) -> String {
    name.replace("java.lang.", "").replace("a.", "")
}

/// The operation with the types it is used with.
fn shown(api: &Api, op: OpId) -> String {
    let params: Vec<String> = api.params(op).iter().map(|ty| api.type_name(*ty)).collect();
    let result = api.result(op).map_or_else(String::new, |ty| format!(" -> {}", api.type_name(ty)));
    short(&format!("{}({}){result}", api.operation(op).name, params.join(", ")))
}

/// All operations of that name.
fn all(api: &Api, name: &str) -> Vec<String> {
    let named = api.operations().filter(|op| &*api.operation(*op).name == name);
    named.map(|op| shown(api, op)).collect()
}

fn type_named(api: &Api, name: &str) -> TypeId {
    let mut types = (0..api.type_count() as u32).map(TypeId);
    let found = types.find(|ty| short(&api.type_name(*ty)) == name);
    found.unwrap_or_else(|| panic!("no type {name}"))
}

fn makers(api: &Api, name: &str) -> Vec<String> {
    api.makers(type_named(api, name)).iter().map(|op| shown(api, *op)).collect()
}

#[test]
fn a_list_of_texts_is_made_and_filled_with_texts() {
    let api = api_of(using("(La/List;)V", "(La/List<Ljava/lang/String;>;)V"));
    assert_eq!(all(&api, "use"), ["use(List<String>)"]);
    assert_eq!(makers(&api, "List<String>"), ["<init>() -> ArrayList<String>"]);
    assert_eq!(all(&api, "add"), ["add(ArrayList<String>, String)"]);
}

#[test]
fn a_map_of_lists_is_filled_with_lists_of_the_right_thing() {
    let map = "(La/Map<Ljava/lang/String;La/List<Ljava/lang/Integer;>;>;)V";
    let api = api_of(using("(La/Map;)V", map));
    assert_eq!(all(&api, "use"), ["use(Map<String, List<Integer>>)"]);
    assert_eq!(all(&api, "put"), ["put(HashMap<String, List<Integer>>, String, List<Integer>)"]);
    assert_eq!(makers(&api, "List<Integer>"), ["<init>() -> ArrayList<Integer>"]);
}

#[test]
fn a_bound_that_mentions_itself_is_kept_by_usual_types() {
    let greatest = "<T::Ljava/lang/Comparable<-TT;>;>(La/List<+TT;>;)TT;";
    let api = api_of(using("(La/List;)Ljava/lang/Comparable;", greatest));
    assert_eq!(all(&api, "use"), ["use(List<String>) -> String", "use(List<Integer>) -> Integer"]);
    assert_eq!(api.subjects().iter().filter(|op| api.variants(**op).len() == 2).count(), 1);
}

#[test]
fn a_wildcard_is_its_bound_and_one_without_takes_anything() {
    let api = api_of(using("(La/List;)V", "(La/List<+Ljava/lang/Integer;>;)V"));
    assert_eq!(all(&api, "use"), ["use(List<Integer>)"]);
    let api = api_of(using("(La/List;)V", "(La/List<-Ljava/lang/Integer;>;)V"));
    assert_eq!(all(&api, "use"), ["use(List<Integer>)"]);
    let api = api_of(using("(La/List;)V", "(La/List<*>;)V"));
    assert_eq!(all(&api, "use"), ["use(List)"]);
    assert_eq!(makers(&api, "List"), ["<init>() -> ArrayList<String>"]);
}

#[test]
fn a_list_of_unknown_things_is_no_list_of_texts() {
    let raw = using("(La/List;)V", "(La/List<Ljava/lang/String;>;)V").member(
        PUBLIC | STATIC,
        "make()La/List;",
        |_, _| Ok(Value::Null),
    );
    let api = api_of(raw);
    assert_eq!(all(&api, "make"), ["make() -> List"]);
    assert_eq!(makers(&api, "List<String>"), ["<init>() -> ArrayList<String>"]);
    assert!(makers(&api, "List").contains(&"make() -> List".to_owned()));
}

#[test]
fn a_list_of_unknown_things_is_taken_where_there_is_no_other() {
    let list = bare_class("b/List").interface().signature(OF_ONE);
    let user = class("b/Use")
        .member(PUBLIC | STATIC, "use(Lb/List;)V", |_, _| Ok(Value::Null))
        .typed("(Lb/List<Ljava/lang/String;>;)V")
        .member(PUBLIC | STATIC, "make()Lb/List;", |_, _| Ok(Value::Null));
    let api = api(&World::of([list, user]), "b/Use");
    let wanted = type_named(&api, "b.List<String>");
    let made: Vec<String> = api.makers(wanted).iter().map(|op| shown(&api, *op)).collect();
    assert_eq!(made, ["make() -> b.List"]);
}

/// `class Stack<E>` with `push(E)`, `E pop()` and `List<E> all()`.
fn stack() -> Declaration {
    class("a/Stack")
        .signature(OF_ONE)
        .method("push(Ljava/lang/Object;)V", |_, _| Ok(Value::Null))
        .typed("(TE;)V")
        .method("pop()Ljava/lang/Object;", |_, _| Ok(Value::Null))
        .typed("()TE;")
        .method("all()La/List;", |_, _| Ok(Value::Null))
        .typed("()La/List<TE;>;")
}

#[test]
fn a_generic_class_is_tested_with_one_thing_and_with_another() {
    let api = api_of(stack());
    assert_eq!(all(&api, "push"), ["push(Stack<String>, String)", "push(Stack<Integer>, Integer)"]);
    assert_eq!(
        all(&api, "pop"),
        ["pop(Stack<String>) -> String", "pop(Stack<Integer>) -> Integer"]
    );
    assert_eq!(
        all(&api, "all"),
        ["all(Stack<String>) -> List<String>", "all(Stack<Integer>) -> List<Integer>"]
    );
    assert_eq!(api.subjects().len(), 4);
    let texts = type_named(&api, "Stack<String>");
    assert!(!api.fits(texts).contains(&type_named(&api, "Stack<Integer>")));
    assert!(api.fits(texts).contains(&type_named(&api, "Stack")));
}

#[test]
fn a_result_goes_into_a_slot_of_its_own_type_where_it_is_used() {
    let api = api_of(stack());
    let find = |name: &str| {
        let mut all = api.operations();
        all.find(|op| shown(&api, *op) == name).unwrap_or_else(|| panic!("no {name}"))
    };
    let mut case = TestCase::default();
    let stack = api.call(&mut case, find("<init>() -> Stack<String>"), &[]).expect("a stack");
    let popped = api.call(&mut case, find("pop(Stack<String>) -> String"), &[stack]);
    let popped = popped.expect("a text");
    assert_eq!(*case.ty(popped), Type::string());
    assert_eq!(api.type_of(&case, stack), Some(type_named(&api, "Stack<String>")));
    assert_eq!(api.type_of(&case, popped), api.type_id(&Type::string()));
    // What another process sent has lost its types: it counts as the first.
    let sent = api.operation(find("pop(Stack<Integer>) -> Integer")).as_ref().clone();
    assert_eq!(api.id_of(&sent), Some(find("pop(Stack<String>) -> String")));
}

#[test]
fn an_object_that_an_operation_returned_has_the_arguments_that_it_promised() {
    let taking = stack()
        .method("addAll(La/List;)V", |_, _| Ok(Value::Null))
        .typed("(La/List<+TE;>;)V")
        .method("any()Ljava/lang/Object;", |_, _| Ok(Value::Null));
    let api = api_of(taking);
    let array_list = Type::class("a/ArrayList");
    let numbers = type_named(&api, "ArrayList<Integer>");
    assert_eq!(api.narrowed(type_named(&api, "List<Integer>"), &array_list), Some(numbers));
    // Of a list that comes as an object nothing is known.
    assert_eq!(api.narrowed(type_named(&api, "Object"), &array_list), None);
    let own = type_named(&api, "Stack");
    assert_eq!(api.narrowed(type_named(&api, "Object"), &Type::class("a/Stack")), Some(own));
}

#[test]
fn every_input_of_a_search_is_of_the_wanted_type() {
    let taking = stack()
        .method("addAll(La/List;)V", |heap, _| {
            heap.hit(1);
            Ok(Value::Null)
        })
        .typed("(La/List<+TE;>;)V");
    let mut classes = collections();
    classes.push(taking);
    let world = World::of(classes);
    let api = api(&world, "a/Stack");
    let mut machine = Machine::new(&world);
    let mut driver = Driver::new(&mut machine, &api, &world, settings(5_000));
    let mut strategy = Watching { inner: FeedbackDirected::new(&api, &[]), api: &api, seen: 0 };
    driver.run(&mut strategy, &mut |_| {});
    assert!(strategy.seen > 1_000, "{}", strategy.seen);
}

/// Checks the types of every test that a strategy proposes.
struct Watching<'a> {
    inner: FeedbackDirected<'a>,
    api: &'a Api,
    seen: u32,
}

impl Strategy for Watching<'_> {
    fn propose(&mut self, rng: &mut Rng) -> Option<Move> {
        let proposed = self.inner.propose(rng)?;
        let Move::Run(case) = &proposed else { panic!("a whole test") };
        for call in &case.calls {
            let op = self.api.id_of(&call.op).expect("an operation of the search");
            for (arg, param) in call.args.iter().zip(self.api.params(op)) {
                if case.slots[arg.index()].init == Some(Literal::Null) {
                    continue;
                }
                let given = self.api.type_of(case, *arg).expect("a known type");
                assert!(
                    self.api.fits(given).contains(param),
                    "{} is given {}",
                    shown(self.api, op),
                    self.api.type_name(given)
                );
                self.seen += 1;
            }
        }
        Some(proposed)
    }

    fn observe(&mut self, case: &TestCase, report: &Report, values: &dyn Values, rng: &mut Rng) {
        self.inner.observe(case, report, values, rng);
    }
}

#[test]
fn types_that_grow_without_end_are_cut_off() {
    let nasty = class("a/Nasty")
        .signature("<T:La/Nasty<TT;>;>Ljava/lang/Object;")
        .method("wrap(La/Nasty;)La/Nasty;", |_, _| Ok(Value::Null))
        .typed("(La/Nasty<La/Nasty<La/List<TT;>;>;>;)La/Nasty<La/Nasty<TT;>;>;")
        .method("twist(La/Map;)La/Map;", |_, _| Ok(Value::Null))
        .typed(
            "<U:La/Map<TU;-TT;>;V::La/List<+TV;>;>\
             (La/Map<La/Map<TU;TV;>;La/List<La/Map<TT;TU;>;>;>;)\
             La/Map<La/Map<La/Map<TU;TV;>;TT;>;La/Nasty<TT;>;>;",
        );
    let api = api_of(nasty);
    assert_eq!(api.subjects().len(), 3);
    assert!(api.type_count() < 120, "{}", api.type_count());
    assert!(api.operations().count() < 400, "{}", api.operations().count());
}

#[test]
fn classes_without_signatures_are_used_as_they_are() {
    let plain =
        class("a/Use")
            .member(PUBLIC | STATIC, "use(La/List;Ljava/lang/Object;)V", |_, _| Ok(Value::Null));
    let api = api_of(plain);
    assert_eq!(all(&api, "use"), ["use(List, Object)"]);
}

#[test]
fn a_constructor_is_public_if_it_is_so_itself_whatever_its_superclass_has() {
    let check = |flags: u16, expect: bool| {
        let mut derived =
            bare_class("a/Derived").member(flags, "<init>()V", |_, _| Ok(Value::Null));
        derived.class.superclass = Some(model::ClassName::internal("a/Base"));
        let api = api(&World::of([class("a/Base"), derived]), "a/Derived");
        assert_eq!(api.is_public(api.subjects()[0]), expect, "{flags}");
    };
    check(PUBLIC, true);
    check(PROTECTED, false);
}
