//! What a method does to objects, in terms of its parameters.
//!
//! Objects are told apart by how the method got at them ([`Node`]): a parameter, what one of its
//! fields holds, what lies deeper, what statics reach, and what the method made itself. Two levels
//! are what iterators ask for: advancing one writes the iterator, not the collection it holds.

use super::ids::{ANY, ELEMENT};

/// An abstract object of a method: kind, index and field in one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Node(pub(crate) u64);

/// The kinds of [`Node`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// What static fields reach.
    Global,
    /// Made by the method.
    Fresh,
    /// The parameter itself (the receiver is number 0).
    Param,
    /// What a field of the parameter holds.
    Field,
    /// What lies deeper.
    Deep,
}

impl Node {
    pub(crate) const GLOBAL: Self = Self(0);
    /// Anything fresh; while a method is solved, nodes tell its sites apart.
    pub(crate) const FRESH: Self = Self(1 << 56);

    pub(crate) fn fresh(site: u16) -> Self {
        Self(1 << 56 | (u64::from(site) + 1))
    }

    pub(crate) fn param(index: u8) -> Self {
        Self(2 << 56 | u64::from(index) << 48)
    }

    pub(crate) fn field(index: u8, field: u32) -> Self {
        Self(3 << 56 | u64::from(index) << 48 | u64::from(field))
    }

    pub(crate) fn deep(index: u8) -> Self {
        Self(4 << 56 | u64::from(index) << 48)
    }

    pub(crate) fn kind(self) -> Kind {
        match self.0 >> 56 {
            0 => Kind::Global,
            1 => Kind::Fresh,
            2 => Kind::Param,
            3 => Kind::Field,
            _ => Kind::Deep,
        }
    }

    /// The number of the parameter.
    pub(crate) fn index(self) -> u8 {
        (self.0 >> 48) as u8
    }

    /// The field of a [`Kind::Field`].
    pub(crate) fn field_id(self) -> u32 {
        self.0 as u32
    }

    /// The same for any field.
    pub(crate) fn coarse(self) -> Self {
        match self.kind() {
            Kind::Field => Self::field(self.index(), ANY),
            Kind::Fresh => Self::FRESH,
            _ => self,
        }
    }
}

/// An object that gets to hold another: in which field.
pub(crate) type Edge = (Node, u32, Node);

/// What a method does. Lists are sorted and without repetition.
#[derive(Clone, PartialEq, Eq, Default, Debug, Hash)]
pub(crate) struct Summary {
    /// Objects that are written.
    pub(crate) writes: Vec<Node>,
    /// Those of them that are written only by calls of the same method on another object: by
    /// passing the call on, as wrappers do.
    pub(crate) delegated: Vec<Node>,
    /// What is stored where.
    pub(crate) edges: Vec<Edge>,
    /// What is returned.
    pub(crate) result: Vec<Node>,
    /// Whether something is called of which nothing is known.
    pub(crate) unknown: bool,
    /// Through how many calls at least static state is written, if it is.
    pub(crate) static_depth: u8,
    /// Through how many calls at least the unknown is called, if it is.
    pub(crate) unknown_depth: u8,
    /// Whether it never returns normally.
    pub(crate) throws: bool,
    /// Whether parameter 0 is no receiver; set in what is stored.
    pub(crate) is_static: bool,
}

/// More fields of a parameter than this are as good as all.
const MAX_FIELDS: usize = 8;
/// More edges than this are merged.
const MAX_EDGES: usize = 12;
/// No summary has more edges than this: what is lost are stores of stores.
const LAST_EDGES: usize = 24;

impl Summary {
    /// A call of which nothing is known: it may return what it was given.
    pub(crate) fn unknown(params: usize) -> Self {
        let deep = (0..params.min(8)).map(|index| Node::deep(index as u8));
        Self {
            unknown: true,
            result: std::iter::once(Node::FRESH).chain(deep).collect(),
            ..Self::default()
        }
    }

    /// A call of a function object: what it does counts where it is made.
    pub(crate) fn function() -> Self {
        Self { result: vec![Node::FRESH], ..Self::default() }
    }

    /// An access through a variable handle: the object is the first argument after the handle.
    pub(crate) fn handle(writes: bool) -> Self {
        let mut summary = Self { result: vec![Node::deep(1)], ..Self::default() };
        if writes {
            summary.writes.push(Node::param(1));
            summary.edges.extend((2..5).map(|value| (Node::param(1), ANY, Node::param(value))));
        }
        summary
    }

    /// `clone` of an array.
    pub(crate) fn clone_array() -> Self {
        Self {
            result: vec![Node::FRESH],
            edges: vec![(Node::FRESH, ELEMENT, Node::field(0, ELEMENT))],
            ..Self::default()
        }
    }

    /// Takes over what was known before.
    pub(crate) fn absorb(&mut self, before: &Self) {
        // What was written otherwise once is not only passed on.
        let passed_on = |node: &Node| {
            let before_too = before.delegated.contains(node) || !before.writes.contains(node);
            self.delegated.contains(node) && before_too
        };
        self.delegated = self.delegated.iter().copied().filter(passed_on).collect();
        self.writes.extend(&before.writes);
        self.edges.extend(&before.edges);
        self.result.extend(&before.result);
        self.unknown |= before.unknown;
        self.static_depth = self.static_depth.max(before.static_depth);
        self.unknown_depth = self.unknown_depth.max(before.unknown_depth);
        self.throws &= before.throws;
        self.normalize();
    }

    /// Sorts, and merges what is too much to tell apart.
    pub(crate) fn normalize(&mut self) {
        limit_fields(&mut self.writes);
        sort(&mut self.delegated);
        limit_fields(&mut self.result);
        sort(&mut self.edges);
        if self.edges.len() > MAX_EDGES {
            for edge in &mut self.edges {
                *edge = (edge.0.coarse(), ANY, edge.2.coarse());
            }
            sort(&mut self.edges);
            self.edges.truncate(LAST_EDGES);
        }
    }
}

pub(crate) fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

fn limit_fields(nodes: &mut Vec<Node>) {
    sort(nodes);
    if nodes.iter().filter(|node| node.kind() == Kind::Field).count() > MAX_FIELDS {
        nodes.iter_mut().for_each(|node| *node = node.coarse());
        sort(nodes);
    }
}
