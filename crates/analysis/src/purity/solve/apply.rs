//! The effect of a call on the nodes of the caller.

use smallvec::SmallVec;

use super::super::body::{Body, Set};
use super::super::summary::{Kind, Node, Summary};
use super::{GLOBAL, Nodes, Solver, numbers};

impl Solver {
    /// What belongs to these structures, rather than what was put into them: nodes of a map, not
    /// its keys.
    pub(super) fn structure(&mut self, base: Nodes) -> Nodes {
        let mut own = self.deep(base) & (self.fresh | GLOBAL);
        for number in numbers(base & !GLOBAL & !self.fresh) {
            own |= self.number(Node::deep(self.nodes[usize::from(number)].index()));
        }
        own
    }

    /// The effect of a call.
    pub(super) fn apply(
        &mut self,
        body: &Body,
        callee: &Summary,
        args: &[Set],
        dst: u16,
        delegates: bool,
    ) {
        // Nothing that follows is seen by who called this method.
        if callee.throws {
            return;
        }
        if callee.unknown && callee.unknown_depth < self.max_depth {
            self.unknown = true;
            self.unknown_depth = self.unknown_depth.min(callee.unknown_depth + 1);
        }
        if callee.writes.is_empty() && callee.edges.is_empty() && callee.result.is_empty() {
            return;
        }
        let values: SmallVec<[Nodes; 6]> = args.iter().map(|set| self.value(body, *set)).collect();
        let args: SmallVec<[Nodes; 6]> = args.iter().map(|set| self.objects(body, *set)).collect();
        // What the callee makes belongs to the object it constructs, or to the call.
        let mut fresh = None;
        for node in &callee.writes {
            let mut depth = 0;
            if *node == Node::GLOBAL {
                if callee.static_depth >= self.max_depth {
                    continue;
                }
                depth = callee.static_depth + 1;
            }
            let nodes = match node.kind() {
                Kind::Deep => self.structure(arg(&args, node.index())),
                // Nor is what a field holds, if nothing is known of it.
                Kind::Field => self.meaning(*node, &args, dst, &mut fresh) & !self.opaque,
                _ => self.meaning(*node, &args, dst, &mut fresh),
            };
            self.write(nodes, delegates, depth);
        }
        for (holder, field, held) in &callee.edges {
            let holder = self.meaning(*holder, &args, dst, &mut fresh);
            let held = self.meaning(*held, &values, dst, &mut fresh);
            self.store(holder, *field, held);
        }
        let mut result = 0;
        for node in &callee.result {
            result |= self.meaning(*node, &values, dst, &mut fresh);
        }
        self.define(dst, result);
    }

    /// The nodes here that a node of a callee stands for.
    pub(super) fn meaning(
        &mut self,
        node: Node,
        args: &[Nodes],
        dst: u16,
        fresh: &mut Option<Nodes>,
    ) -> Nodes {
        let of = arg(args, node.index());
        match node.kind() {
            Kind::Global => GLOBAL,
            Kind::Param => of,
            Kind::Field => self.load(of, node.field_id()),
            Kind::Deep => self.deep(of),
            Kind::Fresh => *fresh.get_or_insert_with(|| {
                let receiver = args.first().copied().unwrap_or(0);
                let is_one = receiver.is_power_of_two() && receiver & self.fresh != 0;
                if is_one { receiver } else { self.number(Node::fresh(dst)) }
            }),
        }
    }
}

pub(super) fn arg(args: &[Nodes], index: u8) -> Nodes {
    args.get(usize::from(index)).copied().unwrap_or(0)
}
