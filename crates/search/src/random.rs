//! Plain feedback-directed random testing (requirement G1).
//!
//! Pick a method, take its inputs from values that earlier tests built without error, run the
//! longer test at once; what ran normally joins the pool, what failed is never built upon.
//! Inputs nothing has built yet are made on the spot by a constructor or factory. Tests are well
//! typed by construction: every input comes from the list of its exact type's subtypes.

mod arrays;
mod blame;

use std::cell::LazyCell;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use model::{Literal, Operation, OperationKind, Slot, TestCase, Type};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::Rng;
use crate::api::{Api, OpId, TypeId};
use crate::contracts::Built;
use crate::guided::elephant;
use crate::guided::fuzz::fuzz;
use crate::guided::impurity::FUZZED;
use crate::guided::orienteering::draw;
use crate::guided::{Component, Components, Guidance, Knowledge};
use crate::pool::{Entry, Pool};
use crate::strategy::{Ending, Move, Report, Strategy, Values};

/// Chances, in 1000.
const NULL: u64 = 40;
const REUSE_IN_TEST: u64 = 200;
const FROM_POOL: u64 = 700;
const MUTATOR: u64 = 120;
/// How often a call that changes static state stands before one that reads it, and how many at most.
const SET_BEFORE: u64 = 250;
const MAX_SETTING: u32 = 3;
const MET_VALUE: u64 = 250;
const READABLE: u64 = 700;
const ON_FRONTIER: u64 = 600;
/// How often, of a thousand, a test that reached something new is gone on with otherwise.
const ON_TRAIL: u64 = 200;
/// How deep inputs are made on the spot.
const MAX_MAKING: u32 = 4;
/// Most tests have fewer calls and fewer slots.
const ROOM: usize = 16;
/// Longer tests are not built.
pub(crate) const MAX_CALLS: usize = 40;
/// Remembered tests, to drop duplicates; forgotten all at once when there are more.
const MAX_SEEN: usize = 1 << 20;
/// Attempts to put together a test that was not run before.
const ATTEMPTS: u32 = 20;

/// The strategy.
pub struct FeedbackDirected<'a> {
    pub(crate) api: &'a Api,
    pool: Pool,
    seen: FxHashSet<u64>,
    avoided: Vec<bool>,
    cuts: Vec<u32>,
    spoiled: Vec<u32>,
    /// Whether a maker of arguments has spoiled any.
    spoils: bool,
    subjects: Vec<OpId>,
    /// Avoided ones included.
    all_subjects: Vec<OpId>,
    /// The test last proposed, which makes room for the next.
    proposed: Option<Arc<TestCase>>,
    pub(crate) guidance: Guidance,
    /// Operations that change objects of other classes, to vary arguments.
    mutators: Vec<OpId>,
    /// For members under test the operations that can change what they read.
    feeding: FxHashMap<OpId, Vec<OpId>>,
    /// The same for static state, which is changed by calls on nothing.
    setting: FxHashMap<OpId, Vec<OpId>>,
    /// For each type the operations that take it as receiver.
    on: Vec<Vec<OpId>>,
}

impl<'a> FeedbackDirected<'a> {
    /// A search over these operations, without those to be avoided.
    pub fn new(api: &'a Api, avoid: &[OpId]) -> Self {
        Self::guided(api, avoid, Components::NONE, &Knowledge::default())
    }

    /// The same, steered by these components.
    pub fn guided(
        api: &'a Api,
        avoid: &[OpId],
        components: Components,
        knowledge: &Knowledge,
    ) -> Self {
        let mut avoided = vec![false; api.operations().count()];
        for op in avoid.iter().flat_map(|op| api.variants(api.first(*op))) {
            avoided[op.0 as usize] = true;
        }
        let subjects: Vec<OpId> =
            api.subjects().iter().copied().filter(|s| !avoided[s.0 as usize]).collect();
        let (cuts, spoiled) = (vec![0; avoided.len()], vec![0; avoided.len()]);
        let exact = components.has(Component::Elephant).then_some(elephant::EXACT);
        let (pool, seen) = (Pool::new(api, exact), FxHashSet::default());
        let guidance = Guidance::new(api, &subjects, components, knowledge);
        let mut mutators = api.mutators().to_vec();
        if guidance.impurity.is_some() {
            let is_new = |op: &&OpId| {
                !api.mutators().contains(op) && !api.subjects().contains(&api.first(**op))
            };
            mutators.extend(knowledge.changing.iter().filter(is_new));
        }
        let mut on = vec![Vec::new(); api.type_count()];
        for op in api.operations().filter(|op| api.operation(*op).has_receiver()) {
            for (ty, operations) in (0..).map(TypeId).zip(&mut on) {
                if api.fits(ty).contains(&api.params(op)[0]) {
                    operations.push(op);
                }
            }
        }
        let mut setting = FxHashMap::default();
        if components.has(Component::Impurity) {
            for (reader, feeds) in &knowledge.feeding {
                let on_nothing = feeds.iter().filter(|op| !api.operation(**op).has_receiver());
                let on_nothing: Vec<OpId> = on_nothing.copied().collect();
                if !on_nothing.is_empty() {
                    setting.insert(api.first(*reader), on_nothing);
                }
            }
        }
        Self {
            api,
            pool,
            seen,
            avoided,
            cuts,
            spoiled,
            spoils: false,
            all_subjects: subjects.clone(),
            subjects,
            proposed: None,
            guidance,
            mutators,
            feeding: knowledge.feeding.iter().cloned().collect(),
            setting,
            on,
        }
    }

    /// Operations on objects of this type that are not avoided.
    pub(crate) fn operations_on(&self, ty: TypeId) -> Vec<OpId> {
        let all = self.on[ty.0 as usize].iter().copied();
        all.filter(|op| !self.avoided[op.0 as usize]).collect()
    }

    /// Those of the operations that can change what a call of this one reads.
    pub(crate) fn feeding(&self, op: &Operation, among: &[OpId]) -> Vec<OpId> {
        let feeds = self.api.first_of(op).and_then(|op| self.feeding.get(&op));
        feeds.map_or(Vec::new(), |feeds| {
            among.iter().copied().filter(|op| feeds.contains(op)).collect()
        })
    }

    /// Constants of the class that can be used as this type.
    pub(crate) fn constant(&self, ty: TypeId, rng: &mut Rng) -> Option<&(Type, Literal)> {
        self.guidance.constants.as_ref()?.draw(ty, rng)
    }

    /// Objects built so far that can be used as the type, at most `limit`, from all over the pool; if
    /// it has too few, those that were made to be passed to a call are taken too.
    pub fn objects(&self, ty: TypeId, limit: usize) -> Vec<Built> {
        let mut found: Vec<Built> = Vec::new();
        for entry in self.pool.spread(ty, limit) {
            found.push((entry.case.clone(), entry.slot));
            // What one object makes of itself is often equal to it, or almost.
            found.extend(self.origin(ty, entry).map(|origin| (entry.case.clone(), origin)));
        }
        if found.len() < limit {
            found.extend(self.pool.made_on_the_spot(self.api, ty));
        }
        found.truncate(limit);
        found
    }

    /// The object of the type that an entry was made from by a call on it.
    fn origin(&self, ty: TypeId, entry: &Entry) -> Option<Slot> {
        let last = entry.case.calls.last()?;
        let receiver = *last.args.first().filter(|_| last.op.has_receiver())?;
        let of = self.api.type_id(entry.case.ty(receiver))?;
        (last.result == Some(entry.slot) && self.api.fits(of).contains(&ty)).then_some(receiver)
    }

    /// A method to be tested.
    pub(crate) fn subject(&mut self, rng: &mut Rng) -> OpId {
        let selected = self.guidance.hound.as_mut().and_then(|hound| hound.select(rng));
        match selected {
            Some(at) => self.all_subjects[at],
            None => *pick(rng, &self.subjects),
        }
    }

    /// A test from the frontier, if there is one that was not run before.
    fn across(&mut self, rng: &mut Rng) -> Option<Arc<TestCase>> {
        let frontier = self.guidance.frontier.as_mut()?;
        if let Some(again) = frontier.next_again() {
            return Some(again);
        }
        if frontier.is_empty() {
            return None;
        }
        if !chance(rng, ON_FRONTIER) {
            return None;
        }
        for _ in 0..ATTEMPTS {
            let Some(aim) = frontier.next_aim() else { break };
            if self.seen.insert(fingerprint(self.api, &aim)) {
                return Some(aim);
            }
        }
        for _ in 0..ATTEMPTS {
            let frontier = self.guidance.frontier.as_mut()?;
            let (number, base) = frontier.next_base(rng)?;
            let wanted = frontier
                .wanted_type(number)
                .and_then(|name| self.api.any_type(&Type::Class(model::ClassName::internal(name))));
            let Some(changed) = self.changed(&base, wanted, rng) else { continue };
            if self.seen.insert(fingerprint(self.api, &changed)) {
                let changed = Arc::new(changed);
                self.guidance.frontier.as_mut()?.propose(number, &changed);
                return Some(changed);
            }
        }
        None
    }

    fn build(&mut self, rng: &mut Rng) -> Option<Arc<TestCase>> {
        let op = if !self.mutators.is_empty() && chance(rng, MUTATOR) {
            *pick(rng, &self.mutators)
        } else {
            let variants = self.api.variants(self.subject(rng));
            if variants.len() == 1 { variants[0] } else { *pick(rng, variants) }
        };
        if self.avoided[op.0 as usize] {
            return None;
        }
        let mut case = self.blank();
        let room = Arc::make_mut(&mut case);
        match self.prepare(op, room, rng).and_then(|()| self.call(op, room, rng, 0)) {
            Some(()) => Some(case),
            None => {
                self.proposed = Some(case);
                None
            }
        }
    }

    /// Calls before that of a member under test, now and then, what changes the static state that it reads:
    /// nothing is handed from one to the other, so no pool brings them together.
    fn prepare(&self, op: OpId, case: &mut TestCase, rng: &mut Rng) -> Option<()> {
        let Some(setting) = self.setting.get(&self.api.first(op)) else { return Some(()) };
        let mut left = MAX_SETTING;
        while left > 0 && chance(rng, SET_BEFORE) {
            let first = *pick(rng, setting);
            if !self.avoided[first.0 as usize] {
                self.call(first, case, rng, 1)?;
            }
            left -= 1;
        }
        Some(())
    }

    /// An empty test, in the place of the last one if nobody keeps that: most are run once, and
    /// finding them room would take a good part of the time.
    fn blank(&mut self) -> Arc<TestCase> {
        if let Some(mut last) = self.proposed.take()
            && let Some(case) = Arc::get_mut(&mut last)
        {
            case.slots.clear();
            case.calls.clear();
            return last;
        }
        let (slots, calls) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        Arc::new(TestCase { slots, calls })
    }

    /// Adds a call of `op` to the test, with whatever it needs before it.
    fn call(&self, op: OpId, case: &mut TestCase, rng: &mut Rng, depth: u32) -> Option<()> {
        let operation = self.api.operation(op);
        let params = self.api.params(op);
        let mut args = model::Args::new();
        if operation.kind == OperationKind::Array {
            args = self.elements(params[0], case, rng, depth)?;
        }
        for (position, ty) in params.iter().copied().enumerate() {
            if operation.kind == OperationKind::Array {
                break;
            }
            if operation.kind == OperationKind::Inject {
                args.push(self.mock(ty, case, rng, depth)?);
                continue;
            }
            let nullable = position > 0 || !self.api.needs_first(op);
            args.push(match self.text_for(op, ty, rng) {
                Some(text) => case.literal(Type::string(), text),
                None => self.input(ty, case, rng, depth, nullable)?,
            });
        }
        if case.calls.len() >= MAX_CALLS {
            return None;
        }
        if depth == 0 {
            // Nothing uses the result: whether it is what its type says is not asked.
            case.call(operation, &args);
        } else {
            self.api.call(case, op, &args);
        }
        Some(())
    }

    /// A slot that holds a mock of the type that nothing else uses.
    fn mock(&self, ty: TypeId, case: &mut TestCase, rng: &mut Rng, depth: u32) -> Option<Slot> {
        let is_mock = |op: &&OpId| {
            let operation = self.api.operation(**op);
            let is_one = operation.as_mock().is_some() && self.api.result(**op) == Some(ty);
            is_one && !self.avoided[op.0 as usize]
        };
        let mocks: Vec<OpId> = self.api.makers(ty).iter().filter(is_mock).copied().collect();
        let mock = *mocks.get(rng.rand_range(0..mocks.len().max(1) as u64) as usize)?;
        self.call(mock, case, rng, depth + 1)?;
        case.calls.last().and_then(|made| made.result)
    }

    /// A text that makes the operation return, now and then.
    fn text_for(&self, op: OpId, ty: TypeId, rng: &mut Rng) -> Option<Literal> {
        let texts = self.api.texts(op);
        let usable = !texts.is_empty() && *self.api.ty(ty) == Type::string();
        (usable && chance(rng, READABLE)).then(|| pick(rng, texts).clone())
    }

    /// A slot that holds a value of the type.
    pub(crate) fn input(
        &self,
        ty: TypeId,
        case: &mut TestCase,
        rng: &mut Rng,
        depth: u32,
        nullable: bool,
    ) -> Option<Slot> {
        let api = self.api;
        let wanted = api.ty(ty);
        let null = |case: &mut TestCase| Some(case.literal(wanted.clone(), Literal::Null));
        let nullable = nullable && wanted.is_reference();
        if nullable && chance(rng, NULL) {
            return null(case);
        }
        if wanted.is_reference()
            && chance(rng, REUSE_IN_TEST)
            && let Some(slot) = self.in_test(ty, case, rng)
        {
            return Some(slot);
        }
        let entries = self.pool.group(ty, rng);
        let literals = api.literals(ty);
        let makers = api.makers(ty);
        // An `Object` need not be a number or a text: what makes others has its turn from the start.
        // Nor is a text always one that is written down where it may name a file.
        let is_wide = !makers.is_empty()
            && literals.first().is_some_and(|(of, _)| of != wanted || api.names_files(ty));
        if !literals.is_empty() && ((entries.is_none() && !is_wide) || chance(rng, 500)) {
            return Some(self.literal(ty, case, rng));
        }
        if let Some(entries) = entries
            && chance(rng, FROM_POOL)
        {
            let entry =
                if self.guidance.orienteers { draw(entries, rng) } else { pick(rng, entries) };
            if case.calls.len() + entry.case.calls.len() < MAX_CALLS {
                let offset = case.append(&entry.case);
                let slot = Slot(entry.slot.0 + offset);
                if depth < MAX_MAKING {
                    self.vary((slot, entry.ty), case, rng, depth);
                }
                return Some(slot);
            }
        }
        if !makers.is_empty() && depth < MAX_MAKING {
            let maker = *pick(rng, makers);
            if !self.avoided[maker.0 as usize] {
                self.call(maker, case, rng, depth + 1)?;
                return case.calls.last().and_then(|made| made.result);
            }
        }
        if let Some(entry) = entries.map(|entries| pick(rng, entries)) {
            let offset = case.append(&entry.case);
            return Some(Slot(entry.slot.0 + offset));
        }
        if nullable { null(case) } else { None }
    }

    fn literal(&self, ty: TypeId, case: &mut TestCase, rng: &mut Rng) -> Slot {
        let met = self.pool.met(ty);
        let (of, value) = if let Some(constant) = self.constant(ty, rng) {
            constant
        } else if !met.is_empty() && chance(rng, MET_VALUE) {
            pick(rng, met)
        } else {
            pick(rng, self.api.literals(ty))
        };
        let value = if self.guidance.impurity.is_some() && chance(rng, FUZZED) {
            fuzz(value, rng)
        } else {
            value.clone()
        };
        case.literal(of.clone(), value)
    }

    /// Whether an operation is not avoided.
    pub(crate) fn may_call(&self, op: OpId) -> bool {
        !self.avoided[op.0 as usize]
    }

    /// A value the test already has, so that arguments may be the same object.
    pub(crate) fn in_test(&self, ty: TypeId, case: &TestCase, rng: &mut Rng) -> Option<Slot> {
        let mut found = None;
        let mut seen = 0;
        for call in &case.calls {
            let Some(slot) = call.result else { continue };
            let made = self.api.type_made(call, case.ty(slot));
            if made.is_some_and(|made| self.api.fits(made).contains(&ty)) {
                seen += 1;
                if rng.rand_range(0..seen) == 0 {
                    found = Some(slot);
                }
            }
        }
        found
    }

    fn run(&mut self, case: Arc<TestCase>) -> Move {
        self.proposed = Some(case.clone());
        Move::Run(case)
    }

    fn learn(&mut self, case: &TestCase, values: &dyn Values, rng: &mut Rng) {
        let Some(last) = case.calls.last() else { return };
        let cost = if self.guidance.orienteers { values.steps() } else { 1 };
        // A copy: it has no room to spare.
        let shared = LazyCell::new(|| Arc::new(case.clone()));
        let Some(op) = self.api.id_of(&last.op) else { return };
        if let Some(result) = last.result {
            let promised = self.api.result(op);
            if let Some(id) = promised.or_else(|| self.api.type_id(case.ty(result))) {
                if let Some(value) = values.primitive(result) {
                    self.pool.meet(id, case.ty(result), value, rng);
                } else if !values.is_null(result) {
                    let elephant = self.guidance.elephant.as_mut();
                    let exact = elephant
                        .and_then(|elephant| elephant.exact(self.api, op, case, result, values));
                    let known = exact.unwrap_or(id);
                    let made = || {
                        let made = if self.api.ty(known) == case.ty(result) {
                            shared.clone()
                        } else {
                            let mut narrowed = case.clone();
                            narrowed.slots[result.index()].ty = self.api.ty(known).clone();
                            Arc::new(narrowed)
                        };
                        Entry::new(made, result, known, cost)
                    };
                    self.pool.add(self.api, (op, known), made, rng);
                }
            }
        }
        // The receiver is another object now, if the call changed it.
        let impurity = self.guidance.impurity.as_ref();
        let preserved = impurity.is_some_and(|impurity| impurity.preserves(op));
        if last.op.has_receiver() && !preserved {
            let receiver = last.args[0];
            if let Some(id) = self.api.type_of(case, receiver) {
                let changed = || Entry::new(shared.clone(), receiver, id, cost);
                self.pool.add(self.api, (op, id), changed, rng);
            }
        }
    }
}

impl Strategy for FeedbackDirected<'_> {
    fn propose(&mut self, rng: &mut Rng) -> Option<Move> {
        if self.seen.len() >= MAX_SEEN {
            self.seen.clear();
        }
        if let Some(case) = self.across(rng) {
            return Some(self.run(case));
        }
        if chance(rng, ON_TRAIL)
            && let Some(case) = self.further(rng)
            && self.seen.insert(fingerprint(self.api, &case))
        {
            return Some(self.run(Arc::new(case)));
        }
        for _ in 0..ATTEMPTS {
            if self.subjects.is_empty() {
                return None;
            }
            let Some(case) = self.build(rng) else { continue };
            if self.seen.insert(fingerprint(self.api, &case)) {
                return Some(self.run(case));
            }
            self.proposed = Some(case);
        }
        // Small APIs run dry: run something again, since a call may depend on what came before.
        let mut attempts = 0;
        loop {
            if let Some(case) = self.build(rng) {
                return Some(self.run(case));
            }
            attempts += 1;
            if attempts > 1000 {
                return None;
            }
        }
    }

    fn observe(&mut self, case: &TestCase, report: &Report, values: &dyn Values, rng: &mut Rng) {
        self.guidance.cover(values.covered(), report.new_coverage, case);
        if let Some(frontier) = &mut self.guidance.frontier
            && report.effects.may_be_emitted()
            && is_to_be_learnt(case, &report.ending)
        {
            frontier.learn(case, values, values.covered());
        }
        self.blame_for_effects(case, report);
        if let (Ending::Normal, Some(hound), Some(last)) =
            (&report.ending, &mut self.guidance.hound, case.calls.last())
            && let Some(op) = self.api.first_of(&last.op)
            && let Some(at) = self.all_subjects.iter().position(|s| *s == op)
        {
            hound.succeeded(at);
        }
        match &report.ending {
            Ending::Normal if report.effects.may_be_emitted() => {
                if let Some(trail) = &mut self.guidance.trail
                    && report.new_coverage
                {
                    trail.reach(case);
                }
                self.learn(case, values, rng);
            }
            Ending::Unlinkable(at, _) => {
                if let Some(op) = self.api.first_of(&case.calls[*at].op) {
                    self.avoid(op);
                }
            }
            Ending::Cut(at, cut) => self.blame(case, *at, *cut),
            Ending::Normal | Ending::Threw(_) | Ending::Breached(..) => {}
        }
    }

    fn watched(&mut self) -> Option<&[u8]> {
        self.guidance.frontier.as_mut()?.take_watched()
    }
}

/// Whether what a test compared is of use: it did what it does to its end, or broke the precondition of
/// its last call, which may hold for a test like it.
fn is_to_be_learnt(case: &TestCase, ending: &Ending) -> bool {
    match ending {
        Ending::Normal | Ending::Threw(_) => true,
        Ending::Breached(at, breach) => breach.is_infeasible() && at + 1 == case.calls.len(),
        Ending::Cut(..) | Ending::Unlinkable(..) => false,
    }
}

pub(crate) fn chance(rng: &mut Rng, in_thousand: u64) -> bool {
    rng.rand_range(0..1000) < in_thousand
}

pub(crate) fn pick<'t, T>(rng: &mut Rng, items: &'t [T]) -> &'t T {
    &items[rng.rand_range(0..items.len() as u64) as usize]
}

/// Equal tests have equal fingerprints, on every machine.
fn fingerprint(api: &Api, case: &TestCase) -> u64 {
    let mut hasher = FxHasher::default();
    for slot in &case.slots {
        match &slot.init {
            Some(literal) => {
                literal.hash(&mut hasher);
                if *literal == Literal::Null {
                    slot.ty.hash(&mut hasher);
                }
            }
            None => hasher.write_u8(0),
        }
    }
    for call in &case.calls {
        hasher.write_u32(api.first_of(&call.op).map_or(u32::MAX, |op| op.0));
        for arg in &call.args {
            hasher.write_u32(arg.0);
        }
    }
    hasher.finish()
}
