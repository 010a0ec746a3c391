//! What a mock answers that was told nothing, as Mockito's `RETURNS_DEFAULTS` has it: zero for
//! numbers and their boxes, an empty collection, stream or optional, else `null`.
//!
//! Invariant: these are the answers that the mocks of emitted tests give, with Mockito 2 and later.
//! Which kind of list an empty one is differs from version to version, so nothing may rest on it.

use classfile::opcode::{
    ACONST_NULL, ARETURN, DCONST_0, DRETURN, DUP, FCONST_0, FRETURN, GETSTATIC, ICONST_0,
    INVOKESPECIAL, INVOKESTATIC, IRETURN, LCONST_0, LRETURN, NEW, RETURN,
};
use classfile::{ClassFileError, ConstantPool, Instruction};
use model::{Primitive, Type};

/// Interfaces and classes with the class of which a new, empty object is the answer.
const EMPTY: [(&str, &str); 14] = [
    ("java/lang/Iterable", "java/util/ArrayList"),
    ("java/util/Collection", "java/util/LinkedList"),
    ("java/util/List", "java/util/LinkedList"),
    ("java/util/LinkedList", "java/util/LinkedList"),
    ("java/util/ArrayList", "java/util/ArrayList"),
    ("java/util/Set", "java/util/HashSet"),
    ("java/util/HashSet", "java/util/HashSet"),
    ("java/util/LinkedHashSet", "java/util/LinkedHashSet"),
    ("java/util/SortedSet", "java/util/TreeSet"),
    ("java/util/TreeSet", "java/util/TreeSet"),
    ("java/util/Map", "java/util/HashMap"),
    ("java/util/HashMap", "java/util/HashMap"),
    ("java/util/SortedMap", "java/util/TreeMap"),
    ("java/util/LinkedHashMap", "java/util/LinkedHashMap"),
];

/// Classes whose method `empty` gives the answer, and whether they are interfaces.
const EMPTY_BY_METHOD: [(&str, bool); 8] = [
    ("java/util/Optional", false),
    ("java/util/OptionalInt", false),
    ("java/util/OptionalLong", false),
    ("java/util/OptionalDouble", false),
    ("java/util/stream/Stream", true),
    ("java/util/stream/IntStream", true),
    ("java/util/stream/LongStream", true),
    ("java/util/stream/DoubleStream", true),
];

/// Classes whose constant `ZERO` is the answer.
const ZERO: [&str; 2] = ["java/time/Duration", "java/time/Period"];

/// The body of a method with this result that answers so.
pub(super) fn answer(
    pool: &mut ConstantPool,
    result: Option<&Type>,
) -> Result<Vec<Instruction>, ClassFileError> {
    let plain = |ops: &[u8]| ops.iter().map(|op| Instruction::Plain(*op)).collect();
    let class = match result {
        None => return Ok(plain(&[RETURN])),
        Some(Type::Primitive(primitive)) => return Ok(plain(&zero(*primitive))),
        Some(Type::Array(_)) => return Ok(plain(&[ACONST_NULL, ARETURN])),
        Some(Type::Class(name)) => name.as_internal(),
    };
    let mut code = Vec::new();
    if let Some((_, made)) = EMPTY.iter().find(|(of, _)| *of == class) {
        let index = pool.add_class(made)?;
        let init = pool.add_method_ref(made, "<init>", "()V")?;
        code.push(Instruction::Constant { op: NEW, index }); // object
        code.push(Instruction::Plain(DUP)); // object object
        code.push(Instruction::Constant { op: INVOKESPECIAL, index: init }); // object
    } else if let Some((_, is_interface)) = EMPTY_BY_METHOD.iter().find(|(of, _)| *of == class) {
        let descriptor = format!("()L{class};");
        let index = if *is_interface {
            pool.add_interface_method_ref(class, "empty", &descriptor)?
        } else {
            pool.add_method_ref(class, "empty", &descriptor)?
        };
        code.push(Instruction::Constant { op: INVOKESTATIC, index }); // object
    } else if ZERO.contains(&class) {
        let index = pool.add_field_ref(class, "ZERO", &format!("L{class};"))?;
        code.push(Instruction::Constant { op: GETSTATIC, index }); // object
    } else if let Some(primitive) = Primitive::ALL.into_iter().find(|p| p.boxed() == class) {
        let [zero, _] = zero(primitive);
        let descriptor = format!("({})L{class};", Type::Primitive(primitive).descriptor());
        let index = pool.add_method_ref(class, "valueOf", &descriptor)?;
        code.push(Instruction::Plain(zero)); // number
        code.push(Instruction::Constant { op: INVOKESTATIC, index }); // object
    } else {
        code.push(Instruction::Plain(ACONST_NULL)); // null
    }
    code.push(Instruction::Plain(ARETURN));
    Ok(code)
}

/// Pushes zero, and returns it.
fn zero(primitive: Primitive) -> [u8; 2] {
    match primitive {
        Primitive::Long => [LCONST_0, LRETURN],
        Primitive::Float => [FCONST_0, FRETURN],
        Primitive::Double => [DCONST_0, DRETURN],
        _ => [ICONST_0, IRETURN],
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use model::{Answer, ClassName, ImplementedMethod, MethodDescriptor, Sketch};

    use super::*;
    use crate::inside::implement::class_bytes;

    /// Asks a mock of ours and one of Mockito's the same questions.
    const QUESTIONS: &str = r#"
package asked;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.stream.BaseStream;
public class Questions {
    static Object shown(Object answer) throws Exception {
        if (answer instanceof BaseStream<?, ?>) {
            return ((BaseStream<?, ?>) answer).iterator().hasNext() ? "stream" : "empty stream";
        }
        return answer;
    }
    public static void main(String[] args) throws Exception {
        Field unsafe = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        Class<?> made = Class.forName(args[0]);
        Object ours = unsafe.getType().getMethod("allocateInstance", Class.class)
                .invoke(unsafe.get(null), made);
        Object theirs = org.mockito.Mockito.mock(Asked.class);
        for (Method method : Asked.class.getMethods()) {
            Object expected = shown(method.invoke(theirs));
            Object answer = shown(method.invoke(ours));
            if (!java.util.Objects.equals(expected, answer)) {
                throw new Error(method + ": " + answer + ", not " + expected);
            }
            if (method.getReturnType() != void.class) { System.out.println(method.getName()); }
        }
        if (!ours.equals(ours) || ours.equals(theirs)) { throw new Error("equals"); }
    }
}
"#;

    /// What methods return that are asked.
    fn results() -> Vec<Type> {
        let classes = ["java/lang/String", "java/lang/Object", "java/util/Iterator"];
        let with_answers = EMPTY.iter().map(|(class, _)| *class);
        let with_answers = with_answers.chain(EMPTY_BY_METHOD.iter().map(|(class, _)| *class));
        let mut types: Vec<Type> =
            with_answers.chain(ZERO).chain(classes).map(Type::class).collect();
        types.extend(Primitive::ALL.map(Type::Primitive));
        types.extend(Primitive::ALL.map(|primitive| Type::class(primitive.boxed())));
        types.push(Type::string().array_of());
        types
    }

    #[test]
    fn mocks_that_were_told_nothing_answer_as_mockitos_do() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut methods = String::new();
        let mut sketch = Sketch::mock(ClassName::internal("asked/Asked"), true);
        let voids = std::iter::once(None);
        for (number, result) in results().into_iter().map(Some).chain(voids).enumerate() {
            let spelled = result.as_ref().map_or_else(|| "void".to_owned(), ToString::to_string);
            // With a body too, which a mock does not run.
            let name = format!("m{number}");
            methods.push_str(&format!("    default {spelled} {name}() {{ throw new Error(); }}\n"));
            let MethodDescriptor { params, .. } =
                MethodDescriptor::parse("()V").expect("a descriptor");
            let answer = Answer::Default;
            sketch.methods.push(ImplementedMethod { name: name.into(), params, result, answer });
        }
        let asked = format!("package asked;\npublic interface Asked {{\n{methods}}}\n");
        for (name, text) in [("Asked", &*asked), ("Questions", QUESTIONS)] {
            std::fs::write(folder.path().join(format!("{name}.java")), text).expect("a file");
        }
        let asked = sketch.methods.len() - 1;
        let op = sketch.operation("asked");
        let mock = op.as_mock().expect("it is one");
        let file = folder.path().join(format!("{}.class", mock.class.as_internal()));
        let jars = [
            "org.mockito:mockito-core:4.11.0",
            "net.bytebuddy:byte-buddy:1.12.19",
            "net.bytebuddy:byte-buddy-agent:1.12.19",
            "org.objenesis:objenesis:3.3",
        ]
        .map(testkit::library);
        let entries = jars.iter().map(|jar| jar.display().to_string());
        let entries = entries.chain([folder.path().display().to_string()]);
        let class_path = entries.collect::<Vec<_>>().join(":");
        // What mocks tell what they are asked.
        let boot = folder.path().join("boot");
        for (name, bytes) in runtime::boot_classes() {
            let file = boot.join(format!("{name}.class"));
            std::fs::create_dir_all(file.parent().expect("a package")).expect("a folder");
            std::fs::write(file, bytes).expect("a file");
        }
        let patch = format!("java.base={}", boot.display());
        for home in testkit::jdk_homes() {
            let run = |tool: &str, args: &[&str]| {
                let mut command = Command::new(home.join("bin").join(tool));
                let said = command.current_dir(folder.path()).args(args).output();
                let said = said.expect("the tool starts");
                let texts = [&said.stdout, &said.stderr].map(|t| String::from_utf8_lossy(t));
                assert!(said.status.success(), "{tool} of {}: {texts:?}", home.display());
                texts[0].lines().count()
            };
            run("javac", &["-cp", &class_path, "-d", ".", "Asked.java", "Questions.java"]);
            std::fs::write(&file, class_bytes(&op, mock).expect("it can be made")).expect("a file");
            let name = mock.class.to_binary();
            // This Mockito is older than some JDKs.
            let experimental = "-Dnet.bytebuddy.experimental=true";
            let options = [experimental, "--patch-module", &*patch, "-cp", &class_path];
            let answered = run("java", &[&options[..], &["asked.Questions", &name]].concat());
            assert_eq!(answered, asked, "every method was asked");
        }
    }
}
