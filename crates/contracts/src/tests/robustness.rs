//! No input makes the front end panic, hang or overflow the stack.

use std::time::{Duration, Instant};

use crate::{Keys, parse, parse_jml};

const SEED: &str = r#"package p; //@ model import q.*;
/*@ pure nullable_by_default @*/ public class A<T extends B<T>> extends C implements D {
  private /*@ spec_public @*/ int[] x; //@ in s; maps x[*] \into s;
  //@ public model instance int s; represents s <- x.length + (x == null ? 0 : 1);
  /*@ public invariant (\forall int i, j; 0 <= i && i < x.length; x[i] >>> 2 > 'c') <==> \result;
    @ constraint \old(x, l) == x for m(int), new(A[]); initially (* none *) ; @*/
  //@ requires a; {| ensures \fresh(\result); also signals (E | F e) e != null; |}
  //@ also private exceptional_behaviour signals_only \nothing; assignable a[0..n], this.*, \reach(x);
  public <U> int m(/*@ non_null @*/ U u, int... k) throws E { //@ ghost int g = 1 + "é\"".length();
    //@ loop_invariant x -> y; decreases (int) n - 1;
    l: for (int i = 0; i < 3; i++) { /*@ set g = new int[] {1, {2}}; @*/ }
    //@ assert new A<>() { int y; } instanceof A(int z) && List<String>::new : """ b """;
    return switch (k) { case 1 -> 2; default -> { yield 3; } };
  }
  //@ model pure boolean q(\bigint b) { return b -> 1 == 2; }
}
"#;

fn read(text: &str) {
    let (source, _) = parse("A.java", text);
    for ty in source.all_types() {
        assert!(source.text().get(ty.span.range()).is_some());
    }
    let _ = parse_jml("A.jml", text, &Keys::new(["OPENJML"]));
}

#[test]
fn truncated_input_is_no_obstacle() {
    for (at, _) in SEED.char_indices() {
        read(&SEED[..at]);
        read(&SEED[at..]);
    }
}

#[test]
fn mutated_input_is_no_obstacle() {
    let pieces = [
        "(", ")", "[", "]", "{", "}", "{|", "|}", ";", "/*@", "@*/", "//@", "\n", "\"", "'", "\\",
        "\\forall", "(*", "<", ">", "->", "::", "é", "\u{0}", "also", "model", "requires", "1..",
        "@",
    ];
    let mut state = 1u32;
    for (at, character) in SEED.char_indices() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let piece = pieces[(state >> 16) as usize % pieces.len()];
        let behind = at + character.len_utf8();
        read(&format!("{}{piece}{}", &SEED[..at], &SEED[at..]));
        read(&format!("{}{piece}{}", &SEED[..at], &SEED[behind..]));
        read(&format!("{}{}", &SEED[..at], &SEED[behind..]));
    }
}

#[track_caller]
fn check_deep(before: &str, open: &str, middle: &str, close: &str, after: &str) {
    let depth = 100_000;
    let begin = Instant::now();
    let text = format!("{before}{}{middle}{}{after}", open.repeat(depth), close.repeat(depth));
    let (_, said) = parse("A.java", &text);
    assert!(!said.is_empty(), "{before}{open}");
    read(&text);
    assert!(begin.elapsed() < Duration::from_secs(60), "{before}{open}");
}

#[test]
fn deep_specifications_are_errors() {
    let cases = [
        ("(", "a", ")"),
        ("(", "a", ""),
        ("!", "a", ""),
        ("a[", "0", "]"),
        ("a ==> ", "b", ""),
        ("a ? b : ", "c", ""),
        ("f(", "a", ")"),
        ("(A) ", "a", ""),
        ("a -> ", "b", ""),
        ("a.", "b", ""),
        ("a + ", "b", ""),
        ("A<", "b", ">"),
        ("\\old(", "b", ")"),
        ("(\\forall int i; ", "b", ")"),
        ("new A[", "b", "]"),
        ("{", "b", "}"),
        ("a == ", "b", ""),
    ];
    for (open, middle, close) in cases {
        check_deep("class A { //@ requires ", open, middle, close, ";\nvoid m() {} }");
    }
    check_deep("class A { //@ ", "{| ", "requires a;", " |}", "\nvoid m() {} }");
    check_deep("class A { //@ assignable ", "a[", "b", "]", ";\nvoid m() {} }");
    check_deep("class A { //@ model ", "A<", "b", ">", " f;\nvoid m() {} }");
}

#[test]
fn deep_java_is_no_obstacle() {
    let cases = [
        ("class A { int x = ", "(", "1", ")", "; }"),
        ("class A { void m() { ", "{", "", "}", " } }"),
        ("", "class A { ", "", "}", ""),
        ("class A { Object x = ", "new A() { Object x = ", "1", "; }", "; }"),
        ("class A { void m() { ", "if (a) ", "f();", "", " } }"),
        ("class A { void m() { ", "l: ", "while (a) ;", "", " } }"),
        ("class A { ", "A<", "A", ">", " x; }"),
    ];
    for (before, open, middle, close, after) in cases {
        let depth = 20_000;
        let begin = Instant::now();
        read(&format!("{before}{}{middle}{}{after}", open.repeat(depth), close.repeat(depth)));
        assert!(begin.elapsed() < Duration::from_secs(60), "{before}{open}");
    }
}
