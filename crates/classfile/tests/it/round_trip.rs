//! Reading and writing the classes of real JDKs, whole and damaged.

use classfile::{ClassFile, ClassFileError, Code};

use crate::damage::damage;
use crate::numbers::Numbers;
use crate::{jdk, sources, unchanged};

/// Calls `visit` with every class of `java.base` of every JDK of the machine.
fn for_each_jdk_class(mut visit: impl FnMut(&str, &[u8])) {
    let homes = jdk::jdk_homes();
    assert!(!homes.is_empty(), "these tests need a JDK: set JAVA_HOME");
    for home in homes {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let base = jdk::java_base(&home, scratch.path());
        let mut count = 0;
        sources::for_each_class(&base, &mut |name, bytes| {
            count += 1;
            visit(name, bytes);
        })
        .expect("java.base can be read");
        assert!(count > 5000, "only {count} classes in {}", base.display());
    }
}

#[test]
fn every_class_of_java_base_is_written_back_byte_for_byte() {
    for_each_jdk_class(|name, bytes| {
        if let Err(reason) = unchanged::round_trip(bytes) {
            panic!("{name}: {reason}");
        }
    });
}

/// Reads all there is to read; errors are fine, panics are not.
fn read_everything(bytes: &[u8]) -> Result<(), ClassFileError> {
    let class = ClassFile::parse(bytes)?;
    assert_eq!(class.to_bytes(), bytes, "what parses is written back");
    let pool = &class.pool;
    let mut outcomes = vec![class.name().map(drop), class.super_name().map(drop)];
    outcomes.push(class.interface_names().map(drop));
    for index in 0..=u16::try_from(pool.slots()).expect("slots have 16 bits") {
        outcomes.push(pool.utf8(index).map(drop));
        outcomes.push(pool.utf16(index).map(drop));
        outcomes.push(pool.member_ref(index).map(drop));
        outcomes.push(pool.dynamic(index).map(drop));
    }
    let members = class.fields.iter().chain(&class.methods).map(|member| &member.attributes);
    for attributes in members.chain([&class.attributes]) {
        outcomes.push(attributes.signature(pool).map(drop));
        outcomes.push(attributes.exceptions(pool).map(drop));
        outcomes.push(attributes.method_parameters(pool).map(drop));
        outcomes.push(attributes.constant_value(pool).map(drop));
        outcomes.push(attributes.annotations(pool).map(drop));
        outcomes.push(attributes.parameter_annotations(pool).map(drop));
        outcomes.push(attributes.inner_classes(pool).map(drop));
        outcomes.push(attributes.enclosing_method(pool).map(drop));
        outcomes.push(attributes.nest_members(pool).map(drop));
        outcomes.push(attributes.record_components(pool).map(drop));
        outcomes.push(attributes.permitted_subclasses(pool).map(drop));
        outcomes.push(attributes.bootstrap_methods(pool).map(drop));
    }
    for method in &class.methods {
        let code = Code::decode(&class, method);
        if let Ok(Some(code)) = &code {
            outcomes.push(code.encode().map(drop));
        }
        outcomes.push(code.map(drop));
        if let Some(view) = classfile::CodeView::read(&class, method)? {
            outcomes.push(view.line_numbers(pool).map(drop));
            outcomes.push(view.local_variables(pool).map(drop));
        }
    }
    outcomes.into_iter().collect()
}

#[test]
fn damaged_classes_are_errors_never_panics() {
    let mut numbers = Numbers(0x9E37_79B9_7F4A_7C15);
    let (mut read, mut refused) = (0_u32, 0_u32);
    let mut seen = 0_u32;
    for_each_jdk_class(|name, bytes| {
        seen += 1;
        if !seen.is_multiple_of(16) || bytes.len() > 40_000 {
            return;
        }
        for round in 0..20 {
            let mut damaged = bytes.to_vec();
            damage(&mut damaged, &mut numbers);
            let outcome = std::panic::catch_unwind(|| read_everything(&damaged));
            match outcome {
                Ok(Ok(())) => read += 1,
                Ok(Err(_)) => refused += 1,
                Err(_) => panic!("round {round} of {name} panicked"),
            }
        }
    });
    assert!(refused > 1000, "damage is noticed: {read} read, {refused} refused");
}

#[test]
fn every_prefix_of_a_class_is_refused() {
    let mut class = None;
    for_each_jdk_class(|name, bytes| {
        if name.ends_with("java/lang/Boolean.class") {
            class = Some(bytes.to_vec());
        }
    });
    let class = class.expect("java.base has Boolean");
    assert!(ClassFile::parse(&class).is_ok());
    for length in 0..class.len() {
        assert!(ClassFile::parse(&class[..length]).is_err(), "the first {length} bytes");
    }
}

#[test]
fn versions_outside_the_known_range_are_told_apart() {
    let class = |major: u16| {
        let mut bytes = vec![0xCA, 0xFE, 0xBA, 0xBE, 0, 0];
        bytes.extend(major.to_be_bytes());
        ClassFile::parse(&bytes).map(drop)
    };
    assert_eq!(class(70), Err(ClassFileError::TooNew { major: 70, minor: 0 }));
    assert_eq!(class(44), Err(ClassFileError::TooOld { major: 44, minor: 0 }));
    assert!(matches!(class(69), Err(ClassFileError::Truncated { offset: 8, .. })));
    assert_eq!(
        ClassFile::parse(b"PK\x03\x04").map(drop),
        Err(ClassFileError::NotAClass { magic: 0x504B_0304 })
    );
}
