//! The order in which immutable sets and maps are walked, and in which reflection gives members.

use jvm::{Executor, Walk};
use model::{Literal, Observation};

use crate::Case;
use crate::child::{Child, call, static_method};

pub const CASES: &[Case] = &[
    ("immutable_collections_are_walked_forward_or_backward", &[], both_ways),
    ("methods_are_given_backward", &[], members_backward),
];

/// What is seen on the way through sets and maps of several sizes, a line each.
fn walk(executor: &mut Executor<'_>) -> Vec<String> {
    lines(executor, "walk")
}

fn lines(executor: &mut Executor<'_>, method: &str) -> Vec<String> {
    match call(executor, &static_method("Machine", method, "()Ljava/lang/String;"), &[]) {
        Observation::Value { value: Literal::String(text), .. } => {
            text.to_string().lines().map(str::to_owned).collect()
        }
        other => panic!("{other:?}"),
    }
}

fn both_ways(child: &Child) {
    let mut executor = child.executor();
    jvm::set_walk(&child.jvm, Walk::Forward).expect("the JDK has the fields");
    let forward = walk(&mut executor);
    assert_eq!(walk(&mut executor), forward);
    jvm::set_walk(&child.jvm, Walk::Backward).expect("the JDK has the fields");
    let backward = walk(&mut executor);
    assert!(forward.len() > 8, "{forward:?}");
    for (forward, backward) in forward.iter().zip(&backward) {
        let reversed: Vec<&str> = backward.split(' ').rev().collect();
        assert_eq!(forward.split(' ').collect::<Vec<_>>(), reversed);
    }
}

fn members_backward(child: &Child) {
    let mut executor = child.executor();
    let mut forward = lines(&mut executor, "members");
    assert!(forward.len() > 3, "{forward:?}");
    jvm::reverse_members(&child.jvm).expect("the JVM has the functions");
    let backward = lines(&mut executor, "members");
    forward.reverse();
    assert_eq!(backward, forward);
}
