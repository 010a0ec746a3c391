//! Test data for classes with contracts: the strategies pure (A1), pooled (A2) and incremental (A3) of
//! "Random Test Data Generation for Java Classes Annotated with JML Specifications" (requirements J7
//! to J15).
//!
//! Each method is tested on its own, in turn. A test case is a receiver and arguments, each made for
//! it: drawn, taken from the pool, or built by calls (figures 2 and 3 of the paper). What is being
//! built is a stack of frames, the test case at the bottom and on top of it the object that it needs
//! first, so that calls can be proposed one at a time. The strategies are one: A1 and A2 take every
//! call to work and run the test case whole, A3 makes each call before it decides on the next.
//!
//! Contracts are what calls come to: nothing here knows what they say. An infeasible call makes a test
//! case meaningless, or is taken back; any other broken contract is a failure, which is the driver's.
//!
//! Invariant: what is proposed depends on the options, the random numbers and what calls came to, on
//! no clock.

mod alive;
mod blame;
mod build;
mod classify;
mod counts;
mod draft;
mod facts;
mod identify;
mod learn;
mod object;
mod options;
mod pool;
mod redundancy;
#[cfg(test)]
mod tests;
mod turns;
mod values;

use std::collections::VecDeque;
use std::sync::Arc;

use model::{ClassSource, OperationKind, TestCase};

pub use classify::{Role, role};
pub use counts::Counts;
pub use facts::{ContractFacts, Facts};
pub use options::{JetOptions, Retry, Variant};

use self::alive::Alive;
use self::blame::Blame;
use self::classify::Roles;
use self::draft::Frame;
use self::identify::{Identification, Questions};
use self::object::Object;
use self::pool::ObjectPool;
use self::redundancy::Redundancy;
use self::turns::Turns;
use crate::Rng;
use crate::api::{Api, OpId, TypeId};
use crate::contracts::Built;
use crate::strategy::{Move, Report, Strategy, Values};

/// Steps without a move after which the driver is asked whether there is time left.
const MAX_SILENT: u32 = 1000;

/// What the run that was proposed last is for.
#[derive(Debug)]
enum Waiting {
    Nothing,
    /// The call of the top frame's draft, in the open test.
    Step,
    /// The test case, run whole.
    Whole,
    /// Comparing an object with others.
    Comparison(Box<Identification>),
}

/// The test that is open, as far as this strategy knows.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// The frame that it is of.
    frame: usize,
    /// Its calls and slots.
    calls: usize,
    slots: usize,
}

/// The strategies.
pub struct Jet<'a> {
    api: &'a Api,
    classes: &'a dyn ClassSource,
    options: JetOptions,
    roles: Roles,
    turns: Turns,
    pool: Option<ObjectPool>,
    redundancy: Redundancy,
    questions: Questions,
    blame: Blame,
    counts: Counts,
    frames: Vec<Frame>,
    open: Option<Open>,
    alive: Option<Alive>,
    moves: VecDeque<Move>,
    waiting: Waiting,
    /// Whether the test case at the bottom was run, and only its redundancy is left to be told.
    is_run: bool,
    /// Whether it broke a contract.
    is_failure: bool,
    /// Whether it returned, and nothing else was to be seen.
    is_clean: bool,
    /// Objects that are to join the pool, once it is known whether they are redundant.
    built: Vec<Arc<Object>>,
    serials: u32,
    /// Calls taken back since the attempt began.
    taken_back: u32,
}

impl<'a> Jet<'a> {
    /// A search over these operations, without those to be avoided. `facts` is what contracts say of
    /// methods.
    pub fn new(
        api: &'a Api,
        classes: &'a dyn ClassSource,
        facts: &Facts,
        avoid: &[OpId],
        options: JetOptions,
    ) -> Self {
        let roles = Roles::of(api, classes, facts, avoid);
        let methods = tested(api, classes, options.inherited);
        let methods = methods.into_iter().filter(|op| roles.may_call(*op));
        let turns = Turns::new(methods, options.replacements);
        let pool = options.pool.map(|room| ObjectPool::new(api, room));
        Self {
            api,
            classes,
            roles,
            turns,
            pool,
            redundancy: Redundancy::default(),
            questions: Questions::new(),
            blame: Blame::default(),
            counts: Counts::default(),
            frames: Vec::new(),
            open: None,
            alive: None,
            moves: VecDeque::new(),
            waiting: Waiting::Nothing,
            is_run: false,
            is_failure: false,
            is_clean: false,
            built: Vec::new(),
            serials: 0,
            taken_back: 0,
            options,
        }
    }

    /// What became of the attempts so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The methods under test.
    pub fn methods(&self) -> impl Iterator<Item = OpId> {
        self.turns.methods()
    }

    /// Objects built so far that can be used as the type, at most `limit`.
    pub fn objects(&self, ty: TypeId, limit: usize) -> Vec<Built> {
        let objects = self.pool.iter().flat_map(|pool| pool.some(self.api, ty, limit));
        objects.map(|object| (object.case.clone(), object.slot)).collect()
    }

    fn is_done(&self) -> bool {
        let limit = self.options.attempts;
        let has_enough = limit.is_some_and(|limit| self.counts.total() >= limit);
        self.turns.current().is_none() || (has_enough && self.frames.is_empty())
    }
}

/// The methods to be tested: public ones, if the class has any.
fn tested(api: &Api, classes: &dyn ClassSource, inherited: bool) -> Vec<OpId> {
    let class = classes.class(&api.class);
    let is_method = |op: &OpId| {
        let operation = api.operation(*op);
        let is_own = || {
            let method = |of: &Arc<model::Class>| {
                of.method(&operation.name, &operation.descriptor()).is_some()
            };
            class.as_ref().is_none_or(method)
        };
        matches!(
            operation.kind,
            OperationKind::Constructor
                | OperationKind::InstanceMethod
                | OperationKind::StaticMethod
        ) && (inherited || is_own())
    };
    let all: Vec<OpId> = api.subjects().iter().copied().filter(is_method).collect();
    let public: Vec<OpId> = all.iter().copied().filter(|op| api.is_public(*op)).collect();
    if public.is_empty() { all } else { public }
}

impl Strategy for Jet<'_> {
    fn propose(&mut self, rng: &mut Rng) -> Option<Move> {
        for _ in 0..MAX_SILENT {
            if let Some(next) = self.moves.pop_front() {
                return Some(next);
            }
            if self.is_done() {
                return None;
            }
            self.advance(rng);
        }
        // All that came up was run before.
        self.open = None;
        Some(Move::Close)
    }

    fn observe(&mut self, case: &TestCase, report: &Report, values: &dyn Values, rng: &mut Rng) {
        self.blame(case, report);
        match std::mem::replace(&mut self.waiting, Waiting::Nothing) {
            Waiting::Nothing => {}
            Waiting::Step => self.made_step(case, report, values, rng),
            Waiting::Whole => self.ran_whole(case, report),
            Waiting::Comparison(identification) => {
                self.compared(*identification, case, report, values);
            }
        }
    }
}
