//! Members that are not in the source: what coverage agents add to every class with code as it loads.
//!
//! A test that counts the fields or methods of a class holds until somebody measures coverage.
//! The changed environment therefore has such members: what depends on there being none is
//! dropped. What holds nothing but constants has no code to be covered, and agents leave it alone;
//! so does this, for there is code that goes over all of its fields and knows each of them.
//!
//! Invariant: only what is private, static and synthetic is added to classes, which leaves their
//! computed serial version as it was.

use classfile::{Attribute, ClassFile, ClassFileError, Code, Member, flags};

/// A body that returns `null`: stack 1, no locals, `aconst_null`, `areturn`, no handlers, no
/// attributes.
const RETURN_NULL: [u8; 14] = [0, 1, 0, 0, 0, 0, 0, 2, 0x01, 0xb0, 0, 0, 0, 0];

/// The class with a field and a method more, if it has code.
pub(crate) fn with_foreign_members(bytes: &[u8]) -> Result<Vec<u8>, ClassFileError> {
    let mut class = ClassFile::parse(bytes)?;
    let mut has_code = false;
    for method in &class.methods {
        has_code |= Code::decode(&class, method)?.is_some();
    }
    if !has_code {
        return Ok(bytes.to_vec());
    }
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

    fn class(name: &str) -> ClassFile {
        let all = [runtime::service_classes(), runtime::standin_classes()].concat();
        let found = all.iter().find(|(of, _)| *of == name);
        let (_, bytes) = found.unwrap_or_else(|| panic!("{name} is not there"));
        ClassFile::parse(bytes).expect("a class")
    }

    #[track_caller]
    fn check(before: &ClassFile, fields: usize, methods: usize) {
        let rewritten = with_foreign_members(&before.to_bytes()).expect("rewritten");
        let after = ClassFile::parse(&rewritten).expect("still a class");
        assert_eq!(after.fields.len() - before.fields.len(), fields);
        assert_eq!(after.methods.len() - before.methods.len(), methods);
    }

    #[test]
    fn what_has_code_gets_a_field_and_a_class_a_method_too() {
        check(&class("testhound/runtime/Settings"), 1, 1);
        let mut interface = class("org/junit/jupiter/api/function/Executable");
        check(&interface, 0, 0);
        let bytes = RETURN_NULL.to_vec().into();
        let code = Attribute { name: interface.pool.add_utf8("Code").expect("room"), bytes };
        let mut method = Member {
            access: flags::PUBLIC | flags::STATIC,
            name: interface.pool.add_utf8("nothing").expect("room"),
            descriptor: interface.pool.add_utf8("()[Z").expect("room"),
            attributes: Default::default(),
        };
        method.attributes.push(code);
        interface.methods.push(method);
        check(&interface, 1, 0);
    }
}
