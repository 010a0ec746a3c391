//! The lists of classes, as they are promised.

use crate::machine::{Jvm, folders, jdks};

#[test]
fn classes_can_be_defined_in_the_order_given() {
    let folders = folders();
    for home in jdks() {
        for (folder, classes) in [
            (folders.service(), runtime::service_classes()),
            (folders.standin(), runtime::standin_classes()),
        ] {
            let folder = folder.to_str().expect("UTF-8");
            let printed = Jvm::new(&home).run("DefineInOrder", &[folder]);
            assert_eq!(printed, format!("defined {}\n", classes.len()));
        }
    }
}

#[test]
fn boot_classes_use_no_invokedynamic() {
    for (name, bytes) in runtime::boot_classes() {
        let text = String::from_utf8_lossy(bytes);
        assert!(!text.contains("BootstrapMethods"), "{name}");
        assert!(name.starts_with("java/lang/Testhound"), "{name}");
    }
}

#[test]
fn class_files_are_of_java_17() {
    let lists = [
        runtime::boot_classes(),
        runtime::service_classes(),
        runtime::standin_classes(),
        runtime::contract_classes(),
    ];
    for (name, bytes) in lists.into_iter().flatten() {
        // Magic, minor and major version (JVMS 4.1); 61 is Java 17.
        assert_eq!(bytes[..8], [0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 61], "{name}");
    }
}
