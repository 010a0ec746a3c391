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
