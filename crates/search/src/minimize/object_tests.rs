//! Minimizing what objects are made of, and what is put into them.

use std::sync::Arc;

use model::{
    ClassName, ClassSource, End, Literal, Observation, Operation, Outcome, Primitive, Slot,
    TestCase, Type,
};

use super::minimize;
use super::tests::unseen;
use crate::api::Api;
use crate::testing::machine::{Halt, Heap, Value};
use crate::testing::world::{Declaration, PUBLIC, STATIC, World, bare_class, class, jdk_class};
use crate::testing::{api, op};

const USER: &str = "a/User";

fn nothing(_: &mut Heap, _: &[Value]) -> Result<Value, Halt> {
    Ok(Value::Null)
}

/// `class ArrayList<E> implements List<E>` with `add(E)`, and a copy constructor.
fn lists() -> [Declaration; 2] {
    let list = bare_class("java/util/List")
        .interface()
        .signature("<E:Ljava/lang/Object;>Ljava/lang/Object;");
    let array_list = class("java/util/ArrayList")
        .implements("java/util/List")
        .signature("<E:Ljava/lang/Object;>Ljava/lang/Object;Ljava/util/List<TE;>;")
        .constructor("(Ljava/util/List;)V", nothing)
        .typed("(Ljava/util/List<+TE;>;)V")
        .method("add(Ljava/lang/Object;)V", nothing)
        .typed("(TE;)V");
    [list, array_list]
}

/// The class under test: a static method that takes these.
fn user(descriptor: &str, signature: &str) -> Declaration {
    let declared = class(USER).member(PUBLIC | STATIC, &format!("use{descriptor}"), nothing);
    declared.typed(signature)
}

/// The operation by its name and the types that it takes, without packages.
fn typed(api: &Api, wanted: &str) -> Arc<Operation> {
    let short = |name: &str| name.rsplit('.').next().unwrap_or(name).to_owned();
    let shown = |op| {
        let params: Vec<String> = api.params(op).iter().map(|ty| api.type_name(*ty)).collect();
        let owner = short(&api.operation(op).owner.to_string());
        let text = format!("{owner} {}({})", api.operation(op).name, params.join(", "));
        text.replace("java.lang.", "").replace("java.util.", "").replace("a.", "")
    };
    let found = api.operations().find(|op| shown(*op) == wanted);
    let known: Vec<String> = api.operations().map(shown).collect();
    api.operation(found.unwrap_or_else(|| panic!("{wanted} in {known:#?}"))).clone()
}

/// The calls of the shortest test in which the list that is used holds something, by class and name.
fn shortest_use_of_a_list(signature: &str, add: &str) -> Vec<String> {
    let mut classes = Vec::from(lists());
    classes.push(class("a/Task"));
    classes.push(user("(Ljava/util/List;)V", signature));
    let world = World::of(classes);
    let api = api(&world, USER);
    let mut case = TestCase::default();
    let add = typed(&api, add);
    let element = case.call(&op(&world, "a/Task", "<init>"), &[]).expect("an object");
    let made = op(&world, "java/util/ArrayList", "<init>");
    let list = case.call(&made, &[]).expect("a list");
    case.call(&add, &[list, element]);
    case.call(&op(&world, USER, "use"), &[list]);
    let adds = |case: &TestCase| case.calls.iter().any(|call| &*call.op.name == "add");
    calls(&minimize(&case, &unseen(&case), &api, &world, adds))
}

fn calls(case: &TestCase) -> Vec<String> {
    let of = |call: &model::Call| {
        let short = call.op.owner.to_string();
        format!("{}.{}", short.rsplit('.').next().unwrap_or(&short), call.op.name)
    };
    case.calls.iter().map(of).collect()
}

#[test]
fn only_what_takes_texts_by_its_type_arguments_is_given_one() {
    let of_tasks = shortest_use_of_a_list(
        "(Ljava/util/List<La/Task;>;)V",
        "ArrayList add(ArrayList<Task>, Task)",
    );
    assert_eq!(of_tasks, ["Task.<init>", "ArrayList.<init>", "ArrayList.add", "User.use"]);
    let of_objects = shortest_use_of_a_list(
        "(Ljava/util/List<Ljava/lang/Object;>;)V",
        "ArrayList add(ArrayList<Object>, Object)",
    );
    assert_eq!(of_objects, ["ArrayList.<init>", "ArrayList.add", "User.use"]);
}

#[test]
fn what_an_object_is_made_of_stands_for_it_where_it_is_of_its_kind() {
    let source = bare_class("a/Source").interface();
    let plain = class("a/Plain").implements("a/Source");
    let wrapping = bare_class("a/Wrapping")
        .implements("a/Source")
        .constructor("(La/Source;)V", nothing)
        .method("close()V", nothing);
    let user = class(USER).member(PUBLIC | STATIC, "use(La/Source;)V", nothing);
    let world = World::of([source, plain, wrapping, user]);
    let api = api(&world, USER);
    let check = |is_closed: bool, expected: &[&str]| {
        let mut case = TestCase::default();
        let plain = case.call(&op(&world, "a/Plain", "<init>"), &[]).expect("an object");
        let outer = case.call(&op(&world, "a/Wrapping", "<init>"), &[plain]).expect("an object");
        if is_closed {
            case.call(&op(&world, "a/Wrapping", "close"), &[outer]);
        }
        case.call(&op(&world, USER, "use"), &[outer]);
        let closes =
            |case: &TestCase| case.calls.iter().any(|call| &*call.op.name == "close") == is_closed;
        assert_eq!(calls(&minimize(&case, &unseen(&case), &api, &world, closes)), expected);
    };
    check(false, &["Plain.<init>", "User.use"]);
    // What only the wrapping object can do, it must be there for.
    check(true, &["Plain.<init>", "Wrapping.<init>", "Wrapping.close", "User.use"]);
}

#[test]
fn objects_of_the_jdk_are_made_without_numbers_that_make_no_difference() {
    let stream =
        jdk_class("java/io/Bytes").constructor("([BII)V", nothing).constructor("([B)V", nothing);
    let user = class(USER).member(PUBLIC | STATIC, "use(Ljava/io/Bytes;)V", nothing);
    let world = World::of([stream, user]);
    let api = api(&world, USER);
    let mut case = TestCase::default();
    let bytes = case
        .call(&Arc::new(Operation::array(&Type::Primitive(Primitive::Byte))), &[])
        .expect("an array");
    let numbers = [3, 5].map(|number| case.literal(Type::INT, Literal::Int(number)));
    let made = op(&world, "java/io/Bytes", "<init>");
    let stream = case.call(&made, &[bytes, numbers[0], numbers[1]]).expect("a stream");
    case.call(&op(&world, USER, "use"), &[stream]);
    let given = |case: &TestCase| case.calls[1].args.len();
    assert_eq!(given(&minimize(&case, &unseen(&case), &api, &world, |_| true)), 1);
    let needs_all = |case: &TestCase| given(case) == 3;
    assert_eq!(given(&minimize(&case, &unseen(&case), &api, &world, needs_all)), 3);
}

#[test]
fn a_result_that_was_null_is_passed_by_no_name() {
    let long = Type::class("java/lang/Long");
    let table = class("a/Table").method("put(Ljava/lang/Long;)Ljava/lang/Long;", nothing);
    let world = World::of([jdk_class("java/lang/Long"), table]);
    let api = api(&world, "a/Table");
    let mut case = TestCase::default();
    let table = case.call(&op(&world, "a/Table", "<init>"), &[]).expect("an object");
    let key = case.literal(long, Literal::Long(7));
    let put = op(&world, "a/Table", "put");
    let null = case.call(&put, &[table, key]).expect("a result");
    case.call(&put, &[table, null]);
    let mut outcome: Outcome = unseen(&case);
    outcome.calls[1].end = End::Returned(Observation::Null);
    let shortest = |still_good: &dyn Fn(&[Option<Literal>]) -> bool| {
        let given = |case: &TestCase| -> Vec<Option<Literal>> {
            let init = |slot: Slot| case.slots[slot.index()].init.clone();
            case.calls[1..].iter().map(|call| init(call.args[1])).collect()
        };
        let is_good = |case: &TestCase| still_good(&given(case));
        given(&minimize(&case, &outcome, &api, &world, is_good))
    };
    let [two, three] = [2, 3].map(|number| Some(Literal::Long(number)));
    // Two keys that differ are what it takes.
    let differ = |keys: &[Option<Literal>]| keys.len() == 2 && keys[0] != keys[1];
    assert_eq!(shortest(&differ), [three.clone(), two]);
    let null = |keys: &[Option<Literal>]| {
        keys.len() == 2 && keys[1].as_ref().is_none_or(|key| *key == Literal::Null)
    };
    assert_eq!(shortest(&null), [three.clone(), Some(Literal::Null)]);
    assert_eq!(shortest(&|_| true), [three]);
}

#[test]
fn empty_containers_are_made_of_nothing() {
    let map = bare_class("java/util/Map")
        .interface()
        .member(PUBLIC | STATIC, "of()Ljava/util/Map;", nothing)
        .member(PUBLIC | STATIC, "ofEntries([Ljava/lang/Object;)Ljava/util/Map;", nothing)
        .member(PUBLIC | STATIC, "of(Ljava/lang/Object;)Ljava/util/Map;", nothing);
    let tree = class("java/util/TreeMap")
        .implements("java/util/Map")
        .constructor("(Ljava/util/Comparator;)V", nothing)
        .constructor("(Ljava/util/Map;)V", nothing)
        .method("clear()V", nothing);
    let user = class("a/User").member(PUBLIC | STATIC, "use(Ljava/util/Map;)V", nothing);
    let world = World::of([map, tree, user]);
    let api = api(&world, USER);
    let nth = |class: &str, at: usize| {
        let class = world.class(&ClassName::internal(class)).expect("the class");
        Arc::new(Operation::of_method(&class, &class.methods[at]))
    };
    let tree_map = |at: usize| nth("java/util/TreeMap", at);
    // How many arguments each call has, if all calls are needed.
    let given = |mut case: TestCase, copied: Slot, is_touched: bool| -> Vec<usize> {
        if is_touched {
            case.call(&tree_map(3), &[copied]);
        }
        let copy = case.call(&tree_map(2), &[copied]).expect("a map");
        case.call(&op(&world, USER, "use"), &[copy]);
        let length = case.calls.len();
        let is_good = |candidate: &TestCase| candidate.calls.len() == length;
        let plain = minimize(&case, &unseen(&case), &api, &world, is_good);
        plain.calls.iter().map(|call| call.args.len()).collect()
    };
    let sorted = || {
        let mut case = TestCase::default();
        let order = case.literal(Type::class("java/util/Comparator"), Literal::Null);
        let sorted = case.call(&tree_map(1), &[order]).expect("a map");
        (case, sorted)
    };
    let (case, map) = sorted();
    assert_eq!(given(case, map, false), [0, 0, 1]);
    // What is in this one is not known.
    let (case, map) = sorted();
    assert_eq!(given(case, map, true), [0, 1, 1, 1]);

    let map = |at: usize| nth("java/util/Map", at);
    let mut case = TestCase::default();
    let empty = case.call(&map(0), &[]).expect("a map");
    assert_eq!(given(case, empty, false), [0, 0, 1]);
    let mut case = TestCase::default();
    let array = case.call(&Arc::new(Operation::array(&Type::object())), &[]).expect("an array");
    let empty = case.call(&map(1), &[array]).expect("a map");
    assert_eq!(given(case, empty, false), [0, 1, 0, 1]);
    let mut case = TestCase::default();
    let array = case.call(&Arc::new(Operation::array(&Type::object())), &[]).expect("an array");
    let full = case.call(&map(2), &[array]).expect("a map");
    assert_eq!(given(case, full, false), [0, 1, 1, 1]);
}
