//! What is taken for granted of native methods, which have no bytecode.
//!
//! The rule: a native method sees what it is given and nothing else. One that returns a number was
//! asked something, one that returns an object made it: neither has an effect, unless it is given
//! arrays, which it may fill. One that returns nothing was called for an effect: it writes its
//! receiver and the arrays it is given, and is unknown. So is one that makes an object of objects.
//! What a native method does outside of the JVM is not told here; that is seen when it runs.
//!
//! What cannot be told from a declaration stands in [`intrinsic`]: copying arrays and objects, and
//! raw memory access, on which everything else rests.

use super::extract::MethodCode;
use super::ids::{ANY, ELEMENT, class_id};
use super::summary::{Node, Summary};
use crate::refs::is_changeable;

/// The summary of a native method.
pub(crate) fn native(class: u64, name: &str, method: &MethodCode) -> Summary {
    if let Some(mut summary) = intrinsic(class, name, method) {
        summary.normalize();
        return summary;
    }
    let is_static = method.access & classfile::flags::STATIC != 0;
    let mut summary = Summary::default();
    let mut has_objects = false;
    for (index, param) in method.params.iter().enumerate().skip(usize::from(!is_static)) {
        if param.starts_with('[') {
            summary.writes.push(Node::param(index.min(39) as u8));
        } else {
            has_objects |= is_changeable(param);
        }
    }
    match method.result {
        b'V' => {
            summary.unknown = true;
            if !is_static {
                summary.writes.push(Node::param(0));
            }
        }
        b'L' | b'[' => {
            summary.unknown = has_objects;
            summary.result.push(Node::FRESH);
        }
        _ => {}
    }
    summary.normalize();
    summary
}

/// Native methods whose effect is part of the language or of the memory model.
fn intrinsic(class: u64, name: &str, method: &MethodCode) -> Option<Summary> {
    let is = |name: &str| class == class_id(name);
    let mut summary = Summary::default();
    match name {
        "arraycopy" if is("java/lang/System") => {
            summary.writes.push(Node::param(2));
            summary.edges.push((Node::param(2), ELEMENT, Node::field(0, ELEMENT)));
        }
        "clone" if is("java/lang/Object") => {
            summary.result.push(Node::FRESH);
            summary.edges.push((Node::FRESH, ANY, Node::deep(0)));
        }
        // Waiting and waking change no object.
        "notify" | "notifyAll" | "wait" | "wait0" if is("java/lang/Object") => {}
        _ if is("jdk/internal/misc/Unsafe") || is("sun/misc/Unsafe") => {
            // Object, offset, values.
            let on_object =
                method.params.get(1).is_some_and(|param| &**param == "Ljava/lang/Object;");
            let reads = name.starts_with("get") && !name.starts_with("getAnd");
            let writes = ["put", "compareAnd", "weakCompareAnd", "getAnd", "copy", "set"]
                .iter()
                .any(|prefix| name.starts_with(prefix));
            if name.starts_with("allocate") {
                summary.result.push(Node::FRESH);
            } else if on_object && reads {
                summary.result.push(Node::deep(1));
            } else if on_object && writes {
                summary.writes.push(Node::param(1));
                if name.starts_with("copy") {
                    summary.writes.push(Node::param(3));
                }
                let values = 3..method.params.len();
                for value in values.filter(|index| method.params[*index].starts_with('L')) {
                    summary.edges.push((Node::param(1), ANY, Node::param(value as u8)));
                }
                summary.result.push(Node::deep(1));
            } else if !name.ends_with("Fence") && !reads && method.result == b'V' {
                return None;
            }
        }
        _ => return None,
    }
    Some(summary)
}
