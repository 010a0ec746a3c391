//! Whether a body visibly changes nothing but what it may.
//!
//! A look at its syntax: assignments to variables, to what is new and to fields that may change;
//! calls of what is known to change nothing ([`calls`]), through bodies in the sources. Anything
//! else is for a snapshot to find out.
//!
//! Invariant: `true` only if whatever the body runs can be judged and stays within what is allowed;
//! methods declared `pure` are judged where they are declared.

mod calls;
mod jdk;
mod scope;

use std::collections::{BTreeSet, HashMap, HashSet};

use tree_sitter::Node;

pub(super) use self::calls::Callee;
use super::program::TypeId;
use super::weaver::Weaver;
use crate::java::tree::JavaTree;
use crate::java::{JavaModifier, MethodKind, TypeKind};
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
    pub locals: HashMap<String, String>,
    /// Fields of what parameters hold.
    pub of_locals: HashMap<String, HashSet<String>>,
}

/// What is known of code: what it calls, or `None` if it may change anything.
pub(super) type Judged = Option<BTreeSet<Callee>>;

/// What was found out about methods and new objects.
pub(super) type Known = HashMap<Callee, Judged>;

/// A look at one body.
struct Look<'l, 'p, 'a> {
    weaver: &'l Weaver<'p, 'a>,
    tree: &'l JavaTree<'a>,
    ty: TypeId,
    code: Span,
    allowed: &'l Allowed,
    /// The nodes of the code, in order.
    nodes: Vec<Node<'l>>,
}

impl<'a> Weaver<'_, 'a> {
    /// Whether code of a type stays within what is allowed.
    pub(super) fn stays_within(&self, ty: TypeId, code: Span, allowed: &Allowed) -> bool {
        self.judge(ty, code, allowed).is_some_and(|called| self.change_nothing(called))
    }

    /// Whether making an object of a type changes nothing before the body of a constructor: its
    /// fields' values, its initializers, and what it extends.
    pub(super) fn begins_harmlessly(&self, ty: TypeId, allowed: &Allowed) -> bool {
        self.judge_beginning(ty, allowed).is_some_and(|called| self.change_nothing(called))
    }

    fn change_nothing(&self, called: BTreeSet<Callee>) -> bool {
        let mut seen: BTreeSet<Callee> = BTreeSet::new();
        let mut todo: Vec<Callee> = called.into_iter().collect();
        while let Some(callee) = todo.pop() {
            if !seen.insert(callee) {
                continue;
            }
            let known = self.harmless.borrow().get(&callee).cloned();
            let judged = known.unwrap_or_else(|| {
                let judged = self.judge_callee(callee);
                self.harmless.borrow_mut().insert(callee, judged.clone());
                judged
            });
            match judged {
                Some(more) => todo.extend(more),
                None => return false,
            }
        }
        true
    }

    fn judge_callee(&self, callee: Callee) -> Judged {
        match callee {
            Callee::Method(ty, at) => {
                let decl = self.program.types[ty].decl;
                let method = &decl.methods[at];
                if method.modifiers.is_pure() || decl.modifiers.is_pure() {
                    return Some(BTreeSet::new());
                }
                let locals = self.locals(ty, at);
                self.judge(ty, method.body?, &Allowed { locals, ..Allowed::default() })
            }
            Callee::Made(ty) => {
                let new = Allowed { new_object: true, ..Allowed::default() };
                let mut called = self.judge_beginning(ty, &new)?;
                let decl = self.program.types[ty].decl;
                for (at, method) in decl.methods.iter().enumerate() {
                    if method.kind != MethodKind::Method {
                        let locals = self.locals(ty, at);
                        let allowed = Allowed { locals, new_object: true, ..Allowed::default() };
                        called.extend(self.judge(ty, method.body?, &allowed)?);
                    }
                }
                Some(called)
            }
        }
    }

    /// What runs before the body of a constructor that calls no other of its class.
    fn judge_beginning(&self, ty: TypeId, allowed: &Allowed) -> Judged {
        let program = self.program;
        let decl = program.types[ty].decl;
        let mut called = BTreeSet::new();
        let values = decl.fields.iter().filter(|f| !f.modifiers.has(JavaModifier::Static));
        let blocks = decl.initializers.iter().filter(|block| !block.is_static);
        let values = values.filter_map(|field| field.initializer);
        for code in values.chain(blocks.map(|block| block.body)) {
            called.extend(self.judge(ty, code, allowed)?);
        }
        for one in &program.types[ty].supers {
            match one.source {
                Some(source) if program.is_interface(source) => {}
                Some(source) => drop(called.insert(Callee::Made(source))),
                None => {
                    let extends = decl.kind == TypeKind::Class
                        && decl
                            .extends
                            .iter()
                            .any(|text| super::names::erased(&text.text) == one.name);
                    if extends && !jdk::makes_quietly(&one.name) {
                        return None;
                    }
                }
            }
        }
        Some(called)
    }

    /// The parameters of a method with their types.
    pub(super) fn locals(&self, ty: TypeId, at: usize) -> HashMap<String, String> {
        let method = &self.program.types[ty].decl.methods[at];
        let params = self.params(ty, method).iter();
        params
            .map(|param| {
                let dots = if param.varargs { "[]" } else { "" };
                (param.name.text.clone(), format!("{}{dots}", param.ty.text))
            })
            .collect()
    }

    fn judge(&self, ty: TypeId, code: Span, allowed: &Allowed) -> Judged {
        let tree = self.tree(ty)?;
        let nodes = nodes_in(tree, code);
        if nodes.is_empty() || nodes.iter().any(|node| node.is_error()) {
            return None;
        }
        let look = Look { weaver: self, tree, ty, code, allowed, nodes };
        let mut called = BTreeSet::new();
        for node in &look.nodes {
            called.extend(look.judge(*node)?);
        }
        Some(called)
    }
}

fn nodes_in<'t>(tree: &'t JavaTree<'_>, code: Span) -> Vec<Node<'t>> {
    let mut nodes = Vec::new();
    let mut cursor = tree.root().walk();
    loop {
        let node = cursor.node();
        let span = tree.span(node);
        let outside = span.end <= code.start || span.start >= code.end;
        if code.contains(span) {
            nodes.push(node);
        }
        if outside || !cursor.goto_first_child() {
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return nodes;
                }
            }
        }
    }
}

impl<'l> Look<'l, '_, '_> {
    fn of(&self, node: Node<'_>) -> &'l str {
        self.tree.of(node)
    }

    fn judge(&self, node: Node<'l>) -> Judged {
        let harmless = |is: bool| is.then(BTreeSet::new);
        match node.kind() {
            "assignment_expression" => {
                harmless(node.child_by_field_name("left").is_some_and(|left| self.may_assign(left)))
            }
            "update_expression" => {
                let operand = node.named_child(0);
                harmless(operand.is_some_and(|operand| self.may_assign(operand)))
            }
            "method_invocation" => self.call(node),
            "object_creation_expression" => self.made(node),
            "explicit_constructor_invocation" => self.explicit_call(node),
            // What they do is said elsewhere.
            "method_reference" | "resource" => None,
            _ => harmless(true),
        }
    }

    fn may_assign(&self, place: Node<'l>) -> bool {
        match place.kind() {
            "identifier" => {
                let name = self.of(place);
                match self.resolve(place, name) {
                    scope::Meaning::Variable { .. } => true,
                    scope::Meaning::Unknown => false,
                    scope::Meaning::Member => self.may_set(name),
                }
            }
            "field_access" => {
                let Some(object) = place.child_by_field_name("object") else { return false };
                let field = place.child_by_field_name("field").map_or("", |f| self.of(f));
                match object.kind() {
                    "this" => !self.is_in_a_class(place) && self.may_set(field),
                    "identifier" => {
                        let of = self.fields_of_parameter(object);
                        self.is_new(object) || of.is_some_and(|fields| fields.contains(field))
                    }
                    _ => false,
                }
            }
            "array_access" => place.child_by_field_name("array").is_some_and(|array| {
                if array.kind() == "identifier" && self.is_new(array) {
                    return true;
                }
                let text = self.of(array);
                let name = text.strip_prefix("this.").unwrap_or(text);
                let is_member =
                    text != name || matches!(self.resolve(array, name), scope::Meaning::Member);
                self.allowed.elements.contains(name)
                    && is_member
                    && !self.is_in_a_class(place)
                    && !self.is_assigned(name)
            }),
            "parenthesized_expression" => {
                place.named_child(0).is_some_and(|inner| self.may_assign(inner))
            }
            _ => false,
        }
    }

    /// The fields that may change of what a parameter holds that is never assigned.
    fn fields_of_parameter(&self, object: Node<'l>) -> Option<&'l HashSet<String>> {
        let name = self.of(object);
        let scope::Meaning::Variable { value: None, .. } = self.resolve(object, name) else {
            return None;
        };
        self.allowed.of_locals.get(name).filter(|_| !self.is_assigned(name))
    }

    fn may_set(&self, name: &str) -> bool {
        let program = self.weaver.program;
        let types = std::iter::once(self.ty).chain(program.ancestors(self.ty).iter().copied());
        let mut declared = types.flat_map(|ty| {
            let fields = program.types[ty].decl.fields.iter();
            fields.filter(|field| field.name.text == name)
        });
        let Some(field) = declared.next() else {
            return self.allowed.fields.contains(name) && self.is_component(name);
        };
        // One that hides another may not be the one that is meant.
        let hides = declared.next().is_some();
        let of_object = !field.modifiers.has(JavaModifier::Static);
        self.allowed.fields.contains(name) && !hides
            || of_object && (self.allowed.all_fields || self.allowed.new_object)
    }

    fn is_component(&self, name: &str) -> bool {
        let components = &self.weaver.program.types[self.ty].decl.components;
        components.iter().any(|component| component.name.text == name)
    }

    /// Whether a variable of this name is assigned anywhere in the code after its declaration.
    fn is_assigned(&self, name: &str) -> bool {
        self.nodes.iter().any(|node| {
            let assigned = match node.kind() {
                "assignment_expression" => node.child_by_field_name("left"),
                _ => None,
            };
            assigned.is_some_and(|left| {
                let text = self.of(left);
                text == name || text.strip_prefix("this.") == Some(name)
            })
        })
    }
}
