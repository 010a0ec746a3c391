//! Names, fields and methods: what they are members of, and whether a test can name them.

use super::java::{Java, Ty, class, text};
use super::print::{Made, Printer, Site};
use super::template::{Piece, Template};
use super::types::{TypeId, Types};
use crate::java::{Field, JavaModifier, MethodKind, Origin, Visibility};
use crate::jml::ast::{Expr, ExprKind, Represents, StoreRefKind, StoreStep};

/// Model fields may be defined by each other so many times.
const MAX_DEPTH: u32 = 8;

/// What stands in front of a dot.
enum Target {
    Value(Java),
    Class(String),
}

/// Whether a clause says what this model field of the same type is.
pub(super) fn represents(one: &Represents, name: &str) -> bool {
    let (Represents::Value { target, .. } | Represents::SuchThat { target, .. }) = one;
    let StoreRefKind::Path { root, steps } = &target.kind else { return false };
    match (&root.kind, steps.as_slice()) {
        (ExprKind::Name(field), []) => field == name,
        (ExprKind::This, [StoreStep::Field(field)]) => field.text == name,
        _ => false,
    }
}

impl<'a> Printer<'_, 'a> {
    pub(super) fn name(&mut self, name: &str) -> Made {
        if let Some(bound) = self.bound.iter().rev().find(|bound| bound.name == name) {
            let bits = if bound.ty == Ty::Int { 30 } else { 63 };
            let pieces = vec![Piece::Variable(bound.number)];
            return Ok(Java::primary(pieces, bound.ty.clone()).with_bits(bits));
        }
        if self.unknown.contains(&name) {
            return Err(format!("`{name}` stands for every value"));
        }
        if let Some(old) = self.olds.iter().rev().copied().find(|old| old.name.text == name) {
            let value = old.value.as_ref().ok_or_else(|| format!("`{name}` has no value"))?;
            return self.old(value);
        }
        if let Some(method) = self.site.method {
            let compact = method.kind == MethodKind::CompactConstructor;
            let params = match compact {
                true => &self.types.all[self.site.ty].decl.components,
                false => &method.params,
            };
            if let Some(at) = params.iter().position(|param| param.name.text == name) {
                let ty = self.types.ty(self.site.ty, Some(method), &params[at].ty.text);
                let ty = if params[at].varargs { Ty::Array(Box::new(ty)) } else { ty };
                return Ok(Java::primary(vec![Piece::Argument(at)], ty));
            }
        }
        let mut at = Some(self.site.ty);
        while let Some(ty) = at {
            if let Some((owner, field)) = self.types.field(ty, name) {
                let target = match self.types.is_static_field(owner, field) {
                    true => None,
                    false if ty == self.site.ty => Some(self.receiver()?),
                    false => return Err(format!("`{name}` is of the object around")),
                };
                return self.field_of(owner, field, target, ty);
            }
            if let Some(constant) = self.constant(ty, name) {
                return constant;
            }
            at = self.types.all[ty].outer;
        }
        let components = &self.types.all[self.site.ty].decl.components;
        if let Some(component) = components.iter().find(|one| one.name.text == name) {
            let ty = self.types.ty(self.site.ty, None, &component.ty.text);
            let object = Java::primary(self.receiver()?, Ty::Unknown);
            return Ok(Java::primary(object.followed(&format!(".{name}()")), ty));
        }
        for above in self.types.compiled_supers(self.site.ty) {
            if let Some(ty) = self.types.library.field(&above, name) {
                let object = Java::primary(self.receiver()?, Ty::Unknown);
                let pieces = object.followed(&format!(".{name}"));
                return Ok(Java::primary(pieces, Types::of_library(&ty)));
            }
        }
        let imports = &self.types.all[self.site.ty].source.imports;
        for import in imports.iter().filter(|import| import.is_static) {
            let owner = match import.on_demand {
                true => Some(import.name.as_str()),
                false => import.name.strip_suffix(name).and_then(|n| n.strip_suffix('.')),
            };
            if let Some(made) = owner.and_then(|owner| self.static_field(owner, name)) {
                return made;
            }
        }
        Err(format!("what `{name}` is, is not known"))
    }

    /// A constant of an enum.
    fn constant(&self, ty: TypeId, name: &str) -> Option<Made> {
        let declared = &self.types.all[ty];
        let has = declared.decl.constants.iter().any(|constant| constant.name.text == name);
        has.then(|| {
            let mut pieces = self.class(&declared.name)?;
            pieces.push(text(&format!(".{name}")));
            Ok(Java::primary(pieces, Ty::Class(declared.name.clone())))
        })
    }

    /// A field of a class that is named; `None` if there is none.
    fn static_field(&mut self, owner: &str, name: &str) -> Option<Made> {
        if let Some(id) = self.types.named(owner) {
            if let Some((at, field)) = self.types.field(id, name) {
                return Some(self.field_of(at, field, None, id));
            }
            return self.constant(id, name);
        }
        let ty = self.types.library.field(owner, name)?;
        let pieces = vec![class(owner), text(&format!(".{name}"))];
        Some(Ok(Java::primary(pieces, Types::of_library(&ty))))
    }

    /// A field of an object, or of a class where there is no object; `of` is the type it is read of.
    fn field_of(
        &mut self,
        owner: TypeId,
        field: &'a Field,
        target: Option<Template>,
        of: TypeId,
    ) -> Made {
        let name = &field.name.text;
        match field.origin {
            Origin::Java => {}
            Origin::Ghost => return Err(format!("`{name}` is a ghost field")),
            Origin::Model => return self.model_field(of, name, target),
        }
        let ty = self.types.ty(owner, None, &field.ty.text);
        let mut pieces = match target {
            Some(target) => Java::primary(target, Ty::Unknown).pieces,
            None => self.class(&self.types.all[owner].name)?,
        };
        if self.types.is_accessible(owner, &field.modifiers, self.called.package) {
            pieces.push(text(&format!(".{name}")));
        } else {
            let getter = self.types.getter(owner, field, self.called.package);
            let getter =
                getter.ok_or_else(|| format!("nothing gives the private field `{name}`"))?;
            self.throws |= !getter.throws.is_empty();
            pieces.push(text(&format!(".{}()", getter.name.text)));
        }
        Ok(Java::primary(pieces, ty))
    }

    /// What a model field stands for, in its place.
    fn model_field(&mut self, of: TypeId, name: &str, target: Option<Template>) -> Made {
        let found = self.types.represented(of, name);
        let Some((ty, Represents::Value { value, .. })) = found else {
            return Err(format!("the model field `{name}` has no value that can be computed"));
        };
        if self.depth == MAX_DEPTH {
            return Err(format!("the model field `{name}` is defined by itself"));
        }
        self.depth += 1;
        let site = std::mem::replace(&mut self.site, Site { ty, method: None, receiver: target });
        let (olds, bound) = (std::mem::take(&mut self.olds), std::mem::take(&mut self.bound));
        let lifting = std::mem::take(&mut self.lifting);
        let made = self.wide(value);
        (self.site, self.olds, self.bound, self.lifting) = (site, olds, bound, lifting);
        self.depth -= 1;
        made
    }

    fn target(&mut self, expr: &'a Expr) -> Result<Target, String> {
        let as_value = self.narrow(expr);
        let reason = match as_value {
            Ok(value) => return Ok(Target::Value(value)),
            Err(reason) => reason,
        };
        let class = dotted(expr).and_then(|name| self.types.resolve(self.site.ty, &name));
        class.map(Target::Class).ok_or(reason)
    }

    pub(super) fn field(&mut self, target: &'a Expr, name: &str) -> Made {
        let value = match self.target(target)? {
            Target::Class(owner) => {
                if name == "this" {
                    return Err("it speaks of the object around".to_owned());
                }
                return self
                    .static_field(&owner, name)
                    .unwrap_or_else(|| Err(format!("`{name}` of `{owner}` is not known")));
            }
            Target::Value(value) => value,
        };
        match &value.ty {
            Ty::Array(_) if name == "length" => {
                Ok(Java::primary(value.followed(".length"), Ty::Int))
            }
            Ty::Class(of) => {
                if let Some(id) = self.types.named(of) {
                    let declared = self.types.all[id].decl;
                    if let Some(found) = declared.components.iter().find(|c| c.name.text == name) {
                        let ty = self.types.ty(id, None, &found.ty.text);
                        return Ok(Java::primary(value.followed(&format!(".{name}()")), ty));
                    }
                    if let Some((owner, field)) = self.types.field(id, name) {
                        let target = value.at(super::java::level::PRIMARY);
                        return self.field_of(owner, field, Some(target), id);
                    }
                }
                let ty = self.types.library.field(of, name);
                let ty = ty.ok_or_else(|| format!("the field `{name}` is not known"))?;
                Ok(Java::primary(value.followed(&format!(".{name}")), Types::of_library(&ty)))
            }
            _ => Err(format!("of what type the owner of `{name}` is, is not known")),
        }
    }

    pub(super) fn call(
        &mut self,
        target: Option<&'a Expr>,
        name: &str,
        arguments: &'a [Expr],
    ) -> Made {
        let count = arguments.len();
        let (head, of) = match target {
            Some(target) => match self.target(target)? {
                Target::Class(owner) => {
                    let id = self.types.named(&owner);
                    (self.class(&owner)?, id.map_or(Err(vec![owner]), Ok))
                }
                Target::Value(value) => {
                    let of = match &value.ty {
                        Ty::Class(of) => self.types.named(of).ok_or_else(|| vec![of.clone()]),
                        Ty::Array(_) | Ty::Variable => Err(vec!["java.lang.Object".to_owned()]),
                        _ => Err(Vec::new()),
                    };
                    (value.at(super::java::level::PRIMARY), of)
                }
            },
            None => {
                let mut at = Some(self.site.ty);
                let mut found = None;
                while let (Some(ty), None) = (at, found) {
                    found = self.types.method(ty, name, count).map(|(_, method)| (ty, method));
                    at = self.types.all[ty].outer;
                }
                match found {
                    Some((ty, method)) if method.modifiers.has(JavaModifier::Static) => {
                        (self.class(&self.types.all[ty].name)?, Ok(ty))
                    }
                    Some((ty, _)) if ty != self.site.ty => {
                        return Err(format!("`{name}` is of the object around"));
                    }
                    _ => (self.receiver()?, Ok(self.site.ty)),
                }
            }
        };
        let ty = self.result_of(of, name, count)?;
        let arguments = self.arguments(arguments)?;
        let mut pieces = head;
        pieces.push(text(&format!(".{name}")));
        Ok(Java::called(pieces, arguments, ty))
    }

    /// What a method gives, if a test may call it.
    fn result_of(
        &mut self,
        of: Result<TypeId, Vec<String>>,
        name: &str,
        count: usize,
    ) -> Result<Ty, String> {
        let compiled = match of {
            Err(compiled) => compiled,
            Ok(id) => {
                if let Some((owner, method)) = self.types.method(id, name, count) {
                    if method.origin != Origin::Java {
                        return Err(format!("`{name}` is a method of the specification only"));
                    }
                    if !self.types.is_accessible(owner, &method.modifiers, self.called.package) {
                        return Err(format!("a test cannot call `{name}`"));
                    }
                    self.throws |= !method.throws.is_empty();
                    let written = method.return_type.as_ref().map_or("", |ty| ty.text.as_str());
                    return Ok(self.types.ty(owner, Some(method), written));
                }
                let component = self.types.all[id].decl.components.iter();
                if let Some(found) = component.filter(|_| count == 0).find(|c| c.name.text == name)
                {
                    return Ok(self.types.ty(id, None, &found.ty.text));
                }
                self.types.compiled_supers(id)
            }
        };
        let library = self.types.library;
        let found = compiled.iter().find_map(|class| library.result(class, name, count));
        Ok(found.map_or(Ty::Unknown, |ty| Types::of_library(&ty)))
    }

    /// A class where it is named in a test.
    pub(super) fn class(&self, name: &str) -> Result<Template, String> {
        let mut at = self.types.named(name);
        while let Some(id) = at {
            let declared = &self.types.all[id];
            let hidden = match declared.decl.modifiers.visibility() {
                Some(Visibility::Public) => false,
                Some(Visibility::Private) => true,
                _ => self.types.package(id) != self.called.package,
            };
            let of_interface = declared.outer.is_some_and(|outer| {
                self.types.all[outer].decl.kind == crate::java::TypeKind::Interface
            });
            if hidden && !of_interface {
                return Err(format!("a test cannot name `{name}`"));
            }
            at = declared.outer;
        }
        Ok(vec![class(name)])
    }
}

/// A qualified name: `java.util.List`.
fn dotted(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name.clone()),
        ExprKind::Field { target, name } => Some(format!("{}.{}", dotted(target)?, name.text)),
        _ => None,
    }
}
