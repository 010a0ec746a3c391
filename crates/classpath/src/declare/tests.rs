//! Class files no compiler writes: attributes that are damaged, stale or contradict each other.

use classfile::{Attribute, ClassFile, Member};
use model::{Class, Nesting, Origin};

use super::declare;

/// `class p/A`, an interface named `p/I` its only one, with a field `f` and a method `m(int)`.
fn plain() -> ClassFile {
    let utf8 = |text: &str| [&[1, 0, text.len() as u8], text.as_bytes()].concat();
    let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, 0, 0, 52, 0, 5];
    bytes.extend([utf8("p/A"), vec![7, 0, 1], utf8("java/lang/Object"), vec![7, 0, 3]].concat());
    bytes.extend([0, 0x21, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0]);
    let mut file = ClassFile::parse(&bytes).unwrap();
    file.interfaces.push(file.pool.add_class("p/I").unwrap());
    let mut member = |name, descriptor| Member {
        access: 0x0401,
        name: file.pool.add_utf8(name).unwrap(),
        descriptor: file.pool.add_utf8(descriptor).unwrap(),
        attributes: Default::default(),
    };
    let (field, method) = (member("f", "I"), member("m", "(I)I"));
    file.fields.push(field);
    file.methods.push(method);
    file
}

fn attribute(file: &mut ClassFile, name: &str, words: &[u16]) -> Attribute {
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
    Attribute { name: file.pool.add_utf8(name).unwrap(), bytes: bytes.into() }
}

fn text_attribute(file: &mut ClassFile, name: &str, text: &str) -> Attribute {
    let text = file.pool.add_utf8(text).unwrap();
    attribute(file, name, &[text])
}

/// The class, and what was told of it.
fn declared(file: &ClassFile) -> (Class, Vec<String>) {
    let (class, told) = declare(file, Origin::Project, true, &|| "A.class".to_owned()).unwrap();
    (class, told.iter().map(ToString::to_string).collect())
}

fn check_signature(place: fn(&mut ClassFile, Attribute), text: &str, expected: Option<&str>) {
    let mut file = plain();
    let signature = text_attribute(&mut file, "Signature", text);
    place(&mut file, signature);
    let (class, told) = declared(&file);
    let read = class.signature.is_some()
        || class.fields[0].signature.is_some()
        || class.methods[0].signature.is_some();
    assert_eq!(read, expected.is_none(), "{text}");
    let expected: Vec<String> =
        expected.iter().map(|reason| format!("A.class: {reason}")).collect();
    assert_eq!(told, expected, "{text}");
}

#[test]
fn signatures_that_cannot_be_read_or_do_not_fit_are_passed_over() {
    let class: fn(&mut ClassFile, Attribute) = |file, signature| file.attributes.push(signature);
    check_signature(class, "<T:LX;>Ljava/lang/Object;Lp/I<TT;>;", None);
    check_signature(
        class,
        "Ljava/lang/Object;Lp/I<;",
        Some("class: bad signature `Ljava/lang/Object;Lp/I<;` at character 23"),
    );
    let stale = "class: its generic signature does not fit its erased types";
    check_signature(class, "Ljava/lang/Object;", Some(stale));
    let field: fn(&mut ClassFile, Attribute) = |file, s| file.fields[0].attributes.push(s);
    check_signature(field, "TT;", None);
    check_signature(field, "T", Some("field f: bad signature `T` at character 1"));
    let method: fn(&mut ClassFile, Attribute) = |file, s| file.methods[0].attributes.push(s);
    check_signature(method, "(TT;)I", None);
    check_signature(method, "()I", None);
    let stale = "method m(I)I: its generic signature does not fit its erased types";
    check_signature(method, "(II)I", Some(stale));
    check_signature(method, "(I)V", Some(stale));
}

/// The nesting of `p/A`, whose `InnerClasses` name it with this outer class and simple name.
fn nesting(outer: Option<&str>, simple: Option<&str>, enclosed: bool) -> (Nesting, usize) {
    let mut file = plain();
    let outer = outer.map_or(0, |outer| file.pool.add_class(outer).unwrap());
    let simple = simple.map_or(0, |simple| file.pool.add_utf8(simple).unwrap());
    let this = file.this_class;
    let inner = attribute(&mut file, "InnerClasses", &[1, this, outer, simple, 0x000a]);
    file.attributes.push(inner);
    if enclosed {
        let enclosing = attribute(&mut file, "EnclosingMethod", &[this, 0]);
        file.attributes.push(enclosing);
    }
    let (class, told) = declared(&file);
    assert!(class.access.is_private() && class.access.is_static());
    assert!(class.members.is_empty());
    (class.nesting, told.len())
}

#[test]
fn a_member_lies_within_its_outer_class_by_name_too() {
    let member = Nesting::Member { outer: "p/".into(), simple: "A".into(), is_static: true };
    assert_eq!(nesting(Some("p/"), Some("A"), false), (member, 0));
    assert_eq!(nesting(Some("p/A"), Some("A"), false), (Nesting::Local, 1));
    assert_eq!(nesting(Some("q/B"), Some("A"), false), (Nesting::Local, 1));
}

#[test]
fn without_outer_class_or_name_a_nested_class_is_local() {
    assert_eq!(nesting(None, Some("A"), false), (Nesting::Local, 0));
    assert_eq!(nesting(None, None, false), (Nesting::Local, 0));
    assert_eq!(nesting(Some("p/"), None, false), (Nesting::Local, 0));
    assert_eq!(nesting(Some("p/"), Some("A"), true), (Nesting::Local, 0));
}

#[test]
fn an_annotation_without_a_class_is_told() {
    let mut file = plain();
    let descriptor = file.pool.add_utf8("no descriptor").unwrap();
    let bad = attribute(&mut file, "RuntimeVisibleAnnotations", &[1, descriptor, 0]);
    file.methods[0].attributes.push(bad);
    let (class, told) = declared(&file);
    assert!(class.methods[0].annotations.is_empty());
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("A.class: method m(I)I: bad annotation"), "{told:?}");
}

#[test]
fn parameter_names_that_cannot_be_assigned_are_left_out() {
    let name = |entries: &[(&str, u16)]| {
        let mut file = plain();
        let mut bytes = vec![entries.len() as u8];
        for (name, access) in entries {
            bytes.extend(file.pool.add_utf8(name).unwrap().to_be_bytes());
            bytes.extend(access.to_be_bytes());
        }
        let name = file.pool.add_utf8("MethodParameters").unwrap();
        file.methods[0].attributes.push(Attribute { name, bytes: bytes.into() });
        let (class, told) = declared(&file);
        assert!(told.is_empty(), "{told:?}");
        class.methods[0].params[0].name.as_deref().map(str::to_owned)
    };
    assert_eq!(name(&[("size", 0)]).as_deref(), Some("size"));
    assert_eq!(name(&[("size", 0x1000)]), None);
    assert_eq!(name(&[("this$0", 0x8010)]), None);
    assert_eq!(name(&[("size", 0), ("more", 0)]), None);
    assert_eq!(name(&[]), None);
}

#[test]
fn the_synthetic_attribute_counts_as_the_flag() {
    let mut file = plain();
    let synthetic = attribute(&mut file, "Synthetic", &[]);
    file.fields[0].attributes.push(synthetic.clone());
    file.attributes.push(synthetic);
    let (class, _) = declared(&file);
    assert!(class.fields[0].access.is_synthetic());
    assert!(class.access.is_synthetic());
    assert!(!class.methods[0].access.is_synthetic());
}
