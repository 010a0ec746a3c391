//! What of the preparation belongs to a test: what runs before it in its class is done for all its
//! tests.
//!
//! Objects that occur in one call belong together. A call of a preparation is kept if the test touches
//! an object that belongs to those of the call, or if it has no object at all: then it may have changed
//! what is seen by all. So may a call with objects of its own, in static fields of other code: whether
//! too little is kept shows when what was written is run, and then more is.

use crate::record::{CallEnd, Event, ObjectOrigin, Part, Record, Value};

/// How much of the preparation is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keep {
    /// Of what is done for all tests of the class, what the test touches; all that is done before each.
    EachTest,
    /// What the test touches.
    Touched,
    /// Everything.
    All,
}

impl Keep {
    /// In the order in which they are tried.
    pub const ALL: [Self; 3] = [Self::EachTest, Self::Touched, Self::All];

    fn keeps(self, part: Part) -> bool {
        match self {
            Self::EachTest => part != Part::Class,
            Self::Touched => part == Part::Test,
            Self::All => true,
        }
    }
}

/// Which events are kept.
pub(crate) fn kept(record: &Record, keep: Keep) -> Vec<bool> {
    let mut groups = Groups::of(record.objects.len());
    for event in &record.events {
        groups.join(&touched(record, event));
    }
    let mut part = Part::Class;
    let mut is_needed = vec![false; record.objects.len()];
    for event in &record.events {
        match event {
            Event::Part(begun) => part = *begun,
            Event::Call { .. } if keep.keeps(part) => {
                for object in touched(record, event) {
                    is_needed[groups.find(object)] = true;
                }
            }
            _ => {}
        }
    }
    part = Part::Class;
    let mut kept = Vec::with_capacity(record.events.len());
    for event in &record.events {
        if let Event::Part(begun) = event {
            part = *begun;
        }
        let objects = touched(record, event);
        kept.push(match event {
            Event::Call { .. } if !keep.keeps(part) => {
                let group = objects.first().map(|object| groups.find(*object));
                group.is_none_or(|group| is_needed[group])
            }
            // Constants and arithmetic of preparations are not shown.
            Event::Sum(..) | Event::Held => part == Part::Test,
            _ => true,
        });
    }
    kept
}

/// The objects that an event mentions. A constant of an enum joins nothing.
fn touched(record: &Record, event: &Event) -> Vec<u32> {
    let mut objects = Vec::new();
    let mut add = |value: &Value| {
        if let Value::Object(id) = value {
            objects.push(*id);
        }
    };
    match event {
        Event::Call { args, end, .. } => {
            args.iter().for_each(&mut add);
            match end {
                CallEnd::Returned(Some(value)) => add(value),
                CallEnd::Threw(thrown) => add(&Value::Object(*thrown)),
                _ => {}
            }
        }
        Event::Made(id) => {
            add(&Value::Object(*id));
            match &record.objects[*id as usize].origin {
                ObjectOrigin::Array(elements) => elements.iter().for_each(&mut add),
                ObjectOrigin::Element(array, _) => add(array),
                _ => {}
            }
        }
        Event::Set { array, value, .. } => {
            add(array);
            add(value);
        }
        Event::Part(_) | Event::Sum(..) | Event::Held => {}
    }
    objects.retain(|id| {
        let object = record.objects.get(*id as usize);
        object.is_some_and(|object| !matches!(object.origin, ObjectOrigin::Constant(..)))
    });
    objects
}

/// Objects that belong together.
struct Groups(Vec<usize>);

impl Groups {
    fn of(objects: usize) -> Self {
        Self((0..objects).collect())
    }

    fn find(&mut self, object: u32) -> usize {
        let mut at = object as usize;
        while self.0[at] != at {
            self.0[at] = self.0[self.0[at]];
            at = self.0[at];
        }
        at
    }

    fn join(&mut self, objects: &[u32]) {
        for pair in objects.windows(2) {
            let (a, b) = (self.find(pair[0]), self.find(pair[1]));
            self.0[a] = b;
        }
    }
}
