//! What javac makes of nothing in the source, and what it writes several times.
//!
//! None of it counts in reports, or counts once, as in JaCoCo's, so that the figures of both
//! agree. Probes are placed regardless.

mod code;

use std::ops::Range;

use classfile::{ClassFile, Code, Instruction, Member, flags, opcode};
use rustc_hash::FxHashMap;

use crate::flow::Flow;
use code::Reader;

/// What of a method does not count.
pub(crate) struct Filters {
    /// Nothing of it.
    pub(crate) whole_method: bool,
    /// By instruction: whether it is left out.
    pub(crate) ignored: Vec<bool>,
    /// Instructions that are copies, with their originals.
    pub(crate) copies: FxHashMap<usize, usize>,
    /// Instructions that have copies.
    originals: rustc_hash::FxHashSet<usize>,
    /// Ways out of decisions that only a class compiled apart could take.
    impossible: rustc_hash::FxHashSet<(usize, usize)>,
    /// Switches by text: the code that finds the number of the text, and the switch by that.
    pub(crate) text_switches: Vec<(Range<usize>, usize)>,
}

impl Filters {
    pub(crate) fn of_method(
        class: &ClassFile,
        method: &Member,
        name: &str,
        descriptor: &str,
        code: &Code,
        flow: &Flow<'_>,
    ) -> Self {
        let count = flow.instructions.len();
        let mut filters = Self {
            whole_method: false,
            ignored: vec![false; count],
            copies: FxHashMap::default(),
            originals: rustc_hash::FxHashSet::default(),
            impossible: rustc_hash::FxHashSet::default(),
            text_switches: Vec::new(),
        };
        let reader = Reader { class, flow };
        filters.whole_method = is_made_by_compiler(class, method, name)
            || is_of_enum(class, name, descriptor)
            || is_empty_constructor(&reader, method, name, descriptor)
            || is_of_record(&reader, name, descriptor)
            || is_generated(class, method);
        if !filters.whole_method {
            filters.ignore_assertions(&reader);
            filters.ignore_text_switches(&reader);
            filters.ignore_impossible_defaults(&reader);
            for handler in &code.handlers {
                filters.ignore_unlocking(&reader, flow.at(handler.target));
                filters.ignore_closing(&reader, flow.at(handler.target));
                if let Some((at, end)) = reader.wraps_in_match_exception(flow.at(handler.target)) {
                    filters.ignore(at, end);
                }
            }
            filters.merge_finally(&reader, code);
        }
        filters
    }

    /// The filters of a method with checks woven into it, by those of the method without: what is not the
    /// user's is left out. `found` tells where the instructions of the latter are among `count`.
    pub(crate) fn carried(&self, found: &[Option<usize>], count: usize) -> Self {
        let mut ignored = vec![true; count];
        for (at, now) in found.iter().enumerate() {
            if let Some(now) = now {
                ignored[*now] = self.ignored[at];
            }
        }
        let copies = self.copies.iter().filter_map(|(one, of)| Some((found[*one]?, found[*of]?)));
        let impossible = self.impossible.iter().filter_map(|(at, way)| Some((found[*at]?, *way)));
        let text_switches = self.text_switches.iter().filter_map(|(finding, switch)| {
            let start = found[finding.start]?;
            Some((start..found[finding.end - 1]? + 1, found[*switch]?))
        });
        Self {
            whole_method: self.whole_method,
            ignored,
            copies: copies.collect(),
            originals: self.originals.iter().filter_map(|at| found[*at]).collect(),
            impossible: impossible.collect(),
            text_switches: text_switches.collect(),
        }
    }

    /// Whether an instruction is a copy or has one.
    pub(crate) fn is_copied(&self, index: usize) -> bool {
        self.copies.contains_key(&index) || self.originals.contains(&index)
    }

    /// Whether this way out of a decision does not count.
    pub(crate) fn is_impossible(&self, index: usize, way: usize) -> bool {
        self.impossible.contains(&(index, way))
    }

    /// The jump or switch that counts in place of one that does not: a switch by text is written as
    /// comparisons of texts, and counts as the switch by what they found.
    pub(crate) fn counts_as(&self, index: usize) -> Option<usize> {
        let known = self.text_switches.iter().find(|(finding, _)| finding.contains(&index));
        known.map(|(_, switch)| *switch)
    }

    /// Leaves out the instructions from `start` up to, without, `end`.
    fn ignore(&mut self, start: usize, end: usize) {
        self.ignored[start..end].fill(true);
    }

    /// The question whether assertions are on: where it is asked of the class, and the jump by
    /// what was answered.
    fn ignore_assertions(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.count() {
            let name = reader.field(at).map(|field| field.name);
            if name.as_deref() != Some("$assertionsDisabled") {
                continue;
            }
            if reader.op(at) == opcode::GETSTATIC && reader.op(at + 1) == opcode::IFNE {
                self.ignore(at + 1, at + 2);
            } else if reader.op(at) == opcode::PUTSTATIC
                && at >= 6
                && reader.calls(at - 5, "desiredAssertionStatus")
            {
                self.ignore(at - 6, at + 1);
            }
        }
    }

    /// A switch by text is two: by hash codes and `equals` to a number, then by that. The former
    /// does not count.
    fn ignore_text_switches(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.count() {
            if let Some((start, end)) = reader.text_switch(at) {
                self.ignore(start, end);
                // From the hash code on, to the switch behind the number that was found.
                self.text_switches.push((start - 1..end, end + 1));
            }
        }
    }

    /// A switch over all there is has a default all the same, which throws.
    fn ignore_impossible_defaults(&mut self, reader: &Reader<'_>) {
        for at in 0..reader.count() {
            if !reader.flow.instructions[at].is_switch() {
                continue;
            }
            let default = reader.flow.targets(at)[0];
            if let Some(end) = reader.throws_for_want_of_case(default) {
                self.ignore(default, end);
                self.impossible.insert((at, 0));
            }
        }
    }

    /// The way out of a `synchronized` block by an exception.
    fn ignore_unlocking(&mut self, reader: &Reader<'_>, at: usize) {
        let Some(kept) = reader.store(at) else { return };
        if reader.load(at + 1).is_some()
            && reader.op(at + 2) == opcode::MONITOREXIT
            && reader.load(at + 3) == Some(kept)
            && reader.op(at + 4) == opcode::ATHROW
        {
            self.ignore(at, at + 5);
        }
    }

    /// The closing of a resource, by an exception and behind the code that used it.
    fn ignore_closing(&mut self, reader: &Reader<'_>, handler: usize) {
        let Some(thrown) = reader.store(handler) else { return };
        let Some((resource, closed)) = reader.closing(handler + 1) else { return };
        let Some(second) = reader.store(closed + 1) else { return };
        let is_rest = reader.op(closed) == opcode::GOTO
            && reader.load(closed + 2) == Some(thrown)
            && reader.load(closed + 3) == Some(second)
            && reader.calls(closed + 4, "addSuppressed")
            && reader.load(closed + 5) == Some(thrown)
            && reader.op(closed + 6) == opcode::ATHROW;
        if !is_rest {
            return;
        }
        self.ignore(handler, closed + 7);
        let tested = reader.op(handler + 2) == opcode::IFNULL;
        let before = (0..handler).rev().find_map(|at| {
            let (closes, end) = reader.closing(at)?;
            let same = (reader.op(at + 1) == opcode::IFNULL) == tested;
            (closes == resource && same && end <= handler).then_some((at, end))
        });
        if let Some((at, end)) = before {
            self.ignore(at, end + usize::from(reader.op(end) == opcode::GOTO));
        }
    }

    /// A `finally` block stands at every way out of what it guards: all count as one.
    fn merge_finally(&mut self, reader: &Reader<'_>, code: &Code) {
        let flow = reader.flow;
        let range = |handler: &classfile::Handler| flow.at(handler.start)..flow.at(handler.end);
        for any in code.handlers.iter().filter(|handler| handler.catch_type == 0) {
            let original = flow.at(any.target);
            let Some(length) = reader.finally_length(original) else { continue };
            let same = || code.handlers.iter().filter(|other| flow.at(other.target) == original);
            let is_inside = |at: usize| same().any(|other| range(other).contains(&at));
            let mut ends = Vec::new();
            for guarded in same().map(range) {
                for at in guarded.clone() {
                    if let Instruction::Jump { target, .. } = flow.instructions[at] {
                        ends.push(flow.at(*target));
                    }
                }
                if !guarded.is_empty() && flow.instructions[guarded.end - 1].falls_through() {
                    ends.push(guarded.end);
                }
            }
            let beside = |other: &&classfile::Handler| {
                flow.at(other.target) != original && range(other) == range(any)
            };
            ends.extend(code.handlers.iter().filter(beside).map(|h| flow.at(h.target) + 1));
            ends.retain(|at| !is_inside(*at));
            for end in ends {
                self.merge(reader, original, end, length);
            }
        }
    }

    /// Takes the code at `copy` for a copy of the handler's, if it looks like that.
    fn merge(&mut self, reader: &Reader<'_>, handler: usize, copy: usize, length: usize) {
        let start = handler + 1;
        if copy + length > reader.count()
            || (0..length).any(|step| reader.op(start + step) != reader.op(copy + step))
        {
            return;
        }
        self.ignore(handler, start);
        self.ignore(start + length, start + length + 2);
        for step in 0..length {
            let (mut one, mut other) = (start + step, copy + step);
            while let Some(original) = self.copies.get(&one) {
                one = *original;
            }
            while let Some(original) = self.copies.get(&other) {
                other = *original;
            }
            if one != other {
                self.copies.insert(other, one);
                self.originals.insert(one);
            }
        }
        if reader.op(copy + length) == opcode::GOTO {
            self.ignore(copy + length, copy + length + 1);
        }
    }
}

/// Whether a method or its class is not in the source, nor the body of a lambda.
fn is_made_by_compiler(class: &ClassFile, method: &Member, name: &str) -> bool {
    let synthetic = method.has_flag(flags::SYNTHETIC | flags::BRIDGE)
        || method.attributes.is_synthetic(&class.pool);
    class.access & flags::SYNTHETIC != 0 || synthetic && !name.starts_with("lambda$")
}

/// `values` and `valueOf` of an enum.
fn is_of_enum(class: &ClassFile, name: &str, descriptor: &str) -> bool {
    let (Ok(this), Ok(Some(parent))) = (class.name(), class.super_name()) else { return false };
    parent == "java/lang/Enum"
        && (name == "values" && descriptor == format!("()[L{this};")
            || name == "valueOf" && descriptor == format!("(Ljava/lang/String;)L{this};"))
}

/// A private constructor that is there so that there is no other, or of an enum, that does nothing.
fn is_empty_constructor(
    reader: &Reader<'_>,
    method: &Member,
    name: &str,
    descriptor: &str,
) -> bool {
    let arguments = match descriptor {
        "()V" => 0,
        "(Ljava/lang/String;I)V" => 2,
        _ => return false,
    };
    let parent = reader.class.super_name().ok().flatten();
    let Some(call) = reader.method(arguments + 1) else { return false };
    name == "<init>"
        && method.has_flag(flags::PRIVATE)
        && reader.count() == arguments + 3
        && (arguments == 0 || parent.as_deref() == Some("java/lang/Enum"))
        && call.name == "<init>"
        && call.descriptor == descriptor
        && Some(call.class) == parent
}

/// What a record has without being asked: accessors, and what all objects answer.
fn is_of_record(reader: &Reader<'_>, name: &str, descriptor: &str) -> bool {
    let parent = reader.class.super_name().ok().flatten();
    if parent.as_deref() != Some("java/lang/Record") {
        return false;
    }
    let accessor = || {
        descriptor.starts_with("()")
            && reader.count() == 3
            && reader.op(1) == opcode::GETFIELD
            && reader.field(1).is_some_and(|field| field.name == name)
    };
    let answers = matches!(
        (name, descriptor),
        ("toString", "()Ljava/lang/String;")
            | ("hashCode", "()I")
            | ("equals", "(Ljava/lang/Object;)Z")
    );
    let made = || (0..reader.count()).any(|at| reader.is_made_for_record(at));
    answers && made() || accessor()
}

/// Whether an annotation says that a program wrote it.
fn is_generated(class: &ClassFile, method: &Member) -> bool {
    [&class.attributes, &method.attributes].iter().any(|attributes| {
        let found = attributes.annotations(&class.pool).unwrap_or_default();
        found.iter().any(|annotation| {
            let name = annotation.type_descriptor.rsplit(['/', '$']).next().unwrap_or_default();
            name.contains("Generated")
        })
    })
}
