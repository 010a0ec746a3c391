//! Mocks of classes declared in Rust, and what they are asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use model::{
    Answer, ClassName, ClassSource, Implementation, Literal, Operation, Primitive, Sketch, Type,
    mockable,
};

use super::machine::{Halt, Heap, Value, null_pointer};
use super::world::World;

/// Making a mock of an interface that answers a value to each of these methods.
pub(crate) fn mock(world: &World, of: &str, told: &[&str]) -> Arc<Operation> {
    let class = world.class(&ClassName::internal(of)).expect("an interface of the test's own");
    let mut sketch = Sketch::mock(class.name.clone(), true);
    for method in mockable(world, &class, "a").expect("it can be mocked") {
        let answer = match &method.erasures[0].result {
            Some(result) if told.contains(&&*method.method().name) => {
                sketch.capture(result.clone())
            }
            _ => Answer::Default,
        };
        sketch.add(&method, &answer);
    }
    Arc::new(sketch.operation("a"))
}

/// The mocks in a heap.
#[derive(Default)]
pub(crate) struct Mocks {
    /// By their places, with what they captured.
    made: BTreeMap<usize, (Arc<Implementation>, Vec<Value>)>,
    /// The mock, the method and the arguments of each call.
    pub(crate) asked: Vec<(usize, usize, Vec<Value>)>,
    /// How many of these came before the last call of the test.
    pub(crate) before: usize,
    /// How often they answered `null` in it.
    pub(crate) nulls: u32,
}

impl Mocks {
    pub(crate) fn add(&mut self, mock: &Value, of: Arc<Implementation>, captured: Vec<Value>) {
        if let Value::Object(at) = mock {
            self.made.insert(*at, (of, captured));
        }
    }

    /// A call of the test is about to be made.
    pub(crate) fn before_call(&mut self) {
        self.before = self.asked.len();
        self.nulls = 0;
    }
}

impl Heap {
    /// How often mocks were asked so far.
    pub(crate) fn times_asked(&self) -> usize {
        self.mocks.asked.len()
    }

    /// Calls a method of the mock that an object was made with.
    pub(crate) fn ask(
        &mut self,
        object: &Value,
        method: &str,
        args: &[Value],
    ) -> Result<Value, Halt> {
        let at = self.get(object) as usize;
        let Some((of, captured)) = self.mocks.made.get(&at) else { return null_pointer(-1) };
        let mut methods = of.methods.iter().enumerate();
        let (number, method) = methods.find(|(_, m)| &*m.name == method).expect("a method of it");
        let answer = match (&method.answer, &method.result) {
            (Answer::Captured(place), _) => captured[usize::from(*place)].clone(),
            (_, Some(Type::Primitive(Primitive::Boolean))) => Value::boolean(false),
            (_, Some(Type::Primitive(primitive))) => Value::Plain(Literal::zero(*primitive)),
            _ => Value::Null,
        };
        let is_null = answer == Value::Null && method.result.is_some();
        self.mocks.nulls += u32::from(is_null);
        self.mocks.asked.push((at, number, args.to_vec()));
        Ok(answer)
    }
}
