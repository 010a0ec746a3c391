//! What operators find in a method, put together to mutants.

use std::collections::hash_map::Entry;

use classfile::{ClassFile, Code, Member, flags};
use instrument::Artefacts;
use rustc_hash::FxHashMap;

use crate::body::Body;
use crate::edit::{Edit, Op, edit};
use crate::types::Types;
use crate::{Mutant, MutantsError, Operator, Operators, java, operators, plumbing};

/// As far as a plain jump reaches; code below this stays laid out, whatever is inserted.
const JUMP_REACH: usize = 32_767;

/// Slots of the constant pool that a mutant may take, generously.
const POOL_RESERVE: usize = 64;

/// What one operator can do at one place.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) operator: Operator,
    /// What of the several things that the operator can do here; empty if it is but one.
    pub(crate) variant: &'static str,
    /// The instruction that is the place.
    pub(crate) at: usize,
    pub(crate) edit: Edit,
    pub(crate) description: String,
}

impl Finding {
    /// One instruction is replaced by others.
    pub(crate) fn replacing(
        (operator, variant): (Operator, &'static str),
        at: usize,
        with: Vec<Op>,
        description: String,
    ) -> Self {
        let edit = Edit { start: at as u32, end: at as u32 + 1, with };
        Self { operator, variant, at, edit, description }
    }
}

/// All mutants of a class that these operators make.
pub(crate) fn find(class: &ClassFile, wanted: Operators) -> Result<Vec<Mutant>, MutantsError> {
    let class_name = class
        .name()
        .map_err(|source| MutantsError::ClassFile { class: "a class".to_owned(), source })?;
    let lambdas = java::lambda_numbers(class);
    let mut scratch = class.clone();
    let mut mutants = Vec::new();
    for (index, method) in class.methods.iter().enumerate() {
        let (Ok(name), Ok(descriptor)) = (method.name(&class.pool), method.descriptor(&class.pool))
        else {
            continue;
        };
        let named = Named { class: &class_name, name: &name, descriptor: &descriptor };
        let known_as = lambdas.get(&index).map_or(&*name, String::as_str);
        let found = look_into(class, &mut scratch, index, method, &named);
        let Some((mut found, count)) = found else { continue };
        number(&mut found, &named, known_as);
        let wide = is_large(class, count);
        for mutant in found {
            let chosen = mutant.operators.intersection(wanted).iter().next();
            if let Some(operator) = chosen
                && (!wide || can_be_written(class, method, &mutant.edits))
            {
                mutants.push(Mutant { operator, ..mutant });
            }
        }
    }
    Ok(mutants)
}

/// The names of a method.
struct Named<'n> {
    class: &'n str,
    name: &'n str,
    descriptor: &'n str,
}

/// All mutants of a method, not yet numbered, and the size of its code; none if it is no user's.
fn look_into(
    class: &ClassFile,
    scratch: &mut ClassFile,
    index: usize,
    method: &Member,
    named: &Named<'_>,
) -> Option<(Vec<Mutant>, usize)> {
    let code = Code::decode(class, method).ok()??;
    let mut artefacts = Artefacts::of(class, method, &code).ok()?;
    if artefacts.whole_method || plumbing::is_made_by_kotlin(class, &code) {
        return None;
    }
    let lines = std::mem::take(&mut artefacts.lines);
    let types = Types::of(scratch, index, &code)?;
    let modifiers = (method.has_flag(flags::STATIC), never_null(class, method));
    let names = (named.name, named.descriptor);
    let mut body = Body::new(class, names, modifiers, &code, types, artefacts);
    plumbing::mark(&mut body);
    let mut findings = operators::find(&body);
    findings.retain(|finding| !body.artefacts.added[finding.at]);
    findings.sort_by_key(|finding| finding.at);
    let size = code.instructions().fold(0, |offset, next| offset + next.size(offset));
    let originals: FxHashMap<usize, usize> = body.artefacts.copies.iter().copied().collect();
    let member = java::member(named.class, named.name, named.descriptor);
    let mut mutants: Vec<(Mutant, usize, &'static str)> = Vec::new();
    let mut groups: Vec<(Finding, Vec<Edit>)> = Vec::with_capacity(findings.len());
    // By the place in the source, which its copies share.
    let mut known: FxHashMap<(Operator, &'static str, usize), usize> = FxHashMap::default();
    for mut finding in findings {
        finding.at = originals.get(&finding.at).copied().unwrap_or(finding.at);
        let edit = finding.edit.clone();
        match known.entry((finding.operator, finding.variant, finding.at)) {
            Entry::Occupied(group) => groups[*group.get()].1.push(edit),
            Entry::Vacant(new) => {
                new.insert(groups.len());
                groups.push((finding, vec![edit]));
            }
        }
    }
    let mut alike: FxHashMap<Vec<Edit>, usize> = FxHashMap::default();
    groups.sort_by_key(|(finding, _)| (finding.at, finding.operator));
    for (finding, edits) in groups {
        if let Some(first) = alike.get(&edits) {
            let (mutant, ..) = &mut mutants[*first];
            mutant.operators = mutant.operators.with(finding.operator);
            continue;
        }
        alike.insert(edits.clone(), mutants.len());
        let mutant = Mutant {
            id: String::new(),
            class: named.class.to_owned(),
            method: named.name.to_owned(),
            descriptor: named.descriptor.to_owned(),
            member: member.clone(),
            line: lines[finding.at],
            operator: finding.operator,
            operators: Operators::NONE.with(finding.operator),
            description: finding.description,
            edits,
        };
        mutants.push((mutant, finding.at, finding.variant));
    }
    number_places(&mut mutants);
    Some((mutants.into_iter().map(|(mutant, ..)| mutant).collect(), size))
}

/// Gives each mutant the part of its id that is its own within the method.
fn number_places(mutants: &mut [(Mutant, usize, &'static str)]) {
    let mut last: FxHashMap<Operator, (usize, usize)> = FxHashMap::default();
    for (mutant, at, variant) in mutants {
        let place = match last.get(&mutant.operator) {
            Some((known, place)) if known == at => *place,
            Some((_, place)) => place + 1,
            None => 0,
        };
        last.insert(mutant.operator, (*at, place));
        let separator = if variant.is_empty() { "" } else { ":" };
        mutant.id = format!("{}:{place}{separator}{variant}", mutant.operator);
    }
}

/// Gives each mutant its whole id.
fn number(mutants: &mut [Mutant], named: &Named<'_>, known_as: &str) {
    let class = named.class.replace('/', ".");
    for mutant in mutants {
        mutant.id = format!("{class}.{known_as}{}:{}", named.descriptor, mutant.id);
    }
}

/// Whether an annotation says that a method returns no `null`.
fn never_null(class: &ClassFile, method: &Member) -> bool {
    let found = method.attributes.annotations(&class.pool).unwrap_or_default();
    found.iter().any(|annotation| {
        let name = annotation.type_descriptor.rsplit(['/', '$']).next().unwrap_or_default();
        ["NotNull;", "NonNull;", "Nonnull;"].contains(&name)
    })
}

/// Whether a mutant may pass a limit of the format.
fn is_large(class: &ClassFile, size: usize) -> bool {
    size + 256 > JUMP_REACH || class.pool.slots() + POOL_RESERVE > usize::from(u16::MAX)
}

/// Whether edited code can be laid out.
fn can_be_written(class: &ClassFile, method: &Member, edits: &[Edit]) -> bool {
    let Ok(Some(mut code)) = Code::decode(class, method) else { return false };
    edit(&mut code, &mut class.pool.clone(), edits).is_ok() && code.encode().is_ok()
}
