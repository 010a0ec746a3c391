//! How long opening and reading take, on guava and on the JDK.
//!
//! Plain figures, the best of several runs: the work is far longer than a clock tick, and a
//! sampling framework would only slow the bench down.

#![expect(clippy::print_stdout, reason = "a bench prints its figures")]

#[path = "../tests/it/fixture.rs"]
#[expect(dead_code, reason = "the tests use all of it")]
mod fixture;

use std::sync::Arc;
use std::time::{Duration, Instant};

use classpath::{JdkImage, World};
use model::{ClassName, ClassSource};

const RUNS: usize = 7;

fn best<T>(what: &str, mut run: impl FnMut() -> T, count: impl Fn(&T) -> usize) {
    let mut best = Duration::MAX;
    let mut counted = 0;
    for _ in 0..RUNS {
        let start = Instant::now();
        let made = run();
        best = best.min(start.elapsed());
        counted = count(&made);
    }
    println!("{what:<55} {counted:>6} classes {:>9.2} ms", best.as_secs_f64() * 1e3);
}

fn main() {
    let (guava, failureaccess) = fixture::guava();
    let (project, dependencies) = ([guava], [failureaccess]);
    for home in fixture::jdk_homes() {
        let jdk = Arc::new(JdkImage::open(&home).expect("a JDK that was found"));
        println!("JDK {}", jdk.feature());
        let open = || World::new(&project, &dependencies, Arc::clone(&jdk));
        best("opening the JDK", || JdkImage::open(&home).expect("it was opened before"), |_| 0);
        best("opening guava", open, |world| world.project_classes().len());
        best("opening guava, model of each of its classes", || read_all(open()), Vec::len);
        best("opening guava, subtypes of Object", || open().subtypes(&object()), Vec::len);
        best("model of each class of java.base", || java_base(&open()), Vec::len);
        best(
            "subtypes of Object in java.util and java.util.function",
            || open().jdk_subtypes(&object(), &["java/util", "java/util/function"]),
            Vec::len,
        );
    }
}

fn object() -> ClassName {
    ClassName::internal("java/lang/Object")
}

fn read_all(world: World) -> Vec<Arc<model::Class>> {
    world.project_classes().iter().filter_map(|name| world.class(name)).collect()
}

fn java_base(world: &World) -> Vec<Arc<model::Class>> {
    let jdk = world.jdk();
    jdk.packages()
        .filter(|package| jdk.module_of_package(package) == Some("java.base"))
        .flat_map(|package| world.package_classes(package))
        .filter_map(|name| world.class(&name))
        .collect()
}
