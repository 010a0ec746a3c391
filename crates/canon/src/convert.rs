//! From a record to canonical form 3.
//!
//! The calls of the record are those of the test case, in order. What the test did to arrays becomes the
//! pseudo-calls of the proof: making one, taking and setting an element. Each object gets one slot, each
//! constant one for its type.

mod pseudo;
mod slots;

use std::sync::Arc;

use model::{
    Args, Call, ClassName, Hierarchy, Literal, Operation, OperationKind, Primitive, Slot, TestCase,
    Type,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kept::{Keep, kept};
use crate::reach::Reach;
use crate::record::{CallEnd, Event, How, ObjectOrigin, Record, Site, Value, Where};
use crate::{Refusal, seed};

/// More calls than this do not fit into a class (JVMS 4.1: 65535 constants).
const MAX_CALLS: usize = 8_000;
/// Longer texts are no constants (JVMS 4.4.7), whatever is in them.
const MAX_TEXT: usize = 16_000;

/// What a caught exception is put into.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Caught {
    /// The slot.
    pub slot: Slot,
    /// The class that is caught.
    pub class: ClassName,
    /// Whether the compiler knows that the call may throw it.
    pub is_declared: bool,
}

/// How a call ended when it was recorded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Told {
    /// The class of what it threw.
    pub threw: Option<Type>,
    /// What it returned, if source can spell that.
    pub value: Option<Literal>,
}

/// Arithmetic of the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sum {
    /// The operator.
    pub operator: Arc<str>,
    /// Its operands.
    pub operands: Vec<Literal>,
    /// What it came to.
    pub result: Literal,
}

/// A test in canonical form 3.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form3 {
    /// Pools and calls.
    pub case: TestCase,
    /// Of each guarded call, where the exception goes.
    pub caught: Vec<Option<Caught>>,
    /// How each call ended.
    pub told: Vec<Told>,
    /// The class of the exception that the last call ends the test with.
    pub throws: Option<ClassName>,
    /// What is asserted at the end.
    pub verdict: Slot,
    /// The assertions that held, each by how many calls were before it.
    pub held: Vec<usize>,
    /// Arithmetic, each with how many calls were before it.
    pub sums: Vec<(usize, Sum)>,
}

impl Form3 {
    /// The test case alone, for searches: without what is done to caught exceptions.
    pub fn to_seed(&self) -> TestCase {
        seed::of(self)
    }
}

/// Converts what a test did, with so much of its preparation; `package` is where the source will be, in
/// internal form.
pub fn convert<C: Hierarchy + ?Sized>(
    (record, keep): (&Record, Keep),
    sites: &dyn Fn(usize) -> Option<Site>,
    classes: &C,
    package: &str,
) -> Result<Form3, Refusal> {
    refuse_as_a_whole(record)?;
    let reach = Reach { classes, package };
    let mut converter = Converter {
        record,
        reach,
        kept: kept(record, keep),
        sites,
        needed: FxHashSet::default(),
        uses: FxHashMap::default(),
        declared: FxHashMap::default(),
        form: Form3 {
            case: TestCase::default(),
            caught: Vec::new(),
            told: Vec::new(),
            throws: None,
            verdict: Slot(0),
            held: Vec::new(),
            sums: Vec::new(),
        },
        slots: FxHashMap::default(),
        making: FxHashSet::default(),
        cyclic: Vec::new(),
        literals: FxHashMap::default(),
    };
    converter.look()?;
    converter.refuse_objects()?;
    converter.write()?;
    let truth = Type::Primitive(Primitive::Boolean);
    converter.form.verdict = converter.literal(&truth, &Literal::Boolean(true))?;
    Ok(converter.form)
}

fn refuse_as_a_whole(record: &Record) -> Result<(), Refusal> {
    match record.end.how {
        How::Timeout => return Err(Refusal::Timeout),
        How::Failed => {
            let end = &record.end;
            let mut why = end.class.clone();
            if !end.message.is_empty() {
                why = format!("{why}: {}", end.message).trim_start_matches(": ").to_owned();
            }
            return Err(Refusal::FailsHere(why));
        }
        How::Expected if record.end.place != Where::Call => return Err(Refusal::ThrowsItself),
        How::Expected | How::Passed => {}
    }
    match record.notes.first().map(|note| &**note) {
        Some("threads") => return Err(Refusal::Threads),
        Some(_) => return Err(Refusal::TooLong),
        None => {}
    }
    let calls = record.events.iter().filter(|event| matches!(event, Event::Call { .. })).count();
    if calls > MAX_CALLS { Err(Refusal::TooLong) } else { Ok(()) }
}

struct Converter<'c, C: ?Sized> {
    record: &'c Record,
    reach: Reach<'c, C>,
    kept: Vec<bool>,
    sites: &'c dyn Fn(usize) -> Option<Site>,
    /// Objects that occur in calls that are kept.
    needed: FxHashSet<u32>,
    /// What they are used as.
    uses: FxHashMap<u32, Vec<Type>>,
    /// What made them declares.
    declared: FxHashMap<u32, Type>,
    form: Form3,
    slots: FxHashMap<u32, Slot>,
    /// Arrays whose elements are about to be made.
    making: FxHashSet<u32>,
    /// Elements of arrays that have to wait for that: array, index, element.
    cyclic: Vec<(u32, u32, u32)>,
    literals: FxHashMap<(Type, Literal), Slot>,
}

impl<C: Hierarchy + ?Sized> Converter<'_, C> {
    /// The operation of a site; sites are numbers of ours.
    fn op(&self, site: usize) -> Result<Arc<Operation>, Refusal> {
        let site = (self.sites)(site).expect("records name sites there are");
        if site.sets_static {
            return Err(Refusal::SetsStatic(site.op.to_string()));
        }
        Ok(site.op)
    }

    /// Finds out which objects are needed, and as what.
    fn look(&mut self) -> Result<(), Refusal> {
        let record = self.record;
        for (event, _) in record.events.iter().zip(self.kept.clone()).filter(|(_, kept)| *kept) {
            let Event::Call { site, args, end } = event else { continue };
            let op = self.op(*site)?;
            if self.reach.is_local(&op.owner) {
                return Err(Refusal::AnonymousClass(op.owner.to_string()));
            }
            for (place, arg) in args.iter().enumerate() {
                if let Value::Object(id) = arg {
                    self.need(*id);
                    self.uses.entry(*id).or_default().push(op.param(place).clone());
                }
            }
            match (end, &op.result) {
                (CallEnd::Returned(Some(Value::Object(id))), Some(result)) => {
                    self.declared.entry(*id).or_insert_with(|| result.clone());
                }
                (CallEnd::Threw(id), _) => {
                    let throwable = Type::class("java/lang/Throwable");
                    self.declared.entry(*id).or_insert(throwable);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn need(&mut self, id: u32) {
        if !self.needed.insert(id) {
            return;
        }
        let record = self.record;
        let object = &record.objects[id as usize];
        match &object.origin {
            ObjectOrigin::Array(elements) => {
                let element = object.class.element().cloned().unwrap_or_else(Type::object);
                for value in elements {
                    if let Value::Object(of) = value {
                        self.need(*of);
                        self.uses.entry(*of).or_default().push(element.clone());
                    }
                }
            }
            ObjectOrigin::Element(Value::Object(array), _) => self.need(*array),
            _ => {}
        }
        if matches!(object.class, Type::Array(_)) {
            for event in &record.events {
                if let Event::Set { array: Value::Object(array), value: Value::Object(of), .. } =
                    event
                    && *array == id
                {
                    self.need(*of);
                }
            }
        }
    }

    fn refuse_objects(&self) -> Result<(), Refusal> {
        let mut needed: Vec<u32> = self.needed.iter().copied().collect();
        needed.sort_unstable();
        for id in needed {
            let object = &self.record.objects[id as usize];
            let class = || match &object.class {
                Type::Class(name) => name.clone(),
                _ => ClassName::internal("java/lang/Object"),
            };
            match &object.origin {
                ObjectOrigin::Test => return Err(Refusal::TestObject),
                ObjectOrigin::Lambda => return Err(Refusal::Lambda),
                ObjectOrigin::LargeArray => return Err(Refusal::LargeArray),
                ObjectOrigin::Unknown if self.reach.is_local(&class()) => {
                    return Err(Refusal::AnonymousClass(class().to_string()));
                }
                ObjectOrigin::Unknown => {
                    return Err(Refusal::UnknownOrigin(class().to_string()));
                }
                ObjectOrigin::Result if self.reach.is_local(&class()) => {
                    // Its constructor is refused where it is called; others may give one.
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn write(&mut self) -> Result<(), Refusal> {
        let record = self.record;
        let is_call = |event: &Event| matches!(event, Event::Call { .. });
        let last = record.events.iter().rposition(is_call);
        for (at, event) in record.events.iter().enumerate() {
            if !self.kept[at] {
                continue;
            }
            match event {
                Event::Part(_) => {}
                Event::Made(id) if self.needed.contains(id) => self.make(*id)?,
                Event::Made(_) => {}
                Event::Set { array: Value::Object(array), index, value } => {
                    if self.needed.contains(array) && self.slots.contains_key(array) {
                        self.set(*array, *index, value)?;
                    }
                }
                Event::Set { .. } => {}
                Event::Call { site, args, end } => {
                    let is_uncaught = record.end.how == How::Expected && Some(at) == last;
                    self.call(*site, args, end, is_uncaught)?;
                    if is_uncaught {
                        return Ok(());
                    }
                }
                Event::Held => self.form.held.push(self.form.case.calls.len()),
                Event::Sum(operator, operands, result) => {
                    let sum = Sum {
                        operator: operator.clone(),
                        operands: operands.clone(),
                        result: result.clone(),
                    };
                    self.form.sums.push((self.form.case.calls.len(), sum));
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, call: Call, caught: Option<Caught>, told: Told) {
        self.form.case.calls.push(call);
        self.form.caught.push(caught);
        self.form.told.push(told);
    }

    fn call(
        &mut self,
        site: usize,
        args: &[Value],
        end: &CallEnd,
        is_uncaught: bool,
    ) -> Result<(), Refusal> {
        let op = self.op(site)?;
        let declared = self.reach.usable(&op)?;
        let slots: Result<Vec<Slot>, _> = (args.iter().enumerate())
            .map(|(place, value)| self.slot(value, op.param(place)))
            .collect();
        let mut told = Told { threw: None, value: None };
        let mut result = None;
        let mut caught = None;
        match end {
            CallEnd::Threw(id) => {
                let class = self.record.objects[*id as usize].class.clone();
                let name = class.as_class().and_then(|class| self.reach.nearest(class));
                let name = name.unwrap_or_else(|| ClassName::internal("java/lang/Throwable"));
                told.threw = Some(class);
                if is_uncaught {
                    self.form.throws = Some(name);
                } else {
                    let slot = self.object_slot(*id, None)?;
                    let is_declared = self.is_declared(&name, &declared);
                    caught = Some(Caught { slot, class: name, is_declared });
                }
            }
            CallEnd::Returned(Some(Value::Object(id))) => {
                let is_known = self.slots.contains_key(id);
                let is_used = self.needed.contains(id);
                if !is_known
                    && (is_used || op.result.as_ref().is_some_and(|ty| self.reach.can_name(ty)))
                {
                    result = Some(self.object_slot(*id, op.result.as_ref())?);
                }
            }
            CallEnd::Returned(Some(value)) => {
                if let Value::Literal(literal) = value {
                    told.value = Some(literal.clone());
                }
                result = (op.result.as_ref())
                    .filter(|ty| self.reach.can_name(ty))
                    .map(|ty| self.form.case.slot(ty.clone()));
            }
            CallEnd::Returned(None) | CallEnd::Open => {}
        }
        let guarded = caught.is_some();
        let is_read = matches!(op.kind, OperationKind::StaticField | OperationKind::InstanceField);
        if is_read && result.is_none() && !guarded && !is_uncaught {
            // Of a value that nobody uses: reading a field is no statement.
            return Ok(());
        }
        let args = Args::from_vec(slots?);
        self.push(Call { op, args, result, guarded }, caught, told);
        Ok(())
    }

    fn is_declared(&self, class: &ClassName, declared: &[ClassName]) -> bool {
        let classes = self.reach.classes;
        !classes.is_checked_exception(class)
            || matches!(class.as_internal(), "java/lang/Exception" | "java/lang/Throwable")
            || declared
                .iter()
                .any(|of| classes.is_subclass(class, of) || classes.is_subclass(of, class))
    }
}
