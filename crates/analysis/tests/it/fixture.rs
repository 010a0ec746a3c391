//! JDKs and compiled fixtures to test with.

use std::sync::Arc;

use classpath::JdkImage;
use tempfile::TempDir;
use testkit::jdk_homes;

/// All JDKs at hand, opened.
pub fn jdks() -> Vec<Arc<JdkImage>> {
    jdk_homes().iter().map(|home| Arc::new(JdkImage::open(home).unwrap())).collect()
}

/// Any JDK.
pub fn jdk() -> Arc<JdkImage> {
    Arc::new(JdkImage::open(&jdk_homes()[0]).unwrap())
}

/// Compiles a source file, given as its name and text, to a directory of classes.
pub fn compile(jdk: &JdkImage, options: &[&str], file: &str, text: &str) -> TempDir {
    testkit::compile_text(jdk.home(), options, file, text)
}
