//! What tests with mocks need where they are checked.
//!
//! Mockito's usual way to make a mock is to instrument classes, for which it attaches an agent to its
//! own JVM. A runner starts no process and lets nobody attach, so there Mockito is told, by a file
//! beside the tests, to make mocks by subclassing, which all its versions can. For what is mocked
//! (`model::mockable`: nothing final) the two do the same.

use std::io;
use std::path::Path;

/// Where Mockito looks for what makes its mocks.
const MOCK_MAKER: &str = "mockito-extensions/org.mockito.plugins.MockMaker";
/// What makes them by subclassing, under a name that every version since Mockito 2 has.
const BY_SUBCLASSING: &str = "org.mockito.internal.creation.bytebuddy.ByteBuddyMockMaker";

/// Has Mockito work in a runner, for compiled tests in a folder, if their source uses it.
pub(crate) fn prepare(source: &str, folder: &Path) -> io::Result<()> {
    if source.contains("org.mockito.") { by_subclassing(folder) } else { Ok(()) }
}

/// Has Mockito work in a runner where this folder stands before all others on the class path.
pub(crate) fn by_subclassing(folder: &Path) -> io::Result<()> {
    let file = folder.join(MOCK_MAKER);
    std::fs::create_dir_all(file.parent().unwrap_or(folder))?;
    std::fs::write(file, BY_SUBCLASSING)
}
