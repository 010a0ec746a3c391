//! A test case as Java-like text: canonical form 3 with its pools, as in figure 1(d) of the paper.
//!
//! For reading only. What is compiled is written by the crate `writer`.

use std::fmt::Write;

use model::{Call, JavaString, Literal, Operation, OperationKind, Slot, Type};

use crate::{Context, Pool};

/// The test with these calls.
pub fn java_text(context: &Context, digits: &[u64]) -> String {
    let names = names(context.pools());
    let mut out = String::new();
    for (pool, name) in context.pools().iter().zip(&names) {
        write_pool(&mut out, pool, name);
    }
    if context.is_guarded() {
        out.push_str("// What a call throws is caught and kept.\n");
    }
    let place = |slot: Slot| {
        let mut index = slot.index();
        for (pool, name) in context.pools().iter().zip(&names) {
            if index < pool.size as usize {
                return format!("{name}[{index}]");
            }
            index -= pool.size as usize;
        }
        slot.0.to_string()
    };
    for digit in digits {
        write_call(&mut out, &context.call(*digit), &place);
    }
    out
}

/// A name for each pool: its type's, made unlike the others.
fn names(pools: &[Pool]) -> Vec<String> {
    let mut names: Vec<String> = Vec::with_capacity(pools.len());
    for pool in pools {
        let mut plain = simple(&pool.ty).replace("[]", "Array");
        if let Some(first) = plain.get(..1) {
            plain = first.to_lowercase() + &plain[1..];
        }
        let mut name = format!("{plain}Pool");
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{plain}Pool{number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// A type without its package.
fn simple(ty: &Type) -> String {
    match ty {
        Type::Class(name) => name.local().replace('$', "."),
        Type::Array(element) => format!("{}[]", simple(element)),
        Type::Primitive(_) => ty.to_string(),
    }
}

fn write_pool(out: &mut String, pool: &Pool, name: &str) {
    let ty = simple(&pool.ty);
    let size = pool.size;
    // The innermost brackets of an array come last in Java.
    let (innermost, dimensions) = ty.find('[').map_or((&*ty, ""), |at| ty.split_at(at));
    let _ = writeln!(out, "{ty}[] {name} = new {innermost}[{size}]{dimensions};");
    for (at, value) in pool.values.iter().enumerate() {
        let _ = writeln!(out, "{name}[{at}] = {};", literal(value));
    }
}

fn write_call(out: &mut String, call: &Call, place: &dyn Fn(Slot) -> String) {
    if let Some(result) = call.result {
        let _ = write!(out, "{} = ", place(result));
    }
    let op: &Operation = &call.op;
    let args: Vec<String> = call.args.iter().map(|slot| place(*slot)).collect();
    let owner = || simple(&Type::Class(op.owner.clone()));
    let (target, arguments) = match op.has_receiver() {
        true => (args.first().cloned().unwrap_or_default(), args.get(1..).unwrap_or(&[])),
        false => (owner(), &args[..]),
    };
    let arguments = arguments.join(", ");
    let _ = match op.kind {
        OperationKind::Constructor => writeln!(out, "new {target}({arguments});"),
        OperationKind::StaticMethod | OperationKind::InstanceMethod => {
            writeln!(out, "{target}.{}({arguments});", op.name)
        }
        OperationKind::StaticField | OperationKind::InstanceField => {
            writeln!(out, "{target}.{};", op.name)
        }
        OperationKind::SetField => writeln!(out, "{target}.{} = {arguments};", op.name),
        _ => writeln!(out, "/* {op} */ ({arguments});"),
    };
}

/// A value as Java has it.
pub fn literal(value: &Literal) -> String {
    match value {
        Literal::Null => "null".to_owned(),
        Literal::Boolean(value) => value.to_string(),
        Literal::Byte(value) => format!("(byte) {value}"),
        Literal::Short(value) => format!("(short) {value}"),
        Literal::Int(value) => value.to_string(),
        Literal::Long(value) => format!("{value}L"),
        Literal::Float(value) => format!("{value:?}F"),
        Literal::Double(value) => format!("{value:?}"),
        Literal::Char(unit) => format!("'{}'", escaped(&[*unit], '\'')),
        Literal::String(text) => quoted(text),
        Literal::Class(ty) => {
            format!("{}.class", ty.as_ref().map_or("void".to_owned(), simple))
        }
    }
}

fn quoted(text: &JavaString) -> String {
    format!("\"{}\"", escaped(text.units(), '"'))
}

fn escaped(units: &[u16], quote: char) -> String {
    let mut out = String::new();
    for unit in units {
        match char::from_u32(u32::from(*unit)) {
            Some(c) if c == quote || c == '\\' => out.extend(['\\', c]),
            Some(c @ ' '..='~') => out.push(c),
            _ => {
                let _ = write!(out, "\\u{unit:04x}");
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::tests::sample;

    #[test]
    fn a_test_is_shown_with_its_pools() {
        let text = java_text(&sample(), &[0, 1 + 2 + 3 + 9, 28, 30]);
        let expected = "\
int[] intPool = new int[3];
intPool[0] = 0;
intPool[1] = 1;
intPool[2] = 100;
B[] bPool = new B[1];
Object[] objectPool = new Object[1];
// What a call throws is caught and kept.
bPool[0] = new B();
intPool[1] = bPool[0].add(intPool[2], intPool[1]);
bPool[0].clear();
bPool[0] = B.merge(bPool[0], bPool[0]);
";
        assert_eq!(text, expected);
    }

    #[test]
    fn values_are_written_as_in_java() {
        let check = |value: Literal, expected: &str| assert_eq!(literal(&value), expected);
        check(Literal::Char(b'\''.into()), r"'\''");
        check(Literal::String("a\"\n".into()), r#""a\"\u000a""#);
        check(Literal::Byte(-1), "(byte) -1");
        check(Literal::Double(100.0), "100.0");
    }
}
