//! The words of JML and what they begin. None of them is reserved: in expressions they are names.

use crate::java::{JavaModifier, JmlModifier};
use crate::jml::ast::Behavior;

/// What a keyword of a method specification begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MethodClause {
    Requires,
    Ensures,
    Signals,
    SignalsOnly,
    Assignable,
    Old,
    Forall,
    Unchecked,
}

/// What a keyword of a type's clause begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TypeKeyword {
    Invariant,
    Constraint,
    Initially,
    Axiom,
    Represents,
    Unchecked,
}

/// What a keyword within a body begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatementKeyword {
    Assert,
    Assume,
    Set,
    Debug,
    Unreachable,
    HenceBy,
    LoopInvariant,
    Decreases,
    LoopAssignable,
    Unchecked,
}

/// The keyword without `_redundantly`, and whether it was there.
pub(crate) fn redundantly(word: &str) -> (&str, bool) {
    match word.strip_suffix("_redundantly") {
        Some(plain) => (plain, true),
        None => (word, false),
    }
}

pub(crate) fn method_clause(word: &str) -> Option<MethodClause> {
    Some(match redundantly(word).0 {
        "requires" | "pre" => MethodClause::Requires,
        "ensures" | "post" => MethodClause::Ensures,
        "signals" | "exsures" => MethodClause::Signals,
        "signals_only" => MethodClause::SignalsOnly,
        "assignable" | "assigns" | "modifies" | "modifiable" | "writes" => MethodClause::Assignable,
        "old" => MethodClause::Old,
        "forall" => MethodClause::Forall,
        "accessible" | "accesses" | "reads" | "captures" | "when" | "diverges" | "measured_by"
        | "decreases" | "decreasing" | "working_space" | "duration" | "callable" | "returns"
        | "continues" | "breaks" | "recommends" | "determines" | "separates" | "respects"
        | "may_respects" | "lockset" | "spec_vars" | "locks" | "wait_for" | "choose"
        | "choose_if" | "requires_free" | "ensures_free" | "assignable_free"
        | "modifiable_free" => MethodClause::Unchecked,
        _ => return None,
    })
}

/// The kind of case, and whether it is only an example.
pub(crate) fn behavior(word: &str) -> Option<(Behavior, bool)> {
    Some(match word {
        "behavior" | "behaviour" => (Behavior::Any, false),
        "normal_behavior" | "normal_behaviour" => (Behavior::Normal, false),
        "exceptional_behavior" | "exceptional_behaviour" => (Behavior::Exceptional, false),
        "break_behavior" | "continue_behavior" | "return_behavior" | "model_behavior"
        | "model_behaviour" => (Behavior::Any, false),
        "example" => (Behavior::Any, true),
        "normal_example" => (Behavior::Normal, true),
        "exceptional_example" => (Behavior::Exceptional, true),
        _ => return None,
    })
}

pub(crate) fn type_clause(word: &str) -> Option<TypeKeyword> {
    Some(match redundantly(word).0 {
        "invariant" => TypeKeyword::Invariant,
        "constraint" => TypeKeyword::Constraint,
        "initially" => TypeKeyword::Initially,
        "axiom" => TypeKeyword::Axiom,
        "represents" => TypeKeyword::Represents,
        "readable" | "readable_if" | "writable" | "writable_if" | "monitors_for" | "depends"
        | "invariant_free" | "axiom_free" | "initializer" | "static_initializer" => {
            TypeKeyword::Unchecked
        }
        _ => return None,
    })
}

pub(crate) fn statement(word: &str) -> Option<StatementKeyword> {
    Some(match redundantly(word).0 {
        "assert" | "check" => StatementKeyword::Assert,
        "assume" => StatementKeyword::Assume,
        "set" => StatementKeyword::Set,
        "debug" => StatementKeyword::Debug,
        "unreachable" => StatementKeyword::Unreachable,
        "hence_by" => StatementKeyword::HenceBy,
        "loop_invariant" | "maintaining" => StatementKeyword::LoopInvariant,
        "decreases" | "decreasing" | "loop_variant" | "loop_decreases" => {
            StatementKeyword::Decreases
        }
        "loop_modifies" | "loop_assignable" | "loop_assigns" | "loop_writes" => {
            StatementKeyword::LoopAssignable
        }
        "reachable"
        | "halt"
        | "split"
        | "havoc"
        | "comment"
        | "use"
        | "show"
        | "begin"
        | "end"
        | "merge_point"
        | "inlined_loop"
        | "print"
        | "store"
        | "label"
        | "loop_determines"
        | "loop_invariant_free"
        | "loop_separates"
        | "loop_scope"
        | "fold"
        | "unfold" => StatementKeyword::Unchecked,
        _ => return None,
    })
}

/// Whether `word` may begin something in an annotation, so that reading can go on there.
pub(crate) fn begins(word: &str) -> bool {
    method_clause(word).is_some()
        || behavior(word).is_some()
        || type_clause(word).is_some()
        || statement(word).is_some()
        || java_modifier(word).is_some()
        || jml_modifier(word).is_some()
        || matches!(word, "also" | "implies_that" | "for_example" | "in" | "maps" | "model_program")
}

pub(crate) fn java_modifier(word: &str) -> Option<JavaModifier> {
    Some(match word {
        "public" => JavaModifier::Public,
        "protected" => JavaModifier::Protected,
        "private" => JavaModifier::Private,
        "abstract" => JavaModifier::Abstract,
        "static" => JavaModifier::Static,
        "final" => JavaModifier::Final,
        "strictfp" => JavaModifier::Strictfp,
        "default" => JavaModifier::Default,
        "synchronized" => JavaModifier::Synchronized,
        "native" => JavaModifier::Native,
        "transient" => JavaModifier::Transient,
        "volatile" => JavaModifier::Volatile,
        "sealed" => JavaModifier::Sealed,
        "non-sealed" => JavaModifier::NonSealed,
        _ => return None,
    })
}

pub(crate) fn jml_modifier(word: &str) -> Option<JmlModifier> {
    Some(match word {
        "pure" | "spec_pure" => JmlModifier::Pure,
        "strictly_pure" | "strict_pure" => JmlModifier::StrictlyPure,
        "helper" => JmlModifier::Helper,
        "nullable" => JmlModifier::Nullable,
        "non_null" => JmlModifier::NonNull,
        "nullable_by_default" => JmlModifier::NullableByDefault,
        "non_null_by_default" => JmlModifier::NonNullByDefault,
        "spec_public" => JmlModifier::SpecPublic,
        "spec_protected" => JmlModifier::SpecProtected,
        "instance" => JmlModifier::Instance,
        "ghost" => JmlModifier::Ghost,
        "model" => JmlModifier::Model,
        "uninitialized" => JmlModifier::Uninitialized,
        "monitored" => JmlModifier::Monitored,
        "extract" => JmlModifier::Extract,
        "query" => JmlModifier::Query,
        "secret" => JmlModifier::Secret,
        "function" | "heap_free" => JmlModifier::Function,
        "immutable" => JmlModifier::Immutable,
        "no_state" => JmlModifier::NoState,
        "two_state" => JmlModifier::TwoState,
        "code_java_math" => JmlModifier::CodeJavaMath,
        "code_safe_math" => JmlModifier::CodeSafeMath,
        "code_bigint_math" => JmlModifier::CodeBigintMath,
        "spec_java_math" => JmlModifier::SpecJavaMath,
        "spec_safe_math" => JmlModifier::SpecSafeMath,
        "spec_bigint_math" => JmlModifier::SpecBigintMath,
        "peer" | "\\peer" => JmlModifier::Peer,
        "rep" | "\\rep" => JmlModifier::Rep,
        "readonly" | "\\readonly" => JmlModifier::ReadOnly,
        "inline" => JmlModifier::Inline,
        "options" => JmlModifier::Options,
        "skipesc" => JmlModifier::SkipEsc,
        "skiprac" => JmlModifier::SkipRac,
        _ => return None,
    })
}

/// The modifier an annotation of Java's stands for: `SpecPublic`, `org.jmlspecs.annotation.Pure`.
pub(crate) fn jml_annotation(name: &str) -> Option<JmlModifier> {
    let simple = name.rsplit('.').next().unwrap_or(name);
    let simple = match simple {
        "Nonnull" | "NotNull" => "NonNull",
        other => other,
    };
    let mut word = String::new();
    for character in simple.chars() {
        if character.is_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.extend(character.to_lowercase());
    }
    let known = matches!(
        word.as_str(),
        "pure"
            | "spec_pure"
            | "strictly_pure"
            | "helper"
            | "nullable"
            | "non_null"
            | "nullable_by_default"
            | "non_null_by_default"
            | "spec_public"
            | "spec_protected"
            | "instance"
            | "ghost"
            | "model"
            | "uninitialized"
            | "monitored"
            | "extract"
            | "query"
            | "secret"
            | "immutable"
            | "code_java_math"
            | "code_safe_math"
            | "code_bigint_math"
            | "spec_java_math"
            | "spec_safe_math"
            | "spec_bigint_math"
    );
    if known { jml_modifier(&word) } else { None }
}
