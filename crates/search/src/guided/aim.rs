//! Comparison feedback (requirement G15): operands seen at a comparison become inputs.
//!
//! No data flow is traced. A literal of the test that looks like one operand is taken for where
//! that operand came from, and is replaced by what would make the comparison go the other way: the
//! other operand, or one beside it. A wrong guess costs one run.

mod grown;
mod switched;
mod written;

pub(crate) use grown::grown;
pub(crate) use switched::switched;

use model::{JavaString, Literal, Observation, OperationKind, Slot, TestCase, Type};

use crate::readable::matching;

/// What was compared.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operands {
    /// Whole numbers, characters, lengths.
    Integers(i64, i64),
    /// Numbers with a fraction.
    Floats(f64, f64),
    /// Texts and other objects.
    Objects(Observation, Observation, Relation),
    /// A text that is read as a number.
    Parsed(Observation),
    /// A text that is read, and some that would be understood.
    Read(Observation, Vec<JavaString>),
}

/// How two texts are compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    /// The same.
    Equal,
    /// The left begins with the right.
    StartsWith,
    /// The left ends with the right.
    EndsWith,
    /// The right is somewhere in the left.
    Contains,
    /// The right is at a certain place of the left.
    Placed,
    /// The right is a regular expression for the left.
    Matches,
}

impl Relation {
    /// What a method of this name asks.
    pub(crate) fn of_method(name: &str) -> Self {
        match name {
            "startsWith" => Self::StartsWith,
            "endsWith" => Self::EndsWith,
            "matches" => Self::Matches,
            "contains" | "indexOf" | "lastIndexOf" => Self::Contains,
            _ => Self::Equal,
        }
    }
}

/// Tests made of one run at most.
const MAX_AIMS: usize = 96;
/// Longer texts and arrays are not made.
const MAX_LENGTH: i64 = 300;
const MAX_ELEMENTS: i64 = 40;
/// Places in a text that are tried for one character or part.
const MAX_PLACES: usize = 16;

/// Tests in which the comparison may well go another way, the most likely first.
pub(crate) fn aims(case: &TestCase, operands: &Operands) -> Vec<TestCase> {
    let mut aims = Aims { case, sure: Vec::new(), unsure: Vec::new() };
    match operands {
        Operands::Integers(left, right) => aims.integers(*left, *right),
        Operands::Floats(left, right) => aims.floats(*left, *right),
        Operands::Objects(left, right, relation) => aims.objects(left, right, *relation),
        Operands::Parsed(text) => aims.parsed(text),
        Operands::Read(text, others) => aims.read(text, others),
    }
    let mut all = aims.sure;
    all.extend(aims.unsure);
    all.truncate(MAX_AIMS);
    all
}

struct Aims<'c> {
    case: &'c TestCase,
    sure: Vec<TestCase>,
    unsure: Vec<TestCase>,
}

impl Aims<'_> {
    fn literals(&self) -> Vec<(usize, Literal)> {
        let decls = self.case.slots.iter().enumerate();
        decls.filter_map(|(at, decl)| Some((at, decl.init.clone()?))).collect()
    }

    fn with(&self, slot: usize, value: Literal) -> TestCase {
        let mut case = self.case.clone();
        case.slots[slot].init = Some(value);
        case
    }

    fn integers(&mut self, left: i64, right: i64) {
        for (slot, literal) in self.literals() {
            match &literal {
                Literal::String(text) => self.characters(slot, text, left, right),
                _ => self.integer(slot, &literal, left, right),
            }
        }
        self.lengths(left, right);
    }

    fn integer(&mut self, slot: usize, literal: &Literal, left: i64, right: i64) {
        let Some(value) = literal.whole() else { return };
        let apart = right.wrapping_sub(left);
        let (targets, is_sure) = if value == left {
            (vec![right, right.wrapping_add(1), right.wrapping_sub(1)], true)
        } else if value == right {
            (vec![left, left.wrapping_add(1), left.wrapping_sub(1)], true)
        } else {
            // A sum with what is not seen here, or the difference.
            (vec![value.wrapping_add(apart), value.wrapping_sub(apart)], false)
        };
        for target in targets {
            if let Some(changed) = literal.with_number(target) {
                let case = self.with(slot, changed);
                if is_sure { &mut self.sure } else { &mut self.unsure }.push(case);
            }
        }
    }

    /// Operands that are characters of a text, its length, or a number written in it.
    fn characters(&mut self, slot: usize, text: &JavaString, left: i64, right: i64) {
        let units = text.units();
        let numbers = written::numbers(units);
        for (from, to) in [(left, right), (right, left)] {
            let (Ok(from_unit), Ok(to_unit)) = (u16::try_from(from), u16::try_from(to)) else {
                continue;
            };
            let places = units.iter().enumerate().filter(|(_, unit)| **unit == from_unit);
            for (at, _) in places.take(MAX_PLACES) {
                let mut changed = units.to_vec();
                changed[at] = to_unit;
                self.sure.push(self.with(slot, text_of(&changed)));
            }
        }
        for (from, to) in [(left, right), (right, left)] {
            if from == units.len() as i64 {
                for length in [to, to.wrapping_add(1), to.wrapping_sub(1)] {
                    if (0..=MAX_LENGTH).contains(&length) {
                        let fill = units.iter().copied().cycle();
                        let fill = fill.chain(std::iter::repeat(u16::from(b'a')));
                        let changed: Vec<u16> = fill.take(length as usize).collect();
                        self.unsure.push(self.with(slot, text_of(&changed)));
                    }
                }
            }
            for number in written::standing(units, &numbers, from) {
                for value in [to, to.wrapping_add(1), to.wrapping_sub(1)] {
                    for changed in written::with(units, &number, value) {
                        self.sure.push(self.with(slot, text_of(&changed)));
                    }
                }
            }
        }
        // What is compared was made of a number that is written there.
        let apart = right.wrapping_sub(left);
        for number in numbers.iter().filter(|number| ![left, right].contains(&number.value)) {
            for value in [number.value.wrapping_add(apart), number.value.wrapping_sub(apart)] {
                if value != number.value && value >= 0 {
                    for changed in written::with(units, number, value) {
                        self.unsure.push(self.with(slot, text_of(&changed)));
                    }
                }
            }
        }
        // A character that was looked for and is not there, or that nothing was compared with.
        if let Ok(unit) = u16::try_from(right)
            && right >= 32
        {
            for at in [units.len(), 0, units.len() / 2] {
                let mut changed = units.to_vec();
                changed.insert(at, unit);
                self.unsure.push(self.with(slot, text_of(&changed)));
            }
        }
    }

    /// Operands that are the length of an array made in the test.
    fn lengths(&mut self, left: i64, right: i64) {
        for (at, call) in self.case.calls.iter().enumerate() {
            if call.op.kind != OperationKind::Array {
                continue;
            }
            let length = call.args.len() as i64;
            let to = if length == left {
                right
            } else if length == right {
                left
            } else {
                continue;
            };
            for wanted in [to, to.wrapping_add(1), to.wrapping_sub(1)] {
                if (0..=MAX_ELEMENTS).contains(&wanted)
                    && let Some(case) = with_length(self.case, at, wanted as usize)
                {
                    self.sure.push(case);
                }
            }
        }
    }

    fn floats(&mut self, left: f64, right: f64) {
        for (slot, literal) in self.literals() {
            let value = match literal {
                Literal::Float(value) => f64::from(value),
                Literal::Double(value) => value,
                ref other => match other.whole() {
                    Some(value) => value as f64,
                    None => continue,
                },
            };
            let (targets, is_sure) = if value == left {
                (vec![right, right + 1.0, right - 1.0], true)
            } else if value == right {
                (vec![left, left + 1.0, left - 1.0], true)
            } else {
                let mut targets = vec![value + (right - left), value - (right - left)];
                if left != 0.0 && right / left != 1.0 {
                    targets.push(value * (right / left));
                }
                (targets, false)
            };
            for target in targets {
                let changed = match literal {
                    Literal::Float(_) => Literal::Float(target as f32),
                    Literal::Double(_) => Literal::Double(target),
                    ref other => match other.with_number(target as i64) {
                        Some(changed) => changed,
                        None => continue,
                    },
                };
                let case = self.with(slot, changed);
                if is_sure { &mut self.sure } else { &mut self.unsure }.push(case);
            }
        }
    }

    fn objects(&mut self, left: &Observation, right: &Observation, relation: Relation) {
        let (left, right) = match (left, right) {
            (Observation::Value { value: left, .. }, Observation::Value { value: right, .. }) => {
                (left, right)
            }
            (Observation::Enum { .. }, _) | (_, Observation::Enum { .. }) => {
                return self.constants(left, right);
            }
            _ => return,
        };
        if let (Some(left), Some(right)) = (left.whole(), right.whole()) {
            return self.integers(left, right);
        }
        let (Literal::String(left), Literal::String(right)) = (left, right) else {
            return self.other_values(left, right);
        };
        if relation == Relation::Matches {
            let texts = matching(&right.to_string());
            let texts = texts.iter().map(|text| text.as_str().into()).collect::<Vec<_>>();
            return self.replaced(left, &texts);
        }
        for (slot, literal) in self.literals() {
            let Literal::String(text) = &literal else { continue };
            for (from, to, whole) in [(left, right, true), (right, left, false)] {
                self.texts(slot, text, from, to, if whole { relation } else { Relation::Equal });
            }
        }
    }

    fn texts(
        &mut self,
        slot: usize,
        text: &JavaString,
        from: &JavaString,
        to: &JavaString,
        relation: Relation,
    ) {
        let (units, to) = (text.units(), to.units());
        if text == from {
            self.sure.push(self.with(slot, text_of(to)));
            let places = match relation {
                Relation::Equal | Relation::Matches => 0..0,
                Relation::StartsWith | Relation::Contains => 0..1,
                Relation::EndsWith => units.len()..units.len() + 1,
                Relation::Placed => 0..(units.len() + 1).min(MAX_PLACES),
            };
            for at in places {
                let joined = [&units[..at], to, &units[at..]].concat();
                self.sure.push(self.with(slot, text_of(&joined)));
            }
        } else if let places = places(units, from.units())
            && !places.is_empty()
        {
            // Which of them was compared is not known.
            for at in places {
                let rest = &units[at + from.units().len()..];
                self.sure.push(self.with(slot, text_of(&[&units[..at], to, rest].concat())));
            }
        } else {
            self.unsure.push(self.with(slot, text_of(to)));
            self.unsure.push(self.with(slot, text_of(&[units, to].concat())));
        }
    }

    /// A number in place of a text that is read as one: as long as it was, and short ones.
    fn parsed(&mut self, text: &Observation) {
        let Observation::Value { value: Literal::String(text), .. } = text else { return };
        if text.to_string().parse::<f64>().is_ok() {
            return;
        }
        let length = text.units().len().min(18);
        let long = "1234567890".chars().cycle().take(length).collect::<String>();
        self.replaced(text, &["1", "0", "-1", "12", long.as_str()].map(JavaString::from));
    }

    /// A text that is understood in place of one that is read.
    fn read(&mut self, text: &Observation, others: &[JavaString]) {
        let Observation::Value { value: Literal::String(text), .. } = text else { return };
        self.replaced(text, others);
    }

    /// Others in place of a text, wherever the test has it.
    fn replaced(&mut self, text: &JavaString, others: &[JavaString]) {
        if others.contains(text) {
            return;
        }
        for other in others {
            for (slot, literal) in self.literals() {
                let Literal::String(whole) = &literal else { continue };
                if text.units().is_empty() || !places(whole.units(), text.units()).is_empty() {
                    self.texts(slot, whole, text, other, Relation::Equal);
                }
            }
        }
    }

    /// Class literals, and values of different kinds.
    fn other_values(&mut self, left: &Literal, right: &Literal) {
        for (slot, literal) in self.literals() {
            for (from, to) in [(left, right), (right, left)] {
                if literal == *from && std::mem::discriminant(from) == std::mem::discriminant(to) {
                    self.sure.push(self.with(slot, to.clone()));
                }
            }
        }
    }

    /// Enum constants, which are read from fields.
    fn constants(&mut self, left: &Observation, right: &Observation) {
        for (from, to) in [(left, right), (right, left)] {
            let Observation::Enum { class, constant } = to else { continue };
            for (at, call) in self.case.calls.iter().enumerate() {
                let is_same_enum = call.op.kind == OperationKind::StaticField
                    && call.op.owner == *class
                    && call.op.result == Some(Type::Class(class.clone()));
                let was_from = match from {
                    Observation::Enum { constant, .. } => call.op.name == *constant,
                    _ => false,
                };
                if is_same_enum && call.op.name != *constant {
                    let mut case = self.case.clone();
                    let mut op = (*call.op).clone();
                    op.name = constant.clone();
                    case.calls[at].op = op.into();
                    if was_from { &mut self.sure } else { &mut self.unsure }.push(case);
                }
            }
        }
    }
}

/// The test with so many elements in the array made by call `at`: the last one again and again, or
/// the first ones only.
pub(crate) fn with_length(case: &TestCase, at: usize, length: usize) -> Option<TestCase> {
    let mut case = case.clone();
    let known = case.calls[at].args.len();
    if length > known {
        let last: Slot = *case.calls[at].args.last()?;
        let decl = case.slots[last.index()].clone();
        for _ in known..length {
            // A literal of its own can become another by itself.
            let slot = match &decl.init {
                Some(literal) => case.literal(decl.ty.clone(), literal.clone()),
                None => last,
            };
            case.calls[at].args.push(slot);
        }
    } else {
        case.calls[at].args.truncate(length);
    }
    Some(case)
}

pub(crate) fn text_of(units: &[u16]) -> Literal {
    Literal::String(JavaString::from_units(units))
}

/// Where a text has a part, a few times at most; in whatever case, if nowhere in its own.
fn places(text: &[u16], part: &[u16]) -> Vec<usize> {
    if part.is_empty() || part.len() > text.len() {
        return Vec::new();
    }
    let lower = |unit: &u16| if (65..=90).contains(unit) { unit + 32 } else { *unit };
    let is_like = |window: &[u16]| window.iter().map(lower).eq(part.iter().map(lower));
    let found = |fits: &dyn Fn(&[u16]) -> bool| -> Vec<usize> {
        let windows = text.windows(part.len()).enumerate();
        windows.filter(|(_, window)| fits(window)).map(|(at, _)| at).take(MAX_PLACES).collect()
    };
    let exact = found(&|window| window == part);
    if exact.is_empty() { found(&is_like) } else { exact }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use model::{ClassName, Operation};

    use super::*;

    fn case(values: &[Literal]) -> TestCase {
        let mut case = TestCase::default();
        for value in values {
            let ty = value.primitive().map_or_else(Type::string, Type::Primitive);
            case.literal(ty, value.clone());
        }
        case
    }

    fn text(text: &str) -> Literal {
        Literal::String(text.into())
    }

    fn seen(text: &str) -> Observation {
        Observation::Value { value: Literal::String(text.into()), boxed: false }
    }

    /// The values of slot `slot` in all tests proposed.
    fn check(values: &[Literal], operands: &Operands, slot: usize, expected: &Literal) {
        let case = case(values);
        let proposed: Vec<Literal> =
            aims(&case, operands).iter().filter_map(|aim| aim.slots[slot].init.clone()).collect();
        assert!(proposed.contains(expected), "{expected:?} is not in {proposed:?}");
        assert!(proposed.len() <= MAX_AIMS);
    }

    #[test]
    fn a_number_becomes_what_it_is_compared_with() {
        let seven = [Literal::Int(7)];
        check(&seven, &Operands::Integers(7, 4711), 0, &Literal::Int(4711));
        check(&seven, &Operands::Integers(4711, 7), 0, &Literal::Int(4710));
        check(&[Literal::Long(7)], &Operands::Integers(7, 1 << 40), 0, &Literal::Long(1 << 40));
    }

    #[test]
    fn an_offset_is_made_up_for() {
        check(&[Literal::Int(7)], &Operands::Integers(107, 200), 0, &Literal::Int(100));
    }

    #[test]
    fn a_number_out_of_range_is_not_proposed() {
        let case = case(&[Literal::Byte(7)]);
        assert_eq!(aims(&case, &Operands::Integers(7, 4711)), []);
    }

    #[test]
    fn a_character_of_a_text_becomes_another() {
        let dot = Operands::Integers(i64::from(b'b'), i64::from(b':'));
        check(&[text("abcb")], &dot, 0, &text("a:cb"));
        check(&[text("abcb")], &dot, 0, &text("abc:"));
    }

    #[test]
    fn a_text_gets_the_length_asked_for() {
        check(&[text("ab")], &Operands::Integers(2, 5), 0, &text("ababa"));
    }

    #[test]
    fn the_least_and_the_largest_number_are_operands_like_others() {
        let mut case = case(&[text("a-1"), Literal::Long(3)]);
        case.call(
            &Arc::new(Operation::array(&Type::Primitive(model::Primitive::Long))),
            &[Slot(1)],
        );
        for end in [i64::MIN, i64::MAX] {
            for known in [1, 3, end] {
                for operands in [(known, end), (end, known)] {
                    aims(&case, &Operands::Integers(operands.0, operands.1));
                }
            }
        }
    }

    #[test]
    fn a_number_in_a_text_becomes_another() {
        check(&[text("x=12;")], &Operands::Integers(12, 99), 0, &text("x=99;"));
        // What is left of 1234 if it is divided by four should be nothing.
        check(&[text("1234-02")], &Operands::Integers(2, 0), 0, &text("1232-02"));
    }

    #[test]
    fn texts_are_made_equal_prefixed_or_replaced_in_place() {
        let operands = |relation| Operands::Objects(seen("a"), seen("key"), relation);
        check(&[text("a")], &operands(Relation::Equal), 0, &text("key"));
        check(&[text("a")], &operands(Relation::StartsWith), 0, &text("keya"));
        check(&[text("a")], &operands(Relation::EndsWith), 0, &text("akey"));
        let placed = Operands::Objects(seen("ab"), seen("key"), Relation::Placed);
        check(&[text("ab")], &placed, 0, &text("akeyb"));
        let part = Operands::Objects(seen("b"), seen("key"), Relation::Equal);
        check(&[text("a b c")], &part, 0, &text("a key c"));
        let lower = Operands::Objects(seen("bb"), seen("key"), Relation::Equal);
        check(&[text("a BB c")], &lower, 0, &text("a key c"));
    }

    #[test]
    fn a_text_that_is_read_becomes_one_that_can_be() {
        let dates = Operands::Read(seen("b"), vec!["2024-02-29".into()]);
        check(&[text("b")], &dates, 0, &text("2024-02-29"));
        check(&[text("a,b")], &dates, 0, &text("a,2024-02-29"));
        let known = Operands::Read(seen("PT1H"), vec!["PT1H".into(), "PT0S".into()]);
        assert_eq!(aims(&case(&[text("PT1H")]), &known), []);
    }

    #[test]
    fn a_part_is_replaced_wherever_it_stands() {
        let month = Operands::Parsed(seen("aa"));
        let texts = aims(&case(&[text("aa-aa")]), &month);
        for expected in ["12-aa", "aa-12"] {
            let is_there = |aim: &TestCase| aim.slots[0].init == Some(text(expected));
            assert!(texts.iter().any(is_there), "{expected}: {texts:?}");
        }
    }

    #[test]
    fn a_text_becomes_one_that_matches() {
        let code = Operands::Objects(seen("b"), seen("[A-Z]{3}-\\d{2}"), Relation::Matches);
        check(&[text("b")], &code, 0, &text("ABC-12"));
        check(&[text("a b")], &code, 0, &text("a ABC-12"));
    }

    #[test]
    fn a_fraction_becomes_what_it_is_compared_with() {
        check(&[Literal::Double(0.5)], &Operands::Floats(0.5, 2.25), 0, &Literal::Double(2.25));
    }

    #[test]
    fn an_array_gets_the_length_asked_for() {
        let mut case = case(&[Literal::Int(1)]);
        case.call(&Arc::new(Operation::array(&Type::INT)), &[Slot(0)]);
        let lengths: Vec<usize> = aims(&case, &Operands::Integers(1, 3))
            .iter()
            .map(|aim| aim.calls[0].args.len())
            .collect();
        assert!(lengths.contains(&3) && lengths.contains(&4), "{lengths:?}");
    }

    #[test]
    fn an_enum_constant_becomes_another() {
        let color = ClassName::internal("Color");
        let mut case = TestCase::default();
        let red = Operation {
            kind: OperationKind::StaticField,
            owner: color.clone(),
            name: "RED".into(),
            params: Vec::new(),
            result: Some(Type::Class(color.clone())),
            implementation: None,
        };
        case.call(&Arc::new(red), &[]);
        let constant =
            |name: &str| Observation::Enum { class: color.clone(), constant: name.into() };
        let operands = Operands::Objects(constant("RED"), constant("BLUE"), Relation::Equal);
        assert_eq!(&*aims(&case, &operands)[0].calls[0].op.name, "BLUE");
    }
}
