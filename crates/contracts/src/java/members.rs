//! The members of a type: fields, methods, constructors, initializers, and their modifiers.

use tree_sitter::Node;

use crate::jml::ast::{Code, FieldSpec, MethodSpec, TypeText};
use crate::jml::{java_modifier, jml_annotation};
use crate::span::Span;

use super::extract::Extract;
use super::{
    Annotation, ExplicitCall, Field, Initializer, Method, MethodKind, Modifiers, Origin, Param,
    TypeDecl, TypePlace,
};

/// Whether a node of this kind declares a type.
pub(super) fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "class_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "annotation_type_declaration"
    )
}

impl Extract<'_, '_> {
    pub fn members(&mut self, ty: &mut TypeDecl, body: Node<'_>) {
        let mut cursor = body.walk();
        for node in body.children(&mut cursor) {
            match node.kind() {
                "enum_constant" => self.enum_constant(ty, node),
                "enum_body_declarations" => self.members(ty, node),
                "field_declaration" | "constant_declaration" => self.fields(ty, node),
                "method_declaration" | "annotation_type_element_declaration" => {
                    self.method(ty, node, MethodKind::Method);
                }
                "constructor_declaration" => self.method(ty, node, MethodKind::Constructor),
                "compact_constructor_declaration" => {
                    self.method(ty, node, MethodKind::CompactConstructor);
                }
                "block" | "static_initializer" => self.initializer(ty, node),
                kind if is_type(kind) => {
                    ty.types.extend(self.type_decl(node, TypePlace::Member));
                }
                _ => {}
            }
        }
    }

    fn fields(&mut self, ty: &mut TypeDecl, node: Node<'_>) {
        let span = self.tree.span(node);
        let modifiers = self.modifiers(node);
        let text = self.field_text(node, "type").unwrap_or(TypeText { text: String::new(), span });
        let mut cursor = node.walk();
        for declarator in node.children_by_field_name("declarator", &mut cursor) {
            let value = declarator.child_by_field_name("value");
            ty.fields.push(Field {
                origin: Origin::Java,
                name: self.name(declarator.child_by_field_name("name"), span),
                ty: self.with_dimensions(&text, declarator),
                span,
                modifiers: modifiers.clone(),
                initializer: value.map(|value| self.tree.span(value)),
                value: None,
                spec: FieldSpec::default(),
            });
            if let Some(value) = value {
                self.locals(ty, value);
            }
        }
    }

    /// `text` with the brackets that stand behind the name in `node`.
    fn with_dimensions(&self, text: &TypeText, node: Node<'_>) -> TypeText {
        let mut text = text.clone();
        if let Some(dimensions) = node.child_by_field_name("dimensions") {
            text.text.push_str(&self.type_text(dimensions).text);
        }
        text
    }

    fn method(&mut self, ty: &mut TypeDecl, node: Node<'_>, kind: MethodKind) {
        let span = self.tree.span(node);
        let parameters = node.child_by_field_name("parameters");
        let body = node.child_by_field_name("body");
        let mut cursor = node.walk();
        let throws = node.children(&mut cursor).find(|child| child.kind() == "throws");
        let name = self.name(node.child_by_field_name("name"), span);
        let behind_name = Span::new(span.file, name.span.end, name.span.end);
        ty.methods.push(Method {
            origin: Origin::Java,
            kind,
            name,
            span,
            modifiers: self.modifiers(node),
            type_parameters: self.field_text(node, "type_parameters"),
            return_type: self
                .field_text(node, "type")
                .map(|text| self.with_dimensions(&text, node)),
            params: parameters.map(|parameters| self.params(parameters)).unwrap_or_default(),
            params_span: parameters.map_or(behind_name, |parameters| self.tree.span(parameters)),
            throws: throws.map(|throws| self.thrown(throws)).unwrap_or_default(),
            body: body.map(|body| self.tree.span(body)),
            code: None,
            explicit_call: body.and_then(|body| self.explicit_call(body)),
            spec: MethodSpec::default(),
            statements: Vec::new(),
            loops: Vec::new(),
        });
        if let Some(body) = body {
            self.locals(ty, body);
        }
    }

    fn thrown(&self, node: Node<'_>) -> Vec<TypeText> {
        let mut cursor = node.walk();
        let types = node.named_children(&mut cursor).filter(|node| !node.is_extra());
        types.map(|ty| self.type_text(ty)).collect()
    }

    fn explicit_call(&self, body: Node<'_>) -> Option<ExplicitCall> {
        let mut cursor = body.walk();
        let call = body
            .named_children(&mut cursor)
            .find(|child| child.kind() == "explicit_constructor_invocation")?;
        let arguments = call.child_by_field_name("arguments")?;
        let mut cursor = arguments.walk();
        let first = arguments.named_children(&mut cursor).find(|node| !node.is_extra());
        Some(ExplicitCall {
            span: self.tree.span(call),
            this: call.child_by_field_name("constructor").is_some_and(|node| node.kind() == "this"),
            arguments: self.tree.span(arguments),
            first: first.map(|first| self.tree.span(first)),
        })
    }

    fn initializer(&mut self, ty: &mut TypeDecl, node: Node<'_>) {
        let is_static = node.kind() == "static_initializer";
        let mut cursor = node.walk();
        let block = if is_static {
            node.named_children(&mut cursor).find(|child| child.kind() == "block").unwrap_or(node)
        } else {
            node
        };
        ty.initializers.push(Initializer {
            is_static,
            span: self.tree.span(node),
            body: self.tree.span(block),
            spec: MethodSpec::default(),
            statements: Vec::new(),
            loops: Vec::new(),
        });
        self.locals(ty, block);
    }

    pub fn params(&self, node: Node<'_>) -> Vec<Param> {
        let mut params = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            let span = self.tree.span(child);
            let none = TypeText { text: String::new(), span };
            let ty = self.field_text(child, "type").unwrap_or(none);
            match child.kind() {
                "formal_parameter" => params.push(Param {
                    span,
                    modifiers: self.modifiers(child),
                    ty: self.with_dimensions(&ty, child),
                    name: self.name(child.child_by_field_name("name"), span),
                    varargs: false,
                }),
                "spread_parameter" => {
                    let mut cursor = child.walk();
                    let declarator = child
                        .named_children(&mut cursor)
                        .find(|node| node.kind() == "variable_declarator");
                    let name = declarator.and_then(|node| node.child_by_field_name("name"));
                    params.push(Param {
                        span,
                        modifiers: self.modifiers(child),
                        ty,
                        name: self.name(name, span),
                        varargs: true,
                    });
                }
                _ => {}
            }
        }
        params
    }

    pub fn modifiers(&self, node: Node<'_>) -> Modifiers {
        let mut modifiers = Modifiers::default();
        let mut cursor = node.walk();
        let found = node.children(&mut cursor).find(|child| child.kind() == "modifiers");
        let Some(found) = found else { return modifiers };
        let mut cursor = found.walk();
        for child in found.children(&mut cursor) {
            let span = self.tree.span(child);
            if !matches!(child.kind(), "annotation" | "marker_annotation") {
                if let Some(modifier) = java_modifier(self.tree.of(child)) {
                    modifiers.java.push((modifier, span));
                }
                continue;
            }
            let name = self.field_text(child, "name").map(|text| text.text).unwrap_or_default();
            if let Some(modifier) = jml_annotation(&name) {
                modifiers.jml.push((modifier, span));
            }
            let arguments = child.child_by_field_name("arguments").map(|arguments| {
                let span = self.tree.span(arguments);
                let (start, end) = (span.start + 1, span.end.saturating_sub(1));
                let span = Span::new(span.file, start, end);
                Code { text: self.tree.slice(span).to_owned(), span }
            });
            modifiers.annotations.push(Annotation { span, name, arguments });
        }
        modifiers
    }
}
