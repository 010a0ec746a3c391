//! G21: collaborators that nobody implements are mocked, and injected as a container would.

use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::fixture::files_below;
use crate::project::{maven_test, passing_tests, project};
use crate::run::{Said, say, testhound};

fn generate(project: &Path, options: &[&str]) -> Said {
    let mut command = testhound();
    command.arg("generate").arg("--project").arg(project);
    let said = say(command.args(["--steps", "8000", "--force", "--json"]).args(options));
    assert_eq!(said.code(), 0, "{}", said.err);
    said
}

/// Branches covered, of all there are.
fn branches(report: &Value) -> (u64, u64) {
    let number = |key: &str| report["branches"][key].as_u64().expect("a number");
    (number("covered"), number("total"))
}

/// What was written for a class.
fn tests_of(project: &TempDir, class: &str) -> String {
    let file = project.path().join(format!("src/test/java/org/example/{class}Test.java"));
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn a_spring_service_is_tested_with_mocks_and_green() {
    let project = project("maven-spring");
    let less = branches(&generate(project.path(), &["--without", "mocks"]).json());
    let report = generate(project.path(), &[]).json();
    let (covered, total) = branches(&report);
    assert!(covered * 100 >= total * 90, "{covered} of {total} branches");
    assert!(less.0 * 2 < covered, "{} without mocks, {covered} with them", less.0);
    let injected = tests_of(&project, "shop/OrderService");
    for expected in [
        "@ExtendWith(MockitoExtension.class)\nclass OrderServiceTest {",
        "    @Mock\n    private OrderRepository repository;",
        "    @InjectMocks\n    private OrderService orderService;",
        "when(repository.findById(any())).thenReturn(optional);",
        "when(repository.findByCustomer(any())).thenReturn(",
    ] {
        assert!(injected.contains(expected), "no {expected} in\n{injected}");
    }
    let given = tests_of(&project, "shop/Billing");
    assert!(given.contains("OrderRepository orders = mock(OrderRepository.class);"), "{given}");
    assert!(given.contains("new Billing(orders, warehouse)"), "{given}");
    assert!(!given.contains("@InjectMocks"), "a constructor takes them: {given}");
    let set = tests_of(&project, "shop/Stock");
    assert!(set.contains("stock.setWarehouse(warehouse);"), "{set}");
    assert!(tests_of(&project, "shop/Greeter").contains("@InjectMocks"), "jakarta's @Inject");
    let partly = tests_of(&project, "shop/Reminder");
    assert!(partly.contains("@InjectMocks"), "a text stays unset: {partly}");
    assert!(partly.contains("orders, signed null"), "{partly}");
    let made = tests_of(&project, "shop/Invoicing");
    assert!(made.contains("new Invoicing(orders, warehouse)"), "Lombok's constructor: {made}");
    assert!(!made.contains("@InjectMocks"), "a constructor takes them: {made}");
    assert!(made.contains("null-now") || made.contains("null-later"), "@Value: {made}");
    let both = tests_of(&project, "shop/Counter");
    assert!(both.contains("@InjectMocks"), "one is put into its field: {both}");
    assert!(both.contains("counter.setWarehouse("), "one is given to its setter: {both}");
    assert!(both.contains("waiting, closed"), "and is not there before: {both}");
    let class = tests_of(&project, "shop/Pricing");
    assert!(class.contains("when(client.cents(any())).thenReturn("), "a class is mocked: {class}");
    // Its agent writes a jar to the temporary folder.
    let temporary = format!("-Djava.io.tmpdir={}", project.path().join("target/tmp").display());
    assert_eq!(Some(passing_tests(project.path(), &[&temporary])), report["tests"].as_u64());
}

#[test]
fn tests_fail_once_the_class_does_not_call_its_mock_any_more() {
    let project = project("maven-spring");
    let report = generate(project.path(), &["--class", "org.example.shop.Restocking"]).json();
    let text = tests_of(&project, "shop/Restocking");
    assert!(text.contains("import static org.mockito.Mockito.verify;"), "{text}");
    assert!(text.contains("verify(warehouse).put("), "{text}");
    assert!(text.contains("_callsPut() {"), "{text}");
    assert!(!text.contains("assertDoesNotThrow(() -> restocking"), "{text}");
    assert!(!text.contains("NullPointerException"), "a mock that is told says more: {text}");
    let temporary = format!("-Djava.io.tmpdir={}", project.path().join("target/tmp").display());
    assert_eq!(Some(passing_tests(project.path(), &[&temporary])), report["tests"].as_u64());
    let class = project.path().join("src/main/java/org/example/shop/Restocking.java");
    let source = fs::read_to_string(&class).expect("a source");
    let less = source.replace("        warehouse.put(article, pieces);\n", "");
    assert_ne!(less, source);
    fs::write(&class, less).expect("a source");
    let said = maven_test(project.path(), &[&temporary]);
    assert_ne!(said.code(), 0, "{}", said.out);
    assert!(said.out.contains("Wanted but not invoked"), "{}{}", said.out, said.err);
}

#[test]
fn tests_with_mocks_are_the_same_again() {
    let project = project("maven-spring");
    let mut written = Vec::new();
    for jobs in ["1", "3"] {
        generate(project.path(), &["--jobs", jobs]);
        let files = files_below(&project.path().join("src/test"));
        let texts = files.iter().map(|file| fs::read_to_string(file).expect("a test"));
        written.push(texts.collect::<Vec<_>>());
    }
    assert_eq!(written[0], written[1]);
}

#[test]
fn a_junit_4_project_has_mocks_injected_by_its_runner() {
    let project = project("maven-mockito4");
    let report = generate(project.path(), &[]).json();
    let text = tests_of(&project, "mail/Postman");
    assert!(
        text.contains("@RunWith(MockitoJUnitRunner.class)\npublic class PostmanTest {"),
        "{text}"
    );
    assert!(text.contains("when(mailbox.unread()).thenReturn("), "{text}");
    assert!(text.contains("when(mailbox.unread()).thenThrow(new IOException());"), "{text}");
    let (covered, total) = branches(&report);
    assert!(covered * 100 >= total * 85, "{covered} of {total} branches: {text}");
    assert_eq!(Some(passing_tests(project.path(), &[])), report["tests"].as_u64());
}

#[test]
fn who_has_no_mockito_is_told_what_it_would_do() {
    let project = project("maven-mockito4");
    let pom = project.path().join("pom.xml");
    let text = fs::read_to_string(&pom).expect("a POM");
    let (before, rest) =
        text.split_once("    <dependency>\n      <groupId>org.mockito").expect("it");
    let (_, after) = rest.split_once("</dependency>\n").expect("its end");
    fs::write(&pom, format!("{before}{after}")).expect("a POM");
    let report = generate(project.path(), &[]).json();
    let warnings = report["warnings"].to_string();
    assert!(
        warnings.contains("org.example.mail.Postman: interfaces that nothing makes"),
        "{warnings}"
    );
    let quiet = generate(project.path(), &["--without", "mocks"]).json();
    assert!(!quiet["warnings"].to_string().contains("Mockito"), "they were not asked for");
}
