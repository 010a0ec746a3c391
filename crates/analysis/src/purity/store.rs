//! The JDK's summaries as one block of bytes: looked up in place, stored and loaded whole.
//!
//! Tables are sorted by number and searched by halving; summaries are decoded when looked up, each
//! distinct one is stored once. Loading reads a file and checks its sum.

use rustc_hash::FxHashMap;

use super::ids::mix;
use super::program::Outside;
use super::summary::{Edge, Node, Summary};

/// Changes whenever the meaning of stored bytes or of summaries does.
pub(super) const FORMAT: u32 = 1;

const MAGIC: &[u8; 8] = b"THpurity";
/// Magic, format, identity, sum, and the five lengths.
const HEADER: usize = 8 + 4 + 8 + 8 + 5 * 4;

/// Summaries as bytes.
pub(super) struct Store {
    bytes: Vec<u8>,
    classes: usize,
    methods: usize,
    virtuals: usize,
    /// Where the tables begin.
    parent_starts: usize,
    parents: usize,
    method_keys: usize,
    method_offsets: usize,
    virtual_keys: usize,
    virtual_offsets: usize,
    pool: usize,
}

/// What a store is made of.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) classes: Vec<(u64, Vec<u64>)>,
    pub(super) methods: Vec<(u64, Summary)>,
    pub(super) virtuals: Vec<(u64, Summary, u32)>,
}

impl Store {
    /// Lays out summaries for the JDK of that identity.
    pub(super) fn new(mut contents: Contents, identity: u64) -> Self {
        contents.classes.sort_by_key(|class| class.0);
        contents.methods.sort_by_key(|method| method.0);
        contents.virtuals.sort_by_key(|method| method.0);
        let mut pool = Pool::default();
        let methods: Vec<u32> = contents.methods.iter().map(|method| pool.add(&method.1)).collect();
        let virtuals: Vec<u32> =
            contents.virtuals.iter().map(|method| pool.add(&method.1)).collect();
        let parents: usize = contents.classes.iter().map(|class| class.1.len()).sum();
        let mut bytes = Vec::new();
        bytes.extend_from_slice(MAGIC);
        bytes.extend(FORMAT.to_le_bytes());
        bytes.extend(identity.to_le_bytes());
        bytes.extend([0; 8]);
        let lengths =
            [contents.classes.len(), parents, methods.len(), virtuals.len(), pool.bytes.len()];
        bytes.extend(lengths.iter().flat_map(|length| (*length as u32).to_le_bytes()));
        bytes.extend(contents.classes.iter().flat_map(|class| class.0.to_le_bytes()));
        let mut start = 0_u32;
        for class in &contents.classes {
            bytes.extend(start.to_le_bytes());
            start += class.1.len() as u32;
        }
        bytes.extend(start.to_le_bytes());
        let all_parents = contents.classes.iter().flat_map(|class| &class.1);
        bytes.extend(all_parents.flat_map(|parent| parent.to_le_bytes()));
        bytes.extend(contents.methods.iter().flat_map(|method| method.0.to_le_bytes()));
        bytes.extend(methods.iter().flat_map(|offset| offset.to_le_bytes()));
        bytes.extend(contents.virtuals.iter().flat_map(|method| method.0.to_le_bytes()));
        for (offset, method) in virtuals.iter().zip(&contents.virtuals) {
            bytes.extend(offset.to_le_bytes());
            bytes.extend(method.2.to_le_bytes());
        }
        bytes.extend(&pool.bytes);
        let sum = checksum(&bytes[HEADER..]);
        bytes[20..28].copy_from_slice(&sum.to_le_bytes());
        Self::open(bytes, identity).expect("what was just laid out is whole")
    }

    /// Takes stored bytes; `None` if they are damaged, of another format or of another JDK.
    pub(super) fn open(bytes: Vec<u8>, identity: u64) -> Option<Self> {
        let lengths = bytes.get(28..HEADER)?;
        let mut lengths =
            lengths.chunks_exact(4).map(|l| u32::from_le_bytes([l[0], l[1], l[2], l[3]]) as usize);
        let (classes, parents) = (lengths.next()?, lengths.next()?);
        let (methods, virtuals, pool) = (lengths.next()?, lengths.next()?, lengths.next()?);
        let mut at = HEADER;
        let mut table = |size: usize| {
            let start = at;
            at += size;
            start
        };
        table(8 * classes);
        let store = Self {
            classes,
            methods,
            virtuals,
            parent_starts: table(4 * (classes + 1)),
            parents: table(8 * parents),
            method_keys: table(8 * methods),
            method_offsets: table(4 * methods),
            virtual_keys: table(8 * virtuals),
            virtual_offsets: table(8 * virtuals),
            pool: table(pool),
            bytes: Vec::new(),
        };
        let is_whole = bytes.starts_with(MAGIC)
            && bytes.len() == at
            && bytes[8..12] == FORMAT.to_le_bytes()
            && bytes[12..20] == identity.to_le_bytes()
            && bytes[20..28] == checksum(&bytes[HEADER..]).to_le_bytes();
        is_whole.then_some(Self { bytes, ..store })
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many methods there are.
    pub(super) fn methods(&self) -> usize {
        self.methods
    }

    fn u32_at(&self, at: usize) -> u32 {
        let bytes = self.bytes[at..].first_chunk().expect("lengths were checked");
        u32::from_le_bytes(*bytes)
    }

    fn u64_at(&self, at: usize) -> u64 {
        let bytes = self.bytes[at..].first_chunk().expect("lengths were checked");
        u64::from_le_bytes(*bytes)
    }

    /// The place of a number in a sorted table.
    fn search(&self, table: usize, count: usize, key: u64) -> Option<usize> {
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            match self.u64_at(table + 8 * middle).cmp(&key) {
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    fn method(&self, class: u64, signature: u64) -> Option<usize> {
        self.search(self.method_keys, self.methods, super::ids::method_id(class, signature))
    }

    fn summary(&self, offset: u32) -> Summary {
        let mut at = self.pool + offset as usize;
        let [flags, writes, edges, result] =
            *self.bytes[at..].first_chunk().expect("offsets were checked by the sum");
        at += 4;
        let mut node = || {
            at += 8;
            Node(self.u64_at(at - 8))
        };
        let writes = (0..writes).map(|_| node()).collect();
        let result = (0..result).map(|_| node()).collect();
        let edge = |_| -> Edge {
            let edge = (Node(self.u64_at(at)), self.u32_at(at + 8), Node(self.u64_at(at + 12)));
            at += 20;
            edge
        };
        let edges = (0..edges).map(edge).collect();
        Summary {
            writes,
            delegated: Vec::new(),
            // For those who call it from outside, the JDK is one step.
            static_depth: 0,
            unknown_depth: 0,
            edges,
            result,
            unknown: flags & 1 != 0,
            throws: flags & 2 != 0,
            is_static: flags & 4 != 0,
        }
    }
}

impl Outside for Store {
    fn parents(&self, class: u64) -> Option<Vec<u64>> {
        let place = self.search(HEADER, self.classes, class)?;
        let start = self.u32_at(self.parent_starts + 4 * place) as usize;
        let end = self.u32_at(self.parent_starts + 4 * place + 4) as usize;
        Some((start..end).map(|place| self.u64_at(self.parents + 8 * place)).collect())
    }

    fn declares(&self, class: u64, signature: u64) -> bool {
        self.method(class, signature).is_some()
    }

    fn exact(&self, class: u64, signature: u64) -> Option<Summary> {
        let place = self.method(class, signature)?;
        Some(self.summary(self.u32_at(self.method_offsets + 4 * place)))
    }

    fn dispatch(&self, class: u64, signature: u64) -> Option<(Summary, u32)> {
        let key = super::ids::method_id(class, signature);
        let at = self.virtual_offsets + 8 * self.search(self.virtual_keys, self.virtuals, key)?;
        Some((self.summary(self.u32_at(at)), self.u32_at(at + 4)))
    }
}

/// Distinct summaries, encoded.
#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    offsets: FxHashMap<Vec<u8>, u32>,
}

impl Pool {
    fn add(&mut self, summary: &Summary) -> u32 {
        let flags = u8::from(summary.unknown)
            | u8::from(summary.throws) << 1
            | u8::from(summary.is_static) << 2;
        let lengths = [summary.writes.len(), summary.edges.len(), summary.result.len()];
        let mut encoded = vec![flags];
        // Normalized summaries are far from 255 entries; see `Summary::normalize`.
        encoded.extend(lengths.map(|length| length.min(255) as u8));
        for node in summary.writes.iter().take(255).chain(summary.result.iter().take(255)) {
            encoded.extend(node.0.to_le_bytes());
        }
        for (holder, field, held) in summary.edges.iter().take(255) {
            encoded.extend(holder.0.to_le_bytes());
            encoded.extend(field.to_le_bytes());
            encoded.extend(held.0.to_le_bytes());
        }
        if let Some(offset) = self.offsets.get(&encoded) {
            return *offset;
        }
        let offset = self.bytes.len() as u32;
        self.bytes.extend(&encoded);
        self.offsets.insert(encoded, offset);
        offset
    }
}

/// A sum over words that any changed bit changes; the rest is padded with zeros.
fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = bytes.len() as u64;
    let words = bytes.chunks_exact(8);
    let rest = words.remainder();
    for word in words {
        let word = u64::from_le_bytes(*word.first_chunk().expect("chunks of eight"));
        sum = (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    mix(sum ^ u64::from_le_bytes(last))
}
