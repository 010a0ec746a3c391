//! Broken clauses in tests, as plain assertions: in the types of test cases, so that tests can be
//! written with them.

use classpath::World;
use contracts::restate::{self, Asserted, Called, Library, Piece, Place};
use contracts::weave::Clause;
use model::{
    Call, Claim, ClassName, FailureKind, Hierarchy, KeptValue, Literal, OperationKind, Primitive,
    Restated, TestCase, Type, UnitTest,
};

use super::checking::Checked;
use super::world::Compiled;

/// A failing test whose broken clause plain Java cannot say, and why.
#[derive(Debug)]
pub(crate) struct Unsaid {
    pub(crate) test: UnitTest,
    pub(crate) reason: String,
}

impl Checked {
    /// Fills in what failing tests say of the clauses they break; `world` has the classes as they
    /// are. Takes those out that say nothing, with the reason: a test does not fail without it.
    pub(crate) fn restate(&self, tests: &mut Vec<UnitTest>, world: &World) -> Vec<Unsaid> {
        let mut unsaid = Vec::new();
        for mut test in std::mem::take(tests) {
            match self.restate_one(&mut test, world) {
                Ok(()) => tests.push(test),
                Err(reason) => unsaid.push(Unsaid { test, reason }),
            }
        }
        unsaid
    }

    fn restate_one(&self, test: &mut UnitTest, world: &World) -> Result<(), String> {
        let Some(failure) = &mut test.failure else { return Ok(()) };
        let FailureKind::Breach { breach, restated } = &mut failure.kind else { return Ok(()) };
        let Some(clause) = self.clause(breach.clause) else { return Ok(()) };
        let said = self.restated(clause, &test.case, world)?;
        give_result(&mut test.case, &said);
        *restated = Some(Box::new(said));
        Ok(())
    }

    fn restated(
        &self,
        clause: &Clause,
        case: &TestCase,
        world: &World,
    ) -> Result<Restated, String> {
        let call = case.calls.last().ok_or("the test calls nothing")?;
        let class = named(&call.op.owner);
        let package = call.op.owner.package().replace('/', ".");
        let place = Place {
            file: &clause.file,
            line: clause.line,
            column: clause.column,
            keyword: &clause.keyword,
        };
        let called = Called {
            class: &class,
            method: &call.op.name,
            has_receiver: call.op.has_receiver(),
            arguments: arguments(call, case),
            package: &package,
        };
        let compiled = Compiled(world);
        let said = restate::restate(&self.sources, &compiled, &place, &called)?;
        compiled.restated(said)
    }
}

fn arguments(call: &Call, case: &TestCase) -> Vec<Option<String>> {
    let given = call.args.iter().skip(usize::from(call.op.has_receiver()));
    given
        .map(|slot| {
            let is_null = case.slots[slot.index()].init == Some(Literal::Null);
            (!is_null).then(|| case.ty(*slot).to_string().replace('$', "."))
        })
        .collect()
}

/// Keeps what the last call gives, if that is spoken of.
fn give_result(case: &mut TestCase, said: &Restated) {
    let Some(last) = case.calls.last() else { return };
    let makes = last.op.kind == OperationKind::Constructor;
    let speaks =
        said.mentions(&model::Piece::Result) || makes && said.mentions(&model::Piece::Receiver);
    let (true, None, Some(ty)) = (speaks, last.result, last.op.result.clone()) else { return };
    let slot = case.slot(ty);
    if let Some(last) = case.calls.last_mut() {
        last.result = Some(slot);
    }
}

impl Compiled<'_> {
    fn restated(&self, said: restate::Restated) -> Result<Restated, String> {
        let mut before = Vec::new();
        for kept in said.before {
            let ty = self.ty(&kept.ty)?;
            before.push(KeptValue { name: kept.name, ty, value: self.template(kept.value)? });
        }
        let mut claims = Vec::new();
        for claim in said.claims {
            let of: Result<Vec<model::Template>, String> =
                claim.of.into_iter().map(|of| self.template(of)).collect();
            claims.push(Claim { asserted: asserted(claim.asserted), of: of? });
        }
        Ok(Restated { before, claims, variables: said.variables, throws: said.throws })
    }

    fn template(&self, template: restate::Template) -> Result<model::Template, String> {
        let pieces = template.into_iter().map(|piece| {
            Ok(match piece {
                Piece::Text(text) => model::Piece::Text(text),
                Piece::Receiver => model::Piece::Receiver,
                Piece::Argument(at) => model::Piece::Argument(at),
                Piece::Result => model::Piece::Result,
                Piece::Kept(at) | Piece::Narrow(at) => model::Piece::Kept(at),
                Piece::Variable(at) => model::Piece::Variable(at),
                Piece::Class(name) => model::Piece::Class(self.class_name(&name)?),
            })
        });
        pieces.collect()
    }

    fn class_name(&self, name: &str) -> Result<ClassName, String> {
        let class = self.class(name).ok_or_else(|| format!("there is no class `{name}`"))?;
        Ok(class.name.clone())
    }

    fn ty(&self, name: &str) -> Result<Type, String> {
        if let Some(element) = name.strip_suffix("[]") {
            return Ok(self.ty(element)?.array_of());
        }
        match Primitive::ALL.into_iter().find(|primitive| primitive.keyword() == name) {
            Some(primitive) => Ok(Type::Primitive(primitive)),
            None => Ok(Type::Class(self.class_name(name)?)),
        }
    }
}

fn asserted(how: Asserted) -> model::Asserted {
    match how {
        Asserted::True => model::Asserted::True,
        Asserted::False => model::Asserted::False,
        Asserted::Equal => model::Asserted::Equal,
        Asserted::Same => model::Asserted::Same,
        Asserted::NotSame => model::Asserted::NotSame,
        Asserted::Null => model::Asserted::Null,
        Asserted::NotNull => model::Asserted::NotNull,
        Asserted::Unreached => model::Asserted::Unreached,
    }
}

impl Library for Compiled<'_> {
    fn has_class(&self, name: &str) -> bool {
        self.class(name).is_some()
    }

    fn field(&self, class: &str, name: &str) -> Option<String> {
        let class = self.class(class)?;
        let all = self.0.supertypes(&class.name);
        let field = all.iter().find_map(|class| class.field(name).map(|field| field.ty.clone()))?;
        Some(field.to_string().replace('$', "."))
    }

    fn result(&self, class: &str, method: &str, parameters: usize) -> Option<String> {
        let class = self.class(class)?;
        let all = self.0.supertypes(&class.name);
        let found = all.iter().flat_map(|class| &class.methods).filter(|found| {
            *found.name == *method
                && found.params.len() == parameters
                && !found.access.is_synthetic()
        });
        let mut results: Vec<String> =
            found.filter_map(|found| Some(found.result.as_ref()?.to_string())).collect();
        results.dedup();
        // Overloads may result in this or that.
        let primitive = |name: &String| Primitive::ALL.iter().any(|p| p.keyword() == name);
        let is_certain = results.len() == 1 || !results.iter().any(primitive);
        results.into_iter().next().filter(|_| is_certain).map(|name| name.replace('$', "."))
    }
}

fn named(class: &ClassName) -> String {
    class.to_binary().replace('$', ".")
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Arc;

    use classpath::JdkImage;
    use contracts::restate::restate;

    use super::*;

    fn world(text: &str) -> (World, tempfile::TempDir) {
        let home = testkit::jdk_homes().remove(0);
        let folder = testkit::compile_text(&home, &[], "Stack.java", text);
        let jdk = Arc::new(JdkImage::open(&home).unwrap());
        let classes: Vec<PathBuf> = vec![folder.path().to_owned()];
        (World::new(&classes, &[], jdk), folder)
    }

    const STACK: &str = "
package p;
import java.util.*;
public class Stack {
    private final List<Object> items = new ArrayList<>();
    /*@ ensures size() == \\old(size()) + 1 && \\result.items == items
      @      && (\\forall int i; 0 <= i && i < size(); get(i) != null); */
    public Stack push(Object item) { return this; }
    public int size() { return items.size(); }
    public Object get(int at) { return items.get(at); }
    List<Object> items() { return items; }
}
";

    #[test]
    fn what_is_restated_names_compiled_classes_and_types() {
        let (world, _folder) = world(STACK);
        let (source, _) = contracts::parse("Stack.java", STACK);
        let place = Place { file: "Stack.java", line: 6, column: 9, keyword: "ensures" };
        let called = Called {
            class: "p.Stack",
            method: "push",
            has_receiver: true,
            arguments: vec![Some("java.lang.Object".to_owned())],
            package: "p",
        };
        let compiled = Compiled(&world);
        let said = restate(&[source], &compiled, &place, &called).unwrap();
        let said = compiled.restated(said).unwrap();
        let kept: Vec<String> = said.before.iter().map(|kept| kept.ty.descriptor()).collect();
        assert_eq!(kept, ["J"]);
        let stream = ClassName::internal("java/util/stream/IntStream");
        assert!(said.mentions(&model::Piece::Class(stream)));
        let how: Vec<model::Asserted> = said.claims.iter().map(|claim| claim.asserted).collect();
        assert_eq!(how, [model::Asserted::Equal, model::Asserted::Same, model::Asserted::True]);
    }

    #[test]
    fn results_of_compiled_methods_are_known_if_all_agree() {
        let (world, _folder) = world(STACK);
        let check = |class: &str, method: &str, parameters: usize, expect: Option<&str>| {
            let found = Compiled(&world).result(class, method, parameters);
            assert_eq!(found.as_deref(), expect, "{class}.{method}");
        };
        check("java.util.List", "size", 0, Some("int"));
        check("java.util.Map.Entry", "getKey", 0, Some("java.lang.Object"));
        check("java.lang.Math", "abs", 1, None);
        check("java.lang.String", "unheard", 0, None);
        assert_eq!(Compiled(&world).ty("p.Stack[]").unwrap().descriptor(), "[Lp/Stack;");
        assert!(Compiled(&world).ty("p.Unheard").is_err());
    }
}
