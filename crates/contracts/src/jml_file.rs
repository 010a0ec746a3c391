//! `.jml` files: specifications beside the source, merged into its declarations.
//!
//! A declaration is found by name, a method by name and the simple names of its parameters' types
//! too. What the `.jml` file says of a method, or in the body of a type, takes the place of what the
//! `.java` file says; modifiers are joined.

use crate::diagnostic::{Diagnostic, Severity};
use crate::java::{Field, Method, MethodKind, Modifiers, TypeDecl};
use crate::jml::Keys;
use crate::jml::parser::Message;
use crate::parse::{diagnostic, parse_file};
use crate::source::Source;
use crate::span::{FileId, Span};

/// Reads a `.jml` file that stands alone (for classes there is no source of).
pub fn parse_jml(name: &str, text: &str, keys: &Keys) -> (Source, Vec<Diagnostic>) {
    parse_file(name, text, keys, FileId::JAVA, true)
}

impl Source {
    /// Merges what a `.jml` file says into this.
    pub fn add_jml(&mut self, name: &str, text: &str, keys: &Keys) -> Vec<Diagnostic> {
        let Ok(id) = u8::try_from(self.files.len()) else { return Vec::new() };
        let (jml, mut diagnostics) = parse_file(name, text, keys, FileId(id), true);
        let mut merge = Merge { unknown: Vec::new(), replacing: Vec::new() };
        for ty in jml.types {
            merge.ty(&mut self.types, ty);
        }
        let own = self.imports.len();
        for mut import in jml.imports {
            let known = self.imports[..own]
                .iter()
                .any(|known| known.name == import.name && known.on_demand == import.on_demand);
            if !known {
                import.model = true;
                self.imports.push(import);
            }
        }
        self.annotated |= jml.annotated;
        for file in jml.files {
            for (span, what) in &merge.unknown {
                let text = format!("the source declares no such {what}");
                let message = Message { severity: Severity::Error, span: *span, text };
                diagnostics.push(diagnostic(message, &file));
            }
            for span in &merge.replacing {
                let text = "this takes the place of what the source says of it".to_owned();
                let message = Message { severity: Severity::Warning, span: *span, text };
                diagnostics.push(diagnostic(message, &file));
            }
            self.files.push(file);
        }
        diagnostics
    }
}

struct Merge {
    /// What the source does not declare.
    unknown: Vec<(Span, &'static str)>,
    /// The declarations whose specification in the source does not count.
    replacing: Vec<Span>,
}

impl Merge {
    fn ty(&mut self, types: &mut [TypeDecl], jml: TypeDecl) {
        let found = types.iter_mut().find(|ty| ty.name.text == jml.name.text);
        let Some(ty) = found else { return self.unknown.push((jml.name.span, "type")) };
        modifiers(&mut ty.modifiers, jml.modifiers);
        if !jml.spec.is_empty() {
            if !ty.spec.is_empty() {
                self.replacing.push(jml.name.span);
            }
            ty.spec = jml.spec;
        }
        for field in jml.fields {
            match ty.fields.iter_mut().find(|own| own.name.text == field.name.text) {
                Some(own) => merge_field(own, field),
                None => self.unknown.push((field.name.span, "field")),
            }
        }
        for method in jml.methods {
            match ty.methods.iter_mut().find(|own| same(own, &method)) {
                Some(own) => self.method(own, method),
                None => self.unknown.push((method.name.span, "method")),
            }
        }
        for nested in jml.types {
            self.ty(&mut ty.types, nested);
        }
    }

    fn method(&mut self, own: &mut Method, jml: Method) {
        modifiers(&mut own.modifiers, jml.modifiers);
        for (own, jml) in own.params.iter_mut().zip(jml.params) {
            modifiers(&mut own.modifiers, jml.modifiers);
        }
        if !jml.spec.is_empty() {
            if !own.spec.is_empty() {
                self.replacing.push(jml.name.span);
            }
            own.spec = jml.spec;
        }
    }
}

fn merge_field(own: &mut Field, jml: Field) {
    modifiers(&mut own.modifiers, jml.modifiers);
    if !(jml.spec.groups.is_empty() && jml.spec.maps.is_empty()) {
        own.spec = jml.spec;
    }
}

/// Adds the modifiers of JML's; Java's are those of the source.
fn modifiers(own: &mut Modifiers, jml: Modifiers) {
    for (modifier, span) in jml.jml {
        if !own.is(modifier) {
            own.jml.push((modifier, span));
        }
    }
}

fn same(own: &Method, jml: &Method) -> bool {
    let compact = own.kind == MethodKind::CompactConstructor;
    (own.kind == jml.kind || compact)
        && own.name.text == jml.name.text
        && own.params.len() == jml.params.len()
        && own.params.iter().zip(&jml.params).all(|(own, jml)| {
            let (mut left, mut right) = (simple(&own.ty.text), simple(&jml.ty.text));
            left.push_str(if own.varargs { "[]" } else { "" });
            right.push_str(if jml.varargs { "[]" } else { "" });
            left == right
        })
}

/// A type without packages, outer types, type arguments and annotations: `Map.Entry<K, V>[]` is
/// `Entry[]`.
fn simple(ty: &str) -> String {
    let mut simple = String::new();
    let mut depth = 0u32;
    for character in ty.chars() {
        match character {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '.' | ' ' => simple.clear(),
            other => simple.push(other),
        }
    }
    simple
}
