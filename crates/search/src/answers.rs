//! What members have answered: a test shows more of a member if what it returns says something.
//!
//! Code that always returns `0`, `null` or nothing at all passes a test that saw just that. So each
//! member is to be seen with a telling answer, one with a `boolean` answer with both of them. These
//! are goals beside the probes: a test that reaches one is kept, chosen and minimized for it. They
//! count as no coverage.

use std::sync::Arc;

use model::{
    Call, ClassName, ClassSource, Hierarchy, Literal, Observation, Operation, OperationKind,
    Primitive, Type,
};
use rustc_hash::FxHashMap;

use crate::api::{Api, OpId};
use crate::executor::Executor;

/// Looks at what a member returns that are made before it counts as one that never tells anything.
const MAX_LOOKS: u32 = 5000;
/// Goals of a member: a telling answer, and one that is not.
const GOALS: usize = 2;

/// Which answers there were.
#[derive(Debug)]
pub(crate) struct Answers {
    /// The place of each member that answers, and how often it was looked at.
    places: FxHashMap<OpId, (usize, u32)>,
    reached: Vec<u8>,
}

impl Answers {
    pub(crate) fn of(api: &Api) -> Self {
        let answers = |op: &&OpId| {
            let operation = api.operation(**op);
            let kinds = [OperationKind::StaticMethod, OperationKind::InstanceMethod];
            kinds.contains(&operation.kind) && operation.result.is_some()
        };
        let places: FxHashMap<_, _> =
            api.subjects().iter().filter(answers).zip(0..).map(|(op, at)| (*op, (at, 0))).collect();
        let mut reached = vec![0; places.len() * GOALS];
        for (op, (at, _)) in &places {
            for is_telling in [true, false] {
                reached[goal_of(*at, is_telling)] =
                    u8::from(!is_goal(api.operation(*op), is_telling));
            }
        }
        Self { places, reached }
    }

    /// How many goals there are.
    pub(crate) fn len(&self) -> usize {
        self.reached.len()
    }

    /// The goal that the last call of the open test reaches, if no test did before.
    pub(crate) fn new_goal<E: Executor>(
        &mut self,
        api: &Api,
        executor: &mut E,
        call: &Call,
    ) -> Option<usize> {
        let (place, looks) = self.places.get_mut(&api.first_of(&call.op)?)?;
        let goals = *place * GOALS..(*place + 1) * GOALS;
        if *looks == MAX_LOOKS || self.reached[goals].iter().all(|reached| *reached != 0) {
            return None;
        }
        *looks += 1;
        self.goal(api, executor, call).filter(|goal| self.reached[*goal] == 0)
    }

    /// The goal that the last call of the open test reaches.
    pub(crate) fn goal<E: Executor>(
        &self,
        api: &Api,
        executor: &mut E,
        call: &Call,
    ) -> Option<usize> {
        let op = api.first_of(&call.op)?;
        let (place, _) = *self.places.get(&op)?;
        let is_telling = tells(api, executor, op, call)?;
        is_goal(&call.op, is_telling).then(|| goal_of(place, is_telling))
    }

    pub(crate) fn reach(&mut self, goal: usize) {
        self.reached[goal] = 1;
    }
}

fn goal_of(place: usize, is_telling: bool) -> usize {
    place * GOALS + usize::from(!is_telling)
}

/// Whether a member is to be seen with such an answer: `false` says as much as `true`, but zero and
/// nothing say little.
fn is_goal(op: &Operation, is_telling: bool) -> bool {
    is_telling || op.result == Some(Type::Primitive(Primitive::Boolean))
}

/// Whether what the last call returned is telling: `true`, a number but zero, a text, elements, an
/// object.
fn tells<E: Executor>(api: &Api, executor: &mut E, op: OpId, call: &Call) -> Option<bool> {
    let result = call.result?;
    let is_blank = if call.op.result.as_ref().is_some_and(|ty| matches!(ty, Type::Primitive(_))) {
        is_blank_literal(&executor.primitive(result)?)
    } else if executor.is_null(result) {
        true
    } else if let Some((question, if_empty)) = api.emptiness(op) {
        // Code of the project is not run for this: it would count as run by the test.
        let of_jdk = |ty: Type| matches!(ty, Type::Class(c) if c.package() == "java/util");
        let value = Literal::Boolean(*if_empty);
        executor.class_of(result).is_some_and(of_jdk)
            && executor.view(std::slice::from_ref(question), result)
                == Some(Observation::Value { value, boxed: false })
    } else {
        is_blank(&executor.observe(result))
    };
    Some(!is_blank)
}

/// Whether what was observed is what code returns that does nothing.
pub(crate) fn is_blank(observed: &Observation) -> bool {
    match observed {
        Observation::Nothing | Observation::Null => true,
        Observation::Value { value, .. } => is_blank_literal(value),
        Observation::Array { length, .. } => *length == 0,
        Observation::Object { views, .. } => {
            !views.is_empty() && views.iter().all(|(_, seen)| is_blank(seen))
        }
        Observation::Enum { .. } => false,
    }
}

fn is_blank_literal(value: &Literal) -> bool {
    match value {
        Literal::Boolean(value) => !value,
        Literal::String(text) => text.units().is_empty(),
        Literal::Null => true,
        other => other.primitive().is_some_and(|primitive| *other == Literal::zero(primitive)),
    }
}

/// What tells whether values of a type hold anything, and what it says if they do not: `isEmpty` of
/// the JDK's containers, `isPresent` of an `Optional`.
pub(crate) fn emptiness(classes: &dyn ClassSource, ty: &Type) -> Option<(Arc<Operation>, bool)> {
    let Type::Class(name) = ty else { return None };
    let questions = [
        ("java/util/Collection", "isEmpty", true),
        ("java/util/Map", "isEmpty", true),
        ("java/util/Optional", "isPresent", false),
    ];
    let is = |class: &str| classes.is_subclass(name, &ClassName::internal(class));
    let (class, question, if_empty) = questions.into_iter().find(|(class, _, _)| is(class))?;
    let class = classes.class(&ClassName::internal(class))?;
    let method = class.methods.iter().find(|m| &*m.name == question)?;
    Some((Arc::new(Operation::of_method(&class, method)), if_empty))
}
