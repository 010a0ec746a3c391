//! The frontier (requirement G19): branches whose condition was evaluated but which went one way
//! only, each with the few tests that came closest to the other way.
//!
//! Random search finds the frontier; changing just these tests crosses it. What is tried first are
//! the aims that the operands suggest ([`aim`](super::aim)); a change that came closer is gone on
//! with twice as far (the alternating variable method). Comparisons of preconditions are on the frontier
//! until the method is called for the first time; tests that break one are what is changed then.

mod entry;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::sync::Arc;

use instrument::{Comparison, ComparisonKind, Edge, ReadBy};
use model::{ClassName, JavaString, Literal, Observation, Operation, Primitive, TestCase, Type};
use rustc_hash::FxHashMap;

use crate::Rng;
use crate::guided::MethodKey;
use crate::guided::aim::{Operands, Relation, aims, grown, switched};
use crate::strategy::{Compared, Values};
use entry::{Entry, Near};

/// Aims that wait at most.
const MAX_WAITING: usize = 4096;
/// How many times less than branches boundaries are tried for.
const MINOR: u32 = 4;
/// Distances this large mean that nothing is known.
const FAR: f64 = 1e300;

/// A number in a test that was moved, and by how much.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Step {
    /// The branch it was for.
    number: u32,
    slot: usize,
    by: i64,
}

/// The frontier of one search.
pub(crate) struct Frontier {
    comparisons: Vec<Comparison>,
    /// Not 0 for comparisons that are on the frontier.
    open: Vec<u8>,
    /// Comparisons of which only the boundary is left.
    minor: Vec<bool>,
    /// Whether that changed since it was last asked for.
    changed: bool,
    entries: FxHashMap<u32, Entry>,
    /// Keys of the entries, in order of their coming.
    live: Vec<u32>,
    waiting: VecDeque<(u32, Arc<TestCase>, Option<Step>)>,
    /// What waits until nothing else does: aims at boundaries.
    later: VecDeque<(u32, Arc<TestCase>, Option<Step>)>,
    /// Tests that brought new branches to the frontier: what they compare there was not watched.
    again: VecDeque<Arc<TestCase>>,
    /// Texts by their hash codes, for switches.
    texts: FxHashMap<i32, Vec<JavaString>>,
    /// For each comparison the texts that would be read there.
    read: FxHashMap<u32, Vec<JavaString>>,
    /// The constants of enums.
    constants: Vec<Arc<Operation>>,
    /// What a test from here was for, and how it differs from the one it was made of.
    proposed: Option<(Arc<TestCase>, u32, Option<Step>)>,
}

impl Frontier {
    /// A frontier over these comparisons, whose probes are numbers of the coverage map. `texts` are
    /// what the class may switch on, `reads` what the methods it calls read, `constants` the fields
    /// that hold constants of enums.
    pub(crate) fn new(
        comparisons: Vec<Comparison>,
        texts: &[JavaString],
        reads: &[(MethodKey, Vec<JavaString>)],
        constants: Vec<Arc<Operation>>,
    ) -> Self {
        let mut by_hash: FxHashMap<i32, Vec<JavaString>> = FxHashMap::default();
        for text in texts {
            by_hash.entry(hash_code(text)).or_default().push(text.clone());
        }
        let mut read: FxHashMap<u32, Vec<JavaString>> = FxHashMap::default();
        for (number, comparison) in (0..).zip(&comparisons) {
            let ComparisonKind::Read(by) = &comparison.kind else { continue };
            let is_by = |(class, name, descriptor): &MethodKey| {
                (class, name, descriptor) == (&by.class, &by.name, &by.descriptor)
            };
            let known = reads.iter().find(|(method, _)| is_by(method));
            read.extend(known.map(|(_, texts)| (number, texts.clone())));
        }
        Self {
            open: vec![0; comparisons.len()],
            minor: vec![false; comparisons.len()],
            comparisons,
            changed: false,
            entries: FxHashMap::default(),
            live: Vec::new(),
            waiting: VecDeque::new(),
            later: VecDeque::new(),
            again: VecDeque::new(),
            texts: by_hash,
            read,
            constants,
            proposed: None,
        }
    }

    /// Says anew which branches are on the frontier: some ways are covered, some are not. `case` is
    /// what covered more.
    pub(crate) fn update(&mut self, covered: &[u8], case: &TestCase) {
        let mut has_opened = false;
        for (number, comparison) in (0_u32..).zip(&self.comparisons) {
            let hit = |probe: u32| covered.get(probe as usize).is_some_and(|byte| *byte != 0);
            let ways = comparison.outcomes.iter().filter(|(probe, _)| hit(*probe)).count();
            // What no jump goes by is always of interest: an exception may be what it decides.
            let is_open = if let Some(entered) = comparison.until {
                // What keeps a method from being called; a test that calls it has passed there.
                !hit(entered)
            } else if comparison.outcomes.is_empty() {
                match &comparison.kind {
                    ComparisonKind::Read(by) => is_number(by) || self.read.contains_key(&number),
                    _ => true,
                }
            } else {
                ways > 0 && ways < comparison.outcomes.len()
            };
            let mut left = comparison.outcomes.iter().filter(|(probe, _)| !hit(*probe));
            self.minor[number as usize] = ways > 0 && left.all(|(_, edge)| *edge == Edge::Equal);
            if is_open != (self.open[number as usize] != 0) {
                self.open[number as usize] = u8::from(is_open);
                self.changed = true;
                has_opened |= is_open;
                if !is_open {
                    self.entries.remove(&number);
                    self.live.retain(|live| *live != number);
                }
            }
        }
        if has_opened {
            self.again.push_back(Arc::new(case.clone()));
        }
    }

    /// Forgets tests that make calls of an operation.
    pub(crate) fn purge(&mut self, op: &Operation) {
        let calls = |case: &TestCase| case.calls.iter().any(|call| *call.op == *op);
        for entry in self.entries.values_mut() {
            entry.near.retain(|near| !calls(&near.case));
        }
        self.entries.retain(|_, entry| !entry.near.is_empty());
        self.live.retain(|number| self.entries.contains_key(number));
        self.waiting.retain(|(_, case, _)| !calls(case));
        self.later.retain(|(_, case, _)| !calls(case));
        self.again.retain(|case| !calls(case));
    }

    /// A test that is to be run once more.
    pub(crate) fn next_again(&mut self) -> Option<Arc<TestCase>> {
        self.again.pop_front()
    }

    /// The comparisons to be watched, a byte each, if they are others than last time.
    pub(crate) fn take_watched(&mut self) -> Option<&[u8]> {
        std::mem::take(&mut self.changed).then_some(&self.open)
    }

    /// Whether there is anything to cross.
    pub(crate) fn is_empty(&self) -> bool {
        self.live.is_empty()
    }

    /// An aim that waits.
    pub(crate) fn next_aim(&mut self) -> Option<Arc<TestCase>> {
        while let Some((number, case, step)) =
            self.waiting.pop_front().or_else(|| self.later.pop_front())
        {
            if self.entries.contains_key(&number) {
                self.proposed = Some((case.clone(), number, step));
                return Some(case);
            }
        }
        None
    }

    /// A test to be changed: that of the branch for which least was tried.
    pub(crate) fn next_base(&mut self, rng: &mut Rng) -> Option<(u32, Arc<TestCase>)> {
        // The least tried of a few, so that hopeless ones cost little and none is forgotten.
        let number = (0..3)
            .filter_map(|_| {
                let at = rng.rand_range(0..(self.live.len() as u64).max(1)) as usize;
                self.live.get(at).copied()
            })
            .min_by_key(|number| {
                // A boundary is worth less than a branch.
                let share = if self.minor[*number as usize] { MINOR } else { 1 };
                self.entries[number].tried.saturating_mul(share)
            })?;
        let entry = self.entries.get_mut(&number)?;
        entry.tried += 1;
        let at = rng.rand_range(0..entry.near.len() as u64) as usize;
        Some((number, entry.near[at].case.clone()))
    }

    /// Remembers what a changed test is for.
    pub(crate) fn propose(&mut self, number: u32, case: &Arc<TestCase>) {
        self.proposed = Some((case.clone(), number, None));
    }

    /// The uncovered ways of a comparison.
    fn missing<'s>(&'s self, number: u32, covered: &'s [u8]) -> impl Iterator<Item = Edge> + 's {
        let outcomes = &self.comparisons[number as usize].outcomes;
        outcomes.iter().filter(|(probe, _)| covered[*probe as usize] == 0).map(|(_, edge)| *edge)
    }

    /// Takes in what a test was seen to compare.
    pub(crate) fn learn(&mut self, case: &TestCase, values: &dyn Values, covered: &[u8]) {
        let proposed = self.proposed.take();
        let proposed = proposed.filter(|(proposed, ..)| std::ptr::eq(Arc::as_ptr(proposed), case));
        let mut shared: Option<Arc<TestCase>> = proposed.as_ref().map(|(case, ..)| case.clone());
        for compared in values.compared() {
            if self.open.get(compared.number as usize).is_none_or(|open| *open == 0) {
                continue;
            }
            let entry = self.entries.entry(compared.number).or_insert_with(|| {
                self.live.push(compared.number);
                Entry::default()
            });
            let is_closest = entry.near.first().is_none_or(|n| compared.distance < n.distance);
            entry.measure(compared.distance, case.calls.len());
            if !entry.takes(compared.distance, case.calls.len()) {
                continue;
            }
            let case = shared.get_or_insert_with(|| Arc::new(case.clone())).clone();
            let case = grounded(&case, values).map_or(case, Arc::new);
            if entry.near.iter().any(|near| near.case == case) {
                continue;
            }
            entry.take(Near { case: case.clone(), distance: compared.distance });
            let step = match &proposed {
                Some((_, number, step)) if *number == compared.number && is_closest => *step,
                _ => None,
            };
            self.aim(compared, &case, values, covered, step);
        }
    }

    /// Has tests wait that may make the comparison go another way.
    fn aim(
        &mut self,
        compared: &Compared,
        case: &Arc<TestCase>,
        values: &dyn Values,
        covered: &[u8],
        step: Option<Step>,
    ) {
        let number = compared.number;
        let is_minor = self.minor[number as usize];
        let waiting = if is_minor { &self.later } else { &self.waiting };
        if waiting.len() >= MAX_WAITING || compared.distance > FAR {
            return;
        }
        let mut found: Vec<(TestCase, Option<Step>)> = Vec::new();
        let mut add = |case: TestCase, step: Option<Step>| found.push((case, step));
        // What helped is done again, twice as far.
        if let Some(step) = step {
            let by = step.by.saturating_mul(2);
            if let Some(further) = moved(case, step.slot, by) {
                add(further, Some(Step { by, ..step }));
            }
        }
        let comparison = &self.comparisons[number as usize];
        if comparison.counts {
            let (left, right) = values.numbers(compared.place);
            for more in grown(case, left.saturating_sub(right).saturating_abs()) {
                add(more, None);
            }
        }
        let operands = match &comparison.kind {
            ComparisonKind::Constant(of) => {
                let class = ClassName::internal(of);
                let all = self.constants.iter().filter(|op| op.owner == class);
                let all: Vec<Arc<Operation>> = all.cloned().collect();
                for other in switched(case, &class, &all) {
                    add(other, None);
                }
                Vec::new()
            }
            ComparisonKind::Order | ComparisonKind::Character { .. } | ComparisonKind::Elements => {
                let (left, right) = values.numbers(compared.place);
                vec![Operands::Integers(left, right)]
            }
            ComparisonKind::Held => {
                let (left, right) = values.objects(compared.place);
                vec![Operands::Objects(left, right, Relation::Equal)]
            }
            ComparisonKind::Int | ComparisonKind::Zero | ComparisonKind::Long => {
                let (left, right) = values.numbers(compared.place);
                for (slot, by) in steps(case, left, right) {
                    if let Some(stepped) = moved(case, slot, by) {
                        add(stepped, Some(Step { number, slot, by }));
                    }
                }
                vec![Operands::Integers(left, right)]
            }
            ComparisonKind::Float | ComparisonKind::Double => {
                let (left, right) = values.numbers(compared.place);
                vec![Operands::Floats(f64::from_bits(left as u64), f64::from_bits(right as u64))]
            }
            ComparisonKind::Key(keys) => {
                let (value, _) = values.numbers(compared.place);
                let missing: Vec<Edge> = self.missing(number, covered).collect();
                let wanted =
                    keys.iter().filter(|(_, target)| missing.contains(&Edge::Target(*target)));
                wanted.map(|(key, _)| Operands::Integers(value, i64::from(*key))).collect()
            }
            ComparisonKind::Hash => {
                let (text, _) = values.objects(compared.place);
                let all = self.texts.values().flatten();
                let value = |text: &JavaString| Observation::Value {
                    value: Literal::String(text.clone()),
                    boxed: false,
                };
                all.map(|t| Operands::Objects(text.clone(), value(t), Relation::Equal)).collect()
            }
            ComparisonKind::Object(method) if method == "matcher" => {
                let (pattern, text) = values.objects(compared.place);
                vec![Operands::Objects(text, pattern, Relation::Matches)]
            }
            ComparisonKind::Placed(_) => {
                let (left, right) = values.objects(compared.place);
                vec![Operands::Objects(left, right, Relation::Placed)]
            }
            ComparisonKind::Object(method) => {
                let (left, right) = values.objects(compared.place);
                vec![Operands::Objects(left, right, Relation::of_method(method))]
            }
            ComparisonKind::Reference => {
                let (left, right) = values.objects(compared.place);
                vec![Operands::Objects(left, right, Relation::Equal)]
            }
            ComparisonKind::Read(by) if is_number(by) => {
                vec![Operands::Parsed(values.objects(compared.place).0)]
            }
            ComparisonKind::Read(_) => {
                let texts = self.read.get(&number).cloned().unwrap_or_default();
                vec![Operands::Read(values.objects(compared.place).0, texts)]
            }
            ComparisonKind::Truth | ComparisonKind::Null | ComparisonKind::Instance(_) => {
                Vec::new()
            }
        };
        found.extend(operands.iter().flat_map(|o| aims(case, o)).map(|aim| (aim, None)));
        let waiting = if is_minor { &mut self.later } else { &mut self.waiting };
        waiting.extend(found.into_iter().map(|(aim, step)| (number, Arc::new(aim), step)));
    }

    /// The type that an object of the test should have for the branch to be taken.
    pub(crate) fn wanted_type(&self, number: u32) -> Option<&str> {
        match &self.comparisons[number as usize].kind {
            ComparisonKind::Instance(ty) => Some(ty),
            _ => None,
        }
    }
}

/// The test with texts and numbers written down that its last call got from other calls, so that
/// they can be changed; `None` if there are none.
fn grounded(case: &TestCase, values: &dyn Values) -> Option<TestCase> {
    let last = case.calls.last()?;
    let mut grounded: Option<TestCase> = None;
    for (position, slot) in last.args.iter().enumerate() {
        let is_made = case.slots[slot.index()].init.is_none();
        if !is_made || position == 0 && last.op.has_receiver() {
            continue;
        }
        let Observation::Value { value, boxed } = values.observe(*slot) else { continue };
        let ty = match (&value, value.primitive()) {
            (Literal::String(_), _) => Type::string(),
            (_, Some(primitive)) if boxed => Type::class(primitive.boxed()),
            (_, Some(primitive)) => Type::Primitive(primitive),
            _ => continue,
        };
        let case = grounded.get_or_insert_with(|| case.clone());
        let literal = case.literal(ty, value);
        let at = case.calls.len() - 1;
        case.calls[at].args[position] = literal;
    }
    grounded
}

/// First steps for numbers that are no operands themselves: one up, one down.
fn steps(case: &TestCase, left: i64, right: i64) -> Vec<(usize, i64)> {
    let mut steps = Vec::new();
    for (slot, decl) in case.slots.iter().enumerate() {
        let Some(value) = decl.init.as_ref().and_then(Literal::whole) else { continue };
        if value != left && value != right {
            steps.extend([(slot, 1), (slot, -1)]);
        }
    }
    steps.truncate(16);
    steps
}

fn moved(case: &TestCase, slot: usize, by: i64) -> Option<TestCase> {
    let literal = case.slots.get(slot)?.init.as_ref()?;
    let changed = literal.with_number(literal.whole()?.checked_add(by)?)?;
    let mut case = case.clone();
    case.slots[slot].init = Some(changed);
    Some(case)
}

/// Whether what is read is a number.
fn is_number(by: &ReadBy) -> bool {
    let primitive = Primitive::unboxed(&by.class);
    primitive.is_some_and(|p| p != Primitive::Boolean) || by.class.starts_with("java/math/Big")
}

/// As `String.hashCode` counts.
fn hash_code(text: &JavaString) -> i32 {
    text.units()
        .iter()
        .fold(0_i32, |hash, unit| hash.wrapping_mul(31).wrapping_add(i32::from(*unit)))
}
