//! `space`: search spaces, contexts from files, densities.

use std::fs;

use serde_json::Value;

use crate::run::{Said, say, testhound};

fn space(args: &[&str]) -> Said {
    say(testhound().arg("space").args(args))
}

fn density(args: &[&str]) -> Value {
    let said = space(&[&["density", "--json"], args].concat());
    assert_eq!(said.code(), 0, "{}", said.err);
    said.json()
}

/// What is wrong is told, and nothing else.
fn check_refused(args: &[&str], expected: &str) {
    let said = space(args);
    assert_eq!((said.code(), &*said.out), (2, ""), "{args:?} {}", said.err);
    assert!(said.err.contains(expected), "{args:?}: {}", said.err);
}

#[test]
fn a_class_has_a_numbered_space() {
    let list = ["--class", "java.util.ArrayList", "--length", "3"];
    let said = space(&[&list[..], &["--json"]].concat());
    assert_eq!(said.code(), 0, "{}", said.err);
    let found = said.json();
    let j = found["j"].as_u64().expect("a number");
    assert_eq!(found["z"], (u128::from(j).pow(3)).to_string());
    let methods = found["methods"].as_array().expect("a list");
    let mut first = 0;
    for method in methods {
        assert_eq!(method["first"], first);
        let choices = method["choices"].as_array().expect("a list").iter();
        let product: u64 = choices.map(|n| n.as_u64().expect("a number")).product();
        assert_eq!(method["calls"], product);
        first += product;
    }
    assert_eq!(first, j);
    let index = (u128::from(j).pow(3) - 1).to_string();
    let said = space(&[&list[..], &["--json", "--index", &index]].concat());
    let last = Value::from(j - 1);
    assert_eq!(said.json()["test"]["calls"], Value::from(vec![last; 3]));
    let said = space(&[&list[..], &["--index", "0"]].concat());
    assert!(said.out.contains("arrayListPool[0] = new ArrayList("), "{}", said.out);
    let beyond = u128::from(j).pow(3).to_string();
    check_refused(&[&list[..], &["--index", &beyond]].concat(), "tests of length 3 have 0 to");
}

#[test]
fn a_context_comes_from_a_file_and_its_mistakes_are_told_by_line_and_key() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("stack.toml");
    let shown = file.to_str().expect("text");
    let methods = "[[methods]]\nclass = \"java.util.Stack\"\nname = \"new\"\n\
                   [[methods]]\nclass = \"java.util.Vector\"\nname = \"elementAt\"\n";
    fs::write(&file, format!("{methods}[types]\nint = {{ values = [0, 1, 7] }}\n"))
        .expect("a file");
    let said = space(&["--context", shown, "--length", "2", "--json"]);
    assert_eq!(said.code(), 0, "{}", said.err);
    // One constructor; three indices, a vector or the stack, one place for the result.
    assert_eq!(said.json()["j"], 1 + 3 * 2);
    assert_eq!(said.json()["z"], "49");
    let check = |text: &str, expected: &str| {
        fs::write(&file, text).expect("a file");
        check_refused(&["--context", shown], &format!("stack.toml:{expected}"));
    };
    check(
        "[[methods]]\nclass = \"java.util.Stck\"",
        "2: methods[0].class: there is no class java.util.Stck",
    );
    check(&format!("{methods}parameters = [\"long\"]"), "7: methods[1].parameters: ");
    check("[types.int]\npool = -1", "2: types.int.pool: must be 1 to 1000000");
    check("pools = 3", "1: pools: there is no such key");
    check("[types", "1: ");
    fs::remove_file(&file).expect("it was there");
    check_refused(&["--context", shown], "cannot be read");
}

#[test]
fn what_names_no_space_is_refused() {
    check_refused(&[], "--class");
    check_refused(&["--class", "no.Such"], "there is no class `no.Such`");
    check_refused(&["--class", "java.util.ArrayList", "--length", "0"], "--length");
    check_refused(&["--class", "java.util.ArrayList", "--classpath", "/no/such"], "does not exist");
    check_refused(&["density", "--calls", "3", "--failing", "2"], "--best-length");
    check_refused(&["density", "--calls", "0", "--failing", "2", "--length", "3"], "--calls");
    check_refused(
        &["density", "--calls", "1", "--failing", "2", "--length", "3"],
        "overlaps itself",
    );
}

#[test]
fn densities_are_exact() {
    let found = density(&["--calls", "10", "--failing", "2", "--length", "3"]);
    assert_eq!(found["phi"], "20");
    assert_eq!(found["fd"], 0.02);
    assert_eq!(found["fd_exact"], "1/50");
    assert_eq!(found["fdpmc_exact"], "1/150");
    assert_eq!(found["best_length"], 15);
    let long = ["--calls", "10000", "--failing", "3", "--length", "10000"];
    let found = density(&long);
    assert!((found["fd"].as_f64().expect("a number") / 9.998e-9 - 1.0).abs() < 1e-6, "{found}");
    let found = density(&["--calls", "10000", "--failing", "5", "--best-length"]);
    assert_eq!((&found["phi"], &found["length"]), (&Value::Null, &found["best_length"]));
}

#[test]
fn densities_are_drawn() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("density.svg");
    let shown = file.to_str().expect("text");
    density(&["--calls", "45", "--failing", "2", "--best-length", "--svg", shown]);
    let picture = fs::read_to_string(&file).expect("a picture");
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"), "{picture}");
    let said =
        space(&["density", "--calls", "4", "--failing", "2", "--length", "3", "--svg", "/no/x"]);
    assert_eq!(said.code(), 4, "{}", said.err);
}
