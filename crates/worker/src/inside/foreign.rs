//! Members that are not in the source: what coverage agents add to every class as it loads.
//!
//! A test that counts the fields or methods of a class holds until somebody measures coverage.
//! The changed environment therefore has such members: what depends on there being none is
//! dropped.
//!
//! Invariant: only what is private, static and synthetic is added to classes, which leaves their
//! computed serial version as it was.

use classfile::{Attribute, ClassFile, ClassFileError, Member, flags};

/// A body that returns `null`: stack 1, no locals, `aconst_null`, `areturn`, no handlers, no
/// attributes.
const RETURN_NULL: [u8; 14] = [0, 1, 0, 0, 0, 0, 0, 2, 0x01, 0xb0, 0, 0, 0, 0];

/// The class with a field and a method more.
pub(crate) fn with_foreign_members(bytes: &[u8]) -> Result<Vec<u8>, ClassFileError> {
    let mut class = ClassFile::parse(bytes)?;
    let field_type = class.pool.add_utf8("[Z")?;
    let field_name = class.pool.add_utf8("$foreignData")?;
    let common = flags::STATIC | flags::SYNTHETIC;
    // Fields of interfaces are public and final (JVMS 4.5).
    let access = if class.is_interface() {
        common | flags::PUBLIC | flags::FINAL
    } else {
        common | flags::PRIVATE | flags::TRANSIENT
    };
    class.fields.push(Member {
        access,
        name: field_name,
        descriptor: field_type,
        attributes: Default::default(),
    });
    // Interfaces of old versions have no static methods.
    if !class.is_interface() {
        let code =
            Attribute { name: class.pool.add_utf8("Code")?, bytes: RETURN_NULL.to_vec().into() };
        let mut method = Member {
            access: common | flags::PRIVATE,
            name: class.pool.add_utf8("$foreignInit")?,
            descriptor: class.pool.add_utf8("()[Z")?,
            attributes: Default::default(),
        };
        method.attributes.push(code);
        class.methods.push(method);
    }
    Ok(class.to_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(class: &str, fields: usize, methods: usize) {
        let all = [runtime::service_classes(), runtime::standin_classes()].concat();
        let found = all.iter().find(|(name, _)| *name == class);
        let (_, bytes) = found.unwrap_or_else(|| panic!("{class} is not there"));
        let before = ClassFile::parse(bytes).expect("a class");
        let rewritten = with_foreign_members(bytes).expect("rewritten");
        let after = ClassFile::parse(&rewritten).expect("still a class");
        assert_eq!(after.fields.len() - before.fields.len(), fields);
        assert_eq!(after.methods.len() - before.methods.len(), methods);
    }

    #[test]
    fn classes_get_a_field_and_a_method_and_interfaces_a_field() {
        check("testhound/runtime/Settings", 1, 1);
        check("org/junit/jupiter/api/function/Executable", 1, 0);
    }
}
