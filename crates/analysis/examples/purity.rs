//! Times the purity analysis, and prints the effects of chosen methods.
//!
//! `purity JDK_HOME CACHE_FILE [--modules] [JAR...] [-- CLASS...]`: computes or loads the JDK's
//! summaries, analyses the jars (with `--modules` every class of the JDK besides), and lists all
//! methods of the classes named.

#![expect(clippy::print_stdout, reason = "an example prints what it found")]

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use analysis::{Constants, Purity, Summaries};
use classfile::ClassFile;
use classpath::{JdkImage, World};
use model::{ClassName, ClassSource};

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [home, cache, rest @ ..] = &args[..] else { return Err("JDK_HOME CACHE_FILE".into()) };
    let end = rest.iter().position(|arg| arg == "--").unwrap_or(rest.len());
    let (options, jars): (Vec<&String>, Vec<&String>) =
        rest[..end].iter().partition(|arg| *arg == "--modules");
    let jars: Vec<PathBuf> = jars.into_iter().map(PathBuf::from).collect();
    let jdk = Arc::new(JdkImage::open(home.as_ref())?);
    let start = Instant::now();
    let summaries = Summaries::for_jdk(&jdk, cache.as_ref())?;
    println!(
        "JDK {}: {} methods, {:?}, {:.1} ms",
        jdk.feature(),
        summaries.methods(),
        summaries.origin(),
        start.elapsed().as_secs_f64() * 1e3
    );
    let world = World::new(&jars, &[], jdk);
    let mut names: Vec<ClassName> = world.class_path().names().cloned().collect();
    if !options.is_empty() {
        for package in world.jdk().packages() {
            names.extend(world.package_classes(package));
        }
    }
    names.sort_unstable();
    let start = Instant::now();
    let mut constants = 0;
    for name in &names {
        let bytes = world.class_bytes(name).ok_or("a class without bytes")?;
        let found = Constants::of_class(&ClassFile::parse(&bytes)?)?;
        constants += found.total().len();
    }
    println!("{constants} constants, {:.1} ms", start.elapsed().as_secs_f64() * 1e3);
    let start = Instant::now();
    let purity = Purity::of(&world, &summaries, &names);
    println!(
        "{} classes, {} damaged, {:.1} ms",
        names.len(),
        purity.damaged().len(),
        start.elapsed().as_secs_f64() * 1e3
    );
    for name in rest.iter().skip(end + 1) {
        let class = world.class(&ClassName::binary(name)).ok_or("no such class")?;
        for method in &class.methods {
            let descriptor = model::Operation::of_method(&class, method).descriptor();
            let effects = purity.effects(&class.name, &method.name, &descriptor);
            println!("{name} {} {descriptor} {effects:?}", method.name);
        }
    }
    Ok(())
}
