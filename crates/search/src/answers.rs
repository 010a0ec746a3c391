//! What members have answered: a test shows more of a member if what it returns says something.
//!
//! Code that always returns `0`, `null` or nothing at all passes a test that saw just that. So each
//! member is to be seen with a telling answer, one with a `boolean` answer with both of them. And what
//! holds for a small number need not hold for a negative or a large one, nor what holds for one
//! element for several. So each of these kinds of answers is a goal too, as far as a member has it. Of
//! a member that answers nothing it is one that it returns.
//!
//! These are goals beside the probes: a test that reaches one is kept, chosen and minimized for it.
//! They count as no coverage. Their number is bounded by that of the members, not by time.

use std::sync::Arc;

use model::{
    Call, ClassName, ClassSource, Hierarchy, Literal, Observation, Operation, OperationKind,
    Primitive, Type,
};
use rustc_hash::FxHashMap;

use crate::api::{Api, OpId};
use crate::executor::Executor;

/// Looks at what a member returns that are all made.
const ALWAYS: u32 = 1000;
/// After that, at one of so many.
const SOMETIMES: u32 = 8;
/// Calls of a member after which it counts as one that never tells anything else.
const MAX_CALLS: u32 = 30_000;
/// Numbers beyond this are large: they would not be the same if they were cut to a byte.
const LARGE: u64 = 127;
/// Goals of a member.
const GOALS: usize = Kind::ALL.len();

/// A kind of answer that is worth a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// `true`, a number but zero, a text, elements, an object.
    Telling,
    /// `false`: it says as much as `true`. Zero and nothing say little.
    False,
    /// A number above zero that is not large: what most callers see.
    Small,
    /// A number below zero.
    Negative,
    /// A number far from zero, an infinite one.
    Large,
    /// What is no number.
    NoNumber,
    /// More elements than one.
    Several,
    /// Of a member that answers nothing: that it returns. Else one that others call would have no test
    /// of its own.
    Done,
}

impl Kind {
    const ALL: [Self; 8] = [
        Self::Telling,
        Self::False,
        Self::Small,
        Self::Negative,
        Self::Large,
        Self::NoNumber,
        Self::Several,
        Self::Done,
    ];

    /// Whether a member is to be seen with such an answer.
    fn is_goal(self, op: &Operation, has_elements: bool) -> bool {
        let Some(ty) = &op.result else { return self == Self::Done };
        let number = match ty {
            Type::Primitive(primitive) => Some(*primitive),
            Type::Class(name) => Primitive::unboxed(name.as_internal()),
            Type::Array(_) => None,
        };
        // Nobody cares which number a hash code is.
        let number = number.filter(|_| &*op.name != "hashCode");
        let is_real = matches!(number, Some(Primitive::Float | Primitive::Double));
        match self {
            Self::Telling => true,
            Self::False => *ty == Type::Primitive(Primitive::Boolean),
            Self::Negative => {
                number.is_some_and(|number| !matches!(number, Primitive::Boolean | Primitive::Char))
            }
            Self::Small | Self::Large => number.is_some_and(|number| {
                !matches!(number, Primitive::Boolean | Primitive::Char | Primitive::Byte)
            }),
            Self::NoNumber => is_real,
            Self::Several => has_elements || matches!(ty, Type::Array(_)),
            Self::Done => false,
        }
    }

    /// Whether a value is one of this kind.
    fn is_of(self, value: &Literal) -> bool {
        let real = match value {
            Literal::Float(value) => Some(f64::from(*value)),
            Literal::Double(value) => Some(*value),
            _ => None,
        };
        match self {
            Self::Telling => !is_blank_literal(value),
            Self::False => *value == Literal::Boolean(false),
            Self::Small => {
                value.whole().is_some_and(|n| n > 0 && n.unsigned_abs() <= LARGE)
                    || real.is_some_and(|real| real > 0.0 && real.is_finite())
            }
            Self::Negative => {
                value.whole().is_some_and(|n| n < 0) || real.is_some_and(|real| real < 0.0)
            }
            Self::Large => {
                value.whole().is_some_and(|n| n.unsigned_abs() > LARGE)
                    || real.is_some_and(f64::is_infinite)
            }
            Self::NoNumber => real.is_some_and(f64::is_nan),
            Self::Several | Self::Done => false,
        }
    }
}

#[derive(Debug)]
struct Place {
    /// Where the goals of the member begin.
    first: usize,
    calls: u32,
}

/// Which answers there were.
#[derive(Debug)]
pub(crate) struct Answers {
    /// The place of each member.
    places: FxHashMap<OpId, Place>,
    /// A byte for each kind of answer of each member, which is not 0 if it is reached or no goal.
    reached: Vec<u8>,
}

impl Answers {
    pub(crate) fn of(api: &Api) -> Self {
        let answers = |op: &&OpId| {
            let operation = api.operation(**op);
            let kinds = [OperationKind::StaticMethod, OperationKind::InstanceMethod];
            kinds.contains(&operation.kind)
        };
        let members: Vec<OpId> = api.subjects().iter().filter(answers).copied().collect();
        let mut reached = vec![1; members.len() * GOALS];
        let mut places = FxHashMap::default();
        for (op, at) in members.into_iter().zip(0..) {
            let first = at * GOALS;
            for (kind, goal) in Kind::ALL.into_iter().zip(first..) {
                let is_goal = kind.is_goal(api.operation(op), api.element_count(op).is_some());
                reached[goal] = u8::from(!is_goal);
            }
            places.insert(op, Place { first, calls: 0 });
        }
        Self { places, reached }
    }

    /// How many goals there are.
    pub(crate) fn len(&self) -> usize {
        self.reached.len()
    }

    /// Whether a goal says that an answer tells anything at all.
    pub(crate) fn is_of_telling(goal: usize) -> bool {
        Kind::ALL.get(goal % GOALS).is_some_and(|kind| matches!(kind, Kind::Telling | Kind::False))
    }

    /// The goals that the last call of the open test reaches, which no test did before.
    pub(crate) fn new_goals<E: Executor>(
        &mut self,
        api: &Api,
        executor: &mut E,
        call: &Call,
    ) -> Vec<usize> {
        let place = api.first_of(&call.op).and_then(|op| self.places.get_mut(&op));
        let Some(place) = place.filter(|place| place.calls < MAX_CALLS) else {
            return Vec::new();
        };
        let kinds = place.first..place.first + GOALS;
        if self.reached[kinds].iter().all(|reached| *reached != 0) {
            return Vec::new();
        }
        place.calls += 1;
        if place.calls > ALWAYS && !place.calls.is_multiple_of(SOMETIMES) {
            return Vec::new();
        }
        let mut goals = self.goals(api, executor, call);
        goals.retain(|goal| self.reached[*goal] == 0);
        goals
    }

    /// The goals that the last call of the open test reaches by returning.
    pub(crate) fn goals<E: Executor>(
        &self,
        api: &Api,
        executor: &mut E,
        call: &Call,
    ) -> Vec<usize> {
        let found = api.first_of(&call.op).and_then(|op| Some((op, self.places.get(&op)?)));
        let Some((op, place)) = found else { return Vec::new() };
        if call.op.result.is_none() {
            let done =
                Kind::ALL.into_iter().zip(place.first..).find(|(kind, _)| *kind == Kind::Done);
            return done.map(|(_, goal)| goal).into_iter().collect();
        }
        let Some(result) = call.result else { return Vec::new() };
        let has_elements = api.element_count(op).is_some();
        let seen = Seen::of(api, executor, op, call, result);
        let kinds = Kind::ALL.into_iter().zip(place.first..);
        let reached = kinds.filter(|(kind, _)| {
            kind.is_goal(&call.op, has_elements) && seen.as_ref().is_some_and(|s| s.is(*kind))
        });
        reached.map(|(_, goal)| goal).collect()
    }

    pub(crate) fn reach(&mut self, goal: usize) {
        self.reached[goal] = 1;
    }
}

/// What a call returned, as far as kinds of answers go.
enum Seen {
    Value(Literal),
    /// So many elements.
    Elements(u32),
    /// Something, or nothing.
    Object {
        is_blank: bool,
    },
}

impl Seen {
    /// What the last call of the open test returned.
    fn of<E: Executor>(
        api: &Api,
        executor: &mut E,
        op: OpId,
        call: &Call,
        result: model::Slot,
    ) -> Option<Self> {
        if call.op.result.as_ref().is_some_and(|ty| matches!(ty, Type::Primitive(_))) {
            return executor.primitive(result).map(Self::Value);
        }
        if executor.is_null(result) {
            return Some(Self::Object { is_blank: true });
        }
        if let Some(question) = api.element_count(op) {
            // Code of the project is not run for this: it would count as run by the test.
            let of_jdk = |ty: Type| matches!(ty, Type::Class(c) if c.package() == "java/util");
            let asked = executor.class_of(result).is_some_and(of_jdk);
            let seen = asked.then(|| executor.view(std::slice::from_ref(question), result));
            return Some(match seen.flatten() {
                Some(Observation::Value { value: Literal::Int(count), .. }) => {
                    Self::Elements(count.max(0) as u32)
                }
                Some(Observation::Value { value, .. }) => Self::Value(value),
                _ => Self::Object { is_blank: false },
            });
        }
        Some(match executor.observe(result) {
            Observation::Value { value, .. } => Self::Value(value),
            Observation::Array { length, .. } => Self::Elements(length),
            other => Self::Object { is_blank: is_blank(&other) },
        })
    }

    fn is(&self, kind: Kind) -> bool {
        match (self, kind) {
            (Self::Value(value), kind) => kind.is_of(value),
            (Self::Elements(count), Kind::Telling) => *count > 0,
            (Self::Elements(count), Kind::Several) => *count > 1,
            (Self::Object { is_blank }, Kind::Telling) => !is_blank,
            _ => false,
        }
    }
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

/// What tells how much values of a type hold: `size` of the JDK's containers, `isPresent` of an
/// `Optional`.
pub(crate) fn element_count(classes: &dyn ClassSource, ty: &Type) -> Option<Arc<Operation>> {
    let Type::Class(name) = ty else { return None };
    let questions = [
        ("java/util/Collection", "size"),
        ("java/util/Map", "size"),
        ("java/util/Optional", "isPresent"),
    ];
    let is = |class: &str| classes.is_subclass(name, &ClassName::internal(class));
    let (class, question) = questions.into_iter().find(|(class, _)| is(class))?;
    let class = classes.class(&ClassName::internal(class))?;
    let method = class.methods.iter().find(|m| &*m.name == question)?;
    Some(Arc::new(Operation::of_method(&class, method)))
}
