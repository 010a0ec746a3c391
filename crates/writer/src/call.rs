//! One operation as an expression that javac takes for exactly that operation.
//!
//! A call is tried in forms of rising clumsiness: as it stands, with explicit boxes, with one cast,
//! with all casts, and then on the receiver cast to a supertype. The first form that
//! [`crate::overload`] and [`crate::infer`] prove right is written. Casts go only to types the
//! value is known to have, so they never throw.

use std::sync::Arc;

use model::{
    Class, ClassName, GenericType, Hierarchy, Operation, OperationKind, Type, TypeArgument,
    is_identifier,
};

use crate::arguments::{Arranged, arrange};
use crate::doc::Doc;
use crate::field;
use crate::generics::{Scope, Static, Supertype, class_type, erase, has_variables, mentions, raw};
use crate::literal::{Binding, Expr, type_doc};
use crate::members::{Candidate, Site};
use crate::rejection::Rejection;
use crate::target::{result_alone, result_as};
use crate::temporary;

/// A value passed to an operation.
#[derive(Clone)]
pub(crate) struct Argument {
    /// How it is written.
    pub(crate) expr: Expr,
    /// The elements, if it is an array made in place.
    pub(crate) elements: Option<Vec<Expr>>,
}

/// What a test method must declare for a call.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub(crate) enum Throws {
    /// Nothing.
    #[default]
    Nothing,
    /// `throws Exception`.
    Exception,
    /// `throws Throwable`.
    Throwable,
}

/// An operation as an expression.
#[derive(Clone)]
pub(crate) struct Written {
    /// The expression; its type is the erased result, or `void` written as the type of `null`.
    pub(crate) expr: Expr,
    /// Whether the static type is certainly that: not one that javac infers from the context.
    pub(crate) certain: bool,
    /// Whether the static type is a generic class with arguments.
    pub(crate) parameterized: bool,
    /// The static type with its arguments, where it is known.
    pub(crate) generic: Option<GenericType>,
    /// The same where it stands in a cast, which says nothing of what it is wanted as.
    pub(crate) alone: Option<GenericType>,
    /// Whether it is of whichever type it is assigned to: javac infers that from nothing else.
    pub(crate) is_free: bool,
    /// What it may throw.
    pub(crate) throws: Throws,
    /// The exceptions it certainly declares.
    pub(crate) exceptions: Vec<ClassName>,
    /// The elements, if it makes an array.
    pub(crate) elements: Option<Vec<Expr>>,
}

impl Written {
    /// An expression that is certainly of its type, which has no arguments, and throws nothing.
    pub(crate) fn plain(expr: Expr) -> Self {
        Self {
            expr,
            certain: true,
            parameterized: false,
            generic: None,
            alone: None,
            is_free: false,
            throws: Throws::Nothing,
            exceptions: Vec::new(),
            elements: None,
        }
    }
}

/// What the result of an operation goes into.
#[derive(Clone, Copy)]
pub(crate) enum Goal<'a> {
    /// A variable with these type arguments, none if it is raw: an object of a generic class is made
    /// with them, and a generic method is called with what makes its result that.
    Typed(&'a [TypeArgument]),
    /// Nothing: javac is free to infer what it is.
    Nothing,
}

/// Writes an operation on its receiver (if any) and arguments.
pub(crate) fn write(
    scope: Scope,
    op: &Operation,
    args: &[Argument],
    goal: Goal,
) -> Result<Written, Rejection> {
    let type_args = match goal {
        Goal::Typed(type_args) => type_args,
        Goal::Nothing => &[],
    };
    match op.kind {
        OperationKind::Constructor => constructor(scope, op, args, goal),
        OperationKind::StaticMethod => static_method(scope, op, args, type_args),
        OperationKind::InstanceMethod => instance_method(scope, op, args, type_args),
        OperationKind::StaticField | OperationKind::InstanceField => field::read(scope, op, args),
        OperationKind::SetField => field::set(scope, op, args),
        OperationKind::Array => array(scope, op, args),
        // Its parameters need names: `implement` writes it.
        OperationKind::Implement | OperationKind::Inject => Err(no_member(op)),
        OperationKind::Temporary => temporary::write(scope, op, args),
    }
}

pub(crate) fn no_member(op: &Operation) -> Rejection {
    Rejection::NoMember { operation: op.to_string() }
}

pub(crate) fn unresolvable(op: &Operation) -> Rejection {
    Rejection::Unresolvable { operation: op.to_string() }
}

pub(crate) fn identifier(name: &str) -> Result<(), Rejection> {
    if is_identifier(name) {
        Ok(())
    } else {
        Err(Rejection::NotAnIdentifier { name: name.to_owned() })
    }
}

fn find(candidates: &[Candidate], params: &[Type], is_static: bool) -> Option<usize> {
    candidates.iter().position(|c| {
        c.declared.iter().any(|d| d == params) && c.method().access.is_static() == is_static
    })
}

/// Whether what is thrown is inferred by javac.
fn throws_variable(candidate: &Candidate) -> bool {
    let signature = candidate.method().signature.as_ref();
    signature.is_some_and(|s| s.exceptions.iter().any(|e| matches!(e, GenericType::Variable(_))))
}

/// The exceptions javac certainly takes a call to throw.
fn declared(candidate: &Candidate) -> Vec<ClassName> {
    if throws_variable(candidate) {
        return Vec::new();
    }
    candidate.method().exceptions.clone()
}

fn throws(scope: Scope, candidate: &Candidate) -> Throws {
    if throws_variable(candidate) {
        return Throws::Throwable;
    }
    let method = candidate.method();
    let exception = ClassName::internal("java/lang/Exception");
    let checked = method.exceptions.iter().filter(|e| scope.classes.is_checked_exception(e));
    checked
        .map(|e| {
            if scope.classes.is_subclass(e, &exception) {
                Throws::Exception
            } else {
                Throws::Throwable
            }
        })
        .max()
        .unwrap_or_default()
}

fn constructor(
    scope: Scope,
    op: &Operation,
    args: &[Argument],
    goal: Goal,
) -> Result<Written, Rejection> {
    let ty = Type::Class(op.owner.clone());
    scope.nameable(&ty)?;
    let class = scope.class(&op.owner)?;
    if !class.is_instantiable() {
        return Err(Rejection::NotInstantiable { operation: op.to_string() });
    }
    let type_args = match goal {
        Goal::Typed(type_args) => type_args,
        Goal::Nothing => &[],
    };
    let candidates = scope.constructors(&class, type_args);
    let outer = class.outer_instance().cloned();
    let skip = usize::from(outer.is_some());
    let params = op.params.get(skip..).ok_or_else(|| no_member(op))?;
    let intended = find(&candidates, params, false).ok_or_else(|| no_member(op))?;
    let given = arrange(scope, &candidates, intended, &args[skip..], params)
        .ok_or_else(|| unresolvable(op))?;
    let is_inferred = matches!(goal, Goal::Nothing)
        && outer.is_none()
        && is_inferred(scope, &class, args, params, &given);
    let head = match outer {
        None if type_args.is_empty() && !is_inferred => {
            Doc::Seq(vec![Doc::text("new "), Doc::Type(op.owner.clone())])
        }
        None => Doc::Seq(vec![Doc::text("new "), Doc::Class(op.owner.clone()), Doc::text("<>")]),
        Some(outer) => {
            let outer = Type::Class(outer);
            scope.nameable(&outer)?;
            let exact = args[0].expr.ty.erased().as_ref() == Some(&outer);
            let object = args[0].expr.clone();
            let object = if exact { object } else { object.cast(&outer) };
            let names = crate::imports::simple_names(scope.classes, &op.owner);
            let simple = names.last().expect("a class has a name");
            Doc::Seq(vec![object.operand(), Doc::text(format!(".new {simple}"))])
        }
    };
    Ok(Written {
        parameterized: !type_args.is_empty(),
        generic: Some(GenericType::Class { name: op.owner.clone(), args: type_args.to_vec() }),
        throws: throws(scope, &candidates[intended]),
        exceptions: declared(&candidates[intended]),
        ..Written::plain(Expr::primary(Doc::call(head, given.docs), Static::raw(&ty)))
    })
}

/// Whether javac infers the type arguments of `new C<>(…)` from what is given, as it stands with the
/// raw class.
fn is_inferred(
    scope: Scope,
    class: &Arc<Class>,
    args: &[Argument],
    params: &[Type],
    given: &Arranged,
) -> bool {
    if class.signature.as_ref().is_none_or(|signature| signature.params.is_empty()) {
        return false;
    }
    let candidates = scope.constructors_to_infer(class);
    let intended = find(&candidates, params, false);
    let inferred =
        intended.and_then(|intended| arrange(scope, &candidates, intended, args, params));
    let casts = |given: &Arranged| -> usize {
        given.docs.iter().map(|doc| doc.count_types(&|_| true)).sum()
    };
    inferred.is_some_and(|inferred| casts(&inferred) <= casts(given))
}

/// What a class on the spot passes to the constructor of the class it extends, and what that may
/// throw.
pub(crate) fn superclass(
    scope: Scope,
    op: &Operation,
    class: &Class,
    (args, params): (&[Argument], &[Type]),
    type_args: &[TypeArgument],
) -> Result<(Vec<Doc>, Throws, Vec<ClassName>), Rejection> {
    let candidates = scope.constructors_to_extend(&Arc::new(class.clone()), type_args);
    let intended = find(&candidates, params, false).ok_or_else(|| no_member(op))?;
    let given =
        arrange(scope, &candidates, intended, args, params).ok_or_else(|| unresolvable(op))?;
    Ok((given.docs, throws(scope, &candidates[intended]), declared(&candidates[intended])))
}

fn invocation(
    scope: Scope,
    candidate: &Candidate,
    head: Doc,
    given: Arranged,
    type_args: &[TypeArgument],
) -> Written {
    let (ty, certain) = match candidate.result() {
        Some((ty, certain)) => (Static::raw(&ty), certain),
        None => (Static::Null, true),
    };
    let parameterized =
        matches!(&candidate.result, Some(GenericType::Class { args, .. }) if !args.is_empty());
    let is_free = is_free(candidate);
    let known = candidate.result.clone().filter(|r| !has_variables(r));
    let generic = known.or_else(|| result_as(scope, candidate, &given, type_args));
    Written {
        certain,
        parameterized,
        generic,
        alone: result_alone(candidate),
        is_free,
        throws: throws(scope, candidate),
        exceptions: declared(candidate),
        ..Written::plain(Expr::primary(Doc::call(head, given.docs), ty))
    }
}

/// Whether the result is a type variable that may be any type, and that no argument tells.
fn is_free(candidate: &Candidate) -> bool {
    let Some(GenericType::Variable(name)) = &candidate.result else { return false };
    let is_any = |bound: &GenericType| *bound == class_type("java/lang/Object");
    candidate.type_params.iter().any(|p| p.name == *name && p.bounds.iter().all(is_any))
        && !candidate.formals.iter().any(|formal| mentions(formal, name))
}

fn static_method(
    scope: Scope,
    op: &Operation,
    args: &[Argument],
    type_args: &[TypeArgument],
) -> Result<Written, Rejection> {
    identifier(&op.name)?;
    let mut owner = op.owner.clone();
    let mut candidates = scope.methods(&Site::Class(&owner), &op.name);
    if find(&candidates, &op.params, true).is_none() {
        // Static methods of interfaces are called on the interface that declares them.
        let declaring = scope.classes.supertypes(&owner).into_iter().find(|class| {
            class.is_interface() && class.method(&op.name, &op.descriptor()).is_some()
        });
        owner = declaring.ok_or_else(|| no_member(op))?.name.clone();
        candidates = scope.methods(&Site::Class(&owner), &op.name);
    }
    scope.nameable(&Type::Class(owner.clone()))?;
    let intended = find(&candidates, &op.params, true).ok_or_else(|| no_member(op))?;
    let given =
        arrange(scope, &candidates, intended, args, &op.params).ok_or_else(|| unresolvable(op))?;
    let head = Doc::Seq(vec![Doc::Class(owner), Doc::text(format!(".{}", op.name))]);
    Ok(invocation(scope, &candidates[intended], head, given, type_args))
}

fn instance_method(
    scope: Scope,
    op: &Operation,
    args: &[Argument],
    type_args: &[TypeArgument],
) -> Result<Written, Rejection> {
    identifier(&op.name)?;
    let mut known = false;
    for receiver in receivers(scope, op, &args[0].expr) {
        let Static::Of(ty) = &receiver.ty else { continue };
        if !scope.can_name(&erase(ty, &[])) {
            continue;
        }
        let candidates = scope.methods(&Site::Object(ty), &op.name);
        let Some(intended) = find(&candidates, op.arguments(), false) else { continue };
        known = true;
        let Some(given) = arrange(scope, &candidates, intended, &args[1..], op.arguments()) else {
            continue;
        };
        let name = Doc::text(format!(".{}", op.name));
        let head = Doc::Seq(vec![receiver.operand(), name]);
        return Ok(invocation(scope, &candidates[intended], head, given, type_args));
    }
    scope.nameable(&Type::Class(op.owner.clone()))?;
    Err(if known { unresolvable(op) } else { no_member(op) })
}

/// The receiver as it stands, cast to the operation's owner, and to what the owner inherits the
/// method from.
fn receivers(scope: Scope, op: &Operation, receiver: &Expr) -> Vec<Expr> {
    let mut forms = vec![receiver.clone().boxed()];
    for class in scope.classes.supertypes(&op.owner) {
        let declares = class.methods.iter().any(|m| {
            m.name == op.name
                && !m.access.is_synthetic()
                && m.params.iter().map(|p| &p.ty).eq(op.arguments())
        });
        let ty = Type::Class(class.name.clone());
        if (declares || class.name == op.owner) && scope.can_name(&ty) {
            forms.push(receiver.clone().cast(&ty));
        }
    }
    forms
}

fn array(scope: Scope, op: &Operation, args: &[Argument]) -> Result<Written, Rejection> {
    let ty = op.result.as_ref().ok_or_else(|| no_member(op))?;
    let element = ty.element().ok_or_else(|| no_member(op))?;
    scope.nameable(ty)?;
    let elements: Vec<Expr> =
        args.iter().map(|a| assigned(scope, a.expr.clone(), element)).collect();
    let docs = args
        .iter()
        .zip(&elements)
        .map(|(arg, expr)| match &arg.elements {
            // `{{1}, {2}}`: the inner array needs no type of its own.
            Some(inner) if arg.expr.ty.erased().as_ref() == Some(element) && !inner.is_empty() => {
                let of = element.element().unwrap_or(element);
                Doc::braces(inner.iter().map(|e| as_element(of, e.doc.clone())).collect())
            }
            _ => as_element(element, expr.doc.clone()),
        })
        .collect();
    let expr = Expr::primary(array_doc(element, docs), Static::Of(raw(ty)));
    Ok(Written { elements: Some(elements), ..Written::plain(expr) })
}

/// A value as an element of an array of its type: there a number needs no cast to be a `byte` or
/// `short` (JLS §5.2).
pub(crate) fn as_element(element: &Type, doc: Doc) -> Doc {
    let Doc::Text(text) = &doc else { return doc };
    if element.is_reference() {
        return doc;
    }
    let number = text.strip_prefix("(byte) ").or_else(|| text.strip_prefix("(short) "));
    match number.filter(|number| number.parse::<i16>().is_ok()) {
        Some(number) => Doc::text(number),
        None => doc,
    }
}

/// `new E[] {a, b}`, or `new E[0]`.
pub(crate) fn array_doc(element: &Type, elements: Vec<Doc>) -> Doc {
    let mut dimensions = String::new();
    let mut inner = element;
    while let Type::Array(element) = inner {
        dimensions.push_str("[]");
        inner = element;
    }
    let count = if elements.is_empty() { "[0]" } else { "[]" };
    let head = vec![Doc::text("new "), type_doc(inner), Doc::text(format!("{count}{dimensions}"))];
    if elements.is_empty() {
        return Doc::Seq(head);
    }
    let mut doc = head;
    doc.push(Doc::text(" "));
    doc.push(Doc::braces(elements));
    Doc::Seq(doc)
}

/// The value where a variable or array element of the type is assigned: cast if needed.
pub(crate) fn assigned(scope: Scope, expr: Expr, to: &Type) -> Expr {
    let Some(from) = expr.ty.boxed().erased() else { return expr };
    if matches!(expr.ty, Static::Lambda(_)) && from != *to {
        return expr.cast(&from);
    }
    let fits = match to {
        Type::Primitive(_) => expr.ty == Static::raw(to),
        to => scope.is_subtype(&from, to),
    };
    if fits { expr } else { expr.cast(to) }
}

/// The result of a call as what a variable of type `to` is set to, cast if it is not one already.
pub(crate) fn converted(scope: Scope, written: Written, to: &Type) -> Expr {
    let Some(from) = written.expr.ty.erased() else { return written.expr };
    if matches!(written.expr.ty, Static::Lambda(_)) && from != *to {
        let expr = written.expr.cast(&from);
        return if scope.is_subtype(&from, to) { expr } else { expr.cast(to) };
    }
    let fits = match (&from, to) {
        (Type::Primitive(a), Type::Primitive(b)) => crate::generics::widens(*a, *b),
        (Type::Primitive(a), to) => scope.is_subtype(&Type::class(a.boxed()), to),
        (from, to) => from == to || scope.is_subtype(from, to),
    };
    if fits || written.is_free && to.is_reference() {
        return written.expr;
    }
    let is_plain = to.innermost().as_class().is_some_and(|class| !scope.is_generic(class));
    let related = written.certain
        && (!(written.parameterized && is_plain) || is_kind_of(scope, to, written.alone.as_ref()));
    let expr = castable(scope, written.expr, related, to);
    let doc = Doc::Seq(vec![
        Doc::text("("),
        type_doc(to),
        Doc::text(") "),
        match expr.binding {
            // A cast of a cast reads from the right and needs no parentheses.
            Binding::Operator if from.is_reference() => expr.doc,
            _ => expr.operand(),
        },
    ]);
    Expr { doc, binding: Binding::Operator, ty: Static::raw(to) }
}

/// Whether a class that is not generic is certainly a subtype of a type with its arguments.
fn is_kind_of(scope: Scope, class: &Type, of: Option<&GenericType>) -> bool {
    let (Type::Class(class), Some(GenericType::Class { name, args })) = (class, of) else {
        return false;
    };
    scope.supertype(class, &[], name) == Some(Supertype::Args(args.clone()))
}

/// The value such that it can be cast to the type: javac refuses a cast between types it knows to
/// be distinct, which generic code may have let slip through. `Object` is in between of all types.
pub(crate) fn castable(scope: Scope, expr: Expr, certain: bool, to: &Type) -> Expr {
    match expr.ty.erased() {
        Some(from) if from.is_reference() && !(certain && scope.is_subtype(to, &from)) => {
            expr.cast(&Type::object())
        }
        _ => expr,
    }
}
