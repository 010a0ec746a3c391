//! The executor that search uses, on the real JVM.

use std::path::PathBuf;
use std::sync::Arc;

use classpath::SearchPath;
use jvm::{Arg, Blackbox, Jvm, JvmError, NumberMethod, SETTLING, Service};
use model::{
    Call, CallEnd, ClassName, Cut, Effect, EffectKind, EffectSet, Interaction, Literal,
    Observation, Operation, OperationKind, Slot, SlotDecl, Thrown, Type,
};
use rustc_hash::FxHashSet;
use search::{Compared, Executor};

use crate::checked::CheckedClasses;
use crate::inside::feared::Feared;
use crate::inside::folders::Folders;
use crate::inside::fresh_statics::Watched;
use crate::inside::implement::class_bytes;
use crate::inside::open_files::OpenFiles;
use crate::inside::own_folder::OwnFolder;
use crate::inside::{describe, tell};
use crate::protocol::{Reply, Sender, UnitBudget};
use crate::setup::Setup;

/// Steps (loop iterations and calls) a test case may take; a sensible test takes far fewer.
const STEP_BUDGET: i32 = 300_000;
/// What long tests have beyond that, for each call.
const STEPS_PER_CALL: i32 = 1000;

/// Runs test cases and watches what they leave behind.
pub(crate) struct Machine<'vm> {
    executor: jvm::Executor<'vm>,
    pub(crate) blackbox: Arc<Blackbox>,
    /// Puts process-wide settings back; says which had changed.
    restore: NumberMethod<'vm>,
    /// Where static fields are watched, and what puts them back, if there is any.
    statics: Service<'vm>,
    put_back: Option<NumberMethod<'vm>>,
    /// Interrupts threads that were started; says how many are still alive, soon or in good time.
    left_threads: NumberMethod<'vm>,
    left_in_good_time: NumberMethod<'vm>,
    /// Whether what is found must not depend on how fast the machine is.
    is_counted: bool,
    /// Waits for threads that were started; says how many do not end by themselves.
    settle: NumberMethod<'vm>,
    folders: Folders,
    own_folder: OwnFolder,
    open_files: OpenFiles<'vm>,
    feared: Feared,
    probes: u32,
    sender: Sender,
    announced: FxHashSet<u32>,
    /// What the clauses of classes with checks are.
    checked: Option<CheckedClasses>,
    /// Classes written on the spot that the JVM has.
    written: FxHashSet<ClassName>,
    compared: Vec<jvm::Compared>,
}

impl<'vm> Machine<'vm> {
    pub(crate) fn new(setup: &Setup, jvm: &'vm Jvm, sender: &Sender) -> Result<Self, JvmError> {
        let own_folder = OwnFolder::prepare(setup).map_err(|error| JvmError::Service {
            call: "the place for temporary folders".to_owned(),
            why: error.to_string(),
        })?;
        let entries: Vec<PathBuf> = setup.subject.searched_entries().cloned().collect();
        jvm::set_known_class_path(&SearchPath::default().places(&entries));
        let blackbox = Arc::new(Blackbox::create(&Setup::blackbox(&setup.scratch))?);
        let mut executor = jvm::Executor::new(jvm, blackbox.clone())?;
        executor.set_step_budget(STEP_BUDGET);
        if setup.subject.checked.is_some() {
            executor.expect_breaches()?;
        }
        let settings =
            Service::define(jvm, runtime::service_classes(), "testhound/runtime/Settings")?;
        settings.number("begin")?.call()?;
        let restore = settings.number("putBackWhatChanged")?;
        let statics = Service::find(jvm, "testhound/runtime/FreshStatics")?;
        let left_threads = settings.number("endNewThreads")?;
        let left_in_good_time = settings.number("endNewThreadsInGoodTime")?;
        let settle = settings.number("settle")?;
        Ok(Self {
            executor,
            blackbox,
            restore,
            statics,
            put_back: None,
            left_threads,
            left_in_good_time,
            is_counted: false,
            settle,
            folders: Folders::of(setup),
            own_folder,
            open_files: OpenFiles::new(jvm),
            feared: Feared::default(),
            probes: 0,
            sender: sender.clone(),
            announced: FxHashSet::default(),
            checked: setup.subject.checked.clone(),
            written: FxHashSet::default(),
            compared: Vec::new(),
        })
    }

    /// The classes with checks, if there are any.
    pub(crate) fn checked(&self) -> Option<&CheckedClasses> {
        self.checked.as_ref()
    }

    /// Sets how many probes the classes under test have, from 0 up in the map.
    pub(crate) fn set_probes(&mut self, probes: u32) {
        self.probes = probes;
    }

    /// Has threads that were started judged as befits a budget: with one that is counted, a thread has
    /// ample time to end, so that a slow machine does not make it one that was left running.
    pub(crate) fn judge_threads_for(&mut self, budget: &UnitBudget) {
        self.is_counted = matches!(budget, UnitBudget::Calls(_));
    }

    /// Has static fields put back after every test case to what they are now.
    pub(crate) fn keep_statics_fresh(&mut self, watched: &Watched) -> Result<(), JvmError> {
        let args = [Arg::Texts(&watched.classes), Arg::Texts(&watched.fields)];
        let has_any = !self.statics.call("watch", &args)?.is_empty();
        self.put_back = has_any.then(|| self.statics.number("putBack")).transpose()?;
        Ok(())
    }

    /// Has some operations called with care.
    pub(crate) fn set_feared(&mut self, feared: Feared) {
        self.feared = feared;
    }

    /// Gives tests of so many calls the steps that they take.
    pub(crate) fn allow_for(&mut self, calls: u32) {
        let more = i32::try_from(calls).unwrap_or(i32::MAX).saturating_mul(STEPS_PER_CALL);
        self.executor.set_step_budget(STEP_BUDGET.saturating_add(more));
    }

    /// Links an operation, telling the supervisor before and after, so that it knows what to blame
    /// should this be the end. Returns the effects of the initializers that ran, and of the threads
    /// they started; one that does not end by itself is an effect.
    pub(crate) fn link(&mut self, op: &Arc<Operation>) -> Result<Vec<Effect>, JvmError> {
        tell(&self.sender, &Reply::Linking((**op).clone()));
        self.define_written(op)?;
        let mut left = Ok(0);
        let (number, mut effects) = self.executor.link_and_settle(op, |threads| {
            if threads > 0 {
                left = Self::settling(&self.blackbox, || self.settle.call_noting());
            }
        });
        let mut kinds = self.restored();
        match left {
            Ok(0) => {}
            Ok(_) => kinds.insert(EffectKind::Thread),
            Err(error) => self.give_up(&error),
        }
        for kind in kinds.iter() {
            if !effects.iter().any(|effect| effect.kind == kind) {
                effects.push(Effect { kind, on: String::new() });
            }
        }
        let number = number.inspect_err(|_| tell(&self.sender, &Reply::Unlinkable))?;
        self.announced.insert(number);
        tell(&self.sender, &Reply::Linked(number));
        Ok(effects)
    }

    /// Has the JVM know the class that the operation writes on the spot, if it does.
    fn define_written(&mut self, op: &Operation) -> Result<(), JvmError> {
        let Some(implementation) = &op.implementation else { return Ok(()) };
        if self.written.contains(&implementation.class) {
            return Ok(());
        }
        let bytes = class_bytes(op, implementation)
            .map_err(|error| JvmError::Link { what: op.to_string(), why: error.to_string() })?;
        self.executor.define(&implementation.class, &bytes)?;
        self.written.insert(implementation.class.clone());
        if implementation.is_mock {
            self.executor.expect_mocks();
        }
        Ok(())
    }

    /// Does our own work that may ask code under test: the watchdog sees it, and has the process
    /// killed if it does not come to an end.
    fn settling<T>(blackbox: &Blackbox, work: impl FnOnce() -> T) -> T {
        blackbox.enter(SETTLING);
        let value = work();
        // It is never stopped.
        let _ = blackbox.leave();
        value
    }

    /// Ends this process: another worker goes on with what was kept.
    fn give_up(&self, why: &dyn std::fmt::Display) -> ! {
        tell(&self.sender, &Reply::Broken(why.to_string()));
        std::process::abort();
    }

    /// Ends this process for a defect of ours, which is told as one.
    pub(crate) fn fail(&self, error: &JvmError) -> ! {
        tell(&self.sender, &Reply::Failed(describe(error)));
        std::process::abort();
    }

    fn restored(&mut self) -> EffectSet {
        let mut changed = EffectSet::default();
        match Self::settling(&self.blackbox, || self.restore.call()) {
            Ok(bits) => {
                // The order of bits is that of `Settings` in the Java part.
                for (bit, kind) in [
                    (0, EffectKind::Locale),
                    (1, EffectKind::TimeZone),
                    (2, EffectKind::SystemProperty),
                    (3, EffectKind::Stream),
                    (4, EffectKind::Setting),
                    (5, EffectKind::Setting),
                    (6, EffectKind::Setting),
                    (7, EffectKind::Setting),
                ] {
                    if bits & 1 << bit != 0 {
                        changed.insert(kind);
                    }
                }
            }
            Err(error) => self.give_up(&error),
        }
        changed
    }
}

impl Machine<'_> {
    fn close_own_folder(&mut self) {
        if !self.own_folder.is_open() {
            return;
        }
        if let Err(error) = self.open_files.case_ended() {
            self.give_up(&error);
        }
        let mut closed = self.own_folder.close();
        if closed.is_err() {
            // Deleting a folder opens it, for which there may be too many open files.
            if let Err(error) = self.open_files.close_forgotten() {
                self.give_up(&error);
            }
            closed = self.own_folder.close();
        }
        if let Err(error) = closed {
            self.give_up(&format!("the temporary folder cannot be deleted: {error}"));
        }
    }
}

impl Executor for Machine<'_> {
    fn begin(&mut self, slots: &[SlotDecl]) {
        self.executor.take_effects();
        self.feared.begin(slots);
        if let Err(error) = self.executor.begin(slots) {
            self.give_up(&error);
        }
    }

    fn extend(&mut self, slots: &[SlotDecl]) {
        self.feared.extend(slots);
        if let Err(error) = self.executor.extend(slots) {
            self.give_up(&error);
        }
    }

    fn leave_alone(&mut self, op: &Operation) {
        self.feared.add(op);
    }

    fn call(&mut self, call: &Call) -> CallEnd {
        if !self.feared.allows(&call.op, &call.args) {
            return CallEnd::Cut(Cut::Killed);
        }
        if call.op.kind == OperationKind::Temporary
            && let Err(error) = self.own_folder.open()
        {
            self.give_up(&format!("the temporary folder cannot be made: {error}"));
        }
        // A mock that lost an answer while its test was minimized is of a new class. If that cannot
        // be defined, the call says so.
        if self.define_written(&call.op).is_err() {
            return CallEnd::Unlinkable(format!("{} cannot be defined", call.op));
        }
        let end = self.executor.call(call);
        self.feared.made(call);
        match (&self.checked, end) {
            (Some(checked), CallEnd::Breached(breach)) => {
                CallEnd::Breached(checked.judge(&call.op, breach))
            }
            (_, end) => end,
        }
    }

    fn effects(&mut self, thorough: bool) -> EffectSet {
        let mut left = 0;
        if self.executor.started_threads() > 0 {
            let end = if self.is_counted { &self.left_in_good_time } else { &self.left_threads };
            let ended = Self::settling(&self.blackbox, || end.call_noting());
            left = ended.unwrap_or_else(|error| self.give_up(&error));
        }
        // After the threads have ended: what they did counts too.
        let mut kinds = self.executor.effect_kinds();
        if left > 0 {
            kinds.insert(EffectKind::Thread);
        }
        let settings = [
            EffectKind::Locale,
            EffectKind::TimeZone,
            EffectKind::SystemProperty,
            EffectKind::Stream,
            EffectKind::Setting,
        ];
        if thorough || settings.iter().any(|k| kinds.contains(*k)) {
            kinds = kinds.union(self.restored());
        }
        kinds
    }

    fn effects_noted(&self) -> EffectSet {
        self.executor.effect_kinds()
    }

    fn has_started_threads(&self) -> bool {
        self.executor.started_threads() > 0
    }

    fn overran(&self) -> bool {
        self.executor.budget_is_spent()
    }

    fn end(&mut self) {
        let kinds = self.executor.effect_kinds();
        self.executor.end();
        if let Some(put_back) = &self.put_back
            && let Err(error) = put_back.call()
        {
            self.give_up(&error);
        }
        self.close_own_folder();
        let touched = [EffectKind::FileWrite, EffectKind::FileDelete, EffectKind::FileMove];
        if touched.iter().any(|kind| kinds.contains(*kind))
            && let Err(error) = self.folders.renew()
        {
            self.give_up(&format!("the scratch folders cannot be renewed: {error}"));
        }
    }

    fn is_null(&self, slot: Slot) -> bool {
        self.executor.is_null(slot)
    }

    fn primitive(&self, slot: Slot) -> Option<Literal> {
        self.executor.primitive(slot)
    }

    fn observe(&self, slot: Slot) -> Observation {
        Self::settling(&self.blackbox, || self.executor.observe(slot))
    }

    fn view(&mut self, path: &[Arc<Operation>], slot: Slot) -> Option<Observation> {
        if !path.iter().all(|op| self.feared.allows(op, &[slot])) {
            return None;
        }
        let mut is_linking = false;
        let observed = self.executor.view(path, slot, &mut |op, number| match number {
            None => {
                is_linking = true;
                tell(&self.sender, &Reply::Linking((**op).clone()));
            }
            Some(number) => {
                if self.announced.insert(number) {
                    tell(&self.sender, &Reply::Linking((**op).clone()));
                    tell(&self.sender, &Reply::Linked(number));
                }
                is_linking = false;
            }
        });
        if is_linking {
            tell(&self.sender, &Reply::Unlinkable);
        }
        observed
    }

    fn class_of(&self, slot: Slot) -> Option<Type> {
        self.executor.class_of(slot)
    }

    fn same(&self, a: Slot, b: Slot) -> bool {
        self.executor.same(a, b)
    }

    fn thrown(&mut self) -> Option<Thrown> {
        // Messages of exceptions are code under test.
        Self::settling(&self.blackbox, || self.executor.thrown())
    }

    fn take_effects(&mut self) -> Vec<Effect> {
        self.executor.take_effects()
    }

    fn note_mocks(&mut self, noting: bool) {
        self.executor.note_mocks(noting);
    }

    fn interactions(&self) -> Option<Vec<Interaction>> {
        Self::settling(&self.blackbox, || self.executor.interactions())
    }

    fn mocks_gave_null(&self) -> bool {
        self.executor.mocks_gave_null()
    }

    fn steps(&self) -> u32 {
        self.executor.steps().max(0) as u32
    }

    fn watch(&mut self, open: &[u8]) {
        self.executor.watch(open);
    }

    fn compared(&mut self, into: &mut Vec<Compared>) {
        into.clear();
        self.executor.compared(&mut self.compared);
        into.extend(self.compared.iter().map(|c| Compared {
            number: c.number,
            place: c.place,
            distance: c.distance,
        }));
    }

    fn compared_numbers(&self, place: u32) -> (i64, i64) {
        self.executor.compared_numbers(place)
    }

    fn compared_objects(&self, place: u32) -> (Observation, Observation) {
        Self::settling(&self.blackbox, || self.executor.compared_objects(place))
    }

    fn probes(&self) -> usize {
        self.probes as usize
    }

    fn clear_hits(&mut self) {
        self.executor.clear_coverage(0, self.probes);
    }

    fn hits(&mut self, into: &mut [u8]) {
        self.executor.read_coverage(0, into);
    }
}
