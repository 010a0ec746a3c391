//! HotSpot's verifier accepts every instrumented class.

use instrument::Options;

use crate::harness::jdk::{java_base, jdk_homes};
use crate::harness::verify::verify;

/// Booting with this is a test by itself: the JVM runs on an instrumented `java.base`.
#[test]
fn jvms_boot_on_an_instrumented_java_base_and_verify_all_of_it() {
    let homes = jdk_homes();
    assert!(!homes.is_empty(), "these tests need a JDK: set JAVA_HOME");
    for home in homes {
        let scratch = tempfile::tempdir().expect("a scratch directory");
        let base = java_base(&home, scratch.path());
        let options = Options { coverage: true, steps: true, comparisons: true };
        let report = verify(&home, &base, &[], &options, true);
        assert!(report.mismatches.is_empty(), "{}", report.mismatches.join("\n"));
        assert!(report.linked > 5000, "{report:?}");
        assert!(report.probes > 100_000, "{report:?}");
        let others: Vec<_> =
            report.skipped.iter().filter(|text| !text.ends_with("EmptyFinalizer")).collect();
        assert!(others.is_empty(), "{others:?}");
    }
}
