//! Constants that the code of a class uses, with types, counts and whether they are compared (G4).
//!
//! A constant counts where something that is no constant itself is made of it: passed, returned,
//! stored, compared. `60 * 60 * 24` over three variables is one `86400`. See [`mine`] for the
//! interpretation, [`fold`] for the arithmetic.
//!
//! Invariant: the order of everything here depends on the class bytes only.

mod fold;
mod mine;
mod text;
mod value;
mod weights;

use std::collections::BTreeMap;
use std::sync::Arc;

use classfile::{ClassFile, ConstantValue};
use model::{ClassName, JavaString, Literal};
use rustc_hash::FxHashMap;

pub use weights::{Weighted, Weights};

use crate::AnalysisError;

/// A constant that code can be given as an input.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Mined {
    /// A number, character, string or class literal, of the type it is used as.
    Literal(Literal),
    /// A static field whose type is its own class: an enum constant, or a singleton like one
    /// (whether the class is an enum is not in the code that reads it).
    Static {
        /// The class.
        class: ClassName,
        /// The field.
        name: Arc<str>,
    },
}

/// A constant with its uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    /// The constant.
    pub constant: Mined,
    /// How often it is used.
    pub count: u32,
    /// Whether some of the uses compare it with something: `==`, `<`, `equals`, `switch`, …
    pub compared: bool,
}

/// A text or class that code passes to a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// The internal name of the method's class.
    pub class: String,
    /// The method's name.
    pub method: String,
    /// What is passed.
    pub constant: Literal,
}

impl Passed {
    /// Whether it is passed to a method of this name, of this class.
    pub fn is_to(&self, class: &str, method: &str) -> bool {
        self.class == class && self.method == method
    }
}

/// Name and descriptor of a method.
pub type Signature = (Arc<str>, Arc<str>);

/// The constants of a class.
#[derive(Clone, Debug, Default)]
pub struct Constants {
    /// Of each method that has any, in order of their first use.
    pub methods: BTreeMap<Signature, Vec<Use>>,
    /// The values of constant fields (`static final` with a constant expression).
    pub fields: Vec<Use>,
    /// Texts and classes that are passed to methods, each once, in the order of the code.
    pub passed: Vec<Passed>,
}

impl Constants {
    /// The constants of a class.
    pub fn of_class(class: &ClassFile) -> Result<Self, AnalysisError> {
        let mut fields = Tally::default();
        for field in &class.fields {
            let ty = value::primitive(
                field.descriptor(&class.pool)?.as_bytes().first().map_or(b'V', |b| *b),
            );
            let literal = match field.attributes.constant_value(&class.pool) {
                Ok(Some(constant)) => constant_literal(&constant),
                Ok(None) => continue,
                // A text that is no unicode is no reason to go without the rest.
                Err(classfile::ClassFileError::NotUnicode { .. }) => continue,
                Err(error) => return Err(error.into()),
            };
            if let Some(literal) = value::typed(&literal, ty) {
                fields.add(Mined::Literal(literal), false);
            }
        }
        let mined = mine::methods(class)?;
        Ok(Self { methods: mined.uses, fields: fields.uses, passed: mined.passed })
    }

    /// The constants of one method.
    pub fn method(&self, name: &str, descriptor: &str) -> &[Use] {
        let uses = self.methods.get(&(name.into(), descriptor.into()));
        uses.map_or(&[], |uses| &uses[..])
    }

    /// The constants of the whole class, each once, with their uses added up.
    pub fn total(&self) -> Vec<Use> {
        let mut tally = Tally::default();
        for used in self.methods.values().flatten().chain(&self.fields) {
            tally.add_many(used.constant.clone(), used.count, used.compared);
        }
        tally.uses
    }
}

fn constant_literal(constant: &ConstantValue<'_>) -> Literal {
    match constant {
        ConstantValue::Integer(value) => Literal::Int(*value),
        ConstantValue::Float(value) => Literal::Float(*value),
        ConstantValue::Long(value) => Literal::Long(*value),
        ConstantValue::Double(value) => Literal::Double(*value),
        ConstantValue::String(text) => Literal::String(JavaString::from(&**text)),
    }
}

/// Uses in order of the first of each.
#[derive(Default)]
struct Tally {
    uses: Vec<Use>,
    places: FxHashMap<Mined, usize>,
}

impl Tally {
    fn add(&mut self, constant: Mined, compared: bool) {
        self.add_many(constant, 1, compared);
    }

    fn add_many(&mut self, constant: Mined, count: u32, compared: bool) {
        if let Some(place) = self.places.get(&constant) {
            let known = &mut self.uses[*place];
            known.count += count;
            known.compared |= compared;
        } else {
            self.places.insert(constant.clone(), self.uses.len());
            self.uses.push(Use { constant, count, compared });
        }
    }
}
