//! Impurity (requirement G5): an input is changed before it is used.
//!
//! Values are fuzzed ([`fuzz`](super::fuzz)); on objects a method is called that can change them, as
//! the purity analysis says, with arguments first from the object's own test, then from the pool. Now
//! and then such a call is the whole test, so that the pool has objects that were changed often. An
//! object that was only asked something is not kept as another one.
//!
//! Off with `--without impurity`. How often is [`CHANGE`] for objects and [`FUZZED`] for values, whose steps are set in `fuzz`.

use model::{Args, Slot, TestCase};

use crate::Rng;
use crate::api::{Api, OpId, TypeId};
use crate::guided::Knowledge;
use crate::random::{FeedbackDirected, chance, pick};

/// Chances, in 1000.
const CHANGE: u64 = 200;
const OWN: u64 = 500;
/// Of literals.
pub(crate) const FUZZED: u64 = 200;

/// The methods that change objects, by the type of the object.
#[derive(Clone, Debug)]
pub(crate) struct Impurity {
    changing: Vec<Vec<OpId>>,
    /// For each operation whether it leaves its receiver as it is.
    preserving: Vec<bool>,
}

impl Impurity {
    /// By what is known of which operations change their receiver.
    pub(crate) fn new(api: &Api, knowledge: &Knowledge) -> Self {
        let of_type = |ty: TypeId| {
            let takes = |op: &OpId| {
                api.operation(*op).has_receiver() && api.fits(ty).contains(&api.params(*op)[0])
            };
            knowledge.changing.iter().copied().filter(takes).collect()
        };
        let changing = (0..api.type_count() as u32).map(TypeId).map(of_type).collect();
        let preserving = api.operations().map(|op| knowledge.preserving.contains(&op)).collect();
        Self { changing, preserving }
    }

    /// Whether an object is the same after the operation as before: nothing new for the pool.
    pub(crate) fn preserves(&self, op: OpId) -> bool {
        self.preserving[op.0 as usize]
    }

    fn on(&self, ty: TypeId) -> &[OpId] {
        &self.changing[ty.0 as usize]
    }
}

impl FeedbackDirected<'_> {
    /// Now and then has the test change the object in a slot.
    pub(crate) fn vary(
        &self,
        (slot, ty): (Slot, TypeId),
        case: &mut TestCase,
        rng: &mut Rng,
        depth: u32,
    ) {
        let Some(impurity) = &self.guidance.impurity else { return };
        let usable: Vec<OpId> =
            impurity.on(ty).iter().copied().filter(|op| self.may_call(*op)).collect();
        if usable.is_empty() || !chance(rng, CHANGE) {
            return;
        }
        let op = *pick(rng, &usable);
        let mut args = Args::new();
        args.push(slot);
        for param in &self.api.params(op)[1..] {
            let own = if chance(rng, OWN) { self.in_test(*param, case, rng) } else { None };
            match own.or_else(|| self.input(*param, case, rng, depth + 1, true)) {
                Some(arg) => args.push(arg),
                None => return,
            }
        }
        self.api.call(case, op, &args);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::guided::{Component, Components};
    use crate::testing::machine::Value;
    use crate::testing::world::{World, class};
    use crate::testing::{api, case, told};

    fn world() -> World {
        let boxed = class("a/Box")
            .method("fills(La/Box;)V", |_, _| Ok(Value::Null))
            .method("size()I", |_, _| Ok(Value::int(1)));
        World::of([boxed, class("a/Shelf").method("holds(La/Box;)V", |_, _| Ok(Value::Null))])
    }

    fn op(api: &Api, name: &str) -> OpId {
        api.operations().find(|op| &*api.operation(*op).name == name).expect("an operation")
    }

    /// The calls of tests that were made of one with a box, each varied once.
    fn varied(components: Components, avoid: &[&str]) -> Vec<Vec<String>> {
        let world = world();
        let api = api(&world, "a/Shelf");
        let changing = vec![op(&api, "fills")];
        let knowledge = Knowledge { changing, ..Knowledge::default() };
        let avoid: Vec<OpId> = avoid.iter().map(|name| op(&api, name)).collect();
        let strategy = FeedbackDirected::guided(&api, &avoid, components, &knowledge);
        let made = case(&world, "a/Box", &[]);
        let (slot, ty) = (made.calls[0].result.expect("a box"), api.type_of(&made, Slot(0)));
        let mut rng = Rng::new(1);
        let one = |_| {
            let mut case = made.clone();
            strategy.vary((slot, ty.expect("a type")), &mut case, &mut rng, 0);
            case.check(&world).expect("a well-formed test");
            told(&case)
        };
        (0..500).map(one).collect()
    }

    #[test]
    fn what_changes_an_object_is_called_on_it_now_and_then() {
        let tests = varied(Components::NONE.with(Component::Impurity), &[]);
        let changed = tests.iter().filter(|calls| calls.len() > 1).count();
        // One in five, by chance.
        assert!((70..130).contains(&changed), "{changed}");
        let last =
            |calls: &&Vec<String>| calls.last().is_some_and(|call| call.starts_with("fills"));
        assert_eq!(tests.iter().filter(last).count(), changed);
        assert!(!tests.iter().flatten().any(|call| call == "size"), "it changes nothing");
        // The object itself is the first argument at hand.
        assert!(tests.contains(&vec!["<init>".to_owned(), "fills".to_owned()]), "{tests:?}");
    }

    #[test]
    fn nothing_is_changed_without_impurity_or_by_what_is_avoided() {
        let unchanged = |tests: Vec<Vec<String>>| tests.iter().all(|calls| calls.len() == 1);
        assert!(unchanged(varied(Components::NONE, &[])));
        let impurity = Components::NONE.with(Component::Impurity);
        assert!(unchanged(varied(impurity, &["fills"])));
    }

    #[test]
    fn what_an_operation_leaves_as_it_is_is_known_by_its_number() {
        let world = world();
        let api = api(&world, "a/Box");
        let (changing, preserving) = (vec![op(&api, "fills")], vec![op(&api, "size")]);
        let knowledge = Knowledge { changing, preserving, ..Knowledge::default() };
        let impurity = Impurity::new(&api, &knowledge);
        assert!(impurity.preserves(op(&api, "size")));
        assert!(!impurity.preserves(op(&api, "fills")) && !impurity.preserves(op(&api, "<init>")));
        let of = |class: &str| api.type_id(&model::Type::class(class));
        assert_eq!(impurity.on(of("a/Box").expect("a type")), [op(&api, "fills")]);
    }
}
