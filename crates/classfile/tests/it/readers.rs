//! The readers of attributes, on classes that `javac` writes.

use std::fs;
use std::process::Command;

use classfile::{
    Annotation, Attributes, ClassFile, CodeView, ConstantPool, ConstantValue, ElementValue, Member,
    flags,
};

use crate::jdk;

const SOURCE: &str = r#"
import java.io.IOException;
import java.util.List;
import java.util.Map;

@Deprecated
@Subject.Marked(name = "näme", numbers = {1, 2}, kind = Thread.State.NEW, type = String[].class,
        nested = @Subject.Inner(3L), flag = true, letter = 'x', ratio = 0.5)
public sealed class Subject<T extends Comparable<T>> implements Runnable permits Subject.Sub {
    @interface Inner { long value(); }
    @interface Marked {
        String name(); int[] numbers(); Thread.State kind(); Class<?> type(); Inner nested();
        boolean flag(); char letter(); double ratio() default 1.0;
    }
    static final class Sub extends Subject<String> {}
    record Point(int x, List<String> names) {}
    public static final long BIG = 1L << 40;
    public static final String TEXT = "a\0b😀";
    protected Map<String, T> map;

    public <X extends Exception> int method(final int count, @Deprecated List<? super T> list)
            throws X, IOException {
        String local = "local";
        Object anonymous = new Object() {};
        return count + local.length() + list.size();
    }

    public void run() {
        Runnable task = () -> System.out.println(BIG);
    }
}
"#;

/// Compiles the source once and gives its classes by name.
fn classes() -> impl Fn(&str) -> ClassFile {
    let home = jdk::jdk_homes().pop().expect("these tests need a JDK: set JAVA_HOME");
    let scratch = tempfile::tempdir().expect("a scratch directory");
    let source = scratch.path().join("Subject.java");
    fs::write(&source, SOURCE).expect("scratch is writable");
    let output = Command::new(home.join("bin/javac"))
        .args(["-encoding", "UTF-8", "-g", "-parameters", "-nowarn", "-d"])
        .args([scratch.path(), &source])
        .output()
        .expect("a JDK has javac");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    move |name| {
        let bytes = fs::read(scratch.path().join(format!("{name}.class"))).expect("it is there");
        ClassFile::parse(&bytes).expect("javac writes good classes")
    }
}

fn member<'c>(members: &'c [Member], pool: &ConstantPool, name: &str) -> &'c Member {
    let found = members.iter().find(|member| member.name(pool).is_ok_and(|found| found == name));
    found.unwrap_or_else(|| panic!("no member {name}"))
}

fn element<'a, 'p>(annotation: &'a Annotation<'p>, name: &str) -> &'a ElementValue<'p> {
    let found = annotation.elements.iter().find(|(element, _)| element == name);
    &found.unwrap_or_else(|| panic!("no element {name}")).1
}

#[test]
fn declarations_are_read_as_they_were_written() {
    let classes = classes();
    let class = classes("Subject");
    let pool = &class.pool;
    assert_eq!(class.name().unwrap(), "Subject");
    assert_eq!(class.super_name().unwrap().as_deref(), Some("java/lang/Object"));
    assert_eq!(class.interface_names().unwrap(), ["java/lang/Runnable"]);
    let attributes: &Attributes = &class.attributes;
    assert_eq!(attributes.source_file(pool).unwrap().as_deref(), Some("Subject.java"));
    assert!(attributes.is_deprecated(pool) && !attributes.is_synthetic(pool));
    assert_eq!(
        attributes.signature(pool).unwrap().as_deref(),
        Some("<T::Ljava/lang/Comparable<TT;>;>Ljava/lang/Object;Ljava/lang/Runnable;")
    );
    let value = |name| member(&class.fields, pool, name).attributes.constant_value(pool).unwrap();
    assert_eq!(value("BIG"), Some(ConstantValue::Long(1 << 40)));
    assert_eq!(value("TEXT"), Some(ConstantValue::String("a\0b😀".into())));
    assert_eq!(value("map"), None);
}

#[test]
fn methods_have_parameters_exceptions_lines_and_variables() {
    let classes = classes();
    let class = classes("Subject");
    let pool = &class.pool;
    let method = member(&class.methods, pool, "method");
    assert_eq!(method.descriptor(pool).unwrap(), "(ILjava/util/List;)I");
    let exceptions = method.attributes.exceptions(pool).unwrap();
    assert_eq!(exceptions, ["java/lang/Exception", "java/io/IOException"]);
    let parameters = method.attributes.method_parameters(pool).unwrap().expect("-parameters");
    let names: Vec<_> = parameters.iter().map(|p| p.name.as_deref()).collect();
    assert_eq!(names, [Some("count"), Some("list")]);
    assert_eq!(parameters[0].access, flags::FINAL);
    let of_parameters = method.attributes.parameter_annotations(pool).unwrap();
    let types: Vec<Vec<_>> = of_parameters
        .iter()
        .map(|list| list.iter().map(|one| one.type_descriptor.as_ref()).collect())
        .collect();
    assert_eq!(types, [vec![], vec!["Ljava/lang/Deprecated;"]]);
    let view = CodeView::read(&class, method).unwrap().expect("it has code");
    let first_line = 1 + SOURCE[..SOURCE.find("String local").unwrap()].matches('\n').count();
    let lines: Vec<usize> =
        view.line_numbers(pool).unwrap().iter().map(|entry| entry.line.into()).collect();
    assert_eq!(lines, [first_line, first_line + 1, first_line + 2]);
    let variables = view.local_variables(pool).unwrap();
    let mut names: Vec<_> = variables.iter().map(|v| (v.index, v.name.as_ref())).collect();
    names.sort_unstable();
    assert_eq!(names, [(0, "this"), (1, "count"), (2, "list"), (3, "local"), (4, "anonymous")]);
}

#[test]
fn annotations_have_all_kinds_of_values() {
    let classes = classes();
    let class = classes("Subject");
    let annotations = class.attributes.annotations(&class.pool).unwrap();
    let types: Vec<_> = annotations.iter().map(|a| a.type_descriptor.as_ref()).collect();
    assert_eq!(types, ["Ljava/lang/Deprecated;", "LSubject$Marked;"]);
    assert_eq!(class.attributes.visible_annotations(&class.pool).unwrap().len(), 1);
    let marked = &annotations[1];
    assert_eq!(element(marked, "name"), &ElementValue::String("näme".into()));
    let numbers = ElementValue::Array(vec![ElementValue::Int(1), ElementValue::Int(2)]);
    assert_eq!(element(marked, "numbers"), &numbers);
    let kind = ElementValue::Enum {
        type_descriptor: "Ljava/lang/Thread$State;".into(),
        constant: "NEW".into(),
    };
    assert_eq!(element(marked, "kind"), &kind);
    assert_eq!(element(marked, "type"), &ElementValue::Class("[Ljava/lang/String;".into()));
    assert_eq!(element(marked, "flag"), &ElementValue::Boolean(true));
    assert_eq!(element(marked, "letter"), &ElementValue::Char(u16::from(b'x')));
    assert_eq!(element(marked, "ratio"), &ElementValue::Double(0.5));
    let ElementValue::Annotation(nested) = element(marked, "nested") else { panic!("nested") };
    assert_eq!(element(nested, "value"), &ElementValue::Long(3));
    let interface = classes("Subject$Marked");
    let default = |name| {
        let method = member(&interface.methods, &interface.pool, name);
        method.attributes.has_annotation_default(&interface.pool)
    };
    assert!(default("ratio") && !default("name"));
}

#[test]
fn relations_between_classes_are_read() {
    let classes = classes();
    let class = classes("Subject");
    let pool = &class.pool;
    let attributes = &class.attributes;
    assert_eq!(attributes.permitted_subclasses(pool).unwrap().unwrap(), ["Subject$Sub"]);
    assert!(attributes.record_components(pool).unwrap().is_none());
    assert_eq!(attributes.nest_members(pool).unwrap().len(), 5);
    let inner = attributes.inner_classes(pool).unwrap();
    let sub = inner.iter().find(|class| class.inner == "Subject$Sub").expect("it is named");
    assert_eq!((sub.outer.as_deref(), sub.name.as_deref()), (Some("Subject"), Some("Sub")));
    assert_eq!(sub.access & (flags::STATIC | flags::FINAL), flags::STATIC | flags::FINAL);
    assert_eq!(attributes.bootstrap_methods(pool).unwrap().len(), 1);

    let anonymous = classes("Subject$1");
    let enclosing = anonymous.attributes.enclosing_method(&anonymous.pool).unwrap().unwrap();
    assert_eq!(enclosing.class, "Subject");
    assert_eq!(enclosing.method.expect("in a method").0, "method");
    let host = anonymous.attributes.nest_host(&anonymous.pool).unwrap();
    assert_eq!(host.as_deref(), Some("Subject"));

    let record = classes("Subject$Point");
    let components = record.attributes.record_components(&record.pool).unwrap().unwrap();
    let names: Vec<_> =
        components.iter().map(|c| (c.name.as_ref(), c.descriptor.as_ref())).collect();
    assert_eq!(names, [("x", "I"), ("names", "Ljava/util/List;")]);
    assert_eq!(
        components[1].attributes.signature(&record.pool).unwrap().as_deref(),
        Some("Ljava/util/List<Ljava/lang/String;>;")
    );
}
