//! What the verifier knows before each instruction: the types of locals and operand stack.
//!
//! Where a frame stands, it is believed (JVMS 4.10.1); in class files without frames, what several ways
//! lead to is joined (4.10.2). Each value on the stack also has its origin, the instruction that pushed
//! it, as long as there is but one.
//!
//! Invariant: code that cannot be followed, for being damaged or having subroutines, has no types at all.
//! Nothing here knows which class extends which.

mod step;

use std::collections::BTreeSet;
use std::rc::Rc;

use classfile::{ClassFile, Code, FrameState, Instruction, VerificationType};
use rustc_hash::FxHashMap;

/// The type of a value, as far as the verifier distinguishes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Nothing usable.
    Top,
    Int,
    Float,
    Long,
    Double,
    Null,
    /// An object of a class, by its internal name, or an array, by its descriptor; empty where several
    /// classes meet.
    Object(Rc<str>),
    /// What the `new` at this instruction made, no constructor called yet.
    New(usize),
    /// `this` before the superclass constructor was called.
    NewThis,
}

impl Kind {
    /// Of a field descriptor.
    pub(crate) fn of(descriptor: &str) -> Self {
        match descriptor.as_bytes().first() {
            Some(b'J') => Self::Long,
            Some(b'D') => Self::Double,
            Some(b'F') => Self::Float,
            Some(b'L') => Self::object(descriptor[1..].trim_end_matches(';')),
            Some(b'[') => Self::object(descriptor),
            _ => Self::Int,
        }
    }

    pub(crate) fn object(name: &str) -> Self {
        Self::Object(name.into())
    }

    /// How many slots it takes.
    pub(crate) fn slots(&self) -> usize {
        if matches!(self, Self::Long | Self::Double) { 2 } else { 1 }
    }

    /// Whether it is a reference to an object that is usable.
    pub(crate) fn is_reference(&self) -> bool {
        matches!(self, Self::Null | Self::Object(_))
    }

    fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one.clone(),
            (Self::Null, Self::Object(_)) => other.clone(),
            (Self::Object(_), Self::Null) => self.clone(),
            (Self::Object(_), Self::Object(_)) => Self::object(""),
            _ => Self::Top,
        }
    }
}

/// A value on the operand stack.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    pub(crate) kind: Kind,
    /// Which instruction pushed it.
    pub(crate) origin: Option<usize>,
}

/// What is known before an instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    /// By slot; the second slot of a long or double holds [`Kind::Top`].
    pub(crate) locals: Rc<Vec<Kind>>,
    /// Bottom first, a value each.
    pub(crate) stack: Vec<Operand>,
}

impl State {
    /// The operand so many below the top of the stack.
    pub(crate) fn top(&self, below: usize) -> Option<&Operand> {
        self.stack.iter().rev().nth(below)
    }

    fn join(&self, other: &Self) -> Option<Self> {
        if self.stack.len() != other.stack.len() {
            return None;
        }
        let locals = self.locals.iter().zip(other.locals.iter()).map(|(a, b)| a.join(b)).collect();
        let stack = self.stack.iter().zip(&other.stack).map(|(a, b)| Operand {
            kind: a.kind.join(&b.kind),
            origin: a.origin.filter(|origin| b.origin == Some(*origin)),
        });
        Some(Self { locals: Rc::new(locals), stack: stack.collect() })
    }
}

/// The states before the instructions of a method; none for what cannot be reached.
pub(crate) struct Types {
    states: Vec<Option<State>>,
    /// States that frames tell.
    framed: FxHashMap<usize, State>,
}

impl Types {
    /// Follows the code of a method; `None` if that cannot be done. `class` may get constants.
    pub(crate) fn of(class: &mut ClassFile, method: usize, code: &Code) -> Option<Self> {
        let instructions: Vec<&Instruction> = code.instructions().collect();
        let labels = code.label_instructions();
        let mut verified = FrameState::initial(class, method).ok()?;
        let size = usize::from(code.max_locals);
        let start = translate(class, &verified, size, &labels)?;
        let mut framed = FxHashMap::default();
        for frame in code.frames() {
            if !verified.apply(&frame.kind) {
                return None;
            }
            let state = translate(class, &verified, size, &labels)?;
            framed.insert(labels[frame.at.number()], state);
        }
        let handlers: Vec<_> = code
            .handlers
            .iter()
            .map(|handler| {
                let caught = match handler.catch_type {
                    0 => "java/lang/Throwable".into(),
                    index => class.pool.class_name(index).ok()?,
                };
                let [start, end, target] = [handler.start, handler.end, handler.target]
                    .map(|label| labels[label.number()]);
                Some((start..end, target, Kind::object(&caught)))
            })
            .collect::<Option<_>>()?;
        let states = vec![None; instructions.len()];
        let mut walk = Walk { types: Self { states, framed }, open: BTreeSet::new() };
        walk.meet(0, start)?;
        while let Some(at) = walk.open.pop_first() {
            let mut state = walk.types.states[at].clone()?;
            for (range, target, caught) in &handlers {
                if range.contains(&at) {
                    let stack = vec![Operand { kind: caught.clone(), origin: None }];
                    walk.meet(*target, State { locals: Rc::clone(&state.locals), stack })?;
                }
            }
            let instruction = instructions[at];
            step::step(class, &instructions, at, &mut state)?;
            for label in instruction.targets() {
                walk.meet(labels[label.number()], state.clone())?;
            }
            if instruction.falls_through() {
                walk.meet(at + 1, state)?;
            }
        }
        Some(walk.types)
    }

    /// What is known before an instruction, if it can be reached.
    pub(crate) fn before(&self, at: usize) -> Option<&State> {
        self.states.get(at)?.as_ref()
    }

    /// What the frame at an instruction tells, if there is one.
    pub(crate) fn framed(&self, at: usize) -> Option<&State> {
        self.framed.get(&at)
    }

    /// Whether nothing is on the stack before an instruction.
    pub(crate) fn is_boundary(&self, at: usize) -> bool {
        self.before(at).is_some_and(|state| state.stack.is_empty())
    }
}

struct Walk {
    types: Types,
    open: BTreeSet<usize>,
}

impl Walk {
    /// Control can come to an instruction in this state.
    fn meet(&mut self, at: usize, state: State) -> Option<()> {
        let known = self.types.states.get_mut(at)?;
        let met = match (self.types.framed.get(&at), &*known) {
            (Some(_), Some(_)) => return Some(()),
            (Some(framed), None) => framed.clone(),
            (None, None) => state,
            (None, Some(known)) => known.join(&state)?,
        };
        if known.as_ref() != Some(&met) {
            *known = Some(met);
            self.open.insert(at);
        }
        Some(())
    }
}

/// A frame with a slot for each local.
fn translate(
    class: &ClassFile,
    frame: &FrameState,
    max_locals: usize,
    labels: &[usize],
) -> Option<State> {
    let kind = |kind: &VerificationType| {
        Some(match kind {
            VerificationType::Top => Kind::Top,
            VerificationType::Integer => Kind::Int,
            VerificationType::Float => Kind::Float,
            VerificationType::Double => Kind::Double,
            VerificationType::Long => Kind::Long,
            VerificationType::Null => Kind::Null,
            VerificationType::UninitializedThis => Kind::NewThis,
            VerificationType::Object(index) => Kind::object(&class.pool.class_name(*index).ok()?),
            VerificationType::Uninitialized(label) => Kind::New(*labels.get(label.number())?),
        })
    };
    let mut locals = Vec::with_capacity(max_locals);
    for local in frame.locals.iter().map(kind) {
        let local = local?;
        let wide = local.slots() == 2;
        locals.push(local);
        if wide {
            locals.push(Kind::Top);
        }
    }
    if locals.len() > max_locals {
        return None;
    }
    locals.resize(max_locals, Kind::Top);
    let operand = |kind| Some(Operand { kind: kind?, origin: None });
    let stack = frame.stack.iter().map(kind).map(operand).collect::<Option<_>>()?;
    Some(State { locals: Rc::new(locals), stack })
}
