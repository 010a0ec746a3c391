//! One summary for a call that may reach many methods.
//!
//! That some class somewhere overrides `toString` to count its calls does not make printing an
//! effect. So an effect of a virtual call is one that at least half of its targets have, each
//! method counted once, those that only throw left out. With one target that is its summary, with
//! two it is both. What the class named in the call does itself counts in any case.
//!
//! Where fields differ between targets, as they do, effects are counted by parameter; they are
//! then named by field if there are few.

use rustc_hash::FxHashMap;

use super::ids::ANY;
use super::summary::{Edge, Kind, Node, Summary};

/// Up to this many targets, what is stored where is the union of all.
const FEW: u32 = 4;
/// With more, stores that one in so many targets has are kept.
const STORE_SHARE: u32 = 4;

/// More fields than this are not named.
const MAX_NAMED: usize = 4;

/// Merges summaries with their weights; `own` is that of the class named in the call.
pub(crate) fn vote<'s>(
    targets: impl Iterator<Item = (&'s Summary, u32)> + Clone,
    own: Option<&Summary>,
) -> Summary {
    let (mut returning, mut throwing) = (0, 0);
    for (summary, weight) in targets.clone() {
        *(if summary.throws { &mut throwing } else { &mut returning }) += weight;
    }
    let all_throw = returning == 0;
    let total = if all_throw { throwing } else { returning };
    let voters = targets.filter(|(summary, _)| all_throw || !summary.throws);
    let mut merged = Summary { throws: all_throw, ..Summary::default() };
    let unknown: u32 = voters.clone().filter(|(s, _)| s.unknown).map(|(_, w)| w).sum();
    merged.unknown = unknown * 2 >= total && unknown > 0;
    let writes: Vec<(Vec<Node>, u32)> = voters.clone().map(|(s, w)| (own_writes(s), w)).collect();
    merged.writes = elect(writes.iter().map(|(nodes, weight)| (&nodes[..], *weight)), total);
    merged.result = elect(voters.clone().map(|(s, w)| (&s.result[..], w)), total);
    merged.edges = elect_edges(voters.clone(), total);
    let writing = voters.clone().filter(|(s, _)| s.writes.contains(&Node::GLOBAL));
    merged.static_depth = writing.map(|(s, _)| s.static_depth).min().unwrap_or(0);
    let asking = voters.clone().filter(|(s, _)| s.unknown);
    merged.unknown_depth = asking.map(|(s, _)| s.unknown_depth).min().unwrap_or(0);
    if let Some(own) = own.filter(|own| !own.throws) {
        merged.writes.extend(&own.writes);
        merged.edges.extend(&own.edges);
        merged.result.extend(&own.result);
        merged.unknown |= own.unknown;
    }
    merged.normalize();
    merged
}

/// What a method writes, where one that passes the call on counts as what it passes it on to: an
/// iterator around an iterator changes an iterator.
fn own_writes(summary: &Summary) -> Vec<Node> {
    let passed_on = |node: &Node| match node.kind() {
        Kind::Field | Kind::Deep if summary.delegated.contains(node) => Node::param(node.index()),
        _ => *node,
    };
    let mut writes: Vec<Node> = summary.writes.iter().map(passed_on).collect();
    super::summary::sort(&mut writes);
    writes
}

/// The nodes whose kind (by parameter) half of the voters name. Fields and what is deeper are
/// counted together as well, because wrappers differ in how deep they wrap.
fn elect<'s>(votes: impl Iterator<Item = (&'s [Node], u32)>, total: u32) -> Vec<Node> {
    let mut tally: FxHashMap<Node, (u32, Vec<Node>)> = FxHashMap::default();
    let mut inside: FxHashMap<u8, u32> = FxHashMap::default();
    let (mut kinds, mut indices) = (Vec::new(), Vec::new());
    for (nodes, weight) in votes {
        kinds.clear();
        kinds.extend(nodes.iter().map(|node| node.coarse()));
        super::summary::sort(&mut kinds);
        for kind in &kinds {
            tally.entry(*kind).or_default().0 += weight;
        }
        for node in nodes {
            let named = &mut tally.entry(node.coarse()).or_default().1;
            if named.len() <= MAX_NAMED && !named.contains(node) {
                named.push(*node);
            }
        }
        indices.clear();
        let are_inside = kinds.iter().filter(|n| matches!(n.kind(), Kind::Field | Kind::Deep));
        indices.extend(are_inside.map(|node| node.index()));
        super::summary::sort(&mut indices);
        for index in &indices {
            *inside.entry(*index).or_default() += weight;
        }
    }
    let is_elected = |kind: Node, count: u32| {
        let count = match kind.kind() {
            Kind::Field => inside[&kind.index()],
            _ => count,
        };
        count * 2 >= total
    };
    let elected = tally.into_iter().filter(|(kind, (count, _))| is_elected(*kind, *count));
    let nodes = elected.flat_map(
        |(kind, (_, named))| {
            if named.len() <= MAX_NAMED { named } else { vec![kind] }
        },
    );
    nodes.collect()
}

fn elect_edges<'s>(
    voters: impl Iterator<Item = (&'s Summary, u32)> + Clone,
    total: u32,
) -> Vec<Edge> {
    if total <= FEW {
        return voters.flat_map(|(summary, _)| summary.edges.iter().copied()).collect();
    }
    let mut tally: FxHashMap<(Node, Node), u32> = FxHashMap::default();
    let mut pairs = Vec::new();
    for (summary, weight) in voters {
        pairs.clear();
        pairs.extend(summary.edges.iter().map(|edge| (edge.0.coarse(), edge.2.coarse())));
        super::summary::sort(&mut pairs);
        for pair in &pairs {
            *tally.entry(*pair).or_default() += weight;
        }
    }
    let kept = tally.into_iter().filter(|(_, count)| count * STORE_SHARE >= total);
    kept.map(|((holder, held), _)| (holder, ANY, held)).collect()
}
