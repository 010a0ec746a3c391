//! Descriptors of fields and methods (JVMS 4.3), split but not interpreted further.

use crate::ClassFileError;

/// A method descriptor taken apart: descriptors of the parameters and of the result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodDescriptor<'d> {
    /// The field descriptors of the parameters.
    pub parameters: Vec<&'d str>,
    /// The field descriptor of the result, or `V`.
    pub result: &'d str,
}

impl<'d> MethodDescriptor<'d> {
    /// Takes a method descriptor apart.
    pub fn parse(descriptor: &'d str) -> Result<Self, ClassFileError> {
        let bad = || ClassFileError::BadDescriptor { descriptor: descriptor.to_owned() };
        let mut rest = descriptor.strip_prefix('(').ok_or_else(bad)?;
        let mut parameters = Vec::new();
        let result = loop {
            if let Some(result) = rest.strip_prefix(')') {
                break result;
            }
            let length = field_length(rest).ok_or_else(bad)?;
            parameters.push(&rest[..length]);
            rest = &rest[length..];
        };
        if result != "V" && field_length(result) != Some(result.len()) {
            return Err(bad());
        }
        Ok(Self { parameters, result })
    }

    /// How many local variable slots the parameters take, without `this`.
    pub fn parameter_slots(&self) -> usize {
        self.parameters.iter().map(|parameter| usize::from(descriptor_slots(parameter))).sum()
    }
}

/// How many slots a value of this descriptor takes: 2 for long and double, 0 for `V`, else 1.
pub fn descriptor_slots(descriptor: &str) -> u16 {
    match descriptor {
        "J" | "D" => 2,
        "V" => 0,
        _ => 1,
    }
}

/// The length of the field descriptor at the start of `text`.
fn field_length(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|byte| *byte == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'B' | b'C' | b'D' | b'F' | b'I' | b'J' | b'S' | b'Z' => Some(dimensions + 1),
        b'L' => Some(text.find(';')? + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(descriptor: &str, expected: Option<(&[&str], &str, usize)>) {
        let parsed = MethodDescriptor::parse(descriptor).ok();
        let found = parsed.as_ref().map(|d| (&d.parameters[..], d.result, d.parameter_slots()));
        assert_eq!(found, expected, "{descriptor}");
    }

    #[test]
    fn method_descriptors_split_into_parameters_and_result() {
        check("()V", Some((&[], "V", 0)));
        check("(I[[JLjava/util/Map;D)[Ljava/lang/String;", {
            Some((&["I", "[[J", "Ljava/util/Map;", "D"], "[Ljava/lang/String;", 5))
        });
    }

    #[test]
    fn malformed_descriptors_are_refused() {
        for bad in ["", "V", "(", "()", "(V)V", "()VV", "(L)V", "([)V", "(Lx)V", "(Q)I", "()[V"] {
            check(bad, None);
        }
    }
}
