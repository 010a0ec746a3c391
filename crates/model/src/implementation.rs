//! A class written on the spot: a lambda, an anonymous class of the test, or a mock.
//!
//! What its methods answer is data, so that every part can do its own with it: the executor makes a
//! class of it, the search chooses the values it captures like any other arguments, the writer
//! spells it.
//!
//! Invariant: the name of the class depends on what it does alone, so that every process that runs
//! the operation defines the same class.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::{ClassName, MethodDescriptor, Operation, OperationKind, Type, Unimplemented};

/// What the local names of such classes begin with while tests are searched.
const PREFIX: &str = "Testhound$$";

/// What a method of a class written on the spot does.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// It returns; for `void` methods.
    Nothing,
    /// It returns a value that was given when the object was made, by its place in the operation's
    /// parameters.
    Captured(u16),
    /// It returns a `boolean` that was given so at first, and `false` from then on: there is one more,
    /// then none.
    First(u16),
    /// It returns an argument of its own.
    Argument(u16),
    /// It throws a new exception of this class.
    Throws(ClassName),
    /// It returns what a mock answers that was told nothing: zero, nothing, an empty collection.
    Default,
}

/// A method as the JVM sees it. A method of the source that has several erasures is several of
/// these, with the same answer.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct ImplementedMethod {
    /// Its name.
    pub name: Arc<str>,
    /// Its erased parameters.
    pub params: Vec<Type>,
    /// Its erased result, `None` for `void`.
    pub result: Option<Type>,
    /// What it does.
    pub answer: Answer,
}

impl ImplementedMethod {
    /// The JVM descriptor.
    pub fn descriptor(&self) -> String {
        MethodDescriptor { params: self.params.clone(), result: self.result.clone() }.to_string()
    }
}

/// What a class written on the spot is.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Implementation {
    /// The class that stands for it while tests are searched, in the package of the test.
    pub class: ClassName,
    /// Whether it implements an interface; else it extends a class.
    pub is_interface: bool,
    /// Whether it is a mock: an object that no constructor made, with an answer for every method.
    pub is_mock: bool,
    /// How many of the operation's parameters go to the constructor of the class it extends; the
    /// others are captured.
    pub given: u16,
    /// The methods it implements.
    pub methods: Vec<ImplementedMethod>,
}

impl Implementation {
    /// The method of a mock's class that takes the values it answers, in place of a constructor.
    pub const TOLD: &str = "testhound$$told";

    /// Whether a class is one of those that stand for what tests write on the spot.
    pub fn is_name_of_one(name: &str) -> bool {
        name.rsplit(['/', '.']).next().is_some_and(|local| local.starts_with(PREFIX))
    }

    /// Whether a text tells the name of such a class.
    pub fn is_named_in(text: &str) -> bool {
        text.contains(PREFIX)
    }
}

/// A class to be written on the spot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sketch {
    /// The interface or class it implements or extends.
    pub of: ClassName,
    /// Whether that is an interface.
    pub is_interface: bool,
    /// Whether it is a mock.
    pub is_mock: bool,
    /// The parameters of the constructor it calls.
    pub given: Vec<Type>,
    /// The types of the values it captures.
    pub captured: Vec<Type>,
    /// The methods it implements; captured values are numbered behind those given.
    pub methods: Vec<ImplementedMethod>,
}

impl Sketch {
    /// A class that implements or extends this one, without any method yet.
    pub fn new(of: ClassName, is_interface: bool) -> Self {
        let (given, captured, methods) = (Vec::new(), Vec::new(), Vec::new());
        Self { of, is_interface, is_mock: false, given, captured, methods }
    }

    /// A mock of this class, without any method yet.
    pub fn mock(of: ClassName, is_interface: bool) -> Self {
        Self { is_mock: true, ..Self::new(of, is_interface) }
    }

    /// Has all erasures of a method answer this.
    pub fn add(&mut self, method: &Unimplemented, answer: &Answer) {
        for erasure in &method.erasures {
            self.methods.push(ImplementedMethod {
                name: method.method().name.clone(),
                params: erasure.params.clone(),
                result: erasure.result.clone(),
                answer: answer.clone(),
            });
        }
    }

    /// The place a value captured next will have among the operation's parameters.
    pub fn next_capture(&self) -> u16 {
        (self.given.len() + self.captured.len()) as u16
    }

    /// Captures one more value.
    pub fn capture(&mut self, ty: Type) -> Answer {
        let place = self.next_capture();
        self.captured.push(ty);
        Answer::Captured(place)
    }

    /// Making an object of it in a test of this package.
    pub fn operation(self, package: &str) -> Operation {
        let given = self.given.len() as u16;
        let mut params = self.given;
        params.extend(self.captured);
        let mut implementation = Implementation {
            class: self.of.clone(),
            is_interface: self.is_interface,
            is_mock: self.is_mock,
            given,
            methods: self.methods,
        };
        let slash = if package.is_empty() { "" } else { "/" };
        let content = format!("{} {params:?} {implementation:?}", self.of);
        let local = self.of.local();
        let name = format!("{package}{slash}{PREFIX}{local}$${:016x}", fnv(content.as_bytes()));
        implementation.class = ClassName::internal(&name);
        Operation {
            kind: OperationKind::Implement,
            owner: self.of.clone(),
            name: "".into(),
            params,
            result: Some(Type::Class(self.of)),
            implementation: Some(Arc::new(implementation)),
        }
    }
}

impl Operation {
    /// What the class is if the operation makes a mock.
    pub fn as_mock(&self) -> Option<&Implementation> {
        self.implementation.as_deref().filter(|implementation| implementation.is_mock)
    }

    /// The same mock without the answer that it captures at a place, which is then what mocks
    /// answer that were told nothing.
    pub fn without_answer(&self, place: usize) -> Option<Self> {
        let mock = self.as_mock().filter(|_| place < self.params.len())?;
        let mut captured = self.params.clone();
        captured.remove(place);
        let mut methods = mock.methods.clone();
        for method in &mut methods {
            if let Answer::Captured(at) | Answer::First(at) = &mut method.answer {
                match usize::from(*at) {
                    own if own == place => method.answer = Answer::Default,
                    own if own > place => *at -= 1,
                    _ => {}
                }
            }
        }
        Some(self.told(mock, captured, methods))
    }

    /// The same mock with methods that answer instead of throwing, if any throws.
    pub fn without_exceptions(&self) -> Option<Self> {
        let mock = self.as_mock()?;
        let mut methods = mock.methods.clone();
        let throws = |method: &&mut ImplementedMethod| matches!(method.answer, Answer::Throws(_));
        let changed = methods.iter_mut().filter(throws);
        let changed = changed.map(|method| method.answer = Answer::Default).count();
        (changed > 0).then(|| self.told(mock, self.params.clone(), methods))
    }

    fn told(
        &self,
        mock: &Implementation,
        captured: Vec<Type>,
        methods: Vec<ImplementedMethod>,
    ) -> Self {
        let blank = Sketch::mock(self.owner.clone(), mock.is_interface);
        Sketch { captured, methods, ..blank }.operation(mock.class.package())
    }
}

/// FNV-1a: the same in every process, unlike the hashes of the standard library.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// `{ get: java.lang.String }`, for messages and reports.
pub(crate) fn describe(op: &Operation, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(implementation) = &op.implementation else { return Ok(()) };
    if implementation.is_mock {
        write!(f, "mock {} {{", op.owner)?;
    } else {
        write!(f, "new {}(", op.owner)?;
        for (i, param) in op.params.iter().take(implementation.given.into()).enumerate() {
            write!(f, "{}{param}", if i == 0 { "" } else { ", " })?;
        }
        f.write_str(") {")?;
    }
    let told = implementation.methods.iter().filter(|method| method.answer != Answer::Default);
    for (i, method) in told.enumerate() {
        write!(f, "{} {}", if i == 0 { "" } else { ";" }, method.name)?;
        match &method.answer {
            Answer::Nothing | Answer::Default => {}
            Answer::Captured(place) => write!(f, ": {}", op.params[usize::from(*place)])?,
            Answer::First(place) => write!(f, ": {} once", op.params[usize::from(*place)])?,
            Answer::Argument(place) => write!(f, ": argument {}", place + 1)?,
            Answer::Throws(class) => write!(f, " throws {class}")?,
        }
    }
    f.write_str(" }")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supplier(of: Type) -> Operation {
        let mut sketch = Sketch::new(ClassName::internal("java/util/function/Supplier"), true);
        let answer = sketch.capture(of);
        let result = Some(Type::object());
        sketch.methods.push(ImplementedMethod {
            name: "get".into(),
            params: vec![],
            result,
            answer,
        });
        sketch.operation("a/b")
    }

    #[test]
    fn what_answers_differently_has_another_class() {
        let class = |of| supplier(of).implementation.map(|i| i.class.clone());
        assert_eq!(class(Type::string()), class(Type::string()));
        assert_ne!(class(Type::string()), class(Type::object()));
        let name = class(Type::string()).expect("it is an implementation");
        assert_eq!(name.package(), "a/b");
        assert!(Implementation::is_name_of_one(name.as_internal()));
        assert!(Implementation::is_name_of_one(&name.to_binary()));
        assert!(Implementation::is_named_in(&format!("[{name}@1f]")));
        assert!(!Implementation::is_name_of_one("a/b/Testhound"));
    }

    #[test]
    fn it_is_made_like_an_object_of_its_class_and_shown_by_its_answers() {
        let op = supplier(Type::string());
        assert_eq!(op.descriptor(), "(Ljava/lang/String;)V");
        let shown = "new java.util.function.Supplier() { get: java.lang.String }";
        assert_eq!(op.to_string(), shown);
    }

    #[test]
    fn a_mock_may_lose_an_answer_and_keeps_the_others() {
        let mut sketch = Sketch::mock(ClassName::internal("a/b/Repository"), true);
        for (name, result) in [("count", Type::object()), ("find", Type::string())] {
            let answer = sketch.capture(result.clone());
            let result = Some(result);
            let method = ImplementedMethod { name: name.into(), params: vec![], result, answer };
            sketch.methods.push(method);
        }
        let op = sketch.operation("a/b");
        assert_eq!(
            op.to_string(),
            "mock a.b.Repository { count: java.lang.Object; find: java.lang.String }"
        );
        let less = op.without_answer(0).expect("it has that answer");
        assert_eq!(less.params, [Type::string()]);
        assert_eq!(less.to_string(), "mock a.b.Repository { find: java.lang.String }");
        assert_ne!(less.made_class(), op.made_class());
        assert_eq!(less.without_answer(1), None);
        assert_eq!(supplier(Type::string()).without_answer(0), None, "it is no mock");
    }
}
