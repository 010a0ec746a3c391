//! What a restated clause consists of: text of Java with holes, and values kept from before the call.

/// A piece of an expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Piece {
    /// Java as it is.
    Text(String),
    /// The object that the call is made on; of a constructor, the object it makes.
    Receiver,
    /// An argument of the call.
    Argument(usize),
    /// What the call returns.
    Result,
    /// A kept value, by its number.
    Kept(usize),
    /// A variable of a lambda, by its number.
    Variable(usize),
    /// A class, by its full name, nested ones after a dot.
    Class(String),
    /// A kept `int` where nothing wider fits: the cast is written if the value is kept in a wider
    /// type. There is none in what is handed out.
    Narrow(usize),
}

/// An expression.
pub type Template = Vec<Piece>;

/// A value that is kept before the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptValue {
    /// What a variable for it would best be called.
    pub name: String,
    /// Its type in full, without type arguments.
    pub ty: String,
    /// The value.
    pub value: Template,
}

/// How a part of a clause is asserted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asserted {
    /// The expression is true.
    True,
    /// The expression is false.
    False,
    /// The second expression, of a primitive type that is no floating one, equals the first.
    Equal,
    /// Both expressions are the same object.
    Same,
    /// The expressions are two objects.
    NotSame,
    /// The expression is `null`.
    Null,
    /// The expression is not `null`.
    NotNull,
    /// The call does not return, so that nothing is asserted of it.
    Unreached,
}

/// A part of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Claim {
    /// How it is asserted.
    pub asserted: Asserted,
    /// The expressions: two of `Equal`, `Same` and `NotSame`, none of `Unreached`, else one.
    pub of: Vec<Template>,
}

/// A clause in plain Java.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restated {
    /// Values kept before the call, in this order.
    pub before: Vec<KeptValue>,
    /// What holds after it, in this order; nothing if the call ends in an exception that the clause
    /// forbids.
    pub claims: Vec<Claim>,
    /// What variables of lambdas would best be called.
    pub variables: Vec<String>,
    /// Whether anything that is called may throw checked exceptions.
    pub throws: bool,
}

impl Restated {
    /// As statements of Java with names for the holes, for people.
    pub fn told(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for kept in &self.before {
            lines.push(format!("{} {} = {}", kept.ty, kept.name, self.text(&kept.value)));
        }
        for claim in &self.claims {
            let of: Vec<String> = claim.of.iter().map(|of| self.text(of)).collect();
            lines.push(format!("{:?}: {}", claim.asserted, of.join(", ")));
        }
        lines.join("; ")
    }

    fn text(&self, template: &Template) -> String {
        let name = |all: &[String], at: usize| all.get(at).cloned().unwrap_or_default();
        let kept: Vec<String> = self.before.iter().map(|kept| kept.name.clone()).collect();
        let word = |piece: &Piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Receiver => "it".to_owned(),
            Piece::Argument(at) => format!("arg{at}"),
            Piece::Result => "result".to_owned(),
            Piece::Kept(at) | Piece::Narrow(at) => name(&kept, *at),
            Piece::Variable(at) => name(&self.variables, *at),
            Piece::Class(class) => class.rsplit('.').next().unwrap_or_default().to_owned(),
        };
        template.iter().map(word).collect()
    }
}
