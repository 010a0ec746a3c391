//! What can be asked of an object to tell what it is: methods without arguments, and fields.
//!
//! Getters by their names, `toString` where it says more than an address, and methods of any name
//! that change nothing. A getter of an object is asked for what that object says in turn.

use std::sync::Arc;

use model::{
    Class, ClassKind, ClassName, ClassSource, Field, Hierarchy, Implementation, Method, Operation,
    Origin, Primitive, Type, member_accessible, type_accessible,
};

/// Ranks, the most telling first.
const COUNT: u32 = 0;
const VALUE: u32 = 1;
const TEXT: u32 = 2;
/// What is either one of two says less than a text or number.
const TRUTH: u32 = 3;
/// What an object that a getter returns says.
const INNER: u32 = 4;
/// What a field says that no getter tells of.
const FIELD: u32 = 5;
/// What a method says that is named after something else than what it tells.
const OTHER: u32 = 6;
/// What an object says that a method makes of this one: `build().getName()`.
const MADE: u32 = 7;

/// Methods of an object that make others, which are asked.
const MAX_MAKERS: usize = 2;
/// Questions to an object that a getter returns.
const MAX_INNER: usize = 4;

/// What is in an object that holds others.
pub(crate) struct Content {
    /// The questions that lead there.
    pub(crate) path: Vec<Arc<Operation>>,
    /// Whether it is all there is: the value of an `Optional`, not the first element of a list.
    pub(crate) is_all: bool,
}

/// Finds what to ask.
pub(crate) struct Asker<'a> {
    pub(crate) classes: &'a dyn ClassSource,
    /// The package that tests will live in.
    pub(crate) package: &'a str,
    /// Whether a method changes nothing, as far as one can tell.
    pub(crate) is_pure: &'a dyn Fn(&Operation) -> bool,
}

/// Classes of the JDK whose objects are values that their text says all of.
const TOLD_BY_TEXT: [&str; 6] = [
    "java/math/BigDecimal",
    "java/math/BigInteger",
    "java/net/URI",
    "java/util/Currency",
    "java/util/Locale",
    "java/util/UUID",
];

fn is_told_by_text(ty: &Type) -> bool {
    let Type::Class(name) = ty else { return false };
    let name = name.as_internal();
    TOLD_BY_TEXT.contains(&name)
        || name.strip_prefix("java/time/").is_some_and(|local| !local.contains('/'))
}

impl Asker<'_> {
    /// What to ask an object of this type, best first: a method, or one and then others of what
    /// that returns. The class the object is of tells whether its text says more than its address.
    pub(crate) fn views(&self, ty: &Type, actual: Option<&Type>) -> Vec<Vec<Arc<Operation>>> {
        let mut found: Vec<(u32, Vec<Arc<Operation>>)> = Vec::new();
        for (rank, op) in self.direct(ty, actual) {
            found.push((rank, vec![op]));
        }
        let is_text = |(_, path): &(u32, Vec<Arc<Operation>>)| &*path[0].name == "toString";
        if is_told_by_text(ty) && found.iter().any(is_text) {
            found.retain(is_text);
            return found.into_iter().map(|(_, path)| path).collect();
        }
        if !is_written(actual) {
            found.extend(self.inner(ty).into_iter().map(|path| (INNER, path)));
            found.extend(self.made(ty).into_iter().map(|path| (MADE, path)));
        }
        let getters: Vec<Arc<str>> = found.iter().map(|(_, path)| path[0].name.clone()).collect();
        let fields = if is_written(actual) { Vec::new() } else { self.fields(ty) };
        found.extend(
            fields
                .into_iter()
                .filter(|field| !is_told(&field.name, &getters))
                .map(|field| (FIELD, vec![Arc::new(field)])),
        );
        found.sort_by_key(|(rank, _)| *rank);
        found.into_iter().map(|(_, path)| path).collect()
    }

    /// What to ask the objects that getters return: first for a text, which says it all.
    fn inner(&self, ty: &Type) -> Vec<Vec<Arc<Operation>>> {
        let mut found = Vec::new();
        for getter in self.getters_of_objects(ty) {
            let Some(of) = &getter.result else { continue };
            let mut inner = self.direct(of, Some(of));
            inner.retain(|(rank, _)| *rank <= TRUTH);
            inner.sort_by_key(|(_, view)| &*view.name != "toString");
            let views = inner.into_iter().take(MAX_INNER);
            found.extend(views.map(|(_, view)| vec![getter.clone(), view]));
        }
        found
    }

    /// What the objects say that methods make which change nothing: a builder tells what it was told
    /// by what it builds.
    fn made(&self, ty: &Type) -> Vec<Vec<Arc<Operation>>> {
        let makers = self.methods(ty).into_iter().filter(|(declaring, method, op)| {
            let Some(result @ Type::Class(name)) = &op.result else { return false };
            let is_own = |class: Arc<Class>| class.origin == Origin::Project;
            result != ty
                && value_rank(self.classes, result).is_none()
                && !is_named_as_getter(declaring, method)
                && self.classes.class(name).is_some_and(is_own)
                && type_accessible(self.classes, result, self.package)
                && (self.is_pure)(op)
        });
        let mut found = Vec::new();
        for (_, _, maker) in makers.take(MAX_MAKERS) {
            let Some(of) = maker.result.clone() else { continue };
            let maker = Arc::new(maker);
            // Values before the text, unlike those of getters: a test is named after the first.
            let direct = self.direct(&of, Some(&of)).into_iter().map(|(_, view)| vec![view]);
            let views = direct.chain(self.inner(&of));
            found.extend(views.map(|path| [vec![maker.clone()], path].concat()));
        }
        found
    }

    /// Where to look for what an object holds, if that is all it is or it has an order.
    pub(crate) fn content(&self, ty: &Type, actual: Option<&Type>) -> Option<Content> {
        let is = |ty: Option<&Type>, class: &str| {
            let class = ClassName::internal(class);
            matches!(ty, Some(Type::Class(name)) if self.classes.is_subclass(name, &class))
        };
        let own = |name: &str| {
            let mut methods = self.methods(ty).into_iter();
            methods.find(|(_, method, _)| &*method.name == name).map(|(_, _, op)| Arc::new(op))
        };
        if is(Some(ty), "java/util/Optional") {
            return Some(Content { path: vec![own("get")?], is_all: true });
        }
        if !is(Some(ty), "java/util/Collection") || !is(actual, "java/util/List") {
            return None;
        }
        let iterator = self.classes.class(&ClassName::internal("java/util/Iterator"))?;
        let next = iterator.methods.iter().find(|method| &*method.name == "next")?;
        let next = Arc::new(Operation::of_method(&iterator, next));
        Some(Content { path: vec![own("iterator")?, next], is_all: false })
    }

    /// Fields of the type that a test can read.
    fn fields(&self, ty: &Type) -> Vec<Operation> {
        let Type::Class(name) = ty else { return Vec::new() };
        let Some(owner) = self.classes.class(name) else { return Vec::new() };
        let mut found: Vec<Operation> = Vec::new();
        for declaring in self.classes.supertypes(name) {
            let nameable = declaring.access.is_public() || declaring.name.package() == self.package;
            for field in &declaring.fields {
                let access = field.access;
                if nameable
                    && declaring.origin != Origin::Jdk
                    && !access.is_static()
                    && !access.is_synthetic()
                    && value_rank(self.classes, &field.ty).is_some()
                    && !found.iter().any(|known| known.name == field.name)
                    && member_accessible(self.classes, &declaring, access, self.package)
                {
                    found.push(Operation::of_field(&owner, field));
                }
            }
        }
        found
    }

    /// Methods of the type that a test can call, once for each name.
    fn methods(&self, ty: &Type) -> Vec<(Arc<Class>, Method, Operation)> {
        let Type::Class(name) = ty else { return Vec::new() };
        let Some(owner) = self.classes.class(name) else { return Vec::new() };
        let mut found: Vec<(Arc<Class>, Method, Operation)> = Vec::new();
        for declaring in self.classes.supertypes(name) {
            if declaring.name.as_internal() == "java/lang/Object" {
                continue;
            }
            let nameable = declaring.access.is_public() || declaring.name.package() == self.package;
            for method in &declaring.methods {
                if nameable
                    && is_question(method)
                    && !found.iter().any(|(_, known, _)| known.name == method.name)
                    && member_accessible(self.classes, &declaring, method.access, self.package)
                {
                    let op = Operation::of_method(&owner, method);
                    found.push((declaring.clone(), method.clone(), op));
                }
            }
        }
        found
    }

    /// Methods that tell something as they are.
    fn direct(&self, ty: &Type, actual: Option<&Type>) -> Vec<(u32, Arc<Operation>)> {
        let mut found: Vec<(u32, Arc<Operation>)> = Vec::new();
        let mut has_text = false;
        for (declaring, method, op) in self.methods(ty) {
            has_text |= &*method.name == "toString";
            // What the test itself wrote says what the test told it to.
            if is_written(actual) && method.access.is_abstract() {
                continue;
            }
            if let Some(rank) = rank(self.classes, &declaring, &method, || (self.is_pure)(&op)) {
                found.push((rank, Arc::new(op)));
            }
        }
        // How many says whether any.
        if found.iter().any(|(_, op)| matches!(&*op.name, "size" | "length")) {
            found.retain(|(_, op)| &*op.name != "isEmpty");
        }
        if !has_text {
            found.extend(text_of(self.classes, actual).map(|op| (TEXT, op)));
        }
        found.sort_by_key(|(rank, _)| *rank);
        found
    }

    fn getters_of_objects(&self, ty: &Type) -> Vec<Arc<Operation>> {
        let all = self.methods(ty).into_iter().filter(|(declaring, method, op)| {
            let result = op.result.as_ref().filter(|ty| matches!(ty, Type::Class(_)));
            result.is_some_and(|result| {
                value_rank(self.classes, result).is_none()
                    && result != ty
                    && is_named_as_getter(declaring, method)
                    && type_accessible(self.classes, result, self.package)
            })
        });
        all.map(|(_, _, op)| Arc::new(op)).collect()
    }
}

/// Whether one of these getters tells of a field.
fn is_told(field: &str, getters: &[Arc<str>]) -> bool {
    getters.iter().any(|getter| property(getter).eq_ignore_ascii_case(field))
}

/// What a getter tells of, by its name: an `issuer` is no `suer`.
pub(crate) fn property(getter: &str) -> &str {
    let verbs = ["get", "is", "has"].into_iter();
    let mut rests = verbs.filter_map(|verb| getter.strip_prefix(verb));
    let is_word =
        |rest: &&str| !rest.is_empty() && !rest.starts_with(|c: char| c.is_ascii_lowercase());
    rests.find(is_word).unwrap_or(getter)
}

/// Whether a question is for a value that a final field holds: no call changes that.
pub(crate) fn is_fixed(classes: &dyn ClassSource, view: &Operation) -> bool {
    let is_value = |ty: &Type| !matches!(ty, Type::Array(_)) && value_rank(classes, ty).is_some();
    let is_asked = |field: &Field| {
        field.access.is_final()
            && !field.access.is_static()
            && view.result.as_ref() == Some(&field.ty)
            && field.name.eq_ignore_ascii_case(property(&view.name))
    };
    view.result.as_ref().is_some_and(is_value)
        && classes.supertypes(&view.owner).iter().any(|class| class.fields.iter().any(is_asked))
}

/// Whether an object is of a class that the test writes on the spot.
fn is_written(actual: Option<&Type>) -> bool {
    matches!(actual, Some(Type::Class(name)) if Implementation::is_name_of_one(name.as_internal()))
}

/// `Object.toString`, if the class has one of its own: for objects known by an interface or a
/// superclass that does not declare it.
fn text_of(classes: &dyn ClassSource, actual: Option<&Type>) -> Option<Arc<Operation>> {
    let Type::Class(actual) = actual? else { return None };
    let is_text = |m: &&Method| &*m.name == "toString" && m.params.is_empty();
    let declaring = classes.supertypes(actual).into_iter().find_map(|class| {
        let method = class.methods.iter().find(is_text).filter(|m| !m.access.is_abstract())?;
        rank(classes, &class, method, || false).map(|_| class.name.clone())
    })?;
    let object = ClassName::internal("java/lang/Object");
    if declaring == object {
        return None;
    }
    let object = classes.class(&object)?;
    let method = object.methods.iter().find(is_text)?;
    Some(Arc::new(Operation::of_method(&object, method)))
}

/// Packages of the JDK whose texts show values, in the same way in every version.
const TEXTS: [&str; 5] = ["java/io", "java/lang", "java/math", "java/time", "java/util"];
/// Those among them whose objects are values: their text is all there is to say.
const VALUES: [&str; 2] = ["java/math", "java/time"];

/// Whether a method takes nothing and promises an answer.
fn is_question(method: &Method) -> bool {
    let access = method.access;
    method.result.is_some()
        && method.params.is_empty()
        && !access.is_static()
        && !access.is_synthetic()
        && !access.is_bridge()
        && !access.is_private()
        && !method.deprecated
        && method.exceptions.is_empty()
        && !matches!(&*method.name, "hashCode" | "getClass" | "clone")
}

/// How telling a result is if it can be asserted as it stands.
fn value_rank(classes: &dyn ClassSource, result: &Type) -> Option<u32> {
    match result {
        Type::Primitive(Primitive::Boolean) => Some(TRUTH),
        Type::Primitive(_) => Some(VALUE),
        Type::Class(name) => {
            let is_value = matches!(name.as_internal(), "java/lang/String" | "java/lang/Class")
                || Primitive::unboxed(name.as_internal()).is_some()
                || classes.class(name).is_some_and(|class| class.kind == ClassKind::Enum);
            is_value.then_some(VALUE)
        }
        Type::Array(element) => {
            let is_value = matches!(&**element, Type::Primitive(_)) || **element == Type::string();
            is_value.then_some(TEXT)
        }
    }
}

/// Whether the name says that the method tells something; records and others name the accessor
/// after what it tells.
fn is_named_as_getter(class: &Class, method: &Method) -> bool {
    let name = &*method.name;
    let starts = |prefix: &str| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_uppercase()))
    };
    let is_accessor = class.field(name).is_some_and(|field| !field.access.is_static());
    starts("get") || starts("is") || starts("has") || is_accessor
}

/// How telling a question is, smaller first; `None` if the method is none.
fn rank(
    classes: &dyn ClassSource,
    class: &Class,
    method: &Method,
    is_pure: impl Fn() -> bool,
) -> Option<u32> {
    let name = &*method.name;
    let rank = value_rank(classes, method.result.as_ref()?)?;
    let is_value = class.origin == Origin::Jdk && VALUES.contains(&class.name.package());
    if is_value && name != "toString" {
        return None;
    }
    if name == "toString" {
        let shows_value = class.origin != Origin::Jdk
            || TEXTS.contains(&class.name.package())
            || TOLD_BY_TEXT.contains(&class.name.as_internal());
        return shows_value.then_some(TEXT);
    }
    if matches!(name, "size" | "length" | "isEmpty") {
        return Some(COUNT);
    }
    // Views of a number as each primitive type say the same thing again.
    if name.ends_with("Value") && !name.starts_with("get") {
        return (name == "doubleValue").then_some(TRUTH);
    }
    if is_named_as_getter(class, method) {
        return Some(rank);
    }
    is_pure().then_some(OTHER)
}

#[cfg(test)]
mod tests;
