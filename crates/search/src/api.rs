//! The operations a search for one class works with: its own, and those that make what they need.
//!
//! Types and operations are numbered, so that choosing inputs in the search loop is indexing.
//! The order is that of discovery, which depends on the class files alone.

use std::sync::Arc;

use model::{
    Class, ClassKind, ClassName, Hierarchy, Implementations, Literal, Method, Operation, Primitive,
    Type, member_accessible, type_accessible,
};
use rustc_hash::FxHashMap;

/// An operation's number in an [`Api`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct OpId(pub u32);

/// A type's number in an [`Api`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TypeId(pub u32);

/// How far from the class under test makers of arguments are looked for.
const MAX_DEPTH: u32 = 4;
/// Subtypes tried for an interface or abstract class.
const MAX_SUBTYPES: usize = 6;
/// Operations that only make arguments.
const MAX_SUPPORT: usize = 600;
/// Methods of other classes tried for a type that cannot be made otherwise.
const MAX_NEARBY: usize = 4;
/// Enum constants and static fields taken of one class.
const MAX_CONSTANTS: usize = 12;

/// What can be called.
pub struct Api {
    /// The class under test.
    pub class: ClassName,
    operations: Vec<Arc<Operation>>,
    params: Vec<Vec<TypeId>>,
    results: Vec<Option<TypeId>>,
    subjects: Vec<OpId>,
    types: Vec<Type>,
    type_ids: FxHashMap<Type, TypeId>,
    op_ids: FxHashMap<Arc<Operation>, OpId>,
    /// Shortcut by address of the operations above, which live as long as this does.
    op_ids_by_address: FxHashMap<usize, OpId>,
    /// For each type the operations whose result can be used as it.
    makers: Vec<Vec<OpId>>,
    /// For each type the types it can be used as, itself included.
    fits: Vec<Vec<TypeId>>,
    /// For each type the values that can be written down for it, with the type of the literal.
    literals: Vec<Vec<(Type, Literal)>>,
    mutators: Vec<OpId>,
    needs_first: Vec<bool>,
    is_public: Vec<bool>,
}

impl Api {
    /// Finds the operations for a class; tests will live in its package.
    pub fn of(world: &dyn Implementations, class: &Class) -> Self {
        let mut finder = Finder::new(world, class);
        finder.add_subjects(class);
        finder.add_makers();
        finder.finish()
    }

    /// Operations to be tested: constructors, methods and constants of the class itself.
    pub fn subjects(&self) -> &[OpId] {
        &self.subjects
    }

    /// Operations that change objects of other classes, to vary arguments.
    pub fn mutators(&self) -> &[OpId] {
        &self.mutators
    }

    /// All operations.
    pub fn operations(&self) -> impl Iterator<Item = OpId> {
        (0..self.operations.len() as u32).map(OpId)
    }

    /// The operation itself.
    pub fn operation(&self, op: OpId) -> &Arc<Operation> {
        &self.operations[op.0 as usize]
    }

    /// The number of an operation.
    pub fn id_of(&self, op: &Operation) -> Option<OpId> {
        let address = std::ptr::from_ref(op).addr();
        self.op_ids_by_address.get(&address).or_else(|| self.op_ids.get(op)).copied()
    }

    /// The types of an operation's receiver and arguments.
    pub fn params(&self, op: OpId) -> &[TypeId] {
        &self.params[op.0 as usize]
    }

    /// The type of an operation's result.
    pub fn result(&self, op: OpId) -> Option<TypeId> {
        self.results[op.0 as usize]
    }

    /// Whether the first argument may not be `null`: a receiver, or the outer instance of an inner
    /// class.
    pub fn needs_first(&self, op: OpId) -> bool {
        self.needs_first[op.0 as usize]
    }

    /// Whether callers outside the package can make the call.
    pub fn is_public(&self, op: OpId) -> bool {
        self.is_public[op.0 as usize]
    }

    /// The type itself.
    pub fn ty(&self, ty: TypeId) -> &Type {
        &self.types[ty.0 as usize]
    }

    /// The number of a type, if any operation mentions it.
    pub fn type_id(&self, ty: &Type) -> Option<TypeId> {
        self.type_ids.get(ty).copied()
    }

    /// How many types there are.
    pub fn type_count(&self) -> usize {
        self.types.len()
    }

    /// Operations whose result can be used as this type.
    pub fn makers(&self, ty: TypeId) -> &[OpId] {
        &self.makers[ty.0 as usize]
    }

    /// Types a value of this type can be used as.
    pub fn fits(&self, ty: TypeId) -> &[TypeId] {
        &self.fits[ty.0 as usize]
    }

    /// Literals of a type, each with the type its slot gets.
    pub fn literals(&self, ty: TypeId) -> &[(Type, Literal)] {
        &self.literals[ty.0 as usize]
    }
}

struct Finder<'w> {
    world: &'w dyn Implementations,
    package: String,
    api: Api,
    /// Types whose makers are still to be looked for.
    wanted: Vec<(TypeId, u32)>,
    explored: Vec<bool>,
}

impl<'w> Finder<'w> {
    fn new(world: &'w dyn Implementations, class: &Class) -> Self {
        let api = Api {
            class: class.name.clone(),
            operations: Vec::new(),
            params: Vec::new(),
            results: Vec::new(),
            subjects: Vec::new(),
            types: Vec::new(),
            type_ids: FxHashMap::default(),
            op_ids: FxHashMap::default(),
            op_ids_by_address: FxHashMap::default(),
            makers: Vec::new(),
            fits: Vec::new(),
            literals: Vec::new(),
            mutators: Vec::new(),
            needs_first: Vec::new(),
            is_public: Vec::new(),
        };
        let package = class.name.package().to_owned();
        Self { world, package, api, wanted: Vec::new(), explored: Vec::new() }
    }

    fn type_id(&mut self, ty: &Type) -> TypeId {
        if let Some(id) = self.api.type_ids.get(ty) {
            return *id;
        }
        let id = TypeId(self.api.types.len() as u32);
        self.api.types.push(ty.clone());
        self.api.type_ids.insert(ty.clone(), id);
        self.explored.push(false);
        id
    }

    /// Adds an operation if every type in it can be named; its parameter types become wanted.
    fn add(&mut self, op: Operation, depth: u32) -> Option<OpId> {
        if let Some(id) = self.api.op_ids.get(&op) {
            return Some(*id);
        }
        let nameable = |ty: &Type| type_accessible(self.world, ty, &self.package);
        if !op.params.iter().all(nameable) {
            return None;
        }
        // A result that cannot be named can still be dropped, so it is of no type here.
        let result = op.result.clone().filter(|ty| nameable(ty));
        let mut params: Vec<TypeId> = op.params.iter().map(|ty| self.type_id(ty)).collect();
        if op.kind == model::OperationKind::Array {
            let element = op.param(0).clone();
            params = vec![self.type_id(&element)];
        }
        for param in &params {
            self.wanted.push((*param, depth));
        }
        let result = result.map(|ty| self.type_id(&ty));
        let needs_first = op.has_receiver()
            || (op.kind == model::OperationKind::Constructor
                && self.world.class(&op.owner).is_some_and(|c| c.outer_instance().is_some()));
        let id = OpId(self.api.operations.len() as u32);
        let op = Arc::new(op);
        self.api.op_ids_by_address.insert(Arc::as_ptr(&op).addr(), id);
        self.api.op_ids.insert(op.clone(), id);
        self.api.operations.push(op);
        self.api.params.push(params);
        self.api.results.push(result);
        self.api.needs_first.push(needs_first);
        self.api.is_public.push(self.is_public(id));
        Some(id)
    }

    /// Whether callers outside the package can make the call.
    fn is_public(&self, id: OpId) -> bool {
        let op = &self.api.operations[id.0 as usize];
        let descriptor = op.descriptor();
        self.world.supertypes(&op.owner).iter().any(|class| {
            class.access.is_public()
                && class.method(&op.name, &descriptor).is_some_and(|m| m.access.is_public())
        })
    }

    fn add_subjects(&mut self, class: &Class) {
        let mut seen: Vec<(Arc<str>, Vec<Type>)> = Vec::new();
        for declaring in self.world.supertypes(&class.name) {
            let own = declaring.name == class.name;
            if !own && declaring.origin == model::Origin::Jdk {
                continue;
            }
            for method in &declaring.methods {
                if !self.is_usable(&declaring, method) || (!own && !inherits(method)) {
                    continue;
                }
                if method.is_constructor() && !(own && class.is_instantiable()) {
                    continue;
                }
                let key = (
                    method.name.clone(),
                    method.params.iter().map(|p| p.ty.clone()).collect::<Vec<_>>(),
                );
                if seen.contains(&key) {
                    continue;
                }
                // Static methods of interfaces are not inherited (JLS §8.4.8).
                let owner = if declaring.is_interface() && method.access.is_static() && !own {
                    continue;
                } else {
                    class
                };
                seen.push(key);
                if let Some(id) = self.add(Operation::of_method(owner, method), 0) {
                    self.api.subjects.push(id);
                }
            }
        }
        self.add_constants(class, 0);
        let id = self.type_id(&Type::Class(class.name.clone()));
        self.wanted.push((id, 0));
    }

    fn is_usable(&self, declaring: &Class, method: &Method) -> bool {
        let by_compiler = method.access.is_synthetic() || method.access.is_bridge();
        // The collector's, not a caller's.
        let is_finalizer = &*method.name == "finalize" && method.params.is_empty();
        !by_compiler
            && !is_finalizer
            && is_java_name(&method.name)
            && member_accessible(self.world, declaring, method.access, &self.package)
    }

    /// Enum constants and static fields that hold objects.
    fn add_constants(&mut self, class: &Class, depth: u32) {
        if is_of_process(&class.name) {
            return;
        }
        let fields: Vec<_> = class
            .fields
            .iter()
            .filter(|f| {
                f.access.is_static()
                    && f.access.is_final()
                    && !f.access.is_synthetic()
                    && (f.access.is_enum() || f.ty == Type::Class(class.name.clone()))
                    && member_accessible(self.world, class, f.access, &self.package)
            })
            .take(MAX_CONSTANTS)
            .cloned()
            .collect();
        for field in fields {
            self.add(Operation::of_field(class, &field), depth);
        }
    }

    fn add_makers(&mut self) {
        let mut next = 0;
        while next < self.wanted.len() {
            let (ty, depth) = self.wanted[next];
            next += 1;
            if std::mem::replace(&mut self.explored[ty.0 as usize], true)
                || depth >= MAX_DEPTH
                || self.api.operations.len() >= MAX_SUPPORT
            {
                continue;
            }
            self.add_makers_of(&self.api.types[ty.0 as usize].clone(), depth + 1);
        }
    }

    fn add_makers_of(&mut self, ty: &Type, depth: u32) {
        match ty {
            Type::Primitive(_) => {}
            Type::Array(element) => {
                self.add(Operation::array(element), depth);
            }
            Type::Class(name) => {
                if is_written_down(name) {
                    return;
                }
                let Some(class) = self.world.class(name) else { return };
                self.add_makers_in(&class, ty, depth);
                if !class.is_instantiable() && class.kind != ClassKind::Enum {
                    self.add_subtypes_of(&class, depth);
                }
                if class.origin != model::Origin::Jdk && !self.is_made(ty) {
                    self.add_makers_nearby(&class, ty, depth);
                }
            }
        }
    }

    /// Constructors, factories and constants that a class itself offers.
    fn add_makers_in(&mut self, class: &Class, wanted: &Type, depth: u32) {
        self.add_constants(class, depth);
        for method in &class.methods {
            if !self.is_usable(class, method) || method.deprecated {
                continue;
            }
            let makes = if method.is_constructor() {
                class.is_instantiable()
            } else {
                method.access.is_static()
                    && method.params.len() <= 3
                    && method.result.as_ref().is_some_and(|r| self.world.is_subtype(r, wanted))
                    && !method.params.iter().any(|p| p.ty == *wanted)
            };
            let changes = !method.access.is_static()
                && class.is_instantiable()
                && !method.is_constructor()
                && matches!(method.params.len(), 1 | 2)
                && CHANGING.iter().any(|prefix| method.name.starts_with(prefix));
            if makes {
                self.add(Operation::of_method(class, method), depth);
            } else if changes
                && class.name != self.api.class
                && let Some(id) = self.add(Operation::of_method(class, method), depth + 1)
                && !self.api.subjects.contains(&id)
                && !self.api.mutators.contains(&id)
            {
                self.api.mutators.push(id);
            }
        }
    }

    /// Whether any operation so far results in the type, other than from an object of it.
    fn is_made(&self, ty: &Type) -> bool {
        self.api.operations.iter().any(|op| {
            let makes = op.result.as_ref().is_some_and(|result| self.world.is_subtype(result, ty));
            makes && !op.params.contains(ty)
        })
    }

    /// Methods of other classes of the package that result in the type: what makes a builder whose
    /// constructor is private. Static ones first, then those of objects.
    fn add_makers_nearby(&mut self, class: &Class, wanted: &Type, depth: u32) {
        for is_static in [true, false] {
            let mut found = 0;
            for name in self.world.package_classes(class.name.package()) {
                let Some(other) = self.world.class(&name) else { continue };
                for method in &other.methods {
                    let makes = method.access.is_static() == is_static
                        && !method.is_constructor()
                        && method.params.len() <= 3
                        && name != class.name
                        && method.result.as_ref().is_some_and(|r| self.world.is_subtype(r, wanted))
                        && self.is_usable(&other, method);
                    if makes && self.add(Operation::of_method(&other, method), depth).is_some() {
                        found += 1;
                    }
                }
                if found >= MAX_NEARBY {
                    break;
                }
            }
            if found > 0 {
                return;
            }
        }
    }

    fn add_subtypes_of(&mut self, class: &Class, depth: u32) {
        let mut found: Vec<(usize, Arc<Class>)> = Vec::new();
        for name in self.world.subtypes(&class.name) {
            let Some(sub) = self.world.class(&name) else { continue };
            let usable = sub.is_instantiable() || sub.kind == ClassKind::Enum;
            if !usable || !type_accessible(self.world, &Type::Class(name), &self.package) {
                continue;
            }
            // The fewer arguments the simplest constructor takes, the sooner it is tried.
            let effort = sub
                .constructors()
                .filter(|c| self.is_usable(&sub, c))
                .map(|c| c.params.len())
                .min()
                .unwrap_or(9);
            found.push((effort, sub));
        }
        found.sort_by_key(|(effort, sub)| (*effort, sub.origin == model::Origin::Jdk));
        for (_, sub) in found.into_iter().take(MAX_SUBTYPES) {
            let ty = Type::Class(sub.name.clone());
            let id = self.type_id(&ty);
            self.explored[id.0 as usize] = true;
            self.add_makers_in(&sub, &ty, depth);
        }
    }

    fn finish(mut self) -> Api {
        for ty in literal_types() {
            self.type_id(&ty);
        }
        let types = self.api.types.clone();
        let fits = |from: &Type| -> Vec<TypeId> {
            (0..types.len() as u32)
                .map(TypeId)
                .filter(|to| self.world.is_subtype(from, &types[to.0 as usize]))
                .collect()
        };
        let all_fits: Vec<Vec<TypeId>> = types.iter().map(fits).collect();
        let mut makers = vec![Vec::new(); types.len()];
        for (index, result) in self.api.results.iter().enumerate() {
            if let Some(result) = result {
                for ty in &all_fits[result.0 as usize] {
                    makers[ty.0 as usize].push(OpId(index as u32));
                }
            }
        }
        let mut literals = vec![Vec::new(); types.len()];
        for literal_type in literal_types() {
            let id = self.api.type_ids[&literal_type];
            for ty in &all_fits[id.0 as usize] {
                for value in literals_of(&literal_type, &self.api.class) {
                    literals[ty.0 as usize].push((literal_type.clone(), value));
                }
            }
        }
        self.api.fits = all_fits;
        self.api.makers = makers;
        self.api.literals = literals;
        self.api
    }
}

/// Names of methods that put something into an object.
const CHANGING: [&str; 8] = ["add", "put", "append", "set", "push", "offer", "with", "insert"];

/// Whether a subclass has the method too.
fn inherits(method: &Method) -> bool {
    !method.is_constructor() && !method.access.is_private()
}

/// Other languages' compilers use names that Java source cannot spell.
fn is_java_name(name: &str) -> bool {
    name == "<init>"
        || (name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '$')
            && !KEYWORDS.contains(&name))
}

/// Java's reserved words (JLS §3.9), which other languages allow as names.
const KEYWORDS: [&str; 53] = [
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "try",
    "void",
    "volatile",
    "while",
    "true",
    "false",
    "null",
];

/// Types whose values are literals, so that nothing needs to make them.
fn is_written_down(name: &ClassName) -> bool {
    let internal = name.as_internal();
    matches!(internal, "java/lang/String" | "java/lang/Class")
        || Primitive::unboxed(internal).is_some()
}

/// Whether the constants of a class belong to the process and not to a test: whoever closes the
/// descriptor of standard output takes it from the test runner, which talks to its parent by it.
fn is_of_process(name: &ClassName) -> bool {
    name.as_internal() == "java/io/FileDescriptor"
}

fn literal_types() -> impl Iterator<Item = Type> {
    let boxes = Primitive::ALL.into_iter().map(|p| Type::class(p.boxed()));
    Primitive::ALL
        .into_iter()
        .map(Type::Primitive)
        .chain([Type::string()])
        .chain(boxes)
        .chain([Type::class("java/lang/Class")])
}

/// The values a search starts with.
fn literals_of(ty: &Type, under_test: &ClassName) -> Vec<Literal> {
    let primitive = match ty {
        Type::Primitive(p) => Some(*p),
        Type::Class(name) => Primitive::unboxed(name.as_internal()),
        Type::Array(_) => None,
    };
    match primitive {
        Some(Primitive::Boolean) => [false, true].map(Literal::Boolean).into(),
        Some(Primitive::Byte) => [0, 1, -1, 10, 100, i8::MIN, i8::MAX].map(Literal::Byte).into(),
        Some(Primitive::Char) => {
            ['a', 'A', '0', ' ', '\n', '\0', '-', '\u{e9}'].map(|c| Literal::Char(c as u16)).into()
        }
        Some(Primitive::Short) => {
            [0, 1, -1, 10, 100, i16::MIN, i16::MAX].map(Literal::Short).into()
        }
        Some(Primitive::Int) => {
            [0, 1, 2, 3, -1, 5, 10, 100, 1000, i32::MIN, i32::MAX].map(Literal::Int).into()
        }
        Some(Primitive::Long) => {
            [0, 1, 2, -1, 10, 100, 1000, i64::MIN, i64::MAX].map(Literal::Long).into()
        }
        Some(Primitive::Float) => {
            [0.0, 1.0, -1.0, 0.5, 10.0, 100.0, f32::NAN, f32::INFINITY].map(Literal::Float).into()
        }
        Some(Primitive::Double) => {
            [0.0, 1.0, -1.0, 0.5, 10.0, 100.0, f64::NAN, f64::INFINITY].map(Literal::Double).into()
        }
        None if *ty == Type::string() => {
            ["", "a", "abc", " ", "0", "1", "-1", "10", "3.14", "a b", "A", "a,b", "x=y", "hello"]
                .map(|s| Literal::String(s.into()))
                .into()
        }
        None => [Type::string(), Type::object(), Type::INT, Type::Class(under_test.clone())]
            .map(|t| Literal::Class(Some(t)))
            .into(),
    }
}
