//! Everything a class can declare, compiled by every JDK at hand.

use std::fs;
use std::sync::Arc;

use classpath::{JdkImage, World};
use model::{
    ClassKind, ClassName, ClassSource, GenericType, Method, Nesting, Origin, Primitive, Type,
    TypeArgument,
};

use crate::fixture::{class, jdk, jdks, shapes, small_class, world};

/// As Maven and Gradle compile.
const DEBUG: &[&str] = &["-g"];

/// Runs a check on the fixture, compiled with the given options by every JDK.
fn check(options: &[&str], assert: impl Fn(&World)) {
    for jdk in jdks() {
        let world = world(&shapes(&jdk, options), &jdk);
        assert(&world);
        assert!(world.diagnostics().is_empty(), "{:?}", world.diagnostics());
    }
}

fn method<'c>(class: &'c model::Class, name: &str) -> &'c Method {
    let mut found = class.methods.iter().filter(|m| &*m.name == name && !m.access.is_synthetic());
    let method = found.next().unwrap_or_else(|| panic!("no {name} in {}", class.name));
    assert!(found.next().is_none(), "{name} is overloaded");
    method
}

/// Parameter names, `-` where there is none.
fn names(method: &Method) -> Vec<&str> {
    method.params.iter().map(|param| param.name.as_deref().unwrap_or("-")).collect()
}

/// The parameter names of the constructor with that descriptor.
fn constructor(world: &World, class_name: &str, descriptor: &str) -> Vec<String> {
    let class = class(world, class_name);
    let method = class.method("<init>", descriptor);
    let method = method.unwrap_or_else(|| panic!("no constructor {descriptor} in {class_name}"));
    names(method).into_iter().map(str::to_owned).collect()
}

#[test]
fn project_classes_are_listed_sorted_without_reading_them() {
    check(DEBUG, |world| {
        let listed: Vec<&str> =
            world.project_classes().iter().map(ClassName::as_internal).collect();
        assert_eq!(
            listed,
            [
                "shapes/Shapes",
                "shapes/Shapes$1",
                "shapes/Shapes$1Local",
                "shapes/Shapes$Circle",
                "shapes/Shapes$Color",
                "shapes/Shapes$Color$1",
                "shapes/Shapes$Inner",
                "shapes/Shapes$Inner$Deep",
                "shapes/Shapes$Items",
                "shapes/Shapes$Leaf",
                "shapes/Shapes$Marked",
                "shapes/Shapes$Point",
                "shapes/Shapes$Shape",
                "shapes/Shapes$Square",
            ]
        );
        assert_eq!(world.package_classes("shapes"), world.project_classes());
        assert!(world.contains(&"shapes/Shapes$Color".into()));
        assert!(!world.contains(&"shapes/Shape".into()));
    });
}

#[test]
fn kinds_and_flags_are_those_of_the_source() {
    check(DEBUG, |world| {
        for (name, kind) in [
            ("shapes/Shapes", ClassKind::Class),
            ("shapes/Shapes$Color", ClassKind::Enum),
            ("shapes/Shapes$Color$1", ClassKind::Class),
            ("shapes/Shapes$Point", ClassKind::Record),
            ("shapes/Shapes$Shape", ClassKind::Interface),
            ("shapes/Shapes$Marked", ClassKind::Annotation),
        ] {
            assert_eq!(class(world, name).kind, kind, "{name}");
        }
        let shapes = class(world, "shapes/Shapes");
        assert!(shapes.access.is_public() && shapes.access.is_abstract());
        assert_eq!(shapes.access.0 & 0x20, 0);
        assert!(shapes.has_initializer && shapes.deprecated && shapes.exported);
        assert_eq!(shapes.source.as_deref(), Some("Shapes.java"));
        assert_eq!(shapes.origin, Origin::Project);
        assert_eq!(shapes.version, world.jdk().feature() + 44);
        assert!(class(world, "shapes/Shapes$Square").access.is_private());
        assert!(class(world, "shapes/Shapes$Items").access.is_protected());
        assert!(!class(world, "shapes/Shapes$Point").has_initializer);
    });
}

#[test]
fn nesting_is_told_by_the_class_file() {
    check(DEBUG, |world| {
        let nesting = |name: &str| class(world, name).nesting.clone();
        let member = |outer: &str, simple: &str, is_static| Nesting::Member {
            outer: outer.into(),
            simple: simple.into(),
            is_static,
        };
        assert_eq!(nesting("shapes/Shapes"), Nesting::Top);
        assert_eq!(nesting("shapes/Shapes$1"), Nesting::Local);
        assert_eq!(nesting("shapes/Shapes$1Local"), Nesting::Local);
        assert_eq!(nesting("shapes/Shapes$Color$1"), Nesting::Local);
        assert_eq!(nesting("shapes/Shapes$Inner"), member("shapes/Shapes", "Inner", false));
        assert_eq!(
            nesting("shapes/Shapes$Inner$Deep"),
            member("shapes/Shapes$Inner", "Deep", false)
        );
        assert_eq!(nesting("shapes/Shapes$Color"), member("shapes/Shapes", "Color", true));
        assert_eq!(nesting("shapes/Shapes$Shape"), member("shapes/Shapes", "Shape", true));
        let inner = class(world, "shapes/Shapes$Inner");
        assert_eq!(inner.outer_instance().unwrap().as_internal(), "shapes/Shapes");
        assert_eq!(inner.members, [ClassName::internal("shapes/Shapes$Inner$Deep")]);
        assert_eq!(class(world, "shapes/Shapes").members.len(), 9);
    });
}

#[test]
fn a_dollar_in_a_name_makes_no_member() {
    let tree = tempfile::tempdir().unwrap();
    for name in ["A", "A$B"] {
        fs::write(tree.path().join(format!("{name}.class")), small_class(name, &[])).unwrap();
    }
    let world = world(tree.path(), &jdk());
    assert_eq!(class(&world, "A$B").nesting, Nesting::Top);
    assert!(class(&world, "A").members.is_empty());
}

#[test]
fn generic_signatures_are_read() {
    check(DEBUG, |world| {
        let shapes = class(world, "shapes/Shapes");
        let signature = shapes.signature.as_ref().unwrap();
        assert_eq!(&*signature.params[0].name, "T");
        assert_eq!(signature.params[0].bounds.len(), 2);
        let GenericType::Class { name, args } = &signature.interfaces[0] else { panic!() };
        assert_eq!(name.as_internal(), "java/util/function/Supplier");
        assert!(matches!(&args[..], [TypeArgument::Exact(GenericType::Class { .. })]));
        let map = shapes.field("map").unwrap();
        assert_eq!(map.signature.as_deref(), Some("Ljava/util/Map<Ljava/lang/String;+TT;>;"));
        let plain = shapes.field("plain").unwrap();
        assert_eq!((plain.ty.descriptor().as_str(), &plain.signature), ("[[I", &None));
        let pick = method(&shapes, "pick");
        let signature = pick.signature.as_ref().unwrap();
        assert_eq!(signature.type_params.len(), 1);
        assert_eq!(signature.params[0], GenericType::Primitive(Primitive::Long));
        assert_eq!(signature.exceptions.len(), 2);
        let thrown: Vec<&str> = pick.exceptions.iter().map(ClassName::as_internal).collect();
        assert_eq!(thrown, ["java/lang/Exception", "java/io/IOException"]);
    });
}

#[test]
fn methods_have_their_flags_and_sizes() {
    check(DEBUG, |world| {
        let shapes = class(world, "shapes/Shapes");
        let sum = method(&shapes, "sum");
        assert!(sum.access.is_varargs() && sum.access.is_static());
        assert_eq!(sum.result, Some(Type::INT));
        assert_eq!(sum.code_size, 3);
        let open = method(&shapes, "open");
        assert!(open.access.is_abstract() && open.deprecated && open.code_size == 0);
        let raw = method(&shapes, "raw");
        assert!(raw.access.is_native() && raw.code_size == 0 && !raw.deprecated);
        assert!(shapes.methods.iter().all(|method| &*method.name != "<clinit>"));
        let shape = class(world, "shapes/Shapes$Shape");
        assert!(method(&shape, "area").access.is_abstract());
        assert!(method(&shape, "twice").code_size > 0);
        assert!(method(&shape, "unit").access.is_static());
        assert!(method(&shape, "helper").access.is_private());
    });
}

#[test]
fn records_enums_and_sealed_types_are_told() {
    check(DEBUG, |world| {
        let point = class(world, "shapes/Shapes$Point");
        let components: Vec<(&str, String)> =
            point.record.iter().map(|c| (&*c.name, c.ty.descriptor())).collect();
        assert_eq!(
            components,
            [
                ("x", "Ljava/lang/Number;".to_owned()),
                ("y", "J".to_owned()),
                ("labels", "[Ljava/lang/String;".to_owned())
            ]
        );
        let color = class(world, "shapes/Shapes$Color");
        let constants: Vec<&str> = color.enum_constants().map(|field| &*field.name).collect();
        assert_eq!(constants, ["RED", "GREEN"]);
        let shape = class(world, "shapes/Shapes$Shape");
        let permitted: Vec<&str> = shape.permitted.iter().map(ClassName::local).collect();
        assert_eq!(permitted, ["Shapes$Circle", "Shapes$Square"]);
        assert!(class(world, "shapes/Shapes$Circle").permitted.is_empty());
    });
}

#[test]
fn annotations_are_readable() {
    check(DEBUG, |world| {
        let shapes = class(world, "shapes/Shapes");
        let marked = &shapes.annotations[1];
        assert_eq!(marked.ty.as_internal(), "shapes/Shapes$Marked");
        let elements: Vec<(&str, &str)> =
            marked.elements.iter().map(|(name, value)| (&**name, value.as_str())).collect();
        assert_eq!(
            elements,
            [
                ("value", r#""a \"b\"""#),
                ("numbers", "{1, 2}"),
                ("type", "java.lang.String[].class"),
                ("letter", "'x'"),
                ("nested", "@shapes.Shapes$Leaf(value = 3L)"),
            ]
        );
    });
}

#[test]
fn without_debug_information_only_records_name_their_parameters() {
    check(&["-g:none"], |world| {
        let shapes = class(world, "shapes/Shapes");
        assert_eq!(names(method(&shapes, "pick")), ["-", "-", "-", "-"]);
        assert_eq!(shapes.source, None);
        let canonical = "(Ljava/lang/Number;J[Ljava/lang/String;)V";
        assert_eq!(constructor(world, "shapes/Shapes$Point", canonical), ["x", "y", "labels"]);
        assert_eq!(constructor(world, "shapes/Shapes$Point", "(Ljava/lang/Number;)V"), ["-"]);
    });
}

#[test]
fn debug_information_names_the_parameters_of_methods_with_code() {
    check(DEBUG, |world| {
        let shapes = class(world, "shapes/Shapes");
        assert_eq!(names(method(&shapes, "pick")), ["first", "second", "third", "fourth"]);
        assert_eq!(names(method(&shapes, "sum")), ["label", "numbers"]);
        assert_eq!(names(method(&shapes, "open")), ["-", "-"]);
        assert_eq!(names(method(&shapes, "raw")), ["-"]);
        check_constructors(world);
    });
}

#[test]
fn declared_names_are_taken_also_where_there_is_no_code() {
    check(&["-parameters", "-g:none"], |world| {
        let shapes = class(world, "shapes/Shapes");
        assert_eq!(names(method(&shapes, "pick")), ["first", "second", "third", "fourth"]);
        assert_eq!(names(method(&shapes, "open")), ["name", "size"]);
        assert_eq!(names(method(&shapes, "raw")), ["code"]);
        check_constructors(world);
    });
}

/// Parameters the compiler adds have no name, those behind them keep theirs.
fn check_constructors(world: &World) {
    assert_eq!(
        constructor(world, "shapes/Shapes$Inner", "(Lshapes/Shapes;JLjava/lang/Comparable;DB)V"),
        ["-", "big", "small", "wide", "last"]
    );
    assert_eq!(
        constructor(
            world,
            "shapes/Shapes$Inner$Deep",
            "(Lshapes/Shapes$Inner;Ljava/lang/String;I)V"
        ),
        ["-", "name", "size"]
    );
    assert_eq!(
        constructor(world, "shapes/Shapes$Color", "(Ljava/lang/String;II)V"),
        ["-", "-", "number"]
    );
    assert_eq!(constructor(world, "shapes/Shapes$Color", "(Ljava/lang/String;I)V"), ["-", "-"]);
    let canonical = "(Ljava/lang/Number;J[Ljava/lang/String;)V";
    assert_eq!(constructor(world, "shapes/Shapes$Point", canonical), ["x", "y", "labels"]);
    assert_eq!(constructor(world, "shapes/Shapes$Point", "(Ljava/lang/Number;)V"), ["only"]);
    let local = class(world, "shapes/Shapes$1Local");
    assert_eq!(names(method(&local, "get")), ["more"]);
    for name in ["shapes/Shapes$1Local", "shapes/Shapes$1"] {
        for method in class(world, name).constructors() {
            assert!(names(method).iter().all(|name| *name == "-"), "{method:?}");
        }
    }
}

#[test]
fn subtypes_are_found_through_the_jdks_own_types() {
    check(DEBUG, |world| {
        let subtypes = |name: &str| -> Vec<String> {
            world.subtypes(&name.into()).iter().map(|name| name.local().to_owned()).collect()
        };
        assert_eq!(subtypes("shapes/Shapes$Shape"), ["Shapes$Circle", "Shapes$Square"]);
        assert_eq!(subtypes("java/util/Collection"), ["Shapes$Items"]);
        assert_eq!(subtypes("java/lang/Iterable"), ["Shapes$Items"]);
        assert_eq!(subtypes("java/util/function/Supplier"), ["Shapes"]);
        assert_eq!(subtypes("java/lang/Comparable"), ["Shapes$Color", "Shapes$Color$1"]);
        assert_eq!(subtypes("java/lang/Record"), ["Shapes$Point"]);
        assert_eq!(subtypes("java/lang/Object").len(), world.project_classes().len());
        assert!(subtypes("shapes/Shapes$Circle").is_empty());
        assert!(subtypes("no/such/Type").is_empty());
    });
}

#[test]
fn classes_are_found_by_what_their_methods_result_in() {
    check(DEBUG, |world| {
        let returning = |name: &str| -> Vec<String> {
            world.returning(&name.into()).iter().map(|name| name.local().to_owned()).collect()
        };
        assert_eq!(returning("shapes/Shapes$Shape"), ["Shapes$Shape"]);
        assert!(returning("shapes/Shapes$Circle").is_empty());
        assert!(returning("no/such/Type").is_empty());
    });
}

#[test]
fn many_threads_may_ask_at_once() {
    let jdk = jdk();
    let world = world(&shapes(&jdk, DEBUG), &jdk);
    let ask = || -> Vec<Arc<model::Class>> {
        world.project_classes().iter().map(|name| class(&world, name.as_internal())).collect()
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    for answer in &answers {
        assert!(answer.iter().zip(&answers[0]).all(|(a, b)| Arc::ptr_eq(a, b)));
    }
}

#[test]
fn classes_the_jdk_cannot_run_are_told() {
    let jdks = jdks();
    let newest = jdks.iter().max_by_key(|jdk| jdk.feature()).unwrap();
    let oldest = jdks.iter().min_by_key(|jdk| jdk.feature()).unwrap();
    let release = newest.feature();
    let preview = |bytes: &mut Vec<u8>| bytes[4..6].copy_from_slice(&[0xff, 0xff]);
    refused(newest, preview, &format!("uses preview features of Java {release}"));
    let newer = |bytes: &mut Vec<u8>| bytes[7] += 1;
    refused(
        oldest,
        newer,
        &match oldest.feature() {
            25 => "class file version 70.0 (Java 26) is newer than 69 (Java 25): \
                   take a newer Testhound, or compile the class for an earlier release"
                .to_owned(),
            feature => format!(
                "needs Java {}; the JDK at hand is {feature}: name a newer one with --jdk",
                feature + 1
            ),
        },
    );
}

/// A class with its version changed is not there, and its file is told of once.
fn refused(jdk: &Arc<JdkImage>, change: impl Fn(&mut Vec<u8>), told: &str) {
    let tree = tempfile::tempdir().unwrap();
    let file = tree.path().join("Plain.class");
    let mut bytes = small_class("Plain", &[]);
    bytes[7] = jdk.feature() as u8 + 44;
    change(&mut bytes);
    fs::write(&file, bytes).unwrap();
    let world = world(tree.path(), jdk);
    let name = ClassName::internal("Plain");
    assert!(world.class(&name).is_none());
    assert!(world.class(&name).is_none());
    assert!(world.subtypes(&"java/lang/Object".into()).is_empty());
    let diagnostics: Vec<String> = world.diagnostics().iter().map(ToString::to_string).collect();
    assert_eq!(diagnostics, [format!("{}: {told}", file.display())]);
}
