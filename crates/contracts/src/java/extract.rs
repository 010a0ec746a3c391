//! A syntax tree → the declarations in it.
//!
//! Walks over bodies are loops, not recursion: expressions may nest as deep as they like. Only types
//! in types recurse, and only so deep.

use tree_sitter::Node;

use crate::jml::ast::{Name, TypeSpec, TypeText};
use crate::span::Span;

use super::members::is_type;
use super::tree::JavaTree;
use super::{EnumConstant, Import, TypeDecl, TypeKind, TypePlace};

/// How deep types may nest. Deeper ones are left out.
const MAX_TYPES: usize = 40;

/// The package, imports and types of a file.
#[derive(Default)]
pub(crate) struct Outline {
    pub package: Option<Name>,
    pub imports: Vec<Import>,
    pub types: Vec<TypeDecl>,
    /// Types that nest too deeply.
    pub omitted: Vec<Span>,
}

/// The outline of `tree`.
pub(crate) fn outline(tree: &JavaTree<'_>) -> Outline {
    let mut extract = Extract { tree, depth: 0, omitted: Vec::new() };
    let mut outline = Outline::default();
    let root = tree.root();
    let mut cursor = root.walk();
    for node in root.children(&mut cursor) {
        match node.kind() {
            "package_declaration" => outline.package = extract.package(node),
            "import_declaration" => outline.imports.push(extract.import(node)),
            kind if is_type(kind) => {
                outline.types.extend(extract.type_decl(node, TypePlace::TopLevel));
            }
            _ => {}
        }
    }
    outline.omitted = extract.omitted;
    outline
}

pub(super) struct Extract<'a, 't> {
    pub tree: &'a JavaTree<'t>,
    depth: usize,
    omitted: Vec<Span>,
}

impl Extract<'_, '_> {
    fn package(&self, node: Node<'_>) -> Option<Name> {
        let mut cursor = node.walk();
        let name = node
            .named_children(&mut cursor)
            .find(|child| matches!(child.kind(), "identifier" | "scoped_identifier"))?;
        Some(Name { text: self.type_text(name).text, span: self.tree.span(name) })
    }

    fn import(&self, node: Node<'_>) -> Import {
        let mut import = Import {
            span: self.tree.span(node),
            name: String::new(),
            is_static: false,
            on_demand: false,
            model: false,
        };
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "identifier" | "scoped_identifier" => import.name = self.type_text(child).text,
                "static" => import.is_static = true,
                "asterisk" => import.on_demand = true,
                _ => {}
            }
        }
        import
    }

    pub fn name(&self, node: Option<Node<'_>>, otherwise: Span) -> Name {
        match node {
            Some(node) => Name { text: self.tree.of(node).to_owned(), span: self.tree.span(node) },
            None => Name { text: String::new(), span: otherwise },
        }
    }

    /// A type declaration, or the body of an anonymous class or of a constant of an enum.
    pub fn type_decl(&mut self, node: Node<'_>, place: TypePlace) -> Option<TypeDecl> {
        let span = self.tree.span(node);
        if self.depth >= MAX_TYPES {
            self.omitted.push(span);
            return None;
        }
        self.depth += 1;
        let ty = self.type_decl_here(node, place, span);
        self.depth -= 1;
        Some(ty)
    }

    fn type_decl_here(&mut self, node: Node<'_>, place: TypePlace, span: Span) -> TypeDecl {
        let start = Span::new(span.file, span.start, span.start);
        let kind = match node.kind() {
            "interface_declaration" => TypeKind::Interface,
            "enum_declaration" => TypeKind::Enum,
            "record_declaration" => TypeKind::Record,
            "annotation_type_declaration" => TypeKind::Annotation,
            _ => TypeKind::Class,
        };
        let name = match (place, node.parent()) {
            (TypePlace::EnumConstant, Some(constant)) => {
                self.name(constant.child_by_field_name("name"), start)
            }
            _ => self.name(node.child_by_field_name("name"), start),
        };
        let mut ty = TypeDecl {
            kind,
            place,
            name,
            span,
            modifiers: self.modifiers(node),
            type_parameters: self.field_text(node, "type_parameters"),
            extends: Vec::new(),
            implements: Vec::new(),
            components: Vec::new(),
            body: start,
            constants: Vec::new(),
            fields: Vec::new(),
            methods: Vec::new(),
            initializers: Vec::new(),
            types: Vec::new(),
            locals: Vec::new(),
            spec: TypeSpec::default(),
        };
        if let Some(components) = node.child_by_field_name("parameters") {
            ty.components = self.params(components);
        }
        let mut cursor = node.walk();
        for child in node.children(&mut cursor) {
            match child.kind() {
                "superclass" | "extends_interfaces" => ty.extends = self.types_in(child),
                "super_interfaces" => ty.implements = self.types_in(child),
                _ => {}
            }
        }
        if place == TypePlace::Anonymous {
            let made = node.parent().and_then(|parent| parent.child_by_field_name("type"));
            ty.extends = made.map(|made| self.type_text(made)).into_iter().collect();
        }
        let body =
            if node.kind() == "class_body" { Some(node) } else { node.child_by_field_name("body") };
        if let Some(body) = body {
            ty.body = self.tree.span(body);
            self.members(&mut ty, body);
        }
        ty
    }

    fn types_in(&self, node: Node<'_>) -> Vec<TypeText> {
        let mut types = Vec::new();
        let mut cursor = node.walk();
        for child in node.named_children(&mut cursor) {
            if child.kind() == "type_list" {
                let mut cursor = child.walk();
                let listed = child.named_children(&mut cursor).filter(|node| !node.is_extra());
                types.extend(listed.map(|ty| self.type_text(ty)));
            } else if !child.is_extra() {
                types.push(self.type_text(child));
            }
        }
        types
    }

    pub fn enum_constant(&mut self, ty: &mut TypeDecl, node: Node<'_>) {
        let span = self.tree.span(node);
        let name = self.name(node.child_by_field_name("name"), span);
        let body = node.child_by_field_name("body");
        let body_span = body.map(|body| self.tree.span(body));
        ty.constants.push(EnumConstant { name, span, body: body_span });
        if let Some(arguments) = node.child_by_field_name("arguments") {
            self.locals(ty, arguments);
        }
        if let Some(body) = body {
            ty.locals.extend(self.type_decl(body, TypePlace::EnumConstant));
        }
    }

    /// Adds the types in `node`, without those in them.
    pub fn locals(&mut self, ty: &mut TypeDecl, node: Node<'_>) {
        let mut cursor = node.walk();
        let mut depth = 0usize;
        loop {
            let node = cursor.node();
            let found = match node.kind() {
                "class_body" => Some(TypePlace::Anonymous),
                kind if is_type(kind) => Some(TypePlace::Local),
                _ => None,
            };
            if let Some(place) = found {
                ty.locals.extend(self.type_decl(node, place));
            }
            if found.is_none() && cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while depth > 0 && !cursor.goto_next_sibling() {
                cursor.goto_parent();
                depth -= 1;
            }
            if depth == 0 {
                return;
            }
        }
    }

    pub fn field_text(&self, node: Node<'_>, field: &str) -> Option<TypeText> {
        node.child_by_field_name(field).map(|node| self.type_text(node))
    }

    /// The text of a type: its tokens, without comments and white space that nothing needs.
    pub fn type_text(&self, node: Node<'_>) -> TypeText {
        let mut text = String::new();
        let mut cursor = node.walk();
        let mut depth = 0usize;
        loop {
            let here = cursor.node();
            if here.child_count() == 0 && !here.is_extra() {
                let token = self.tree.of(here);
                let is_word = |character: char| character.is_alphanumeric() || character == '_';
                let words = text.ends_with(is_word) && token.starts_with(is_word);
                let apart = text.ends_with([',', '&', '?', '}', ')']) && token.starts_with(is_word);
                if words || apart || token == "&" || (token == "@" && text.ends_with(is_word)) {
                    text.push(' ');
                }
                text.push_str(token);
            }
            if cursor.goto_first_child() {
                depth += 1;
                continue;
            }
            while depth > 0 && !cursor.goto_next_sibling() {
                cursor.goto_parent();
                depth -= 1;
            }
            if depth == 0 {
                return TypeText { text, span: self.tree.span(node) };
            }
        }
    }
}
