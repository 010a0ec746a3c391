//! Deciding what comes next: figures 2 and 3 of the paper, one step at a time.
//!
//! An argument is drawn, shared, taken from the pool or built; what is built first is a frame of its
//! own. Once a call has all its arguments it is taken to work (pure, pooled), or made (incremental).

use std::ops::Range;
use std::sync::Arc;

use model::{Call, OperationKind, Slot, TestCase, Type};

use super::classify::is_drawn;
use super::draft::{Draft, Frame, Goal};
use super::identify::Identification;
use super::object::{Key, Object};
use super::redundancy::{Known, Number};
use super::{Jet, Open, Waiting, values};
use crate::Rng;
use crate::api::{Api, OpId, TypeId};
use crate::random::{chance, pick};
use crate::strategy::Move;

/// Chances, in 1000.
const NULL: u64 = 30;
const SHARED: u64 = 100;
/// Where others did not fit.
const SHARED_THEN: u64 = 500;
const LITERAL: u64 = 500;
/// More often the fuller the pool is: what is built anew then adds little.
const REUSED: Range<u64> = 600..900;
/// Where numbers that are drawn make a new test case of an old object.
const REUSED_AS_IS: u64 = 850;
/// Where the object has to be a new one itself.
const REUSED_UNCHANGED: u64 = 250;
/// Where building another one would cost the open test.
const REUSED_IN_OPEN: u64 = 950;
/// Objects are built for the sake of others so deep.
const MAX_DEPTH: usize = 5;
/// Objects that took more calls are not built upon, and not put into longer test cases.
pub(super) const MAX_CALLS: usize = 24;
pub(super) const MAX_CALLS_OF_TEST: usize = 60;
/// Arrays that are made have fewer elements.
const MAX_ELEMENTS: u64 = 5;

impl Jet<'_> {
    /// Takes the next step: moves are proposed, or something is decided.
    pub(super) fn advance(&mut self, rng: &mut Rng) {
        if let Some(object) = self.built.pop() {
            return self.add_to_pool(object, rng);
        }
        let Some(frame) = self.frames.last() else { return self.begin(rng) };
        match (&frame.draft, frame.wanted()) {
            (None, _) => self.choose(rng),
            (Some(_), Some((place, ty))) => self.fill(place, ty, rng),
            (Some(_), None) => self.complete(rng),
        }
    }

    /// A test case of the method whose turn it is.
    fn begin(&mut self, rng: &mut Rng) {
        let Some(method) = self.turns.current() else { return };
        let op = *pick(rng, self.api.variants(method));
        self.is_run = false;
        let mut frame = Frame::new(Goal::Test(op));
        self.go_on(&mut frame, rng);
        self.frames.push(frame);
    }

    /// Decides on the next call of the top frame.
    fn choose(&mut self, rng: &mut Rng) {
        let simple = self.frames.len() > MAX_DEPTH;
        let Some(frame) = self.frames.last_mut() else { return };
        match (frame.goal, frame.object) {
            (Goal::Test(op), _) => {
                let wants = self.api.params(op).to_vec();
                frame.begin(op, wants, None);
            }
            (Goal::Value(ty), None) => {
                let creators = self.roles.creators(ty, simple);
                if creators.is_empty() {
                    return self.give_up(rng);
                }
                let op = *pick(rng, creators);
                let params = self.api.params(op);
                let wants = if self.api.operation(op).kind == OperationKind::Array {
                    let count = rng.rand_range(0..MAX_ELEMENTS) as usize;
                    params.iter().copied().cycle().take(count).collect()
                } else {
                    frame.left = rng.rand_range(0..u64::from(self.options.mutations) + 1) as u32;
                    params.to_vec()
                };
                frame.begin(op, wants, None);
            }
            (Goal::Value(_), Some((_, ty))) => {
                let mutators = self.roles.mutators(ty);
                if frame.left == 0 || mutators.is_empty() || frame.case.calls.len() > MAX_CALLS {
                    return self.finish();
                }
                frame.left -= 1;
                let (op, own) = *pick(rng, mutators);
                frame.begin(op, self.api.params(op).to_vec(), Some(own));
            }
        }
    }

    /// Finds the next argument of the top frame's call.
    fn fill(&mut self, place: usize, ty: TypeId, rng: &mut Rng) {
        let depth = self.frames.len();
        if place == 0 && self.pass_alive(ty) {
            return;
        }
        let Some(frame) = self.frames.last_mut() else { return };
        let Some(draft) = &frame.draft else { return };
        if draft.own == Some(place)
            && let Some((slot, _)) = frame.object
        {
            return frame.pass(slot, Key::Itself);
        }
        let wanted = self.api.ty(ty);
        let is_needed = place == 0 && self.api.needs_first(draft.op);
        if wanted.is_reference() && !is_needed && chance(rng, NULL) {
            return frame.pass_null(wanted.clone());
        }
        let shares = self.options.aliasing && matches!(wanted, Type::Class(_));
        let is_retried = frame.tries > 0 && self.options.is_incremental();
        if shares
            && chance(rng, if is_retried { SHARED_THEN } else { SHARED })
            && let Some(slot) = in_test(self.api, &frame.case, ty, rng)
        {
            return frame.share(slot);
        }
        let creators = !self.roles.creators(ty, depth > MAX_DEPTH).is_empty();
        if (!creators || chance(rng, LITERAL))
            && let Some(drawn) = values::literal(self.api, ty, rng)
        {
            return frame.pass_literal(drawn);
        }
        let pooled = self.pool.as_ref().and_then(|pool| pool.pick(self.api, ty, rng));
        // What is built in a test of its own ends the open one, all of which is made again then.
        let is_open = self.options.is_incremental()
            && self.open.is_some_and(|open| open.frame + 1 == depth && open.calls > 0);
        let has_room = |object: &&Arc<Object>| {
            frame.case.calls.len() + object.case.calls.len() < MAX_CALLS_OF_TEST
        };
        let share = self.pool.as_ref().map_or(0, |pool| pool.share_of_room(ty));
        if let Some(object) = pooled.filter(has_room)
            && (!creators
                || chance(rng, if is_open { REUSED_IN_OPEN } else { by_share(REUSED, share) }))
        {
            let is_all = matches!(frame.goal, Goal::Test(_)) && !takes_drawn(self.api, draft);
            let as_is = if is_all { REUSED_UNCHANGED } else { REUSED_AS_IS };
            let as_is = if is_open { REUSED_IN_OPEN } else { as_is };
            if depth > MAX_DEPTH || chance(rng, as_is) {
                frame.pass_object(object.clone(), false);
            } else {
                let left = 1 + rng.rand_range(0..u64::from(self.options.mutations.max(1))) as u32;
                let frame = Frame::going_on(object, left);
                self.frames.push(frame);
            }
            return;
        }
        if creators {
            self.frames.push(Frame::new(Goal::Value(ty)));
        } else {
            self.lack(ty, is_needed, rng);
        }
    }

    /// Nothing makes a value of the type: it is `null`, or the call cannot be made.
    fn lack(&mut self, ty: TypeId, is_needed: bool, rng: &mut Rng) {
        let wanted = self.api.ty(ty).clone();
        match self.frames.last_mut() {
            Some(frame) if wanted.is_reference() && !is_needed => {
                frame.pass_null(wanted);
            }
            _ => self.give_up(rng),
        }
    }

    /// The top frame comes to nothing: whoever waits for it gets `null`, or another call.
    pub(super) fn give_up(&mut self, rng: &mut Rng) {
        let Some(frame) = self.frames.pop() else { return };
        self.forget_open();
        let Goal::Value(ty) = frame.goal else { return self.meaningless() };
        let is_needed = self.frames.last().and_then(|below| {
            let (place, _) = below.wanted()?;
            let draft = below.draft.as_ref()?;
            Some(place == 0 && self.api.needs_first(draft.op))
        });
        if is_needed == Some(false) {
            return self.lack(ty, false, rng);
        }
        self.take_other_call(rng);
    }

    /// The call of the top frame cannot be made: another one is chosen, up to the limit.
    pub(super) fn take_other_call(&mut self, rng: &mut Rng) {
        let limit = self.options.tries;
        let Some(frame) = self.frames.last_mut() else { return };
        frame.drop_draft();
        frame.tries += 1;
        if self.open.is_some_and(|open| open.calls > frame.sure) {
            self.open = None;
        }
        if frame.tries < limit && !matches!(frame.goal, Goal::Test(_)) {
            return;
        }
        if frame.object.is_some() {
            // It is what it is.
            frame.left = 0;
            frame.tries = 0;
        } else {
            self.give_up(rng);
        }
    }

    /// The top frame's object is complete: it is passed to whoever waits for it.
    fn finish(&mut self) {
        let Some(mut frame) = self.frames.pop() else { return };
        self.forget_open();
        self.serials += 1;
        if let Some((slot, _)) = frame.object.filter(|_| self.options.is_incremental()) {
            frame.case.calls.truncate(frame.sure);
            frame.case = self.needed(&frame.case, &[slot]);
            frame.sure = frame.case.calls.len();
        }
        let Some(object) = frame.finished(self.serials) else { return };
        let object = Arc::new(object);
        if self.options.is_incremental() {
            self.built.push(object.clone());
        }
        if let Some(below) = self.frames.last_mut() {
            below.pass_object(object, true);
        }
    }

    /// The open test is of no frame any more.
    fn forget_open(&mut self) {
        if self.open.is_some_and(|open| open.frame >= self.frames.len()) {
            self.open = None;
        }
    }

    /// Puts an object into the pool, if it is not redundant.
    fn add_to_pool(&mut self, object: Arc<Object>, rng: &mut Rng) {
        let is_array = matches!(self.api.ty(object.ty), Type::Array(_));
        let is_long = object.case.calls.len() > MAX_CALLS;
        let Some(pool) = self.pool.as_mut().filter(|_| !is_array && !is_long) else { return };
        if self.options.redundancy {
            let key = Key::Object(object.clone());
            match self.redundancy.number((self.api, self.classes), &key) {
                Ok(number) if !self.redundancy.is_new_in_pool(number) => return,
                Ok(_) => {}
                Err(unknown) => {
                    self.built.push(object);
                    return self.identify(unknown);
                }
            }
        }
        pool.add(object, rng);
    }

    /// Begins to compare an object with others.
    fn identify(&mut self, object: Arc<Object>) {
        let Some(class) = self.api.ty(object.ty).as_class() else { return };
        let overrides = self.redundancy.overrides(self.classes, class);
        let mut identification =
            Identification::of(object.clone(), overrides, self.questions.clone());
        if !identification.asks_hash() {
            identification.compare_with(self.redundancy.candidates(class, None));
        }
        self.compare(identification);
    }

    /// Has an object compared with the next few.
    pub(super) fn compare(&mut self, mut identification: Identification) {
        match identification.next() {
            Some(case) => {
                self.open = None;
                self.moves.push_back(Move::Run(Arc::new(case)));
                self.waiting = Waiting::Comparison(Box::new(identification));
            }
            None => {
                let Identification { object, hash, .. } = &identification;
                let of = (self.api, self.classes);
                self.redundancy.identify(of, object, *hash, None);
            }
        }
    }

    /// The call of the top frame has all its arguments.
    fn complete(&mut self, rng: &mut Rng) {
        let Some(frame) = self.frames.last_mut() else { return };
        let op = frame.draft.as_ref().map(|draft| draft.op);
        let is_test = matches!(frame.goal, Goal::Test(_));
        if is_test && self.options.redundancy {
            match self.number_of_test() {
                Ok(number) => {
                    if let Some(known) = self.redundancy.known(number) {
                        return self.was_known(known, rng);
                    }
                    if self.is_run {
                        return self.meaningful(Some(number));
                    }
                }
                // Objects of a test case are compared once it is known to work.
                Err(unknown) if self.is_run || self.options.is_incremental() => {
                    return self.identify(unknown);
                }
                Err(_) => {}
            }
        }
        let is_array = op.is_some_and(|op| self.api.operation(op).kind == OperationKind::Array);
        let Some(frame) = self.frames.last_mut() else { return };
        frame.call(self.api);
        if is_test && !self.options.is_incremental() {
            self.moves.push_back(Move::Run(Arc::new(frame.case.clone())));
            self.waiting = Waiting::Whole;
            self.open = None;
        } else if is_array || !self.options.is_incremental() {
            frame.settle(self.api);
        } else {
            self.make();
        }
    }

    /// Has the calls of the top frame made that were not.
    fn make(&mut self) {
        let Some(frame) = self.frames.last() else { return };
        let at = self.frames.len() - 1;
        let (slots, calls) = match self.open {
            Some(open) if open.frame == at && (frame.is_alive || self.alive.is_none()) => {
                (open.slots, open.calls)
            }
            _ => {
                self.alive = None;
                self.moves.push_back(Move::Open(frame.case.slots.clone()));
                (frame.case.slots.len(), 0)
            }
        };
        let calls = frame.case.calls[calls..].to_vec();
        self.moves.push_back(Move::Extend(frame.case.slots[slots..].to_vec(), calls));
        let (slots, calls) = (frame.case.slots.len(), frame.case.calls.len());
        self.open = Some(Open { frame: at, calls, slots });
        self.waiting = Waiting::Step;
    }

    /// What tells the test case at the bottom from others.
    pub(super) fn number_of_test(&mut self) -> Result<Number, Arc<Object>> {
        let of = (self.api, self.classes);
        let Some(frame) = self.frames.last() else { unreachable!("a test case is being built") };
        let Some(draft) = &frame.draft else { unreachable!("its call is chosen") };
        let op: OpId = self.api.first(draft.op);
        let shared = draft.shares.then(|| {
            let mut case = frame.case.clone();
            if !draft.is_made {
                self.api.call(&mut case, draft.op, &draft.args);
            }
            let tested = case.calls.pop();
            let mut case = self.needed(&case, &draft.args);
            case.calls.extend(tested);
            case.compact(&[]);
            case
        });
        self.redundancy.number_of_test(of, (op, &draft.keys), shared)
    }

    fn was_known(&mut self, known: Known, rng: &mut Rng) {
        match known {
            Known::Meaningful => self.redundant(),
            Known::Meaningless if self.options.is_incremental() => self.try_again(None, rng),
            Known::Meaningless => self.meaningless(),
        }
    }
}

/// Whether a call takes anything that is drawn.
fn takes_drawn(api: &Api, draft: &Draft) -> bool {
    draft.wants.iter().any(|ty| is_drawn(api.ty(*ty)))
}

/// From the start of the range to its end, by a share in a thousand.
fn by_share(range: Range<u64>, share: u64) -> u64 {
    range.start + (range.end - range.start) * share / 1000
}

/// An object of the type that a test case has already.
fn in_test(api: &Api, case: &TestCase, ty: TypeId, rng: &mut Rng) -> Option<Slot> {
    let fits = |call: &&Call| {
        let made = call.result.and_then(|slot| api.type_made(call, case.ty(slot)));
        made.is_some_and(|made| {
            matches!(api.ty(made), Type::Class(_)) && api.fits(made).contains(&ty)
        })
    };
    let found: Vec<Slot> = case.calls.iter().filter(fits).filter_map(|call| call.result).collect();
    (!found.is_empty()).then(|| *pick(rng, &found))
}
