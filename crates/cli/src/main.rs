//! `testhound`: writes unit tests for Java.

fn main() {}
