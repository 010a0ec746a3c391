//! Every class of whole libraries, and of the JDK, is as Java's own reflection has it.

use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use classpath::{JdkImage, World};
use model::{Class, ClassName, ClassSource, Nesting};

use crate::fixture::{compile, guava, jdk, jdks, library, run};

const DUMP: &str = include_str!("../fixtures/Dump.java");

/// Java's account of the classes, one fact a line.
fn reflected(jdk: &JdkImage, path: &[PathBuf], names: &[ClassName]) -> Vec<String> {
    let classes = compile(jdk, &[], "Dump.java", DUMP);
    let list = classes.path().join("names");
    let facts = classes.path().join("facts");
    fs::write(&list, names.iter().map(|name| format!("{name}\n")).collect::<String>()).unwrap();
    let path = std::env::join_paths(path.iter().chain([&classes.path().to_owned()])).unwrap();
    let arguments: [OsString; 6] = [
        "-XX:TieredStopAtLevel=1".into(),
        "-cp".into(),
        path,
        "Dump".into(),
        list.into_os_string(),
        facts.clone().into_os_string(),
    ];
    run(jdk, "java", arguments);
    fs::read_to_string(facts).unwrap().lines().map(str::to_owned).collect()
}

/// Our account of a class, in the same words.
fn facts(class: &Class, out: &mut Vec<String>) {
    let name = &class.name;
    let join =
        |names: &[ClassName]| names.iter().map(ClassName::to_binary).collect::<Vec<_>>().join(",");
    let nesting = match &class.nesting {
        Nesting::Top => "top".to_owned(),
        Nesting::Local => "local".to_owned(),
        Nesting::Member { outer, simple, .. } => format!("{outer}/{simple}"),
    };
    let superclass = class.superclass.as_ref().filter(|_| !class.is_interface());
    let variables = class.signature.iter().flat_map(|s| &s.params).map(|p| &*p.name);
    out.push(format!(
        "class {name} {:?} {} extends {} implements {} nesting {nesting} exported {} variables {}",
        class.kind,
        class.access.0,
        superclass.map_or_else(|| "-".to_owned(), ClassName::to_binary),
        join(&class.interfaces),
        class.exported,
        variables.collect::<Vec<_>>().join(","),
    ));
    out.extend(class.permitted.iter().map(|permitted| format!("permits {name} {permitted}")));
    out.extend(class.members.iter().map(|member| format!("member {name} {member}")));
    out.extend(class.record.iter().map(|component| {
        format!("component {name} {} {}", component.name, component.ty.descriptor())
    }));
    out.extend(class.fields.iter().map(|field| {
        format!("field {name} {} {} {}", field.name, field.ty.descriptor(), field.access.0)
    }));
    out.extend(class.methods.iter().map(|method| {
        let deprecated = "java/lang/Deprecated";
        format!(
            "method {name} {} {} {} throws {} variables {} deprecated {}",
            method.name,
            method.descriptor(),
            method.access.0,
            join(&method.exceptions),
            method.signature.as_ref().map_or(0, |signature| signature.type_params.len()),
            method.annotations.iter().any(|a| a.ty.as_internal() == deprecated),
        )
    }));
}

/// Compares the facts that `compared` lets through; returns how many classes were compared.
fn check(
    world: &World,
    path: &[PathBuf],
    names: &[ClassName],
    compared: impl Fn(&str) -> bool,
) -> usize {
    let mut expected = reflected(world.jdk(), path, names);
    let skipped: Vec<String> = expected.extract_if(.., |fact| fact.starts_with("skip ")).collect();
    assert!(skipped.len() * 50 <= names.len(), "too many classes do not link: {skipped:?}");
    let is_skipped = |name: &ClassName| {
        let start = format!("skip {name} ");
        skipped.iter().any(|fact| fact.starts_with(&start))
    };
    let mut found = Vec::new();
    let mut count = 0;
    for name in names.iter().filter(|name| !is_skipped(name)) {
        facts(&world.class(name).unwrap_or_else(|| panic!("no {name}")), &mut found);
        count += 1;
    }
    for facts in [&mut expected, &mut found] {
        facts.retain(|fact| compared(fact));
        facts.sort_unstable();
    }
    let wrong: Vec<&String> = found.iter().filter(|f| expected.binary_search(f).is_err()).collect();
    let missing: Vec<&String> =
        expected.iter().filter(|f| found.binary_search(f).is_err()).collect();
    let shown =
        |facts: &[&String]| facts.iter().take(20).map(|f| format!("\n  {f}")).collect::<String>();
    assert!(
        wrong.is_empty() && missing.is_empty(),
        "{} facts are wrong:{}\n{} are missing:{}",
        wrong.len(),
        shown(&wrong),
        missing.len(),
        shown(&missing),
    );
    assert_eq!(found.len(), expected.len());
    assert!(world.diagnostics().is_empty(), "{:?}", world.diagnostics());
    count
}

fn check_library(jar: PathBuf, dependencies: &[PathBuf], at_least: usize) {
    let world = World::new(std::slice::from_ref(&jar), dependencies, jdk());
    let path = [std::slice::from_ref(&jar), dependencies].concat();
    let mut names = world.project_classes().to_vec();
    // Its generic signature names interfaces it does not implement, so we pass over that.
    names.retain(|name| name.as_internal() != "scala/Array");
    let count = check(&world, &path, &names, |_| true);
    assert!(count >= at_least, "only {count} classes were compared");
}

#[test]
fn all_of_guava_is_as_reflection_has_it() {
    let (guava, failureaccess) = guava();
    check_library(guava, &[failureaccess], 1900);
}

#[test]
fn all_of_commons_lang_is_as_reflection_has_it() {
    check_library(library("org.apache.commons:commons-lang3:3.17.0"), &[], 350);
}

#[test]
fn all_of_kotlins_library_is_as_reflection_has_it() {
    check_library(library("org.jetbrains.kotlin:kotlin-stdlib:2.1.20"), &[], 900);
}

#[test]
fn all_of_scalas_library_is_as_reflection_has_it() {
    check_library(library("org.scala-lang:scala-library:2.13.16"), &[], 2500);
}

#[test]
fn all_of_java_base_is_as_reflection_has_it() {
    for jdk in jdks() {
        let world = World::new(&[], &[], Arc::clone(&jdk));
        let mut names: Vec<ClassName> = jdk
            .packages()
            .filter(|package| jdk.module_of_package(package) == Some("java.base"))
            .flat_map(|package| world.package_classes(package))
            .collect();
        names.sort_unstable();
        // Reflection hides fields of some classes of its own, and the JVM adds methods to events
        // as it loads them.
        let is_altered = |fact: &str| {
            fact.starts_with("field ") || fact.starts_with("method jdk.internal.event.")
        };
        let count = check(&world, &[], &names, |fact| !is_altered(fact));
        assert!(count > 6000, "only {count} classes were compared");
    }
}
