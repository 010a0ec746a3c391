//! Code that compilers add, beyond what reports of coverage leave out: what does not jump makes no
//! difference there.
//!
//! Each is known by its shape, as `javac` (and where said, other compilers) write it.

use classfile::opcode::*;
use classfile::{ClassFile, Code, MethodDescriptor, flags};

use crate::body::{Body, Literal};

/// Whether the Kotlin compiler made a whole method, such as `component1` of a data class: such methods
/// have no lines.
pub(crate) fn is_made_by_kotlin(class: &ClassFile, code: &Code) -> bool {
    let annotations = class.attributes.annotations(&class.pool).unwrap_or_default();
    annotations.iter().any(|annotation| annotation.type_descriptor == "Lkotlin/Metadata;")
        && code.lines().next().is_none()
}

/// Notes what compilers added.
pub(crate) fn mark(body: &mut Body<'_>) {
    let mut added = std::mem::take(&mut body.artefacts.added);
    let plumbing = Plumbing { body };
    let is_enum = plumbing.is_enum();
    for at in 0..plumbing.body.count() {
        let found = [
            plumbing.null_check(at),
            plumbing.enum_switch(at),
            plumbing.array_literal(at),
            plumbing.iterator_loop(at),
            plumbing.array_loop(at),
            plumbing.lock(at),
            plumbing.of_kotlin(at),
            plumbing.record_field(at),
            plumbing.constant_condition(at),
        ];
        found.into_iter().flatten().flatten().for_each(|at| added[at] = true);
        for at in plumbing.pattern_switch(at).into_iter().chain(plumbing.concatenation(at)) {
            added[at] = true;
        }
        if is_enum {
            plumbing.enum_constant(at).into_iter().flatten().for_each(|at| added[at] = true);
        }
    }
    if is_enum {
        plumbing.enum_values().for_each(|at| added[at] = true);
    }
    body.artefacts.added = added;
}

/// The instructions of one piece of plumbing.
type Piece = Option<Vec<usize>>;

struct Plumbing<'b, 'c> {
    body: &'b Body<'c>,
}

impl Plumbing<'_, '_> {
    /// `dup; requireNonNull; pop`, where a method is referred to or an inner object made; before Java 9
    /// it is `getClass`.
    fn null_check(&self, at: usize) -> Piece {
        let body = self.body;
        let asks = body.calls(at, "java/util/Objects", "requireNonNull")
            || body.calls(at, "java/lang/Object", "getClass");
        let is_it = asks
            && at > 0
            && body.op(at - 1) == DUP
            && body.op(at + 1) == POP
            && body.operand_count(at) == 1;
        is_it.then(|| vec![at - 1, at, at + 1])
    }

    /// A condition on a constant: whether a pattern matches that always does. What is constant in the
    /// source has no condition.
    fn constant_condition(&self, at: usize) -> Piece {
        let body = self.body;
        let is_it = matches!(body.op(at), IFEQ | IFNE)
            && at > 0
            && !body.is_entered(at)
            && body.literal(at - 1).is_some();
        is_it.then(|| vec![at - 1, at])
    }

    /// The table from a constant of an enum to a number, for a switch (of Kotlin too).
    fn enum_switch(&self, at: usize) -> Piece {
        let body = self.body;
        let field = body.field(at).filter(|_| body.op(at) == GETSTATIC)?;
        let is_table =
            ["$SwitchMap$", "$EnumSwitchMapping$"].iter().any(|name| field.name.starts_with(name));
        let end = (at..body.count().min(at + 24))
            .find(|end| body.op(*end) == IALOAD && body.origin(*end, 1) == Some(at))?;
        let asked = (at..end)
            .filter(|inner| body.method(*inner).is_some_and(|method| method.name == "ordinal"));
        is_table.then(|| asked.chain([at, end]).collect())
    }

    /// A switch over patterns starts at a number, which a guard that does not hold makes greater.
    fn pattern_switch(&self, at: usize) -> Vec<usize> {
        let body = self.body;
        let is_it = body.call_site(at).is_some_and(|(name, descriptor)| {
            matches!(&*name, "typeSwitch" | "enumSwitch") && descriptor.ends_with("I)I")
        });
        let restart = body.origin(at, 0).filter(|origin| body.is_load(*origin));
        let Some((restart, true)) = restart.map(|restart| (restart, is_it)) else {
            return Vec::new();
        };
        let slot = body.slot(restart);
        let mut added = vec![restart, at];
        for store in 1..body.count() {
            let is_number = matches!(body.literal(store - 1), Some(Literal::Int(_)));
            if body.op(store) == ISTORE && body.slot(store) == slot && is_number {
                added.extend([store - 1, store]);
            }
        }
        added
    }

    /// Texts put together: `new StringBuilder().append(…)….toString()`.
    fn concatenation(&self, at: usize) -> Vec<usize> {
        let body = self.body;
        let is_builder = |at: usize, name: &str| {
            ["java/lang/StringBuilder", "java/lang/StringBuffer"]
                .iter()
                .any(|class| body.calls(at, class, name))
        };
        let mut chain = Vec::new();
        if !is_builder(at, "toString") {
            return chain;
        }
        chain.push(at);
        let mut link = body.origin(at, 0);
        while let Some(append) = link {
            if is_builder(append, "append") && body.operand_count(append) == 2 {
                chain.push(append);
                link = body.origin(append, 1);
            } else if body.op(append) == NEW && body.op(append + 1) == DUP {
                // From the object over its copy to the constructor.
                let made = body.uses(append).iter().map(|(user, _)| *user);
                let made = made.filter(|user| is_builder(*user, "<init>"));
                chain.extend([append, append + 1].into_iter().chain(made));
                return chain;
            } else {
                break;
            }
        }
        Vec::new()
    }

    /// The length and the indices of an array whose elements are listed.
    fn array_literal(&self, at: usize) -> Piece {
        let body = self.body;
        match body.op(at) {
            NEWARRAY | ANEWARRAY if body.op(at + 1) == DUP => {
                let length = body.origin(at, 0)?;
                body.literal(length)?;
                Some(vec![length, at + 1])
            }
            IASTORE..=SASTORE => {
                let (array, index) = (body.origin(at, 2)?, body.origin(at, 1)?);
                let listed = matches!(body.op(array), NEWARRAY | ANEWARRAY)
                    && body.op(array + 1) == DUP
                    && index > 0
                    && body.op(index - 1) == DUP
                    && body.literal(index).is_some();
                listed.then(|| vec![index, at])
            }
            _ => None,
        }
    }

    /// `for (X x : list)`: the iterator is in a variable without name, or in one that only this loop has.
    fn iterator_loop(&self, at: usize) -> Piece {
        let body = self.body;
        let named = |at: usize, name: &str| body.method(at).is_some_and(|m| m.name == name);
        let is_question =
            body.calls(at, "java/util/Iterator", "hasNext") && body.op(at + 1) == IFEQ;
        let slot = at.checked_sub(1).filter(|load| body.is_load(*load)).and_then(|l| body.slot(l));
        let slot = slot.filter(|slot| is_question && body.variable(at, *slot).is_none())?;
        let next = at + 3;
        let takes = body.calls(next, "java/util/Iterator", "next")
            && body.slot(next - 1) == Some(slot)
            && body.is_load(next - 1);
        let made = (1..at)
            .rev()
            .find(|store| body.op(*store) == ASTORE && body.slot(*store) == Some(slot))?;
        let is_made = named(made - 1, "iterator") && made + 2 >= at;
        (takes && is_made).then(|| vec![made - 1, made, at, at + 1, next])
    }

    /// `for (X x : array)`: array, length and index are in variables without names.
    fn array_loop(&self, at: usize) -> Piece {
        let body = self.body;
        if body.op(at) != IF_ICMPGE || at < 6 || !(body.is_load(at - 1) && body.is_load(at - 2)) {
            return None;
        }
        let (index, length) = (body.slot(at - 2)?, body.slot(at - 1)?);
        let array = body.slot(at + 1)?;
        let zero = (1..at - 2)
            .rev()
            .find(|store| body.op(*store) == ISTORE && body.slot(*store) == Some(index))?;
        let is_it = body.variable(at, index).is_none()
            && (array + 1, array + 2) == (length, index)
            && body.op(at + 1) == ALOAD
            && body.slot(at + 2) == Some(index)
            && matches!(body.op(at + 3), IALOAD..=SALOAD)
            && body.literal(zero - 1) == Some(Literal::Int(0))
            && zero >= 3
            && body.slot(zero - 2) == Some(length)
            && body.op(zero - 3) == ARRAYLENGTH;
        if !is_it {
            return None;
        }
        let end = body.target(at)?;
        let steps =
            (at..end).filter(|step| body.op(*step) == IINC && body.slot(*step) == Some(index));
        Some([zero - 3, zero - 2, zero - 1, zero, at].into_iter().chain(steps).collect())
    }

    /// The copy of the lock that `synchronized` keeps.
    fn lock(&self, at: usize) -> Piece {
        let body = self.body;
        (body.op(at) == ASTORE && body.op(at + 1) == MONITORENTER).then(|| vec![at, at + 1])
    }

    /// Kotlin's checks of parameters and results.
    fn of_kotlin(&self, at: usize) -> Piece {
        let method = self.body.method(at)?;
        let checks = method.class == "kotlin/jvm/internal/Intrinsics"
            && (method.name.starts_with("check") || method.name.starts_with("throw"));
        checks.then(|| vec![at])
    }

    /// The assignment of a parameter of the same name to a field of a record.
    fn record_field(&self, at: usize) -> Piece {
        let body = self.body;
        if body.name != "<init>" || body.op(at) != PUTFIELD || !self.extends("java/lang/Record") {
            return None;
        }
        let value = body.origin(at, 0).filter(|value| body.is_load(*value))?;
        let stored = body.slot(value)?;
        let field = body.field(at)?;
        // Parameters stand in the order of the fields.
        let mut slot = 1;
        let members = body.class.fields.iter().filter(|field| !field.has_flag(flags::STATIC));
        for member in members {
            let descriptor = member.descriptor(&body.class.pool).ok()?;
            if member.name(&body.class.pool).ok()? == field.name {
                return (slot == stored).then(|| vec![at]);
            }
            slot += classfile::descriptor_slots(&descriptor);
        }
        None
    }

    fn extends(&self, class: &str) -> bool {
        self.body.class.super_name().is_ok_and(|name| name.as_deref() == Some(class))
    }

    /// Whether this makes the constants of an enum.
    fn is_enum(&self) -> bool {
        self.body.name == "<clinit>" && self.extends("java/lang/Enum")
    }

    /// The making of a constant of an enum: the object, its name and its number, not what else it is
    /// given.
    fn enum_constant(&self, at: usize) -> Piece {
        let body = self.body;
        let field = body.field(at).filter(|_| body.op(at) == PUTSTATIC)?;
        let made = body.origin(at, 0).filter(|made| body.op(*made) == NEW)?;
        let own = body.class.name().ok()?;
        if field.class != own || field.descriptor != format!("L{own};") {
            return None;
        }
        let call = body
            .uses(made)
            .iter()
            .map(|(user, _)| *user)
            .find(|user| body.method(*user).is_some_and(|method| method.name == "<init>"))?;
        let method = body.method(call)?;
        let parameters = MethodDescriptor::parse(&method.descriptor).ok()?.parameters.len();
        // Bottom first: the object, its name, its number.
        let name = body.origin(call, parameters.checked_sub(1)?)?;
        let number = body.origin(call, parameters.checked_sub(2)?)?;
        Some(vec![made, made + 1, name, number, call, at])
    }

    /// The array of the constants of an enum: from behind the last of them to where it is kept.
    fn enum_values(&self) -> std::ops::Range<usize> {
        let body = self.body;
        let kept = (0..body.count()).find(|at| {
            body.op(*at) == PUTSTATIC
                && body.field(*at).is_some_and(|f| f.name == "$VALUES" || f.name == "ENUM$VALUES")
        });
        let Some(kept) = kept else { return 0..0 };
        let last = (0..kept).rev().find(|at| body.op(*at) == PUTSTATIC);
        last.map_or(0, |last| last + 1)..kept + 1
    }
}
