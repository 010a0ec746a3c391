//! What an object says of itself, as far as it can be asserted.
//!
//! An array says its elements; other objects what their getters say, and what those return in turn.
//! An `Optional` is its value, and a list of objects that have no text says what its first one says.
//! What two askings do not agree on, what shows an identity or a folder, is not said.

use std::sync::Arc;

use model::{
    CheckKind, FileType, Implementation, Literal, Observation, Operation, Slot, Temporary,
    TestCase, Type, type_accessible,
};

use super::{Known, Looker};
use crate::executor::Executor;
use crate::views::{Asker, Content};

/// Getters asked of one object.
const MAX_ASKED: usize = 20;
/// Longer strings make no readable assertion.
const MAX_TEXT: usize = 300;

/// What an object says of itself: an array by its elements, others by their getters. What a getter
/// returns is an object with one view where the getter's object was asked in turn.
pub(super) type State = Vec<Said>;
pub(super) type Said = (Option<Arc<Operation>>, Observation);

/// That an object says it still.
pub(super) fn check_of(slot: Slot, said: Said) -> CheckKind {
    match said {
        (Some(view), seen) => CheckKind::View(slot, view, seen),
        (None, seen) => CheckKind::Holds(slot, seen),
    }
}

impl<E: Executor> Looker<'_, '_, '_, E> {
    /// What an object or array says that can be asserted, the most telling first.
    pub(super) fn state(&mut self, slot: Slot) -> State {
        let mut state = State::new();
        match self.driver.executor.observe(slot) {
            Observation::Object { .. } => {}
            observed @ Observation::Array { .. } => {
                state.extend(assertable(self.known, &observed).map(|observed| (None, observed)));
                return state;
            }
            _ => return state,
        }
        let ty = self.case.ty(slot).clone();
        if let Some(views) = views_of_file(&self.case, slot, &ty) {
            // What a file holds says that it is there.
            state.extend(views.into_iter().find_map(|view| self.ask(&[view], slot)));
            return state;
        }
        let actual = self.driver.executor.class_of(slot);
        let (mut views, content) = self.with_asker(|asker| {
            (asker.views(&ty, actual.as_ref()), asker.content(&ty, actual.as_ref()))
        });
        if let Some(Content { path, .. }) = content.as_ref().filter(|content| content.is_all) {
            match self.inside(path, slot) {
                None => views.retain(|path| &*path[0].name == "isPresent"),
                Some(inside) if !inside.is_empty() => views = inside,
                Some(_) => {}
            }
        }
        self.ask_all(&views, slot, &mut state);
        if let Some(Content { path, .. }) = content.filter(|content| !content.is_all)
            && !state.iter().any(|(op, _)| op.as_ref().is_some_and(|op| &*op.name == "toString"))
        {
            let inside = self.inside(&path, slot).unwrap_or_default();
            self.ask_all(&inside, slot, &mut state);
        }
        state
    }

    /// Adds what these questions come to, as far as there is room.
    fn ask_all(&mut self, paths: &[Vec<Arc<Operation>>], slot: Slot, state: &mut State) {
        let mut told: Vec<&[Arc<Operation>]> = Vec::new();
        for path in paths {
            if state.len() == MAX_ASKED {
                break;
            }
            let Some((last, way)) = path.split_last() else { continue };
            if told.iter().any(|known| way.starts_with(known)) {
                continue;
            }
            let said = self.ask(path, slot);
            // The text of an object that a method returns says all of it.
            if said.is_some() && !way.is_empty() && &*last.name == "toString" {
                told.push(way);
            }
            state.extend(said);
        }
    }

    /// What to ask of the object that these questions lead to: what it is, if that can be asserted,
    /// else what it says. `None` if they lead nowhere.
    fn inside(&mut self, path: &[Arc<Operation>], slot: Slot) -> Option<Vec<Vec<Arc<Operation>>>> {
        let seen = self.view(path, slot)?;
        let Observation::Object { class, .. } = seen else {
            let is_all = assertable(self.known, &seen).map(|_| path.to_vec());
            return Some(is_all.into_iter().collect());
        };
        let ty = Type::Class(class);
        if !type_accessible(self.known.classes, &ty, self.known.package) {
            return Some(Vec::new());
        }
        let views = self.with_asker(|asker| asker.views(&ty, Some(&ty)));
        Some(views.into_iter().map(|view| path.iter().cloned().chain(view).collect()).collect())
    }

    fn with_asker<R>(&self, look: impl FnOnce(&Asker<'_>) -> R) -> R {
        let Known { classes, knowledge, package } = self.known;
        let api = self.driver.api;
        let is_pure =
            |op: &Operation| api.id_of(op).is_some_and(|op| knowledge.preserving.contains(&op));
        look(&Asker { classes, package, is_pure: &is_pure })
    }

    /// What these questions, one after the other, come to, if it is the same twice.
    fn ask(&mut self, path: &[Arc<Operation>], slot: Slot) -> Option<Said> {
        let observed = self.view(path, slot)?;
        if self.view(path, slot).as_ref() != Some(&observed) {
            return None;
        }
        let (first, rest) = path.split_first()?;
        let said = rest.iter().rev().fold(assertable(self.known, &observed)?, |seen, op| {
            Observation::Object { class: op.owner.clone(), views: vec![(op.clone(), seen)] }
        });
        Some((Some(first.clone()), said))
    }

    fn view(&mut self, path: &[Arc<Operation>], slot: Slot) -> Option<Observation> {
        let executor = &mut *self.driver.executor;
        let observed = executor.view(path, slot)?;
        (!executor.overran() && executor.effects(false).may_be_emitted()).then_some(observed)
    }
}

/// As much of the value as can be asserted: of an array with elements that cannot, the length.
pub(super) fn assertable(known: Known<'_>, observed: &Observation) -> Option<Observation> {
    let accessible = |ty: &Type| type_accessible(known.classes, ty, known.package);
    match observed {
        Observation::Null => {}
        Observation::Value { value: Literal::String(text), .. } => {
            let text = text.to_string();
            if text.len() > MAX_TEXT || shows_identity(&text) {
                return None;
            }
        }
        Observation::Value { value: Literal::Class(Some(ty)), .. } if !accessible(ty) => {
            return None;
        }
        Observation::Value { .. } => {}
        Observation::Enum { class, constant } => {
            if !accessible(&Type::Class(class.clone()))
                || known.classes.class(class)?.field(constant).is_none()
            {
                return None;
            }
        }
        Observation::Array { element, length, elements } => {
            if !accessible(element) {
                return None;
            }
            let same = |e: &Observation| assertable(known, e).as_ref() == Some(e);
            let elements = elements.clone().filter(|all| all.iter().all(same));
            return Some(Observation::Array {
                element: element.clone(),
                length: *length,
                elements,
            });
        }
        Observation::Object { .. } | Observation::Nothing => return None,
    }
    Some(observed.clone())
}

/// What to ask of a file in a test that has a temporary folder: the getters of files tell where the
/// folder is, when it was made and how much room there is.
fn views_of_file(case: &TestCase, slot: Slot, ty: &Type) -> Option<Vec<Arc<Operation>>> {
    if !Temporary::is_used_in(case) {
        return None;
    }
    let made = case.calls.iter().find(|call| call.result == Some(slot));
    let made = made.and_then(|call| Temporary::of(&call.op)).map(|(_, file)| file);
    let file = match made.or(FileType::of(ty)) {
        Some(file) => file,
        // A text that is not observed as it is shows where the folder is; so does its length.
        None if *ty == Type::string() => return Some(Vec::new()),
        None => return None,
    };
    let questions = [Temporary::Text, Temporary::Exists];
    Some(questions.into_iter().map(|what| Arc::new(what.operation(file))).collect())
}

/// Whether a text contains what `Object.toString` makes of an identity hash code, or the name of a
/// class that is another one in the emitted test.
fn shows_identity(text: &str) -> bool {
    text.match_indices('@').any(|(at, _)| {
        let digits = text[at + 1..].chars().take_while(char::is_ascii_hexdigit).count();
        digits >= 3
    }) || text.contains("$$Lambda")
        || text.contains("/0x")
        || Implementation::is_named_in(text)
}
