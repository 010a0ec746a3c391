//! Calls and types in source.
//!
//! Every argument is cast to the parameter's erased type where its slot has another, so that the compiler
//! picks the very method that the test called: what fits exactly is more specific than all else.

use model::{Call, ClassName, Hierarchy, Nesting, OperationKind, Slot, Type};

use super::names::Names;
use crate::Form3;

/// Knows how types are written.
pub(super) struct Spelling<'s, C: ?Sized> {
    pub(super) classes: &'s C,
    /// Where the source is, in internal form.
    pub(super) package: &'s str,
}

impl<C: Hierarchy + ?Sized> Spelling<'_, C> {
    /// A type, erased.
    pub(super) fn ty(&self, ty: &Type) -> String {
        match ty {
            Type::Primitive(primitive) => primitive.keyword().to_owned(),
            Type::Class(name) => self.class(name),
            Type::Array(element) => format!("{}[]", self.ty(element)),
        }
    }

    /// A class by its full name; those of `java.lang` and of the package of the source by their own.
    pub(super) fn class(&self, name: &ClassName) -> String {
        match self.classes.class(name).map(|class| class.nesting.clone()) {
            Some(Nesting::Member { outer, simple, .. }) => {
                format!("{}.{simple}", self.class(&outer))
            }
            _ if name.package() == self.package => name.local().to_owned(),
            _ if name.package() == "java/lang" && !self.hides(name.local()) => {
                name.local().to_owned()
            }
            _ => name.to_binary(),
        }
    }

    /// Whether the package has a class of that name.
    fn hides(&self, simple: &str) -> bool {
        self.classes.class(&ClassName::internal(&format!("{}/{simple}", self.package))).is_some()
    }

    fn simple(&self, name: &ClassName) -> String {
        match self.classes.class(name).map(|class| class.nesting.clone()) {
            Some(Nesting::Member { simple, .. }) => simple.to_string(),
            _ => name.local().to_owned(),
        }
    }

    /// A call as an expression.
    pub(super) fn call(&self, form: &Form3, names: &Names, call: &Call) -> String {
        let op = &call.op;
        let owner = || self.class(&op.owner);
        match op.kind {
            OperationKind::Array => {
                let array = op.result.as_ref().expect("an array operation has a result");
                format!("new {} {{{}}}", self.ty(array), self.args(form, names, call, 0))
            }
            OperationKind::StaticField => format!("{}.{}", owner(), op.name),
            OperationKind::StaticMethod => {
                format!("{}.{}({})", owner(), op.name, self.args(form, names, call, 0))
            }
            OperationKind::InstanceField => {
                format!("{}.{}", self.receiver(form, names, call), op.name)
            }
            OperationKind::SetField => {
                let value = self.arg(form, names, call, 1);
                format!("{}.{} = {value}", self.receiver(form, names, call), op.name)
            }
            OperationKind::InstanceMethod => {
                let receiver = self.receiver(form, names, call);
                format!("{receiver}.{}({})", op.name, self.args(form, names, call, 1))
            }
            _ => {
                let class = self.classes.class(&op.owner);
                let is_inner = class.is_some_and(|class| class.outer_instance().is_some());
                if is_inner && !call.args.is_empty() {
                    let outer = self.receiver(form, names, call);
                    let class = self.simple(&op.owner);
                    return format!("{outer}.new {class}({})", self.args(form, names, call, 1));
                }
                format!("new {}({})", owner(), self.args(form, names, call, 0))
            }
        }
    }

    fn receiver(&self, form: &Form3, names: &Names, call: &Call) -> String {
        let text = self.arg(form, names, call, 0);
        if text.starts_with('(') { format!("({text})") } else { text }
    }

    fn args(&self, form: &Form3, names: &Names, call: &Call, from: usize) -> String {
        let args = (from..call.args.len()).map(|place| self.arg(form, names, call, place));
        args.collect::<Vec<_>>().join(", ")
    }

    fn arg(&self, form: &Form3, names: &Names, call: &Call, place: usize) -> String {
        self.cast(form, names, call.args[place], call.op.param(place))
    }

    fn cast(&self, form: &Form3, names: &Names, slot: Slot, wanted: &Type) -> String {
        let name = names.of(slot);
        if form.case.ty(slot) == wanted {
            name.to_owned()
        } else {
            format!("({}) {name}", self.ty(wanted))
        }
    }

    /// A call whose result goes into a slot.
    pub(super) fn assigned(&self, form: &Form3, call: &Call, slot: Slot, value: &str) -> String {
        let ty = form.case.ty(slot);
        let fits =
            call.op.result.as_ref().is_some_and(|result| self.classes.is_subtype(result, ty));
        if fits { value.to_owned() } else { format!("({}) {value}", self.ty(ty)) }
    }
}
