//! Whether a body visibly changes nothing but what it may.
//!
//! A quick look at its syntax: assignments to local variables and to fields that may change, calls
//! of what is known to be pure. Anything else is for a snapshot to find out. Invariant: `true` only
//! if no assignment in the body itself, and no call but trusted ones, can break the clause.

use std::collections::HashSet;

use tree_sitter::Node;

use super::names::simple;
use super::program::{Program, TypeId};
use crate::java::JavaModifier;
use crate::java::tree::JavaTree;
use crate::span::Span;

/// What a body may change.
#[derive(Debug, Default)]
pub(super) struct Allowed {
    /// Fields of `this`, and static ones.
    pub fields: HashSet<String>,
    /// Fields of `this` with arrays all elements of which may change.
    pub elements: HashSet<String>,
    /// Whether all fields of `this` may change.
    pub all_fields: bool,
    /// Whether `this` is new.
    pub new_object: bool,
    /// Parameters.
    pub locals: HashSet<String>,
}

/// Methods of the JDK that change nothing, by their names.
const HARMLESS: &[&str] = &[
    "abs",
    "apply",
    "asList",
    "charAt",
    "compare",
    "compareTo",
    "concat",
    "contains",
    "containsKey",
    "containsValue",
    "copyOf",
    "copyOfRange",
    "doubleValue",
    "endsWith",
    "equals",
    "equalsIgnoreCase",
    "floor",
    "floorDiv",
    "floorMod",
    "format",
    "get",
    "getClass",
    "getKey",
    "getOrDefault",
    "getValue",
    "hash",
    "hashCode",
    "indexOf",
    "intValue",
    "isBlank",
    "isEmpty",
    "isPresent",
    "keySet",
    "lastIndexOf",
    "length",
    "longValue",
    "max",
    "min",
    "name",
    "of",
    "ordinal",
    "parseInt",
    "parseLong",
    "pow",
    "requireNonNull",
    "round",
    "size",
    "sqrt",
    "startsWith",
    "strip",
    "substring",
    "toLowerCase",
    "toString",
    "toUpperCase",
    "trim",
    "valueOf",
    "values",
];

/// Whether a body stays within what is allowed. Calls of what is not known are trusted if `trusting`.
pub(super) fn stays_within(
    program: &Program<'_>,
    tree: &JavaTree<'_>,
    ty: TypeId,
    body: Span,
    allowed: &Allowed,
    trusting: bool,
) -> bool {
    let mut look = Look { program, tree, ty, allowed, trusting, locals: allowed.locals.clone() };
    let mut nodes = Vec::new();
    let mut cursor = tree.root().walk();
    'walk: loop {
        let node = cursor.node();
        let span = tree.span(node);
        let outside = span.end <= body.start || span.start >= body.end;
        if body.contains(span) {
            nodes.push(node);
        }
        if outside || !cursor.goto_first_child() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    break 'walk;
                }
            }
        }
    }
    if nodes.is_empty() || nodes.iter().any(|node| node.is_error()) {
        return false;
    }
    nodes.iter().for_each(|node| look.declare(*node));
    nodes.iter().all(|node| look.is_harmless(*node))
}

struct Look<'l, 'p, 't> {
    program: &'l Program<'p>,
    tree: &'l JavaTree<'t>,
    ty: TypeId,
    allowed: &'l Allowed,
    trusting: bool,
    locals: HashSet<String>,
}

impl Look<'_, '_, '_> {
    fn declare(&mut self, node: Node<'_>) {
        let name = match node.kind() {
            "variable_declarator"
            | "enhanced_for_statement"
            | "catch_formal_parameter"
            | "formal_parameter"
            | "resource" => node.child_by_field_name("name"),
            _ => None,
        };
        if let Some(name) = name {
            self.locals.insert(self.tree.of(name).to_owned());
        }
    }

    fn is_harmless(&self, node: Node<'_>) -> bool {
        match node.kind() {
            "assignment_expression" => {
                node.child_by_field_name("left").is_some_and(|left| self.may_assign(left))
            }
            "update_expression" => {
                let operand = (0..node.child_count() as u32)
                    .filter_map(|at| node.child(at))
                    .find(|child| child.is_named());
                operand.is_some_and(|operand| self.may_assign(operand))
            }
            "method_invocation" => {
                let name = node.child_by_field_name("name").map_or("", |name| self.tree.of(name));
                self.trusting || self.may_call(name)
            }
            "object_creation_expression" => {
                let made = node.child_by_field_name("type").map_or("", |ty| self.tree.of(ty));
                self.trusting || self.may_make(&simple(made))
            }
            "explicit_constructor_invocation" => {
                self.trusting || self.tree.of(node).starts_with("super()")
            }
            _ => true,
        }
    }

    fn may_assign(&self, place: Node<'_>) -> bool {
        match place.kind() {
            "identifier" => {
                let name = self.tree.of(place);
                self.locals.contains(name) || self.may_set(name)
            }
            "field_access" => {
                let object = place.child_by_field_name("object");
                let field = place.child_by_field_name("field").map_or("", |f| self.tree.of(f));
                object.is_some_and(|object| object.kind() == "this") && self.may_set(field)
            }
            "array_access" => place.child_by_field_name("array").is_some_and(|array| {
                let text = self.tree.of(array);
                let name = text.strip_prefix("this.").unwrap_or(text);
                self.allowed.elements.contains(name) && !self.locals.contains(name)
            }),
            "parenthesized_expression" => {
                place.named_child(0).is_some_and(|inner| self.may_assign(inner))
            }
            _ => false,
        }
    }

    fn may_set(&self, name: &str) -> bool {
        if self.allowed.fields.contains(name) || self.allowed.all_fields {
            return true;
        }
        let types = std::iter::once(self.ty).chain(self.program.ancestors(self.ty));
        let mut declared = types.filter_map(|ty| {
            self.program.types[ty].decl.fields.iter().find(|field| field.name.text == name)
        });
        self.allowed.new_object
            && declared.next().is_some_and(|field| !field.modifiers.has(JavaModifier::Static))
    }

    fn may_call(&self, name: &str) -> bool {
        let mut declared = self
            .program
            .types
            .iter()
            .flat_map(|ty| ty.decl.methods.iter().map(move |method| (ty, method)))
            .filter(|(_, method)| method.name.text == name)
            .peekable();
        if declared.peek().is_none() {
            return HARMLESS.contains(&name);
        }
        declared.all(|(ty, method)| method.modifiers.is_pure() || ty.decl.modifiers.is_pure())
    }

    fn may_make(&self, name: &str) -> bool {
        let mut declared = self.program.types.iter().filter(|ty| ty.decl.name.text == name);
        declared.all(|ty| {
            ty.decl.modifiers.is_pure()
                || ty
                    .decl
                    .methods
                    .iter()
                    .filter(|method| method.return_type.is_none())
                    .all(|method| method.modifiers.is_pure())
        })
    }
}
