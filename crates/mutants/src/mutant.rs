//! A mutant, and all of a class.

use classfile::ClassFile;
use serde::{Deserialize, Serialize};

use crate::edit::Edit;
use crate::{MutantsError, Operator, Operators};

/// A small fault that can be put into a class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mutant {
    /// Names the mutant among all mutants of all classes:
    /// `org.example.Stack.push(I)V:MATH:2`, the third place for `MATH` in that method, and where an
    /// operator can do several things at one place, which: `…:REPLACE_OPERATOR:2:rem`.
    ///
    /// The operator is the first of [`operators`](Self::operators). Bodies of lambdas are numbered within
    /// the method they are written in.
    pub id: String,
    /// The internal name of the class, such as `org/example/Stack`.
    pub class: String,
    /// The name of the method in the class file, `<init>` of a constructor.
    pub method: String,
    /// Its descriptor.
    pub descriptor: String,
    /// The method in terms of Java: `push(int)`, `Stack(int)`, `lambda in push`.
    pub member: String,
    /// The source line, where the class file tells lines.
    pub line: Option<u16>,
    /// Which of the operators asked for makes it: the first of those that do.
    pub operator: Operator,
    /// All operators that make it.
    pub operators: Operators,
    /// What is changed, in terms of Java: "replaced `+` by `-`".
    pub description: String,
    /// The changes of the code: one, or one for each copy that a compiler made of a `finally` block.
    pub edits: Vec<Edit>,
}

impl Mutant {
    /// The instructions that are changed first at each place, by their numbers in the method: one, or one
    /// for each copy of a `finally` block.
    pub fn instructions(&self) -> impl Iterator<Item = u32> {
        self.edits.iter().map(|edit| edit.start)
    }

    /// Whether it is in code that runs once only, when the class is initialized.
    pub fn is_in_initializer(&self) -> bool {
        self.method == "<clinit>"
    }
}

/// All mutants of a class that these operators make, in the order of its methods and their code.
///
/// # Errors
/// If the class has no readable name; a method that cannot be read has no mutants.
pub fn mutants(class: &ClassFile, operators: Operators) -> Result<Vec<Mutant>, MutantsError> {
    crate::found::find(class, operators)
}
