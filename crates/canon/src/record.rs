//! What a test did, as it was told line by line (`runtime/boot/java/lang/TesthoundRecord.java` has the
//! format).

use std::sync::Arc;

use model::{ClassName, JavaString, Literal, Operation, Type};

/// What is done at a place of the test, whatever it is done to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Site {
    /// The operation.
    pub op: Arc<Operation>,
    /// Whether it sets a static field instead of reading it.
    pub sets_static: bool,
}

/// A value in a call.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Value {
    /// One that source can spell; `null` among them.
    Literal(Literal),
    /// A text too long to be one.
    LongText,
    /// An object, by its number.
    Object(u32),
}

/// Where an object comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectOrigin {
    /// A call returned it.
    Result,
    /// A call threw it.
    Thrown,
    /// The test made it: an array of these.
    Array(Vec<Value>),
    /// An array that the test made, with too many elements to be told.
    LargeArray,
    /// It is an element of an array.
    Element(Value, u32),
    /// A constant of an enum: the class and its name.
    Constant(ClassName, Arc<str>),
    /// The test itself.
    Test,
    /// A lambda.
    Lambda,
    /// Not known.
    Unknown,
}

/// An object of the test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Object {
    /// Its class.
    pub class: Type,
    /// Where it comes from.
    pub origin: ObjectOrigin,
}

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallEnd {
    /// It returned, with a value unless it is `void`.
    Returned(Option<Value>),
    /// It threw this object.
    Threw(u32),
    /// It was never told.
    Open,
}

/// Parts of a test.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Part {
    /// Static initializers, and what runs before all tests.
    Class,
    /// The constructor, and what runs before each test.
    Object,
    /// The test method.
    Test,
}

/// Something that happened.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A part of the test begins.
    Part(Part),
    /// A call, by the number of its site.
    Call {
        /// The site.
        site: usize,
        /// Receiver and arguments.
        args: Vec<Value>,
        /// How it ended.
        end: CallEnd,
    },
    /// An object without a call: an array, an element, a constant.
    Made(u32),
    /// An element of an array was set by the test.
    Set {
        /// The array.
        array: Value,
        /// Which element.
        index: u32,
        /// To what.
        value: Value,
    },
    /// Arithmetic: operator, operands, result.
    Sum(Arc<str>, Vec<Literal>, Literal),
    /// An assertion held.
    Held,
}

/// How the test ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// As it should.
    Passed,
    /// By the exception that it is to end with.
    Expected,
    /// Otherwise.
    Failed,
    /// It did not.
    Timeout,
}

/// Where an exception came from that ended a test.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// The last recorded call.
    Call,
    /// An assertion.
    Assertion,
    /// The test's own code.
    Test,
}

/// The end of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct End {
    /// How.
    pub how: How,
    /// The class of the exception, or nothing.
    pub class: String,
    /// Where that came from.
    pub place: Where,
    /// Its message, or what is wrong.
    pub message: String,
}

/// What a test did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// Its objects, by number.
    pub objects: Vec<Object>,
    /// What happened, in order.
    pub events: Vec<Event>,
    /// What it cannot be converted for.
    pub notes: Vec<String>,
    /// How it ended.
    pub end: End,
}

/// A line that is none of a record: a defect of ours.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a record has the line `{0}`")]
pub struct BadRecord(String);

impl Record {
    /// Reads the lines of a record.
    pub fn parse(lines: &[String]) -> Result<Self, BadRecord> {
        let mut objects: Vec<Option<Object>> = Vec::new();
        let mut record = Self {
            objects: Vec::new(),
            events: Vec::new(),
            notes: Vec::new(),
            end: End {
                how: How::Failed,
                class: String::new(),
                place: Where::Test,
                message: "nothing was told of its end".to_owned(),
            },
        };
        for line in lines {
            record.line(line, &mut objects).ok_or_else(|| BadRecord(line.clone()))?;
        }
        let all: Option<Vec<Object>> = objects.into_iter().collect();
        record.objects = all.ok_or_else(|| BadRecord("(an object without a line)".to_owned()))?;
        Ok(record)
    }

    fn line(&mut self, line: &str, objects: &mut Vec<Option<Object>>) -> Option<()> {
        let mut fields = line.split('\t');
        let letter = fields.next()?;
        let fields: Vec<&str> = fields.collect();
        match (letter, &*fields) {
            ("P", [part]) => self.events.push(Event::Part(match *part {
                "class" => Part::Class,
                "object" => Part::Object,
                _ => Part::Test,
            })),
            ("D", [id, class, kind, details @ ..]) => {
                let id: usize = id.parse().ok()?;
                let origin = origin(kind, details)?;
                let is_made = matches!(
                    origin,
                    ObjectOrigin::Array(_) | ObjectOrigin::Element(..) | ObjectOrigin::Constant(..)
                );
                if objects.len() <= id {
                    objects.resize(id + 1, None);
                }
                objects[id] = Some(Object { class: class_of(class)?, origin });
                if is_made {
                    self.events.push(Event::Made(id as u32));
                }
            }
            ("C", [site, args @ ..]) => self.events.push(Event::Call {
                site: site.parse().ok()?,
                args: values(args)?,
                end: CallEnd::Open,
            }),
            ("R", [value]) => self.ended(CallEnd::Returned(Some(Self::value(value)?)))?,
            ("R", []) => self.ended(CallEnd::Returned(None))?,
            ("X", [thrown]) => self.ended(CallEnd::Threw(number(thrown)?))?,
            ("S", [array, index, value]) => self.events.push(Event::Set {
                array: Self::value(array)?,
                index: index.parse().ok()?,
                value: Self::value(value)?,
            }),
            ("A", [operator, operands @ .., result]) => {
                let literal = |text: &str| match Self::value(text)? {
                    Value::Literal(literal) => Some(literal),
                    _ => None,
                };
                let operands: Option<Vec<_>> = operands.iter().map(|text| literal(text)).collect();
                self.events.push(Event::Sum((*operator).into(), operands?, literal(result)?));
            }
            ("T", []) => self.events.push(Event::Held),
            ("N", [note]) => self.notes.push((*note).to_owned()),
            ("E", [how, class, place, message]) => {
                self.end = End {
                    how: match *how {
                        "passed" => How::Passed,
                        "expected" => How::Expected,
                        "timeout" => How::Timeout,
                        _ => How::Failed,
                    },
                    class: (*class).to_owned(),
                    place: match *place {
                        "call" => Where::Call,
                        "assertion" => Where::Assertion,
                        _ => Where::Test,
                    },
                    message: (*message).to_owned(),
                }
            }
            _ => return None,
        }
        Some(())
    }

    fn ended(&mut self, how: CallEnd) -> Option<()> {
        let call = self.events.iter_mut().rev().find_map(|event| match event {
            Event::Call { end, .. } => Some(end),
            _ => None,
        })?;
        *call = how;
        Some(())
    }

    fn value(text: &str) -> Option<Value> {
        let rest = text.get(1..)?;
        Some(Value::Literal(match text.as_bytes()[0] {
            b'N' => Literal::Null,
            b'Z' => Literal::Boolean(rest == "1"),
            b'B' => Literal::Byte(rest.parse().ok()?),
            b'C' => Literal::Char(rest.parse().ok()?),
            b'S' => Literal::Short(rest.parse().ok()?),
            b'I' => Literal::Int(rest.parse().ok()?),
            b'J' => Literal::Long(rest.parse().ok()?),
            b'F' => Literal::Float(f32::from_bits(rest.parse::<i32>().ok()?.cast_unsigned())),
            b'D' => Literal::Double(f64::from_bits(rest.parse::<i64>().ok()?.cast_unsigned())),
            b'T' => Literal::String(text_of(rest)?),
            b'K' if rest == "V" => Literal::Class(None),
            b'K' => Literal::Class(Some(Type::parse(rest).ok()?)),
            b'L' => return Some(Value::LongText),
            b'O' => return Some(Value::Object(number(text)?)),
            _ => return None,
        }))
    }
}

fn values(texts: &[&str]) -> Option<Vec<Value>> {
    texts.iter().map(|text| Record::value(text)).collect()
}

fn number(text: &str) -> Option<u32> {
    text.strip_prefix('O')?.parse().ok()
}

/// The type of a class by what `Class.getName` says.
fn class_of(name: &str) -> Option<Type> {
    if name.starts_with('[') {
        return Type::parse(&name.replace('.', "/")).ok();
    }
    Some(Type::Class(ClassName::binary(name)))
}

fn origin(kind: &str, details: &[&str]) -> Option<ObjectOrigin> {
    Some(match (kind, details) {
        ("r", []) => ObjectOrigin::Result,
        ("x", []) => ObjectOrigin::Thrown,
        ("a", elements) => ObjectOrigin::Array(values(elements)?),
        ("b", []) => ObjectOrigin::LargeArray,
        ("g", [array, index]) => ObjectOrigin::Element(Record::value(array)?, index.parse().ok()?),
        ("e", [class, name]) => ObjectOrigin::Constant(ClassName::binary(class), (*name).into()),
        ("s", []) => ObjectOrigin::Test,
        ("l", []) => ObjectOrigin::Lambda,
        ("u", []) => ObjectOrigin::Unknown,
        _ => return None,
    })
}

/// Backslashes stand before four hexadecimal digits.
fn text_of(escaped: &str) -> Option<JavaString> {
    let mut units = Vec::with_capacity(escaped.len());
    let bytes = escaped.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'\\' {
            units.push(u16::from_str_radix(escaped.get(at + 1..at + 5)?, 16).ok()?);
            at += 5;
        } else {
            units.push(bytes[at].into());
            at += 1;
        }
    }
    Some(JavaString::from_units(&units))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Record, BadRecord> {
        Record::parse(&text.lines().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn calls_have_the_end_that_follows_them() {
        let record = parse(
            "P\tclass\nP\ttest\nD\t0\t[I\ta\tI7\tI8\nC\t3\tO0\tTa\\0009b\nR\tZ1\n\
             C\t4\tN\nD\t1\tjava.lang.Error\tx\nX\tO1\nT\nE\texpected\tjava.lang.Error\tcall\twhy",
        )
        .unwrap();
        let text = Literal::String(JavaString::from("a\tb"));
        assert_eq!(
            record.events[2..],
            [
                Event::Made(0),
                Event::Call {
                    site: 3,
                    args: vec![Value::Object(0), Value::Literal(text)],
                    end: CallEnd::Returned(Some(Value::Literal(Literal::Boolean(true)))),
                },
                Event::Call {
                    site: 4,
                    args: vec![Value::Literal(Literal::Null)],
                    end: CallEnd::Threw(1),
                },
                Event::Held,
            ]
        );
        assert_eq!((record.end.how, record.end.place), (How::Expected, Where::Call));
    }

    #[test]
    fn damaged_records_are_errors() {
        for bad in
            ["Q", "C\tx", "R\tQ1", "D\t1\ta.B\tr", "X\t1", "R\tZ1", "S\tO1\t2", "C\t1\tTa\\00"]
        {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
