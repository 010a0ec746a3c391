//! The classes that are analysed together: who inherits from whom, and what a call may reach.
//!
//! Calls lead to units: a method, all methods a virtual call may reach, or a summary that is
//! settled already (of the JDK, of native methods). Units are numbered, so that the fixpoint sees
//! one graph.
mod dispatch;

use std::collections::VecDeque;

use classfile::flags;
use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Op, Target};
use super::extract::{ClassCode, MethodCode};
use super::ids::{class_id, method_id};
use super::natives::native;
use super::solve::Surroundings;
use super::summary::Summary;

/// Summaries of classes that are not part of the program.
pub(crate) trait Outside: Sync {
    /// The parents of a class, the superclass first; `None` if it is not known.
    fn parents(&self, class: u64) -> Option<Vec<u64>>;
    /// Whether a class declares a method.
    fn declares(&self, class: u64, signature: u64) -> bool;
    /// The summary of a method that a class declares.
    fn exact(&self, class: u64, signature: u64) -> Option<Summary>;
    /// The summary of a virtual call of it, and how many methods that may reach.
    fn dispatch(&self, class: u64, signature: u64) -> Option<(Summary, u32)>;
}

/// No classes at all.
pub(crate) struct Nothing;

impl Outside for Nothing {
    fn parents(&self, _class: u64) -> Option<Vec<u64>> {
        None
    }

    fn declares(&self, _class: u64, _signature: u64) -> bool {
        false
    }

    fn exact(&self, _class: u64, _signature: u64) -> Option<Summary> {
        None
    }

    fn dispatch(&self, _class: u64, _signature: u64) -> Option<(Summary, u32)> {
        None
    }
}

/// Something that calls lead to.
pub(crate) enum Unit {
    /// A method with a body: class and method in it.
    Method(u32, u32),
    /// Any of these units, each with its weight; and that of the class named in the call.
    Any(Vec<(u32, u32)>, Option<u32>),
    /// A summary that is settled.
    Settled,
}

/// Where a method was found.
enum Found {
    Inside(u32, u32),
    Outside(u64),
}

/// The classes that are analysed together.
pub(crate) struct Program<'o> {
    pub(crate) classes: Vec<ClassCode>,
    outside: &'o dyn Outside,
    places: FxHashMap<u64, u32>,
    methods: FxHashMap<u64, u32>,
    children: FxHashMap<u64, Vec<u32>>,
    pub(crate) units: Vec<Unit>,
    pub(crate) summaries: Vec<Summary>,
    /// The units that a unit's calls lead to, in the order of its calls.
    pub(crate) callees: Vec<Vec<u32>>,
    pub(crate) surroundings: Surroundings,
    /// How many function objects are made for a method of an interface.
    functions: FxHashMap<u64, u32>,
    exact_units: FxHashMap<u64, u32>,
    virtual_units: FxHashMap<u64, u32>,
}

impl<'o> Program<'o> {
    /// Links classes; of two with one name the first counts.
    pub(crate) fn new(classes: Vec<ClassCode>, outside: &'o dyn Outside) -> Self {
        let mut program = Self {
            classes,
            outside,
            places: FxHashMap::default(),
            methods: FxHashMap::default(),
            children: FxHashMap::default(),
            units: Vec::new(),
            summaries: Vec::new(),
            callees: Vec::new(),
            surroundings: Surroundings { max_depth: u8::MAX - 1, ..Surroundings::default() },
            functions: FxHashMap::default(),
            exact_units: FxHashMap::default(),
            virtual_units: FxHashMap::default(),
        };
        for (place, class) in program.classes.iter().enumerate() {
            if program.places.contains_key(&class.id) {
                continue;
            }
            program.places.insert(class.id, place as u32);
            for parent in &class.parents {
                program.children.entry(*parent).or_default().push(place as u32);
            }
            for (number, method) in class.methods.iter().enumerate() {
                program.methods.insert(method_id(class.id, method.signature), number as u32);
                let empty = method.body.iter().flat_map(|body| &body.empty);
                program.surroundings.empty.extend(empty);
                for (interface, signature) in method.body.iter().flat_map(|body| &body.functions) {
                    *program.functions.entry(method_id(*interface, *signature)).or_default() += 1;
                }
            }
        }
        program.add_outside_parents();
        program
    }

    /// Makes classes of the program children of what their outside parents inherit from.
    fn add_outside_parents(&mut self) {
        let outside: Vec<u64> =
            self.children.keys().filter(|id| !self.places.contains_key(id)).copied().collect();
        for first in outside {
            let heirs = self.children[&first].clone();
            let mut pending = vec![first];
            let mut seen = FxHashSet::from_iter([first]);
            while let Some(class) = pending.pop() {
                for parent in self.parents(class) {
                    if seen.insert(parent) {
                        let children = self.children.entry(parent).or_default();
                        children.extend(&heirs);
                        pending.push(parent);
                    }
                }
            }
        }
        for children in self.children.values_mut() {
            super::summary::sort(children);
        }
    }

    fn parents(&self, class: u64) -> Vec<u64> {
        match self.places.get(&class) {
            Some(place) => self.classes[*place as usize].parents.clone(),
            None => self.outside.parents(class).unwrap_or_default(),
        }
    }

    /// The method that a class declares or inherits (JVMS 5.4.3.3, superclasses first).
    fn find(&self, class: u64, signature: u64) -> Option<Found> {
        let mut pending = VecDeque::from([class]);
        let mut seen = FxHashSet::default();
        let mut declared = None;
        while let Some(class) = pending.pop_front() {
            if !seen.insert(class) {
                continue;
            }
            let found = match self.places.get(&class) {
                Some(place) => self
                    .methods
                    .get(&method_id(class, signature))
                    .map(|number| Found::Inside(*place, *number)),
                None => self.outside.declares(class, signature).then_some(Found::Outside(class)),
            };
            match found {
                Some(Found::Inside(place, number)) if self.is_abstract(place, number) => {
                    declared = declared.or(Some(Found::Inside(place, number)));
                }
                Some(found) => return Some(found),
                None => {}
            }
            // The superclass is the first of the parents and goes before what waits already.
            let parents = self.parents(class);
            if let Some((first, rest)) = parents.split_first() {
                pending.push_front(*first);
                pending.extend(rest);
            }
        }
        declared.or_else(|| {
            // Arrays and interfaces have the methods of `Object`.
            let object = class_id("java/lang/Object");
            if class == object || seen.contains(&object) {
                None
            } else {
                self.find(object, signature)
            }
        })
    }

    pub(crate) fn method(&self, place: u32, number: u32) -> &MethodCode {
        &self.classes[place as usize].methods[number as usize]
    }

    fn is_abstract(&self, place: u32, number: u32) -> bool {
        self.method(place, number).access & flags::ABSTRACT != 0
    }

    fn add(&mut self, unit: Unit, summary: Summary) -> u32 {
        self.units.push(unit);
        self.summaries.push(summary);
        self.callees.push(Vec::new());
        (self.units.len() - 1) as u32
    }

    /// The unit of the method that a class has, run as it stands.
    pub(crate) fn exact(&mut self, class: u64, signature: u64) -> Option<u32> {
        let found = self.find(class, signature)?;
        Some(self.unit_of(&found, signature))
    }

    fn unit_of(&mut self, found: &Found, signature: u64) -> u32 {
        let class = match found {
            Found::Inside(place, _) => self.classes[*place as usize].id,
            Found::Outside(class) => *class,
        };
        let key = method_id(class, signature);
        if let Some(unit) = self.exact_units.get(&key) {
            return *unit;
        }
        let unit = match *found {
            Found::Inside(place, number) => {
                let method = self.method(place, number);
                if method.body.is_some() {
                    // It throws until it is known to return.
                    let start = Summary { throws: true, ..Summary::default() };
                    self.add(Unit::Method(place, number), start)
                } else {
                    let summary = match &method.native {
                        Some(name) => native(class, name, method),
                        None => Summary::unknown(method.params.len()),
                    };
                    self.add(Unit::Settled, summary)
                }
            }
            Found::Outside(class) => {
                let summary = self.outside.exact(class, signature).unwrap_or_default();
                self.add(Unit::Settled, summary)
            }
        };
        self.exact_units.insert(key, unit);
        unit
    }

    /// The unit that a call leads to.
    fn callee(&mut self, target: &Target, args: usize) -> u32 {
        let found = match target {
            Target::Exact(class, signature) => self.exact(*class, *signature),
            Target::Virtual(class, signature) => self.dispatch(*class, *signature),
            Target::Of(classes, signature) => {
                let mut units: Vec<(u32, u32)> = classes
                    .iter()
                    .filter_map(|class| Some((self.exact(*class, *signature)?, 1)))
                    .collect();
                super::summary::sort(&mut units);
                match units[..] {
                    [] => None,
                    [(only, _)] => Some(only),
                    _ => {
                        let unit = self.add(Unit::Any(units.clone(), None), Summary::default());
                        self.callees[unit as usize] = units.iter().map(|unit| unit.0).collect();
                        Some(unit)
                    }
                }
            }
            Target::Handle(writes) => Some(self.add(Unit::Settled, Summary::handle(*writes))),
            Target::CloneArray => Some(self.add(Unit::Settled, Summary::clone_array())),
            Target::Unknown => None,
        };
        found.unwrap_or_else(|| self.add(Unit::Settled, Summary::unknown(args)))
    }

    /// Makes units of everything that is declared, and links their calls.
    pub(crate) fn link(&mut self) {
        for place in 0..self.classes.len() {
            let id = self.classes[place].id;
            if self.places.get(&id) != Some(&(place as u32)) {
                continue;
            }
            for number in 0..self.classes[place].methods.len() {
                let signature = self.classes[place].methods[number].signature;
                if self.is_abstract(place as u32, number as u32) {
                    self.dispatch(id, signature);
                } else {
                    self.unit_of(&Found::Inside(place as u32, number as u32), signature);
                }
            }
        }
        let mut unit = 0;
        while unit < self.units.len() {
            if let Unit::Method(place, number) = self.units[unit] {
                let body = self.classes[place as usize].methods[number as usize].body.take();
                if let Some(body) = body {
                    let mut callees = Vec::new();
                    for op in &body.ops {
                        if let Op::Call { target, args, .. } = op {
                            callees.push(self.callee(target, args.len()));
                        }
                    }
                    self.callees[unit] = callees;
                    self.classes[place as usize].methods[number as usize].body = Some(body);
                }
            }
            unit += 1;
        }
    }

    /// What is known of the method that a class declares or inherits, once all is solved: of
    /// an abstract method, what its implementations do.
    pub(crate) fn known(&self, class: u64, signature: u64) -> Option<Known<'_>> {
        match self.find(class, signature)? {
            Found::Inside(place, number) => {
                let key = method_id(self.classes[place as usize].id, signature);
                let units = if self.is_abstract(place, number) {
                    &self.virtual_units
                } else {
                    &self.exact_units
                };
                let unit = *units.get(&key)?;
                Some(Known::Inside { unit, method: self.method(place, number) })
            }
            Found::Outside(class) => self.outside.exact(class, signature).map(Known::Outside),
        }
    }

    /// How many methods a unit stands for; none where nothing is known.
    pub(crate) fn weight(&self, unit: u32) -> u32 {
        match &self.units[unit as usize] {
            Unit::Any(targets, _) => targets.iter().map(|target| target.1).sum(),
            Unit::Method(..) => 1,
            Unit::Settled => u32::from(!self.summaries[unit as usize].unknown),
        }
    }

    /// The place of a class.
    pub(crate) fn place(&self, class: u64) -> Option<u32> {
        self.places.get(&class).copied()
    }
}

/// What is known of a method.
pub(crate) enum Known<'p> {
    /// A unit of the program.
    Inside { unit: u32, method: &'p MethodCode },
    /// A summary from outside.
    Outside(Summary),
}
