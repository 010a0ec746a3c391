//! What is found out about a class before the search begins.

use std::cmp::Reverse;
use std::sync::Arc;

use analysis::{Asked, Constants, FieldAccess, Mined, Purity, Summaries, Weights};
use classpath::World;
use instrument::Plan;
use model::{ClassName, Hierarchy, Literal, OperationKind, Origin, Primitive, Type};
use search::{Api, Clues, Knowledge, OpId, Setter};

use crate::inside::file_names;
use crate::inside::read_texts::ReadTexts;
use crate::inside::readings::Readings;

/// Classes of the package that are weighed against each other.
const MAX_CLASSES: usize = 300;
/// Constants of other classes that are used.
const MAX_FOREIGN: usize = 40;
/// Classes that make things of texts which are asked what they take.
const MAX_MAKERS: usize = 8;
/// Classes beyond which no more are looked at for what operations do.
const MAX_FOLLOWED: usize = 80;
/// Operations that are asked which fields they read and write, of those under test and of those that
/// change objects each.
const MAX_ASKED: usize = 150;

/// What the analyses say of the classes with these plans; what cannot be analysed says nothing, and
/// is remembered with the readings.
pub(crate) fn of(
    readings: &Readings<'_>,
    summaries: Option<&Summaries>,
    api: &Api,
    plans: &[Plan],
) -> Knowledge {
    let (world, class) = (readings.world, &api.class);
    let own: Vec<Constants> = plans
        .iter()
        .filter_map(|plan| constants(readings, &ClassName::internal(&plan.class)))
        .collect();
    let mut used: Vec<_> = own.iter().flat_map(Constants::total).collect();
    used.sort_by_key(|used| (Reverse(used.compared), Reverse(used.count)));
    let mut found: Vec<(Mined, Option<f64>)> =
        used.into_iter().map(|used| (used.constant, None)).collect();
    let mut names = world.package_classes(class.package());
    names.truncate(MAX_CLASSES);
    let others: Vec<Constants> =
        names.iter().filter_map(|name| constants(readings, name)).collect();
    let weights = Weights::new(&others);
    let heaviest = weights.iter().take(MAX_FOREIGN);
    found.extend(heaviest.map(|weighted| (weighted.constant.clone(), Some(weighted.weight))));
    let mut values: Vec<(Type, Literal)> = Vec::new();
    let mut foreign: Vec<((Type, Literal), f64)> = Vec::new();
    for (mined, weight) in found {
        // Enum constants are no literals: they are among what makes values (`clues`).
        let Mined::Literal(literal) = mined else { continue };
        if let Literal::Class(Some(ty)) = &literal
            && !model::type_accessible(world, ty, class.package())
        {
            continue;
        }
        for value in in_all_types(&literal) {
            if values.contains(&value) || foreign.iter().any(|(known, _)| *known == value) {
                continue;
            }
            match weight {
                Some(weight) => foreign.push((value, weight)),
                None => values.push(value),
            }
        }
    }
    let calls = plans
        .iter()
        .filter_map(|plan| readings.of(&ClassName::internal(&plan.class), analysis::calls))
        .flatten()
        .collect();
    let mut reading: Vec<ClassName> =
        plans.iter().map(|plan| ClassName::internal(&plan.class)).collect();
    let makers = makers_of_texts(world, api, &reading);
    let made = makers.iter().filter_map(|name| constants(readings, name));
    let read: Vec<Constants> = own.into_iter().chain(made).collect();
    reading.extend(makers);
    let ReadTexts { by_method: reads, anywhere: readable } =
        ReadTexts::of(readings, class, &reading, &read);
    let effects = summaries.map(|jdk| effects(readings, jdk, api)).unwrap_or_default();
    let Effects { changing, preserving, feeding, setters, .. } = effects;
    Knowledge {
        plans: plans.to_vec(),
        changing,
        preserving,
        feeding,
        calls,
        constants: values,
        foreign,
        reads,
        readable,
        setters,
    }
}

/// Other classes than these whose constructors and static methods make something of a text: what they
/// take has the form that their code asks for.
fn makers_of_texts(world: &World, api: &Api, known: &[ClassName]) -> Vec<ClassName> {
    let mut found: Vec<ClassName> = Vec::new();
    for op in api.operations().map(|op| api.operation(op)) {
        let makes = matches!(op.kind, OperationKind::Constructor | OperationKind::StaticMethod);
        if makes
            && op.params.contains(&Type::string())
            && world.origin(&op.owner).is_some_and(|origin| origin != Origin::Jdk)
            && !known.contains(&op.owner)
            && !found.contains(&op.owner)
        {
            found.push(op.owner.clone());
        }
    }
    found.truncate(MAX_MAKERS);
    found
}

/// What the classes with these plans, and those that the first of them inherits from, ask objects
/// for, and which constants the class under test and those inside it name; what cannot be read asks
/// for nothing.
pub(crate) fn clues(readings: &Readings<'_>, class: &ClassName, plans: &[Plan]) -> Clues {
    let names: Vec<ClassName> = plans.iter().map(|plan| ClassName::internal(&plan.class)).collect();
    let own = asked_by(readings, &names);
    let above = names.first().map(|class| readings.world.supertypes(class)).unwrap_or_default();
    let inherited: Vec<ClassName> = above
        .iter()
        .filter(|class| class.origin != Origin::Jdk && !names.contains(&class.name))
        .map(|class| class.name.clone())
        .collect();
    let all: Vec<ClassName> = names.iter().chain(&inherited).cloned().collect();
    let names_files = file_names::are_taken(readings, &all);
    let inherited = asked_by(readings, &inherited).tested;
    let constants = named_constants(readings, class);
    Clues { tested: own.tested, cast: own.cast, inherited, constants, names_files }
}

fn asked_by(readings: &Readings<'_>, classes: &[ClassName]) -> Asked {
    let mut all = Asked::default();
    for name in classes {
        if let Some(asked) = readings.of(name, analysis::asked_types) {
            all.add(asked);
        }
    }
    all
}

/// Enum constants and the like in the code of a class and of those inside it: a switch over an enum is
/// in a class of its own, which has no source.
fn named_constants(readings: &Readings<'_>, class: &ClassName) -> Vec<(ClassName, Arc<str>)> {
    let prefix = format!("{}$", class.as_internal());
    let mut names = vec![class.clone()];
    let inside = readings.world.package_classes(class.package()).into_iter();
    names.extend(inside.filter(|name| name.as_internal().starts_with(&prefix)));
    let all = names.iter().filter_map(|name| constants(readings, name));
    let mut found = Vec::new();
    for used in all.flat_map(|constants| constants.total()) {
        if let Mined::Static { class, name } = used.constant
            && !found.contains(&(class.clone(), Arc::clone(&name)))
        {
            found.push((class, name));
        }
    }
    found
}

/// What operations do to the object they are called on, as far as one can tell.
#[derive(Default)]
struct Effects {
    /// Those that can change it.
    changing: Vec<OpId>,
    /// Those that cannot.
    preserving: Vec<OpId>,
    /// Those that are called on none, and can change static state.
    setting: Vec<OpId>,
    /// For members under test those that can change what they read.
    feeding: Vec<(OpId, Vec<OpId>)>,
    setters: Vec<Setter>,
}

fn effects(readings: &Readings<'_>, jdk: &Summaries, api: &Api) -> Effects {
    let world = readings.world;
    let mut owners: Vec<ClassName> = Vec::new();
    for op in api.operations() {
        let owner = &api.operation(op).owner;
        if world.origin(owner) != Some(Origin::Jdk) && !owners.contains(owner) {
            owners.push(owner.clone());
        }
    }
    follow(readings, &mut owners);
    let purity = Purity::of(world, jdk, &owners);
    let mut all = Effects::default();
    for id in api.operations() {
        let op = api.operation(id);
        let Some(effects) = purity.operation(op) else { continue };
        if !op.has_receiver() {
            if effects.statics && op.kind == OperationKind::StaticMethod {
                all.setting.push(id);
            }
            continue;
        }
        if effects.receiver || effects.unknown {
            all.changing.push(id);
        } else {
            all.preserving.push(id);
        }
        if Setter::is_name_of_one(&op.name, op.params.len() - 1) {
            let access = purity.field_access(&op.owner, &op.name, &op.descriptor());
            let written = access.into_iter().flat_map(|access| access.writes);
            all.setters.extend(written.map(|field| Setter {
                class: field.class,
                field: field.name,
                method: op.name.clone(),
            }));
        }
    }
    all.feeding = feeding(&purity, api, [&all.changing, &all.setting]);
    all
}

/// For members under test those operations of the changing ones that write fields which they read.
fn feeding(purity: &Purity<'_>, api: &Api, changing: [&Vec<OpId>; 2]) -> Vec<(OpId, Vec<OpId>)> {
    let access = |id: &OpId| {
        let op = api.operation(*id);
        Some((*id, purity.field_access(&op.owner, &op.name, &op.descriptor())?))
    };
    let writers: Vec<(OpId, FieldAccess)> = changing
        .into_iter()
        .flat_map(|ops| ops.iter().take(MAX_ASKED))
        .filter_map(access)
        .collect();
    let readers = api.subjects().iter().take(MAX_ASKED).filter_map(access);
    let fed = readers.map(|(reader, reads)| {
        let feeds = writers.iter().filter(|(_, writes)| reads.depends_on(writes));
        (reader, feeds.map(|(writer, _)| *writer).collect())
    });
    fed.collect()
}

/// Adds the classes that these call, and that those call in turn: what a builder builds would be
/// unknown else.
fn follow(readings: &Readings<'_>, classes: &mut Vec<ClassName>) {
    let mut next = 0;
    while let Some(class) = classes.get(next) {
        next += 1;
        let read = readings.of(class, analysis::calls);
        for (called, _, _) in read.into_iter().flatten().flat_map(|(_, called)| called) {
            if classes.len() >= MAX_FOLLOWED {
                return;
            }
            let called = ClassName::internal(&called);
            if readings.world.origin(&called).is_some_and(|origin| origin != Origin::Jdk)
                && !classes.contains(&called)
            {
                classes.push(called);
            }
        }
    }
}

fn constants(readings: &Readings<'_>, name: &ClassName) -> Option<Constants> {
    readings.of(name, Constants::of_class)
}

/// A number in every type that has room for it, plain and boxed: bytecode does not tell an `int`
/// from a `char`, and a method may take a `long` that it compares after a cast.
fn in_all_types(literal: &Literal) -> Vec<(Type, Literal)> {
    use Primitive::{Byte, Char, Double, Float, Int, Long, Short};
    match literal {
        Literal::Float(v) => both([Literal::Float(*v), Literal::Double(f64::from(*v))]),
        Literal::Double(v) => both([Literal::Double(*v), Literal::Float(*v as f32)]),
        Literal::String(_) => vec![(Type::string(), literal.clone())],
        Literal::Class(_) => vec![(Type::class("java/lang/Class"), literal.clone())],
        _ => {
            let types = [Byte, Short, Char, Int, Long, Float, Double].into_iter();
            let whole = literal.whole();
            both(types.filter_map(|ty| Literal::zero(ty).with_number(whole?)))
        }
    }
}

fn both(literals: impl IntoIterator<Item = Literal>) -> Vec<(Type, Literal)> {
    let typed = |literal: Literal| {
        let primitive: Primitive = literal.primitive().expect("numbers are primitive");
        let boxed = Type::class(primitive.boxed());
        [(Type::Primitive(primitive), literal.clone()), (boxed, literal)]
    };
    literals.into_iter().flat_map(typed).collect()
}
