//! What a test class has around its tests if Mockito makes the object under test: the fields, and who
//! has Mockito fill them.

use model::ClassName;

use crate::Junit;
use crate::body::Injected;
use crate::doc::Doc;
use crate::imports::Spelling;
use crate::literal::generic_doc;

const MOCK: &str = "org/mockito/Mock";
const INJECT_MOCKS: &str = "org/mockito/InjectMocks";

/// Fields for an object and its mocks.
pub(crate) struct Injection<'a> {
    injected: &'a Injected,
    /// The annotation of the class, and the class it names.
    runs: (&'static str, &'static str),
}

impl<'a> Injection<'a> {
    pub(crate) fn new(junit: Junit, injected: &'a Injected) -> Self {
        let runs = match junit {
            Junit::Four { .. } => {
                ("org/junit/runner/RunWith", "org/mockito/junit/MockitoJUnitRunner")
            }
            Junit::Five => (
                "org/junit/jupiter/api/extension/ExtendWith",
                "org/mockito/junit/jupiter/MockitoExtension",
            ),
        };
        Self { injected, runs }
    }

    /// All classes that are named.
    pub(crate) fn classes(&self) -> Vec<ClassName> {
        let mut found = vec![ClassName::internal(MOCK), ClassName::internal(INJECT_MOCKS)];
        found.extend([self.runs.0, self.runs.1].map(ClassName::internal));
        for (ty, _) in self.injected.mocks.iter().chain([&self.injected.object]) {
            generic_doc(ty).classes(&mut found);
        }
        found
    }

    /// What stands before the class.
    pub(crate) fn annotation(&self, names: &Spelling) -> String {
        let of = |class| names.of(&ClassName::internal(class));
        format!("@{}({}.class)\n", of(self.runs.0), of(self.runs.1))
    }

    /// The fields, and an empty line after each.
    pub(crate) fn fields(&self, names: &Spelling) -> String {
        let mut out = String::new();
        let mocks = self.injected.mocks.iter().map(|field| (MOCK, field));
        for (annotation, (ty, name)) in mocks.chain([(INJECT_MOCKS, &self.injected.object)]) {
            out.push_str(&format!("    @{}\n", names.of(&ClassName::internal(annotation))));
            out.push_str("    private ");
            let doc = Doc::Seq(vec![generic_doc(ty), Doc::text(format!(" {name};"))]);
            doc.layout(names, 4, &mut out);
            out.push_str("\n\n");
        }
        out
    }
}
