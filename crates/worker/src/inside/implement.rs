//! Classes for what tests write on the spot: lambdas, anonymous classes and mocks.
//!
//! While tests are searched, an object of such a class is one of a class made here: a field for
//! each captured value, a constructor that takes the arguments of the superclass's and then the
//! captured values, and the methods. It is in the package of the test, so that it can extend what
//! the test can. No method jumps, so no stack map is needed. Of a mock no constructor is called:
//! what it captures is told to it by a method of its own.
//!
//! Invariant: every method of the class ends in the answer the operation says. Nothing else runs, but
//! that a mock tells what it is asked and answers (`asked`).

use classfile::opcode::{
    ALOAD, ARETURN, ATHROW, DLOAD, DRETURN, DUP, FLOAD, FRETURN, GETFIELD, ICONST_0, ILOAD,
    INVOKESPECIAL, IRETURN, LLOAD, LRETURN, NEW, PUTFIELD, RETURN,
};
use classfile::{ClassFile, ClassFileError, Code, ConstantPool, Instruction, flags};
use model::{Answer, ClassName, Implementation, ImplementedMethod, Operation, Primitive, Type};

use crate::inside::{asked, untold};

/// Java 8: what every supported JVM runs.
const MAJOR: u16 = 52;

/// The bytes of the class that stands for an implementation.
pub(crate) fn class_bytes(
    op: &Operation,
    implementation: &Implementation,
) -> Result<Vec<u8>, ClassFileError> {
    let name = implementation.class.as_internal();
    let superclass =
        if implementation.is_interface { "java/lang/Object" } else { op.owner.as_internal() };
    let access = flags::SUPER | flags::FINAL | flags::SYNTHETIC;
    let mut class = ClassFile::new(MAJOR, access, name, superclass)?;
    if implementation.is_interface {
        let interface = class.pool.add_class(op.owner.as_internal())?;
        class.interfaces.push(interface);
    }
    let given = usize::from(implementation.given);
    for (place, ty) in op.params.iter().enumerate().skip(given) {
        class.add_field(flags::PRIVATE, &field(place), &ty.descriptor())?;
    }
    let superclass = (!implementation.is_mock).then_some(superclass);
    let code = beginning(&mut class.pool, name, superclass, &op.params, given)?;
    let beginning = if implementation.is_mock { Implementation::TOLD } else { "<init>" };
    class.add_method(0, beginning, &op.descriptor(), &code)?;
    for (number, method) in implementation.methods.iter().enumerate() {
        let mut code = body(&mut class.pool, name, &op.params, method)?;
        if implementation.is_mock {
            asked::tell(&mut class.pool, number, method, &mut code)?;
        }
        let locals = 1 + method.params.iter().map(slots).sum::<u16>();
        let code = Code::straight(3, locals, code);
        class.add_method(flags::PUBLIC, &method.name, &method.descriptor(), &code)?;
    }
    Ok(class.to_bytes())
}

/// The field that holds the value captured at a place.
fn field(place: usize) -> String {
    format!("value{place}")
}

/// The constructor, which calls that of the superclass; or, of a mock, the method in its place.
fn beginning(
    pool: &mut ConstantPool,
    name: &str,
    superclass: Option<&str>,
    params: &[Type],
    given: usize,
) -> Result<Code, ClassFileError> {
    let mut code = Vec::new();
    let mut stack = 1;
    let mut slot = 1;
    if let Some(superclass) = superclass {
        let descriptor: String = params[..given].iter().map(Type::descriptor).collect();
        let init = pool.add_method_ref(superclass, "<init>", &format!("({descriptor})V"))?;
        code.push(load(ALOAD, 0)); // this
        for ty in &params[..given] {
            code.push(load(load_op(ty), slot)); // this given..
            slot += slots(ty);
            stack += slots(ty);
        }
        code.push(Instruction::Constant { op: INVOKESPECIAL, index: init }); // ..
    }
    for (place, ty) in params.iter().enumerate().skip(given) {
        let index = pool.add_field_ref(name, &field(place), &ty.descriptor())?;
        code.push(load(ALOAD, 0)); // this
        code.push(load(load_op(ty), slot)); // this captured
        code.push(Instruction::Constant { op: PUTFIELD, index }); // ..
        slot += slots(ty);
    }
    code.push(Instruction::Plain(RETURN));
    Ok(Code::straight(stack.max(3), slot, code))
}

fn body(
    pool: &mut ConstantPool,
    name: &str,
    captured: &[Type],
    method: &ImplementedMethod,
) -> Result<Vec<Instruction>, ClassFileError> {
    Ok(match &method.answer {
        Answer::Nothing => vec![Instruction::Plain(RETURN)],
        Answer::Captured(place) => {
            let place = usize::from(*place);
            let index = pool.add_field_ref(name, &field(place), &captured[place].descriptor())?;
            vec![
                load(ALOAD, 0),                                  // this
                Instruction::Constant { op: GETFIELD, index },   // captured
                Instruction::Plain(return_op(&captured[place])), // ..
            ]
        }
        Answer::First(place) => {
            let index = pool.add_field_ref(name, &field(usize::from(*place)), "Z")?;
            vec![
                load(ALOAD, 0),                                // this
                Instruction::Constant { op: GETFIELD, index }, // first
                load(ALOAD, 0),                                // first this
                Instruction::Plain(ICONST_0),                  // first this false
                Instruction::Constant { op: PUTFIELD, index }, // first
                Instruction::Plain(IRETURN),                   // ..
            ]
        }
        Answer::Argument(place) => {
            let place = usize::from(*place);
            let slot = 1 + method.params[..place].iter().map(slots).sum::<u16>();
            let ty = &method.params[place];
            vec![load(load_op(ty), slot), Instruction::Plain(return_op(ty))]
        }
        Answer::Throws(exception) => throw(pool, exception)?,
        Answer::Default => untold::answer(pool, method.result.as_ref())?,
    })
}

fn throw(
    pool: &mut ConstantPool,
    exception: &ClassName,
) -> Result<Vec<Instruction>, ClassFileError> {
    let class = pool.add_class(exception.as_internal())?;
    let init = pool.add_method_ref(exception.as_internal(), "<init>", "()V")?;
    Ok(vec![
        Instruction::Constant { op: NEW, index: class }, // exception
        Instruction::Plain(DUP),                         // exception exception
        Instruction::Constant { op: INVOKESPECIAL, index: init }, // exception
        Instruction::Plain(ATHROW),
    ])
}

pub(super) fn load(op: u8, index: u16) -> Instruction {
    Instruction::Local { op, index, wide: index > 255 }
}

pub(super) fn slots(ty: &Type) -> u16 {
    match ty {
        Type::Primitive(Primitive::Long | Primitive::Double) => 2,
        _ => 1,
    }
}

pub(super) fn load_op(ty: &Type) -> u8 {
    by_type(ty, [ILOAD, LLOAD, FLOAD, DLOAD, ALOAD])
}

fn return_op(ty: &Type) -> u8 {
    by_type(ty, [IRETURN, LRETURN, FRETURN, DRETURN, ARETURN])
}

/// The instruction for a type, of those for `int`, `long`, `float`, `double` and references.
fn by_type(ty: &Type, [int, long, float, double, reference]: [u8; 5]) -> u8 {
    match ty {
        Type::Primitive(Primitive::Long) => long,
        Type::Primitive(Primitive::Float) => float,
        Type::Primitive(Primitive::Double) => double,
        Type::Primitive(_) => int,
        Type::Class(_) | Type::Array(_) => reference,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::{MethodDescriptor, Sketch};
    use std::process::Command;

    const SHAPES: &str = r#"
package shapes;
public class Shapes {
    interface Source { Object object(); String text(); }
    interface Narrow extends java.util.function.Supplier<String> { String get(); }
    interface Numbers { long wide(long a, double b, long c); double real(); float small();
        byte octet(); char letter(); boolean truth(); short few(); int[] many(); boolean more(); }
    interface Failing { void fail() throws java.io.IOException; }
    public static abstract class Base {
        final String name; final long count;
        protected Base(String name, long count) { this.name = name; this.count = count; }
        protected abstract String greet(int times, String whom);
        String say() { return name + count + greet(2, "Ann"); }
    }
    static Object make(String name, Class<?>[] types, Object... args) throws Exception {
        java.lang.reflect.Constructor<?> made = Class.forName(name).getDeclaredConstructor(types);
        made.setAccessible(true);
        return made.newInstance(args);
    }
    static void check(boolean holds, String what) { if (!holds) throw new Error(what); }
    public static void main(String[] names) throws Exception {
        Narrow narrow = (Narrow) make(names[0], new Class<?>[] {String.class}, "abc");
        check(narrow.get().equals("abc"), "narrow");
        check(((java.util.function.Supplier<?>) narrow).get().equals("abc"), "bridge");
        Numbers numbers = (Numbers) make(names[1], new Class<?>[] {double.class, float.class,
            byte.class, char.class, boolean.class, short.class, int[].class, boolean.class},
            2.5, 1.5f, (byte) -3, 'x', true, (short) 300, new int[] {7}, true);
        check(numbers.wide(1L, 2.0, 3L) == 3L, "an argument behind wide ones");
        check(numbers.real() == 2.5 && numbers.small() == 1.5f, "floats");
        check(numbers.octet() == -3 && numbers.letter() == 'x' && numbers.few() == 300, "ints");
        check(numbers.truth() && numbers.truth() && numbers.many()[0] == 7, "others");
        check(numbers.more() && !numbers.more() && !numbers.more(), "once");
        Base base = (Base) make(names[2], new Class<?>[] {String.class, long.class}, "Bob", 5L);
        check(base.say().equals("Bob5Ann"), "superclass");
        try { ((Failing) make(names[3], new Class<?>[0])).fail(); check(false, "no exception"); }
        catch (java.io.IOException expected) { check(expected.getMessage() == null, "message"); }
    }
}
"#;

    fn sketch(of: &str, is_interface: bool, given: &str) -> Sketch {
        let given = MethodDescriptor::parse(given).expect("a descriptor").params;
        Sketch { given, ..Sketch::new(ClassName::internal(of), is_interface) }
    }

    fn add(sketch: &mut Sketch, name: &str, descriptor: &str, answer: Answer) {
        let MethodDescriptor { params, result } =
            MethodDescriptor::parse(descriptor).expect("a descriptor");
        sketch.methods.push(ImplementedMethod { name: name.into(), params, result, answer });
    }

    fn sketches() -> Vec<Sketch> {
        let mut narrow = sketch("shapes/Shapes$Narrow", true, "()V");
        let text = narrow.capture(Type::string());
        add(&mut narrow, "get", "()Ljava/lang/String;", text.clone());
        add(&mut narrow, "get", "()Ljava/lang/Object;", text);
        let mut numbers = sketch("shapes/Shapes$Numbers", true, "()V");
        add(&mut numbers, "wide", "(JDJ)J", Answer::Argument(2));
        for (name, ty) in [
            ("real", "D"),
            ("small", "F"),
            ("octet", "B"),
            ("letter", "C"),
            ("truth", "Z"),
            ("few", "S"),
            ("many", "[I"),
        ] {
            let answer = numbers.capture(Type::parse(ty).expect("a descriptor"));
            add(&mut numbers, name, &format!("(){ty}"), answer);
        }
        let Answer::Captured(more) = numbers.capture(Type::Primitive(Primitive::Boolean)) else {
            unreachable!("capturing captures")
        };
        add(&mut numbers, "more", "()Z", Answer::First(more));
        let mut base = sketch("shapes/Shapes$Base", false, "(Ljava/lang/String;J)V");
        let greet = "(ILjava/lang/String;)Ljava/lang/String;";
        add(&mut base, "greet", greet, Answer::Argument(1));
        let mut failing = sketch("shapes/Shapes$Failing", true, "()V");
        let thrown = Answer::Throws(ClassName::internal("java/io/IOException"));
        add(&mut failing, "fail", "()V", thrown);
        vec![narrow, numbers, base, failing]
    }

    #[test]
    fn made_classes_verify_and_answer_on_every_jdk() {
        for jdk in toolchain::discover() {
            let folder = tempfile::tempdir().expect("a folder");
            let source = folder.path().join("Shapes.java");
            std::fs::write(&source, SHAPES).expect("a file");
            let run = |tool: &str, args: &[&std::ffi::OsStr]| {
                // Other tests of this process change its working folder.
                let mut command = Command::new(jdk.home.join("bin").join(tool));
                let said = command.current_dir(folder.path()).args(args).output();
                let said = said.expect("the tool starts");
                let texts = [&said.stdout, &said.stderr].map(|text| String::from_utf8_lossy(text));
                let home = jdk.home.display();
                assert!(said.status.success(), "{tool} of {home}: {} {texts:?}", said.status);
            };
            run("javac", &["-d".as_ref(), folder.path().as_ref(), source.as_ref()]);
            let mut names = Vec::new();
            for sketch in sketches() {
                let op = sketch.operation("shapes");
                let implementation = op.implementation.as_ref().expect("it is one");
                let bytes = class_bytes(&op, implementation).expect("it can be made");
                let name = implementation.class.as_internal();
                std::fs::write(folder.path().join(format!("{name}.class")), bytes).expect("a file");
                names.push(implementation.class.to_binary());
            }
            let class_path = folder.path().as_os_str();
            let mut args = vec!["-cp".as_ref(), class_path, "shapes.Shapes".as_ref()];
            args.extend(names.iter().map(std::ffi::OsStr::new));
            run("java", &args);
        }
    }
}
