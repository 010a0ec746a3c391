//! What a simple name in a body means, by the declarations around it.
//!
//! Invariant: a name in a class within the body is unknown unless a variable in that class declares
//! it: it may be a member of that class or of what it extends.

use tree_sitter::Node;

use super::Look;

/// What a name stands for.
pub(super) enum Meaning<'t> {
    /// A variable or parameter; its type, and its value where it is declared with one.
    Variable { ty: String, value: Option<Node<'t>> },
    /// A field of the type, or of one around it.
    Member,
    /// One or the other.
    Unknown,
}

impl<'l> Look<'l, '_, '_> {
    /// What a name at a node stands for.
    pub fn resolve(&self, node: Node<'l>, name: &str) -> Meaning<'l> {
        let mut crossed = false;
        let mut below = node;
        loop {
            let span = self.tree.span(below);
            if span == self.code || !self.code.contains(span) {
                break;
            }
            let Some(around) = below.parent() else { break };
            if let Some((ty, value)) = self.declared(around, below, name) {
                return Meaning::Variable { ty, value };
            }
            crossed |= matches!(around.kind(), "class_body" | "interface_body" | "enum_body");
            below = around;
        }
        match self.allowed.locals.get(name) {
            _ if crossed => Meaning::Unknown,
            Some(ty) => Meaning::Variable { ty: ty.clone(), value: None },
            None => Meaning::Member,
        }
    }

    /// The variable of a name that a node declares for one of its children.
    fn declared(
        &self,
        around: Node<'l>,
        child: Node<'l>,
        name: &str,
    ) -> Option<(String, Option<Node<'l>>)> {
        match around.kind() {
            "block" | "constructor_body" | "switch_block_statement_group" | "for_statement" => {
                let mut cursor = around.walk();
                let before = around
                    .named_children(&mut cursor)
                    .take_while(|one| one.start_byte() <= child.start_byte());
                before
                    .filter(|one| one.kind() == "local_variable_declaration")
                    .filter_map(|one| self.declarator(one, name))
                    .last()
            }
            // The variable itself, in its own value.
            "local_variable_declaration" => self.declarator(around, name),
            "enhanced_for_statement" => self.named(around, name, "type"),
            "catch_clause" => {
                let mut cursor = around.walk();
                let caught = around
                    .named_children(&mut cursor)
                    .find(|one| one.kind() == "catch_formal_parameter")?;
                let named = caught.child_by_field_name("name")?;
                (self.of(named) == name).then(|| ("Exception".to_owned(), None))
            }
            "try_with_resources_statement" => {
                let all = around.child_by_field_name("resources")?;
                let mut cursor = all.walk();
                all.named_children(&mut cursor).find_map(|one| self.named(one, name, "type"))
            }
            "lambda_expression" | "method_declaration" | "constructor_declaration" => {
                self.parameter(around.child_by_field_name("parameters")?, name)
            }
            _ => None,
        }
    }

    fn declarator(&self, declaration: Node<'l>, name: &str) -> Option<(String, Option<Node<'l>>)> {
        let ty = declaration.child_by_field_name("type").map_or("", |ty| self.of(ty));
        let mut cursor = declaration.walk();
        let found = declaration
            .children_by_field_name("declarator", &mut cursor)
            .find(|one| one.child_by_field_name("name").is_some_and(|n| self.of(n) == name))?;
        let dimensions = found.child_by_field_name("dimensions").map_or("", |d| self.of(d));
        Some((format!("{ty}{dimensions}"), found.child_by_field_name("value")))
    }

    fn named(&self, node: Node<'l>, name: &str, ty: &str) -> Option<(String, Option<Node<'l>>)> {
        let named = node.child_by_field_name("name")?;
        let ty = node.child_by_field_name(ty).map_or("", |ty| self.of(ty));
        (self.of(named) == name).then(|| (ty.to_owned(), None))
    }

    fn parameter(&self, all: Node<'l>, name: &str) -> Option<(String, Option<Node<'l>>)> {
        let untyped = |node: Node<'_>| (self.of(node) == name).then(|| ("var".to_owned(), None));
        if all.kind() == "identifier" {
            return untyped(all);
        }
        let mut cursor = all.walk();
        all.named_children(&mut cursor).find_map(|one| match one.kind() {
            "identifier" => untyped(one),
            "formal_parameter" => self.named(one, name, "type"),
            "spread_parameter" => {
                let mut cursor = one.walk();
                let inner =
                    one.named_children(&mut cursor).find(|n| n.kind() == "variable_declarator")?;
                let (ty, _) = self.named(inner, name, "type")?;
                Some((format!("{ty}[]"), None))
            }
            _ => None,
        })
    }

    /// Whether a node stands in a class within the code.
    pub fn is_in_a_class(&self, node: Node<'l>) -> bool {
        let mut at = node;
        while let Some(around) = at.parent() {
            let span = self.tree.span(around);
            if span == self.code || !self.code.contains(span) {
                return false;
            }
            if matches!(around.kind(), "class_body" | "interface_body" | "enum_body") {
                return true;
            }
            at = around;
        }
        false
    }

    /// Whether a name stands for a variable that holds something made in the code itself.
    pub fn is_new(&self, node: Node<'l>) -> bool {
        let name = self.of(node);
        let Meaning::Variable { value: Some(value), .. } = self.resolve(node, name) else {
            return false;
        };
        let made = matches!(
            value.kind(),
            "object_creation_expression" | "array_creation_expression" | "array_initializer"
        );
        made && !self.is_assigned(name)
    }

    /// The type of an expression as it is written somewhere, where that can be told.
    pub fn type_of(&self, node: Node<'l>) -> Option<String> {
        match node.kind() {
            "identifier" => {
                let name = self.of(node);
                match self.resolve(node, name) {
                    Meaning::Variable { ty, value: Some(value) } if ty == "var" => {
                        self.type_of(value)
                    }
                    Meaning::Variable { ty, .. } => Some(ty).filter(|ty| ty != "var"),
                    Meaning::Member => self
                        .field_type(name)
                        .or_else(|| name.starts_with(char::is_uppercase).then(|| name.to_owned())),
                    Meaning::Unknown => None,
                }
            }
            "this" if !self.is_in_a_class(node) => {
                let decl = self.weaver.program.types[self.ty].decl;
                Some(decl.name.text.clone()).filter(|name| !name.is_empty())
            }
            "field_access" => {
                let object = node.child_by_field_name("object")?;
                let field = self.of(node.child_by_field_name("field")?);
                match object.kind() {
                    "this" if !self.is_in_a_class(node) => self.field_type(field),
                    _ => None,
                }
            }
            "string_literal" => Some("String".to_owned()),
            "parenthesized_expression" => self.type_of(node.named_child(0)?),
            "cast_expression" | "object_creation_expression" => {
                node.child_by_field_name("type").map(|ty| self.of(ty).to_owned())
            }
            "array_access" => {
                let array = self.type_of(node.child_by_field_name("array")?)?;
                array.trim_end().strip_suffix("[]").map(str::to_owned)
            }
            "method_invocation" => self.result_type(node),
            _ => None,
        }
    }

    fn field_type(&self, name: &str) -> Option<String> {
        let program = self.weaver.program;
        let mut at = Some(self.ty);
        while let Some(ty) = at {
            for one in std::iter::once(ty).chain(program.ancestors(ty).iter().copied()) {
                let decl = program.types[one].decl;
                let field = decl.fields.iter().find(|field| field.name.text == name);
                let component = decl.components.iter().find(|c| c.name.text == name);
                let text = field.map(|f| &f.ty).or(component.map(|c| &c.ty));
                if let Some(ty) = text {
                    return Some(ty.text.clone());
                }
            }
            at = program.types[ty].outer;
        }
        None
    }
}
