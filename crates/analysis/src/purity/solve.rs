//! The summary of one method, given those of what it calls.
//!
//! Each definition stands for a set of nodes, each node may hold others in its fields; both grow
//! until the steps of the body add nothing.
mod apply;

use rustc_hash::{FxHashMap, FxHashSet};

use super::body::{Body, Declared, Def, Laziness, Op, Set};
use super::ids::ANY;
use super::summary::{Kind, Node, Summary};

/// A set of nodes, by their numbers in a [`Solver`].
type Nodes = u128;

/// Numbers are given out up to here; then fields and sites are not told apart any more.
const MAX_NODES: usize = 120;
const GLOBAL: Nodes = 1;
/// Everything fresh that got no number of its own.
const SOME_FRESH: Nodes = 2;
/// Passes over a body; real ones need three or four.
const MAX_PASSES: usize = 12;

/// What holds for all methods of a program.
#[derive(Default)]
pub(crate) struct Surroundings {
    /// Static fields with arrays of no elements.
    pub(crate) empty: FxHashSet<u64>,
    /// Effects on static state that come from deeper calls do not count.
    pub(crate) max_depth: u8,
}

/// What an object holds.
#[derive(Clone, Default)]
struct Holder {
    fields: Vec<(u32, Nodes)>,
    /// In any field.
    all: Nodes,
}

/// Solves methods one after the other.
#[derive(Default)]
pub(crate) struct Solver {
    nodes: Vec<Node>,
    numbers: FxHashMap<Node, u8>,
    heap: Vec<Holder>,
    defs: Vec<Nodes>,
    written: Nodes,
    /// Written otherwise than by passing the call on.
    written_here: Nodes,
    unknown: bool,
    result: Nodes,
    changed: bool,
    /// The nodes that are fresh.
    fresh: Nodes,
    static_depth: u8,
    unknown_depth: u8,
    max_depth: u8,
    /// The parameters of which nothing is known but that they are objects.
    opaque: Nodes,
}

impl Solver {
    /// Solves a body; `callee` gives the summary behind the n-th call.
    pub(crate) fn solve<'s>(
        &mut self,
        body: &Body,
        world: &Surroundings,
        callee: impl Fn(usize) -> &'s Summary,
    ) -> Summary {
        self.max_depth = world.max_depth;
        self.start(body, &world.empty);
        for _ in 0..MAX_PASSES {
            self.changed = false;
            let mut call = 0;
            for op in &body.ops {
                if let Op::Call { args, dst, delegates, .. } = op {
                    self.apply(body, callee(call), args, *dst, *delegates);
                    call += 1;
                } else {
                    self.run(body, op);
                }
            }
            if !self.changed {
                break;
            }
        }
        self.summary(body)
    }

    fn start(&mut self, body: &Body, empty: &FxHashSet<u64>) {
        self.nodes.clear();
        self.numbers.clear();
        self.heap.clear();
        self.defs.clear();
        (self.written, self.written_here, self.unknown) = (0, 0, false);
        (self.result, self.fresh, self.opaque) = (0, SOME_FRESH, 0);
        (self.static_depth, self.unknown_depth) = (u8::MAX, u8::MAX);
        self.nodes.extend([Node::GLOBAL, Node::FRESH]);
        self.heap.resize_with(2, Holder::default);
        self.numbers.extend([(Node::GLOBAL, 0), (Node::FRESH, 1)]);
        for (number, def) in body.defs.iter().enumerate() {
            let nodes = match def {
                Def::Param(_, Declared::Value) => 0,
                Def::Param(index, declared) => {
                    // Numbered with its parameter, so that it has a number when others ran out.
                    self.number(Node::deep(*index));
                    let number = self.number(Node::param(*index));
                    if *declared == Declared::Opaque {
                        self.opaque |= number;
                    }
                    number
                }
                Def::New(_) => self.number(Node::fresh(number as u16)),
                Def::Static(_, field) if empty.contains(field) => 0,
                Def::Static(..) => GLOBAL,
                _ => 0,
            };
            self.defs.push(nodes);
        }
    }

    fn number(&mut self, node: Node) -> Nodes {
        if let Some(number) = self.numbers.get(&node) {
            return 1 << number;
        }
        if self.nodes.len() >= MAX_NODES {
            return match node.kind() {
                Kind::Field => self.number(Node::deep(node.index())),
                Kind::Fresh => SOME_FRESH,
                // There are at most 40 parameters, numbered first.
                _ => 0,
            };
        }
        let number = self.nodes.len() as u8;
        self.nodes.push(node);
        self.heap.push(Holder::default());
        self.numbers.insert(node, number);
        if node.kind() == Kind::Fresh {
            self.fresh |= 1 << number;
        }
        1 << number
    }

    fn value(&self, body: &Body, set: Set) -> Nodes {
        let defs = body.sets[set as usize].iter();
        defs.fold(0, |nodes, def| nodes | self.defs[usize::from(*def)])
    }

    /// The objects of a set whose insides may be accessed: an opaque parameter only where it is
    /// named itself, not where it may come out of some structure.
    fn objects(&self, body: &Body, set: Set) -> Nodes {
        let mut objects = 0;
        for def in &body.sets[set as usize] {
            let nodes = self.defs[usize::from(*def)];
            let is_param = matches!(body.defs[usize::from(*def)], Def::Param(..));
            objects |= if is_param { nodes } else { nodes & !self.opaque };
        }
        objects
    }

    fn run(&mut self, body: &Body, op: &Op) {
        match *op {
            Op::Load { dst, base, field } => {
                let loaded = self.load(self.objects(body, base), field);
                self.define(dst, loaded);
            }
            Op::Store { base, field, value, laziness } => {
                let (base, value) = (self.objects(body, base), self.value(body, value));
                if is_effect(laziness, body) {
                    self.write(base, false, 0);
                }
                self.store(base, field, value);
            }
            Op::StoreStatic { laziness } => {
                if is_effect(laziness, body) {
                    self.write(GLOBAL, false, 0);
                }
            }
            Op::Return { value } => self.result |= self.value(body, value),
            Op::Call { .. } => {}
        }
    }

    fn define(&mut self, def: u16, nodes: Nodes) {
        let known = &mut self.defs[usize::from(def)];
        self.changed |= nodes & !*known != 0;
        *known |= nodes;
    }

    /// Writes objects. What may be shared or not is taken not to be: as the empty array that lists
    /// begin with, it is not the one that gets written.
    fn write(&mut self, nodes: Nodes, passed_on: bool, depth: u8) {
        let nodes = if nodes & !GLOBAL != 0 { nodes & !GLOBAL } else { nodes };
        if nodes & GLOBAL != 0 {
            self.static_depth = self.static_depth.min(depth);
        }
        self.changed |= nodes & !self.written != 0;
        self.written |= nodes;
        if !passed_on {
            self.written_here |= nodes;
        }
    }

    fn store(&mut self, base: Nodes, field: u32, value: Nodes) {
        if value == 0 {
            return;
        }
        for number in numbers(base & !GLOBAL) {
            let holder = &mut self.heap[usize::from(number)];
            holder.all |= value;
            match holder.fields.iter_mut().find(|(known, _)| *known == field) {
                Some((_, known)) => {
                    self.changed |= value & !*known != 0;
                    *known |= value;
                }
                None => {
                    self.changed = true;
                    holder.fields.push((field, value));
                }
            }
        }
    }

    /// What a field of these objects may hold.
    fn load(&mut self, base: Nodes, field: u32) -> Nodes {
        let mut loaded = base & GLOBAL;
        for number in numbers(base & !GLOBAL) {
            let node = self.nodes[usize::from(number)];
            loaded |= match node.kind() {
                Kind::Param => self.number(Node::field(node.index(), field)),
                Kind::Field | Kind::Deep => self.number(Node::deep(node.index())),
                Kind::Global | Kind::Fresh => 0,
            };
            loaded |= self.held(number, field);
        }
        loaded
    }

    /// What was stored in a field of an object.
    fn held(&self, number: u8, field: u32) -> Nodes {
        if field == ANY {
            return self.all_held(number);
        }
        let fields = self.heap[usize::from(number)].fields.iter();
        let named = fields.filter(|(known, _)| *known == field || *known == ANY);
        named.fold(0, |nodes, (_, held)| nodes | held)
    }

    /// Everything that was stored in the object.
    fn all_held(&self, number: u8) -> Nodes {
        self.heap[usize::from(number)].all
    }

    /// What lies below what the fields of these objects hold.
    fn deep(&mut self, base: Nodes) -> Nodes {
        let mut found = base & GLOBAL;
        let mut first = 0;
        for number in numbers(base & !GLOBAL) {
            let node = self.nodes[usize::from(number)];
            if node.kind() != Kind::Fresh {
                found |= self.number(Node::deep(node.index()));
            }
            first |= self.all_held(number);
        }
        let (mut pending, mut seen) = (first, 0);
        while pending & !seen != 0 {
            let next = pending & !seen;
            seen |= next;
            for number in numbers(next) {
                let node = self.nodes[usize::from(number)];
                let below = match node.kind() {
                    Kind::Param if self.opaque >> number & 1 != 0 => 0,
                    Kind::Param | Kind::Field | Kind::Deep => self.number(Node::deep(node.index())),
                    Kind::Global => GLOBAL,
                    Kind::Fresh => 0,
                };
                let held = self.all_held(number);
                found |= below | held;
                pending |= below | held;
            }
        }
        found
    }

    fn summary(&self, body: &Body) -> Summary {
        let node = |number: u8| self.nodes[usize::from(number)];
        let mut visible = Summary {
            unknown: self.unknown,
            static_depth: if self.written & GLOBAL == 0 { 0 } else { self.static_depth },
            unknown_depth: if self.unknown { self.unknown_depth } else { 0 },
            throws: !body.returns,
            ..Summary::default()
        };
        visible.writes.extend(numbers(self.written & !self.fresh).map(node));
        let passed_on = self.written & !self.written_here & !self.fresh;
        visible.delegated.extend(numbers(passed_on).map(node));
        visible.result.extend(numbers(self.result).map(|number| seen_outside(node(number))));
        let escaped = self.escaped();
        let holders = numbers(escaped);
        let fields = holders.flat_map(|number| {
            self.heap[usize::from(number)].fields.iter().map(move |field| (number, field))
        });
        for (holder, (field, held)) in fields {
            let from = seen_outside(node(holder));
            let field = if from.kind() == Kind::Deep { ANY } else { *field };
            for held in numbers(*held) {
                let to = seen_outside(node(held));
                // That a parameter holds what it held before is no news.
                let is_news = match (from.kind(), to.kind()) {
                    (Kind::Param, Kind::Field) => {
                        from.index() != to.index() || field != to.field_id()
                    }
                    (Kind::Param | Kind::Field | Kind::Deep, Kind::Deep) => {
                        from.index() != to.index()
                    }
                    _ => true,
                };
                if is_news {
                    visible.edges.push((from, field, to));
                }
            }
        }
        visible.normalize();
        visible
    }

    /// The nodes that the caller can get at.
    fn escaped(&self) -> Nodes {
        let mut seen: Nodes = 0;
        let mut pending = self.result | (((1 << self.nodes.len()) - 1) & !self.fresh);
        while pending & !seen != 0 {
            let next = pending & !seen;
            seen |= next;
            for number in numbers(next) {
                pending |= self.all_held(number);
            }
        }
        seen
    }
}

fn is_effect(laziness: Laziness, body: &Body) -> bool {
    match laziness {
        Laziness::Eager => true,
        Laziness::Value => false,
        Laziness::Flag => !body.caches,
    }
}

fn seen_outside(node: Node) -> Node {
    if node.kind() == Kind::Fresh { Node::FRESH } else { node }
}

fn numbers(mut nodes: Nodes) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        if nodes == 0 {
            return None;
        }
        let number = nodes.trailing_zeros() as u8;
        nodes &= nodes - 1;
        Some(number)
    })
}
