//! Assertions: an observed value as an expectation in source.
//!
//! The overloads of `assertEquals` are a trap (JLS §15.12.2): with an `Integer` as actual value,
//! `assertEquals(5, x)` is ambiguous between `long` and `Object`. So a primitive is compared with a
//! primitive, and with a boxed static type the expected value is boxed explicitly.

use std::collections::BTreeSet;

use model::{
    Class, ClassKind, ClassName, GenericType, Literal, Observation, Operation, Primitive, Type,
    is_identifier,
};

use crate::Junit;
use crate::call::{self, Argument, Goal, Throws, array_doc, as_element};
use crate::doc::Doc;
use crate::generics::{Scope, Static};
use crate::literal::{Expr, literal};
use crate::rejection::Rejection;

/// Writes the assertions of one test.
pub(crate) struct Assertions<'a> {
    pub(crate) scope: Scope<'a>,
    pub(crate) junit: Junit,
    /// The assertion methods used.
    pub(crate) used: BTreeSet<&'static str>,
    /// What the views used may throw.
    pub(crate) throws: Throws,
}

/// A value to be compared.
#[derive(Clone)]
pub(crate) struct Actual {
    /// The value.
    pub(crate) expr: Expr,
    /// Whether its static type is certainly that of the expression, not inferred by javac.
    pub(crate) certain: bool,
}

/// Whether a single assertion, which mentions the value once, says it all.
pub(crate) fn is_single(seen: &Observation) -> bool {
    match seen {
        Observation::Object { views, .. } => views.len() <= 1,
        _ => true,
    }
}

impl<'a> Assertions<'a> {
    /// None yet.
    pub(crate) fn new(scope: Scope<'a>, junit: Junit) -> Self {
        Self { scope, junit, used: BTreeSet::new(), throws: Throws::default() }
    }

    /// A call of an assertion method.
    pub(crate) fn assert(&mut self, name: &'static str, args: Vec<Doc>) -> Doc {
        self.used.insert(name);
        Doc::call(Doc::text(name), args)
    }

    /// The value is what was observed.
    pub(crate) fn holds(
        &mut self,
        actual: Actual,
        seen: &Observation,
    ) -> Result<Vec<Doc>, Rejection> {
        let ty = actual.expr.ty.erased().unwrap_or_else(Type::object);
        let is_reference = ty.is_reference();
        let incomparable = || Rejection::Incomparable { ty: ty.clone() };
        match seen {
            Observation::Nothing => return Err(incomparable()),
            Observation::Value { value, .. } => {
                return Ok(vec![self.value(actual, value, &ty)?]);
            }
            _ if !is_reference => return Err(incomparable()),
            _ => {}
        }
        Ok(vec![match seen {
            Observation::Null => self.assert("assertNull", vec![actual.expr.doc]),
            Observation::Enum { class, constant } => self.enum_constant(actual, class, constant)?,
            Observation::Array { element, length, elements } => {
                self.array(actual, element, *length, elements.as_deref())?
            }
            Observation::Object { views, .. } if !views.is_empty() => {
                let mut all = Vec::new();
                for (view, seen) in views {
                    all.extend(self.view(&actual.expr, view, seen)?);
                }
                return Ok(all);
            }
            _ => self.assert("assertNotNull", vec![actual.expr.doc]),
        }])
    }

    /// A method of the value gives what was observed.
    pub(crate) fn view(
        &mut self,
        of: &Expr,
        view: &Operation,
        seen: &Observation,
    ) -> Result<Vec<Doc>, Rejection> {
        let receiver = Argument { expr: of.clone(), elements: None };
        let written = call::write(self.scope, view, &[receiver], Goal::Nothing)?;
        self.throws = self.throws.max(written.throws);
        let mut actual = Actual { expr: written.expr, certain: written.certain };
        // What is asked in turn needs no cast where type arguments are known.
        if let (Observation::Object { .. }, Some(generic)) = (seen, written.generic) {
            actual.expr.ty = Static::Of(generic);
        }
        if is_single(seen) {
            return self.holds(actual, seen);
        }
        let not_null = self.assert("assertNotNull", vec![actual.expr.doc]);
        Ok(vec![not_null])
    }

    fn value(&mut self, actual: Actual, value: &Literal, ty: &Type) -> Result<Doc, Rejection> {
        let incomparable = Rejection::Incomparable { ty: ty.clone() };
        match value {
            Literal::Null => return Ok(self.assert("assertNull", vec![actual.expr.doc])),
            Literal::Class(class) => return self.class(actual, class.as_ref()),
            Literal::String(_) => {
                if !ty.is_reference() {
                    return Err(incomparable);
                }
                let expected = literal(self.scope, value)?;
                return Ok(self.assert("assertEquals", vec![expected.doc, actual.expr.doc]));
            }
            _ => {}
        }
        let primitive = value.primitive().expect("other literals were handled above");
        match ty {
            Type::Primitive(p) if *p == primitive => self.primitive(actual.expr.doc, value),
            Type::Primitive(_) => Err(incomparable),
            Type::Class(class)
                if actual.certain
                    && primitive == Primitive::Boolean
                    && class.as_internal() == primitive.boxed() =>
            {
                self.primitive(actual.expr.doc, value)
            }
            _ => {
                let expected = literal(self.scope, value)?;
                let boxed = ty
                    .as_class()
                    .is_some_and(|class| Primitive::unboxed(class.as_internal()).is_some());
                let actual = if actual.certain {
                    actual.expr.doc
                } else {
                    actual.expr.cast(&Type::object()).doc
                };
                let expected = if boxed { expected.boxed() } else { expected };
                Ok(self.assert("assertEquals", vec![expected.doc, actual]))
            }
        }
    }

    /// A primitive value, or a `Boolean`.
    fn primitive(&mut self, actual: Doc, value: &Literal) -> Result<Doc, Rejection> {
        let widened = match value {
            Literal::Boolean(true) => return Ok(self.assert("assertTrue", vec![actual])),
            Literal::Boolean(false) => return Ok(self.assert("assertFalse", vec![actual])),
            // Compared as int (JUnit 5) or long (JUnit 4): no need for a cast.
            Literal::Byte(v) => Literal::Int((*v).into()),
            Literal::Short(v) => Literal::Int((*v).into()),
            other => other.clone(),
        };
        let mut args = vec![literal(self.scope, &widened)?.doc, actual];
        // JUnit 4 compares floating-point numbers only with a delta, JUnit 5 exactly without.
        args.extend(self.delta(value.primitive()));
        Ok(self.assert("assertEquals", args))
    }

    fn delta(&self, compared: Option<Primitive>) -> Option<Doc> {
        match (self.junit, compared) {
            (Junit::Four { .. }, Some(Primitive::Double)) => Some(Doc::text("0.0")),
            (Junit::Four { .. }, Some(Primitive::Float)) => Some(Doc::text("0.0f")),
            _ => None,
        }
    }

    fn class(&mut self, actual: Actual, class: Option<&Type>) -> Result<Doc, Rejection> {
        if class.is_none_or(|ty| self.scope.can_name(ty)) {
            let expected = literal(self.scope, &Literal::Class(class.cloned()))?;
            return Ok(self.assert("assertEquals", vec![expected.doc, actual.expr.doc]));
        }
        let name = class.map(|ty| match ty {
            Type::Array(_) => ty.descriptor().replace('/', "."),
            ty => ty.to_string(),
        });
        let expected =
            literal(self.scope, &Literal::String(name.unwrap_or_default().as_str().into()))?;
        let is_class =
            actual.certain && actual.expr.ty.erased() == Some(Type::class("java/lang/Class"));
        let class = if is_class {
            actual.expr.operand()
        } else {
            self.wildcard_cast("java/lang/Class", actual)
        };
        let name = Doc::Seq(vec![class, Doc::text(".getName()")]);
        Ok(self.assert("assertEquals", vec![expected.doc, name]))
    }

    fn enum_constant(
        &mut self,
        actual: Actual,
        class: &ClassName,
        constant: &str,
    ) -> Result<Doc, Rejection> {
        if let Some(expected) = self.constant(class, constant) {
            return Ok(self.assert("assertEquals", vec![expected, actual.expr.doc]));
        }
        let expected = literal(self.scope, &Literal::String(constant.into()))?;
        let value = self.wildcard_cast("java/lang/Enum", actual);
        let name = Doc::Seq(vec![value, Doc::text(".name()")]);
        Ok(self.assert("assertEquals", vec![expected.doc, name]))
    }

    /// A value as an expression: a literal or an enum constant.
    pub(crate) fn plain(&self, seen: &Observation) -> Result<Expr, Rejection> {
        match seen {
            Observation::Null => literal(self.scope, &Literal::Null),
            Observation::Value { value, .. } => literal(self.scope, value),
            Observation::Enum { class, constant } => {
                let ty = Type::Class(class.clone());
                let doc = self.constant(class, constant);
                let doc = doc.ok_or_else(|| Rejection::Incomparable { ty: ty.clone() })?;
                Ok(Expr::primary(doc, Static::raw(&ty)))
            }
            Observation::Nothing | Observation::Array { .. } | Observation::Object { .. } => {
                Err(Rejection::Incomparable { ty: Type::object() })
            }
        }
    }

    /// `Color.RED`, where that can be written.
    fn constant(&self, class: &ClassName, constant: &str) -> Option<Doc> {
        let mut class = self.scope.classes.class(class)?;
        // A constant with a body has a class of its own below the enum.
        let declares = |class: &Class| class.enum_constants().any(|f| &*f.name == constant);
        if class.kind != ClassKind::Enum || !declares(&class) {
            class = self.scope.classes.class(class.superclass.as_ref()?)?;
        }
        let usable = declares(&class)
            && is_identifier(constant)
            && self.scope.can_name(&Type::Class(class.name.clone()));
        usable.then(|| {
            Doc::Seq(vec![Doc::Class(class.name.clone()), Doc::text(format!(".{constant}"))])
        })
    }

    fn array(
        &mut self,
        actual: Actual,
        element: &Type,
        length: u32,
        elements: Option<&[Observation]>,
    ) -> Result<Doc, Rejection> {
        let ty = element.clone().array_of();
        let is_array = matches!(&actual.expr.ty, Static::Of(GenericType::Array(_)));
        let expected = match elements {
            Some(elements) => self.array_value(element, elements)?,
            None => None,
        };
        // What the actual value is cast to where its static type is no array.
        let nameable = self.scope.can_name(&ty);
        let seen_as =
            if nameable || !element.is_reference() { ty } else { Type::object().array_of() };
        let fits = actual.certain
            && is_array
            && actual.expr.ty.erased().is_some_and(|from| self.scope.is_subtype(&from, &seen_as));
        let Some(expected) = expected else {
            let array = if is_array {
                actual.expr.operand()
            } else {
                self.cast(actual, &seen_as).operand()
            };
            let actual = Doc::Seq(vec![array, Doc::text(".length")]);
            return Ok(self.assert("assertEquals", vec![Doc::text(length.to_string()), actual]));
        };
        let references = element.is_reference()
            && matches!(&actual.expr.ty, Static::Of(GenericType::Array(e))
                if !matches!(**e, GenericType::Primitive(_)));
        let actual =
            if fits || references { actual.expr.doc } else { self.cast(actual, &seen_as).doc };
        let mut args = vec![expected, actual];
        args.extend(self.delta(element.as_primitive()));
        Ok(self.assert("assertArrayEquals", args))
    }

    /// The array in source; `None` if an element cannot be written down.
    fn array_value(
        &self,
        element: &Type,
        elements: &[Observation],
    ) -> Result<Option<Doc>, Rejection> {
        let element = if self.scope.can_name(element) { element.clone() } else { Type::object() };
        Ok(self.array_elements(&element, elements)?.map(|docs| array_doc(&element, docs)))
    }

    fn array_elements(
        &self,
        element: &Type,
        elements: &[Observation],
    ) -> Result<Option<Vec<Doc>>, Rejection> {
        let mut docs = Vec::new();
        for seen in elements {
            let doc = match seen {
                Observation::Null => Some(Doc::text("null")),
                Observation::Value { value: Literal::Class(Some(ty)), .. }
                    if !self.scope.can_name(ty) =>
                {
                    None
                }
                Observation::Value { value, .. } => {
                    Some(as_element(element, literal(self.scope, value)?.doc))
                }
                Observation::Enum { class, constant } => self.constant(class, constant),
                Observation::Array { element: inner, elements: Some(elements), .. } => {
                    // `{{1}, {2}}`: an inner array of the declared type needs no type.
                    let declared = element.element() == Some(inner);
                    let named = |ty: &Type| {
                        if self.scope.can_name(ty) { ty.clone() } else { Type::object() }
                    };
                    self.array_elements(inner, elements)?.map(|docs| {
                        if declared { Doc::braces(docs) } else { array_doc(&named(inner), docs) }
                    })
                }
                Observation::Array { .. } | Observation::Object { .. } | Observation::Nothing => {
                    None
                }
            };
            match doc {
                Some(doc) => docs.push(doc),
                None => return Ok(None),
            }
        }
        Ok(Some(docs))
    }

    fn cast(&self, actual: Actual, to: &Type) -> Expr {
        let expr = call::castable(self.scope, actual.expr, actual.certain, to);
        expr.cast(to)
    }

    /// `((Enum<?>) value)`.
    fn wildcard_cast(&self, class: &str, actual: Actual) -> Doc {
        let to = Type::class(class);
        let value = call::castable(self.scope, actual.expr, actual.certain, &to);
        Doc::Seq(vec![
            Doc::text("(("),
            Doc::Class(ClassName::internal(class)),
            Doc::text("<?>) "),
            value.operand(),
            Doc::text(")"),
        ])
    }
}
