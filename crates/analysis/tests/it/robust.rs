//! Every class of every JDK at hand is analysed; damaged ones end in an error.

use std::sync::Arc;

use analysis::Constants;
use classfile::ClassFile;
use classpath::{JdkImage, World};
use model::ClassName;

use crate::fixture::{jdk, jdks};

fn class_names(jdk: &JdkImage) -> Vec<ClassName> {
    let mut packages: Vec<&str> =
        jdk.packages().filter(|package| jdk.module_of_package(package).is_some()).collect();
    packages.sort_unstable();
    packages.iter().flat_map(|package| jdk.package_classes(package).unwrap()).collect()
}

#[test]
fn constants_of_every_class_of_the_jdk_are_found() {
    for jdk in jdks() {
        let world = World::new(&[], &[], Arc::clone(&jdk));
        let (mut classes, mut constants) = (0, 0);
        for name in class_names(&jdk) {
            let file = ClassFile::parse(&world.class_bytes(&name).unwrap()).unwrap();
            let found = Constants::of_class(&file).unwrap_or_else(|e| panic!("{name}: {e:?}"));
            classes += 1;
            constants += found.total().len();
        }
        assert!(classes > 20_000 && constants > 100_000, "{classes} classes, {constants}");
    }
}

#[test]
fn damaged_code_is_an_error_or_analysed_all_the_same() {
    let jdk = jdk();
    let mut bad = 0;
    // Numbers of a linear congruential generator: the same damage each time.
    let mut number = 0x2545_F491_u32;
    let mut below = |limit: usize| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (number >> 8) as usize % limit
    };
    for name in ["java/lang/String", "java/util/HashMap", "java/util/Formatter"] {
        let bytes = jdk.read(name).unwrap().unwrap();
        for _ in 0..300 {
            let mut damaged = bytes.clone();
            for _ in 0..4 {
                let at = 1000 + below(damaged.len() - 1000);
                damaged[at] = below(256) as u8;
            }
            if let Ok(file) = ClassFile::parse(&damaged) {
                bad += usize::from(Constants::of_class(&file).is_err());
            }
        }
    }
    assert!(bad > 50, "only {bad} damaged classes were refused");
}
